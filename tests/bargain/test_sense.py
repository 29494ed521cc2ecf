"""Bots ask only for what the hearer may do and they gain by, and never against themselves or by the names of the two.

Checked in thousands of positions by rules that share nothing with the bots.
"""

import random
from collections import Counter
from collections.abc import Iterator

import numpy as np
import pytest

from tavola.bargain import TEMPERS, Heard
from tavola.bargain.foresight import Budget
from tavola.bargain.outlook import look_out
from tavola.bargain.proposals import Proposing
from tavola.bots import bot
from tavola.core import CHANCE, Match
from tavola.core.rng import stream
from tavola.games import load
from tavola.games.lifeboats.components import CAPTAIN, Phase
from tavola.show.speech import Say
from tavola.show.talk import Known
from tavola.talk import Act, Conversation, Pattern, Statement, Teller, language_of

pytestmark = pytest.mark.bulk

GAMES = {"lifeboats": 4, "voyage": 5, "fairies": 3, "expedition": 3, "tournament": 4}
POSITIONS = 420
TRIES = 16
REDEALS = 6
NAMES = ("Amos", "Mara", "Bruno", "Orla", "Ines")
IN_DUELS = ("equip", "point")
"""Verbs of two opponents, of which each loses what the other gains."""


def positions(game: str, players: int) -> Iterator[tuple[Match, int]]:
    """Yield matches, and a seat that may speak."""
    dice, found = random.Random(game), 0
    for seed in range(100):
        match, greedy = Match(load(game), seed=seed, players=players), bot("greedy", seed)
        while not match.over:
            deciding = [seat for seat in match.to_act if seat != CHANCE]
            others = [seat for seat in range(players) if deciding != [seat]]
            if not match.open and any(len(match.legal_numbers(seat)) > 1 for seat in deciding) and dice.random() < 0.5:
                yield match, dice.choice(others)
                found += 1
                if found == POSITIONS:
                    return
            seat = match.actor(stream(seed, len(match.history))) if match.open else match.to_act[0]
            match.play(greedy.choose(match.view(seat)), seat)


def proposals(match: Match, seat: int, dice: random.Random) -> list[Statement]:
    view, temper = match.view(seat), TEMPERS[dice.choice(sorted(TEMPERS))]
    partners = [other for other in match.to_act if other not in (seat, CHANCE)][:2]
    own = [seat] if seat in match.to_act and len(view.legal) > 1 else []
    rng = np.array([len(match.history)], np.uint64)
    heard = Heard.of(match.game, None, seat, len(match.history))
    outlook = look_out(view, heard.language, rng, Budget(TRIES), [*partners, *own])
    return Proposing(view, heard, temper, outlook, partners).statements(3)


def deeds(statement: Statement) -> Iterator[tuple[int, Pattern]]:
    """Yield the deeds that a statement asks of a seat, or offers."""
    if statement.act is Act.REQUEST:
        yield statement.to, statement.deed.pattern
    elif statement.act is Act.OFFER:
        yield statement.to, statement.condition.pattern
        yield statement.speaker, statement.deed.pattern


def faults(match: Match, statement: Statement) -> Iterator[str]:
    worlds = [match, *(Match.from_view(match.view(statement.speaker), seed) for seed in range(REDEALS))]
    for doer, deed in deeds(statement):
        is_captain = match.game.name == "lifeboats" and deed.verb == "vote" and deed.slots[0].place == CAPTAIN - 1
        if is_captain and not deed.negated:
            yield "the player of a captain decides alone, so an offer to play one gives nothing"
        yield from (f"{fault}: {deed}" for fault in faults_of_deed(worlds, doer, deed))
    if statement.act in (Act.REQUEST, Act.OFFER):
        yield from harms(match, statement.speaker, next(deeds(statement))[1])
    if statement.act is Act.THREAT:
        if match.game.name == "lifeboats":
            yield "the next ballot is about something else"
        if victim_of(match, statement.deed.pattern) not in (None, statement.to):
            yield "threatens another than the hearer"


def faults_of_deed(worlds: list[Match], doer: int, deed: Pattern) -> Iterator[str]:
    if doer not in worlds[0].to_act:
        yield "decides nothing"
        return
    plain = Pattern(deed.verb, deed.slots)
    by_number = worlds[0].game.actions.by_number
    legal = [[Known(*by_number[number]) for number in world.legal_numbers(doer)] for world in worlds]
    fits = [[bool(plain.fits([each])) for each in known] for known in legal]
    verbs = {each.verb for known in legal for each in known}
    if deed.verb in IN_DUELS:
        yield "opponents have nothing to give each other"
    if deed.verb in verbs and not deed.negated and not any(map(any, fits)):
        yield "impossible"
    if not deed.negated and deed.verb not in verbs:
        yield "not possible at once"
    if deed.negated and deed.verb in verbs and all(map(all, fits)):
        yield "cannot be avoided"


def victim_of(match: Match, deed: Pattern) -> int | None:
    """Return the seat that a deed of Fairies harms."""
    names = list(match.game.actions.verb_by_name[deed.verb].arguments)
    return deed.slots[names.index("seat")].place if deed.verb in ("green", "blue", "cover") else None


def harms(match: Match, speaker: int, asked: Pattern) -> Iterator[str]:
    """Yield why a seat would be foolish to ask for a deed."""
    victim = victim_of(match, asked)
    if victim is not None and (victim == speaker) != asked.negated:
        yield "asks to be harmed, or to spare a rival"
    is_overboard = match.game.name == "lifeboats" and match.view().table.phase == Phase.OVERBOARD_BALLOT
    if is_overboard and asked.verb == "vote" and not asked.negated and asked.slots[0].place == speaker:
        yield "asks to throw its own man overboard"


@pytest.mark.parametrize("game", GAMES)
def test_nonsense_is_never_said(game):
    dice, said, seen = random.Random(7), Counter[Act](), 0
    tell, talk = Teller(language_of(load(game)), Say.of(load(game), "en", NAMES)), None
    for match, seat in positions(game, GAMES[game]):
        seen += 1
        for statement in proposals(match, seat, dice):
            said[statement.act] += 1
            talk = talk or Conversation(language_of(match.game))
            words = tell.speech(statement, talk)
            assert list(faults(match, statement)) == [], f"{NAMES[seat]} to {NAMES[statement.to or 0]}: {words}"
            for other in {statement.speaker, statement.to} - {None}:
                assert NAMES[other] not in words, f"{NAMES[seat]} to {NAMES[statement.to or 0]}: {words}"
    assert seen == POSITIONS
    assert said.total() > 10
