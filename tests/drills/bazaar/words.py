"""The sentences of the bazaar, in English."""

from plain_words import plain_words

from bazaar.rules import GOODS, Phase
from tavola.core import PlayedAction, View
from tavola.show.speech import Say


def action(view: View, action: int, say: Say) -> str:
    verb, places = view.game.actions.action(action)
    if verb == "accept":
        return say("Accept the offer of {name}", name=say.name(places[0]))
    sentence = {
        "deal": "Deal {good}",
        "lay": "Lay out {good}",
        "offer": "Offer it for {good}",
        "withdraw": "Take your offer back",
        "done": "Leave the bazaar",
    }[verb]
    return say(sentence, good=GOODS[places[0]] if places else "")


def prompt(view: View, say: Say) -> str:
    if view.table.phase == Phase.OVER:
        return say("The match is over.")
    if view.seat in view.to_act:
        return say("Trade, or leave.")
    return say("The goods are dealt.") if view.table.phase == Phase.DEAL else say("The others trade.")


def events(before: View, after: View, played: PlayedAction | None, say: Say) -> list[str]:
    if played is None:
        return []
    name, told = say.name(played.seat), []
    if played.verb == "offer":
        goods = _goods(after.table.offers[played.seat].goods)
        told = [say("{name} offers {goods} for {good}.", name=name, goods=goods, good=GOODS[played.indices[0]])]
    elif played.verb == "accept":
        told = [say("{name} accepts the offer of {other}.", name=name, other=say.name(played.indices[0]))]
    elif played.verb == "withdraw":
        told = [say("{name} takes the offer back.", name=name)]
    elif played.verb == "done":
        told = [say("{name} leaves.", name=name)]
    return told


def _goods(counts: tuple[int, ...]) -> str:
    return ", ".join(f"{count} {good}" for count, good in zip(counts, GOODS, strict=True) if count) or "nothing"


def table(view: View, say: Say) -> list[str]:
    t = view.table
    lines = [
        say("{name} holds {count} goods and offers {goods}", name=say.name(p), count=t.held[p], goods=_goods(o.goods))
        for p, o in zip(range(t.players), t.offers, strict=False)
    ]
    if view.seat is not None:
        lines.append(
            say("You hold {goods}, laid out {laid}", goods=_goods(view.hand.goods), laid=_goods(view.hand.laid))
        )
    return lines


WORDS = plain_words(
    action=action,
    prompt=prompt,
    events=events,
    table=table,
    points="Goods of a kind",
    players="How many trade.",
    about="Whoever comes first gets the bargain.",
)
