"""The picture's words: what a piece is, for whoever rests the pointer on it."""

from tavola.games.lifeboats.components import OFFICER, At, Boat
from tavola.games.lifeboats.words.nouns import BOAT, ISLAND, POINTS, crew_size
from tavola.show.speech import Say, mark, marks

OFFICERS = marks("red officer", "green officer", "violet officer", "yellow officer", "blue officer", "white officer")
SAILORS = marks("red sailor", "green sailor", "violet sailor", "yellow sailor", "blue sailor", "white sailor")
CARDS = (
    *marks("red card", "green card", "violet card", "yellow card", "blue card", "white card", "black card"),
    mark("captain's card: played alone, it decides"),
)


def man_title(seat: int, rank: int, say: Say) -> str:
    """`green sailor`."""
    return say((OFFICERS if rank == OFFICER else SAILORS)[seat])


def card_title(card: int, say: Say) -> str:
    """A card played: `green card`; a captain's says what it is good for."""
    return say(CARDS[card - 1])


def island_title(island: int, say: Say) -> str:
    """An island and what men are worth there."""
    parts = {"island": ISLAND(island, say), "officer": POINTS[island][0], "sailor": POINTS[island][1]}
    return say("{island:The}: {officer} points an officer, {sailor} a sailor", **parts)


def boat_title(place: int, boat: Boat, seats: int, say: Say) -> str:
    """A boat and who is in it: `The green boat: red sailor, red sailor, 1 leak, 3 places free`, and her danger."""
    named = BOAT(place, say)
    if boat.at == At.ASIDE:
        return say("{boat:The}: not yet in the water", boat=named)
    if boat.at == At.ASHORE:
        return say("{boat:The}: arrived as number {arrival}", boat=named, arrival=boat.arrival)
    if boat.at == At.SUNK:
        return say("{boat:The}: sunk", boat=named)
    return f"{named:The}: {', '.join([*_crew(boat, say), *_room(boat, seats, say), *_danger(boat, seats, say)])}"


def _danger(boat: Boat, seats: int, say: Say) -> list[str]:
    """Return what a boat's leaks mean now: R17, R22."""
    men = crew_size(boat)
    if boat.leaks > men:
        return [say("with more leaks than men she sinks when the phase ends")]
    full = men + boat.leaks == seats
    if men and boat.leaks + 1 > men - full:
        return [say("one more leak and she sinks")]
    return [say("a leak here sends a man overboard")] if full else []


def _crew(boat: Boat, say: Say) -> list[str]:
    return [
        man_title(seat, rank, say)
        for seat, ranks in enumerate(boat.crew)
        for rank, count in enumerate(ranks)
        for _ in range(count)
    ]


def _room(boat: Boat, seats: int, say: Say) -> list[str]:
    free = seats - crew_size(boat) - boat.leaks
    leaks = [say.many("{count} leak", "{count} leaks", boat.leaks)] if boat.leaks else []
    return [*leaks, say.many("{count} place free", "{count} places free", free) if free else say("full")]
