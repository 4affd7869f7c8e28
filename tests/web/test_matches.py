"""`/match/`: what a pasted text tells of, said in words and shown in the text itself."""

import re
from urllib.parse import parse_qsl, urlsplit

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from errorkb.core.tracebacks import Frame
from errorkb.matching.results import Outcome, Reason, SlotValue
from errorkb.models import ErrorEntry, Miss
from tests.answers import PASTE, answering, found, matched, occurrence, unknown
from tests.builders import entry, site
from tests.web.reading import Page
from tests.web.test_hostile import ATTACKS
from tests.web.test_leaves import assert_harmless

pytestmark = pytest.mark.django_db

ADDRESS = "/match/"
MIB = 2**20


@pytest.fixture
def basket(put) -> ErrorEntry:
    put(
        entry(
            "cannot add {count} of {item}",
            id="a" * 16,
            placeholders="fstring",
            source=site(20, "shop/basket.py", "Basket.add"),
            meaning="Too **few** were asked for.",
            solutions=["Add more."],
        )
    )
    return ErrorEntry.objects.select_related("repository").get()


def post(client, text: str = PASTE, **fields):
    return client.post(ADDRESS, {"text": text} | fields)


def shown(response) -> Page:
    assert response.status_code == 200, response.status_code
    page = Page(response.content.decode())
    assert page.broken == []
    return page


def rows(page: Page, mark: str) -> list[str]:
    """Return the lines of the text with a mark."""
    return [row.text.strip() for row in page.all("div") if f"is-{mark}" in row.attributes.get("class", "").split()]


def test_asks_for_a_text_and_says_that_it_is_not_kept(read, basket):
    page = read(ADDRESS)
    assert page.one("h1").text == "Which error is this?"
    (form,) = page.all("form", method="post")
    assert (form.attributes["action"], form.attributes["enctype"]) == (ADDRESS, "multipart/form-data")
    assert "it is not stored, and no log has it" in page.text
    assert "We cover 1 repository" in page.text
    assert page.links["o/n"] == "/r/o/n/"


def test_says_yes_with_the_evidence(client, basket):
    reasons = (
        Reason("text", "line 7 of your text is its message word for word"),
        Reason("frame", "the frame `basket.py` is the one that raises it."),
    )
    root = occurrence(role="root", chain=1, count=412)
    later = occurrence(role="consequence", chain=1, exception_type="OtherError", number=8)
    other = occurrence(role="consequence", chain=2, number=9)
    answer = matched(found(basket, occurrence=root, reasons=reasons), understood=(root, later, later, other))
    with answering(answer):
        page = shown(post(client))
    assert " ".join(page.one("h1").text.split()) == "This is ValueError: cannot add 0 of 'tea' from o/n."
    evidence = page.one("p", class_="evidence")
    assert " ".join(evidence.text.split()) == (
        "Line 7 of your text is its message word for word. The frame basket.py is the one that raises it. "
        "It stands 412 times in your text. Two later errors follow from it."
    )
    assert "<code>basket.py</code>" in page.html
    assert "Too few were asked for." in page.text
    assert "shop/basket.py:20 · Basket.add" in page.text


def test_leads_to_the_entry_with_the_values_in_the_fragment(client, basket):
    with answering(matched(found(basket))):
        page = shown(post(client))
    link = urlsplit(page.links["Open its page"])
    assert (link.path, link.query) == ("/errors/aaaaaaaaaaaaaaaa/", "")
    assert dict(parse_qsl(link.fragment)) == {"v.count": "0", "v.item": "'tea'"}


@pytest.mark.parametrize("value", ["&v.x=1#", "é\n", "%", " + ", "\ud800"])
def test_values_survive_the_fragment(client, basket, value):
    with answering(matched(found(basket, slots={"item": SlotValue(value, "text")}))):
        page = shown(post(client))
    fragment = urlsplit(page.links["Open its page"]).fragment
    assert dict(parse_qsl(fragment)) == {"v.item": value.encode("utf-8", "replace").decode()}


def test_very_long_values_do_not_travel(client, basket):
    slots = {f"s{n}": SlotValue("x" * 1_000, "text") for n in range(20)}
    with answering(matched(found(basket, slots=slots))):
        page = shown(post(client))
    assert page.links["Open its page"] == "/errors/aaaaaaaaaaaaaaaa/"


def test_marks_message_frame_and_values_in_the_text(client, basket):
    with answering(matched(found(basket))):
        page = shown(post(client))
    assert rows(page, "message") == ["ValueError: cannot add 0 of 'tea'"]
    assert rows(page, "frame") == ['File "/venv/lib/python3.11/site-packages/shop/basket.py", line 20, in add']
    (line,) = re.findall(r'id="line-7">.*', page.html)
    assert re.findall(r'<var class="slot">(.*?)</var>', line) == ["0", "'tea'"]


def test_takes_no_other_text_for_a_value(client, basket):
    text = "10:00:01 pool-0 cannot add of 0 ValueError: cannot add 0 of 'tea'"
    answer = matched(found(basket, numbers=(1,), occurrence=occurrence(number=1, frames=())))
    with answering(answer):
        page = shown(post(client, text))
    (line,) = re.findall(r'id="line-1">.*', page.html)
    assert "of 0 ValueError: cannot add <var" in line


def test_shows_of_a_long_text_what_is_around_the_marks(client, basket):
    lines = [f"line {number}" for number in range(1, 2_001)]
    lines[999] = "ValueError: cannot add 0 of 'tea'"
    answer = matched(found(basket, numbers=(1_000,), occurrence=occurrence(number=1_000, frames=())))
    with answering(answer):
        page = shown(post(client, "\n".join(lines)))
    folded = [summary.text for summary in page.all("summary")]
    assert folded == ["996 lines, the first 200 of them here", "997 lines, the first 200 of them here"]
    shown_lines = [int(name.removeprefix("line-")) for name in page.ids if name.startswith("line-")]
    assert shown_lines == [*range(1, 201), *range(997, 1_204)]


def test_shows_of_a_long_line_what_is_around_the_values(client, basket):
    text = "x" * 100_000 + " cannot add 0 of 'tea' " + "y" * 100_000
    answer = matched(found(basket, numbers=(1,), occurrence=occurrence(number=1, frames=())))
    with answering(answer):
        page = shown(post(client, text))
    (line,) = re.findall(r'id="line-1">.*', page.html)
    assert re.findall(r'<var class="slot">(.*?)</var>', line) == ["0", "'tea'"]
    assert len(page.html) < 30_000


def test_says_perhaps_where_texts_are_equal(client, put):
    put(entry("same", id="a" * 16, source=site(1)), entry("same", id="b" * 16, source=site(2, "b.py")))
    first, second = ErrorEntry.objects.select_related("repository")
    answer = matched(
        found(first, equals=("b" * 16,), confident=False),
        found(second, equals=("a" * 16,), confident=False),
        outcome=Outcome.AMBIGUOUS,
    )
    with answering(answer):
        page = shown(post(client))
    assert page.one("h1").text == (
        "One of these two: their text is equal; File … lines of the traceback would tell them apart."
    )
    assert [heading.text for heading in page.all("h2")][:2] == ["ValueError: same", "ValueError: same"]


def test_groups_what_follows_and_what_is_less_likely(client, put):
    put(*(entry(f"m{n}", id=f"{n:016x}") for n in range(5)))
    rows = list(ErrorEntry.objects.select_related("repository"))
    answer = matched(
        found(rows[0], occurrence=occurrence(role="root", chain=1)),
        found(rows[1], occurrence=occurrence(role="consequence", chain=1)),
        found(rows[2], occurrence=occurrence()),
        found(rows[4], occurrence=occurrence(role="root", chain=1)),
        found(rows[3], confident=False),
    )
    with answering(answer):
        page = shown(post(client))
    headings = [heading.text for heading in page.all("h2")]
    assert [summary.text for summary in page.all("summary")] == ["1 less likely"]
    assert headings == [
        "Your text",
        "Or this one: the same line may be its message, too",
        "Follows from it",
        "Also in your text",
        "Match another text",
    ]


def test_a_miss_says_what_was_read_and_what_is_covered(client, basket):
    with answering(unknown(occurrence(frames=(Frame("/app/views.py", 3, "view"),)))):
        page = shown(post(client))
    assert page.one("h1").text == "We don’t know this error."
    assert "We read ValueError in /app/views.py, code that no repository here covers." in page.text
    assert "We cover 1 repository" in page.text
    assert page.links["ValueError cannot add"] == "/errors/?q=ValueError+cannot+add"


def test_a_miss_names_nearest_errors(client, put):
    put(entry("cannot add flange", id="c" * 16))
    with answering(unknown(occurrence())):
        page = shown(post(client))
    assert page.links["ValueError: cannot add flange"] == "/errors/cccccccccccccccc/"


def test_text_without_an_error_is_a_miss_too(client, db):
    with answering(unknown()):
        page = shown(post(client, "lorem ipsum"))
    assert page.one("h1").text == "We don’t know this text, and found no error in it."
    assert not page.all("form", action="/match/tell/")


def telling(client, error=None) -> tuple[Page, str]:
    """Return the page of a miss and what its button would tell."""
    with answering(unknown(error or occurrence(message="cannot add 0 of 'secret'"))):
        page = shown(post(client, "cannot add 0 of 'secret'"))
    (button,) = page.all("button", name="error")
    return page, button.attributes["value"]


def test_tells_the_curators_what_the_page_has_shown(client, db):
    page, token = telling(client)
    assert "text: cannot add {number} of {quoted}" in page.text
    assert "file: shop/basket.py" in page.text
    told = client.post("/match/tell/", {"error": token})
    assert (told.status_code, told["Location"]) == (302, "/match/?told=stored")
    row = Miss.objects.get()
    assert (row.exception_type, row.template) == ("ValueError", "cannot add {number} of {quoted}")
    assert (row.path, row.symbol) == ("shop/basket.py", "add")
    assert "the curators have it now" in shown(client.get(told["Location"])).text


def test_stores_nothing_that_no_page_has_shown(client, db):
    _, token = telling(client)
    for forged in ("", "x", token[:-1], token + "x", "a:b:c", "\x00"):
        assert client.post("/match/tell/", {"error": forged})["Location"] == "/match/?told=late"
    assert client.get("/match/tell/").status_code == 405
    assert not Miss.objects.exists()


def test_nothing_is_stored_by_asking(client, db):
    telling(client)
    assert not Miss.objects.exists()


@pytest.mark.parametrize("text", ["", " \n"])
def test_an_empty_form_asks_again(client, db, text):
    assert shown(post(client, text)).one("h1").text == "Which error is this?"


def test_reads_a_file_before_the_box(client, db):
    file = SimpleUploadedFile("app.log", b"\xff\xfea\x00", content_type="text/plain")
    with answering(unknown()) as asked:
        shown(post(client, "typed", file=file))
        shown(post(client, "typed", file=SimpleUploadedFile("empty.log", b"")))
    assert [text for text, _ in asked] == ["a", "typed"]


@pytest.mark.parametrize("name", ["text", "file"])
@pytest.mark.parametrize(("size", "status"), [(4 * MIB, 200), (4 * MIB + 1, 413), (11 * MIB, 413)])
def test_takes_four_mebibytes(client, db, name, size, status):
    sent = SimpleUploadedFile("app.log", b"x" * size) if name == "file" else "x" * size
    with answering(unknown(occurrence(number=1))) as asked:
        response = client.post(ADDRESS, {name: sent})
    assert response.status_code == status
    if status == 413:
        assert "more than the 4 MiB" in response.content.decode()
        assert not asked
    assert len(response.content) < 100_000


def test_a_file_never_touches_a_disk(client, db, monkeypatch):
    def forbidden(*arguments, **named):
        raise AssertionError("a paste was written to a file")

    monkeypatch.setattr("tempfile.NamedTemporaryFile", forbidden)
    with answering(unknown()):
        assert post(client, file=SimpleUploadedFile("app.log", b"x" * 3 * MIB)).status_code == 200


@pytest.mark.parametrize(
    ("body", "content_type"),
    [
        (b"x", "multipart/form-data"),
        (b"--b\r\nbroken", "multipart/form-data; boundary=b"),
        (b"text=a&" * 10_001, "application/x-www-form-urlencoded"),
        (b"text=%FF%00", "application/x-www-form-urlencoded; charset=nonsense"),
        (b"{}", "application/json"),
    ],
)
def test_a_broken_form_is_no_mistake_of_ours(client, db, body, content_type):
    with answering(unknown()):
        assert client.generic("POST", ADDRESS, body, content_type).status_code in (200, 400)


def test_a_visitor_needs_no_cookie_and_gets_none(db):
    client = Client(enforce_csrf_checks=True)
    with answering(unknown()):
        response = post(client)
    assert response.status_code == 200
    assert not response.cookies
    assert "Vary" not in response


@pytest.mark.parametrize(("method", "caching"), [("post", "no-store"), ("get", "private, max-age=0, must-revalidate")])
def test_only_the_readers_own_cache_keeps_an_answer(client, db, method, caching):
    with answering(unknown()):
        response = getattr(client, method)(ADDRESS, {"text": "x", "q": "x"})
    assert response["Cache-Control"] == caching


def test_a_line_in_the_address_is_matched(client, basket):
    with answering(matched(found(basket))) as asked:
        page = shown(client.get(ADDRESS, {"q": "cannot\x00add"}))
    assert asked[0][0] == "cannot\ufffdadd"
    assert page.one("textarea").text.strip() == "cannot\ufffdadd"
    assert page.one("meta", name="robots").attributes["content"] == "noindex"


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("HiSparse", "/errors/?q=HiSparse"),
        ("repo:sglang KeyError: x y z a b", "/errors/?q=repo%3Asglang+KeyError%3A+x+y+z+a+b"),
        ("0a4a184d34e9a38f", "/errors/?q=0a4a184d34e9a38f"),
        (" device indices \n", "/errors/?q=device+indices"),
    ],
)
def test_the_one_box_takes_searches_too(client, db, text, address):
    with answering(unknown()):
        response = post(client, text, ask="either")
        assert (response.status_code, response["Location"]) == (302, address)
        assert post(client, text, ask="match").status_code == 200


@pytest.mark.parametrize(
    "text", ["KeyError: 'x'", "a b", "one two three four five", "HiSparse\nHiSparse", "repo:" + "x" * 900]
)
def test_the_one_box_never_puts_a_paste_into_an_address(client, basket, text):
    answer = matched(found(basket)) if text == "a b" else unknown()
    with answering(answer):
        assert post(client, text, ask="either").status_code == 200


@pytest.mark.parametrize("count", [1, 10])
def test_asks_the_database_a_constant_number_of_questions(client, put, count, django_assert_max_num_queries):
    put(*(entry(f"m{n}", repository=f"o/n{n}", meaning="m") for n in range(count)))
    entries = list(ErrorEntry.objects.all())
    with answering(matched(*(found(row) for row in entries))), django_assert_max_num_queries(2):
        shown(post(client))


@pytest.mark.parametrize("text", ATTACKS)
def test_shows_an_attack_as_text(client, put, text):
    put(entry(text, id="a" * 16, exception_type=text[:300], source=site(path=text, symbol=text), meaning=text))
    row = ErrorEntry.objects.select_related("repository").get()
    error = occurrence(exception_type=text, message=text, frames=(Frame(text, 1, text, text, 1),), number=1)
    match = found(
        row,
        template="{a}" + text.replace("{", "{{").replace("}", "}}"),
        occurrence=error,
        numbers=(1,),
        slots={"a": SlotValue(text, text), text: SlotValue(text, text)},
        reasons=(Reason("text", text),),
    )
    for answer in (matched(match), matched(match, outcome=Outcome.AMBIGUOUS), unknown(error, error, cut=text)):
        with answering(answer):
            page = shown(post(client, text))
        assert_harmless(page)


def test_hostile_results_make_no_large_page(client, put):
    put(entry("m" * 1_000_000, meaning="m" * 1_000_000))
    row = ErrorEntry.objects.select_related("repository").get()
    slots = {f"s{n}": SlotValue("x" * 10_000, "text") for n in range(100)}
    error = occurrence(message="x" * 1_000_000, number=1)
    match = found(row, template="t" * 1_000_000, numbers=tuple(range(1, 100_000)), slots=slots, occurrence=error)
    with answering(matched(*[match] * 10, understood=(error,) * 1_000)):
        assert len(post(client, "x" * 500 + "\n" * 200_000).content) < 1_500_000


def test_no_log_has_what_was_pasted(client, db, site_log):
    def fail(text, options):
        raise RuntimeError(f"cannot parse {text}")

    client.raise_request_exception = False
    with answering(fail):
        assert post(client, "a secret").status_code == 500
        assert client.get(ADDRESS, {"q": "a secret"}).status_code == 500
    assert "in fail" in site_log.getvalue()
    assert "secret" not in site_log.getvalue()


def test_names_the_pull_request_that_fixes_an_error_without_an_entry(client, seed):
    line = "TypeError: AscendKVManager.send_kvcache() got an unexpected keyword argument 'dst_device_kv_indices'"
    page = shown(post(client, line))
    assert page.one("h1").text == "No entry, but PR #33523 fixes this very message; #31901 brought it."
    assert page.links["sgl-project/sglang #33523"] == "/r/sgl-project/sglang/pulls/33523/"
    assert page.links["sgl-project/sglang #31901"] == "/r/sgl-project/sglang/pulls/31901/"
