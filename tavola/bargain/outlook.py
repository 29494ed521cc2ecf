"""The outlook: the worth of deeds of all seats to everyone, estimated from matches continued in redealt worlds.

In each world one seat, in turn, decides at random, every other focal seat in half of the matches, and the rest as they
would; then the match is played out. Results are grouped by what the decisions led to: matches that continued from the
same table are averaged together, and small groups count little beyond the game's own weights. These say how much each
seat likes an action of any seat. A deed's worth is its gain over its contrary, times the chance that it would not be
done anyway.

A turn of many decisions begins as is likely in half of the matches, because talk is most useful about probable deeds;
in the others it begins at random. The likelihood of each beginning then gives the chance of what was done in it.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from tavola.bargain.foresight import CHUNK, Budget, Prospect, Weigh, searching
from tavola.bots.lookahead import EPSILON, Workspace, run_playouts
from tavola.bots.policies import choose_greedy
from tavola.core import CHANCE, View, kernels
from tavola.core.rng import random_below, random_fraction
from tavola.core.view import Buffers, seats_in
from tavola.show.talk import Known
from tavola.talk import Language, Pattern, Slot

TYPICAL_WORTH = 0.03
"""Typical difference in worth between outcomes of a decision, the prior before any evidence."""
TYPICAL_TURN = 0.05
"""The same for whole turns, judged by what was done in them."""
LEAST_SPREAD = 0.02
"""Minimum standard deviation assumed for single matches, even if the played ones are alike."""
LIKING = 0.004
"""The worth of an action to a seat that likes it e times as much as others, as a fraction of a match."""
LEAST_SHARE = 1e-6
"""The minimum chance of any action."""
LEAST_LIKED = 0.05
"""The ratio of liking beyond which it has no further effect."""
LEAST_SEEN = 4
"""Minimum matches with a deed, and without, needed to judge it."""
JOINING = 0.5
"""The chance that a seat decides at random beside another one, so that one match informs about both."""
TRIED_AS_LIKELY = 0.5
"""The share of matches in which a turn of many decisions begins as is likely, not at random."""
LONGEST_TURN = 24
"""Maximum steps of a turn that are examined."""
MOST_EXACT = 16
"""Maximum fully specified deeds of a seat; beyond that, only those that leave an argument open are distinguished."""


class Worth(NamedTuple):
    """The worth of a deed by seat, and its standard error. `doubt`: the chance that it would not be done anyway."""

    by_seat: np.ndarray
    error: np.ndarray
    doubt: float


@dataclass
class _Account:
    """The observed deeds of one seat; `places` refers each match to one of the distinct deeds in `done`."""

    done: dict[tuple[Known, ...], int] = field(default_factory=dict)
    """Distinct deeds, and their places."""
    places: list[int] = field(default_factory=list)
    matches: list[int] = field(default_factory=list)
    weights: list[float] = field(default_factory=list)
    """Likelihood ratio of each match's beginning: as is likely, to as it was drawn."""
    shares: defaultdict[int, float] = field(default_factory=lambda: defaultdict(float))
    """By action, its probability summed over worlds."""

    def add(self, known: tuple[Known, ...], match: int, weight: float) -> None:
        self.places.append(self.done.setdefault(known, len(self.done)))
        self.matches.append(match)
        self.weights.append(weight)

    def fits(self, deed: Pattern) -> np.ndarray:
        """Return bool[matches]: where a deed was done."""
        return np.array([bool(deed.fits(known)) for known in self.done])[self.places]


@dataclass(frozen=True)
class Outlook:
    """The worth of deeds of the current decision, by the seat that does them.

    `worlds`: the redealt ones; `places`: the world of each played match; `utilities`: float[matches, seats], its
    results; `expected`: the results predicted by the outcome of the decision, without liking. `liking`: by action
    float[seats], its worth to each seat by the game's own weights, for any doer.
    """

    accounts: dict[int, _Account]
    language: Language
    worlds: np.ndarray
    places: Sequence[int] = ()
    utilities: np.ndarray = field(default_factory=lambda: np.zeros((0, 0)))
    expected: np.ndarray = field(default_factory=lambda: np.zeros((0, 0)))
    liking: dict[int, np.ndarray] = field(default_factory=dict)
    _worths: dict[tuple[int, Pattern], Worth | None] = field(default_factory=dict)
    _deeds: dict[int, list[Pattern]] = field(default_factory=dict)
    _known: dict[int, tuple[list[Known], np.ndarray, np.ndarray]] = field(default_factory=dict)

    def deeds(self, seat: int) -> list[Pattern]:
        """Return the deeds of a seat that can be judged, and their contraries."""
        if seat not in self._deeds:
            account = self.accounts.get(seat)
            self._deeds[seat] = [] if account is None else self._seen(account)
        return self._deeds[seat]

    def _seen(self, account: _Account) -> list[Pattern]:
        """Return the observed deeds; later steps of a turn may be impossible, so they are only listed negated."""
        spoken = (_atoms(each for each in known if each.verb in self.language.deeds) for known in account.done)
        at_once = {deed for known in account.done for deed in _atoms(known[:1])}
        seen = dict.fromkeys(deed for atoms in spoken for deed in sorted(set(atoms), key=_order) if self._can_say(deed))
        plain = [deed for deed in seen if Slot(None) not in deed.slots]
        kept = [deed for deed in seen if Slot(None) in deed.slots or len(plain) <= MOST_EXACT]
        kinds = [self.language.kind(deed.verb).whole_turn for deed in kept]
        return [
            Pattern(deed.verb, deed.slots, negated)
            for deed, is_turn in zip(kept, kinds, strict=True)
            for negated in ((True,) if is_turn and deed not in at_once else (False, True))
        ]

    def _can_say(self, deed: Pattern) -> bool:
        """True if the game has words for every argument that a deed leaves open."""
        holes, arguments = self.language.topic(deed.verb).holes, self.language.deeds[deed.verb].arguments
        filled = zip(deed.slots, arguments, strict=True)
        return all(slot.place is not None or argument in holes for slot, argument in filled)

    def worth(self, seat: int, deed: Pattern) -> Worth | None:
        """Return the worth of a deed of a seat; None if it cannot be estimated."""
        if (seat, deed) not in self._worths:
            self._worths[seat, deed] = self._judge(seat, deed)
        return self._worths[seat, deed]

    def likes(self, seat: int, doer: int, deed: Pattern) -> bool:
        """True unless the game's own weights advise a seat against a deed of another; long turns have none."""
        account = self.accounts.get(doer)
        if account is None or not account.shares or self.language.kind(deed.verb).whole_turn:
            return True
        liked = self._liked(account, deed)
        return liked is None or bool(liked[seat] >= 0.0)

    def _judge(self, seat: int, deed: Pattern) -> Worth | None:
        if (account := self.accounts.get(seat)) is None or not account.places:
            return None
        if self.language.kind(deed.verb).whole_turn:
            return self._judge_turn(account, deed)
        fits, liked = account.fits(deed), self._liked(account, deed)
        doubt, none = 1.0 - self._share(account, deed), np.zeros(self.utilities.shape[1])
        if min(fits.sum(), (~fits).sum()) < LEAST_SEEN:
            return None if liked is None else Worth(liked, none, doubt)
        told = self.expected[account.matches]
        difference = told[fits].mean(axis=0) - told[~fits].mean(axis=0)
        return Worth(difference * doubt + (0.0 if liked is None else liked), none, doubt)

    def _judge_turn(self, account: _Account, deed: Pattern) -> Worth | None:
        """Return the worth of a deed within a turn, from the matches with and without it."""
        fits, told = account.fits(deed), self.utilities[account.matches]
        if min(fits.sum(), (~fits).sum()) < LEAST_SEEN:
            return None
        likely = np.array(account.weights)
        doubt = float(likely[~fits].sum() / likely.sum())
        difference = told[fits].mean(axis=0) - told[~fits].mean(axis=0)
        error = spread_of(self.utilities) * np.sqrt(1 / fits.sum() + 1 / (~fits).sum())
        trusted = TYPICAL_TURN**2 / (TYPICAL_TURN**2 + error**2)
        liked = self._liked(account, deed)
        before = np.zeros(len(difference)) if liked is None else liked  # the deciding seat likes what it would do
        return Worth(before + trusted * (difference * doubt - before), error * trusted * doubt, doubt)

    def _liked(self, account: _Account, deed: Pattern) -> np.ndarray | None:
        """Return float[seats]: the liking for a deed, compared with what would be done anyway."""
        known, values, shares = self._choices(account)
        fits = np.array([bool(deed.fits([each])) for each in known])
        if not fits.any():
            return None
        kept = np.where(fits, shares + LEAST_SHARE, 0.0)
        return np.asarray(kept @ values / kept.sum() - shares @ values)

    def _choices(self, account: _Account) -> tuple[list[Known], np.ndarray, np.ndarray]:
        """Return a seat's first actions, float[choices, seats] their worth by liking, and their probabilities."""
        if id(account) not in self._known:
            by_number, numbers = self.language.game.actions.by_number, list(account.shares)
            shares = np.array(list(account.shares.values()))
            values = np.array([self.liking[number] for number in numbers])
            self._known[id(account)] = [Known(*by_number[number]) for number in numbers], values, shares / shares.sum()
        return self._known[id(account)]

    def _share(self, account: _Account, deed: Pattern) -> float:
        """Return the chance that a deed is done anyway, at the first step of the decision."""
        known, _, shares = self._choices(account)
        return float(sum(share for each, share in zip(known, shares, strict=True) if deed.fits([each])))


def look_out(
    view: View,
    language: Language,
    rng: np.ndarray,
    budget: Budget,
    focal: Sequence[int],
    prospect: Prospect | None = None,
    weigh: Weigh | None = None,
) -> Outlook:
    """Estimate the worth of deeds of the seats `focal` in worlds that agree with a view.

    `prospect`: the search result of the view's seat, if it decides. A seat that owes no decision gets no estimates.
    """
    with searching(view, rng, budget, weigh) as (workspace, count):
        worlds, likelihoods = workspace.pool[:count].copy(), workspace.cumulative_likelihoods[:count].copy()
        sampler = _Sampler(view, workspace, language, rng, prospect, {seat: _Account() for seat in focal})
        done = 0
        for chunk in budget.chunks():
            for _ in range(chunk if budget.iterations is not None else CHUNK // 4):
                drawn = random_fraction(rng) * likelihoods[-1] if count > 1 else 0.0
                world = int(np.searchsorted(likelihoods, drawn, side="right")) if count > 1 else 0
                sampler.play_on(worlds[world : world + 1], world, focal[done % len(focal)])
                done += 1
        return sampler.outlook(worlds)


@dataclass
class _Sampler:
    """Plays matches from redealt worlds, and records the deeds in `accounts`."""

    view: View
    workspace: Workspace
    language: Language
    rng: np.ndarray
    prospect: Prospect | None
    accounts: dict[int, _Account]
    places: list[int] = field(default_factory=list)
    utilities: list[np.ndarray] = field(default_factory=list)
    decided: list[list[int]] = field(default_factory=list)
    changes: list[np.ndarray] = field(default_factory=list)
    _likely_at_once: dict[tuple[int, bytes], "_Likely"] = field(default_factory=dict)

    def __post_init__(self) -> None:
        game, kinds = self.view.game, self.language.talk.kinds
        self.buffers, self.scores = Buffers(game), np.zeros(len(game.actions))
        self.states = game.copy_states(self.view.states)
        self.kinds = {verb: kind for kind in kinds for verb in kind.verbs}
        self.long_turns = all(kind.whole_turn for kind in kinds)
        self.owing = [seat for seat in self.view.to_act if seat != CHANCE]

    def play_on(self, world: np.ndarray, place: int, first: int) -> None:
        """Play out a match in a world where `first` decides at random, and other focal seats in half of the matches."""
        states, chosen = self.states, list[tuple[int, int]]()
        known: dict[int, list[Known]] = {}
        weights: dict[int, float] = {}
        states[:] = world
        for seat in self.owing:
            likely = self._first(world, seat)
            if seat == first or (seat in self.accounts and random_fraction(self.rng) < JOINING):
                known[seat] = []
                number, weights[seat] = self._try(seat, likely)
            else:
                number = likely.draw(self.rng)
            chosen.append((seat, number))
        for seat, number in chosen:
            if int(kernels.to_act_at(states, 0)) >> seat & 1:
                self._apply(seat, number, known)
        self._finish_turn(first, known)
        if told := {seat: tuple(done) for seat, done in known.items() if done}:
            for seat, done in told.items():
                self.accounts[seat].add(done, len(self.places), weights[seat])
            self.workspace.pool[0] = states[0]
            run_playouts(self.workspace, 1, self.rng)
            self.places.append(place)
            self.utilities.append(self.workspace.utility.copy())
            self.decided.append([number for _, number in chosen])
            self.changes.append(np.frombuffer(states.tobytes(), np.uint8) ^ np.frombuffer(world.tobytes(), np.uint8))

    def outlook(self, worlds: np.ndarray) -> Outlook:
        utilities, liking = np.array(self.utilities), self._liking()
        if not self.utilities:
            return Outlook(self.accounts, self.language, worlds)
        liked = np.array([sum(liking[number] for number in numbers) for numbers in self.decided])
        expected = pooled(utilities - liked, outcomes(self.changes, self.decided))
        return Outlook(self.accounts, self.language, worlds, self.places, utilities, expected, liking)

    def _liking(self) -> dict[int, np.ndarray]:
        """Return by action float[seats]: its worth to each seat by the game's weights.

        In a ballot, a seat likes an action equally if others choose it.
        """
        shares: dict[int, dict[int, list[float]]] = {seat: defaultdict(list) for seat in self.owing}
        for (seat, _), likely in self._likely_at_once.items():
            for number, share in zip(likely.actions, likely.shares, strict=True):
                shares[seat][number].append(share * len(likely.actions))
        found = {number: np.zeros(len(self.workspace.utility)) for each in shares.values() for number in each}
        for seat, each in shares.items():
            for number, ratios in each.items():
                found[number][seat] = LIKING * float(np.log(np.clip(np.mean(ratios), LEAST_LIKED, 1 / LEAST_LIKED)))
        return found

    def _finish_turn(self, seat: int, known: dict[int, list[Known]]) -> None:
        done = known.get(seat)
        for _ in range(LONGEST_TURN if done and self.kinds[done[0].verb].whole_turn else 0):
            owing = seats_in(int(kernels.to_act_at(self.states, 0)))
            if owing == (CHANCE,):
                count = kernels.legal_at(self.states, 0, CHANCE, self.buffers.actions, self.buffers.weights)
                fallen = kernels.weighted_index(self.rng, self.buffers.weights, count)
                kernels.apply_at(self.states, 0, CHANCE, int(self.buffers.actions[fallen]))
            elif owing == (seat,):
                self._apply(seat, self._weighed(self.states, seat).draw(self.rng), known)
            else:
                break

    def _apply(self, seat: int, number: int, known: dict[int, list[Known]]) -> None:
        if seat in known:
            action, done = self.view.game.actions.by_number[number], known[seat]
            done += [Known(*action)] if action.verb in self.kinds or done else []
        kernels.apply_at(self.states, 0, seat, number)

    def _try(self, seat: int, likely: "_Likely") -> tuple[int, float]:
        """Return a seat's decision, and the ratio of its likelihood to the probability with which it was drawn."""
        for number, share in zip(likely.actions, likely.shares, strict=True):
            self.accounts[seat].shares[number] += share
        if self.long_turns and random_fraction(self.rng) < TRIED_AS_LIKELY:
            number = likely.draw(self.rng)
        else:
            number = likely.actions[int(random_below(self.rng, len(likely.actions)))]
        at_random, as_likely = 1.0 / len(likely.actions), likely.chance(number)
        part = TRIED_AS_LIKELY if self.long_turns else 0.0
        return number, as_likely / ((1.0 - part) * at_random + part * as_likely)

    def _first(self, world: np.ndarray, seat: int) -> "_Likely":
        """Return a seat's likely first actions; cached by hand, as all redeals have the same table."""
        key = seat, world["hand"][0, seat].tobytes()
        if key not in self._likely_at_once:
            self._likely_at_once[key] = self._weighed(world, seat)
        if seat == self.view.seat and self.prospect is not None:
            return _Likely.of(self.prospect.actions, self.prospect.tries.astype(float))
        return self._likely_at_once[key]

    def _weighed(self, states: np.ndarray, seat: int) -> "_Likely":
        count = kernels.legal_at(states, 0, seat, self.buffers.actions, self.buffers.weights)
        choose_greedy(states, 0, seat, self.buffers.actions, self.buffers.weights, self.scores, self.rng.copy())
        return _Likely.of(self.buffers.actions[:count].tolist(), self.scores[:count])


class _Likely(NamedTuple):
    actions: tuple[int, ...]
    shares: tuple[float, ...]
    sums: np.ndarray

    @classmethod
    def of(cls, actions: Iterable[int], weights: np.ndarray) -> "_Likely":
        total = weights.sum()
        shares = weights / total if 0.0 < total < np.inf else np.full(len(weights), 1 / len(weights))
        return cls(tuple(actions), tuple(shares.tolist()), shares.cumsum())

    def chance(self, number: int) -> float:
        """Return the probability that `draw` returns an action."""
        return EPSILON / len(self.actions) + (1.0 - EPSILON) * self.shares[self.actions.index(number)]

    def draw(self, rng: np.ndarray) -> int:
        """Return an action drawn by weight, or any with probability `EPSILON`."""
        if random_fraction(rng) < EPSILON:
            return self.actions[int(random_below(rng, len(self.actions)))]
        place = int(np.searchsorted(self.sums, random_fraction(rng) * self.sums[-1], side="right"))
        return self.actions[min(place, len(self.actions) - 1)]


def outcomes(changes: Sequence[np.ndarray], decided: Sequence[Sequence[int]]) -> np.ndarray:
    """Return int[matches]: groups of matches with the same result of the decision.

    `changes`: by match, the bytes that the decision changed, uint8[bytes]; `decided`: by match, the choice of each
    seat. If several seats decide, bytes that only record one seat's choice are ignored.
    """
    changed, chosen = np.array(changes), np.array(decided)
    changed = changed[:, (changed != changed[0]).any(axis=0)]
    if chosen.shape[1] > 1:
        changed = changed[:, ~np.logical_or.reduce([_records(changed, column) for column in chosen.T])]
    if not changed.shape[1]:
        return np.zeros(len(changes), np.int64)
    return np.unique(changed, axis=0, return_inverse=True)[1].reshape(-1)


def _records(changed: np.ndarray, chosen: np.ndarray) -> np.ndarray:
    """Return bool[bytes]: those with exactly one value for each choice of a seat, all different."""
    order = np.argsort(chosen, kind="stable")
    begins = np.flatnonzero(np.diff(chosen[order], prepend=-1))
    most, least = (each.reduceat(changed[order], begins, axis=0) for each in (np.maximum, np.minimum))
    differ = np.diff(np.sort(most, axis=0).astype(np.int64), axis=0) != 0
    return np.asarray((most == least).all(axis=0) & differ.all(axis=0) & (len(begins) > 1))


def pooled(utilities: np.ndarray, outcome: np.ndarray) -> np.ndarray:
    """Return float[matches, seats]: means by outcome, shrunk towards the total mean; small groups more."""
    counts = np.bincount(outcome)
    sums = np.zeros((len(counts), utilities.shape[1]))
    np.add.at(sums, outcome, utilities - utilities.mean(axis=0))
    means: np.ndarray = sums / (counts[:, None] + (spread_of(utilities) / TYPICAL_WORTH) ** 2)
    return np.asarray(means[outcome])


def spread_of(utilities: np.ndarray) -> np.ndarray:
    """Return float[seats]: the standard deviation of single matches' worth, lower if they are judged early."""
    return np.asarray(np.maximum(utilities.std(axis=0), LEAST_SPREAD))


def _atoms(known: Iterable[Known]) -> list[Pattern]:
    """Return the patterns that fit each action: exact, and with only one argument specified."""
    found = []
    for verb, indices, _ in known:
        found.append(Pattern(verb, tuple(Slot(index) for index in indices)))
        for kept in range(len(indices)) if len(indices) > 1 else ():
            slots = (Slot(index if place == kept else None) for place, index in enumerate(indices))
            found.append(Pattern(verb, tuple(slots)))
    return found


def _order(deed: Pattern) -> tuple[str, tuple[int, ...]]:
    return deed.verb, tuple(-1 if slot.place is None else slot.place for slot in deed.slots)
