"""Tensor maps, which TMA copies boxes by, made on the host and passed to kernels."""

from __future__ import annotations

import enum
from typing import Any, Sequence

from .._compat import placeholders as _placeholders
from .._compile import ir as _ir
from .._mlir.dialects import llvm as _llvm
from .._values import algebra as _algebra, numeric as _numeric
from .._values.layout import make_swizzle
from .._values.numeric import Int64, NumericMeta, Uint8
from .._values.pointer import AddressSpace, make_ptr
from .._values.tensor import Tensor, make_tensor
from ..nvgpu import _tma

__all__ = [
    "TensorMap",
    "TensorMapDataFormat",
    "TensorMapFloatOOBFill",
    "TensorMapInterleave",
    "TensorMapL2Promotion",
    "TensorMapSwizzle",
    "create_tensor_map_tiled",
    "create_tensor_map_tiled_from_view",
]

TensorMapDataFormat = enum.IntEnum(
    "TensorMapDataFormat", "DEFAULT BYTE F32_FTZ TF32_FTZ B4X16 B4X16_P64 B6X16_P32")
TensorMapFloatOOBFill = enum.IntEnum(
    "TensorMapFloatOOBFill", "none nan_request_zero_fma", start=0)
TensorMapInterleave = enum.IntEnum("TensorMapInterleave", "none i16b i32b", start=0)
TensorMapL2Promotion = enum.IntEnum(
    "TensorMapL2Promotion", "none l2_64b l2_128b l2_256b", start=0)
TensorMapDataFormat.__doc__ = "How elements lie in shared memory: as in global memory, or widened."
TensorMapFloatOOBFill.__doc__ = "What elements beyond a tensor are: zeros, or NaN."
TensorMapInterleave.__doc__ = "How channels lie among pixels: together, or in groups of 16 or 32 bytes."
TensorMapL2Promotion.__doc__ = "How many bytes a copy brings to the L2 cache at least."


class TensorMapSwizzle(enum.IntEnum):
    """How 16-byte pieces of a box's rows change places in shared memory."""

    none = 0
    s32b = 1
    s64b = 2
    s128b = 3
    s128b_atom_32b = 4
    s128b_atom_32b_flip_8b = 5
    s128b_atom_64b = 6

    def to(self, kind: type) -> Any:
        """Returns the same swizzle as descriptors of products name it.

        :param kind: Tcgen05SmemSwizzle or WgmmaSwizzle
        :raises ValueError: for one that the descriptors do not have

        For example::

            TensorMapSwizzle.s64b.to(Tcgen05SmemSwizzle)  # SWIZZLE_64B
        """
        names = {
            "none": ("NONE", "INTERLEAVE"), "s32b": ("SWIZZLE_32B",), "s64b": ("SWIZZLE_64B",),
            "s128b": ("SWIZZLE_128B",), "s128b_atom_32b": ("SWIZZLE_128B_ATOM_32B",),
        }
        for member in kind:
            if member.name in names.get(self.name, ()):
                return member
        raise ValueError(f"{kind.__name__} has no swizzle like {self.name}")



class TensorMapDataType(enum.IntEnum):
    """The types of elements by the numbers that CUDA's driver gives them."""

    uint8 = 0
    uint16 = 1
    uint32 = 2
    int32 = 3
    uint64 = 4
    int64 = 5
    float16 = 6
    float32 = 7
    float64 = 8
    bfloat16 = 9
    float32_ftz = 10
    tfloat32 = 11
    tfloat32_ftz = 12
    f416u4_align8b = 13
    f416u4_align16b = 14
    f416u6_align16b = 15


_ELEMENTS = {
    **{kind: getattr(_numeric, kind.name.capitalize()) for kind in list(TensorMapDataType)[:9]},
    TensorMapDataType.bfloat16: _numeric.BFloat16, TensorMapDataType.float32_ftz: _numeric.Float32,
    TensorMapDataType.tfloat32: _numeric.TFloat32, TensorMapDataType.tfloat32_ftz: _numeric.TFloat32,
    TensorMapDataType.f416u4_align8b: _numeric.Float4E2M1FN,
    TensorMapDataType.f416u4_align16b: _numeric.Float4E2M1FN,
    TensorMapDataType.f416u6_align16b: _numeric.Float6E3M2FN,
}


def get_tensormap_type_to_dsl_type(tma_format: Any) -> NumericMeta:
    """Returns the type of the elements of a map."""
    return _ELEMENTS[TensorMapDataType(tma_format)]


def get_dsl_type_to_tensormap_type(dsl_type: NumericMeta) -> TensorMapDataType:
    """Returns the driver's number for a type; small floats and signed integers of 8 and 16 bits
    have that of unsigned integers of their bits.

    :raises ValueError: for a type that no map has
    """
    for kind, dtype in _ELEMENTS.items():
        if dtype is dsl_type and "16u" not in kind.name:
            return kind
    width = {"Float4E2M1FNx2": 8}.get(dsl_type.__name__, dsl_type.width)
    if width not in (8, 16):
        raise ValueError(f"no tensor map has elements of {dsl_type}")
    return TensorMapDataType.uint8 if width == 8 else TensorMapDataType.uint16


class MapPointer:
    """A place whose memory is not known, as that of a kernel's parameter: it can be read.

    :ivar in_unit: elements that share a unit of the map there
    """

    memspace = AddressSpace.generic

    def __init__(self, value: _ir.Value, dtype: NumericMeta = Int64, in_unit: int = 1):
        self._value, self.dtype, self.in_unit = value, dtype, in_unit

    @property
    def llvm_ptr(self) -> _ir.Value:
        return self._value

    def ir_value(self, *, loc: Any = None, ip: Any = None) -> _ir.Value:
        return self._value

    def recast(self, dtype: NumericMeta) -> MapPointer:
        """Returns the place as one of elements of a type."""
        return MapPointer(self._value, dtype)

    def toint(self, *, loc: Any = None, ip: Any = None) -> Int64:
        return Int64(_llvm.ptrtoint(Int64.mlir_type, self._value))

    def __add__(self, offset: Any) -> MapPointer:
        """Returns the place some elements further."""
        number = Int64(offset).ir_value()
        attributes = {"elem_type": self.dtype.ir_name,
                      "rawConstantIndices": "array<i32: -2147483648>"}
        trace = _ir.require("the place of a tensor map")
        made = trace.op("llvm.getelementptr", [self._value, number], ["!llvm.ptr"], attributes)
        return MapPointer(made[0], self.dtype)

    def load(self, *, loc: Any = None, ip: Any = None) -> Any:
        """Returns the element."""
        return self.dtype(_llvm.load(self.dtype.mlir_type, self._value))

    def __extract_mlir_values__(self) -> list[_ir.Value]:
        return [self._value]

    def __new_from_mlir_values__(self, values: list[_ir.Value]) -> MapPointer:
        return MapPointer(values[0], self.dtype, self.in_unit)


class TensorMap(_tma.TmaAtom):
    """TMA's description of a tensor and of the boxes that it copies.

    An argument of a kernel: ``cutlass.GridConstant[TensorMap]``.
    """

    __slots__ = ()

    def remade(self, ir: _ir.Operand) -> Any:
        made = super().remade(ir)
        return TensorMap(made.ir, self._op, self.fields)

    def get_ptr(self, *, loc: Any = None, ip: Any = None) -> MapPointer:
        """Returns the place of the map, within a kernel."""
        in_unit = 1 if self.fields["narrow"] else max(8 // self.dtype.width, 1)
        return MapPointer(_ir.apply("to_llvm_ptr", self.ir), in_unit=in_unit)

    @property
    def dtype(self) -> NumericMeta:
        """The type of the tensor's elements."""
        return self.fields["dtype"]

    element_type = dtype

    @property
    def box_dims(self) -> tuple[int, ...]:
        """The extents of a box, the innermost first."""
        return self.fields["box"]

    @property
    def box_volume(self) -> int:
        return _algebra.size(self.box_dims)

    @property
    def swizzle(self) -> TensorMapSwizzle:
        return self.fields["swizzle"]

    @property
    def tma_format(self) -> TensorMapDataFormat:
        return self.fields["format"]

    @property
    def shared_storage_dtype(self) -> NumericMeta:
        return Uint8 if self.fields["narrow"] else self.dtype

    def shared_storage_bytes(self) -> int:
        """Returns the bytes of a box in shared memory."""
        return self.box_volume * self.shared_storage_dtype.width // 8

    def global_tx_bytes(self) -> int:
        """Returns the bytes that a barrier counts for a box."""
        return self.box_volume * self.dtype.width // 8


def _need(found: Any, wanted: Any, what: str) -> None:
    if found is not None and found not in wanted:
        names = " or ".join(x.name for x in wanted)
        raise NotImplementedError(f"{what} of a tensor map is {names}, not {found.name}")


def _check(interleave: Any, swizzle: Any, promotion: Any, fill: Any, format: Any) -> None:
    """Raises where a map is asked for that the launcher does not make.

    The promotion to L2 is a hint, which is not passed on.
    """
    _need(interleave, [TensorMapInterleave.none], "the interleaving")
    _need(fill, [TensorMapFloatOOBFill.none], "what is outside")
    _need(swizzle, list(TensorMapSwizzle)[:4], "the swizzle")
    known = [TensorMapDataFormat[x] for x in "DEFAULT BYTE B4X16 B4X16_P64 B6X16_P32".split()]
    _need(format, known, "the format")


def _tensor_map(tensor: Tensor, box: Sequence[Any], swizzle: Any, format: Any) -> TensorMap:
    """Returns the map of a tensor whose mode 0 is the innermost."""
    box = tuple(int(n) for n in box)
    dtype = tensor.element_type
    widens = dtype.width < 8 and format is not TensorMapDataFormat.B4X16
    width = 8 if widens else dtype.width
    swizzle = TensorMapSwizzle.none if swizzle is None else swizzle
    near: Any = _algebra.make_layout(box)
    if swizzle is not TensorMapSwizzle.none:
        row = 16 << swizzle
        if box[0] * width // 8 != row:
            raise NotImplementedError(
                f"with the swizzle {swizzle.name} the rows of a box have {row} bytes here, not "
                f"{box[0] * width // 8}")
        near = _algebra.make_composed_layout(make_swizzle(int(swizzle), 4, 3), 0, near)
    atom, _ = _tma.describe_tma_copy(
        _tma.CopyBulkTensorTileG2SOp(), tensor, near, box, internal_type=Uint8 if widens else None)
    more = {"box": box, "swizzle": swizzle, "dtype": dtype,
            "format": format or TensorMapDataFormat.DEFAULT}
    return TensorMap(atom.ir, atom._op, {**atom.fields, **more})


def create_tensor_map_tiled(
    global_address: Any,
    dtype: NumericMeta,
    global_dims: Sequence[Any],
    global_strides: Sequence[Any],
    box_dims: Sequence[int],
    *,
    traversal_strides: Sequence[int] | None = None,
    interleave: Any = None,
    swizzle: Any = None,
    l2_promotion: Any = None,
    oob_fill: Any = None,
    tma_format: Any = None,
    loc: Any = None,
    ip: Any = None,
) -> TensorMap:
    """Returns the map of a tensor in global memory, in a function under ``@cute.jit``.

    :param global_address: a multiple of 16
    :param global_dims: the extents, the innermost first
    :param global_strides: of the modes after the innermost, in units of 16 bytes
    :param box_dims: the extents of a box, which are known
    """
    _check(interleave, swizzle, l2_promotion, oob_fill, tma_format)
    if traversal_strides is not None and any(int(n) != 1 for n in traversal_strides):
        raise NotImplementedError("a tensor map takes every element of its boxes")
    if len(global_strides) != len(global_dims) - 1 or len(box_dims) != len(global_dims):
        raise ValueError(
            f"of {len(global_dims)} modes there are {len(global_dims) - 1} strides and "
            f"{len(global_dims)} extents of a box, not {len(global_strides)} and {len(box_dims)}")
    units, rest = divmod(16 * 8, dtype.width)
    strides = (1, *(n * 16 * 8 // dtype.width if rest else n * units for n in global_strides))
    pointer = make_ptr(dtype, Int64(global_address), AddressSpace.gmem, assumed_align=16)
    layout = _algebra.make_layout(tuple(global_dims), stride=strides)
    return _tensor_map(make_tensor(pointer, layout), box_dims, swizzle, tma_format)


def _by_stride(strides: Sequence[Any]) -> list[int]:
    """Returns the modes by their strides; among unknown strides the last comes first."""
    modes = reversed(range(len(strides)))
    known = [stride if isinstance(stride, int) else 1 << 62 for stride in strides]
    return sorted(modes, key=lambda mode: known[mode])


def create_tensor_map_tiled_from_view(
    tensor: Tensor,
    box_dims: Sequence[int],
    *,
    stride_order: Sequence[int] | None = None,
    interleave: Any = None,
    swizzle: Any = None,
    l2_promotion: Any = None,
    oob_fill: Any = None,
    dtype: NumericMeta | None = None,
    tma_format: Any = None,
    loc: Any = None,
    ip: Any = None,
) -> TensorMap:
    """Returns the map of a tensor, in a function under ``@cute.jit``.

    :param box_dims: the extents of a box, by the tensor's modes
    :param stride_order: the modes, the innermost first; by default in the order of strides
    """
    _check(interleave, swizzle, l2_promotion, oob_fill, tma_format)
    tensor = getattr(tensor, "_tensor", tensor)
    rank = _algebra.rank(tensor)
    modes = _by_stride(tensor.stride) if stride_order is None else list(stride_order)
    if sorted(modes) != list(range(rank)) or len(box_dims) != rank:
        raise ValueError(
            f"box_dims and stride_order have an entry for each of the {rank} modes of {tensor}, "
            f"not {tuple(box_dims)} and {tuple(modes)}")
    pointer = tensor.iterator
    layout = _algebra.make_layout(
        tuple(tensor.shape[m] for m in modes), stride=tuple(tensor.stride[m] for m in modes))
    if dtype is not None and dtype.width != tensor.element_type.width:
        raise ValueError(f"{dtype} has not as many bits as the elements of {tensor}")
    if dtype is not None:
        from .._values.pointer import recast_ptr

        pointer = recast_ptr(pointer, None, dtype)
    return _tensor_map(
        make_tensor(pointer, layout), [box_dims[m] for m in modes], swizzle, tma_format)


__getattr__ = _placeholders.among(
    {}, "cute.instructions.cuda", {"tensor_map": "cute.instructions.cuda"})
