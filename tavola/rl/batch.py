"""Thousands of matches at once, in arrays: a vector environment in compiled code.

    batch = tavola.Batch("lifeboats", n=4096, seed=1)
    observations, masks = batch.observe(), batch.mask()
    rewards, done = batch.step(actions)

Each row is a match. `step` also plays chance and, with `opponents`, the other seats; a match that ends is followed by
the next one in its row. Arrays passed as `out` are filled in place; returned arrays belong to the batch and change with
the next step.

A batch can be pickled and copied, and the copy continues identically; `save` and `restore` do the same in place.
"""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, cast

import numpy as np

from tavola.core import Game, IllegalAction, Refusal, View
from tavola.core.compilation import as_records, count_processors, is_interpreted
from tavola.core.deprecation import Renamed
from tavola.core.encoding import Encoder, check_mask, check_rows, encode_rows, mask_rows, octets
from tavola.core.fields import as_integer, short_repr
from tavola.core.plan import describe_action, describe_codes
from tavola.core.rng import MASK_64
from tavola.core.view import Buffers
from tavola.games import load
from tavola.rl import kernels
from tavola.rl.central import CentralRows
from tavola.rl.kernels import ASKED, CALLED, GREEDY, RANDOM, Rows, Scratch
from tavola.rl.opponents import Opponent, Policy, Pool, check_opponent, choose
from tavola.rl.rewards import reward_kind

BOTS = {"random": RANDOM, "greedy": GREEDY}
"""Levels of bots played in compiled code; other opponents are called from Python."""
LEAST_SHARE = 256
"""Minimum matches per thread."""
MOST_MATCHES = 1 << 24

NOT_ASKED = -1
FIXED = ("blank", "options", "opponents", "turns", "kind", "secret", "most_cycles")
"""The arrays that never change, so that `save` need not keep them."""

Opponents = Opponent | Sequence[Opponent | None] | None


class BadBatch(Refusal):
    """An impossible batch, or actions that do not fit it."""


class Batch:
    """`n` matches of a game, one per row, each with a seat to act, `seat_to_act[i]`.

    If `opponents` is None, you play every seat. A single opponent plays all seats but yours, which moves by one from
    match to match. A sequence has an opponent for each seat, or None for yours. An opponent is a level, "random",
    "greedy" or "search:100", a policy of your own, or a pool (`tavola.rl.opponents`). `reward` is "place", "win" or
    "points" (`tavola.rl.rewards`). With `recall`, observations end with the last actions heard
    (`tavola.core.encoding`). A match is truncated after `max_cycles` steps of its row. Other arguments are the game's
    options, including `players`.

    The same seed gives the same matches on any number of threads: row i plays matches i, i + n, i + 2n, … of the seed.
    In a secret ballot seats act one after the other without seeing each other's choices; in an open decision one is
    drawn to act.
    """

    def __init__(
        self,
        game: str | Game,
        n: int = 1024,
        seed: int = 0,
        *,
        opponents: Opponents = None,
        reward: str = "place",
        recall: int = 0,
        max_cycles: int | None = None,
        threads: int | None = None,
        rules: str = "recommended",
        **options: object,
    ) -> None:
        self.game = load(game) if isinstance(game, str) else game
        self._settings: dict[str, Any] = {"opponents": opponents, "reward": reward, "recall": recall}
        self._settings |= {"max_cycles": max_cycles, "threads": threads, "rules": rules, **options}
        self.n = _whole_number("n", n, 1, MOST_MATCHES)
        self.encoder = Encoder(self.game, recall)
        values = self.game.options.array(options, rules)
        self.players = int(values[0])
        players, self._called = read_opponents(opponents, self.players)
        self._rows = self._make_rows(values, players, reward, recall)
        self._rows.turns[0] = is_opponent(opponents)
        if max_cycles is not None:
            self._rows.most_cycles[0] = _whole_number("max_cycles", max_cycles, 1, 1 << 40)
        self._acted = np.zeros(self.n, np.int64)
        count = _whole_number("threads", threads, 1, 1024) if threads is not None else count_processors()
        self._shares = _shares(self.n, count)
        self._scratch = [self._make_scratch() for _ in self._shares]
        self._pool = ThreadPoolExecutor(len(self._shares)) if len(self._shares) > 1 else None
        self._octets = octets(self._rows.states)
        states, blank = as_records(self._rows.states), as_records(self._rows.blank)
        self._plain_rows = self._rows._replace(states=states, blank=blank, final=as_records(self._rows.final))
        self.reset(seed)

    def reset(self, seed: int) -> None:
        """Restart every row with its first match of a seed."""
        self._rows.seed[0] = self._read_seed(seed)
        self._rows.number[:] = np.arange(self.n)
        rows = self._arrays()
        self._share_out(lambda k, first, last: kernels.begin_rows(rows, self._scratch[k], first, last))
        self._answer_for_opponents()
        rows.done[:], rows.rewards[:] = False, 0
        self._acted[:] = rows.to_act

    @property
    def seat_to_act(self) -> np.ndarray:
        """The seat to act in each match: int64[n], the batch's own."""
        return self._rows.to_act

    @property
    def number(self) -> np.ndarray:
        """The number of the current match of each row: int64[n], the batch's own."""
        return self._rows.number

    @property
    def acted(self) -> np.ndarray:
        """The seat whose action the last step played in each match: int64[n], the batch's own."""
        return self._acted

    @property
    def truncated(self) -> np.ndarray:
        """True where the match marked in `done` was cut off by `max_cycles`: bool[n], the batch's own."""
        return self._rows.cut

    def observe(self, out: np.ndarray | None = None) -> np.ndarray:
        """Return what the seats to act see, one row each: `out`, or a new float32[n, columns]; see `Encoder.encode`."""
        rows = self._rows
        return self._encode(self._octets, rows.to_act, rows.heard, rows.heard_count, out)

    def observe_final(self, seats: Sequence[int] | np.ndarray | None = None) -> np.ndarray:
        """Return the final observations of the matches that the last step ended, for `seats` or the last to act.

        New float32[n, columns]; rows of other matches are zero.
        """
        rows = self._rows
        seen_by = self.encoder.read_seats(rows.states, self._acted if seats is None else seats)
        asked = np.where(rows.done, seen_by, NOT_ASKED)
        seen = self._encode(octets(rows.final), asked, rows.final_heard, rows.final_heard_count, None)
        seen[~rows.done] = 0
        return seen

    def observe_all(self) -> np.ndarray:
        """Return what every seat sees now: new float32[n, seats, columns]."""
        rows, seen = self._rows, np.empty((self.n, self.players, *self.encoder.shape), np.float32)
        for seat in range(self.players):
            asked = np.full(self.n, seat)
            seen[:, seat] = self._encode(self._octets, asked, rows.heard, rows.heard_count, None)
        return seen

    def state(self) -> np.ndarray:
        """Return the whole positions, every hand included, for a central critic: new float32[n, columns].

        The columns are those of `tavola.rl.central.CentralRows`. Players must not see this.
        """
        return CentralRows(self.encoder, self.players).encode(self._rows.states)

    def _encode(
        self, source: np.ndarray, seats: np.ndarray, heard: np.ndarray, count: np.ndarray, out: np.ndarray | None
    ) -> np.ndarray:
        if out is None:
            out = np.empty((self.n, *self.encoder.shape), np.float32)
        check_rows(out, self.n, self.encoder.shape[0], "out")
        self.encoder.check_type(out)
        encoder, filled = self.encoder, out

        def encode(_: int, first: int, last: int) -> None:
            encode_rows(source, seats, encoder.program, encoder.layout, filled, first, last)
            if encoder.recall:
                kernels.recall_rows(heard, count, seats, filled, encoder.seen_columns, first, last)

        self._share_out(encode)
        return out

    def mask(self, out: np.ndarray | None = None) -> np.ndarray:
        """Return the legal actions of the seat to act: `out`, bool, int8 or uint8, or a new bool[n, actions]."""
        if out is None:
            out = np.empty((self.n, len(self.game.actions)), np.bool_)
        check_rows(out, self.n, len(self.game.actions), "out")
        check_mask(out)
        rows, filled = self._arrays(), out.view(np.uint8)

        def write(k: int, first: int, last: int) -> None:
            scratch = self._scratch[k]
            mask_rows(rows.states, rows.to_act, scratch.actions, scratch.weights, filled, first, last)

        self._share_out(write)
        return out

    def step(self, actions: Sequence[int] | np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Play one action in each match; return rewards, float32[n, seats], and done, bool[n].

        Rewards are zero unless a match ended, which `done` marks; its row has begun the next match. A match that was
        cut off (`truncated`) has no rewards. Raise `IllegalAction` if an action is not legal, `BadBatch` if `actions`
        are not n integers; then nothing was played.
        """
        chosen = np.asarray(actions)
        if chosen.shape != (self.n,) or chosen.dtype.kind not in "iu":
            raise BadBatch(f"actions: expected {self.n} whole numbers, found {chosen.dtype} of shape {chosen.shape}")
        chosen = chosen.astype(np.int64)
        rows, scratch = self._arrays(), self._scratch
        illegal = self._share_out(lambda k, first, last: kernels.find_illegal(rows, scratch[k], chosen, first, last))
        if max(illegal) >= 0:
            raise self._refusal(min(row for row in illegal if row >= 0), chosen)
        self._acted[:] = rows.to_act
        self._share_out(lambda k, first, last: kernels.step_rows(rows, scratch[k], chosen, first, last))
        self._answer_for_opponents()
        if rows.most_cycles[0]:
            self._share_out(lambda k, first, last: kernels.cut_rows(rows, scratch[k], first, last))
            self._answer_for_opponents()
        return rows.rewards, rows.done

    def _answer_for_opponents(self) -> None:
        while self._called and len(waiting := np.flatnonzero(self._player_numbers() >= CALLED)):
            chosen = np.full(self.n, NOT_ASKED)
            for opponent, places in self._opponents_of(waiting):
                chosen[places] = self._choose(opponent, places)
            self._answer(chosen)

    def _answer(self, chosen: np.ndarray) -> None:
        rows, scratch = self._arrays(), self._scratch
        self._share_out(lambda k, first, last: kernels.answer_rows(rows, scratch[k], chosen, first, last))

    def _player_numbers(self) -> np.ndarray:
        turned = self._rows.number if self._rows.turns[0] else 0
        return np.asarray(self._rows.opponents[(self._rows.to_act - turned) % self.players])

    def _opponents_of(self, waiting: np.ndarray) -> list[tuple[str | Policy, list[int]]]:
        numbers, found = self._player_numbers(), dict[int, tuple[str | Policy, list[int]]]()
        for row in waiting.tolist():
            opponent = self._called[int(numbers[row]) - CALLED]
            if isinstance(opponent, Pool):
                opponent = opponent.member(int(self._rows.number[row]), int(self._rows.to_act[row]))
            found.setdefault(id(opponent), (opponent, []))[1].append(row)
        return list(found.values())

    def _choose(self, opponent: str | Policy, places: list[int]) -> np.ndarray:
        views = [self.view(row) for row in places] if isinstance(opponent, str) else []
        seed = int(self._rows.seed[0])
        seeds = [seed + int(self._rows.number[row]) & MASK_64 for row in places]
        shown = lambda: (self.observe()[places], self.mask()[places])  # noqa: E731
        return np.asarray(choose(opponent, self.game, views, shown, seeds))

    def save(self) -> dict[str, Any]:
        """Return the complete state of the batch as a dictionary of arrays, which can be pickled."""
        kept = {name: array.copy() for name, array in self._rows._asdict().items() if name not in FIXED}
        for name in ("states", "final"):
            kept[name] = kept[name].tobytes()
        return {"game": self.game.name, "n": self.n, "acted": self._acted.copy(), **kept}

    def restore(self, saved: Mapping[str, Any]) -> None:
        """Continue from a result of `save`; raise `BadBatch` if its game or shape is different."""
        if (saved.get("game"), saved.get("n")) != (self.game.name, self.n):
            found = f"{saved.get('game')!r}, n={saved.get('n')!r}"
            raise BadBatch(
                f"saved: expected data saved by a batch of {self.game.name!r} with n={self.n}, found {found}"
            )
        rows = self._rows._asdict()
        arrays = {name: saved[name] for name in rows.keys() & saved.keys()}
        for name in ("states", "final"):
            arrays[name] = np.frombuffer(saved[name], self.game.state.dtype)
        for name, kept in arrays.items():
            if rows[name].shape != kept.shape:
                raise BadBatch(f"saved: expected {name} of shape {rows[name].shape}, found {kept.shape}")
        for name, kept in arrays.items():
            rows[name][:] = kept
        self._acted[:] = saved["acted"]

    to_act = Renamed("seat_to_act")
    """The former name."""

    def __deepcopy__(self, memo: object) -> "Batch":
        return _restored(self.game, self.n, self._settings, self.save())

    def __reduce__(self) -> tuple[object, ...]:
        return _restored, (self.game, self.n, self._settings, self.save())

    def sample(self, seed: int, level: str = "random") -> np.ndarray:
        """Return one action per row, chosen by bots of a level: int64[n].

        "random" draws uniformly; "greedy" plays the best action by the game's own heuristics, with ties broken at
        random.
        """
        rows, scratch, chosen, stream = self._arrays(), self._scratch, np.zeros(self.n, np.int64), self._read_seed(seed)
        if level not in BOTS:
            raise BadBatch(f"level: expected {' or '.join(BOTS)}, found {short_repr(level)}")
        number = BOTS[level]
        self._share_out(
            lambda k, first, last: kernels.sample_rows(rows, scratch[k], stream, number, chosen, first, last)
        )
        return chosen

    def view(self, row: int, seat: int | None = None) -> View:
        """Return a seat's view of the match in a row, by default that of the seat to act."""
        place = _whole_number("row", row, 0, self.n - 1)
        viewer = int(self.seat_to_act[place]) if seat is None else _whole_number("seat", seat, 0, self.players - 1)
        return View(self.game, self._rows.states[place : place + 1], viewer)

    def _read_seed(self, seed: object) -> np.uint64:
        number = as_integer(seed)
        if number is None:
            raise BadBatch(f"seed: expected a whole number, found {short_repr(seed)}")
        return np.uint64(number & MASK_64)

    def _refusal(self, row: int, chosen: np.ndarray) -> IllegalAction:
        view = self.view(row)
        expected = describe_codes([self.game.actions.code(number) for number in view.legal])
        action = describe_action(self.game, int(chosen[row]))
        return IllegalAction(f"row {row}: {action} is not allowed for seat {view.seat}: expected {expected}")

    def _arrays(self) -> Rows:
        """Return the arrays for compiled code, or views of the same memory for plain Python."""
        return self._plain_rows if is_interpreted(self.game.source_folder) else self._rows

    def _share_out(self, work: Callable[[int, int, int], Any]) -> list[Any]:
        """Run `work(share, first, last)` for all rows: in parallel threads, or one by one in plain Python."""
        if self._pool is None or is_interpreted(self.game.source_folder):
            return [work(k, *share) for k, share in enumerate(self._shares)]
        return [done.result() for done in [self._pool.submit(work, k, *share) for k, share in enumerate(self._shares)]]

    def _make_rows(self, options: np.ndarray, opponents: list[int], reward: str, recall: int) -> Rows:
        n, seats = self.n, self.encoder.seats
        return Rows(
            states=self.game.states(n),
            blank=self.game.states(1),
            options=options,
            seed=np.zeros(1, np.uint64),
            number=np.zeros(n, np.int64),
            rng=np.zeros(n, np.uint64),
            to_act=np.zeros(n, np.int64),
            opponents=np.array(opponents, np.int64),
            turns=np.zeros(1, np.bool_),
            kind=np.array([reward_kind(reward)], np.int64),
            rewards=np.zeros((n, self.players), np.float32),
            done=np.zeros(n, np.bool_),
            secret=self.game.actions.is_secret,
            heard=np.zeros((n, seats, recall, 2), np.int32),
            heard_count=np.zeros((n, seats), np.int64),
            cycles=np.zeros(n, np.int64),
            most_cycles=np.zeros(1, np.int64),
            cut=np.zeros(n, np.bool_),
            final=self.game.states(n),
            final_heard=np.zeros((n, seats, recall, 2), np.int32),
            final_heard_count=np.zeros((n, seats), np.int64),
        )

    def _make_scratch(self) -> Scratch:
        buffers, seats = Buffers(self.game), self.encoder.seats
        scores, points, places = np.zeros(len(self.game.actions)), np.zeros(seats, np.int64), np.zeros(seats, np.int64)
        return Scratch(buffers.actions, buffers.weights, scores, points, places)

    def __repr__(self) -> str:
        return f"Batch({self.game.name!r}, n={self.n}, players={self.players})"


def is_opponent(opponents: object) -> bool:
    """True for a single opponent, which plays all seats but one."""
    return isinstance(opponents, str | Pool) or callable(opponents)


def read_opponents(opponents: Opponents, players: int) -> tuple[list[int], list[Opponent]]:
    """Return the player of each seat as numbered by the kernels, and the opponents called from Python.

    Raise `BadOpponent` if one cannot play, `BadBatch` if they do not fit the table.
    """
    if is_opponent(opponents):
        listed = [None, *[opponents] * (players - 1)]
    else:
        listed = list(cast(Any, opponents) or [None] * players)
    if len(listed) != players or None not in listed:
        raise BadBatch(
            f"opponents: expected one opponent, or a sequence of {players} opponents or None, at least one of them None"
            f", found {short_repr(opponents)}"
        )
    numbers, called = list[int](), list[Opponent]()
    for one in cast(list[Opponent | None], listed):
        if one is not None:
            check_opponent(one)
        if one is None or (isinstance(one, str) and one in BOTS):
            numbers.append(ASKED if one is None else BOTS[one])
        else:
            numbers.append(CALLED + len(called))
            called.append(one)
    return numbers, called


def _restored(game: Game, n: int, settings: dict[str, Any], saved: Mapping[str, Any]) -> Batch:
    batch = Batch(game, n, **settings)
    batch.restore(saved)
    return batch


def _whole_number(name: str, given: object, low: int, high: int) -> int:
    number = as_integer(given)
    if number is None or not low <= number <= high:
        raise BadBatch(f"{name}: expected a whole number from {low} to {high}, found {short_repr(given)}")
    return number


def _shares(n: int, threads: int) -> list[tuple[int, int]]:
    count = max(1, min(threads, n // LEAST_SHARE))
    return [(k * n // count, (k + 1) * n // count) for k in range(count)]
