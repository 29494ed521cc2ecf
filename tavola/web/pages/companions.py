"""Play again with …: people with whom the visitor has played, who can be invited to a room by a message."""

import contextlib
from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import Response

from tavola.core import Refusal
from tavola.live import Room
from tavola.live.commands.require import require_gathering, require_seat
from tavola.live.log.occupants import seat_faces
from tavola.web.render import game_title, render_page
from tavola.web.requests.request_refusals import Malformed
from tavola.web.requests.visitor import Visitor
from tavola.web.site import Fields, Routes, Site, redirect, text_of

MOST_ROOMS = 12
"""Maximum matches of a person, the last ones with others, in which companions are searched."""
MOST_COMPANIONS = 12
routes = Routes()


class Companion(NamedTuple):
    """A person with whom the visitor has played: the room of the last match and the seat there, in `reference`."""

    reference: str
    person: str
    name: str
    face: str
    game: str


@routes.get("/r/{code}/companions")
async def companions_page(request: Request, site: Site, room: Room, visitor: Visitor) -> Response:
    """Show a player of a room that gathers the people with whom they have played, and how they can be invited."""
    require_gathering(room.state)
    require_seat(room.state, visitor.person)
    found = await companions_of(site, visitor)
    persons = [each.person for each in found]
    reachable, invited = await site.club.reachable(persons), await site.club.invited(persons, room.id)
    seated = {place.person.id for place in room.state.occupants if place.person is not None}
    known = {"here": seated, "invited": invited, "reachable": reachable}
    states = [next((name for name, those in known.items() if person in those), "unreachable") for person in persons]
    rows = [{**each._asdict(), "state": state} for each, state in zip(found, states, strict=True)]
    return render_page(request, "companions.html", room=room, companions=rows)


@routes.post("/r/{code}/companions")
async def invite(site: Site, room: Room, visitor: Visitor, fields: Fields) -> Response:
    """Invite a companion to a room that gathers; `with`: their reference."""
    require_gathering(room.state)
    seat, reference = require_seat(room.state, visitor.person), text_of(fields, "with")
    persons = {each.reference: each.person for each in await companions_of(site, visitor)}
    if reference not in persons:
        raise Malformed
    await site.club.invite(persons[reference], room.id, seat)
    return redirect(f"/r/{room.id}/companions")


async def companions_of(site: Site, visitor: Visitor) -> list[Companion]:
    """Return the people with whom a visitor has played, the last ones first, without those either has muted."""
    own = {visitor.id}
    if visitor.holder is not None:
        own.update(await site.club.persons_of(visitor.holder.account))
    known, found = set(own), list[Companion]()
    rooms = [code for person in own for code in await site.hub.persons.rooms_shared(person, MOST_ROOMS)]
    for code in dict.fromkeys(rooms):
        with contextlib.suppress(Refusal):  # under rules of another version
            room = await site.hub.room(code)
            if room.state.match is not None and any(room.state.seat_of(person) is not None for person in own):
                found += _companions_in(room, own, known, visitor)
    return found[:MOST_COMPANIONS]


def _companions_in(room: Room, own: set[str], known: set[str], visitor: Visitor) -> list[Companion]:
    """Return the people of a match who are not `known` yet, and add them to these; without those muted, either way."""
    found, state, faces = list[Companion](), room.state, seat_faces(room.state.occupants)
    title = game_title(state.game, visitor.language)
    for seat, place in enumerate(state.occupants):
        person = place.person
        if person is None or person.id in known:
            continue
        pairs = [pair for each in own for pair in ((each, person.id), (person.id, each))]
        if any(state.speakers[heard] in state.muted_by(reader) for reader, heard in pairs if heard in state.speakers):
            continue
        known.add(person.id)
        found.append(Companion(f"{room.id}-{seat}", person.id, person.name, faces[seat], title))
    return found
