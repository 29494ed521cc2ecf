"""Gestures: a sign and words, which everybody reads in his own language; at a seat the sign alone, for a moment."""

from collections.abc import Mapping

from markupsafe import Markup

from tavola.live.log.people import ChatLine
from tavola.show.speech import Say, mark
from tavola.talk import Act
from tavola.web.table.player_panels import name_with_seal

GESTURE_WORDS: Mapping[str, str] = {
    "praise": mark("Well played"),
    "thanks": mark("Thank you"),
    "laugh": mark("Ha!"),
    "wonder": mark("Hm …"),
    "sorry": mark("Sorry"),
    "remember": mark("I remember"),
}
"""What the gestures say that people show."""
TABLE_WORDS: Mapping[str, str] = {"aside": mark("A bot plays for me"), "back": mark("I play again")}
"""What a line says of a seat whose person lets a bot decide, or decides again."""
ACT_GESTURES: Mapping[Act, str] = {Act.DECLINE: "refuses", Act.THANK: "thanks"}
"""How statements look at the seat of who makes them."""
SIGN = Markup('<svg class="gesture" viewBox="0 0 48 48" aria-hidden="true"><use href="#gesture-{}"/></svg>')
LINE = Markup('<li id="{}" data-speaker="{}" data-gesture="{}"><span class="speaker">{}</span> {}{}</li>')
WATCHING = Markup('<span class="facts">({})</span> ')


def gesture_choices(say: Say) -> list[tuple[str, Markup, str]]:
    """Return the gestures to choose from: name, sign, words."""
    return [(name, SIGN.format(name), say(words)) for name, words in GESTURE_WORDS.items()]


def chat_markup(said: ChatLine, name: str, say: Say) -> Markup:
    """Return a line of chat, `name` being that of the element: free text as it was written, gestures in words."""
    watching = WATCHING.format(say("watching")) if said.seat is None else ""
    if said.gesture in TABLE_WORDS:
        return LINE.format(
            name, said.seat, "", name_with_seal(said.seat, said.name), "", say(TABLE_WORDS[said.gesture])
        )
    shown = Markup("{} {}").format(SIGN.format(said.gesture), say(GESTURE_WORDS[said.gesture])) if said.gesture else ""
    seat = "" if said.seat is None else said.seat
    return LINE.format(name, seat, said.gesture, name_with_seal(said.seat, said.name), watching, shown or said.text)
