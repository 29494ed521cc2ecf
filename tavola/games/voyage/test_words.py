"""The texts of Voyage, in four languages, over complete matches and turn by turn."""

from types import SimpleNamespace
from typing import Any

import pytest

from tavola.core import CHANCE, Match
from tavola.games.voyage.components import CELLS, ROLES
from tavola.games.voyage.fixtures import FULL_TOUR, GAME, ISLANDS, SIX, VOTES, decide, first_turn, offer, sail, vote
from tavola.games.voyage.words.scoring import role_rules
from tavola.show import testing
from tavola.show.cards import words_of
from tavola.show.speech import LANGUAGES, Say
from tavola.show.testing import NAMES, consequence_of, events_after, present, refusal_text, views

words = words_of(GAME)
summary_card = present(words.summary_card)
SAY = testing.english_say(GAME)
WHITE, BLACK = ([f"{seat} vote {colour}" for seat in range(3)] for colour in ("white", "black"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_widest_table_fits_a_terminal(language):
    match = first_turn(*SIX, "explorer")
    for preferred, alternative in ("en", "ws", "es", "ew"):
        decide(match, preferred, alternative, "bbbbbbb")
    offer(match, "west", "south")
    for seat in range(6):
        match.play("vote black", seat)
    say = Say.of(GAME, language, [f"{name} of the long, long name" for name in NAMES])
    assert max(map(len, [line for view in views(match) for line in words.table(view, say)])) <= 100


@pytest.mark.parametrize("sailor", ["literal", "emended"])
def test_points_at_hand_are_the_rules_own(sailor):
    """During the match only the seat's own points are shown, without doubles, which are secret."""
    match, doubles = first_turn(*SIX, "sailor", sailor=sailor), (0, 0, 0, 0, 0, 1, 1)
    for course in FULL_TOUR:
        for seat, lost in enumerate(doubles):
            lines = words.scoring(match.view(seat), seat, SAY)
            assert sum(points for _, points in lines) == match.score().points[seat] + lost
            assert words.scoring(match.view(), seat, SAY) == [("The role stays secret until the end", 0)]
            assert words.scoring(match.view(seat), (seat + 1) % 7, SAY) == words.scoring(match.view(), seat, SAY)
        decide(match, course)


def scored(match, seat):
    return [f"{line}: {points}" for line, points in words.scoring(match.view(), seat, SAY)]


def test_each_point_has_its_line():
    match = sail(first_turn(*SIX), "eswwswwswwsw", "open", "plain", "avalon")
    explored = "3 border tiles, start included: 1 point for every 2: 1", "2 fog tiles visited: 1 point each: 2"
    assert [scored(match, seat) for seat in range(6)] == [
        ["Role: Admiral: 0", "Avalon found: 5", "2 islands visited (at most 4): 3"],
        ["Role: Cabin boy: 0", "2 islands visited: 1 point each: 2", "Avalon found: 2"],
        ["Role: Merchant: 0", "1 island with a cross visited: 2 points: 2", "Avalon found: 1"],
        ["Role: Traitor: 0", "Avalon found: 0", "2 islands visited (fewer than 5): 0"],
        ["Role: Explorer: 0", *explored, "Avalon found: 3"],
        ["Role: Sailor: 0", "7 open sea tiles visited: 2 points each: 14"],
    ]


def test_doubles_and_shared_places_have_their_line():
    match = sail(first_turn("merchant", "sailor", "merchant"), "ee")
    assert scored(match, 0)[3:] == ["Carla had the same role: -1", "Tied with Carla: the place is shared: 0"]
    assert scored(match, 1) == ["Role: Sailor: 0", "0 open sea tiles visited: 2 points each: 0"]
    assert words.prompt(match.view(), SAY) == "The route is lost. Bruno wins with 0 points."


@pytest.mark.parametrize("language", LANGUAGES)
def test_help_shows_the_own_role_first_and_then_all(language):
    say = Say.of(GAME, language, NAMES)
    match = sail(first_turn(*SIX), "esws")
    everybody = role_rules(say, match.view().table.sailor)
    for seat, role in enumerate(everybody):
        (title, own), (_, everyone) = summary_card(match.view(seat), say)
        assert role[0] in title
        assert own[0][1] == role[1]
        assert len(own) >= 3
        assert everyone[:6] == everybody
    assert summary_card(match.view(), say) == summary_card(match.view(0), say)[1:]
    assert summary_card(Match(GAME, players=3, rules="letter").view(1), say) == summary_card(match.view(), say)
    assert role_rules(say, 1) != role_rules(say)


def test_help_counts_what_the_role_has_at_hand():
    (_, own), _ = summary_card(sail(first_turn("traitor", "merchant", "sailor"), "esws").view(1), SAY)
    assert own == [
        ("How it scores", "2 points for each island with a cross visited; 1 point if Avalon is found."),
        ("1 island with a cross visited: 2 points", "2 points"),
        ("Avalon not found yet", "0 points"),
        ("If the voyage ended now", "2 points"),
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_guess_may_be_any_role(language):
    say = Say.of(GAME, language, NAMES)
    guesses = words.guess_labels(first_turn().view(0), say)
    assert [key for key, _ in guesses] == list(ROLES)
    assert [label for _, label in guesses] == [name for name, _ in role_rules(say)]


def test_only_the_captain_is_reminded_of_the_alternative_course():
    match = offer(sail(first_turn(*SIX[:5]), "sww"), "south", "north")
    match.play("vote white", 1)
    match.play("vote black", 3)
    prompts = [words.prompt(view, SAY) for view in views(match)]
    assert prompts[3].startswith("Waiting for Ada, Carla and Elsa to vote: south")
    assert prompts[0] == "Vote white for south, or black for the hidden course."
    black = GAME.actions.number("vote black")
    assert words.action(match.view(3), black, SAY) == "Vote black: north, your hidden course"
    assert words.action(match.view(0), black, SAY) == "Vote black: the hidden course"
    shown = [next(line for line in words.table(match.view(seat), SAY) if "4     Dario" in line) for seat in (0, 3)]
    assert [line.split()[-1] for line in shown] == ["?", "north"]


# Refusals


def test_reasons_name_the_rule():
    dealing, first, voting = Match(GAME, players=3, first_captain=0), first_turn(), offer(first_turn(), "east", "south")
    voting.play("vote white", 1)
    at_the_coast, turning = sail(first_turn(), "esw"), decide(first_turn(islands=ISLANDS), "south")
    lost, ended = sail(first_turn(), "ee"), sail(first_turn(), FULL_TOUR)
    for match, seat, code, reason in (
        (dealing, 0, "role sailor", "The roles are dealt at random (R6)."),
        (dealing, 0, "courses north east", "The first turn begins when everyone has a role (R6, R8)."),
        (first, None, "courses north east", "You’re watching: only the players at the table can act (R1)."),
        (first, 1, "courses north east", "Only the captain, Ada, chooses the courses (R8)."),
        (first, 0, "courses east east", "There’s only one card of each course: choose two different ones (R8)."),
        (first, 2, "vote white", "There’s nothing to vote on yet: Ada chooses two courses first (R8, R12)."),
        (voting, 0, "courses east south", "This turn’s courses are set. Now the crew votes on them (R8, R12)."),
        (voting, 1, "vote black", "You’ve already voted, and you can’t take a vote back (R12)."),
        (voting, 1, "island a1", "The islands are placed at random (R4)."),
        (voting, 1, "captain 1", "The first captain is chosen at random, or agreed on before the match (R7)."),
        (voting, 1, "tile avalon", "The tile is revealed at random: no one chooses it (R14, R16)."),
        (at_the_coast, 0, "courses north east", "You can’t sail east: that would cross the coast (R9)."),
        (at_the_coast, 0, "courses north west", ""),
        (turning, 1, "vote white", "The ship has moved. Its tile has to be revealed first (R14)."),
        (lost, 0, "vote white", "The match is over: the route is lost (R15, R17)."),
        (ended, 0, "vote white", "The match is over: twenty turns have been played (R17)."),
    ):
        assert refusal_text(match, seat, code) == reason


def test_the_safe_course_has_its_reason():
    safe, unsafe = sail(first_turn(safe_course="on"), "ne"), sail(first_turn(), "ne")
    refused = {refusal_text(safe, safe.to_act[0], code) for code in {*unsafe.legal_codes()} - {*safe.legal_codes()}}
    assert refused == {"Both courses would lose the route. Choose at least one that keeps it (R10)."}


# Turn by turn: plain turns are in the golden playthrough


def test_the_beginning():
    match = Match(GAME, players=3, layout="random")
    *most, last = ISLANDS.split()
    for cell in most:
        assert events_after(match, f"{CHANCE} island {cell}") == []
    (ready,) = events_after(match, f"{CHANCE} island {last}")
    assert ready == "The map is ready: ten islands are hidden somewhere in the sea."
    assert match.view().table.laid == 10
    assert words.prompt(match.view(), SAY) == "The first captain is being chosen at random."
    assert events_after(match, f"{CHANCE} captain 1") == ["Bruno is randomly chosen as first captain."]
    assert events_after(match, f"{CHANCE} role sailor", f"{CHANCE} role sailor") == []
    assert events_after(match, f"{CHANCE} role traitor") == [
        "Everyone gets a secret role. 9 roles are set aside unseen.",
        "Turn 1 of 20: Bruno is captain.",
    ]


def test_a_turn():
    match = first_turn()
    assert words.prompt(match.view(0), SAY) == "Choose two courses: one to show, one to hide."
    decide(match, "south", "west")
    told = events_after(offer(match, "north", "south"), *BLACK)
    assert told[0] == "The votes are in: everyone votes black."
    told = events_after(offer(match, "north", "west"), *WHITE)
    assert told[0] == "The votes are in: everyone votes white."
    assert told[2] == "The ship sails north, past 2 explored tiles, to h1."
    lost = "The route would be lost to the north."
    assert words.prompt(match.view(0), SAY) == f"Choose two courses, one to show and one to hide. {lost}"


@pytest.mark.parametrize(
    ("votes", "captaincy", "captain"),
    [
        ("wwbb", "every-turn", "Bruno becomes captain."),
        ("bwbw", "every-turn", "Bruno becomes captain."),
        ("bwbw", "alternative", "Ada stays captain."),
        ("bwbw", "alternative-or-tie", "Bruno becomes captain."),
        ("bbbw", "alternative", "Bruno becomes captain."),
        ("wwww", "alternative", "Ada stays captain."),
    ],
)
def test_ties_and_captains(votes, captaincy, captain):
    match = decide(first_turn(*SIX[:4], captaincy=captaincy), "east", "south", votes[:3])
    assert events_after(match, f"3 {VOTES[votes[3]]}")[-1].endswith(captain)


@pytest.mark.parametrize(
    ("face", "sentence"),
    [
        ("open", "The ship finds open sea in the fog at c5."),
        ("cross", "The ship finds an island with a cross in the fog at c5."),
        ("plain", "The ship finds an island without a cross in the fog at c5."),
        ("avalon", "The ship finds Avalon in the fog at c5!"),
    ],
)
def test_the_fog_lifts(face, sentence):
    match = offer(sail(first_turn(), "swwwwws"), "south")
    assert events_after(match, *WHITE)[-1] == "The ship sails south to c5."
    after = events_after(match, f"{CHANCE} tile {face}")
    assert after[0] == sentence
    if face == "avalon":
        assert after[2] == "Avalon has been found. Carla wins with 10 points."


def test_islands_at_sea():
    match = decide(first_turn(islands=ISLANDS), "west", "east")
    assert words.prompt(match.view(1), SAY) == "The ship has reached g2. Its tile is revealed."
    assert events_after(match, f"{CHANCE} tile open")[0] == "The ship finds open sea at g2."
    decide(sail(match, "s", "open"), "south")
    assert events_after(match, f"{CHANCE} tile plain")[0] == "The ship finds an island without a cross at g4."


def test_the_route_is_lost():
    match = offer(sail(first_turn(), "e"), "east", "south")
    crew, captain, _ = (words.prompt(match.view(seat), SAY) for seat in range(3))
    assert crew == "Vote white for east, which loses the route, or black for the hidden course."
    assert captain == "Vote white for east, or black for south, your hidden course."
    assert words.prompt(vote(match).view(), SAY) == "The route is lost. Bruno wins with 5 points."


def test_a_single_course_is_sailed_without_a_vote():
    """The texts of two tables, of which no match on this map reaches the second."""
    table = sail(first_turn(), "e").view().table
    lonely = table.turns[1]._replace(courses=4, preferred=3, sailed=3, reached=1 + CELLS.index("i3"))
    turns = (table.turns[0], lonely, lonely._replace(captain=2, courses=0, preferred=0, sailed=0, reached=0))
    before: Any = SimpleNamespace(table=table._replace(turn=1))
    explored = table.explored | 1 << CELLS.index("i3")
    after: Any = SimpleNamespace(table=table._replace(turn=3, turns=turns, explored=explored))
    assert words.events(before, after, None, SAY) == [
        "Turn 2 of 20: Bruno becomes captain.",
        "Only one course is possible: the ship takes it without a vote.",
        "The ship sails south to i3.",
        "The ship finds coast at i3.",
        "Turn 3 of 20: Carla becomes captain.",
        "There’s coast on every side: no course is possible.",
    ]


def test_twenty_turns():
    assert words.prompt(sail(first_turn(), FULL_TOUR).view(), SAY).startswith("Avalon wasn’t found in twenty turns. ")


def test_a_table_shows_what_is_known():
    """The golden playthrough ends with the table of a known map."""
    unknown = words.table(first_turn(islands=ISLANDS).view(), SAY)
    assert unknown[6].startswith(("4  " + " ? " * 9).rstrip())
    assert "Face down at sea: + 5, o 5, . 37." in unknown


# The consequence of a choice, compared with its effect


def test_a_course_off_the_map_is_announced_before_it_is_laid_and_before_the_vote():
    """R15: for the captain's card, and for the ballot, with the points that the voter would have."""
    match = sail(first_turn(), "n")
    does = consequence_of(match, 1, "courses north west", 1)
    assert (does.brief, does.tone) == ("off the map: the voyage ends", "grave")
    offer(match, "north")
    told = [consequence_of(match, seat, "vote white", 1) for seat in range(3)]
    assert {does.tone for does in told} == {"grave"}
    scored = [f"you’d score {points} points." for points in vote(match).view().standing.points]
    assert [does.sentence[-len(end) :] for does, end in zip(told, scored, strict=True)] == scored


@pytest.mark.parametrize("role", SIX)
def test_what_a_white_vote_is_for_is_what_it_brings(role):
    """R22 to R27, on the chart: half a point for border or sea is shown as a half, and two make one."""
    match = first_turn(role, *[other for other in SIX if other != role][:2], sailor="emended")
    # At most four islands; Avalon not found; the start on the border.
    promised = {"admiral": 3, "traitor": 5, "explorer": 0.5}.get(role, 0)
    for course in "swwswww":
        promised += _points(briefs(offer(match, course))[0])
        vote(match)
    assert match.view(0).standing.points[0] == int(promised)


def _points(brief):
    """`open sea: +½ for you` is 0.5, and what is only for a plan is 0."""
    part = brief.split(": ")[-1].removesuffix(" for you")
    if part[0] not in "+−":
        return 0.0
    sign = -1 if part[0] == "−" else 1
    return sign * (float(part[1:].removesuffix("½") or 0) + 0.5 * part.endswith("½"))


def briefs(match):
    """What white votes are for, in a word, by seat."""
    return [consequence_of(match, seat, "vote white", 1).brief for seat in range(3)]


def test_a_course_without_points_says_what_it_does_for_the_plan():
    """R22, R25: Avalon is in the fog; the fifth island costs the Admiral a bonus, and brings the Traitor one."""
    assert briefs(offer(sail(first_turn(), "s"), "west"))[:2] == ["open sea: 1 closer to the fog"] * 2
    assert briefs(offer(sail(first_turn(), "sw"), "west"))[:2] == [
        "an island: 3 islands left before you lose the bonus",
        "an island: 4 more islands for your bonus",
    ]


def test_the_fog_is_described_in_numbers_to_seats_that_want_avalon():
    match = offer(sail(first_turn(), "ssswwww"), "west")
    told = "West leads into the fog (c5). Tiles left there: 9. Avalon: 3 (+5 for you). Islands: 2."
    assert consequence_of(match, 0, "vote white", 1).sentence == told
    assert briefs(match) == ["fog: Avalon? +5 for you", "fog: Avalon? −5 for you", "fog: at best +2 for you"]


def test_the_text_of_a_black_vote_reveals_the_hidden_course_only_to_the_captain():
    """R8: the text is the same for either course."""
    matches = [offer(first_turn(), "west", alternative) for alternative in ("north", "south")]
    one, other = ([consequence_of(match, seat, "vote black", 1) for seat in range(3)] for match in matches)
    assert one[1:] == other[1:]
    assert one[0] != other[0]
    assert one[1].brief == "hidden: north, east or south"


def test_a_role_sees_the_votes_that_helped_it():
    """The sea serves the Sailor: votes for the course sailed were votes for the role."""
    match = first_turn("admiral", "merchant", "sailor", sailor="literal")
    decide(decide(match, "south", votes="wwb"), "west", votes="wbw")
    offer(match, "west")
    assert words.coach(match.view(2), SAY) == "2 votes have mattered to your role: Ada voted your way in 2, Bruno in 1."
    assert words.coach(match.view(0), SAY).startswith("Only Carla knows the hidden course.")
