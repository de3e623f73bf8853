"""The names of the reference's package ``cutlass`` itself."""

from __future__ import annotations

import sys
from typing import Any, NamedTuple

import cute

from ._frontend import control as _control
from ._compile import ir as _ir
from ._values import numeric as _numeric, tensor_ssa as _tensor_ssa
from . import cuda
from ._device.arch import Arch, BaseDSL, CuTeDSL, CutlassBaseDSL
from ._compile.arguments import Constexpr, JitArgAdapterRegistry
from ._compile.launch_config import LaunchConfig  # noqa: F401
from ._values.array import Array, Vector, make_array_view  # noqa: F401
from ._compile.options import EnableTVMFFI, GenerateLineInfo, KeepCUBIN, KeepPTX, LinkLibraries
from ._compile import jit_executor  # noqa: F401
from ._compile.compiled import Compiled as JitCompiledFunction  # noqa: F401
from ._compile.options import GPUArch, OptLevel, PtxasOptions
from ._frontend.control import LoopRange, const_expr, dynamic_expr, range_constexpr
from ._frontend.control import maximum as max
from ._frontend.control import is_dynamic as is_dynamic_expression
from ._frontend.control import minimum as min
from ._values.numeric import *  # noqa: F403
from ._compile.diagnostics import DSLCudaRuntimeError, DSLError, DSLRuntimeError
from ._frontend.generators import for_generate, if_generate, while_generate, yield_out
from ._compat.missing import NotThere, can_find  # noqa: F401
from ._compat.missing import no_such_name as _no_such_name
from ._values.layout import ComposedLayout, Layout, Swizzle  # noqa: F401
from ._mlir import types as T
from ._values.numeric import NumericMeta  # noqa: F401
from ._values.pointer import AddressSpace, Pointer  # noqa: F401
from ._values.tensor import Tensor  # noqa: F401
from ._values.typed import TypedPointer, TypedTensor  # noqa: F401
from ._values.tensor_ssa import all_, any_, full, full_like  # noqa: F401
from ._values.operands import ScaledBasis  # noqa: F401
from ._values.algebra import is_int_tuple, is_integer  # noqa: F401
from ._values.tuples import is_int_tuple_type  # noqa: F401
from .vector import print_nd_vector  # noqa: F401
from .typing import Coord, IntTuple, Shape, Stride, Tile, Tiler, XTuple  # noqa: F401
from .runtime import SymInt, sym_int, sym_int32, sym_int64  # noqa: F401
from ._frontend.tree import extract_mlir_values, get_mlir_types, new_from_mlir_values

class CudaVersion(NamedTuple):
    """A version of CUDA."""

    major: int
    minor: int


range = range_dynamic = LoopRange
IntegerMeta = FloatMeta = NumericMeta
DSLUserCodeError = DSLRuntimeError
register_jit_arg_adapter = JitArgAdapterRegistry.register_jit_arg_adapter

# The version of the reference that this package follows; programs ask for it.
__version__ = "4.7.0"


# The version of CUDA that this package follows; it needs none of it to run.
CUDA_VERSION = CudaVersion(12, 9)


def target_version(
    exact_version: Any = None, *, min_version: Any = None, max_version: Any = None
) -> bool:
    """Returns whether the CUDA version is the given one, or lies between two, such as
    "12.9"."""

    def read(version: Any) -> tuple[int, ...]:
        return tuple(map(int, version.split("."))) if isinstance(version, str) else tuple(version)

    if exact_version is not None:
        return CUDA_VERSION == read(exact_version)
    low = min_version is None or CUDA_VERSION >= read(min_version)
    return low and (max_version is None or CUDA_VERSION <= read(max_version))


def DSLCudaVersion(version: str) -> CudaVersion:  # noqa: N802 (the name of the reference)
    """Parses a version such as "12.9"."""
    return CudaVersion(*map(int, version.split(".")[:2]))


def apply_swizzle(ptr: Pointer, swizzle: Swizzle, *, loc: Any = None, ip: Any = None) -> Pointer:
    """Returns the address that a swizzle maps an address to: ``ptr.apply_swizzle``."""
    return ptr.apply_swizzle(swizzle)


def load_swizzled(
    ptr: Pointer, swizzle: Swizzle, alignment: int | None = None, *, count: int | None = None,
    loc: Any = None, ip: Any = None,
) -> Any:
    """Returns an element, or some, of memory that a swizzle has moved."""
    return ptr.load_swizzled(swizzle, alignment, count=count)


def store_swizzled(
    ptr: Pointer, value: Any, swizzle: Swizzle, alignment: int | None = None, *,
    loc: Any = None, ip: Any = None,
) -> None:
    """Writes to memory that a swizzle moves."""
    ptr.store_swizzled(value, swizzle, alignment)


def register_library_unload_callback(callback: Any) -> Any:
    """Returns the callback, which is never called: code stays loaded until the process ends."""
    return callback


def unregister_library_unload_callback(callback: Any) -> None:
    """Does nothing, as no callback is ever called."""


class GridConstant:
    """Marks an argument that all threads read and none writes, as holds for all arguments."""

    def __class_getitem__(cls, annotation: Any) -> Any:
        return annotation


grid_constant = GridConstant


class align(int):  # noqa: N801 (the name of the reference)
    """An alignment in bytes: an integer that is a power of two.

    For example::

        align(16) * 2
        # 32

    :raises ValueError: for another number
    """

    def __new__(cls, value: int) -> align:
        if value < 1 or value & (value - 1):
            raise ValueError(f"an alignment is a power of two, not {value}")
        return super().__new__(cls, value)


def LoopUnroll(**kwargs: int | bool) -> Any:  # noqa: N802 (the name of the reference)
    """Returns the attribute of LLVM by which a loop is unrolled.

    :param kwargs: ``count``, how often; ``full``, all of it; or ``disable``, not at all
    :raises ValueError: for another word

    For example::

        LoopUnroll(count=4)
    """
    words = {"count": "i32", "full": "bool", "disable": "bool"}
    parts = []
    for name, value in kwargs.items():
        if name not in words:
            raise ValueError(f"a loop is unrolled by {', '.join(words)}, not {name}")
        text = f"{int(value)} : i32" if name == "count" else str(bool(value)).lower()
        parts.append(f"{name} = {text}")
    return _ir.parsed(f"#llvm.loop_annotation<unroll = <{', '.join(parts)}>>")


def select_(cond: Any, if_value: Any, else_value: Any, *, loc: Any = None, ip: Any = None) -> Any:
    """Returns one of two numbers, vectors or values of the IR; both are computed."""
    if isinstance(if_value, _ir.Value) and isinstance(else_value, _ir.Value):
        trace = _ir.require("select_")
        bit = _numeric.Boolean(cond).ir_value() if not isinstance(cond, _ir.Value) else cond
        return trace.op("arith.select", [bit, if_value, else_value], [trace.type_of(if_value)])[0]
    bit = _numeric.Boolean(cond) if isinstance(cond, _ir.Value) else cond
    return _tensor_ssa.where(bit, if_value, else_value)


def inttoptr(
    value: Any, mem_space: Any, dtype: Any, *, loc: Any = None, ip: Any = None
) -> Pointer:
    """Returns a pointer to elements of a type at an address, an integer.

    :param mem_space: an AddressSpace, or its number
    """
    from ._values.pointer import make_ptr

    space = mem_space if isinstance(mem_space, AddressSpace) else AddressSpace(mem_space)
    return make_ptr(dtype, value, space)


def dsl_user_op(opFunc: Any) -> Any:
    """Marks a function that creates operations; returns it unchanged."""
    return opFunc


def dtype(dtype_: Any) -> Any:
    """Returns the numeric type of a name, "Float16"."""
    found = dtype_ if isinstance(dtype_, _numeric.NumericMeta) else getattr(_numeric, dtype_, None)
    if not isinstance(found, _numeric.NumericMeta):
        raise ValueError(f"{dtype_} is not a numeric type")
    return found


_NOWHERE = ("", 0, 0)


def and_(first: Any, *rest: Any, loc: Any = None, ip: Any = None) -> Any:
    """Returns whether all of some truth values hold."""
    return _control.and_(_NOWHERE, first, *(lambda value=value: value for value in rest))


def or_(first: Any, *rest: Any, loc: Any = None, ip: Any = None) -> Any:
    """Returns whether one of some truth values holds."""
    return _control.or_(_NOWHERE, first, *(lambda value=value: value for value in rest))


def not_(lhs: Any, *, loc: Any = None, ip: Any = None) -> Any:
    """Returns whether a truth value, also an i1 of the IR, is false."""
    return _control.not_(_numeric.Boolean(lhs) if isinstance(lhs, _ir.Value) else lhs)




def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    import importlib

    if not name.startswith("_") and can_find(f"cute.{name}"):
        return importlib.import_module(f"cute.{name}")
    if "cutlass" in sys.modules and can_find(f"cutlass.{name}"):
        return importlib.import_module(f"cutlass.{name}")

    raise _no_such_name("cutlass", name, globals())
