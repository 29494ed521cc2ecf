"""The sentences of the joust, in English."""

from plain_words import plain_words

from joust.rules import CORNERS, Phase
from tavola.core import PlayedAction, View
from tavola.show.speech import Say


def action(view: View, action: int, say: Say) -> str:
    verb, places = view.game.actions.action(action)
    sentence = {
        "toss": "The toss shows {corner}",
        "take": "Take a ware",
        "done": "Take no more",
        "point": "Point at {corner}",
        "first": "Somebody is first",
        "keep": "Keep the prize",
        "share": "Share the prize",
    }[verb]
    return say(sentence, corner=CORNERS[places[0]] if verb in ("toss", "point") else "")


def prompt(view: View, say: Say) -> str:
    if view.table.phase == Phase.OVER:
        return say("The match is over.")
    if view.seat not in view.to_act:
        return say("The toss is in the air.") if view.table.phase == Phase.TOSS else say("The other decides.")
    return {Phase.WARES: say("Take wares."), Phase.POINT: say("Point!")}.get(view.table.phase, say("Keep or share."))


def events(before: View, after: View, played: PlayedAction | None, say: Say) -> list[str]:
    if played is None:
        return []
    if played.verb == "toss":
        return [say("The toss shows {corner}.", corner=CORNERS[played.indices[0]])]
    if played.verb == "first":
        nobody = played.indices[0] == len(after.table.points)
        return [say("Nobody was first.") if nobody else say("{name} was first.", name=say.name(played.indices[0]))]
    return [say("{name}: {deed}.", name=say.name(played.seat), deed=played.verb)]


def table(view: View, say: Say) -> list[str]:
    t = view.table
    tossed = ("nothing", *CORNERS)[t.tossed]
    return [
        say("Bout {bout}, {wares} wares, tossed {corner}", bout=t.bout + 1, wares=t.wares, corner=tossed),
        *(say("{name}: {points}", name=say.name(p), points=t.points[p]) for p in range(2)),
    ]


WORDS = plain_words(
    action=action,
    prompt=prompt,
    events=events,
    table=table,
    points="Wares and prizes",
    players="How many joust.",
    about="Whoever points first wins.",
)
