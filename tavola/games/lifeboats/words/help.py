"""Help for a first match: advice for each decision, the rules in one minute, and the played minute."""

from tavola.games.lifeboats.components import CHOICES, At, Phase, Seen
from tavola.games.lifeboats.words import nouns
from tavola.show.cards import Minute, Step, minute_record
from tavola.show.speech import Say, mark, marks
from tavola.show.words import Coach, members_of


def _place(view: Seen, seat: int, say: Say) -> str:
    t = view.table
    taken = {boat.lane for boat in t.boats}
    free = {nouns.island_of(t, lane) for lane in range(1, 8) if lane not in taken}
    best = max(free, key=lambda island: nouns.POINTS[island])
    parts = {"island": nouns.ISLAND(best, say), "officer": nouns.POINTS[best][0], "sailor": nouns.POINTS[best][1]}
    return say("{island:The} is the best still open: {officer} points per officer, {sailor} per sailor.", **parts)


def _crew(view: Seen, seat: int, say: Say) -> str:
    if any(any(boat.crew[seat]) for boat in view.table.boats):
        return say(
            "Spread your men out and you lose less in a sinking. Keep them together and you win the votes aboard."
        )
    return say("A boat sinks when it has more leaks than men. But when a full boat leaks, someone goes overboard.")


def _leak(view: Seen, seat: int, say: Say) -> str:
    t = view.table
    if not (mine := nouns.boats_of(t, seat)):
        return say("You have no men at sea, but your vote still decides what others keep.")
    boat = min(mine, key=lambda place: nouns.crew_size(t.boats[place]) - t.boats[place].leaks)
    parts = {"boat": nouns.BOAT(boat, say), **nouns.load_parts(t.boats[boat], say)}
    if nouns.has_free_seat(t, boat):
        return say("{boat:The} has {men} and {leaks}. With more leaks than men, she sinks.", **parts)
    return say("{boat:The} is full ({men}, {leaks}). A leak there sends a man overboard.", **parts)


def _overboard(view: Seen, seat: int, say: Say) -> str:
    votes = [2 * officers + sailors for officers, sailors in view.table.boats[view.table.target - 1].crew]  # R19
    return say.many(
        "Officers count double: your card is worth {count} of {total} votes. Sailors go overboard before officers.",
        "Officers count double: your card is worth {count} of {total} votes. Sailors go overboard before officers.",
        votes[seat],
        total=sum(votes),
    )


def _move(view: Seen, seat: int, say: Say) -> str:
    t = view.table
    if not (mine := nouns.boats_of(t, seat)):
        return say("You have no men at sea, but your vote still decides who gets ashore.")
    boat = max(mine, key=lambda place: nouns.points_aboard(t, place, seat))
    points = say.many("{count} point", "{count} points", nouns.points_aboard(t, boat, seat))
    parts = {"boat": nouns.BOAT(boat, say), "points": points}
    moves = say.many("{count} move", "{count} moves", t.moves - t.boats[boat].row)
    return say("Your biggest stake is {boat:aboard}: {points}, with {moves} to go.", **parts, moves=moves)


def _choose(view: Seen, seat: int, say: Say) -> str:
    ballot = view.table.ballot
    if nouns.choice_reason(ballot) == nouns.BY_TIE:
        tied = nouns.colours(members_of(ballot.candidates), say)
        return say("You decide among {colours}. Everyone else will remember whom you spared.", colours=tied)
    return say("You decide alone, and you can choose something no one voted for.")


def _leave(view: Seen, seat: int, say: Say) -> str:
    t = view.table
    if nouns.seats_behind(t):
        return say("Only the first man to leave risks finding no seat. Yours is safe.")
    if not (free := sum(nouns.free_seats(t, boat) for boat in t.boats if boat.at == At.SEA)):
        return say(
            "You leave first and board last. The only free seats are those others leave now; with none, your"
            " man drowns."
        )
    return say.many(
        "You leave first and board last. {count} seat is free right now; with none, your man drowns.",
        "You leave first and board last. {count} seats are free right now; with none, your man drowns.",
        free,
    )


def _board(view: Seen, seat: int, say: Say) -> str:
    t = view.table
    options = [view.game.actions.action(number).indices[0] for number in view.legal]
    boat = max(options, key=lambda place: nouns.crew_size(t.boats[place]) - t.boats[place].leaks)
    parts = {"boat": nouns.BOAT(boat, say), **nouns.load_parts(t.boats[boat], say)}
    return say("{boat:The} is the safest boat with a free seat: {men} and {leaks}.", **parts)


coach = Coach(
    {
        Phase.BOATS: _place,
        Phase.BLACK_BOAT: mark("The black boat belongs to no one. Anyone with men aboard will have to defend it."),
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
    "Get your men ashore, no matter which boats they’re in. A boat’s owner matters only in a tie.",
    "A round",
    "Everyone votes in secret on which boat springs a leak, then on which boat moves. After that, everyone takes one"
    " man off a boat and puts him on another.",
    "How you score",
    "Each man ashore scores: on the left island 8 for an officer and 6 for a sailor, in the middle 6 and 4, on the"
    " right 7 and 5. Most points wins.",
    "Captains",
    "You have three, each for one use. If exactly one is revealed, its player decides alone. Two or more cancel out."
    " In a tie, the start player decides.",
    "Leaks",
    "A leak takes up a seat for good. If the boat is full, everyone aboard votes on who goes overboard, and officers"
    " count double. A boat with more leaks than men sinks with everyone aboard at the end of the phase.",
    "Changing boats",
    "Only one man can leave each boat. They board in reverse order, and a man who finds no free seat drowns. The match"
    " ends when no boat is left at sea.",
)

MINUTE = Minute(
    record=minute_record(__file__),
    steps=(
        Step(
            34,
            mark("The ship is lost. Get your men ashore: they wear the red heart. Choose the red boat."),
            mark("Your men are in several boats. Each one who gets ashore scores for you, no matter whose boat it is."),
            part="boat-red",
        ),
        Step(
            34,
            mark("Each round, a secret vote gives one boat a leak. Choose the green card."),
            mark("No one sees it until all cards are revealed. The boat with the most votes springs a leak."),
            code="vote green",
            part="held-green",
        ),
        Step(
            76,
            mark("You have three captains per match. Choose the captain."),
            mark("If you’re the only one to play it, you decide. Two or more cancel out."),
            code="vote captain",
            part="held-captain",
        ),
        Step(
            97,
            mark("A boat with more leaks than men sinks. Choose the violet boat."),
            mark("Four men and two leaks: she floats. But every seat is taken, so the next leak costs a man."),
            part="boat-violet",
        ),
        Step(
            97,
            mark("Each island is worth different points. Choose the left island."),
            mark("Eight per officer and six per sailor: the best of the three."),
            part="island-0",
        ),
        Step(
            102,
            mark("Then a second vote decides which boat moves. Choose the violet card."),
            mark("She’d move one space closer to the island. Then everyone moves one man to another boat."),
            code="vote violet",
            part="held-violet",
        ),
    ),
)
