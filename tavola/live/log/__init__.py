"""The log of a room: its events, the state folded from them, and what they say of people, seats and settings."""
