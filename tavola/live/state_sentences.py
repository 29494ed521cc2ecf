"""A room in sentences, in the game's own words: a seat's prompt, legal actions, and what has happened since."""

from collections.abc import Iterator, Mapping
from typing import Any

from tavola.core import Match, Moment, View, kernels
from tavola.live.heard import statement_sentences
from tavola.live.log.state import State
from tavola.show.cards import words_of
from tavola.show.speech import Say

START = Moment(0)
LINES_AT_FIRST = 20
"""Maximum log lines for a client that connects during a match."""


def sentences(state: State, seat: int | None, language: str, since: Moment = START) -> dict[str, Any]:
    """Return the prompt, table, legal actions, log lines since a moment and statements for a seat or a spectator."""
    if state.match is None:
        return {"prompt": "", "table": [], "legal": [], "told": [], "statements": []}
    say = Say.of(state.game, language, state.names)
    told = list(told_since(state.match, seat, say, since))
    return {
        **view_sentences(state.view(seat), say),
        "told": told if since > START else told[-LINES_AT_FIRST:],
        "statements": statement_sentences(state, seat, language),
    }


def decision_time(settings: Mapping[str, Any]) -> str:
    """Return in English the time limit of a decision, from the `settings` of a state."""
    days, seconds, bank = settings["days"], settings["patience"], settings["bank"]
    if days:
        return f"{days} {'day' if days == 1 else 'days'} per decision"
    if not seconds:
        return "no limit"
    return f"{seconds} s per decision" + (f", plus a {bank / 60:.3g} min time bank" if bank else "")


def view_sentences(view: View, say: Say) -> dict[str, Any]:
    """Return the prompt of a view's seat, the table as lines of text, and the legal actions."""
    words, code = words_of(view.game), view.game.actions.code
    return {
        "prompt": words.prompt(view, say),
        "table": words.table(view, say),
        "legal": [{"code": code(number), "text": words.action(view, number, say)} for number in view.legal],
    }


def told_since(match: Match, seat: int | None, say: Say, since: Moment, most: int | None = None) -> Iterator[str]:
    """Yield the log lines of each action since a moment, or of the first `most`, as a seat saw and heard them."""
    game, states = match.game, match.states_at(since.actions)
    before: View = View(game, states, seat)
    for actor, number in match.history[since.actions :][:most]:
        kernels.apply_at(states, 0, actor, number)
        after: View = View(game, states, seat)
        heard = game.observe_action(actor, number, seat)
        if heard is not None or after != before:  # others get no lines for unnoticed steps
            yield from words_of(game).events(before, after, heard, say)
        before = after


def bot_decision_lines(state: State, seat: int, reader: int | None, say: Say) -> list[str]:
    """Return log lines of the last decision that a bot made for a late person, as a seat or a spectator heard it.

    Empty if it is secret to the reader, or has not been made yet.
    """
    made = state.bot_decisions.get(seat)
    if made is None or state.match is None:
        return []
    lines = list[str]()
    for place in made.actions:
        lines += told_since(state.match, reader, say, Moment(place), 1)
    return lines


def refusal_reason(state: State, seat: int | None, code: str, language: str) -> str:
    """Return why the rules forbid a code now, with the paragraph; empty if they are not the reason."""
    if state.match is None or code not in state.game.actions.codes:
        return ""
    say = Say.of(state.game, language, state.names)
    return str(words_of(state.game).refusal(state.view(seat), state.game.actions.number(code), say))
