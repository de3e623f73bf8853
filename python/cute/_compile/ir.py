"""Operations on the compiler's library: contexts, types, insertion points.

A *static* value is its type alone: a ``Type`` handle represents it, and no
operation is made. A dynamic one is a ``Value``. ``apply`` takes both: it infers
first, and writes an operation only where a result is not known from its type.

Each thread has its own context. Types may be used in any thread: types of
another context are read again from their text.
"""

from __future__ import annotations

import contextlib
import functools
import os
import sys
import threading
from typing import Any, Iterator, Mapping, Sequence, Union

from .._frontend import builder as _builder
from .. import _bridge
from .._bridge import Attribute, Block, Context, Location, Module, Operation
from .._bridge import Type, Value
from .diagnostics import CompileError, DSLRuntimeError

Operand = Union[Type, Value]

# Dialects whose ops only compute, except for ops that may divide by zero.
_PURE_PREFIXES = ("arith.", "math.", "vector.")
_NOT_SPECULATABLE = frozenset(
    "arith.divsi arith.divui arith.remsi arith.remui arith.floordivsi "
    "arith.ceildivsi arith.ceildivui".split()
)
# Names operations that make what divides tiles among threads, and how passes know them.
_DIVIDERS = {
    "make_tiled_mma": "make_tiled_mma",
    "make_tiled_copy": "make_tiled_copy",
    "make_tiled_copy_tv": "make_tiled_copy",
    "make_tiled_copy_a": "make_tiled_copy_a",
    "make_tiled_copy_b": "make_tiled_copy_b",
    "make_tiled_copy_c": "make_tiled_copy_c",
}
_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep


class _State(threading.local):
    def __init__(self) -> None:
        self.context: Context | None = None
        self.trace: Trace | None = None
        self.types: dict[str, Type] = {}
        self.texts: dict[Type, str] = {}
        self.descriptions: dict[Type, tuple[str, bool]] = {}
        self.attributes: dict[Any, Attribute] = {}
        self.inferred: dict[Any, tuple[Type, ...]] = {}
        self.dividers: dict[Type, tuple[str, Sequence[Operand]]] = {}
        self.places: dict[int, _Places] = {}


_state = _State()


def context() -> Context:
    """Returns this thread's context."""
    if _state.context is None:
        _state.context = Context()
    return _state.context


# ---- Types ------------------------------------------------------------------


def type(text: str) -> Type:
    """Returns the type of a text, such as ``!cute.layout<"4:1">`` or ``i32``."""
    found = _state.types.get(text)
    if found is None:
        with errors():
            found = _state.types[text] = context().type(text)
    return found


def text_of(handle: Type) -> str:
    """Returns the pretty text of a type."""
    text = _state.texts.get(handle)
    if text is None:
        text = str(handle)
        if handle.context is context():
            _state.texts[handle] = text
    return text


def own(handle: Type) -> Type:
    """Returns a type in this thread's context."""
    return handle if handle.context is context() else type(str(handle))


def _described(handle: Type) -> tuple[str, bool]:
    found = _state.descriptions.get(handle)
    if found is None:
        with errors():
            found = handle.description
        if handle.context is context():
            _state.descriptions[handle] = found
    return found


def kind_of(handle: Type) -> str:
    """Returns ``layout``, ``tensor``, ...; ``foreign`` for types of other dialects."""
    return _described(handle)[0]


def is_static(handle: Type) -> bool:
    """Returns whether a value of the type is known from the type alone."""
    return _described(handle)[1]


def type_of(operand: Operand) -> Type:
    """Returns the type of a value; that of a static one is itself."""
    return operand.type if isinstance(operand, Value) else own(operand)


# ---- Places -----------------------------------------------------------------


@functools.lru_cache(maxsize=None)
def _is_users_file(name: str) -> bool:
    return not name.startswith((_PACKAGE, "<frozen"))


def is_user(frame: Any) -> bool:
    """Returns whether a frame is outside of this package."""
    return _is_users_file(frame.f_code.co_filename)


def user_frame() -> Any:
    """Returns the innermost frame outside of this package, or None."""
    frame: Any = sys._getframe(1)
    while frame is not None and not _is_users_file(frame.f_code.co_filename):
        frame = frame.f_back
    return frame


class _Places:
    """The places of code, by instruction. Tables find it by the code's ``id``: code hashes
    and compares all that it holds."""

    def __init__(self, code: Any):
        self.code = code
        self.locations: dict[int, Location] = {}
        positions = code.co_positions() if hasattr(code, "co_positions") else ()
        self.columns = [(position[2] or 0) + 1 for position in positions]

    def locate(self, line: int, instruction: int) -> Location:
        column = self.columns[instruction // 2] if self.columns else 1
        found = context().location(self.code.co_filename, line, column)
        self.locations[instruction] = found
        return found


def location() -> Location:
    """Returns the place in the user's program that runs now."""
    frame = user_frame()
    if frame is None:
        return context().location("<python>", 1, 1)
    code, instruction = frame.f_code, frame.f_lasti
    places = _state.places.get(id(code))
    if places is None:
        places = _state.places[id(code)] = _Places(code)
    found = places.locations.get(instruction)
    return places.locate(frame.f_lineno or 1, instruction) if found is None else found


class _Errors:
    __slots__ = ()

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        if error is not None and isinstance(error, _bridge.Error):
            raise CompileError(error.args[0]) from None


_errors = _Errors()


def errors() -> _Errors:
    """Raises the compiler's diagnostics as CompileError."""
    return _errors


# ---- Attributes -------------------------------------------------------------


def attribute(value: Any) -> Attribute:
    """Returns an attribute: of an int i32, of a list array<i32>, of True unit.

    A str is a string, a Type that type. An Attribute stays as it is.
    """
    if isinstance(value, Attribute):
        return value
    key = (value.__class__, tuple(value) if isinstance(value, list) else value)
    found = _state.attributes.get(key)
    if found is None:
        found = _state.attributes[key] = _make_attribute(value)
    return found


def _make_attribute(value: Any) -> Attribute:
    if value is True:
        return context().attribute("unit")
    if isinstance(value, int):
        return context().integer(type("i32"), value)
    if isinstance(value, str):
        return context().string(value)
    if isinstance(value, Type):
        return context().type_attribute(own(value))
    if isinstance(value, (list, tuple)):
        if not value:
            return context().attribute("array<i32>")
        return context().attribute(f"array<i32: {', '.join(map(str, value))}>")
    raise TypeError(f"{value!r} is not an attribute")


def parsed(text: str) -> Attribute:
    """Returns the attribute that MLIR reads from a text."""
    key = (None, text)
    found = _state.attributes.get(key)
    if found is None:
        with errors():
            found = _state.attributes[key] = context().attribute(text)
    return found


# ---- Traces -----------------------------------------------------------------


class Region:
    """A region of one block that belongs to no operation yet."""

    def __init__(self, trace: Trace, types: Sequence[str]):
        place = location()
        self.holder = trace.module.scratch.create(
            "scf.execute_region", (), None, (), place, 1
        )
        self.block: Block = self.holder.add_block(0, [type(t) for t in types], place)
        self.arguments: Sequence[Value] = self.block.arguments


class Trace:
    """A module under construction, with the block that operations go to.

    It is the builder of ``builder`` that numeric types and control flow use.
    """

    def __init__(self, module: Module, environment: Any = None):
        self.module, self.environment = module, environment
        self.block: Block = module.body
        self.kernel: Any = None  # the kernel that is traced, if one is
        self.writes: Any = None  # HostWrites of the host function
        self.divisors: dict[Value, int] = {}  # known ones of integers
        self.positive: set[Value] = set()  # integers that are 1 or more
        self.factors: dict[Value, int] = {}  # powers of two that divide them
        self.breakpoint: Any = None
        self.carries_objects = False  # of all classes through branches and loops
        self.is_for_passes = False  # which change how tiles are divided among threads
        self.made: dict[Any, Value] = {}  # dividers, by the kernel's block and their types
        # Tensors whose parts are followed, and of each part the operation that makes it.
        self.origins: dict[Value, Any] = {}

    @property
    def is_in_branch(self) -> bool:
        """Returns whether operations go to a branch or a loop of a kernel, which may never run."""
        return self.kernel is not None and self.block != self.kernel.entry

    @contextlib.contextmanager
    def at(self, block: Block) -> Iterator[Block]:
        """Lets operations go to the end of another block."""
        before, self.block = self.block, block
        try:
            yield block
        finally:
            self.block = before

    def create(
        self,
        name: str,
        operands: Sequence[Value] = (),
        attributes: Mapping[str, Attribute] | None = None,
        results: Sequence[Type] | None = None,
        regions: int = 0,
    ) -> Operation:
        """Appends an operation; without ``results`` they are inferred."""
        if self.breakpoint is not None and self.kernel is not None:
            self.breakpoint.visit(self)
        with errors():
            made = self.block.create(
                name, operands, attributes, results, location(), regions
            )
        if self.kernel is None and self.writes is not None:
            self.writes.follow(name, operands, made.results)
        return made

    # For _builder.Builder.

    def op(
        self,
        name: str,
        operands: Sequence[Value] = (),
        results: Sequence[str] = (),
        attributes: Mapping[str, str] | None = None,
        regions: Sequence[Region] = (),
    ) -> list[Value]:
        """Appends an operation with types and attributes given by their text."""
        made = self.create(
            name,
            operands,
            {k: parsed(v) for k, v in (attributes or {}).items()},
            [type(text) for text in results],
            len(regions),
        )
        for i, region in enumerate(regions):
            made.take_region(i, region.holder, 0)
            region.holder.erase()
        return list(made.results)

    def constant(self, text: str, value: int | float) -> Value:
        """Appends arith.constant of a scalar, or of a vector with equal elements."""
        scalar = text[:-1].rpartition("x")[2] if text.startswith("vector<") else text
        if scalar.startswith("i"):
            number = _integer(int(value), scalar)
        else:
            number = context().float(type(scalar), float(value))
        if scalar != text:
            number = parsed(f"dense<{str(number).split(' : ')[0]}> : {text}")
        made = self.create("arith.constant", (), {"value": number}, [type(text)])
        return made.results[0]

    def type_of(self, value: Value) -> str:
        """Returns the text of a value's type."""
        return text_of(value.type)

    def region(self, types: Sequence[str] = ()) -> Region:
        """Returns a new region whose block has arguments of these types."""
        return Region(self, types)

    def inside(self, region: Region) -> contextlib.AbstractContextManager[Any]:
        """Lets operations go to the end of a region."""
        return self.at(region.block)

    def is_speculatable(self, region: Region) -> bool:
        """Returns whether the region's operations may run unasked."""
        return all(_is_speculatable(op.name) for op in region.block.operations)

    def inline(self, region: Region) -> None:
        """Moves the region's operations to the insertion point."""
        self.block.take_operations(region.block)
        region.holder.erase()


def _integer(value: int, text: str) -> Attribute:
    if not -(1 << 63) <= value < 1 << 64:
        return parsed(f"{value} : {text}")
    return context().integer(type(text), _signed(value, text))


def _signed(value: int, text: str) -> int:
    """Returns the number of these bits that fits into a signed 64-bit integer."""
    if text == "i64" and value >= 1 << 63:
        return value - (1 << 64)
    return value


@functools.lru_cache(maxsize=None)
def _is_speculatable(name: str) -> bool:
    if name.startswith("cute."):
        return context().only_computes(name)
    return name.startswith(_PURE_PREFIXES) and name not in _NOT_SPECULATABLE


def trace() -> Trace | None:
    """Returns this thread's trace, or None."""
    return _state.trace


def require(what: str) -> Trace:
    """Returns this thread's trace, which ``what`` needs."""
    if _state.trace is None:
        raise DSLRuntimeError(
            f"{what} has values that are known at run time only: call it in a "
            "function under @cute.jit or @cute.kernel"
        )
    return _state.trace


@contextlib.contextmanager
def tracing(trace: Trace) -> Iterator[Trace]:
    """Makes this the trace of the thread."""
    before, _state.trace = _state.trace, trace
    try:
        with _builder.use(trace):
            yield trace
    finally:
        _state.trace = before


# ---- Operations of the dialect ----------------------------------------------

# Operations whose result is part of an operand, or has its modes in another order: which operand.
PARTS = dict.fromkeys(("append_to_rank coalesce composition domain_offset flat_divide group_modes "
                       "local_partition local_tile logical_divide select slice tiled_divide "
                       "zipped_divide").split(), 0)
PARTS.update(partition_a=1, partition_b=1, partition_c=1)


def infer(
    name: str, types: Sequence[Type], attributes: Mapping[str, Any]
) -> tuple[Type, ...]:
    """Returns the result types of ``cute.name`` without making it."""
    key = (name, tuple(types), _key(attributes)) if attributes else (name, tuple(types))
    found = _state.inferred.get(key)
    if found is None:
        with errors():
            found = context().infer(
                name, types, {k: attribute(v) for k, v in attributes.items()}, location()
            )
        _state.inferred[key] = found
        for diagnostic in context().take_diagnostics():
            _warn(diagnostic)
    return found


def _warn(diagnostic: tuple[Any, ...]) -> None:
    """Warns of the compiler's remarks on a result, at the user's line."""
    import warnings

    _, message, file, line, _, _ = diagnostic
    warnings.warn_explicit(message, RuntimeWarning, file or "<python>", line or 1)


def _key(attributes: Mapping[str, Any]) -> tuple[Any, ...]:
    return tuple(
        (k, tuple(v) if isinstance(v, list) else v) for k, v in attributes.items()
    )


def materialize(operand: Operand) -> Value:
    """Returns an SSA value: of a static one that of cute.static."""
    if isinstance(operand, Value):
        return operand
    trace = require("cute.static")
    if trace.is_for_passes and operand in _state.dividers:
        return _divider(trace, operand)
    return trace.create("cute.static", (), None, [own(operand)]).results[0]


def _divider(trace: Trace, operand: Type) -> Value:
    """Returns a tiled copy or MMA as the operation that makes it, so that passes can
    change it: one for all of the kernel if it is first used outside of loops."""
    is_outside = trace.kernel is not None and trace.block == trace.kernel.entry
    found = trace.made.get((trace.kernel, operand))
    if found is not None:
        return found
    name, operands = _state.dividers[operand]
    made = trace.create(f"cute.{name}", [materialize(o) for o in operands]).results[0]
    if is_outside:
        trace.made[trace.kernel, operand] = made
    return made


def apply(
    name: str,
    *operands: Operand,
    results: Sequence[Type] | None = None,
    **attributes: Any,
) -> Any:
    """Applies ``cute.name``: its result, or a tuple where there is not one.

    Attributes that are None are left out. Where all results are known from
    their types, they are static and no operation is made.
    """
    attributes = {k: v for k, v in attributes.items() if v is not None}
    if results is None:
        types = infer(name, [type_of(o) for o in operands], attributes)
        if types and all(is_static(t) for t in types):
            if name in _DIVIDERS:
                _state.dividers[types[0]] = _DIVIDERS[name], operands
            return types[0] if len(types) == 1 else types
    trace = require(f"cute.{name}")
    made = trace.create(
        f"cute.{name}",
        [materialize(o) for o in operands],
        {k: attribute(v) for k, v in attributes.items()},
        results,
    )
    values = made.results
    if len(values) == 1:
        if name in PARTS and operands[PARTS[name]] in trace.origins:
            trace.origins[values[0]] = name, operands, attributes
        return values[0]
    return tuple(t if is_static(t) else v for v, t in zip(values, (v.type for v in values)))
