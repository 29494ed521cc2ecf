"""Everything that one seat has heard; whispers between others are not included."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from tavola.core import Game, Moment
from tavola.talk import DUE_ACTS, Act, Conversation, Deed, Language, Pattern, Said, Status, language_of

PATIENCE = 2
"""Unanswered requests and offers after which a seat that does not answer is left alone for `PEACE`."""
PEACE = 60
"""Actions after which a seat that does not answer is asked again."""
FADING = 0.5
"""Factor of the weight of broken promises for each promise that was kept after them."""
HEARSAY = 0.5
"""Weight of a warning by another seat, relative to a broken promise that was heard."""
OUTCOMES = (Status.KEPT, Status.BROKEN)


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
        given = [each.status for each in self._promises_of(seat)]
        return given.count(Status.KEPT), given.count(Status.BROKEN)

    def reputation(self, seat: int) -> tuple[float, float]:
        """Return the same counts as they weigh now: a broken promise fades with every one kept after it.

        Warnings of others count if this seat has not heard the broken promise itself.
        """
        kept, broken = 0.0, 0.0
        for _, _, status in sorted([*self._outcomes_of(seat), *self._warnings_about(seat)]):
            if status is Status.KEPT:
                kept, broken = kept + 1.0, broken * FADING
            else:
                broken += 1.0 if status is Status.BROKEN else HEARSAY
        return kept, broken

    def breaches_of(self, seat: int) -> list[Said]:
        """Return the promises to this seat, or to everyone, that a seat has broken since it last kept one."""
        found: list[Said] = []
        by_number = {each.number: each for each in self.said}
        for _, number, status in sorted(self._outcomes_of(seat)):
            if by_number[number].statement.to in (None, self.seat):
                found = [*found, by_number[number]] if status is Status.BROKEN else []
        return found

    def said_since(self, breach: Said) -> list[Said]:
        """Return what was said after a promise was broken."""
        assert breach.judged_at is not None
        return [each for each in self.said if each.moment >= breach.judged_at]

    def owes(self, seat: int) -> bool:
        """True if this seat has broken a promise to another one and kept none to it since."""
        outcomes = [(each.judged_at, each.status) for each in self._promises_of(self.seat) if each.statement.to == seat]
        settled = [(at, status) for at, status in outcomes if at is not None and status in OUTCOMES]
        return bool(settled) and max(settled)[1] is Status.BROKEN

    def _promises_of(self, seat: int) -> Iterator[Said]:
        return (each for each in self.said if each.statement.speaker == seat and each.is_promise)

    def _outcomes_of(self, seat: int) -> Iterator[tuple[Moment, int, Status]]:
        for each in self._promises_of(seat):
            if each.status in OUTCOMES and each.judged_at is not None:
                yield each.judged_at, each.number, each.status

    def _warnings_about(self, seat: int) -> Iterator[tuple[Moment, int, str]]:
        broken = {each.statement.to for each in self._promises_of(seat) if each.status is Status.BROKEN}
        warnings = [each for each in self.said if each.statement.act is Act.WARN and each.statement.about == seat]
        first = {each.statement.speaker: each for each in reversed(warnings)}
        for by, each in first.items():
            if by != self.seat and not broken & {by, None, self.seat}:
                yield each.moment, each.number, str(Act.WARN)

    def favours(self, seat: int) -> int:
        """Return the promises that a seat has kept to this one, less those it broke and those this one kept to it."""
        promises = [each for each in self.said if each.is_promise]
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
        """True if another seat has never spoken to this one and lately ignored `PATIENCE` requests and offers."""
        if any(each.statement.speaker == other and each.statement.to == self.seat for each in self.said):
            return False
        own = [each for each in self.own() if each.statement.to == other]
        asked = [each.moment for each in own if each.statement.act in (Act.REQUEST, Act.OFFER)]
        lately = self.since.actions - PEACE
        return sum(moment < self.since and moment.actions >= lately for moment in asked) >= PATIENCE

    def _is_asked(self, each: Said) -> bool:
        statement = each.statement
        asks = statement.act in (Act.REQUEST, Act.OFFER, Act.ASK) and statement.speaker != self.seat
        to_all = statement.to is None and each.status is Status.ACCEPTED
        return asks and statement.to in (None, self.seat) and (each.status is Status.OPEN or to_all)


def _promise(said: Said, seat: int) -> Promise | None:
    trial, spoken, conditions = said.trial, said.statement, said.others.values()
    if spoken.speaker != seat or trial is None or not said.is_standing or spoken.act not in DUE_ACTS:
        return None
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
