"""Live rooms: people, bots, presence, talk and clocks around a match. HTTP and HTML are handled elsewhere.

hub = await Hub.open(open_store("tavola.sqlite"), HubSettings(level="greedy"))
room = await hub.create(Person("a", "Ada"), game, {"players": 4}, Settings())
"""

from tavola.live.hub import Hub
from tavola.live.log.people import ChatLine, Person
from tavola.live.log.room_settings import Settings
from tavola.live.readiness import Readiness
from tavola.live.room import Room
from tavola.live.settings import HubSettings

__all__ = ["ChatLine", "Hub", "HubSettings", "Person", "Readiness", "Room", "Settings"]
