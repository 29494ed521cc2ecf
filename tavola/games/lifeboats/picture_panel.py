"""The panel below the sea: for every seat its name, its cards, its captains and its points; above them the count."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from markupsafe import Markup

from tavola.games.lifeboats.components import BOATS, CAPTAIN, CARDS, COLOURS, LOT, VALUES
from tavola.games.lifeboats.picture_shapes import face
from tavola.games.lifeboats.words.titles import ASKED, card_title
from tavola.show.prints import CARD, edged, short, use
from tavola.show.speech import Say
from tavola.show.svg import group, tag

LEFT, WIDTH = 10, 700
TALLY_LINE, TAB_LINE, PLATE, CARDS_LINE, CAPS_LINE, MEN_LINE = 842, 871, 894, 954, 1009, 1032
"""The middles of the lines of the panel: the count, the tabs on the plates, plates with names, cards, captains, men."""
CACHE = 4096
Ranks = tuple[tuple[int, ...], ...]
LONGEST_NAME, NAME_ROOM = 9, 78
NO_VOTE, THINKS, VOTED = range(3)
ACTING = -1
LEAK_BALLOT, OVERBOARD_BALLOT = 1, 2
VALUE = tuple(tuple(map(int, ranks)) for ranks in VALUES)


def seat_middle(seat: int, players: int) -> float:
    """The middle of a seat's column."""
    return LEFT + WIDTH * (seat + 0.5) / players


@lru_cache(maxsize=CACHE)
def seat_panel(
    seat: int, players: int, name: str, captains: int, ashore: Ranks, card: int, tab: int, lot: bool, say: Say
) -> tuple[str, Markup]:
    """A seat. `card` is NO_VOTE, THINKS or VOTED; `tab` its place at the end, or ACTING, or 0.

    In the lot it can be clicked to be the start player, where chance is played by hand (R5).
    """
    identifier = f"seat-{seat}"
    empty = tag("path", class_="empty" if card == THINKS else "empty idle", d=CARD)
    drawn = group(
        identifier,
        tag("title", say.many("{name}: {count} captain left", "{name}: {count} captains left", captains, name=name)),
        *_plate(seat, name, tab),
        tag("g", use("card-back") if card == VOTED else empty, transform=f"translate(-29 {CARDS_LINE})"),
        *(_captain(number, number < captains) for number in range(3)),
        tag("path", class_="flag", d=f"M18 {CAPS_LINE + 9}L18 {CAPS_LINE - 9}L28 {CAPS_LINE - 4}L18 {CAPS_LINE + 1}"),
        tag("text", str(_points(ashore)), class_="left", x=31, y=CAPS_LINE + 8),
        x=seat_middle(seat, players),
        class_=COLOURS[seat],
        codes=f"start {seat}" if lot else None,
    )
    return identifier, drawn


def _points(ashore: Ranks) -> int:
    """R31."""
    return sum(VALUE[island][rank] * count for island, ranks in enumerate(ashore) for rank, count in enumerate(ranks))


def _plate(seat: int, name: str, tab: int) -> Iterator[Markup]:
    """The name on the seat's colour, and a tab on it: a wedge where it has to act, a medal at the end."""
    acting = " acting" if tab == ACTING else ""
    label = short(name, LONGEST_NAME)
    fitted = {"textLength": NAME_ROOM, "lengthAdjust": "spacingAndGlyphs"} if len(label) > 6 else {}
    if acting:
        yield tag("path", class_="turn", d=f"M-8 {TAB_LINE - 6}L8 {TAB_LINE - 6}L0 {TAB_LINE + 5}Z")
    yield tag("rect", class_=f"plate{acting}", x=-56, y=PLATE - 15, width=112, height=30, rx=7)
    yield use(f"sign-{COLOURS[seat]}", transform=f"translate(-41 {PLATE}) scale(.92)")
    yield tag("text", label, class_="on-paint left", x=-26, y=PLATE + 7, **fitted)
    if tab > 0:
        yield tag("circle", class_=f"medal{' first' if tab == 1 else ''}", cx=44, cy=TAB_LINE, r=14)
        yield tag("text", str(tab), x=44, y=TAB_LINE + 7, class_="on-card")


def _captain(number: int, left: bool) -> Markup:
    place = f"translate({_cap_middle(number)} {CAPS_LINE}) scale(.76)"
    return use("cap", transform=place, class_=None if left else "spent")


def _cap_middle(number: int) -> int:
    return -45 + 23 * number


@lru_cache(maxsize=CACHE)
def starter_marker(starter: int, players: int, phase: int, say: Say) -> tuple[str, Markup]:
    """The black disc of the start player; before the lot it lies aside (R5)."""
    spokes = "M0 -8L0 8M-8 0L8 0M-5.7 -5.7L5.7 5.7M-5.7 5.7L5.7 -5.7"
    drawn = group(
        "starter",
        tag("title", say("start player")),
        tag("circle", class_="disc", r=13),
        tag("circle", class_="helm", r=5.4),
        tag("path", class_="helm", d=spokes),
        x=360 if phase == LOT else seat_middle(starter, players) - 43,
        y=TALLY_LINE if phase == LOT else TAB_LINE,
    )
    return "starter", drawn


@lru_cache(maxsize=CACHE)
def revealed(
    ballots: int, seat: int, players: int, card: int, weight: int, captains: int, say: Say
) -> tuple[str, Markup]:
    """A card of the last ballot, turned: its id counts the ballots, so that each card turns once."""
    identifier = f"ballot-{ballots}-{seat}"
    cancelled = card == CAPTAIN and captains > 1
    front = [face(CARDS[card])]
    if weight:
        front += [
            tag("circle", class_="weight", cx=17, cy=30, r=15),
            tag("text", str(weight), x=17, y=37, class_="on-card"),
        ]
    if cancelled:
        front.append(tag("path", class_="crossed", d="M-22 -34L22 34"))
    drawn = group(
        identifier,
        tag("title", card_title(card, say)),
        tag(
            "g", tag("g", *front, class_="face"), tag("g", use("card-back"), class_="back"), class_=f"deal turn-{seat}"
        ),
        x=seat_middle(seat, players) + 29,
        y=CARDS_LINE,
        class_=f"turned turn-{seat}",
    )
    return identifier, drawn


@lru_cache(maxsize=CACHE)
def tally(ballots: int, ballot: Any, decider: str, say: Say) -> tuple[str, Markup]:
    """The count of the last ballot: what was asked, the votes of each colour, and what was chosen or who chooses."""
    identifier = f"tally-{ballots}"
    votes = [0] * BOATS
    for card, weight in zip(ballot.cards, ballot.weights, strict=True):
        if 0 < card < CAPTAIN:
            votes[card - 1] += weight
    shown = [colour for colour in range(BOATS) if votes[colour] or colour + 1 == ballot.chosen]
    pitch = 70 if len(shown) < 6 else 58
    chips = (
        _chip(colour, votes[colour], 208 + pitch * n, colour + 1 == ballot.chosen) for n, colour in enumerate(shown)
    )
    asked = tag("text", say(ASKED[ballot.kind]), class_="left", x=56, y=TALLY_LINE + 7)
    drawn = group(identifier, _asked(ballot.kind), asked, *chips, _decided(ballot, decider, say))
    return identifier, drawn


def _asked(kind: int) -> Markup:
    """A sign for what the ballot was about: a leak, a man in the waves, a boat under way."""
    shape = {
        LEAK_BALLOT: use("leak", transform="scale(.9)"),
        OVERBOARD_BALLOT: tag(
            "g",
            tag("circle", class_="turn", cy=-6, r=5),
            tag("path", class_="flow", d="M-7 4L-12 -8M7 4L12 -8M-16 8q4 -6 8 0t8 0t8 0t8 0"),
        ),
    }.get(kind, tag("path", class_="flow", d="M-9 0L0 -9L9 0M-9 10L0 1L9 10"))
    return tag("g", shape, transform=f"translate(32 {TALLY_LINE})")


def _decided(ballot: Any, decider: str, say: Say) -> Markup:
    """Who chose, or has to choose, where the majority did not."""
    if not decider:
        return Markup("")
    name = short(decider, LONGEST_NAME)
    said = say("{name} chose", name=name) if ballot.chosen else say("{name} chooses", name=name)
    return tag("text", said, x=704, y=TALLY_LINE + 7, class_="right told")


def _chip(colour: int, votes: int, x: float, chosen: bool) -> Markup:
    ring = tag("circle", class_="chosen", r=20) if chosen else Markup("")
    disc = tag("circle", class_="own chip", r=15)
    sign = use(f"sign-{COLOURS[colour]}", transform="scale(.9)")
    by_captain = use("cap", transform="translate(34 0) scale(.6)")
    counted = tag("text", str(votes), x=36 if chosen else 32, y=7) if votes else by_captain
    told = tag("g", ring, disc, sign, counted, class_="told")
    return tag("g", told, transform=f"translate({x} {TALLY_LINE})", class_=COLOURS[colour])


@lru_cache(maxsize=CACHE)
def own_card(seat: int, players: int, card: int, say: Say) -> tuple[str, Markup]:
    """The face of one's own card, small, on its back: only its owner has this piece."""
    drawn = group(
        "own-card",
        tag("title", card_title(card, say)),
        face(CARDS[card], transform="translate(0 8) scale(.62)"),
        x=seat_middle(seat, players) - 29,
        y=CARDS_LINE,
    )
    return "own-card", drawn


@lru_cache(maxsize=CACHE)
def captain_to_play(seat: int, players: int, captains: int, say: Say) -> tuple[str, Markup]:
    """One's own captain, to be clicked: only his owner has this piece."""
    drawn = group(
        "own-captain",
        tag("title", say("play a captain")),
        edged("circle", 4, r=15),
        use("cap", transform="scale(.76)"),
        x=seat_middle(seat, players) + _cap_middle(captains - 1),
        y=CAPS_LINE,
        codes="vote captain",
    )
    return "own-captain", drawn
