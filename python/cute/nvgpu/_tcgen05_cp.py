"""Copies of shared memory to tensor memory (tcgen05.cp), for sm_100a."""

from __future__ import annotations

from typing import Any

from .. import arch
from .._compile import ir as _ir
from .._values import algebra as _algebra, layout_algebra as _layout_algebra
from .._values.atoms import CopyAtom
from .._values.tensor import Tensor, make_tensor
from ._tcgen05_mma import CtaGroup
from .common import CopyOp, OpError

__all__ = [
    "Cp128x128bOp",
    "Cp128x256bOp",
    "Cp2x64x128b0123Op",
    "Cp2x64x128b0213Op",
    "Cp4x256bOp",
    "Cp4x32x128bOp",
    "S2TCopy",
    "append_s2t_broadcast_mode",
    "get_s2t_smem_desc_tensor",
    "make_s2t_copy",
]


class _Cp(CopyOp):
    """A copy that one thread starts, in order with its products."""

    _shape = ""
    broadcast_factor = 1
    """To how many lanes each row goes."""

    def __init__(self, cta_group: CtaGroup = CtaGroup.ONE):
        self.cta_group = cta_group

    def atom_name(self, bits: int) -> str:
        return f"SM100_UTCCP_{self._shape}_{self.cta_group.value}cta"

    def copy(self, atom: CopyAtom, src: Tensor, dst: Tensor, *, pred: Any = None, **_: Any) -> None:
        """Lets one lane of the warp start the copies of whole instructions.

        :param src: in shared memory; mode 0 is an instruction's rows and columns
        :param dst: the same in tensor memory
        """
        if pred is not None:
            raise OpError(self, "all rows are copied", "leave out pred")
        with arch.elect_one():
            _ir.apply("copy", atom.ir, src.ir, dst.ir, results=[])

    def __str__(self) -> str:
        return f"tcgen05 copy Operation, {self._shape}, blocks = {self.cta_group.value}"


class Cp128x256bOp(_Cp):
    """128 rows of 32 bytes."""

    _shape = "128dp256bit"


class Cp128x128bOp(_Cp):
    """128 rows of 16 bytes."""

    _shape = "128dp128bit"


class Cp4x256bOp(_Cp):
    """4 rows of 32 bytes, each to the first lane of a quarter."""

    _shape = "4dp256bit"


class Cp2x64x128b0213Op(_Cp):
    """64 rows of 16 bytes, each to two lanes 64 apart."""

    _shape = "2x64dp128bitlw0213"
    broadcast_factor = 2


class Cp2x64x128b0123Op(_Cp):
    """64 rows of 16 bytes, each to two lanes 32 apart."""

    _shape = "2x64dp128bitlw0123"
    broadcast_factor = 2


class Cp4x32x128bOp(_Cp):
    """32 rows of 16 bytes, each to four lanes 32 apart: scale factors of 128 rows."""

    _shape = "4x32dp128bit"
    broadcast_factor = 4

    CHUNK, ROW = 512, 16  # bytes

    def copy(self, atom: CopyAtom, src: Tensor, dst: Tensor, *, pred: Any = None, **_: Any) -> None:
        """Lets one lane of the warp start copies of 512 bytes each, factors of 128 rows and 4
        along K.

        :param src: ((rows, factors), tiles, K, ...) in shared memory, of factors of 8 bits;
            an offset that is not known is taken for whole rows
        :param dst: the same in tensor memory, where rows are in each quarter of the lanes
        """
        if pred is not None:
            raise OpError(self, "all rows are copied", "leave out pred")
        src, dst = (_layout_algebra.filter_zeros(x) for x in (src, dst))
        places = list(zip(*map(_chunks, (src, dst), (src, src))))
        shared = _algebra.make_layout(((32, 16, 4), 1), stride=((16, 1, 0), 0))
        lanes = _algebra.make_layout(((32, 16, 4), 1), stride=((_LANE, 1, 32 * _LANE), 0))
        start = src.iterator.align(self.ROW)
        with arch.elect_one():
            for near, far in places:
                a = make_tensor(start + near, shared)
                b = make_tensor(dst.iterator + far, lanes)
                _ir.apply("copy", atom.ir, a.ir, b.ir, results=[])


_LANE = 1 << 18  # factors of 8 bits from a lane to the next


def _chunks(tensor: Tensor, like: Tensor) -> list[int]:
    """Returns the offsets in a tensor of factors of 128 rows and 4 along K, from the offsets of
    ``like``."""
    values, *rest = like.shape
    values = values[0]
    rows, factors = (_algebra.size(x) for x in values)
    places = []
    for row in range(0, rows, 128):
        for first in range(0, factors * _algebra.size(tuple(rest)), 4):
            coordinate = (((row, first % factors), 0), *_coordinates(rest, first // factors))
            places.append(int(tensor.layout(coordinate)))
    return places


def _coordinates(rest: list[Any], index: int) -> list[int]:
    """Returns the coordinates of an index in modes after the first."""
    found = []
    for mode in rest:
        found.append(index % _algebra.size(mode))
        index //= _algebra.size(mode)
    return found


class S2TCopy(CopyAtom):
    """A copy of factors, which one thread starts."""

    __slots__ = ()

    def get_slice(self, thr_idx: Any) -> S2TCopy:
        """Returns the copy itself."""
        return self

    def _part(self, tensor: Tensor) -> Tensor:
        """Returns ((values, 1), 1, tiles, K, ...) of ((rows, factors), tiles, K, ...)."""
        shape, stride = tensor.shape, tensor.stride
        layout = _algebra.make_layout(
            ((shape[0], 1), 1, *shape[1:]), stride=((stride[0], 0), 0, *stride[1:]))
        return make_tensor(tensor.iterator, layout)

    def partition_S(self, src: Tensor, *, loc: Any = None, ip: Any = None) -> Tensor:  # noqa: N802
        """Returns the source's part: ((values, 1), 1, tiles, K, stage)."""
        return self._part(src)

    def partition_D(self, dst: Tensor, *, loc: Any = None, ip: Any = None) -> Tensor:  # noqa: N802
        """Returns the destination's part: ((values, 1), 1, tiles, K)."""
        return self._part(dst)


def make_s2t_copy(
    atom: CopyAtom, tmem_tensor: Tensor, *, loc: Any = None, ip: Any = None
) -> S2TCopy:
    """Returns the copy of scale factors to a tensor of tensor memory.

    :param atom: of Cp4x32x128bOp
    :raises TypeError: for another atom
    """
    if not isinstance(atom.op, Cp4x32x128bOp):
        raise TypeError(f"scale factors are copied by Cp4x32x128bOp, not {atom.op!r}")
    return S2TCopy(atom.ir, atom.op, atom.fields)


def get_s2t_smem_desc_tensor(
    atom: S2TCopy, smem_tensor: Tensor, *, loc: Any = None, ip: Any = None
) -> Tensor:
    """Returns the tensor: descriptors are made where it is copied."""
    return smem_tensor


def append_s2t_broadcast_mode(
    op: _Cp, smem_tensor: Tensor, *, loc: Any = None, ip: Any = None
) -> Tensor:
    """Returns ((rows, K), ...) in shared memory with a mode of stride 0 for the lanes that a row
    goes to: (((rows, lanes), K), ...); for copies of each row to one lane the tensor itself.

    :raises ValueError: for another operation, or a tensor without (rows, K)
    """
    if not isinstance(op, _Cp):
        raise ValueError(f"expected a copy from shared to tensor memory, not {op!r}")
    if op.broadcast_factor == 1:
        return smem_tensor
    shape, stride = smem_tensor.shape, smem_tensor.stride
    if not isinstance(shape, tuple) or not isinstance(shape[0], tuple) or len(shape[0]) != 2:
        raise ValueError(f"the first mode is (rows, K), not that of {shape}")
    (extents, columns), (steps, step) = shape[0], stride[0]
    extents, steps = ((x if isinstance(x, tuple) else (x,)) for x in (extents, steps))
    layout = _algebra.make_layout(
        (((*extents, op.broadcast_factor), columns), *shape[1:]),
        stride=(((*steps, 0), step), *stride[1:]))
    return make_tensor(smem_tensor.iterator, layout)
