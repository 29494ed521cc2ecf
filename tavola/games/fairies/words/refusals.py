"""Reasons why an action is not allowed, with the paragraph of RULES.md."""

from tavola.games.fairies.components import (
    ALL_UP,
    COLOURED_COUNT,
    CROWN,
    EVERY_PIECE,
    Fairy,
    Hand,
    Phase,
    Shield,
    Table,
)
from tavola.games.fairies.words.nouns import (
    FAIRY,
    SHIELD,
    attack,
    attack_of_three,
    covered_fairies,
    shield_owner,
    top_card,
)
from tavola.show.speech import Say, mark
from tavola.show.words import Indices, Refusals

WHEN = {
    "lay": (
        (Phase.EMPOWER, Phase.EXCHANGE, Phase.LAST_PLAYS),
        mark("Wand cards are played in phase 1, empowering (R7)."),
    ),
    "return": ((Phase.DISCARD,), mark("A card goes back into the deck only by the shield of plenty (R21).")),
    "green": ((Phase.ENERGY, Phase.EQUAL), mark("Powers are used in phase 2, energy (R12).")),
    "use": ((Phase.EMPOWER, Phase.ENERGY, Phase.HEAL), mark("A shield is used in the phase it names (R19).")),
    "wake": (
        (Phase.EMPOWER, Phase.ENERGY, Phase.HEAL, Phase.RESTORE),
        mark("Covered fairies are turned up in phase 4, waking (R35)."),
    ),
    "turn": ((Phase.HEAL, Phase.LOOK, Phase.PICK), mark("The King's cards are turned up in phase 3, healing (R28).")),
    "look": ((Phase.LOOK,), mark("Only the shield of the seer lets you look at two cards (R25).")),
    "heal": ((Phase.HEAL,), mark("The King is healed in phase 3 (R28).")),
    "take": ((Phase.CHOOSE,), mark("There is no shield to take or to put back (R30).")),
    "crown": ((Phase.HEAL,), mark("The King's shield is laid in phase 3, healing (R34).")),
    "done": (
        (Phase.EMPOWER, Phase.ENERGY, Phase.HEAL, Phase.RESTORE, Phase.LAST_PLAYS),
        mark("First this is to be decided (R6)."),
    ),
}
SAME_WHEN = {"joker": "lay", "blue": "green", "red": "green", "cover": "green", "leave": "take"}
FIRST_SHIELD_RULE = 20
"""The paragraph of the first shield; each has its own."""


def _no_card(t: Table, seat: int, hand: Hand, places: Indices, say: Say) -> str:
    kind = places[0] + (COLOURED_COUNT if len(places) == 3 else 0)
    owner = places[1]
    if owner >= t.players:
        return say("Nobody sits there (R1).")
    if not hand.wands[kind]:
        return say("You do not hold this card (R7).")
    if t.phase == Phase.EXCHANGE:
        return say("The card goes in front of {name} (R15).", name=say.name(t.victim))
    if t.phase == Phase.LAST_PLAYS:
        return say("The last cards go on active fairies; with two players on your own (R37, R38).")
    return say("You have played all the cards this phase allows (R7).")


def _no_power(t: Table, seat: int, fairy: int, owner: int, say: Say) -> str:
    own, parts = t.fairies[seat], {"fairy": FAIRY(fairy, say)}
    if owner == seat or owner >= t.players:
        return say("A power is used against another player (R13).")
    theirs = t.fairies[owner]
    if not own.up >> fairy & 1 or not theirs.up >> fairy & 1:
        return say("{fairy:The} must be active, yours and that of {name} (R13).", name=say.name(owner), **parts)
    mine, other = attack(own, fairy), attack(theirs, fairy)
    if mine <= other:
        return say("Your wand is worth {mine}, the other {other}: it must be worth more (R13).", mine=mine, other=other)
    return ""


def _no_green(t: Table, seat: int, hand: Hand, places: Indices, say: Say) -> str:
    return _no_power(t, seat, Fairy.GREEN, places[0], say) or say("There is no card to steal (R14).")


def _no_blue(t: Table, seat: int, hand: Hand, places: Indices, say: Say) -> str:
    why = _no_power(t, seat, Fairy.BLUE, places[0], say)
    if why:
        return why
    if top_card(t, places[0], places[1]) < 0:
        return say("No card lies there (R15).")
    return say("You have no wand card to put down in exchange (R15).")


def _no_red(t: Table, seat: int, hand: Hand, places: Indices, say: Say) -> str:
    owner = shield_owner(t, places[0])
    if owner is None or owner == seat:
        return say("This shield does not lie in front of another player (R16).")
    return _no_power(t, seat, Fairy.RED, owner, say)


def _no_cover(t: Table, seat: int, hand: Hand, places: Indices, say: Say) -> str:
    owner = places[0]
    if owner == seat or owner >= t.players:
        return say("A power is used against another player (R13).")
    own, theirs = t.fairies[seat], t.fairies[owner]
    if own.up != ALL_UP or theirs.up != ALL_UP:
        return say("All three fairies must be active, yours and those of {name} (R17).", name=say.name(owner))
    if t.covered >> owner & 1:
        return say("A fairy of {name} was covered in this round already (R18).", name=say.name(owner))
    if t.guarded >> owner & 1:
        return say("The shield of the guard protects {name} (R27).", name=say.name(owner))
    parts = {"mine": attack_of_three(own), "other": attack_of_three(theirs)}
    return say("Your wands are worth {mine}, the others {other}: they must be worth more (R17).", **parts)


def _no_shield(t: Table, seat: int, hand: Hand, places: Indices, say: Say) -> str:
    own, shield = t.fairies[seat], places[0]
    if not (hand.kings | own.shields) >> shield & 1:
        return say("You do not own {shield} (R19).", shield=SHIELD(shield, say))
    if not own.up:
        return say("A shield needs an active fairy (R19).")
    if t.used >> shield & 1:
        return say("You have used {shield} in this turn (R19).", shield=SHIELD(shield, say))
    return say(
        "{shield:The} cannot be used now ({rule}).", shield=SHIELD(shield, say), rule=f"R{FIRST_SHIELD_RULE + shield}"
    )


def _no_wake(t: Table, seat: int, hand: Hand, places: Indices, say: Say) -> str:
    if places[0] not in covered_fairies(t.fairies[seat]):
        return say("{fairy:The} is not covered (R35).", fairy=FAIRY(places[0], say))
    return say("Before phase 4 only the shield of the dawn turns her up, with another fairy active (R26).")


def _no_healing(t: Table, seat: int, hand: Hand, places: Indices, say: Say) -> str:
    if t.fairies[seat].up.bit_count() < 2 and not t.used >> Shield.LONE & 1:
        return say("Healing needs two active fairies (R28).")
    if places and t.healed >> places[0] & 1:
        return say("This piece lies in its place (R29).")
    if t.healed == EVERY_PIECE:
        return say("The picture is whole (R31).")
    return say("The picture is not whole yet (R31).")


def _no_turning(t: Table, seat: int, hand: Hand, places: Indices, say: Say) -> str:
    if t.phase not in (Phase.LOOK, Phase.PICK) or t.healed >> places[0] & 1:
        return _no_healing(t, seat, hand, places, say)
    if t.phase == Phase.LOOK:
        return say("First look at two of the King's cards (R25).")
    return say("Turn up one of the two you have looked at (R25).")


def _no_looking(t: Table, seat: int, hand: Hand, places: Indices, say: Say) -> str:
    if t.healed >> places[0] & 1:
        return say("This piece lies in its place (R29).")
    return say("Look at another card than the first (R25).")


def _no_crown(t: Table, seat: int, hand: Hand, places: Indices, say: Say) -> str:
    if not hand.kings >> CROWN & 1:
        return say("You do not hold the King's shield (R34).")
    if t.healed != EVERY_PIECE:
        return say("The picture is not whole yet (R34).")
    return say("The King's shield needs two active fairies (R34).")


def _not_held(t: Table, seat: int, hand: Hand, places: Indices, say: Say) -> str:
    return say("You do not hold this card (R7).")


_REASONS = {
    "lay": _no_card,
    "joker": _no_card,
    "green": _no_green,
    "blue": _no_blue,
    "red": _no_red,
    "cover": _no_cover,
    "use": _no_shield,
    "wake": _no_wake,
    "turn": _no_turning,
    "look": _no_looking,
    "heal": _no_healing,
    "crown": _no_crown,
}

refusal = Refusals(
    chance=dict.fromkeys(
        ("first", "deal", "steal", "king"), mark("Cards are dealt, stolen and turned up by chance (R5, R14, R29).")
    ),
    over=lambda view, say: say("The match is over (R40)."),
    over_phase=Phase.OVER,
    when={**WHEN, **{verb: WHEN[other] for verb, other in SAME_WHEN.items()}},
    others=lambda view, say: say("It is not your turn: {name} plays (R6).", name=say.name(view.table.seat)),
    why=dict.fromkeys((*WHEN, *SAME_WHEN), _not_held) | _REASONS,
)
