"""Several seats accept at once, in offers of the same cards: the first gets the bargain.

Exactly one acceptance wins; the others are refused by name and change nothing. The numbers of cards and sous stay the
same.
"""

from collections import defaultdict

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from tavola.core import IllegalAction, Match
from tavola.games.tournament import GAME
from tavola.games.tournament.fixtures import deck

SOUS = 10


class Market(RuleBasedStateMachine):
    """One barter of three to six seats that offer, accept what others want too, withdraw, and are done."""

    def __init__(self) -> None:
        super().__init__()
        self.match: Match

    @initialize(players=st.integers(3, 6), seed=st.integers(0, 1000))
    def deal(self, players: int, seed: int) -> None:
        self.match = Match(GAME, players=players, seed=seed)

    def trading(self) -> bool:
        return not self.match.over and self.match.document()["phase"] == "trade"

    @precondition(trading)
    @rule(data=st.data())
    def offer(self, data: st.DataObject) -> None:
        seat = data.draw(st.sampled_from(self.match.to_act))
        for verb in ("offer", "give", "give", "ask", "charge", "publish"):
            ways = [code for code in self.match.legal_codes(seat) if code.split()[0] == verb]
            if ways and data.draw(st.integers(0, 9)) < 7:
                self.match.play(data.draw(st.sampled_from(ways)), seat)

    @precondition(trading)
    @rule(data=st.data())
    def everybody_accepts_one(self, data: st.DataObject) -> None:
        wanted = self._wanted()
        if not wanted:
            return
        code = data.draw(st.sampled_from(sorted(wanted)))
        winner, *others = data.draw(st.permutations(wanted[code]))
        self.match.play(code, winner)
        for other in others:
            self._is_refused(code, other)

    @precondition(trading)
    @rule(data=st.data())
    def all_offers_of_a_card(self, data: st.DataObject) -> None:
        """Seats accept every offer of one card: it changes hands once."""
        hands = self.match.document()["hands"]
        codes: dict[tuple[int, str], list[str]] = defaultdict(list)
        for maker, hand in enumerate(hands):
            for number, terms in hand["terms"][maker].items():
                for card in {*terms["given"]} - {"none"}:
                    codes[maker, card].append(f"accept {maker} {number}")
        if not codes:
            return
        maker, card = data.draw(st.sampled_from(sorted(codes)))
        before = hands[maker]["jokers"] if card == "joker" else 1
        deals = 0
        for code in data.draw(st.permutations(codes[maker, card])):
            able = self._wanted().get(code, [])
            for seat in able[:1]:
                self.match.play(code, seat)
                deals += 1
            for seat in able[1:]:
                self._is_refused(code, seat)
        assert deals <= before

    @precondition(trading)
    @rule(data=st.data())
    def withdraw_before_it_is_accepted(self, data: st.DataObject) -> None:
        for code, seats in sorted(self._wanted().items()):
            _, maker, number = code.split()
            if f"withdraw {number}" in self.match.legal_codes(int(maker)) and data.draw(st.booleans()):
                self.match.play(f"withdraw {number}", int(maker))
                for seat in seats:
                    self._is_refused(code, seat)
                return

    @precondition(trading)
    @rule(data=st.data())
    def done(self, data: st.DataObject) -> None:
        if len(self.match.to_act) > 1:
            self.match.play("done", data.draw(st.sampled_from(self.match.to_act)))

    def _wanted(self) -> dict[str, list[int]]:
        found: dict[str, list[int]] = {}
        for seat in self.match.to_act:
            for code in self.match.legal_codes(seat):
                if code.startswith("accept"):
                    found.setdefault(code, []).append(seat)
        return found

    def _is_refused(self, code: str, seat: int) -> None:
        before = self.match.state_bytes()
        with pytest.raises(IllegalAction, match="expected"):
            self.match.play(code, seat)
        assert self.match.state_bytes() == before

    @precondition(trading)
    @invariant()
    def nothing_comes_or_goes(self) -> None:
        """R11, F6: no card or sou is lost or added."""
        document = self.match.document()
        hands = document["hands"]
        held = [card for hand in hands for card in hand["cards"]] + ["joker"] * sum(hand["jokers"] for hand in hands)
        assert sorted(held) == sorted(deck(self.match.players))
        assert sum(document["purse"]) == SOUS * self.match.players
        assert not GAME.faults(GAME.state.unpack(self.match.state_bytes()))


Market.TestCase.settings = settings(max_examples=15, stateful_step_count=25, deadline=None)
test_whoever_comes_first_has_it = Market.TestCase
