"""The core: it knows no game. What a game's folder needs is imported from here."""

from tavola.core.actions import Action, Actions, Played, Verb, numbers, verb
from tavola.core.clocks import TimeOut
from tavola.core.compiled import compiled
from tavola.core.draws import below, stream
from tavola.core.errors import (
    BadOption,
    BadPosition,
    BadRecord,
    IllegalAction,
    NotYourTurn,
    Refusal,
    UnknownGame,
)
from tavola.core.fields import Record, choice, each, flag, layout, members, number, one
from tavola.core.game import CHANCE, OPEN, Game
from tavola.core.masks import any_member, bits, lowest
from tavola.core.match import Match
from tavola.core.matchfile import MatchRecord, read_record
from tavola.core.options import RULES, Option, Options, counted, named, seated, switch
from tavola.core.piles import draw, legal_draws, total
from tavola.core.places import ranked
from tavola.core.plan import Plan, plan
from tavola.core.sets import holds, put_in, take_out
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
    "Game",
    "IllegalAction",
    "Match",
    "MatchRecord",
    "NotYourTurn",
    "Option",
    "Options",
    "Plan",
    "Played",
    "Record",
    "Refusal",
    "Result",
    "TimeOut",
    "UnknownGame",
    "Verb",
    "View",
    "any_member",
    "below",
    "bits",
    "choice",
    "compiled",
    "counted",
    "draw",
    "each",
    "flag",
    "holds",
    "layout",
    "legal_draws",
    "lowest",
    "members",
    "named",
    "number",
    "numbers",
    "one",
    "plan",
    "put_in",
    "ranked",
    "read_record",
    "seated",
    "stream",
    "switch",
    "take_out",
    "total",
    "verb",
]
