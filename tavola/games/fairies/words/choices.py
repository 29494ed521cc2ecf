"""Verbs of Fairies in words: buttons and questions, refusals by paragraph of RULES.md, and promises."""

from collections.abc import Collection
from functools import partial

from tavola.core import verb
from tavola.games.fairies import components
from tavola.games.fairies.components import COLOURED_COUNT, Fairy, Hand, Phase, Seen, Shield, Table
from tavola.games.fairies.words import nouns
from tavola.show.speech import Say, mark, marks
from tavola.show.talk import Fact, Forms, Kind, Known, Talk, Topic
from tavola.show.words import ActionMessage, Indices, Part, Refusals, Why, phases_of

DONE_LABELS: dict[int, str] = {
    **dict.fromkeys(Phase, mark("Don’t heal")),
    Phase.ENERGY: mark("Do nothing"),
    Phase.RESTORE: mark("Leave the rest covered"),
    Phase.LAST_PLAYS: mark("Pass"),
}


def _lay(view: Seen, places: Indices, say: Say) -> str:
    card, owner = nouns.wand_card(places[0], say), places[1]
    if owner == view.seat:
        return say("{card} on your own wand", card=card)
    return say("{card} on {name}’s wand", card=card, name=say.name(owner))


def _joker(view: Seen, places: Indices, say: Say) -> str:
    parts = {"card": nouns.wand_card(COLOURED_COUNT + places[0], say), "half": nouns.HALF(places[2], say)}
    if places[1] == view.seat:
        return say("{card} on your own wand: {half}", **parts)
    return say("{card} on {name}’s wand: {half}", name=say.name(places[1]), **parts)


def _blue(view: Seen, places: Indices, say: Say) -> str:
    owner, half = places
    kind = nouns.top_card(view.table, owner, half)
    parts = {"card": nouns.wand_card(kind, say) if kind >= 0 else nouns.HALF(half, say), "name": say.name(owner)}
    if kind >= COLOURED_COUNT:
        return say("Blue fairy: take {card} from {name}: {half}", half=nouns.HALF(half, say), **parts)
    return say("Blue fairy: take {card} from {name}", **parts)


def _take(view: Seen, places: Indices, say: Say) -> str:
    shield = nouns.card_looked_at(view) - 1 - components.PIECES
    return say("Take the shield") if shield < 0 else say("Take {shield}", shield=nouns.SHIELD(shield, say))


def _done(view: Seen, places: Indices, say: Say) -> str:
    """Say what ends with it: in phase 1 the cards that have been laid, in a plan too."""
    if view.table.phase != Phase.EMPOWER:
        return say(DONE_LABELS[view.table.phase])
    laid = view.table.laid
    return say.many("Play {count} card", "Play {count} cards", laid) if laid else say("Play no card")


_ACTIONS: dict[str, ActionMessage] = {
    "first": lambda view, places, say: say("Drawn at random: {name} begins", name=say.name(places[0])),
    "deal": lambda view, places, say: say("Deal {card}", card=nouns.wand_card(places[0], say)),
    "steal": mark("Steal {card}"),
    "king": lambda view, places, say: say("The card is {card}", card=nouns.king_card(places[0], say)),
    "done": _done,
    "lay": _lay,
    "joker": _joker,
    "return": lambda view, places, say: say("Shuffle {card} back", card=nouns.wand_card(places[0], say)),
    "green": lambda view, places, say: say("Green fairy: steal a card from {name}", name=say.name(places[0])),
    "blue": _blue,
    "red": mark("Red fairy: take {shield}"),
    "cover": lambda view, places, say: say(
        "All three against {name}: cover {fairy}", fairy=nouns.FAIRY(places[1], say), name=say.name(places[0])
    ),
    "use": mark("Use {shield}"),
    "wake": mark("Uncover {fairy}"),
    "turn": mark("Turn over King’s card {place}"),
    "look": mark("Look at King’s card {place}"),
    "heal": lambda view, places, say: say("Heal the King") if not view.table.pile else say("Heal and draw a card"),
    "take": _take,
    "leave": mark("Put it back"),
    "crown": mark("Play the King’s shield: the King rises"),
}
action = partial(nouns.VOCABULARY.action_sentence, _ACTIONS)

# Steps of an action

VERB_LABELS = {
    "lay": mark("Play a card"),
    "joker": mark("Play a joker"),
    "green": mark("Steal a card"),
    "blue": mark("Swap a card"),
    "red": mark("Take a shield"),
    "cover": mark("Cover a fairy"),
    "use": mark("Use a shield"),
    "wake": mark("Uncover a fairy"),
    "turn": mark("Turn over a card"),
    "crown": mark("King’s shield"),
}
FIRST_QUESTIONS = {
    "green": mark("Green power: which player?"),
    "blue": mark("Blue power: which player?"),
    "red": mark("Red power: which shield?"),
    "cover": mark("All three: which player?"),
    "use": mark("Which shield do you use?"),
    "wake": mark("Which fairy do you uncover?"),
    "return": mark("Which wand card goes back into the deck?"),
}
ASK = {
    "seat": mark("Whose wand?"),
    "half": mark("On which half?"),
    "fairy": mark("Which fairy?"),
    "place": mark("Which of the King’s cards?"),
    "card": mark("Which card?"),
    "wand": mark("Which card?"),
    "value": mark("Which card?"),
}


def argument_label(view: Seen, verb: str, argument: str, place: int, say: Say) -> str:
    if argument == "seat" and place == view.seat:
        return say("Your own")
    return nouns.VOCABULARY.value_label(view, verb, argument, place, say)


def verb_label(view: Seen, verb: str, say: Say) -> str:
    return say(VERB_LABELS[verb]) if verb in VERB_LABELS else ""


def ask(view: Seen, verb: str, argument: str, chosen: Indices, say: Say) -> str:
    if not chosen and verb in FIRST_QUESTIONS:
        return say(FIRST_QUESTIONS[verb])
    if verb == "first":
        return say("Who begins?")
    if argument == "half" and verb == "blue":
        return say("Which card do you take?")
    return say(ASK[argument])


BEFORE = (Part(mark("Lot"), (Phase.LOT,)), Part(mark("Dealing"), (Phase.DEAL,)))
TURN_PARTS = tuple(map(Part, (mark("Empower"), mark("Energy"), mark("Heal"), mark("Wake")), components.TURN_PHASES))
END = (Part(mark("Last plays"), (Phase.LAST_PLAYS,)), Part(mark("The end"), (Phase.OVER,)))
phases = phases_of(BEFORE, TURN_PARTS, END)


def chapter(view: Seen, say: Say) -> str:
    t = view.table
    if t.phase >= Phase.LAST_PLAYS:
        return say("The end")
    return say("Round {round}", round=t.begun) if t.begun else say("Before the first round")


# Refusals

WHEN = {
    "lay": ((Phase.EMPOWER, Phase.EXCHANGE, Phase.LAST_PLAYS), mark("Play wand cards in phase 1, empowering (R7).")),
    "return": ((Phase.DISCARD,), mark("You can only return a card to the deck with the shield of plenty (R21).")),
    "green": ((Phase.ENERGY, Phase.EQUAL), mark("Use powers in phase 2, energy (R12).")),
    "use": ((Phase.EMPOWER, Phase.ENERGY, Phase.HEAL), mark("Use a shield in the phase it names (R19).")),
    "wake": (
        (Phase.EMPOWER, Phase.ENERGY, Phase.HEAL, Phase.RESTORE),
        mark("You can uncover fairies in phase 4, waking (R35)."),
    ),
    "turn": ((Phase.HEAL, Phase.LOOK, Phase.PICK), mark("Turn over the King’s cards in phase 3, healing (R28).")),
    "look": ((Phase.LOOK,), mark("Only the shield of the seer lets you look at two cards (R25).")),
    "heal": ((Phase.HEAL,), mark("Heal the King in phase 3 (R28).")),
    "take": ((Phase.CHOOSE,), mark("There’s no shield to take or put back (R30).")),
    "crown": ((Phase.HEAL,), mark("Play the King’s shield in phase 3, healing (R34).")),
    "done": (
        (Phase.EMPOWER, Phase.ENERGY, Phase.HEAL, Phase.RESTORE, Phase.LAST_PLAYS),
        mark("Decide this first (R6)."),
    ),
}
SAME_WHEN = {"joker": "lay", "blue": "green", "red": "green", "cover": "green", "leave": "take"}


def _no_card(t: Table, seat: int, hand: Hand, places: Indices, say: Say) -> str:
    if places[1] >= t.players:
        return say("There’s no player there (R1).")
    if not hand.wands[places[0] + (COLOURED_COUNT if len(places) == 3 else 0)]:
        return say("You don’t have this card (R7).")
    if t.phase == Phase.EXCHANGE:
        return say("Place the card in front of {name} (R15).", name=say.name(t.victim))
    if t.phase == Phase.LAST_PLAYS:
        return say("Last plays go on awake fairies; with two players, only on your own (R37, R38).")
    return say("You’ve played all the cards this phase allows (R7).")


def _no_power(t: Table, seat: int, fairy: int, owner: int, say: Say) -> str:
    if owner == seat or owner >= t.players:
        return say("You can only use a power against another player (R13).")
    own, theirs = t.fairies[seat], t.fairies[owner]
    if not (own.up & theirs.up) >> fairy & 1:
        parts = {"fairy": nouns.FAIRY(fairy, say), "name": say.name(owner)}
        return say("{fairy:The} must be awake, both yours and {name}’s (R13).", **parts)
    mine, other = nouns.attack(own, fairy), nouns.attack(theirs, fairy)
    if mine <= other:
        return say("Your wand is worth {mine}, theirs {other}: yours must be worth more (R13).", mine=mine, other=other)
    return ""


def _no_blue(t: Table, seat: int, hand: Hand, places: Indices, say: Say) -> str:
    none = mark("There’s no card there (R15).")
    bare = mark("You have no wand card to give in exchange (R15).")
    return _no_power(t, seat, Fairy.BLUE, places[0], say) or say(none if nouns.top_card(t, *places) < 0 else bare)


def _no_red(t: Table, seat: int, hand: Hand, places: Indices, say: Say) -> str:
    owner = nouns.shield_owner(t, places[0])
    if owner is None or owner == seat:
        return say("This shield isn’t in front of another player (R16).")
    return _no_power(t, seat, Fairy.RED, owner, say)


def _no_cover(t: Table, seat: int, hand: Hand, places: Indices, say: Say) -> str:
    owner = places[0]
    if owner == seat or owner >= t.players:
        return say("You can only use a power against another player (R13).")
    own, theirs = t.fairies[seat], t.fairies[owner]
    if own.up != components.ALL_UP or theirs.up != components.ALL_UP:
        return say("All three fairies must be awake, both yours and {name}’s (R17).", name=say.name(owner))
    if t.covered >> owner & 1:
        return say("{name} has already had a fairy covered this round (R18).", name=say.name(owner))
    if t.guarded >> owner & 1:
        return say("The shield of the guard protects {name} (R27).", name=say.name(owner))
    parts = {"mine": nouns.attack_of_three(own), "other": nouns.attack_of_three(theirs)}
    return say("Your wands are worth {mine}, theirs {other}: yours must be worth more (R17).", **parts)


def _no_shield(t: Table, seat: int, hand: Hand, places: Indices, say: Say) -> str:
    own, shield, named = t.fairies[seat], places[0], nouns.SHIELD(places[0], say)
    if not (hand.kings | own.shields) >> shield & 1:
        return say("You don’t own {shield} (R19).", shield=named)
    if not own.up:
        return say("You need a fairy awake to use a shield (R19).")
    if t.used >> shield & 1:
        return say("You’ve already used {shield} this turn (R19).", shield=named)
    return say("You can’t use {shield} now ({rule}).", shield=named, rule=f"R{20 + shield}")  # a paragraph for each


def _no_wake(t: Table, seat: int, hand: Hand, places: Indices, say: Say) -> str:
    if places[0] not in nouns.covered_fairies(t.fairies[seat]):
        return say("{fairy:The} isn’t covered (R35).", fairy=nouns.FAIRY(places[0], say))
    return say("Before phase 4, only the shield of the dawn can uncover her, and another fairy must be awake (R26).")


def _no_healing(t: Table, seat: int, hand: Hand, places: Indices, say: Say) -> str:
    if t.fairies[seat].up.bit_count() < 2 and not t.used >> Shield.LONE & 1:
        return say("You need two fairies awake to heal (R28).")
    if places and t.healed >> places[0] & 1:
        return say("This piece is already in its place (R29).")
    if t.healed == components.EVERY_PIECE:
        return say("The picture is complete (R31).")
    return say("The picture isn’t complete yet (R31).")


def _no_turning(t: Table, seat: int, hand: Hand, places: Indices, say: Say) -> str:
    if t.phase not in (Phase.LOOK, Phase.PICK) or t.healed >> places[0] & 1:
        return _no_healing(t, seat, hand, places, say)
    if t.phase == Phase.LOOK:
        return say("First look at two of the King’s cards (R25).")
    return say("Turn over one of the two you looked at (R25).")


def _no_crown(t: Table, seat: int, hand: Hand, places: Indices, say: Say) -> str:
    if not hand.kings >> components.CROWN & 1:
        return say("You don’t have the King’s shield (R34).")
    if t.healed != components.EVERY_PIECE:
        return say("The picture isn’t complete yet (R34).")
    return say("You need two fairies awake to play the King’s shield (R34).")


_REASONS: dict[str, Why] = {
    "lay": _no_card,
    "joker": _no_card,
    "green": lambda t, seat, hand, places, say: (
        _no_power(t, seat, Fairy.GREEN, places[0], say) or say("There’s no card to steal (R14).")
    ),
    "blue": _no_blue,
    "red": _no_red,
    "cover": _no_cover,
    "use": _no_shield,
    "wake": _no_wake,
    "turn": _no_turning,
    "look": lambda t, seat, hand, places, say: (
        say("This piece is already in its place (R29).")
        if t.healed >> places[0] & 1
        else say("Look at a different card (R25).")
    ),
    "heal": _no_healing,
    "crown": _no_crown,
}

refusal = Refusals(
    chance=dict.fromkeys(
        ("first", "deal", "steal", "king"), mark("Cards are dealt, stolen and turned over at random (R5, R14, R29).")
    ),
    over=lambda view, say: say("The match is over (R40)."),
    over_phase=Phase.OVER,
    when={**WHEN, **{verb: WHEN[other] for verb, other in SAME_WHEN.items()}},
    others=lambda view, say: say("It’s not your turn: {name} is playing (R6).", name=say.name(view.table.seat)),
    why=dict.fromkeys((*WHEN, *SAME_WHEN), mark("You don’t have this card (R7).")) | _REASONS,
)


# Talk

PROMISES = {
    "green": Forms(
        "my green fairy will steal from {seat}",
        "my green fairy won’t steal from {seat}",
        "steal from {seat} with your green fairy",
        "don’t steal from {seat} with your green fairy",
    ),
    "blue": Forms(
        "my blue fairy will take {half} from {seat}",
        "my blue fairy won’t take {half} from {seat}",
        "take {half} from {seat} with your blue fairy",
        "don’t take {half} from {seat} with your blue fairy",
    ),
    "red": Forms(
        "my red fairy will take {shield}",
        "my red fairy won’t take {shield}",
        "take {shield} with your red fairy",
        "don’t take {shield} with your red fairy",
    ),
    "cover": Forms(
        "my three fairies will attack {seat} and cover {fairy}",
        "my three fairies won’t attack {seat} to cover {fairy}",
        "attack {seat} with all three fairies and cover {fairy}",
        "don’t attack {seat} with all three fairies to cover {fairy}",
    ),
    "heal": Forms(
        "I’ll heal the King", "I won’t heal the King", mark("heal the King", context="request"), "don’t heal the King"
    ),
}
BETWEEN = {
    "green": Forms(
        "my green fairy will steal from you",
        "my green fairy won’t steal from you",
        "steal from me with your green fairy",
        "don’t steal from me with your green fairy",
    ),
    "blue": Forms(
        "my blue fairy will take {half} from you",
        "my blue fairy won’t take {half} from you",
        "take {half} from me with your blue fairy",
        "don’t take {half} from me with your blue fairy",
    ),
    "cover": Forms(
        "my three fairies will attack you and cover {fairy}",
        "my three fairies won’t attack you to cover {fairy}",
        "attack me with all three fairies and cover {fairy}",
        "don’t attack me with all three fairies to cover {fairy}",
    ),
}
"""The same between the speaker and the hearer, of whom one is the victim."""
HOLES = {"blue": {"half": mark("a card")}, "cover": {"fairy": mark("a fairy")}}
TURN = Kind(
    tuple(
        Topic(
            verb, forms, holes=HOLES.get(verb, {}), against="seat" if verb in BETWEEN else "", between=BETWEEN.get(verb)
        )
        for verb, forms in PROMISES.items()
    ),
    beside=("done", "lay", "joker", "return", "use", "wake", "turn", "look", "take", "leave", "crown"),
    whole_turn=True,
    lasting=True,
)
HOLD = Fact(
    verb("hold", card=(*components.WANDS, *components.TREASURES)),
    Forms(*marks("I hold {card}", "I don’t hold {card}", "you hold {card}", "you don’t hold {card}")),
)


def true_facts(view: Seen) -> Collection[Known]:
    return [Known("hold", (card,)) for card in dict.fromkeys(nouns.held_cards(view.hand))] if view.hand else []


TALK = Talk(kinds=(TURN,), vocabulary=nouns.VOCABULARY, facts=(HOLD,), true_facts=true_facts)
