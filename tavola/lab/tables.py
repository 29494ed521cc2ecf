"""The findings of arenas and ladders as tables for the terminal, and as documents of JSON."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rich.table import Table

from tavola.lab.standings import Findings, SeatStanding

if TYPE_CHECKING:
    from tavola.lab.arena import Arena
    from tavola.lab.ladder import Ladder

ALL = "all bots"
"""The column of what a seat is worth, whoever sits there."""


def standings_table(found: "Arena") -> Table:
    """Return the standings of an arena."""
    caption = (
        "Same deals from every seat. Shared wins are shared. 95 % intervals: Wilson's for wins; Student's for places, "
        "with a first and a last place added."
    )
    told = any(one.entry.outside is not None for one in found.standings)
    replaced = ["replaced"] if told else []
    table = _new_table(
        found, caption, "entry", ("seats", "wins", "95 %", "mean place", "95 %", "decisions/s", *replaced)
    )
    for one in found.standings:
        table.add_row(
            str(one.entry),
            str(one.seats),
            f"{one.wins:.1%}",
            f"{one.wins_low:.1%} to {one.wins_high:.1%}",
            f"{one.rank:.2f}",
            f"{one.rank_low:.2f} to {one.rank_high:.2f}",
            f"{one.decisions_per_second:,.0f}",
            *([_replaced_text(one.replaced, one.reasons)] if told else []),
        )
    return table


def ratings_table(found: "Ladder") -> Table:
    """Return the ratings of a ladder."""
    caption = (
        "Bradley and Terry's ratings on Elo's scale, their mean 0. 95 %: profile likelihood and bootstrap over deals."
    )
    told = any(rung.entry.outside is not None for rung in found.rungs)
    replaced = ["replaced"] if told else []
    table = _new_table(found, caption, "bot", ("rating", "95 %", "matches", "wins", "mean place", *replaced))
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
    return table


def _replaced_text(replaced: int, reasons: Sequence[tuple[str, int]]) -> str:
    why = ", ".join(f"{count} {reason}" for reason, count in reasons)
    return f"{replaced} ({why})" if why else str(replaced)


def seats_table(
    found: Findings, rows: Sequence[tuple[object, Sequence[SeatStanding]]], seats: Sequence[SeatStanding]
) -> Table:
    """Return the shares of wins with their intervals, a row for each seat: of all bots there, and of each of `rows`."""
    named = [(ALL, seats), *rows] if len(rows) > 1 else rows
    table = _new_table(
        found, "Wins on each seat, with Wilson's 95 % intervals.", "seat", [str(name) for name, _ in named]
    )
    held = [{one.seat: one for one in by_seat} for _, by_seat in named]
    for seat in [one.seat for one in seats]:
        table.add_row(str(seat), *(_share_text(one.get(seat)) for one in held))
    return table


def _share_text(one: SeatStanding | None) -> str:
    return "–" if one is None else f"{one.wins:.1%} ({one.wins_low:.1%} to {one.wins_high:.1%})"


def _new_table(found: Findings, caption: str, who: str, headings: Sequence[str]) -> Table:
    table = Table(title=found.title, caption=caption)
    table.add_column(who, overflow="fold")
    for heading in headings:
        table.add_column(heading, justify="right", no_wrap=True)
    return table


def arena_document(found: "Arena") -> dict[str, Any]:
    """Return all figures of an arena as JSON holds them; intervals are pairs."""
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
    """Return all figures of a ladder as JSON holds them, the best bot first; intervals are pairs."""
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
