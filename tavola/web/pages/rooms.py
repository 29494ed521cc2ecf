"""The pages and forms of a room. Everything works without scripts; scripts send the same forms over the socket."""

import contextlib
import re
import secrets
from functools import cache
from typing import Any

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response

from tavola.club.memory import Notes, OtherNotes
from tavola.core import Game, IllegalAction, Refusal
from tavola.core.match import Match
from tavola.core.text import mark
from tavola.live import Person, Room, protocol
from tavola.live.commands.require import require_host, require_seat
from tavola.live.log.occupants import FACES
from tavola.live.log.people import ALL_SPEAKERS, NOBODY, clean_name
from tavola.live.room_refusals import NotOver, NotPlaying
from tavola.show.board import scenery
from tavola.show.cards import picture_of, words_of
from tavola.show.pictures import touchable_codes
from tavola.show.speech import Say
from tavola.store import WriteFailed
from tavola.web.pages.account import ways_of
from tavola.web.pages.chronicle import record_text
from tavola.web.pages.mine import waiting_elsewhere
from tavola.web.pages.posters import poster_markup, preview_of
from tavola.web.pages.replay import is_remembered, note_seen, visit
from tavola.web.render import absolute_url, backdrop_url, game_line, game_say, game_title, qr_code, render_page
from tavola.web.requests.guard import client_network
from tavola.web.requests.request_refusals import Malformed
from tavola.web.requests.visitor import PLAYED_COOKIE, Visitor, set_cookie
from tavola.web.site import (
    BEGINNINGS,
    Fields,
    Routes,
    Site,
    command_id,
    default_pace,
    given_name,
    number_of,
    redirect,
    remember_name,
    text_of,
    visitor_of,
)
from tavola.web.site_words import explain_refusal, option_words, refusal_sentence, time_words
from tavola.web.table.fragments import Screen
from tavola.web.table.player_panels import FACE_WORDS
from tavola.web.table.turn import must_decide, plays_alone
from tavola.web.talk.chat import GESTURE_WORDS, SIGN
from tavola.web.talk.composing import ACT_WORDS, acts_of, draft, speech_document, spoken_language

UNSAFE_CHARACTERS = re.compile(r"[^A-Za-z0-9_-]+")
MOST_WHY_CODES = 12
NEVER_KEPT = {"Cache-Control": "no-store"}
routes = Routes()


@routes.get("/r/{code}")
async def room_page(request: Request, site: Site, room: Room, visitor: Visitor) -> Response:
    """Show the room as the visitor sees it now."""
    seat = room.state.seat_of(visitor.id)
    # Requests for link previews are not visits: they have neither a cookie nor a browser's headers.
    previewed = visitor.fresh and "sec-fetch-site" not in request.headers
    if not previewed:
        room.visit(visitor.id)
    if seat is None and room.state.phase == "gathering" and room.state.settings.public:
        site.hub.lobby.note_seeker(site.origin_of(request))
    since = {} if previewed else await visit(site, room, visitor, client_network(request))
    notes = await notes_shown(site, room, visitor)
    await site.prepare_screens(room, visitor.language)
    screen = site.screens_of(room).screen(visitor.language, seat, room.state.muted_by(visitor.id))
    room_link = absolute_url(request, f"/r/{room.id}")
    values: dict[str, Any] = {"room": room, "seat": seat, "screen": screen, "since": since, "notes": notes}
    values |= {
        "name": game_title(room.state.game, visitor.language),
        "mine": must_decide(room, visitor.id),
        "alone": plays_alone(room, seat),
        "now": round(site.hub.settings.clock() * 1000),
        "remembered": is_remembered(room, visitor),
        "waits": await waiting_elsewhere(site, room, visitor),
        "address": room_link,
        "preview": link_preview(request, room),
        "gestures": [(name, SIGN.format(name), visitor.say(words)) for name, words in GESTURE_WORDS.items()],
        "has_card": room.state.match is not None and words_of(room.state.game).summary_card is not None,
    }
    values["keeps"] = any(ways_of(request).values())
    values["learnable"] = words_of(room.state.game).minute is not None
    values["minute"] = f"/r/{room.id}/minute" if values["learnable"] and is_new_to(room, seat) else ""
    if room.state.match is None:
        hung = poster_markup(room.state.game, visitor.language)
        values |= {"options": chosen_options(room, visitor), "lobby_poster": hung, "qr": qr_code(room_link)}
        values["empty_board"] = None if hung else empty_board(room.state.game, visitor.language)
    else:
        values |= {"words": table_text(site, room, visitor), "tabs": tabs(room, screen, visitor.say, seat)}
    spoken = spoken_language(room, seat)
    values["has_ballots"] = spoken is not None and any(map(spoken.is_revealed, spoken.talk.kinds))
    values["acts"] = [(act, visitor.say(ACT_WORDS[act][0])) for act in acts_of(spoken)] if spoken is not None else []
    if seat is not None and room.state.phase == "playing":
        values["table_settings"] = Markup('<div data-place="pace">{}</div>').format(screen.fragments["pace"])
    response = render_page(request, "room.html", **values)
    if seat is not None and room.state.phase == "over":
        set_cookie(response, request, PLAYED_COOKIE, "yes")
        site.visitors.mark_good_standing(response, request, visitor.id)
    return response


def link_preview(request: Request, room: Room) -> dict[str, Any]:
    """Return what the preview of a link to a room shows: the game and its host, whatever happens in the room."""
    game, visitor, host = room.state.game, visitor_of(request), room.state.host.name
    name, picture = game_title(game, visitor.language), preview_of(game)
    invites = visitor.say("{name} invites you to play {game}", name=host, game=name)
    return {
        "og:site_name": "Tavola",
        "og:type": "website",
        "og:title": name if host == NOBODY else invites,
        "og:description": game_line(game, visitor.language),
        "og:url": absolute_url(request, f"/r/{room.id}"),
        "og:image": absolute_url(request, picture.path),
        "og:image:width": picture.width,
        "og:image:height": picture.height,
        "twitter:card": "summary_large_image",
    }


def is_new_to(room: Room, seat: int | None) -> bool:
    """Return whether the player of a seat has decided nothing yet in a running match."""
    match = room.state.match
    if seat is None or match is None or room.state.phase != "playing":
        return False
    return all(actor != seat for actor, _ in match.history)


def chosen_options(room: Room, visitor: Visitor) -> list[dict[str, str]]:
    """Return the time for a decision, and each option that differs from the recommended rules: title, value, effect."""
    say, time_limit = game_say(room.state.game, visitor.language), time_words(room.state.settings, visitor.say)
    chosen = [{"title": visitor.say("Time"), "value": time_limit, "explanation": ""}]
    for option in room.state.game.options.all:
        if room.state.options[option.name] == option.write(option.default):
            continue
        words = option_words(option, room.state.game, say, say)
        value = dict(words["options"])[room.state.options[option.name]]
        chosen.append({"title": words["title"], "value": value, "explanation": words["explanation"]})
    return chosen


def add_command(name: str, kind: type[protocol.Command]) -> None:
    """Add the handler of a form that executes a command and shows the room again, or the list that the form is in."""

    @routes.post(f"/r/{{code}}/{name}")
    async def execute(request: Request, site: Site, room: Room, visitor: Visitor, fields: Fields) -> Response:
        if issubclass(kind, protocol.Talk):
            site.count_line(request, room, visitor.id)
        try:
            command = protocol.from_form(kind, {**fields, "command_id": form_command(request, fields)})
            if isinstance(command, BEGINNINGS):
                await site.require_beginning(visitor)
            await room.execute(visitor.person, command)
        except IllegalAction as refusal:
            raise explain_refusal(refusal, room, visitor, fields.get("code", "")) from refusal
        if kind is protocol.Play and room.state.settings.days:
            await note_seen(site, room, visitor)
        return redirect("/mine" if request.query_params.get("then") == "mine" else f"/r/{room.id}")


def form_command(request: Request, fields: Fields) -> str:
    """Return the id of a form's command: the same for the same button of a decision, on whichever page."""
    if "prompt_id" not in fields or fields.get("command_id"):
        return command_id(request)
    named = (fields.get(name, "") for name in ("prompt_id", "code", "seat", "allow"))
    pressed = "-".join((*filter(None, named), *request.url.path.split("/")[3:]))
    return f"form-{UNSAFE_CHARACTERS.sub('-', pressed)}"[:64]


@routes.post("/r/{code}/join")
async def join_room(request: Request, site: Site, room: Room, visitor: Visitor, fields: Fields) -> Response:
    """Take a seat under a name and with a face, or change the face."""
    site.require_invited(request)
    name = await given_name(request, fields, visitor.display_name)
    seat = number_of(fields, "seat") if "seat" in fields else room.state.seat_of(visitor.id)
    command, origin = protocol.Join(command_id(request), seat), site.origin_of(request)
    face = text_of(fields, "face", visitor.face)
    if face not in ("", *FACES):
        raise Malformed
    await room.execute(Person(visitor.id, name, face), command, origin=origin)
    if room.state.settings.days:
        await site.club.keep_zone(visitor.id, text_of(fields, "zone", ""))
    response = remember_name(request, redirect(f"/r/{room.id}"), name)
    if face != visitor.face:
        set_cookie(response, request, "face", face)
    return response


@routes.get("/r/{code}/face")
async def room_faces(request: Request, room: Room) -> Response:
    """Show the faces to choose from to a player before the match."""
    return render_page(request, "faces.html", faces=FACE_WORDS, action=f"/r/{room.id}/join", back=f"/r/{room.id}")


@routes.post("/r/{code}/rematch")
async def rematch_room(request: Request, site: Site, room: Room, visitor: Visitor, fields: Fields) -> Response:
    """Open a room for a rematch; `level` changes that of its bots. A pace that was not chosen is the default."""
    await site.require_beginning(visitor)
    pace = "" if room.state.settings.pace_chosen else default_pace(request)
    await room.execute(visitor.person, protocol.Rematch(command_id(request), text_of(fields, "level", ""), pace))
    return redirect(f"/r/{room.state.next_room}")


@routes.get("/r/{code}/program")
async def program_page(request: Request, room: Room) -> Response:
    """Show the host how a program joins."""
    return show_program(request, room, "")


@routes.post("/r/{code}/program")
async def make_program(request: Request, site: Site, room: Room, visitor: Visitor, fields: Fields) -> Response:
    """Create the address at which a program of the host joins; return it as JSON if requested."""
    require_host(room.state, visitor.person)
    name = clean_name(text_of(fields, "name"))
    await site.club.require_free_name(name)
    token = site.visitors.sign("program", [room.id, secrets.token_hex(16), name])
    address = absolute_url(request, f"/r/{room.id}/socket?form=json&token={token}").replace("http", "ws", 1)
    if "application/json" in request.headers.get("accept", ""):
        return JSONResponse({"socket": address}, headers=NEVER_KEPT)
    return show_program(request, room, address)


def show_program(request: Request, room: Room, address: str) -> Response:
    """Show the page on which the host creates a program's address, with the address once created."""
    host = room.state.host.id == visitor_of(request).id
    return render_page(request, "program.html", room=room, address=address, host=host)


@routes.get("/r/{code}/words")
async def words_page(site: Site, room: Room, visitor: Visitor) -> Response:
    """Return the table as text, as the visitor sees it; an open page requests it again."""
    return PlainTextResponse(table_text(site, room, visitor), headers=NEVER_KEPT)


def table_text(site: Site, room: Room, visitor: Visitor) -> str:
    """Return the table as text, as a seat sees it."""
    view, words = room.state.view_for(visitor.id), words_of(room.state.game)
    return site.made_of("words", room, visitor, view.seat, lambda say: "\n".join(words.table(view, say)))


@routes.get("/r/{code}/record")
async def download_record(site: Site, room: Room) -> Response:
    """Return the record of a finished match, as a file."""
    if room.state.phase != "over":
        raise NotOver(mark("the game file can be downloaded when the match is over"))
    key, packed = ("record", room.id, tuple(room.names)), site.packed_match(room)
    record = await site.offload.page(key, room.id, record_text, packed)
    name = f"{room.state.game.name}-{room.id}.txt"
    return PlainTextResponse(record, headers={"Content-Disposition": f'attachment; filename="{name}"', **NEVER_KEPT})


@routes.get("/r/{code}/card")
async def summary_card_page(request: Request, room: Room, visitor: Visitor) -> Response:
    """Show the summary card: what the game lets players look up, their own secrets first."""
    sections = words_of(room.state.game).summary_card
    if room.state.match is None or sections is None:
        return redirect(f"/r/{room.id}")
    say = game_say(room.state.game, visitor.language, tuple(room.names))
    helps = sections(room.view(room.state.seat_of(visitor.id)), say)
    return render_page(request, "card.html", room=room, name=game_title(room.state.game, visitor.language), helps=helps)


@routes.get("/r/{code}/people")
async def people_page(request: Request, room: Room, visitor: Visitor) -> Response:
    """Show the people who have talked here, to mute them or to report them to the operator."""
    own, last = room.state.speakers.get(visitor.id), {line.speaker: line for line in room.state.chat_for(())}
    speakers = [line for number, line in sorted(last.items()) if number not in (own, ALL_SPEAKERS)]
    muted = room.state.muted_by(visitor.id)
    return render_page(request, "people.html", room=room, speakers=speakers, muted=muted, everybody=ALL_SPEAKERS)


@routes.get("/r/{code}/why")
async def why_page(request: Request, room: Room, visitor: Visitor) -> Response:
    """Show why actions are not allowed, each in one sentence, with the paragraph of the rules."""
    asked = request.query_params.get("code", "")[:400]
    if room.state.match is None:
        return redirect(f"/r/{room.id}")
    game, view = room.state.game, room.view(room.state.seat_of(visitor.id))
    say = game_say(game, visitor.language, tuple(room.names))
    answers: dict[str, str] = {}  # the first action of each reason
    for code in filter(None, asked.split("|")[:MOST_WHY_CODES]):
        try:
            number = game.actions.number(code)
        except IllegalAction as refusal:
            raise Malformed from refusal
        reason = words_of(game).refusal(view, number, say) or visitor.say("You can do that now.")
        answers.setdefault(reason, words_of(game).action(view, number, say))
    verbs: dict[str, list[tuple[str, str]]] = {}
    there = touchable_codes(view, say) if room.state.phase == "playing" else ()
    for number, action in enumerate(game.actions.by_number):
        if number not in view.legal and (code := game.actions.code(number)) in there:
            verbs.setdefault(action.verb, []).append((code, words_of(game).action(view, number, say)))
    told = [(label, reason) for reason, label in answers.items()]
    return render_page(request, "why.html", room=room, verbs=list(verbs.values()), asked=asked, answers=told)


COMMAND_FORMS: dict[str, type[protocol.Command]] = {
    "bot": protocol.AddBot,
    "fill": protocol.Fill,
    "remove": protocol.Remove,
    "swap": protocol.Swap,
    "start": protocol.Start,
    "ready": protocol.Ready,
    "leave": protocol.Leave,
    "back": protocol.ComeBack,
    "sit-out": protocol.SitOut,
    "undo": protocol.Undo,
    "allow-undo": protocol.AllowUndo,
    "nudge": protocol.Nudge,
    "go-on": protocol.GoOn,
    "say": protocol.Say,
    "gesture": protocol.Gesture,
    "speak": protocol.Speak,
    "note": protocol.Note,
    "mute": protocol.Mute,
    "report": protocol.Report,
    "play": protocol.Play,
    "pace": protocol.SetPace,
    "enough": protocol.Enough,
}
"""Paths below a room that take forms, and the commands with their fields."""
for name, kind in COMMAND_FORMS.items():
    add_command(name, kind)


def tabs(room: Room, screen: Screen, say: Say, seat: int | None) -> list[tuple[str, str]]:
    """Return the tabs beside the board: keys and labels."""
    kinds = {
        "log": (say("Log"), True),
        "talk": (say("Talk"), True),
        "side": (say("Strategy"), "side" in picture_of(room.state.game).boards),
        "notes": (say("Notes"), seat is not None),
        "words": (say("Text view"), True),
    }
    return [(key, label) for key, (label, there) in kinds.items() if there]


@cache
def empty_board(game: Game, language: str) -> Markup:
    """Return the main board of a game at the beginning of a match."""
    drawn = picture_of(game).boards["main"]
    shown = scenery(drawn, backdrop_url(game, drawn.backdrop)) if drawn.backdrop else Markup()
    shown += Markup("").join(picture_of(game).pieces(Match(game).view(), game_say(game, language))["main"].values())
    size = f"0 0 {drawn.size[0]} {drawn.size[1]}"
    picture = '<svg class="picture {}" viewBox="{}" preserveAspectRatio="xMidYMin slice" aria-hidden="true">{}</svg>'
    return Markup(f'<div class="board">{picture}</div>').format(game.name, size, shown)


@routes.post("/r/{code}/answer-ahead")
async def answer_ahead(request: Request, room: Room, visitor: Visitor, fields: Fields) -> Response:
    """Store an answer in advance, or delete it if empty: fields `place`, and `codes-0`, `codes-1` … in order.

    `unless-0` and `when-0` are what must not and what must happen first; `then-0`, `then-1` … are the choices after it.
    """
    lists = {
        name: tuple(value for field, value in sorted(fields.items()) if field.startswith(f"{name}-") and value)
        for name in ("codes", "unless", "when", "then")
    }
    place = {"place": fields["place"]} if "place" in fields else {}
    made = protocol.from_form(protocol.AnswerAhead, {"command_id": command_id(request), **place, **lists})
    await room.execute(visitor.person, made)
    return redirect(f"/r/{room.id}")


@routes.get("/r/{code}/speech")
async def speech(room: Room, visitor: Visitor) -> Response:
    """Return what the visitor's seat may say now."""
    return JSONResponse(speech_document(room, visitor), headers=NEVER_KEPT)


@routes.get("/r/{code}/draft")
async def draft_page(request: Request, room: Room, visitor: Visitor) -> Response:
    """Return a draft as a sentence with its token, or why it cannot be said."""
    command = protocol.from_form(protocol.Speak, {"command_id": "draft", **request.query_params})
    return JSONResponse(draft(room, visitor, command), headers=NEVER_KEPT)


async def notes_shown(site: Site, room: Room, visitor: Visitor) -> Notes:
    """Return a seated visitor's own notes; empty for others, or while they cannot be read."""
    if room.state.seat_of(visitor.id) is not None:
        with contextlib.suppress(WriteFailed):
            return await site.club.memory.notes(visitor.id, room.id)
    return Notes()


@routes.post("/r/{code}/notes")
async def keep_notes(request: Request, site: Site, room: Room, visitor: Visitor, fields: Fields) -> Response:
    """Store notes in place of those that were shown; return the new version as JSON to scripts."""
    scripted = "application/json" in request.headers.get("accept", "")
    try:
        if room.state.match is None:
            raise NotPlaying(mark("the match has not begun"))
        require_seat(room.state, visitor.person)
        version = number_of(fields, "version")
        made = await site.club.memory.write_notes(visitor.id, room.id, text_of(fields, "words"), version)
    except Refusal as refusal:
        if not scripted:
            raise
        said = {"kind": type(refusal).__name__, "sentence": refusal_sentence(refusal, visitor.say)}
        # If they were changed elsewhere, the current ones are sent with the refusal.
        there = (await notes_shown(site, room, visitor))._asdict() if isinstance(refusal, OtherNotes) else {}
        return JSONResponse({**said, **there}, refusal.status, NEVER_KEPT)
    return JSONResponse({"version": made}) if scripted else redirect(f"/r/{room.id}")
