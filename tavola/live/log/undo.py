"""Decisions that can be taken back: those since which no seat has learnt anything that was hidden from it; and undoing.

An action reveals something to a seat if chance made it, or if it is possible or looks the same only in some of the
positions that the seat had to reckon with; also if only in some of them its player had the same open choice. Then no
undo goes back behind it, so undoing reveals nothing and cannot be used to probe. The answer depends on the log alone:
every worker, and every later reading, finds the same.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from tavola.core import CHANCE, Game, Match, kernels
from tavola.core.compilation import is_interpreted
from tavola.core.view import thread_buffers
from tavola.live.log.draft import legal_in
from tavola.live.log.state import Decided, State, Undone, UndoRequest
from tavola.store import Event
from tavola.talk import replay_talk, talk_lines

WORLDS = 32
"""Positions tried for each seat: redeals of what it saw before the action."""
SPECTATOR = -1
"""Index of a spectator among viewers."""


def undoable(state: State, seat: int | None) -> Decided | None:
    """Return the last decision that a seat's person made, if it can be taken back; else None.

    Never one in barter, where offers are withdrawn instead, nor one in a race.
    """
    if (match := state.match) is None or state.phase != "playing" or is_interpreted(state.game.source_folder):
        return None
    made = next((made for made in reversed(state.decided) if made.seat == seat), None)
    return made if made is not None and made.place >= _settled(state, match) else None


def _settled(state: State, match: Match) -> int:
    """Return how many actions can no longer be undone: those up to the last that has revealed something hidden."""
    (tried, settled, known), history = state.settled, match.history
    for place in range(len(history) - 1, tried - 1, -1):
        (seat, number), before = history[place], known if place == tried else b""
        if seat == CHANCE or state.game.is_race_answer(number) or _step(match, place, before).reveals(match.players):
            settled = place + 1
            break
    state.settled = len(history), settled, match.state_bytes()
    return settled


def _step(match: Match, place: int, before: bytes) -> "Step":
    """Return an action of a match. `before`: the full state before it; if it is empty, the match is replayed to it."""
    states = np.frombuffer(before, match.game.state.dtype) if before else match.states_at(place)
    return next(steps_of(match.game, states, match.history[place : place + 1]))


class Step(NamedTuple):
    """An action between two full states."""

    game: Game
    before: np.ndarray
    after: np.ndarray
    actor: int
    number: int

    def reveals(self, players: int) -> bool:
        """Return whether it reveals anything hidden to a seat; also if it belongs to an open decision."""
        if self.actor == CHANCE or int(kernels.to_act_at(self.before, 0)) & kernels.OPEN_BIT:
            return True
        return self._changes_hidden() or self.excludes_world(*range(players))

    def _changes_hidden(self) -> bool:
        """Return whether anything hidden changes except the hand of a seat that acts in secret."""
        changed = self.before.view(np.uint8) ^ self.after.view(np.uint8)
        seen = self.actor if self.game.actions.is_secret[self.number] else SPECTATOR
        return bool((changed & ~_visible_bits(self.game)[seen]).any())

    def excludes_world(self, *seats: int) -> bool:
        """Return whether the action rules out a position that one of the seats had to reckon with.

        Only a sample of these is tried. So an open action counts as well if other choices of its player, open like this
        one, depend on what is hidden: that is found more often.
        """
        game, states, buffers = self.game, self.game.states(5), thread_buffers(self.game)
        raw, is_secret = states.view(np.uint8).reshape(5, -1), game.actions.is_secret
        raw[0], raw[1] = self.before.view(np.uint8), self.after.view(np.uint8)
        legal = np.array(legal_in(self.before, self.actor, buffers), np.int32)
        told = _visible_bits(game), np.array(seats), self.actor, self.number, legal[~is_secret[legal]]
        return bool(kernels.excludes_world(states, raw, *told, is_secret, WORLDS, buffers.actions, buffers.weights))


@cache
def _visible_bits(game: Game) -> np.ndarray:
    """Return the bits of a state that each seat can see, and last a spectator, as bytes."""
    every, seats = np.full(game.state.dtype.itemsize, 0xFF, np.uint8), (*range(game.players[1]), None)
    return np.array([game.visible_states(every, seat).view(np.uint8) for seat in seats])


def steps_of(game: Game, states: np.ndarray, history: Sequence[tuple[int, int]]) -> Iterator[Step]:
    """Yield the actions of `history`, pairs of seat and number, with the full states before and after each."""
    before = game.copy_states(states)
    for seat, number in history:
        after = game.copy_states(before)
        kernels.apply_at(after, 0, seat, number)
        yield Step(game, before, after, seat, number)
        before = after


def on_undo(state: State, body: dict[str, Any], event: Event) -> None:
    """Open a request to take back a seat's last decision."""
    made = next(made for made in reversed(state.decided) if made.seat == body["seat"])
    state.undo_request = UndoRequest(made, body["until"])
    state.note_in_talk(body["seat"], "undo", event.at)


def on_allowed(state: State, body: dict[str, Any], event: Event) -> None:
    """Note that a seat agrees to the open request."""
    if (asked := state.undo_request) is not None:
        state.undo_request = asked._replace(allowed=asked.allowed | {body["seat"]})


def on_denied(state: State, body: dict[str, Any], event: Event) -> None:
    """Close the request without effect."""
    if state.undo_request is not None:
        state.undo_denied, state.undo_request = state.undo_request.made, None
    if body["seat"] is not None:
        state.note_in_talk(body["seat"], "denied", event.at)


def rewind(state: State, seat: int, place: int) -> None:
    """Let a match be as it was after `place` actions, before a decision of `seat`.

    Statements made since then do not count. Time that was used stays used, answers ahead that were played are gone.
    """
    match = state.match
    assert match is not None
    while len(match.history) > place:
        match.undo()
    state.undone.append(Undone(seat, place))
    state.public_actions = [number for number in state.public_actions if number <= place]
    state.occasions = [each for each in state.occasions if each.moments <= state.moments]
    state.decided = [made for made in state.decided if made.place < place]
    state.settled = min(state.settled[0], place), min(state.settled[1], place), b""
    state.guesses = [guess._replace(moment=min(guess.moment, match.moment)) for guess in state.guesses]
    state.ahead = {
        seat: {at: answer._replace(moments=min(answer.moments, state.moments)) for at, answer in answers.items()}
        for seat, answers in state.ahead.items()
    }
    del state.action_times[place:]
    for times in (state.answer_seconds, state.early_answers):
        known: dict[int, Any] = times
        for at in [at for at in known if at >= place]:
            del known[at]
    made = state.bot_decisions.items()
    state.bot_decisions = {late: one for late, one in made if all(at < place for at in one.actions)}
    for kept in (state.open_decisions, state.open_since, state.earlier_moments, state.dues, state.sealed):
        kept.clear()
    for answered in (state.reactions, state.ahead_ended, state.decided_at):
        answered.clear()
    state.window = state.window_moment = state.held_until = None
    if state.talk is not None:
        lines = talk_lines(state.talk)
        state.talk = replay_talk(match, [line for line in lines if line.moment <= match.moment.actions])
        del state.statement_times[len(state.talk.said) :]
