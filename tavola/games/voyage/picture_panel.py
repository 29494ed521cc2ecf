"""Below the chart: the turn counters, the captain's desk with the two courses, the seats with their votes and roles."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from markupsafe import Markup

from tavola.games.voyage.components import BALLOTS, TURNS
from tavola.games.voyage.picture_chart import (
    DESK_HEIGHT,
    DESK_WIDTH,
    HEADING_HEIGHT,
    HEADING_TOP,
    LEFT,
    RIGHT,
    SEATS_TOP,
    SUMMARY_HEIGHT,
    SUMMARY_WIDTH,
    TEXT_X,
    TRACK_HEIGHT,
    TRACK_WIDTH,
    desk_side,
    summary_place,
    turn_box,
)
from tavola.games.voyage.picture_shapes import heading
from tavola.games.voyage.words.titles import (
    BALLOT,
    COURSE,
    ending_text,
    role_way,
    turn_title,
)
from tavola.games.voyage.words.vocabulary import ROLE
from tavola.show.prints import CARD, drawn, edged, short, use
from tavola.show.speech import Say
from tavola.show.svg import group, tag

CACHE = 4096
TAB_LINE, PLATE, CARDS_LINE, ROLE_LINE = SEATS_TOP + 14, SEATS_TOP + 39, SEATS_TOP + 97, SEATS_TOP + 155
"""The middles of the lines of a seat: tabs on its plate, the plate with the name, cards, the role's name."""
VOTE_X, SHOWN_X, CARD_SCALE = -23.5, 23.5, 0.82
NO_VOTE, THINKS, VOTED = range(3)
ACTING = -1
LONGEST_NAME, NAME_ROOM = 9, 80
PREFERRED, ALTERNATIVE = range(2)
VOTE_SIGN, VOTE_SHINE = "M-3.5 0L-1 3L4 -3", "M-4.5 -1.5A5 5 0 0 1 -1 -5"
"""What tells a white disc, with a tick, from a black one."""
CARD_X, BALLOT_X, DESK_MIDDLE = 105, 44, DESK_HEIGHT / 2

Pieces = tuple[tuple[str, Markup], ...]


def seat_middle(seat: int, players: int) -> float:
    """The middle of a seat's column."""
    return LEFT + (RIGHT - LEFT) * (seat + 0.5) / players


# The turn counters


@lru_cache(maxsize=CACHE)
def logged(number: int, turn: Any, captain: str, say: Say) -> tuple[str, Markup]:
    """A turn that is over: the course sailed, on a white disc if it was the preferred one, else on a black one."""
    identifier = f"turn-{number}"
    x, y = turn_box(number)
    black = turn.sailed != turn.preferred
    needle = tag(
        "path",
        d="M0 -10L6.5 2L2.2 2L2.2 9L-2.2 9L-2.2 2L-6.5 2Z",
        fill=f"var(--{'white' if black else 'black'})",
        transform=f"rotate({heading(turn.sailed - 1)}) scale(.88)",
    )
    piece = group(
        identifier,
        tag("title", turn_title(number, turn, captain, say)),
        tag("circle", class_=f"{'black' if black else 'white'} chip", r=10.5),
        needle,
        x=x + TRACK_WIDTH - 14,
        y=y + TRACK_HEIGHT / 2,
    )
    return identifier, piece


@lru_cache(maxsize=CACHE)
def turn_marker(turn: int, over: bool, say: Say) -> Pieces:
    """The coin on the turn counters; on the last turn's box at the end."""
    x, y = turn_box(min(turn, TURNS))
    coin = (
        tag("rect", class_="ring", x=2, y=1, width=TRACK_WIDTH - 4, height=TRACK_HEIGHT - 2, rx=9),
        tag("rect", class_="ring-inner", x=2, y=1, width=TRACK_WIDTH - 4, height=TRACK_HEIGHT - 2, rx=9),
    )
    title = say("The voyage is over in turn {turn}", turn=turn) if over else say("Turn {turn} of 20", turn=turn)
    named = (tag("title", title),)
    return (("turn-marker", group("turn-marker", *named, *coin, x=x, y=y, class_="marker")),)


# The captain's desk


@lru_cache(maxsize=CACHE)
def vote_cards(say: Say) -> Pieces:
    """The two votes, to be clicked."""
    cards = []
    for ballot, name in enumerate(BALLOTS):
        identifier, (x, y) = f"vote-{name}", desk_side(ballot)
        piece = group(
            identifier,
            tag("title", say(BALLOT[ballot])),
            edged("path", 0, d=CARD),
            use(f"ballot-{name}-shape"),
            x=x + BALLOT_X,
            y=y + DESK_MIDDLE,
            codes=f"vote {name}",
        )
        cards.append((identifier, piece))
    return tuple(cards)


@lru_cache(maxsize=CACHE)
def preferred_card(turn: int, course: int, say: Say) -> tuple[str, Markup]:
    """The course that lies open: its card and its name."""
    identifier, (x, y) = f"preferred-{turn}", desk_side(PREFERRED)
    piece = group(
        identifier,
        tag("title", say("preferred course: {course}", course=say(COURSE[course]))),
        tag("g", use(f"course-{course}"), transform=f"translate({CARD_X} {DESK_MIDDLE})"),
        _desk_word(say(COURSE[course])),
        x=x,
        y=y,
        class_="asked",
    )
    return identifier, piece


@lru_cache(maxsize=CACHE)
def alternative_card(turn: int, course: int | None, say: Say) -> tuple[str, Markup]:
    """The course that lies face down; turned up (`course` given) where it was sailed: a new piece, so it turns once."""
    identifier, (x, y) = f"alternative-{turn}" if course is None else f"opened-{turn}", desk_side(ALTERNATIVE)
    known = "?" if course is None else say(COURSE[course])
    down = use("course-back")
    if course is None:
        card, kind = down, "asked"
    else:
        card = tag("g", tag("g", use(f"course-{course}"), class_="face"), tag("g", down, class_="back"))
        kind = "turned late-6"
    piece = group(
        identifier,
        tag("title", say("alternative course: {course}", course=known)),
        tag("g", card, transform=f"translate({CARD_X} {DESK_MIDDLE})"),
        _desk_word(known),
        x=x,
        y=y,
        class_=kind,
    )
    return identifier, piece


def _desk_word(course: str) -> Markup:
    return tag("text", course, class_="left big title", x=TEXT_X, y=62)


@lru_cache(maxsize=CACHE)
def own_alternative(turn: int, course: int, say: Say) -> tuple[str, Markup]:
    """The captain's own look under the card face down: only the captain has this piece."""
    x, y = desk_side(ALTERNATIVE)
    piece = group(
        "own-alternative",
        tag("title", say("your alternative: {course}", course=say(COURSE[course]))),
        use(f"course-{course}", transform=f"translate({CARD_X} {DESK_MIDDLE + 8}) scale(.7)"),
        tag("rect", class_="cover", x=TEXT_X - 4, y=40, width=30, height=28),
        _desk_word(say(COURSE[course])),
        x=x,
        y=y,
        class_="through asked",
    )
    return "own-alternative", piece


@lru_cache(maxsize=CACHE)
def verdict(number: int, turn: Any, players: int, tie_breaker: str, say: Say) -> tuple[str, Markup]:
    """The votes of a turn counted, each a disc; the side that won is framed, in a tie under the captain's hat."""
    identifier = f"verdict-{number}"
    black = bin(turn.black).count("1")
    winner = ALTERNATIVE if turn.sailed != turn.preferred else PREFERRED
    counts = (players - black, black)
    parts = [part for ballot in range(2) for part in _counted(ballot, counts[ballot])]
    x, y = desk_side(winner)
    frame = {"x": x, "y": y, "width": DESK_WIDTH, "height": DESK_HEIGHT, "rx": 8}
    parts += [tag("rect", class_="ring", **frame), tag("rect", class_="ring-inner", **frame)]
    if tie_breaker:
        parts.append(use("hat", transform=f"translate({x + DESK_WIDTH - 28} {y + 24}) scale(1.1)"))
        parts.append(tag("text", short(tie_breaker, LONGEST_NAME), class_="right", x=x + DESK_WIDTH - 12, y=y + 92))
    title = say("{white} white, {black} black", white=counts[0], black=counts[1])
    if tie_breaker:
        title = say("A tie, {white} to {black}: the captain's vote decides", white=counts[0], black=counts[1])
    return identifier, group(identifier, tag("title", title), *parts, class_="through told")


def _counted(ballot: int, votes: int) -> Iterator[Markup]:
    """As many discs as votes, and their number."""
    x, y = desk_side(ballot)
    x, y, colour = x + TEXT_X, y + 86, BALLOTS[ballot]
    sign, ink = (VOTE_SIGN, "black") if ballot == PREFERRED else (VOTE_SHINE, "white")
    for vote in range(votes):
        yield tag("circle", class_=f"{colour} chip", cx=x + 9 + 18 * vote, cy=y, r=8)
        yield drawn(sign, ink, 1.8, transform=f"translate({x + 9 + 18 * vote} {y})")
    yield tag("text", str(votes), class_="left", x=x + (8 + 18 * votes if votes else 0), y=y + 7)


# The seats


@lru_cache(maxsize=CACHE)
def seat_panel(seat: int, players: int, name: str, card: int, tab: int, lot: bool, say: Say) -> tuple[str, Markup]:
    """A seat. `card` is NO_VOTE, THINKS or VOTED; `tab` its place at the end, or ACTING, or 0.

    In the lot it can be clicked to be the first captain, where chance is played by hand (R7).
    """
    identifier = f"seat-{seat}"
    told = {
        NO_VOTE: name,
        THINKS: say("{name} has not voted yet", name=name),
        VOTED: say("{name} has voted", name=name),
    }
    back = tag("g", use("ballot-back"), class_="deal") if card == VOTED else _empty(card == THINKS)
    piece = group(
        identifier,
        tag("title", told[card]),
        *_plate(name, tab),
        tag("g", back, transform=f"translate({VOTE_X} {CARDS_LINE}) scale({CARD_SCALE})"),
        tag("g", _empty(False), transform=f"translate({SHOWN_X} {CARDS_LINE}) scale({CARD_SCALE})"),
        x=seat_middle(seat, players),
        codes=f"captain {seat}" if lot else None,
    )
    return identifier, piece


def _empty(waiting: bool) -> Markup:
    return tag("path", class_="empty" if waiting else "empty idle", d=CARD)


def _plate(name: str, tab: int) -> Iterator[Markup]:
    """The name, and a tab on it: a wedge where it has to act, a medal at the end."""
    acting = " acting" if tab == ACTING else ""
    label = short(name, LONGEST_NAME)
    fitted = {"textLength": NAME_ROOM, "lengthAdjust": "spacingAndGlyphs"} if len(label) > 6 else {}
    if acting:
        yield tag("path", class_="turn", d=f"M-8 {TAB_LINE - 4}L8 {TAB_LINE - 4}L0 {TAB_LINE + 7}Z")
    yield tag("rect", class_=f"plate{acting}", x=-46, y=PLATE - 15, width=92, height=30, rx=7)
    yield tag("text", label, class_="on-card", y=PLATE + 7, **fitted)
    if tab > 0:
        yield tag("circle", class_=f"medal{' first' if tab == 1 else ''}", cx=30, cy=TAB_LINE + 4, r=14)
        yield tag("text", str(tab), x=30, y=TAB_LINE + 11, class_="on-card")


@lru_cache(maxsize=CACHE)
def captain_marker(captain: int, players: int, say: Say) -> tuple[str, Markup]:
    """The hat, above the captain's name."""
    hat = use("hat", transform="scale(1)")
    x = seat_middle(captain, players) - 26
    return "captain", group("captain", tag("title", say("captain")), hat, x=x, y=TAB_LINE + 5, class_="through marker")


@lru_cache(maxsize=CACHE)
def revealed(turn: int, seat: int, players: int, black: bool, say: Say) -> tuple[str, Markup]:
    """A vote of the last ballot, turned: its id counts the turns, so that each card turns once."""
    identifier = f"ballot-{turn}-{seat}"
    front = use(f"ballot-{BALLOTS[black]}-shape")
    turning = tag("g", tag("g", front, class_="face"), tag("g", use("ballot-back"), class_="back"))
    piece = group(
        identifier,
        tag("title", say(BALLOT[black])),
        tag("g", turning, transform=f"scale({CARD_SCALE})"),
        x=seat_middle(seat, players) + SHOWN_X,
        y=CARDS_LINE,
        class_=f"turned late-{seat}",
    )
    return identifier, piece


@lru_cache(maxsize=CACHE)
def own_vote(seat: int, players: int, ballot: int, say: Say) -> tuple[str, Markup]:
    """The face of one's own vote, small, on its back: only its owner has this piece."""
    piece = group(
        "own-vote",
        tag("title", say(BALLOT[ballot])),
        use(f"ballot-{BALLOTS[ballot]}-shape", transform="translate(0 7) scale(.54)"),
        x=seat_middle(seat, players) + VOTE_X,
        y=CARDS_LINE,
        class_="through",
    )
    return "own-vote", piece


# The roles


@lru_cache(maxsize=CACHE)
def own_role(role: int, sailor: int, say: Say) -> tuple[str, Markup]:
    """One's own role and its way to points, and its frame in the summary: only its owner has this piece."""
    x, y = summary_place(role)
    frame = {"x": x - 1, "y": y - 1, "width": SUMMARY_WIDTH - 4, "height": SUMMARY_HEIGHT + 2, "rx": 9}
    name, way = say(ROLE[role]), role_way(role, sailor, say)
    fitted = {"textLength": 588, "lengthAdjust": "spacingAndGlyphs"} if len(way) > 54 else {}
    sheet = {"x": LEFT, "y": HEADING_TOP, "width": RIGHT - LEFT, "height": HEADING_HEIGHT, "rx": 8}
    piece = group(
        "own-role",
        tag("title", say("your role: {role}", role=name)),
        tag("rect", class_="cardboard inked", **sheet),
        tag("rect", class_="own inked", x=LEFT, y=HEADING_TOP, width=56, height=HEADING_HEIGHT, rx=8),
        use(f"emblem-{role}", transform=f"translate({LEFT + 28} {HEADING_TOP + HEADING_HEIGHT / 2}) scale(1.15)"),
        tag("text", name, class_="left big title on-card", x=LEFT + 68, y=HEADING_TOP + 24),
        tag("text", way, class_="left on-card", x=LEFT + 68, y=HEADING_TOP + 48, **fitted),
        tag("rect", class_="ring", **frame),
        tag("rect", class_="ring-inner", **frame),
        class_=f"role-{role}",
    )
    return "own-role", piece


@lru_cache(maxsize=CACHE)
def turned_role(seat: int, players: int, role: int, points: int, say: Say) -> tuple[str, Markup]:
    """A role turned up at the end, with its points."""
    identifier = f"role-{seat}"
    name = say(ROLE[role])
    turning = tag("g", tag("g", use(f"role-card-{role}"), class_="face"), tag("g", use("role-back"), class_="back"))
    fitted = {"textLength": 84, "lengthAdjust": "spacingAndGlyphs"} if len(name) > 7 else {}
    piece = group(
        identifier,
        tag("title", say.many("{role}: {count} point", "{role}: {count} points", points, role=name)),
        tag("g", turning, transform=f"translate({VOTE_X} {CARDS_LINE}) scale({CARD_SCALE})"),
        tag(
            "g",
            tag("text", name, y=ROLE_LINE, **fitted),
            tag("circle", class_="medal", cx=VOTE_X, cy=CARDS_LINE + 23, r=16),
            tag("text", str(points).replace("-", "−"), x=VOTE_X, y=CARDS_LINE + 30, class_="on-card"),
            class_="after",
        ),
        x=seat_middle(seat, players),
        class_=f"role-{role} turned late-{seat}",
    )
    return identifier, piece


@lru_cache(maxsize=CACHE)
def ending_banner(ending: int, say: Say) -> Pieces:
    """How the voyage ended, across the heading of the summary."""
    sheet = {"x": LEFT, "y": HEADING_TOP, "width": RIGHT - LEFT, "height": HEADING_HEIGHT, "rx": 8}
    piece = group(
        "ending",
        tag("rect", class_="gold inked", **sheet),
        tag("text", ending_text(ending, say), class_="big title on-card", x=360, y=HEADING_TOP + 37),
        class_="after",
    )
    return (("ending", piece),)
