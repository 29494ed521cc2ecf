"""Reasons why an action is not allowed, with the paragraph of RULES.md."""

from tavola.games.expedition.arrow_rules import can_lay, is_line_free, origins
from tavola.games.expedition.components import ARROWS, VOUCHERS_A_TURN, Hand, Phase, Table
from tavola.games.expedition.network import DISTANCE, ORIGIN, START
from tavola.games.expedition.words.nouns import COLOUR, place_label, spot_name
from tavola.show.speech import Say, mark
from tavola.show.words import Indices, Refusals

_VOUCHERS = (Phase.TURN,), mark("You can play vouchers only during your turn, when you owe no arrow (R23).")
WHEN = {
    "token": ((Phase.TOKENS,), mark("Tokens are placed before the first turn (R11).")),
    "arrow": ((Phase.TURN, Phase.EXTRA, Phase.LOOP, Phase.GREEN), mark("You can’t place an arrow now (R13).")),
    **dict.fromkeys(("voucher", "remove", "exchange"), _VOUCHERS),
    "keep": ((Phase.KEEP,), mark("You haven’t drawn any cards to choose from (R28).")),
    "done": ((Phase.TOKENS, Phase.TURN, Phase.GREEN), mark("You can’t skip this (R19, R23).")),
}


def _no_token(t: Table, seat: int, hand: Hand, places: Indices, say: Say) -> str:
    name = place_label(places[0], say)
    if DISTANCE[START, places[0] + 1] < t.token_distance:
        return say("{place} is fewer than {count} arrows from START (R10).", place=name, count=t.token_distance)
    if t.token[places[0]]:
        return say("There’s already a token on {place} (R11, R32).", place=name)
    return say("You don’t have the {place} card (R11).", place=name)


def _no_arrow(t: Table, seat: int, hand: Hand, places: Indices, say: Say) -> str:
    colour, way = places
    route, parts = t.expedition[colour], {"colour": COLOUR(colour, say)}
    if t.phase == Phase.LOOP and t.due != colour + 1:
        return say("{colour:The} must leave its loop first (R19).", colour=COLOUR(t.due - 1, say))
    if t.phase == Phase.TURN and t.placed:
        return say("You’ve already placed this turn’s arrow. For another one, play a voucher (R13).")
    if route.count == ARROWS:
        return say("{colour:The} has no arrows left (R17).", **parts)
    if ORIGIN[way] not in (origins(t, colour) if route.count else (START,)):
        return _no_departure(t, colour, say)
    if not is_line_free(t, colour, way):
        if route.count:
            return say("There’s already an arrow {colour:of} on this line (R17).", **parts)
        return say("A new expedition needs a line from START with no arrow on it (R16).")
    return say("{colour:The} would close a second loop this turn (R22).", **parts)


def _no_departure(t: Table, colour: int, say: Say) -> str:
    """R14, R16, R20: where the expedition can leave from."""
    route, parts = t.expedition[colour], {"colour": COLOUR(colour, say)}
    if not route.count:
        return say("{colour:The} sets out from START (R16).", **parts)
    if t.due == colour + 1 or route.loose:
        if t.variant_a:
            return say("{colour:The} can leave its last loop only from a point on it (R31).", **parts)
        return say("{colour:The} can leave its loop only from a point it has visited (R20).", **parts)
    return say("{colour:The} continues from {place} (R14).", place=spot_name(route.head, say), **parts)


def _no_voucher(t: Table, seat: int, say: Say) -> str:
    if t.used == VOUCHERS_A_TURN:
        return say("You’ve already played two vouchers this turn (R13).")
    return "" if t.explorers[seat].vouchers else say("You have no vouchers (R23).")


def _no_removal(t: Table, seat: int, hand: Hand, places: Indices, say: Say) -> str:
    if why := _no_voucher(t, seat, say):
        return why
    if not t.expedition[places[0]].count:
        return say("{colour:The} has no arrows on the map (R24).", colour=COLOUR(places[0], say))
    return say("{colour:The} would end up in a second loop this turn (R22, R25).", colour=COLOUR(places[0], say))


def _no_exchange(t: Table, seat: int, hand: Hand, places: Indices, say: Say) -> str:
    if why := _no_voucher(t, seat, say):
        return why
    if not hand.cards >> places[0] & 1:
        return say("You don’t have the {place} card (R28).", place=place_label(places[0], say))
    return say("The deck is empty (R28).")


def _not_done(t: Table, seat: int, hand: Hand, places: Indices, say: Say) -> str:
    if t.phase == Phase.TOKENS:
        return say("You can place a token, so you must (R11, R32).")
    return say("Place this turn’s arrow first (R13).") if can_lay(t) else say("Your turn isn’t over yet (R13).")


refusal = Refusals(
    chance=dict.fromkeys(
        ("deal", "reveal", "claim"), mark("Cards are dealt, revealed and played automatically (R7, R8, R26).")
    ),
    over=lambda view, say: say("The match is over (R34)."),
    over_phase=Phase.OVER,
    when=WHEN,
    meanwhile={
        Phase.DRAW: mark("First, two cards must be drawn and one of them kept (R28)."),
        Phase.KEEP: mark("{name} must first keep one of the two drawn cards (R28)."),
    },
    others=lambda view, say: say("It’s {name}’s turn, not yours (R12).", name=say.name(view.table.seat)),
    why={
        "token": _no_token,
        "arrow": _no_arrow,
        "voucher": lambda t, seat, hand, places, say: (
            _no_voucher(t, seat, say) or say("You can’t place an arrow (R23).")
        ),
        "remove": _no_removal,
        "exchange": _no_exchange,
        "keep": mark("Keep one of the two cards you drew (R28)."),
        "done": _not_done,
    },
)
