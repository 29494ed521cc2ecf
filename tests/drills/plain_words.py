"""What the words of drills have in common, in English."""

from typing import Any

from tavola.show.cards import Words
from tavola.show.words import Vocabulary


def plain_words(*, points: str, players: str, about: str, **own: Any) -> Words:
    """Return the words of a drill: its `own` functions, three sentences, and the least of everything else."""
    return Words(
        refusal=lambda view, action, say: "" if action in view.legal else say("That is not possible now (R1)."),
        scoring=lambda view, seat, say: [(say(points), view.standing.points[seat])],
        option=lambda name, say: (say("Players"), say(players)),
        value=lambda name, word, say: word,
        about=lambda say: say(about),
        argument_label=Vocabulary().value_label,
        ask=lambda view, verb, argument, chosen, say: say("Which?"),
        phases=lambda view, say: [],
        chapter=lambda view, say: "",
        coach=lambda view, say: "",
        lesson=lambda say: [],
        **own,
    )
