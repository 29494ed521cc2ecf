"""Who sits where, as everybody may see it."""

from typing import TYPE_CHECKING, NamedTuple

from tavola.live.cast import Member
from tavola.live.fold import Place
from tavola.live.people import Person

if TYPE_CHECKING:
    from tavola.live.room import Room


class Seat(NamedTuple):
    """A seat as everybody may see it. `level` and `member` are a bot's; `away`: its person is not connected.

    `ready`: he is, for a rematch that waits for all.
    """

    person: Person | None
    level: str | None
    away: bool
    taken_over: bool
    member: Member | None = None
    ready: bool = True


def seats(room: "Room") -> list[Seat]:
    """Every seat of a room."""
    awaited = room.state.awaited()
    return [
        Seat(
            place.person,
            place.level,
            place.person is not None and place.person.id not in room.presence,
            place.taken,
            place.member,
            seat not in awaited,
        )
        for seat, place in enumerate(room.state.places)
    ]


def named(place: Place, seat: int) -> str:
    """What whoever sits on a seat is called; empty where nobody does."""
    if place.person is not None:
        return place.person.name
    if place.member is not None:
        return place.member.name
    return place.title or (f"Bot {seat + 1}" if place.level is not None else "")  # in logs from before the cast
