"""The played minute of Voyage: the record of a match, and what one does at moments of it."""

from tavola.show.cards import Minute, Step, minute_record
from tavola.show.speech import mark

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
