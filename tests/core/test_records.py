"""Match records: text that a person can read and write, exact both ways, with errors by line."""

from functools import cache

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import tavola
from tavola import CHANCE, read_record
from tavola.core import BadOption, BadPosition, BadRecord, Match, Refusal, UnknownGame
from tavola.core.match import MatchRecord
from tavola.core.matchfile import MOST_ACTIONS, replay_history
from tests.helpers.matches import play_randomly, played

GAME = tavola.load("lifeboats")
HEADER = "game: lifeboats\nversion: 1\noption players: 3\n\n"
BEGINNING = HEADER + "* start 1\n1 lane 4\n2 lane 5\n"


def random_match(seed, most=10**6, **options) -> Match:
    return play_randomly(Match(GAME, **options), seed, most)


def test_a_record_can_be_read_by_a_person():
    match = played(GAME, (CHANCE, "start 1"), (1, "lane 4"), players=3)
    assert str(match.record(["Ada", "Bruno", "Carla"])).splitlines() == [
        "game: lifeboats",
        "version: 1",
        "names: Ada, Bruno, Carla",
        "option players: 3",
        "option seats: 6",
        "option moves: 3",
        "option islands: 2-2-3",
        "option last_boat_stays: off",
        "",
        "* start 1",
        "1 lane 4",
    ]


def test_a_position_may_be_short_in_a_record():
    text = HEADER + 'position: {"phase": "boats", "starter": 2, "turn": 2} ; after the lot\n2 lane 1\n'
    assert read_record(text.replace("\n\n", "\n")).match().to_act == (0,)


def test_a_sketch_for_study_need_not_have_come_about_but_its_pieces_are_sound():
    sketch = {**random_match(3, 120, players=4).document(), "ballots": 99}
    with pytest.raises(BadPosition, match="ballots: expected 2 or 3 per finished round, found 99"):
        Match(GAME, position=sketch)
    match = Match(GAME, position=sketch, check="pieces")
    match.play(match.legal_numbers(match.to_act[0])[0], match.to_act[0])
    record = read_record(str(match.record()))
    assert (record.check, record.match().state_bytes()) == ("pieces", match.state_bytes())
    for check in ("pieces", "strict"):
        with pytest.raises(BadPosition, match="boats: expected 2 officers of seat 0 in all, found 4"):
            Match(GAME, position=sketch | {"unseated": [{"officer": 2}]}, check=check)
    with pytest.raises(BadPosition, match="check: expected strict or pieces, found 'none'"):
        Match(GAME, position=sketch, check="none")


STRANGE = [";", ",", '"', "a, b", "; c", '"x"', " y ", ""]
NAMES = st.text(st.characters(codec="utf-8"), max_size=12) | st.sampled_from(STRANGE)


@settings(max_examples=200)
@given(st.lists(NAMES, min_size=1, max_size=6))
@example(["Ada\noption players: 6", "\u2028", "\x85", "\ud800", "\r\n", "\xa0"])
def test_any_name_comes_back(names):
    record = MatchRecord("lifeboats", 1, {"players": "6"}, ((CHANCE, "start 1"),), tuple(names))
    assert read_record(str(record)) == record


def test_plain_names_stay_plain():
    record = Match(GAME, players=6).record(["Zoë", "日本", "O'Neill", "Dario, jr.", "a;b", 'the "cook"'])
    assert str(record).splitlines()[2] == 'names: Zoë, 日本, O\'Neill, "Dario, jr.", "a;b", the "cook"'
    assert read_record(str(record)).names == record.names


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("names: Ada,Bruno ; two friends", ("Ada", "Bruno")),
        ('names: "Ada, the first" , Bruno', ("Ada, the first", "Bruno")),
        ("names: Ada,,Carla", ("Ada", "", "Carla")),
        ("names:", ()),
        ("names: ; nobody yet", ()),
    ],
)
def test_names_written_by_hand(line, names):
    assert read_record(HEADER.replace("\n\n", f"\n{line}\n\n")).names == names


def test_more_names_than_players_are_refused():
    match, record = Match(GAME, players=3), read_record(HEADER.replace("\n\n", "\nnames: a, b, c, d\n\n"))
    for name in (lambda: match.record(["a", "b", "c", "d"]), record.match):
        with pytest.raises(BadRecord, match="names: expected at most 3, one per player, found 4"):
            name()


def test_comments_blank_lines_and_spaces_are_nothing():
    header = "\ufeff; a match of ours\r\n\r\n  game :  lifeboats ; the boats\r\nversion:1\r\n option   players : 3\r\n"
    record = read_record(header + "* START   1 ; the lot\r\n\r\n;\r\n  1   lane 4  \r\n2 lane 5")
    assert (record, record.match().to_act) == (read_record(BEGINNING), (0,))


def test_a_record_without_actions_is_a_match_not_begun():
    assert read_record(HEADER).match().to_act == (CHANCE,)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        *((text, "header: expected a line 'game: …', found none") for text in ("", "version: 1\n")),
        ("hello", "line 1: expected a seat .or .. and an action, found 'hello'"),
        ("game: lifeboats\n", "header: expected a line 'version: …', found none"),
        ("game: lifeboats\nversion: one\n", "line 2: version: expected a whole number, found 'one'"),
        ("game: lifeboats\nversion: ١\n", "line 2: version: expected a whole number"),
        ("game: lifeboats\nversion: -1\n", "line 2: version: expected a whole number, found '-1'"),
        (f"game: lifeboats\nversion: {'9' * 5000}\n", "line 2: version: expected a whole number"),
        ("game: lifeboats\ngame: lifeboats\n", "line 2: expected each header line once, found 'game' again"),
        (HEADER + "option players: 4\n", "line 5: expected each header line once, found 'option players' again"),
        ("game: lifeboats\nwind: north\n", "line 2: expected game, version, names, check, position or option NAME"),
        ("game: lifeboats\ncheck: none\n", "line 2: check: expected strict or pieces, found 'none'"),
        (BEGINNING + "option moves: 3\n", "line 8: expected a seat .or .. and an action, found 'option moves: 3'"),
        (BEGINNING + "0\n", "line 8: expected a seat .or .. and an action, found '0'"),
        (BEGINNING + "10 lane 3\n", "line 8: expected a seat .or .. and an action, found '10 lane 3'"),
        *((f"{BEGINNING}{seat} lane 3\n", "line 8: expected a seat") for seat in ("-1", "٣")),
        *((f"position:{begun}\n{HEADER}", "line 1: position: expected a JSON document") for begun in (" {", "")),
        ('position: {"a": 1, "a": 2}\n', "line 1: position: expected a JSON document: duplicate key"),
        ('position: {"rounds": NaN}\n', "line 1: position: expected a JSON document: NaN is not a number"),
        ('position: {"rounds": -Infinity}\n', "line 1: position: expected a JSON document: -Infinity is not a number"),
        ("position: {} {}\n", "line 1: position: expected one JSON document, found ' {}' after it"),
        (f"position: {'[' * 100_000}\n", "line 1: position: expected a JSON document"),
        (f"position: {'9' * 5000}\n", "line 1: position: expected a JSON document"),
        ('names: "Ada\n', "line 1: names: expected a closing quotation mark"),
        ('names: "Ada" Bruno\n', "line 1: names: expected at most 31, separated by commas, found 'Bruno'"),
        (f"names: {',' * 10_000}\n", "line 1: names: expected at most 31, separated by commas"),
    ],
)
def test_a_broken_text_is_refused_by_line(text, expected):
    with pytest.raises(BadRecord, match=expected) as refused:
        read_record(text)
    assert len(str(refused.value)) < 250


@pytest.mark.parametrize(
    ("text", "kind", "expected"),
    [
        (BEGINNING.replace("lifeboats", "chess"), UnknownGame, "unknown game 'chess': expected one of"),
        (BEGINNING.replace("version: 1", "version: 9"), BadRecord, "version 9 of lifeboats: expected version 1"),
        (BEGINNING.replace("players: 3", "players: 9"), BadOption, "option players: expected a whole number from 3"),
        (BEGINNING.replace("option players", "option wind"), BadOption, "option 'wind': expected one of players"),
        (BEGINNING + "\n; so\n0 lane 5\n", BadRecord, "line 10: 'lane 5' is not allowed now for seat 0: expected"),
        (BEGINNING + "1 lane 6\n", BadRecord, "line 8: seat 1 has no decision to make now: expected seat 0"),
        (BEGINNING + "0 dance\n", BadRecord, "line 8: 'dance' is not an action of this game"),
        (BEGINNING + "* start 0\n", BadRecord, "line 8: chance has no decision to make now: expected seat 0"),
        (BEGINNING + "9 lane 1\n", BadRecord, "line 8: seat 9 has no decision to make now"),
        (HEADER + "1 lane 4\n", BadRecord, "line 5: seat 1 has no decision to make now: expected chance"),
        ("position: []\n" + HEADER, BadPosition, "the position: expected an object with keys among"),
        ('position: {"rounds": 5}\n' + HEADER, BadPosition, "rounds: expected no round"),
        ('position: {"options": {"players": "4"}}\n' + HEADER, BadPosition, "options.players: expected '3', as given"),
        ('position: {"game": "chess"}\n' + HEADER, BadPosition, "game: expected 'lifeboats', found 'chess'"),
    ],
)
def test_a_record_that_does_not_replay_is_refused(text, kind, expected):
    record = read_record(text)
    with pytest.raises(kind, match=expected):
        record.match()


def test_a_record_made_by_hand_counts_actions():
    record = MatchRecord("lifeboats", 1, {"players": "3"}, ((CHANCE, "start 0"), (0, "lane 8")))
    with pytest.raises(BadRecord, match="action 2: 'lane 8' is not an action of this game"):
        record.match()


def test_what_is_played_after_the_end_is_refused():
    match = random_match(2, players=3)
    with pytest.raises(BadRecord, match="expected no action, since the match is over"):
        read_record(f"{match.record()}0 vote red\n").match()


def test_a_record_has_an_end():
    with pytest.raises(BadRecord, match=f"line {MOST_ACTIONS + 5}: expected at most {MOST_ACTIONS} actions"):
        read_record(HEADER + "0 lane 1\n" * (MOST_ACTIONS + 1))


@cache
def texts():
    """Return a record of a match from its beginning, and one from a position."""
    match = random_match(4, 60, players=3)
    return str(match.record(["Ada", "Bruno"])), str(Match(GAME, position=match.document()).record())


@settings(max_examples=400, deadline=None)
@given(st.deferred(lambda: st.sampled_from(texts())), st.data())
def test_a_damaged_text_is_read_or_refused(text, data):
    """What is read must also replay."""
    draw = data.draw(st.randoms(use_true_random=False))
    letters = list(text)
    for _ in range(draw.randint(1, 4)):
        place = draw.randrange(len(letters))
        letters[place] = draw.choice(["", *'\n :;,"09{]*é\x00', letters[place] * 2])
    try:
        match = read_record("".join(letters)).match()
    except Refusal:
        return
    assert read_record(str(match.record())).match().state_bytes() == match.state_bytes()


@given(st.text(max_size=200))
def test_any_text_is_read_or_refused(text):
    try:
        read_record(text)
    except BadRecord as refusal:
        assert str(refusal)  # noqa: PT017


@pytest.mark.parametrize("place", [1, 5, 9])
@pytest.mark.parametrize("wrong", [(0, 10), (2, 0), (-1, 0), (64, 0), (0, -1), (0, 10**30), (31, 3)])
def test_a_history_that_is_not_legal_is_refused_at_its_place(wrong, place):
    match = random_match(6, 10, players=5)
    history = [*match.history[:place], wrong, *match.history[place + 1 :]]
    with pytest.raises(BadRecord, match=f"action {place + 1}: "):
        replay_history(GAME, match.options, history)
