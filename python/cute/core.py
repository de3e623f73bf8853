"""The names of the reference's ``cute`` that are functions and objects."""

import types as _types

from ._algebra import *  # noqa: F403
from ._algebra import slice_, size  # noqa: F401
from ._layout_algebra import *  # noqa: F403
from ._layout_algebra import filter, sum_  # noqa: F401
from ._atoms import *  # noqa: F403
from ._fast_divmod import *  # noqa: F403
from ._foreign_functions import *  # noqa: F403
from ._layout import *  # noqa: F403
from ._layout import Layout as _Layout  # noqa: F401
from ._mma import *  # noqa: F403
from ._pointer import *  # noqa: F403
from ._tensor import *  # noqa: F403
from ._op import CopyOp, MmaOp  # noqa: F401
from ._pictures import show  # noqa: F401
from ._printing import printf  # noqa: F401
from ._values import E, Ratio, ScaledBasis  # noqa: F401


def shape(input, mode=None, *, loc=None, ip=None):
    """Returns the shape of a layout or tensor, of a tuple itself; or of one mode of it."""
    found = input.shape if hasattr(input, "shape") else input
    for i in mode or ():
        found = found[i] if isinstance(found, tuple) else found
    return found


__all__ = [
    name
    for name, value in list(globals().items())
    if not name.startswith("_") and not isinstance(value, _types.ModuleType)
]
