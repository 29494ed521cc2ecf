"""Cards in which a game declares its sentences and its pictures.

A game's `words` ends with `WORDS = Words(action=action, …)`, its `picture` with `PICTURE = Picture(boards=BOARDS, …)`;
`words_of(game)` and `picture_of(game)` return these cards. Every hook is a field with its type. The type checker finds
a missing or misspelt hook on that line, and importing the module raises `TypeError`. Hooks receive only views, so they
cannot reveal a secret. `tavola.show.speech` describes how sentences are said, `tavola.show.board` what a page relies
on.
"""

from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias

from markupsafe import Markup

from tavola.core.actions import PlayedAction
from tavola.core.game import Game
from tavola.core.view import View
from tavola.show.board import Board, Frame, Pieces
from tavola.show.sound import WOOD, Palette, check_palette
from tavola.show.speech import Say
from tavola.show.talk import LeftOut, Talk
from tavola.show.words import Consequence, Foreseen, Scale

Weight: TypeAlias = Literal["light", "medium", "heavy"]
"""How demanding a game's rules are."""


class Witnessed(NamedTuple):
    """An action, and a seat's views before and after it."""

    before: View
    after: View
    played: PlayedAction | None
    """None if it is secret to the seat."""


class Shorter(NamedTuple):
    """A value of an option with which a match over days is shorter: `turns` as in `Shelf`, with the usual players."""

    option: str
    value: str
    turns: int


class Shelf(NamedTuple):
    """Facts about a game beside its poster on the home page."""

    line: str
    """What players do in it, in a few words."""
    minutes: tuple[int, int]
    """Length of a match in minutes, with the fewest and with the most players."""
    weight: Weight
    turns: tuple[int, ...] = ()
    """How often a player decides in a match, for each number of players, fewest first. `scripts.turns` counts it."""
    shorter: Shorter | None = None

    def turns_for(self, players: int, fewest: int) -> int:
        """Return how often a player decides in a match with `players` players; 0 if it has not been counted."""
        return self.turns[players - fewest] if players - fewest < len(self.turns) else 0

    def minutes_for(self, players: int, fewest: int, most: int) -> int:
        """Return the length of a match with `players` players in minutes, to the nearest five."""
        short, long = self.minutes
        return round((short + (long - short) * (players - fewest) / max(1, most - fewest)) / 5) * 5


class Step(NamedTuple):
    """A step of a tutorial: a question at a moment of the record, the place to touch, and the explanation."""

    at: int
    """Number of actions played before."""
    asks: str
    """A marked message: a sentence about the game, and one that says what to touch."""
    told: str
    """A marked message: what the action does."""
    code: str = ""
    """The action of the learner's seat; every piece with its code is lit."""
    part: str = ""
    """Id of the piece that is lit, instead of or beside the action."""


class Minute(NamedTuple):
    """A tutorial: a record's text, the learner's seat in it, and the steps."""

    record: str
    steps: tuple[Step, ...]
    seat: int = 0


def minute_record(module: str) -> str:
    """Return the record in `minute.txt` beside `module` (`__file__`)."""
    return Path(module).with_name("minute.txt").read_text(encoding="utf-8")


_no_text, _no_list, _no_mapping, _nothing = LeftOut(str), LeftOut(list), LeftOut(dict), LeftOut(type(None))


def _check_hooks(card: "Words | Picture", data: Collection[str] = ()) -> None:
    """Raise `TypeError` for a hook that is not a function, except the fields named by `data`."""
    for hook in fields(card):
        value = vars(card)[hook.name]
        left_out = value is None and hook.default is None
        if hook.name not in data and not left_out and not callable(value):
            raise TypeError(f"{type(card).__name__}.{hook.name} is {value!r:.60}: expected a function")


@dataclass(frozen=True, kw_only=True)
class Words:
    """The sentences of a game.

    `prompt`, `action`, `refusal` and `table` address `view.seat` if there is one. A message is a whole sentence, or a
    whole phrase that a language can decline. Never concatenate parts.

    The hooks from `verb_label` on are optional.
    """

    action: Callable[[View, int, Say], str]
    """(view, action, say): an action as the text of a button: "Vote for the green boat"."""
    prompt: Callable[[View, Say], str]
    """(view, say): the question to the seat, or which seats are being waited for: one plain sentence. Except in an open
    decision, all who wait see the same. `tavola.show.words.Prompts` is such a function."""
    events: Callable[[View, View, PlayedAction | None, Say], list[str]]
    """(before, after, played, say): log lines, each a sentence, for what happened between two views one action apart.
    `played` is None if the action is secret to the seat of the views."""
    refusal: Callable[[View, int, Say], str]
    """(view, action, say): why an action, any number, is not allowed now, with the rule's paragraph; empty if it is
    allowed. `tavola.show.words.Refusals` is such a function."""
    scoring: Callable[[View, int, Say], list[tuple[str, int]]]
    """(view, seat, say): how a seat made its points, as pairs of sentence and points; a tie-breaker comes last, with 0
    points."""
    table: Callable[[View, Say], list[str]]
    """(view, say): the table as text, in lines of at most `tavola.show.words.WIDTH` columns."""
    option: Callable[[str, Say], tuple[str, str]]
    """(name, say): title and explanation of an option, including "players"."""
    value: Callable[[str, str, Say], str]
    """(name, word, say): the name of an option's value that is written `word`."""
    about: Callable[[Say], str]
    """(say): the game in a sentence or two, for the home page."""

    # Choosing step by step: a page asks for one argument of an action after the other.

    argument_label: Callable[[View, str, str, int, Say], str]
    """(view, verb, argument, index, say): a value of an argument in a word or two, for a button: "Red"."""
    ask: Callable[[View, str, str, tuple[int, ...], Say], str]
    """(view, verb, argument, chosen, say): the question for the next argument; `chosen` are the indices so far. While
    only one verb with an argument is open, a page shows this instead of `prompt`. While several are, the first question
    of a verb without a `verb_label` stands for that verb."""

    # For first matches, and for reference.

    phases: Callable[[View, Say], list[tuple[str, bool]]]
    """(view, say): the parts of a round in order, as pairs of a label and whether it is the current part."""
    chapter: Callable[[View, Say], str]
    """(view, say): the heading under which the log groups the current actions: "Round 3"."""
    coach: Callable[[View, Say], str]
    """(view, say): one line of advice for the seat's present decision, from its own view; empty if the seat is not to
    act."""
    lesson: Callable[[Say], list[tuple[str, str]]]
    """(say): the rules in one minute, as six pairs of title and text. The first three are the aim, a turn, and
    scoring."""

    # Optional hooks.

    reminder: Callable[[View, Say], str] | None = None
    """(view, say): the question to a seat that is to act, for a message. Others may read it on a phone, so it
    contains nothing that only the seat knows. Without this hook, a message has the prompt of a spectator.
    `Prompts.reminder` is such a function."""
    verb_label: Callable[[View, str, Say], str] = _no_text
    """(view, verb, say): the label of a verb beside others. If empty, its first question is used, or the whole action
    if it has no arguments."""
    choices_key: Callable[[View], Hashable] | None = None
    """(view): everything that the words of the present choices depend on, besides the language, the names and the legal
    actions. Choices with the same key are worded once in a match; without this hook, again for every decision."""
    narrowing_questions: Callable[[View, int, int, Say], list[tuple[str, str]]] = _no_list
    """(view, action, step, say): questions and coarser answers that lead to a value of argument `step`, if it has too
    many to offer at once: [("Which card?", "Africa")]."""
    consequence: Callable[[View, int, int, Say], Consequence | None] = _nothing
    """(view, action, step, say): the effect of choosing a word of an action: `step` 0 is its verb, 1 its first
    argument, and so on. Shown on the button and on the main board; replaces the coach's line while the choice is
    pointed at. None for nothing to say. It must not reveal anything that the seat cannot know."""
    sensible: Callable[[View], Collection[int]] = _no_list
    """(view): the legal actions that an experienced player would consider, from what the seat can see. A page lights
    them strongly and the others faintly; if there are none, all alike."""
    led_by: Callable[[View, PlayedAction, Sequence[PlayedAction]], int | None] = _nothing
    """(view, played, earlier): the seat whose earlier action made possible an action that wins points for its own seat;
    None for no seat. The last screen uses it to show who helped whom."""
    won_points: Callable[[View, int], tuple[int, int]] | None = None
    """(view, seat): the points that a seat has won so far, and those that it would lose if the match ended now, if
    points count both: a page shows them separately until the end."""
    closing: tuple[str, ...] = ()
    """Verbs without arguments that end a part of a turn. A page shows one as its main button, beside *Undo*: it plays
    the plan and the verb together, at once, so its `action` says what happens, and its `consequence` what follows."""
    unlogged: tuple[str, ...] = ()
    """Verbs whose actions may have no line in the log, because the board shows what they do."""
    whispered: tuple[str, ...] = ()
    """Verbs of which some seats know more than others, such as a whispered offer. `events` may return other lines for
    them, but as many as for everyone."""
    sliders: Callable[[View, Say], Sequence[Scale]] = _no_list
    """(view, say): choices among steps of a plan that form a scale, such as sous or a minimum."""
    foreseen: Callable[[View], Foreseen | None] = _nothing
    """(view): the coming ballots that the seat will face whatever others play, the present one first. A page lets the
    player choose for all of them, and sends each choice only when its ballot is held."""
    eliminated: Callable[[View, Say], str] = _no_text
    """(view, say): why the seat can no longer influence the result although it still has decisions, in one short
    sentence; empty while it can. A page then offers to let a bot decide, and to show the end."""
    guess_labels: Callable[[View, Say], list[tuple[str, str]]] = _no_list
    """(view, say): possible private guesses about another seat, as pairs of key and label."""
    shelf: Callable[[Say], Shelf] | None = None
    """(say): facts beside the poster on the home page; `about` if it is left out."""
    minute: Minute | None = None
    """The tutorial before a first match; there is none if it is left out."""
    talk: Talk | None = None
    """What may be promised, asked for and claimed at the table, and in which words; nothing if it is left out."""
    summary_card: Callable[[View, Say], list[tuple[str, list[tuple[str, str]]]]] | None = None
    """(view, say): what a player wants within one touch, their own secrets first: pairs of a title and of lines, each a
    label and a text. Left out, the card does not exist."""

    def __post_init__(self) -> None:
        _check_hooks(self, data=("minute", "talk", "closing", "unlogged", "whispered"))


@dataclass(frozen=True, kw_only=True)
class Picture:
    """The pictures of a game. The hooks from `poster` on are optional."""

    boards: Mapping[str, Board]
    """By name: "main" is the table; "hand" the seat's own cards; "side" what there is to consider; "overview", as large
    as a main board that zooms, shows in small what matters of it while a part is enlarged; "strip", on a wide screen a
    row below the main board."""
    style: str
    """Palette and motion, light and dark: CSS, served as a separate file. `tavola.show.kit.art` reads it."""
    shapes: Markup
    """Shapes that pieces use by `<use href="#…">`: once a page, inside `<defs>`. A shape `word-VALUE`, 48 units wide
    and centred, is shown beside the word for that value of an argument or that verb. Tokens of statements show
    `said-VALUE`, or else `said-VERB` for a verb or for a fact that may be claimed."""
    pieces: Callable[[View, Say], Pieces]
    """(view, say): everything public that can change, in the order of drawing (the last is on top), from the table
    only. Each is one `<g id=… class="piece">`, sent again only when it changes."""
    own_pieces: Callable[[View, Say], Pieces]
    """(view, say): what only the view's seat sees, drawn above the rest; empty for a spectator."""
    lesson: Callable[[int, Say], Markup]
    """(number, say): a small drawing from real pieces beside section `number` of the rules in one minute."""

    # Optional hooks.

    poster: Callable[[Say], Markup] | None = None
    """(say): the game's poster, 800 units wide and 1000 high, composed by hand from its own shapes, never a part of a
    board. `tavola.show.poster` has the tools. Without it the home page shows a match."""
    scene: Callable[[View, View, PlayedAction | None, Say], list[Frame]] = _no_list
    """(before, after, played, say): the frames between two public views one action apart; empty for most actions.
    `played` is None if the action is secret to other seats."""
    sounds: Palette = field(default_factory=lambda: WOOD)
    """Sounds by name, played if sounds are on: the four common moments, and those that frames name."""
    ballot_cards: Callable[[View, Say], Mapping[int, Markup]] = _no_mapping
    """(view, say): the open card of the last ballot before each seat, centred, 60 units wide and 84 high, its title
    first."""
    leader: Callable[[View, Say], tuple[int, Markup] | None] = _nothing
    """(view, say): the seat that leads this round and its badge, centred, 48 units wide, its title first; None if no
    seat leads."""
    seat_badges: Callable[[View, Say], Mapping[int, Markup]] = _no_mapping
    """(view, say): public belongings of each seat, as a small centred drawing, 90 units wide and 30 high, its title
    first."""
    plan_pieces: Callable[[View, View, Say], Pieces] = _no_mapping
    """(before, after, say): marks for the difference between a seat's view and the one that its plan leads to, drawn
    below its own pieces. Without it, planned actions look like played ones."""
    since_pieces: Callable[[View, Sequence[Witnessed], Say], Pieces] | None = None
    """(view, actions, say): marks for what others have done to the seat since its own last action, above its own
    pieces; the oldest action comes first."""
    guess_pieces: Callable[[View, Mapping[int, str], Say], Pieces] = _no_mapping
    """(view, noted, say): the seat's guesses about others, by their seats and the keys of `Words.guess_labels`."""
    seals: tuple[str, ...] = ()
    """Shapes by seat, 100 wide and 120 high, that replace the common signs of seats: coats of arms, in the paints of
    the seats."""

    def __post_init__(self) -> None:
        _check_hooks(self, data=("boards", "style", "shapes", "sounds", "seals"))
        if "main" not in self.boards:
            raise TypeError(f"Picture.boards has {[*self.boards]}: expected a board named 'main'")
        check_palette(self.sounds)


def words_of(game: Game) -> Words:
    """Return the sentences of a game, as of its version. Raises `TypeError` if its module `words` has no card."""
    return game.card(Words)


def reminder(view: View, say: Say) -> str:
    """Return what a message asks the seat of the view, which is to act."""
    words = words_of(view.game)
    return words.reminder(view, say) if words.reminder else words.prompt(view.public(), say)


def picture_of(game: Game) -> Picture:
    """Return the picture of a game, as of its version. Raises `TypeError` if its module `picture` has no card."""
    return game.card(Picture)
