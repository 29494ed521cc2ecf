"""How a change is shown: the reveal of a ballot, the ship that sails, the tile that turns, the ends, the roles."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple

from tavola.games.voyage.components import BALLOT, CHOOSE_COURSES, FOUND, LOST, OVER, TURN_TILE
from tavola.games.voyage.picture.shown import Leg, Shown
from tavola.show.board import Frame, Pieces

LAID, BREATH, TURNED, VERDICT, SAIL, PAINT = 600, 800, 450, 2000, 1100, 800
PARTING, TEARING, ROLES_DOWN, ROLE = 2200, 1500, 900, 650
"""Milliseconds at a calm pace: a ballot of five lasts seven seconds with what it leads to."""
OPEN_AT_LEAST = 1500
"""Milliseconds, at any pace, for which all faces of a ballot are open."""


class Moment(NamedTuple):
    """What shows, how long it stays and stays at least, and how many lines of the log are still to be told."""

    shown: Shown
    stays: int
    least: int
    untold: int


def scene(was: Shown, now: Shown, lines: Callable[[], int], draw: Callable[[Shown], Pieces]) -> list[Frame]:
    """The frames between two public tables one action apart; none where nothing is revealed.

    `lines` counts those of the log, where they matter.
    """
    moments = list(_moments(was, now))
    told = lines() if moments else 0
    return [
        Frame(partial(draw, moment.shown), moment.stays, moment.least, max(told - moment.untold, 0))
        for moment in moments
    ]


def _moments(was: Shown, now: Shown) -> Iterator[Moment]:
    if was.phase == CHOOSE_COURSES and now.phase == BALLOT:
        yield _laid_openly(now)
        return
    if was.phase not in (BALLOT, TURN_TILE) or now.phase == BALLOT or was == now:
        return
    first = was.turn
    if was.phase == BALLOT:
        yield from _ballot(was, now)
    for number in range(first, now.turn + 1):
        leg = now.turns[number - 1]
        if leg.sailed:
            yield from _leg(now, number, leg, already=number == first and was.phase == TURN_TILE)
    if now.phase == OVER:
        yield from _roles(now)


def _laid_openly(now: Shown) -> Moment:
    """The open card is laid first, the sealed one beside it after."""
    leg = now.turns[-1]
    alone = leg._replace(courses=1 << (leg.preferred - 1))
    return Moment(now._replace(turns=(*now.turns[:-1], alone)), LAID, 0, 0)


def _ballot(was: Shown, now: Shown) -> Iterator[Moment]:
    """All cards down, a breath; each turned, from the captain's left; what it comes to."""
    leg = now.turns[was.turn - 1]
    unsailed = leg._replace(sailed=0, reached=0)
    down = was._replace(turns=(*was.turns[:-1], unsailed), voted=(1 << was.players) - 1, cards=0)
    untold = _told_after(now, was.turn)
    yield Moment(down, BREATH, 0, untold + 2)
    for cards in range(1, was.players + 1):
        yield Moment(down._replace(cards=cards), _interval(was.players), 0, untold + 2)
    decided = leg._replace(reached=0)
    verdict = down._replace(turns=(*was.turns[:-1], decided), cards=was.players, verdict=True)
    yield Moment(verdict, VERDICT, OPEN_AT_LEAST, untold)


def _interval(players: int) -> int:
    """Many ballots turn a little faster than few."""
    return min(TURNED + 100, max(TURNED - 90, TURNED * 5 // players))


def _told_after(now: Shown, number: int) -> int:
    """How many lines of the log come after the verdict of a turn: the course, the tile, later turns, the end."""
    lines = 2 * (now.phase == OVER)
    for later in range(number, now.turn + 1):
        leg = now.turns[later - 1]
        turned = bool(leg.reached and now.explored >> (leg.reached - 1) & 1)
        opened = 0 if later == number else 2 if leg.sailed else 1
        lines += bool(leg.sailed) + turned + opened + (not leg.courses)
    return lines


def _leg(now: Shown, number: int, leg: Leg, already: bool) -> Iterator[Moment]:
    """The ship sails, and the tile it has reached is turned up and painted; or it sails off the chart."""
    later = _told_after(now, number) - 1
    sailing = _as_of(now, number, painted=False)
    if not leg.reached:
        adrift = sailing._replace(adrift=True)
        yield Moment(adrift, SAIL, 0, later)
        yield Moment(adrift._replace(ending=LOST), TEARING, 0, later)
        return
    if not already:
        yield Moment(sailing, SAIL, 0, later)
    if now.explored >> (leg.reached - 1) & 1:
        found = bool(now.avalon) and number == now.turn
        painted = _as_of(now, number, painted=True)._replace(ending=FOUND if found else 0)
        yield Moment(painted, PARTING if found else PAINT, 0, later - 1)


def _as_of(now: Shown, number: int, painted: bool) -> Shown:
    """The table in the turn of this number, once the ship has sailed; its tile turned up or not yet."""
    turns = now.turns[:number]
    unseen = {leg.reached - 1 for leg in now.turns[number:] if leg.reached}
    if not painted:
        unseen.add(turns[-1].reached - 1)
    hidden = sum(1 << cell for cell in unseen if cell >= 0)
    return now._replace(
        phase=TURN_TILE,
        turn=number,
        captain=turns[-1].captain,
        ship=now.ship if turns[-1].reached == 0 else turns[-1].reached - 1,
        explored=now.explored & ~hidden,
        crosses=now.crosses & ~hidden,
        plains=now.plains & ~hidden,
        avalon=now.avalon & ~hidden,
        ending=0,
        adrift=False,
        turns=turns,
    )


def _roles(now: Shown) -> Iterator[Moment]:
    """R19: the ending is told, then the roles turn up one by one, the last place first."""
    for down in range(now.players, 0, -1):
        stays = ROLES_DOWN if down == now.players else ROLE
        yield Moment(now._replace(opening=down), stays, 0, 2)
