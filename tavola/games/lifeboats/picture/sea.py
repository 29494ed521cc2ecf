"""The main board: islands and the men on them, the boats at sea and their loads, the mole, the lost men.

Every piece is drawn by a cached function of the few integers it shows, so a move only costs what it changed.
"""

from collections.abc import Iterator
from functools import cache, lru_cache

from markupsafe import Markup

from tavola.games.lifeboats.components import BLACK, FIRST_LANES, ISLANDS, LANES, RANKS, At, BallotKind, Boat, Phase
from tavola.games.lifeboats.picture.scene import BoardState
from tavola.games.lifeboats.words.nouns import POINTS, boat_title, crew_size, island_title, man_title
from tavola.show.kit import PAINTS, PieceItems, Spot, crowd, fitted_text, label, piece, sign, titled_group, use
from tavola.show.speech import Say
from tavola.show.svg import fill_marks, tag

CACHE = 1024
"""Maximum number of cached drawings of each kind: enough for the recent moves of active rooms."""
WIDTH, HEIGHT = 1200, 1180
START_Y, FRONT_Y, BEACH_Y = 870, 441, 326
"""Heights of boats that have not moved, of those one move from the islands, and of the islands' shores."""
PLATE_Y, BOW_Y = 101, -79
HULL = (
    "M0 -106C26 -84 60 -44 62 4C63 42 56 78 42 98Q36 105 24 105"
    "H-24Q-36 105 -42 98C-56 78 -63 42 -62 4C-60 -44 -26 -84 0 -106Z"
)
TOUCH = tag("rect", x=-70, y=-112, width=140, height=236, fill_opacity=0)
"""Area of a boat that takes a touch: as wide as a finger on the smallest screen."""
FENDERS = ((-57, -64), (57, -64), (-62, -20), (62, -20), (-61, 26), (61, 26))
STORM = 7
"""Rounds until the storm has arrived."""
CLOUDS = (
    "M-360 -354H1560V40C1500 62 1440 30 1396 52C1360 92 1290 84 1262 58C1220 96 1150 84 1128 50C1086 78 1020 68 1000 36"
    "C960 60 900 52 884 22C846 42 792 34 778 6C740 22 690 14 676 -12C636 4 590 -4 578 -28C536 -12 486 -22 474 -46"
    "C430 -30 380 -42 368 -66C320 -50 268 -62 256 -86C200 -70 130 -84 120 -108C40 -92 -60 -110 -110 -134L-360 -150Z"
)
FAR_CLOUDS = (
    "M-360 -354H1560V86C1490 112 1420 84 1380 104C1336 138 1268 126 1244 98C1196 130 1120 122 1098 88"
    "C1050 112 984 100 968 68C920 90 858 78 846 50C800 66 744 58 730 30C690 44 640 36 626 12"
    "C580 24 530 14 516 -8L-360 -60Z"
)
"""Banks of cloud that arrive with the storm."""
RAIN = "".join(f"M{x} {y}l-14 46" for x, y in ((-330 + 67 * k % 1880, -80 + 211 * k % 1380) for k in range(120)))
OIL_BOX = (700, 1080, 1062, 1140)
"""The oil in which the caps of the lost drift: left, right, top and bottom."""

BALLOT_MARK = "\ue007"
"""Placeholder for the number of a ballot in cached drawings: every ballot's are equal except for the id."""


def insert_ballot_number(drawn: Markup, ballots: int) -> Markup:
    return fill_marks(drawn, {BALLOT_MARK: str(ballots)})


def lane_width(y: float) -> float:
    """Return the width of a lane at height `y`: lanes are wider in front."""
    return 124 + (y - 320) / 640 * 12


def lane_middle(lane: int, y: float) -> float:
    """Return the middle of a lane, 1 to 7, at height `y`."""
    return 600 + (lane - 4) * lane_width(y)


def boat_spot(lane: int, moved: int, moves: int) -> Spot:
    """Return where a boat at sea is after `moved` moves."""
    y = START_Y - moved * (START_Y - FRONT_Y) / (moves - 1)
    return Spot(lane_middle(lane, y), y)


@lru_cache(maxsize=256)
def boat_position(lane: int, row: int, moves: int) -> tuple[Spot, float]:
    at = boat_spot(lane, row, moves)
    return at, lane_width(at.y) / 136


def heel_angle(lane: int, leaks: int) -> float:
    """Return the degrees by which leaks make a boat lean: to the left in even lanes."""
    return min(leaks, 5) * 1.4 * (1 if lane % 2 else -1)


@cache
def bench_spots(seats: int) -> tuple[Spot, ...]:
    """Return where the seats of a boat are, seen from its middle, the foremost first."""
    if seats == 6:
        return tuple(Spot(x, y) for x, y in ((-22.5, -27), (22.5, -27), (-23.5, 19), (23.5, 19), (-22, 63), (22, 63)))
    spots = tuple(Spot(x, y) for y in (-36, -2, 32, 66) for x in (-22.5, 22.5))
    return spots if seats == 8 else (*spots[:6], Spot(0, 66))


def boats(shown: BoardState, say: Say) -> PieceItems:
    """Yield the islands and everything afloat, the lowest first."""
    t = shown.table
    yield _title(say)
    yield _storm(0 if t.phase == Phase.OVER else min(max(t.rounds - 1, 0), STORM))
    if t.moves != 3:
        yield _rows(t.moves)
    for island in range(len(ISLANDS)):
        yield _island(t.islands, island, say)
        yield _men_ashore(t.islands, island, tuple(seat[island] for seat in t.ashore), say)
    yield _lost_caps(t.lost, say)
    if t.phase in (Phase.BOATS, Phase.BLACK_BOAT):
        taken = {boat.lane for boat in t.boats}
        yield from (_buoy(lane, t.moves, say) for lane in range(1, LANES + 1) if lane not in taken)
    for place in sorted(_boats_in_match(shown), key=lambda place: (t.boats[place].at != At.SUNK, -t.boats[place].row)):
        yield _draw_boat(place, shown, say)


def fenders(shown: BoardState) -> PieceItems:
    """Yield the votes that hang at the boats while the cards are open."""
    t = shown.table
    if t.ballot.kind not in (BallotKind.LEAK, BallotKind.MOVE):
        return
    named = {t.ballot.cards[seat] - 1 for seat in shown.open}
    for place in _boats_in_match(shown):
        boat = t.boats[place]
        if place in named and boat.at == At.SEA:
            votes = tuple(seat for seat in shown.open if t.ballot.cards[seat] == place + 1)
            yield from _fenders(*boat_position(boat.lane, boat.row, t.moves), votes, t.ballots, shown.counting)


def arrivals(shown: BoardState, say: Say) -> PieceItems:
    """Yield the pennants of landed boats, and the swimmers: above everything else."""
    t = shown.table
    for place in _boats_in_match(shown):
        if t.boats[place].at == At.ASHORE:
            yield _pennant(place, t.boats[place], say)
    for seat, boat in enumerate(t.behind):
        if boat:
            left = boat_position(t.boats[boat - 1].lane, t.boats[boat - 1].row, t.moves)
            yield _swimmer(seat, t.behind_rank[seat], *left, seat == shown.drowning, say)


def _boats_in_match(shown: BoardState) -> list[int]:
    return [place for place in range(len(shown.table.boats)) if place < shown.table.players or place == BLACK]


@piece("title", memory=8)
def _title(identifier: str, say: Say) -> Markup:
    """The game's name across the sky: hand lettering in English, print in other languages."""
    named = say("Lifeboats")
    if named == "Lifeboats":
        letters = use("title-letters", 258, 30, 0.92)
    else:
        letters = fitted_text(named.upper(), 588, 120, 104, 660, "poster-words")
    return titled_group(identifier, "", letters, class_="through")


@piece("sky", memory=STORM + 1)
def _storm(identifier: str, strength: int) -> Markup:
    """The first round has a clear dawn; the storm is nearer every round, until all men are ashore or lost."""
    gloom = tag("rect", class_="gloom", x=-360, y=-354, width=1920, height=354 + HEIGHT + 354)
    clouds = tag("g", tag("path", class_="thunder far", d=FAR_CLOUDS), tag("path", class_="thunder", d=CLOUDS))
    rain = tag("path", class_="rain", d=RAIN)
    return titled_group(identifier, "", gloom, clouds, rain, class_=f"storm storm-{strength} through")


# Islands


def lane_span(islands: int, island: int) -> tuple[int, int]:
    """Return the first and the last lane of an island, by the option `islands`."""
    first = [1, *map(int, FIRST_LANES[islands]), LANES + 1]
    return first[island], first[island + 1] - 1


@piece("island-{island}", memory=64)
def _island(identifier: str, islands: int, island: int, say: Say) -> Markup:
    first, last = lane_span(islands, island)
    values = tag("g", *plaque(island), transform="translate(0 298)", data_clear="")
    drawn = use(f"island-{island}-{last - first + 1}"), values
    middle = (lane_middle(first, BEACH_Y) + lane_middle(last, BEACH_Y)) / 2
    return titled_group(identifier, island_title(island, say), *drawn, at=Spot(middle, 0))


def plaque(island: int) -> tuple[Markup, Markup, Markup]:
    officer, sailor = POINTS[island]
    return use("plaque"), label(officer, -24, 14, 40), label(sailor, 66, 14, 40)


@piece("ashore-{island}")
def _men_ashore(identifier: str, islands: int, island: int, crews: tuple[tuple[int, ...], ...], say: Say) -> Markup:
    men = list(each_man(crews))
    first, last = lane_span(islands, island)
    left, right = lane_middle(first, BEACH_Y) - 70, lane_middle(last, BEACH_Y) + 70
    figures = []
    for man, spot in zip(men, crowd(len(men), left + 20, right - 20, 270, 48, 34), strict=True):
        seat, rank, _ = man
        drawn = tag("g", use(f"saved-{RANKS[rank]}"), sign(PAINTS[seat], 0, -36, 0.92), class_="steps-out")
        title, place = tag("title", man_title(seat, rank, say)), f"translate({spot.x:.1f} {spot.y:.1f})"
        figures.append(_figure(f"saved-{island}", man, place, title, drawn, kind=" man"))
    return titled_group(identifier, island_title(island, say), *figures)


def _figure(name: str, man: tuple[int, int, int], place: str, *parts: Markup, kind: str = "") -> Markup:
    """A man, or a man's cap; each has an id of its own, so that it shifts when another leaves."""
    seat, rank, number = man
    return tag("g", *parts, id=f"{name}-{seat}-{rank}-{number}", class_=f"{PAINTS[seat]}{kind}", transform=place)


def each_man(crews: tuple[tuple[int, ...], ...]) -> Iterator[tuple[int, int, int]]:
    """Yield the seat, the rank and the number among equal men of every man, officers first."""
    for rank in range(len(RANKS)):
        for seat, ranks in enumerate(crews):
            for number in range(ranks[rank]):
                yield seat, rank, number


@piece("landed-{place}", place=PAINTS)
def _pennant(identifier: str, place: int, boat: Boat, say: Say) -> Markup:
    beach = f"translate({lane_middle(boat.lane, BEACH_Y):g} 386)"
    flag = tag("g", use("pennant"), label(boat.arrival, 20, -28, 40, "on"), transform=beach)
    berth = use("mini"), sign(PAINTS[place], 6, 0, 1.05)
    mini = tag("g", *berth, transform=f"translate(1112 {340 + 78 * (boat.arrival - 1)})")
    return titled_group(identifier, boat_title(place, boat, 0, say), flag, mini, class_=f"{PAINTS[place]} steps-out")


# Boats


@piece("rows", memory=8)
def _rows(identifier: str, moves: int) -> Markup:
    """Lines where boats stop, for numbers of moves that the swells of the scenery do not match."""
    heights = [START_Y + 118 - moved * (START_Y - FRONT_Y) / (moves - 1) for moved in range(moves)]
    lines = tag("path", d="".join(f"M130 {y:g}H1070" for y in heights), class_="rows")
    return titled_group(identifier, "", lines, class_="through")


@piece("buoy-{lane}")
def _buoy(identifier: str, lane: int, moves: int, say: Say) -> Markup:
    """R6: a free start space while boats are being placed."""
    title = say("lane {lane} (free)", lane=lane)
    aim = tag("circle", r=50, cy=-8, class_="aim")
    touch = tag("rect", x=-60, y=-64, width=120, height=124, fill_opacity=0)
    at = boat_spot(lane, 0, moves)
    return titled_group(identifier, title, touch, use("buoy"), label(lane, 0, 6, 44), aim, at=at, codes=f"lane {lane}")


def _draw_boat(place: int, shown: BoardState, say: Say) -> tuple[str, Markup]:
    t, boat = shown.table, shown.table.boats[place]
    if boat.at == At.ASIDE:
        return _hanging_boat(place, boat, say)
    if boat.at == At.ASHORE:
        return _landed_boat(place, boat.lane)
    ballot = t.ballot
    lately = ballot.chosen == place + 1 and shown.settled and ballot.kind != BallotKind.OVERBOARD
    marks = (
        ballot.kind if lately else 0,
        t.target == place + 1,
        shown.lit == place + 1,
        shown.sinking >> place & 1 == 1,
        t.phase not in (Phase.OVERBOARD_BALLOT, Phase.OVERBOARD_CHOICE),  # overboard, a colour means men, not boats
    )
    return _boat(place, boat, t.seats, t.moves, marks, say)


@piece("boat-{place}", place=PAINTS, memory=64)
def _hanging_boat(identifier: str, place: int, boat: Boat, say: Say) -> Markup:
    at, paint = Spot(212 + 128 * place, 1060), PAINTS[place]
    return titled_group(identifier, boat_title(place, boat, 0, say), hull(paint), at=at, scale=0.56, class_=paint)


@piece("boat-{place}", place=PAINTS, memory=64)
def _landed_boat(identifier: str, place: int, lane: int) -> Markup:
    """A boat ashore: nothing of it is left at sea, but the piece knows where it landed."""
    return titled_group(identifier, "", at=Spot(lane_middle(lane, BEACH_Y), BEACH_Y), scale=0.5, class_="through")


_ROWED = tag("g", use("wake"), class_="wake") + tag("g", use("oars"), class_="rowing")


@piece("boat-{place}", place=PAINTS)
def _boat(identifier: str, place: int, boat: Boat, seats: int, moves: int, marks: tuple[int, ...], say: Say) -> Markup:
    """A boat at sea, or the whirl of a sunk one.

    `marks`: the ballot that chose it last, then whether it is full and takes a leak, is lit, sinks, can be touched.
    """
    lately, target, lit, sinking, touchable = marks
    paint, (at, scale) = PAINTS[place], boat_position(boat.lane, boat.row, moves)
    title, sunk = _boat_title_now(place, boat, seats, moves, say), boat.at == At.SUNK
    body = _boat_body(place, boat.leaks, boat.crew, seats) + _halos(bool(target), bool(lit))
    floating = _floating(boat, body, sunk or bool(sinking))
    if sunk:
        return titled_group(identifier, title, floating, at=at, scale=round(scale * 0.8, 3), class_=f"{paint} sunk")
    rowed = [_ROWED] if lately == BallotKind.MOVE and boat.row else []
    pinned = [use("pin", 0, -112)] if lately == BallotKind.LEAK else []
    class_ = f"{paint} danger" if crew_size(boat) <= boat.leaks else paint
    sitting = (f"{verb} {rank} {paint}" for verb in ("crew", "leave") for rank in RANKS)
    codes = "|".join([*(f"{verb} {paint}" for verb in ("vote", "choose", "board")), *sitting]) if touchable else None
    parts = *rowed, TOUCH, floating, *pinned
    return titled_group(identifier, title, *parts, at=at, scale=round(scale, 3), class_=class_, codes=codes)


def _floating(boat: Boat, body: Markup, sinking: bool) -> Markup:
    over = tag("g", use("going-under"), class_="under") if sinking else _plate(crew_size(boat), boat.leaks)
    lean = 27 if sinking else heel_angle(boat.lane, boat.leaks)
    return tag("g", tag("g", body, over, class_="list", transform=f"rotate({lean:g})"), class_="bob")


@lru_cache(maxsize=CACHE)
def _boat_body(place: int, leaks: int, crew: tuple[tuple[int, ...], ...], seats: int) -> Markup:
    water = _water(leaks, seats) if leaks else ""
    return hull(PAINTS[place], seats) + water + _crew(place, crew, seats)


def hull(paint: str, seats: int = 6) -> Markup:
    return use(f"boat-{seats}") + sign(paint, 0, BOW_Y, 1.35)


@cache
def _halos(target: bool, lit: bool) -> Markup:
    rings = (
        tag("path", d=HULL, class_="target", transform="scale(1.12)") if target else "",
        tag("path", d=HULL, class_="chosen-boat", transform="scale(1.06)") if lit else "",
        tag("path", d=HULL, class_="aim", transform="scale(1.05)"),
    )
    return Markup("").join(rings)


@lru_cache(maxsize=CACHE)
def _boat_title_now(place: int, boat: Boat, seats: int, moves: int, say: Say) -> str:
    """A boat's title with the moves it needs. A landing boat, between two rows, is still a move away."""
    title = boat_title(place, boat, seats, say)
    to_go = say.many("{count} move from shore", "{count} moves from shore", moves - int(boat.row))
    return f"{title}, {to_go}" if boat.at == At.SEA else title


@lru_cache(maxsize=64)
def _water(leaks: int, seats: int) -> Markup:
    """Water rises from the stern, two seats a bench; each leak is where its seat was."""
    spots = bench_spots(seats)[::-1][:leaks]
    spring = tag("g", use("spring"), class_="spring")
    springs = (tag("g", spring, transform=f"translate({x:g} {y:g})") for x, y, _ in spots)
    return tag("g", tag("g", use(f"water-{6 if seats == 6 else 8}-{min(leaks, seats)}"), class_="water"), *springs)


def _crew(place: int, crew: tuple[tuple[int, ...], ...], seats: int) -> Markup:
    men = zip(each_man(crew), bench_spots(seats), strict=False)
    return Markup("").join([_man(PAINTS[place], man, spot, 0.97 if seats == 6 else 0.78) for man, spot in men])


@lru_cache(maxsize=CACHE)
def _man(boat: str, man: tuple[int, int, int], spot: Spot, size: float) -> Markup:
    drawn = tag("g", use(RANKS[man[1]]), sign(PAINTS[man[0]], 0, -3, 1.1), class_="aboard")
    return _figure(f"man-{boat}", man, f"translate({spot.x:g} {spot.y - 4:g}) scale({size})", drawn, kind=" man")


@lru_cache(maxsize=256)
def _plate(men: int, leaks: int) -> Markup:
    """Men and leaks: R22 compares them."""
    figures = label(men, -20, 14, 41, "cream"), label(leaks, 20, 14, 41, "wet")
    stroke = tag("path", d="M-4 10L4 -12", stroke="var(--gold)", stroke_width=2.8)
    return tag("g", use("plate", class_="plate"), *figures, stroke, transform=f"translate(0 {PLATE_Y})", data_clear="")


@lru_cache(maxsize=CACHE)
def _fenders(
    at: Spot, scale: float, votes: tuple[int, ...], ballots: int, counting: bool
) -> tuple[tuple[str, Markup], ...]:
    """The signs of the seats that voted for a boat, and during the count their number of votes.

    They are pieces of their own, so turning another card does not redraw the boat.
    """
    hung = []
    for seat, (x, y) in zip(votes, FENDERS, strict=False):
        spot = Spot(at.x + scale * x, at.y + scale * y)
        chip = _chip(f"chip-{BALLOT_MARK}-{seat}", PAINTS[seat], spot, scale, counting)
        hung.append((f"chip-{ballots}-{seat}", insert_ballot_number(chip, ballots)))
    if counting:
        name = f"count-{{}}-{len(votes)}-{votes[0]}"
        count = _count(name.format(BALLOT_MARK), len(votes), Spot(at.x, at.y - 122 * scale), scale)
        hung.append((name.format(ballots), insert_ballot_number(count, ballots)))
    return tuple(hung)


@lru_cache(maxsize=CACHE)
def _chip(name: str, paint: str, at: Spot, scale: float, flies: bool) -> Markup:
    drawn = tag("g", use("chip"), sign(paint, 0, 0, 1.15), class_="flies" if flies else None)
    return titled_group(name, "", drawn, at=at, scale=round(scale, 3), class_=f"{paint} through")


@lru_cache(maxsize=CACHE)
def _count(name: str, votes: int, at: Spot, scale: float) -> Markup:
    badge = tag("circle", r=27, class_="badge"), label(votes, 0, 14, 42, "cream")
    return titled_group(name, "", tag("g", *badge, class_="count"), at=at, scale=round(scale, 3), class_="through")


# Men in the water

_PLASH = tag("g", tag("ellipse", cy=12, rx=46, ry=20), tag("ellipse", cy=12, rx=28, ry=12), class_="plash")


@piece("behind-{seat}")
def _swimmer(identifier: str, seat: int, rank: int, boat: Spot, scale: float, drowns: bool, say: Say) -> Markup:
    """R26: a man who has left a boat swims behind it."""
    at = Spot(boat.x, boat.y + 146 * scale)
    water = tag("path", d="M-24 9Q-12 2 0 10T24 9L22 24H-22Z", fill="var(--sea6)", opacity=0.8)
    edge = tag("path", d="M-26 9Q-12 2 0 10T26 9", fill="none", stroke="var(--foam)", stroke_width=3.6)
    man = use(RANKS[rank], 0, -4, 0.92) + sign(PAINTS[seat], 0, -6)
    if drowns:
        moment = tag("g", use("swimming"), man, water, edge, class_="drowns")
    else:
        ripples, front = tag("g", use("swimming"), class_="ripples"), tag("g", water, edge, class_="ripples")
        moment = ripples + _PLASH + tag("g", man, class_="leaps") + front
    title = say("{man} swimming behind the boat", man=man_title(seat, rank, say))
    return titled_group(identifier, title, moment, at=at, scale=round(scale * 1.1, 3), class_=PAINTS[seat])


@piece("lost")
def _lost_caps(identifier: str, lost: tuple[tuple[int, ...], ...], say: Say) -> Markup:
    men = list(each_man(lost))
    left, right, top, bottom = OIL_BOX
    across = max(4, -(-len(men) // 4))
    caps = []
    for k, man in enumerate(men):
        row, column = divmod(k, across)
        x = left + (right - left) * (column + row % 2 / 2) / across
        y = top + (bottom - top) * row / 4
        drawn = tag("g", use("lost-cap", 0, 0, 0.9), sign(PAINTS[man[0]], 0, 1, 0.6), class_="cap")
        title = tag("title", man_title(man[0], man[1], say))
        caps.append(_figure("cap", man, f"translate({x:.0f} {y:.0f})", title, drawn))
    return titled_group(identifier, "", *caps, class_="through")
