"""The results of a simulation as tables for the terminal and as a JSON document."""

from collections.abc import Iterator, Sequence
from math import isfinite
from typing import Any

from rich.box import HORIZONTALS
from rich.table import Table

from tavola.lab.intervals import Interval
from tavola.lab.simulation import Simulation, Variant

MOST_ENDS = 5
"""Maximum verbs of last actions shown in a table."""


def result_tables(found: Simulation) -> Iterator[Table]:
    """Yield tables for the terminal: the results by seat, the lengths of matches, and their endings."""
    yield _seats_table(found)
    yield _lengths_table(found)
    yield _endings_table(found)


def json_document(found: Simulation) -> dict[str, Any]:
    """Return all figures as a JSON document; intervals are pairs."""
    return {
        "game": found.game,
        "play": found.play,
        "seed": found.seed,
        "varied": found.varied,
        "variants": [_variant_document(one) for one in found.variants],
    }


def _variant_document(one: Variant) -> dict[str, Any]:
    tally = one.counts
    return {
        "options": one.options,
        "matches": tally.matches,
        "sequential": one.sequential,
        "half_width": one.half_width,
        "shared_wins": tally.shared_wins(),
        "seats": [
            {
                "wins": tally.wins(seat),
                "wins_95": one.share(seat),
                "points": tally.mean_points(seat)[0],
                "points_95": _ends(one.points(seat)),
                "places": tally.places[seat],
            }
            for seat in range(tally.players)
        ],
        "length": {
            "mean": tally.mean_length()[0],
            "mean_95": _ends(one.length()),
            "least": min(tally.lengths),
            "median": tally.quantile(0.5),
            "from_5_to_95": (tally.quantile(0.05), tally.quantile(0.95)),
            "most": max(tally.lengths),
        },
        "ends": _ending_shares(one),
    }


def _seats_table(found: Simulation) -> Table:
    places = range(1, max(one.counts.players for one in found.variants) + 1)
    headings = ("seat", "wins, %", "95 %", "points", "95 %", *(f"{place}." for place in places))
    kinds = ", valid at any time" if found.variants[0].sequential else ": Wilson's for wins, otherwise Student's"
    caption = f"Shared wins are divided. Places in percent. 95 % intervals{kinds}."
    table = _new_table(found, f"{found.game}, {found.play} play, seed {found.seed}", caption, headings)
    for one in found.variants:
        for seat in range(one.counts.players):
            table.add_row(*_value_cells(found, one), *_seat_cells(one, seat))
        table.add_section()
    return table


def _seat_cells(one: Variant, seat: int) -> Iterator[str]:
    yield str(seat)
    yield f"{100 * one.counts.wins(seat):.2f}"
    yield _interval_text(*(100 * end for end in one.share(seat)))
    yield f"{one.counts.mean_points(seat)[0]:.2f}"
    yield _interval_text(*one.points(seat))
    yield from (f"{100 * times / one.counts.matches:.0f}" for times in one.counts.places[seat])


def _lengths_table(found: Simulation) -> Table:
    headings = ("matches", "actions", "95 %", "median", "middle 90 %", "most")
    table = _new_table(found, "lengths of matches", "Actions of all seats and of chance.", headings)
    for one in found.variants:
        tally = one.counts
        few, many = tally.quantile(0.05), tally.quantile(0.95)
        mean = f"{tally.mean_length()[0]:.2f}", _interval_text(*one.length())
        median, most = str(tally.quantile(0.5)), str(max(tally.lengths))
        table.add_row(*_value_cells(found, one), f"{tally.matches:,}", *mean, median, f"{few} to {many}", most)
    return table


def _endings_table(found: Simulation) -> Table:
    verbs = list(dict.fromkeys(verb for one in found.variants for verb in _ending_shares(one)))[:MOST_ENDS]
    caption = "Shared wins, and the verbs of the last actions."
    table = _new_table(found, "ends of matches", caption, ("shared, %", *(f"{verb}, %" for verb in verbs)))
    for one in found.variants:
        shares = one.counts.shared_wins(), *(_ending_shares(one).get(verb, 0.0) for verb in verbs)
        table.add_row(*_value_cells(found, one), *(f"{100 * share:.1f}" for share in shares))
    return table


def _ending_shares(one: Variant) -> dict[str, float]:
    ends = sorted(one.counts.ends.items(), key=lambda end: (-end[1], end[0]))
    return {verb: times / one.counts.matches for verb, times in ends}


def _new_table(found: Simulation, title: str, caption: str, headings: Sequence[str]) -> Table:
    table = Table(title=title, caption=caption, box=HORIZONTALS, padding=(0, 1, 0, 0), pad_edge=False)
    if found.varied:
        table.add_column(found.varied, no_wrap=True)
    for heading in headings:
        table.add_column(heading, justify="right", no_wrap=True)
    return table


def _value_cells(found: Simulation, one: Variant) -> tuple[str, ...]:
    return (one.value,) if found.varied else ()


def _interval_text(low: float, high: float) -> str:
    return f"{low:.2f}–{high:.2f}" if isfinite(low) else "unknown"


def _ends(interval: Interval) -> tuple[float | None, float | None]:
    """Return the ends of an interval for JSON, which has no infinite numbers."""
    low, high = interval
    return (low, high) if isfinite(low) else (None, None)
