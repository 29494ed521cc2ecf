"""The picture of Lifeboats: a view as pieces on a sea chart. See `tavola.show.board` for what a page may rely on.

Every piece is drawn by a cached function of the few integers it shows, so a move costs what it changed.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from markupsafe import Markup

from tavola.core import View
from tavola.games.lifeboats.components import (
    ASHORE,
    ASIDE,
    BLACK,
    BOATS,
    COLOURS,
    ISLANDS,
    LANES,
    LEAVE,
    LOT,
    OVER,
    OVERBOARD,
    OVERBOARD_CHOICE,
    PLACE,
    PLACE_BLACK,
    RANKS,
    SEA,
    SUNK,
)
from tavola.games.lifeboats.picture_panel import (
    ACTING,
    MEN_LINE,
    NO_VOTE,
    OVERBOARD_BALLOT,
    THINKS,
    VOTED,
    captain_to_play,
    own_card,
    revealed,
    seat_middle,
    seat_panel,
    starter_marker,
    tally,
)
from tavola.games.lifeboats.picture_sea import (
    HEIGHT,
    LANE_WIDTH,
    START_LINE,
    WIDTH,
    boat_place,
    chart,
    dock_place,
    island_span,
    lane_middle,
)
from tavola.games.lifeboats.picture_shapes import hull_length, places
from tavola.games.lifeboats.picture_style import STYLE
from tavola.games.lifeboats.words.titles import boat_title, man_title
from tavola.games.lifeboats.words.vocabulary import BALLOTS
from tavola.show.board import Board
from tavola.show.prints import Place, use, wordless
from tavola.show.speech import Say
from tavola.show.svg import group, tag

__all__ = ["BOARDS", "SHAPES", "STYLE", "own", "pieces"]

BOARDS = {"main": Board((WIDTH, HEIGHT))}
SHAPES = Markup("")
ASIDE_SCALE, DOCK_SCALE, CROWD_SCALE, PANEL_SCALE = 0.5, 0.38, 0.8, 0.8
CACHE = 4096

Pieces = tuple[tuple[str, Markup], ...]


def _background(view: View, say: Say) -> Markup:
    """The chart: sea, islands, ship and harbour wall, and the definitions of all shapes."""
    table = view.table
    return chart(table.seats, table.moves, table.islands, wordless(view.game, say.language))


def pieces(view: View, say: Say) -> dict[str, dict[str, Markup]]:
    """What all may see, the lowest first."""
    return {"main": {"chart": _background(view, say), **_moving(view, say)}}


def _moving(view: View, say: Say) -> dict[str, Markup]:
    """Everything that can change."""
    table, nameless = view.table, wordless(view.game, say.language)
    drawn: dict[str, Markup] = {}
    drawn.update(_berths(table.phase, tuple(boat.lane for boat in table.boats), table.moves, nameless))
    overboard = table.phase in (OVERBOARD, OVERBOARD_CHOICE)
    boats = [
        (place, boat, _boat_spot(place, boat, table.moves), place + 1 == table.target)
        for place, boat in enumerate(table.boats)
        if place < table.players or place == BLACK
    ]
    for place, boat, spot, _ in boats:
        drawn.update(_boat(place, boat, spot, table.seats, overboard, nameless))
    leaving = table.turn if table.phase == LEAVE else -1
    for place, boat, spot, target in boats:
        if boat.at == SEA:
            drawn.update(_aboard(place, boat, spot, table.seats, overboard and target, leaving, nameless))
        if table.target == place + 1:
            drawn.update(_target(spot, table.seats))
    for island in range(len(ISLANDS)):
        crowd = tuple(seat[island] for seat in table.ashore)
        drawn.update(_ashore(table.islands, island, crowd, nameless))
    drawn.update(_seats(view, say, nameless))
    drawn.update(_behind(table, nameless))
    if table.ballots:
        drawn.update(_ballot(table, say, nameless))
    return drawn


def own(view: View, say: Say) -> dict[str, dict[str, Markup]]:
    """What the owner of the hand alone sees: the card played face down, and the captain that could be played."""
    nameless = wordless(view.game, say.language)
    return {} if view.seat is None else {"main": dict(_private(view, view.seat, nameless))}


# The sea


@lru_cache(maxsize=CACHE)
def _berths(phase: int, lanes: tuple[int, ...], moves: int, say: Say) -> Pieces:
    """R6: the start spaces that are free, while boats are being placed."""
    if phase not in (PLACE, PLACE_BLACK):
        return ()
    return tuple(_berth(lane, moves, say) for lane in range(1, LANES + 1) if lane not in lanes)


def _berth(lane: int, moves: int, say: Say) -> tuple[str, Markup]:
    identifier = f"berth-{lane}"
    x, y = boat_place(lane, 0, moves)
    drawn = group(
        identifier,
        tag("title", say("free start space {lane}", lane=lane)),
        tag("rect", class_="berth", x=-38, y=-72, width=76, height=144, rx=34),
        tag("circle", class_="buoy inked", r=19),
        tag("text", str(lane), y=7, class_="on-card"),
        x=x,
        y=y,
        codes=f"lane {lane}",
    )
    return identifier, drawn


def _boat_spot(place: int, boat: Any, moves: int) -> Place:
    """Where the middle of a boat is: hoisted at the ship, at sea, or at the harbour wall."""
    if boat.at == ASIDE:
        return lane_middle(place + 1), START_LINE + 62
    if boat.at == ASHORE:
        return dock_place(boat.arrival)
    return boat_place(boat.lane, boat.row, moves)


@lru_cache(maxsize=CACHE)
def _boat(place: int, boat: Any, spot: Place, seats: int, overboard: bool, say: Say) -> Pieces:
    colour, identifier = COLOURS[place], f"boat-{COLOURS[place]}"
    half = hull_length(seats) / 2
    hull = use("hull"), use(f"sign-{colour}", transform=f"translate(0 {25 - half:g})")
    if boat.at == SUNK:
        inside: tuple[Markup, ...] = (tag("g", *hull, class_="sunk"), _bubbles(half))
    else:
        inside = hull
    drawn = group(
        identifier,
        tag("title", boat_title(place, boat, seats, say)),
        *inside,
        x=spot[0],
        y=spot[1],
        scale={ASIDE: ASIDE_SCALE, ASHORE: DOCK_SCALE}.get(boat.at, 1),
        class_=colour,
        codes=_boat_codes(colour) if boat.at == SEA and not overboard else None,
    )
    return ((identifier, drawn),)


def _boat_codes(colour: str) -> str:
    """What a click on a boat can mean. While somebody must go overboard a colour means men, not boats."""
    sitting = (f"{verb} {rank} {colour}" for verb in ("crew", "leave") for rank in ("sailor", "officer"))
    return "|".join((f"vote {colour}", f"choose {colour}", f"board {colour}", *sitting))


def _bubbles(half: float) -> Markup:
    spots = ((-12, -20, 6), (10, -34, 4), (4, 6, 8), (-16, 22, 5), (17, 30, 6), (-3, -54, 4))
    circles = (tag("circle", class_="bubble", cx=x, cy=y, r=r) for x, y, r in spots)
    cross = tag("path", class_="crossed", d=f"M-22 {-half + 64:g}L22 {half - 34:g}M22 {-half + 64:g}L-22 {half - 34:g}")
    return tag("g", cross, tag("g", *circles, class_="rise"))


@lru_cache(maxsize=CACHE)
def _aboard(place: int, boat: Any, spot: Place, seats: int, target: bool, leaving: int, say: Say) -> Pieces:
    """The men and leaks of a boat: men from the bow, leaks from the stern. Men who may be chosen carry codes."""
    free = iter(places(seats))
    drawn = []
    for seat, rank, number in _each_man(boat.crew):
        codes = None
        if target:
            codes = f"vote {COLOURS[seat]}|choose {COLOURS[seat]}"
        elif seat == leaving:
            codes = f"leave {RANKS[rank]} {COLOURS[place]}"
        x, y = next(free)
        drawn.append(_man(seat, rank, COLOURS[place], number, spot[0] + x, spot[1] + y, 1, codes, say))
    leaks = list(reversed(places(seats)))[: boat.leaks]
    return (*drawn, *(_leak(place, number, spot, leak) for number, leak in enumerate(leaks)))


def _each_man(crew: tuple[tuple[int, ...], ...]) -> Iterator[tuple[int, int, int]]:
    """The seat, the rank and the number among his like of every man."""
    for seat, ranks in enumerate(crew):
        for rank, count in enumerate(ranks):
            for number in range(count):
                yield seat, rank, number


@lru_cache(maxsize=CACHE)
def _man(
    seat: int, rank: int, where: str, number: int, x: float, y: float, scale: float, codes: str | None, say: Say
) -> tuple[str, Markup]:
    colour, kind = COLOURS[seat], RANKS[rank]
    identifier = f"{kind}-{colour}-{where}-{number}"
    drawn = group(
        identifier,
        tag("title", man_title(seat, rank, say)),
        tag("ellipse", class_="splash", rx=22, ry=14, cy=3) if where == "behind" else Markup(""),
        use(f"{kind}-{colour}"),
        x=x,
        y=y,
        scale=scale,
        like=f"{kind} {colour}",
        class_=f"through {colour}{' ghost' if where == 'lost' else ''}",
        codes=codes,
    )
    return identifier, drawn


def _leak(place: int, number: int, spot: Place, leak: Place) -> tuple[str, Markup]:
    identifier = f"leak-{COLOURS[place]}-{number}"
    drop = tag("g", use("leak"), class_="pop")
    return identifier, group(identifier, drop, x=spot[0] + leak[0], y=spot[1] + leak[1], class_="through")


@lru_cache(maxsize=CACHE)
def _target(spot: Place, seats: int) -> Pieces:
    """R17: the full boat in which somebody must go overboard."""
    half = hull_length(seats) / 2 + 9
    ring = {"x": -47, "y": -half, "width": 94, "height": 2 * half, "rx": 46}
    rings = tag("rect", class_="alarm-edge", **ring), tag("rect", class_="alarm march", **ring)
    return (("target", group("target", *rings, x=spot[0], y=spot[1], class_="through")),)


@lru_cache(maxsize=CACHE)
def _ashore(islands: int, island: int, crowd: tuple[tuple[int, ...], ...], say: Say) -> Pieces:
    """The men on an island, side by side; closer and smaller when there are many."""
    men = list(_each_man(crowd))
    left, right = island_span(islands, island)
    wide = round((right - left) / LANE_WIDTH)
    small = len(men) > 2 * (2 * wide + wide % 2)
    per_row, pitch, down, scale = (3 * wide, 27, 27, CROWD_SCALE) if small else (2 * wide + wide % 2, 34, 35, 1)
    drawn = []
    for place, (seat, rank, number) in enumerate(men):
        line, column = divmod(place, per_row)
        in_line = min(per_row, len(men) - line * per_row)
        x = (left + right) / 2 + pitch * (column - (in_line - 1) / 2)
        drawn.append(_man(seat, rank, ISLANDS[island], number, x, 82 + line * down, scale, None, say))
    return tuple(drawn)


def _behind(table: Any, say: Say) -> Iterator[tuple[str, Markup]]:
    """R26: a man who has left a boat swims behind it."""
    for seat, boat in enumerate(table.behind):
        if boat:
            x, y = _boat_spot(boat - 1, table.boats[boat - 1], table.moves)
            below = y + hull_length(table.seats) / 2 + 16
            yield _man(seat, table.behind_rank[seat], "behind", 0, x, below, 1, None, say)


# The seats and their cards


def _seats(view: View, say: Say, nameless: Say) -> Iterator[tuple[str, Markup]]:
    table = view.table
    acting = view.to_act
    places = view.standing.places if table.phase == OVER else ()
    voters = table.voters if table.phase in BALLOTS else 0
    for seat in range(table.players):
        card = NO_VOTE if not voters >> seat & 1 else VOTED if table.voted >> seat & 1 else THINKS
        tab = places[seat] if places else ACTING if seat in acting else 0
        captains, ashore = table.captains[seat], table.ashore[seat]
        yield seat_panel(seat, table.players, say.name(seat), captains, ashore, card, tab, table.phase == LOT, nameless)
        middle = seat_middle(seat, table.players)
        yield from _reserve(seat, middle, table.unseated[seat], table.lost[seat], nameless)
    yield starter_marker(table.starter, table.players, table.phase, nameless)


@lru_cache(maxsize=CACHE)
def _reserve(seat: int, middle: float, unseated: tuple[int, ...], lost: tuple[int, ...], say: Say) -> Pieces:
    """Below a seat's cards: its men still to be seated, and, pale, those lost at sea."""
    men = [(rank, "ship", number) for rank, count in enumerate(unseated) for number in range(count)]
    men += [(rank, "lost", number) for rank, count in enumerate(lost) for number in range(count)]
    drawn = []
    for place, (rank, where, number) in enumerate(men):
        x, y = middle - 42 + 28 * (place % 4), MEN_LINE + 28 * (place // 4)
        drawn.append(_man(seat, rank, where, number, x, y, PANEL_SCALE, None, say))
    return tuple(drawn)


def _ballot(table: Any, say: Say, nameless: Say) -> Iterator[tuple[str, Markup]]:
    """The last ballot: the cards as they were turned, and the count."""
    ballot = table.ballot
    captains = sum(card == BOATS + 1 for card in ballot.cards)
    for seat, card in enumerate(ballot.cards):
        if card:
            weight = ballot.weights[seat] if ballot.kind == OVERBOARD_BALLOT else 0
            yield revealed(table.ballots, seat, table.players, card, weight, captains, nameless)
    decider = "" if ballot.decider < 0 else say.name(ballot.decider)
    yield tally(table.ballots, ballot, decider, nameless)


def _private(view: View, seat: int, say: Say) -> Iterator[tuple[str, Markup]]:
    table = view.table
    if view.hand.card:
        yield own_card(seat, table.players, view.hand.card, say)
    if table.captains[seat] and table.phase in BALLOTS and table.voters & ~table.voted & 1 << seat:
        yield captain_to_play(seat, table.players, table.captains[seat], say)
