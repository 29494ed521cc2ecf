"""A conversation: the statements of one match and their outcomes.

    talk = Conversation(language_of(game))
    talk.require(statement, match.view())        raises if it cannot be said now
    talk.say(statement, match)
    talk.see(before, match)                      after every action; `before`: the public view before it
    talk.finish(match)                           at the end, when all hands are open

Statements about deeds are judged by public information, so their outcome reveals no secret. Those about facts are
judged at the end, by the seat's hand at the time of the statement.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from tavola.core import Match, Moment, View
from tavola.core.text import mark
from tavola.show.board import PACES
from tavola.talk.language import Language
from tavola.talk.statement_refusals import (
    BadStatement,
    NoBreach,
    NotAskedNow,
    NothingToAnswer,
    SaidAlready,
    TooManyStand,
)
from tavola.talk.statements import INTENT_ACTS, Act, Deed, Statement, Status, When
from tavola.talk.trial import Step, Trial

MOST_STANDING = 12
"""Maximum open statements per seat."""
OUTCOMES: dict[bool | None, Status] = {True: Status.KEPT, False: Status.BROKEN, None: Status.VOID}
"""The final status of a statement by what became of its deed or fact, None if that was not observed."""


@dataclass
class Said:
    """A statement of a conversation. `number` counts from 1, `moment` is when it was made.

    `status` is None if it has no outcome, such as thanks or a refusal. `judged_at`: the moment at which it was settled.
    `trial`: of the speaker's deed; `others`: by seat, of the deeds it depends on.
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
        """True if it is not settled yet; an answer settles a request or a question."""
        is_answered = self.status is Status.ACCEPTED and self.statement.act in (Act.REQUEST, Act.ASK)
        return self.status in (Status.OPEN, Status.ACCEPTED) and not is_answered

    @property
    def is_promise(self) -> bool:
        """True if it is about a deed of the speaker's own that can be kept or broken."""
        return self.statement.act in INTENT_ACTS and self.statement.fact is None

    def is_heard_by(self, seat: int | None) -> bool:
        """True if a seat, or a spectator, knows the content, not only that something was said."""
        statement = self.statement
        return not statement.is_whispered or (seat is not None and seat in (statement.speaker, statement.to))


@dataclass
class Conversation:
    """All statements of one match, in order."""

    language: Language = field(compare=False)
    said: list[Said] = field(default_factory=list)
    _watched: list[Said] = field(default_factory=list, init=False, compare=False, repr=False)

    @property
    def is_watching(self) -> bool:
        """True if the next action may settle a statement."""
        return bool(self._watched)

    def standing_of(self, seat: int) -> list[Said]:
        """Return the statements of a seat that are not settled."""
        return [said for said in self.said if said.statement.speaker == seat and said.is_standing]

    def require(self, statement: Statement, view: View) -> None:
        """Raise `BadStatement` if a statement cannot be made now. `view` is public."""
        _require_seats(statement, int(view.table.players))
        if statement.answers is not None:
            _require_answer(self, statement)
            return
        _require_decision(statement, view)
        if statement.act is Act.WARN and not self._has_heard_breach(statement.speaker, statement.about):
            raise NoBreach
        standing = self.standing_of(statement.speaker)
        if any(said.statement == statement for said in standing):
            raise SaidAlready
        if len(standing) >= MOST_STANDING:
            raise TooManyStand(most=MOST_STANDING)

    def say(self, statement: Statement, match: Match) -> Said:
        """Record a statement accepted by `require`, made at the current moment of a match."""
        status = None if statement.act in (Act.DECLINE, Act.WITHDRAW, Act.THANK, Act.WARN) else Status.OPEN
        said = Said(len(self.said) + 1, match.moment, self._addressed(statement), status)
        self.said.append(said)
        self._begin_trials(said, match)
        self._answer(said)
        if said.trial is not None or said.others:
            self._watched.append(said)
        return said

    def see(self, before: View, match: Match) -> list[Said]:
        """Judge statements by the last action, given the view `before` it; return those that it settled.

        A step that no one else can notice settles nothing: a settled statement would reveal it.
        """
        if not self._watched or (match.last_action() is None and not match.heard(None, len(match.history) - 1)):
            return []
        step, moment = Step.of(self.language, before, match), match.moment
        trials = [trial for said in self._watched for trial in (said.trial, *said.others.values()) if trial is not None]
        for trial in dict.fromkeys(trials):  # an acceptance shares its trial with the request or offer
            trial.see(step)
        settled = [said for said in self._watched if said.is_standing and _settle(said, moment)]
        self._watched = [said for said in self._watched if said.is_standing or _is_pending(said)]
        return settled

    def finish(self, match: Match) -> list[Said]:
        """Judge statements about secrets at the end of the match; return those settled now. None remains open."""
        settled = [said for said in self.said if said.is_standing]
        for said in settled:
            said.status, said.judged_at = self._judge_fact(said, match), match.moment
        self._watched.clear()
        return settled

    def _has_heard_breach(self, hearer: int, seat: int | None) -> bool:
        promises = (said for said in self.said if said.statement.speaker == seat and said.is_promise)
        return any(said.status is Status.BROKEN and said.is_heard_by(hearer) for said in promises)

    def _addressed(self, statement: Statement) -> Statement:
        """Address an answer to the speaker that it answers, aloud if that was aloud."""
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
        """Let a promise or a claim answer a question.

        Only if everyone who heard the question hears the answer: a question's status must not reveal a whisper.
        """
        statement = said.statement
        if statement.act not in (Act.PROMISE, Act.CLAIM):
            return
        for asked in self.said[:-1]:
            question = asked.statement
            is_open = question.act is Act.ASK and asked.status is Status.OPEN
            is_meant = question.speaker != statement.speaker and question.to in (None, statement.speaker)
            is_as_loud = not statement.is_whispered or (question.is_whispered and statement.to == question.speaker)
            if is_open and is_meant and question.verb == statement.verb and is_as_loud:
                asked.status, asked.judged_at = Status.ACCEPTED, said.moment

    def _judge_fact(self, said: Said, match: Match) -> Status:
        statement = said.statement
        if statement.fact is None or statement.act is Act.ASK:
            return Status.VOID
        seat = statement.speaker if statement.about is None else statement.about
        seen: View = View(match.game, match.states_at(said.moment.actions), seat)
        return OUTCOMES[statement.fact.fits(self.language.talk.true_facts(seen))]


def _asked_of(statement: Statement, match: Match) -> Iterator[tuple[int, Deed]]:
    """Yield the seats that are asked for a deed; if everyone is, those that decide now if it is about that."""
    if (deed := statement.deed) is not None:
        for seat in range(match.players) if statement.to is None else (statement.to,):
            if seat != statement.speaker and (deed.when is not When.NOW or seat in match.to_act):
                yield seat, deed


def _is_pending(said: Said) -> bool:
    """True if another seat may still agree to a request that was accepted."""
    return said.status is Status.ACCEPTED and any(not trial.is_over for trial in said.others.values())


def _settle(said: Said, moment: Moment) -> bool:
    if (status := _status_by_trials(said)) is None:
        return False
    said.status, said.judged_at = status, moment
    return True


def _status_by_trials(said: Said) -> Status | None:
    if said.trial is None:  # a request or a question: no one agreed in time
        return Status.VOID if said.others and all(trial.is_over for trial in said.others.values()) else None
    for condition in said.others.values():
        if not condition.is_over:
            return None
        if not condition.outcome:
            return Status.VOID
    return OUTCOMES[said.trial.outcome] if said.trial.is_over else None


# Rules of who may say what, to whom and when. They depend only on what everyone sees and has heard, so that a statement
# accepted here reveals no secret.


def _require_seats(statement: Statement, players: int) -> None:
    for seat in (statement.to, statement.about):
        if seat is not None and (seat == statement.speaker or not 0 <= seat < players):
            raise BadStatement(mark("choose another seat to speak to or about, 0 to {last}"), last=players - 1)


def _require_decision(statement: Statement, view: View) -> None:
    doer = statement.to if statement.act in (Act.REQUEST, Act.ASK) else statement.speaker
    for deed, seat in ((statement.deed, doer), (statement.condition, statement.to)):
        if deed is not None and deed.when is When.NOW and not _is_owed(view, seat, statement.speaker):
            raise NotAskedNow


def _is_owed(view: View, seat: int | None, speaker: int) -> bool:
    if seat is None:
        return any(owing != speaker for owing in view.to_act if owing < int(view.table.players))
    return seat in view.to_act


def _require_answer(talk: Conversation, statement: Statement) -> None:
    number = statement.answers or 0
    if not 1 <= number <= len(talk.said):
        raise NothingToAnswer(mark("there’s no statement {number}"), number=number)
    asked = talk.said[number - 1]
    if statement.act is Act.WITHDRAW:
        _require_own(asked, statement)
    else:
        _require_meant(talk, asked, statement)


def _require_own(asked: Said, statement: Statement) -> None:
    """A seat can withdraw its statement while it is open and the deed is undecided."""
    decided = asked.trial is not None and asked.trial.has_acted
    if asked.statement.speaker != statement.speaker or asked.statement.act is Act.ACCEPT:
        raise NothingToAnswer(mark("you can only take back your own statements: choose another number"))
    if asked.status is not Status.OPEN or decided:
        raise NothingToAnswer(mark("it’s too late to take this back"))


def _require_meant(talk: Conversation, asked: Said, statement: Statement) -> None:
    """Only the addressed seat may answer; only requests and offers can be accepted, before one's own decision."""
    act, speaker = asked.statement.act, statement.speaker
    if asked.statement.speaker == speaker or asked.statement.to not in (None, speaker):
        raise NothingToAnswer(mark("this wasn’t said to you"))  # first: a refusal must reveal nothing of a whisper
    wanted = (Act.REQUEST, Act.OFFER) if statement.act is Act.ACCEPT else (Act.REQUEST, Act.OFFER, Act.ASK)
    if act not in wanted:
        raise NothingToAnswer(mark("only these can be answered that way: {acts}"), acts=", ".join(wanted))
    to_all = asked.statement.to is None and asked.status is Status.ACCEPTED
    if asked.status is not Status.OPEN and not to_all:
        raise NothingToAnswer(mark("this is already settled"))
    answers = (said.statement for said in talk.said[asked.number :])
    if any(answer.answers == asked.number and answer.speaker == speaker for answer in answers):
        raise NothingToAnswer(mark("you’ve already answered this"))
    trial = asked.others.get(speaker)
    if statement.act is Act.ACCEPT and (trial is None or trial.is_over or trial.has_acted):
        raise NothingToAnswer(mark("you’ve already decided: it’s too late to agree"))


# The reveal of promises after cards are turned: seals for those kept, then cracks for broken ones. Its duration is
# known to all sides; it is 0 if no public promise was settled.

SEALS, CRACK = 700, 1400
"""Milliseconds that the seals and the first crack are shown at a calm pace."""
SEAL, NEXT_SEAL, NEXT_CRACK = 260, 120, 350
"""Milliseconds of one seal, and intervals between several seals or cracks."""


class Reveal(NamedTuple):
    """The public promises settled at one moment: kept ones, then broken ones."""

    kept: tuple[Said, ...]
    broken: tuple[Said, ...]

    def milliseconds(self, pace: str) -> tuple[int, int]:
        """Return the milliseconds of the seals and of the cracks."""
        seals = max(SEALS, SEAL + NEXT_SEAL * (len(self.kept) - 1)) if self.kept else 0
        cracks = CRACK + NEXT_CRACK * (len(self.broken) - 1) if self.broken else 0
        return round(seals * PACES[pace]), round(cracks * PACES[pace])


def reveal_at(talk: Conversation | None, moment: Moment) -> Reveal:
    """Return the public promises settled by the action that led to a moment; whispered ones are left out."""
    judged = [said for said in talk.said if said.judged_at == moment] if talk is not None else []
    public = [said for said in judged if said.trial is not None and said.is_heard_by(None)]
    kept, broken = (tuple(said for said in public if said.status is status) for status in (Status.KEPT, Status.BROKEN))
    return Reveal(kept, broken)
