"""Requirements of a statement: who may say what, to whom and when. Each refuses with what was expected.

They look at what everybody sees and has heard, and at nothing else: that a statement is not refused tells no secret.
"""

from typing import TYPE_CHECKING

from tavola.core import View
from tavola.core.text import mark
from tavola.talk.statement_refusals import BadStatement, NotAskedNow, NothingToAnswer, SaidAlready, TooManyStand
from tavola.talk.statements import Act, Statement, Status, When

if TYPE_CHECKING:
    from tavola.talk.conversation import Conversation, Said

MOST_STANDING = 12
"""Statements of one seat that may stand at a time."""


def require_statement(talk: "Conversation", statement: Statement, view: View) -> None:
    """Refuse a statement that cannot be made now."""
    _require_seats(statement, int(view.table.players))
    if statement.answers is not None:
        _require_answer(talk, statement)
        return
    _require_decision(statement, view)
    standing = talk.standing_of(statement.speaker)
    if any(said.statement == statement for said in standing):
        raise SaidAlready
    if len(standing) >= MOST_STANDING:
        raise TooManyStand(most=MOST_STANDING)


def _require_seats(statement: Statement, players: int) -> None:
    for seat in (statement.to, statement.about):
        if seat is not None and (seat == statement.speaker or not 0 <= seat < players):
            raise BadStatement(mark("one speaks to another seat, and of one: expected 0 to {last}"), last=players - 1)


def _require_decision(statement: Statement, view: View) -> None:
    """The present decision can be spoken of while it is owed."""
    of_hearer = statement.act in (Act.REQUEST, Act.ASK)
    doer = statement.to if of_hearer else statement.speaker
    for deed, seat in ((statement.deed, doer), (statement.condition, statement.to)):
        if deed is not None and deed.when is When.NOW and not _is_owed(view, seat, statement.speaker):
            raise NotAskedNow


def _is_owed(view: View, seat: int | None, speaker: int) -> bool:
    if seat is None:
        return any(owing != speaker for owing in view.to_act if owing < int(view.table.players))
    return seat in view.to_act


def _require_answer(talk: "Conversation", statement: Statement) -> None:
    number = statement.answers or 0
    if not 1 <= number <= len(talk.said):
        raise NothingToAnswer(mark("there is no statement {number}"), number=number)
    asked = talk.said[number - 1]
    if statement.act is Act.WITHDRAW:
        _require_own(asked, statement)
    else:
        _require_meant(talk, asked, statement)


def _require_own(asked: "Said", statement: Statement) -> None:
    """One's own word can be taken back as long as it is open and nothing has been decided."""
    decided = asked.trial is not None and asked.trial.has_acted
    if asked.statement.speaker != statement.speaker or asked.statement.act is Act.ACCEPT:
        raise NothingToAnswer(mark("one withdraws one's own statements: expected the number of another one"))
    if asked.status is not Status.OPEN or decided:
        raise NothingToAnswer(mark("this cannot be taken back any more"))


def _require_meant(talk: "Conversation", asked: "Said", statement: Statement) -> None:
    """Whom it was said to may answer it while it stands; agreed is to requests and offers, of an own open decision."""
    act, speaker = asked.statement.act, statement.speaker
    if asked.statement.speaker == speaker or asked.statement.to not in (None, speaker):
        raise NothingToAnswer(mark("this was not said to you"))  # first: of a whisper a refusal tells no more than that
    wanted = (Act.REQUEST, Act.OFFER) if statement.act is Act.ACCEPT else (Act.REQUEST, Act.OFFER, Act.ASK)
    if act not in wanted:
        raise NothingToAnswer(mark("only {acts} are answered so"), acts=", ".join(wanted))
    to_all = asked.statement.to is None and asked.status is Status.ACCEPTED
    if asked.status is not Status.OPEN and not to_all:
        raise NothingToAnswer(mark("this is settled already"))
    if _has_answered(talk, asked, speaker):
        raise NothingToAnswer(mark("you have answered this already"))
    trial = asked.others.get(speaker)
    if statement.act is Act.ACCEPT and (trial is None or trial.is_over or trial.has_acted):
        raise NothingToAnswer(mark("you have decided already: it is too late to agree"))


def _has_answered(talk: "Conversation", asked: "Said", speaker: int) -> bool:
    """True when a seat has agreed to a statement already, or declined it."""
    answers = (said.statement for said in talk.said[asked.number :])
    return any(answer.answers == asked.number and answer.speaker == speaker for answer in answers)
