"""The voices of the cast: lines of character about what happens at the table, no line twice in a match.

Lines follow from the log, and everyone reads them in their own language: beside a statement, when it is made and when
it is judged; by the other one of the two, after that; and on occasions of the match, such as the start or a gain. They
never reveal a card, a count or a plan: the statement has the meaning. Whispers have lines of their own and do not use
up those that everyone hears, which would reveal them.

A file per language has the lines of each bot by part, as many in each language. They are written for that language and
are not translations: a line is known by its number (`mara.offer.2`).
"""

import tomllib
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple
from zlib import crc32

from tavola.live.log.state import State
from tavola.show.speech import KNOWN_LANGUAGES, Say
from tavola.talk import PROMISE_ACTS, Act, Conversation, Said, Status

HERE = Path(__file__).parent
ACTIONS_BETWEEN = 12
"""Minimum number of actions that everyone could notice between two lines of one voice to the same hearers."""
REMARKS_BETWEEN = 5
"""The same between two remarks at a table."""
PARTS = {
    Act.PROMISE: "promise",
    Act.ACCEPT: "promise",
    Act.OFFER: "offer",
    Act.REQUEST: "offer",
    Act.DECLINE: "decline",
    Act.THREAT: "threat",
    Act.WARN: "warn",
}
OUTCOMES = {Status.KEPT: "kept", Status.BROKEN: "broke"}
REPLIES = {Status.KEPT: "thanks", Status.BROKEN: "betrayed"}
"""What the other one of the two says when a promise to it has been judged."""
URGENT = ("betrayed", "amends", "threat", "warn", "won", "lost")
"""Parts that do not wait for `ACTIONS_BETWEEN`: what a broken promise leads to, and the end."""

Lines = Mapping[str, Mapping[str, tuple[str, ...]]]
"""Lines by face and part."""


@cache
def lines_in(language: str) -> Lines:
    """Return the lines in a language; those in English for a language without any."""
    path = HERE / f"{language}.toml"
    if language not in KNOWN_LANGUAGES or not path.exists():
        return lines_in("en")
    found = tomllib.loads(path.read_text(encoding="utf-8"))
    return {face: {part: tuple(told) for part, told in parts.items()} for face, parts in found.items()}


def line(key: str | None, say: Say, about: int | None = None) -> str:
    """Return the line of a key in the language of `say`, with the name of the seat `about`; empty for None."""
    if key is None:
        return ""
    face, part, number = key.split(".")
    told = lines_in(say.language)[face][part][int(number) - 1]
    return told.format(name="" if about is None else str(say.name(about)))


class Reply(NamedTuple):
    """The line of another seat than the speaker's, about what the statement came to."""

    seat: int
    key: str


class Voiced(NamedTuple):
    """The lines beside one statement, as keys or None: when it was made, when it was judged, and a reply."""

    said: str | None = None
    judged: str | None = None
    reply: Reply | None = None


class Remark(NamedTuple):
    """A line that belongs to no statement. `number`: of its occasion; `at`: in seconds since 1970."""

    number: int
    at: float
    seat: int
    key: str


class Voices(NamedTuple):
    """The lines of a match: beside statements, by number, and remarks in order."""

    beside: dict[int, Voiced]
    remarks: list[Remark]


def voices(state: State) -> dict[int, Voiced]:
    """Return the lines beside statements, by number; cached until the next event."""
    return _voices(state).beside


def remarks(state: State) -> list[Remark]:
    """Return the lines that belong to no statement; none at a table without talk."""
    return _voices(state).remarks if state.settings.talk != "silent" else []


def _voices(state: State) -> Voices:
    if state.voices is None:
        state.voices = _Casting(state).voices()
    found: Voices = state.voices
    return found


class _Cue(NamedTuple):
    """What a voice can comment on. `at`: actions before it; `ears`: the only hearer of a whisper, None for all."""

    at: int
    order: int
    number: int
    slot: str  # a field of `Voiced`, or `remark`
    seat: int
    part: str
    ears: int | None


class _Casting:
    """Chooses the line for each cue, in order."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.last: dict[tuple[int, int | None], int] = {}  # when a seat last spoke, to all or to one seat
        self.last_remark = -REMARKS_BETWEEN
        self.used: defaultdict[tuple[int, str, int | None], int] = defaultdict(int)

    def voices(self) -> Voices:
        talk, found = self.state.talk, Voices({}, [])
        for cue in sorted([*(self._of_talk(talk) if talk is not None else ()), *self._of_match()]):
            if (key := self._key(cue)) is None:
                continue
            if cue.slot == "remark":
                found.remarks.append(Remark(cue.number, self.state.occasions[cue.number].at, cue.seat, key))
            else:
                told: Any = Reply(cue.seat, key) if cue.slot == "reply" else key
                found.beside[cue.number] = found.beside.get(cue.number, Voiced())._replace(**{cue.slot: told})
        return found

    def _of_match(self) -> Iterator[_Cue]:
        for number, occasion in enumerate(self.state.occasions):
            yield _Cue(occasion.moments, 1, number, "remark", occasion.seat, occasion.part, None)

    def _of_talk(self, talk: Conversation) -> Iterator[_Cue]:
        for said in talk.said:
            spoken, at = said.statement, self.state.number_of(said.moment)
            ears, back = (spoken.to, spoken.speaker) if spoken.is_whispered else (None, None)
            part = "amends" if spoken.act is Act.REQUEST and _is_owed(talk, said) else PARTS.get(spoken.act)
            if part is not None:
                yield _Cue(at, 2, said.number, "said", spoken.speaker, part, ears)
            if spoken.act is Act.THREAT and spoken.to is not None:
                yield _Cue(at, 3, said.number, "reply", spoken.to, "tension", back)
            yield from self._of_outcome(said, ears, back)

    def _of_outcome(self, said: Said, ears: int | None, back: int | None) -> Iterator[_Cue]:
        status, spoken = said.status, said.statement
        if said.judged_at is None or status not in OUTCOMES or spoken.act not in PROMISE_ACTS:
            return
        at, other = self.state.number_of(said.judged_at), self._other(said)
        yield _Cue(at, 0, said.number, "judged", spoken.speaker, OUTCOMES[status], ears)
        if other is not None:
            yield _Cue(at, 0, said.number, "reply", other, REPLIES[status], back)

    def _other(self, said: Said) -> int | None:
        """Return the seat that a promise was given to; of a broken one to everyone, the next bot's."""
        if said.statement.to is not None or said.status is Status.KEPT:
            return said.statement.to
        count = len(self.state.occupants)
        others = ((said.statement.speaker + step) % count for step in range(1, count))
        return next((seat for seat in others if self.state.occupants[seat].member is not None), None)

    def _key(self, cue: _Cue) -> str | None:
        """Return the key of the line for a cue; None if the voice has none left, or has just spoken."""
        member = self.state.occupants[cue.seat].member
        told = lines_in("en").get(member.face, {}).get(cue.part, ()) if member is not None else ()
        if member is None or not told or not self._may_speak(cue):
            return None
        # Whispers get the last line in the order, one for each hearer, and all others the lines before.
        place = self.used[cue.seat, cue.part, cue.ears]
        if place >= (1 if cue.ears is not None else len(told) - (self.state.settings.talk == "free")):
            return None
        self.used[cue.seat, cue.part, cue.ears] += 1
        self.last[cue.seat, cue.ears] = cue.at
        if cue.slot == "remark":
            self.last_remark = cue.at
        begin = crc32(f"{self.state.created_at} {member.face} {cue.part}".encode())
        number = (begin + (len(told) - 1 if cue.ears is not None else place)) % len(told)
        return f"{member.face}.{cue.part}.{number + 1}"

    def _may_speak(self, cue: _Cue) -> bool:
        if cue.part in URGENT:
            return True
        before = max(self.last.get((cue.seat, heard), -ACTIONS_BETWEEN) for heard in (None, cue.ears))
        is_crowded = cue.slot == "remark" and cue.part != "greeting" and cue.at - self.last_remark < REMARKS_BETWEEN
        return cue.at - before >= ACTIONS_BETWEEN and not is_crowded


def _is_owed(talk: Conversation, asked: Said) -> bool:
    """True if the last promise of the seat that is asked, to the one that asks, was broken before."""
    spoken = asked.statement
    ways = (spoken.to, spoken.speaker), (spoken.to, None)
    promises = [said for said in talk.said if said.is_promise and (said.statement.speaker, said.statement.to) in ways]
    owed = [
        (said.judged_at, said.status)
        for said in promises
        if said.status in OUTCOMES and said.is_heard_by(spoken.speaker)
        if said.judged_at is not None and said.judged_at <= asked.moment
    ]
    return bool(owed) and max(owed)[1] is Status.BROKEN
