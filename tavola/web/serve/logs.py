"""Logs: errors that repeat are written once a minute, with their number."""

import logging
import time

REPEAT_AFTER = 60.0  # seconds
MOST_KINDS = 1000


class OnceAMinute(logging.Filter):
    """Passes the first record of a kind; the next one a minute later says how many were left out."""

    def __init__(self) -> None:
        super().__init__()
        self._kinds: dict[object, tuple[float, int]] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        error = record.exc_info[0] if record.exc_info else None
        kind, now = (record.name, _template(record), error), time.monotonic()
        since, left_out = self._kinds.get(kind, (-REPEAT_AFTER, 0))
        if now - since < REPEAT_AFTER:
            self._kinds[kind] = since, left_out + 1
            return False
        if len(self._kinds) >= MOST_KINDS:
            self._kinds.clear()
        self._kinds[kind] = now, 0
        if left_out:
            record.msg, record.args = f"{record.getMessage()} ({left_out} more suppressed)", ()
        return True


def _template(record: logging.LogRecord) -> str:
    """Return what records of a kind share: asyncio writes details into the text, after the first line."""
    return str(record.msg).partition("\n")[0]


def configure_logging() -> None:
    """Write warnings and errors to the error stream, each kind once a minute."""
    handler = logging.StreamHandler()
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    handler.addFilter(OnceAMinute())
    logging.basicConfig(level=logging.WARNING, handlers=[handler])
