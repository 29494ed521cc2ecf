"""Sentences of Tournament. `tavola.show.cards` describes the hooks."""

from tavola.games.tournament.components import KINDS, Phase, Seen
from tavola.games.tournament.words import choices
from tavola.games.tournament.words.events import events, result_text
from tavola.games.tournament.words.help import LESSON, MINUTE, coach
from tavola.games.tournament.words.nouns import KIND, TALK, own_hand, sous_text
from tavola.games.tournament.words.refusals import refusal
from tavola.games.tournament.words.table import scoring, table
from tavola.show.cards import Shelf, Shorter, Words
from tavola.show.speech import Say, mark, marks
from tavola.show.words import OptionWords, Prompts, lesson_of, names_of


def _trade_prompt(view: Seen, say: Say) -> str:
    if own_hand(view).draft.to:
        return say("What do you give, and for what?")
    if len(view.legal) == 1:
        return say("You’ve made all your offers this round and can’t accept any.")
    return _trade_reminder(view, say)


def _trade_reminder(view: Seen, say: Say) -> str:
    if len(view.to_act) == 1:
        return say("Everyone else is done: you close the market.")
    return say("Trade as you like: accept an offer or make one.")


def _market_prompt(view: Seen, say: Say) -> str:
    names = names_of(view.to_act, say)
    if view.seat is None:
        return say("{names} can still trade. The market closes when everyone is done.", names=names)
    return say("You’re done. The market closes when everyone is. {names} can still trade.", names=names)


def _prompt_values(view: Seen, say: Say) -> dict[str, object]:
    duel = view.table.duel
    return {
        "thrower": say.name(max(0, duel.thrower - 1)),
        "buyer": say.name(max(0, duel.buyer - 1)),
        "kind": KIND(min(duel.box, len(KINDS) - 1), say),
        "price": sous_text(view.table.price, say),
        "other": say.name(duel.seats[duel.seats[0] == view.seat]),
    }


prompt = Prompts(
    over=result_text,
    chance={
        Phase.DEAL: mark("The cards are being dealt."),
        Phase.THROW: mark("{thrower} throws the four tokens."),
        Phase.RACE: mark("Who was first?"),
        Phase.DRAW: mark("{buyer} draws a card from the discard pile."),
    },
    own={
        Phase.TRADE: _trade_prompt,
        Phase.BALLOT: mark("Your duel with {other}: will you fight?"),
        Phase.ARMING: mark("Which card for {kind:the} box?"),
        Phase.THROW: mark("Which corner will be right? Choose it in secret before the throw."),
        Phase.POINTING: mark("Point at the right corner, fast!"),
        Phase.PURCHASE: mark("Buy a card from the discard pile for {price}?"),
    },
    others={
        Phase.TRADE: _market_prompt,
        Phase.BALLOT: mark("Will {names} fight or forfeit?"),
        Phase.ARMING: mark("Waiting for {names} to play a card."),
        Phase.THROW: mark("Waiting for {names} to choose a corner before the throw."),
        Phase.POINTING: mark("{names} must point at a corner."),
        Phase.PURCHASE: mark("{names} can buy a card from the discard pile."),
    },
    public={Phase.TRADE: _trade_reminder},
    values=_prompt_values,
)


OPTION = {
    "players": marks(
        "Players",
        "Three to six. More players mean higher cards and more to trade. With three or five, someone rests each round.",
    ),
    "prize": marks(
        "Duel prize",
        "How many sous you get for winning a duel. The rulebook sets no amount, but says that the best bargains make"
        " the richest player; without a prize the last duel would mean nothing.",
    ),
    "rising_prize": marks(
        "Rising prize",
        "One sou less in the first round, and one more in each round after it. Our variant: late duels matter more.",
    ),
    "price": marks(
        "Card price",
        "What a duellist pays to draw a card from the discard pile. The rulebook says that you pay, but not how much.",
    ),
    "deal": marks(
        "The deal",
        "The rulebook mentions a variant that tames the luck of the deal, but doesn’t print it. Ours deals kind by"
        " kind, or low, middle and high values separately, so that hands are alike.",
    ),
    "offer_limit": marks(
        "Offers per round", "How many offers each player can make per round. Our ruling, so that every market closes."
    ),
    "empty_rounds": marks(
        "Rounds without a duel",
        "When no one left in the duels has an opponent: the round is played anyway, for trading, or it is skipped.",
    ),
    "rounds": marks(
        "Maximum rounds", "The match ends after this many rounds, and the richest player wins. Our ruling."
    ),
}
OPTIONS = OptionWords(
    OPTION,
    values={
        "deal": {
            "shuffled": mark("all cards shuffled"),
            "kinds": mark("kind by kind"),
            "thirds": mark("low, middle, high"),
        },
        "empty_rounds": {"held": mark("take place"), "skipped": mark("skipped")},
    },
)


def about(say: Say) -> str:
    return say(
        "Knights barter swords, shields, lances and armour, fight duels with what they have, and point at the right"
        " tent when God must judge. The richest wins, not the strongest: haggle well."
    )


def shelf(say: Say) -> Shelf:
    line = say("Haggle for arms, joust, and ride home rich.")
    return Shelf(line, (40, 70), "medium", (122, 121, 190, 203), Shorter("offer_limit", "1", 75))


def eliminated(view: Seen, say: Say) -> str:
    """R17: a seat that is out can still trade, and win as the richest."""
    is_out = view.seat is not None and view.table.out >> view.seat & 1 and view.table.phase != Phase.OVER
    return say("You’re out of the duels, but you can still trade.") if is_out else ""


WORDS = Words(
    action=choices.action,
    prompt=prompt,
    reminder=prompt.reminder,
    events=events,
    refusal=refusal,
    scoring=scoring,
    table=table,
    option=OPTIONS.option,
    value=OPTIONS.value,
    about=about,
    shelf=shelf,
    minute=MINUTE,
    argument_label=choices.argument_label,
    ask=choices.ask,
    choices_key=choices.choices_key,
    phases=choices.phases,
    chapter=choices.chapter,
    coach=coach,
    lesson=lesson_of(LESSON),
    sliders=choices.sliders,
    foreseen=choices.foreseen,
    consequence=choices.consequence,
    eliminated=eliminated,
    whispered=("publish", "accept"),
    talk=TALK,
)
