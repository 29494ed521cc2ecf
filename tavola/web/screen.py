"""What is shown of a room, cut into fragments that are sent alone when they change.

Two kinds of fragments: `prompt`, `actions` … are the inside of an element that the page has (`data-place`);
`pieces:boat-red`, `log:12-0` … are children, with an id of their own, of a list that the page has (`data-list`), and
`order` says which children a list has. What everybody sees is one part, made once a room and language, what one seat
sees another, made once a seat. Both are shared by all who look, and so is what has to be sent after a change.
"""

import hashlib
import weakref
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from json import dumps

from markupsafe import Markup

from tavola.bots import LEVELS
from tavola.core import Played, View
from tavola.live import Room, Said
from tavola.show.board import Pieces
from tavola.show.speech import Say
from tavola.web.notes import editor
from tavola.web.render import game_say, markup
from tavola.web.sentences import level_names
from tavola.web.visitor import site_say

LOG_LINES = 30
CHAT_LINES = 100
MOST_BUTTONS = 24
"""A verb with more actions than this is asked by a list instead of buttons."""


class Part:
    """Fragments and lists that change together."""

    def __init__(self, places: Mapping[str, str], lists: Mapping[str, Mapping[str, str]]) -> None:
        items = {f"{name}:{child}": text for name, children in lists.items() for child, text in children.items()}
        self.fragments: dict[str, str] = {**places, **items}
        self.order = {name: tuple(children) for name, children in lists.items()}
        self._since: tuple[Part | None, tuple[str, str]] | None = None

    def since(self, before: "Part | None") -> tuple[str, str]:
        """What turns `before` into this, as the members of two JSON objects: fragments, and lists with their children.

        Almost everybody was sent the same before, so the last answer is kept.
        """
        if before is self:
            return "", ""
        if self._since is None or self._since[0] is not before:
            self._since = before, self._difference(before)
            if before is not None:  # nobody will be sent again what came before it, and it must not be held
                before._since = None
        return self._since[1]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Part) and (self.fragments, self.order) == (other.fragments, other.order)

    __hash__ = object.__hash__

    def _difference(self, before: "Part | None") -> tuple[str, str]:
        known, lists = (before.fragments, before.order) if before is not None else ({}, {})
        changed = {name: text for name, text in self.fragments.items() if known.get(name) != text}
        order = {name: children for name, children in self.order.items() if lists.get(name) != children}
        return dumps(changed)[1:-1], dumps(order)[1:-1]


@dataclass(frozen=True)
class Screen:
    """All that is shown of a room to one seat in one language. `kind` names the page it belongs to."""

    kind: str
    shared: Part
    own: Part

    @classmethod
    def blank(cls, kind: str) -> "Screen":
        """A page of a kind that shows nothing yet."""
        return cls(kind, Part({}, {}), Part({}, {}))

    @property
    def fragments(self) -> dict[str, str]:
        """Every fragment."""
        return self.shared.fragments | self.own.fragments

    @property
    def order(self) -> dict[str, tuple[str, ...]]:
        """The children of every list."""
        return self.shared.order | self.own.order

    def children(self, name: str) -> list[str]:
        """The markup of a list's children, in order."""
        return [self.fragments[f"{name}:{child}"] for child in self.order[name]]

    def boards(self, names: Iterable[str]) -> dict[str, dict[str, list[str]]]:
        """The pieces of each board, those of all and one's own, by the names of their lists."""
        kinds = ("pieces", "own")
        return {board: {f"{kind}-{board}": self.children(f"{kind}-{board}") for kind in kinds} for board in names}

    @cached_property
    def digest(self) -> str:
        """A name for exactly this screen, which begins with that of its page."""
        shown = (self.shared.fragments, self.shared.order, self.own.fragments, self.own.order)
        return f"{_digest(self.kind)}.{_digest(repr(shown))}"

    def is_page_of(self, digest: str) -> bool:
        """Whether the screen with this digest belonged to the same page."""
        return digest.partition(".")[0] == _digest(self.kind)


def _digest(text: str) -> str:
    return hashlib.blake2s(text.encode(), digest_size=12).hexdigest()


@dataclass(frozen=True)
class Chair:
    """A seat as it is shown to everybody."""

    number: int
    name: str
    level: str | None
    free: bool
    host: bool
    away: bool
    taken_over: bool
    ready: bool = True
    owing: bool = False
    decided: bool = False
    points: int | None = None  # None before the end where points are secret
    place: int = 0


@dataclass
class Shared:
    """What everybody sees in one language, and how far the log was written."""

    say: Say
    game_say: Say
    names: tuple[str, ...]
    log: dict[str, str] = field(default_factory=dict)
    logged: int = -1
    key: object = None
    pieces: dict[str, Mapping[str, str]] = field(default_factory=dict)
    pieces_of: View | None = None
    part: Part = field(default_factory=lambda: Part({}, {}))
    notices: dict[bool, str] = field(default_factory=dict)
    prompts: dict[object, str] = field(default_factory=dict)
    chat: dict[str, str] = field(default_factory=dict)
    screens: dict[object, Screen] = field(default_factory=dict)
    actions: dict[int, tuple[object, str]] = field(default_factory=dict)


class Stage:
    """The screens of one room."""

    def __init__(self, room: Room) -> None:
        self.room: Room = weakref.proxy(room)  # the site keeps stages by room: they must not keep the room
        self._shared: dict[str, Shared] = {}
        self._views: dict[int, View] = {}
        self._decided: set[int] = set()
        self._walked = -1

    def screen(self, language: str, seat: int | None, muted: frozenset[int] = frozenset()) -> Screen:
        """What a seat sees now in a language; `None` for who only watches. `muted`: whom he reads no more."""
        shared = self._refreshed(language)
        if (seat, muted) not in shared.screens:
            shared.screens[seat, muted] = self._screen(shared, seat, muted)
        return shared.screens[seat, muted]

    def chairs(self) -> list[Chair]:
        """Everybody at the table."""
        room = self.room
        owing: tuple[int, ...] = ()
        points: tuple[int | None, ...] = (None,) * len(room.seats)
        places = (0,) * len(room.seats)
        if room.match is not None:
            view = self.view()
            owing, points, places = view.to_act, view.standing.points, view.standing.places
        over = room.phase == "over"
        if room.game.secret_points and not over:
            points = (None,) * len(room.seats)
        return [
            Chair(
                number,
                room.names[number],
                level=seat.level if seat.person is None else None,
                free=seat.person is None and seat.level is None,
                host=seat.person is not None and seat.person.id == room.host.id,
                away=seat.away,
                taken_over=seat.taken_over,
                ready=seat.ready,
                owing=number in owing,
                decided=number in self._decided,
                points=points[number],
                place=places[number] if over else 0,
            )
            for number, seat in enumerate(room.seats)
        ]

    def view(self, at: int | None = None) -> View:
        """The table as everybody sees it, after `at` actions; the last one and the one before it are kept."""
        moment = self.room.moments if at is None else at
        if moment not in self._views:
            self._views[moment] = self.room.view(None, moment)
            for other in [known for known in self._views if not moment - 1 <= known <= moment]:
                del self._views[other]
        return self._views[moment]

    def _key(self) -> object:
        """Whatever changes with anything that is shown."""
        seats = self.room.seats
        return self.room.seq, self.room.phase, tuple((seat.away, seat.taken_over) for seat in seats)

    def _refreshed(self, language: str) -> Shared:
        names, key = tuple(self.room.names), self._key()
        shared = self._shared.get(language)
        if shared is None or shared.names != names:
            shared = Shared(site_say(language), game_say(self.room.game, language, names), names)
            self._shared[language] = shared
        if shared.key != key:
            shared.screens.clear()
            if self.room.match is not None:
                self._walk()
                self._write_log(shared)
                self._draw(shared)
            self._write_chat(shared)
            shared.notices, shared.prompts = {}, {}
            shared.part = Part({}, self._lists(shared))
            shared.key = key
        return shared

    def _lists(self, shared: Shared) -> dict[str, Mapping[str, str]]:
        if self.room.match is None:
            return {"chat": shared.chat}
        players = {f"player-{chair.number}": seated(chair, shared.say.language) for chair in self.chairs()}
        log = dict(reversed(shared.log.items()))
        return {"players": players, "chat": shared.chat, **shared.pieces, "log": log}

    def _walk(self) -> None:
        """Note who has decided in a decision that is still open for others: that is public, what he decided is not."""
        moments = self.room.moments
        first = self._walked if self._walked >= 0 else max(0, moments - len(self.room.seats))
        for moment in range(first, moments):
            actor, before, after = self.room.actor(moment + 1), self.view(moment).to_act, self.view(moment + 1).to_act
            if after and set(after) == set(before) - {actor}:
                self._decided.add(actor)
            else:
                self._decided.clear()
        self._walked = moments

    def _write_log(self, shared: Shared) -> None:
        moments = self.room.moments
        first = shared.logged if shared.logged >= 0 else max(0, moments - LOG_LINES)
        for moment in range(first, moments):
            for line, sentence in enumerate(self._told(moment, shared.game_say)):
                name = f"log-{moment}-{line}"
                shared.log[name] = Markup('<li id="{}">{}</li>').format(name, sentence)
        for old in list(shared.log)[:-LOG_LINES]:
            del shared.log[old]
        shared.logged = moments

    def _told(self, moment: int, say: Say) -> list[str]:
        """What everybody is told of the action that ended `moment`."""
        return happened(self.view(moment), self.view(moment + 1), self.room.heard(moment + 1, None), say)

    def _write_chat(self, shared: Shared) -> None:
        line = Markup('<li id="{}"><span class="speaker">{}</span> {}</li>')
        watching = Markup('<li id="{}"><span class="speaker">{}</span> <span class="facts">({})</span> {}</li>')
        known, shared.chat = shared.chat, {}
        for said in self.room.chat[-CHAT_LINES:]:
            name = line_name(said)
            shared.chat[name] = known.get(name) or (
                line.format(name, said.name, said.text)
                if said.seat is not None
                else watching.format(name, said.name, shared.say("watching"), said.text)
            )

    def _heard(self, shared: Shared, muted: frozenset[int]) -> Part:
        """What everybody sees, without what is said by those of whom somebody reads no more."""
        if not muted:
            return shared.part
        silent = {line_name(said) for said in self.room.chat if said.speaker in muted}
        lists = self._lists(shared)
        return Part({}, {**lists, "chat": {name: line for name, line in shared.chat.items() if name not in silent}})

    def _draw(self, shared: Shared) -> None:
        view = self.view()
        if shared.pieces_of is not view:
            shared.pieces = by_list("pieces", view, self.room.game.picture.pieces(view, shared.game_say))
            shared.pieces_of = view

    def _screen(self, shared: Shared, seat: int | None, muted: frozenset[int]) -> Screen:
        room = self.room
        places, lists = {"notice": self._notice(shared, seat)}, {}
        if room.match is None:
            places["gathering"] = self._gathering(shared, seat)
        else:
            view = room.view(seat)
            places |= self._asked(shared, view)
            places["notes"] = editor(room, view, shared.say, shared.game_say)
            lists = by_list("own", view, room.game.picture.own(view, shared.game_say))
        kind = f"{shared.say.language} {room.phase} {seat} {room.next_room}"
        return Screen(kind, self._heard(shared, muted), Part(places, lists))

    def _gathering(self, shared: Shared, seat: int | None) -> str:
        chairs, room = self.chairs(), self.room
        full = not any(chair.free for chair in chairs)
        host = seat is not None and chairs[seat].host
        values = {"chairs": chairs, "room": room, "me": seat, "host": host, "full": full, "levels": LEVELS}
        return markup("gathering.html", say=shared.say, level_names=level_names(shared.say), **values)

    def _notice(self, shared: Shared, seat: int | None) -> str:
        taken_over = seat is not None and self.room.phase == "playing" and self.room.state.places[seat].taken
        if taken_over not in shared.notices:
            shared.notices[taken_over] = markup("notice.html", say=shared.say, room=self.room, taken_over=taken_over)
        return shared.notices[taken_over]

    def _asked(self, shared: Shared, view: View) -> dict[str, str]:
        if self.room.phase == "over":
            return {"prompt": self._final(shared, view), "actions": ""}
        mine = view.seat is not None and view.seat in view.to_act
        sentence = self.room.game.words.prompt(view, shared.game_say)
        asked = {"mine": mine, "watching": view.seat is None, "sentence": sentence, "until": self._until(view, mine)}
        key = tuple(asked.values())
        if key not in shared.prompts:  # most who wait are told the same
            shared.prompts[key] = markup("prompt.html", say=shared.say, **asked)
        return {"prompt": shared.prompts[key], "actions": self._actions(shared, view)}

    def _until(self, view: View, mine: bool) -> int:
        """When patience ends with the seat that is asked, or with the first that is awaited: milliseconds, or 0."""
        ends = [self._end(seat) for seat in ((view.seat,) if mine else view.to_act)]
        return min((end for end in ends if end), default=0)

    def _end(self, seat: int | None) -> int:
        """The same for one seat."""
        assert seat is not None
        ends = self.room.patience_ends(seat)
        return round(ends) * 1000 if ends else 0

    def _actions(self, shared: Shared, view: View) -> str:
        if view.seat is None:
            return ""
        prompt_id = self.room.prompt_id(view.seat)
        known = shared.actions.get(view.seat)
        # The labels of an open decision do not change while others decide.
        if known is None or known[0] != prompt_id:
            buttons, lists = grouped(view, shared.game_say)
            values = {"prompt_id": prompt_id, "groups": buttons, "lists": lists, "me": view.seat, "room": self.room}
            known = shared.actions[view.seat] = prompt_id, markup("actions.html", say=shared.say, **values)
        return known[1]

    def _final(self, shared: Shared, view: View) -> str:
        game, chairs = self.room.game, sorted(self.chairs(), key=lambda chair: (chair.place, chair.number))
        final = [
            {
                "name": chair.name,
                "place": chair.place,
                "points": chair.points,
                "scoring": game.words.scoring(view, chair.number, shared.game_say),
            }
            for chair in chairs
        ]
        headline = game.words.prompt(view, shared.game_say)
        values = {"final": final, "headline": headline, "can_rematch": view.seat is not None, "room": self.room}
        return markup("over.html", say=shared.say, **values)


def line_name(said: Said) -> str:
    """The name of a line of chat: places move when old lines are forgotten, times do not."""
    return f"chat-{said.at * 1e6:.0f}"


@lru_cache(maxsize=4096)
def seated(chair: Chair, language: str) -> Markup:
    """Somebody at the table, as everybody sees him."""
    say = site_say(language)
    return markup("player.html", say=say, chair=chair, level_names=level_names(say))


def by_list(kind: str, view: View, drawn: Pieces) -> dict[str, Mapping[str, str]]:
    """The pieces of every board as a list of the page: `pieces-main`, `own-hand`."""
    return {f"{kind}-{board}": drawn.get(board, {}) for board in view.game.picture.BOARDS}


def grouped(view: View, say: Say) -> tuple[list[list[tuple[str, str]]], list[list[tuple[str, str]]]]:
    """The legal actions as pairs of code and label by verb: those that fit on buttons, and those that need a list."""
    actions, words = view.game.actions, view.game.words
    verbs: dict[str, list[tuple[str, str]]] = {}
    for number in view.legal:
        label = words.action(view, number, say)
        verbs.setdefault(actions.action(number).verb, []).append((actions.code(number), label))
    groups = list(verbs.values())
    return [g for g in groups if len(g) <= MOST_BUTTONS], [g for g in groups if len(g) > MOST_BUTTONS]


def happened(before: View, after: View, played: Played | None, say: Say) -> list[str]:
    """What happened between two views, in words."""
    return before.game.words.events(before, after, played, say)  # type: ignore[no-any-return]
