"""Help for a first match: advice for each decision, the rules in one minute, and the played minute."""

from tavola.games.expedition.components import Phase, Seen, Table
from tavola.games.expedition.network import DISTANCE
from tavola.games.expedition.words.nouns import COLOUR, all_goals, heads, nearest_goal, place_label
from tavola.show.cards import Minute, Step, minute_record
from tavola.show.speech import Say, mark, mark_many, marks

EXTRA_ARROW: dict[int, tuple[str, str]] = {
    Phase.GREEN: mark_many(
        "One more arrow of any colour. {colour:The} is {count} arrow from {place}.",
        "One more arrow of any colour. {colour:The} is {count} arrows from {place}.",
    ),
    Phase.EXTRA: mark_many(
        "Place your voucher’s arrow. {colour:The} is {count} arrow from {place}.",
        "Place your voucher’s arrow. {colour:The} is {count} arrows from {place}.",
    ),
}
VOUCHERS = mark_many(
    "Play a voucher or end your turn. {colour:The} is {count} arrow from {place}.",
    "Play a voucher or end your turn. {colour:The} is {count} arrows from {place}.",
)
NEAREST = mark_many(
    "{place} is your nearest goal, private or public: {count} arrow from {colour:the}.",
    "{place} is your nearest goal, private or public: {count} arrows from {colour:the}.",
)


def coach(view: Seen, say: Say) -> str:
    if not view.legal or view.hand is None:
        return ""
    t = view.table
    if t.phase == Phase.TOKENS:
        return _placing_advice(view, say)
    if t.phase == Phase.KEEP:
        return " ".join(_distance_text(t, card, say) for card in view.hand.drawn)
    if t.phase == Phase.LOOP:
        return say(
            "Leave the loop where the way to your goals is shortest. You can’t close another one with this"
            " expedition this turn."
        )
    if (near := nearest_goal(t, all_goals(view))) is None:
        return say("You have no goals left: hinder those who do, or take public goals.")
    far, goal, colour = near
    told = EXTRA_ARROW.get(t.phase, VOUCHERS if t.placed else NEAREST)
    return say.many(*told, far, place=place_label(goal, say), colour=COLOUR(colour, say))


def _placing_advice(view: Seen, say: Say) -> str:
    if view.table.variant_b:
        return say(
            "You’re placing your neighbour’s tokens: the further from START and from each other, the better for you."
        )
    if len(view.legal) == 1:
        return say("You can’t place a token, so pass.")
    return say(
        "A token is worth an extra point if reached, and costs one if not. Choose places that others will pass too."
    )


def _distance_text(t: Table, card: int, say: Say) -> str:
    """R26: a card whose place an expedition is on waits until one arrives there again."""
    name, far = place_label(card - 1, say), min(int(DISTANCE[head, card]) for head in heads(t))
    if not far:
        return say("{place}: an expedition is already there, so the card waits until one arrives again.", place=name)
    return say.many(
        "{place} is {count} arrow from the nearest expedition.",
        "{place} is {count} arrows from the nearest expedition.",
        far,
        place=name,
    )


LESSON = marks(
    "Your aim",
    "Your cards are private goals on the map. When an expedition reaches one, no matter who led it there, you play"
    " the card: 1 point. The public goals are for everyone.",
    "On your turn",
    "Place an arrow to lead one of the three expeditions one line further. They belong to everyone. Choose a"
    " glowing line, see where it leads, and play.",
    "Points",
    "1 for each goal you reach, private or public, and 1 for each of your tokens you collect. At the end, each"
    " card still in your hand and each of your tokens still on the map costs 1 point.",
    "Stations",
    "Green gives you one more arrow at once, of any colour. Red gives you a voucher. The points at the edges are"
    " red too: the same number on the other side is the same point.",
    "Vouchers",
    "Play up to two a turn. A voucher lets you place one more arrow, remove the last arrow of an expedition, or"
    " exchange a card of your hand: draw two and keep one.",
    "Loops",
    "An arrow that comes back to a point of its own route closes a loop. If you close one, lead the expedition on"
    " at once, from any point of its route. Otherwise, branches are not allowed.",
)

MINUTE = Minute(
    record=minute_record(__file__),
    steps=(
        Step(
            43,
            mark("Your cards are your private goals. Choose Benin in your hand."),
            mark("When an expedition reaches Benin, no matter who led it there, you score a point for the card."),
            part="card-benin",
        ),
        Step(
            46,
            mark("Four tokens mark goals that are worth an extra point. Choose Niagara on the map."),
            mark("Now everyone knows where you want to go. A token that no one reaches costs a point at the end."),
            code="token niagara",
            part="point-niagara",
        ),
        Step(
            55,
            mark("Everyone steers all three expeditions, one arrow a turn. Choose the glowing line."),
            mark("The camels travel from Lisbon to Tassili, nearer to your goal, Benin."),
            code="arrow yellow lisbon-to-tassili",
            part="step-camels-lisbon-to-tassili",
        ),
        Step(
            57,
            mark("A voucher gives you one more arrow. Choose your vouchers."),
            mark("You can play up to two a turn. Red stations give you more."),
            code="voucher",
            part="vouchers",
        ),
        Step(
            59,
            mark("A green station gives you one more arrow at once. Choose the line to Benin."),
            mark("Reached: one point for the card, one for your token."),
            code="arrow yellow lake-chad-to-benin",
            part="step-camels-lake-chad-to-benin",
        ),
    ),
)
