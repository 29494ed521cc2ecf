"""What is told and shown of a duel after which nobody can pay for a card: what follows begins with the same action."""

import pytest

from tavola.core import View
from tavola.games.tournament import GAME
from tavola.games.tournament.by_hand import all_done, fight, table
from tavola.show.board import scene
from tavola.show.testing import english

ONE, TWO, THREE = ("s1 h1 l1 a1", "s2 h2 l2 a2", "s3 h3 l3 a3")


@pytest.fixture(params=["another duel", "another round"])
def turned(request):
    """Views before and after the last card was laid, by the letter of the text: nobody is paid for a duel."""
    hands, purse = (
        ([TWO, ONE, THREE, ""], (1, 1, 19, 19)) if request.param == "another duel" else ([TWO, ONE, ""], (1, 1, 28))
    )
    match = fight(all_done(table(hands, purse=purse, options={"prize": 0})), TWO, ONE)
    assert match.document()["phase"] == ("ballot" if request.param == "another duel" else "trade")
    return View(GAME, match.states_at(len(match.history) - 1), None), match.view()


def test_the_cards_that_turned_are_told(turned):
    before, after = turned
    told = GAME.words.events(before, after, None, english(GAME))
    assert told[0] == "Ada: sword 2 beats sword 1 of Bruno."
    assert "Ada wins the duel and 0 sous." in told
    assert "Ada takes sword 1, shield 1, lance 1 and armour 1." in told


def test_the_cards_that_turned_are_shown(turned):
    """R19: all eight open, for as long as after any duel."""
    before, after = turned
    frames = scene(before, after, None, english(GAME))
    opened = [frame for frame in frames if frame.least >= 1500]
    drawn = [str(frame.draw()["main"].get("card-near-0", "")) for frame in opened]
    assert drawn
    assert all("sword" in card for card in drawn)
    assert "prize" in frames[-1].draw()["main"]


def test_who_cannot_fight_is_out_before_his_opponent_is_paid():
    """R15, R17: told and shown in this order, on lists where the next two do not ride yet."""
    match = table([ONE, "s2 h2", THREE, ""])
    before = match.view()
    all_done(match)
    told = GAME.words.events(before, match.view(), None, english(GAME))
    assert [line.partition(":")[0] for line in told] == [
        "Bruno has no full set, and is out of the lists for the rest of the match.",
        "Ada wins without a fight, and 5 sous.",
        "Carla against Dario.",
    ]
    out, paid = scene(before, match.view(), None, english(GAME))
    assert ("out" in out.draw()["main"], "prize" in paid.draw()["main"]) == (True, True)
    assert not {"rider-near", "rider-far"} & {*out.draw()["main"], *paid.draw()["main"]}
    assert (out.told, paid.told) == (1, 2)
