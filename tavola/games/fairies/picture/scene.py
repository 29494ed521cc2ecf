"""Animation of changes: powers that meet, shields held up, cards that change hands, panes that light, the rising King,
and at the end what every seat still gains.
"""

from collections.abc import Callable
from functools import lru_cache

from markupsafe import Markup

from tavola.core.actions import PlayedAction
from tavola.games.fairies.components import SHIELDS, VALUE, Ending, Fairy, Phase, Seen, Shield
from tavola.games.fairies.picture import beams, layout
from tavola.games.fairies.picture.garden import gardens
from tavola.games.fairies.picture.ground import glasses, grounds
from tavola.games.fairies.picture.hand import card_art
from tavola.games.fairies.picture.shields import shields
from tavola.games.fairies.picture.window import heaps, pane, window
from tavola.games.fairies.words.nouns import strength, victim_of
from tavola.show.board import Frame, Pieces
from tavola.show.kit import PieceItems, Spot, fitted_shape, titled_group
from tavola.show.sound import Palette, bell, breath, card, chord, common_sounds, knock, tone
from tavola.show.speech import Say, figure
from tavola.show.svg import tag

BoardPieces = dict[str, Markup]
POWERS = {"green": 0, "blue": 1, "red": 2, "cover": beams.ALL_THREE}
RESULT_STAYS = 1_500
"""Milliseconds that an important result stays."""


def draw_boards(view: Seen, say: Say, over: BoardPieces | None = None, under: BoardPieces | None = None) -> Pieces:
    """Draw a position, with pieces `over` everything, and `under` all that can bear a number."""
    ground, things = _draw_position(view, say)
    return {"main": {**ground, **(under or {}), **things, **(over or {})}}


@lru_cache(maxsize=64)
def _draw_position(view: Seen, say: Say) -> tuple[BoardPieces, BoardPieces]:
    """Draw a position in two layers; cached, as the frames of a scene repeat it."""
    things = *grounds(view, say), *gardens(view, say), *shields(view, say), *_exchanged_card(view, say)
    return dict([*window(view, say), *glasses(view), *heaps(view, say)]), dict(things)


def _exchanged_card(view: Seen, say: Say) -> PieceItems:
    """R15: the card that the blue fairy took is face up before the window until another is laid down."""
    if not view.table.aside:
        return
    kind = view.table.aside - 1
    which, colour = card_art(kind)
    value = layout.words(str(VALUE[kind]), 68, 107 if which == "tail" else 80, 44, "num")
    title = say("{name} swaps this card for another.", name=say.name(view.table.seat))
    card = tag("g", fitted_shape(f"card-{which}-{colour}", 0, 0, 124, 183), value, class_="growing")
    at = Spot(layout.WIDTH / 2 - 62, layout.WINDOW_Y + layout.PANE_HEIGHT - 20)
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


def _clash_frames(before: Seen, after: Seen, played: PlayedAction, say: Say) -> list[Frame]:
    """R13, R17: the two strengths and the beam between them, before their effect."""
    t, power, victim = before.table, POWERS[played.verb], victim_of(before, played.verb, played.indices)
    assert victim is not None
    strengths = {seat: strength(t.fairies[seat], played.verb) for seat in (played.seat, victim)}
    over = {f"clash-{seat}": _clash(seat, t.players, power, value) for seat, value in strengths.items()}
    mine, theirs = strengths.values()
    under = {"beam": beams.beam(t.players, played.seat, victim, power, (mine, theirs))}
    return [Frame(lambda: draw_boards(before, say, over, under), 1_600, 1_200, 1, sound="clash")]


def _clash(seat: int, players: int, power: int, strength: int) -> Markup:
    """Return a strength, swollen, where the sum of its wand is; that of all three on the middle one."""
    light, column = layout.light_of(players), Fairy.BLUE if power == beams.ALL_THREE else power
    seam = light.wand_y + light.tile * 0.985
    behind = layout.roundel(layout.column_x(column) + light.tile / 2, seam, light.tile * 0.36, strength, "clash")
    x = layout.wand_x(column) + layout.FRONT_TILE - 1
    front = layout.roundel(x, layout.FRONT_Y + layout.FRONT_TILE, 32, strength, "clash")
    behind, front = (tag("g", drawn, class_="growing") for drawn in (behind, front))
    return layout.garden_piece(f"clash-{seat}", "", behind, front, players, seat, class_="through")


def _theft_frames(before: Seen, after: Seen, say: Say) -> list[Frame]:
    """R14: viewers see a back go from hand to hand; only the thief's hand and the victim's notes show its face."""
    t = before.table
    back = "back-king" if after.table.fairies[t.seat].kings > t.fairies[t.seat].kings else "back-wand"

    def frame(seat: int) -> Pieces:
        behind = fitted_shape(back, layout.LIGHT_WIDTH / 2 - 36, layout.light_of(t.players).high / 2 - 54, 72, 108)
        front = fitted_shape(back, layout.WIDTH / 2 - 50, layout.FRONT_Y + 20, 100, 150)
        stolen = layout.garden_piece("stolen", "", behind, front, t.players, seat, class_="through")
        return draw_boards(before, say, {"stolen": stolen})

    taken = Frame(lambda: frame(t.victim), 700, 500, sound="theft")
    return [taken, Frame(lambda: frame(t.seat), 1_100, 800, 1, sound="gone")]


def _shield_frames(before: Seen, after: Seen, played: PlayedAction, say: Say) -> list[Frame]:
    """R19: the shield is held up, with the sign of its user."""
    shield = Shield.WAKE if played.verb == "wake" else played.indices[0]
    if played.verb == "wake" and before.table.phase == Phase.RESTORE:
        return []  # R35: a fairy turned up by itself needs no frame
    emblem = fitted_shape(f"shield-{SHIELDS[shield]}", -100, -116, 200, 232)
    held = tag("g", emblem, layout.seal(played.seat, 74, 84, 20), class_="growing")
    at = Spot(layout.WIDTH / 2, layout.WINDOW_Y + layout.PANE_HEIGHT * 1.5)
    over = {"shown": titled_group("shown", "", held, at=at, class_="through")}
    return [Frame(lambda: draw_boards(before, say, over), 1_300, 1_000, 1, sound="shield")]


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
    sound = "crowned" if crowned else "pane" if after.table.healed != before.table.healed else "mended"
    return [Frame(lambda: draw_boards(after, say, over), stays, least, told, sound=sound)]


def _points_gained(before: Seen, after: Seen, seat: int) -> int:
    """Return the points from healing and the King's shield; those counted at the end have frames of their own."""
    now, was = after.table.fairies[seat], before.table.fairies[seat]
    return now.healing + now.crowned - was.healing - was.crowned


def gain(view: Seen, seat: int, count: int) -> Markup:
    """Draw points gained or lost, over the name of a seat."""
    players = view.table.players
    banner = 42.0 if layout.light_of(players) is layout.TALL else 21.0
    drawn = []
    for x, y in (layout.LIGHT_WIDTH - 54.0, banner), (218.0, layout.KERB_Y + 40.0):
        plate = tag("rect", class_="gain", x=x - 46, y=y - 26, width=92, height=52, rx=26)
        points = layout.words(figure(count, signed=True), x, y + 12, 36, "tx-b mid printed-dark")
        drawn.append(tag("g", plate, points, class_="growing"))
    behind, front = drawn
    return layout.garden_piece(f"gain-{seat}", "", behind, front, players, seat, class_="through")


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
