"""Two worlds on a real site that differ only in secrets, and everything that people without them receive.

A world is a room: Ada has seat 0, a bot of the cast seat 1, Carla seat 2, and Zita watches. What Ada and the bot
whisper, try, note and prepare differs; everything that Carla and Zita receive must be the same to the byte.
"""

import contextlib
import json
import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from tavola.core import CHANCE, Game, Match
from tavola.live.log.events import NewEvent, bot_event
from tavola.live.log.occupants import CAST
from tavola.show.cards import words_of
from tavola.talk import BadStatement, Conversation, language_of, parse_line, statement_texts
from tavola.web.serve import sockets
from tests.club.test_accounts import keep
from tests.helpers import PATIENCE, wait_for
from tests.helpers.days import SiteClock
from tests.helpers.mail import Mailbox, page_of, text_of
from tests.helpers.push import PushService
from tests.helpers.rooms import wait_until, write_events
from tests.helpers.site import Guest, Site, open_socket
from tests.helpers.talk import random_line

ADA, BOT, CARLA = 0, 1, 2
"""Seats: the first two have secrets, the third must not learn them."""
FORMS = ("", "json", "text")
"""What a WebSocket sends: fragments for pages, states for programs, sentences for language models."""
PAGES = ("/r/{code}", "/r/{code}/words", "/r/{code}/people")
"""Pages of a room that are compared."""
PAGES_OVER_DAYS = (*PAGES, "/r/{code}/since", "/r/{code}/since?scene=0", "/", "/mine", "/account/export")
"""Pages of a correspondence match that a player with an account fetches; scenes as JSON."""
EXPORTED = ("notices", "notes", "rooms", "seen")
"""Parts of an export that are about matches; the rest has times of signing in."""
UNEQUAL = (
    (re.compile(r'name="command_id" value="[^"]*"'), 'name="command_id"'),
    (re.compile(r"\b[0-9a-f]{16,}\b"), "digest"),
    (re.compile(r"/quiet/[\w.-]+"), "/quiet"),
    (re.compile(r'(?:Guest|Gast|Invité|Ospite)(?:\s+|",\s*")\d+'), "Guest"),
    (re.compile(r'data-have="[^"]*"'), "data-have"),  # a digest of the screen, which contains the room's code
)
"""Text that is random, or depends on the room's code."""


@dataclass
class Received:
    """The pairs of positions compared, and answers and bytes by receiver; newcomers' pages belong to the last pair."""

    positions: int = 0
    answers: Counter[str] = field(default_factory=Counter)
    bytes: Counter[str] = field(default_factory=Counter)


Mail = tuple[Mailbox, PushService]
"""Where e-mails and notifications arrive."""


class Line:
    """A WebSocket of a person who must not learn the secrets, and what it has received."""

    def __init__(self, site: Site, code: str, guest: Guest, form: str, held: contextlib.ExitStack) -> None:
        opened = open_socket(site.url, guest, code, form, ping_interval=None, max_size=None)
        self._line, self.is_measured = held.enter_context(opened), False

    def send(self, message: dict[str, Any]) -> None:
        self._line.send(json.dumps(message))

    def received(self) -> list[str]:
        """Return what has arrived since the last call, up to the answer to a ping that is sent now."""
        self.ask()
        return self.answered()

    def ask(self) -> None:
        self.send({"type": "ping"})

    def answered(self) -> list[str]:
        """Return what has arrived before the answer to a ping, without latency echoes, which depend on the clock."""
        texts = []
        while (text := str(self._line.recv(PATIENCE))) != '{"type":"pong"}':
            if text.startswith('{"type":"echo"'):
                self.is_measured = True
            else:
                texts.append(text)
        return texts


class World:
    """One room, and the people who see it without its secrets."""

    def __init__(self, site: Site, clock: SiteClock, match: Match, mail: Mail | None, **fields: str) -> None:
        self.site, self.clock, self.match, self.mail = site, clock, match, mail
        self.talk = Conversation(language_of(match.game)) if words_of(match.game).talk is not None else None
        self.held = contextlib.ExitStack()
        self.ada, self.carla, self.zita = (self.held.enter_context(site.guest()) for _ in range(3))
        for guest, face in ((self.ada, "cook"), (self.carla, "crown")):
            guest.cookies.set("face", face)  # otherwise it would be drawn from a random id
        form = {"game": match.game.name, "option-players": str(match.players), "patience": "0", **fields}
        self.code = self.ada.create(**form)
        self.room = site.room(self.code)
        self.room.caretaker.update = self._look_after  # no decisions except by the test
        if mail is not None:
            self._correspond(*mail)
        self.carla.post(f"/r/{self.code}/join", data={"seat": str(CARLA)})
        bots = [bot_event(seat, "random", CAST[seat]) for seat in range(1, match.players) if seat != CARLA]
        self.write([*bots, ("started", {})])
        self.lines: dict[str, Line] = {}
        self.notes = 0  # how often Ada has written to her pad

    def _look_after(self) -> None:
        """Apply the deadlines of a correspondence match, and nothing else."""
        if self.room.state.settings.days:
            self.room.caretaker.correspondence.update(tended=True)

    def settled(self) -> bool:
        """Return whether everyone who must decide in a correspondence match has a deadline."""
        state = self.room.state
        asked = [seat for seat in state.open_decisions if state.occupants[seat].person is not None]
        times = [state.dues[seat].prompt == state.decision_counts[seat] for seat in asked if seat in state.dues]
        return not state.settings.days or times == [True] * len(asked)

    def listen(self) -> None:
        """Open the WebSockets of Carla and Zita, and one on which Ada tries her plans."""
        self.own = Line(self.site, self.code, self.ada, "json", self.held)
        for name, guest in (("seat", self.carla), ("spectator", self.zita)):
            for form in FORMS:
                self.lines[f"{name} socket {form or 'page'}"] = Line(self.site, self.code, guest, form, self.held)
        presence = self.room.presence  # every WebSocket counts and has been announced
        self.site.run(wait_until(lambda: len(presence) == len(self.lines) + 1 and presence._timer is None))
        self.site.run(all_sent(self.room.id))
        for line in self.lines.values():
            line.received()

    def write(self, new_events: list[NewEvent]) -> None:
        self.site.run(write_events(self.room, new_events))
        wait_for(self.settled)
        self.site.run(all_sent(self.room.id))  # a slow WebSocket would be sent two changes at once
        self._await_emails()

    def keep_to_oneself(self, dice: random.Random) -> None:
        """Let Ada note, mute, leave an answer ahead, write to her pad, or try a plan: all of it is private."""
        state, code = self.room.state, self.match.game.actions.code
        person, codes = state.occupants[ADA].person, dice.sample(range(len(self.match.game.actions)), 2)
        private: list[NewEvent] = [
            ("noted", {"seat": ADA, "about": BOT, "mark": dice.choice(["", "pirate", "loyal"])}),
            ("muted", {"id": person.id, "speaker": 1, "muted": dice.random() < 0.5}),
            ("ahead", {"seat": ADA, "codes": [code(number) for number in codes], "unless": []}),
        ]
        if state.window is not None:
            private.append(("chosen", {"seat": ADA, "code": code(codes[0])}))
        choice = dice.randrange(len(private) + 2)
        if choice < len(private):
            self.write([private[choice]])
        elif choice == len(private):
            self.ada.post(f"/r/{self.code}/notes", data={"words": f"note {dice.random()}", "version": str(self.notes)})
            self.notes += 1
        elif ADA in state.open_decisions:
            planned = [n for n in self.room.view(ADA).legal if self.match.game.actions.verb(n).planned]
            plan = {"codes": [code(n) for n in planned[:1]], "prompt_id": self.room.prompt_id(ADA)}
            self.own.send({"type": "plan", "command_id": f"plan-{dice.randrange(10**9)}", **plan})
            self.own.received()

    def play(self, seat: int, number: int) -> None:
        before = self.match.view()
        self.match.play(number, seat)
        if self.talk is not None:
            self.talk.see(before, self.match)
        self.write([("played", {"seat": seat, "code": self.match.game.actions.code(number)})])

    def say(self, speaker: int, line: str) -> None:
        statement = parse_line(speaker, line, self.talk.language)
        texts = statement_texts(statement, self.talk.language)
        said = {name: value for name in texts.__struct_fields__ if (value := getattr(texts, name)) not in (None, "")}
        self.talk.say(statement, self.match)
        self.write([("spoke", {"seat": speaker, **said})])

    def heard_by(self, speaker: int, line: str) -> tuple[bool, int | None] | None:
        """Return whether a statement is whispered, and its addressee; None if it is illegal now."""
        try:
            statement = parse_line(speaker, line, self.talk.language)
            self.talk.require(statement, self.match.view())
        except BadStatement:
            return None
        addressed = self.talk._addressed(statement)
        return addressed.is_whispered, addressed.to

    def ask(self) -> None:
        """Send a ping on every WebSocket after everything has been sent."""
        self.site.run(all_sent(self.room.id))
        for line in (self.own, *self.lines.values()):
            line.ask()

    def answers(self, *, pages: bool, newcomer: str = "") -> dict[str, str]:
        """Return everything that Carla and Zita have received up to the ping, by receiver and channel."""
        self.own.answered()  # a player who never reads would be counted as away
        fold = last_of if self.room.state.settings.days else "\n".join
        found = {name: fold(line.answered()) for name, line in self.lines.items()}
        asked = PAGES_OVER_DAYS if self.room.state.settings.days else PAGES
        for name, guest in (("seat", self.carla), ("spectator", self.zita)):
            for page in asked if pages else ():
                found[f"{name} {page}{newcomer}"] = self.page(guest, page, newcomer or "en")
        found["measured"] = " ".join(name for name, line in self.lines.items() if line.is_measured)
        found |= {f"letter {place}": text for place, text in enumerate(self.emails())}
        return {name: text.replace(self.code, "ROOM") for name, text in found.items()}

    def page(self, guest: Guest, page: str, language: str) -> str:
        headers = {"Accept-Language": language}
        if "scene" in page:
            headers["Accept"] = "application/json"
        answer = guest.get(page.format(code=self.code), headers=headers)
        text = answer.text
        if answer.status_code == 200 and page.endswith("export"):
            text = json.dumps({key: answer.json().get(key) for key in EXPORTED})  # a guest has less
        return f"{answer.status_code} {answer.url.path}\n{text}"

    def _correspond(self, box: Mailbox, service: PushService) -> None:
        """Give Carla an account with an e-mail address, and a browser with notifications of her turns."""
        self.address = f"carla-{self.code}@example.org"
        keep(self.carla, box, self.address)
        self.browser = service.browser(self.site.app.state.site.club.pusher.key.public)
        self.carla.post("/push", json=self.browser.document)

    def _await_emails(self) -> None:
        """Wait until Carla has been sent everything: notifications of turns that have passed are dropped."""
        if self.mail is None:
            return
        rows, due = self.site.hub.store.rows, self.room.state.dues.get(CARLA)
        if due is not None:
            topic = f"turn/{self.code}/{CARLA}/{due.number}%"
            wait_for(lambda: rows("SELECT count(*) FROM outbox WHERE topic LIKE ?", (topic,))[0][0] == 2)
        wait_for(lambda: rows("SELECT count(*) FROM outbox WHERE ended = ''")[0][0] == 0)

    def emails(self) -> list[str]:
        """Return what Carla has been sent: e-mails, and notifications to her browser."""
        if self.mail is None:
            return []
        self._await_emails()
        box, service = self.mail
        sent = zip(box.recipients, box.emails, strict=True)
        emails = [email for recipient, email in sent if recipient == self.address]
        told = [f"{email['Subject']}\n{text_of(email)}\n{page_of(email)}" for email in emails[1:]]
        own = self.browser.document["endpoint"].rsplit("/", 1)[1]
        return [*told, *(json.dumps(each.content) for each in service.notifications if each.browser == own)]


def is_same(one: str, other: str) -> bool:
    """Return whether two texts differ only in random parts; comparing line by line first is faster."""
    lines, others = one.split("\n"), other.split("\n")
    pairs = zip(lines, others, strict=False)
    in_lines = len(lines) == len(others) and all(a == b or comparable(a) == comparable(b) for a, b in pairs)
    return in_lines or comparable(one) == comparable(other)


def comparable(text: str) -> str:
    """Return a text without its random parts."""
    for pattern, instead in UNEQUAL:
        text = pattern.sub(instead, text)
    return text


def last_of(texts: list[str]) -> str:
    """Return what messages have shown in the end, regardless of their number."""
    shown: dict[str, Any] = {}
    for message in map(json.loads, texts):
        told = {name: shown.get(name, []) + message[name] for name in ("happened", "told") if name in message}
        for part in message.get("frames", [message]):
            shown |= {name: {**shown.get(name, {}), **part.get(name, {})} for name in ("fragments", "order")}
        shown |= told if "frames" in message or message["type"] == "fragments" else {**message, **told}
    return json.dumps(shown, sort_keys=True, ensure_ascii=False)


connections: set[sockets.Connection] = set()
"""Open WebSockets of the site."""


class NotedConnection(sockets.Connection):
    """A connection that is in `connections` while it is open."""

    async def run(self) -> None:
        connections.add(self)
        try:
            await super().run()
        finally:
            connections.discard(self)


async def all_sent(code: str) -> None:
    """Wait until every WebSocket of a room has been sent all changes."""

    def waiting() -> bool:
        here = [each for each in connections if each.room.id == code]
        return any(each.stale or each.answers or each.changed.is_set() or not each.changed._waiters for each in here)

    await wait_until(lambda: not waiting())


class Pair:
    """Two worlds that look the same from outside, with common dice."""

    def __init__(self, site: Site, clock: SiteClock, game: Game, seed: int, mail: Mail | None, **fields: str) -> None:
        self.dice, self.clock, self.received = random.Random(seed), clock, Received()
        players = max(4, game.options.all[0].low)
        self.worlds = [World(site, clock, Match(game, players=players), mail, **fields) for _ in range(2)]
        self.players = players

    @property
    def eyes(self) -> list[int | None]:
        return [None, *range(CARLA, self.players)]

    # Events

    def begin(self) -> None:
        while CHANCE in self.worlds[0].match.to_act and self._act():
            pass

    def step(self) -> bool:
        """Let time pass; then play or say the same in both worlds, or something secret that differs."""
        self.clock.at += not self.worlds[0].room.state.settings.days  # e-mails contain the time that is left
        if self.worlds[0].talk is not None and self.dice.random() < 0.4:
            return self._whisper() if self.dice.random() < 0.7 else self._say_aloud()
        if self.dice.random() < 0.2:
            for world in self.worlds:
                for _ in range(self.dice.randint(0, 2)):
                    world.keep_to_oneself(self.dice)
            return True
        if self.worlds[0].room.state.settings.window and self.dice.random() < 0.5:
            for world in self.worlds:
                is_open = world.room.state.window is not None
                world.write([("closed", {}) if is_open else ("window", {"until": self.clock.at + 30})])
        hides = 0.7 if self.worlds[0].match.open else 0.5
        return (self.dice.random() < hides and self._hide()) or self._act()

    def _act(self) -> bool:
        """Play something that looks the same from outside; return False if nothing does."""
        owing = list(self.worlds[0].match.to_act)
        self.dice.shuffle(owing)
        for seat in owing:
            legal = [set(world.match.legal_numbers(seat)) for world in self.worlds]
            common = sorted(legal[0] & legal[1])
            self.dice.shuffle(common)
            for number in common[:8]:
                if self._looks_equal([[(seat, number)]] * 2):
                    for world in self.worlds:
                        world.play(seat, number)
                    return True
        return False

    def _hide(self) -> bool:
        """Play secret actions, different ones or another number of them in each world."""
        seats = [seat for seat in (ADA, BOT) if seat in self.worlds[0].match.to_act]
        if not seats:
            return False
        seat = self.dice.choice(seats)
        plans = [self._secret_steps(world, seat) for world in self.worlds]
        if plans[0] == plans[1] or not self._looks_equal(plans):
            return False
        for world, plan in zip(self.worlds, plans, strict=True):
            for actor, number in plan:
                world.play(actor, number)
        return True

    def _secret_steps(self, world: World, seat: int) -> list[tuple[int, int]]:
        match, steps = world.match.copy(), list[tuple[int, int]]()
        for _ in range(self.dice.randint(0 if match.open else 1, 5 if match.open else 1)):
            secret = [n for n in match.legal_numbers(seat) if match.game.actions.verb(n).secret]
            if not secret:
                break
            steps.append((seat, self.dice.choice(secret)))
            match.play(steps[-1][1], seat)
        return steps

    def _looks_equal(self, plans: Sequence[Sequence[tuple[int, int]]]) -> bool:
        """Return whether these actions, one list for each world, look the same from outside.

        False if an action ends the match, because that reveals everything.
        """
        seen = []
        for world, plan in zip(self.worlds, plans, strict=True):
            match, shown = world.match.copy(), []
            for seat, number in plan:
                match.play(number, seat)
                shown.append([match.view(eyes).tobytes() for eyes in self.eyes])
            before = [world.match.view(eyes).tobytes() for eyes in self.eyes]
            changes = [now for was, now in zip([before, *shown], shown, strict=False) if was != now]
            seen.append((changes, [match.heard(eyes, len(world.match.history)) for eyes in self.eyes]))
            if match.over:
                return False
        return seen[0] == seen[1]

    # Talk

    def _whisper(self) -> bool:
        """Let Ada or the bot whisper to the other: as often in both worlds, but not the same."""
        speaker = self.dice.choice((ADA, BOT))
        lines = [self._line(world, speaker, (True, BOT if speaker == ADA else ADA)) for world in self.worlds]
        if None in lines:
            return False
        for world, line in zip(self.worlds, lines, strict=True):
            world.say(speaker, str(line))
        return True

    def _line(self, world: World, speaker: int, heard_by: tuple[bool, int | None]) -> str | None:
        for _ in range(60):
            line = random_line(world.talk, world.match, speaker, self.dice)
            if world.heard_by(speaker, line) == heard_by:
                return line
        return None

    def _say_aloud(self) -> bool:
        """Let a seat say the same to all in both worlds."""
        first = self.worlds[0]
        for _ in range(30):
            speaker = self.dice.randrange(self.players)
            line = random_line(first.talk, first.match, speaker, self.dice)
            heard = [world.heard_by(speaker, line) for world in self.worlds]
            if heard[0] == heard[1] and heard[0] is not None and not heard[0][0]:
                for world in self.worlds:
                    world.say(speaker, line)
                return True
        return False

    # Comparison

    def compare(self, *, pages: bool = True, newcomer: str = "") -> None:
        """Compare everything that Carla and Zita receive; `newcomer` is a language not used by any viewer so far."""
        for world in self.worlds:
            world.ask()
        one, other = (world.answers(pages=pages, newcomer=newcomer) for world in self.worlds)
        assert one.keys() == other.keys()
        for name, text in one.items():
            assert is_same(text, other[name]), difference(name, comparable(text), comparable(other[name]))
            self.received.answers[name] += 1
            self.received.bytes[name] += len(text)
        self.received.positions += not newcomer

    def own_pages_differ(self) -> bool:
        """Return whether Ada's own page differs between the worlds: only then is there something to leak."""
        one, other = (world.page(world.ada, PAGES[0], "en").replace(world.code, "ROOM") for world in self.worlds)
        return not is_same(one, other)


def difference(name: str, one: str, other: str) -> str:
    at = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    return f"{name}: {one[max(0, at - 150) : at + 60]!r} here, {other[max(0, at - 150) : at + 60]!r} there"


@contextlib.contextmanager
def two_worlds(
    site: Site, clock: SiteClock, game: Game, seed: int, mail: Mail | None = None, **fields: str
) -> Iterator[Pair]:
    """Yield two worlds of a game; `mail` is where e-mails and notifications to Carla arrive."""
    pair = Pair(site, clock, game, seed, mail, **fields)
    with contextlib.ExitStack() as held:
        for world in pair.worlds:
            held.enter_context(world.held)
            world.listen()
        yield pair
