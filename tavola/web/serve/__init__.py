"""The server process, its supervisor, sockets, affinity of rooms to workers, health and logs."""
