"""Make the database of an earlier release with unfinished matches: `python -m tests.store.make_release v0.2.0`.

The code of the tag writes it, as plain Python, to `release-TAG.sqlite.gz` beside this file: see `test_releases.py`.
"""

import asyncio
import gzip
import os
import subprocess
import sys
import tempfile
from contextlib import closing
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
BARTER = (("offer 1", 0), ("give joker", 0), ("ask joker", 0), ("publish", 0), ("accept 0 1", 1))


async def write(path: Path) -> None:
    """Begin a match of Tournament, in which a joker is exchanged for a joker, and one of Lifeboats.

    If the release has correspondence, also begin such a match of Voyage.
    """
    from tavola.live import Hub, HubSettings, Person, Settings
    from tavola.live.protocol import Join, Play, Start
    from tavola.store import open_store

    people = [Person(name[0] * 8, name) for name in ("Ada", "Bea", "Carla")]
    with closing(open_store(path)) as store:
        hub = await Hub.open(store, HubSettings(bot_pause=0.0, beat=None, scenes=False))

        async def begin(game: str, **more: Any) -> Any:
            room = await hub.create(people[0], game, {"players": 3}, Settings(patience=0, **more))
            for person in people[1:]:
                await room.execute(person, Join(f"join-{person.name}"))
            await room.execute(people[0], Start("start"))
            return room

        async def play(room: Any, seat: int, code: str) -> None:
            state = room.state
            await room.execute(people[seat], Play(f"c{state.seq}", room.prompt_id(seat), code))

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
        if "days" in Settings.__dataclass_fields__:
            room = await begin("voyage", days=3)
            while not room.state.dues:  # noqa: ASYNC110 - that release may not notify
                await asyncio.sleep(0.01)
        await hub.close()


def make(tag: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        tree, database = Path(folder) / "code", Path(folder) / "tavola.sqlite"
        tree.mkdir()
        archive = subprocess.run(["git", "archive", tag], capture_output=True, check=True).stdout
        subprocess.run(["tar", "-x", "-C", tree], input=archive, check=True)
        environment = {**os.environ, "PYTHONPATH": str(tree), "NUMBA_DISABLE_JIT": "1"}
        command: list[str | Path] = [sys.executable, Path(__file__).resolve(), "--write", database]
        subprocess.run(command, env=environment, cwd=folder, check=True)
        packed = gzip.compress(database.read_bytes(), mtime=0)
        (HERE / f"release-{tag}.sqlite.gz").write_bytes(packed)


if __name__ == "__main__":
    asyncio.run(write(Path(sys.argv[2]))) if sys.argv[1] == "--write" else make(sys.argv[1])
