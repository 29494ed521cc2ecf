"""The settings of `tavola serve`: from a file, the environment, and the command line, each over the one before it.

Each setting is declared once, as an option of the command. `mail-from` in the file, `TAVOLA_MAIL_FROM` in the
environment and `--mail-from` on the command line are the same one.
"""

import re
import stat
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

SECRETS = ("mail_password", "metrics_token")
"""Settings that are never given on a command line, which every user of a machine can read, and never shown."""
NOT_SETTINGS = ("config", "listening", "place", "help")
SOURCES = {
    ParameterSource.COMMANDLINE: "command line",
    ParameterSource.ENVIRONMENT: "environment",
    ParameterSource.DEFAULT_MAP: "file",
}
PASSWORD = re.compile(r"(?<=:)[^:@/]*(?=@)")
"""A password in the address of a database."""
OTHERS_READ = stat.S_IRGRP | stat.S_IROTH


def read_settings(ctx: click.Context, parameter: click.Parameter, path: Path | None) -> Path | None:
    """Use the settings of a TOML file where neither the environment nor the command line has another value.

    Raises `click.ClickException` for a file that is not TOML, has an unknown setting, or shows secrets to other users.
    """
    if path is None:
        return None
    try:
        found = tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise click.FileError(str(path), f"expected a file that can be read, {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise click.FileError(str(path), f"expected TOML: {error}") from error
    known = {_name_in_file(each): each for each in _settings_of(ctx.command)}
    unknown = next((name for name in found if name not in known), None)
    if unknown is not None:
        raise click.FileError(str(path), f"expected settings out of {', '.join(known)}; found {unknown[:60]!r}")
    values = {str(known[name].name): _as_given(path, known[name], value) for name, value in found.items()}
    if any(name in values for name in SECRETS) and path.stat().st_mode & OTHERS_READ:
        raise click.FileError(str(path), "expected a file with a password that only its owner can read: chmod 600")
    ctx.default_map = {**(ctx.default_map or {}), **values}
    return path


def _settings_of(command: click.Command) -> list[click.Parameter]:
    return [each for each in command.params if each.name not in NOT_SETTINGS]


def _name_in_file(option: click.Parameter) -> str:
    return option.opts[0].removeprefix("--")


def _as_given(path: Path, option: click.Parameter, value: Any) -> Any:
    """Return a value of the file as the command line gives it: a table as NAME=VALUE, one text as a list of one."""
    if isinstance(value, Mapping):
        texts = {name: ",".join(map(str, each)) if isinstance(each, list) else each for name, each in value.items()}
        value = [f"{name}={text}" for name, text in texts.items()]
    if option.multiple and isinstance(value, str):
        return [value]
    if option.multiple is not isinstance(value, list):
        form = "a list of texts" if option.multiple else "one value"
        raise click.FileError(str(path), f"{_name_in_file(option)}: expected {form}")
    return list(map(str, value)) if option.multiple else value


def refuse_on_command_line(ctx: click.Context, parameter: click.Parameter, value: Any) -> Any:
    """Return the value of a secret setting; refuse one on the command line."""
    if ctx.get_parameter_source(str(parameter.name)) is ParameterSource.COMMANDLINE:
        name = str(parameter.name)
        places = f"as TAVOLA_{name.upper()} or in a settings file"
        raise click.UsageError(f"{parameter.opts[0]}: expected it {places}; everyone here can read command lines")
    return value


def settings_table(ctx: click.Context) -> list[tuple[str, str, str]]:
    """Return name, value and source of each setting in force."""
    return [
        (_name_in_file(each), _shown(each, ctx.params[str(each.name)]), _source(ctx, str(each.name)))
        for each in _settings_of(ctx.command)
    ]


def _source(ctx: click.Context, name: str) -> str:
    source = ctx.get_parameter_source(name)
    return SOURCES.get(source, "default") if source else "default"


def _shown(option: click.Parameter, value: Any) -> str:
    if value is None or value == ():
        return ""
    if option.name in SECRETS:
        return "(set)"
    text = " ".join(map(str, value)) if isinstance(value, tuple) else str(value)
    return PASSWORD.sub("(set)", text)
