"""The server's own commands: bots answer, time runs out, held outcomes fall, a rematch begins.

They are never refused: a late command changes nothing.
"""

from tavola.live.commands import commands
from tavola.live.commands.ballot_window import is_on
from tavola.live.commands.commands import Given
from tavola.live.commands.play import is_forced, seal_for_bots
from tavola.live.log.draft import Draft, play_time_outs, play_turn
from tavola.live.log.events import NewEvent, begin_events, bot_events, joined_event, played_events, taken_event
from tavola.live.log.people import Person
from tavola.live.log.state import State


def decide_for_bots(state: State, command: commands.DecideForBots, given: Given) -> list[NewEvent]:
    """Play the bots' answers in random order, so that none is first more often in open decisions."""
    match = state.match
    if match is None or match.over or is_on(state) or state.undo_request is not None:
        return []
    answers = {
        seat: answer
        for seat, answer in command.answers.items()
        if state.occupants[seat].bot_decides and state.prompt_id(seat) == answer.prompt_id
    }
    if state.owed_seals:
        return seal_for_bots(state, answers, given)
    draft = Draft(match, given.dice, state.reactions)
    for seat in given.dice.shuffle(answers):
        if not draft.renews_decisions:
            play_turn(draft, seat, answers[seat].turn, answers[seat].reaction)
    return played_events(draft)


def hold_chance(state: State, command: commands.HoldChance, given: Given) -> list[NewEvent]:
    """Store when the held outcome falls, so that a restart does not change it."""
    return [("held", {"until": given.scene_end + command.seconds})] if state.in_suspense else []


def release_chance(state: State, command: commands.ReleaseChance, given: Given) -> list[NewEvent]:
    """Draw the held outcome, and the chance outcomes that follow."""
    if state.match is None or not state.in_suspense:
        return []
    return played_events(Draft(state.match, given.dice, released=True))


def run_out(state: State, command: commands.RunOut, given: Given) -> list[NewEvent]:
    """Play the game's actions for seats whose time has run out, as long as they owe the same decisions."""
    if state.match is None or state.phase != "playing":
        return []
    draft = Draft(state.match, given.dice, state.reactions)
    play_time_outs(draft, _time_out_plays(state, command, is_open=state.match.open))
    return played_events(draft)


def _time_out_plays(state: State, command: commands.RunOut, *, is_open: bool) -> dict[int, int]:
    plays = {}
    for seat in state.open_decisions:
        timed = state.time_out(seat)
        if command.period is None:
            late = command.prompts.get(seat) == state.prompt_id(seat)
        else:
            late = is_open and timed is not None and timed.period == command.period
        if late and timed is not None:
            plays[seat] = state.game.actions.number(timed.code)
    return plays


def play_only(state: State, command: commands.PlayOnly, given: Given) -> list[NewEvent]:
    """Play the only legal action of a person who still owes the decision."""
    seat = command.seat
    if state.match is None or state.prompt_id(seat) != command.prompt_id or state.occupants[seat].bot_decides:
        return []
    draft = Draft(state.match, given.dice, state.reactions)
    legal = draft.legal(seat)
    if len(legal) == 1:
        draft.play(seat, legal[0])
    return played_events(draft)


def play_forced(state: State, command: commands.PlayForced, given: Given) -> list[NewEvent]:
    """Play for all seats at once, if they still owe these decisions and have no choice."""
    owed = {seat: state.prompt_id(seat) for seat in state.open_decisions}
    if owed != command.prompts or not is_forced(state):
        return []
    assert state.match is not None
    draft = Draft(state.match, given.dice)
    for seat in sorted(owed):
        draft.play(seat, draft.legal(seat)[0])
    closed: list[NewEvent] = [("closed", {})] if state.window is not None else []
    return [*closed, *played_events(draft)]


def take_over(state: State, command: commands.TakeOver, given: Given) -> list[NewEvent]:
    """Let bots decide for people who still owe the decisions that have timed out."""
    owed = (seat for seat, prompt in command.prompts.items() if state.prompt_id(seat) == prompt)
    return [taken_event(seat) for seat in owed if not state.occupants[seat].bot_decides]


def begin(state: State, command: commands.Begin, given: Given) -> list[NewEvent]:
    """Start a match that the host has begun, with bots on free seats, or a rematch with every seat taken."""
    free = state.free_seats
    if state.phase != "gathering" or not (state.start_pending or (state.is_rematch and not free)):
        return []
    return [*bot_events(state, free, given.level, given.dice), *begin_events(state, given.dice)]


def adopt(state: State, command: commands.Adopt, given: Given) -> list[NewEvent]:
    """Give a guest's seat to a person, in its present condition; a person who has a seat leaves it to a bot."""
    seat, own = state.seat_of(command.guest), state.seat_of(command.person.id)
    if seat is None:
        return []
    place, person = state.occupants[seat], command.person
    becomes_host = [("host", {"seat": seat if own is None else own})] if state.host.id == command.guest else []
    if own is not None:
        leaves = state.phase != "over" and not place.has_left
        return [*([("left", {"seat": seat})] if leaves else []), *becomes_host]
    new_events = list[NewEvent]()
    if place.has_left:
        new_events.append(("left", {"seat": seat}))
    elif place.taken_over:
        new_events.append(taken_event(seat, place.sits_out))
    if not person.name and place.person is not None:
        person = Person(person.id, place.person.name)
    return [joined_event(seat, person, place.origin), *new_events, *becomes_host]


def transfer_host(state: State, command: commands.TransferHost, given: Given) -> list[NewEvent]:
    """Make the heir the host if the host has vanished before the match."""
    return [("host", {"seat": given.heir})] if state.phase == "gathering" and given.heir is not None else []


def hand_over(state: State, command: commands.HandOver, given: Given) -> list[NewEvent]:
    """Store the clocks for the next worker; banks only for decisions that are still owed."""
    told = {seat: command.elapsed.get(str(seat), (None,))[0] for seat in state.open_decisions}
    owed = {seat for seat, prompt in told.items() if prompt == state.prompt_id(seat)}
    spent = {str(seat): seconds for seat, seconds in command.bank_spent.items() if seat in owed}
    return [("clocks", {"had": command.elapsed, **({"spent": spent} if spent else {})})] if command.elapsed else []
