"""Log lines: from the action if it was public, and from the table."""

from collections.abc import Iterator

from tavola.core.actions import PlayedAction
from tavola.games.fairies.components import Phase, Seen, Shield, Table
from tavola.games.fairies.words import nouns
from tavola.show.speech import Say, mark
from tavola.show.words import members_of, victory_sentence

EVENTS = {
    "lay": mark("{name} {name:plays|play} {card} on {other:*’s|your} wand."),
    "joker": mark("{name} {name:plays|play} {card} on {other:*’s|your} wand: {half}."),
    "green": mark("{name} {name:steals|steal} a card from {other}: {mine} to {theirs}."),
    "blue": mark("{name} {name:takes|take} {card} from {other}: {mine} to {theirs}."),
    "red": mark("{name} {name:takes|take} {shield} from {other}: {mine} to {theirs}."),
    "cover": mark("{name} {name:beats|beat} {other} {mine} to {theirs} and {name:covers|cover} {fairy}."),
    "wake": mark("{name} {name:uncovers|uncover} {fairy}."),
    "crown": mark("{name} {name:plays|play} the King’s shield on the picture: the King rises!"),
    "use": mark("{name} {name:uses|use} {shield}."),
    "look": mark("{name} {name:looks|look} at King’s card {place}."),
    "take": mark("{name} {name:keeps|keep} the shield without showing it."),
    "leave": mark("{name} {name:puts|put} the shield back."),
}
LAYS = {"lay": "wand", "joker": "value"}
"""The argument that is the card, by verb."""


def events(before: Seen, after: Seen, played: PlayedAction | None, say: Say) -> list[str]:
    b, a = before.table, after.table
    told = [*_log_action(before, played, say)]
    for log in (_log_hidden_actions, _log_woken_fairies, _log_healing):
        told += log(b, a, say)
    if a.begun > b.begun:
        told.append(_round_text(a, say))
    if a.phase == Phase.OVER != b.phase:
        told += [*_log_final_count(b, a, say), victory_sentence(after, say)]
    return told


def _round_text(a: Table, say: Say) -> str:
    """R6: the former first player is now the last, and has to wait until all others have played twice."""
    name, last = say.name(a.first), say.name((a.first - 1) % a.players)
    if a.players == 2 or a.begun == 1:
        return say("Round {round}: {name} {name:begins|begin}.", round=a.begun, name=name)
    told = {"round": a.begun, "name": name, "last": last}
    return say(
        "Round {round}: {name} {name:begins|begin}. {last}, who began the last round, now {last:goes|go} last.", **told
    )


def _log_action(before: Seen, played: PlayedAction | None, say: Say) -> Iterator[str]:
    if played is None or (played.verb in LAYS and played.indices[1] == played.seat):
        return  # cards on one's own wands are seen on the board
    b, name = before.table, say.name(played.seat)
    if played.verb == "done" and b.phase == Phase.LAST_PLAYS:
        yield say("{name} {name:passes|pass}.", name=name)
    if played.verb == "wake" and b.phase != Phase.RESTORE:
        yield say(EVENTS["use"], name=name, shield=nouns.SHIELD(Shield.WAKE, say))
    if played.verb in EVENTS:
        yield say(EVENTS[played.verb], name=name, **_parts(before, played, say))
    if played.verb == "crown":
        count = 2 * nouns.mana(b.fairies[played.seat])
        yield say.many(
            "{name} {name:scores|score} {count} point.", "{name} {name:scores|score} {count} points.", count, name=name
        )


def _parts(before: Seen, played: PlayedAction, say: Say) -> dict[str, object]:
    """Return what is named in the line of an action: the other seat, a card, the strengths compared (R13, R17)."""
    t, verb, places = before.table, played.verb, played.indices
    parts, victim = nouns.VOCABULARY.fill_arguments(before, played, say), nouns.victim_of(before, verb, places)
    if victim is not None:
        parts["other"] = say.name(victim)
    if verb in LAYS:
        parts["card"] = parts[LAYS[verb]]
    elif victim is not None:
        mine, theirs = (nouns.strength(t.fairies[seat], verb) for seat in (played.seat, victim))
        parts |= {"mine": mine, "theirs": theirs}
    if verb == "blue":
        parts["card"] = nouns.wand_card(nouns.top_card(t, *places), say)
    return parts


def _log_hidden_actions(b: Table, a: Table, say: Say) -> Iterator[str]:
    name = say.name(b.seat)
    if b.phase == Phase.DEAL != a.phase:
        yield say("Everyone gets four wand cards.")
    if b.phase == Phase.STEAL and a.fairies[b.seat].kings > b.fairies[b.seat].kings:
        yield say("It’s one of {other:*’s|your} King’s cards.", other=say.name(b.victim))
    if b.phase == Phase.REVEAL and a.pile < b.pile:
        yield say("{name} {name:draws|draw} a shield from the pile.", name=name)
    if a.deck > b.deck + 1:  # R11
        yield say("The covered cards are shuffled into a new deck.")


def _log_woken_fairies(b: Table, a: Table, say: Say) -> Iterator[str]:
    """R9, R15: fairies that turned up or down because a wand became complete or broke."""
    if b.phase not in (Phase.EMPOWER, Phase.EXCHANGE):
        return
    for seat in range(a.players):
        now, was = a.fairies[seat], b.fairies[seat]
        for fairy in members_of(now.up & ~was.up):
            if fairy not in nouns.covered_fairies(was):
                yield say("{name:*’s|Your} {fairy:bare} wakes.", fairy=nouns.FAIRY(fairy, say), name=say.name(seat))
        for fairy in members_of(was.up & ~now.up):
            yield say("{name:*’s|Your} {fairy:bare} falls asleep.", fairy=nouns.FAIRY(fairy, say), name=say.name(seat))


def _log_healing(b: Table, a: Table, say: Say) -> Iterator[str]:
    """R29, R33: a piece that goes to its place, and the points."""
    gained, name = a.fairies[b.seat].healing - b.fairies[b.seat].healing, say.name(b.seat)
    for piece in members_of(a.healed & ~b.healed):
        counts = {"number": piece + 1, "all": a.healed.bit_count(), "name": name}
        yield say.many(
            "{name} {name:heals|heal} piece {number} of the King ({all} of 9): {count} point.",
            "{name} {name:heals|heal} piece {number} of the King ({all} of 9): {count} points.",
            gained,
            **counts,
        )
    if gained and a.healed == b.healed:
        yield say.many(
            "{name} {name:heals|heal} the King: {count} point.",
            "{name} {name:heals|heal} the King: {count} points.",
            gained,
            name=name,
        )


def _log_final_count(b: Table, a: Table, say: Say) -> Iterator[str]:
    """R39."""
    for seat in range(a.players):
        now, was = a.fairies[seat], b.fairies[seat]
        count = now.points - was.points - (now.healing - was.healing)  # the last healing is logged before
        name = say.name(seat)
        yield say.many("{name}: {count} point at the end.", "{name}: {count} points at the end.", count, name=name)
