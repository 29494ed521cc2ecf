"""Accounts, guests, the ways to sign in, and what is sent to players."""

from tavola.club.account_refusals import (
    BadAddress,
    BadPasskey,
    ClubRefusal,
    CopiedPasskey,
    LastWay,
    NameTaken,
    NotKept,
    ProveAgain,
    UsedTicket,
)
from tavola.club.club import Club, Device, Entry, Guest, Overview
from tavola.club.directory import Holder

__all__ = [
    "BadAddress",
    "BadPasskey",
    "Club",
    "ClubRefusal",
    "CopiedPasskey",
    "Device",
    "Entry",
    "Guest",
    "Holder",
    "LastWay",
    "NameTaken",
    "NotKept",
    "Overview",
    "ProveAgain",
    "UsedTicket",
]
