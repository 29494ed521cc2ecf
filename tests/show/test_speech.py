"""Names and other texts from right to left in sentences from left to right."""

import pytest

from tavola.core.text import isolated
from tavola.show.speech import HOUSE, Say


@pytest.mark.parametrize("name", ["דנה", "محمد", "ދިވެހި", "Ada ש"])
def test_a_name_from_right_to_left_is_isolated_once(name):
    said = Say(HOUSE, "en")("{name} says {words}", name=name, words="3 or 4?")
    assert said == f"\u2068{name}\u2069 says 3 or 4?"
    assert isolated(said) == said
    assert Say(HOUSE, "de").listing([name, "Ada"]) == f"\u2068{name}\u2069 und Ada"
    assert Say(HOUSE, "fr").many("{name}", "{name}", 2, name=name) == f"\u2068{name}\u2069"


@pytest.mark.parametrize("name", ["Ada", "Zoë", "Ольга", "李雷", "🩷", "3"])
def test_other_names_stand_as_they_are(name):
    assert isolated(name) == name
