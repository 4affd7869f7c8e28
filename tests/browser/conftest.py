"""A real Chromium for the tests: Debian's, without a window, talking to nobody but the site under test."""

import shutil
from collections.abc import Callable, Iterator

import pytest
from selenium import webdriver
from selenium.webdriver.chrome.service import Service

from tests.web.conftest import put, sample

__all__ = ["put"]

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or ""
CHROMEDRIVER = shutil.which("chromedriver") or ""
OPTIONS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "tests/browser/" in item.nodeid:
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def chromium(tmp_path_factory) -> Iterator[webdriver.Chrome]:
    """Start Chromium once; skip where there is none."""
    if not CHROMIUM or not CHROMEDRIVER:
        pytest.skip("no chromium and chromedriver on this machine (Debian: apt install chromium chromium-driver)")
    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    for option in (*OPTIONS, f"--user-data-dir={tmp_path_factory.mktemp('chromium')}"):
        options.add_argument(option)
    browser = webdriver.Chrome(options=options, service=Service(CHROMEDRIVER))
    yield browser
    browser.quit()


@pytest.fixture(autouse=True)
def plain_static_files(settings) -> None:
    """Serve static files by their own names: nothing is collected in tests."""
    settings.STORAGES = settings.STORAGES | {
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    }


@pytest.fixture
def site(live_server, put) -> str:
    """Load the samples; return the address of the running site."""
    put(sample("error-0a4a184d34e9a38f.json"))
    put(sample("pull-request-33523.json"), kind="pull_requests")
    return str(live_server.url)


@pytest.fixture
def browser(chromium) -> Iterator[webdriver.Chrome]:
    """Return the browser as a new visitor has it: wide, light, with scripts, without memories."""
    show(chromium, width=1440, scheme="light")
    chromium.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
    chromium.get_log("browser")
    yield chromium
    chromium.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
    chromium.execute_script("try { localStorage.clear() } catch {}")
    chromium.get("about:blank")


def show(browser: webdriver.Chrome, *, width: int, scheme: str, medium: str = "") -> None:
    """Set how wide the page is shown, whether the system wishes light or dark, and the medium; nothing moves."""
    metrics = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 500}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    wishes = {"prefers-color-scheme": scheme, "prefers-reduced-motion": "reduce"}
    features = [{"name": name, "value": value} for name, value in wishes.items()]
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": medium, "features": features})


@pytest.fixture
def complaints(browser) -> Callable[[], list[str]]:
    """Return a function that returns what the browser's console has complained about."""
    return lambda: [entry["message"] for entry in browser.get_log("browser") if entry["level"] != "INFO"]
