"""Help for a first match: advice for each decision, the rules in one minute, and the tutorial."""

from tavola.games.tournament.components import KIND_COUNT, Phase, Seen
from tavola.games.tournament.words import nouns
from tavola.show.cards import Minute, Step, minute_record
from tavola.show.speech import Say, mark, marks
from tavola.show.words import Coach


def _trade_advice(view: Seen, seat: int, say: Say) -> str:
    hand = nouns.own_hand(view)
    if hand.draft.to:
        return say(
            "Give what you have twice and ask for what you’re missing; sous tip the scales. No one sees it before you"
            " announce it."
        )
    if view.table.out >> seat & 1:
        return say(
            "You’re out of the duels but can still win: sell what the others need at a high price. The richest"
            " player wins."
        )
    cards = nouns.cards_of(hand)
    gaps, bare = nouns.missing_kinds(cards), nouns.kinds_without_cards(cards)
    if gaps:
        return say("You’re missing {kind:a}. Without a full set you can’t fight.", kind=nouns.KIND(gaps[0], say))
    if bare:
        kind = nouns.KIND(bare[0], say)
        return say("A joker is standing in for {kind:the} and counts 0. A real one would serve you better.", kind=kind)
    value, weakest = min((nouns.values_of_kind(hand, kind)[-1], kind) for kind in range(KIND_COUNT))
    parts = {"kind": nouns.KIND(weakest, say), "value": value}
    return say(
        "Your set is complete. Your weakest piece is {kind:the}, worth {value}. Trade up for a better one.", **parts
    )


def _duel_advice(view: Seen, seat: int, say: Say) -> str:
    t = view.table
    prize = max(t.prize + t.begun - 2, 0) if t.rising_prize else t.prize  # R27
    return say(
        "The winner gets {sous}. If you forfeit, you won’t fight again in this match, but you can keep trading.",
        sous=nouns.sous_text(prize, say),
    )


def _arming_advice(view: Seen, seat: int, say: Say) -> str:
    hand = nouns.own_hand(view)
    if not (values := nouns.values_of_kind(hand, view.table.duel.box)):
        return say("Only a joker fits here. It counts 0 and loses to any card.")
    if len(values) == 1 and not hand.jokers:
        return say(
            "You have only one card for this box. A winning card leaves play; a beaten card goes to the winner"
            " of the box."
        )
    if hand.jokers:
        return say("Your best here is {value}. Giving up a box costs you only a joker or a low card.", value=values[-1])
    return say(
        "Your best here is {value}. If it wins, it leaves play; a beaten card goes to your opponent.", value=values[-1]
    )


coach = Coach(
    {
        Phase.TRADE: _trade_advice,
        Phase.BALLOT: _duel_advice,
        Phase.ARMING: _arming_advice,
        Phase.THROW: mark(
            "In a correspondence game, speed doesn’t count. Every corner is equally likely to be right. If you’re both"
            " right, chance decides."
        ),
        Phase.POINTING: mark(
            "One dot: the symbol that shows once. Two dots: the one that shows twice. Three different symbols: the"
            " token with all three."
        ),
        Phase.PURCHASE: mark("You see the card only after you’ve drawn it. A missing kind can cost you the next duel."),
    }
)


LESSON = marks(
    "Your aim",
    "Be the richest player at the end. Duels bring prizes; good deals bring sous and the cards to win with.",
    "A round",
    "First everyone trades freely, all at once. When everyone is done, the duels are fought, pair by pair.",
    "How you score",
    "You start with ten sous. Winning a duel earns you the prize; deals and purchases do the rest. Sous are points.",
    "Trade",
    "Choose cards to give and kinds to ask for, and add sous. Announce the offer to everyone or whisper it to one"
    " player. The first to accept gets it, and everything changes hands at once. You need a sword, a shield, a"
    " lance and armour.",
    "A duel",
    "Both play four cards in secret, one per box. They are turned over together, and the higher card wins its box."
    " Three or four boxes win the duel. Winning cards leave play; beaten cards go to the player who beat them. A"
    " joker fits anywhere and counts 0.",
    "The judgement",
    "No one won three boxes? Then tokens are thrown. One dot: point at the symbol that shows once. Two dots: the"
    " one that shows twice. Three different symbols: the token with all three. The first to be right wins.",
)


MINUTE = Minute(
    record=minute_record(__file__),
    steps=(
        Step(
            27,
            mark("You need a sword, shield, lance and armour to duel. Choose the one you’re missing."),
            mark("No shield. You could find one at the market, or use a joker."),
            part="missing-1",
        ),
        Step(
            27,
            mark("A joker fits anywhere. Choose a joker."),
            mark("It’s worth 0 in a duel, but it completes your set."),
            part="own-joker",
        ),
        Step(
            37,
            mark("At the market, everyone trades at once. Choose the offer of three sous for a joker."),
            mark("The first to accept gets it. Sous are points: the richest player wins."),
            code="accept 1 2",
            part="answer-1-1",
        ),
        Step(
            42,
            mark("In a duel, both play four cards in secret, one per box. Choose your best sword."),
            mark("The higher card wins its box. Three boxes win the duel and its prize."),
            code="equip sword 3",
            part="own-sword-3",
        ),
        Step(
            42,
            mark("No one won three boxes? Then God judges. Choose the tent with the crown."),
            mark("Four tokens are thrown. The first to choose the right tent wins."),
            part="token-0",
        ),
    ),
)
