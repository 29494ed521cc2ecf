"""The story of a finished match: the points of every seat by part, what settled it, who helped and harmed whom.

It is made from states and words that every game has; a game declares nothing for it. If seats win points only by their
own actions, a game can say whose action opened the way.
"""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from json import dumps
from statistics import multimode
from typing import NamedTuple

import numpy as np
from markupsafe import Markup

from tavola.core import CHANCE, Game, Match, Moment, PlayedAction, Result, View, kernels
from tavola.core.text import shorten
from tavola.core.view import Buffers
from tavola.live import Room
from tavola.show.cards import words_of
from tavola.show.kit import anonymous_say
from tavola.show.speech import Say, figure
from tavola.show.svg import tag
from tavola.web.render import game_title
from tavola.web.site_words import effect_sentence
from tavola.web.table.player_panels import PlayerPanel, paint_of, with_seals

FEWEST_MARKS, MOST_MARKS = 5, 40
"""Limits for the points of a curve: a match with few parts is divided evenly, one with many is thinned out."""
MOST_LINES = 4
"""Maximum lines about one decision; of more, the last ones are shown."""


def settled_moment(results: Iterable[Result]) -> int:
    """Return the moment after the action that put the winners ahead for good, counting everything hidden.

    `results`: of every moment of a finished match, the first and the last included.
    """
    winners = [result.winners for result in results]
    return max((moment for moment in range(1, len(winners)) if winners[moment] != winners[-1]), default=0) + 1


def choice_moments(game: Game, states: Sequence[np.ndarray], history: Sequence[tuple[int, int]]) -> list[int]:
    """Return the moments after decisions in which a seat had a choice; a ballot is one decision, made by its last card.

    `states` and `history` as in `story_of`.
    """
    buffers, moments, has_choice = Buffers(game), list[int](), False
    for moment, (seat, _) in enumerate(history, 1):
        if seat == CHANCE:
            continue
        before = states[moment - 1]
        owing = int(kernels.to_act_at(before, 0))
        has_choice |= int(kernels.legal_at(before, 0, seat, buffers.actions, buffers.weights)) > 1
        if owing & ~kernels.OPEN_BIT != 1 << seat and not owing & kernels.OPEN_BIT:
            continue
        moments += [moment] if has_choice else []
        has_choice = False
    return moments


def states_of(match: Match) -> Iterator[np.ndarray]:
    """Yield every state of a match, each in an array of its own with one row."""
    yield match.states_at(0)
    state = match.states_at(0)
    for seat, number in match.history:
        kernels.apply_at(state, 0, seat, number)
        yield match.game.copy_states(state)


def turning_point_lines(room: Room, moment: int, say: Say) -> tuple[int, list[str]]:
    """Return the number and lines of the action that settled the match, or of the last one if it was secret.

    Actions are counted as in the record of a finished match: secret steps are included.
    """
    last = room.state.recorded_actions
    tellings = ((at, public_lines(room, at, say)) for at in (moment, last))
    return next(((at, lines) for at, lines in tellings if lines), (last, []))


def public_lines(room: Room, at: int, say: Say) -> list[str]:
    """Return the public lines about action number `at` of the record, except the one that names the winner."""
    before, after = (room.view(None, Moment(count)) for count in (at - 1, at))
    words, match = words_of(room.state.game), room.state.match
    assert match is not None
    told = words.events(before, after, room.state.game.observe_action(*match.history[at - 1], None), say)
    won = words.prompt(room.view(None), say)
    return [line for line in told if line != won][-MOST_LINES:]


class Effect(NamedTuple):
    """Points that the decisions of one seat gave another; negative if they cost it points.

    `led`: the other seat won them itself after this one had opened the way.
    """

    doer: int
    other: int
    points: int
    led: bool = False


class Story(NamedTuple):
    """A match in plain values: `settled`, and for each mark, a moment, the points of every seat.

    `settled` is the moment after the action that settled the match; the last one if that was the deal.
    """

    settled: int
    marks: tuple[int, ...]
    points: tuple[tuple[int, ...], ...]
    effects: tuple[Effect, ...]


def story_of(game: Game, states: Iterable[np.ndarray], history: Sequence[tuple[int, int]], players: int) -> Story:
    """Return the story of a match; `states`: all of them, from the first to the last, each an array with one row."""
    kept = list(states)
    results = [Result.of(state, players) for state in kept]
    views = [View(game, state, None) for state in kept]
    points = [result.points for result in results]
    first = next((at for at, (seat, _) in enumerate(history) if seat != CHANCE), 0)
    marks, effects = _marks(views, first), _effects(views, points, history)
    choices, settled = choice_moments(game, kept, history), settled_moment(results)
    settled = settled if settled > first else len(history)
    if place := bisect_right(choices, settled):  # what chance or a forced answer does settles nothing
        settled = choices[place - 1]
    return Story(settled, marks, tuple(points[mark] for mark in marks), effects)


def story_of_match(match: Match) -> Story:
    """Return the story of a match in memory."""
    return story_of(match.game, states_of(match), match.history, match.players)


def _marks(views: Sequence[View], first: int) -> tuple[int, ...]:
    """Return the moment of the first decision, the ends of the parts with headings in the log, and the last moment."""
    chapter, say = words_of(views[0].game).chapter, anonymous_say(views[0].game, "en")
    last, headings = len(views) - 1, [chapter(view, say) for view in views]
    ends = [moment for moment, (one, other) in enumerate(pairwise(headings), 1) if one != other]
    ends = [moment for moment in ends if moment > first]
    if len(ends) < FEWEST_MARKS:
        ends = [first + (last - first) * part // FEWEST_MARKS for part in range(1, FEWEST_MARKS)]
    thinned = ends[:: -(-len(ends) // MOST_MARKS)]
    return tuple(sorted({first, *thinned, last}))


def _effects(
    views: Sequence[View], points: Sequence[Sequence[int]], history: Sequence[tuple[int, int]]
) -> tuple[Effect, ...]:
    """Return who gave points to whom, the largest first. In barter, points count as the seats' own."""
    total: Mapping[tuple[int, int, bool], float] = defaultdict(float)
    ballot: dict[int, int] = {}
    played = [PlayedAction(seat, *views[0].game.actions.action(number)) for seat, number in history]
    for moment, (seat, number) in enumerate(history, 1):
        before = views[moment - 1]
        if seat == CHANCE or before.open:
            continue
        ballot[seat] = number
        if set(before.to_act) - {seat}:
            continue
        doers = _deciders(ballot)
        ballot = {}
        for other, (was, now) in enumerate(zip(points[moment - 1], points[moment], strict=True)):
            for doer in set(doers) - {other}:
                total[doer, other, False] += (now - was) / len(doers)  # type: ignore[index]
        won, leader = points[moment][seat] - points[moment - 1][seat], None
        if doers == [seat] and won > 0:
            leader = words_of(before.game).led_by(before, played[moment - 1], played[: moment - 1])
        if leader not in (None, seat):
            total[leader, seat, True] += won  # type: ignore[index]
    found = [Effect(doer, other, round(count), led) for (doer, other, led), count in total.items() if round(count)]
    return tuple(sorted(found, key=lambda effect: (-abs(effect.points), effect)))


def _deciders(ballot: Mapping[int, int]) -> list[int]:
    """Return the seats whose choice was the most frequent in a ballot."""
    most = multimode(ballot.values())
    return [seat for seat, number in ballot.items() if number in most]


def told_effects(effects: Sequence[Effect], seat: int | None, most: int = 4) -> list[Effect]:
    """Return the effects to show to a seat: its own first, then those of others."""
    own = [effect for effect in effects if seat in (effect.doer, effect.other)]
    chosen = [*own[: most - 1], *(effect for effect in effects if effect not in own)][:most]
    return sorted(chosen, key=lambda effect: (effect not in own, -abs(effect.points)))


WIDTH, HEIGHT = 340, 150
LEFT, RIGHT, TOP, BOTTOM = 6.0, 226.0, 10.0, 122.0
"""Area of the lines; names and points are to the right of it, and the label of the turning point below."""
PITCH = 17.0
LETTERS = 10
LINES_ACROSS = 4


def curve(story: Story, names: Sequence[str], title: str, settled: str) -> Markup:
    """Draw the curve; `settled` is the label under the line at the moment that settled the match."""
    across = [LEFT + (RIGHT - LEFT) * place / max(1, len(story.marks) - 1) for place in range(len(story.marks))]
    low, high = (pick(map(pick, story.points)) for pick in (min, max))
    heights = [
        [BOTTOM - (BOTTOM - TOP) * (count - low) / max(1, high - low) for count in points] for points in story.points
    ]
    order = sorted(range(len(names)), key=lambda seat: (heights[-1][seat], seat))
    grid = [
        tag("path", d=f"M{LEFT:g} {y:g}H{RIGHT:g}", class_="across")
        for y in (TOP + (BOTTOM - TOP) * part / (LINES_ACROSS - 1) for part in range(LINES_ACROSS))
    ]
    lines = [_line(seat, across, [row[seat] for row in heights]) for seat in reversed(order)]
    ends = _ends(order, [heights[-1][seat] for seat in order], story.points[-1], names)
    parts = [tag("title", title), *grid, _settled(story, across, settled), *lines, *ends]
    return tag("svg", *parts, class_="curve", viewBox=f"0 0 {WIDTH} {HEIGHT}", role="img", aria_label=title)


def _line(seat: int, across: Sequence[float], heights: Sequence[float]) -> Markup:
    path = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in zip(across, heights, strict=True))
    return tag("g", tag("path", d=path, class_="under"), tag("path", d=path, class_="over"), class_=paint_of(seat))


def _ends(order: Sequence[int], heights: Sequence[float], points: Sequence[int], names: Sequence[str]) -> list[Markup]:
    found = []
    for seat, y, height in zip(order, _apart(heights), heights, strict=True):
        lead = tag("path", d=f"M{RIGHT:g} {height:.1f}L{RIGHT + 8:g} {y:.1f}", class_="lead")
        disc = tag("circle", cx=RIGHT + 16, cy=round(y, 1), r=7.5, class_="disc")
        sign = tag("use", href=f"#seal-{paint_of(seat)}", x=RIGHT + 11, y=round(y - 5, 1), width=10, height=10)
        count = tag("text", figure(points[seat]), x=RIGHT + 27, y=round(y + 4.5, 1), class_="count")
        name = tag("text", shorten(names[seat], LETTERS), x=RIGHT + 50, y=round(y + 4.5, 1), class_="who")
        found.append(tag("g", lead, disc, sign, count, name, class_=paint_of(seat)))
    return found


def _apart(heights: Sequence[float]) -> list[float]:
    """Return positions from top to bottom, as close to `heights` as possible without overlap and inside the picture."""
    places: list[float] = []
    for height in heights:
        places.append(max(height, places[-1] + PITCH) if places else height)
    below = HEIGHT - PITCH / 2 + PITCH
    for number in reversed(range(len(places))):
        below = places[number] = min(places[number], below - PITCH)
    return places


def _settled(story: Story, across: Sequence[float], words: str) -> Markup:
    x = across[min(bisect_left(story.marks, story.settled), len(across) - 1)]
    line = tag("path", d=f"M{x:.1f} {TOP - 6:g}V{BOTTOM + 8:g}", class_="settled")
    anchor = "end" if x > RIGHT - 30 else "start" if x < LEFT + 30 else "middle"
    return line + tag("text", words, x=round(x, 1), y=HEIGHT - 6.0, class_="when", text_anchor=anchor)


def remembered_match(room: Room, say: Say, chair: PlayerPanel) -> str:
    """Return the facts about a match that a device stores, as JSON."""
    game = room.state.game
    facts = {"room": room.id, "game": game.name, "title": game_title(game, say.language)}
    return dumps({**facts, "place": chair.rank, "players": len(room.names), "points": chair.points})


def story_values(
    room: Room, story: Story, seat: int | None, say: Say, words_say: Say, log_say: Say
) -> dict[str, object]:
    """Return the story of a match for templates: the curve, what settled it, who helped and harmed whom.

    `say` is the site's, `words_say` the game's, and `log_say` the game's with the marks of seats at names.
    """
    name = log_say.name
    moment, lines = turning_point_lines(room, story.settled, log_say)
    settled = words_of(room.state.game).chapter(room.view(None, Moment(moment - 1)), words_say)
    return {
        "curve": curve(story._replace(settled=moment), tuple(room.names), say("Everyone’s points"), settled),
        "settled": settled,
        "moment": moment,
        "turning": [with_seals(line) for line in lines],
        "effects": [
            with_seals(effect_sentence(name(doer), name(other), points, say, led=led))
            for doer, other, points, led in told_effects(story.effects, seat)
        ],
    }
