"""Words and pictures of Tournament: duels and what follows them, bargains, the hand, and refusals by paragraph."""

import re

import pytest

from tavola.core import View
from tavola.games.tournament import GAME
from tavola.games.tournament.components import CARDS, JOKER
from tavola.games.tournament.fixtures import fight, finish_trade, fought, match_at, offer, throw
from tavola.games.tournament.picture import hand
from tavola.games.tournament.picture.market import DIGIT, LAID_COIN, _purse_laid
from tavola.games.tournament.words.nouns import cards_of, won_text
from tavola.show import picture_of, words_of
from tavola.show.pictures import scene
from tavola.show.testing import consequence_of, english_say, events_after, play, present, refusal_text

ONE, TWO, THREE = ("s1 h1 l1 a1", "s2 h2 l2 a2", "s3 h3 l3 a3")
SAY = english_say(GAME)


@pytest.fixture(
    params=[([THREE, ""], (1, 1, 19, 19), "ballot"), ([""], (1, 1, 28), "trade")], ids=["another duel", "another round"]
)
def views_of_turning(request: pytest.FixtureRequest):
    """Return the views before and after the last card was laid, with no prize for a duel, as in the rulebook."""
    others, purse, phase = request.param
    match = fought(TWO, ONE, *others, purse=purse, options={"prize": 0})
    assert match.document()["phase"] == phase
    return View(GAME, match.states_at(len(match.history) - 1), None), match.view()


def test_the_cards_that_turned_are_shown_and_named_in_the_log(views_of_turning: tuple[View, View]):
    """R19: all eight face up, for as long as after any duel."""
    told = words_of(GAME).events(*views_of_turning, None, SAY)
    assert told[0] == "Ada’s sword 2 beats Bruno’s sword 1."
    assert {"Ada wins the duel and 0 sous.", "Ada takes sword 1, shield 1, lance 1 and armour 1."} <= {*told}
    frames = scene(*views_of_turning, None, SAY)
    drawn = [str(frame.draw()["main"].get("card-near-0", "")) for frame in frames if frame.minimum >= 1500]
    assert drawn
    assert all("sword" in card for card in drawn)
    assert "prize" in frames[-1].draw()["main"]


def test_jokers_that_are_won_are_counted():
    """R29: they are interchangeable, so naming each would repeat the same word."""
    cards = [*map(CARDS.index, ("sword-5", "lance-2"))]
    told = [won_text(won, SAY) for won in (cards, [*cards, JOKER], [JOKER] * 4)]
    assert told == ["sword 5 and lance 2", "sword 5, lance 2 and a joker", "4 jokers"]


def test_a_seat_that_cannot_fight_is_eliminated_before_its_opponent_is_paid():
    """R15, R17: in this order in the log and the scene; the lists do not show the next two riders yet."""
    match = match_at([ONE, "s2 h2", THREE, ""])
    before = match.view()
    finish_trade(match)
    told = words_of(GAME).events(before, match.view(), None, SAY)
    assert [line.partition(":")[0] for line in told] == [
        "Bruno has no full set and is out of the duels for the rest of the match.",
        "Ada wins without a fight and gets 5 sous.",
        "Carla against Dario.",
    ]
    out, paid = scene(before, match.view(), None, SAY)
    assert ("out" in out.draw()["main"], "prize" in paid.draw()["main"]) == (True, True)
    assert not {"rider-near", "rider-far"} & {*out.draw()["main"], *paid.draw()["main"]}
    assert (out.log_lines, paid.log_lines) == (1, 2)


def test_prompts_say_how_a_market_ends_and_which_seats_are_still_trading():
    """R13."""
    match, prompt = match_at(["s1", "s2", ""]), words_of(GAME).prompt
    assert prompt(match.view(0), SAY) == "Trade as you like: accept an offer or make one."
    match.play("done", 0)
    assert [prompt(match.view(seat), SAY) for seat in (0, None)] == [
        "You’re done. The market closes when everyone is. Bruno and Carla can still trade.",
        "Bruno and Carla can still trade. The market closes when everyone is done.",
    ]
    match.play("done", 2)
    assert prompt(match.view(1), SAY) == "Everyone else is done: you close the market."


def test_an_eliminated_seat_reads_that_it_is_out_and_no_advice_to_arm():
    """R15, R17: its duels are no longer announced, and its opponent rests; only that seat reads that it can trade."""
    match, coach = match_at([ONE, "s2 h2", THREE, ""], out=["1"]), words_of(GAME).coach
    told = [words_of(GAME).eliminated(match.view(seat), SAY) for seat in (None, 0, 1)]
    assert told == ["", "", "You’re out of the duels, but you can still trade."]
    assert coach(match.view(1), SAY).startswith("You’re out of the duels but can still win")
    assert "You’re missing" in coach(match_at([ONE, "s2 h2", THREE, ""]).view(1), SAY)
    assert not [name for name in picture_of(GAME).own_pieces(match.view(1), SAY)["hand"] if name.startswith("missing")]
    fight(finish_trade(match), THREE, "s4 h4 l4 a4")
    while match.document()["phase"] == "purchase":
        play(match, "pass")
    last = View(GAME, match.states_at(len(match.history) - 1), None)
    told = words_of(GAME).events(last, match.view(), None, SAY)
    assert {"Round 2: Ada against Carla. The market is open.", "Dario rests this round."} <= {*told}
    assert "Bruno" not in " ".join(told)


@pytest.mark.parametrize(("then", "now", "same"), [((), ("charge 2",), False), (("charge 2",), ("charge 2",), True)])
def test_a_draft_that_is_published_is_the_one_that_was_seen(then, now, same):
    """R8: another page of the same seat may have changed it."""
    begun = "offer all", "give sword-1"
    before, after = (play(match_at(["s1", "s2", ""]), *begun, *steps, seat=0).view(0) for steps in (then, now))
    assert present(GAME.unchanged)(before, after, GAME.actions.number("publish")) is same


def test_a_bargain_names_the_cards_that_it_would_cost():
    """R9: the lowest cards that answer; if these change, so does the text."""
    match, accept = match_at(["s3 s5", "s2", ""]), GAME.actions.number("accept 1 1")
    offer(match, 1, "all", "give sword-2", "ask sword-1", "charge 1")
    offer(match, 0, "all", "give sword-3", "charge 1")
    told, before = words_of(GAME).action, match.view(0)
    assert told(before, accept, SAY) == "Deal with Bruno, offer 1: you get a sword for sword 3 and 1 sou"
    after = play(match, "accept 0 1", seat=2).view(0)
    assert told(after, accept, SAY) == "Deal with Bruno, offer 1: you get a sword for sword 5 and 1 sou"
    assert accept in after.legal
    assert not present(GAME.unchanged)(before, after, accept)
    assert present(GAME.unchanged)(before, before, accept)


def test_a_beaten_card_stays_in_the_group_in_which_it_turned(views_of_turning: tuple[View, View]):
    """The page keeps elements that stay in place, so each card turns once, whether it wins or loses."""
    frames = [frame.draw()["main"] for frame in scene(*views_of_turning, None, SAY)]
    turned = [str(frame["card-far-0"]) for frame in frames if "card-far-0" in frame and 'turn"' in frame["card-far-0"]]
    ways = {re.sub(r".*<title>.*?</title>(<g[^>]*>)(<path.*?/path>)*(<g[^>]*>).*", r"\3", card) for card in turned}
    assert len(turned) > 2
    assert len(ways) == 1
    assert "beaten" in turned[-1]


@pytest.mark.parametrize(
    "held", ["s1 s2 s3 h1 l1 a1 a2 a3 a4 a5 j", "s1 h1 j", "s1 s2 s3 s4 s5 h1 h2 h3 h4 l1 l2 l3 l4 a1 j j"]
)
def test_on_a_phone_the_hand_lies_in_columns_of_a_kind(held):
    """Two units are a pixel: as wide as a finger, none overlap, and columns are of one kind while there is room."""
    one = match_at([held, "", *[""] * (2 if held.count("s") > 4 else 1)]).view(0).hand
    cards = hand._held_cards(cards_of(one), one.draft.given)
    tiles = hand._tiles(cards, [])
    assert len(tiles) == len(cards)
    columns: dict[float, list[str]] = {}
    for name, tile in tiles.items():
        columns.setdefault(tile.x, []).append(name)
        assert (tile.width >= 75, tile.height >= 75) == (True, True)
        assert tile.y + tile.height <= hand.STRIP[3]
    assert sum(len(names) for names in columns.values()) == len(cards)
    if len(columns) < hand.MOST_COLUMNS:
        assert all(len({name.split("-")[0] for name in names}) == 1 for names in columns.values())


def test_the_table_is_full_of_what_traders_have_brought_until_offers_cover_it():
    match = match_at([ONE, TWO, THREE, ""])
    drawn = picture_of(GAME).pieces(match.view(), SAY)["main"]
    assert [name for name in drawn if name.startswith("place-")] == [f"place-{seat}" for seat in range(4)]
    for seat in range(3):
        for _ in range(2):
            offer(match, seat, "all", f"give sword-{seat + 1}")
    drawn = picture_of(GAME).pieces(match.view(), SAY)["main"]
    assert sum(name.startswith("ware-") for name in drawn) == 6
    assert not [name for name in drawn if name.startswith("place-")]


def test_a_seat_is_warned_before_done_would_eliminate_it():
    """R13, R15, R17: unless the seat rests in this round, has a full set, or is out already."""
    match = match_at([ONE, "s2 h2", ""], rest=2)
    told = consequence_of(match, 1, "done")
    assert (told.brief, told.tone) == ("out of the duels for good", "grave")
    assert told.sentence.startswith("You’re missing a lance.")
    assert consequence_of(match, 0, "done").brief == "a new offer brings you back"
    assert consequence_of(match_at([ONE, TWO, "s3"], rest=0), 2, "done").tone == "plain"
    assert consequence_of(match_at([ONE, "s2 h2", ""], rest=2, out=["1"]), 1, "done").tone == "plain"


def test_consequences_of_a_deal_describe_the_own_set():
    match = offer(match_at(["s1 h1 l1", "s2 h2 l2 a2 a3", ""]), 1, 0, "give armour-3", "charge 1")
    told = consequence_of(match, 0, "accept 1 1")
    assert (told.brief, told.tone) == ("completes your set", "good")
    match = offer(match_at([ONE, TWO, ""]), 1, "all", "ask lance-1", "pay 3")
    told = consequence_of(match, 0, "accept 1 1")
    assert (told.brief, told.tone) == ("you’ll lack a lance", "grave")
    assert consequence_of(play(match, "offer all", seat=0), 0, "ask sword-1").brief == "you get their lowest"
    assert words_of(GAME).consequence(match.view(0), GAME.actions.number("ask joker"), 1, SAY) is None


def test_what_a_draft_charges_stays_on_its_slider_when_no_one_has_as_much_any_more():
    """R8: Ada is still building her offer when Bruno’s purse runs low."""
    match = offer(match_at([ONE, TWO, THREE], purse=[4, 4, 22]), 1, "all", "ask sword-1", "pay 3")
    play(match, "offer 1", "charge 4", seat=0)
    play(match, f"accept 1 {match.document()['published'][1]}", seat=2)
    (sous,) = words_of(GAME).sliders(match.view(0), SAY)
    assert [code for code, _ in sous.stops] == ["pay 4", "pay 3", "pay 2", "pay 1", "", "charge 1", "charge 4"]
    assert sous.stops[sous.now] == ("charge 4", "you get 4 sous")


def test_done_despite_a_whispered_offer_is_logged_as_no_deal():
    match = offer(match_at([ONE, TWO, THREE, ""]), 1, 0, "ask sword-1")
    offer(match, 2, "all", "ask sword-1")
    assert events_after(match, "0 done") == ["Ada shakes their head at Bruno: no deal."]


def test_a_whispered_offer_is_marked_only_for_its_recipient():
    match = offer(match_at(["s1 s5", "s2 s6", "s3"]), 1, 0, "give sword-6", "charge 1")
    offer(match, 1, "all", "give sword-2")
    drawn = [picture_of(GAME).own_pieces(match.view(seat), SAY)["main"] for seat in range(3)]
    marked = [[name for name, ware in pieces.items() if ">to you<" in ware] for pieces in drawn]
    assert marked == [["answer-1-0"], [], []]


@pytest.mark.parametrize("tall", [130, 150, 189, 190, 236])
def test_the_number_of_a_purse_lies_over_none_of_its_coins(tall):
    for purse in range(1, 60):
        *coins, number = _purse_laid(purse, 160.0, tall)
        x, baseline = map(float, present(re.search(r'x="([\d.]+)" y="([\d.]+)"', number)).groups())
        for coin in coins:
            left, top = map(float, present(re.search(r' x="([\d.]+)" y="([\d.]+)"', coin)).groups())
            beside = x + DIGIT * len(str(purse)) <= left
            assert beside or top + LAID_COIN <= baseline - 26, (purse, tall)
            assert top + LAID_COIN <= tall


def test_the_boxes_of_a_duel_are_foreseen_and_lit_for_their_owner():
    """R18: the possible cards for each box still to be filled, and the seat's number of each."""
    match = play(finish_trade(match_at(["s2 s5 h2 l2 a2 j", ONE, ""])), "fight", "fight")
    told = present(words_of(GAME).foreseen(match.view(0)))
    assert [[GAME.actions.code(number) for number in box] for box in told.ballots] == [
        ["equip sword joker", "equip sword 2", "equip sword 5"],
        *(["equip " + kind + " joker", f"equip {kind} 2"] for kind in ("shield", "lance", "armour")),
    ]
    assert [number for number in told.ballots[0] if number not in match.view(0).legal] == []
    assert told.pieces == {"sword-2": 1, "sword-5": 1, "shield-2": 1, "lance-2": 1, "armour-2": 1, "joker": 1}
    assert told.ballots[0][GAME.actions.number("equip sword joker")] == "joker"
    assert words_of(GAME).foreseen(match.view(2)) is None
    play(match, "equip sword 5", seat=0)
    assert words_of(GAME).foreseen(match.view(0)) is None, "the present box is filled"
    assert len(present(words_of(GAME).foreseen(play(match, "equip sword 1", seat=1).view(0))).ballots) == 3
    drawn = picture_of(GAME).own_pieces(match.view(0), SAY)["main"]
    assert [name for name in drawn if name.startswith("slot")] == ["slot-1", "slot-2", "slot-3"]


def test_refusals_name_the_deciding_seats_and_the_paragraph_of_the_phase() -> None:
    """R16, R18, R24, R30: the seats that must decide in each phase of a duel; one that has chosen must wait."""
    match = finish_trade(match_at(["s2 h2 l1 a1", "s1 h1 l2 a2", ""], rest=2))
    assert refusal_text(match, 2, "fight") == "This isn’t your decision: it’s up to Ada and Bruno (R16)."
    play(match, "fight", seat=0)
    assert refusal_text(match, 0, "forfeit") == "You’ve already decided. Wait for the other player (R16)."
    play(match, "fight", seat=1)
    assert refusal_text(match, 2, "equip sword 1") == "This isn’t your decision: it’s up to Ada and Bruno (R18)."
    play(match, "equip sword 2", seat=0)
    said = "You’ve already played your card. Wait for the other player (R18)."
    assert refusal_text(match, 0, "equip shield 2") == said
    play(match, "equip sword 1", "equip shield 2", "equip shield 1", "equip lance 1", "equip lance 2")
    throw(play(match, "equip armour 1", "equip armour 2"), "crown chalice globe 1")
    assert refusal_text(match, 2, "point all") == "This isn’t your decision: it’s up to Ada and Bruno (R24)."
    play(match, "point all", seat=0)
    assert refusal_text(match, 0, "point globe") == "You’ve already pointed. Wait for the other player (R24)."
    assert play(match, "point crown", seat=1).document()["phase"] == "purchase"
    assert refusal_text(match, 2, "buy") == "This isn’t your decision: it’s up to Ada (R30)."
    assert refusal_text(match, 1, "pass") == "This isn’t your decision: it’s up to Ada (R30)."


@pytest.mark.parametrize(
    ("hands", "codes", "refused", "said"),
    [
        ([ONE, TWO, ""], ["offer 2"], "accept 1 1", "First publish the offer you’re building, or drop it (R8)."),
        ([ONE, TWO, ""], ["offer 2"], "withdraw 1", "First publish the offer you’re building, or drop it (R8)."),
        ([ONE, TWO, ""], [], "accept 1 2", "There’s no such offer (R10)."),
        ([ONE, TWO, ""], [], "withdraw 2", "You have no open offer with that number (R10)."),
        ([ONE, TWO, ""], ["offer all"], "ask sword-2", "An offer to everyone can only ask for a kind: a sword (R9)."),
        (["s1 j", "s2 j", "", "", ""], ["offer 1", "give joker"], "give joker", "You don’t have another joker (R8)."),
        (
            ["s1 j", "s2 j", "", "", ""],
            ["offer 1", "give joker", "ask joker", "ask joker"],
            "ask joker",
            "This match doesn’t have that many jokers (R3).",
        ),
    ],
)
def test_a_refused_step_of_an_offer_is_explained(hands, codes, refused, said) -> None:
    """R3, R8, R9, R10: while one is built, those that do not exist, kinds, and jokers in the hand and in the match."""
    match = offer(match_at(hands), 1, 0, "give sword-2")
    offer(match, 0, 1, "give sword-1")
    assert refusal_text(play(match, *codes, seat=0), 0, refused) == said
