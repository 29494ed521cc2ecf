"""The sentences of Tournament. `tavola.show.cards` says what each hook is for."""

from tavola.games.tournament.components import KINDS, Phase, Seen
from tavola.games.tournament.words import choices
from tavola.games.tournament.words.events import events, result_text
from tavola.games.tournament.words.help import MINUTE, coach, lesson
from tavola.games.tournament.words.nouns import KIND, TALK, sous_text
from tavola.games.tournament.words.refusals import refusal
from tavola.games.tournament.words.table import scoring, table
from tavola.show.cards import Shelf, Words
from tavola.show.speech import Say, mark, marks
from tavola.show.words import OptionWords, Prompts, names_of


def _trade_prompt(view: Seen, say: Say) -> str:
    assert view.hand is not None
    if view.hand.draft.to:
        return say("What do you give, and for what?")
    if len(view.legal) == 1:
        return say("You have made all your offers of this round, and can accept none.")
    if len(view.to_act) == 1:
        return say("All others have done: you close the market.")
    return say("Trade as you like: take an offer, or make one.")


def _market_prompt(view: Seen, say: Say) -> str:
    names = names_of(view.to_act, say)
    if view.seat is None:
        return say("{names} may still trade; the market closes when all have done.", names=names)
    return say("You have done; the market closes when all have. {names} may still trade.", names=names)


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
        Phase.DRAW: mark("{buyer} draws a card from the pile."),
    },
    own={
        Phase.TRADE: _trade_prompt,
        Phase.BALLOT: mark("Your duel with {other}: do you fight?"),
        Phase.ARMING: mark("Which card do you lay into the box of {kind:the}?"),
        Phase.THROW: mark("Which corner will be right? Seal it before the throw."),
        Phase.POINTING: mark("Point at the correct corner, fast!"),
        Phase.PURCHASE: mark("Buy a card from the pile for {price}?"),
    },
    others={
        Phase.TRADE: _market_prompt,
        Phase.BALLOT: mark("Fight or forfeit: {names}?"),
        Phase.ARMING: mark("Waiting for the cards of {names}."),
        Phase.THROW: mark("Waiting for {names}, who must seal a corner before the throw."),
        Phase.POINTING: mark("{names} must point at a corner."),
        Phase.PURCHASE: mark("{names} may buy a card from the pile."),
    },
    values=_prompt_values,
)


OPTION = {
    "players": marks(
        "Players",
        "Three to six. The more there are, the higher the cards, and the more there is to trade. With three or "
        "five somebody rests in every round.",
    ),
    "prize": marks(
        "Prize of a duel",
        "How many sous the victor of a duel gets. The rulebook names none, but says that the best bargains make "
        "the richest; without a prize the last duel would mean nothing.",
    ),
    "rising_prize": marks(
        "A rising purse",
        "One sou less in the first round, and one more with every round after it. Ours: late duels matter more.",
    ),
    "price": marks(
        "Price of a card",
        "What a duellist pays to draw a card from the pile. The rulebook says that it is paid, not how much.",
    ),
    "deal": marks(
        "The deal",
        "The rulebook speaks of a variant that tames the luck of the deal, and does not print it. Ours deals kind "
        "by kind, or low, middle and high values apart, so that hands are alike.",
    ),
    "offer_limit": marks(
        "Offers a round",
        "How many offers everybody may publish in a round. Decided here, so that every market closes.",
    ),
    "empty_rounds": marks(
        "Rounds without a duel",
        "When nobody who is still in the lists has an opponent: the round is held all the same, with its trade, "
        "or it is skipped.",
    ),
    "rounds": marks(
        "Rounds at most",
        "After so many rounds the match ends, and the richest wins. Decided here.",
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
        "empty_rounds": {"held": mark("held"), "skipped": mark("skipped")},
    },
)


def about(say: Say) -> str:
    return say(
        "Knights barter swords, shields, lances and armour, fight duels with what they have got, and point at the "
        "right tent when God must judge. The richest wins, not the strongest: haggle well."
    )


def shelf(say: Say) -> Shelf:
    return Shelf(say("Haggle for arms, joust, and ride home rich."), (40, 70), "medium")


def eliminated(view: Seen, say: Say) -> str:
    """R17: who is out still barters, and may end as the richest."""
    is_out = view.seat is not None and view.table.out >> view.seat & 1 and view.table.phase != Phase.OVER
    return say("You are out of every duel: trade alone is left to you.") if is_out else ""


WORDS = Words(
    action=choices.action,
    prompt=prompt,
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
    phases=choices.phases,
    chapter=choices.chapter,
    coach=coach,
    lesson=lesson,
    sliders=choices.sliders,
    foreseen=choices.foreseen,
    consequence=choices.consequence,
    eliminated=eliminated,
    talk=TALK,
)
