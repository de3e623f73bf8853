"""The names of the reference's ``cute`` that are functions and objects."""

import types as _types

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
from ._values.pointer import *  # noqa: F403
from ._values.tensor import *  # noqa: F403
from ._values.tuples import *  # noqa: F403
from ._values.tuples import wrap_tuple as wrap  # noqa: F401
from ._values.op import CacheEvictionPriority, CopyOp, MmaOp  # noqa: F401
from ._values.pictures import show  # noqa: F401
from ._values.printing import printf  # noqa: F401
from ._values.operands import E, Ratio, ScaledBasis  # noqa: F401


def shape(input, mode=None, *, loc=None, ip=None):
    """Returns the shape of a layout or tensor, of a tuple itself; or of one mode of it."""
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
