"""Tests of match on hostile pastes and bases: bounded work, told where it was cut, and never an exception.

Work is counted, in calls of functions and in queries: a text of twice the size may take about twice as many.
"""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import pytest
from pytest_django import DjangoAssertNumQueries

from errorkb.core.match_keys import template_keys
from errorkb.core.paste_bytes import decode_paste
from errorkb.ingest.repositories import ensure_repositories
from errorkb.matching import evidence, findings, fits
from errorkb.matching.matching import match
from errorkb.matching.results import MatchOptions, MatchResult, Outcome
from errorkb.models import ErrorEntry, Wording
from tests.builders import entry, site
from tests.loader import Clock, Loader

pytestmark = pytest.mark.django_db

MOST_QUERIES = 10
# A text of twice the size takes at most so many times the calls: twice, and something for what grows in steps.
TWICE = 2.5
KNOWN = "shelf %s cannot carry book %s any longer"

TRACEBACK = (
    'Traceback (most recent call last):\n  File "/srv/app/shelves.py", line {n}, in stack\n    stack(books)\n'
    "ValueError: shelf {n} cannot carry book x any longer\n"
)
DURING = "\nDuring handling of the above exception, another exception occurred:\n\n"

# What a text of about `n` signs is made like.
TEXTS: dict[str, Callable[[int], str]] = {
    "one long line of words": lambda n: "shelf 3 cannot carry " * (n // 21),
    "one long line of one letter": lambda n: "a" * n,
    "one long line of digits": lambda n: "1" * n,
    "one long line of spaces": lambda n: " " * n,
    "one long line of colons": lambda n: "Error: " * (n // 7),
    "one long line of dots": lambda n: "a." * (n // 2),
    "lines of one letter": lambda n: "x\n" * (n // 2),
    "empty lines": lambda n: "\n" * n,
    "lines that are all the same": lambda n: "ValueError: shelf 3 cannot carry book x any longer\n" * (n // 51),
    "lines that differ in digits": lambda n: "".join(f"ValueError: shelf {i} is broken\n" for i in range(n // 31)),
    "lines that all differ": lambda n: "".join(f"E{i:x}rror: shelf{i} is{i} broken{i}\n" for i in range(n // 36)),
    "known lines that differ": lambda n: "".join(
        f"shelf a{i:x} cannot carry book b{i:x} any longer\n" for i in range(n // 46)
    ),
    "NUL": lambda n: "\0" * n,
    "NUL between words": lambda n: "ValueError:\0shelf\0" * (n // 18),
    "lone surrogates": lambda n: "\ud800" * n,
    "brackets": lambda n: "[" * n,
    "braces of JSON": lambda n: '{"message": ' * (n // 12),
    "quotes": lambda n: "'\"`" * (n // 3),
    "the beginning of frames": lambda n: 'File "' * (n // 6),
    "frames": lambda n: '  File "/srv/a/b.py", line 7, in f\n' * (n // 36),
    "frames in different files": lambda n: "".join(f'  File "/a/b{i}.py", line 7, in f{i}\n' for i in range(n // 36)),
    "tracebacks": lambda n: "".join(TRACEBACK.format(n=i) for i in range(n // 150)),
    "a chain": lambda n: DURING.join(TRACEBACK.format(n=i) for i in range(n // 220)),
    "groups in groups": lambda n: "".join("  " * i + "| " + TRACEBACK[:35] for i in range(int(n**0.5))),
    "quoting in quoting": lambda n: "> " * (n // 2),
    "colours": lambda n: "\x1b[31m" * (n // 5),
    "escaped line breaks": lambda n: "ValueError: x\\n" * (n // 15),
    "carriage returns": lambda n: "ValueError: x\r" * (n // 14),
    "fences": lambda n: "```\n" * (n // 4),
    "HTML escapes": lambda n: "&amp;" * (n // 5),
    "backslashes": lambda n: "\\" * n,
    "underscores": lambda n: "_" * n,
    "Chinese": lambda n: "书架坏了" * (n // 4),
    "line separators": lambda n: "x\u2028" * (n // 2),
    "emoji": lambda n: "💥" * n,
    "stamps of a log": lambda n: "2026-11-12 08:00:00,123 ERROR " * (n // 30),
}  # fmt: skip


@dataclass
class Calls:
    """How many calls of functions there were."""

    count: int = 0


@contextmanager
def counted_calls() -> Iterator[Calls]:
    """Count the calls of functions of Python and of C within."""
    calls = Calls()

    def count(_frame: object, event: str, _argument: object) -> None:
        calls.count += event in ("call", "c_call")

    sys.setprofile(count)
    try:
        yield calls
    finally:
        sys.setprofile(None)


def matched(text: str) -> MatchResult:
    return match(text, MatchOptions())


@pytest.fixture
def known(loader: Loader) -> None:
    loader.put("known.json", entry(KNOWN, placeholders="percent", source=site(line=7, path="a/b.py", symbol="f")))


@pytest.mark.parametrize("name", TEXTS)
def test_work_grows_no_faster_than_the_text(
    name: str, known: None, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    small, large = TEXTS[name](8_000), TEXTS[name](16_000)
    matched(small)
    with counted_calls() as first:
        matched(small)
    with counted_calls() as second, django_assert_max_num_queries(MOST_QUERIES):
        result = matched(large)
    assert len(result.matches) <= 10
    assert second.count <= TWICE * first.count + 1_000


def test_one_line_of_four_mebibytes(known: None, django_assert_max_num_queries: DjangoAssertNumQueries) -> None:
    text = "x7 " * (4 * 1024 * 1024 // 3) + "ValueError: shelf 3 cannot carry book x any longer"
    with django_assert_max_num_queries(MOST_QUERIES):
        assert len(matched(text).matches) <= 10


def test_a_million_short_lines(known: None, django_assert_max_num_queries: DjangoAssertNumQueries) -> None:
    text = "ab\n" * 1_000_000 + "ValueError: shelf 3 cannot carry book x any longer\n"
    with django_assert_max_num_queries(MOST_QUERIES):
        assert len(matched(text).matches) <= 10


def test_a_chain_of_a_thousand(known: None, django_assert_max_num_queries: DjangoAssertNumQueries) -> None:
    text = DURING.join(TRACEBACK.format(n=n) for n in range(1_000))
    with django_assert_max_num_queries(MOST_QUERIES):
        result = matched(text)
    assert result.matches[0].entry.message == KNOWN


def test_groups_nested_a_thousand_deep(known: None, django_assert_max_num_queries: DjangoAssertNumQueries) -> None:
    lines = ["  + Exception Group Traceback (most recent call last):"]
    for depth in range(1_000):
        margin = "    " * depth
        lines.append(f"{margin}  | ExceptionGroup: several (1 sub-exception)")
        lines.append(f"{margin}  +-+---------------- 1 ----------------")
    lines.append("    " * 1_000 + "| ValueError: shelf 3 cannot carry book x any longer")
    with django_assert_max_num_queries(MOST_QUERIES):
        assert len(matched("\n".join(lines)).matches) <= 10


def test_bytes_that_are_no_text(known: None) -> None:
    data = bytes(range(256)) * 200 + b"\nValueError: shelf \xff cannot carry book \xc3\x28 any longer\n"
    result = matched(decode_paste(data))
    assert [found.entry.message for found in result.matches][:1] == [KNOWN]


@pytest.mark.parametrize(
    "template",
    [
        pytest.param("{0}{1}{2}{3}", id="only slots"),
        pytest.param("{0} {1} {2} {3}", id="slots and spaces"),
        pytest.param("{0}", id="one slot"),
        pytest.param("{{{0}}}", id="braces"),
        pytest.param("{0}:{1}", id="a colon"),
        pytest.param("".join(f"a{{{n}}}" for n in range(300)), id="letters between slots"),
        pytest.param("{{}}{{}}", id="only braces"),
    ],
)
def test_a_template_of_slots_is_found_in_nothing(template: str, loader: Loader) -> None:
    loader.put("slots.json", entry(template, placeholders="brace", exception_type=None))
    for text in ("a" * 5_000, "ValueError: everything is lost", "a b c d e f", "", "{}{}{}{}", "a: b"):
        assert matched(text).outcome is Outcome.UNKNOWN, text


@pytest.fixture
def shared_word() -> None:
    """Fill the base with 20,000 entries whose templates share a word; half of them have nothing else."""
    clock = Clock()
    repository = ensure_repositories(["o/n"], clock())["o/n"]
    templates = [f"brokenness {{s{n}}}" if n % 2 else f"brokenness of shelf{n:05} {{0}}" for n in range(20_000)]
    now, owned = clock(), {"": "file:a.json"}
    rows = [
        ErrorEntry(
            repository=repository, public_id=f"{n:016x}", message=template, template=template, line=1, kind="error",
            exception_type="ShelfError", type_key="ShelfError", path="a/b.py", symbol="f", frame_key="a/b.py:f",
            explained=False, reviewed=False, removed=False, owners=owned, created_at=now, modified_at=now,
        )
        for n, template in enumerate(templates)
    ]  # fmt: skip
    ErrorEntry.objects.bulk_create(rows)
    Wording.objects.bulk_create(
        Wording(entry=row, position=0, template=row.template, key=keys[0], check_key=keys[1])
        for row in rows
        for keys in [template_keys(row.template)]
    )


ABOUT_THE_WORD = (
    "ShelfError: brokenness of shelf",
    "brokenness\n" * 3_000,
    "".join(f"ShelfError: brokenness of shelf{n:05} x\n" for n in range(3_000)),
    'Traceback (most recent call last):\n  File "/srv/a/b.py", line 1, in f\nShelfError: brokenness 3\n',
    "ShelfError: brokenness " * 3_000,
)


def test_a_word_that_all_templates_share_costs_no_more_than_the_bounds(
    shared_word: None, monkeypatch: pytest.MonkeyPatch, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    tried, weighed = Calls(), Calls()
    for fit in (fits.fit_template, fits.fit_whole):
        monkeypatch.setattr(fits, fit.__name__, _counting(fit, tried))
    monkeypatch.setattr(evidence, "judge", _counting(evidence.judge, weighed))
    for text in ABOUT_THE_WORD:
        tried.count = weighed.count = 0
        with django_assert_max_num_queries(MOST_QUERIES):
            result = matched(text)
        assert len(result.matches) <= 10
        assert 0 < tried.count <= fits.MOST_TRIED + fits.MOST_PARTIAL
        assert weighed.count <= 4 * findings.MOST_WEIGHED * max(1, min(len(result.understood), findings.MOST_PLACED))


def _counting(call: Callable, calls: Calls) -> Callable:
    def counted(*arguments: object, **named: object) -> object:
        calls.count += 1
        return call(*arguments, **named)

    return counted
