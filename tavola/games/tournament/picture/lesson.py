"""The poster, and small drawings made of real pieces for the rules in one minute."""

from markupsafe import Markup

from tavola.games.tournament.components import TOP
from tavola.games.tournament.picture.elements import card, coin, fitted_shape, outline, translate
from tavola.show.poster import titled_poster
from tavola.show.speech import Say, mark
from tavola.show.svg import tag

WIDTH, HEIGHT = 240, 160
_AIM = fitted_shape("purse", 20, 26, 96, 102) + coin(10, 152, 60, 32) + coin(5, 196, 104, 26)
_AIM += fitted_shape("laurel", 122, 112, 76, 38)
_ROUND = fitted_shape("clasp", 12, 34, 92, 92) + fitted_shape("knight-0", 108, 40, 128, 68)
_SCORE = fitted_shape("banner-0", 20, 20, 80, 99) + fitted_shape("laurel", 16, 112, 88, 44)
_SCORE += coin(5, 154, 76, 36) + coin(3, 206, 104, 26)
_TRADE = card(2 * TOP + 5, 10, 28, 76) + fitted_shape("arrows", 92, 58, 60, 38) + outline(1, "5+", 156, 28, 76)
_DUEL = card(7, 16, 20, 84) + translate(132, 24, card(5, 0, 0, 84), fitted_shape("crack", 0, 0, 84, 115), turned=5)
_JUDGEMENT = Markup("").join(
    fitted_shape(f"coin-{name}", 8 + 58 * k, 14, 54, 54) for k, name in enumerate(("crown", "chalice", "crown", "2"))
) + fitted_shape("tok-crown", 84, 78, 76, 76)
poster = titled_poster(__file__, mark("Tournament"), 112, 92, 640, "var(--text)")


def lesson(number: int, say: Say) -> Markup:
    drawn = (_AIM, _ROUND, _SCORE, _TRADE, _DUEL, _JUDGEMENT)[number]
    return tag("svg", drawn, viewBox=f"0 0 {WIDTH} {HEIGHT}", class_="picture tournament", aria_hidden="true")
