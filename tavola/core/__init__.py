"""The core: matches, views, actions, options and records, for every game. Code of a game imports from here.

Public and stable are the names of `__all__`, with their signatures and the public attributes of their classes.
Everything else in the modules below may change with any release.
"""

from tavola.core.actions import Action, Actions, PlayedAction, Verb, labels, numerals, verb
from tavola.core.compilation import compiled
from tavola.core.counting import (
    add_member,
    count_members,
    draw_from,
    has_member,
    legal_draws,
    lowest_member,
    pile_size,
    random_member,
    rank_seats,
    remove_member,
)
from tavola.core.encoding import BadArray, Encoder
from tavola.core.errors import (
    BadOption,
    BadPosition,
    BadRecord,
    ForeignFile,
    IllegalAction,
    NotYourTurn,
    Refusal,
    UnknownGame,
    UnknownVersion,
)
from tavola.core.fields import Record, choice, each, flag, layout, members, number, one
from tavola.core.game import CHANCE, OPEN, Faults, Game, Heuristics, Labels, Symmetry, TimeOut
from tavola.core.intrinsics import clear_record, copy_record, local_array
from tavola.core.match import Heard, Match, MatchRecord, Moment, read_record
from tavola.core.options import RULES, Option, Options, choice_option, number_option, seat_option, switch_option
from tavola.core.plan import Plan, make_plan
from tavola.core.rng import random_below, stream
from tavola.core.rulesets import Ruleset
from tavola.core.view import Result, View

__all__ = [
    "CHANCE",
    "OPEN",
    "RULES",
    "Action",
    "Actions",
    "BadArray",
    "BadOption",
    "BadPosition",
    "BadRecord",
    "Encoder",
    "Faults",
    "ForeignFile",
    "Game",
    "Heard",
    "Heuristics",
    "IllegalAction",
    "Labels",
    "Match",
    "MatchRecord",
    "Moment",
    "NotYourTurn",
    "Option",
    "Options",
    "Plan",
    "PlayedAction",
    "Record",
    "Refusal",
    "Result",
    "Ruleset",
    "Symmetry",
    "TimeOut",
    "UnknownGame",
    "UnknownVersion",
    "Verb",
    "View",
    "add_member",
    "choice",
    "choice_option",
    "clear_record",
    "compiled",
    "copy_record",
    "count_members",
    "draw_from",
    "each",
    "flag",
    "has_member",
    "labels",
    "layout",
    "legal_draws",
    "local_array",
    "lowest_member",
    "make_plan",
    "members",
    "number",
    "number_option",
    "numerals",
    "one",
    "pile_size",
    "random_below",
    "random_member",
    "rank_seats",
    "read_record",
    "remove_member",
    "seat_option",
    "stream",
    "switch_option",
    "verb",
]
