"""The picture of Template: a card for every seat's last bid on the table, and the player's hand to bid from."""

from markupsafe import Markup

from tavola.games._template.components import SEATS, Seen
from tavola.games._template.words import held_cards
from tavola.show.board import Board
from tavola.show.cards import Picture
from tavola.show.kit import art
from tavola.show.speech import Say
from tavola.show.svg import group, tag

WIDTH = 100 * SEATS
BOARDS = {"main": Board((WIDTH, 170)), "hand": Board((WIDTH, 110))}
STYLE, SHAPES = art(__file__)


def pieces(view: Seen, say: Say) -> dict[str, dict[str, Markup]]:
    t = view.table
    drawn = {"felt": group("felt", tag("rect", width=WIDTH, height=170, rx=12))}
    for seat in range(t.players):
        name, points = tag("text", say.name(seat), class_="name", y=-16), say("points: {points}", points=t.points[seat])
        score = tag("text", points, class_="name", y=110)
        drawn[f"seat-{seat}"] = group(f"seat-{seat}", tag("title", points), name, score, x=100 * seat + 50, y=40)
        drawn[f"shown-{seat}"] = _card(f"shown-{seat}", t.shown[seat], 100 * seat + 20, 40)
    return {"main": drawn}


def own_pieces(view: Seen, say: Say) -> dict[str, dict[str, Markup]]:
    cards = held_cards(view) if view.seat is not None else []
    held = {
        f"card-{card}": _card(f"card-{card}", card, 100 * k + 20, 13, f"bid {card}") for k, card in enumerate(cards)
    }
    return {"hand": held} if held else {}


def lesson(number: int, say: Say) -> Markup:
    """Return a card for each section of the rules in one minute."""
    shown = _card(f"lesson-{number}", 3 * number + 2, 20, 13)
    return tag("svg", shown, viewBox="0 0 100 110", class_="picture template")


def _card(identifier: str, number: int, x: int, y: int, codes: str | None = None) -> Markup:
    number_shown = tag("text", str(number or ""), x=30, y=52)
    front = tag("use", href="#card")
    return group(identifier, tag("title", str(number or "")), front, number_shown, x=x, y=y, class_="card", codes=codes)


PICTURE = Picture(
    boards=BOARDS,
    style=STYLE,
    shapes=SHAPES,
    pieces=pieces,
    own_pieces=own_pieces,
    lesson=lesson,
)
