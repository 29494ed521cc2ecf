"""What only the seat itself sees: its cards in a fan and, on the table, what it knows and may turn up."""

from collections import Counter

from markupsafe import Markup

from tavola.games.fairies import components
from tavola.games.fairies.components import COLOURED_COUNT, PIECES, SEATS, VALUE, WAND_COUNT, Phase, Seen, Shield
from tavola.games.fairies.picture import layout
from tavola.games.fairies.picture.garden import COLOUR
from tavola.games.fairies.picture.shields import EMBLEMS, PHASES_OF, what_it_does
from tavola.games.fairies.words.nouns import SHIELD, SHIELD_RULE, any_card, covered_fairies, held_cards, king_card
from tavola.show.kit import PieceItems, Spot, anonymous_say, fan, fitted_shape, piece, pitch, titled_group
from tavola.show.speech import Say
from tavola.show.svg import group, tag

WIDTH, HEIGHT = 800, 232
STRIP = (0, 10, WIDTH, 200)
"""What a phone shows: the upper part of the cards."""
CARD_WIDTH, CARD_HEIGHT = 118, 174
PITCH, ALIKE_PITCH = 104, 14  # between two different cards, and between two copies
BEND = 1500
SURE_WIDTH = 44  # width of a card that another hand certainly holds


def hand(view: Seen, say: Say) -> PieceItems:
    """Yield the seat's cards, sorted, in a fan; copies of a card are close together."""
    assert view.hand is not None
    bare = anonymous_say(view.game, say.language)
    copies = Counter(held_cards(view.hand))
    room = WIDTH - CARD_WIDTH - 24 - ALIKE_PITCH * (copies.total() - len(copies))
    for (card, count), spot in zip(copies.items(), fan(len(copies), WIDTH / 2, 22, room, PITCH, BEND), strict=True):
        yield from (_card(card, copy, count, spot, bare) for copy in range(count))


@piece("card-{card}-{copy}", memory=2048)
def _card(identifier: str, card: int, copy: int, count: int, spot: Spot, say: Say) -> Markup:
    x = ALIKE_PITCH * (copy - (count - 1) / 2) - CARD_WIDTH / 2
    turned = tag("g", _face(card, say), transform=f"rotate({spot.rotation:.1f}) translate({x:.0f} 0)")
    name = any_card(card, say)
    title = f"{name[:1].upper()}{name[1:]}." + (f" {say(SHIELD_RULE[card - WAND_COUNT])}" if card >= WAND_COUNT else "")
    return group(identifier, tag("title", title), turned, x=spot.x, y=spot.y, codes=_codes(card), like=f"card-{card}")


def _face(card: int, say: Say) -> Markup:
    drawn = _shield(card - WAND_COUNT, say) if card >= WAND_COUNT else _wand(card)
    edges = (layout.frame(class_, 0, 0, CARD_WIDTH, CARD_HEIGHT, 1, 9) for class_ in ("fresh", "edge"))
    return Markup("").join([*drawn, *edges])


def _shield(shield: int, say: Say) -> tuple[Markup, ...]:
    signs = zip(PHASES_OF[shield], (46, 16, 76), strict=False)
    return (
        fitted_shape("card-shield", 0, 0, CARD_WIDTH, CARD_HEIGHT),
        fitted_shape(f"shield-{EMBLEMS[shield]}", 25, 10, 68, 79),
        tag("g", *(fitted_shape(f"ic-{sign}", x, 134, 26, 26) for sign, x in signs), class_="when"),
        tag("g", what_it_does(shield, CARD_WIDTH / 2, 108, CARD_WIDTH - 10, say, 19), class_="on-night"),
    )


def _wand(card: int) -> tuple[Markup, ...]:
    which, colour = card_art(card)
    value, y = str(VALUE[card]), 77 if which == "star" else 103
    return (
        fitted_shape(f"card-{which}-{colour}", 0, 0, CARD_WIDTH, CARD_HEIGHT),
        tag("text", value, x=CARD_WIDTH / 2 + 6, y=y, class_="num value"),
        tag("text", value, x=20, y=32, class_="num name"),
    )


def card_art(card: int) -> tuple[str, str]:
    """Return the half and the colour of a wand card; a joker is drawn as a star."""
    which = "star" if card >= COLOURED_COUNT or card // 4 % 2 == 0 else "tail"
    return which, COLOUR[min(card // 8, 3)]


def _codes(card: int) -> str:
    shield = card - WAND_COUNT
    if shield == components.CROWN:
        return "crown"
    if shield >= 0:
        wakes = [f"wake {fairy}" for fairy in components.FAIRIES if shield == Shield.WAKE]
        return "|".join([f"use {components.SHIELDS[shield]}", *wakes])
    if card < COLOURED_COUNT:
        places = [f"lay {components.COLOURED[card]} {seat}" for seat in range(SEATS)]
    else:
        value = components.JOKER_VALUES[card - COLOURED_COUNT]
        places = [f"joker {value} {seat} {half}" for seat in range(SEATS) for half in components.PLACES_OF_HALVES]
    return "|".join([*places, f"return {components.WANDS[card]}"])


def own_marks(view: Seen, say: Say) -> PieceItems:
    """Yield what only the seat may touch or know: its covered fairies, the King's cards and other hands (R42)."""
    assert view.seat is not None
    assert view.hand is not None
    t = view.table
    yield from (_covered(fairy) for fairy in covered_fairies(t.fairies[view.seat]))
    for place, card in enumerate(view.hand.grid):
        if card:
            yield _known_card(place, card - 1, t.phase == Phase.CHOOSE and t.place == place + 1, say)
    for seat, known in enumerate(view.hand.known):
        if cards := held_cards(known):
            yield _sure_piece(t.players, seat, cards, say)


@piece("wake-{fairy}", memory=8)
def _covered(identifier: str, fairy: int) -> Markup:
    x, wide = layout.front_x(fairy), layout.FRONT_FAIRY
    glow = layout.edge(x + 4, layout.FRONT_Y + 6, wide - 8, wide, 12)
    return titled_group(identifier, "", glow, codes=f"wake {components.FAIRIES[fairy]}", class_="through")


@piece("sure-{seat}")
def _sure_piece(identifier: str, players: int, seat: int, cards: tuple[int, ...], say: Say) -> Markup:
    named = say.listing([any_card(card, say) for card in cards])
    title = say("Only you know: {name} holds {cards}.", name=say.name(seat), cards=named)
    light = layout.light_of(players)
    fine, coarse = (16, light.high - 60, 96), (88, light.high - 48, 46)
    if light is layout.HALF:
        fine = coarse = (16, light.foot - 24, 96)
    known = layout.sizes(_row_of_cards(cards, *fine), _row_of_cards(cards, *coarse))
    return layout.garden_piece(identifier, title, tag("g", known, class_="growing"), Markup(), players, seat)


def _row_of_cards(cards: tuple[int, ...], left: float, y: float, room: float) -> Markup:
    step = pitch(len(cards), room, SURE_WIDTH + 3)
    places = (f"translate({left + step * k:.0f} {y:g})" for k in range(len(cards)))
    return Markup("").join(tag("g", _small_card(card), transform=at) for card, at in zip(cards, places, strict=True))


def _small_card(card: int) -> Markup:
    if card >= WAND_COUNT:
        return fitted_shape(f"shield-{EMBLEMS[card - WAND_COUNT]}", 0, 0, SURE_WIDTH, SURE_WIDTH * 1.16)
    which, colour = card_art(card)
    value = layout.words(str(VALUE[card]), SURE_WIDTH / 2, SURE_WIDTH / 2 + 10, 28, "num")
    return fitted_shape(f"{which}-{colour}", 0, 0, SURE_WIDTH, SURE_WIDTH) + value


@piece("known-{place}")
def _known_card(identifier: str, place: int, card: int, asked: bool, say: Say) -> Markup:
    """Draw a known King card in the middle of its pane; `asked` if it can be taken."""
    title = say("Only you know this: {card}.", card=king_card(card, say))
    if card < PIECES:
        shown = layout.words(str(card + 1), layout.PANE_WIDTH / 2, 70, 36, "tx-b mid pale")
    else:
        emblem, named = f"shield-{EMBLEMS[card - PIECES]}", str(SHIELD(card - PIECES, say))
        shown = fitted_shape(emblem, 14, 16, 70, 81, aria_label=named)
    glow = layout.edge(0, 0, layout.PANE_WIDTH, layout.PANE_HEIGHT, 3) if asked else Markup()
    codes = "take" if asked else None
    return titled_group(identifier, title, shown, glow, at=layout.pane_spot(place), codes=codes, class_="through")
