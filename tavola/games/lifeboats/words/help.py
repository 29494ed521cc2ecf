"""Help for a first match: what to think about at each decision, the rules in one minute, and the played minute."""

from tavola.games.lifeboats.components import CHOICES, At, Phase, Seen
from tavola.games.lifeboats.words.nouns import (
    BOAT,
    BY_TIE,
    ISLAND,
    POINTS,
    boats_of,
    choice_reason,
    colours,
    crew_size,
    free_seats,
    has_free_seat,
    island_of,
    load_parts,
    points_aboard,
    seats_behind,
    votes_aboard,
)
from tavola.show.cards import Minute, Step, minute_record
from tavola.show.speech import Say, mark, marks
from tavola.show.words import Coach, members_of


def _place(view: Seen, seat: int, say: Say) -> str:
    t = view.table
    taken = {boat.lane for boat in t.boats}
    free = {island_of(t, lane) for lane in range(1, 8) if lane not in taken}
    best = max(free, key=lambda island: POINTS[island])
    parts = {"island": ISLAND(best, say), "officer": POINTS[best][0], "sailor": POINTS[best][1]}
    return say(
        "{island:The} pays most of those still free: {officer} points for an officer, {sailor} for a sailor.", **parts
    )


def _crew(view: Seen, seat: int, say: Say) -> str:
    if any(any(boat.crew[seat]) for boat in view.table.boats):
        return say("Spread your men and a sinking takes few of them; keep them together and they outvote others.")
    return say("Men keep a boat afloat, for it sinks with more leaks than men; a full boat throws men overboard.")


def _leak(view: Seen, seat: int, say: Say) -> str:
    t = view.table
    mine = boats_of(t, seat)
    if not mine:
        return say("You have no man at sea: your vote still decides what others keep.")
    boat = min(mine, key=lambda place: crew_size(t.boats[place]) - t.boats[place].leaks)
    parts = {"boat": BOAT(boat, say), **load_parts(t.boats[boat], say)}
    if has_free_seat(t, boat):
        return say("{boat:The} holds {men} and {leaks}: with more leaks than men she sinks.", **parts)
    return say("{boat:The} is full with {men} and {leaks}: a leak there throws a man overboard.", **parts)


def _overboard(view: Seen, seat: int, say: Say) -> str:
    votes = votes_aboard(view.table.boats[view.table.target - 1])
    return say.many(
        "Officers count twice: your card is worth {count} vote of {total}. Sailors go before officers.",
        "Officers count twice: your card is worth {count} votes of {total}. Sailors go before officers.",
        votes[seat],
        total=sum(votes),
    )


def _move(view: Seen, seat: int, say: Say) -> str:
    t = view.table
    mine = boats_of(t, seat)
    if not mine:
        return say("You have no man at sea: your vote still decides who comes ashore.")
    boat = max(mine, key=lambda place: points_aboard(t, place, seat))
    return say(
        "You have most to save {boat:aboard}: {points}, and {moves} to go.",
        boat=BOAT(boat, say),
        points=say.many("{count} point", "{count} points", points_aboard(t, boat, seat)),
        moves=say.many("{count} move", "{count} moves", t.moves - t.boats[boat].row),
    )


def _choose(view: Seen, seat: int, say: Say) -> str:
    ballot = view.table.ballot
    if choice_reason(ballot) == BY_TIE:
        tied = colours(members_of(ballot.candidates), say)
        return say("You decide among {colours}: all others will remember whom you spared.", colours=tied)
    return say("You decide alone, and may choose what nobody voted for.")


def _leave(view: Seen, seat: int, say: Say) -> str:
    t = view.table
    if seats_behind(t):
        return say("Only who left first can be left without a seat: your man will find one.")
    free = sum(free_seats(t, boat) for boat in t.boats if boat.at == At.SEA)
    if not free:
        return say("You leave first and board last; no seat is free but those left now. A man who finds none is lost.")
    return say.many(
        "You leave first and board last; {count} seat is free now. A man who finds none is lost.",
        "You leave first and board last; {count} seats are free now. A man who finds none is lost.",
        free,
    )


def _board(view: Seen, seat: int, say: Say) -> str:
    t = view.table
    options = [view.game.actions.action(number).indices[0] for number in view.legal]
    boat = max(options, key=lambda place: crew_size(t.boats[place]) - t.boats[place].leaks)
    parts = {"boat": BOAT(boat, say), **load_parts(t.boats[boat], say)}
    return say("{boat:The} is the safest with a free seat: {men} and {leaks}.", **parts)


coach = Coach(
    {
        Phase.BOATS: _place,
        Phase.BLACK_BOAT: mark("The black boat is nobody's: whoever has men aboard will have to speak for it."),
        Phase.CREW: _crew,
        Phase.LEAK_BALLOT: _leak,
        Phase.OVERBOARD_BALLOT: _overboard,
        Phase.MOVE_BALLOT: _move,
        **dict.fromkeys(CHOICES, _choose),
        Phase.LEAVING: _leave,
        Phase.BOARDING: _board,
    }
)

LESSON = marks(
    "Your aim",
    "Bring your men ashore, in whichever boat they sit. Who owns a boat matters only in a tie.",
    "A round",
    "All vote in secret which boat takes a leak, then all vote which boat moves. "
    "Then everybody takes a man out of one boat and puts him into another.",
    "How you score",
    "Each man ashore scores: on the left island an officer 8 and a sailor 6, in the middle 6 and 4, on the "
    "right 7 and 5. Most points win.",
    "Captains",
    "You have three, and one played is spent. If exactly one is revealed, its player decides alone; two or "
    "more cancel each other. In a tie the start player decides.",
    "Leaks",
    "A leak takes a seat for good. If the boat is full, those aboard vote who goes overboard, and officers "
    "count twice. A boat with more leaks than men sinks with all aboard when the phase ends.",
    "Changing boats",
    "Only one man may leave each boat. They board in reverse order: a man who finds no free seat is lost. "
    "The match ends when no boat is at sea.",
)


MINUTE = Minute(
    record=minute_record(__file__),
    steps=(
        Step(
            34,
            mark("The ship is lost: bring your men ashore. Yours bear the red heart. Touch the red boat."),
            mark("Your men sit in many boats. Each that comes ashore scores for you, whoever owns the boat."),
            part="boat-red",
        ),
        Step(
            34,
            mark("Every round one boat takes a leak, by secret ballot. Touch the green card."),
            mark("Nobody sees it until all are turned. The boat with the most cards takes the leak."),
            code="vote green",
            part="held-green",
        ),
        Step(
            76,
            mark("You have three captains in a match. Touch the captain."),
            mark("If you alone play one, you alone decide. Two or more cancel each other."),
            code="vote captain",
            part="held-captain",
        ),
        Step(
            97,
            mark("A boat with more leaks than men sinks. Touch the violet boat."),
            mark("Four men and two leaks: she floats. With every seat taken, the next leak costs a man."),
            part="boat-violet",
        ),
        Step(
            97,
            mark("Each island pays its own points. Touch the island on the left."),
            mark("Eight for an officer and six for a sailor: the best of the three."),
            part="island-0",
        ),
        Step(
            102,
            mark("A second ballot says which boat rows on. Touch the violet card."),
            mark("She would come one move nearer to the island. Then all change boats, one man each."),
            code="vote violet",
            part="held-violet",
        ),
    ),
)
