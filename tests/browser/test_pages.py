"""Pages in a real browser: narrow and wide, light and dark, on paper, with scripts and without."""

from pathlib import Path

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

from tests.browser.conftest import show
from tests.web.conftest import sample

ENTRY = "/errors/0a4a184d34e9a38f/"
PAGES = [
    "/",
    "/match/",
    "/match/?q=ZeroDivisionError:%20x",
    "/errors/",
    "/errors/?q=HiSparse",
    "/errors/?q=zzzz",
    ENTRY,
    "/r/sgl-project/sglang/",
]
PAGES += ["/r/sgl-project/sglang/pulls/33523/", "/errors/ffffffffffffffff/", "/errors/aaaaaaaaaaaaaaaa/", "/r/o/n/"]
PAGES += ["/r/sgl-project/sglang/pulls/", "/r/sgl-project/sglang/pulls/31901/"]
FAINT_TEXTS = (Path(__file__).parent / "faint_texts.js").read_text()


@pytest.mark.parametrize("address", PAGES)
def test_breaks_no_rule_of_the_policy(browser, site, complaints, address):
    browser.get(site + address)
    expected = [message for message in complaints() if "404 (Not Found)" not in message]
    assert expected == []


@pytest.mark.parametrize("address", PAGES)
def test_does_not_scroll_sideways_on_a_phone(browser, site, address):
    show(browser, width=390, scheme="light")
    browser.get(site + address)
    assert browser.execute_script("return document.documentElement.scrollWidth") == 390


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("address", PAGES)
def test_has_enough_contrast(browser, site, address, scheme):
    show(browser, width=1440, scheme=scheme)
    browser.get(site + address)
    assert browser.execute_script(FAINT_TEXTS) == []


def paper(browser) -> str:
    return str(browser.execute_script("return getComputedStyle(document.documentElement).backgroundColor"))


def test_follows_the_system_until_the_switch_is_used(browser, site):
    browser.get(site)
    light = paper(browser)
    show(browser, width=1440, scheme="dark")
    dark = paper(browser)
    assert light != dark
    switch = browser.find_element(By.CSS_SELECTOR, "[data-theme-switch]")
    # The page hears of the system's wish by an event, which may come a moment after the colours.
    WebDriverWait(browser, 20).until(lambda _: switch.get_attribute("aria-label") == "Switch to light colours")
    switch.click()
    assert paper(browser) == light
    assert switch.get_attribute("aria-label") == "Switch to dark colours"
    browser.get(site + ENTRY)
    assert paper(browser) == light
    browser.find_element(By.CSS_SELECTOR, "[data-theme-switch]").click()
    assert paper(browser) == dark
    assert browser.execute_script("return localStorage.getItem('theme')") is None


def test_copies_code_and_message_whole(browser, site):
    browser.get(site + ENTRY)
    permission = {"origin": site, "permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]}
    browser.execute_cdp_cmd("Browser.grantPermissions", permission)
    browser.execute_cdp_cmd("Page.bringToFront", {})
    document = sample("error-0a4a184d34e9a38f.json")
    for name, text in (("message", document["message"]), ("example-2", document["examples"][1]["code"])):
        button = browser.find_element(By.CSS_SELECTOR, f"[data-copy={name}]")
        button.click()
        copied = browser.execute_async_script("navigator.clipboard.readText().then(arguments[0], arguments[0])")
        assert copied == text
        assert button.text == "Copied"


def lines(browser) -> list[str]:
    return [line.text for line in browser.find_elements(By.CSS_SELECTOR, ".numbers a") if line.is_displayed()]


@pytest.mark.parametrize("scripts", ["on", "off"])
def test_opens_the_rest_of_the_excerpt(browser, site, scripts):
    browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": scripts == "off"})
    browser.get(site + ENTRY)
    assert lines(browser) == [str(number) for number in range(132, 141)]
    browser.find_element(By.CSS_SELECTOR, ".more").click()
    assert lines(browser) == [str(number) for number in range(118, 155)]


def test_opens_the_rest_of_the_excerpt_by_keyboard(browser, site):
    browser.get(site + ENTRY)
    browser.find_element(By.ID, "whole-excerpt").send_keys(Keys.SPACE)
    assert len(lines(browser)) == 37


def test_offers_nothing_that_needs_a_script_without_scripts(browser, site):
    browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    browser.get(site + ENTRY)
    assert [button.text for button in browser.find_elements(By.TAG_NAME, "button") if button.is_displayed()] == [
        "Search",
        "Check",
    ]
    box = browser.find_element(By.NAME, "q")
    box.send_keys("HiSparse", Keys.ENTER)
    assert browser.find_element(By.TAG_NAME, "h1").text == "2 results"


def test_prints_everything_open_on_white(browser, site):
    show(browser, width=800, scheme="dark", medium="print")
    browser.get(site + ENTRY)
    printed = [line for line in browser.find_elements(By.CSS_SELECTOR, ".listing .line") if line.is_displayed()]
    assert [line.get_attribute("data-line") for line in printed] == [str(number) for number in range(118, 155)]
    number = "return getComputedStyle(arguments[0], '::before').content"
    assert browser.execute_script(number, printed[18]) in ('"136"', "attr(data-line)")
    assert paper(browser) == "rgb(255, 255, 255)"
    for hidden in (".contents", ".masthead form", ".copy", ".more", ".numbers"):
        assert not any(element.is_displayed() for element in browser.find_elements(By.CSS_SELECTOR, hidden))


def test_can_be_read_from_the_keyboard(browser, site):
    browser.get(site + ENTRY)
    browser.find_element(By.TAG_NAME, "body").send_keys(Keys.TAB)
    skip = browser.switch_to.active_element
    assert (skip.text, skip.is_displayed()) == ("Skip to the content", True)
    skip.send_keys(Keys.ENTER)
    assert browser.switch_to.active_element.get_attribute("id") == "main"
