"""Text of match records, which people can read and write by hand, and positions as documents.

    game: lifeboats
    version: 1
    names: Ada, Bruno, Carla, Dario
    option players: 4
    option seats: 6

    * start 2
    2 lane 3
    …

A header, an empty line, then one line for each action: the seat (`*` is chance) and the code. `;` begins a comment.
Names with a comma or a semicolon are in quotation marks. A match that started from a position has a line `position:
{…}`, and `check: pieces` if that need not be reachable in play. Written records list every option; an option that is
missing takes the value of the printed rulebook.

A position is any state, read and written with named values. The fields of the table are top-level keys. A field that is
left out has its value at the start of a match.

    {"game": "lifeboats", "version": 1, "options": {"players": "4"},
     "phase": "leak ballot", "boats": {"green": {"lane": 3, "leaks": 1}}, "hands": [...], "box": {...}}
"""

import json
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from tavola.core import kernels
from tavola.core.errors import BadPosition, BadRecord, ForeignFile
from tavola.core.fields import Json, as_integer, check_keys, refuse, short_repr
from tavola.core.game import CHANCE, CHECK_LEVELS, Game
from tavola.core.text import HIDDEN, SPACE
from tavola.core.view import Buffers

HEADER = ("game", "version", "options")
"""Top-level keys of positions that describe the match, not its state."""
RECORD_HEADER = ("game", "version", "names", "check", "position")
MOST_ACTIONS = 100_000
MOST_NAMES = 31


def written_text(header: Mapping[str, Any], options: Mapping[str, str], actions: Iterable[tuple[int, str]]) -> str:
    """Return the text of a record. Header lines without information are left out."""
    lines = [f"game: {header['game']}", f"version: {header['version']}"]
    if header["names"]:
        lines.append(f"names: {', '.join(map(_quote_name, header['names']))}")
    lines += [f"option {name}: {value}" for name, value in options.items()]
    if header["check"] != "strict":
        lines.append(f"check: {header['check']}")
    if header["position"] is not None:
        lines.append(f"position: {json.dumps(header['position'], ensure_ascii=False)}")
    return "\n".join([*lines, "", *(f"{_seat_sign(seat)} {code}" for seat, code in actions), ""])


def _seat_sign(seat: int) -> str:
    return "*" if seat == CHANCE else str(seat)


def _quote_name(name: str) -> str:
    """Return a name for the header, as a JSON string if it could be misread."""
    unseen = HIDDEN.search(name) or SPACE.search(name.replace(" ", ""))
    plain = name == name.strip() and not unseen and not name.startswith('"') and not set(name) & set(",;")
    return name if name and plain else json.dumps(name, ensure_ascii=bool(unseen))


def decode_text(data: bytes) -> str:
    """Decode a file: UTF-8, with or without a byte order mark, or UTF-16 with one. Raises `BadRecord` for any other."""
    encoding = "utf-16" if data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)) else "utf-8-sig"
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        raise BadRecord(f"byte {error.start + 1}: expected text in UTF-8; save it as UTF-8 and try again") from error


def check_output(path: Path, *beginnings: str) -> None:
    """Raise `ForeignFile` if a file exists that Tavola did not write: it begins with none of `beginnings`.

    Devices and pipes are accepted. Raises `OSError` if the file cannot be read.
    """
    if not path.exists() or path.is_char_device() or path.is_fifo():
        return
    if path.is_file():
        with path.open("rb") as stream:
            begun = stream.read(max(len(each.encode()) for each in beginnings))
        if begun.startswith(tuple(each.encode() for each in beginnings)):
            return
    raise ForeignFile(f"{path}: expected no file, or one written by Tavola; choose another name")


def parse_record(text: str) -> dict[str, Any]:
    """Return the fields of the record in a text. `BadRecord` names the wrong line and what was expected."""
    header, options = dict[str, Any](), dict[str, str]()
    actions, lines = list[tuple[int, str]](), list[int]()
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    for place, line in enumerate(text.split("\n"), 1):
        words = line.partition(";")[0].strip()
        if ":" in words and not actions:
            _parse_header(place, line, header, options)
        elif words:
            actions.append(_parse_action(place, words))
            lines.append(place)
        if len(actions) > MOST_ACTIONS:
            raise BadRecord(f"line {place}: expected at most {MOST_ACTIONS} actions")
    for key in ("game", "version"):
        if key not in header:
            raise BadRecord(f"header: expected a line '{key}: …', found none")
    return {"options": options, "actions": tuple(actions), "lines": tuple(lines), **header}


def _parse_header(place: int, line: str, header: dict[str, Any], options: dict[str, str]) -> None:
    written, _, value = line.partition(":")
    key = " ".join(written.split())
    known, name = (options, key.removeprefix("option ")) if key.startswith("option ") else (header, key)
    if known is header and key not in RECORD_HEADER:
        expected = f"expected {', '.join(RECORD_HEADER)} or option NAME before the actions"
        raise BadRecord(f"line {place}: {expected}, found {short_repr(key)}")
    if name in known:
        raise BadRecord(f"line {place}: expected each header line once, found {short_repr(key)} again")
    known[name] = _parse_value(place, key, value.strip())


def _parse_action(place: int, words: str) -> tuple[int, str]:
    seat, _, code = words.partition(" ")
    if not (seat == "*" or (seat.isascii() and seat.isdecimal() and len(seat) == 1)) or not code:
        raise BadRecord(f"line {place}: expected a seat (or *) and an action, found {short_repr(words)}")
    return CHANCE if seat == "*" else int(seat), " ".join(code.lower().split())


def _parse_value(place: int, key: str, text: str) -> Any:
    if key == "names":
        return _parse_names(place, text)
    if key == "position":
        return _parse_position(place, text)
    words = text.partition(";")[0].strip()
    if key == "check" and words not in CHECK_LEVELS:
        raise BadRecord(f"line {place}: check: expected {' or '.join(CHECK_LEVELS)}, found {short_repr(words)}")
    if key != "version":
        return words
    if not (words.isascii() and words.isdecimal() and len(words) < 10):
        raise BadRecord(f"line {place}: version: expected a whole number, found {short_repr(words)}")
    return int(words)


def _parse_names(place: int, text: str) -> tuple[str, ...]:
    names: list[str] = []
    rest = f",{text}" if text.partition(";")[0].strip() else ""
    while rest.startswith(",") and len(names) <= MOST_NAMES:
        name, rest = _parse_name(place, rest[1:].lstrip())
        names.append(name)
    if rest and not rest.startswith(";"):
        raise BadRecord(
            f"line {place}: names: expected at most {MOST_NAMES}, separated by commas, found {short_repr(rest)}"
        )
    return tuple(names)


def _parse_name(place: int, text: str) -> tuple[str, str]:
    if not text.startswith('"'):
        end = min((text.index(mark) for mark in ",;" if mark in text), default=len(text))
        return text[:end].rstrip(), text[end:]
    try:
        name, end = json.JSONDecoder().raw_decode(text)
    except ValueError as error:
        raise BadRecord(f"line {place}: names: expected a closing quotation mark, found {short_repr(text)}") from error
    return name, text[end:].lstrip()


def _parse_position(place: int, text: str) -> Json:
    decoder = json.JSONDecoder(object_pairs_hook=_refuse_duplicates, parse_constant=_refuse_constant)
    try:
        position, end = decoder.raw_decode(text)
    except (ValueError, RecursionError) as error:
        raise BadRecord(f"line {place}: position: expected a JSON document: {error}") from error
    if text[end:].lstrip()[:1] not in ("", ";"):
        raise BadRecord(f"line {place}: position: expected one JSON document, found {short_repr(text[end:])} after it")
    return position


def _refuse_duplicates(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    document = dict(pairs)
    if len(document) < len(pairs):
        raise ValueError("duplicate key")
    return document


def _refuse_constant(word: str) -> Json:
    raise ValueError(f"{word} is not a number")


def replay_history(game: Game, options: np.ndarray, history: Sequence[tuple[int, int]]) -> np.ndarray:
    """Return the state after `history`, pairs of seat and action number; an array of one.

    The actions are checked in one compiled pass. Raises `BadRecord` if one is not legal.
    """
    for place, (seat, number) in enumerate(history, 1):
        if not (0 <= seat <= CHANCE and 0 <= number < len(game.actions)):
            raise BadRecord(f"action {place}: expected a seat and the number of an action, found {seat} and {number}")
    states, scratch = game.states(1), Buffers(game)
    kernels.start_at(states, 0, options)
    seats, played = (np.array([pair[k] for pair in history], np.int64) for k in (0, 1))
    done = kernels.replay(states, 0, seats, played, scratch.actions, scratch.weights)
    if done < len(history):
        seat, number = history[done]
        raise BadRecord(f"action {done + 1}: {game.actions.code(number)!r} is not allowed for seat {_seat_sign(seat)}")
    return states


# Positions


def write_position(game: Game, options: np.ndarray, states: np.ndarray) -> Json:
    """Return the document of `states[0]`, hidden fields included."""
    document = game.state.write(game.state.unpack(states.tobytes()))
    hands = document["hand"][: int(options[0])]
    hidden = {"hands": hands, **({"box": document["box"]} if "box" in document else {})}
    header = {"game": game.name, "version": game.version, "options": game.options.to_words(options)}
    return {**header, **document["table"], **hidden}


def read_position(
    game: Game, document: Json, given: Mapping[str, object], rules: str, check: str = "strict"
) -> tuple[np.ndarray, np.ndarray]:
    """Return the options and the state of a document. Options that are not given are those of the set `rules`.

    Raises `BadPosition` with the wrong field and what was expected of it.
    """
    hidden = ("hands", "box") if "box" in game.state.fields else ("hands",)
    check_keys(document, "", (*HEADER, *game.table.fields, *hidden))
    if document.get("game", game.name) != game.name:
        refuse("game", repr(game.name), document["game"])
    if as_integer(document.get("version", game.version)) != game.version:
        refuse("version", str(game.version), document["version"])
    options = _read_options(game, document.get("options", {}), given, rules)
    state = _read_state(game, document, options)
    if check not in CHECK_LEVELS:
        refuse("check", " or ".join(CHECK_LEVELS), check)
    for fault in game.faults(state) or (game.history_faults(state) if check == "strict" else []):
        raise BadPosition(fault)
    states = game.states(1)
    states[:] = np.frombuffer(game.state.pack(state), game.state.dtype)
    return options, states


def _read_options(game: Game, written: Json, given: Mapping[str, object], rules: str) -> np.ndarray:
    """Return the document's options together with those given beside it, which must agree."""
    if not isinstance(written, dict):
        refuse("options", "an object", written)
    options = game.options.array({**written, **given}, rules)
    for option, value in zip(game.options.all, options, strict=True):
        if option.name in written and option.read(written[option.name]) != value:
            refuse(f"options.{option.name}", f"{option.write(int(value))!r}, as given separately", written[option.name])
    return options


def _read_state(game: Game, document: dict[str, Json], options: np.ndarray) -> Any:
    states = game.states(1)
    kernels.start_at(states, 0, options)
    laid = game.state.unpack(states.tobytes())
    hands = document.get("hands", [])
    if isinstance(hands, list) and len(hands) > int(options[0]):
        refuse("hands", f"a list of at most {int(options[0])} hands", hands)
    open_fields = {key: value for key, value in document.items() if key in game.table.fields}
    read = {"table": game.table.read(open_fields, "", laid.table)}
    for name in game.options.index.keys() & open_fields.keys():  # the table has options under their own names
        if getattr(read["table"], name) != getattr(laid.table, name):
            refuse(name, f"{getattr(laid.table, name)}, as in the options", open_fields[name])
    read["hand"] = game.state.fields["hand"].read(hands, "hands", laid.hand)
    if "box" in game.state.fields:
        read["box"] = game.state.fields["box"].read(document.get("box", {}), "box", laid.box)
    return laid._replace(**read)
