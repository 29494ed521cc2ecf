"""Limits on what can be added to a room's log beside its match, by role.

Each player has a budget of their own. Spectators share one, and so do people who arrive before the match: anyone can
drop a cookie and become another person, and a log must be bounded.
"""

from typing import NamedTuple

from tavola.core.text import mark
from tavola.live.log.people import Person
from tavola.live.log.state import State
from tavola.live.room_refusals import TooMuch
from tavola.store import Event


class Budget(NamedTuple):
    """Maximum events of one person in a role, and of all people in it together; 0: no common limit."""

    each: int
    together: int = 0


BUDGETS = {
    "player": Budget(2_000),
    "comer": Budget(200, together=5_000),
    "spectator": Budget(200, together=2_000),
    "house": Budget(2_000),
}
"""Budgets by role: `comer` is anyone except the host before the match, `house` the bots that speak."""
COUNTED = {
    *("joined", "bot", "said", "gestured", "spoke", "muted", "reported", "pace", "noted", "ahead", "taken"),
    *("nudged", "voted", "undo", "allowed", "denied", "undone", "unchanged"),
}
"""Kinds of events that are counted. All others follow from the match, or end it."""


def require_log_space(state: State, who: Person | None, origin: str = "") -> None:
    """Refuse an event beside the match of a person, or a role, that has used up its budget.

    `who`: None for the server. `origin`: the anonymised address of a person who takes a seat.
    """
    role, name = _account(state, who.id if who is not None else None, origin)
    budget, used = BUDGETS[role], state.beside
    if used[role, name] >= budget.each:
        raise TooMuch(mark("each person can add up to {most} lines, guesses and so on to a room"), most=budget.each)
    if budget.together and used[role, ""] >= budget.together:
        raise TooMuch(
            mark("people without a seat can add up to {most} lines and so on to a room in all"), most=budget.together
        )


def count_beside(state: State, event: Event) -> None:
    """Count an event of the log, before it is applied."""
    if event.kind not in COUNTED:
        return
    by, _, _ = (event.command_id or "").partition("/")
    person = event.body.get("id", by)
    if person or event.kind == "spoke":
        role, name = _account(state, person or None, event.body.get("origin", ""))
        state.beside[role, name] += 1
        state.beside[role, ""] += name != ""


def _account(state: State, person: str | None, origin: str) -> tuple[str, str]:
    """Return whose budget an event uses: a role, and a name in it."""
    if person is None:
        return "house", ""
    if state.match is None:
        return ("player", person) if person == state.host.id else ("comer", origin or person)
    return "spectator" if state.seat_of(person) is None else "player", person
