"""Pages of a test that use the site's own scripts, under the site's strict content security policy."""

import contextlib
import http.server
import threading
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page

import tavola.web
from tests.helpers.browser import record_errors

SCRIPTS = Path(tavola.web.__file__).parent / "static" / "js"
KINDS = {".js": "text/javascript", ".css": "text/css"}


@contextlib.contextmanager
def serve_scripts(files: Mapping[str, str]) -> Iterator[str]:
    """Yield the address of `files` (texts by path) and the scripts; every other path returns the page "/"."""

    class Site(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            script = SCRIPTS / self.path.removeprefix("/")
            own = files.get(self.path, files["/"])
            text = script.read_text(encoding="utf-8") if script.suffix == ".js" and script.exists() else own
            self.send_response(200)
            self.send_header("Content-Type", KINDS.get(script.suffix, "text/html; charset=utf-8"))
            self.send_header("Content-Security-Policy", "default-src 'self'; img-src data:")
            self.end_headers()
            self.wfile.write(text.encode())

        def log_message(self, *_: object) -> None:
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Site) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


@contextlib.contextmanager
def script_page(
    browser: Browser, files: Mapping[str, str], *, stopped: bool = False, **settings: Any
) -> Iterator[Callable[..., Page]]:
    """Yield a function that loads the page "/" of `files`, in a size if one is given, until its script sets `ready`.

    Fails if the console has errors or warnings. If `stopped`, time runs only as far as the test lets it.
    """
    with serve_scripts(files) as address, contextlib.closing(browser.new_page(**settings)) as page:
        faults: list[str] = []
        record_errors(page, faults)
        if stopped:
            page.clock.install()

        def opened(**size: int) -> Page:
            if page.url == address:
                page.evaluate("sessionStorage.clear()")
            if size:
                page.set_viewport_size({"width": size["width"], "height": size["height"]})
            page.goto(address)
            page.wait_for_function("window.ready")
            return page

        yield opened
        assert faults == []
