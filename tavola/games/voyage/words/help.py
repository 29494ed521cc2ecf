"""Help for a first match: what to think about at each decision, the rules in one minute, and the played minute."""

from tavola.games.voyage.components import Phase, Seen
from tavola.games.voyage.words.consequences import helped
from tavola.games.voyage.words.nouns import count_visited, had_ballot
from tavola.games.voyage.words.scoring import role_of
from tavola.show.cards import Minute, Step, minute_record
from tavola.show.speech import Say, mark, marks
from tavola.show.words import Coach

ROLE_ADVICE = marks(
    "As the Admiral you want Avalon, and few islands on the way: {islands} visited so far, 4 at most.",
    "As the Cabin boy you want islands, a point each, and Avalon: {islands} visited so far.",
    "As the Merchant you want islands with the cross, 2 points each: {crosses} visited so far.",
    "As the Traitor you want Avalon never found, and 5 islands: {islands} visited so far.",
    "As the Explorer you want tiles of the border and of the fog, and Avalon in the end.",
    "As the Sailor you want open sea, and a long voyage over tiles nobody has seen.",
)


def _courses(view: Seen, seat: int, say: Say) -> str:
    visited = count_visited(view.table)
    return say(ROLE_ADVICE[role_of(view, seat) - 1], islands=visited.islands, crosses=visited.crosses)


def votes_that_helped(view: Seen, seat: int) -> tuple[int, list[int]]:
    """The ballots that brought the seat's role points or cost some, and in how many each seat voted its way."""
    t, role = view.table, role_of(view, seat)
    past = [(turn, helped(t, role, turn)) for turn in t.turns[: t.turn - 1] if turn.sailed and had_ballot(turn)]
    told = [(turn, effect > 0) for turn, effect in past if effect]
    alike = [
        sum((bool(turn.black >> other & 1) == (turn.sailed != turn.preferred)) == good for turn, good in told)
        for other in range(t.players)
    ]
    return len(told), alike


def _ballot(view: Seen, seat: int, say: Say) -> str:
    count, alike = votes_that_helped(view, seat)
    if not count:
        return _first_ballot(view, seat, say)
    others = [other for other in range(view.table.players) if other != seat]
    friend, rival = (pick(others, key=alike.__getitem__) for pick in (max, min))
    if alike[friend] == alike[rival]:
        return say.many(
            "{count} ballot has mattered to your role so far; all others voted alike in it.",
            "{count} ballots have mattered to your role so far; all others voted your way equally often.",
            count,
        )
    parts = {"friend": say.name(friend), "rival": say.name(rival), "most": alike[friend], "fewest": alike[rival]}
    return say.many(
        "{count} ballot has mattered to your role: {friend} voted your way in {most}, {rival} in {fewest}.",
        "{count} ballots have mattered to your role: {friend} voted your way in {most}, {rival} in {fewest}.",
        count,
        **parts,
    )


def _first_ballot(view: Seen, seat: int, say: Say) -> str:
    captain = view.table.captain
    if seat != captain:
        name = say.name(captain)
        return say("Only {name} knows the course face down. All see how you vote: it hints at your role.", name=name)
    if view.table.players % 2 == 0:
        return say("In a tie your own vote decides. All see it, and judge what you laid by it.")
    return say("All see how you vote, and judge what you laid by it.")


coach = Coach({Phase.COURSES: _courses, Phase.BALLOT: _ballot})

LESSON = marks(
    "Your aim",
    "You hold a secret role, and score by it alone. Most roles want Avalon, the island in the fog; "
    "the Traitor wants the ship to miss it.",
    "A turn",
    "The captain lays two courses, one openly, one face down. All vote in secret: white for the open one, "
    "black for the other. The majority decides; in a tie, the captain's vote.",
    "How you score",
    "Your card says what brings you points: Avalon, islands, crosses, border, open sea. If two players share a "
    "role, each loses a point. Most points win.",
    "The ship",
    "It sails straight over tiles that are turned up to the first one face down, which is turned up. "
    "No course may cross coast that is turned up.",
    "The fog",
    "Nine tiles hide in the fog: Avalon three times, two islands, four of open sea. Nobody knows where.",
    "The end",
    "The voyage ends when Avalon is found, after twenty turns, or when no tile lies face down on the course "
    "sailed: then the route is lost. All roles are turned up.",
)


MINUTE = Minute(
    record=minute_record(__file__),
    steps=(
        Step(
            6,
            mark("Only you know your role. Touch the role in your hand."),
            mark("It alone brings you points. Most roles want Avalon; the Traitor wants the ship to miss it."),
            part="own-role",
        ),
        Step(
            6,
            mark("Avalon lies somewhere in the fog. Touch the fog."),
            mark("Nine tiles lie there face down, and three of them are Avalon."),
            part="fog-b6",
        ),
        Step(
            6,
            mark("The captain lays one course openly and one face down. Touch the open course."),
            mark("West, says the captain. Only the captain knows the other one."),
            code="vote white",
            part="open-1",
        ),
        Step(
            6,
            mark("All vote in secret: white for the open course, black for the other. Touch white."),
            mark("The ballots turn at once and the majority decides. In a tie the captain’s vote does."),
            code="vote white",
            part="own-white",
        ),
        Step(
            15,
            mark("Now you are captain. Touch the arrow to the south."),
            mark("You would lay south openly, and then another course that nobody sees."),
            code="courses south west",
            part="heading-3-south",
        ),
    ),
)
