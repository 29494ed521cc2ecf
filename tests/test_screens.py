"""What is kept of screens, between moves and between seats, is what would be made anew."""

import random

import pytest
from live_rooms import PEOPLE, decide, eventually, in_loop, opened, playing

from tavola.games import names
from tavola.live.holding import Hold
from tavola.web.screen import Stage

MOVES = 120


def pieces(screen) -> dict[str, object]:
    """What the boards show to all."""
    return {name: drawn for name, drawn in screen.shared.lists.items() if name.startswith("pieces")}


@pytest.mark.parametrize("game", names())
@in_loop
async def test_a_screen_that_is_kept_is_the_one_that_would_be_made(game, tmp_path):
    dice = random.Random(7)
    async with opened(tmp_path / "rooms.sqlite", hold=Hold(0.01, 0.0)) as hub:
        room = await playing(hub, game=game)
        kept = Stage(room)
        for _ in range(MOVES):
            await eventually(lambda: room.state.opened or room.state.phase == "over")  # a toss may be in the air
            if room.state.phase == "over":
                return
            for who in (None, *range(len(PEOPLE))):
                shown, made = kept.screen("it", who), Stage(room).screen("it", who)
                assert shown.own == made.own
                assert shown.shared.places["phases"] == made.shared.places["phases"]
                assert pieces(shown) == pieces(made)
            seat = dice.choice(list(room.state.opened))
            await decide(room, PEOPLE[seat], dice.randrange(len(room.view(seat).legal)))
