"""The server: tools to read rules, sit down, look, plan, play and talk; the rules as resources.

A model has one seat at a time. Tools return only what `Seat` gives: the sentences of its view.
"""

import asyncio
import itertools
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from functools import wraps
from typing import Annotated, Any

from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ResourceNotFoundError
from pydantic import Field

from tavola import __version__
from tavola.bots import LEVELS
from tavola.core import Game, Refusal
from tavola.core.text import isolated
from tavola.games import load, names
from tavola.live.state_sentences import decision_time
from tavola.mcp.seats import Document, Seat, Table, open_table, plan_sentences
from tavola.show.cards import words_of
from tavola.show.speech import Say
from tavola.talk import language_of, parse_line, statement_texts

RULES_ADDRESS = "tavola://rules/{game}"
"""Address of the resource with a game's rules."""
LONGEST_WAIT = 60.0
"""Maximum seconds for which one call waits for others; to wait longer, a model calls again."""
INSTRUCTIONS = """\
Board games with secret ballots, barter, hidden roles and chance. Read `rules`, then `sit_down`. `look` shows your
prompt and what has happened; `legal` lists your legal actions with their codes; `plan` tries steps without playing
them; `play` plays a code and returns when it is your turn again or the match is over; `say` writes to everyone in the
chat; `speak` makes a promise, a request, an offer, a claim or an answer, which the game records and checks.
"""


class Model:
    """The state of one model: its seat, and the numbers of its commands.

    Its public methods except `begin` are tools, and their docstrings are the descriptions for the model.
    """

    def begin(self, table: Table) -> None:
        """Begin at a table, without a seat."""
        self.table = table
        self.seat: Seat | None = None
        self._commands = itertools.count(1)
        self._unread: list[str] = []

    async def sit_down(
        self,
        game: str,
        players: int = 4,
        bots: Annotated[str, Field(description=f"Level of the bots: {', '.join(LEVELS)}.")] = "search",
        options: dict[str, bool | int | float | str] | None = None,
        leave: bool = False,
    ) -> Document:
        """Sit down to a match against bots, or in the room that the server was started for.

        `options` are those of the game by name, `{"moves": 4}`. During a match this is refused, unless `leave` is true:
        then that match is left for good.
        """
        if self.seat is not None and not leave and (running := await self._state())["phase"] == "playing":
            raise Refusal(f"you are in a match of {running['game']}: continue it, or leave it with leave=true")
        given = {name: _option_value(value) for name, value in (options or {}).items()}
        self.seat = await self.table.sit_down(game, {**given, "players": players}, bots)
        self._unread.clear()
        return await self.wait(LONGEST_WAIT)

    async def look(self) -> Document:
        """See your prompt, the table in words, your legal actions, and what has happened since you looked last."""
        return self._seen(await self._state())

    async def wait(self, seconds: float = 30.0) -> Document:
        """Wait until it is your turn or the match is over, then look."""
        deadline = asyncio.get_running_loop().time() + min(max(seconds, 0.0), LONGEST_WAIT)
        while True:
            state = await self._state()
            left = deadline - asyncio.get_running_loop().time()
            if state["prompt_id"] is not None or state["phase"] == "over" or left <= 0:
                return self._seen(state)
            with suppress(TimeoutError):
                await asyncio.wait_for(self._seat().changed(), left)

    async def legal(self) -> Document:
        """List your legal actions: each one's code, and a sentence that describes it."""
        state = await self._state()
        return {"prompt": state["prompt"], "legal": state["legal"]}

    async def plan(self, codes: list[str] | str) -> Document:
        """Try several steps of your decision on your own view: nothing is played, and the others do not notice.

        `codes` are codes of `legal` in the order of the steps; the plan so far lists the codes of the next step. Only
        some verbs can be planned, and no step whose result you cannot know: a refusal says which.
        """
        state, steps = await self._state(), [codes] if isinstance(codes, str) else codes
        if steps and not any(verb.planned for verb in load(state["game"]).actions.verbs):
            return {"refused": f"steps of {state['game']} cannot be planned: expected `play` with a code from `legal`"}
        answer = await self._send({"type": "plan", "codes": steps, "prompt_id": state["prompt_id"]})
        return answer if "refused" in answer else plan_sentences(answer, state, self.table.language)

    async def play(self, codes: list[str] | str) -> Document:
        """Play one code of `legal`, or several steps that can be planned, all or none; return at your next turn."""
        steps = [codes] if isinstance(codes, str) else codes
        if not steps:
            return {"refused": "codes: expected at least one code from `legal`"}
        state = await self._state()
        answer = await self._send({"type": "play", "codes": steps, "prompt_id": state["prompt_id"]})
        return {**await self.look(), **answer} if "refused" in answer else await self.wait(LONGEST_WAIT)

    async def speak(self, statement: str) -> Document:
        """Make a statement that the table remembers, in one line, as one of

        promise vote not red now | request to 2 vote green now | offer to 2 vote not red now if vote black now |
        claim role merchant | accuse 3 role traitor | warn 3 | ask to 1 vote * now | accept 7 | decline 7 | withdraw 7.
        Seats are counted from 0; answers name a number from `statements`. Deeds are codes, in which `*` matches
        anything and `not` all but a name, with a time: now, next or round. A statement to a seat is whispered;
        `to 2 aloud` is heard by all.
        """
        state = await self._state()
        language = language_of(load(state["game"]))
        spoken = parse_line(state["seat"], statement, language)
        return await self._send({"type": "speak", **statement_texts(spoken, language).without_defaults()})

    async def say(self, text: str) -> Document:
        """Write a line of chat that everyone at the table reads."""
        return await self._send({"type": "say", "text": text})

    async def _send(self, message: Document) -> Document:
        if message.get("prompt_id", 0) is None:
            return {"refused": "it is not your turn: `wait` until it is"}
        answer = await self._seat().send({"command_id": f"m{next(self._commands)}", **message})
        return {"refused": answer["message"]} if answer["type"] == "refused" else answer

    async def _state(self) -> Document:
        """Return the state; its log lines are kept until the model looks."""
        state = await self._seat().state()
        self._unread += state["told"]
        return state

    def _seen(self, state: Document) -> Document:
        """Return the part of a state that a model reads, with all log lines since it looked last."""
        state, self._unread = {**state, "told": self._unread}, []
        kept = ("room", "game", "phase", "prompt", "table", "legal", "told", "result")
        names_at_table = [seat["name"] for seat in state["seats"]]
        chat = [f"{isolated(line['name'])}: {isolated(line['text']) or line['gesture']}" for line in state["chat"]]
        seat, settings = state["seat"], state["settings"]
        told = {**{key: state[key] for key in kept}, "seat": seat, "names": names_at_table, "chat": chat}
        has_bank = seat is not None and (settings["bank"] or settings.get("bank_days"))
        bank = {"bank": state["seats"][seat]["bank"]} if has_bank else {}
        return {**told, "time": decision_time(settings), **bank, "statements": state["statements"]}

    def _seat(self) -> Seat:
        if self.seat is None:
            raise Refusal("you have no seat: expected `sit_down` first")
        return self.seat


def _rules_text(game: Game) -> str:
    return (game.folder / "RULES.md").read_text(encoding="utf-8")


def make_server(address: str = "", language: str = "en") -> MCPServer[Model]:
    """Return the server; `address` is a remote room, without it matches are against bots in this process."""

    @asynccontextmanager
    async def lifespan(server: MCPServer[Model]) -> AsyncIterator[Model]:
        async with open_table(address, language) as table:
            model.begin(table)
            yield model

    model = Model()
    server = MCPServer("tavola", instructions=INSTRUCTIONS, version=__version__, lifespan=lifespan)
    add_rules(server, language)
    for method in (model.sit_down, model.look, model.wait, model.legal, model.plan, model.play, model.speak, model.say):
        server.add_tool(_tool(method))
    return server


def add_rules(server: MCPServer[Model], language: str) -> None:
    """Add the tools and resources that need no seat."""

    @server.tool()
    def games() -> list[dict[str, Any]]:
        """List the games: name, title, what it is about, and how many play."""
        return [
            {"game": card.name, "title": card.title, "players": list(card.players), "about": _about(card, language)}
            for card in map(load, names())
        ]

    @server.tool()
    def rules(game: str) -> str | Document:
        """Read the rules of a game in numbered paragraphs: refusals cite them. `game` is a name that `games` lists."""
        try:
            return _rules_text(load(game))
        except Refusal as refusal:
            return {"refused": str(refusal)}

    for card in map(load, names()):
        add_rules_of(server, card)

    @server.resource("tavola://{kind}/{name}", mime_type="text/markdown")
    def other(kind: str, name: str) -> str:
        """Refuse an address that is not a listed resource."""
        known = ", ".join(RULES_ADDRESS.format(game=game) for game in names())
        raise ResourceNotFoundError(f"tavola://{kind}/{name}: expected one of {known}")


def add_rules_of(server: MCPServer[Model], card: Game) -> None:
    """Add the rules of a game as a resource, so that it is listed."""
    said = f"The rules of {card.title} in numbered paragraphs."
    address = RULES_ADDRESS.format(game=card.name)

    @server.resource(address, name=f"rules of {card.name}", description=said, mime_type="text/markdown")
    def rules_of() -> str:
        return _rules_text(card)


def _about(game: Game, language: str) -> str:
    return str(words_of(game).about(Say.of(game, language)))


def _option_value(value: object) -> object:
    """Return the value of an option as the game reads it: true is `on`, false is `off`, 4.0 is 4."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return ("off", "on")[value] if isinstance(value, bool) else value


def _tool(method: Callable[..., Awaitable[Document]]) -> Callable[..., Awaitable[Document]]:
    """Return a tool that answers a refusal with a document, so that the model can react to it."""

    @wraps(method)
    async def tool(*arguments: Any, **named: Any) -> Document:
        try:
            return await method(*arguments, **named)
        except Refusal as refusal:
            return {"refused": str(refusal)}

    return tool
