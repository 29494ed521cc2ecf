"""A trial: one seat's deed, judged by the public course of the match.

A seat's current decision ends when it acts openly or a secret action is revealed. A secret action also ends a trial
about an openly played verb, because it was another action. Everything revealed of a seat in one step counts as one
decision; for kinds that take a whole turn, so does everything the seat does in it. A choice that a decision gives its
seat at once belongs to it: a player who promises not to vote for a boat must not choose it by a captain either.
"""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from tavola.core import CHANCE, Match, PlayedAction, View
from tavola.show.cards import words_of
from tavola.show.speech import Say
from tavola.show.talk import Known, Revealed
from tavola.talk.language import Language
from tavola.talk.statements import Deed, When


class Step(NamedTuple):
    """One action as everyone saw it. `heard` is None for a secret one; `round_ended`: a new round has begun.

    `follows`: verbs of the choices that the action gave, by seat.
    """

    actor: int
    heard: PlayedAction | None
    revealed: Revealed
    to_act: tuple[int, ...]
    round_ended: bool
    follows: Mapping[int, str] = {}

    @property
    def is_last(self) -> bool:
        """True if the match ended with it."""
        return not self.to_act

    @classmethod
    def of(cls, language: Language, before: View, match: Match) -> "Step":
        """Return the last step of a match; `before`: the public view before it."""
        say, chapter, after = Say.of(language.game, "en"), words_of(language.game).chapter, match.view()
        ended = chapter(before, say) != chapter(after, say)
        revealed = language.talk.revealed(before, after)
        follows = _choices_given(language, match) if revealed else {}
        return cls(match.history[-1][0], match.last_action(), revealed, after.to_act, ended, follows)

    def known_of(self, seat: int) -> list[Known]:
        """Return what everyone learns of a seat's actions in this step, played openly or revealed."""
        played = [Known(self.heard.verb, self.heard.indices)] if self.actor == seat and self.heard is not None else []
        return [*played, *self.revealed.get(seat, ())]


class Trial:
    """A deed of `seat`, judged from the moment of the statement on.

    When it `is_over`, `outcome` is whether it was done; None if its decision never occurred or was not observed.
    """

    def __init__(self, language: Language, seat: int, deed: Deed, match: Match) -> None:
        self.seat, self.deed, self.kind = seat, deed, language.kind(deed.pattern.verb)
        self.is_over = False
        self.outcome: bool | None = None
        self.has_acted = False  # part of its decision may be made: it is too late to agree or withdraw
        self._is_revealed = language.is_revealed(self.kind)
        self._choices = language.choices_after(self.kind)
        decides = seat in match.to_act or (self._is_revealed and _has_hidden(language, seat, match))
        self.is_passing = deed.when is When.NEXT and decides  # until the current decision is over
        self._came = self._was_unseen = False
        self._first: Sequence[Known] = ()  # what was done, while the choice that it gave is still to be made
        self._turn: list[Known] = []
        self._in_turn = False

    @property
    def is_due(self) -> bool:
        """True if it is about the seat's next decision of the kind."""
        return not self.is_over and not self.is_passing

    def see(self, step: Step) -> None:
        if self.is_over:
            return
        acts = step.actor == self.seat
        self._in_turn = self._in_turn or acts
        self.has_acted = self.has_acted or (acts and not self.is_passing)
        (self._see_turn if self.kind.whole_turn else self._see_decision)(step)
        if not self.is_over and (step.round_ended or step.is_last):
            if self.deed.when is When.ROUND:
                self._end(True if self._came else None)
            elif step.is_last or self._was_unseen:
                self._end(None)

    def _see_decision(self, step: Step) -> None:
        known = step.known_of(self.seat)
        if self._first and known:
            self._judge(self._fits_with_choice(known))
            self._first = ()
            return
        of_kind = [each for each in known if each.verb in self.kind.verbs and (self._was_unseen or not each.is_more)]
        elsewhere = bool(known) or (step.actor == self.seat and not self._is_revealed)
        if self.is_passing:
            self.is_passing = not elsewhere
        elif of_kind and self._is_open_after(of_kind, step):
            self._first = of_kind
        elif of_kind:
            self._judge(self.deed.pattern.fits(of_kind))
        elif elsewhere and self.deed.when is When.NOW:
            self._end(None)

    def allows_choice(self, indices: tuple[int, ...]) -> bool:
        """True if a choice that the decision has just given would not break a promise of this deed."""
        known = [Known(self.kind.followed_by, indices)]
        return not self._first or self.is_passing or self._fits_with_choice(known) is not False

    def _fits_with_choice(self, known: Sequence[Known]) -> bool | None:
        """Return whether a decision fits together with its choice; what cannot be chosen is judged by the first."""
        pattern = self.deed.pattern
        chosen = [Known(pattern.verb, each.indices) for each in known if each.verb == self.kind.followed_by]
        return pattern.fits(self._first if not chosen or self._is_about_first else chosen)

    def _is_open_after(self, done: Sequence[Known], step: Step) -> bool:
        """True if a decision has given its seat a choice that can still change the outcome."""
        if not self.kind.followed_by or step.follows.get(self.seat) != self.kind.followed_by or self._is_about_first:
            return False
        forbids = self.deed.pattern.negated != self.deed.pattern.slots[0].excluded
        return not (forbids and self.deed.pattern.fits(done) is False)

    @property
    def _is_about_first(self) -> bool:
        """True if the deed is about something that cannot be chosen, such as a captain."""
        return (self.deed.pattern.slots[0].place or 0) >= self._choices

    def _see_turn(self, step: Step) -> None:
        self._turn += [each for each in step.known_of(self.seat) if each.verb in self.kind.verbs]
        if not self.is_passing and self._turn:
            fits = self.deed.pattern.fits(self._turn)
            settles = fits is not None and fits is not self.deed.pattern.negated
            if settles and (not fits or self.deed.when is not When.ROUND):  # the rest of the turn cannot change it
                self._judge(fits)
        others = [seat for seat in step.to_act if seat != CHANCE]
        goes_on = self.seat in others or (not others and not step.is_last)
        if not self.is_over and self._in_turn and not goes_on:
            self._end_turn()

    def _end_turn(self) -> None:
        done, self._turn, self._in_turn = self._turn, [], False
        if self.is_passing:
            self.is_passing = False
        elif done:
            self._judge(self.deed.pattern.fits(done))
        elif self.deed.when is When.NOW:
            self._end(None)

    def _judge(self, fits: bool | None) -> None:
        """Judge a decision that it is about; `fits` is None if not enough of it was observed."""
        if fits is None:
            self._was_unseen = True
        elif self.deed.when is not When.ROUND or not fits:
            self._end(fits)
        else:
            self._came = True

    def _end(self, outcome: bool | None) -> None:
        self.is_over, self.outcome = True, outcome


def _choices_given(language: Language, match: Match) -> dict[int, str]:
    """Return the verb of the choice of the only seat that decides next; empty for other decisions."""
    (seat,) = match.to_act if len(match.to_act) == 1 else (CHANCE,)
    if seat == CHANCE or not any(kind.followed_by for kind in language.talk.kinds):
        return {}
    return {seat: match.game.actions.verb(match.legal_numbers(seat)[0]).name}


def _has_hidden(language: Language, seat: int, match: Match) -> bool:
    """True if a seat's last action was secret and is not revealed yet."""
    own = [place for place, (actor, _) in enumerate(match.history) if actor == seat]
    if not own or not match.game.actions.verb(match.history[own[-1]][1]).secret:
        return False
    seen = [View(match.game, match.states_at(at), None) for at in range(own[-1], len(match.history) + 1)]
    return not any(seat in language.talk.revealed(*pair) for pair in pairwise(seen))
