"""Names of what is on the table of Fairies: cards, fairies, shields, halves. Also what can be read from a view."""

from tavola.games.fairies import components
from tavola.games.fairies.components import COLOURED_COUNT, PIECES, VALUE, WAND_COUNT, Garden, Hand, Known, Seen, Table
from tavola.show.speech import Say, mark, marks
from tavola.show.words import Indices, Noun, Vocabulary, members_of, seat_noun

FAIRY = Noun(
    the=marks("the green fairy", "the blue fairy", "the red fairy"),
    short=marks("Green", "Blue", "Red"),
    bare=marks("green fairy", "blue fairy", "red fairy"),
)
HALF = Noun(
    the=marks("the green star", "the green tail", "the blue star", "the blue tail", "the red star", "the red tail"),
    short=marks("Green star", "Green tail", "Blue star", "Blue tail", "Red star", "Red tail"),
    bare=marks("green star", "green tail", "blue star", "blue tail", "red star", "red tail"),
)
SHIELD = Noun(
    the=marks(
        "the shield of four",
        "the shield of plenty",
        "the shield of equals",
        "the shield of haste",
        "the shield of the lone fairy",
        "the shield of the seer",
        "the shield of the dawn",
        "the shield of the guard",
        "the King’s shield",
    ),
    short=marks("Four", "Plenty", "Equals", "Haste", "Lone fairy", "Seer", "Dawn", "Guard", "King’s shield"),
)
POWER = marks("Steal card", "Swap card", "Take shield")
POWER_IN_A_WORD = mark("Steal", context="power"), mark("Swap", context="power"), mark("Shield", context="power")
"""Used where two words do not fit."""
SHIELD_DOES = marks(
    "play four cards",
    "draw one extra",
    "ties win",
    "two extra powers",
    "one fairy heals",
    "look at two cards",
    "uncover one now",
    "can’t be covered",
    "ends the match, ×2",
)
"""Effect of a shield, short enough for two lines."""
SHIELD_RULE = marks(
    "Phase 1: play up to four wand cards instead of three.",
    "Phase 1: draw one extra card, then shuffle a wand card from your hand back into the deck.",
    "Phase 2: use a power now, even if your mana only equals theirs.",
    "Phase 2: do two more things in this phase.",
    "Phase 3: heal with only one fairy awake.",
    "Phase 3: look at two of the King’s cards and turn over one of them.",
    "Phase 1, 2 or 3: uncover one of your fairies.",
    "Phase 2: until your next turn, the power of three can’t cover any of your fairies.",
    "Phase 3: play it on the complete picture to end the match; your wands count double.",
)
CARD = marks(
    "green star {value}",
    "green tail {value}",
    "blue star {value}",
    "blue tail {value}",
    "red star {value}",
    "red tail {value}",
    "joker {value}",
)


def wand_card(kind: int, say: Say) -> str:
    """Return a name such as `green star 2` or `joker 5`."""
    return say(CARD[kind // 4 if kind < COLOURED_COUNT else -1], value=int(VALUE[kind]))


def any_card(card: int, say: Say) -> str:
    """Name a wand card by its kind, or beyond them a shield."""
    return wand_card(card, say) if card < WAND_COUNT else str(SHIELD(card - WAND_COUNT, say))


def king_card(card: int, say: Say) -> str:
    return say("piece {number}", number=card + 1) if card < PIECES else str(SHIELD(card - PIECES, say))


def joker_value(place: int, say: Say) -> str:
    return wand_card(COLOURED_COUNT + place, say)


VOCABULARY = Vocabulary(
    seat=seat_noun, wand=wand_card, value=joker_value, half=HALF, shield=SHIELD, fairy=FAIRY, card=any_card
)


def held_cards(hand: Hand | Known) -> tuple[int, ...]:
    """Return all cards of a hand, or of those known in one, by the numbers of `any_card`."""
    wands = [kind for kind, count in enumerate(hand.wands) for _ in range(count)]
    return (*wands, *(WAND_COUNT + shield for shield in members_of(hand.kings)))


def card_looked_at(view: Seen) -> int:
    """R30: return the King's card that only the seat itself is looking at, from 1; 0 for none."""
    return view.hand.grid[view.table.place - 1] if view.hand and view.table.place else 0


def top_card(t: Table, owner: int, half: int) -> int:
    """Return the kind of the visible card of a half; -1 if it has none."""
    return top_kind(t.fairies[owner], half)


def top_kind(garden: Garden, half: int) -> int:
    """Return the same for a half in a garden."""
    cards = garden.halves[half]
    return int(cards.cards[cards.count - 1]) if cards.count else -1


def shield_owner(t: Table, shield: int) -> int | None:
    return next((seat for seat, garden in enumerate(t.fairies) if garden.shields >> shield & 1), None)


def victim_of(view: Seen, verb: str, places: Indices) -> int | None:
    """Return the seat to whose garden or hand an action does something; None if it has no victim."""
    match verb:
        case "lay" | "joker":
            return places[1]
        case "green" | "blue" | "cover":
            return places[0]
    return shield_owner(view.table, places[0]) if verb == "red" else None


def laid_card(verb: str, places: Indices) -> tuple[int, int, int]:
    """Return on whose wand a card is laid, on which half of it, and the value that it will show."""
    if verb == "joker":
        return places[1], places[2], int(VALUE[COLOURED_COUNT + places[0]])
    return places[1], places[0] // 4, int(VALUE[places[0]])


def is_whole(garden: Garden, fairy: int) -> bool:
    """R9."""
    return bool(garden.halves[2 * fairy].count and garden.halves[2 * fairy + 1].count)


def shown_value(garden: Garden, half: int) -> int:
    cards = garden.halves[half]
    return int(VALUE[cards.cards[cards.count - 1]]) if cards.count else 0


def attack(garden: Garden, fairy: int) -> int:
    """R13."""
    return shown_value(garden, 2 * fairy) + shown_value(garden, 2 * fairy + 1)


def attack_of_three(garden: Garden) -> int:
    """R17."""
    return sum(attack(garden, fairy) for fairy in range(3))


def strength(garden: Garden, power: str) -> int:
    """Return what a power compares, named by its verb: the wand of its fairy, or all three (R13, R17)."""
    return attack_of_three(garden) if power == "cover" else attack(garden, components.FAIRIES.index(power))


def seats_beaten(t: Table, seat: int, power: str) -> tuple[int, ...]:
    """Return the seats against which a power of a seat is strong enough (R13, R17)."""
    own, needed = t.fairies[seat], components.ALL_UP if power == "cover" else 1 << components.FAIRIES.index(power)
    if own.up & needed != needed:
        return ()
    return tuple(
        other
        for other, garden in enumerate(t.fairies[: t.players])
        if other != seat and garden.up & needed == needed and strength(own, power) > strength(garden, power)
    )


def stars(garden: Garden) -> int:
    """R33."""
    return sum(shown_value(garden, 2 * fairy) for fairy in members_of(garden.up))


def counted(garden: Garden, say: Say) -> dict[str, str]:
    """The points of a garden and the cards in its owner's hand, each with its count."""
    return {
        "points": say.many("{count} point", "{count} points", garden.points),
        "wands": say.many("{count} wand card", "{count} wand cards", garden.wands),
        "kings": say.many("{count} King’s card", "{count} King’s cards", garden.kings),
    }


def mana(garden: Garden) -> int:
    """R36."""
    return sum(attack(garden, fairy) for fairy in members_of(garden.up))


def covered_fairies(garden: Garden) -> list[int]:
    """R18."""
    return [fairy for fairy in range(3) if is_whole(garden, fairy) and not garden.up >> fairy & 1]
