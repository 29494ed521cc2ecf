"""Who lets a bot decide for him by his own wish: what is said to him, and to whom that is offered."""

from collections.abc import Hashable

from tavola.live import Room
from tavola.show.cards import words_of
from tavola.show.speech import Say


def asked_seat(room: Room, seat: int | None) -> int | None:
    """Return a seat as far as anything is asked of it: None for who only watches, and for who sits out."""
    sits_out = seat is not None and room.state.phase == "playing" and room.state.occupants[seat].sits_out
    return None if sits_out else seat


def must_decide(room: Room, person_id: str) -> bool:
    """True when a person is to decide there now."""
    seat = asked_seat(room, room.state.seat_of(person_id))
    return seat is not None and room.prompt_id(seat) is not None


def plays_alone(room: Room, seat: int | None) -> bool:
    """True when bots decide on all other seats."""
    others = (place for other, place in enumerate(room.state.occupants) if other != seat)
    return seat is not None and all(place.bot_decides for place in others)


def aside_values(room: Room, seat: int | None, say: Say) -> dict[str, Hashable]:
    """Return what the notice tells of it: whether a bot decides, whether one may be shown the end, why it is offered.

    It is offered to whom the game says that he is out; whoever likes finds it in the header.
    """
    state = room.state
    if seat is None or state.phase != "playing":
        return {"taken_over": False, "aside": "", "hurries": "", "eliminated": ""}
    place = state.occupants[seat]
    why = "" if place.bot_decides else words_of(state.game).eliminated(room.view(seat), say)
    return {"taken_over": place.taken_over, "aside": place.sits_out, "hurries": state.haste, "eliminated": why}
