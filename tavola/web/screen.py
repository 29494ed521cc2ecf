"""What is shown of a room: what everybody sees once a language, what one seat sees once a seat, and scenes between.

Nothing is made twice: every cache stands in `Shared` under a name that says what it keeps and what ends it.
"""

import weakref
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from json import dumps
from typing import NamedTuple

from markupsafe import Markup

from tavola.bots import LEVELS
from tavola.core import Game, Played, View
from tavola.core.plan import Plan
from tavola.live import Room, Said
from tavola.show import board as boards
from tavola.show.board import Pieces
from tavola.show.speech import Say
from tavola.show.svg import put, tag
from tavola.web.chairs import Chair, chairs, marked, seated, signed, with_signs
from tavola.web.doors import SHUT, Doors, opened, plan_goes_on, secret, words_key
from tavola.web.notes import editor
from tavola.web.part import Part, Screen, unless_same
from tavola.web.render import game_say, kept, markup
from tavola.web.scenes import Picture, Scene, staged
from tavola.web.sentences import FRIENDLY, explained_level, level_names, too_soon
from tavola.web.settled import settled, turning
from tavola.web.visitor import site_say

LOG_LINES = 40
CHAT_LINES = 100
FORMS = 64
"""Forms of decisions that are kept: much is asked again in the next round."""
LONGEST_SCENE = 24
"""Actions at once that are still shown one after the other; of more only the last picture is shown."""
CLOCK, CODE, PROMPT, LINE, SENTENCE = "\ue002", "\ue003", "\ue004", "\ue008", "\ue009"
"""Where a clock's end, a room's code, the number of a decision, a coach's line and what is asked stand in what is kept:
nobody can write these."""
LONG = 100
"""Characters beyond which a coach's line is set smaller."""

Looker = tuple[int | None, frozenset[int]]
"""A seat, None for who only watches, and of whom he reads no more."""


class Decision(NamedTuple):
    """What a seat is asked: in a sentence, the form of its actions, the coach's line, whether nobody else hears of it.

    `prompt_id` is None where the seat owes nothing.
    """

    prompt_id: int | None
    sentence: str
    form: str
    coach: str
    secret: bool


NOTHING = Decision(None, "", "", "", False)


@dataclass
class Shared:
    """What everybody sees in one language. It ends with the names at the table."""

    say: Say
    game_say: Say
    log_say: Say
    names: tuple[str, ...]
    key: object = None  # what was shown when the part was made: anything that changes with it
    part: Part = field(default_factory=lambda: Part({}, {}))
    scene: Scene | None = None  # what led to the part; ends with it

    # Grows with the match.
    forms: dict[object, Markup] = field(default_factory=dict)  # by what they depend on; the last FORMS
    log: dict[str, str] = field(default_factory=dict)  # lines by id, the oldest first; the last LOG_LINES
    logged: int = -1  # moments told so far; -1 before any
    chapter: str = ""  # the heading over the last line
    chat: dict[str, str] = field(default_factory=dict)  # lines by id; the last CHAT_LINES

    # Ends with the view it was drawn from.
    pieces: dict[str, Mapping[str, str]] = field(default_factory=dict)
    pieces_of: View | None = None

    # Each ends with what the seat is shown.
    own: dict[int | None, Part] = field(default_factory=dict)

    # Ends with every change of the room.
    screens: dict[Looker, Screen] = field(default_factory=dict)
    looked: set[Looker] = field(default_factory=set)  # who has looked at one of these
    waiting: dict[object, str] = field(default_factory=dict)  # what who waits is told, by who hears it and who watches

    # Each ends with its decision: the words of an open one do not change while others decide.
    decisions: dict[int, Decision] = field(default_factory=dict)


class Stage:
    """The screens of one room."""

    def __init__(self, room: Room) -> None:
        self.room: Room = weakref.proxy(room)  # the site keeps stages by room: they must not keep the room
        self._shared: dict[str, Shared] = {}
        self._views: dict[int, View] = {}
        self._decided: set[int] = set()
        self._walked = -1

    def screen(self, language: str, seat: int | None, muted: frozenset[int] = frozenset()) -> Screen:
        """What a seat sees now in a language; `None` for who only watches. `muted`: whom he reads no more."""
        shared, looker = self._refreshed(language), (seat, muted)
        shared.looked.add(looker)
        if looker not in shared.screens:
            shared.screens[looker] = self._screen(shared, *looker)
        return shared.screens[looker]

    def scene(self, language: str, before: Screen | None) -> Scene | None:
        """The scene that leads from what somebody was shown before to what is shown now; None where there is none."""
        scene = self._refreshed(language).scene
        return scene if scene is not None and before is not None and before.shared is scene.before else None

    def planned(self, language: str, plan: Plan, codes: Sequence[str], prompt_id: int) -> Screen:
        """What a seat would see after steps that it tries: nothing has happened."""
        shared, view, seat = self._refreshed(language), plan.view, plan.view.seat
        screen = self.screen(language, seat)
        if not codes:
            return screen
        picture, say = view.game.picture, shared.game_say
        lists = {**self._lists(shared), **by_list("pieces", view, picture.pieces(view.public(), say))}
        on = not plan.stop and plan_goes_on(view)
        places = {**screen.own.places, "actions": self._form(shared, view, prompt_id, dumps(codes), open_=on)}
        places["scales"] = scales(shared, view) if on else Markup()
        if on:
            sentence, until = view.game.words.prompt(view, say), self._until(view, mine=True)
            places["prompt"] = asked(shared, sentence, mine=True, secret=secret(view), until=until)
        own = Part(places, self._own(view, say, self._marked(view, say)))
        return Screen(screen.kind, Part(self._places(shared), lists), own)

    def chairs(self, language: str) -> list[Chair]:
        """Everybody at the table."""
        view = self.view() if self.room.state.match is not None else None
        return chairs(self.room, view, self._decided, language)

    def view(self, at: int | None = None) -> View:
        """The table as everybody sees it, after `at` actions; the last one and the one before it are kept."""
        moment = self.room.moments if at is None else at
        if moment not in self._views:
            self._views[moment] = self.room.view(None, moment)
            for other in [known for known in self._views if not moment - 1 <= known <= moment]:
                del self._views[other]
        return self._views[moment]

    def _key(self) -> object:
        """Whatever changes with anything that is shown."""
        return self.room.state.seq, self.room.presence.comings

    def _refreshed(self, language: str) -> Shared:
        names, key = tuple(self.room.names), self._key()
        shared = self._shared.get(language)
        if shared is None or shared.names != names:
            game = self.room.state.game
            plain, signs = game_say(game, language, names), game_say(game, language, marked(names))
            shared = self._shared[language] = Shared(site_say(language), plain, signs, names)
        if shared.key != key:
            self._refresh(shared)
            shared.key = key
            self._show_all(shared)
        return shared

    def _show_all(self, shared: Shared) -> None:
        """Make the screens of all who looked last time, one right after the other.

        Made when each of them is sent something they take longer: the processor has forgotten how.
        """
        looked, shared.looked = shared.looked, set()
        for looker in looked:
            shared.screens[looker] = self._screen(shared, *looker)

    def _refresh(self, shared: Shared) -> None:
        before, pictures = shared.part, []
        shared.screens.clear()
        shared.waiting.clear()
        if self.room.state.match is not None:
            self._walk()
            pictures = self._tell(shared)
            self._draw(shared)
        self._write_chat(shared)
        shared.part = unless_same(before, Part(self._places(shared), self._lists(shared)))
        shared.scene = staged(before, pictures)

    def _places(self, shared: Shared) -> dict[str, str]:
        if self.room.state.match is None or self.room.state.phase == "over":
            return {}
        last = next((text for name, text in reversed(shared.log.items()) if name.startswith("log-")), "")
        return {"phases": self._strip(shared, self.view()), "ticker": inner(last)}

    def _strip(self, shared: Shared, view: View) -> Markup:
        """The phases of a round, the present one lit, and which round it is."""
        words, say = view.game.words, shared.game_say
        values = {"phases": tuple(words.phases(view, say)), "chapter": words.chapter(view, say)}
        return kept("phases.html", shared.say.language, **values)

    def _lists(self, shared: Shared) -> dict[str, Mapping[str, str]]:
        if self.room.state.match is None:
            return {"chat": shared.chat}
        language = shared.say.language
        players = {f"player-{chair.number}": seated(chair, language) for chair in self.chairs(language)}
        return {"players": players, "chat": shared.chat, **shared.pieces, "log": newest_first(shared.log)}

    def _walk(self) -> None:
        """Note who has decided in a decision that is still open for others: that is public, what he decided is not."""
        moments = self.room.moments
        first = self._walked if self._walked >= 0 else max(0, moments - len(self.room.seats))
        for moment in range(first, moments):
            actor, before, after = self.room.actor(moment + 1), self.view(moment).to_act, self.view(moment + 1).to_act
            if after and set(after) == set(before) - {actor}:
                self._decided.add(actor)
            else:
                self._decided.clear()
        self._walked = moments

    # What happened

    def _tell(self, shared: Shared) -> list[Picture]:
        """Write what happened since into the log; the pictures that show it, where all of it can be shown."""
        moments, fresh = self.room.moments, shared.logged < 0
        first = max(0, moments - LOG_LINES) if fresh else shared.logged
        pictures: list[Picture] = []
        for moment in range(first, moments):
            frames = [] if fresh or moments - first > LONGEST_SCENE else self._frames(shared, moment)
            lines, told = self._lines(shared, moment), 0
            early, log = len(self.room.too_soon(moment)), newest_first(shared.log) if frames else {}
            for frame in frames:
                if early + frame.told > told:
                    shared.log.update(entry for line in lines[told : early + frame.told] for entry in line.items())
                    told, log = early + frame.told, newest_first(shared.log)
                shown = {**drawn_in(frame), "log": log}
                places = {"phases": self._strip(shared, self.view(moment + 1))} if frame.begins else {}
                pictures.append(Picture(shown, frame.lasts(self.room.state.settings.pace), places))
            shared.log.update(entry for line in lines[told:] for entry in line.items())
        for old in list(shared.log)[:-LOG_LINES]:
            del shared.log[old]
        shared.logged = moments
        return pictures

    def _frames(self, shared: Shared, moment: int) -> list[boards.Frame]:
        return boards.scene(self.view(moment), self.view(moment + 1), self._heard(moment), shared.game_say)

    def _heard(self, moment: int) -> Played | None:
        """The action that ended a moment, as everybody may hear of it."""
        return self.room.heard(moment + 1, None)

    def _lines(self, shared: Shared, moment: int) -> list[dict[str, str]]:
        """What everybody is told of the action that ended a moment, line by line; a heading belongs to its first."""
        before, after = self.view(moment), self.view(moment + 1)
        lines: list[dict[str, str]] = []
        early = [too_soon(shared.log_say.name(seat), shared.say) for seat in self.room.too_soon(moment)]
        told = early + happened(before, after, self._heard(moment), shared.log_say)
        chapter = before.game.words.chapter(before, shared.log_say)
        for line, sentence in enumerate(told):
            name = f"log-{moment}-{line}"
            lines.append({name: tag("li", with_signs(sentence), id=name)})
        if told and chapter != shared.chapter:
            shared.chapter, name = chapter, f"chapter-{moment}"
            lines[0] = {name: tag("li", chapter, id=name, class_="chapter"), **lines[0]}
        return lines

    def _write_chat(self, shared: Shared) -> None:
        line = Markup('<li id="{}"><span class="speaker">{}</span> {}</li>')
        watching = Markup('<li id="{}"><span class="speaker">{}</span> <span class="facts">({})</span> {}</li>')
        known, shared.chat = shared.chat, {}
        for said in self.room.state.chat[-CHAT_LINES:]:
            name = line_name(said)
            shared.chat[name] = known.get(name) or (
                line.format(name, signed(said.seat, said.name), said.text)
                if said.seat is not None
                else watching.format(name, said.name, shared.say("watching"), said.text)
            )

    def _unmuted(self, shared: Shared, muted: frozenset[int]) -> Part:
        """What everybody sees, without what is said by those of whom somebody reads no more."""
        if not muted:
            return shared.part
        silent = {line_name(said) for said in self.room.state.chat if said.speaker in muted}
        chat = {name: line for name, line in shared.chat.items() if name not in silent}
        return Part(self._places(shared), {**self._lists(shared), "chat": chat})

    def _draw(self, shared: Shared) -> None:
        view = self.view()
        if shared.pieces_of is not view:
            shared.pieces = by_list("pieces", view, self.room.state.game.picture.pieces(view, shared.game_say))
            shared.pieces_of = view

    # What one seat sees

    def _screen(self, shared: Shared, seat: int | None, muted: frozenset[int]) -> Screen:
        room = self.room
        places, lists = {"notice": self._notice(shared, seat)}, {}
        if room.state.match is None:
            places |= self._gathering(shared, seat)
        else:
            view = room.view(seat)
            places |= self._asked(shared, view)
            lists = self._own(view, shared.game_say)
        kind = f"{shared.say.language} {room.state.phase} {seat} {room.state.next_room}"
        shared.own[seat] = unless_same(shared.own.get(seat), Part(places, lists))
        return Screen(kind, self._unmuted(shared, muted), shared.own[seat])

    def _marked(self, view: View, say: Say) -> Pieces:
        """What shows that the view of a plan is one, where the game draws that."""
        mark_plan = getattr(view.game.picture, "planned", None)
        return mark_plan(self.room.view(view.seat), view, say) if mark_plan else {}

    def _own(self, view: View, say: Say, below: Pieces | None = None) -> dict[str, Mapping[str, str]]:
        """The pieces that the seat alone sees, with its private guesses where the game draws them."""
        picture = self.room.state.game.picture
        drawn = picture.own(view, say)
        if below:
            drawn = {board: {**below.get(board, {}), **pieces} for board, pieces in drawn.items()}
        if view.seat is not None and hasattr(picture, "guesses"):
            guessed = picture.guesses(view, self.room.notes(view.seat), say)
            drawn = {board: {**drawn.get(board, {}), **guessed.get(board, {})} for board in {**drawn, **guessed}}
        return by_list("own", view, drawn)

    def _gathering(self, shared: Shared, seat: int | None) -> dict[str, str]:
        all_chairs, room = self.chairs(shared.say.language), self.room
        free = sum(chair.free for chair in all_chairs)
        host = seat is not None and all_chairs[seat].host
        waited = [chair.name for chair in all_chairs if not chair.ready]
        values = {"chairs": all_chairs, "room": room, "me": seat, "host": host, "full": not free, "waited": waited}
        values["say"] = shared.say
        prompt = shared.say("Everybody is here.")
        if free:
            prompt = shared.say.many("{count} seat is free.", "{count} seats are free.", free)
        return {
            "prompt": asked(shared, prompt, watching=seat is None),
            "gathering": markup(
                "gathering.html", levels=LEVELS, friendly=FRIENDLY, level_names=level_names(shared.say), **values
            ),
            "foot": markup("foot.html", **values),
        }

    def _notice(self, shared: Shared, seat: int | None) -> str:
        room, language = self.room, shared.say.language
        taken_over = seat is not None and room.state.phase == "playing" and room.state.places[seat].taken
        return kept("notice.html", language, code=room.id, damaged=bool(room.fault), taken_over=taken_over)

    def _asked(self, shared: Shared, view: View) -> dict[str, str]:
        if self.room.state.phase == "over":
            return self._ended(shared, view)
        decision = self._decision(shared, view)
        mine = decision.prompt_id is not None
        return {
            "prompt": self._prompt(shared, view, decision),
            "actions": decision.form,
            "scales": scales(shared, view) if mine else Markup(),
            "coach": decision.coach,
            "notes": editor(self.room, view, shared.game_say),
        }

    def _prompt(self, shared: Shared, view: View, decision: Decision) -> str:
        """What is asked. Who only waits hears what everybody hears who does, but where whoever comes first acts."""
        if decision.prompt_id is not None:
            until = self._until(view, mine=True)
            return asked(shared, decision.sentence, until=until, mine=True, secret=decision.secret)
        heard, watching = view if view.open else self.view(), view.seat is None
        if (heard.seat, watching) not in shared.waiting:
            sentence, until = heard.game.words.prompt(heard, shared.game_say), self._until(view, mine=False)
            shared.waiting[heard.seat, watching] = asked(shared, sentence, until=until, watching=watching)
        return shared.waiting[heard.seat, watching]

    def _decision(self, shared: Shared, view: View) -> Decision:
        if view.seat is None:
            return NOTHING
        prompt_id, known = self.room.prompt_id(view.seat), shared.decisions.get(view.seat)
        if known is None or known.prompt_id != prompt_id:
            known = shared.decisions[view.seat] = self._opened(shared, view, prompt_id)
        return known

    def _opened(self, shared: Shared, view: View, prompt_id: int | None) -> Decision:
        """A decision that has just opened; None: the seat owes nothing."""
        actions = self._form(shared, view, prompt_id)
        if prompt_id is None:
            return NOTHING._replace(form=actions)
        sentence = view.game.words.prompt(view, shared.game_say)
        return Decision(prompt_id, sentence, actions, self._coach(shared, view), secret(view))

    def _coach(self, shared: Shared, view: View) -> str:
        """The line for a kind of decision: one that differs in its verbs."""
        line = view.game.words.coach(view, shared.game_say)
        kind = f"{view.game.name} {verbs(view.game, view.legal)} {view.table.phase}"
        said = kept("coach.html", shared.say.language, line=line and LINE, kind=kind, long=len(line) > LONG)
        return put(said, {LINE: line})

    def _until(self, view: View, mine: bool) -> int:
        """When patience ends with the seat that is asked, or with the first that is awaited: milliseconds, or 0."""
        ends = [self._end(seat) for seat in ((view.seat,) if mine else view.to_act)]
        return min((end for end in ends if end), default=0)

    def _end(self, seat: int | None) -> int:
        """The same for one seat."""
        assert seat is not None
        ends = self.room.caretaker.until(seat)
        return round(ends) * 1000 if ends else 0

    def _form(self, shared: Shared, view: View, prompt_id: int | None, steps: str = "[]", *, open_: bool = True) -> str:
        asked_now, language = open_ and prompt_id is not None, shared.say.language
        written = self._written(shared, view, steps) if asked_now else form(language, SHUT, steps)
        return put(written, {CODE: self.room.id, PROMPT: str(prompt_id)})

    def _written(self, shared: Shared, view: View, steps: str) -> Markup:
        """What may be played, as a form: what others, or who was asked before, read in the same words is kept."""
        tried = steps != "[]"
        known = None if tried else words_key(view)
        if known in shared.forms:
            return shared.forms[known]
        written = form(shared.say.language, opened(view, shared.game_say, tried=tried), steps)
        if known is not None:
            shared.forms[known] = written
            if len(shared.forms) > FORMS:
                del shared.forms[next(iter(shared.forms))]
        return written

    @cached_property
    def _settled(self) -> int:
        """The moment that settled a match that is over."""
        assert self.room.state.match is not None
        return settled(self.room.state.match)

    def _ended(self, shared: Shared, view: View) -> dict[str, str]:
        """The last screen: everybody's row, one's own first and open."""
        sentence = view.game.words.prompt(view, shared.game_say)
        sitting = self.chairs(shared.say.language)
        rows = sorted(sitting, key=lambda chair: (chair.number != view.seat, chair.place, chair.number))
        scoring = view.game.words.scoring
        final = [
            {"chair": row, "own": row.number == view.seat, "scoring": scoring(view, row.number, shared.game_say)}
            for row in rows
        ]
        level = self.room.stronger(view.seat)
        offer = explained_level(level, shared.say) if level else None
        values = {"say": shared.say, "room": self.room, "me": view.seat, "stronger": offer}
        moment, lines = turning(self.room, self._settled, shared.log_say)
        values |= {"moment": moment, "turning": [with_signs(line) for line in lines]}
        return {
            "prompt": asked(shared, sentence, watching=view.seat is None),
            "final": markup("over.html", final=final, **values),
            "foot": markup("foot.html", **values),
        }


@lru_cache(maxsize=1024)
def form(language: str, doors: Doors, steps: str) -> Markup:
    """The form of what may be played: most tables ask the same."""
    return markup("actions.html", say=site_say(language), code=CODE, prompt_id=PROMPT, steps=steps, **doors._asdict())


@lru_cache(maxsize=4096)
def verbs(game: Game, numbers: tuple[int, ...]) -> str:
    """The verbs among actions."""
    return " ".join(sorted({game.actions.verb(number).name for number in numbers}))


def asked(shared: Shared, sentence: str, *, until: int = 0, **more: bool) -> str:
    """What is asked, or whom everybody waits for."""
    values = {"mine": False, "secret": False, "watching": False, "timed": bool(until), **more}
    said = kept("prompt.html", shared.say.language, sentence=SENTENCE, **values)
    return put(said, {SENTENCE: sentence, CLOCK: str(until)})


def scales(shared: Shared, view: View) -> Markup:
    """The sliders of a plan, in a game that has such."""
    found = getattr(view.game.words, "scales", lambda view, say: ())(view, shared.game_say)
    return kept("scales.html", shared.say.language, scales=tuple(found)) if found else Markup()


def line_name(said: Said) -> str:
    """The name of a line of chat: places move when old lines are forgotten, times do not."""
    return f"chat-{said.at * 1e6:.0f}"


def by_list(kind: str, view: View, drawn: Pieces) -> dict[str, Mapping[str, str]]:
    """The pieces of every board as a list of the page: `pieces-main`, `own-hand`."""
    return {f"{kind}-{board}": drawn.get(board, {}) for board in view.game.picture.BOARDS}


def drawn_in(frame: boards.Frame) -> dict[str, Mapping[str, str]]:
    """The lists of the boards that a frame draws: the others stay as they were."""
    return {f"pieces-{board}": pieces for board, pieces in frame.draw().items()}


def newest_first(log: Mapping[str, str]) -> dict[str, str]:
    """The log as it is shown: the newest line first, each chapter under its heading."""
    chapters: list[list[str]] = []
    for name in log:
        if name.startswith("chapter-") or not chapters:
            chapters.append([name] if name.startswith("chapter-") else ["", name])
        else:
            chapters[-1].append(name)
    order = [name for heading, *lines in reversed(chapters) for name in ([heading] if heading else []) + lines[::-1]]
    return {name: log[name] for name in order}


def inner(line: str) -> str:
    """A line of the log without its element."""
    return Markup(line[line.index(">") + 1 : -len("</li>")]) if line else Markup()


def happened(before: View, after: View, played: Played | None, say: Say) -> list[str]:
    """What happened between two views, in words."""
    return before.game.words.events(before, after, played, say)  # type: ignore[no-any-return]
