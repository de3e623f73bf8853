"""Exchange between the lanes of a warp."""

from __future__ import annotations

from typing import Any, Callable

from .._compile import ir as _ir
from .._values.numeric import Boolean, Float32, Int32, Numeric, as_numeric
from ._ops import i32, op
from .numbers import fmax

__all__ = [
    "FULL_MASK",
    "WARP_SIZE",
    "match_any_sync",
    "shuffle_sync",
    "shuffle_sync_bfly",
    "shuffle_sync_down",
    "shuffle_sync_op",
    "shuffle_sync_up",
    "vote_all_sync",
    "vote_any_sync",
    "vote_ballot_sync",
    "vote_sync_op",
    "vote_uni_sync",
    "warp_reduction",
    "warp_reduction_max",
    "warp_reduction_sum",
    "warp_redux_sync",
]

FULL_MASK = 0xFFFFFFFF
WARP_SIZE = 32


_WHOLE = {"idx": 31, "bfly": 31, "down": 31, "up": 0}


def _vector_or_number(value: Any) -> Any:
    from .._values.tensor_ssa import TensorSSA

    return value if isinstance(value, TensorSSA) else as_numeric(value)


def shuffle_sync_op(
    value: Any,
    offset: Any,
    mask: Any = FULL_MASK,
    mask_and_clamp: Any = 31,
    kind: str = "idx",
    *,
    loc: Any = None,
    ip: Any = None,
) -> Any:
    """Returns another lane's value.

    :param value: a number, or a vector of 8, 16 or a multiple of 32 bits
    :param offset: the lane's number, or how it differs from the own
    :param mask_and_clamp: PTX's operand c of shfl.sync, for groups within a warp
    """
    kind = str(getattr(kind, "name", kind))
    operand = _vector_or_number(value)
    whole = isinstance(mask_and_clamp, int) and mask_and_clamp == _WHOLE[kind]
    if whole and isinstance(mask, int) and mask & FULL_MASK == FULL_MASK:
        lane = i32(offset)
        made = _ir.apply("shuffle_sync", operand.ir_value(), lane, kind=kind)
        return _like(operand, made)
    return _shuffle_groups(operand, offset, mask, mask_and_clamp, kind)


def _like(operand: Any, value: Any) -> Any:
    if isinstance(operand, Numeric):
        return type(operand)(value)
    return operand.__new_from_mlir_values__([value])


def _shuffle_groups(operand: Any, offset: Any, mask: Any, clamp: Any, kind: str) -> Any:
    if not isinstance(operand, Numeric) or operand.width != 32:
        raise TypeError("within groups of lanes, numbers of 32 bits are exchanged")
    values = [i32(mask), operand.ir_value(), i32(offset), i32(clamp)]
    attributes = {"kind": f"#nvvm<shfl_kind {kind}>"}
    return _like(
        operand, op("nvvm.shfl.sync", values, [operand.dtype.ir_name], attributes)[0]
    )


def _shuffle(kind: str, what: str) -> Callable[..., Any]:
    def shuffle(
        value: Any,
        offset: Any,
        mask: Any = FULL_MASK,
        mask_and_clamp: Any = _WHOLE[kind],
        *,
        kind: Any = kind,
        loc: Any = None,
        ip: Any = None,
    ) -> Any:
        return shuffle_sync_op(value, offset, mask, mask_and_clamp, kind)

    shuffle.__doc__ = f"Returns the value of the lane {what}."
    return shuffle


shuffle_sync = _shuffle("idx", "with the number ``offset``")
shuffle_sync_bfly = _shuffle("bfly", "whose number differs in the bits of ``offset``")
shuffle_sync_up = _shuffle("up", "this many before the own")
shuffle_sync_down = _shuffle("down", "this many after the own")


def warp_reduction(
    val: Any, op: Callable[[Any, Any], Any], *, threads_in_group: int = 32
) -> Any:
    """Combines the values of groups of consecutive lanes.

    :param op: a function of two values, associative and commutative
    :param threads_in_group: a power of two

    >>> import array
    >>> @cute.kernel
    ... def kernel(out: cute.Pointer):
    ...     lane = cute.arch.lane_idx()
    ...     most = cute.arch.warp_reduction(lane * 3 % 32, lambda a, b: cute.math.max(a, b))
    ...     cute.make_tensor(out, 32)[lane] = most
    >>> @cute.jit
    ... def launch(out: cute.Pointer):
    ...     kernel(out).launch(grid=1, block=32)
    >>> numbers = array.array("i", [0] * 32)
    >>> launch(cute.runtime.make_ptr(Int32, numbers.buffer_info()[0], cute.AddressSpace.gmem))
    >>> set(numbers)
    {31}
    """
    offset = threads_in_group // 2
    while offset:
        val = op(val, shuffle_sync_bfly(val, offset))
        offset //= 2
    return val


def _of_lanes(val: Any, kind: str, op: Callable[[Any, Any], Any], lanes: int) -> Any:
    if type(val) is not Float32 or lanes not in (2, 4, 8, 16, 32):
        return warp_reduction(val, op, threads_in_group=lanes)
    return Float32(_ir.apply("warp_reduce", val.ir_value(), kind=kind, width=lanes))


def warp_reduction_max(val: Any, *, threads_in_group: int = 32) -> Any:
    """Returns the largest of the values of a group of lanes."""
    return _of_lanes(val, "maxnum", fmax, threads_in_group)


def warp_reduction_sum(val: Any, *, threads_in_group: int = 32) -> Any:
    """Returns the sum of the values of a group of lanes."""
    return _of_lanes(val, "add", lambda a, b: a + b, threads_in_group)


def warp_redux_sync(
    value: Any, kind: str, mask_and_clamp: Any = FULL_MASK, *,
    abs: bool | None = None, nan: bool | None = None, loc: Any = None, ip: Any = None,  # noqa: A002
) -> Any:
    """Combines an integer of 32 bits over the warp: add, min, max, and, or, xor.

    From sm_100a on also a Float32: fmin, fmax, or min, max.

    :param mask_and_clamp: the lanes that take part
    :param abs: combines floats without their signs
    :param nan: returns NaN if a float is NaN; such floats do not count otherwise
    :raises TypeError: for other numbers, and for ``abs`` and ``nan`` of integers
    """
    number = as_numeric(value)
    floats = number.dtype is Float32 and kind in ("fmin", "fmax", "min", "max")
    if not floats and (number.width != 32 or not number.dtype.is_integer or abs or nan):
        raise TypeError(f"redux.sync takes integers of 32 bits, not {number.dtype}, and combines "
                        "Float32 by fmin and fmax from sm_100a on: use warp_reduction_max")
    if kind in ("min", "max") and (floats or not number.dtype.signed):
        kind = ("f" if floats else "u") + kind
    flags = {name: str(bool(on)).lower() for name, on in (("abs", abs), ("nan", nan))}
    attributes = {"kind": f"#nvvm<redux_kind {kind}>", **flags}
    operands = [number.ir_value(), i32(mask_and_clamp)]
    result = "f32" if floats else "i32"
    return _like(number, op("nvvm.redux.sync", operands, [result], attributes)[0])


def _vote(kind: str, name: str, result: Any, what: str) -> Callable[..., Any]:
    def vote(
        pred: Any, mask: Any = FULL_MASK, *, loc: Any = None, ip: Any = None
    ) -> Any:
        bit = Boolean(pred).ir_value()
        if name and isinstance(mask, int) and mask & FULL_MASK == FULL_MASK:
            return result(_ir.apply(name, bit))
        attributes = {"kind": f"#nvvm<vote_sync_kind {kind}>"}
        return result(
            op("nvvm.vote.sync", [i32(mask), bit], [result.ir_name], attributes)[0]
        )

    vote.__doc__ = f"Returns {what}."
    return vote


vote_all_sync = _vote("all", "vote_all_sync", Boolean, "whether the condition holds in all lanes")
vote_any_sync = _vote("any", "vote_any_sync", Boolean, "whether the condition holds in some lane")
vote_uni_sync = _vote("uni", "", Boolean, "whether the condition is the same in all lanes")
vote_ballot_sync = _vote(
    "ballot", "vote_ballot_sync", Int32, "the lanes in which the condition holds, a bit for each"
)


def vote_sync_op(
    pred: Any, kind: str, mask: Any = FULL_MASK, *, loc: Any = None, ip: Any = None
) -> Any:
    """Returns ``vote_KIND_sync`` of a condition: any, all, uni, ballot.

    :raises ValueError: for another kind
    """
    votes = {"any": vote_any_sync, "all": vote_all_sync, "uni": vote_uni_sync,
             "ballot": vote_ballot_sync}
    if kind not in votes:
        raise ValueError(f"a vote is {', '.join(votes)}, not {kind!r}")
    return votes[kind](pred, mask)


def match_any_sync(value: Any, *, loc: Any = None, ip: Any = None) -> Int32:
    """Returns the lanes that have the same integer, a bit for each."""
    return Int32(_ir.apply("match_any_sync", as_numeric(value).ir_value()))
