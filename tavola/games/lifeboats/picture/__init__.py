"""The picture of Lifeboats: a shipping-line poster. `tavola.show.board` says what a page may rely on."""

from functools import lru_cache, partial

from markupsafe import Markup

from tavola.core import PlayedAction
from tavola.games.lifeboats.components import Phase, Seen
from tavola.games.lifeboats.picture.board_state import BoardState, resting_state
from tavola.games.lifeboats.picture.cards import HAND_SIZE, ballot_cards, ballots, banner, hand, own_men, seat_badges
from tavola.games.lifeboats.picture.lesson import lesson
from tavola.games.lifeboats.picture.poster import poster
from tavola.games.lifeboats.picture.scene import frames
from tavola.games.lifeboats.picture.sea import HEIGHT, WIDTH, arrivals, boats, fenders
from tavola.games.lifeboats.picture.sounds import SOUNDS
from tavola.show.board import Board, Frame, Pieces
from tavola.show.cards import Picture
from tavola.show.kit import anonymous_say, art, use
from tavola.show.speech import Say
from tavola.show.svg import tag

BOARDS = {
    "main": Board((WIDTH, HEIGHT), phone=(118, 0, 964, HEIGHT), phone_at_end=(118, 34, 964, 540), backdrop="sea.svg"),
    "hand": Board(HAND_SIZE, phone=(0, 0, HAND_SIZE[0], 178)),
}
STYLE, SHAPES = art(__file__)


def pieces(view: Seen, say: Say) -> Pieces:
    """Everything that can change and that all may see, the lowest first."""
    return _draw_boards(anonymous_say(view.game, say.language), resting_state(view.table))


def own_pieces(view: Seen, say: Say) -> Pieces:
    """Return what the owner of the hand alone sees: his cards, and rings round his men."""
    if view.seat is None or view.hand is None:
        return {}
    t, nameless = view.table, anonymous_say(view.game, say.language)
    return {"main": own_men(t, view.seat), "hand": hand(t, view.hand.card, view.seat, nameless)}


def leader(view: Seen, say: Say) -> tuple[int, Markup] | None:
    """R7: the start player has the wheel."""
    if not view.table.rounds or view.table.phase == Phase.OVER:
        return None
    return view.table.starter, tag("title", say("Start player")) + use("wheel", scale=0.92)


def scene(before: Seen, after: Seen, played: PlayedAction | None, say: Say) -> list[Frame]:
    """Return what happens between two positions."""
    return frames(before, after, played, say, partial(_draw_boards, anonymous_say(before.game, say.language)))


def _draw_boards(say: Say, shown: BoardState) -> Pieces:
    # Who has voted shows at the cards alone, and which cards are open there and at the boats that they name.
    unvoted = shown.table._replace(voted=0)
    still = shown._replace(table=unvoted, open=(), staged=False, counting=False, round=0)
    below, above = _draw_sea(still, say)
    announced = [banner(shown.round, say)] if shown.round else []
    return {"main": {**below, **dict(fenders(shown)), **above, **dict(ballots(shown, say)), **dict(announced)}}


@lru_cache(maxsize=256)
def _draw_sea(shown: BoardState, say: Say) -> tuple[dict[str, Markup], dict[str, Markup]]:
    return dict(boats(shown, say)), dict(arrivals(shown, say))


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
    seat_badges=seat_badges,
)
