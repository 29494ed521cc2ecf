"""Help for a first match: what to think about at each decision, the rules in one minute, and the played minute."""

from tavola.games.fairies.components import Phase, Seen, Shield
from tavola.games.fairies.words.nouns import attack, covered_fairies, mana, stars
from tavola.show.cards import Minute, Step, minute_record
from tavola.show.speech import Say, mark, marks
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

LESSON = marks(
    "Your aim",
    "Wake your three fairies and heal King Arthur. Every healing brings points; who ends the match counts double.",
    "A turn",
    "Play up to three wand cards and draw as many; use a power or a shield; heal the King; turn up a "
    "fairy that was covered.",
    "How you score",
    "Healing is worth the stars of your active fairies. At the end stars and tails count; a shield costs 2.",
    "Wands",
    "A star above, a tail below, both of the fairy's colour; jokers fit anywhere. A card covers the one "
    "below, on your wands or on another's. A whole wand wakes its fairy.",
    "Powers",
    "Against the same fairy of another, if your wand is worth more: green steals a card, blue swaps one "
    "on the table, red takes a shield. All three against all three cover a fairy.",
    "The King",
    "With two active fairies turn up one of his cards: a piece goes to its place, a shield is yours. With the "
    "picture whole, the King's shield ends the match: then come the last plays.",
)


MINUTE = Minute(
    record=minute_record(__file__),
    steps=(
        Step(
            30,
            mark("Three fairies are yours. A whole wand wakes one: touch the green fairy."),
            mark("A star above, a tail below, both green: she is awake."),
            part="fairy-0-0",
        ),
        Step(
            30,
            mark("You play up to three wand cards a turn. Touch the blue star in your hand."),
            mark("On your blue wand it needs a blue tail below, and the blue fairy wakes."),
            code="lay blue-star-1 0",
            part="card-9-0",
        ),
        Step(
            80,
            mark("Who is awake has a power over the same fairy of another. Touch the card in the light."),
            mark("Blue swaps a card on the table, if your wand is worth more than theirs."),
            code="blue 1 red-star",
            part="half-1-4",
        ),
        Step(
            61,
            mark("With two fairies awake you heal the King. Touch a piece of the window."),
            mark("It is turned up: a piece goes to its place, a shield is yours."),
            code="turn 1",
            part="pane-0",
        ),
        Step(
            61,
            mark("Healing is worth the stars of your active fairies. Touch the red fairy."),
            mark("Who ends the match counts double. So keep your fairies awake, and cover those of others."),
            part="fairy-0-2",
        ),
    ),
)
