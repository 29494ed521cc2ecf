"""What one seat has heard: statements that others whispered to each other are not there at all."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from tavola.core import Game, Moment
from tavola.talk import DUE_ACTS, INTENT_ACTS, Act, Conversation, Deed, Language, Pattern, Said, Status, language_of
from tavola.talk.trial import Trial


class Word(NamedTuple):
    """A word that is due: whose, what is to be done, and whose deed it waits for, None where it waits for none."""

    seat: int
    pattern: Pattern
    waits_for: int | None
    said: Said


@dataclass(frozen=True)
class Heard:
    """The statements that `seat` has heard, in their order. `played`: the actions that all could notice when it
    listens; `since`: when the present decision opened. `may_whisper`: whether the table allows it.
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
        """Return what a seat has heard of a conversation, None where nobody has spoken."""
        said = () if talk is None else tuple(each for each in talk.said if each.is_heard_by(seat))
        return cls(seat, language_of(game), said, played, Moment(played) if since is None else since, may_whisper)

    def record(self, seat: int) -> tuple[int, int]:
        """Return how many of its words a seat has kept, and how many it has broken, as far as this one knows."""
        given = [each.status for each in self.said if each.statement.speaker == seat and _is_word(each)]
        return given.count(Status.KEPT), given.count(Status.BROKEN)

    def favours(self, seat: int) -> int:
        """Return how many more words a seat has kept to this one than this one to it; broken ones count against it."""
        words = [each for each in self.said if _is_word(each)]
        his, own = (
            [each.status for each in words if (each.statement.speaker, each.statement.to) == pair]
            for pair in ((seat, self.seat), (self.seat, seat))
        )
        return his.count(Status.KEPT) - his.count(Status.BROKEN) - own.count(Status.KEPT)

    def words_due(self, seat: int) -> list[Word]:
        """Return the words of a seat that bind its present decision."""
        return [word for said in self.said if (word := _word(said, seat)) is not None]

    def unanswered(self) -> list[Said]:
        """Return what was asked of this seat, or of all, and awaits its answer."""
        answered = {each.statement.answers for each in self.said if each.statement.speaker == self.seat}
        return [each for each in self.said if each.number not in answered and self._is_asked(each)]

    def own(self) -> list[Said]:
        """Return what this seat has said."""
        return [each for each in self.said if each.statement.speaker == self.seat]

    def said_now(self) -> Iterator[Said]:
        """Yield what this seat has said since the present decision opened."""
        return (each for each in self.own() if each.moment >= self.since)

    def ignores(self, other: int, patience: int = 2) -> bool:
        """True when another seat has let so many requests and offers pass without ever answering one."""
        own = {each.number: each for each in self.own() if each.statement.to == other}
        if any(each.statement.speaker == other and each.statement.answers in own for each in self.said):
            return False
        asked = [each for each in own.values() if each.statement.act in (Act.REQUEST, Act.OFFER)]
        return sum(each.moment < self.since for each in asked) >= patience

    def _is_asked(self, each: Said) -> bool:
        statement = each.statement
        asks = statement.act in (Act.REQUEST, Act.OFFER, Act.ASK) and statement.speaker != self.seat
        to_all = statement.to is None and each.status is Status.ACCEPTED
        return asks and statement.to in (None, self.seat) and (each.status is Status.OPEN or to_all)


def _is_word(said: Said) -> bool:
    return said.statement.act in INTENT_ACTS and said.statement.fact is None


def _word(said: Said, seat: int) -> Word | None:
    trial = said.trial
    act = said.statement.act
    if said.statement.speaker != seat or trial is None or not said.is_standing or act not in DUE_ACTS:
        return None
    conditions: list[Trial] = list(said.others.values())
    if not trial.is_due or any(each.is_over and not each.outcome for each in conditions):
        return None
    if said.status is Status.OPEN and not all(each.is_over for each in conditions):
        return None  # nobody has taken the offer up, nor defied the threat
    waits_for = next((each.seat for each in conditions if not each.is_over), None)
    return Word(seat, trial.deed.pattern, waits_for, said)


def asked_deed(said: Said) -> Deed | None:
    """Return what a request or an offer wants of its hearer."""
    statement = said.statement
    return statement.condition if statement.act is Act.OFFER else statement.deed
