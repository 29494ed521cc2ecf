"""The sentences of the bazaar, in English."""

from plain_words import plain_words

from bazaar.rules import Phase
from tavola.core import View
from tavola.show.speech import Say


def prompt(view: View, say: Say) -> str:
    if view.table.phase == Phase.OVER:
        return say("The match is over.")
    if view.seat in view.to_act:
        return say("Trade, or leave.")
    return say("The goods are dealt.") if view.table.phase == Phase.DEAL else say("The others trade.")


LOG_LINES = {
    "offer": "{name} makes an offer for {wanted}.",
    "accept": "{name} accepts the offer of seat {seat}.",
    "withdraw": "{name} takes the offer back.",
    "done": "{name} leaves.",
}
WORDS = plain_words(prompt, LOG_LINES, points="Goods of a kind", about="Whoever comes first gets the bargain.")
