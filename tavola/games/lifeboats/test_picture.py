"""The picture: everything is there exactly once, can be clicked, tells no secret, and obeys a strict content policy."""

import http.server
import os
import re
import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from xml.etree import ElementTree

import pytest
from playwright.sync_api import sync_playwright

import tavola
from tavola.core import CHANCE, View
from tavola.core.speech import Say
from tavola.core.svg import drawing
from tavola.games.lifeboats import picture
from tavola.games.lifeboats.components import ACTIONS, COLOURS, LEAK, OVERBOARD, RANKS, SEA
from tavola.games.lifeboats.picture_style import DAY, NIGHT, PAINTS

GAME = tavola.load("lifeboats")
NAMES = ("Ada", "Bruno", "Carla", "Dario", "Elena", "Franco")
SAY = Say.of(GAME, "en", NAMES)
GOLDEN = Path(__file__).parent / "golden" / "picture.svg"
SVG = "{http://www.w3.org/2000/svg}"
TABLES = (
    {"players": 3},
    {"players": 4, "moves": 2, "islands": "2-3-2"},
    {"players": 5, "seats": 7, "last_boat_stays": "on"},
    {"players": 6, "seats": 8, "moves": 5, "islands": "3-2-2"},
)


def played(seed: int, **options: object) -> Iterator[tavola.Match]:
    """A match of random actions, chance's too: the same object after every action."""
    random = Random(seed)
    match = GAME.match(**options)
    while match.to_act:
        yield match
        seat = random.choice(match.to_act)
        match.play(random.choice(match.legal(seat)), seat)
    yield match


def sampled(step: int = 7) -> Iterator[tavola.Match]:
    """Matches at tables of every kind: each placing and seating, then every `step`th action, and the end."""
    for seed, options in enumerate(TABLES):
        for number, match in enumerate(played(seed, **options)):
            if number % step == 0 or number < 12 or not match.to_act:
                yield match


def parsed(view: View) -> ElementTree.Element:
    return ElementTree.fromstring(str(drawing(view, SAY)))


def pieces(view: View) -> dict[str, str]:
    return {identifier: str(markup) for identifier, markup in picture.pieces(view, SAY).items()}


def codes(view: View) -> set[str]:
    return {
        code for held in re.findall(r'data-codes="([^"]*)"', "".join(pieces(view).values())) for code in held.split("|")
    }


def until(phase: int, seed: int, **options: object) -> tavola.Match:
    return next(match for match in played(seed, **options) if match.view().table.phase == phase)


def test_every_picture_is_well_formed_and_every_id_unique():
    for match in sampled():
        view = match.view(0)
        root = parsed(view)
        identifiers = [element.get("id") for element in root.iter() if element.get("id")]
        assert len(identifiers) == len(set(identifiers))
        assert [child.get("id") for child in root if "piece" in (child.get("class") or "").split()] == list(
            pieces(view)
        )


def test_every_shape_that_is_used_is_defined():
    root = parsed(until(OVERBOARD, 1, players=6).view(0))
    defined = {element.get("id") for element in root.iter()}
    used = {element.get("href") for element in root.iter(f"{SVG}use")}
    painted = set(re.findall(r"url\((#[\w-]+)\)", "".join(str(v) for e in root.iter() for v in e.attrib.values())))
    assert len(used) > 15
    assert len(painted) >= 2
    assert {name[1:] for name in used | painted} <= defined


def test_nothing_that_a_strict_content_policy_would_drop():
    for match in sampled(40):
        view = match.view(0)
        for element in ElementTree.fromstring(
            f"<svg>{picture.background(view, SAY)}{''.join(pieces(view).values())}</svg>"
        ).iter():
            assert element.tag not in {"style", "script", "image", "foreignObject", "a"}
            assert not [name for name in element.attrib if name == "style" or name.startswith("on")]
    assert "url(" not in picture.STYLE
    assert "@import" not in picture.STYLE


def test_every_code_is_an_action():
    for match in sampled():
        for code in codes(match.view(0)):
            ACTIONS.number(code)


def test_every_legal_action_can_be_clicked():
    verbs = set()
    for match in sampled(3):
        for seat in match.to_act:
            legal = set(match.legal(seat))
            verbs |= {code.split()[0] for code in legal}
            assert legal <= codes(match.view(None if seat == CHANCE else seat))
    assert verbs == {verb.name for verb in ACTIONS.verbs}


def test_who_goes_overboard_is_clicked_on_the_men_of_that_boat_alone():
    match = until(OVERBOARD, 3, players=4)
    table = match.view().table
    clicked = [name for name, markup in pieces(match.view()).items() if "vote" in markup]
    men = [
        f"{RANKS[rank]}-{COLOURS[seat]}-{COLOURS[table.target - 1]}-{number}"
        for seat, ranks in enumerate(table.boats[table.target - 1].crew)
        for rank, count in enumerate(ranks)
        for number in range(count)
    ]
    assert clicked == men
    assert "target" in pieces(match.view())


def test_every_man_and_every_leak_is_drawn_exactly_once():
    for match in sampled():
        table = match.view().table
        drawn = pieces(match.view())
        men = Counter(like for markup in drawn.values() for like in re.findall(r'data-like="([^"]*)"', markup))
        sailors = 5 if table.players <= 4 else 4
        due = {
            f"{rank} {COLOURS[seat]}": n
            for seat in range(table.players)
            for rank, n in (("officer", 2), ("sailor", sailors))
        }
        assert men == due
        for place, boat in enumerate(table.boats):
            assert sum(name.startswith(f"leak-{COLOURS[place]}-") for name in drawn) == boat.leaks


def test_nobody_sits_on_anybody():
    for match in sampled():
        table = match.view().table
        drawn = pieces(match.view())
        spots = [
            re.search(r'transform="(translate\([^)]*\))', markup)[1]
            for name, markup in drawn.items()
            if name.startswith(("officer-", "sailor-", "leak-"))
        ]
        assert len(spots) == len(set(spots))
        aboard = sum(sum(map(sum, boat.crew)) + boat.leaks for boat in table.boats if boat.at == SEA)
        assert aboard <= len(spots)


def test_the_card_of_another_is_nowhere():
    for first, second in (("vote red", "vote captain"), ("vote green", "vote black")):
        one, other = until(LEAK, 5, players=4), until(LEAK, 5, players=4)
        one.play(first, 1)
        other.play(second, 1)
        for seat in (None, 0, 2, 3):
            assert str(drawing(one.view(seat), SAY)) == str(drawing(other.view(seat), SAY))
        assert pieces(one.view(1)) != pieces(other.view(1))
        assert {name for name in pieces(one.view(1)) if pieces(one.view(1))[name] != pieces(other.view(1))[name]} == {
            "own-card"
        }


def test_a_seat_sees_what_all_see_and_some_pieces_of_its_own():
    private = set()
    for match in sampled():
        public = pieces(match.view())
        for seat in range(match.players):
            own = pieces(match.view(seat))
            assert {name: own.get(name) for name in public} == public
            private |= own.keys() - public.keys()
    assert private == {"own-card", "own-captain"}


def test_a_vote_changes_the_voter_alone_and_the_reveal_is_new_to_the_page():
    match = until(LEAK, 5, players=3)
    before = pieces(match.view())
    match.play("vote red", 0)
    after = pieces(match.view())
    assert {name for name in after if after[name] != before.get(name)} == {"seat-0"}
    match.play("vote red", 1)
    match.play("vote green", 2)
    revealed = pieces(match.view())
    assert {"ballot-1-0", "ballot-1-1", "ballot-1-2", "tally-1"} <= revealed.keys() - after.keys()


def test_a_move_costs_what_it_changed():
    most = 0
    for _, options in zip(range(2), TABLES, strict=False):
        before: dict[str, str] = {}
        for match in played(8, **options):
            after = pieces(match.view())
            if before:
                most = max(most, sum(len(markup) for name, markup in after.items() if before.get(name) != markup))
            before = after
    assert most < 20_000


def test_names_are_text():
    say = Say.of(GAME, "en", ["<b>&\"'"] * 6)
    match = until(LEAK, 5, players=3)
    root = ElementTree.fromstring(str(drawing(match.view(), say)))
    assert root.find(f".//{SVG}b") is None
    assert "<b>&\"'" in {element.text for element in root.iter(f"{SVG}text")}


def test_titles_speak_the_reader_s_language():
    match = until(LEAK, 5, players=3)
    english, italian = (str(drawing(match.view(), Say.of(GAME, language, NAMES))) for language in ("en", "it"))
    assert "The red boat: " in english
    assert "The red boat: " not in italian
    assert "rossa" in italian


def luminance(colour: str) -> float:
    """Relative luminance as WCAG 2 defines it."""
    digits = colour[1:] if len(colour) == 7 else "".join(letter * 2 for letter in colour[1:])
    channels = [int(digits[at : at + 2], 16) / 255 for at in (0, 2, 4)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("theme", [DAY, {**DAY, **NIGHT}], ids=["day", "night"])
def test_contrast(theme):
    for own, mark in PAINTS.values():
        assert contrast(own, mark) >= 4.5  # a name on its plate
    assert contrast(theme["print"], theme["paper"]) >= 4.5
    assert contrast(theme["print"], theme["panel"]) >= 4.5
    assert contrast(theme["ink"], theme["plank"]) >= 4.5  # the numbers of the harbour
    assert contrast(theme["ink"], theme["cardboard"]) >= 4.5
    for ground in ("sea", "shallow", "sand", "grass", "wood"):
        outline = max(contrast(theme["ink"], theme[ground]), contrast(theme["halo"], theme[ground]))
        assert outline >= 3, ground
    assert contrast(theme["alarm"], theme["paper"]) >= 3
    assert contrast(theme["ink"], theme["water"]) >= 3


def golden_match() -> tavola.Match:
    """A fixed position with a man overboard, leaks, and cards that lie open."""
    return next(
        match
        for match in played(3, players=4)
        if match.view().table.phase == OVERBOARD and match.view().table.rounds >= 4 and match.view().table.voted
    )


def test_golden():
    """`TAVOLA_GOLDEN=write python -m pytest tavola/games/lifeboats/test_picture.py` draws it anew: look at it then."""
    drawn = re.sub(r"(<g |<title>)", r"\n\1", str(drawing(golden_match().view(), SAY))) + "\n"
    if os.environ.get("TAVOLA_GOLDEN") == "write":
        GOLDEN.write_text(drawn, encoding="utf-8")
    assert drawn == GOLDEN.read_text(encoding="utf-8")


# In the browser


class Site(http.server.BaseHTTPRequestHandler):
    """A page with the picture, its style as a file, under the strict policy of the real site."""

    page = ""

    def do_GET(self):
        is_style = self.path == "/style.css"
        body = (picture.STYLE if is_style else self.page).encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/css" if is_style else "text/html; charset=utf-8")
        self.send_header("Content-Security-Policy", "default-src 'self'")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def site():
    width, height = picture.SIZE
    view = golden_match().view()
    inside = str(picture.background(view, SAY)) + "".join(pieces(view).values())
    Site.page = (
        '<!doctype html><title>Picture</title><link rel="stylesheet" href="/style.css">'
        f'<svg class="picture lifeboats" role="img" width="344" viewBox="0 0 {width} {height}">{inside}</svg>'
    )
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Site) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


@pytest.fixture(scope="module")
def browser():
    quiet = ("--disable-background-networking", "--disable-component-update", "--no-first-run")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path="/usr/bin/chromium", args=["--no-sandbox", "--disable-gpu", *quiet]
        )
        yield browser
        browser.close()


@pytest.mark.browser
def test_under_a_strict_policy_the_picture_is_whole_and_slides(site, browser):
    page = browser.new_page(viewport={"width": 360, "height": 640})
    complaints = []
    page.on("console", lambda message: complaints.append(message.text))
    page.goto(site)
    where = "() => document.querySelector('#boat-red').getBoundingClientRect().y"
    start = page.evaluate(where)
    page.evaluate("() => document.querySelector('#boat-red').setAttribute('transform', 'translate(56 100)')")
    first = page.evaluate(where)
    page.wait_for_timeout(900)
    end = page.evaluate(where)
    assert end < start - 20
    assert end < first  # it was still on its way
    assert complaints == []
    page.close()


@pytest.mark.browser
def test_text_is_legible_on_a_phone_and_keeps_to_its_place(site, browser):
    page = browser.new_page(viewport={"width": 360, "height": 640})
    page.goto(site)
    sizes = page.eval_on_selector_all(
        "svg text", "(all) => all.map((e) => parseFloat(getComputedStyle(e).fontSize) * e.getScreenCTM().a)"
    )
    assert len(sizes) > 15
    assert min(sizes) >= 9
    outside = page.eval_on_selector_all(
        "svg .piece text",
        """(all) => all.filter((e) => { const own = e.getBoundingClientRect();
            const all = e.closest("svg").getBoundingClientRect();
            return own.left < all.left || own.right > all.right })
            .map((e) => e.textContent)""",
    )
    assert outside == []
    page.close()


@pytest.mark.browser
def test_day_night_and_still_pictures(site, browser):
    sea = "() => getComputedStyle(document.querySelector('.sea')).fill"
    found = {}
    for scheme in ("light", "dark"):
        page = browser.new_page(color_scheme=scheme, reduced_motion="reduce")
        page.goto(site)
        found[scheme] = page.evaluate(sea)
        for theme in ("light", "dark"):
            page.evaluate(f"() => document.documentElement.dataset.theme = '{theme}'")
            found[scheme, theme] = page.evaluate(sea)
        assert page.evaluate("() => getComputedStyle(document.querySelector('#boat-red')).transitionDuration") == "0s"
        assert page.evaluate("() => document.getAnimations().length") == 0
        page.close()
    assert found["light"] == found["light", "light"] == found["dark", "light"]
    assert found["dark"] == found["dark", "dark"] == found["light", "dark"]
    assert found["light"] != found["dark"]
