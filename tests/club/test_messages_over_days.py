"""Whole matches over days under a shifted clock: every e-mail and notification, compared with a list to be read.

`pytest tests/club/test_messages_over_days.py --goldens` writes the lists.
"""

import math
import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import datetime
from email.header import decode_header, make_header
from pathlib import Path
from types import SimpleNamespace
from typing import NamedTuple
from zoneinfo import ZoneInfo

import pytest

from tavola.club import notices
from tavola.club.sending import mailer, outbox
from tavola.live import Room
from tavola.live.bots import thinking
from tavola.live.commands.waiting import is_nudged, nudgeable_at
from tavola.live.correspondence.due_dates import next_look, open_dues
from tavola.live.log.dice import Dice
from tavola.live.protocol import ComeBack, Nudge
from tavola.web import emails
from tavola.web.requests.guard import HostNames
from tests.club.test_push import subscribe
from tests.helpers import wait_for
from tests.helpers.days import HOUR, MINUTE, SiteClock
from tests.helpers.mail import Mailbox, text_of
from tests.helpers.push import PushService
from tests.helpers.rooms import play, send
from tests.helpers.site import Guest, Site, site_at
from tests.live.time.test_correspondence import is_settled

MISSED = None
"""In place of the hours until a decision: it is never made."""
SOON = MINUTE / HOUR
NUDGED_BEFORE = 80
"""Hours until a decision before which the first player nudges."""
NUDGED_AFTER, BACK_AFTER = 40 * HOUR, 30 * HOUR
"""Seconds from a question to the first player's nudge, and from the loss of a seat to its owner's return."""
MAILED, PUSHED = "e-mail", "notification"


class Player(NamedTuple):
    """A player: language, time zone, the hours from each question to the decision, in turn, and ways of messages."""

    name: str
    language: str
    zone: str
    hours: Sequence[float | None]
    ways: Sequence[str] = (MAILED,)


TWO = (
    Player("Ada", "en", "Europe/London", (SOON, 5, 26, 60, 2)),
    Player("Bea", "de", "Europe/Berlin", (1, 60, 80, MISSED, 3, SOON, MISSED, MISSED, MISSED, 4), (MAILED, PUSHED)),
)
SIX = (
    Player("Ada", "en", "Europe/London", (5, 26, SOON)),
    Player("Bea", "de", "Europe/Berlin", (1, 60, 80, MISSED, 3)),
    Player("Carla", "it", "Europe/Rome", (30, 2, 58, MISSED), (PUSHED,)),
    Player("Denis", "fr", "Europe/Paris", (2, MISSED, MISSED, MISSED, 9)),
    Player("Eve", "en", "America/New_York", (SOON, 40, 3), (PUSHED,)),
    Player("Fritz", "de", "Asia/Tokyo", (12,)),
)


class Correspondents:
    """The players of a match over days, and the messages that they get."""

    def __init__(self, site: Site, clock: SiteClock, box: Mailbox, service: PushService) -> None:
        self.site, self.clock, self.box, self.service = site, clock, box, service
        self.players: dict[str, Player] = {}
        self.guests: dict[str, Guest] = {}
        self.browsers: dict[str, str] = {}
        self.messages: list[tuple[datetime, Player, str, str]] = []
        self._waits: dict[tuple[int, int], float | None] = {}  # by seat and number of the decision
        self._turns = Counter[int]()
        self._last: int | None = None  # the seat that has just decided
        self._read = 0

    def register(self, player: Player) -> None:
        guest = self.guests[player.name] = self.site.guest(player.language)
        count = len(self.box.emails) + 1
        guest.post("/account/mail", data={"address": f"{player.name.lower()}@example.org"})
        guest.post(self.box.link(count))
        self.players[player.name], self._read = player, count
        if PUSHED in player.ways:
            self.browsers[subscribe(self.site, guest, self.service).name] = player.name
        if MAILED not in player.ways:
            guest.post("/account/notices", data={"manner": "push"})

    def sit_down(self, game: str, bank_days: int) -> Room:
        """Start a match of all players with three days for each decision, and a time bank."""
        (host, *others), size = self.players.values(), len(self.players)
        fields = {"game": game, "name": host.name, "days": "3", "zone": host.zone, "option-players": str(size)}
        code = self.guests[host.name].create(**fields, bank_days=str(bank_days))
        for player in others:
            self.guests[player.name].post(f"/r/{code}/join", data={"name": player.name, "zone": player.zone})
        self.guests[host.name].post(f"/r/{code}/start")
        return self.site.room(code)

    def play(self, room: Room) -> None:
        """Let days pass until the match is over and everyone knows."""
        while room.state.phase == "playing":
            wait_for(lambda: self.site.call(self._is_settled, room))
            self._go_on(room)
        self.deliver()

    def deliver(self) -> None:
        """Let time pass until all messages have arrived."""
        wait_for(lambda: not self.site.call(self._is_busy))
        while (due := self._next_message()) is not None:
            self._send_due(due)
        self._read_new()

    def _is_settled(self, room: Room) -> bool:
        return is_settled(room.state) and not self._is_busy()

    def _is_busy(self) -> bool:
        names = [getattr(task.get_coro(), "__qualname__", "") for task in self.site.hub.tasks._background]
        return any(name.endswith(("._put", ".run_due")) for name in names)

    def _go_on(self, room: Room) -> None:
        """Let time pass until something happens: a deed of a player, a message or a deadline."""
        deeds, message, look = self._plans(room), self._next_message(), next_look(room.state)
        self._read_new()  # what needed no waiting has been sent
        first = min(deeds, default=None, key=lambda deed: deed[0])
        self.clock.at = max(self.clock.at, min(at for at in (first and first[0], message, look) if at is not None))
        if message is not None and message <= self.clock.at:
            self._send_due(message)
        elif first is not None and first[0] <= self.clock.at:
            self._do(room, *first[1:])
        else:
            self.site.run(self.site.hub.update_deadlines())
            wait_for(lambda: room.state.phase == "over" or self.site.call(next_look, room.state) != look)

    def _plans(self, room: Room) -> list[tuple[float, type, int]]:
        """Return what players mean to do, with times and seats."""
        state, plans = room.state, list[tuple[float, type, int]]()
        for seat, place in enumerate(state.occupants):
            if place.is_missed:
                plans.append((place.bot_since + BACK_AFTER, ComeBack, seat))
        for seat, due in open_dues(state).items():
            asked, wait = due.asked or due.since, self._wait(room, seat, due.number)
            if wait is not MISSED:
                plans.append((asked + wait * HOUR, object, seat))
            nudges = wait == NUDGED_BEFORE and 0 not in state.dues and not due.stage
            if nudges and not is_nudged(state, seat, self.clock.at):
                plans.append((max(asked + NUDGED_AFTER, nudgeable_at(state, seat, due)), Nudge, seat))
        return plans

    def _wait(self, room: Room, seat: int, number: int) -> float | None:
        """Return the hours until a decision; a player who has just decided goes on at once."""
        if (seat, number) in self._waits:
            return self._waits[seat, number]
        hours, at_once = self.players[room.names[seat]].hours, self._last == seat
        wait = SOON if at_once else hours[self._turns[seat] % len(hours)]
        self._turns[seat] += not at_once
        self._waits[seat, number], self._last = wait, None
        return wait

    def _do(self, room: Room, kind: type, seat: int) -> None:
        place, host = room.state.occupants[seat], room.state.host
        assert place.person is not None
        if kind is Nudge:
            self.site.run(send(room, host, Nudge, seat))
        elif kind is ComeBack:
            self.site.run(send(room, place.person, ComeBack))
        else:
            legal = room.view(seat).legal
            code = room.state.game.actions.code(legal[room.state.moments % len(legal)])
            self.site.run(play(room, place.person, code))
            self._last = seat

    def _next_message(self) -> float | None:
        """Return when the next message is due, None if none waits, once no message is being sent.

        It asks for both at once: a worker that takes a message to send it also moves the time at which it is due.
        """
        asked = "SELECT coalesce(sum(taken_by <> ''), 0), min(due_at) FROM outbox WHERE ended = ''"
        found = list[tuple[int, float | None]]()

        def is_settled() -> bool:
            found[:] = self.site.hub.store.rows(asked)
            return not found[0][0]

        wait_for(is_settled)
        return found[0][1]

    def _send_due(self, due: float) -> None:
        self.clock.at = max(self.clock.at, due)
        self.site.call(self.site.app.state.site.club.ring)
        wait_for(lambda: (self._next_message() or math.inf) > self.clock.at)
        self._read_new()

    def _read_new(self) -> None:
        pushed, self.service.notifications[:] = list(self.service.notifications), []
        arrived = list[tuple[Player, str, str]]()
        for each in pushed:
            text = f"{each.content['title']}\n\n{each.content['body']}\n"
            arrived.append((self.players[self.browsers[each.browser]], PUSHED, text))
        for email, address in zip(self.box.emails[self._read :], self.box.recipients[self._read :], strict=True):
            text = f"{make_header(decode_header(email['Subject']))}\n\n{text_of(email)}".replace("\r\n", "\n")
            arrived.append((self.players[address.partition("@")[0].title()], MAILED, text))
        self._read = len(self.box.emails)
        for player, way, text in arrived:
            self.messages.append((datetime.fromtimestamp(self.clock.at, ZoneInfo(player.zone)), player, way, text))

    def listed(self) -> str:
        """Return all messages, with times by the recipients' clocks; texts under a known title are left out."""
        told, known = list[str](), set[tuple[str, str, str]]()
        for at, player, way, text in sorted(self.messages):
            title, _, rest = text.partition("\n\n")
            kind = player.name, way, re.sub(r"\d+", "", title)
            told.append(f"== {player.name}, {at:%A %-d %B, %H:%M} ({player.zone}), {way}: {title}\n")
            told += [] if kind in known else [*rest.splitlines(), ""]
            known.add(kind)
        return "\n".join(told)


@pytest.fixture
def clock() -> SiteClock:
    return SiteClock()


@pytest.fixture
def correspondents(path, mail, service, clock, monkeypatch) -> Iterator[Correspondents]:
    """A site on which time is that of the clock, and chance and bots draw from a seed."""
    for module in (mailer, notices, outbox, emails):
        monkeypatch.setattr(module, "time", SimpleNamespace(time=clock))
    drawn = random.Random(3)
    monkeypatch.setattr(thinking, "secrets", SimpleNamespace(choice=drawn.choice, randbits=lambda bits: 1))
    names, dice = HostNames(frozenset({"127.0.0.1"}), home="https://tavola.example"), Dice(random.Random(3))
    with site_at(path, mail=mail[1], reach=service.reach, names=names, clock=clock, dice=dice) as site:
        played = Correspondents(site, clock, mail[0], service)
        yield played
        for guest in played.guests.values():
            guest.close()


@pytest.mark.parametrize(
    ("name", "players", "game", "bank_days"),
    [("two", TWO, "expedition", 1), pytest.param("six", SIX, "voyage", 0, marks=pytest.mark.soak)],
)
def test_every_message_of_a_match_over_days(correspondents: Correspondents, request, name, players, game, bank_days):
    for player in players:
        correspondents.register(player)
    room = correspondents.sit_down(game, bank_days)
    correspondents.play(room)
    host = correspondents.guests[players[0].name]
    again = host.post(f"/r/{room.id}/rematch").url.path.rpartition("/")[2]
    correspondents.deliver()
    third = host.create(game="lifeboats", name=players[0].name, days="7")
    host.post(f"/r/{third}/companions", data={"with": f"{room.id}-1"})
    correspondents.deliver()

    assert {at.hour for at, *_ in correspondents.messages} <= set(range(8, 22)), "no message arrives at night"
    told = correspondents.listed()
    for place, code in enumerate((room.id, again, third), 1):
        told = told.replace(code, f"ROOM-{place}")
    told = re.sub(r"/quiet/\S+", "/quiet/TOKEN", told)
    golden = Path(__file__).parent / f"messages-of-{name}.txt"
    if request.config.option.goldens:
        golden.write_text(told, encoding="utf-8")
    assert told == golden.read_text(encoding="utf-8")
