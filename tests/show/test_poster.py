"""Posters: documents of their own, with the title in every language and nothing that they do not hold."""

import re
from xml.etree import ElementTree

import pytest

from tavola import games
from tavola.show.poster import poster
from tavola.show.speech import LANGUAGES, Say

LARGEST = 220_000
"""Bytes of a poster without its typeface: a shelf shows five."""


@pytest.mark.parametrize("name", games.names())
def test_a_poster_stands_alone_and_is_titled_in_every_language(name):
    game, titles = games.load(name), set()
    for language in LANGUAGES:
        say = Say.of(game, language)
        drawn = str(poster(game, say))
        shown = ElementTree.fromstring(drawn)
        assert shown.attrib["viewBox"] == "0 0 800 1000"
        title = next(e for e in shown.iter() if e.attrib.get("class") == "poster-title").text
        assert title == say(game.title)
        titles.add(title)
        ids = set(re.findall(r'\sid="([^"]+)"', drawn))
        assert set(re.findall(r'(?:href="#|url\(#)([\w-]+)', drawn.split("</style>", 1)[1])) <= ids
        assert not re.search(r'(?:href|src)="(?!#)', drawn), "it asks for another file"
        assert len(drawn.encode()) < LARGEST
    assert len(titles) > 1
