"""Declared options and actions: defaults, words, numbers, codes, and errors for typing mistakes."""

import re
from enum import IntEnum
from functools import partial
from typing import Any, cast

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tavola
from tavola import core
from tavola.core import CHANCE, Actions, IllegalAction, Match, Options, PlayedAction, numerals, switch_option, verb
from tavola.games._template import GAME as TEMPLATE

OPTIONS = Options(
    (2, 5),
    core.number_option("rows", 3, 12, default=4, provenance="rulebook"),
    core.choice_option("sea", "calm", "rough", default="rough", provenance="published"),
    switch_option("fog", default="on", letter="off", provenance="ours"),
)
RANKS = ("officer", "sailor")
ACTIONS = Actions(verb("pass"), verb("lane", lane=numerals(1, 3)), verb("crew", rank=RANKS, boat=("red", "green")))


def test_what_is_not_given_has_its_default():
    defaults = OPTIONS.array({})
    assert (defaults.tolist(), defaults.dtype) == ([4, 4, 1, 1], np.int64)
    assert OPTIONS.to_words(defaults) == {"players": "4", "rows": "4", "sea": "rough", "fog": "on"}


def test_there_are_two_named_sets():
    assert OPTIONS.array({}, "letter").tolist() == [4, 4, 1, 0]
    assert OPTIONS.array({"fog": "on", "rows": 5}, "letter").tolist() == [4, 5, 1, 1]
    assert [option.name for option in OPTIONS.differing_options] == ["fog"]
    with pytest.raises(core.BadOption, match="rules: expected recommended or letter, found 'letters'"):
        OPTIONS.array({}, "letters")


def test_a_match_knows_which_set_it_plays():
    fogs = Options((2, 5), OPTIONS.all[3], switch_option("rain", default="on", letter="off", provenance="ours"))
    named_ = [fogs.rules_of(fogs.to_words(fogs.array({"rain": rain}, "letter"))) for rain in ("off", "on")]
    assert named_ == ["letter", None]
    assert fogs.rules_of(fogs.to_words(fogs.array({"players": 3}))) == "recommended"


def test_a_seat_option_names_only_seats_in_the_match():
    """Whatever the order of the options: a seat beyond the players is refused, and never means a random one."""
    options = Options((2, 4), core.seat_option("starter", 4, provenance="ours"))
    assert options.to_words(options.array({}))["starter"] == "random"
    assert options.array({"starter": 1, "players": 2}).tolist() == [2, 2]
    assert options.array({"starter": "3"}).tolist() == [4, 4]
    with pytest.raises(core.BadOption, match="option starter: expected random or 0 or 1 with 2 players, found '2'"):
        options.array({"starter": 2, "players": "2"})
    assert [*options.all[1].values()] == [0, 1, 2, 3, 4]
    assert [*options.all[1].values(2)] == [0, 1, 2]


sea = partial(core.choice_option, "sea", default="calm", provenance="ours")
rows = partial(core.number_option, "rows", 3, 12, provenance="ours")
PROVENANCE = "expected a provenance among rulebook, published, inferred, decided, ours, found"
ROWS = "option rows: expected a whole number from 3 to 12"
NAMES = "expected lower-case names with hyphens, such as lands-end, found"


@pytest.mark.parametrize(
    ("declare", "expected"),
    [
        (lambda: switch_option("fog", provenance=cast(Any, "usual")), f"fog: {PROVENANCE} 'usual'"),
        (lambda: core.seat_option("starter", 4, provenance=cast(Any, "")), f"starter: {PROVENANCE} ''"),
        (lambda: switch_option("fog", default="yes", provenance="ours"), "fog: expected off or on, found 'yes'"),
        (lambda: sea("calm", "rough", letter="wild"), "sea: expected calm or rough, found 'wild'"),
        (lambda: sea("calm", "calm"), r"sea: expected distinct names for its values, found \('calm', 'calm'\)"),
        (lambda: sea("calm", "a storm"), f"sea: {NAMES} 'a storm'"),
        (lambda: switch_option("Fog?", provenance="ours"), rf"Fog\?: {NAMES} 'Fog\?'"),
        (lambda: rows(default=2), "rows: expected values from 3 to 12, found 2"),
        (lambda: rows(default=4, letter=13), "rows: expected values from 3 to 12, found 13"),
    ],
)
def test_a_declaration_that_no_page_could_show_is_refused_at_once(declare, expected):
    with pytest.raises(TypeError, match=f"^option {expected}$"):
        declare()


@pytest.mark.parametrize("name", ["seed", "position", "rules", "check", "players"])
def test_an_option_bears_no_name_that_means_something_else(name):
    with pytest.raises(TypeError, match=f"option {name}"):
        Options((2, 3), switch_option(name, provenance="ours"))


def test_rules_letter_selects_the_printed_rules():
    game = tavola.load("voyage")
    words = game.options.to_words(Match(game, rules="letter").options)
    assert (words["sailor"], words["safe_course"]) == ("literal", "off")
    words = game.options.to_words(Match(game).options)
    assert (words["sailor"], words["safe_course"]) == ("emended", "on")


@pytest.mark.parametrize(("players", "default"), [((2, 3), 3), ((3, 6), 4), ((5, 8), 5)])
def test_four_play_where_four_may(players, default):
    assert Options(players).array({}).tolist() == [default]


def test_options_are_given_as_words_or_numbers():
    for given_ in (
        {"rows": 12, "sea": "calm", "fog": "on"},
        {"rows": "12", "sea": "CALM", "fog": "On"},
        {"rows": np.int8(12), "sea": "calm", "fog": "on"},
    ):
        assert OPTIONS.array(given_).tolist() == [4, 12, 0, 1]


@given(st.tuples(st.integers(2, 5), st.integers(3, 12), st.integers(0, 1), st.integers(0, 1)))
def test_words_and_numbers_are_the_same(values):
    assert OPTIONS.array(OPTIONS.to_words(np.array(values))).tolist() == list(values)


@pytest.mark.parametrize(
    ("given_", "refusal"),
    [
        *(({"rows": wrong}, f"{ROWS}, found {wrong!r}") for wrong in (13, "2", "-4", " 4", "", 4.0, True, None)),
        *(({"rows": wrong}, ROWS) for wrong in ("٤", "²")),
        ({"rows": "9" * 9999}, f"{ROWS}, found '999"),
        ({"sea": "wild"}, "option sea: expected calm or rough, found 'wild'"),
        ({"sea": 0}, "option sea: expected calm or rough, found 0"),
        ({"fog": True}, "option fog: expected off or on, found True"),
        ({"wind": 1}, "option 'wind': expected one of players, rows, sea, fog"),
        ({"x" * 999: 1}, "expected one of players, rows, sea, fog"),
    ],
)
def test_a_bad_option_is_refused_by_name(given_, refusal):
    with pytest.raises(core.BadOption, match=refusal) as refused:
        OPTIONS.array(given_)
    assert len(str(refused.value)) < 200


def test_actions_are_numbered_in_the_order_of_their_declaration():
    crews = [f"crew {rank} {boat}" for rank in RANKS for boat in ("red", "green")]
    assert list(ACTIONS.codes) == ["pass", "lane 1", "lane 2", "lane 3", *crews]
    assert ACTIONS.first == {"pass": 0, "lane": 1, "crew": 4}
    assert len(ACTIONS) == 8


def test_an_action_is_taken_apart():
    assert ACTIONS.action(6) == ("crew", (1, 0))
    assert ACTIONS.action(0) == ("pass", ())
    assert ACTIONS.code(6) == "crew sailor red"


@pytest.mark.parametrize("code", ["crew sailor red", "  CREW\tSailor   red \n"])
def test_spaces_and_case_do_not_matter(code):
    assert ACTIONS.number(code) == 6


@pytest.mark.parametrize(
    ("code", "form"),
    [
        ("crew red", r"crew rank \(officer\|sailor\) boat \(red\|green\)"),
        ("pass please", "pass"),
        ("", "an action beginning with pass, lane, crew"),
        ("creww", "an action beginning with pass, lane, crew"),
        ("lane 01", r"lane lane \(1\|2\|3\)"),
        ("\ud800", ""),
    ],
)
def test_an_unknown_code_is_refused_with_the_form(code, form):
    with pytest.raises(IllegalAction, match=re.escape(f"{code!r} is not an action of this game: expected ") + form):
        ACTIONS.number(code)


@given(st.text())
def test_any_other_text_is_refused(text):
    if " ".join(text.lower().split()) not in ACTIONS.codes:
        with pytest.raises(IllegalAction):
            ACTIONS.number(text)


@pytest.mark.parametrize("name", ["Land's End", "Mull", "", "-", "west--end", "a b", "é", "1/1", "end-", "x;", "*"])
def test_names_are_in_lower_case_with_hyphens(name):
    for declare in (lambda: verb(name), lambda: verb("go", place=("lands-end", name))):
        with pytest.raises(TypeError, match="expected lower-case names with hyphens, such as lands-end, found"):
            declare()
    assert verb("go", place=("lands-end", "k2", "mull-of-kintyre")).codes()[0] == "go lands-end"


def test_a_verb_says_whether_it_is_secret_and_whether_it_can_be_planned():
    verbs = Actions(verb("vote", secret=True, ballot=numerals(1, 2)), verb("walk", planned=True, way=("left", "right")))
    assert [verbs.verb(number).secret for number in range(4)] == [True, True, False, False]
    assert [verbs.verb(number).planned for number in range(4)] == [False, False, True, True]


@pytest.mark.parametrize(("hearer", "told"), [(None, {"toss"}), (0, {"toss"}), (1, {"bid", "toss"})])
def test_a_secret_action_is_heard_only_by_its_seat_and_that_of_chance_by_none(hearer, told):
    for name, seat in (("bid", 1), ("deal", CHANCE), ("toss", CHANCE)):
        heard = TEMPLATE.observe_action(seat, TEMPLATE.actions.first[name] + 1, hearer)
        assert heard == (PlayedAction(seat, name, (1,)) if name in told else None)


def test_last_action_returns_what_the_hearer_hears():
    match = Match(TEMPLATE, players=2, cards=2)
    assert match.last_action() is None
    for code in ("deal 3", "deal 8", "deal 14", "deal 9", "toss 2"):
        match.play(code)
    assert match.last_action() == match.last_action(0) == PlayedAction(CHANCE, "toss", (1,))
    match.play("bid 14", 0)
    assert match.last_action(0) == PlayedAction(0, "bid", (13,))
    assert match.last_action(1) is match.last_action() is None


def test_two_actions_with_one_code_are_refused():
    with pytest.raises(TypeError, match="two actions have the same code"):
        Actions(verb("lane", lane=numerals(1, 3)), verb("lane", lane=numerals(3, 4)))


def test_an_enumeration_names_what_records_write():
    class Turn(IntEnum):
        LOT = 0
        LAST_PLAYS = 1

    assert core.labels(Turn) == ("lot", "last plays")
    assert core.labels(Turn, "-") == ("lot", "last-plays")
