"""Places by points: one ranking for every game's `score`."""

from tavola.core.compilation import compiled


@compiled
def rank_seats(points, place, players, ties=1):
    """Write the places of `players` seats by their points: most first, equal ones share a place (1, 1, 3).

    Where something breaks ties, `points` hold `points * ties + tie` with 0 <= tie < ties, the greater tie before the
    smaller; the points alone are left in them.
    """
    for seat in range(players):
        place[seat] = 1
        for other in range(players):
            place[seat] += int(points[other] > points[seat])
    if ties > 1:
        for seat in range(players):
            points[seat] //= ties
