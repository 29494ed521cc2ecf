"""For newcomers: advice at each decision, the rules in one minute, and the played minute."""

from collections.abc import Mapping

from tavola.games.expedition.components import Phase, Seen, Table
from tavola.games.expedition.network import DISTANCE
from tavola.games.expedition.words.nouns import COLOUR, all_goals, heads, nearest_goal, place_label
from tavola.show.cards import Minute, Step, minute_record
from tavola.show.speech import Say, mark
from tavola.show.words import say_pairs


def coach(view: Seen, say: Say) -> str:
    if not view.legal or view.hand is None:
        return ""
    t = view.table
    if t.phase == Phase.TOKENS:
        return _placing_advice(view, say)
    if t.phase == Phase.KEEP:
        return " ".join(_distance_text(t, card, say) for card in view.hand.drawn)
    if t.phase == Phase.LOOP:
        return say("Leave the loop where the way to your goals is shortest; another loop is not allowed in this turn.")
    near = nearest_goal(t, all_goals(view))
    if near is None:
        return say("You have no goal left: hinder those who do, or take public goals.")
    advice = _extra_arrow_advice if t.phase in (Phase.GREEN, Phase.EXTRA) else _turn_advice
    return advice(t, near[0], {"place": place_label(near[1], say), "colour": COLOUR(near[2], say)}, say)


def _extra_arrow_advice(t: Table, far: int, parts: Mapping[str, object], say: Say) -> str:
    if t.phase == Phase.GREEN:
        return say.many(
            "One more arrow of any colour. {place} is {count} arrow from {colour:the}.",
            "One more arrow of any colour. {place} is {count} arrows from {colour:the}.",
            far,
            **parts,
        )
    return say.many(
        "The voucher is played: lay its arrow. {place} is {count} arrow from {colour:the}.",
        "The voucher is played: lay its arrow. {place} is {count} arrows from {colour:the}.",
        far,
        **parts,
    )


def _turn_advice(t: Table, far: int, parts: Mapping[str, object], say: Say) -> str:
    if t.placed:
        return say.many(
            "A voucher can do more, or end the turn. {place} is {count} arrow from {colour:the}.",
            "A voucher can do more, or end the turn. {place} is {count} arrows from {colour:the}.",
            far,
            **parts,
        )
    return say.many(
        "Of your goals and the public ones {place} is nearest: {count} arrow from {colour:the}.",
        "Of your goals and the public ones {place} is nearest: {count} arrows from {colour:the}.",
        far,
        **parts,
    )


def _placing_advice(view: Seen, say: Say) -> str:
    if view.table.variant_b:
        return say("You place for your neighbour: the further from START and from the others, the better for you.")
    if len(view.legal) == 1:
        return say("Nothing can be placed: pass.")
    return say("A token brings a point more, or costs one. Choose places that others will pass, too.")


def _distance_text(t: Table, card: int, say: Say) -> str:
    """R26: a card for a place where an expedition stands waits until one comes there again."""
    name, far = place_label(card - 1, say), min(int(DISTANCE[head, card]) for head in heads(t))
    if not far:
        return say("{place}: an expedition stands there, and its card waits until one comes again.", place=name)
    return say.many(
        "{place} is {count} arrow from the next expedition.",
        "{place} is {count} arrows from the next expedition.",
        far,
        place=name,
    )


LESSON = {
    mark("Your aim"): mark(
        "Your cards are secret goals on the map. Whenever an expedition reaches one, whoever led it there, you lay "
        "the card: 1 point. The public goals are for everybody."
    ),
    mark("Your turn"): mark(
        "Lead one of the three expeditions one line further: one arrow. All of them belong to everybody. "
        "Touch a line that lights up, look where it leads, and play."
    ),
    mark("Points"): mark(
        "1 for each goal, private or public, and 1 for each of your tokens reached. At the end each card still in "
        "your hand and each token still on the map costs 1."
    ),
    mark("Stations"): mark(
        "Green gives one more arrow at once, of any colour. Red gives a voucher. The points at the edges are red "
        "too: the same number on the other side is the same point."
    ),
    mark("Vouchers"): mark(
        "At most two a turn: one more arrow, or the last arrow of an expedition taken away, or a card of your hand "
        "exchanged: you draw two and keep one."
    ),
    mark("Loops"): mark(
        "An arrow that comes back to a point of its own route closes a loop. Whoever closes it leads on at once, "
        "from any point of the route. Otherwise there are no branches."
    ),
}


def lesson(say: Say) -> list[tuple[str, str]]:
    return say_pairs(LESSON.items(), say)


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
