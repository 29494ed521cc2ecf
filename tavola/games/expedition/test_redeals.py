"""Redeals compared with every possible world: each card must be dealt as often as its share.

`Worlds` shares no code with the game: it deals every hand, replays in each what was seen, and keeps what agrees.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import combinations
from math import sqrt
from typing import cast

import pytest

from tavola.contract.samples import redealt
from tavola.core import CHANCE, BadPosition, Match
from tavola.core.rng import stream
from tavola.games.expedition import GAME
from tavola.games.expedition.arrow_rules import members_of
from tavola.games.expedition.components import State
from tavola.games.expedition.fixtures import match_at, play
from tavola.games.expedition.network import PLACES

DEALS, SIGMAS = 800, 4.5
"""Number of deals compared, and maximum deviation of a share from its expected value."""
Cards = frozenset[str]
World = frozenset[tuple[str, str]]
"""Where each hidden card is: `first 1` in a hand by the deal, `later 1` by an exchange, `deck`, `under 0`, `drawn`."""


def cards_at(world: World, where: str) -> Cards:
    return frozenset(card for there, card in world if there == where)


def moved(world: World, card: str, where: str) -> World:
    return frozenset((where if other == card else there, other) for there, other in world)


def put_under(world: World, card: str) -> World:
    return moved(world, card, f"under {sum(there.startswith('under') for there, _ in world)}")


def without(world: World, card: str) -> World:
    return frozenset(pair for pair in world if card not in pair)


class Worlds:
    """Every world that agrees with what `seat` has seen since a position without exchanges, and its share.

    No seat gives away a card that it has a token for, nor one from an exchange, while it has another; else any.
    """

    def __init__(self, match: Match, seat: int) -> None:
        document = match.document()
        tokens = document["token"].items()
        self.seat, self.place = seat, ""
        self.held = [frozenset(hand["cards"]) for hand in document["hands"]]
        self.owned = [frozenset(place for place, who in tokens if who == str(seat)) for seat in range(len(self.held))]
        found = list(self._deals(frozenset(document["box"]["cards"]).union(*self.held) - self.held[seat], 0))
        self.likely = dict.fromkeys(found, 1 / len(found))

    def _deals(self, unknown: Cards, seat: int) -> Iterator[World]:
        if seat == len(self.held):
            yield frozenset(("deck", card) for card in unknown)
            return
        free = sorted(unknown - frozenset().union(*self.owned))
        count = len(self.held[seat]) - len(self.owned[seat])
        for more in combinations(free, count) if seat != self.seat else [self.held[seat]]:
            hand = self.owned[seat].union(more)
            for others in self._deals(unknown - hand, seat + 1):
                yield others.union((f"first {seat}", card) for card in hand)

    def see(self, match: Match, code: str) -> None:
        """Advance by an action of a match; if the seat does not see it fully, by every possible action."""
        verb, _, rest = code.partition(" ")
        self.place = match.document()["arrived"]
        if verb in ("claim", "exchange", "deal", "keep", "reveal"):
            turn, after = int(match.document()["seat"]), defaultdict[World, float](float)
            for world, share in self.likely.items():
                for then, part in getattr(self, f"_{verb}")(world, turn, rest):
                    after[then] += share * part
            self.likely = {world: share / sum(after.values()) for world, share in after.items()}

    def _claim(self, world: World, turn: int, who: str) -> Iterator[tuple[World, float]]:
        hands = {f"{kind} {seat}": str(seat) for seat in range(len(self.held)) for kind in ("first", "later")}
        holder = next((hands[where] for where, card in world if card == self.place and where in hands), "nobody")
        if holder == who:
            yield world if who == "nobody" else without(world, self.place), 1

    def _exchange(self, world: World, turn: int, card: str) -> Iterator[tuple[World, float]]:
        first, later = cards_at(world, f"first {turn}"), cards_at(world, f"later {turn}")
        among = {card} if turn == self.seat else first - self.owned[turn] or later or first
        for one in among:
            yield put_under(world, one), 1 / len(among)

    def _deal(self, world: World, turn: int, card: str) -> Iterator[tuple[World, float]]:
        deck = cards_at(world, "deck")
        for one in deck & {card} if turn == self.seat else deck:
            yield moved(world, one, "drawn"), 1 / len(deck)

    def _keep(self, world: World, turn: int, card: str) -> Iterator[tuple[World, float]]:
        drawn = cards_at(world, "drawn")
        for kept in {card} if turn == self.seat else drawn:
            (other,) = drawn - {kept}
            yield put_under(moved(world, kept, f"later {turn}"), other), 1 if turn == self.seat else 1 / 2

    def _reveal(self, world: World, turn: int, card: str) -> Iterator[tuple[World, float]]:
        deck = cards_at(world, "deck")
        if card in deck:
            yield without(world, card), 1 / len(deck)

    def shares(self) -> dict[tuple[str, str], float]:
        found = defaultdict[tuple[str, str], float](float)
        for world, share in self.likely.items():
            for where, card in world:
                found[where.replace("first", "hand").replace("later", "hand"), card] += share
        return found


def redeal_state(match: Match, seat: int, number: int) -> State:
    return cast(State, GAME.state.unpack(redealt(match.view(seat), stream(number)).tobytes()))


def dealt_shares(match: Match, seat: int) -> dict[tuple[str, str], float]:
    found = Counter[tuple[str, str]]()
    for number in range(DEALS):
        state = redeal_state(match, seat, number)
        hands = [members_of(hand.cards) for hand in state.hand]
        found.update((f"hand {k}", PLACES[card]) for k, hand in enumerate(hands) for card in hand)
        found.update(("deck", PLACES[card]) for card in members_of(state.box.cards))
        found.update((f"under {k}", PLACES[card - 1]) for k, card in enumerate(state.box.under) if card)
        found.update(("drawn", PLACES[card - 1]) for hand in state.hand for card in hand.drawn if card)
    return {where: count / DEALS for where, count in found.items()}


DECK = "tassili timbuktu benin kizhi marib"
REACHED = ["red lisbon tassili", "done"]
EXCHANGED = [*REACHED, "exchange agra", "deal timbuktu", "deal benin", "keep timbuktu"]
CAME = [*REACHED, "exchange agra", "deal tassili", "deal benin", "keep tassili"]
AGAIN = ["exchange fuji", "deal kizhi", "deal marib", "keep marib"]
ELSEWHERE = ["blue lisbon mont", "done"]
OTHER = "agra fuji giza"
POSITIONS = {
    "nothing is exchanged": ([OTHER], {}, [*REACHED, "red tassili lake-chad"]),
    "a card is drawn": ([OTHER], {}, EXCHANGED[:4]),
    "a card is kept": ([OTHER], {}, EXCHANGED[:5]),
    "exchanged": ([OTHER], {}, EXCHANGED),
    "exchanged and then reached": ([OTHER], {}, [*EXCHANGED, *ELSEWHERE, "remove blue", "red tassili timbuktu"]),
    "exchanged, and a token": ([OTHER], {"fuji": 1}, EXCHANGED),
    "exchanged twice": (["agra fuji"], {}, [*EXCHANGED, *ELSEWHERE, "yellow lisbon faroes", "done", *AGAIN]),
    "two others": (["agra fuji", "giza marib"], {}, [*EXCHANGED, *ELSEWHERE]),
    "an own exchange": ([OTHER], {}, ["exchange petra", "deal kizhi", "deal benin", "keep kizhi", *REACHED]),
    "what came is laid": ([OTHER], {}, [*CAME, "red tassili timbuktu", "done", "remove red"]),
}


def small_match(hands: list[str], tokens: dict[str, int]) -> Match:
    """A match with five cards in the deck; the first seat sees one card of its own."""
    deck = " ".join(card for card in DECK.split() if not any(card in hand for hand in hands))
    return match_at(["petra", *hands], tokens=tokens, deck=deck, vouchers=[3] * (1 + len(hands)))


def compare_shares(
    hands: list[str], tokens: dict[str, int], codes: list[str]
) -> Iterator[tuple[tuple[str, str], float, float]]:
    match, again = small_match(hands, tokens), small_match(hands, tokens)
    worlds = Worlds(match, 0)
    play(match, *codes)
    for seat, number in match.history:
        worlds.see(again, GAME.actions.code(number))
        again.play(number, seat)
    expected, found = worlds.shares(), dealt_shares(match, 0)
    for where in expected.keys() | found.keys():
        yield where, expected.get(where, 0.0), found.get(where, 0.0)


@pytest.mark.parametrize("name", POSITIONS)
def test_every_card_is_dealt_as_often_as_it_may_be_there(name):
    """R26, R28: hands, cards under the deck and drawn cards, in the shares of all worlds."""
    for where, share, found in compare_shares(*POSITIONS[name]):
        assert abs(found - share) <= SIGMAS * sqrt(max(0.0, share * (1 - share)) / DEALS) + 1e-9, (where, found, share)


def test_a_card_that_was_laid_is_supposed_to_be_one_of_the_deal():
    """R26, R28: the chance that it came later is ignored; in a hand of three the error is 0.05."""
    codes = [*EXCHANGED, *ELSEWHERE[:1], "done", "blue mont pompeii"]
    wrong = {where: abs(found - share) for where, share, found in compare_shares(["agra fuji pompeii"], {}, codes)}
    assert max(wrong.values()) < 0.05 + SIGMAS * sqrt(0.25 / DEALS)
    assert wrong["hand 1", "tassili"] > 0.01


def missed_by_both() -> Match:
    """Tassili and Timbuktu are reached while no seat has their cards; then the second seat exchanges a card."""
    exchanged = "exchange agra", "deal tassili", "deal timbuktu", "keep tassili"
    return play(small_match([OTHER], {}), *REACHED, "red tassili timbuktu", "done", *ELSEWHERE, *exchanged)


def test_after_so_many_exchanges_a_hand_has_so_many_of_them():
    """R26, R28."""
    both = {PLACES.index("tassili"), PLACES.index("timbuktu")}
    match = missed_by_both()
    deals = [redeal_state(match, 0, number).hand[1] for number in range(DEALS // 4)]
    assert {len(both.intersection(members_of(hand.cards))) for hand in deals} == {0, 1}


def test_a_position_with_an_unclaimed_card_in_a_hand_is_refused():
    """R26, R28: not in a strict document; one is possible for each exchange."""
    document = missed_by_both().document()
    assert Match(GAME, position=document).document() == document
    document["hands"][1]["cards"] = ["timbuktu", "tassili", "giza"]
    document["box"]["under"][1] = document["hands"][1]["under"][1] = "fuji"
    with pytest.raises(BadPosition, match=r"hands\.1\.cards: expected cards of places reached in vain only from later"):
        Match(GAME, position=document)


@pytest.mark.parametrize("drawn", [0, 1, 2])
def test_an_exchange_that_goes_on_has_brought_no_card_yet(drawn):
    """R28: it is counted when a card goes under the deck, and named when another is kept."""
    match = play(match_at(["petra agra", "fuji"]), "exchange petra")
    for _ in range(drawn):
        match.play(match.legal_numbers(CHANCE)[0], CHANCE)
    document = match.document()
    assert document["phase"] == ("draw" if drawn < 2 else "keep")
    assert Match(GAME, position=document).state_bytes() == match.state_bytes()
    document["explorers"][0]["newcomers"][0] = 1
    with pytest.raises(BadPosition, match=r"explorers\.0\.newcomers: expected none from the current exchange"):
        Match(GAME, position=document)
