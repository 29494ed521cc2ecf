"""The picture of Lifeboats: a shipping-line poster. `tavola.show.board` describes what a page can rely on."""

from functools import lru_cache, partial

from markupsafe import Markup

from tavola.core import PlayedAction
from tavola.games.lifeboats.components import CAPTAIN, ISLANDS, Phase, Seen
from tavola.games.lifeboats.picture import cards
from tavola.games.lifeboats.picture.cards import card, hand
from tavola.games.lifeboats.picture.scene import SOUNDS, BoardState, frames, resting_state
from tavola.games.lifeboats.picture.sea import HEIGHT, WIDTH, arrivals, bench_spots, boats, fenders, hull, plaque
from tavola.show.board import Board, Frame, Pieces
from tavola.show.cards import Picture
from tavola.show.kit import PAINTS, anonymous_say, art, sign, use
from tavola.show.poster import titled_poster
from tavola.show.speech import Say, mark
from tavola.show.svg import tag

BOARDS = {
    "main": Board((WIDTH, HEIGHT), phone=(118, 0, 964, HEIGHT), phone_at_end=(118, 34, 964, 540), backdrop="sea.svg"),
    "hand": Board(cards.HAND_SIZE, phone=(0, 0, cards.HAND_SIZE[0], 178)),
}
STYLE, SHAPES = art(__file__)


def pieces(view: Seen, say: Say) -> Pieces:
    return _draw_boards(anonymous_say(view.game, say.language), resting_state(view.table))


def own_pieces(view: Seen, say: Say) -> Pieces:
    if view.seat is None or view.hand is None:
        return {}
    t, nameless = view.table, anonymous_say(view.game, say.language)
    return {"main": cards.own_men(t, view.seat), "hand": hand(t, view.hand.card, view.seat, nameless)}


def leader(view: Seen, say: Say) -> tuple[int, Markup] | None:
    """R7: the start player has the wheel."""
    if not view.table.rounds or view.table.phase == Phase.OVER:
        return None
    return view.table.starter, tag("title", say("Start player")) + use("wheel", scale=0.92)


def scene(before: Seen, after: Seen, played: PlayedAction | None, say: Say) -> list[Frame]:
    return frames(before, after, played, say, partial(_draw_boards, anonymous_say(before.game, say.language)))


def _draw_boards(say: Say, shown: BoardState) -> Pieces:
    # Votes are shown only at the cards. Open cards are shown there and at the boats that they name.
    still = shown._replace(table=shown.table._replace(voted=0), open=(), staged=False, counting=False, round=0)
    below, above = _draw_sea(still, say)
    announced = [cards.banner(shown.round, say)] if shown.round else []
    return {"main": {**below, **dict(fenders(shown)), **above, **dict(cards.ballots(shown, say)), **dict(announced)}}


@lru_cache(maxsize=256)
def _draw_sea(shown: BoardState, say: Say) -> tuple[dict[str, Markup], dict[str, Markup]]:
    return dict(boats(shown, say)), dict(arrivals(shown, say))


# The lesson: small drawings from real pieces beside the rules in one minute


def _move_to(x: float, y: float, scale: float, *inside: Markup, turned: float = 0) -> Markup:
    return tag("g", *inside, transform=f"translate({x:g} {y:g}) rotate({turned:g}) scale({scale:g})")


def _manned_boat(paint: str, crew: str, leaks: int = 0) -> Markup:
    """A boat with men: in `crew`, upper case is an officer, and each character is the first of a colour's name."""
    letters = {name[0]: name for name in PAINTS[:6]}
    men = []
    for who, at in zip(crew, bench_spots(6), strict=False):
        owner, man = letters[who.lower()], use("officer" if who.isupper() else "sailor")
        men.append(tag("g", man, sign(owner, 0, -3, 1.1), class_=owner, transform=f"translate({at.x:g} {at.y - 4:g})"))
    water = [use(f"water-6-{leaks}")] if leaks else []
    springs = [use("spring", at.x, at.y) for at in bench_spots(6)[::-1][:leaks]]
    return tag("g", tag("g", hull(paint), class_=paint), *water, *springs, *men)


def _saved_man(seat: int, rank: str, x: float) -> Markup:
    return _move_to(x, 120, 1, tag("g", use(f"saved-{rank}"), sign(PAINTS[seat], 0, -36, 0.92), class_=PAINTS[seat]))


_AIM = (
    _move_to(180, -110, 0.8, use("island-1-2")),
    _saved_man(0, "officer", 110),
    _saved_man(1, "sailor", 160),
    _saved_man(0, "sailor", 210),
    _move_to(180, 214, 0.55, _manned_boat("violet", "Vry")),
)
_FACES = (cards.CARD_BACK, cards.CARD_BACK, 1, 2)
_ROUND = [_move_to(70 + 74 * k, 110, 0.5, card(face), turned=6 * k - 9) for k, face in enumerate(_FACES)]
_SCORES = [_move_to(180, 52 + 68 * island, 1.1, *plaque(island)) for island in range(len(ISLANDS))]
_CAPTAINS = (
    _move_to(100, 120, 0.62, card(2), turned=-7),
    _move_to(260, 120, 0.62, card(3), turned=7),
    _move_to(180, 118, 0.78, use("chosen"), card(CAPTAIN)),
)
_SINKING = tag("g", _manned_boat("violet", "v", 3), use("going-under"))
_LEAKS = _move_to(105, 122, 0.95, _manned_boat("red", "Rgg", 2)), _move_to(262, 128, 0.95, _SINKING, turned=24)
_SWIMMER = tag("g", use("swimming"), use("sailor", 0, -4, 0.92), sign("yellow", 0, -6), class_="yellow")
_CHANGES = (
    _move_to(90, 116, 0.9, _manned_boat("blue", "Bbr")),
    _move_to(270, 116, 0.9, _manned_boat("green", "Gg")),
    _move_to(180, 190, 1.2, _SWIMMER),
)


def lesson(number: int, say: Say) -> Markup:
    drawn = tag("g", *(_AIM, _ROUND, _SCORES, _CAPTAINS, _LEAKS, _CHANGES)[number])
    crests = tag("path", d="M-10 150q30 -26 60 0t60 0t60 0t60 0t60 0t60 0t60 0", fill="none", stroke="var(--foam)")
    page = {"class_": "picture lifeboats", "viewBox": "0 0 360 240", "role": "img", "aria_hidden": "true"}
    return tag("svg", tag("rect", width=360, height=240, fill="var(--sea6)"), crests, drawn, **page)


PICTURE = Picture(
    boards=BOARDS,
    style=STYLE,
    shapes=SHAPES,
    pieces=pieces,
    own_pieces=own_pieces,
    lesson=lesson,
    poster=titled_poster(__file__, mark("Lifeboats"), 132, 124, 660, "var(--cream)", "var(--ink)"),
    scene=scene,
    sounds=SOUNDS,
    ballot_cards=cards.ballot_cards,
    leader=leader,
    seat_badges=cards.seat_badges,
)
