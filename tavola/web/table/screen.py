"""Screens of a room: a shared part per language, an own part per seat, and the scenes between them.

Nothing is rendered twice: every cache is in `SharedScreen`, with a comment that says what invalidates it.
"""

import weakref
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from json import dumps
from typing import Any, NamedTuple

from cachetools import FIFOCache
from markupsafe import Markup

from tavola.bots import LEVELS
from tavola.core import Moment, View
from tavola.core.plan import Plan
from tavola.live import Room
from tavola.live.log.occupants import CAST
from tavola.live.log.room_settings import SETTINGS
from tavola.live.room import Glimpses
from tavola.show.board import Pieces
from tavola.show.cards import picture_of, words_of
from tavola.show.pictures import scene
from tavola.show.speech import Say
from tavola.show.svg import fill_marks, tag
from tavola.web.render import game_say, render_cached, render_filled, render_fragment
from tavola.web.requests.cost import give_way
from tavola.web.requests.visitor import site_say
from tavola.web.site_words import FIRST_LEVEL, level_names
from tavola.web.table import choices, turn
from tavola.web.table.fragments import (
    NO_SCENE,
    FragmentSet,
    Scene,
    SceneFrame,
    Screen,
    frame_lists,
    make_scene,
    merged_pieces,
    pieces_by_list,
    reuse_equal,
)
from tavola.web.table.log_lines import (
    Recent,
    inner_markup,
    judged_at,
    newest_first,
    race_lines,
    said_entries,
    sentence_before,
    undone_entries,
    whispered_entries,
)
from tavola.web.table.player_panels import (
    TEMPERS,
    LogSay,
    PlayerPanel,
    panel_markup,
    player_panels,
    with_seals,
)
from tavola.web.table.story import Story, remembered_match, story_of_match, story_values
from tavola.web.talk.chat import Whisper, chat_line_id, folded, own_statements, talk_column
from tavola.web.talk.composing import asked_markup, window_values
from tavola.web.talk.promises import insert_reveal, promises_at_seats, words_story

LOG_LINES = 40
MOST_FORMS = 64
"""Maximum cached forms of decisions; many are needed again in the next round."""
LONGEST_SCENE = 24
"""Maximum actions that are shown one after the other; of more, only the final state is shown."""

Viewer = tuple[int | None, frozenset[int]]
"""A seat, None for a spectator, and the speakers whom its reader has muted."""

RoomKey = tuple[int, int, int, Hashable]
"""Numbers of events, of public actions and of changes of presence in a room, and what time alone has changed."""


class Decision(NamedTuple):
    """What a seat has to decide: the question, the form of actions, its sliders, the coach's line, and if it is secret.

    `prompt_id` is None if the seat has nothing to decide; `only`: there is only one possible answer. `seen`: what the
    rest follows from, so that it holds for a later decision in which the seat sees the same; `actions` is the form with
    the number of this one.
    """

    prompt_id: int | None
    sentence: str
    form: str
    scales: Markup
    coach: str
    secret: bool
    only: bool = False
    seen: object = None
    actions: Markup = Markup()


NOTHING_ELSE: Mapping[str, str] = {}
NO_DECISION = Decision(None, "", "", Markup(), "", False)


@dataclass
class SharedScreen:
    """The part of the screen that everyone sees in one language. A change of names, or an undo, invalidates it."""

    say: Say
    game_say: Say
    log_say: Say
    table: object  # the names at the table, and how many decisions have been taken back
    key: RoomKey | None = None  # state of the room when the part was made
    fragments: FragmentSet = field(default_factory=lambda: FragmentSet({}, {}))
    scene: weakref.ref[Scene] = field(default_factory=lambda: weakref.ref(NO_SCENE))  # the one that led to this part

    # Grow with the match.
    forms: FIFOCache[object, Markup] = field(default_factory=lambda: FIFOCache(MOST_FORMS))  # by what they depend on
    log: dict[str, str] = field(default_factory=dict)  # lines by id, the oldest first; the last LOG_LINES
    glimpses: Glimpses = field(default_factory=Glimpses)  # which scenes are shown
    logged_moments: int = -1  # noticeable actions in the log; -1 before any
    chapter: str = ""  # heading of the last line
    own_log: dict[int, dict[str, str]] = field(default_factory=dict)  # by seat: lines that it reads differently, by id
    talk: dict[str, str | Whisper] = field(default_factory=dict)  # last lines by id
    chat: dict[str, str] = field(default_factory=dict)  # the same with whispers folded

    chairs: list[PlayerPanel] = field(default_factory=list)  # as last shown

    # Valid for the view that they were drawn from.
    pieces: dict[str, Mapping[str, str]] = field(default_factory=dict)
    pieces_view: View | None = None

    # Each is valid until the seat is shown something else.
    seat_fragments: dict[int | None, FragmentSet] = field(default_factory=dict)

    # Each is valid while the seat sees the same.
    own_pieces: dict[int | None, tuple[object, dict[str, Mapping[str, str]]]] = field(default_factory=dict)

    # Invalid after every change of the room.
    screens: dict[Viewer, Screen] = field(default_factory=dict)
    viewers: set[Viewer] = field(default_factory=set)  # since the last change
    waiting_prompts: dict[object, str] = field(default_factory=dict)  # by seat of the view and whether it watches

    # Each is valid for its decision, whatever its number: the words of an open one stay while others decide.
    decisions: dict[int, Decision] = field(default_factory=dict)


class RoomScreens:
    """The screens of one room."""

    def __init__(self, room: Room) -> None:
        self.room: Room = weakref.proxy(room)  # the site's weak dictionary must not keep rooms alive
        self._shared: dict[str, SharedScreen] = {}
        self._views: dict[int, View] = {}
        self._recent = Recent(self.room)
        self._decided, self._decided_until, self._undone = set[int](), -1, 0
        self.story: Story | None = None  # of a finished match, once known

    @property
    def awaits_story(self) -> bool:
        return self.story is None and self.room.state.phase == "over"

    async def prepare(self, language: str) -> None:
        """Write the log of a room in a language that no one has used yet; other tasks run after every line.

        A long log is expensive: a task that has used its share of computing time is paused.
        """
        if self.room.state.match is None:
            return
        shared = self._shared_part(language)
        if shared.logged_moments >= 0:
            return
        shared.logged_moments = max(0, self.room.moments - LOG_LINES)
        while shared.logged_moments < self.room.moments:
            moment = shared.logged_moments
            for line in self._log_lines(shared, moment)[0]:
                shared.log.update(line)
            shared.logged_moments += 1
            await give_way()

    def screen(self, language: str, seat: int | None, muted: frozenset[int] = frozenset()) -> Screen:
        """Return what a seat sees now in a language; None is a spectator. `muted`: speakers whose lines are hidden."""
        shared, looker = self._shared_screen(language), (seat, muted)
        shared.viewers.add(looker)
        if looker not in shared.screens:
            shared.screens[looker] = self._screen(shared, *looker)
        return shared.screens[looker]

    def scene(self, language: str, before: Screen | None) -> Scene | None:
        """Return the scene from a viewer's previous screen to the present one; None if there is none."""
        scene = self._shared_screen(language).scene()
        return scene if scene is not None and before is not None and scene.leads_from(before) else None

    def plan_screen(self, language: str, plan: Plan, codes: Sequence[str], prompt_id: int) -> Screen:
        """Return what a seat would see after steps that it tries; the match does not change."""
        shared, view, seat = self._shared_screen(language), plan.view, plan.view.seat
        screen = self.screen(language, seat)
        if not codes:
            return screen
        picture, say = picture_of(view.game), shared.game_say
        lists = {**self._shared_lists(shared), **pieces_by_list("pieces", view, picture.pieces(view.public(), say))}
        on = not plan.stop and choices.may_continue_plan(view)
        form = self._form(shared, view, prompt_id, dumps(codes), open_=on)
        places = {**screen.own.slots, "actions": choices.with_prompt(form, prompt_id)}
        places["scales"] = choices.scales_markup(view, shared.game_say) if on else Markup()
        if on:
            sentence, clock = words_of(view.game).prompt(view, say), turn.deadline(self.room, view, mine=True)
            secret = choices.is_secret_ballot(view)
            places["prompt"] = turn.prompt_markup(shared.say.language, sentence, mine=True, secret=secret, clock=clock)
        own = self._seat_lists(view, say, picture.plan_pieces(self.room.view(view.seat), view, say))
        return Screen(screen.kind, FragmentSet(self._shared_slots(shared), lists), FragmentSet(places, own))

    def player_panels(self, language: str) -> list[PlayerPanel]:
        view = self.view() if self.room.state.match is not None else None
        say = self._shared_part(language).game_say
        decided = {*self._decided, *self.room.state.sealed}
        return player_panels(self.room, view, decided, language, promises_at_seats(self.room, say, None))

    def view(self, at: int | None = None) -> View:
        """Return the public view after `at` actions; the last two are cached."""
        moment = self.room.moments if at is None else at
        known = self._views.get(moment)
        # A sealed answer is not an action, but it changes who has to act.
        if known is None or (moment == self.room.moments and known.to_act != self.room.view(None).to_act):
            self._views[moment] = self.room.view(None, moment)
            for other in [known for known in self._views if not moment - 1 <= known <= moment]:
                del self._views[other]
        return self._views[moment]

    def _shared_part(self, language: str) -> SharedScreen:
        """Return the shared part in a language, not refreshed; a new one if there is none or a name has changed."""
        names, undone = tuple(self.room.names), len(self.room.state.undone)
        shared = self._shared.get(language)
        if shared is None or shared.table != (names, undone):
            game = self.room.state.game
            plain, signs = game_say(game, language, names), LogSay.of(game, language, names)
            shared = self._shared[language] = SharedScreen(site_say(language), plain, signs, (names, undone))
        if undone != self._undone:
            self._undone, self._decided_until = undone, -1
            self._recent = Recent(self.room)
            self._views.clear()
            self._decided.clear()
        return shared

    def _shared_screen(self, language: str) -> SharedScreen:
        shared = self._shared_part(language)
        key = self.room.state.seq, self.room.moments, self.room.presence.changes, turn.time_key(self.room)
        if shared.key != key:
            shown, shared.screens = shared.screens, {}
            self._refresh(shared)
            known = shown if self._is_ballot(shared.key, key) else {}
            shared.key = key
            if not self.awaits_story:
                # All recent viewers at once: faster than each when it is sent, as the processor's caches stay warm.
                looked, shared.viewers = shared.viewers, set()
                for looker in looked:
                    shared.screens[looker] = self._screen(shared, *looker, known.get(looker))
        return shared

    def _is_ballot(self, before: RoomKey | None, now: RoomKey) -> bool:
        """Return whether nothing has changed, except that a seat has voted in secret while others still decide."""
        state = self.room.state
        if before is None or state.match is None or now != (before[0] + 1, before[1] + 1, *before[2:]):
            return False
        (seat, number), picture = state.match.history[-1], picture_of(state.game)
        secret = seat in self._decided and state.game.actions.is_secret[number] and not state.settings.days
        return bool(secret) and picture.since_pieces is None

    def _refresh(self, shared: SharedScreen) -> None:
        before, pictures = shared.fragments, []
        shared.waiting_prompts.clear()
        if self.room.state.match is not None:
            self._update_decided()
            pictures, view = self._append_log(shared), self.view()
            if shared.pieces_view is not view:
                drawn = picture_of(view.game).pieces(view, shared.game_say)
                shared.pieces, shared.pieces_view = pieces_by_list("pieces", view, drawn), view
        shared.talk = talk_column(self.room, shared.chat, shared.say, shared.log_say)
        shared.chat = folded(shared.talk, shared.say, shared.log_say)
        shared.fragments = reuse_equal(before, FragmentSet(self._shared_slots(shared), self._shared_lists(shared)))
        if pictures or shared.fragments is not before:  # changes that no one here can notice do not end a scene
            shared.scene = weakref.ref(make_scene(before, pictures) or NO_SCENE)

    def _shared_slots(self, shared: SharedScreen, own_log: Mapping[str, str] = NOTHING_ELSE) -> dict[str, str]:
        if self.room.state.match is None or self.room.state.phase == "over":
            return {}
        log = ((name, text) for name, text in reversed(shared.log.items()) if name.startswith("log-"))
        last = next((own_log.get(name, text) for name, text in log), "")
        chosen, pace = self.room.state.settings.pace, SETTINGS["pace"]
        paces = tuple((each, pace.words(each, shared.say)[0]) for each in pace.choices)
        return {
            "phases": self._phase_strip(shared, self.view()),
            "ticker": inner_markup(last),
            "pace": render_filled("pace.html", shared.say.language, {"code": self.room.id}, pace=chosen, paces=paces),
        }

    def _phase_strip(self, shared: SharedScreen, view: View) -> Markup:
        words, say = words_of(view.game), shared.game_say
        values: dict[str, Any] = {"phases": tuple(words.phases(view, say)), "chapter": words.chapter(view, say)}
        values |= turn.post_values(self.room, shared.say)
        return render_cached("phases.html", shared.say.language, **values)

    def _shared_lists(self, shared: SharedScreen) -> dict[str, Mapping[str, str]]:
        if self.room.state.match is None:
            return {"chat": shared.chat}
        language = shared.say.language
        shared.chairs = self.player_panels(language)
        players = {f"player-{chair.number}": panel_markup(chair, language) for chair in shared.chairs}
        return {"players": players, "chat": shared.chat, **shared.pieces, "log": newest_first(shared.log)}

    def _update_decided(self) -> None:
        """Note who has decided while a decision is still open for others: that is public, the choice is not."""
        moments = self.room.moments
        first = self._decided_until if self._decided_until >= 0 else max(0, moments - len(self.room.names))
        for moment in range(first, moments):
            actor, before = self.room.state.actor(moment + 1), self.view(moment).to_act
            after = self.view(moment + 1).to_act
            if after and set(after) == set(before) - {actor}:
                self._decided.add(actor)
            else:
                self._decided.clear()
        self._decided_until = moments

    # What happened

    def _append_log(self, shared: SharedScreen) -> list[SceneFrame]:
        """Add what has happened to the log; return the frames that show it, if all of it can be shown."""
        moments, fresh = self.room.moments, shared.logged_moments < 0
        first = max(0, moments - LOG_LINES) if fresh else shared.logged_moments
        pictures: list[SceneFrame] = []
        for moment in range(first, moments):
            step = self.view(moment), self.view(moment + 1), self.room.state.heard_action(moment + 1, None)
            recent = not fresh and moments - first <= LONGEST_SCENE
            shown_now = recent and shared.glimpses.admits(self.room.state.haste, *step)
            frames = scene(*step, shared.game_say) if shown_now else []
            (lines, early), told = self._log_lines(shared, moment), 0
            log = newest_first(shared.log) if frames else {}
            pace, follows = self.room.state.settings.pace, self.room.state.continues_turn(moment + 1)
            reveals = any(frame.closed for frame in frames)
            for frame in frames:
                if early + frame.log_lines > told:
                    shared.log.update(entry for line in lines[told : early + frame.log_lines] for entry in line.items())
                    told, log = early + frame.log_lines, newest_first(shared.log)
                shown = {**frame_lists(frame), "log": log}
                places = {"phases": self._phase_strip(shared, self.view(moment + 1))} if frame.begins else {}
                sentence = "" if told else sentence_before(lines, shared.say, reveals=reveals)
                lasts = frame.duration(pace, follows=follows)
                pictures.append(SceneFrame(shown, lasts, places, frame.closed, sentence, frame.sound))
            if shown_now:
                insert_reveal(self.room, shared.chairs, moment + 1, shared.game_say, pictures, frames)
            shared.log.update(entry for line in lines[told:] for entry in line.items())
        shared.log |= undone_entries(self.room.state, moments, shared.say, shared.log_say)
        for old in list(shared.log)[:-LOG_LINES]:
            del shared.log[old]
        shared.logged_moments = moments
        return pictures

    def _log_lines(self, shared: SharedScreen, moment: int) -> tuple[list[dict[str, str]], int]:
        """Return the public lines about the action that ended a moment, and how many of them are about a race.

        A heading belongs to the first line.
        """
        before, after = self.view(moment), self.view(moment + 1)
        race, lines = race_lines(self.room.state, moment, shared.say, shared.log_say), list[dict[str, str]]()
        events = words_of(before.game).events(
            before, after, self.room.state.heard_action(moment + 1, None), shared.log_say
        )
        for seat, own in whispered_entries(self.room, moment, len(race), events, shared.log_say).items():
            shared.own_log.setdefault(seat, {}).update(own)
        state = self.room.state
        told = [*race, *events, *judged_at(state.talk, state.moment_at(moment + 1), shared.log_say, None)]
        chapter = words_of(before.game).chapter(before, shared.log_say)
        for line, sentence in enumerate(told):
            name, class_ = f"log-{moment}-{line}", "race" if line < len(race) else None
            lines.append({name: tag("li", with_seals(sentence), id=name, class_=class_)})
        if lines:
            undone = undone_entries(self.room.state, moment, shared.say, shared.log_say)
            lines[0] = {**undone, **said_entries(self.room.state, moment, shared.log_say), **lines[0]}
        if told and chapter != shared.chapter:
            shared.chapter, name = chapter, f"chapter-{moment}"
            lines[0] = {name: tag("li", chapter, id=name, class_="chapter"), **lines[0]}
        return lines, len(race)

    def _for_reader(self, shared: SharedScreen, seat: int | None, muted: frozenset[int]) -> FragmentSet:
        """Return the shared part for one reader: with whispers to their seat, without speakers they have muted."""
        own = own_statements(self.room, shared.say, shared.log_say, seat)
        panels = self._own_panels(shared, seat)
        whispers = shared.own_log.get(seat, {}) if seat is not None else {}
        log = {name: line for name, line in whispers.items() if name in shared.log}
        if not muted and not own and not panels and not log:
            return shared.fragments
        chat_for = self.room.state.chat_for
        silent = {*map(chat_line_id, chat_for(()))} - {*map(chat_line_id, chat_for(muted))}
        heard = {name: own.get(name, line) for name, line in shared.talk.items() if name not in silent}
        chat = folded(heard, shared.say, shared.log_say)
        lists = dict(shared.fragments.lists)
        if panels:
            lists["players"] = {name: panels.get(name, panel) for name, panel in lists["players"].items()}
        if log:
            lists["log"] = {name: log.get(name, line) for name, line in lists["log"].items()}
        return FragmentSet(self._shared_slots(shared, log), {**lists, "chat": chat}, whispers=True)

    def _own_panels(self, shared: SharedScreen, seat: int | None) -> dict[str, str]:
        """Return the panels with promises that were whispered to or by a seat, by name."""
        talk = self.room.state.talk
        if talk is None or seat is None or all(said.is_heard_by(None) for said in talk.said if said.is_heard_by(seat)):
            return {}
        words, panels = promises_at_seats(self.room, shared.game_say, seat), dict[str, str]()
        for chair in self.player_panels(shared.say.language):
            own = words.get(chair.number, "")
            if own != chair.words:
                panels[f"player-{chair.number}"] = panel_markup(chair._replace(words=own), shared.say.language)
        return panels

    # What one seat sees

    def _screen(
        self, shared: SharedScreen, seat: int | None, muted: frozenset[int], known: Screen | None = None
    ) -> Screen:
        """Return the screen of a viewer; `known`: the one before, if all that has changed since is a secret ballot."""
        room = self.room
        if (match := room.state.match) is None:
            own = FragmentSet(self._gathering_slots(shared, seat), {})
        elif known is not None and seat != match.history[-1][0]:
            own = FragmentSet({**known.own.slots, **self._changing_slots(shared, room.view(seat))}, known.own.lists)
        else:
            view = room.view(seat)
            own = FragmentSet(self._decision_slots(shared, view), self._kept_seat_lists(shared, view))
        kind = f"{shared.say.language} {room.state.phase} {seat} {room.state.next_room}"
        shared.seat_fragments[seat] = reuse_equal(shared.seat_fragments.get(seat), own)
        read = self._for_reader(shared, seat, muted)
        public = None if read is shared.fragments else shared.fragments
        return Screen(kind, read, shared.seat_fragments[seat], public)

    def _kept_seat_lists(self, shared: SharedScreen, view: View) -> dict[str, Mapping[str, str]]:
        """Return the pieces that only the seat sees, drawn again only if it sees something else."""
        if picture_of(view.game).since_pieces is not None:  # they follow from what others have done, too
            return self._seat_lists(view, shared.game_say)
        seen = view.key, view.to_act, view.legal, () if view.seat is None else self.room.state.guesses_of(view.seat)
        known, lists = shared.own_pieces.get(view.seat, (None, {}))
        if known != seen:
            lists = self._seat_lists(view, shared.game_say)
            shared.own_pieces[view.seat] = seen, lists
        return lists

    def _seat_lists(self, view: View, say: Say, *below: Pieces) -> dict[str, Mapping[str, str]]:
        """Return the pieces that only the seat sees: with its guesses, and with what was done to it."""
        picture = picture_of(self.room.state.game)
        layers = [*below, picture.own_pieces(view, say)]
        if (seat := view.seat) is not None:
            layers.append(picture.guess_pieces(view, self.room.state.guesses_of(seat), say))
            if picture.since_pieces is not None:
                layers.append(picture.since_pieces(view, self._recent.since_own_action(seat), say))
        return pieces_by_list("own", view, merged_pieces(*layers))

    def _gathering_slots(self, shared: SharedScreen, seat: int | None) -> dict[str, str]:
        all_chairs, room = self.player_panels(shared.say.language), self.room
        free = sum(chair.free for chair in all_chairs)
        host = seat is not None and all_chairs[seat].host
        levels = room.server.settings.levels
        outside = [chair.level for chair in all_chairs if chair.level and chair.level not in levels]
        values = {"say": shared.say, "room": room, "chairs": all_chairs, "me": seat, "host": host}
        values |= {
            "full": not free,
            "waited": [chair.name for chair in all_chairs if not chair.ready],
            "swaps": host and not room.state.is_rematch and len(all_chairs) > 1,
            "cast": CAST,
            "tempers": TEMPERS,
            "seated": {chair.name: chair.number for chair in all_chairs if chair.level},
            "level_names": level_names(shared.say, (*levels, *outside)),
        }
        prompt = shared.say("Everyone’s here.")
        if free:
            prompt = shared.say.many("{count} seat is free.", "{count} seats are free.", free)
        return {
            "notice": self._notice(shared, seat),
            "prompt": turn.prompt_markup(shared.say.language, prompt, watching=seat is None),
            "gathering": render_fragment("gathering.html", levels=levels, friendly=FIRST_LEVEL, **values),
            "foot": render_fragment("foot.html", **values),
        }

    def _notice(self, shared: SharedScreen, seat: int | None) -> str:
        room, language = self.room, shared.say.language
        values = {
            **turn.aside_values(room, seat, shared.say, shared.game_say),
            **window_values(room, seat, shared.game_say),
        }
        return render_cached("notice.html", language, code=room.id, damaged=bool(room.fault), **values)

    def _decision_slots(self, shared: SharedScreen, view: View) -> dict[str, str]:
        notice = {"notice": self._notice(shared, view.seat)}
        if self.room.state.phase == "over":
            return notice | self._result_slots(shared, view)
        decision = self._decision(shared, view)
        return {
            **notice,
            "actions": decision.actions,
            "scales": decision.scales,
            "coach": decision.coach,
            "ahead": choices.ahead_markup(self.room, view, shared.say, shared.game_say),
            "notes": choices.guess_editor(self.room, view, shared.game_say),
            **self._changing_slots(shared, view),
        }

    def _changing_slots(self, shared: SharedScreen, view: View) -> dict[str, str]:
        """Return the slots of a seat that change when another votes in secret."""
        asked = turn.asked_seat(self.room, view.seat)
        return {
            "prompt": self._prompt(shared, view, self._decision(shared, view)),
            "asked": asked_markup(self.room, shared.chairs, shared.say, shared.log_say, asked),
            "undo": turn.undo_markup(self.room, asked, shared.say.language),
        }

    def _prompt(self, shared: SharedScreen, view: View, decision: Decision) -> str:
        language = shared.say.language
        if decision.prompt_id is not None:
            clock, secret, only = turn.deadline(self.room, view, mine=True), decision.secret, decision.only
            return turn.prompt_markup(language, decision.sentence, clock=clock, mine=True, secret=secret, only=only)
        watching = turn.asked_seat(self.room, view.seat) is None
        heard = view if view.open and not watching else self.view()
        if (key := (heard.seat, watching)) not in shared.waiting_prompts:
            sentence, absent = words_of(heard.game).prompt(heard, shared.game_say), turn.absent_name(self.room)
            clock = turn.deadline(self.room, view, mine=False)
            waiting = turn.prompt_markup(language, sentence, clock=clock, absent=absent, watching=watching)
            shared.waiting_prompts[key] = waiting
        return shared.waiting_prompts[key]

    def _decision(self, shared: SharedScreen, view: View) -> Decision:
        seat = turn.asked_seat(self.room, view.seat)
        if seat is None:
            return NO_DECISION
        prompt_id, known = self.room.prompt_id(seat), shared.decisions.get(seat)
        if known is None or known.prompt_id != prompt_id:
            seen = view.key, view.legal, prompt_id is None
            if known is None or known.seen != seen:
                known = self._make_decision(shared, view, prompt_id)
            actions = choices.with_prompt(known.form, prompt_id)
            known = shared.decisions[seat] = known._replace(prompt_id=prompt_id, seen=seen, actions=actions)
        return known

    def _make_decision(self, shared: SharedScreen, view: View, prompt_id: int | None) -> Decision:
        """Return a decision that has just opened; `prompt_id` is None if the seat has nothing to decide."""
        actions = self._form(shared, view, prompt_id)
        if prompt_id is None:
            return NO_DECISION._replace(form=actions)
        sentence = words_of(view.game).prompt(view, shared.game_say)
        foreseen = words_of(view.game).foreseen(view)
        only = len(view.legal) == 1 and not view.open and (foreseen is None or len(foreseen.ballots) == 1)
        coach = "" if only else choices.coach_markup(view, shared.game_say)
        scales = choices.scales_markup(view, shared.game_say)
        return Decision(prompt_id, sentence, actions, scales, coach, choices.is_secret_ballot(view), only)

    def _form(
        self, shared: SharedScreen, view: View, prompt_id: int | None, steps: str = "[]", *, open_: bool = True
    ) -> str:
        written = choices.form_markup(shared.say.language, choices.NO_CHOICES, steps)
        filled = dict.fromkeys(choices.FORM_SLOTS, "") | {"code": self.room.id}
        if open_ and prompt_id is not None:
            written, say = self._choices_form(shared, view, steps), shared.game_say
            filled["does"], filled["ahead"] = choices.consequences_json(view, say), choices.ahead_json(view, say)
            filled["sensible"] = "|".join(map(view.game.actions.code, words_of(view.game).sensible(view)))
        return fill_marks(written, {choices.FORM_SLOTS[name]: text for name, text in filled.items()})

    def _choices_form(self, shared: SharedScreen, view: View, steps: str) -> Markup:
        """Return the form of choices; one in the same words is reused for other seats and later decisions."""
        tried = steps != "[]"
        known = None if tried else choices.choices_key(view)
        if known in shared.forms:
            return shared.forms[known]
        written = choices.form_markup(
            shared.say.language, choices.legal_choices(view, shared.game_say, tried=tried), steps
        )
        if known is not None:
            shared.forms[known] = written
        return written

    def _result_slots(self, shared: SharedScreen, view: View) -> dict[str, str]:
        """Return the slots of the last screen: a row for every seat, with the viewer's first and open."""
        words, sitting = words_of(view.game), self.player_panels(shared.say.language)
        final = [
            {"chair": row, "own": row.number == view.seat, "scoring": words.scoring(view, row.number, shared.game_say)}
            for row in sorted(sitting, key=lambda chair: (chair.number != view.seat, chair.rank, chair.number))
        ]
        level = self.room.state.next_level(view.seat)
        offer = (level, level_names(shared.say)[level], shared.say(LEVELS[level].description)) if level else None
        values = {"say": shared.say, "room": self.room, "me": view.seat, "stronger": offer}
        values["played"] = "" if view.seat is None else remembered_match(self.room, shared.say, sitting[view.seat])
        if self.story is None:
            assert self.room.state.match is not None
            self.story = story_of_match(self.room.state.match)
        values |= story_values(self.room, self.story, view.seat, shared.say, shared.game_say, shared.log_say)
        values["words"] = words_story(self.room, sitting, shared.say, shared.log_say, Moment(self.story.settled))
        sentence = words.prompt(view, shared.game_say)
        return {
            "prompt": turn.prompt_markup(shared.say.language, sentence, watching=view.seat is None),
            "final": render_fragment("over.html", final=final, **values),
            "foot": render_fragment("foot.html", **values),
        }
