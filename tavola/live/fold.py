"""The state of a room is the fold of its events: `take` one after the other, and a restart loses nothing.

Kinds of events and their bodies:

    created   game, version, options, public, patience, pace, host {id, name}, again      always the first
    joined    seat, id, name          sits down, or moves to another seat
    left      seat                    gets up; out of a match that runs a bot plays on
    bot       seat, level, name, face, temper
    ready     seat                    for a rematch, which begins when all are
    removed   seat                    by the host
    begins                            the host has begun; the match starts when its game is ready
    started
    played    seat, code              a decision, or chance's (seat 31); in a race also `reaction` [after, trip, jitter]
                                      in seconds, and where that was too soon `meant`: the code in whose place it is
    held      until                   what chance holds falls then, in seconds since 1970; nobody is told
    clocks    had                     how much of its patience each decision has had, by seat [number, seconds, whether
                                      that was once more]: another worker counts on; nobody is told
    over      points, places          by seat; follows from what was played, written for whoever only reads the log
    taken     seat                    a bot decides for somebody who does not
    returned  seat                    he is back

    said      id, name, seat, text
    host      seat                    its person is the host from now on: the one before has vanished
    muted     id, speaker, muted      somebody reads no more of a speaker, or reads him again
    reported  id, speaker, lines      for whoever runs the site
    noted     seat, about, mark       a private guess about another seat; an empty mark forgets it
    rematch   room                    where it goes on
    imported  record, names           a match played elsewhere

The first event of a command carries its id: so a decision of a person has one, a decision of a bot has none. Logs from
before there were paces, rematches that wait and names of bots lack those fields, and are read as well.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from tavola import games
from tavola.core import CHANCE, Game, Match, read_record
from tavola.live.cast import Member
from tavola.live.people import Person, Said, Settings
from tavola.live.race import Reaction
from tavola.live.refusals import OtherRules
from tavola.store import Event

Phase = Literal["gathering", "playing", "over"]
PRIVATE = ("noted", "muted", "reported", "held", "clocks")
"""Events that nobody hears of but whose they are, if anybody's."""
CHAT_KEPT = 200
"""Lines of chat in memory; the log keeps all."""


@dataclass
class Place:
    """One seat as the log tells it. `level` and `member` are a bot's; `gone`: the person got up during the match."""

    person: Person | None = None
    level: str | None = None
    member: Member | None = None
    taken: bool = False
    gone: bool = False
    title: str = ""  # the name in an imported record

    @property
    def free(self) -> bool:
        """Whether nobody and no bot sits here."""
        return self.person is None and self.level is None and not self.title

    @property
    def by_bot(self) -> bool:
        """Whether a bot decides here."""
        return self.level is not None or self.taken


class Note(NamedTuple):
    """What a seat guessed about another after `moment` actions; an empty mark takes the guess back."""

    moment: int
    seat: int
    about: int
    mark: str


@dataclass
class State:
    """All that the log of one room tells."""

    game: Game
    options: dict[str, str]
    settings: Settings
    host: Person
    created: float
    places: list[Place]
    at: float
    seq: int = 1
    public: int = 1  # events that everybody may know of
    match: Match | None = None
    chat: list[Said] = field(default_factory=list)
    speakers: dict[str, int] = field(default_factory=dict)  # numbers of who has spoken, by person
    muted: dict[str, set[int]] = field(default_factory=dict)  # by reader
    removed: dict[str, float] = field(default_factory=dict)  # when the host took somebody off the table
    notes: list[Note] = field(default_factory=list)
    next_room: str | None = None
    again: bool = False  # a rematch: it begins when everybody is ready
    ready: set[int] = field(default_factory=set)
    begins: bool = False  # the match starts as soon as its game is ready
    commands: set[str] = field(default_factory=set)
    decisions: list[int] = field(default_factory=list)  # made so far, or asked anew, by seat
    opened: dict[int, int] = field(default_factory=dict)  # moment at which the decision a seat owes was opened
    earlier: dict[int, list[int]] = field(default_factory=dict)  # where whoever comes first acts: the same of what a
    # seat was asked before, since it last acted; the last one is the decision before the one it owes
    since: dict[int, float] = field(default_factory=dict)  # when it was opened, in seconds since 1970
    times: list[float] = field(default_factory=list)  # the same of every action played
    clocks: tuple[float, dict[str, list[float]]] | None = None  # when patience was handed over, and what it had been
    held: float | None = None  # when what chance holds now falls, in seconds since 1970, once that is decided
    reactions: dict[int, Reaction] = field(default_factory=dict)  # of who has answered in the race that is on
    early: dict[int, int] = field(default_factory=dict)  # who answered in a race sooner than anybody can, by action

    @property
    def phase(self) -> Phase:
        """Where the room is in its life."""
        if self.match is None:
            return "gathering"
        return "over" if self.match.over else "playing"

    def seat_of(self, person_id: str) -> int | None:
        """The seat of a person."""
        for seat, place in enumerate(self.places):
            if place.person is not None and place.person.id == person_id:
                return seat
        return None

    def awaited(self) -> list[int]:
        """The seats whose people are not ready yet for a rematch."""
        people = [seat for seat, place in enumerate(self.places) if place.person is not None]
        return [seat for seat in people if seat not in self.ready] if self.again else []

    @property
    def holds(self) -> bool:
        """Whether chance owes something that falls when the room says so."""
        match = self.match
        if match is None or not self.game.held or CHANCE not in match.to_act:
            return False
        return self.game.is_held(match.legal_numbers(CHANCE)[0])

    def goes_on(self) -> bool:
        """Whether something will happen here without anybody's command."""
        if self.phase == "gathering":
            return self.again or self.begins
        waits = self.settings.patience > 0 or any(self.places[seat].by_bot for seat in self.opened)
        return self.phase == "playing" and (waits or self.holds)


def fold(events: Iterable[Event]) -> State:
    """The state after a room's whole log."""
    following = iter(events)
    state = _created(next(following))
    for event in following:
        take(state, event)
    return state


def take(state: State, event: Event) -> None:
    """Let one more event happen."""
    if event.seq != state.seq + 1:
        raise AssertionError(f"event {event.seq} after {state.seq}: the log has a gap")
    TAKEN[event.kind](state, event.body, event)
    state.seq, state.at = event.seq, event.at
    state.public += event.kind not in PRIVATE
    if event.command_id is not None:
        state.commands.add(event.command_id)


def _created(event: Event) -> State:
    body = event.body
    game = games.load(body["game"])
    if body["version"] != game.version:
        raise OtherRules("this match was played under version {version} of the rules", version=body["version"])
    settings = Settings(body["public"], body["patience"], body.get("pace", "brisk"))
    places = [Place() for _ in range(int(body["options"]["players"]))]
    host = Person(body["host"]["id"], body["host"]["name"])
    state = State(game, dict(body["options"]), settings, host, event.at, places, event.at)
    state.again = body.get("again", False)
    if event.command_id is not None:
        state.commands.add(event.command_id)
    return state


def _joined(state: State, body: dict[str, Any], event: Event) -> None:
    before = state.seat_of(body["id"])
    if before is not None:
        state.places[before] = Place()
        state.ready.discard(before)
    state.places[body["seat"]] = Place(Person(body["id"], body["name"]))
    _settle_host(state)


def _left(state: State, body: dict[str, Any], event: Event) -> None:
    if state.phase == "gathering":
        _freed(state, body["seat"])
    else:
        state.places[body["seat"]].taken = state.places[body["seat"]].gone = True


def _freed(state: State, seat: int) -> None:
    state.places[seat] = Place()
    state.ready.discard(seat)
    _settle_host(state)


def _settle_host(state: State) -> None:
    """A host who has got up is followed by the next person at the table."""
    people = [place.person for place in state.places if place.person is not None]
    if people and all(person.id != state.host.id for person in people):
        state.host = people[0]


def _bot(state: State, body: dict[str, Any], event: Event) -> None:
    member = Member(body["name"], body["face"], body["temper"]) if "name" in body else None
    state.places[body["seat"]] = Place(level=body["level"], member=member)


def _removed(state: State, body: dict[str, Any], event: Event) -> None:
    person = state.places[body["seat"]].person
    if person is not None:
        state.removed[person.id] = event.at
    _freed(state, body["seat"])


def _ready(state: State, body: dict[str, Any], event: Event) -> None:
    state.ready.add(body["seat"])


def _begins(state: State, body: dict[str, Any], event: Event) -> None:
    state.begins = True


def _started(state: State, body: dict[str, Any], event: Event) -> None:
    state.match = Match(state.game, state.options)
    state.decisions = [0] * len(state.places)
    _note_opened(state, None, event.at)


def _played(state: State, body: dict[str, Any], event: Event) -> None:
    match, seat = state.match, body["seat"]
    assert match is not None
    before = match.view().tobytes() if match.open else None
    if "meant" in body:
        state.early[len(match.history)] = seat
    match.play(body["code"], seat)
    if before is not None and match.view().tobytes() != before:
        _ask_anew(state, seat)
    if seat != CHANCE:
        state.decisions[seat] += 1
        state.earlier.pop(seat, None)
    if not match.open:
        state.earlier.clear()
    state.times.append(event.at)
    _note_time(state, body)
    _note_opened(state, seat, event.at)


def _note_time(state: State, body: dict[str, Any]) -> None:
    """The times of a race count until chance has decided something; what it held has fallen then."""
    if body["seat"] == CHANCE:
        state.held = None
        state.reactions.clear()
    elif "reaction" in body:
        state.reactions[body["seat"]] = Reaction(*body["reaction"])


def _held(state: State, body: dict[str, Any], event: Event) -> None:
    state.held = body["until"]


def _clocks(state: State, body: dict[str, Any], event: Event) -> None:
    state.clocks = event.at, body["had"]


def _ask_anew(state: State, actor: int) -> None:
    """Whoever came first has acted, and others see it: theirs is another decision now, also when it is a ballot."""
    for seat, moment in state.opened.items():
        if seat != actor:
            state.decisions[seat] += 1
            state.earlier.setdefault(seat, []).append(moment)
    state.opened.clear()


def _note_opened(state: State, actor: int | None, at: float) -> None:
    """A decision opens when a seat comes to owe one; it stays the same one while others decide unseen."""
    assert state.match is not None
    now = len(state.match.history)
    owing = [seat for seat in state.match.to_act if seat != CHANCE]
    state.since = {seat: state.since[seat] if seat in state.opened and seat != actor else at for seat in owing}
    state.opened = {seat: now if seat == actor else state.opened.get(seat, now) for seat in owing}


def _over(state: State, body: dict[str, Any], event: Event) -> None:
    """Nothing that the match does not say itself."""


def _taken(state: State, body: dict[str, Any], event: Event) -> None:
    state.places[body["seat"]].taken = True


def _returned(state: State, body: dict[str, Any], event: Event) -> None:
    state.places[body["seat"]].taken = state.places[body["seat"]].gone = False


def _said(state: State, body: dict[str, Any], event: Event) -> None:
    speaker = state.speakers.setdefault(body["id"], len(state.speakers) + 1)
    state.chat.append(Said(body["name"], body["seat"], body["text"], event.at, speaker))
    del state.chat[:-CHAT_KEPT]


def _noted(state: State, body: dict[str, Any], event: Event) -> None:
    assert state.match is not None
    state.notes.append(Note(len(state.match.history), body["seat"], body["about"], body["mark"]))


def _host(state: State, body: dict[str, Any], event: Event) -> None:
    state.host = state.places[body["seat"]].person or state.host


def _muted(state: State, body: dict[str, Any], event: Event) -> None:
    muted = state.muted.setdefault(body["id"], set())
    (muted.add if body["muted"] else muted.discard)(body["speaker"])


def _reported(state: State, body: dict[str, Any], event: Event) -> None:
    """Nothing that anybody at the table sees."""


def _rematch(state: State, body: dict[str, Any], event: Event) -> None:
    state.next_room = body["room"]


def _imported(state: State, body: dict[str, Any], event: Event) -> None:
    state.match = read_record(body["record"]).match()
    state.places = [Place(title=name) for name in body["names"]]
    state.decisions = [sum(seat == actor for actor, _ in state.match.history) for seat in range(len(state.places))]


TAKEN: dict[str, Callable[[State, dict[str, Any], Event], None]] = {
    "joined": _joined,
    "left": _left,
    "bot": _bot,
    "removed": _removed,
    "ready": _ready,
    "begins": _begins,
    "started": _started,
    "played": _played,
    "held": _held,
    "clocks": _clocks,
    "over": _over,
    "taken": _taken,
    "returned": _returned,
    "said": _said,
    "host": _host,
    "muted": _muted,
    "reported": _reported,
    "noted": _noted,
    "rematch": _rematch,
    "imported": _imported,
}
"""What each kind of event does to the state."""
