"""What Lifeboats says, in four languages, over whole matches and in the rulebook's examples."""

import re
from pathlib import Path

import numpy as np
import pytest

from tavola.core import View, kernels
from tavola.games.lifeboats import GAME, words
from tavola.games.lifeboats.components import CAPTAIN, COLOURS
from tavola.games.lifeboats.words.vocabulary import COLOUR
from tavola.show import testing
from tavola.show.testing import NAMES, played, refused, told, views

HERE = Path(__file__).parent
SAY = testing.english(GAME)


# Whole matches


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_a_reveal_names_every_card(players):
    before, revealed = GAME.match(players=players).view(), 0
    for match in played(GAME, 11, players=players):
        after = match.view()
        if after.table.ballots > before.table.ballots:
            revealed += 1
            line = words.events(before, after, None, SAY)[0]
            for seat, card in enumerate(after.table.ballot.cards):
                if card:
                    voted = "plays a captain" if card == CAPTAIN else f"votes {COLOUR[card - 1]}"
                    assert f"{NAMES[seat]} {voted}" in line
        before = after
    assert revealed > 2 * before.table.rounds - 2


def test_reasons_name_the_rule():
    match = GAME.match(players=3)
    assert refused(match, 0, "start 1") == "The start player is drawn by lot (R5)."
    match.play("start 1", 31)
    assert refused(match, 0, "lane 4") == "Boats are placed in turn: now it is up to Bruno (R6)."
    assert refused(match, None, "lane 4") == "You are watching: only the players at the table act (R1)."
    match.play("lane 4")
    assert refused(match, 2, "lane 4") == "Lane 4 is taken: the green boat is there (R6)."
    assert refused(match, 2, "vote green") == "No ballot is open now (R9)."
    match.play("lane 5")
    match.play("lane 6")
    assert refused(match, 2, "lane 1") == "The start player places the black boat: it is up to Bruno (R6)."
    match.play("lane 7")
    assert refused(match, 1, "lane 1") == (
        "Boats are placed before the first round, and stay in their lanes (R6, R25)."
    )
    assert refused(match, 1, "crew sailor white") == "The white boat takes no part in this match (R1, R10)."
    for _ in range(6):
        match.play("crew sailor black" if "crew sailor black" in match.legal() else "crew officer black")
    assert refused(match, 1, "crew sailor black") == "The black boat has no free seat (R8)."
    *_, over = played(GAME, 11, players=3)
    assert refused(over, 0, "vote captain") == "The match is over: no boat is at sea (R30)."


# The rulebook's examples


def prompts(match):
    return [words.prompt(view, SAY) for view in views(match)]


def at_the_first_ballot():
    """Four players, player 1 begins; the black boat is full and seated as in example 2, green has two free seats."""
    match = GAME.match(players=4)
    match.play("start 0", 31)
    for lane in (1, 2, 3, 4, 5):
        match.play(f"lane {lane}")
    wanted = {1: ["officer", "sailor", "sailor"], 2: ["officer", "sailor"], 3: ["sailor"]}
    while match.view().table.rounds == 0:
        seat, legal = match.to_act[0], match.legal()
        if wanted.get(seat):
            match.play(f"crew {wanted[seat].pop(0)} black")
        else:
            others = ("red", "violet", "yellow", "green")
            match.play(next(code for boat in others for code in legal if code.endswith(boat)))
    return match


def test_example_1():
    match = at_the_first_ballot()
    assert told(match, "0 vote black", "1 vote green", "2 vote red") == []
    assert prompts(match)[3] == "Play a card face down. Which boat takes the leak?"
    assert prompts(match)[0] == prompts(match)[4] == "Waiting for Dario to vote. Which boat takes the leak?"
    assert told(match, "3 vote green") == [
        "The cards are revealed: Ada votes black, Bruno votes green, Carla votes red and Dario votes green.",
        "The count: green 2, red 1 and black 1.",
        "The green boat takes a leak (men 4, leaks 1).",
    ]


def test_examples_2_and_3():
    match = at_the_first_ballot()
    full = told(match, "0 vote black", "1 vote black", "2 vote black", "3 vote black")
    assert full[-1] == ("The black boat is full: Bruno, Carla and Dario vote who goes overboard. Officers count twice.")
    assert words.refusal(match.view(0), GAME.actions.number("vote green"), SAY) == (
        "Only those with a man aboard the black boat vote (R18)."
    )
    assert told(match, "1 vote yellow", "2 vote green", "3 vote green") == [
        "The cards are revealed: Bruno votes yellow (4 votes), Carla votes green (3 votes) and Dario votes green.",
        "The count: green 4 and yellow 4.",
        "A tie between green and yellow: Ada, the start player, must choose.",
    ]
    assert prompts(match)[0] == ("The votes are tied: you decide, as the start player. Who goes overboard?")
    assert words.refusal(match.view(0), GAME.actions.number("choose violet"), SAY) == (
        "Only the tied may be chosen: green and yellow (R15)."
    )
    assert told(match, "0 choose yellow") == [
        "Ada chooses yellow.",
        "Dario loses a sailor overboard; the leak takes his seat aboard the black boat (men 5, leaks 1).",
    ]
    tie = told(match, "0 vote yellow", "1 vote violet", "2 vote yellow", "3 vote violet")
    assert tie[-1] == "A tie between violet and yellow: Ada, the start player, must choose."
    assert told(match, "0 choose yellow") == [
        "Ada chooses the yellow boat for the move.",
        "The yellow boat moves: 2 moves to go.",
    ]


def test_example_6():
    match = at_the_first_ballot()
    told(match, "0 vote black", "1 vote black", "2 vote black", "3 vote black")
    assert told(match, "1 vote yellow", "2 vote green", "3 vote captain")[1:] == [
        "Only Dario played a captain, decides alone, and has 2 captains left."
    ]
    assert prompts(match)[3] == "Your captain decides. Who goes overboard?"
    assert prompts(match)[0] == "The captain of Dario decides. Who goes overboard?"
    assert told(match, "3 choose violet")[0] == "Dario chooses violet."
    assert match.view().table.lost[2] == (0, 1)


def test_example_7():
    match = at_the_first_ballot()
    assert told(match, "0 vote captain", "1 vote captain", "2 vote red", "3 vote green") == [
        "The cards are revealed: Ada plays a captain, Bruno plays a captain, Carla votes red and Dario votes green.",
        "The captains of Ada and Bruno cancel each other and are spent.",
        "The count: red 1 and green 1.",
        "A tie between red and green: Ada, the start player, must choose.",
    ]
    assert words.refusal(match.view(0), GAME.actions.number("choose black"), SAY) == (
        "Only the tied may be chosen: red and green (R15)."
    )


def test_nothing_but_captains():
    match = at_the_first_ballot()
    assert told(match, "0 vote captain", "1 vote captain", "2 vote captain", "3 vote captain")[1:] == [
        "Every card is a captain, all are spent: Ada, the start player, decides."
    ]
    assert prompts(match)[0] == "All played captains: you decide, as the start player. Which boat takes the leak?"


def boat(lane, leaks=0, **crew):
    """A boat at sea: `boat(1, leaks=2, red=(1, 0))` with an officer of red's aboard."""
    men = [dict(zip(("officer", "sailor"), crew.get(colour, (0, 0)), strict=True)) for colour in COLOURS[:6]]
    return {"at": "sea", "lane": lane, "leaks": leaks, "crew": men}


class Arranged:
    """A table arranged by hand, so that words have something rare to tell; nobody asks how a match came to it."""

    def __init__(self, players, **fields):
        laid = GAME.state.unpack(GAME.match(players=players).state_bytes())
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

    def heard(self, hearer=None):
        return GAME.heard(*self.last, hearer)


def test_examples_4_and_5():
    boats = {
        "red": boat(1, 3, red=(0, 3)),
        "green": boat(2, 3, green=(0, 2), violet=(0, 1)),
        "violet": boat(3, 3, green=(1, 0), violet=(0, 2)),
        "yellow": boat(4, 0, red=(1, 0), yellow=(0, 2)),
        "black": boat(5, 3, green=(0, 3)),
    }
    match = Arranged(4, phase="leaving", boats=boats)
    assert told(match, "0 leave officer yellow") == ["Ada takes an officer out: he leaves the yellow boat."]
    assert words.refusal(match.view(1), GAME.actions.number("leave officer yellow"), SAY) == (
        "The yellow boat was left by a man of Ada; only one may leave it (R27)."
    )
    assert told(match, "1 leave officer violet", "2 leave sailor green") == [
        "Carla takes a sailor out: he leaves the green boat.",
        "Dario has nobody who may leave: a man has already left each of their boats.",
    ]
    assert prompts(match)[2] == "Your man has left the green boat: choose another boat for him."
    assert told(match, "2 board violet") == ["Carla brings a sailor aboard the violet boat."]
    assert told(match, "1 board green") == [
        "Bruno brings an officer aboard the green boat.",
        "No other boat has a free seat: Ada loses an officer.",
        "Round 2 begins: the marker passes to Bruno.",
    ]


def boarding(**boats):
    """Player 1 has an officer behind the yellow boat and boards as the last."""
    boats = {"violet": {"at": "sunk", "lane": 3}, "yellow": boat(4, 0, yellow=(0, 2)), **boats}
    behind = {"behind": ["yellow", "none", "none", "none"], "behind_rank": ["officer"] * 4}
    return Arranged(4, phase="boarding", boats=boats, turn=0, **behind)


def test_a_man_boards_a_boat_that_sinks_with_him():
    match = boarding(red=boat(1, 3, red=(0, 1)), green=boat(2, 0, green=(0, 1)), black=boat(5, 0, green=(0, 1)))
    assert told(match, "0 board red") == [
        "Ada brings an officer aboard the red boat.",
        "The red boat sinks with all aboard: Ada 2 men.",
        "Round 2 begins: the marker passes to Bruno.",
    ]


def test_of_two_sinking_boats_the_log_tells_which_was_boarded():
    match = boarding(red=boat(1, 3, red=(0, 1)), green=boat(2, 3, green=(0, 1)), black=boat(5, 0, green=(0, 1)))
    assert told(match, "0 board red")[:3] == [
        "Ada brings an officer aboard the red boat.",
        "The red boat sinks with all aboard: Ada 2 men.",
        "The green boat sinks with all aboard: Bruno 1 man.",
    ]


def test_a_man_leaves_the_last_boat_and_it_sinks():
    gone = {colour: {"at": "sunk", "lane": lane} for lane, colour in enumerate(("red", "green", "violet", "black"), 1)}
    match = Arranged(4, phase="leaving", boats={**gone, "yellow": boat(5, 2, red=(1, 0), yellow=(0, 1))})
    assert told(match, "0 leave officer yellow") == [
        "Ada takes an officer out: he leaves the yellow boat.",
        "Dario has nobody who may leave: a man has already left each of their boats.",
        "No other boat has a free seat: Ada loses an officer.",
        "The yellow boat sinks with all aboard: Dario 1 man.",
        "The match is over. Ada, Bruno, Carla and Dario share the victory with 0 points.",
    ]


@pytest.mark.parametrize(
    ("crew", "sentence"),
    [
        ({"yellow": (0, 2)}, "One boat is left at sea: nobody changes boats."),
        ({}, "There is no man at sea: nobody changes boats."),
    ],
)
def test_phase_3_is_skipped(crew, sentence):
    gone = {colour: {"at": "sunk", "lane": lane} for lane, colour in enumerate(("red", "green", "violet", "black"), 1)}
    boats = {**gone, "yellow": boat(5, 0, **crew)}
    match = Arranged(4, phase="move ballot", boats=boats, voters=["0", "1", "2", "3"], last_boat_stays=True)
    last = told(match, *(f"{seat} vote yellow" for seat in range(4)))
    assert last[-2:] == [sentence, "Round 2 begins: the marker passes to Bruno."]


@pytest.mark.parametrize(
    ("row", "leaks", "sentences"),
    [
        (2, 0, ["The yellow boat reaches the left island as number 1.", "Nobody was aboard."]),
        (0, 1, ["The yellow boat moves: 2 moves to go.", "The yellow boat sinks; nobody was aboard."]),
    ],
)
def test_an_empty_boat(row, leaks, sentences):
    boats = {"yellow": {**boat(1, leaks), "row": row}, "red": boat(2, red=(1, 0))}
    match = Arranged(4, phase="move ballot", boats=boats, voters=["0", "1", "2", "3"])
    assert told(match, *(f"{seat} vote yellow" for seat in range(4)))[2:4] == sentences


def ended(arrivals, ashore):
    """Three players at the end: the arrival numbers of their boats (0 sank), and the sailors each has on the left."""
    boats = {"black": {"at": "sunk", "lane": 7}}
    for lane, arrival in enumerate(arrivals, 1):
        boats[COLOURS[lane - 1]] = {"at": "ashore" if arrival else "sunk", "lane": lane, "arrival": arrival}
    island = [{"left": {"officer": 0, "sailor": n}} for n in ashore]
    arrived = sum(map(bool, arrivals))
    return Arranged(3, phase="over", boats=boats, arrived=arrived, ashore=island).view()


@pytest.mark.parametrize(
    ("arrivals", "ashore", "over", "lines"),
    [
        (
            (1, 2, 0),
            (2, 1, 0),
            "The match is over. Ada wins with 12 points.",
            [("2 sailors on the left island for 6 each", 12)],
        ),
        (
            (2, 1, 0),
            (2, 2, 0),
            "The match is over. Bruno wins with 12 points. The boat that arrived earlier breaks the tie.",
            [
                ("2 sailors on the left island for 6 each", 12),
                ("Level with Bruno; the red boat arrived as number 2", 0),
            ],
        ),
        (
            (0, 0, 1),
            (1, 1, 0),
            "The match is over. Ada and Bruno share the victory with 6 points.",
            [("1 sailor on the left island for 6", 6), ("Level with Bruno; the red boat sank", 0)],
        ),
        ((0, 1, 0), (0, 1, 0), "The match is over. Bruno wins with 6 points.", [("No man reached an island", 0)]),
    ],
)
def test_the_end_explains_ties(arrivals, ashore, over, lines):
    view = ended(arrivals, ashore)
    assert words.prompt(view, SAY) == over
    assert words.scoring(view, 0, SAY)[: len(lines)] == lines


# The rules


@pytest.mark.parametrize("name", ["RULES.md", "RULES.it.md", "RULES.fr.md", "RULES.de.md"])
def test_rules_have_every_paragraph_and_every_ruling(name):
    text = (HERE / name).read_text(encoding="utf-8")
    assert sorted(int(n) for n in re.findall(r"^#+ R(\d+)\. \S", text, re.MULTILINE)) == list(range(1, 36))
    cited = {n.strip() for group in re.findall(r"\[\w+ ([F\d, ]+)\]", text) for n in group.split(",")}
    assert cited == {*map(str, range(1, 15)), *(f"F{n}" for n in range(1, 16))}
    assert [int(n) for n in sorted(re.findall(r"^> \*\*\w+ (\d)\.\*\*", text, re.MULTILINE))] == list(range(1, 8))
    assert {int(n) for n in re.findall(r"\bR(\d+)\b", text)} == set(range(1, 36))
