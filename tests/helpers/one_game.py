"""`python -m tests.helpers.one_game …`: the command `tavola` with a single game, because loading all five is slow.

The workers that it starts run this command, too. They load no code of bots but the random ones before they serve.
"""

import sys

from tavola.cli import main
from tavola.core import registry
from tavola.web.serve import server, supervisor

GAME = "lifeboats"

if __name__ == "__main__":
    command, module = [sys.executable, "-m", "tests.helpers.one_game"], registry._module(GAME)
    vars(registry).update(_modules=lambda: {GAME: module})
    vars(supervisor).update(own_command=lambda arguments: [*command, *arguments])
    vars(server).update(LEVELS=("random",))
    main()
