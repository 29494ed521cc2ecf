"""Import before forking: Numba reads its registries once here, and not again in each child process."""

import multiprocessing
import os
import threading

from numba.core.registry import cpu_target

from tavola.core.compilation import UNCOMPILED

if not UNCOMPILED:
    cpu_target.typing_context.refresh()
    cpu_target.target_context.refresh()


def end_with_parent() -> None:
    """End this process, silently, when its parent has died."""
    threading.Thread(target=_await_end, daemon=True).start()


def _await_end() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)
