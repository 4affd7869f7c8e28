"""The search box and the results in a real browser: suggestions by keys and by pointer, filters on a phone."""

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support import expected_conditions
from selenium.webdriver.support.ui import WebDriverWait

from tests.browser.conftest import show


def box(browser):
    return browser.find_element(By.CSS_SELECTOR, "input[name=q]")


def typed(browser, site, text: str):
    """Type into the box of a page, and wait for what it suggests; return the options."""
    browser.get(f"{site}/errors/")
    box(browser).send_keys(text)
    found = WebDriverWait(browser, 20).until(lambda page: page.find_elements(By.CSS_SELECTOR, "[role=option]"))
    assert box(browser).get_attribute("aria-expanded") == "true"
    return found


def test_a_suggestion_is_taken_by_keys(browser, site, complaints):
    (option,) = typed(browser, site, "x NotImpl")
    assert option.text.split() == ["NotImplementedError", "type"]
    box(browser).send_keys(Keys.ARROW_DOWN)
    assert box(browser).get_attribute("aria-activedescendant") == option.get_attribute("id")
    assert option.get_attribute("aria-selected") == "true"
    box(browser).send_keys(Keys.ENTER)
    assert box(browser).get_attribute("value") == "x type:NotImplementedError "
    assert box(browser).get_attribute("aria-expanded") == "false"
    assert complaints() == []


def test_escape_closes_the_list_and_leaves_the_text(browser, site):
    typed(browser, site, "NotImpl")
    box(browser).send_keys(Keys.ESCAPE)
    assert box(browser).get_attribute("aria-expanded") == "false"
    assert box(browser).get_attribute("value") == "NotImpl"


def test_a_title_leads_to_its_page(browser, site):
    (option,) = typed(browser, site, "the basket")
    option.click()
    WebDriverWait(browser, 20).until(lambda page: page.current_url == f"{site}/errors/{'b' * 16}/")


def test_enter_searches_where_nothing_is_chosen(browser, site):
    typed(browser, site, "NotImpl")
    box(browser).send_keys(Keys.ENTER)
    WebDriverWait(browser, 20).until(lambda page: page.current_url == f"{site}/errors/?q=NotImpl")


@pytest.mark.parametrize(("width", "is_open"), [(390, False), (1440, True)])
def test_values_to_filter_by_stand_open_where_there_is_room(browser, site, width, is_open):
    show(browser, width=width, scheme="light")
    browser.get(f"{site}/errors/")
    wait = WebDriverWait(browser, 20)
    summary = browser.find_element(By.CSS_SELECTOR, ".narrow > summary")
    assert summary.is_displayed() is not is_open
    if not is_open:
        summary.click()
    # The driver takes what is in a closed element for hidden, although a style shows it.
    link = browser.find_element(By.XPATH, "//*[contains(@class, 'narrow')]//a[.='o/shop']")
    assert wait.until(lambda _: link.size["height"]) > 0
    browser.execute_script("arguments[0].click()", link)
    wait.until(expected_conditions.url_to_be(f"{site}/errors/?q=repo%3Ao%2Fshop"))
    browser.find_element(By.CSS_SELECTOR, "a.chip").click()
    wait.until(expected_conditions.url_to_be(f"{site}/errors/"))
