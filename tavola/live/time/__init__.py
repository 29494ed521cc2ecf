"""Time in a room: clocks of decisions, races by latency, suspense before chance falls, reflexes of bots."""
