"""For newcomers: advice at each decision, the rules in one minute, and the played minute."""

from tavola.games.tournament.components import JOKER, KINDS, Phase, Seen
from tavola.games.tournament.words import nouns
from tavola.show.cards import Minute, Step, minute_record
from tavola.show.speech import Say, mark
from tavola.show.words import say_pairs


def coach(view: Seen, say: Say) -> str:
    if view.seat is None or view.hand is None or view.seat not in view.to_act:
        return ""
    t = view.table
    if t.phase == Phase.TRADE:
        return _trade_advice(view, say)
    if t.phase == Phase.ARMING:
        return _arming_advice(view, say)
    if t.phase == Phase.BALLOT:
        return say(
            "The victor gets {sous}; who forfeits fights no more in this match, but goes on trading.",
            sous=nouns.sous_text(nouns.prize_of(t), say),
        )
    return say(_ADVICE_BY_PHASE[t.phase])


_ADVICE_BY_PHASE: dict[int, str] = {
    Phase.THROW: mark(
        "By post nobody is faster. Each corner is right as often as the others; if both of you are, the lot decides."
    ),
    Phase.POINTING: mark(
        "One dot: the sign that shows once. Two dots: the one that shows twice. Three signs: the token of all."
    ),
    Phase.PURCHASE: mark("You see what you draw only afterwards. A missing kind may cost you the next duel."),
}


def _trade_advice(view: Seen, say: Say) -> str:
    assert view.seat is not None
    assert view.hand is not None
    cards = nouns.cards_of(view.hand)
    if view.hand.draft.to:
        return say(
            "Give what you hold twice, ask for what you lack; sous tip the scales. Nobody sees it before you cry it."
        )
    if view.table.out >> view.seat & 1:
        return say("You fight no more, and can still win: sell dear what the others need. The richest wins.")
    gaps, bare = nouns.missing_kinds(cards), nouns.kinds_without_cards(cards)
    if gaps:
        return say("You lack {kind:a}: without a full set you cannot fight.", kind=nouns.KIND(gaps[0], say))
    if bare:
        return say(
            "A joker stands in for {kind:the} and counts 0: a real one would serve you better.",
            kind=nouns.KIND(bare[0], say),
        )
    weakest = min(range(len(KINDS)), key=lambda kind: nouns.values_of_kind(view.hand, kind)[-1])  # type: ignore[arg-type]
    return say(
        "Your set is whole. Your weakest best is {kind:the}, {value}: a higher one wins more.",
        kind=nouns.KIND(weakest, say),
        value=nouns.values_of_kind(view.hand, weakest)[-1],
    )


def _arming_advice(view: Seen, say: Say) -> str:
    assert view.hand is not None
    box = view.table.duel.box
    values = nouns.values_of_kind(view.hand, box)
    if not values:
        return say("Only a joker fits here: it counts 0 and loses to any card.")
    if len(values) == 1 and not view.hand.jokers:
        return say("You hold one for this box. Cards that win leave play, cards that lose go to the victor of the box.")
    if JOKER in nouns.cards_of(view.hand):
        return say(
            "Your best here is {value}. A box you give up costs you only a joker, or a low card.", value=values[-1]
        )
    return say(
        "Your best here is {value}. It leaves play if it wins; a card that loses goes to your opponent.",
        value=values[-1],
    )


LESSON = {
    mark("Your aim"): mark(
        "Be the richest at the end. Duels bring prizes, good bargains bring sous and the cards to win with."
    ),
    mark("A round"): mark(
        "First all trade freely, everybody at once. When all have done the duels are fought, pair by pair."
    ),
    mark("How you score"): mark(
        "You begin with ten sous. A duel won brings the prize; offers and purchases move the rest. Sous are points."
    ),
    mark("Trade"): mark(
        "Touch cards to give, kinds to ask for, and add sous. Cry an offer to all or whisper it to one. Who "
        "accepts first has it: everything moves at once. You need a sword, a shield, a lance and armour."
    ),
    mark("A duel"): mark(
        "Four cards in secret, one a box, turned together: the higher wins the box. Three or four boxes win. Cards "
        "that win leave play, beaten cards go to who beat them. A joker fits anywhere and counts 0."
    ),
    mark("The judgement"): mark(
        "Fewer than three boxes: tokens are tossed. One dot: point at the sign that shows once; two dots: at the "
        "one that shows twice; three different signs: at the token of all. The first who is right wins."
    ),
}


def lesson(say: Say) -> list[tuple[str, str]]:
    return say_pairs(LESSON.items(), say)


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
