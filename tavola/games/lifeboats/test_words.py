"""The texts of Lifeboats over complete matches, and in rare cases."""

import random
from collections import Counter
from typing import Any

import numpy as np
import pytest

from tavola.core import Match, View, kernels
from tavola.games.lifeboats import GAME
from tavola.games.lifeboats.components import CAPTAIN, COLOURS, At, Phase
from tavola.games.lifeboats.fixtures import play, vote
from tavola.games.lifeboats.words.nouns import COLOUR
from tavola.show import testing
from tavola.show.cards import words_of
from tavola.show.testing import NAMES, consequence_of, events_after, random_match, refusal_text

SAY = testing.english_say(GAME)


# Whole matches


@pytest.mark.parametrize("players", [3, 6])
def test_a_reveal_names_every_card(players):
    before, revealed = Match(GAME, players=players).view(), 0
    for match in random_match(GAME, 11, players=players):
        after = match.view()
        if after.table.ballots > before.table.ballots:
            revealed += 1
            line = words_of(GAME).events(before, after, None, SAY)[0]
            for seat, card in enumerate(after.table.ballot.cards):
                if card:
                    voted = "plays a captain" if card == CAPTAIN else f"votes {COLOUR[card - 1]}"
                    assert f"{NAMES[seat]} {voted}" in line
        before = after
    assert revealed > 2 * before.table.rounds - 2


def test_reasons_name_the_rule():
    match = Match(GAME, players=3)
    assert refusal_text(match, 0, "start 1") == "The start player is chosen at random (R5)."
    match.play("start 1")
    assert refusal_text(match, 0, "lane 4") == "Boats are placed in turn. It’s Bruno’s turn (R6)."
    assert refusal_text(match, None, "lane 4") == "You’re watching: only the players at the table can act (R1)."
    match.play("lane 4")
    assert refusal_text(match, 2, "lane 4") == "Lane 4 is taken by the green boat. Choose another lane (R6)."
    assert refusal_text(match, 2, "vote green") == "There’s no vote right now (R9)."
    play(match, "lane 5", "lane 6")
    assert refusal_text(match, 2, "lane 1") == "The start player places the black boat. It’s Bruno’s turn (R6)."
    match.play("lane 7")
    placed = "Boats are placed before the first round and then stay in their lanes (R6, R25)."
    assert refusal_text(match, 1, "lane 1") == placed
    assert refusal_text(match, 1, "crew sailor white") == "The white boat isn’t in this match (R1, R10)."
    for _ in range(6):
        match.play("crew sailor black" if "crew sailor black" in match.legal_codes() else "crew officer black")
    assert refusal_text(match, 1, "crew sailor black") == "The black boat is full. Choose another boat (R8)."
    *_, over = random_match(GAME, 11, players=3)
    assert refusal_text(over, 0, "vote captain") == "The match is over: no boat is left at sea (R30)."


# Rare cases, arranged by hand


def boat(lane, leaks=0, **crew):
    """A boat at sea: `boat(1, leaks=2, red=(1, 0))` has one red officer aboard."""
    men = [dict(zip(("officer", "sailor"), crew.get(colour, (0, 0)), strict=True)) for colour in COLOURS[:6]]
    return {"at": "sea", "lane": lane, "leaks": leaks, "crew": men}


class ArrangedTable:
    """A table arranged by hand for a rare case; it need not be reachable."""

    game = GAME

    def __init__(self, players, **fields):
        laid = GAME.state.unpack(Match(GAME, players=players).state_bytes())
        nobody = [{"officer": 0, "sailor": 0}] * players
        table = GAME.table.read({"rounds": 1, "unseated": nobody, **fields}, "", laid.table)
        self.states = GAME.states(1)
        self.states[:] = np.frombuffer(GAME.state.pack(laid._replace(table=table)), GAME.state.dtype)
        self.players = players

    def view(self, seat=None):
        return View(GAME, self.states, seat)

    def play(self, code, seat):
        number = GAME.actions.number(code)
        assert number in self.view(seat).legal
        kernels.apply_at(self.states, 0, seat, number)
        self.last = seat, number

    def last_action(self, hearer=None):
        return GAME.observe_action(*self.last, hearer)


def boarding(**boats):
    """Player 1 has an officer behind the yellow boat and is the last to board."""
    boats = {"violet": {"at": "sunk", "lane": 3}, "yellow": boat(4, 0, yellow=(0, 2)), **boats}
    behind = {"behind": ["yellow", "none", "none", "none"], "behind_rank": ["officer"] * 4}
    return ArrangedTable(4, phase="boarding", boats=boats, turn=0, **behind)


def last_boat(yellow, **fields):
    """Only the yellow boat is at sea."""
    gone = {colour: {"at": "sunk", "lane": lane} for lane, colour in enumerate(("red", "green", "violet", "black"), 1)}
    return ArrangedTable(4, boats={**gone, "yellow": yellow}, **fields)


def test_a_seat_without_men_at_sea_may_let_a_bot_vote():
    """Not while a man of the seat swims behind a boat, nor before all are seated, nor after the end."""
    table = boarding(green=boat(1, 0, green=(1, 0)))
    told = [words_of(GAME).eliminated(table.view(seat), SAY) for seat in (None, 0, 1, 2, 3)]
    none_left = "You have no men left at sea."
    assert told == ["", "", "", none_left, ""]
    seating = ArrangedTable(3, phase="crew", unseated=[{"officer": 2, "sailor": 5}] * 3)
    assert not any(words_of(GAME).eliminated(seating.view(seat), SAY) for seat in range(3))
    assert words_of(GAME).eliminated(ended_match((1, 2, 0), (2, 1, 0)), SAY) == ""


def test_a_man_boards_a_boat_that_sinks_with_him():
    match = boarding(red=boat(1, 3, red=(0, 1)), green=boat(2, 0, green=(0, 1)), black=boat(5, 0, green=(0, 1)))
    assert events_after(match, "0 board red") == [
        "Ada brings an officer aboard the red boat.",
        "The red boat sinks with everyone aboard: Ada 2 men.",
        "Round 2: Bruno is the start player.",
    ]


def test_the_log_says_which_of_two_sinking_boats_was_boarded():
    match = boarding(red=boat(1, 3, red=(0, 1)), green=boat(2, 3, green=(0, 1)), black=boat(5, 0, green=(0, 1)))
    assert events_after(match, "0 board red")[:3] == [
        "Ada brings an officer aboard the red boat.",
        "The red boat sinks with everyone aboard: Ada 2 men.",
        "The green boat sinks with everyone aboard: Bruno 1 man.",
    ]


def test_a_man_leaves_the_last_boat_and_it_sinks():
    match = last_boat(boat(5, 2, red=(1, 0), yellow=(0, 1)), phase="leaving")
    assert events_after(match, "0 leave officer yellow") == [
        "Ada takes an officer off the yellow boat.",
        "Dario can’t move anyone: a man has already left each of their boats.",
        "No other boat has a free seat, so Ada loses an officer.",
        "The yellow boat sinks with everyone aboard: Dario 1 man.",
        "The match is over. Ada, Bruno, Carla and Dario share the victory with 0 points.",
    ]


@pytest.mark.parametrize(
    ("crew", "sentence"),
    [
        ({"yellow": (0, 2)}, "Only one boat is left at sea, so no one changes boats."),
        ({}, "No men are left at sea, so no one changes boats."),
    ],
)
def test_phase_3_is_skipped(crew, sentence):
    match = last_boat(boat(5, 0, **crew), phase="move ballot", voters=["0", "1", "2", "3"], last_boat_stays=True)
    last = events_after(match, *(f"{seat} vote yellow" for seat in range(4)))
    assert last[-2:] == [sentence, "Round 2: Bruno is the start player."]


@pytest.mark.parametrize(
    ("row", "leaks", "sentences"),
    [
        (2, 0, ["The yellow boat reaches the left island (arrival no. 1).", "No one was aboard."]),
        (0, 1, ["The yellow boat moves forward: 2 moves to go.", "The yellow boat sinks. No one was aboard."]),
    ],
)
def test_an_empty_boat(row, leaks, sentences):
    boats = {"yellow": {**boat(1, leaks), "row": row}, "red": boat(2, red=(1, 0))}
    match: Any = ArrangedTable(4, phase="move ballot", boats=boats, voters=["0", "1", "2", "3"])
    assert events_after(match, *(f"{seat} vote yellow" for seat in range(4)))[2:4] == sentences


def ended_match(arrivals, ashore):
    """The end of a match of three: arrival numbers of their boats (0 sank), and their sailors on the left island."""
    boats = {"black": {"at": "sunk", "lane": 7}}
    for lane, arrival in enumerate(arrivals, 1):
        boats[COLOURS[lane - 1]] = {"at": "ashore" if arrival else "sunk", "lane": lane, "arrival": arrival}
    island = [{"left": {"officer": 0, "sailor": n}} for n in ashore]
    arrived = sum(map(bool, arrivals))
    return ArrangedTable(3, phase="over", boats=boats, arrived=arrived, ashore=island).view()


TWO_SAILORS = ("2 sailors on the left island: 6 each", 12)
LANDED_FIRST = "Bruno wins with 12 points. The tie goes to the boat that landed first."


@pytest.mark.parametrize(
    ("arrivals", "ashore", "winners", "lines"),
    [
        ((1, 2, 0), (2, 1, 0), "Ada wins with 12 points.", [TWO_SAILORS]),
        ((2, 1, 0), (2, 2, 0), LANDED_FIRST, [TWO_SAILORS, ("Tied with Bruno; the red boat was arrival no. 2", 0)]),
        (
            (0, 0, 1),
            (1, 1, 0),
            "Ada and Bruno share the victory with 6 points.",
            [("1 sailor on the left island: 6", 6), ("Tied with Bruno; the red boat sank", 0)],
        ),
        ((0, 1, 0), (0, 1, 0), "Bruno wins with 6 points.", [("No men reached an island", 0)]),
    ],
)
def test_the_end_explains_ties(arrivals, ashore, winners, lines):
    view = ended_match(arrivals, ashore)
    assert words_of(GAME).prompt(view, SAY) == f"The match is over. {winners}"
    assert words_of(GAME).scoring(view, 0, SAY)[: len(lines)] == lines


# The consequence of a choice, compared with its effect


def sunk(view):
    return sum(boat.at == At.SUNK for boat in view.table.boats)


def drowned(view, seat):
    return sum(view.table.lost[seat])


def check_choice(match, seat, code):
    """R17, R21 to R24: check that a choice has the announced consequence; return its kind."""
    before, does = match.view(), consequence_of(match, seat, code)
    match.play(code)
    after = match.view()
    match.undo()
    phase, place = before.table.phase, GAME.actions.action(GAME.actions.number(code)).indices[0]
    if phase == Phase.LEAK_CHOICE:
        assert (does.tone == "grave") == (sunk(after) > sunk(before) or _would_sink(before, place)), does
    elif phase == Phase.OVERBOARD_CHOICE:
        assert (does.tone == "grave") == (drowned(after, seat) > drowned(before, seat) and place == seat), does
        assert ("the boat sinks" in does.sentence) == (sunk(after) > sunk(before))
    elif phase == Phase.MOVE_CHOICE:
        gained = after.standing.points[seat] - before.standing.points[seat]
        assert does.brief == f"ashore: +{gained} for you" if gained else "+" not in does.brief
    return Phase(phase).name, does.tone


def _would_sink(view, place):
    """R17: a full boat loses a man before it sinks."""
    boat = view.table.boats[place]
    men = sum(map(sum, boat.crew))
    return men + boat.leaks == view.table.seats and boat.leaks + 1 > men - 1


def test_choices_have_the_consequences_that_their_texts_describe():
    seen = Counter[tuple[str, str]]()
    for seed in range(12):
        draw, players = random.Random(seed), 3 + seed % 3
        for match in random_match(GAME, seed, players=players):
            if match.view().table.phase in (Phase.LEAK_CHOICE, Phase.OVERBOARD_CHOICE, Phase.MOVE_CHOICE):
                (seat,) = match.to_act
                seen[check_choice(match, seat, draw.choice(match.legal_codes(seat)))] += 1
    kinds = {("LEAK_CHOICE", "plain"), ("LEAK_CHOICE", "grave"), ("MOVE_CHOICE", "good"), ("OVERBOARD_CHOICE", "grave")}
    assert kinds <= set(seen), seen


def first_ballot():
    return next(match for match in random_match(GAME, 3, players=3) if match.view().table.phase == Phase.LEAK_BALLOT)


def test_the_text_of_a_vote_does_not_depend_on_other_votes():
    """A ballot is secret: a cast card changes no text for the others."""
    heard = []
    for card in ("vote red", "vote captain"):
        match = first_ballot()
        match.play(card, 0)
        heard.append([consequence_of(match, 1, code) for code in match.legal_codes(1)])
    assert heard[0] == heard[1]
    assert all(heard[0])


def test_the_sentences():
    match, red = first_ballot(), GAME.actions.number("vote red")
    captain = consequence_of(match, 0, "vote captain")
    assert (captain.brief, captain.tone) == ("you’ll have 2 left", "plain")
    # The points at stake are the seat's own.
    assert consequence_of(match, 0, "vote red") != consequence_of(match, 1, "vote red")
    assert words_of(GAME).consequence(match.view(0), red, 0, SAY) is None
    assert words_of(GAME).consequence(match.view(), red, 1, SAY) is None
    vote(match, "captain")
    assert consequence_of(match, match.to_act[0], match.legal_codes(match.to_act[0])[0])


def test_a_lane_is_asked_for_a_boat():
    match = play(Match(GAME, players=3), "start 1")
    assert words_of(GAME).ask(match.view(1), "lane", "lane", (), SAY) == "Which lane for your green boat?"
    play(match, "lane 1", "lane 2", "lane 3")
    assert words_of(GAME).ask(match.view(1), "lane", "lane", (), SAY) == "Which lane for the black boat?"
