"""The language of somebody of whom nothing is known but what a browser accepts."""

import pytest

from tavola.web.door.visitor import asked_language


@pytest.mark.parametrize(
    ("accepted", "language"),
    [
        ("", "en"),
        ("de", "de"),
        ("de-AT,de;q=0.9,en;q=0.8", "de"),
        ("de ; q=0.9 , it ; q=0.95", "it"),
        ("de\t;\tQ = 0.9, it;q=0.95", "it"),
        ("en;q=0.1, fr;q=0.2", "fr"),
        ("pt-BR, pt;q=0.9, fr;q=0.5", "fr"),
        ("zh-Hans-CN, it-IT;q=0.7", "it"),
        ("*", "en"),
        ("*;q=0.5, de", "de"),
        ("de;q=0.3, *;q=0.5", "en"),
        ("de;q=0, *", "en"),
        ("en;q=0, *", "it"),
        ("en;q=0.0, it;q=0, *;q=0.1", "fr"),
        ("en;q=0", "it"),
        ("en;q=0, it;q=0, fr;q=0, de;q=0", "en"),
        ("de-CH;q=0, de;q=0.5", "de"),
        ("it;q=nan, de;q=0.2", "de"),
        ("it;q=1e9, de;q=0.2", "de"),
        ("fr;q=1.000,de;q=1", "fr"),
        (",,;q=1,it;;q=2,de;q=0.4", "de"),
        ("xx," * 20 + "de;q=0.9", "de"),
    ],
)
def test_the_language_is_the_best_that_a_browser_accepts(accepted, language):
    assert asked_language("", accepted) == language


def test_a_language_that_was_chosen_comes_first():
    assert asked_language("a=b; language=fr", "de") == "fr"
