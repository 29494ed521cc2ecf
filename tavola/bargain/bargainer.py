"""A bot that negotiates at one seat: it hears statements, makes some, and may keep its promises.

    bargainer = Bargainer("search", "bold", seed=7, iterations=400)
    for statement in bargainer.speak(view, heard):   when a decision opens
        ...
    for statement in bargainer.answer(view, heard):  when something was said to it
        ...
    match.play(bargainer.choose(view, heard), seat)

All three are functions of the seed and of what its seat sees and has heard, so they reveal no secret. Without talk it
plays exactly like the bot of its level.
"""

from collections.abc import Sequence
from functools import partial
from time import perf_counter

import numpy as np

from tavola.bargain.answers import Answering
from tavola.bargain.claims import weigh_claims
from tavola.bargain.foresight import Bound, Budget, Prospect, Weigh, fitting, look_ahead
from tavola.bargain.heard import Heard, Promise
from tavola.bargain.outlook import Outlook, look_out
from tavola.bargain.proposals import Proposing, breaches_to_settle, share_left
from tavola.bargain.tempers import likelihood_of, promise_worth, temper_of, trust
from tavola.bots.levels import LEVELS, BadBot, bot, decision_rng
from tavola.bots.policies import choose_greedy
from tavola.core import CHANCE, View
from tavola.core.plan import deciding_seat
from tavola.core.rng import random_fraction
from tavola.core.view import Buffers
from tavola.talk import Act, Language, Pattern, Statement, Status

BARGAINING_LEVELS = tuple(name for name, level in LEVELS.items() if level.bargains)
GREEDY_ITERATIONS = 512
"""Iterations before a bot that does not search speaks."""
LOOKING = 4
"""The budget is divided by this to evaluate deeds; half of that for decisions of others."""
MOST_PARTNERS = 2
"""Maximum other seats whose deeds are evaluated when a decision opens."""
GREEDY_WORTH = 0.1
"""The worth of a greedy bot's full preference, as a fraction of a match."""
SURE = 1.0
"""Standard errors by which a breach must pay more than the promise is worth."""
TALK_STREAM, CHOICE_STREAM = 0x7A1C, 0xC401CE


class Bargainer:
    """A bot of a level and a temper. Raises `BadBot` for a wrong level or budget, `BadTemper` for a wrong temper."""

    def __init__(
        self, level: str, temper: str, seed: int = 0, milliseconds: int | None = None, iterations: int | None = None
    ) -> None:
        if level not in BARGAINING_LEVELS:
            known = " or ".join(BARGAINING_LEVELS)
            raise BadBot(f"unknown level {level[:60]!r} for a bot that bargains: expected {known}")
        self._mute = bot(level, seed, milliseconds, iterations)
        self.level, self.seed, self.temper = LEVELS[level], seed, temper_of(temper)
        searching = Budget(iterations, milliseconds or self.level.milliseconds)
        self._budget = searching if self.level.searches else Budget(GREEDY_ITERATIONS)
        self._known: tuple[object, Prospect | None, Outlook] | None = None
        self._free: tuple[object, Prospect] | None = None
        self.ahead = 0.0
        """Seconds of searches made before it spoke, which its choice reuses."""

    def within(self, milliseconds: int) -> "Bargainer":
        """Return itself, with a new time budget per decision if it searches by the clock."""
        if self.level.searches and self._budget.iterations is None and milliseconds != self._budget.milliseconds:
            self._budget = Budget(None, milliseconds)
            self._mute = bot(self.level.name, self.seed, milliseconds)
        return self

    # Talk

    def speak(self, view: View, heard: Heard) -> list[Statement]:
        """Return its unprompted statements about the current decision, usually none."""
        left = self.temper.budget - sum(said.statement.answers is None for said in heard.said_now())
        if left <= 0 or view.open:
            return []
        warnings, rng = self._warnings(view, heard), self._rng(view, TALK_STREAM)
        partners = self._partners(view, heard, rng)
        if not partners and not _decides(view):
            return warnings
        # If another seat decides, one of the others speaks, on average. One that was wronged never keeps it to itself.
        others = 1 if _decides(view) else max(1, int(view.table.players) - 1)
        is_wronged = any(breaches_to_settle(heard, seat, self.temper) for seat in partners)
        if random_fraction(rng) * others >= self.temper.eagerness and not is_wronged:
            return warnings
        _, outlook = self._foresee(view, heard, partners)
        return [*warnings, *Proposing(view, heard, self.temper, outlook, partners).statements(left)]

    def _warnings(self, view: View, heard: Heard) -> list[Statement]:
        """Return warnings about seats that broke promises to this one, unless it or another has warned already."""
        if self.temper.forgives or int(view.table.players) < 3:
            return []
        warned = {each.statement.about for each in heard.own() if each.statement.act is Act.WARN}
        others = (seat for seat in range(int(view.table.players)) if seat not in {heard.seat, *warned})
        warnings = []
        for seat, broken in ((seat, heard.breaches_of(seat)) for seat in others):
            since = [each.statement for each in heard.said_since(broken[-1])] if broken else []
            if broken and not any(each.act is Act.WARN and each.about == seat for each in since):
                warnings.append(Statement(heard.seat, Act.WARN, about=seat))
        return warnings

    def answer(self, view: View, heard: Heard) -> list[Statement]:
        """Return its answers to questions that it has not answered yet."""
        asked = heard.unanswered()
        if not asked:
            return []
        # Seats that offer are evaluated too: otherwise their deeds cannot be judged.
        offering = {said.statement.speaker for said in asked if said.statement.act is Act.OFFER}
        drawn = self._partners(view, heard, self._rng(view, TALK_STREAM))
        partners = sorted({*drawn, *offering.intersection(_deciding(view))})
        answering = Answering(view, heard, self.temper, partial(self._foresee, view, heard, partners), self.keeps)
        return answering.statements(asked)

    def take_back(self, heard: Heard) -> list[Statement]:
        """Return withdrawals of its open offers before it chooses, so that none binds it."""
        offers = (said for said in heard.own() if said.statement.act is Act.OFFER and said.status is Status.OPEN)
        due = (said for said in offers if said.trial is not None and said.trial.is_due and not said.trial.has_acted)
        return [Statement(heard.seat, Act.WITHDRAW, answers=said.number) for said in due]

    # Decisions

    def choose(self, view: View, heard: Heard | None = None) -> int:
        """Return the number of a legal action; raise `NotYourTurn` if the view's seat owes no decision.

        If it has heard nothing, this is the choice of the bot of its level.
        """
        seat = deciding_seat(view)
        if heard is None or not heard.said:
            return self._choose_freely(view)
        own, bound = heard.promises_due(seat), self._bound(view, heard)
        weigh = weigh_claims(view, heard, self.temper)
        if len(view.legal) == 1 or (not own and not bound and weigh is None):
            return self._choose_freely(view)
        prospect = self._prospect(view, bound, weigh, self._budget)
        return prospect.choose(self._rng(view, CHOICE_STREAM), self._allowed(view, prospect, own, heard))

    def _choose_freely(self, view: View) -> int:
        """Return the choice of its level's bot, reusing a search that was already made."""
        if self._free is not None and self._free[0] == view.key and (rng := self._free[1].rng) is not None:
            return self._free[1].choose(rng.copy())
        return self._mute.choose(view)

    def _look_freely(self, view: View, weigh: Weigh | None) -> Prospect:
        """Return the prospect without any promises.

        A budget of iterations allows its choice to reuse this search; by the clock, it gets half the time.
        """
        if not self.level.searches or self._budget.iterations is None or weigh is not None:
            return self._prospect(view, (), weigh, self._budget.part(2))
        if self._free is None or self._free[0] != view.key:
            begun = perf_counter()
            self._free = view.key, self._prospect(view, (), None, self._budget)
            self.ahead += perf_counter() - begun
        return self._free[1]

    def _bound(self, view: View, heard: Heard) -> list[Bound]:
        others = (seat for seat in _deciding(view) if seat != view.seat)
        due = (promise for seat in others for promise in heard.promises_due(seat))
        return [Bound(promise.seat, promise.pattern, likelihood_of(heard, promise, self.temper)) for promise in due]

    def keeps(self, view: View, heard: Heard, prospect: Prospect, patterns: Sequence[Pattern]) -> bool:
        """True if it would keep more promises about the current decision, in addition to those already made."""
        kept = np.logical_and.reduce([fitting(view, prospect.actions, pattern) for pattern in patterns])
        for promise in heard.promises_due(heard.seat):
            kept &= allowed_by(view, heard.language, prospect.actions, promise)
        return bool(kept.any()) and self._is_worth(view, heard, prospect, kept)

    def _allowed(self, view: View, prospect: Prospect, own: Sequence[Promise], heard: Heard) -> np.ndarray | None:
        """Return bool[actions]: allowed by the promises it keeps; None if all are."""
        allowed = np.ones(len(prospect.actions), bool)
        for promise in own:
            kept = allowed & allowed_by(view, heard.language, prospect.actions, promise)
            if kept.any() and self._keeps(view, prospect, kept, promise, heard):
                allowed = kept
        return None if allowed.all() else allowed

    def _keeps(self, view: View, prospect: Prospect, kept: np.ndarray, promise: Promise, heard: Heard) -> bool:
        if self.temper.steadfast:
            return True
        # The seat that it waits for can act differently: then there is no promise to break.
        chance = 1.0 if promise.waits_for is None else trust(heard, promise.waits_for, self.temper)
        return self._is_worth(view, heard, prospect, kept, chance)

    def _is_worth(self, view: View, heard: Heard, prospect: Prospect, kept: np.ndarray, chance: float = 1.0) -> bool:
        """True if playing only `kept` actions loses at most its promise's worth, times the `chance` that it is due.

        That worth is the price of a broken word: what the others' trust in it is still good for.
        """
        loss, error = prospect.loss(kept)
        left = share_left(view.game, int(view.table.players), heard.played)
        return loss - SURE * min(1.0, self.temper.honour) * error <= chance * promise_worth(heard, self.temper, left)

    # Search

    def _foresee(self, view: View, heard: Heard, partners: Sequence[int]) -> tuple[Prospect | None, Outlook]:
        """Return its prospect, None if it decides nothing, and the outlook; cached for each view."""
        key = (view.key, tuple(partners))
        if self._known is None or self._known[0] != key:
            weigh = weigh_claims(view, heard, self.temper)
            prospect = self._look_freely(view, weigh) if _decides(view) else None
            focal = [*partners, *([deciding_seat(view)] if prospect is not None else [])]
            # A turn of many decisions is discussed only once, so all of the budget is for that.
            is_turn = all(kind.whole_turn for kind in heard.language.talk.kinds)
            budget = self._budget if is_turn else self._budget.part(LOOKING if prospect is not None else 2 * LOOKING)
            rng = self._rng(view, TALK_STREAM)
            self._known = key, prospect, look_out(view, heard.language, rng, budget, focal, prospect, weigh)
        return self._known[1], self._known[2]

    def _prospect(self, view: View, bound: Sequence[Bound], weigh: Weigh | None, budget: Budget) -> Prospect:
        return look_ahead(view, self.seed, budget, bound, weigh) if self.level.searches else _glance(view)

    def _partners(self, view: View, heard: Heard, rng: np.ndarray) -> list[int]:
        """Return a random selection of other seats that decide and usually answer, first those that owe amends."""
        others = [seat for seat in _deciding(view) if seat != view.seat and not heard.ignores(seat)]
        drawn = sorted(others, key=lambda _: random_fraction(rng))
        drawn.sort(key=lambda seat: not breaches_to_settle(heard, seat, self.temper))
        return sorted(drawn[: MOST_PARTNERS if _decides(view) else 1])

    def _rng(self, view: View, number: int) -> np.ndarray:
        return decision_rng(self.seed ^ number, view)


def allowed_by(view: View, language: Language, actions: Sequence[int], promise: Promise) -> np.ndarray:
    """Return bool[actions]: allowed by a promise at this step; all if it is about another kind of decision."""
    kind, trial = language.kind(promise.pattern.verb), promise.said.trial
    verbs = {view.game.actions.by_number[number].verb for number in actions}
    if kind.followed_by in verbs and trial is not None:
        return np.array([trial.allows_choice(view.game.actions.by_number[number].indices) for number in actions])
    return np.ones(len(actions), bool) if verbs.isdisjoint(kind.verbs) else fitting(view, actions, promise.pattern)


def _glance(view: View) -> Prospect:
    """Return a greedy bot's prospect: the game's own weights in the place of tries."""
    assert view.seat is not None
    buffers, scores, states = Buffers(view.game), np.zeros(len(view.game.actions)), view.game.copy_states(view.states)
    choose_greedy(states, 0, view.seat, buffers.actions, buffers.weights, scores, np.zeros(1, np.uint64))
    shares = scores[: len(view.legal)] / max(scores[: len(view.legal)].sum(), 1e-9)
    return Prospect(view.legal, (1e6 * shares).astype(np.int64), GREEDY_WORTH * shares, secret=False)


def _decides(view: View) -> bool:
    return view.seat in view.to_act and len(view.legal) > 1


def _deciding(view: View) -> list[int]:
    return [seat for seat in view.to_act if seat != CHANCE]
