"""A person taken out of a room's log: name, talk and whatever leads to him go; what was played stays, as nobody's."""

import secrets
from collections.abc import Collection
from dataclasses import replace
from typing import Any

from tavola.live.log.people import NOBODY
from tavola.store import Event


def erase_people(events: list[Event], persons: Collection[str]) -> list[Event]:
    """Return a log without these persons, with an event at its end for each of them whom it named."""
    for person in sorted(persons):
        if any(_names(event, person) for event in events):
            events = _erase(events, person, f"nobody-{secrets.token_hex(8)}")
    return events


def _names(event: Event, person: str) -> bool:
    body = event.body
    return person in (body.get("id"), (body.get("host") or {}).get("id"))


def _erase(events: list[Event], person: str, pseudonym: str) -> list[Event]:
    """Return the log with a pseudonym of this room alone in the place of a person, and the word of it at its end."""
    trace = _Trace(person)
    kept = [_without_command(trace.erase(event, pseudonym), person, pseudonym) for event in events]
    body = {"id": pseudonym, "seat": trace.seat, "speaker": trace.speaker, "was_host": trace.is_host}
    # The time of the last event: a room is as old as what was done in it.
    return [*kept, Event(len(kept) + 1, "erased", body, None, kept[-1].at)]


def _without_command(event: Event, person: str, pseudonym: str) -> Event:
    key = event.command_id
    if key is None or not key.startswith(f"{person}/"):
        return event
    return replace(event, command_id=pseudonym + key.removeprefix(person))


class _Trace:
    """The places of one person, as his log goes on: his seat, his number among the speakers, whether he is the host."""

    def __init__(self, person: str) -> None:
        self._person = person
        self._speakers: list[str] = []
        self._begun = False
        self.seat: int | None = None
        self.is_host = False

    @property
    def speaker(self) -> int | None:
        """His number among those who have spoken, from 1; None where he has not."""
        return self._speakers.index(self._person) + 1 if self._person in self._speakers else None

    def erase(self, event: Event, pseudonym: str) -> Event:
        """Take the next event of the log; return it without him."""
        body = dict(event.body)
        self._follow(event.kind, body)
        if event.kind == "created" and body["host"]["id"] == self._person:
            body = {key: value for key, value in body.items() if key != "maker"}
            body["host"] = {"id": pseudonym, "name": NOBODY}
        elif event.kind == "reported" and body["speaker"] == self.speaker:
            body["lines"] = []
        elif event.kind == "noted" and body["seat"] == self.seat:
            body["mark"] = ""
        elif event.kind == "ahead" and body["seat"] == self.seat:
            body |= {"codes": [], "unless": []}
        if body.get("id") == self._person:
            body = _anonymous(event.kind, body, pseudonym)
        return event if body == event.body else replace(event, body=body)

    def _follow(self, kind: str, body: dict[str, Any]) -> None:
        if kind == "created":
            self.is_host = body["host"]["id"] == self._person
        elif kind == "joined":
            self._seat(body["seat"], body["id"])
        elif kind == "host":
            self.is_host = body["seat"] == self.seat
        elif kind == "started":
            self._begun = True
        elif kind in ("said", "gestured") and body["id"] not in self._speakers:
            self._speakers.append(body["id"])
        elif kind in ("removed", "bot") or (kind == "left" and not self._begun):
            self.seat = None if body["seat"] == self.seat else self.seat

    def _seat(self, seat: int, person: str) -> None:
        if person == self._person:
            self.seat = seat
        elif seat == self.seat:
            self.seat = None


def _anonymous(kind: str, body: dict[str, Any], pseudonym: str) -> dict[str, Any]:
    """Return the body of an event of his without what he called himself, said, and where he came from."""
    gone = {
        "joined": {"name": NOBODY},
        "said": {"name": NOBODY, "text": ""},
        "gestured": {"name": NOBODY, "gesture": ""},
    }.get(kind, {})
    return {key: value for key, value in body.items() if key != "origin"} | {"id": pseudonym} | gone
