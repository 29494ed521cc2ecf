"""Rematches: the seats of the players, and the players that the next match waits for."""

from msgspec.structs import replace

from tavola import games
from tavola.core.text import mark
from tavola.live.commands.commands import Given, ServerCommand
from tavola.live.commands.require import require_level, require_seat
from tavola.live.log.events import NewEvent, bot_event, created_event, joined_event, started_events
from tavola.live.log.people import Person
from tavola.live.log.room_settings import SETTINGS
from tavola.live.log.state import State
from tavola.live.protocol import Rematch
from tavola.live.room_refusals import NotOver


def decide_rematch(state: State, command: Rematch, who: Person, given: Given) -> list[NewEvent]:
    """Return the event that names the room of the rematch; nothing if it is known already."""
    if state.next_room is not None:
        return []
    _require_rematch(state, who, command, given)
    return [("rematch", {"room": given.next_room})]


class OpenRematch(ServerCommand, frozen=True):
    """The opening of the room for a rematch, with another bot `level` or `pace` if one is given.

    Its events begin the log of that room, not the log of the room in which it is decided. People who did not leave move
    one seat on, and the one who asks is ready; it begins at once if no one else has to be asked. The present rules
    apply, whatever version the match before had.
    """

    person: Person
    level: str = ""
    pace: str = ""

    def decide(self, state: State, given: Given) -> list[NewEvent]:
        asking, places = _require_rematch(state, self.person, self, given), state.occupants
        staying = [seat for seat, place in enumerate(places) if place.person and (seat == asking or not place.has_left)]
        own = state.seat_of(state.host.id)
        host = own if own in staying else asking
        settings = replace(state.settings, pace=self.pace or state.settings.pace)
        game = games.load(state.game.name)
        first = created_event(game, state.options, settings, places[host].person or self.person, again=True)
        new_events = [first, *_seating_events(state, staying, host, self.level, given)]
        new_events.append(("ready", {"seat": (asking + 1) % len(places)}))
        alone = staying == [asking] and len(new_events) == len(places) + 2
        return new_events + (started_events(game, state.options, given.dice) if alone else [])


def _require_rematch(state: State, person: Person, command: Rematch | OpenRematch, given: Given) -> int:
    if state.phase != "over":
        raise NotOver(mark("you can have a rematch once this match is over"))
    seat = require_seat(state, person)
    if command.level:
        require_level(command.level, given.outside)
    if command.pace:
        SETTINGS["pace"].require("pace", command.pace)
    return seat


def _seating_events(state: State, staying: list[int], host: int, level: str, given: Given) -> list[NewEvent]:
    places, new_events = state.occupants, []
    for seat in sorted(range(len(places)), key=lambda seat: seat != host):
        following, place = (seat + 1) % len(places), places[seat]
        if place.level is not None:  # bots of logs from before the cast have no name
            member = place.member or given.dice.draw_member(state.names)
            new_events.append(bot_event(following, level or place.level, member))
        elif seat in staying and place.person is not None:
            new_events.append(joined_event(following, place.person, place.origin))
    return new_events
