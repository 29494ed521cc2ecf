"""The common tools of tests in a browser: guests with a real Chromium, who see, click and press keys."""

import asyncio
import contextlib
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, cast

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page

from tavola.core import Refusal
from tavola.games.lifeboats.components import At
from tavola.live import Room
from tests.helpers import PATIENCE, ROOT
from tests.helpers.rooms import play_legal
from tests.helpers.site import Guest, Site

DEAF_MILLISECONDS = 625
"""Milliseconds after which new choices listen."""
STRAY_MILLISECONDS = 650
"""Milliseconds after which a press is no more taken for the second of two that were meant for the page before."""
GLANCE = 30
"""Milliseconds between two looks at a page: each look costs it one or two."""
OUTPUT = ROOT / "test-output"
PHONE: dict[str, Any] = {"width": 360, "height": 740, "has_touch": True}
"""A guest who looks at a phone."""
LOOKS = ((360, 740, "dark"), (1280, 800, "light"))
"""Width, height and scheme of a page that is looked at: each size and each scheme once."""
in_looks = pytest.mark.parametrize(
    "looks",
    [
        pytest.param(LOOKS, id="usual"),
        pytest.param(((360, 740, "light"), (1280, 800, "dark")), id="other", marks=pytest.mark.soak),
    ],
)
"""The other two in the soak."""
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
"""Take one more step to an action, unless the page asks for something else than `before`, or it is `deaf`."""

BOXES = """() => {
  const box = (node) => node.getBoundingClientRect();
  const shown = (node) => box(node).width > 0 && getComputedStyle(node).visibility !== "hidden";
  const small = [...document.querySelectorAll("#room button, #room a, #room summary")].filter(shown)
    .filter((node) => Math.min(box(node).width, box(node).height) < 39.5 && !node.closest("dialog, .log, .bubble"))
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
"""On a phone: buttons too small for a finger, parts to be touched that are covered, words that are cut off, the place
of the board, and the distance that the page scrolls."""

PLATES = """() => {
  const stage = document.querySelector(".stage").getBoundingClientRect();
  const plates = [...document.querySelectorAll("#plates .plate")], box = (plate) => plate.getBoundingClientRect();
  const across = (one, other) => one.left < other.right && other.left < one.right;
  const meet = (one, other) => across(one, other) && one.top < other.bottom && other.top < one.bottom;
  const outside = ({ left, right, top, bottom }) =>
    left < stage.left || right > stage.right || top < stage.top || bottom > stage.bottom;
  return plates.filter((plate, at) => outside(box(plate)) ||
    plates.some((other, place) => place < at && meet(box(plate), box(other)))).map((plate) => plate.textContent);
}"""
"""The plates that tell what choices do and do not lie whole on the stage, or lie over one another."""

AT_REST = """addEventListener("animationstart", (event) => {
  for (const animation of event.target.getAnimations())
    if (animation.effect.getComputedTiming().iterations === Infinity) animation.pause();
}, true);"""
"""What moves for ever stands still: to draw it sixty times a second costs more than all else that a test does."""

UNSEEN = """const unseen = new CSSStyleSheet();
unseen.replaceSync("body { opacity: 0 !important }");
document.adoptedStyleSheets = [unseen];"""
"""Pages are laid out, measured and pressed, but drawn for pictures alone: drawing costs more than all else together."""

PRINT = """() => [...document.querySelectorAll(":is(.stage, .hand) .picture text, .fortunes text")].filter((text) => {
  const box = text.getBoundingClientRect(), style = getComputedStyle(text);
  return box.width && style.visibility !== "hidden" && box.right > 0 && box.left < innerWidth;
}).map((text) => {
  const scale = text.getScreenCTM();
  return [parseFloat(getComputedStyle(text).fontSize) * Math.hypot(scale.a, scale.b), text.textContent];
}).filter(([size]) => size < 10.99)"""
"""The words that pictures print smaller than 11 pixels, with their sizes."""


TWO_FRAMES = "() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))"
"""Wait until the page has been laid out and drawn: it hears of moving fingers and of its size once a frame."""


class BrowserGuest:
    """A guest with a browser of his own. Whatever goes wrong in his console is kept, and fails his test."""

    keeps_pictures: ClassVar[bool] = False
    """Whether pages are drawn for whoever looks at them: `--pictures`."""

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
        chosen: dict[str, Any] = {"locale": "en-GB", "reduced_motion": "reduce", "base_url": url, **settings}
        self.scripted = settings.get("java_script_enabled", True)
        self.context = browser.new_context(viewport={"width": width, "height": height}, **chosen)
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
        self.page = self.tab()

    def tab(self) -> Page:
        page = self.context.new_page()
        page.on("pageerror", lambda error: self.console_errors.append(str(error)))
        page.on(
            "console", lambda told: self.console_errors.append(told.text) if told.type in ("error", "warning") else None
        )
        return page

    def close(self) -> None:
        """Leave; nothing may have gone wrong."""
        self.context.close()
        assert self.console_errors == [], self.console_errors

    def become(self, other: "BrowserGuest | Guest") -> None:
        """Be the same person as another guest, in a browser beside his, or as one without script."""
        if isinstance(other, BrowserGuest):
            self.context.add_cookies(cast(Any, other.context.cookies()))
            return
        here = str(other.base_url)
        self.context.add_cookies(
            [{"name": each.name, "value": each.value or "", "url": here} for each in other.cookies.jar]
        )

    def open_room(self, fields: dict[str, str]) -> str:
        """Open a room as its form does; return its code. The page stays where it is."""
        return self._open("/rooms", fields)

    def _open(self, door: str, fields: dict[str, str]) -> str:
        opened = self.context.request.post(door, form=dict(fields))
        assert opened.ok, opened.text()
        return opened.url.rpartition("/")[2]

    def start(self, game: str = "lifeboats") -> str:
        """Go into a match against bots, as the button of the first page does; return the room's code."""
        if not self.scripted:
            self.page.goto("/")
            self.page.click(f'form:has(input[value="{game}"]) .button.primary')
            self.page.wait_for_url("**/r/*")
            return self.page.url.rpartition("/")[2]
        code = self._open("/quick", {"game": game})
        self.page.goto(f"/r/{code}")
        return code

    def state(self) -> dict[str, Any]:
        """Return the state of the page: `over`, and the choices that may be made now."""
        return self.page.evaluate(STATE)

    def wait_for_choices(self) -> dict[str, Any]:
        """Wait until something may be done, or the match is over. A hurried guest lets time run on meanwhile."""
        settled = "s.over || s.codes.length || hurried && s.deaf"
        wanted = f"([hurried]) => {{ const s = ({STATE})(); return {settled} ? s : false; }}"
        while (state := self._glance(wanted, self.hurried))["deaf"]:
            self.page.clock.run_for(DEAF_MILLISECONDS)
        return state

    def _glance(self, script: str, *arguments: object) -> Any:
        """Have the page itself look again and again until a script returns something; return that."""
        return self.page.wait_for_function(script, arg=arguments, polling=GLANCE).json_value()

    def listen(self) -> None:
        """Let time run on where choices do not listen yet, if time is this guest's to run."""
        if self.hurried and self.state()["deaf"]:
            self.page.clock.run_for(DEAF_MILLISECONDS)

    def wait(self, happened: Callable[..., object]) -> None:
        end = time.monotonic() + PATIENCE
        while not happened():
            assert time.monotonic() < end, "it has not happened"
            self.page.wait_for_timeout(GLANCE)

    def press(self, code: str) -> None:
        """Choose an action by its words, a step at a time; without script by its button."""
        if not self.scripted:
            self.page.click(f'[data-place="actions"] button[value="{code}"]')
            return
        before = self.state()["prompt"]
        while self._glance(STEP, code, before, self.hurried) == "deaf":
            self.page.clock.run_for(DEAF_MILLISECONDS)

    def open_panel(self, name: str) -> None:
        """Open a panel of the column, when a press is not taken any more for one on the page before."""
        self.page.wait_for_selector(".room.playing")
        self.page.wait_for_timeout(STRAY_MILLISECONDS)
        self.page.click(f'[data-tab="{name}"]')

    def check_layout(self, *, asked: bool = True) -> tuple[float, float]:
        """Check that on a phone nothing is covered, cut off, too small or scrolls; return the board's top and bottom.

        Where nothing is `asked` some things may lie over others, as cards do while they turn.
        """
        found = self.page.evaluate(BOXES)
        told = self.page.locator("#question").text_content()
        assert (found["scrolls"] <= 0, found["cut"]) == (True, []), told
        assert not asked or (found["small"], found["covered"]) == ([], []), told
        assert found["row"] <= 96, told
        assert self.page.evaluate(PLATES) == [], told
        return tuple(found["stage"])

    def small_print(self) -> list[tuple[float, str]]:
        return self.page.evaluate(PRINT)

    def overflow(self) -> int:
        """Return the pixels by which the page is too wide."""
        return self.page.evaluate("document.documentElement.scrollWidth - innerWidth")

    def looks(self, looks: Sequence[tuple[int, int, str]] = LOOKS) -> Iterator[str]:
        """Show the page in one look after the other, the present size first: drawing another is expensive."""
        present = self.page.viewport_size
        assert present is not None
        for width, height, scheme in sorted(looks, key=lambda look: look[0] != present["width"]):
            self.page.set_viewport_size({"width": width, "height": height})
            self.page.emulate_media(color_scheme=cast(Any, scheme))
            self.page.evaluate("document.fonts.ready.then(() => true)")  # without them words are of another width
            self.page.evaluate(TWO_FRAMES)
            yield f"{width}-{scheme}"

    def faults(self, name: str, looks: Sequence[tuple[int, int, str]] = LOOKS) -> dict[str, list[str]]:
        """Return what is too wide, and what axe finds serious, by look."""
        found = {}
        for look in self.looks(looks):
            too_wide = [f"too wide by {self.overflow()}"] if self.overflow() > 0 else []
            found[f"{name} {look}"] = too_wide + serious_faults(self.page)
            self.screenshot(f"{name}-{look}")
        return {look: faults for look, faults in found.items() if faults}

    def screenshot(self, name: str, **settings: Any) -> None:
        """Keep a picture of the whole page, where the run keeps pictures."""
        if not self.keeps_pictures:
            return
        hidden = self.page.evaluate_handle("[...document.adoptedStyleSheets]")
        self.page.evaluate("document.adoptedStyleSheets = []")
        self.page.screenshot(path=OUTPUT / f"{name}.png", **{"full_page": True, **settings})
        self.page.evaluate("(hidden) => { document.adoptedStyleSheets = hidden; }", hidden)


Visit = Callable[..., BrowserGuest]
"""The fixture of that name: makes guests who are seen out when the test is over."""


def stop_clock(page: Page) -> None:
    """Let the time of a page with a clock of its own stand still: it runs only as far as the test lets it."""
    page.clock.pause_at(page.evaluate("Date.now() + 1000"))


def open_stopped(page: Page, address: str, shown: str) -> None:
    """Open a page, and stop its time as soon as `shown` is there."""
    page.clock.install()
    page.goto(address)
    page.wait_for_selector(shown)
    stop_clock(page)


def drag(page: Page, start: Sequence[float], end: Sequence[float], device: str, *, held: bool = False) -> None:
    """Take something up here and put it down there, with the `mouse` or a `finger`.

    `held`: it is moved only after it has said what it is.
    """
    page.wait_for_selector("#offers:not(.inert)")
    touch = page.context.new_cdp_session(page) if device == "finger" else None
    steps = [[a + (b - a) * part / 6 for a, b in zip(start, end, strict=True)] for part in range(7)]
    for number, (x, y) in enumerate(steps):
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
    """Return what lists the plays that the page has sent since then, as texts."""
    page.evaluate(
        """() => {
          window.played = [];
          const send = WebSocket.prototype.send;
          WebSocket.prototype.send = function (text) {
            if (JSON.parse(text).type === "play") window.played.push(text);
            return send.call(this, text);
          };
        }"""
    )
    return lambda: page.evaluate("played")


def play_out(guests: Sequence[BrowserGuest], shots: Mapping[int, str], most: float = float("inf")) -> int:
    """Press buttons until everybody sees the end, or at least `most` times; return the number of presses.

    After as many presses as `shots` say, keep a picture.
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
    """Return what axe finds on a page. Fetching its whole report would take a third of the time."""
    page.evaluate(f"{Axe().axe_script}; null")
    asked = {"resultTypes": ["violations"], **options}
    return page.evaluate("(options) => axe.run(options).then(({ violations }) => violations)", asked)


def serious_faults(page: Page) -> list[str]:
    """What axe finds on a page that is serious or worse, with the first three places of each."""
    return [
        f"{found['id']}: {node['target']}"
        for found in violations(page)
        if found["impact"] in ("serious", "critical")
        for node in found["nodes"][:3]
    ]


def play_unseen(
    site: Site,
    room: Room,
    guests: Sequence[BrowserGuest],
    moments: int = 10_000,
    late: Callable[[Room], bool] = lambda room: False,
) -> None:
    """Have the guests leave their pages, decide by another door, as programs do, and come back after so many moments.

    They come back sooner where it is `late` in the match.

    What a page makes of a press has been seen by then; to draw the long middle of a match for nobody is dear.
    """
    address = guests[0].page.url
    for guest in guests:
        guest.page.goto("/health")
    while room.moments < moments and room.state.phase == "playing" and not late(room):
        site.run(_play_on(room, min(moments, room.moments + 20), late))
    for guest in guests:
        guest.page.goto(address)


def three_boats_left(room: Room) -> bool:
    """Whether in Lifeboats three boats are at sea, or fewer: the end is near, and no round brings it alone."""
    boats = room.view(None).table.boats
    return room.view(None).table.rounds > 0 and sum(boat.at == At.SEA for boat in boats) <= 3


async def _play_on(room: Room, moments: int, late: Callable[[Room], bool]) -> None:
    while room.moments < moments and room.state.phase == "playing" and not late(room):
        for seat, occupant in enumerate(room.state.occupants):
            if occupant.person is not None and room.prompt_id(seat) is not None:
                legal = len(room.view(seat).legal)
                with contextlib.suppress(Refusal):  # a press of the page that was on its way came first
                    await play_legal(room, occupant.person, room.state.moment.actions % legal)
        await asyncio.sleep(0.001)
