"""Who one is: guests who keep themselves, the ways in which they are known again, and what is sent to them."""

from tavola.club.club import Club, Overview
from tavola.club.directory import Holder
from tavola.club.refusals import BadAddress, BadPasskey, ClubRefusal, LastWay, NameTaken, NotKept, UsedTicket

__all__ = [
    "BadAddress",
    "BadPasskey",
    "Club",
    "ClubRefusal",
    "Holder",
    "LastWay",
    "NameTaken",
    "NotKept",
    "Overview",
    "UsedTicket",
]
