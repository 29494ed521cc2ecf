"""A record with a set of more than 63 members, and what rules do with it."""

from tavola.core import Record, compiled, holds, members, put_in, take_out

ISLES = 79


class Isles(Record):
    """A set of 79 members."""

    seen: int = members(*map(str, range(ISLES)))


@compiled
def moved(states, place, other):
    """Put one member in and take another out; how many there are then."""
    seen = states[0].seen
    put_in(seen, place)
    take_out(seen, other)
    count = 0
    for name in range(ISLES):
        count += holds(seen, name)
    return count
