"""Helpers for browser tests: guests in a real Chromium who see, click and press keys."""

import asyncio
import contextlib
import http.server
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, cast

import numpy as np
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, Position, expect

import tavola.web
from tavola.core import Refusal
from tavola.games.lifeboats.components import At, Phase
from tavola.live import Room
from tests.helpers import PATIENCE, ROOT, serving
from tests.helpers.rooms import play_legal
from tests.helpers.site import Guest, Site

DEAF_MILLISECONDS = 625
"""Milliseconds after which new choices accept presses."""
STRAY_MILLISECONDS = 650
"""Milliseconds after which a press no longer counts as the second of two meant for the previous page."""
NEXT_PROMPT = """(before) => document.querySelector(".ending")
   || document.querySelector('[data-place="actions"] [name="prompt_id"]')?.value !== before"""
"""Whether the prompt is not `before`, or the match is over."""
GLANCE = 30
"""Milliseconds between two checks of a page; each check costs it 1 to 2 ms."""
LISTENING = "#offers:not(.inert) .choice"
"""A choice that accepts presses."""
PHONE: dict[str, Any] = {"width": 360, "height": 740, "has_touch": True}
LOOKS = ((360, 740, "dark"), (1280, 800, "light"))
"""Width, height and colour scheme of the pages that are checked: each size and each scheme once."""
OTHER_LOOKS = pytest.param(((360, 740, "light"), (1280, 800, "dark")), marks=pytest.mark.soak)
in_looks = pytest.mark.parametrize("looks", [LOOKS, OTHER_LOOKS], ids=["usual", "other"])
"""The soak adds the other two combinations."""
STATE = """() => {
  if (document.querySelector(".ending")) return {over: true, deaf: false, prompt: null, codes: []};
  const form = document.querySelector('[data-place="actions"] form:not(.sent)');
  const deaf = Boolean(document.querySelector("#offers.inert"));
  const open = '[data-place="actions"] form:not(.sent)', doors = `${open} button[name="code"], ${open} option`;
  const buttons = deaf ? [] : [...document.querySelectorAll(doors)];
  return {over: false, deaf, prompt: form?.elements.prompt_id?.value ?? null, codes: buttons.map((b) => b.value)};
}"""
STEP = f"""([code, before, hurried]) => {{
  const {{ over, deaf, prompt }} = ({STATE})();
  if (over || prompt !== before) return "played";
  if (deaf) return hurried && "deaf";
  const offers = [...document.querySelectorAll("#offers .choice")];
  const go = document.querySelector("#offers .go");
  const laying = document.querySelector("#steps .laid-ahead") && offers.length;  // it lies: the others want a card too
  const meant = offers.find((offer) => offer.dataset.codes?.split("|").includes(code));
  (go ?? meant ?? (laying ? offers[0] : null))?.click();
}}"""
"""Take the next step towards an action. Returns "played" if the prompt is not `before`, "deaf" if time must run on."""
SPOTS = """(selector) => [...document.querySelectorAll(selector)].map((part) => {
  const { left, top, width, height } = part.getBoundingClientRect();
  for (const down of [.5, .3, .7, .15, .85]) for (const across of [.5, .3, .7, .12, .88]) {
    const x = left + width * across, y = top + height * down;
    if (document.elementFromPoint(x, y)?.closest("[data-codes], .choice") === part) return [x, y];
  }
}).filter(Boolean)"""
"""An uncovered point on each part of a picture, or choice, that a selector finds."""
BOXES = """() => {
  const box = (node) => node.getBoundingClientRect();
  const shown = (node) => box(node).width > 0 && getComputedStyle(node).visibility !== "hidden";
  const small = [...document.querySelectorAll("#room button, #room a, #room summary")].filter(shown)
    .filter((node) => Math.min(box(node).width, box(node).height) < 39.5)
    .filter((node) => !node.closest("dialog, .log, .bubble, .to-words"))
    .map((node) => node.outerHTML.slice(0, 80));
  const stage = box(document.querySelector(".stage"));
  const above = ["offers", "steps"].map((id) => document.getElementById(id)).filter(shown).map(box);
  const covered = [...document.querySelectorAll(".stage .picture .clickable")].filter(shown).filter((part) => {
    const b = box(part), top = Math.max(b.top, stage.top), bottom = Math.min(b.bottom, stage.bottom);
    const y = (top + bottom) / 2;
    const x = (Math.max(b.left, 0) + Math.min(b.right, innerWidth)) / 2, seen = document.elementFromPoint(x, y);
    return top > bottom || (above.some((over) => y > over.top && y < over.bottom) && !seen?.closest(".picture"));
  }).map((part) => part.id || part.dataset.codes);
  const wordy = ".prompt-place, .asked, .coach p, .seat .name, #offers .choice, #steps button";
  const cut = [...document.querySelectorAll(wordy)].filter(shown)
    .filter((node) => node.scrollHeight > node.clientHeight + 2 || node.scrollWidth > node.clientWidth + 1)
    .map((node) => `${node.className} ${node.textContent.trim()}`);
  const row = box(document.querySelector(".seats"));
  cut.push(...[...document.querySelectorAll(".seats *")].filter(shown).filter((part) => box(part).top < row.top - .5)
    .map((part) => `above the row of seats: ${part.getAttribute("class")}`));
  return { small, covered, cut, stage: [stage.top, stage.bottom],
           scrolls: document.documentElement.scrollHeight - innerHeight,
           row: box(document.getElementById("offers")).height };
}"""
"""Phone layout: buttons too small for a finger, covered parts, cut texts, board position, scroll distance."""
LABELS = """() => {
  const stage = document.querySelector(".stage").getBoundingClientRect(), found = [];
  const point = (at) => at.dispatchEvent(new PointerEvent("pointerover", { bubbles: true }));
  for (const choice of document.querySelectorAll("#offers .choice[data-codes]")) {
    point(choice);
    found.push(...[...document.querySelectorAll("#plates .plate")].map((label) => {
      const { left, right, top, bottom } = label.getBoundingClientRect();
      const inside = left >= stage.left && right <= stage.right && top >= stage.top && bottom <= stage.bottom;
      const line = choice.querySelector(".does");
      return [!line || line.textContent === label.textContent, inside, label.textContent];
    }));
  }
  point(document.body);
  return [found, document.querySelectorAll("#plates .plate").length];
}"""
"""The labels on the board while each choice is pointed at, and how many there are afterwards. Of each: whether it says
the same as its button, whether it is whole on the stage, and its text."""
AT_REST = """addEventListener("animationstart", (event) => {
  for (const animation of event.target.getAnimations())
    if (animation.effect.getComputedTiming().iterations === Infinity) animation.pause();
}, true);"""
"""Pauses endless animations: drawing them 60 times a second costs more than everything else in a test."""
UNSEEN = """const unseen = new CSSStyleSheet();
unseen.replaceSync("body { opacity: 0 !important }");
document.adoptedStyleSheets = [unseen];"""
"""Makes pages invisible except in pictures: drawing costs more than layout, measuring and presses together."""
PRINT = """(least) => [
  ...document.querySelectorAll(":is(.stage, .hand) .picture text, .fortunes text"),
].filter((text) => {
  const box = text.getBoundingClientRect(), style = getComputedStyle(text);
  return box.width && style.visibility !== "hidden" && box.right > 0 && box.left < innerWidth;
}).map((text) => {
  const scale = text.getScreenCTM();
  return [parseFloat(getComputedStyle(text).fontSize) * Math.hypot(scale.a, scale.b), text.textContent];
}).filter(([size]) => size < least - .01)"""
"""Texts in pictures that are smaller than some pixels, with their sizes."""
MILD = """() => Object.fromEntries(axe._audit.rules
  .filter(({ impact }) => ["minor", "moderate"].includes(impact)).map(({ id }) => [id, { enabled: false }]))"""
"""Disables the rules of axe that find nothing serious."""
FINISH = """() => document.getAnimations()
  .filter((animation) => animation.effect.getComputedTiming().endTime !== Infinity)
  .forEach((animation) => animation.finish())"""
"""Finishes all animations, as on a picture."""
HIDE = """(hidden) => {
  Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
}"""
"""Makes a page believe that it is hidden, or shown again."""
CARD_CORNER: Position = {"x": 14, "y": 6}
"""Point of a card in the hand that the next card does not cover."""
TWO_FRAMES = "() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))"
"""Wait until the page has been laid out and drawn: it handles moving fingers and its size once per frame."""


class BrowserGuest:
    """A guest with their own browser. Errors and warnings in the console are recorded, and `close` fails on them."""

    keeps_pictures: ClassVar[bool] = False
    """Whether to save pictures of pages: `--pictures`."""

    def __init__(
        self,
        browser: Browser,
        url: str,
        width: int = 1280,
        height: int = 800,
        lessons: bool = False,
        hurried: bool = False,
        drawn: bool = False,
        **settings: Any,
    ) -> None:
        usual = {"locale": "en-GB", "timezone_id": "UTC", "reduced_motion": "reduce", "base_url": url}
        self.scripted = settings.get("java_script_enabled", True)
        self.context = browser.new_context(viewport={"width": width, "height": height}, **{**usual, **settings})
        self.context.set_default_timeout(PATIENCE * 1000)
        self.context.add_init_script(AT_REST)
        if not drawn:
            self.context.add_init_script(UNSEEN)
        self.hurried = hurried
        if hurried:
            self.context.clock.install()
        if not lessons:
            self.context.add_init_script(
                "localStorage.setItem('tavola.lesson', 'expedition|fairies|lifeboats|tournament|voyage');"
                "localStorage.setItem('tavola.seat', 'once')"
            )
        self.console_errors: list[str] = []
        self.labels = 0  # on boards, seen by `check_layout`
        self.page = self.tab()

    def tab(self) -> Page:
        page = self.context.new_page()
        record_errors(page, self.console_errors)
        return page

    def close(self) -> None:
        """Close the browser; fail if its console has errors or warnings."""
        self.context.close()
        assert self.console_errors == [], self.console_errors

    def become(self, other: "BrowserGuest | Guest") -> None:
        """Use the cookies of another guest, so that both are the same person."""
        if isinstance(other, BrowserGuest):
            kept: Any = other.context.cookies()
        else:
            here = str(other.base_url)
            kept = [{"name": each.name, "value": each.value or "", "url": here} for each in other.cookies.jar]
        self.context.add_cookies(kept)

    def create(self, **fields: str) -> str:
        """Open a room as its form does, without leaving the page; return its code."""
        return self._open("/rooms", {"game": "lifeboats", "name": "Ada", "patience": "0", **fields})

    def open_room(self, players: str = "3", bots: str = "0", **fields: str) -> str:
        """Open a room with random bots and go to it; return its code."""
        code = self.create(**{"option-players": players, "bots": bots, "level": "random", **fields})
        self.page.goto(f"/r/{code}")
        return code

    def _open(self, door: str, fields: Mapping[str, str]) -> str:
        opened = self.context.request.post(door, form=dict(fields))
        assert opened.ok, opened.text()
        return opened.url.rpartition("/")[2]

    def sit(self, code: str, name: str) -> None:
        self.page.goto(f"/r/{code}")
        self.page.fill("#join-name", name)
        self.page.click(".join button")
        expect(self.page.locator(".chair", has_text=name)).to_be_visible()

    def begin(self) -> None:
        """Start the match of a room that this guest has opened."""
        self.page.click("text=Start match")
        self.page.wait_for_selector(".room.playing")

    def start(self, game: str = "lifeboats") -> str:
        """Start a match against random bots, as the button on the home page does, and go to it; return the room's code.

        Other bots think, which takes longer than everything else; the button remembers the last ones.
        """
        code = self._open("/quick", {"game": game, "level": "random"})
        self.page.goto(f"/r/{code}")
        return code

    def state(self) -> dict[str, Any]:
        """Return the page's `over`, `deaf`, `prompt` and `codes`, which are empty while choices are deaf."""
        return self.page.evaluate(STATE)

    def wait_for_choices(self) -> dict[str, Any]:
        """Wait until there are choices or the match is over. A hurried guest lets time run meanwhile."""
        settled = "s.over || s.codes.length || hurried && s.deaf"
        wanted = f"([hurried]) => {{ const s = ({STATE})(); return {settled} ? s : false; }}"
        while (state := self._glance(wanted, self.hurried))["deaf"]:
            self.page.clock.run_for(DEAF_MILLISECONDS)
        return state

    def _glance(self, script: str, *arguments: object) -> Any:
        """Return the first truthy result of a script, which the page itself runs every `GLANCE` milliseconds."""
        return self.page.wait_for_function(script, arg=arguments, polling=GLANCE).json_value()

    def listen(self) -> None:
        """Let time run if choices do not accept presses yet and this guest is hurried."""
        if self.hurried and self.state()["deaf"]:
            self.page.clock.run_for(DEAF_MILLISECONDS)

    def wait(self, happened: Callable[..., object]) -> None:
        wait_on(self.page, happened)

    def press(self, code: str) -> None:
        """Choose an action by its words, a step at a time; without script, by its button."""
        if not self.scripted:
            self.page.click(f'[data-place="actions"] button[value="{code}"]')
            return
        before = self.state()["prompt"]
        while self._glance(STEP, code, before, self.hurried) == "deaf":
            self.page.clock.run_for(DEAF_MILLISECONDS)

    def open_panel(self, name: str) -> None:
        """Open a panel of the side column once a press no longer counts as meant for the previous page."""
        self.page.wait_for_selector(".room.playing")
        self.page.wait_for_timeout(STRAY_MILLISECONDS)
        self.page.click(f'[data-tab="{name}"]')

    def check_layout(self, *, asked: bool = True) -> tuple[float, float]:
        """Check that on a phone nothing is covered, cut off, too small or scrolls; return the board's top and bottom.

        Unless `asked`, parts may be small or covered, as cards are while they turn.
        """
        found = self.page.evaluate(BOXES)
        told = self.page.locator("#question").text_content()
        assert (found["scrolls"] <= 0, found["cut"]) == (True, []), told
        assert not asked or (found["small"], found["covered"]) == ([], []), told
        assert found["row"] <= 96, told
        labels, left = self.page.evaluate(LABELS)
        assert all(says and whole for says, whole, _ in labels), (told, labels)
        assert not asked or left == 0, told
        self.labels += len(labels)
        return tuple(found["stage"])

    def small_print(self, least: float = 11) -> list[tuple[float, str]]:
        """Return the texts in pictures that are smaller than `least` pixels, with their sizes."""
        return self.page.evaluate(PRINT, least)

    def overflow(self) -> int:
        """Return by how many pixels the page is too wide."""
        return self.page.evaluate("document.documentElement.scrollWidth - innerWidth")

    def looks(self, looks: Sequence[tuple[int, int, str]] = LOOKS) -> Iterator[str]:
        """Show the page in one look after another, the present size first: drawing another is expensive."""
        present = self.page.viewport_size["width"]
        for width, height, scheme in sorted(looks, key=lambda look: look[0] != present):
            self.page.set_viewport_size({"width": width, "height": height})
            self.page.emulate_media(color_scheme=cast(Any, scheme))
            self.page.evaluate("document.fonts.ready.then(() => true)")  # without fonts, texts have another width
            self.page.evaluate(TWO_FRAMES)
            yield f"{width}-{scheme}"

    def sizes(self, sizes: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
        """Show the page in one size after another."""
        for width, height in sizes:
            self.page.set_viewport_size({"width": width, "height": height})
            self.page.evaluate(TWO_FRAMES)
            yield width, height

    def faults(self, name: str, looks: Sequence[tuple[int, int, str]] = LOOKS) -> dict[str, list[str]]:
        """Return overflow and serious axe violations, by look."""
        found = {}
        for look in self.looks(looks):
            too_wide = [f"too wide by {self.overflow()}"] if self.overflow() > 0 else []
            found[f"{name} {look}"] = too_wide + serious_faults(self.page)
            self.screenshot(f"{name}-{look}")
        return {look: faults for look, faults in found.items() if faults}

    def screenshot(self, name: str, **settings: Any) -> None:
        """Save a picture of the whole page if the run saves pictures."""
        if not self.keeps_pictures:
            return
        hidden = self.page.evaluate_handle("[...document.adoptedStyleSheets]")
        self.page.evaluate("document.adoptedStyleSheets = []")
        self.page.screenshot(path=ROOT / "test-output" / f"{name}.png", **{"full_page": True, **settings})
        self.page.evaluate("(hidden) => { document.adoptedStyleSheets = hidden; }", hidden)


Visit = Callable[..., BrowserGuest]
"""Type of the fixture `visit`, which makes guests and closes them after the test."""


def record_errors(page: Page, errors: list[str]) -> None:
    """Add the errors and warnings in the console of a page to `errors`."""
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda told: errors.append(told.text) if told.type in ("error", "warning") else None)


def middle(page: Page, selector: str) -> tuple[float, float]:
    """Return the middle of the first element of a selector, where a mouse or a finger presses."""
    box = page.locator(selector).first.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def wait_on(page: Page, happened: Callable[..., object]) -> None:
    """Wait until something has happened; what the browser reports is heard meanwhile."""
    end = time.monotonic() + PATIENCE
    while not happened():
        assert time.monotonic() < end, "timed out"
        page.wait_for_timeout(GLANCE)


def stop_clock(page: Page) -> None:
    """Pause the time of a page that has its own clock, a minute ahead: it runs only as far as the test lets it."""
    page.clock.pause_at(page.evaluate("Date.now() / 1000 + 60"))  # seconds; a time that has passed would be refused


LOOK_AGAIN = "document.dispatchEvent(new Event('visibilitychange'))"
"""Makes a room's page ask its socket for an answer."""


def open_connected(page: Page, address: str, shown: str) -> None:
    """Open a room's page; wait for something on it, and until one of its sockets answers.

    The page before may still be opening a socket, which never answers, and a slow one is replaced by another.
    """
    heard: list[object] = []
    page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: heard.append(frame)))
    page.goto(address)
    heard.clear()  # what the page before has received
    page.wait_for_selector(shown)
    page.evaluate(LOOK_AGAIN)
    wait_on(page, lambda: heard)


def open_stopped(page: Page, address: str, shown: str) -> None:
    """Open a room's page, and pause its time once its socket answers: a pause ends every wait, also for the socket."""
    page.clock.install()
    open_connected(page, address, shown)
    stop_clock(page)


def move_fingers(page: Page, starts: Sequence[Sequence[float]], ends: Sequence[Sequence[float]]) -> None:
    """Move fingers in straight lines and lift them once they rest: a thrown page swallows a tap."""
    touch = page.context.new_cdp_session(page)
    for number, spots in enumerate(np.linspace(starts, ends, 7).tolist()):
        points = [{"x": x, "y": y, "id": finger} for finger, (x, y) in enumerate(spots)]
        touch.send("Input.dispatchTouchEvent", {"type": "touchMove" if number else "touchStart", "touchPoints": points})
    page.wait_for_timeout(200)  # then a resting finger no longer throws what it has moved
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    touch.detach()
    page.evaluate(TWO_FRAMES)


def drag(page: Page, start: Sequence[float], end: Sequence[float], device: str, *, held: bool = False) -> None:
    """Drag something with the `mouse` or a `finger`; if `held`, move it only after its bubble has appeared."""
    page.wait_for_selector("#offers:not(.inert)")
    touch = page.context.new_cdp_session(page) if device == "finger" else None
    for number, (x, y) in enumerate(np.linspace(start, end, 7).tolist()):
        if touch is not None:
            kind = "touchMove" if number else "touchStart"
            touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y}]})
        else:
            page.mouse.move(x, y)
        if touch is None and not number:
            page.mouse.down()
        if held and not number:
            page.wait_for_selector("#bubble:not([hidden])")
    if touch is not None:
        touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    else:
        page.mouse.up()


def sent_plays(page: Page) -> Callable[[], list[str]]:
    """Return a function that lists the plays that the page has sent from now on, as texts.

    A play that is sent again, because it is not answered yet, is listed once.
    """
    page.evaluate(
        """() => {
          const plays = new Map(), { send } = WebSocket.prototype, asks = window.fetch;
          const note = (message) => message.type === "play" && plays.set(message.command_id, JSON.stringify(message));
          window.played = () => [...plays.values()];
          WebSocket.prototype.send = function (text) {
            note(JSON.parse(text));
            return send.call(this, text);
          };
          window.fetch = (path, options) => {
            if (String(path).endsWith("/exchange")) JSON.parse(options.body).messages.forEach(note);
            return asks(path, options);
          };
        }"""
    )
    return lambda: page.evaluate("played()")


def play_out(guests: Sequence[BrowserGuest], shots: Mapping[int, str], most: float = float("inf")) -> int:
    """Press buttons until all guests see the end, or at least `most` times; return the number of presses.

    `shots` has the names of pictures to save, by number of presses.
    """
    turn, end = 0, time.monotonic() + PATIENCE
    while turn < most and not all(guest.state()["over"] for guest in guests):
        assert time.monotonic() < end, [guest.state() for guest in guests]
        for guest in guests:
            state = guest.state()
            if state["deaf"] and guest.hurried:
                guest.page.clock.run_for(DEAF_MILLISECONDS)
            if codes := state["codes"]:
                guest.press(codes[turn % len(codes)])
                turn, end = turn + 1, time.monotonic() + PATIENCE
                if turn in shots:
                    guest.screenshot(f"{shots[turn]}-{guest.page.viewport_size['width']}")
                    assert guest.overflow() <= 0
        guests[0].page.wait_for_timeout(GLANCE)
    return turn


def violations(page: Page, **options: Any) -> list[dict[str, Any]]:
    """Return the violations that axe finds. Its whole report would take much longer."""
    _load_axe(page)
    asked = {"resultTypes": ["violations"], **options}
    return page.evaluate("(options) => axe.run(options).then(({ violations }) => violations)", asked)


def serious_faults(page: Page) -> list[str]:
    """Return the serious and critical violations that axe finds, with at most three places each."""
    _load_axe(page)
    return [
        f"{found['id']}: {node['target']}"
        for found in violations(page, rules=page.evaluate(MILD))
        if found["impact"] in ("serious", "critical")
        for node in found["nodes"][:3]
    ]


def _load_axe(page: Page) -> None:
    if not page.evaluate("'axe' in window"):
        page.evaluate(f"{Axe().axe_script}; null")


def play_unseen(
    site: Site, room: Room, guests: Sequence[BrowserGuest], late: Callable[[Room], bool] = lambda room: False
) -> None:
    """Play to the end, or until `late`, while the guests are away from their pages.

    By then, a test has seen how pages handle presses; drawing the long middle of a match is slow.
    """
    address = guests[0].page.url
    for guest in guests:
        guest.page.goto("/health")
    while room.state.phase == "playing" and not late(room):
        site.run(_play_on(room, room.moments + 20, late))
    for guest in guests:
        guest.page.goto(address)


def all_seated(room: Room) -> bool:
    """Return whether everyone in Lifeboats has a place, so that ballots begin."""
    return room.view(None).table.phase > Phase.CREW


def two_boats_left(room: Room) -> bool:
    """Return whether at most two boats are at sea in Lifeboats, after the first round: the end is near."""
    table = room.view(None).table
    return table.rounds > 0 and sum(boat.at == At.SEA for boat in table.boats) <= 2


async def _play_on(room: Room, moments: int, late: Callable[[Room], bool]) -> None:
    while room.moments < moments and room.state.phase == "playing" and not late(room):
        for seat, occupant in enumerate(room.state.occupants):
            if occupant.person is not None and room.prompt_id(seat) is not None:
                legal = len(room.view(seat).legal)
                with contextlib.suppress(Refusal):  # a press from the page arrived first
                    await play_legal(room, occupant.person, room.state.moment.actions % legal)
        await asyncio.sleep(0.001)


# Pages of a test that use the site's own scripts


@contextlib.contextmanager
def serve_scripts(files: Mapping[str, str]) -> Iterator[str]:
    """Yield the address of `files` (texts by path) and the scripts; every other path returns nothing."""

    class Site(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            script = Path(tavola.web.__file__).parent / "static" / "js" / self.path.removeprefix("/")
            is_script = script.suffix == ".js" and script.exists()
            text = script.read_text(encoding="utf-8") if is_script else files.get(self.path, "")
            self.send_response(200)
            kinds = {".js": "text/javascript", ".css": "text/css"}
            self.send_header("Content-Type", kinds.get(script.suffix, "text/html; charset=utf-8"))
            self.send_header("Content-Security-Policy", "default-src 'self'; img-src data:")
            self.end_headers()
            self.wfile.write(text.encode())

        def log_message(self, *_: object) -> None:
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Site)
    with serving(server):
        yield f"http://127.0.0.1:{server.server_port}/"


@contextlib.contextmanager
def script_page(
    browser: Browser, files: Mapping[str, str], *, stopped: bool = False, **settings: Any
) -> Iterator[Callable[..., Page]]:
    """Yield a function that loads a page of `files`, in a size if one is given, until its script sets `ready`.

    Fails if the console has errors or warnings. If `stopped`, time runs only as far as the test lets it.
    """
    with serve_scripts(files) as address, contextlib.closing(browser.new_page(**settings)) as page:
        faults: list[str] = []
        record_errors(page, faults)
        if stopped:
            page.clock.install()

        def opened(path: str = "/", **size: Any) -> Page:
            if page.url.startswith(address):
                page.evaluate("sessionStorage.clear()")
            if size:
                page.set_viewport_size(cast(Any, size))
            page.goto(f"{address}{path[1:]}")
            page.wait_for_function("() => window.ready")
            return page

        yield opened
        assert faults == []
