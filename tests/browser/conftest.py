"""A real Chromium and a real server for the tests, talking to nobody but each other."""

import json
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from urllib.error import URLError
from urllib.request import urlopen

import pytest
from selenium import webdriver
from selenium.webdriver.chrome.service import Service

from tests.builders import entry
from tests.builders import site as at
from tests.projects import ROOT, clean_environment, free_port
from tests.web.conftest import SAMPLES, sample

UNBROKEN = "x" * 400
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


@pytest.hookimpl(tryfirst=True)
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


@pytest.fixture(scope="session")
def site(tmp_path_factory) -> Iterator[str]:
    """Serve a base of its own as a visitor gets it, by the production server; return its address."""
    folder, port = tmp_path_factory.mktemp("site"), free_port()
    address = f"http://127.0.0.1:{port}"
    env = clean_environment(
        VAR_DIR=str(folder), SITE_URL=address, GUNICORN_BIND=f"127.0.0.1:{port}", WEB_CONCURRENCY="1"
    )
    (folder / "entries.json").write_text(json.dumps([sample("error-0a4a184d34e9a38f.json"), unbroken(), slotted()]))
    for arguments in (
        ("migrate",),
        ("collectstatic", "--no-input"),
        ("load_entries", str(folder / "entries.json")),
        ("load_pull_requests", str(SAMPLES / "pull-request-33523.json")),
    ):
        subprocess.run([sys.executable, "manage.py", *arguments], cwd=ROOT, env=env, check=True, capture_output=True)
    server = subprocess.Popen([sys.executable, "-m", "gunicorn"], cwd=ROOT, env=env, stdout=subprocess.DEVNULL)
    wait_for(address)
    yield address
    server.terminate()
    server.wait()


def wait_for(address: str) -> None:
    """Wait until the site answers, half a minute at most."""
    for _ in range(300):
        try:
            urlopen(f"{address}/healthz", timeout=5).close()
        except URLError:
            time.sleep(0.1)
        else:
            return
    pytest.fail(f"nothing answers at {address}")


def unbroken() -> dict:
    """Return an entry in which no text has a space to break a line at."""
    document = entry(UNBROKEN, id="a" * 16, schema_version="1.1", x={UNBROKEN: UNBROKEN}, exception_type="E" * 300)
    document |= dict.fromkeys(("meaning", "trigger", "common_situations"), UNBROKEN)
    document |= {name: [UNBROKEN] for name in ("conditions", "tags", "solutions", "samples")}
    document["examples"] = [{"code": UNBROKEN, "language": "python", "caption": UNBROKEN, "purpose": UNBROKEN}]
    document["source"] = at(path=UNBROKEN, symbol=UNBROKEN) | {"snippet": {"start_line": 9, "code": UNBROKEN}}
    return document | {"related": [{"title": UNBROKEN}]}


def slotted() -> dict:
    """Return an entry whose message has slots, by the place that a traceback names."""
    return entry(
        "the basket holds {count} of {item!r}, which nobody can carry",
        id="b" * 16,
        repository="o/shop",
        placeholders="fstring",
        exception_type="ShopError",
        meaning="Too much.",
        source=at(20, "shop/basket.py", "Basket.add"),
    )


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
