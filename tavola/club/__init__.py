"""Who one is: guests who keep themselves, the ways in which they are known again, and what is sent to them."""

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
