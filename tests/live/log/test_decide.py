"""Commands of people and of the server in any order, against decisions and the fold only: no loop, hub or disk."""

import random
from types import SimpleNamespace

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

import tavola
from tavola.core import CHANCE, Refusal
from tavola.live import Person, Settings, protocol
from tavola.live.commands import server_commands as commands
from tavola.live.commands.commands import BotAnswer, Given
from tavola.live.commands.decide import decide
from tavola.live.commands.play import stays_done
from tavola.live.commands.rematch import OpenRematch
from tavola.live.log.dice import Dice
from tavola.live.log.events import created_event, joined_event, number_events
from tavola.live.log.fold import apply_event, fold
from tavola.live.log.undo import undoable
from tavola.live.time.clocks import ENDS_BANK, usable_bank
from tavola.live.time.race import Reaction
from tests.helpers.rooms import ADA, PEOPLE, differing_parts

STRANGER = Person("z", "Zoe")
people = st.sampled_from((*PEOPLE, STRANGER))
seats = st.integers(-1, 4)
choices = st.integers(0, 2**16)
levels = st.sampled_from(["random", "greedy", "clever"])
at_the_table = st.one_of(
    st.tuples(st.just(protocol.Join), st.none() | seats),
    st.tuples(st.sampled_from([protocol.Leave, protocol.ComeBack, protocol.Ready, protocol.Start])),
    st.tuples(st.just(protocol.AddBot), levels, st.none() | seats),
    st.tuples(st.just(protocol.Remove), seats),
    st.tuples(st.just(protocol.Swap), seats, seats),
)
beside = st.one_of(
    st.tuples(st.sampled_from([protocol.Mute, protocol.Report]), st.integers(0, 3)),
    st.tuples(st.just(protocol.Note), seats, st.sampled_from(["", "sailor", "nonsense"])),
)
"""Kinds of commands with what is in them."""
OWN_SEAT = ("left", "ready", "returned", "noted", "joined")
"""Events of a person's command that concern their own seat, or the one they take."""


def in_phase(phase: str):
    return precondition(lambda machine: machine.state.phase == phase)


def opened(game: str, settings: Settings, people=(ADA,), at: float = 1_000.0, players: int = 3) -> list:
    """Return the log of a room that Ada has opened, in which people have taken the first seats."""
    card = tavola.load(game)
    options = card.options.to_words(card.options.array({"players": players}, "recommended"))
    seated = [joined_event(seat, person) for seat, person in enumerate(people)]
    return number_events([created_event(card, options, settings, ADA), *seated], 1, None, at)


class Table:
    """A log, the state that decisions read, and another state that only the log's events have changed."""

    def __init__(self, log):
        self.log, self.state, self.folded = list(log), fold(log), fold(log)
        self.now = log[-1].at
        self.used: dict[int, float] = {}  # seconds used of banks by seat, not yet in the log

    def bank_spent(self):
        """Seconds used of banks, as a caretaker counts them: at most what a seat may use for its decision."""
        used = ((seat, min(seconds, usable_bank(self.state, seat))) for seat, seconds in self.used.items())
        return {seat: seconds for seat, seconds in used if seconds}

    def given(self, draw=0, **known):
        known = {"now": self.now, "level": "random", "scene_end": self.now, "next_room": "talvin", **known}
        known = {"bank_spent": self.bank_spent(), **known}
        return Given(dice=Dice(random.Random(draw)), **known)

    def carry_out(self, command, who=None, draw=0, **known):
        """Decide, apply the events and return them. Deciding twice with equal dice gives the same events."""
        new_events = decide(self.state, command, who, self.given(draw, **known))
        assert new_events == decide(self.state, command, who, self.given(draw, **known))
        self.check_equal()
        self.check_charged(new_events)
        key = f"{who.id}/{len(self.log)}" if who is not None else None
        for event in number_events(new_events, self.state.seq + 1, key, self.now):
            self.check_permitted(event, command, who)
            self.log.append(event)
            apply_event(self.state, event)
            apply_event(self.folded, event)
        return new_events

    def check_equal(self):
        """Only events have changed the state."""
        assert differing_parts(self.state, self.folded) == []

    def check_charged(self, new_events):
        """Seconds used of a bank are logged once: with the end of the decision, or when the room is handed over."""
        left = self.bank_spent()
        for kind, body in new_events:
            told = {}
            if kind == "clocks":
                told = {int(seat): seconds for seat, seconds in body.get("spent", {}).items()}
                assert told == left
            elif kind in ENDS_BANK:
                told = {body["seat"]: body["spent"]} if "spent" in body else {}
                assert told == {seat: left[seat] for seat in left if seat == body["seat"]}
            else:
                assert "spent" not in body
            left = {seat: seconds for seat, seconds in left.items() if seat not in told}
            self.used = {seat: seconds for seat, seconds in self.used.items() if seat not in told}

    def check_permitted(self, event, command, who):
        """No one acts for another's seat; for a person only the match's clock does."""
        seat = event.body.get("seat")
        place = self.state.occupants[seat] if seat is not None and seat != CHANCE else None
        if event.kind == "played" and place is not None:
            assert seat in self.state.open_decisions
            assert place.person == who if who is not None else place.bot_decides or isinstance(command, commands.RunOut)
        elif isinstance(command, protocol.Swap):
            assert (who.id, self.state.phase) == (self.state.host.id, "gathering")
        elif event.kind in OWN_SEAT and who is not None:
            assert place.person is None or place.person.id == who.id
            assert event.kind != "joined" or event.body["id"] == who.id
        elif event.kind in ("bot", "removed", "started") and who is not None and not self.state.is_rematch:
            assert who.id == self.state.host.id


class Anything(RuleBasedStateMachine):
    """One table with three seats, four people, a stranger, and the server."""

    @initialize(
        game=st.sampled_from(["lifeboats", "tournament"]),
        begun=st.sampled_from([0, 1, 2, 3]),
        bank=st.sampled_from([0, 120]),
        draw=choices,
    )
    def open_a_room(self, game, begun, bank, draw):
        """Open a room and begin a match with `begun` people; with 0, only the host sits there."""
        self.table = Table(opened(game, Settings(patience=60, bank=bank)))
        for who in PEOPLE[1:begun]:
            self.give(who, protocol.Join, None)
        if begun:
            assert self.give(ADA, protocol.Fill, draw=draw)

    @property
    def state(self):
        return self.table.state

    def give(self, who, kind, *arguments, **given):
        try:
            return self.table.carry_out(kind("c", *arguments), who, **given)
        except Refusal:
            self.table.check_equal()
            return []

    def tend(self, command, draw=0, **given):
        return self.table.carry_out(command, None, draw, **given)

    @rule(seconds=st.sampled_from([0.5, 40.0, 700.0]))
    def time_passes(self, seconds):
        self.table.now += seconds

    @rule(seat=seats, seconds=st.floats(0.5, 80))
    def a_bank_runs(self, seat, seconds):
        if seat in self.state.open_decisions and not self.state.occupants[seat].bot_decides:
            self.table.used[seat] = self.table.used.get(seat, 0.0) + seconds

    # People

    @rule(who=people, first=at_the_table, second=at_the_table, draw=choices)
    def gather_and_leave(self, who, first, second, draw):
        self.give(who, *first, draw=draw)
        self.give(who, *second, draw=draw)

    @in_phase("gathering")
    @rule(draw=choices, bots=st.booleans())
    def the_host_begins(self, draw, bots):
        for who in () if bots else PEOPLE:
            self.give(who, protocol.Join, None)
        self.give(self.state.host, protocol.Fill, draw=draw)

    @rule(who=people, text=st.text(max_size=4), may_speak=st.booleans())
    def say(self, who, text, may_speak):
        said = self.give(who, protocol.Say, text, may_speak=may_speak)
        assert may_speak or not said

    @rule(who=people, wish=beside)
    def moderate_or_guess(self, who, wish):
        self.give(who, *wish)

    @in_phase("playing")
    @rule(draw=choices, times=st.integers(1, 100))
    def play_on(self, draw, times):
        """Seats that owe a decision play legal actions, over and over; chance outcomes held back are released."""
        rng = random.Random(draw)
        for _ in range(times):
            if self.state.in_suspense:
                assert self.tend(commands.HoldChance(1.0)) == [("held", {"until": self.table.now + 1.0})]
                assert self.tend(commands.ReleaseChance(), rng.randrange(1000))
            elif self.state.open_decisions:
                self.decide_one(rng)

    def decide_one(self, rng):
        seat = rng.choice(list(self.state.open_decisions))
        number, prompt_id = rng.choice(self.state.view(seat).legal), self.state.prompt_id(seat)
        reaction, draw = rng.choice([None, Reaction(0.02), Reaction(0.4 + rng.random())]), rng.randrange(1000)
        if self.state.occupants[seat].bot_decides:
            assert self.tend(commands.DecideForBots({seat: BotAnswer(prompt_id, [number], reaction)}), draw)
        else:
            who, code = self.state.occupants[seat].person, self.state.game.actions.code(number)
            assert self.give(who, protocol.Play, prompt_id, code, draw=draw, reaction=reaction)

    @in_phase("playing")
    @rule(who=people, seat=st.integers(0, 2), late=st.integers(-1, 3), draw=choices)
    def play_anything(self, who, seat, late, draw):
        actions, prompt_id = self.state.game.actions, (self.state.prompt_id(seat) or 0) - late
        self.give(who, protocol.Play, prompt_id, actions.code(draw % len(actions)), draw=draw)

    @in_phase("playing")
    @rule(who=people, allow=st.booleans())
    def take_back(self, who, allow):
        """Undo a decision, after all who are asked have answered; the match is then shorter."""
        made, actions = undoable(self.state, self.state.seat_of(who.id)), len(self.state.match.history)
        self.give(who, protocol.Undo, made.prompt_id if made is not None else 0)
        for other in PEOPLE:
            if self.state.undo_request is not None and other != who:
                self.give(other, protocol.AllowUndo, made.seat, made.prompt_id, allow)
        assert self.state.undo_request is None
        assert len(self.state.match.history) in (actions, made.place if made is not None else actions)

    @in_phase("over")
    @rule(who=people, level=st.sampled_from(["", "greedy", "clever"]), draw=choices)
    def play_again(self, who, level, draw):
        """The rematch has a log of its own, and the test continues there."""
        if self.give(who, protocol.Rematch, level):
            self.check_fold()
            first = decide(self.state, OpenRematch(who, level), None, self.table.given(draw))
            self.table = Table(number_events(first, 1, None, self.table.now))
            assert self.state.seat_of(who.id) in self.state.ready_seats

    # The server

    def owed(self, late=0):
        return {seat: self.state.prompt_id(seat) - late for seat in self.state.open_decisions}

    @in_phase("playing")
    @rule(late=st.integers(0, 1), draw=choices)
    def bots_answer(self, late, draw):
        """Answer all open decisions at once: only bots' answers count, and only to current prompts."""
        bots = {seat for seat in self.state.open_decisions if self.state.occupants[seat].bot_decides}
        legal = {seat: self.state.view(seat).legal for seat in self.state.open_decisions}
        turns = {seat: [numbers[draw % len(numbers)]] for seat, numbers in legal.items()}
        answers = {seat: BotAnswer(prompt, turns[seat]) for seat, prompt in self.owed(late).items()}
        assert bool(self.tend(commands.DecideForBots(answers), draw)) == bool(bots and not late)

    @rule(seconds=st.floats(0, 8), draw=choices)
    def chance_is_held_and_falls(self, seconds, draw):
        was = self.state.in_suspense
        assert bool(self.tend(commands.HoldChance(seconds))) == was
        assert bool(self.tend(commands.ReleaseChance(), draw)) == was

    @rule(late=st.sampled_from([0, 0, 1]), takes_over=st.booleans(), draw=choices)
    def time_runs_out(self, late, takes_over, draw):
        self.tend(commands.TakeOver(self.owed(late)) if takes_over else commands.RunOut(self.owed(late)), draw)

    @rule(period=st.integers(0, 6), draw=choices)
    def time_runs_out_for_all(self, period, draw):
        self.tend(commands.RunOut({}, period), draw)

    @rule(draw=choices)
    def begin(self, draw):
        self.tend(commands.Begin(), draw)

    @rule(present=st.frozensets(st.sampled_from([who.id for who in PEOPLE])))
    def host_vanishes(self, present):
        happened = self.tend(commands.TransferHost(), heir=self.state.next_host(present))
        assert not happened or self.state.host.id in present

    @rule(seconds=st.floats(0, 60))
    def hand_over(self, seconds):
        clocks = {str(seat): [prompt, seconds, 0] for seat, prompt in self.owed().items()}
        self.tend(commands.HandOver(clocks, self.table.bank_spent()))

    @invariant()
    def a_match_goes_on_or_is_over(self):
        if self.state.match is None:
            return
        state, to_act = self.state, self.state.match.to_act
        assert sorted(state.open_decisions) == [seat for seat in to_act if seat != CHANCE]
        assert bool(to_act) == (state.phase == "playing")
        assert CHANCE not in to_act or state.in_suspense
        assert [event.kind for event in self.table.log].count("over") == (state.phase == "over")

    def check_fold(self):
        self.table.folded = fold(self.table.log)
        self.table.check_equal()
        assert all(spent <= self.state.settings.bank + 0.001 for spent in self.state.bank_spent.values())

    def teardown(self):
        if hasattr(self, "table"):
            self.check_fold()


Anything.TestCase.settings = settings(
    max_examples=40, stateful_step_count=40, deadline=None, suppress_health_check=list(HealthCheck)
)
TestAnything = Anything.TestCase


def called_back(draw):
    """Return a match of Tournament in which Ada has left the market and another player's offer calls her back."""
    table, rng = Table(opened("tournament", Settings(patience=60), PEOPLE[:3])), random.Random(draw)
    table.carry_out(protocol.Start("c"), ADA, draw)
    state = table.state
    table.carry_out(protocol.Play("c", state.prompt_id(0), "done"), ADA)
    while 0 not in state.open_decisions:
        seat = rng.choice(sorted(state.open_decisions))
        codes = [code for code in map(state.game.actions.code, state.view(seat).legal) if code != "done"]
        table.carry_out(protocol.Play("c", state.prompt_id(seat), rng.choice(codes)), state.occupants[seat].person)
    return table


def test_only_eliminated_players_stay_away_from_a_market_that_they_have_left(monkeypatch):
    table = called_back(1)
    assert not stays_done(table.state, 0)
    monkeypatch.setattr("tavola.live.commands.play.words_of", lambda game: SimpleNamespace(eliminated=lambda *_: "out"))
    assert stays_done(table.state, 0)
    assert not stays_done(table.state, 1), "has not left it"
    assert table.carry_out(commands.RunOut({0: table.state.prompt_id(0)})) == [("played", {"seat": 0, "code": "done"})]
