"""Undo on the pages: the button, the request to the others, and the log; without scripts, too."""

import re

import pytest

from tests.helpers import wait_for
from tests.helpers.rooms import play_legal
from tests.helpers.site import Site, site_at


@pytest.fixture
def site(path):
    with site_at(path) as running:
        yield running


def prompt_in(page: str, action: str) -> str:
    """Return the number of the decision in the form of an action, empty without one."""
    found = re.search(rf'action="/r/\w+/{action}".*?name="prompt_id" value="(\d+)"', page, re.DOTALL)
    return found[1] if found else ""


def test_against_bots_a_button_takes_the_last_decision_back(site: Site):
    with site.guest() as ada:
        code = ada.quick()
        room = site.room(code)
        wait_for(lambda: room.prompt_id(0) is not None)
        assert not prompt_in(ada.get(f"/r/{code}").text, "undo")
        ada.play(code, *_first(room))
        wait_for(lambda: room.prompt_id(0) is not None)
        made = prompt_in(ada.get(f"/r/{code}").text, "undo")
        page = ada.post(f"/r/{code}/undo", data={"prompt_id": made}).text
        assert len(room.state.undone) == 1
        assert re.search(r'class="undone">.*takes back a decision', page)
        assert "I’ve undone my last decision" in page
        assert not prompt_in(page, "undo")
        ada.post(f"/r/{code}/undo", data={"prompt_id": made})  # pressed twice
        assert len(room.state.undone) == 1
        late = ada.post(f"/r/{code}/undo", data={"prompt_id": str(int(made) + 1)})
        assert late.status_code == 409
        assert "undo your last decision" in late.text


def _first(room) -> tuple[int, str]:
    return room.prompt_id(0), room.state.game.actions.code(room.view(0).legal[0])


def test_others_are_asked_and_answer_without_script(site: Site):
    with site.guest() as ada, site.guest() as bea, site.guest() as watcher:
        code = ada.create(**{"option-players": "3"})
        assert "Bea" in bea.sit(code, "Bea").text
        assert ada.post(f"/r/{code}/fill", data={"level": "random"}).status_code == 200
        room = site.room(code)
        people = [seat for seat, place in enumerate(room.state.occupants) if place.person is not None]
        guests = dict(zip(people, (ada, bea), strict=True))
        for count in (1, 2):
            wait_for(lambda: room.state.open_decisions.keys() <= guests.keys())
            seat = min(room.state.open_decisions)
            site.run(play_legal(room, room.state.occupants[seat].person))
            assert len(room.state.decided) == count
        asker = room.state.decided[-1].seat
        mine, theirs = guests.pop(asker), guests.popitem()[1]
        wait_for(lambda: room.state.open_decisions.keys() <= set(people))
        asked = mine.post(f"/r/{code}/undo", data={"prompt_id": prompt_in(mine.get(f"/r/{code}").text, "undo")}).text
        assert "You’ve asked to undo your last decision." in asked
        page = theirs.get(f"/r/{code}").text
        assert "would like to undo their last decision." in page
        assert "allow-undo" not in watcher.get(f"/r/{code}").text
        answer = {"seat": str(asker), "prompt_id": prompt_in(page, "allow-undo"), "allow": "true"}
        theirs.post(f"/r/{code}/allow-undo", data=answer)
        assert len(room.state.undone) == 1
        assert asker in room.state.open_decisions
