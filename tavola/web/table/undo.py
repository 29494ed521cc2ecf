"""Undo on the screen: the button of a seat, and a request to the others."""

from typing import NamedTuple

from markupsafe import Markup

from tavola.live import Room
from tavola.live.commands.waiting import voters
from tavola.live.log.undo import undoable
from tavola.show.svg import fill_marks
from tavola.web.render import render_cached
from tavola.web.table.choices import CODE_SLOT, PROMPT_SLOT


class UndoNotice(NamedTuple):
    """An open request to undo as a seat sees it: the name, seat and decision of the player who asks.

    `mine`: it is the seat's own; `allowed` of `voters` people have agreed.
    """

    name: str
    seat: int
    prompt_id: int
    mine: bool
    allowed: int
    voters: int


def undo_markup(room: Room, seat: int | None, language: str) -> Markup:
    """Return the button with which a seat takes back its last decision; empty if it cannot."""
    state = room.state
    made = undoable(state, seat)
    if seat is None or made is None or state.undo_request is not None or state.occupants[seat].bot_decides:
        return Markup()
    asks = bool(voters(state, seat))
    if asks and state.undo_denied == made:
        return Markup()
    written = render_cached("undo.html", language, code=CODE_SLOT, prompt_id=PROMPT_SLOT, asks=asks)
    return fill_marks(written, {CODE_SLOT: room.id, PROMPT_SLOT: str(made.prompt_id)})


def undo_notice(room: Room, seat: int | None) -> UndoNotice | None:
    """Return the request that a seat is asked to answer, or its own; None if there is none."""
    state, asked = room.state, room.state.undo_request
    if asked is None or seat is None:
        return None
    asker, people = asked.made.seat, voters(state, asked.made.seat)
    if seat != asker and (seat not in people or seat in asked.allowed):
        return None
    agreed = len(asked.allowed & people)
    return UndoNotice(room.names[asker], asker, asked.made.prompt_id, seat == asker, agreed, len(people))
