"""Talk in a match's record: comments between the actions, which can be replayed exactly.

    2 vote red
    ;> 3 promise vote not red now
    3 vote green

A line of talk is `;>`, the speaker's seat and the statement (`tavola.talk.statements`), between the actions where it
was made. Parsers of actions ignore these comments; a record without them has no talk.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tavola.core import BadRecord, Match, MatchRecord, View
from tavola.talk.conversation import Conversation
from tavola.talk.language import language_of
from tavola.talk.statement_refusals import BadStatement
from tavola.talk.statements import parse_line, statement_line

SIGN = ";>"


class SpokenLine(NamedTuple):
    """A line of talk: its place in a text, 0 without one; the number of actions before it, speaker, statement."""

    place: int
    moment: int
    speaker: int
    statement: str


def record_text(record: MatchRecord, talk: Conversation | None) -> str:
    """Return the text of a record with the statements between its actions."""
    return with_talk(str(record), talk_lines(talk))


def talk_lines(talk: Conversation | None) -> list[SpokenLine]:
    """Return the statements as lines of a record, in order."""
    if talk is None:
        return []
    return [
        SpokenLine(0, said.moment.actions, said.statement.speaker, statement_line(said.statement, talk.language))
        for said in talk.said
    ]


def with_talk(text: str, said: Sequence[SpokenLine]) -> str:
    """Return the text of a record with lines of talk inserted between its actions."""
    if not said:
        return text
    head, _, actions = text.partition("\n\n")
    spoken, lines = _by_moment(said), list[str]()
    for moment, action in enumerate([*actions.split("\n")[:-1], ""]):
        lines += [f"{SIGN} {one.speaker} {one.statement}" for one in spoken[moment]]
        lines.append(action)
    return f"{head}\n\n" + "\n".join(lines)


def read_talk(text: str, match: Match) -> Conversation | None:
    """Return the talk in the text of a match's record, None without any; raise `BadRecord` with the wrong line."""
    lines = list(_spoken_lines(text))
    return replay_talk(match, lines) if lines else None


def replay_talk(match: Match, lines: Sequence[SpokenLine]) -> Conversation:
    """Return the talk of a given match from its lines; raise `BadRecord` with the wrong one."""
    try:
        talk = Conversation(language_of(match.game))
    except BadStatement as refusal:
        raise BadRecord(f"line {lines[0].place}: {refusal}") from refusal
    replayed, spoken = Match.from_states(match.game, match.states_at(0)), _by_moment(lines)
    for moment in range(len(match.history) + 1):
        for line in spoken[moment]:
            _say(talk, replayed, line)
        for seat, number in match.history[moment : moment + 1]:
            before: View = replayed.view()
            replayed.play(number, seat)
            talk.see(before, replayed)
    if match.over:
        talk.finish(match)
    return talk


def _by_moment(lines: Sequence[SpokenLine]) -> defaultdict[int, list[SpokenLine]]:
    found: defaultdict[int, list[SpokenLine]] = defaultdict(list)
    for line in lines:
        found[line.moment].append(line)
    return found


def _spoken_lines(text: str) -> Iterator[SpokenLine]:
    moment = 0
    for place, line in enumerate(text.replace("\r\n", "\n").replace("\r", "\n").split("\n"), 1):
        if line.strip().startswith(SIGN):
            speaker, _, statement = line.strip().removeprefix(SIGN).strip().partition(" ")
            if not (speaker.isascii() and speaker.isdecimal() and len(speaker) == 1):
                raise BadRecord(f"line {place}: expected a seat and its statement after {SIGN}")
            yield SpokenLine(place, moment, int(speaker), statement)
        words = line.partition(";")[0].split()
        moment += bool(words) and (words[0] == "*" or (words[0].isdecimal() and len(words[0]) == 1))


def _say(talk: Conversation, match: Match, line: SpokenLine) -> None:
    if line.speaker >= match.players:
        raise BadRecord(f"line {line.place}: expected a seat from 0 to {match.players - 1}, found {line.speaker}")
    try:
        statement = parse_line(line.speaker, line.statement, talk.language)
        talk.require(statement, match.view())
    except BadStatement as refusal:
        raise BadRecord(f"line {line.place}: {refusal}") from refusal
    talk.say(statement, match)
