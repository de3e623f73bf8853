"""@jit and @kernel: functions are traced into a module, compiled and called."""

from __future__ import annotations

import functools
import itertools
import sys
import types
from typing import TYPE_CHECKING, Any, Callable, Sequence, get_type_hints

from . import _arguments, _compiled, _ir, _tree
from ._diagnostics import DSLRuntimeError
from ._missing import NotThere
from ._numeric import Boolean, Float32, Int32, Int64, Numeric, NumericMeta

if TYPE_CHECKING:
    import inspect


def _annotations(function: Any) -> dict[str, Any]:
    """Returns the annotations, of text what it means where that is known."""
    try:
        return get_type_hints(function)
    except Exception:
        return dict(getattr(function, "__annotations__", {}))


class _Function:
    """A function of the user, which is rewritten when it is first traced."""

    def __init__(self, function: Callable[..., Any]):
        functools.update_wrapper(self, function)
        self.function = function
        self.prefix = ""

    @functools.cached_property
    def signature(self) -> inspect.Signature:
        import inspect

        return inspect.signature(self.function)

    @functools.cached_property
    def annotations(self) -> dict[str, Any]:
        return _annotations(self.function)

    @functools.cached_property
    def rewritten(self) -> Callable[..., Any]:
        from ._rewrite import rewrite

        return rewrite(self.function)

    def set_name_prefix(self, name: str) -> None:
        """Lets the compiled function's name begin with this."""
        self.prefix = name

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self if instance is None else _Bound(self, instance)


class _Bound:
    """A method of an object."""

    def __init__(self, function: Any, instance: Any):
        self.function, self.instance = function, instance
        functools.update_wrapper(self, function.function)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.function(self.instance, *args, **kwargs)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.function, name)


# ---- Host functions ---------------------------------------------------------


_BY_PLACE = ("POSITIONAL_ONLY", "POSITIONAL_OR_KEYWORD")
_MOST_RECENT = 4


class JitFunction(_Function):
    """A function that runs on the host, compiled for its arguments."""

    def __init__(self, function: Callable[..., Any]):
        super().__init__(function)
        self.compiled: dict[Any, Any] = {}
        self.recent: list[Any] = []

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Runs the function; within another one, as a part of that."""
        if _ir.trace() is not None:
            return self.rewritten(*args, **kwargs)
        for prefix, compiled, tests in () if kwargs else self.recent:
            if prefix == self.prefix and len(tests) == len(args):
                if all([is_like(x) for is_like, x in zip(tests, args)]):
                    return compiled.run(args)
        parameters, values = _arguments.bind(
            self.signature, args, kwargs, self.annotations
        )
        key = (self.prefix, *(p.what.key for p in parameters))
        compiled = self.compiled.get(key)
        if compiled is None:
            compiled = self.compiled[key] = self.compile(parameters)
        self._remember(compiled, parameters, args)
        return compiled.run(values)

    def _remember(self, compiled: Any, parameters: Any, args: Any) -> None:
        """Lets calls with as many arguments of the same keys find this at once."""
        tests = [getattr(p.what, "is_like", None) for p in parameters]
        by_place = all(p.kind in _BY_PLACE for p in parameters)
        is_new = all(compiled is not other for _, other, _ in self.recent)
        if is_new and by_place and None not in tests and len(args) == len(tests):
            entry = (self.prefix, compiled, tests)
            self.recent = [entry, *self.recent[: _MOST_RECENT - 1]]

    def compile(self, parameters: Sequence[Any], options: Any = None) -> Any:
        """Traces and compiles the function for such arguments."""
        traced = trace_function(self, parameters)
        return _compiled.Compiled(traced, self, parameters, options)


class Traced:
    """A module with a host function and its kernels."""

    def __init__(self, module: _ir.Module, name: str):
        self.module = module
        self.name = name
        self.kernels: list[str] = []


def _identifier(text: str) -> str:
    return "".join(c if c.isalnum() else "_" for c in text)


def trace_function(function: JitFunction, parameters: Sequence[Any]) -> Traced:
    """Returns the module of a host function and of what it launches."""
    from ._results import Results

    place = _ir.location()
    module = _ir.Module(_ir.context(), place)
    module.operation.set_attribute("gpu.container_module", _ir.parsed("unit"))
    name = _identifier(function.prefix or function.function.__name__)
    traced = Traced(module, name)
    types = [t for p in parameters for t in p.what.types]
    trace = _ir.Trace(module)
    trace.traced = traced
    with _ir.tracing(trace):
        signature = _ir.context().function_type(types, [])
        made = trace.create(
            "func.func",
            (),
            {"sym_name": _ir.attribute(name),
             "function_type": _ir.context().type_attribute(signature)},
            [],
            1,
        )
        block = made.add_block(0, types, place)
        with trace.at(block):
            args, kwargs = _rebuilt(parameters, iter(block.arguments), function.annotations)
            result = function.rewritten(*args, **kwargs)
            traced.results = Results(result, function.function.__name__)
            values = traced.results.values()
            trace.create("func.return", values, None, [])
    if values:
        signature = _ir.context().function_type(types, [v.type for v in values])
        made.set_attribute("function_type", _ir.context().type_attribute(signature))
    return traced


def _taken(value: Any, annotation: Any) -> Any:
    """Returns what a function gets of an argument: some annotations make a view of it."""
    take = getattr(annotation, "__cute_take__", None)
    return take(value) if take else value


def _rebuilt(
    parameters: Sequence[Any], values: Any, annotations: dict[str, Any]
) -> tuple[list[Any], dict[str, Any]]:
    args: list[Any] = []
    kwargs: dict[str, Any] = {}
    for p in parameters:
        value = _taken(p.what.build(values), annotations.get(p.name))
        if p.kind == "VAR_POSITIONAL":
            args += value
        elif p.kind == "VAR_KEYWORD":
            kwargs.update(value)
        elif p.kind == "KEYWORD_ONLY":
            kwargs[p.name] = value
        else:
            args.append(value)
    return args, kwargs


# ---- Kernels ----------------------------------------------------------------


class KernelFunction(_Function):
    """A function that runs on the device, for each thread."""

    def __call__(self, *args: Any, **kwargs: Any) -> KernelLaunch:
        """Returns the kernel with its arguments, for ``launch``."""
        _ir.require(f"the kernel {self.function.__name__}")
        bound = self.signature.bind(*args, **kwargs)
        bound.apply_defaults()
        return KernelLaunch(self, bound)


def _passed(value: Any, annotation: Any) -> Any:
    """Returns an argument with its numbers as those of the kernel."""
    if _arguments.is_constexpr(annotation):
        return _tree_static(value)
    if hasattr(value, "__cute_give__"):
        return value.__cute_give__()
    if _has_known_fields(value):
        return _tree_static(value.remade(value.ir))
    if isinstance(annotation, NumericMeta) and isinstance(value, (bool, int, float)):
        return annotation(value)
    if isinstance(value, bool):
        return Boolean(value)
    if isinstance(value, int):
        return Int32(value)
    return Float32(value) if isinstance(value, float) else value


def _has_known_fields(value: Any) -> bool:
    """Says whether a value is a product whose fields are known, as all of it is."""
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

    def launch(
        self,
        *,
        grid: Any = (1, 1, 1),
        block: Any = (1, 1, 1),
        cluster: Any = None,
        smem: Any = None,
        stream: Any = None,
        cooperative: bool = False,
        use_pdl: bool = False,
        min_blocks_per_mp: int = 0,
        max_number_threads: Any = None,
        async_deps: Any = (),
        loc: Any = None,
        ip: Any = None,
        **options: Any,
    ) -> None:
        """Starts the kernel: so many blocks of so many threads.

        :param smem: bytes of shared memory, at least; without it what the kernel
            allocates
        :param max_number_threads: of a block, for a kernel whose block is not known
            when it is compiled; fewer leave more registers for each
        :param options: ``launch_completion_event`` is recorded when all blocks have
            begun, ``programmatic_event`` when all have called
            ``griddepcontrol_launch_dependents``, or begin with
            ``programmatic_event_trigger_at_block_start``
        :raises NotThere: for an option that is not there
        """
        events = _Events(options)
        if stream is None and async_deps:
            stream = async_deps if not isinstance(async_deps, (list, tuple)) else async_deps[0]
        trace = _ir.require("a launch")
        if trace.kernel is not None:
            raise DSLRuntimeError("a kernel cannot launch another one")
        shape = [_three(grid), _three(block), _three(cluster) if cluster else []]
        name, operands, asks_size = self._define(trace, shape[1], shape[2], smem)
        if min_blocks_per_mp or max_number_threads is not None:
            self._bound_registers(min_blocks_per_mp)
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
        self, trace: Any, block: Any, cluster: Any, smem: Any
    ) -> tuple[str, list[Any], bool]:
        """Traces the kernel; returns its name, the values that it takes, and whether it
        asks for a size of shared memory that is known at run time."""
        leaves, spec = self._arguments()
        values = [_value_of(leaf) for leaf in leaves]
        operands = [v for v in values if v is not None]
        types = [v.type for v in operands]
        traced = trace.traced
        name = self.kernel.prefix or f"kernel_{self.kernel.function.__name__}"
        name = f"{_identifier(name)}_{len(traced.kernels)}"
        traced.kernels.append(name)
        before = trace.kernel
        with trace.at(_kernel_module(trace)):
            self.made = _kernel_op(trace, name, types, block, cluster)
            entry = self.made.add_block(0, types, _ir.location())
            trace.kernel = state = KernelState(self.made, entry, block, smem)
            try:
                with trace.at(entry):
                    self._trace_body(leaves, spec, values, iter(entry.arguments))
                    trace.create("gpu.return", (), None, [])
            finally:
                trace.kernel = before
        state.settle_shared_memory(name)
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
            (name, _taken(value, annotations.get(name)))
            for name, value in zip(self.bound.arguments, made)
        )
        self.kernel.rewritten(*bound.args, **bound.kwargs)


_EVENTS = {
    "launch_completion_event",
    "launch_completion_event_flags",
    "programmatic_event",
    "programmatic_event_flags",
    "programmatic_event_trigger_at_block_start",
}


class _Events:
    """The events that a launch records."""

    def __init__(self, options: dict[str, Any]):
        for name, value in options.items():
            if name not in _EVENTS and value:
                raise NotThere(f"launch has no option {name} in this package yet")
        self.started = options.get("launch_completion_event")
        self.triggered = options.get("programmatic_event")
        self.at_block_start = options.get("programmatic_event_trigger_at_block_start", 0)

    def record(self, trace: Any) -> None:
        """Writes a call that says what the next launch records."""
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
    """What is known of the kernel that is traced."""

    def __init__(self, made: Any, entry: Any, block: Any, smem: Any = None):
        self.operation = made
        self.entry = entry
        self.block_size = block
        self.smem = smem
        self.shared_bytes = 0
        self.asks_size = False
        self._shared_sizes: list[Any] = []

    def add_shared(self, size: int, alignment: int) -> None:
        """Counts what the kernel allocates in shared memory, one after the other."""
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
        """Says how large it is to those who asked, and warns if the launch gives less."""
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


def _value_of(leaf: Any) -> Any:
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
        trace.traced.gpu_block = made.add_block(0, [], _ir.location())
    return trace.traced.gpu_block


def _kernel_op(trace: Any, name: str, types: Any, block: Any, cluster: Any) -> Any:
    context = _ir.context()
    attributes = {
        "sym_name": _ir.attribute(name),
        "function_type": context.type_attribute(context.function_type(types, [])),
        "gpu.kernel": _ir.parsed("unit"),
    }
    if all(isinstance(x, int) for x in block):
        attributes["known_block_size"] = _ir.attribute(list(block))
    if cluster and all(isinstance(x, int) for x in cluster):
        attributes["known_cluster_size"] = _ir.attribute(list(cluster))
    return trace.create("gpu.func", (), attributes, [], 1)


def _three(size: Any) -> list[Any]:
    """Returns three extents, of which those that are missing are 1."""
    if not isinstance(size, (list, tuple)):
        size = [size]
    extents = [x.value if isinstance(x, Numeric) and x.is_static else x for x in size]
    if not 1 <= len(extents) <= 3:
        raise ValueError(f"a grid, block or cluster has 1 to 3 extents, not {size}")
    return extents + [1] * (3 - len(extents))


def _ssa(value: Any) -> Any:
    number = value if isinstance(value, Numeric) else Int32(value)
    return (number if number.width == 64 else Int64(number)).ir_value()


def stream_value(stream: Any) -> Any:
    """Returns a stream as an i64."""
    from . import runtime

    if isinstance(stream, runtime.Stream):
        return stream.ir
    if isinstance(stream, (int, Numeric)):
        return Int64(stream).ir_value()
    handle = getattr(stream, "cuda_stream", None)
    return Int64(int(stream) if handle is None else handle).ir_value()


# ---- Decorators -------------------------------------------------------------


def jit(function: Any = None, **options: Any) -> Any:
    """Makes a Python function one that is compiled for the host.

    Calls compile it for the types of their arguments, and run it.
    """
    if function is None:
        return lambda f: jit(f, **options)
    if isinstance(function, (staticmethod, classmethod)):
        return type(function)(jit(function.__func__))
    return JitFunction(function)


def kernel(function: Any = None, **options: Any) -> Any:
    """Makes a Python function a kernel: ``f(...).launch(grid=, block=)``."""
    if function is None:
        return lambda f: kernel(f, **options)
    return KernelFunction(function)


_numbers = itertools.count()


class Compile:
    """``compile(function, *args, options="")`` compiles without a call."""

    def __init__(self, options: tuple[Any, ...] = ()):
        self._options = options

    def __getitem__(self, options: Any) -> Compile:
        more = options if isinstance(options, tuple) else (options,)
        more = tuple(x() if isinstance(x, type) else x for x in more)
        return Compile(self._options + more)

    def __call__(self, function: Any, *args: Any, options: str = "", **kwargs: Any) -> Any:
        """Returns the function compiled for such arguments, to be called."""
        function, args = _target(function, args)
        parameters, _ = _arguments.bind(
            function.signature, args, kwargs, function.annotations
        )
        return function.compile(parameters, _compiled.read_options(options, self._options))


def _target(function: Any, args: tuple[Any, ...]) -> tuple[JitFunction, tuple[Any, ...]]:
    if isinstance(function, _Bound):
        return function.function, (function.instance, *args)
    function = getattr(function, "jit_function", function)
    if isinstance(function, JitFunction):
        return function, args
    if isinstance(function, types.MethodType):
        return JitFunction(function.__func__), (function.__self__, *args)
    if isinstance(function, types.FunctionType):
        return JitFunction(function), args
    call = getattr(type(function), "__call__", None)
    if isinstance(call, JitFunction):
        return call, (function, *args)
    raise TypeError(f"a function under @cute.jit is compiled, not {function!r}")


compile = Compile()
