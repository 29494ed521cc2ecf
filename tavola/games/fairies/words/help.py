"""For who plays it the first time: what to think about at each decision, and the rules in one minute."""

from tavola.games.fairies.components import Phase, Seen, Shield
from tavola.games.fairies.words.nouns import attack, covered_fairies, mana, stars
from tavola.show.speech import Say, mark
from tavola.show.words import Coach, members_of


def _empower(view: Seen, seat: int, say: Say) -> str:
    own = view.table.fairies[seat]
    asleep = 3 - own.up.bit_count() - len(covered_fairies(own))
    if asleep:
        return say("A star and a tail of one colour wake a fairy; jokers fit anywhere. Two awake can heal the King.")
    return say("High stars heal for more; weak cards on the wands of others leave them open to your powers.")


def _energy(view: Seen, seat: int, say: Say) -> str:
    own = view.table.fairies[seat]
    if any(
        attack(own, fairy) > attack(garden, fairy)
        for garden in view.table.fairies[: view.table.players]
        for fairy in members_of(own.up & garden.up)
    ):
        return say("Green steals a card, blue swaps one on the table, red takes a shield, all three cover a fairy.")
    return say("A power needs a wand worth more than that of the same fairy of another.")


def _heal(view: Seen, seat: int, say: Say) -> str:
    own = view.table.fairies[seat]
    if own.up.bit_count() < 2 and not view.table.used >> Shield.LONE & 1:
        return say("Healing needs two active fairies: complete another wand in your next turn.")
    return say(
        "Healing now is worth {stars}: the stars of your active fairies. Tails count at the end.", stars=stars(own)
    )


def _last_plays(view: Seen, seat: int, say: Say) -> str:
    worth = mana(view.table.fairies[seat])
    return say("Your active wands are worth {mana} at the end: raise them, nothing is drawn any more.", mana=worth)


coach = Coach(
    {
        **dict.fromkeys(Phase, mark("Think of what you need next: stars heal, whole wands fight.")),
        Phase.EMPOWER: _empower,
        Phase.ENERGY: _energy,
        Phase.EXCHANGE: mark(
            "Lay something weak: it covers what lies there. A wand that breaks puts its fairy to sleep."
        ),
        Phase.HEAL: _heal,
        Phase.CHOOSE: mark(
            "A shield costs 2 points at the end, and helps until then. The King's shield ends the match."
        ),
        Phase.RESTORE: mark("A covered fairy neither heals nor fights: turn her up."),
        Phase.LAST_PLAYS: _last_plays,
    }
)

LESSON = (
    (
        mark("Your aim"),
        mark(
            "Wake your three fairies and heal King Arthur. Every healing brings points; who ends the match counts "
            "double."
        ),
    ),
    (
        mark("A turn"),
        mark(
            "Play up to three wand cards and draw as many; use a power or a shield; heal the King; turn up a "
            "fairy that was covered."
        ),
    ),
    (
        mark("How you score"),
        mark("Healing is worth the stars of your active fairies. At the end stars and tails count; a shield costs 2."),
    ),
    (
        mark("Wands"),
        mark(
            "A star above, a tail below, both of the fairy's colour; jokers fit anywhere. A card covers the one "
            "below, on your wands or on another's. A whole wand wakes its fairy."
        ),
    ),
    (
        mark("Powers"),
        mark(
            "Against the same fairy of another, if your wand is worth more: green steals a card, blue swaps one "
            "on the table, red takes a shield. All three against all three cover a fairy."
        ),
    ),
    (
        mark("The King"),
        mark(
            "With two active fairies turn up one of his cards: a piece goes to its place, a shield is yours. With the "
            "picture whole, the King's shield ends the match: then come the last plays."
        ),
    ),
)
"""The rules in one minute."""
