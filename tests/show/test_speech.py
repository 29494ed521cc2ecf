"""Names of players in sentences: the one who reads a sentence is *you*."""

import pytest

import tavola
from tavola.core.text import ISOLATE, POP
from tavola.show.speech import SHARED_FOLDER, Say
from tavola.web.table.player_panels import LogSay, with_seals

STEALS = "{name} {name:steals|steal} a card from {other}: {mine} to {theirs}."
SHARED = "{names} share the victory with {count} point.", "{names} share the victory with {count} points."
NAMES = ("Ada", "Bruno", "Carla")


def steals(say: Say) -> str:
    return say(STEALS, name=say.name(0), other=say.name(1), mine=4, theirs=3)


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", ["Ada steals a card from Bruno", "You steal a card from Bruno", "Ada steals a card from you"]),
        ("de", ["Ada stiehlt Bruno eine Karte", "Du stiehlst Bruno eine Karte", "Ada stiehlt dir eine Karte"]),
        ("it", ["Ada ruba una carta a Bruno", "Tu rubi una carta a Bruno", "Ada ti ruba una carta"]),
        ("fr", ["Ada vole une carte à Bruno", "Vous volez une carte à Bruno", "Ada vous vole une carte"]),
    ],
)
def test_the_reader_of_a_line_is_you(language: str, told: list[str]):
    say = Say.of(tavola.load("fairies"), language, NAMES)
    lines = [steals(say.to_reader(reader)) for reader in (None, 0, 1)]
    assert [line.partition(":")[0].rstrip("\xa0") for line in lines] == told


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", "Bruno and you share the victory with 3 points."),
        ("de", "Bruno und du teilt euch den Sieg mit 3 Punkten."),
        ("it", "Vincete insieme Bruno e tu con 3 punti."),
        ("fr", "Bruno et vous partagez la victoire avec 3 points."),
    ],
)
def test_a_list_with_the_reader_is_in_the_second_person(language: str, told: str):
    reading = Say(SHARED_FOLDER, language, NAMES).to_reader(2)
    assert reading.many(*SHARED, 3, names=reading.listing([reading.name(1), reading.name(2)])) == told


def test_you_has_a_capital_only_at_the_start_of_a_sentence():
    say = Say(SHARED_FOLDER, "en", NAMES, 0)
    told = say("{count} points. {name} and {other}: {name}", count=2, name=say.name(0), other=say.name(1))
    assert told == "2 points. You and Bruno: you"


def test_a_page_has_a_line_in_both_persons():
    line = with_seals(steals(LogSay.of(tavola.load("fairies"), "fr", ("<b>", "Bruno"))))
    assert "<bdi>&lt;b&gt;</bdi>" in line
    counts = [line.count(f'class="{person} of-{seat}"') for seat in (0, 1) for person in ("third", "second")]
    assert counts == [2, 2, 2, 1]
    assert '<span class="third of-0">vole</span><span class="second of-0">volez</span>' in line


def test_a_name_from_right_to_left_stays_apart_in_a_sentence():
    say = Say(SHARED_FOLDER, "en", ("דן", "Bruno"))
    told = say("{name} {name:thanks|thank} {hearer}.", name=say.name(0), hearer=say.name(1))
    assert told == f"{ISOLATE}דן{POP} thanks Bruno."
