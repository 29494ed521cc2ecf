"""Tell what happened, in sentences: from what was played, where that was public, and from the table."""

from collections.abc import Callable, Iterator

from tavola.core.actions import PlayedAction
from tavola.games.expedition.components import COLOUR_COUNT, Ending, Phase, Seen, Table
from tavola.games.expedition.network import PLACE_COUNT
from tavola.games.expedition.words.nouns import COLOUR, VOCABULARY, place_label, spot_name
from tavola.show.speech import Say, mark
from tavola.show.words import Indices, victory_sentence

PLAYED_TEXTS = {
    "arrow": mark("{name} lays {colour:arrow}: {way}."),
    "voucher": mark("{name} plays a voucher for one more arrow."),
}
ENDING_TEXTS: dict[int, str] = {
    Ending.ARROWS: mark("All arrows are on the map: the match is over."),
    Ending.CARDS: mark("The last round is over."),
    Ending.TOKENS: mark("All tokens of one player are home: the match is over."),
    Ending.STUCK: mark("Nobody can go on: the match is over and is counted as it stands."),
    Ending.TURNS: mark("After a thousand turns the match is over and is counted as it stands."),
}


def events(before: Seen, after: Seen, played: PlayedAction | None, say: Say) -> list[str]:
    b, a = before.table, after.table
    told: list[str] = []
    if played is not None and played.verb in PLAYED_TEXTS:
        parts = VOCABULARY.fill_arguments(after, played, say)
        told.append(say(PLAYED_TEXTS[played.verb], name=say.name(played.seat), **parts))
    elif played is not None and played.verb in _EVENTS_BY_VERB:
        told += _EVENTS_BY_VERB[played.verb](b, a, played.seat, played.indices, say)
    told += [
        *_tell_hidden_cards(b, a, say),
        *_tell_goals(b, a, say),
        *_tell_stations(b, a, say),
        *_tell_loops(b, a, say),
        *_tell_last_card(b, a, say),
    ]
    if a.phase == Phase.OVER != b.phase:
        told += [say(ENDING_TEXTS[a.ending]), victory_sentence(after, say)]
    return told


def _tell_reveal(b: Table, a: Table, seat: int, places: Indices, say: Say) -> Iterator[str]:
    name = place_label(places[0], say)
    if a.beneath > b.beneath:
        yield say("{place} is too near START and goes under the deck.", place=name)
    elif b.phase == Phase.REVEAL:
        yield say("{place} is a public goal.", place=name)
    else:
        yield say("{place} is a new public goal.", place=name)


def _tell_claim(b: Table, a: Table, seat: int, places: Indices, say: Say) -> Iterator[str]:
    if not places[0]:
        yield say("Nobody has the card of {place}.", place=place_label(b.arrived - 1, say))


def _tell_token(b: Table, a: Table, seat: int, places: Indices, say: Say) -> Iterator[str]:
    parts = {"name": say.name(seat), "place": place_label(places[0], say)}
    if b.variant_b:
        yield say("{name} puts a token of {other} on {place}.", other=say.name((seat - 1) % b.players), **parts)
    else:
        yield say("{name} puts a token on {place}.", **parts)


def _tell_removal(b: Table, a: Table, seat: int, places: Indices, say: Say) -> Iterator[str]:
    parts = {"name": say.name(seat), "colour": COLOUR(places[0], say)}
    if a.expedition[places[0]].count:
        head = spot_name(a.expedition[places[0]].head, say)
        yield say("{name} plays a voucher: {colour:the} goes back to {place}.", place=head, **parts)
    else:
        yield say("{name} plays a voucher: {colour:the} is back at the start.", **parts)


def _tell_done(b: Table, a: Table, seat: int, places: Indices, say: Say) -> Iterator[str]:
    if b.phase == Phase.TOKENS:
        yield say("{name} places no more tokens.", name=say.name(seat))
    elif b.phase == Phase.GREEN:
        yield say("{name} lays no more arrow.", name=say.name(seat))


_EVENTS_BY_VERB: dict[str, Callable[[Table, Table, int, Indices, Say], Iterator[str]]] = {
    "reveal": _tell_reveal,
    "claim": _tell_claim,
    "token": _tell_token,
    "remove": _tell_removal,
    "done": _tell_done,
}


def _tell_hidden_cards(b: Table, a: Table, say: Say) -> Iterator[str]:
    """Yield what nobody hears, told from the table: cards exchanged, and hands that are mended."""
    if b.phase == Phase.MEND and (a.phase != Phase.MEND or a.beneath > b.beneath):
        yield say("{name} puts a card under the deck that lies too near, and draws another.", name=say.name(b.seat))
    if a.phase == Phase.DRAW != b.phase:
        yield say("{name} plays a voucher and exchanges a card.", name=say.name(a.seat))
    if b.phase == Phase.KEEP != a.phase:
        yield say("{name} has drawn two cards and keeps one.", name=say.name(b.seat))


def _tell_goals(b: Table, a: Table, say: Say) -> Iterator[str]:
    for number in range(PLACE_COUNT):
        owner = a.laid[number] - 1
        if owner < 0 or (b.laid[number] == a.laid[number] and b.won >> number & 1 == a.won >> number & 1):
            continue
        parts = {"name": say.name(owner), "place": place_label(number, say)}
        with_token = a.won >> number & 1 and not b.won >> number & 1
        if a.variant_b:
            yield say("{name} takes back the token on {place}.", **parts)
        elif b.explorers[owner].public < a.explorers[owner].public:
            yield say("{name} takes the public goal {place}: 1 point.", **parts)
        else:
            yield say("{name} lays {place}: 1 point.", **parts)
        if with_token and not a.variant_b:
            yield say("The token of {name} on {place} comes home: 1 point.", **parts)


def _tell_stations(b: Table, a: Table, say: Say) -> Iterator[str]:
    for seat in range(a.players):
        if a.explorers[seat].vouchers > b.explorers[seat].vouchers:
            yield say("{name} gets a voucher.", name=say.name(seat))
    if a.green > b.green:
        yield say("The green station gives {name} one more arrow.", name=say.name(a.seat))


def _tell_loops(b: Table, a: Table, say: Say) -> Iterator[str]:
    for colour in range(COLOUR_COUNT):
        parts = {"colour": COLOUR(colour, say), "name": say.name(a.seat)}
        if a.due == colour + 1 != b.due:
            yield say("{colour:The} closes a loop: {name} leads it out at once.", **parts)
        if a.expedition[colour].loose and not b.expedition[colour].loose:
            yield say("No arrow can leave the loop: the next one of this colour may.")


def _tell_last_card(b: Table, a: Table, say: Say) -> Iterator[str]:
    if a.ending == Ending.CARDS and b.ending != Ending.CARDS:
        empty = next(seat for seat in range(a.players) if not a.explorers[seat].cards)
        yield say("{name} has laid the last card of the hand: the end is near.", name=say.name(empty))
