"""Help for a first match: advice for each decision, the rules in one minute, and the played minute."""

from tavola.games.voyage.components import Phase, Seen
from tavola.games.voyage.words.consequences import helped
from tavola.games.voyage.words.nouns import count_visited, had_ballot
from tavola.games.voyage.words.scoring import role_of
from tavola.show.cards import Minute, Step, minute_record
from tavola.show.speech import Say, mark, marks
from tavola.show.words import Coach

ROLE_ADVICE = marks(
    "You’re the Admiral: find Avalon, and visit 4 islands at most ({islands} so far).",
    "You’re the Cabin boy: visit islands, 1 point each ({islands} so far), and find Avalon.",
    "You’re the Merchant: visit islands with a cross, 2 points each ({crosses} so far).",
    "You’re the Traitor: don’t let the ship find Avalon, and visit at least 5 islands ({islands} so far).",
    "You’re the Explorer: visit the border and the fog, and find Avalon in the end.",
    "You’re the Sailor: visit open sea, on a long voyage over unexplored tiles.",
)


def _courses(view: Seen, seat: int, say: Say) -> str:
    visited = count_visited(view.table)
    return say(ROLE_ADVICE[role_of(view, seat) - 1], islands=visited.islands, crosses=visited.crosses)


def votes_that_helped(view: Seen, seat: int) -> tuple[int, list[int]]:
    """Return the number of ballots that mattered to the seat's role, and in how many each seat voted for it."""
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
            "{count} vote has mattered to your role so far; all the others voted the same way.",
            "{count} votes have mattered to your role so far; all the others voted your way equally often.",
            count,
        )
    parts = {"friend": say.name(friend), "rival": say.name(rival), "most": alike[friend], "fewest": alike[rival]}
    return say.many(
        "{count} vote has mattered to your role: {friend} voted your way in {most}, {rival} in {fewest}.",
        "{count} votes have mattered to your role: {friend} voted your way in {most}, {rival} in {fewest}.",
        count,
        **parts,
    )


def _first_ballot(view: Seen, seat: int, say: Say) -> str:
    captain = view.table.captain
    if seat != captain:
        name = say.name(captain)
        return say("Only {name} knows the hidden course. Everyone sees your vote, so it hints at your role.", name=name)
    if view.table.players % 2 == 0:
        return say("In a tie, your own vote decides. Everyone sees it, and judges your courses by it.")
    return say("Everyone sees your vote, and judges your courses by it.")


coach = Coach({Phase.COURSES: _courses, Phase.BALLOT: _ballot})

LESSON = marks(
    "Your aim",
    "You have a secret role, and only it scores you points. Most roles want Avalon, the island in the fog; the Traitor"
    " wants the ship to miss it.",
    "A turn",
    "The captain shows one course and hides another. Everyone votes in secret: white for the open course, black for"
    " the hidden one. The majority decides; in a tie, the captain’s vote does.",
    "How you score",
    "Your card shows what scores: Avalon, islands, crosses, border, open sea. If two players share a role, each loses"
    " a point. The most points win.",
    "The ship",
    "It sails straight over explored tiles to the first one face down, and reveals it. No course may cross a coast"
    " tile already revealed.",
    "The fog",
    "Nine tiles are hidden in the fog: three show Avalon, two an island, four open sea. No one knows where.",
    "The end",
    "The voyage ends when Avalon is found, after twenty turns, or when the ship’s course leads to no face-down tile:"
    " then the route is lost. All roles are revealed.",
)
MINUTE = Minute(
    record=minute_record(__file__),
    steps=(
        Step(
            6,
            mark("Only you know your role. Choose the role in your hand."),
            mark("Only your role scores you points. Most roles want to find Avalon; the Traitor doesn’t."),
            part="own-role",
        ),
        Step(
            6,
            mark("Avalon is somewhere in the fog. Choose the fog."),
            mark("Nine tiles are face down there, and three of them are Avalon."),
            part="fog-b6",
        ),
        Step(
            6,
            mark("The captain shows one course and hides another. Choose the open course."),
            mark("The captain shows west. Only the captain knows the other course."),
            code="vote white",
            part="open-1",
        ),
        Step(
            6,
            mark("Everyone votes in secret: white for the open course, black for the hidden one. Choose white."),
            mark("The votes are revealed together, and the majority decides. In a tie, the captain’s vote does."),
            code="vote white",
            part="own-white",
        ),
        Step(
            15,
            mark("Now you’re the captain. Choose the arrow to the south."),
            mark("You’d show south, then hide a second course that no one else sees."),
            code="courses south west",
            part="heading-3-south",
        ),
    ),
)
