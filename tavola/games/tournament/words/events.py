"""Log lines: from the action if it was public, and from the table."""

from collections.abc import Iterator, Mapping

from tavola.core.actions import PlayedAction
from tavola.games.tournament.components import KIND_COUNT, TO_ALL, Duel, Ending, Phase, Seen, Table
from tavola.games.tournament.trading import standing_offers
from tavola.games.tournament.words import nouns
from tavola.games.tournament.words.choices import bargain_text
from tavola.show.speech import Say, mark
from tavola.show.words import members_of, names_of

Lines = Iterator[str]
ENDING_TEXTS: dict[int, str] = {
    Ending.NO_SET: mark("No one has a full set: the tournament is over."),
    Ending.ALL_OUT: mark("Everyone is out of the duels: the tournament is over."),
    Ending.ROUNDS: mark("The last round is over."),
}


def events(before: Seen, after: Seen, played: PlayedAction | None, say: Say) -> list[str]:
    b, a = before.table, after.table
    told = [*events_before_walkovers(before, after, played, say), *_log_walkovers(b, a, say), *_log_next(b, a, say)]
    if a.phase == Phase.OVER != b.phase:
        if a.ending in ENDING_TEXTS:
            told.append(say(ENDING_TEXTS[a.ending]))
        told.append(result_text(after, say))
    return told


def events_before_walkovers(before: Seen, after: Seen, played: PlayedAction | None, say: Say) -> list[str]:
    """Return the lines before those of duels that are won because the opponent cannot fight."""
    b, a = before.table, after.table
    return [*_log_trade(before, after, played, say), *_log_duel(b, table_after_duel(b, a), played, say)]


def result_text(view: Seen, say: Say) -> str:
    winners = view.standing.winners
    names, sous = names_of(winners, say), nouns.sous_text(view.standing.points[winners[0]], say)
    if len(winners) > 1:
        return say("{names} tie as the richest, with {sous}, and share the victory.", names=names, sous=sous)
    return say("{names} {names:is|are} the richest, with {sous}, and {names:wins|win}.", names=names, sous=sous)


# Trade


def _log_trade(before: Seen, after: Seen, played: PlayedAction | None, say: Say) -> Lines:
    b, a = before.table, after.table
    if b.phase != Phase.TRADE or played is None:
        return
    name = say.name(played.seat)
    if played.verb == "publish":
        yield _offer_line(after, played.seat, b.published[played.seat], say)
    elif played.verb == "accept":
        maker, number = played.indices
        partners = {"maker": say.name(maker), "taker": name}
        parts = _known_parts(before, maker, number, say)
        yield say("Deal: {maker} {maker:gives|give} {taker} {given} for {asked}.", **partners, **parts)
    elif played.verb == "withdraw":
        yield say("{name} {name:withdraws|withdraw} offer {number}.", name=name, number=played.indices[0] + 1)
    elif played.verb == "done":
        yield from _log_declined(b, played.seat, say)
    if played.verb == "accept" and a.phase == Phase.TRADE:
        yield from _log_lapsed_offers(b, a, played.indices, say)
    if a.phase != Phase.TRADE or a.begun > b.begun:
        yield say.many("The market closes after {count} deal.", "The market closes after {count} deals.", b.sales)


def _known_parts(view: Seen, maker: int, number: int, say: Say) -> Mapping[str, str]:
    """Return both sides of an offer: of a whispered one, its two seats know the cards."""
    offer = view.table.offers[maker][number]
    return nouns.offer_parts(offer, say) if offer.to == TO_ALL else bargain_text(view, maker, number, say)


def _offer_line(view: Seen, maker: int, number: int, say: Say) -> str:
    return nouns.offer_text(maker, view.table.offers[maker][number], _known_parts(view, maker, number, say), say)


def _log_declined(b: Table, seat: int, say: Say) -> Lines:
    """R13: a seat that is done declines what was whispered to it, for now."""
    whisperers = sorted({maker for maker, _, offer in standing_offers(b) if offer.to == seat + 1})
    if whisperers:
        name, names = say.name(seat), names_of(whisperers, say)
        yield say("{name} {name:shakes|shake} {name:their|your} head at {names}: no deal.", name=name, names=names)


def _log_lapsed_offers(b: Table, a: Table, accepted: tuple[int, ...], say: Say) -> Lines:
    """R11: offers that the partners can no longer honour."""
    for maker in range(b.players):
        pairs = enumerate(zip(b.offers[maker], a.offers[maker], strict=True))
        count = sum(bool(old.to) and not new.to and (maker, number) != accepted for number, (old, new) in pairs)
        if count:
            yield say.many(
                "{count} of {name:*’s|your} offers expires: it can’t be honoured any more.",
                "{count} of {name:*’s|your} offers expire: they can’t be honoured any more.",
                count,
                name=say.name(maker),
            )


# Duels


def table_after_duel(b: Table, a: Table) -> Table:
    """Return the table as the last duel left it: `a` may already show the next duel or round."""
    if b.phase <= Phase.TRADE or (a.begun, a.fought) == (b.begun, b.fought):
        return a
    return a._replace(phase=Phase.PURCHASE, duel=a.last)


def _log_duel(b: Table, a: Table, played: PlayedAction | None, say: Say) -> Lines:
    yield from _log_wills(b, a, say)
    if b.phase != Phase.DEAL and a.duel.box == KIND_COUNT != b.duel.box:
        yield from _log_boxes(a.duel, say)
    if b.phase == Phase.THROW != a.phase:
        symbols = say.listing([str(nouns.CORNER(token - 1, say)) for token in a.duel.tokens])
        told = mark("{name} {name:throws|throw} {symbols}, with one dot.")
        if a.duel.dots != 1:
            told = mark("{name} {name:throws|throw} {symbols}, with two dots.")
        yield say(told, name=say.name(max(0, a.duel.thrower - 1)), symbols=symbols)
    if b.phase == Phase.POINTING != a.phase:
        yield from _log_pointing(b, a, say)
    if b.phase == Phase.RACE and played is not None:
        first = played.indices[0]
        told = mark("{name} {name:was|were} first.")
        if first == TO_ALL - 1:
            told = mark("Both pointed at the same instant, so the tokens are thrown again.")
        yield say(told, name=say.name(first))
    yield from _log_prize(b, a, say)
    yield from _log_card_moves(b, a, say)
    yield from _log_purchase(b, a, played, say)


def _log_wills(b: Table, a: Table, say: Say) -> Lines:
    told = mark("{name} {name:forfeits|forfeit} and {name:is|are} out of the duels for the rest of the match.")
    yield from (say(told, name=say.name(seat)) for seat in _forfeiting_seats(b, a))
    if b.phase == Phase.BALLOT and a.phase == Phase.ARMING:
        yield say("{names} fight.", names=names_of(a.duel.seats, say))


def _forfeiting_seats(b: Table, a: Table) -> list[int]:
    """R16: only a ballot puts a seat that was asked out of the lists."""
    return [seat for seat in b.duel.seats if (a.out & ~b.out) >> seat & 1] if b.phase == Phase.BALLOT else []


def box_winner(duel: Duel, box: int) -> int:
    """Return the side that wins a box; -1 for two jokers."""
    first, second = (nouns.value_of(duel.boxes[side_][box] - 1) for side_ in (0, 1))
    return -1 if first == second else int(second > first)


def _log_boxes(duel: Duel, say: Say) -> Lines:
    for box in range(KIND_COUNT):
        if (won := box_winner(duel, box)) < 0:
            yield say("{kind}: two jokers, no point.", kind=format(nouns.KIND(box, say), "short"))
            continue
        card, beaten = (nouns.card_name(duel.boxes[side_][box] - 1, say) for side_ in (won, 1 - won))
        names = {"winner": say.name(duel.seats[won]), "loser": say.name(duel.seats[1 - won])}
        yield say("{winner:*’s|Your} {card} beats {loser:*’s|your} {beaten}.", card=card, beaten=beaten, **names)
    if max(duel.points) < 3:
        yield say("{first} to {second}: God must judge.", first=duel.points[0], second=duel.points[1])


def _log_pointing(b: Table, a: Table, say: Say) -> Lines:
    duel = a.duel if any(a.duel.pointed) else b.duel
    if not any(duel.pointed):
        return
    for seat, corner in zip(duel.seats, duel.pointed, strict=True):
        yield say("{name} {name:points|point} {corner:at}.", name=say.name(seat), corner=nouns.CORNER(corner - 1, say))
    right = nouns.right_corner(b.duel.tokens, b.duel.dots)
    pointed = [corner - 1 == right for corner in duel.pointed]
    if not any(pointed):
        yield say("It was {corner}: both got it wrong.", corner=nouns.CORNER(right, say))
    elif not all(pointed):
        yield say("It was {corner}.", corner=nouns.CORNER(right, say))
    else:
        yield say("Both are right: who was first?")


def victor(b: Table, a: Table) -> int | None:
    """Return the winner of the duel that just ended, fought or forfeited; `a` is from `table_after_duel`."""
    return a.duel.victor - 1 if b.phase > Phase.TRADE and a.duel.victor and not b.duel.victor else None


def _log_prize(b: Table, a: Table, say: Say) -> Lines:
    if (seat := victor(b, a)) is not None:
        won = mark("{name} {name:wins|win} the duel and {sous}.") if a.duel.box == KIND_COUNT else WALKOVER
        yield say(won, name=say.name(seat), sous=_gain_text(b, a, seat, say))


WALKOVER = mark("{name} {name:wins|win} without a fight and {name:gets|get} {sous}.")
LAST_WALKOVER = mark(
    "{name} {name:has|have} the only full set and {name:wins|win} the last duel without a fight: {sous}."
)


def _gain_text(b: Table, a: Table, seat: int, say: Say) -> str:
    return nouns.sous_text(max(0, a.purse[seat] - b.purse[seat]), say)


def unarmed_seats(b: Table, a: Table) -> list[int]:
    """R15: seats that are out although they were not asked: for lack of a set."""
    return [seat for seat in members_of(a.out & ~b.out) if seat not in _forfeiting_seats(b, a)]


def unopposed_seats(b: Table, a: Table) -> list[int]:
    """R17, R32: seats that won without a fight because others cannot fight."""
    first = victor(b, table_after_duel(b, a))
    return [seat for seat in range(a.players) if a.won[seat] > b.won[seat] and seat != first]


def _log_walkovers(b: Table, a: Table, say: Say) -> Lines:
    told = mark("{name} {name:has|have} no full set and {name:is|are} out of the duels for the rest of the match.")
    yield from (say(told, name=say.name(seat)) for seat in unarmed_seats(b, a))
    for seat in unopposed_seats(b, a):
        won = LAST_WALKOVER if a.ending == Ending.LAST_SET else WALKOVER
        yield say(won, name=say.name(seat), sous=_gain_text(b, a, seat, say))


def _log_card_moves(b: Table, a: Table, say: Say) -> Lines:
    """R28: winning cards leave play; beaten cards go to the winner of the box."""
    duel = a.duel
    if not (duel.victor and duel.box == KIND_COUNT and not b.duel.victor):
        return
    for side_ in (0, 1):
        won = [duel.boxes[1 - side_][box] - 1 for box in range(KIND_COUNT) if box_winner(duel, box) == side_]
        if won:
            name, cards = say.name(duel.seats[side_]), nouns.won_text(won, say)
            yield say("{name} {name:takes|take} {cards}.", name=name, cards=cards)


def _log_purchase(b: Table, a: Table, played: PlayedAction | None, say: Say) -> Lines:
    if played is not None and played.verb == "buy":
        parts = {"name": say.name(played.seat), "sous": nouns.sous_text(b.price, say)}
        yield say("{name} {name:buys|buy} a card from the discard pile for {sous}.", **parts)
    if b.phase == Phase.DRAW and a.pile < b.pile:
        yield say("{name} {name:draws|draw} it in secret.", name=say.name(max(0, b.duel.buyer - 1)))


# Rounds and the end


def _log_next(b: Table, a: Table, say: Say) -> Lines:
    if b.phase == Phase.DEAL != a.phase:
        yield say("Everyone has {cards} cards and {sous}.", cards=a.held[0], sous=nouns.sous_text(a.purse[0], say))
    if a.begun > b.begun:
        possible, alone = nouns.possible_duels(a)
        told = mark("Round {number}: {pairs}. The market is open.")
        if not possible:
            told = mark("Round {number}: no duel. The market is open.")
        yield say(told, number=a.begun, pairs=nouns.duels_text(possible, say))
        yield from (say("{name} {name:rests|rest} this round.", name=say.name(seat)) for seat in alone)
    if a.phase == Phase.BALLOT and (b.phase != Phase.BALLOT or a.duel.seats != b.duel.seats):
        yield say("{first} against {second}.", first=say.name(a.duel.seats[0]), second=say.name(a.duel.seats[1]))
