"""Lines of the log: statements, verdicts on promises, undo; and what others have done since a seat's last action."""

from collections.abc import Mapping, Sequence
from functools import partial

from markupsafe import Markup, escape

from tavola.core import Moment, View
from tavola.live import Room
from tavola.live.log.state import State
from tavola.show.cards import Witnessed, words_of
from tavola.show.speech import Say
from tavola.show.svg import tag
from tavola.talk import Conversation, Status, Teller
from tavola.web.site_words import race_sentences
from tavola.web.table.player_panels import with_seals


def newest_first(log: Mapping[str, str]) -> dict[str, str]:
    """Return the log with the newest line first, and each chapter under its heading."""
    chapters: list[list[str]] = []
    for name in log:
        if name.startswith("chapter-") or not chapters:
            chapters.append([name] if name.startswith("chapter-") else ["", name])
        else:
            chapters[-1].append(name)
    order = [name for heading, *lines in reversed(chapters) for name in ([heading] if heading else []) + lines[::-1]]
    return {name: log[name] for name in order}


def inner_markup(line: str) -> str:
    """Return a line of the log without its element."""
    return Markup(line[line.index(">") + 1 : -len("</li>")]) if line else Markup()


def sentence_before(lines: Sequence[Mapping[str, str]], say: Say, *, reveals: bool) -> str:
    """Return what happens before the log says it, without revealing cards that are still face down."""
    if reveals or not lines:
        return escape(say("Everyone has chosen. Revealing the cards…")) if reveals else ""
    *_, told = lines[0].values()
    return inner_markup(told)


SIGNS = {Status.KEPT: "✓", Status.BROKEN: "✕"}


def said_at(talk: Conversation | None, moment: Moment, say: Say, seat: int | None) -> list[str]:
    """Return the statements at a moment that a seat or a spectator heard; only two seats hear a whisper."""
    if talk is None:
        return []
    tell, heard = Teller(talk.language, say), (said for said in talk.said if said.is_heard_by(seat))
    return [tell.statement(said, talk) for said in heard if said.moment == moment]


def said_entries(state: State, at: int, log_say: Say) -> dict[str, str]:
    """Return the log lines for public statements made after `at` noticeable actions, by id."""
    talk = state.talk
    if talk is None:
        return {}
    heard = [said for said in talk.said if said.is_heard_by(None) and state.number_of(said.moment) == at]
    lines = map(partial(Teller(talk.language, log_say).statement, talk=talk), heard)
    entries = [(f"log-{at}-said-{place}", line) for place, line in enumerate(lines)]
    return {name: tag("li", with_seals(line), id=name, class_="said") for name, line in entries}


def whispered_entries(
    room: Room, moment: int, first: int, events: Sequence[str], log_say: Say
) -> dict[int, dict[str, str]]:
    """Return the lines that seats read differently who know more of an action, by seat and id.

    `events`: the lines of all, which begin at `first` among those of the moment.
    """
    words, played = words_of(room.state.game), room.state.heard_action(moment + 1, None)
    entries = dict[int, dict[str, str]]()
    for seat in range(len(room.names)) if played is not None and played.verb in words.whispered else ():
        heard = room.state.heard_action(moment + 1, seat)
        told = words.events(room.view(seat, moment), room.view(seat, moment + 1), heard, log_say)
        for line, (sentence, public) in enumerate(zip(told, events, strict=True), first):
            if sentence != public:
                name = f"log-{moment}-{line}"
                entries.setdefault(seat, {})[name] = tag("li", with_seals(sentence), id=name)
    return entries


def race_lines(state: State, moment: int, say: Say, log_say: Say) -> list[str]:
    """Return the times of a race that ended then; in correspondence, that a random draw has decided it."""
    if state.is_decided_by_lot(moment + 1):
        return [say("Speed doesn’t count in correspondence games: a random draw decides.")]
    seconds = [(log_say.name(seat), taken) for seat, taken in state.race_seconds(moment + 1)]
    return race_sentences([log_say.name(seat) for seat in state.early_seats(moment + 1)], seconds, say)


def undone_entries(state: State, at: int, say: Say, log_say: Say) -> dict[str, str]:
    """Return the log lines for decisions taken back to `at` noticeable actions, by id."""
    undone, lines = state.undone, dict[str, str]()
    for number, (seat, place) in enumerate(undone):
        counts = all(later.place >= place for later in undone[number + 1 :])
        if counts and state.number_of(Moment(place)) == at:
            name = f"log-{at}-undone-{number}"
            told = say("{name} {name:takes|take} back a decision.", name=log_say.name(seat))
            lines[name] = tag("li", with_seals(told), id=name, class_="undone")
    return lines


def judged_at(talk: Conversation | None, moment: Moment, say: Say, seat: int | None) -> list[str]:
    """Return the verdicts on promises at a moment, for the promises that a seat has heard."""
    if talk is None:
        return []
    tell, heard = Teller(talk.language, say), (said for said in talk.said if said.is_heard_by(seat))
    judged = (said for said in heard if said.judged_at == moment)
    return [f"{SIGNS[said.status]} {tell.verdict(said, talk)}" for said in judged if said.status in SIGNS]


class Recent:
    """Keeps, for each seat that has asked, the actions of others since its own last one, and what it saw after them.

    An undo invalidates it.
    """

    def __init__(self, room: Room) -> None:
        self.room = room
        self._known: dict[int, tuple[int, tuple[Witnessed, ...], View | None]] = {}  # by seat, after how many actions

    def since_own_action(self, seat: int) -> tuple[Witnessed, ...]:
        """Return the actions of others and of chance since the seat's last action, the oldest first."""
        state = self.room.state
        until, told, seen = self._known.get(seat, (0, (), None))
        own = [moment for moment in range(until + 1, state.moments + 1) if state.actor(moment) == seat]
        if own:
            until, told, seen = own[-1], (), None
        for moment in range(until + 1, state.moments + 1):
            before = state.view(seat, moment - 1) if seen is None else seen  # a view of the past replays the match
            seen = state.view(seat, moment)
            told = (*told, Witnessed(before, seen, state.heard_action(moment, seat)))
        # Later steps of the seat's own plan, and sealed answers, belong to no action that others could notice.
        is_exact = state.moment == state.moment_at(state.moments) and not state.owed_seals
        self._known[seat] = state.moments, told, state.view(seat) if is_exact else None
        return told
