"""Lines of the log: statements, verdicts on promises, undo; and what others have done since a seat's last action."""

from collections.abc import Mapping
from functools import partial

from markupsafe import Markup

from tavola.core import Moment
from tavola.live import Room
from tavola.live.log.state import State
from tavola.show.cards import Witnessed
from tavola.show.speech import Say
from tavola.show.svg import tag
from tavola.talk import Conversation, Status, Teller
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
    """Keeps, for each seat that has asked, the actions of others since its own last one."""

    def __init__(self, room: Room) -> None:
        self.room = room
        self._known: dict[int, tuple[int, tuple[Witnessed, ...]]] = {}  # actions of the match seen, and what is told

    def since_own_action(self, seat: int) -> tuple[Witnessed, ...]:
        """Return the actions of others and of chance since the seat's last action, the oldest first."""
        state = self.room.state
        until, known = self._known.get(seat, (0, ()))
        if until > state.moments:
            until, known = 0, ()  # actions were taken back
        own = [moment for moment in range(until + 1, state.moments + 1) if state.actor(moment) == seat]
        if own:
            until, known = own[-1], ()
        fresh = (
            Witnessed(state.view(seat, moment - 1), state.view(seat, moment), state.heard_action(moment, seat))
            for moment in range(until + 1, state.moments + 1)
        )
        self._known[seat] = state.moments, (*known, *fresh)
        return self._known[seat][1]
