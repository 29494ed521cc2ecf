"""What a page shows of a room: screens made of fragments, scenes between them, choices."""
