"""The pictures of Voyage: a chart on vellum, the ledger of its ballots, and a hand. See `tavola.show.board`.

Every piece is drawn by a cached function of the few integers it shows, so a turn costs what it changed.
"""

from collections.abc import Mapping
from functools import partial

from markupsafe import Markup

from tavola.core import PlayedAction
from tavola.games.voyage.components import Seen
from tavola.games.voyage.picture import scene as scenes
from tavola.games.voyage.picture.board_state import BoardState, ballot_of
from tavola.games.voyage.picture.chart import chart
from tavola.games.voyage.picture.desk import ballot_card, desk
from tavola.games.voyage.picture.hand import HAND_SIZE, STRIP, hand, own_course
from tavola.games.voyage.picture.ledger import LEDGER_SIZE, guess_marks, ledger
from tavola.games.voyage.picture.lesson import lesson
from tavola.games.voyage.picture.poster import poster
from tavola.games.voyage.picture.sounds import SOUNDS
from tavola.show.board import Board, Frame, Pieces
from tavola.show.cards import Picture, words_of
from tavola.show.kit import anonymous_say, art, use
from tavola.show.speech import Say
from tavola.show.svg import tag

TALL = (6, 12, 850, 832)
"""The chart, the ribbon of turns under it, and under that the two courses."""
BOARDS = {
    "main": Board(
        (1000, 760), phone=(22, 16, 820, 828), tall=TALL, phone_at_end=(22, 30, 820, 502), backdrop="chart.svg", rows=2
    ),
    "side": Board(LEDGER_SIZE),
    "hand": Board(HAND_SIZE, phone=STRIP),
}
STYLE, SHAPES = art(__file__)


def pieces(view: Seen, say: Say) -> Pieces:
    """Everything that can change and that all may see, the lowest first."""
    return draw_boards(say, anonymous_say(view.game, say.language), BoardState.of(view))


def draw_boards(say: Say, bare: Say, shown: BoardState) -> Pieces:
    """The same for a moment. `say` knows the names; what `bare` says is alike at every table, and drawn once."""
    main = {**dict(chart(shown, bare)), **dict(desk(shown, say, bare))}
    return {"main": main, "side": dict(ledger(shown, say, bare))}


def own_pieces(view: Seen, say: Say) -> Pieces:
    """Return what the owner of the hand alone sees: the role, the ballots, the course laid in secret."""
    if view.seat is None:
        return {}
    bare = anonymous_say(view.game, say.language)
    return {"main": dict(own_course(view, bare)), "hand": dict(hand(view, bare))}


def guess_pieces(view: Seen, noted: Mapping[int, str], say: Say) -> Pieces:
    """Draw what a player privately thinks of others, by seat and the key of a role: beside their rows in the ledger."""
    if view.table.ending:
        return {}
    return {"side": guess_marks(view.table.players, noted, anonymous_say(view.game, say.language))}


def ballot_cards(view: Seen, say: Say) -> dict[int, Markup]:
    """The ballot of everybody's last vote, open."""
    shown, bare = BoardState.of(view), anonymous_say(view.game, say.language)
    if not shown.last_ballot:
        return {}
    turn = shown.turns[shown.last_ballot - 1]
    return {seat: ballot_card(ballot_of(turn, seat), bare) for seat in range(view.table.players)}


def leader(view: Seen, say: Say) -> tuple[int, Markup] | None:
    """The captain has the hat."""
    if not view.table.turn or view.table.ending:
        return None
    return view.table.captain, tag("title", say("Captain")) + use("hat", y=3, scale=1.15)


def scene(before: Seen, after: Seen, played: PlayedAction | None, say: Say) -> list[Frame]:
    """The pictures between two public views one action apart."""
    draw = partial(draw_boards, say, anonymous_say(before.game, say.language))
    log = partial(words_of(before.game).events, before, after, played, say)
    return scenes.scene(BoardState.of(before), BoardState.of(after), log, draw)


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
    ballot_cards=ballot_cards,
    leader=leader,
    guess_pieces=guess_pieces,
)
