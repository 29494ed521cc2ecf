"""The sentences of the joust, in English."""

from plain_words import plain_words

from joust.rules import Phase
from tavola.core import View
from tavola.show.speech import Say


def prompt(view: View, say: Say) -> str:
    if view.table.phase == Phase.OVER:
        return say("The match is over.")
    if view.seat not in view.to_act:
        return say("The toss is in the air.") if view.table.phase == Phase.TOSS else say("The other decides.")
    return {Phase.WARES: say("Take wares."), Phase.POINT: say("Point!")}.get(view.table.phase, say("Keep or share."))


LOG_LINES = {
    "toss": "The toss shows {corner}.",
    "first": "First was {who}.",
    **{verb: f"{{name}}: {verb}." for verb in ("take", "done", "point", "keep", "share")},
}
WORDS = plain_words(prompt, LOG_LINES, points="Wares and prizes", about="Whoever points first wins.")
