"""An open compiler for CuTe programs: the names and meaning of CuTe DSL's ``cute``."""

from . import _bridge
from ._compile.arguments import Constexpr
from ._compile.options import (
    DeviceTarget,
    DisableCuteExtCompile,
    DumpDir,
    EnableAssertions,
    FrontendNext,
    EnableTVMFFI,
    GenerateLineInfo,
    GPUArch,
    KeepCUBIN,
    KeepPTX,
    KeepSASS,
    Lazy,
    LinkLibraries,
    NvdisasmOptions,
    OptLevel,
    PtxasOptions,
    RDC,
    RemarkFilter,
    RemarkOutput,
)
from ._frontend.control import const_expr, dynamic_expr, range_constexpr
from ._compile.diagnostics import CompileError, DSLError, DSLRuntimeError, SimulatorError
from ._compile.jit import compile, jit, kernel
from ._values.numeric import *  # noqa: F403
from ._values.array import Array
from ._values.struct import struct, union
from ._values.tensor_ssa import (
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
from ._compile.arguments import JitArgAdapterRegistry as _Registry
from .runtime import SymInt, sym_int, sym_int32, sym_int64
from .typing import Coord, IntTuple, Shape, Stride, Tile, Tiler, TypedTensor, XTuple

register_jit_arg_adapter = _Registry.register_jit_arg_adapter
__version__: str = _bridge.version


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    import importlib

    from ._compat.missing import can_find, no_such_name

    if name in ("algorithm", "atom", "tensor", "tuple"):  # modules of the reference
        return core
    if name == "_Tensor":  # the class by the name that libraries add methods to
        return Tensor
    if can_find(f"cute.{name}"):
        return importlib.import_module(f"cute.{name}")
    from ._values import ops as _ops
    from . import math

    if name in math.__all__:
        return getattr(math, name)
    if function := _ops.function_of(name):
        return function
    raise no_such_name("cute", name, (*globals(), *math.__all__))
