"""The texts and pictures of Expedition: few choices at once, the last arrows, plans in pencil, claims long enough."""

import re
from collections import defaultdict
from itertools import pairwise

import pytest

from tavola.core import CHANCE, make_plan
from tavola.games.expedition import GAME
from tavola.games.expedition.components import ACTIONS
from tavola.games.expedition.fixtures import match_at, play
from tavola.games.expedition.picture.elements import TRAVELS
from tavola.games.expedition.words.choices import MANY, argument_label, narrowing_questions, verb_label
from tavola.games.expedition.words.help import coach
from tavola.show import picture_of, words_of
from tavola.show.board import PACES
from tavola.show.pictures import scene
from tavola.show.speech import LANGUAGES, Say
from tavola.show.testing import consequence_of, present, random_match, refusal_text

SAY = Say.of(GAME, "en", ("Ada", "Bruno"))
A_REGION = 15
"""Points of one region that a long route can have visited."""
ROUND = "lisbon tassili lake-chad abu-simbel giza delphi pompeii mont stonehenge baltic kizhi north-cape faroes"


def count_offered(view):
    steps: dict[tuple[str, ...], set[str]] = defaultdict(set)
    for number in view.legal:
        verb, places = ACTIONS.action(number)
        chosen = [verb_label(view, verb, SAY)]
        steps[()].add(chosen[0])
        for step, argument in enumerate(ACTIONS.verb_by_name[verb].arguments):
            leading = [word for _, word in narrowing_questions(view, number, step, SAY)]
            for word in (*leading, argument_label(view, verb, argument, places[step], SAY)):
                steps[tuple(chosen)].add(word)
                chosen.append(word)
    return steps


@pytest.mark.parametrize("options", [{}, {"variant_b": "on"}])
def test_never_more_words_at_once_than_a_region_has_points(options):
    most = []
    for match in random_match(GAME, 5, players=3, **options):
        for seat in match.to_act:
            if seat != CHANCE:
                most += [(len(words), chosen) for chosen, words in count_offered(match.view(seat)).items()]
    assert max(most)[0] <= A_REGION
    assert sum(count <= MANY for count, _ in most) > 0.9 * len(most)


def test_a_loop_is_left_by_region_point_and_line():
    view = play(match_at(red=ROUND, vouchers=[0, 3]), "red faroes lisbon").view(0)
    steps = count_offered(view)
    assert {"Africa", "Europe"} <= steps["Place an arrow", "Red"]
    assert {"Giza", "Giza → Petra"} & steps["Place an arrow", "Red", "Africa"]
    assert len(steps["Place an arrow", "Red"]) <= MANY
    question, word = narrowing_questions(view, GAME.actions.number("arrow red tassili-to-timbuktu"), 1, SAY)[0]
    assert (question, word) == ("Where does the red expedition continue from?", "Africa")


@pytest.mark.parametrize("language", LANGUAGES)
def test_ways_out_of_a_loop_have_distinct_texts_and_none_is_cut_off(language):
    """If both ends do not fit on one button, the first question is where the arrow leaves."""
    view = play(match_at(red=ROUND, vouchers=[0, 3]), "red faroes lisbon").view(0)
    say, told = Say.of(GAME, language, ("Ada", "Bruno")), set()
    arrows = [number for number in view.legal if ACTIONS.action(number).verb == "arrow"]
    for number in arrows:
        colour, way = ACTIONS.action(number).indices
        label = argument_label(view, "arrow", "way", way, say)
        assert "…" not in label
        told.add((colour, *[word for _, word in narrowing_questions(view, number, 1, say)], label))
    assert len(told) == len(arrows)
    longest = max(arrows, key=lambda number: len(words_of(GAME).action(view, number, say)))
    *_, (_, origin) = narrowing_questions(view, longest, 1, say)
    assert origin in words_of(GAME).action(view, longest, say)


def test_a_refusal_names_the_points_where_a_loop_can_be_left():
    """R20, R31: in the basic game from any point visited, in variant A from one of the last loop."""
    walked = "lisbon mont pompeii tassili timbuktu benin lake-chad"
    for option, reason in (
        ("off", "The red expedition can leave its loop only from a point it has visited (R20)."),
        ("on", "The red expedition can leave its last loop only from a point on it (R31)."),
    ):
        match = play(match_at(red=walked, variant_a=option), "red lake-chad tassili")
        assert refusal_text(match, 0, "arrow red giza-to-petra") == reason


def match_keeping(*drawn):
    match = match_at(red="lisbon tassili", blue="lisbon mont")
    return play(match, "exchange petra", *(f"deal {card}" for card in drawn))


def test_while_a_card_is_to_be_kept_a_refusal_says_so():
    """R28: for any other action."""
    match = match_keeping("giza", "kizhi")
    for code in ("arrow red tassili-to-timbuktu", "voucher", "remove red", "exchange giza", "done"):
        assert "(R28)" in refusal_text(match, 0, code)
        assert "(R28)" in refusal_text(match_keeping("giza"), 0, code)
    assert refusal_text(match, 1, "done") == "Ada must first keep one of the two drawn cards (R28)."


def test_the_coach_says_that_a_card_waits_where_an_expedition_stands():
    """R26, R28: it is not 0 segments away, because it is not laid."""
    told = coach(match_keeping("tassili", "benin").view(0), SAY)
    waits = "Tassili: an expedition is already there, so the card waits until one arrives again."
    assert told == f"{waits} Benin is 2 arrows from the nearest expedition."


def main(view):
    return picture_of(GAME).pieces(view.public(), SAY)["main"]


def test_what_was_laid_in_the_turn_before_lies_on_light():
    match = match_at(blue="lisbon mont", vouchers=[3, 0])
    assert not [name for name in main(match.view()) if name.startswith("fresh")]
    play(match, "voucher", "red lisbon tassili", "red tassili timbuktu", "done")
    assert [name for name in main(match.view(1)) if name.startswith("fresh")] == ["fresh-railway-1", "fresh-railway-2"]
    play(match, "blue mont pompeii")
    assert [name for name in main(match.view(0)) if name.startswith("fresh")] == ["fresh-steamer-2"]


def test_heads_that_meet_leave_each_other_free():
    drawn = main(match_at(red="lisbon mont", blue="lisbon mont", yellow="lisbon mont").view())
    heads = [drawn[f"head-of-{travel}"] for travel in TRAVELS]
    left = sorted(float(present(re.search(r"translate\(([-\d.]+)", head))[1]) for head in heads)
    medal, badge = 23.5 + 1.3, 22 + 12
    assert all(after - before >= medal + badge for before, after in pairwise(left)), left


def test_a_plan_is_in_pencil_and_what_it_takes_away_is_dotted():
    view = match_at(red="lisbon canaries", blue="lisbon faroes").view(0)
    planned = make_plan(view, ["remove red", "arrow red lisbon-to-azores"]).view
    marks = picture_of(GAME).plan_pieces(view, planned, SAY)["main"]
    assert list(marks) == ["lifted-railway-1", "pencil-railway-1", "end-railway"]
    assert not picture_of(GAME).plan_pieces(view, view, SAY)["main"]
    assert main(view)["arrow-steamer-1"] == main(planned)["arrow-steamer-1"]


@pytest.mark.parametrize("pace", PACES)
def test_a_claim_can_be_read_at_any_pace(pace):
    match = match_at(["petra", "tassili agra"])
    before = match.view()
    match.play("arrow red lisbon-to-tassili", 0)
    middle = match.view()
    match.play("claim 1", CHANCE)
    laying, claiming = scene(before, middle, None, SAY), scene(middle, match.view(), None, SAY)
    assert [frame.duration(pace) >= 500 for frame in laying] == [True]
    risen_and_stamped, read = 850, 1_500
    assert claiming[0].duration(pace) >= risen_and_stamped + read
    assert "claim" in claiming[0].draw()["main"]


def test_an_arrow_says_what_it_brings_and_leads_to_sense():
    match = match_at(["tassili petra", "agra"], blue="lisbon mont", vouchers=[1, 0])
    assert consequence_of(match, 0, "arrow red lisbon-to-tassili").brief == "your goal: +1"
    assert consequence_of(match, 0, "arrow red lisbon-to-azores").brief == "one more arrow, any colour"
    assert consequence_of(match, 0, "arrow red lisbon-to-canaries").brief == "a voucher for you"
    assert consequence_of(match, 0, "voucher").brief == "leaves 0 vouchers"
    sensible = [GAME.actions.code(number) for number in words_of(GAME).sensible(match.view(0))]
    assert "arrow red lisbon-to-tassili" in sensible
    assert set(words_of(GAME).sensible(match.view(0))) < set(match.view(0).legal)


def test_consequences_do_not_reveal_other_hands():
    """R26: the holder of a place's card is secret."""
    one, other = (match_at(["petra", cards], blue="lisbon mont") for cards in ("tassili", "agra"))
    told = [consequence_of(match, 0, "arrow red lisbon-to-tassili") for match in (one, other)]
    assert told[0] == told[1]


def test_points_at_stake_stand_apart_from_points_won():
    """R35: the points won are never below 0 at the start; the score is won less stake."""
    match = match_at(["petra tassili", "agra"])
    for seat, own in enumerate(match.view().table.explorers[:2]):
        won, stake = present(words_of(GAME).won_points)(match.view(), seat)
        assert (won, stake) == (own.own + own.public + own.collected, own.cards + own.tokens)
        assert won - stake == match.view().standing.points[seat]
    assert present(words_of(GAME).won_points)(match.view(), 0)[0] == 0
