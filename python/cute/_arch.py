"""Architectures as an enumeration, which programs compare."""

from __future__ import annotations

import enum
import functools
from typing import Any

from . import _device


@functools.total_ordering
class Arch(enum.Enum):
    """An architecture: its numbers and the letter after them."""

    sm_80 = (8, 0, "")
    sm_86 = (8, 6, "")
    sm_87 = (8, 7, "")
    sm_89 = (8, 9, "")
    sm_90 = (9, 0, "")
    sm_90a = (9, 0, "a")
    sm_100 = (10, 0, "")
    sm_100a = (10, 0, "a")
    sm_100f = (10, 0, "f")
    sm_103 = (10, 3, "")
    sm_103a = (10, 3, "a")
    sm_103f = (10, 3, "f")
    sm_110 = (11, 0, "")
    sm_110a = (11, 0, "a")
    sm_110f = (11, 0, "f")
    sm_120 = (12, 0, "")
    sm_120a = (12, 0, "a")
    sm_120f = (12, 0, "f")
    sm_121 = (12, 1, "")
    sm_121a = (12, 1, "a")
    sm_121f = (12, 1, "f")

    def __init__(self, major: int, minor: int, suffix: str):
        self.major, self.minor, self.suffix = major, minor, suffix

    def __lt__(self, other: Any) -> bool:
        return self.value < other.value if isinstance(other, Arch) else NotImplemented

    def __str__(self) -> str:
        return self.name

    @classmethod
    def from_string(cls, name: str) -> Arch:
        """Returns the architecture of a name, "sm_90a"."""
        try:
            return cls[name]
        except KeyError:
            raise ValueError(f"{name} is no architecture; write one as sm_90a") from None

    def is_family_of(self, other: Arch) -> bool:
        """Says whether code for the family ``other`` runs here: same major, no older."""
        return self.major == other.major and self.minor >= other.minor


class BaseDSL:
    """What programs ask of the compiler itself: the architecture it compiles for."""

    @classmethod
    def _get_dsl(cls) -> BaseDSL:
        return cls()

    def get_arch_enum(self) -> Arch:
        """Returns the architecture that kernels are compiled for."""
        return Arch.from_string(_device.arch())


CuTeDSL = CutlassBaseDSL = BaseDSL
