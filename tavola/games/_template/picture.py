"""The picture of Template: a card for every seat's last bid, and one's own hand to bid from."""

from markupsafe import Markup

from tavola.core import View
from tavola.games._template.components import SEATS
from tavola.games._template.words import hand
from tavola.show.speech import Say
from tavola.show.svg import group, tag

SIZE = (100 * SEATS, 300)
STYLE = """
.template rect.felt { fill: #2e5e4e }
.template .card rect { fill: #fffaf0; stroke: #333 }
.template .card text { font: bold 28px sans-serif; text-anchor: middle; fill: #222 }
.template .name { font: 16px sans-serif; text-anchor: middle; fill: #fff }
.template g { transition: transform 0.4s }
@media (prefers-reduced-motion: reduce) { .template g { transition: none } }
@media (prefers-color-scheme: dark) { .template rect.felt { fill: #173229 } }
"""


def background(view: View, say: Say) -> Markup:
    """What never moves."""
    names = (tag("text", say.name(seat), x=100 * seat + 50, y=24, class_="name") for seat in range(view.table.players))
    return tag("g", tag("rect", width=SIZE[0], height=SIZE[1], rx=12, class_="felt"), *names)


def pieces(view: View, say: Say) -> dict[str, Markup]:
    """Everything that can change and that all may see, by id."""
    t = view.table
    drawn = {f"shown-{seat}": _card(f"shown-{seat}", t.shown[seat], 100 * seat + 20, 40) for seat in range(t.players)}
    for seat in range(t.players):
        score = say("points: {points}", points=t.points[seat])
        drawn[f"points-{seat}"] = group(f"points-{seat}", tag("text", score, class_="name"), x=100 * seat + 50, y=150)
    return drawn


def own(view: View, say: Say) -> dict[str, Markup]:
    """The cards in the hand of who looks."""
    cards = hand(view) if view.seat is not None else []
    return {
        f"card-{card}": _card(f"card-{card}", card, 100 * place + 20, 185, f"bid {card}")
        for place, card in enumerate(cards)
    }


def _card(identifier: str, number: int, x: int, y: int, codes: str | None = None) -> Markup:
    face = tag("text", str(number or ""), x=30, y=52)
    return group(identifier, tag("rect", width=60, height=84, rx=6), face, x=x, y=y, class_="card", codes=codes)
