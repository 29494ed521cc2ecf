"""The talk window of a ballot on the page: how long it is open, and to each seat alone what it has laid ready."""

from collections.abc import Hashable

from tavola.live import Room
from tavola.show.cards import words_of
from tavola.show.speech import Say


def window_values(room: Room, seat: int | None, say: Say) -> dict[str, Hashable]:
    """Return what the notice tells of an open window: its end in milliseconds since 1970, 0 where none is open."""
    state = room.state
    window = state.window
    if window is None or state.phase != "playing":
        return {"window": 0, "chosen": "", "enough": False, "decides": False}
    code = window.chosen.get(seat, "") if seat is not None else ""
    return {
        "window": round((room.talk_until or 0.0) * 1000),
        "chosen": words_of(state.game).action(room.view(seat), state.game.actions.number(code), say) if code else "",
        "enough": seat in window.enough,
        "decides": seat in state.open_decisions,
    }
