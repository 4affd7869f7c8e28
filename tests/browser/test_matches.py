"""Matching in a real browser: pasted, dropped, with scripts and without; and values that reach no server."""

from pathlib import Path
from urllib.parse import quote

import pytest
from selenium.common.exceptions import NoSuchElementException, StaleElementReferenceException
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support import expected_conditions
from selenium.webdriver.support.ui import WebDriverWait

from tests.browser.conftest import show
from tests.browser.test_pages import FAINT_TEXTS

SLOTTED = "/errors/bbbbbbbbbbbbbbbb/"
LINE = "ShopError: the basket holds 7 of 'tea', which nobody can carry"
TRACEBACK = f"""Traceback (most recent call last):
  File "/app/shop.py", line 3, in <module>
    basket.add(1)
  File "/venv/lib/python3.11/site-packages/shop/basket.py", line 20, in add
    raise ShopError(text)
shop.errors.{LINE}"""
MISS = "Traceback (most recent call last):\n  File \"/app/x.py\", line 1, in f\nKeyError: 'no such thing'"


def paste(browser, text: str) -> None:
    browser.execute_script("document.querySelector('textarea[name=text]').value = arguments[0]", text)
    browser.find_element(By.CSS_SELECTOR, ".paste button[type=submit]").click()


def heading(browser) -> str:
    return str(browser.find_element(By.TAG_NAME, "h1").text)


def await_heading(browser, beginning: str) -> None:
    """Wait until a page with such a heading is there: what was sent by a script comes when it comes."""
    wait = WebDriverWait(browser, 20, ignored_exceptions=[StaleElementReferenceException, NoSuchElementException])
    wait.until(lambda _: heading(browser).startswith(beginning))


@pytest.mark.parametrize("scripts", ["on", "off"])
def test_a_paste_leads_to_its_entry(browser, site, scripts, complaints):
    browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": scripts == "off"})
    browser.get(site)
    browser.find_element(By.NAME, "text").send_keys(TRACEBACK.replace("\n", Keys.SHIFT + Keys.ENTER + Keys.NULL))
    browser.find_element(By.CSS_SELECTOR, ".paste button[type=submit]").click()
    await_heading(browser, f"This is {LINE} from o/shop.")
    assert browser.current_url == f"{site}/match/"
    marked = [row.text for row in browser.find_elements(By.CSS_SELECTOR, ".is-message code")]
    assert marked == [f"shop.errors.{LINE}"]
    browser.find_element(By.LINK_TEXT, "Open its page").click()
    WebDriverWait(browser, 20).until(lambda _: browser.find_elements(By.ID, "message"))
    message = browser.find_element(By.ID, "message").text
    filled = "the basket holds 7 of 'tea', which nobody can carry"
    assert message == (filled if scripts == "on" else "the basket holds {count} of {item!r}, which nobody can carry")
    assert complaints() == []


def test_shows_the_values_and_the_source_by_turns(browser, site):
    browser.get(f"{site}{SLOTTED}#v.count=7&v.item=tea")
    message, button = (
        browser.find_element(By.ID, "message"),
        browser.find_element(By.CSS_SELECTOR, "[data-values] button"),
    )
    assert message.text == "the basket holds 7 of tea, which nobody can carry"
    button.click()
    assert (message.text, button.text) == (
        "the basket holds {count} of {item!r}, which nobody can carry",
        "With your values",
    )
    button.click()
    assert message.text == "the basket holds 7 of tea, which nobody can carry"


@pytest.mark.parametrize(
    ("fragment", "count"),
    [
        ("#v.count=" + quote("<img src=x onerror=alert(1)>"), "<img src=x onerror=alert(1)>"),
        ("#v.count=%3Cscript%3Ealert(1)%3C/script%3E", "<script>alert(1)</script>"),
        ("#v.count=" + "x" * 5_000, "x" * 300),
        ("#v.count=a%E2%80%AEb%00c", "a\ufffdb\ufffdc"),
        ("#v.count=%FF%ZZ", "\ufffd%ZZ"),
        ("#v.count=1&v.count=2", "2"),
        ("#v.__proto__=x&v.constructor=y&v.count=1", "1"),
        ("#v.count=", "{count}"),
        ("#v.other=1", "{count}"),
        ("#v.count=" + "x" * 10_000, "{count}"),
        ("#meaning", "{count}"),
        ("#v.", "{count}"),
        ("#%", "{count}"),
    ],
)
def test_a_hostile_fragment_is_text_or_nothing(browser, site, complaints, fragment, count):
    browser.get("about:blank")
    browser.get(site + SLOTTED + fragment)
    slot = browser.find_element(By.CSS_SELECTOR, "#message [data-slot=count]")
    assert slot.get_property("textContent") == count
    assert slot.get_property("childElementCount") == 0
    assert complaints() == []


def test_values_are_told_to_no_server(browser, site):
    browser.get(f"{site}{SLOTTED}#v.count=a-secret")
    told = browser.execute_script(
        "return [document.referrer, ...performance.getEntries().map((each) => each.name)].join(' ').split('#v.')[0]"
    )
    links = browser.execute_script("return [...document.links].map((link) => link.href).join(' ')")
    assert "secret" not in told + links


def test_a_chosen_file_is_matched_at_once(browser, site, tmp_path):
    (tmp_path / "app.log").write_text("noise\n" * 500 + TRACEBACK)
    browser.get(f"{site}/match/")
    browser.find_element(By.NAME, "file").send_keys(str(tmp_path / "app.log"))
    await_heading(browser, "This is ShopError")
    assert browser.find_element(By.CSS_SELECTOR, ".fold summary").text.startswith("500 lines")


def test_a_dropped_file_is_matched_at_once(browser, site):
    browser.get(site)
    browser.execute_script(
        """
        const carried = new DataTransfer();
        carried.items.add(new File([arguments[0]], "app.log"));
        for (const type of ["dragover", "drop"])
          document.body.dispatchEvent(new DragEvent(type, { dataTransfer: carried, bubbles: true, cancelable: true }));
        """,
        TRACEBACK,
    )
    await_heading(browser, "This is ShopError")


def test_a_file_that_is_too_large_is_not_sent(browser, site):
    browser.get(f"{site}/match/")
    browser.execute_script(
        """
        const carried = new DataTransfer();
        carried.items.add(new File(["x".repeat(5 * 2 ** 20)], "huge.log"));
        document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: carried, bubbles: true, cancelable: true }));
        """
    )
    status = browser.find_element(By.CSS_SELECTOR, "[data-paste-status]")
    assert status.text == "huge.log has more than the 4 MiB that are matched at once."
    assert browser.current_url == f"{site}/match/"


@pytest.mark.parametrize("scripts", ["on", "off"])
def test_the_one_box_searches_too(browser, site, scripts):
    browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": scripts == "off"})
    browser.get(site)
    browser.find_element(By.NAME, "text").send_keys("HiSparse", Keys.ENTER if scripts == "on" else "")
    if scripts == "off":
        browser.find_element(By.CSS_SELECTOR, ".paste button[type=submit]").click()
    WebDriverWait(browser, 20).until(lambda _: browser.current_url == f"{site}/errors/?q=HiSparse")


def test_lines_pasted_into_the_search_box_are_matched(browser, site):
    browser.get(f"{site}/errors/")
    browser.execute_script(
        """
        const carried = new DataTransfer();
        carried.setData("text/plain", arguments[0]);
        document.querySelector("input[name=q]").dispatchEvent(
          new ClipboardEvent("paste", { clipboardData: carried, bubbles: true, cancelable: true }));
        """,
        TRACEBACK,
    )
    await_heading(browser, "This is ShopError")
    assert browser.current_url == f"{site}/match/"


@pytest.mark.parametrize("scripts", ["on", "off"])
def test_an_unknown_error_can_be_told(browser, site, scripts):
    browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": scripts == "off"})
    browser.get(f"{site}/match/")
    browser.find_element(By.NAME, "text").send_keys(MISS)
    browser.find_element(By.CSS_SELECTOR, ".paste button[type=submit]").click()
    await_heading(browser, "We don’t know this error.")
    browser.find_element(By.NAME, "error").click()
    WebDriverWait(browser, 20).until(lambda _: "/match/?told=" in browser.current_url)
    thanked = expected_conditions.text_to_be_present_in_element((By.CSS_SELECTOR, "main [role=status]"), "Thank you")
    WebDriverWait(browser, 20).until(thanked)


@pytest.mark.parametrize("text", [TRACEBACK, "noise\n" * 500 + TRACEBACK + "\n" + "x" * 5_000, MISS, "x" * 5_000])
def test_an_answer_fits_a_phone_and_can_be_read(browser, site, text):
    for scheme in ("light", "dark"):
        show(browser, width=390, scheme=scheme)
        browser.get(f"{site}/match/")
        paste(browser, text)
        WebDriverWait(browser, 20).until(lambda _: browser.find_elements(By.CSS_SELECTOR, ".verdict"))
        assert browser.execute_script("return document.documentElement.scrollWidth") == 390
        assert browser.execute_script(FAINT_TEXTS) == []


def test_samples_of_the_first_page_are_matched(browser, site):
    browser.get(site)
    addresses = [link.get_attribute("href") for link in browser.find_elements(By.CSS_SELECTOR, ".samples a")]
    levels = []
    for address in addresses:
        browser.get(address)
        levels.append(browser.find_element(By.CSS_SELECTOR, ".answer").text)
    assert levels[-1] == "Not known here"
    assert set(levels[:-1]) == {"Yes, known"}


def test_scripts_stay_small():
    static = Path(__file__).parent.parent.parent / "static" / "js"
    assert sum(script.stat().st_size for script in static.glob("*.js")) < 16_000
