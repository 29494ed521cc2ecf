"""What Voyage says that a course brings a role, held to the points it brings; and that a vote tells no secret."""

import pytest

from tavola.games.voyage import GAME
from tavola.games.voyage.components import COURSES, Phase
from tavola.games.voyage.fixtures import SIX, courses_of, first_turn, offer, sail, vote
from tavola.games.voyage.words.help import votes_that_helped
from tavola.show import testing

SAY = testing.english_say(GAME)
TRIO = ("admiral", "traitor", "sailor")


def told(match, seat, code, step=1):
    return GAME.words.consequence(match.view(seat), GAME.actions.number(code), step, SAY)


def test_a_course_off_the_map_is_told_before_it_is_laid_and_before_it_is_voted_for():
    """R15: by the captain's card, and by the ballot; with what the voter would have."""
    match = sail(first_turn(*TRIO), courses_of("n"))
    losing = next(course for course in COURSES if match.view().table.turns[1].losing >> COURSES.index(course) & 1)
    code = next(code for code in match.legal_codes() if code.startswith(f"courses {losing}"))
    does = told(match, match.to_act[0], code)
    assert (does.brief, does.tone) == ("off the map: the voyage ends", "grave")
    match.play(code, match.to_act[0])
    for seat, points in ((0, "3 points"), (1, "5 points"), (2, "0 points")):
        does = told(match, seat, "vote white")
        assert does.tone == "grave"
        assert does.sentence.endswith(f"You would have {points}.")
    vote(match)
    assert match.over
    assert [match.view().standing.points[seat] for seat in range(3)] == [3, 5, 0]


@pytest.mark.parametrize("role", SIX)
def test_what_a_white_vote_is_for_is_what_it_brings(role):
    """R22 to R27, on the chart: half a point of the border or of the sea is a half, and two make one."""
    match, seat = first_turn(role, *[other for other in SIX if other != role][:2], sailor="emended"), 0
    promised = 0.0
    for course in courses_of("swwswww").split():
        offer(match, course)
        assert match.view().table.phase == Phase.BALLOT
        promised += _points(told(match, seat, "vote white").brief)
        vote(match)
    start = (
        3 if role == "admiral" else 0.5 if role == "explorer" else 0
    )  # at most four islands; the start on the border
    traitor = 5 if role == "traitor" else 0
    assert match.view(seat).standing.points[seat] == int(promised + start + traitor)


def _points(brief):
    """`open sea: +½ for you` is a half."""
    part = brief.split(": ")[-1].removesuffix(" for you")
    if part == "nothing":
        return 0.0
    sign = -1 if part[0] == "−" else 1
    return sign * (float(part[1:].removesuffix("½") or 0) + 0.5 * part.endswith("½"))


def test_the_fog_is_told_in_numbers_for_who_wants_avalon():
    match = first_turn(*TRIO)
    match = sail(match, courses_of("ssswwww"))
    offer(match, "west")
    assert told(match, 0, "vote white").sentence == (
        "Westward lies fog, on c5. Of its 9 tiles 3 are Avalon (+5 for you), 2 islands."
    )
    briefs = [told(match, seat, "vote white").brief for seat in range(3)]
    assert briefs == ["fog: Avalon? +5 for you", "fog: Avalon? −5 for you", "fog: at best +2 for you"]


def test_a_black_vote_tells_nobody_but_the_captain_what_lies_face_down():
    """R8: whichever course it is."""
    heard = []
    for alternative in ("north", "south"):
        match = first_turn(*TRIO)
        offer(match, "west", alternative)
        heard.append([told(match, seat, "vote black") for seat in range(3)])
    assert heard[0][1:] == heard[1][1:]
    assert heard[0][0] != heard[1][0]
    assert heard[0][1].brief == "north, east or south: unknown"


def test_who_voted_for_what_helped_is_told_to_the_role():
    """The sea serves the Sailor: who voted for what was sailed voted his way."""
    match = first_turn("admiral", "merchant", "sailor", sailor="literal")
    for course, votes in (("south", "wwb"), ("west", "wbw")):
        offer(match, course)
        vote(match, votes)
    offer(match, "west")
    assert votes_that_helped(match.view(2), 2) == (2, [2, 1, 1])
    assert GAME.words.coach(match.view(2), SAY) == (
        "2 ballots have mattered to your role: Ada voted your way in 2, Bruno in 1."
    )
    assert GAME.words.coach(match.view(0), SAY).startswith("Only Carla knows the course face down.")
