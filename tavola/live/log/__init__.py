"""The log of a room: its events, the state folded from them, and the decisions on commands."""
