"""Statements at the table as data, their texts, and their outcomes.

The package uses a game's declarations (`tavola.show.talk`) and public views; rules, kernels and searches do not depend
on it. `statements` has the grammar, `conversation` the statements of a match, `trial` the judgement of deeds.
"""

from tavola.talk.conversation import Conversation, Said, reveal_at
from tavola.talk.language import Language, language_of
from tavola.talk.patterns import Pattern, Slot
from tavola.talk.record import SpokenLine, read_talk, record_text, replay_talk, talk_lines, with_talk
from tavola.talk.statement_refusals import (
    BadPattern,
    BadStatement,
    NotAskedNow,
    NothingToAnswer,
    NoWhispers,
    SaidAlready,
    TooManyStand,
)
from tavola.talk.statements import (
    DUE_ACTS,
    JUDGED_ACTS,
    PROMISE_ACTS,
    Act,
    Deed,
    Statement,
    StatementTexts,
    Status,
    When,
    parse_line,
    read_statement,
    statement_line,
    statement_texts,
)
from tavola.talk.teller import Teller

__all__ = [
    "DUE_ACTS",
    "JUDGED_ACTS",
    "PROMISE_ACTS",
    "Act",
    "BadPattern",
    "BadStatement",
    "Conversation",
    "Deed",
    "Language",
    "NoWhispers",
    "NotAskedNow",
    "NothingToAnswer",
    "Pattern",
    "Said",
    "SaidAlready",
    "Slot",
    "SpokenLine",
    "Statement",
    "StatementTexts",
    "Status",
    "Teller",
    "TooManyStand",
    "When",
    "language_of",
    "parse_line",
    "read_statement",
    "read_talk",
    "record_text",
    "replay_talk",
    "reveal_at",
    "statement_line",
    "statement_texts",
    "talk_lines",
    "with_talk",
]
