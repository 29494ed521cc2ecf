"""Tournament in a room, over real sockets: two accept the same offer, time runs out, a judgement is raced."""

import itertools
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

import tavola
from tavola.core import CHANCE
from tavola.live import Room
from tavola.live.log.dice import Dice
from tavola.live.time.delays import Suspense
from tests.helpers import PATIENCE
from tests.helpers.days import SiteClock
from tests.helpers.rooms import note_commits, run_out
from tests.helpers.site import Racer, Site, site_at
from tests.live.time.test_race_sockets import CLEARLY, HOLD, HUMANLY, insist, let_fall, seated

GAME = tavola.load("tournament")
KINDS = ("sword", "shield", "lance", "armour")
LAID = (("sword-2", "shield-2", "lance-1", "armour-1"), ("sword-1", "shield-1", "lance-2", "armour-2"))
"""Cards that the first two seats lay: each is higher in two boxes."""


def dealt():
    """Return the cards in the order of dealing, one each in turn, so that the first two seats get `LAID`."""
    others = [f"{kind}-{value}" for kind in KINDS for value in range(3, 7)] + ["joker"] * 3
    hands = [list(LAID[0]), list(LAID[1]), []]
    for hand in hands:
        hand += [others.pop() for _ in range(9 - len(hand))]
    return [card for row in zip(*hands, strict=True) for card in row]


def as_dealt(monkeypatch: pytest.MonkeyPatch):
    """Make chance deal the cards of `dealt()`; other outcomes stay random."""
    fair, cards = Dice.draw_outcome, itertools.cycle(dealt())

    def drawn(self, outcomes, weights):
        wanted = next((number for number in outcomes if GAME.actions.code(number).startswith("deal")), None)
        return fair(self, outcomes, weights) if wanted is None else GAME.actions.number(f"deal {next(cards)}")

    monkeypatch.setattr(Dice, "draw_outcome", drawn)


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    as_dealt(monkeypatch)
    with site_at(tmp_path / "t.sqlite", suspense=HOLD, clock=SiteClock()) as running:
        yield running


def three(site: Site, **fields) -> tuple[str, list[Racer]]:
    racers = [Racer(site.url, name) for name in ("Ada", "Bea", "Carla")]
    return seated(site.url, *racers, game="tournament", **{"option-players": "3"}, **fields), racers


def goods(room: Room):
    document = room.state.match.document()
    cards = sorted(card for hand in document["hands"] for card in hand["cards"])
    return cards, sum(hand["jokers"] for hand in document["hands"]), sum(document["purse"])


def test_of_two_simultaneous_accepts_of_an_offer_exactly_one_wins(site: Site):
    """The other is refused and loses nothing; no card and no sou is created or lost."""
    code, (ada, bruno, carla) = three(site)
    before, purses = goods(site.room(code)), ada.state["view"]["table"]["purse"]
    given, prompt = ada.state["view"]["hand"]["cards"][0], ada.state["prompt_id"]
    ada.send_command("play", codes=["offer all", f"give {given}", "charge 2", "publish"], prompt_id=prompt)
    for racer in (bruno, carla):
        racer.wait(lambda state: "accept 0 1" in state["legal"])
    asked = {racer: racer.play("accept 0 1") for racer in (bruno, carla)}
    ends = {racer.answer(command_id)["type"]: racer for racer, command_id in asked.items()}
    winner, loser = ends["acknowledged"], ends["refused"]
    end = loser.answer(asked[loser])
    assert (end["kind"], end["message"]) == ("Gone", f"{winner.name} was faster: this offer is taken (R11).")
    paid = {0: 2, 1 if winner is bruno else 2: -2}
    expected = [sous + paid.get(seat, 0) for seat, sous in enumerate(purses)]
    ada.wait(lambda state: state["view"]["table"]["purse"] == expected)
    assert goods(site.room(code)) == before
    winner.wait(lambda state: given in state["view"]["hand"]["cards"])
    assert given not in loser.state["view"]["hand"]["cards"]


def test_time_says_done_for_all_at_once(site: Site):
    """R13, F11: even for a player who has just made an offer; a seat that is done is not asked again."""
    code, (ada, bruno, carla) = three(site, patience="3600")
    commits, room = note_commits(site.hub), site.room(code)
    ends = site.call(room.caretaker.deadline, 1)
    insist(carla, "done")
    given = ada.state["view"]["hand"]["cards"][0]
    prompt = ada.wait(lambda state: state["seats"][2]["owes"] is False)["prompt_id"]
    ada.answer(ada.send_command("play", codes=["offer 1", f"give {given}", "charge 3", "publish"], prompt_id=prompt))
    assert site.call(room.caretaker.deadline, 0) == site.call(room.caretaker.deadline, 1) == ends
    site.call(run_out, room, 0, 1)
    bruno.wait(lambda state: "fight" in state["legal"])
    assert commits[-1] == ["done", "done"]
    assert not any(place.taken_over for place in room.state.occupants)


def test_time_says_done_for_bots_as_well(site: Site, monkeypatch: pytest.MonkeyPatch):
    """F11: for all remaining seats."""
    monkeypatch.setattr("tavola.live.caretaker.BARTER_FACTOR", 10_000.0)
    ada = Racer(site.url, "Ada")
    ada.enter(ada.create("tournament", patience="1", **{"option-players": "3", "bots": "2", "level": "greedy"}))
    commits = note_commits(site.hub)
    site.hub.settings = replace(site.hub.settings, bot_pause=1.0)
    ada.send_command("start")
    ada.wait(lambda state: "done" in state["legal"])
    ada.wait(lambda state: state["view"]["table"]["phase"] != "trade")
    assert ["done"] * 3 in commits


def armed(site: Site) -> tuple[str, list[Racer]]:
    """Return a match in which the first two have laid their cards, two points each: the tokens are in the air."""
    code, racers = three(site)
    for racer in racers:
        insist(racer, "done")
    ada, bruno, _ = racers
    for racer in (ada, bruno):
        racer.wait(lambda state: "fight" in state["legal"])
        racer.answer(racer.play("fight"))
    for kind, *cards in zip(KINDS, *LAID, strict=True):
        for racer, card in zip((ada, bruno), cards, strict=True):
            laying = f"equip {kind} {card.rpartition('-')[2]}"
            racer.wait(lambda state, laying=laying: laying in state["legal"])
            assert racer.answer(racer.play(laying))["type"] == "acknowledged"
    ada.wait(lambda state: state["view"]["table"]["phase"] in ("throw", "pointing"))
    return code, racers


def right_corner(racer: Racer) -> str:
    """Return the right answer, once the tokens have fallen."""
    duel = racer.wait(lambda state: "point all" in state["legal"])["view"]["table"]["duel"]
    by_count = {count: token for token, count in Counter(duel["tokens"]).items()}
    return f"point {by_count[1 if duel['dots'] == 1 else 2] if 2 in by_count else 'all'}"


def test_a_judgement_is_raced_by_two_people(site: Site):
    """Both see the tokens and point right; the quicker one gets the prize. The third player sees nothing before."""
    code, (ada, bruno, carla) = armed(site)
    assert carla.state["view"]["table"]["duel"]["tokens"] == ["none"] * 3
    assert site.room(code).state.match.to_act == (CHANCE,)
    let_fall(site, code)
    right = right_corner(ada)
    right_corner(bruno)
    time.sleep(HUMANLY)
    assert bruno.answer(bruno.play(right))["type"] == "acknowledged"
    time.sleep(CLEARLY)
    assert ada.answer(ada.play(right))["type"] == "acknowledged"
    log = [event.body for event in site.hub.store.events(code) if event.kind == "played"]
    assert next(body["code"] for body in log if body["code"].startswith("first")) == "first 1"
    reactions = [body["reaction"] for body in log if "reaction" in body]
    assert reactions[0][0] < reactions[1][0]
    assert carla.wait(lambda state: state["view"]["table"]["purse"][1] == 15)


SOONER = {  # after the verb, which has two persons
    "en": "answered faster than anyone can, so it counts as wrong.",
    "it": "risposto più in fretta di quanto sia possibile: vale come errore.",
    "fr": "répondu plus vite qu’il n’est possible\u00a0: cela compte comme une erreur.",
    "de": "schneller geantwortet, als es möglich ist: Das zählt als falsch.",
}


def test_too_early_answers_are_explained_to_their_player_and_then_to_all(site: Site, monkeypatch: pytest.MonkeyPatch):
    code, (ada, bruno, carla) = armed(site)
    let_fall(site, code)
    right = right_corner(ada)
    right_corner(bruno)
    monkeypatch.setattr("tavola.live.time.race.SHORTEST_REACTION", 3600.0)
    told = ada.answer(ada.play(right))["message"]
    assert told == "Too soon: no one can see and answer that fast. It counts as wrong."
    with site.guest() as guest:
        assert SOONER["en"] not in guest.get(f"/r/{code}").text  # it would show Bruno that he need not hurry
    monkeypatch.undo()
    time.sleep(HUMANLY)
    assert bruno.answer(bruno.play(right))["message"] == ""
    assert carla.wait(lambda state: state["view"]["table"]["purse"][1] == 15)
    for language, sentence in SOONER.items():
        with site.guest(language) as guest:
            assert sentence in guest.get(f"/r/{code}").text


def test_a_whole_match_with_bots_races_to_its_end(site: Site):
    """Over a socket, with all barters and judgements: reaction times are kept in races, and nowhere else."""
    settings = replace(site.hub.settings, suspense=Suspense(0.05, 0.0), clock=time.time)
    reflexes = itertools.cycle((0.15, 0.25))  # bots that are equally quick would tie for ever
    site.hub.settings = replace(settings, reflexes=lambda level, answers: next(reflexes))
    ada = Racer(site.url, "Ada")
    code = ada.create("tournament", **{"option-players": "3", "bots": "2", "level": "greedy", "option-rounds": "3"})
    ada.enter(code)
    ada.send_command("start")
    until = time.monotonic() + PATIENCE
    while ada.state["phase"] != "over":
        assert time.monotonic() < until, ada.state["view"]["table"]["phase"]
        legal = ada.state["legal"]
        if ada.state["prompt_id"] is not None:
            ada.answer(ada.play(next((code for code in legal if code in ("done", "fight", "pass")), legal[0])))
        time.sleep(0.02)
    log = [event.body for event in site.hub.store.events(code) if event.kind == "played"]
    assert all(("reaction" in body) == body["code"].startswith("point") for body in log)
