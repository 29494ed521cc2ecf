"""The pages: shelf, rooms, rules, replay."""
