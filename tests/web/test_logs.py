"""The log: as text or JSON, what repeats once a minute, and requests without the codes of rooms."""

import json
import logging
import sys
from pathlib import Path

import pytest

from tavola.web.serve.logs import FORMATTERS, OnceAMinute
from tests.helpers.site import site_at


def record(message: str, *values: object, level: int = logging.WARNING) -> logging.LogRecord:
    try:
        raise RuntimeError("out of wine")
    except RuntimeError:
        return logging.LogRecord("tavola.club", level, "file", 1, message, values, sys.exc_info())


def test_a_record_is_one_line_of_json():
    text = FORMATTERS["json"].format(record("%s “guests”\nwait", 3))
    assert "\n" not in text
    found = json.loads(text)
    assert (found["level"], found["logger"], found["message"]) == ("warning", "tavola.club", "3 “guests”\nwait")
    assert found["time"].endswith("+00:00")
    assert "RuntimeError: out of wine" in found["traceback"]


def test_only_warnings_are_left_out():
    passes = OnceAMinute()
    assert [passes.filter(record("GET /", level=logging.DEBUG)) for _ in range(3)] == [True] * 3
    assert [passes.filter(record("the disk is full")) for _ in range(3)] == [True, False, False]


def test_requests_are_logged_without_the_codes_of_rooms(tmp_path: Path, caplog: pytest.LogCaptureFixture):
    level = caplog.at_level(logging.DEBUG, "tavola.web.requests.guard")
    with level, site_at(tmp_path / "t.sqlite") as site, site.guest() as guest:
        code = guest.create()
    said = [each.getMessage() for each in caplog.records]
    assert any(line.startswith("GET /r/… in ") for line in said), said
    assert code not in caplog.text
