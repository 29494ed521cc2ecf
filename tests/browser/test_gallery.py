"""Every kind of decision and scene as the pages show them.

They are measured on a phone, where space is tight, in the language with the longest words. The soak adds Italian, a
desktop, and the rare ends of matches. With `--pictures`, a run saves pictures in `test-output/gallery`, light and dark,
to be looked at.
"""

import pytest
from playwright.sync_api import Page, expect

from tavola.talk import language_of
from tests.helpers.browser import FINISH, GLANCE, PHONE, Visit
from tests.helpers.site import Site
from tests.helpers.staged import MATCHES as RECORDS
from tests.helpers.staged import MY_SEAT, SceneWatcher, Staged, StagedMoment, decisions, random_match, scenes

DESK = {"width": 1280, "height": 800}
LIFEBOATS = {
    "leak": "springs a leak",
    "overboard": "loses .* overboard",
    "tie": "a tie between",
    "captain": "played the only captain",
    "captains": "cancel out",
    "full": "is full\\.",
    "choice": "chooses .* for the",
    "moves": "moves forward:",
    "lands": "reaches",
    "sinks": "sinks with everyone",
    "drowns": "No other boat",
    "round": "Round 2:",
    "over": "The match is over",
}
VOYAGE = {
    "open": "shows .* and hides",
    "white": "White wins the vote",
    "black": "Black wins the vote",
    "sea": "finds open sea at",
    "cross": "finds an island with a cross",
    "plain": "finds an island without a cross",
    "fog": "in the fog at",
    "avalon": "finds Avalon",
}
TOURNAMENT = {
    "deal": "Deal:",
    "fight": "fight\\.",
    "forfeit": "forfeits",
    "turned": "beats",
    "duel": "wins the duel",
    "tie": "God must judge",
    "wrong": "both got it wrong",
    "right": "It was [^:]*\\.",
    "bought": "buys a card",
    "drawn": "draws it in secret",
}
MATCHES = {
    "lifeboats": (("lifeboats", 4, 8), LIFEBOATS, 10),
    "voyage": (("voyage", 5, 16), VOYAGE, 2),
    "voyage-lost": (("voyage", 4, 7), {"tie": "tie", "coast": "finds coast", "lost": "The route is lost"}, 0),
    "tournament": (("tournament", 3, 5), TOURNAMENT, 11),
    "tournament-first": (("tournament", 4, 5), {"first": "was first", "noset": "has no full set"}, 0),
    "voyage-late": (("voyage", 5, 29), {"late": "found in twenty turns"}, 0),
}
"""Matches, the sentences of their scenes, and the number of kinds of decisions in them."""
SHOWN = [pytest.param(name, marks=[] if kinds else pytest.mark.soak) for name, (_, _, kinds) in MATCHES.items()]
WORDY = {"fairies": ("fairies", 4, 2), "expedition": ("expedition", 6, 2)}
"""Matches in which only texts and the column of decisions are measured: other tests check their boards."""
COLUMN = """([shown, held]) => {
  const box = (selector) => document.querySelector(selector)?.getBoundingClientRect();
  const panel = document.querySelector(".panel.shown"), seats = [...document.querySelectorAll(".seat")];
  const hand = box(".hand"), inner = seats.map((seat) => Math.round(seat.getBoundingClientRect().height));
  const whole = !hand || !held || (hand.bottom <= innerHeight + 1 && hand.height >= 95);
  const row = new Set(seats.map((seat) => Math.round(seat.getBoundingClientRect().top))).size === 1;
  const words = (node) => {
    const range = document.createRange();
    range.selectNodeContents(node);
    return range.getBoundingClientRect();
  };
  const covers = ({ left, right, top, bottom }, name) =>
    left < name.right - 1 && right > name.left + 1 && top < name.bottom - 4 && bottom > name.top + 7;
  const named = seats.every((seat) => [...seat.querySelectorAll(".seal, .owe")].every((badge) =>
    !covers(badge.getBoundingClientRect(), words(seat.querySelector(".name")))));
  const inside = (seat) => [...seat.querySelectorAll(".facts, .reason")].every((part) =>
    part.getBoundingClientRect().right <= seat.getBoundingClientRect().right + 1);
  const last = box(".asked-place").bottom, tabs = document.querySelector(".tabs").clientHeight;
  return Boolean(document.querySelector(shown)) && panel.clientHeight >= 200 && tabs >= 40 && whole && row && named &&
    last <= innerHeight && inner.every((height) => height === 48) && seats.every(inside);
}"""
"""On a desk: something is shown, the log has 200 pixels, the seats are one row with their words inside and names
uncovered, the request is in sight, and the hand if `held`."""
CUT = """async () => {
  const main = document.querySelector("[type=module]").src;
  const { draw, now } = await import(main.replace("main.js", "choices/choices.js"));
  const offers = document.getElementById("offers"), narrowing = now(), cut = new Set(), seen = new Set();
  let shown = 0;
  const look = () => {
    draw();
    const row = narrowing.options.map(({ word }) => word).join("|");
    if (seen.has(row)) return;
    seen.add(row);
    const right = offers.getBoundingClientRect().right;
    for (const choice of [...offers.querySelectorAll(".choice"), ...document.querySelectorAll("#steps button")]) {
      shown += 1;
      const wide = choice.scrollWidth - choice.clientWidth, high = choice.scrollHeight - choice.clientHeight;
      const beyond = offers.contains(choice) ? choice.getBoundingClientRect().right - right : 0;
      const whole = wide <= 1 && high <= 2 && beyond <= 1 && !choice.textContent.includes("…");
      if (!whole) cut.add(`${choice.textContent} ${[wide, high, Math.round(beyond)]}`);
    }
    for (const { codes } of narrowing.options) {
      if (codes.length < 2 || codes.length === narrowing.open.length) continue;
      narrowing.touch(codes);
      look();
      narrowing.back();
    }
  };
  look();
  draw();
  return [shown, [...cut]];
}"""
"""The number of choices of the present decision, in all its steps, and the texts that are cut off."""
LINES = """() => {
  const choices = [...document.querySelectorAll("#offers .does-so")];
  return choices.filter((choice) => choice.querySelector(".does")).length >= choices.length / 2;
}"""
"""Whether at least half of the choices with consequences have room for a line about them."""
ADVICE = """(line) => {
  const place = document.querySelector(".coach-place"), text = place.querySelector("p");
  if (!text || !place.checkVisibility({ visibilityProperty: true })) return true;
  const was = text.textContent;
  text.className = "long";
  text.textContent = line;
  const [whole, advice] = [place, place.querySelector(".coach")].map((node) => node.getBoundingClientRect().bottom);
  text.textContent = was;
  return advice <= whole + 1;
}"""
"""Whether a long line of advice stays in its place."""
LONG_ADVICE = "Kljutschewskaja Sopka: Hier steht schon eine Expedition, die Karte wartet auf die nächste. " * 2
CLEAR = """() => {
  const boxes = (selector) => [...document.querySelectorAll(selector)]
    .map((part) => ({ part, box: part.getBoundingClientRect() })).filter(({ box }) => box.width);
  const edges = boxes(".stage .clickable .edge");
  return boxes(".stage [data-clear] text").filter(({ box: { left, right, top, bottom } }) => edges.some(({ box }) =>
    box.left < right && left < box.right && Math.min(bottom, box.bottom) - Math.max(top, box.top) > (bottom - top) / 4
  )).map(({ part }) => part.textContent);
}"""
"""Texts that must stay visible, of which what can be touched covers more than a quarter of the height."""
APART = """() => {
  const names = [...document.querySelectorAll(".stage [id^='role-'] .mid:is(.on-desk, .on-card)")];
  const boxes = names.map((text) => text.getBoundingClientRect()).filter(({ width }) => width);
  const stage = document.querySelector(".stage").getBoundingClientRect();
  const touch = (one, other) => one.left < other.right && other.left < one.right &&
    Math.abs(one.bottom - other.bottom) < one.height / 2;
  return boxes.every((one, place) => one.left >= stage.left && one.right <= stage.right &&
    boxes.every((other, before) => before >= place || !touch(one, other)));
}"""
"""Whether the names of revealed roles are inside the stage and touch no other in their row."""
FIGURES = """async (weight) => {
  await document.fonts.load(`${weight} 100px Alegreya`);
  const pen = document.createElement("canvas").getContext("2d"), word = document.createElement("span");
  pen.font = `${weight} 100px Alegreya`;
  document.body.append(word);
  word.style.cssText = `font: ${weight} 100px Alegreya; font-variant-numeric: tabular-nums; position: absolute`;
  return [...("H0123456789")].map((sign) => {
    const { actualBoundingBoxAscent: above, actualBoundingBoxDescent: below } = pen.measureText(sign);
    word.textContent = sign;
    return [above, below, word.getBoundingClientRect().width];
  });
}"""
"""Pixels above and below the line of a capital and the figures, and their widths in a table."""


@pytest.mark.parametrize("locale", ["de-DE", pytest.param("it-IT", marks=pytest.mark.soak)])
@pytest.mark.parametrize("name", SHOWN)
def test_every_kind_of_decision_and_scene_is_shown(visit: Visit, site: Site, name, locale):
    _show_all(visit, site, name, PHONE, locale=locale)


@pytest.mark.soak
@pytest.mark.parametrize("name", MATCHES)
def test_the_whole_gallery(visit: Visit, site: Site, name):
    _show_all(visit, site, name, PHONE, DESK, schemes=("light", "dark"))


@pytest.mark.parametrize("locale", ["de-DE", pytest.param("it-IT", marks=pytest.mark.soak)])
@pytest.mark.parametrize("game", WORDY)
def test_no_choice_is_cut_off_in_the_longest_words(visit: Visit, site: Site, game, locale):
    match, guest = random_match(*WORDY[game]), visit(locale=locale, **PHONE)
    staged = Staged(site, match, guest)
    shown = 0
    for stop in sorted(decisions(match)):
        page = staged.show(guest, at=stop.at)
        shown += _words_fit(page, stop)
        assert page.evaluate(ADVICE, LONG_ADVICE), stop
        assert page.evaluate(CLEAR) == [], stop
        _log_has_room(page, staged)
    assert shown > 20


def _log_has_room(page: Page, staged: Staged):
    """Check the column on a desk: as it is, while a bot plays for the viewer, and while a request waits."""
    phone = page.viewport_size
    page.set_viewport_size({"width": DESK["width"], "height": DESK["height"]})
    page.wait_for_function(COLUMN, arg=["#question", True], polling=GLANCE)
    staged.write([("taken", {"seat": MY_SEAT})])
    page.wait_for_function(COLUMN, arg=[".notice", False], polling=GLANCE)
    staged.write([("returned", {"seat": MY_SEAT})])
    page.wait_for_selector(".notice", state="detached")
    deeds, code = language_of(staged.match.game).deeds, staged.match.game.actions.code
    own = (code(number) for seat, number in staged.match.history[staged.at :] if seat == MY_SEAT)
    if deed := next((each for each in own if each.split(" ")[0] in deeds), ""):  # the next one can be asked for
        staged.write([("spoke", {"seat": 1, "act": "request", "to": MY_SEAT, "deed": f"{deed} next"})])
        page.wait_for_function(COLUMN, arg=[".asked-card", False], polling=GLANCE)
        staged.write([("spoke", {"seat": MY_SEAT, "act": "decline", "answers": len(staged.room.state.talk.said)})])
        page.wait_for_selector(".asked-card", state="detached")
    page.set_viewport_size(phone)


def _words_fit(page: Page, stop: StagedMoment) -> int:
    """Check that no choice of a decision is cut off in any of its steps; return the number of choices."""
    assert page.evaluate(LINES), stop
    shown, cut = page.evaluate(CUT)
    assert cut == [], stop
    return shown


@pytest.mark.parametrize("record", [*RECORDS.values(), ("voyage", 7, 3)])
def test_a_last_screen_shows_all_points_without_scrolling_and_prints_nothing_too_small(
    visit: Visit, site: Site, record
):
    """Measured as seen: font size times the scale of the picture, at every size of the page."""
    match, guest = random_match(*record), visit(**PHONE, locale="de-DE")
    Staged(site, match, guest, len(match.history)).show(guest, ".ending .result:last-child")
    assert guest.page.locator(".stage .picture text").count() > 0
    points = guest.page.locator(".final summary .points")
    expect(points).to_have_count(match.players)
    for number in range(match.players):
        expect(points.nth(number)).to_be_in_viewport(ratio=1)
    guest.screenshot(f"end-{match.game.name}-{match.players}", full_page=False)
    for size in guest.sizes([(740, 360), *((size["width"], size["height"]) for size in (PHONE, DESK))]):
        assert guest.small_print() == [], size
        assert guest.page.evaluate(APART), size


@pytest.mark.parametrize("weight", [500, 700])
def test_figures_are_about_as_high_as_capitals_and_equally_wide_in_tables(visit: Visit, weight):
    page = visit().page
    page.goto("/")
    (capital, _, _), *figures = page.evaluate(FIGURES, weight)
    assert all(0.85 * capital < above < 1.05 * capital and below < 3 for above, below, _ in figures), figures
    assert len({width for _, _, width in figures}) == 1


def _show_all(visit: Visit, site: Site, name, *sizes, schemes=(), **language):
    record, told, kinds = MATCHES[name]
    match = random_match(*record)
    stops = [*(decisions(match) if kinds else ()), *scenes(match, told)]
    assert sum(not stop.scene for stop in stops) == kinds, stops
    assert {part for stop in stops if stop.scene for part in stop.name.split("-")[1:]} == set(told)
    guests = [visit(reduced_motion="no-preference", **language, **size) for size in sizes]
    staged = Staged(site, match, guests[0])
    lookers = [SceneWatcher(guest, staged, before=guests[0]) for guest in guests]
    for stop in sorted(stops):
        staged.advance_to(stop.at)
        for looker in lookers:
            looker.settle()
        _show(lookers, staged, stop, name, schemes)
    assert len(lookers[0].boards - {(0, 740)}) == 1  # on a phone, the board only moves to fill it for a moment
    assert guests[0].labels or name not in ("lifeboats", "voyage"), "choices say on the board what they do"


def _show(lookers, staged: Staged, stop, name, schemes):
    phone = lookers[0]
    if not stop.scene:
        _take(lookers, f"{name}-{stop.at:03}-{stop.name}", schemes)
        phone.boards.add(phone.visitor.check_layout())
        _words_fit(phone.page, stop)
        _log_has_room(phone.page, staged)
        return
    staged.advance_to(stop.at + 1)
    for looker in lookers:
        looker.arrive()
    frames = phone.frames
    assert all(looker.frames == frames != [] for looker in lookers), stop
    longest = max(range(len(frames)), key=lambda frame: frames[frame])
    for number in sorted({longest, len(frames) - 1}):
        for looker in lookers:
            looker.stop_at(number)
        phone.boards.add(phone.visitor.check_layout(asked=False))
        _take(lookers, f"{name}-{stop.at:03}-{stop.name}-{number:02}", schemes)
    if staged.room.state.phase == "over":
        for looker in lookers:
            looker.settle()
            looker.page.wait_for_selector(".ending .result:last-child")
        _take(lookers, f"{name}-end", schemes)
        _see_again(lookers[0])


def _see_again(looker):
    """The deciding moment is replayed on its board, and the last screen returns; the device remembers the match."""
    page = looker.page
    who_won, picture = page.locator("#question").text_content(), page.locator(".stage .picture").first.inner_html()
    page.click("[data-again]")
    page.wait_for_selector(".in-scene")
    assert page.locator(".stage .picture").first.inner_html() != picture
    while page.locator(".in-scene").count():
        page.clock.run_for(1_500)
    page.wait_for_function("(said) => document.querySelector('#question').textContent === said", arg=who_won)
    kept = page.evaluate("JSON.parse(localStorage.getItem('tavola.matches'))")
    assert [match["room"] for match in kept] == [looker.staged.code]


def _take(lookers, name, schemes):
    """Take pictures of a moment; on a phone, nothing must be too wide, or too small to be read."""
    for looker in lookers:
        looker.page.evaluate(FINISH)
        for scheme in schemes:
            looker.page.emulate_media(color_scheme=scheme)
            picture = f"gallery/{name}-{looker.page.viewport_size['width']}-{scheme}"
            looker.visitor.screenshot(picture, full_page=False, animations="disabled")
    phone = lookers[0].visitor
    assert phone.overflow() <= 0, name
    assert phone.small_print() == [], name
