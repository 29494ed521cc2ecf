"""A trial: the deed of one seat, watched as everybody sees the match, until it is known what it came to.

The present decision of a seat is over when it has acted openly, or something of its secret actions is revealed; about
a verb that is played openly, a secret action ends it too, for it was another. All that becomes known of a seat with one
step counts as one decision; where a kind of decision takes a whole turn, all that the seat does in that turn.
"""

from itertools import pairwise
from typing import NamedTuple

from tavola.core import CHANCE, Match, PlayedAction, View
from tavola.show.cards import words_of
from tavola.show.speech import Say
from tavola.show.talk import Known, Revealed
from tavola.talk.language import Language
from tavola.talk.statements import Deed, When


class Step(NamedTuple):
    """One action as everybody saw it. `heard` is None where it was secret; `round_ended`: another round is on now."""

    actor: int
    heard: PlayedAction | None
    revealed: Revealed
    to_act: tuple[int, ...]
    round_ended: bool

    @property
    def is_last(self) -> bool:
        """True when the match has ended with it."""
        return not self.to_act

    @classmethod
    def of(cls, language: Language, before: View, match: Match) -> "Step":
        """Return the last step of a match; `before`: what everybody saw before it."""
        say, chapter, after = Say.of(language.game, "en"), words_of(language.game).chapter, match.view()
        ended = chapter(before, say) != chapter(after, say)
        revealed = language.talk.revealed(before, after)
        return cls(match.history[-1][0], match.last_action(), revealed, after.to_act, ended)

    def known_of(self, seat: int) -> list[Known]:
        """Return what everybody learns of a seat's actions with this step, openly or by a revelation."""
        revealed = list(self.revealed.get(seat, ()))
        if self.actor == seat and self.heard is not None:
            return [Known(self.heard.verb, self.heard.indices), *revealed]
        return revealed


class Trial:
    """A deed of `seat`, watched from the moment of a match at which it was spoken of.

    When it `is_over`, `outcome` says whether it was done; None where its decision never came, or nobody saw it.
    """

    def __init__(self, language: Language, seat: int, deed: Deed, match: Match) -> None:
        self.seat, self.deed, self.kind = seat, deed, language.kind(deed.pattern.verb)
        self.is_over = False
        self.outcome: bool | None = None
        self.has_acted = False  # something of what it is about may be decided: it is too late to agree or take back
        self._is_revealed = language.is_revealed(self.kind)
        decides = seat in match.to_act or (self._is_revealed and _has_hidden(language, seat, match))
        self._passes_over = deed.when is When.NEXT and decides  # until the present decision is over
        self._came = self._was_unseen = False
        self._turn: list[Known] = []
        self._in_turn = False

    @property
    def is_due(self) -> bool:
        """True when the seat's next decision of the kind is one that it is about."""
        return not self.is_over and not self.is_passing

    @property
    def is_passing(self) -> bool:
        """True while the present decision is not over, which it is not about: the next one is."""
        return self._passes_over

    def see(self, step: Step) -> None:
        """Go on by one action."""
        if self.is_over:
            return
        acts = step.actor == self.seat
        self._in_turn = self._in_turn or acts
        self.has_acted = self.has_acted or (acts and not self._passes_over)
        if self.kind.whole_turn:
            self._see_turn(step)
        else:
            self._see_decision(step)
        if not self.is_over and (step.round_ended or step.is_last):
            self._end_round(step)

    def _see_decision(self, step: Step) -> None:
        known = step.known_of(self.seat)
        of_kind = [each for each in known if each.verb in self.kind.verbs and (self._was_unseen or not each.is_more)]
        elsewhere = bool(known) or (step.actor == self.seat and not self._is_revealed)
        if self._passes_over:
            self._passes_over = not elsewhere
        elif of_kind:
            self._judge(self.deed.pattern.fits(of_kind))
        elif elsewhere and self.deed.when is When.NOW:
            self._end(None)

    def _see_turn(self, step: Step) -> None:
        self._turn += [each for each in step.known_of(self.seat) if each.verb in self.kind.verbs]
        if not self._passes_over and self._turn:
            self._judge_early()
        if not self.is_over and self._has_ended_turn(step):
            self._end_turn()

    def _judge_early(self) -> None:
        """What was to be done is done, or what was not to be done: the rest of the turn changes nothing."""
        fits = self.deed.pattern.fits(self._turn)
        settles = fits is not None and fits is not self.deed.pattern.negated
        if settles and (not fits or self.deed.when is not When.ROUND):
            self._judge(fits)

    def _has_ended_turn(self, step: Step) -> bool:
        others = [seat for seat in step.to_act if seat != CHANCE]
        goes_on = self.seat in others or (not others and not step.is_last)
        return self._in_turn and not goes_on

    def _end_turn(self) -> None:
        done, self._turn, self._in_turn = self._turn, [], False
        if self._passes_over:
            self._passes_over = False
        elif done:
            self._judge(self.deed.pattern.fits(done))
        elif self.deed.when is When.NOW:
            self._end(None)

    def _judge(self, fits: bool | None) -> None:
        """A decision that it is about has been made; `fits` None where not enough of it was seen."""
        if fits is None:
            self._was_unseen = True
        elif self.deed.when is not When.ROUND or not fits:
            self._end(fits)
        else:
            self._came = True

    def _end_round(self, step: Step) -> None:
        if self.deed.when is When.ROUND:
            self._end(True if self._came else None)
        elif step.is_last or self._was_unseen:
            self._end(None)

    def _end(self, outcome: bool | None) -> None:
        self.is_over, self.outcome = True, outcome


def _has_hidden(language: Language, seat: int, match: Match) -> bool:
    """True when the last action of a seat lies face down still: nothing of it has been revealed."""
    own = [place for place, (actor, _) in enumerate(match.history) if actor == seat]
    if not own or not match.game.actions.verb(match.history[own[-1]][1]).secret:
        return False
    seen = [View(match.game, match.states_at(at), None) for at in range(own[-1], len(match.history) + 1)]
    return not any(seat in language.talk.revealed(*pair) for pair in pairwise(seen))
