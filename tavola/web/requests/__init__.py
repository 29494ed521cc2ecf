"""Limits of connections and requests, checks of hosts and origins, and visitors."""
