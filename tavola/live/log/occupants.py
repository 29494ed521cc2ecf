"""The occupants of a table: people, and the cast of bots. The log keeps each bot's name, face and temper.

How well a bot plays is its level, which is independent of its character.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from itertools import chain, count
from typing import NamedTuple

from tavola.live.log.people import Person, looks


class Member(NamedTuple):
    """A member of the cast. `face` names its drawing, `temper` is its character."""

    name: str
    face: str
    temper: str


CAST = (
    Member("Orla", "orla", "bold"),
    Member("Bruno", "bruno", "careful"),
    Member("Amos", "amos", "faithful"),
    Member("Mara", "mara", "treacherous"),
    Member("Pia", "pia", "stubborn"),
    Member("Kit", "kit", "gambler"),
    Member("Ines", "ines", "reckoner"),
    Member("Ombra", "ombra", "silent"),
)
FACES = (
    *("boater", "bowler", "turban", "headscarf", "beret", "cap", "flatcap", "sunhat", "tophat", "souwester"),
    *("flyer", "cook", "tricorne", "wreath", "stetson", "headband", "scholar", "nightcap", "crown", "cloche"),
)
"""Faces for people to choose, named after their hats."""
UNKNOWN, FREE = "guest", "free"
"""Faces of an occupant without one of their own, and of a free seat."""


@dataclass
class Occupant:
    """A seat as the log records it. `level` and `member` are a bot's; `has_left`: the person got up in the match.

    `sits_out`: the person lets a bot decide and watches; one of `SHOWS`, or empty. In correspondence, `misses` counts
    the deadlines that the person has missed in a row, `stands_in`: a bot makes the decision that is owed, only that
    one; `bot_since`: when a bot took over the seat, in seconds since 1970, else 0.
    """

    person: Person | None = None
    level: str | None = None
    member: Member | None = None
    taken_over: bool = False
    has_left: bool = False
    sits_out: str = ""
    imported_name: str = ""  # the name in an imported record
    origin: str = ""  # the person's anonymised address
    misses: int = 0
    stands_in: bool = False
    bot_since: float = 0.0

    @property
    def is_free(self) -> bool:
        """Return whether neither a person nor a bot has the seat."""
        return self.person is None and self.level is None and not self.imported_name

    @property
    def bot_decides(self) -> bool:
        """Return whether a bot decides: on its own seat, on one that it took over, or once for a late person."""
        return self.level is not None or self.taken_over or self.stands_in

    @property
    def is_missed(self) -> bool:
        """Return whether a bot keeps the seat because its person has missed deadlines."""
        return self.taken_over and self.misses > 0 and not self.has_left and not self.sits_out


class Seat(NamedTuple):
    """A seat as everyone may see it. `level` and `member` are a bot's; `away`: its person is not connected.

    `ready`: its person is ready for a rematch. `looking`: it has no person, or a page of theirs was just visible.
    """

    person: Person | None
    level: str | None
    away: bool
    taken_over: bool
    member: Member | None = None
    ready: bool = True
    looking: bool = True


def seat_faces(places: Sequence[Occupant | Seat]) -> list[str]:
    """Return a face for every seat: a bot's own, one that a person chose, or one drawn from their id, no two alike."""
    taken = {place.person.face for place in places if place.person is not None}
    return [_face(place, taken) for place in places]


def _face(place: Occupant | Seat, taken: set[str]) -> str:
    if place.member is not None:
        return place.member.face
    if place.person is None:
        return FREE if place.level is None and not getattr(place, "imported_name", "") else UNKNOWN
    return place.person.face or drawn_face(place.person.id, taken)


def drawn_face(person: str, taken: set[str]) -> str:
    """Return the face of a person who has not chosen one, from their id, and add it to those `taken` at the table."""
    first = _first_face(person)
    face = next(face for face in (*FACES[first:], *FACES[:first]) if face not in taken)
    taken.add(face)
    return face


@lru_cache(maxsize=4096)
def _first_face(person: str) -> int:
    digest = blake2b(person.encode(), digest_size=2, person=b"face").digest()
    return int.from_bytes(digest, "big") % len(FACES)


def seat_names(occupants: Sequence[Occupant]) -> list[str]:
    """Return a name for every seat, no two alike; empty for free seats."""
    names: list[str] = []
    for seat, place in enumerate(occupants):
        names.append(distinct_name(_occupant_name(place, seat), names))
    return names


def distinct_name(name: str, others: Sequence[str]) -> str:
    """Return the name, followed by a number if another is the same or looks the same."""
    taken = frozenset().union(*map(looks, others))
    numbered = chain([name], (f"{name} {number}" for number in count(2)))
    return next(unlike for unlike in numbered if not looks(unlike) & taken)


def _occupant_name(place: Occupant, seat: int) -> str:
    if place.person is not None:
        return place.person.name
    if place.member is not None:
        return place.member.name
    return place.imported_name or (f"Bot {seat + 1}" if place.level is not None else "")  # in logs from before the cast
