"""The table as text for the terminal, readable without colour, and how points were scored."""

from tavola.games.tournament.components import KIND_COUNT, SOUS, Phase, Seen
from tavola.games.tournament.trading import standing_offers
from tavola.games.tournament.words import nouns
from tavola.games.tournament.words.choices import bargain_text
from tavola.show.speech import Say
from tavola.show.words import columns, members_of, wrap_notes

MOST_WARES = 11
"""Maximum offers listed, less one for each player, so that the table fits a terminal; others are only counted."""


def table(view: Seen, say: Say) -> list[str]:
    return [*columns(_seats(view, say)), *wrap_notes([*_phase_lines(view, say), *_market(view, say), *_own(view, say)])]


def _seats(view: Seen, say: Say) -> list[list[str]]:
    t = view.table
    rows = [[say("Seat"), say("sous"), say("cards"), say("duels won"), say("status")]]
    for seat in range(t.players):
        rows.append([say.name(seat), str(t.purse[seat]), str(t.held[seat]), str(t.won[seat]), _state(view, seat, say)])
    return rows


def _state(view: Seen, seat: int, say: Say) -> str:
    t = view.table
    if t.out >> seat & 1:
        return say("out of the duels")
    if t.phase == Phase.TRADE:
        return say("done trading", context="a player") if t.done >> seat & 1 else say("trading")
    return say("in the duels")


def _phase_lines(view: Seen, say: Say) -> list[str]:
    t = view.table
    if not t.begun:
        return []
    pairs = nouns.possible_duels(t)[0]
    round_ = nouns.round_text(t.begun, pairs, say) if pairs else say("Round {number}", number=t.begun)
    lines = [round_, say("Discards: {count}", count=t.pile)]
    if t.duel.box == KIND_COUNT and t.phase != Phase.TRADE:
        for seat, cards, points in zip(t.duel.seats, t.duel.boxes, t.duel.points, strict=True):
            played = nouns.cards_text(nouns.listed(cards), say)
            lines.append(say("{name} played {cards}: {points}", name=say.name(seat), cards=played, points=points))
    if t.duel.dots:
        symbols = say.listing([str(nouns.CORNER(token - 1, say)) for token in t.duel.tokens if token])
        lines.append(say("Thrown: {symbols}; dots: {dots}", symbols=symbols, dots=t.duel.dots))
    return lines


def _market(view: Seen, say: Say) -> list[str]:
    offers, most = standing_offers(view.table), MOST_WARES - view.table.players
    told = offers if len(offers) == most + 1 else offers[:most]
    lines = []
    for maker, number, offer in told:
        parts = {"name": say.name(maker), "number": number + 1, "other": nouns.addressee_name(offer.to - 1, say)}
        parts |= bargain_text(view, maker, number, say)
        lines.append(say("{name}’s offer {number} to {other}: {given} for {asked}", **parts))
    if len(offers) > len(told):
        lines.append(say("{count} more offers", count=len(offers) - len(told)))
    return lines


def _own(view: Seen, say: Say) -> list[str]:
    if view.hand is None:
        return []
    cards = nouns.cards_of(view.hand)
    lines = [say("You hold {cards}.", cards=nouns.cards_text(cards, say)) if cards else say("You hold no cards.")]
    if laid := nouns.listed(view.hand.laid):
        lines.append(say("You’ve played {cards}.", cards=nouns.cards_text(laid, say)))
    for seat, known in enumerate(view.hand.known[: view.table.players]):
        sure = [nouns.card_name(card, say) for card in members_of(known.cards)]
        sure += [str(nouns.KIND(KIND_COUNT, say))] * known.jokers
        if sure:
            lines.append(say("{name} is sure to hold {cards}.", name=say.name(seat), cards=say.listing(sure)))
    return lines


def scoring(view: Seen, seat: int, say: Say) -> list[tuple[str, int]]:
    t = view.table
    prizes, spent = t.prizes[seat], t.spent[seat]
    lines = [(say("Starting sous"), SOUS), (say("Duel prizes"), prizes), (say("Bought from the discard pile"), -spent)]
    lines = [line for line in lines if line[1]]
    lines.append((say("Gained or lost by trading"), t.purse[seat] - SOUS - prizes + spent))
    if t.phase == Phase.OVER and len(view.standing.winners) > 1 and seat in view.standing.winners:
        lines.append((say("Equally rich knights share the victory."), 0))
    return lines
