"""Helpers for tests of rooms: a real store in a file, people, and scripted play."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from dataclasses import fields
from itertools import chain, count, repeat
from pathlib import Path
from typing import Any

import pytest

from tavola.live import Hub, HubSettings, Person, Readiness, Room, Settings
from tavola.live.log.events import NewEvent
from tavola.live.log.fold import fold
from tavola.live.log.state import State
from tavola.live.protocol import AddBot, Join, Play, Rematch, Start
from tavola.store import open_store
from tests.helpers import PATIENCE
from tests.helpers.days import HOUR, SiteClock

ADA, BRUNO, CARLA, DARIO = (Person(name[0], name) for name in ("Ada", "Bruno", "Carla", "Dario"))
PEOPLE = (ADA, BRUNO, CARLA, DARIO)
THREE = PEOPLE[:3]
_numbers = count()


def quick_settings(**settings: Any) -> HubSettings:
    """Return settings for random bots that answer and leave at once, without delays, unless `settings` says otherwise.

    A `SiteClock` is also used as the steady clock.
    """
    if isinstance(settings.get("clock"), SiteClock):
        settings = {"steady": settings["clock"], **settings}
    quick = {"bot_pause": 0.0, "bot_stay": 0.0, "beat": None, "reading": 0.0, "level": "random", "scenes": False}
    return HubSettings(**{**quick, **settings})


@contextlib.asynccontextmanager
async def open_hub(path: Path | str, readiness: Readiness | None = None, **settings: Any) -> AsyncIterator[Hub]:
    """Yield a hub on a store at `path`, by default with random bots that answer at once."""
    store = open_store(path)
    hub = await Hub.open(store, quick_settings(**settings), readiness)
    try:
        yield hub
    finally:
        await hub.close()
        store.close()


def new_command_id() -> str:
    """Return an id that no log in the tests has: a room answers a repeated command without carrying it out."""
    return f"of-this-test-{next(_numbers)}"


async def send(room: Room, person: Person, kind: type[Any], *arguments: Any, **fields: Any) -> None:
    """Let a person send a command of a kind, with an id of its own."""
    await room.execute(person, kind(new_command_id(), *arguments, **fields))


async def create_room(
    hub: Hub,
    people: Sequence[Person] = PEOPLE,
    players: int | None = None,
    game: str = "lifeboats",
    *,
    level: str = "random",
    cast: Sequence[str] = (),
    options: Mapping[str, object] | None = None,
    **settings: Any,
) -> Room:
    """Return a room with these people seated in order and bots on the other seats, by default at least three seats.

    `cast`: the names of the first bots; all others are drawn.
    """
    players = players or max(3, len(people))
    room = await hub.create(people[0], game, {"players": players, **(options or {})}, Settings(**settings))
    for person in people[1:]:
        await send(room, person, Join)
    for _, name in zip(range(players - len(people)), chain(cast, repeat("")), strict=False):
        await send(room, people[0], AddBot, level, member=name)
    return room


async def start_room(hub: Hub, people: Sequence[Person] = PEOPLE, players: int | None = None, **settings: Any) -> Room:
    room = await create_room(hub, people, players, **settings)
    await send(room, people[0], Start)
    return room


async def start_timed(hub: Hub, people: Sequence[Person] = THREE, **settings: Any) -> tuple[Room, int]:
    """Return a match, by default with an hour for each decision, and the seat that is asked first."""
    room = await start_room(hub, people, **{"patience": HOUR, **settings})
    return room, room.state.match.to_act[0]


async def ask_rematch(hub: Hub, room: Room, person: Person = ADA, **wishes: str) -> Room:
    """Let a person ask for a rematch; return its room."""
    await send(room, person, Rematch, **wishes)
    assert room.state.next_room is not None
    return await hub.room(room.state.next_room)


async def play(room: Room, who: Person | int, *codes: str) -> None:
    """Play as a person's page would, with the prompt that it shows now. A number is a seat of `PEOPLE`."""
    seat = who if isinstance(who, int) else room.state.seat_of(who.id)
    await send(room, PEOPLE[who] if isinstance(who, int) else who, Play, room.prompt_id(seat), codes=codes)


async def play_legal(room: Room, person: Person, place: int = 0, command_id: str | None = None) -> str:
    """Play one of the person's legal actions, by default the first; return its code."""
    seat = room.state.seat_of(person.id)
    code = room.state.game.actions.code(room.view(seat).legal[place])
    await room.execute(person, Play(command_id or new_command_id(), room.prompt_id(seat), code))
    return code


async def play_until_ballot(room: Room, people: Sequence[Person] = PEOPLE) -> None:
    """Play first legal actions until several seats must decide at once; bots choose freely."""
    while len(room.state.match.to_act) < 2:
        seat = room.state.match.to_act[0]
        await (play_legal(room, people[seat]) if seat < len(people) else asyncio.sleep(0.001))


async def open_ballot(hub: Hub, people: Sequence[Person] = PEOPLE, players: int | None = None, **settings: Any) -> Room:
    """Return a room of Lifeboats at its first ballot."""
    room = await start_room(hub, people, players, patience=0, **settings)
    await play_until_ballot(room, people)
    return room


async def play_some(room: Room, actions: int) -> None:
    """Play `actions` first legal actions in a match of `PEOPLE` without bots."""
    for _ in range(actions):
        await play_legal(room, PEOPLE[room.state.match.to_act[0]])


async def play_until(room: Room, people: Sequence[Person], done: Callable[[], object]) -> None:
    """Play the people's first legal actions until `done()` is true or the match is over; bots choose freely."""
    seats = {room.state.seat_of(person.id): person for person in people}
    while room.state.phase == "playing" and not done():
        owing = [seat for seat in room.state.open_decisions if seat in seats]
        for seat in owing:
            await play_legal(room, seats[seat])
        if not owing:
            await asyncio.sleep(0.001)


async def play_to_end(room: Room, people: Sequence[Person]) -> None:
    await play_until(room, people, lambda: False)


async def refused(kind: type[Exception], work: Awaitable[object], match: str | None = None) -> None:
    """Check that a command, or another request, is refused in this way."""
    with pytest.raises(kind, match=match):
        await work


async def finished_room(
    hub: Hub, people: Sequence[Person] = PEOPLE, players: int | None = None, **settings: Any
) -> Room:
    """Return a room whose match the people have played to its end."""
    room = await start_room(hub, people, players, **settings)
    await play_to_end(room, people)
    return room


async def alike_rooms(hub: Hub) -> tuple[Room, Room]:
    """Return two rooms of `THREE` in which chance has chosen the same."""
    one = other = await start_room(hub, THREE)
    while other is one or other.state.match.history != one.state.match.history:
        other = await start_room(hub, THREE)
    return one, other


async def vote_in_part(room: Room, place: int) -> None:
    """Play until a ballot, in which the first two vote: differently for each `place`."""
    await play_until_ballot(room, THREE)
    await play_legal(room, ADA, place)
    await play_legal(room, BRUNO, 2 * place)


async def wait_until(condition: Callable[..., object]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not condition():  # noqa: ASYNC110 - conditions are anything a test can see
            await asyncio.sleep(0.002)


def turn_back(room: Room, seat: int, seconds: float) -> None:
    """Start the clock of a decision `seconds` earlier."""
    clocks = room.caretaker._decision_clocks
    clocks[seat] = clocks[seat]._replace(since=clocks[seat].since - seconds)


def run_out(room: Room, *seats: int) -> None:
    """Let the time of deciding seats run out now, whatever the time per move."""
    now, caretaker = asyncio.get_running_loop().time(), room.caretaker
    for seat in seats:
        turn_back(room, seat, caretaker._end(seat, caretaker._decision_clocks[seat]) - now)
    caretaker.update()


def matches_log(hub: Hub, room: Room) -> bool:
    """Return whether the state in memory equals the fold of the log on disk, up to the last event in memory.

    Events are written to disk before they change the memory, so the log may be ahead while bots play. Call it in the
    loop of the hub, where the memory cannot change meanwhile.
    """
    live, logged = room.state, hub.store.events(room.id)
    return not differing_parts(fold([event for event in logged if event.seq <= live.seq]), live)


def differing_parts(one: State, other: State) -> list[str]:
    """Return the fields in which two states of a room differ."""
    parts = [part.name for part in fields(one) if part.compare and part.name not in ("game", "match")]
    differing = [name for name in parts if getattr(one, name) != getattr(other, name)]
    matches = [None if match is None else (match.history, match.state_bytes()) for match in (one.match, other.match)]
    return differing if matches[0] == matches[1] else [*differing, "match"]


async def write_events(room: Room, new_events: list[NewEvent]) -> None:
    """Write events to a room without a command."""
    async with room._lock:
        await room._write(new_events)


def note_commits(hub: Hub) -> list[list[str]]:
    """Return a list to which each commit from now on adds the codes of its events, or their kinds."""
    commits: list[list[str]] = []
    append = hub.store.append_batches

    async def noted(batches: Any, lease: Any = None) -> None:
        commits.append([event.body.get("code", event.kind) for event in batches[0][1]])
        await append(batches, lease=lease)

    hub.store.append_batches = noted
    return commits
