"""A headless Chromium for pages; the tests that want it skip where it or Playwright is absent.

``CAIPAN_SCREENSHOTS`` names a folder that keeps pictures of the pages for a person to look at.
"""

import shutil
from importlib import resources

import pytest

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",  # small in containers
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture(scope="session")
def browser():
    sync_api = pytest.importorskip("playwright.sync_api", reason="no playwright")
    if CHROMIUM is None:
        pytest.skip("no chromium")
    with sync_api.sync_playwright() as playwright:
        try:
            running = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        except sync_api.Error as error:
            pytest.skip(f"chromium does not start: {error}")
        yield running
        running.close()


@pytest.fixture
def show(browser, tmp_path):
    """Open a page from its text; at the end of the test it must not have complained or asked the network."""
    troubles, contexts = [], []

    def open_page(text: str, fragment: str = "", width: int = 1280, height: int = 900, **options):
        path = tmp_path / f"page{len(contexts)}.html"
        path.write_text(text, encoding="utf-8")
        context = browser.new_context(viewport={"width": width, "height": height}, **options)
        contexts.append(context)
        page = context.new_page()
        page.on(
            "console", lambda said: troubles.append(said.text) if said.type in ("error", "warning") else None
        )
        page.on("pageerror", lambda error: troubles.append(str(error)))
        page.on(
            "request", lambda asked: None if asked.url.startswith("file:") else troubles.append(asked.url)
        )
        page.goto(path.as_uri() + fragment)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert troubles == []


def serious_faults(page):
    """What axe-core finds serious or worse in a page opened with ``bypass_csp``."""
    axe = pytest.importorskip("axe_playwright_python", reason="no axe-core")
    page.evaluate((resources.files(axe) / "axe.min.js").read_text(encoding="utf-8"))
    faults = page.evaluate(
        "axe.run().then(found => found.violations.map(v => [v.impact, v.id, v.nodes.map(n => n.html)]))"
    )
    return [fault for fault in faults if fault[0] in ("serious", "critical")]
