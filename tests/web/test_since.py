"""What happened since the last visit: offered, summarised and replayed as the seat saw it; and private notes."""

import json
import re

import pytest

from tavola.web.pages.chronicle import MatchSource, pack
from tavola.web.pages.retold import scene_since
from tests.club.test_accounts import keep
from tests.helpers import wait_for
from tests.helpers.site import begin_correspondence, check_text, site_at
from tests.web.test_pages import shown_to

SCENE = re.compile(r'since\?scene=(\d+)".*?class="what">([^<]+)<.*?<time datetime="20', re.DOTALL)
AS_JSON = {"Accept": "application/json"}


@pytest.fixture(scope="module")
def site(tmp_path_factory, shared_mail):
    with site_at(tmp_path_factory.mktemp("since") / "tavola.sqlite", mail=shared_mail[1]) as running:
        yield running


def offer(guest, code):
    found = re.search(r'id="since".*?</div>', guest.get(f"/r/{code}").text, re.DOTALL)
    return found and found.group()


def begin(site, guest):
    """Open a correspondence match, and note that the guest has seen what has happened."""
    code = begin_correspondence(site, guest)
    guest.post(f"/r/{code}/seen")
    return code


def decide(site, guest, code):
    """Decide without seeing the room's page afterwards, and let bots play until the next prompt."""
    room = site.room(code)
    prompt, action = room.prompt_id(0), room.state.game.actions.code(room.view(0).legal[0])
    guest.follow_redirects = False
    guest.play(code, prompt, action)
    guest.follow_redirects = True
    wait_for(lambda: room.state.phase == "over" or room.prompt_id(0) not in (None, prompt))


def test_what_happened_is_offered_until_it_was_seen_and_can_be_watched_and_read_again(site, ada):
    code = begin(site, ada)
    assert offer(ada, code) is None
    decide(site, ada, code)
    shown = offer(ada, code)
    assert shown is not None
    scenes, missed = SCENE.findall(shown), ada.get(f"/r/{code}/since").text
    assert "What you missed" in missed
    assert 1 <= len(scenes) <= 3
    assert all(what in missed for _, what in scenes)
    assert ("earlier" in shown) == (int(scenes[0][0]) > 0)
    assert f'href="/r/{code}/since">In words<' in shown
    assert offer(ada, code) == shown, "looking at the page is not having seen it"
    (waits,) = re.findall(r"(\d+) new scenes?:</strong> ([^<]+)<", ada.get("/mine").text)
    assert waits == (str(int(scenes[-1][0]) + 1), scenes[-1][1])
    decide(site, ada, code)
    assert ada.post(f"/r/{code}/seen", headers={"Accept": "text/html"}).url.path == f"/r/{code}"
    assert offer(ada, code) is None
    assert ada.get(f"/r/{code}/since").url.path == f"/r/{code}"
    assert f'href="/r/{code}/since?again" data-since="again"' in ada.get(f"/r/{code}").text
    again = ada.get(f"/r/{code}/since?again").text
    assert all(line in again for line in re.findall(r"<li>(.*?)</li>", missed))
    assert public_changes(ada.get(f"/r/{code}/since?again", headers=AS_JSON).json())


def public_changes(scene):
    frames = [frame["fragments"].items() for frame in scene["frames"]]
    changes = [{name: drawn for name, drawn in frame if name.startswith("pieces")} for frame in frames]
    return [change for change in changes if change]


def test_it_is_played_from_one_s_own_view_and_nothing_of_others_is_in_it(site, ada):
    code = begin(site, ada)
    first = site.room(code).moments
    decide(site, ada, code)
    played = ada.get(f"/r/{code}/since", headers=AS_JSON).json()
    assert (played["type"], len(played["frames"]) > 1) == ("scene", True)
    packed = pack(MatchSource.of(site.room(code)))
    own, others, watched = (json.loads(scene_since(packed, "en", first, eyes, "brisk")) for eyes in (0, 1, None))
    hands = [name for name in own["frames"][0]["order"] if name.startswith("own")]
    assert any(own["frames"][0]["order"][name] for name in hands), "her own hand lies over the board"
    assert not any(watched["frames"][0]["order"][name] for name in hands), "who watches has none"
    assert public_changes(own) == public_changes(others) == public_changes(watched), "boards are the same for all"
    secrets = json.dumps([frame for frame in others["frames"] if frame not in own["frames"]])
    assert secrets != "[]", "all see only their own"


def test_a_single_scene_can_be_played_and_others_stay_unseen(site, ada):
    code = begin(site, ada)
    while len(scenes := SCENE.findall(offer(ada, code) or "")) < 2:
        decide(site, ada, code)
    whole = ada.get(f"/r/{code}/since", headers=AS_JSON).json()["frames"]
    (number, what), shown = scenes[-1], offer(ada, code)
    last = ada.get(f"/r/{code}/since?scene={number}", headers=AS_JSON).json()["frames"]
    assert len(last) < len(whole)
    assert last[-1] == whole[-1] or last[-1]["fragments"].items() >= whole[-1]["fragments"].items()
    assert offer(ada, code) == shown
    assert ada.get(f"/r/{code}/since?scene=x", headers=AS_JSON).status_code == 400
    assert what in ada.get(f"/r/{code}/since?scene={number}").text


def test_it_is_known_after_a_restart(tmp_path):
    with site_at(tmp_path / "again.sqlite") as site, site.guest() as ada:
        code = begin(site, ada)
        decide(site, ada, code)
        shown, cookies = offer(ada, code), ada.cookies
    with site_at(tmp_path / "again.sqlite") as site, site.guest() as ada:
        ada.cookies = cookies
        assert shown is not None
        assert offer(ada, code) == shown


def write(guest, code, words, version, **headers):
    data = {"words": words, "version": str(version)}
    return guest.post(f"/r/{code}/notes", data=data, headers={**AS_JSON, **headers})


def test_notes_are_private_and_never_overwritten_unseen(site, ada, bruno):
    code = begin_correspondence(site, ada)
    assert write(ada, code, "Bruno wants\r\nred <b>", 0).json() == {"version": 1}
    assert "\nBruno wants\nred &lt;b&gt;</textarea>" in ada.get(f"/r/{code}").text
    assert "Bruno wants" not in bruno.get(f"/r/{code}").text
    late = write(ada, code, "another device", 0)
    assert late.status_code == 409
    told = late.json()
    assert (told["kind"], told["words"], told["version"]) == ("OtherNotes", "Bruno wants\nred <b>", 1)
    assert write(ada, code, "Bruno wants\nred <b>", 0).json() == {"version": 1}, "equal words change nothing"
    long = write(ada, code, "x" * 2001, 1)
    assert (long.status_code, long.json()["kind"]) == (400, "TooLongNotes")
    assert write(ada, code, "x" * 2000, 1).json() == {"version": 2}
    assert write(bruno, code, "I only watch", 0).json()["kind"] == "NotSeated"
    assert "\nby a form</textarea>" in ada.post(f"/r/{code}/notes", data={"words": "by a form", "version": "2"}).text


def test_notes_are_part_of_one_s_export_and_gone_with_the_account(site, shared_mail, ada, bruno):
    code = begin_correspondence(site, ada)
    write(ada, code, "nobody else reads this", 0)
    bea_code = begin_correspondence(site, bruno)
    write(bruno, bea_code, "Bea's own", 0)
    keep(ada, shared_mail[0])
    text = ada.get("/account/export").text
    assert [(note["room"], note["text"]) for note in json.loads(text)["notes"]] == [(code, "nobody else reads this")]
    assert "Bea's own" not in text
    assert ada.post("/account/delete").status_code == 200
    store = site.hub.store
    assert store.rows("SELECT room FROM notepad WHERE words LIKE 'nobody%'") == []
    assert store.rows("SELECT words FROM notepad WHERE room = ?", (bea_code,)) == [("Bea's own",)]


def test_an_answer_ahead_is_given_by_a_form_and_hidden_from_others(site, ada, bruno):
    code = ada.create(name="Ada", days="3", patience="60", players="3")
    bruno.sit(code, "Bea")
    ada.post(f"/r/{code}/fill", data={"level": "random"})
    room = site.room(code)
    wait_for(lambda: room.state.dues)
    people = {room.names.index("Ada"): ada, room.names.index("Bea"): bruno}
    wait_for(lambda: set(room.state.open_decisions) & set(people))
    (asked,) = set(room.state.open_decisions) & set(people)
    waiting = next(seat for seat in people if seat != asked)
    check_text(people[waiting].get(f"/r/{code}").text, 'id="ahead"', '<option value="vote red">')
    assert 'id="ahead"' not in people[asked].get(f"/r/{code}").text
    before = shown_to(people[asked], code)

    def answer_ahead(fields):
        return people[waiting].post(f"/r/{code}/answer-ahead", data=fields)

    left = answer_ahead({"codes-0": "vote red", "codes-1": "vote black", "unless-0": ""})
    assert "Your advance answer is set" in left.text
    assert room.state.ahead[waiting][1].codes == ("vote red", "vote black")
    assert shown_to(people[asked], code) == before
    left = answer_ahead({"place": "2", "codes-0": "vote green", "when-0": "choose red"})
    told = "Your 2 advance answers are set", "Only if this happens first: ", 'name="place" value="3"'
    check_text(left.text, *told)
    assert answer_ahead({"place": "8", "codes-0": "vote red"}).status_code == 400
    answer_ahead({"place": "3", "codes-0": "vote red", "then-0": "vote black", "then-1": "", "then-2": "vote green"})
    assert [room.state.ahead[waiting][place].codes for place in (4, 5)] == [("vote black",), ("vote green",)]
    for place in (2, 3, 4, 5):
        answer_ahead({"place": place})
    assert ("Answer in advance" in answer_ahead({}).text, room.state.ahead) == (True, {})
