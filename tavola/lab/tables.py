"""Tables for the terminal and JSON documents of arenas and ladders."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from rich.table import Table

from tavola.lab.standings import Findings, SeatStanding

if TYPE_CHECKING:
    from tavola.lab.arena import Arena
    from tavola.lab.ladder import Ladder

NARROWEST = 10
"""Minimum width of a name's column; longer names wrap and are never cut."""
ALL = "all bots"
"""The title of the rows by seat over all bots."""


def standings_table(found: "Arena") -> Table:
    """Return the standings of an arena."""
    caption = (
        "Same deals from every seat. Shared wins are shared. 95 % intervals: Wilson's for wins; Student's for places, "
        "with a first and a last place added."
    )
    told = any(one.entry.outside is not None for one in found.standings)
    replaced = ["replaced"] if told else []
    table = _new_table(found, caption, "entry", ("seats", "wins", "95 %", "place", "95 %", "decisions/s", *replaced))
    for one in found.standings:
        table.add_row(
            str(one.entry),
            str(one.seats),
            f"{one.wins:.1%}",
            _percent_text(one.wins_low, one.wins_high),
            f"{one.rank:.2f}",
            f"{one.rank_low:.2f}–{one.rank_high:.2f}",
            f"{one.decisions_per_second:,.0f}",
            *([_replaced_text(one.replaced, one.reasons)] if told else []),
        )
        _add_seats(table, one.by_seat, _arena_cells)
    if len(found.standings) > 1:
        _add_all(table, found, _arena_cells)
    return table


def ratings_table(found: "Ladder") -> Table:
    """Return the ratings of a ladder."""
    caption = (
        "Bradley and Terry's ratings on Elo's scale, their mean 0. 95 %: profile likelihood and bootstrap over deals."
    )
    told = any(rung.entry.outside is not None for rung in found.rungs)
    replaced = ["replaced"] if told else []
    table = _new_table(found, caption, "bot", ("rating", "95 %", "matches", "wins", "place", *replaced))
    for rung in found.rungs:
        table.add_row(
            str(rung.entry),
            f"{rung.rating:+.0f}",
            f"{rung.low:+.0f} to {rung.high:+.0f}",
            str(rung.matches),
            f"{rung.wins:.1%}",
            f"{rung.rank:.2f}",
            *([_replaced_text(rung.replaced, rung.reasons)] if told else []),
        )
        _add_seats(table, rung.by_seat, _ladder_cells)
    _add_all(table, found, _ladder_cells)
    return table


def _replaced_text(replaced: int, reasons: Sequence[tuple[str, int]]) -> str:
    why = ", ".join(f"{count} {reason}" for reason, count in reasons)
    return f"{replaced} ({why})" if why else str(replaced)


def _add_seats(table: Table, seats: Sequence[SeatStanding], cells: Callable[[SeatStanding], tuple[str, ...]]) -> None:
    for one in seats:
        table.add_row(f"  seat {one.seat}", *cells(one))
    table.add_section()


def _add_all(table: Table, found: "Arena | Ladder", cells: Callable[[SeatStanding], tuple[str, ...]]) -> None:
    table.add_row(ALL)
    _add_seats(table, found.seats, cells)


def _arena_cells(one: SeatStanding) -> tuple[str, ...]:
    return "", f"{one.wins:.1%}", _percent_text(one.wins_low, one.wins_high), f"{one.rank:.2f}"


def _ladder_cells(one: SeatStanding) -> tuple[str, ...]:
    wins = f"{one.wins:.1%} ({_percent_text(one.wins_low, one.wins_high)})"
    return "", "", str(one.matches), wins, f"{one.rank:.2f}"


def _percent_text(low: float, high: float) -> str:
    return f"{100 * low:.1f}–{100 * high:.1f}%"


def _new_table(found: Findings, caption: str, who: str, headings: Sequence[str]) -> Table:
    table = Table(title=found.title, caption=caption)
    table.add_column(who, overflow="fold", min_width=NARROWEST)
    for heading in headings:
        table.add_column(heading, justify="right", no_wrap=True)
    return table


def arena_document(found: "Arena") -> dict[str, Any]:
    """Return all figures of an arena as a JSON document; intervals are pairs."""
    standings = [
        {
            "entry": str(one.entry),
            "seats": one.seats,
            "wins": one.wins,
            "wins_95": (one.wins_low, one.wins_high),
            "place": one.rank,
            "place_95": (one.rank_low, one.rank_high),
            "decisions": one.decisions,
            "seconds": one.seconds,
            "replaced": one.replaced,
            "reasons": dict(one.reasons),
            "by_seat": _seat_documents(one.by_seat),
        }
        for one in found.standings
    ]
    talk = (
        {"talk": [{"entry": one.entry, "matches": one.matches, **one.mean} for one in found.talk]} if found.talk else {}
    )
    return {**_head(found), "standings": standings, "by_seat": _seat_documents(found.seats), **talk}


def ladder_document(found: "Ladder") -> dict[str, Any]:
    """Return all figures of a ladder as a JSON document, the best bot first; intervals are pairs."""
    rungs = [
        {
            "bot": str(rung.entry),
            "rating": rung.rating,
            "rating_95": (rung.low, rung.high),
            "matches": rung.matches,
            "wins": rung.wins,
            "place": rung.rank,
            "replaced": rung.replaced,
            "reasons": dict(rung.reasons),
            "by_seat": _seat_documents(rung.by_seat),
        }
        for rung in found.rungs
    ]
    return {**_head(found), "bots": rungs, "by_seat": _seat_documents(found.seats)}


def _head(found: Findings) -> dict[str, Any]:
    return {"game": found.game, "options": found.options, "seed": found.seed, "matches": found.matches}


def _seat_documents(seats: Sequence[SeatStanding]) -> list[dict[str, Any]]:
    return [
        {
            "seat": one.seat,
            "matches": one.matches,
            "wins": one.wins,
            "wins_95": (one.wins_low, one.wins_high),
            "place": one.rank,
        }
        for one in seats
    ]
