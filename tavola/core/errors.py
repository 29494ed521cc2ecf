"""The refusals of Tavola, for when it cannot do what was asked: every one is a `Refusal`, one sentence, typed."""

from collections.abc import Mapping
from types import MappingProxyType

from tavola.core.text import mark


class Refusal(ValueError):
    """Bad input, refused with nothing changed. `str(refusal)` is one sentence that says what was expected."""

    status = 400
    """The HTTP status of a page that shows it."""
    message: str = mark("That could not be understood.")
    """What a page says in the reader's language, filled with `values`; `str(refusal)` follows it, for experts."""
    values: Mapping[str, object] = MappingProxyType({})


class TranslatableRefusal(Refusal):
    """A refusal told whole in the reader's language. A class has one message, or each `raise` names its own."""

    def __init__(self, message: str = "", **values: object) -> None:
        self.message, self.values = message or self.message, values
        super().__init__(self.message.format_map(values) if values else self.message)


class UnknownGame(Refusal):
    """No game of that name is installed."""

    status, message = 404, mark("No game of that name stands on this shelf.")


class UnknownVersion(UnknownGame):
    """A version of a game's rules that is neither the present one nor kept beside it."""


class BadOption(Refusal):
    """An option of a game that does not exist, or a value it does not take."""

    message = mark("A variant was asked for that this game does not have.")


class BadPosition(Refusal):
    """A position document that is malformed, or that no match could reach by its pieces."""

    message = mark("This record cannot be replayed.")


class ForeignFile(Refusal):
    """A file that another program or a person wrote: it is not written over."""


class BadRecord(Refusal):
    """A match record that cannot be read, or does not replay under the rules it names."""

    message = mark("This record cannot be replayed.")


class IllegalAction(Refusal):
    """An action that the rules do not allow now, or that is no action of the game."""

    status, message = 409, mark("The rules do not allow that now.")


class NotYourTurn(IllegalAction):
    """A seat acted that owes no decision now."""
