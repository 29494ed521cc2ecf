"""Phrases that the sentences of Lifeboats share, and what a table tells.

Boats come into sentences as whole phrases, `{boat}` or `{aboard}`, so that a language can decline them.
"""

from collections.abc import Sequence
from typing import Any

from tavola.core import View
from tavola.games.lifeboats.components import (
    BLACK,
    BOARD,
    CAPTAIN,
    FIRST_LANES,
    LEAK,
    LEAK_CHOICE,
    LOT,
    MOVE,
    MOVE_CHOICE,
    OVER,
    OVERBOARD,
    OVERBOARD_CHOICE,
    PLACE_BLACK,
    SEA,
    VALUES,
)
from tavola.show.speech import Say, mark

COLOUR = (mark("red"), mark("green"), mark("violet"), mark("yellow"), mark("blue"), mark("white"), mark("black"))
THE_BOAT = (
    mark("the red boat"),
    mark("the green boat"),
    mark("the violet boat"),
    mark("the yellow boat"),
    mark("the blue boat"),
    mark("the white boat"),
    mark("the black boat"),
)
ABOARD = (
    mark("aboard the red boat"),
    mark("aboard the green boat"),
    mark("aboard the violet boat"),
    mark("aboard the yellow boat"),
    mark("aboard the blue boat"),
    mark("aboard the white boat"),
    mark("aboard the black boat"),
)
ISLAND = (mark("left"), mark("middle"), mark("right"))
THE_ISLAND = (mark("the left island"), mark("the middle island"), mark("the right island"))
ON_ISLAND = (mark("on the left island"), mark("on the middle island"), mark("on the right island"))

BALLOTS = (LEAK, OVERBOARD, MOVE)
CHOICES = (LEAK_CHOICE, OVERBOARD_CHOICE, MOVE_CHOICE)
POINTS: list[list[int]] = VALUES.tolist()
BOUNDS: list[list[int]] = FIRST_LANES.tolist()
BY_CAPTAIN, BY_CAPTAINS, BY_TIE = range(3)
Places = tuple[int, ...]


def the_boat(boat: int, say: Say) -> str:
    """`the green boat`."""
    return say(THE_BOAT[boat])


def aboard(boat: int, say: Say) -> str:
    """`aboard the green boat`."""
    return say(ABOARD[boat])


def colours(places: Sequence[int], say: Say) -> str:
    """`green, red and black`."""
    return say.listing([say(COLOUR[colour]) for colour in places])


def names_of(seats: Sequence[int], say: Say) -> str:
    """`Ada, Bruno and Carla`."""
    return say.listing([say.name(seat) for seat in seats])


def capital(sentence: str) -> str:
    """A sentence that begins with a phrase; never one that begins with a name."""
    return sentence[:1].upper() + sentence[1:]


# What the table tells


def island_of(t: Any, lane: int) -> int:
    """The island at the end of a lane: R4."""
    middle, right = BOUNDS[t.islands]
    return int(lane >= middle) + int(lane >= right)


def men_in(boat: Any) -> int:
    """How many sit in a boat."""
    return sum(map(sum, boat.crew))


def has_seat(t: Any, boat: int) -> bool:
    """R8."""
    return bool(t.boats[boat].at == SEA and men_in(t.boats[boat]) + t.boats[boat].leaks < t.seats)


def owing_seats(t: Any) -> list[int]:
    """The seats that owe a decision; none in the lot and at the end."""
    if t.phase in BALLOTS:
        return [seat for seat in range(t.players) if (t.voters & ~t.voted) >> seat & 1]
    return [] if t.phase in (LOT, OVER) else [t.turn]


def voters_of(ballot: Any) -> list[int]:
    """Who played a card in a ballot that was revealed."""
    return [seat for seat, card in enumerate(ballot.cards) if card]


def captains_in(ballot: Any) -> list[int]:
    """Who played a captain in a ballot that was revealed."""
    return [seat for seat, card in enumerate(ballot.cards) if card == CAPTAIN]


def reason_of(ballot: Any) -> int:
    """Why somebody has to choose: R11, R13, R15."""
    captains = len(captains_in(ballot))
    if captains == 1:
        return BY_CAPTAIN
    return BY_CAPTAINS if captains == len(voters_of(ballot)) else BY_TIE


def members_of(mask: int) -> list[int]:
    """The places of the bits of a mask."""
    return [place for place in range(mask.bit_length()) if mask >> place & 1]


def seats_behind(t: Any) -> list[int]:
    """The seats with a man behind a boat."""
    return [seat for seat in range(t.players) if t.behind[seat]]


def boat_in_question(t: Any) -> int:
    """The boat that the present decision is about; where there is none, any."""
    if t.phase == PLACE_BLACK:
        return BLACK
    if t.phase == BOARD:
        return int(t.behind[t.turn] - 1)
    return int(t.target - 1 if t.target else t.turn)


def votes_told(ballot: Any, say: Say) -> str:
    """Who played what: `Ada votes green and Bruno plays a captain`."""
    return say.listing([_vote_told(ballot, seat, say) for seat in voters_of(ballot)])


def _vote_told(ballot: Any, seat: int, say: Say) -> str:
    name, card, weight = say.name(seat), ballot.cards[seat], ballot.weights[seat]
    if card == CAPTAIN:
        return say("{name} plays a captain", name=name)
    colour = say(COLOUR[card - 1])
    if weight == 1:
        return say("{name} votes {colour}", name=name, colour=colour)
    return say("{name} votes {colour} ({weight} votes)", name=name, colour=colour, weight=weight)


def winners_told(view: View, say: Say) -> str:
    """The end of a match."""
    points, places = view.standing.points, view.standing.places
    winners = [seat for seat, place in enumerate(places) if place == 1]
    most, names = points[winners[0]], names_of(winners, say)
    if len(winners) > 1:
        return say.many(
            "The match is over: {names} share the victory with {count} point.",
            "The match is over: {names} share the victory with {count} points.",
            most,
            names=names,
        )
    if points.count(most) > 1:
        return say.many(
            "The match is over: {names} wins with {count} point; the boat that arrived earlier breaks the tie.",
            "The match is over: {names} wins with {count} points; the boat that arrived earlier breaks the tie.",
            most,
            names=names,
        )
    return say.many(
        "The match is over: {names} wins with {count} point.",
        "The match is over: {names} wins with {count} points.",
        most,
        names=names,
    )
