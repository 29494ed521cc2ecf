"""What is shown of a match that nobody decides himself any more: of a round the scene that ends it, or none at all."""

from tavola.core import View
from tavola.show.kit import anonymous_say


def is_shown(haste: str, before: View, after: View) -> bool:
    """True when the action between two public views is shown: all are, unless people who sit out want to see less.

    `haste` as in `State`. With `rounds` of a round only what ends it is, and of the match its end.
    """
    if haste != "rounds":
        return not haste
    chapter, say = before.game.words.chapter, anonymous_say(before.game, "en")
    return not after.to_act or chapter(before, say) != chapter(after, say)
