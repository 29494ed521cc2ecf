"""What a page was sent before, and the patches it is sent now, make what it would be sent whole."""

import json
import random
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tavola.games import names
from tavola.live.time.delays import Suspense
from tavola.web.serve.sockets import difference_message
from tavola.web.table.fragments import FragmentSet, Screen, Texts
from tavola.web.table.patches import order_patch, text_patch
from tavola.web.table.screen import RoomScreens
from tests.helpers.rooms import PEOPLE, open_hub, play_legal, start_room, wait_until

MOVES = 40
PARTS = ["<p>", "</p>", '<b class="a">', '<b class="ab">', "so", "è", "\u2068Ada\u2069", "♟", "𝄞"]
FILLING = "<p>a</p>" * 25  # short texts are sent whole
texts = st.lists(st.sampled_from(PARTS)).map(lambda parts: FILLING + "".join(parts) + FILLING)


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


def test_only_what_a_page_was_sent_whole_is_patched():
    long = "<p>" + "a" * 200
    sets = [FragmentSet({"prompt": long + mark}, {"log": {"l1": "<li>"}}) for mark in "bcd"]
    screens = [Screen("playing", each, FragmentSet({}, {})) for each in sets]
    known = Texts()
    whole, patch = (
        json.loads(difference_message(before, after, 1, known))["fragments"]["prompt"]
        for before, after in pairwise(screens)
    )
    assert whole == long + "c"
    assert patch == [203, 204, "d"]
    assert json.loads(difference_message(screens[1], screens[2], 1))["fragments"]["prompt"] == long + "d"


class Page:
    """What the page of a seat has, from whole messages or with patches."""

    def __init__(self, screens: RoomScreens, seat: int | None, *, patches: bool) -> None:
        self.screens, self.seat, self.known = screens, seat, Texts() if patches else None
        self.sent = screens.screen("de", seat)
        self.texts: dict[str, Any] = {}
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

    def take(self, message: str) -> None:
        self.received += len(message)
        told = json.loads(message or "{}")
        for part in told.get("frames", [told]):
            for kind in ("fragments", "order"):
                for name, value in part.get(kind, {}).items():
                    is_patch = value and isinstance(value[0], int)
                    self.texts[f"{kind} {name}"] = patched(self.texts[f"{kind} {name}"], value) if is_patch else value


@pytest.mark.bulk
@pytest.mark.parametrize("game", names())
async def test_pages_have_the_same_with_patches_and_without(game: str, tmp_path: Path):
    dice = random.Random(3)
    async with open_hub(tmp_path / "rooms.sqlite", suspense=Suspense(0.01, 0.0)) as hub:
        room = await start_room(hub, game=game)
        screens = RoomScreens(room)
        pages = [[Page(screens, seat, patches=patches) for seat in (None, 0, 1)] for patches in (False, True)]
        for _ in range(MOVES):
            await wait_until(lambda: room.state.open_decisions or room.state.phase == "over")
            if room.state.phase == "over":
                break
            seat = dice.choice(list(room.state.open_decisions))
            await play_legal(room, PEOPLE[seat], dice.randrange(len(room.view(seat).legal)))
            for whole, patching in zip(*pages, strict=True):
                whole.update()
                patching.update()
                assert patching.texts == whole.texts
        received = [sum(page.received for page in kind) for kind in pages]
        assert received[1] < 0.7 * received[0]
