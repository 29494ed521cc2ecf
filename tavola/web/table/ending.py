"""What the last screen tells beside everybody's points, and what a device remembers of the match."""

from json import dumps
from typing import TYPE_CHECKING

from tavola.core import Moment
from tavola.live import Room
from tavola.show.cards import words_of
from tavola.web.render import game_title
from tavola.web.sentences import effect_sentence
from tavola.web.table.curve import curve
from tavola.web.table.player_panels import PlayerPanel, with_seals
from tavola.web.table.story import Story, told_effects
from tavola.web.table.turning_point import turning_point_lines

if TYPE_CHECKING:
    from tavola.web.table.screen import SharedScreen


def remembered_match(room: Room, shared: "SharedScreen", chair: PlayerPanel) -> str:
    """Return what a device remembers of the match, as JSON."""
    game = room.state.game
    facts = {"room": room.id, "game": game.name, "title": game_title(game, shared.say.language)}
    return dumps({**facts, "place": chair.rank, "players": len(shared.names), "points": chair.points})


def story_values(room: Room, shared: "SharedScreen", story: Story, seat: int | None) -> dict[str, object]:
    """The story of the match: the curve, what settled it, who helped and harmed whom."""
    name = shared.log_say.name
    moment, lines = turning_point_lines(room, story.settled, shared.log_say)
    settled = words_of(room.state.game).chapter(room.view(None, Moment(moment - 1)), shared.game_say)
    return {
        "curve": curve(story._replace(settled=moment), shared.names, shared.say("The points of all"), settled),
        "settled": settled,
        "moment": moment,
        "turning": [with_seals(line) for line in lines],
        "effects": [
            with_seals(effect_sentence(name(doer), name(other), points, shared.say, led=led))
            for doer, other, points, led in told_effects(story.effects, seat)
        ],
    }
