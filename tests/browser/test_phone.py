"""A phone, upright or turned: no button is covered, even if two panels are open; the tutorials; the time bank."""

import re
from itertools import permutations, product
from typing import cast

import pytest
from playwright.sync_api import Page, expect

from tavola import games
from tavola.core import Match, View
from tavola.live import Room
from tavola.show.cards import words_of
from tests.helpers.browser import HIDE, LISTENING, PHONE, TWO_FRAMES, BrowserGuest, Visit
from tests.helpers.rooms import play_legal, run_out
from tests.helpers.site import Guest, Site
from tests.helpers.staged import MATCHES, MY_SEAT, Staged, decisions, random_match, staged_at, views

SIZES = (360, 740), (740, 360), (320, 568), (568, 320)
"""Sizes of phones: usual and smallest, upright and turned."""
COVERED = """() => {
  const opened = (node) => node?.closest(".chron.open, .settings, .ahead[open], #bubble, [popover], dialog");
  const name = (node) => `${node?.tagName}.${node?.getAttribute("class")} ${node?.textContent.trim().slice(0, 30)}`;
  const hidden = (node) => {
    const { left, top, right, bottom } = node.getBoundingClientRect(), pane = opened(node);
    const pressed = [[left + 5, top + 5], [right - 5, top + 5], [left + 5, bottom - 5], [right - 5, bottom - 5]];
    const spots = [[(left + right) / 2, (top + bottom) / 2], ...(node.matches(".rim-arrow") ? [] : pressed)];
    const beyond = pane && (spots.some(([x, y]) => x > innerWidth || y > innerHeight || y < 0 ||
      y > pane.getBoundingClientRect().bottom || x > pane.getBoundingClientRect().right));
    if (beyond || node.closest(".log, .chat")) return null;
    const over = spots.map(([x, y]) => document.elementFromPoint(x, y)).find((seen) =>
      !node.contains(seen) && !seen?.closest(".picture:has(.quarter)") && !(opened(seen) && opened(seen) !== pane));
    return over === undefined ? null : `${name(node)} is under ${name(over)}`;
  };
  const seen = (node) => node.checkVisibility({ visibilityProperty: true }) && node.getBoundingClientRect().width > 1;
  return [...document.querySelectorAll("#room :is(button, a[href], summary)")].filter(seen).map(hidden).filter(Boolean);
}"""
"""The buttons that something covers at their middle or a corner. A panel on top may cover
others, and so may the quarters of Tournament's throw, which fill the window; of the arrows at the rim of a map
only the middle counts."""
LOW = """() => [...document.querySelectorAll("#offers .choice")].map((choice) => choice.getBoundingClientRect().height)
  .filter((height) => height < 39.5)"""
SHUT = """() => {
  document.querySelectorAll("#room details[open]").forEach((panel) => { panel.open = false; });
  document.querySelectorAll(":popover-open").forEach((panel) => panel.hidePopover());
  document.querySelector(".chron").classList.remove("open");
}"""
ENLARGED = """(percent) => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`:root { font-size: ${percent}% }`);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}"""
TOO_WIDE = """() => [...document.querySelectorAll("html, .lobby")]
  .filter((page) => page.scrollWidth > page.clientWidth).map((page) => page.localName)"""
"""The parts that scroll up and down and are too wide."""
SMALL_TARGETS = """() => [...document.querySelectorAll(".top :is(a, summary)")].filter((target) => {
  const { width, height } = target.getBoundingClientRect();
  return target.checkVisibility() && Math.min(width, height) < 44;
}).map((target) => target.className || target.localName)"""
FONT_SIZE = "(words) => parseFloat(getComputedStyle(document.querySelector(words)).fontSize)"
UNSEEN_SEATS = """() => [...document.querySelectorAll(".room:not(:has(.quarter)) .seats .seat")].filter((seat) => {
  const { left, top, width, height } = seat.querySelector(".face").getBoundingClientRect();
  return !seat.contains(document.elementFromPoint(left + width / 2, top + height / 2));
}).map((seat) => seat.id)"""
"""The seats whose faces are covered, by advice, a request or a plan."""
SMALL_PRINT = """() => [...document.querySelectorAll("body :not(svg, svg *, script)")].filter((words) => {
  const size = parseFloat(getComputedStyle(words).fontSize);
  const told = [...words.childNodes].some((part) => part.nodeType === Node.TEXT_NODE && part.data.trim());
  return told && size && size < 12 && words.checkVisibility({ visibilityProperty: true });
}).map((words) => words.textContent)"""
"""Words outside pictures that are smaller than 12 pixels; those of size 0 are only read aloud."""
REACHED = f"""() => ({{
  covered: ({COVERED})(), low: ({LOW})(), seats: ({UNSEEN_SEATS})(), print: ({SMALL_PRINT})(),
  wide: document.documentElement.scrollWidth > innerWidth,
}})"""
"""Everything that a finger or an eye cannot reach while one decides."""
MORE = """async () => {
  const { tellMore } = await import(document.querySelector("[type=module]").src.replace("main.js", "site/page.js"));
  const row = document.getElementById("offers"), told = [row.dataset.more ?? null];
  for (let number = 0; number < 20; number++) row.append(row.firstElementChild.cloneNode(true));
  tellMore(row);
  told.push(row.dataset.more);
  row.scrollTop = row.scrollHeight;
  tellMore(row);
  return [...told, row.dataset.more ?? null];
}"""
"""What a row of choices says is below its edge: as it is, with 20 more, and scrolled down."""
OPENERS = ".tools .menu > summary, .tools [popovertarget], .ticker [data-open], .ticker [data-act], #ahead > summary"
PAIRS = f"""async () => {{
  const covered = {COVERED}, shut = {SHUT}, drawn = {TWO_FRAMES}, found = [];
  const openers = () => [...document.querySelectorAll("{OPENERS}")], count = openers().length;
  const composes = () => Boolean(document.querySelector(".room.composing"));
  const until = async (condition) => {{
    for (let frame = 0; !condition(); frame += 2) {{
      if (frame > 2000) throw new Error("the page does not answer");
      await drawn();
    }}
  }};
  const open = async (number) => {{
    const opener = openers()[number];
    if (!opener?.checkVisibility({{ visibilityProperty: true }})) return;  // another panel has taken it away
    opener.click();
    if (opener.dataset.act) await until(composes);
  }};
  for (let second = 1; second < count; second++) for (let first = 0; first < second; first++) {{
    await open(first);
    await open(second);
    await drawn();
    for (const fault of covered()) found.push([fault, first, second]);
    shut();
    if (composes()) document.querySelector("[data-unsay]").click();  // one step back ends its first question
    await until(() => !composes());
  }}
  return found;
}}"""
"""The buttons that something covers while two panels are open, with the numbers of their openers."""


@pytest.mark.parametrize("game", MATCHES)
def test_every_choice_can_be_pressed_upright_and_turned(site: Site, visit: Visit, game):
    match, ada = random_match(*MATCHES[game]), visit(**PHONE)
    staged = Staged(site, match, ada)
    faults: dict[tuple[str, int, str], object] = {}
    for stop in sorted(decisions(match))[::2][:4]:
        staged.show(ada, at=stop.at)
        for width, _ in ada.sizes(SIZES):
            found = ada.page.evaluate(REACHED)
            found["picture"] = ada.small_print(12) if width == 740 else []
            faults |= {(stop.name, width, kind): fault for kind, fault in found.items() if fault}
            ada.screenshot(f"phone-{game}-{stop.at:03}-{width}", full_page=False)
    assert not faults, "\n".join(f"{fault}: {where}" for fault, where in faults.items())


def test_an_offer_to_look_back_leaves_the_board_and_its_print_as_large_as_they_are(site: Site, visit: Visit):
    match, ada = random_match(*MATCHES["lifeboats"]), visit(**PHONE, locale="de-DE")
    staged, later = Staged(site, match, ada, days="3"), max(stop.at for stop in decisions(match))
    staged.show(ada, ".prompt", at=later - 4)
    page = staged.show(ada, "#since", at=later)
    height = page.locator(".stage").evaluate("(stage) => stage.clientHeight")
    assert (ada.small_print(), page.evaluate(COVERED)) == ([], [])
    page.evaluate("fetch(document.getElementById('room').dataset.seen, { method: 'POST' })")
    page.reload()
    page.wait_for_selector(LISTENING)
    expect(page.locator("#since")).to_have_count(0)
    assert page.locator(".stage").evaluate("(stage) => stage.clientHeight") == height


def test_cards_to_exchange_can_be_pressed_on_a_phone_turned(site: Site, visit: Visit):
    """Beside the step that has been chosen, which takes a row."""
    match, ada = random_match(*MATCHES["expedition"]), visit(**PHONE)

    def cards(view: View) -> int:
        codes = map(match.game.actions.code, view.legal if MY_SEAT in view.to_act else ())
        return sum(code.startswith("exchange") for code in codes)

    counts = list(map(cards, views(match, MY_SEAT)))
    page = Staged(site, match, ada).show(ada, at=counts.index(max(counts)))
    page.set_viewport_size({"width": 740, "height": 360})
    page.locator('#offers .choice[data-codes*="exchange"]').tap()
    page.wait_for_selector("#steps .chip-chosen")
    assert page.locator("#offers .choice:not(.back)").count() >= 7
    found = page.evaluate(REACHED)
    covered = [fault for fault in found["covered"] if "chip-chosen" not in fault]  # its corners are round
    assert (covered, found["low"]) == ([], [])
    ada.screenshot("phone-exchange-740", full_page=False)


def test_text_grows_with_the_systems_font_size_and_covers_nothing(site: Site, visit: Visit):
    """At twice the usual size: words grow in rooms by a quarter, elsewhere by as much as the system's.

    At both sizes, no words are smaller than 12 pixels, and no target in the bar of a page smaller than 44.
    """
    ada, grown = visit(**PHONE, locale="de-DE"), {}
    with site.guest() as host:
        host.create(public="yes", name="W" * 24, game="tournament")
    staged = last_decision(site, ada)
    last_decision(site, ada, days="3")
    pages = {
        f"/r/{staged.code}": LISTENING,
        f"/r/{ada.create()}": ".chair .name",
        "/games/lifeboats/rules": "main p",
        "/games/lifeboats/new": ".opening legend",
        "/shelf": ".resume h2",
        "/mine": ".post h2",
        "/mine/away": ".narrow label",
    }
    for path, words in pages.items():
        ada.page.goto(path)
        sizes = []
        for percent in (100, 200):
            ada.page.evaluate(ENLARGED, percent)
            ada.page.wait_for_selector(words)
            ada.page.evaluate(TWO_FRAMES)
            assert ada.page.evaluate(TOO_WIDE) == [], path
            assert words != LISTENING or ada.page.evaluate(COVERED) == []
            assert ada.page.evaluate(SMALL_TARGETS) == [], path
            assert ada.page.evaluate(SMALL_PRINT) == [], path
            sizes.append(ada.page.evaluate(FONT_SIZE, words))
        grown[path] = sizes[1] / sizes[0]
    assert grown == {path: pytest.approx(1.25 if path.startswith("/r/") else 2) for path in pages}


def last_decision(site: Site, ada: BrowserGuest, days: str = "0") -> Staged:
    """Return a room of Lifeboats at the last of `decisions`."""
    match = random_match(*MATCHES["lifeboats"])
    return Staged(site, match, ada, max(decisions(match)).at, days=days)


def in_sizes():
    """Yield each game with two of the sizes, others for each game; the soak has all pairs."""
    for number, game in enumerate(MATCHES):
        for place, sizes in enumerate(permutations(SIZES, 2)):
            yield pytest.param(game, sizes, marks=[] if place == 2 * number else pytest.mark.soak)


@pytest.mark.parametrize(("game", "sizes"), list(in_sizes()))
def test_no_two_panels_cover_each_others_buttons(site: Site, visit: Visit, game, sizes):
    """In a match over days, with notes and answers ahead: while others decide, and at another size before a choice."""
    match, ada = random_match(*MATCHES[game]), visit(**PHONE)
    staged = Staged(site, match, ada, days="3")
    waits, asked = _waiting(match), max(stop.at for stop in decisions(match))
    faults: dict[str, list[tuple[int, int, int, bool]]] = {}
    for moment, (width, height) in zip(sorted((waits, asked)), sizes, strict=True):
        ada.page.set_viewport_size({"width": width, "height": height})
        staged.show(ada, LISTENING if moment == asked else ".prompt", at=moment)
        for fault, first, second in ada.page.evaluate(PAIRS):
            faults.setdefault(fault, []).append((first, second, width, moment == asked))
    assert not faults, "\n".join(f"{fault}: {where}" for fault, where in faults.items())


def _waiting(match: Match) -> int:
    """Return a moment in the first half of a match at which others decide."""
    moments = [at for at, view in enumerate(views(match, MY_SEAT)) if MY_SEAT not in view.to_act]
    return moments[len(moments) // 3]


def test_a_waiting_player_seals_an_answer(site: Site, visit: Visit):
    match, ada = random_match(*MATCHES["lifeboats"]), visit(**PHONE)
    staged = Staged(site, match, ada, _waiting(match), days="3")
    page = staged.show(ada, "#ahead summary")
    page.click("#ahead summary")
    for choice in page.locator("#ahead select:visible").all():
        choice.select_option(index=1)
    page.click("#ahead .button")
    expect(page.locator("#ahead > summary")).to_contain_text("is set")
    expect(page.locator("#ahead ol li").first).to_be_attached()
    page.click("#ahead .another > summary")
    for name in ("0", "when"):
        page.locator(f"#ahead-{name}").select_option(index=1)
    page.click("#ahead .another .button")
    expect(page.locator("#ahead > summary")).to_contain_text("Your 2 advance answers are set")
    expect(page.locator("#ahead .another")).not_to_have_attribute("open", "")
    page.locator("#ahead form").nth(1).get_by_role("button").click()
    expect(page.locator("#ahead > summary")).to_contain_text("Your advance answer is set")
    assert ada.overflow() <= 0
    assert MY_SEAT in staged.room.state.ahead


def test_a_screen_reader_finds_a_heading_the_board_in_words_and_every_card(site: Site, visit: Visit):
    ada = visit(**PHONE)
    page = last_decision(site, ada).show(ada)
    board, cards = page.locator('.stage [data-board="main"]'), page.locator(".board-hand").get_by_role("img")
    for _ in ada.sizes(SIZES[:2]):
        expect(page.get_by_role("heading", level=1)).to_have_text("Lifeboats")
        expect(board).to_have_accessible_description(re.compile(r"Round \d.+ Read the table as text$", re.DOTALL))
    assert cards.count() > 1
    for number in range(cards.count()):
        expect(cards.nth(number)).to_have_accessible_name(re.compile(r"\w{3}"))
    page.get_by_role("button", name="Read the table as text").press("Enter")
    expect(page.locator("#in-words")).to_be_focused()
    expect(page.locator("#in-words")).to_contain_text("Ada")


def test_a_notch_covers_nothing_and_nothing_is_pulled_to_refresh(site: Site, visit: Visit):
    ada = visit(**PHONE)
    device = ada.page.context.new_cdp_session(ada.page)
    device.send("Emulation.setSafeAreaInsetsOverride", {"insets": {"top": 30, "right": 20, "bottom": 20, "left": 44}})
    last_decision(site, ada).show(ada)
    for width, height in ada.sizes(SIZES[:2]):
        box = ada.page.locator("#room").bounding_box()
        assert box == {"x": 44, "y": 30, "width": width - 64, "height": height - 50}
        assert ada.page.evaluate(COVERED) == []
    pulled = "getComputedStyle(document.documentElement).overscrollBehaviorY"
    assert ada.page.evaluate(pulled) == "none"
    ada.page.goto("/")
    assert ada.page.evaluate(pulled) == "auto"


SIGNS = """() => [...document.querySelectorAll(".seats .seat")].slice(0, 4).map((seat) => {
  const icon = seat.querySelector(".who-face > .icon"), words = seat.querySelector(".reason");
  const sign = icon?.getBoundingClientRect().width >= 13 ? icon.firstElementChild.getAttribute("href").slice(3) : "";
  const read = words && getComputedStyle(words).clipPath === "none" && words.scrollWidth <= words.clientWidth;
  return [sign, read ? words.textContent : ""];
})"""
"""The icons over the faces of the first four seats, and the words below them that can be read."""
ABSENT = {"looking": False}, {"away": True}, {"taken_over": True}
REASONS = {
    "de-DE": ("Schaut weg", "Offline", "Bot spielt"),
    "fr-FR": ("Ailleurs", "Hors ligne", "Un bot joue"),
    "it-IT": ("Non guarda", "Offline", "Bot attivo"),
}


@pytest.mark.parametrize(("locale", "match"), [*product(REASONS, (("lifeboats", 4, 8),)), ("de-DE", ("voyage", 7, 3))])
def test_each_seat_shows_why_it_does_not_decide(site: Site, visit: Visit, monkeypatch, locale, match):
    """By an icon over the face, and for up to four seats in words."""
    seats = cast(property, Room.seats).fget

    def absent(room: Room):
        first, *others = seats(room)
        return [first, *(seat._replace(**why) for seat, why in zip(others, (*ABSENT, {}, {}, {}), strict=False))]

    monkeypatch.setattr(Room, "seats", property(absent))
    ada, played = visit(**PHONE, locale=locale), random_match(*match)
    Staged(site, played, ada).show(ada, ".prompt", at=_waiting(played))
    words = REASONS[locale] if played.players < 5 else ("", "", "")
    ada.wait(lambda: ada.page.evaluate(SIGNS)[0] == ["", ""])  # connected
    for width, _ in ada.sizes(SIZES[:2]):
        assert ada.page.evaluate(SIGNS) == [["", ""], *map(list, zip(("eye", "broken", "bot"), words, strict=True))]
        ada.screenshot(f"phone-absent-{match[0]}-{locale}-{width}", full_page=False)


def test_friends_see_who_is_not_looking(site: Site, visit: Visit, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("tavola.live.presence.NOT_LOOKING", 0.2)
    ada, bea = visit(**PHONE), visit()
    code = ada.open_room(players="3", bots="1")
    bea.sit(code, "Bea")
    bea.page.evaluate(HIDE, True)
    expect(ada.page.locator(".chair", has_text="Bea")).to_contain_text("Not looking")
    ada.begin()
    room = site.room(code)
    while 0 in room.state.open_decisions:
        site.run(play_legal(room, room.state.occupants[0].person))
    waits = ada.page.locator(".prompt-place .lead-in")
    expect(waits).to_have_text("Bea isn’t looking")
    expect(ada.page.locator(".seat", has_text="Bea").locator(".reason")).to_have_text("Not looking")
    bea.page.evaluate(HIDE, False)
    expect(waits).to_have_text("At the table")


CUT = "(name) => name.scrollWidth > name.clientWidth"
RENAME = """(long) => {
  for (const who of document.querySelectorAll(".seats .who")) who.textContent = long;
  for (const name of document.querySelectorAll(".seats .name")) name.classList.add("long");
}"""


@pytest.mark.parametrize("size", [{}, PHONE], ids=["desk", "phone"])
@pytest.mark.parametrize("players", [4, 6])
def test_a_name_that_is_cut_is_whole_when_pointed_at_or_focused(site: Site, visit: Visit, size, players):
    ada = visit(**size)
    page = staged_at(site, ada, "vote", ("lifeboats", players, 8), least=1).show(ada)
    names = page.locator(".seats .name")
    if not size:
        assert [name.inner_text() for name in names.all() if name.evaluate(CUT)] == []
    page.evaluate(RENAME, "Bartholomew the Navigator")
    ada.screenshot(f"names-{players}-{'phone' if size else 'desk'}")
    for seat in (1, players - 1):
        name = names.nth(seat)
        page.locator(".seats .seat").nth(seat).hover()
        assert not name.evaluate(CUT)
        assert name.evaluate("(name) => getComputedStyle(name).clipPath") == "none"
        assert ada.overflow() <= 0
        box = name.bounding_box()
        assert 0 <= box["x"] <= page.viewport_size["width"] - box["width"]
    ada.screenshot(f"name-whole-{players}-{'phone' if size else 'desk'}")


def test_a_link_is_shared_with_a_sentence(visit: Visit):
    ada = visit(**PHONE)
    ada.context.add_init_script("navigator.share = async (what) => { window.shared = what; };")
    code = ada.open_room(players="3", bots="2")
    ada.page.click("text=Share link")
    shared = ada.page.evaluate("shared")
    assert (shared["title"], shared["text"]) == ("Tavola", "Ada invites you to play Lifeboats")
    assert shared["url"].endswith(f"/r/{code}")


def test_the_host_swaps_two_seats_before_a_match(ada: Guest, bruno: Guest):
    """With the form of a page; others have no such button."""
    code = ada.create(**{"option-players": "3", "bots": "1", "level": "random"})
    bruno.sit(code, "Bea")

    def names() -> list[str]:
        return re.findall(r'<bdi class="name who">([^<]*)</bdi>', ada.get(f"/r/{code}").text)

    first, second, third = names()
    assert f"Swap {first} and {second}" in ada.get(f"/r/{code}").text
    assert "Swap " not in bruno.get(f"/r/{code}").text
    for guest, status in ((ada, 200), (bruno, 403)):
        assert guest.post(f"/r/{code}/swap", data={"seat": "0", "other": "1"}).status_code == status
        assert names() == [second, first, third]


def test_choices_below_the_fold_are_counted(site: Site, visit: Visit):
    ada = visit(**PHONE)
    at_first, with_many, below = last_decision(site, ada).show(ada).evaluate(MORE)
    assert (at_first, below) == (None, None)
    assert 5 < int(with_many.removeprefix("+ ")) < 20


def test_the_home_page_names_all_games(visit: Visit):
    ada = visit(**PHONE)
    ada.page.goto("/")
    titles = ada.page.locator("nav.titles a")
    expect(titles).to_have_count(5)
    for number in range(5):
        expect(titles.nth(number)).to_be_in_viewport(ratio=1)
        assert titles.nth(number).bounding_box()["height"] >= 44
    assert ada.overflow() <= 0
    ada.screenshot("phone-home", full_page=False)


# The minute-long tutorial of every game: one touch per step, and only before a first match


LIT = """() => {
  const spot = document.querySelector(".spot").getBoundingClientRect(), learn = document.querySelector(".learn");
  const x = spot.x + spot.width / 2, y = spot.y + spot.height / 2, seen = document.elementFromPoint(x, y);
  const asked = document.getElementById("minute-asks");
  return {x, y, touched: seen?.className ?? "", cut: learn.scrollHeight - learn.clientHeight,
    said: asked.textContent, wide: document.documentElement.scrollWidth - innerWidth,
    skip: innerWidth - document.querySelector(".skip-minute").getBoundingClientRect().right,
    shown: [...document.querySelectorAll("[data-plate]")].some((sign) => {
      const box = sign.getBoundingClientRect(), across = box.x + box.width / 2, down = box.y + box.height / 2;
      return Math.hypot(across - x, down - y) < 3;
    })};
}"""
"""The place of the light, what a touch there hits, the length of text cut off, the overflow, the distance of Skip from
the edge, and whether the light is on the sign of a choice."""


def _play(page: Page, game: str) -> None:
    """Play the whole minute, and press its last button twice, as some people do."""
    steps = len(words_of(games.load(game)).minute.steps)
    page.goto(f"/games/{game}/minute")
    done = 0
    while not page.locator(".minute-page.at-end").count():
        # The light has arrived.
        page.wait_for_function("() => document.getAnimations().every((each) => each.playState !== 'running')")
        lit = page.evaluate(LIT)
        assert "spot" in lit["touched"], lit
        assert (lit["cut"] <= 1, lit["wide"], lit["skip"] > 4) == (True, 0, True), lit
        assert lit["shown"] or "Pfeil nach" not in lit["said"], lit
        page.mouse.click(lit["x"], lit["y"])
        done += 1
        page.click("#minute-told button", click_count=2 if done == steps else 1)
    assert (done, page.url.endswith("/minute")) == (steps, True)


def test_the_minutes_of_all_games_are_played_on_a_phone(visit: Visit):
    ada = visit(**PHONE, lessons=True, locale="de-DE")
    for name in games.names():
        _play(ada.page, name)
        expect(ada.page.locator(".ended .primary")).to_be_in_viewport()
    ada.screenshot("minute-end-360")


def test_a_second_press_at_the_end_of_a_minute_leads_nowhere(visit: Visit):
    """On a desktop, a link appears where the last button was."""
    _play(visit(lessons=True, locale="de-DE").page, "lifeboats")


def test_a_first_match_begins_with_the_minute_and_no_other_does(visit: Visit):
    ada = visit(lessons=True)
    ada.page.goto("/")
    ada.page.click('form:has(input[value="lifeboats"]) .button.primary')
    ada.page.wait_for_url("**/r/*/minute")
    ada.page.mouse.click(5, 790)
    expect(ada.page.locator("#minute-told")).to_be_hidden()
    ada.page.click(".skip-minute")
    ada.wait_for_choices()
    assert not ada.page.url.endswith("/minute")
    ada.page.reload()
    ada.wait_for_choices()


# The time bank of a seat: it runs when the time per move has ended, and then a bot decides


def test_the_bank_runs_visibly_for_its_player_and_spectators_until_a_bot_decides(site: Site, visit: Visit):
    ada, zita = visit(**PHONE, hurried=True), visit(**PHONE)
    ada.page.goto("/games/lifeboats/new")
    ada.page.click("#house-rules summary")
    expect(ada.page.locator("#bank option")).to_have_count(4)
    code = ada.create(bots="2", level="random", patience="1", bank="3600", **{"option-players": "3"})
    ada.page.request.post(f"/r/{code}/start", form={"command_id": "begin"})
    room = site.room(code)
    ada.page.goto(f"/r/{code}")
    ada.wait_for_choices()
    zita.page.goto(f"/r/{code}")
    running = "#player-0 .owe.bank"
    expect(ada.page.locator(running)).to_be_visible()
    place = ada.page.locator("#player-0").bounding_box()
    ada.page.clock.fast_forward(3_590_000)  # only this page believes that an hour has passed
    expect(ada.page.locator(f"{running}.short")).to_be_visible()
    expect(ada.page.locator(".prompt .clock.bank.short")).to_be_visible()
    expect(zita.page.locator(f"{running}:not(.short)")).to_be_visible()
    assert (ada.page.locator("#player-0").bounding_box(), ada.overflow() <= 0) == (place, True)
    ada.screenshot("bank-360")
    site.call(run_out, room, 0)
    expect(ada.page.locator('form[action$="/back"]')).to_be_visible()
    assert room.state.bank_left(0) == 0
