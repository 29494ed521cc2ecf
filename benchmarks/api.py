"""A match through Python, an action at a time, as a program that learns or a server plays it, beside OpenSpiel's.

Both play a random legal action after another through their public objects, legality checked by the library. Tavola's
match also keeps every position for undo; that is its normal way and not switched off.
"""

import random

import peer
from measure import rates, ratio, show

import tavola
from tavola.core import Match

ACTIONS = 4000


def tavola_match() -> int:
    """Actions of seats through `match.play`, chance playing itself."""
    draws, game, played = random.Random(1), tavola.load("lifeboats"), 0
    while played < ACTIONS:
        match = Match(game, players=4, seed=played)
        while match.to_act:
            seat = match.to_act[0]
            match.play(draws.choice(match.legal_numbers(seat)), seat)
            played += 1
    return played


def tavola_views() -> int:
    """The same, every decision with the view of its seat, as a bot is asked."""
    draws, game, played = random.Random(1), tavola.load("lifeboats"), 0
    while played < ACTIONS:
        match = Match(game, players=4, seed=played)
        while match.to_act:
            seat = match.to_act[0]
            match.play(draws.choice(match.view(seat).legal), seat)
            played += 1
    return played


def openspiel_state() -> int:
    """Actions through `state.apply_action`, after `state.legal_actions`, chance drawn from `state.chance_outcomes`."""
    draws, played = random.Random(1), 0
    while played < ACTIONS:
        _, state = peer.root_of("social_deduction")
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes = state.chance_outcomes()
                state.apply_action(draws.choices([o for o, _ in outcomes], [p for _, p in outcomes])[0])
            else:
                state.apply_action_with_legality_check(draws.choice(state.legal_actions()))
                played += 1
    return played


def main() -> None:
    """Measure and print."""
    contenders = {
        "match.play": tavola_match,
        "match.play, from views": tavola_views,
        "OpenSpiel from Python, social_deduction": openspiel_state,
    }
    found = rates(contenders)
    show("Actions through Python", "actions/s", found)
    print(ratio(found, "match.play", "OpenSpiel from Python, social_deduction"))


if __name__ == "__main__":
    main()
