"""Decisions that play themselves, because there is nothing to decide; part of the caretaker."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from functools import partial
from typing import Any

from tavola.live.commands.play import has_only_answer, is_evident, is_forced, stays_done
from tavola.live.commands.server_commands import PlayForced, PlayOnly, RunOut
from tavola.live.room_server import TendedRoom

Run = Callable[[Callable[[], Coroutine[Any, Any, None]]], Coroutine[Any, Any, None]]
"""Does something and then updates the room."""
Sleep = Callable[[Callable[[], float]], Awaitable[None]]
"""Sleeps until a number of seconds is 0, which a skipped scene can change."""


class SelfPlay:
    """Plays only possible answers in one room, and keeps eliminated players out of a barter that they have left."""

    def __init__(self, room: TendedRoom, run: Run, sleep: Sleep) -> None:
        self._room, self._server, self._run, self._sleep = room, room.server, run, sleep
        self._only: set[tuple[int, int]] = set()  # seats and prompts with one possible answer
        self._forced: dict[int, int] = {}  # seats and prompts of a decision that plays itself for all
        self._done: dict[int, int] = {}  # seats and prompts of eliminated players who stay away from a barter

    def plays_for_all(self, prompts: dict[int, int]) -> bool:
        """Return whether no one has a choice; the decision is then played a beat after the last scene."""
        if self._server.settings.beat is None or not is_forced(self._room.state):
            return False
        if self._forced != prompts:
            self._forced = prompts
            self._server.tasks.spawn(self._run(partial(self._play_forced, prompts)))
        return True

    def update(self, prompts: dict[int, int]) -> None:
        """Await the only answers of single seats, and keep eliminated players done with a barter."""
        owed = set(prompts.items())
        self._only &= owed
        for seat, prompt in owed - self._only:
            if self._plays_itself(seat):
                self._only.add((seat, prompt))
                self._server.tasks.spawn(self._run(partial(self._play_only, seat, prompt)))
        done = {seat: prompt for seat, prompt in prompts.items() if stays_done(self._room.state, seat)}
        if done and done != self._done:
            self._server.tasks.spawn(self._run(partial(self._room.execute_internal, RunOut(done))))
        self._done = done

    def _plays_itself(self, seat: int) -> bool:
        """Return whether a seat has one possible answer that can be played automatically without revealing anything."""
        room = self._room
        if self._server.settings.beat is None or room.state.undo_request or not has_only_answer(room.state, seat):
            return False
        people = [place.person.id for place in room.state.occupants if place.person is not None]
        # A spectator knows less than any seat, so nothing is evident to them.
        return room.presence.has_only(people) and (len(people) == 1 or is_evident(room.state, seat))

    async def _play_only(self, seat: int, prompt: int) -> None:
        await self._sleep_beat()
        self._only.discard((seat, prompt))
        if self._plays_itself(seat):
            await self._room.execute_internal(PlayOnly(seat, prompt))

    async def _sleep_beat(self) -> None:
        """Sleep until the decision has been shown for a moment, in which a program may answer it."""
        loop, beat = asyncio.get_running_loop(), self._server.settings.beat or 0.0
        asked = loop.time()
        await self._sleep(lambda: max(asked, self._room.scene_until) + beat - loop.time())

    async def _play_forced(self, prompts: dict[int, int]) -> None:
        try:
            await self._sleep_beat()
            await self._room.execute_internal(PlayForced(prompts))
        finally:
            self._forced = {}
