"""The panel below the sea: for every seat its name, its cards, its captains and its points; above them the count."""

from functools import lru_cache
from typing import Any

from markupsafe import Markup

from tavola.core.speech import Say
from tavola.core.svg import group, tag
from tavola.games.lifeboats.components import BOATS, CAPTAIN, CARDS, COLOURS, LOT, VALUES
from tavola.games.lifeboats.picture_shapes import CARD, edged, use
from tavola.games.lifeboats.picture_words import ASKED, card_title

LEFT, WIDTH = 10, 700
PLATE, CARDS_LINE, CAPS_LINE, TALLY_LINE = 889, 950, 1002, 844
"""The middles of the lines of the panel, from its plates with the names to the men below."""
CACHE = 4096
LONGEST_NAME = 8
VALUE = tuple(tuple(map(int, ranks)) for ranks in VALUES)


def seat_middle(seat: int, players: int) -> float:
    """The middle of a seat's column."""
    return LEFT + WIDTH * (seat + 0.5) / players


@lru_cache(maxsize=CACHE)
def seat_panel(
    seat: int, players: int, name: str, captains: int, ashore: tuple[Any, ...], card: int, acting: bool, say: Say
) -> tuple[str, Markup]:
    """A seat: `card` is 0 where it has no vote, 1 while it thinks, 2 when its card lies face down."""
    identifier = f"seat-{seat}"
    points = sum(VALUE[island][rank] * count for island, ranks in enumerate(ashore) for rank, count in enumerate(ranks))
    slot = (None, tag("path", class_="empty", d=CARD), use("card-back"))[card]
    plate = (
        tag("rect", class_=f"plate{' acting' if acting else ''}", x=-56, y=PLATE - 15, width=112, height=30, rx=7),
        use(f"sign-{COLOURS[seat]}", transform=f"translate(-41 {PLATE}) scale(.92)"),
        tag("text", _short(name), class_="on-paint left", x=-25, y=PLATE + 7),
    )
    caps = (
        use(
            "cap",
            transform=f"translate({-43 + 25 * number} {CAPS_LINE}) scale(.78)",
            class_=None if number < captains else "spent",
        )
        for number in range(3)
    )
    drawn = group(
        identifier,
        tag("title", say.many("{name}: {count} captain left", "{name}: {count} captains left", captains, name=name)),
        *plate,
        tag("g", slot, transform=f"translate(-29 {CARDS_LINE})") if slot else Markup(""),
        *caps,
        tag("text", str(points), class_="points", x=42, y=CAPS_LINE + 8),
        x=seat_middle(seat, players),
        class_=COLOURS[seat],
        codes=f"start {seat}",
    )
    return identifier, drawn


def _short(name: str) -> str:
    return name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…"


@lru_cache(maxsize=CACHE)
def starter_marker(starter: int, players: int, phase: int, say: Say) -> tuple[str, Markup]:
    """The black disc of the start player; before the lot it lies aside (R5)."""
    spokes = "M0 -8L0 8M-8 0L8 0M-5.7 -5.7L5.7 5.7M-5.7 5.7L5.7 -5.7"
    drawn = group(
        "starter",
        tag("title", say("start player")),
        tag("circle", class_="disc", r=14),
        tag("circle", class_="helm", r=5.4),
        tag("path", class_="helm", d=spokes),
        x=360 if phase == LOT else seat_middle(starter, players) + 52,
        y=TALLY_LINE if phase == LOT else PLATE - 14,
    )
    return "starter", drawn


@lru_cache(maxsize=CACHE)
def revealed(
    ballots: int, seat: int, players: int, card: int, weight: int, captains: int, say: Say
) -> tuple[str, Markup]:
    """A card of the last ballot, turned: its id counts the ballots, so that each card turns once."""
    identifier = f"ballot-{ballots}-{seat}"
    cancelled = card == CAPTAIN and captains > 1
    face = [use(f"card-{CARDS[card]}")]
    if weight:
        face += [
            tag("circle", class_="weight", cx=17, cy=30, r=15),
            tag("text", str(weight), x=17, y=37, class_="on-card"),
        ]
    if cancelled:
        face.append(tag("path", class_="crossed", d="M-22 -34L22 34"))
    drawn = group(
        identifier,
        tag("title", card_title(card, say)),
        tag("g", tag("g", *face, class_="face"), tag("g", use("card-back"), class_="back"), class_=f"deal turn-{seat}"),
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
    chips = [
        _chip(colour, votes[colour], 178 + 74 * column, colour + 1 == ballot.chosen)
        for column, colour in enumerate(shown)
    ]
    if decider:
        message = (
            say("{name} chose", name=_short(decider)) if ballot.chosen else say("{name} chooses", name=_short(decider))
        )
        chips.append(tag("text", message, x=178 + 74 * len(shown) - 22, y=TALLY_LINE + 7, class_="left"))
    drawn = group(
        identifier, tag("text", say(ASKED[ballot.kind]), class_="left", x=24, y=TALLY_LINE + 7), *chips, class_="tally"
    )
    return identifier, drawn


def _chip(colour: int, votes: int, x: float, chosen: bool) -> Markup:
    ring = tag("circle", class_="chosen", r=20) if chosen else Markup("")
    return tag(
        "g",
        ring,
        tag("circle", class_="own inked", r=15),
        use(f"sign-{COLOURS[colour]}", transform="scale(.9)"),
        tag("text", str(votes), x=30, y=7),
        transform=f"translate({x} {TALLY_LINE})",
        class_=f"{COLOURS[colour]} told",
    )


@lru_cache(maxsize=CACHE)
def own_card(seat: int, players: int, card: int, say: Say) -> tuple[str, Markup]:
    """The face of one's own card, small, on its back: only its owner has this piece."""
    drawn = group(
        "own-card",
        tag("title", card_title(card, say)),
        use(f"card-{CARDS[card]}", transform="translate(0 8) scale(.62)"),
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
        use("cap", transform="scale(.78)"),
        x=seat_middle(seat, players) - 43 + 25 * (captains - 1),
        y=CAPS_LINE,
        codes="vote captain",
    )
    return "own-captain", drawn
