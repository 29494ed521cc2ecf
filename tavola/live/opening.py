"""Codes of new rooms, and the first events of a room made from a record."""

import secrets

from tavola.core import BadRecord, read_record
from tavola.core.text import clean, shorten
from tavola.live.log.events import NewEvent, created_event
from tavola.live.log.people import LONGEST_NAME, Person
from tavola.live.log.room_settings import Settings
from tavola.talk import read_talk, record_text

LONGEST_RECORD = 262_144
"""Maximum characters of an imported record."""
CONSONANTS, VOWELS = "bdfgklmnprstvz", "aeiou"
"""Alphabet of codes, chosen to sound distinct when read aloud in syllables of three, as in `talvin`."""
SYLLABLES, PRIVATE_SYLLABLES = 2, 3
"""Syllables of a public and of a private room's code; the longer one is hard to guess."""


def draw_code(*, public: bool) -> str:
    """Return a random code that can be pronounced."""
    pattern = (CONSONANTS, VOWELS, CONSONANTS) * (SYLLABLES if public else PRIVATE_SYLLABLES)
    return "".join(map(secrets.choice, pattern))


def import_events(host: Person, text: str) -> list[NewEvent]:
    """Return the first events of a room for a record; raise `BadRecord` unless its match is complete."""
    if len(text) > LONGEST_RECORD:
        raise BadRecord(f"expected a record of at most {LONGEST_RECORD} characters, found {len(text)}")
    record = read_record(text)
    match = record.match()
    if not match.over:
        raise BadRecord("expected the record of a complete match, found one that is not over after its last action")
    talk = read_talk(text, match)
    names = [record.names[seat] if seat < len(record.names) else "" for seat in range(match.players)]
    titles = [shorten(clean(name), LONGEST_NAME) or f"P{seat + 1}" for seat, name in enumerate(names)]
    words = match.game.options.to_words(match.options)
    return [
        created_event(match.game, words, Settings(public=False, patience=0), host),
        ("imported", {"record": record_text(match.record(), talk), "names": titles}),
    ]
