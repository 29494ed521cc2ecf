"""The surroundings of the table, which do not change while its page is open: tabs, scenery."""

from functools import cache

from markupsafe import Markup

from tavola.core import Game
from tavola.core.match import Match
from tavola.live import Room
from tavola.show.board import scenery
from tavola.show.cards import picture_of
from tavola.show.speech import Say
from tavola.web.render import backdrop_url, game_say
from tavola.web.table.fragments import Screen


def tabs(room: Room, screen: Screen, say: Say, seat: int | None) -> list[tuple[str, str]]:
    """Return what stands beside the board behind tabs: keys and labels."""
    kinds = {
        "side": (say("To think about"), "side" in picture_of(room.state.game).boards),
        "log": (say("What happened"), True),
        "talk": (say("Talk"), True),
        "notes": (say("Notes"), seat is not None),
        "words": (say("In words"), True),
    }
    return [(key, label) for key, (label, there) in kinds.items() if there]


@cache
def empty_board(game: Game, language: str) -> Markup:
    """The main board of a game as a match begins."""
    drawn = picture_of(game).boards["main"]
    shown = scenery(drawn, backdrop_url(game, drawn.backdrop)) if drawn.backdrop else Markup()
    shown += Markup("").join(picture_of(game).pieces(Match(game).view(), game_say(game, language))["main"].values())
    size = f"0 0 {drawn.size[0]} {drawn.size[1]}"
    picture = '<svg class="picture {}" viewBox="{}" preserveAspectRatio="xMidYMin slice" aria-hidden="true">{}</svg>'
    return Markup(f'<div class="board">{picture}</div>').format(game.name, size, shown)
