"""A thread's view of the device: its indices, barriers, exchange with other threads.

Functions that wait or exchange are executed by all threads that their
documentation in docs/Dialect.md names. Counts and places are Int32.
"""

from .._compat import placeholders as _placeholders
from .._device.arch import Arch as Arch
from .barriers import *  # noqa: F403
from .bits import *  # noqa: F403
from .conversions import *  # noqa: F403
from .inline import *  # noqa: F403
from .lanes import *  # noqa: F403
from .mbarriers import *  # noqa: F403
from .memory import *  # noqa: F403
from .numbers import *  # noqa: F403
from .packed import *  # noqa: F403
from .places import *  # noqa: F403
from .tmem import *  # noqa: F403

__getattr__ = _placeholders.among(
    {}, "cute.arch", {"clc": "cute.arch", "nvvm": "cute._mlir.dialects.nvvm", "tmem": "cute.arch"})
