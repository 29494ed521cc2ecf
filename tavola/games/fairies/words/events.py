"""Log lines: from the action if it was public, and from the table."""

from collections.abc import Callable, Iterator

from tavola.core.actions import PlayedAction
from tavola.games.fairies.components import COLOURED_COUNT, Fairy, Phase, Seen, Shield, Table
from tavola.games.fairies.words import nouns
from tavola.show.speech import Say, mark
from tavola.show.words import Indices, members_of, victory_sentence

EVENTS = {
    "use": mark("{name} uses {shield}."),
    "look": mark("{name} looks at King’s card {place}."),
    "take": mark("{name} keeps the shield without showing it."),
    "leave": mark("{name} puts the shield back."),
}


def events(before: Seen, after: Seen, played: PlayedAction | None, say: Say) -> list[str]:
    b, a = before.table, after.table
    told = [
        *_log_action(before, after, played, say),
        *_log_hidden_actions(b, a, say),
        *_log_woken_fairies(b, a, say),
        *_log_shuffling(b, a, say),
        *_log_healing(b, a, say),
    ]
    if a.begun > b.begun:
        told.append(_round_text(a, say))
    if a.phase == Phase.OVER != b.phase:
        told += [*_log_final_count(b, a, say), victory_sentence(after, say)]
    return told


def _round_text(a: Table, say: Say) -> str:
    """R6: the former first player is now the last, and has to wait until all others have played twice."""
    name, last = say.name(a.first), say.name((a.first - 1) % a.players)
    if a.players == 2 or a.begun == 1:
        return say("Round {round}: {name} begins.", round=a.begun, name=name)
    told = {"round": a.begun, "name": name, "last": last}
    return say("Round {round}: {name} begins. {last}, who began the last round, now goes last.", **told)


def _log_action(before: Seen, after: Seen, played: PlayedAction | None, say: Say) -> Iterator[str]:
    if played and played.verb in EVENTS:
        parts = nouns.VOCABULARY.fill_arguments(before, played, say)
        yield say(EVENTS[played.verb], name=say.name(played.seat), **parts)
    elif played and played.verb in _EVENTS_BY_VERB:
        yield from _EVENTS_BY_VERB[played.verb](before.table, after.table, played.seat, played.indices, say)


def _log_lay(b: Table, a: Table, seat: int, places: Indices, say: Say) -> Iterator[str]:
    """Cards on one's own wands are seen on the board."""
    parts = {"name": say.name(seat), "card": nouns.wand_card(places[0], say), "other": say.name(places[1])}
    if places[1] != seat:
        yield say("{name} plays {card} on {other}’s wand.", **parts)


def _log_joker(b: Table, a: Table, seat: int, places: Indices, say: Say) -> Iterator[str]:
    value, owner, half = places
    card, half_words = nouns.wand_card(COLOURED_COUNT + value, say), nouns.HALF(half, say)
    parts = {"name": say.name(seat), "card": card, "half": half_words}
    if owner != seat:
        yield say("{name} plays {card} on {other}’s wand: {half}.", other=say.name(owner), **parts)


def _log_done(b: Table, a: Table, seat: int, places: Indices, say: Say) -> Iterator[str]:
    if b.phase == Phase.LAST_PLAYS:
        yield say("{name} passes.", name=say.name(seat))


def _log_green(b: Table, a: Table, seat: int, places: Indices, say: Say) -> Iterator[str]:
    parts = _compared(b, seat, places[0], Fairy.GREEN, say)
    yield say("{name} steals a card from {other}: {mine} to {theirs}.", **parts)


def _log_blue(b: Table, a: Table, seat: int, places: Indices, say: Say) -> Iterator[str]:
    owner, half = places
    parts = {"card": nouns.wand_card(nouns.top_card(b, owner, half), say), **_compared(b, seat, owner, Fairy.BLUE, say)}
    yield say("{name} takes {card} from {other}: {mine} to {theirs}.", **parts)


def _log_red(b: Table, a: Table, seat: int, places: Indices, say: Say) -> Iterator[str]:
    owner = nouns.shield_owner(b, places[0])
    assert owner is not None
    parts = {"shield": nouns.SHIELD(places[0], say), **_compared(b, seat, owner, Fairy.RED, say)}
    yield say("{name} takes {shield} from {other}: {mine} to {theirs}.", **parts)


def _compared(b: Table, seat: int, owner: int, fairy: int, say: Say) -> dict[str, object]:
    """R13: the names of two seats and the strengths of their wands."""
    mine, theirs = nouns.attack(b.fairies[seat], fairy), nouns.attack(b.fairies[owner], fairy)
    return {"name": say.name(seat), "other": say.name(owner), "mine": mine, "theirs": theirs}


def _log_cover(b: Table, a: Table, seat: int, places: Indices, say: Say) -> Iterator[str]:
    owner, fairy = places
    parts = {"name": say.name(seat), "other": say.name(owner), "fairy": nouns.FAIRY(fairy, say)}
    parts |= {"mine": nouns.attack_of_three(b.fairies[seat]), "theirs": nouns.attack_of_three(b.fairies[owner])}
    yield say("{name} beats {other} {mine} to {theirs} and covers {fairy}.", **parts)


def _log_wake(b: Table, a: Table, seat: int, places: Indices, say: Say) -> Iterator[str]:
    if b.phase != Phase.RESTORE:
        yield say("{name} uses {shield}.", name=say.name(seat), shield=nouns.SHIELD(Shield.WAKE, say))
    yield say("{name} uncovers {fairy}.", name=say.name(seat), fairy=nouns.FAIRY(places[0], say))


def _log_crown(b: Table, a: Table, seat: int, places: Indices, say: Say) -> Iterator[str]:
    count = 2 * nouns.mana(b.fairies[seat])
    yield say("{name} plays the King’s shield on the picture: the King rises!", name=say.name(seat))
    yield say.many("{name} scores {count} point.", "{name} scores {count} points.", count, name=say.name(seat))


_EVENTS_BY_VERB: dict[str, Callable[[Table, Table, int, Indices, Say], Iterator[str]]] = {
    "lay": _log_lay,
    "joker": _log_joker,
    "done": _log_done,
    "green": _log_green,
    "blue": _log_blue,
    "red": _log_red,
    "cover": _log_cover,
    "wake": _log_wake,
    "crown": _log_crown,
}


def _log_hidden_actions(b: Table, a: Table, say: Say) -> Iterator[str]:
    name = say.name(b.seat)
    if b.phase == Phase.DEAL != a.phase:
        yield say("Everyone gets four wand cards.")
    if b.phase == Phase.STEAL and a.fairies[b.seat].kings > b.fairies[b.seat].kings:
        yield say("It’s one of {other}’s King’s cards.", other=say.name(b.victim))
    if b.phase == Phase.REVEAL and a.pile < b.pile:
        yield say("{name} draws a shield from the pile.", name=name)


def _log_woken_fairies(b: Table, a: Table, say: Say) -> Iterator[str]:
    """R9, R15: fairies that turned up or down because a wand became complete or broke."""
    if b.phase not in (Phase.EMPOWER, Phase.EXCHANGE):
        return
    for seat in range(a.players):
        now, was = a.fairies[seat], b.fairies[seat]
        for fairy in members_of(now.up & ~was.up):
            if fairy not in nouns.covered_fairies(was):
                yield say("{name}’s {fairy:bare} wakes.", fairy=nouns.FAIRY(fairy, say), name=say.name(seat))
        for fairy in members_of(was.up & ~now.up):
            yield say("{name}’s {fairy:bare} falls asleep.", fairy=nouns.FAIRY(fairy, say), name=say.name(seat))


def _log_shuffling(b: Table, a: Table, say: Say) -> Iterator[str]:
    """R11."""
    if a.deck > b.deck + 1:
        yield say("The covered cards are shuffled into a new deck.")


def _log_healing(b: Table, a: Table, say: Say) -> Iterator[str]:
    """R29, R33: a piece that goes to its place, and the points."""
    gained, name = a.fairies[b.seat].healing - b.fairies[b.seat].healing, say.name(b.seat)
    for piece in members_of(a.healed & ~b.healed):
        counts = {"number": piece + 1, "all": a.healed.bit_count(), "name": name}
        yield say.many(
            "{name} heals piece {number} of the King ({all} of 9): {count} point.",
            "{name} heals piece {number} of the King ({all} of 9): {count} points.",
            gained,
            **counts,
        )
    if gained and a.healed == b.healed:
        yield say.many(
            "{name} heals the King: {count} point.", "{name} heals the King: {count} points.", gained, name=name
        )


def _log_final_count(b: Table, a: Table, say: Say) -> Iterator[str]:
    """R39."""
    for seat in range(a.players):
        now, was = a.fairies[seat], b.fairies[seat]
        count = now.points - was.points - (now.healing - was.healing)  # the last healing is logged before
        name = say.name(seat)
        yield say.many("{name}: {count} point at the end.", "{name}: {count} points at the end.", count, name=name)
