"""The site's own scripts on a page of a test's own, under the strict policy of the real site."""

import contextlib
import http.server
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page

import tavola.web

SCRIPTS = Path(tavola.web.__file__).parent / "static" / "js"
KINDS = {"js": "text/javascript", "css": "text/css"}


@contextlib.contextmanager
def serve_scripts(files: Mapping[str, str]) -> Iterator[str]:
    """Yield the address of `files`, texts by path, beside the scripts; every other path is the page "/"."""

    class Site(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            name = self.path.rpartition("/")[2]
            script = SCRIPTS / name
            own = files.get(self.path, files["/"])
            text = script.read_text(encoding="utf-8") if name.endswith(".js") and script.exists() else own
            self.send_response(200)
            self.send_header("Content-Type", KINDS.get(name.rpartition(".")[2], "text/html; charset=utf-8"))
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
) -> Iterator[Page]:
    """Yield the page "/" of `files`, whose script has said that it is `ready`; no fault may be told in its console.

    `stopped`: its time runs on when it is told to.
    """
    with serve_scripts(files) as address, contextlib.closing(browser.new_page(**settings)) as page:
        faults: list[str] = []
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("console", lambda told: faults.append(told.text) if told.type in ("error", "warning") else None)
        if stopped:
            page.clock.install()
        page.goto(address)
        page.wait_for_function("window.ready")
        yield page
        assert faults == []
