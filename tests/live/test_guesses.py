"""Guesses that a player notes about others: private, kept on disk, shown again in the replay."""

import html
import re
from pathlib import Path

import pytest

from tavola.live import BadSetting, Hub, NotPlaying, NotSeated, Room, Settings
from tavola.live.protocol import AddBot, Join, Note, Play, Start
from tavola.live.responses import state_message
from tests.helpers.rooms import ADA, BRUNO, CARLA, matches_log, new_command_id, open_hub, run_in_loop
from tests.helpers.site import Guest, Site

PEOPLE = (ADA, BRUNO, CARLA)


async def voyage(hub: Hub) -> Room:
    room = await hub.create(ADA, "voyage", {"players": 3}, Settings(patience=0))
    for person in PEOPLE[1:]:
        await room.execute(person, Join(new_command_id()))
    return room


@run_in_loop
async def test_a_guess_is_kept_changed_and_forgotten(tmp_path: Path):
    async with open_hub(tmp_path / "rooms.sqlite") as hub:
        room = await voyage(hub)
        await room.execute(ADA, Start(new_command_id()))
        await room.execute(ADA, Note(new_command_id(), 1, "traitor"))
        await room.execute(ADA, Note(new_command_id(), 2, "sailor"))
        await room.execute(ADA, Note(new_command_id(), 1, "merchant"))
        assert room.state.guesses_of(0) == {1: "merchant", 2: "sailor"}
        await room.execute(ADA, Note(new_command_id(), 2, ""))
        assert room.state.guesses_of(0) == {1: "merchant"}
        assert room.state.guesses_of(1) == room.state.guesses_of(2) == {}
        assert matches_log(hub, room)


@run_in_loop
async def test_a_guess_survives_a_restart_and_knows_its_moment(tmp_path: Path):
    async with open_hub(tmp_path / "rooms.sqlite") as hub:
        room = await voyage(hub)
        await room.execute(ADA, Start(new_command_id()))
        before = room.state.moment
        captain = room.state.match.to_act[0]
        code = room.state.match.legal_codes(captain)[0]
        await room.execute(PEOPLE[captain], Play(new_command_id(), room.prompt_id(captain), code))
        await room.execute(BRUNO, Note(new_command_id(), 0, "explorer"))
    async with open_hub(tmp_path / "rooms.sqlite") as hub:
        again = await hub.room(room.id)
        assert again.state.guesses_of(1) == {0: "explorer"}
        assert again.state.guesses_of(1, before) == {}


@run_in_loop
async def test_guesses_are_not_sent_to_others(tmp_path: Path):
    """Not even that there is one: nothing is sent to others."""
    async with open_hub(tmp_path / "rooms.sqlite") as hub:
        room = await voyage(hub)
        await room.execute(ADA, Start(new_command_id()))
        told: dict[str, list[int]] = {person.name: [] for person in PEOPLE}
        ends = [room.subscribe(person, told[person.name].append) for person in PEOPLE]
        ends.append(room.subscribe(None, told.setdefault("somebody", []).append))
        others = (BRUNO.id, CARLA.id, None)
        before = [state_message(room, other) for other in others]
        await room.execute(ADA, Note(new_command_id(), 1, "traitor"))
        assert [len(told[name]) for name in (ADA.name, BRUNO.name, CARLA.name, "somebody")] == [1, 0, 0, 0]
        assert state_message(room, ADA.id)["notes"] == {"1": "traitor"}
        for other, known in zip(others, before, strict=True):
            assert state_message(room, other) == known, "not even by the number of the last event"
        for end in ends:
            end()


@run_in_loop
async def test_invalid_guesses_are_refused(tmp_path: Path):
    async with open_hub(tmp_path / "rooms.sqlite") as hub:
        room = await voyage(hub)
        with pytest.raises(NotPlaying):
            await room.execute(ADA, Note(new_command_id(), 1, "traitor"))
        await room.execute(ADA, Start(new_command_id()))
        for about, mark, kind in ((0, "traitor", NotSeated), (3, "traitor", NotSeated), (1, "pirate", BadSetting)):
            with pytest.raises(kind):
                await room.execute(ADA, Note(new_command_id(), about, mark))
        lifeboats = await hub.create(ADA, "lifeboats", {"players": 3}, Settings())
        for _ in range(2):
            await lifeboats.execute(ADA, AddBot(new_command_id(), "random"))
        await lifeboats.execute(ADA, Start(new_command_id()))
        with pytest.raises(BadSetting, match="none in this game"):
            await lifeboats.execute(ADA, Note(new_command_id(), 1, "traitor"))


def test_guesses_and_the_summary_card_on_the_page(site: Site, ada: Guest, bruno: Guest):
    """With plain forms; others' pages, the spectator's and the finished match's replay show nothing of them."""
    code = ada.create(game="voyage", **{"option-players": "3", "bots": "1", "level": "random"})
    bruno.sit(code, "Bea")
    assert ada.post(f"/r/{code}/start").status_code == 200
    shown = ada.post(f"/r/{code}/note", data={"about": "1", "mark": "traitor"}).text
    assert '<option value="traitor" selected>' in shown
    assert '<option value="traitor" selected>' not in bruno.get(f"/r/{code}").text
    card = html.unescape(ada.get(f"/r/{code}/card").text)
    role = site.room(code).view(0).hand.role
    assert len(re.findall("<dt>", card)) >= 6
    assert role
    page, pressed = "", 0
    while "final ending" not in page and pressed < 400:
        for guest in (ada, bruno):
            prompt_id, codes = guest.choices(code)
            if codes:
                page, pressed = guest.play(code, prompt_id, codes[pressed % len(codes)]).text, pressed + 1
        page = ada.get(f"/r/{code}").text
    own, other = (guest.get(f"/r/{code}/replay", params={"as": "0"}).text for guest in (ada, bruno))
    assert "Your guesses" in own
    assert "Your guesses" not in other
