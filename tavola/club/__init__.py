"""Accounts, guests, the ways to sign in, and what is sent to players."""

from tavola.club.account_refusals import NotKept, UsedTicket
from tavola.club.club import Club, Entry
from tavola.club.directory import Guest, Holder

__all__ = ["Club", "Entry", "Guest", "Holder", "NotKept", "UsedTicket"]
