"""Imported where processes are forked: what all of them need before compiled code runs is read once, not by each."""

from numba.core.registry import cpu_target

from tavola.core.compilation import UNCOMPILED

if not UNCOMPILED:
    cpu_target.typing_context.refresh()
    cpu_target.target_context.refresh()
