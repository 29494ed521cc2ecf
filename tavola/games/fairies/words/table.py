"""The table as text for the terminal, readable without colour, and how points were scored."""

from tavola.games.fairies.components import EVERY_PIECE, Ending, Garden, Hand, Known, Phase, Seen
from tavola.games.fairies.words import nouns
from tavola.show.speech import Say, mark
from tavola.show.words import members_of, wrap_notes

STATES = (mark("awake"), mark("covered"), mark("asleep"))


def table(view: Seen, say: Say) -> list[str]:
    lines = [line for seat in range(view.table.players) for line in _garden(view, seat, say)]
    return wrap_notes([*lines, *_middle(view, say), *_own(view, say)])


def _garden(view: Seen, seat: int, say: Say) -> list[str]:
    garden = view.table.fairies[seat]
    head = say("{name}: {points}, {wands} and {kings} in hand", name=say.name(seat), **nouns.counted(garden, say))
    parts = {"stars": nouns.stars(garden), "three": nouns.attack_of_three(garden)}
    wands = "  " + "; ".join(_wand(garden, fairy, say) for fairy in range(3))
    shields = [str(nouns.SHIELD(shield, say)) for shield in members_of(garden.shields)]
    laid = [say("  on the table: {shields}", shields=say.listing(shields))] if shields else []
    return [head, wands, say("  stars of awake fairies {stars}, all three {three}", **parts), *laid]


def _wand(garden: Garden, fairy: int, say: Say) -> str:
    state = 0 if garden.up >> fairy & 1 else 1 if fairy in nouns.covered_fairies(garden) else 2
    halves = (2 * fairy, 2 * fairy + 1)
    star, tail = (str(nouns.shown_value(garden, half)) if garden.halves[half].count else "–" for half in halves)
    parts = {"fairy": nouns.FAIRY(fairy, say), "star": star, "tail": tail, "sum": nouns.attack(garden, fairy)}
    return say("{fairy:short} {star} + {tail} = {sum}, {state}", state=say(STATES[state]), **parts)


def _middle(view: Seen, say: Say) -> list[str]:
    """The King's cards, with what is public about those face down (R42), and the heaps."""
    t = view.table
    places = "".join(str(place + 1) if t.healed >> place & 1 else "?" for place in range(9))
    count = t.healed.bit_count()
    head = say("The King is healed.") if t.healed == EVERY_PIECE else say("The King, {count} of 9 pieces:", count=count)
    lines = [f"{head} {places}"]
    looked, shields = ([str(place + 1) for place in members_of(mask)] for mask in (t.looked & ~t.shielded, t.shielded))
    if shields:
        lines.append(say("A shield was put back here: {places}.", places=say.listing(shields)))
    if looked:
        lines.append(say("Someone has looked at these: {places}.", places=say.listing(looked)))
    return [*lines, say("Deck: {deck}, pile: {pile}", deck=t.deck, pile=t.pile)]


def _own(view: Seen, say: Say) -> list[str]:
    if view.hand is None:
        return []
    cards = _cards(view.hand, say)
    lines = [say("You hold {cards}.", cards=cards) if cards else say("You hold no cards.")]
    grid = enumerate(view.hand.grid, 1)
    if looked := [say.labelled(str(place), nouns.king_card(card - 1, say)) for place, card in grid if card]:
        lines.append(say("Of the King’s cards, you know {cards}.", cards=say.listing(looked)))
    for seat, known in enumerate(view.hand.known):
        if sure := _cards(known, say):
            lines.append(say("{name} certainly holds {cards}.", name=say.name(seat), cards=sure))
    return lines


def _cards(hand: Hand | Known, say: Say) -> str:
    return say.listing([nouns.any_card(card, say) for card in nouns.held_cards(hand)])


def scoring(view: Seen, seat: int, say: Say) -> list[tuple[str, int]]:
    """List how a seat scored (R33, R36, R39); the rest is the cost of its shields, those in hand included."""
    t, garden = view.table, view.table.fairies[seat]
    lines = [(say("Stars of awake fairies, for every healing"), garden.healing)]
    if t.phase != Phase.OVER and (t.phase != Phase.LAST_PLAYS or seat != t.ender):
        return lines
    twice = t.ending == Ending.CROWNED and seat == t.ender
    worth = garden.crowned if twice else nouns.mana(garden)
    said = say("The King has risen: stars and tails count double") if twice else say("Stars and tails of awake fairies")
    lines.append((said, worth))
    if shields := garden.points - garden.healing - worth:
        lines.append((say("Fairy shields, 2 points each"), shields))
    if t.phase == Phase.OVER and view.standing.points.count(garden.points) > 1:
        lines.append((say("Ties go to the player with fewer fairy shields on the table."), 0))
    return lines
