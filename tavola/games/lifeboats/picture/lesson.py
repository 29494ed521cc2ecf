"""Small drawings from real pieces beside the rules in one minute."""

from markupsafe import Markup

from tavola.games.lifeboats.components import CAPTAIN
from tavola.games.lifeboats.picture.cards import CARD_BACK, card, emblem
from tavola.games.lifeboats.picture.sea import bench_spots
from tavola.show.kit import PAINTS, label, sign, use
from tavola.show.speech import Say
from tavola.show.svg import tag


def lesson(number: int, say: Say) -> Markup:
    """The drawing of section `number`, from 0."""
    drawn = (_aim, _round, _scores, _captains, _leaks, _changes)[number]()
    sea = tag("rect", width=360, height=240, fill="var(--sea6)")
    crests = tag("path", d="M-10 150q30 -26 60 0t60 0t60 0t60 0t60 0t60 0t60 0", fill="none", stroke="var(--foam)")
    page = {"class_": "picture lifeboats", "viewBox": "0 0 360 240", "role": "img", "aria_hidden": "true"}
    return tag("svg", sea, crests, drawn, **page)


def _move_to(x: float, y: float, scale: float, *inside: Markup, turned: float = 0) -> Markup:
    return tag("g", *inside, transform=f"translate({x:g} {y:g}) rotate({turned:g}) scale({scale:g})")


def _manned_boat(paint: str, crew: str, leaks: int = 0) -> Markup:
    """A boat with men: capital letters are officers; `crew` begins with the paints' own letters."""
    letters = {name[0]: name for name in PAINTS[:6]}
    men = []
    for who, at in zip(crew, bench_spots(6), strict=False):
        owner, man = letters[who.lower()], use("officer" if who.isupper() else "sailor")
        place = f"translate({at.x:g} {at.y - 4:g})"
        men.append(tag("g", man, sign(owner, 0, -3, 1.1), class_=owner, transform=place))
    water = [use(f"water-6-{leaks}")] if leaks else []
    springs = [use("spring", at.x, at.y) for at in bench_spots(6)[::-1][:leaks]]
    return tag("g", emblem(paint), *water, *springs, *men)


def _saved_man(seat: int, rank: str, x: float) -> Markup:
    figure = tag("g", use(f"saved-{rank}"), sign(PAINTS[seat], 0, -36, 0.92), class_=PAINTS[seat])
    return _move_to(x, 120, 1, figure)


def _aim() -> Markup:
    shore = _move_to(180, -110, 0.8, use("island-1-2"))
    men = (_saved_man(0, "officer", 110), _saved_man(1, "sailor", 160), _saved_man(0, "sailor", 210))
    return tag("g", shore, *men, _move_to(180, 214, 0.55, _manned_boat("violet", "Vry")))


def _round() -> Markup:
    cards = (
        _move_to(70 + 74 * k, 110, 0.5, card(face), turned=6 * k - 9)
        for k, face in enumerate((CARD_BACK, CARD_BACK, 1, 2))
    )
    return tag("g", *cards)


def _scores() -> Markup:
    rows = []
    for k, (officer, sailor) in enumerate(((8, 6), (6, 4), (7, 5))):
        plaque = use("plaque"), label(officer, -24, 14, 40), label(sailor, 66, 14, 40)
        rows.append(_move_to(180, 52 + 68 * k, 1.1, *plaque))
    return tag("g", *rows)


def _captains() -> Markup:
    cards = (_move_to(100, 120, 0.62, card(2), turned=-7), _move_to(260, 120, 0.62, card(3), turned=7))
    return tag("g", *cards, _move_to(180, 118, 0.78, use("chosen"), card(CAPTAIN)))


def _leaks() -> Markup:
    sinking = tag("g", _manned_boat("violet", "v", 3), use("going-under"))
    leaking = _move_to(105, 122, 0.95, _manned_boat("red", "Rgg", 2))
    return tag("g", leaking, _move_to(262, 128, 0.95, sinking, turned=24))


def _changes() -> Markup:
    swims = tag("g", use("swimming"), use("sailor", 0, -4, 0.92), sign("yellow", 0, -6), class_="yellow")
    boats = _move_to(90, 116, 0.9, _manned_boat("blue", "Bbr")), _move_to(270, 116, 0.9, _manned_boat("green", "Gg"))
    return tag("g", *boats, _move_to(180, 190, 1.2, swims))
