"""Make the databases of a release with unfinished matches: `python -m tests.store.make_release v0.3.0 4f10e721`.

The code of that commit writes each, as plain Python, and then reads it and says what its players are asked:
`release-TAG.sqlite.gz`, `release-TAG.postgresql.gz` and `release-TAG.json`. It prints the lines for RELEASES.md. With
`--keep`, databases that are there are only read.
"""

import asyncio
import gzip
import hashlib
import json
import os
import subprocess
import sys
import tempfile
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from tavola.live import Hub, HubSettings, Person, Settings
from tavola.live.protocol import Join, Play, Start
from tavola.store import open_store

NOON = 1_800_014_400.0
"""When correspondence matches are written, in seconds since 1970: 12:00 UTC on a day in January."""
BARTER = (("offer 1", 0), ("give joker", 0), ("ask joker", 0), ("publish", 0), ("accept 0 1", 1))
NAMES = ("Ada", "Bea", "Carla")


# In a process with the code of the release


def hub_settings() -> Any:
    """Return settings of a hub on which it is noon, if the release has a clock."""
    clock: dict[str, Any] = {"clock": lambda: NOON} if hasattr(HubSettings(), "clock") else {}
    return HubSettings(bot_pause=0.0, beat=None, scenes=False, **clock)


async def write(database: str) -> None:
    """Begin a match of Tournament, in which a joker is exchanged for a joker, and one of Lifeboats.

    If the release has correspondence, also begin such a match of Voyage.
    """
    people = [Person(name[0] * 8, name) for name in NAMES]
    with closing(open_store(place_of(database))) as store:
        hub = await Hub.open(store, hub_settings())

        async def begin(game: str, **more: Any) -> Any:
            room = await hub.create(people[0], game, {"players": 3}, Settings(patience=0, **more))
            for person in people[1:]:
                await room.execute(person, Join(f"join-{person.name}"))
            await room.execute(people[0], Start("start"))
            return room

        async def play(room: Any, seat: int, code: str) -> None:
            await room.execute(people[seat], Play(f"c{room.state.seq}", room.prompt_id(seat), code))

        while True:
            room = await begin("tournament")
            hands = room.state.match.document()["hands"]
            if hands[0]["jokers"] and hands[1]["jokers"]:
                break
            await hub.store.delete_rooms([line for line in hub.store.rooms() if line.id == room.id])
        for code, seat in BARTER:
            await play(room, seat, code)
        room = await begin("lifeboats")
        for _ in range(6):
            seat = room.state.match.to_act[0]
            await play(room, seat, room.state.game.actions.code(room.view(seat).legal[0]))
        if hasattr(Settings(), "days"):
            room = await begin("voyage", days=3)
            while not room.state.dues:  # noqa: ASYNC110 - that release may not notify
                await asyncio.sleep(0.01)
        await hub.close()


def write_days(database: str) -> dict[str, Any]:
    """Write two matches over days as a site does; return the cookies of the browsers of Ada and Bea, who have accounts.

    In the first, Ada has been sent an e-mail about her decision, and Bea has answered her next one ahead. In the
    second, the e-mail to Bea waits. A bot has the third seat.
    """
    from tests.helpers.mail import mail_server
    from tests.helpers.site import site_at

    for name, module in tuple(sys.modules.items()):
        if name.startswith("tavola.") and name.rpartition(".")[2] in ("mailer", "notices", "outbox", "emails"):
            vars(module)["time"] = SimpleNamespace(time=lambda: NOON)
    with mail_server() as (box, server), site_at(place_of(database), mail=server, clock=lambda: NOON) as site:
        ada, bea = site.guest(), site.guest()
        for count, (guest, name) in enumerate(((ada, "ada"), (bea, "bea")), 1):
            guest.post("/account/mail", data={"address": f"{name}@example.org"})
            guest.post(box.link(count), data={"seats": "bring"})
        ada.post("/mine/night", data={"begins": "23", "ends": "7", "zone": "Europe/Rome"})
        club = site.app.state.site.club
        club.notices.pause = 0.0
        first = begin_days(site, ada, "Ada", bea, "Bea")
        ada.post(f"/r/{first}/notes", data={"words": "Bea wants green", "version": "0"})
        answers = [code for code in ada.choices(first)[1] if code.startswith("crew")][:8]
        fields = {f"codes-{place}": code for place, code in enumerate(answers)}
        answer = bea.post(f"/r/{first}/answer-ahead", data=fields)
        assert answer.status_code == 200, answer.text
        await_message(site, first, "sent")
        club.notices.pause = 300.0
        second = begin_days(site, bea, "Bea", ada, "Ada")
        await_message(site, second, "")
        cookies = {"Ada": dict(ada.cookies), "Bea": dict(bea.cookies)}
    return {"cookies": cookies, "first": first, "second": second}


def begin_days(site: Any, host: Any, name: str, other: Any, other_name: str) -> str:
    """Begin a match of two people and a bot, and play until the host has to place crew, and the other one after."""
    from tests.helpers import wait_for

    code: str = host.create(name=name, days="3", **{"option-players": "3"})
    other.sit(code, other_name)
    host.post(f"/r/{code}/fill", data={"level": "random"})
    room = site.room(code)
    while not (codes := host.choices(code)[1]) or not codes[0].startswith("crew"):
        for guest in (host, other):
            prompt, codes = guest.choices(code)
            if prompt is not None and codes:
                guest.play(code, prompt, codes[0])
    wait_for(lambda: set(room.state.dues) == {0})
    return code


def await_message(site: Any, code: str, ended: str) -> None:
    """Wait until the e-mail about the host's decision in a match has ended in this way, or waits."""
    from tests.helpers import wait_for

    found = f"SELECT ended FROM outbox WHERE topic = 'turn/{code}/0/{site.room(code).state.dues[0].number}'"
    wait_for(lambda: site.hub.store.rows(found) in ([(ended,)], [("joined",)]))
    waiting = "SELECT count(*) FROM outbox WHERE ended = '' AND (due_at <= ? OR taken_by <> '')"
    wait_for(lambda: site.hub.store.rows(waiting, (NOON,)) == [(0,)])


def asked(room: Any) -> dict[str, Any]:
    """Return what people are asked in a room, by seat."""
    state, dues = room.state, getattr(room.state, "dues", {})
    return {
        str(seat): {
            "person": state.occupants[seat].person.name,
            "prompt": room.prompt_id(seat),
            "codes": sorted(map(state.game.actions.code, room.view(seat).legal)),
            "until": dues[seat].until if seat in dues else None,
        }
        for seat in state.match.to_act
    }


async def tell(database: str) -> dict[str, Any]:
    """Return by room the number of its last event, and what people are asked: prompt, choices, end of their time."""
    told: dict[str, Any] = {}
    with closing(open_store(place_of(database))) as store:
        hub = await Hub.open(store, hub_settings())
        for line in store.rooms():
            room = await hub.room(line.id)
            state, days = room.state, getattr(room.state.settings, "days", 0)
            told[line.id] = {"game": state.game.name, "events": state.seq, "days": days, "asked": asked(room)}
        told["key"] = store.signing_key().hex()
        await hub.close()
    return told


def place_of(database: str) -> Path | str:
    return database if "://" in database else Path(database)


def run(work: str, database: str) -> None:
    if work == "tell":
        print(json.dumps(asyncio.run(tell(database))))
    else:
        asyncio.run(write(database))
        print(json.dumps(write_days(database) if hasattr(Settings(), "days") else {}))


# In this process


def by_code(tree: Path, work: str, database: str) -> Any:
    """Let the code in a folder write a database, or return what it reads in it."""
    command: list[str | Path] = [sys.executable, Path(__file__).resolve(), f"--{work}", database]
    environment = {**os.environ, "PYTHONPATH": str(tree), "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run(command, env=environment, cwd=tree.parent, stdout=subprocess.PIPE, check=True)
    return json.loads(done.stdout)


def make(tag: str, commit: str, *, keep: bool) -> None:
    from tests.helpers import releases
    from tests.helpers.postgres import running_postgres

    told: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder, running_postgres() as server:
        tree, file = releases.unpack_code(commit, Path(folder) / "code"), Path(folder) / "tavola.sqlite"
        for kind, database in (("sqlite", str(file)), ("postgresql", server.new_database())):
            release = releases.Release(tag, kind, commit)
            if keep and release.path.exists():
                release.unpack(file if kind == "sqlite" else database)
                told[kind] = {}
            else:
                told[kind] = by_code(tree, "write", database)
                content = file.read_bytes() if kind == "sqlite" else server.dump(database)
                release.path.write_bytes(gzip.compress(content, mtime=0))
            rooms = by_code(tree, "tell", database)
            told[kind] |= {"key": rooms.pop("key"), "rooms": rooms}
            print(f"| `{release.path.name}` | `{commit}` | {hashlib.sha256(release.path.read_bytes()).hexdigest()} |")
        releases.told_path(tag).write_text(json.dumps(told, indent=1, sort_keys=True) + "\n", encoding="utf-8")


if __name__ == "__main__":
    if sys.argv[1] in ("--write", "--tell"):
        run(sys.argv[1][2:], sys.argv[2])
    else:
        make(*sys.argv[1:3], keep="--keep" in sys.argv)
