"""The pictures of Tournament: a heraldic roll, cut in pear wood. See `tavola.show.board`.

While trade is open the main board is the market, in a duel the lists, at the judgement the shield of four quarters.
`lists.svg` is the scenery of the lists; `shapes.svg` and `picture.css` are the art. Colours are the tinctures of
heraldry, and no tincture stands without its sign.
"""

from markupsafe import Markup

from tavola.core.actions import PlayedAction
from tavola.games.tournament.components import SEATS, Phase, Seen
from tavola.games.tournament.picture import hand as held
from tavola.games.tournament.picture import scene as scenes
from tavola.games.tournament.picture import side as ledger
from tavola.games.tournament.picture.composer import composer
from tavola.games.tournament.picture.lesson import lesson
from tavola.games.tournament.picture.market import answers
from tavola.games.tournament.picture.poster import poster
from tavola.games.tournament.picture.sounds import SOUNDS
from tavola.games.tournament.picture.tiltyard import SIZE
from tavola.games.tournament.picture.toss import call_to_point
from tavola.show.board import Board, Frame, Pieces
from tavola.show.cards import Picture
from tavola.show.kit import art
from tavola.show.speech import Say

BOARDS = {
    "main": Board((SIZE, SIZE), backdrop="lists.svg", rows=2),
    "side": Board((ledger.WIDTH, ledger.HEIGHT)),
    "hand": Board((held.WIDTH, held.HEIGHT), phone=held.STRIP),
}
STYLE, SHAPES = art(__file__)
SEALS = tuple(f"tm-arms-{seat}" for seat in range(SEATS))


def pieces(view: Seen, say: Say) -> Pieces:
    return scenes.draw_boards(view, say)


def own_pieces(view: Seen, say: Say) -> Pieces:
    if view.seat is None or view.hand is None:
        return {}
    phase = view.table.phase
    main: dict[str, Markup] = {}
    if phase == Phase.TRADE:
        main = {**dict(answers(view, say)), **composer(view, say)}
    elif phase in (Phase.THROW, Phase.POINTING, Phase.RACE):
        main = dict(call_to_point(view, say))
    else:
        main = dict(held.laid_cards(view, say))
    return {"main": main, "hand": dict(held.hand(view, say)), "side": dict(ledger.sure_cards(view, say))}


def scene(before: Seen, after: Seen, played: PlayedAction | None, say: Say) -> list[Frame]:
    return scenes.scene(before, after, played, say)


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
