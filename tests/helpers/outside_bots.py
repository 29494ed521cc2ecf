"""A bot from outside, as a class."""

from tavola.core import View


class Last:
    """Plays the last of what is allowed."""

    def choose(self, view: View) -> int:
        """The number of its action."""
        return view.legal[-1]
