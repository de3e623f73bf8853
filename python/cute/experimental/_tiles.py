"""Operations on the elements of a thread's or a warp's tensors."""

from __future__ import annotations

import math
from typing import Any, Callable

from .. import arch as _arch, core as _core
from .._compile import ir as _ir
from .._frontend.guards import choose
from ..nvgpu import cpasync
from ._pipelines import OperationTypeEnum


def predicated_tensor_origin(tensor: Any, *, loc: Any = None, ip: Any = None) -> Any:
    """Returns the tensor, whose own shape now tells where ``copy`` ends: no longer that of the
    argument which it is a part of."""
    _ir.require("a tensor").origins[tensor.ir] = tensor
    return tensor


def elementwise(
    inputs: list[Any], outputs: list[Any], body: Callable[..., Any], loc: Any = None, ip: Any = None
) -> None:
    """Sets each element of the outputs to what ``body`` returns of the inputs' elements.

    :param inputs: tensors of one size, which ``body`` gets an element of each
    :param outputs: ``body`` returns a number, or as many numbers as there are outputs
    :raises ValueError: for tensors of several sizes, or another number of results

    For example::

        cute_ext.elementwise([a, b], [c], lambda x, y: x * y + 1.0)
    """
    sizes = {_core.size(tensor) for tensor in (*inputs, *outputs)}
    if len(sizes) != 1:
        raise ValueError(f"tensors of one size have elements to combine, not of {sorted(sizes)}")
    for i in range(sizes.pop()):
        results = body(*(tensor[i] for tensor in inputs))
        results = results if isinstance(results, (tuple, list)) else (results,)
        if len(results) != len(outputs):
            raise ValueError(f"the function returns {len(results)} numbers for {len(outputs)} outputs")
        for tensor, number in zip(outputs, results):
            tensor[i] = number


def simt_auto_vec_copy(
    src: Any, dst: Any, async_op: bool = False, loc: Any = None, ip: Any = None
) -> None:
    """Copies a thread's elements, as many at once as both layouts and alignments allow.

    :param async_op: by cp.async, from global to shared memory, 4 bytes at least
    :raises ValueError: for cp.async of elements that do not lie together in 4 bytes
    """
    if not async_op:
        return _core.autovec_copy(src, dst)
    most = _core.max_common_vector(src, dst)
    bits = most * src.element_type.width
    aligned = 8 * min(t.iterator.alignment for t in (src, dst))
    width = math.gcd(128, bits, aligned) if isinstance(bits, int) else 0
    if width < 32:
        raise ValueError(f"cp.async copies 4, 8 or 16 bytes that lie together: {src} to {dst}")
    atom = _core.make_copy_atom(cpasync.CopyG2SOp(), src.element_type, num_bits_per_copy=width)
    _core.copy(atom, *(_core.logical_divide(_core.coalesce(t), width // src.element_type.width)
                       for t in (src, dst)))


def _lane_bits(reduction_t_map: Any) -> list[tuple[int, int]]:
    """Returns for each bit of a lane's number in its reduction, the lowest first: the bit and the
    distance of the lanes that differ in it."""
    if not _core.is_static(reduction_t_map) or _core.size(reduction_t_map) != 32:
        raise ValueError(f"a map of the 32 lanes of a warp is static, not {reduction_t_map}")
    found = []
    for bit in range(5):
        step = reduction_t_map(1 << bit)
        if step and any(reduction_t_map(lane ^ 1 << bit) != reduction_t_map(lane) ^ step
                        for lane in range(32)) or step & step - 1:
            raise ValueError(f"lanes combine where they differ in one bit, which {reduction_t_map} "
                             "does not keep")
        if step:
            found.append((step.bit_length() - 1, 1 << bit))
    if sorted(bit for bit, _ in found) != list(range(len(found))):
        raise ValueError(f"the lanes of a reduction have numbers from 0 on, not by {reduction_t_map}")
    return sorted(found)


def warp_reduce(
    input: Any, output: Any, reduction_t_map: Any, intra_warp_reduce_type: Any,
    body: Callable[[Any, Any], Any], loc: Any = None, ip: Any = None,
) -> None:
    """Combines the elements that the lanes of a reduction have, by ``body``.

    :param reduction_t_map: from lanes to their numbers in a reduction: ``32:1`` is one of all
        lanes, ``(8,4):(1,0)`` four of 8 lanes each
    :param intra_warp_reduce_type: with REDUCE_DOWN_SHUFFLE all lanes get the results, one for
        each element; with REDUCE_SWAP_SHUFFLE each lane gets its share of them: lane 0 the
        results of the first elements
    :param body: associative and commutative
    :raises ValueError: for another type, map or size of the output

    For example::

        cute_ext.warp_reduce(mine, sums, cute.make_layout(32), Kind.REDUCE_DOWN_SHUFFLE, operator.add)
    """
    bits, values = _lane_bits(reduction_t_map), [input[i] for i in range(_core.size(input))]
    swaps = intra_warp_reduce_type is OperationTypeEnum.REDUCE_SWAP_SHUFFLE
    if not swaps and intra_warp_reduce_type is not OperationTypeEnum.REDUCE_DOWN_SHUFFLE:
        raise ValueError("lanes combine by REDUCE_DOWN_SHUFFLE or REDUCE_SWAP_SHUFFLE, not by "
                         f"{intra_warp_reduce_type}")
    wanted = len(values) >> len(bits) if swaps else len(values)
    if _core.size(output) != wanted or swaps and len(values) % (1 << len(bits)):
        raise ValueError(f"{len(values)} elements of {1 << len(bits)} lanes give {wanted} to each "
                         f"lane, not {_core.size(output)}")
    for bit, distance in reversed(bits):
        if swaps:
            values = _swapped(values, distance, body)
        else:
            values = [body(x, _arch.shuffle_sync_bfly(x, distance)) for x in values]
    for i, value in enumerate(values):
        output[i] = value


def _swapped(values: list[Any], distance: int, body: Callable[[Any, Any], Any]) -> list[Any]:
    """Returns half of the elements, combined with the elements of the lane at the
    distance, which gets the other half."""
    half = len(values) // 2
    upper = (_arch.lane_idx() & distance) != 0
    found = []
    for low, high in zip(values[:half], values[half:]):
        sent = _arch.shuffle_sync_bfly(choose(upper, low, high), distance)
        found.append(body(choose(upper, high, low), sent))
    return found
