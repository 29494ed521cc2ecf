"""The seven worked examples of the rulebook, step by step, and at least one test for each ruling.

P1 is red, P2 green, P3 violet, P4 yellow: in the log Ada, Bruno, Carla and Dario. The rulebook's pictures are lost:
the boats of each example are drawn to fit its text.
"""

from typing import Any

import pytest

from tavola.core import IllegalAction, Match, NotYourTurn
from tavola.games.lifeboats import GAME
from tavola.games.lifeboats.components import COLOURS, At, Phase
from tavola.games.lifeboats.fixtures import (
    EMPTY,
    FULL,
    LANDED,
    LANDED_ONE,
    LAST_ONE,
    LAST_TWO,
    boat_of,
    boats_placed,
    drawing_of,
    legal_votes,
    lost_men,
    match_at,
    pending_choice,
    phase_of,
    play_first,
    vote,
)
from tavola.show.cards import words_of
from tavola.show.testing import english_say, events_after, play, random_match, refusal_text, views

P1, P2, P3, P4 = range(4)


def prompts(match: Match) -> list[str]:
    return [words_of(view.game).prompt(view, english_say(view.game)) for view in views(match)]


def full_black_boat() -> Match:
    """Start of example 2: the full black boat was voted to take a leak; P1 is the start player and not aboard."""
    match = match_at(FULL, starter=P1)
    *_, full = events_after(match, "0 vote black", "1 vote black", "2 vote black", "3 vote black")
    assert full == "The black boat is full. Bruno, Carla and Dario vote on who goes overboard. Officers count double."
    return match


def test_example_1_the_majority() -> None:
    """R9, R14, R16: black, green, red, green: the green boat takes a leak on one of its two free seats."""
    match = match_at(FULL, starter=P1)
    assert "r" not in boat_of(match, "black").lower()  # "lui è proprio l'unico a non avere uomini su quella barca"
    assert boat_of(match, "green") == "ggYy.."
    assert events_after(match, "0 vote black", "1 vote green", "2 vote red") == []
    assert match.view(P4).document()["table"]["ballot"]["kind"] == "none"
    assert prompts(match)[P4] == "Play a card face down. Which boat springs a leak?"
    assert prompts(match)[P1] == prompts(match)[-1] == "Waiting for Dario to vote. Which boat springs a leak?"
    assert events_after(match, "3 vote green") == [
        "The cards are revealed: Ada votes black, Bruno votes green, Carla votes red and Dario votes green.",
        "Vote count: green 2, red 1 and black 1.",
        "The green boat springs a leak (men: 4, leaks: 1).",
    ]
    assert boat_of(match, "green") == "ggYy~."
    assert drawing_of(match).replace("~", ".") == drawing_of(match_at(FULL))
    assert phase_of(match) == "move ballot"


def test_example_2_the_start_player_breaks_a_tie_between_two_men() -> None:
    """R15, R17, R18, R19, R20, R21: four votes against yellow, three and one against green; P1 breaks a promise."""
    match = full_black_boat()
    assert (boat_of(match, "black"), match.to_act) == ("GggVvy", (P2, P3, P4))
    with pytest.raises(NotYourTurn):
        match.play("vote green", P1)
    assert refusal_text(match, P1, "vote green") == "Only players with a man aboard the black boat can vote (R18)."
    assert events_after(match, "1 vote yellow", "2 vote green", "3 vote green") == [
        "The cards are revealed: Bruno votes yellow (4 votes), Carla votes green (3 votes) and Dario votes green.",
        "Vote count: green 4 and yellow 4.",
        "It’s a tie between green and yellow. Ada chooses as start player.",
    ]
    assert match.view().table.ballot.weights == (0, 4, 3, 1, 0, 0)
    assert prompts(match)[P1] == "It’s a tie. As start player, you decide. Who goes overboard?"
    assert refusal_text(match, P1, "choose violet") == "It’s a tie. Choose one of these: green and yellow (R15)."
    assert pending_choice(match) == (P1, "green yellow")
    assert events_after(match, "0 choose yellow") == [
        "Ada chooses yellow.",
        "Dario loses a sailor overboard. The leak takes his seat aboard the black boat (men: 5, leaks: 1).",
    ]
    assert (boat_of(match, "black"), lost_men(match)) == ("GggVv~", "y")


CHANGING = """
    red    1:0  RrrrGv
    green  2:0  gVvyy~
    violet 3:0  rGgYyy
    yellow 4:0  RgvYy.
    black  5:0  rggVvv
"""


def tie_on_moving(*codes: str) -> Match:
    """Examples 3 to 5 are one story: the green boat has a leak, and only the yellow boat has a free seat."""
    return play(vote(match_at(CHANGING, phase="move ballot", starter=P1), "yellow violet yellow violet"), *codes)


def test_example_3_the_start_player_chooses_the_boat_that_moves() -> None:
    """R15, R23: yellow and violet have two votes each."""
    match = tie_on_moving()
    assert pending_choice(match) == (P1, "violet yellow")
    assert events_after(match, "0 choose yellow") == [
        "Ada chooses the yellow boat to move.",
        "The yellow boat moves forward: 2 moves to go.",
    ]
    assert drawing_of(match).split() == CHANGING.replace("4:0", "4:1").split()


def test_example_4_each_boat_is_left_by_one() -> None:
    """R26, R27: P4 has men only in boats already left, none in the black and the red boat."""
    match = tie_on_moving("choose yellow")
    assert events_after(match, "0 leave officer yellow") == ["Ada takes an officer off the yellow boat."]
    assert (match.to_act, "leave officer violet" in match.legal_codes()) == ((P2,), True)
    with pytest.raises(IllegalAction):
        match.play("leave sailor yellow", P2)
    reason = "One of Ada’s men has already left the yellow boat. Only one man can leave each boat (R27)."
    assert refusal_text(match, P2, "leave sailor yellow") == reason
    match.play("leave officer violet", P2)
    men = ("officer green", "officer black", "sailor red", "sailor green", "sailor black")
    assert match.legal_codes(P3) == [f"leave {man}" for man in men]
    assert events_after(match, "2 leave sailor green") == [
        "Carla takes a sailor off the green boat.",
        "Dario can’t move anyone: a man has already left each of their boats.",
    ]
    assert prompts(match)[P3] == "Your man has left the green boat. Choose another boat for him."
    assert match.view().document()["table"]["behind"][:4] == ["yellow", "violet", "green", "none"]
    assert all("y" not in boat_of(match, colour).lower() for colour in ("red", "black"))
    assert (phase_of(match), match.to_act) == ("boarding", (P3,))  # P4 is skipped


def test_example_5_boarding_in_reverse_order() -> None:
    """R28, R29, R34, R35: P3 to violet, P2 to green, and P1's officer finds every other boat full.

    After the three phases the marker passes to the left, and a new round begins.
    """
    match = tie_on_moving("choose yellow", "leave officer yellow", "leave officer violet", "leave sailor green")
    assert match.legal_codes(P3) == ["board violet", "board yellow"]
    assert events_after(match, "2 board violet") == ["Carla brings a sailor aboard the violet boat."]
    assert (match.to_act, match.legal_codes()) == ((P2,), ["board green", "board yellow"])
    assert events_after(match, "1 board green") == [
        "Bruno brings an officer aboard the green boat.",
        "No other boat has a free seat, so Ada loses an officer.",
        "Round 2: Bruno is the start player.",
    ]
    assert lost_men(match) == "R"
    after = CHANGING.replace("4:0  RgvYy.", "4:1  gvYy..").replace("rGgYyy", "rgvYyy").replace("gVvyy~", "GgVyy~")
    assert drawing_of(match).split() == after.split()
    table = match.view().table
    assert (phase_of(match), table.starter, table.rounds) == ("leak ballot", P2, 2)


def test_example_6_one_captain() -> None:
    """R11, R12, R21: only P4 played a captain and chooses violet; P3 loses a sailor, not the officer."""
    match = full_black_boat()
    _, decided = events_after(match, "1 vote yellow", "2 vote green", "3 vote captain")
    assert decided == "Dario played the only captain and decides alone (2 left)."
    assert prompts(match)[P4] == "Your captain decides. Who goes overboard?"
    assert prompts(match)[P1] == "Dario’s captain decides. Who goes overboard?"
    assert pending_choice(match) == (P4, "green violet yellow")
    assert match.view(P1).table.captains[:4] == (3, 3, 3, 2)  # spent and public
    assert events_after(match, "3 choose violet")[0] == "Dario chooses violet."
    assert (boat_of(match, "black"), lost_men(match)) == ("GggVy~", "v")


def test_example_7_two_captains_cancel() -> None:
    """R12, R14, R15: a red and a green card are left, and P1, the start player, cannot choose black."""
    match = match_at(FULL, starter=P1)
    assert events_after(match, "0 vote captain", "1 vote captain", "2 vote red", "3 vote green") == [
        "The cards are revealed: Ada plays a captain, Bruno plays a captain, Carla votes red and Dario votes green.",
        "Ada and Bruno played captains, which cancel out and are spent.",
        "Vote count: red 1 and green 1.",
        "It’s a tie between red and green. Ada chooses as start player.",
    ]
    assert refusal_text(match, P1, "choose black") == "It’s a tie. Choose one of these: red and green (R15)."
    assert pending_choice(match) == (P1, "red green")
    match.play("choose green", P1)
    assert (boat_of(match, "green"), match.view().table.captains[:4]) == ("ggYy~.", (2, 2, 3, 3))
    assert legal_votes(match, P1).endswith("captain")


def test_nothing_but_captains() -> None:
    """R13."""
    match = match_at(FULL, starter=P4)
    _, decided = events_after(match, *(f"{seat} vote captain" for seat in range(4)))
    assert decided == "Only captains were played, so all are spent. Dario decides as start player."
    assert prompts(match)[P4] == "Only captains were played. As start player, you decide. Which boat springs a leak?"
    assert pending_choice(match) == (P4, "red green violet yellow black")
    match.play("choose green")
    assert (boat_of(match, "green"), match.view().table.captains[:4]) == ("ggYy~.", (2, 2, 2, 2))


FULL_OF_THREE = """
    red    1:0  RRrrrr
    green  2:0  rGGggg
    violet 3:0  ggVVvv
    black  4:0  vvv...
"""

# Rulings 1 to 14


def test_colours_that_are_not_aboard_cannot_be_voted_overboard() -> None:
    """Ruling 2, R20: nor black; voting for the voter's own colour is allowed."""
    match = vote(match_at(FULL), "black")
    assert legal_votes(match, 1) == "green violet yellow captain"
    assert boat_of(vote(match, "green"), "black") == "GgVvy~"


def test_the_only_seat_aboard_a_full_boat_votes_for_itself() -> None:
    """Ruling 3, ruling F2: a ballot with one voter takes place, and costs the voter a man."""
    match = vote(match_at(FULL_OF_THREE), "red")
    assert (match.to_act, legal_votes(match, 0)) == ((0,), "red captain")
    match.play("vote red")
    assert (boat_of(match, "red"), lost_men(match)) == ("RRrrr~", "r")


@pytest.mark.parametrize(
    ("drawing", "more", "ballots", "choice"),
    [
        # Ruling 3, ruling F2, ruling F3: "exactly one" and "all" both apply; the voter decides, not the start player.
        (FULL_OF_THREE, {"starter": 2}, ["red", "captain"], (0, "red")),
        # Ruling 4: for a captain and for the start player, at sea; ruling F3: "all" are the voters overboard.
        (LAST_TWO, {"starter": 1, "ashore": LANDED_ONE}, ["violet captain black"], (1, "violet black")),
        (LAST_TWO, {"starter": 1, "ashore": LANDED_ONE}, ["captain"], (1, "violet black")),
        (FULL, {}, ["black", "green captain green"], (2, "green violet yellow")),
        (FULL, {}, ["black", "captain"], (0, "green violet yellow")),
        # Ruling 9: a seat without men votes, and holds the marker: "Tutti i giocatori votano".
        (LAST_TWO, {"starter": 2, "ashore": LANDED_ONE}, ["captain"], (2, "violet black")),
        # Ruling F1: a lone captain chooses even the only candidate.
        (LAST_ONE, {"ashore": LANDED}, ["black captain black"], (1, "black")),
    ],
)
def test_a_free_choice_is_among_what_could_be_voted_for(
    drawing: str, more: dict[str, Any], ballots: list[str], choice: tuple[int, str]
) -> None:
    assert pending_choice(vote(match_at(drawing, **more), *ballots)) == choice


def test_a_captain_of_the_only_voter_is_spent() -> None:
    """Ruling 3."""
    match = play(vote(match_at(FULL_OF_THREE, starter=2), "red", "captain"), "choose red")
    assert (match.view().table.captains[0], boat_of(match, "red")) == (2, "RRrrr~")


def test_leaving_is_compulsory_and_from_the_last_boat_a_man_drowns() -> None:
    """Ruling 5, R26, R29: literal unless the option `last_boat_stays` is on."""
    match = match_at(LAST_ONE, phase="move ballot", starter=1, ashore=LANDED)
    before = lost_men(match)
    assert vote(match, "black").legal_codes() == ["leave sailor black"]
    match.play("leave sailor black")
    assert sorted(lost_men(match)) == sorted(f"{before}gR")  # one man and two leaks: the boat sinks with the man
    assert match.over


def test_the_last_boat_stays_if_so_agreed() -> None:
    """Ruling 5, ruling F12, R33: no third phase with one boat at sea; the marker passes."""
    match = match_at(LAST_ONE, phase="move ballot", starter=1, last_boat_stays="on", ashore=LANDED)
    before = lost_men(match)
    vote(match, "black")
    assert (phase_of(match), match.view().table.starter, lost_men(match)) == ("leak ballot", 2, before)


@pytest.mark.parametrize(("moved", "colour", "phase"), [("3:1", "black", "leaving"), ("3:2", "violet", "leak ballot")])
def test_boats_at_sea_are_counted_when_the_third_phase_begins(moved: str, colour: str, phase: str) -> None:
    """Ruling F12: the option changes nothing with two boats, unless one of them lands in the second phase."""
    drawing = LAST_TWO.replace("violet 3:1", f"violet {moved}")
    match = match_at(drawing, phase="move ballot", last_boat_stays="on", ashore=LANDED_ONE)
    vote(match, colour)
    assert (phase_of(match), boat_of(match, "black")) == (phase, "Rrrgg.")


def test_leaks_never_run_out() -> None:
    """Ruling 7, ruling F10: the box holds 15, a match of six may need 21."""
    boats = [f"{colour} {place + 1}:3 ashore {place + 1}" for place, colour in enumerate(COLOURS[:5])]
    match = match_at("\n".join([*boats, "white 6:1 WWwwww", "black 7:2 RGVYB."]))
    assert match.view().table.rounds == 19
    assert boat_of(vote(match, "black"), "black") == "RGVYB~"


def test_an_empty_boat_without_leaks_floats_and_the_match_goes_on() -> None:
    """Ruling 8: the match still ends, because every round has a leak and a move."""
    match = vote(match_at(EMPTY, phase="move ballot", starter=2, ashore=LANDED), "black")
    assert (phase_of(match), boat_of(match, "black")) == ("leak ballot", "......")
    vote(match, "black")
    assert (match.over, boat_of(match, "black")) == (True, "sunk")


def test_a_seat_without_men_holds_the_marker() -> None:
    """Ruling 9."""
    match = play_first(match_at(LAST_TWO, phase="leaving", starter=1, ashore=LANDED_ONE), "leaving", "boarding")
    assert {seat for seat, _ in match.history} == {0, 1}
    assert (phase_of(match), match.view().table.starter) == ("leak ballot", 2)


@pytest.mark.parametrize(("lane", "phase"), [("4:1", "leak ballot"), ("4:2", "move ballot"), ("4:1", "leaving")])
def test_the_match_stops_with_the_last_boat_and_the_marker_stays(lane: str, phase: str) -> None:
    """Ruling 10, 13, ruling F13, F14, R30: it sinks in the first phase, lands in the second or sinks in the third.

    Its leaks leave with it.
    """
    match = match_at(LAST_ONE.replace("4:1", lane), phase, starter=1, ashore=LANDED)
    play(match, "leave sailor black") if phase == "leaving" else vote(match, "black")
    table = match.view().table
    assert (match.over, table.starter, table.boats[6].leaks) == (True, 1, 0)
    assert phase != "leak ballot" or table.ballot.kind == 1


def test_time_and_talk_are_not_part_of_the_rules() -> None:
    """Ruling 14: "i giocatori possono accordarsi per introdurre un tempo massimo"; no action does."""
    assert [verb.name for verb in GAME.actions.verbs] == ["start", "lane", "crew", "vote", "choose", "leave", "board"]


# Rulings F1 to F15


def test_a_single_option_is_asked_for_and_a_seat_without_any_is_skipped() -> None:
    """Ruling F1: a vote with one boat and no captain, and the only boat with a seat; not a man who finds no seat."""
    match = match_at(LAST_ONE, starter=2, captains=(0, 0, 0), ashore=LANDED)
    assert [legal_votes(match, seat) for seat in match.to_act] == ["black"] * 3
    match = play(match_at(LAST_TWO, phase="leaving", ashore=LANDED_ONE), "leave officer violet", "leave sailor black")
    assert match.legal_codes(1) == ["board violet"]
    match = match_at(LAST_ONE, phase="leaving", starter=2, ashore=LANDED)
    assert match.to_act == (0,)
    match.play("leave officer black")
    assert "board" not in str(match.record())
    assert match.over


@pytest.mark.parametrize(("cards", "crew", "lost"), [("violet", "GggVy~", "v"), ("green", "GgVvy~", "g")])
def test_two_captains_of_three_cancel_with_their_whole_weight(cards: str, crew: str, lost: str) -> None:
    """Ruling F3, ruling F4, R14: only the vote of one sailor counts, against four and three."""
    match = vote(match_at(FULL), "black", f"captain captain {cards}")
    assert (pending_choice(match), boat_of(match, "black"), lost_men(match)) == (None, crew, lost)


def test_captains_are_counted_when_they_are_revealed() -> None:
    """Ruling F5, R12: until then the public count does not change."""
    match = match_at(FULL)
    for seat, card in ((0, "captain"), (1, "captain"), (2, "red")):
        match.play(f"vote {card}", seat)
        assert match.view(3).table.captains[:4] == (3, 3, 3, 3)
    match.play("vote red", 3)
    assert match.view(3).table.captains[:4] == (2, 2, 3, 3)


def test_a_captain_may_be_played_in_each_vote_of_the_first_phase() -> None:
    """Ruling F6."""
    match = vote(play(vote(match_at(FULL), "red captain red red"), "choose black"), "captain green green")
    assert (pending_choice(match), match.view().table.captains[1]) == ((1, "green violet yellow"), 1)


def test_the_boat_sinks_after_the_second_vote() -> None:
    """Ruling F6, R22."""
    drawing = """
        red    1:3  ashore 1
        green  2:0  rgv~~~
        violet 3:0  Rrrggg
        black  4:0  GGVVv.
    """
    match = vote(match_at(drawing, ashore={"left": "Rrrgvv"}), "green")
    assert (phase_of(match), boat_of(match, "green")) == ("overboard ballot", "rgv~~~")
    vote(match, "red")
    assert (phase_of(match), boat_of(match, "green"), lost_men(match)) == ("move ballot", "sunk", "rgvv")


def test_an_empty_boat_takes_a_number_and_counts() -> None:
    """Ruling F8: it may be voted for, arrives, and breaks its owner's tie."""
    drawing = """
        red    1:2  sunk
        green  2:2  ......
        violet 3:3  ashore 1
        black  5:0  R.....
    """
    match = match_at(drawing, phase="move ballot", ashore={"middle": "rrggv"})
    assert match.score().ranks == (1, 1, 3)
    vote(match, "green")
    assert (boat_of(match, "green"), match.score().ranks) == ("ashore 2", (2, 1, 3))


def test_a_match_without_sunk_boats_lasts_three_rounds_a_boat() -> None:
    """Ruling F10: exactly 3(n + 1) rounds."""
    match = boats_placed(3, last_boat_stays="on")
    while not match.over:
        _play_without_sinking(match)
    assert (match.view().table.rounds, match.view().table.arrived) == (12, 4)


def _play_without_sinking(match: Match) -> None:
    """The boat in front moves and takes leaks while it can, else the safest boat; men go where the margin is small."""
    afloat = {COLOURS[place]: boat for place, boat in enumerate(match.view().table.boats) if boat.at == At.SEA}
    margin = {colour: sum(map(sum, boat.crew)) - boat.leaks for colour, boat in afloat.items()}
    safest, front = max(margin, key=margin.__getitem__), max(afloat, key=lambda colour: afloat[colour].row)
    phase = phase_of(match)
    for seat in match.to_act:
        if phase in ("leak ballot", "move ballot"):
            takes = front if phase == "move ballot" or margin[front] > 1 else safest
            match.play(f"vote {takes}", seat)
        else:
            sign = -1 if phase == "leaving" else 1
            match.play(min(match.legal_codes(seat), key=lambda code: sign * margin.get(code.split()[-1], 0)), seat)


def test_a_man_behind_a_boat_frees_the_seat_at_once() -> None:
    """Ruling F11: the seat is free, and a boat that was full can be boarded."""
    match = vote(match_at(FULL_OF_THREE), "black", "red")
    assert match.legal_codes() == ["leave officer red", "leave sailor red", "leave sailor green"]
    play(match, "leave sailor green", "leave sailor violet", "leave sailor black")
    assert match.legal_codes() == ["board green", "board violet"]


def test_four_random_matches_in_five_come_to_a_last_boat() -> None:
    """Ruling F15: this is why the room offers the option."""
    came = 0
    for seed in range(40):
        tables = (match.view().table for match in random_match(GAME, seed, players=3 + seed % 4))
        leaving = (t for t in tables if t.phase == Phase.LEAVING)
        came += any(sum(boat.at == At.SEA for boat in t.boats) == 1 for t in leaving)
    assert 0.65 <= came / 40 <= 0.95
    assert len(words_of(GAME).option("last_boat_stays", english_say(GAME))[1]) > 40
