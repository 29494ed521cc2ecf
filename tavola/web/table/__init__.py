"""Rooms on pages: screens made of fragments, scenes between them, and choices."""
