"""Pastes and the entries that they tell of: each row's answer was worked out by reading both."""

import pytest

from errorkb.matching.matching import match
from errorkb.matching.results import MatchOptions, Outcome
from tests.builders import entry

pytestmark = pytest.mark.django_db


def at(path: str, line: int, symbol: str, **more) -> dict:
    return {"source": {"path": path, "line": line, "symbol": symbol, "release": "v1"}, "language": "en"} | more


POOL = entry(
    "QueuePool limit of size %d overflow %d reached, connection timed out",
    id="00000000000000aa", exception_type="TimeoutError", placeholders="percent", repository="acme/pool",
    **at("lib/acmepool/impl.py", 166, "QueuePool._do_get"),
)  # fmt: skip
ASSIGN_FORWARD = entry(
    'Cannot assign "%r": "%s" must be a "%s" instance.', id="00000000000000b1", placeholders="percent",
    **at("orm/descriptors.py", 291, "Forward.__set__"),
)  # fmt: skip
ASSIGN_REVERSE = entry(
    'Cannot assign "%r": "%s" must be a "%s" instance.', id="00000000000000b2", placeholders="percent",
    **at("orm/reversed.py", 571, "Reverse.assign"),
)  # fmt: skip
NOT_FOUND = entry("%s not found", id="00000000000000c1", placeholders="percent", **at("shop/keys.py", 9, "lookup"))
TEXTLESS = entry(
    "", id="00000000000000d1", exception_type="NodeMissingError", **at("graph/nodes.py", 60, "DummyNode.raise_error")
)  # fmt: skip
NODE = entry(
    "Node %r not a valid node", id="00000000000000d2", exception_type="NodeMissingError", placeholders="percent",
    **at("graph/nodes.py", 207, "Graph.forwards_plan"),
)  # fmt: skip
ASSERTION = entry("", id="00000000000000e1", exception_type="AssertionError", **at("kernel/ops.py", 12, "launch"))
ATTRIBUTE = entry(
    "%r object has no attribute %r", id="00000000000000f1", exception_type="AttributeError", placeholders="percent",
    **at("config/proxy.py", 30, "Proxy.__getattr__"),
)  # fmt: skip
LOGGED = entry(
    "Received unregistered task of type %s. The message has been ignored.", id="0000000000000101", kind="log",
    exception_type=None, placeholders="percent", **at("worker/consumer.py", 561, "on_task"),
)  # fmt: skip
REWORDED = entry(
    "The chosen backend cannot share its key cache with a prefill worker", id="0000000000000111",
    exception_type="NotImplementedError", **at("serve/cache.py", 40, "send_cache"),
    wordings=[{"template": "Key cache transfer is unsupported by this attention backend", "until": "v0"}],
)  # fmt: skip
DRAFT = entry("This very draft is nobody's business yet", id="0000000000000121", state="draft")

BASE = (
    POOL, ASSIGN_FORWARD, ASSIGN_REVERSE, NOT_FOUND, TEXTLESS, NODE, ASSERTION, ATTRIBUTE, LOGGED, REWORDED, DRAFT,
)  # fmt: skip

POOL_LINE = "QueuePool limit of size 5 overflow 10 reached, connection timed out"


def traceback(path: str, line: int, symbol: str, code: str, last: str) -> str:
    return (
        "Traceback (most recent call last):\n"
        '  File "/srv/app/main.py", line 3, in <module>\n    main()\n'
        f'  File "/venv/site-packages/{path}", line {line}, in {symbol}\n    {code}\n{last}\n'
    )


FOUND = {
    "a message alone, rare enough": (POOL_LINE, "aa"),
    "in a log line": (f"2026-01-01 10:00:00,000 ERROR app.db: {POOL_LINE}", "aa"),
    "in prose, quoted": (f'Since Tuesday we see "{POOL_LINE}" on two hosts.', "aa"),
    "in a JSON line": ('{"level": "error", "msg": "' + POOL_LINE + '"}', "aa"),
    "below a frame that is not its own": (f'  File "/srv/app/main.py", line 3, in main\n{POOL_LINE}', "aa"),
    "in a log, behind a place": (f"2026-01-01 10:00:00 ERROR /srv/app/main.py:3 in main: {POOL_LINE}", "aa"),
    "wrapped within a word": ("QueuePool limit of size 5 overf\nlow 10 reached, connec\ntion timed out", "aa"),
    "in other letter case": (POOL_LINE.upper(), "aa"),
    "cut at its end": ("acmepool.TimeoutError: QueuePool limit of size 5 overflow 10 rea", "aa"),
    "a short message, its type and function": (
        traceback("shop/keys.py", 11, "lookup", 'raise ValueError("%s not found" % key)', "ValueError: a not found"),
        "c1",
    ),
    "no text but the function and its own type": (
        traceback("graph/nodes.py", 58, "raise_error", "raise self.error", "graph.NodeMissingError: parent gone"),
        "d1",
    ),
    "the only site without text of a type": ("graph.nodes.NodeMissingError: Migration 7 has lost its parent", "d1"),
    "a type of several sites, by its text": ("graph.nodes.NodeMissingError: Node ('a', 'b') not a valid node", "d2"),
    "an empty assertion": (
        traceback("kernel/ops.py", 12, "launch", "assert grid", "AssertionError"),
        "e1",
    ),
    "what Python says too, at the line that raises it": (
        traceback(
            "config/proxy.py", 30, "__getattr__", "raise AttributeError(name)",
            "AttributeError: 'Proxy' object has no attribute 'x'",
        ),
        "f1",
    ),
    "an earlier wording": ("Key cache transfer is unsupported by this attention backend", "111"),
    "a wording that the base lacks, at its site": (
        traceback(
            "serve/cache.py", 40, "send_cache", "raise NotImplementedError(",
            "NotImplementedError: The chosen backend cannot share a key cache with prefill",
        ),
        "111",
    ),
    "a log message": ("Received unregistered task of type 'a.b'. The message has been ignored.", "101"),
}  # fmt: skip

QUIET = {
    "nothing": "",
    "prose": "Is there a way to find out how many connections the pool has before it times out?",
    "a builtin error of somebody's own code": traceback("mine.py", 3, "f", "x['a']", "KeyError: 'a'"),
    "what Python says of anybody's code": "AttributeError: 'Config' object has no attribute 'size'",
    "a short message alone": "widget not found",
    "a short message and a builtin type": "ValueError: widget not found",
    "a message that begins like one of ours": f"ValueError: {POOL_LINE[:-10]} lost. Please wait for a while",
    "a message that goes on": f"ValueError: {POOL_LINE}. Please raise the limit in your settings",
    "a message of which ours is the end": f"ValueError: The secondary and its {POOL_LINE}",
    "a message that differs in a word": f"ValueError: {POOL_LINE.replace('reached', 'exceeded')}",
    "a short message thrown elsewhere": traceback("other/a.py", 3, "f", "raise", "ValueError: widget not found"),
    "an assertion of another function": traceback("kernel/ops.py", 90, "other", "assert x", "AssertionError"),
    "a type of the same name from another library": "other.errors.NodeMissingError: Unrelated trouble here",
    "a log message beside an unknown error": (
        "Received unregistered task of type 'a.b'. The message has been ignored.\n"
        + traceback("mine.py", 3, "f", "x['a']", "KeyError: 'a'")
    ),
    "a draft": "This very draft is nobody's business yet",
}


@pytest.fixture
def base(loader):
    statuses = loader.put("base.json", *BASE)
    assert set(statuses) == {"created"}


def found(text: str, **options):
    return match(text, MatchOptions(**options))


@pytest.mark.parametrize(("text", "expected"), FOUND.values(), ids=FOUND)
def test_finds_the_entry_for_sure(base, text, expected):
    first = found(text).matches[0]
    assert first.entry.public_id == expected.zfill(16)
    assert first.confident
    assert first.score >= 0.8
    assert first.reasons


@pytest.mark.parametrize("text", QUIET.values(), ids=QUIET)
def test_stays_quiet(base, text):
    result = found(text)
    assert result.outcome is not Outcome.MATCHED
    assert not [one.entry.public_id for one in result.matches if one.confident]


TWINS = (
    entry("Unknown backend for {a}", id="00000000000000a1", placeholders="brace", **at("z/a.py", 9, "f")),
    entry("Unknown backend for {a}: {b}", id="00000000000000b2", placeholders="brace", **at("z/b.py", 9, "f")),
    entry("Unknown backend for {a}.", id="00000000000000b3", placeholders="brace", **at("z/c.py", 9, "f")),
    entry("Unknown backend for flash {a}", id="00000000000000b4", placeholders="brace", **at("z/d.py", 9, "f")),
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Unknown backend for cuda", "a1"),
        ("Unknown backend for cuda: gone", "b2"),
        ("Unknown backend for cuda.", "b3"),
        ("Unknown backend for flash cuda", "b4"),
    ],
)
def test_of_twins_the_one_comes_first_that_explains_most(loader, text, expected):
    loader.put("twins.json", *TWINS)
    assert found(text).matches[0].entry.public_id == expected.zfill(16)


def test_of_texts_that_differ_in_names_of_slots_the_commonest_comes_first(loader):
    places = {"c1": ("a.py", "number"), "c2": ("b.py", "count"), "c3": ("c.py", "count")}
    loader.put(
        "names.json",
        *(
            entry(
                f"Expected a single tensor, got {{{slot}}}",
                id=f"00000000000000{key}",
                placeholders="brace",
                **at(path, 9, "f"),
            )
            for key, (path, slot) in places.items()
        ),
    )
    matches = found("Expected a single tensor, got 3").matches
    assert [one.entry.public_id[-2:] for one in matches] == ["c2", "c3", "c1"]


def test_says_when_nothing_separates_two_sites(base):
    result = found('ValueError: Cannot assign "3": "Role.user" must be a "User" instance.')
    assert result.outcome is Outcome.AMBIGUOUS
    assert [one.entry.public_id[-2:] for one in result.matches[:2]] == ["b1", "b2"]
    assert [one.equals for one in result.matches[:2]] == [("00000000000000b2",), ("00000000000000b1",)]


def test_tells_sites_of_equal_text_by_their_frames(base):
    last = 'ValueError: Cannot assign "3": "Role.user" must be a "User" instance.'
    result = found(traceback("orm/reversed.py", 560, "assign", "raise ValueError(", last))
    assert result.outcome is Outcome.MATCHED
    assert result.matches[0].entry.public_id[-2:] == "b2"


def test_reads_the_values_of_slots(base):
    result = found(f"ERROR {POOL_LINE}")
    assert {name: (slot.value, slot.kind) for name, slot in result.matches[0].slots.items()} == {
        "0": ("5", "number"),
        "1": ("10", "number"),
    }


def test_names_the_root_of_a_chain_first(base):
    text = (
        traceback("graph/nodes.py", 200, "forwards_plan", "raise", "NodeMissingError: Node 'a' not a valid node")
        + "\nDuring handling of the above exception, another exception occurred:\n\n"
        + traceback("acmepool/impl.py", 166, "_do_get", "raise TimeoutError(", f"TimeoutError: {POOL_LINE}")
    )
    result = found(text)
    assert [(one.entry.public_id[-2:], one.occurrence.role) for one in result.matches[:2]] == [
        ("d2", "root"),
        ("aa", "consequence"),
    ]


def test_counts_repeats(base):
    result = found("\n".join(f"2026-01-01 10:00:{n:02d} ERROR db: {POOL_LINE}" for n in range(12)))
    assert [(one.entry.public_id[-2:], one.occurrence.count) for one in result.matches] == [("aa", 12)]


def test_marks_the_lines_of_the_message(base):
    result = found(f"first\nsecond\nERROR: {POOL_LINE}\nlast")
    assert result.matches[0].numbers == (3,)


def test_keeps_to_one_repository(base):
    assert found(POOL_LINE, repository="ACME/pool").matches[0].entry.public_id[-2:] == "aa"
    assert found(POOL_LINE, repository="o/n").matches == ()
    assert found(POOL_LINE, repository="no/body").outcome is Outcome.UNKNOWN


def test_tells_no_more_matches_than_asked(base):
    assert len(found("ValueError: Cannot assign 3: a.b must be a C instance.", limit=1).matches) == 1


def test_asks_the_base_no_more_often_for_a_larger_paste(base, django_assert_max_num_queries):
    with django_assert_max_num_queries(8):
        found(POOL_LINE)
    with django_assert_max_num_queries(8):
        found("\n".join(f"line {n} {POOL_LINE} {chr(97 + n % 26)}" for n in range(3000)))
