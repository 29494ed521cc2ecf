"""Faults of positions in Expedition, in words: for position documents, and for tests at every step."""

from collections import Counter
from collections.abc import Iterator

from tavola.core import Faults, layout
from tavola.games.expedition import components
from tavola.games.expedition.arrow_rules import can_lay, can_leave, is_in_loop, members_of
from tavola.games.expedition.components import EVERY_ARROW, Ending, Explorer, Hand, Phase, Route, State, Table
from tavola.games.expedition.network import DISTANCE, LINE, ORIGIN, PLACE_COUNT, PLACES, START, TARGET

IN_A_TURN = (Phase.TURN, Phase.EXTRA, Phase.LOOP, Phase.GREEN, Phase.CLAIM, Phase.DRAW, Phase.KEEP)


def faults(state: State) -> list[str]:
    """Return every fault of a state given in named tuples; a state that a match can reach has none."""
    found = [*_seats(state), *_routes(state.table), *_cards(state), *_known(state.table), *_pieces(state.table)]
    return found or [*_phase(state), *_turn(state), *_end(state.table)]


def history_faults(state: State) -> list[str]:
    """Return what no match could reach: a token whose owner never had its card, or one too near START."""
    t, found = state.table, []
    for place, owner in enumerate(t.token):
        if owner and DISTANCE[START, place + 1] < t.token_distance:
            found.append(f"token.{PLACES[place]}: expected {t.token_distance} or more segments from START")
        held = owner and state.hand[owner - 1].cards >> place & 1
        if owner and not t.variant_b and not t.explorers[owner - 1].swaps and not held:
            why = "expected its card in its owner's hand, since the owner has made no exchange"
            found.append(f"token.{PLACES[place]}: {why}")
    return [*found, *_impossible_cards(state)]


def _impossible_cards(state: State) -> Iterator[str]:
    """Cards in hands that no seat had when their places were reached: each came with a later exchange."""
    t = state.table
    for seat, (hand, explorer) in enumerate(zip(state.hand, t.explorers, strict=True)):
        missed = sorted((t.missed[place] for place in members_of(hand.cards)), reverse=True)
        if any(one > other for one, other in zip(missed, sorted(explorer.newcomers, reverse=True), strict=False)):
            yield f"hands.{seat}.cards: expected cards of places reached in vain only from later exchanges"


def _seats(state: State) -> Iterator[str]:
    t = state.table
    if t.seat >= t.players or t.passed >> t.players or max((*t.token, *t.laid)) > t.players:
        yield f"seat, passed, token, laid: expected seats from 0 to {t.players - 1}"
    for seat in range(t.players, components.SEATS):
        if any((*layout(Explorer).integers(t.explorers[seat]), *layout(Hand).integers(state.hand[seat]))):
            yield f"explorers.{seat}: expected nothing for an empty seat"


def _routes(t: Table) -> Iterator[str]:
    for colour, route in zip(components.COLOURS, t.expedition, strict=True):
        ways = [way - 1 for way in route.path[: route.count]]
        if any(way < 0 for way in ways) or any(route.path[route.count :]):
            yield f"expedition.{colour}.path: expected {route.count} ways and none after them"
            continue
        yield from (f"expedition.{colour}.{fault}" for fault in _route(route, ways))


def _route(route: Route, ways: list[int]) -> Iterator[str]:
    """R14 to R20: arrows in a row, from START on, one for each line; branches only at loops."""
    lines, visited = 0, 1 << START if ways else 0
    there, loops = START, False
    for way in ways:
        if ORIGIN[way] != there and not (loops and visited >> int(ORIGIN[way]) & 1):
            yield "path: expected every arrow to continue from the last one, or after a loop from a spot on the route"
        if lines >> int(LINE[way]) & 1:
            yield "path: expected at most one arrow on each line"
        there = int(TARGET[way])
        loops = bool(visited >> there & 1)
        lines |= 1 << int(LINE[way])
        visited |= 1 << there
    if (route.lines, route.visited) != (lines, visited):
        yield "lines, visited: expected those of the path"
    if route.head != there and not (loops and is_in_loop(route)):
        yield "head: expected the spot that the last arrow points to"
    if route.fresh > route.count:
        yield f"fresh: expected at most {route.count}, the number of its arrows"
    if route.loose and not is_in_loop(route):
        yield "loose: expected a closed loop"


def _cards(state: State) -> Iterator[str]:
    """R3: every card is in one place; in variant B there are none."""
    t, box = state.table, state.box
    for seat, hand in enumerate(state.hand):
        if hand.cards.bit_count() != t.explorers[seat].cards:
            yield f"explorers.{seat}.cards: expected {hand.cards.bit_count()}, the cards of the hand"
    if box.cards.bit_count() != t.deck:
        yield f"deck: expected {box.cards.bit_count()} shuffled cards"
    if any(card == 0 for card in box.under[: t.beneath]) or any(box.under[t.beneath :]):
        yield f"box.under: expected {t.beneath} cards and none after them"
    for name, notes in (("under", t.under), *((f"hands.{seat}.under", h.under) for seat, h in enumerate(state.hand))):
        if any(note not in (0, card) for note, card in zip(notes, box.under, strict=True)):
            yield f"{name}: expected none or the cards that are there"
    found = Counter(place for mask in (box.cards, *(hand.cards for hand in state.hand)) for place in members_of(mask))
    found.update(card - 1 for card in (*t.goals, *box.under, *(c for h in state.hand for c in h.drawn)) if card)
    if t.variant_b:
        if found:
            yield "cards: expected none in variant B"
        return
    found.update(place for place, seat in enumerate(t.laid) if seat)
    if set(found) != set(range(PLACE_COUNT)) or max(found.values()) > 1:
        wrong = next(place for place in range(PLACE_COUNT) if found[place] != 1)
        yield f"the card of {PLACES[wrong]}: expected it in one place, found it in {found[wrong]}"


def _known(t: Table) -> Iterator[str]:
    """Faults of the public knowledge of hidden hands: `deck.py`."""
    made = sum(explorer.swaps for explorer in t.explorers)
    public = {place for place in range(PLACE_COUNT) if t.laid[place] or place + 1 in t.goals}
    if max(t.missed) > made + 1 or any(t.missed[place] for place in public) or (t.phase < Phase.TURN and any(t.missed)):
        yield f"missed: expected at most {made + 1} after {made} exchanges, and none for a card that all seats see"
    if max(t.given) > made or any(t.given[t.beneath :]):
        yield f"given: expected at most {made}, the number of exchanges, and only where there are cards"
    for seat, explorer in enumerate(t.explorers):
        came = [number for number in explorer.newcomers if number]
        if came != sorted(set(came)) or any(explorer.newcomers[len(came) :]):
            yield f"explorers.{seat}.newcomers: expected exchanges in ascending order, and none after them"
        if len(came) > min(explorer.cards, explorer.swaps) or max(came, default=0) > made:
            yield f"explorers.{seat}.newcomers: expected at most one for each card and each exchange made"
        going_on = t.phase in (Phase.DRAW, Phase.KEEP)
        if going_on and (made in came or (seat == t.seat and len(came) >= explorer.swaps)):
            yield f"explorers.{seat}.newcomers: expected none from the current exchange"


def _pieces(t: Table) -> Iterator[str]:
    """R2: vouchers and tokens, and their counts."""
    if sum(explorer.vouchers for explorer in t.explorers) + t.bank + t.used != components.VOUCHERS:
        yield f"vouchers: expected {components.VOUCHERS} in all"
    most = _most_tokens(t)
    for seat, explorer in enumerate(t.explorers):
        laid = [place for place, owner in enumerate(t.laid) if owner == seat + 1]
        if explorer.tokens != t.token.count(seat + 1) or explorer.tokens + explorer.collected > most:
            yield f"explorers.{seat}.tokens: expected those on the map, at most {most} including the collected ones"
        if explorer.collected != sum(t.won >> place & 1 for place in laid):
            yield f"explorers.{seat}.collected: expected the tokens of the places it has reached"
        if explorer.own + explorer.public != (0 if t.variant_b else len(laid)):
            yield f"explorers.{seat}.own, public: expected {len(laid)} face-up cards"
    if any(t.won >> place & 1 and not owner for place, owner in enumerate(t.laid)):
        yield "won: expected only places that a seat has reached"
    if any(token and token == owner for token, owner in zip(t.token, t.laid, strict=True)):
        yield "token: expected no token of a seat on a place that it has reached"


def _phase(state: State) -> Iterator[str]:
    t = state.table
    cards = t.deck if t.phase in (Phase.DEAL, Phase.REVEAL) else t.deck + t.beneath
    if t.phase in (Phase.DEAL, Phase.REVEAL, Phase.MEND, Phase.DRAW, Phase.REFILL) and not cards:
        yield "deck: expected cards to draw"
    in_vain = (Phase.DEAL, Phase.REVEAL, Phase.MEND, Phase.REFILL) if t.variant_b else (Phase.REVEAL, Phase.REFILL)
    if t.phase in in_vain and (t.variant_b or all(t.goals)):
        yield "goals: expected an empty place for the card to be turned up"
    if (t.phase == Phase.DEAL) != (t.dealt < _dealt(t)) and not t.variant_b:
        yield f"dealt: expected {_dealt(t)} cards after the deal, and fewer before"
    if t.dealt > _dealt(t) or (t.variant_b and t.dealt):
        yield f"dealt: expected at most {_dealt(t)} cards"
    if t.passed and t.phase != Phase.TOKENS:
        yield "passed: expected seats only while tokens are placed"
    owner = (t.seat - 1) % t.players if t.variant_b else t.seat
    if t.phase == Phase.TOKENS and (t.passed >> t.seat & 1 or t.explorers[owner].tokens >= _most_tokens(t)):
        yield "passed: expected the seat to act to have a token left"
    if t.phase < Phase.TURN and any(route.count for route in t.expedition):
        yield "phase: expected no arrow before the first turn"


def _dealt(t: Table) -> int:
    return t.players * (12 if t.players <= 3 else 9)


def _most_tokens(t: Table) -> int:
    return components.TOKENS_IN_B if t.variant_b else components.TOKENS_IN_A if t.variant_a else components.TOKENS


def _turn(state: State) -> Iterator[str]:
    t = state.table
    if t.phase not in IN_A_TURN and (t.placed or t.used or t.looped):
        yield "placed, used, looped: expected nothing outside a turn"
    if (t.phase == Phase.CLAIM) != (t.arrived > 0) or (t.removed and t.phase != Phase.CLAIM):
        yield "arrived: expected a place while its card is asked for, and none otherwise"
    if t.arrived and (t.variant_b or t.laid[t.arrived - 1] or t.arrived in t.goals):
        yield "arrived: expected a place whose card can be in a hand"
    if t.arrived and all(route.head != t.arrived for route in t.expedition):
        yield "arrived: expected the place at the head of an expedition"
    if (t.phase == Phase.LOOP and not t.due) or (t.due and t.phase not in (Phase.LOOP, Phase.CLAIM)):
        yield "due: expected a colour while a loop must be left, and none otherwise"
    if t.due and not (t.looped >> t.due - 1 & 1 and is_in_loop(t.expedition[t.due - 1])):
        yield "due: expected a colour that has closed a loop in this turn"
    if (t.phase == Phase.GREEN and not t.green) or (t.green and t.phase not in (Phase.GREEN, Phase.LOOP, Phase.CLAIM)):
        yield "green: expected arrows while they are due, and none otherwise"
    if t.phase == Phase.LOOP and t.due and not can_leave(t, t.due - 1):
        yield "phase: expected an arrow that can leave the loop"
    if t.phase == Phase.EXTRA and not (t.used and can_lay(t)):
        yield "phase: expected a voucher in use and an arrow that can be placed"
    drawn = [sum(card > 0 for card in hand.drawn) for hand in state.hand]
    able: dict[int, tuple[int, ...]] = {Phase.DRAW: (0, 1), Phase.KEEP: (2,)}
    if drawn[t.seat] not in able.get(t.phase, (0,)) or sum(drawn) != drawn[t.seat] or (t.phase in able and not t.used):
        yield "drawn: expected cards while one is exchanged with a voucher, and none otherwise"
    if state.hand[t.seat].drawn[1] and not state.hand[t.seat].drawn[0]:
        yield "drawn: expected the first card before the second"


def _end(t: Table) -> Iterator[str]:
    if (t.ending > 0) != (t.phase == Phase.OVER) and not (t.ending == Ending.CARDS and t.phase > Phase.TOKENS):
        yield "ending: expected one at the end, or `cards` once a seat has played its last card"
    empty = any(explorer.cards == 0 for explorer in t.explorers[: t.players])
    if not t.variant_b and t.phase in IN_A_TURN and t.phase < Phase.DRAW and empty != (t.ending == Ending.CARDS):
        yield "ending: expected `cards` when a hand is empty"
    if t.variant_b and t.ending == Ending.CARDS:
        yield "ending: expected no cards in variant B"
    if t.left >= t.players or (t.left and t.ending != Ending.CARDS):
        yield "left: expected turns after this one only once a seat has played its last card"
    if sum(route.count for route in t.expedition) == EVERY_ARROW and t.phase not in (Phase.CLAIM, Phase.OVER):
        yield "phase: expected the end, since all arrows are on the map"
    if t.phase != Phase.OVER and (t.idle >= t.players or t.turns >= components.MOST_TURNS):
        yield "idle, turns: expected fewer while the match continues"
    if any(explorer.walk for explorer in t.explorers) and not (t.variant_b and t.phase == Phase.OVER):
        yield "walk: expected one only if it breaks a tie at the end"


FAULTS = Faults(pieces=faults, history=history_faults)
