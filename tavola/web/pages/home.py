"""The pages outside rooms: home page, new rooms, rules, tutorials, settings, import of records."""

import re
from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

from markupsafe import Markup
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, PlainTextResponse, Response

from tavola import games
from tavola.bots import LEVELS
from tavola.core import RULES, Game
from tavola.core.match import Match
from tavola.core.registry import find
from tavola.core.rng import random_below, stream
from tavola.live import Person, Room, Settings
from tavola.live.cluster.lobby import OpenRoom
from tavola.live.log.events import NewEvent
from tavola.live.log.occupants import FACES
from tavola.live.log.room_settings import SETTINGS
from tavola.live.protocol import AddBot, Fill
from tavola.show.cards import picture_of, words_of
from tavola.show.kit import SEAT_STYLE
from tavola.show.minute import minute_names, places_to_touch, step_boards
from tavola.show.pictures import backdrops
from tavola.show.speech import KNOWN_LANGUAGES, Say
from tavola.web.files import IMMUTABLE
from tavola.web.pages.chronicle import read_import
from tavola.web.pages.chronicle import rules_page as make_rules_page
from tavola.web.pages.mine import met_by, mine_page, running_rooms
from tavola.web.pages.posters import PREVIEW, poster_file, poster_markup, small_board
from tavola.web.render import fill_page, game_line, game_say, game_title, page_response, render_page, render_shared
from tavola.web.requests.request_refusals import Malformed, NoCookies
from tavola.web.requests.visitor import ON_OFF, THEMES, Visitor, set_cookie, site_say
from tavola.web.site import (
    COOKIE_CHECK,
    Fields,
    Routes,
    Site,
    command_id,
    default_pace,
    given_name,
    number_of,
    opening,
    redirect,
    remember_name,
    text_of,
    visitor_of,
)
from tavola.web.site_words import WEIGHT_NAMES, level_names, option_words
from tavola.web.table.player_panels import FACE_WORDS
from tavola.web.table.turn import must_decide

COOKIE_SETTINGS = {"theme": THEMES, "sound": ON_OFF, "language": KNOWN_LANGUAGES, "face": FACES}
MOST_OPEN_ROOMS = 20
THUMBNAIL_SEED, THUMBNAIL_ACTIONS = 4, 46
"""Seed and number of the random actions of a match that is drawn for the home page."""
CHECKED = {"Cache-Control": "no-cache"}
"""Header of files that browsers keep, but check before each use."""
GOOD_TURNS, MOST_TURNS = 25, 60
"""Decisions of a player up to which a match over days is recommended, and up to which it is possible."""
USUAL_DAYS = "3"
"""Days for a decision that the form of a match over days offers first."""
routes = Routes()


@routes.get("/", "/shelf")
async def home_page(request: Request, visitor: Visitor, site: Site) -> Response:
    """Show the home page; players of running correspondence matches see those first."""
    if request.url.path == "/" and await running_rooms(site, visitor):
        return await mine_page(request, visitor, site)
    site.hub.lobby.note_seeker(site.origin_of(request))
    rooms = tuple([table for table in site.hub.open_rooms() if table.game in games.names()][:MOST_OPEN_ROOMS])
    matches = await site.hub.persons.rooms_of(visitor.id)
    running = tuple(
        RunningMatch(room.id, room.state.game, must_decide(room, visitor.id), met_by(room, visitor)) for room in matches
    )
    shown = visitor.language, visitor.level, rooms, running
    page = site.offload.made(("home", *shown), lambda: make_home_page(*shown))
    return page_response(request, fill_page(request, page))


class RunningMatch(NamedTuple):
    """A running match of a visitor; `mine`: they must decide; `people`: the others at the table."""

    code: str
    game: Game
    mine: bool
    people: str


def make_home_page(language: str, level: str, rooms: Sequence[OpenRoom], running: Sequence[RunningMatch]) -> bytes:
    """Return the home page for all visitors with these matches; `level`: of the bots that they play against."""
    first = next((entry for entry in running if entry.mine), running[0] if running else None)
    others = [entry for entry in running if entry is not first]
    return render_shared(
        language,
        "home.html",
        shelf=[game_entry(games.load(name), language) for name in games.names()],
        rooms=[{**table._asdict(), "game": games.load(table.game)} for table in rooms],
        resume=first and running_entry(first, language),
        others=[running_entry(entry, language) for entry in others],
        levels=LEVELS,
        level_names=level_names(site_say(language)),
        level=level,
    )


def running_entry(running: RunningMatch, language: str) -> dict[str, Any]:
    """Return what the home page shows of the visitor's running match."""
    game = running.game
    return running._asdict() | {"title": game_title(game, language), "poster": poster_markup(game, language)}


@cache
def game_entry(game: Game, language: str) -> dict[str, Any]:
    """Return what the home page shows of a game: its poster or a thumbnail, and texts."""
    say, words = game_say(game, language), words_of(game)
    shelf = words.shelf(say) if words.shelf is not None else None
    return {
        "game": game,
        "title": game_title(game, language),
        "about": game_line(game, language),
        "shelf": shelf,
        "weight": site_say(language)(WEIGHT_NAMES[shelf.weight]) if shelf is not None else "",
        "picture": poster_markup(game, language) or thumbnail(game, language),
    }


def thumbnail(game: Game, language: str) -> Markup:
    """Return a small picture of a running match. Its ids are unique, as a page may show several."""
    match, rng = Match(game, seed=THUMBNAIL_SEED), stream(THUMBNAIL_SEED)
    for _ in range(THUMBNAIL_ACTIONS):
        if not match.over:
            seat = match.to_act[0]
            legal = match.legal_numbers(seat)
            match.play(legal[random_below(rng, len(legal))], seat)
    return small_board(match.view(), game_say(game, language), f"shelf-{game.name}")


@routes.get("/seats.css")
async def seat_style() -> Response:
    """Return the style of the seats: a seat's class gives everything inside it the seat's paint."""
    return PlainTextResponse(SEAT_STYLE, media_type="text/css", headers=CHECKED)


@routes.get("/games/{name}/style.css")
async def game_style(game: Game) -> Response:
    """Return the style of a game's picture."""
    return PlainTextResponse(picture_of(game).style, media_type="text/css", headers=CHECKED)


@routes.get("/games/{name}/sounds.json")
async def game_sounds(game: Game) -> Response:
    """Return the sounds of a game, by name: parts to be synthesised."""
    parts = {name: [part._asdict() for part in sound] for name, sound in picture_of(game).sounds.items()}
    return JSONResponse(parts, headers=CHECKED)


@routes.get("/games/{name}/picture/{file}")
async def scenery_file(request: Request, game: Game) -> Response:
    """Return the scenery of a board. Its address changes with it, so it may be cached for ever."""
    if (path := backdrops(game).get(request.path_params["file"])) is None:
        raise HTTPException(404)
    return FileResponse(path, media_type="image/svg+xml", headers=IMMUTABLE)


@routes.get("/games/{name}/poster/{language}.svg")
async def poster_page(request: Request, game: Game) -> Response:
    """Return a poster; its address changes with it."""
    language = request.path_params["language"]
    made = poster_file(game, language) if language in KNOWN_LANGUAGES else b""
    if not made:
        raise HTTPException(404)
    return Response(made, media_type="image/svg+xml", headers=IMMUTABLE)


@routes.get("/games/{name}/preview.jpg")
async def preview_page(game: Game) -> Response:
    """Return a game's picture for previews; its address changes with it."""
    file = game.folder / PREVIEW
    if not file.exists():
        raise HTTPException(404)
    # Some messengers show the picture on a page of their own.
    headers = {**IMMUTABLE, "Cross-Origin-Resource-Policy": "cross-origin"}
    return FileResponse(file, media_type="image/jpeg", headers=headers)


@routes.get("/games/{name}/new")
async def new_room_page(request: Request, site: Site, visitor: Visitor, game: Game) -> Response:
    """Show the form for a new room."""
    say, words = game_say(game, visitor.language), words_of(game)
    players, *others = game.options.all
    shelf, (fewest, most) = words.shelf and words.shelf(say), game.players
    minutes = {n: shelf.minutes_for(n, fewest, most) for n in range(fewest, most + 1)} if shelf else {}
    return render_page(
        request,
        "new.html",
        game=game,
        name=game_title(game, visitor.language),
        players=players.default,
        minutes=minutes,
        over_days=over_days(game, visitor.language),
        usual_days=USUAL_DAYS,
        when="days" if request.query_params.get("when") == "days" else "live",
        poster=poster_markup(game, visitor.language),
        options=[option_words(option, game, say, visitor.say) for option in others],
        rules_names={"recommended": visitor.say("Recommended"), "letter": visitor.say("Strictly by the rulebook")},
        levels=site.hub.settings.levels,
        level_names=level_names(visitor.say, site.hub.settings.levels),
        room_settings=[setting_field(name, visitor.say, default_pace(request)) for name in SETTINGS],
    )


def over_days(game: Game, language: str) -> dict[str, Any]:
    """Return what the form says of a match over days: how often a player decides, and what makes it shorter.

    `fits`: `good`, `long` or `unfit`, with the usual number of players; empty if that has not been counted.
    """
    say, words, (fewest, most) = game_say(game, language), words_of(game), game.players
    shelf, usual = words.shelf and words.shelf(say), game.options.all[0].default
    if not shelf or not shelf.turns:
        return {"turns": {}, "usual": 0, "fits": "", "shorter": ""}
    turns, shorter = {n: shelf.turns_for(n, fewest) for n in range(fewest, most + 1)}, ""
    if shelf.shorter is not None:
        title, _ = words.option(shelf.shorter.option, say)
        shorter = say.labelled(title, words.value(shelf.shorter.option, shelf.shorter.value, say))
    fits = "good" if turns[usual] <= GOOD_TURNS else "long" if turns[usual] <= MOST_TURNS else "unfit"
    return {"turns": turns, "usual": usual, "fits": fits, "shorter": shorter, "fewer": shelf.shorter}


def setting_field(name: str, say: Say, pace: str) -> dict[str, Any]:
    """Return what the form of a room shows of a setting; `pace`: the one offered to the visitor."""
    declared = SETTINGS[name]
    offered = pace if name == "pace" else declared.offered
    return {
        "name": name,
        "label": say(declared.label),
        "form": declared.form,
        "shown": declared.shown,
        "options": [(_written(each), declared.words(each, say), each == offered) for each in declared.choices],
    }


def settings_of(fields: Fields, pace: str) -> Settings:
    """Return the settings that a form asks for; `pace`: the one offered to the visitor."""
    given = {name: _setting_in(fields, name, declared.offered) for name, declared in SETTINGS.items()}
    given["pace"] = text_of(fields, "pace", pace)
    if text_of(fields, "when", "days") != "days":
        given |= {name: declared.offered for name, declared in SETTINGS.items() if declared.shown == "days"}
    if given["days"]:
        given |= {name: 0 for name, each in SETTINGS.items() if each.shown == "live" and isinstance(each.offered, int)}
    if not given["patience"]:
        given["bank"] = 0
    return Settings(**given, pace_chosen=given["pace"] != pace)


def _setting_in(fields: Fields, name: str, offered: Any) -> Any:
    if isinstance(offered, bool):
        return text_of(fields, name, _written(offered)) == "yes"
    return (number_of if isinstance(offered, int) else text_of)(fields, name, _written(offered))


def _written(value: object) -> str:
    return str(value) if not isinstance(value, bool) else "yes" if value else "no"


@routes.post("/rooms")
async def create_room(request: Request, site: Site, visitor: Visitor, fields: Fields) -> Response:
    """Create a room as the form says, with its bots."""
    await site.count_room(request)
    game, name = games.load(text_of(fields, "game")), await given_name(request, fields, visitor.display_name)
    rules = text_of(fields, "rules", RULES[0])
    given = {key.removeprefix("option-"): text_of(fields, key) for key in fields if key.startswith("option-")}
    options = {name: value for name, value in given.items() if value}  # an empty one keeps the value of `rules`
    settings = settings_of(fields, default_pace(request))
    level, bots = level_of(site, visitor, fields), number_of(fields, "bots", "0")
    person = Person(visitor.id, name, visitor.face)
    game.options.array(options, rules)
    once = await opening(request, public=settings.public)
    room = await site.hub.create(person, game.name, options, settings, rules, site.origin_of(request), **once)
    if settings.days:
        await site.club.keep_zone(visitor.id, text_of(fields, "zone", ""))
    # Each bot is seated only once, even if the form is sent twice.
    free = [seat for seat, chair in enumerate(room.seats) if chair.person is None and chair.level is None]
    for number, seat in enumerate(free[:bots]):
        await room.execute(person, AddBot(f"{command_id(request)}-{number}", level, seat))
    return show_opened(request, room, name, level)


@routes.post("/quick")
async def quick_match(request: Request, site: Site, visitor: Visitor, fields: Fields) -> Response:
    """Create a private room, fill all other seats with bots, and start."""
    await site.count_room(request)
    game, level = games.load(text_of(fields, "game")), level_of(site, visitor, fields)
    settings = Settings(public=False, patience=0, pace=default_pace(request), pace_chosen=False)
    once = await opening(request, public=False)
    room = await site.hub.create(visitor.person, game.name, {}, settings, maker=site.origin_of(request), **once)
    await room.execute(visitor.person, Fill(f"{command_id(request)}-fill", level))
    return show_opened(request, room, visitor.name, level)


def level_of(site: Site, visitor: Visitor, fields: Fields) -> str:
    """Return the level of bots in a form, by default the visitor's; raise `Malformed` if it does not exist."""
    if (level := text_of(fields, "level", visitor.level)) not in site.hub.settings.levels:
        raise Malformed
    return level


def show_opened(request: Request, room: Room, name: str, level: str) -> Response:
    """Redirect to a room that was opened; store the visitor's name and the level of the bots for the next one."""
    return set_cookie(remember_name(request, redirect(f"/r/{room.id}"), name), request, "level", level)


@routes.post("/join")
async def join_by_code(request: Request, site: Site, fields: Fields) -> Response:
    """Redirect to the room with a code."""
    room = await site.find_room(request, text_of(fields, "code"))
    return redirect(f"/r/{room.id}")


@routes.post("/import")
async def import_record(request: Request, site: Site, visitor: Visitor, fields: Fields) -> Response:
    """Open a record from a form as a replay."""
    await site.count_room(request)
    text = text_of(fields, "file", "") or text_of(fields, "text", "")

    async def read(host: Person, text: str) -> list[NewEvent]:
        return await site.offload.run(visitor.id, read_import, host, text, site.hub.readiness.waiting)

    once = await opening(request, public=False)
    room = await site.hub.import_record(visitor.person, text, read, site.origin_of(request), **once)
    return redirect(f"/r/{room.id}/replay")


@routes.post("/settings")
async def save_settings(request: Request, fields: Fields) -> Response:
    """Store language, appearance, sound, face and name in cookies."""
    response = redirect(own_path(text_of(fields, "back", "/")))
    if "name" in fields:
        remember_name(request, response, await given_name(request, fields))
    for name, values in COOKIE_SETTINGS.items():
        if name in fields:
            if fields[name] not in values:
                raise Malformed
            set_cookie(response, request, name, fields[name])
    return response


def own_path(asked: str) -> str:
    """Return an address on this site, or that of the home page if it is elsewhere."""
    return asked if re.match(r"/(?![/\\])", asked) else "/"


@routes.get("/faces")
async def faces_page(request: Request) -> Response:
    """Show the faces to choose from; `back`: where to go then."""
    back = own_path(request.query_params.get("back", "/"))
    return render_page(request, "faces.html", faces=FACE_WORDS, action="/settings", back=back)


@routes.get("/language/{language}")
async def choose_language(request: Request) -> Response:
    """Set the language in the address: the way to a draft, which no menu offers."""
    language = request.path_params["language"]
    if language not in KNOWN_LANGUAGES:
        raise HTTPException(404)
    return set_cookie(redirect("/"), request, "language", language)


@routes.get(COOKIE_CHECK + "{path:path}")
async def check_cookies(request: Request) -> Response:
    """Continue to where a form leads; raise `NoCookies` if the browser sends none."""
    if not request.cookies:
        raise NoCookies
    return redirect(own_path(request.path_params["path"]))


@routes.get("/games/{name}/rules")
async def rules_page(request: Request, site: Site, visitor: Visitor) -> Response:
    """Show the rules as implemented, also of an earlier version (`NAME@1`), with an anchor for every paragraph."""
    game = find(request.path_params["name"])
    told = game.reference, visitor.language
    page = await site.offload.page(("rules", *told), game.name, make_rules_page, *told)
    return page_response(request, fill_page(request, page))


@cache
def minute_steps(game: Game, language: str) -> list[dict[str, Any]]:
    """Return the steps of a tutorial: sentences, boards with their pieces, and ids of the places to highlight."""
    if (minute := words_of(game).minute) is None:
        return []
    say = game_say(game, language, minute_names(game, site_say(language)("You")))
    steps = []
    for step in minute.steps:
        boards = {board: pieces for board, pieces in step_boards(game, step, say).items() if board in ("main", "hand")}
        places = " ".join(f"{board}:{name}" for board, name in places_to_touch(game, step, say))
        steps.append({"asks": say(step.asks), "told": say(step.told), "boards": boards, "places": places})
    return steps


@routes.get("/games/{name}/minute")
async def minute_page(request: Request, game: Game) -> Response:
    """Show a game's tutorial, which leads to a match or back to the home page."""
    return _tutorial(request, game, "")


@routes.get("/r/{code}/minute")
async def room_minute_page(request: Request, room: Room, visitor: Visitor) -> Response:
    """Show the tutorial to a player at a table; their time per move starts when they return."""
    if (seat := room.state.seat_of(visitor.id)) is not None:
        room.caretaker.begin_lesson(seat)
    return _tutorial(request, room.state.game, room.id)


def _tutorial(request: Request, game: Game, code: str) -> Response:
    language = visitor_of(request).language
    if not (steps := minute_steps(game, language)):
        raise HTTPException(404)
    return render_page(request, "minute.html", game=game, name=game_title(game, language), steps=steps, code=code)
