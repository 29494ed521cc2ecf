"""Rooms of several workers: peers that tell each other, leases on rooms, the lobby of public rooms."""
