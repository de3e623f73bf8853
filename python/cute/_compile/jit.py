"""@jit and @kernel: functions are traced into a module, compiled and called."""

from __future__ import annotations

import contextlib
import functools
import gc
import itertools
import sys
import types
from typing import TYPE_CHECKING, Any, Callable, Iterator, Sequence, get_type_hints

from . import argument_checks as _checks, arguments as _arguments, compiled as _compiled, ir as _ir
from .._frontend import breakpoints as _breakpoints, tracebacks as _tracebacks
from .._frontend.environment import Environment
from .._frontend.errors import ProgramError
from .host_writes import HostWrites
from .options import read_options
from .launch import KernelLaunch, identifier, taken

if TYPE_CHECKING:
    import inspect


def _annotations(function: Any) -> dict[str, Any]:
    """Returns the annotations, of text what it means where that is known."""
    try:
        return get_type_hints(function)
    except Exception:
        return dict(getattr(function, "__annotations__", {}))


@contextlib.contextmanager
def _no_collection() -> Iterator[None]:
    """Pauses the search for cycles of garbage. Tracing makes many objects, which bring about
    searches; one through all objects of a process with torch takes as long as tracing."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


class _Function:
    """A function of the user, which is rewritten when it is first traced."""

    def __init__(self, function: Callable[..., Any], optimize: bool | str = False):
        functools.update_wrapper(self, function)
        self.function = function
        self.prefix = ""
        self.optimize = optimize

    @functools.cached_property
    def signature(self) -> inspect.Signature:
        import inspect

        return inspect.signature(self.function)

    @functools.cached_property
    def annotations(self) -> dict[str, Any]:
        return _annotations(self.function)

    @functools.cached_property
    def rewritten(self) -> Callable[..., Any]:
        from .._frontend.rewrite import rewrite

        return rewrite(self.function)

    def set_name_prefix(self, name: str, remove_cutlass_symbol: bool = False) -> None:
        """Lets the compiled function's name begin with this, whatever the second argument."""
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
_MOST_VARIANTS = 16  # kept for one kind of arguments, by what else the function reads


class JitFunction(_Function):
    """A function that runs on the host, compiled for its arguments."""

    def __init__(self, function: Callable[..., Any], optimize: bool | str = False):
        super().__init__(function, optimize)
        self.compiled: dict[Any, list[Any]] = {}
        self.recent: list[Any] = []

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Runs the function; within another one, as a part of that.

        It is compiled for the kinds of its arguments and for what it reads besides them:
        globals, variables of enclosing functions, attributes. With ``no_cache=True`` it
        is compiled again.
        """
        if "no_cache" in kwargs and "no_cache" not in self.signature.parameters:
            if kwargs.pop("no_cache"):
                self.compiled.clear()
                self.recent.clear()
        trace = _ir.trace()
        if trace is not None:
            trace.environment.add(self.function)
            return self.rewritten(*args, **kwargs)
        for prefix, compiled, tests in () if kwargs else self.recent:
            if prefix == self.prefix and len(tests) == len(args):
                if all([is_like(x) for is_like, x in zip(tests, args)]):
                    if compiled.environment.holds():
                        return compiled.run(args)
        parameters, values = _arguments.bind(
            self.signature, args, kwargs, self.annotations
        )
        key = (self.prefix, *(p.what.key for p in parameters))
        variants = self.compiled.setdefault(key, [])
        compiled = next((x for x in variants if x.fits(values)), None)
        if compiled is None:
            compiled = self.compile(parameters)
            variants[:] = [compiled, *variants[: _MOST_VARIANTS - 1]]
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
        optimize = (options is not None and options.optimize) or self.optimize
        try:
            with _no_collection():
                carries = options is not None and options.carries_objects
                traced = trace_function(self, parameters, optimize, carries)
        except Exception as error:
            raise _tracebacks.shown(error)
        return _compiled.Compiled(traced, self, parameters, options)


class Traced:
    """A module with a host function and its kernels.

    :param optimize: whether ``cute-optimize`` is to change all kernels, or its options;
        ``passes`` is the same where it is to change some
    """

    def __init__(self, module: _ir.Module, name: str, environment: Environment,
                 optimize: bool | str = False):
        self.module, self.name, self.environment = module, name, environment
        self.optimize = self.passes = optimize
        self.kernels: list[str] = []
        self.foreign: dict[str, str | None] = {}  # functions of cute.ffi, and their code
        self.objects: list[tuple[str, bytes]] = []  # files of them that nvJitLink links
        self.shared_bytes: dict[Any, int] = {}  # by the function of a kernel
        self.not_launched: list[KernelLaunch] = []
        self.writes = HostWrites()

    def warn_of_kernels(self) -> None:
        """Reports kernels that have their arguments but were not launched."""
        for launch in self.not_launched:
            name, (file, line) = launch.kernel.function.__name__, launch.place
            print(
                f"{file}:{line}: warning: {name}(...) starts nothing: write {name}(...).launch(grid=, block=)",
                file=sys.stderr,
            )


def trace_function(
    function: JitFunction, parameters: Sequence[Any], optimize: bool | str = False,
    carries_objects: bool = False,
) -> Traced:
    """Returns the module of a host function and its kernels.

    :param carries_objects: whether plain objects go through branches and loops
    """
    from .results import Results

    place = _ir.location()
    module = _ir.Module(_ir.context(), place)
    module.operation.set_attribute("gpu.container_module", _ir.parsed("unit"))
    name = identifier(function.prefix or function.function.__name__)
    traced = Traced(module, name, Environment(), optimize)
    traced.environment.add(function.function, _arguments.static_values(parameters))
    types = [t for p in parameters for t in p.what.types]
    trace = _ir.Trace(module, traced.environment)
    trace.traced, trace.breakpoint = traced, _breakpoints.read()
    trace.carries_objects = carries_objects
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
        rest = iter(block.arguments)
        for p in parameters:
            traced.writes.begin(p.name, list(itertools.islice(rest, len(p.what.types))))
        trace.writes = traced.writes
        with trace.at(block):
            args, kwargs = _rebuilt(parameters, iter(block.arguments), function.annotations)
            result = function.rewritten(*args, **kwargs)
            traced.results = Results(result, function.function.__name__)
            values = traced.results.values()
            trace.create("func.return", values, None, [])
    if values:
        signature = _ir.context().function_type(types, [v.type for v in values])
        made.set_attribute("function_type", _ir.context().type_attribute(signature))
    traced.warn_of_kernels()
    traced.environment.settle()
    if trace.breakpoint is not None and traced.kernels:
        trace.breakpoint.warn_if_missed()
    return traced


def _rebuilt(
    parameters: Sequence[Any], values: Any, annotations: dict[str, Any]
) -> tuple[list[Any], dict[str, Any]]:
    args: list[Any] = []
    kwargs: dict[str, Any] = {}
    for p in parameters:
        value = taken(p.what.build(values), annotations.get(p.name))
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
        trace = _ir.require(f"the kernel {self.function.__name__}")
        try:
            bound = self.signature.bind(*args, **kwargs)
        except TypeError as error:
            raise TypeError(f"kernel {self.function.__name__}: {error}") from None
        bound.apply_defaults()
        for name, value in bound.arguments.items():
            _checks.check_tensor(name, value, self.annotations.get(name))
            _checks.check_constexpr(name, value, self.annotations.get(name))
        made = KernelLaunch(self, bound)
        trace.traced.not_launched.append(made)
        return made


# ---- Decorators -------------------------------------------------------------


def jit(function: Any = None, *, optimize: bool | str = False, **options: Any) -> Any:
    """Marks a Python function to be compiled for the host.

    Calls compile it for the types of their arguments, and run it.

    :param optimize: whether passes optimize the kernels that it launches
    (docs/passes.md): plain loops become pipelines, for Hopper with TMA and wgmma; or
    options of ``cute-optimize``, such as ``"group=8"``. ``remarks`` of ``compile``'s
    result tell what passes did, or what prevented it
    """
    if function is None:
        return lambda f: jit(f, optimize=optimize, **options)
    if isinstance(function, (staticmethod, classmethod)):
        return type(function)(jit(function.__func__, optimize=optimize))
    return JitFunction(_callable(function, "jit"), optimize)


def kernel(function: Any = None, *, optimize: bool | str = False, **options: Any) -> Any:
    """Makes a Python function a kernel: ``f(...).launch(grid=, block=)``.

    :param optimize: whether passes optimize it, as with ``jit`` for all kernels
    """
    if function is None:
        return lambda f: kernel(f, optimize=optimize, **options)
    return KernelFunction(_callable(function, "kernel"), optimize)


def _callable(function: Any, decorator: str) -> Any:
    """Returns the function that is decorated, unless its code cannot be traced."""
    if isinstance(function, _Function):
        name = function.function.__name__
        raise TypeError(f"{name} has a decorator of cute already: take @cute.{decorator} away")
    if not isinstance(function, types.FunctionType):
        raise TypeError(f"@cute.{decorator} is for functions, not {function!r}")
    code = function.__code__
    if code.co_flags & _RUN_IN_STEPS:
        kind = "has a yield" if code.co_flags & 0x20 else "is async"
        raise ProgramError(
            f"{function.__name__} {kind}: what @cute.{decorator} compiles runs to its end",
            (code.co_filename, code.co_firstlineno, 0),
        )
    return function


_RUN_IN_STEPS = 0x20 | 0x80 | 0x200  # CO_GENERATOR, CO_COROUTINE, CO_ASYNC_GENERATOR


_numbers = itertools.count()


class Compile:
    """``compile(function, *args, options="", optimize=False)`` compiles without a call."""

    def __init__(self, options: tuple[Any, ...] = ()):
        self._options = options

    def __getitem__(self, options: Any) -> Compile:
        more = options if isinstance(options, tuple) else (options,)
        more = tuple(x() if isinstance(x, type) else x for x in more)
        return Compile(self._options + more)

    def __call__(self, function: Any, *args: Any, options: str = "", **kwargs: Any) -> Any:
        """Returns the function compiled for such arguments, to be called.

        The code is that which a call launches: for the device, or for the architecture
        that is given. With the option ``--lazy`` the first call makes it; with
        ``optimize=True``, or ``--optimize``, passes change the kernels as ``jit`` says.
        """
        function, args = _target(function, args)
        if "optimize" not in function.signature.parameters:
            optimize = kwargs.pop("optimize", False)
            options += f" --optimize='{optimize}'" if optimize else ""
        parameters, _ = _arguments.bind(
            function.signature, args, kwargs, function.annotations
        )
        read = read_options(options, self._options)
        with _no_collection():
            compiled = function.compile(parameters, read)
            if not read.is_lazy:
                compiled.generate()
        return compiled


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
