"""Pictures of Tournament: a heraldic roll, cut in pear wood. See `tavola.show.board`.

The main board is the market while trade is open, the lists in a duel, and a quartered shield at the judgement.
`lists.svg` is the scenery of the lists; `shapes.svg` and `picture.css` are the art. Colours are the tinctures of
heraldry, and every tincture comes with its sign.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import accumulate, chain

from markupsafe import Markup

from tavola.core.actions import PlayedAction
from tavola.games.tournament.components import KIND_COUNT, SEATS, TO_ALL, Phase, Seen, Table
from tavola.games.tournament.picture import elements as draw
from tavola.games.tournament.picture import hand as held
from tavola.games.tournament.picture import side as ledger
from tavola.games.tournament.picture.composer import composer
from tavola.games.tournament.picture.lesson import lesson, poster
from tavola.games.tournament.picture.market import DEAL_COLUMNS, answers, goods, market, public_offer
from tavola.games.tournament.picture.tiltyard import SIZE, DuelStage, tiltyard
from tavola.games.tournament.picture.toss import TOKENS, call_to_point, toss
from tavola.games.tournament.words.events import (
    events_before_walkovers,
    table_after_duel,
    unarmed_seats,
    unopposed_seats,
    victor,
)
from tavola.games.tournament.words.nouns import right_corner
from tavola.show.board import Board, Frame, Pieces
from tavola.show.cards import Picture
from tavola.show.kit import PAINTS, art, row
from tavola.show.sound import Palette, bell, breath, card, chord, coins, common_sounds, knock, tone
from tavola.show.speech import Say
from tavola.show.svg import group, tag

BOARDS = {
    "main": Board((SIZE, SIZE), backdrop="lists.svg", rows=2),
    "side": Board((ledger.WIDTH, ledger.HEIGHT)),
    "hand": Board((held.WIDTH, held.HEIGHT), phone=held.STRIP),
}
STYLE, SHAPES = art(__file__)
SOUNDS: Palette = {
    **common_sounds(262, "sawtooth"),
    "deal": (*knock(260, loudness=0.03), *coins(3)),
    "hooves": tuple(
        part for k, after in enumerate((0, 150, 400, 550, 760)) for part in knock(95 + k % 2 * 20, after=after)
    ),
    "steel": (*bell(1_245, 420), *bell(1_760, 300), breath(5_200, 2_600, 90, rise=4)),
    "judged": chord(392, (1, 1, 1.5), apart=150, lasts=360, source="sawtooth"),
    "prize": (*chord(262, (1.5, 2, 3), apart=130, lasts=420, source="sawtooth"), *coins(4)),
    "out": (*knock(70, loudness=0.08), *knock(70, after=260, loudness=0.08)),
    "gauntlet": (*knock(120), breath(2_400, 1_200, 120, after=10, rise=5)),
    "first": chord(523, (1, 1.5), apart=90, lasts=300, source="sawtooth"),
    "paid": coins(2),
    "card": (*card(), tone(392, 140, after=90)),
}
BoardPieces = Mapping[str, Markup]
Frames = Iterator[Frame]
OPEN_AT_LEAST = 1_500
"""Minimum milliseconds that cards stay face up after they have turned."""
JUDGING = (Phase.THROW, Phase.POINTING, Phase.RACE)
SEALS = tuple(f"tm-arms-{seat}" for seat in range(SEATS))


def pieces(view: Seen, say: Say, over: BoardPieces | None = None) -> Pieces:
    """Return the pieces on the table, with those of a scene over them."""
    t = view.table
    drawn = market(t, say) if t.phase == Phase.TRADE else toss(view, say) if t.phase in JUDGING else tiltyard(t, say)
    main = dict(drawn)
    if t.phase == Phase.OVER:
        main["roll"] = final_purses(view, say)
    return {"main": {**main, **(over or {})}, "side": ledger.side(view, say)}


def own_pieces(view: Seen, say: Say) -> Pieces:
    if view.seat is None or view.hand is None:
        return {}
    t = view.table
    if t.phase == Phase.TRADE:
        main = dict(chain(answers(view, say), composer(t, view.seat, view.hand, say)))
    else:
        main = dict(call_to_point(view, say) if t.phase in JUDGING else held.laid_cards(view, say))
    return {"main": main, "hand": dict(held.hand(view, say)), "side": dict(ledger.sure_cards(view, say))}


# Scenes


def scene(before: Seen, after: Seen, played: PlayedAction | None, say: Say) -> list[Frame]:
    if before.table.phase == Phase.DEAL:
        return []
    frames = [frame for part in _PARTS for frame in part(before, after, played, say)]
    told = accumulate((frame.log_lines for frame in frames), max)
    return [frame._replace(log_lines=lines) for frame, lines in zip(frames, told, strict=True)]


def _shown_over(identifier: str, x: float, y: float, *parts: str) -> dict[str, Markup]:
    """Draw what a scene lays over the board: it grows, and is not interactive."""
    return {identifier: group(identifier, tag("g", *parts, class_="parchment growing"), x=x, y=y, class_="through")}


# Trade


def _deal_frames(before: Seen, after: Seen, played: PlayedAction | None, say: Say) -> Frames:
    if played is None or played.verb != "accept":
        return
    (maker, number), taker = played.indices, played.seat
    shown = public_offer(before.table.offers[maker][number])._replace(to=taker + 1)
    parts = (
        draw.plate(-470, -126, 940, 250, 14),
        tag("g", draw.rect(-470, -126, 120, 250, "cloth", 14), class_=PAINTS[maker]),
        tag("g", draw.rect(350, -126, 120, 250, "cloth", 14), class_=PAINTS[taker]),
        draw.arms(maker, -455, -54, 90),
        draw.arms(taker, 365, -54, 90),
        draw.translate(-470, -50, goods(shown, DEAL_COLUMNS, 112.0, maker)),
        draw.fitted_shape("clasp", -150, -130, 90, 90),
        draw.board_text(say("Deal!"), -40, -66, "x2"),
    )
    yield Frame(partial(pieces, before, say, _shown_over("deal", 500, 236, *parts)), 1_900, 1_000, 1, sound="deal")


# A duel


def _will_frames(before: Seen, after: Seen, played: PlayedAction | None, say: Say) -> Frames:
    """R16: both ballots at once: a gauntlet for a seat that fights, a broken lance for one that does not."""
    b, a = before.table, after.table
    if b.phase == Phase.BALLOT and (a.phase != Phase.BALLOT or a.duel.seats != b.duel.seats):
        fight = [not (a.out & ~b.out) >> seat & 1 for seat in b.duel.seats]
        over = {**_will(0, b.duel.seats[0], fight[0]), **_will(1, b.duel.seats[1], fight[1])}
        yield Frame(partial(pieces, before, say, over), 1_900, OPEN_AT_LEAST, 1, sound="gauntlet")


def _will(side_: int, seat: int, fights: bool) -> dict[str, Markup]:
    sign = draw.fitted_shape("art-lance", -60, -80, 120, 160) + _STRIKE
    if fights:
        sign = draw.fitted_shape("gauntlet", -75, -50, 150, 100)
    turned = tag("g", sign, transform="translate(0 30)" + " scale(-1 1)" * side_, class_="r2")
    ground, crest = draw.plate(-120, -136, 240, 260, 14, drop=6), draw.arms(seat, -38, -126, 76)
    return _shown_over(f"will-{side_}", 300 + 400 * side_, 500, ground, turned, crest)


_STRIKE = draw.inked("M-60 70L60 -70", "tick")


def _turning_frames(before: Seen, after: Seen, played: PlayedAction | None, say: Say) -> Frames:
    """R19: all cards down, a pause, then pair after pair, while the riders approach and meet at the last."""
    ended = table_after_duel(before.table, after.table)
    if ended.duel.box != KIND_COUNT or before.table.duel.box == KIND_COUNT:
        return
    # The rail shows purses as they were before.
    over = {name: drawn for name, drawn in tiltyard(before.table, say) if name.startswith("stand-")}
    moment = partial(_draw_tiltyard, ended, view=before, over=over, say=say)
    yield Frame(partial(moment, DuelStage(0)), 900, 500, closed=True, sound="hooves")
    for opened in range(1, KIND_COUNT + 1):
        yield Frame(partial(moment, DuelStage(opened)), 900, 600, opened - 1, sound="steel")
    lines = KIND_COUNT + (max(ended.duel.points) < 3)
    yield Frame(partial(moment, DuelStage(KIND_COUNT, counted=True)), 2_300, OPEN_AT_LEAST, lines, sound="judged")


def _draw_tiltyard(t: Table, run: DuelStage | None, view: Seen, over: BoardPieces, say: Say) -> Pieces:
    return {"main": {**dict(tiltyard(t, say, run)), **over}, "side": ledger.side(view, say)}


def _prize_frames(before: Seen, after: Seen, played: PlayedAction | None, say: Say) -> Frames:
    """R27: the prize and the beaten cards first; then seats that cannot fight are out, and their opponents win."""
    b, a = before.table, after.table
    ended, lines = table_after_duel(b, a), len(events_before_walkovers(before, after, played, say))
    first, out, won = victor(b, ended), unarmed_seats(b, a), unopposed_seats(b, a)
    if first is not None:
        drawn = partial(_draw_tiltyard, ended, None, after, _prize([first], b, a, say), say)
        yield Frame(drawn, 2_000, OPEN_AT_LEAST, lines, sound="prize")
    if out:
        lines += len(out)
        drawn = partial(_draw_tiltyard, _without_duel(b), None, before, _excluded_banners(out, say), say)
        yield Frame(drawn, 1_900, OPEN_AT_LEAST, lines, sound="out")
    if won:
        lines += len(won)
        drawn = partial(_draw_tiltyard, _without_duel(a), None, after, _prize(won, b, a, say), say)
        yield Frame(drawn, 2_000, OPEN_AT_LEAST, lines, sound="prize")


def _without_duel(t: Table) -> Table:
    return t._replace(phase=Phase.TRADE)


def _prize(seats: Sequence[int], b: Table, a: Table, say: Say) -> dict[str, Markup]:
    rows, top = [], 76.0 - 76 * len(seats)
    for place, seat in enumerate(seats):
        sous = max(0, a.purse[seat] - b.purse[seat])
        crest = draw.fitted_shape("laurel", -262, -28, 150, 75) + draw.arms(seat, -227, -58, 80)
        gained = draw.coin(sous, 216, -2, 40) if sous else Markup()
        drawn = draw.plate(-270, -68, 540, 132) + crest + gained + draw.board_text(say("Victory"), -100, 14, "x1")
        rows.append(draw.translate(0, top + 152 * place, drawn))
    return _shown_over("prize", 500, 540, *rows)


def _excluded_banners(seats: Sequence[int], say: Say) -> dict[str, Markup]:
    width = max(400.0, 150 * len(seats) + 60.0)
    banners = [tag("g", draw.fitted_shape(f"banner-{seat}", -60, -80, 120, 149), class_="out") for seat in seats]
    spots = row(len(seats), 0, -60, 150)
    hung = [draw.translate(spot.x, spot.y, banner, _STRIKE) for spot, banner in zip(spots, banners, strict=True)]
    words = draw.board_text(say("out of the duels"), 0, 104, "x3 mid")
    return _shown_over("out", 500, 470, draw.plate(-width / 2, -158, width, 300), *hung, words)


def _purchase_frames(before: Seen, after: Seen, played: PlayedAction | None, say: Say) -> Frames:
    """R30: the price moves from the purse to the pile."""
    if played is not None and played.verb == "buy":
        paid = tag("g", draw.coin(before.table.price, 0, 0, 44), class_="growing")
        over = {"paid": group("paid", paid, x=300, y=920, class_="through")}
        yield Frame(partial(pieces, before, say, over), 900, 600, 1, sound="paid")


def _draw_frames(before: Seen, after: Seen, played: PlayedAction | None, say: Say) -> Frames:
    """R31: viewers see a back go from the pile to a hand; only the buyer's hand shows its face."""
    t = before.table
    if t.phase == Phase.DRAW:
        x = 260 + 480 / t.players * (max(0, t.duel.buyer - 1) + 0.5) - 45
        for spot, times in (((266, 868), (500, 400, 0)), ((x, 250), (1_200, 900, 1))):
            over = {"bought": group("bought", draw.back(-1, 0, 0, 90), x=spot[0], y=spot[1], class_="through")}
            yield Frame(partial(pieces, before, say, over), *times, sound="card")


# The judgement


def _gauntlet_frames(before: Seen, after: Seen, played: PlayedAction | None, say: Say) -> Frames:
    """R24: both gauntlets at once, and the corner that was right."""
    b, pointed = before.table, table_after_duel(before.table, after.table).duel.pointed
    if b.phase != Phase.POINTING or after.table.phase == Phase.POINTING or not all(pointed):
        return
    corner = right_corner(b.duel.tokens, b.duel.dots)
    rings = (tag("circle", r=150.0, class_=class_) for class_ in ("halo-ink", "halo"))
    lit = tag("g", *rings, class_=f"stands stands-{corner}")
    right = {"right": group("right", lit, x=TOKENS[corner][0], y=TOKENS[corner][1], class_="through")}

    def judged(over: BoardPieces) -> Pieces:
        return {"main": {**dict(toss(before, say, pointed)), **over}, "side": ledger.side(before, say)}

    yield Frame(partial(judged, {}), 900, 600, 2, sound="gauntlet")
    yield Frame(partial(judged, right), 2_000, OPEN_AT_LEAST, 3, sound="judged")


def _race_frames(before: Seen, after: Seen, played: PlayedAction | None, say: Say) -> Frames:
    """R25: the seat that was first, or a tie."""
    if before.table.phase != Phase.RACE or played is None:
        return
    first = played.indices[0]
    signs, word = [draw.arms(first, -50, -104, 100), draw.fitted_shape("laurel", -90, -20, 180, 90)], say("was first")
    if first == TO_ALL - 1:
        signs = [draw.arms(seat, -110 + 130 * side_, -90, 90) for side_, seat in enumerate(before.table.duel.seats)]
        word = say("at the same instant")
    ground, words = draw.plate(-220, -128, 440, 240), draw.board_text(word, 0, 96, "x3b mid")
    over = _shown_over("first", 500, 500, ground, *signs, words)
    yield Frame(partial(pieces, before, say, over), 1_600, 1_200, 1, sound="first")


_PARTS = (
    _deal_frames,
    _turning_frames,
    _gauntlet_frames,
    _race_frames,
    _will_frames,
    _prize_frames,
    _purchase_frames,
    _draw_frames,
)


def final_purses(view: Seen, say: Say) -> Markup:
    t, places = view.table, view.standing.ranks
    order = sorted(range(t.players), key=lambda seat: (places[seat], seat))
    width = min(150, 840 // t.players)
    left = -width * t.players / 2
    parts = [draw.plate(left - 24, -168, width * t.players + 48, 330)]
    for number, seat in enumerate(order):
        x = left + width * (number + 0.5)
        wins = places[seat] == 1
        size = min(96, width - 22) if wins else min(74, width - 30)
        parts.append(draw.arms(seat, x - size / 2, -140 if wins else -116, size))
        if wins:
            parts.append(draw.fitted_shape("laurel", x - 62, -40, 124, 62))
        parts += [draw.fitted_shape("purse", x - 26, 20, 52, 55), draw.board_text(t.purse[seat], x, 128, "x2 mid")]
    told = tag("title", say("Final purses."))
    return group("roll", told, tag("g", *parts, class_="parchment growing"), x=500, y=500)


PICTURE = Picture(
    boards=BOARDS,
    style=STYLE,
    shapes=SHAPES,
    pieces=pieces,
    own_pieces=own_pieces,
    lesson=lesson,
    poster=poster,
    scene=scene,
    sounds=SOUNDS,
    seals=SEALS,
)
