"""How a change is shown: powers that meet, cards that change hands, panes that light, the King that rises."""

from collections.abc import Mapping

from markupsafe import Markup

from tavola.core.actions import Played
from tavola.games.fairies.components import CROWNED, GLIMPSE, OVER, REVEAL, STEAL, Seen
from tavola.games.fairies.picture.garden import gardens, text, use
from tavola.games.fairies.picture.places import FAIRY_X, GARDEN_HEIGHT, GARDEN_WIDTH, SLOTS, STAR_Y, TILE
from tavola.games.fairies.picture.window import pane, window
from tavola.games.fairies.words.nouns import attack, attack_of_three
from tavola.show.board import Frame
from tavola.show.speech import Say
from tavola.show.svg import group, tag

Drawn = dict[str, Markup]
Pieces = Mapping[str, Mapping[str, Markup]]
POWERS = {"green": 0, "blue": 1, "red": 2}
LAST = 1_500
"""How long a result that settles something stays, in milliseconds."""


def board(view: Seen, say: Say, over: Drawn | None = None) -> Pieces:
    """Everything on the table, with what a scene lays over it."""
    return {"main": {**window(view, say), **gardens(view, say), **(over or {})}}


def scene(before: Seen, after: Seen, played: Played | None, say: Say) -> list[Frame]:
    """The pictures between two public views one action apart; most changes need none."""
    if played is not None and played.verb in (*POWERS, "cover"):
        return _meeting(before, played, say)
    if before.table.phase == STEAL:
        return _theft(before, after, say)
    if before.table.phase in (REVEAL, GLIMPSE) and before.table.place:
        return _reveal(before, after, say)
    if after.table.ending == CROWNED != before.table.ending:
        return [Frame(lambda: board(after, say), 2_200, LAST, 2)]
    if after.table.phase == OVER != before.table.phase:
        return [Frame(lambda: board(after, say), 2_000, LAST, after.table.players)]
    return []


def _meeting(before: Seen, played: Played, say: Say) -> list[Frame]:
    """R13, R17: the two strengths side by side, before what they do."""
    t = before.table
    victim = _victim(before, played)
    if played.verb == "cover":
        strengths = [attack_of_three(t.fairies[seat]) for seat in (played.seat, victim)]
        column = 1
    else:
        column = POWERS[played.verb]
        strengths = [attack(t.fairies[seat], column) for seat in (played.seat, victim)]
    over = {
        f"clash-{seat}": _clash(seat, t.players, column, strength)
        for seat, strength in zip((played.seat, victim), strengths, strict=True)
    }
    return [Frame(lambda: board(before, say, over), 1_600, 1_200, 1)]


def _victim(before: Seen, played: Played) -> int:
    if played.verb != "red":
        return played.places[0]
    owners = range(before.table.players)
    return next(seat for seat in owners if before.table.fairies[seat].shields >> played.places[0] & 1)


def _clash(seat: int, players: int, column: int, strength: int) -> Markup:
    """A strength, large, at the seam of the wand it comes from."""
    slot = SLOTS[players][seat]
    shown = tag("circle", class_="clash", r=46), text(str(strength), 0, 12, "points tx-b mid")
    x, y = slot.x + FAIRY_X[column], slot.y + STAR_Y + TILE
    return group(f"clash-{seat}", tag("g", *shown, class_="growing"), x=x, y=y, class_="through")


def _theft(before: Seen, after: Seen, say: Say) -> list[Frame]:
    """R14: everybody sees a back go from hand to hand."""
    t = before.table
    king = after.table.fairies[t.seat].kings > t.fairies[t.seat].kings
    back = "back-king" if king else "back-wand"

    def frame(seat: int, view: Seen) -> Pieces:
        slot = SLOTS[t.players][seat]
        x, y = slot.x + GARDEN_WIDTH / 2 - 50, slot.y + GARDEN_HEIGHT / 2 - 75
        return board(view, say, {"stolen": group("stolen", use(back, 0, 0, 100, 150), x=x, y=y, class_="through")})

    return [Frame(lambda: frame(t.victim, before), 700, 500), Frame(lambda: frame(t.seat, before), 1_100, 800, 1)]


def _reveal(before: Seen, after: Seen, say: Say) -> list[Frame]:
    """R29, R30: the card is lifted and looked at; then all see whether it goes to its place."""
    place = before.table.place - 1

    def lifted() -> Pieces:
        return board(before, say, {f"pane-{place}": pane(before, place, say, lifted=True)})

    frames = [Frame(lifted, 1_100, 700)]
    if after.table.healed != before.table.healed:
        frames.append(Frame(lambda: board(after, say), LAST, 1_000, 1))
    return frames
