"""Descriptors of matrices in shared memory that programs make themselves, for tcgen05.mma."""

from __future__ import annotations

from typing import Any

from .._compile import ir as _ir
from .._values import algebra as _algebra, layout_algebra as _layout_algebra
from .._values.layout import ComposedLayout, Layout
from .._values.numeric import Int32, Int64
from .._values.operands import wrap
from .._values.pointer import AddressSpace, Pointer
from .._values.tensor import Tensor

__all__ = [
    "SmemDescriptor", "int_to_smem_descriptor", "make_umma_smem_desc", "smem_descriptor_to_int",
]

# Numbers of swizzles in descriptors (PTX ISA, "Shared memory descriptor"), with the bytes of a
# row of the pattern, and its rows.
_PATTERNS = {
    (0, 4, 3): (0, 16, 8), (1, 4, 3): (6, 32, 8), (2, 4, 3): (4, 64, 8), (3, 4, 3): (2, 128, 8),
    (2, 5, 2): (1, 128, 4),
}


class DescribedTensor:
    """A descriptor with a layout in units of 16 bytes, whose mode 0 is what it describes."""

    def __init__(self, iterator: SmemDescriptor, layout: Layout):
        self.iterator, self.layout = iterator, layout
        self.shape, self.stride = layout.shape, layout.stride

    def __getitem__(self, coord: Any) -> DescribedTensor:
        sliced, offset = _layout_algebra.slice_and_offset(coord, self.layout)
        return DescribedTensor(self.iterator + offset, sliced)

    def part_of(self, atom: Any, operand: str) -> Tensor:
        """Returns the operand "a" or "b" of an atom that reads shared memory."""
        op = atom.op
        dtype = getattr(op, f"{operand}_dtype", None) or op.ab_dtype
        blocks = getattr(getattr(op, "cta_group", None), "value", 1)
        mn, k = op.shape_mnk[operand == "b"] // blocks, op.shape_mnk[2]
        units = 128 // dtype.width
        rest: Any = ()
        steps: Any = ()
        if isinstance(self.shape, tuple):
            rest = self.shape[1:]
            steps = _algebra.transform_leaf(lambda step: step * units, self.stride[1:])
        made = _ir.type(f"!cute.ptr<{dtype.element_name}, desc, align<16>>")
        start = _ir.apply("make_ptr", self.iterator.value.ir_value(), results=[made])
        layout = _algebra.make_layout(((mn, k), *rest), stride=((k, 1), *steps))
        return wrap(_ir.apply("make_tensor", start, layout.ir))


class SmemDescriptor:
    """The place of a matrix in shared memory: 64 bits, an iterator for ``make_tensor``.

    :ivar value: the bits, Int64
    """

    def __init__(self, value: Any):
        self.value = Int64(value)

    def __add__(self, units: Any) -> SmemDescriptor:
        """Returns the descriptor of the matrix so many units of 16 bytes further."""
        return type(self)(self.value + Int64(units))

    def __extract_mlir_values__(self) -> list[Any]:
        return [self.value.ir_value()]

    def __new_from_mlir_values__(self, values: list[Any]) -> SmemDescriptor:
        return type(self)(Int64(values[0]))

    def __cute_tensor__(self, layout: Any) -> DescribedTensor:
        return DescribedTensor(
            self, layout if isinstance(layout, Layout) else _algebra.make_layout(layout))


def _distance(layout: Any, mode: int, index: int) -> int:
    """Returns the elements from index 0 to another of a mode; 0 where it has fewer."""
    if index >= _algebra.size(layout, mode=[mode]):
        return 0
    return layout((index, 0) if mode == 0 else (0, index)) - layout((0, 0))


def make_umma_smem_desc(
    src: Pointer, layout: Any, major: str, next_src: Pointer | None = None, *, loc: Any = None,
    ip: Any = None,
) -> SmemDescriptor:
    """Returns the descriptor of a matrix in shared memory.

    :param src: its first element, aligned to 16 bytes, with the swizzle of its memory
    :param layout: ((MN,K), ...) or (MN,K) in elements, static, in a canonical layout of the
        swizzle
    :param major: "k" or "mn": the mode of stride 1
    :param next_src: for sm_103's products of K = 96: where the rows of ``src`` go on when their
        128 bytes end, as in the next buffer of a ring
    :raises ValueError: for another memory, swizzle or major mode, or a layout that is not static
        or is not in a canonical form

        desc = tcgen05.make_umma_smem_desc(sA.iterator, sA.layout, "k")
    """
    if not isinstance(src, Pointer) or src.memspace is not AddressSpace.smem:
        raise ValueError(f"src is a pointer to shared memory, not {src}")
    if major not in ("k", "mn"):
        raise ValueError(f'major is "k" or "mn", not {major!r}')
    swizzle = src.swizzle
    if isinstance(layout, ComposedLayout):
        swizzle, layout = layout.inner, layout.outer
    bits = (swizzle.num_bits, swizzle.num_base, swizzle.num_shift) if swizzle else (0, 4, 3)
    if bits not in _PATTERNS or bits == (2, 5, 2) and major == "k":
        raise ValueError(f"the swizzle is {swizzle}; descriptors name S<0,4,3> to S<3,4,3>, "
                         "and for MN-major matrices S<2,5,2>")
    is_flat = _algebra.rank(layout) == 2 and not isinstance(layout.shape[0], tuple)
    values = layout if is_flat else _algebra.get(layout, mode=[0])
    if _algebra.rank(values) != 2 or not _algebra.is_static(values):
        raise ValueError(f"the layout is a static (MN,K) or ((MN,K),...), not {layout}")
    code, line, rows = _PATTERNS[bits]
    width = src.dtype.width
    across, along = (1, 0) if major == "mn" else (0, 1)
    if _distance(values, along, 1) > 1:
        raise ValueError(f"major is {major!r}, so mode {along} of {values} must have stride 1")
    if _distance(values, across, 1) not in (0, line * 8 // width):
        raise ValueError(f"lines of {swizzle} are {line} bytes apart, and {values} has "
                         f"{_distance(values, across, 1) * width // 8}")
    steps = [_distance(values, along, line * 8 // width), _distance(values, across, rows)]
    if major == "k" and code:
        steps[0] = 128 // width  # not used
    if any(step * width % 128 for step in steps):
        raise ValueError(f"patterns of {swizzle} in {values} are not multiples of 16 bytes apart")
    leading, stride = (step * width // 128 for step in steps)
    if major == "mn" and not code:
        leading, stride = stride, leading
    fixed = (leading & 0x3FFF) << 16 | (stride & 0x3FFF) << 32 | 1 << 46 | code << 61
    if next_src is not None:
        fixed = fixed & ~(0x3FFF << 16) | 1 << 52
    value = _units(src) | Int64(fixed - (fixed >> 63 << 64))
    return SmemDescriptor(value if next_src is None else value | _units(next_src) << 16)


def _units(pointer: Pointer) -> Int64:
    """Returns an address of shared memory in units of 16 bytes."""
    return Int64((Int32(pointer.toint()) >> 4) & 0x3FFF)


def int_to_smem_descriptor(i: Any, *, loc: Any = None, ip: Any = None) -> SmemDescriptor:
    """Returns the descriptor of 64 bits."""
    return SmemDescriptor(i)


def smem_descriptor_to_int(
    desc: SmemDescriptor, *, loc: Any = None, ip: Any = None
) -> Int64:
    """Returns a descriptor's 64 bits."""
    return desc.value
