"""What every game's picture must satisfy, and a browser to look at it: for the tests in the games' folders."""

import http.server
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from typing import Any
from xml.etree import ElementTree

from playwright.sync_api import Browser, Page, ViewportSize, sync_playwright

from tavola.core import Game, Match, View
from tavola.show.board import drawing, everything
from tavola.show.speech import Say

SCHEME = (
    "body{margin:0}:root{color-scheme:light dark}"
    ":root[data-theme=light]{color-scheme:light}:root[data-theme=dark]{color-scheme:dark}"
)
"""What every page does for its pictures."""
SVG = "{http://www.w3.org/2000/svg}"
PHONE: ViewportSize = {"width": 360, "height": 640}


def played(game: Game, seed: int, **options: Any) -> Iterator[Match]:
    """A match of random actions, chance's too: the same object after every action."""
    random = Random(seed)
    match = game.match(**options)
    while match.to_act:
        yield match
        seat = random.choice(match.to_act)
        match.play(random.choice(match.legal(seat)), seat)
    yield match


def parsed(view: View, say: Say, board: str = "main") -> ElementTree.Element:
    return ElementTree.fromstring(str(drawing(view, say, board)))


def pieces(view: View, say: Say) -> dict[str, str]:
    """The pieces of all boards."""
    return {name: str(markup) for drawn in everything(view, say).values() for name, markup in drawn.items()}


def codes(view: View, say: Say) -> set[str]:
    """Every code that a click anywhere can mean."""
    held = re.findall(r'data-codes="([^"]*)"', "".join(pieces(view, say).values()))
    return {code for codes in held for code in codes.split("|")}


def changed(before: dict[str, str], after: dict[str, str]) -> set[str]:
    """The pieces that are new, or not what they were."""
    return {identifier for identifier, markup in after.items() if before.get(identifier) != markup}


def check_whole(view: View, say: Say) -> None:
    """Well formed, every id once, the pieces the picture's children in their order."""
    root = parsed(view, say)
    identifiers = [element.get("id") for element in root.iter() if element.get("id")]
    assert len(identifiers) == len(set(identifiers))
    drawn = [child.get("id") for child in root if "piece" in (child.get("class") or "").split()]
    assert drawn == list(everything(view, say)["main"])


def check_shapes_defined(view: View, say: Say, shapes: int, paints: int) -> None:
    """Every shape and every pattern that is used is there; at least so many are used."""
    root = parsed(view, say)
    defined = {element.get("id") for element in root.iter()}
    used = {element.get("href") for element in root.iter(f"{SVG}use")}
    painted = set(
        re.findall(r"url\((#[\w-]+)\)", " ".join(value for element in root.iter() for value in element.attrib.values()))
    )
    assert len(used) >= shapes
    assert len(painted) >= paints
    assert {str(name)[1:] for name in used | painted} <= defined


def check_policy(view: View, say: Say) -> None:
    """Nothing that a strict content policy would drop."""
    picture = view.game.picture
    inside = f"<svg>{picture.SHAPES}{''.join(pieces(view, say).values())}</svg>"
    for element in ElementTree.fromstring(inside).iter():
        assert element.tag not in {"style", "script", "image", "foreignObject", "a"}
        assert not [name for name in element.attrib if name == "style" or name.startswith("on")]
    assert "url(" not in picture.STYLE
    assert "@import" not in picture.STYLE


def check_names_are_text(view: View, game: Game) -> None:
    """A name that looks like markup is shown as it is."""
    name = "<b>&\"'"
    root = ElementTree.fromstring(str(drawing(view, Say.of(game, "en", [name] * 7))))
    assert root.find(f".//{SVG}b") is None
    assert name in {element.text for element in root.iter(f"{SVG}text")}


def golden(view: View, say: Say, board: str = "main") -> str:
    """A whole board, a piece a line, for a file in `golden/` that is compared; its scenery lies in `picture/`."""
    backdrop = f"../picture/{view.game.picture.BOARDS[board].backdrop}"
    return re.sub(r"(<g |<title>)", r"\n\1", str(drawing(view, say, board, backdrop))) + "\n"


def luminance(colour: str) -> float:
    """Relative luminance as WCAG 2 defines it."""
    digits = colour[1:] if len(colour) == 7 else "".join(letter * 2 for letter in colour[1:])
    channels = [int(digits[at : at + 2], 16) / 255 for at in (0, 2, 4)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


# In the browser


@contextmanager
def served(view: View, say: Say) -> Iterator[str]:
    """The address of a page with the picture, its style as a file, under the strict policy of the real site."""
    picture, board = view.game.picture, view.game.picture.BOARDS["main"]
    x, y, width, height = board.phone or (0, 0, *board.size)
    inside = f"<defs>{picture.SHAPES}</defs>" + "".join(everything(view, say)["main"].values())
    page = (
        '<!doctype html><title>Picture</title><link rel="stylesheet" href="/style.css">'
        f'<svg class="picture {view.game.name}" role="img" width="360" viewBox="{x} {y} {width} {height}">'
        f"{inside}</svg>"
    )

    class Site(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            is_style = self.path == "/style.css"
            self.send_response(200)
            self.send_header("Content-Type", "text/css" if is_style else "text/html; charset=utf-8")
            self.send_header("Content-Security-Policy", "default-src 'self'")
            self.end_headers()
            self.wfile.write((SCHEME + picture.STYLE if is_style else page).encode())

        def log_message(self, *_: object) -> None:
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Site) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


@contextmanager
def chromium() -> Iterator[Browser]:
    quiet = ("--disable-background-networking", "--disable-component-update", "--no-first-run")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path="/usr/bin/chromium", args=["--no-sandbox", "--disable-gpu", *quiet]
        )
        yield browser
        browser.close()


def check_slides(browser: Browser, site: str, identifier: str, place: str, wait: int) -> None:
    """Under the strict policy nothing is refused, and a piece whose place changes is on its way before it arrives."""
    page = browser.new_page(viewport=PHONE)
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    page.goto(site)
    where = f"() => document.querySelector('#{identifier}').getBoundingClientRect().y"
    start = page.evaluate(where)
    page.evaluate(f"() => document.querySelector('#{identifier}').setAttribute('transform', '{place}')")
    first = page.evaluate(where)
    page.wait_for_timeout(wait)
    end = page.evaluate(where)
    assert abs(end - start) > 20
    assert abs(first - start) < abs(end - start)
    assert complaints == []
    page.close()


def check_legible(browser: Browser, site: str, texts: int) -> None:
    """On a phone every text is at least 11 pixels high and keeps within the board."""
    page = browser.new_page(viewport=PHONE)
    page.goto(site)
    sizes = page.eval_on_selector_all(
        "svg text", "(all) => all.map((e) => parseFloat(getComputedStyle(e).fontSize) * e.getScreenCTM().a)"
    )
    assert len(sizes) > texts
    assert min(sizes) >= 11
    outside = page.eval_on_selector_all(
        "svg .piece text",
        """(all) => all.filter((e) => { const own = e.getBoundingClientRect();
            const all = e.closest("svg").getBoundingClientRect();
            return own.left < all.left || own.right > all.right })
            .map((e) => e.textContent)""",
    )
    assert outside == []
    page.close()


def check_themes(browser: Browser, site: str, painted: str, moving: str) -> None:
    """What is `painted` follows the system and the chosen theme; what is `moving` stands still where that is wished."""
    found: dict[object, str] = {}
    fill = f"() => getComputedStyle(document.querySelector('{painted}')).fill"
    for scheme in ("light", "dark"):
        page = browser.new_page(color_scheme=scheme, reduced_motion="reduce")
        page.goto(site)
        found[scheme] = page.evaluate(fill)
        for theme in ("light", "dark"):
            page.evaluate(f"() => document.documentElement.dataset.theme = '{theme}'")
            found[scheme, theme] = page.evaluate(fill)
        assert page.evaluate(f"() => getComputedStyle(document.querySelector('{moving}')).transitionDuration") == "0s"
        assert page.evaluate("() => document.getAnimations().length") == 0
        assert uncovered(page)
        page.close()
    assert found["light"] == found["light", "light"] == found["dark", "light"]
    assert found["dark"] == found["dark", "dark"] == found["light", "dark"]
    assert found["light"] != found["dark"]


def uncovered(page: Page) -> bool:
    """Whether no turned card shows its back: without motion it must lie face up from the beginning."""
    widths = page.eval_on_selector_all(
        ".turned .back, .fresh .back", "(all) => all.map((e) => e.getBoundingClientRect().width)"
    )
    return max(widths, default=0) < 1
