"""Instructions of the device one by one (`primitives`), and tensor maps (`cuda`).

The names of the reference's ``cutlass.experimental``.
"""

from . import cuda, primitives

__all__ = ["cuda", "primitives"]
