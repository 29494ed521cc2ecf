"""Words and pictures of Fairies: refusals with their reasons, the log, scenes, targets for touch."""

import re
from itertools import combinations, pairwise, product
from pathlib import Path

import pytest

from tavola.core import CHANCE, Match
from tavola.core.rng import random_below, stream
from tavola.games.fairies import GAME
from tavola.games.fairies.components import SHIELDS, Phase
from tavola.games.fairies.fixtures import STRONG, THREE, deal_all, match_at
from tavola.games.fairies.picture import beams, layout
from tavola.games.fairies.words.nouns import HALF, SHIELD, laid_card, shown_value
from tavola.show.cards import Witnessed, picture_of, words_of
from tavola.show.pictures import scene
from tavola.show.speech import Say, figure
from tavola.show.testing import consequence_of, english_say, events_after, pieces_by_id, play, present, refusal_text

SAY = english_say(GAME)


def frames_of(match, code):
    before = match.view()
    match.play(code, match.to_act[0])
    frames = scene(before, match.view(), match.last_action(), SAY)
    return frames, [set(frame.draw()["main"]) for frame in frames]


@pytest.mark.parametrize(
    ("hands", "gardens", "fields", "code", "why"),
    [
        (["gold-1", ""], [THREE, THREE], {}, "joker 2 0 red-star", "don’t have this card (R7)"),
        (["gold-1", ""], [THREE, THREE], {}, "green 1", "in phase 2, energy (R12)"),
        (["", "gold-1"], [THREE, THREE], {"phase": "energy"}, "green 1", "worth 2, theirs 2"),
        (["", "gold-1"], [STRONG, "green:1/1~"], {"phase": "energy"}, "green 1", "must be awake"),
        (["", ""], [STRONG, "green:1/1"], {"phase": "energy"}, "green 1", "no card to steal (R14)"),
        (["", "gold-1"], [STRONG, THREE], {"phase": "energy"}, "blue 1 red-star", "to give in exchange"),
        (["", ""], [STRONG, THREE], {"phase": "energy", "covered": ["1"]}, "cover 1 red", "(R18)"),
        (["", ""], [STRONG, THREE], {"phase": "energy", "guarded": ["1"]}, "cover 1 red", "(R27)"),
        (["", ""], [STRONG, "green:1/1"], {"phase": "energy"}, "cover 1 green", "All three fairies"),
        (["", ""], [STRONG, "red:1/1"], {"phase": "energy"}, "red four", "in front of another player"),
        (["", ""], ["green:1/1", ""], {"phase": "heal"}, "turn 1", "two fairies awake to heal (R28)"),
        (["", ""], [STRONG, ""], {"phase": "heal", "healed": "1"}, "turn 1", "already in its place (R29)"),
        (["crown", ""], [STRONG, ""], {"phase": "heal", "healed": "12345"}, "crown", "isn’t complete yet (R34)"),
        (["four", ""], ["green:1/1~", ""], {}, "use four", "need a fairy awake to use a shield (R19)"),
        (["", ""], ["green:1/1", ""], {}, "use four", "don’t own the shield of four"),
        (["four", ""], ["green:1/1", ""], {"phase": "heal"}, "use four", "can’t use the shield of four now (R20)."),
        (["equal", ""], ["green:1/1", ""], {"phase": "energy"}, "use equal", "use the shield of equals now (R22)."),
        (["guard", ""], ["green:1/1", ""], {}, "use guard", "You can’t use the shield of the guard now (R27)."),
    ],
)
def test_a_refusal_gives_the_reason(hands, gardens, fields, code, why):
    assert why in refusal_text(match_at(hands, gardens, **fields), 0, code)


def test_refusals_of_the_seer_cite_their_paragraph():
    """R25: a different card from the first; one of the two; a piece in its place cannot be looked at (R29)."""
    match = play(match_at(["peek", ""], [THREE, ""], phase="heal", healed="8"), "use peek", "look 4", "king four")
    assert refusal_text(match, 0, "look 4") == "Look at a different card (R25)."
    assert refusal_text(match, 0, "look 8") == "This piece is already in its place (R29)."
    assert refusal_text(match, 0, "turn 4") == "First look at two of the King’s cards (R25)."
    play(match, "look 7", "king piece-2")
    assert refusal_text(match, 0, "turn 3") == "Turn over one of the two you looked at (R25)."
    assert refusal_text(match, 0, "turn 8") == "This piece is already in its place (R29)."


def test_public_knowledge_of_the_kings_cards_is_drawn_and_described():
    """R42: an eye where a player looked, a shield where one was put back, in words and for all viewers."""
    match = play(match_at(["peek", ""], [THREE, THREE], phase="heal"), "use peek", "look 4", "king four", "look 7")
    play(match, "king piece-2", "turn 4", "leave")
    for seat in (0, 1, None):
        drawn = pieces_by_id(match.view(seat), SAY)
        assert re.search(r"face down: a shield was put back here\..*ic-shield", drawn["pane-3"])
        assert re.search(r"face down: someone has looked at it\..*ic-seen", drawn["pane-6"])
        assert not re.search("ic-(seen|shield)", drawn["pane-4"])
        lines = words_of(GAME).table(match.view(seat), SAY)
        assert {"A shield was put back here: 4.", "Someone has looked at these: 7."} <= {*lines}
    assert not any("put back" in line for line in words_of(GAME).table(match_at(["", ""]).view(), SAY))


def test_the_last_healing_is_logged_before_the_counting():
    """R33, R41: in the last turn of the last round."""
    match = match_at(["", "four"], [THREE, STRONG], phase="heal", begun=7, turns=1, seat=1, rounds=7)
    match.play("turn 3", 1)
    before = match.view()
    match.play("king piece-3", CHANCE)
    assert words_of(GAME).events(before, match.view(), match.last_action(), SAY) == [
        "Bruno heals piece 3 of the King (1 of 9): 8 points.",
        "Ada: 6 points at the end.",
        "Bruno: 14 points at the end.",
        "Bruno wins with 22 points.",
    ]
    frames = scene(before, match.view(), match.last_action(), SAY)
    drawn = ([piece for name, piece in frame.draw()["main"].items() if name.startswith("gain")] for frame in frames)
    gains = [[re.findall(r">([+−]\d+)<", piece) for piece in pieces] for pieces in drawn]
    assert gains == [[], [["+8"] * 2], [["+6"] * 2], [["+6"] * 2, ["+14"] * 2]]
    assert [frame.log_lines for frame in frames] == [0, 1, 2, 3]


def test_the_log_of_a_turn():
    """What was done to another player and to the King, and points; the board shows the player's own wands."""
    match = match_at(["gold-3 gold-0 four", "gold-1"], ["green:1/1 blue:1/-", "green:0/1"])
    assert events_after(match, "0 joker 3 0 blue-tail") == ["Ada’s blue fairy wakes."]
    assert events_after(match, "0 joker 0 1 green-tail") == ["Ada plays joker 0 on Bruno’s wand: the green tail."]
    assert events_after(match, "0 done") == []
    deal_all(match)
    assert events_after(match, "0 green 1") == ["Ada steals a card from Bruno: 2 to 0."]
    assert events_after(match, f"{CHANCE} steal gold-1") == []
    deal_all(match)
    assert events_after(match, "0 turn 3") == []
    assert events_after(match, f"{CHANCE} king piece-9") == ["Ada heals piece 9 of the King (1 of 9): 2 points."]


# Since one's turn


@pytest.mark.parametrize(
    ("hands", "gardens", "fields", "codes", "told", "labels"),
    [
        (
            ["gold-5 green-star-0", "red-star-1"],
            [STRONG, THREE],
            {"deck": ["gold-1"] * 3},
            ("lay green-star-0 1", "done", "deal gold-1", "green 1", "steal red-star-1"),
            ["green star now 0", "stole red star 1"],
            {"label-0": "green star now 0"},
        ),
        (["", "gold-0"], [STRONG, THREE], {}, ("done",), [], {}),
        (  # of a half only what lies there last
            ["gold-0 gold-3", ""],
            [STRONG, THREE],
            {},
            ("joker 0 1 red-tail", "joker 3 1 red-tail"),
            ["red tail now 3"],
            {"label-5": "red tail now 3"},
        ),
        (  # what was taken, what lies there now, and who fell asleep
            ["gold-0 gold-5", ""],
            [STRONG, THREE],
            {"phase": "energy"},
            ("blue 1 red-star", "joker 0 1 red-tail"),
            ["took red star 1", "red tail now 0", "red fairy fell asleep"],
            {"label-5": "red tail now 0"},
        ),
        (  # the latest three chips
            ["gold-0 gold-1 gold-2 gold-3", ""],
            [f"{STRONG} +four", THREE],
            {},
            ("use four", "joker 0 1 red-tail", "joker 1 1 red-star", "joker 2 1 blue-tail", "joker 3 1 blue-star"),
            ["red star now 1", "blue tail now 2", "blue star now 3"],
            {f"label-{half}": f"{name} now {5 - half}" for half, name in enumerate(HALF.forms["bare"]) if half > 1},
        ),
    ],
)
def test_what_was_done_to_a_seat_since_its_turn_is_on_chips_and_labels(hands, gardens, fields, codes, told, labels):
    match, me, actions = match_at(hands, gardens, **fields), int(len(codes) > 1), []
    for code in codes:
        before, actor = match.view(me), match.to_act[0]
        match.play(code, actor)
        actions.append(Witnessed(before, match.view(me), match.last_action(me)))
    drawn = present(picture_of(GAME).since_pieces)(match.view(me), actions, SAY)["main"]
    titles = {name: re.search("<title>([^<]*)", markup) for name, markup in drawn.items()}
    chips = {f"since-{place}": f"Ada: {deed}." for place, deed in enumerate(told)}
    found = {name: title[1] for name, title in titles.items() if title}
    assert found == {**({"since": "Since your turn"} if told else {}), **chips, **labels}


def test_powers_meet_before_what_they_do():
    """R13, R17: the beam and the two strengths, of three the sums, before the card is gone or the veil falls."""
    match = match_at(["", "gold-1"], [STRONG, THREE], phase="energy")
    frames, names = frames_of(match, "green 1")
    assert {"clash-0", "clash-1", "beam"} <= names[0]
    assert frames[0].log_lines == 1
    frames, names = frames_of(match, "steal gold-1")
    assert all("stolen" in found for found in names)
    assert sum(frame.duration("brisk") for frame in frames) >= 1_300
    match = match_at(["", ""], [STRONG, THREE], phase="energy")
    frames, _ = frames_of(match, "cover 1 red")
    drawn = {name: str(piece) for name, piece in frames[0].draw()["main"].items()}
    assert all(shown in drawn[name] for name, shown in (("clash-0", ">16<"), ("clash-1", ">6<")))
    assert "fairy-r-on" in drawn["fairy-1-2"]
    assert "fairy-r-veil" in pieces_by_id(match.view(), SAY)["fairy-1-2"]


def test_a_king_card_is_lifted_and_then_lies_in_its_place():
    match = play(match_at(["", ""], [STRONG, ""], phase="heal"), "turn 2")
    frames, _ = frames_of(match, "king piece-2")
    first, second = (str(frame.draw()["main"]["pane-1"]) for frame in frames)
    assert "back-king" in first
    assert "king-12" in second
    match.undo()
    assert len(frames_of(match, "king four")[0]) == 1  # only the seat that looks learns what it is


def test_only_the_two_see_the_face_of_what_was_stolen():
    """R14, R42: the thief's hand shows it, the victim's notes record it; the scene shows a back.

    So with a shield that was put back.
    """
    match = play(match_at(["", "gold-5", ""], [STRONG, THREE, THREE], phase="energy"), "green 1")
    frames, names = frames_of(match, "steal gold-5")
    assert all("back-wand" in str(frame.draw()["main"]["stolen"]) for frame in frames)
    assert not any(name.startswith("sure") for found in names for name in found)
    thief, victim, third = (pieces_by_id(match.view(seat), SAY) for seat in range(3))
    assert "card-28-0" in thief
    assert "joker 5" in victim["sure-0"]
    assert not any(name.startswith("sure") for name in (*thief, *third))
    match = play(match_at(["", ""], [STRONG, STRONG], phase="heal"), "turn 5", "king peek", "leave")
    assert ["known-4" in pieces_by_id(match.view(seat), SAY) for seat in (0, 1)] == [True, False]


def test_a_card_taken_lies_openly_until_another_is_put_down():
    """R15."""
    match = play(match_at(["gold-0", "gold-1"], [STRONG, THREE], phase="energy"), "blue 1 red-star")
    assert "card-star-r" in pieces_by_id(match.view(), SAY)["aside"]
    assert "aside" not in pieces_by_id(play(match, "joker 0 1 red-star").view(), SAY)


def test_a_shield_is_held_up_and_then_lies_in_its_owners_garden():
    """R19; waking in phase 4 needs no frame (R35)."""
    match = match_at(["guard", ""], [STRONG, THREE], phase="energy")
    assert "codes" not in pieces_by_id(match.view(), SAY)["shield-7"]
    frames, names = frames_of(match, "use guard")
    assert "shown" in names[0]
    assert frames[0].log_lines == 1
    laid = pieces_by_id(match.view(), SAY)["shield-7"]
    assert "of2-s0" in laid
    assert "red guard" in laid
    assert frames_of(match_at(["", ""], ["green:1/1~ blue:1/1", ""], phase="restore"), "wake green")[0] == []


def test_points_are_seen_as_they_are_gained_and_counted_seat_by_seat():
    """R33, R36 and R39: healing, the King's shield, the end."""
    match = match_at(["crown", "four"], [STRONG, THREE], phase="heal", healed="123456789")
    frames, _ = frames_of(match, "crown")
    drawn = frames[-1].draw()["main"]
    assert "crown" in drawn
    assert "+32" in str(drawn["gain-0"])
    assert frames[-1].duration("brisk") >= 1_500
    frames, names = frames_of(match, "done")
    counted = [{name for name in found if name.startswith("gain")} for found in names]
    assert counted == [{"gain-0"}, {"gain-0", "gain-1"}]
    assert "+4" in str(frames[-1].draw()["main"]["gain-1"])  # six, less the shield
    assert [frame.log_lines for frame in frames] == [1, 2]


def test_the_score_sheet_shows_the_score_at_an_immediate_end():
    """R36, R39: gained, wands, shields and their sum; shields in hand only for their owner."""
    match = match_at(["four equal", "peek"], [f"{STRONG} +guard", THREE], phase="heal")
    drawn = pieces_by_id(match.view(0), SAY)
    assert re.findall(r">([−\d]+)<", drawn["sheet-0"]) == ["0", "16", "−2", "14"]
    assert re.findall(r">([−\d]+)<", drawn["sheet-hand"]) == ["−4", "−4"]
    assert "−2" in pieces_by_id(match.view(1), SAY)["sheet-hand"]
    assert "sheet-hand" not in pieces_by_id(match.view(), SAY)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_finger_finds_every_place(players):
    """44 pixels on a phone that is 360 wide: halves of one's own wands, panes, and each light as one target."""
    light = layout.light_of(players)
    sizes = [layout.FRONT_TILE, layout.FRONT_FAIRY, layout.PANE_WIDTH, layout.PANE_HEIGHT, light.high]
    assert min(sizes) * 360 / layout.WIDTH >= 44
    assert 1.5 * light.tile < layout.FRONT_TILE, "the own garden is the largest"


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("me", range(4))
def test_gardens_window_and_own_garden_lie_apart(players, me):
    lights = [layout.slot_seen(players, me, seat) for seat in range(players)]
    boxes = [(*slot[:2], layout.LIGHT_WIDTH, layout.light_of(players).high) for slot in lights if slot]
    if players in layout.TREASURY:
        boxes.append((*layout.TREASURY[players][:2], layout.LIGHT_WIDTH, layout.light_of(players).high))
    boxes.append((layout.WINDOW_X, layout.WINDOW_Y, 3 * layout.PANE_WIDTH, 3 * layout.PANE_HEIGHT))
    boxes.append((0, layout.FRONT_Y, layout.WIDTH, 2 * layout.FRONT_TILE))
    boxes.append((0, layout.KERB_Y, layout.WIDTH, layout.HEIGHT - layout.KERB_Y))
    for (x, y, wide, high), (to_x, to_y, to_wide, to_high) in combinations(boxes, 2):
        assert x + wide <= to_x or to_x + to_wide <= x or y + high <= to_y or to_y + to_high <= y
    assert all(min(x, y) >= 0 and x + wide <= layout.WIDTH and y + high <= layout.HEIGHT for x, y, wide, high in boxes)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_each_seat_sees_its_own_garden_in_front_and_the_others_clockwise(players):
    """The pieces are the same for all; CSS chooses between their two drawings, and moves the lights."""
    style = layout.seat_styles()
    assert style in picture_of(GAME).style, "written anew by `seat_styles`"
    for me in range(players):
        where = re.escape(f'[data-me="{me}"] ' if me else "")
        rule = rf"^{where}\.fairies \.of{players}-s(\d){{(?:--slot:(\d+)px (\d+)px;)?--light:(\w+);--front:(\w+)}}$"
        found = {int(seat): drawn for seat, *drawn in re.findall(rule, style, re.MULTILINE)}
        assert found.pop(me) == ["", "", "none", "inline"]
        assert all(drawn[2:] == ["inline", "none"] for drawn in found.values())
        turns = [found[(me + turn) % players] for turn in range(1, players)]
        assert [(int(x), int(y)) for x, y, *_ in turns] == [slot[:2] for slot in layout.SLOTS[players]]


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("power", range(4))
def test_no_beam_crosses_the_kings_picture(players, power):
    """As every seat sees it, between any two gardens."""
    left, right = layout.WINDOW_X, layout.WINDOW_X + 3 * layout.PANE_WIDTH
    for me, actor, victim in product(range(players), repeat=3):
        if actor == victim:
            continue
        for (x, y), (to_x, to_y) in pairwise(beams.route(players, me, actor, victim, power)):
            assert x == to_x or y == to_y
            assert (max(x, to_x) < left - 6 or min(x, to_x) > right + 6) or min(y, to_y) > layout.SILL_Y + 6


def test_beams_differ_by_more_than_colour():
    """Each carries the plant of its fairy, and has its own texture."""
    drawn = [str(beams.beam(3, 0, 1, power, (5, 4))) for power in range(4)]
    plants = [set(re.findall(r'href="#((?:sign-[gbrj]|pw-3))"', one)) for one in drawn]
    assert plants == [{"sign-g"}, {"sign-b"}, {"sign-r"}, {"pw-3"}]
    textures = re.findall(r"\.beam-([gbr]) \.ray-texture{([^}]*)}", picture_of(GAME).style)
    assert {kind for kind, _ in textures} == {"g", "b"}
    assert len({look for _, look in textures}) == 2


def test_the_half_on_which_a_plan_lays_a_card_and_its_new_sum_are_dashed():
    match = match_at(["green-star-1", ""], ["", "green:3/2"])
    before = match.view(0)
    marks = picture_of(GAME).plan_pieces(before, play(match, "lay green-star-1 1").view(0), SAY)["main"]
    assert [*marks] == ["planned-1-0", "planned-sum-1-0"]
    assert ">3<" in marks["planned-sum-1-0"]
    assert not picture_of(GAME).plan_pieces(before, before, SAY)["main"]


def test_whom_a_fairy_beats_is_before_the_eyes():
    """R13, R17: the seals of those seats below her ribbon, and for all three on the kerb."""
    drawn = pieces_by_id(match_at(["", "", ""], [STRONG, THREE, "green:1/0"]).view(0), SAY)
    seals = {name: re.findall(r'href="#sign-(green|violet|red)"', drawn[name]) for name in ("fairy-0-0", "fairy-0-1")}
    assert seals == {"fairy-0-0": ["green", "violet"] * 2, "fairy-0-1": ["green"] * 2}
    assert "beats no one" in drawn["fairy-2-0"]
    assert "asleep" in drawn["fairy-2-1"]
    assert ">16<" in drawn["garden-0"]


@pytest.mark.parametrize("phase", [Phase.EMPOWER, Phase.ENERGY])
def test_a_card_says_what_it_does_on_whichever_wand_and_sense_is_lit(phase):
    match, rng = Match(GAME, players=3, seed=5), stream(5)
    while (view := match.view(0)).table.begun < 5 or view.table.phase != phase or len(view.legal) < 7:
        seat = match.to_act[-1]
        legal = match.legal_numbers(seat)
        match.play(legal[random_below(rng, len(legal))], seat)
    sensible = set(words_of(GAME).sensible(view))
    assert sensible <= set(view.legal)
    for number in view.legal:
        verb, places = GAME.actions.action(number)
        if verb in ("lay", "joker"):
            owner, half, value = laid_card(verb, places)
            garden, does = view.table.fairies[owner], consequence_of(match, 0, GAME.actions.code(number))
            change = value - shown_value(garden, half)
            if garden.halves[half].count:
                assert (number in sensible) == (change < 0 if owner else change > 0)
                assert (figure(change, signed=True) if change else "changes nothing") in does.brief
            else:
                assert (number in sensible) == (owner == 0)
        elif phase == Phase.ENERGY:  # the best swaps, and any other power
            wanted = shown_value(view.table.fairies[places[0]], places[1]) >= 2 if verb == "blue" else verb != "done"
            assert (number in sensible) == wanted


def test_the_main_button_of_phase_1_says_what_happens_and_what_follows():
    """R7, R10, R21: as many cards are drawn as were played, and one more with the shield of plenty.

    After three cards the prompt says that the turn allows only three, and not that the player has none left.
    """
    match = match_at(["gold-0 gold-1 extra gold-2 gold-3", ""], [STRONG, THREE])
    done, said = GAME.actions.number("done"), []
    for code in ("joker 0 1 red-star", "joker 1 1 red-tail", "use extra", "joker 2 1 red-tail", ""):
        prompt, button = words_of(GAME).prompt(match.view(0), SAY), words_of(GAME).action(match.view(0), done, SAY)
        said.append((prompt.rpartition("? ")[2], button, consequence_of(match, 0, "done").brief))
        if code:
            match.play(code, 0)
    assert said == [
        ("3 left.", "Play no card", "you draw nothing"),
        ("2 left.", "Play 1 card", "then you draw 1"),
        ("1 left.", "Play 2 cards", "then you draw 2"),
        ("1 left.", "Play 2 cards", "then you draw 3"),
        ("You’ve played all your wand cards for this turn.", "Play 3 cards", "then you draw 4"),
    ]
    assert words_of(GAME).closing == ("done",)


@pytest.mark.parametrize(("language", "shield"), [("it", "Scudo"), ("fr", "Écu"), ("de", "Wappen")])
def test_translated_rules_cite_the_same_and_call_the_shields_what_the_cards_do(language, shield):
    """The contract of games compares their paragraphs."""
    texts = [Path(__file__).with_name(f"RULES{name}.md").read_text(encoding="utf-8") for name in ("", f".{language}")]
    cited = [sorted(re.findall(r"\bR\d+\b", text)) for text in texts]
    assert cited[0] == cited[1]
    titles = re.findall(rf"^\*\*R2[0-7] ({shield} .+)\*\* \(`(\w+)`\)", texts[1], re.MULTILINE)
    assert [code for _, code in titles] == list(SHIELDS)
    say = Say.of(GAME, language, ("Ada", "Bruno"))
    called = [str(SHIELD(number, say)) for number in range(len(SHIELDS))]
    assert all(name.lower().endswith(title.lower()) for (title, _), name in zip(titles, called, strict=True)), called
