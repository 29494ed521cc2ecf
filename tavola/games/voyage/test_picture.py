"""The pictures: every tile, ship and vote in the right place, what can be touched, the scenes, nothing shown early."""

import itertools
import math
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

import tavola
from tavola.core import CHANCE, View
from tavola.games.voyage import picture
from tavola.games.voyage.components import CELLS, COAST, COURSES, FOG, Ending, Phase, Table
from tavola.games.voyage.fixtures import GAME, VOTES, cell_names, decide, first_turn, offer, sail, vote
from tavola.games.voyage.picture.desk import BOLD_LETTER, LEFT_EDGE, NUMERALS
from tavola.games.voyage.picture.elements import SQUARE, cell_middle
from tavola.show import picture_of, testing, words_of
from tavola.show.board import Frame
from tavola.show.pictures import all_pieces, scene
from tavola.show.speech import LANGUAGES, Say
from tavola.show.testing import changed_pieces, contrast, present

SAY = testing.english_say(GAME)
TABLES: tuple[dict[str, Any], ...] = (
    {"players": 3},
    {"players": 4, "layout": "random", "captaincy": "alternative"},
    {"players": 5, "sailor": "emended"},
    {"players": 7, "layout": "random", "safe_course": "on"},
)
FIVE = ("admiral", "traitor", "merchant", "explorer", "explorer")
SEALED = "only the captain knows it"


@cache
def ending_views(ending: int) -> tuple[View, View]:
    """The public views before and after the last action of a match of five."""
    matches = ([match.view() for match in testing.random_match(GAME, seed, players=5)][-2:] for seed in range(4000))
    return next((before, after) for before, after in matches if after.table.ending == ending)


def pieces(view: View) -> dict[str, str]:
    return testing.pieces_by_id(view, SAY)


def place_of(markup: str) -> tuple[float, float]:
    x, y = present(re.search(r'transform="translate\(([-.\d]+) ([-.\d]+)\)', markup)).groups()
    return float(x), float(y)


def codes_of(markup: str) -> set[str]:
    return set(present(re.search(r'data-codes="([^"]*)"', markup))[1].split("|"))


def test_no_shape_is_left_over():
    drawn = [*pieces(golden_match().view(0)).values()]
    for match in testing.sample_matches(GAME, TABLES, step=2):
        for seat in match.to_act:
            drawn += pieces(match.view(None if seat == CHANCE else seat)).values()
    for before, after in (ending_views(Ending.AVALON), ending_views(Ending.ROUTE_LOST)):
        drawn += pieces(after).values()
        drawn += (markup for frame in scene(before, after, None, SAY) for markup in flat_pieces(frame).values())
    drawn += (str(picture.PICTURE.lesson(number, SAY)) for number in range(6))
    used = set(re.findall(r'(?:href="#|url\(#)([\w-]+)', "".join(drawn) + str(picture.SHAPES)))
    shapes = set(re.findall(r'^<\w+ id="([\w-]+)"', picture.SHAPES, re.MULTILINE))
    assert {name for name in shapes - used if not name.startswith(("word-", "said-"))} == set()


def test_a_heading_means_the_open_course_and_a_card_in_the_hand_the_secret_one():
    match = first_turn(*FIVE)
    drawn, legal = pieces(match.view(0)), match.legal_codes()
    for course in COURSES:
        assert {c for c in legal if c.startswith(f"courses {course} ")} == codes_of(drawn[f"heading-1-{course}"])
        assert {c for c in legal if c.endswith(f" {course}")} == codes_of(drawn[f"secret-{course}"])
    one, other = codes_of(drawn["heading-1-west"]), codes_of(drawn["secret-south"])
    assert one & other == {"courses west south"}


def test_white_is_white_and_black_is_black():
    drawn = pieces(offer(first_turn(*FIVE), "south", "west").view(1))
    for ballot, course in (("white", "open-1"), ("black", "sealed-1")):
        assert codes_of(drawn[f"own-{ballot}"]) == codes_of(drawn[course]) == {f"vote {ballot}"}
        assert f"#ballot-{ballot}" in drawn[f"own-{ballot}"]
        assert "light-dark" not in present(re.search(rf"--{ballot}:([^;]*)", picture.STYLE))[1]


def test_a_course_that_may_not_be_laid_is_not_there_and_one_that_loses_the_route_is_marked():
    drawn = pieces(sail(first_turn(*FIVE), "esw").view())
    assert [f"heading-4-{course}" in drawn for course in COURSES] == [True, False, True, True]
    lost, kept = map(pieces(sail(first_turn(*FIVE), "e").view()).get, ("heading-2-east", "heading-2-south"))
    signs = "losing", "the route would be lost", "goal-ring"
    found = [[sign in present(drawn) for sign in signs] for drawn in (lost, kept)]
    assert found == [[True, True, False], [False, False, True]]


def test_what_is_visited_is_painted_and_takes_its_billow_away():
    for match in testing.sample_matches(GAME, TABLES, step=5):
        table, drawn = match.view().table, pieces(match.view())
        assert {name[5:] for name in drawn if name.startswith("tile-")} == set(cell_names(table.explored).split())
        assert {name[4:] for name in drawn if name.startswith("fog-")} == set(cell_names(FOG & ~table.explored).split())
        assert ("charted" in drawn) == (table.layout == 0)


def test_what_a_tile_shows():
    match = sail(first_turn(*FIVE), "ssswwww")
    assert cell_names(1 << decide(match, "west").view().table.ship) == "c5"
    assert "tile-c5" not in pieces(match.view()), "a tile not drawn yet is not painted under the ship"
    match.play("tile plain", CHANCE)
    tiles = {name: pieces(match.view())[f"tile-{name}"] for name in ("h2", "h3", "h4", "c5")}
    assert [present(re.search("<title>(.*?)</title>", markup))[1] for markup in tiles.values()] == [
        "h2: the start",
        "h3: open sea",
        "h4: island with a cross",
        "c5: island without a cross, in the fog",
    ]
    assert ["#mist" in markup for markup in tiles.values()] == [False, False, False, True]


def test_the_ship_slides_with_the_voyage():
    match = first_turn(*FIVE)
    before, after = (place_of(pieces(view)["ship"]) for view in (match.view(), sail(match, "s").view()))
    assert after[1] - before[1] == SQUARE
    assert math.dist(after, cell_middle(CELLS.index("h3"))) < 20


def test_every_turn_that_is_over_is_on_the_ribbon_and_in_the_ledger():
    match = decide(first_turn(*FIVE), "south", "west", "bbbww")
    decide(match, "west", "south", "wwwwb")
    drawn = pieces(match.view())
    assert "captain Ada: West (hidden)" in drawn["turned-1"]
    assert "captain Bruno: West (open)" in drawn["turned-2"]
    assert "turned-3" not in drawn
    assert (NUMERALS[0], NUMERALS[8], NUMERALS[13], NUMERALS[-1]) == ("I", "IX", "XIV", "XX")
    column = drawn["column-1"]
    assert (column.count("#token-black"), column.count("#token-white"), column.count("ringed")) == (3, 2, 1)
    assert "last-2" in drawn


def test_the_sealed_course_is_opened_when_it_is_sailed_and_only_then():
    sailed, kept = first_turn(*FIVE), first_turn(*FIVE)
    for match, votes in ((sailed, "bbbww"), (kept, "wwwbb")):
        offer(match, "south", "west")
        assert SEALED in pieces(match.view())["sealed-1"]
        vote(match, votes)
    assert "The ship sailed the hidden course: West" in pieces(sailed.view())["sealed-1"]
    assert SEALED in pieces(kept.view())["sealed-1"]


def test_hidden_cards_are_drawn_only_in_the_own_pieces():
    one, other = first_turn(*FIVE), first_turn("traitor", "traitor", "cabin-boy", "sailor", "admiral")
    for match, alternative, cast in ((one, "west", "vote white"), (other, "east", "vote black")):
        offer(match, "south", alternative)
        match.play(cast, 2)
    captains, voters = (changed_pieces(pieces(one.view(seat)), pieces(other.view(seat))) for seat in (0, 2))
    assert captains == {"own-role", "own-laid", "own-secret", "own-black"}
    assert voters == {"own-role", "own-white", "own-black"}


def test_a_vote_changes_one_mark_that_names_the_voter():
    match = offer(first_turn(*FIVE), "south", "west")
    before = pieces(match.view())
    match.play("vote black", 3)
    after = pieces(match.view())
    assert changed_pieces(before, after) == {"vote-1-3"}
    assert "Dario has voted" in after["vote-1-3"]
    assert "Elsa hasn’t voted yet" in after["vote-1-4"]


def test_guesses_stand_beside_the_seats_until_the_roles_are_known():
    view = golden_match().view(0)
    drawn = picture.guess_pieces(view, {2: "traitor", 4: "sailor", 3: "nobody"}, SAY)["side"]
    assert drawn.keys() == {"guess-2", "guess-4"}
    assert "Your guess: Traitor" in drawn["guess-2"]
    assert not drawn.keys() & pieces(view).keys()
    assert picture.guess_pieces(ending_views(Ending.AVALON)[1], {2: "traitor"}, SAY) == {}


def ballot(votes: str, *roles: str) -> tuple[View, View, list[Frame]]:
    match = vote(offer(first_turn(*(roles or FIVE)), "south", "west"), votes[:-1])
    before = match.view()
    match.play(VOTES[votes[-1]], len(votes) - 1)
    return before, match.view(), scene(before, match.view(), match.last_action(), SAY)


def flat_pieces(frame: Frame) -> dict[str, str]:
    return {name: str(markup) for drawn in frame.draw().values() for name, markup in drawn.items()}


def test_ballots_turn_one_by_one_from_the_left_of_the_captain_before_anything_moves():
    before, _, frames = ballot("wbbbw")
    drawn, order = [flat_pieces(frame) for frame in frames[:7]], []
    for one, other in itertools.pairwise(drawn):
        order += [name for name in other.keys() - one.keys() if name.endswith("-up")]
    assert order == ["ballot-1-1-up", "ballot-1-2-up", "ballot-1-3-up", "ballot-1-4-up", "ballot-1-0-up"]
    counts = [re.findall(r">(\d)</text>", shown["count-1"]) for shown in drawn]
    assert ["".join(count) for count in counts] == ["00", "01", "02", "03", "13", "23", "23"]
    for name in ("ship", "tile-h2", "sealed-1", "marker"):
        assert {shown[name] for shown in drawn[:6]} == {pieces(before)[name]}
    assert not any("tile-g2" in shown for shown in drawn[:6])
    assert [frame.log_lines for frame in frames[:6]] == [0] * 6


def test_every_face_stays_open_for_a_second_and_a_half_at_any_pace():
    for votes in ("wbw", "wbbww", "wbbwwbw"):
        _, _, frames = ballot(votes, *(("admiral", "sailor", "merchant", "traitor") * 2)[: len(votes)])
        opened = [frame for frame in frames if {"ballot-1-0-up", "ballot-1-1-up"} <= flat_pieces(frame).keys()]
        for pace in ("calm", "brisk"):
            assert sum(frame.duration(pace) for frame in opened) >= 1500
            assert all(frame.duration(pace) >= 1500 for frame in opened[-1:])
        if len(votes) == 5:
            assert 6500 <= sum(frame.duration("calm") for frame in frames) <= 7500
            assert 3800 <= sum(frame.duration("brisk") for frame in frames) <= 4500


def test_the_verdict_then_the_ship_then_the_tile_are_shown_each_with_its_line():
    before, after, frames = ballot("bbbww")
    lines = words_of(GAME).events(before, after, None, SAY)
    told = list(dict.fromkeys(lines[frame.log_lines - 1] for frame in frames if frame.log_lines))
    assert [line.split(" at ")[0] for line in told] == [
        "Black wins the vote: the ship takes the hidden course (west).",
        "The ship sails west to g2.",
        "The ship finds open sea",
    ]
    verdict, sailing, painted = map(flat_pieces, frames[-3:])
    assert "Hidden course: West" in verdict["verdict-1"]
    assert ["tile-g2" in drawn for drawn in (verdict, sailing, painted)] == [False, False, True]
    assert sailing["ship"] == painted["ship"] == pieces(after)["ship"]
    assert painted["marker"] != pieces(after)["marker"]


def test_the_verdict_of_a_tie_names_the_decider():
    _, _, frames = ballot("bwbw", "admiral", "traitor", "merchant", "sailor")
    assert "A tie, the captain decides: West" in flat_pieces(frames[5])["verdict-1"]


def test_the_open_course_is_laid_before_the_secret_one():
    match = first_turn(*FIVE)
    before = match.view()
    offer(match, "south", "west")
    (frame,) = scene(before, match.view(), match.last_action(), SAY)
    assert [name in flat_pieces(frame) for name in ("open-1", "sealed-1")] == [True, False]
    assert "sealed-1" in pieces(match.view())


@pytest.mark.parametrize(
    ("ending", "told"),
    [
        (Ending.AVALON, "Avalon is found!"),
        (Ending.TURN_20, "Twenty turns are over"),
        (Ending.ROUTE_LOST, "The route is lost"),
    ],
)
def test_an_end_is_shown_and_then_the_roles_turn_up_one_by_one(ending, told):
    before, after = ending_views(ending)
    frames = [flat_pieces(frame) for frame in scene(before, after, None, SAY)]
    up = [[int(seat) for seat in re.findall(r"role-(\d)-up", " ".join(frame))] for frame in frames]
    assert [*map(len, up[-5:])] == [0, 1, 2, 3, 4]
    assert after.standing.ranks[up[-4][0]] == max(after.standing.ranks)
    assert [sum(name.startswith("known-") for name in frame) for frame in frames] == [*map(len, up)]
    assert told in pieces(after)["ending"]
    assert ("glory" in frames[-6]) == ("glory" in pieces(after)) == (ending == Ending.AVALON)
    assert ("torn" in frames[-6]) == ("torn" in pieces(after)) == (ending == Ending.ROUTE_LOST)
    for seat, own in enumerate(after.standing.points):
        assert f">{str(own).replace('-', '−')}</text>" in pieces(after)[f"role-{seat}-up"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_roles_that_turn_up_are_named_in_a_row_where_one_holds_them(language):
    """On a narrow screen; otherwise every second one is lower. No name touches its neighbour in the same row."""
    _, after = ending_views(Ending.AVALON)
    drawn = picture_of(GAME).pieces(after, Say.of(GAME, language, testing.NAMES))["main"]
    pattern = re.compile(r'translate\(([\d.]+) .*x="([\d.]+)" y="(\d+)" font-size="32" data-room="(\d+)"[^>]*>([^<]+)<')
    spots = [present(pattern.search(str(drawn[f"role-{seat}-up"]))).groups() for seat in range(5)]
    names = [
        (float(x) + float(aside), int(y), min(int(room), len(name) * 32 * BOLD_LETTER))
        for x, aside, y, room, name in spots
    ]
    assert {y for _, y, _ in names} in ({140, 172}, {140}), (language, spots)
    for row in {y for _, y, _ in names}:
        placed = [(x - wide / 2, x + wide / 2) for x, y, wide in names if y == row]
        assert placed[0][0] >= LEFT_EDGE - 1, (language, spots)
        assert all(one[1] < two[0] for one, two in itertools.pairwise(placed)), (language, spots)


def test_avalon_parts_the_bank():
    before, after = map(pieces, ending_views(Ending.AVALON))
    billows = [name for name in before.keys() & after.keys() if name.startswith("fog-")]
    assert billows
    assert all(place_of(before[name]) != place_of(after[name]) for name in billows)


# Drawings, prices, colours


def test_a_turn_costs_what_it_changed():
    assert testing.dearest_change(GAME, 8, TABLES[:3], SAY, with_end=False) < 14_000


def palette(style: str) -> dict[str, tuple[str, str]]:
    start = style.index("color-scheme") if style.startswith("<svg") else style.index(".picture.voyage{")
    block = style[start : style.index("}", start)]
    found = {}
    for name, colour in re.findall(r"--([\w-]+):\s*([^;]+);?", block):
        pair = re.match(r"light-dark\(([^,]+),([^)]+)\)", colour)
        found[name] = (pair[1], pair[2]) if pair else (colour, colour)
    return found


def test_the_backdrop_has_the_colours_of_the_picture():
    backdrop = (Path(picture.__file__).parent / "chart.svg").read_text(encoding="utf-8")
    ours = palette(picture.STYLE)
    assert all(ours[name] == colours for name, colours in palette(backdrop).items())


@pytest.mark.parametrize("hour", [0, 1], ids=["day", "night"])
def test_contrast(hour):
    theme = {name: pair[hour] for name, pair in palette(picture.STYLE).items()}
    texts = "ink vellum, cardink card, pencil card, cardfix gold-pale, cardfix gold, white roofdark, routeink halo"
    for least, pairs in ((12, "white black"), (4.5, texts), (3, "sepia vellum, route vellum, fog-ink fog")):
        for drawn, ground in map(str.split, pairs.split(",")):
            assert contrast(theme[drawn], theme[ground]) >= least, (drawn, ground)


@cache
def golden_match() -> tavola.Match:
    """A match late in its voyage, which has seen fog and coast, after two of five votes."""

    def is_late(t: Table) -> bool:
        halfway = t.phase == Phase.BALLOT and t.voted.bit_count() == 2 and t.turn > 9
        return bool(halfway and t.explored & FOG and t.explored & COAST)

    matches = (match for seed in range(400) for match in testing.random_match(GAME, seed, players=5))
    return next(match for match in matches if is_late(match.view().table))


# In the browser

STAGE = (
    "<style>body{margin:0}svg.picture{width:360px;overflow:visible}.defs{position:absolute;width:0;height:0}"
    ":root{color-scheme:light dark}</style>"
)


def phone(view: View, *boards: str) -> str:
    shown = all_pieces(view, SAY)
    drawn = []
    for name in boards:
        board = picture.BOARDS[name]
        box = board.phone or (0, 0, *board.size)
        inside = "".join(shown[name].values())
        drawn.append(f'<svg class="picture voyage" viewBox="{" ".join(map(str, box))}">{inside}</svg>')
    defs = f'<svg class="defs"><defs>{picture.SHAPES}</defs></svg>'
    return f"<!doctype html><style>{picture.STYLE}</style>{STAGE}{defs}{''.join(drawn)}"


def choosing() -> View:
    """The view of a captain who chooses two courses, in the fourth turn."""
    matches = (match for seed in range(100) for match in testing.random_match(GAME, seed, players=7))
    views = (match.view(match.to_act[0]) for match in matches if match.view().table.phase == Phase.COURSES)
    return next(view for view in views if view.table.turn == 4)


@pytest.mark.browser
def test_what_can_be_touched_is_large_enough_for_a_thumb(chromium: Browser):
    """Each course and each vote is at least 40 pixels wide and high on a phone."""
    page = testing.phone(chromium)
    for view in (choosing(), golden_match().view(0)):
        page.set_content(phone(view, "main", "hand"))
        boxes = page.eval_on_selector_all(
            "[data-codes]:not(.through)",
            "(all) => all.map((e) => [e.id, e.getBoundingClientRect()]).map(([id, r]) => [id, r.width, r.height])",
        )
        assert len(boxes) >= 4
        assert [box for box in boxes if min(box[1:]) < 39.5] == []
    page.close()


@pytest.mark.browser
def test_day_and_night(chromium: Browser):
    with testing.serve_picture(golden_match().view(0), SAY) as site:
        testing.check_themes(chromium, site, "#axes", "#ship")
