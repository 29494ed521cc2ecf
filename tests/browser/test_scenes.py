"""Scenes in the browser, frame by frame, with their sounds; plans; help that disappears."""

import re

import pytest
from playwright.sync_api import Page, Route, expect

from tests.helpers.browser import DEAF_MILLISECONDS, PHONE, BrowserGuest, Visit, drag, middle
from tests.helpers.site import Guest, Site
from tests.helpers.staged import MY_SEAT, TICK, SceneWatcher, Staged, code_at, last_voter, random_match, staged_at

CARDS = """() => [...document.querySelectorAll('[data-board="main"] [id]')]
  .filter((one) => /^(ballot|face)-\\d+-\\d+-/.test(one.id))
  .map((one) => `${one.id} ${one.closest(".piece").getAttribute("transform")}`)"""
"""The cards of ballots, and their places."""
NEXT = """(prompt) => document.querySelector("#offers .choice")
  && document.querySelector('[data-place="actions"] [name="prompt_id"]')?.value !== prompt"""
"""Whether the next decision is shown."""


@pytest.mark.parametrize("record", [("lifeboats", 4, 8), ("voyage", 5, 16)])
def test_every_face_of_a_ballot_is_open_for_a_second_and_a_half(site: Site, visit: Visit, record):
    """Even if bots are next, which decide at once here: they play on while the page still shows the ballot."""
    ada, match = visit(reduced_motion="no-preference"), random_match(*record)
    staged = Staged(site, match, ada, last_voter(match), alive=True)
    watcher = SceneWatcher(ada, staged)
    prompt, number = ada.state()["prompt"], staged.room.moments
    ada.press(ada.state()["codes"][0])
    ada.wait(lambda: staged.room.moments > number + 1)  # bots were next
    watcher.arrive()
    shown = list(watcher.film(CARDS))
    ballot = max(int(re.findall(r"\d+", card)[0]) for _, cards in shown for card in cards)
    faces = [[card for card in cards if re.match(rf"\w+-{ballot}-", card)] for _, cards in shown]
    turned = [cards for cards in faces if len(cards) == record[1] and "-down" not in "".join(cards)]
    assert TICK * turned.count(turned[0]) >= 1500 - TICK
    assert any("-down" in "".join(cards) for cards in faces)
    _listens_late(ada, prompt)


def _listens_late(ada: BrowserGuest, prompt: str) -> None:
    """The choices of the next decision appear after all scenes, and ignore presses for a while."""
    page = ada.page

    def is_next() -> bool:
        page.clock.run_for(50)
        return page.evaluate(NEXT, prompt)

    ada.wait(is_next)
    expect(page.locator(".in-scene")).to_have_count(0)
    page.clock.run_for(349)
    expect(page.locator("#offers.inert")).to_have_count(1)
    page.clock.run_for(DEAF_MILLISECONDS)
    expect(page.locator("#offers.inert")).to_have_count(0)


# Plans


def test_courses_are_tried_before_they_are_played(site: Site, visit: Visit):
    desk, phone = visit(hurried=True), visit(**PHONE, hurried=True)
    match = random_match("voyage", 5, 16)
    own = [at for at, (seat, _) in enumerate(match.history) if seat == MY_SEAT]
    first, second = [at for at in own if code_at(match, at).startswith("courses")][:2]
    staged, code = Staged(site, match, desk, first), code_at(match, first)
    staged.show(desk)
    _mouse_plans(desk, staged, code)
    _keys_play(desk, staged, code)
    phone.become(desk)
    staged.advance_to(second)
    staged.show(phone)
    _fingers_play(phone, staged, code_at(match, second))


def _mouse_plans(ada: BrowserGuest, staged: Staged, code: str):
    """Plan the open course by its arrow on the chart and the sealed one by its card; then take both back."""
    page, (_, openly, sealed) = ada.page, code.split()
    ada.wait_for_choices()
    moments = staged.room.moments
    page.mouse.click(*middle(page, f"[id^=heading-][id$={openly}]"))
    ada.listen()
    page.mouse.click(*middle(page, f"#secret-{sealed}"))
    expect(page.locator("#offers .go")).to_be_visible()
    expect(page.locator("#own-laid")).to_be_attached()
    expect(page.locator(f"[id^=laid-][id$={openly}]")).to_be_attached()
    expect(page.locator("#question")).to_contain_text(re.compile(openly, re.IGNORECASE))
    staged.say("Take your time")  # what others do meanwhile does not end a plan
    expect(page.locator(".badge-count").first).to_have_text("1")
    expect(page.locator("#offers .go")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#own-laid")).not_to_be_attached()
    expect(page.locator("#question")).to_have_text("Which course do you show?")
    assert staged.room.moments == moments


def _keys_play(ada: BrowserGuest, staged: Staged, code: str):
    """Choose the words by number, and play with Enter."""
    page, moments = ada.page, staged.room.moments
    ada.wait_for_choices()
    for words in (code.rpartition(" ")[0], code):
        place = page.evaluate(
            "(words) => [...document.querySelectorAll('#offers .choice')]"
            ".findIndex((one) => one.dataset.codes.split('|').every((code) => code.startsWith(words))) + 1",
            words,
        )
        page.keyboard.press(str(place))
        ada.listen()
    expect(page.locator("#offers .go")).to_be_visible()
    page.clock.run_for(DEAF_MILLISECONDS)
    page.locator("#offers .go").focus()
    page.keyboard.press("Enter")
    _has_played(ada, staged, moments, code)


def _fingers_play(ada: BrowserGuest, staged: Staged, code: str):
    """Tap an arrow and a card, take one back by its arrow, and tap Play."""
    page, (_, openly, sealed) = ada.page, code.split()
    ada.wait_for_choices()
    moments = staged.room.moments
    for again in (False, True):
        _tap(page, f"[id^=heading-][id$={openly}] .dart")
        ada.listen()
        _tap(page, f"#secret-{sealed} .coarse .touch")
        expect(page.locator("#offers .go")).to_be_visible()
        page.clock.run_for(DEAF_MILLISECONDS)
        if not again:
            _tap(page, "#offers .back")
            expect(page.locator("#offers .go")).not_to_be_attached()
            ada.wait_for_choices()
    assert staged.room.moments == moments
    _tap(page, "#offers .go")
    _has_played(ada, staged, moments, code)


def _tap(page: Page, selector: str):
    page.touchscreen.tap(*middle(page, selector))


def _has_played(ada: BrowserGuest, staged: Staged, moments, code: str):
    ada.wait(lambda: staged.room.moments == moments + 1)
    assert (staged.room.state.match.history[-1][0], code_at(staged.room.state.match, -1)) == (MY_SEAT, code)
    staged.at = staged.room.moments
    expect(ada.page.locator("#offers .go")).not_to_be_attached()


@pytest.mark.parametrize("device", ["mouse", "finger"])
def test_a_man_is_dragged_from_the_hand_aboard_a_boat(visit: Visit, site: Site, device):
    """A drag equals two touches."""
    ada = visit(**(PHONE if device == "finger" else {}))
    staged = staged_at(site, ada, "crew")
    at = staged.at
    staged.show(ada)
    _, rank, boat = ada.wait_for_choices()["codes"][-1].split()
    drag(ada.page, middle(ada.page, f"#seat-{rank}"), middle(ada.page, f"#boat-{boat}"), device)
    ada.wait(lambda: staged.room.moments == at + 1)
    assert code_at(staged.room.state.match, -1) == f"crew {rank} {boat}"


# Scenes


NOTE = """() => {
  window.asked = [];
  const note = () => window.asked.push(document.querySelector("#question")?.textContent);
  new MutationObserver(note).observe(document.body, { subtree: true, childList: true, characterData: true });
}"""


@pytest.mark.parametrize("skips", ["a click", "Enter"])
def test_after_the_last_scene_the_question_is_not_repeated(site: Site, visit: Visit, skips: str):
    """Not even if the last page takes long, and the choices of the last decision are pressed meanwhile."""
    ada, match = visit(reduced_motion="no-preference"), random_match("voyage", 4, 7)
    staged = Staged(site, match, ada, len(match.history) - 1)
    page = staged.show(ada)  # from here on, the page does not change by itself
    asked, spot = page.locator("#question").text_content(), middle(page, "#offers .choice[data-codes]")
    page.evaluate(NOTE)
    skip, held = page.locator('.skip-scene[aria-disabled="false"]'), list[Route]()
    page.route(f"**/r/{staged.code}", lambda route: held.append(route), times=1)
    staged.advance_to(len(match.history))
    expect(skip).to_be_visible()
    page.keyboard.press(skips) if skips == "Enter" else skip.click()
    ada.wait(lambda: held)
    page.mouse.click(*spot)
    expect(page.locator(".room.playing.in-scene")).to_have_count(1)
    held.pop().continue_()
    expect(page.locator(".ending")).to_be_visible()  # the story needs a process to start
    told = page.evaluate("window.asked")
    assert told
    assert asked not in told


def test_a_step_touched_twice_is_tried_once(site: Site, visit: Visit):
    ada = visit()
    staged, sent = staged_at(site, ada, "courses", ("voyage", 5, 16)), []
    ada.page.on("websocket", lambda line: line.on("framesent", lambda text: sent.append(text)))
    code = code_at(staged.match, staged.at)
    staged.show(ada)
    codes = "(part, code) => part.dataset.codes?.split('|').includes(code)"
    ada.page.evaluate(
        f"""(code) => {{
          const meant = {codes}, press = () => [...document.querySelectorAll("#offers .choice")]
            .find((part) => meant(part, code)).click();
          press();
          return new Promise((resolve) => setTimeout(() => {{
            for (let times = 0; times < 6; times++) press();
            resolve();
          }}, {DEAF_MILLISECONDS}));
        }}""",
        code,
    )
    expect(ada.page.locator("#offers .go")).to_be_visible()
    assert sum('"type":"plan"' in text for text in sent) == 1


def test_the_line_of_the_coach_goes_away_for_good(visit: Visit):
    ada = visit(height=1000)  # in a low column, it gives way to many choices
    ada.open_room(players="4", bots="3")  # silent bots: a question would replace the line
    ada.begin()
    page = ada.page
    while not page.locator(".coach").count():
        ada.press(ada.wait_for_choices()["codes"][0])
    kind = page.locator(".coach").get_attribute("data-kind")
    page.mouse.move(0, 0)  # a description of what the mouse points at would replace the line
    expect(page.locator("#offers [aria-disabled]")).to_have_count(0)  # a script has given the focus to a choice
    page.click(".coach [data-dismiss]")
    expect(page.locator(f'.coach[data-kind="{kind}"]')).to_be_hidden()
    page.reload()
    expect(page.locator("#question")).to_be_visible()
    assert not page.locator(f'.coach[data-kind="{kind}"]:visible').count()


# Sounds

LISTEN = """(() => {
  window.heard = [];
  for (const kind of [OscillatorNode, AudioBufferSourceNode]) {
    const start = kind.prototype.start;
    kind.prototype.start = function (...when) { window.heard.push(kind.name); return start.apply(this, when); };
  }
  const Real = AudioContext;
  window.devices = 0;
  window.AudioContext = class extends Real { constructor() { super(); window.devices += 1; } };
})();"""
"""Records the sounds started, and counts the audio devices opened."""


@pytest.mark.parametrize("size", [pytest.param({}, marks=pytest.mark.soak, id="desk"), pytest.param(PHONE, id="phone")])
def test_sound_is_offered_when_a_match_is_over_and_never_again(site: Site, visit: Visit, ada: Guest, size):
    ear, match = visit(reduced_motion="no-preference", **size), random_match("lifeboats", 4, 8)
    ear.context.add_init_script(LISTEN)
    staged = Staged(site, match, ada, last_voter(match))
    watcher = SceneWatcher(ear, staged, ada)
    page = watcher.page
    staged.advance_to(staged.at + 1)
    watcher.arrive()
    expect(page.locator(".room.in-scene")).to_have_count(1)
    assert page.locator("#hear").count() == 0
    staged.advance_to(len(match.history))
    watcher.settle()
    expect(page.locator("#hear")).to_be_visible()
    assert page.evaluate("[window.heard, window.devices]") == [[], 0]
    for answer in ("on", "off"):
        box = page.locator(f'[data-hear="{answer}"]').bounding_box()
        assert box["width"] >= 40 <= box["height"]
    with page.expect_response("**/settings"):
        page.locator('[data-hear="on"]').tap() if size else page.locator('[data-hear="on"]').click()
    expect(page.locator("#hear")).to_be_hidden()
    watcher.visitor.wait(lambda: bool(page.evaluate("window.heard.length")))
    _next_match_sounds(site, watcher, ada)


def _next_match_sounds(site: Site, watcher: SceneWatcher, ada: Guest) -> None:
    match = watcher.staged.match
    staged, page = Staged(site, match, ada, last_voter(match)), watcher.page
    page.goto(f"/r/{staged.code}")
    page.wait_for_selector('html[data-sound="on"] .room.playing')
    page.locator(".phases-place").click()  # browsers play sounds only after a touch
    before = page.evaluate("window.heard.length")
    watcher.staged = staged
    watcher.arrive()
    staged.advance_to(staged.at + 1)
    watcher.arrive()
    watcher.stop_at(2)  # two cards are turned
    watcher.visitor.wait(lambda: "AudioBufferSourceNode" in page.evaluate(f"window.heard.slice({before})"))
    staged.advance_to(len(match.history))
    watcher.settle()
    expect(page.locator(".ending")).to_have_count(1)
    expect(page.locator("#hear")).to_be_hidden()
