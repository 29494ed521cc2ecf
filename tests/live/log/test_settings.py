"""A setting of a room is declared once: events, JSON, refusals and the guide follow from it."""

import pytest

from scripts.documentation import GUIDE, settings_table, with_settings
from tavola.live import Settings
from tavola.live.log.room_settings import SETTINGS, StateSettings, settings_body, settings_document
from tavola.live.room_refusals import BadSetting


def test_the_guide_has_every_setting_as_it_is_declared():
    guide = GUIDE.read_text(encoding="utf-8")
    assert guide == with_settings(guide), "run python -m scripts.documentation"
    assert settings_table() in guide


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


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"pace": "hectic"}, "pace: choose one of calm, brisk"),
        ({"patience": True}, "patience: choose 0 to 604800 seconds"),
        ({"days": 2, "patience": 0}, "days: choose one of 0, 1, 3, 7$"),
        ({"days": 3}, "neither seconds per move nor a time to talk"),
        ({"bank": 3601}, "bank: choose 0 to 3600 seconds"),
        ({"bank": 60, "patience": 0}, "only when the time per move is limited"),
        ({"bank": 60, "patience": 0, "days": 3}, "the time bank of a correspondence game is in days"),
        ({"bank_days": 2}, "a time bank in days is possible only in a correspondence game"),
    ],
)
def test_what_settings_cannot_be_is_refused_with_what_they_can_be(fields, said):
    with pytest.raises(BadSetting, match=said):
        Settings(**fields)


@pytest.mark.parametrize(("name", "declared"), SETTINGS.items())
def test_a_form_offers_what_a_setting_can_be(name, declared):
    for choice in declared.choices:
        declared.require(name, choice)
    assert declared.offered in declared.choices
