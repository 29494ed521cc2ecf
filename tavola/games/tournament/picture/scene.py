"""How a change is shown: a deal, riders who meet while four pairs of cards turn, the toss, gauntlets, a prize paid."""

from collections.abc import Mapping, Sequence
from itertools import accumulate

from markupsafe import Markup

from tavola.core.actions import PlayedAction
from tavola.games.tournament.components import KIND_COUNT, TO_ALL, Duel, Offer, Phase, Seen, Table
from tavola.games.tournament.picture.elements import (
    arms,
    back,
    board_text,
    coin,
    fitted_shape,
    inked,
    plate,
    rect,
    translate,
)
from tavola.games.tournament.picture.market import DEAL_COLUMNS, goods, market, public_offer
from tavola.games.tournament.picture.side import side
from tavola.games.tournament.picture.tiltyard import DuelStage, tiltyard
from tavola.games.tournament.picture.toss import toss
from tavola.games.tournament.words.events import (
    events_before_walkovers,
    table_after_duel,
    unarmed_seats,
    unopposed_seats,
    victor,
)
from tavola.games.tournament.words.nouns import right_corner
from tavola.show.board import Frame, Pieces
from tavola.show.kit import PAINTS
from tavola.show.speech import Say
from tavola.show.svg import group, tag

BoardPieces = Mapping[str, Markup]
OPEN_AT_LEAST = 1_500
"""How long faces that have turned stay open at least, in milliseconds."""
JUDGING = (Phase.THROW, Phase.POINTING, Phase.RACE)


def draw_boards(view: Seen, say: Say, over: BoardPieces | None = None) -> Pieces:
    """Everything on the table, with what a scene lays over it."""
    t = view.table
    main = market(view, say) if t.phase == Phase.TRADE else toss(view, say) if t.phase in JUDGING else tiltyard(t, say)
    if t.phase == Phase.OVER:
        main = {**main, "roll": final_purses(view, say)}
    return {"main": {**main, **(over or {})}, "side": side(view, say)}


def scene(before: Seen, after: Seen, played: PlayedAction | None, say: Say) -> list[Frame]:
    """The pictures between two public views; most changes need none."""
    b, a = before.table, after.table
    if b.phase == Phase.DEAL:
        return []
    frames: list[Frame] = []
    if played is not None and played.verb == "accept":
        frames += _deal_frames(before, played, say)
    ended = table_after_duel(b, a)
    if ended.duel.box == KIND_COUNT and b.duel.box != KIND_COUNT:
        frames += _turning_frames(before, ended, say)
    if b.phase == Phase.POINTING and a.phase != Phase.POINTING:
        frames += _gauntlet_frames(before, ended.duel, say)
    if b.phase == Phase.RACE and played is not None:
        frames += _race_frames(before, played, say)
    if b.phase == Phase.BALLOT and (a.phase != Phase.BALLOT or a.duel.seats != b.duel.seats):
        frames += _will_frames(before, after, say)
    frames += _prize_frames(before, after, say, len(events_before_walkovers(before, after, played, say)))
    if played is not None and played.verb == "buy":
        frames += _purchase_frames(before, played.seat, say)
    if b.phase == Phase.DRAW:
        frames += _draw_frames(before, say)
    told = accumulate((frame.log_lines for frame in frames), max)
    return [frame._replace(log_lines=lines) for frame, lines in zip(frames, told, strict=True)]


def _shown_over(identifier: str, x: float, y: float, *parts: str) -> Markup:
    """Draw what a scene lays over the board: it grows, and nothing of it is touched."""
    return group(identifier, tag("g", *parts, class_="parchment growing"), x=x, y=y, class_="through")


# Trade


def _deal_frames(before: Seen, played: PlayedAction, say: Say) -> list[Frame]:
    """Show what others hear of a deal: who, how many cards or which kinds, how many sous."""
    maker, number = played.indices
    offer = before.table.offers[maker][number]
    over = {"deal": deal(maker, played.seat, offer, say)}  # above the stall on which somebody makes an offer
    return [Frame(lambda: draw_boards(before, say, over), 1_900, 1_000, 1)]


def deal(maker: int, taker: int, offer: Offer, say: Say) -> Markup:
    """Both partners' arms, and the goods that cross."""
    shown = public_offer(offer)._replace(to=taker + 1)
    ground = plate(-470, -126, 940, 250, 14)
    cloths = [
        tag("g", rect(x, -126, 120, 250, "cloth", 14), class_=PAINTS[seat]) for x, seat in ((-470, maker), (350, taker))
    ]
    crests = arms(maker, -455, -54, 90) + arms(taker, 365, -54, 90)
    crossing = translate(-470, -50, goods(shown, DEAL_COLUMNS, 112.0, maker))
    clasp = fitted_shape("clasp", -150, -130, 90, 90)
    word = board_text(say("A deal"), -40, -66, "x2")
    return _shown_over("deal", 500, 236, ground, *cloths, crests, crossing, clasp, word)


# A duel


def _will_frames(before: Seen, after: Seen, say: Say) -> list[Frame]:
    """R16: both ballots at once: a gauntlet for who fights, a broken lance for who does not."""
    b, a = before.table, after.table
    gone = a.out & ~b.out
    over = {}
    for side_, seat in enumerate(b.duel.seats):
        fights = not gone >> seat & 1
        sign = fitted_shape("art-lance", -60, -80, 120, 160) + _strike()
        if fights:
            sign = fitted_shape("gauntlet", -75, -50, 150, 100)
        ground = plate(-120, -136, 240, 260, 14, drop=6)
        turned = (
            translate(0, 30, sign, class_="r2")
            if not side_
            else tag("g", sign, transform="translate(0 30) scale(-1 1)", class_="r2")
        )
        identifier, crest = f"will-{side_}", arms(seat, -38, -126, 76)
        over[identifier] = _shown_over(identifier, 300 + 400 * side_, 500, ground, turned, crest)
    return [Frame(lambda: draw_boards(before, say, over), 1_900, OPEN_AT_LEAST, 1)]


def _strike() -> Markup:
    return inked("M-60 70L60 -70", "tick")


def _turning_frames(before: Seen, ended: Table, say: Say) -> list[Frame]:
    """R19: all cards down, a breath, then pair after pair, while the riders come nearer and meet at the last."""
    stands = _earlier_stands(before, say)

    def frame(run: DuelStage) -> Pieces:
        return {"main": {**tiltyard(ended, say, run), **stands}, "side": side(before, say)}

    frames = [Frame(lambda: frame(DuelStage(0)), 900, 500)]
    for opened in range(1, KIND_COUNT + 1):
        frames.append(Frame(lambda opened=opened: frame(DuelStage(opened)), 900, 600, opened - 1))  # type: ignore[misc]
    frames.append(
        Frame(
            lambda: frame(DuelStage(KIND_COUNT, counted=True)),
            2_300,
            OPEN_AT_LEAST,
            KIND_COUNT + (max(ended.duel.points) < 3),
        )
    )
    return frames


def _earlier_stands(view: Seen, say: Say) -> BoardPieces:
    """The rail before purses change."""
    return {name: drawn for name, drawn in tiltyard(view.table, say).items() if name.startswith("stand-")}


def _prize_frames(before: Seen, after: Seen, say: Say, told: int) -> list[Frame]:
    """R27: who wins is paid, beaten cards go over; then who cannot fight is out, and who would have fought him wins."""
    b, a = before.table, after.table
    ended, frames = table_after_duel(b, a), []
    first, out, won = victor(b, ended), unarmed_seats(b, a), unopposed_seats(b, a)
    if first is not None:
        run = DuelStage(KIND_COUNT if ended.duel.box == KIND_COUNT else 0, counted=True)
        over = {"prize": prize([first], b, a, say)}
        frames.append(Frame(lambda: _draw_tiltyard(ended, run, after, over, say), 2_000, OPEN_AT_LEAST, told))
    if out:
        gone = {"out": excluded_banners(out, say)}
        frames.append(
            Frame(
                lambda: _draw_tiltyard(_without_duel(b), None, before, gone, say), 1_900, OPEN_AT_LEAST, told + len(out)
            )
        )
    if won:
        paid = {"prize": prize(won, b, a, say)}
        lines = told + len(out) + len(won)
        frames.append(
            Frame(lambda: _draw_tiltyard(_without_duel(a), None, after, paid, say), 2_000, OPEN_AT_LEAST, lines)
        )
    return frames


def _draw_tiltyard(t: Table, run: DuelStage | None, view: Seen, over: BoardPieces, say: Say) -> Pieces:
    return {"main": {**tiltyard(t, say, run), **over}, "side": side(view, say)}


def _without_duel(t: Table) -> Table:
    """The lists on which nobody fights."""
    return t._replace(phase=Phase.TRADE)


def prize(seats: Sequence[int], b: Table, a: Table, say: Say) -> Markup:
    """The victors' arms, laurelled, with what each is paid."""
    rows = [_prize(seat, max(0, int(a.purse[seat]) - int(b.purse[seat])), say) for seat in seats]
    top = 76.0 - 76 * len(rows)
    return _shown_over("prize", 500, 540, *[translate(0, top + 152 * row, one) for row, one in enumerate(rows)])


def _prize(seat: int, sous: int, say: Say) -> Markup:
    ground = plate(-270, -68, 540, 132)
    crest = fitted_shape("laurel", -262, -28, 150, 75) + arms(seat, -227, -58, 80)
    gained = coin(sous, 216, -2, 40) if sous else Markup()
    return ground + crest + gained + board_text(say("Victory"), -100, 14, "x1")


def excluded_banners(seats: Sequence[int], say: Say) -> Markup:
    """Banners that are taken down: no full set."""
    width = max(400.0, 150 * len(seats) + 60.0)
    parts = [plate(-width / 2, -158, width, 300)]
    for number, seat in enumerate(seats):
        banner = tag("g", fitted_shape(f"banner-{seat}", -60, -80, 120, 149), class_="out")
        parts.append(translate(150 * (number - (len(seats) - 1) / 2), -60, banner, _strike()))
    parts.append(board_text(say("out of the lists"), 0, 104, "x3 mid"))
    return _shown_over("out", 500, 470, *parts)


def _purchase_frames(before: Seen, seat: int, say: Say) -> list[Frame]:
    """R30: the price goes from the purse to the pile."""
    over = {
        "paid": group(
            "paid", tag("g", coin(int(before.table.price), 0, 0, 44), class_="growing"), x=300, y=920, class_="through"
        )
    }
    return [Frame(lambda: draw_boards(before, say, over), 900, 600, 1)]


def _draw_frames(before: Seen, say: Say) -> list[Frame]:
    """R31: everybody sees a back go from the pile to a hand; what is on it its buyer finds there."""
    t = before.table
    seat = max(0, int(t.duel.buyer) - 1)
    x = 260 + 480 / t.players * (seat + 0.5) - 45

    def frame(left: float, top: float) -> Pieces:
        return draw_boards(
            before, say, {"bought": group("bought", back(-1, 0, 0, 90), x=left, y=top, class_="through")}
        )

    return [Frame(lambda: frame(266, 868), 500, 400), Frame(lambda: frame(x, 250), 1_200, 900, 1)]


# The judgement


def _gauntlet_frames(before: Seen, duel: Duel, say: Say) -> list[Frame]:
    """R24: both gauntlets at once, and the corner that was right."""
    if not all(duel.pointed):
        return []
    right = right_corner(before.table.duel.tokens, before.table.duel.dots)
    pointed = (int(duel.pointed[0]), int(duel.pointed[1]))

    def frame(told: bool) -> Pieces:
        drawn = toss(before, say, thrown=True, seen=pointed)
        over = {"right": lit_corner(right)} if told else {}
        return {"main": {**drawn, **over}, "side": side(before, say)}

    return [Frame(lambda: frame(False), 900, 600, 2), Frame(lambda: frame(True), 2_000, OPEN_AT_LEAST, 3)]


def lit_corner(corner: int) -> Markup:
    """The right corner."""
    x, y = 170 + 660 * (corner % 2), 180 + 640 * (corner // 2)
    ring = tag("circle", r=150.0, class_="halo-ink"), tag("circle", r=150.0, class_="halo")
    return group("right", tag("g", *ring, class_=f"stands stands-{corner}"), x=x, y=y, class_="through")


def _race_frames(before: Seen, played: PlayedAction, say: Say) -> list[Frame]:
    """R25: who was first, or that it cannot be told."""
    first = played.indices[0]
    ground = plate(-220, -128, 440, 240)
    if first == TO_ALL - 1:
        signs = "".join(arms(seat, -110 + 130 * side_, -90, 90) for side_, seat in enumerate(before.table.duel.seats))
        word = say("at the same instant")
    else:
        signs = arms(first, -50, -104, 100) + fitted_shape("laurel", -90, -20, 180, 90)
        word = say("was first")
    over = {"first": _shown_over("first", 500, 500, ground, Markup(signs), board_text(word, 0, 96, "x3b mid"))}
    return [Frame(lambda: draw_boards(before, say, over), 1_600, 1_200, 1)]


# The end


def final_purses(view: Seen, say: Say) -> Markup:
    """Everybody's purse at the end, the richest first."""
    t, places = view.table, view.standing.ranks
    order = sorted(range(t.players), key=lambda seat: (places[seat], seat))
    width = min(150, 840 // t.players)
    left = -width * t.players / 2
    ground = plate(left - 24, -168, width * t.players + 48, 330)
    parts = []
    for number, seat in enumerate(order):
        x = left + width * (number + 0.5)
        wins = places[seat] == 1
        size = min(96, width - 22) if wins else min(74, width - 30)
        parts.append(arms(seat, x - size / 2, -140 if wins else -116, size))
        if wins:
            parts.append(fitted_shape("laurel", x - 62, -40, 124, 62))
        parts.append(fitted_shape("purse", x - 26, 20, 52, 55))
        parts.append(board_text(int(t.purse[seat]), x, 128, "x2 mid"))
    told = tag("title", say("The purses at the end."))
    return group("roll", told, tag("g", ground, *parts, class_="parchment growing"), x=500, y=500)
