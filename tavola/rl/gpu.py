"""Batches on a GPU: the same kernels, compiled for CUDA by Numba, one thread a match.

Rules and kernels are those of the processors. What CUDA needs beside them: the types of our functions and intrinsics
in Numba's other compiler, a launch for each kernel, scratch for each thread, and arrays that other libraries share.
"""

import ctypes
from functools import cache
from types import SimpleNamespace
from typing import Any, cast
from unittest.mock import patch

import numba.cuda
import numpy as np

from tavola.core import BadArray, Game
from tavola.core.compilation import UNCOMPILED, Kernel, as_records
from tavola.core.intrinsics import Intrinsic
from tavola.rl.devices import Device, new_scratch
from tavola.rl.errors import NoDevice
from tavola.rl.kernels import Rows, Scratch

cuda: Any = numba.cuda
HOPPER = 9, 0
"""The compute capability of an H100 and an H200."""
BLOCK = 128
"""Threads of a block."""
SCRATCH_BYTES = 1 << 30
"""Maximum memory for the scratch of all threads. If a match for each needs more, a thread plays several."""
SIMULATED = bool(cuda.config.ENABLE_CUDASIM)
"""Whether this is Numba's simulator of a GPU (`NUMBA_ENABLE_CUDASIM=1`)."""


class Gpu(Device):
    """The current GPU, with the arrays of one batch. Raises `NoDevice` if there is none."""

    def __init__(self, game: Game, n: int, seats: int) -> None:
        if not cuda.is_available():
            raise NoDevice("device: expected a GPU with a driver for CUDA, found none")
        self.n, one = n, new_scratch(game, seats)
        threads = min(n, max(SCRATCH_BYTES // sum(array.nbytes for array in one), 1))
        self.block = min(threads, BLOCK)
        self.blocks = -(-threads // self.block)
        launched = self.blocks * self.block
        self._scratch = Scratch(*(self._copied(np.zeros((launched, len(array)), array.dtype)) for array in one))

    def place(self, arrays: Any) -> Any:
        return type(arrays)(*map(self._copied, arrays))

    def octets(self, states: Any) -> Any:
        return states.view(np.int8).reshape(len(states), states.dtype.itemsize)

    def run(self, work: Any, rows: Rows, *more: Any) -> None:
        arguments = rows, self._scratch, more
        _launched(work)[self.blocks, self.block](*(_unwrapped(arguments) if SIMULATED else arguments), self.n)

    def empty(self, shape: tuple[int, ...], dtype: Any) -> "DeviceArray":
        return DeviceArray(cuda.device_array(shape, dtype))

    def read_out(self, out: Any, shape: tuple[int, ...]) -> Any:
        if not isinstance(out, DeviceArray) and not hasattr(out, "__cuda_array_interface__"):
            raise BadArray(f"out: expected an array on the device, found {type(out).__name__}")
        found = self.read_array(out)
        if found.shape != shape or not found.is_c_contiguous():
            raise BadArray(f"out: expected a C-contiguous array of shape {shape}, found {tuple(found.shape)}")
        return found

    def read_array(self, given: Any) -> Any:
        if isinstance(given, DeviceArray):
            return given.array
        if hasattr(given, "__cuda_array_interface__"):
            return cuda.as_cuda_array(given)
        return self._copied(np.asarray(given))

    def as_integers(self, numbers: Any) -> Any:
        return numbers if numbers.dtype == np.int64 else self._copied(numbers.copy_to_host().astype(np.int64))

    def to_host(self, array: Any) -> np.ndarray:
        return cast(np.ndarray, array.copy_to_host())

    def fill(self, array: Any, values: Any) -> None:
        array.copy_to_device(np.ascontiguousarray(np.broadcast_to(values, array.shape), array.dtype))

    def shared(self, array: Any) -> "DeviceArray":
        return DeviceArray(array)

    @staticmethod
    def _copied(array: np.ndarray) -> Any:
        return cuda.to_device(np.ascontiguousarray(array).view(np.ndarray))


@cache
def _launched(work: Kernel) -> Any:
    """Return the CUDA kernel of `work(rows, scratch, *more, first, last)`: a thread takes rows at equal distances."""

    def each_row(rows, scratch, more, n):  # type: ignore[no-untyped-def]
        thread = cuda.grid(1)
        mine = Scratch(
            scratch.actions[thread],
            scratch.weights[thread],
            scratch.scores[thread],
            scratch.points[thread],
            scratch.places[thread],
        )
        for i in range(thread, n, cuda.gridsize(1)):
            work(rows, mine, *more, i, i + 1)

    return cuda.jit(each_row)


def ptx(work: Kernel, rows: Rows, more: tuple[Any, ...], scratch: Scratch, capability: tuple[int, int] = HOPPER) -> str:
    """Return the PTX of a kernel for arrays like these, which may be of the processors; it needs no GPU.

    Raises Numba's errors for code that a GPU cannot run.
    """
    from numba.cuda.typing.typeof import typeof

    threads = Scratch(*(np.zeros((BLOCK, len(array)), array.dtype) for array in scratch))
    kinds = tuple(map(typeof, (rows, threads, more, len(rows.number))))
    known = SimpleNamespace(compute_capability=capability)  # Numba would ask a driver
    with patch("numba.cuda.dispatcher.get_current_device", lambda: known):
        return cast(str, cuda.compile_ptx(_launched(work).py_func, kinds, cc=capability)[0])


# Our functions in Numba's other compiler


def _teach_types() -> None:
    """Let kernels and intrinsics of the processors be called on the device."""
    from numba.cuda.cudadrv import nvvm
    from numba.cuda.descriptor import cuda_target
    from numba.cuda.extending import intrinsic
    from numba.cuda.typing.typeof import typeof_impl

    # Constant memory has 64 KB, too few for tables, and serves threads that read different places one after the other.
    nvvm.ADDRSPACE_CONSTANT = nvvm.ADDRSPACE_GLOBAL

    @cache
    def device_function(kernel: Kernel | Intrinsic) -> Any:
        return cuda.jit(device=True)(kernel.function)

    @cache
    def device_intrinsic(function: Intrinsic) -> Any:
        if not function.on_gpu:
            return None, device_function(function)._numba_type_
        made = intrinsic(function.define)
        cuda_target.typing_context.refresh()
        return made, cuda_target.typing_context.resolve_value_type(made)

    typeof_impl.register(Kernel, lambda kernel, context: device_function(kernel)._numba_type_)
    typeof_impl.register(Intrinsic, lambda function, context: device_intrinsic(function)[1])


if not SIMULATED:
    _teach_types()


def _unwrapped(argument: Any) -> Any:
    """Return the NumPy arrays behind those of the simulator, alone or in (named) tuples."""
    if isinstance(argument, tuple):
        parts = map(_unwrapped, argument)
        return type(argument)(*parts) if hasattr(argument, "_fields") else tuple(parts)
    array = getattr(argument, "_ary", argument)
    is_states = UNCOMPILED and isinstance(array, np.ndarray) and array.dtype.names
    return as_records(array) if is_states else array


# Arrays for other libraries


class DeviceArray:
    """An array on the device, which PyTorch, JAX and CuPy take without copying, and `copy_to_host` copies here.

    `array`: Numba's.
    """

    def __init__(self, array: Any) -> None:
        self.array, self.shape, self.dtype = array, tuple(array.shape), np.dtype(array.dtype)

    @property
    def __cuda_array_interface__(self) -> Any:
        return self.array.__cuda_array_interface__

    def __dlpack_device__(self) -> tuple[int, int]:
        return (CPU_DEVICE, 0) if SIMULATED else (CUDA_DEVICE, int(self.array.gpu_data.context.device.id))

    def __dlpack__(self, *, dl_device: Any = None, copy: bool | None = None, **ignored: Any) -> Any:
        """Return a capsule of the same memory, once everything launched so far has ended."""
        if copy or dl_device not in (None, self.__dlpack_device__()):
            raise BufferError("expected a consumer on the same device that shares the memory")
        cuda.synchronize()
        return _capsule(self)

    def copy_to_host(self) -> np.ndarray:
        """Return a copy in the memory of this process."""
        return cast(np.ndarray, self.array.copy_to_host())

    def __len__(self) -> int:
        return int(self.shape[0])

    def __repr__(self) -> str:
        return f"DeviceArray(shape={self.shape}, dtype={self.dtype})"


# The layout of DLPack, version 0.8: https://dmlc.github.io/dlpack/latest/c_api.html

CPU_DEVICE, CUDA_DEVICE = 1, 2
TYPE_CODES = {"i": 0, "u": 1, "f": 2, "b": 6}
NAME = b"dltensor"


class _Tensor(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    ]


class _Managed(ctypes.Structure):
    _fields_ = [("tensor", _Tensor), ("context", ctypes.c_void_p), ("deleter", ctypes.c_void_p)]


_lent: dict[int, Any] = {}
"""What a capsule points to, by its address, until its consumer deletes it."""


def _discard(capsule: int) -> None:
    """Delete what a capsule lends, unless a consumer took it and renamed the capsule."""
    if ctypes.pythonapi.PyCapsule_IsValid(ctypes.c_void_p(capsule), NAME):
        _lent.pop(_pointer_in(ctypes.c_void_p(capsule), NAME), None)


_Callback = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
_deleter, _destructor = _Callback(lambda address: _lent.pop(address, None)), _Callback(_discard)
_pointer_in = ctypes.pythonapi.PyCapsule_GetPointer
_pointer_in.restype, _pointer_in.argtypes = ctypes.c_void_p, [ctypes.c_void_p, ctypes.c_char_p]
_new_capsule = ctypes.pythonapi.PyCapsule_New
_new_capsule.restype, _new_capsule.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]


def _capsule(array: DeviceArray) -> Any:
    shape = (ctypes.c_int64 * len(array.shape))(*array.shape)
    device, place = array.__dlpack_device__()
    data = array.array.ctypes.data if SIMULATED else array.array.device_ctypes_pointer.value
    kind = TYPE_CODES[array.dtype.kind], array.dtype.itemsize * 8, 1
    tensor = _Tensor(data, device, place, len(shape), *kind, shape, None, 0)
    managed = _Managed(tensor, None, ctypes.cast(_deleter, ctypes.c_void_p))
    _lent[ctypes.addressof(managed)] = managed, shape, array
    return _new_capsule(ctypes.addressof(managed), NAME, ctypes.cast(_destructor, ctypes.c_void_p))
