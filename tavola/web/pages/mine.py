"""My games: correspondence matches, first those in which the visitor must decide, by time left; and holidays."""

import asyncio
import contextlib
from datetime import UTC, datetime
from functools import cache
from typing import Any
from zoneinfo import available_timezones

from babel.dates import format_date
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response

from tavola.club import Club
from tavola.club.hours import clean_zone, zone_of
from tavola.core import Refusal
from tavola.live import Room
from tavola.live.correspondence.due_dates import due_of, open_dues
from tavola.live.correspondence.hours import DAY
from tavola.show.cards import words_of
from tavola.web.pages.notify import offer_of
from tavola.web.pages.posters import small_board
from tavola.web.pages.since import scenes_waiting
from tavola.web.render import game_say, game_title, render_page
from tavola.web.requests.request_refusals import Malformed
from tavola.web.requests.visitor import Visitor
from tavola.web.site import Fields, Routes, Site, number_of, redirect, text_of
from tavola.web.table.player_panels import face_of, paint_of
from tavola.web.table.turn import late_words, match_day, time_left

MOST_PICTURES = 6
"""Maximum matches that are shown with their board; the others are listed by name."""
MOST_SEEN = 40
"""Maximum rooms searched for matches that the visitor watches or has finished."""
CONTINENTS = (
    "Africa/",
    "America/",
    "Antarctica/",
    "Asia/",
    "Atlantic/",
    "Australia/",
    "Europe/",
    "Indian/",
    "Pacific/",
)
"""Areas of the time zone database; other names in it are obsolete."""
SHORT = 12 * 3600.0
"""Seconds below which the time left is marked as short."""
routes = Routes()


@routes.get("/mine")
async def mine_page(request: Request, visitor: Visitor, site: Site) -> Response:
    """Show the visitor's correspondence matches: their turn, others' turn, watched, finished."""
    running = await running_rooms(site, visitor)
    waiting = [room for room in running if own_due(room, visitor) is not None]
    others = [room for room in running if room not in waiting]
    watched, over = await seen_rooms(site, visitor)
    shown, others_waiting = waiting[:MOST_PICTURES], waiting[MOST_PICTURES:]
    scenes = await asyncio.gather(*(scenes_waiting(site, room, visitor) for room in shown))
    entries = [
        match_entry(site, room, visitor, drawn=True) | {"scenes": count, "last_scene": last}
        for room, (count, last) in zip(shown, scenes, strict=True)
    ] + [match_entry(site, room, visitor) for room in others_waiting]
    values: dict[str, Any] = {
        "waiting": entries,
        "others": [match_entry(site, room, visitor) for room in others],
        "watched": [match_entry(site, room, visitor) for room in watched],
        "over": [over_entry(room, visitor) for room in over],
        "games": sorted({room.state.game.name for room in shown}),
        "kept": visitor.holder is not None,
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
    return str(format_date(datetime.fromtimestamp(hours.away_until, zone_of(hours.zone)), locale=visitor.language))


async def running_rooms(site: Site, visitor: Visitor) -> list[Room]:
    """Return the running correspondence matches of the visitor, those first whose time ends first."""
    running = [room for room in await site.hub.persons.rooms_of(visitor.id) if room.state.settings.days]
    return sorted(running, key=lambda room: own_due(room, visitor) or float("inf"))


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
    found = [room for room in found if room.state.settings.days]
    watched = [r for r in found if r.state.seat_of(visitor.id) is None and r.state.phase == "playing"]
    over = [r for r in found if r.state.seat_of(visitor.id) is not None and r.state.phase == "over"]
    return watched, over


def match_entry(site: Site, room: Room, visitor: Visitor, *, drawn: bool = False) -> dict[str, Any]:
    """Return what is shown of a running match; `drawn`: with the board as the visitor's seat sees it."""
    state, say = room.state, game_say(room.state.game, visitor.language, tuple(room.names))
    seat, now, dues = state.seat_of(visitor.id), site.hub.settings.clock(), open_dues(state)
    ends = [due.until for other, due in dues.items() if seat not in dues or other == seat]
    left = min(ends) - now if ends else 0.0
    return {
        "code": room.id,
        "title": game_title(state.game, visitor.language),
        "day": match_day(room),
        "left": time_left(left, visitor.say) if ends else "",
        "until": datetime.fromtimestamp(min(ends), UTC).isoformat(timespec="seconds") if ends else "",
        "short": bool(ends) and left < SHORT,
        "late": late_words(room, seat, visitor.say),
        "question": words_of(state.game).prompt(room.view(seat), say),
        "scenes": 0,
        "board": board_picture(site, room, visitor, seat) if drawn else Markup(),
        "part": round(100 * min(1.0, max(0.0, left) / (state.settings.days * DAY))),
        "people": [
            {"name": name, "owes": other in state.open_decisions, "face": face_of(place), "paint": paint_of(other)}
            for other, (name, place) in enumerate(zip(room.names, state.occupants, strict=True))
        ],
    }


def board_picture(site: Site, room: Room, visitor: Visitor, seat: int | None) -> Markup:
    """Return the board as a seat sees it, kept until something happens there."""
    view, names = room.view(seat), tuple(room.names)

    def make() -> bytes:
        say = game_say(room.state.game, visitor.language, names)
        return small_board(view, say, f"mine-{room.id}").encode()

    key = ("small board", room.id, visitor.language, names, room.state.moment, seat)
    return Markup(site.offload.made(key, make).decode())


def over_entry(room: Room, visitor: Visitor) -> dict[str, Any]:
    """Return what is shown of a finished match, with the visitor's place."""
    seat, result = room.state.seat_of(visitor.id), room.state.match and room.state.match.result()
    place = result.ranks[seat] if result and seat is not None else 0
    return {"code": room.id, "title": game_title(room.state.game, visitor.language), "place": place}


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
    return render_page(
        request, "away.html", until=until, today=today, night=hours.night, zone=clean_zone(hours.zone), zones=zones()
    )


@cache
def zones() -> tuple[str, ...]:
    """Return the names of the time zones in which people live."""
    return tuple(sorted(zone for zone in available_timezones() if zone == "UTC" or zone.startswith(CONTINENTS)))


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
