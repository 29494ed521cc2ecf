"""The picture: every tile, ship and vote in its place, courses and votes to be clicked, and nothing told too early."""

import os
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import tavola
from tavola.core import CHANCE, View
from tavola.games.voyage import picture
from tavola.games.voyage.by_hand import begun, letters, named, offer, sail, vote
from tavola.games.voyage.components import (
    ACTIONS,
    BALLOT,
    CELLS,
    CHOOSE_COURSES,
    COAST,
    ENDINGS,
    FOG,
    FOUND,
    LAST_TURN,
    LOST,
    OVER,
    START,
    TURN_TILE,
)
from tavola.games.voyage.picture_chart import BOTTOM, LEFT, NUMERALS, RIGHT, TOP, cell_middle, known
from tavola.games.voyage.picture_style import DAY, NIGHT, ROLE_PAINT
from tavola.show.board import drawing
from tavola.show.speech import Say
from tests import pictures
from tests.pictures import changed, contrast

GAME = tavola.load("voyage")
NAMES = ("Ada", "Bruno", "Carla", "Dario", "Elena", "Franco", "Wilhelmina")
SAY = Say.of(GAME, "en", NAMES)
GOLDEN = Path(__file__).parent / "golden" / "picture.svg"
TABLES = (
    {"players": 3},
    {"players": 4, "layout": "random", "captaincy": "alternative"},
    {"players": 5, "sailor": "emended"},
    {"players": 7, "layout": "random", "safe_course": "on"},
)
PRIVATE = {"own-role", "own-vote", "own-alternative", "own-course"}
FIVE = ("admiral", "traitor", "merchant", "explorer", "explorer")


def played(seed: int, **options: object) -> Iterator[tavola.Match]:
    return pictures.played(GAME, seed, **options)


def sampled(step: int = 5) -> Iterator[tavola.Match]:
    """Matches at tables of every kind: every `step`th action, and the end."""
    for seed, options in enumerate(TABLES):
        for number, match in enumerate(played(seed, **options)):
            if number % step == 0 or not match.to_act:
                yield match


@cache
def ended(ending: int, **options: object) -> View:
    """The public view of a match of random actions that ended so."""
    for seed in range(4000):
        *_, match = played(seed, **options)
        if match.view().table.ending == ending:
            return match.view()
    raise AssertionError(f"no match ends with {ENDINGS[ending]}")


def pieces(view: View) -> dict[str, str]:
    return pictures.pieces(view, SAY)


def place_of(markup: str) -> tuple[float, float]:
    """Where a piece is drawn."""
    x, y = re.search(r'transform="translate\(([-.\d]+) ([-.\d]+)\)', markup).groups()
    return float(x), float(y)


def test_every_picture_is_well_formed_and_every_id_unique():
    for match in sampled():
        pictures.check_whole(match.view(0), SAY)


def test_every_shape_that_is_used_is_defined():
    for ending in (FOUND, LOST):
        pictures.check_shapes_defined(ended(ending, players=5), SAY, shapes=16, paints=2)


def test_nothing_that_a_strict_content_policy_would_drop():
    for match in sampled(20):
        pictures.check_policy(match.view(0), SAY)


def test_names_are_text():
    pictures.check_names_are_text(begun(*FIVE).view(), GAME)


def test_every_code_is_an_action():
    for match in sampled():
        for code in pictures.codes(match.view(0), SAY):
            ACTIONS.number(code)


def test_every_course_every_vote_and_the_lot_can_be_clicked():
    verbs = set()
    for match in sampled(1):
        for seat in match.to_act:
            legal = {code for code in match.legal(seat) if code.split()[0] in ("courses", "vote", "captain")}
            verbs |= {code.split()[0] for code in legal}
            assert legal <= pictures.codes(match.view(None if seat == CHANCE else seat), SAY)
    assert verbs == {"courses", "vote", "captain"}


def test_a_click_on_a_direction_means_every_offer_that_prefers_it():
    match = begun(*FIVE)
    drawn = pieces(match.view())
    for course in ("north", "east", "south", "west"):
        held = re.search(r'data-codes="([^"]*)"', drawn[f"course-1-{course}"])[1].split("|")
        assert set(held) == {code for code in match.legal() if code.startswith(f"courses {course} ")}


def test_a_course_that_may_not_be_laid_is_not_there_and_one_that_loses_the_route_is_marked():
    match = sail(begun(*FIVE), letters("esw"))
    table = match.view().table
    turn = table.turns[table.turn - 1]
    drawn = pieces(match.view())
    for number, course in enumerate(("north", "east", "south", "west")):
        assert (f"course-4-{course}" in drawn) == bool(turn.courses >> number & 1)
    assert "course-4-east" not in drawn
    lost = pieces(sail(begun(*FIVE), "east").view())
    assert "danger" in lost["course-2-east"]
    assert "the route would be lost" in lost["course-2-east"]
    assert "danger" not in lost["course-2-south"]


def test_exactly_the_explored_tiles_lie_open():
    for match in sampled():
        table = match.view().table
        drawn = {name.removeprefix("tile-") for name in pieces(match.view()) if name.startswith("tile-")}
        assert drawn == set(named(table.explored).split())


def test_what_a_tile_shows():
    match = sail(begun(*FIVE), letters("ssswwwww"), "plain")
    drawn = pieces(match.view())
    shown = {
        name.removeprefix("tile-"): re.search("<title>(.*?)</title>", drawn[name])[1]
        for name in drawn
        if "tile-" in name
    }
    assert shown["h2"] == "h2: the start"
    assert shown["h3"] == "h3: open sea"
    assert shown["h4"] == "h4: island with the cross"
    assert shown[CELLS[match.view().table.ship]].endswith("island without a cross, in the fog")
    assert '#mist"' in drawn[f"tile-{CELLS[match.view().table.ship]}"]
    assert '#mist"' not in drawn["tile-h3"]


def test_what_is_pencilled_on_the_backs():
    chart, random = GAME.match(players=3), GAME.match(players=3, layout="random")
    backs = [str(picture._background(match.view(), SAY)) for match in (chart, random)]
    assert [back.count('href="#pencil-cross"') for back in backs] == [5, 0]
    assert [back.count('href="#pencil-plain"') for back in backs] == [5, 0]
    assert [back.count('href="#back-fog"') for back in backs] == [9, 9]
    assert [len(re.findall('href="#pencil-coast-.?"', back)) for back in backs] == [6, 6]
    for cell in range(len(CELLS)):
        if not (FOG | COAST | START) >> cell & 1:
            assert known(cell, layout=1) == "hidden"


def test_the_background_never_changes():
    for options in TABLES:
        drawn = {str(picture._background(match.view(0), SAY)) for match in played(3, **options)}
        assert len(drawn) == 1


def test_the_ship_and_only_the_ship_slides_with_the_voyage():
    match = begun(*FIVE)
    before = pieces(match.view())["ship"]
    sail(match, "south")
    after = pieces(match.view())["ship"]
    (x, y), (to_x, to_y) = place_of(before), place_of(after)
    assert (x, y + 74) == (to_x, to_y)
    assert cell_middle(CELLS.index("h3"))[0] - 20 < to_x < cell_middle(CELLS.index("h3"))[0] + 20


def test_a_tile_turns_over_in_its_turn_alone():
    match = sail(begun(*FIVE), letters("ss"))
    drawn = pieces(match.view())
    assert [name for name in drawn if name.startswith("tile-") and "fresh" in drawn[name]] == ["tile-h4"]
    assert "back-sea" in drawn["tile-h4"]
    assert "back-sea" not in drawn["tile-h3"]


def test_a_tile_not_drawn_yet_is_face_down_under_the_ship():
    match = sail(begun(*FIVE), letters("sswsww"))
    offer(match, "west")
    vote(match)
    while match.view().table.phase != TURN_TILE:
        offer(match, "west")
        vote(match)
    assert f"tile-{CELLS[match.view().table.ship]}" not in pieces(match.view())


def test_every_turn_that_is_over_is_on_the_counters():
    match = begun(*FIVE)
    offer(match, "south", "west")
    vote(match, "bbbww")
    offer(match, "west", "south")
    vote(match, "wwwwb")
    drawn = pieces(match.view())
    assert "turn-1" in drawn
    assert "captain Ada: West, the alternative" in drawn["turn-1"]
    assert "captain Bruno: West, the preferred course" in drawn["turn-2"]
    assert "turn-3" not in drawn
    assert NUMERALS[0] == "I"
    assert NUMERALS[8] == "IX"
    assert NUMERALS[13] == "XIV"
    assert NUMERALS[-1] == "XX"


def test_the_alternative_is_opened_when_it_is_sailed_and_only_then():
    sailed, kept = begun(*FIVE), begun(*FIVE)
    for match, votes in ((sailed, "bbbww"), (kept, "wwwbb")):
        offer(match, "south", "west")
        assert "alternative-1" in pieces(match.view())
        assert "West" not in pieces(match.view())["alternative-1"]
        vote(match, votes)
    assert "West" in pieces(sailed.view())["opened-1"]
    assert "alternative-1" not in pieces(sailed.view())
    assert "opened-1" not in pieces(kept.view())
    assert "West" not in "".join(m for n, m in pieces(kept.view()).items() if not n.startswith("course-"))


def test_a_tie_shows_who_decided():
    match = begun("admiral", "traitor", "merchant", "sailor")
    offer(match, "south", "west")
    vote(match, "bwbw")
    drawn = pieces(match.view())["verdict-1"]
    assert "A tie, 2 to 2" in drawn
    assert "#hat" in drawn
    assert ">Ada<" in drawn
    clear = begun(*FIVE)
    offer(clear, "south", "west")
    vote(clear, "wwwbb")
    assert "#hat" not in pieces(clear.view())["verdict-1"]


def test_votes_and_roles_held_by_others_are_nowhere():
    one, other = begun(*FIVE), begun("traitor", "traitor", "cabin-boy", "sailor", "admiral")
    for match, alternative, cast in ((one, "west", "vote white"), (other, "east", "vote black")):
        offer(match, "south", alternative)
        match.play(cast, 2)
    assert str(drawing(one.view(), SAY)) == str(drawing(other.view(), SAY))
    assert str(drawing(one.view(1), SAY)) == str(drawing(other.view(1), SAY))
    captains, voters = (changed(pieces(one.view(seat)), pieces(other.view(seat))) for seat in (0, 2))
    assert captains == {"own-role", "own-alternative", "own-course"}
    assert voters == {"own-role", "own-vote"}


def test_islands_nobody_has_found_are_nowhere():
    mixed = "a1 c1 e1 a3 c3 e3 d5 f5 h5 d7"
    one, other = begun(*FIVE, islands=mixed), begun(*FIVE, islands=mixed.replace("d7", "f7"))
    for seat in (None, 0, 4):
        assert str(drawing(one.view(seat), SAY)) == str(drawing(other.view(seat), SAY))


def test_a_seat_sees_what_all_see_and_some_pieces_of_its_own():
    private = set()
    for match in sampled(3):
        public = pieces(match.view())
        for seat in range(match.players):
            own = pieces(match.view(seat))
            assert {name: own.get(name) for name in public} == public
            private |= own.keys() - public.keys()
    assert private == PRIVATE


def test_a_vote_changes_the_voter_alone_and_the_reveal_is_new_to_the_page():
    match = begun(*FIVE)
    offer(match, "south", "west")
    before = pieces(match.view())
    match.play("vote black", 3)
    after = pieces(match.view())
    assert changed(before, after) == {"seat-3"}
    for seat in (0, 1, 2, 4):
        match.play("vote white", seat)
    revealed = pieces(match.view())
    assert {f"ballot-1-{seat}" for seat in range(5)} | {"verdict-1"} <= revealed.keys() - after.keys()


@pytest.mark.parametrize("ending", [FOUND, LAST_TURN, LOST])
def test_at_the_end_all_roles_are_turned_up_with_their_points(ending):
    view = ended(ending, players=6)
    drawn = pieces(view)
    assert {f"role-{seat}" for seat in range(6)} <= drawn.keys()
    assert ("glory" in drawn) == (ending == FOUND)
    assert any(name.startswith("lost-") for name in drawn) == (ending == LOST)
    told = {FOUND: "Avalon is found!", LAST_TURN: "Twenty turns are over", LOST: "The route is lost"}
    assert told[ending] in drawn["ending"]


def test_the_points_shown_are_the_result():
    for seed, options in enumerate(TABLES):
        *_, match = played(seed, **options)
        result = match.result()
        for seat, own in enumerate(result.points):
            assert f">{str(own).replace('-', '−')}</text>" in pieces(match.view())[f"role-{seat}"]


def test_nothing_leaves_the_sheet():
    width, height = picture.BOARDS["main"].size
    for cell in range(len(CELLS)):
        x, y = cell_middle(cell)
        assert LEFT < x < RIGHT
        assert TOP < y < BOTTOM
    for match in sampled():
        for name, markup in pieces(match.view(0)).items():
            x, y = place_of(markup) if name != "chart" else (0, 0)
            assert 0 <= x <= width, name
            assert 0 <= y <= height, name


def test_a_turn_costs_what_it_changed():
    most = 0
    for _, options in zip(range(2), TABLES, strict=False):
        before: dict[str, str] = {}
        for match in played(8, **options):
            after = pieces(match.view())
            if before:
                most = max(most, sum(len(after[name]) for name in changed(before, after)))
            before = after
    assert most < 20_000


@pytest.mark.parametrize("theme", [DAY, {**DAY, **NIGHT}], ids=["day", "night"])
def test_contrast(theme):
    for ground in ("paper", "panel"):
        assert contrast(theme["print"], theme[ground]) >= 4.5
        assert contrast(theme["faint"], theme[ground]) >= 4.5
    for ground in ("cardboard", "gold"):
        assert contrast(theme["ink"], theme[ground]) >= 4.5
    assert contrast(theme["white"], theme["cross"]) >= 4.5  # the letter of a course that loses the route
    assert contrast(theme["pencil"], theme["parchment"]) >= 3
    assert contrast(theme["rubric"], theme["parchment"]) >= 3
    for ground in ("sea", "parchment", "mist", "sand", "grass"):
        outline = max(contrast(theme["ink"], theme[ground]), contrast(theme["halo"], theme[ground]))
        assert outline >= 3, ground  # pieces have both
    for paint in ROLE_PAINT:
        assert contrast(theme["sail"], paint) >= 4.5
    assert contrast(theme["white"], theme["navy"]) >= 3  # the discs on the votes
    assert contrast(theme["black"], theme["sand"]) >= 3


def golden_match() -> tavola.Match:
    """A fixed position in a ballot: half the votes are down, islands, coast and fog have been seen."""
    return next(
        match
        for seed in range(400)
        for match in played(seed, players=5)
        if match.view().table.phase == BALLOT
        and match.view().table.voted.bit_count() == 2
        and match.view().table.turn > 9
        and match.view().table.explored & FOG
        and match.view().table.explored & COAST
    )


def test_golden():
    """`TAVOLA_GOLDEN=write python -m pytest tavola/games/voyage/test_picture.py` draws it anew: look at it then."""
    drawn = pictures.golden(golden_match().view(), SAY)
    if os.environ.get("TAVOLA_GOLDEN") == "write":
        GOLDEN.write_text(drawn, encoding="utf-8")
    assert drawn == GOLDEN.read_text(encoding="utf-8")


# In the browser


@pytest.fixture(scope="module")
def browser():
    with pictures.chromium() as browser:
        yield browser


@pytest.fixture(scope="module")
def site():
    with pictures.served(golden_match().view(0), SAY) as address:
        yield address


def choosing() -> tavola.Match:
    """Seven at the table, the captain choosing, a ballot behind them."""
    matches = (match for seed in range(100) for match in played(seed, players=7))
    tables = ((match, match.view().table) for match in matches)
    return next(match for match, table in tables if table.phase == CHOOSE_COURSES and table.turn == 4)


@pytest.mark.browser
def test_under_a_strict_policy_the_picture_is_whole_and_slides(site, browser):
    pictures.check_slides(browser, site, "ship", "translate(56 100) scale(.88)", 2200)


@pytest.mark.browser
def test_text_is_legible_on_a_phone_and_keeps_to_its_place(site, browser):
    pictures.check_legible(browser, site, texts=40)
    for view in (choosing().view(0), ended(LOST, players=7)):
        assert view.table.players == 7
        with pictures.served(view, SAY) as address:
            pictures.check_legible(browser, address, texts=40)


@pytest.mark.browser
def test_day_night_and_still_pictures(browser):
    with pictures.served(ended(FOUND, players=5), SAY) as address:
        pictures.check_themes(browser, address, ".paper", "#ship")
    assert ended(FOUND, players=5).table.phase == OVER


@pytest.mark.browser
def test_what_can_be_clicked_is_large_enough_for_a_thumb(browser):
    """Each direction and each vote is at least 24 pixels wide and high on a phone (WCAG 2.5.8)."""
    with pictures.served(choosing().view(), SAY) as address:
        page = browser.new_page(viewport=pictures.PHONE)
        page.goto(address)
        boxes = page.eval_on_selector_all(
            "[data-codes]", "(all) => all.map((e) => e.getBoundingClientRect()).map((r) => [r.width, r.height])"
        )
        assert len(boxes) >= 5
        assert min(min(box) for box in boxes) >= 24
        page.close()
