"""The log of a room: its events, the state that is their fold, and what decides on new ones."""
