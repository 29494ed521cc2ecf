"""Declared fields: NumPy bytes, named tuples and documents are three forms of one value."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import mypy.api
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from isles import Isles, moved

from tavola import core
from tavola.core import BadPosition, Record, choice, each, flag, layout, members, number, one
from tavola.core.compilation import UNCOMPILED, as_records
from tavola.core.fields import Each, Number, RecordType, as_integer, short_repr
from tests.helpers import ROOT

COLOURS = ("red", "green", "blue")


class Part(Record):
    at: int = choice("aside", "sea")
    rank: int = number(-3, 3)
    who: int = members(*COLOURS)


class Everything(Record):
    small: int = number(0, 100)
    medium: int = number(-300, 300)
    large: int = number(0, 70_000)
    huge: int = number(-(2**40), 2**40)
    lit: int = flag()
    crowd: int = members(*(f"m{n}" for n in range(40)))
    throng: int = members(*(f"m{n}" for n in range(79)))
    by_name: tuple[int, ...] = each(COLOURS, number(0, 9))
    by_place: tuple[int, ...] = each(4, choice("none", *COLOURS))
    throngs: tuple[int, ...] = each(2, members(*(f"m{n}" for n in range(130))))
    part: Part = one(Part)
    parts: tuple[tuple[Part, ...], ...] = each(2, each(COLOURS, Part))


Whole = layout(Everything)


def values(field):
    if isinstance(field, Number):
        return st.integers(field.low, field.high)
    if isinstance(field, Each):
        return st.tuples(*[values(field.field)] * field.length)
    return st.builds(field.record_type, **{key: values(inner) for key, inner in field.fields.items()})


def made(name, **fields):
    """Return a record declared outside a class body."""
    return layout(RecordType(name, (Record,), fields))


NOTHING = Whole.unpack(bytes(Whole.dtype.itemsize))


@settings(max_examples=300)
@given(values(Whole))
def test_the_three_forms_agree(value):
    stored = Whole.pack(value)
    assert len(stored) == Whole.dtype.itemsize
    assert Whole.unpack(stored) == value
    assert Whole.read(Whole.write(value), "", NOTHING) == value


@settings(max_examples=100)
@given(values(Whole))
def test_numpy_reads_the_same_bytes(value):
    stored = np.frombuffer(Whole.pack(value), Whole.dtype)[0]
    assert (stored["small"], stored["huge"], stored["crowd"]) == (value.small, value.huge, value.crowd)
    assert tuple(stored["by_place"]) == value.by_place
    assert stored["parts"][1, 2]["rank"] == value.parts[1][2].rank
    bits = [stored["throng"][word] >> bit & 1 for word in (0, 1) for bit in range(63)]
    assert bits == [value.throng >> name & 1 for name in range(126)]


@pytest.mark.parametrize(
    ("field", "size"),
    [
        (number(0, 127), 1),
        (number(-128, 0), 1),
        (number(0, 128), 2),
        (number(-32769, 0), 4),
        (number(0, 2**31), 8),
        (flag(), 1),
        (members(*map(str, range(7))), 1),
        (members(*map(str, range(8))), 2),
        (members(*map(str, range(63))), 8),
        (members(*map(str, range(64))), 16),
        (members(*map(str, range(79))), 16),
        (choice(*map(str, range(128))), 1),
        (choice(*map(str, range(129))), 2),
    ],
)
def test_a_field_takes_the_bytes_it_needs(field, size):
    single = made("Single", field=field)
    assert single.dtype.itemsize == size
    for value in (field.low, field.high):
        assert single.unpack(single.pack((value,))).field == value


def test_a_value_in_a_document_is_named():
    value = Whole.write(NOTHING)
    assert value["lit"] is False
    assert value["by_name"] == {"red": 0, "green": 0, "blue": 0}
    assert value["by_place"] == ["none"] * 4
    assert value["parts"][0]["red"] == {"at": "aside", "rank": 0, "who": []}


def test_what_a_document_leaves_out_is_as_given():
    given = NOTHING._replace(small=7, by_place=(1, 2, 3, 0))
    read = Whole.read({"by_place": ["blue"], "by_name": {"green": 4}}, "", given)
    assert read == given._replace(by_place=(3, 2, 3, 0), by_name=(0, 4, 0))
    assert Whole.read({}, "", given) == given


@pytest.mark.parametrize(
    ("document", "refusal"),
    [
        ([], "the position: expected an object with keys among small, medium, large, .*, found"),
        *(({key: 1}, f"the position: expected keys among small, medium, .*, found {key!r}") for key in ("tiny", None)),
        *(
            ({"small": wrong}, f"small: expected a whole number from 0 to 100, found {wrong!r}")
            for wrong in (101, -1, True, 1.0, float("inf"), "1", None)
        ),
        ({"huge": 2**64}, "huge: expected a whole number from"),
        *(({"lit": wrong}, f"lit: expected true or false, found {wrong!r}") for wrong in (1, "true")),
        ({"crowd": "m1"}, "crowd: expected a list of distinct names among m0, m1"),
        *(({"crowd": wrong}, "crowd: expected a list of distinct names") for wrong in (["m1"] * 2, ["m40"], [["m1"]])),
        ({"by_name": ["red"]}, "by_name: expected an object with keys among red, green, blue, found"),
        ({"by_name": {"pink": 1}}, "by_name: expected keys among red, green, blue, found 'pink'"),
        ({"by_name": {"red": 10}}, "by_name.red: expected a whole number from 0 to 9, found 10"),
        ({"by_place": {"0": "red"}}, "by_place: expected a list of at most 4 values, found"),
        ({"by_place": ["red"] * 5}, "by_place: expected a list of at most 4 values, found"),
        ({"by_place": ["red", "pink"]}, "by_place.1: expected one of none, red, green, blue, found 'pink'"),
        ({"by_place": [0]}, "by_place.0: expected one of none, red, green, blue, found 0"),
        ({"parts": [{}, {"blue": {"rank": 4}}]}, "parts.1.blue.rank: expected a whole number from -3 to 3, found 4"),
        ({"parts": [{}, {"blue": {"who": {}}}]}, "parts.1.blue.who: expected a list of distinct names among red"),
    ],
)
def test_a_bad_value_is_refused_by_its_path(document, refusal):
    with pytest.raises(BadPosition, match=refusal):
        Whole.read(document, "", NOTHING)


@given(
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.text() | st.integers(),
        lambda s: st.lists(s) | st.dictionaries(st.text(), s),
    )
)
def test_anything_else_is_refused_too(nonsense):
    for key in Whole.fields:
        try:
            read = Whole.read({key: nonsense}, "", NOTHING)
        except BadPosition as refusal:
            assert str(refusal).startswith(key)  # noqa: PT017
        else:
            assert Whole.unpack(Whole.pack(read)) == read


@pytest.mark.parametrize("name", ["round", "min", "sum", "field", "T"])
def test_names_that_numpy_uses_cannot_be_declared(name):
    if name not in dir(np.void):
        made("Free", **{name: number(0, 1)})
        return
    with pytest.raises(TypeError, match=f"Clash: '{name}' is an attribute of NumPy records"):
        made("Clash", **{name: number(0, 1)})


def test_a_field_without_a_declaration_is_refused():
    with pytest.raises(TypeError, match=r"Half\.lane: expected a declaration, such as `lane: int = number"):

        class Half(Record):
            lane: int


STRICT = "# mypy: disallow-subclassing-any, disallow-untyped-calls\n"
"""First line of a file that is checked as strictly as those of others can be: ours are allowed both."""
SNIPPET = """
from tavola.core import Record, View, each, number, one

class Boat(Record):
    lane: int = number(0, 7)
    crew: tuple[tuple[int, ...], ...] = each(4, each(("officer", "sailor"), number(0, 5)))

class Table(Record):
    phase: int = number(0, 3)
    first: Boat = one(Boat)
    boats: tuple[Boat, ...] = each(("red", "green"), Boat)

class Hand(Record):
    card: int = number(0, 9)

def told(view: View[Table, Hand | None]) -> int:
    card = view.hand.card if view.hand else 0
    return card + view.table.{field}
"""

TOLD = {
    "phase + view.table.boats[1].crew[0][1] + view.table.first.lane": "",
    "fase": '"Table" has no attribute "fase"',
    "boats[1].lain": '"Boat" has no attribute "lain"',
    "first.crew": "Unsupported operand types",
    "phase + view.hand.card": 'Item "None" of "Hand | None" has no attribute "card"',
}
"""What a type checker reports for each, in one run: most of it is spent on imports."""

AS_CHECKED = f"--config-file={ROOT / 'pyproject.toml'}", f"--cache-dir={ROOT / '.mypy_cache'}"
"""Arguments of the type checker; what `make check` has found out about the package is not found out again."""


@pytest.mark.process
def test_a_type_checker_knows_the_fields(tmp_path: Path, subtests):
    files = [tmp_path / f"words_{number}.py" for number in range(len(TOLD))]
    for file, field in zip(files, TOLD, strict=True):
        file.write_text(STRICT + SNIPPET.replace("{field}", field))
    found, _, status = mypy.api.run([*AS_CHECKED, *map(str, files)])
    assert status == 1
    for file, (field, error) in zip(files, TOLD.items(), strict=True):
        with subtests.test(field):
            said = [line for line in found.splitlines() if f"{file.name}:" in line and ": error: " in line]
            assert bool(said) == bool(error), found
            assert error in "\n".join(said), found


def test_a_message_shows_anything():
    endless = []
    for _ in range(100_000):
        endless = [endless]
    assert short_repr("x" * 100) == f"'{'x' * 56}..."
    assert len(short_repr(list(range(1000)))) == 60
    assert short_repr(10**5000) == "a value of type int, too large to show"
    assert short_repr(endless) == "a value of type list, too large to show"


def test_whole_numbers():
    assert [as_integer(value) for value in (0, -7, np.int8(3), np.uint64(2**63), 10**30)] == [0, -7, 3, 2**63, 10**30]
    assert [as_integer(value) for value in (True, np.bool_(1), 1.0, "1", None, [1])] == [None] * 6


@settings(max_examples=200, deadline=None)
@given(st.sets(st.integers(0, 78)), st.integers(0, 78), st.integers(0, 78))
def test_rules_read_and_change_a_set_of_more_than_63_members(held, place, other):
    form, after = layout(Isles), (held | {place}) - {other}
    states = np.frombuffer(bytearray(form.pack(Isles(sum(1 << name for name in held)))), form.dtype)
    uncompiled = states.copy()[0]["seen"]
    assert moved(as_records(states) if UNCOMPILED else states, place, other) == len(after)
    for change, name in ((core.add_member, place), (core.remove_member, other)):
        getattr(change, "py_func", change)(uncompiled, np.int32(name))  # the type in which rules get actions
    assert uncompiled.tobytes() == states.tobytes()
    mask = form.unpack(states.tobytes()).seen
    assert {name for name in range(79) if mask >> name & 1} == after
    assert form.read(form.write(Isles(mask)), "", Isles(0)) == Isles(mask)
    with pytest.raises(BadPosition, match="seen: expected a list of distinct names among 0, 1"):
        form.read({"seen": ["79"]}, "", Isles(0))


class Odd(Record):
    hands: int = number(0, 1)


class OddState(Record):
    table: Odd = one(Odd)


def test_a_table_has_no_field_of_a_name_that_every_document_has():
    said = "odd: every position document has the key 'hands': expected another field name"
    with pytest.raises(TypeError, match=said):
        core.Game("odd", "Odd", 1, cast(Any, SimpleNamespace(State=OddState)))


def test_a_pile_is_drawn_from_as_its_counts_say():
    actions, weights = np.zeros(4, np.int32), np.zeros(4, np.int64)
    pile, drawn, rng = np.array([2, 0, 255, 1], np.uint8), np.zeros(4, int), core.stream(1)
    assert core.legal_draws(pile, 10, actions, weights) == 3
    assert (actions[:3].tolist(), weights[:3].tolist()) == ([10, 12, 13], [2, 255, 1])
    for _ in range(258):
        drawn[core.draw_from(pile, rng)] += 1
    assert (pile.tolist(), drawn.tolist()) == ([0, 0, 0, 0], [2, 0, 255, 1])
