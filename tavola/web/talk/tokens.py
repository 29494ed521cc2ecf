"""Tokens of statements: a luggage tag that shows the speaker, the topic and the time, and the outcome.

States differ in more than colour: a due promise has a second edge, a kept one a seal with a tick, a broken one two
halves, and a void one a dashed line.
"""

from functools import lru_cache

from markupsafe import Markup

from tavola.core import Game
from tavola.show.cards import picture_of
from tavola.show.kit import PAINTS
from tavola.show.svg import tag
from tavola.talk import Language, Pattern, Statement, Status, When, language_of
from tavola.web.table.player_panels import paint_of

BODY = "M10 2H57a5 5 0 0 1 5 5V39a5 5 0 0 1 -5 5H10L0 33V13Z"
CAP = "M10 2H22V44H10L0 33V13Z"
TEAR = "M33 -1L28 8L36 17L29 26L36 36L31 47"
"""Edge along which a broken token is torn."""
BAR = Markup('<path class="casing" d="M28 35L48 11"/><path class="bar" d="M28 35L48 11"/>')
MARKS = {
    When.NOW: Markup('<circle class="point" cx="56" cy="23" r="3"/>'),
    When.NEXT: Markup('<circle class="ring" cx="56" cy="23" r="3.2"/>'),
    When.ROUND: Markup("").join(
        Markup('<circle class="point" cx="56" cy="{}" r="2.7"/>').format(y) for y in (12, 23, 34)
    ),
}
"""When a promise is due: this decision, the next of its kind, or all of this round."""
EAR = Markup(
    '<g class="ear {0}"><circle cx="59" cy="3" r="9"/><use href="#seal-{0}" x="53" y="-3" width="12" height="12"/></g>'
)
"""The sign of the seat to which a promise was whispered."""
SEAL = Markup(
    '<g class="wax" transform="translate(51 37)"><circle r="12"/><path class="tick" d="M-5.5 0L-1.5 4.5L6 -4.5"/></g>'
)


def tag_of(statement: Statement, language: Language, state: str = "", title: str = "") -> Markup:
    """Return the token of a statement, empty if it has no deed and no fact; `state`: `due`, or its outcome."""
    deed = statement.deed
    pattern, when = (deed.pattern, deed.when) if deed is not None else (statement.fact, None)
    if pattern is None:
        return Markup()
    hearer = statement.to if statement.is_whispered else None
    return token(language.game, statement.speaker, pattern, when, hearer, state, title)


@lru_cache(maxsize=2048)
def token(
    game: Game, speaker: int, pattern: Pattern, when: When | None, hearer: int | None, state: str, title: str
) -> Markup:
    """Return one luggage tag, 62 by 46 units; `hearer`: the seat that it was whispered to."""
    drawn = _drawn(language_of(game), speaker, pattern, when)
    inside = _halves(drawn) if state == Status.BROKEN else drawn
    ear = EAR.format(paint_of(hearer)) if hearer is not None else Markup()
    seal = SEAL if state == Status.KEPT else Markup()
    return tag(
        "svg",
        *([tag("title", title)] if title else []),
        inside,
        ear,
        seal,
        class_=f"tag {state}".strip(),
        viewBox="-5 -7 75 58",
        **({"role": "img"} if title else {"aria_hidden": "true"}),
    )


def _drawn(language: Language, speaker: int, pattern: Pattern, when: When | None) -> Markup:
    paint = paint_of(speaker)
    seal = Markup('<use href="#seal-{}" x="3" y="15" width="16" height="16"/>').format(paint) if paint else Markup()
    placed = [slot for slot in pattern.slots if slot.place is not None]
    return Markup("").join(
        [
            Markup('<path class="edge" d="{}"/><path class="paper" d="{}"/>').format(BODY, BODY),
            Markup('<g class="{}"><path class="cap" d="{}"/>{}</g>').format(paint, CAP, seal),
            sign_of(language, pattern),
            BAR if pattern.negated != any(slot.excluded for slot in placed) else Markup(),
            MARKS[when] if when is not None else Markup(),
        ]
    )


def _halves(drawn: Markup) -> Markup:
    edge = Markup('<path class="tear" d="{}"/>').format(TEAR)
    halves = Markup()
    for x, turned in ((-4, "rotate(-9 12 30) translate(-2 0)"), (32, "rotate(13 50 30) translate(3 1)")):
        half = tag("svg", drawn, x=x, y=-4, width=36, height=54, viewBox=f"{x} -4 36 54")
        halves += tag("g", half, edge, class_="half", transform=turned)
    return halves


def sign_of(language: Language, pattern: Pattern) -> Markup:
    """Return the sign of a topic: the game's own shape, a seat's sign, or a speech bubble if there is neither."""
    verb = language.deeds.get(pattern.verb) or language.facts[pattern.verb]
    slots = zip(pattern.slots, verb.arguments.items(), strict=True)
    placed = [(argument, names, slot.place) for slot, (argument, names) in slots if slot.place is not None]
    named = [names[place] for _, names, place in placed]
    seats = [paint_of(place) for argument, _, place in placed if argument == "seat"]
    shape = _shape(language.game, (*reversed(named), pattern.verb))
    paint = next((value for value in (*reversed(named), *seats) if value in PAINTS), "")
    if shape and (not paint or shape != f"said-{pattern.verb}"):
        return Markup('<g class="picture {}" transform="translate(38 23) scale(.56)"><use href="#{}"/></g>').format(
            language.game.name, shape
        )
    if paint:
        return Markup(
            '<g class="{}"><circle class="disc-of" cx="38" cy="23" r="12"/>'
            '<use href="#seal-{}" x="30" y="15" width="16" height="16"/></g>'
        ).format(paint, paint)
    return Markup('<use class="unnamed" href="#i-talk" x="26" y="11" width="24" height="24"/>')


@lru_cache(maxsize=512)
def _shape(game: Game, values: tuple[str, ...]) -> str:
    """Return the first of the game's shapes for a value or its prefix: `sword-3` is a sword."""
    names = (name for value in values for name in (value, value.split("-")[0]))
    wanted = (f"{kind}-{name}" for name in names for kind in ("word", "said"))
    return next((name for name in wanted if f'id="{name}"' in picture_of(game).shapes), "")
