"""What others have done since a seat's own last action."""

from tavola.live import Room
from tavola.show.cards import Witnessed


class Recent:
    """Keeps, for each seat that has asked, the actions of others since its own last one."""

    def __init__(self, room: Room) -> None:
        self.room = room
        self._known: dict[int, tuple[int, tuple[Witnessed, ...]]] = {}  # actions of the match seen, and what is told

    def since_own_action(self, seat: int) -> tuple[Witnessed, ...]:
        """Return the actions of others and of chance since the seat's last action, the oldest first."""
        state = self.room.state
        until, known = self._known.get(seat, (0, ()))
        if until > state.moments:
            until, known = 0, ()  # actions were taken back
        own = [moment for moment in range(until + 1, state.moments + 1) if state.actor(moment) == seat]
        if own:
            until, known = own[-1], ()
        fresh = (
            Witnessed(state.view(seat, moment - 1), state.view(seat, moment), state.heard_action(moment, seat))
            for moment in range(until + 1, state.moments + 1)
        )
        self._known[seat] = state.moments, (*known, *fresh)
        return self._known[seat][1]
