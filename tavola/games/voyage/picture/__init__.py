"""The pictures of Voyage: a chart on vellum, the ledger of its ballots, and a hand. See `tavola.show.board`.

Every piece is drawn by a cached function of the few integers it shows, so a turn only costs what it changed.
"""

from collections.abc import Mapping
from functools import partial

from markupsafe import Markup

from tavola.core import PlayedAction
from tavola.games.voyage.components import COURSES, Seen
from tavola.games.voyage.picture import scene as scenes
from tavola.games.voyage.picture.chart import ARROW, chart
from tavola.games.voyage.picture.desk import ballot_card, compass, desk, role_card
from tavola.games.voyage.picture.elements import placed
from tavola.games.voyage.picture.hand import HAND_SIZE, STRIP, hand, own_course
from tavola.games.voyage.picture.ledger import LEDGER_SIZE, guess_marks, ledger
from tavola.games.voyage.picture.scene import SOUNDS, BoardState, ballot_of
from tavola.show.board import Board, Frame, Pieces
from tavola.show.cards import Picture, words_of
from tavola.show.kit import anonymous_say, art, use
from tavola.show.poster import titled_poster
from tavola.show.speech import Say, mark
from tavola.show.svg import tag

TALL = (6, 12, 850, 832)
"""The chart, the ribbon of turns below it, and the two courses below that."""
BOARDS = {
    "main": Board(
        (1000, 760), phone=(22, 16, 820, 828), tall=TALL, phone_at_end=(22, 30, 820, 502), backdrop="chart.svg", rows=2
    ),
    "side": Board(LEDGER_SIZE),
    "hand": Board(HAND_SIZE, phone=STRIP),
}
STYLE, SHAPES = art(__file__)


def pieces(view: Seen, say: Say) -> Pieces:
    return draw_boards(say, anonymous_say(view.game, say.language), BoardState.of(view))


def draw_boards(say: Say, bare: Say, shown: BoardState) -> Pieces:
    """Return the public pieces. `bare` has no names: its drawings are the same at every table, so they are cached."""
    main = {**dict(chart(shown, bare)), **dict(desk(shown, say, bare))}
    return {"main": main, "side": dict(ledger(shown, say, bare))}


def own_pieces(view: Seen, say: Say) -> Pieces:
    if view.seat is None:
        return {}
    bare = anonymous_say(view.game, say.language)
    return {"main": dict(own_course(view, bare)), "hand": dict(hand(view, bare))}


def guess_pieces(view: Seen, noted: Mapping[int, str], say: Say) -> Pieces:
    """Return a player's private guesses, by seat and the key of a role: beside the seats' rows in the ledger."""
    if view.table.ending:
        return {}
    return {"side": guess_marks(view.table.players, noted, anonymous_say(view.game, say.language))}


def ballot_cards(view: Seen, say: Say) -> dict[int, Markup]:
    """Return each seat's open ballot of the last vote."""
    shown, bare = BoardState.of(view), anonymous_say(view.game, say.language)
    if not shown.last_ballot:
        return {}
    turn = shown.turns[shown.last_ballot - 1]
    return {seat: ballot_card(ballot_of(turn, seat), bare) for seat in range(view.table.players)}


def leader(view: Seen, say: Say) -> tuple[int, Markup] | None:
    if not view.table.turn or view.table.ending:
        return None
    return view.table.captain, tag("title", say("Captain")) + use("hat", y=3, scale=1.15)


def scene(before: Seen, after: Seen, played: PlayedAction | None, say: Say) -> list[Frame]:
    draw = partial(draw_boards, say, anonymous_say(before.game, say.language))
    log = partial(words_of(before.game).events, before, after, played, say)
    return scenes.scene(BoardState.of(before), BoardState.of(after), log, draw)


# The lesson: small drawings from real pieces beside the rules in one minute


def _water(x: float, *shapes: str) -> Markup:
    return tag("g", use("wash-1", x, 110), use("pen-2", x, 110), *(use(shape, x, 110) for shape in shapes))


def _aim(say: Say) -> list[Markup]:
    fan = [f"translate({62 + 55 * k} {112 + 3 * abs(2 * k - 5)}) rotate({6 * k - 15}) scale(.58)" for k in range(6)]
    return [placed(place, role_card(role, 1, say)) for role, place in enumerate(fan)]


def _turn(say: Say) -> list[Markup]:
    west = placed("translate(110 104) rotate(-4) scale(.92)", compass(COURSES.index("west"), say))
    return [use("hat", 200, 46, 2), west, use("sealed-card", 290, 104, 0.92, 4)]


def _score(say: Say) -> list[Markup]:
    marks = ("avalon", "isle", "cross", "sea", "fog", "border")
    return [use(f"mark-{mark}", 80 + 120 * (k % 3), 58 + 88 * (k // 3), 2.6) for k, mark in enumerate(marks)]


def _vote(say: Say) -> list[Markup]:
    ballots = use("ballot-white", 160, 100, 0.95, -5), use("ballot-black", 250, 100, 0.95, 5)
    return [placed("translate(60 100) scale(.7)", compass(3, say)), *ballots, use("sealed-card", 342, 100, 0.7)]


def _sail(say: Say) -> list[Markup]:
    waters = _water(164), _water(248, "isle-1"), _water(332)
    paint = {"fill": "var(--white)", "stroke": "var(--black)", "stroke_width": 2.2}
    arrow = tag("path", d=ARROW, **paint, transform="translate(282 110) rotate(180)")
    fog = use("billow-edge-a6", 74, 108), use("billow-a6", 74, 108)
    return [*fog, *waters, arrow, use("goal-ring", 74, 108), use("caravel", 332, 96, 0.68)]


def _end(say: Say) -> list[Markup]:
    return [use("avalon-isle", 120, 116, 1.9), use("rip", 292, 100, 0.9), use("caravel", 292, 100, 0.62, 9)]


SECTIONS = (_aim, _turn, _score, _vote, _sail, _end)


def lesson(number: int, say: Say) -> Markup:
    return tag("svg", *SECTIONS[number](say), viewBox="0 0 400 200", class_="picture voyage", role="presentation")


PICTURE = Picture(
    boards=BOARDS,
    style=STYLE,
    shapes=SHAPES,
    pieces=pieces,
    own_pieces=own_pieces,
    lesson=lesson,
    poster=titled_poster(__file__, mark("Voyage to Avalon"), 168, 76, 480, "var(--vermilion)"),
    scene=scene,
    sounds=SOUNDS,
    ballot_cards=ballot_cards,
    leader=leader,
    guess_pieces=guess_pieces,
)
