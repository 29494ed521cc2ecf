"""The language of statements: parsing, writing, and refusals that name what was expected."""

import random

import pytest

from tavola import talk as talking
from tavola.core import Actions, BadRecord, Match, verb
from tavola.games import load, names
from tavola.show.cards import words_of
from tavola.show.speech import LANGUAGES, Say
from tavola.show.talk import Forms, Kind, Known, Talk, Topic
from tavola.show.words import Vocabulary
from tavola.talk import BadPattern, BadStatement, Conversation, NothingToAnswer, language_of, parse_line
from tavola.talk.conversation import MOST_STANDING
from tests.helpers.matches import ballot
from tests.helpers.talk import play, random_line, say, say_at_random

NAMES = ("Ada", "Bruno", "Carla", "Dario")
LIFEBOATS = language_of(load("lifeboats"))


@pytest.fixture
def match():
    return ballot()


@pytest.fixture
def talk():
    return Conversation(LIFEBOATS)


def tellers(game):
    """Return a teller in every language."""
    return {language: talking.Teller(language_of(game), Say.of(game, language, NAMES)) for language in LANGUAGES}


@pytest.mark.parametrize("name", names())
def test_every_statement_is_read_as_it_was_written(name):
    language, match, dice = language_of(load(name)), Match(load(name), seed=1), random.Random(1)
    talk = Conversation(language)
    for _ in range(300):
        try:
            statement = parse_line(0, random_line(talk, match, 0, dice), language)
        except BadStatement:
            continue
        assert parse_line(0, talking.statement_line(statement, language), language) == statement


def test_a_pattern_fits_what_it_says_and_nothing_else():
    votes = {"vote red", "vote green", "vote captain"}
    crews = {"crew officer green", "crew sailor green", "crew officer red"}
    tried = {*votes, *crews, "choose red"}
    fits = {
        "vote red": {"vote red"},
        "vote not red": votes - {"vote red"},
        "vote *": votes,
        "not vote red": tried - {"vote red"},
        "crew * green": {"crew officer green", "crew sailor green"},
        "crew officer not green": {"crew officer red"},
        "not crew * green": tried - {"crew officer green", "crew sailor green"},
    }
    actions = load("lifeboats").actions
    for text, codes in fits.items():
        pattern = LIFEBOATS.parse_deed(text)
        assert {code for code in tried if pattern.fits([Known(*actions.action(actions.number(code)))])} == codes


def test_a_condition_on_unseen_facts_is_undecided():
    pattern = talking.Pattern("courses", (talking.Slot(0), talking.Slot(3)))
    assert pattern.fits([Known("courses", (0, None))]) is None
    assert pattern.fits([Known("courses", (1, None))]) is False
    assert pattern.fits([Known("courses", (0, 3))]) is True


@pytest.mark.parametrize(
    ("line", "kind", "expected"),
    [
        ("shout vote red", BadStatement, "choose one of promise, request"),
        ("promise", BadStatement, "add deed"),
        ("promise sail north", BadPattern, "choose one of vote, choose"),
        ("promise vote", BadPattern, "one of red|green|violet"),
        ("promise vote pink", BadPattern, "“not” before it excludes it, “*” leaves it open"),
        ("promise vote red green", BadPattern, "says too much: write vote BALLOT"),
        ("promise vote not *", BadPattern, "write vote BALLOT"),
        ("offer vote red if vote green", BadStatement, "add to"),
        ("offer to 1 vote red", BadStatement, "add condition"),
        ("promise vote red if vote green", BadStatement, "leave out condition"),
        ("promise aloud vote red", BadStatement, "leave out aloud"),
        ("accept", BadStatement, "add a number"),
        ("accept two", BadStatement, "add a number"),
        ("promise to vote red", BadStatement, "add a seat"),
        ("claim role merchant", BadPattern, "choose one of vote"),
        ("accuse 1 vote red", BadStatement, "add fact"),
        ("", BadStatement, "“” isn’t an act of speech"),
    ],
)
def test_invalid_statements_are_refused_with_what_was_expected(line, kind, expected):
    with pytest.raises(kind) as refused:
        parse_line(0, line, LIFEBOATS)
    assert expected in str(refused.value)


def test_what_cannot_be_said_now_is_refused_with_what_was_expected(match, talk):
    say(talk, match, 0, "request to 1 vote red")
    say(talk, match, 2, "promise vote not red")
    unanswerable = (0, "accept 9"), (0, "accept 1"), (2, "accept 1"), (1, "accept 2"), (1, "withdraw 2")
    for speaker, line, kind in (
        (0, "promise to 0 vote red", BadStatement),
        (0, "promise to 4 vote red", BadStatement),
        (0, "request to 1 vote red", talking.SaidAlready),
        *((speaker, line, NothingToAnswer) for speaker, line in unanswerable),
    ):
        with pytest.raises(kind):
            say(talk, match, speaker, line)
    match.play("vote red", 1)
    late = (1, "promise vote red"), (0, "request to 1 vote green"), (0, "threat to 1 vote red if vote green")
    for speaker, line in late:
        with pytest.raises(talking.NotAskedNow, match="use “next” or “round”"):
            say(talk, match, speaker, line)
    assert [said.number for said in talk.said] == [1, 2]


def test_a_word_is_taken_back_until_the_card_lies(match, talk):
    say(talk, match, 0, "promise vote red")
    say(talk, match, 0, "withdraw 1")
    say(talk, match, 1, "promise vote red")
    say(talk, match, 2, "request to 1 aloud vote green")
    play(talk, match, "vote green", 1)
    for speaker, line in ((1, "withdraw 3"), (1, "accept 4")):
        with pytest.raises(NothingToAnswer):
            say(talk, match, speaker, line)
    assert [str(said.status) for said in talk.said] == ["withdrawn", "None", "open", "open"]


def test_an_unnoticeable_draft_step_settles_no_statement():
    match, talk = Match(load("tournament"), players=4, seed=1), Conversation(language_of(load("tournament")))
    while not match.open:
        seat = match.to_act[0]
        match.play(match.legal_numbers(seat)[0], seat)
    seat, actions = match.to_act[0], match.game.actions
    for number, secret in ((1, True), (3, False)):
        say(talk, match, seat, "claim buy now")
        before = match.view()
        match.play(next(n for n in match.legal_numbers(seat) if actions.verb(n).secret is secret), seat)
        assert (match.view() == before) == secret
        assert [each.number for each in talk.see(before, match)] == ([] if secret else [3])
        if secret:
            say(talk, match, seat, f"withdraw {number}")
    assert [str(said.status) for said in talk.said] == ["withdrawn", "None", "void"]


def test_at_most_so_many_stand(match, talk):
    deeds = [f"{a}{b}" for a in ("", "not ") for b in ("vote red", "vote green", "choose red", "choose green")]
    lines = [f"promise {deed} {when}" for deed in deeds for when in ("next", "round")]
    for line in lines[:MOST_STANDING]:
        say(talk, match, 0, line)
    with pytest.raises(talking.TooManyStand):
        say(talk, match, 0, lines[MOST_STANDING])


def test_an_accepted_offer_binds_each_partner_separately(match, talk):
    say(talk, match, 0, "offer to 1 vote red if vote red")
    say(talk, match, 1, "accept 1")
    for seat, card in enumerate(("green", "red", "black", "black")):
        settled = play(talk, match, f"vote {card}", seat)
        assert bool(settled) == (seat == 3), "nothing is judged before the cards are turned up"
    assert [str(said.status) for said in talk.said] == ["broken", "kept"]


@pytest.mark.parametrize("name", names())
def test_all_statements_are_whole_sentences(name):
    match, talk, dice = Match(load(name), seed=2), Conversation(language_of(load(name))), random.Random(2)
    told, speak = {language: set[str]() for language in LANGUAGES}, tellers(match.game)
    for _ in range(1500):
        said = say_at_random(talk, match, dice)
        if said is not None:
            for language, tell in speak.items():
                told[language].add(tell.statement(said, talk))
            said.status = None  # so that others may follow
    assert min(map(len, told.values())) > 60
    for sentence in set().union(*told.values()):
        assert not set(sentence) & set("{}<>"), sentence
        assert sentence[-1] in ".”»“", sentence


def test_a_sentence_is_negated_once():
    """What a statement excludes and denies at once: "I'm not not the Explorer" would be no sentence."""
    language = language_of(load("voyage"))
    claimed, talk = parse_line(0, "claim not role not explorer", language), Conversation(language)
    assert {spoken: tell.speech(claimed, talk) for spoken, tell in tellers(language.game).items()} == {
        "en": "I’m not anything but the Explorer.",
        "it": "Non sono altro che l’Esploratore.",
        "fr": "Je ne suis pas autre chose que l’Explorateur.",
        "de": "Ich bin nicht etwas anderes als der Entdecker.",
    }


def test_a_promise_written_in_italian_reads_in_german(match, talk):
    said = say(talk, match, 0, "promise vote not red")
    assert {language: tell.statement(said, talk) for language, tell in tellers(match.game).items()} == {
        "en": "Ada promises everyone: “I won’t vote red.”",
        "it": "Ada promette a tutti: «Non voto rosso.»",
        "fr": "Ada promet à tout le monde\u00a0: «\u202fJe ne vote pas rouge.\u202f»",
        "de": "Ada verspricht allen: „Ich stimme nicht für Rot.“",
    }


def test_others_see_only_that_a_whisper_was_made(match, talk):
    said = say(talk, match, 0, "offer to 1 vote red if vote captain")
    tell = tellers(match.game)["en"]
    assert [said.is_heard_by(eyes) for eyes in (0, 1, 2, None)] == [True, True, False, False]
    assert tell.whisper(0, 1) == "Ada whispers to Bruno."
    assert tell.statement(said, talk) == "Whispered: Ada offers Bruno: “Play a captain, and I’ll vote red.”"


@pytest.mark.parametrize("line", ["promise vote red", "request vote red", "ask vote *", "thank"])
def test_a_refused_answer_to_a_whisper_reveals_nothing_of_it(match, talk, line):
    """A player who did not hear it is refused in the same words, whatever it was."""
    act, _, rest = line.partition(" ")
    say(talk, match, 0, f"{act} to 1 {rest}".strip())
    for answer in ("accept 1", "decline 1"):
        with pytest.raises(NothingToAnswer, match="this wasn’t said to you"):
            talk.require(parse_line(2, answer, LIFEBOATS), match.view())


@pytest.mark.parametrize(("answer", "status"), [("promise vote red", "accepted"), ("promise to 2 vote red", "open")])
def test_a_question_that_all_heard_is_not_answered_by_a_whisper(match, talk, answer, status):
    asked = say(talk, match, 0, "ask vote *")
    say(talk, match, 1, answer)
    assert asked.status == status


def test_a_damaged_line_of_talk_is_refused_with_its_number(match):
    text = str(match.record()) + ";> 0 promise vote pink\n"
    with pytest.raises(BadRecord, match=r"line \d+: .*pink"):
        talking.read_talk(text, match)
    with pytest.raises(BadRecord, match=r"line \d+: expected a seat"):
        talking.read_talk(str(match.record()) + ";> promise\n", match)


def test_a_card_that_no_language_can_be_made_of_is_refused(monkeypatch):
    game = load("lifeboats")
    forms = Forms("i", "i not", "you", "you not")
    for bad in ("swim", "to"):
        card = Talk(kinds=(Kind((Topic(bad, forms),)),), vocabulary=Vocabulary())
        monkeypatch.setitem(words_of(game).__dict__, "talk", card)
        monkeypatch.setattr(game.rules, "ACTIONS", Actions(verb("to"), verb("vote")))
        language_of.cache_clear()
        with pytest.raises(TypeError, match="talk is about"):
            language_of(game)
    monkeypatch.undo()
    language_of.cache_clear()
