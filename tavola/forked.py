"""Import before forking: Numba reads its registries once here, and not again in each child process."""

from numba.core.registry import cpu_target

from tavola.core.compilation import UNCOMPILED

if not UNCOMPILED:
    cpu_target.typing_context.refresh()
    cpu_target.target_context.refresh()
