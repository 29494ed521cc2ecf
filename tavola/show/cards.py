"""The cards by which a game says its sentences and draws its pictures: what an author must give, and what he may.

A game's `words` ends with `WORDS = Words(action=action, …)`, its `picture` with `PICTURE = Picture(boards=BOARDS, …)`;
`words_of(game)` and `picture_of(game)` return these cards. Every hook is a field with its type: the type checker finds
one that is forgotten or misspelt on that line, and importing the module raises `TypeError`. Hooks see views and
nothing else, so they can tell no secret. `tavola.show.speech` says how sentences are said, `tavola.show.board` what a
page relies on.
"""

from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeAlias

from markupsafe import Markup

from tavola.core.actions import PlayedAction
from tavola.core.game import Game
from tavola.core.view import View
from tavola.show.board import Board, Frame, Pieces
from tavola.show.sound import WOOD, Palette, check_palette
from tavola.show.speech import Say
from tavola.show.talk import Talk
from tavola.show.words import Consequence, Foreseen, Scale

Weight: TypeAlias = Literal["light", "medium", "heavy"]
"""The effort that a game's rules take."""


class Shelf(NamedTuple):
    """What a shelf tells of a game beside its poster."""

    line: str
    """What one does in it, in a few words."""
    minutes: tuple[int, int]
    """The length of a match with the fewest players and with the most, in minutes."""
    weight: Weight

    def minutes_for(self, players: int, fewest: int, most: int) -> int:
        """Return the length of a match with so many players, in minutes, to the nearest five."""
        short, long = self.minutes
        return round((short + (long - short) * (players - fewest) / max(1, most - fewest)) / 5) * 5


class Step(NamedTuple):
    """One step: what is asked at a moment of the record, the place to touch, and what is told then."""

    at: int
    """The number of actions played before."""
    asks: str
    """A marked message: a sentence about the game, and one that says what to touch."""
    told: str
    """A marked message: what that does."""
    code: str = ""
    """The action of the learner's seat that the touch stands for: whatever carries it is lit."""
    part: str = ""
    """The id of the piece that is lit, instead of or beside the action."""


class Minute(NamedTuple):
    """A played minute: a record's text, the learner's seat in it, and the steps."""

    record: str
    steps: tuple[Step, ...]
    seat: int = 0


def minute_record(module: str) -> str:
    """Read `minute.txt` beside the module that asks (`__file__`): the record of a match."""
    return Path(module).with_name("minute.txt").read_text(encoding="utf-8")


# What stands for a hook that a game does not give


def _no_text(*asked: object) -> str:
    return ""


def _no_list(*asked: object) -> list[Any]:
    return []


def _no_mapping(*asked: object) -> dict[Any, Any]:
    return {}


def _nothing(*asked: object) -> None:
    return None


def _check_hooks(card: "Words | Picture", data: Collection[str] = ()) -> None:
    """Refuse what is no function, but for the fields that hold data."""
    for hook in fields(card):
        value = vars(card)[hook.name]
        left_out = value is None and hook.default is None
        if hook.name not in data and not left_out and not callable(value):
            raise TypeError(f"{type(card).__name__}.{hook.name} is {value!r:.60}: expected a function")


@dataclass(frozen=True, kw_only=True)
class Words:
    """The sentences of a game.

    `prompt`, `action`, `refusal` and `table` speak to `view.seat` where there is one. A message is a whole sentence, or
    a whole phrase that a language can decline; nothing is glued together.

    The hooks from `verb_label` on may be left out. `verb_label` and `choices_key` are given by two of the games in this
    house, `consequence` by some; `sensible` and `eliminated` by two; `narrowing_questions`, `led_by`, `won_points`,
    `sliders`, `foreseen`, `guess_labels` and `summary_card` by one each.
    """

    action: Callable[[View, int, Say], str]
    """(view, action, say): what a seat does by an action, for a button: "Vote for the green boat"."""
    prompt: Callable[[View, Say], str]
    """(view, say): what is asked of the seat now, or whom everybody waits for: one plain sentence. All who wait are
    told the same, but where whoever comes first acts. `tavola.show.words.Prompts` is such a function."""
    events: Callable[[View, View, PlayedAction | None, Say], list[str]]
    """(before, after, played, say): what happened between two views one action apart, for the log, a sentence a line.
    `played` is None where the action is secret to the seat of the views."""
    refusal: Callable[[View, int, Say], str]
    """(view, action, say): why the action, any number, is not allowed now, with the rule's paragraph; an empty text if
    it is allowed. `tavola.show.words.Refusals` is such a function."""
    scoring: Callable[[View, int, Say], list[tuple[str, int]]]
    """(view, seat, say): how each point of a seat was made, pairs of sentence and points; what decided a tie comes
    last, with 0 points."""
    table: Callable[[View, Say], list[str]]
    """(view, say): the table as text, in lines of at most `tavola.show.words.WIDTH` columns."""
    option: Callable[[str, Say], tuple[str, str]]
    """(name, say): title and explanation of an option, "players" included."""
    value: Callable[[str, str, Say], str]
    """(name, word, say): the name of one value of an option, which is written `word`."""
    about: Callable[[Say], str]
    """(say): the game in a sentence or two, for the shelf."""

    # Choosing a step at a time: an action's arguments are asked for one after the other.

    argument_label: Callable[[View, str, str, int, Say], str]
    """(view, verb, argument, index, say): one value of an argument in a word or two, for a button: "Red"."""
    ask: Callable[[View, str, str, tuple[int, ...], Say], str]
    """(view, verb, argument, chosen, say): the question for the next argument; `chosen` are the indices so far. While
    a single verb with an argument is open, a page asks this in place of what `prompt` says. While several are, the
    first question of a verb without a `verb_label` stands for that verb."""

    # For who plays it the first time, or looks up.

    phases: Callable[[View, Say], list[tuple[str, bool]]]
    """(view, say): the parts of a round in order, pairs of a label and whether it is now."""
    chapter: Callable[[View, Say], str]
    """(view, say): the heading under which the log groups what is done now: "Round 3"."""
    coach: Callable[[View, Say], str]
    """(view, say): what to think about at the seat's present decision, from its own view, in one line; an empty text
    where it decides nothing."""
    lesson: Callable[[Say], list[tuple[str, str]]]
    """(say): the rules in one minute, six pairs of title and text, the first three: the aim, a turn, how one
    scores."""

    # What a game may leave out.

    verb_label: Callable[[View, str, Say], str] = _no_text
    """(view, verb, say): what stands for a verb beside others. Where it is empty, that is its first question, or the
    whole action where nothing is asked."""
    choices_key: Callable[[View], Hashable] | None = None
    """(view): all that the words of the present choices depend on besides the language, the names and what is legal:
    what is asked again in a match is then written once. Without it choices are written anew for every decision."""
    narrowing_questions: Callable[[View, int, int, Say], list[tuple[str, str]]] = _no_list
    """(view, action, step, say): where argument `step` of an action has more values than one can offer, the questions
    and coarser words that lead to it: [("Which card?", "Africa")]."""
    consequence: Callable[[View, int, int, Say], Consequence | None] = _nothing
    """(view, action, step, say): what choosing one word of an action does now: `step` 0 is its verb, 1 the value of its
    first argument and so on. It stands on the button, beside what stands for it on the main board, and in place of the
    coach's line while it is pointed at; None where there is nothing to tell. Never what the seat cannot know."""
    sensible: Callable[[View], Collection[int]] = _no_list
    """(view): of the actions allowed now those that who knows the game would think of, from what the seat can see. A
    page lights them strongly and all others thinly; where it names none all are lit alike."""
    led_by: Callable[[View, PlayedAction, Sequence[PlayedAction]], int | None] = _nothing
    """(view, played, earlier): the seat whose action, among all those before, opened the way to one by which somebody
    wins points for himself; None where nobody's did. The last screen asks it, to tell who helped whom."""
    won_points: Callable[[View, int], tuple[int, int]] | None = None
    """(view, seat): the points that a seat has won so far, and those that it would lose if the match ended now, where
    points count both: then a page tells them apart until the end."""
    sliders: Callable[[View, Say], Sequence[Scale]] = _no_list
    """(view, say): the choices among steps of a plan that lie on a line: sous, a least value."""
    foreseen: Callable[[View], Foreseen | None] = _nothing
    """(view): the ballots that the seat can foresee from the present one on, where they are asked whatever others play.
    A page lets him choose for all of them and sends each when it is asked; who serves it hears of none before."""
    eliminated: Callable[[View, Say], str] = _no_text
    """(view, say): why the seat takes no part any more in what decides the match, though it is still asked, in one
    short sentence; an empty text while it does. A page offers that a bot decides for it, and to show the end."""
    guess_labels: Callable[[View, Say], list[tuple[str, str]]] = _no_list
    """(view, say): what a player may note down as a private guess about another seat, pairs of key and label."""
    shelf: Callable[[Say], Shelf] | None = None
    """(say): what a shelf tells beside the poster; without it `about` stands there."""
    minute: Minute | None = None
    """The played minute: what a first match begins with. Without it nothing comes before a first match."""
    talk: Talk | None = None
    """What may be promised, asked for and claimed at the table, and in which words: without it nothing is."""
    summary_card: Callable[[View, Say], list[tuple[str, list[tuple[str, str]]]]] | None = None
    """(view, say): what a player wants one tap away, the own secrets first: pairs of a title and of lines, each a label
    and a text. Without it there is no such card."""

    def __post_init__(self) -> None:
        """Refuse what is no function."""
        _check_hooks(self, data=("minute", "talk"))


@dataclass(frozen=True, kw_only=True)
class Picture:
    """The pictures of a game.

    The hooks from `scene` on may be left out. `ballot_cards` and `leader` are given by two of the games in this house;
    `seat_badges`, `plan_pieces`, `guess_pieces` and `seals` by one each.
    """

    boards: Mapping[str, Board]
    """By name: "main" is the table; "hand" what only the seat holds; "side" what there is to think about; "overview",
    as large as a main board that zooms, what of it is worth seeing very small while a part is enlarged."""
    style: str
    """Palette and motion, light and dark: CSS, served as a file of its own. `tavola.show.kit.art` reads it."""
    shapes: Markup
    """The shapes that pieces use by `<use href="#…">`: once a page, inside `<defs>`. A shape `word-VALUE`, 48 units
    wide about its middle, stands beside the word for that value of an argument or that verb; `said-VALUE` is on tokens
    of what was said where there is none, `said-VERB` of a verb or of a fact that may be claimed."""
    pieces: Callable[[View, Say], Pieces]
    """(view, say): everything that can change and that all may see, in the order of drawing (the last lies on top),
    from the table alone. Each is one `<g id=… class="piece">` that is sent alone when it changes."""
    own_pieces: Callable[[View, Say], Pieces]
    """(view, say): what only the view's seat sees, drawn above the rest; nothing for a spectator."""
    lesson: Callable[[int, Say], Markup]
    """(number, say): a small drawing from real pieces beside section `number` of the rules in one minute."""

    # What a game may leave out.

    poster: Callable[[Say], Markup] | None = None
    """(say): what stands for the game on a shelf, in a box 800 wide and 1000 high: composed by hand from its own
    shapes, never a part of a board. `tavola.show.poster` has the tools. Without it the shelf shows a match."""
    scene: Callable[[View, View, PlayedAction | None, Say], list[Frame]] = _no_list
    """(before, after, played, say): the pictures between two public views one action apart; none for most actions.
    `played` is None where the action is secret to all but its seat."""
    sounds: Palette = field(default_factory=lambda: WOOD)
    """What is heard, by name, where sounds are switched on: the four moments of the house, and what frames name."""
    ballot_cards: Callable[[View, Say], Mapping[int, Markup]] = _no_mapping
    """(view, say): by seat what stays before it of the last ballot, its open card, drawn about its middle, 60 units
    wide and 84 high, its title first."""
    leader: Callable[[View, Say], tuple[int, Markup] | None] = _nothing
    """(view, say): the seat that leads this round and by what it is known, 48 units wide, drawn about its middle, its
    title first; None while nobody leads."""
    seat_badges: Callable[[View, Say], Mapping[int, Markup]] = _no_mapping
    """(view, say): by seat what all may see that it has, drawn small about its middle, 90 units wide and 30 high, its
    title first."""
    plan_pieces: Callable[[View, View, Say], Pieces] = _no_mapping
    """(before, after, say): what marks the difference between the view of a seat and the one that its plan comes to,
    below its own pieces. Without it what is planned is shown like what is played."""
    guess_pieces: Callable[[View, Mapping[int, str], Say], Pieces] = _no_mapping
    """(view, noted, say): what the seat thinks of others, by their seats and the keys of `Words.guess_labels`."""
    seals: tuple[str, ...] = ()
    """Shapes by seat, 100 wide and 120 high, which stand for the seats instead of the signs of the house: coats of
    arms, in the paints of the seats."""

    def __post_init__(self) -> None:
        """Refuse what is no function, a picture without a main board, and sounds that no page can make."""
        _check_hooks(self, data=("boards", "style", "shapes", "sounds", "seals"))
        if "main" not in self.boards:
            raise TypeError(f"Picture.boards has {[*self.boards]}: expected a board named 'main'")
        check_palette(self.sounds)


def words_of(game: Game) -> Words:
    """The sentences of a game, of its version; `TypeError` where its module `words` has no card."""
    return game.card(Words)


def picture_of(game: Game) -> Picture:
    """The picture of a game, of its version; `TypeError` where its module `picture` has no card."""
    return game.card(Picture)
