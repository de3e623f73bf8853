"""Launches: a kernel is traced with its arguments, and the host function starts it."""

from __future__ import annotations

import math
import operator
import sys
from typing import TYPE_CHECKING, Any

from . import arguments as _arguments, ir as _ir
from .._device.stream_handles import handle_of, is_stream
from .._frontend import tree as _tree
from .diagnostics import DSLRuntimeError
from .._compat.missing import NotThere
from .._values.numeric import Boolean, Float32, Int32, Int64, Integer, Numeric, NumericMeta
from .._values.numeric import as_element

if TYPE_CHECKING:
    import inspect

    from .jit import KernelFunction


MOST_BLOCKS = 16  # of a cluster


def identifier(text: str) -> str:
    return "".join(c if c.isalnum() else "_" for c in text)


def taken(value: Any, annotation: Any) -> Any:
    """Returns the function's view of an argument, which some annotations change."""
    take = getattr(annotation, "__cute_take__", None)
    return take(value) if take else value


def _passed(value: Any, annotation: Any) -> Any:
    """Returns an argument with its numbers as the kernel's."""
    if _arguments.is_constexpr(annotation):
        return _tree_static(value)
    if hasattr(value, "__cute_give__"):
        return value.__cute_give__()
    if _has_known_fields(value):
        return _tree_static(value.remade(value.ir))
    if isinstance(annotation, NumericMeta) and isinstance(value, (bool, int, float)):
        return as_element(value, annotation)
    if isinstance(value, bool):
        return Boolean(value)
    if isinstance(value, int):
        return Int32(value)
    return Float32(value) if isinstance(value, float) else value


def _has_known_fields(value: Any) -> bool:
    """Returns whether a value is a product whose fields are known, as all of it is."""
    fields = _tree.fields_of(value)
    known = all(isinstance(x, bool) for x in fields.values())
    return bool(fields) and known and value.is_static


class _Kept:
    """Hides a static value from flattening."""

    def __init__(self, value: Any):
        self.value = value


def _tree_static(value: Any) -> Any:
    return _Kept(value)


class KernelLaunch:
    """A kernel with its arguments."""

    def __init__(self, kernel: KernelFunction, bound: inspect.BoundArguments):
        self.kernel = kernel
        self.bound = bound
        frame = _ir.user_frame()
        self.place = (frame.f_code.co_filename, frame.f_lineno) if frame else ("", 0)

    def launch(
        self,
        *,
        grid: Any = (1, 1, 1),
        block: Any = (1, 1, 1),
        cluster: Any = None,
        fallback_cluster: Any = None,
        smem: Any = None,
        stream: Any = None,
        cooperative: bool = False,
        use_pdl: bool = False,
        min_blocks_per_mp: int = 0,
        max_number_threads: Any = None,
        smem_merge_branch_allocs: bool = False,
        async_deps: Any = (),
        config: Any = None,
        loc: Any = None,
        ip: Any = None,
        **options: Any,
    ) -> None:
        """Starts the kernel: so many blocks of so many threads.

        :param config: a LaunchConfig, which says all of it

        :param cluster: so many blocks run side by side and reach each other's shared
            memory: at most 16, from sm_90 on; the grid is a multiple of it
        :param fallback_cluster: what ``cluster`` is a multiple of, in x and y: clusters are of
            that size where larger ones do not fit (sm_100), and always before sm_100
        :param smem: bytes of shared memory, at least; without it what the kernel
            allocates
        :param cooperative: all blocks run at once, so that they can wait for each other
        :param use_pdl: the kernel may begin before the one ahead of it on the stream has
            ended; ``griddepcontrol_wait`` waits for that one's results
        :param min_blocks_per_mp: that fit on a multiprocessor at once, which bounds the
            registers of a thread
        :param max_number_threads: of a block, for a kernel whose block is not known
            when it is compiled; fewer leave more registers for each
        :param smem_merge_branch_allocs: all threads of a block take the same branch of each
            ``if`` that allocates shared memory: its branches have the same bytes
        :param options: ``launch_completion_event`` is recorded when all blocks have
            begun, ``programmatic_event`` when all have called
            ``griddepcontrol_launch_dependents``, or begin with
            ``programmatic_event_trigger_at_block_start``; options that change speed
            alone, ``preferred_smem_carveout``, are taken without effect
        :raises NotThere: for an option that is not there
        :raises TypeError: for an extent that is not an integer, or a stream of another kind
        :raises ValueError: for a number that is known and not possible
        """
        if config is not None:
            self.launch(stream=stream, **config.options())
            return
        events = _Events(options)
        if stream is None and async_deps:
            stream = async_deps if not isinstance(async_deps, (list, tuple)) else async_deps[0]
        trace = _ir.require("a launch")
        waiting = trace.traced.not_launched
        waiting[:] = [x for x in waiting if x is not self]
        if trace.kernel is not None:
            raise DSLRuntimeError("a kernel cannot launch another one")
        shape = [_three(grid), _three(block), _three(cluster) if cluster else []]
        clusters = [shape[2]]
        if fallback_cluster:
            clusters = _check_fallback(shape[2], _three(fallback_cluster))
            shape[2] = []  # the kernel says it
        _check_extents("grid", shape[0])
        _check_extents("block", shape[1])
        _check_block(shape[1])
        _check_cluster(clusters[0])
        _check_count("min_blocks_per_mp", min_blocks_per_mp)
        _check_count("smem", 0 if smem is None else smem)
        name, operands, asks_size = self._define(trace, shape[1], clusters, smem)
        if min_blocks_per_mp or max_number_threads is not None:
            self._bound_registers(min_blocks_per_mp)
        if smem_merge_branch_allocs:
            self.made.set_attribute("cute.share_branches", _ir.parsed("unit"))
        if max_number_threads is not None and self._block_is_dynamic(shape[1]):
            self._bound_threads(max_number_threads)
        sizes = [_ssa(x) for dims in shape for x in dims]
        shared = [Int32(smem).ir_value()] if asks_size else []
        handle = [stream_value(stream)] if stream is not None else []
        segments = [0] + [1] * 6 + [len(shape[2]) // 3] * 3
        segments += [len(shared), len(operands), len(handle)]
        attributes = {
            "kernel": _ir.parsed(f"@kernels::@{name}"),
            "operandSegmentSizes": _ir.attribute(segments),
        }
        if use_pdl:
            attributes["cute.pdl"] = _ir.parsed("unit")
        if cooperative:
            attributes["cute.cooperative"] = _ir.parsed("unit")
        events.record(trace)
        trace.create(
            "gpu.launch_func", sizes + shared + operands + handle, attributes, []
        )

    def _bound_registers(self, blocks: int) -> None:
        self.made.set_attribute(
            "nvvm.minctasm", _ir.context().integer(_ir.type("i32"), max(blocks, 1))
        )

    @staticmethod
    def _block_is_dynamic(block: Any) -> bool:
        return not all(isinstance(x, int) for x in block)

    def _bound_threads(self, threads: Any) -> None:
        """Says how many threads a block has at most, in all or by direction."""
        self.made.set_attribute("nvvm.maxntid", _ir.attribute(_three(threads)))

    def _arguments(self) -> tuple[list[Any], Any]:
        annotations = self.kernel.annotations
        values = [_passed(v, annotations.get(n)) for n, v in self.bound.arguments.items()]
        return _tree.flatten(values)

    def _define(
        self, trace: Any, block: Any, clusters: list[Any], smem: Any
    ) -> tuple[str, list[Any], bool]:
        """Traces the kernel; returns its name, the values that it takes, and whether it
        asks for a size of shared memory that is known at run time."""
        leaves, spec = self._arguments()
        values = [value_of(leaf) for leaf in leaves]
        operands = [v for v in values if v is not None]
        types = [v.type for v in operands]
        traced = trace.traced
        name = self.kernel.prefix or f"kernel_{self.kernel.function.__name__}"
        name = f"{identifier(name)}_{len(traced.kernels)}"
        traced.kernels.append(name)
        before = trace.kernel
        passes = self.kernel.optimize or traced.optimize
        trace.is_for_passes = bool(passes)
        traced.passes = passes or traced.passes
        with trace.at(_kernel_module(trace)):
            self.made = kernel_op(trace, name, types, block, *clusters)
            entry = self.made.add_block(0, types, _ir.location())
            trace.kernel = state = KernelState(self.made, entry, block, smem)
            try:
                with trace.at(entry):
                    self._trace_body(leaves, spec, values, iter(entry.arguments))
                    trace.create("gpu.return", (), None, [])
            finally:
                trace.kernel, trace.is_for_passes = before, False
        state.settle_shared_memory(name)
        traced.shared_bytes[self.kernel.function] = state.shared_bytes
        return name, operands, state.asks_size

    def _trace_body(self, leaves: Any, spec: Any, values: Any, arguments: Any) -> None:
        inner = []
        for leaf, value in zip(leaves, values):
            if value is None:
                inner.append(leaf)
            elif isinstance(leaf, Numeric):
                inner.append(type(leaf)(next(arguments)))
            else:
                inner.append(_tree.SsaLeaf(next(arguments)))
        made = _tree.unflatten(spec, iter(inner), lambda _: False)
        made = [x.value if isinstance(x, _Kept) else x for x in made]
        bound = self.bound.signature.bind_partial()
        annotations = self.kernel.annotations
        bound.arguments.update(
            (name, taken(value, annotations.get(name)))
            for name, value in zip(self.bound.arguments, made)
        )
        _ir.require("a kernel").environment.add(self.kernel.function)
        if self.kernel.rewritten(*bound.args, **bound.kwargs) is not None:
            raise DSLRuntimeError(
                f"kernel {self.kernel.function.__name__} returns a value, which nobody "
                "gets: write it to a tensor"
            )


_EVENTS = {
    "launch_completion_event",
    "launch_completion_event_flags",
    "programmatic_event",
    "programmatic_event_flags",
    "programmatic_event_trigger_at_block_start",
}


# Options that change speed alone: taken without effect.
_HINTS = {
    "auto_smem",
    "hint_smem_base_uniform",
    "preferred_smem_carveout",
}


def _advice(name: str) -> str:
    """Returns the option that a name may be meant for, as the end of a message."""
    import difflib
    import inspect

    known = [*_EVENTS, *_HINTS, *inspect.signature(KernelLaunch.launch).parameters]
    close = difflib.get_close_matches(name, known, 1)
    return f"; did you mean {close[0]}?" if close else " yet"


class _Events:
    """The events that a launch records."""

    def __init__(self, options: dict[str, Any]):
        for name, value in options.items():
            if name not in _EVENTS | _HINTS and value:
                raise NotThere(f"launch has no option {name} in this package{_advice(name)}")
        self.started = options.get("launch_completion_event")
        self.triggered = options.get("programmatic_event")
        self.at_block_start = options.get("programmatic_event_trigger_at_block_start", 0)

    def record(self, trace: Any) -> None:
        """Writes a call that sets the events of the next launch."""
        if self.started is None and self.triggered is None:
            return
        types = [_ir.type("i64"), _ir.type("i64"), _ir.type("i32")]
        if not getattr(trace.traced, "records", False):
            trace.traced.records = True
            _declare(trace, "cuteHostRecord", types)
        handles = [stream_value(x or 0) for x in (self.started, self.triggered)]
        flag = Int32(self.at_block_start).ir_value()
        attributes = {"callee": _ir.parsed("@cuteHostRecord")}
        trace.create("func.call", [*handles, flag], attributes, [])


def _declare(trace: Any, name: str, types: Any) -> None:
    """Writes a function of the library that host functions call."""
    signature = _ir.context().function_type(types, [])
    with trace.at(trace.module.body):
        trace.create(
            "func.func",
            (),
            {"sym_name": _ir.attribute(name),
             "sym_visibility": _ir.attribute("private"),
             "function_type": _ir.context().type_attribute(signature)},
            [],
            1,
        )


def _is_known(size: Any) -> bool:
    return isinstance(size, int) or (isinstance(size, Numeric) and size.is_static)


class KernelState:
    """The state of the kernel that is traced."""

    def __init__(self, made: Any, entry: Any, block: Any, smem: Any = None):
        self.operation = made
        self.entry = entry
        self.block_size = block
        self.smem = smem
        self.shared_bytes = 0
        self.asks_size = False
        self._shared_sizes: list[Any] = []
        self.tensor_memory: list[Any] = []  # (allocator, pointer) to free where it ends

    def add_shared(self, size: int, alignment: int) -> None:
        """Adds up the kernel's allocations in shared memory, one after the other."""
        self.shared_bytes = -(-self.shared_bytes // alignment) * alignment + size

    def shared_size(self, trace: Any) -> Int32 | None:
        """Returns the bytes of shared memory, which are known when all is traced.

        None where the launch gives them at run time.
        """
        if self.smem is not None and not _is_known(self.smem):
            self.asks_size = True
            return None
        zero = {"value": _ir.context().integer(_ir.type("i32"), 0)}
        made = trace.create("arith.constant", (), zero, [_ir.type("i32")])
        self._shared_sizes.append(made)
        return Int32(made.results[0])

    def settle_shared_memory(self, name: str) -> None:
        """Passes the size to those who asked, and warns if the launch gives less."""
        given = None if self.smem is None or not _is_known(self.smem) else int(self.smem)
        if given is not None and given < self.shared_bytes:
            print(
                f"warning: kernel {name} allocates {self.shared_bytes} bytes of shared memory, "
                f"more than the {given} of its launch",
                file=sys.stderr,
            )
        size = self.shared_bytes if given is None else given
        for made in self._shared_sizes:
            made.set_attribute("value", _ir.context().integer(_ir.type("i32"), size))


def value_of(leaf: Any) -> Any:
    if isinstance(leaf, _tree.SsaLeaf):
        return leaf.value
    return leaf.ir_value() if isinstance(leaf, Numeric) else None


def _kernel_module(trace: Any) -> Any:
    """Returns the block of the module's gpu.module."""
    if getattr(trace.traced, "gpu_block", None) is None:
        with trace.at(trace.module.body):
            made = trace.create(
                "gpu.module", (), {"sym_name": _ir.attribute("kernels")}, [], 1
            )
        trace.traced.gpu_module = made
        trace.traced.gpu_block = made.add_block(0, [], _ir.location())
    return trace.traced.gpu_block


def kernel_op(
    trace: Any, name: str, types: Any, block: Any, cluster: Any, fallback: Any = None
) -> Any:
    context = _ir.context()
    attributes = {
        "sym_name": _ir.attribute(name),
        "function_type": context.type_attribute(context.function_type(types, [])),
        "gpu.kernel": _ir.parsed("unit"),
    }
    if all(isinstance(x, int) for x in block):
        attributes["known_block_size"] = _ir.attribute(list(block))
    if fallback:
        attributes["cute.preferred_cluster"] = _ir.attribute(list(cluster))
        attributes["cute.fallback_cluster"] = _ir.attribute(list(fallback))
    elif cluster and all(isinstance(x, int) for x in cluster):
        attributes["known_cluster_size"] = _ir.attribute(list(cluster))
    return trace.create("gpu.func", (), attributes, [], 1)


def _three(size: Any) -> list[Any]:
    """Returns three extents; missing ones are 1."""
    if not isinstance(size, (list, tuple)):
        size = [size]
    if not 1 <= len(size) <= 3:
        raise ValueError(f"a grid, block or cluster has 1 to 3 extents, not {size}")
    return [*map(_extent, size), *[1] * (3 - len(size))]


def _extent(value: Any) -> Any:
    """Returns an int, or an Integer that is known at run time."""
    if isinstance(value, Integer):
        return value if not value.is_static else value.value
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise TypeError(f"a grid, block or cluster has integers, not {value!r}")
    return operator.index(value)


def _check_extents(name: str, extents: list[Any]) -> None:
    if any(isinstance(x, int) and x < 1 for x in extents):
        raise ValueError(f"a {name} has at least 1 in each direction, not {tuple(extents)}")


# Limits of all compute capabilities (CUDA Programming Guide, technical specifications).
_MOST_THREADS, _MOST_IN_Z = 1024, 64


def _check_block(extents: list[Any]) -> None:
    """Raises where a block has more threads than any GPU takes, as far as they are known."""
    threads = math.prod(x for x in extents if isinstance(x, int))
    if threads > _MOST_THREADS or (isinstance(extents[2], int) and extents[2] > _MOST_IN_Z):
        raise ValueError(f"a block has at most {_MOST_THREADS} threads, and {_MOST_IN_Z} in z; "
                         f"{tuple(extents)} are {threads}")


def _check_cluster(extents: list[Any]) -> None:
    known = [x for x in extents if isinstance(x, int)]
    if any(x < 1 for x in known) or math.prod(known) > MOST_BLOCKS:
        raise ValueError(f"a cluster has 1 to {MOST_BLOCKS} blocks, not {tuple(extents)}")


def _check_fallback(cluster: list[Any], fallback: list[Any]) -> list[Any]:
    """Returns the clusters of a launch that has two sizes of them, one where they are the same."""
    known = all(isinstance(x, int) for x in [*cluster, *fallback])
    if not cluster or not known or cluster[2] != fallback[2] or any(
            x < 1 or y % x for x, y in zip(fallback, cluster)):
        raise ValueError(f"fallback_cluster {tuple(fallback)} does not divide the cluster "
                         f"{tuple(cluster)}: both are constants with the same z")
    return [cluster] if cluster == fallback else [cluster, fallback]


def _check_count(name: str, count: Any) -> None:
    if not isinstance(count, Integer) and not hasattr(count, "__index__"):
        raise TypeError(f"{name} is an integer, not {count!r}")
    if _is_known(count) and int(count) < 0:
        raise ValueError(f"{name} is not negative as {int(count)} is")


def _ssa(value: Any) -> Any:
    number = value if isinstance(value, Numeric) else Int32(value)
    return (number if number.width == 64 else Int64(number)).ir_value()


def stream_value(stream: Any) -> Any:
    """Returns a stream as an i64."""
    from .. import runtime

    if isinstance(stream, runtime.Stream):
        return stream.ir
    if isinstance(stream, (int, Numeric)):
        return Int64(stream).ir_value()
    if not is_stream(stream) and not hasattr(stream, "__int__"):
        raise TypeError(
            f"expected a stream of CUDA, torch, CuPy or Numba, or its handle, not {stream!r}")
    return Int64(handle_of(stream)).ir_value()
