"""Positions as documents: any state, read and written with named values.

    {"game": "lifeboats", "version": 1, "options": {"players": "4"},
     "phase": "leak ballot", "boats": {"green": {"lane": 3, "leaks": 1}}, "hands": [...], "box": {...}}

The fields of the table are top-level keys. A field that is left out has its value at the start of a match.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from tavola.core import kernels
from tavola.core.errors import BadPosition
from tavola.core.fields import Json, as_integer, check_keys, refuse
from tavola.core.game import CHECK_LEVELS, Game

HEADER = ("game", "version", "options")


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
