"""What a seat is asked besides the game: a request or an offer with its answers, and a ballot whose talk is open."""

from collections.abc import Hashable, Iterator
from typing import NamedTuple

from markupsafe import Markup

from tavola.live import Room
from tavola.live.bots.voices import Voiced, line, voices
from tavola.show.cards import words_of
from tavola.show.speech import Say
from tavola.talk import Act, BadStatement, Conversation, Deed, Language, Said, Statement, Status, Teller, When
from tavola.web.render import render_cached, render_fragment
from tavola.web.table.player_panels import PlayerPanel, with_seals
from tavola.web.talk.composing import open_ballot, spoken_language


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
    state = room.state
    window = state.window
    if window is None or state.phase != "playing":
        return {"window": 0, "chosen": "", "enough": False, "decides": False}
    code = window.chosen.get(seat, "") if seat is not None else ""
    return {
        "window": round((room.talk_until or 0.0) * 1000),
        "chosen": words_of(state.game).action(room.view(seat), state.game.actions.number(code), say) if code else "",
        "enough": seat in window.enough,
        "decides": seat in state.open_decisions,
    }
