"""Batches on a GPU: the bytes of the processors in Numba's simulator, machine code for a real GPU, and refusals."""

import numpy as np
import pytest
from numba.core.errors import NumbaError

import tavola
from tavola.cli.check import steps_compile_for_a_gpu
from tavola.contract.promises import run_check
from tavola.core.compilation import Kernel
from tavola.rl import kernels
from tavola.rl.batch import BadBatch, Batch
from tavola.rl.devices import new_scratch
from tavola.rl.errors import NoDevice
from tests.helpers import run_python

pytest.importorskip("numba_cuda", reason="Numba's compiler for GPUs is missing: make gpu")


@pytest.mark.process
@pytest.mark.parametrize("compiled", [False, pytest.param(True, marks=pytest.mark.soak)])
def test_in_the_simulator_a_device_plays_the_same_to_the_byte(compiled):
    told = {"NUMBA_ENABLE_CUDASIM": "1", "NUMBA_DISABLE_JIT": str(int(not compiled))}
    games = list(tavola.game_names())
    simulate = "import runpy; runpy.run_module('tests.rl.gpu_simulated', run_name='__main__')"
    assert run_python(simulate, *games, **told).split() == games


def arguments(batch: Batch) -> dict[str, tuple[object, ...]]:
    """Return what each kernel takes beside rows and scratch."""
    chosen, seen, mask = np.zeros(batch.n, np.int64), batch.observe(), batch.mask().view(np.uint8)
    encoding, marks = batch._encoding, batch._marks
    return {
        "step_rows": (marks, chosen),
        "begin_rows": (),
        "forget_rows": (marks,),
        "mark_illegal": (marks, chosen),
        "cut_rows": (),
        "sample_rows": (np.uint64(1), 1, chosen),
        "observe_rows": (encoding, seen),
        "observe_all_rows": (marks, encoding, batch.observe_all()),
        "observe_final_rows": (marks, chosen, encoding, seen),
        "state_rows": (encoding, batch.state()),
        "mask_of_rows": (mask,),
    }


@pytest.mark.soak
@pytest.mark.parametrize("game", tavola.game_names())
def test_every_kernel_compiles_for_a_gpu(game):
    """Without one, to PTX: rules without allocation and with aligned records only."""
    pytest.importorskip("nvidia.cu13", reason="NVIDIA's compiler is missing: make gpu")
    from tavola.rl import gpu

    batch = tavola.Batch(game, n=4, opponents="greedy", recall=2, threads=1)
    scratch = new_scratch(batch.game, batch.encoder.seats)
    kinds = arguments(batch).items()
    sizes = {name: len(gpu.ptx(getattr(kernels, name), batch._rows, more, scratch)) for name, more in kinds}
    print(game, sizes)
    assert min(sizes.values()) > 0


@pytest.mark.bulk
def test_the_step_of_a_game_compiles_for_a_gpu():
    pytest.importorskip("nvidia.cu13", reason="NVIDIA's compiler is missing: make gpu")
    run_check(steps_compile_for_a_gpu, tavola.load("voyage"))


def test_rules_that_make_arrays_are_refused_for_a_gpu():
    pytest.importorskip("nvidia.cu13", reason="NVIDIA's compiler is missing: make gpu")
    from tavola.rl import gpu

    rows, scratch = tavola.Batch("voyage", n=4, threads=1)._rows, new_scratch(tavola.load("voyage"), 7)
    with pytest.raises(NumbaError, match="Only accept returning of array passed into the function"):
        gpu.ptx(Kernel(makes_an_array, None, None), rows, (), scratch)


def makes_an_array(rows, scratch, first, last):
    rows.number[first] = len(new_array(last))


new_array = Kernel(lambda length: np.zeros(length, np.int64), None, None)


@pytest.mark.parametrize("game", tavola.game_names())
def test_records_are_aligned_as_a_gpu_needs_them(game):
    assert tavola.load(game).state.dtype.isalignedstruct


def test_refusals():
    with pytest.raises(NoDevice, match="device: expected cpu or cuda, found 'tpu'"):
        tavola.Batch("lifeboats", n=2, device="tpu")
    with pytest.raises(NoDevice, match="device: expected a GPU with a driver for CUDA, found none"):
        tavola.Batch("lifeboats", n=2, device="cuda")
    with pytest.raises(BadBatch, match="opponents: on a GPU expected random or greedy"):
        tavola.Batch("lifeboats", n=2, device="cuda", opponents="search:10")
