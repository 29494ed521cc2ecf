"""Recorded matches staged in a room of the site, so that the real pages show any decision and any scene."""

import json
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import count, pairwise
from typing import Any, NamedTuple

from playwright.sync_api import Page, WebSocket

import tavola
from tavola.core import CHANCE, Match, View
from tavola.core.rng import random_below, stream
from tavola.live.log.events import bot_event
from tavola.live.log.occupants import CAST
from tavola.show.cards import words_of
from tavola.show.pictures import scene
from tavola.show.speech import Say
from tests.helpers.browser import LISTENING, LOOK_AGAIN, BrowserGuest, open_connected, open_stopped
from tests.helpers.rooms import write_events
from tests.helpers.site import Guest, Site

NAMES = ("Ada", *(member.name for member in CAST[1:]))
MY_SEAT = 0
"""Seat of the viewer."""
MATCHES = {
    "lifeboats": ("lifeboats", 4, 8),
    "voyage": ("voyage", 5, 16),
    "fairies": ("fairies", 3, 2),
    "expedition": ("expedition", 3, 2),
    "tournament": ("tournament", 3, 5),
}
"""A match of each game: game, players and seed."""
MATCH = MATCHES["lifeboats"]


class StagedMoment(NamedTuple):
    """A moment to show: before action number `at`, counted from 0, or with `scene` its outcome."""

    at: int
    name: str
    scene: bool


@lru_cache(maxsize=8)
def random_match(game: str, players: int, seed: int) -> Match:
    """Return a whole match drawn at random from `seed`; the viewer decides after the others."""
    match, rng = Match(tavola.load(game), players=players, seed=seed), stream(seed)
    while not match.over:
        seat = match.to_act[-1]
        legal = match.legal_numbers(seat)
        match.play(legal[random_below(rng, len(legal))], seat)
    return match


def code_at(match: Match, place: int) -> str:
    """Return the code of an action in the history of a match."""
    return match.game.actions.code(match.history[place][1])


def views(match: Match, seat: int | None) -> Iterator[View]:
    return (View(match.game, match.states_at(moment), seat) for moment in range(len(match.history) + 1))


def decisions(match: Match) -> Iterator[StagedMoment]:
    """Yield the viewer's last decision of every kind, without those in the last 30 % of the match."""
    found: dict[str, int] = {}
    for at, view in enumerate(views(match, MY_SEAT)):
        if MY_SEAT in view.to_act and (at < 0.7 * len(match.history)):
            verbs = sorted({match.game.actions.action(number).verb for number in view.legal})
            found[f"{'-'.join(verbs)}-{view.table.phase}"] = at
    yield from (StagedMoment(at, f"decides-{name}", scene=False) for name, at in found.items())


def scenes(match: Match, told: Mapping[str, str]) -> Iterator[StagedMoment]:
    """Yield the first scene for each entry of `told`: a name, and a pattern of its sentences in English."""
    say, missing = Say.of(match.game, "en", NAMES), dict(told)
    for at, (before, after) in enumerate(pairwise(views(match, None))):
        heard = match.game.observe_action(*match.history[at], None)
        sentences = " ".join(words_of(match.game).events(before, after, heard, say))
        here = [name for name, pattern in missing.items() if re.search(pattern, sentences)]
        if here and scene(before, after, heard, say):
            yield StagedMoment(at, f"scene-{'-'.join(here)}", scene=True)
            for name in here:
                del missing[name]


class Staged:
    """A calm room that replays a recorded match: the viewer has seat 0, bots have the others.

    It begins before action number `at`. The bots decide nothing, unless `alive`: then they play on from that moment.
    """

    def __init__(
        self, site: Site, match: Match, me: BrowserGuest | Guest, at: int = 0, *, alive: bool = False, **fields: str
    ) -> None:
        self.site, self.match, self.at = site, match, 0
        players = {"option-players": str(match.players)}
        self.code = me.create(game=match.game.name, name=NAMES[MY_SEAT], **{"pace": "calm", **players, **fields})
        self.room = site.room(self.code)
        if not alive:
            self.room.attend = lambda: None
        self.write([*(bot_event(seat, "random", CAST[seat]) for seat in range(1, match.players)), ("started", {})])
        self.advance_to(at)

    def show(self, guest: BrowserGuest, shown: str = LISTENING, *, at: int | None = None) -> Page:
        """Open the room's page; wait for its socket and something on it, usually choices that accept presses.

        If another moment is given, no page is open until then: applying every change would take long.
        """
        if at is not None:
            guest.page.goto("/health")
            self.advance_to(at)
        open_connected(guest.page, f"/r/{self.code}", shown)
        return guest.page

    @property
    def table(self) -> Any:
        """The table as the viewer sees it."""
        return self.room.view(MY_SEAT).table

    def advance_to(self, moment: int) -> None:
        code = self.match.game.actions.code
        new_events = [("played", {"seat": s, "code": code(n)}) for s, n in self.match.history[self.at : moment]]
        if moment == len(self.match.history) != self.at and self.match.over:
            result = self.match.result()
            new_events.append(("over", {"points": list(result.points), "places": list(result.ranks)}))
        self.write(new_events)
        self.at = moment

    def say(self, text: str) -> None:
        self.write([("said", {"id": "somebody-1", "name": NAMES[1], "seat": 1, "text": text})])

    def write(self, new_events: list[tuple[str, dict[str, Any]]]) -> None:
        """Write events as the room writes its own."""
        if new_events:
            self.site.run(write_events(self.room, new_events))


def last_voter(match: Match) -> int:
    """Return a moment at which only the viewer's vote is missing from a ballot, and others decide after it."""
    owing = [view.to_act for view in views(match, None)]
    for at, (seat, number) in enumerate(match.history):
        last = seat == MY_SEAT and verb_of(match, number) == "vote" and owing[at] == (MY_SEAT,)
        if last and owing[at + 1 + (owing[at + 1] == (CHANCE,))] != (MY_SEAT,):
            return at
    raise AssertionError("nobody votes last")


def verb_of(match: Match, number: int) -> str:
    return match.game.actions.verb(number).name


def staged_at(site: Site, ada: BrowserGuest, verb: str, game: tuple[str, int, int] = MATCH, least: int = 0) -> "Staged":
    """Return a room where the viewer must decide with a verb, with more than `least` answers."""
    match = random_match(*game)
    own = (at for at, (seat, number) in enumerate(match.history) if seat == MY_SEAT and verb_of(match, number) == verb)
    at = next(at for at in own if len(View(match.game, match.states_at(at), MY_SEAT).legal) > least)
    return Staged(site, match, ada, at)


TICK = 50
"""Milliseconds between two looks at a scene."""


class SceneWatcher:
    """A page with stopped time, settled at first: scenes advance only as far as the test lets them."""

    def __init__(self, visitor: BrowserGuest, staged: Staged, before: BrowserGuest | Guest | None = None) -> None:
        self.visitor, self.page, self.staged = visitor, visitor.page, staged
        visitor.hurried = True  # what its helpers wait for needs time
        if before is not None:
            visitor.become(before)
        self.pings = self.pongs = self.shown = 0
        self.frames = list[int]()
        self.boards = set[tuple[float, float]]()
        self.page.on("websocket", self._listen)
        open_stopped(self.page, f"/r/{staged.code}", ".room:not(.gathering)")
        self.moves = self.page.evaluate("!matchMedia('(prefers-reduced-motion: reduce)').matches")
        self.settle()

    def _listen(self, line: WebSocket) -> None:
        line.on("framereceived", self._take)
        line.on("framesent", self._note)

    def _note(self, text: str | bytes) -> None:
        self.pings += json.loads(text)["type"] == "ping"

    def _take(self, text: str | bytes) -> None:
        message = json.loads(text)
        if message["type"] == "scene":
            self.frames, self.shown = [frame["milliseconds"] for frame in message["frames"]], 0
        self.pongs += message["type"] == "pong"

    def settle(self) -> None:
        """Show everything that has happened so far, without its scenes, until choices accept presses."""
        if self.moves:
            self.page.emulate_media(reduced_motion="reduce")
        self.arrive()
        self.page.wait_for_selector(".room:not(.in-scene)")
        self.page.clock.run_for(500)
        if self.moves:
            self.page.emulate_media(reduced_motion="no-preference")
        self.frames = []

    def arrive(self) -> None:
        """Wait until everything that has happened has been received: two answers to pings guarantee it."""
        for _ in range(2):
            before = self.pings
            self.visitor.wait(lambda: self._ask() > before)  # noqa: B023 - called at once
            self.visitor.wait(lambda: self.pongs >= self.pings)
        self.page.clock.run_for(20)

    def _ask(self) -> int:
        """Make the page send a ping; return the number of pings, which stays the same until its WebSocket is open."""
        self.page.evaluate(LOOK_AGAIN)
        return self.pings

    def film(self, script: str) -> Iterator[tuple[int, Any]]:
        """Show all scenes; every `TICK`, yield the milliseconds since they began, and the value of a script."""
        looked = f"() => [({script})(), Boolean(document.querySelector('.in-scene'))]"
        for at in count(0, TICK):
            value, plays = self.page.evaluate(looked)
            yield at, value
            if not plays:
                return
            self.page.clock.run_for(TICK)

    def stop_at(self, number: int) -> None:
        """Show the scene up to a frame, counted from 0."""
        for milliseconds in self.frames[self.shown : number]:
            self.page.clock.run_for(milliseconds)
        self.shown = number
