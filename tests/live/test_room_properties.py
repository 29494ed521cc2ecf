"""Whatever people do in a room, and however often it restarts, it stays what its log says.

That no one acts for another is checked where commands are decided, in `log/test_decide.py`.
"""

import asyncio
import tempfile
from pathlib import Path

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from tavola.bots import bot
from tavola.core import CHANCE, Refusal
from tavola.live import Hub, Person, Settings
from tavola.live.log.dice import Dice
from tavola.live.log.fold import fold
from tavola.live.protocol import AddBot, ComeBack, Fill, Join, Leave, Play, Rematch, Remove, Say, SitOut, Start
from tavola.live.responses import state_message
from tavola.store import open_store
from tests.helpers import PATIENCE
from tests.helpers.rooms import PEOPLE, differing_parts, play_to_end, quick_settings, wait_until

STRANGER = Person("z", "Zoe")
people = st.sampled_from((*PEOPLE, STRANGER))
seats = st.one_of(st.none(), st.integers(-1, 4))
levels = st.sampled_from(["random", "greedy", "clever"])
codes = st.one_of(st.text(min_size=1, max_size=8), st.sampled_from(["vote red", "lane 1", "start 0"]))
at_the_table = st.one_of(
    st.tuples(st.just(Join), seats),
    st.tuples(st.just(AddBot), levels, seats),
    st.tuples(st.just(Remove), st.integers(-1, 4)),
    st.tuples(st.sampled_from([Start, Leave, ComeBack, Rematch])),
    st.tuples(st.just(Fill), st.sampled_from(["", "random", "clever"])),
)
beside = st.one_of(
    st.tuples(st.just(Play), st.integers(), codes),
    st.tuples(st.just(SitOut), st.sampled_from(["rounds", "end", "nothing"])),
    st.tuples(st.just(Say), st.text(max_size=8)),
)
"""Kinds of commands with what is in them."""


class FirstOutcome(Dice):
    """Dice that repeat, so that Hypothesis can replay a course."""

    def draw_outcome(self, outcomes, weights):
        return outcomes[0]


class RoomMachine(RuleBasedStateMachine):
    """What people do in a room, in any order; its hub has a store in a file, and a loop of its own."""

    def __init__(self):
        super().__init__()
        self.runner, self.folder = asyncio.Runner(), tempfile.TemporaryDirectory()
        self.run = self.runner.run

    async def serve(self, **given):
        self.store = open_store(Path(self.folder.name) / "tavola.sqlite")
        self.hub = await Hub.open(self.store, quick_settings(**given))

    async def stop(self):
        await self.hub.close()
        self.store.close()

    def teardown(self):
        if hasattr(self, "hub"):
            self.run(self.stop())
        self.runner.close()
        self.folder.cleanup()


few_long_courses = settings(
    max_examples=settings().max_examples // 10,
    stateful_step_count=25,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)


class Anything(RoomMachine):
    """One room with three seats, four people and a stranger who try everything, and a server that restarts."""

    def __init__(self):
        super().__init__()
        self.sent, self.leaving, self.told = [], {}, []

    @initialize(bots=st.integers(0, 2))
    def open_a_room(self, bots):
        self.run(self._serve())
        self.room = self.run(self.hub.create(PEOPLE[0], "lifeboats", {"players": 3}, Settings(patience=0)))
        for number in range(bots):
            self.run(self.room.execute(PEOPLE[0], AddBot(f"bot{number}", "random")))

    async def _serve(self):
        await self.serve(level="search", bots=lambda level, seed: bot("random", 7), dice=FirstOutcome())
        self.standing = len(self.hub.tasks._background)

    def command(self, person: Person, kind, *arguments):
        """Send a command with a new id; a refused one must change nothing."""
        self.send(person, kind(f"c{len(self.sent)}", *arguments))

    def send(self, person: Person, command):
        self.run(self.settle())
        before = (self.room.state.seq, list(self.told))
        self.sent.append((person, command))
        try:
            self.run(self.room.execute(person, command))
        except Refusal:
            assert before == (self.room.state.seq, self.told)
        self.run(self.settle())

    async def settle(self):
        """Wait until bots have decided; the hub's own sweeping and pruning keep running."""
        await wait_until(lambda: not self.hub.tasks._commands and len(self.hub.tasks._background) == self.standing)

    @rule(person=people, first=at_the_table, second=at_the_table)
    def gather_and_leave(self, person: Person, first, second):
        self.command(person, *first)
        self.command(person, *second)

    @rule(person=people, wish=beside)
    def play_or_say_anything(self, person: Person, wish):
        self.command(person, *wish)

    @precondition(lambda self: self.room.state.phase == "gathering")
    @rule()
    def fill_and_start(self):
        for person in PEOPLE:
            self.command(person, Join, None)
        self.command(self.room.state.host, Start)

    @precondition(lambda self: self.room.state.phase == "playing")
    @rule(choice=st.integers(0, 1000), times=st.integers(1, 12))
    def play(self, choice, times):
        for turn in range(times):
            owing = [seat for seat in self.room.state.open_decisions if not self.room.state.occupants[seat].bot_decides]
            if owing:
                seat = owing[choice % len(owing)]
                legal = self.room.view(seat).legal
                code = self.room.state.game.actions.code(legal[(choice + turn) % len(legal)])
                self.command(self.room.seats[seat].person, Play, self.room.prompt_id(seat), code)

    @precondition(lambda self: self.sent)
    @rule(choice=st.integers(0, 1000))
    def send_again(self, choice):
        person, command = self.sent[choice % len(self.sent)]
        before, known = self.room.state.seq, f"{person.id}/{command.command_id}" in self.room.state.command_ids
        self.send(person, command)
        self.sent.pop()
        assert not known or self.room.state.seq == before

    async def call(self, function, *arguments):
        return function(*arguments)

    @rule(person=people)
    def connect(self, person: Person):
        leave = self.run(self.call(self.room.subscribe, person, self.told.append))
        self.leaving.setdefault(person, []).append(leave)

    @precondition(lambda self: any(self.leaving.values()))
    @rule(person=people)
    def disconnect(self, person: Person):
        if self.leaving.get(person):
            self.run(self.call(self.leaving[person].pop()))

    @rule()
    def restart(self):
        self.run(self.stop())
        self.leaving.clear()
        self.told.clear()
        self.run(self._serve())
        self.room = self.run(self.hub.room(self.room.id))
        self.run(self.settle())

    @precondition(lambda self: self.room.state.phase == "playing")
    @rule()
    def play_to_the_end(self):
        seated = [p.person for p in self.room.state.occupants if p.person and not p.taken_over]
        self.run(asyncio.wait_for(play_to_end(self.room, seated), PATIENCE))
        self.run(self.settle())

    @invariant()
    def the_room_is_what_its_log_says(self):
        assert differing_parts(fold(self.store.events(self.room.id)), self.room.state) == []

    @invariant()
    def owed_decisions_are_those_of_the_match(self):
        if self.room.state.match is None:
            return
        owing = [seat for seat in range(3) if self.room.prompt_id(seat) is not None]
        assert owing == [seat for seat in self.room.state.match.to_act if seat != CHANCE]
        assert self.room.state.phase == "over" or CHANCE not in self.room.state.match.to_act
        assert all(not self.room.state.occupants[seat].bot_decides for seat in owing), "bots have decided"

    @invariant()
    def presence_is_counted(self):
        seated = [seat for seat in self.room.seats if seat.person is not None]
        assert [seat.away for seat in seated] == [not self.leaving.get(seat.person) for seat in seated]

    @invariant()
    def everybody_can_be_told(self):
        for person in (*PEOPLE, STRANGER):
            message = state_message(self.room, person.id)
            assert message["seat"] == self.room.state.seat_of(person.id)
            assert bool(message["legal"]) == (message["prompt_id"] is not None)


Anything.TestCase.settings = few_long_courses
TestAnything = Anything.TestCase
