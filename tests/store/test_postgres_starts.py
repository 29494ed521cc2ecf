"""PostgreSQL, if installed, starts, or one sentence says why not, once."""

import re

import pytest

from tests.helpers.postgres import MISSING, PostgresServer, find_programs, running_postgres

pytestmark = pytest.mark.process


def test_postgresql_can_be_started_where_it_is_installed(request: pytest.FixtureRequest):
    """All tests that need it are skipped if it cannot start, so this one fails."""
    if find_programs() is None:
        pytest.skip(MISSING)
    reason = ""
    try:
        request.getfixturevalue("one_postgres")
    except pytest.skip.Exception as skipped:
        reason = str(skipped)
    if reason:
        pytest.fail(reason, pytrace=False)


@pytest.mark.parametrize(
    ("failing", "program", "said"),
    [
        ("initdb", "initdb", "no room on the device"),
        ("postgres", "postgres", "no room on the device"),
        ("no such program", "initdb", "No such file"),
    ],
)
def test_why_it_cannot_be_started_is_said_in_one_sentence(
    one_postgres: PostgresServer, monkeypatch: pytest.MonkeyPatch, failing: str, program: str, said: str
):
    folder = one_postgres.folder / f"failing {failing}"
    folder.mkdir(0o755)
    for name in ("initdb", "postgres"):
        text = "echo no room on the device >&2; exit 3" if name == failing else "exit 0"
        if failing != "no such program":
            (folder / name).write_text(f"#!/bin/sh\n{text}\n")
            (folder / name).chmod(0o755)
    monkeypatch.setattr("tests.helpers.postgres.find_programs", lambda: folder)
    sentence = rf"^PostgreSQL cannot be started: {program}: .*{re.escape(said)}.*$"
    with pytest.raises(pytest.skip.Exception, match=sentence), running_postgres():
        pass
