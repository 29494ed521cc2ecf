"""Screens, what pages are sent of them, and stories: kept screens equal new ones, and old texts patched the new."""

import json
import random
import re
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markupsafe import Markup

from tavola.core import CHANCE, Match, PlayedAction, Result
from tavola.games import names
from tavola.games.expedition.network import ORIGIN, TARGET
from tavola.live import Hub, Person, Room, protocol
from tavola.live.commands.play import stays_done
from tavola.live.time.delays import Suspense
from tavola.show.board import Frame
from tavola.show.cards import words_of
from tavola.web.serve.sockets import difference_message
from tavola.web.table import story as stories
from tavola.web.table.fragments import FragmentSet, SceneFrame, Screen, Texts, frame_lists, make_scene
from tavola.web.table.log_lines import Recent
from tavola.web.table.patches import order_patch, text_patch
from tavola.web.table.screen import RoomScreens
from tavola.web.table.story import Effect, Story
from tests.helpers.rooms import PEOPLE, open_hub, play_legal, start_room, wait_until
from tests.helpers.site import Guest, Site, check_text
from tests.helpers.staged import random_match

PARTS = ["<p>", "</p>", '<b class="a">', '<b class="ab">', "so", "è", "\u2068Ada\u2069", "♟", "𝄞"]
FILLING = "<p>a</p>" * 25  # short texts are sent whole
texts = st.lists(st.sampled_from(PARTS)).map(lambda parts: FILLING + "".join(parts) + FILLING)
NOTHING = FragmentSet({}, {})


# Patches


def patched(before: str | list[str], patch: list) -> str | list[str]:
    """Apply a patch from its end to its beginning: the positions before stay what they were."""
    made = list(before)
    for start, end, part in reversed([patch[at : at + 3] for at in range(0, len(patch), 3)]):
        made[start:end] = part
    return "".join(made) if isinstance(before, str) else made


@given(texts, texts)
@example("<p>a</p>" * 9, "<p>a</p>" * 4 + "<b>" + "<p>a</p>" * 5)
@example("<p>x</p>" * 30, "<b>y</b>" * 30)
@example("<p>a</p>" * 30, "<p>b</p>" + "<p>a</p>" * 28 + "<p>bb</p>")
def test_a_patch_of_a_text_makes_the_other(before: str, after: str):
    patch = text_patch(before, after)
    assert patch is None or patched(before, patch) == after


@given(st.lists(st.sampled_from("abcde"), unique=True), st.lists(st.sampled_from("abcde"), unique=True))
def test_a_patch_of_an_order_makes_the_other(before: list[str], after: list[str]):
    patch = order_patch(before, after)
    assert patch is None or patched(before, patch) == after


@pytest.mark.parametrize("whispers", [(False, False), (False, True), (True, False)])
def test_a_new_line_is_a_patch_of_one_like_it_unless_few_read_one_of_them(whispers: tuple[bool, bool]):
    first, second = (f"<li>{FILLING}{number}</li>" for number in range(2))
    before = FragmentSet({}, {"log": {"log-0": first}}, whispers=whispers[0])
    after = FragmentSet({}, {"log": {"log-1": second, "log-0": first}}, whispers=whispers[1])
    fragments, _ = after.changes_since(before).members({"log:log-0", "order of log"})
    sent = json.loads(f"{{{fragments}}}")["log:log-1"]
    assert sent == second if any(whispers) else patched(first, sent[1:]) == second and sent[0] == "log-0"


def test_a_scene_leaves_whispers_among_what_a_reader_has():
    public, own = FragmentSet({}, {"log": {}}), FragmentSet({}, {"log": {}}, whispers=True)
    staged = make_scene(public, [SceneFrame({"log": {"log-0": "<li>"}}, 1)])
    assert staged is not None
    assert staged.staged(Screen("page", own, FragmentSet({}, {}), public)).shared.whispers


def test_a_patch_is_short_or_there_is_none():
    panel = '<li class="panel"><b>Ada</b><span class="points">12</span><img src="/face.svg"></li>' + FILLING
    decides = panel.replace("panel", "panel owes").replace("</b>", "</b><i>choosing</i>")
    assert text_patch(panel, decides) == [16, 16, " owes", 28, 28, "<i>choosing</i>"]
    assert text_patch(panel, panel[::-1]) is None
    assert text_patch(panel + "𝄞", decides + "𝄞") is None  # scripts count it as two characters


# Messages


def test_only_what_a_page_was_sent_whole_is_patched():
    long = "<p>" + "a" * 200
    sets = [FragmentSet({"prompt": long + mark}, {"log": {"l1": "<li>"}}) for mark in "bcd"]
    screens, known = [Screen("playing", each, NOTHING) for each in sets], Texts()
    sent = [json.loads(difference_message(before, after, 1, known)) for before, after in pairwise(screens)]
    whole, patch = (message["fragments"]["prompt"] for message in sent)
    assert (whole, patch) == (long + "c", [203, 204, "d"])
    assert json.loads(difference_message(screens[1], screens[2], 1))["fragments"]["prompt"] == long + "d"


def test_pages_of_another_kind_are_fetched_again():
    before = Screen("gathering 0", FragmentSet({"a": "1"}, {}), NOTHING)
    after = Screen("playing 0 None", FragmentSet({"b": "2", "c": "1"}, {}), NOTHING)
    assert json.loads(difference_message(before, after, 5)) == {"type": "page", "seq": 5}
    assert difference_message(after, after, 6) == ""
    shared = FragmentSet({"b": "3", "c": "1"}, {"log": {"x": "<li>"}})
    changed = Screen("playing 0 None", shared, FragmentSet({"d": "4"}, {}))
    told = {"fragments": {"b": "3", "log:x": "<li>", "d": "4"}, "order": {"log": ["x"]}}
    assert json.loads(difference_message(after, changed, 7)) == {"type": "fragments", "seq": 7, **told}


def test_a_board_that_a_frame_leaves_out_stays_as_it_was():
    before = FragmentSet({}, {"pieces-main": {"boat": Markup("<g>")}, "pieces-side": {"sheet": Markup("<table>")}})
    frame = Frame(lambda: {"main": {"boat": Markup("<g class>")}}, 700)
    scene = make_scene(before, [SceneFrame(frame_lists(frame), 700)])
    assert scene.last.lists == {"pieces-main": {"boat": "<g class>"}, "pieces-side": {"sheet": "<table>"}}
    (shown,) = json.loads(scene.message())["frames"]
    assert shown["fragments"] == {"pieces-main:boat": "<g class>"}
    assert (shown["order"], shown["milliseconds"]) == ({}, 700)


def test_a_frame_that_announces_what_comes_next_has_its_heading_and_the_last_screen_has_no_other():
    before = FragmentSet({"phases": "<ol>Move", "ticker": "a"}, {"pieces-main": {"boat": Markup("<g>")}})
    frames = [SceneFrame({"pieces-main": {"boat": "<g class>"}}, 700), SceneFrame({}, 900, {"phases": "<ol>Leak"})]
    scene = make_scene(before, frames)
    told = [frame["fragments"] for frame in json.loads(scene.message())["frames"]]
    assert told == [{"pieces-main:boat": "<g class>"}, {"phases": "<ol>Leak"}]
    assert scene.last.slots == {"phases": "<ol>Leak", "ticker": "a"}


# Matches


def texts_of(screen: Screen) -> dict:
    """Return what a page of a screen has: its fragments, and the order of its lists."""
    fragments = {f"fragments {name}": text for name, text in screen.fragments.items()}
    return fragments | {f"order {name}": list(children) for name, children in screen.order.items()}


class Page:
    """What the page of a seat has, from whole messages or with patches."""

    def __init__(self, screens: RoomScreens, seat: int | None, *, patches: bool) -> None:
        self.screens, self.seat, self.known = screens, seat, Texts() if patches else None
        self.sent = screens.screen("de", seat)
        self.texts = texts_of(self.sent)
        self.received_texts = dict[str, str | list[str]]()
        self.received = 0

    def update(self) -> None:
        before, screen = self.sent, self.screens.screen("de", self.seat)
        if screen is before:
            return
        scene, self.sent = self.screens.scene("de", before), screen
        if scene is not None:
            self.take(scene.message_to(before, self.known))
            before = scene.staged(before)
        self.take(difference_message(before, screen, 0, self.known))
        if before.kind == screen.kind:  # otherwise it is fetched again
            shown = texts_of(screen)
            assert {name: self.texts.get(name) for name in shown} == shown

    def take(self, message: str) -> None:
        self.received += len(message)
        told = json.loads(message or "{}")
        for part in told.get("frames", [told]):
            for kind in ("fragments", "order"):
                for name, value in part.get(kind, {}).items():
                    self.keep(f"{kind} {name}", value)

    def keep(self, name: str, value: str | list) -> None:
        """Keep a text or order as `socket.js` does: patches are only of what has been received."""
        if isinstance(value, list) and value and isinstance(value[0], int):
            value = patched(self.received_texts[name], value)
        elif isinstance(value, list) and name.startswith("fragments"):
            like, *patch = value
            value = patched(self.received_texts[f"{name.partition(':')[0]}:{like}"], patch)
        self.texts[name] = self.received_texts[name] = value


def kept_parts(screen: Screen) -> tuple[object, ...]:
    """Return what is kept between moves and between seats."""
    lists = screen.shared.lists.items()
    drawn = {name: parts for name, parts in lists if name.startswith("pieces") or name == "players"}
    return screen.own, screen.shared.slots["phases"], drawn


@pytest.mark.bulk
@pytest.mark.parametrize("game", names())
async def test_pages_have_what_would_be_made_anew_with_patches_and_without(game: str, tmp_path: Path):
    dice = random.Random(3)
    async with open_hub(tmp_path / "rooms.sqlite", suspense=Suspense(0.01, 0.0)) as hub:
        room = await start_room(hub, game=game)
        screens = RoomScreens(room)
        pages = [[Page(screens, seat, patches=patches) for seat in (None, 0, 1)] for patches in (False, True)]
        for _ in range(40):
            await wait_until(lambda: deciding(room) or room.state.phase == "over")  # a toss may be in the air
            if room.state.phase == "over":
                break
            for who in dice.sample((None, *range(len(PEOPLE))), 2):
                assert kept_parts(screens.screen("it", who)) == kept_parts(RoomScreens(room).screen("it", who))
            seat = dice.choice(deciding(room))
            await play_legal(room, PEOPLE[seat], dice.randrange(len(room.view(seat).legal)))
            for whole, patching in zip(*pages, strict=True):
                whole.update()
                patching.update()
                assert patching.texts == whole.texts
        received = [sum(page.received for page in kind) for kind in pages]
        assert received[1] < 0.6 * received[0]


def deciding(room: Room) -> list[int]:
    """Return the seats that owe a decision; the room itself keeps eliminated players out of a barter they have left."""
    return [seat for seat in room.state.open_decisions if not stays_done(room.state, seat)]


async def test_screens_of_all_recent_viewers_are_made_in_one_go(hub: Hub, monkeypatch: pytest.MonkeyPatch):
    made: list[int | None] = []
    make = RoomScreens._screen
    monkeypatch.setattr(RoomScreens, "_screen", lambda *asked: made.append(asked[2]) or make(*asked))
    room = await start_room(hub)
    stage = RoomScreens(room)

    async def made_for(looker: int | None) -> set[int | None]:
        await play_legal(room, PEOPLE[next(iter(room.state.open_decisions))])
        made.clear()
        stage.screen("en", looker)
        return set(made)

    stage.screen("en", 0)
    stage.screen("en", 1)
    assert await made_for(0) == {0, 1}
    assert await made_for(0) == {0}  # seat 1 has not looked since
    assert await made_for(None) == {0, None}


def test_the_talk_goes_on_when_old_lines_are_forgotten(site: Site, ada: Guest):
    code = ada.create()
    room, stage = site.room(code), RoomScreens(site.room(code))
    for number in range(230):
        site.run(room.execute(Person(f"{number // 5:032x}", "Echo"), protocol.Say(f"c{number}", f"line {number}")))
        if number % 23 == 0:
            site.call(stage.screen, "en", None)
    chat = [line for name, line in site.call(stage.screen, "en", None).fragments.items() if name.startswith("chat:")]
    assert [re.search(r"line (\d+)", line)[1] for line in chat] == [str(number) for number in range(130, 230)]


async def test_what_others_have_done_is_kept_until_the_seat_acts(hub: Hub):
    room = await start_room(hub, game="fairies")
    kept, longest = Recent(room), 0
    for _ in range(30):
        await play_legal(room, PEOPLE[next(iter(room.state.open_decisions))])
        for seat in range(len(PEOPLE)):
            told = kept.since_own_action(seat)
            actors = [room.state.actor(moment) for moment in range(1, room.moments + 1)]
            last = max((number for number, actor in enumerate(actors, 1) if actor == seat), default=0)
            since = range(last + 1, room.moments + 1)
            heard = [room.state.heard_action(moment, seat) and actors[moment - 1] for moment in since]
            assert [played and played.seat for _, _, played in told] == heard
            assert all(after == before for (_, after, _), (before, _, _) in pairwise(told))
            longest = max(longest, len(told))
    assert longest > 3


# Stories


PLAYERS = {"lifeboats": 4, "voyage": 5, "fairies": 3, "expedition": 3, "tournament": 4}


@pytest.mark.parametrize("game", names())
def test_a_game_declares_nothing_and_its_matches_have_a_story(game):
    match = random_match(game, PLAYERS[game], 2)
    story = stories.story_of_match(match)
    assert list(story.marks) == sorted(set(story.marks))
    assert (story.marks[-1], story.points[-1]) == (len(match.history), match.result().points)
    middle = len(story.marks) // 2
    assert story.points[middle] == Result.of(match.states_at(story.marks[middle]), match.players).points
    assert 0 < story.settled <= len(match.history)
    assert len(story.marks) >= 5
    assert all(effect.doer != effect.other and effect.points for effect in story.effects)


def test_points_settled_by_the_deal_count_as_the_last_decision():
    """Points that a role had from the start are known only at the end: no decision could change them."""
    match = random_match("voyage", 4, 2)
    states = list(stories.states_of(match))
    results = [Result.of(state, match.players) for state in states]
    assert stories.settled_moment(results) == 3, "the third role that was dealt"
    settled = stories.story_of(match.game, states, match.history, match.players).settled
    assert settled == stories.choice_moments(match.game, states, match.history)[-1]


@pytest.mark.parametrize("game", names())
def test_what_settled_a_match_is_a_decision_with_a_choice(game):
    """Neither what chance did nor an answer without an alternative. The last card of a ballot stands for all of it."""
    for seed in range(3):
        match = random_match(game, PLAYERS[game], seed)
        settled = stories.story_of_match(match).settled
        seat, _ = match.history[settled - 1]
        before = Match.from_states(match.game, match.states_at(settled - 1))
        assert seat != CHANCE
        assert before.open or before.to_act == (seat,)
        together = settled > 1 and len(Match.from_states(match.game, match.states_at(settled - 2)).to_act) > 1
        assert together or len(before.legal_numbers(seat)) > 1


def test_the_story_names_the_seats_whose_arrows_led_to_a_goal():
    """In an expedition, it is the seat whose arrow ends where the arrow to the goal begins."""
    match = random_match("expedition", 3, 2)
    assert [effect for effect in stories.story_of_match(match).effects if effect.led]
    led_by, colour, other = words_of(match.game).led_by, 1, 2
    there = next(way for way, target in enumerate(TARGET) if target == ORIGIN[0])
    painted = (2, colour), (1, colour), (0, other)
    two, one, elsewhere = (PlayedAction(seat, "arrow", (paint, there)) for seat, paint in painted)
    reached = PlayedAction(0, "arrow", (colour, 0))
    assert led_by(match.view(0), reached, [two, one, elsewhere]) == 1
    assert led_by(match.view(0), reached, [elsewhere]) is None


def test_a_ballot_is_decided_by_the_voters_of_the_most_frequent_choice():
    ballots = {0: 5, 2: 7, 3: 7}, {1: 4}, {0: 1, 1: 2}
    assert [stories._deciders(ballot) for ballot in ballots] == [[2, 3], [1], [0, 1]]


def test_a_seat_sees_its_own_helpers_first():
    effects = [Effect(1, 2, 9), Effect(2, 1, -8), Effect(1, 0, -3), Effect(0, 2, 2)]
    assert stories.told_effects(effects, 0) == [Effect(1, 0, -3), Effect(0, 2, 2), Effect(1, 2, 9), Effect(2, 1, -8)]
    assert stories.told_effects(effects, None, most=1) == [Effect(1, 2, 9)]
    assert stories.told_effects([], 0) == []


@pytest.mark.parametrize("points", [(3, 3, 3, 3, 3, 3, 3), (0, 50, 49, 48, 47, 1, 0), (-9, 0, 0, 0, 0, 0, 12)])
def test_what_stands_at_the_ends_of_the_curve_is_read(points):
    """If they are nearly equal, names are written one below another, whole on the drawing."""
    story = Story(4, (0, 4, 9), ((0,) * 7, points[::-1], points), ())
    drawn = str(stories.curve(story, [*(f"Guest {seat}62" for seat in range(6)), "Bartholomea"], "Points", "Round 2"))
    places = sorted(float(y) for y in re.findall(r'<circle cx="242" cy="([\d.-]+)"', drawn))
    assert len(places) == 7
    assert all(below - above >= stories.PITCH - 0.2 for above, below in pairwise(places))
    assert 0 <= places[0] <= places[-1] <= stories.HEIGHT
    check_text(drawn, ">Guest 062<", ">Bartholom…<", "Round 2", f'viewBox="0 0 {stories.WIDTH} {stories.HEIGHT}"')
    assert "-9" not in re.sub(r"<[^>]*>", " ", drawn)
