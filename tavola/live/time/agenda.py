"""The agenda of a worker: when it looks at which room again, by the site's clock; in memory or not."""


class Agenda:
    """Rooms by correspondence that are looked after here, each with the time at which somebody's time ends."""

    def __init__(self) -> None:
        self._times: dict[str, float] = {}

    def note(self, room: str, at: float) -> None:
        """Look at that room then, in seconds since 1970."""
        self._times[room] = at

    def drop(self, room: str) -> None:
        """Look at that room no more."""
        self._times.pop(room, None)

    def due(self, now: float) -> list[str]:
        """Return the rooms to be looked at now, those first whose time ended first."""
        return sorted((room for room, at in self._times.items() if at <= now), key=self._times.__getitem__)
