"""Architectures as an enumeration, which programs compare."""

from __future__ import annotations

import enum
import functools
import warnings
from typing import Any

from .. import _bridge
from . import devices as _device


@functools.total_ordering
class _Arch(enum.Enum):
    """An architecture: its numbers and the letter after them."""

    major: int
    minor: int
    suffix: str

    def __init__(self, major: int, minor: int, suffix: str):
        self.major, self.minor, self.suffix = major, minor, suffix

    def __lt__(self, other: Any) -> bool:
        return self.value < other.value if isinstance(other, _Arch) else NotImplemented

    def __str__(self) -> str:
        return self.name

    @classmethod
    def from_string(cls, name: str) -> Any:
        """Returns the architecture of a name, "sm_90a"."""
        try:
            return cls[name]
        except KeyError:
            raise ValueError(f"{name} is not an architecture; write one as sm_90a") from None

    def is_family_of(self, other: Any) -> bool:
        """Returns whether code for the family ``other`` runs here: same major, no older."""
        return self.major == other.major and self.minor >= other.minor


def _rows() -> dict[str, tuple[int, int, str]]:
    """The library's architectures from sm_80 on, and names that programs compare with these:
    CUDA 13 calls sm_110 what was sm_101; nothing is compiled for sm_107."""
    found = {f"sm_107{suffix}": (10, 7, suffix) for suffix in ("", "a", "f")}
    for row in _bridge.architectures():
        name, number, suffix = row["name"], row["number"], row["suffix"]
        if number >= 80:
            found[name] = (*divmod(number, 10), suffix)
        if number == 101:
            found[f"sm_110{suffix}"] = (11, 0, suffix)
    return found


Arch: Any = _Arch("Arch", _rows())
Arch.__doc__ = _Arch.__doc__


class BaseDSL:
    """Programs' view of the compiler: the architecture that it compiles for."""

    @classmethod
    def _get_dsl(cls) -> BaseDSL:
        return cls()

    def get_arch_enum(self) -> Any:
        """Returns the architecture that kernels are compiled for."""
        return Arch.from_string(_device.arch())

    def print_warning(self, message: str) -> None:
        """Warns of something, as ``warnings.warn`` does."""
        warnings.warn(message, UserWarning, stacklevel=2)

    print_warning_once = print_warning


CuTeDSL = CutlassBaseDSL = BaseDSL
