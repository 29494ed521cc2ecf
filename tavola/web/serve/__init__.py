"""Serving: the server process, its supervisor, sockets, which worker has a room, health and logs."""
