"""What is kept of screens, between moves and between seats, is what would be made anew."""

import random

import pytest
from live_rooms import fresh, in_loop, opened

from tavola.games import load, names
from tavola.live import Person, Settings
from tavola.live.protocol import Join, Play, Start
from tavola.web.screen import Stage

MOVES = 120


async def table(hub, game: str):
    """A match of four people or as many as it takes, just begun, and the people."""
    fewest, most = load(game).players
    people = [Person(f"P{seat}", f"P{seat}") for seat in range(max(fewest, min(4, most)))]
    room = await hub.create(people[0], game, {"players": len(people)}, Settings())
    for person in people[1:]:
        await room.do(person, Join(fresh()))
    await room.do(people[0], Start(fresh()))
    return room, people


def pieces(screen) -> dict[str, object]:
    """What the boards show to all."""
    return {name: drawn for name, drawn in screen.shared.lists.items() if name.startswith("pieces")}


@pytest.mark.parametrize("game", names())
@in_loop
async def test_a_screen_that_is_kept_is_the_one_that_would_be_made(game, tmp_path):
    dice = random.Random(7)
    async with opened(tmp_path / "rooms.sqlite") as hub:
        room, people = await table(hub, game)
        kept = Stage(room)
        for _ in range(MOVES):
            seat = dice.choice(list(room.state.opened))
            code = room.state.game.actions.code(dice.choice(room.view(seat).legal))
            await room.do(people[seat], Play(fresh(), room.prompt_id(seat), code))
            if room.state.phase == "over":
                return
            for who in (None, *range(len(people))):
                shown, made = kept.screen("it", who), Stage(room).screen("it", who)
                assert shown.own == made.own
                assert shown.shared.places["phases"] == made.shared.places["phases"]
                assert pieces(shown) == pieces(made)
