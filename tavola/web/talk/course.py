"""What was said in the course of a match, between what was done: lines of the log and of the replay."""

from collections.abc import Iterator

from tavola.show.speech import Say
from tavola.show.svg import tag
from tavola.talk import Conversation, Said, Status, Teller
from tavola.web.table.player_panels import with_seals

SIGNS = {Status.KEPT: "✓", Status.BROKEN: "✕"}


def said_at(talk: Conversation | None, moment: int, tell: Teller, seat: int | None) -> list[str]:
    """Return what was said at a moment, as a seat, or a spectator, heard it: here of whispers two alone are told."""
    if talk is None:
        return []
    heard = (said for said in talk.said if said.moment == moment and said.is_heard_by(seat))
    return [tell.statement(said, talk, seat) for said in heard]


def said_entries(talk: Conversation | None, moment: int, log_say: Say) -> dict[str, str]:
    """Return the lines of the log for what everybody heard at a moment, by id."""
    lines = said_at(talk, moment, Teller(talk.language, log_say), None) if talk is not None else []
    names = [f"log-{moment}-said-{place}" for place in range(len(lines))]
    return {name: tag("li", with_seals(line), id=name, class_="said") for name, line in zip(names, lines, strict=True)}


def judged_lines(talk: Conversation | None, moment: int, log_say: Say) -> list[str]:
    """Return what everybody learns of words with the action that led to a moment."""
    return judged_at(talk, moment, Teller(talk.language, log_say), None) if talk is not None else []


def judged_at(talk: Conversation | None, moment: int, tell: Teller, seat: int | None) -> list[str]:
    """Return which words were kept or broken by the action that led to a moment, as far as a seat knows of them."""
    if talk is None:
        return []
    return [f"{SIGNS[said.status]} {tell.verdict(said, talk)}" for said in _judged(talk, moment, seat) if said.status]


def _judged(talk: Conversation, moment: int, seat: int | None) -> Iterator[Said]:
    for said in talk.said:
        if said.judged_at == moment and said.status in SIGNS and said.is_heard_by(seat):
            yield said
