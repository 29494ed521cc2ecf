"""The basis of custom bots: worlds that agree with a view, copies of matches, keys, and what each seat hears."""

import pytest

import tavola
from tavola.core import BadPosition, Heard, Match, NotYourTurn, View
from tests.helpers.matches import play_randomly


def played(game: str, actions: int):
    return play_randomly(Match(tavola.load(game), seed=7), 7, actions)


@pytest.fixture(params=tavola.game_names())
def match(request: pytest.FixtureRequest) -> Match:
    return played(request.param, 30)


def test_a_redeal_is_a_match_in_which_the_seat_sees_the_same(match):
    seat = match.to_act[0]
    view = match.view(seat)
    for seed in range(4):
        world = Match.from_view(view, seed)
        assert (world.view(seat), world.view(seat).key) == (view, view.key)
        assert world.options.tolist() == match.options.tolist()
        assert world.state_bytes() == Match.from_view(view, seed).state_bytes()
        world.play(world.legal_numbers(seat)[0], seat)
        assert tavola.read_record(str(world.record())).match().state_bytes() == world.state_bytes()
    with pytest.raises(NotYourTurn, match="expected a seat's view"):
        Match.from_view(match.view(), 1)


def test_a_copy_goes_on_by_itself(match):
    twin, before = match.copy(), match.state_bytes()
    seat = twin.to_act[-1]
    twin.play(twin.legal_numbers(seat)[-1], seat)
    assert match.state_bytes() == before
    assert len(match.history) < len(twin.history)
    match.play(match.legal_numbers(seat)[-1], seat)
    assert (match.history, match.state_bytes()) == (twin.history, twin.state_bytes()), "chance draws the same in both"
    twin.undo()
    assert twin.state_bytes() == before


def test_keys_tell_apart_what_a_seat_can(match):
    views = [match.view(seat) for seat in (*range(match.players), None)]
    assert len({view.key for view in views}) == len(views)
    assert all((one.key == other.key) == (one == other) for one in views for other in views)


def test_a_view_is_read_from_its_document(match):
    for seat in (*range(match.players), None):
        view = match.view(seat)
        assert View.read(match.game, view.document()) == view
    for wrong in ({"seat": 99}, {"game": "ludo"}, {"table": {"nonsense": 1}}, {"box": {}}):
        with pytest.raises(BadPosition, match="expected"):
            View.read(match.game, {**match.view(0).document(), **wrong})


def test_what_is_heard_is_what_the_actions_declare(match):
    play_randomly(match, 8, 60)
    code = match.game.actions.code
    for hearer in (*range(match.players), None):
        told, observe = match.heard(hearer), match.game.observe_action
        plain = [Heard(seat, None if observe(seat, n, hearer) is None else code(n)) for seat, n in match.history]
        assert [one for one in told if one.code] == [one for one in plain if one.code]
        assert len(told) <= len(plain)
        middle = len(match.history) // 2
        assert match.heard(hearer, 0, middle) + match.heard(hearer, middle) == told


def test_unnoticeable_steps_are_heard_only_by_their_seat():
    match = played("tournament", 400)
    own, watched = [len(match.heard(seat)) for seat in range(match.players)], len(match.heard(None))
    assert min(own) >= watched
    assert sum(own) > match.players * watched or watched == len(match.history)
