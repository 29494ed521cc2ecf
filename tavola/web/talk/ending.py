"""What the last screen tells of words: the broken one that settled it, who promised most, who kept, and everybody's."""

from collections.abc import Sequence
from typing import NamedTuple

from markupsafe import Markup

from tavola.core import Moment
from tavola.live import Room
from tavola.show.speech import Say
from tavola.talk import JUDGED_ACTS, Conversation, Said, Status, Teller
from tavola.web.table.player_panels import PlayerPanel, with_seals
from tavola.web.talk.tokens import tag_of
from tavola.web.talk.words_given import VERDICTS, word_of

MOST_TOKENS = 10
"""Tokens in a row of the table of trust: of more the last ones."""


class TrustRow(NamedTuple):
    """Somebody's words of a match: tokens in their order, how many he kept, and of how many that came to it."""

    chair: PlayerPanel
    tokens: tuple[Markup, ...]
    kept: int
    due: int


class WordsStory(NamedTuple):
    """What is told of words: the broken one that settled it with its token, sentences, and a row for each who spoke."""

    settling: Markup
    token: Markup
    sentences: tuple[Markup, ...]
    rows: tuple[TrustRow, ...]


def words_story(
    room: Room, chairs: Sequence[PlayerPanel], say: Say, log_say: Say, settled: Moment
) -> WordsStory | None:
    """Return what is told of the words of a match; None where nobody gave any. `settled`: after what settled it."""
    talk = room.state.talk
    words = [said for said in talk.said if said.statement.act in JUDGED_ACTS] if talk is not None else []
    if talk is None or not words:
        return None
    tell = Teller(talk.language, log_say)
    rows = tuple(row for row in (_row(chair, words, talk) for chair in chairs) if row.tokens or row.due)
    # With the last card of a ballot all of it is known.
    broken = next((said for said in words if said.judged_at == settled and said.status is Status.BROKEN), None)
    return WordsStory(
        with_seals(tell.verdict(broken, talk)) if broken else Markup(),
        _token(broken, talk) if broken else Markup(),
        tuple(with_seals(line) for line in _sentences(rows, words, say, log_say)),
        rows,
    )


def _row(chair: PlayerPanel, words: Sequence[Said], talk: Conversation) -> TrustRow:
    own = [said for said in words if said.statement.speaker == chair.number]
    judged = [said for said in own if said.status in VERDICTS]
    tokens = tuple(_token(said, talk) for said in own[-MOST_TOKENS:])
    return TrustRow(chair, tokens, sum(said.status is Status.KEPT for said in judged), len(judged))


def _token(said: Said, talk: Conversation) -> Markup:
    word = word_of(said, talk)
    return tag_of(word, talk.language, str(said.status or "")) if word is not None else Markup()


def _sentences(rows: Sequence[TrustRow], words: Sequence[Said], say: Say, log_say: Say) -> list[str]:
    told = []
    given = {row.chair.number: sum(said.statement.speaker == row.chair.number for said in words) for row in rows}
    most = max(given, key=lambda seat: given[seat])
    told.append(say("{name} promised most: {count} in all.", count=given[most], name=log_say.name(most)))
    keepers = [row for row in rows if row.kept]
    if keepers:
        best = max(keepers, key=lambda row: (row.kept / row.due, row.kept))
        name = log_say.name(best.chair.number)
        told.append(say("{name} kept best: {kept} of {due}.", name=name, kept=best.kept, due=best.due))
    return told
