"""My games: correspondence matches, first those in which the visitor must decide, by time left; and holidays."""

import contextlib
import json
import math
import re
from datetime import datetime
from functools import cache
from typing import Any
from zoneinfo import available_timezones

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response

from tavola.club import Club
from tavola.club.hours import clean_zone, zone_of
from tavola.core import Refusal
from tavola.live import Room
from tavola.live.correspondence.due_dates import bot_decides_at, due_of, open_dues, stage_seconds
from tavola.live.log.occupants import seat_faces
from tavola.show.speech import Say
from tavola.web.pages.account import ways_of
from tavola.web.pages.notify import offer_of
from tavola.web.pages.posters import poster_markup, small_board
from tavola.web.pages.replay import scenes_waiting
from tavola.web.render import game_title, render_page
from tavola.web.requests.request_refusals import Malformed
from tavola.web.requests.visitor import Visitor
from tavola.web.site import Fields, Routes, Site, number_of, redirect, text_of
from tavola.web.table.brief import brief_of, named_people, others_at
from tavola.web.table.player_panels import paint_of
from tavola.web.table.turn import awaited_players, day_words, late_words, match_day, time_left, written_time

MOST_OTHERS = 4
"""Maximum matches waiting for others that are shown at once; the rest opens on request."""
MOST_FACES = 4
"""Maximum faces in a row."""
MOST_SEEN = 40
"""Maximum rooms searched for matches that the visitor watches or has finished."""
INHABITED = re.compile("UTC$|(Africa|America|Antarctica|Asia|Atlantic|Australia|Europe|Indian|Pacific)/")
"""Beginnings of names in the time zone database that are not obsolete."""
SHORT = 0.25
"""Share of the time for a decision below which the time left is marked as short."""
routes = Routes()


@routes.get("/mine")
async def mine_page(request: Request, visitor: Visitor, site: Site) -> Response:
    """Show the visitor's correspondence matches: their turn, others' turn, not begun, watched, finished."""
    running = await running_rooms(site, visitor)
    asked = [room for room in running if own_due(room, visitor) is not None]
    handed = [room for room in running if has_bot(room, visitor)]
    others = [room for room in running if room not in asked and room not in handed]
    watched, over = await seen_rooms(site, visitor)
    days = [room for room in site.hub.rooms if room.state.settings.days and room.state.phase == "gathering"]
    gathering = [room for room in days if not room.state.shut and room.state.seat_of(visitor.id) is not None]
    first = []
    for room in asked[:1]:  # the one that needs the visitor first is shown with its board and the scenes not seen yet
        count, last = await scenes_waiting(site, room, visitor)
        board = board_picture(site, room, visitor, room.state.seat_of(visitor.id))
        first.append({**match_entry(site, room, visitor), "scenes": count, "last_scene": last, "board": board})
    values: dict[str, Any] = {
        "first": first,
        "waiting": [match_entry(site, room, visitor) for room in [*handed, *asked[1:]]],
        "count": len(asked),
        "others": [match_entry(site, room, visitor) for room in others],
        "most_others": MOST_OTHERS,
        "gathering": [gathering_entry(room, visitor) for room in gathering],
        "watched": [match_entry(site, room, visitor) for room in watched],
        "over": [await over_entry(site, room, visitor) for room in over],
        "games": [room.state.game.name for room in asked[:1]],
        "kept": visitor.holder is not None,
        "keeps": any(ways_of(request).values()),
        "push": await offer_of(request),
        "stopped": await site.club.notices.stopped(visitor.holder.account) if visitor.holder is not None else [],
        "away": await back_on(site, visitor),
    }
    return render_page(request, "mine.html", **values)


async def back_on(site: Site, visitor: Visitor) -> str:
    """Return the day on which the visitor's holiday ends, in words; empty if they are not away."""
    hours = await site.club.hours(visitor.id)
    if not hours.is_away(site.hub.settings.clock()):
        return ""
    return day_words(datetime.fromtimestamp(hours.away_until, zone_of(hours.zone)), visitor.language)


async def running_rooms(site: Site, visitor: Visitor) -> list[Room]:
    """Return the running correspondence matches of the visitor, those first in which they lose something first."""
    running = [room for room in await site.hub.persons.rooms_of(visitor.id) if room.state.settings.days]
    return sorted(running, key=lambda room: lost_at(room, visitor))


def lost_at(room: Room, visitor: Visitor) -> tuple[bool, float]:
    """Return a key that orders matches: when a bot would decide for the visitor; else when someone's time ends."""
    seat, dues = room.state.seat_of(visitor.id), open_dues(room.state)
    if own_due(room, visitor) is None:
        return True, min((due.until for due in dues.values()), default=math.inf)
    due = dues.get(seat) if seat is not None else None
    return False, math.inf if due is None or seat is None else bot_decides_at(room.state, seat, due)


def has_bot(room: Room, visitor: Visitor) -> bool:
    """Return whether a bot has the visitor's seat, which they can take back."""
    seat = room.state.seat_of(visitor.id)
    return seat is not None and room.state.occupants[seat].taken_over and not room.state.occupants[seat].sits_out


async def waiting_after(site: Site, visitor: Visitor, room_id: str) -> Room | None:
    """Return the next correspondence match in which the visitor must decide, except `room_id`; None if none."""
    rooms = await running_rooms(site, visitor)
    return next((room for room in rooms if own_due(room, visitor) is not None and room.id != room_id), None)


def own_due(room: Room, visitor: Visitor) -> float | None:
    """Return when the visitor's decision in a room is due; None if they owe none."""
    return due_of(room.state, room.state.seat_of(visitor.id))


async def seen_rooms(site: Site, visitor: Visitor) -> tuple[list[Room], list[Room]]:
    """Return the correspondence matches that the visitor watches, and their own finished ones."""
    found = []
    for code in await site.club.memory.rooms_seen(visitor.id, MOST_SEEN):
        with contextlib.suppress(Refusal):  # deleted, or under rules of another version
            found.append(await site.hub.room(code))
    found = [room for room in found if room.state.settings.days and not room.state.shut]
    watched = [r for r in found if r.state.seat_of(visitor.id) is None and r.state.phase == "playing"]
    over = [r for r in found if r.state.seat_of(visitor.id) is not None and r.state.phase == "over"]
    return watched, over


def match_entry(site: Site, room: Room, visitor: Visitor) -> dict[str, Any]:
    """Return what is shown of a running match.

    `state`: `turn` if the visitor must decide, `late` if their time is up, `bot` if a bot has their seat, else
    `others`; `since`: when a bot took the seat, or others were asked; `part`: the share of the time left, in percent.
    """
    state, seat, dues = room.state, room.state.seat_of(visitor.id), open_dues(room.state)
    own = dues.get(seat) if seat is not None else None
    first = seat if own else min(dues, key=lambda other: dues[other].until, default=None)
    due = dues[first] if first is not None else None
    left = due.until - site.hub.settings.clock() if due is not None else 0.0
    part = min(1.0, max(0.0, left) / stage_seconds(state, first, due)) if due is not None and first is not None else 0.0
    asked = own_due(room, visitor) is not None
    owing = {other: due.asked or due.since for other, due in dues.items() if other != seat}
    since = (state.occupants[seat].bot_since if seat is not None else 0.0) or min(owing.values(), default=0.0)
    awaited = awaited_players(room, seat, visitor.say)
    return {
        **match_words(site, room, visitor, seat),
        "code": room.id,
        "state": "bot" if has_bot(room, visitor) else "late" if own and own.reminded else "turn" if asked else "others",
        "day": match_day(room),
        "left": time_left(left, visitor.say) if due is not None else "",
        "until": written_time(due.until) if due is not None else "",
        "since": written_time(since) if since else "",
        "short": own is not None and (bool(own.stage) or part < SHORT),
        "owing": named_people([room.names[other] for other in owing], visitor.say) if owing else "",
        "awaited": next(iter(sorted(awaited, key=lambda player: not player.is_told)), None),
        "part": round(100 * part),
        "seats": [seat_entry(room, other) for other in range(len(state.occupants))],
        "faces": [seat_entry(room, other) for other in others_at(room, seat)[:MOST_FACES]],
        "late": late_words(room, seat, visitor.say),
    }


def match_words(site: Site, room: Room, visitor: Visitor, seat: int | None) -> dict[str, Any]:
    """Return the words that identify a match."""

    def make(_: Say) -> str:
        return json.dumps(brief_of(room, visitor.language, visitor.say, seat, seat)._asdict())

    poster = poster_markup(room.state.game, visitor.language)
    return {**json.loads(site.made_of("brief", room, visitor, seat, make)), "poster": poster}


def seat_entry(room: Room, seat: int) -> dict[str, Any]:
    """Return what is shown of a person or a bot at a table."""
    return {
        "name": room.names[seat],
        "owes": seat in room.state.open_decisions,
        "face": seat_faces(room.state.occupants)[seat],
        "paint": paint_of(seat),
    }


def board_picture(site: Site, room: Room, visitor: Visitor, seat: int | None) -> Markup:
    """Return the board as a seat sees it."""
    view, prefix = room.view(seat), f"mine-{room.id}"
    return Markup(site.made_of("small board", room, visitor, seat, lambda say: small_board(view, say, prefix)))


async def over_entry(site: Site, room: Room, visitor: Visitor) -> dict[str, Any]:
    """Return what is shown of a finished match: the visitor's place and points, the winners, and a rematch.

    `wanted_by`: the others who are ready for a rematch that waits for the visitor, whose `code` it then is.
    """
    seat, result = room.state.seat_of(visitor.id), room.state.match and room.state.match.result()
    place, points = (result.ranks[seat], result.points[seat]) if result and seat is not None else (0, 0)
    winners = [room.names[other] for other in result.winners] if result else []
    again, wanted_by = await rematch_wanted(site, room, visitor)
    return table_entry(room, visitor) | {
        "code": again,
        "wanted_by": wanted_by,
        "place": place,
        "points": points,
        "winners": named_people(winners, visitor.say) if winners else "",
    }


async def rematch_wanted(site: Site, room: Room, visitor: Visitor) -> tuple[str, str]:
    """Return the room of a rematch that waits for a player of a finished match, and the names of those who are ready.

    If none waits, return the finished match itself and no names.
    """
    with contextlib.suppress(Refusal):  # deleted, or under rules of another version
        if room.state.next_room:
            again = await site.hub.room(room.state.next_room)
            ready = [again.names[seat] for seat in sorted(again.state.ready_seats)]
            if ready and again.state.seat_of(visitor.id) in again.state.unready_seats():
                return again.id, named_people(ready, visitor.say)
    return room.id, ""


def gathering_entry(room: Room, visitor: Visitor) -> dict[str, Any]:
    """Return what is shown of a match that has not begun."""
    taken = sum(not place.is_free for place in room.state.occupants)
    return table_entry(room, visitor) | {"taken": taken, "seats": len(room.state.occupants)}


def table_entry(room: Room, visitor: Visitor) -> dict[str, Any]:
    """Return what is shown of any match: its game and its people."""
    others = others_at(room, room.state.seat_of(visitor.id))
    return {
        "code": room.id,
        "game": game_title(room.state.game, visitor.language),
        "poster": poster_markup(room.state.game, visitor.language),
        "people": met_by(room, visitor),
        "faces": [seat_entry(room, other) for other in others[:MOST_FACES]],
    }


def met_by(room: Room, visitor: Visitor) -> str:
    """Return the names of the others at a visitor's table, as a list."""
    others = others_at(room, room.state.seat_of(visitor.id))
    return named_people([room.names[seat] for seat in others], visitor.say)


async def waiting_elsewhere(site: Site, room: Room, visitor: Visitor) -> dict[str, str]:
    """Return the next match in which a player of this correspondence match must decide; empty if none."""
    if not room.state.settings.days or room.state.seat_of(visitor.id) is None:
        return {}
    found = await waiting_after(site, visitor, room.id)
    due = own_due(found, visitor) if found is not None else None
    if found is None or due is None:
        return {}
    left = time_left(due - site.hub.settings.clock(), visitor.say) if due < float("inf") else ""
    return {"title": game_title(found.state.game, visitor.language), "left": left}


@routes.get("/mine/next")
async def next_match(request: Request, site: Site, visitor: Visitor) -> Response:
    """Redirect to the next match in which the visitor must decide, except `after`; to all if there is none."""
    room = await waiting_after(site, visitor, request.query_params.get("after", ""))
    return redirect("/mine" if room is None else f"/r/{room.id}")


@routes.get("/mine/away")
async def away_page(request: Request, site: Site, visitor: Visitor) -> Response:
    """Show the visitor's holiday and the night that is in force."""
    hours, now = await site.club.hours(visitor.id), site.hub.settings.clock()
    zone = zone_of(hours.zone)
    until = datetime.fromtimestamp(hours.away_until, zone).date().isoformat() if hours.is_away(now) else ""
    today = datetime.fromtimestamp(now, zone).date().isoformat()
    values = {"until": until, "today": today, "night": hours.night, "zone": clean_zone(hours.zone), "zones": zones()}
    return render_page(request, "away.html", **values)


@cache
def zones() -> tuple[str, ...]:
    """Return the names of the time zones in which people live."""
    return tuple(sorted(filter(INHABITED.match, available_timezones())))


@routes.post("/mine/night")
async def keep_night(club: Club, visitor: Visitor, fields: Fields) -> Response:
    """Store the hours of the visitor's night."""
    night = number_of(fields, "begins"), number_of(fields, "ends")
    await club.keep_night(visitor.id, *night, text_of(fields, "zone"))
    return redirect("/mine/away")


@routes.post("/mine/away")
async def go_away(club: Club, visitor: Visitor, fields: Fields) -> Response:
    """Start a holiday until a day, or end it if the day is empty."""
    day, told = text_of(fields, "until", ""), clean_zone(text_of(fields, "zone", ""))
    zone = told or (await club.hours(visitor.id)).zone
    try:
        until = datetime.fromisoformat(day).replace(tzinfo=zone_of(zone)).timestamp() if day else 0.0
    except (ValueError, OverflowError) as error:
        raise Malformed from error
    await club.go_away(visitor.id, until, zone)
    return redirect("/mine")
