"""The settings of a room, each declared once as a field: form, refusals, events, JSON and guide follow from it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal, get_args

import msgspec

from tavola.core.text import mark
from tavola.live.room_refusals import BadSetting
from tavola.show.speech import Say

LONGEST_PATIENCE = 7 * 24 * 3600
"""Maximum seconds per move: a week."""
LONGEST_BANK = 3600
"""Maximum seconds of a time bank: an hour."""


@dataclass(frozen=True)
class Declared:
    """The declaration of a setting, beside its name and default. `help`: its description for programs and their guide.

    `label`: its name in a form. `choices`: the values offered, in this order, each with the text `words(value, say)`.
    `form`: a `select`, `radios`, or `cards` with a title and a line each. `offered`: the initial choice. `allowed`: all
    valid values, the choices by default; a range is in seconds from 0. `shown`: in the form of which matches, live ones
    or correspondence games; a number that is shown only for live ones is 0 in correspondence games.
    """

    help: str
    label: str
    choices: tuple[Any, ...]
    words: Callable[[Any, Say], str | tuple[str, str]]
    offered: Any
    allowed: Sequence[Any] = ()
    form: Literal["select", "radios", "cards"] = "select"
    shown: Literal["always", "live", "days"] = "always"

    def require(self, name: str, value: object) -> None:
        """Refuse a value that is not allowed."""
        allowed = self.allowed or self.choices
        if type(value) is type(self.offered) and value in allowed:
            return
        if isinstance(allowed, range):
            raise BadSetting(mark("{setting}: choose 0 to {most} seconds"), setting=name, most=allowed[-1])
        values = ", ".join(str(each).lower() if isinstance(each, bool) else str(each) for each in allowed)
        raise BadSetting(mark("{setting}: choose one of {values}"), setting=name, values=values)


def _pace_words(pace: str, say: Say) -> tuple[str, str]:
    if pace == "calm":
        return say("Calm"), say("time to look and talk")
    return say("Brisk"), say("if you know the game")


def _talk_words(manner: str, say: Say) -> str:
    if manner == "free":
        return say("Free, whispers included")
    return say("Aloud: everyone hears everything") if manner == "aloud" else say("None during the match")


def _window_words(seconds: int, say: Say) -> str:
    return say("{seconds} seconds: you can change your choice", seconds=seconds) if seconds else say("None")


def _public_words(public: bool, say: Say) -> str:
    if public:
        return say("Everyone: the room is listed on the home page")
    return say("Anyone with the link or code")


def _days_words(days: int, say: Say) -> str:
    if not days:
        return say("Live: everyone at the table together")
    return say.many("{count} day", "{count} days", days)


def _misses_words(count: int, say: Say) -> str:
    if count == 1:
        return say("A bot keeps the seat until its player is back")
    return say.many(
        "A bot decides once; after {count} missed decision in a row it keeps the seat until its player is back",
        "A bot decides once; after {count} missed decisions in a row it keeps the seat until its player is back",
        count,
    )


def _bank_days_words(days: int, say: Say) -> str:
    return say.many("{count} day", "{count} days", days) if days else say("none")


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
        return say("none")
    return say.many("{count} minute", "{count} minutes", seconds // 60)


class StateSettings(msgspec.Struct, frozen=True):
    """The settings of a room, as sent to everyone in it."""

    pace: Annotated[
        str,
        Declared(
            "the pace of scenes", mark("Pace"), ("calm", "brisk"), _pace_words, "brisk", form="cards", shown="live"
        ),
    ] = "brisk"
    talk: Annotated[
        str,
        Declared(
            "`free`, `aloud` (no whispers) or `silent` (no talk during a match)",
            mark("Talk"),
            ("free", "aloud", "silent"),
            _talk_words,
            offered="free",
        ),
    ] = "free"
    window: Annotated[
        int,
        Declared(
            "seconds during which choices in a ballot can be changed; 0 for none",
            mark("Time to talk before a vote"),
            (0, 15, 30, 60),
            _window_words,
            offered=0,
            shown="live",
        ),
    ] = 0
    public: Annotated[
        bool,
        Declared(
            "whether the room is listed on the home page",
            mark("Who can join"),
            (True, False),
            _public_words,
            offered=False,
            form="radios",
        ),
    ] = True
    days: Annotated[
        int,
        Declared(
            "days per decision in a correspondence game; 0 for a live match",
            mark("Time per decision"),
            (0, 1, 3, 7),
            _days_words,
            offered=0,
            form="cards",
            shown="days",
        ),
    ] = 0
    misses: Annotated[
        int,
        Declared(
            "in a correspondence game, missed decisions in a row after which a bot keeps the seat",
            mark("When time runs out"),
            (3, 1, 2, 5),
            _misses_words,
            offered=3,
            shown="days",
        ),
    ] = 3
    bank_days: Annotated[
        int,
        Declared(
            "in a correspondence game, extra days per seat for the whole match, used after `days`; 0 for none",
            mark("Time bank: extra time for the whole match"),
            (0, 1, 2, 4, 7),
            _bank_days_words,
            offered=0,
            shown="days",
        ),
    ] = 0
    patience: Annotated[
        int,
        Declared(
            "seconds per decision, after which a bot decides for the player; 0 for no limit",
            mark("If someone takes too long, a bot plays for them"),
            (30, 60, 180, 600, 0),
            _patience_words,
            offered=60,
            allowed=range(LONGEST_PATIENCE + 1),
            shown="live",
        ),
    ] = 60
    bank: Annotated[
        int,
        Declared(
            "extra seconds per seat for the whole match, used after `patience`; 0 for none",
            mark("Time bank: extra time for the whole match"),
            (0, 120, 300, 600),
            _bank_words,
            offered=0,
            allowed=range(LONGEST_BANK + 1),
            shown="live",
        ),
    ] = 0


SETTINGS: dict[str, Declared] = {field.name: get_args(field.type)[1] for field in msgspec.structs.fields(StateSettings)}
"""The settings by name, in the order of the form."""
ALWAYS_WRITTEN = {"public", "patience", "pace", "pace_chosen", "talk", "window"}
"""Settings that the first event of every log has."""


class Settings(StateSettings, frozen=True):
    """The settings of a room; `pace_chosen`: a person chose the pace. Raises `BadSetting` for invalid ones."""

    pace_chosen: bool = True

    def __post_init__(self) -> None:
        for name, declared in SETTINGS.items():
            declared.require(name, getattr(self, name))
        if self.days and (self.patience or self.window):
            raise BadSetting(mark("a correspondence game has neither seconds per move nor a time to talk"))
        if self.bank and self.days:
            raise BadSetting(mark("the time bank of a correspondence game is in days: set bank_days"))
        if self.bank_days and not self.days:
            raise BadSetting(mark("a time bank in days is possible only in a correspondence game"))
        if self.bank and not self.patience:
            raise BadSetting(mark("a time bank is possible only when the time per move is limited"))

    @classmethod
    def of(cls, body: dict[str, Any]) -> "Settings":
        """Return the settings in the first event of a log, which may be older than a setting."""
        return cls(**{name: body[name] for name in cls.__struct_fields__ if name in body})


def settings_body(settings: Settings) -> dict[str, Any]:
    """Return the settings for the first event of a log; newer settings only if they differ from their default."""
    defaults = {field.name: field.default for field in msgspec.structs.fields(Settings)}
    body = msgspec.structs.asdict(settings)
    return {name: value for name, value in body.items() if name in ALWAYS_WRITTEN or value != defaults[name]}


def settings_document(settings: Settings) -> dict[str, Any]:
    """Return the settings as sent to everyone in the room."""
    return {name: getattr(settings, name) for name in SETTINGS}
