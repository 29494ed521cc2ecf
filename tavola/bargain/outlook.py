"""The outlook: what deeds of this seat and of others are worth to everybody, from matches played on in redealt worlds.

In each world one seat, in turn, decides at random and all others as they would; the match is played on, and what it
came to is credited to what that seat did. A deed is worth what it brings more than its contrary, times the chance that
it would not be done anyway, shrunk towards nothing as far as so few matches cannot tell.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from tavola.bargain.foresight import CHUNK, SPREAD, Budget, Prospect, Weigh, searching
from tavola.bots.lookahead import EPSILON, Workspace, run_playouts
from tavola.bots.policies import choose_greedy
from tavola.core import CHANCE, View, kernels
from tavola.core.rng import random_below, random_fraction
from tavola.core.view import Buffers, seats_in
from tavola.show.talk import Known
from tavola.talk import Language, Pattern, Slot

TYPICAL_WORTH = 0.06
"""The worth that deeds have, about: so much is believed before anything is seen."""
LEAST_SEEN = 4
"""Matches with a deed, and without, from which it can be judged."""
LONGEST_TURN = 12
"""Steps of a turn that are looked at."""
MOST_EXACT = 16
"""Deeds of a seat beyond which only those are told apart that leave some argument open."""


class Worth(NamedTuple):
    """What a deed is worth: by seat, and the standard error. `doubt`: the chance that it would not be done anyway."""

    by_seat: np.ndarray
    error: float
    doubt: float


@dataclass
class _Account:
    """What was seen of the deeds of one seat."""

    known: list[tuple[Known, ...]] = field(default_factory=list)
    done: list[frozenset[Pattern]] = field(default_factory=list)
    utilities: list[np.ndarray] = field(default_factory=list)
    worlds: list[int] = field(default_factory=list)
    shares: defaultdict[int, float] = field(default_factory=lambda: defaultdict(float))
    """By action, the chance of it summed over worlds."""

    def fits(self, deed: Pattern) -> np.ndarray:
        """Return bool[matches]: where a deed was done."""
        plain, kept = Pattern(deed.verb, deed.slots), [slot for slot in deed.slots if slot.place is not None]
        if any(slot.excluded for slot in kept) or len(kept) not in (len(deed.slots), 1):
            return np.array([bool(deed.fits(known)) for known in self.known])
        return np.array([(plain in done) is not deed.negated for done in self.done])


@dataclass(frozen=True)
class Outlook:
    """What deeds of the present decision are worth, by the seat that does them. `worlds`: the redealt ones."""

    accounts: dict[int, _Account]
    language: Language
    worlds: np.ndarray
    _worths: dict[tuple[int, Pattern], Worth | None] = field(default_factory=dict, compare=False, repr=False)

    def deeds(self, seat: int) -> list[Pattern]:
        """Return the deeds of a seat that can be judged, and their contraries."""
        account = self.accounts.get(seat)
        if account is None:
            return []
        seen = dict.fromkeys(deed for done in account.done for deed in sorted(done, key=_order) if self._can_say(deed))
        plain = [deed for deed in seen if Slot(None) not in deed.slots]
        kept = [deed for deed in seen if Slot(None) in deed.slots or len(plain) <= MOST_EXACT]
        kinds = [self.language.kind(deed.verb).whole_turn for deed in kept]
        return [
            Pattern(deed.verb, deed.slots, negated)
            for deed, is_turn in zip(kept, kinds, strict=True)
            for negated in ((True,) if is_turn else (False, True))
        ]

    def _can_say(self, deed: Pattern) -> bool:
        """True when the game has words for every argument that a deed leaves open."""
        holes, arguments = self.language.topic(deed.verb).holes, self.language.deeds[deed.verb].arguments
        return all(
            slot.place is not None or argument in holes for slot, argument in zip(deed.slots, arguments, strict=True)
        )

    def worth(self, seat: int, deed: Pattern) -> Worth | None:
        """Return what a deed of a seat is worth; None where that cannot be told."""
        if (seat, deed) not in self._worths:
            self._worths[seat, deed] = self._judge(seat, deed)
        return self._worths[seat, deed]

    def _judge(self, seat: int, deed: Pattern) -> Worth | None:
        account = self.accounts.get(seat)
        if account is None or not account.done:
            return None
        fits = account.fits(deed)
        with_it, without = int(fits.sum()), int((~fits).sum())
        if min(with_it, without) < LEAST_SEEN:
            return None
        utilities = np.array(account.utilities)
        doubt = 1.0 - self._share(account, deed)
        error = SPREAD * float(np.sqrt(1 / with_it + 1 / without))
        trusted = TYPICAL_WORTH**2 / (TYPICAL_WORTH**2 + error**2)
        difference = utilities[fits].mean(axis=0) - utilities[~fits].mean(axis=0)
        return Worth(difference * trusted * doubt, error * trusted * doubt, doubt)

    def matches(self) -> tuple[list[int], np.ndarray]:
        """Return each match that was played on: the place of its world, and float[matches, seats] what it came to."""
        accounts = self.accounts.values()
        worlds = [world for account in accounts for world in account.worlds]
        return worlds, np.array([each for account in accounts for each in account.utilities])

    def _share(self, account: _Account, deed: Pattern) -> float:
        """Return the chance that a deed is done anyway, from the first step of the decision."""
        total = sum(account.shares.values()) or 1.0
        by_number = self.language.game.actions.by_number
        done = (share for number, share in account.shares.items() if deed.fits([Known(*by_number[number])]))
        return min(1.0, sum(done) / total)


def look_out(
    view: View,
    language: Language,
    rng: np.ndarray,
    budget: Budget,
    focal: Sequence[int],
    prospect: Prospect | None = None,
    weigh: Weigh | None = None,
) -> Outlook:
    """Look at the deeds of the seats `focal` in worlds that agree with a view.

    `prospect`: what its seat has found, if it decides. Nothing is found of a seat that owes no decision.
    """
    accounts = {seat: _Account() for seat in focal}
    with searching(view, rng, budget, weigh) as (workspace, count):
        worlds, likelihoods = workspace.pool[:count].copy(), workspace.cumulative_likelihoods[:count].copy()
        sampler = _Sampler(view, workspace, language, rng, prospect)
        done = 0
        for chunk in budget.chunks():
            for _ in range(chunk if budget.iterations is not None else CHUNK // 4):
                drawn = random_fraction(rng) * likelihoods[-1] if count > 1 else 0.0
                world = int(np.searchsorted(likelihoods, drawn, side="right")) if count > 1 else 0
                seat = focal[done % len(focal)]
                if sampler.play_on(worlds[world : world + 1], seat, accounts[seat]):
                    accounts[seat].worlds.append(world)
                done += 1
    return Outlook(accounts, language, worlds)


class _Sampler:
    """Plays matches on from redealt worlds."""

    def __init__(
        self, view: View, workspace: Workspace, language: Language, rng: np.ndarray, prospect: Prospect | None
    ) -> None:
        self.view, self.workspace, self.language, self.rng = view, workspace, language, rng
        self.prospect = prospect
        self.buffers, self.scores = Buffers(view.game), np.zeros(len(view.game.actions))

    def play_on(self, world: np.ndarray, focal: int, account: _Account) -> bool:
        """Let a seat decide at random in a world, play the match on, note what it did and what came of it.

        False where it decides nothing that can be spoken of.
        """
        states = self.view.game.copy_states(world)
        known: list[Known] = []
        owing = [seat for seat in seats_in(int(kernels.to_act_at(states, 0))) if seat != CHANCE]
        chosen = [(seat, self._choose(states, seat, focal, account)) for seat in owing]
        for seat, number in chosen:
            if int(kernels.to_act_at(states, 0)) >> seat & 1:
                self._apply(states, seat, number, focal, known)
        for _ in range(LONGEST_TURN if known and self.language.kind(known[0].verb).whole_turn else 0):
            if seats_in(int(kernels.to_act_at(states, 0))) != (focal,):
                break
            self._apply(states, focal, self._likely(states, focal), focal, known)
        if known:
            self.workspace.pool[0] = states[0]
            run_playouts(self.workspace, 1, self.rng)
            account.known.append(tuple(known))
            account.done.append(frozenset(atom for atom in _atoms(known) if atom.verb in self.language.deeds))
            account.utilities.append(self.workspace.utility.copy())
        return bool(known)

    def _apply(self, states: np.ndarray, seat: int, number: int, focal: int, known: list[Known]) -> None:
        if seat == focal:
            action = self.view.game.actions.by_number[number]
            known += [Known(*action)] if action.verb in self.language.deeds or known else []
        kernels.apply_at(states, 0, seat, number)

    def _choose(self, states: np.ndarray, seat: int, focal: int, account: _Account) -> int:
        """Return what a seat decides: `focal` anything, the searching seat as it has found, others as looks good."""
        if seat == self.view.seat and self.prospect is not None:
            actions, weights = np.array(self.prospect.actions), self.prospect.tries.astype(float)
        else:
            actions, weights = self._weighed(states, seat)
        if seat == focal:
            shares = weights / weights.sum() if weights.sum() else np.full(len(weights), 1 / len(weights))
            for number, share in zip(actions.tolist(), shares.tolist(), strict=True):
                account.shares[number] += share
            return int(actions[random_below(self.rng, len(actions))])
        return self._draw(actions, weights)

    def _likely(self, states: np.ndarray, seat: int) -> int:
        return self._draw(*self._weighed(states, seat))

    def _draw(self, actions: np.ndarray, weights: np.ndarray) -> int:
        sums = weights.cumsum()
        if random_fraction(self.rng) < EPSILON or not 0.0 < sums[-1] < np.inf:
            return int(actions[random_below(self.rng, len(actions))])
        place = int(np.searchsorted(sums, random_fraction(self.rng) * sums[-1], side="right"))
        return int(actions[min(place, len(actions) - 1)])

    def _weighed(self, states: np.ndarray, seat: int) -> tuple[np.ndarray, np.ndarray]:
        """Return the legal actions of a seat, and the game's own weights of them."""
        count = kernels.legal_at(states, 0, seat, self.buffers.actions, self.buffers.weights)
        choose_greedy(states, 0, seat, self.buffers.actions, self.buffers.weights, self.scores, self.rng.copy())
        return self.buffers.actions[:count].copy(), self.scores[:count].copy()


def _atoms(known: Iterable[Known]) -> list[Pattern]:
    """Return the patterns that what was done fits: each action as it is, and with one argument alone."""
    found = []
    for verb, indices, _ in known:
        found.append(Pattern(verb, tuple(Slot(index) for index in indices)))
        if len(indices) > 1:
            holes = range(len(indices))
            found += [
                Pattern(verb, tuple(Slot(index if place == kept else None) for place, index in enumerate(indices)))
                for kept in holes
            ]
    return found


def _order(deed: Pattern) -> tuple[str, tuple[int, ...]]:
    return deed.verb, tuple(-1 if slot.place is None else slot.place for slot in deed.slots)
