"""The played minute of Fairies: the record of a match, and what one does at moments of it."""

from tavola.show.cards import Minute, Step, minute_record
from tavola.show.speech import mark

MINUTE = Minute(
    record=minute_record(__file__),
    steps=(
        Step(
            30,
            mark("Three fairies are yours. A whole wand wakes one: touch the green fairy."),
            mark("A star above, a tail below, both green: she is awake."),
            part="fairy-0-0",
        ),
        Step(
            30,
            mark("You play up to three wand cards a turn. Touch the blue star in your hand."),
            mark("On your blue wand it needs a blue tail below, and the blue fairy wakes."),
            code="lay blue-star-1 0",
            part="card-9-0",
        ),
        Step(
            80,
            mark("Who is awake has a power over the same fairy of another. Touch the card in the light."),
            mark("Blue swaps a card on the table, if your wand is worth more than theirs."),
            code="blue 1 red-star",
            part="half-1-4",
        ),
        Step(
            61,
            mark("With two fairies awake you heal the King. Touch a piece of the window."),
            mark("It is turned up: a piece goes to its place, a shield is yours."),
            code="turn 1",
            part="pane-0",
        ),
        Step(
            61,
            mark("Healing is worth the stars of your active fairies. Touch the red fairy."),
            mark("Who ends the match counts double. So keep your fairies awake, and cover those of others."),
            part="fairy-0-2",
        ),
    ),
)
