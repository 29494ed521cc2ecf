"""The sentences of Template: English, marked for the catalogues in `locale/`."""

from tavola.core import Played, View
from tavola.games._template.components import BID, BIDDING, DECK, OVER
from tavola.show.speech import Say


def action(view: View, action: int, say: Say) -> str:
    """What a seat does by an action, for a button."""
    verb, places = view.game.actions.action(action)
    if verb == "bid":
        return say("Bid the {card}", card=places[0] + 1)
    if verb == "toss":
        return say.many("The prize is {count} point", "The prize is {count} points", places[0] + 1)
    return say("Deal the {card}", card=places[0] + 1)


def prompt(view: View, say: Say) -> str:
    """What is asked of the seat now, or whom everybody waits for."""
    if view.table.phase == OVER:
        return say("The match is over.")
    if view.table.phase != BID:
        return say("The cards are dealt and the prize is tossed.")
    if view.seat in view.to_act:
        return say.many("Bid for {count} point.", "Bid for {count} points.", view.table.template_prize)
    return say("Waiting for {names}.", names=say.listing([say.name(seat) for seat in view.to_act]))


def events(before: View, after: View, played: Played | None, say: Say) -> list[str]:
    """What happened between two views, for the log."""
    old, new = before.table, after.table
    said = []
    if new.template_prize and not old.template_prize:
        said.append(say.many("The prize is {count} point.", "The prize is {count} points.", new.template_prize))
    if new.rounds > old.rounds:
        bids = [say("{name} bid the {card}", name=say.name(p), card=new.shown[p]) for p in range(new.players)]
        winner = next(seat for seat in range(new.players) if new.points[seat] > old.points[seat])
        said += [f"{say.listing(bids)}.", say("{name} takes the prize.", name=say.name(winner))]
    return said


def refusal(view: View, action: int, say: Say) -> str:
    """Why an action is not allowed now, with the rule's paragraph; empty if it is."""
    if action in view.legal:
        return ""
    if view.table.phase == OVER:
        return say("The match is over (R5).")
    if view.seat not in view.to_act:
        return say("You have bid already, or it is not time to bid (R3).")
    if not BIDDING <= action < BIDDING + DECK:
        return say("Cards and prizes come by chance (R1, R2).")
    return say("You do not hold the {card} (R3).", card=action - BIDDING + 1)


def scoring(view: View, seat: int, say: Say) -> list[tuple[str, int]]:
    """How each point of a seat was made."""
    return [(say("Prizes taken"), view.table.points[seat])]


def table(view: View, say: Say) -> list[str]:
    """The table as text."""
    t = view.table
    lines = [say("Round {number} of {rounds}", number=min(t.rounds + 1, t.cards), rounds=t.cards)]
    for seat in range(t.players):
        values = {"name": say.name(seat), "points": t.points[seat], "shown": t.shown[seat] or "–"}
        lines.append(say("{name}: points {points}, last bid {shown}", **values))
    if view.seat is not None:
        lines.append(say("Your cards: {cards}", cards=", ".join(map(str, hand(view))) or "–"))
    return lines


def hand(view: View) -> list[int]:
    """The cards that the seat of a view holds."""
    return [card for card in range(1, DECK + 1) if view.hand.cards >> (card - 1) & 1]


def option(name: str, say: Say) -> tuple[str, str]:
    """The title and the explanation of an option."""
    return {
        "players": (say("Players"), say("How many sit at the table.")),
        "cards": (say("Cards"), say("How many cards each is dealt, and how many rounds there are.")),
        "low_wins": (say("Low wins"), say("The lowest card takes the prize, not the highest.")),
    }[name]


def value(name: str, word: str, say: Say) -> str:
    """The name of one value of an option."""
    return {"off": say("off"), "on": say("on")}.get(word, word)


def about(say: Say) -> str:
    """The game in a sentence, for the shelf."""
    return say("Three hidden cards each, a prize, a secret bid: the smallest game that has every part.")
