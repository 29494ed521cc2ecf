"""Former names work for a while, and warn with the new one."""

import pytest

import tavola
from tavola.core.match import Match


def test_former_names_warn_with_the_new_one_and_give_the_same():
    match, batch = Match(tavola.load("lifeboats"), players=3, seed=1), tavola.Batch("lifeboats", n=2, seed=1)
    with pytest.warns(DeprecationWarning, match="Match.legal is deprecated: use legal_codes"):
        assert match.legal(match.to_act[0]) == match.legal_codes(match.to_act[0])
    with pytest.warns(DeprecationWarning, match="Match.standing is deprecated: use score"):
        assert match.standing() == match.score()
    with pytest.warns(DeprecationWarning, match="Match.odds is deprecated: use chance_weights"):
        assert match.odds() == match.chance_weights()
    with pytest.warns(DeprecationWarning, match="Batch.to_act is deprecated: use seat_to_act"):
        assert batch.to_act is batch.seat_to_act
    with pytest.warns(DeprecationWarning, match=r"tavola\.names is deprecated: use tavola\.game_names"):
        former = tavola.names
    assert former is tavola.game_names
