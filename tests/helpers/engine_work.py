"""Work for engines, in its own module because workers import it."""

import os
import signal
import time
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Squares:
    """Work that squares its chunk. Processes that begin a `deadly` chunk are killed, `times` times."""

    folder: Path
    deadly: tuple[int, ...] = ()
    times: int = 1
    wrong: tuple[int, ...] = ()

    def warm(self) -> str:
        with (self.folder / "warmed").open("a") as file:
            file.write(f"{os.getpid()}\n")
        return "squares"

    def __call__(self, chunk: int) -> int:
        if chunk in self.wrong:
            raise ArithmeticError(f"{chunk} has no square")
        for time_ in range(self.times if chunk in self.deadly else 0):
            try:
                (self.folder / f"{chunk}-{time_}").touch(exist_ok=False)
            except FileExistsError:
                continue
            os.kill(os.getpid(), signal.SIGKILL)
        time.sleep(0.02)
        return chunk * chunk
