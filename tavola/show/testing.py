"""Helpers for a game's own tests: random matches, log lines, heuristics, pictures, a browser.

Nothing outside tests needs this module. The browser is Chromium driven by Playwright, an extra of the tests.
"""

import http.server
import random
import shutil
import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import reduce
from operator import getitem
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from tavola.core.game import Game
from tavola.core.match import Match
from tavola.core.view import View
from tavola.show.cards import picture_of, words_of
from tavola.show.pictures import all_pieces
from tavola.show.speech import Say
from tavola.show.words import Consequence

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

Found = TypeVar("Found")

NAMES = ("Ada", "Bruno", "Carla", "Dario", "Elsa", "Fritz", "Gina")
PHONE_WIDTH, PHONE_HEIGHT = 360, 640
"""Size of a small phone, in CSS pixels."""
CHROMIUM = "chromium-headless-shell", "chromium", "chromium-browser"
"""Names of Chromium's program, the fastest first."""
ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--no-first-run",
    "--mute-audio",
)
"""Command-line arguments of Chromium."""
SCHEME = (
    "body{margin:0}:root{color-scheme:light dark}"
    ":root[data-theme=light]{color-scheme:light}:root[data-theme=dark]{color-scheme:dark}"
)
"""Style of every page with pictures."""


# Matches, and their sentences


def present(found: Found | None) -> Found:
    """Return a value that must not be None, such as the result of a finished match or a pattern's match in a text."""
    assert found is not None
    return found


def random_match(game: Game, seed: int, **options: Any) -> Iterator[Match]:
    """Yield a match of random actions, including chance's: the same object after every action."""
    draw, match = random.Random(seed), Match(game, **options)
    while match.to_act:
        yield match
        seat = draw.choice(match.to_act)
        match.play(draw.choice(match.legal_codes(seat)), seat)
    yield match


def sample_matches(game: Game, tables: Iterable[Mapping[str, Any]], step: int, first: int = 0) -> Iterator[Match]:
    """Yield a random match at each of `tables`: at its `first` positions, at every `step`th, and at its end."""
    for seed, options in enumerate(tables):
        for number, match in enumerate(random_match(game, seed, **options)):
            if number % step == 0 or number < first or not match.to_act:
                yield match


def views(match: Match) -> list[View]:
    """Return the views of all seats and of a spectator."""
    return [*(match.view(seat) for seat in range(match.players)), match.view()]


def english_say(game: Game) -> Say:
    """Return `say` for a game's sentences in English, with names at the table."""
    return Say.of(game, "en", NAMES)


def play(match: Match, *codes: str, seat: int | None = None) -> Match:
    """Play actions for a seat, by default each for the first that must act; return the match."""
    for code in codes:
        match.play(code, match.to_act[0] if seat is None else seat)
    return match


def change_fields(document: Any, changes: Mapping[str, Any]) -> Any:
    """Change fields of a position document, by paths such as `hands__0__card`; return the document."""
    for path, value in changes.items():
        *way, last = (int(key) if key.isdecimal() else key for key in path.split("__"))
        reduce(getitem, way, document)[last] = value
    return document


def events_after(match: Match, *plays: str) -> list[str]:
    """Play actions such as "2 lane 3" in turn; return the public log lines of the last one, in English."""
    for play in plays:
        seat, _, code = play.partition(" ")
        before = match.view()
        match.play(code, int(seat))
    return words_of(match.game).events(before, match.view(), match.last_action(), english_say(match.game))


def consequence_of(match: Match, seat: int, code: str, step: int | None = None) -> Consequence:
    """Return the consequence of an action for its seat, in English: of its last word, or that at `step`."""
    view, number = match.view(seat), match.game.actions.number(code)
    words = len(match.game.actions.action(number).indices) if step is None else step
    return present(words_of(match.game).consequence(view, number, words, english_say(match.game)))


def refusal_text(match: Match, seat: int | None, code: str) -> str:
    """Return why a seat cannot do something now, in English."""
    view = match.view(seat)
    return words_of(view.game).refusal(view, view.game.actions.number(code), english_say(view.game))


# Heuristics


def priors_of(match: Match, seat: int) -> dict[str, float]:
    """Return the weight of each legal action of a seat by its code, from the seat's view."""
    view, numbers = match.view(seat), match.legal_numbers(seat)
    weights = np.zeros(len(numbers))
    match.game.heuristics.priors(view.states[0], seat, np.array(numbers, np.int32), len(numbers), weights)
    return dict(zip(match.legal_codes(seat), weights.tolist(), strict=True))


def best_code(match: Match, seat: int) -> str:
    """Return the legal action of a seat that has the greatest weight."""
    weights = priors_of(match, seat)
    return max(weights, key=weights.__getitem__)


def evaluated_chances(match: Match, played: int) -> Any:
    """Return each seat's chances to win, after `played` actions; None if the position cannot be evaluated."""
    chances = np.zeros(match.players)
    return chances if present(match.game.heuristics.evaluate)(match._states[0], played, chances) else None


# Pictures


def pieces_by_id(view: View, say: Say) -> dict[str, str]:
    """Return the pieces of all boards by their id."""
    return {name: str(markup) for drawn in all_pieces(view, say).values() for name, markup in drawn.items()}


def changed_pieces(before: dict[str, str], after: dict[str, str]) -> set[str]:
    """Return the ids of pieces that are new or have changed."""
    return {identifier for identifier, markup in after.items() if before.get(identifier) != markup}


def dearest_change(
    game: Game, seed: int, tables: Iterable[Mapping[str, Any]], say: Say, *, with_end: bool = True
) -> int:
    """Return the maximum number of characters of markup that one action changed in random matches at `tables`."""
    most = 0
    for options in tables:
        before: dict[str, str] = {}
        for match in random_match(game, seed, **options):
            after = pieces_by_id(match.view(), say)
            if before and (match.to_act or with_end):
                most = max(most, sum(len(after[name]) for name in changed_pieces(before, after)))
            before = after
    return most


def luminance(colour: str) -> float:
    """Return the relative luminance of a colour, as defined by WCAG 2."""
    digits = colour[1:] if len(colour) == 7 else "".join(letter * 2 for letter in colour[1:])
    channels = [int(digits[at : at + 2], 16) / 255 for at in (0, 2, 4)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colours such as `#fff`, as defined by WCAG 2: 1 to 21."""
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


# In the browser


@contextmanager
def serve_picture(view: View, say: Say) -> Iterator[str]:
    """Serve a page with the picture, its style as a file, under the site's strict content policy; yield its address."""
    picture, board = picture_of(view.game), picture_of(view.game).boards["main"]
    x, y, width, height = board.phone or (0, 0, *board.size)
    inside = f"<defs>{picture.shapes}</defs>" + "".join(all_pieces(view, say)["main"].values())
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
            self.wfile.write((SCHEME + picture.style if is_style else page).encode())

        def log_message(self, *_: object) -> None:
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Site) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


@contextmanager
def chromium() -> "Iterator[Browser]":
    """Yield a browser and close it afterwards: the system's Chromium, or the one that Playwright installed.

    Use one at a time in a thread. Raises `FileNotFoundError` if there is none.
    """
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        path = next(filter(None, map(shutil.which, CHROMIUM)), playwright.chromium.executable_path)
        if not Path(path).exists():
            raise FileNotFoundError(
                "no Chromium on this machine: `make test` installs Debian's package if it has permission"
            )
        browser = playwright.chromium.launch(executable_path=path, args=list(ARGUMENTS))
        yield browser
        browser.close()


def phone(browser: "Browser") -> "Page":
    """Return a new page as small as a phone's."""
    return browser.new_page(viewport={"width": PHONE_WIDTH, "height": PHONE_HEIGHT})


def check_themes(browser: "Browser", site: str, painted: str, moving: str) -> None:
    """Check that `painted` follows the system and the chosen theme, and that `moving` respects reduced motion."""
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
        assert all_faces_up(page)
        page.close()
    assert found["light"] == found["light", "light"] == found["dark", "light"]
    assert found["dark"] == found["dark", "dark"] == found["light", "dark"]
    assert found["light"] != found["dark"]


def all_faces_up(page: "Page") -> bool:
    """Return whether no turned card shows its back: without motion it must be face up from the beginning."""
    widths = page.eval_on_selector_all(
        ".turned .back, .fresh .back", "(all) => all.map((e) => e.getBoundingClientRect().width)"
    )
    return bool(max(widths, default=0) < 1)
