"""The common part of the commands that look after a database."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click
from platformdirs import user_data_path

F = TypeVar("F", bound=Callable[..., Any])


def database_option(function: F) -> F:
    """Add `--database FILE`; the command gets `database`, a path: the one in the user's data folder unless told.

    An address of PostgreSQL's stays a text.
    """

    def given(ctx: click.Context, parameter: click.Parameter, value: str | None) -> Path | str:
        from tavola.store import is_postgres_url

        if value and is_postgres_url(value):
            return value
        return Path(value) if value else user_data_path("tavola", ensure_exists=True) / "tavola.sqlite"

    option = click.option(
        "--database",
        type=click.Path(dir_okay=False),
        callback=given,
        help="The file that keeps the matches, or postgresql://…",
    )
    return option(function)
