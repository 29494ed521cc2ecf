"""The same again: where everybody sits, and whom the next match waits for."""

from typing import TYPE_CHECKING

from tavola.live.cast import Member, drawn_from_cast
from tavola.live.deeds import known_level, seat_of
from tavola.live.happenings import Happening, created, joined, seated_bot, started
from tavola.live.people import Person
from tavola.live.refusals import NotOver

if TYPE_CHECKING:
    from tavola.live.room import Room


def once_more(room: "Room", person: Person, level: str = "") -> list[Happening]:
    """The first events of the next room: everybody who did not leave one seat on, who asks for it ready.

    It begins at once where nobody else has to be asked. Bots keep their level unless one is named.
    """
    if room.state.phase != "over":
        raise NotOver("a rematch begins when the match is over")
    asking, places = seat_of(room, person), room.state.places
    staying = [seat for seat, place in enumerate(places) if place.person and (seat == asking or not place.gone)]
    own = room.state.seat_of(room.state.host.id)
    host = own if own in staying else asking
    first = created(room.state.game, room.state.options, room.state.settings, places[host].person or person, again=True)
    happenings = [first, *_seated(room, staying, host, level and known_level(level))]
    happenings.append(("ready", {"seat": (asking + 1) % len(places)}))
    alone = staying == [asking] and len(happenings) == len(places) + 2
    return happenings + (started(room.state.game, room.state.options) if alone else [])


def _seated(room: "Room", staying: list[int], host: int, level: str) -> list[Happening]:
    """Everybody one seat further, the host sitting down first."""
    places, happenings = room.state.places, []
    for seat in sorted(range(len(places)), key=lambda seat: seat != host):
        following, place = (seat + 1) % len(places), places[seat]
        if place.level is not None:
            happenings.append(seated_bot(following, level or place.level, place.member or _drawn(room)))
        elif seat in staying and place.person is not None:
            happenings.append(joined(following, place.person))
    return happenings


def _drawn(room: "Room") -> Member:
    """A name for a bot from before bots had names."""
    return drawn_from_cast(room.names)
