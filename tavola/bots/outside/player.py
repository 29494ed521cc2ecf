"""A bot from outside at the table: it is sent what its seat sees and hears, and answers with a code.

    player = Outside.parse("exec:./bot").player(seed=7)
    player.hear(match, seat)
    match.play(player.choose(match.view(seat)), seat)

A line that it gets is a `state`, a line that it writes a `play`, as on the socket of a room (docs/programs.md). What is
late, ends, or is not allowed is replaced by anything legal, noted in `faults`, and a program that ended is started
again and told everything from the beginning.
"""

import atexit
import os
import re
import shlex
import sys
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from tavola.bots.levels import Bot, RandomBot, deciding_seat
from tavola.bots.outside.lines import LineDecoder
from tavola.bots.outside.programs import NoProgram, Program, ProgramDied, ProgramFault
from tavola.core import CHANCE, Heard, IllegalAction, Match, Refusal, Result, View
from tavola.talk import StatementTexts

SPECIFICATION = re.compile(r"(?P<kind>python|exec):(?P<target>.+?)(@(?P<limit>\d{1,7})ms)?", re.DOTALL)
CLASS = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*:[A-Za-z_]\w*")
DEFAULT_LIMIT = 5_000
"""Milliseconds for a decision, unless told."""
STARTING = 30.0
"""Seconds more that a program has for its first line: it may have a large library to load."""
MOST_SPOKEN = 4
"""Statements that a program may make before one choice; more are let fall."""
MOST_STARTS = 3
"""Times that a program is started in one match; after that its seat is played at random."""


class BadOutside(Refusal):
    """A bot from outside that is not written as one."""


@dataclass(frozen=True)
class Outside:
    """A bot from outside: a class of a module, or a command, and the milliseconds it has for a decision.

    `folder`: where it is started; modules are looked for there too.
    """

    kind: str
    target: str
    limit: int = DEFAULT_LIMIT
    folder: str = field(default_factory=os.getcwd, compare=False)

    @classmethod
    def parse(cls, text: str) -> "Outside":
        """Read `python:module:Class` or `exec:command`, either with its limit a decision behind it, `@500ms`."""
        found = SPECIFICATION.fullmatch(text)
        limit = int(found["limit"] or DEFAULT_LIMIT) if found is not None else 0
        good = found is not None and limit > 0
        if found is None or not good or (found["kind"] == "python" and not CLASS.fullmatch(found["target"])):
            raise BadOutside(
                f"bot {text[:60]!r}: expected python:module:Class or exec:command, with @500ms behind it for a limit"
            )
        try:
            if not shlex.split(found["target"]):
                raise ValueError("no command")
        except ValueError as error:
            raise BadOutside(f"bot {text[:60]!r}: expected a command as a shell reads it, {error}") from error
        return cls(found["kind"], found["target"], limit)

    @property
    def command(self) -> list[str]:
        """The command that starts it."""
        if self.kind == "exec":
            return shlex.split(self.target)
        return [sys.executable, "-m", "tavola.bots.outside.host", self.target]

    def player(self, seed: int = 0) -> "OutsidePlayer":
        """Return a player for one seat of one match."""
        return OutsidePlayer(self, seed)

    def __str__(self) -> str:
        limit = "" if self.limit == DEFAULT_LIMIT else f"@{self.limit}ms"
        return f"{self.kind}:{self.target}{limit}"


class Answer(msgspec.Struct, tag_field="type", tag="play"):
    """A program's choice: the code of a legal action, and the number of the decision it answers."""

    prompt_id: int
    code: str


class Spoken(StatementTexts, frozen=True, tag_field="type", tag="speak"):
    """A statement that a program makes before its choice."""


_answers: LineDecoder[Answer | Spoken] = LineDecoder(Answer | Spoken)
_idle: defaultdict[Outside, list[Program]] = defaultdict(list)
"""Programs whose match is over: the next one of theirs begins in the same process."""
_lock = threading.Lock()


class OutsidePlayer:
    """One bot from outside on one seat of one match.

    `faults`: what was replaced, in its order; `reasons`: how many decisions were replaced by kind of fault.

    `statements`: what its seat has heard at the table, as documents; `spoken`: what it has said, which whoever runs the
    match takes. Where nobody talks the one is empty and the other is let fall.
    """

    def __init__(self, outside: Outside, seed: int) -> None:
        self.outside, self.seed = outside, seed
        self.faults: list[str] = []
        self.reasons: Counter[str] = Counter()
        self.statements: list[dict[str, Any]] = []
        self.spoken: list[Spoken] = []
        self.moments = 0
        """Actions of the match that it has been told of, or that were none of its business."""
        self._heard: list[Heard] = []
        self._told = self._prompts = self._starts = 0
        self._program: Program | None = None
        self._stopping = False

    def __repr__(self) -> str:
        return f"OutsidePlayer({str(self.outside)!r}, seed={self.seed})"

    def hear(self, match: Match, seat: int, until: int | None = None) -> None:
        """Let it hear what its seat has heard since, up to action number `until`."""
        end = len(match.history) if until is None else until
        if end > self.moments:
            self._heard += match.heard(seat, self.moments, end)
            self.moments = end

    def choose(self, view: View) -> int:
        """The number of its action, or of anything legal where it has none."""
        deciding_seat(view)
        self._prompts += 1
        self.spoken = []
        try:
            return self._ask(view)
        except (ProgramFault, NoProgram, IllegalAction) as fault:
            self.faults.append(str(fault))
            self.reasons[getattr(fault, "reason", "illegal")] += 1
            return RandomBot(self.seed).choose(view)

    def finish(self, view: View, result: Result) -> None:
        """Tell it how the match ended, and let it go on to another one."""
        program, self._program = self._program, None
        if program is None:
            return
        try:
            program.tell(self._state(view, result), self._seconds)
        except ProgramFault:
            program.close()
        else:
            with _lock:
                _idle[self.outside].append(program)

    def stop(self) -> None:
        """Let nobody wait for its program any more, from any thread: a decision under way is replaced at once."""
        self._stopping = True
        if (program := self._program) is not None:
            program.stop()

    def close(self) -> None:
        """End its program: the match is not played on."""
        if self._program is not None:
            self._program.close()
            self._program = None

    @property
    def _seconds(self) -> float:
        return self.outside.limit / 1000

    def _ask(self, view: View) -> int:
        seconds = self._seconds + STARTING * (self._program is None)
        program = self._program = self._program or self._start()
        if self._stopping:
            program.stop()
        deadline = time.monotonic() + seconds
        try:
            program.tell(self._state(view), self._seconds)
            answer = self._answer(program, deadline)
        except ProgramFault:
            self.close()
            raise
        return self._number(view, program, answer.code)

    def _answer(self, program: Program, deadline: float) -> Answer:
        """Return the answer to this decision; what was written to an earlier one is passed over, and gains no time."""
        while True:
            line = program.next_line(deadline - time.monotonic())
            try:
                answer = _answers.decode(line)
            except (msgspec.MsgspecError, UnicodeDecodeError) as error:
                raise ProgramFault(f"{line[:80]!r}: expected a play as JSON, {error}") from error
            if isinstance(answer, Spoken):
                self.spoken = [*self.spoken, answer][:MOST_SPOKEN]
            elif answer.prompt_id == self._prompts:
                return answer

    def _number(self, view: View, program: Program, code: str) -> int:
        try:
            number = view.game.actions.number(code)
            if number not in view.legal:
                raise IllegalAction(f"{code[:60]!r} is not allowed now: expected a code among those of `legal`")
        except IllegalAction as refusal:
            refused = {"type": "refused", "kind": "IllegalAction", "message": str(refusal)}
            program.tell(msgspec.json.encode(refused), self._seconds)
            raise
        return number

    def _start(self) -> Program:
        if self._starts >= MOST_STARTS:
            raise ProgramDied(f"the program was started {MOST_STARTS} times in this match: it is not started again")
        self._starts += 1
        self._told = 0
        with _lock:
            idle = _idle[self.outside]
            if idle:
                return idle.pop()
        return Program(self.outside.command, self.outside.folder)

    def _state(self, view: View, result: Result | None = None) -> bytes:
        """Return all that the seat may know, as a line, and what happened since the line before."""
        happened, self._told = self._heard[self._told :], len(self._heard)
        return msgspec.json.encode(
            {
                "type": "state",
                "room": f"match-{self.seed}",
                "game": view.game.name,
                "options": options_of(view),
                "phase": "playing" if result is None else "over",
                "seat": view.seat,
                "seed": self.seed,
                "milliseconds": self.outside.limit,
                "prompt_id": self._prompts if result is None else None,
                "happened": happened_documents(happened),
                "statements": self.statements,
                "legal": [view.game.actions.code(number) for number in view.legal],
                "view": view.document(),
                "result": result and {"points": result.points, "places": result.ranks},
            }
        )


def hear_match(bot: Bot, match: Match, seat: int) -> None:
    """Let a bot hear what its seat has heard since; of our own none listens, they see it all."""
    if isinstance(bot, OutsidePlayer):
        bot.hear(match, seat)


def finish_match(bot: Bot, match: Match, seat: int) -> None:
    """Tell a bot that its match is over, or is not played on."""
    if isinstance(bot, OutsidePlayer):
        bot.hear(match, seat)
        bot.finish(match.view(seat), match.score())


def options_of(view: View) -> dict[str, str]:
    """Return the options that are played, in words: they lie on the table."""
    laid = view.states["table"]
    names = (option for option in view.game.options.all if option.name in view.game.table.fields)
    return {option.name: option.write(int(laid[option.name][0])) for option in names}


def happened_documents(heard: Sequence[Heard]) -> list[dict[str, Any]]:
    """Return what was heard as programs get it: `seat` is null for chance, `code` null for a secret."""
    return [{"seat": None if one.seat == CHANCE else one.seat, "code": one.code} for one in heard]


@atexit.register
def end_programs() -> None:
    """End the programs that wait for another match."""
    with _lock:
        for programs in _idle.values():
            while programs:
                programs.pop().close()
