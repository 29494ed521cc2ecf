"""Results of finished matches, computed in processes beside the server: replay, record, story.

They need only the match, the names of its seats and early answers: a `MatchSource`, sent to another process. There a
chronicle caches states and lines, so that a moment costs what it shows, not all actions before it.
"""

import pickle
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from cachetools import LRUCache
from markupsafe import Markup

from tavola import games
from tavola.core import Game, Match, MatchRecord, Moment, View, kernels
from tavola.core.compilation import interpret, is_interpreted, use_machine_code
from tavola.core.registry import find
from tavola.live import Person, Room
from tavola.live.hub import import_events
from tavola.live.log.events import NewEvent
from tavola.show.cards import words_of
from tavola.show.pictures import all_pieces
from tavola.show.speech import Say
from tavola.talk import Conversation, SpokenLine, replay_talk, talk_lines, with_talk
from tavola.web.pages.posters import font_style, shared_picture
from tavola.web.pages.rulebook import lesson_sections, render_markdown, rules_of
from tavola.web.render import SITE_SLOT, game_say, game_title, render_shared
from tavola.web.requests.visitor import site_say
from tavola.web.site_words import race_sentences
from tavola.web.table.choices import guess_labels
from tavola.web.table.log_lines import judged_at, said_at
from tavola.web.table.story import Story, story_of

KEPT_BYTES = 128_000_000
"""Approximate bytes of chronicles that one process keeps."""
OPENING = 6
"""Actions of a match that is played to load everything into memory."""
LINE_BYTES = 200
"""Approximate bytes of a sentence."""

Line = tuple[int, str]
"""The moment reached, and a sentence about it."""


class MatchSource(NamedTuple):
    """A match in plain values. `races`: by moment, the seats that answered a race too early, and all times.

    `talk`: what was said, as lines of a record. `times`: when each action was played, in seconds since 1970, as far as
    known. `public`: places in the history, counted from 1, that everyone could notice.
    """

    room: str
    game: str
    version: int
    interpreted: bool
    options: Mapping[str, str]
    position: Any
    check: str
    history: list[tuple[int, int]]
    names: tuple[str, ...]
    races: Mapping[int, tuple[list[int], list[tuple[int, float]]]] = {}
    talk: tuple[SpokenLine, ...] = ()
    times: tuple[float, ...] = ()
    public: tuple[int, ...] = ()

    @classmethod
    def of(cls, room: Room) -> "MatchSource":
        """Return the match of a room."""
        state, match = room.state, room.state.match
        assert match is not None
        numbers = range(1, room.moments + 1) if state.answer_seconds else ()
        timed = {at: seconds for at in numbers if (seconds := state.race_seconds(at))}
        races = {state.moment_at(at).actions - 1: (state.early_seats(at), timed[at]) for at in timed}
        said, played = tuple(talk_lines(state.talk)), tuple(state.action_times)
        return cls.of_match(match, tuple(room.names), room.id, races, said, played, tuple(state.public_actions))

    @classmethod
    def of_match(cls, match: Match, names: tuple[str, ...], room: str = "", *more: Any) -> "MatchSource":
        """Return a match in memory; `more`: the fields after the names."""
        game = match.game
        words, plain = game.options.to_words(match.options), is_interpreted(game.source_folder)
        told = words, match.position, match.check, match.history, names
        return cls(room, game.name, game.version, plain, *told, *more)


class Chronicle:
    """A match from beginning to end: states by moment, lines by language and seat, computed on demand."""

    def __init__(self, source: MatchSource) -> None:
        self.source, self.game = source, games.load(source.game, source.version)
        match = Match(self.game, source.options, None, source.position, "letter", source.check)
        self.players, self.moments, self._states = match.players, len(source.history), [match.states_at(0)]
        self._lines: dict[tuple[str, int | None], list[Line]] = {}

    def say(self, language: str) -> Say:
        return game_say(self.game, language, self.source.names)

    @property
    def size(self) -> int:
        """Approximate bytes of all of it."""
        states = sum(state.nbytes for state in self._states[:1]) * (self.moments + 1)
        return states + 100 * self.moments + LINE_BYTES * sum(map(len, self._lines.values()))

    def state(self, moment: int) -> np.ndarray:
        """Return the state at a moment, an array of length 1, played on from the last known one."""
        while len(self._states) <= moment:
            following = self.game.copy_states(self._states[-1])
            kernels.apply_at(following, 0, *self.source.history[len(self._states) - 1])
            self._states.append(following)
        return self._states[moment]

    def view(self, moment: int, seat: int | None) -> View:
        return View(self.game, self.state(moment), seat)

    @cached_property
    def talk(self) -> Conversation | None:
        """What was said, with the outcomes; None without statements."""
        if not self.source.talk:
            return None
        match = Match(self.game, self.source.options, None, self.source.position, "letter", self.source.check)
        for seat, number in self.source.history:
            match.play(number, seat)
        return replay_talk(match, self.source.talk)

    def lines(self, language: str, seat: int | None) -> list[Line]:
        """Return everything that happened, as a seat saw it."""
        if (language, seat) not in self._lines:
            say, told = self.say(language), list[Line]()
            views = (self.view(moment, seat) for moment in range(self.moments + 1))
            for at, (before, after) in enumerate(pairwise(views), 1):
                told += [(at - 1, line) for line in said_at(self.talk, Moment(at - 1), say, seat)]
                told += [(at, line) for line in self._sentences(at, before, after, seat, say)]
                told += [(at, line) for line in judged_at(self.talk, Moment(at), say, seat)]
            self._lines[language, seat] = told
        return self._lines[language, seat]

    def _sentences(self, moment: int, before: View, after: View, seat: int | None, say: Say) -> list[str]:
        early, seconds = self.source.races.get(moment - 1, ([], []))
        timed = [(say.name(seat), taken) for seat, taken in seconds]
        heard = self.game.observe_action(*self.source.history[moment - 1], seat)
        return [
            *race_sentences([say.name(hasty) for hasty in early], timed, site_say(say.language)),
            *words_of(self.game).events(before, after, heard, say),
        ]


_chronicles: LRUCache[bytes, Chronicle] = LRUCache(KEPT_BYTES, getsizeof=lambda chronicle: chronicle.size)


def chronicle_of(packed: bytes) -> Chronicle:
    """Return the chronicle of a packed source, kept or new."""
    known = _chronicles.get(packed)
    return known if known is not None else Chronicle(unpack(packed))


def keep(packed: bytes, chronicle: Chronicle) -> None:
    """Keep a chronicle, with its current size."""
    _chronicles.pop(packed, None)
    if chronicle.size <= KEPT_BYTES:
        _chronicles[packed] = chronicle


def pack(source: MatchSource) -> bytes:
    """Return a source as bytes for another process."""
    return pickle.dumps(source, pickle.HIGHEST_PROTOCOL)


def unpack(packed: bytes) -> MatchSource:
    """Return the source that the server has packed; its game runs here as it does there."""
    source: MatchSource = pickle.loads(packed)  # noqa: S301 - our own server wrote it
    run_as(games.load(source.game, source.version), source.interpreted)
    return source


def run_as(game: Game, interpreted: bool) -> None:
    """Run a game as plain Python, or as machine code."""
    (interpret if interpreted else use_machine_code)(game.source_folder)


# Results


def replay_page(packed: bytes, language: str, at: int, eyes: int | None, noted: Iterable[tuple[int, str]]) -> bytes:
    """Return one moment of a replay as a seat saw it; `noted`: that seat's guesses, only for its own player."""
    chronicle = chronicle_of(packed)
    source, game = chronicle.source, chronicle.game
    say, view, log = chronicle.say(language), chronicle.view(at, eyes), chronicle.lines(language, eyes)
    labels = dict(guess_labels(view, say)) if noted else {}
    eyes_query, here = ("" if eyes is None else f"&as={eyes}"), f"/r/{source.room}/replay"
    moments, site = chronicle.moments, site_say(language)
    place = {"game": game, "code": source.room, "here": here, "at": at, "moments": moments}
    place |= {"eyes": eyes, "eyes_query": eyes_query}
    page = render_shared(
        language,
        "replay.html",
        **place,
        name=game_title(game, language),
        address=f"{SITE_SLOT}{here}?at={at}{eyes_query}",
        players=list(enumerate(source.names)),
        steps=[
            ("first", 0, site("Go to the start")),
            ("prev", max(0, at - 1), site("Back one step")),
            ("next", min(moments, at + 1), site("Forward one step")),
            ("last", moments, site("Go to the end")),
        ],
        happened=" ".join(sentence for place, sentence in log if place == at),
        log=log,
        pieces={board: {f"pieces-{board}": drawn.values()} for board, drawn in all_pieces(view, say).items()},
        words=words_of(game).table(view, say),
        guesses=[(source.names[about], labels[mark]) for about, mark in noted if mark in labels],
    )
    keep(packed, chronicle)
    return page


def record_text(packed: bytes) -> bytes:
    """Return the record of the match."""
    source = unpack(packed)
    game, options = games.load(source.game, source.version), dict(source.options)
    actions = tuple((seat, game.actions.code(number)) for seat, number in source.history)
    found = MatchRecord(game.name, game.version, options, actions, source.names, source.position, source.check)
    return with_talk(str(found), source.talk).encode()


def story_of_chronicle(packed: bytes) -> Story:
    """Return the story of the match, for the last screen."""
    chronicle = chronicle_of(packed)
    states = map(chronicle.state, range(chronicle.moments + 1))
    story = story_of(chronicle.game, states, chronicle.source.history, chronicle.players)
    keep(packed, chronicle)
    return story


def picture_of_match(packed: bytes, language: str, story: Story) -> bytes:
    """Return the match as one picture to be shared: how it ended, the curve, the winner."""
    chronicle = chronicle_of(packed)
    say, last = chronicle.say(language), chronicle.view(chronicle.moments, None)
    settled = words_of(chronicle.game).chapter(chronicle.view(story.settled - 1, None), say)
    made = shared_picture(last, story, chronicle.source.names, settled, say, site_say(language), font_style())
    keep(packed, chronicle)
    return str(made).encode()


def rules_page(game: str, language: str) -> bytes:
    """Return the rules as implemented, with an anchor for every paragraph."""
    card = find(game)
    text, written = rules_of(card, language)
    values = {"minute": lesson_sections(card, language), "text": text, "written": written}
    return render_shared(language, "rules.html", game=card, name=game_title(card, language), **values)


def text_page(title: str, text: str, language: str) -> bytes:
    """Return a page with a text of the operator, in Markdown; `title` is marked for translation."""
    made = Markup(render_markdown(text))
    return render_shared(language, "text.html", title=site_say(language)(title), text=made)


def read_import(host: Person, text: str, waiting: Sequence[str]) -> list[NewEvent]:
    """Return the first events of a room that shows a record; raise `BadRecord` unless its match is complete.

    `waiting`: the games that run as plain Python for now.
    """
    for name in games.names():
        run_as(games.load(name), name in waiting)
    return import_events(host, text)


def warm_up(names: Sequence[str]) -> None:
    """Load what the first visitor would wait for, of games whose machine code is on disk."""
    for name in names:
        match = Match(games.load(name), seed=1)
        for _ in range(OPENING):
            seat = match.to_act[0]
            match.play(match.legal_numbers(seat)[0], seat)
        seats = tuple(f"P{seat + 1}" for seat in range(match.players))
        packed = pack(MatchSource.of_match(match, seats))
        replay_page(packed, "en", len(match.history), None, ())
        story_of_chronicle(packed)
        rules_page(name, "en")
