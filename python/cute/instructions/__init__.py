"""Instructions of the device one by one (`primitives`), and tensor maps (`cuda`).

The names of the reference's ``cutlass.experimental``.
"""

from . import cuda, primitives

__all__ = ["cuda", "primitives"]


def __getattr__(name: str) -> object:
    """Returns ``task_scheduling``, a package of its own here."""
    if name == "task_scheduling":
        from .. import task_scheduling

        return task_scheduling
    raise AttributeError(f"cutlass.experimental.{name} is not there in this package")
