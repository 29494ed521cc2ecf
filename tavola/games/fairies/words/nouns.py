"""What lies on the table of Fairies, named: cards, fairies, shields, halves; and what a view tells of them."""

from tavola.games.fairies.components import COLOURED_COUNT, PIECES, VALUE, WAND_COUNT, Garden, Table
from tavola.show.speech import Say, marks
from tavola.show.words import Noun, Vocabulary, members_of, seat_noun

FAIRY = Noun(the=marks("the green fairy", "the blue fairy", "the red fairy"), short=marks("Green", "Blue", "Red"))
HALF = Noun(
    the=marks("the green star", "the green tail", "the blue star", "the blue tail", "the red star", "the red tail"),
    short=marks("Green star", "Green tail", "Blue star", "Blue tail", "Red star", "Red tail"),
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
        "the King's shield",
    ),
    short=marks("Four", "Plenty", "Equals", "Haste", "Lone fairy", "Seer", "Dawn", "Guard", "King's shield"),
)
POWER = marks("steals a card", "swaps a card", "takes a shield")
SHIELD_DOES = marks(
    "play four cards",
    "draw one more",
    "as much is enough",
    "two powers more",
    "one fairy heals",
    "look at two cards",
    "turn one up at once",
    "none is covered",
    "ends the match, twice",
)
"""What a shield does, in two lines of a few letters."""
SHIELD_RULE = marks(
    "Phase 1: play up to four wand cards instead of three (R20).",
    "Phase 1: draw one card more, then shuffle one of your hand back into the deck (R21).",
    "Phase 2: use a power at once for which as much mana as the other has is enough (R22).",
    "Phase 2: do two more things in this phase (R23).",
    "Phase 3: heal with a single active fairy (R24).",
    "Phase 3: look at two of the King's cards and turn up one of them (R25).",
    "Phase 1, 2 or 3: turn up one of your covered fairies (R26).",
    "Phase 2: until your next turn the power of three covers none of your fairies (R27).",
    "Phase 3: lay it on the whole picture to end the match; your wands count double (R34, R36).",
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
    """`green star 2`, `joker 5`."""
    return say(CARD[kind // 4 if kind < COLOURED_COUNT else -1], value=int(VALUE[kind]))


def any_card(card: int, say: Say) -> str:
    """A wand card by its kind, or beyond them a shield."""
    return wand_card(card, say) if card < WAND_COUNT else str(SHIELD(card - WAND_COUNT, say))


def king_card(card: int, say: Say) -> str:
    """A piece of the picture, or a shield."""
    return say("piece {number}", number=card + 1) if card < PIECES else str(SHIELD(card - PIECES, say))


def joker_value(place: int, say: Say) -> str:
    """A joker on a button."""
    return wand_card(COLOURED_COUNT + place, say)


VOCABULARY = Vocabulary(
    seat=seat_noun, wand=wand_card, value=joker_value, half=HALF, shield=SHIELD, fairy=FAIRY, card=any_card
)


def top_card(t: Table, owner: int, half: int) -> int:
    """The kind of the card that is seen on a half; -1 where there is none."""
    cards = t.fairies[owner].halves[half]
    return int(cards.cards[cards.count - 1]) if cards.count else -1


def shield_owner(t: Table, shield: int) -> int | None:
    """The seat in front of which a shield lies."""
    return next((seat for seat, garden in enumerate(t.fairies) if garden.shields >> shield & 1), None)


def is_whole(garden: Garden, fairy: int) -> bool:
    """R9."""
    return bool(garden.halves[2 * fairy].count and garden.halves[2 * fairy + 1].count)


def shown_value(garden: Garden, half: int) -> int:
    """Return the value that is seen on a half."""
    cards = garden.halves[half]
    return int(VALUE[cards.cards[cards.count - 1]]) if cards.count else 0


def attack(garden: Garden, fairy: int) -> int:
    """R13."""
    return shown_value(garden, 2 * fairy) + shown_value(garden, 2 * fairy + 1)


def attack_of_three(garden: Garden) -> int:
    """R17."""
    return sum(attack(garden, fairy) for fairy in range(3))


def stars(garden: Garden) -> int:
    """R33."""
    return sum(shown_value(garden, 2 * fairy) for fairy in members_of(garden.up))


def mana(garden: Garden) -> int:
    """R36."""
    return sum(attack(garden, fairy) for fairy in members_of(garden.up))


def covered_fairies(garden: Garden) -> list[int]:
    """R18."""
    return [fairy for fairy in range(3) if is_whole(garden, fairy) and not garden.up >> fairy & 1]
