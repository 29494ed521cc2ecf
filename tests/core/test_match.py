"""A match from Python, as a newcomer uses it: playing, undoing, chance, views, positions, refusals."""

import json
import re
from typing import Any, cast

import msgspec
import numpy as np
import pytest
from markupsafe import Markup, escape

import tavola
from tavola import CHANCE
from tavola.core import BadOption, BadPosition, Encoder, IllegalAction, Match, Moment, NotYourTurn, Refusal, rank_seats
from tavola.core.fields import short_repr
from tavola.show import picture_of, words_of
from tests.helpers.matches import play_randomly, played

GAME = tavola.load("lifeboats")


def at_the_first_ballot():
    match = played(GAME, (CHANCE, "start 0"), players=3)
    while len(match.to_act) == 1:
        match.play(match.legal_codes()[0])
    return match


def test_with_a_seed_chance_plays_itself():
    match = Match(GAME, players=4, seed=7)
    assert (match.history[0][0], match.chance_weights()) == (CHANCE, {})
    assert CHANCE not in match.to_act


def test_without_a_seed_chance_is_a_seat():
    match = Match(GAME, players=3)
    assert match.to_act == (CHANCE,)
    assert match.legal_codes() == match.legal_codes(CHANCE) == ["start 0", "start 1", "start 2"]
    assert match.chance_weights() == {"start 0": 1, "start 1": 1, "start 2": 1}
    match.play("start 2", CHANCE)
    assert match.to_act == (2,)


@pytest.mark.parametrize("seed", [0, 7, 2**64 - 1, -1, 10**30])
def test_a_seed_gives_the_same_match_again(seed):
    one, two = Match(GAME, players=5, seed=seed), Match(GAME, players=5, seed=seed)
    assert one.state_bytes() == two.state_bytes()
    assert play_randomly(one, 1).history == play_randomly(two, 1).history


def test_seeds_reach_every_outcome():
    starts = [Match(GAME, players=3, seed=seed).history[0][1] for seed in range(300)]
    assert all(starts.count(outcome) > 70 for outcome in range(3))


@pytest.mark.parametrize("seed", ["7", 7.0, True, [7], float("nan")])
def test_invalid_seeds_are_refused(seed):
    with pytest.raises(BadOption, match="seed: expected a whole number, found"):
        Match(GAME, seed=seed)


def test_actions_are_codes_or_numbers():
    by_code, by_number = Match(GAME, players=3), Match(GAME, players=3)
    by_code.play("  START   1 ")
    by_number.play(by_number.legal_numbers(CHANCE)[1])
    assert by_code.history == by_number.history
    assert by_code.legal_codes() == [GAME.actions.code(number) for number in by_code.legal_numbers(1)]


def test_numpy_numbers_are_numbers():
    match = Match(GAME, players=3)
    assert Match(GAME, seed=cast(int, np.int64(7))).history == Match(GAME, seed=7).history
    match.play(cast(int, np.int32(match.legal_numbers(CHANCE)[0])), cast(int, np.int64(CHANCE)))
    assert match.history == [(CHANCE, 0)]
    assert {type(part) for part in match.history[0]} == {int}


def test_several_may_act_and_must_be_named():
    match = at_the_first_ballot()
    assert match.to_act == (0, 1, 2)
    with pytest.raises(NotYourTurn, match="no seat given: expected seat 0 or seat 1 or seat 2"):
        match.play("vote red")
    with pytest.raises(NotYourTurn, match="no seat given: expected"):
        match.legal_codes()
    match.play("vote red", 1)
    assert match.to_act == (0, 2)


NO_ACTION = "is not an action: expected a code such as 'start 0'"
NOT_NOW = "is not allowed now for chance: expected start 0, start 1, start 2"


@pytest.mark.parametrize(
    ("action", "expected"),
    [
        *((action, NO_ACTION) for action in (1.0, True, None, [0], b"start 0", float("nan"))),
        *((number, NOT_NOW) for number in (-1, 10**6, 10**5000, 6, np.int64(40))),
        ("dance", "'dance' is not an action of this game: expected an action beginning with start, lane, crew, vote,"),
        ("", "'' is not an action of this game: expected an action beginning with start"),
        ("vote", r"'vote' is not an action of this game: expected vote ballot \(red|green|violet"),
        ("crew red sailor", r"expected crew rank \(officer\|sailor\) boat \(red\|green"),
        ("lane 9", r"'lane 9' is not an action of this game: expected lane lane \(1\|2\|3\|4\|5\|6\|7\)"),
        ("x" * 10**5, "is not an action of this game"),
    ],
    ids=short_repr,
)
def test_what_is_no_legal_action_is_refused_with_what_was_expected(action, expected):
    match = Match(GAME, players=3)
    with pytest.raises(IllegalAction, match=expected) as refused:
        match.play(action)
    assert len(str(refused.value)) < 250
    assert match.history == []


def test_an_illegal_action_says_what_is_legal():
    match = played(GAME, (CHANCE, "start 1"), (1, "lane 4"), players=3)
    with pytest.raises(IllegalAction) as refused:
        match.play("lane 4")
    expected = "'lane 4' is not allowed now for seat 2: expected lane 1, lane 2, lane 3, lane 5, lane 6, lane 7"
    assert str(refused.value) == expected


def test_a_long_list_of_legal_actions_is_cut():
    match = Match(GAME, players=6)
    for code in ("start 0", *(f"lane {lane}" for lane in range(1, 8))):
        match.play(code)
    with pytest.raises(IllegalAction, match=r"crew officer black, crew sailor red, .* and 2 more"):
        match.play("vote red")


@pytest.mark.parametrize("seat", [3, 9, -1, 10**30, 10**5000], ids=short_repr)
def test_another_seat_may_not_act(seat):
    match = played(GAME, (CHANCE, "start 1"), players=3)
    with pytest.raises(NotYourTurn, match="has no decision to make now: expected seat 1"):
        match.play("lane 1", seat)
    assert match.legal_codes(seat) == []


@pytest.mark.parametrize("seat", ["1", 1.0, True, [1]])
def test_invalid_seats_are_refused(seat):
    match = played(GAME, (CHANCE, "start 1"), players=3)
    for ask in (match.legal_codes, lambda seat: match.play("lane 1", seat)):
        with pytest.raises(NotYourTurn, match="is not a seat: expected seat 1"):
            ask(seat)


def test_after_the_end_nothing_can_be_played():
    match = play_randomly(Match(GAME, players=3, seed=5), 5)
    assert (match.over, match.to_act, match.legal_codes(0)) == (True, (), [])
    with pytest.raises(NotYourTurn, match="expected no action, since the match is over"):
        match.play("vote red", 0)


def test_a_refusal_changes_nothing():
    match = at_the_first_ballot()
    match.play("vote red", 0)
    before, document, history = match.state_bytes(), match.document(), list(match.history)
    for action, seat in (("vote red", 0), ("vote white", 1), ("dance", 1), (1.5, 1), ("vote red", "1"), ("lane 1", 2)):
        with pytest.raises(Refusal):
            match.play(action, seat)
    assert (match.state_bytes(), match.document(), match.history) == (before, document, history)


def test_undo_takes_chance_back_with_the_decision_before_it():
    """With a seed, what chance played by itself at the very beginning stays."""
    match = Match(GAME, players=3, seed=7)
    beginning = match.state_bytes()
    play_randomly(match, 7, most=30)
    while len(match.history) > 1:
        match.undo()
    assert match.state_bytes() == beginning
    with pytest.raises(IllegalAction, match="nothing has been played yet: expected a match with at least one action"):
        match.undo()


def test_what_was_taken_back_can_be_played_otherwise():
    match = at_the_first_ballot()
    match.play("vote red", 0)
    match.undo()
    match.play("vote green", 0)
    assert match.view(0).document()["hand"] == {"card": "green"}


def test_a_result_comes_at_the_end():
    match = Match(GAME, players=3, seed=5)
    assert (match.result(), match.score().points) == (None, (0, 0, 0))
    play_randomly(match, 5)
    result = match.result()
    assert result == match.score()
    assert sorted(result.ranks)[0] == 1
    assert result.winners == tuple(seat for seat in range(3) if result.ranks[seat] == 1)


def test_a_view_is_of_a_seat_at_the_table():
    match = at_the_first_ballot()
    for seat in (3, -1, "0", True, 1.0, 10**5000):
        with pytest.raises(NotYourTurn, match="is not at this table: expected 0 to 2"):
            match.view(seat)
    assert match.view(np.int64(2)) == match.view(2)


def test_views_are_equal_when_what_is_seen_is():
    one, two = at_the_first_ballot(), at_the_first_ballot()
    one.play("vote red", 0)
    two.play("vote green", 0)
    assert one.view(1) == two.view(1)
    assert hash(one.view(1)) == hash(two.view(1))
    assert one.view(0) != two.view(0)
    assert one.view(1) != one.view(2)
    assert one.view(1) != "a view"
    assert one.view(0).public() == one.view() == two.view()


def test_a_view_does_not_move_with_the_match():
    match = at_the_first_ballot()
    view, before = match.view(0), match.view(0).tobytes()
    match.play("vote red", 0)
    assert view.tobytes() == before
    with pytest.raises(ValueError, match="read-only"):
        view.states["table"] = 0


def test_only_a_game_can_be_played():
    for wrong, name in ((cast(Any, "lifeboats"), "lifeboats"), (cast(Any, 3), "NAME")):
        with pytest.raises(TypeError, match=re.escape(f'expected a Game, found {wrong!r}: pass tavola.load("{name}")')):
            Match(wrong)


def test_options_are_refused_by_name():
    with pytest.raises(BadOption, match="option 'wind': expected one of players, seats, moves, islands, last_boat"):
        Match(GAME, wind="north")


def test_a_match_goes_on_from_a_document():
    match = play_randomly(Match(GAME, players=4, seed=2), 2, most=90)
    again = Match(GAME, position=match.document())
    assert (again.state_bytes(), again.history, again.players) == (match.state_bytes(), [], 4)
    assert play_randomly(again, 3).result() == play_randomly(match, 3).result()


def test_a_position_keeps_its_own_copy():
    document = at_the_first_ballot().document()
    match = Match(GAME, position=document)
    document["phase"] = "over"
    assert match.position["phase"] == "leak ballot"
    assert match.record().match().state_bytes() == match.state_bytes()


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"game": "chess"}, "game: expected 'lifeboats', found 'chess'"),
        *(({"version": wrong}, f"version: expected 1, found {wrong!r}") for wrong in (2, "1")),
        ({"options": []}, r"options: expected an object, found \[\]"),
        ({"wind": 3}, "the position: expected keys among game, version, options, players, .*, hands, found 'wind'"),
        ({3: 3}, "the position: expected keys among .*, found 3"),
        ({"box": {}}, "the position: expected keys among .*, found 'box'"),
        ({"players": 4}, "players: expected 3, as in the options, found 4"),
        ({"last_boat_stays": True}, "last_boat_stays: expected 0, as in the options, found True"),
        ({"last_boat_stays": 0}, "last_boat_stays: expected true or false, found 0"),
        ({"phase": "lunch"}, "phase: expected one of lot, boats, .*, found 'lunch'"),
        ({"rounds": 61}, "rounds: expected a whole number from 0 to 60, found 61"),
        ({"rounds": 10**5000}, "rounds: .* from 0 to 60, found a value of type int, too large to show"),
        ({"boats": {"red": {"crew": [{"a": 1}]}}}, "boats.red.crew.0: expected keys among officer, sailor, found 'a'"),
        ({"hands": [{}] * 4}, "hands: expected a list of at most 3 hands"),
        ({"hands": {}}, "hands: expected a list of at most 6 values"),
        ({"hands": [{"card": "ace"}]}, "hands.0.card: expected one of none, red"),
        ({"turn": 5}, "turn: expected a seat from 0 to 2"),
    ],
)
def test_a_bad_position_is_refused_by_field(change, expected):
    with pytest.raises(BadPosition, match=expected) as refused:
        Match(GAME, position={**at_the_first_ballot().document(), **change})
    assert len(str(refused.value)) < 500


@pytest.mark.parametrize("document", [[], "lot", 7, True, 1.5])
def test_invalid_documents_are_refused(document):
    with pytest.raises(BadPosition, match="the position: expected an object with keys among"):
        Match(GAME, position=document)


def test_endless_nesting_is_refused():
    document = []
    for _ in range(100_000):
        document = [document]
    with pytest.raises(BadPosition, match="rounds: expected a whole number from 0 to 60"):
        Match(GAME, position={"rounds": document})


@pytest.mark.parametrize("players", ["4", 4])
def test_options_beside_a_position_may_not_contradict_it(players):
    document = at_the_first_ballot().document()
    with pytest.raises(BadPosition, match=r"options.players: expected '4', as given separately, found '3'"):
        Match(GAME, position=document, players=players)
    assert Match(GAME, position=document, players=3).state_bytes() == Match(GAME, position=document).state_bytes()


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"players": 9}, "option players: expected a whole number from 3 to 6, found 9"),
        *(({"players": far}, "option players: expected a whole number from 3 to 6") for far in ("9" * 5000, 10**5000)),
        ({"players": None}, "option players: expected a whole number from 3 to 6, found None"),
        ({"wind": 1, 2: 3}, "option 2: expected one of players"),
        ({"islands": 1}, "option islands: expected 2-2-3 or"),
    ],
)
def test_options_in_a_position_are_checked(options, expected):
    with pytest.raises(BadOption, match=expected):
        Match(GAME, position={"options": options})


@pytest.mark.parametrize(
    ("points", "ties", "places", "left"),
    [
        ([3, 5, 3, 1], 1, [2, 1, 2, 4], [3, 5, 3, 1]),
        ([0, 0, -4], 1, [1, 1, 3], [0, 0, -4]),
        ([3 * 8 + 1, 3 * 8 + 7, 3 * 8 + 1, 4 * 8], 8, [3, 2, 3, 1], [3, 3, 3, 4]),
        ([-2 * 8 + 5, -2 * 8], 8, [1, 2], [-2, -2]),
    ],
)
def test_places_follow_points_and_then_what_breaks_ties(points, ties, places, left):
    points, place = np.array([*points, 99]), np.zeros(len(points) + 1, np.int64)
    rank_seats(points, place, len(places), ties)
    assert place.tolist() == [*places, 0]
    assert points.tolist() == [*left, 99]


# A moment counts secret steps, so it is never sent


def test_moments_are_in_the_order_of_what_happened():
    match = Match(GAME, seed=1)
    before = match.moment
    match.play(match.legal_codes(match.to_act[0])[0], match.to_act[0])
    assert before < match.moment
    assert match.moment == Moment(len(match.history))
    assert max(before, match.moment) == match.moment
    assert len({before, match.moment, Moment(before.actions)}) == 2


@pytest.mark.parametrize(
    "write",
    [
        str,
        "{}".format,
        "log-{:d}".format,
        escape,
        Markup("<li>{}</li>").format,
        json.dumps,
        msgspec.json.encode,
        lambda moment: msgspec.json.encode({"moment": moment}, enc_hook=str),
        int,
    ],
)
def test_a_moment_cannot_be_written(write):
    with pytest.raises(TypeError):
        write(Moment(84))


OLD: Any = GAME
"""The game, with names that type checkers no longer know."""


def begun():
    return Match(GAME, players=4, seed=3)


SEEN: Any = begun().view(1)


def redealt():
    return Match.from_view(SEEN, 5)


@pytest.mark.parametrize(
    ("name", "use", "old", "new"),
    [
        ("Game.match", "Match(game, …)", lambda: OLD.match(3, players=4).history, lambda: begun().history),
        ("Game.encoder", "core.Encoder(game, …)", lambda: OLD.encoder(recall=2).shape, lambda: Encoder(GAME, 2).shape),
        ("Game.words", "show.words_of(game)", lambda: OLD.words, lambda: words_of(GAME)),
        ("Game.picture", "show.picture_of(game)", lambda: OLD.picture, lambda: picture_of(GAME)),
        ("View.redeal", "Match.from_view(view, seed)", lambda: SEEN.redeal(5).record(), lambda: redealt().record()),
    ],
)
def test_an_old_name_does_what_the_new_one_does_and_names_it(name, use, old, new):
    with pytest.warns(DeprecationWarning, match=re.escape(f"{name} is deprecated: use tavola.{use}")):
        assert old() == new()
