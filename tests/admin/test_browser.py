"""The admin in a real browser: under the site's policy, narrow and wide, light and dark, with scripts and without."""

import json
from pathlib import Path

import pytest
from django.core.servers.basehttp import ServerHandler
from selenium.webdriver.common.by import By
from selenium.webdriver.support.expected_conditions import element_to_be_clickable
from selenium.webdriver.support.wait import WebDriverWait

from errorkb.models import ErrorEntry, PullRequest, Revision
from tests.admin.browsing import opened_form
from tests.admin.conftest import address, sample
from tests.browser.conftest import browser, chromium, complaints, show

__all__ = ["browser", "chromium", "complaints"]

pytestmark = pytest.mark.browser

FAINT_TEXTS = (Path(__file__).parent.parent / "browser" / "faint_texts.js").read_text()
SEED = sample("error-0a4a184d34e9a38f.json")
MODELS = ("errorentry", "pullrequest", "repository", "revision", "batch")


@pytest.fixture(autouse=True)
def no_connection_outlives_its_test(monkeypatch) -> None:
    """Let the server close each connection: what is left open ends in a thread without a database."""
    usual = ServerHandler.cleanup_headers

    def close(handler: ServerHandler) -> None:
        usual(handler)
        handler.headers["Connection"] = "close"
        handler.request_handler.close_connection = True

    monkeypatch.setattr(ServerHandler, "cleanup_headers", close)


@pytest.fixture
def signed_in(live_server, browser, ada, seed, report):
    """The browser of a signed-in curator, on a base with two documents; one was changed once."""
    opened_form(ada, address(seed)).fill(doc__tags="npu", reason="tagged").send()
    browser.get(f"{live_server.url}/admin/login/")
    browser.add_cookie({"name": "sessionid", "value": ada.cookies["sessionid"].value, "path": "/"})
    yield browser
    browser.execute_script("window.onbeforeunload = null; document.querySelector('#document-form')?.reset()")
    browser.delete_all_cookies()


def pages() -> list[str]:
    """Return the address of every kind of page."""
    entry, pull_request, revision = ErrorEntry.objects.get(), PullRequest.objects.get(), Revision.objects.last()
    return [
        "/admin/",
        "/admin/errorkb/",
        *(f"/admin/errorkb/{model}/" for model in MODELS),
        "/admin/errorkb/errorentry/?q=HiSparse&_facets=True",
        "/admin/errorkb/errorentry/add/",
        *(address(row) for row in (entry, pull_request, entry.repository, revision, revision.batch or entry)),
        address(entry, "history"),
        f"{address(entry, 'history')}{revision.pk}/",
        "/admin/auth/user/",
        "/admin/auth/user/add/",
        "/admin/password_change/",
    ]


def box(browser, name: str):
    return browser.find_element(By.NAME, name)


def press(browser, name: str) -> None:
    browser.execute_script("document.querySelector(arguments[0]).click()", f"button[name={name}]")


def open_form(browser, live_server, row) -> None:
    browser.get(str(live_server.url) + address(row))


def test_no_page_breaks_the_policy(signed_in, live_server, complaints):
    for place in pages():
        signed_in.get(str(live_server.url) + place)
        # Chromium would like the user's name in Django's page for a new password.
        assert [message for message in complaints() if "[DOM] Password forms" not in message] == [], place
    signed_in.delete_all_cookies()
    signed_in.get(f"{live_server.url}/admin/")
    assert "errorkb" in signed_in.title
    assert complaints() == [], "login"


def test_pages_do_not_scroll_sideways_on_a_phone(signed_in, live_server):
    show(signed_in, width=390, scheme="light")
    for place in pages():
        signed_in.get(str(live_server.url) + place)
        assert signed_in.execute_script("return document.documentElement.scrollWidth") == 390, place


def test_lists_are_whole_on_a_phone_with_their_filters_folded_up_above(signed_in, live_server):
    show(signed_in, width=390, scheme="light")
    for model in MODELS:
        signed_in.get(f"{live_server.url}/admin/errorkb/{model}/")
        assert signed_in.execute_script(CUT_CELLS) == [], model
        filters = signed_in.find_element(By.CSS_SELECTOR, ".filters")
        results = signed_in.find_element(By.ID, "result_list")
        assert filters.location["y"] + filters.size["height"] <= results.location["y"], model
        assert filters.size["height"] < 60, model
        filters.find_element(By.TAG_NAME, "summary").click()
        assert signed_in.find_element(By.CSS_SELECTOR, "#changelist-filter a").is_displayed()


CUT_CELLS = """
return [...document.querySelectorAll("#result_list tbody :is(th, td)")]
  .map((cell) => [cell.className, cell.getBoundingClientRect()])
  .filter(([, box]) => box.left < 0 || box.right > innerWidth)
  .map(([name]) => name)
"""


def test_filters_stand_open_beside_lists_on_a_wide_screen(signed_in, live_server):
    show(signed_in, width=1440, scheme="light")
    signed_in.get(f"{live_server.url}/admin/errorkb/errorentry/")
    filters, results = (signed_in.find_element(By.ID, name) for name in ("changelist-filter", "result_list"))
    assert filters.location["x"] >= results.location["x"] + results.size["width"]
    seen = "return [...document.querySelectorAll('#changelist-filter a')].every((link) => link.checkVisibility())"
    assert signed_in.execute_script(seen)
    assert not signed_in.find_element(By.CSS_SELECTOR, ".filters > summary").is_displayed()


def test_a_focused_box_stays_clear_of_the_bar_with_the_buttons(signed_in, live_server, seed):
    show(signed_in, width=1280, scheme="light")
    open_form(signed_in, live_server, seed)
    assert signed_in.execute_script(BEHIND_THE_BAR) == []


BEHIND_THE_BAR = """
const bar = document.querySelector(".save");
const boxes = [...document.querySelectorAll("#document-form .sections :is(input, textarea, select)")];
return boxes
  .filter((box) => box.checkVisibility())
  .filter((box) => {
    scrollTo({ top: scrollY + box.getBoundingClientRect().top - innerHeight + 20, behavior: "instant" });
    box.focus();
    const { top, bottom } = box.getBoundingClientRect();
    // Of a tall box, browsers bring the line with the caret into view: the first one.
    return Math.min(bottom, top + 40) > bar.getBoundingClientRect().top;
  })
  .map((box) => box.name);
"""


def test_a_refused_form_begins_at_the_notice_which_leads_to_the_boxes(signed_in, live_server, seed):
    show(signed_in, width=1280, scheme="light")
    open_form(signed_in, live_server, seed)
    box(signed_in, "doc-source-line").send_keys("x")
    box(signed_in, "reason").send_keys("r")
    press(signed_in, "_save")
    focused = "return document.activeElement.id"
    WebDriverWait(signed_in, 5).until(lambda it: it.execute_script(focused) == "faults")
    signed_in.find_element(By.LINK_TEXT, "Source line").click()
    assert signed_in.execute_script(focused) == "id_doc-source-line"
    notice, heading = (signed_in.find_element(By.CSS_SELECTOR, name) for name in ("#faults", ".heading"))
    assert notice.location["y"] - heading.location["y"] - heading.size["height"] >= 16


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_have_enough_contrast(signed_in, live_server, scheme):
    show(signed_in, width=1440, scheme=scheme)
    for place in pages():
        signed_in.get(str(live_server.url) + place)
        assert signed_in.execute_script(FAINT_TEXTS) == [], place


def test_colours_follow_djangos_switch(signed_in, live_server, seed):
    open_form(signed_in, live_server, seed)
    paper = "return getComputedStyle(document.body).backgroundColor"
    light = signed_in.execute_script(paper)
    signed_in.find_element(By.CSS_SELECTOR, "#header .theme-toggle").click()
    dark = signed_in.execute_script(paper)
    assert (light, dark) == ("rgb(253, 252, 249)", "rgb(20, 22, 24)")


def test_an_untouched_form_comes_back_from_a_browser_as_no_change(signed_in, live_server, seed, report):
    for row in (seed, report):
        open_form(signed_in, live_server, row)
        box(signed_in, "reason").send_keys("only looking")
        press(signed_in, "_continue")
        assert "Nothing was changed" in signed_in.find_element(By.CSS_SELECTOR, ".messagelist").text
    assert json.loads(ErrorEntry.objects.get().document) == SEED | {"tags": ["npu"]}


def test_texts_that_browsers_change_come_back_verbatim(signed_in, live_server, loader):
    texts = [
        "\nbegins",
        "ends \n",
        "a\r\nb\rc",
        " x ",
        "\ttab",
        "a\u202eb\u00a0",
        "\x0b\x0c\x1b",
        "<&amp;\"'>",
        "\u2028",
    ]
    loader.put("odd.json", {**SEED, "id": "1" * 16, "message": "odd", "solutions": texts, "code": " c ", "trigger": ""})
    row = ErrorEntry.objects.get(public_id="1" * 16)
    open_form(signed_in, live_server, row)
    box(signed_in, "doc-meaning").send_keys(" More.")
    box(signed_in, "reason").send_keys("said more")
    press(signed_in, "_continue")
    after = ErrorEntry.objects.get(pk=row.pk).as_document()
    assert after == row.as_document() | {"meaning": SEED["meaning"] + " More."}


def test_rows_are_added_and_moved_with_scripts(signed_in, live_server, seed):
    open_form(signed_in, live_server, seed)
    for number in (3, 4):
        row = signed_in.find_element(By.CSS_SELECTOR, f'[data-row="doc-solutions-{number}"]')
        signed_in.execute_script("arguments[0].scrollIntoView({block: 'center'})", row)
        row.find_element(By.TAG_NAME, "summary").click()
        text = box(signed_in, f"doc-solutions-{number}-text")
        WebDriverWait(signed_in, 5).until(element_to_be_clickable(text)).send_keys(f"way {number + 1}")
    for _ in range(2):
        up = signed_in.find_element(By.CSS_SELECTOR, '[data-row="doc-solutions-4"] [data-move="-1"]')
        signed_in.execute_script("arguments[0].click()", up)
    down = signed_in.find_element(By.CSS_SELECTOR, '[data-row="doc-solutions-0"] [data-move="1"]')
    signed_in.execute_script("arguments[0].click()", down)
    box(signed_in, "reason").send_keys("two more ways")
    press(signed_in, "_continue")
    one, two, three = SEED["solutions"]
    assert ErrorEntry.objects.get().as_document()["solutions"] == [two, one, "way 5", three, "way 4"]


def test_evidence_is_added_inside_a_new_solution(signed_in, live_server, seed):
    open_form(signed_in, live_server, seed)
    signed_in.execute_script("document.querySelectorAll('#solutions details').forEach((each) => (each.open = true))")
    WebDriverWait(signed_in, 5).until(lambda it: it.find_elements(By.NAME, "doc-solutions-4-text"))
    fill = "document.getElementsByName(arguments[0])[0].value = arguments[1]"
    signed_in.execute_script(fill, "doc-solutions-3-text", "way 4")
    signed_in.execute_script(fill, "doc-solutions-3-evidence-0-url", "https://example.org/1")
    signed_in.execute_script(fill, "doc-solutions-3-evidence-1-url", "https://example.org/2")
    box(signed_in, "reason").send_keys("with evidence")
    press(signed_in, "_continue")
    assert ErrorEntry.objects.get().as_document()["solutions"][3] == {
        "text": "way 4",
        "evidence": [{"url": "https://example.org/1"}, {"url": "https://example.org/2"}],
    }


def test_markdown_is_shown_while_it_is_typed(signed_in, live_server, seed, complaints):
    open_form(signed_in, live_server, seed)
    box(signed_in, "doc-trigger").send_keys(" **now** <b>")
    panel = WebDriverWait(signed_in, 5).until(
        lambda it: it.find_element(By.CSS_SELECTOR, "#id_doc-trigger + .inline-preview strong")
    )
    assert panel.text == "now"
    assert complaints() == []


def test_the_whole_form_is_previewed_without_scripts(signed_in, live_server, seed):
    signed_in.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    open_form(signed_in, live_server, seed)
    box(signed_in, "doc-trigger").send_keys(" **now**")
    signed_in.find_element(By.NAME, "_preview").click()
    assert signed_in.find_element(By.CSS_SELECTOR, "#preview strong").text == "now"
    assert signed_in.current_url.endswith("#preview")
    box(signed_in, "reason").send_keys("said when")
    signed_in.find_element(By.NAME, "_continue").click()
    assert ErrorEntry.objects.get().as_document()["trigger"] == SEED["trigger"] + " **now**"
