"""What an instruction is made of: the operations of atoms."""

from __future__ import annotations

import enum
from typing import Any

from .._compile.diagnostics import DSLError


class OpError(DSLError):
    """An operation with parameters that no instruction has."""

    def __init__(self, op: Any, message: str, suggestion: str = ""):
        name = op if isinstance(op, str) else type(op).__name__
        super().__init__(f"{name}: {message}" + (f"; {suggestion}" if suggestion else ""))


class LoadCacheMode(enum.Enum):
    """Which caches keep what cp.async loads."""

    ALWAYS = "ca"
    GLOBAL = "cg"
    STREAMING = "cs"
    LAST_USE = "lu"
    NONE = "none"


class CacheEvictionPriority(enum.Enum):
    """What a cache drops first."""

    EVICT_NORMAL = 0
    EVICT_FIRST = 1
    EVICT_LAST = 2
    EVICT_UNCHANGED = 3
    NO_ALLOCATE = 4


class L2PrefetchSize(enum.Enum):
    """Bytes that a load brings to the L2 cache at once."""

    NONE = 0
    SIZE_64B = 64
    SIZE_128B = 128
    SIZE_256B = 256


class MemoryOrder(enum.Enum):
    """The order of an access among others."""

    WEAK = 0
    RELAXED = 1
    ACQUIRE = 2
    RELEASE = 3
    ACQ_REL = 4
    SC = 5
    MMIO = 6
    CONSTANT = 7
    VOLATILE = 8


class MemoryScope(enum.Enum):
    """The threads among which an access is ordered."""

    CTA = 0
    CLUSTER = 1
    GPU = 2
    SYS = 3


class OperandMajorMode(enum.Enum):
    """Which mode of A (M,K) or B (N,K) is contiguous in shared memory."""

    MN = "mn"
    K = "k"


class ReductionKind(enum.Enum):
    """How TMA combines an element in global memory with an incoming one."""

    ADD = "ADD"
    MIN = "MIN"
    MAX = "MAX"
    INC = "INC"
    DEC = "DEC"
    AND = "AND"
    OR = "OR"
    XOR = "XOR"


class Op:
    """What an instruction is and which parameters it has."""

    def _parameters(self) -> tuple[Any, ...]:
        return tuple(sorted((k, str(v)) for k, v in vars(self).items()))

    def __eq__(self, other: Any) -> bool:
        return type(self) is type(other) and self._parameters() == other._parameters()

    def __hash__(self) -> int:
        return hash((type(self), self._parameters()))


class MmaOp(Op):
    """A matrix multiplication."""

    def atom_name(self) -> str:
        """Returns the atom's name in the dialect."""
        raise NotImplementedError(f"{type(self).__name__} has no atom")


class CopyOp(Op):
    """A copy."""

    def atom_name(self, bits: int) -> str:
        """Returns the dialect's name of the atom that copies this many bits."""
        raise NotImplementedError(f"{type(self).__name__} has no atom")

    def element_type(self, wanted: Any) -> Any:
        """Returns the atom's element type for this requested one."""
        return wanted


class MmaUniversalOp(MmaOp):
    """d = a * b + c by one thread, of one type.

    >>> make_tiled_mma(cute.nvgpu.MmaUniversalOp(Float32), (16, 16, 1)).tv_layout_C_tiled
    (256,(1,(1,1))):(1,(0,(0,0)))
    """

    def __init__(self, abacc_dtype: Any):
        names = {
            "Float32": "float",
            "Float64": "double",
            "Float16": "half_t",
            "BFloat16": "bfloat16_t",
            "Int32": "int",
            "Int64": "int64_t",
        }
        if abacc_dtype.__name__ not in names:
            raise OpError(self, f"{abacc_dtype} has no fused multiply-add")
        self.abacc_dtype = abacc_dtype
        self._name = names[abacc_dtype.__name__]

    def atom_name(self) -> str:
        return f"UniversalFMA<{self._name},{self._name},{self._name},{self._name}>"

    def __str__(self) -> str:
        return f"universal MMA Operation using FMA\n  A/B/Accumulator type = {self.abacc_dtype}"


class CopyUniversalOp(CopyOp):
    """Loads and stores between any two spaces.

    ``num_bits_per_copy`` of make_copy_atom is how much one access moves; without
    it one element, or as many as possible where no predicate is in the way.

    >>> make_copy_atom(cute.nvgpu.CopyUniversalOp(), Float32, num_bits_per_copy=128).layout_src_tv
    (1,4):(0,1)
    """

    def __init__(self, **options: Any):
        self.options = options

    def atom_name(self, bits: int) -> str:
        if bits not in (1, 2, 4, 8, 16, 32, 64, 128):
            raise OpError(self, f"num_bits_per_copy is {bits}; it can be 8, 16, 32, 64 or 128")
        return f"UniversalCopy<uint{bits}_t>"

    def __str__(self) -> str:
        return "universal Copy Operation"
