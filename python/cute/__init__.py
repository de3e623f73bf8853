"""An open compiler for CuTe programs: the names and meaning of CuTe DSL's ``cute``."""

from ._arguments import Constexpr
from ._compiled import (
    DumpDir,
    EnableAssertions,
    EnableTVMFFI,
    GenerateLineInfo,
    GPUArch,
    KeepCUBIN,
    KeepPTX,
    Lazy,
    LinkLibraries,
    OptLevel,
    PtxasOptions,
)
from ._control import const_expr, dynamic_expr, range_constexpr
from ._diagnostics import CompileError, DSLError, DSLRuntimeError, SimulatorError
from ._jit import compile, jit, kernel
from ._numeric import *  # noqa: F403
from ._struct import struct
from ._tensor_ssa import (
    ReductionOp,
    TensorSSA,
    all_,
    any_,
    empty_like,
    full,
    full_like,
    ones_like,
    where,
    zeros_like,
)
from .core import *  # noqa: F403
from .core import filter, printf, shape, show, size
from .runtime import SymInt, sym_int, sym_int32, sym_int64
from .typing import Coord, IntTuple, Shape, Stride, Tile, Tiler, XTuple


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    import importlib

    from ._missing import can_find, no_such_name

    if name in ("algorithm", "atom", "tensor", "tuple"):  # modules of the reference
        return core
    if can_find(f"cute.{name}"):
        return importlib.import_module(f"cute.{name}")
    from . import _ops, math

    if name in math.__all__:
        return getattr(math, name)
    if function := _ops.function_of(name):
        return function
    raise no_such_name("cute", name, (*globals(), *math.__all__))
