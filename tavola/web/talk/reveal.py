"""The pictures in which words are kept or broken, once the votes have been turned: seals first, then cracks."""

from collections.abc import Sequence
from dataclasses import replace

from tavola.core import Moment
from tavola.live import Room
from tavola.live.voices import Voiced, line, voices
from tavola.show.board import Frame
from tavola.show.cards import picture_of
from tavola.show.speech import Say, mark
from tavola.talk import Said, Teller, reveal_at
from tavola.web.door.visitor import site_say
from tavola.web.table.player_panels import PlayerPanel, panel_markup
from tavola.web.table.scenes import SceneFrame, pieces_by_list
from tavola.web.talk.words_given import words_at_seats

COMMENTED = mark("{verdict} “{words}”")
"""What became of a word, and what its speaker has to say of it."""


def insert_reveal(
    room: Room,
    chairs: Sequence[PlayerPanel],
    at: int,
    say: Say,
    pictures: list[SceneFrame],
    shown: Sequence[Frame],
) -> None:
    """Put what action number `at` tells of words behind the votes, which come first; else behind what happened.

    `shown`: the game's frames of that action, the last ones of `pictures`.
    """
    frames = reveal_frames(room, chairs, room.state.moment_at(at), say)
    if not frames:
        return
    opened = next((at for at, frame in enumerate(shown, 1) if frame.minimum), 0)
    if not opened:
        view = room.view(None, at)
        drawn = pieces_by_list("pieces", view, picture_of(view.game).pieces(view, say))
        frames = [replace(frame, lists={**drawn, **frame.lists}) for frame in frames]
    place = len(pictures) - len(shown) + opened if opened else len(pictures)
    pictures[place:place] = frames


def reveal_frames(room: Room, chairs: Sequence[PlayerPanel], moment: Moment, say: Say) -> list[SceneFrame]:
    """Return the pictures of the words that were judged at a moment, at the seats as they were shown before."""
    talk = room.state.talk
    if talk is None or not chairs:
        return []
    reveal, found = reveal_at(talk, moment), list[SceneFrame]()
    lengths, tell = reveal.milliseconds(room.state.settings.pace), Teller(talk.language, say)
    for words, lasts, untold in zip((reveal.kept, reveal.broken), lengths, (reveal.broken, ()), strict=True):
        if not words:
            continue
        at_seats = words_at_seats(room, say, None, until=moment, untold={said.number for said in untold})
        gestures = {said.statement.speaker: "kept" if words is reveal.kept else "broke" for said in words}
        panels = [
            chair._replace(words=at_seats.get(chair.number, ""), gesture=gestures.get(chair.number, ""))
            for chair in chairs
        ]
        shown = {f"player-{chair.number}": panel_markup(chair, say.language) for chair in panels}
        told = (
            _verdict(room, words[0], tell, say) if len(words) == 1 or words is reveal.broken else _together(words, say)
        )
        found.append(SceneFrame({"players": shown}, lasts, told=told))
    return found


def _verdict(room: Room, said: Said, tell: Teller, say: Say) -> str:
    """Return what became of one word, and what a bot has to say of it, where all have heard it."""
    assert room.state.talk is not None
    spoken = line(voices(room.state).get(said.number, Voiced()).judged, say)
    verdict = tell.verdict(said, room.state.talk)
    return site_say(say.language)(COMMENTED, verdict=verdict, words=spoken) if spoken else verdict


def _together(words: Sequence[Said], say: Say) -> str:
    """Return one line for several words that were kept."""
    names = dict.fromkeys(say.name(said.statement.speaker) for said in words)
    return site_say(say.language).many(
        "{names} keeps the word given.", "{names} keep the words given.", len(names), names=say.listing(list(names))
    )
