"""A finished match, moment by moment, through the eyes of any seat. Every moment has an address."""

from functools import lru_cache

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from tavola.live import Room
from tavola.live.refusals import NotOver
from tavola.show.board import all_pieces
from tavola.show.speech import Say
from tavola.web.door.guard import Malformed
from tavola.web.door.visitor import site_say
from tavola.web.render import absolute_url, game_say, game_title, render_page
from tavola.web.sentences import too_soon_sentence
from tavola.web.site import room_of, visitor_of
from tavola.web.table.notes import guesses_at
from tavola.web.table.screen import event_sentences


async def replay_page(request: Request) -> Response:
    """One moment: `?at=K` after K actions, `as=SEAT` as that seat saw it."""
    room, visitor = await room_of(request), visitor_of(request)
    if room.state.phase != "over":
        raise NotOver("the match is not over: its replay would tell secrets")
    eyes = query_number(request, "as", len(room.seats) - 1)
    asked = query_number(request, "at", None)
    at = room.moments if asked is None else min(asked, room.moments)
    say, view = game_say(room.state.game, visitor.language, tuple(room.names)), room.view(eyes, at)
    log = replay_sentences(room, visitor.language, eyes, tuple(room.names))
    eyes_query = "" if eyes is None else f"&as={eyes}"
    here = f"/r/{room.id}/replay"
    return render_page(
        request,
        "replay.html",
        room=room,
        name=game_title(room.state.game, visitor.language),
        at=at,
        moments=room.moments,
        eyes=eyes,
        eyes_query=eyes_query,
        here=here,
        address=absolute_url(request, f"{here}?at={at}{eyes_query}"),
        players=list(enumerate(room.names)),
        steps=navigation(at, room.moments, visitor.say),
        happened=" ".join(sentence for place, sentence in log if place == at),
        log=log,
        pieces={board: {f"pieces-{board}": drawn.values()} for board, drawn in all_pieces(view, say).items()},
        words=room.state.game.words.table(view, say),
        guesses=guesses_at(room, view, at, say) if eyes == room.state.seat_of(visitor.id) else [],
    )


def navigation(at: int, moments: int, say: Say) -> list[tuple[str, int, str]]:
    """The buttons that move through the match."""
    return [
        ("first", 0, say("To the beginning")),
        ("prev", max(0, at - 1), say("One step back")),
        ("next", min(moments, at + 1), say("One step on")),
        ("last", moments, say("To the end")),
    ]


def query_number(request: Request, name: str, most: int | None) -> int | None:
    """A whole number from the address; None where it is left out."""
    text = request.query_params.get(name, "")
    if not text:
        return None
    if not (text.isascii() and text.isdecimal() and len(text) < 10) or (most is not None and int(text) > most):
        raise Malformed
    return int(text)


@lru_cache(maxsize=64)
def replay_sentences(room: Room, language: str, eyes: int | None, names: tuple[str, ...]) -> list[tuple[int, str]]:
    """Everything that happened, as a seat saw it: pairs of the moment reached and a sentence."""
    say, before, told = game_say(room.state.game, language, names), room.view(eyes, 0), []
    for moment in range(1, room.moments + 1):
        after = room.view(eyes, moment)
        early = [too_soon_sentence(say.name(seat), site_say(language)) for seat in room.state.early_seats(moment - 1)]
        sentences = early + event_sentences(before, after, room.state.heard_action(moment, eyes), say)
        told += [(moment, sentence) for sentence in sentences]
        before = after
    return told


ROUTES = [Route("/r/{code}/replay", replay_page)]
