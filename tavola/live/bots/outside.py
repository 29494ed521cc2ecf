"""External bots in rooms: each seat's program, what it has heard, and threads that wait for its answers.

Only the operator names them (`tavola serve --bot`); hosts seat them by that name. No request from the network can
choose which program is started.
"""

import asyncio
import logging
import secrets
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor

from tavola.bots.outside.player import Outside, OutsidePlayer
from tavola.core import Result, View
from tavola.live.log.state import State
from tavola.live.state_sentences import statement_documents
from tavola.talk import StatementTexts

THREADS = 8
"""Maximum decisions of external bots at the same time."""
logger = logging.getLogger(__name__)


class OutsideBots:
    """External bots of all rooms. `known`: by name, the bots that hosts can seat."""

    def __init__(self, known: Mapping[str, Outside]) -> None:
        self.known = known
        # By room and seat, with the bot's name and how many decisions had been undone when it sat down.
        self._players: dict[tuple[str, int], tuple[tuple[str, int], OutsidePlayer]] = {}
        self._finishing: set[OutsidePlayer] = set()  # they are being sent the result
        self._pool = ThreadPoolExecutor(THREADS, "outside")

    async def choose(self, code: str, state: State, name: str, view: View) -> int:
        """Send the bot `name` on the view's seat what it has heard, and return its choice.

        `code`, `state`: of the room.
        """
        match, seat = state.match, view.seat
        assert match is not None
        assert seat is not None
        player, opened = self._player(code, seat, name, len(state.undone)), state.open_decisions.get(seat)
        player.hear(match, seat, opened.actions if opened is not None else None)
        player.statements = statement_documents(state, seat)
        before = len(player.faults)
        number = await asyncio.get_running_loop().run_in_executor(self._pool, player.choose, view)
        for fault in player.faults[before:]:
            logger.warning("room %s, seat %s: a decision of the bot %s was replaced: %s", code, seat, name, fault)
        return number

    def said(self, code: str, seat: int) -> list[StatementTexts]:
        """Return the statements of the bot on a seat before its last choice."""
        _, player = self._players.get((code, seat), (("", 0), None))
        return [] if player is None else [*player.spoken]

    def replaced(self, code: str, seat: int) -> int:
        """Return how many decisions of the bot on a seat this server has replaced."""
        _, player = self._players.get((code, seat), (("", 0), None))
        return 0 if player is None else len(player.faults)

    def let_go(self, code: str, state: State) -> None:
        """Send the bots of a finished room its result, and keep their programs for other matches."""
        if (match := state.match) is None or not match.over:
            return
        for room_id, seat in [key for key in self._players if key[0] == code]:
            _, player = self._players.pop((room_id, seat))
            player.hear(match, seat)
            self._finishing.add(player)
            self._pool.submit(self._finish, player, match.view(seat), match.score())

    def close(self) -> None:
        """End all programs at once; decisions under way become random."""
        players = [*(player for _, player in self._players.values()), *self._finishing]
        for player in players:
            player.stop()
        self._pool.shutdown(cancel_futures=True)
        for player in players:
            player.close()
        self._players.clear()
        self._finishing.clear()

    def _finish(self, player: OutsidePlayer, view: View, result: Result) -> None:
        player.finish(view, result)
        self._finishing.discard(player)

    def _player(self, code: str, seat: int, name: str, undone: int) -> OutsidePlayer:
        """Return the program on a seat. After an undo it is a new one, which hears the match from its beginning."""
        known, wanted = self._players.get((code, seat)), (name, undone)
        if known is None or known[0] != wanted:
            if known is not None:
                known[1].close()
            known = self._players[code, seat] = wanted, self.known[name].player(secrets.randbits(63))
        return known[1]
