"""The promises of every game beside its rules: its text, sentences in four languages, a picture, goldens."""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from itertools import count, zip_longest
from pathlib import Path
from xml.etree import ElementTree

from markupsafe import Markup

from tavola.contract.golden import golden_names, golden_text
from tavola.contract.samples import Breach, Sample, expect, redealt
from tavola.contract.words import (
    NAMES,
    SENTENCE_SHARE,
    all_words,
    catalogues_are_complete,
    choices_are_worded_by_their_key,
    options_are_named,
    sentences_can_be_said,
    translations_fit,
    waiting_seats_see_the_same_prompt,
)
from tavola.core.game import CHANCE, Game
from tavola.core.match import read_record
from tavola.core.rng import random_below, stream
from tavola.core.rulesets import RULESETS_FOLDER
from tavola.core.view import View
from tavola.show.board import Pieces
from tavola.show.cards import picture_of, reminder, words_of
from tavola.show.pictures import all_pieces, ballot_cards, drawing, leader, scene, seat_badges
from tavola.show.speech import Say
from tavola.show.svg import tag

FORBIDDEN = ("script", "foreignObject", "a", "iframe", "i")
"""Elements that are forbidden in pictures; `i` would come from a name that is not escaped."""
SHAPE_USE = re.compile(r'(?:href="#|url\(#)([\w-]+)')
SHAPE_ID = re.compile(r'\bid="([\w-]+)"')
SCENE_SHARE = 4
"""One scene in this number is checked."""
SCENERY = ("data:image/svg+xml;", "../picture/")
"""Beginnings of allowed image addresses: the picture's own scenery, embedded or beside its golden."""


# Once a game


def the_card_is_complete(game: Game) -> None:
    """Name, seats, options and codes of actions are usable everywhere: in commands, files and addresses."""
    expect(re.fullmatch(r"[a-z][a-z0-9_]*", game.name), f"name {game.name!r}: expected lower-case letters and digits")
    expect(game.title and game.version >= 1, "expected a title, and a version of at least 1")
    expect(2 <= game.players[0] <= game.players[1] <= 10, f"players {game.players}: expected 2 to 10 seats")
    seats = game.state.fields["hand"].length  # type: ignore[attr-defined]
    expect(seats >= game.players[1], f"the state has {seats} hands: expected one for each of {game.players[1]} seats")
    expect(len(set(game.actions.codes)) == len(game.actions), "two actions have the same code")
    for number, code in enumerate(game.actions.codes):
        expect(game.actions.number(code) == number, f"code {code!r} is read as a different action")
    for option in game.options.all:
        for value in option.values():
            same = option.read(option.write(value)) == value
            expect(same, f"option {option.name}: {value} is read as a different value")


def the_rules_are_written(game: Game) -> None:
    """RULES.md numbers its paragraphs R1, R2 …, contains all that the code cites, and names every option."""
    text = _text(game, "RULES.md")
    numbered = {int(number) for number in re.findall(PARAGRAPH, text, re.MULTILINE)}
    complete = numbered and numbered == set(range(1, len(numbered) + 1))
    expect(complete, f"RULES.md has the paragraphs {sorted(numbered)}: expected R1, R2 and so on")
    for path in sorted(game.folder.rglob("*.py")):
        if path.parent.name != RULESETS_FOLDER:
            cited = {int(number) for number in re.findall(r"\bR(\d+)\b", path.read_text(encoding="utf-8"))}
            expect(cited <= numbered, f"{path.name} cites R{min(cited - numbered, default=0)}: expected it in RULES.md")
    for option in game.options.all[1:]:
        expect(f"`{option.name}`" in text, f"RULES.md: expected a description of the option `{option.name}`")


PARAGRAPH = r"^[\s#*|>_-]*R(\d+)"
"""Matches the number of a paragraph of the rules."""
ALIGNED_PATTERNS = {
    "paragraphs": PARAGRAPH,
    "options and values": r"`([\w-]+)`",
    "rulings": r"\bF(\d+)\b",
    "citations": r"\[\w+ ([F\d, ]+)\]",
    "tables": r"\| ((?:[RF]?\d+(?:, )?)+) (?=\|)",
    "examples": r"^> \*\*\w+ (\d+)\.\*\*",
}
"""Patterns of parts that a page of rules has in the same order in every language."""


def the_rules_are_the_same_in_every_language(game: Game) -> None:
    """Every translation of RULES.md has its paragraphs, options and rulings in its order; so have kept versions."""
    kept = (path for path in sorted((game.folder / RULESETS_FOLDER).glob("v*.md")) if "." not in path.stem)
    for rules in ("RULES", *(f"{RULESETS_FOLDER}/{path.stem}" for path in kept)):
        text = _text(game, f"{rules}.md")
        for path in sorted(game.folder.glob(f"{rules}.*.md")):
            translated = path.read_text(encoding="utf-8")
            for what, pattern in ALIGNED_PATTERNS.items():
                ours, theirs = (re.findall(pattern, page, re.MULTILINE) for page in (text, translated))
                expect(ours == theirs, f"{path.name} has the {what} {theirs}: expected {ours}")


def is_without_tests(game: Game) -> bool:
    """Return whether this is a built-in game from a wheel: its tests and goldens are only in the checkout."""
    shelf = Path(__file__).parents[1] / "games"
    return game.folder.parent == shelf and not (shelf.parents[1] / "pyproject.toml").exists()


def every_paragraph_is_tested(game: Game) -> None:
    """Every paragraph of RULES.md is cited by a test beside it: `R12` in its text, or `r12` in its name."""
    if is_without_tests(game):
        return
    numbered = set(re.findall(PARAGRAPH, _text(game, "RULES.md"), re.MULTILINE))
    tests = "".join(path.read_text(encoding="utf-8") for path in sorted(game.folder.glob("test_*.py")))
    ranges = re.findall(r"\bR(\d+) to R(\d+)\b", tests)
    between = {str(number) for first, last in ranges for number in range(int(first), int(last) + 1)}
    untested = numbered - between - set(re.findall(r"(?:\bR|_r)(\d+)(?![\d])", tests))
    expect(not untested, f"no test cites R{min(untested, key=int, default='')}: expected one for each paragraph")


def goldens_hold(game: Game) -> None:
    """The goldens in `golden/` match the game's present actions, sentences and drawings."""
    if is_without_tests(game):
        return
    kept_lines = {name: _text(game, f"golden/{name}").splitlines() for name in golden_names(game)}
    for name, kept in kept_lines.items():
        pairs = zip_longest(kept, golden_text(game, name).splitlines(), fillvalue="")
        for line, (old, new) in enumerate(pairs, 1):
            if old != new:
                drawn = name == "boards.txt" or name.endswith(".svg")
                look = f"`tavola check {game.name} --sheet boards.html` draws all boards for review; " if drawn else ""
                hint = f"{look}if the change is intended, `tavola check {game.name} --write-golden` updates the file"
                expect(False, f"golden/{name}, line {line}: {_difference(old, new)}; {hint}")


def _difference(old: str, new: str) -> str:
    """Return two lines from shortly before the place where they differ."""
    start = max(0, next(place for place in count() if old[:place] != new[:place]) - 40)
    return f"expected {old[start : start + 100]!r}, found {new[start : start + 100]!r}"


def old_records_replay(game: Game) -> None:
    """Every record in `golden/records/` is a whole match that ends with the points and places in its comments."""
    for path in sorted((game.folder / "golden" / "records").glob("*")):
        name, text = f"golden/records/{path.name}", path.read_text(encoding="utf-8")
        record = read_record(text)
        match = record.match()
        expect(match.over, f"{name}: expected a complete match")
        for word, found in (("points", match.score().points), ("places", match.score().ranks)):
            told = re.search(rf"^;.*\b{word}:? ((?:-?\d+ ?)+)", text, re.MULTILINE)
            same = told and tuple(map(int, told[1].split())) == found
            expect(same, f"{name}: expected a comment with {word} {found}")
        again = read_record(str(match.record(record.names)))
        expect(again == record, f"{name}: the record changes when it is read, replayed and written")


def _text(game: Game, name: str) -> str:
    path = game.folder / name
    expect(path.exists(), f"{name} is missing from the game's folder")
    return path.read_text(encoding="utf-8")


# At a position


def pictures_can_be_drawn(w: Sample) -> None:
    """Every board is well formed, its pieces have their ids, and parts to touch name actions of the game."""
    if not w.is_due(SENTENCE_SHARE):
        return
    say = Say.of(w.game, "it", NAMES)
    for seat in (w.random_seat(), None):
        view, picture = w.match.view(seat), picture_of(w.game)
        drawn, alone = picture.pieces(view, say), picture.own_pieces(view, say)
        same = drawn == picture.pieces(view.public(), say)
        expect(same, f"the pieces seat {seat} sees differ from a spectator's: expected `own` to have what only it sees")
        expect(seat is not None or not any(alone.values()), "a spectator has private pieces: expected none")
        _pieces_are_whole(w.game, drawn, alone)
        _decisions_can_be_touched(w, seat, "".join(_all_markup(drawn, alone)))
        for board in picture.boards:
            _drawing_is_clean(w.game, ElementTree.fromstring(str(drawing(view, say, board))))  # noqa: S314


def seats_can_be_marked(w: Sample) -> None:
    """Cards, badges and the mark of the leader belong to seats at the table and begin with a title."""
    if not w.is_due(SENTENCE_SHARE):
        return
    say, view = Say.of(w.game, "it", NAMES), w.match.view()
    led = leader(view, say)
    found = (("ballot_cards", ballot_cards(view, say)), ("seat_badges", seat_badges(view, say)))
    marks = [(what, seat, drawn) for what, by_seat in found for seat, drawn in by_seat.items()]
    for what, seat, drawn in [*marks, ("leader", *led)] if led else marks:
        known = seat in w.players
        expect(known, f"picture.{what} draws for seat {seat!r}: expected a seat from 0 to {len(w.players) - 1}")
        root = ElementTree.fromstring(str(tag("svg", drawn)))  # noqa: S314
        titled = len(root) and root[0].tag == "title" and (root[0].text or "").strip()
        expect(titled, f"picture.{what} draws {str(drawn)!r:.60}: expected a descriptive title first")
        expect("data-codes" not in drawn, f"picture.{what} has codes of actions: expected them only on boards")
        _shapes_are_there(w.game, drawn)
        _drawing_is_clean(w.game, root)


def _pieces_are_whole(game: Game, *boards: Pieces) -> None:
    """Check that every piece is a `g` with its own id, once over all boards, on a board that the game has."""
    seen: set[str] = set()
    for name, pieces in ((name, pieces) for drawn in boards for name, pieces in drawn.items()):
        known = picture_of(game).boards
        expect(name in known, f"pieces for the board {name!r}: expected one of {[*known]}")
        for identifier, markup in pieces.items():
            root = ElementTree.fromstring(markup)  # noqa: S314
            named = root.tag == "g" and root.get("id") == identifier
            expect(named, f"piece {identifier!r}: expected a `g` with that id")
            expect(identifier not in seen, f"piece {identifier!r} is on two boards: expected each id once")
            seen.add(identifier)
            _shapes_are_there(game, markup)


@cache
def _shapes(game: Game) -> frozenset[str]:
    return frozenset(SHAPE_ID.findall(picture_of(game).shapes))


def _shapes_are_there(game: Game, markup: str) -> None:
    missing = set(SHAPE_USE.findall(markup)) - {*SHAPE_ID.findall(markup)} - _shapes(game)
    expect(not missing, f"the picture uses {sorted(missing)}: expected shapes from picture.shapes")


def _all_markup(*boards: Pieces) -> Iterator[str]:
    return (markup for drawn in boards for pieces in drawn.values() for markup in pieces.values())


def _decisions_can_be_touched(w: Sample, seat: int | None, drawn: str) -> None:
    """Check that every legal action of a seat has a piece that it sees; without arguments a button is enough."""
    meant = {code for codes in re.findall(r'data-codes="([^"]*)"', drawn) for code in codes.split("|")}
    legal = w.match.legal_codes(seat) if seat in w.match.to_act else []
    missing = next((code for code in legal if " " in code and code not in meant), None)
    expect(missing is None, f"no piece that seat {seat} sees has the code {missing!r}: expected all its legal actions")


def scenes_can_be_played(w: Sample) -> None:
    """Scenes show only public pieces, take the same time in every language, and last long enough."""
    before, after = View(w.game, w.before, None), View(w.game, w.states, None)
    played = w.match.last_action()
    frames = scene(before, after, played, Say.of(w.game, "en"))
    if not frames or not w.is_due(SCENE_SHARE):
        return
    said = Say.of(w.game, "it", NAMES)
    lengths = [(frame.milliseconds, frame.minimum, frame.log_lines) for frame in frames]
    spoken = [(frame.milliseconds, frame.minimum, frame.log_lines) for frame in scene(before, after, played, said)]
    expect(lengths == spoken, f"the scene lasts {spoken} in Italian and {lengths} in English: expected the same")
    seat = w.random_seat()
    seen = scene(View(w.game, w.before, seat), View(w.game, w.states, seat), played, said)
    for frame, same in zip(scene(before, after, played, said), seen, strict=True):
        expect(frame.milliseconds >= frame.minimum >= 0, f"{frame}: expected milliseconds to be at least the minimum")
        expect(not frame.sound or frame.sound in picture_of(w.game).sounds, f"{frame.sound!r} is not in Picture.sounds")
        expect(frame.sound == same.sound, f"seat {seat} hears {same.sound!r}, a spectator {frame.sound!r}")
        pieces = frame.draw()
        expect(pieces == same.draw(), f"a frame that seat {seat} sees differs from a spectator's")
        _pieces_are_whole(w.game, pieces)
        inside = Markup("".join(_all_markup(pieces)))
        _drawing_is_clean(w.game, ElementTree.fromstring(str(tag("svg", inside))))  # noqa: S314
    told = [frame.log_lines for frame in frames]
    expect(told == sorted(told), f"the frames show {told} log lines: expected these numbers not to fall")


def backdrops_are_clean(game: Game) -> None:
    """Scenery is in `picture/`, covers its board with the bleed, loads nothing from elsewhere and has dark colours."""
    for board in picture_of(game).boards.values():
        for shown in filter(None, (board.phone, board.phone_at_end)):
            (x, y, width, height), (left, top, wide, high) = shown, board.bleed
            inside = left <= x < x + width <= left + wide and top <= y < y + height <= top + high
            expect(inside, f"a phone shows {shown}: expected an area within the board and its bleed, {board.bleed}")
        if board.backdrop:
            text = _text(game, f"picture/{board.backdrop}")
            root = ElementTree.fromstring(text)  # noqa: S314
            covered = [float(edge) for edge in root.get("viewBox", "").split()]
            expect(covered == [*board.bleed], f"{board.backdrop} covers {covered}: expected {board.bleed}")
            dark = "prefers-color-scheme" in text or "light-dark(" in text
            expect(dark, f"{board.backdrop}: expected colours for dark mode")
            alone = "http" not in text.replace("http://www.w3.org/", "")
            expect(alone, f"{board.backdrop} refers to outside resources")
            _drawing_is_clean(game, root)


def shapes_and_lessons_are_drawn(game: Game) -> None:
    """Shapes and style load nothing from elsewhere, and each section of the rules in one minute has its drawing."""
    picture, say = picture_of(game), Say.of(game, "en")
    expect("url(" not in picture.style and "@import" not in picture.style, "picture.style loads outside resources")
    _shapes_are_there(game, picture.shapes)
    values = {f"word-{name}" for verb in game.actions.verbs for names in verb.arguments.values() for name in names}
    values |= {f"word-{verb.name}" for verb in game.actions.verbs}
    unsaid = {name for name in _shapes(game) if name.startswith("word-")} - values
    expect(not unsaid, f"picture.shapes has {sorted(unsaid)}: expected verbs or argument values after `word-`")
    lessons = [str(picture.lesson(number, say)) for number in range(len(words_of(game).lesson(say)))]
    distinct = len({*lessons}) == len(lessons)
    expect(distinct, "picture.lesson draws two sections alike: expected a different drawing for each")
    for drawn in lessons:
        _shapes_are_there(game, drawn)
        _drawing_is_clean(game, ElementTree.fromstring(drawn))  # noqa: S314


def _drawing_is_clean(game: Game, root: ElementTree.Element) -> None:
    identifiers = Counter(element.get("id") for element in root.iter() if element.get("id"))
    twice = [str(name) for name, uses in identifiers.items() if uses > 1]
    expect(not twice, f"the picture uses an id twice, for pieces or shapes: {', '.join(twice)}")
    for element in root.iter():
        name = element.tag.rpartition("}")[2]
        if name in FORBIDDEN:
            raise Breach(f"the picture has an element {name!r}: expected shapes and text")
        for key, value in element.attrib.items():
            if key.startswith("on") or key == "style":
                raise Breach(f"the picture has an attribute {key!r}: pages do not allow it")
            if key.endswith("href") and not value.startswith(SCENERY if name == "image" else "#"):
                raise Breach(f"the picture refers to {value!r}: expected only its own parts")
        for meant in ("data-codes", "data-adds", "data-removes", "data-first"):
            for code in filter(None, element.get(meant, "").split("|")):
                game.actions.number(code)


def hidden_parts_are_not_told(w: Sample) -> None:
    """Two states that differ only in what is hidden from a seat give it the same sentences and the same picture.

    The messages to the other seats do not reveal it either.
    """
    if not w.is_due(SENTENCE_SHARE):
        return
    seat, say = w.random_seat(), Say.of(w.game, "en")
    other = redealt(w.match.view(seat), stream(int(random_below(w.rng, 2**31 - 1))))
    for viewer in (seat, None):
        views = View(w.game, w.states, viewer), View(w.game, other, viewer)
        one, two = (_words_and_boards(view, say) for view in views)
        for what in one if views[0] == views[1] else ():
            same = one[what] == two[what]
            expect(same, f"{what} of seat {viewer} reveals what is hidden from it: {one[what]!r:.200}")
    for reader in {*w.match.to_act} - {seat, CHANCE}:
        said, elsewhere = (reminder(View(w.game, states, reader), say) for states in (w.states, other))
        found = f"words.reminder asks seat {reader} {said!r} or {elsewhere!r}"
        expect(said == elsewhere, f"{found}: expected what seat {seat} may read")


def _words_and_boards(view: View, say: Say) -> dict[str, object]:
    return {**all_words(view, say), **{f"the board {board}": drawn for board, drawn in all_pieces(view, say).items()}}


TEXT_CHECKS: tuple[Callable[[Game], None], ...] = (
    the_card_is_complete,
    the_rules_are_written,
    the_rules_are_the_same_in_every_language,
    every_paragraph_is_tested,
    options_are_named,
    backdrops_are_clean,
    shapes_and_lessons_are_drawn,
)
"""Checks that cost next to nothing."""
FOLDER_CHECKS: tuple[Callable[[Game], None], ...] = (
    translations_fit,
    catalogues_are_complete,
    goldens_hold,
    old_records_replay,
)
"""Checks of everything that changes with the rules; they are run when these are sound."""
SPOKEN_CHECKS: tuple[Callable[[Sample], None], ...] = (
    sentences_can_be_said,
    waiting_seats_see_the_same_prompt,
    choices_are_worded_by_their_key,
    pictures_can_be_drawn,
    seats_can_be_marked,
    scenes_can_be_played,
    hidden_parts_are_not_told,
)
