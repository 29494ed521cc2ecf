"""A power cut: all or any part of unsynced writes is lost, but nothing acknowledged is.

A store writes under a shim (power.c) that records every write, sync and acknowledgement in order. From one such run,
the disk is rebuilt as after a cut at any moment: everything synced, and of the rest what chance leaves. A store that
does not sync must be found.
"""

import contextlib
import random
import shutil
import struct
import subprocess
from pathlib import Path

import pytest

from tavola.store import BadDatabase, open_store
from tests.helpers import run_python

pytestmark = [pytest.mark.process, pytest.mark.skipif(shutil.which("cc") is None, reason="needs a C compiler")]
HEAD = struct.Struct("<ciqq")
ROOMS = ("bakvin", "talvin", "solrum")
WRITER = """
import asyncio, os, struct, sys
from tavola.store import Event, open_store
trace = os.open(os.environ["TRACE"], os.O_WRONLY | os.O_APPEND)
store = open_store(sys.argv[1])
if sys.argv[2] == "careless":
    store._writer.execute("PRAGMA synchronous = OFF")
async def fill(room):
    for seq in range(1, int(sys.argv[3])):
        await store.append(room, [Event(seq, "said", {"text": room * (seq % 90)})])
        os.write(trace, struct.pack("<ciqq", b"a", len(room), seq, 0) + room.encode())
async def all_of_them():
    await asyncio.gather(*map(fill, sys.argv[4:]))
asyncio.run(all_of_them())
os._exit(0)
"""
SHIM = Path(__file__).with_name("power.c")


@pytest.fixture(scope="module")
def shim(tmp_path_factory: pytest.TempPathFactory):
    library = tmp_path_factory.mktemp("shim") / "power.so"
    subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", library, SHIM, "-ldl"], check=True)
    return library


def traced(shim: Path, folder: Path, manner, count):
    """Return what a store wrote, and what it acknowledged when: kind, name, offset, bytes."""
    folder.mkdir()
    trace = folder.with_name(folder.name + ".trace")
    trace.touch()
    traced_as = {"LD_PRELOAD": str(shim), "TRACE": str(trace), "TRACED": str(folder)}
    run_python(WRITER, str(folder / "tavola.sqlite"), manner, str(count), *ROOMS, **traced_as)
    records = []
    with trace.open("rb") as content:
        while head := content.read(HEAD.size):
            kind, name, offset, length = HEAD.unpack(head)
            records.append((kind, content.read(name).decode(), offset, content.read(length)))
    return records


class Disk:
    def __init__(self):
        self.synced, self.waiting, self.acknowledged = {}, {}, {}

    def take(self, kind, name, offset, content):
        if kind == b"a":
            self.acknowledged[name] = offset
        elif kind == b"u":
            self.synced.pop(name, None)
            self.waiting.pop(name, None)
        elif kind == b"s":
            self.synced[name] = self._after(name, self.waiting.pop(name, []))
        else:
            self.waiting.setdefault(name, []).append((kind, offset, content))

    def cut(self, folder: Path, dice):
        """Write the files after a power cut: of unsynced writes, none, all, or any part has arrived."""
        folder.mkdir()
        share = dice.choice((0.0, 0.5, 1.0))
        for name in {*self.synced, *self.waiting}:
            arrived = [change for change in self.waiting.get(name, []) if dice.random() < share]
            (folder / Path(name).name).write_bytes(self._after(name, arrived))

    def _after(self, name, changes):
        content = bytearray(self.synced.get(name, b""))
        for kind, offset, written in changes:
            if kind == b"t":
                del content[offset:]
            content.extend(bytes(max(0, offset + len(written) - len(content))))
            content[offset : offset + len(written)] = written
        return content


def lost(records, folder: Path, cuts, seed):
    dice, disk, faults = random.Random(seed), Disk(), []
    first = next(place for place, record in enumerate(records) if record[0] == b"a")
    moments = sorted(dice.sample(range(first, len(records)), min(cuts, len(records) - first)))
    for place, record in enumerate(records):
        disk.take(*record)
        if place in moments:
            faults += after_cut(disk, folder / str(place), dice)
    return faults


def after_cut(disk, folder: Path, dice):
    """Open what a power cut has left; return what is wrong."""
    disk.cut(folder, dice)
    try:
        with contextlib.closing(open_store(folder / "tavola.sqlite")) as store:
            logs = {room: store.read(room) for room in disk.acknowledged}
    except BadDatabase as error:
        return [str(error)]
    shutil.rmtree(folder)
    short = [room for room, seq in disk.acknowledged.items() if len(logs[room].events) < seq or logs[room].fault]
    return [f"{room}: {len(logs[room].events)} of {disk.acknowledged[room]} {logs[room].fault}" for room in short]


def test_nothing_acknowledged_is_lost_in_a_power_cut(shim: Path, tmp_path: Path):
    assert lost(traced(shim, tmp_path / "run", "careful", 60), tmp_path, 40, seed=1) == []


def test_a_store_that_does_not_sync_is_found_out(shim: Path, tmp_path: Path):
    assert lost(traced(shim, tmp_path / "run", "careless", 60), tmp_path, 40, seed=2)


@pytest.mark.soak
def test_nothing_acknowledged_is_lost_in_many_power_cuts(shim: Path, tmp_path: Path):
    for seed in range(10):
        assert lost(traced(shim, tmp_path / f"run{seed}", "careful", 600), tmp_path, 1000, seed) == []
