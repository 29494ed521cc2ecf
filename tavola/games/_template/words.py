"""The texts of Template in English, marked for the catalogues in `locale/`."""

from collections.abc import Collection

from tavola.core import PlayedAction, verb
from tavola.games._template.components import CARDS, DECK, Phase, Seen
from tavola.show.cards import Words
from tavola.show.speech import Say, mark, marks
from tavola.show.talk import Fact, Forms, Kind, Known, Revealed, Talk, Topic
from tavola.show.words import OptionWords, Part, Refusals, Vocabulary, lesson_of, names_of, phases_of, victory_sentence

PARTS = (Part(mark("Deal"), (Phase.DEAL,)), Part(mark("Prize"), (Phase.TOSS,)), Part(mark("Bids"), (Phase.BID,)))
phases = phases_of(PARTS)
VOCABULARY = Vocabulary()  # cards and prizes are numbers, so they need no words
argument_label = VOCABULARY.value_label


def action(view: Seen, action: int, say: Say) -> str:
    verb, places = view.game.actions.action(action)
    if verb == "bid":
        return say("Bid the {card}", card=places[0] + 1)
    if verb == "toss":
        return say.many("The prize is {count} point", "The prize is {count} points", places[0] + 1)
    return say("Deal the {card}", card=places[0] + 1)


def prompt(view: Seen, say: Say) -> str:
    if view.table.phase == Phase.OVER:
        return victory_sentence(view, say)
    if view.table.phase != Phase.BID:
        return say("The cards are dealt and the prize is drawn.")
    if view.seat in view.to_act:
        return say.many("Bid for {count} point.", "Bid for {count} points.", view.table.template_prize)
    return say("Waiting for {names}.", names=names_of(view.to_act, say))


def events(before: Seen, after: Seen, played: PlayedAction | None, say: Say) -> list[str]:
    """Return the log lines for one action: read from the action if all seats heard it. A bid is secret (R3)."""
    old, new = before.table, after.table
    said = []
    if played and played.verb == "toss":
        said.append(say.many("The prize is {count} point.", "The prize is {count} points.", played.indices[0] + 1))
    if new.rounds > old.rounds:
        shown = [(say.name(seat), card) for seat, card in enumerate(new.shown[: new.players])]
        bids = [say("{name:*|you} {name:bids|bid} the {card}", name=name, card=card) for name, card in shown]
        winner = next(seat for seat in range(new.players) if new.points[seat] > old.points[seat])
        said.append(say("Revealed: {bids}.", bids=say.listing(bids)))
        said.append(say("{name} {name:wins|win} the prize.", name=say.name(winner)))
    return said


NOT_NOW = mark("You’ve already bid, or it isn’t time to bid (R3).")
refusal = Refusals(
    chance=dict.fromkeys(("deal", "toss"), mark("Cards and prizes are left to chance (R1, R2).")),
    over=lambda view, say: say("The match is over (R5)."),
    over_phase=Phase.OVER,
    when={"bid": ((Phase.BID,), NOT_NOW)},
    others=lambda view, say: say(NOT_NOW),
    why={"bid": lambda t, seat, hand, places, say: say("You don’t have the {card} (R3).", card=places[0] + 1)},
)


def scoring(view: Seen, seat: int, say: Say) -> list[tuple[str, int]]:
    return [(say("Prizes won"), view.table.points[seat])]


def table(view: Seen, say: Say) -> list[str]:
    t = view.table
    lines = [say("Round {number} of {rounds}", number=min(t.rounds + 1, t.cards), rounds=t.cards)]
    for seat in range(t.players):
        values = {"name": say.name(seat), "points": t.points[seat], "shown": t.shown[seat] or "–"}
        lines.append(say("{name}: points {points}, last bid {shown}", **values))
    if view.seat is not None:
        lines.append(say("Your cards: {cards}", cards=", ".join(map(str, held_cards(view))) or "–"))
    return lines


def held_cards(view: Seen) -> list[int]:
    """Return the cards of the view's seat; empty for a spectator."""
    cards = view.hand.cards if view.hand else 0
    return [card for card in range(1, DECK + 1) if cards >> (card - 1) & 1]


OPTIONS = OptionWords(
    {
        "players": (mark("Players"), mark("How many people play.")),
        "cards": (mark("Cards"), mark("How many cards everyone is dealt, and how many rounds there are.")),
        "low_wins": (mark("Lowest wins"), mark("The lowest card wins the prize, not the highest.")),
    },
    {},
)


def about(say: Say) -> str:
    """Return one sentence about the game, for the catalogue."""
    return say("Three hidden cards, a prize and a secret bid: the smallest game that has every part.")


def ask(view: Seen, verb: str, argument: str, chosen: tuple[int, ...], say: Say) -> str:
    return say("What’s the prize?") if argument == "prize" else say("Which card?")


def chapter(view: Seen, say: Say) -> str:
    return say("Round {number}", number=min(view.table.rounds + 1, view.table.cards))


def coach(view: Seen, say: Say) -> str:
    """Return advice on the seat's present decision; empty if it has none."""
    if not view.legal:
        return ""
    cards = held_cards(view)
    if view.table.low_wins:
        return say("The lowest card wins the prize: your lowest is the {card}.", card=cards[0])
    return say("The highest card wins the prize: your highest is the {card}.", card=cards[-1])


# Talk: actions that can be promised and asked for, and facts about a hand that can be claimed

BIDDING = Forms(
    "I’ll bid the {card}", "I won’t bid the {card}", mark("bid the {card}", context="request"), "don’t bid the {card}"
)
HOLD = Fact(
    verb("hold", card=CARDS),
    Forms("I have the {card}", "I don’t have the {card}", "you have the {card}", "you don’t have the {card}"),
)


def revealed(before: Seen, after: Seen) -> Revealed:
    """Return every seat's bid, once they are turned up (R3)."""
    if after.table.rounds == before.table.rounds:
        return {}
    return {seat: [Known("bid", (card - 1,))] for seat, card in enumerate(after.table.shown[: after.table.players])}


def true_facts(view: Seen) -> Collection[Known]:
    return [Known("hold", (card - 1,)) for card in held_cards(view)]


BID = Kind((Topic("bid", BIDDING),))
TALK = Talk(kinds=(BID,), vocabulary=VOCABULARY, facts=(HOLD,), revealed=revealed, true_facts=true_facts)

# The rules in one minute

LESSON = marks(
    "Your aim",
    "Win prizes: each is worth 1 to 3 points.",
    "A turn",
    "A prize is drawn at random. Everyone plays a card face down, then all are revealed together.",
    "How you score",
    "The highest card wins the prize. The most points win the match.",
    "The deal",
    "Everyone is dealt two or three of the fifteen cards and sees only those.",
    "Each card only once",
    "A card you’ve played doesn’t come back.",
    "The end",
    "The match ends when everyone has played their last card.",
)

WORDS = Words(
    action=action,
    prompt=prompt,
    reminder=prompt,
    events=events,
    refusal=refusal,
    scoring=scoring,
    table=table,
    option=OPTIONS.option,
    value=OPTIONS.value,
    about=about,
    argument_label=argument_label,
    ask=ask,
    phases=phases,
    chapter=chapter,
    coach=coach,
    lesson=lesson_of(LESSON),
    talk=TALK,
)
