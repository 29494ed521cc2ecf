"""The played minute of Tournament: the record of a match, and what one does at moments of it."""

from tavola.show.cards import Minute, Step, minute_record
from tavola.show.speech import mark

MINUTE = Minute(
    record=minute_record(__file__),
    steps=(
        Step(
            27,
            mark("A duel takes a sword, a shield, a lance and armour. Touch what you lack."),
            mark("No shield. You would find one at the market, or put a joker there."),
            part="missing-1",
        ),
        Step(
            27,
            mark("A joker fits anywhere. Touch a joker."),
            mark("It counts 0 in a duel, but your set is full with it."),
            part="own-joker",
        ),
        Step(
            37,
            mark("At the market all trade at once. Touch the offer of three sous for a joker."),
            mark("Who accepts first has it. Sous are points: the richest wins, not the strongest."),
            code="accept 1 2",
            part="answer-1-1",
        ),
        Step(
            42,
            mark("In a duel each lays four cards in secret, one a box. Touch your best sword."),
            mark("The higher card wins its box, and three boxes win the duel and its prize."),
            code="equip sword 3",
            part="own-sword-3",
        ),
        Step(
            42,
            mark("With fewer than three boxes God must judge. Touch the tent of the crown."),
            mark("Tokens are tossed, and who is first to touch the right tent wins."),
            part="token-0",
        ),
    ),
)
