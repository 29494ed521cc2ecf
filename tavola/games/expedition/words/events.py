"""Log lines: made from the action if it was public, and from the table."""

from collections.abc import Callable, Iterator

from tavola.core.actions import PlayedAction
from tavola.games.expedition.components import COLOUR_COUNT, Ending, Phase, Seen, Table
from tavola.games.expedition.network import PLACE_COUNT
from tavola.games.expedition.words.nouns import COLOUR, VOCABULARY, place_label, spot_name
from tavola.show.speech import Say, mark
from tavola.show.words import Indices, victory_sentence

PLAYED_TEXTS = {
    "arrow": mark("{name} {name:places|place} {colour:arrow}: {way}."),
    "voucher": mark("{name} {name:plays|play} a voucher for one more arrow."),
}
ENDING_TEXTS: dict[int, str] = {
    Ending.ARROWS: mark("All arrows are on the map: the match is over."),
    Ending.CARDS: mark("The last round is over."),
    Ending.TOKENS: mark("One player has collected all their tokens: the match is over."),
    Ending.STUCK: mark("No one can go on: the match is over and is scored as it stands."),
    Ending.TURNS: mark("The match ends after a thousand turns and is scored as it stands."),
}


def events(before: Seen, after: Seen, played: PlayedAction | None, say: Say) -> list[str]:
    b, a = before.table, after.table
    told: list[str] = []
    if played is not None and played.verb in PLAYED_TEXTS:
        parts = VOCABULARY.fill_arguments(after, played, say)
        told.append(say(PLAYED_TEXTS[played.verb], name=say.name(played.seat), **parts))
    elif played is not None and played.verb in _EVENTS_BY_VERB:
        told += _EVENTS_BY_VERB[played.verb](b, a, played.seat, played.indices, say)
    for log in (_log_hidden_cards, _log_goals, _log_stations, _log_loops, _log_last_card):
        told += log(b, a, say)
    if a.phase == Phase.OVER != b.phase:
        told += [say(ENDING_TEXTS[a.ending]), victory_sentence(after, say)]
    return told


def _log_reveal(b: Table, a: Table, seat: int, places: Indices, say: Say) -> Iterator[str]:
    name = place_label(places[0], say)
    if a.beneath > b.beneath:
        yield say("{place} is too close to START and goes under the deck.", place=name)
    elif b.phase == Phase.REVEAL:
        yield say("Public goal: {place}.", place=name)
    else:
        yield say("New public goal: {place}.", place=name)


def _log_claim(b: Table, a: Table, seat: int, places: Indices, say: Say) -> Iterator[str]:
    if not places[0]:
        yield say("No one has the {place} card.", place=place_label(b.arrived - 1, say))


def _log_token(b: Table, a: Table, seat: int, places: Indices, say: Say) -> Iterator[str]:
    other, place = say.name((seat - 1) % b.players), place_label(places[0], say)
    parts = {"name": say.name(seat), "other": other, "place": place}
    if b.variant_b:
        yield say("{name} {name:places|place} {other:*’s|your} token on {place}.", **parts)
    else:
        yield say("{name} {name:places|place} a token on {place}.", **parts)


def _log_removal(b: Table, a: Table, seat: int, places: Indices, say: Say) -> Iterator[str]:
    route = a.expedition[places[0]]
    parts = {"name": say.name(seat), "colour": COLOUR(places[0], say), "place": spot_name(route.head, say)}
    if route.count:
        yield say("{name} {name:plays|play} a voucher and {name:takes|take} {colour:the} back to {place}.", **parts)
    else:
        yield say("{name} {name:plays|play} a voucher and {name:takes|take} {colour:the} back to START.", **parts)


def _log_done(b: Table, a: Table, seat: int, places: Indices, say: Say) -> Iterator[str]:
    if b.phase == Phase.TOKENS:
        yield say("{name} {name:is|are} done placing tokens.", name=say.name(seat))
    elif b.phase == Phase.GREEN:
        yield say("{name} {name:gives|give} up the extra arrow.", name=say.name(seat))


_EVENTS_BY_VERB: dict[str, Callable[[Table, Table, int, Indices, Say], Iterator[str]]] = {
    "reveal": _log_reveal,
    "claim": _log_claim,
    "token": _log_token,
    "remove": _log_removal,
    "done": _log_done,
}


def _log_hidden_cards(b: Table, a: Table, say: Say) -> Iterator[str]:
    """Hidden actions, read from the table: cards exchanged, and hands mended."""
    name = say.name(b.seat)
    if b.phase == Phase.MEND and (a.phase != Phase.MEND or a.beneath > b.beneath):
        yield say("{name} puts a card that is too close to START under the deck and draws another.", name=name)
    if a.phase == Phase.DRAW != b.phase:
        yield say("{name} {name:plays|play} a voucher to exchange a card.", name=say.name(a.seat))
    if b.phase == Phase.KEEP != a.phase:
        yield say("{name} {name:draws|draw} two cards and {name:keeps|keep} one.", name=name)


def _log_goals(b: Table, a: Table, say: Say) -> Iterator[str]:
    for number in range(PLACE_COUNT):
        owner = a.laid[number] - 1
        if owner < 0 or (b.laid[number] == a.laid[number] and b.won >> number & 1 == a.won >> number & 1):
            continue
        parts = {"name": say.name(owner), "place": place_label(number, say)}
        with_token = a.won >> number & 1 and not b.won >> number & 1
        if a.variant_b:
            yield say("{name} {name:collects|collect} {name:their|your} token on {place}.", **parts)
        elif b.explorers[owner].public < a.explorers[owner].public:
            yield say("{name} {name:takes|take} the public goal {place}: 1 point.", **parts)
        else:
            yield say("{name} {name:plays|play} the {place} card: 1 point.", **parts)
        if with_token and not a.variant_b:
            yield say("{name} {name:collects|collect} {name:their|your} token on {place}: 1 point.", **parts)


def _log_stations(b: Table, a: Table, say: Say) -> Iterator[str]:
    for seat in range(a.players):
        if a.explorers[seat].vouchers > b.explorers[seat].vouchers:
            yield say("{name} {name:gets|get} a voucher.", name=say.name(seat))
    if a.green > b.green:
        yield say("{name} {name:gets|get} one more arrow from the green station.", name=say.name(a.seat))


def _log_loops(b: Table, a: Table, say: Say) -> Iterator[str]:
    for colour in range(COLOUR_COUNT):
        parts = {"colour": COLOUR(colour, say), "name": say.name(a.seat)}
        if a.due == colour + 1 != b.due:
            yield say("{name} {name:closes|close} a loop and must lead {colour:the} out of it at once.", **parts)
        if a.expedition[colour].loose and not b.expedition[colour].loose:
            yield say("No arrow can leave the loop now. The next arrow of this colour may.")


def _log_last_card(b: Table, a: Table, say: Say) -> Iterator[str]:
    if a.ending == Ending.CARDS and b.ending != Ending.CARDS:
        name = say.name(next(seat for seat in range(a.players) if not a.explorers[seat].cards))
        yield say("{name} {name:plays|play} {name:their|your} last card: the match will end soon.", name=name)
