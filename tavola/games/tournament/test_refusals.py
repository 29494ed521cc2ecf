"""Each refusal cites the paragraph that says so."""

from tavola.games.tournament.fixtures import finish_trade, match_at, offer, play, throw
from tavola.show.testing import refusal_text

ONE, TWO = ("s1 h1 l1 a1", "s2 h2 l2 a2")


def test_who_decides_is_told_by_the_paragraph_of_the_phase() -> None:
    """R16, R18, R24, R30: who is asked in each phase of a duel; who has chosen waits."""
    match = finish_trade(match_at(["s2 h2 l1 a1", "s1 h1 l2 a2", ""], rest=2))
    assert refusal_text(match, 2, "fight") == "It is not for you to decide: Ada and Bruno must (R16)."
    play(match, "fight", seat=0)
    assert refusal_text(match, 0, "forfeit") == "You have decided already: wait for the other (R16)."
    play(match, "fight", seat=1)
    assert refusal_text(match, 2, "equip sword 1") == "It is not for you to decide: Ada and Bruno must (R18)."
    play(match, "equip sword 2", seat=0)
    assert refusal_text(match, 0, "equip shield 2") == "You have laid your card: wait for the other (R18)."
    play(match, "equip sword 1", "equip shield 2", "equip shield 1", "equip lance 1", "equip lance 2")
    throw(play(match, "equip armour 1", "equip armour 2"), "crown chalice globe 1")
    assert refusal_text(match, 2, "point all") == "It is not for you to decide: Ada and Bruno must (R24)."
    play(match, "point all", seat=0)
    assert refusal_text(match, 0, "point globe") == "You have pointed already: wait for the other (R24)."
    play(match, "point crown", seat=1)
    assert match.document()["phase"] == "purchase"
    assert refusal_text(match, 2, "buy") == "It is not for you to decide: Ada must (R30)."
    assert refusal_text(match, 1, "pass") == "It is not for you to decide: Ada must (R30)."


def test_who_builds_publishes_first() -> None:
    """R8: while one builds, one neither accepts nor withdraws."""
    match = match_at([ONE, TWO, ""])
    offer(match, 1, 0, "give sword-2")
    offer(match, 0, 1, "give sword-1")
    play(match, "offer 2", seat=0)
    for code in ("accept 1 1", "withdraw 1"):
        said = "First publish the offer that you are building, or let it go (R8)."
        assert refusal_text(match, 0, code) == said


def test_offers_are_numbered_and_of_all_only_kinds_are_asked() -> None:
    """R9, R10."""
    match = match_at([ONE, TWO, ""])
    assert refusal_text(match, 0, "accept 1 1") == "There is no such offer (R10)."
    assert refusal_text(match, 0, "withdraw 1") == "No offer of yours with this number stands (R10)."
    play(match, "offer all", seat=0)
    assert refusal_text(match, 0, "ask sword-2") == "Of all one can only ask for kinds: a sword (R9)."


def test_no_more_jokers_than_there_are() -> None:
    """R3, R8: of those that one holds, and of those in the match."""
    match = match_at(["s1 j", "j", "", "", ""])
    play(match, "offer 1", "give joker", seat=0)
    assert refusal_text(match, 0, "give joker") == "You hold no more jokers (R8)."
    play(match, "ask joker", "ask joker", seat=0)
    assert refusal_text(match, 0, "ask joker") == "There are no more jokers in this match (R3)."
