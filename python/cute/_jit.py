"""@jit and @kernel: functions are traced into a module, compiled and called."""

from __future__ import annotations

import functools
import itertools
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


class JitFunction(_Function):
    """A function that runs on the host, compiled for its arguments."""

    def __init__(self, function: Callable[..., Any]):
        super().__init__(function)
        self.compiled: dict[Any, Any] = {}

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Runs the function; within another one, as a part of that."""
        if _ir.trace() is not None:
            return self.rewritten(*args, **kwargs)
        parameters, values = _arguments.bind(
            self.signature, args, kwargs, self.annotations
        )
        key = (self.prefix, *(p.what.key for p in parameters))
        compiled = self.compiled.get(key)
        if compiled is None:
            compiled = self.compiled[key] = self.compile(parameters)
        return compiled.run(values)

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
            args, kwargs = _rebuilt(parameters, iter(block.arguments))
            result = function.rewritten(*args, **kwargs)
            if result is not None and _has_dynamic(result):
                raise DSLRuntimeError(
                    f"{function.function.__name__} returns a value that is known "
                    "at run time only; write it to a tensor instead"
                )
            trace.create("func.return", (), None, [])
    traced.result = result
    return traced


def _has_dynamic(result: Any) -> bool:
    leaves, _ = _tree.flatten(result)
    return any(
        isinstance(x, _tree.SsaLeaf) or (isinstance(x, Numeric) and not x.is_static)
        for x in leaves
    )


def _rebuilt(parameters: Sequence[Any], values: Any) -> tuple[list[Any], dict[str, Any]]:
    args: list[Any] = []
    kwargs: dict[str, Any] = {}
    for p in parameters:
        value = p.what.build(values)
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
        :raises NotThere: for events that the launch would record
        """
        _need_no_more(options)
        if stream is None and async_deps:
            stream = async_deps if not isinstance(async_deps, (list, tuple)) else async_deps[0]
        trace = _ir.require("a launch")
        if trace.kernel is not None:
            raise DSLRuntimeError("a kernel cannot launch another one")
        shape = [_three(grid), _three(block), _three(cluster) if cluster else []]
        name, operands, uses_smem = self._define(trace, shape[1], shape[2])
        if min_blocks_per_mp or max_number_threads is not None:
            self._bound_registers(min_blocks_per_mp)
        sizes = [_ssa(x) for dims in shape for x in dims]
        shared = [_ssa(smem)] if smem is not None and uses_smem else []
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
        trace.create(
            "gpu.launch_func", sizes + shared + operands + handle, attributes, []
        )

    def _bound_registers(self, blocks: int) -> None:
        self.made.set_attribute(
            "nvvm.minctasm", _ir.context().integer(_ir.type("i32"), max(blocks, 1))
        )

    def _arguments(self) -> tuple[list[Any], Any]:
        annotations = self.kernel.annotations
        values = [_passed(v, annotations.get(n)) for n, v in self.bound.arguments.items()]
        return _tree.flatten(values)

    def _define(self, trace: Any, block: Any, cluster: Any) -> tuple[str, list[Any], bool]:
        """Traces the kernel; returns its name, and the values that it takes."""
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
            trace.kernel = state = KernelState(self.made, entry, block)
            try:
                with trace.at(entry):
                    self._trace_body(leaves, spec, values, iter(entry.arguments))
                    trace.create("gpu.return", (), None, [])
            finally:
                trace.kernel = before
        return name, operands, state.uses_dynamic_smem

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
        bound.arguments.update(zip(self.bound.arguments, made))
        self.kernel.rewritten(*bound.args, **bound.kwargs)


def _need_no_more(options: dict[str, Any]) -> None:
    """Refuses what a launch cannot do, where it is asked for."""
    for name, value in options.items():
        if value:
            raise NotThere(f"launch has no option {name} in this package yet")


class KernelState:
    """What is known of the kernel that is traced."""

    def __init__(self, made: Any, entry: Any, block: Any):
        self.operation = made
        self.entry = entry
        self.block_size = block
        self.uses_dynamic_smem = False


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
