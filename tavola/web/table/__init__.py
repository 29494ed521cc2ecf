"""A room as a page shows it: screens made of fragments, scenes between them, choices."""
