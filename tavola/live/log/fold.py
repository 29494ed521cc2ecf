"""The state of a room is the fold of its events by `apply_event`, so a restart loses nothing.

Kinds of events and their bodies:

    created   game, version, options, the fields of `Settings`, host {id, name}, again, maker; always first
    joined    seat, id, name, face, origin    takes or changes a seat, or the chosen face; `origin`: anonymised address
    left      seat                    gets up; a bot plays on in a running match; `spent` as in `played`
    bot       seat, level, name, face, temper
    ready     seat                    for a rematch, which begins when all are
    removed   seat                    by the host
    begins                            the host has begun; the match starts when its game is ready
    started
    played    seat, code              a decision, or chance's (seat 31); in a race also `reaction` [after, trip, jitter]
                                      in seconds, and after an answer that was too soon `meant`, the code of that
                                      answer; `ahead` if it was answered ahead; `spent` seconds of the seat's bank
    sealed    seat, code, spent       in correspondence, before a held outcome: an answer in the race after it
    held      until                   when the held outcome falls, in seconds since 1970; secret
    clocks    had                     a handover to another worker: patience used, by seat [number, seconds, whether
                                      it was renewed]; `spent` by seat: used of banks so far; secret
    due       seat, prompt, since, until, warn    in correspondence: when a decision was asked, its deadline, and when
                                      its person is to be warned
    warned    seat, prompt            little time is left
    banked    seat, prompt, since, until      its deadline has passed: the seat's time bank runs until `until`
    reminded  seat, prompt, since, until      that has passed, too: a bot decides at `until`; `spent` as in `played`
    missed    seat, prompt            `until` has passed, too: a bot or the game's clock makes this one decision
    nudged    seat, by                the seat `by` reminds a seat of the decision that it owes
    undo      seat, until             a request to take back the last decision of its person, in seconds since 1970
    allowed   seat                    agrees to it
    denied    seat                    does not, or no one has answered in time (null)
    undone    seat, to                the match is as it was after `to` actions
    voted     seat, by                the seat `by` wants a bot to go on for a seat whose time is up
    away      seat, until, [day]      its person is on holiday until then, in seconds since 1970, and until that day
    over      points, places          by seat; follows from the actions, stored for readers of the log
    taken     seat                    a bot decides for a person; `spent` as in `played`; `show` if the person chose
                                      to sit out: what they want to see, `rounds` or `end`
    returned  seat                    the person decides again

    pace      seat, pace              of scenes from now on
    said      id, name, seat, text
    gestured  id, name, seat, gesture
    window    until                   a ballot's choices can be changed until then, in seconds since 1970
    chosen    seat, code              a choice in the window; secret; `ahead`: the place of the answer ahead that it is
    enough    seat                    has talked enough
    unchanged                         a command that changed nothing: marks its id as done
    ahead     seat, place, codes,     an answer to a coming decision, empty if removed; `ended` is the reason:
              unless, when            `illegal`, `happened` or `played`; `place`: 1 to 3; secret to other seats
    closed                            the window's choices are played now
    spoke     seat, act and its parts: to, aloud, deed, condition, fact, about, answers; its outcome follows from the
              actions
    host      seat                    its person is the host from now on: the one before has vanished
    muted     id, speaker, muted      a person mutes a speaker, or unmutes them
    reported  id, speaker, lines      for the operator of the site
    noted     seat, about, mark       a private guess about another seat; an empty mark removes it
    erased    id, seat, speaker, was_host     a person is erased: their actions belong to this id, and all events
                                      before have been rewritten without them
    rematch   room                    the room of the rematch
    named     id, name                the operator has given a person another name
    shut                              the operator of the site has closed the room
    imported  record, names           a match played elsewhere

The first event of a command carries its id, so a person's decision has one and a bot's has none. Older logs lack the
fields for paces, for rematches that wait and for names of bots; they can still be read.
"""

import math
from collections.abc import Callable, Collection, Iterable
from typing import Any

from msgspec.structs import replace

from tavola import games
from tavola.core import CHANCE, Match, View, read_record
from tavola.core.errors import UnknownVersion
from tavola.live.correspondence.hours import Due
from tavola.live.log.budgets import count_beside
from tavola.live.log.occasions import greetings, occasions_after, public_points
from tavola.live.log.occupants import Member, Occupant
from tavola.live.log.people import NOBODY, ChatLine, Person
from tavola.live.log.room_settings import Settings
from tavola.live.log.state import CHAT_KEPT, AheadAnswer, BotDecision, Decided, Guess, Holiday, Nudge, State, TalkWindow
from tavola.live.log.undo import on_allowed, on_denied, on_undo, rewind
from tavola.live.room_refusals import OtherRules
from tavola.live.time.race import Reaction
from tavola.store import Event
from tavola.talk import StatementTexts, read_statement, read_talk

PRIVATE_EVENTS = ("noted", "muted", "reported", "held", "clocks", "chosen", "ahead", "unchanged")
"""Kinds of events that are sent only to their own seat or person, or not at all."""
UNNOTICED = object()
"""The result of a handler for an event that only its own seat may notice."""


def fold(events: Iterable[Event]) -> State:
    """Return the state after a room's whole log."""
    following = iter(events)
    state = _initial_state(next(following))
    for event in following:
        apply_event(state, event)
    return state


def apply_event(state: State, event: Event) -> None:
    """Apply the next event."""
    if event.seq != state.seq + 1:
        raise AssertionError(f"event {event.seq} after {state.seq}: the log has a gap")
    count_beside(state, event)
    unnoticed = HANDLERS.get(event.kind, _apply_small)(state, event.body, event) is UNNOTICED
    state.seq = event.seq
    if event.kind not in PRIVATE_EVENTS and not unnoticed:
        state.public_seq, state.updated_at = state.public_seq + 1, event.at
    state.forget_answers(names=event.kind != "played")
    if event.command_id is not None:
        state.command_ids.add(event.command_id)


def _initial_state(event: Event) -> State:
    body = event.body
    try:
        game = games.load(body["game"], body["version"])
    except UnknownVersion as refusal:
        raise OtherRules(version=body["version"]) from refusal
    places = [Occupant() for _ in range(int(body["options"]["players"]))]
    host = Person(body["host"]["id"], body["host"]["name"])
    state = State(game, dict(body["options"]), Settings.of(body), host, event.at, places, event.at)
    state.is_rematch = body.get("again", False)
    if event.command_id is not None:
        state.command_ids.add(event.command_id)
    return state


def _apply_small(state: State, body: dict[str, Any], event: Event) -> None:
    """Apply an event that changes one thing, or nothing: the match implies it, or the table does not show it."""
    match event.kind:
        case "ready":
            state.ready_seats.add(body["seat"])
        case "begins":
            state.start_pending = True
        case "held":
            state.held_until = body["until"]
        case "warned":
            state.dues[body["seat"]] = state.dues[body["seat"]]._replace(warned=True)
        case "nudged":
            due = state.dues.get(body["seat"])
            state.nudges[body["seat"]] = Nudge(body["by"], event.at, due.number if due is not None else 0)
        case "voted":
            state.bot_votes.setdefault(body["seat"], set()).add(body["by"])
        case "away":
            state.away[body["seat"]] = Holiday(body["until"], body.get("day", ""))
        case "window":
            state.window, state.window_moment = TalkWindow(body["until"]), state.moment
        case "enough" if state.window is not None:
            state.window.enough.add(body["seat"])
        case "closed":
            state.window = None
        case "pace":
            state.settings = replace(state.settings, pace=body["pace"], pace_chosen=True)
        case "noted":
            state.guesses.append(Guess(state.moment, body["seat"], body["about"], body["mark"]))
        case "host":
            state.host = state.occupants[body["seat"]].person or state.host
        case "shut":
            state.shut = True
        case "rematch":
            state.next_room = body["room"]
        case "over" | "reported" | "unchanged":
            pass
        case unknown:
            raise KeyError(unknown)


def _on_joined(state: State, body: dict[str, Any], event: Event) -> None:
    if (before := state.seat_of(body["id"])) is not None:
        state.occupants[before] = Occupant()
        state.ready_seats.discard(before)
    occupant = Occupant(Person(body["id"], body["name"], body.get("face", "")), origin=body.get("origin", ""))
    if state.match is not None:  # a guest who has signed in keeps the seat as it is
        known = state.occupants[body["seat"]]
        occupant.misses, occupant.stands_in, occupant.bot_since = known.misses, known.stands_in, known.bot_since
    state.occupants[body["seat"]] = occupant
    _settle_host(state)


def _on_left(state: State, body: dict[str, Any], event: Event) -> None:
    _spend_bank(state, body)
    if state.phase == "gathering":
        _free_seat(state, body["seat"])
    else:
        place = state.occupants[body["seat"]]
        place.taken_over, place.has_left, place.sits_out = True, True, ""
        state.sit_outs[body["seat"]] += 1
        _note_bot(state, body["seat"], event.at)
        state.bot_decisions.pop(body["seat"], None)


def _note_bot(state: State, seat: int, at: float) -> None:
    """Forget what was asked of a person for whose seat a bot decides from now on."""
    place = state.occupants[seat]
    place.bot_since = place.bot_since or at
    state.dues.pop(seat, None)
    state.bot_votes.pop(seat, None)


def _spend_bank(state: State, body: dict[str, Any]) -> None:
    if "spent" in body:
        state.bank_spent[body["seat"]] = state.bank_spent.get(body["seat"], 0.0) + body["spent"]


def _free_seat(state: State, seat: int) -> None:
    state.occupants[seat] = Occupant()
    state.ready_seats.discard(seat)
    _settle_host(state)


def _settle_host(state: State) -> None:
    """Make the next person at the table the host if the host has got up."""
    people = [place.person for place in state.occupants if place.person is not None]
    if people and all(person.id != state.host.id for person in people):
        state.host = people[0]


def _on_bot(state: State, body: dict[str, Any], event: Event) -> None:
    member = Member(body["name"], body["face"], body["temper"]) if "name" in body else None
    state.occupants[body["seat"]] = Occupant(level=body["level"], member=member)


def _on_removed(state: State, body: dict[str, Any], event: Event) -> None:
    if (person := state.occupants[body["seat"]].person) is not None:
        state.removed_at[person.id] = event.at
    _free_seat(state, body["seat"])


def _on_started(state: State, body: dict[str, Any], event: Event) -> None:
    state.match = Match(state.game, state.options)
    state.decision_counts = [0] * len(state.occupants)
    state.occasions = greetings(bots, event.at) if (bots := state.cast_seats) else []
    _update_open_decisions(state, None, event.at)


def _on_played(state: State, body: dict[str, Any], event: Event) -> object:
    match, seat = state.match, body["seat"]
    assert match is not None
    _note_maker(state, seat, event, len(match.history))
    state.undo_request = None
    if seat != CHANCE and (event.command_id is not None or "ahead" in body):
        state.decided.append(Decided(seat, state.decision_counts[seat], len(match.history)))
    before, barter, owed = match.view().tobytes() if match.open else None, _barter_of(state), {*state.open_decisions}
    seen = match.view() if state.talk is not None and state.talk.is_watching else None
    secret = match.game.actions.verb(match.game.actions.number(body["code"])).secret
    if "meant" in body:
        state.early_answers[len(match.history)] = seat
    bots = state.cast_seats
    points = public_points(match) if bots else ()
    match.play(body["code"], seat)
    _judge(state, match, seen)
    if bots:
        state.occasions += occasions_after(points, match, bots, state.moments + 1, event.at)
    noticed = before is None or match.view().tobytes() != before
    if before is not None and noticed:
        _renew_decisions(state, seat)
    if seat != CHANCE:
        state.decision_counts[seat] += 1
        state.earlier_moments.pop(seat, None)
        _spend_bank(state, body)
    if not match.open:
        state.earlier_moments.clear()
    was_sealed = state.sealed.pop(seat, None) is not None  # counted when it was sealed
    state.action_times.append(event.at)
    _record_reaction(state, body)
    _use_ahead(state, body)
    _update_open_decisions(state, seat, event.at, same=secret and not noticed)
    _end_standing_in(state, seat, goes_on=secret and not noticed)
    if barter is None:
        _keep_dues(state, seat, same=secret and not noticed)
    elif barter == _barter_of(state):
        _keep_dues_of_barter(state, owed)
    else:
        state.dues.clear()
    if secret and not noticed:
        return UNNOTICED  # a secret step: other seats must not learn that there is one
    state.public_actions.append(len(match.history))
    if seat != CHANCE and not was_sealed:
        state.decided_at[seat] = event.at
    return None


def _note_maker(state: State, seat: int, event: Event, place: int | None) -> None:
    """Note who makes a decision, before it is made: a person, who is not late any more, or a bot for a late person.

    `place`: of the action in the history, None for a sealed answer. A person's command has an id, a bot's has none.
    """
    if seat == CHANCE:
        return
    occupant, made = state.occupants[seat], state.bot_decisions.get(seat)
    state.bot_votes.pop(seat, None)
    by_bot = occupant.bot_decides and event.command_id is None
    if made is not None and (occupant.stands_in or event.seq == made.last + 1) and event.command_id is None:
        actions = made.actions if place is None else (*made.actions, place)
        state.bot_decisions[seat] = made._replace(actions=actions, last=event.seq)
    elif not by_bot:
        occupant.misses, occupant.stands_in = 0, False
        state.bot_decisions.pop(seat, None)


def _end_standing_in(state: State, actor: int, *, goes_on: bool) -> None:
    """Let late people be asked again after the bot's decision, unless an unnoticed step leaves it unfinished."""
    for seat, place in enumerate(state.occupants):
        if seat not in state.open_decisions or (seat == actor and not goes_on):
            place.stands_in = False


def _use_ahead(state: State, body: dict[str, Any]) -> None:
    """Use up the answer ahead that is played, or the first for any case if the person or a bot decides instead."""
    seat, answers = body["seat"], state.ahead.get(body["seat"], {})
    state.ahead_ended.pop(seat, None)
    number = state.game.actions.number(body["code"])
    unused = (place for place, one in sorted(answers.items()) if not one.when and one.is_of_kind(state.game, [number]))
    _drop_ahead(state, seat, int(body["ahead"]) if "ahead" in body else next(unused, 0))
    if "ahead" in body:
        state.ahead_ended[seat] = "played"


def _on_ahead(state: State, body: dict[str, Any], event: Event) -> None:
    seat, place = body["seat"], body.get("place", 1)
    state.ahead_ended.pop(seat, None)
    _drop_ahead(state, seat, place)
    if body["codes"]:
        codes, unless, when = (tuple(body.get(name, ())) for name in ("codes", "unless", "when"))
        state.ahead.setdefault(seat, {})[place] = AheadAnswer(codes, unless, when, state.moments)
    if "ended" in body:
        state.ahead_ended[seat] = body["ended"]


def _drop_ahead(state: State, seat: int, place: int) -> None:
    answers = state.ahead.get(seat, {})
    answers.pop(place, None)
    if not answers:
        state.ahead.pop(seat, None)


def _judge(state: State, match: Match, seen: View | None) -> None:
    if state.talk is not None and seen is not None:
        state.talk.see(seen, match)
    if state.talk is not None and match.over:
        state.talk.finish(match)


def _record_reaction(state: State, body: dict[str, Any]) -> None:
    """Record the times of a race until chance acts, which ends any suspense too."""
    if body["seat"] == CHANCE:
        state.held_until = None
        state.reactions.clear()
    elif "reaction" in body:
        assert state.match is not None
        reaction = state.reactions[body["seat"]] = Reaction(*body["reaction"])
        state.answer_seconds[len(state.match.history) - 1] = reaction.seconds


def _on_clocks(state: State, body: dict[str, Any], event: Event) -> None:
    state.clock_handover = event.at, body["had"]
    for seat, seconds in body.get("spent", {}).items():
        _spend_bank(state, {"seat": int(seat), "spent": seconds})


def _renew_decisions(state: State, actor: int) -> None:
    """Renew the others' decisions, ballots too, after an action in an open decision that they see."""
    for seat, moment in state.open_decisions.items():
        if seat != actor:
            state.decision_counts[seat] += 1
            state.earlier_moments.setdefault(seat, []).append(moment)
    state.open_decisions.clear()


def _update_open_decisions(state: State, actor: int | None, at: float, *, same: bool = False) -> None:
    """Open a decision for each seat that comes to owe one; it stays the same while others decide unseen.

    `same`: the step was unnoticed, so it is part of the decision before and its time began with that.
    """
    assert state.match is not None
    now = state.match.moment
    owing = [seat for seat in (*state.match.to_act, *state.find_owed_seals()) if seat != CHANCE]
    state.open_since = {
        seat: state.open_since[seat] if seat in state.open_decisions and (seat != actor or same) else at
        for seat in owing
    }
    state.open_decisions = {seat: now if seat == actor else state.open_decisions.get(seat, now) for seat in owing}


def _keep_dues(state: State, actor: int, *, same: bool) -> None:
    """Keep the deadlines of decisions that are still owed; unnoticed steps share one."""
    kept = {seat for seat in state.dues if seat in state.open_decisions and (seat != actor or same)}
    state.dues = {seat: state.dues[seat]._replace(prompt=state.decision_counts[seat]) for seat in kept}


def _on_undone(state: State, body: dict[str, Any], event: Event) -> None:
    """Go back. Seats that were asked before, or are asked now, owe a new decision, so that no late answer counts."""
    asked = {*state.open_decisions, *state.sealed}
    rewind(state, body["seat"], body["to"])
    state.undo_request = None
    _update_open_decisions(state, None, event.at)
    for seat in asked | {*state.open_decisions}:
        state.decision_counts[seat] += 1
    state.note_in_talk(body["seat"], "undone", event.at)


def _barter_of(state: State) -> object:
    """Return a key for the current barter of a correspondence game; None if there is none."""
    match, clock = state.match, state.game.clock
    if match is None or not state.settings.days or not match.open:
        return None
    timed = clock(match.view(match.to_act[0])) if clock is not None else None
    return "barter", timed.period if timed is not None else None


def _keep_dues_of_barter(state: State, owed: Collection[int]) -> None:
    """Keep the deadlines of a barter until it ends: they are for all of it. A seat asked again has a new decision."""
    for seat, due in state.dues.items():
        count = state.decision_counts[seat]
        number = count if seat in state.open_decisions and seat not in owed else due.number
        state.dues[seat] = due._replace(prompt=count, number=number)


def _on_sealed(state: State, body: dict[str, Any], event: Event) -> None:
    """That a seat has answered is public, what it answers is secret."""
    seat = body["seat"]
    _spend_bank(state, body)
    _note_maker(state, seat, event, None)
    state.occupants[seat].stands_in = False
    state.sealed[seat] = body["code"]
    state.decided_at[seat] = event.at
    state.decision_counts[seat] += 1
    for kept in (state.open_decisions, state.open_since, state.dues):
        kept.pop(seat, None)


def _on_due(state: State, body: dict[str, Any], event: Event) -> None:
    seat, known = body["seat"], state.dues.get(body["seat"])
    number, asked = (known.number, known.asked) if known is not None else (body["prompt"], body["since"])
    banked, reminded, warn = event.kind == "banked", event.kind == "reminded", body.get("warn", math.inf)
    since, until = body["since"], body["until"]
    state.dues[seat] = Due(body["prompt"], number, since, until, reminded, warn, asked=asked, banked=banked)
    _spend_bank(state, body)


def _on_missed(state: State, body: dict[str, Any], event: Event) -> None:
    seat, due = body["seat"], state.dues.pop(body["seat"], None)
    place = state.occupants[seat]
    place.misses, place.stands_in = place.misses + 1, True
    state.bot_decisions[seat] = BotDecision(due.number if due is not None else body["prompt"], event.at)
    state.bot_votes.pop(seat, None)
    state.note_in_talk(seat, "missed", event.at)


def _on_taken(state: State, body: dict[str, Any], event: Event) -> None:
    _spend_bank(state, body)
    place = state.occupants[body["seat"]]
    if "show" in body and not place.sits_out:
        state.sit_outs[body["seat"]] += 1
        state.note_in_talk(body["seat"], "aside", event.at)
    place.taken_over, place.sits_out = True, body.get("show", "")
    place.has_left = place.has_left and not place.sits_out
    _note_bot(state, body["seat"], event.at)
    if place.is_missed:
        state.note_in_talk(body["seat"], "kept", event.at)


def _on_returned(state: State, body: dict[str, Any], event: Event) -> None:
    place = state.occupants[body["seat"]]
    if place.sits_out or place.is_missed:
        state.note_in_talk(body["seat"], "back", event.at)
    place.taken_over = place.has_left = place.stands_in = False
    place.sits_out, place.misses, place.bot_since = "", 0, 0.0


def _on_said(state: State, body: dict[str, Any], event: Event) -> None:
    speaker = state.speakers.setdefault(body["id"], len(state.speakers) + 1)
    text, gesture = body.get("text", ""), body.get("gesture", "")
    if not text and not gesture:
        return  # of a person who has been erased
    state.chat_log.append(ChatLine(body["name"], body["seat"], text, event.at, speaker, gesture))
    del state.chat_log[:-CHAT_KEPT]


def _on_spoke(state: State, body: dict[str, Any], event: Event) -> None:
    assert state.match is not None
    talk = state.talk = state.conversation()
    texts = StatementTexts(**{key: value for key, value in body.items() if key != "seat"})
    talk.say(read_statement(body["seat"], texts, talk.language), state.match)
    state.statement_times.append(event.at)


def _on_chosen(state: State, body: dict[str, Any], event: Event) -> None:
    assert state.window is not None
    state.window.chosen[body["seat"]] = body["code"]
    state.window.ahead.pop(body["seat"], None)
    if "ahead" in body:
        state.window.ahead[body["seat"]] = body["ahead"]


def _on_muted(state: State, body: dict[str, Any], event: Event) -> None:
    muted = state.muted_speakers.setdefault(body["id"], set())
    (muted.add if body["muted"] else muted.discard)(body["speaker"])


def _on_erased(state: State, body: dict[str, Any], event: Event) -> None:
    """Remove from memory what the log no longer has; the log has the new id already."""
    seat, number, nobody = body["seat"], body["speaker"], Person(body["id"], NOBODY)
    known = {speaker: person for person, speaker in state.speakers.items()}
    sitting = state.occupants[seat].person if seat is not None else None
    former = {known.get(number), sitting and sitting.id, state.host.id if body["was_host"] else None} - {None}
    if seat is not None:
        _vacate(state, seat, nobody)
        state.ahead.pop(seat, None)
        state.ahead_ended.pop(seat, None)
        state.guesses = [guess._replace(mark="") if guess.seat == seat else guess for guess in state.guesses]
    if body["was_host"]:
        state.host = nobody
    told = (line._replace(name=NOBODY) if not line.speaker and line.seat == seat else line for line in state.chat_log)
    state.chat_log = [line for line in told if line.speaker != number]
    for person in former:
        _rename(state, str(person), nobody.id)


def _on_named(state: State, body: dict[str, Any], event: Event) -> None:
    person, name = body["id"], body["name"]
    seat, number = state.seat_of(person), state.speakers.get(person)
    if seat is not None and (seated := state.occupants[seat].person) is not None:
        state.occupants[seat].person = seated._replace(name=name)
    if state.host.id == person:
        state.host = state.host._replace(name=name)
    for place, line in enumerate(state.chat_log):
        if (line.speaker == number) if line.speaker else (line.seat == seat):
            state.chat_log[place] = line._replace(name=name)


def _vacate(state: State, seat: int, nobody: Person) -> None:
    """Make sure that no one returns to a seat: it is free before the match, and a bot's during it."""
    if state.phase == "gathering":
        _free_seat(state, seat)
        return
    place = state.occupants[seat]
    place.person, place.origin, place.has_left = nobody, "", True
    if state.phase == "playing":
        place.taken_over, place.sits_out = True, ""
        _note_bot(state, seat, 0.0)
        state.bot_decisions.pop(seat, None)
        state.away.pop(seat, None)


def _rename(state: State, person: str, pseudonym: str) -> None:
    for kept in (state.speakers, state.muted_speakers, state.removed_at):
        known: dict[str, Any] = kept
        if person in known:
            known[pseudonym] = known.pop(person)
    for role, name in [account for account in state.beside if account[1] == person]:
        state.beside[role, pseudonym] = state.beside.pop((role, name))
    state.command_ids = {
        pseudonym + key.removeprefix(person) if key.startswith(f"{person}/") else key for key in state.command_ids
    }


def _on_imported(state: State, body: dict[str, Any], event: Event) -> None:
    state.match = read_record(body["record"]).match()
    state.public_actions = list(range(1, len(state.match.history) + 1))  # a record has every secret
    state.talk = read_talk(body["record"], state.match)
    state.statement_times = [event.at] * (len(state.talk.said) if state.talk is not None else 0)
    state.occupants = [Occupant(imported_name=name) for name in body["names"]]
    actors = [actor for actor, _ in state.match.history]
    state.decision_counts = [actors.count(seat) for seat in range(len(state.occupants))]


HANDLERS: dict[str, Callable[[State, dict[str, Any], Event], object]] = {
    **{name.removeprefix("_on_"): handler for name, handler in globals().items() if name.startswith("_on_")},
    "banked": _on_due,
    "reminded": _on_due,
    "undo": on_undo,
    "allowed": on_allowed,
    "denied": on_denied,
    "gestured": _on_said,
}
"""The functions that apply events, by kind: `_on_KIND`, except where kinds share one. `_apply_small` has the rest."""
