"""The names of the reference's ``cute`` that are functions and objects."""

import typing as _typing
import types as _types

from ._compile import ir as _ir

from ._values.algebra import *  # noqa: F403
from ._values.algebra import slice_, size  # noqa: F401
from ._values.layout_algebra import *  # noqa: F403
from ._values.layout_algebra import filter, sum_  # noqa: F401
from ._values.atoms import *  # noqa: F403
from ._values.fast_divmod import *  # noqa: F403
from ._compat.foreign_functions import *  # noqa: F403
from ._values.layout import *  # noqa: F403
from ._values.layout import Layout as _Layout  # noqa: F401
from ._values.mma import *  # noqa: F403
from ._values.native_struct import *  # noqa: F403
from ._values.pointer import *  # noqa: F403
from ._values.sparse import *  # noqa: F403
from ._values.tensor import *  # noqa: F403
from ._values.tuples import *  # noqa: F403
from ._values.tuples import wrap_tuple as wrap  # noqa: F401
from ._values.op import CacheEvictionPriority, CopyOp, MmaOp, ReductionKind  # noqa: F401
from ._values.pictures import show  # noqa: F401
from ._values.printing import printf  # noqa: F401
from ._values.operands import E, Ratio, ScaledBasis  # noqa: F401


class ConstValue(_typing.NamedTuple):
    """A value that is compiled in, with its types in the IR."""

    types: tuple
    value: object


def compile_to(target, func, *args, **kwargs):
    """Returns the form of a function under @cute.jit at a stage of compilation.

    :param target: "PreCompiledMlir" (or a member of an enumeration of this name), the text
        of the module; "ptx"; or "cubin", bytes
    :raises ValueError: for another stage

    For example::

        compile_to("ptx", function, tensor)
    """
    stages = {"precompiledmlir": "__mlir__", "mlir": "__mlir__", "ptx": "__ptx__",
              "cubin": "__cubin__"}
    name = str(getattr(target, "name", target)).replace("_", "").lower()
    if name not in stages:
        raise ValueError(f"a function is compiled to PreCompiledMlir, ptx or cubin, not {target}")
    from ._compile.jit import compile

    return getattr(compile(func, *args, **kwargs), stages[name])


def make_atom(ty, values=None, *, loc=None, ip=None):
    """Returns the atom of a type of the dialect, ``!cute.copy_atom<...>`` or ``!cute.mma_atom<...>``.

    :param values: the runtime parts of the atom: none, in this dialect
    :raises ValueError: for values, and other types
    """
    text = str(ty)
    kind = {"!cute.copy_atom": CopyAtom, "!cute.mma_atom": MmaAtom}.get(text.partition("<")[0])
    if kind is None or values:
        raise ValueError(f"{text} is not an atom" if kind is None else "atoms have no values")
    return kind(_ir.type(text), None)


def shape(input, mode=None, *, loc=None, ip=None):
    """Returns the shape of a layout or tensor, or the tuple itself; or one mode's shape."""
    found = input.shape if hasattr(input, "shape") else input
    for i in mode or ():
        found = found[i] if isinstance(found, tuple) else found
    return found


def _pack_shape(shape, *, loc=None, ip=None):
    """Returns a shape as functions take it, a tuple."""
    return tuple(shape)


_pack_tile = _pack_shape  # a tile, too


__all__ = [
    name
    for name, value in list(globals().items())
    if not name.startswith("_") and not isinstance(value, _types.ModuleType)
]
