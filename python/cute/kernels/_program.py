"""Modules of kernels alone: no host function launches them, a manifest says how."""

from __future__ import annotations

import contextlib
import functools
from typing import Any, Callable, Iterator, Mapping, Sequence

from .._compile import ir as _ir, jit as _jit, launch as _launch
from .._frontend import tree as _tree
from .._frontend.environment import Environment
from .._values.numeric import NumericMeta
from .._values.tensor import Tensor

LLVM_IR, PTX = 2, 3


class Program:
    """A module to which kernels are added, functions under @cute.kernel.

    :param name: of the kernels; their module is ``name_module``
    :param is_plain: whether the kernels are plain, for ``cute-optimize`` to make fast
    """

    def __init__(self, name: str, is_plain: bool = False):
        self.is_plain, self.remarks = is_plain, list[str]()
        place = _ir.location()
        self.module = _ir.Module(_ir.context(), place)
        environment = Environment()
        self._trace = _ir.Trace(self.module, environment)
        self._trace.traced = _jit.Traced(self.module, name, environment)
        self._trace.program = self
        self._trace.is_for_passes = is_plain
        self._functions: list[_Function] = []
        with self._tracing(self.module.body) as trace:
            made = trace.create(
                "gpu.module", (), {"sym_name": _ir.attribute(f"{name}_module")}, [], 1
            )
            self._block = made.add_block(0, [], place)

    @contextlib.contextmanager
    def _tracing(self, block: Any) -> Iterator[Any]:
        with _ir.tracing(self._trace) as trace, trace.at(block):
            yield trace

    def add(
        self,
        name: str,
        kernel: _jit.KernelFunction,
        *arguments: Any,
        threads: int,
        grid: Sequence[str],
        schedule: Mapping[str, int] | None = None,
        cluster: int = 1,
        resident: int = 0,
        overlaps: bool = False,
        **static: Any,
    ) -> None:
        """Traces a kernel for blocks of so many threads.

        :param arguments: of each its type, that of a tensor as the dialect writes it,
            that of a number as ``Int32`` or ``Float32``
        :param grid: expressions of the manifest, as ``ceil_div(arg0.shape[0], 128)``
        :param cluster: blocks that reach each other's shared memory, along x
        :param resident: blocks of a multiprocessor for which registers are to suffice
        :param overlaps: whether blocks may begin before the kernel ahead has ended
        :param schedule: choices for the passes of a program that has them
        :param static: values of further parameters, which are compiled in
        """
        types = [_ir.type(a if isinstance(a, str) else a.ir_name) for a in arguments]
        block = [threads, 1, 1]
        with self._tracing(self._block) as trace:
            made = _launch.kernel_op(trace, name, types, block, [cluster, 1, 1] if cluster > 1 else None)
            quoted = ", ".join(f'"{size}"' for size in grid)
            made.set_attribute("cute.grid", _ir.parsed(f"[{quoted}]"))
            if overlaps:
                made.set_attribute("cute.pdl", _ir.parsed("unit"))
            if resident:
                made.set_attribute("nvvm.minctasm", _ir.parsed(f"{resident} : i32"))
            if schedule:
                choices = ", ".join(f"{name} = {value}" for name, value in schedule.items())
                made.set_attribute("cute.schedule", _ir.parsed(f"{{{choices}}}"))
            entry = made.add_block(0, types, _ir.location())
            trace.kernel = _launch.KernelState(made, entry, block)
            try:
                with trace.at(entry):
                    values = map(_value, arguments, entry.arguments)
                    kernel.rewritten(*values, **static)
                    trace.create("gpu.return", (), None, [])
            finally:
                trace.kernel = None

    def function(self, body: Callable[..., Any], args: Sequence[Any]) -> _Function:
        """Returns the function of the module that a body is for such arguments."""
        asked = _Function(body, args)
        for found in self._functions:
            if found.is_for(asked):
                return found
        self._functions.append(asked)
        names = [f.name for f in self._functions]
        asked.name = next(n for n in _numbered(body.__name__) if n not in names)
        asked.define(self._trace, self._block)
        return asked

    def __str__(self) -> str:
        """The module as text, which cutec compiles."""
        return str(self.module)

    def optimize(self, arch: str) -> None:
        """Runs ``cute-optimize`` on plain kernels; others stay as they are. What it says
        is in ``remarks``."""
        if self.is_plain:
            with _ir.errors():
                self.module.run_pipeline(f"cute-optimize{{arch={arch}}}")
            self.remarks = [text for _, text, *_ in _ir.context().take_diagnostics()]

    def manifest(self, arch: str) -> str:
        """Returns how to launch the kernels, in JSON."""
        with _ir.errors():
            return self.module.manifest(arch, "kernels.ptx")

    def compile(self, arch: str, emit: int = PTX) -> bytes:
        """Returns PTX, or LLVM IR for the simulator, with a 0 at the end."""
        with _ir.errors():
            return self.module.compile(arch, emit, 2, None) + b"\0"


def _value(argument: Any, value: Any) -> Any:
    return argument(value) if isinstance(argument, NumericMeta) else Tensor(value)


# ---- Functions of a module --------------------------------------------------


def function(body: Callable[..., Any]) -> Callable[..., Any]:
    """Adds a function to the module: it is traced once for all arguments of the same
    types, and called. LLVM, which inlines it, sees a part of a kernel by itself first.
    """
    traced = _jit.jit(body)

    @functools.wraps(body)
    def call(*args: Any) -> Any:
        trace = _ir.require(body.__name__)
        return trace.program.function(traced, args).call(trace, args)

    return call


def _numbered(name: str) -> Iterator[str]:
    yield name
    number = 1
    while True:
        yield f"{name}_{number}"
        number += 1


class _Function:
    """A function for arguments of some types, and with the static values among them."""

    def __init__(self, body: Callable[..., Any], args: Sequence[Any]):
        self.name = ""
        self.body = body
        self.leaves, self.spec = _tree.flatten(list(args))
        values = [_launch.value_of(leaf) for leaf in self.leaves]
        self.types = [v.type for v in values if v is not None]
        self.static = [x for x, v in zip(self.leaves, values) if v is None]

    def is_for(self, other: _Function) -> bool:
        """Returns whether another one would be the same."""
        return (
            self.body is other.body
            and self.types == other.types
            and self.static == other.static
            and self.spec.matches(other.spec)
        )

    def define(self, trace: Any, block: Any) -> None:
        """Writes the function to a block."""
        place = _ir.location()
        with trace.at(block):
            made = trace.create("func.func", (), self._attributes([]), [], 1)
            with trace.at(made.add_block(0, self.types, place)) as entry:
                inner = _tree.unflatten(
                    self.spec, _replaced(self.leaves, entry.arguments), lambda _: False
                )
                result = self.body(*inner)
                self.results, self.result_spec = _tree.flatten(result)
                values = [_launch.value_of(leaf) for leaf in self.results]
                values = [v for v in values if v is not None]
                trace.create("func.return", values, None, [])
        self.result_types = [v.type for v in values]
        made.set_attribute(
            "function_type", self._attributes(self.result_types)["function_type"]
        )

    def _attributes(self, results: Sequence[Any]) -> dict[str, Any]:
        context = _ir.context()
        signature = context.function_type(self.types, results)
        return {
            "sym_name": _ir.attribute(self.name),
            "function_type": context.type_attribute(signature),
        }

    def call(self, trace: Any, args: Sequence[Any]) -> Any:
        """Writes a call; returns the result."""
        values = [_launch.value_of(leaf) for leaf in _tree.flatten(list(args))[0]]
        operands = [v for v in values if v is not None]
        callee = {"callee": _ir.parsed(f"@{self.name}")}
        made = trace.create("func.call", operands, callee, self.result_types)
        results = _replaced(self.results, made.results)
        return _tree.unflatten(self.result_spec, results, lambda _: False)


def _replaced(leaves: Sequence[Any], values: Sequence[Any]) -> Iterator[Any]:
    """Returns leaves with other values in place of dynamic ones."""
    rest = iter(values)
    for leaf in leaves:
        if isinstance(leaf, _tree.SsaLeaf):
            yield _tree.SsaLeaf(next(rest))
        elif _launch.value_of(leaf) is not None:
            yield type(leaf)(next(rest))
        else:
            yield leaf
