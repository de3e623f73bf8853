"""How a product for mma.sync is cut into tiles: parameters, and what follows from them."""

from __future__ import annotations

import dataclasses

from .._values.numeric import (
    BFloat16,
    Float16,
    Float32,
    Float64,
    Float8E4M3FN,
    Float8E5M2,
    Int8,
    Int32,
    TFloat32,
)

TYPES = {
    "f16": Float16,
    "bf16": BFloat16,
    "f32": Float32,
    "tf32": TFloat32,
    "f64": Float64,
    "i8": Int8,
    "i32": Int32,
    "f8E4M3FN": Float8E4M3FN,
    "f8E5M2": Float8E5M2,
}
_ATOMS = {
    "f16": "SM80_16x8x16_F32F16F16F32_TN",
    "bf16": "SM80_16x8x16_F32BF16BF16F32_TN",
    "tf32": "SM80_16x8x8_F32TF32TF32F32_TN",
    "i8": "SM80_16x8x32_S32S8S8S32_TN",
    "f8E4M3FN": "SM89_16x8x32_F32E4M3E4M3F32_TN",
}
PLAIN_STEPS = 8  # elements of a strip that a thread copies


@dataclasses.dataclass(frozen=True)
class Operand:
    """One of the two operands: its rows are C's rows as they lie in memory, or columns."""

    name: str  # X or Y
    extent: int  # of a tile, next to bk
    is_k_major: bool


@dataclasses.dataclass(frozen=True)
class Plan:
    """The parameters, which kernels/gemm_sm80.json explains, and what follows from them.

    X has the rows of C as they lie in memory, Y its columns: where the columns are
    contiguous, C is transposed, and with that A and B change places.
    """

    type: str
    out: str
    a_major: str
    b_major: str
    c_major: str
    batched: bool
    partial: bool
    bm: int
    bn: int
    bk: int
    stages: int
    warps_m: int
    warps_n: int
    warps_k: int
    group: int
    split: int
    stream: int
    arch: str

    @property
    def atom(self) -> str:
        """The instruction."""
        if self.type == "f64":
            on_90 = "SM90_16x8x4_F64F64F64F64_TN"
            return on_90 if int(self.arch[3:].rstrip("af")) >= 90 else "SM80_8x8x4_F64F64F64F64_TN"
        return _ATOMS[self.type]

    @property
    def atom_k(self) -> int:
        """Elements along K of the instruction, or of several at a time."""
        return 256 // self.bits

    @property
    def sum(self) -> str:
        """The type that sums have."""
        return {"i8": "i32", "f64": "f64"}.get(self.type, "f32")

    @property
    def shared_bytes(self) -> int:
        """Of a block."""
        return self.stages * (self.bm + self.bn) * self.bk * self.bits // 8

    @property
    def bits(self) -> int:
        """Of an element of A and B."""
        return 32 if self.type == "tf32" else TYPES[self.type].width

    @property
    def out_bits(self) -> int:
        return TYPES[self.out].width

    @property
    def sum_bits(self) -> int:
        return TYPES[self.sum].width

    @property
    def vec(self) -> int:
        """Elements of 16 bytes."""
        return 128 // self.bits

    @property
    def out_vec(self) -> int:
        return 128 // self.out_bits

    @property
    def threads(self) -> int:
        return 32 * self.warps_m * self.warps_n * self.warps_k

    @property
    def k_blocks(self) -> int:
        """K-blocks of a tile that a warp has."""
        return self.bk // (self.atom_k * self.warps_k)

    @property
    def is_transposed(self) -> bool:
        return self.c_major == "m"

    @property
    def operands(self) -> tuple[Operand, Operand]:
        a, b = self.a_major == "k", self.b_major == "k"
        x, y = (b, a) if self.is_transposed else (a, b)
        return Operand("X", self.bm, x), Operand("Y", self.bn, y)

    @property
    def in_parts(self) -> bool:
        """Whether a block has some of a tile's k-tiles."""
        return self.split > 1 or self.stream > 0

    @property
    def meets(self) -> bool:
        """Whether warps that share K add up their sums in shared memory."""
        return self.warps_k > 1 and self.split == 1

    @property
    def via(self) -> int:
        """The operand, by number, over whose tiles C goes through shared memory."""
        return 0 if self.bm >= self.bn else 1

    @property
    def via_shared(self) -> bool:
        """Whether C does: all elements have 16 bits, and the tiles are large enough."""
        room = max(self.bm, self.bn) * self.bk * self.stages * self.bits
        fits = self.bm * self.bn * self.out_bits <= room
        small = self.bits == self.out_bits == 16 and self.split == 1
        is_full = self.bm * self.bn >= self.threads * self.out_vec
        return self.meets or small and fits and is_full

    @property
    def count(self) -> int:
        """Elements of C of a thread, where threads share them evenly."""
        return self.bm * self.bn // self.threads

    @property
    def piece(self) -> int:
        """Elements of C that are written at a time."""
        return min(self.out_vec, self.count)

    def tensor(self, element: str, is_k_major: bool, align: int, divisor: str = "",
               batch: bool = False) -> str:
        """Returns the type of a matrix."""
        pitch = f"?{{i64{divisor}}}"
        strides = f"{pitch},1" if is_k_major else f"1,{pitch}"
        shape, more = ("(?,?,?)", ",?{i64}") if batch else ("(?,?)", "")
        return (f'!cute.tensor<{element}, gmem, align<{align}>, '
                f'"{shape}:({strides}{more})">')

    @property
    def matrices(self) -> list[str]:
        """The types of A, B and C."""
        kinds = ((self.type, self.a_major == "k"), (self.type, self.b_major == "k"),
                 (self.out, self.c_major == "n"))
        return [self.tensor(e, k, 16, "", self.batched) for e, k in kinds]

    @property
    def grid(self) -> list[str]:
        """Expressions for the number of blocks."""
        if self.stream:
            return [str(self.stream)]
        modes = (1, 0) if self.is_transposed else (0, 1)
        extents = zip(modes, (self.bm, self.bn))
        sizes = [f"ceil_div(arg2.shape[{mode}], {extent})" for mode, extent in extents]
        if self.batched:
            sizes.append("arg2.shape[2]")
        return sizes + ([str(self.split)] if self.split > 1 else [])
