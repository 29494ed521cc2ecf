"""The settings of a room, each declared once as a field: form, refusals, events, JSON and guide follow from it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal, get_args

import msgspec

from tavola.core.text import mark
from tavola.live.room_refusals import BadSetting
from tavola.show.speech import Say

LONGEST_PATIENCE = 7 * 24 * 3600
"""Seconds: a week."""
LONGEST_BANK = 3600
"""Seconds: an hour."""


@dataclass(frozen=True)
class Declared:
    """A setting beside its name and default. `help`: what it is, for programs and their guide.

    `label`: its name in a form, which offers `choices` in this order, each in `words(value, say)`, as a `select`, as
    `radios`, or as `cards` with a title and a line each. `offered`: the one chosen at first. `allowed`: all values
    there are, the choices by default; a range is of seconds from 0. A setting that is `only_live` is 0 in a match by
    correspondence.
    """

    help: str
    label: str
    choices: tuple[Any, ...]
    words: Callable[[Any, Say], str | tuple[str, str]]
    offered: Any
    allowed: Sequence[Any] = ()
    form: Literal["select", "radios", "cards"] = "select"
    only_live: bool = False

    def require(self, name: str, value: object) -> None:
        """Refuse a value that is not allowed."""
        allowed = self.allowed or self.choices
        if type(value) is type(self.offered) and value in allowed:
            return
        if isinstance(allowed, range):
            raise BadSetting(mark("{setting}: expected 0 to {most} seconds"), setting=name, most=allowed[-1])
        raise BadSetting(mark("{setting}: expected one of {values}"), setting=name, values=", ".join(map(str, allowed)))


def _pace_words(pace: str, say: Say) -> tuple[str, str]:
    if pace == "calm":
        return say("Calm"), say("time to look and talk")
    return say("Brisk"), say("for those who know it")


def _talk_words(manner: str, say: Say) -> str:
    if manner == "free":
        return say("As you like, whispers too")
    return say("So that all hear everything") if manner == "aloud" else say("None while we play")


def _window_words(seconds: int, say: Say) -> str:
    return say("{seconds} seconds: choices may be changed", seconds=seconds) if seconds else say("None")


def _public_words(public: bool, say: Say) -> str:
    if public:
        return say("Everybody: the room is listed on the first page")
    return say("Only who has the link or the code")


def _days_words(days: int, say: Say) -> str:
    if not days:
        return f"{say('Now')}: {say('all at the table together')}"
    return f"{say.many('{count} day', '{count} days', days)}: {say('by post, nights and holidays apart')}"


def _patience_words(seconds: int, say: Say) -> str:
    words = {
        30: mark("after 30 seconds"),
        60: mark("after a minute"),
        180: mark("after 3 minutes"),
        600: mark("after 10 minutes"),
        0: mark("never: we wait as long as it takes"),
    }
    return say(words[seconds])


def _bank_words(seconds: int, say: Say) -> str:
    if not seconds:
        return say("no bank")
    return say.many("a bank of {count} minute", "a bank of {count} minutes", seconds // 60)


class StateSettings(msgspec.Struct, frozen=True):
    """The settings of a room, as everybody there is told."""

    pace: Annotated[
        str,
        Declared(
            "the pace of scenes", mark("Which pace"), ("calm", "brisk"), _pace_words, offered="brisk", form="cards"
        ),
    ] = "brisk"
    talk: Annotated[
        str,
        Declared(
            "`free`, `aloud` (nobody whispers) or `silent` (nobody talks while a match is played)",
            mark("Talk"),
            ("free", "aloud", "silent"),
            _talk_words,
            offered="free",
        ),
    ] = "free"
    window: Annotated[
        int,
        Declared(
            "seconds in which the choices of a ballot may be changed, 0: none",
            mark("Time to talk at a ballot"),
            (0, 15, 30, 60),
            _window_words,
            offered=0,
            only_live=True,
        ),
    ] = 0
    public: Annotated[
        bool,
        Declared(
            "whether the room is listed",
            mark("Who may join"),
            (True, False),
            _public_words,
            offered=False,
            form="radios",
        ),
    ] = True
    days: Annotated[
        int,
        Declared(
            "days for a decision by correspondence, 0: the match is live",
            mark("How long for a decision"),
            (0, 1, 3, 7),
            _days_words,
            offered=0,
        ),
    ] = 0
    patience: Annotated[
        int,
        Declared(
            "seconds until a bot decides for a player who does not, 0: never",
            mark("A bot plays for somebody who keeps the table waiting"),
            (30, 60, 180, 600, 0),
            _patience_words,
            offered=60,
            allowed=range(LONGEST_PATIENCE + 1),
            only_live=True,
        ),
    ] = 60
    bank: Annotated[
        int,
        Declared(
            "seconds that a seat has for the whole match if decisions take longer than `patience`, 0: none",
            mark("Longer where somebody needs it: for the whole match"),
            (0, 120, 300, 600),
            _bank_words,
            offered=0,
            allowed=range(LONGEST_BANK + 1),
            only_live=True,
        ),
    ] = 0


SETTINGS: dict[str, Declared] = {field.name: get_args(field.type)[1] for field in msgspec.structs.fields(StateSettings)}
"""The settings by name, in the order of the form."""
ALWAYS_WRITTEN = {"public", "patience", "pace", "pace_chosen", "talk", "window"}
"""What the first event of every log tells."""


class Settings(StateSettings, frozen=True):
    """The settings of a room; `pace_chosen`: somebody chose the pace. `BadSetting` for what cannot be."""

    pace_chosen: bool = True

    def __post_init__(self) -> None:
        for name, declared in SETTINGS.items():
            declared.require(name, getattr(self, name))
        if self.days and (self.patience or self.window):
            raise BadSetting(mark("a match over days has neither patience nor a time to talk"))
        if self.bank and self.days:
            raise BadSetting(mark("a match over days has no bank"))
        if self.bank and not self.patience:
            raise BadSetting(mark("a bank begins where the seconds of a decision end: expected a patience above 0"))

    @classmethod
    def of(cls, body: dict[str, Any]) -> "Settings":
        """Return the settings that the first event of a log tells; a log may be older than a setting."""
        return cls(**{name: body[name] for name in cls.__struct_fields__ if name in body})


def settings_body(settings: Settings) -> dict[str, Any]:
    """Return the settings as the first event of a log tells them; what came later only where it is not the default."""
    defaults = {field.name: field.default for field in msgspec.structs.fields(Settings)}
    body = msgspec.structs.asdict(settings)
    return {name: value for name, value in body.items() if name in ALWAYS_WRITTEN or value != defaults[name]}


def settings_document(settings: Settings) -> dict[str, Any]:
    """Return the settings as everybody in the room is told."""
    return {name: getattr(settings, name) for name in SETTINGS}
