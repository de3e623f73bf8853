"""Products of tensor memory (tcgen05.mma) one by one, for sm_100a.

One thread starts a product, of its block or of a pair; ``tcgen05_commit`` says when it is
complete. ``d`` has the sums, in tensor memory; A is a Tcgen05SmemDesc, or a place in tensor
memory, B a Tcgen05SmemDesc. The metadata of a sparse A is in tensor memory.
"""

from __future__ import annotations

from typing import Any

from .._compat.missing import NotThere
from .._values.numeric import Boolean, Numeric
from ._kinds import word
from ._tensor_memory import _call, _constant, _ctas, _tensor_ptr, tcgen05_fence
from ._write import word32, word64

__all__ = """
tcgen05_mma tcgen05_mma_block_scale tcgen05_mma_sp tcgen05_mma_sp_block_scale tcgen05_mma_ws
tcgen05_mma_ws_sp
""".split()

_KINDS = ["f16", "tf32", "f8f6f4", "int8"]
_COLLECTORS = ["discard", "lastuse", "fill", "use"]
_BUFFERS = ["b0", "b1", "b2", "b3"]


def _start(
    form: str, end: str, d: Any, a: Any, b: Any, idesc: Any, enable_input_d: Any,
    places: list[Any], numbers: list[Any],
) -> None:
    """Calls the intrinsic mma FORM .shared or .tensor END.

    :param places: in tensor memory: of metadata, then of factors
    :param numbers: what follows, SSA values
    """
    in_tmem = not isinstance(a, (int, Numeric))
    if in_tmem:
        tcgen05_fence("after_thread_sync")  # threads may have stored it
    first = _tensor_ptr(a) if in_tmem else word64(a).ir_value()
    _call(f"mma{form}.{'tensor' if in_tmem else 'shared'}{end}", _tensor_ptr(d), first,
          word64(b).ir_value(), word32(idesc).ir_value(), Boolean(enable_input_d).ir_value(),
          *map(_tensor_ptr, places), *numbers)


def _plain(mma_kind: Any) -> int:
    """Returns the number of a kind without factors."""
    kind = word("Tcgen05MMAKind", mma_kind)
    if kind not in _KINDS:
        raise ValueError(f"products of {kind} have factors: mma_kind is {', '.join(_KINDS)}")
    return _KINDS.index(kind)


def _keeps(collector_op: Any) -> int:
    """Returns the number of what becomes of an operand that is kept."""
    if collector_op is None:
        return 0
    return _COLLECTORS.index(word("Tcgen05MMACollectorOp", collector_op))


def _ints(*numbers: int) -> list[Any]:
    return [_constant("i32", x) for x in numbers]


def _refuse(**options: Any) -> None:
    for name, value in options.items():
        if value is not None and value is not False:
            raise NotThere(f"products with {name} are not there")


def _of_blocks(
    form: str, mma_kind: Any, cta_group: Any, d: Any, a: Any, b: Any, idesc: Any,
    enable_input_d: Any, places: list[Any], collector_op: Any, scale_input_d: Any,
) -> None:
    """Starts a product without factors, of a block or a pair."""
    kind, end, shift = _plain(mma_kind), "", []
    if scale_input_d is not None:
        if _KINDS[kind] not in ("f16", "tf32") or not 0 <= scale_input_d < 16:
            raise ValueError(f"scale_input_d is 0 to 15, of f16 and tf32, not {scale_input_d} of "
                             f"{_KINDS[kind]}")
        end, shift = ".scale_d", [_constant("i64", scale_input_d)]
    _start(form, end, d, a, b, idesc, enable_input_d, places,
           shift + _ints(kind, _ctas(cta_group), _keeps(collector_op)))


def tcgen05_mma(
    mma_kind: Any, cta_group: Any, d: Any, a: Any, b: Any, idesc: Any, enable_input_d: Any, *,
    collector_op: Any = None, b_collector_op: Any = None, a_shift: bool | None = None,
    scale_input_d: int | None = None, write_disable_mask: Any = None, loc: Any = None,
    ip: Any = None,
) -> None:
    """Starts a product D = A B, or D = A B + D: tcgen05.mma.

    :param mma_kind: Tcgen05MMAKind F16, TF32, F8F6F4 or INT8
    :param idesc: a Tcgen05InstrDesc
    :param enable_input_d: D is added
    :param collector_op: a Tcgen05MMACollectorOp: whether A is kept for the next product
    :param scale_input_d: D is divided by two to this power before, of f16 and tf32
    :raises ValueError: for products with factors

        tcgen05_mma("f16", CTAGroup.CTA_1, sums, a, b, product, k > 0)
    """
    _refuse(b_collector_op=b_collector_op, a_shift=a_shift, write_disable_mask=write_disable_mask)
    _of_blocks("", mma_kind, cta_group, d, a, b, idesc, enable_input_d, [], collector_op,
               scale_input_d)


def tcgen05_mma_sp(
    mma_kind: Any, cta_group: Any, d: Any, a: Any, b: Any, idesc: Any, enable_input_d: Any,
    sparse_metadata: Any, *, collector_op: Any = None, a_shift: bool | None = None,
    scale_input_d: int | None = None, write_disable_mask: Any = None, loc: Any = None,
    ip: Any = None,
) -> None:
    """Starts a product of a sparse A, which has half of its elements along K: tcgen05.mma.sp.

    :param idesc: a Tcgen05InstrDesc with ``sparse_flag``
    :param sparse_metadata: the place of the elements' numbers among four

        tcgen05_mma_sp("f16", CTAGroup.CTA_1, sums, a, b, product, k > 0, metadata)
    """
    _refuse(a_shift=a_shift, write_disable_mask=write_disable_mask)
    _of_blocks(".sp", mma_kind, cta_group, d, a, b, idesc, enable_input_d, [sparse_metadata],
               collector_op, scale_input_d)


def _scaled(
    form: str, mma_kind: Any, cta_group: Any, d: Any, a: Any, b: Any, idesc: Any,
    enable_input_d: Any, places: list[Any], scale_vec_size: Any, collector_op: Any,
) -> None:
    """Starts a product with factors."""
    end = f".{word('MMABlockScaleKind', mma_kind)}.block_scale"
    if scale_vec_size is not None and word("Tcgen05MMABlockScale", scale_vec_size) != "default":
        end += f".{word('Tcgen05MMABlockScale', scale_vec_size)}"
    _start(form, end, d, a, b, idesc, enable_input_d, places,
           _ints(_ctas(cta_group), _keeps(collector_op)))


def tcgen05_mma_block_scale(
    mma_kind: Any, cta_group: Any, d: Any, a: Any, b: Any, idesc: Any, enable_input_d: Any,
    scale_a: Any, scale_b: Any, *, scale_vec_size: Any = None, collector_op: Any = None,
    loc: Any = None, ip: Any = None,
) -> None:
    """Starts a product whose blocks along K have factors: tcgen05.mma.

    :param mma_kind: MMABlockScaleKind MXF8F6F4, MXF4 or MXF4NVF4
    :param idesc: a Tcgen05MxInstrDesc or Tcgen05MxOmmaInstrDesc, or a word of 32 bits
    :param scale_a: the place of A's factors in tensor memory, as ``scale_b``
    :param scale_vec_size: a Tcgen05MMABlockScale: how many elements have one

        tcgen05_mma_block_scale("mxf4nvf4", CTAGroup.CTA_1, sums, a, b, product, k > 0, sfa, sfb,
                                scale_vec_size=Tcgen05MMABlockScale.BLOCK16)
    """
    _scaled("", mma_kind, cta_group, d, a, b, idesc, enable_input_d, [scale_a, scale_b],
            scale_vec_size, collector_op)


def tcgen05_mma_sp_block_scale(
    mma_kind: Any, cta_group: Any, d: Any, a: Any, b: Any, idesc: Any, enable_input_d: Any,
    sparse_metadata: Any, scale_a: Any, scale_b: Any, *, scale_vec_size: Any = None,
    collector_op: Any = None, b_collector_op: Any = None, loc: Any = None, ip: Any = None,
) -> None:
    """Starts a product of a sparse A whose blocks along K have factors: tcgen05.mma.sp.

    :param idesc: as of ``tcgen05_mma_block_scale``, of a sparse A
    """
    _refuse(b_collector_op=b_collector_op)
    _scaled(".sp", mma_kind, cta_group, d, a, b, idesc, enable_input_d,
            [sparse_metadata, scale_a, scale_b], scale_vec_size, collector_op)


def _stationary(
    form: str, mma_kind: Any, d: Any, a: Any, b: Any, idesc: Any, enable_input_d: Any,
    places: list[Any], buffer: Any, collector_op: Any, mask: Any,
) -> None:
    """Starts a product whose B is kept in a buffer."""
    number = 0 if buffer is None else _BUFFERS.index(word("Tcgen05MMACollectorBBuffer", buffer))
    masks = [] if mask is None else [word64(mask).ir_value()]
    _start(f".ws{form}", "" if mask is None else ".zero_col_mask", d, a, b, idesc, enable_input_d,
           places, masks + _ints(_plain(mma_kind), number, _keeps(collector_op)))


def tcgen05_mma_ws(
    mma_kind: Any, d: Any, a: Any, b: Any, idesc: Any, enable_input_d: Any, *,
    collector_b_buffer: Any = None, collector_op: Any = None, col_b_zero_mask: Any = None,
    loc: Any = None, ip: Any = None,
) -> None:
    """Starts a product of a block whose B is kept: tcgen05.mma.ws.

    :param collector_b_buffer: a Tcgen05MMACollectorBBuffer, B0 by default
    :param collector_op: a Tcgen05MMACollectorOp: how B is kept there
    :param col_b_zero_mask: a descriptor of columns of B that count as zeros, 64 bits; not on the
        simulator

        tcgen05_mma_ws("f16", sums, a, b, product, k > 0)
    """
    _stationary("", mma_kind, d, a, b, idesc, enable_input_d, [], collector_b_buffer,
                collector_op, col_b_zero_mask)


def tcgen05_mma_ws_sp(
    mma_kind: Any, d: Any, a: Any, b: Any, idesc: Any, enable_input_d: Any,
    sparse_metadata: Any, *, collector_b_buffer: Any = None, collector_op: Any = None,
    col_b_zero_mask: Any = None, loc: Any = None, ip: Any = None,
) -> None:
    """Starts a product of a block and a sparse A whose B is kept: tcgen05.mma.ws.sp."""
    _stationary(".sp", mma_kind, d, a, b, idesc, enable_input_d, [sparse_metadata],
                collector_b_buffer, collector_op, col_b_zero_mask)
