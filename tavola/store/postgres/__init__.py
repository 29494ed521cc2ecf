"""Rooms in PostgreSQL, shared by several workers. Imported only where one is used: its driver is an extra."""
