"""Slow reference model of the rules, for tests: the rulebook and its close reading, in plain Python.

It uses no code of the rules. Cards are words (`lance-7`, `joker`), hands are lists, notes are lists of cards by seat.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product
from typing import Any

KINDS = ("sword", "shield", "lance", "armour")
ORDER = [f"{kind}-{value}" for kind in KINDS for value in range(1, 16)] + ["joker"]
VALUES = {3: 6, 4: 9, 5: 12, 6: 15}
JOKERS = {3: 3, 4: 4, 5: 2, 6: 6}
SCHEDULE = {
    3: "AB / AC / BC",
    4: "AB CD / AC BD / AD BC",
    5: "AB DE / AC BD / AD CE / AE BC / BE CD",
    6: "AB CF DE / AC BD EF / AD BF CE / AE BC DF / AF BE CD",
}
TOKENS = (("crown", "chalice"), ("chalice", "globe"), ("globe", "crown"))
CORNERS = ("crown", "chalice", "globe", "all")
CHANCE = "*"
Actor = int | str


def kind_of(card: str) -> str:
    return card.split("-", maxsplit=1)[0]


def value_of(card: str) -> int:
    return 0 if card == "joker" else int(card.split("-")[1])


def has_set(hand: list[str]) -> bool:
    return sum(all(kind_of(card) != kind for card in hand) for kind in KINDS) <= hand.count("joker")


def answer_request(hand: list[str], asked: list[str]) -> list[str] | None:
    """F5: the highest request first, each by the lowest card that answers it; None if one cannot be served."""
    left, given = list(hand), []
    for request in sorted(asked, key=value_of, reverse=True):
        fitting = [c for c in left if kind_of(c) == kind_of(request) and value_of(c) >= value_of(request)]
        if not fitting:
            return None
        given.append(min(fitting, key=value_of))
        left.remove(given[-1])
    return given


@dataclass
class Offer:
    """An offer, or a draft; `to` is a seat or "all"."""

    maker: int
    to: str
    give: list[str] = field(default_factory=list)
    ask: list[str] = field(default_factory=list)
    pay: int = 0
    charge: int = 0

    def is_for(self, seat: int) -> bool:
        return seat != self.maker and self.to in ("all", str(seat))


@dataclass
class Knight:
    """State of a seat."""

    hand: list[str] = field(default_factory=list)
    purse: int = 10
    out: bool = False
    done: bool = False
    won: int = 0
    published: int = 0
    standing: dict[int, Offer] = field(default_factory=dict)
    draft: Offer | None = None
    notes: defaultdict[int, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    choice: str | None = None
    laid: list[str] = field(default_factory=list)


class ReferenceModel:
    """One match."""

    def __init__(self, players: int, **options: Any) -> None:
        self.count, self.options = players, options
        self.knights = [Knight() for _ in range(players)]
        cards = [f"{kind}-{value}" for kind in KINDS for value in range(1, VALUES[players] + 1)]
        self.packs = self._packs(cards, ["joker"] * JOKERS[players])
        self.begun = self.fought = self.dealt = 0
        self.phase = "deal"
        self.pile: list[str] = []
        self.discarded: set[str] = set()
        self.pair: tuple[int, ...] = ()
        self.open: list[list[str]] = []
        self.tokens: tuple[str, ...] = ()
        self.wrong = 0
        self.buyers: list[int] = []

    def _packs(self, cards: list[str], jokers: list[str]) -> list[list[str]]:
        """F2: the packs that are dealt in turn."""
        if self.options["deal"] == "kinds":
            return [[c for c in cards if kind_of(c) == kind] for kind in KINDS] + [jokers]
        if self.options["deal"] == "thirds":
            size = VALUES[self.count] // 3
            return [[c for c in cards if (value_of(c) - 1) // size == third] for third in range(3)] + [jokers]
        return [cards + jokers]

    # Actors and legal actions

    def actors(self) -> list[Actor]:
        if self.phase == "trade":
            return [seat for seat, knight in enumerate(self.knights) if not knight.done]
        if self.phase in ("ballot", "arming", "pointing"):
            return [seat for seat in sorted(self.pair) if self.knights[seat].choice is None]
        if self.phase == "purchase":
            return [self.buyers[0]]
        return [] if self.phase == "over" else [CHANCE]

    def odds(self) -> dict[str, int]:
        if self.phase == "deal":
            return {f"deal {card}": n for card, n in Counter(next(p for p in self.packs if p)).items()}
        if self.phase == "draw":
            return {f"draw {card}": 1 for card in self.pile}
        if self.phase == "race":
            return {f"first {seat}": 1 for seat in self.pair}
        return {f"throw {' '.join(faces)}": 1 for faces in product(*TOKENS, ("1", "2"))}

    def legal(self, seat: int) -> set[str]:
        me = self.knights[seat]
        if self.phase == "trade":
            return {"done", *(self._build(me, me.draft) if me.draft else self._barter(seat))}
        if self.phase == "arming":
            box = len(me.laid)
            return {f"equip {KINDS[box]} {value_of(c) or 'joker'}" for c in me.hand if self._may_lay(me, box, c)}
        if self.phase == "ballot":
            return {"fight", "forfeit"}
        return {"buy", "pass"} if self.phase == "purchase" else {f"point {corner}" for corner in CORNERS}

    def _barter(self, seat: int) -> Iterator[str]:
        me = self.knights[seat]
        if me.published < self.options["offer_limit"]:
            yield from (f"offer {to}" for to in [*range(self.count), "all"] if to != seat)
        yield from (f"withdraw {number}" for number in me.standing)
        for maker, other in enumerate(self.knights):
            for number, offer in other.standing.items():
                able = answer_request(me.hand, offer.ask) is not None and me.purse >= offer.charge
                if offer.is_for(seat) and able:
                    yield f"accept {maker} {number}"

    def _build(self, me: Knight, draft: Offer) -> Iterator[str]:
        """F4: in this order, ascending."""
        if draft.give or draft.ask or draft.pay or draft.charge:
            yield "publish"
        if draft.pay or draft.charge:
            return
        addressed = [k.purse for seat, k in enumerate(self.knights) if draft.is_for(seat)]
        yield from (f"pay {n}" for n in range(1, min(30, me.purse) + 1))
        yield from (f"charge {n}" for n in range(1, min(30, max(addressed)) + 1))
        if len(draft.ask) < 3 and draft.ask.count("joker") < JOKERS[self.count]:
            top = 1 if draft.to == "all" else VALUES[self.count]
            last = ORDER.index(draft.ask[-1]) if draft.ask else 0
            yield from (f"ask {card}" for card in ORDER[last:] if value_of(card) <= top)
        if len(draft.give) < 3 and not draft.ask:
            left = list((Counter(me.hand) - Counter(draft.give)).elements())
            last = ORDER.index(draft.give[-1]) if draft.give else -1
            yield from {f"give {card}" for card in left if ORDER.index(card) >= last}

    def _may_lay(self, me: Knight, box: int, card: str) -> bool:
        if card != "joker":
            return kind_of(card) == KINDS[box]
        lacking = [kind for kind in KINDS[box + 1 :] if all(kind_of(c) != kind for c in me.hand)]
        return me.hand.count("joker") > len(lacking)

    # Effects

    def play(self, actor: Actor, code: str) -> None:
        verb, *words = code.split()
        if verb in ("give", "ask"):
            getattr(self.knights[int(actor)].draft, verb).append(*words)
        elif verb in ("pay", "charge"):
            setattr(self.knights[int(actor)].draft, verb, int(*words))
        elif verb == "forfeit":
            self._fight(int(actor), verb)
        elif verb == "withdraw":
            del self.knights[int(actor)].standing[int(*words)]
        else:
            getattr(self, f"_{verb}")(actor, *words)

    def _deal(self, chance: Actor, card: str) -> None:
        next(pack for pack in self.packs if pack).remove(card)
        self.knights[self.dealt % self.count].hand.append(card)
        self.dealt += 1
        if not any(self.packs):
            self._new_round()

    def _new_round(self) -> None:
        self.begun += 1
        self.fought, self.phase = 0, "trade"
        for knight in self.knights:
            knight.done, knight.published = False, 0

    def _offer(self, seat: int, to: str) -> None:
        self.knights[seat].draft = Offer(seat, to)

    def _publish(self, seat: int) -> None:
        me = self.knights[seat]
        offer, me.draft = me.draft, None
        assert offer is not None
        me.published += 1
        me.standing[me.published] = offer
        for other, knight in enumerate(self.knights):
            if offer.is_for(other):
                knight.done = False

    def _accept(self, seat: int, maker: str, number: str) -> None:
        partners = self.knights[seat], self.knights[int(maker)]
        offer = partners[1].standing.pop(int(number))
        taken = answer_request(partners[0].hand, offer.ask)
        assert taken is not None
        sides = (int(maker), seat, offer.give, offer.pay), (seat, int(maker), taken, offer.charge)
        for giver, taker, cards, sous in sides:
            self._take_away(offer, giver, taker, cards)
            self.knights[giver].purse -= sous
            self.knights[taker].purse += sous
        for giver, taker, cards, _ in sides:
            self.knights[taker].hand += cards
            self.knights[giver].notes[taker] += Counter(cards)
        partners[1].done = False
        for partner in partners:
            partner.draft = None
            for mine, standing in list(partner.standing.items()):
                if Counter(standing.give) - Counter(partner.hand) or standing.pay > partner.purse:
                    del partner.standing[mine]

    def _take_away(self, offer: Offer, giver: int, taker: int, cards: list[str]) -> None:
        """F9: third seats know that cards left: in a whisper not which, in an announced deal their kinds."""
        for card in cards:
            self.knights[giver].hand.remove(card)
            for noter, knight in enumerate(self.knights):
                note = knight.notes[giver]
                if noter == taker:
                    note -= Counter([card])
                elif noter != giver:
                    note -= Counter({n for n in note if offer.to != "all" or kind_of(n) == kind_of(card)})

    def _done(self, seat: int) -> None:
        self.knights[seat].done = True
        self.knights[seat].draft = None
        if all(knight.done for knight in self.knights):
            self._trade_ends()

    def _trade_ends(self) -> None:
        for knight in self.knights:
            knight.standing = {}
        armed = [knight for knight in self.knights if not knight.out and has_set(knight.hand)]
        if len(armed) == 1:
            self._prize(armed[0])
        if len(armed) > 1:
            self._go_on()
        else:
            self.phase = "over"

    def _pairs(self, begun: int) -> list[tuple[int, ...]]:
        rounds = SCHEDULE[self.count].split(" / ")
        return [tuple(ord(banner) - ord("A") for banner in pair) for pair in rounds[(begun - 1) % len(rounds)].split()]

    def _possible(self, pair: tuple[int, ...]) -> bool:
        return not any(self.knights[seat].out for seat in pair)

    def _go_on(self) -> None:
        for pair in self._pairs(self.begun)[self.fought :]:
            if self._possible(pair):
                unable = [seat for seat in pair if not has_set(self.knights[seat].hand)]
                if not unable:
                    self.pair, self.phase = pair, "ballot"
                    return
                self._walkover(pair, unable)
            self.fought += 1
        self._next_round()

    def _next_round(self) -> None:
        left = sum(not knight.out for knight in self.knights)
        while left and self.begun < self.options["rounds"]:
            self._new_round()
            if left == 1 or self.options["empty_rounds"] == "held" or any(map(self._possible, self._pairs(self.begun))):
                return
        self.phase = "over"

    def _walkover(self, pair: tuple[int, ...], losers: list[int]) -> None:
        for seat in pair:
            if seat in losers:
                self.knights[seat].out = True
            elif losers:
                self._prize(self.knights[seat])

    def _prize(self, knight: Knight) -> None:
        rise = self.begun - 2 if self.options["rising_prize"] == "on" else 0
        knight.purse += max(0, self.options["prize"] + rise)
        knight.won += 1

    def _duel_over(self) -> None:
        self.fought += 1
        self._go_on()

    # Duels

    def _chosen(self, seat: int, word: str) -> list[str]:
        """Return the choices of both, once both have chosen; otherwise an empty list."""
        self.knights[seat].choice = word
        words = [self.knights[one].choice for one in self.pair]
        if None in words:
            return []
        for one in self.pair:
            self.knights[one].choice = None
        return [str(word) for word in words]

    def _fight(self, seat: int, word: str = "fight") -> None:
        words = self._chosen(seat, word)
        if words == ["fight", "fight"]:
            self.phase = "arming"
        elif words:
            self._walkover(self.pair, [one for one, said in zip(self.pair, words, strict=True) if said == "forfeit"])
            self._duel_over()

    def _equip(self, seat: int, box: str, value: str) -> None:
        card = "joker" if value == "joker" else f"{box}-{value}"
        self.knights[seat].hand.remove(card)
        self.knights[seat].laid.append(card)
        if self._chosen(seat, card) and box == "armour":
            self._reveal()

    def _reveal(self) -> None:
        self.open = [self.knights[seat].laid for seat in self.pair]
        for seat, cards in zip(self.pair, self.open, strict=True):
            self.knights[seat].laid = []
            self.discarded -= set(cards)
            for knight in self.knights:
                knight.notes[seat] -= Counter(cards)
        points = self.points()
        self.wrong = 0
        if max(points) >= 3:
            self._won_by(self.pair[points.index(max(points))])
        else:
            self.phase = "throw"

    def points(self) -> list[int]:
        both = [[value_of(card) for card in cards] for cards in self.open]
        return [sum(mine > theirs for mine, theirs in zip(*pair, strict=True)) for pair in (both, both[::-1])]

    def _throw(self, chance: Actor, *faces: str) -> None:
        self.tokens, self.phase = faces, "pointing"

    def right(self) -> str:
        *symbols, dots = self.tokens
        counts = Counter(symbols)
        if len(counts) == 3:
            return "all"
        return next(symbol for symbol, count in counts.items() if count == int(dots))

    def _point(self, seat: int, corner: str) -> None:
        words = self._chosen(seat, corner)
        right = [seat for seat, said in zip(self.pair, words, strict=False) if said == self.right()]
        if len(right) == 1:
            self._won_by(right[0])
        elif words:
            self.wrong += not right
            self.phase = "race" if right or self.wrong == 3 else "throw"

    def _first(self, chance: Actor, seat: str) -> None:
        if seat == "none":
            self.phase = "throw"
        else:
            self._won_by(int(seat))

    def _won_by(self, victor: int) -> None:
        """F14: prize, cards, purchase."""
        self._prize(self.knights[victor])
        for cards in zip(*self.open, strict=True):
            values = [value_of(card) for card in cards]
            for seat, card in zip(self.pair, cards, strict=True):
                if values[0] == values[1]:
                    self.knights[seat].hand.append(card)
                elif value_of(card) == max(values):
                    self.pile.append(card)
                    self.discarded.add(card)
                else:
                    self.knights[sum(self.pair) - seat].hand.append(card)
        self.buyers = [victor, sum(self.pair) - victor]
        self._sell()

    def _sell(self) -> None:
        while self.buyers:
            if self.pile and self.knights[self.buyers[0]].purse >= self.options["price"]:
                self.phase = "purchase"
                return
            self.buyers.pop(0)
        self._duel_over()

    def _buy(self, seat: int) -> None:
        self.knights[seat].purse -= self.options["price"]
        self.phase = "draw"

    def _pass(self, seat: int) -> None:
        self.buyers.pop(0)
        self._sell()

    def _draw(self, chance: Actor, card: str) -> None:
        self.pile.remove(card)
        self.knights[self.buyers.pop(0)].hand.append(card)
        self._sell()

    def winners(self) -> set[int]:
        most = max(knight.purse for knight in self.knights)
        return {seat for seat, knight in enumerate(self.knights) if knight.purse == most}
