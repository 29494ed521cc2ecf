"""What Lifeboats says that a choice does, held to what it does: choices are played and taken back."""

import random
from collections import Counter

from tavola.games.lifeboats import GAME
from tavola.games.lifeboats.components import At, Phase
from tavola.games.lifeboats.fixtures import vote
from tavola.show import testing
from tavola.show.testing import random_match

SAY = testing.english_say(GAME)


def told(match, seat, code):
    """What the last word of an action does, as its seat is told."""
    return GAME.words.consequence(match.view(seat), GAME.actions.number(code), len(code.split()) - 1, SAY)


def sunk(view):
    return sum(boat.at == At.SUNK for boat in view.table.boats)


def drowned(view, seat):
    return sum(view.table.lost[seat])


def check_choice(match, seat, code):
    """R17, R21 to R24: the deed of one who chooses alone is what was told; return what kind it was."""
    before, does = match.view(), told(match, seat, code)
    match.play(code)
    after = match.view()
    match.undo()
    phase, place = before.table.phase, GAME.actions.action(GAME.actions.number(code)).indices[0]
    if phase == Phase.LEAK_CHOICE:
        assert (does.tone == "grave") == (sunk(after) > sunk(before) or _would_sink(before, place)), does
    elif phase == Phase.OVERBOARD_CHOICE:
        assert (does.tone == "grave") == (drowned(after, seat) > drowned(before, seat) and place == seat), does
        assert ("she sinks" in does.sentence) == (sunk(after) > sunk(before))
    elif phase == Phase.MOVE_CHOICE:
        gained = after.standing.points[seat] - before.standing.points[seat]
        assert does.brief == f"ashore: +{gained} for you" if gained else "+" not in does.brief
    return Phase(phase).name, does.tone


def _would_sink(view, place):
    """R17: a full boat loses a man before she sinks."""
    boat = view.table.boats[place]
    men = sum(map(sum, boat.crew))
    return men + boat.leaks == view.table.seats and boat.leaks + 1 > men - 1


def test_what_a_choice_does_is_what_was_told():
    seen = Counter[tuple[str, str]]()
    for seed in range(12):
        draw, players = random.Random(seed), 3 + seed % 3
        for match in random_match(GAME, seed, players=players):
            if match.view().table.phase in (Phase.LEAK_CHOICE, Phase.OVERBOARD_CHOICE, Phase.MOVE_CHOICE):
                (seat,) = match.to_act
                seen[check_choice(match, seat, draw.choice(match.legal_codes(seat)))] += 1
    kinds = {("LEAK_CHOICE", "plain"), ("LEAK_CHOICE", "grave"), ("MOVE_CHOICE", "good"), ("OVERBOARD_CHOICE", "grave")}
    assert kinds <= set(seen), seen


def test_a_vote_tells_the_same_whatever_others_have_played():
    """A ballot is secret: of nobody's card does anybody hear."""
    heard = []
    for card in ("vote red", "vote captain"):
        match = next(m for m in random_match(GAME, 3, players=3) if m.view().table.phase == Phase.LEAK_BALLOT)
        match.play(card, 0)
        heard.append([told(match, 1, code) for code in match.legal_codes(1)])
    assert heard[0] == heard[1]
    assert all(heard[0])


def test_the_sentences():
    match = next(m for m in random_match(GAME, 3, players=3) if m.view().table.phase == Phase.LEAK_BALLOT)
    captain = told(match, 0, "vote captain")
    assert (captain.brief, captain.tone) == ("spent; 2 left", "plain")
    assert told(match, 0, "vote red") != told(match, 1, "vote red")  # the points at stake are one's own
    assert GAME.words.consequence(match.view(0), GAME.actions.number("vote red"), 0, SAY) is None
    assert GAME.words.consequence(match.view(), GAME.actions.number("vote red"), 1, SAY) is None
    vote(match, "captain captain captain")
    assert told(match, match.to_act[0], match.legal_codes(match.to_act[0])[0])


def test_a_lane_is_asked_for_a_boat():
    match = GAME.match(players=3)
    match.play("start 1", 31)
    assert GAME.words.ask(match.view(1), "lane", "lane", (), SAY) == "Which lane for your boat, the green boat?"
    for lane in ("lane 1", "lane 2", "lane 3"):
        match.play(lane)
    assert GAME.words.ask(match.view(1), "lane", "lane", (), SAY) == "Which lane for the black boat, nobody’s?"
