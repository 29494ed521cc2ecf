"""Consequences of a choice, and choices that help the player; only from what the seat itself can see."""

from collections.abc import Callable

from tavola.games.fairies.components import CROWN, PIECES, Phase, Seen, Shield
from tavola.games.fairies.words.nouns import SHIELD_DOES, attack, card_looked_at, laid_card, mana, shown_value, stars
from tavola.show.speech import Say, figure
from tavola.show.words import Consequence, Indices, told_by_last_word

WORTH_TAKING = 2
"""Lowest value for which a swap is usually worth its power."""
HELPFUL = ("green", "red", "cover", "use", "wake", "turn", "heal", "take", "crown")


def sensible(view: Seen) -> list[int]:
    """Return the cards that raise or fill a half of the seat's own or lower another's, powers, and the best swaps."""
    return [number for number in view.legal if _is_sensible(view, *view.game.actions.action(number))]


def _is_sensible(view: Seen, verb: str, places: Indices) -> bool:
    if verb in ("lay", "joker"):
        owner, half, value = laid_card(verb, places)
        garden = view.table.fairies[owner]
        filled, shown = garden.halves[half].count, shown_value(garden, half)
        return value < shown and filled > 0 if owner != view.seat else value > shown or not filled
    if verb == "blue":
        return shown_value(view.table.fairies[places[0]], places[1]) >= WORTH_TAKING
    return verb in HELPFUL


def _place(view: Seen, owner: int, half: int, value: int, say: Say) -> Consequence:
    """R8, R9: a card covers the one below it; both halves wake a fairy, on any seat's wand."""
    garden, is_own = view.table.fairies[owner], owner == view.seat
    change, wakes = value - shown_value(garden, half), garden.halves[half ^ 1].count > 0
    parts: dict[str, object] = {"change": figure(change, signed=True), "sum": attack(garden, half // 2) + change}
    if not garden.halves[half].count:
        if is_own:
            told = say("she wakes: wand worth {sum}", **parts) if wakes else say("half a wand: she’s still asleep")
        else:
            told = say("wakes their fairy") if wakes else say("half a wand for them")
        return Consequence(told, tone="good" if is_own and wakes else "plain")
    if not change:
        return Consequence(say("changes nothing"))
    if not is_own:
        return Consequence(say("their wand: {change}", **parts), tone="good" if change < 0 else "plain")
    told = say("her power {change}", **parts) if half % 2 else say("healing and power {change}", **parts)
    return Consequence(told, tone="good" if change > 0 else "plain")


def _done(view: Seen, seat: int, places: Indices, say: Say) -> Consequence | None:
    phase = view.table.phase
    if phase == Phase.EMPOWER:
        draws = view.table.laid + (view.table.used >> Shield.EXTRA & 1)  # R10, R21
        return Consequence(say("then you draw {count}", count=draws) if draws else say("you draw nothing"))
    verbs = {view.game.actions.action(number).verb for number in view.legal}
    return Consequence(say("no points this turn")) if phase == Phase.HEAL and verbs & {"turn", "heal"} else None


def _green(view: Seen, seat: int, places: Indices, say: Say) -> Consequence:
    victim = view.table.fairies[places[0]]
    return Consequence(say("one of {count} cards, at random", count=victim.wands + victim.kings), tone="good")


def _heal(view: Seen, seat: int, places: Indices, say: Say) -> Consequence:
    return Consequence(say("+{points} for you", points=stars(view.table.fairies[seat])), tone="good")


def _take(view: Seen, seat: int, places: Indices, say: Say) -> Consequence:
    """R30, R39: the King's shield costs nothing."""
    if card_looked_at(view) - 1 - PIECES == CROWN:
        return Consequence(say("yours: it ends the match"), tone="good")
    return Consequence(say("yours; −2 at the end"))


def _crown(view: Seen, seat: int, places: Indices, say: Say) -> Consequence:
    """R34, R36."""
    points = 2 * mana(view.table.fairies[seat])
    told = say("The match ends: you score {points} now, and the others get their last plays.", points=points)
    return Consequence(say("the match ends: +{points}", points=points), told, "grave")


_CONSEQUENCES: dict[str, Callable[[Seen, int, Indices, Say], Consequence | None]] = {
    "lay": lambda view, seat, places, say: _place(view, *laid_card("lay", places), say),
    "joker": lambda view, seat, places, say: _place(view, *laid_card("joker", places), say),
    "done": _done,
    "green": _green,
    "red": lambda view, seat, places, say: Consequence(say("yours; −2 at the end")),
    "cover": lambda view, seat, places, say: Consequence(say("she can’t heal or fight"), tone="good"),
    "use": lambda view, seat, places, say: Consequence(say(SHIELD_DOES[places[0]])),
    "wake": lambda view, seat, places, say: Consequence(say("she heals and fights again"), tone="good"),
    **dict.fromkeys(("turn", "heal"), _heal),
    "take": _take,
    "leave": lambda view, seat, places, say: Consequence(say("others may find it")),
    "crown": _crown,
}
consequence = told_by_last_word(_CONSEQUENCES)
