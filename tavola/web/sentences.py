"""The site's sentences that stand in no template: levels, options, and every refusal in the visitor's language."""

from collections.abc import Iterable, Sequence
from typing import Any

from babel.numbers import format_decimal

from tavola.bots import LEVELS
from tavola.club import refusals as club_refusals
from tavola.club.notepad import OtherNotes
from tavola.core import BadOption, BadPosition, BadRecord, Game, IllegalAction, Refusal, UnknownGame
from tavola.core.options import Option
from tavola.live import Room
from tavola.live.log.people import DAYS, WINDOWS, Settings
from tavola.live.refusals import (
    Closing,
    Damaged,
    DecideFirst,
    FreeSeats,
    FullRoom,
    NoTalk,
    NotGathering,
    NotHost,
    NotOver,
    NotPlaying,
    NotReady,
    NotSeated,
    NotWelcome,
    NotWritten,
    OneSeat,
    OtherRules,
    StalePrompt,
    TooFast,
    TooMuch,
    UnknownRoom,
)
from tavola.show.cards import words_of
from tavola.show.speech import Say, mark
from tavola.store import BadDatabase
from tavola.talk import BadPattern, BadStatement
from tavola.web.door import refusals as door_refusals
from tavola.web.door.visitor import BadToken, Visitor

LEVEL_NAMES = {
    "random": mark("Dreamer (level 1)"),
    "greedy": mark("Hasty (level 2)"),
    "search": mark("Thinker (level 3)"),
}
LEVEL_MEANINGS = {
    "random": mark("plays anything that is allowed"),
    "greedy": mark("follows rules of thumb and does not think ahead"),
    "search": mark("plays thousands of matches in its head before it decides"),
}
WEIGHT_NAMES = {"light": mark("Easy"), "medium": mark("Medium"), "heavy": mark("Demanding")}
"""The effort that a game's rules take, for the shelf."""
FIRST_LEVEL = "greedy"
"""The level that a quick match begins with, until one has won."""
PROVENANCE_WORDS = {
    "rulebook": mark("the rulebook"),
    "published": mark("the published game"),
    "inferred": mark("inferred from the rulebook"),
    "decided": mark("decided here: the rulebook is silent"),
    "ours": mark("our invention"),
}
PATIENCE_WORDS = {
    30: mark("after 30 seconds"),
    60: mark("after a minute"),
    180: mark("after 3 minutes"),
    600: mark("after 10 minutes"),
    0: mark("never: we wait as long as it takes"),
}
BANK_MINUTES = (0, 2, 5, 10)
"""Minutes of a bank that the form of a room offers; 0: there is none."""
PACE_WORDS = {
    "calm": (mark("Calm"), mark("time to look and talk")),
    "brisk": (mark("Brisk"), mark("for those who know it")),
}
"""The paces at which what happens is shown: a ballot of four takes seven seconds, or four."""
MANNER_WORDS = {
    "free": mark("As you like, whispers too"),
    "aloud": mark("So that all hear everything"),
    "silent": mark("None while we play"),
}
"""How people talk at a table."""
STATUS: tuple[tuple[type[Refusal], int], ...] = (
    (UnknownRoom, 404),
    (UnknownGame, 404),
    (door_refusals.CrossOrigin, 403),
    (NotHost, 403),
    (NotSeated, 403),
    (FullRoom, 409),
    (FreeSeats, 409),
    (StalePrompt, 409),
    (NotGathering, 409),
    (NotPlaying, 409),
    (DecideFirst, 409),
    (NotOver, 409),
    (NotReady, 409),
    (OtherRules, 409),
    (IllegalAction, 409),
    (door_refusals.TooLarge, 413),
    (door_refusals.TooFast, 429),
    (TooFast, 429),
    (TooMuch, 409),
    (NoTalk, 409),
    (BadPattern, 400),
    (BadStatement, 409),
    (door_refusals.OtherName, 421),
    (NotWelcome, 403),
    (OneSeat, 409),
    (BadToken, 403),
    (Damaged, 409),
    (NotWritten, 503),
    (BadDatabase, 503),
    (Closing, 503),
    (club_refusals.NotKept, 403),
    (club_refusals.ProveAgain, 403),
    (club_refusals.NameTaken, 409),
    (club_refusals.ReservedName, 409),
    (club_refusals.AddressTaken, 409),
    (club_refusals.OtherBrowser, 403),
    (OtherNotes, 409),
    (club_refusals.LastWay, 409),
    (club_refusals.CopiedPasskey, 403),
)
"""The status of each kind of refusal; 400 of any other."""

HEADINGS = {
    400: mark("That did not work"),
    403: mark("That is not allowed"),
    404: mark("There is nothing here"),
    405: mark("That did not work"),
    409: mark("Not any more"),
    413: mark("Too large"),
    421: mark("There is nothing here"),
    429: mark("One moment"),
    500: mark("Something went wrong"),
    503: mark("One moment"),
}
EXPERT_REFUSALS: tuple[tuple[type[Refusal], str], ...] = (
    (BadDatabase, mark("This cannot be read from the disk. Whoever runs the site finds the reason in its log.")),
    (UnknownGame, mark("No game of that name stands on this shelf.")),
    (BadOption, mark("A variant was asked for that this game does not have.")),
    (BadRecord, mark("This record cannot be replayed.")),
    (BadPosition, mark("This record cannot be replayed.")),
    (IllegalAction, mark("The rules do not allow that now.")),
)
"""Sentences for refusals whose own sentence is English and for experts; that sentence follows as a detail."""

ROOM_MESSAGES = (
    mark("a bot's level is one of {levels}"),
    mark("a command's id has 1 to 64 letters, digits, - or _"),
    mark("a gesture is one of {gestures}"),
    mark("a guess is about another seat, 1 to {count}"),
    mark("a guess is one of {marks}"),
    mark("a line has 1 to {most} characters"),
    mark("a message has at most {most} bytes"),
    mark("a message is a JSON object"),
    mark("a message's type is one of {types}"),
    mark("a name has 1 to {most} characters"),
    mark("a pace is one of {paces}"),
    mark("a rematch begins when the match is over"),
    mark("a table talks in one of these manners: {manners}"),
    mark("all {count} seats are taken"),
    mark("at most {lines} lines in {seconds} seconds"),
    mark("at this table nobody talks while a match is played"),
    mark("at this table nobody whispers: expected aloud"),
    mark("one person may add at most {most} lines, guesses and the like to a room"),
    mark("people without a seat may add at most {most} lines and the like to a room"),
    mark("you've let a bot play {most} times in this match: choose yourself, or get up"),
    mark("you've left your seat to a bot more than {most} times: it plays on"),
    mark("no match is being played here now"),
    mark("nobody of that number has spoken here"),
    mark("nobody sits there"),
    mark("only the host, {host}, may do this"),
    mark("one gesture in {seconds} seconds"),
    mark("one of the house is {names}"),
    mark("other hands can be seen when the match is over"),
    mark("others look for a seat, and somebody of your address has one: play together in a private room"),
    mark("patience: expected 0 to {most} seconds"),
    mark("days for a decision: expected one of {days}"),
    mark("a match over days has neither patience nor a time to talk"),
    mark("a match over days has no bank"),
    mark("bank: expected 0 to {most} seconds"),
    mark("a bank begins where the seconds of a decision end: expected a patience above 0"),
    mark("{game}: speed decides there, expected 0 days for a decision"),
    mark("seat {seat} is taken"),
    mark("somebody was faster: look again and choose"),
    mark("the host took you off this table: in {minutes} minutes you may sit down again"),
    mark("the match begins when every seat is taken: {free} free"),
    mark("the match has begun"),
    mark("the match has not begun"),
    mark("the match is not over: its replay would tell secrets"),
    mark("the record of a match can be read when it is over"),
    mark("the server is stopping"),
    mark("there are seats 1 to {count}"),
    mark("time to talk at a ballot: expected one of {windows} seconds"),
    mark("there is no room {code}"),
    mark("A season has 21 days of holiday: this would be more."),
    mark("This is no night: expected two hours and a time zone."),
    mark("Notes about a match have at most 2,000 characters: these have more."),
    mark("Notes are kept about 400 matches: empty some of them first."),
    mark("These notes were changed elsewhere meanwhile."),
    mark("This link has been used, or it is too old. Ask for a new one."),
    mark("This passkey was not recognised here."),
    mark("The counter of this passkey went back, like a copy’s. Sign in another way, and make a new passkey."),
    mark("This e-mail address cannot be used. Is there a slip in it?"),
    mark("Somebody keeps this name here, or one that looks like it. Choose another one."),
    mark("This name is kept for the site or one of its bots, or looks like an address. Choose another one."),
    mark("This address belongs to another account. Sign in to that one with it, or choose another address."),
    mark("This link works only in the browser in which you asked for it. Open it there, or ask for a new one here."),
    mark("You are a guest in this browser. Keep your seat, or come in, to do that."),
    mark("This is the only way in that you have. Add another one first."),
    mark("It is a while since you came in here. Come in once more, and then do this."),
    mark("Expected word of each turn, once a day, in browsers alone, or none."),
    mark("Notices cannot be sent to this browser: its push service has an address that is not used here."),
    mark("this is no longer what you saw: look again and choose"),
    mark("this decision is not yours to make any more"),
    mark("this message cannot be understood: {reason}"),
    mark("this could not be written down: nothing has changed"),
    mark("this match has the actions 1 to {last}"),
    mark("this match has the moments 0 to {last}"),
    mark("this room was damaged on the disk, and nothing of it can be read"),
    mark("this room was damaged on the disk: it can be looked at, and nothing can be done in it"),
    mark("this match was played under version {version} of the rules"),
    mark("waiting for {names}"),
    mark("what you chose is gone: others have acted meanwhile"),
    mark("you have no seat here"),
    mark("you are asked now: an answer ahead is for a decision that is still to come"),
    mark("an answer ahead has at most {most} choices, and names as much"),
    mark("{verb} cannot be answered ahead: expected one of {verbs}"),
    mark("who sits out is shown one of {shows}"),
    mark("an answer ahead waits for something that is done: expected no “not” before {verb}"),
)
"""Refusals of rooms in their own words: `tavola.live` says it in English and leaves other languages to the pages."""

STATEMENT_MESSAGES = (
    mark("{text} cannot be spoken of here: expected one of {verbs}"),
    mark("{text} does not say which: expected {form}, {argument} one of {names}, not and one of them, or *"),
    mark("{text} says too much: expected {form}"),
    mark("{text}: no secret of this game can be claimed"),
    mark("{word} is no act of speech: expected one of {acts}"),
    mark("at most {most} things that you have said may stand at a time"),
    mark("nothing can be promised in this game: its card says nothing of talk"),
    mark("nothing is decided there just now: expected next or round instead of now"),
    mark("one speaks to another seat, and of one: expected 0 to {last}"),
    mark("one withdraws one's own statements: expected the number of another one"),
    mark("only {acts} are answered so"),
    mark("there is no statement {number}"),
    mark("this cannot be taken back any more"),
    mark("this is settled already"),
    mark("this was not said to you"),
    mark("to {act} one does not say {parts}"),
    mark("to {act} one says more: expected {wanted}"),
    mark("you have answered this already"),
    mark("you have decided already: it is too late to agree"),
    mark("you have said so already, and it stands"),
)
"""Refusals of statements: `tavola.talk` says them in English."""
NOT_WRITTEN = mark("this could not be written down: nothing has changed")
UNSURE = mark("It is not known whether this was written down. Look at the page again before you repeat it.")
UNREACHABLE = mark("What is kept cannot be read just now. Nothing is lost: try again in a moment.")
NOTHING_HERE = mark("This page does not exist. Perhaps the address was mistyped.")
SERVER_FAULT = mark("Nothing of the match is lost. Go back and try again.")


STILL_LOOKING = mark("The others are still looking.")
"""To who looks at a scene no longer where somebody else does: `tavola.live` says it in English."""
TOO_SOON = mark("That was too soon: nobody can see and answer so quickly. It counts as wrong.")
"""To who has answered a race so; the others hear it when all answers are open."""


def too_soon_sentence(name: str, say: Say) -> str:
    """Return the sentence that tells everybody of it."""
    return say("{name} answered more quickly than anybody can: that counts as wrong.", name=name)


def race_sentences(early: Sequence[str], seconds: Sequence[tuple[str, float]], say: Say) -> list[str]:
    """Return what everybody hears of a race that has ended beside its outcome: how long each took, who was too soon."""
    told = [too_soon_sentence(name, say) for name in early]
    if seconds:
        times = [say("{name} {seconds} s", name=name, seconds=decimal(taken, say)) for name, taken in seconds]
        told.insert(0, say.listing(times) + ".")
    return told


def effect_sentence(doer: str, other: str, points: int, say: Say, *, led: bool = False) -> str:
    """Return the sentence for the points that what somebody decided brought another, or cost him, or led him to."""
    names = {"doer": doer, "other": other}
    if led:
        return say.many(
            "{doer} led the way to {count} point of {other}.",
            "{doer} led the way to {count} points of {other}.",
            points,
            **names,
        )
    if points > 0:
        return say.many(
            "{doer} brought {other} {count} point.", "{doer} brought {other} {count} points.", points, **names
        )
    return say.many("{doer} cost {other} {count} point.", "{doer} cost {other} {count} points.", -points, **names)


def decimal(number: float, say: Say) -> str:
    """A number with two digits after the point, as a language writes it."""
    return str(format_decimal(number, "0.00", locale=say.language))


def level_names(say: Say, outside: Iterable[str] = ()) -> dict[str, str]:
    """Return the names of the bots' levels; bots from outside are called what whoever runs the site called them."""
    return {level: say(LEVEL_NAMES[level]) if level in LEVEL_NAMES else level for level in (*LEVELS, *outside)}


def level_words(level: str, say: Say) -> tuple[str, str, str]:
    """A level: its key, what it is called, and what it means."""
    return level, level_names(say)[level], say(LEVEL_MEANINGS.get(level, ""))


def patiences(say: Say) -> list[tuple[int, str]]:
    """Return the times that a table may wait for one person, in seconds, and in words."""
    return [(seconds, say(words)) for seconds, words in PATIENCE_WORDS.items()]


def bank_names(say: Say) -> list[tuple[int, str]]:
    """Return the banks that a seat may have, in seconds, and in words."""
    words = {
        60 * each: say.many("a bank of {count} minute", "a bank of {count} minutes", each) for each in BANK_MINUTES
    }
    return list({**words, 0: say("no bank")}.items())


def time_words(settings: Settings, say: Say) -> str:
    """Return how long a decision may take in a room."""
    if settings.days:
        days = say.many("{count} day", "{count} days", settings.days)
        return say("{days} a decision, by post", days=days)
    if settings.bank:
        seconds, minutes = settings.patience, format_decimal(settings.bank / 60, "0.##", locale=say.language)
        return say("{seconds} s a decision, and a bank of {minutes} min", seconds=seconds, minutes=minutes)
    return say("{seconds} s a decision", seconds=settings.patience) if settings.patience else say("no limit")


def manner_names(say: Say) -> list[tuple[str, str]]:
    """Return the manners of talk that a table may have, in words."""
    return [(manner, say(words)) for manner, words in MANNER_WORDS.items()]


def manners_of(say: Say, manner: str, *, written_to: bool, notified: bool) -> list[tuple[str, str]]:
    """Return how somebody may hear of his turns, each with its name; the one that he has is among them.

    `written_to`: by letters; `notified`: by notices in a browser.
    """
    alone = ("push", say("At each turn, no letters"))
    named = [("turn", say("At each turn")), ("day", say("Once a day")), alone, ("none", say("Never"))]
    offered = {"turn", "day", "none", manner} | ({"push"} if written_to and notified else set())
    return [each for each in named if each[0] in offered]


def day_names(say: Say) -> list[tuple[int, str, str]]:
    """Return the days that a decision may take, each with its name and with what it is."""
    live = (0, say("Now"), say("all at the table together"))
    by_post = (
        (days, say.many("{count} day", "{count} days", days), say("by post, nights and holidays apart"))
        for days in DAYS
        if days
    )
    return [live, *by_post]


def window_names(say: Say) -> list[tuple[int, str]]:
    """Return the talk windows that a table may have, in seconds, and in words."""
    words = {each: say("{seconds} seconds: choices may be changed", seconds=each) for each in WINDOWS}
    return list({**words, 0: say("None")}.items())


def pace_names(say: Say) -> list[tuple[str, str]]:
    """Return the paces at which what happens may be shown, by their names."""
    return [(pace, say(name)) for pace, (name, _) in PACE_WORDS.items()]


def paces(say: Say) -> list[tuple[str, str, str]]:
    """Return the same paces, each with its name and for whom it is."""
    return [(pace, say(name), say(words)) for pace, (name, words) in PACE_WORDS.items()]


def refusal_status(refusal: Refusal) -> int:
    """The status code of a refusal."""
    return next((code for kind, code in STATUS if isinstance(refusal, kind)), 400)


def refusal_words(refusal: Refusal, say: Say) -> tuple[str, str]:
    """A refusal in the visitor's language, and a detail in English where there is one."""
    if isinstance(refusal, Disallowed):
        return refusal.reason, ""
    message = getattr(refusal, "message", "")
    if message:
        values: dict[str, Any] = getattr(refusal, "values", {})
        return as_sentence(say(message, **values)), ""
    kind = next((said for kind, said in EXPERT_REFUSALS if isinstance(refusal, kind)), door_refusals.Malformed.message)
    # Of our own files a visitor is told nothing.
    return say(kind), "" if isinstance(refusal, BadDatabase) else str(refusal)


def refusal_sentence(refusal: Refusal, say: Say) -> str:
    """A refusal in one sentence."""
    return refusal_words(refusal, say)[0]


class Disallowed(IllegalAction):
    """An action that the rules do not allow, with the game's own reason in the language of who tried it."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def explain_refusal(refusal: Refusal, room: Room, visitor: Visitor, code: str) -> Refusal:
    """The same refusal; an action that the rules do not allow now with the game's reason."""
    asked = isinstance(refusal, IllegalAction | StalePrompt) and code in room.state.game.actions.codes
    if not asked or room.state.match is None:
        return refusal
    view = room.view(room.state.seat_of(visitor.id))
    say = Say.of(room.state.game, visitor.language, room.names)
    reason = words_of(room.state.game).refusal(view, room.state.game.actions.number(code), say)
    return Disallowed(reason) if reason else refusal


def as_sentence(text: str) -> str:
    """A message as a sentence of its own."""
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "!", "?", "…")) else ".")


def option_words(option: Option, game: Game, game_say: Say, say: Say) -> dict[str, Any]:
    """An option as a form shows it: title, explanation, where it comes from, and its values in words."""
    title, explanation = words_of(game).option(option.name, game_say)
    return {
        "name": option.name,
        "title": title,
        "explanation": explanation,
        "provenance": say(PROVENANCE_WORDS[option.provenance]),
        "default": option.write(option.default) if option.letter == option.default else "",
        "options": [
            (word, words_of(game).value(option.name, word, game_say)) for word in map(option.write, option.values())
        ],
    }


def rules_names(say: Say) -> dict[str, str]:
    """The two named sets of options."""
    return {
        "recommended": say("Recommended"),
        "letter": say("By the letter of the rulebook"),
    }
