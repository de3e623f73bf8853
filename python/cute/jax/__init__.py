"""Calls of compiled functions from JAX.

``cutlass_call(f, output_shape_dtype=...)`` is a function of JAX's arrays, also under
``jax.jit``, ``jax.shard_map`` and ``jax.export``; XLA calls back into this package, which
compiles f for the arrays' types once and launches it on XLA's stream. If kernels run on the
simulator, arrays on the CPU are passed. Only functions import jax.
"""

from __future__ import annotations

import dataclasses
import functools
from typing import Any, Callable, Sequence

from .._compat import placeholders as _placeholders
from .._compile.jit import jit
from .._values import numeric as _numeric
from .._values.numeric import NumericMeta
from ..cuda import CUstream
from ..runtime import Tensor as _Tensor, from_dlpack as _from_dlpack
from . import _ffi, testing  # noqa: F401

__all__ = [
    "CUTE_DSL_JAX_MIN_SUPPORTED_PYTHON_VERSION",
    "CUTE_DSL_MIN_SUPPORTED_JAX_VERSION",
    "TensorMode",
    "TensorSpec",
    "cutlass_call",
    "cutlass_to_jax_dtype",
    "cutlass_to_jax_layout_order",
    "from_dlpack",
    "get_cutlass_call_ffi_name",
    "get_cutlass_call_ffi_version",
    "get_export_disabled_safety_checks",
    "is_available",
    "is_ffi_registered",
    "jax_to_cutlass_dtype",
    "jax_to_cutlass_layout_order",
    "register_ffi",
    "release_compile_cache",
]

CUTE_DSL_JAX_MIN_SUPPORTED_PYTHON_VERSION = (3, 10)
CUTE_DSL_MIN_SUPPORTED_JAX_VERSION = (0, 6, 0)

_ALIGNMENT, _HOST_ALIGNMENT = 256, 16  # of arrays on a GPU, and of any on the CPU

# JAX's types by ours.
_DTYPES = {
    "Boolean": "bool", "Int4": "int4", "Int8": "int8", "Int16": "int16", "Int32": "int32",
    "Int64": "int64", "Uint4": "uint4", "Uint8": "uint8", "Uint16": "uint16",
    "Uint32": "uint32", "Uint64": "uint64", "Float16": "float16", "BFloat16": "bfloat16",
    "Float32": "float32", "Float64": "float64", "Float8E4M3FN": "float8_e4m3fn",
    "Float8E4M3B11FNUZ": "float8_e4m3b11fnuz", "Float8E5M2": "float8_e5m2",
    "Float8E8M0FNU": "float8_e8m0fnu", "Float4E2M1FN": "float4_e2m1fn",
}


def cutlass_to_jax_dtype(dtype: NumericMeta) -> Any:
    """Returns JAX's type of numbers for a numeric type.

    :raises ValueError: where it has none
    """
    import jax.numpy as jnp

    name = _DTYPES.get(str(dtype))
    if name is None or not hasattr(jnp, name):
        raise ValueError(f"JAX has no type for {dtype}")
    return getattr(jnp, name)


def jax_to_cutlass_dtype(dtype: Any) -> NumericMeta:
    """Returns the numeric type for JAX's type of numbers, or numpy's.

    :raises ValueError: where there is none
    """
    import jax.numpy as jnp

    name = jnp.dtype(dtype).name
    for ours, theirs in _DTYPES.items():
        if theirs == name:
            return getattr(_numeric, ours)
    raise ValueError(f"no numeric type is JAX's {name}")


def jax_to_cutlass_layout_order(layout: Sequence[int] | None) -> Sequence[int] | None:
    """Returns the rank of each mode's stride, 0 the smallest, for the modes from the one
    with the largest stride to that with the smallest."""
    if layout is None:
        return None
    ranks = [0] * len(layout)
    for place, mode in enumerate(layout):
        ranks[mode] = len(layout) - 1 - place
    return tuple(ranks)


def cutlass_to_jax_layout_order(layout: Sequence[int] | None) -> Sequence[int] | None:
    """Returns the modes from the one with the largest stride to that with the smallest, for
    the rank of each mode's stride, 0 the smallest."""
    return None if layout is None else tuple(sorted(range(len(layout)), key=lambda i: -layout[i]))


@dataclasses.dataclass(frozen=True)
class TensorSpec:
    """How a kernel sees an array.

    :param layout: the rank of each mode's stride, 0 the smallest; row-major by default
    :param mode: the array's modes in the kernel's order :param static: extents and
    strides are compiled in :param ptr_assumed_align: the alignment that is promised, in
    bytes :param divisibility: divisors of dynamic extents, by the kernel's modes;
    unused, as extents are checked when they are passed
    """

    layout: Sequence[int] | None = None
    mode: Sequence[int] | None = None
    static: bool | None = None
    ptr_assumed_align: int = _ALIGNMENT
    divisibility: Any = None

    def __post_init__(self) -> None:
        for name in ("layout", "mode"):
            order = getattr(self, name)
            if order is not None and sorted(order) != list(range(len(order))):
                raise ValueError(f"{name} is a permutation of the modes, not {order}")


TensorMode = TensorSpec  # its name before


def is_available() -> bool:
    """Returns whether jax is installed."""
    import importlib.util

    return importlib.util.find_spec("jax") is not None


def get_export_disabled_safety_checks() -> Sequence[Any]:
    """Returns the ``disabled_checks`` that ``jax.export.export(f, ...)`` needs for
    calls.

    An exported program runs in the process that made its calls.
    """
    import jax

    return [jax.export.DisabledSafetyCheck.custom_call(_ffi.TARGET)]


def get_cutlass_call_ffi_name(allow_cuda_graph: bool = True) -> str:
    """Returns the name by which XLA's programs call this package."""
    return _ffi.TARGET


def get_cutlass_call_ffi_version() -> int:
    """Returns the version of the calls that ``jax.ffi.register_ffi_target`` takes."""
    return 1


def register_ffi() -> None:
    """Registers calls with XLA, as the first ``cutlass_call`` does."""
    _ffi.register()


def is_ffi_registered() -> bool:
    """Returns whether calls are registered with XLA."""
    return _ffi.is_registered()


def release_compile_cache() -> None:
    """Forgets the functions that calls have compiled."""
    _entry.cache_clear()


def from_dlpack(array: Any, assumed_align: int = _ALIGNMENT) -> Any:
    """Returns an array of JAX as a tensor that is passed to compiled functions."""
    return _from_dlpack(array, assumed_align=assumed_align)


# ---- Calls ------------------------------------------------------------------


class _Static:
    """Keyword arguments of a call, equal where all values are."""

    def __init__(self, values: dict[str, Any]):
        self.values = values
        self._key = tuple((name, repr(value)) for name, value in sorted(values.items()))

    def __eq__(self, other: Any) -> bool:
        return isinstance(other, _Static) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)


@functools.lru_cache(maxsize=256)
def _entry(function: Callable[..., Any], static: _Static, tree: Any) -> Callable[..., Any]:
    """Returns the function of a stream and tensors that is compiled for a call."""
    import jax

    values = static.values

    @jit
    def entry(stream: CUstream, tensors: tuple):
        function(stream, *jax.tree.unflatten(tree, tensors), **values)

    return entry


def _order(spec: TensorSpec, rank: int) -> list[int]:
    """Returns the modes of an array, from the one with the largest stride to the smallest."""
    if spec.layout is None or len(spec.layout) != rank:
        return list(range(rank))
    return sorted(range(rank), key=lambda mode: -spec.layout[mode])


def _tensor(
    buffer: _ffi.Buffer, dtype: NumericMeta, spec: TensorSpec, is_static: bool, is_host: bool
) -> Any:
    """Returns an array's memory as a tensor that is passed, of dynamic extents unless static."""
    rank = len(buffer.shape)
    strides, step = [0] * rank, 1
    for mode in reversed(_order(spec, rank)):
        strides[mode] = step
        step *= buffer.shape[mode]
    modes = range(rank) if spec.mode is None else spec.mode
    align = min(spec.ptr_assumed_align, _HOST_ALIGNMENT if is_host else _ALIGNMENT)
    made = _Tensor(
        buffer.address, dtype, [buffer.shape[i] for i in modes], [strides[i] for i in modes],
        is_host=is_host, align=max(align, dtype.width // 8))
    if is_static or not rank:
        return made
    unit = [i for i, stride in enumerate(made.stride) if stride == 1]
    return made.mark_layout_dynamic(max(unit, key=lambda i: made.shape[i], default=None))


def _specs(given: Any, count: int) -> list[TensorSpec]:
    """Returns a specification for each of so many arrays."""
    import jax

    def is_leaf(value: Any) -> bool:
        return value is None or isinstance(value, TensorSpec)

    listed = [] if given is None else jax.tree.leaves(given, is_leaf=is_leaf)
    if given is not None and len(listed) != count:
        raise ValueError(f"there are {count} arrays, and specifications of {len(listed)}")
    return [spec or TensorSpec() for spec in listed or [None] * count]


def cutlass_call(
    fn: Callable[..., Any],
    *,
    output_shape_dtype: Any,
    input_spec: Any = None,
    output_spec: Any = None,
    input_output_aliases: dict[int, int] | None = None,
    allow_cuda_graph: bool = True,
    compile_options: Any = None,
    use_static_tensors: bool = False,
    **kwargs: Any,
) -> Callable[..., Any]:
    """Returns a function of JAX's arrays that calls a compiled one.

    :param fn: ``fn(stream, *inputs, *outputs, **kwargs)`` of tensors, or trees of them
    :param output_shape_dtype: ``jax.ShapeDtypeStruct`` of each result, in a tree
    :param input_spec: a ``TensorSpec`` or None for each input
    :param input_output_aliases: inputs, by number, that become results; these results are
        not passed to ``fn``
    :param use_static_tensors: extents and strides are compiled in
    :param kwargs: compiled-in values
    :raises NotThere: if kernels run on another device than JAX's; XLA reports it as its error
    :raises ValueError: where arrays have elements smaller than a byte
    """
    aliases = dict(input_output_aliases or {})
    static = _Static(kwargs)

    def call(*inputs: Any) -> Any:
        import jax
        import numpy as np

        leaves, tree = jax.tree.flatten(inputs)
        results, result_tree = jax.tree.flatten(output_shape_dtype)
        arrays = [*leaves, *results]
        specs = _specs(input_spec, len(leaves)) + _specs(output_spec, len(results))
        dtypes = tuple(_passed_dtype(array.dtype) for array in arrays)
        passed = [i for i in range(len(arrays)) if i - len(leaves) not in aliases.values()]
        key = (fn, static, tree, dtypes, repr(specs), tuple(passed), use_static_tensors)

        def make() -> _ffi.Function:
            return functools.partial(
                _run, fn, static, tree, dtypes, specs, passed, use_static_tensors)

        _ffi.register()
        orders = [_order(spec, len(array.shape)) for spec, array in zip(specs, arrays)]
        made = jax.ffi.ffi_call(
            _ffi.TARGET, [jax.ShapeDtypeStruct(x.shape, x.dtype) for x in results],
            input_layouts=orders[: len(leaves)], output_layouts=orders[len(leaves) :],
            input_output_aliases=aliases,
        )(*leaves, call=np.int64(_ffi.number_of(key, make)))
        return jax.tree.unflatten(result_tree, made)

    return call


def _passed_dtype(dtype: Any) -> NumericMeta:
    """Returns the numeric type of an array that is passed.

    :raises ValueError: where its elements are smaller than a byte, which XLA may not pack
    """
    made = jax_to_cutlass_dtype(dtype)
    if made.width < 8 and made is not _numeric.Boolean:
        raise ValueError(f"arrays of {made} cannot be passed from JAX: pass their bytes as Uint8")
    return made


def _run(
    fn: Callable[..., Any], static: _Static, tree: Any, dtypes: Sequence[NumericMeta],
    specs: Sequence[TensorSpec], passed: Sequence[int], use_static: bool,
    stream: int, is_host: bool, inputs: list[_ffi.Buffer], outputs: list[_ffi.Buffer],
) -> None:
    """Calls a function with the memory of inputs, and of the results that are passed."""
    import jax

    memory = [*inputs, *outputs]
    tensors = tuple(
        _tensor(memory[i], dtypes[i], specs[i],
                use_static if specs[i].static is None else specs[i].static, is_host)
        for i in passed)
    children = jax.tree.unflatten(tree, range(len(inputs)))
    whole = jax.tree.structure((*children, *range(len(tensors) - len(inputs))))
    _entry(fn, static, whole)(CUstream(stream), tensors)


__getattr__ = _placeholders.among(
    {
        "JaxArray": "annotations by JAX's types; use cute.Tensor",
        "disable_automatic_ffi_registration": "registration on import; use register_ffi, which "
        "the first call calls",
        "set_ffi_call_targets": "names of targets by hand; use register_ffi",
    },
    "cute.jax",
)
