"""Who sits where, as everybody may see it."""

from typing import TYPE_CHECKING, NamedTuple

from tavola.live.log.cast import Member
from tavola.live.log.people import Person
from tavola.live.log.state import Occupant

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


def public_seats(room: "Room") -> list[Seat]:
    """Every seat of a room."""
    awaited = room.state.unready_seats()
    return [
        Seat(
            place.person,
            place.level,
            place.person is not None and place.person.id not in room.presence,
            place.taken_over,
            place.member,
            seat not in awaited,
        )
        for seat, place in enumerate(room.state.occupants)
    ]


def occupant_name(place: Occupant, seat: int) -> str:
    """What whoever sits on a seat is called; empty where nobody does."""
    if place.person is not None:
        return place.person.name
    if place.member is not None:
        return place.member.name
    return place.imported_name or (f"Bot {seat + 1}" if place.level is not None else "")  # in logs from before the cast
