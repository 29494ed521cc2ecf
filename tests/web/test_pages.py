"""The pages as a guest without scripts sees them, and the messages of the socket."""

import ast
import gc
import re
import weakref
from html import unescape
from pathlib import Path
from xml.etree import ElementTree

import pytest

import tavola
from tavola import games
from tavola.contract.messages import template
from tavola.core import Refusal, Result, View
from tavola.core.errors import TranslatableRefusal
from tavola.show.cards import picture_of
from tavola.show.pictures import ballot_cards
from tavola.show.speech import LANGUAGES, SHARED_FOLDER, Say
from tavola.web.pages.rulebook import rules_of
from tavola.web.requests.visitor import WEB_FOLDER, site_say
from tavola.web.table.choices import consequences_json, group_choices
from tests.helpers import ROOT, wait_for
from tests.helpers.days import HOUR
from tests.helpers.rooms import play_legal
from tests.helpers.site import Guest, Site, check_answer, check_text, choices_in, code_of, site_at
from tests.helpers.staged import Staged, random_match


def text_of(page: str) -> str:
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", page)).split())


def shown_to(guest: Guest, code: str) -> str:
    return re.search(r'data-have="([\w.]+)"', guest.get(f"/r/{code}").text)[1]


# Pages


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("path", ["/", "/games/lifeboats/new", "/games/lifeboats/rules", "/games/tournament@1/rules"])
def test_every_page_speaks_every_language(site: Site, path, language):
    with site.guest(f"xx, {language}-CH;q=0.9, en;q=0.1") as guest:
        page = guest.get(path)
    check_answer(page, 200, f'<html lang="{language}"')
    assert site_say(language)("Skip to content") in unescape(page.text)


def test_the_catalogue_shows_each_game_with_poster_and_sentence(ada: Guest):
    page = ada.get("/").text
    check_text(page, "Lifeboats", "then vote in secret")
    posters = re.findall(r'src="(/games/\w+/poster/en\.svg\?\w+)"', page)
    assert len(posters) == len(games.names())
    for address in posters:
        answer = ada.get(address)
        assert (answer.status_code, answer.headers["content-type"]) == (200, "image/svg+xml")
        assert "immutable" in answer.headers["cache-control"]
    assert ada.get("/games/lifeboats/poster/xx.svg").status_code == 404
    ids = re.findall(r'\sid="([^"]+)"', page)
    assert len(ids) == len(set(ids))
    assert set(re.findall(r'href="#([^"]+)"', page)) | set(re.findall(r"url\(#([^)]+)\)", page)) <= set(ids)


def test_one_click_and_the_match_is_under_way_against_bots_of_a_level_that_is_kept(site: Site, ada: Guest):
    page = ada.get("/").text
    assert page.count('<select name="level">') == len(games.names())
    assert '<option value="greedy" selected>' in page
    room = site.room(ada.quick("random"))
    assert room.state.phase in ("playing", "over")
    assert [seat.level for seat in room.seats] == [None, "random", "random", "random"]
    assert '<option value="random" selected>' in ada.get("/").text


def test_a_first_match_is_shown_calmly_later_ones_briskly_and_a_pace_set_at_the_table_stays(site: Site, ada: Guest):
    code = ada.quick()

    def pace_of_rematch() -> str:
        site.finish(code)
        ada.get(f"/r/{code}")
        ada.post(f"/r/{code}/rematch")
        return site.room(site.room(code).state.next_room).state.settings.pace

    assert (site.room(code).state.settings.pace, pace_of_rematch()) == ("calm", "brisk")
    code = ada.quick()
    assert site.room(code).state.settings.pace == "brisk"
    assert f'action="/r/{code}/pace"' in ada.get(f"/r/{code}").text
    page = ada.post(f"/r/{code}/pace", data={"pace": "calm"}).text
    assert '<button name="pace" value="calm" class="chip" aria-pressed="true">' in page
    assert pace_of_rematch() == "calm"
    assert f'action="/r/{code}/pace"' not in ada.get("/shelf").text
    assert site.room(ada.create(pace="calm")).state.settings.pace == "calm"
    assert ada.post("/rooms", data={"game": "lifeboats", "name": "Ada", "pace": "idle"}).status_code == 400


def finished(site: Site, guest: Guest, *match) -> Staged:
    """Return a match that is over, by default of Lifeboats."""
    played = random_match(*(match or ("lifeboats", 4, 8)))
    return Staged(site, played, guest, len(played.history))


def test_the_last_screen_shows_the_decisive_move(site: Site, ada: Guest):
    code = finished(site, ada).code
    match, page = site.room(code).state.match, ada.get(f"/r/{code}").text
    moment = int(re.search(r"/replay\?at=(\d+)", page)[1])
    standings = [Result.of(match.states_at(at), match.players).winners for at in range(len(match.history) + 1)]
    assert set(standings[moment:]) == {match.result().winners}
    assert standings[moment - 1] != match.result().winners
    assert page.count('class="over"') == match.players  # a line of the curve each
    scene = ada.get(f"/r/{code}/again?at={moment}").json()
    assert (scene["type"], len(scene["frames"]) >= 2) == ("scene", True)
    assert [ada.get(f"/r/{code}/again?at={at}").status_code for at in ("0", len(match.history) + 1)] == [400, 400]


def test_the_picture_of_a_match_needs_no_other_file(site: Site, ada: Guest):
    root = ElementTree.fromstring(ada.get(f"/r/{finished(site, ada).code}/picture.svg").text)
    assert (root.get("width"), root.get("height")) == ("1200", "630")
    shown = [node.get("href") for node in root.iter() if node.get("href")]
    assert shown
    assert not [address for address in shown if not address.startswith(("#", "data:"))]
    assert {address[1:] for address in shown if address.startswith("#")} <= {node.get("id") for node in root.iter()}


@pytest.mark.parametrize(("match", "won"), [(("lifeboats", 4, 8), True), (("voyage", 5, 16), False)])
def test_winners_are_offered_stronger_bots_with_a_description(site: Site, ada: Guest, match, won):
    staged = finished(site, ada, *match)
    assert (staged.match.result().ranks[0] == 1) == won
    page = ada.get(f"/r/{staged.code}").text
    assert 'class="trust"' not in page, "no one has promised anything"
    assert ("Play stronger bots" in page) == won
    assert ("You won! Hothead (level 2) follows rules of thumb and doesn’t think ahead." in text_of(page)) == won
    offered = re.search(r'name="level" value="(\w+)"><button class="choice" title="([^"]+)"', page)
    if won:
        again = site.room(code_of(ada.post(f"/r/{staged.code}/rematch", data={"level": offered[1]})))
        assert {seat.level for seat in again.seats} == {None, "greedy"}
        assert offered[2] == "follows rules of thumb and doesn’t think ahead"


def test_a_seat_keeps_its_open_card_until_the_next_ballot():
    match = random_match("lifeboats", 4, 8)
    for at in (30, 60, 124, 200):
        view = View(match.game, match.states_at(at), None)
        voted = {seat for seat, card in enumerate(view.table.ballot.cards) if card}
        assert set(ballot_cards(view, Say.of(match.game, "en"))) == voted


def test_a_room_is_created_as_the_form_says(site: Site, ada: Guest):
    options = {"option-players": "5", "option-moves": "4"}
    form = {**options, "bots": "2", "level": "greedy", "public": "yes", "patience": "180"}
    page = ada.post("/rooms", data={"game": "lifeboats", "name": " Ada  L ", **form})
    room = site.room(code_of(page))
    assert (room.names[0], room.state.options["players"], room.state.options["moves"]) == ("Ada L", "5", "4")
    assert [seat.level for seat in room.seats] == [None, "greedy", "greedy", None, None]
    assert (room.state.settings.public, room.state.settings.patience) == (True, 180)
    check_text(page.text, room.id, "<svg", f"{site.url}/r/{room.id}")
    assert f"/r/{room.id}" in ada.get("/").text


def test_a_room_plays_the_set_of_options_that_was_chosen(site: Site, ada: Guest):
    by_letter = {"game": "voyage", "name": "Ada", "rules": "letter", "option-sailor": "", "option-safe_course": "on"}
    room = site.room(code_of(ada.post("/rooms", data=by_letter)))
    assert (room.state.options["sailor"], room.state.options["safe_course"]) == ("literal", "on")
    room = site.room(ada.create(game="voyage"))
    assert (room.state.options["sailor"], room.state.options["safe_course"]) == ("emended", "on")
    assert ada.post("/rooms", data={**by_letter, "rules": "mine"}).status_code == 400
    assert 'name="rules"' in ada.get("/games/voyage/new").text
    assert 'name="rules"' not in ada.get("/games/lifeboats/new").text, "its two sets are the same"


def test_a_lobby_shows_what_differs_and_only_its_host_a_seat_for_a_program(site: Site, ada: Guest, bruno: Guest):
    plain, changed = ada.create(game="voyage"), ada.create(game="voyage", **{"option-sailor": "literal"})
    shown = [re.search(r'<dl class="options">.*?</dl>', ada.get(f"/r/{code}").text)[0] for code in (plain, changed)]
    told = [re.findall("<dt>(.*?)</dt>", listed) for listed in shown]
    assert (len(told[0]), len(told[1])) == (1, 2), "the time, and the rule that was changed"
    assert "Recommended rules, unchanged." in ada.get(f"/r/{plain}").text
    assert ["A seat for a program" in guest.get(f"/r/{plain}").text for guest in (ada, bruno)] == [True, False]


def test_a_site_that_can_keep_nobody_offers_no_account(site: Site, ada: Guest):
    """It has neither a name for passkeys nor a mail server; guests can still take their seats to another device."""
    for path in ("/", "/account", "/mine", f"/r/{ada.create()}", f"/r/{ada.quick()}"):
        page = ada.get(path).text
        assert "Sign up" not in re.sub(r'<p class="after keep-offer">.*?</p>', "", page), path
        assert "data-keeps" not in page
    assert "Use another device as a guest" in ada.get("/account").text


def test_a_consequence_that_all_choices_share_is_not_shown():
    match = tavola.Match(tavola.load("expedition"), players=3, seed=1)
    while 0 not in match.to_act or not match.legal_codes(0)[0].startswith("token "):
        match.play(match.legal_codes(match.to_act[0])[0], match.to_act[0])
    view = match.view(0)
    assert len(view.legal) > 1
    assert consequences_json(view, Say.of(match.game, "en")) == ""


def test_friends_gather_move_and_start(site: Site, ada: Guest, bruno: Guest):
    code = ada.create(**{"option-players": "3"})
    assert site.room(code).id not in bruno.get("/").text
    assert "Take a seat" in bruno.post("/join", data={"code": f" {code.upper()} "}).text
    assert "Bea" in bruno.sit(code, "Bea").text
    assert ada.post(f"/r/{code}/start").status_code == 409
    assert bruno.post(f"/r/{code}/bot", data={"seat": "2", "level": "random"}).status_code == 403
    assert ada.post(f"/r/{code}/bot", data={"seat": "2", "level": "random"}).status_code == 200
    with site.guest() as carla:
        assert carla.sit(code, "Carla").status_code == 409
        assert "All seats are taken" in carla.get(f"/r/{code}").text
    assert ada.post(f"/r/{code}/remove", data={"seat": "2"}).status_code == 200
    assert bruno.post(f"/r/{code}/leave").status_code == 200
    assert site.room(code).names == ["Ada", "", ""]
    assert "ballot" not in ada.post(f"/r/{code}/fill").url.path
    assert site.room(code).state.phase == "playing"
    assert bruno.sit(code, "Bea").status_code == 409


def test_the_host_seats_and_removes_bots_by_name(site: Site, ada: Guest, bruno: Guest):
    code = ada.create(**{"option-players": "4"})
    page = ada.post(f"/r/{code}/bot", data={"member": "Mara", "level": "random"}).text
    assert site.room(code).names == ["Ada", "Mara", "", ""]
    assert len(re.findall(r'<button class="member', page)) == 8
    assert re.findall(r'<button class="member here" form="away-(\d)"', page) == ["1"]
    ada.post(f"/r/{code}/bot", data={"member": "Mara", "level": "random"})
    assert site.room(code).names == ["Ada", "Mara", "", ""], "she sits already"
    assert ada.post(f"/r/{code}/bot", data={"member": "Nobody", "level": "random"}).status_code == 400
    assert bruno.post(f"/r/{code}/bot", data={"member": "Kit", "level": "random"}).status_code == 403
    ada.post(f"/r/{code}/remove", data={"seat": "1"})
    assert site.room(code).names == ["Ada", "", "", ""]


def test_language_and_theme_are_kept(ada: Guest):
    page = ada.post("/settings", data={"language": "de", "back": "/games/lifeboats/new"})
    assert (page.url.path, '<html lang="de"' in page.text) == ("/games/lifeboats/new", True)
    check_text(ada.post("/settings", data={"theme": "dark", "back": "/"}).text, 'data-theme="dark"', '<html lang="de"')
    assert ada.post("/settings", data={"language": "tlh", "back": "/"}).status_code == 400


@pytest.mark.parametrize(
    "back", ["//evil.example", "https://evil.example/", "/\\evil.example", "javascript:alert(1)", ""]
)
def test_settings_lead_only_to_our_own_pages(ada: Guest, back):
    answer = ada.post("/settings", data={"theme": "auto", "back": back}, follow_redirects=False)
    assert answer.headers["location"] == "/"


def test_rules_have_an_anchor_for_every_paragraph(ada: Guest):
    page = ada.get("/games/lifeboats/rules").text
    assert all(page.count(f'id="r{number}"') == 1 for number in range(1, 34))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", games.names())
def test_notes_on_where_a_rule_comes_from_are_folded(game: str, language: str):
    text = str(rules_of(tavola.load(game), language)[0])
    shown = re.sub(r'<details class="provenance">.*?</details>', "", text, flags=re.DOTALL)
    assert len(text) - len(shown) > 1000
    assert not re.search(r"<p><em>[^<]*</em></p>|<td>(?:Decided|Entschieden|Décidé|Deciso)</td>", shown)


def test_spectators_have_no_hand_area(ada: Guest, bruno: Guest):
    code = ada.create(**{"option-players": "3", "bots": "2", "level": "random"})
    ada.post(f"/r/{code}/start")
    assert 'class="hand"' in ada.get(f"/r/{code}").text
    check_text(bruno.get(f"/r/{code}").text, "You are watching", without=['class="hand"'])


# A match without script


@pytest.mark.bulk
def test_a_match_by_plain_forms_its_result_replay_and_record(site: Site, ada: Guest, bruno: Guest):
    code = ada.create(**{"option-players": "4", "bots": "2", "level": "random"})
    bruno.sit(code, "Bea")
    ada.post(f"/r/{code}/start")
    guests, pressed = {"Ada": ada, "Bea": bruno}, 0
    while pressed < 12:
        for name, guest in guests.items():
            prompt_id, codes = guest.choices(code)
            if codes:
                answer = guest.play(code, prompt_id, codes[pressed % len(codes)])
                assert answer.status_code == 200, (name, text_of(answer.text))
                pressed += 1
    bruno.post(f"/r/{code}/leave")
    site.finish(code)
    room, page = site.room(code), ada.get(f"/r/{code}").text
    points = room.state.match.result().points
    for name, won in zip(room.names, points, strict=True):
        assert f"{name} {won} point" in text_of(page)
    assert sum(map(int, re.findall(r'</span> <span class="points">(-?\d+)</span></li>', page))) == sum(points)
    _replay(site, ada, room)
    assert code_of(ada.post(f"/r/{code}/rematch")) == room.state.next_room
    assert f"/r/{room.state.next_room}" in bruno.get(f"/r/{code}").text
    assert site.room(room.state.next_room).names[1] == "Ada"


def _replay(site: Site, guest: Guest, room):
    here = f"/r/{room.id}/replay"
    for at in (0, 1, room.moments // 2, room.moments):
        for eyes in ("", "&as=0", "&as=1"):
            check_answer(guest.get(f"{here}?at={at}{eyes}"), 200, f"{at} / {room.moments}")
    check_text(guest.get(f"{here}?at=0").text, f'href="{here}?at=1"', f'href="{here}?at={room.moments}"')
    assert [guest.get(f"{here}?{wrong}").status_code for wrong in ("at=x", "as=9")] == [400, 400]
    record = guest.get(f"/r/{room.id}/record")
    assert "attachment" in record.headers["content-disposition"]
    assert record.text == str(room.state.record())
    for encoding in ("utf-8", "utf-16"):
        copy = guest.post("/import", files={"file": ("m.txt", record.text.encode(encoding), "text/plain")})
        assert copy.url.path.endswith("/replay")
        assert site.room(code_of(copy)).state.match.history == room.state.match.history
    named = record.text.replace("Ada", "Adéle").encode("cp1252", "replace") + b"; caf\xe9"
    check_answer(guest.post("/import", files={"file": ("m.txt", named, "text/plain")}), 400, "save it as UTF-8")
    pasted = guest.post("/import", data={"text": record.text})
    assert site.room(code_of(pasted)).state.match.history == room.state.match.history


def test_the_replay_of_a_seat_shows_only_what_it_saw(site: Site, ada: Guest):
    code = finished(site, ada).code
    room = site.room(code)
    seats = range(len(room.names))
    at, seat = next((k, s) for k in range(room.moments) for s in seats if room.view(s, k).hand.card)
    eyes = (seat, (seat + 1) % len(seats))
    pages = [ada.get(f"/r/{code}/replay?at={at}{as_}").text for as_ in (*(f"&as={eye}" for eye in eyes), "")]
    say, picture = Say.of(room.state.game, "en", room.names), picture_of(room.state.game)
    drawn = [picture.own_pieces(room.view(eye, at), say).values() for eye in eyes]
    own, other = ({str(piece) for pieces in boards for piece in pieces.values()} for boards in drawn)
    assert own - other
    assert [[piece in page for page in pages] for piece in own - other] == [[True, False, False]] * len(own - other)


# Refusals


REFUSALS = {
    "no such page": (404, lambda g, r: g.get("/nowhere")),
    "no such room": (404, lambda g, r: g.get("/r/nowhere")),
    "no such code": (404, lambda g, r: g.post("/join", data={"code": "zzzzzz"})),
    "no such game": (404, lambda g, r: g.get("/games/chess/rules")),
    "no such version": (404, lambda g, r: g.get("/games/tournament@7/rules")),
    "no such method": (405, lambda g, r: g.put("/")),
    "form without fields": (400, lambda g, r: g.post("/rooms", data={})),
    "bad option": (400, lambda g, r: g.post("/rooms", data={"game": "lifeboats", "option-players": "99"})),
    "unknown option": (400, lambda g, r: g.post("/rooms", data={"game": "lifeboats", "option-sails": "1"})),
    "bad level": (400, lambda g, r: g.post("/quick", data={"game": "lifeboats", "level": "divine"})),
    "bad name": (400, lambda g, r: g.post("/rooms", data={"game": "lifeboats", "name": "\u200b"})),
    "bad patience": (400, lambda g, r: g.post("/rooms", data={"game": "lifeboats", "patience": "-1"})),
    "bad record": (400, lambda g, r: g.post("/import", data={"text": "Hello"})),
    "unreadable record": (400, lambda g, r: g.post("/import", files={"file": ("m", b"\xff\xfe\x00")})),
    "record of a running match": (409, lambda g, r: g.get(f"/r/{r}/record")),
    "replay of a running match": (409, lambda g, r: g.get(f"/r/{r}/replay?as=0&at=1")),
    "scene of a running match": (409, lambda g, r: g.get(f"/r/{r}/again?at=1")),
    "picture of a running match": (409, lambda g, r: g.get(f"/r/{r}/picture.svg")),
    "rematch too early": (409, lambda g, r: g.post(f"/r/{r}/rematch")),
    "started twice": (409, lambda g, r: g.post(f"/r/{r}/start")),
    "free seats": (409, lambda g, r: g.post(f"/r/{g.create()}/start")),
    "stale": (409, lambda g, r: g.play(r, 77, "lane 1")),
    "not allowed": (409, lambda g, r: g.play(r, 0, "crew sailor red")),
    "no action": (409, lambda g, r: g.play(r, 0, "castle")),
    "empty chat": (400, lambda g, r: g.post(f"/r/{r}/say", data={"text": " "})),
    "too large": (413, lambda g, r: g.post("/join", content=b"x" * 40_000)),
    "other site": (403, lambda g, r: g.post("/quick", headers={"Origin": "https://evil.example"})),
}
"""Status and request of a guest, in a match that is running."""


def test_refusals_are_friendly_in_four_languages(ada: Guest):
    running = ada.quick()
    for case, (expected, ask) in REFUSALS.items():
        said = {}
        for language in LANGUAGES:
            ada.headers["Accept-Language"] = language
            answer = ask(ada, running)
            assert answer.status_code == expected, (case, text_of(answer.text))
            check_text(answer.text, 'href="/"', without=["Traceback"])
            said[language] = re.search(r'id="refusal">(.*?)</p>', answer.text, re.DOTALL)[1]
            assert len(said[language]) > 8
        assert len(set(said.values())) == len(LANGUAGES), (case, said)


def subclasses(kind: type[Refusal]):
    for each in kind.__subclasses__():
        yield from (each, *subclasses(each))


def test_every_refusal_says_its_sentence_where_catalogues_find_it():
    kinds = {kind.__name__: kind for kind in subclasses(TranslatableRefusal)}
    marked = {each.id for folder in (SHARED_FOLDER, WEB_FOLDER) for each in template(folder)}
    assert {kind.message for kind in subclasses(Refusal)} <= marked
    for path in (path for folder in ("club", "live", "talk", "web") for path in (SHARED_FOLDER / folder).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in kinds:
                assert not any(isinstance(each, ast.Constant) for each in node.args), (path, node.lineno)


def test_a_button_pressed_twice_plays_once(site: Site, ada: Guest):
    code = ada.quick()
    while not (owed := ada.choices(code))[1]:
        pass
    prompt_id, codes = owed
    assert ada.play(code, prompt_id, codes[0]).status_code == 200
    mine = sum(seat == 0 for seat, _ in site.room(code).state.match.history)
    assert [ada.play(code, prompt_id, each).status_code for each in codes[:2]] == [200, 409]
    assert sum(seat == 0 for seat, _ in site.room(code).state.match.history) == mine


def test_the_why_page_cites_the_paragraph(ada: Guest):
    code = ada.quick()
    offered = set(re.findall(r'<option value="([^"]+)"', ada.get(f"/r/{code}/why").text))
    assert "crew sailor red" in offered
    assert not any("blue" in one or one.startswith("start") for one in offered)  # no one's boat, a choice of chance
    answer = ada.get(f"/r/{code}/why?code=board red|vote green").text
    assert re.search(r'<a href="/games/lifeboats/rules#r\d+">R\d+</a>', answer)
    assert ada.get(f"/r/{code}/why?code=castle").status_code == 400


def test_the_table_can_be_read_in_words(site: Site, ada: Guest, bruno: Guest):
    code = finished(site, ada).code
    text = ada.get(f"/r/{code}/words").text
    assert site.room(code).seats[1].member.name in text
    assert text in unescape(ada.get(f"/r/{code}").text)
    assert "You’re player" not in bruno.get(f"/r/{code}/words").text


def test_a_player_who_sits_out_is_asked_nothing_and_can_skip_to_the_end(tmp_path: Path):
    with site_at(tmp_path / "t.sqlite", bot_pause=HOUR) as site, site.guest() as ada:
        code = ada.quick()
        assert f"/r/{code}/sit-out" in ada.get(f"/r/{code}").text
        page = ada.post(f"/r/{code}/sit-out").text
        check_text(page, "A bot is playing for you.", "Skip to the end", "You are watching")
        assert choices_in(page) == (None, [])
        assert "Your turn" not in re.search(r"<title>.*?</title>", page)[0]
        ada.post(f"/r/{code}/back")
        room = site.room(code)
        wait_for(lambda: ("<title>● Your turn" in ada.get(f"/r/{code}").text) is (room.prompt_id(0) is not None))
        ada.post(f"/r/{code}/sit-out", data={"show": "end"})
        wait_for(lambda: site.room(code).state.phase == "over")
        assert "final ending" in ada.get(f"/r/{code}").text


def test_rooms_at_rest_leave_memory_although_they_were_shown(site: Site, ada: Guest):
    code = finished(site, ada).code
    assert ada.get(f"/r/{code}").status_code == 200
    room = weakref.ref(site.room(code))
    site.call(site.hub.residents.sweep, -1)
    gc.collect()
    assert (room(), "final ending" in ada.get(f"/r/{code}").text) == (None, True)


def test_many_actions_of_a_verb_become_a_list(site: Site, ada: Guest, monkeypatch: pytest.MonkeyPatch):
    code = ada.create(**{"option-players": "3", "bots": "2", "level": "random"})
    ada.post(f"/r/{code}/start")
    while not ada.choices(code)[1]:
        pass
    room = site.room(code)
    say = Say.of(room.state.game, "en")
    assert list(map(bool, group_choices(room.view(0), say))) == [True, False]
    monkeypatch.setattr("tavola.web.table.choices.MOST_BUTTONS", 1)
    assert group_choices(room.view(0), say)[1]


AT_THE_TABLE = re.compile(r"(\.(room|broad|playing|talks|in-scene|composing)\b(?!-)|#room|body|html)[^\s,>+~{]*:has\(")
ANYTHING = re.compile(r":has\([^{},]*[\s>+~]\*\s*[{,]")


def test_no_style_asks_what_lies_anywhere_at_the_table():
    """With such a style, each change of the page recalculates all styles: at least seven times slower in Chromium.

    So does a style that asks what an element contains and applies to anything in it, on any page.
    """
    sheets = [*(WEB_FOLDER / "static" / "css").glob("*.css"), *(ROOT / "tavola" / "games").glob("*/picture/*.css")]
    for sheet in sheets:
        text = sheet.read_text(encoding="utf-8")
        assert not AT_THE_TABLE.search(text), sheet
        assert not ANYTHING.search(text), sheet
    assert len(sheets) > 5
    assert ANYTHING.search(".game:has(.primary:hover) .print > * { translate: 0 -5px; }")


# Undo


def prompt_in(page: str, action: str) -> str:
    """Return the number of the decision in the form of an action, empty without one."""
    found = re.search(rf'action="/r/\w+/{action}".*?name="prompt_id" value="(\d+)"', page, re.DOTALL)
    return found[1] if found else ""


def test_against_bots_a_button_takes_the_last_decision_back(site: Site, ada: Guest):
    code = ada.quick()
    room = site.room(code)
    wait_for(lambda: room.prompt_id(0) is not None)
    assert not prompt_in(ada.get(f"/r/{code}").text, "undo")
    ada.play(code, room.prompt_id(0), room.state.game.actions.code(room.view(0).legal[0]))
    wait_for(lambda: room.prompt_id(0) is not None)
    made = prompt_in(ada.get(f"/r/{code}").text, "undo")
    page = ada.post(f"/r/{code}/undo", data={"prompt_id": made}).text
    assert re.search(r'class="undone">.*>take</span> back a decision', page)
    assert "I’ve undone my last decision" in page
    assert not prompt_in(page, "undo")
    ada.post(f"/r/{code}/undo", data={"prompt_id": made})  # pressed twice
    assert len(room.state.undone) == 1
    check_answer(ada.post(f"/r/{code}/undo", data={"prompt_id": str(int(made) + 1)}), 409, "undo your last decision")


def test_others_are_asked_to_undo_and_answer_without_script(site: Site, ada: Guest, bruno: Guest):
    code = ada.create(**{"option-players": "3"})
    bruno.sit(code, "Bea")
    ada.post(f"/r/{code}/fill", data={"level": "random"})
    room = site.room(code)
    people = [seat for seat, place in enumerate(room.state.occupants) if place.person is not None]
    guests = dict(zip(people, (ada, bruno), strict=True))
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
    with site.guest() as watcher:
        assert "allow-undo" not in watcher.get(f"/r/{code}").text
    answer = {"seat": str(asker), "prompt_id": prompt_in(page, "allow-undo"), "allow": "true"}
    theirs.post(f"/r/{code}/allow-undo", data=answer)
    assert (len(room.state.undone), asker in room.state.open_decisions) == (1, True)
