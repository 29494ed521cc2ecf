"""`python -m tests.helpers.one_game …`: the command `tavola` with a single game, because loading all five is slow.

The workers that it starts run this command, too. They load no code of bots but the random ones, and start the processes
for heavy pages with their first work: a server that is stopped would wait until both are ready.
"""

import sys
from collections.abc import Sequence

from tavola.cli import main
from tavola.core import registry
from tavola.web.serve import server, supervisor
from tavola.web.serve.offload import Offload

GAME = "lifeboats"


async def start_later(self: Offload, work: object, *arguments: object) -> None:
    """Start no process yet."""


def warm_up_random_bots(names: Sequence[str], levels: object = None) -> None:
    warm_up(names, ("random",))


if __name__ == "__main__":
    command, module, warm_up = [sys.executable, "-m", "tests.helpers.one_game"], registry._module(GAME), server.warm_up
    vars(registry).update(_modules=lambda: {GAME: module})
    vars(supervisor).update(own_command=lambda arguments: [*command, *arguments])
    vars(server).update(warm_up=warm_up_random_bots)
    Offload.warm_up = start_later
    main()
