"""Animation of changes: powers that meet, shields held up, cards that change hands, panes that light, the rising King,
and at the end what every seat still gains.
"""

from collections.abc import Callable
from functools import lru_cache

from markupsafe import Markup

from tavola.core.actions import PlayedAction
from tavola.games.fairies.components import SHIELDS, VALUE, Ending, Phase, Seen, Shield
from tavola.games.fairies.picture import layout
from tavola.games.fairies.picture.garden import gardens, seat_disc
from tavola.games.fairies.picture.hand import card_art
from tavola.games.fairies.picture.window import pane, shields, window
from tavola.games.fairies.words.nouns import attack, attack_of_three, shield_owner
from tavola.show.board import Frame, Pieces
from tavola.show.kit import PieceItems, Spot, fitted_shape, titled_group
from tavola.show.sound import Palette, bell, breath, card, chord, common_sounds, knock, tone
from tavola.show.speech import Say, figure
from tavola.show.svg import tag

BoardPieces = dict[str, Markup]
POWERS = {"green": 0, "blue": 1, "red": 2}
RESULT_STAYS = 1_500
"""Milliseconds that an important result stays."""


def draw_boards(view: Seen, say: Say, over: BoardPieces | None = None) -> Pieces:
    return {"main": {**_draw_position(view, say), **(over or {})}}


@lru_cache(maxsize=64)
def _draw_position(view: Seen, say: Say) -> BoardPieces:
    """Draw a position; cached, as the frames of a scene repeat it."""
    return dict([*window(view, say), *gardens(view, say), *shields(view, say), *_exchanged_card(view, say)])


def _exchanged_card(view: Seen, say: Say) -> PieceItems:
    """R15: the card that the blue fairy took is face up before the window until another is laid down."""
    if not view.table.aside:
        return
    kind = view.table.aside - 1
    which, colour = card_art(kind)
    value = tag("text", str(VALUE[kind]), x=72, y=115 if which == "tail" else 87, class_="num value")
    title = say("{name} swaps this card for another.", name=say.name(view.table.seat))
    card = tag("g", fitted_shape(f"card-{which}-{colour}", 0, 0, 132, 195), value, class_="growing")
    at = Spot(layout.WINDOW_X + layout.GARDEN_WIDTH / 2 - 66, layout.WINDOW_Y + layout.PANE_HEIGHT - 20)
    yield "aside", titled_group("aside", title, card, at=at, class_="through")


def scene(before: Seen, after: Seen, played: PlayedAction | None, say: Say) -> list[Frame]:
    """Return the frames between two public views one action apart; most changes need none."""
    frames: list[Frame] = []
    if played is not None and played.verb in _FRAMES_BY_VERB:
        frames += _FRAMES_BY_VERB[played.verb](before, after, played, say)
    elif before.table.phase == Phase.STEAL:
        frames += _theft_frames(before, after, say)
    elif before.table.phase in (Phase.REVEAL, Phase.GLIMPSE) and before.table.place:
        # R29, R30: a King's card is lifted and looked at.
        lifted = dict([pane(before, before.table.place - 1, say, lifted=True)])
        frames.append(Frame(lambda: draw_boards(before, say, lifted), 1_100, 700, sound="lifted"))
    frames += _healing_frames(before, after, say)
    if after.table.phase == Phase.OVER != before.table.phase:
        frames += _count_frames(before, after, say, frames[-1].log_lines if frames else 0)
    return frames


# Powers


def _clash_frames(before: Seen, after: Seen, played: PlayedAction, say: Say) -> list[Frame]:
    """R13, R17: the two strengths side by side, before their effect."""
    t, over = before.table, {}
    for seat in (played.seat, _victim(before, played)):
        garden, column = t.fairies[seat], POWERS.get(played.verb, 1)
        strength = attack_of_three(garden) if played.verb == "cover" else attack(garden, column)
        over[f"clash-{seat}"] = _clash(seat, t.players, column, strength)
    return [Frame(lambda: draw_boards(before, say, over), 1_600, 1_200, 1, sound="clash")]


def _victim(before: Seen, played: PlayedAction) -> int:
    if played.verb != "red":
        return played.indices[0]
    seat = shield_owner(before.table, played.indices[0])
    assert seat is not None
    return seat


def _clash(seat: int, players: int, column: int, strength: int) -> Markup:
    shown = tag("circle", class_="clash", r=46), layout.board_text(str(strength), 0, 13, "points tx-b mid gained")
    at = layout.Plot(players, seat, layout.FAIRY_X[column], layout.STAR_Y + layout.TILE)
    return layout.garden_piece(f"clash-{seat}", "", tag("g", *shown, class_="growing"), plot=at, class_="through")


def _theft_frames(before: Seen, after: Seen, say: Say) -> list[Frame]:
    """R14: viewers see a back go from hand to hand; only the thief's hand and the victim's notes show its face."""
    t = before.table
    king = after.table.fairies[t.seat].kings > t.fairies[t.seat].kings
    back = "back-king" if king else "back-wand"

    def frame(seat: int) -> Pieces:
        at = layout.Plot(t.players, seat, layout.GARDEN_WIDTH / 2 - 50, layout.GARDEN_HEIGHT / 2 - 75)
        stolen = layout.garden_piece("stolen", "", fitted_shape(back, 0, 0, 100, 150), plot=at, class_="through")
        return draw_boards(before, say, {"stolen": stolen})

    taken = Frame(lambda: frame(t.victim), 700, 500, sound="theft")
    return [taken, Frame(lambda: frame(t.seat), 1_100, 800, 1, sound="gone")]


def _shield_frames(before: Seen, after: Seen, played: PlayedAction, say: Say) -> list[Frame]:
    """R19: the shield is held up, with the sign of its user."""
    shield = Shield.WAKE if played.verb == "wake" else played.indices[0]
    if played.verb == "wake" and before.table.phase == Phase.RESTORE:
        return []  # R35: a fairy turned up by itself needs no frame
    emblem = fitted_shape(f"shield-{SHIELDS[shield]}", -110, -128, 220, 256)
    held = tag("g", emblem, seat_disc(played.seat, 84, 96), class_="growing")
    at = Spot(layout.WINDOW_X + layout.GARDEN_WIDTH / 2, layout.WINDOW_Y + layout.PANE_HEIGHT * 1.5)
    over = {"shown": titled_group("shown", "", held, at=at, class_="through")}
    return [Frame(lambda: draw_boards(before, say, over), 1_300, 1_000, 1, sound="shield")]


# Healing and the end


def _healing_frames(before: Seen, after: Seen, say: Say) -> list[Frame]:
    """R33, R34: what heals the King, and the points for it."""
    seat = before.table.seat
    gained = _points_gained(before, after, seat)
    if not gained and after.table.healed == before.table.healed:
        return []
    crowned = after.table.ending == Ending.CROWNED != before.table.ending
    over = {f"gain-{seat}": gain(after, seat, gained)} if gained else {}
    told = 2 if crowned else int(before.table.phase > Phase.HEAL)
    stays, least = (2_200, RESULT_STAYS) if crowned else (RESULT_STAYS, 1_000)
    lights = after.table.healed != before.table.healed
    sound = "crowned" if crowned else "pane" if lights else "mended"
    return [Frame(lambda: draw_boards(after, say, over), stays, least, told, sound=sound)]


def _points_gained(before: Seen, after: Seen, seat: int) -> int:
    """Return the points from healing and the King's shield; those counted at the end have frames of their own."""
    now, was = after.table.fairies[seat], before.table.fairies[seat]
    return now.healing + now.crowned - was.healing - was.crowned


def gain(view: Seen, seat: int, count: int) -> Markup:
    """Draw points gained or lost, over the name of a seat."""
    ground = tag("rect", class_="gain", x=-52, y=-30, width=104, height=60, rx=30)
    points = layout.board_text(figure(count, signed=True), 0, 13, "points tx-b mid gained")
    shown = tag("g", ground, points, class_="growing")
    at = layout.Plot(view.table.players, seat, layout.GARDEN_WIDTH - 58, 98)
    return layout.garden_piece(f"gain-{seat}", "", shown, plot=at, class_="through")


def _count_frames(before: Seen, after: Seen, say: Say, told: int) -> list[Frame]:
    """R39: seat by seat, what each still gains, less its shields; `told` log lines are already shown."""
    scores = [
        later.points - earlier.points - _points_gained(before, after, seat)
        for seat, (earlier, later) in enumerate(zip(before.table.fairies, after.table.fairies, strict=True))
    ]

    def frame(counted: int) -> Frame:
        over = {f"gain-{seat}": gain(after, seat, scores[seat]) for seat in range(counted)}
        stays, least = (2_000, RESULT_STAYS) if counted == after.table.players else (800, 500)
        return Frame(lambda: draw_boards(after, say, over), stays, least, told + counted, sound="counted")

    return [frame(counted) for counted in range(1, after.table.players + 1)]


_FRAMES_BY_VERB: dict[str, Callable[[Seen, Seen, PlayedAction, Say], list[Frame]]] = {
    **dict.fromkeys(("green", "blue", "red", "cover"), _clash_frames),
    **dict.fromkeys(("use", "wake"), _shield_frames),
}


SOUNDS: Palette = {
    **common_sounds(262),
    "clash": (*bell(392, 700), *bell(415, 700), breath(3_800, 900, 240, rise=10)),
    "theft": (breath(700, 2_600, 260, rise=140), tone(784, 220, after=60, to=1_175)),
    "gone": (*card(), tone(1_175, 260, after=60, to=587)),
    "shield": (*knock(220), *bell(1_047, 900)),
    "lifted": (breath(2_600, 3_600, 200, rise=110, loudness=0.022), *bell(1_568, 260)),
    "pane": (*bell(1_319, 800), tone(659, 500, after=120)),
    "mended": bell(988, 420),
    "crowned": (*chord(523, (1, 1.25, 1.5, 2), apart=150, lasts=1_100), *bell(2_093, 1_400)),
    "counted": bell(1_175, 320),
}
