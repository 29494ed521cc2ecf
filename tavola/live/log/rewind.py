"""What requests to undo and undoing change in the state of a room; part of `fold`."""

from typing import Any

from tavola.core import Match
from tavola.live.log.state import State, Undone, UndoRequest
from tavola.store import Event
from tavola.talk import Conversation, replay_talk, talk_lines


def on_undo(state: State, body: dict[str, Any], event: Event) -> None:
    """Open a request to take back a seat's last decision."""
    made = next(made for made in reversed(state.decided) if made.seat == body["seat"])
    state.undo_request = UndoRequest(made, body["until"])
    state.note_in_talk(body["seat"], "undo", event.at)


def on_allowed(state: State, body: dict[str, Any], event: Event) -> None:
    """Note that a seat agrees to the open request."""
    asked = state.undo_request
    if asked is not None:
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
    state.reveals = {at: revealed for at, revealed in state.reveals.items() if at < place}
    state.guesses = [guess._replace(moment=min(guess.moment, match.moment)) for guess in state.guesses]
    state.ahead = {
        seat: {at: answer._replace(moments=min(answer.moments, state.moments)) for at, answer in answers.items()}
        for seat, answers in state.ahead.items()
    }
    del state.action_times[place:]
    for times in (state.answer_seconds, state.early_answers):
        _forget_from(times, place)
    made = state.bot_decisions.items()
    state.bot_decisions = {late: one for late, one in made if all(at < place for at in one.actions)}
    for kept in (state.open_decisions, state.open_since, state.earlier_moments, state.dues, state.sealed):
        kept.clear()
    for answered in (state.reactions, state.ahead_ended, state.decided_at):
        answered.clear()
    state.window = state.window_moment = state.held_until = None
    if state.talk is not None:
        state.talk = _talk_until(state.talk, match)
        del state.statement_times[len(state.talk.said) :]


def _forget_from(known: dict[int, Any], place: int) -> None:
    for at in [at for at in known if at >= place]:
        del known[at]


def _talk_until(talk: Conversation, match: Match) -> Conversation:
    """Return a conversation as it was at the match's present moment."""
    return replay_talk(match, [line for line in talk_lines(talk) if line.moment <= match.moment.actions])
