"""The table as text, for the terminal, readable without colour; and how points were made."""

from tavola.games.expedition.components import VOUCHER_TIES, Explorer, Phase, Seen, Table
from tavola.games.expedition.network import DISTANCE, PLACE_COUNT
from tavola.games.expedition.words.choices import won_points
from tavola.games.expedition.words.nouns import COLOUR, goals_of, heads, place_label, places_text, spot_name
from tavola.show.speech import Say, mark_many, marks
from tavola.show.words import columns, tied_seats, wrap_notes

HEADINGS = marks("Seat", "won", "at stake", "goals", "tokens collected", "on the map", "cards", "vouchers")
STARTED = mark_many("{colour:short}: {count} arrow, now at {place}", "{colour:short}: {count} arrows, now at {place}")
WALKS = mark_many("Tiebreaker: {count} arrow to all tokens left", "Tiebreaker: {count} arrows to all tokens left")


def table(view: Seen, say: Say) -> list[str]:
    t = view.table
    notes = [*_routes(t, say), *_open_cards(t, say), *_tokens(t, say), *_own(view, say)]
    return columns(_seats(view, say)) + wrap_notes(notes)


def _seats(view: Seen, say: Say) -> list[list[str]]:
    rows = [[say(heading) for heading in HEADINGS]]
    for seat, own in enumerate(view.table.explorers[: view.table.players]):
        counts = (*won_points(view, seat), own.own + own.public, own.collected, own.tokens, own.cards, own.vouchers)
        rows.append([say.name(seat), *map(str, counts)])
    return rows


def _routes(t: Table, say: Say) -> list[str]:
    lines = []
    for number, route in enumerate(t.expedition):
        colour, place = COLOUR(number, say), spot_name(route.head, say)
        started = say.many(*STARTED, route.count, colour=colour, place=place)
        lines.append(started if route.count else say("{colour:short}: not started", colour=colour))
    return lines


def _open_cards(t: Table, say: Say) -> list[str]:
    goals = [goal - 1 for goal in t.goals if goal]
    lines = [say("Public goals: {places}", places=places_text(goals, say))] if goals else []
    return [*lines, say("Deck: {deck}, bank: {bank} vouchers", deck=t.deck + t.beneath, bank=t.bank)]


def _tokens(t: Table, say: Say) -> list[str]:
    told = []
    for seat in range(t.players):
        if found := [number for number in range(PLACE_COUNT) if t.token[number] == seat + 1]:
            told.append(say.labelled(say.name(seat), places_text(found, say)))
    return [say("Tokens: {tokens}", tokens="; ".join(told))] if told else []


def _own(view: Seen, say: Say) -> list[str]:
    t, told = view.table, []
    for number in goals_of(view):
        far = "/".join(str(int(DISTANCE[head, number + 1])) for head in heads(t))
        told.append(f"{place_label(number, say)} {far}")
    names = "/".join(format(COLOUR(colour, say), "name") for colour in range(3))
    return [say("Your goals, arrows from {colours}: {goals}", colours=names, goals=", ".join(told))] if told else []


def scoring(view: Seen, seat: int, say: Say) -> list[tuple[str, int]]:
    """R35, R36: return how the points of a seat were made."""
    t = view.table
    own = t.explorers[seat]
    lines = [(say("Tokens collected"), own.collected)]
    if not t.variant_b:
        lines = [(say("Private goals"), own.own), (say("Public goals"), own.public), *lines]
        lines += [(say("Cards left in hand"), -own.cards), (say("Tokens left on the map"), -own.tokens)]
    return [line for line in lines if line[1]] + _tie(view, seat, own, say) or [(say("Nothing reached"), 0)]


def _tie(view: Seen, seat: int, own: Explorer, say: Say) -> list[tuple[str, int]]:
    t = view.table
    if t.phase != Phase.OVER or not tied_seats(view, seat):
        return []
    if t.variant_b:
        return [(say.many(*WALKS, own.walk), 0)]
    if t.ties != VOUCHER_TIES:
        return []
    return [(say.many("Tiebreaker: {count} voucher left", "Tiebreaker: {count} vouchers left", own.vouchers), 0)]
