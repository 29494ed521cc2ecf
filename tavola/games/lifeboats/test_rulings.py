"""One test or more for each ruling: what the rulebook leaves open. A check that none is missing."""

import re
from pathlib import Path

import pytest

from tavola.core import IllegalAction, Match, NotYourTurn
from tavola.games.lifeboats import GAME
from tavola.games.lifeboats.components import COLOURS, At
from tavola.games.lifeboats.fixtures import (
    FULL,
    boat_of,
    drawing_of,
    legal_votes,
    lost_men,
    match_at,
    pending_choice,
    phase_of,
    vote,
)
from tavola.show.speech import Say

FULL_OF_THREE = """
    red    1:0  RRrrrr
    green  2:0  rGGggg
    violet 3:0  ggVVvv
    black  4:0  vvv...
"""
LAST_TWO = """
    red    1:3  ashore 1
    green  2:2  sunk
    violet 3:1  RrGg..
    black  4:1  Rrrgg.
"""
LAST_ONE = """
    red    1:3  ashore 1
    green  2:2  sunk
    violet 3:2  sunk
    black  4:1  Rg~~..
"""
EMPTY = LAST_ONE.replace("Rg~~..", "......")

# The third section of the close reading: rulings 1 to 14


@pytest.mark.parametrize("players", [3, 4, 5])
def test_colours_that_are_not_in_play_cannot_be_voted_for(players: int) -> None:
    """Ruling 1."""
    match = GAME.match(players=players, seed=1)
    while phase_of(match) != "leak ballot":
        match.play(match.legal_codes()[0])
    assert legal_votes(match, 0) == " ".join((*COLOURS[:players], "black", "captain"))


def test_colours_that_are_not_aboard_cannot_be_voted_overboard() -> None:
    """Ruling 2, R20: nor the black one; voting for oneself is allowed."""
    match = match_at(FULL)
    vote(match, "black black black black")
    for colour in ("red", "black", "blue"):
        with pytest.raises(IllegalAction):
            match.play(f"vote {colour}", 1)
    match.play("vote green", 1)


def test_alone_aboard_a_full_boat_one_votes_for_oneself() -> None:
    """Ruling 3, ruling F2: the ballot of one voter is held, and he loses a man."""
    match = match_at(FULL_OF_THREE)
    vote(match, "red red red")
    assert (match.to_act, legal_votes(match, 0)) == ((0,), "red captain")
    match.play("vote red")
    assert (boat_of(match, "red"), lost_men(match)) == ("RRrrr~", "r")


def test_a_captain_of_the_only_voter_is_spent_and_he_decides() -> None:
    """Ruling 3, ruling F2, ruling F3: both "exactly one" and "all" are true; he decides, not the start player."""
    match = match_at(FULL_OF_THREE, starter=2)
    vote(match, "red red red")
    match.play("vote captain")
    assert pending_choice(match) == (0, "red")
    assert match.view().table.captains[0] == 2
    match.play("choose red")
    assert boat_of(match, "red") == "RRrrr~"


@pytest.mark.parametrize("cards", ["violet captain", "captain captain"])
def test_a_free_choice_is_among_what_could_be_voted_for(cards: str) -> None:
    """Ruling 4: for a captain and for the start player alike; here the boats at sea."""
    match = match_at(LAST_TWO, starter=1, ashore={"left": "r"})
    vote(match, f"{cards} {'captain' if cards.startswith('captain') else 'black'}")
    assert pending_choice(match) == (1, "violet black")


def test_a_free_choice_overboard_is_among_the_colours_aboard() -> None:
    """Ruling 4."""
    match = match_at(FULL)
    vote(match, "black black black black")
    vote(match, "green captain green")
    assert pending_choice(match) == (2, "green violet yellow")


def test_leaving_is_compulsory_and_from_the_last_boat_a_man_drowns() -> None:
    """Ruling 5, R26, R29: literal unless the option `last_boat_stays` is on."""
    match = match_at(LAST_ONE, phase="move ballot", starter=1, ashore={"left": "Rrrrrr"})
    before = lost_men(match)
    vote(match, "black black black")
    assert match.legal_codes() == ["leave sailor black"]
    match.play("leave sailor black")
    assert sorted(lost_men(match)) == sorted(f"{before}gR")  # one man above two leaks: the boat sinks with him
    assert match.over


def test_the_last_boat_stays_if_so_agreed() -> None:
    """Ruling 5, ruling F12, R33: no third phase with one boat at sea; the marker passes."""
    match = match_at(LAST_ONE, phase="move ballot", starter=1, ashore={"left": "Rrrrrr"}, last_boat_stays="on")
    before = lost_men(match)
    vote(match, "black black black")
    assert (phase_of(match), match.view().table.starter, lost_men(match)) == ("leak ballot", 2, before)


def test_with_two_boats_the_option_changes_nothing() -> None:
    """Ruling F12."""
    match = match_at(LAST_TWO, phase="move ballot", ashore={"left": "r"}, last_boat_stays="on")
    vote(match, "black black black")
    assert phase_of(match) == "leaving"


def test_boats_at_sea_are_counted_when_the_third_phase_begins() -> None:
    """Ruling F12: the last but one lands in the second phase."""
    drawing = LAST_TWO.replace("violet 3:1", "violet 3:2")
    match = match_at(drawing, phase="move ballot", ashore={"left": "r"}, last_boat_stays="on")
    vote(match, "violet violet violet")
    assert (phase_of(match), boat_of(match, "black")) == ("leak ballot", "Rrrgg.")


def test_boarding_is_compulsory_and_the_boat_is_free() -> None:
    """Ruling 6: nothing but seats of other boats is offered."""
    match = match_at(FULL)
    vote(match, "green green green green")
    vote(match, "red red red red")
    for seat, code in ((0, "leave officer red"), (1, "leave officer violet"), (2, "leave sailor black")):
        match.play(code, seat)
    match.play("leave officer green", 3)
    assert match.legal_codes() == ["board red", "board violet", "board black"]


def test_leaks_never_run_out() -> None:
    """Ruling 7, ruling F10: the box holds 15, a match of six may need 21."""
    boats = [f"{colour} {place + 1}:3 ashore {place + 1}" for place, colour in enumerate(COLOURS[:5])]
    match = match_at("\n".join([*boats, "white 6:1 WWwwww", "black 7:2 RGVYB."]))
    assert match.view().table.rounds == 19
    vote(match, " ".join(["black"] * 6))
    assert boat_of(match, "black") == "RGVYB~"


def test_an_empty_boat_without_leaks_floats_and_the_match_goes_on() -> None:
    """Ruling 8: it ends all the same, for every round has a leak and a move."""
    match = match_at(EMPTY, phase="move ballot", starter=2, ashore={"left": "Rrrrrr"})
    vote(match, "black black black")
    assert (phase_of(match), boat_of(match, "black")) == ("leak ballot", "......")
    vote(match, "black black black")
    assert (match.over, boat_of(match, "black")) == (True, "sunk")


def test_who_has_no_man_left_votes_and_holds_the_marker() -> None:
    """Ruling 9: "Tutti i giocatori votano"."""
    match = match_at(LAST_TWO, starter=2, ashore={"left": "r"})
    assert match.to_act == (0, 1, 2)
    vote(match, "captain captain captain")
    assert pending_choice(match) == (2, "violet black")
    match = match_at(LAST_TWO, phase="leaving", starter=1, ashore={"left": "r"})
    while phase_of(match) != "leak ballot":
        assert match.to_act != (2,)
        match.play(match.legal_codes()[0])
    assert match.view().table.starter == 2


def test_the_match_stops_when_the_last_boat_sinks_in_the_first_phase() -> None:
    """Ruling 10, ruling F13, R30: no second phase, and the marker stays."""
    match = match_at(LAST_ONE, starter=1, ashore={"left": "Rrrrrr"})
    vote(match, "black black black")
    table = match.view().table
    assert (match.over, table.starter, table.ballot.kind) == (True, 1, 1)


def test_the_match_stops_when_the_last_boat_lands() -> None:
    """Ruling 10, ruling F13, R30: no third phase, and the marker stays."""
    match = match_at(LAST_ONE.replace("4:1", "4:2"), phase="move ballot", starter=1, ashore={"left": "Rrrrrr"})
    vote(match, "black black black")
    assert (match.over, match.view().table.starter) == (True, 1)


def test_the_match_stops_when_the_last_boat_sinks_in_the_third_phase() -> None:
    """Ruling F13: the marker stays."""
    match = match_at(LAST_ONE, phase="leaving", starter=1, ashore={"left": "Rrrrrr"})
    match.play("leave sailor black", 1)
    assert (match.over, match.view().table.starter) == (True, 1)


@pytest.mark.parametrize("players", [3, 6])
def test_there_are_seven_spaces_for_four_boats_too(players: int) -> None:
    """Ruling 11."""
    match = GAME.match(players=players)
    match.play("start 0")
    assert len(match.legal_codes()) == 7


def test_leaks_leave_with_the_boat_that_lands_or_sinks() -> None:
    """Ruling 13, ruling F14."""
    for phase, row in (("move ballot", "4:2"), ("leak ballot", "4:1")):
        match = match_at(LAST_ONE.replace("4:1", row), phase=phase, ashore={"left": "Rrrrrr"})
        vote(match, "black black black")
        assert match.view().table.boats[6].leaks == 0


def test_time_and_talk_are_no_part_of_the_rules() -> None:
    """Ruling 14: "i giocatori possono accordarsi per introdurre un tempo massimo"; no action does."""
    assert [verb.name for verb in GAME.actions.verbs] == ["start", "lane", "crew", "vote", "choose", "leave", "board"]


# The fourth section: rulings F1 to F15


def test_a_single_option_is_asked_for_all_the_same() -> None:
    """Ruling F1: a vote with one boat and no captain, and the only boat with a seat."""
    match = match_at(LAST_ONE, starter=2, captains=(0, 0, 0), ashore={"left": "Rrrrrr"})
    assert [legal_votes(match, seat) for seat in match.to_act] == ["black"] * 3
    match = match_at(LAST_TWO, phase="leaving", ashore={"left": "r"})
    match.play("leave officer violet", 0)
    match.play("leave sailor black", 1)
    assert match.legal_codes(1) == ["board violet"]


def test_a_lone_captain_chooses_even_the_only_candidate() -> None:
    """Ruling F1."""
    match = match_at(LAST_ONE, ashore={"left": "Rrrrrr"})
    vote(match, "black captain black")
    assert pending_choice(match) == (1, "black")


def test_who_cannot_do_anything_is_not_asked() -> None:
    """Ruling F1: neither who cannot leave a boat, nor whose man finds no seat."""
    match = match_at(LAST_ONE, phase="leaving", starter=2, ashore={"left": "Rrrrrr"})
    assert match.to_act == (0,)
    match.play("leave officer black")
    assert "board" not in str(match.record())
    assert match.over


def test_if_all_aboard_play_captains_the_start_player_decides_ashore_too() -> None:
    """Ruling F3: "all" are the voters of that vote."""
    match = match_at(FULL)
    vote(match, "black black black black")
    vote(match, "captain captain captain")
    assert pending_choice(match) == (0, "green violet yellow")


def test_two_captains_of_three_cancel() -> None:
    """Ruling F3."""
    match = match_at(FULL)
    vote(match, "black black black black")
    vote(match, "captain captain violet")
    assert pending_choice(match) is None
    assert boat_of(match, "black") == "GggVy~"


def test_a_cancelled_captain_loses_the_whole_weight() -> None:
    """Ruling F4, R14: one sailor's vote is all that counts against four and three."""
    match = match_at(FULL)
    vote(match, "black black black black")
    vote(match, "captain captain green")
    assert (boat_of(match, "black"), lost_men(match)) == ("GgVvy~", "g")


def test_captains_are_counted_when_they_are_revealed() -> None:
    """Ruling F5, R12: until then the public count tells nothing."""
    match = match_at(FULL)
    for seat, card in ((0, "captain"), (1, "captain"), (2, "red")):
        match.play(f"vote {card}", seat)
        assert match.view(3).table.captains[:4] == (3, 3, 3, 3)
    match.play("vote red", 3)
    assert match.view(3).table.captains[:4] == (2, 2, 3, 3)


def test_a_captain_may_be_played_in_each_vote_of_the_first_phase() -> None:
    """Ruling F6."""
    match = match_at(FULL)
    vote(match, "red captain red red")
    match.play("choose black", 1)
    vote(match, "captain green green")
    assert pending_choice(match) == (1, "green violet yellow")
    assert match.view().table.captains[1] == 1


def test_the_boat_sinks_after_the_second_vote() -> None:
    """Ruling F6, R22."""
    drawing = """
        red    1:3  ashore 1
        green  2:0  rgv~~~
        violet 3:0  Rrrggg
        black  4:0  GGVVv.
    """
    match = match_at(drawing, ashore={"left": "Rrrgvv"})
    vote(match, "green green green")
    assert (phase_of(match), boat_of(match, "green")) == ("overboard ballot", "rgv~~~")
    vote(match, "red red red")
    assert (phase_of(match), boat_of(match, "green")) == ("move ballot", "sunk")
    assert lost_men(match) == "rgvv"


def test_places_below_the_first() -> None:
    """Ruling F7: points, then the own boat's arrival; shared with both boats sunk."""
    drawing = """
        red    1:3  ashore 2
        green  2:2  sunk
        violet 3:2  sunk
        yellow 4:3  ashore 1
        black  5:0  R.....
    """
    standing = match_at(drawing, ashore={"left": "rgvyyy"}).score()
    assert (standing.points, standing.ranks) == ((6, 6, 6, 18), (2, 3, 3, 1))


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
    vote(match, "green green green")
    assert boat_of(match, "green") == "ashore 2"
    assert match.score().ranks == (2, 1, 3)


def test_colours_belong_to_seats_and_left_is_the_next_seat() -> None:
    """Ruling F9: red, green, violet, yellow, blue, white by seat, black nobody's; clockwise is the next seat."""
    match = GAME.match(players=6)
    match.play("start 4")
    for seat, lane in zip((4, 5, 0, 1, 2, 3), range(1, 7), strict=True):
        match.play(f"lane {lane}", seat)
    lanes = {line.split()[0]: line.split()[1] for line in drawing_of(match).splitlines()}
    assert lanes == {"red": "3:0", "green": "4:0", "violet": "5:0", "yellow": "6:0", "blue": "1:0", "white": "2:0"}


def test_a_match_without_sunk_boats_lasts_three_rounds_a_boat() -> None:
    """Ruling F10: 3(n + 1) rounds, and no more."""
    match = GAME.match(players=3, last_boat_stays="on")
    match.play("start 0")
    for lane in range(1, 5):
        match.play(f"lane {lane}")
    while not match.over:
        _play_without_sinking(match)
    assert (match.view().table.rounds, match.view().table.arrived) == (12, 4)


def _play_without_sinking(match: Match) -> None:
    """The boat in front moves and takes what leaks it can, the safest the others; men go where they are few."""
    table = match.view().table
    afloat = {COLOURS[place]: boat for place, boat in enumerate(table.boats) if boat.at == At.SEA}
    margin = {colour: sum(map(sum, boat.crew)) - boat.leaks for colour, boat in afloat.items()}
    safest, front = max(margin, key=margin.__getitem__), max(afloat, key=lambda colour: afloat[colour].row)
    phase = phase_of(match)
    for seat in match.to_act:
        legal = match.legal_codes(seat)
        if phase in ("leak ballot", "move ballot"):
            takes = front if phase == "move ballot" or margin[front] > 1 else safest
            match.play(f"vote {takes}", seat)
        else:
            sign = -1 if phase == "leaving" else 1
            match.play(min(legal, key=lambda code: sign * margin.get(code.split()[-1], 0)), seat)


def test_a_man_behind_a_boat_leaves_his_place_at_once() -> None:
    """Ruling F11: the rank is free, and a boat that was full can be boarded."""
    match = match_at(FULL_OF_THREE)
    vote(match, "black black black")
    vote(match, "red red red")
    assert match.legal_codes() == ["leave officer red", "leave sailor red", "leave sailor green"]
    match.play("leave sailor green")
    match.play("leave sailor violet")
    match.play("leave sailor black")
    assert match.legal_codes() == ["board green", "board violet"]


def test_four_random_matches_in_five_come_to_a_last_boat() -> None:
    """Ruling F15: so the room shows the option and says why."""
    came = sum(_comes_to_a_last_boat(seed) for seed in range(120))
    assert 0.65 <= came / 120 <= 0.95
    title, why = GAME.words.option("last_boat_stays", Say.of(GAME, "en"))
    assert title
    assert len(why) > 40


def _comes_to_a_last_boat(seed: int) -> bool:
    match = GAME.match(players=3 + seed % 4, seed=seed)
    draw = iter(range(seed * 1000, seed * 1000 + 10**6))
    while not match.over:
        seat = match.to_act[0]
        legal = match.legal_numbers(seat)
        match.play(legal[next(draw) * 2654435761 % 2**32 * len(legal) >> 32], seat)
        table = match.view().table
        if table.phase == 10 and sum(boat.at == At.SEA for boat in table.boats) == 1:
            return True
    return False


def test_nobody_else_may_choose() -> None:
    """Ruling 4, R15."""
    match = match_at(FULL, starter=1)
    vote(match, "red green red green")
    with pytest.raises(NotYourTurn, match="seat 0 owes no decision now: expected seat 1"):
        match.play("choose red", 0)


# Nothing is missing


def cited_rulings() -> str:
    """The docstrings of every test in this folder."""
    texts = [path.read_text(encoding="utf-8") for path in Path(__file__).parent.glob("test_*.py")]
    return "\n".join(
        found[1] for text in texts for found in re.finditer(r'def test_[^"]*?:\n    """(.*?)"""', text, re.DOTALL)
    )


def test_every_paragraph_and_every_ruling_is_proved() -> None:
    """R1 to R35, rulings 1 to 14 and F1 to F15 are each named by a test."""
    own = "R1 to R35, rulings 1 to 14 and F1 to F15 are each named by a test."
    text = cited_rulings().replace(own, "")
    due = [f"R{n}" for n in range(1, 36)] + [f"uling {n}" for n in range(1, 15)] + [f"uling F{n}" for n in range(1, 16)]
    assert [name for name in due if not re.search(rf"{name}\b", text)] == []
