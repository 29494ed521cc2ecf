"""Everything that one seat has heard; whispers between others are not included."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from tavola.core import Game, Moment
from tavola.talk import DUE_ACTS, INTENT_ACTS, Act, Conversation, Deed, Language, Pattern, Said, Status, language_of
from tavola.talk.trial import Trial

PATIENCE = 2
"""Unanswered requests and offers after which a seat that has never answered is left alone."""


class Promise(NamedTuple):
    """A promise that is due: its seat, the deed, and the seat whose deed it waits for, None if it is unconditional."""

    seat: int
    pattern: Pattern
    waits_for: int | None
    said: Said


@dataclass(frozen=True)
class Heard:
    """The statements that `seat` has heard, in order.

    `played`: the number of actions so far that everyone could notice; `since`: when the current decision opened.
    `may_whisper`: whether the table allows whispers.
    """

    seat: int
    language: Language
    said: tuple[Said, ...] = ()
    played: int = 0
    since: Moment = field(default_factory=lambda: Moment(0))
    may_whisper: bool = True

    @classmethod
    def of(
        cls,
        game: Game,
        talk: Conversation | None,
        seat: int,
        played: int,
        since: Moment | None = None,
        *,
        may_whisper: bool = True,
    ) -> "Heard":
        """Return what a seat has heard of a conversation, None before the first statement."""
        said = () if talk is None else tuple(each for each in talk.said if each.is_heard_by(seat))
        return cls(seat, language_of(game), said, played, Moment(played) if since is None else since, may_whisper)

    def record(self, seat: int) -> tuple[int, int]:
        """Return how many promises a seat has kept and broken, as far as this seat knows."""
        given = [each.status for each in self.said if each.statement.speaker == seat and _is_promise(each)]
        return given.count(Status.KEPT), given.count(Status.BROKEN)

    def favours(self, seat: int) -> int:
        """Return the promises that a seat has kept to this one, less those it broke and those this one kept to it."""
        promises = [each for each in self.said if _is_promise(each)]
        his, own = (
            [each.status for each in promises if (each.statement.speaker, each.statement.to) == pair]
            for pair in ((seat, self.seat), (self.seat, seat))
        )
        return his.count(Status.KEPT) - his.count(Status.BROKEN) - own.count(Status.KEPT)

    def promises_due(self, seat: int) -> list[Promise]:
        """Return the promises of a seat that bind its current decision."""
        return [promise for said in self.said if (promise := _promise(said, seat)) is not None]

    def unanswered(self) -> list[Said]:
        """Return what this seat, or everyone, was asked and it has not answered."""
        answered = {each.statement.answers for each in self.said if each.statement.speaker == self.seat}
        return [each for each in self.said if each.number not in answered and self._is_asked(each)]

    def own(self) -> list[Said]:
        """Return what this seat has said."""
        return [each for each in self.said if each.statement.speaker == self.seat]

    def said_now(self) -> Iterator[Said]:
        """Yield what this seat has said since the current decision opened."""
        return (each for each in self.own() if each.moment >= self.since)

    def ignores(self, other: int) -> bool:
        """True if another seat has never answered, and ignored at least `PATIENCE` requests and offers."""
        own = {each.number: each for each in self.own() if each.statement.to == other}
        if any(each.statement.speaker == other and each.statement.answers in own for each in self.said):
            return False
        asked = [each for each in own.values() if each.statement.act in (Act.REQUEST, Act.OFFER)]
        return sum(each.moment < self.since for each in asked) >= PATIENCE

    def _is_asked(self, each: Said) -> bool:
        statement = each.statement
        asks = statement.act in (Act.REQUEST, Act.OFFER, Act.ASK) and statement.speaker != self.seat
        to_all = statement.to is None and each.status is Status.ACCEPTED
        return asks and statement.to in (None, self.seat) and (each.status is Status.OPEN or to_all)


def _is_promise(said: Said) -> bool:
    return said.statement.act in INTENT_ACTS and said.statement.fact is None


def _promise(said: Said, seat: int) -> Promise | None:
    trial = said.trial
    act = said.statement.act
    if said.statement.speaker != seat or trial is None or not said.is_standing or act not in DUE_ACTS:
        return None
    conditions: list[Trial] = list(said.others.values())
    if not trial.is_due or any(each.is_over and not each.outcome for each in conditions):
        return None
    if said.status is Status.OPEN and not all(each.is_over for each in conditions):
        return None  # an open offer or threat does not bind yet
    waits_for = next((each.seat for each in conditions if not each.is_over), None)
    return Promise(seat, trial.deed.pattern, waits_for, said)


def asked_deed(said: Said) -> Deed | None:
    """Return the deed that a request or an offer asks of its hearer."""
    statement = said.statement
    return statement.condition if statement.act is Act.OFFER else statement.deed
