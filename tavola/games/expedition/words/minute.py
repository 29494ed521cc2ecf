"""The played minute of Expedition: the record of a match, and what one does at moments of it."""

from tavola.show.cards import Minute, Step, minute_record
from tavola.show.speech import mark

MINUTE = Minute(
    record=minute_record(__file__),
    steps=(
        Step(
            43,
            mark("Your cards are secret goals. Touch Benin in your hand."),
            mark("When an expedition comes to Benin, whoever led it there, the card is worth a point to you."),
            part="card-benin",
        ),
        Step(
            46,
            mark("Four tokens mark goals that count once more. Touch Niagara on the map."),
            mark("Now all know where you want to go. A token that nobody reached costs a point in the end."),
            code="token niagara",
            part="point-niagara",
        ),
        Step(
            55,
            mark("All steer all three expeditions, one arrow a turn. Touch the line in the light."),
            mark("The camels ride from Lisbon to Tassili, nearer to your Benin."),
            code="arrow yellow lisbon-to-tassili",
            part="step-camels-lisbon-to-tassili",
        ),
        Step(
            57,
            mark("A voucher is one more arrow. Touch your vouchers."),
            mark("At most two a turn. Red stations give you more of them."),
            code="voucher",
            part="vouchers",
        ),
        Step(
            59,
            mark("A green station gives one more arrow at once. Touch the line to Benin."),
            mark("Reached: one point for the card, one for your token."),
            code="arrow yellow lake-chad-to-benin",
            part="step-camels-lake-chad-to-benin",
        ),
    ),
)
