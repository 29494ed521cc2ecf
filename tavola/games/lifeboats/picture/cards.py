"""The cards: the ballots at the edge of the sea and in front of it, and the hand that only its owner sees."""

from collections import defaultdict
from functools import lru_cache

from markupsafe import Markup

from tavola.games.lifeboats.components import BALLOTS, BOATS, CAPTAIN, RANKS, At, BallotKind, Boat, Phase, Seen, Table
from tavola.games.lifeboats.faults import eligible
from tavola.games.lifeboats.picture import sea
from tavola.games.lifeboats.picture.scene import BoardState, voters_of
from tavola.games.lifeboats.words.nouns import card_title, man_title
from tavola.show.kit import PAINTS, PieceItems, Spot, anonymous_say, fan, label, piece, row, sign, titled_group, use
from tavola.show.speech import Say
from tavola.show.svg import tag

CARD = "M-63 -104H63Q75 -104 75 -92V92Q75 104 63 104H-63Q-75 104 -75 92V-92Q-75 -104 -63 -104Z"
CARD_BACK = -1
RAIL, STAGE = Spot(172, 1122), Spot(600, 1101)
"""Place of the first card of the last ballot, and the middle of the row while a ballot is revealed."""
STAGE_SCALE, STAGE_PITCH = 0.75, 152
"""Scale of cards while they are revealed, and the distance between them: six fit a phone, no boat is covered."""
RAIL_SCALE = 0.52
"""Scale of cards at the edge, shown only on a narrow screen: a wide one has them at the seats."""
HAND_SIZE = (730, 290)


def card(face: int) -> Markup:
    """Return a card: the colour of a boat from 1, a captain, or the card's back."""
    if face == CARD_BACK:
        return use("card-back")
    if face == CAPTAIN:
        return use("card-captain")
    paint = PAINTS[face - 1]
    return tag("g", use("card-colour"), sign(paint, -42, -70, 1.6), sign(paint, 0, 14, 2.5), class_=paint)


def _name(face: int) -> str:
    return "captain" if face == CAPTAIN else PAINTS[face - 1]


# Ballots: what everyone sees


def ballots(shown: BoardState, say: Say) -> PieceItems:
    """Yield a place for each seat's card: open until the next reveal, and marked once the seat has voted."""
    t = shown.table
    if t.phase <= Phase.CREW:
        return
    if shown.staged:
        yield _stage(shown.counting and not shown.lit)
    ballot, weighs = t.ballot, t.ballot.kind == BallotKind.OVERBOARD
    voted = voters_of(ballot) if shown.staged else []
    staged = dict(zip(voted, row(len(voted), STAGE.x, STAGE.y, STAGE_PITCH), strict=True))
    voters = t.voters if t.phase in BALLOTS and not shown.staged else 0
    for seat, laid in enumerate(ballot.cards[: t.players]):
        at, scale = (staged[seat], STAGE_SCALE) if seat in staged else (Spot(RAIL.x + 98 * seat, RAIL.y), RAIL_SCALE)
        face = laid if seat in shown.open or not laid else CARD_BACK
        waits = 0 if not voters >> seat & 1 else 2 if t.voted >> seat & 1 else 1
        won = bool(ballot.chosen) and (ballot.decider == seat if face == CAPTAIN else 0 < face == ballot.chosen)
        lost = bool(shown.staged and ballot.chosen and face > 0 and not won)
        marks = (waits, ballot.weights[seat] if weighs and face else 0, won, lost, seat == t.starter)
        drawn = _ballot(seat, face, at, scale, marks, say)
        yield f"ballot-{seat}", sea.insert_ballot_number(drawn, t.ballots) if face else drawn


@piece("stage", memory=2)
def _stage(identifier: str, dark: bool) -> Markup:
    veil = [tag("rect", x=-360, y=-354, width=1920, height=1888, class_="veil")] if dark else []
    return titled_group(identifier, "", *veil, class_="through")


@lru_cache(maxsize=sea.CACHE)
def _ballot(seat: int, face: int, at: Spot, scale: float, marks: tuple[int, int, bool, bool, bool], say: Say) -> Markup:
    """The card of one seat under its sign; `marks`: vote still owed or cast, votes, won, lost, start player."""
    waits, weight, won, lost, starter = marks
    laid = []
    if waits == 2:
        laid.append(tag("g", use("card-back"), transform="translate(26 -34) rotate(6)"))
    if won:
        laid.append(use("chosen"))
    if face:
        turned = tag("g", card(face), class_="face beaten" if lost else "face")
        laid.append(tag("g", turned, id=f"face-{sea.BALLOT_MARK}-{seat}-{'open' if face > 0 else 'down'}"))
    elif waits == 1:
        laid.append(tag("path", d=CARD, class_="slot"))
    if weight:
        brass = use("weight", 0, 0, 2.2), label(weight, 0, 42, 72)
        laid.append(tag("g", *brass, transform="translate(48 24)"))
    tab = tag("g", use("tab"), sign(PAINTS[seat], 0, -3, 1.3), transform="translate(0 -112) scale(1.25)")
    wheel = [use("wheel", 62, -112, 1.3)] if starter else []
    title = card_title(face, say) if face > 0 else ""
    rail = "" if scale > RAIL_SCALE else " rail"
    return titled_group(f"ballot-{seat}", title, *laid, tab, *wheel, at=at, scale=scale, class_=f"{PAINTS[seat]}{rail}")


def ballot_cards(view: Seen, say: Say) -> dict[int, Markup]:
    """Return each seat's open card of the last ballot, and its votes in an overboard ballot."""
    t, bare = view.table, anonymous_say(view.game, say.language)
    weights = t.ballot.weights if t.ballot.kind == BallotKind.OVERBOARD else (0,) * t.players
    shown = zip(range(t.players), t.ballot.cards, weights, strict=False)
    return {seat: _ballot_card(face, weight, bare) for seat, face, weight in shown if face}


@lru_cache(maxsize=64)
def _ballot_card(face: int, weight: int, say: Say) -> Markup:
    brass = tag("g", use("weight", 36, 32, 2), label(weight, 36, 70, 68), class_="fine") if weight else ""
    return tag("title", card_title(face, say)) + tag("g", card(face), brass, transform="scale(.4)")


def seat_badges(view: Seen, say: Say) -> dict[int, Markup]:
    """R12: return the captains that each seat has left."""
    t, bare = view.table, anonymous_say(view.game, say.language)
    return {seat: _captain_caps(t.captains[seat], bare) for seat in range(t.players)}


@lru_cache(maxsize=8)
def _captain_caps(left: int, say: Say) -> Markup:
    caps = [
        use("cap-left", x, 4, 0.72) if place < left else use("cap-officer", x, 4, 0.72, class_="spent")
        for place, x in enumerate((-30, 0, 30))
    ]
    return tag("title", say.many("{count} captain left", "{count} captains left", left)) + Markup("").join(caps)


@piece("round-{number}", memory=64)
def banner(identifier: str, number: int, say: Say) -> Markup:
    paint = {"fill": "var(--plate)", "stroke": "var(--gold)", "stroke_width": 5, "stroke_linejoin": "round"}
    ribbon = tag("path", d="M-420 -46H420L386 0L420 46H-420L-386 0Z", **paint)
    inside = tag("g", ribbon, label(say("Round {round}", round=number), 0, 20, 58, "cream"), class_="banner")
    return titled_group(identifier, "", inside, at=Spot(600, 556), class_="through")


# The hand: what only its owner sees


def own_men(t: Table, seat: int) -> dict[str, Markup]:
    """Return a ring round each of the seat's men at sea."""
    return {
        f"own-{PAINTS[place]}": _own_rings(place, boat, t.seats, t.moves)[seat]
        for place, boat in enumerate(t.boats)
        if boat.at == At.SEA and any(boat.crew[seat])
    }


@lru_cache(maxsize=sea.CACHE)
def _own_rings(place: int, boat: Boat, seats: int, moves: int) -> dict[int, Markup]:
    (at, scale), rings = sea.boat_position(boat.lane, boat.row, moves), defaultdict[int, list[Markup]](list)
    for (owner, rank, _), spot in zip(sea.each_man(boat.crew), sea.bench_spots(seats), strict=False):
        rings[owner].append(_man_ring(PAINTS[place], rank, spot, 1 if seats == 6 else 0.8))
    leaning, name = f"rotate({sea.heel_angle(boat.lane, boat.leaks):g})", f"own-{PAINTS[place]}"
    drawn = {seat: tag("g", *own, class_="list own-ring", transform=leaning) for seat, own in rings.items()}
    return {
        seat: titled_group(name, "", tag("g", own, class_="bob"), at=at, scale=round(scale, 3), class_="through")
        for seat, own in drawn.items()
    }


@lru_cache(maxsize=sea.CACHE)
def _man_ring(boat: str, rank: int, spot: Spot, scale: float) -> Markup:
    touch = tag("circle", cx=spot.x, cy=spot.y - 4, r=23, fill_opacity=0)
    return tag("g", use("own", spot.x, spot.y - 6, scale), touch, class_="own-man", codes=f"leave {RANKS[rank]} {boat}")


def hand(t: Table, laid: int, seat: int, say: Say) -> dict[str, Markup]:
    """Return the seat's men while they are seated, later a fan of cards; those of boats that are gone are faded."""
    if t.phase == Phase.OVER:
        return {}
    boats = [place for place in range(BOATS) if place < t.players or place == BOATS - 1]
    if t.phase <= Phase.CREW:
        return _unseated_men(seat, t.unseated[seat], tuple(boats), say)
    useful = eligible(t)
    gone, cards = ([place + 1 for place in boats if useful >> place & 1 == held] for held in (0, 1))
    captains = t.captains[seat]
    held = (*gone, *cards, *[CAPTAIN] * bool(captains or laid == CAPTAIN))
    return _card_fan(held, len(gone), laid, captains, say)


@lru_cache(maxsize=sea.CACHE)
def _unseated_men(seat: int, counts: tuple[int, ...], boats: tuple[int, ...], say: Say) -> dict[str, Markup]:
    spots = row(len(RANKS), HAND_SIZE[0] / 2, 92, 230)
    return dict(_unseated_rank(seat, rank, counts[rank], boats, at, say) for rank, at in enumerate(spots))


@lru_cache(maxsize=sea.CACHE)
def _card_fan(held: tuple[int, ...], gone: int, laid: int, captains: int, say: Say) -> dict[str, Markup]:
    """The cards held; the first `gone` are useless, so they are faded. Cards of lost men drift among the wreckage."""
    spots, fanned = fan(len(held), HAND_SIZE[0] / 2, 126, HAND_SIZE[0] - 180, 104, 1500), []
    for place, (face, at) in enumerate(zip(held, spots, strict=True)):
        marks = (place < gone or bool(laid and laid != face), laid == face, captains if face == CAPTAIN else 0)
        fanned.append(_hand_card(face, at, marks, say))
    return dict(fanned)


@piece("held-{face}", face=_name)
def _hand_card(identifier: str, face: int, at: Spot, marks: tuple[bool, bool, int], say: Say) -> Markup:
    faded, laid, captains = marks
    name, title = _name(face), card_title(face, say)
    inside = [use("chosen")] if laid else []
    inside += [tag("g", card(face), class_="faded" if faded else None), tag("path", d=CARD, class_="aim")]
    if captains:
        badge = tag("circle", r=26, class_="badge"), label(captains, 0, 13, 40, "cream")
        inside.append(tag("g", *badge, transform="translate(46 -74)"))
    if laid:
        title = say("{card} (face down, only you can see it)", card=title)
    codes = "vote captain" if face == CAPTAIN else f"vote {name}|choose {name}"
    raised = at._replace(y=at.y - 22) if laid else at
    return titled_group(identifier, title, *inside, at=raised, codes=None if laid else codes)


@piece("seat-{rank}", rank=RANKS)
def _unseated_rank(
    identifier: str, seat: int, rank: int, count: int, boats: tuple[int, ...], at: Spot, say: Say
) -> Markup:
    paint, kind = PAINTS[seat], RANKS[rank]
    frame = {"x": -90, "y": -82, "width": 180, "height": 164, "rx": 30}
    touch = tag("rect", **frame, class_="hand-shade")
    faded = None if count else "faded"
    man = tag("g", use(kind), sign(paint, 0, -3, 1.1), transform="translate(0 8) scale(2.2)", class_=faded)
    badge = tag("circle", r=30, class_="badge"), label(count, 0, 15, 46, "cream")
    inside = touch, man, tag("g", *badge, transform="translate(66 -52)"), tag("rect", **frame, class_="aim")
    codes = "|".join(f"crew {kind} {PAINTS[boat]}" for boat in boats) if count else None
    return titled_group(identifier, man_title(seat, rank, say), *inside, at=at, class_=paint, codes=codes)
