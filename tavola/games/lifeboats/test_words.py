"""The texts of Lifeboats over complete matches, and in rare cases."""

import random

import pytest

from tavola.core import Match
from tavola.games.lifeboats import GAME
from tavola.games.lifeboats.components import CHOICES, COLOURS, At, Phase
from tavola.games.lifeboats.fixtures import (
    EMPTY,
    FULL,
    LANDED,
    LANDED_ONE,
    LAST_ONE,
    LAST_TWO,
    boats_placed,
    match_at,
    vote,
)
from tavola.show.cards import words_of
from tavola.show.testing import consequence_of, english_say, events_after, play, random_match, refusal_text, views

words = words_of(GAME)
SAY = english_say(GAME)
OVER = "The match is over: no boat is left at sea (R30)."


def test_reasons_name_the_rule():
    drawing, black = Match(GAME, players=3), play(Match(GAME, players=3), "start 1", "lane 4", "lane 5", "lane 6")
    placing, placed = play(Match(GAME, players=3), "start 1"), boats_placed(3, start=1)
    second, full = play(Match(GAME, players=3), "start 1", "lane 4"), play(boats_placed(3), *["crew sailor black"] * 6)
    for match, seat, code, reason in (
        (drawing, 0, "start 1", "The start player is chosen at random (R5)."),
        (placing, 0, "lane 4", "Boats are placed in turn. It’s Bruno’s turn (R6)."),
        (placing, None, "lane 4", "You’re watching: only the players at the table can act (R1)."),
        (second, 2, "lane 4", "Lane 4 is taken by the green boat. Choose another lane (R6)."),
        (second, 2, "vote green", "There’s no vote right now (R9)."),
        (black, 2, "lane 1", "The start player places the black boat. It’s Bruno’s turn (R6)."),
        (placed, 1, "lane 1", "Boats are placed before the first round and then stay in their lanes (R6, R25)."),
        (placed, 1, "crew sailor white", "The white boat isn’t in this match (R1, R10)."),
        (full, 0, "crew sailor black", "The black boat is full. Choose another boat (R8)."),
        (ended("sunk", "ashore 1", "sunk", "left", "g"), 0, "vote captain", OVER),
    ):
        assert refusal_text(match, seat, code) == reason


# Rare cases, arranged by hand


def test_a_seat_without_men_at_sea_may_let_a_bot_vote():
    """Not while a man of the seat swims behind a boat, nor before all are seated, nor after the end."""

    def told(match):
        return [words.eliminated(view, SAY) for view in views(match)]

    none_left = "You have no men left at sea."
    assert told(match_at(LAST_TWO, ashore=LANDED_ONE)) == ["", "", none_left, ""]
    assert told(match_at(LAST_ONE, ashore=LANDED)) == ["", "", none_left, ""]
    swimming = match_at(LAST_TWO.replace("RrGg..", "Rg....").replace("Rrrgg.", "ggg..."), "leaving", ashore=LANDED_ONE)
    assert told(play(swimming, "leave officer violet")) == ["", "", none_left, ""]
    assert told(boats_placed(3)) == told(ended("sunk", "ashore 1", "sunk", "left", "g")) == [""] * 4


def test_a_man_leaves_the_last_boat_and_it_sinks():
    match = match_at(LAST_ONE, "leaving", ashore=LANDED)
    assert events_after(match, "0 leave officer black") == [
        "Ada takes an officer off the black boat.",
        "Bruno can’t move anyone: a man has already left each of their boats.",
        "No other boat has a free seat, so Ada loses an officer.",
        "The black boat sinks with everyone aboard: Bruno 1 man.",
        "The match is over. Ada wins with 38 points.",
    ]


@pytest.mark.parametrize(
    ("drawing", "phase", "sentences"),
    [
        (LAST_ONE, "move ballot", ["Only one boat is left at sea, so no one changes boats."]),
        (EMPTY, "move ballot", ["No men are left at sea, so no one changes boats."]),
        (EMPTY, "leak ballot", ["The black boat sinks. No one was aboard."]),
        (
            EMPTY.replace("4:1", "4:2"),
            "move ballot",
            ["The black boat reaches the middle island (arrival no. 2).", "No one was aboard."],
        ),
    ],
)
def test_the_last_boat(drawing, phase, sentences):
    match = match_at(drawing, phase, last_boat_stays="on", ashore=LANDED)
    last = events_after(match, *(f"{seat} vote black" for seat in range(3)))
    assert last[-1 - len(sentences) : -1] == sentences


def ended(red, green, violet, island, men):
    """The end of a match of three: the fates of their boats, and the men on an island."""
    fates = enumerate((red, green, violet))
    rows = [f"{COLOURS[place]} {place + 1}:{0 if fate == 'sunk' else 3} {fate}" for place, fate in fates]
    return vote(match_at("\n".join([*rows, "black 7:2 ......"]), "move ballot", ashore={island: men}), "black")


TWO_SAILORS = "2 sailors on the left island: 6 each", 12
LANDED_FIRST = "Bruno wins with 12 points. The tie goes to the boat that landed first."


@pytest.mark.parametrize(
    ("end", "winners", "lines"),
    [
        (("ashore 1", "ashore 2", "sunk", "left", "rrg"), "Ada wins with 12 points.", [TWO_SAILORS]),
        (
            ("ashore 2", "ashore 1", "sunk", "left", "rrgg"),
            LANDED_FIRST,
            [TWO_SAILORS, ("Tied with Bruno; the red boat was arrival no. 2", 0)],
        ),
        (
            ("sunk", "sunk", "ashore 1", "middle", "rg"),
            "Ada and Bruno share the victory with 4 points.",
            [("1 sailor on the middle island: 4", 4), ("Tied with Bruno; the red boat sank", 0)],
        ),
        (("sunk", "ashore 1", "sunk", "left", "g"), "Bruno wins with 6 points.", [("No men reached an island", 0)]),
    ],
)
def test_the_end_explains_ties(end, winners, lines):
    view = ended(*end).view()
    assert words.prompt(view, SAY) == f"The match is over. {winners}"
    assert words.scoring(view, 0, SAY)[: len(lines)] == lines


# The consequence of a choice, compared with its effect


def check_choice(match, seat, code):
    """R17, R21 to R24: check that a choice has the announced consequence; return its kind."""
    before, does = match.view(), consequence_of(match, seat, code)
    after = play(match, code).view()
    match.undo()
    t, place = before.table, GAME.actions.action(GAME.actions.number(code)).indices[0]
    sinks = any(boat.at == At.SUNK != was.at for boat, was in zip(after.table.boats, t.boats, strict=True))
    if t.phase == Phase.LEAK_CHOICE:
        boat = t.boats[place]
        men = sum(map(sum, boat.crew))
        empties = men + boat.leaks == t.seats and boat.leaks + 1 > men - 1  # R17: it loses a man before it sinks
        assert (does.tone == "grave") == (sinks or empties), does
    elif t.phase == Phase.OVERBOARD_CHOICE:
        assert (does.tone == "grave") == (sum(after.table.lost[seat]) > sum(t.lost[seat]) and place == seat), does
        assert ("the boat sinks" in does.sentence) == sinks
    else:
        gained = after.standing.points[seat] - before.standing.points[seat]
        assert does.brief == f"ashore: +{gained} for you" if gained else "+" not in does.brief
    return Phase(t.phase).name, does.tone


def test_choices_have_the_consequences_that_their_texts_describe():
    seen, draw = set[tuple[str, str]](), random.Random(1)
    for match in (match for seed in range(12) for match in random_match(GAME, seed, players=3 + seed % 3)):
        if match.view().table.phase in CHOICES:
            (seat,) = match.to_act
            seen.add(check_choice(match, seat, draw.choice(match.legal_codes(seat))))
    assert {("LEAK_CHOICE", "plain"), ("LEAK_CHOICE", "grave"), ("MOVE_CHOICE", "good")} <= seen
    assert ("OVERBOARD_CHOICE", "grave") in seen


def test_the_text_of_a_vote_does_not_depend_on_other_votes():
    """A ballot is secret: a cast card changes no text for the others."""
    red, captain = match_at(FULL), match_at(FULL)
    red.play("vote red", 0)
    captain.play("vote captain", 0)
    heard = [[consequence_of(match, 1, code) for code in match.legal_codes(1)] for match in (red, captain)]
    assert heard[0] == heard[1]
    assert all(heard[0])


def test_the_sentences():
    match, red = match_at(FULL), GAME.actions.number("vote red")
    captain = consequence_of(match, 0, "vote captain")
    assert (captain.brief, captain.tone) == ("you’ll have 2 left", "plain")
    assert consequence_of(match, 0, "vote red") != consequence_of(match, 1, "vote red"), "the seat's own points"
    assert words.consequence(match.view(0), red, 0, SAY) is words.consequence(match.view(), red, 1, SAY) is None


def test_a_lane_is_asked_for_a_boat():
    match = play(Match(GAME, players=3), "start 1")
    assert words.ask(match.view(1), "lane", "lane", (), SAY) == "Which lane for your green boat?"
    play(match, "lane 1", "lane 2", "lane 3")
    assert words.ask(match.view(1), "lane", "lane", (), SAY) == "Which lane for the black boat?"
