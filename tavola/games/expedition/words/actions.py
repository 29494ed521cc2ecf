"""What a seat does by an action, and the parts of a turn."""

from collections.abc import Callable

from tavola.games.expedition.components import (
    CLAIM,
    DEAL,
    DRAW,
    EXTRA,
    GREEN,
    KEEP,
    LOOP,
    MEND,
    OVER,
    PLACING,
    REFILL,
    REVEAL,
    TURN,
    Seen,
)
from tavola.games.expedition.words.nouns import COLOUR, claimer, place, way
from tavola.show.speech import Say, mark
from tavola.show.words import Phase, Places, strip

DONE = {
    PLACING: mark("Place no more tokens"),
    GREEN: mark("Lay no more arrow"),
}


def action(view: Seen, action: int, say: Say) -> str:
    """What a seat does by it."""
    verb, places = view.game.actions.action(action)
    return _ACTIONS[verb](view, places, say)


def _claim(view: Seen, places: Places, say: Say) -> str:
    if not places[0]:
        return say("Nobody has the card")
    return say("{name} lays the card", name=claimer(places[0], say))


def _token(view: Seen, places: Places, say: Say) -> str:
    t = view.table
    if t.variant_b:
        return say("A token of {name} on {place}", name=say.name((t.seat - 1) % t.players), place=place(places[0], say))
    return say("A token on {place}", place=place(places[0], say))


def _arrow(view: Seen, places: Places, say: Say) -> str:
    return say("{colour:short}: {way}", colour=COLOUR(places[0], say), way=way(places[1], say))


def _remove(view: Seen, places: Places, say: Say) -> str:
    return say("A voucher: take away the last arrow {colour:of}", colour=COLOUR(places[0], say))


_ACTIONS: dict[str, Callable[[Seen, Places, Say], str]] = {
    "deal": lambda view, places, say: say("Deal {place}", place=place(places[0], say)),
    "reveal": lambda view, places, say: say("Turn up {place}", place=place(places[0], say)),
    "claim": _claim,
    "token": _token,
    "arrow": _arrow,
    "voucher": lambda view, places, say: say("A voucher: one more arrow"),
    "remove": _remove,
    "exchange": lambda view, places, say: say("A voucher: exchange {place}", place=place(places[0], say)),
    "keep": lambda view, places, say: say("Keep {place}", place=place(places[0], say)),
    "done": lambda view, places, say: say(DONE.get(view.table.phase, mark("End the turn"))),
}

# The course of a turn

BEFORE = (
    Phase(mark("Cards"), (DEAL, MEND)),
    Phase(mark("Public goals"), (REVEAL,)),
    Phase(mark("Tokens"), (PLACING,)),
)
TURN_PARTS = (
    Phase(mark("Turn"), (TURN,)),
    Phase(mark("Voucher"), (EXTRA, DRAW, KEEP)),
    Phase(mark("Claims"), (CLAIM,)),
    Phase(mark("Loop"), (LOOP,)),
    Phase(mark("Green station"), (GREEN,)),
    Phase(mark("New goals"), (REFILL,)),
)
END = (Phase(mark("The end"), (OVER,)),)


def phases(view: Seen, say: Say) -> list[tuple[str, bool]]:
    """The parts of a turn, or of what comes before the first and after the last."""
    phase = view.table.phase
    return strip(BEFORE if phase < TURN else END if phase == OVER else TURN_PARTS, phase, say)


def chapter(view: Seen, say: Say) -> str:
    """The heading under which the log groups what is done now."""
    t = view.table
    if t.phase == OVER:
        return say("The end")
    return say("Round {number}", number=t.turns // t.players + 1) if t.phase >= TURN else say("Preparations")
