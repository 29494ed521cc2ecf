"""The core: it knows no game. What a game's folder needs is imported from here.

Public and stable are the names of `__all__`, with their signatures and the public attributes of their classes. What
lies in the modules below and is not named here may change with any release.
"""

from tavola.core.actions import Action, Actions, PlayedAction, Verb, labels, numerals, verb
from tavola.core.bitsets import add_member, count_members, has_member, lowest_member, random_member, remove_member
from tavola.core.compilation import compiled
from tavola.core.errors import (
    BadOption,
    BadPosition,
    BadRecord,
    IllegalAction,
    NotYourTurn,
    Refusal,
    UnknownGame,
    UnknownVersion,
)
from tavola.core.fields import Record, choice, each, flag, layout, members, number, one
from tavola.core.game import CHANCE, OPEN, Faults, Game, Heuristics, Labels, Symmetry
from tavola.core.match import Heard, Match, Moment
from tavola.core.matchfile import MatchRecord, read_record
from tavola.core.options import RULES, Option, Options, choice_option, number_option, seat_option, switch_option
from tavola.core.piles import draw_from, legal_draws, pile_size
from tavola.core.plan import Plan, make_plan
from tavola.core.ranking import rank_seats
from tavola.core.rng import random_below, stream
from tavola.core.rulesets import Ruleset
from tavola.core.state_records import clear_record, copy_record
from tavola.core.timing import TimeOut
from tavola.core.view import Result, View

__all__ = [
    "CHANCE",
    "OPEN",
    "RULES",
    "Action",
    "Actions",
    "BadOption",
    "BadPosition",
    "BadRecord",
    "Faults",
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
