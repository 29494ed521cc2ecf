"""Talk: statements at the table as data, how people read them, and what became of them.

It knows what a game declares of talk (`tavola.show.talk`) and looks at public views; rules, kernels and bots' searches
know nothing of it. `statements` has the grammar, `conversation` what was said in a match, `trial` how a deed is judged.
"""

from tavola.talk.conversation import Conversation, Said
from tavola.talk.language import Language, language_of
from tavola.talk.patterns import Pattern, Slot
from tavola.talk.record import SpokenLine, read_talk, record_text, replay_talk, talk_lines, with_talk
from tavola.talk.reveal import Reveal, reveal_at
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
    INTENT_ACTS,
    JUDGED_ACTS,
    WORD_ACTS,
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
    "INTENT_ACTS",
    "JUDGED_ACTS",
    "WORD_ACTS",
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
    "Reveal",
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
