"""A record with a set of more than 63 members, and what rules do with it."""

from tavola.core import Record, add_member, compiled, has_member, members, remove_member

ISLES = 79


class Isles(Record):
    seen: int = members(*map(str, range(ISLES)))


@compiled
def moved(states, place, other):
    """Add one member and remove another; return the number of members."""
    seen = states[0].seen
    add_member(seen, place)
    remove_member(seen, other)
    count = 0
    for name in range(ISLES):
        count += has_member(seen, name)
    return count
