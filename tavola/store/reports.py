"""The reports of people about others to whoever runs the site: they lie in the logs of rooms, and are read there."""

from typing import NamedTuple

REPORTED_EVENTS = "SELECT room, seq, body, at FROM event WHERE kind = 'reported' ORDER BY at DESC, room, seq LIMIT ?"


class ReportedLine(NamedTuple):
    """One line of chat; `at` in seconds since 1970."""

    name: str
    text: str
    at: float


class StoredReport(NamedTuple):
    """Somebody was reported in a room, `at` in seconds since 1970, with the last lines that he had written."""

    room: str
    at: float
    lines: tuple[ReportedLine, ...]

    @property
    def about(self) -> str:
        """The name of who was reported, as he last bore it."""
        return self.lines[-1].name if self.lines else "?"
