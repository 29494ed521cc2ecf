"""The picture: every man in the right place, what plates and rings show, what a colour means, and the scenes."""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Any, NamedTuple

import pytest

import tavola
from tavola.core import PlayedAction, View
from tavola.games.lifeboats.components import COLOURS, At, BallotKind, Phase
from tavola.games.lifeboats.fixtures import vote
from tavola.show import testing
from tavola.show.board import Frame
from tavola.show.cards import picture_of, words_of
from tavola.show.pictures import drawing, scene, scene_length
from tavola.show.speech import Say
from tavola.show.testing import changed_pieces

GAME = tavola.load("lifeboats")
picture = picture_of(GAME)
SAY = testing.english_say(GAME)
TABLES: tuple[dict[str, Any], ...] = (
    {"players": 3},
    {"players": 4, "moves": 2, "islands": "2-3-2"},
    {"players": 5, "seats": 7, "last_boat_stays": "on"},
    {"players": 6, "seats": 8, "moves": 5, "islands": "3-2-2"},
)


def pieces(view: View) -> dict[str, str]:
    return testing.pieces_by_id(view, SAY)


def until(phase: int, seed: int, **options: object) -> tavola.Match:
    return next(match for match in testing.random_match(GAME, seed, **options) if match.view().table.phase == phase)


@pytest.mark.parametrize("seed", range(4))
def test_overboard_a_colour_means_men_and_no_boat(seed):
    match = until(Phase.OVERBOARD_BALLOT, seed, players=4)
    seat = match.to_act[0]
    named = {name for name, markup in pieces(match.view(seat)).items() if re.search(r'data-codes="[^"]*vote', markup)}
    assert all(name.startswith("held-") for name in named)
    assert {f"vote {name.removeprefix('held-')}" for name in named} >= set(match.legal_codes(seat))


def test_every_man_is_drawn_once_on_the_board_and_plates_and_rings_tell_of_them():
    for match in testing.sample_matches(GAME, TABLES, step=10, first=12):  # each placing and seating
        t, drawn = match.view().table, pieces(match.view())
        men = 7 if t.players <= 4 else 6
        shown = re.findall(r'href="#(?:saved-)?(?:sailor|officer|lost-cap)"', "".join(drawn.values()))
        assert len(shown) == t.players * men - sum(map(sum, t.unseated))
        own = "".join(pieces(match.view(0)).values())
        for x, y in re.findall(r'class="[a-z ]*man" transform="translate\((-?[\d.]+) (-?[\d.]+)\)', own):
            assert -60 <= float(x) <= 1200
            assert -60 <= float(y) <= 1180
        at_sea = {COLOURS[place]: boat for place, boat in enumerate(t.boats) if boat.at == At.SEA}
        for colour, boat in at_sea.items():
            plate, aboard = drawn[f"boat-{colour}"], sum(map(sum, boat.crew))
            assert re.findall(r">(\d+)</text>", plate)[:2] == [str(aboard), str(boat.leaks)]
            assert (plate.count('href="#spring"'), " danger" in plate) == (boat.leaks, aboard <= boat.leaks)
        for seat in range(match.players):
            rings = "".join(map(str, picture.own_pieces(match.view(seat), SAY)["main"].values()))
            assert rings.count('href="#own"') == sum(sum(boat.crew[seat]) for boat in at_sea.values())


def test_a_vote_changes_only_the_voters_piece_and_the_reveal_is_new_to_the_page():
    match = until(Phase.LEAK_BALLOT, 5, players=3)
    before = pieces(match.view())
    match.play("vote red", 0)
    after = pieces(match.view())
    assert changed_pieces(before, after) == {"ballot-0"}
    revealed = pieces(vote(match, "red green").view())
    assert changed_pieces(after, revealed) >= {"ballot-0", "ballot-1", "ballot-2"}
    assert all(f'id="face-1-{seat}-open"' in revealed[f"ballot-{seat}"] for seat in range(3))


def test_a_move_costs_what_it_changed():
    assert testing.dearest_change(GAME, 8, TABLES[:2], SAY) < 20_000


def test_titles_speak_the_reader_s_language():
    match = until(Phase.LEAK_BALLOT, 5, players=3)
    english, italian = (str(drawing(match.view(), Say.of(GAME, language, testing.NAMES))) for language in ("en", "it"))
    assert "The red boat: " in english
    assert "The red boat: " not in italian
    assert "rossa" in italian


# Scenes


class Scene(NamedTuple):
    before: View
    after: View
    played: PlayedAction | None
    frames: list[Frame]

    @property
    def is_reveal(self) -> bool:
        return bool(self.after.table.ballots > self.before.table.ballots)

    @property
    def is_forced(self) -> bool:
        """Return whether no one has a choice in a ballot: about the last boat, without captains."""
        t = self.before.table
        return sum(boat.at == At.SEA for boat in t.boats) == 1 and not t.target and not any(t.captains)

    @property
    def drawn(self) -> list[str]:
        return ["".join(map(str, frame.draw()["main"].values())) for frame in self.frames]

    def length(self, pace: str) -> int:
        return scene_length(self.before, self.after, self.played, pace)


def scenes(seed: int, say: Say = SAY, **options: object) -> Iterator[Scene]:
    seen = ((match.view(), match.last_action()) for match in testing.random_match(GAME, seed, **options))
    for (before, _), (after, played) in pairwise(seen):
        if shown := scene(before, after, played, say):
            yield Scene(before, after, played, shown)


def test_a_ballot_is_turned_card_by_card_and_then_lies_open_for_a_second_and_a_half():
    """One without a choice is open at once."""
    reveals = [s for s in scenes(1, players=5) if s.is_reveal]
    forced = [s for s in reveals if s.is_forced]
    assert forced
    assert len(reveals) > 10 + len(forced)
    for s in forced:
        assert ('-down"' in s.drawn[0], "count-" in s.drawn[0]) == (False, True)
        assert not any(frame.closed for frame in s.frames)
        assert s.length("brisk") < 3500
    for s in (s for s in reveals if not s.is_forced):
        t, start = s.after.table, s.before.table.starter
        voters = sorted((seat for seat, card in enumerate(t.ballot.cards) if card), key=lambda seat: (seat - start) % 5)
        drawn = s.drawn[: len(voters) + 2]
        assert [text.count('-down"') for text in drawn] == [*range(len(voters), -1, -1), 0]
        assert f"face-{t.ballots}-{voters[0]}-open" in drawn[1]
        assert "count-" not in drawn[0]
        assert s.frames[len(voters) + 1].minimum >= 1500


def test_a_reveal_of_four_lasts_about_seven_seconds_calm_and_four_and_a_half_brisk():
    for s in (s for seed in range(3) for s in scenes(seed, players=4) if s.is_reveal and not s.is_forced):
        if s.after.table.ballot.kind == BallotKind.LEAK:
            assert s.length("calm") == sum(frame.milliseconds for frame in s.frames)
            assert 5000 <= s.length("calm") <= 10_500
            assert 3400 <= s.length("brisk") <= 6500


def test_log_lines_appear_with_the_picture_that_shows_them():
    for s in scenes(2, players=6):
        assert s.frames[-1].log_lines == len(words_of(GAME).events(s.before, s.after, s.played, SAY))
        assert s.frames[0].log_lines == 0 or not s.is_reveal or s.is_forced


def test_nothing_jumps_back_after_the_last_frame():
    """Landed men are where the next picture has them, and lost men have sunk."""
    for s in scenes(3, players=6):
        last, then = s.frames[-1].draw()["main"], picture.pieces(s.after, SAY)["main"]
        still = [name for name in then if name.startswith(("ashore", "island", "landed"))]
        assert [last[name] for name in still] == [then[name] for name in still]


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_title_of_a_boat_between_two_rows_counts_whole_moves(language):
    shown = scenes(4, Say.of(GAME, language, testing.NAMES), players=4, moves=2)
    boats = "".join(re.findall(r'<g id="boat-\w+"[^>]*><title>[^<]+', "".join(text for s in shown for text in s.drawn)))
    titles = re.findall(r"<title>([^<]+)", boats)
    assert any(re.search(r"\b1 (move|Feld)", title) for title in titles), titles[:5]
    assert not any(re.search(r"\d[.,]\d", title) for title in titles)


def test_a_choice_a_drowning_and_a_round_are_scenes_and_most_actions_are_none():
    verbs = {s.played.verb for seed in range(3) for s in scenes(seed, players=4) if s.played}
    assert {"choose", "board"} <= verbs <= {"choose", "leave", "board", "crew"}


def test_a_round_is_announced_last_under_its_own_heading():
    begun = [s for seed in range(2) for s in scenes(seed) if s.after.table.rounds > 1]
    for s in begun:
        announced = [f"round-{s.after.table.rounds}" in frame.draw()["main"] for frame in s.frames]
        assert announced == [frame.begins for frame in s.frames]
        assert not any(announced[:-1])
    assert any(s.frames[-1].begins for s in begun)
