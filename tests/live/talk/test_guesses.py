"""Guesses that a player notes about others: private, kept on disk, shown again in the replay."""

from tavola.live import Hub
from tavola.live.protocol import Note, Start
from tavola.live.responses import state_message
from tavola.live.room_refusals import BadSetting, NotPlaying, NotSeated
from tests.helpers.rooms import (
    ADA,
    BRUNO,
    CARLA,
    THREE,
    create_room,
    matches_log,
    play_legal,
    play_to_end,
    refused,
    send,
    start_room,
)
from tests.helpers.site import Guest, Site


async def test_a_guess_is_kept_changed_and_forgotten_and_knows_its_moment(hub: Hub):
    room = await start_room(hub, THREE, game="voyage", patience=0)
    await send(room, ADA, Note, 1, "traitor")
    await send(room, ADA, Note, 2, "sailor")
    await send(room, ADA, Note, 1, "merchant")
    assert room.state.guesses_of(0) == {1: "merchant", 2: "sailor"}
    await send(room, ADA, Note, 2, "")
    assert [room.state.guesses_of(seat) for seat in range(3)] == [{1: "merchant"}, {}, {}]
    before = room.state.moment
    await play_legal(room, THREE[room.state.match.to_act[0]])
    await send(room, BRUNO, Note, 0, "explorer")
    assert (room.state.guesses_of(1), room.state.guesses_of(1, before)) == ({0: "explorer"}, {})
    assert matches_log(hub, room), "a restart forgets nothing"


async def test_guesses_are_not_sent_to_others(hub: Hub):
    """Not even that there is one: nothing is sent to others."""
    room = await start_room(hub, THREE, game="voyage", patience=0)
    told: list[list[int]] = [[], [], [], []]
    ends = [room.subscribe(person, heard.append) for person, heard in zip((*THREE, None), told, strict=True)]
    before = {other: state_message(room, other) for other in (BRUNO.id, CARLA.id, None)}
    await send(room, ADA, Note, 1, "traitor")
    assert [len(heard) for heard in told] == [1, 0, 0, 0]
    assert state_message(room, ADA.id)["notes"] == {"1": "traitor"}
    for other, known in before.items():
        assert state_message(room, other) == known, "not even by the number of the last event"
    for end in ends:
        end()


async def test_invalid_guesses_are_refused(hub: Hub):
    room = await create_room(hub, THREE, game="voyage", patience=0)
    await refused(NotPlaying, send(room, ADA, Note, 1, "traitor"))
    await send(room, ADA, Start)
    for about, mark, kind in ((0, "traitor", NotSeated), (3, "traitor", NotSeated), (1, "pirate", BadSetting)):
        await refused(kind, send(room, ADA, Note, about, mark))
    await refused(BadSetting, send(await start_room(hub, (ADA,)), ADA, Note, 1, "traitor"), "none in this game")


def test_guesses_and_the_summary_card_on_the_page(site: Site, ada: Guest, bruno: Guest):
    """With plain forms; others' pages, the spectator's and the finished match's replay show nothing of them."""
    code = ada.create(game="voyage", **{"option-players": "3", "bots": "1", "level": "random"})
    bruno.sit(code, "Bea")
    assert ada.post(f"/r/{code}/start").status_code == 200
    shown = ada.post(f"/r/{code}/note", data={"about": "1", "mark": "traitor"}).text
    assert '<option value="traitor" selected>' in shown
    assert '<option value="traitor" selected>' not in bruno.get(f"/r/{code}").text
    room = site.room(code)
    assert ada.get(f"/r/{code}/card").text.count("<dt>") >= 6
    assert room.view(0).hand.role
    site.run(play_to_end(room, [place.person for place in room.state.occupants if place.person]))
    assert "final ending" in ada.get(f"/r/{code}").text
    own, other = (guest.get(f"/r/{code}/replay", params={"as": "0"}).text for guest in (ada, bruno))
    assert "Your guesses" in own
    assert "Your guesses" not in other
