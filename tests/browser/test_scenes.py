"""Scenes in the browser, sampled while they play; plans; presses that are too early; help that disappears."""

import re

import pytest
from playwright.sync_api import Page, expect

from tavola.core import CHANCE, Match, View
from tests.helpers.browser import (
    DEAF_MILLISECONDS,
    PHONE,
    BrowserGuest,
    Visit,
    drag,
    middle,
)
from tests.helpers.site import Site
from tests.helpers.staged import MY_SEAT, Staged, code_at, random_match

MATCH = "lifeboats", 4, 8
WATCH = """() => {
  window.seen = [];
  const note = () => {
    const cards = [...document.querySelectorAll('[data-board="main"] [id]')]
      .filter((one) => /^(ballot|face)-\\d+-\\d+-/.test(one.id))
      .map((one) => `${one.id} ${one.closest(".piece").getAttribute("transform")}`);
    const offers = document.getElementById("offers");
    const prompt = document.querySelector('[data-place="actions"] [name="prompt_id"]')?.value ?? "";
    window.seen.push({ at: performance.now(), cards, prompt, scene: Boolean(document.querySelector(".room.in-scene")),
                       offered: offers?.childElementCount ?? 0, inert: offers?.classList.contains("inert") ?? true });
  };
  const frame = () => { note(); requestAnimationFrame(frame); };
  frame();
  // Choices appear between two frames, and the next may be late.
  const choices = document.getElementById("narrow");
  new MutationObserver(note).observe(choices, { subtree: true, childList: true, attributes: true });
}"""
"""Records, at every frame and when choices change, which cards of ballots are where, and if choices accept presses."""
NEXT = """(prompt) => !document.querySelector(".in-scene") && document.querySelector("#offers:not(.inert) .choice")
   && document.querySelector('[data-place="actions"] [name="prompt_id"]').value !== prompt"""


@pytest.mark.parametrize(("game", "players", "seed"), [("lifeboats", 4, 8), ("voyage", 5, 16)])
def test_every_face_of_a_ballot_is_open_for_a_second_and_a_half(site: Site, visit: Visit, game, players, seed):
    """Even if bots are next, which decide at once here: they play on while the page still shows the ballot."""
    ada = visit(reduced_motion="no-preference")
    match = random_match(game, players, seed)
    staged = Staged(site, match, ada, last_voter(match), alive=True)
    page = staged.show(ada)
    prompt, number = ada.state()["prompt"], staged.room.moments
    page.evaluate(WATCH)
    ada.press(ada.state()["codes"][0])
    page.wait_for_function(NEXT, arg=prompt)
    assert staged.room.moments > number + 1  # bots were next
    seen = page.evaluate("window.seen")
    _stays_open(seen, players)
    _listens_late(seen, prompt)


def last_voter(match: Match) -> int:
    """Return a moment at which only the viewer's vote is missing from a ballot, and others decide after it."""
    for at, (seat, number) in enumerate(match.history):
        last = seat == MY_SEAT and _verb(match, number) == "vote" and _owing(match, at) == (MY_SEAT,)
        if last and _owing(match, at + 1 + (_owing(match, at + 1) == (CHANCE,))) != (MY_SEAT,):
            return at
    raise AssertionError("nobody votes last")


def _owing(match: Match, at) -> tuple[int, ...]:
    return View(match.game, match.states_at(at), None).to_act


def _verb(match: Match, number) -> str:
    return match.game.actions.verb(number).name


def staged_at(site: Site, ada: BrowserGuest, verb: str, game: tuple[str, int, int] = MATCH, least: int = 0):
    """Return a room where the viewer must decide with a verb, with more than `least` answers."""
    match = random_match(*game)
    at = next(
        at
        for at, (seat, number) in enumerate(match.history)
        if seat == MY_SEAT
        and _verb(match, number) == verb
        and len(View(match.game, match.states_at(at), MY_SEAT).legal) > least
    )
    return Staged(site, match, ada, at)


def _stays_open(seen, players) -> None:
    """After the last card of the ballot has turned, nothing moves for as long as reading takes."""
    staged = [one for one in seen if one["scene"] and one["cards"]]
    ballot = max(int(re.findall(r"\d+", card)[0]) for one in staged for card in one["cards"])
    faces = [(one["at"], [card for card in one["cards"] if re.match(rf"\w+-{ballot}-", card)]) for one in staged]
    turned = [(at, cards) for at, cards in faces if len(cards) == players and "-down" not in "".join(cards)]
    whole = [at for at, cards in turned if cards == turned[0][1]]
    assert whole[-1] - whole[0] >= 1500
    assert any("-down" in "".join(cards) for _, cards in faces)


def _listens_late(seen, prompt) -> None:
    """The choices of the next decision appear after the scene, and ignore presses for a while."""
    offered = [one for one in seen if one["offered"] and one["prompt"] != prompt and not one["scene"]]
    heard = [one["at"] for one in offered if not one["inert"]]
    assert heard[0] - offered[0]["at"] >= 400
    assert not any(one["offered"] and not one["inert"] and one["scene"] and one["prompt"] != prompt for one in seen)


# Plans


def test_courses_are_tried_before_they_are_played(site: Site, visit: Visit):
    desk, phone = visit(hurried=True), visit(**PHONE, hurried=True)
    match = random_match("voyage", 5, 16)
    first, second = [
        at for at, (seat, n) in enumerate(match.history) if seat == MY_SEAT and _verb(match, n) == "courses"
    ][:2]
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
    history = staged.room.state.match.history
    assert (history[-1][0], code_at(staged.room.state.match, -1)) == (MY_SEAT, code)
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


# Presses


def test_the_press_that_skips_a_scene_chooses_nothing(site: Site, visit: Visit):
    ada = visit(reduced_motion="no-preference")
    match = random_match(*MATCH)
    staged = Staged(site, match, ada, last_voter(match))
    page = staged.show(ada)
    moments = staged.room.moments
    ada.press(ada.state()["codes"][0])
    _skip_scene(page)
    expect(page.locator(".in-scene")).to_have_count(0)
    assert page.locator("#steps button").count() == 0
    assert staged.room.moments == moments + 1


def _skip_scene(page: Page):
    expect(page.locator(".in-scene")).to_have_count(1)
    expect(page.locator('.skip-scene[aria-disabled="false"]')).to_be_visible()
    page.keyboard.press("Enter")


NOTE = """() => {
  window.asked = [];
  const note = () => window.asked.push(document.querySelector("#question")?.textContent);
  new MutationObserver(note).observe(document.body, { subtree: true, childList: true, characterData: true });
}"""


def test_after_the_last_scene_the_question_is_not_repeated(site: Site, visit: Visit):
    ada, match = visit(reduced_motion="no-preference"), random_match("voyage", 4, 7)
    staged = Staged(site, match, ada, len(match.history) - 1)
    page = staged.show(ada)  # from here on, the page does not change by itself
    asked = page.locator("#question").text_content()
    page.evaluate(NOTE)
    staged.advance_to(len(match.history))
    _skip_scene(page)
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
    ada = visit()
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


def test_a_match_under_way_is_found_again_on_the_first_page(visit: Visit):
    ada = visit()
    code = ada.start()
    ada.wait_for_choices()
    ada.page.goto("/")
    ada.page.click(f'.resume a[href="/r/{code}"]')
    expect(ada.page.locator("#question")).to_be_visible()
