"""Bots from outside: classes and programs that are not ours, and the search that asks them what positions are worth."""
