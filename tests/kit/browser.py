"""A page in the machine's own browser, without a network, and what must not be wrong with it."""

from __future__ import annotations

from contextlib import contextmanager


class Browser:
    """A headless Chromium, started from the file ``place``."""

    def __init__(self, place):
        from playwright.sync_api import sync_playwright

        self._driver = sync_playwright().start()
        # Within a container Chromium cannot make its own sandbox; the pages are ours.
        self._browser = self._driver.chromium.launch(executable_path=place, args=["--no-sandbox"])

    def close(self):
        """End it."""
        self._browser.close()
        self._driver.stop()

    @contextmanager
    def opened(self, path, width, scheme, *, script=True):
        """Open a file from disk; nothing may go wrong in it, and nothing may be requested but the file itself."""
        height = 800 if width < 500 else 1000
        context = self._browser.new_context(
            viewport={"width": width, "height": height}, color_scheme=scheme, java_script_enabled=script
        )
        wrong, asked = [], []
        page = context.new_page()
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("console", lambda said: wrong.append(said.text) if said.type in ("error", "warning") else None)
        page.on("request", lambda request: asked.append(request.url))
        page.goto(path.as_uri())
        if script and path.suffix == ".html" and page.locator("article.finding").count():
            self.until(page, "document.documentElement.classList.contains('ready')")
        yield page
        context.close()
        assert wrong == []
        assert [url for url in asked if not url.startswith("data:")] == [path.as_uri()]

    @staticmethod
    def until(page, condition):
        """Wait until an expression is true; the page's policy forbids Playwright's own way, which is ``eval``."""
        for _ in range(600):
            if page.evaluate(f"Boolean({condition})"):
                return
            page.wait_for_timeout(25)
        raise AssertionError(f"never true: {condition}")

    @staticmethod
    def check(page):
        """Look for parts beyond the right edge, and let axe-core look for faults."""
        from axe_playwright_python.sync_playwright import Axe

        # Findings far from the screen are not laid out, and axe would misjudge what is below what.
        page.add_style_tag(content="article.finding { content-visibility: visible !important }")
        beyond = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert beyond <= 0
        found = Axe().run(page).response["violations"]
        serious = [each for each in found if each["impact"] in ("serious", "critical")]
        assert serious == [], [
            (each["id"], each["help"], each["nodes"][0]["html"][:300], each["nodes"][0].get("failureSummary"))
            for each in serious
        ]
