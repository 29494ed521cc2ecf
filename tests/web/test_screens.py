"""Screens and what pages are sent of them: kept screens equal freshly made ones, and old texts with patches the new."""

import json
import random
import re
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markupsafe import Markup

from tavola.games import names
from tavola.live import Person, Room, protocol
from tavola.live.time.delays import Suspense
from tavola.show.board import Frame
from tavola.web.serve.sockets import difference_message
from tavola.web.table.fragments import FragmentSet, SceneFrame, Screen, Texts, frame_lists, make_scene
from tavola.web.table.patches import order_patch, text_patch
from tavola.web.table.recent import Recent
from tavola.web.table.screen import RoomScreens
from tests.helpers.rooms import PEOPLE, open_hub, play_legal, start_room, wait_until
from tests.helpers.site import Guest, Site

MOVES = 40
PARTS = ["<p>", "</p>", '<b class="a">', '<b class="ab">', "so", "è", "\u2068Ada\u2069", "♟", "𝄞"]
FILLING = "<p>a</p>" * 25  # short texts are sent whole
texts = st.lists(st.sampled_from(PARTS)).map(lambda parts: FILLING + "".join(parts) + FILLING)
NOTHING = FragmentSet({}, {})


# Patches


def patched(before: str | Sequence[str], patch: Sequence[Any]) -> str | list[str]:
    """Apply a patch from its end to its beginning: the positions before stay what they were."""
    made = list(before)
    for start, end, part in reversed([patch[at : at + 3] for at in range(0, len(patch), 3)]):
        made[start:end] = part
    return "".join(made) if isinstance(before, str) else made


@given(texts, texts)
@example("<p>a</p>" * 9, "<p>a</p>" * 4 + "<b>" + "<p>a</p>" * 5)
@example("<p>x</p>" * 30, "<b>y</b>" * 30)
def test_a_patch_of_a_text_makes_the_other(before: str, after: str):
    patch = text_patch(before, after)
    assert patch is None or patched(before, patch) == after


@given(st.lists(st.sampled_from("abcde"), unique=True), st.lists(st.sampled_from("abcde"), unique=True))
def test_a_patch_of_an_order_makes_the_other(before: list[str], after: list[str]):
    patch = order_patch(before, after)
    assert patch is None or patched(before, patch) == after


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
    screens = [Screen("playing", each, NOTHING) for each in sets]
    known = Texts()
    whole, patch = (
        json.loads(difference_message(before, after, 1, known))["fragments"]["prompt"]
        for before, after in pairwise(screens)
    )
    assert whole == long + "c"
    assert patch == [203, 204, "d"]
    assert json.loads(difference_message(screens[1], screens[2], 1))["fragments"]["prompt"] == long + "d"


def test_pages_of_another_kind_are_fetched_again():
    before = Screen("gathering 0", FragmentSet({"a": "1"}, {}), NOTHING)
    after = Screen("playing 0 None", FragmentSet({"b": "2", "c": "1"}, {}), NOTHING)
    assert json.loads(difference_message(before, after, 5)) == {"type": "page", "seq": 5}
    assert difference_message(after, after, 6) == ""
    shared = FragmentSet({"b": "3", "c": "1"}, {"log": {"x": "<li>"}})
    changed = Screen("playing 0 None", shared, FragmentSet({"d": "4"}, {}))
    assert json.loads(difference_message(after, changed, 7)) == {
        "type": "fragments",
        "seq": 7,
        "fragments": {"b": "3", "log:x": "<li>", "d": "4"},
        "order": {"log": ["x"]},
    }


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


def texts_of(screen: Screen) -> dict[str, Any]:
    """Return what a page of a screen has: its fragments, and the order of its lists."""
    fragments = {f"fragments {name}": text for name, text in screen.fragments.items()}
    return fragments | {f"order {name}": list(children) for name, children in screen.order.items()}


class Page:
    """What the page of a seat has, from whole messages or with patches."""

    def __init__(self, screens: RoomScreens, seat: int | None, *, patches: bool) -> None:
        self.screens, self.seat, self.known = screens, seat, Texts() if patches else None
        self.sent = screens.screen("de", seat)
        self.texts = texts_of(self.sent)
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
                    is_patch = value and isinstance(value[0], int)
                    self.texts[f"{kind} {name}"] = patched(self.texts[f"{kind} {name}"], value) if is_patch else value


def check_kept(shown: Screen, made: Screen) -> None:
    """Check a screen that was kept between moves and between seats against a freshly made one."""
    assert shown.own == made.own
    assert shown.shared.slots["phases"] == made.shared.slots["phases"]
    assert shown_to_all(shown) == shown_to_all(made)


def shown_to_all(screen: Screen) -> dict[str, object]:
    shown = screen.shared.lists.items()
    return {name: drawn for name, drawn in shown if name.startswith("pieces") or name == "players"}


@pytest.mark.bulk
@pytest.mark.parametrize("game", names())
async def test_pages_have_what_would_be_made_anew_with_patches_and_without(game: str, tmp_path: Path):
    dice = random.Random(3)
    async with open_hub(tmp_path / "rooms.sqlite", suspense=Suspense(0.01, 0.0)) as hub:
        room = await start_room(hub, game=game)
        screens = RoomScreens(room)
        pages = [[Page(screens, seat, patches=patches) for seat in (None, 0, 1)] for patches in (False, True)]
        for _ in range(MOVES):
            await wait_until(
                lambda: room.state.open_decisions or room.state.phase == "over"
            )  # a toss may be in the air
            if room.state.phase == "over":
                break
            for who in dice.sample((None, *range(len(PEOPLE))), 2):
                check_kept(screens.screen("it", who), RoomScreens(room).screen("it", who))
            await play_any(room, dice)
            for whole, patching in zip(*pages, strict=True):
                whole.update()
                patching.update()
                assert patching.texts == whole.texts
        received = [sum(page.received for page in kind) for kind in pages]
        assert received[1] < 0.7 * received[0]


async def play_any(room: Room, dice: random.Random) -> None:
    seat = dice.choice(list(room.state.open_decisions))
    await play_legal(room, PEOPLE[seat], dice.randrange(len(room.view(seat).legal)))


async def test_screens_of_all_recent_viewers_are_made_in_one_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    made: list[int | None] = []
    make = RoomScreens._screen
    monkeypatch.setattr(RoomScreens, "_screen", lambda *asked: made.append(asked[2]) or make(*asked))
    async with open_hub(tmp_path / "rooms.sqlite") as hub:
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
        speaker = Person(f"{number // 5:032x}", "Echo")
        site.run(room.execute(speaker, protocol.Say(f"c{number}", f"line {number}")))
        if number % 23 == 0:
            site.call(stage.screen, "en", None)
    shown = site.call(stage.screen, "en", None).fragments
    chat = [line for name, line in shown.items() if name.startswith("chat:")]
    assert [re.search(r"line (\d+)", line)[1] for line in chat] == [str(number) for number in range(130, 230)]


async def test_what_others_have_done_is_kept_until_the_seat_acts(tmp_path: Path):
    async with open_hub(tmp_path / "rooms.sqlite") as hub:
        room = await start_room(hub, game="fairies")
        kept, longest = Recent(room), 0
        for _ in range(30):
            await play_legal(room, PEOPLE[next(iter(room.state.open_decisions))])
            for seat in range(len(PEOPLE)):
                told = kept.since_own_action(seat)
                actors = [room.state.actor(moment) for moment in range(1, room.moments + 1)]
                last = max((number for number, actor in enumerate(actors, 1) if actor == seat), default=0)
                assert [played and played.seat for _, _, played in told] == [
                    room.state.heard_action(moment, seat) and actors[moment - 1]
                    for moment in range(last + 1, room.moments + 1)
                ]
                assert all(after == before for (_, after, _), (before, _, _) in pairwise(told))
                longest = max(longest, len(told))
        assert longest > 3
