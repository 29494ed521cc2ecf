"""Rooms in one SQLite file."""
