"""The same again: where everybody sits, and whom the next match waits for."""

from msgspec.structs import replace

from tavola import games
from tavola.live.log.commands import Given, OpenRematch
from tavola.live.log.events import NewEvent, bot_event, created_event, joined_event, started_events
from tavola.live.log.people import Person
from tavola.live.log.require import require_level, require_over, require_seat
from tavola.live.log.room_settings import SETTINGS
from tavola.live.log.state import State
from tavola.live.protocol import Rematch


def decide_rematch(state: State, command: Rematch, who: Person, given: Given) -> list[NewEvent]:
    """The room where it goes on; whoever asks later goes there, too."""
    if state.next_room is not None:
        return []
    _require_rematch(state, who, command, given)
    return [("rematch", {"room": given.next_room})]


def open_rematch(state: State, command: OpenRematch, given: Given) -> list[NewEvent]:
    """The first events of the next room: everybody who did not leave one seat on, who asks for it ready.

    It begins at once where nobody else has to be asked. Bots keep their level unless one is named. It is played by the
    present rules, whichever the match before had.
    """
    asking, places = _require_rematch(state, command.person, command, given), state.occupants
    staying = [seat for seat, place in enumerate(places) if place.person and (seat == asking or not place.has_left)]
    own = state.seat_of(state.host.id)
    host = own if own in staying else asking
    settings = replace(state.settings, pace=command.pace or state.settings.pace)
    game = games.load(state.game.name)
    first = created_event(game, state.options, settings, places[host].person or command.person, again=True)
    happenings = [first, *_seating_events(state, staying, host, command.level, given)]
    happenings.append(("ready", {"seat": (asking + 1) % len(places)}))
    alone = staying == [asking] and len(happenings) == len(places) + 2
    return happenings + (started_events(game, state.options, given.dice) if alone else [])


def _require_rematch(state: State, person: Person, command: Rematch | OpenRematch, given: Given) -> int:
    require_over(state)
    seat = require_seat(state, person)
    if command.level:
        require_level(command.level, given.outside)
    if command.pace:
        SETTINGS["pace"].require("pace", command.pace)
    return seat


def _seating_events(state: State, staying: list[int], host: int, level: str, given: Given) -> list[NewEvent]:
    places, happenings = state.occupants, []
    for seat in sorted(range(len(places)), key=lambda seat: seat != host):
        following, place = (seat + 1) % len(places), places[seat]
        if place.level is not None:  # bots of logs from before the cast have no name
            member = place.member or given.dice.draw_member(state.names)
            happenings.append(bot_event(following, level or place.level, member))
        elif seat in staying and place.person is not None:
            happenings.append(joined_event(following, place.person, place.origin))
    return happenings
