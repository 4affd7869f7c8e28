"""`manage.py match`: a text from standard input or files, answered in words or as the API answers."""

import io
import json
import subprocess
import sys
from types import SimpleNamespace

import pytest
from django.core.management import CommandError, call_command

from errorkb.matching.results import MatchOptions, Outcome, Reason, SlotValue
from errorkb.matching.served import served_result
from errorkb.models import ErrorEntry, Miss
from tests.answers import PASTE, answering, found, matched, occurrence, unknown
from tests.builders import entry, site
from tests.commands.test_load_entries import run
from tests.projects import ROOT

pytestmark = pytest.mark.django_db


@pytest.fixture
def basket(loader) -> ErrorEntry:
    source = site(20, "shop/basket.py", "Basket.add")
    loader.put(
        "a.json",
        entry("cannot add {count} of {item}", id="a" * 16, placeholders="fstring", source=source, meaning="Too few."),
    )
    return ErrorEntry.objects.select_related("repository").get()


@pytest.fixture
def typed(monkeypatch):
    """Return a function that puts bytes on standard input."""

    def type_bytes(data: bytes) -> None:
        monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(data), isatty=lambda: False))

    return type_bytes


def test_says_yes_in_words(basket, typed, settings):
    settings.SITE_URL = "https://errors.example"
    typed(PASTE.encode())
    root = occurrence(role="root", chain=1, count=2)
    with answering(matched(found(basket, occurrence=root))) as asked:
        status, out, errors = run("match")
    assert (status, errors) == (0, "")
    assert asked == [(PASTE, MatchOptions())]
    assert out.splitlines() == [
        "This is ValueError: cannot add {count} of {item} from o/n.",
        "  Line 7 of your text is its message word for word.",
        "  It stands 2 times in your text.",
        "  https://errors.example/errors/aaaaaaaaaaaaaaaa/",
        "  Thrown at shop/basket.py:20 in Basket.add, o/n",
        "  count = 0",
        "  item = 'tea'",
    ]


def test_says_perhaps_with_all_that_may_be_meant(basket, typed):
    typed(b"x")
    match = found(basket, confident=False, reasons=(Reason("against", "no frame is there"),), slots={})
    with answering(matched(match, match, outcome=Outcome.AMBIGUOUS)):
        status, out, _ = run("match")
    assert status == 1
    lines = out.splitlines()
    assert lines[0] == "Perhaps one of these two: your text does not say which."
    assert lines.count("Perhaps: ValueError: cannot add {count} of {item}") == 2
    assert lines.count("  No frame is there.") == 2


def test_says_no_and_what_is_covered(basket, typed):
    typed(b"x")
    with answering(unknown(occurrence(frames=()))):
        status, out, _ = run("match")
    assert status == 1
    assert out.splitlines() == [
        "We don’t know this error.",
        "  We read `ValueError`, without the lines that would say where it comes from.",
        "We cover 1: o/n.",
    ]
    assert not Miss.objects.exists()


def test_groups_what_else_is_there(basket, typed):
    typed(b"x")
    answer = matched(
        found(basket, occurrence=occurrence(role="root", chain=1)),
        found(basket, occurrence=occurrence(role="consequence", chain=1)),
        found(basket),
        found(basket, confident=False),
    )
    with answering(answer):
        out = run("match")[1]
    assert [line.partition(":")[0] for line in out.splitlines() if line.endswith("{item}")] == [
        *("Follows from it", "Also there", "Less likely")
    ]


def test_json_is_the_answer_of_the_api(basket, typed):
    typed(PASTE.encode())
    answer = matched(found(basket))
    with answering(answer):
        status, out, _ = run("match", json=True)
    assert (status, json.loads(out)) == (0, served_result(answer))
    typed(PASTE.encode())
    with answering(answer):
        assert json.loads(run("match", json=True, full=True)[1])["matches"][0]["entry"]["meaning"] == "Too few."


def test_reads_files_one_answer_each(basket, tmp_path, typed):
    typed(b"from standard input")
    (tmp_path / "a.log").write_bytes(b"\xff\xfea\x00")
    with answering(lambda text, _: matched(found(basket)) if text == "a" else unknown()) as asked:
        status, out, _ = run("match", str(tmp_path / "a.log"), "-", json=True)
    assert status == 1
    assert [text for text, _ in asked] == ["a", "from standard input"]
    assert [json.loads(line)["outcome"] for line in out.splitlines()] == ["matched", "unknown"]


def test_passes_on_what_is_asked(basket, typed):
    typed(b"x")
    with answering(unknown()) as asked:
        run("match", repository="O/N", release="v1", limit=3)
    assert asked == [("x", MatchOptions(limit=3, repository="O/N", release="v1"))]


@pytest.mark.parametrize(
    ("arguments", "options", "said"),
    [
        (("no such file",), {}, "no such file: No such file or directory"),
        ((".",), {}, "Is a directory"),
        ((), {"limit": 0}, "--limit: expected 1 to 100"),
        ((), {"repository": "no/such"}, "no repository no/such is loaded"),
        ((), {}, "standard input: expected some text"),
    ],
)
def test_could_not_run(db, typed, arguments, options, said):
    typed(b" \n")
    with pytest.raises(CommandError, match=said) as error:
        call_command("match", *arguments, **options)
    assert error.value.returncode == 2


def test_refuses_more_than_the_limit(db, typed, settings):
    settings.MATCH_MAX_BYTES = 10
    typed(b"x" * 11)
    with pytest.raises(CommandError, match="at most 10 bytes") as error:
        call_command("match")
    assert error.value.returncode == 2


def test_nothing_steers_the_terminal(basket, typed):
    typed(b"x")
    slots = {"\x1b[2J": SlotValue("\x1b]0;x\x07\u202e\x9b", "text")}
    with answering(matched(found(basket, slots=slots, reasons=(Reason("text", "\x1b[31m"),)))):
        out = run("match")[1]
    assert not set("\x1b\x07\x9b\u202e") & set(out)


def test_help_has_an_example():
    done = subprocess.run([sys.executable, "manage.py", "match", "--help"], cwd=ROOT, capture_output=True, text=True)
    assert "manage.py match < app.log" in done.stdout


def test_names_the_pull_request_that_fixes_an_error_without_an_entry(loader, typed):
    fixes = [{"message": "prefill pool of the decode worker is exhausted"}]
    document = {"schema_version": "1.0", "repository": "o/n", "number": 7, "fixes": fixes}
    loader.put("r.json", document | {"introduced_by": {"number": 5}}, kind="pull_requests")
    typed(b"RuntimeError: prefill pool of the decode worker is exhausted\n")
    status, out, _ = run("match")
    assert status == 1
    assert "No entry, but PR #7 fixes this very message; #5 brought it." in out
    assert "/r/o/n/pulls/7/" in out
