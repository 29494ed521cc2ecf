"""The words of drills, in English: a prompt, log lines, and the least of everything else."""

from collections.abc import Callable, Mapping
from typing import Any

from tavola.core import PlayedAction, View
from tavola.show.cards import Words
from tavola.show.speech import Say
from tavola.show.words import Vocabulary

VOCABULARY = Vocabulary()


def plain_words(prompt: Callable[[View, Say], str], log_lines: Mapping[str, str], *, points: str, about: str) -> Words:
    """Return the words of a drill. `log_lines` has a sentence by verb, which may name the action's arguments."""

    def events(before: View, after: View, played: PlayedAction | None, say: Say) -> list[str]:
        if played is None or played.verb not in log_lines:
            return []
        parts = VOCABULARY.fill_arguments(after, played, say)
        return [say(log_lines[played.verb], name=say.name(played.seat), **parts)]

    return Words(
        action=lambda view, number, say: view.game.actions.code(number),
        prompt=prompt,
        events=events,
        table=_every_field,
        refusal=lambda view, action, say: "" if action in view.legal else say("That is not possible now (R1)."),
        scoring=lambda view, seat, say: [(say(points), view.standing.points[seat])],
        option=lambda name, say: (say("Players"), say("How many play.")),
        value=lambda name, word, say: word,
        about=lambda say: say(about),
        argument_label=VOCABULARY.value_label,
        ask=lambda view, verb, argument, chosen, say: say("Which?"),
        phases=lambda view, say: [],
        chapter=lambda view, say: "",
        coach=lambda view, say: "",
        lesson=lambda say: [],
    )


def _every_field(view: View[Any, Any], say: Say) -> list[str]:
    seen = [view.table] if view.seat is None else [view.table, view.hand]
    return [f"{name}: {value}" for part in seen for name, value in part._asdict().items()]
