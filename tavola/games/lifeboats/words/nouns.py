"""The components of Lifeboats in all forms that texts need, and what can be read from a table."""

from collections.abc import Sequence

from tavola.games.lifeboats import components
from tavola.games.lifeboats.components import CAPTAIN, At, Ballot, Boat, Phase, Seen, Table
from tavola.show.speech import Say, mark, marks
from tavola.show.words import Noun, Vocabulary, seat_noun, tied_seats, victory_sentence

COLOUR = marks("red", "green", "violet", "yellow", "blue", "white", "black")
BOAT = Noun(
    the=marks(
        "the red boat",
        "the green boat",
        "the violet boat",
        "the yellow boat",
        "the blue boat",
        "the white boat",
        "the black boat",
    ),
    aboard=marks(
        "aboard the red boat",
        "aboard the green boat",
        "aboard the violet boat",
        "aboard the yellow boat",
        "aboard the blue boat",
        "aboard the white boat",
        "aboard the black boat",
    ),
    colour=COLOUR,
    short=marks("Red", "Green", "Violet", "Yellow", "Blue", "White", "Black"),
)
CARD = Noun(colour=(*COLOUR, mark("captain")), short=(*BOAT.forms["short"], mark("Captain")))
MAN = Noun(a=marks("an officer", "a sailor"), no=marks("no officer", "no sailor"), short=marks("Officer", "Sailor"))
ISLAND = Noun(
    the=marks("the left island", "the middle island", "the right island"),
    on=marks("on the left island", "on the middle island", "on the right island"),
    short=marks("left", "middle", "right"),
)
VOCABULARY = Vocabulary(seat=seat_noun, rank=MAN, boat=BOAT, colour=BOAT, ballot=CARD)

POINTS: list[list[int]] = components.VALUES.tolist()
BOUNDS: list[list[int]] = components.FIRST_LANES.tolist()
BY_CAPTAIN, BY_CAPTAINS, BY_TIE = range(3)


def colours(places: Sequence[int], say: Say) -> str:
    """Return colours as a list: `green, red and black`."""
    return say.listing([say(COLOUR[colour]) for colour in places])


def load_parts(boat: Boat, say: Say) -> dict[str, str]:
    return {"men": count_men(crew_size(boat), say), "leaks": count_leaks(boat.leaks, say)}


def count_men(count: int, say: Say) -> str:
    return say.many("{count} man", "{count} men", count)


def count_leaks(count: int, say: Say) -> str:
    return say.many("{count} leak", "{count} leaks", count) if count else say("no leaks")


# Read from the table


def island_of(t: Table, lane: int) -> int:
    """R4: return the island at the end of a lane."""
    return sum(lane >= first for first in BOUNDS[t.islands])


def crew_size(boat: Boat) -> int:
    return sum(map(sum, boat.crew))


def men_aboard(boat: Boat) -> list[tuple[int, int]]:
    """Return the seat and the rank of each man in a boat, by seat, the officers of a seat first."""
    return [(seat, rank) for seat, crew in enumerate(boat.crew) for rank in (0, 1) for _ in range(crew[rank])]


def free_seats(t: Table, boat: Boat) -> int:
    """R8: return the number of seats with neither a man nor a leak."""
    return int(t.seats - crew_size(boat) - boat.leaks)


def has_free_seat(t: Table, boat: int) -> bool:
    """Return whether a boat is at sea and has a free seat."""
    return bool(t.boats[boat].at == At.SEA and free_seats(t, t.boats[boat]))


def boats_of(t: Table, seat: int) -> list[int]:
    """Return the boats at sea with men of a seat."""
    return [place for place, boat in enumerate(t.boats) if boat.at == At.SEA and any(boat.crew[seat])]


def points_aboard(t: Table, place: int, seat: int) -> int:
    """Return the points that a seat's men aboard a boat would make on its island."""
    boat = t.boats[place]
    return sum(map(int.__mul__, boat.crew[seat], POINTS[island_of(t, boat.lane)]))


def captain_players(ballot: Ballot) -> list[int]:
    return [seat for seat, card in enumerate(ballot.cards) if card == CAPTAIN]


def choice_reason(ballot: Ballot) -> int:
    """Return why a seat has to choose: R11, R13, R15."""
    captains = len(captain_players(ballot))
    if captains == 1:
        return BY_CAPTAIN
    return BY_CAPTAINS if captains == sum(map(bool, ballot.cards)) else BY_TIE


def seats_behind(t: Table) -> list[int]:
    return [seat for seat in range(t.players) if t.behind[seat]]


def boat_in_question(t: Table) -> int:
    """Return the boat of the present decision; any boat if there is none."""
    if t.phase == Phase.BLACK_BOAT:
        return components.BLACK
    if t.phase == Phase.BOARDING:
        return int(t.behind[t.turn] - 1)
    return int(t.target - 1 if t.target else t.turn)


def votes_text(ballot: Ballot, say: Say) -> str:
    """Return each seat's vote: `Ada votes green and Bruno plays a captain`."""
    return say.listing([_vote_text(ballot, seat, say) for seat, card in enumerate(ballot.cards) if card])


def _vote_text(ballot: Ballot, seat: int, say: Say) -> str:
    name, card, weight = say.name(seat), ballot.cards[seat], ballot.weights[seat]
    if card == CAPTAIN:
        return say("{name:*|you} {name:plays|play} a captain", name=name)
    colour = say(COLOUR[card - 1])
    if weight == 1:
        return say("{name:*|you} {name:votes|vote} {colour}", name=name, colour=colour)
    return say("{name:*|you} {name:votes|vote} {colour} ({weight} votes)", name=name, colour=colour, weight=weight)


def result_text(view: Seen, say: Say) -> str:
    """R32: return the result of a match, and what decided a tie."""
    winners, told = view.standing.winners, f"{say('The match is over.')} {victory_sentence(view, say)}"
    if len(winners) == 1 and tied_seats(view, winners[0]):
        return f"{told} {say('The tie goes to the boat that landed first.')}"
    return told


# Titles of pieces in the picture, shown when they are pointed at

OFFICERS = marks("red officer", "green officer", "violet officer", "yellow officer", "blue officer", "white officer")
SAILORS = marks("red sailor", "green sailor", "violet sailor", "yellow sailor", "blue sailor", "white sailor")
CARDS = (
    *marks("red card", "green card", "violet card", "yellow card", "blue card", "white card", "black card"),
    mark("captain’s card: played alone, it decides"),
)


def man_title(seat: int, rank: int, say: Say) -> str:
    """Return `green sailor`."""
    return say((OFFICERS if rank == components.OFFICER else SAILORS)[seat])


def card_title(card: int, say: Say) -> str:
    """Return a played card: `green card`; a captain's says what it does."""
    return say(CARDS[card - 1])


def island_title(island: int, say: Say) -> str:
    parts = {"island": ISLAND(island, say), "officer": POINTS[island][0], "sailor": POINTS[island][1]}
    return say("{island:The}: {officer} points per officer, {sailor} per sailor", **parts)


def boat_title(place: int, boat: Boat, seats: int, say: Say) -> str:
    """Return a boat, its load and its danger: `The green boat: red sailor, red sailor, 1 leak, 3 places free`."""
    named = BOAT(place, say)
    if boat.at == At.ASIDE:
        return say("{boat:The}: not yet in the water", boat=named)
    if boat.at == At.ASHORE:
        return say("{boat:The}: arrival no. {arrival}", boat=named, arrival=boat.arrival)
    if boat.at == At.SUNK:
        return say("{boat:The}: sunk", boat=named)
    men = [man_title(seat, rank, say) for seat, rank in men_aboard(boat)]
    return say.labelled(f"{named:The}", ", ".join([*men, *_room(boat, seats, say), *_danger(boat, seats, say)]))


def _danger(boat: Boat, seats: int, say: Say) -> list[str]:
    """R17, R22: the danger that a boat's leaks mean now."""
    men = crew_size(boat)
    if boat.leaks > men:
        return [say("more leaks than men: she sinks at the end of the phase")]
    full = men + boat.leaks == seats
    if men and boat.leaks + 1 > men - full:
        return [say("one more leak and she sinks")]
    return [say("a leak here sends a man overboard")] if full else []


def _room(boat: Boat, seats: int, say: Say) -> list[str]:
    free = seats - crew_size(boat) - boat.leaks
    leaks = [count_leaks(boat.leaks, say)] if boat.leaks else []
    return [*leaks, say.many("{count} seat free", "{count} seats free", free) if free else say("full")]
