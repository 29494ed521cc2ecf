"""The promises of every game, tested on random matches: used by tests and by `tavola check GAME`.

A promise is a function that raises `Breach` with what was expected. There are promises about

- positions, tested at those of random matches with random options (`tavola.contract.samples`),
- whole matches, tested at their end,
- the folder, tested once (`tavola.contract.folder`),
- and the code, tested in other processes (`tavola.contract.processes`).
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from tavola.contract.folder import SPOKEN_CHECKS
from tavola.contract.positions import documents_give_the_position_back, nonsense_is_refused_by_name
from tavola.contract.redeals import notes_are_compared_with_the_hands, redeals_agree_with_the_view
from tavola.contract.samples import (
    GUARD,
    MOST_ACTIONS,
    Breach,
    Sample,
    actor,
    draw_samples,
    expect,
    expect_no_faults,
    legal,
    list_actions,
    pick,
    random_legal_action,
    random_options,
    redealt,
    states_of,
    to_act,
    weights_are_fair,
)
from tavola.contract.symmetry import policies_are_symmetric
from tavola.core import kernels
from tavola.core.compilation import UNCOMPILED
from tavola.core.errors import IllegalAction, NotYourTurn
from tavola.core.game import CHANCE, Game
from tavola.core.match import Match, initial_states, read_record, seat_name
from tavola.core.matchfile import replay_history
from tavola.core.plan import Plan, make_plan
from tavola.core.rng import random_below, stream
from tavola.core.view import View, seats_in

MATCHES = 5 if UNCOMPILED else 20
"""Number of random matches that must end before positions are tried, since trying plays matches to their end."""
PLAN_STEPS = 4
"""Number of steps that are planned ahead."""


# Promises about a position


def asking_changes_nothing(w: Sample) -> None:
    """`to_act`, `legal` and `score` leave the state as it is, and answer the same when asked again."""
    before = w.states.tobytes()
    expect(_rebuild_position(w) == before, "to_act changes the state: expected no change")  # the match has called it
    for ask in ("to_act", "legal", "score"):
        first, second = _ask_rule(w, ask), _ask_rule(w, ask)
        expect(w.states.tobytes() == before, f"{ask} changes the state: expected no change")
        expect(first == second, f"{ask} answers {first}, then {second}: expected the same answer twice")


def _rebuild_position(w: Sample) -> bytes:
    """Return the position as it was right after `start` or after the last action."""
    if not w.match.history:
        return initial_states(w.game, w.match.options).tobytes()
    states = w.game.copy_states(w.before)
    kernels.apply_at(states, 0, *w.match.history[-1])
    return states.tobytes()


def _ask_rule(w: Sample, ask: str) -> object:
    if ask == "to_act":
        return to_act(w.states)
    if ask == "legal":
        return [legal(w.game, w.states, seat) for seat in w.match.to_act]
    points, places = (np.full(w.match.players, GUARD, np.int64) for _ in range(2))
    kernels.score_at(w.states, 0, points, places)
    return points.tolist(), places.tolist()


def only_seats_at_the_table_act(w: Sample) -> None:
    """Only seats at the table are to act, or only chance; other seats have no legal action, and cannot play one."""
    mask, everybody = to_act(w.states), (1 << w.match.players) - 1
    seats = mask & ~kernels.OPEN_BIT
    allowed = mask == 1 << CHANCE or not seats & ~everybody
    expect(allowed, f"to_act names {seats_in(mask)}: expected seats below {w.match.players}, or only chance")
    for seat in (*w.players, CHANCE):
        if seat not in w.match.to_act:
            expect(not w.match.legal_numbers(seat), f"{seat_name(seat)} is not to act but has legal actions")
    idle = next((seat for seat in w.players if seat not in w.match.to_act), None)
    if idle is not None:
        expect(_is_refused(w, 0, idle, NotYourTurn), f"seat {idle} is not to act: expected its action to be refused")
    for seat in w.match.to_act[:1]:
        illegal = set(range(len(w.game.actions))) - set(w.match.legal_numbers(seat))
        wrong = min(illegal, default=len(w.game.actions))
        expect(_is_refused(w, wrong, seat, IllegalAction), f"{list_actions(w.game, [wrong])}: expected a refusal")


def _is_refused(w: Sample, number: int, seat: int, kind: type[IllegalAction]) -> bool:
    try:
        w.match.play(number, seat)
    except kind:
        return w.match.state_bytes() == w.past[-1]
    return False


def legal_actions_are_sorted(w: Sample) -> None:
    """A seat to act has at least one action of the game, ascending, each once; chance's weights are positive."""
    for seat in w.match.to_act:
        who, (actions, weights) = seat_name(seat), legal(w.game, w.states, seat)
        expect(actions, f"{who} is to act: expected at least one legal action, found none")
        ordered = all(a < b for a, b in pairwise(actions))
        expect(ordered, f"legal actions of {who} are {actions}: expected them ascending, without duplicates")
        fair = weights_are_fair(w.game, actions, weights)
        expect(fair, f"chance's weights are {weights}: expected positive weights with a sum below 2**31")


def pieces_are_conserved(w: Sample) -> None:
    """`faults` and `history_faults` find no fault in a position that was reached by play."""
    expect_no_faults(w.game, w.states, "faults")


def views_are_enough(w: Sample) -> None:
    """A view is enough to compute the seats to act and the legal actions of its seat."""
    for seat in w.players:
        view = w.match.view(seat)
        expect(view.to_act == w.match.to_act, f"to_act of seat {seat}'s view is {view.to_act}, not {w.match.to_act}")
        own = tuple(w.match.legal_numbers(seat))
        said = f"seat {seat} can play {list_actions(w.game, own)}, by its view {list_actions(w.game, view.legal)}"
        expect(view.legal == own, f"legal reads more than the table and the seat's hand: {said}")


def hidden_parts_are_not_read(w: Sample) -> None:
    """`to_act` reads only the table, `legal` only the table and the seat's own hand; other bytes do not matter."""
    noise = w.game.states(1)
    for seat in (*w.players, None):
        fresh = np.random.default_rng(int(random_below(w.rng, 2**31 - 1)))
        noise[:] = np.frombuffer(fresh.bytes(noise.nbytes), noise.dtype)
        noise["table"] = w.states["table"]
        if seat is not None:
            noise["hand"][:, seat] = w.states["hand"][:, seat]
        expect(to_act(noise) == to_act(w.states), "to_act reads more than the table: hidden parts change its answer")
        same = View(w.game, noise, seat) == View(w.game, w.states, seat)
        expect(same, f"parts hidden from seat {seat} change its view")
        if seat in w.match.to_act and seat is not None:
            free, bound = legal(w.game, noise, seat), legal(w.game, w.states, seat)
            said = f"{list_actions(w.game, bound[0])} becomes {list_actions(w.game, free[0])} when hidden parts change"
            expect(free == bound, f"legal reads more than the table and the seat's hand: for seat {seat} {said}")


def ballots_are_secret(w: Sample) -> None:
    """In a secret ballot no seat sees another's choice before all have chosen, and the order does not matter."""
    if len(w.match.to_act) < 2 or w.match.open:
        return
    first, second = w.match.to_act[0], pick(w.rng, w.match.to_act[1:])
    mine, theirs = (legal(w.game, w.states, seat)[0] for seat in (first, second))
    one, other = _states_after(w, (first, mine[0])), _states_after(w, (first, mine[-1]))
    for seat in (*(seat for seat in w.players if seat != first), None):
        said = f"{list_actions(w.game, [mine[0]])} from {list_actions(w.game, [mine[-1]])}"
        same = View(w.game, one, seat) == View(w.game, other, seat)
        expect(same, f"seat {seat} can distinguish seat {first}'s {said}")
    still = to_act(one) >> second & 1 and legal(w.game, one, second)[0] == theirs
    expect(still, f"an action of seat {first} changes the simultaneous choices of seat {second}")
    move, answer = (first, mine[0]), (second, theirs[-1])
    same = _states_after(w, move, answer).tobytes() == _states_after(w, answer, move).tobytes()
    expect(same, f"seats {first} and {second} decide simultaneously, but their order changes the state")


def drafts_are_secret(w: Sample) -> None:
    """An open action that leaves the table unchanged is a draft: other seats neither see nor hear it."""
    for seat in w.match.to_act if w.match.open else ():
        for action in _spread(legal(w.game, w.states, seat)[0]):
            after = _states_after(w, (seat, action))
            if after["table"].tobytes() == w.states["table"].tobytes():
                _nobody_notices(w, seat, action, after)


def _nobody_notices(w: Sample, seat: int, action: int, after: np.ndarray) -> None:
    said = f"seat {seat} drafts {list_actions(w.game, [action])}"
    for other in (*(other for other in w.players if other != seat), None):
        same = View(w.game, after, other) == View(w.game, w.states, other)
        expect(same, f"{said} and seat {other} sees it: expected everything that others see to be on the table")
        unheard = w.game.observe_action(seat, action, other) is None
        expect(unheard, f"{said} and others hear it: expected the verb to be secret")


def _states_after(w: Sample, *moves: tuple[int, int]) -> np.ndarray:
    states = w.game.copy_states(w.states)
    for seat, action in moves:
        kernels.apply_at(states, 0, seat, action)
    return states


def plans_come_true(w: Sample) -> None:
    """A seat sees the same after planning its own steps as after playing them."""
    for seat in w.match.to_act if any(verb.planned for verb in w.game.actions.verbs) and not w.match.over else ():
        if seat != CHANCE:
            _comes_true(w, seat, _random_plan(w, seat))


def _random_plan(w: Sample, seat: int) -> Plan:
    planned = make_plan(w.match.view(seat), ())
    for _ in range(PLAN_STEPS):
        able = [number for number in planned.view.legal if w.game.actions.verb(number).planned]
        if planned.stop or not able:
            break
        planned = planned.with_step(pick(w.rng, able))
    return planned


def _comes_true(w: Sample, seat: int, planned: Plan) -> None:
    foreseen = planned.numbers[:-1] if planned.stop == "unseen" else planned.numbers
    states, said = w.game.copy_states(w.states), f"seat {seat} plans {list_actions(w.game, planned.numbers)}"
    for number in foreseen:
        able = number in legal(w.game, states, seat)[0]
        expect(able, f"{said}: {list_actions(w.game, [number])} is not legal when played")
        kernels.apply_at(states, 0, seat, number)
    same = View(w.game, states, seat) == planned.view
    expect(same, f"{said} but sees something else when it is played: expected the verb not to be planned")


def what_is_heard_is_seen(w: Sample) -> None:
    """A seat hears only what it also sees of an action: actions that look alike to it must be secret."""
    for seat in w.match.to_act:
        for hearer in (pick(w.rng, [p for p in w.players if p != seat]), None):
            _heard_is_seen(w, seat, hearer)


def _heard_is_seen(w: Sample, seat: int, hearer: int | None) -> None:
    met: dict[View, tuple[int, bytes]] = {}
    for action in _spread(legal(w.game, w.states, seat)[0]):
        after = _states_after(w, (seat, action))
        other, stored = met.setdefault(View(w.game, after, hearer), (action, after.tobytes()))
        apart = w.game.observe_action(seat, action, hearer) != w.game.observe_action(seat, other, hearer)
        who = "a spectator" if hearer is None else seat_name(hearer)
        said = f"{who} hears {list_actions(w.game, [other])} from {list_actions(w.game, [action])}"
        same = not apart or stored == after.tobytes()
        expect(same, f"{said} but sees no difference: expected the verb to be secret")


def _spread(actions: Sequence[int]) -> Sequence[int]:
    return actions[:: max(1, len(actions) // 8)]


def copies_play_alike(w: Sample) -> None:
    """Every action changes its state, in the same way on every copy, and leaves other copies unchanged."""
    before = w.states.tobytes()
    for seat in w.match.to_act:
        for action in _spread(legal(w.game, w.states, seat)[0]):
            one, other = _states_after(w, (seat, action)), _states_after(w, (seat, action))
            said = f"{seat_name(seat)} plays {list_actions(w.game, [action])}"
            expect(one.tobytes() == other.tobytes(), f"{said}: two copies differ afterwards")
            expect(w.states.tobytes() == before, f"{said}: another copy of the state changes too")
            expect(one.tobytes() != before, f"{said}: nothing changes")


def points_can_be_counted(w: Sample) -> None:
    """The public view is enough to count the points: at the end, and also before unless they are secret."""
    if w.game.secret_points and not w.match.over:
        return
    counted, standing = w.match.view().standing, w.match.score()
    said = f"counted from the table, points and places are {counted.points} and {counted.ranks}"
    expect(counted == standing, f"{said}: expected {standing.points} and {standing.ranks}")


def time_can_run_out(w: Sample) -> None:
    """The action played when time runs out is legal and depends on the seat's own view only; a race always has one."""
    if (clock := w.game.clock) is None:
        return
    for seat in [seat for seat in w.match.to_act if seat != CHANCE]:
        numbers, hidden = legal(w.game, w.states, seat)[0], redealt(w.match.view(seat), w.rng)
        told, again, other = (clock(View(w.game, states, seat)) for states in (w.states, w.states, hidden))
        expect(told == again == other, f"clock of seat {seat} returns {told}, then {again}, {other}: expected the same")
        answers = told is not None or not any(map(w.game.is_race_answer, numbers))
        expect(answers, f"seat {seat} is in a race and clock returns None: expected a wrong answer")
        if told is None:
            continue
        said, codes = f"clock plays {told.code!r} for seat {seat}", [*map(w.game.actions.code, numbers)]
        expect(told.code in codes, f"{said}: expected one of {', '.join(codes[:12])}")
        expect(told.patiences > 0, f"clock gives seat {seat} {told.patiences} patiences: expected a positive number")


def what_is_unchanged_is_told_by_views(w: Sample) -> None:
    """In an open decision, every legal action counts as unchanged from itself, whatever is hidden."""
    if (unchanged := w.game.unchanged) is None:
        return
    for seat in w.match.to_act if w.match.open else ():
        view = w.match.view(seat)
        hidden = View(w.game, redealt(view, w.rng), seat)
        for number in view.legal:
            said = f"{list_actions(w.game, [number])} of seat {seat}"
            expect(unchanged(view, hidden, number) is True, f"{said} counts as changed: expected it to be unchanged")


def what_rooms_time_stands_alone(w: Sample) -> None:
    """Outcomes that a room delays or races are chance's only ones then; races are between seats at the table."""
    numbers = w.match.legal_numbers(CHANCE)
    told = f"chance may do {list_actions(w.game, numbers)}"
    for timed, said in ((w.game.is_suspense, "delayed"), (w.game.is_race_outcome, "raced")):
        kinds = {w.game.actions.verb(number).name if timed(number) else "" for number in numbers}
        expect(len(kinds) <= 1, f"{told}: expected {said} outcomes of one verb and no others")
    seats = [w.game.race_winner(number) for number in numbers if w.game.is_race_outcome(number)]
    known = all(seat is None or seat in w.players for seat in seats)
    expect(known, f"{told}: expected races between seats at the table")


POSITION_CHECKS: tuple[Callable[[Sample], None], ...] = (
    asking_changes_nothing,
    only_seats_at_the_table_act,
    legal_actions_are_sorted,
    pieces_are_conserved,
    documents_give_the_position_back,
    nonsense_is_refused_by_name,
    views_are_enough,
    hidden_parts_are_not_read,
    ballots_are_secret,
    drafts_are_secret,
    plans_come_true,
    what_is_heard_is_seen,
    copies_play_alike,
    points_can_be_counted,
    time_can_run_out,
    what_is_unchanged_is_told_by_views,
    what_rooms_time_stands_alone,
    policies_are_symmetric,
)


# Promises about a whole match


def records_give_the_match_back(w: Sample) -> None:
    """The text of a record, read and replayed by code and by the replay kernel, ends in the same bytes."""
    record = w.match.record()
    read = read_record(str(record))
    expect(read == record, "reading the record's text gives a different record")
    again = Match(w.game, read.options)
    for seat, code in read.actions:
        again.play(code, seat)
    expect(again.state_bytes() == w.past[-1], "replaying the record ends in a different position")
    compact = replay_history(w.game, w.match.options, w.match.history)
    expect(compact.tobytes() == w.past[-1], "the replay kernel ends in a different position")


def old_positions_stay(w: Sample) -> None:
    """Undoing every action passes through every position of the match, unchanged."""
    again = w.match.copy()
    for stored in reversed(w.past[:-1]):
        again.undo()
        expect(again.state_bytes() == stored, f"undoing to {len(again.history)} actions gives a different position")


def places_follow_points(w: Sample) -> None:
    """At the end every seat has a place, ties share a place, and more points are never a worse place."""
    result = w.match.score()
    expect(w.match.result() == result, "the result differs from the score at the end")
    for seat, place in enumerate(result.ranks):
        better = 1 + sum(other < place for other in result.ranks)
        expect(place == better, f"places are {result.ranks}: expected seat {seat} in place {better}")
        for other, points in enumerate(result.points):
            fair = points <= result.points[seat] or result.ranks[other] <= place
            expect(fair, f"points {result.points}, places {result.ranks}: expected more points never to be worse")


MATCH_CHECKS: tuple[Callable[[Sample], None], ...] = (
    records_give_the_match_back,
    old_positions_stay,
    places_follow_points,
    redeals_agree_with_the_view,
    notes_are_compared_with_the_hands,
)


# All together


def matches_end(game: Game, seed: int = 1, count: int = MATCHES) -> None:
    """Random matches end."""
    for number in range(count):
        rng = stream(seed, number)
        match = Match(game, random_options(game, rng))
        states, played = states_of(game, match.state_bytes()), 0
        while mask := to_act(states):
            seat = actor(mask, rng)
            kernels.apply_at(states, 0, seat, random_legal_action(game, states, seat, rng))
            played += 1
            expect(played < MOST_ACTIONS, f"match {number} of seed {seed} does not end within {MOST_ACTIONS} actions")


def run_check(check: Callable[..., None], *arguments: object, world: Sample | None = None) -> None:
    """Test one promise. Any exception becomes a `Breach` that names the promise and the match."""
    try:
        check(*arguments)
    except Exception as error:
        raise _breach(error, check.__name__.replace("_", " "), world) from error


def _breach(error: Exception, name: str, world: Sample | None) -> Breach:
    message = error.message if isinstance(error, Breach) else f"{type(error).__name__}: {error}"
    if world is None:
        return Breach(message, name)
    return Breach(message, name, world.seed, world.number, str(world.match.record()))


def _raise_breach(breach: Breach) -> None:
    raise breach


@dataclass(frozen=True)
class SampleSettings:
    """Settings of `try_positions`.

    One in `share` positions of a match is tried, and its last, so that positions come from many matches. `thorough`
    redeals views for all seats at every position. `on_progress` is called with the number of positions done.
    `on_breach` is called with a breach; unless it raises it, the other promises are tested further.
    """

    share: int = 1
    thorough: bool = False
    on_progress: Callable[[int], None] = lambda done: None
    on_breach: Callable[[Breach], None] = _raise_breach


RULES_CHECKS: tuple[Callable[[Sample], None], ...] = (*POSITION_CHECKS, *MATCH_CHECKS)
EVERY_CHECK: tuple[Callable[[Sample], None], ...] = (*POSITION_CHECKS, *SPOKEN_CHECKS, *MATCH_CHECKS)


def try_positions(
    game: Game,
    count: int,
    seed: int,
    checks: Sequence[Callable[[Sample], None]] = RULES_CHECKS,
    manner: SampleSettings = SampleSettings(),
) -> None:
    """Test promises about positions and matches on `count` positions.

    A match that has begun is played to its end, so slightly more positions may be tried.
    """
    left, done, number = list(checks), 0, 0
    while done < count and left:
        for world in _tried_positions(game, seed, number, manner):
            for check in [check for check in left if world.match.over or check not in MATCH_CHECKS]:
                try:
                    run_check(check, world, world=world)
                except Breach as breach:
                    manner.on_breach(breach)
                    left.remove(check)
            done += 1
            manner.on_progress(done)
        number += 1


def _tried_positions(game: Game, seed: int, number: int, manner: SampleSettings) -> Iterator[Sample]:
    """Yield the positions of a match that are tried. Rules that fail during play are a breach with the match."""
    world: Sample | None = None
    try:
        for world in draw_samples(game, seed, number):
            world.thorough = manner.thorough
            if world.select(manner.share):
                yield world
    except Exception as error:
        raise _breach(error, "matches can be played", world) from error
