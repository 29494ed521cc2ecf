"""Rooms of several workers: messages between peers, leases on rooms, the lobby of public rooms."""
