"""The judgement of God: the screen itself is quartered like a shield, and a whole quarter is the button."""

import math
from functools import lru_cache

from markupsafe import Markup

from tavola.games.tournament.components import CORNERS, Phase, Seen, Table
from tavola.games.tournament.picture.elements import arms, board_text, cloth, fitted_shape, inked, path, rect, translate
from tavola.games.tournament.picture.tiltyard import tray_faces
from tavola.games.tournament.words.nouns import CORNER
from tavola.show.speech import Say
from tavola.show.svg import group, tag

REACH = 1900.0
"""How far the quarters go on past the board: further than any screen."""
MIDDLE = 500.0
CLOTH = ("gu", "az", "ve", "pu")
COIN = 64.0
AIR = ((-165, -18, -14, 0.84), (-63, -126, 8, 0.95), (72, -120, -12, 0.78), (168, -12, 16, 0.92))
"""Where the four coins hang: from the middle, turned, and how flat they are seen."""


def toss(view: Seen, say: Say, thrown: bool | None = None, seen: tuple[int, ...] = (0, 0)) -> dict[str, Markup]:
    """The four quarters round a glory of rays; before the throw a fist, then the coins in the air.

    `seen`: at which corner each side pointed, from 1, once that has been revealed.
    """
    t = view.table
    in_air = t.phase == Phase.POINTING if thrown is None else thrown
    drawn = {f"quarter-{corner}": _quarter(corner, say) for corner in range(len(CORNERS))}
    drawn["cross"] = _CROSS
    drawn["glory"] = _rays(in_air)
    if in_air:
        drawn |= {f"coin-{number}": _coin(number, name) for number, name in enumerate(tray_faces(t))}
    for side in (0, 1):
        drawn[f"knight-{side}"] = _knight(t, side, seen[side], say)
    return {**drawn, "title": _title(say), "law": _token_law(say)}


@lru_cache(maxsize=64)
def _quarter(corner: int, say: Say) -> Markup:
    """A quarter of the shield with its token, its key, and the graver's rays."""
    right, low = corner % 2, corner // 2
    x, y = (MIDDLE if right else MIDDLE - REACH), (MIDDLE if low else MIDDLE - REACH)
    field = cloth(x, y, REACH, REACH, f"tm-{CLOTH[corner]}")
    mirror = f"translate({MIDDLE:g} {MIDDLE:g}) scale({-1 if right else 1} {-1 if low else 1})"
    rays = tag("g", fitted_shape("rays", 0, 0, 1, 1), transform=mirror)
    token = translate(0, 0, fitted_shape(f"tok-{CORNERS[corner]}", -130, -130, 260, 260), class_="big")
    key = translate(
        0, 0, rect(-30, -30, 60, 60, "lid tm-o", 10), board_text(corner + 1, 0, 14, "x2 mid"), class_="key parchment"
    )
    at = (170 if not right else 830, 180 if not low else 820)
    inside = tag("g", tag("g", token, transform=f"translate({at[0]} {at[1]})"), class_=f"stands stands-{corner}")
    keyed = tag(
        "g",
        tag("g", key, transform=f"translate({50 if not right else 950} {340 if not low else 660})"),
        class_=f"stands stands-{corner}",
    )
    told = tag("title", say("{corner:The}", corner=CORNER(corner, say)))
    struck = rect(x, y, REACH, REACH, "struck")
    return group(
        f"quarter-{corner}",
        told,
        field,
        rays,
        struck,
        inside,
        keyed,
        codes=f"point {CORNERS[corner]}",
        class_="quarter",
        data_quick="",
    )


_CROSS = group(
    "cross",
    path(f"M{MIDDLE} {MIDDLE - REACH}V{MIDDLE + REACH}M{MIDDLE - REACH} {MIDDLE}H{MIDDLE + REACH}", "tm-n bar-ink"),
    path(f"M{MIDDLE} {MIDDLE - REACH}V{MIDDLE + REACH}M{MIDDLE - REACH} {MIDDLE}H{MIDDLE + REACH}", "tm-n bar-gold"),
    class_="through",
)


@lru_cache(maxsize=2)
def _rays(thrown: bool) -> Markup:
    fist = tag("g", fitted_shape("throw" if thrown else "fist", 0, 0, 1, 1), class_=None if thrown else "shakes")
    hand = translate(MIDDLE, MIDDLE + 150, fist)
    trails = translate(MIDDLE, MIDDLE, fitted_shape("trails", 0, 0, 1, 1)) if thrown else Markup()
    return group(
        "glory",
        translate(MIDDLE, MIDDLE, fitted_shape("glory", 0, 0, 1, 1), scale=0.92),
        trails,
        hand,
        class_="through",
    )


@lru_cache(maxsize=64)
def _coin(number: int, name: str) -> Markup:
    """One coin in the air, with the trail it leaves."""
    x, y, turned, flat = AIR[number]
    face = fitted_shape(f"coin-{name}", -COIN, -COIN, 2 * COIN, 2 * COIN)
    flown = tag("g", face, class_=f"flip flip-{number}")
    seen = tag("g", flown, transform=f"translate({MIDDLE + x} {MIDDLE + y}) rotate({turned}) scale(1 {flat})")
    return group(f"coin-{number}", seen, class_="through")


def _knight(t: Table, side: int, pointed: int, say: Say) -> Markup:
    """Draw a duellist: his arms at the bar, a tick when he has, and a gauntlet towards his corner once revealed."""
    seat = t.duel.seats[side]
    decided = bool(t.duel.chosen >> seat & 1)
    told = say("{name} has pointed.", name=say.name(seat)) if decided else say("{name} points.", name=say.name(seat))
    return group(
        f"knight-{side}", tag("title", told), _arms(seat, decided, pointed, side), x=70 if not side else 930, y=500
    )


@lru_cache(maxsize=128)
def _arms(seat: int, decided: bool, pointed: int, side: int) -> Markup:
    parts = [arms(seat, -52, -62, 104)]
    if decided:
        parts.append(inked("M-22 4l18 20l34 -46", "tick"))
    if pointed:
        corner = pointed - 1
        right, low = corner % 2, corner // 2
        across, down = (right * 660 + 170) - (70 if not side else 930), (low * 640 + 180) - 500
        turn = math.degrees(math.atan2(down, abs(across)))
        glove = tag(
            "g",
            fitted_shape("gauntlet", -75, -50, 150, 100),
            transform=f"scale({1 if across >= 0 else -1} 1) rotate({turn:.0f})",
        )
        reach = 0.5 if abs(across) < 300 else 0.72
        parts.append(translate(across * reach, down * reach, glove))
    return tag("g", *parts)


@lru_cache(maxsize=8)
def _title(say: Say) -> Markup:
    board = rect(220, 14, 560, 64, "tm-vl tm-o", 6)
    words = board_text(say("The judgement of God"), 500, 58, "x2 mid")
    return group("title", tag("g", board, words, class_="parchment stands stands-title"), class_="through")


@lru_cache(maxsize=8)
def _token_law(say: Say) -> Markup:
    """The law in signs: one dot, the single; two dots, the double; three different, the token of all."""
    board = rect(150, 918, 700, 72, "tm-vl tm-o", 6)
    coins = fitted_shape("coin-1", 166, 928, 54, 54) + board_text(say("once"), 230, 966, "x3b")
    coins += fitted_shape("coin-2", 370, 928, 54, 54) + board_text(say("twice"), 434, 966, "x3b")
    three = Markup("").join(
        fitted_shape(f"coin-{name}", 574 + 32 * k, 932, 46, 46) for k, name in enumerate(CORNERS[:3])
    )
    all_ = fitted_shape("tok-all", 786, 926, 58, 58)
    arrow = path("M696 950h40v-10l28 16l-28 16v-10h-40Z", "tm-or tm-o")
    told = tag(
        "title",
        say("One dot: the sign that shows once. Two dots: the one that shows twice. Three signs: the token of all."),
    )
    inside = tag("g", board, coins, three, arrow, all_, class_="parchment stands stands-law")
    return group("law", told, inside)
