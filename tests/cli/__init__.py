"""Tests of the command line: commands run in this process, or in one of their own."""

import contextlib
from collections.abc import Iterator

import psycopg
from click.testing import CliRunner, Result

from tavola.cli import main


def run(*words: object, input: str | bytes | None = None, **environment: str) -> Result:
    """Return the result of a command."""
    return CliRunner().invoke(main, [str(word) for word in words], input, environment, catch_exceptions=False)


def answer(*words: object) -> tuple[int, str]:
    """Return the exit status and the output of a command; if it asks for a choice, it is left."""
    result = run(*words, input="quit\n")
    return result.exit_code, result.output


@contextlib.contextmanager
def role_without_rights(url: str) -> Iterator[str]:
    """Yield the address of a database for a role that does not own it, and exists only in the block."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("CREATE ROLE visitor LOGIN")
        try:
            yield url.replace("tavola@", "visitor@")
        finally:
            connection.execute("DROP ROLE visitor")


def check_answer(status: int, said: str, *words: object) -> str:
    """Check the exit status of a command, and that it says something; return its output."""
    code, output = answer(*words)
    assert (code, said in output) == (status, True), output
    return output
