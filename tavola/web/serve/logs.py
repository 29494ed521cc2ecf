"""Logs: as text or as JSON; errors that repeat are written once a minute, with their number."""

import json
import logging
import time
from datetime import UTC, datetime

REPEAT_AFTER = 60.0  # seconds
MOST_KINDS = 1000


class OnceAMinute(logging.Filter):
    """Passes the first record of a kind; the next one a minute later says how many were left out."""

    def __init__(self) -> None:
        super().__init__()
        self._kinds: dict[object, tuple[float, int]] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        if record.levelno < logging.WARNING:
            return True
        error = record.exc_info[0] if record.exc_info else None
        # Asyncio writes details into the text, after the first line.
        kind, now = (record.name, str(record.msg).partition("\n")[0], error), time.monotonic()
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


class JsonFormatter(logging.Formatter):
    """One object a line: `time` (UTC), `level`, `logger`, `message`, and `traceback` of an error."""

    def format(self, record: logging.LogRecord) -> str:
        made = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        if record.exc_info:
            made["traceback"] = self.formatException(record.exc_info)
        return json.dumps(made, ensure_ascii=False)


FORMATTERS: dict[str, logging.Formatter] = {
    "text": logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"),
    "json": JsonFormatter(),
}
LEVELS = ("warning", "info", "debug")


def configure_logging(form: str = "text", level: str = "warning") -> None:
    """Write to the error stream, each kind of warning and error once a minute.

    `form`: a key of `FORMATTERS`. `level`: one of `LEVELS`, for records of Tavola. At `info`, that the site has started
    or compiled a game; at `debug`, each request, too.
    """
    handler = logging.StreamHandler()
    handler.setFormatter(FORMATTERS[form])
    handler.addFilter(OnceAMinute())
    logging.basicConfig(level=logging.WARNING, handlers=[handler])
    logging.getLogger("tavola").setLevel(level.upper())
