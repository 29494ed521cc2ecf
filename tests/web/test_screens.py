"""Cached screens, between moves and between seats, equal freshly made ones."""

import random
from itertools import pairwise
from pathlib import Path

import pytest

from tavola.games import names
from tavola.live.time.delays import Suspense
from tavola.web.table.recent import Recent
from tavola.web.table.screen import RoomScreens
from tests.helpers.rooms import PEOPLE, open_hub, play_legal, start_room, wait_until

MOVES = 60


def shown_to_all(screen) -> dict[str, object]:
    shown = screen.shared.lists.items()
    return {name: drawn for name, drawn in shown if name.startswith("pieces") or name == "players"}


@pytest.mark.bulk
@pytest.mark.parametrize("game", names())
async def test_a_screen_that_is_kept_is_the_one_that_would_be_made(game, tmp_path: Path):
    dice = random.Random(7)
    async with open_hub(tmp_path / "rooms.sqlite", suspense=Suspense(0.01, 0.0)) as hub:
        room = await start_room(hub, game=game)
        kept = RoomScreens(room)
        for _ in range(MOVES):
            # A toss may be in the air.
            await wait_until(lambda: room.state.open_decisions or room.state.phase == "over")
            if room.state.phase == "over":
                return
            for who in dice.sample((None, *range(len(PEOPLE))), 2):
                shown, made = kept.screen("it", who), RoomScreens(room).screen("it", who)
                assert shown.own == made.own
                assert shown.shared.slots["phases"] == made.shared.slots["phases"]
                assert shown_to_all(shown) == shown_to_all(made)
            seat = dice.choice(list(room.state.open_decisions))
            await play_legal(room, PEOPLE[seat], dice.randrange(len(room.view(seat).legal)))


async def test_screens_of_all_recent_viewers_are_made_in_one_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    made: list[int | None] = []
    make = RoomScreens._screen
    monkeypatch.setattr(RoomScreens, "_screen", lambda *asked: made.append(asked[2]) or make(*asked))
    async with open_hub(tmp_path / "rooms.sqlite") as hub:
        room = await start_room(hub)
        stage = RoomScreens(room)

        async def made_for(looker: int | None) -> set[int | None]:
            await play_legal(room, PEOPLE[next(iter(room.state.open_decisions))])
            made.clear()
            stage.screen("en", looker)
            return set(made)

        stage.screen("en", 0)
        stage.screen("en", 1)
        assert await made_for(0) == {0, 1}
        assert await made_for(0) == {0}  # seat 1 has not looked since
        assert await made_for(None) == {0, None}


async def test_what_others_have_done_is_kept_until_the_seat_acts(tmp_path: Path):
    async with open_hub(tmp_path / "rooms.sqlite") as hub:
        room = await start_room(hub, game="fairies")
        kept, longest = Recent(room), 0
        for _ in range(30):
            await play_legal(room, PEOPLE[next(iter(room.state.open_decisions))])
            for seat in range(len(PEOPLE)):
                told = kept.since_own_action(seat)
                actors = [room.state.actor(moment) for moment in range(1, room.moments + 1)]
                last = max((number for number, actor in enumerate(actors, 1) if actor == seat), default=0)
                assert [played and played.seat for _, _, played in told] == [
                    room.state.heard_action(moment, seat) and actors[moment - 1]
                    for moment in range(last + 1, room.moments + 1)
                ]
                assert all(after == before for (_, after, _), (before, _, _) in pairwise(told))
                longest = max(longest, len(told))
        assert longest > 3
