"""Bench: is every template's rendering found, and do renderings of unknown ones stay quiet?

    DATABASE_URL=sqlite:////tmp/base.sqlite3 .venv/bin/python -m bench.match_recall --failures failures.txt

The base is one of scanned packages. Each wording is rendered with random values, inside ten lines of noise, in five
forms: below a traceback with the throw site, below one of somebody's own code, behind its type, in a line of a log, and
as it is. First with the whole base: the entry, or a twin of equal text, is to come first. Then with a tenth of the
templates left out (in a transaction that is rolled back): nothing is to be found with confidence for these.

`--half` takes the wordings of one half of all texts, for weights that are set on one and judged on the other.
"""

import argparse
import re
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import TextIO

from django.db import transaction

import bench.started  # noqa: F401
from bench.renderings import FORMS, Thrown, in_noise, render
from errorkb.core.message_templates import TemplateError
from errorkb.core.skeletons import letters_of
from errorkb.core.template_literals import literal_texts
from errorkb.matching.matching import match
from errorkb.matching.results import Match, MatchOptions
from errorkb.models import ErrorEntry, Wording
from errorkb.models.chunks import in_chunks

LEFT_OUT = 10
HALVES = ("first", "second")
# In so many of the renderings, values are of any kind, and not such as the slots' names let expect.
ANY_VALUES = 0.5
SITE_PACKAGES = "/usr/lib/python3.11/site-packages/"
_SOURCE_FOLDERS = re.compile(r"^(?:src|lib|python)/")
_SLOT = re.compile(r"(?<!\{)\{[^{}]+\}")


@dataclass(frozen=True, slots=True)
class Case:
    """A wording to be rendered: primary keys of it and its entry, template, text without slots' names, throw site."""

    wording: int
    entry: int
    template: str
    text: str
    thrown: Thrown


@dataclass
class Figures:
    """What came of the cases of one form, and of each different text (True: a success); why those failed that did."""

    tried: int = 0
    good: int = 0
    confident: int = 0
    failures: Counter[str] = field(default_factory=Counter)
    by_text: dict[str, list[bool]] = field(default_factory=lambda: defaultdict(list))

    @property
    def share_of_texts(self) -> float:
        """Return the share of successes if each text counts once, however many wordings have it."""
        shares = [sum(each) / len(each) for each in self.by_text.values()]
        return sum(shares) / (len(shares) or 1)

    def add(self, text: str, failure: str, *, confident: bool) -> None:
        self.tried += 1
        self.by_text[text].append(not failure)
        self.good += not failure
        self.confident += confident
        if failure:
            self.failures[failure] += 1


def equal_text(template: str) -> str:
    """Return a template without the names of its slots: twins of equal text have this in common."""
    return _SLOT.sub("{}", template)


def read_cases() -> list[Case]:
    """Return every wording of the base with its throw site."""
    rows = Wording.objects.select_related("entry__newest").filter(entry__state="published").order_by("pk")
    return [
        Case(row.pk, row.entry_id, row.template, equal_text(row.template), _thrown(row.entry))
        for row in rows.iterator(chunk_size=1_000)
        if literal_texts(row.template)
    ]


def paste(case: Case, form: str, seed: int) -> str | None:
    """Return a case's rendering in one form; None where its template cannot be rendered."""
    random = Random(f"{seed}:{case.wording}:{form}")
    try:
        message = render(case.template, random, is_any=random.random() < ANY_VALUES)
    except TemplateError:
        return None
    return in_noise(FORMS[form](message, case.thrown, random), random)


def half_of(case: Case) -> str:
    """Return the half of all texts that a case's is in."""
    return Random(f"half of {case.text}").choice(HALVES)


@dataclass
class Bench:
    """A run: the texts that each entry has, the seed of the renderings, where failures are told."""

    texts: dict[int, set[str]]
    seed: int
    failures: TextIO

    def recall(self, cases: Sequence[Case], form: str) -> Figures:
        """Count the renderings for which their entry or a twin of equal text comes first."""
        figures = Figures()
        for case, text, matches in self._answers(cases, form):
            first = matches[0] if matches else None
            good = first is not None and (first.entry.pk == case.entry or case.text in self.texts[first.entry.pk])
            failure = "" if good else self._kind(case, text, matches)
            figures.add(case.text, failure, confident=good and first is not None and first.confident)
            if failure:
                self._tell(failure, form, case, text, first)
        return figures

    def quiet(self, cases: Sequence[Case], form: str) -> Figures:
        """Count the renderings of templates that are not in the base for which nothing is found with confidence."""
        figures = Figures()
        for case, text, matches in self._answers(cases, form):
            loud = next((found for found in matches if found.confident), None)
            failure = f"taken for another{_whole(loud, text)}, {_size(case.template)}" if loud else ""
            figures.add(case.text, failure, confident=loud is not None)
            if loud:
                self._tell(failure, form, case, text, loud)
        return figures

    def _answers(self, cases: Sequence[Case], form: str) -> Iterator[tuple[Case, str, Sequence[Match]]]:
        for case in cases:
            text = paste(case, form, self.seed)
            if text is not None:
                yield case, text, match(text, MatchOptions()).matches

    def _kind(self, case: Case, text: str, matches: Sequence[Match]) -> str:
        is_behind = any(case.text in self.texts[found.entry.pk] for found in matches)
        what = "found behind another" if is_behind else "not found, another is" if matches else "not found"
        return f"{what}{_whole(matches[0], text) if matches else ''}, {_size(case.template)}"

    def _tell(self, failure: str, form: str, case: Case, text: str, first: Match | None) -> None:
        told = [f"== {failure}; {form}", f"wording {case.wording}: {case.template!r}", text]
        if first is not None:
            told.append(f"-- first: {first.entry.pk} {first.score} {first.confident} {first.template!r}")
            told += [f"   {reason.kind}: {reason.text}" for reason in first.reasons]
        self.failures.write("\n".join(told) + "\n\n")


@contextmanager
def left_out(cases: Sequence[Case], seed: int) -> Iterator[list[Case]]:
    """Take a tenth of the different texts out of the base, with every entry that has one; yield their cases."""
    texts = {case.text for case in cases}
    gone = {text for text in texts if Random(f"{seed}:{text}").randrange(LEFT_OUT) == 0}
    entries = {case.entry for case in cases if case.text in gone}
    with transaction.atomic():
        for chunk in in_chunks(sorted(entries)):
            Wording.objects.filter(entry__in=chunk).delete()
            ErrorEntry.objects.filter(pk__in=chunk).update(state="withdrawn", frame_key="", type_key="")
        yield [case for case in cases if case.text in gone]
        transaction.set_rollback(True)


def _thrown(entry: ErrorEntry) -> Thrown:
    path = SITE_PACKAGES + _SOURCE_FOLDERS.sub("", entry.path)
    function = entry.symbol.rpartition(".")[2] or "<module>"
    return Thrown(entry.exception_type, path, entry.line or 1, function, _code(entry), entry.kind)


def _code(entry: ErrorEntry) -> str:
    """Return the throwing line, from the newest sighting."""
    if entry.newest is None or entry.newest.snippet.get("code") is None:
        return ""
    lines = entry.newest.snippet["code"].splitlines()
    offset = entry.newest.line - entry.newest.snippet["start_line"]
    return lines[offset].strip() if 0 <= offset < len(lines) else ""


def _whole(found: Match, text: str) -> str:
    """Say whether all literal text of a match's template stands in the paste: then it is not quite wrong."""
    place = 0
    for literal in literal_texts(found.template):
        place = text.find(literal.strip(), place)
        if place < 0:
            return ""
    return " that stands there whole" if found.template else ""


def _size(template: str) -> str:
    letters = sum(len(letters_of(text)) for text in literal_texts(template))
    return f"{next(size for least, size in _SIZES if letters >= least)} of literal text"


_SIZES = ((24, "24 letters or more"), (12, "12 to 23 letters"), (6, "6 to 11 letters"), (0, "under 6 letters"))


def report(name: str, figures: Figures, seconds: float) -> None:
    share = figures.good / (figures.tried or 1)
    each = seconds / (figures.tried or 1) * 1000
    print(
        f"{name}: {share:.2%} of {figures.tried:,}, {figures.share_of_texts:.2%} of {len(figures.by_text):,} texts "
        f"({figures.confident:,} confident), {each:.1f} ms of processor each"
    )
    for failure, count in figures.failures.most_common():
        print(f"    {count:5} {failure}")
    sys.stdout.flush()


def run(bench: Bench, cases: Sequence[Case], half: str | None, most: int) -> None:
    """Report recall, then quiet, of cases of a half (None: of all), of so many at most."""
    for form, sample in _samples(cases, half, most, bench.seed):
        began = time.process_time()
        figures = bench.recall(sample, form)
        report(f"first, {form}", figures, time.process_time() - began)
    with left_out(cases, bench.seed) as unknown:
        for form, sample in _samples(unknown, half, most, bench.seed):
            began = time.process_time()
            figures = bench.quiet(sample, form)
            report(f"left out and quiet, {form}", figures, time.process_time() - began)


def _samples(cases: Sequence[Case], half: str | None, most: int, seed: int) -> Iterator[tuple[str, list[Case]]]:
    """Yield each form with cases drawn at random, the same for all forms."""
    usable = [case for case in cases if half in (None, half_of(case))]
    sample = Random(seed).sample(usable, min(most, len(usable)))
    for form in FORMS:
        yield form, sample


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sample", type=int, default=sys.maxsize, help="so many wordings only, drawn at random")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--half", choices=HALVES, help="wordings of one half of the texts only")
    parser.add_argument("--failures", type=Path, default=Path("failures.txt"), help="where each failure is told")
    options = parser.parse_args()
    cases = read_cases()
    texts: dict[int, set[str]] = defaultdict(set)
    for case in cases:
        texts[case.entry].add(case.text)
    with options.failures.open("w", encoding="utf-8") as failures:
        run(Bench(texts, options.seed, failures), cases, options.half, options.sample)
    return 0


if __name__ == "__main__":
    sys.exit(main())
