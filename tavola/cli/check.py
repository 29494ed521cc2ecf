"""`tavola check GAME`: test every promise of a game, on random matches too, the cheap ones first."""

import asyncio
import itertools
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import ExitStack, asynccontextmanager, closing
from dataclasses import dataclass, field
from html import unescape
from http.cookies import SimpleCookie
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn
from urllib.parse import urlencode

import click
from numba.core.errors import NumbaError

from tavola.cli.parameters import FILE, game_argument, parse_entry
from tavola.contract.folder import FOLDER_CHECKS, TEXT_CHECKS, is_without_tests
from tavola.contract.golden import write_goldens
from tavola.contract.positions import positions_lead_to_an_end
from tavola.contract.processes import compiled_and_uncompiled_agree
from tavola.contract.promises import EVERY_CHECK, SampleSettings, matches_end, run_check, try_positions
from tavola.contract.redeals import redeals_are_as_likely_as_the_worlds
from tavola.contract.rulesets import earlier_rules_keep_the_promises, write_kept_matches
from tavola.contract.samples import Breach, expect
from tavola.contract.sheet import write_sheet
from tavola.contract.words import catalogues_are_complete
from tavola.core import CHANCE, Game, stream
from tavola.core.compilation import UNCOMPILED, interpret, is_interpreted, use_machine_code
from tavola.core.match import Match
from tavola.games import load, names
from tavola.rl import Batch
from tavola.show.cards import picture_of
from tavola.show.speech import LANGUAGES

if TYPE_CHECKING:
    from rich.progress import Progress
    from starlette.datastructures import Headers

    from tavola.live import Hub

HOST = "localhost"
BUTTON = re.compile(r'name="prompt_id" value="(\d+)"|<button name="code" value="([^"]*)"')
PLAYED = 12
"""Number of times that the test player looks at the room and plays if possible."""
SECONDS = 120
WORLDS = 2_000
BOTS = ("random", "greedy", "search:4" if UNCOMPILED else "search:40")
Promise = Callable[..., None]
WATCH_INTERVAL = 500
"""Milliseconds between two chances to interrupt `--watch` while no file changes."""


def bots_can_play(game: Game) -> None:
    """Every level of bot plays a match to its end, and the same view gives the same choice."""
    from tavola.cli.play import chance_action

    for level in BOTS:
        match, bot, rng = Match(game), parse_entry(level).bot(1), stream(1)
        while not match.over:
            if CHANCE in match.to_act:
                match.play(chance_action(match, 1))
                continue
            seat = match.actor(rng)
            number = bot.choose(match.view(seat))
            if number != bot.choose(match.view(seat)):
                raise Breach(f"{level} chooses another action for the same view: expected the same one")
            match.play(number, seat)


def pages_can_be_shown(game: Game) -> None:
    """The home page, the form of a new room, the waiting room and a match are shown in every language.

    To players and spectators; the site runs in this process without a port.
    """
    if game.name not in names():  # a game that is not installed has no pages
        return
    with ExitStack() as interpreted:  # the other games on the home page need not be compiled
        for folder in (load(name).source_folder for name in names() if name != game.name):
            if not is_interpreted(folder):
                interpret(folder)
                interpreted.callback(use_machine_code, folder)
        asyncio.run(asyncio.wait_for(_show_pages(game), SECONDS))


async def _show_pages(game: Game) -> None:
    from tavola.live import Hub, HubSettings  # a slow import that `--help` does not need
    from tavola.store import open_store
    from tavola.web import application
    from tavola.web.requests.limits import UNHURRIED

    with tempfile.TemporaryDirectory() as folder, closing(open_store(Path(folder) / "tavola.sqlite")) as store:

        @asynccontextmanager
        async def opening() -> AsyncIterator["Hub"]:
            hub = await Hub.open(store, HubSettings(bot_pause=0.0, bot_stay=0.0, level="random", scenes=False))
            try:
                yield hub
            finally:
                await hub.close()

        app = application(opening, store.signing_key(), UNHURRIED)
        async with app.router.lifespan_context(app):
            await _visit(game, app)


async def _visit(game: Game, app: Any) -> None:
    """Let one person open a room, fill it with bots and play, while another watches."""
    ada, watcher = Visitor(app), Visitor(app)
    for language in LANGUAGES:
        for path in ("/", f"/games/{game.name}/new", f"/games/{game.name}/rules"):
            page = await ada.get(path, language)
            listed = path != "/" or f"/games/{game.name}/" in page
            expect(listed, f"the home page in {language} does not list {game.name}: expected a link to it")
    room = await ada.post("/rooms", game=game.name, name="Ada", patience="0")
    for language in LANGUAGES:
        for visitor in (ada, watcher):
            await visitor.get(room, language)
    await ada.post(f"{room}/fill", level="random")
    for played in range(PLAYED):
        await watcher.get(room, list(LANGUAGES)[played % len(LANGUAGES)])
        found = BUTTON.findall(await ada.get(room))
        prompts, codes = [prompt for prompt, _ in found if prompt], [unescape(code) for _, code in found if code]
        if codes:
            await ada.post(f"{room}/play", prompt_id=prompts[0], code=codes[played % len(codes)])
        await asyncio.sleep(0.02)  # bots are next


class Visitor:
    """A browser without JavaScript that requests pages from the site in this process."""

    def __init__(self, app: Any) -> None:
        self.app, self.cookies = app, SimpleCookie()

    async def get(self, path: str, language: str = "en") -> str:
        """Return the page; raise `Breach` unless the status is 200."""
        status, _, body = await self._ask("GET", path, language=language)
        expect(status == 200, f"{path} in {language} returns status {status}: expected a page")
        return body

    async def post(self, path: str, **fields: str) -> str:
        """Send a form and return the address it leads to, `path` after a refusal: in barter a bot can be faster."""
        status, headers, body = await self._ask("POST", path, urlencode(fields).encode())
        expect(status < 500, f"{path} returns status {status}: expected a page, found {body[:200]}")
        return headers.get("location", path)

    async def _ask(self, method: str, path: str, body: bytes = b"", language: str = "en") -> tuple[int, "Headers", str]:
        from starlette.datastructures import Headers

        sent: list[dict[str, Any]] = []
        asked = [{"type": "http.request", "body": body, "more_body": False}]

        async def receive() -> dict[str, Any]:
            return asked.pop() if asked else {"type": "http.disconnect"}

        async def send(message: dict[str, Any]) -> None:
            sent.append(message)

        try:
            await self.app(self._scope(method, path, language), receive, send)
        except Exception as error:
            raise Breach(f"{method} {path} in {language} fails: {type(error).__name__}: {error}") from error
        headers = Headers(scope=sent[0])
        for cookie in headers.getlist("set-cookie"):
            self.cookies.load(cookie)
        whole = b"".join(message.get("body", b"") for message in sent[1:])
        return sent[0]["status"], headers, whole.decode(errors="replace")

    def _scope(self, method: str, path: str, language: str) -> dict[str, Any]:
        headers = {
            "host": HOST,
            "origin": f"http://{HOST}",
            "accept": "text/html",
            "accept-language": language,
            "cookie": "; ".join(f"{name}={cookie.coded_value}" for name, cookie in self.cookies.items()),
            "content-type": "application/x-www-form-urlencoded",
        }
        return {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": method,
            "scheme": "http",
            "path": path,
            "query_string": b"",
            "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
            "client": ("127.0.0.1", 1),
            "server": (HOST, 80),
        }


def steps_compile_for_a_gpu(game: Game) -> None:
    """A GPU can run rules and heuristics: they make no arrays. Kept where the extra `gpu` is not installed."""
    if find_spec("numba_cuda") is None or find_spec("nvidia") is None or find_spec("nvidia.cu13") is None:
        return
    try:
        Batch(game, n=1, opponents="greedy", threads=1).compile_for_gpu()
    except NumbaError as error:
        reason = next(line for line in reversed(str(error).splitlines()) if line.strip())
        raise Breach(f"{game.name} does not compile for a GPU: expected rules that make no arrays: {reason}") from error


BEFORE: tuple[Callable[[Game], None], ...] = (*TEXT_CHECKS, matches_end)
AFTER: tuple[Callable[[Game], None], ...] = (
    *FOLDER_CHECKS,
    pages_can_be_shown,
    bots_can_play,
    positions_lead_to_an_end,
    redeals_are_as_likely_as_the_worlds,
    earlier_rules_keep_the_promises,
)
ELSEWHERE: tuple[Callable[[Game], None], ...] = () if UNCOMPILED else (compiled_and_uncompiled_agree,)
"""Promises that need the compiler; left out if the rules run uncompiled."""
ALONE: tuple[Callable[[Game], None], ...] = () if UNCOMPILED else (steps_compile_for_a_gpu,)
"""Promises that take long for a game, which the tests therefore try in one game, and in all only when they soak."""
PROMISES: tuple[Promise, ...] = (
    *BEFORE, *EVERY_CHECK, *AFTER, compiled_and_uncompiled_agree, steps_compile_for_a_gpu,
)  # fmt: skip
NOT_COMPILED = "; it ran uncompiled: check it without NUMBA_DISABLE_JIT too"
MAY_FOLLOW = (catalogues_are_complete,)
"""Promises that a game in development can keep later."""


@dataclass
class Trial:
    """Selection of promises to test, and the findings: broken promises, and missing translations."""

    worlds: int = WORLDS
    seed: int = 1
    strict: bool = True
    only: Sequence[str] = ()
    """Parts of the names of promises; empty for all."""
    keep_going: bool = False
    broken: list[Breach] = field(default_factory=list)
    missing: list[Breach] = field(default_factory=list)

    def select(self, promises: Sequence[Promise]) -> list[Promise]:
        return [each for each in promises if not self.only or any(word in promise_name(each) for word in self.only)]

    def note_breach(self, breach: Breach) -> None:
        """Note a breach; raise it unless the trial keeps going."""
        if not self.keep_going:
            raise breach
        self.broken.append(breach)


def promise_name(promise: Promise) -> str:
    """Return the name of a promise as words."""
    return promise.__name__.replace("_", " ")


def _only_words(ctx: click.Context, parameter: click.Parameter, only: tuple[str, ...]) -> tuple[str, ...]:
    """Return parts of names with blanks for underscores; refuse a part that no promise has."""
    words = tuple(word.replace("_", " ").lower() for word in only)
    for word in words:
        if not any(word in promise_name(promise) for promise in PROMISES):
            raise click.BadParameter(f"{word!r}: expected part of a promise's name; --list shows them all")
    return words


def _print_promises(ctx: click.Context, parameter: click.Parameter, asked: bool) -> None:
    if asked:
        for promise in PROMISES:
            click.echo(f"{promise_name(promise)}\n    {(promise.__doc__ or '').splitlines()[0]}")
        ctx.exit()


@click.command(short_help="Test every promise of a game.")
@game_argument
@click.option("--worlds", type=click.IntRange(1), default=WORLDS, help="Number of positions to test.")
@click.option("--seed", type=int, default=1, help="Seed of the random matches.")
@click.option(
    "--only", metavar="NAME", multiple=True, callback=_only_words, help="Test only promises with NAME in their names."
)
@click.option("--keep-going", is_flag=True, help="Continue after a broken promise.")
@click.option("--watch", is_flag=True, help="Test again whenever a file of the game changes.")
@click.option(
    "--list", is_flag=True, is_eager=True, expose_value=False, callback=_print_promises, help="List all promises."
)
@click.option("--strict", is_flag=True, help="Treat a missing translation as a broken promise.")
@click.option("--write-golden", is_flag=True, help="Write the golden files from the game as it is now, then test.")
@click.option("--sheet", metavar="FILE", type=FILE, help="Draw all boards of the game on one page, and test nothing.")
@click.pass_context
def command(
    ctx: click.Context, /, game: Game, watch: bool, write_golden: bool, sheet: Path | None, **settings: Any
) -> None:
    """Test every promise of GAME: its folder, then random matches with all invariants at every position.

    Cheap promises are tested first. A broken promise is printed with the seed and the record of the match, and the exit
    status is 1.
    """
    if sheet is not None:
        write_sheet(sheet, [game])
        click.echo(f"{sheet}: {len(picture_of(game).boards)} boards of {game.name}")
        return
    if watch:
        _watch(game.folder, [word for word in sys.argv[1:] if word != "--watch"])
    if write_golden:
        written = [*write_goldens(game), *write_kept_matches(game)]
        click.echo(f"golden files written: {', '.join(written) or 'none, nothing has changed'}")
    trial = Trial(**settings)
    try:
        check(game, trial)
    except Breach as breach:
        trial.broken.append(breach)
    ctx.exit(_report(game, trial))


def _report(game: Game, trial: Trial) -> int:
    for breach in trial.broken:
        click.echo(f"{game.name}: {breach}", err=True)
    if trial.broken:
        return 1
    what = "the selected promises" if trial.only else "every promise"
    but = " except for translations" if trial.missing else ""
    click.echo(f"{game.name} keeps {what}{but}{NOT_COMPILED if UNCOMPILED else ''}")
    if is_without_tests(game):
        click.echo("not tested: its golden files and the tests of its rules, which are only in a checkout", err=True)
    for later in trial.missing:
        click.echo(f"still to do: {later.message}", err=True)
    return 0


def check(game: Game, trial: Trial) -> None:
    """Test promises and show their names; raise `Breach` at the first broken one, unless the trial keeps going."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn()
    with Progress(*columns, console=Console(stderr=True)) as progress:
        _try_each(progress, BEFORE, game, trial)
        _try_at_positions(progress, game, trial)
        _try_each(progress, (*AFTER, *ELSEWHERE, *ALONE), game, trial)


def _try_at_positions(progress: "Progress", game: Game, trial: Trial) -> None:
    if not (checks := trial.select(EVERY_CHECK)):
        return
    bar = progress.add_task("random matches", total=trial.worlds)
    manner = SampleSettings(
        on_progress=lambda done: progress.update(bar, completed=min(done, trial.worlds)), on_breach=trial.note_breach
    )
    try:
        try_positions(game, trial.worlds, trial.seed, checks, manner)
    except Breach as breach:  # the rules themselves failed, which ends the match
        trial.note_breach(breach)


def _try_each(progress: "Progress", promises: Sequence[Promise], game: Game, trial: Trial) -> None:
    """Test promises in turn; unless the trial is strict, missing translations are noted separately."""
    wanted = trial.select(promises)
    bar = progress.add_task("", total=len(wanted))
    for promise in wanted:
        progress.update(bar, description=promise_name(promise))
        try:
            run_check(promise, game)
        except Breach as breach:
            if promise in MAY_FOLLOW and not trial.strict:
                trial.missing.append(breach)
            else:
                trial.note_breach(breach)
        progress.advance(bar)


# Watching


def _watch(folder: Path, arguments: Sequence[str]) -> NoReturn:
    """Check the game in another process, again whenever one of its files changes, until interrupted."""
    from watchfiles import watch

    changes = watch(folder, rust_timeout=WATCH_INTERVAL, yield_on_timeout=True, raise_interrupt=True)
    next(changes)  # the folder is watched from here on, so that changes during a check lead to another
    for changed in itertools.chain([True], changes):
        if changed:
            click.echo(f"{time.strftime('%H:%M:%S')} tavola {' '.join(arguments)}")
            subprocess.run([sys.executable, "-m", "tavola", *arguments], check=False)  # noqa: S603
    raise AssertionError("watching ends only when interrupted")
