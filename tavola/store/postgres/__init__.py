"""Rooms in PostgreSQL, shared by several workers. Imported only when used, because its driver is an extra."""
