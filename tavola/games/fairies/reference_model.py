"""Slow, obvious reference model of the whole game, for tests: written only from the rulebook and the rulings.

Cards are names in lists, a wand is two lists. Sentences of the rulebook are quoted beside their code.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from tavola.core import CHANCE
from tavola.games.fairies.components import COPIES, KINGS, WANDS

FAIRIES = ("green", "blue", "red")
HALVES = [f"{fairy}-{half}" for fairy in FAIRIES for half in ("star", "tail")]


def value(card: str) -> int:
    return int(card.rpartition("-")[2])


@dataclass
class Player:
    """A hand, the cards in front of it, the visible one of each half last, and what the seat knows for certain."""

    wands: list[str] = field(default_factory=list)
    kings: list[str] = field(default_factory=list)
    halves: dict[str, list[str]] = field(default_factory=lambda: {half: [] for half in HALVES})
    up: set[str] = field(default_factory=set)
    shields: list[str] = field(default_factory=list)
    healing: int = 0
    crowned: int = 0
    last: int = 0
    grid: dict[int, str] = field(default_factory=dict)  # King's cards by place
    known: defaultdict[int, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))  # other hands

    def whole(self, fairy: str) -> bool:
        """«completa una bacchetta magica di una Fata (due carte, stella e coda)»."""
        return bool(self.halves[f"{fairy}-star"] and self.halves[f"{fairy}-tail"])

    def mana(self, fairy: str) -> int:
        """«la somma dei valori delle 2 carte bacchetta magica di stella e coda»."""
        return sum(value(self.halves[f"{fairy}-{half}"][-1]) for half in ("star", "tail"))

    def active_mana(self) -> int:
        return sum(self.mana(fairy) for fairy in self.up)

    def stars(self) -> int:
        """«la somma dei punti delle sole carte superiori con la stella [...] delle sole Fate Attive»."""
        return sum(value(self.halves[f"{fairy}-star"][-1]) for fairy in self.up)

    def covered(self) -> list[str]:
        """F3: face down with a complete wand."""
        return [fairy for fairy in FAIRIES if self.whole(fairy) and fairy not in self.up]

    def owned(self) -> list[str]:
        return [*self.shields, *(card for card in self.kings if card != "crown")]


class ReferenceModel:
    """The game as the rulebook describes it; `phase` names the pending decision."""

    def __init__(self, count: int, rounds: int) -> None:
        self.seats = [Player() for _ in range(count)]
        self.count, self.rounds = count, rounds
        self.deck = Counter({kind: int(copies) for kind, copies in zip(WANDS, COPIES, strict=True)})
        self.grid: dict[int, str | None] = dict.fromkeys(range(1, 10))  # None: unknown to all; "open": a piece, face up
        self.seen = dict.fromkeys(range(1, 10), "")  # F16: public knowledge by place: "looked" or "shield"
        self.kings = list(KINGS)  # those in unknown places
        self.pile = 9
        self.phase, self.seat, self.first, self.turns, self.begun = "lot", 0, 0, 0, 0
        self.laid, self.due, self.used, self.spare = 0, 0, set[str](), False
        self.energy, self.victim, self.aside, self.before = 0, 0, "", set[str]()
        self.place, self.other = 0, 0
        self.suffered, self.guarded = set[int](), set[int]()
        self.passed, self.ender = set[int](), -1

    @property
    def me(self) -> Player:
        return self.seats[self.seat]

    def others(self) -> list[int]:
        return [seat for seat in range(self.count) if seat != self.seat]

    def down(self) -> list[int]:
        return [place for place, card in self.grid.items() if card != "open"]

    # Legal actions

    def legal(self) -> dict[str, int]:
        """Return the legal codes; for chance, with their weights."""
        match self.phase:
            case "deal" | "draw" | "refill":
                return {f"deal {card}": copies for card, copies in self.deck.items() if copies}
            case "steal":  # "una carta a caso in mano senza vederle"
                they = self.seats[self.victim]
                return {f"steal {card}": count for card, count in Counter(they.wands + they.kings).items()}
            case "reveal" | "glimpse":  # a card that a player has looked at is already fixed
                known = self.grid.get(self.place)
                codes = [f"king {card}" for card in ([known] if known else self.kings)]
            case "lot":
                codes = [f"first {seat}" for seat in range(self.count)]
            case "discard":
                codes = [f"return {card}" for card in set(self.me.wands)]
            case "equal":
                codes = self._powers(enough=0)
            case "exchange":  # "collocarla dove vuoi sopra le sue carte bacchette, anche di Fate inattive"
                codes = [code for half in HALVES for code in self._lays(self.victim, half)]
            case "look":
                codes = [f"look {place}" for place in self.down() if place != self.other]
            case "pick":
                codes = [f"turn {place}" for place in (self.other, self.place)]
            case "choose":
                codes = ["take", "leave"]
            case "restore":
                codes = ["done", *(f"wake {fairy}" for fairy in self.me.covered())]
            case _:
                codes = getattr(self, f"_may_{self.phase}")()
        return dict.fromkeys(codes, 1)

    def actor(self) -> int:
        return CHANCE if self.phase in ("lot", "deal", "draw", "refill", "steal", "reveal", "glimpse") else self.seat

    def _may_empower(self) -> list[str]:
        """«Giocare dalla propria mano fino a tre carte bacchetta magica (anche meno)»."""
        codes = ["done"]
        if self.laid < (4 if "four" in self.used else 3):
            codes += [code for seat in range(self.count) for half in HALVES for code in self._lays(seat, half)]
        return codes + self._uses("four", "extra") + self._shield_of_dawn()

    def _lays(self, seat: int, half: str) -> list[str]:
        """«devono essere dello stesso colore (ad eccezione dei Jolly)»; star on star and tail on tail."""
        fitting = {card for card in self.me.wands if card.rpartition("-")[0] == half}
        jokers = {card for card in self.me.wands if card.startswith("gold")}
        return [*(f"lay {card} {seat}" for card in fitting), *(f"joker {value(card)} {seat} {half}" for card in jokers)]

    def _has(self, shield: str) -> bool:
        """F1: owned, not yet used in this turn, with a fairy awake."""
        return shield in self.me.owned() and shield not in self.used and bool(self.me.up)

    def _uses(self, *shields: str) -> list[str]:
        return [f"use {shield}" for shield in shields if self._has(shield)]

    def _shield_of_dawn(self) -> list[str]:
        return [f"wake {fairy}" for fairy in self.me.covered()] if self._has("wake") else []

    def _may_energy(self) -> list[str]:
        equal = self._has("equal") and bool(self._powers(enough=0))
        shields = self._uses("again", "guard", *(["equal"] if equal else []))
        return ["done", *self._powers(enough=1), *shields, *self._shield_of_dawn()]

    def _powers(self, enough: int) -> list[str]:
        """Return the powers for which the seat's own mana is higher by at least `enough`."""
        codes = []
        for seat in self.others():
            they = self.seats[seat]
            # "è maggiore di quelle dell'avversario"
            beaten = {one for one in self.me.up & they.up if self.me.mana(one) - they.mana(one) >= enough}
            if "green" in beaten and they.wands + they.kings:
                codes.append(f"green {seat}")
            if "blue" in beaten and self.me.wands:
                codes += [f"blue {seat} {half}" for half in HALVES if they.halves[half]]
            if "red" in beaten:
                codes += [f"red {shield}" for shield in they.shields]
            # "I potere delle 3 Fate attive insieme, contro altre 3 Fate Attive"; once a round for each victim
            stronger = self.me.active_mana() - they.active_mana() >= enough
            if stronger and len(self.me.up) == len(they.up) == 3 and seat not in self.suffered | self.guarded:
                codes += [f"cover {seat} {fairy}" for fairy in FAIRIES]
        return codes

    def _may_heal(self) -> list[str]:
        codes = ["done", *self._shield_of_dawn()]
        if len(self.me.up) == 1:
            codes += self._uses("lone")
        if len(self.me.up) >= 2 or "lone" in self.used:
            codes += [f"turn {place}" for place in self.down()] or ["heal"]
            if len(self.down()) >= 2:
                codes += self._uses("peek")
        if len(self.me.up) >= 2 and not self.down() and "crown" in self.me.kings:
            codes.append("crown")
        return codes

    def _may_last(self) -> list[str]:
        """«giocare fino a tre carte [...] delle Fate ancora Attive», with more than two players on any seat's."""
        where = range(self.count) if self.count > 2 else [self.seat]
        active = [(seat, half) for seat in where for half in HALVES if half.partition("-")[0] in self.seats[seat].up]
        return ["done", *(code for seat, half in active for code in self._lays(seat, half))]

    # Effects

    def play(self, code: str) -> None:
        verb, *places = code.split()
        if verb == "done":
            getattr(self, f"_done_{self.phase}")()
        else:
            getattr(self, f"_{verb}")(*places)

    def _first(self, seat: str) -> None:
        self.seat = self.first = int(seat)
        self.phase = "deal"

    def _deal(self, card: str) -> None:
        self.deck[card] -= 1
        if self.phase == "deal":
            self.seats[(80 - 1 - self.deck.total()) % self.count].wands.append(card)
            if self.deck.total() == 80 - 4 * self.count:
                self.begun = 1
                self._begin_turn()
        elif self.phase == "refill":
            self.seats[self.victim].wands.append(card)
            self._after_energy()
        else:
            self.me.wands.append(card)
            self.due -= 1
            self._go_on_drawing()

    def _begin_turn(self) -> None:
        self.phase = "empower"
        self.laid, self.used, self.spare = 0, set(), False
        self.guarded.discard(self.seat)

    def _recycle(self, wanted: int) -> None:
        """F5. "Si recuperano quelle sottostanti di tutti i giocatori lasciando quelle in superficie"."""
        if self.deck.total() < wanted:
            for player in self.seats:
                for stack in player.halves.values():
                    self.deck.update(stack[:-1])
                    del stack[:-1]

    def _done_empower(self) -> None:
        """«e ripescarne altrettante dal mazzo coperto»."""
        self.due = self.laid + ("extra" in self.used)
        self._recycle(self.due)
        self.spare = "extra" in self.used and self.deck.total() >= self.due
        self._go_on_drawing()

    def _go_on_drawing(self) -> None:
        if self.due and self.deck.total():
            self.phase = "draw"
        elif self.spare:
            self.phase = "discard"
        else:
            self._begin_energy()

    def _return(self, card: str) -> None:
        self.me.wands.remove(card)
        self.deck[card] += 1
        self.spare = False
        self._came_off(self.seat, *WANDS, unseen_by=self.others())
        self._begin_energy()

    def _lay(self, card: str, seat: str) -> None:
        self._put(card, int(seat), card.rpartition("-")[0])

    def _joker(self, points: str, seat: str, half: str) -> None:
        self._put(f"gold-{points}", int(seat), half)

    def _put(self, card: str, seat: int, half: str) -> None:
        they, fairy = self.seats[seat], half.partition("-")[0]
        self.me.wands.remove(card)
        self._came_off(self.seat, card)
        was = they.whole(fairy)
        they.halves[half].append(card)
        if self.phase == "exchange":
            self._judge_exchange(they)
            return
        if they.whole(fairy) and not was:
            they.up.add(fairy)
        if self.phase == "last":
            self.me.last += 1
            self._next_last()
        else:
            self.laid += 1

    def _judge_exchange(self, they: Player) -> None:
        """F7: judged after both cards have moved: a newly complete wand turns its fairy up, a broken one down."""
        for fairy in FAIRIES:
            if they.whole(fairy) and fairy not in self.before:
                they.up.add(fairy)
            elif not they.whole(fairy):
                they.up.discard(fairy)
        self.me.wands.append(self.aside)
        self.aside = ""
        self._after_energy()

    def _use(self, shield: str) -> None:
        self._show_shield(shield)
        if shield == "equal":
            self.phase = "equal"
        elif shield == "again":
            self.energy += 1
        elif shield == "guard":
            self.guarded.add(self.seat)
            self._after_energy()
        elif shield == "peek":
            self.other, self.phase = 0, "look"

    def _show_shield(self, shield: str) -> None:
        self.used.add(shield)
        if shield in self.me.kings:
            self.me.kings.remove(shield)
            self.me.shields.append(shield)
            self._came_off(self.seat, shield)

    def _wake(self, fairy: str) -> None:
        phase = self.phase
        if phase != "restore":
            self._show_shield("wake")
        self.me.up.add(fairy)
        if phase == "energy":
            self._after_energy()
        elif phase == "restore" and not self.me.covered():
            self._end_turn()

    def _begin_energy(self) -> None:
        if self.me.up:
            self.phase, self.energy = "energy", 1
        else:
            self._begin_waking()

    def _done_energy(self) -> None:
        self.energy, self.phase = 0, "heal"

    def _after_energy(self) -> None:
        self.energy -= 1
        self.phase = "energy" if self.energy else "heal"

    def _green(self, seat: str) -> None:
        self.victim, self.phase = int(seat), "steal"

    def _steal(self, card: str) -> None:
        they, pile = self.seats[self.victim], "wands" if card in WANDS else "kings"
        getattr(they, pile).remove(card)
        getattr(self.me, pile).append(card)
        self._came_off(self.victim, *(WANDS if card in WANDS else KINGS), unseen_by=set(self.others()) - {self.victim})
        self._came_off(self.victim, card, unseen_by=[self.seat])
        they.known[self.seat][card] += 1
        self._recycle(1)  # "pescherà subito un'altra carta bacchetta magica dal mazzo coperto"
        if self.deck.total():
            self.phase = "refill"
        else:
            self._after_energy()

    def _came_off(self, seat: int, *cards: str, unseen_by: Iterable[int] | None = None) -> None:
        """F10: one of these cards left a hand: shown to all, or of which some seats saw only the back."""
        for other in range(self.count) if unseen_by is None else unseen_by:
            self.seats[other].known[seat] -= Counter(cards)

    def _blue(self, seat: str, half: str) -> None:
        self.victim, they = int(seat), self.seats[int(seat)]
        self.before = {fairy for fairy in FAIRIES if they.whole(fairy)}
        self.aside, self.phase = they.halves[half].pop(), "exchange"

    def _red(self, shield: str) -> None:
        for player in self.seats:
            if shield in player.shields:
                player.shields.remove(shield)
                if shield == "guard":  # F1: as long as the shield is on its owner's table
                    self.guarded.discard(self.seats.index(player))
        self.me.kings.append(shield)
        self._after_energy()

    def _cover(self, seat: str, fairy: str) -> None:
        self.seats[int(seat)].up.remove(fairy)
        self.suffered.add(int(seat))
        self._after_energy()

    def _turn(self, place: str) -> None:
        """«Girare una delle 9 carte Re Artù ancora da scoprire a centro tavolo, senza farla vedere agli altri»."""
        picking, self.phase = self.phase == "pick", "reveal"
        self.place, self.other = int(place), 0
        if picking:
            self._see(self.me.grid[self.place], "reveal")

    def _look(self, place: str) -> None:
        self.place, self.phase = int(place), "glimpse"

    def _king(self, card: str) -> None:
        if card in self.kings:
            self.kings.remove(card)
        if self.place == 0:  # from the pile
            self.pile -= 1
            self.me.kings.append(card)
            self._score_healing()
        else:
            self.grid[self.place] = card
            self._see(card, self.phase)

    def _see(self, card: str, phase: str) -> None:
        self.me.grid[self.place] = card
        if phase == "glimpse":
            self.seen[self.place] = self.seen[self.place] or "looked"
            self.phase = "pick" if self.other else "look"
            if not self.other:
                self.other, self.place = self.place, 0
        elif card.startswith("piece"):
            self._show_piece(int(card[-1]))
        else:
            self.phase = "choose"

    def _show_piece(self, piece: int) -> None:
        """«sostituire lo spazio vuoto [...] con la carta coperta della giusta posizione di quella girata»."""
        hole = self.place
        for player in self.seats:
            there = player.grid.pop(piece, None)
            if hole != piece:
                player.grid.pop(hole, None)
                player.grid |= {hole: there} if there else {}
        self.grid[hole] = self.grid[piece]
        self.grid[piece] = "open"
        self.seen[hole], self.seen[piece] = "" if hole == piece else self.seen[piece], ""
        self._score_healing()

    def _take(self) -> None:
        """«si può prendere in mano, e rimpiazzare lo spazio vuoto con una del mazzetto coperto»."""
        card = self.me.grid[self.place]
        self.grid[self.place], self.seen[self.place] = None, ""
        self.pile -= 1
        self.me.kings.append(card)
        for seat, player in enumerate(self.seats):
            if player.grid.pop(self.place, None) and seat != self.seat:
                player.known[self.seat][card] += 1
        self._score_healing()

    def _leave(self) -> None:
        self.seen[self.place] = "shield"
        self._score_healing()

    def _heal(self) -> None:
        self.place = 0
        if self.pile:
            self.phase = "reveal"
        else:
            self._score_healing()

    def _score_healing(self) -> None:
        self.place = 0
        self.me.healing += self.me.stars()
        self._begin_waking()

    def _begin_waking(self) -> None:
        if self.me.covered():
            self.phase = "restore"
        else:
            self._end_turn()

    _done_heal = _begin_waking

    def _end_turn(self) -> None:
        """«Quando tutti i giocatori hanno fatto il turno, il primo giocatore diventa quello a sinistra»."""
        self.turns += 1
        self.seat = (self.seat + 1) % self.count
        if self.turns == self.count:
            if self.begun == self.rounds:
                self.phase = "over"
                return
            self.turns, self.suffered = 0, set()
            self.begun += 1
            if self.count > 2:
                self.first = (self.first + 1) % self.count
            self.seat = self.first
        self._begin_turn()

    _done_restore = _end_turn

    def _crown(self) -> None:
        """«si segna il doppio dei punti della somma dei valori delle carte con la stella e coda»."""
        self.me.kings.remove("crown")
        self._came_off(self.seat, "crown")
        self.me.crowned = 2 * self.me.active_mana()
        self.ender, self.phase = self.seat, "last"
        self.passed = {self.seat}
        self._next_last()

    def _done_last(self) -> None:
        self.passed.add(self.seat)
        self._next_last()

    def _next_last(self) -> None:
        """«giocando una carta per volta, alternati in senso orario»."""
        for step in range(1, self.count + 1):
            seat = (self.seat + step) % self.count
            if seat not in self.passed and self.seats[seat].last < 3 and self.seats[seat].wands:
                self.seat = seat
                return
        self.phase = "over"

    def points(self, seat: int) -> int:
        """«sottraggono -2 punti per ogni carta scudo fatato in loro possesso (in mano e a tavolo)»."""
        player = self.seats[seat]
        if self.phase != "over":
            return player.healing + player.crowned
        ending = player.crowned if seat == self.ender else player.active_mana()
        return player.healing + ending - 2 * len(player.owned())

    def winners(self) -> set[int]:
        """«in caso di parità vince chi ha meno carte scudo fatato giocate a tavolo»."""
        ranks = {seat: (self.points(seat), -len(self.seats[seat].shields)) for seat in range(self.count)}
        return {seat for seat, rank in ranks.items() if rank == max(ranks.values())}
