"""Thousands of matches at once, in arrays: a vector environment in compiled code.

    batch = tavola.Batch("lifeboats", n=4096, seed=1)
    observations, masks = batch.observe(), batch.mask()
    rewards, done = batch.step(actions)

Each row is a match. `step` also plays chance and, with `opponents`, the other seats; a match that ends is followed by
the next one in its row. Arrays passed as `out` are filled in place; returned arrays belong to the batch and change with
the next step.

A batch can be pickled and copied, and the copy continues identically; `save` and `restore` do the same in place.
"""

import importlib.util
from collections.abc import Mapping, Sequence
from typing import Any, cast

import numpy as np

from tavola.core import Game, IllegalAction, Refusal, View
from tavola.core.compilation import count_processors
from tavola.core.encoding import CentralRows, Encoder, check_mask
from tavola.core.errors import Renamed
from tavola.core.fields import as_integer, short_repr
from tavola.core.plan import describe_action, describe_codes
from tavola.core.rng import MASK_64
from tavola.games import load
from tavola.rl import kernels
from tavola.rl.devices import Device, Processors, new_scratch
from tavola.rl.errors import NoDevice, NotInstalled
from tavola.rl.kernels import ASKED, CALLED, GREEDY, RANDOM, Encoding, Marks, Rows
from tavola.rl.opponents import Opponent, Policy, Pool, check_opponent, choose
from tavola.rl.rewards import reward_kind

BOTS = {"random": RANDOM, "greedy": GREEDY}
"""Levels of bots played in compiled code; other opponents are called from Python."""
MOST_MATCHES = 1 << 24
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

    With `device="cuda"`, the arrays are on a GPU and the same matches are played there, one thread each; opponents are
    "random" or "greedy". Arrays are then of `tavola.rl.gpu.DeviceArray`, and those of other libraries on the same
    GPU are taken without copying. Raises `NoDevice` without one.
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
        device: str = "cpu",
        rules: str = "recommended",
        **options: object,
    ) -> None:
        self.game = load(game) if isinstance(game, str) else game
        self._settings: dict[str, Any] = {"opponents": opponents, "reward": reward, "recall": recall}
        self._settings |= {"max_cycles": max_cycles, "threads": threads, "device": device, "rules": rules, **options}
        self.n = _whole_number("n", n, 1, MOST_MATCHES)
        self.encoder = Encoder(self.game, recall)
        values = self.game.options.array(options, rules)
        self.players = int(values[0])
        players, self._called = read_opponents(opponents, self.players)
        if self._called and device != "cpu":
            raise BadBatch("opponents: on a GPU expected random or greedy; others decide on the processors")
        rows = self._make_rows(values, players, reward, recall)
        rows.turns[0] = is_opponent(opponents)
        if max_cycles is not None:
            rows.most_cycles[0] = _whole_number("max_cycles", max_cycles, 1, 1 << 40)
        self._is_cut = max_cycles is not None
        count = _whole_number("threads", threads, 1, 1024) if threads is not None else count_processors()
        self._device = open_device(device, self.game, self.n, self.encoder.seats, count)
        self._central = CentralRows(self.encoder, self.players)
        self._rows = self._device.place(rows)
        acted, asked = np.zeros((2, self.n), np.int64)
        self._marks = self._device.place(Marks(acted, np.zeros(self.n, bool), np.zeros(1, bool), asked))
        self._encoding = self._make_encoding()
        self.reset(seed)

    def reset(self, seed: int) -> None:
        """Restart every row with its first match of a seed."""
        self._device.fill(self._rows.seed, self._read_seed(seed))
        self._run(kernels.begin_rows)
        self._answer_for_opponents()
        self._run(kernels.forget_rows, self._marks)

    @property
    def seat_to_act(self) -> np.ndarray:
        """The seat to act in each match: int64[n], the batch's own."""
        return self._shared(self._rows.to_act)

    @property
    def number(self) -> np.ndarray:
        """The number of the current match of each row: int64[n], the batch's own."""
        return self._shared(self._rows.number)

    @property
    def acted(self) -> np.ndarray:
        """The seat whose action the last step played in each match: int64[n], the batch's own."""
        return self._shared(self._marks.acted)

    @property
    def truncated(self) -> np.ndarray:
        """True where the match marked in `done` was cut off by `max_cycles`: bool[n], the batch's own."""
        return self._shared(self._rows.cut)

    def observe(self, out: np.ndarray | None = None) -> np.ndarray:
        """Return what the seats to act see, one row each: `out`, or a new float32[n, columns]; see `Encoder.encode`."""
        shape = self.n, *self.encoder.shape
        if out is None:
            out = self._empty(shape, np.float32)
        filled = self._device.read_out(out, shape)
        self.encoder.check_type(filled)
        self._run(kernels.observe_rows, self._encoding, filled)
        return out

    def observe_final(self, seats: Sequence[int] | np.ndarray | None = None) -> np.ndarray:
        """Return the final observations of the matches that the last step ended, for `seats` or the last to act.

        New float32[n, columns]; rows of other matches are zero.
        """
        asked = self._marks.acted if seats is None else self._device.read_array(self.encoder.read_seats(self.n, seats))
        seen = self._empty((self.n, *self.encoder.shape), np.float32)
        self._run(kernels.observe_final_rows, self._marks, asked, self._encoding, self._device.read_array(seen))
        return seen

    def observe_all(self) -> np.ndarray:
        """Return what every seat sees now: new float32[n, seats, columns]."""
        seen = self._empty((self.n, self.players, *self.encoder.shape), np.float32)
        self._run(kernels.observe_all_rows, self._marks, self._encoding, self._device.read_array(seen))
        return seen

    def state(self) -> np.ndarray:
        """Return the whole positions, every hand included, for a central critic: new float32[n, columns].

        The columns are those of `tavola.core.encoding.CentralRows`. Players must not see this.
        """
        seen = self._empty((self.n, *self._central.shape), np.float32)
        self._run(kernels.state_rows, self._encoding, self._device.read_array(seen))
        return seen

    def mask(self, out: np.ndarray | None = None) -> np.ndarray:
        """Return the legal actions of the seat to act: `out`, bool, int8 or uint8, or a new bool[n, actions]."""
        shape = self.n, len(self.game.actions)
        if out is None:
            out = self._empty(shape, np.bool_)
        filled = self._device.read_out(out, shape)
        check_mask(filled)
        self._run(kernels.mask_of_rows, filled.view(np.uint8))
        return out

    def step(self, actions: Sequence[int] | np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Play one action in each match; return rewards, float32[n, seats], and done, bool[n].

        Rewards are zero unless a match ended, which `done` marks; its row has begun the next match. A match that was
        cut off (`truncated`) has no rewards. Raise `IllegalAction` if an action is not legal, `BadBatch` if `actions`
        are not n integers; then nothing was played.
        """
        given = self._device.read_array(actions)
        if given.shape != (self.n,) or given.dtype.kind not in "iu":
            raise BadBatch(f"actions: expected {self.n} whole numbers, found {given.dtype} of shape {given.shape}")
        chosen, rows, marks = self._device.as_integers(given), self._rows, self._marks
        self._run(kernels.mark_illegal, marks, chosen)
        if marks.any_illegal[0]:
            self._device.fill(marks.any_illegal, False)
            raise self._refusal(int(np.argmax(self._device.to_host(marks.illegal))), self._device.to_host(chosen))
        self._run(kernels.step_rows, marks, chosen)
        self._answer_for_opponents()
        if self._is_cut:
            self._run(kernels.cut_rows)
            self._answer_for_opponents()
        return self._shared(rows.rewards), self._shared(rows.done)

    def _answer_for_opponents(self) -> None:
        while self._called and len(waiting := np.flatnonzero(self._player_numbers() >= CALLED)):
            chosen = np.full(self.n, -1)
            for opponent, places in self._opponents_of(waiting):
                chosen[places] = self._choose(opponent, places)
            self._run(kernels.answer_rows, chosen)

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

    def compile_for_gpu(self) -> int:
        """Compile the step of a batch like this for a GPU, which need not be here; return the bytes of its PTX.

        Raises `NotInstalled`, or Numba's error if rules or heuristics do what a GPU cannot: make or return arrays.
        """
        more, scratch = (self._marks, np.zeros(self.n, np.int64)), new_scratch(self.game, self.encoder.seats)
        return len(_gpu_module().ptx(kernels.step_rows, self._rows, more, scratch))

    def save(self) -> dict[str, Any]:
        """Return the complete state of the batch as a dictionary of arrays, which can be pickled."""
        rows = {name: array for name, array in self._changing().items() if name not in FIXED}
        kept: dict[str, Any] = {name: self._device.to_host(array) for name, array in rows.items()}
        for name in ("states", "final"):
            kept[name] = kept[name].tobytes()
        return {"game": self.game.name, "n": self.n, **kept}

    def restore(self, saved: Mapping[str, Any]) -> None:
        """Continue from a result of `save`; raise `BadBatch` if its game or shape is different."""
        if (saved.get("game"), saved.get("n")) != (self.game.name, self.n):
            found = f"{saved.get('game')!r}, n={saved.get('n')!r}"
            raise BadBatch(
                f"saved: expected data saved by a batch of {self.game.name!r} with n={self.n}, found {found}"
            )
        rows = self._changing()
        arrays = {name: saved[name] for name in rows.keys() & saved.keys()}
        for name in ("states", "final"):
            whole = len(saved[name]) == self.n * self.game.state.dtype.itemsize
            arrays[name] = np.frombuffer(saved[name], self.game.state.dtype if whole else np.int8)
        for name, kept in arrays.items():
            if rows[name].shape != kept.shape:
                raise BadBatch(f"saved: expected {name} of shape {rows[name].shape}, found {kept.shape}")
        for name, kept in arrays.items():
            self._device.fill(rows[name], kept)

    def _changing(self) -> dict[str, Any]:
        return {**self._rows._asdict(), "acted": self._marks.acted}

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
        stream = self._read_seed(seed)
        if level not in BOTS:
            raise BadBatch(f"level: expected {' or '.join(BOTS)}, found {short_repr(level)}")
        chosen = self._empty((self.n,), np.int64)
        self._run(kernels.sample_rows, stream, BOTS[level], self._device.read_array(chosen))
        return chosen

    def view(self, row: int, seat: int | None = None) -> View:
        """Return a seat's view of the match in a row, by default that of the seat to act."""
        place = _whole_number("row", row, 0, self.n - 1)
        viewer = int(self._rows.to_act[place]) if seat is None else _whole_number("seat", seat, 0, self.players - 1)
        return View(self.game, self._device.to_host(self._rows.states[place : place + 1]), viewer)

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

    def _run(self, work: Any, *more: Any) -> None:
        self._device.run(work, self._rows, *more)

    def _shared(self, array: Any) -> np.ndarray:
        return cast(np.ndarray, self._device.shared(array))

    def _empty(self, shape: tuple[int, ...], dtype: Any) -> np.ndarray:
        return cast(np.ndarray, self._device.empty(shape, dtype))

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

    def _make_encoding(self) -> Encoding:
        octets, heard_from = self._device.octets, np.array([self.encoder.seen_columns])
        arrays = self._device.place(
            Encoding(
                heard_from, heard_from, self.encoder.program, self.encoder.layout, self._central.program, heard_from
            )
        )
        found: Encoding = arrays._replace(octets=octets(self._rows.states), final_octets=octets(self._rows.final))
        return found

    def __repr__(self) -> str:
        return f"Batch({self.game.name!r}, n={self.n}, players={self.players})"


def open_device(device: str, game: Game, n: int, seats: int, threads: int) -> Device:
    """Return where a batch is, by the name "cpu" or "cuda"; raise `NoDevice` or `NotInstalled` if that is not here."""
    if device == "cpu":
        return Processors(game, n, seats, threads)
    if device != "cuda":
        raise NoDevice(f"device: expected cpu or cuda, found {short_repr(device)}")
    return cast(Device, _gpu_module().Gpu(game, n, seats))


def _gpu_module() -> Any:
    if importlib.util.find_spec("numba_cuda") is None:
        raise NotInstalled("Numba's compiler for GPUs is not installed: run pip install 'tavola[gpu]'")
    from tavola.rl import gpu

    return gpu


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
