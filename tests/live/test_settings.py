"""A setting of a room is declared once: events, JSON, refusals and the guide follow from it."""

from pathlib import Path

import pytest

from tavola.live import BadSetting, Settings
from tavola.live.log.room_settings import SETTINGS, StateSettings, settings_body, settings_document

GUIDE = Path(__file__).parents[2] / "docs" / "programs.md"


def guide_table() -> str:
    rows = [f"| `{name}` | {values(name)} | {declared.help} |" for name, declared in SETTINGS.items()]
    return "\n".join(["| setting | values | |", "|---|---|---|", *rows])


def values(name: str) -> str:
    allowed = SETTINGS[name].allowed or SETTINGS[name].choices
    if isinstance(allowed, range):
        return f"{allowed[0]:,} to {allowed[-1]:,}"
    return ", ".join(f"`{str(value).lower()}`" for value in allowed)


def test_the_guide_has_every_setting_as_it_is_declared():
    assert guide_table() in GUIDE.read_text(encoding="utf-8")


def test_settings_are_written_and_read_again():
    given = Settings(public=False, patience=30, pace="calm", talk="aloud", window=15, bank=120, pace_chosen=False)
    assert Settings.of(settings_body(given)) == given
    assert settings_document(given).keys() == set(StateSettings.__struct_fields__)
    assert Settings.of({"public": True, "patience": 60, "host": {}}) == Settings(), "a log of old tells no more"


def test_logs_tell_settings_that_came_later_only_where_they_are_chosen():
    assert settings_body(Settings()).keys() == {"public", "patience", "pace", "pace_chosen", "talk", "window"}


@pytest.mark.parametrize("name", SETTINGS)
def test_what_a_setting_cannot_be_is_refused(name: str):
    for wrong in (-1, "hectic", None, 1.5, 10**9):
        with pytest.raises(BadSetting, match=f"{name}: choose "):
            Settings.of({name: wrong})


@pytest.mark.parametrize(("name", "declared"), SETTINGS.items())
def test_a_form_offers_what_a_setting_can_be(name, declared):
    for choice in declared.choices:
        declared.require(name, choice)
    assert declared.offered in declared.choices
