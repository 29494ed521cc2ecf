"""Bots that negotiate: trust, what they ask, agree to and keep, and that they know only what their seat knows."""

from collections import Counter
from collections.abc import Callable
from contextlib import suppress

import numpy as np
import pytest

from scripts.promises import counts_of
from tavola.bargain import BARGAINING_LEVELS, TEMPERS, BadTemper, Bargainer, Heard
from tavola.bargain.answers import Answering
from tavola.bargain.claims import fact_to_claim, weigh_claims
from tavola.bargain.foresight import Bound, Budget, Prospect, _lay_word, _node, fitting, look_ahead, searching
from tavola.bargain.outlook import Outlook, Worth, _Account, look_out, outcomes, pooled
from tavola.bargain.proposals import LEAST_TRUST, Proposing
from tavola.bargain.tempers import promise_worth, trust
from tavola.bots import LEVELS, bot
from tavola.bots.levels import BadBot, decision_rng
from tavola.bots.lookahead import run_iterations
from tavola.core import Match, Moment
from tavola.core.compilation import interpret, use_machine_code
from tavola.core.view import Buffers
from tavola.games import load
from tavola.lab.matches import mix_seed
from tavola.lab.talking import Talk
from tavola.show.talk import Known
from tavola.talk import Act, Conversation, NotAskedNow, Pattern, Slot, Statement, Status, language_of
from tests.helpers.matches import ballot
from tests.helpers.talk import play, say

pytestmark = pytest.mark.bulk

RECKONER = TEMPERS["reckoner"]
GAMES = (("lifeboats", 4), ("voyage", 5), ("fairies", 3), ("expedition", 3), ("tournament", 3))


@pytest.fixture
def match() -> Match:
    return ballot()


@pytest.fixture
def talk(match: Match) -> Conversation:
    return Conversation(language_of(match.game))


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let greedy bots examine fewer matches before they speak."""
    monkeypatch.setattr("tavola.bargain.bargainer.GREEDY_ITERATIONS", 64)


def play_ballot(match: Match, talk: Conversation, *cards: str) -> None:
    for seat, card in enumerate(cards):
        play(talk, match, f"vote {card}", seat)


def play_greedily(match: Match, until: Callable[[], object]) -> None:
    greedy = bot("greedy", 2)
    while not until():
        match.play(greedy.choose(match.view(match.to_act[0])), match.to_act[0])


def heard(talk: Conversation | None, match: Match, seat: int) -> Heard:
    return Heard.of(match.game, talk, seat, len(match.history))


def test_trust_follows_what_was_kept_and_broken(match, talk):
    before = trust(heard(talk, match, 3), 0, RECKONER)
    say(talk, match, 0, "promise vote not red now")
    say(talk, match, 1, "promise vote not red now")
    play_ballot(match, talk, "green", "red", "green", "green")
    listener = heard(talk, match, 3)
    assert [listener.record(seat) for seat in (0, 1)] == [(1, 0), (0, 1)]
    kept, broken = (trust(listener, seat, RECKONER) for seat in (0, 1))
    assert (kept, broken) == pytest.approx(((2 + 1) / 4, 2 / 5))
    assert broken < before < kept


def test_whispers_of_others_are_not_heard_and_change_no_trust(match, talk):
    say(talk, match, 0, "promise to 1 vote not red now")
    play_ballot(match, talk, "red", "green", "green", "green")
    assert [heard(talk, match, seat).record(0) for seat in (1, 3)] == [(0, 1), (0, 0)]
    assert heard(talk, match, 3).said == ()


def test_a_favour_is_returned_once(match, talk):
    say(talk, match, 1, "promise to 0 aloud vote green now")
    say(talk, match, 2, "promise to 0 aloud vote red now")
    say(talk, match, 0, "promise to 3 aloud vote green now")
    say(talk, match, 3, "promise to 0 aloud vote green now")
    play_ballot(match, talk, *["green"] * 4)
    assert [heard(talk, match, 0).favours(seat) for seat in (1, 2, 3)] == [1, -1, 0]


def test_a_word_is_worth_more_where_words_are_kept_and_nothing_at_the_end(match, talk):
    fresh = promise_worth(heard(talk, match, 3), RECKONER, 1.0)
    say(talk, match, 0, "promise vote not red now")
    play_ballot(match, talk, "green", "red", "green", "green")
    later = heard(talk, match, 3)
    assert promise_worth(later, RECKONER, 1.0) > fresh > promise_worth(later, RECKONER, 0.2) > 0
    assert promise_worth(later, RECKONER, 0.03) == 0
    false, true = (promise_worth(later, TEMPERS[temper], 1.0) for temper in ("treacherous", "faithful"))
    assert false < fresh / 5 < true


class KnownOutlook(Outlook):
    def __init__(self, language, *worths):
        super().__init__({}, language, np.zeros(0))
        self.told = {
            (seat, language.parse_deed(text)): Worth(np.array(by_seat), np.full(len(by_seat), 0.001), 1.0)
            for seat, text, by_seat in worths
        }

    def deeds(self, seat):
        return [deed for owner, deed in self.told if owner == seat]

    def worth(self, seat, deed):
        return self.told.get((seat, deed))


def proposals(*worths, temper="reckoner"):
    match = ballot()
    outlook = KnownOutlook(language_of(match.game), *worths)
    return Proposing(match.view(0), heard(None, match, 0), TEMPERS[temper], outlook, (1, 2)).statements(2)


def test_it_asks_where_it_gains_most_of_what_costs_the_other_least():
    (request,) = proposals(
        (1, "vote green", (0.20, -0.10, 0, 0)),  # costly for seat 1
        (1, "not vote red", (0.05, 0.00, 0, 0)),
        (1, "not vote black", (0.03, 0.02, 0, 0)),
    )
    assert (request.act, request.to) == (Act.REQUEST, 1)
    assert request.deed.pattern == language_of(load("lifeboats")).parse_deed("not vote red")


def test_it_offers_where_both_gain_and_is_silent_where_one_would_lose():
    dear = (1, "vote green", (0.20, -0.05, 0, 0))
    (offer,) = proposals(dear, (0, "not vote red", (-0.01, 0.08, 0, 0)), (0, "vote red", (-0.01, 0.03, 0, 0)))
    assert offer.act is Act.OFFER
    assert (offer.deed.pattern.negated, offer.condition.pattern.negated) == (True, False)
    assert proposals(dear, (0, "not vote red", (-0.01, 0.03, 0, 0))) == []


def test_it_threatens_only_with_what_costs_it_nothing_and_means_the_same_next_time():
    match = Match(load("fairies"), seed=2, players=3)
    language = language_of(match.game)

    def threats(cost):
        outlook = KnownOutlook(language, (1, "not green 0", (0.20, -0.05, 0)), (0, "green 1", (cost, -0.10, 0)))
        return Proposing(match.view(0), heard(None, match, 0), TEMPERS["bold"], outlook, (1,)).statements(2)

    (threat,) = [each for each in threats(0.0) if each.act is Act.THREAT] or threats(0.0)
    assert threat.act is Act.THREAT
    assert threat.condition.pattern == language.parse_deed("green 0")
    assert threats(-0.02) == []
    harmed = (1, "not vote green", (0.20, -0.05, 0, 0))
    assert proposals(harmed, (0, "vote red", (0.0, -0.10, 0, 0)), temper="bold") == [], "the next ballot moves a boat"


@pytest.fixture
def wronged(request: pytest.FixtureRequest, match: Match, talk: Conversation) -> None:
    """Let seat 1 break a promise."""
    say(talk, match, 1, getattr(request, "param", "promise to 0 aloud vote not red now"))
    play_ballot(match, talk, "green", "red", "green", "green")


def test_a_seat_that_breaks_promises_is_only_asked_for_amends(match, talk, wronged):
    outlook = KnownOutlook(talk.language, (1, "not vote red", (0.3, -0.02, 0, 0)), (2, "not vote red", (0.1, 0, 0, 0)))

    def said(temper):
        return Proposing(match.view(0), heard(talk, match, 0), TEMPERS[temper], outlook, (1, 2)).statements(2)

    assert [(each.act, each.to) for each in said("careful")] == [(Act.REQUEST, 1), (Act.REQUEST, 2)]
    assert [each.to for each in said("silent")] == [2], "it forgives, and keeps away"
    for _ in range(2):
        talk.say(said("careful")[0], match)
    assert [each.to for each in said("careful")] == [2], "it does not ask for ever"


@pytest.mark.parametrize("wronged", ["promise to 0 vote not red now"], indirect=True)
def test_the_wronged_warns_others_once_and_they_trust_less(match, talk, wronged):
    player, unwarned = Bargainer("greedy", "careful", 1), heard(talk, match, 0)
    before = trust(heard(talk, match, 3), 1, RECKONER)
    (warning, *_) = player.speak(match.view(0), heard(talk, match, 0))
    assert (warning.act, warning.about, warning.to) == (Act.WARN, 1, None)
    talk.require(warning, match.view())
    talk.say(warning, match)
    assert not any(each.act is Act.WARN for each in player.speak(match.view(0), heard(talk, match, 0)))
    after = trust(heard(talk, match, 3), 1, RECKONER)
    assert before > after > trust(heard(talk, match, 0), 1, RECKONER)
    assert Bargainer("greedy", "silent", 1)._warnings(match.view(0), unwarned) == []


def test_trust_is_won_back_by_promises_that_are_kept(match, talk, wronged):
    careful = TEMPERS["careful"]
    assert trust(heard(talk, match, 0), 1, careful) < LEAST_TRUST
    assert heard(talk, match, 0).breaches_of(1)
    assert heard(talk, match, 1).owes(0)
    play_greedily(match, lambda: len(match.to_act) == 4 and "vote red" in match.legal_codes(1))
    say(talk, match, 1, "promise to 0 aloud vote not red now")
    play_ballot(match, talk, "green", "green", "green", "green")
    listener = heard(talk, match, 0)
    assert trust(listener, 1, careful) >= LEAST_TRUST
    assert not listener.breaches_of(1)
    assert not heard(talk, match, 1).owes(0)


def test_a_distrusted_offer_is_answered_by_what_is_owed(match, talk, wronged):
    say(talk, match, 1, "offer to 0 aloud vote not green next if vote red next")
    outlook = KnownOutlook(talk.language, (1, "not vote red", (0.3, -0.02, 0, 0)))
    amends = Proposing(match.view(0), heard(talk, match, 0), TEMPERS["careful"], outlook, (1,)).amends(1)
    assert [each.statement.act for each in amends] == [Act.REQUEST]


def test_a_seat_that_did_not_answer_is_asked_again_after_a_while(match, talk):
    for line in ("request to 1 aloud vote red now", "request to 1 aloud vote green now"):
        say(talk, match, 0, line)
    for waited, ignored in ((1, True), (100, False)):
        since = Moment(len(match.history) + waited)
        assert Heard.of(match.game, talk, 0, len(match.history), since).ignores(1) is ignored


def test_tempers_keep_promises_by_their_character(hasty):
    """Measured in whole matches, in which nothing but the tempers differ; the steadfast never break one."""
    counts = sum((counts_of("lifeboats", seed, "greedy", None) for seed in range(3)), Counter())

    def kept(*tempers):
        found = [sum(counts["lifeboats", temper, what] for temper in tempers) for what in ("kept", "broken")]
        return found[0] / sum(found), sum(found)

    steadfast, false = kept("faithful", "stubborn", "silent"), kept("treacherous", "gambler")
    assert min(steadfast[1], false[1]) > 8
    assert steadfast[0] > false[0] + 0.2
    assert steadfast[0] > 0.9


def answering_of(view, listener, outlook, keeps):
    """Return the answers of a seat that prefers no action."""
    prospect = Prospect(view.legal, np.ones(len(view.legal)), np.zeros(len(view.legal)), len(view.to_act) > 1)
    return Answering(view, listener, RECKONER, lambda: (prospect, outlook), keeps)


@pytest.mark.parametrize(
    ("line", "own", "others", "answer"),
    [
        ("request to 0 aloud vote not red now", -0.001, 0, "accept"),
        ("request to 0 aloud vote not red now", -0.05, 0, "decline"),
        ("offer to 0 aloud vote not green now if vote not red now", -0.05, 0.2, "accept"),
        ("offer to 0 aloud vote not green now if vote not red now", -0.05, 0.04, "decline"),
    ],
)
def test_it_agrees_to_what_is_cheap_or_paid_for(match, talk, line, own, others, answer):
    say(talk, match, 1, line)
    worths = (0, "vote not red", (own, 0, 0, 0)), (1, "vote not green", (others, 0, 0, 0))
    outlook = KnownOutlook(talk.language, *worths)
    listener = heard(talk, match, 0)
    for keeps, told in ((True, answer), (False, "decline")):
        answering = answering_of(match.view(0), listener, outlook, lambda *_: keeps)  # noqa: B023
        assert [str(each.act) for each in answering.statements(listener.unanswered())][:1] == [told]


def test_of_a_long_turn_what_comes_later_is_not_promised_for_nothing():
    match = Match(load("fairies"), seed=2, players=3)
    play_greedily(match, lambda: match.to_act == (0,) and len(match.legal_codes(0)) > 1)
    assert "heal" not in match.legal_codes(0)
    talk = Conversation(language_of(match.game))
    say(talk, match, 1, "request to 0 aloud not heal now")
    view, listener = match.view(0), heard(talk, match, 0)
    for cost, answer in ((-0.05, Act.DECLINE), (0.0, Act.ACCEPT)):
        outlook = KnownOutlook(talk.language, (0, "not heal", (cost, 0, 0)))
        answering = answering_of(view, listener, outlook, lambda *_: True)
        assert [each.act for each in answering.statements(listener.unanswered())] == [answer]


def test_seats_that_make_offers_are_examined(match, monkeypatch):
    """Of three others, two are examined before the bot speaks; an offer makes the third worth examining."""
    looked = []

    def look(view, language, rng, budget, focal, *rest):
        looked.append(focal)
        return look_out(view, language, rng, Budget(8), focal, *rest)

    monkeypatch.setattr("tavola.bargain.bargainer.look_out", look)
    for seat in (1, 2, 3):
        talk = Conversation(language_of(match.game))
        say(talk, match, seat, "offer to 0 aloud vote green now if vote red now")
        assert Bargainer("greedy", "reckoner", 1).answer(match.view(0), heard(talk, match, 0))
        assert seat in looked[-1]
    assert {len(focal) for focal in looked} == {3, 4}


def test_of_two_requests_that_exclude_each_other_one_is_accepted(match, talk):
    for seat, card in ((1, "red"), (2, "green")):
        say(talk, match, seat, f"request to 0 aloud vote {card} now")
    view, listener = match.view(0), heard(talk, match, 0)
    outlook = KnownOutlook(talk.language, *((0, f"vote {card}", (0, 0, 0, 0)) for card in ("red", "green")))
    keeps = Bargainer("greedy", "reckoner", 1).keeps
    told = answering_of(view, listener, outlook, keeps).statements(listener.unanswered())
    assert sorted(str(each.act) for each in told if each.act is not Act.OFFER) == ["accept", "decline"]


def test_no_proposal_offers_an_action_that_it_asks_another_seat_to_avoid():
    dear = (1, "not vote green", (0.20, -0.01, 0, 0))
    assert proposals(dear, (0, "vote green", (-0.01, 0.08, 0, 0))) == []
    assert proposals(dear, (0, "vote red", (-0.01, 0.08, 0, 0)))


@pytest.mark.parametrize("temper", ["faithful", "treacherous"])
def test_a_costly_promise_is_kept_by_faithful_bots_and_broken_by_others(match, talk, temper):
    view = match.view(0)
    best = look_ahead(view, 5, Budget(400), ())
    worst = view.game.actions.code(best.actions[int(np.argmin(best.tries + best.worth))])
    say(talk, match, 0, f"promise {worst} now")
    chosen = Bargainer("search", temper, seed=5, iterations=400).choose(view, heard(talk, match, 0))
    assert (view.game.actions.code(chosen) == worst) is (temper == "faithful")


def test_a_bot_bargains_while_another_game_runs_as_plain_python(match, talk):
    """Shared code runs as plain Python then, too, and still counts in 64 bits."""
    words = [Bound(1, talk.language.parse_deed("vote green"), 0.9)]
    as_always = look_ahead(match.view(0), 5, Budget(20), words)
    home = load("voyage").source_folder
    interpret(home)
    try:
        meanwhile = look_ahead(match.view(0), 5, Budget(20), words)
    finally:
        use_machine_code(home)
    assert meanwhile.tries.tolist() == as_always.tries.tolist()


@pytest.mark.parametrize("seed", [5, 6, 7])
def test_a_search_expects_a_trusted_word_to_be_kept_and_ignores_a_doubted_one(match, seed):
    free, doubted, trusted = (share_of_green(match, seed, trust) for trust in (None, 0.02, 0.95))
    assert trusted > 0.95
    assert max(free, doubted) < 0.8


def share_of_green(match: Match, seed: int, trusted: float | None) -> float:
    """Search for seat 0 after seat 1 has promised green; return how often the search let seat 1 vote green."""
    view, rng = match.view(0), decision_rng(seed, match.view(0))
    word = Bound(1, language_of(match.game).parse_deed("vote green"), trusted or 0.0)
    with searching(view, rng, Budget(1_000)) as (workspace, count):
        tree = workspace.tree
        workspace.state[:] = workspace.pool[:1]
        slot = _node(workspace, word.seat, Buffers(match.game), np.zeros(len(match.game.actions)))
        if trusted is not None:
            _lay_word(workspace, view, word, count)
        edges = slice(int(tree.first[slot]), int(tree.first[slot] + tree.width[slot]))
        laid = tree.tries[edges].copy()
        run_iterations(workspace, view.seat, count, 1_000, rng)
        tries = tree.tries[edges] - laid
        return tries[fitting(view, tree.action[edges].tolist(), word.pattern)].sum() / tries.sum()


@pytest.mark.parametrize(("game", "players"), GAMES)
def test_without_talk_it_plays_like_the_bot_of_its_level(game, players):
    match = Match(load(game), seed=3, players=players)
    mute, greedy = bot("search", 9, iterations=60), bot("greedy", 1)
    player = Bargainer("search", "bold", 9, iterations=60)
    for step in range(12):
        seat = match.to_act[0]
        if step % 2:  # what it examined before it spoke helps it choose
            player.speak(match.view(seat), heard(None, match, seat))
        assert player.choose(match.view(seat), heard(None, match, seat)) == mute.choose(match.view(seat))
        match.play(greedy.choose(match.view(seat)), seat)


def test_outcomes_of_a_ballot_are_distinguished_by_result_and_not_by_voter():
    decided = [(1, 2), (1, 3), (4, 2), (4, 3)] * 2
    changes = [np.array([first, second, first == 1 and second == 2], np.uint8) for first, second in decided]
    found = outcomes(changes, decided)
    assert [int(each) for each in found == found[0]] == [1, 0, 0, 0] * 2
    assert len(set(found[1:4])) == 1
    alone = outcomes([each[:1] for each in changes], [each[:1] for each in decided])
    assert len(set(alone)) == 2, "where one decides, what he chose is what it led to"


def test_of_a_turn_counts_what_would_be_done_anyway_and_what_could_be_done_at_once():
    language = language_of(load("expedition"))
    asked, other, later = (Known("arrow", (0, way)) for way in (1, 2, 4))
    account = _Account()
    for match in range(40):
        first, weight = ((asked, 1.5), (other, 0.5))[match % 2]
        account.add((first, later), match, weight)
    outlook = Outlook({1: account}, language, np.zeros(0), range(40), np.array([[0.2, 0.3], [0.3, 0.2]] * 20))
    code = language.deed_text(Pattern("arrow", tuple(Slot(each) for each in asked.indices)))
    does, leaves = (outlook.worth(1, language.parse_deed(text)) for text in (code, f"not {code}"))
    assert (does.doubt, leaves.doubt) == (pytest.approx(0.25), pytest.approx(0.75))
    assert leaves.by_seat[0] == pytest.approx(-3 * does.by_seat[0])
    assert leaves.by_seat[0] > 0 > leaves.by_seat[1]
    spoken = {(deed.slots[1].place, deed.negated) for deed in outlook.deeds(1)}
    assert {(1, False), (1, True), (4, True)} <= spoken
    assert (4, False) not in spoken, "what comes later may have no place in the turn"


def test_the_likeliest_actions_of_the_next_seat_are_examined_most():
    match = Match(load("expedition"), seed=1, players=3)
    play_greedily(match, lambda: len(match.history) >= 60 and len(match.legal_codes(match.to_act[0])) > 11)
    decider = match.to_act[0]
    view, rng = match.view((decider + 1) % 3), np.array([3], np.uint64)
    outlook = look_out(view, language_of(match.game), rng, Budget(120), [decider])
    account = outlook.accounts[decider]
    likely = max(account.shares, key=account.shares.__getitem__)
    begun = np.array([known[0] == Known(*match.game.actions.by_number[likely]) for known in account.done])
    begun, weights = begun[account.places], np.array(account.weights)
    chance = account.shares[likely] / sum(account.shares.values())
    assert begun.mean() > 2 / len(account.shares), "at random it would begin so once in so many"
    assert weights[begun].sum() / weights.sum() == pytest.approx(chance, abs=0.1)


def test_matches_that_came_to_the_same_count_together_and_few_tell_little():
    utilities = np.array([[1.0], [0.0]] * 50 + [[1.0]])
    told = pooled(utilities, np.array([0, 1] * 50 + [2]))
    assert told[0, 0] > 0 > told[1, 0]
    assert 0 < told[-1, 0] < told[0, 0] / 10


def test_with_few_matches_a_vote_is_valued_by_the_preferences_of_the_voters(match, talk):
    view, language = match.view(0), talk.language
    outlook = look_out(view, language, np.array([3], np.uint64), Budget(8), [1, 0])
    liked = {number: each[0] for number, each in outlook.liking.items()}
    best, worst = (match.game.actions.code(pick(liked, key=liked.__getitem__)) for pick in (max, min))
    for seat in (0, 1):
        worths = [outlook.worth(seat, language.parse_deed(code)) for code in (best, worst)]
        assert worths[0].by_seat[0] > worths[1].by_seat[0]
    greedy = match.game.actions.code(bot("greedy", 1).choose(view))
    assert liked[match.game.actions.number(greedy)] == max(liked.values())


def talk_of(seed: int, game: str, players: int, redealt: int | None = None) -> list[list[Statement]]:
    """Return each seat's statements in a match; `redealt` draws again everything that the seat cannot see."""
    match, greedy, told = Match(load(game), seed=seed, players=players), bot("greedy", seed), []
    for step in range(13):
        for seat in range(players) if step % 3 == 0 else ():
            view = match.view(seat) if redealt is None else Match.from_view(match.view(seat), redealt).view(seat)
            told.append(Bargainer("greedy", "bold", mix_seed(seed, seat)).speak(view, heard(None, match, seat)))
        match.play(greedy.choose(match.view(match.to_act[0])), match.to_act[0])
    return told


@pytest.mark.parametrize(("game", "players"), GAMES)
def test_statements_in_worlds_that_look_the_same_are_the_same(game, players, hasty):
    assert talk_of(2, game, players) == talk_of(2, game, players, redealt=11)


QUESTIONS = {
    "lifeboats": ("request to 0 {} now", "offer to 0 aloud {} now if {} now"),
    "voyage": ("request to 0 {} now", "ask to 0 role *"),
    "fairies": ("request to 0 {} now", "ask to 0 hold *"),
    "expedition": ("request to 0 {} now", "ask to 0 seek *"),
    "tournament": ("request to 0 {} now", "ask to 0 hold *"),
}


def answers_of(game: str, players: int, level: str, redealt: int | None = None) -> list[list[Statement]]:
    """Return seat 0's answers in a match; `redealt` draws again everything that the seat cannot see."""
    match, greedy = Match(load(game), seed=6, players=players), bot("greedy", 6)
    language, told = language_of(match.game), list[list[Statement]]()
    for step in range(400):
        if match.over or len(told) >= 4:
            break
        codes = match.legal_codes(0) if 0 in match.to_act else []
        code = next((code for code in codes if code.split()[0] in language.deeds), "")
        if code and not match.open and len(codes) > 1:
            talk, world = Conversation(language), match if redealt is None else Match.from_view(match.view(0), redealt)
            for line in QUESTIONS[game]:
                with suppress(NotAskedNow):  # the other decides nothing now that seat 0 could offer
                    say(talk, world, 1 + step % (players - 1), line.format(code, f"not {code}"))
            player = Bargainer(level, "gambler", 3, iterations=40 if LEVELS[level].searches else None)
            told.append(player.answer(world.view(0), Heard.of(world.game, talk, 0, len(match.history))))
        seat = match.to_act[0]
        match.play(greedy.choose(match.view(seat)), seat)
    return told


@pytest.mark.parametrize("level", BARGAINING_LEVELS)
@pytest.mark.parametrize(("game", "players"), GAMES)
def test_answers_in_worlds_that_look_the_same_are_the_same(game, players, level):
    as_it_is = answers_of(game, players, level)
    assert as_it_is == answers_of(game, players, level, redealt=11)
    assert {each.act for answers in as_it_is for each in answers} & {Act.ACCEPT, Act.DECLINE}
    assert len(as_it_is) > 2


def test_others_whispers_change_nothing_of_what_it_says_and_plays(match, talk):
    silence = heard(talk, match, 0)
    say(talk, match, 1, "promise to 2 vote not red now")
    say(talk, match, 2, "promise to 1 vote green now")
    for seed in range(3):
        one, other = (Bargainer("search", "bold", seed, iterations=80) for _ in range(2))
        view, whispers = match.view(0), heard(talk, match, 0)
        assert one.speak(view, silence) == other.speak(view, whispers)
        assert one.choose(view, silence) == other.choose(view, whispers)


def test_an_honest_seat_claims_a_role_that_is_liked_and_a_liar_the_best_liked():
    merchant, traitor, sailor = (Known("role", (place,)) for place in range(3))
    liked = {merchant: 0.3, traitor: -0.2, sailor: 0.1}
    assert fact_to_claim(merchant, liked, TEMPERS["faithful"]) == merchant
    assert fact_to_claim(traitor, liked, TEMPERS["faithful"]) is None
    assert fact_to_claim(traitor, liked, TEMPERS["treacherous"]) == merchant
    assert fact_to_claim(traitor, {}, TEMPERS["treacherous"]) is None


def test_claims_weigh_on_beliefs_by_trust():
    match = Match(load("voyage"), seed=4, players=5)
    talk = Conversation(language_of(match.game))
    say(talk, match, 1, "claim role merchant")
    listener = heard(talk, match, 0)
    worlds = np.concatenate([Match.from_view(match.view(0), seed).states_at(0) for seed in range(60)])
    tempers = TEMPERS["gambler"], TEMPERS["careful"]
    trusting, doubting = (weigh_claims(match.view(0), listener, temper)(worlds) for temper in tempers)
    merchant = worlds["hand"]["role"][:, 1] == 3
    assert merchant.any()
    assert trusting[merchant].min() > trusting[~merchant].max()
    ratio = [found[merchant][0] / found[~merchant][0] for found in (trusting, doubting)]
    assert ratio[0] > ratio[1] > 1


def test_a_conversation_of_bots_follows_from_its_seed_and_leaves_nothing_open(hasty):
    def talk(seed, actions=10**6):
        match = Match(load("lifeboats"), seed=1, players=3, moves=2)
        tempers = ("bold", "faithful", "gambler")
        table = Talk(match, [Bargainer("greedy", temper, seed + place) for place, temper in enumerate(tempers)])
        while match.to_act and len(match.history) < actions:
            table.open_decision(np.array([seed + len(match.history)], np.uint64))
            chosen = {seat: table.choose(seat) for seat in match.to_act}
            for seat, number in chosen.items():
                table.play(number, seat)
        return [(said.number, said.moment, said.statement, said.status) for said in table.talk.said]

    first, begun = talk(5), talk(5, 60)
    assert [said[:3] for said in begun] == [said[:3] for said in first[: len(begun)]]
    assert len(first) > len(begun) > 5
    assert not {status for *_, said, status in first if said.act is Act.PROMISE} & {Status.OPEN, Status.ACCEPTED}
    assert begun != talk(6, 60)


def test_of_long_turns_is_spoken_although_chance_falls_in_them(hasty):
    """In Fairies cards are drawn before any seat can be robbed."""
    match = Match(load("fairies"), seed=1, players=3)
    table = Talk(match, [Bargainer("greedy", "reckoner", seed) for seed in range(3)])
    while match.to_act and not table.talk.said:
        table.open_decision(np.array([len(match.history)], np.uint64))
        table.play(table.choose(match.to_act[0]), match.to_act[0])
    assert table.talk.said[0].statement.act is Act.REQUEST


def test_a_word_is_judged_although_chance_falls_at_once_after_the_deed():
    match, greedy = Match(load("expedition"), seed=11, players=3), bot("greedy", 1)
    fallen = 0
    while fallen < 3:
        seat, table = match.to_act[0], Talk(match, [greedy] * 3)
        arrows = [code for code in match.legal_codes(seat) if code.startswith("arrow")]
        if not arrows:
            match.play(greedy.choose(match.view(seat)), seat)
            continue
        said = say(table.talk, match, seat, f"promise {arrows[0]} now")
        before = len(match.history)
        table.play(match.game.actions.number(arrows[0]), seat)
        fallen += match.history[-1][0] != seat
        assert (said.status, said.judged_at) == (Status.KEPT, Moment(before + 1))


def test_what_is_none_is_refused():
    with pytest.raises(BadTemper, match="expected one of faithful"):
        Bargainer("search", "merry")
    with pytest.raises(BadBot, match="greedy or search"):
        Bargainer("random", "bold")
