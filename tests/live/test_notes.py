"""Guesses that a player notes about others: for his own eyes, kept on disk, there again in the replay."""

import html
import re

import pytest

from tavola.live import BadSetting, NotPlaying, NotSeated, Settings
from tavola.live.answers import state_message
from tavola.live.protocol import AddBot, Join, Note, Play, Start
from tests.helpers.rooms import ADA, BRUNO, CARLA, fresh, in_loop, opened, same

PEOPLE = (ADA, BRUNO, CARLA)


async def voyage(hub):
    room = await hub.create(ADA, "voyage", {"players": 3}, Settings(patience=0))
    for person in PEOPLE[1:]:
        await room.do(person, Join(fresh()))
    return room


@in_loop
async def test_a_guess_is_kept_changed_and_forgotten(tmp_path):
    async with opened(tmp_path / "rooms.sqlite") as hub:
        room = await voyage(hub)
        await room.do(ADA, Start(fresh()))
        await room.do(ADA, Note(fresh(), 1, "traitor"))
        await room.do(ADA, Note(fresh(), 2, "sailor"))
        await room.do(ADA, Note(fresh(), 1, "merchant"))
        assert room.notes(0) == {1: "merchant", 2: "sailor"}
        await room.do(ADA, Note(fresh(), 2, ""))
        assert room.notes(0) == {1: "merchant"}
        assert room.notes(1) == room.notes(2) == {}
        assert same(hub, room)


@in_loop
async def test_a_guess_survives_a_restart_and_knows_its_moment(tmp_path):
    async with opened(tmp_path / "rooms.sqlite") as hub:
        room = await voyage(hub)
        await room.do(ADA, Start(fresh()))
        before = room.moments
        captain = room.state.match.to_act[0]
        code = room.state.match.legal(captain)[0]
        await room.do(PEOPLE[captain], Play(fresh(), room.prompt_id(captain), code))
        await room.do(BRUNO, Note(fresh(), 0, "explorer"))
    async with opened(tmp_path / "rooms.sqlite") as hub:
        again = await hub.room(room.id)
        assert again.notes(1) == {0: "explorer"}
        assert again.notes(1, before) == {}


@in_loop
async def test_nobody_else_is_told_of_a_guess(tmp_path):
    """Not the guess, not that there is one: nothing is sent to others."""
    async with opened(tmp_path / "rooms.sqlite") as hub:
        room = await voyage(hub)
        await room.do(ADA, Start(fresh()))
        told: dict[str, list[int]] = {person.name: [] for person in PEOPLE}
        ends = [room.subscribe(person, told[person.name].append) for person in PEOPLE]
        ends.append(room.subscribe(None, told.setdefault("somebody", []).append))
        others = (BRUNO.id, CARLA.id, None)
        before = [state_message(room, other) for other in others]
        await room.do(ADA, Note(fresh(), 1, "traitor"))
        assert [len(told[name]) for name in (ADA.name, BRUNO.name, CARLA.name, "somebody")] == [1, 0, 0, 0]
        assert state_message(room, ADA.id)["notes"] == {"1": "traitor"}
        for other, known in zip(others, before, strict=True):
            assert state_message(room, other) == known, "not even by the number of the last event"
        for end in ends:
            end()


@in_loop
async def test_what_is_no_guess_is_refused(tmp_path):
    async with opened(tmp_path / "rooms.sqlite") as hub:
        room = await voyage(hub)
        with pytest.raises(NotPlaying):
            await room.do(ADA, Note(fresh(), 1, "traitor"))
        await room.do(ADA, Start(fresh()))
        for about, mark, kind in ((0, "traitor", NotSeated), (3, "traitor", NotSeated), (1, "pirate", BadSetting)):
            with pytest.raises(kind):
                await room.do(ADA, Note(fresh(), about, mark))
        lifeboats = await hub.create(ADA, "lifeboats", {"players": 3}, Settings())
        for _ in range(2):
            await lifeboats.do(ADA, AddBot(fresh(), "random"))
        await lifeboats.do(ADA, Start(fresh()))
        with pytest.raises(BadSetting, match="none in this game"):
            await lifeboats.do(ADA, Note(fresh(), 1, "traitor"))


def test_guesses_and_the_summary_card_on_the_page(site, ada, bruno):
    """By plain forms; the other player's page, the spectator's and the finished match's replay tell nobody else."""
    code = ada.create(game="voyage", **{"option-players": "3", "bots": "1", "level": "random"})
    bruno.sit(code, "Bruno")
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
