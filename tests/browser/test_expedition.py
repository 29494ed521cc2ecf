"""A large map in the browser: a turn by touch, and scenes while they play."""

import math
from contextlib import contextmanager
from itertools import groupby, pairwise

import pytest
from playwright.sync_api import Page, expect

from tavola.core import Match, View, make_plan
from tavola.games.expedition.atlas import POINT_NUMBER, POINTS
from tavola.games.expedition.components import COLOUR_COUNT, Phase
from tavola.games.expedition.gazetteer import place_name
from tavola.games.expedition.picture.geometry import SPOTS
from tavola.games.expedition.picture.routes import head_spot
from tavola.show.speech import Say
from tests.helpers.browser import BOXES, FINISH, PHONE, TWO_FRAMES, BrowserGuest, Visit, move_fingers, stop_clock
from tests.helpers.site import Site
from tests.helpers.staged import MY_SEAT, NAMES, TICK, SceneWatcher, Staged, code_at, random_match, views

MATCH = "expedition", 3, 2
"""A match that contains everything that these tests look for."""


# A turn by touch

SHOWN = "document.querySelector('svg[data-zoom]').getAttribute('viewBox').split(' ').map(Number)"
ON_LINE = """([step, aside]) => {
  // A point on the line of an arrow that may be laid, or so many pixels beside it, where a finger meets that line.
  const path = document.querySelector(`${step} .wide`), whole = path.getTotalLength(), seen = path.getScreenCTM();
  const at = (part) => path.getPointAtLength(whole * part).matrixTransform(seen);
  for (const part of [.5, .4, .6, .3, .7, .8]) {
    const here = at(part), next = at(part + .02), long = Math.hypot(next.x - here.x, next.y - here.y);
    const x = here.x - (next.y - here.y) / long * aside, y = here.y + (next.x - here.x) / long * aside;
    if (document.elementFromPoint(x, y)?.closest(".step") === path.parentNode) return [x, y];
  }
  return null;
}"""
LIT_IN_SIGHT = """() => {
  const box = (part) => part.getBoundingClientRect(), seen = box(document.querySelector(".stage"));
  const lit = [...document.querySelectorAll(".step.clickable, [data-follow]")].map(box);
  return lit.some(({ left, right, top, bottom }) =>
    right > seen.left && left < seen.right && bottom > seen.top && top < seen.bottom);
}"""
GOALS_IN_SIGHT = """() => [...document.querySelectorAll(".board-strip .card")].filter((card) => {
  const { left, top, right, bottom } = card.getBoundingClientRect(), across = (left + right) / 2;
  return [top + 4, bottom - 4].every((y) => card.contains(document.elementFromPoint(across, y)));
}).length"""
"""The number of public goals in the row below the map that nothing covers."""
SMALL = """() => [...document.querySelectorAll(
  ".hand .clickable, .rim-arrow, .finder, .zooms button, #offers button")].filter((part) => {
  const box = (part.querySelector(".coarse, .hit") ?? part).getBoundingClientRect();
  return Math.min(box.width, box.height) < 39.5;
}).map((part) => part.id || part.outerHTML)"""


def three_steps(match: Match):
    """Return a turn in which an arrow, a voucher and another arrow can be planned, two expeditions having begun."""
    for at in range(len(match.history)):
        view = View(match.game, match.states_at(at), MY_SEAT)
        begun = sum(route.count > 0 for route in view.table.expedition)
        for number in view.legal if begun > 1 and view.table.phase == Phase.TURN else ():
            steps = [match.game.actions.code(number), "voucher"]
            planned = make_plan(view, steps[:1]) if steps[0].startswith("arrow") else None
            if planned is None or planned.stop or match.game.actions.number("voucher") not in planned.view.legal:
                continue
            planned = planned.with_step("voucher")
            for last in planned.view.legal:
                if not planned.with_step(last).stop:
                    return at, [*steps, match.game.actions.code(last)]
    raise AssertionError("no such turn")


def test_a_whole_turn_on_a_phone_is_tried_taken_back_and_played(site: Site, visit: Visit):
    ada = visit(**PHONE, hurried=True)
    watching, match = visit(hurried=True), random_match(*MATCH)
    at, codes = three_steps(match)
    staged = Staged(site, match, ada, at)
    page, moments = staged.show(ada), staged.room.moments
    watching.page.goto(page.url)
    found = page.evaluate(BOXES)
    assert found["row"] <= 96
    assert (found["scrolls"] <= 0, found["small"], page.evaluate(SMALL)) == (True, [], [])
    _move_about(page)
    _go_to(page, codes[0])
    _try(ada, codes)
    assert page.evaluate(LIT_IN_SIGHT), "the map has followed the plan"
    assert (watching.page.locator(".pencil").count(), watching.page.evaluate(GOALS_IN_SIGHT)) == (0, 6)
    assert staged.room.moments == moments, "nothing has happened"
    ada.screenshot("expedition-planned-360")
    for left in (1, 1, 0):
        ada.wait_for_choices()
        _tap(page, "#offers .back")
        expect(page.locator(".pencil")).to_have_count(left)
    expect(page.locator("#offers .go")).to_have_count(0)
    _try(ada, codes)
    ada.wait_for_choices()
    _tap(page, "#offers .go")
    ada.wait(lambda: staged.room.moments >= moments + len(codes))
    assert [code_at(staged.room.state.match, moments + step) for step in range(len(codes))] == codes
    expect(page.locator(".pencil")).to_have_count(0)
    expect(watching.page.locator(".fresh")).not_to_have_count(0)


def _move_about(page: Page):
    """Zoom with two fingers, move with one, and use the buttons for larger, smaller and the next head."""
    before = page.evaluate(SHOWN)
    move_fingers(page, [(150, 330), (210, 330)], [(105, 330), (255, 330)])
    near = page.evaluate(SHOWN)
    assert near[2] == pytest.approx(before[2] * 60 / 150, rel=0.1)
    move_fingers(page, [(180, 330)], [(120, 290)])
    moved = page.evaluate(SHOWN)
    assert (moved[0] > near[0], moved[1] > near[1], moved[2]) == (True, True, near[2])
    _tap(page, "[data-grow='0.67']")
    assert page.evaluate(SHOWN)[2] > near[2]
    _tap(page, "[data-next]")
    assert page.evaluate(
        "[...document.querySelectorAll('.head')].some((head) => {"
        " const { x, y } = head.getBoundingClientRect(); return x > 0 && x < 360 && y > 100 && y < 560; })"
    )
    expect(page.locator(".overview.needed")).to_be_visible()


ON_STAGE = f"""([x, y]) => {{
  const [left, top, width, height] = {SHOWN};
  return left < x && x < left + width && top < y && y < top + height;
}}"""
"""Whether a spot of the map is on the stage."""


def farthest_kept(match: Match) -> tuple[int, list[str]]:
    """Return when I choose between two cards whose places are far apart, and the places."""
    asked = dict[int, list[str]]()
    for at, (seat, number) in enumerate(match.history):
        if seat == MY_SEAT and match.game.actions.verb(number).name == "keep":
            legal = View(match.game, match.states_at(at), MY_SEAT).legal
            asked[at] = [match.game.actions.code(each).removeprefix("keep ") for each in legal]
    return max(asked.items(), key=lambda each: math.dist(*(SPOTS[POINT_NUMBER[place]] for place in each[1])))


def test_what_a_button_says_begins_with_a_capital_once_it_stands_alone(site: Site, visit: Visit):
    match, ada = random_match("expedition", 6, 2), visit()
    at = next(at for at, view in enumerate(views(match, MY_SEAT)) if view.table.phase == Phase.GREEN and view.legal)
    page = Staged(site, match, ada, at).show(ada)
    page.click("#offers >> text=No more arrows")
    expect(page.locator("#does")).to_have_text("You give up the extra arrow")


def test_the_map_goes_to_the_place_of_a_card_that_may_be_kept(site: Site, visit: Visit):
    match, ada = random_match(*MATCH), visit(**PHONE)
    at, places = farthest_kept(match)
    page = Staged(site, match, ada, at).show(ada)
    for place in places:
        ada.wait_for_choices()
        page.locator(f'.hand [data-look="point-{place}"]').tap()
        page.wait_for_function(ON_STAGE, arg=list(SPOTS[POINT_NUMBER[place]]))
        page.locator("#offers .back").tap()


def _go_to(page: Page, code: str):
    point = code.split(" ")[2].partition("-to-")[0]
    page.fill("[data-finds]", page.get_attribute(f"#point-{point}", "data-find"))
    page.keyboard.press("Enter")
    page.evaluate("document.activeElement.blur()")
    _tap(page, "[data-grow='0.67']")


def _try(guest: BrowserGuest, codes):
    page, travels, laid = guest.page, {"yellow": "camels", "blue": "steamer", "red": "railway"}, 0
    for tried, code in enumerate(codes):
        guest.wait_for_choices()
        if code == "voucher":
            _tap(page, "#vouchers .coarse")
            expect(page.locator("#question")).to_have_text("Which expedition gets an arrow?")
        else:
            _, colour, way = code.split(" ")
            page.clock.run_for(5_000)  # by then, a map no longer moves to the choices by itself
            page.evaluate(TWO_FRAMES)
            spot = page.evaluate(ON_LINE, [f"#step-{travels[colour]}-{way}", 14 if tried else 0])
            with _stopped(page):
                page.touchscreen.tap(*spot)
            laid += 1
        expect(page.locator(".pencil")).to_have_count(laid)
        expect(page.locator("#offers .go")).to_be_visible()


def _tap(page: Page, selector: str):
    with _stopped(page):
        page.locator(selector).tap()  # waits until it can be touched


@contextmanager
def _stopped(page: Page):
    """Stop the page's time for a tap: on a busy machine, the finger could rest long enough to count as held."""
    stop_clock(page)
    yield
    page.clock.resume()


# Scenes

SEEN = f"""() => {{
  ({FINISH})();
  const box = (part) => part.getBoundingClientRect(), stage = box(document.querySelector(".stage"));
  const claim = document.querySelector("#claim"), card = claim?.querySelector(".rising"), at = card && box(card);
  const over = document.querySelectorAll("#offers button, .stage :is(.finder, .zooms, .overview, .rim-arrow)");
  return {{
    claim: claim?.querySelector("title").textContent ?? "", arrows: document.querySelectorAll(".arrow").length,
    whole: at && at.left >= stage.left && at.top >= stage.top && at.right <= stage.right && at.bottom <= stage.bottom,
    covered: [...over].some((part) => part.checkVisibility({{ visibilityProperty: true }})),
  }};
}}"""
"""The claim shown, and whether its whole card is; the number of arrows; whether choices or tools are seen."""
STEP, READ = 950, 2350
"""Minimum milliseconds between two arrows, and of a claim."""


def busy(match: Match):
    """Return the moments before and after the busiest turns of others: arrows, a loop, the edge of the map, claims."""
    marks = [_happens(match, at, before, after) for at, (before, after) in enumerate(pairwise(views(match, None)))]
    wanted = {"arrow", "border", "loop", "mine", "theirs"}
    for end in range(len(marks), 0, -1):
        for start in range(end - 1, max(0, end - 10), -1):
            if wanted <= set().union(*marks[start:end]):
                return start, end
    raise AssertionError("no such turns")


def arrows(table) -> int:
    return sum(route.count for route in table.expedition)


def _happens(match: Match, at, before, after):
    found = {"arrow"} if arrows(after.table) > arrows(before.table) else set()
    found |= {"loop"} if after.table.due and not before.table.due else set()
    found |= {"border"} if "border" in code_at(match, at) else set()
    reached = [seat - 1 for was, seat in zip(before.table.laid, after.table.laid, strict=True) if seat and not was]
    return found | (
        {"mine" if MY_SEAT in reached else "theirs"} if reached and before.table.phase > Phase.TOKENS else set()
    )


@pytest.mark.parametrize("size", [pytest.param({}, marks=pytest.mark.soak, id="desk"), pytest.param(PHONE, id="phone")])
def test_arrows_and_claims_are_shown_one_after_the_other(site: Site, visit: Visit, size):
    """At the speed of bots, which decide at once; on a phone, the map moves to what an arrow reaches."""
    ada, match = visit(**size, reduced_motion="no-preference"), random_match(*MATCH)
    start, end = busy(match)
    watcher = SceneWatcher(ada, Staged(site, match, ada, start))
    first = ada.page.evaluate(SEEN)
    for moment in range(start, end):
        watcher.staged.advance_to(moment + 1)
    watcher.arrive()
    shown = [(0, first), *watcher.film(SEEN)]  # an arrow may be there at once
    tables = [View(match.game, match.states_at(at), None).table for at in (start, end)]
    _arrows_come_alone(shown, arrows(tables[1]) - arrows(tables[0]))
    claims = [(claim, list(frames)) for claim, frames in groupby(shown, lambda frame: frame[1]["claim"]) if claim]
    assert [claim for claim, _ in claims] == _claims(match, start, end)
    for claim, frames in claims:
        assert TICK * len(frames) >= READ - TICK, claim
        assert frames[-1][1]["whole"], claim
        assert not any(seen["covered"] for _, seen in frames), claim


def _arrows_come_alone(shown, count):
    """Arrows appear one at a time, and none while a claim is shown."""
    came = [(at, one, later) for (_, one), (at, later) in pairwise(shown) if one["arrows"] != later["arrows"]]
    assert [later["arrows"] - one["arrows"] for _, one, later in came] == [1] * count
    assert all(later - one >= STEP - TICK for (one, *_), (later, *_) in pairwise(came)), came
    assert not any(one["claim"] and one["claim"] == later["claim"] for _, one, later in came)


def _claims(match: Match, start, end):
    say, told = Say.of(match.game, "en", NAMES), []
    for before, after in pairwise([View(match.game, match.states_at(at), None) for at in range(start, end + 1)]):
        for place, (was, seat) in enumerate(zip(before.table.laid, after.table.laid, strict=True)):
            if seat and not was:
                told.append(f"{say.name(seat - 1)} has reached {place_name(place + 1, say)}.")
    return told


IN_SIGHT = """() => {
  const box = (part) => part.getBoundingClientRect(), seen = box(document.querySelector(".stage"));
  const head = box(document.querySelector("#moved rect"));
  return head.left >= seen.left && head.right <= seen.right && head.top >= seen.top && head.bottom <= seen.bottom;
}"""


def others_arrow(match: Match):
    """Return when another player lays an arrow, the head furthest from it, and when the viewer must decide."""
    asked = [MY_SEAT in view.to_act for view in views(match, MY_SEAT)]
    tables, found = [view.table for view in views(match, None)], []
    for at in range(len(match.history)):
        mine = next((later for later in range(at, len(asked)) if asked[later]), None)
        if code_at(match, at).startswith("arrow") and mine is not None and mine > at + 1:
            spot = head_spot(tables[at + 1], moved(tables[at], tables[at + 1]))
            heads = (head_spot(tables[mine], colour) for colour in range(COLOUR_COUNT))
            places = [head for head in heads if POINTS[head].kind == "place"]
            found += [(math.dist(SPOTS[spot], SPOTS[head]), at, POINTS[head].code, mine) for head in places]
    return max(found)[1:]


def moved(before, after):
    """Return the expedition that has got another arrow."""
    counts = [[route.count for route in table.expedition] for table in (before, after)]
    return next(colour for colour, (was, now) in enumerate(zip(*counts, strict=True)) if now > was)


def test_on_a_phone_the_map_goes_where_others_lay_arrows_and_comes_back(site: Site, visit: Visit):
    match = random_match(*MATCH)
    at, far, mine = others_arrow(match)
    ada = visit(**PHONE, reduced_motion="no-preference")
    staged = Staged(site, match, ada, at)
    looker, page = SceneWatcher(ada, staged), ada.page
    page.fill("[data-finds]", page.get_attribute(f"#point-{far}", "data-find"))
    page.keyboard.press("Enter")
    page.clock.run_for(5_000)
    before = page.evaluate(SHOWN)
    staged.advance_to(at + 1)
    looker.arrive()
    page.clock.run_for(500)
    assert page.evaluate(IN_SIGHT)
    looker.settle()
    assert page.evaluate(SHOWN) != before, "others decide"
    staged.advance_to(mine)
    looker.settle()
    assert page.evaluate(SHOWN) == before
    _glide_in_late_frames(page)


LATE_FRAMES = """() => {
  const draw = window.requestAnimationFrame, picture = document.querySelector("svg[data-zoom]");
  window.widths = [];
  window.requestAnimationFrame = (callback) => draw((began) => {
    callback(began - 400);
    widths.push(Number(picture.getAttribute("viewBox").split(" ")[2]));
  });
}"""
"""Makes every frame report that it began 400 ms before it is drawn."""


def _glide_in_late_frames(page: Page):
    """The map moves between its old and its new place, however late its frames are drawn."""
    page.locator("svg[data-zoom]").press("0")
    start = page.evaluate(SHOWN)[2]
    page.evaluate(LATE_FRAMES)
    page.locator("[data-next]").dispatch_event("click")
    page.clock.run_for(1_000)
    widths = page.evaluate("widths")
    ends = sorted((start, widths[-1]))
    assert widths[-1] < start * 0.9, "it comes near"
    assert all(ends[0] - 1 <= width <= ends[1] + 1 for width in widths)
