"""Words given, at the seats of who gave them: a token for each that stands, and what the last ones came to.

What was whispered lies only before the two who know of it; the counts of kept and broken words are of what all heard.
"""

from collections.abc import Container, Iterator, Mapping
from dataclasses import replace

from markupsafe import Markup

from tavola.core import Moment
from tavola.live import Room
from tavola.show.speech import Say, mark
from tavola.show.svg import tag
from tavola.talk import JUDGED_ACTS, Act, Conversation, Language, Said, Statement, Status, Teller
from tavola.talk.trial import Trial
from tavola.web.door.visitor import site_say
from tavola.web.render import render_fragment
from tavola.web.talk.composing import owed_kinds
from tavola.web.talk.tokens import tag_of

MOST_TAGS = 2
"""Tokens that lie at a seat; of more their number is told."""
VERDICTS = (Status.KEPT, Status.BROKEN)
STATE_WORDS: Mapping[str, str] = {
    "": mark("Stands: {sentence}"),
    "due": mark("Due now: {sentence}"),
    Status.KEPT: mark("Kept: {sentence}"),
    Status.BROKEN: mark("Broken: {sentence}"),
    Status.VOID: mark("Came to nothing: {sentence}"),
}


def word_of(said: Said, talk: Conversation) -> Statement | None:
    """Return the word that somebody gave with a statement, as a statement of his own; None where he gave none."""
    spoken = said.statement
    if spoken.act not in JUDGED_ACTS:
        return None
    if spoken.answers is None:
        return spoken
    asked = talk.said[spoken.answers - 1].statement
    return replace(spoken, act=Act.PROMISE, deed=asked.condition or asked.deed, answers=None)


def words_at_seats(
    room: Room, say: Say, viewer: int | None, *, until: Moment | None = None, untold: Container[int] = ()
) -> dict[int, Markup]:
    """Return what lies at each seat that has given its word, as a seat (None: everybody) sees it.

    `until`: with no more judged than was known at that moment of the match, and nothing of the numbers `untold`.
    """
    talk = room.state.talk
    if talk is None:
        return {}
    at_seats: dict[int, list[Markup]] = {}
    for said, state in _shown(room, talk, viewer, until, untold):
        at_seats.setdefault(said.statement.speaker, []).append(_tag(said, talk, say, state))
    seats = {*at_seats, *(said.statement.speaker for said in talk.said)}
    found = {seat: _markup(at_seats.get(seat, []), counts_of(talk, seat, until, untold), say) for seat in seats}
    return {seat: markup for seat, markup in found.items() if markup}


def counts_of(
    talk: Conversation, seat: int, until: Moment | None = None, untold: Container[int] = ()
) -> tuple[int, int]:
    """Return how many words that all heard a seat has kept, and how many it has broken."""
    public = [said for said in talk.said if said.statement.speaker == seat and said.is_heard_by(None)]
    judged = [said for said in public if said.statement.act in JUDGED_ACTS and _status(said, until, untold) in VERDICTS]
    kept = sum(said.status is Status.KEPT for said in judged)
    return kept, len(judged) - kept


def _status(said: Said, until: Moment | None, untold: Container[int]) -> Status | None:
    if said.number in untold:
        return Status.OPEN
    late = until is not None and said.judged_at is not None and said.judged_at > until
    return Status.OPEN if late else said.status


def _shown(
    room: Room, talk: Conversation, viewer: int | None, until: Moment | None, untold: Container[int]
) -> Iterator[tuple[Said, str]]:
    """Yield the words that lie at the seats, with their state: those that stand, and what was judged last."""
    heard = [said for said in talk.said if said.is_heard_by(viewer) and word_of(said, talk) is not None]
    judged = [said for said in heard if _status(said, until, untold) in (*VERDICTS, Status.VOID)]
    last = max((said.judged_at for said in judged if said.judged_at is not None), default=None)
    for said in heard:
        status = _status(said, until, untold)
        if status in (Status.OPEN, Status.ACCEPTED):
            due = said.number in untold or _is_due(room, talk.language, said.trial)
            yield said, "due" if due else ""
        elif said in judged and said.judged_at == last:
            yield said, str(status)


def _is_due(room: Room, language: Language, trial: Trial | None) -> bool:
    """True when the decision that a word is about is open, or lies face down still."""
    if trial is None or trial.is_over or trial.is_passing:
        return False
    return trial.has_acted or trial.kind in owed_kinds(room, language, [trial.seat])


def _tag(said: Said, talk: Conversation, say: Say, state: str) -> Markup:
    word, tell = word_of(said, talk), Teller(talk.language, say)
    assert word is not None
    told = site_say(say.language)(STATE_WORDS[state], sentence=tell.statement(said, talk))
    return ringed(word, talk.language, state, told)


def ringed(word: Statement, language: Language, state: str = "", title: str = "") -> Markup:
    """Return the token of a word, of one that waits for another's deed two on one ring; empty of thanks and a no."""
    drawn = tag_of(word, language, state, title)
    if word.condition is None or word.to is None:
        return drawn
    wanted = replace(word, speaker=word.to, to=None, deed=word.condition, condition=None)
    return tag("span", drawn, tag_of(wanted, language, state), class_="ringed")


def _markup(tags: list[Markup], counts: tuple[int, int], say: Say) -> Markup:
    if not tags and not any(counts):
        return Markup()
    values = {"tags": tags[-MOST_TAGS:], "more": max(0, len(tags) - MOST_TAGS), "kept": counts[0], "broken": counts[1]}
    return render_fragment("words_given.html", say=site_say(say.language), **values)
