"""Each ruling of the close readings is cited by a test beside the game; the contract looks for the paragraphs."""

import re
from pathlib import Path

import pytest

RULINGS = {
    "expedition": (26, 20),
    "fairies": (17, 16),
    "lifeboats": (14, 15),
    "tournament": (14, 21),
    "voyage": (16, 13),
}
"""Numbers of rulings by game: those of the close reading, and F1, F2 and so on, which were found later."""
CITED = re.compile(r"\b[Rr]ulings? ((?:F?\d+(?:, | and )?)+)")


@pytest.mark.parametrize("game", RULINGS)
def test_every_ruling_is_cited(game):
    tests = Path(__file__).with_name(game).glob("test_*.py")
    text = "\n".join(path.read_text(encoding="utf-8") for path in tests)
    read, found = RULINGS[game]
    numbers = {int(number) for cited in CITED.findall(text) for number in re.findall(r"(?<!F)\b\d+", cited)}
    assert set(range(1, read + 1)) <= numbers
    assert set(range(1, found + 1)) <= set(map(int, re.findall(r"\bF(\d+)\b", text)))
