"""Promises at the seats of those who gave them: a token for each open one, and the outcomes of the last ones.

Only the two seats that know a whispered promise see it; the counts of kept and broken promises leave it out.
"""

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from markupsafe import Markup

from tavola.core import Moment
from tavola.live import Room
from tavola.live.bots.voices import Voiced, line, voices
from tavola.show.board import Frame
from tavola.show.cards import picture_of
from tavola.show.speech import Say, mark
from tavola.show.svg import tag
from tavola.talk import JUDGED_ACTS, Act, Conversation, Language, Said, Statement, Status, Teller, reveal_at
from tavola.talk.trial import Trial
from tavola.web.render import render_fragment
from tavola.web.requests.visitor import site_say
from tavola.web.table.fragments import SceneFrame, pieces_by_list
from tavola.web.table.player_panels import LogSay, PlayerPanel, panel_markup, with_seals
from tavola.web.talk.composing import owed_kinds
from tavola.web.talk.tokens import tag_of

MOST_TAGS = 2
"""Maximum tokens at a seat; of more, the number is shown."""
VERDICTS = (Status.KEPT, Status.BROKEN)
STATE_WORDS: Mapping[str, str] = {
    "": mark("Still open: {sentence}"),
    "due": mark("Due now: {sentence}"),
    Status.KEPT: mark("Kept: {sentence}"),
    Status.BROKEN: mark("Broken: {sentence}"),
    Status.VOID: mark("No longer applies: {sentence}"),
}


def promise_of(said: Said, talk: Conversation) -> Statement | None:
    """Return the promise that a statement gives, as a statement of its speaker; None if it gives none."""
    spoken = said.statement
    if spoken.act not in JUDGED_ACTS:
        return None
    if spoken.answers is None:
        return spoken
    asked = talk.said[spoken.answers - 1].statement
    return replace(spoken, act=Act.PROMISE, deed=asked.condition or asked.deed, answers=None)


def promises_at_seats(
    room: Room, say: Say, viewer: int | None, *, until: Moment | None = None, untold: Container[int] = ()
) -> dict[int, Markup]:
    """Return the promises at each seat that has given any, as a seat sees them; None is a spectator.

    `until`: without verdicts after that moment; `untold`: numbers of statements whose verdicts are not shown yet.
    """
    if (talk := room.state.talk) is None:
        return {}
    at_seats, site = dict[int, list[Markup]](), site_say(say.language)
    for said, state in _shown(room, talk, viewer, until, untold):
        word, sentence = promise_of(said, talk), Teller(talk.language, say).statement(said, talk)
        assert word is not None
        tag_ = ringed(word, talk.language, state, site(STATE_WORDS[state], sentence=sentence))
        at_seats.setdefault(said.statement.speaker, []).append(tag_)
    found = dict[int, Markup]()
    for seat in {said.statement.speaker for said in talk.said}:
        tags, (kept, broken) = at_seats.get(seat, []), counts_of(talk, seat, until, untold)
        if tags or kept or broken:
            more = max(0, len(tags) - MOST_TAGS)
            values = {"tags": tags[-MOST_TAGS:], "more": more, "kept": kept, "broken": broken}
            found[seat] = render_fragment("promises.html", say=site, **values)
    return found


def counts_of(
    talk: Conversation, seat: int, until: Moment | None = None, untold: Container[int] = ()
) -> tuple[int, int]:
    """Return how many public promises a seat has kept, and how many it has broken."""
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
    """Yield the promises at the seats with their state: the open ones, and those that were judged last."""
    heard = [said for said in talk.said if said.is_heard_by(viewer) and promise_of(said, talk) is not None]
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
    """Return whether the decision that a promise is about is open, or its card is still face down."""
    if trial is None or trial.is_over or trial.is_passing:
        return False
    return trial.has_acted or trial.kind in owed_kinds(room, language, [trial.seat])


def ringed(word: Statement, language: Language, state: str = "", title: str = "") -> Markup:
    """Return the token of a promise, two on a ring if it depends on another's deed; empty if it has no topic."""
    drawn = tag_of(word, language, state, title)
    if word.condition is None or word.to is None:
        return drawn
    wanted = replace(word, speaker=word.to, to=None, deed=word.condition, condition=None)
    return tag("span", drawn, tag_of(wanted, language, state), class_="ringed")


COMMENTED = mark("{verdict} “{words}”")
"""A verdict on a promise, and the speaker's comment."""
REPLIED = mark("{verdict} {name}: “{words}”")
"""The same, and the answer of the one to whom the promise was given."""


def insert_reveal(
    room: Room, chairs: Sequence[PlayerPanel], at: int, say: Say, pictures: list[SceneFrame], shown: Sequence[Frame]
) -> None:
    """Insert the verdicts of action number `at` into a scene: after the votes, or else at the end.

    `shown`: the game's frames of that action, the last ones of `pictures`.
    """
    if not (frames := reveal_frames(room, chairs, room.state.moment_at(at), say)):
        return
    opened = next((at for at, frame in enumerate(shown, 1) if frame.minimum), 0)
    if not opened:
        view = room.view(None, at)
        drawn = pieces_by_list("pieces", view, picture_of(view.game).pieces(view, say))
        frames = [replace(frame, lists={**drawn, **frame.lists}) for frame in frames]
    place = len(pictures) - len(shown) + opened if opened else len(pictures)
    pictures[place:place] = frames


def reveal_frames(room: Room, chairs: Sequence[PlayerPanel], moment: Moment, say: Say) -> list[SceneFrame]:
    """Return the frames with the promises judged at a moment, at the seats as they were shown before."""
    talk = room.state.talk
    if talk is None or not chairs:
        return []
    reveal, found = reveal_at(talk, moment), list[SceneFrame]()
    log_say = LogSay.of(room.state.game, say.language, room.names)
    lengths, tell = reveal.milliseconds(room.state.settings.pace), Teller(talk.language, log_say)
    for words, lasts, untold in zip((reveal.kept, reveal.broken), lengths, (reveal.broken, ()), strict=True):
        if not words:
            continue
        at_seats = promises_at_seats(room, say, None, until=moment, untold={said.number for said in untold})
        gesture, speakers = "kept" if words is reveal.kept else "broke", {said.statement.speaker for said in words}
        shown = {}
        for chair in chairs:
            gestured = gesture if chair.number in speakers else ""
            panel = chair._replace(words=at_seats.get(chair.number, ""), gesture=gestured)
            shown[f"player-{chair.number}"] = panel_markup(panel, say.language)
        single = len(words) == 1 or words is reveal.broken
        told = _verdict(room, words[0], tell, log_say) if single else _together(words, log_say)
        found.append(SceneFrame({"players": shown}, lasts, told=with_seals(told)))
    return found


def _verdict(room: Room, said: Said, tell: Teller, say: Say) -> str:
    assert room.state.talk is not None
    voiced, told = voices(room.state).get(said.number, Voiced()), tell.verdict(said, room.state.talk)
    if spoken := line(voiced.judged, say):
        told = site_say(say.language)(COMMENTED, verdict=told, words=spoken)
    if voiced.reply is not None:
        words, name = line(voiced.reply.key, say, said.statement.speaker), say.name(voiced.reply.seat)
        told = site_say(say.language)(REPLIED, verdict=told, name=name, words=words)
    return told


def _together(words: Sequence[Said], say: Say) -> str:
    names = dict.fromkeys(say.name(said.statement.speaker) for said in words)
    many = partial(site_say(say.language).many, names=say.listing(list(names)))
    return many(
        "{names} {names:keeps|keep} {names:their|your} word.", "{names} keep {names:their|your} word.", len(names)
    )


MOST_TOKENS = 10
"""Maximum tokens in a row of the table of trust; of more, the last ones are shown."""


class PromiseRow(NamedTuple):
    """A player's promises in a match: their tokens in order, how many were kept, and how many were due."""

    chair: PlayerPanel
    tokens: tuple[Markup, ...]
    kept: int
    due: int


class WordsStory(NamedTuple):
    """Summary of promises: the broken one that settled the match with its token, sentences, a row per speaker."""

    settling: Markup
    token: Markup
    sentences: tuple[Markup, ...]
    rows: tuple[PromiseRow, ...]


def words_story(
    room: Room, chairs: Sequence[PlayerPanel], say: Say, log_say: Say, settled: Moment
) -> WordsStory | None:
    """Return the summary of a match's promises, None if there were none. `settled`: the moment that settled it."""
    talk = room.state.talk
    words = [said for said in talk.said if said.statement.act in JUDGED_ACTS] if talk is not None else []
    if talk is None or not words:
        return None
    tell = Teller(talk.language, log_say)
    rows = tuple(row for row in (_row(chair, words, talk) for chair in chairs) if row.tokens or row.due)
    # A ballot's promises are judged with its last card.
    broken = next((said for said in words if said.judged_at == settled and said.status is Status.BROKEN), None)
    settling, token = (with_seals(tell.verdict(broken, talk)), _token(broken, talk)) if broken else (Markup(), Markup())
    return WordsStory(settling, token, tuple(map(with_seals, _sentences(rows, words, say, log_say))), rows)


def _row(chair: PlayerPanel, words: Sequence[Said], talk: Conversation) -> PromiseRow:
    own = [said for said in words if said.statement.speaker == chair.number]
    judged = [said for said in own if said.status in VERDICTS]
    tokens = tuple(_token(said, talk) for said in own[-MOST_TOKENS:])
    return PromiseRow(chair, tokens, sum(said.status is Status.KEPT for said in judged), len(judged))


def _token(said: Said, talk: Conversation) -> Markup:
    word = promise_of(said, talk)
    return tag_of(word, talk.language, str(said.status or "")) if word is not None else Markup()


def _sentences(rows: Sequence[PromiseRow], words: Sequence[Said], say: Say, log_say: Say) -> list[str]:
    given = {row.chair.number: sum(said.statement.speaker == row.chair.number for said in words) for row in rows}
    most = max(given, key=lambda seat: given[seat])
    told = [say("Most promises: {name} ({count}).", count=given[most], name=log_say.name(most))]
    keepers = [row for row in rows if row.kept]
    if keepers:
        best = max(keepers, key=lambda row: (row.kept / row.due, row.kept))
        name = log_say.name(best.chair.number)
        told.append(say("Most reliable: {name} ({kept} of {due} kept).", name=name, kept=best.kept, due=best.due))
    return told
