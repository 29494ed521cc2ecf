"""Help for a first match: advice for each decision, the rules in one minute, and the tutorial."""

from tavola.games.fairies.components import FAIRIES, Phase, Seen, Shield
from tavola.games.fairies.words.nouns import covered_fairies, mana, seats_beaten, stars
from tavola.show.cards import Minute, Step, minute_record
from tavola.show.speech import Say, mark, marks
from tavola.show.words import Coach


def _empower(view: Seen, seat: int, say: Say) -> str:
    own = view.table.fairies[seat]
    if own.up.bit_count() + len(covered_fairies(own)) < 3:
        return say(
            "A star and a tail of one colour wake a fairy; jokers fit anywhere. Two fairies awake can heal the King."
        )
    return say("High stars heal for more; weak cards on other players’ wands leave them open to your powers.")


def _energy(view: Seen, seat: int, say: Say) -> str:
    if any(seats_beaten(view.table, seat, power) for power in FAIRIES):
        return say(
            "Green steals a card, blue swaps one on the table, red takes a shield; all three together cover a fairy."
        )
    return say("To use a power, your wand must be worth more than another player’s wand of the same colour.")


def _heal(view: Seen, seat: int, say: Say) -> str:
    own = view.table.fairies[seat]
    if own.up.bit_count() < 2 and not view.table.used >> Shield.LONE & 1:
        return say("You need two fairies awake to heal: complete another wand next turn.")
    return say("Healing now scores {stars}: the stars of your awake fairies. Tails count at the end.", stars=stars(own))


coach = Coach(
    {
        **dict.fromkeys(Phase, mark("Think ahead: stars heal, complete wands fight.")),
        Phase.EMPOWER: _empower,
        Phase.ENERGY: _energy,
        Phase.EXCHANGE: mark(
            "Place something weak: it covers what’s there. If the wand breaks, its fairy falls asleep."
        ),
        Phase.HEAL: _heal,
        Phase.CHOOSE: mark(
            "A shield costs you 2 points at the end but helps you until then. The King’s shield ends the match."
        ),
        Phase.RESTORE: mark("A covered fairy can’t heal or fight: uncover her."),
        Phase.LAST_PLAYS: lambda view, seat, say: say(
            "Your awake fairies’ wands are worth {mana} at the end. Raise them: you won’t draw again.",
            mana=mana(view.table.fairies[seat]),
        ),
    }
)

LESSON = marks(
    "Your aim",
    "Wake your three fairies and heal King Arthur. Every healing scores points; the player who ends the match counts"
    " double.",
    "A turn",
    "Play up to three wand cards and draw as many; use a power or a shield; heal the King; uncover your covered"
    " fairies.",
    "How you score",
    "Healing scores the stars of your awake fairies. At the end, stars and tails count; each shield costs 2.",
    "Wands",
    "A star above and a tail below, both in the fairy’s colour; jokers fit anywhere. A new card covers the one below"
    " it, on your wands or anyone else’s. A complete wand wakes its fairy.",
    "Powers",
    "Each works against another player’s fairy of the same colour, if your wand is worth more: green steals a card,"
    " blue swaps one on the table, red takes a shield. All three against all three cover a fairy.",
    "The King",
    "With two fairies awake, turn over one of his cards: a piece goes to its place, a shield is yours. Once the"
    " picture is complete, the King’s shield ends the match, followed by the last plays.",
)

MINUTE = Minute(
    record=minute_record(__file__),
    steps=(
        Step(
            30,
            mark("You have three fairies. A complete wand wakes one: choose the green fairy."),
            mark("A star above, a tail below, both green: she’s awake."),
            part="fairy-0-0",
        ),
        Step(
            30,
            mark("You play up to three wand cards a turn. Choose the blue star in your hand."),
            mark("Add a blue tail below it on your blue wand, and the blue fairy wakes."),
            code="lay blue-star-1 0",
            part="card-9-0",
        ),
        Step(
            80,
            mark("An awake fairy has power over another player’s fairy of the same colour. Choose the lit card."),
            mark("Blue swaps a card on the table if your wand is worth more than theirs."),
            code="blue 1 red-star",
            part="half-1-4",
        ),
        Step(
            61,
            mark("With two fairies awake, you can heal the King. Choose a pane of the window."),
            mark("It turns over: a piece goes to its place; a shield is yours to keep."),
            code="turn 1",
            part="pane-0",
        ),
        Step(
            61,
            mark("Healing scores the stars of your awake fairies. Choose the red fairy."),
            mark("The player who ends the match scores double. So keep your fairies awake and cover everyone else’s."),
            part="fairy-0-2",
        ),
    ),
)
