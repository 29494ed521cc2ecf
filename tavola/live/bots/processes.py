"""Bots of all rooms: their threads, external programs, and the maker whose share of time each room uses."""

from collections.abc import Callable

from cachetools import FIFOCache

from tavola.bargain import Bargainer, Heard
from tavola.bots import LEVELS
from tavola.core import View
from tavola.live.bots.outside import OutsideBots
from tavola.live.bots.thinking import BRISK_BUDGET, Thinkers
from tavola.live.log.state import State
from tavola.live.settings import HubSettings
from tavola.talk import Statement, StatementTexts

MOST_MAKERS = 20_000
"""Maximum rooms whose maker is remembered."""


class BotProcesses:
    """The bots of a server's rooms. A room's bots use its maker's share of thinking time."""

    def __init__(self, settings: HubSettings) -> None:
        self._settings = settings
        self._makers: FIFOCache[str, str] = FIFOCache(MOST_MAKERS)  # by room
        self.thinkers = Thinkers(settings.bots)
        self.outside = OutsideBots(settings.outside)

    def maker_of(self, room_id: str, default: str) -> str:
        """Return whose share of thinking time a room's bots use, `default` if that is not known."""
        return self._makers.get(room_id, default)

    def set_maker(self, room_id: str, maker: str) -> None:
        """Set whose share of thinking time a room's bots use."""
        self._makers[room_id] = maker

    async def think(
        self, room_id: str, state: State, level: str | None, view: View, bargainer: tuple[Bargainer, Heard] | None
    ) -> int:
        """Return a bot's choice.

        Without a level, or with an external bot that is not known any more, the level is that of bots that take over.
        `bargainer`: the bot of the view's seat and what it has heard, if it negotiates.
        """
        if level is not None and level in self._settings.outside:
            return await self.outside.choose(room_id, state, level, view)
        ours = level if level in LEVELS else self._settings.level
        maker, most = self.maker_of(room_id, state.host.id), LEVELS[ours].milliseconds
        if state.haste == "end":
            most = min(most, BRISK_BUDGET)
        if bargainer is not None:
            player, heard = bargainer
            return await self.thinkers.work(
                maker, room_id, lambda limit: player.within(limit).choose(view, heard), most
            )
        return await self.thinkers.think(maker, room_id, ours, view, most)

    def said_before_choice(self, room_id: str, level: str | None, seat: int) -> list[StatementTexts]:
        """Return the statements of a seat's external bot before its last choice."""
        return self.outside.said(room_id, seat) if level in self._settings.outside else []

    async def bargain(
        self, room_id: str, state: State, player: Bargainer, turn: Callable[[Bargainer], list[Statement]]
    ) -> list[Statement]:
        """Return the statements of a bot in one turn of talk."""
        maker, most = self.maker_of(room_id, state.host.id), player.level.milliseconds
        return await self.thinkers.work(maker, room_id, lambda limit: turn(player.within(limit)), most)

    def close(self) -> None:
        """End the threads and the programs."""
        self.thinkers.close()
        self.outside.close()
