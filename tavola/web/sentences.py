"""The site's sentences that stand in no template: levels, options, and every refusal in the visitor's language."""

from typing import Any

from tavola.bots import LEVELS
from tavola.core import BadOption, BadPosition, BadRecord, Game, IllegalAction, Refusal, UnknownGame
from tavola.core.options import Option
from tavola.core.speech import Say, mark
from tavola.live.refusals import (
    Closing,
    FreeSeats,
    FullRoom,
    NotGathering,
    NotHost,
    NotOver,
    NotPlaying,
    NotSeated,
    OtherRules,
    StalePrompt,
    TooFast,
    UnknownRoom,
)
from tavola.web import guard

LEVEL_NAMES = {
    "random": mark("Dreamer"),
    "greedy": mark("Hasty"),
    "search": mark("Thinker"),
}
PROVENANCE = {
    "rulebook": mark("the rulebook"),
    "published": mark("the published game"),
    "inferred": mark("inferred from the rulebook"),
    "decided": mark("our ruling"),
    "ours": mark("our invention"),
}
PATIENCE = {
    30: mark("after 30 seconds"),
    60: mark("after a minute"),
    180: mark("after 3 minutes"),
    600: mark("after 10 minutes"),
    0: mark("never: we wait as long as it takes"),
}
STATUS: tuple[tuple[type[Refusal], int], ...] = (
    (UnknownRoom, 404),
    (UnknownGame, 404),
    (guard.CrossOrigin, 403),
    (NotHost, 403),
    (NotSeated, 403),
    (FullRoom, 409),
    (FreeSeats, 409),
    (StalePrompt, 409),
    (NotGathering, 409),
    (NotPlaying, 409),
    (NotOver, 409),
    (OtherRules, 409),
    (IllegalAction, 409),
    (guard.TooLarge, 413),
    (guard.TooFast, 429),
    (TooFast, 429),
    (Closing, 503),
)
"""The status of each kind of refusal; 400 of any other."""

HEADINGS = {
    400: mark("That did not work"),
    403: mark("That is not allowed"),
    404: mark("There is nothing here"),
    405: mark("That did not work"),
    409: mark("Not any more"),
    413: mark("Too large"),
    429: mark("One moment"),
    500: mark("Something went wrong"),
    503: mark("One moment"),
}
PLAIN: tuple[tuple[type[Refusal], str], ...] = (
    (UnknownGame, mark("No game of that name stands on this shelf.")),
    (BadOption, mark("A variant was asked for that this game does not have.")),
    (BadRecord, mark("This record cannot be replayed.")),
    (BadPosition, mark("This record cannot be replayed.")),
    (IllegalAction, mark("The rules do not allow that now.")),
)
"""What is said of refusals whose own sentence is English and for experts; that sentence follows as a detail."""

NOTHING_HERE = mark("This page does not exist. Perhaps the address was mistyped.")
BROKEN = mark("Nothing of the match is lost. Go back and try again.")


def level_names(say: Say) -> dict[str, str]:
    """What the bots' levels are called."""
    return {level: say(LEVEL_NAMES[level]) if level in LEVEL_NAMES else level for level in LEVELS}


def patiences(say: Say) -> list[tuple[int, str]]:
    """How long a table may wait for one person, in seconds, and in words."""
    return [(seconds, say(words)) for seconds, words in PATIENCE.items()]


def status(refusal: Refusal) -> int:
    """The status code of a refusal."""
    return next((code for kind, code in STATUS if isinstance(refusal, kind)), 400)


def refused(refusal: Refusal, say: Say) -> tuple[str, str]:
    """A refusal in the visitor's language, and a detail in English where there is one."""
    message = getattr(refusal, "message", "")
    if message:
        values: dict[str, Any] = getattr(refusal, "values", {})
        return sentence(say(message, **values)), ""
    kind = next((said for kind, said in PLAIN if isinstance(refusal, kind)), guard.Malformed.message)
    return say(kind), str(refusal)


def in_words(refusal: Refusal, say: Say) -> str:
    """A refusal in one sentence."""
    return refused(refusal, say)[0]


def sentence(text: str) -> str:
    """A message as a sentence of its own."""
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "!", "?", "…")) else ".")


def option_words(option: Option, game: Game, game_say: Say, say: Say) -> dict[str, Any]:
    """An option as a form shows it: title, explanation, where it comes from, and its values in words."""
    title, explanation = game.words.option(option.name, game_say)
    return {
        "name": option.name,
        "title": title,
        "explanation": explanation,
        "provenance": say(PROVENANCE[option.provenance]),
        "default": option.write(option.default),
        "options": [
            (word, game.words.value(option.name, word, game_say)) for word in map(option.write, option.values())
        ],
    }
