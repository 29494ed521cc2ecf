"""The pictures of Voyage: a chart on vellum, the ledger of its ballots, and a hand. See `tavola.show.board`.

Every piece is drawn by a cached function of the few integers it shows, so a turn costs what it changed.
"""

from collections.abc import Mapping

from markupsafe import Markup

from tavola.games.voyage.components import Seen
from tavola.games.voyage.picture import scene as scenes
from tavola.games.voyage.picture.chart import chart
from tavola.games.voyage.picture.desk import desk, slot
from tavola.games.voyage.picture.hand import HEIGHT as HAND_HEIGHT
from tavola.games.voyage.picture.hand import STRIP, hand, own_course
from tavola.games.voyage.picture.hand import WIDTH as HAND_WIDTH
from tavola.games.voyage.picture.ledger import HEIGHT, WIDTH, guessed, ledger
from tavola.games.voyage.picture.lesson import lesson
from tavola.games.voyage.picture.shown import Shown, ballot_of
from tavola.show.board import Board, Frame
from tavola.show.kit import art, use, wordless
from tavola.show.speech import Say
from tavola.show.svg import tag

__all__ = ["BOARDS", "SHAPES", "SOUNDS", "STYLE", "guesses", "leader", "lesson", "own", "pieces", "scene", "slots"]

BOARDS = {
    "main": Board((1000, 760), phone=(22, 16, 820, 828), last=(22, 30, 820, 502), backdrop="chart.svg"),
    "side": Board((WIDTH, HEIGHT)),
    "hand": Board((HAND_WIDTH, HAND_HEIGHT), phone=STRIP),
}
STYLE, SHAPES = art(__file__)
SOUNDS = "canvas"

Boards = dict[str, dict[str, Markup]]


def pieces(view: Seen, say: Say) -> Boards:
    """Everything that can change and that all may see, the lowest first."""
    return drawn(Shown.of(view), say, wordless(view.game, say.language))


def drawn(shown: Shown, say: Say, bare: Say) -> Boards:
    """The same for a moment. `say` knows the names; what `bare` says is alike at every table, and drawn once."""
    main = {**dict(chart(shown, bare)), **dict(desk(shown, say, bare))}
    return {"main": main, "side": dict(ledger(shown, say, bare))}


def own(view: Seen, say: Say) -> Boards:
    """What the owner of the hand alone sees: the role, the ballots, the course laid in secret."""
    if view.seat is None:
        return {}
    bare = wordless(view.game, say.language)
    return {"main": dict(own_course(view, bare)), "hand": dict(hand(view, bare))}


def guesses(view: Seen, noted: Mapping[int, str], say: Say) -> Boards:
    """What a player privately thinks of others, by seat and the key of a role: beside their rows in the ledger."""
    if view.table.ending:
        return {}
    return {"side": guessed(view.table.players, noted, wordless(view.game, say.language))}


def slots(view: Seen, say: Say) -> dict[int, Markup]:
    """The ballot of everybody's last vote, open."""
    shown, bare = Shown.of(view), wordless(view.game, say.language)
    leg = shown.turns[shown.last - 1] if shown.last else None
    return {seat: slot(ballot_of(leg, seat), bare) for seat in range(shown.players)} if leg else {}


def leader(view: Seen, say: Say) -> tuple[int, Markup] | None:
    """The captain has the hat."""
    if not view.table.turn or view.table.ending:
        return None
    return view.table.captain, tag("title", say("Captain")) + use("hat", y=3, scale=1.15)


def scene(before: Seen, after: Seen, played: object, say: Say) -> list[Frame]:
    """The pictures between two public views one action apart."""
    bare = wordless(before.game, say.language)

    def lines() -> int:
        return len(before.game.words.events(before, after, played, say))

    return scenes.scene(Shown.of(before), Shown.of(after), lines, lambda shown: drawn(shown, say, bare))
