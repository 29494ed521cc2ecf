"""The refusals of Tavola, for when it cannot do what was asked: every one is a `Refusal`, one sentence, typed."""


class Refusal(ValueError):
    """Bad input, refused with nothing changed. `str(refusal)` is one sentence that says what was expected."""


class UnknownGame(Refusal):
    """No game of that name is installed."""


class UnknownVersion(UnknownGame):
    """A version of a game's rules that is neither the present one nor kept beside it."""


class BadOption(Refusal):
    """An option of a game that does not exist, or a value it does not take."""


class BadPosition(Refusal):
    """A position document that is malformed, or that no match could reach by its pieces."""


class ForeignFile(Refusal):
    """A file that another program or a person wrote: it is not written over."""


class BadRecord(Refusal):
    """A match record that cannot be read, or does not replay under the rules it names."""


class IllegalAction(Refusal):
    """An action that the rules do not allow now, or that is no action of the game."""


class NotYourTurn(IllegalAction):
    """A seat acted that owes no decision now."""
