"""A slow and obvious model of the whole game, for tests: written only from the rulebook and the rulings.

It uses the atlas and nothing else of the game. An arrow is a pair of names, an expedition a list of arrows, a hand a
set of names. Sentences of the rulebook are quoted at their code.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache

from tavola.games.expedition.atlas import LINES, POINTS

CHANCE = 31
COLOURS = ("yellow", "blue", "red")
Arrow = tuple[str, str]


@cache
def spot(code: str) -> str:
    """«è possibile spostarsi dall'altro lato del tabellone sul punto che ha lo stesso numero»: one spot (17)."""
    return code.rpartition("-")[0] if code.startswith("border-") else code


LINKS = [(POINTS[one].code, POINTS[other].code) for one, other in LINES]
LINKS += [(other, one) for one, other in LINKS]
KIND = {spot(point.code): point.kind for point in POINTS}
START = POINTS[0].code
PLACES = [point.code for point in POINTS if point.kind == "place"]


@cache
def segments(source: str) -> dict[str, int]:
    found, reached = {source: 0}, [source]
    for here in reached:
        for one, other in LINKS:
            if spot(one) == here and spot(other) not in found:
                found[spot(other)] = found[here] + 1
                reached.append(spot(other))
    return found


@dataclass
class Player:
    """A hand, the public pieces, and the cards drawn."""

    hand: set[str] = field(default_factory=set)
    private: set[str] = field(default_factory=set)
    public: set[str] = field(default_factory=set)
    tokens: set[str] = field(default_factory=set)
    home: set[str] = field(default_factory=set)
    drawn: list[str] = field(default_factory=list)
    vouchers: int = 3


class ReferenceModel:
    """The game as the rulebook describes it; `phase` names the decision to be made."""

    def __init__(self, count: int, **options: str) -> None:
        self.a, self.b = options.get("variant_a") == "on", options.get("variant_b") == "on"
        self.near = int(options.get("token_distance", 2))
        self.options = options
        self.count = count
        self.players = [Player() for _ in range(count)]
        self.bank = 31 - 3 * count
        self.shuffled = set() if self.b else set(PLACES)
        self.beneath: list[str] = []
        self.goals: list[str | None] = [None] * 6
        self.routes: dict[str, list[Arrow]] = {colour: [] for colour in COLOURS}
        self.heads = dict.fromkeys(COLOURS, START)
        self.open: set[str] = set()
        self.fresh = dict.fromkeys(COLOURS, 0)
        self.phase, self.seat, self.dealt = ("tokens" if self.b else "deal"), 0, 0
        self.out: set[int] = set()
        self.turn, self.still, self.last = 0, 0, -1
        self.ending = ""
        self.place = ""
        self._new_turn()

    def _new_turn(self) -> None:
        self.arrow, self.spent, self.green, self.loop = False, 0, 0, ""
        self.looped: set[str] = set()

    @property
    def me(self) -> Player:
        return self.players[self.seat]

    def actor(self) -> int:
        return self.seat if self.phase in ("tokens", "turn", "extra", "loop", "green", "keep") else CHANCE

    # Legal actions

    def legal(self) -> dict[str, int]:
        match self.phase:
            case "deal" | "mend" | "draw":
                codes = [f"deal {card}" for card in self.shuffled or self.beneath[:1]]
            case "reveal" | "refill":
                codes = [f"reveal {card}" for card in self.shuffled or self.beneath[:1]]
            case "claim":
                holders = [seat for seat, player in enumerate(self.players) if self.place in player.hand]
                codes = [f"claim {holders[0] if holders else 'nobody'}"]
            case "extra":
                codes = self._all_arrows()
            case "green":
                codes = [*self._all_arrows(), "done"]
            case "loop":
                codes = [f"arrow {self.loop} {one}-to-{other}" for one, other in self.arrows(self.loop)]
            case "keep":
                codes = [f"keep {card}" for card in self.me.drawn]
            case _:
                codes = [*getattr(self, f"_may_{self.phase}")()]
        return dict.fromkeys(codes, 1)

    def _may_tokens(self) -> Iterator[str]:
        """«luoghi distanti almeno due segmenti dal punto di partenza»."""
        taken = set().union(*(player.tokens for player in self.players))
        among = PLACES if self.b else self.me.hand
        fit = [place for place in among if segments(START)[place] >= self.near and place not in taken]
        yield from (f"token {place}" for place in fit)
        if not fit or (self.a and not self.b):
            yield "done"

    def arrows(self, colour: str) -> list[Arrow]:
        """«Ogni linea nera può avere al massimo una freccia per colore»."""
        route = self.routes[colour]
        if len(route) == 45:
            return []
        used = {frozenset(arrow) for arrow in route}
        if not route:
            taken = {frozenset(arrow) for others in self.routes.values() for arrow in others}
            barred = set() if self.options.get("first_lines") == "shared" else taken
            return [link for link in LINKS if link[0] == START and frozenset(link) not in barred]
        found = [link for link in LINKS if spot(link[0]) in self._origins(colour) and frozenset(link) not in used]
        if colour in self.looped:  # «solo una volta nel corso del suo turno per ogni spedizione»
            found = [link for link in found if spot(link[1]) not in self._visited(colour)]
        return found

    def _visited(self, colour: str) -> set[str]:
        return {spot(end) for arrow in self.routes[colour] for end in arrow}

    def _origins(self, colour: str) -> set[str]:
        if colour != self.loop and colour not in self.open:
            return {self.heads[colour]}
        return self._circle(colour) if self.a else self._visited(colour)

    def _circle(self, colour: str) -> set[str]:
        """«seguite la direzione dell'ultima freccia piazzata»; «sempre il più piccolo»; if tied, all of them."""
        arrows = [(spot(one), spot(other)) for one, other in self.routes[colour]]
        origin, target = arrows[-1]
        walks = [[target]]
        while walks:
            if closed := [walk for walk in walks if walk[-1] == origin]:
                return {point for walk in closed for point in walk}
            longer = ([*walk, other] for walk in walks for one, other in arrows if one == walk[-1])
            walks = [walk for walk in longer if walk[-1] not in walk[:-1]]
        return set()

    def _all_arrows(self) -> list[str]:
        return [f"arrow {colour} {one}-to-{other}" for colour in COLOURS for one, other in self.arrows(colour)]

    def _may_turn(self) -> Iterator[str]:
        """«ogni giocatore potrà piazzare una freccia ed usare al massimo due buoni viaggio»."""
        arrows = self._all_arrows()
        if not self.arrow:
            yield from arrows
        if self.me.vouchers and self.spent < 2:
            if arrows:
                yield "voucher"
            for colour in COLOURS:
                if self.routes[colour] and not (colour in self.looped and self._in_loop(colour, 1)):
                    yield f"remove {colour}"
            if self.shuffled or self.beneath:
                yield from (f"exchange {card}" for card in self.me.hand)
        if self.arrow or not arrows:
            yield "done"

    def _in_loop(self, colour: str, less: int = 0) -> bool:
        """10: its point, once `less` arrows are removed, has an outgoing arrow of that colour."""
        route = self.routes[colour]
        stands = spot(route[-1][0]) if less else self.heads[colour]
        return any(spot(one) == stands for one, _ in route[: len(route) - less])

    # Actions

    def play(self, code: str) -> None:
        verb, _, rest = code.partition(" ")
        if self.phase == "turn" and not self.arrow and not self.spent:
            self.fresh = dict.fromkeys(COLOURS, 0)
        getattr(self, f"_do_{verb}")(rest)

    def _draw(self, card: str) -> None:
        if card in self.shuffled:
            self.shuffled.remove(card)
        else:
            assert self.beneath.pop(0) == card

    def _do_deal(self, card: str) -> None:
        self._draw(card)
        if self.phase == "draw":
            self.me.drawn.append(card)
            self.phase = "keep" if len(self.me.drawn) == 2 else "draw"
        elif self.phase == "mend":
            self.me.hand.add(card)
            self._mend()
        else:
            self.players[self.dealt % self.count].hand.add(card)
            self.dealt += 1
            if self.dealt == self.count * (12 if self.count < 4 else 9):
                self.phase = "reveal"

    def _do_reveal(self, card: str) -> None:
        """«devono essere distanti almeno tre segmenti»; «anche meno» later."""
        self._draw(card)
        if self.phase == "refill":
            self.goals[self.goals.index(None)] = card
            self._next_seat()
        elif segments(START)[card] < 3:
            self.beneath.append(card)
        else:
            self.goals[self.goals.index(None)] = card
            if None not in self.goals:
                self._mend()

    def _mend(self) -> None:
        """F2."""
        while self.seat < self.count:
            poor = [place for place in PLACES if place in self.me.hand and segments(START)[place] < self.near]
            rich = any(segments(START)[card] >= self.near for card in [*self.shuffled, *self.beneath])
            if not self.a and len(self.me.hand) - len(poor) < 4 and rich:
                self.me.hand.remove(poor[0])
                self.beneath.append(poor[0])
                self.phase = "mend"
                return
            self.seat += 1
        self.seat, self.phase = 0, "tokens"

    def _do_token(self, place: str) -> None:
        """B: «Ciascun giocatore dà i propri gettoni al giocatore alla sua sinistra»."""
        owner = self.players[(self.seat - 1) % self.count if self.b else self.seat]
        owner.tokens.add(place)
        if len(owner.tokens) == (8 if self.b else 10 if self.a else 4):
            self.out.add(self.seat)
        self._next_to_place()

    def _next_to_place(self) -> None:
        if len(self.out) == self.count:
            self.phase, self.seat = "turn", 0
            return
        self.seat = (self.seat + 1) % self.count
        while self.seat in self.out:
            self.seat = (self.seat + 1) % self.count

    def _do_done(self, _: str) -> None:
        if self.phase == "tokens":
            self.out.add(self.seat)
            self._next_to_place()
        elif self.phase == "green":
            self.green -= 1
            self._go_on()
        else:
            self._end_turn()

    def _do_arrow(self, rest: str) -> None:
        colour, _, way = rest.partition(" ")
        origin, _, target = way.partition("-to-")
        if self.phase == "turn":
            self.arrow = True
        elif self.phase == "green":
            self.green -= 1
        self.loop = ""
        visited = self._visited(colour)
        self.routes[colour].append((origin, target))
        self.heads[colour] = spot(target)
        self.open.discard(colour)
        self.fresh[colour] += 1
        if spot(target) in visited:
            self.loop = colour
            self.looped.add(colour)
        self._arrive(spot(target), removal=False)

    def _do_voucher(self, _: str) -> None:
        self._spend()
        self.phase = "extra"

    def _spend(self) -> None:
        self.me.vouchers -= 1
        self.spent += 1

    def _do_remove(self, colour: str) -> None:
        """«il gioco procede partendo dal punto che precedeva la freccia tolta»."""
        self._spend()
        origin, _ = self.routes[colour].pop()
        self.heads[colour] = spot(origin)
        self.open.discard(colour)
        self.fresh[colour] -= self.fresh[colour] > 0
        if not self.routes[colour]:
            self._go_on()
            return
        if self._in_loop(colour):
            self.loop = colour
            self.looped.add(colour)
        self._arrive(spot(origin), removal=True)

    def _arrive(self, where: str, removal: bool) -> None:
        kind = KIND[where]
        if kind == "green":
            self.green += 1
        elif kind in ("red", "border") and self.bank:
            self.bank -= 1
            self.me.vouchers += 1
        elif kind == "place":
            if self.b:
                self._token_home(next((p for p in self.players if where in p.tokens), None), where)
            elif where in self.goals:
                if not removal or self.options.get("goals_by_removal") == "on":
                    self.goals[self.goals.index(where)] = None
                    self.me.public.add(where)
                    self._token_home(self.me, where)
            elif not any(where in player.private | player.public for player in self.players):
                self.place, self.phase = where, "claim"
                return
        self._go_on()

    def _token_home(self, player: Player | None, where: str) -> None:
        if player and where in player.tokens:
            player.tokens.remove(where)
            player.home.add(where)

    def _do_claim(self, who: str) -> None:
        """«il giocatore che ha relativa carta spedizione la piazza immediatamente»."""
        if who != "nobody":
            player = self.players[int(who)]
            player.hand.remove(self.place)
            player.private.add(self.place)
            self._token_home(player, self.place)
            if not player.hand and self.last < 0:
                self.last = self.count - 1 - (0 if self.options.get("last_round") == "one-more" else self.seat)
                self.ending = "cards"
        self.place = ""
        self._go_on()

    def _go_on(self) -> None:
        """The next decision: the loop first (8), then green; or the turn."""
        if self.b and any(len(player.home) == 8 for player in self.players):
            self._over("tokens")
        elif sum(map(len, self.routes.values())) == 135:
            self._over("arrows")
        elif self.loop and self.arrows(self.loop):
            self.phase = "loop"
        else:
            if self.loop:
                self.open.add(self.loop)
            self.loop = ""
            if not self._all_arrows():
                self.green = 0
            if self.green:
                self.phase = "green"
            elif self.arrow and (self.spent == 2 or not self.me.vouchers):
                self._end_turn()
            else:
                self.phase = "turn"

    def _do_exchange(self, card: str) -> None:
        """«Egli piazza la propria carta coperta in fondo al mazzo e ne pesca due nuove»."""
        self._spend()
        self.me.hand.remove(card)
        self.beneath.append(card)
        self.phase = "draw"

    def _do_keep(self, card: str) -> None:
        self.me.drawn.remove(card)
        self.me.hand.add(card)
        self.beneath.append(self.me.drawn.pop())
        self._go_on()

    def _end_turn(self) -> None:
        self.still = 0 if self.arrow or self.spent else self.still + 1
        self.bank += self.spent
        self._new_turn()
        self.turn += 1
        if self.last == 0:
            self._over("cards")
        elif self.still == self.count:
            self._over("stuck")
        elif self.turn == 1000:
            self._over("turns")
        else:
            self.last -= self.last > 0
            self._next_seat()

    def _next_seat(self) -> None:
        if not self.b and None in self.goals and (self.shuffled or self.beneath):
            self.phase = "refill"
        else:
            self.phase, self.seat = "turn", (self.seat + 1) % self.count

    def _over(self, how: str) -> None:
        self.bank += self.spent
        self._new_turn()
        self.phase, self.ending = "over", how

    # The end

    def points(self, seat: int) -> int:
        player = self.players[seat]
        if self.b:
            return len(player.home)
        return len(player.private) + len(player.public) + len(player.home) - len(player.hand) - len(player.tokens)

    def winners(self) -> set[int]:
        keys = {seat: (self.points(seat), self._tie(seat)) for seat in range(self.count)}
        return {seat for seat, key in keys.items() if key == max(keys.values())}

    def _tie(self, seat: int) -> int:
        if self.b:
            level = sum(self.points(other) == self.points(seat) for other in range(self.count)) > 1
            return -walks(tuple(self.heads.values()), frozenset(self.players[seat].tokens)) if level else 0
        return self.players[seat].vouchers if self.options.get("ties") == "vouchers" else 0


def walks(heads: tuple[str, ...], left: frozenset[str]) -> int:
    """F13, by exhaustive search: any head can go to any token next."""

    @cache
    def fewest(heads: tuple[str, ...], left: frozenset[str]) -> int:
        if not left:
            return 0
        return min(
            segments(head)[token] + fewest(tuple(sorted((*heads[:k], token, *heads[k + 1 :]))), left - {token})
            for k, head in enumerate(heads)
            for token in left
        )

    return fewest(tuple(sorted(heads)), left)
