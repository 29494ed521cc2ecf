"""What is said and shown of Fairies: refusals with their reasons, the log, scenes, what a touch can mean."""

import re
from pathlib import Path

import pytest

from tavola.core import CHANCE
from tavola.games.fairies import GAME
from tavola.games.fairies.by_hand import dealt, play, table
from tavola.games.fairies.components import SHIELDS
from tavola.games.fairies.picture.places import SLOTS, TILE
from tavola.show.board import everything, scene
from tavola.show.speech import Say

THREE = "green:1/1 blue:1/1 red:1/1"
STRONG = "green:3/3 blue:3/3 red:2/2"
SAY = Say.of(GAME, "en", ("Ada", "Bruno", "Carla"))


def told(match, *codes):
    """The log of some actions."""
    lines = []
    for code in codes:
        before = match.view()
        match.play(code, match.to_act[0])
        lines += GAME.words.events(before, match.view(), match.heard(), SAY)
    return lines


def shown(match, code):
    """The scene of one action, and the names of the pieces in each of its frames."""
    before = match.view()
    match.play(code, match.to_act[0])
    frames = scene(before, match.view(), match.heard(), SAY)
    return frames, [set(frame.draw()["main"]) for frame in frames]


@pytest.mark.parametrize(
    ("hands", "gardens", "fields", "code", "why"),
    [
        (["gold-1", ""], [THREE, THREE], {}, "joker 2 0 red-star", "do not hold this card (R7)"),
        (["gold-1", ""], [THREE, THREE], {}, "green 1", "in phase 2, energy (R12)"),
        (["", "gold-1"], [THREE, THREE], {"phase": "energy", "energy": 1}, "green 1", "worth 2, the other 2"),
        (["", "gold-1"], [STRONG, "green:1/1~"], {"phase": "energy", "energy": 1}, "green 1", "must be active"),
        (["", ""], [STRONG, "green:1/1"], {"phase": "energy", "energy": 1}, "green 1", "no card to steal (R14)"),
        (["", "gold-1"], [STRONG, THREE], {"phase": "energy", "energy": 1}, "blue 1 red-star", "put down in exchange"),
        (["", ""], [STRONG, THREE], {"phase": "energy", "energy": 1, "covered": ["1"]}, "cover 1 red", "(R18)"),
        (["", ""], [STRONG, THREE], {"phase": "energy", "energy": 1, "guarded": ["1"]}, "cover 1 red", "(R27)"),
        (["", ""], [STRONG, "green:1/1"], {"phase": "energy", "energy": 1}, "cover 1 green", "All three fairies"),
        (["", ""], [STRONG, "red:1/1"], {"phase": "energy", "energy": 1}, "red four", "in front of another player"),
        (["", ""], ["green:1/1", ""], {"phase": "heal"}, "turn 1", "two active fairies (R28)"),
        (["", ""], [STRONG, ""], {"phase": "heal", "healed": "1"}, "turn 1", "lies in its place (R29)"),
        (["crown", ""], [STRONG, ""], {"phase": "heal", "healed": "12345"}, "crown", "not whole yet (R34)"),
        (["four", ""], ["green:1/1~", ""], {}, "use four", "needs an active fairy (R19)"),
        (["", ""], ["green:1/1", ""], {}, "use four", "do not own the shield of four"),
    ],
)
def test_a_refusal_gives_the_reason(hands, gardens, fields, code, why):
    match = table(hands, gardens, **fields)
    assert why in GAME.words.refusal(match.view(0), GAME.actions.number(code), SAY)


def test_the_log_tells_a_turn():
    match = table(["gold-3 four", "gold-1"], ["green:1/1 blue:1/-", "green:0/1"])
    assert told(match, "joker 3 0 blue-tail", "done") == [
        "Ada plays joker 3: the blue tail.",
        "The blue fairy of Ada wakes.",
        "Ada draws 1 card.",
    ]
    dealt(match)
    assert told(match, "green 1") == ["Ada uses the green fairy against Bruno: 2 to 1."]
    assert told(match, "steal gold-1") == ["Ada steals a wand card from Bruno.", "Bruno draws 1 card."]
    dealt(match)
    assert told(match, "turn 3") == ["Ada looks at the King's card 3."]
    assert told(match, "king piece-9") == [
        "Piece 9 of the picture is in its place: 1 of 9.",
        "Ada heals for 2 points.",
    ]


def test_powers_meet_before_what_they_do():
    match = table(["", "gold-1"], [STRONG, THREE], phase="energy", energy=1)
    frames, names = shown(match, "green 1")
    assert {"clash-0", "clash-1"} <= names[0]
    assert frames[0].told == 1
    frames, names = shown(match, "steal gold-1")
    assert all("stolen" in found for found in names)
    assert sum(frame.lasts("brisk") for frame in frames) >= 1_300


def test_a_king_card_is_lifted_and_then_lies_in_its_place():
    match = table(["", ""], [STRONG, ""], phase="heal")
    match.play("turn 2", 0)
    frames, _ = shown(match, "king piece-2")
    first, second = (str(frame.draw()["main"]["pane-1"]) for frame in frames)
    assert "back-king" in first
    assert "king-12" in second
    hidden = table(["", ""], [STRONG, ""], phase="heal")
    hidden.play("turn 2", 0)
    assert len(shown(hidden, "king four")[0]) == 1  # what it is stays with who looks


def test_what_one_knows_is_shown_to_oneself_alone():
    match = table(["", ""], [STRONG, STRONG], phase="heal")
    play(match, "turn 5", "king peek", "leave")
    assert "known-4" in everything(match.view(0), SAY)["main"]
    assert "known-4" not in everything(match.view(1), SAY)["main"]


def test_every_legal_action_can_be_touched():
    match = table(["green-star-2 gold-5 four", "gold-1", ""], [f"{STRONG} +wake", THREE, THREE], phase="empower")
    for _ in range(12):
        if match.to_act == (CHANCE,):
            dealt(match)
        seat = match.to_act[0]
        pieces = "".join(str(p) for drawn in everything(match.view(seat), SAY).values() for p in drawn.values())
        touched = {code for codes in re.findall(r'data-codes="([^"]*)"', pieces) for code in codes.split("|")}
        words = {"done", "leave"}  # these mean nothing on the table
        assert set(match.legal(seat)) - touched <= words
        match.play(match.legal(seat)[-1], seat)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_finger_finds_every_half(players):
    """40 pixels on a phone that is 360 wide, and no two gardens over each other."""
    assert TILE * 360 / GAME.picture.BOARDS["main"].size[0] >= 40
    corners = [(slot.x, slot.y) for slot in SLOTS[players]]
    assert len(set(corners)) == players


def test_every_verb_has_a_question_for_each_of_its_arguments():
    match = table(["four", ""], [THREE, THREE])
    for verb in GAME.actions.verbs:
        for place, argument in enumerate(verb.arguments):
            assert GAME.words.ask(match.view(0), verb.name, argument, (0,) * place, SAY)
            assert GAME.words.ask(match.view(0), verb.name, argument, (), SAY)


# The rules


def test_rules_in_italian_have_every_paragraph_and_call_the_shields_what_the_cards_do():
    texts = [Path(__file__).with_name(name).read_text(encoding="utf-8") for name in ("RULES.md", "RULES.it.md")]
    english, italian = (re.findall(r"^\*\*(R\d+)\b", text, re.MULTILINE) for text in texts)
    assert italian == english
    cited = [sorted(re.findall(r"\bR\d+\b", text)) for text in texts]
    assert cited[0] == cited[1]
    titles = re.findall(r"^\*\*R2[0-7] (Scudo .+)\*\* \(`(\w+)`\)", texts[1], re.MULTILINE)
    say = Say.of(GAME, "it", ("Ada", "Bruno"))
    match = table([" ".join(SHIELDS), ""], ["green:1/1", ""])
    called = {code: GAME.words.part(match.view(0), "use", "shield", SHIELDS.index(code), say) for _, code in titles}
    assert [code for _, code in titles] == list(SHIELDS)
    assert all(word.lower() in title.lower() for (title, code), word in zip(titles, called.values(), strict=True)), (
        called
    )
