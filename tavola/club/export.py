"""A JSON export of everything known of one person, without data of others."""

from collections.abc import Collection, Sequence
from typing import Any

from tavola.live.log.erasure import SeatTrace
from tavola.store import Event

OWN_BY_SEAT = {
    "played": ("code",),
    "sealed": ("code",),
    "chosen": ("code",),
    "enough": (),
    "ahead": ("place", "codes", "unless", "when"),
    "noted": ("about", "mark"),
    "spoke": (),
    "ready": (),
    "taken": ("show",),
    "returned": (),
}
"""Events of the seat that they name, with the fields that are exported; of statements, all but the seat."""
OWN_BY_PERSON = {
    "said": ("text",),
    "gestured": ("gesture",),
    "muted": ("speaker",),
    "reported": ("speaker",),
    "named": ("name",),
}
"""Events of the person that they name, with the fields that are exported."""


def room_export(code: str, events: Sequence[Event], persons: Collection[str]) -> dict[str, Any]:
    """Return what a person did in a room under any of their `persons`."""
    first, story = events[0], _Story(persons)
    for event in events:
        story.take(event)
    return {
        "room": code,
        "game": first.body["game"],
        "options": first.body["options"],
        "opened": first.body["host"]["id"] in persons,
        "seat": story.last_seat,
        "did": story.did,
        "result": story.result,
    }


class _Story(SeatTrace):
    def __init__(self, persons: Collection[str]) -> None:
        super().__init__(persons)
        self.last_seat: int | None = None
        self.did: list[dict[str, Any]] = []
        self.result: dict[str, Any] | None = None

    def take(self, event: Event) -> None:
        body, kind = event.body, event.kind
        self.follow(kind, body)
        if kind == "joined" and body["id"] in self._persons:
            self.last_seat = body["seat"]
            self._tell(event, {"seat": body["seat"], "name": body["name"]})
        elif kind in OWN_BY_PERSON and body["id"] in self._persons:
            self._tell(event, {key: body[key] for key in OWN_BY_PERSON[kind]})
        elif kind == "spoke" and body["seat"] == self.seat:
            self._tell(event, {key: value for key, value in body.items() if key != "seat"})
        elif kind in OWN_BY_SEAT and body.get("seat") == self.seat and self.seat is not None:
            self._tell(event, {key: body[key] for key in OWN_BY_SEAT[kind] if key in body})
        elif kind == "over" and self.seat is not None:
            self.result = {"points": body["points"][self.seat], "place": body["places"][self.seat]}

    def _tell(self, event: Event, told: dict[str, Any]) -> None:
        self.did.append({"at": event.at, "kind": event.kind, **told})
