"""Statements are judged once, by the whole history, and as soon as everyone can know the outcome."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tavola.core import Moment
from tavola.games import load, names
from tavola.talk import Act, Conversation, Said, Status, language_of, read_talk, record_text
from tests.helpers.matches import ballot
from tests.helpers.talk import History, SlowJudge, play, say

PLAYERS = {"lifeboats": 4, "voyage": 4, "fairies": 3, "expedition": 3, "tournament": 3}
JUDGED = (Status.KEPT, Status.BROKEN, Status.VOID)


def history(name: str, seed: int) -> History:
    return History(load(name), PLAYERS[name], seed, 0.35)


def expected(judge: SlowJudge, said: Said) -> tuple[str, int]:
    """Return the slow judge's status of a statement, and the moment from which it is known."""
    spoken, talk = said.statement, judge.history.talk
    if spoken.fact is not None:
        about = spoken.speaker if spoken.about is None else spoken.about
        true = judge.is_true(about, talk.language.fact_text(spoken.fact), said.moment.actions)
        return ("kept" if true else "broken"), judge.end
    if spoken.act is Act.ACCEPT:
        asked = talk.said[spoken.answers - 1]
        return verdict(judge, spoken.speaker, asked.statement.condition or asked.statement.deed, asked.moment)
    told, known = verdict(judge, spoken.speaker, spoken.deed, said.moment)
    if spoken.condition is None:
        return told, known
    condition, met = verdict(judge, spoken.to, spoken.condition, said.moment)
    return (told, max(known, met)) if condition == "kept" else ("void", 0)


def verdict(judge: SlowJudge, seat: int, deed, moment: Moment) -> tuple[str, int]:
    text = judge.history.talk.language.deed_text(deed.pattern)
    return judge.verdict(seat, text, str(deed.when), moment.actions)


def check(name: str, seed: int) -> None:
    played = history(name, seed)
    judge, numbers = SlowJudge(played), [number for number, _ in played.settled]
    assert len(numbers) == len(set(numbers)), "a statement was judged twice"
    for said in played.talk.said:
        assert not said.is_standing, f"{said} stands at the end"
        assert said.status is not Status.OPEN
        if said.status in JUDGED and said.statement.act not in (Act.REQUEST, Act.ASK):
            told, known = expected(judge, said)
            assert (str(said.status), said.number) == (told, said.number), said
            assert said.judged_at.actions >= known, f"{said} was judged too early: nobody knew before {known}"


@pytest.mark.parametrize("name", names())
def test_every_statement_comes_to_what_the_slow_judge_says(name):
    @given(st.integers(0, 2**31))
    @settings(max_examples=5, deadline=None)
    def run(seed):
        check(name, seed)

    run()


@pytest.mark.soak
@pytest.mark.parametrize("name", names())
def test_every_statement_comes_to_what_the_slow_judge_says_at_length(name):
    for seed in range(300):
        check(name, seed)


def test_all_that_can_become_of_a_statement_becomes_of_some():
    met = set()
    for name in ("lifeboats", "voyage"):
        for seed in range(15):
            met |= {(said.statement.act, said.status) for said in history(name, seed).talk.said}
    assert {(Act.PROMISE, status) for status in (*JUDGED, Status.WITHDRAWN)} <= met
    assert {status for act, status in met if act is Act.REQUEST} >= {Status.ACCEPTED, Status.DECLINED, Status.VOID}
    assert {status for act, status in met if act is Act.ACCEPT} & {Status.KEPT, Status.BROKEN}
    assert {(Act.OFFER, Status.VOID), (Act.THANK, None)} <= met


@pytest.mark.parametrize(
    ("line", "card", "choice", "status"),
    [
        ("promise vote not yellow now", "captain", "yellow", Status.BROKEN),
        ("promise not vote yellow now", "captain", "yellow", Status.BROKEN),
        ("promise vote not yellow now", "captain", "green", Status.KEPT),
        ("promise vote yellow now", "captain", "yellow", Status.KEPT),
        ("promise vote yellow now", "captain", "green", Status.BROKEN),
        ("promise vote captain now", "captain", "green", Status.KEPT),
        ("promise vote not captain now", "captain", "green", Status.BROKEN),
    ],
)
def test_a_promise_about_a_vote_covers_the_choice_that_a_captain_gives(line, card, choice, status):
    match = ballot()
    talk = Conversation(language_of(match.game))
    said = say(talk, match, 0, line)
    for seat, played in enumerate((card, "red", "red", "red")):
        play(talk, match, f"vote {played}", seat)
    assert match.to_act == (0,)
    is_settled = "captain" in line or card == "yellow"
    assert (said.status is Status.OPEN) is not is_settled, "the captain decides now"
    settled = match.moment
    play(talk, match, f"choose {choice}", 0)
    assert (said.status, said.judged_at) == (status, settled if is_settled else match.moment)


@pytest.mark.parametrize("name", names())
def test_a_record_holds_the_talk_and_replays_it(name):
    played = history(name, 5)
    record = played.match.record()
    text = record_text(record, played.talk)
    again = read_talk(text, record.match())
    kept, told = ([(said.moment, said.statement, said.status) for said in talk.said] for talk in (again, played.talk))
    assert kept == told
    assert record_text(record, again) == text
    assert record_text(record, None) == str(record)
    assert read_talk(str(record), record.match()) is None
