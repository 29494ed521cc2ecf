"""The judgement of God: the screen is quartered like a shield, and each whole quarter is a button."""

import math

from markupsafe import Markup

from tavola.core import CHANCE
from tavola.games.tournament.components import CORNERS, Phase, Seen
from tavola.games.tournament.picture.elements import arms, board_text, cloth, fitted_shape, inked, rect, translate
from tavola.games.tournament.picture.tiltyard import tray_faces
from tavola.games.tournament.words.nouns import CORNER
from tavola.show.kit import PieceItems, fitted_text, piece
from tavola.show.speech import Say
from tavola.show.svg import group, tag

REACH = 1900.0
"""How far the quarters extend past the board: beyond any screen."""
MIDDLE, COIN = 500.0, 64.0
CLOTH = ("gu", "az", "ve", "pu")
TOKENS = ((170, 180), (830, 180), (170, 820), (830, 820))
KEYS = ((50, 340), (950, 340), (50, 660), (950, 660))
KNIGHTS = (70, 930)
AIR = ((-165, -18, -14, 0.84), (-63, -126, 8, 0.95), (72, -120, -12, 0.78), (168, -12, 16, 0.92))
"""Places of the four coins: offset from the middle, rotation, and flattening."""


def toss(view: Seen, say: Say, seen: tuple[int, ...] = (0, 0)) -> PieceItems:
    """Draw the four quarters round a glory of rays; before the throw a fist, then the coins in the air.

    `seen`: the corner at which each side pointed, from 1, once revealed.
    """
    duel, in_air = view.table.duel, view.table.phase == Phase.POINTING
    yield from (_quarter(corner, say) for corner in range(len(CORNERS)))
    yield "cross", _CROSS
    yield _rays(in_air)
    if in_air:
        yield from (_coin(number, name) for number, name in enumerate(tray_faces(view.table)))
    for side, seat in enumerate(duel.seats):
        yield _knight(side, seat, bool(duel.chosen >> seat & 1), seen[side], say.name(seat), say)
    yield _title(say)
    yield _token_law(say)
    yield "race-times", _TIMES


@piece("quarter-{corner}", memory=64)
def _quarter(identifier: str, corner: int, say: Say) -> Markup:
    right, low = corner % 2, corner // 2
    x, y = (MIDDLE if right else MIDDLE - REACH), (MIDDLE if low else MIDDLE - REACH)
    mirror = f"translate({MIDDLE:g} {MIDDLE:g}) scale({-1 if right else 1} {-1 if low else 1})"
    token = translate(0, 0, fitted_shape(f"tok-{CORNERS[corner]}", -130, -130, 260, 260), class_="big")
    lid = rect(-30, -30, 60, 60, "lid tm-o", 10), board_text(corner + 1, 0, 14, "x2 mid")
    stands = f"stands stands-{corner}"
    return group(
        identifier,
        tag("title", say("{corner:The}", corner=CORNER(corner, say))),
        cloth(x, y, REACH, REACH, f"tm-{CLOTH[corner]}"),
        tag("g", fitted_shape("rays", 0, 0, 1, 1), transform=mirror),
        rect(x, y, REACH, REACH, "struck"),
        tag("g", translate(*TOKENS[corner], token), class_=stands),
        tag("g", translate(*KEYS[corner], translate(0, 0, *lid, class_="key parchment")), class_=stands),
        codes=f"point {CORNERS[corner]}",
        class_="quarter",
        data_quick="",
    )


_BARS = f"M{MIDDLE} {MIDDLE - REACH}V{MIDDLE + REACH}M{MIDDLE - REACH} {MIDDLE}H{MIDDLE + REACH}"
_CROSS = group("cross", *(tag("path", d=_BARS, class_=f"tm-n bar-{bar}") for bar in ("ink", "gold")), class_="through")


@piece("glory", memory=2)
def _rays(identifier: str, thrown: bool) -> Markup:
    fist = tag("g", fitted_shape("throw" if thrown else "fist", 0, 0, 1, 1), class_=None if thrown else "shakes")
    parts = [translate(MIDDLE, MIDDLE, fitted_shape("glory", 0, 0, 1, 1), scale=0.92)]
    if thrown:
        parts.append(translate(MIDDLE, MIDDLE, fitted_shape("trails", 0, 0, 1, 1)))
    return group(identifier, *parts, translate(MIDDLE, MIDDLE + 150, fist), class_="through")


@piece("coin-{number}", memory=64)
def _coin(identifier: str, number: int, name: str) -> Markup:
    x, y, turned, flat = AIR[number]
    flown = tag("g", fitted_shape(f"coin-{name}", -COIN, -COIN, 2 * COIN, 2 * COIN), class_=f"flip flip-{number}")
    seen = tag("g", flown, transform=f"translate({MIDDLE + x} {MIDDLE + y}) rotate({turned}) scale(1 {flat})")
    return group(identifier, seen, class_="through")


@piece("knight-{side}", memory=128)
def _knight(identifier: str, side: int, seat: int, decided: bool, pointed: int, name: str, say: Say) -> Markup:
    told = say("{name} has pointed.", name=name) if decided else say("{name} hasn’t pointed yet.", name=name)
    parts = [arms(seat, -52, -62, 104)]
    if decided:
        parts.append(inked("M-22 4l18 20l34 -46", "tick"))
    if pointed:
        parts.append(_gauntlet(TOKENS[pointed - 1][0] - KNIGHTS[side], TOKENS[pointed - 1][1] - 500))
    return group(identifier, tag("title", told), tag("g", *parts), x=KNIGHTS[side], y=500)


def _gauntlet(across: float, down: float) -> Markup:
    turn = math.degrees(math.atan2(down, abs(across)))
    towards = f"scale({1 if across >= 0 else -1} 1) rotate({turn:.0f})"
    reach = 0.5 if abs(across) < 300 else 0.72
    glove = tag("g", fitted_shape("gauntlet", -75, -50, 150, 100), transform=towards)
    return translate(across * reach, down * reach, glove)


@piece("title", memory=8)
def _title(identifier: str, say: Say) -> Markup:
    board = rect(220, 14, 560, 64, "tm-vl tm-o", 6), board_text(say("The judgement of God"), 500, 58, "x2 mid")
    return group(identifier, tag("g", *board, class_="parchment stands stands-title"), class_="through")


_TOLD = tag(
    "text", "", x=500.0, y=964.0, class_="x3b mid", data_times="", data_most="690", lengthAdjust="spacingAndGlyphs"
)
_LAW = tag("g", rect(130, 906, 740, 88, "lid tm-b", 10), _TOLD, class_="parchment stands stands-law room-told")
_TIMES = group("race-times", _LAW, class_="through")
"""The times by the room's clocks, over the rule of the tokens, once both have pointed."""


def call_to_point(view: Seen, say: Say) -> PieceItems:
    duel, seals = view.table.duel, CHANCE not in view.to_act and view.table.phase == Phase.THROW
    if view.seat not in duel.seats or duel.chosen >> (view.seat or 0) & 1 or view.table.phase == Phase.RACE:
        return
    if seals and view.seat not in view.to_act:
        return
    told = say("Choose a corner before the throw") if seals else say("Choose the right corner, fast!")
    board = rect(120, 8, 760, 76, "lid tm-b", 8), board_text(told, 500, 58, "x2 mid")
    yield "call", group("call", tag("g", *board, class_="parchment stands stands-title known"), class_="through")


@piece("law", memory=8)
def _token_law(identifier: str, say: Say) -> Markup:
    told = say(
        "One dot: the symbol that shows once. Two dots: the one that shows twice. Three different symbols: the"
        " token with all three."
    )
    signs = (
        rect(150, 918, 700, 72, "tm-vl tm-o", 6),
        fitted_shape("coin-1", 166, 928, 54, 54),
        fitted_text(say("once"), 230, 966, 40, 130, "x3b"),
        fitted_shape("coin-2", 370, 928, 54, 54),
        fitted_text(say("twice"), 434, 966, 40, 130, "x3b"),
        *(fitted_shape(f"coin-{name}", 574 + 32 * k, 932, 46, 46) for k, name in enumerate(CORNERS[:3])),
        tag("path", d="M696 950h40v-10l28 16l-28 16v-10h-40Z", class_="tm-or tm-o"),
        fitted_shape("tok-all", 786, 926, 58, 58),
    )
    return group(identifier, tag("title", told), tag("g", *signs, class_="parchment stands stands-law"))
