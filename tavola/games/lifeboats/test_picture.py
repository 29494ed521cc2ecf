"""The picture: everything is there exactly once, can be clicked, tells no secret, and obeys a strict content policy."""

import os
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

import tavola
from tavola.core import CHANCE, View
from tavola.games.lifeboats.components import ACTIONS, COLOURS, LEAK, OVERBOARD, RANKS, SEA
from tavola.games.lifeboats.picture_style import DAY, NIGHT, PAINTS
from tavola.show.board import drawing
from tavola.show.speech import Say
from tests import pictures
from tests.pictures import changed, contrast

GAME = tavola.load("lifeboats")
NAMES = ("Ada", "Bruno", "Carla", "Dario", "Elena", "Franco")
SAY = Say.of(GAME, "en", NAMES)
GOLDEN = Path(__file__).parent / "golden" / "picture.svg"
TABLES = (
    {"players": 3},
    {"players": 4, "moves": 2, "islands": "2-3-2"},
    {"players": 5, "seats": 7, "last_boat_stays": "on"},
    {"players": 6, "seats": 8, "moves": 5, "islands": "3-2-2"},
)


def played(seed: int, **options: object) -> Iterator[tavola.Match]:
    return pictures.played(GAME, seed, **options)


def sampled(step: int = 7) -> Iterator[tavola.Match]:
    """Matches at tables of every kind: each placing and seating, then every `step`th action, and the end."""
    for seed, options in enumerate(TABLES):
        for number, match in enumerate(played(seed, **options)):
            if number % step == 0 or number < 12 or not match.to_act:
                yield match


def pieces(view: View) -> dict[str, str]:
    return pictures.pieces(view, SAY)


def codes(view: View) -> set[str]:
    return pictures.codes(view, SAY)


def until(phase: int, seed: int, **options: object) -> tavola.Match:
    return next(match for match in played(seed, **options) if match.view().table.phase == phase)


def test_every_picture_is_well_formed_and_every_id_unique():
    for match in sampled():
        pictures.check_whole(match.view(0), SAY)


def test_every_shape_that_is_used_is_defined():
    pictures.check_shapes_defined(until(OVERBOARD, 1, players=6).view(0), SAY, shapes=16, paints=2)


def test_nothing_that_a_strict_content_policy_would_drop():
    for match in sampled(40):
        pictures.check_policy(match.view(0), SAY)


def test_every_code_is_an_action():
    for match in sampled():
        for code in codes(match.view(0)):
            ACTIONS.number(code)


def test_every_legal_action_can_be_clicked():
    verbs = set()
    for match in sampled(3):
        for seat in match.to_act:
            legal = set(match.legal(seat))
            verbs |= {code.split()[0] for code in legal}
            assert legal <= codes(match.view(None if seat == CHANCE else seat))
    assert verbs == {verb.name for verb in ACTIONS.verbs}


def test_who_goes_overboard_is_clicked_on_the_men_of_that_boat_alone():
    match = until(OVERBOARD, 3, players=4)
    table = match.view().table
    clicked = [name for name, markup in pieces(match.view()).items() if "vote" in markup]
    men = [
        f"{RANKS[rank]}-{COLOURS[seat]}-{COLOURS[table.target - 1]}-{number}"
        for seat, ranks in enumerate(table.boats[table.target - 1].crew)
        for rank, count in enumerate(ranks)
        for number in range(count)
    ]
    assert clicked == men
    assert "target" in pieces(match.view())


def test_every_man_and_every_leak_is_drawn_exactly_once():
    for match in sampled():
        table = match.view().table
        drawn = pieces(match.view())
        men = Counter(like for markup in drawn.values() for like in re.findall(r'data-like="([^"]*)"', markup))
        sailors = 5 if table.players <= 4 else 4
        due = {
            f"{rank} {COLOURS[seat]}": n
            for seat in range(table.players)
            for rank, n in (("officer", 2), ("sailor", sailors))
        }
        assert men == due
        for place, boat in enumerate(table.boats):
            assert sum(name.startswith(f"leak-{COLOURS[place]}-") for name in drawn) == boat.leaks


def test_nobody_sits_on_anybody():
    for match in sampled():
        table = match.view().table
        drawn = pieces(match.view())
        spots = [
            re.search(r'transform="(translate\([^)]*\))', markup)[1]
            for name, markup in drawn.items()
            if name.startswith(("officer-", "sailor-", "leak-"))
        ]
        assert len(spots) == len(set(spots))
        aboard = sum(sum(map(sum, boat.crew)) + boat.leaks for boat in table.boats if boat.at == SEA)
        assert aboard <= len(spots)


def test_the_card_of_another_is_nowhere():
    for first, second in (("vote red", "vote captain"), ("vote green", "vote black")):
        one, other = until(LEAK, 5, players=4), until(LEAK, 5, players=4)
        one.play(first, 1)
        other.play(second, 1)
        for seat in (None, 0, 2, 3):
            assert str(drawing(one.view(seat), SAY)) == str(drawing(other.view(seat), SAY))
        assert pieces(one.view(1)) != pieces(other.view(1))
        assert {name for name in pieces(one.view(1)) if pieces(one.view(1))[name] != pieces(other.view(1))[name]} == {
            "own-card"
        }


def test_a_seat_sees_what_all_see_and_some_pieces_of_its_own():
    private = set()
    for match in sampled():
        public = pieces(match.view())
        for seat in range(match.players):
            own = pieces(match.view(seat))
            assert {name: own.get(name) for name in public} == public
            private |= own.keys() - public.keys()
    assert private == {"own-card", "own-captain"}


def test_a_vote_changes_the_voter_alone_and_the_reveal_is_new_to_the_page():
    match = until(LEAK, 5, players=3)
    before = pieces(match.view())
    match.play("vote red", 0)
    after = pieces(match.view())
    assert changed(before, after) == {"seat-0"}
    match.play("vote red", 1)
    match.play("vote green", 2)
    revealed = pieces(match.view())
    assert {"ballot-1-0", "ballot-1-1", "ballot-1-2", "tally-1"} <= revealed.keys() - after.keys()


def test_a_move_costs_what_it_changed():
    most = 0
    for _, options in zip(range(2), TABLES, strict=False):
        before: dict[str, str] = {}
        for match in played(8, **options):
            after = pieces(match.view())
            if before:
                most = max(most, sum(len(markup) for name, markup in after.items() if before.get(name) != markup))
            before = after
    assert most < 20_000


def test_names_are_text():
    pictures.check_names_are_text(until(LEAK, 5, players=3).view(), GAME)


def test_titles_speak_the_reader_s_language():
    match = until(LEAK, 5, players=3)
    english, italian = (str(drawing(match.view(), Say.of(GAME, language, NAMES))) for language in ("en", "it"))
    assert "The red boat: " in english
    assert "The red boat: " not in italian
    assert "rossa" in italian


@pytest.mark.parametrize("theme", [DAY, {**DAY, **NIGHT}], ids=["day", "night"])
def test_contrast(theme):
    for own, mark in PAINTS.values():
        assert contrast(own, mark) >= 4.5  # a name on its plate
    assert contrast(theme["print"], theme["paper"]) >= 4.5
    assert contrast(theme["print"], theme["panel"]) >= 4.5
    assert contrast(theme["ink"], theme["plank"]) >= 4.5  # the numbers of the harbour
    assert contrast(theme["ink"], theme["cardboard"]) >= 4.5
    for ground in ("sea", "shallow", "sand", "grass", "wood"):
        outline = max(contrast(theme["ink"], theme[ground]), contrast(theme["halo"], theme[ground]))
        assert outline >= 3, ground
    assert contrast(theme["alarm"], theme["paper"]) >= 3
    assert contrast(theme["ink"], theme["water"]) >= 3


def golden_match() -> tavola.Match:
    """A fixed position with a man overboard, leaks, and cards that lie open."""
    return next(
        match
        for match in played(3, players=4)
        if match.view().table.phase == OVERBOARD and match.view().table.rounds >= 4 and match.view().table.voted
    )


def test_golden():
    """`TAVOLA_GOLDEN=write python -m pytest tavola/games/lifeboats/test_picture.py` draws it anew: look at it then."""
    drawn = pictures.golden(golden_match().view(), SAY)
    if os.environ.get("TAVOLA_GOLDEN") == "write":
        GOLDEN.write_text(drawn, encoding="utf-8")
    assert drawn == GOLDEN.read_text(encoding="utf-8")


# In the browser


@pytest.fixture(scope="module")
def site():
    with pictures.served(golden_match().view(), SAY) as address:
        yield address


@pytest.fixture(scope="module")
def browser():
    with pictures.chromium() as browser:
        yield browser


@pytest.mark.browser
def test_under_a_strict_policy_the_picture_is_whole_and_slides(site, browser):
    pictures.check_slides(browser, site, "boat-red", "translate(56 100)", 900)


@pytest.mark.browser
def test_text_is_legible_on_a_phone_and_keeps_to_its_place(site, browser):
    pictures.check_legible(browser, site, texts=15)


@pytest.mark.browser
def test_day_night_and_still_pictures(site, browser):
    pictures.check_themes(browser, site, ".sea", "#boat-red")
