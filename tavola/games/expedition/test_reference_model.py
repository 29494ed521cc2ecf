"""Random complete matches, played by the game and by the reference model: both agree after each action.

They compare arrows, cards, tokens and vouchers, the seat to act, and the legal actions with their chances.
"""

import random
from typing import Any, cast

import pytest

from tavola.core import Match
from tavola.core.fields import Choice
from tavola.games.expedition import GAME
from tavola.games.expedition.network import WAYS
from tavola.games.expedition.reference_model import COLOURS, ReferenceModel
from tavola.show.testing import present

EVERY = 4
"""Number of actions between full comparisons; legal actions are compared after each."""


def check_equal(match: Match, model: ReferenceModel) -> None:
    phase = cast(Choice, GAME.table.fields["phase"]).names[match.view().table.phase]
    assert phase == model.phase
    assert match.to_act == (() if phase == "over" else (model.actor(),))
    legal = (match.chance_weights() or dict.fromkeys(match.legal_codes(), 1)) if match.to_act else {}
    assert legal == (model.legal() if phase != "over" else {}), phase


def check_all_equal(match: Match, model: ReferenceModel) -> None:
    document = match.document()
    for seat, player in enumerate(model.players):
        one, hand = document["explorers"][seat], document["hands"][seat]
        counts = (one["vouchers"], one["own"], one["public"], one["collected"], one["tokens"], one["cards"])
        mine = (player.private, player.public, player.home, player.tokens, player.hand)
        assert counts == (player.vouchers, *map(len, mine)), seat
        assert set(hand["cards"]) == player.hand
        assert [card for card in hand["drawn"] if card != "none"] == player.drawn
        assert {place for place, owner in document["token"].items() if owner == str(seat)} == player.tokens
        reached = player.private | player.public | (player.home if model.b else set())
        assert {place for place, owner in document["laid"].items() if owner == str(seat)} == reached
    assert set(document["won"]) == set().union(*(player.home for player in model.players))
    assert set(document["box"]["cards"]) == model.shuffled
    assert document["box"]["under"][: document["beneath"]] == model.beneath
    assert [None if goal == "none" else goal for goal in document["goals"]] == model.goals
    for colour in COLOURS:
        one = document["expedition"][colour]
        assert one["path"][: one["count"]] == [f"{origin}-to-{target}" for origin, target in model.routes[colour]]
        expected = model.heads[colour], colour in model.open, model.fresh[colour]
        assert (one["head"], one["loose"], one["fresh"]) == expected
    assert (document["bank"], document["used"], document["green"]) == (model.bank, model.spent, model.green)
    assert (document["turns"], document["idle"], document["seat"]) == (model.turn, model.still, model.seat)
    assert document["ending"] == (model.ending or "none")
    assert [model.points(seat) for seat in range(model.count)] == list(match.score().points)


def compare(players: int, seed: int) -> int:
    draw = random.Random(seed * 10 + players)
    options: dict[str, Any] = {o.name: o.write(draw.randint(o.low, o.high)) for o in GAME.options.all[1:] if seed % 3}
    match, model = Match(GAME, players=players, **options), ReferenceModel(players, **options)
    while not match.over:
        check_equal(match, model)
        if len(match.history) % EVERY == 0:
            check_all_equal(match, model)
        code = draw.choice(list(match.chance_weights() or match.legal_codes()))
        match.play(code, match.to_act[0])
        model.play(code)
    check_equal(match, model)
    check_all_equal(match, model)
    assert set(present(match.result()).winners) == model.winners()
    return len(match.history)


@pytest.mark.bulk
@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
@pytest.mark.parametrize("seeds", [range(1), pytest.param(range(1, 250), marks=pytest.mark.soak)], ids=["few", "many"])
def test_the_twin_agrees(players: int, seeds: range) -> None:
    assert sum(compare(players, seed) for seed in seeds) > 200


def test_the_twin_itself() -> None:
    """The figure of variant A: the loop 14-7-8-3-9-10-2-11-12-13 among those that cross."""
    model = ReferenceModel(2, variant_a="on")
    walked = "1-2 2-3 3-4 4-5 5-6 6-7 7-8 8-3 3-9 9-10 10-2 2-11 11-12 12-13 13-14 14-7"
    model.routes["red"] = [tuple(pair.split("-")) for pair in walked.split()]  # type: ignore[misc]
    assert model._circle("red") == {str(number) for number in (14, 7, 8, 3, 9, 10, 2, 11, 12, 13)}
    assert len(WAYS) == 416
