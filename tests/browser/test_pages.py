"""Tavola as people use it: in Chromium, by mouse and keyboard, on a phone, and with connections that break."""

import re
from dataclasses import replace
from gettext import NullTranslations
from itertools import count

import pytest
from playwright.sync_api import Page, expect

from tavola.core.text import CONTEXT_END
from tavola.show import speech
from tests.helpers.browser import (
    BOXES,
    NEXT_PROMPT,
    PHONE,
    STRAY_MILLISECONDS,
    BrowserGuest,
    Visit,
    in_looks,
    middle,
    play_out,
    play_unseen,
    two_boats_left,
)
from tests.helpers.site import Guest, Site
from tests.helpers.staged import Staged, random_match

# Whole matches


@pytest.mark.usefixtures("steady")
def test_two_guests_and_two_bots_play_a_whole_match(site: Site, visit: Visit):
    ada = visit(hurried=True)
    bruno = visit(width=360, height=640, color_scheme="dark", locale="de-DE", has_touch=True, hurried=True)
    code = _fill_in_form(ada)
    bruno.sit(code, "Bea")
    ada.begin()
    room, guests = site.room(code), [ada, bruno]
    assert play_out(guests, {turn: f"match-{turn}" for turn in (2, 6)}, most=6) >= 6
    play_unseen(site, room, guests, late=two_boats_left)
    assert play_out(guests, {2: "match-late"}) > 2
    assert room.state.phase == "over"
    for guest in guests:
        guest.screenshot(f"over-{guest.page.viewport_size['width']}")
        rows = guest.page.locator(".ending .result")
        points = [int(text.split()[0].replace("−", "-")) for text in rows.locator("summary .points").all_inner_texts()]
        assert sorted(points) == sorted(room.state.match.result().points)
        expect(rows.first).to_have_class(re.compile(r"\bown\b"))
        if guest is bruno:  # a phone shows all rows first
            expect(rows.first.locator(".scoring")).to_be_hidden()
            rows.first.locator("summary").tap()
        expect(rows.first.locator(".scoring")).to_be_visible()
    ada.page.click("text=Play again")
    ada.page.wait_for_url(lambda url: code not in url)
    following = bruno.page.locator(f'.foot-place a[href="/r/{room.state.next_room}"]')
    expect(following).to_be_visible()
    _ready_check(site, ada, bruno, following, room.state.next_room)


def _fill_in_form(ada: BrowserGuest) -> str:
    page = ada.page
    page.goto("/games/lifeboats/new")
    page.fill("#name", "Ada")
    page.check('[name="option-players"][value="4"]', force=True)
    page.click("#house-rules summary")
    for name, value in {"bots": "2", "level": "random", "patience": "0"}.items():
        page.select_option(f"#{name}", value)
    page.click("main form button.primary")
    page.wait_for_url("**/r/*")
    return page.url.rpartition("/")[2]


def _ready_check(site: Site, ada: BrowserGuest, bruno: BrowserGuest, following, code: str):
    """The next match waits until the players who stay are ready."""
    assert site.room(code).state.phase == "gathering"
    bruno.page.clock.run_for(STRAY_MILLISECONDS)
    following.click()
    bruno.page.wait_for_url(f"**/r/{code}")
    bruno.page.click(".foot-place .choice.go")
    ada.page.wait_for_selector(".room.playing")
    assert site.room(code).state.phase == "playing"


# The picture


def test_choosing_is_narrowing_by_touch_and_by_word(visit: Visit):
    ada = visit()
    ada.start()
    page, offers = ada.page, ada.page.locator("#offers .choice:not(.back)")
    while "crew sailor red" not in (state := ada.wait_for_choices())["codes"]:
        if state["codes"][0].startswith("lane"):
            _point(page, f""".picture .clickable[data-codes='{state["codes"][0]}']""")
        page.wait_for_timeout(30)
    expect(page.locator("#question")).to_have_text("Who boards?")
    _point(page, "#boat-red.clickable")
    expect(page.locator("#steps button")).to_have_count(1)
    expect(offers).to_have_count(2)
    assert page.locator(".picture .out").count() > 0
    page.keyboard.press("Escape")
    expect(page.locator("#steps button")).to_have_count(0)
    offers.filter(has_text="Sailor").click()
    expect(page.locator("#question")).to_have_text("Which boat?")
    page.click("#offers .back")
    expect(page.locator("#question")).to_have_text("Who boards?")
    before = ada.state()["prompt"]
    offers.filter(has_text="Officer").click()
    _point(page, "#boat-red.clickable")
    page.wait_for_function(NEXT_PROMPT, arg=before)


def _point(page: Page, selector: str):
    page.locator(selector).scroll_into_view_if_needed()
    page.wait_for_selector("#offers:not(.inert)", state="attached")
    page.mouse.click(*middle(page, selector))


def test_pieces_keep_their_identity_and_slide(visit: Visit):
    ada = visit(reduced_motion="no-preference")
    ada.start()
    page = ada.page
    page.evaluate("""() => {
      window.slides = [];
      const animate = Element.prototype.animate;
      Element.prototype.animate = function (frames, options) {
        window.slides.push(this.id);
        return animate.call(this, frames, options);
      };
      document.getElementById("boat-red").known = true;
    }""")
    for _ in range(4):
        ada.press(ada.wait_for_choices()["codes"][0])
        ada.wait_for_choices()
        page.wait_for_timeout(30)
    assert page.evaluate("document.getElementById('boat-red').known")
    assert "boat-red" in page.evaluate("window.slides")


# Others at the table


def test_typing_goes_on_while_others_play_and_talk(site: Site, visit: Visit):
    ada, bruno = visit(), visit()
    code = ada.open_room()
    bruno.sit(code, "<b>Bea</b>")
    ada.page.fill("#talk", "Half a sen")
    bruno.page.fill("#talk", "<img src=x onerror=alert(1)>")
    bruno.page.press("#talk", "Enter")
    expect(ada.page.locator(".chat li")).to_contain_text("<b>Bea</b> <img src=x onerror=alert(1)>")
    expect(bruno.page.locator("#talk")).to_have_value("")
    ada.page.evaluate("document.querySelector('form[action$=fill]').requestSubmit()")
    ada.page.wait_for_selector(".room.playing")
    bruno.open_panel("talk")
    bruno.page.fill("#talk", "Half a sen")
    played = ada.wait_for_choices() if site.room(code).prompt_id(0) is not None else None
    if played:
        ada.press(played["codes"][0])
    expect(bruno.page.locator(".log li")).not_to_have_count(0)
    expect(bruno.page.locator("#talk")).to_have_value("Half a sen")
    expect(bruno.page.locator("#talk")).to_be_focused()
    assert ada.page.locator(".chat img").count() == 0


def test_a_bot_plays_for_a_player_who_sits_out_until_return_or_the_end(site: Site, visit: Visit, monkeypatch):
    ada = visit(width=360, height=740, locale="de-DE")
    ada.start()
    ada.wait_for_choices()
    monkeypatch.setattr(site.hub, "settings", replace(site.hub.settings, bot_pause=60.0))  # else it may be over by then
    ada.page.click("[popovertarget=rest] >> nth=0")
    ada.page.click("#rest .primary")
    notice = ada.page.locator(".notice.aside")
    expect(notice).to_be_visible()
    expect(ada.page.locator(".prompt-place .lead-in")).to_have_text("Du siehst zu")
    expect(ada.page.locator("#offers button")).to_have_count(0)
    measured = ada.page.evaluate(BOXES)
    assert (measured["small"], measured["cut"], measured["scrolls"]) == ([], [], 0)
    assert notice.evaluate("(row) => row.scrollHeight <= row.clientHeight && row.scrollWidth <= row.clientWidth")
    ada.screenshot("sits-out-360")
    notice.get_by_role("button", name="Selbst spielen").click()
    expect(notice).to_have_count(0)
    ada.wait_for_choices()
    ada.page.click("[popovertarget=rest] >> nth=0")
    ada.page.click("#rest .primary")
    notice.get_by_role("button", name="Zum Ende springen").click()
    expect(ada.page.locator(".ending .result.own")).to_be_visible()


def test_events_are_announced_and_the_tab_shows_whose_turn_it_is(visit: Visit):
    ada = visit()
    ada.start()
    ada.press(ada.wait_for_choices()["codes"][0])
    expect(ada.page.locator("#announcer")).to_contain_text("in lane")
    expect(ada.page.locator("#announcer")).to_contain_text("Your turn")
    ada.wait_for_choices()
    expect(ada.page).to_have_title(re.compile("^● Your turn"))


def test_a_guess_is_noted_when_it_is_chosen_and_the_summary_card_opens_over_the_page(site: Site, visit: Visit):
    ada = visit()
    code = ada.start("voyage")
    ada.open_panel("notes")
    ada.page.select_option("#note-1", "traitor")
    ada.wait(lambda: any(event.kind == "noted" for event in site.hub.store.events(code)))
    ada.page.click("text=Summary card")
    expect(ada.page.locator("#sheet dt").first).to_be_visible()


def test_a_match_under_way_is_found_again_on_the_first_page(ada: Guest):
    code = ada.quick()
    assert re.search(rf'<section class="resume".*?href="/r/{code}">Continue', ada.get("/").text, re.DOTALL)


# Replay


def test_replay_by_buttons_keys_slider_and_without_script(site: Site, visit: Visit):
    with site.guest() as guest:
        code = guest.quick()
        site.finish(code)
    moments, ada = site.room(code).moments, visit()
    page = ada.page
    page.goto(f"/r/{code}/replay?at=5")
    page.click('[data-step="next"]')
    expect(page.locator("#moment .badge")).to_have_text(f"6 / {moments}")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#moment .badge")).to_have_text(f"7 / {moments}")
    page.locator("#at").fill("40")
    expect(page.locator("#moment .badge")).to_have_text(f"40 / {moments}")
    page.select_option("#as", "1")
    page.wait_for_url("**/replay?at=40&as=1")
    page.locator("#at").focus()
    page.keyboard.press("End")
    expect(page.locator("#moment .badge")).to_have_text(f"{moments} / {moments}")
    page.reload()
    expect(page.locator("#moment .badge")).to_have_text(f"{moments} / {moments}")
    ada.screenshot("replay-1280")
    assert page.locator(".bar").bounding_box()["y"] == 0  # the list scrolls to the line, and not the page
    line, seen = (page.locator(place).first.bounding_box() for place in (".log .now", ".lobby"))
    assert seen["y"] <= line["y"] <= seen["y"] + seen["height"]
    plain = visit(java_script_enabled=False)
    plain.page.goto(f"/r/{code}/replay?at=5")
    plain.page.click('a[rel="next"]')
    assert "at=6" in plain.page.url
    plain.page.select_option("#as", "2")
    plain.page.click("text=Show")
    assert "as=2" in plain.page.url
    plain.page.wait_for_load_state()
    assert plain.page.locator(".picture .piece").count() > 10


def test_without_script_a_match_is_played_by_its_forms(site: Site, visit: Visit):
    ada = visit(java_script_enabled=False)
    page = ada.page
    page.request.post("/quick", form={"game": "voyage", "level": "random"})  # the next bots are like the last ones
    page.goto("/")
    page.click('form:has(input[value="lifeboats"]) .button.primary')
    page.wait_for_url("**/r/*")
    room = site.room(page.url.rpartition("/")[2])
    asked = page.locator('[data-place="actions"] button[name="code"]')
    for _ in range(6):
        while not asked.count():
            ada.wait(lambda: room.prompt_id(0) is not None)
            page.reload()
        asked.first.click()
    assert "/r/" in page.url
    page.locator(".log li").nth(6).wait_for(state="attached")
    page.click(".menu summary")
    page.click("text=Deutsch")
    assert page.locator("html").get_attribute("lang") == "de"


# Every page: width, contrast, names


@pytest.fixture(scope="module")
def places(site: Site):
    """Paths of pages, with rooms in every state that stay the same."""
    match = random_match("lifeboats", 4, 8)
    with site.guest() as guest:
        over, watched = (Staged(site, match, guest, moment).code for moment in (len(match.history), 139))
        gathering = guest.create(bots="1", public="yes", name="Ada")
    return {
        "home": "/",
        "new": "/games/lifeboats/new",
        "minute": "/games/lifeboats/minute",
        "rules": "/games/lifeboats/rules",
        "gathering": f"/r/{gathering}",
        "watching": f"/r/{watched}",
        "over": f"/r/{over}",
        "why": f"/r/{watched}/why?code=vote red",
        "replay": f"/r/{over}/replay?at=60&as=0",
        "refusal": "/r/nowhere",
    }


@in_looks
def test_every_page_fits_and_axe_finds_nothing_serious(site: Site, visit: Visit, places: dict[str, str], looks):
    ada, found = visit(drawn=True), dict[str, list[str]]()
    for name, path in places.items():
        ada.page.goto(path)
        found |= ada.faults(name, looks)
    phone = looks[:1]
    ada.page.goto(places["new"])
    folded = ada.page.locator("#house-rules .facts").first
    expect(folded).to_contain_text("recommended rules")
    ada.page.click("#house-rules summary")
    ada.page.select_option("#patience", "0")
    expect(folded).to_have_text("changed: If someone takes too long, a bot plays for them")
    ada.page.click("main form button.primary")
    ada.page.wait_for_url("**/r/*")
    found |= ada.faults("lobby", phone)
    Staged(site, random_match("lifeboats", 4, 8), ada, 139).show(ada)
    found |= ada.faults("playing", phone)
    ada.page.click(".menu summary")
    found |= ada.faults("menu", phone)
    ada.console_errors[:] = [fault for fault in ada.console_errors if "404" not in fault]
    assert found == {}


UNACCENTED = """(known) => {
  const words = (text) => text?.match(/[A-Za-z]{3,}/g) ?? [];
  const names = new Set([...document.querySelectorAll("bdi")].flatMap((node) => words(node.textContent)).concat(known));
  const texts = [document.title], walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const elsewhere = "script, style, button[lang], .voice";
  while (walker.nextNode())
    if (!walker.currentNode.parentElement.closest(elsewhere)) texts.push(walker.currentNode.data);
  for (const name of ["aria-label", "title", "alt", "placeholder"])
    for (const node of document.querySelectorAll(`[${name}]`)) texts.push(node.getAttribute(name));
  return [...new Set(texts.flatMap(words))].filter((word) => !names.has(word));
}"""
"""Words of a page without accents, except names and lines of bots: the catalogues do not have them."""


# A pseudo-language: the English messages, a third longer, with accents on every character

CODE = "eo"
"""Not a language of the site, but one whose lists and dates Babel knows."""
ACCENTS = str.maketrans(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", "áƀçđéƒğħíĵķĺɱñóƥɋŕšŧúṽŵẋýžÁƁÇĐÉƑĞĦÍĴĶĹṀÑÓƤɊŔŠŦÚṼŴẊÝŽ"
)
LETTER = re.compile(r"(\{[^{}|]*\}|\{\w+:(?=[^{}]*\|))|([A-Za-z])")
"""A placeholder, the beginning of words in two persons, which are changed as others are, or one character."""


def pseudo(message: str) -> str:
    """Return a message with accents, every third character doubled; placeholders stay."""
    letters = count()

    def changed(found: re.Match[str]) -> str:
        if found[1]:
            return found[1]
        letter = found[2].translate(ACCENTS)
        return letter if next(letters) % 3 else letter + letter.lower()

    context, end, text = message.rpartition(CONTEXT_END)
    return context + end + LETTER.sub(changed, text)


class PseudoTranslations(NullTranslations):
    def gettext(self, message: str) -> str:
        return pseudo(message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return pseudo(msgid1 if n == 1 else msgid2)


def test_in_a_language_with_longer_words_pages_fit_and_no_word_is_hard_coded(
    site: Site, visit: Visit, places: dict[str, str], monkeypatch: pytest.MonkeyPatch
):
    """Without rules and replays: separate processes write them, in languages with catalogues only."""
    catalogue, translations = speech.catalogue, PseudoTranslations()
    monkeypatch.setitem(speech.DRAFTS, CODE, "Pseudo")
    monkeypatch.setattr(
        speech, "catalogue", lambda folder, code: translations if code == CODE else catalogue(folder, code)
    )
    ada, found = visit(**PHONE), dict[str, object]()
    ada.page.goto(f"/language/{CODE}")
    table = Staged(site, random_match("lifeboats", 4, 8), ada, 139)
    pages = {**places, "playing": f"/r/{table.code}", "account": "/account", "mine": "/mine"}
    known = ["Tavola", "Pseudo", "talvin", "kaj", *(part for path in pages.values() for part in path.split("/"))]
    for name in pages.keys() - {"rules", "replay"}:
        ada.page.goto(pages[name])
        if name == "playing":
            ada.wait_for_choices()
        found[name] = ada.overflow(), ada.page.evaluate(UNACCENTED, known)
    ada.console_errors[:] = [fault for fault in ada.console_errors if "404" not in fault]
    assert found == dict.fromkeys(found, (0, []))


def test_the_theme_can_be_chosen_against_the_device(visit: Visit):
    ada = visit(color_scheme="light")
    ada.page.goto("/")
    ada.page.click("text=Settings")
    ada.page.click(".settings >> text=Dark")
    expect(ada.page.locator("html")).to_have_attribute("data-theme", "dark")
    expect(ada.page.locator("body")).to_have_css("background-color", "rgb(25, 23, 19)")
    ada.screenshot("home-chosen-dark")
