"""Time in a room: clocks of decisions, races, suspense before chance outcomes, reflexes of bots."""
