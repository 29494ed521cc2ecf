"""The stall on which one makes one's own offer: to whom, what is given, what is asked for, the sous, the set after it.

Nothing of it is sent before it is cried or whispered: cards in the hand and kinds here are touched, a coin is moved.
"""

from functools import lru_cache

from markupsafe import Markup

from tavola.games.tournament.components import (
    CARDS,
    JOKER,
    JOKER_SORT,
    KIND_COUNT,
    MOST_CARDS,
    MOST_PAID,
    SORT_COUNT,
    SORTS,
    TO_ALL,
    TRADE,
    Draft,
    Hand,
    Seen,
)
from tavola.games.tournament.components import TOP as TOP_OF_ALL
from tavola.games.tournament.picture.pieces import (
    arms,
    card,
    codes,
    coin,
    face,
    outline,
    path,
    rect,
    shape,
    text,
)
from tavola.games.tournament.words.nouns import (
    KIND,
    asked_name,
    card_name,
    cards_of,
    sort_of,
    sous_named,
    to_whom,
    top_value,
    value_of,
)
from tavola.show.speech import Say
from tavola.show.svg import group, tag

HEAD = 884.0
"""Top of the strip with those whom one may make an offer; while one is built the stall is higher."""
RAISED = 396.0
TILE, TILE_HEIGHT = 182.0, 122.0
SLOT = 116.0
ROW_SIDES, ROW_KINDS, ROW_SET = 562.0, 730.0, 864.0


def composer(view: Seen, say: Say) -> dict[str, Markup]:
    """The own stall: closed to a strip of arms until an offer is begun."""
    t = view.table
    if t.phase != TRADE or view.hand is None or view.seat is None:
        return {}
    draft = view.hand.draft
    if t.done >> view.seat & 1 or (t.published[view.seat] >= t.offer_limit and not draft.to):
        return {}
    top = RAISED if draft.to else HEAD
    others = [seat for seat in range(t.players) if seat != view.seat]
    drawn = {"counter": _counter(bool(draft.to), say)}
    for place, to in enumerate((TO_ALL - 1, *others)):
        drawn[f"to-{to}"] = _whom(place, to, top, draft, t.players, say)
    if draft.to:
        drawn |= _building(view, view.hand, draft, say)
    return drawn


@lru_cache(maxsize=16)
def _counter(raised: bool, say: Say) -> Markup:
    top = RAISED if raised else HEAD
    cloth = rect(-900, top - 14, 2800, 1500, "tm-az") + rect(-900, top - 14, 2800, 1500, "", fill="diaper")
    edge = rect(-900, top - 22, 2800, 14, "tm-wd tm-o")
    sheet = rect(8, top + 4, 984, 986 - top, "mat", 10) + rect(8, top + 4, 984, 986 - top, "", 10, "grain")
    label = Markup() if raised else text(say("Make an offer to:"), 24, top + 66, "x4 italic soft wide")
    return group("counter", cloth, edge, tag("g", sheet, label, class_="parchment"), class_="of-market")


@lru_cache(maxsize=1024)
def _whom(place: int, to: int, top: float, draft: Draft, players: int, say: Say) -> Markup:
    """The horn for all, or the arms of one."""
    pitch = min(132.0, 680 / players)
    x = (300 if not draft.to else 22) + pitch * place
    chosen = draft.to == to + 1
    name = "all" if to == TO_ALL - 1 else str(to)
    told = say("An offer to all: everybody hears its kinds, and who accepts first has it.")
    if to != TO_ALL - 1:
        told = say("An offer to {name} alone: only you two know its cards.", name=to_whom(to, say))
    parts = tag("title", told), _crest(to, chosen, bool(draft.to), pitch - 12)
    changes = draft.to and not chosen
    return group(
        f"to-{to}",
        *parts,
        x=x,
        y=top + 8,
        codes=f"offer {name}",
        class_="of-market parchment tap" + (" spent" if changes else ""),
        data_adds=f"offer {name}" if changes else None,
        data_instead=_instead(draft, to) if changes else None,
    )


def _instead(draft: Draft, to: int) -> str:
    """What a change of the addressee takes out: of all one can ask for kinds only."""
    named = [CARDS[asked - 1] for asked in draft.asked if asked and value_of(asked - 1) > 1]
    return "|".join(["offer", *(f"ask {name}" for name in named)] if to == TO_ALL - 1 else ["offer"])


@lru_cache(maxsize=64)
def _crest(to: int, chosen: bool, building: bool, width: float) -> Markup:
    height = 124 if building else 104
    ring = rect(2, 0, width, height, "pick-ink", 10) + rect(2, 0, width, height, "pick", 10) if chosen else Markup()
    size = min(width - 14, (height - 16) / 1.2)
    left, top = 2 + (width - size) / 2, (height - size * 1.2) / 2
    sign = shape("horn", left - 4, top + 4, size + 8, size + 8) if to == TO_ALL - 1 else arms(to, left, top, size)
    return rect(2, 0, width, height, "edge", 10) + ring + sign


def _building(view: Seen, hand: Hand, draft: Draft, say: Say) -> dict[str, Markup]:
    drawn = {
        "sides": _labels(int(view.table.published[view.seat or 0]) + 1, int(view.table.offer_limit), say),
        **_laid(draft.given, "give", 24, draft, say),
        **_laid(draft.asked, "ask", 544, draft, say),
        "coin-pay": _sous("pay", int(draft.pay), 24 + 3 * (SLOT + 4) + 58, say),
        "coin-charge": _sous("charge", int(draft.charge), 544 + 3 * (SLOT + 4) + 44, say),
    }
    full = all(draft.asked)
    drawn |= {f"want-{sort}": _want(sort, full, say) for sort in range(SORT_COUNT)}
    return {**drawn, "after": _after(hand, draft, say), "send": _send(draft, say)}


@lru_cache(maxsize=64)
def _labels(number: int, most: int, say: Say) -> Markup:
    count = text(say("offer {number} of {most}", number=number, most=most), 968, RAISED + 50, "x4 italic soft end")
    give = text(say("you give"), 24, ROW_SIDES - 6, "x4 italic soft")
    ask = text(say("you ask for"), 540, ROW_SIDES - 6, "x4 italic soft")
    arrows = shape("arrows", 498, ROW_SIDES + 62, 44, 30)
    return group("sides", count, give, ask, arrows, class_="of-market parchment through")


def _laid(cards: tuple[int, ...], verb: str, left: float, draft: Draft, say: Say) -> dict[str, Markup]:
    """The cards of one side; a touch takes one back. Cards that are given are touched in the hand."""
    drawn = {}
    for place in range(MOST_CARDS):
        identifier, held = f"{verb}-{place}", cards[place]
        x = left + (SLOT + 4) * place
        if not held:
            hole = rect(2, 2, SLOT - 8, SLOT * 1.37 - 8, "hole", 6)
            told = (
                say("Touch a card of your hand to give it.")
                if verb == "give"
                else say("Touch a kind below to ask for it.")
            )
            drawn[identifier] = group(
                identifier, tag("title", told), hole, x=x, y=ROW_SIDES, class_="of-market parchment"
            )
            continue
        drawn[identifier] = _one(identifier, held - 1, verb, x, draft.to == TO_ALL, say)
    return drawn


def _one(identifier: str, number: int, verb: str, x: float, cried: bool, say: Say) -> Markup:
    if verb == "give":
        told = say("You give {card}: touch it to take it back.", card=card_name(number, say))
        shown = card(number, 0, 0, SLOT - 4)
    else:
        told = say("You ask for {card}: touch it to take that back.", card=asked_name(number, say))
        value = value_of(number)
        shown = outline(sort_of(number), "" if cried or value < 2 else f"{value}+", 0, 0, SLOT - 4)
    edge = rect(-2, -2, SLOT, SLOT * 1.36, "edge", 7)
    parts = tag("title", told), shown, edge
    return group(
        identifier, *parts, x=x, y=ROW_SIDES, class_="of-market parchment tap", data_removes=f"{verb} {CARDS[number]}"
    )


def _sous(verb: str, count: int, x: float, say: Say) -> Markup:
    """The coin on the side that pays it; it is moved by the slider."""
    meant = "|".join(f"{verb} {sous}" for sous in range(1, MOST_PAID + 1))
    if verb == "pay":
        told = say("You pay {sous}.", sous=sous_named(count, say))
    else:
        told = say("You get {sous}.", sous=sous_named(count, say))
    shown = coin(count, 0, 0, 46) if count else tag("g", rect(-46, -46, 92, 92, "hole", 46))
    edge = tag("circle", r=58.0, class_="edge")
    return group(
        f"coin-{verb}",
        tag("title", told),
        shown,
        edge,
        x=x,
        y=ROW_SIDES + 76,
        codes=meant,
        class_="of-market parchment",
    )


@lru_cache(maxsize=128)
def _want(sort: int, full: bool, say: Say) -> Markup:
    """A kind to be asked for."""
    least = "joker" if sort == JOKER_SORT else f"{SORTS[sort]}-1"
    meant = ["ask joker"] if sort == JOKER_SORT else [f"ask {CARDS[15 * sort + value]}" for value in range(TOP_OF_ALL)]
    told = say("Ask for {kind:a}.", kind=KIND(sort, say))
    edge = rect(0, 0, TILE, TILE_HEIGHT, "edge", 8)
    ground = rect(0, 0, TILE, TILE_HEIGHT, "kind-button", 8)
    drawn = face(sort, "", TILE / 2 - 40, 6, 78)
    return group(
        f"want-{sort}",
        tag("title", told),
        ground,
        drawn,
        edge,
        x=24 + (TILE + 9) * sort,
        y=ROW_KINDS,
        codes=codes(*meant),
        class_="of-market parchment tap" + (" spent" if full else ""),
        data_adds=None if full else f"ask {least}",
    )


def _after(hand: Hand, draft: Draft, say: Say) -> Markup:
    """The own set as it would be: the best of each kind, what comes lit, what lacks an outline."""
    cards = cards_of(hand)
    for gone in draft.given:
        if gone:
            cards.remove(gone - 1)
    asked = [wanted - 1 for wanted in draft.asked if wanted]
    parts, lacking, jokers = [], 0, sum(number == JOKER for number in [*cards, *asked])
    for kind in range(KIND_COUNT):
        x = 24 + 84.0 * kind
        own = [number for number in cards if sort_of(number) == kind]
        coming = [number for number in asked if sort_of(number) == kind]
        best = max([value_of(number) for number in own], default=0)
        if coming and (not own or value_of(coming[-1]) > best):
            parts.append(rect(x - 3, ROW_SET - 3, 80, 108, "lit", 8))
            parts.append(outline(kind, f"{value_of(coming[-1])}+" if value_of(coming[-1]) > 1 else "?", x, ROW_SET, 74))
        elif own:
            parts.append(face(kind, str(best), x, ROW_SET, 74))
        else:
            lacking += 1
            joker = lacking <= jokers
            parts.append(face(JOKER_SORT, "0", x, ROW_SET, 74) if joker else outline(kind, "", x, ROW_SET, 74))
    whole = lacking <= jokers
    words = say("then a full set") if whole else say("then no full set")
    if whole:
        parts.append(shape("laurel", 432, ROW_SET - 6, 150, 75))
    parts.append(text(words, 508, ROW_SET + (98 if whole else 64), "x4 italic mid" if whole else "x4 italic mid lack"))
    return group("after", tag("title", say("Your set after this bargain.")), *parts, class_="of-market parchment")


def _send(draft: Draft, say: Say) -> Markup:
    """The button that publishes: the only touch that anybody else hears of."""
    cried = draft.to == TO_ALL
    empty = not (draft.given[0] or draft.asked[0] or draft.pay or draft.charge)
    told = say("Cry it: everybody hears it at once.") if cried else say("Whisper it: only you two know its cards.")
    sign = shape("horn", 22, 20, 70, 70) if cried else arms(draft.to - 1, 28, 12, 66)
    word = text(say("Cry it") if cried else say("Whisper"), 108, 68, "x3b pale")
    drawn = rect(0, 7, 316, 116, "tm-ik", 14), rect(0, 0, 316, 116, "send-button edge", 14), sign, word
    button = tag("g", *drawn, class_="unable" if empty else None)
    return group(
        "send", tag("title", told), button, x=660, y=ROW_SET, codes="publish", class_="of-market parchment tap"
    )


__all__ = ["composer", "path", "top_value"]
