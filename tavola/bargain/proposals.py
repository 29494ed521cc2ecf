"""What a bot says of its own accord: it asks where it gains most and the other loses least, offers where both gain,
threatens with what it would do anyway, and claims a fact that pays.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

import numpy as np

from tavola.bargain.claims import fact_to_claim, facts_of, own_fact, pattern_of, popularity
from tavola.bargain.heard import Heard
from tavola.bargain.outlook import Outlook, Worth
from tavola.bargain.tempers import Temper, trust
from tavola.bots import bot
from tavola.core import Game, View
from tavola.core.match import Match
from tavola.core.rng import stream
from tavola.show.talk import Known
from tavola.talk import Act, Deed, Pattern, Statement, When

LEAST_TRUST = 0.4
"""With whom is trusted less one does not bargain."""
FREE = 0.004
"""A loss that nobody minds."""
CERTAINTY = 1.0
"""Standard errors by which a gain must differ from nothing."""
LEAST_LEFT = 0.4
"""The share of the match that must be left for a claim to pay."""
MOST_WEIGHED = 6
"""Deeds of each side that are weighed against each other."""


class Proposal(NamedTuple):
    """A statement, and what it is worth to the speaker if it is agreed to."""

    gain: float
    statement: Statement


class Proposing:
    """What one seat could say about the decision that is open."""

    def __init__(self, view: View, heard: Heard, temper: Temper, outlook: Outlook, partners: Sequence[int]) -> None:
        assert view.seat is not None
        self.view, self.heard, self.temper, self.outlook = view, heard, temper, outlook
        self.seat = view.seat
        self.partners = [seat for seat in partners if trust(heard, seat, temper) >= LEAST_TRUST]

    def statements(self, most: int) -> list[Statement]:
        """Return the best that can be said, to each seat one thing at most."""
        found = sorted((each for seat in self.partners for each in self._to(seat)), key=lambda one: -one.gain)
        said: list[Statement] = []
        for proposal in found:
            if len(said) < most and proposal.statement.to not in [each.to for each in said]:
                said.append(proposal.statement)
        if not said and self.temper.lies and (claim := self.claim()) is not None:
            said.append(claim)
        return said

    def offer(self, to: int, own: Pattern | None = None) -> Proposal | None:
        """Return the offer to a seat that brings most, None where not both gain; `own`: what it wants of this one."""
        mine = self.outlook.deeds(self.seat) if own is None else [own]
        best: Proposal | None = None
        for his in self._best_for_me(to):
            for deed in mine:
                both = self._both_gain(to, deed, his)
                if both is not None and (best is None or both > best.gain):
                    best = Proposal(both, self._say(Act.OFFER, to, deed, his))
        return best

    def claim(self) -> Statement | None:
        """Return the claim of a fact that pays, None where none does."""
        true = own_fact(self.view, self.heard.language) if self._may_claim() else None
        claimed = None if true is None else fact_to_claim(true, self._liked(), self.temper)
        return None if claimed is None else Statement(self.seat, Act.CLAIM, fact=pattern_of(claimed))

    # To one seat

    def _to(self, seat: int) -> Iterator[Proposal]:
        request, offer = self._request(seat), self.offer(seat)
        yield from (each for each in (request, offer) if each is not None)
        if request is None and offer is None and self.temper.threatens and not self._has_threatened():
            threat = self._threat(seat)
            yield from () if threat is None else (threat,)

    def _request(self, seat: int) -> Proposal | None:
        """Return what to ask for: what brings most, of what costs the other nothing by what it is worth to him."""
        best: Proposal | None = None
        for deed in self._best_for_me(seat):
            worth = self.outlook.worth(seat, deed)
            assert worth is not None
            gain = float(worth.by_seat[self.seat]) * trust(self.heard, seat, self.temper)
            if worth.by_seat[seat] >= -FREE and gain > self.temper.margin and (best is None or gain > best.gain):
                best = Proposal(gain, self._say(Act.REQUEST, seat, deed))
        return best

    def _threat(self, seat: int) -> Proposal | None:
        """Return a threat with a deed that hurts the other and costs this seat nothing, against what would hurt it."""
        against = next((deed for deed in self._best_for_me(seat) if deed.negated), None)
        worths = [(deed, self.outlook.worth(self.seat, deed)) for deed in self.outlook.deeds(self.seat)]
        harms = [
            (float(worth.by_seat[seat]), deed)
            for deed, worth in worths
            if not deed.negated
            and worth is not None
            and worth.by_seat[self.seat] >= 0
            and worth.by_seat[seat] < -self.temper.margin
        ]
        if against is None or not harms:
            return None
        harm, deed = min(harms, key=lambda one: one[0])
        unwanted = Pattern(against.verb, against.slots, not against.negated)
        return Proposal(-harm / 2, self._say(Act.THREAT, seat, deed, unwanted, When.NEXT))

    def _has_threatened(self) -> bool:
        return any(said.statement.act is Act.THREAT and said.is_standing for said in self.heard.own())

    def _best_for_me(self, seat: int) -> list[Pattern]:
        """Return the deeds of a seat that bring this one more than chance may have made of it, the best first."""
        found = []
        for deed in self.outlook.deeds(seat):
            worth = self.outlook.worth(seat, deed)
            if worth is not None and self._stands_out(worth):
                found.append((float(worth.by_seat[self.seat]), deed))
        found.sort(key=lambda one: -one[0])
        return [deed for _, deed in found[:MOST_WEIGHED]]

    def _stands_out(self, worth: Worth) -> bool:
        """True when a deed brings this seat what it troubles others for, and chance alone would hardly make it so."""
        gain = float(worth.by_seat[self.seat])
        return gain > max(self.temper.margin, CERTAINTY * float(worth.error[self.seat]))

    def _both_gain(self, to: int, own: Pattern, his: Pattern) -> float | None:
        """Return what a bargain brings this seat, None where one of the two would lose by it."""
        given, taken = self.outlook.worth(self.seat, own), self.outlook.worth(to, his)
        is_contrary = (own.verb, own.slots) == (his.verb, his.slots) and own.negated != his.negated
        if given is None or taken is None or is_contrary:  # who would do what he asks another to leave is not believed
            return None
        costs = float(given.by_seat[self.seat]) * min(1.0, self.temper.honour)
        mine = float(taken.by_seat[self.seat]) * trust(self.heard, to, self.temper) + costs
        theirs = float(taken.by_seat[to] + given.by_seat[to])
        return mine if mine > self.temper.margin and theirs > FREE and given.by_seat[to] > 0 else None

    def _say(
        self, act: Act, to: int, deed: Pattern, condition: Pattern | None = None, when: When = When.NOW
    ) -> Statement:
        aloud = not (self.temper.whispers and self.heard.may_whisper)
        waits = None if condition is None else Deed(condition)
        return Statement(self.seat, act, to, aloud, Deed(deed, when), waits)

    # Facts

    def _may_claim(self) -> bool:
        """It claims once, and not when the end is near: then a last card may look like a role."""
        left = share_left(self.view.game, int(self.view.table.players), self.heard.played)
        return left > LEAST_LEFT and not any(said.statement.act is Act.CLAIM for said in self.heard.own())

    def _liked(self) -> dict[Known, float]:
        worlds, utilities = self.outlook.matches()
        facts: list[Known] = []
        own: list[np.ndarray] = []
        others: list[np.ndarray] = []
        players = int(self.view.table.players)
        if not len(worlds):
            return {}
        for seat in range(players):
            told = facts_of(self.view, self.heard.language, self.outlook.worlds, seat)
            if any(len(each) != 1 for each in told):
                return {}  # cards that come and go, no role
            facts += [told[world][0] for world in worlds if told[world]]
            at = [place for place, world in enumerate(worlds) if told[world]]
            own.append(utilities[at, seat])
            rest = [other for other in range(players) if other != seat]
            others.append(utilities[at][:, rest].mean(axis=1))
        return popularity(facts, np.concatenate(own), np.concatenate(others))


MATCHES = 3
LONGEST = 3000


@cache
def usual_length(game: Game, players: int) -> int:
    """Return how many actions everyone could notice in a match where all play by the priors, chance's included."""
    return max(1, sum(_length(game, players, seed) for seed in range(MATCHES)) // MATCHES)


def share_left(game: Game, players: int, played: int) -> float:
    """Return the share of a match that is still to come, about, after `played` of them; 0 where it lasts longer."""
    return max(0.0, 1.0 - played / usual_length(game, players))


def _length(game: Game, players: int, seed: int) -> int:
    match, rng, player = Match(game, seed=seed, players=players), stream(seed), bot("greedy", seed)
    while not match.over and len(match.history) < LONGEST:
        seat = match.actor(rng)
        match.play(player.choose(match.view(seat)), seat)
    return len(match.heard(None))
