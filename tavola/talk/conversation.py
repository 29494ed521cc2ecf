"""A conversation: what was said in one match, and what became of it.

    talk = Conversation(language_of(game))
    talk.require(statement, match.view())        refuses what cannot be said now
    talk.say(statement, match)
    talk.see(before, match)                      after every action; `before`: the public view before it
    talk.finish(match)                           at the end, when all hands are open

A statement about deeds is judged by what everybody has seen of the match, so no judgement can tell a secret. One about
facts is judged at the end, by the hand of the seat in question when it was said.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from tavola.core import Match, Moment, View
from tavola.core.text import mark
from tavola.talk.language import Language
from tavola.talk.statement_refusals import BadStatement, NotAskedNow, NothingToAnswer, SaidAlready, TooManyStand
from tavola.talk.statements import Act, Deed, Statement, Status, When
from tavola.talk.trial import Step, Trial


@dataclass
class Said:
    """A statement in its place. `number` counts from 1, `moment` when it was made.

    `status` is None where nothing can become of it: thanks, an answer of no. `judged_at`: the moment at which it was
    settled. `trial`: of whose word it is; `others`: of the deeds it waits for, by seat.
    """

    number: int
    moment: Moment
    statement: Statement
    status: Status | None
    judged_at: Moment | None = None
    trial: Trial | None = field(default=None, compare=False, repr=False)
    others: dict[int, Trial] = field(default_factory=dict, compare=False, repr=False)

    @property
    def is_standing(self) -> bool:
        """True when something can still become of it."""
        return self.status in (Status.OPEN, Status.ACCEPTED) and not self.is_answered

    @property
    def is_answered(self) -> bool:
        """True when it wanted an answer, has it, and nothing more can become of it."""
        return self.status is Status.ACCEPTED and self.statement.act in (Act.REQUEST, Act.ASK)

    def is_heard_by(self, seat: int | None) -> bool:
        """True when a seat, or a spectator, knows what was said, and not only that something was."""
        statement = self.statement
        return not statement.is_whispered or (seat is not None and seat in (statement.speaker, statement.to))


@dataclass
class Conversation:
    """All statements of one match, in their order."""

    language: Language = field(compare=False)
    said: list[Said] = field(default_factory=list)
    _watched: list[Said] = field(default_factory=list, init=False, compare=False, repr=False)

    @property
    def is_watching(self) -> bool:
        """True when the next action may settle something."""
        return bool(self._watched)

    def standing_of(self, seat: int) -> list[Said]:
        """Return what a seat has said that is not settled."""
        return [said for said in self.said if said.statement.speaker == seat and said.is_standing]

    def require(self, statement: Statement, view: View) -> None:
        """Refuse a statement that cannot be made now: `BadStatement` says what was expected. `view` is public."""
        require_statement(self, statement, view)

    def say(self, statement: Statement, match: Match) -> Said:
        """Take a statement, which `require` has not refused, made at the present moment of a match."""
        said = Said(len(self.said) + 1, match.moment, self._addressed(statement), _first_status(statement))
        self.said.append(said)
        self._begin_trials(said, match)
        self._answer(said)
        if said.trial is not None or said.others:
            self._watched.append(said)
        return said

    def see(self, before: View, match: Match) -> list[Said]:
        """Show the last action to every listener, who saw the view `before` it; return what it settled.

        A step that no one else can notice settles nothing: a settled statement would reveal it.
        """
        if not self._watched or not _is_noticed(match):
            return []
        step, moment = Step.of(self.language, before, match), match.moment
        for trial in self._trials():
            trial.see(step)
        settled = [said for said in self._watched if said.is_standing and _settle(said, moment)]
        self._watched = [said for said in self._watched if said.is_standing or _is_pending(said)]
        return settled

    def finish(self, match: Match) -> list[Said]:
        """The match is over: judge what was said of secrets; nothing stays open. Return what it settled."""
        settled = [said for said in self.said if said.is_standing]
        for said in settled:
            said.status, said.judged_at = self._judge_fact(said, match), match.moment
        self._watched.clear()
        return settled

    def _trials(self) -> Iterator[Trial]:
        """Yield every trial once: what is accepted shares its trial with what it answers."""
        seen: set[int] = set()
        for said in self._watched:
            for trial in (said.trial, *said.others.values()):
                if trial is not None and id(trial) not in seen:
                    seen.add(id(trial))
                    yield trial

    def _addressed(self, statement: Statement) -> Statement:
        """An answer is as loud as what it answers, and goes to who said that."""
        if statement.answers is None:
            return statement
        asked = self.said[statement.answers - 1].statement
        hearer = asked.to if statement.act is Act.WITHDRAW or asked.to is None else asked.speaker
        return replace(statement, to=hearer, aloud=asked.aloud)

    def _begin_trials(self, said: Said, match: Match) -> None:
        statement, language = said.statement, self.language
        if statement.act in (Act.REQUEST, Act.ASK):
            said.others = {seat: Trial(language, seat, deed, match) for seat, deed in _asked_of(statement, match)}
        elif statement.deed is not None:
            said.trial = Trial(language, statement.speaker, statement.deed, match)
            if statement.condition is not None and statement.to is not None:
                said.others = {statement.to: Trial(language, statement.to, statement.condition, match)}

    def _answer(self, said: Said) -> None:
        statement, act = said.statement, said.statement.act
        if statement.answers is None:
            self._answer_questions(said)
            return
        asked = self.said[statement.answers - 1]
        if act is Act.WITHDRAW:
            asked.status, asked.judged_at = Status.WITHDRAWN, said.moment
        elif act is Act.DECLINE and asked.statement.to is not None:
            asked.status, asked.judged_at = Status.DECLINED, said.moment
        elif act is Act.ACCEPT:
            asked.status = Status.ACCEPTED
            said.trial = asked.others[statement.speaker]

    def _answer_questions(self, said: Said) -> None:
        """Let a promise or a claim answer whoever asked for it.

        Only where all who heard the question hear the answer: what becomes of a question must not tell of a whisper.
        """
        statement = said.statement
        if statement.act not in (Act.PROMISE, Act.CLAIM):
            return
        for asked in self.said[:-1]:
            question = asked.statement
            is_open = question.act is Act.ASK and asked.status is Status.OPEN
            if is_open and _is_about(question, statement) and _is_as_loud(statement, question):
                asked.status, asked.judged_at = Status.ACCEPTED, said.moment

    def _judge_fact(self, said: Said, match: Match) -> Status:
        statement = said.statement
        if statement.fact is None or statement.act is Act.ASK:
            return Status.VOID
        seat = statement.speaker if statement.about is None else statement.about
        seen: View = View(match.game, match.states_at(said.moment.actions), seat)
        fits = statement.fact.fits(self.language.talk.true_facts(seen))
        return Status.VOID if fits is None else Status.KEPT if fits else Status.BROKEN


def _is_noticed(match: Match) -> bool:
    """Return whether others notice that the last action happened, even if not what it was."""
    return match.last_action() is not None or bool(match.heard(None, len(match.history) - 1))


def _asked_of(statement: Statement, match: Match) -> Iterator[tuple[int, Deed]]:
    """Yield the seats of whom a deed is asked; of all, those who decide now where it is about that."""
    deed = statement.deed
    if deed is not None:
        for seat in range(match.players) if statement.to is None else (statement.to,):
            if seat != statement.speaker and (deed.when is not When.NOW or seat in match.to_act):
                yield seat, deed


def _first_status(statement: Statement) -> Status | None:
    return None if statement.act in (Act.DECLINE, Act.WITHDRAW, Act.THANK) else Status.OPEN


def _is_about(question: Statement, answer: Statement) -> bool:
    """True when a promise or a claim is about what was asked, and made by somebody who was."""
    meant = question.speaker != answer.speaker and question.to in (None, answer.speaker)
    return meant and question.verb == answer.verb


def _is_as_loud(answer: Statement, question: Statement) -> bool:
    """True when everyone who heard a question hears its answer."""
    return not answer.is_whispered or (question.is_whispered and answer.to == question.speaker)


def _is_pending(said: Said) -> bool:
    """True when somebody may still agree to a request that another has agreed to."""
    return said.status is Status.ACCEPTED and any(not trial.is_over for trial in said.others.values())


def _settle(said: Said, moment: Moment) -> bool:
    status = _status_by_trials(said)
    if status is None:
        return False
    said.status, said.judged_at = status, moment
    return True


def _status_by_trials(said: Said) -> Status | None:
    if said.trial is None:  # a request, or a question: nobody has agreed before it was over
        return Status.VOID if said.others and all(trial.is_over for trial in said.others.values()) else None
    for condition in said.others.values():
        if not condition.is_over:
            return None
        if not condition.outcome:
            return Status.VOID
    if not said.trial.is_over:
        return None
    outcome = said.trial.outcome
    return Status.VOID if outcome is None else Status.KEPT if outcome else Status.BROKEN


# Who may say what, to whom and when. These look at what everybody sees and has heard, and at nothing else: that a
# statement is not refused tells no secret.


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
    answers = (said.statement for said in talk.said[asked.number :])
    return any(answer.answers == asked.number and answer.speaker == speaker for answer in answers)
