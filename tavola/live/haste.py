"""What is shown of a match that nobody decides himself any more: one scene a round, or none before the end."""

from tavola.core import PlayedAction, View
from tavola.show.cards import words_of
from tavola.show.kit import anonymous_say
from tavola.show.pictures import scene

LOOK = 0.4
"""Seconds between two looks at a match that goes to its end."""


class Glimpses:
    """The scenes of one match that are shown, asked for each action in order."""

    def __init__(self) -> None:
        self._seen = ""  # the round of which one was shown

    def admits(self, haste: str, before: View, after: View, played: PlayedAction | None) -> bool:
        """True when the action between two public views is shown: all are, unless people who sit out want to see less.

        `haste` as in `State`. With `rounds` it is the first that turns cards, or else what ends the round.
        """
        if haste != "rounds":
            return not haste
        chapter, say = words_of(before.game).chapter, anonymous_say(before.game, "en")
        now = chapter(before, say)
        frames = [] if now == self._seen else scene(before, after, played, say)
        if not frames or not (any(frame.closed for frame in frames) or chapter(after, say) != now):
            return False
        self._seen = now
        return True
