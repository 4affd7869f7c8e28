"""An answer in sentences."""

import pytest

from errorkb.core.tracebacks import Frame
from errorkb.matching.verdicts import counted, sentence, verdict_of
from errorkb.models import ErrorEntry
from tests.answers import occurrence, unknown
from tests.builders import entry, site

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("line 7 is it", "Line 7 is it."),
        ("KeyError is a kind of LookupError", "KeyError is a kind of LookupError."),
        ("it says so!", "It says so!"),
        ("aiohttp.X is it", "aiohttp.X is it."),
        ("  ", ""),
    ],
)
def test_a_reason_becomes_a_sentence(text, said):
    assert sentence(text) == said


@pytest.mark.parametrize(
    ("count", "words"), [(0, "no errors"), (1, "one error"), (10, "ten errors"), (1_234, "1,234 errors")]
)
def test_small_numbers_are_words(count, words):
    assert counted(count, "error") == words


@pytest.mark.parametrize(
    ("path", "where"),
    [
        ("/home/ada/app/views.py", "in `/home/ada/app/views.py`, code that no repository here covers."),
        ("/v/site-packages/x/y.py", "in `x/y.py`, a library’s code that no repository here covers."),
        ("/v/site-packages/shop/basket.py", "in `shop/basket.py`, a file of o/n, but know no such error there."),
        ("/src/shop/core/basket.py", "in `/src/shop/core/basket.py`, code that no repository here covers."),
        ("/srv/lib/shop/basket.py", "in `/srv/lib/shop/basket.py`, a file of o/n, but know no such error there."),
        (
            "/usr/lib/python3.11/json/decoder.py",
            "in `json/decoder.py` of Python’s own library, which no repository here covers.",
        ),
        (
            "C:\\Python\\Lib\\json\\decoder.py",
            "in `json\\decoder.py` of Python’s own library, which no repository here covers.",
        ),
    ],
)
def test_a_miss_says_whose_code_it_is(loader, path, where):
    loader.put("a.json", entry("x", source=site(path="lib/shop/basket.py", symbol="f")))
    ErrorEntry.objects.update(frame_key="shop/basket.py:f")
    verdict = verdict_of(unknown(occurrence(frames=(Frame(path, 3, "g"),))))
    assert verdict.evidence == (f"We read `ValueError` {where}",)
    assert verdict.covered == ("o/n",)


@pytest.mark.parametrize(
    "path", ["/v/site-packages/shop/_basket_rows.py", "C:\\v\\site-packages\\shop\\_basket_rows.py"]
)
def test_a_file_is_known_by_a_name_with_underscores_too(loader, path):
    loader.put("a.json", entry("x", source=site(path="lib/shop/_basket_rows.py", symbol="f")))
    verdict = verdict_of(unknown(occurrence(frames=(Frame(path, 3, "g"),))))
    assert "a file of o/n, but know no such error there." in verdict.evidence[0]


@pytest.mark.parametrize(
    ("fields", "what"),
    [
        ({"exception_type": "a.KeyError"}, "`a.KeyError`"),
        ({"exception_type": "", "message": "no  such\nplace"}, "“no such place”"),
        ({"exception_type": "", "message": " "}, "an error"),
        ({"exception_type": "", "message": "x" * 1_000_000}, "“" + "x" * 199 + "…”"),
    ],
)
def test_a_miss_says_what_was_read(fields, what):
    (said,) = verdict_of(unknown(occurrence(frames=(), **fields))).evidence
    assert said == f"We read {what}, without the lines that would say where it comes from."


def test_a_miss_is_about_the_root_rather_than_a_line_of_a_log():
    understood = (
        occurrence(exception_type="", frames=()),
        occurrence(exception_type="LaterError", role="consequence", frames=()),
        occurrence(exception_type="RootError", role="root", frames=()),
    )
    assert "`RootError`" in verdict_of(unknown(*understood)).evidence[0]


def test_a_bound_that_was_reached_is_said():
    verdict = verdict_of(unknown(cut="only the first 9 lines were read."))
    assert verdict.opening == "We don’t know this text, and found no error in it."
    assert verdict.evidence == ("The text is too large to be read whole: only the first 9 lines were read.",)
