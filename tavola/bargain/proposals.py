"""A bot's own statements: requests that cost the other least, offers where both gain, harmless threats, and claims."""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

import numpy as np

from tavola.bargain.claims import fact_to_claim, facts_of, own_fact, pattern_of, popularity
from tavola.bargain.heard import Heard
from tavola.bargain.outlook import Outlook
from tavola.bargain.tempers import Temper, trust
from tavola.bots import bot
from tavola.core import Game, View
from tavola.core.match import Match
from tavola.core.rng import stream
from tavola.show.talk import Known
from tavola.talk import Act, Deed, Pattern, Statement, When

LEAST_TRUST = 0.4
"""Minimum trust in a seat to make it offers or rely on its own. Below, it is only asked for amends."""
AMENDS = 0.03
"""The cost that a seat is asked to bear to make up for a broken promise."""
MOST_DEMANDS = 2
"""Maximum requests for amends for one broken promise."""
MOST_BREACHES = 2
"""Maximum broken promises in a row for which a seat is asked for amends; a kept one resets the count."""
FREE = 0.004
"""A negligible loss."""
CERTAINTY = 1.0
"""Standard errors by which a gain must exceed 0."""
LEAST_LEFT = 0.4
"""The share of the match that must be left for a claim to pay."""
MOST_WEIGHED = 6
"""Maximum deeds of each side that are compared."""


class Proposal(NamedTuple):
    """A statement, and its worth to the speaker if it is accepted."""

    gain: float
    statement: Statement


def breaches_to_settle(heard: Heard, seat: int, temper: Temper) -> bool:
    """True if a seat is still to be asked to make up for a promise that it has broken to this one."""
    breaches = heard.breaches_of(seat)
    if temper.forgives or not 0 < len(breaches) <= MOST_BREACHES:
        return False
    asked = [each for each in heard.said_since(breaches[-1]) if each.statement.speaker == heard.seat]
    return sum(each.statement.act is Act.REQUEST and each.statement.to == seat for each in asked) < MOST_DEMANDS


class Proposing:
    """The possible statements of one seat about the current decision."""

    def __init__(self, view: View, heard: Heard, temper: Temper, outlook: Outlook, partners: Sequence[int]) -> None:
        assert view.seat is not None
        self.view, self.heard, self.temper, self.outlook = view, heard, temper, outlook
        self.seat = view.seat
        self.partners = [seat for seat in partners if trust(heard, seat, temper) >= LEAST_TRUST]
        self.debtors = [seat for seat in partners if breaches_to_settle(heard, seat, temper)]

    def statements(self, most: int) -> list[Statement]:
        """Return the best statements, at most one to each seat."""
        demands = (each for seat in self.debtors for each in self.amends(seat))
        found = sorted((each for seat in self.partners for each in self._to(seat)), key=lambda one: -one.gain)
        said: list[Statement] = []
        for proposal in (*demands, *found):
            if len(said) < most and proposal.statement.to not in [each.to for each in said]:
                said.append(proposal.statement)
        if not said and self.temper.lies and (claim := self.claim()) is not None:
            said.append(claim)
        return said

    def offer(self, to: int, own: Pattern | None = None) -> Proposal | None:
        """Return the best offer to a seat, None if not both gain; `own`: the only deed that the other wants."""
        mine = self.outlook.deeds(self.seat) if own is None else [own]
        best: Proposal | None = None
        for his in self._best_for_me(to):
            for deed in mine:
                if (both := self._both_gain(to, deed, his)) is not None and (best is None or both > best.gain):
                    best = Proposal(both, self._say(Act.OFFER, to, deed, his))
        return best

    def claim(self) -> Statement | None:
        """Return a claim that pays, None if there is none."""
        true = own_fact(self.view, self.heard.language) if self._may_claim() else None
        claimed = None if true is None else fact_to_claim(true, self._liked(), self.temper)
        return None if claimed is None else Statement(self.seat, Act.CLAIM, fact=pattern_of(claimed))

    def amends(self, seat: int) -> Iterator[Proposal]:
        """Yield what a seat can do to make up for a broken promise; if it can do nothing, a threat."""
        deeds = [(deed, self.outlook.worth(seat, deed)) for deed in self._best_for_me(seat)]
        deed = next((deed for deed, worth in deeds if worth is not None and worth.by_seat[seat] >= -AMENDS), None)
        if deed is not None:
            yield Proposal(0.0, self._say(Act.REQUEST, seat, deed))
        elif (threat := self._threat(seat)) is not None:
            yield threat

    # To one seat

    def _to(self, seat: int) -> Iterator[Proposal]:
        request, offer = self._request(seat), self.offer(seat)
        yield from (each for each in (request, offer) if each is not None)
        threatened = any(said.statement.act is Act.THREAT and said.is_standing for said in self.heard.own())
        if request is None and offer is None and self.temper.threatens and not threatened:
            threat = self._threat(seat)
            yield from () if threat is None else (threat,)

    def _request(self, seat: int) -> Proposal | None:
        best: Proposal | None = None
        for deed in self._best_for_me(seat):
            worth = self.outlook.worth(seat, deed)
            assert worth is not None
            gain = float(worth.by_seat[self.seat]) * trust(self.heard, seat, self.temper)
            if worth.by_seat[seat] >= -FREE and gain > self.temper.margin and (best is None or gain > best.gain):
                best = Proposal(gain, self._say(Act.REQUEST, seat, deed))
        return best

    def _threat(self, seat: int) -> Proposal | None:
        """Return a threat that hurts the other and costs this seat nothing, against a deed that would hurt it."""
        against = next((deed for deed in self._best_for_me(seat) if deed.negated), None)
        language = self.heard.language
        harms = [
            (float(worth.by_seat[seat]), deed)
            for deed in self.outlook.deeds(self.seat)
            if not deed.negated and language.kind(deed.verb).lasting and language.victim(deed) in (None, seat)
            if (worth := self.outlook.worth(self.seat, deed)) is not None
            if worth.by_seat[self.seat] >= 0 and worth.by_seat[seat] < -self.temper.margin
        ]
        if against is None or not harms:
            return None
        harm, deed = min(harms, key=lambda one: one[0])
        unwanted = Pattern(against.verb, against.slots, not against.negated)
        return Proposal(-harm / 2, self._say(Act.THREAT, seat, deed, unwanted, When.NEXT))

    def _best_for_me(self, seat: int) -> list[Pattern]:
        """Return the deeds of a seat that gain this one significantly and that it can ask for, best first."""
        found = []
        for deed in self.outlook.deeds(seat):
            if self._can_ask(seat, deed) and (worth := self.outlook.worth(seat, deed)) is not None:
                gain = float(worth.by_seat[self.seat])
                if gain > max(self.temper.margin, CERTAINTY * float(worth.error[self.seat])):
                    found.append((gain, deed))
        found.sort(key=lambda one: -one[0])
        return [deed for _, deed in found[:MOST_WEIGHED]]

    def _can_ask(self, seat: int, deed: Pattern) -> bool:
        """True if a deed of a seat is a matter of bargaining, and concerns this seat if it harms any.

        What the game's own weights advise against brings nothing, whatever a few matches say.
        """
        is_matter = self.heard.language.kind(deed.verb).bargained and not self._is_bid(deed)
        return is_matter and self._spares(self.seat, deed) and self.outlook.likes(self.seat, seat, deed)

    def _is_bid(self, deed: Pattern) -> bool:
        """True if a deed is to decide alone, such as by a captain: what comes of it is open, so no seat gains by it."""
        kind = self.heard.language.kind(deed.verb)
        alone = bool(kind.followed_by) and (deed.slots[0].place or 0) >= self.heard.language.choices_after(kind)
        return alone and not deed.negated

    def _spares(self, beneficiary: int, deed: Pattern) -> bool:
        """True if a deed harms no one, or harms another than the beneficiary, or is not to harm the beneficiary."""
        victim = self.heard.language.victim(deed)
        return victim is None or (victim == beneficiary) == deed.negated

    def _both_gain(self, to: int, own: Pattern, his: Pattern) -> float | None:
        """Return the worth of a bargain to this seat, None if either side would lose."""
        given, taken = self.outlook.worth(self.seat, own), self.outlook.worth(to, his)
        is_contrary = (own.verb, own.slots) == (his.verb, his.slots) and own.negated != his.negated
        if given is None or taken is None or is_contrary:  # contrary demands are not credible
            return None
        if self._is_bid(own) or not self._spares(to, own) or not self.outlook.likes(to, self.seat, own):
            return None
        costs = float(given.by_seat[self.seat]) * min(1.0, self.temper.honour)
        mine = float(taken.by_seat[self.seat]) * trust(self.heard, to, self.temper) + costs
        theirs = float(taken.by_seat[to] + given.by_seat[to])
        return mine if mine > self.temper.margin and theirs > FREE and given.by_seat[to] > 0 else None

    def _say(
        self, act: Act, to: int, deed: Pattern, condition: Pattern | None = None, when: When = When.NOW
    ) -> Statement:
        aloud = not (self.temper.whispers and self.heard.may_whisper)
        return Statement(self.seat, act, to, aloud, Deed(deed, when), None if condition is None else Deed(condition))

    # Facts

    def _may_claim(self) -> bool:
        """Bots claim once, and not near the end, when a last card may look like a role."""
        left = share_left(self.view.game, int(self.view.table.players), self.heard.played)
        return left > LEAST_LEFT and not any(said.statement.act is Act.CLAIM for said in self.heard.own())

    def _liked(self) -> dict[Known, float]:
        worlds, utilities = self.outlook.places, self.outlook.utilities
        players, facts = int(self.view.table.players), list[Known]()
        own, others = list[np.ndarray](), list[np.ndarray]()
        if not len(worlds):
            return {}
        for seat in range(players):
            told = facts_of(self.view, self.heard.language, self.outlook.worlds, seat)
            if any(len(each) != 1 for each in told):
                return {}  # cards that change hands, not a role
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
    """Return the number of actions that everyone can notice in a typical match, chance's included."""
    return max(1, sum(_length(game, players, seed) for seed in range(MATCHES)) // MATCHES)


def share_left(game: Game, players: int, played: int) -> float:
    """Return the approximate share of a match that is left after `played` such actions, at least 0."""
    return max(0.0, 1.0 - played / usual_length(game, players))


def _length(game: Game, players: int, seed: int) -> int:
    match, rng, player = Match(game, seed=seed, players=players), stream(seed), bot("greedy", seed)
    while not match.over and len(match.history) < LONGEST:
        seat = match.actor(rng)
        match.play(player.choose(match.view(seat)), seat)
    return len(match.heard(None))
