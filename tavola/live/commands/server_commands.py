"""The server's own commands and what follows from them: bots answer, time runs out, held outcomes fall, a match begins.

Those about answers ahead, talk windows, statements, undo, rematches and correspondence are in the modules on these.
"""

from collections.abc import Mapping, Sequence
from typing import ClassVar

import msgspec

from tavola.live.commands.ballot_window import is_on
from tavola.live.commands.commands import BotAnswer, Given, ServerCommand
from tavola.live.commands.play import is_forced, seal_for_bots
from tavola.live.log.draft import Draft, play_time_outs, play_turn
from tavola.live.log.events import NewEvent, begin_events, bot_events, joined_event, played_events, taken_event
from tavola.live.log.people import Person
from tavola.live.log.state import State


class DecideForBots(ServerCommand, frozen=True):
    """Bots' answers, by seat; late ones are dropped. They are played in random order, so that none is first more often.

    In an open decision, the first that others see drops those after it.
    """

    answers: Mapping[int, BotAnswer]

    def decide(self, state: State, given: Given) -> list[NewEvent]:
        if (match := state.match) is None or match.over or is_on(state) or state.undo_request is not None:
            return []
        answers = {
            seat: answer
            for seat, answer in self.answers.items()
            if state.occupants[seat].bot_decides and state.prompt_id(seat) == answer.prompt_id
        }
        if state.owed_seals:
            return seal_for_bots(state, answers, given)
        draft = Draft(match, given.dice, state.reactions)
        for seat in given.dice.shuffle(answers):
            if not draft.renews_decisions:
                play_turn(draft, seat, answers[seat].turn, answers[seat].reaction)
        return played_events(draft)


class HoldChance(ServerCommand, frozen=True):
    """The delay of a held chance outcome: it falls `seconds` after everything that is being shown, restart or not."""

    seconds: float

    def decide(self, state: State, given: Given) -> list[NewEvent]:
        return [("held", {"until": given.scene_end + self.seconds})] if state.in_suspense else []


class ReleaseChance(ServerCommand, frozen=True):
    """The release of a held chance outcome, which is drawn only now, with those that follow."""

    def decide(self, state: State, given: Given) -> list[NewEvent]:
        if state.match is None or not state.in_suspense:
            return []
        return played_events(Draft(state.match, given.dice, released=True))


class RunOut(ServerCommand, frozen=True):
    """The end of the time for the decisions in `prompts`, by seat, or for all in the clock's `period`.

    The actions that the game plays then are played for all of these seats at once.
    """

    prompts: Mapping[int, int]
    period: int | None = None

    def decide(self, state: State, given: Given) -> list[NewEvent]:
        if state.match is None or state.phase != "playing":
            return []
        draft = Draft(state.match, given.dice, state.reactions)
        play_time_outs(draft, self._plays(state, is_open=state.match.open))
        return played_events(draft)

    def _plays(self, state: State, *, is_open: bool) -> dict[int, int]:
        plays = {}
        for seat in state.open_decisions:
            timed, late = state.time_out(seat), self.prompts.get(seat) == state.prompt_id(seat)
            if self.period is not None:
                late = is_open and timed is not None and timed.period == self.period
            if late and timed is not None:
                plays[seat] = state.game.actions.number(timed.code)
        return plays


class PlayOnly(ServerCommand, frozen=True):
    """The play of a person's only legal action, if the seat still owes the decision `prompt_id`."""

    seat: int
    prompt_id: int

    def decide(self, state: State, given: Given) -> list[NewEvent]:
        seat = self.seat
        if state.match is None or state.prompt_id(seat) != self.prompt_id or state.occupants[seat].bot_decides:
            return []
        draft = Draft(state.match, given.dice, state.reactions)
        legal = draft.legal(seat)
        if len(legal) == 1:
            draft.play(seat, legal[0])
        return played_events(draft)


class PlayForced(ServerCommand, frozen=True):
    """The play of the decisions in `prompts`, by seat, in which everyone has only one legal action."""

    prompts: Mapping[int, int]

    def decide(self, state: State, given: Given) -> list[NewEvent]:
        owed = {seat: state.prompt_id(seat) for seat in state.open_decisions}
        if owed != self.prompts or not is_forced(state):
            return []
        assert state.match is not None
        draft = Draft(state.match, given.dice)
        for seat in sorted(owed):
            draft.play(seat, draft.legal(seat)[0])
        closed: list[NewEvent] = [("closed", {})] if state.window is not None else []
        return [*closed, *played_events(draft)]


class TakeOver(ServerCommand, frozen=True):
    """A takeover by bots of the seats of people who still owe the decisions in `prompts`, by seat."""

    prompts: Mapping[int, int]

    def decide(self, state: State, given: Given) -> list[NewEvent]:
        owed = (seat for seat, prompt in self.prompts.items() if state.prompt_id(seat) == prompt)
        return [taken_event(seat) for seat in owed if not state.occupants[seat].bot_decides]


class Begin(ServerCommand, frozen=True):
    """The start of a match that the host has begun, with bots on free seats, or of a rematch that has waited enough.

    A rematch needs every seat taken; bots decide for people who are not ready.
    """

    def decide(self, state: State, given: Given) -> list[NewEvent]:
        free = state.free_seats
        if state.phase != "gathering" or not (state.start_pending or (state.is_rematch and not free)):
            return []
        return [*bot_events(state, free, given.level, given.dice), *begin_events(state, given.dice)]


class Adopt(ServerCommand, frozen=True):
    """The transfer of a guest's seat, in its present condition, to the person they turned out to be.

    If that person has a seat here, the guest's is left to a bot.
    """

    needs_lease: ClassVar[bool] = False
    guest: str
    person: Person

    def decide(self, state: State, given: Given) -> list[NewEvent]:
        seat, own, person = state.seat_of(self.guest), state.seat_of(self.person.id), self.person
        if seat is None:
            return []
        place, left = state.occupants[seat], [("left", {"seat": seat})]
        becomes_host = [("host", {"seat": seat if own is None else own})] if state.host.id == self.guest else []
        if own is not None:
            return [*(left if state.phase != "over" and not place.has_left else []), *becomes_host]
        if not person.name and place.person is not None:
            person = person._replace(name=place.person.name)
        if place.person is not None and not person.face:
            person = person._replace(face=place.person.face)
        taken = [taken_event(seat, place.sits_out)] if place.taken_over else []
        return [joined_event(seat, person, place.origin), *(left if place.has_left else taken), *becomes_host]


class TransferHost(ServerCommand, frozen=True):
    """The transfer of the host's role to the next person present, if the host has vanished before the match."""

    needs_lease: ClassVar[bool] = False

    def decide(self, state: State, given: Given) -> list[NewEvent]:
        return [("host", {"seat": given.heir})] if state.phase == "gathering" and given.heir is not None else []


class Rename(ServerCommand, frozen=True):
    """Another name for a person, wherever it is shown in the room."""

    needs_lease: ClassVar[bool] = False
    person: Person

    def decide(self, state: State, given: Given) -> list[NewEvent]:
        known = {state.host.id, *state.speakers, *(place.person.id for place in state.occupants if place.person)}
        return [("named", {"id": self.person.id, "name": self.person.name})] if self.person.id in known else []


class Shut(ServerCommand, frozen=True):
    """The end of a room that the operator of the site closes; its log stays."""

    needs_lease: ClassVar[bool] = False

    def decide(self, state: State, given: Given) -> list[NewEvent]:
        return [("shut", {})]


class HandOver(ServerCommand, frozen=True):
    """A handover of clocks to another worker: the patience used by each decision, from `elapsed_patience`.

    `bank_spent`: the seconds that each seat has used of its bank so far, stored for decisions that are still owed.
    """

    elapsed: Mapping[str, Sequence[float]]
    bank_spent: Mapping[int, float] = msgspec.field(default_factory=dict)

    def decide(self, state: State, given: Given) -> list[NewEvent]:
        told = {seat: self.elapsed.get(str(seat), (None,))[0] for seat in state.open_decisions}
        owed = {seat for seat, prompt in told.items() if prompt == state.prompt_id(seat)}
        spent = {str(seat): seconds for seat, seconds in self.bank_spent.items() if seat in owed}
        return [("clocks", {"had": self.elapsed, **({"spent": spent} if spent else {})})] if self.elapsed else []
