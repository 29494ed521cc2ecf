"""A live barter of Tournament among people whose pages are behind: a late answer means what its sender saw.

Every command has a prompt that some page of its sender has shown. It is carried out as it was meant, or refused for a
reason and changes nothing. No card and no sou is created or lost.
"""

import asyncio
import random

from hypothesis import strategies as st
from hypothesis.stateful import initialize, invariant, precondition, rule

from tavola.core import IllegalAction
from tavola.games.tournament.components import CARDS, KINDS, Phase
from tavola.games.tournament.words.nouns import cards_of, sort_of
from tavola.live.log.dice import Dice
from tavola.live.protocol import Play
from tavola.live.room_refusals import NotPlaying, StalePrompt
from tests.helpers.rooms import THREE, matches_log, send, start_room
from tests.live.test_room_properties import RoomMachine, few_long_courses
from tests.live.time.test_tournament import goods

seats, behind, choices = st.integers(0, 2), st.integers(0, 3), st.integers(0, 11)
kinds = st.lists(st.sampled_from(KINDS), max_size=1)


class LateMarket(RoomMachine):
    """Three people, and everything that their pages have shown them."""

    def __init__(self):
        super().__init__()
        self.shown = [[], [], []]  # prompts and the views shown with them, by seat, newest last
        self.acted = [0, 0, 0]  # the first prompt after a seat's own last action

    @initialize(seed=st.integers(0, 1000))
    def open_a_market(self, seed):
        chance = random.Random(seed)
        self.run(self.serve(dice=Dice(chance)))
        self.room = self.run(start_room(self.hub, THREE, game="tournament", patience=0))
        self.goods, self.begun = goods(self.room), self.room.view(None).table.begun
        self._look()
        for seat in (0, 1, 2, 0, 1, 2):  # there is something to accept from the beginning
            self.publish(seat, chance.choice([0, 0, 1, 2]), 0, chance.randrange(12), [], chance.choice([0, 1]))

    def _look(self):
        for seat, shown in enumerate(self.shown):
            prompt_id = self.room.prompt_id(seat)
            if prompt_id is not None and (not shown or shown[-1][0] != prompt_id):
                shown.append((prompt_id, self.room.view(seat)))

    def _seen(self, seat, back):
        return self.shown[seat][-1 - min(back, len(self.shown[seat]) - 1)]

    def _send(self, *answers):
        """Send answers (seat, prompt, codes) at the same time; return those carried out. Refusals change nothing."""

        async def together():
            done = (send(self.room, THREE[seat], Play, prompt, codes=codes) for seat, prompt, codes in answers)
            return await asyncio.gather(*done, return_exceptions=True)

        before = self.room.state.seq, self.room.state.match.state_bytes()
        ends = self.run(together())
        for end in ends:
            assert end is None or isinstance(end, StalePrompt | IllegalAction | NotPlaying), repr(end)
        carried_out = [answer for answer, end in zip(answers, ends, strict=True) if end is None]
        for seat, *_ in carried_out:
            self.acted[seat] = self.room.state.decision_counts[seat]
        assert carried_out or before == (self.room.state.seq, self.room.state.match.state_bytes())
        self._look()
        return carried_out

    def trading(self):
        return self.room.view(None).table.phase == Phase.TRADE

    def _counts(self, seat, prompt_id):
        """A seat may answer an earlier prompt until it acts itself."""
        return self.room.prompt_id(seat) is not None and prompt_id >= self.acted[seat]

    @precondition(trading)
    @rule(seat=seats, whom=seats, back=behind, place=choices, kind=kinds, sous=seats)
    def publish(self, seat, whom, back, place, kind, sous):
        """Publish an offer composed on an earlier page, with steps that others may have made impossible."""
        prompt_id, then = self._seen(seat, back)
        held, to = cards_of(then.hand), str((seat + whom) % 3) if whom else "all"
        if not held:
            return
        given, now = held[place % len(held)], self.room.view(seat)
        codes = [f"offer {to}", f"give {CARDS[given]}", *(f"ask {asked}-1" for asked in kind)]
        codes += [f"charge {sous}"] if sous else []
        counts = self._counts(seat, prompt_id) and given in cards_of(now.hand) and now.table.published[seat] < 6
        richest = max(now.table.purse[other] for other in range(3) if other != seat and to in ("all", str(other)))
        before = now.table.published[seat]
        carried_out = self._send((seat, prompt_id, (*codes, "publish")))
        assert bool(carried_out) == (counts and sous <= richest)
        if carried_out:
            assert cards_of(self.room.view(seat).hand) == cards_of(now.hand)
            assert self.room.view(seat).hand.terms[seat][before].given[0] == given + 1

    @precondition(trading)
    @rule(choice=choices, backs=st.tuples(behind, behind, behind), order=st.permutations([0, 1, 2, 0, 1, 2]))
    def accept(self, choice, backs, order):
        """All accept one offer as their pages showed it, twice each: one gets it, at the price shown."""
        seen = [self._seen(seat, backs[seat]) for seat in range(3)]
        code_of, number = self.room.state.game.actions.code, self.room.state.game.actions.number
        codes = sorted({code for _, view in seen for code in map(code_of, view.legal) if code.startswith("accept")})
        if not codes:
            return
        code = codes[choice % len(codes)]
        maker, place = int(code.split()[1]), int(code.split()[2]) - 1
        now = [self.room.view(seat) for seat in range(3)]
        can = {
            seat
            for seat, (prompt_id, then) in enumerate(seen)
            if self._counts(seat, prompt_id)
            and number(code) in then.legal
            and number(code) in now[seat].legal
            and (then.hand.cards, then.hand.jokers) == (now[seat].hand.cards, now[seat].hand.jokers)
            and then.table.purse[seat] == now[seat].table.purse[seat]
        }
        terms = now[maker].hand.terms[maker][place]
        sent = [(seat, seen[seat][0], (code,)) for seat in order if number(code) in seen[seat][1].legal]
        winners = [seat for seat, *_ in self._send(*sent)]
        assert winners == [seat for seat in order if seat in can][:1]
        for seat in winners:
            held, has = cards_of(seen[seat][1].hand), cards_of(self.room.view(seat).hand)
            paid = [min(card for card in held if sort_of(card) == sort_of(asked - 1)) for asked in terms.asked if asked]
            gained = [given - 1 for given in terms.given if given]
            assert sorted(has) == sorted([card for card in held if card not in paid] + gained)

    @precondition(trading)
    @rule(seat=seats, back=behind, choice=choices)
    def withdraw(self, seat, back, choice):
        prompt_id, then = self._seen(seat, back)
        standing = [place for place, offer in enumerate(then.table.offers[seat]) if offer.to]
        if standing:
            place = standing[choice % len(standing)]
            stands = self._counts(seat, prompt_id) and self.room.view(seat).table.offers[seat][place].to
            assert bool(self._send((seat, prompt_id, (f"withdraw {place + 1}",)))) == bool(stands)

    @precondition(trading)
    @rule(seat=seats, back=behind, leaving=choices)
    def done(self, seat, back, leaving):
        """It counts only if the seat has seen all that is offered to it."""
        if leaving > 3:  # or the barter would soon be over
            return
        prompt_id, then = self._seen(seat, back)
        now, counts = self.room.view(seat), self._counts(seat, prompt_id)
        fresh_offers = set(self._offered(now)) - set(self._offered(then))
        assert bool(self._send((seat, prompt_id, ("done",)))) == (counts and not fresh_offers)

    def _offered(self, view):
        table, makers = view.table, [maker for maker in range(3) if maker != view.seat]
        return [(m, n) for m in makers for n, offer in enumerate(table.offers[m]) if offer.to in (view.seat + 1, 7)]

    @precondition(lambda self: not self.trading())
    @rule(seat=seats, back=behind)
    def come_too_late(self, seat, back):
        """The barter is over: answers to its prompts are refused."""
        asked = [(prompt_id, view) for prompt_id, view in self.shown[seat] if view.table.phase == Phase.TRADE]
        prompt_id, then = asked[-1 - min(back, len(asked) - 1)]
        for number in then.legal:
            if then.game.actions.verb(number).name in ("accept", "withdraw", "done"):
                assert not self._send((seat, prompt_id, (then.game.actions.code(number),)))

    @invariant()
    def nothing_comes_or_goes(self):
        """Only until the next market, which opens at once if no seat can joust, and brings new goods."""
        if self.trading() and self.room.view(None).table.begun == self.begun:
            assert goods(self.room) == self.goods

    @invariant()
    def the_room_is_what_its_log_says(self):
        assert matches_log(self.hub, self.room)


LateMarket.TestCase.settings = few_long_courses
TestLateMarket = LateMarket.TestCase
