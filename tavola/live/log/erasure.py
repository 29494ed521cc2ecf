"""Erasure of a person from a room's log: name, talk and identifiers are removed, what they played stays anonymous."""

import secrets
from collections.abc import Collection
from dataclasses import replace
from typing import Any

from tavola.live.log.people import NOBODY
from tavola.store import Event


def erase_people(events: list[Event], persons: Collection[str]) -> list[Event]:
    """Return a log without these persons, with an event at its end for each of them that it named."""
    for person in sorted(persons):
        named = (each for event in events for each in (event.body.get("id"), (event.body.get("host") or {}).get("id")))
        if person in named:
            trace, pseudonym = _Trace(person), f"nobody-{secrets.token_hex(8)}"  # used in this room only
            kept = [trace.erase(event, pseudonym) for event in events]
            body = {"id": pseudonym, "seat": trace.seat, "speaker": trace.speaker, "was_host": trace.is_host}
            # The last event's time: erasing must not make a room look newer.
            events = [*kept, Event(len(kept) + 1, "erased", body, None, kept[-1].at)]
    return events


class SeatTrace:
    """The seat of a person under any of some ids, followed through a log."""

    def __init__(self, persons: Collection[str]) -> None:
        self._persons, self._begun = persons, False
        self.seat: int | None = None

    def follow(self, kind: str, body: dict[str, Any]) -> None:
        """Follow the next event of the log."""
        if kind == "joined":
            own = body["id"] in self._persons
            self.seat = body["seat"] if own else None if body["seat"] == self.seat else self.seat
        elif kind == "started":
            self._begun = True
        elif kind in ("removed", "bot") or (kind == "left" and not self._begun):
            self.seat = None if body["seat"] == self.seat else self.seat


class _Trace(SeatTrace):
    """A person's seat, speaker number and host role, followed through the log."""

    def __init__(self, person: str) -> None:
        super().__init__((person,))
        self._person = person
        self._speakers: list[str] = []
        self.is_host = False

    @property
    def speaker(self) -> int | None:
        """Their number among the speakers, from 1; None if they have not spoken."""
        return self._speakers.index(self._person) + 1 if self._person in self._speakers else None

    def erase(self, event: Event, pseudonym: str) -> Event:
        """Follow the next event of the log; return it without the person."""
        body = dict(event.body)
        self.follow(event.kind, body)
        if event.kind == "created" and body["host"]["id"] == self._person:
            body = {key: value for key, value in body.items() if key != "maker"}
            body["host"] = {"id": pseudonym, "name": NOBODY}
        elif event.kind == "reported" and body["speaker"] == self.speaker:
            body["lines"] = []
        elif event.kind == "noted" and body["seat"] == self.seat:
            body["mark"] = ""
        elif event.kind == "ahead" and body["seat"] == self.seat:
            body |= {name: [] for name in ("codes", "unless", "when") if name in body}
        if body.get("id") == self._person:
            body = _anonymous(event.kind, body, pseudonym)
        key = event.command_id
        if key is not None and key.startswith(f"{self._person}/"):
            key = pseudonym + key.removeprefix(self._person)
        return replace(event, body=body, command_id=key)

    def follow(self, kind: str, body: dict[str, Any]) -> None:
        """Follow the next event of the log."""
        super().follow(kind, body)
        if kind == "created":
            self.is_host = body["host"]["id"] == self._person
        elif kind == "host":
            self.is_host = body["seat"] == self.seat
        elif kind in ("said", "gestured") and body["id"] not in self._speakers:
            self._speakers.append(body["id"])


def _anonymous(kind: str, body: dict[str, Any], pseudonym: str) -> dict[str, Any]:
    gone = {
        "joined": {"name": NOBODY},
        "named": {"name": NOBODY},
        "said": {"name": NOBODY, "text": ""},
        "gestured": {"name": NOBODY, "gesture": ""},
    }.get(kind, {})
    return {key: value for key, value in body.items() if key != "origin"} | {"id": pseudonym} | gone
