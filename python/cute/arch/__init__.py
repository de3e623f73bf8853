"""What a thread of a kernel asks of the device: its place, barriers, exchange.

Functions that wait or exchange are executed by all threads that their
documentation in docs/Dialect.md names. Counts and places are Int32.
"""

from .._compat import placeholders as _placeholders
from .barriers import *  # noqa: F403
from .bits import *  # noqa: F403
from .inline import *  # noqa: F403
from .lanes import *  # noqa: F403
from .mbarriers import *  # noqa: F403
from .memory import *  # noqa: F403
from .numbers import *  # noqa: F403
from .packed import *  # noqa: F403
from .places import *  # noqa: F403

__getattr__ = _placeholders.among(
    {
        "alloc_tmem": "tensor memory of Blackwell",
        "dealloc_tmem": "tensor memory of Blackwell",
        "get_max_tmem_alloc_cols": "tensor memory of Blackwell",
        "get_min_tmem_alloc_cols": "tensor memory of Blackwell",
        "fence_view_async_tmem_load": "tensor memory of Blackwell",
        "fence_view_async_tmem_store": "tensor memory of Blackwell",
        "relinquish_tmem_alloc_permit": "tensor memory of Blackwell",
        "retrieve_tmem_ptr": "tensor memory of Blackwell",
        "clc_response": "scheduling by Blackwell's launch control",
        "issue_clc_query": "scheduling by Blackwell's launch control",
    },
    "cute.arch",
)
