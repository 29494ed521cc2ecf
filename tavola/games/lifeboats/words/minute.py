"""The played minute of Lifeboats: the record of a match, and what one does at moments of it."""

from tavola.show.cards import Minute, Step, minute_record
from tavola.show.speech import mark

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
