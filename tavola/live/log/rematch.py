"""The same again: where everybody sits, and whom the next match waits for."""

from typing import TYPE_CHECKING

from tavola.live.log.cast import Member, draw_member
from tavola.live.log.decide import require_level, require_seat
from tavola.live.log.events import NewEvent, bot_event, created_event, joined_event, started_events
from tavola.live.log.people import Person
from tavola.live.refusals import NotOver

if TYPE_CHECKING:
    from tavola.live.room import Room


def rematch_events(room: "Room", person: Person, level: str = "") -> list[NewEvent]:
    """The first events of the next room: everybody who did not leave one seat on, who asks for it ready.

    It begins at once where nobody else has to be asked. Bots keep their level unless one is named.
    """
    if room.state.phase != "over":
        raise NotOver("a rematch begins when the match is over")
    asking, places = require_seat(room, person), room.state.occupants
    staying = [seat for seat, place in enumerate(places) if place.person and (seat == asking or not place.has_left)]
    own = room.state.seat_of(room.state.host.id)
    host = own if own in staying else asking
    first = created_event(
        room.state.game, room.state.options, room.state.settings, places[host].person or person, again=True
    )
    happenings = [first, *_seating_events(room, staying, host, level and require_level(level))]
    happenings.append(("ready", {"seat": (asking + 1) % len(places)}))
    alone = staying == [asking] and len(happenings) == len(places) + 2
    return happenings + (started_events(room.state.game, room.state.options) if alone else [])


def _seating_events(room: "Room", staying: list[int], host: int, level: str) -> list[NewEvent]:
    """Everybody one seat further, the host sitting down first."""
    places, happenings = room.state.occupants, []
    for seat in sorted(range(len(places)), key=lambda seat: seat != host):
        following, place = (seat + 1) % len(places), places[seat]
        if place.level is not None:
            happenings.append(bot_event(following, level or place.level, place.member or _draw_legacy_member(room)))
        elif seat in staying and place.person is not None:
            happenings.append(joined_event(following, place.person))
    return happenings


def _draw_legacy_member(room: "Room") -> Member:
    """A name for a bot from before bots had names."""
    return draw_member(room.names)
