"""Boards with many parts: hands and attacks of Fairies, and a full market of Tournament: six offers of six knights."""

import random
from functools import lru_cache

import pytest
from playwright.sync_api import expect

import tavola
from tavola.core import Match
from tests.helpers.browser import CARD_CORNER, DEAF_MILLISECONDS, LISTENING, PHONE, SPOTS, Visit, drag, open_stopped
from tests.helpers.site import Site
from tests.helpers.staged import MY_SEAT, Staged, code_at, random_match, staged_at

# Fairies: cards are dragged and touched onto places, and plans are taken back


TARGETS = """() => [...document.querySelectorAll(".picture .clickable")].flatMap((part) => {
  const edges = [...part.querySelectorAll(".edge")], drawn = edges.find((edge) => edge.getBoundingClientRect().width);
  if (edges.length && !drawn) return [];  // on a phone, its garden is one target
  const box = (drawn ?? part).getBoundingClientRect();
  const inside = part.closest(".hand, .stage").getBoundingClientRect();
  const row = document.getElementById("offers").getBoundingClientRect();
  const seen = Math.min(box.bottom, inside.bottom) - Math.max(box.top, inside.top);
  const beside = box.right <= row.left || row.right <= box.left, found = [];
  if (Math.min(box.width, seen) < 39.5) found.push(`small: ${box.width} by ${seen} in ${inside.height}`);
  if (box.left < inside.left - 1 || box.right > inside.right + 1) found.push("outside");
  if (box.top < row.bottom && row.top < Math.min(box.bottom, inside.bottom) && !beside) found.push("covered");
  return found.map((fault) => `${part.id}: ${fault}`);
})"""


def test_a_touch_that_may_mean_two_powers_asks_which_one(site: Site, visit: Visit):
    """R14 or R17: a touch can mean stealing a card of hers, or covering her with all three powers. The page asks."""
    ada = visit()
    staged = Staged(site, random_match("fairies", 3, 1), ada, 342)
    staged.show(ada)
    assert {"green 1", "cover 1 green"} <= set(ada.state()["codes"])
    words = ada.page.locator("#offers .choice")
    expect(words).to_contain_text(["Steal a card", "Cover a fairy", "Use a shield", "Do nothing"])
    sign = words.locator(".sign use").get_attribute("href")
    assert sign == "#word-green"  # the fairy's sign; her colour is also a seat's
    both = '.stage .picture .clickable[data-codes*="green 1"][data-codes*="cover 1 green"]'
    ada.page.mouse.click(*ada.page.evaluate(SPOTS, both)[0])
    expect(words).to_contain_text(["Steal a card", "Cover a fairy"])
    assert staged.room.moments == 342
    ada.press("cover 1 green")
    ada.wait(lambda: staged.room.moments > 342)
    assert code_at(staged.room.state.match, 342) == "cover 1 green"


WIDE = """() => [...document.querySelectorAll(".stage .picture text[data-room]")].filter((text) => {
  return text.getBoundingClientRect().width && text.getComputedTextLength() > Number(text.dataset.room) + 1;
}).map((text) => text.textContent)"""
"""The words of the board that are wider than their room."""


@pytest.mark.parametrize("locale", ["de-DE", pytest.param("fr-FR", marks=pytest.mark.soak)])
def test_all_words_on_the_board_fit_and_can_be_read(site: Site, visit: Visit, locale):
    ada = visit(locale=locale)
    Staged(site, random_match("fairies", 3, 1), ada, 342).show(ada)
    for width, _ in ada.sizes([(1280, 800), (360, 740)]):
        assert ada.page.locator(".stage .picture text[data-room]").count() > 20
        assert (ada.page.evaluate(WIDE), ada.small_print()) == ([], []), width
        ada.screenshot(f"fairies-words-{locale}-{width}")


# A plan


@pytest.mark.parametrize("device", ["mouse", "finger"])
def test_cards_are_dragged_and_taken_back_and_nothing_has_happened(site: Site, visit: Visit, device):
    """Phase 1 is a plan: until it is played, only its player sees a laid card; taken back, the card is in hand."""
    ada, watching = visit(**PHONE if device == "finger" else {}), visit()
    staged = staged_at(site, ada, "lay", ("fairies", 3, 1), least=1)
    room, page = staged.room, staged.show(ada)
    hand = page.locator(".hand .picture .piece")
    laid = (code for code in ada.state()["codes"] if code.startswith("lay") and code.split()[2] == str(MY_SEAT))
    code = next(code for code in laid if page.evaluate(DRAG, code))
    # The main button says what it does and what follows, before and after each step of the plan.
    main = page.locator("#offers .choice.main")
    assert main.inner_text() == "Play no card\nyou draw nothing"
    played, held, before = room.moments, hand.count(), ada.state()["prompt"]
    card, place, half = page.evaluate(DRAG, code)
    hole = page.inner_html(half)
    drag(page, card, place, device)
    expect(hand).to_have_count(held - 1)
    assert page.inner_html(half) != hole
    assert page.evaluate(TARGETS) == []
    assert main.inner_text() == "Play 1 card\nthen you draw 1"
    watching.page.goto(page.url)
    expect(page.locator(".seats")).to_be_visible()
    ada.screenshot(f"fairies-planned-{device}")
    page.click("#offers:not(.inert) .back")
    expect(hand).to_have_count(held)
    assert page.inner_html(half) == hole == watching.page.inner_html(half)
    assert (room.moments, ada.state()["prompt"]) == (played, before)
    drag(page, card, place, device, held=True)
    expect(page.locator("#bubble")).to_be_hidden()
    expect(hand).to_have_count(held - 1)
    page.click("#offers:not(.inert) .go")
    expect(watching.page.locator(half)).not_to_have_js_property("innerHTML", hole)
    assert code_at(room.state.match, played) == code


DRAG = """(code) => {
  const means = (part) => part.dataset.codes.split("|").includes(code);
  const middle = (part) => {
    const box = part.getBoundingClientRect();
    return [box.x + box.width * .3, box.y + box.height * .4];
  };
  const card = [...document.querySelectorAll(".hand .picture .clickable")].find(means);
  const seen = (part) => part.id && part.getBoundingClientRect().width;
  const half = [...document.querySelectorAll(".stage .picture .clickable")].filter(seen).find(means);
  return card && half?.querySelector("[href$=empty]") ? [middle(card), middle(half), `#${half.id}`] : null;
}"""


# Tournament: each ware is found, read and answered by a touch anywhere on it; the stall where offers are made


KNIGHTS, EACH = 6, 6
WARES = """() => [...document.querySelectorAll(".answer:not(.away)")].map((ware) => {
  const { left, top, right, bottom, width, height } = ware.querySelector(":scope > .edge").getBoundingClientRect();
  const points = [[left + 6, top + 6], [right - 6, top + 6], [(left + right) / 2, (top + bottom) / 2],
                  [left + 6, bottom - 6], [right - 6, bottom - 6]];
  const whole = points.every(([x, y]) => document.elementFromPoint(x, y)?.closest(".piece") === ware);
  const { codes, rank } = ware.dataset;
  return { id: ware.id, codes, rank: Number(rank), width, height, x: left + 6, y: top + 6, whole };
}).sort((one, other) => one.y - other.y || one.x - other.x)"""
"""Wares in sight that concern the viewer, with their sizes, and whether all of each can be touched."""
TOUCHED = """() => [...document.querySelectorAll(".stage .picture .clickable, .stage .picture .tap")].map((part) => {
  const box = part.querySelector(":scope .edge").getBoundingClientRect();
  return [part.id, box.width, box.height];
}).filter(([, width, height]) => Math.min(width, height) < 40)"""
"""Parts of the board that are too small for a finger."""
on_a_phone = pytest.mark.parametrize("size", [PHONE], ids=["phone"])
on_a_desk = pytest.mark.parametrize("size", [{}], ids=["desk"])


@lru_cache(maxsize=1)
def crowded() -> Match:
    """Return a match with the maximum number of offers, many of them to the viewer."""
    match, draw = Match(tavola.load("tournament"), players=KNIGHTS, seed=3), random.Random(3)
    for _ in range(EACH):
        for seat in reversed(range(KNIGHTS)):
            others = [str(other) for other in range(KNIGHTS) if other != seat]
            match.play(f"offer {draw.choice(['all', 'all', *others, *['0'] * 3 * bool(seat)])}", seat)
            for verb in (*["give"] * draw.randint(1, 3), *["ask"] * draw.randint(1, 3), "charge"):
                ways = [code for code in match.legal_codes(seat) if code.startswith(verb)]
                if ways and (verb != "charge" or draw.random() < 0.5):
                    match.play(draw.choice(ways), seat)
            match.play("publish", seat)
    return match


@pytest.fixture
def market(site: Site, visit: Visit, size):
    match, visitor = crowded(), visit(**size)
    staged = Staged(site, match, visitor, len(match.history))
    staged.show(visitor)
    return staged, visitor


def accepted(staged: Staged) -> str:
    """Return the code by which the last offer was accepted."""
    sale = staged.table.sale
    return f"accept {sale.maker - 1} {sale.number}"


@on_a_phone
def test_each_of_36_offers_is_found_read_and_answered_on_a_phone(market):
    staged, phone = market
    table, found = staged.table, []
    while not found or found[-1]["id"] not in [ware["id"] for ware in found[:-5]]:
        wares = phone.page.evaluate(WARES)
        assert all(ware["whole"] and ware["width"] >= 40 and ware["height"] >= 40 for ware in wares), wares
        assert phone.small_print() == []
        phone.check_layout()
        found += wares
        x, y, pitch = wares[0]["x"] + 60, wares[-1]["y"] + 10, wares[1]["y"] - wares[0]["y"]
        drag(phone.page, (x, y), (x, y - 3 * pitch), "finger")
    ranks = {ware["id"]: ware["rank"] for ware in found}
    assert len(ranks) == KNIGHTS * EACH
    assert [*ranks.values()] == sorted(ranks.values())  # offers that can be answered come first
    acceptable = {f"accept {code.split()[1]} {code.split()[2]}" for code in phone.state()["codes"] if "accept" in code}
    assert {ware["codes"] for ware in found if ware["rank"] == 0} == acceptable
    assert staged.table == table  # scrolling the list answers nothing
    first = found[0]
    for _ in range(12):
        drag(phone.page, (180, 260), (180, 440), "finger")
    phone.page.touchscreen.tap(first["x"], first["y"])
    phone.page.wait_for_selector("#offers:not(.inert) .go")  # the first touch previews, the second plays
    phone.page.touchscreen.tap(first["x"], first["y"])
    phone.wait(lambda: staged.table.sales == 1)
    assert accepted(staged) == first["codes"]


@on_a_desk
def test_a_desk_shows_twenty_at_once_and_the_rest_by_wheel_keys_and_words(market):
    _, desk = market
    page, count = desk.page, KNIGHTS * EACH
    wares = page.evaluate(WARES)
    assert (len(wares), all(ware["whole"] for ware in wares)) == (20, True)
    assert desk.small_print() == []
    page.mouse.move(400, 400)
    page.mouse.wheel(0, 4000)
    page.wait_for_function("() => document.querySelectorAll('.ware.away').length === 16")
    assert len({ware["id"] for ware in page.evaluate(WARES)} | {ware["id"] for ware in wares}) == count
    page.keyboard.press("PageUp")
    assert page.evaluate(WARES) == wares
    assert page.locator('.answer[data-codes="withdraw 6"].away').count()
    page.locator("#offers .choice", has_text="Withdraw").click()
    while page.evaluate("document.activeElement.dataset.codes") != "withdraw 6":
        page.keyboard.press("Tab")
    page.wait_for_selector("#offers:not(.inert)")  # choices are drawn again when they start to accept presses
    assert page.evaluate("document.activeElement.dataset.codes") == "withdraw 6"
    page.wait_for_selector('.answer[data-codes="withdraw 6"].pointed:not(.away)')


@on_a_phone
def test_what_others_do_moves_no_ware_under_a_finger(market):
    """A ware that has moved because another was withdrawn ignores touches for a moment."""
    staged, phone = market
    page = phone.page
    open_stopped(page, page.url, LISTENING)
    first, second, *_ = page.evaluate(WARES)
    maker, number = first["codes"].split()[1:]
    staged.write([("played", {"seat": int(maker), "code": f"withdraw {number}"})])
    page.wait_for_selector(f"#{first['id']}", state="detached")
    page.touchscreen.tap(first["x"], first["y"])
    page.clock.run_for(DEAF_MILLISECONDS)
    page.wait_for_selector(f"#{second['id']}.clickable")
    assert staged.table.sales == 0
    page.touchscreen.tap(first["x"], first["y"])
    page.clock.run_for(DEAF_MILLISECONDS)
    page.touchscreen.tap(first["x"], first["y"])
    phone.wait(lambda: staged.table.sales == 1)
    page.wait_for_selector(".hand .card-of-hand.newly")  # new cards in the hand are marked for a while
    page.clock.run_for(7_000)
    page.wait_for_selector(".hand .newly", state="detached")


@on_a_desk
def test_a_touch_means_what_lay_there_when_the_finger_came_down(market):
    """Others withdraw while a button of the mouse is down: the touched ware itself, or another."""
    staged, desk = market
    page = desk.page
    open_stopped(page, page.url, LISTENING)
    for lost, sales in ((0, 0), (-1, 1)):
        answerable = [ware for ware in page.evaluate(WARES) if ware["rank"] == 0]
        touched = answerable[0]
        maker, number = answerable[lost]["codes"].split()[1:]
        page.mouse.move(touched["x"], touched["y"])
        page.mouse.down()
        staged.write([("played", {"seat": int(maker), "code": f"withdraw {number}"})])
        page.wait_for_selector(f"#answer-{maker}-{int(number) - 1}", state="detached")
        page.mouse.up()
        page.clock.run_for(DEAF_MILLISECONDS)
        if sales:
            page.locator("#offers:not(.inert) .go").click()
        desk.wait(lambda sales=sales: staged.table.sales == sales)
    assert accepted(staged) == touched["codes"]


NEXT_WORDS = f"""(before) => document.querySelector("{LISTENING}")
  && document.getElementById("offers").innerHTML !== before"""
"""Whether other choices than before listen to presses."""


def test_an_offer_is_made_by_words_alone(site: Site, visit: Visit):
    """After each step all others are offered again; of a card that is asked for only a slider changes the value."""
    match, visitor = Match(tavola.load("tournament"), players=KNIGHTS, seed=3), visit()
    staged = Staged(site, match, visitor, len(match.history))
    page = staged.show(visitor)
    for step in ("offer all", "ask lance", "ask armour"):
        page.wait_for_selector(LISTENING)
        while not page.locator(f'form[data-steps*="{step}"]').count():
            words = page.locator("#offers").inner_html()
            page.locator(f'#offers .choice[data-codes*="{step}"]').first.click()
            page.wait_for_function(NEXT_WORDS, arg=words)
    page.locator("#offers .choice", has_text="Announce").click()
    visitor.wait(lambda: staged.table.offers[MY_SEAT][0].to)


@pytest.mark.parametrize("size", [pytest.param({}, marks=pytest.mark.soak, id="desk"), pytest.param(PHONE, id="phone")])
def test_whatever_is_touched_while_an_offer_is_made_fits_a_finger(site: Site, visit: Visit, size):
    """Five opponents, three cards each way, and sous. Touching one's own ware twice does not withdraw it."""
    match, visitor = Match(tavola.load("tournament"), players=KNIGHTS, seed=3), visit(**size)
    staged = Staged(site, match, visitor, len(match.history))
    page, touch = staged.show(visitor), visitor.page.tap if size else visitor.page.click
    assert page.evaluate(TOUCHED) == []
    touch("#to-1")
    page.wait_for_selector("#send")
    for identifier in [card.get_attribute("id") for card in page.locator(".card-of-hand").all()[:3]]:
        touch(f"#{identifier}", position=CARD_CORNER)
        page.wait_for_selector(f"#{identifier}.lifted")
    for sort, name in enumerate(("sword-1", "shield-1", "lance-1")):
        touch(f"#want-{sort}")
        page.wait_for_selector(f'[data-removes="ask {name}"]')
    page.focus("#scale-sous")
    page.keyboard.press("End")
    page.wait_for_selector('form[data-steps*="charge 10"]', state="attached")
    assert (page.evaluate(TOUCHED), visitor.small_print()) == ([], [])
    if size:
        visitor.check_layout()
    touch("#send")
    own, asked = '.answer[data-codes="withdraw 1"]', page.locator('#offers .choice[data-codes="withdraw 1"]')
    visitor.wait(lambda: staged.table.offers[MY_SEAT][0].to)
    page.wait_for_selector(f"{own}.clickable")
    page.wait_for_selector(LISTENING)
    for _ in range(2):  # the second touch does not confirm
        touch(f"{own} > .edge", position={"x": 20, "y": 20})
        page.wait_for_function("() => document.querySelector('#question').textContent.startsWith('Withdraw offer 1: ')")
    assert staged.table.offers[MY_SEAT][0].to
    assert (asked.inner_text(), visitor.small_print()) == ("Withdraw", [])
    asked.click()
    visitor.wait(lambda: not staged.table.offers[MY_SEAT][0].to)
    page.wait_for_selector(LISTENING)
    site.hub.tasks.closing = True
    page.locator("#offers .choice", has_text="Done trading").click()
    page.locator("#offers:not(.inert) .go").click()
    page.locator("#banner", has_text="The server is shutting down").wait_for()
    site.hub.tasks.closing = False
    # After a refusal, the player can choose again.
    page.locator("#offers .choice[data-codes*=offer]", has_text="New offer").wait_for()
