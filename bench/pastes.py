"""Bench: long pastes made from the entries of a base: tracebacks of 60 lines, logs of many lines."""

from collections.abc import Iterator, Sequence
from random import Random

from bench.renderings import noise, render
from errorkb.models import Wording

SITE_PACKAGES = "/usr/lib/python3.11/site-packages/"
# Of the frames of a traceback, so many are in files that the base has entries of; of a log's lines, so many are errors.
KNOWN_FRAMES = 0.4
PLANTED = 0.024


def sample_wordings(random: Random, count: int) -> list[Wording]:
    """Return wordings drawn at random, with their entries."""
    first = Wording.objects.order_by("pk").values_list("pk", flat=True).first()
    last = Wording.objects.order_by("-pk").values_list("pk", flat=True).first()
    assert first and last, "the base has no wordings"
    found: dict[int, Wording] = {}
    while len(found) < count:
        key = random.randint(first, last)
        row = Wording.objects.select_related("entry").filter(pk__gte=key).order_by("pk")[0]
        found[row.pk] = row
    return list(found.values())


def long_traceback(wording: Wording, others: Sequence[Wording], random: Random, lines: int = 60) -> str:
    """Return a traceback that ends at a wording's throw site, of so many lines with the log around it."""
    body = ["Traceback (most recent call last):"]
    while len(body) < lines - 10:
        body += _frame(random.choice(others)) if random.random() < KNOWN_FRAMES else _own_frame(random)
    entry = wording.entry
    body += _frame(wording)
    body += f"{entry.exception_type or 'Exception'}: {render(wording.template, random)}".split("\n")
    rest = max(0, lines - len(body))
    return "\n".join([*noise(random, rest // 2), *body, *noise(random, rest - rest // 2)])


def mixed_log(wordings: Sequence[Wording], random: Random, lines: int) -> str:
    """Return a log of so many lines, some of which are renderings of the wordings."""
    return "\n".join(_log_lines(wordings, random, lines))


def _log_lines(wordings: Sequence[Wording], random: Random, lines: int) -> Iterator[str]:
    for number in range(lines):
        stamp = f"2026-11-12 08:{number // 600 % 60:02}:{number // 10 % 60:02},{random.randint(0, 999):03}"
        if random.random() < PLANTED:
            message = render(random.choice(wordings).template, random).replace("\n", " ")
            yield f"{stamp} ERROR [worker-{random.randint(1, 8)}] {message}"
        else:
            yield f"{stamp} INFO [worker-{random.randint(1, 8)}] {noise(random, 1)[0]}"


def _frame(wording: Wording) -> list[str]:
    entry = wording.entry
    name = entry.symbol.rpartition(".")[2] or "<module>"
    return [f'  File "{SITE_PACKAGES}{entry.path}", line {entry.line or 1}, in {name}', f"    return self.{name}(x)"]


def _own_frame(random: Random) -> list[str]:
    name = random.choice(("run", "load", "handle", "main", "step", "forward", "get", "__call__"))
    return [
        f'  File "/srv/app/{random.choice(("jobs", "web", "core"))}/{name}_{random.randint(1, 40)}.py", '
        f"line {random.randint(1, 900)}, in {name}",
        f"    value = {name}(options, {random.randint(1, 99)})",
    ]
