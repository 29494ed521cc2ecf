"""Tell why an action is not allowed, with the paragraph of RULES.md."""

from tavola.games.expedition.arrow_rules import can_lay, is_line_free, origins
from tavola.games.expedition.components import ARROWS, VOUCHERS_A_TURN, Hand, Phase, Table
from tavola.games.expedition.network import DISTANCE, ORIGIN, START
from tavola.games.expedition.words.nouns import COLOUR, place_label, spot_name
from tavola.show.speech import Say, mark
from tavola.show.words import Indices, Refusals

ARROW_PHASES = (Phase.TURN, Phase.EXTRA, Phase.LOOP, Phase.GREEN)
WHEN = {
    "token": ((Phase.TOKENS,), mark("Tokens are placed before the first turn (R11).")),
    "arrow": (ARROW_PHASES, mark("Arrows are laid in a turn (R13).")),
    "voucher": ((Phase.TURN,), mark("Vouchers are played in a turn, when no arrow is owed (R23).")),
    "remove": ((Phase.TURN,), mark("Vouchers are played in a turn, when no arrow is owed (R23).")),
    "exchange": ((Phase.TURN,), mark("Vouchers are played in a turn, when no arrow is owed (R23).")),
    "keep": ((Phase.KEEP,), mark("You have drawn no cards to choose from (R28).")),
    "done": ((Phase.TOKENS, Phase.TURN, Phase.GREEN), mark("This cannot be left out (R19, R23).")),
}


def _no_token(t: Table, seat: int, hand: Hand, places: Indices, say: Say) -> str:
    name = place_label(places[0], say)
    if DISTANCE[START, places[0] + 1] < t.token_distance:
        return say("{place} is nearer to START than {count} arrows (R10).", place=name, count=t.token_distance)
    if t.token[places[0]]:
        return say("There is a token on {place} already (R11, R32).", place=name)
    return say("You do not hold the card of {place} (R11).", place=name)


def _no_arrow(t: Table, seat: int, hand: Hand, places: Indices, say: Say) -> str:
    colour, way = places
    route, parts = t.expedition[colour], {"colour": COLOUR(colour, say)}
    if t.phase == Phase.LOOP and t.due != colour + 1:
        return say("First {colour:the} must leave its loop (R19).", colour=COLOUR(t.due - 1, say))
    if t.phase == Phase.TURN and t.placed:
        return say("You have laid the arrow of this turn: another one needs a voucher (R13).")
    if route.count == ARROWS:
        return say("{colour:The} has no arrow left (R17).", **parts)
    if ORIGIN[way] not in (origins(t, colour) if route.count else (START,)):
        return _no_departure(t, colour, say)
    if not is_line_free(t, colour, way):
        if route.count:
            return say("On this line lies an arrow {colour:of} (R17).", **parts)
        return say("A new expedition takes a line of START without any arrow (R16).")
    return say("{colour:The} would close a second loop in this turn (R22).", **parts)


def _no_departure(t: Table, colour: int, say: Say) -> str:
    """R14, R16, R20: where the expedition stands instead."""
    route, parts = t.expedition[colour], {"colour": COLOUR(colour, say)}
    if not route.count:
        return say("{colour:The} begins at START (R16).", **parts)
    if t.due == colour + 1 or route.loose:
        if t.variant_a:
            return say("{colour:The} leaves its last loop from a point of it (R31).", **parts)
        return say("{colour:The} leaves its loop from any point that it has visited (R20).", **parts)
    return say("{colour:The} goes on from {place} (R14).", place=spot_name(route.head, say), **parts)


def _no_voucher(t: Table, seat: int, hand: Hand, places: Indices, say: Say) -> str:
    if t.used == VOUCHERS_A_TURN:
        return say("You have played two vouchers in this turn (R13).")
    if not t.explorers[seat].vouchers:
        return say("You have no voucher (R23).")
    return ""


def _no_extra(t: Table, seat: int, hand: Hand, places: Indices, say: Say) -> str:
    return _no_voucher(t, seat, hand, places, say) or say("No arrow can be laid (R23).")


def _no_removal(t: Table, seat: int, hand: Hand, places: Indices, say: Say) -> str:
    if why := _no_voucher(t, seat, hand, places, say):
        return why
    if not t.expedition[places[0]].count:
        return say("{colour:The} has no arrow on the map (R24).", colour=COLOUR(places[0], say))
    return say("{colour:The} would stand in a second loop in this turn (R22, R25).", colour=COLOUR(places[0], say))


def _no_exchange(t: Table, seat: int, hand: Hand, places: Indices, say: Say) -> str:
    if why := _no_voucher(t, seat, hand, places, say):
        return why
    if not hand.cards >> places[0] & 1:
        return say("You do not hold the card of {place} (R28).", place=place_label(places[0], say))
    return say("The deck is empty (R28).")


def _not_done(t: Table, seat: int, hand: Hand, places: Indices, say: Say) -> str:
    if t.phase == Phase.TOKENS:
        return say("You can place a token, so you must (R11, R32).")
    return say("First the arrow of this turn must be laid (R13).") if can_lay(t) else say("Your turn goes on (R13).")


refusal = Refusals(
    chance=dict.fromkeys(
        ("deal", "reveal", "claim"), mark("Cards are dealt, turned up and laid without anybody's choice (R7, R8, R26).")
    ),
    over=lambda view, say: say("The match is over (R34)."),
    over_phase=Phase.OVER,
    when=WHEN,
    meanwhile={
        Phase.DRAW: mark("First two cards are drawn, and one of them is kept (R28)."),
        Phase.KEEP: mark("First {name} keeps one of the two drawn cards (R28)."),
    },
    others=lambda view, say: say("It is not your turn: {name} plays (R12).", name=say.name(view.table.seat)),
    why={
        "token": _no_token,
        "arrow": _no_arrow,
        "voucher": _no_extra,
        "remove": _no_removal,
        "exchange": _no_exchange,
        "keep": mark("You keep one of the two cards you have drawn (R28)."),
        "done": _not_done,
    },
)
