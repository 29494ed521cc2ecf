"""The players and bots of a room as everyone sees them: name, face, colour and sign, points, who has decided."""

from collections.abc import Collection, Mapping, Sequence
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any, NamedTuple

from markupsafe import Markup, escape

from tavola.core import View
from tavola.core.text import ISOLATE, POP
from tavola.live import Room
from tavola.live.correspondence.due_dates import open_dues
from tavola.live.correspondence.hours import HOUR, Due
from tavola.live.log.occupants import UNKNOWN, seat_faces
from tavola.show.cards import words_of
from tavola.show.kit import PAINTS
from tavola.show.pictures import ballot_cards, leader, seat_badges
from tavola.show.speech import Name, Say, mark
from tavola.web.render import game_say, render_filled
from tavola.web.table.turn import NO_CLOCK, SeatClock, bank_clock, holiday_end

TEMPERS = {
    "bold": mark("bold"),
    "careful": mark("careful"),
    "faithful": mark("faithful"),
    "treacherous": mark("treacherous"),
    "stubborn": mark("stubborn"),
    "gambler": mark("reckless"),
    "reckoner": mark("calculating"),
    "silent": mark("silent"),
}
"""What pages call the tempers of the cast."""
FACE_WORDS = {
    "boater": mark("Boater"),
    "bowler": mark("Bowler"),
    "turban": mark("Turban"),
    "headscarf": mark("Headscarf"),
    "beret": mark("Beret"),
    "cap": mark("Cap"),
    "flatcap": mark("Flat cap"),
    "sunhat": mark("Sun hat"),
    "tophat": mark("Top hat"),
    "souwester": mark("Sou’wester"),
    "flyer": mark("Flying cap"),
    "cook": mark("Cook’s hat"),
    "tricorne": mark("Tricorne"),
    "wreath": mark("Wreath"),
    "stetson": mark("Wide brim"),
    "headband": mark("Headband"),
    "scholar": mark("Scholar’s cap"),
    "nightcap": mark("Nightcap"),
    "crown": mark("Paper crown"),
    "cloche": mark("Cloche"),
}
"""What pages call the faces that people choose: by their hats."""


class PlayerPanel(NamedTuple):
    """A seat as it is shown to everyone."""

    number: int
    name: str
    level: str | None
    free: bool
    host: bool
    away: bool
    looking: bool
    taken_over: bool
    ready: bool = True
    face: str = UNKNOWN
    temper: str = ""
    must_decide: bool = False
    passes: bool = False  # in barter: has looked, and wants nothing on offer
    decided: bool = False
    points: int | None = None  # None while points are secret
    stake: int = 0  # points lost if the match ended now
    rank: int = 0
    game: str = ""
    badge: str = ""  # the leader's
    tokens: str = ""  # what the seat holds, as far as it is public
    words: str = ""  # promises and their outcomes
    card: str = ""  # face up in the last ballot, until the next one
    gesture: str = ""  # shown in a frame of a scene
    replaced: int = 0  # decisions of an outside bot that were late, failed or not allowed
    clock: SeatClock = NO_CLOCK  # only of a decision with a time bank
    by_post: bool = False
    # In correspondence, in seconds since 1970: time of the last decision, or of the question while it is open; else 0.
    decided_at: float = 0.0
    asked_at: float = 0.0
    late: bool = False  # the time for the open decision is up, and that of the bank, if any
    banked: bool = False  # the time bank runs
    bank: int | None = None  # whole hours left of a time bank that has been used
    holiday: str = ""  # the day on which the person's holiday ends

    @property
    def paint(self) -> str:
        return paint_of(self.number)


def paint_of(seat: int) -> str:
    """Return the name of a seat's colour and sign; empty if the table has more seats than there are paints."""
    return PAINTS[seat] if seat < len(PAINTS) else ""


@lru_cache(maxsize=1024)
def panel_markup(chair: PlayerPanel, language: str) -> Markup:
    """Return a seat's panel as everyone sees it. What changes often is filled into cached markup."""
    asked = {"must_decide": chair.must_decide, "passes": chair.passes, "decided": chair.decided}
    moment = datetime.fromtimestamp(chair.decided_at or chair.asked_at, UTC)
    decided, begun = min(1.0, chair.decided_at), min(1.0, chair.asked_at)
    filled = {
        "card": chair.card or None,
        "tokens": chair.tokens or None,
        "words": chair.words or None,
        "owes": " owes" if chair.must_decide else "",
        "state": render_filled("state.html", language, chair.clock.texts, **asked, banked=bool(chair.clock.bank)),
        # For scripts, and for pages without them: independent of language and of the present time.
        "at": moment.isoformat(timespec="seconds"),
        "said_at": f"{moment:%Y-%m-%d %H:%M} UTC",
    }
    still = chair._replace(card="", tokens="", words="", must_decide=False, passes=False, decided=False)
    still = still._replace(clock=NO_CLOCK, decided_at=decided, asked_at=begun)
    return render_filled("player.html", language, filled, chair=still)


NAME = "<bdi>{}</bdi>"
"""A person's name among other words; a right-to-left name does not turn the words around it."""


@lru_cache(maxsize=4096)
def name_with_seal(seat: int | None, name: str) -> Markup:
    """Return a name after the seat's sign."""
    return _after_sign(seat, Markup(NAME).format(name))


def _after_sign(seat: int | None, shown: Markup) -> Markup:
    if seat is None or seat >= len(PAINTS):
        return shown
    paint = PAINTS[seat]
    sign = '<span class="mark"><svg viewBox="0 0 24 24" aria-hidden="true"><use href="#seal-{}"/></svg></span>'
    return Markup('<span class="person {}">' + sign + "{}</span>").format(paint, paint, shown)


OPENS, BETWEEN, CLOSES = "\ue000", "\ue001", "\ue002"
"""Marks around what a sentence says of a player, in both persons; user input cannot contain them."""


class LogSay(Say):
    """Sentences for everyone at the table: each contains what the player reads of whom it speaks, and what others do.

    So a line is made once in a language, and the page shows each reader their own (`with_seals`).
    """

    def for_reader(self, name: Name, others: str, own: str) -> str:
        kind, seats = "name" if "*" in others else "words", " ".join(map(str, sorted(name.seats)))
        return f"{OPENS}{BETWEEN.join((kind, seats, others.replace('*', name), own))}{CLOSES}"


def with_seals(sentence: str) -> Markup:
    """Return a sentence of `LogSay` as markup: in both persons, with each name after its seat's sign."""
    told = sentence.replace(ISOLATE + OPENS, OPENS).replace(CLOSES + POP, CLOSES)
    first, *marked = told.split(OPENS)
    parts = [escape(first)]
    for each in marked:
        said, _, rest = each.partition(CLOSES)
        parts += [_in_both_persons(*said.split(BETWEEN)), escape(rest)]
    return Markup("").join(parts)


@lru_cache(maxsize=4096)
def _in_both_persons(kind: str, seats: str, others: str, own: str) -> Markup:
    """Return what others read and what the player reads; the page's style shows one of the two."""
    if kind == "words":
        return _person("third", seats, escape(others)) + _person("second", seats, escape(own))
    named = Markup(NAME).format(others)
    if not own:
        return _person("third", seats, _after_sign(int(seats), named))
    return _after_sign(int(seats), _person("third", seats, named) + _person("second", seats, escape(own)))


def _person(person: str, seats: str, shown: Markup) -> Markup:
    classes = " ".join(f"of-{seat}" for seat in seats.split(" "))
    return Markup('<span class="{} {}">{}</span>').format(person, classes, shown) if shown else Markup()


def player_panels(
    room: Room, view: View | None, decided: Collection[int], language: str, words: Mapping[int, str]
) -> list[PlayerPanel]:
    """Return the panels of all seats. `view` is a spectator's, None before the match; `words`: promises by seat."""
    over, sitting = room.state.phase == "over", room.seats
    shown = view is not None and (over or not room.state.game.secret_points)
    counted = _counted_points(view, over=over) if view is not None and shown else ((None, 0),) * len(sitting)
    say, dues, faces = game_say(room.state.game, language), open_dues(room.state), seat_faces(sitting)
    days = bool(room.state.settings.days)
    leads, badge = (leader(view, say) if view is not None else None) or (None, "")
    cards, holds = ({}, {}) if view is None or over else (ballot_cards(view, say), seat_badges(view, say))
    return [
        PlayerPanel(
            number,
            room.names[number],
            level=seat.level if seat.person is None else None,
            free=seat.person is None and seat.level is None,
            host=seat.person is not None and seat.person.id == room.state.host.id,
            away=seat.away,
            looking=seat.looking,
            taken_over=seat.taken_over,
            face=faces[number],
            temper=TEMPERS.get(seat.member.temper, seat.member.temper) if seat.member else "",
            ready=seat.ready,
            must_decide=view is not None and number in view.to_act,
            passes=room.passes(number),
            clock=bank_clock(room, number),
            by_post=days and view is not None and not over,
            decided=number in decided,
            points=counted[number][0],
            stake=counted[number][1],
            rank=view.standing.ranks[number] if view is not None and over else 0,
            game=room.state.game.name,
            card=cards.get(number, ""),
            tokens=holds.get(number, ""),
            words=words.get(number, ""),
            badge=badge if number == leads else "",
            replaced=room.replaced(number),
            **(_correspondence_values(room, number, dues.get(number), language) if days else {}),
        )
        for number, seat in enumerate(sitting)
    ]


def _correspondence_values(room: Room, seat: int, due: Due | None, language: str) -> dict[str, Any]:
    return {
        "decided_at": _decided_at(room, seat),
        "asked_at": 0.0 if due is None else due.asked or due.since,
        "late": due is not None and due.reminded,
        "banked": due is not None and due.banked,
        "bank": _bank_hours(room, seat),
        "holiday": holiday_end(room, seat, language),
    }


def _bank_hours(room: Room, seat: int) -> int | None:
    """Return the whole hours left of a seat's time bank of a correspondence match; None while it has used nothing."""
    used = room.state.settings.bank_days and seat in room.state.bank_spent
    return int(room.state.bank_left(seat) // HOUR) if used else None


def _decided_at(room: Room, seat: int) -> float:
    """Return when the seat's person last decided; 0 if they never did or have to decide now."""
    state = room.state
    if seat in state.open_decisions or state.occupants[seat].taken_over:
        return 0.0
    return state.decided_at.get(seat, 0.0)


def _counted_points(view: View, *, over: bool) -> Sequence[tuple[int, int]]:
    """Return the points of each seat, and those still at stake before the end."""
    won = words_of(view.game).won_points
    if won is None or over:
        return [(points, 0) for points in view.standing.points]
    return [won(view, seat) for seat in range(len(view.standing.points))]
