"""What identifies a match: its game, the people in it, the round, what is asked and what happened last."""

from collections.abc import Sequence
from typing import NamedTuple

from tavola.live import Room
from tavola.show.cards import reminder, words_of
from tavola.show.speech import Say
from tavola.web.render import game_say, game_title

MOST_NAMES = 3
"""Maximum people that are named; of more, all but one are replaced by their number."""
MOST_MOMENTS_BACK = 12
"""Maximum public actions among which the last one with a sentence is searched: some only prepare the next."""


class Brief(NamedTuple):
    """A match in a few words, in one language, as a seat or a spectator sees it.

    `people`: those at the table except the reader, people before bots; `last`: what happened last, empty if nothing.
    """

    game: str
    people: str
    chapter: str
    question: str
    last: str


def brief_of(room: Room, language: str, say: Say, seat: int | None, reader: int | None) -> Brief:
    """Return a match in a few words as `seat` sees it; `reader`: the seat that is not named, and *you* in an event.

    Before it begins, that is its game and people. A message gives `seat` None: then it contains nothing that only
    the reader knows, but it asks what the reader has to decide.
    """
    game, people = room.state.game, named_people([room.names[other] for other in others_at(room, reader)], say)
    if room.state.match is None:
        return Brief(game_title(game, language), people, "", "", "")
    words, view, told = words_of(game), room.view(seat), game_say(game, language, tuple(room.names))
    asks = seat is None and reader is not None and reader in view.to_act
    question = reminder(room.view(reader), told) if asks else words.prompt(view, told)
    last = last_event(room, seat, told.to_reader(reader))
    return Brief(game_title(game, language), people, words.chapter(view, told), question, last)


def match_name(game: str, people: str, say: Say) -> str:
    """Return the name of a match in messages: its game and the others at the table."""
    return say("{game} with {people}", game=game, people=people)


def others_at(room: Room, reader: int | None) -> list[int]:
    """Return the taken seats except the reader's, people before bots."""
    taken = [seat for seat, place in enumerate(room.state.occupants) if seat != reader and not place.is_free]
    return sorted(taken, key=lambda seat: room.state.occupants[seat].person is None)


def named_people(names: Sequence[str], say: Say) -> str:
    """Return the names as a list; of many only the first, and how many more there are."""
    if len(names) <= MOST_NAMES:
        return say.listing(names)
    shown = names[: MOST_NAMES - 1]
    return say("{names} and {count} more", names=", ".join(shown), count=len(names) - len(shown))


def last_event(room: Room, seat: int | None, say: Say) -> str:
    """Return what happened last, as a seat (None: a spectator) saw it; empty if nothing has been said of it."""
    events, state = words_of(room.state.game).events, room.state
    for at in range(room.moments, max(0, room.moments - MOST_MOMENTS_BACK), -1):
        told = events(room.view(seat, at - 1), room.view(seat, at), state.heard_action(at, seat), say)
        if told:
            return told[-1]
    return ""
