"""The map: its network, its places, and the lines that the rulebook's worked examples need."""

import itertools
import unicodedata
from collections import Counter, deque

import pytest

from tavola.games.expedition import GAME
from tavola.games.expedition.atlas import LINES, POINT_NUMBER, POINTS, REGIONS
from tavola.games.expedition.gazetteer import place_name
from tavola.games.expedition.network import DISTANCE, SPOT_COUNT, SPOT_OF_POINT, SPOTS, START
from tavola.show.speech import Say

PLACES = [number for number, point in enumerate(POINTS) if point.kind == "place"]
NEIGHBOURS: dict[int, list[int]] = {spot: [] for spot in range(SPOT_COUNT)}
for first, second in LINES:
    NEIGHBOURS[SPOT_OF_POINT[first]].append(SPOT_OF_POINT[second])
    NEIGHBOURS[SPOT_OF_POINT[second]].append(SPOT_OF_POINT[first])


def test_what_is_on_the_map():
    """R4."""
    assert Counter(point.kind for point in POINTS) == {"start": 1, "place": 79, "green": 20, "red": 20, "border": 6}
    order = [point.kind for point in POINTS]
    assert order == sorted(order, key=["start", "place", "green", "red", "border"].index)
    assert len({point.code for point in POINTS}) == len(POINTS)
    assert {POINTS[number].region for number in PLACES} == set(REGIONS)
    assert len(REGIONS) == 7
    assert all(bool(point.region) == (point.kind == "place") for point in POINTS)


def test_every_place_is_somewhere_else_on_the_earth():
    assert all(-169 <= point.longitude <= 191 and -60 < point.latitude < 81 for point in POINTS)
    assert len({(point.longitude, point.latitude) for point in POINTS}) == len(POINTS)


def test_codes_are_the_english_names():
    for number, point in enumerate(POINTS):
        name = unicodedata.normalize("NFKD", place_name(number, Say.of(GAME, "en"))).encode("ascii", "ignore").decode()
        assert point.code.removesuffix("-west").removesuffix("-east") == name.lower().replace(" ", "-")


def test_border_points_are_three_pairs_across_the_map():
    for west, east in [[point for point in POINTS if point.pair == pair] for pair in (1, 2, 3)]:
        assert east.longitude - west.longitude == 360
        assert west.latitude == east.latitude
    assert all((point.pair > 0) == (point.kind == "border") for point in POINTS)


def test_lines_are_sorted_and_no_two_join_the_same_points():
    assert list(LINES) == sorted(set(LINES))
    assert all(first < second for first, second in LINES)
    merged = [frozenset((SPOT_OF_POINT[first], SPOT_OF_POINT[second])) for first, second in LINES]
    assert len(set(merged)) == len(merged)
    assert all(len(line) == 2 for line in merged), "a line would join a border point to its own partner"


def test_start_has_six_lines_and_every_other_point_two_to_six():
    assert len(NEIGHBOURS[START]) == 6
    assert {len(others) for others in NEIGHBOURS.values()} <= {2, 3, 4, 5, 6}


def reached_from(start: int, barred: int = -1) -> dict[int, int]:
    """Every spot that can be reached without passing `barred`, and its distance."""
    found, queue = {start: 0}, deque([start])
    while queue:
        here = queue.popleft()
        for other in NEIGHBOURS[here]:
            if other not in found and other != barred:
                found[other] = found[here] + 1
                queue.append(other)
    return found


def test_distances_are_those_of_the_shortest_ways_and_none_from_start_is_above_eleven():
    """R5."""
    for spot in range(SPOT_COUNT):
        assert reached_from(spot) == dict(enumerate(DISTANCE[spot]))
    assert max(DISTANCE[START]) <= 11


def test_no_station_or_place_cuts_the_map_in_two():
    """A route through a point must not cut a part of the map off for good."""
    for barred in range(SPOT_COUNT):
        if barred != START:
            assert len(reached_from(START, barred)) == SPOT_COUNT - 1, SPOTS[barred]


@pytest.mark.parametrize(("players", "hand"), [(2, 12), (3, 12), (4, 9), (5, 9), (6, 9)])
def test_every_deal_has_a_dozen_places_for_tokens_and_enough_public_goals(players, hand):
    found = DISTANCE[START]
    near = sum(found[number] < 2 for number in PLACES)
    assert players * hand - near >= 12
    assert 9 - near >= 4, "the worst hand still has a place for each of the four tokens"
    left = len(PLACES) - players * hand
    assert left - sum(found[number] < 3 for number in PLACES) >= 6, "public goals lie three segments away or more"


def test_the_net_of_the_worked_examples():
    """Five lines east of Marib, and Angkor north-east of the station below Borobudur."""
    way = ["marib", "arabian-sea", "indian-ocean", "equator", "andamans", "borobudur"]
    lines = {frozenset((POINTS[first].code, POINTS[second].code)) for first, second in LINES}
    point = {code: POINTS[POINT_NUMBER[code]] for code in (*way, "angkor", "tschangan")}
    assert all(frozenset(pair) in lines for pair in itertools.pairwise(way))
    assert {frozenset(("andamans", "angkor")), frozenset(("angkor", "tschangan"))} <= lines
    assert [point[code].kind for code in way] == ["place", "red", "green", "red", "green", "place"]
    assert point["arabian-sea"].longitude > point["marib"].longitude
    assert point["indian-ocean"].latitude < point["arabian-sea"].latitude
    assert point["equator"].longitude > point["indian-ocean"].longitude
    assert point["angkor"].latitude > point["andamans"].latitude > point["equator"].latitude
    assert point["angkor"].longitude > point["andamans"].longitude
