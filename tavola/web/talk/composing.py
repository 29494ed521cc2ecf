"""Composing statements on a page, and answering them: deeds and facts, a draft as a sentence, what a seat is asked.

A page narrows the codes of possible topics by presses, in the same way as actions. The sentence of the draft is made
here, in the reader's language.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from functools import cache
from itertools import product
from typing import Any, NamedTuple

from markupsafe import Markup

from tavola.core import Game, Verb, View
from tavola.live import Room
from tavola.live.bots.voices import Voiced, line, voices
from tavola.live.commands.require import require_match, require_seat
from tavola.live.commands.speak import require_talk
from tavola.live.protocol import Speak
from tavola.show.cards import words_of
from tavola.show.pictures import touchable_codes
from tavola.show.speech import Say, capitalized, mark
from tavola.show.talk import Kind
from tavola.talk import (
    DUE_ACTS,
    Act,
    BadStatement,
    Conversation,
    Deed,
    Language,
    Said,
    Statement,
    Status,
    Teller,
    When,
    language_of,
    read_statement,
)
from tavola.talk.statements import deed_text
from tavola.web.render import game_say, render_cached, render_fragment
from tavola.web.requests.visitor import Visitor
from tavola.web.site_words import refusal_sentence
from tavola.web.table.choices import verb_names
from tavola.web.table.player_panels import PlayerPanel, with_seals
from tavola.web.talk.tokens import tag_of

Doors = list[tuple[str, str]]
"""Choices for a statement: a code, and a short word for each of its parts, separated by bars."""
ACT_WORDS: Mapping[Act, tuple[str, str]] = {
    Act.PROMISE: (mark("Promise"), mark("You promise")),
    Act.REQUEST: (mark("Ask", context="for a promise"), mark("You ask")),
    Act.OFFER: (mark("Offer"), mark("You offer")),
    Act.THREAT: (mark("Threaten"), mark("You threaten")),
    Act.CLAIM: (mark("Claim"), mark("You claim")),
    Act.ACCUSE: (mark("Accuse"), mark("You accuse")),
}
"""Acts that people can compose: the label of the button, and the beginning of the sentence."""
QUESTIONS: Mapping[str, str] = {
    "thing": mark("Choose what it’s about."),
    "condition": mark("And what must the other player do?"),
    "about": mark("Whom? Choose a player."),
    "whom": mark("To whom? Choose everyone or a player."),
    "seat": mark("To whom? Choose a player."),
}
WHEN_WORDS: Mapping[str, str] = {"now": mark("now"), "next": mark("next time"), "round": mark("this round")}
SCOPES: Mapping[str, str] = {
    "choice": mark("Covers your card and any choice it gives you."),
    "turn": mark("Covers your whole turn."),
    "action": mark("Covers only what you do, whatever comes of it."),
}
"""What a promise is judged by."""
BAR_WORDS: Mapping[str, str] = {
    "all": mark("Everyone"),
    "not": mark("not"),
    "any": mark("any"),
    "other": mark("Something else"),
    "whisper": mark("whispered"),
    "aloud": mark("aloud"),
    "back": mark("Undo"),
}


def acts_of(language: Language) -> list[Act]:
    """Return the acts that can be composed in a game: claims and accusations need a game with secrets."""
    return [act for act in ACT_WORDS if language.facts or act not in (Act.CLAIM, Act.ACCUSE)]


def spoken_language(room: Room, seat: int | None) -> Language | None:
    """Return the language in which a seat can make a statement now, None if it cannot."""
    if seat is None or room.state.phase != "playing" or room.state.settings.talk == "silent":
        return None
    return language_of(room.state.game) if words_of(room.state.game).talk is not None else None


def open_ballot(room: Room, seat: int | None) -> str:
    """Return the deed about which a seat can ask everyone while others decide in secret; else an empty string."""
    language, match = spoken_language(room, seat), room.state.match
    if language is None or seat is None or match is None or match.open or not (deeds := _open_deeds(match.game)):
        return ""
    owing = (room.view(other) for other in room.view(None).to_act if other != seat and other < len(room.names))
    verbs = (verb for view in owing for verb in verb_names(match.game, view.legal).split(" "))
    deed = next((deeds[verb] for verb in verbs if verb in deeds), "")
    return "" if not deed or _has_asked(room, seat, deed) else deed


@cache
def _open_deeds(game: Game) -> Mapping[str, str]:
    """Return the deeds about which everyone can be asked, by the verbs of the secret ballots that they speak of."""
    language, found = language_of(game), dict[str, str]()
    for kind in filter(language.is_revealed, language.talk.kinds):
        deed = " ".join([kind.topics[0].verb, *("*" for _ in language.deeds[kind.topics[0].verb].arguments), "now"])
        found |= {topic.verb: deed for topic in kind.topics}
    return found


def _has_asked(room: Room, seat: int, deed: str) -> bool:
    talk = room.state.talk
    standing = talk.standing_of(seat) if talk is not None else []
    asked = (said.statement for said in standing if said.statement.act is Act.ASK and said.statement.to is None)
    return any(each.deed is not None and deed_text(each.deed, language_of(room.state.game)) == deed for each in asked)


def owed_kinds(room: Room, language: Language, seats: Iterable[int]) -> list[Kind]:
    """Return the kinds of decision that some seats have to make. They are public, the choices are not."""
    match = room.state.match
    assert match is not None
    owing = [room.view(seat).legal for seat in seats if seat in match.to_act]
    verbs = {verb for numbers in owing for verb in verb_names(match.game, numbers).split(" ")}
    return [kind for kind in language.talk.kinds if any(topic.verb in verbs for topic in kind.topics)]


def speech_document(room: Room, visitor: Visitor) -> dict[str, Any]:
    """Return what a page needs to compose a statement; refuse a player who cannot speak now.

    `mine`, `others`: the verbs about present decisions; `doors`, `facts`: choices by verb.
    """
    state = room.state
    require_match(state)
    seat = require_seat(state, visitor.person)
    require_talk(state)
    language, say = language_of(state.game), visitor.say
    tell = Teller(language, game_say(state.game, visitor.language, tuple(room.names)))
    view, others = room.view(seat), [other for other in range(len(room.names)) if other != seat]
    there = touchable_codes(view, tell.say)
    deeds = {name: language.deeds[name] for name in sorted(language.deeds, key=_lateness(room))}
    return {
        "doors": {name: _doors(tell, verb, _kept_codes(view, verb, there)) for name, verb in deeds.items()},
        "facts": {name: _doors(tell, verb, _codes(verb)) for name, verb in language.facts.items()},
        "mine": _verbs(owed_kinds(room, language, [seat])),
        "others": _verbs(owed_kinds(room, language, others)),
        "deciding": [other for other in others if other in view.to_act],
        "hearers": [{"seat": other, "name": room.names[other]} for other in others],
        "whispers": state.settings.talk == "free",
        "leads": {act: say(ACT_WORDS[act][1]) for act in acts_of(language)},
        "questions": {key: say(text) for key, text in QUESTIONS.items()},
        "when": {key: say(text) for key, text in WHEN_WORDS.items()},
        "words": {key: say(text) for key, text in BAR_WORDS.items()},
    }


def _lateness(room: Room) -> Callable[[str], int]:
    """Return a key that sorts verbs by when they can happen again: those still to come, then the latest done first."""
    match = room.state.match
    assert match is not None
    done = {match.game.actions.verb(number).name: -place for place, (_, number) in enumerate(match.history)}
    return lambda verb: done.get(verb, -len(match.history))


def _verbs(kinds: Iterable[Kind]) -> list[str]:
    return [topic.verb for kind in kinds for topic in kind.topics]


def _codes(verb: Verb) -> list[str]:
    return [" ".join(words) for words in product([verb.name], *verb.arguments.values())]


def _kept_codes(view: View, verb: Verb, there: frozenset[str]) -> list[str]:
    """Return the codes of a verb that are legal or have a part on the table; all codes if there are none."""
    known = there | {view.game.actions.code(number) for number in view.legal}
    codes = [code for code in view.game.actions.codes if code.split(" ", 1)[0] == verb.name]
    return [code for code in codes if code in known] or codes


def _doors(tell: Teller, verb: Verb, codes: Iterable[str]) -> Doors:
    begin = tell.open_verb(verb.name)
    values = [_values(tell, argument, names) for argument, names in verb.arguments.items()]
    return [
        (code, "|".join([begin, *(value[part] for value, part in zip(values, code.split(" ")[1:], strict=True))]))
        for code in codes
    ]


def _values(tell: Teller, argument: str, names: Iterable[str]) -> dict[str, str]:
    named: Callable[[int, Say], object] | None = tell.language.talk.vocabulary.arguments.get(argument)
    words = {name: name if named is None else str(named(place, tell.say)) for place, name in enumerate(names)}
    return {name: capitalized(word) for name, word in words.items()}


def draft(room: Room, visitor: Visitor, command: Speak) -> dict[str, str]:
    """Return a draft as direct speech, its token, what it covers, and why it is refused; may raise `BadStatement`."""
    require_match(room.state)
    seat, talk = require_seat(room.state, visitor.person), room.state.conversation()
    statement = read_statement(seat, command.texts, talk.language)
    tell, refused = Teller(talk.language, game_say(room.state.game, visitor.language, tuple(room.names))), ""
    try:
        talk.require(statement, room.view(None))
    except BadStatement as refusal:
        refused = refusal_sentence(refusal, visitor.say)
    told = {"sentence": tell.speech(statement, talk), "tag": tag_of(statement, talk.language), "refused": refused}
    return {**told, "scope": visitor.say(scope_of(statement, talk.language))}


def scope_of(statement: Statement, language: Language) -> str:
    """Return the message that says what a promise of the speaker covers; empty for other statements."""
    if statement.deed is None or statement.act not in DUE_ACTS:
        return ""
    kind = language.kind(statement.deed.pattern.verb)
    return SCOPES["choice" if kind.followed_by else "turn" if kind.whole_turn else "action"]


class Counter(NamedTuple):
    """The start of a counter-offer: the code of the deed asked for, whether it is negated, and when it is due."""

    code: str
    negated: bool
    when: str


def asked_markup(room: Room, chairs: list[PlayerPanel], say: Say, log_say: Say, seat: int | None) -> Markup:
    """Return the card with the first request to a seat, and the deed about which it can ask everyone."""
    talk, ballot = room.state.talk, open_ballot(room, seat)
    language = spoken_language(room, seat)
    said = next(questions_to(room, talk, seat), None) if talk and language and seat is not None else None
    if said is None or talk is None or language is None:
        return render_cached("asked.html", say.language, ballot=ballot, said=None)
    return render_fragment(
        "asked.html",
        say=say,
        ballot=ballot,
        said=said,
        code=room.id,
        chair=chairs[said.statement.speaker],
        sentence=with_seals(Teller(language, log_say).statement(said, talk)),
        voice=line(voices(room.state).get(said.number, Voiced()).said, say, said.statement.about),
        agrees=said.statement.act is not Act.ASK,
        counter=counter_to(said.statement, language),
    )


def questions_to(room: Room, talk: Conversation, seat: int) -> Iterator[Said]:
    """Yield the requests that a seat can answer now, without those it has already decided."""
    for said in talk.said:
        act, status = said.statement.act, said.status
        if act not in (Act.REQUEST, Act.OFFER, Act.ASK) or status not in (Status.OPEN, Status.ACCEPTED):
            continue
        trial = said.others.get(seat)
        if act is Act.ASK and (trial is None or trial.is_over or trial.has_acted):
            continue
        answer = Act.DECLINE if act is Act.ASK else Act.ACCEPT
        try:
            talk.require(Statement(seat, answer, answers=said.number), room.view(None))
        except BadStatement:
            continue
        yield said


def counter_to(asked: Statement, language: Language) -> Counter | None:
    """Return the start of a counter-offer, without a code if a part of it is open; None for a question."""
    deed: Deed | None = asked.condition or asked.deed
    if asked.act is Act.ASK or deed is None:
        return None
    names = language.deeds[deed.pattern.verb].arguments.values()
    if any(slot.place is None for slot in deed.pattern.slots):
        return Counter("", deed.pattern.negated, When.NOW)
    words = [name[slot.place] for slot, name in zip(deed.pattern.slots, names, strict=True) if slot.place is not None]
    excluded = any(slot.excluded for slot in deed.pattern.slots)
    return Counter(" ".join([deed.pattern.verb, *words]), deed.pattern.negated != excluded, str(deed.when))


def window_values(room: Room, seat: int | None, say: Say) -> dict[str, Hashable]:
    """Return the notice's values about an open talk window: its end in milliseconds since 1970, 0 if none is open."""
    state, window = room.state, room.state.window
    if window is None or state.phase != "playing":
        return {"window": 0, "chosen": "", "enough": False, "decides": False}
    code = window.chosen.get(seat, "") if seat is not None else ""
    return {
        "window": round((room.talk_until or 0.0) * 1000),
        "chosen": words_of(state.game).action(room.view(seat), state.game.actions.number(code), say) if code else "",
        "enough": seat in window.enough,
        "decides": seat in state.open_decisions,
    }
