"""External bots in a match: a program gets what its seat sees and hears, and answers with a code.

    player = Outside.parse("exec:./bot").player(seed=7)
    player.hear(match, seat)
    match.play(player.choose(match.view(seat)), seat)

It reads lines of type `state` and writes lines of type `play`, as on the WebSocket of a room (docs/programs.md). A
late, missing or illegal answer is replaced by a random legal action and noted in `faults`. A program that ended is
restarted and gets the whole match again.
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

from tavola.bots.levels import Bot, RandomBot
from tavola.bots.outside.programs import LineDecoder, NoProgram, Program, ProgramDied, ProgramFault
from tavola.core import CHANCE, Heard, IllegalAction, Match, Refusal, Result, View
from tavola.core.plan import deciding_seat
from tavola.talk import StatementTexts

SPECIFICATION = re.compile(r"(?P<kind>python|exec):(?P<target>.+?)(@(?P<limit>\d{1,7})ms)?", re.DOTALL)
CLASS = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*:[A-Za-z_]\w*")
DEFAULT_LIMIT = 5_000
"""Default milliseconds for a decision."""
STARTING = 30.0
"""Additional seconds for a program's first line: it may have a large library to load."""
MOST_SPOKEN = 4
"""Maximum statements of a program before one choice; more are dropped."""
MOST_STARTS = 3
"""Maximum starts of a program per match; after that its seat is played at random."""


class BadOutside(Refusal):
    """An invalid specification of an external bot."""


@dataclass(frozen=True)
class Outside:
    """An external bot: a class of a module, or a command, and its time limit per decision in milliseconds.

    `folder`: where it is started, which is also searched for modules.
    """

    kind: str
    target: str
    limit: int = DEFAULT_LIMIT
    folder: str = field(default_factory=os.getcwd, compare=False)

    @classmethod
    def parse(cls, text: str) -> "Outside":
        """Parse `python:module:Class` or `exec:command`, optionally followed by a limit per decision, `@500ms`."""
        found = SPECIFICATION.fullmatch(text)
        limit = int(found["limit"] or DEFAULT_LIMIT) if found is not None else 0
        if found is None or limit == 0 or (found["kind"] == "python" and not CLASS.fullmatch(found["target"])):
            raise BadOutside(
                f"bot {text[:60]!r}: expected python:module:Class or exec:command, with an optional limit like @500ms"
            )
        try:
            if not shlex.split(found["target"]):
                raise ValueError("no command")
        except ValueError as error:
            raise BadOutside(f"bot {text[:60]!r}: expected a command in shell syntax, {error}") from error
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
    """A program's statement before its choice."""


_answers: LineDecoder[Answer | Spoken] = LineDecoder(Answer | Spoken)
_idle: defaultdict[Outside, list[Program]] = defaultdict(list)
"""Programs whose match is over, reused for their next match."""
_lock = threading.Lock()


class OutsidePlayer:
    """An external bot on one seat of one match.

    `faults`: descriptions of replaced decisions, in order; `reasons`: their number by kind of fault.

    `statements`: what its seat has heard at the table, as documents; `spoken`: its own statements, taken by the caller
    that runs the match. Without talk, the first is empty and the second is ignored.
    """

    def __init__(self, outside: Outside, seed: int) -> None:
        self.outside, self.seed = outside, seed
        self.faults: list[str] = []
        self.reasons: Counter[str] = Counter()
        self.statements: list[dict[str, Any]] = []
        self.spoken: list[Spoken] = []
        self.moments = 0
        """The number of the match's actions processed so far, including those it cannot hear."""
        self._heard: list[Heard] = []
        self._told = self._prompts = self._starts = 0
        self._program: Program | None = None
        self._stopping = False

    def __repr__(self) -> str:
        return f"OutsidePlayer({str(self.outside)!r}, seed={self.seed})"

    def hear(self, match: Match, seat: int, until: int | None = None) -> None:
        """Collect what its seat has heard since the last call, up to action number `until`."""
        end = len(match.history) if until is None else until
        if end > self.moments:
            self._heard += match.heard(seat, self.moments, end)
            self.moments = end

    def choose(self, view: View) -> int:
        """Return the number of its action, or of a random legal one if it fails."""
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
        """Send the result of the match, and keep the program for another match."""
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
        """Stop waiting for its program, from any thread: a pending decision is replaced at once."""
        self._stopping = True
        if (program := self._program) is not None:
            program.stop()

    def close(self) -> None:
        """End its program without finishing the match."""
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
        """Return the answer to this decision; answers to earlier ones are skipped and gain no time."""
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
                raise IllegalAction(f"{code[:60]!r} is not allowed now: expected one of the codes in `legal`")
        except IllegalAction as refusal:
            refused = {"type": "refused", "kind": "IllegalAction", "message": str(refusal)}
            program.tell(msgspec.json.encode(refused), self._seconds)
            raise
        return number

    def _start(self) -> Program:
        if self._starts >= MOST_STARTS:
            raise ProgramDied(f"the program was started {MOST_STARTS} times in this match and is not started again")
        self._starts += 1
        self._told = 0
        with _lock:
            if idle := _idle[self.outside]:
                return idle.pop()
        return Program(self.outside.command, self.outside.folder)

    def _state(self, view: View, result: Result | None = None) -> bytes:
        """Return all that the seat may know and the news since the last line, as a line."""
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
    """Let an external bot hear the news of its seat; other bots only need views."""
    if isinstance(bot, OutsidePlayer):
        bot.hear(match, seat)


def finish_match(bot: Bot, match: Match, seat: int) -> None:
    """Notify an external bot that its match is over."""
    if isinstance(bot, OutsidePlayer):
        bot.hear(match, seat)
        bot.finish(match.view(seat), match.score())


def options_of(view: View) -> dict[str, str]:
    """Return the options of a match, as stored in its table, in words."""
    laid = view.states["table"]
    names = (option for option in view.game.options.all if option.name in view.game.table.fields)
    return {option.name: option.write(int(laid[option.name][0])) for option in names}


def happened_documents(heard: Sequence[Heard]) -> list[dict[str, Any]]:
    """Return what was heard as documents for programs: `seat` is null for chance, `code` null for a secret."""
    return [{"seat": None if one.seat == CHANCE else one.seat, "code": one.code} for one in heard]


@atexit.register
def end_programs() -> None:
    """End idle programs."""
    with _lock:
        for programs in _idle.values():
            while programs:
                programs.pop().close()
