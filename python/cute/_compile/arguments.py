"""Arguments of compiled functions: the parts that are compiled in, and those passed.

An argument is a tree. Its leaves are *static*, part of what is compiled, or
numbers and addresses, which are passed: each in its own memory, whose address
a call gets. ``describe`` says for an argument which it has, ``key`` of what it
describes tells compiled functions apart.
"""

from __future__ import annotations

import operator
import struct
from typing import TYPE_CHECKING, Any, Iterator, NamedTuple, get_args

from . import argument_checks as _checks, ir as _ir
from .c_struct import offsets_of
from .._device.stream_handles import handle_of, is_stream
from .._frontend.environment import freeze
from .._values.formats import encode_float
from .._values.numeric import Boolean, Float32, Int32, Int64, Numeric, NumericMeta
from .._values.operands import wrap
from .._values.pointer import Pointer
from .._frontend.records import field_names, is_record
from .adapters import JitArgAdapterRegistry as JitArgAdapterRegistry, adapter_of

if TYPE_CHECKING:
    import inspect

# The form of a number in memory, by its type in the program: codes of `struct` and `array`.
_CODES = {"i1": "B", "i8": "B", "i32": "I", "i64": "Q", "f32": "f", "f64": "d"}
_MASKS = {"B": 0xFF, "H": 0xFFFF, "I": 0xFFFFFFFF, "Q": 0xFFFFFFFFFFFFFFFF}


class Constexpr:
    """Annotates a parameter that is compiled in."""

    def __class_getitem__(cls, item: Any) -> Any:
        return _ConstexprOf(item)


class _ConstexprOf:
    def __init__(self, item: Any):
        self.item = item

    def __or__(self, other: Any) -> _ConstexprOf:
        """``Constexpr[T] | None`` is compiled in as well."""
        return self

    __ror__ = __or__


def is_constexpr(annotation: Any) -> bool:
    """Returns whether an annotation is Constexpr or Constexpr[T], or one of these or None."""
    if isinstance(annotation, str):
        return "Constexpr" in annotation
    if Constexpr in getattr(annotation, "__args__", ()):
        return True
    return annotation is Constexpr or isinstance(annotation, _ConstexprOf)


class Static:
    """A value that is compiled in."""

    def __init__(self, value: Any):
        self.value = value
        self.types: list[_ir.Type] = []
        self.key = ("static", freeze(value))

    def is_like(self, value: Any) -> bool:
        """Returns True if another argument certainly has the same key; False if it must be
        examined."""
        return value is self.value and type(value).__hash__ in _HASHES

    def pack(self, value: Any, addresses: list[int | bytes], kept: list[Any]) -> None:
        """Adds the addresses of a value's passed parts, or the bytes themselves.

        ``kept`` gets what has to live until the call, and what lies in memory.

        :raises TypeError: where something else is compiled in
        """
        if value is not self.value and value is not None and freeze(value) != self.key[1]:
            raise TypeError(f"{self.value!r} is compiled in, and not {value!r}: compile it again")

    def build(self, values: Iterator[_ir.Value]) -> Any:
        """Returns the value within the program."""
        return self.value


class Scalar:
    """A number that is passed, of a type of Python's or of ours."""

    def __init__(self, dtype: NumericMeta, given: type | None = None):
        self.dtype, self.given = dtype, given or dtype
        self.types = [_ir.type(dtype.ir_name)]
        self.low, self.high = dtype.min, dtype.max
        self.code = _CODES.get(dtype.ir_name, "H")
        self._pack = struct.Struct(self.code).pack
        self.key = ("scalar", dtype)

    def is_like(self, value: Any) -> bool:
        return type(value) is self.given

    def number(self, value: Any) -> Any:
        """Returns a value's contents in memory.

        :raises OverflowError: for an integer that the type does not hold
        """
        if isinstance(value, Numeric):
            value = value.value
        if not self.dtype.is_float:
            return self._integer(value) & _MASKS[self.code]
        if self.code != "H":
            return float(value)
        return encode_float(value, self.dtype.format, self.dtype.width)

    def _integer(self, value: Any) -> int:
        if self.dtype is Boolean:
            return bool(value)
        if not hasattr(value, "__index__"):
            raise TypeError(f"{value!r} is not an integer, but {self.dtype} is expected")
        value = operator.index(value)
        if not self.low <= value <= self.high:
            wider = "; annotate the parameter cute.Int64" if self.dtype is Int32 else ""
            raise OverflowError(
                f"{value} is not in the range of {self.dtype}, {self.low} to {self.high}{wider}"
            )
        return value

    def pack(self, value: Any, addresses: list[int | bytes], kept: list[Any]) -> None:
        addresses.append(self._pack(self.number(value)))

    def build(self, values: Iterator[_ir.Value]) -> Any:
        return self.dtype(next(values))


class Passed:
    """An object that defines its own passed parts.

    It has ``__get_mlir_types__``, ``__c_pointers__`` and
    ``__new_from_mlir_values__``.
    """

    def __init__(self, value: Any):
        self.value = value
        self.types = [
            t if isinstance(t, _ir.Type) else _ir.type(str(t))
            for t in value.__get_mlir_types__()
        ]
        self.offsets = [offsets_of(_ir.text_of(t)) for t in self.types]
        signature = getattr(value, "__cute_signature__", None)
        # A program's own subclass of our pointers describes itself, and has nothing of ours.
        is_ours = not isinstance(value, Pointer) or hasattr(value, "ir")
        rest = signature() if signature and is_ours else None
        self.key = ("object", type(value), tuple(map(_ir.text_of, self.types)), rest)
        self.compared = is_ours and getattr(value, "__cute_signature_is_all__", False)
        self.seen: list[Any] = []  # forms of arrays of torch that were passed, the last first
        self.compiled_in: dict[str, Any] = {}  # attributes of an object without a signature

    def is_like(self, value: Any) -> bool:
        return (
            self.compared
            and type(value) is self.key[1]
            and value.__cute_signature__() == self.key[3]
        )

    def fits(self, value: Any) -> bool:
        """Returns whether what is compiled in of the object is the same in another."""
        found = getattr(value, "__dict__", self.compiled_in)
        return all(freeze(found.get(n)) == x for n, x in self.compiled_in.items())

    def pack(self, value: Any, addresses: list[int | bytes], kept: list[Any]) -> None:
        for seen in self.seen:
            known = seen.passed(value)
            if known:
                addresses += known
                kept.append(value)
                return
        if not self.fits(value):
            names = ", ".join(self.compiled_in)
            raise TypeError(
                f"{type(self.value).__name__} was compiled with its {names}; another one has "
                "other values of these: compile it, too"
            )
        if value is not self.value and hasattr(self.value, "__cute_adapt__"):
            given, value = value, self.value.__cute_adapt__(value)
            self.seen = [*_seen(given, value), *self.seen[: _MOST_SEEN - 1]]
        if isinstance(value, int) and hasattr(self.value, "at"):
            value = self.value.at(value)  # as torch's data_ptr() says it
        if not hasattr(value, "__c_pointers__"):
            self._pack_like(value, addresses, kept)
            return
        pointers = value.__c_pointers__()
        if len(pointers) != len(self.offsets):
            raise TypeError(
                f"{type(self.value).__name__} was compiled with {len(self.offsets)} values that "
                f"are passed, not with {len(pointers)}"
            )
        for pointer, offsets in zip(pointers, self.offsets):
            if not isinstance(pointer, int):
                pointer = _address_of(pointer)
            for offset in offsets:
                addresses.append(pointer + offset)
        kept += (value, *pointers)

    def _pack_like(self, value: Any, addresses: list[int | bytes], kept: list[Any]) -> None:
        """Packs an object of another kind that passes the same."""
        other = describe(value)
        if other.types != self.types:
            raise TypeError(
                f"{type(self.value).__name__} was compiled for, "
                f"{type(value).__name__} does not pass the same"
            )
        other.pack(value, addresses, kept)

    def build(self, values: Iterator[_ir.Value]) -> Any:
        made = self.value.__new_from_mlir_values__([next(values) for _ in self.types])
        made = wrap(made) if isinstance(made, _ir.Value) else made
        if self.key[3] is None:
            given = getattr(self.value, "__dict__", {})
            for name, part in getattr(made, "__dict__", {}).items():
                if isinstance(part, _PLAIN) and freeze(given.get(name)) == freeze(part):
                    self.compiled_in[name] = freeze(part)
        return made


_MOST_SEEN = 4


def _seen(given: Any, tensor: Any) -> list[Any]:
    """Returns a key that distinguishes arrays like one, which is passed as a tensor,
    from others.

    Nothing of what is not an array of torch, and on the simulator, which asks where arrays lie.
    """
    from .. import runtime
    from .._device import devices, foreign_arrays

    is_array = isinstance(tensor, runtime.Tensor) and foreign_arrays.is_plain_torch(given)
    if not is_array or devices.ordinal() == devices.SIMULATED:
        return []
    rest = [struct.pack("q", value) for value, _ in tensor._dynamic()]
    return [foreign_arrays.SeenArray(given, tensor._align, rest)]


_PLAIN = (bool, int, float, str, bytes, tuple, type)


def fits(what: Any, value: Any) -> bool:
    """Returns whether what is compiled in of objects is the same in an argument of one key."""
    if isinstance(what, Passed):
        return what.fits(value)
    if isinstance(what, Tree):
        return all(fits(child, part) for child, part in zip(what.children, _parts(value)))
    return True


def _address_of(pointer: Any) -> int:
    """Returns the address that a pointer of ctypes holds."""
    import ctypes

    return ctypes.cast(pointer, ctypes.c_void_p).value or 0


class Converted:
    """An array of another package as a tensor of ours, or an object by its adapter."""

    def __init__(self, value: Any, convert: Any):
        self.inner = Passed(convert(value))
        self.types, self.key = self.inner.types, self.inner.key
        self.convert = None if convert is _as_tensor else convert  # tensors adapt themselves

    def pack(self, value: Any, addresses: list[int | bytes], kept: list[Any]) -> None:
        if self.convert and adapter_of(type(value)) is not None:
            value = self.convert(value)
        self.inner.pack(value, addresses, kept)

    def build(self, values: Iterator[_ir.Value]) -> Any:
        return self.inner.build(values)


class ConvertedTensor(Converted):
    """An array of another package as a tensor of ours."""

    def __init__(self, value: Any):
        super().__init__(value, _as_tensor)
        self.kind, self.pattern = type(value), _pattern(value)

    def is_like(self, value: Any) -> bool:
        """Returns whether what is compiled in of an array is surely the same."""
        for seen in self.inner.seen:
            if seen.is_like(value):
                return True
        return (
            type(value) is self.kind
            and self.pattern is not None
            and _pattern(value) == self.pattern
        )


def _pattern(array: Any) -> Any:
    """Returns what decides on the tensor of an array: its type, place, and which strides
    are 0 and 1; None where extents decide, too."""
    from .._device.foreign_arrays import read_array

    read = read_array(array)
    if read.stride.count(1) > 1:
        return None
    return read.dtype, read.is_host, [s if s in (0, 1) else 2 for s in read.stride]


# Functions that make arguments of objects whose type does not say what is passed.
def _as_tensor(value: Any) -> Any:
    from .. import runtime

    return runtime.from_dlpack(value).mark_layout_dynamic()


class Tree:
    """A tuple, list, dict or dataclass of arguments."""

    def __init__(self, value: Any, children: list[Any]):
        self.value = value
        self.children = children
        self.types = [t for child in children for t in child.types]
        names = tuple(value) if isinstance(value, dict) else len(children)
        self.key = ("tree", type(value), names, tuple(c.key for c in children))

    def pack(self, value: Any, addresses: list[int | bytes], kept: list[Any]) -> None:
        parts = _parts(value)
        if len(parts) != len(self.children):
            raise TypeError(f"compiled for {len(self.children)} parts, called with {value!r}")
        for child, part in zip(self.children, parts):
            child.pack(part, addresses, kept)

    def build(self, values: Iterator[_ir.Value]) -> Any:
        made = [child.build(values) for child in self.children]
        if isinstance(self.value, dict):
            return dict(zip(self.value, made))
        if is_record(self.value):
            copy = object.__new__(type(self.value))
            for name, part in zip(field_names(self.value), made):
                object.__setattr__(copy, name, part)
            return copy
        if hasattr(self.value, "_make"):
            return self.value._make(made)
        return type(self.value)(made)


def _parts(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return list(value.values())
    if is_record(value):
        return [getattr(value, name) for name in field_names(value)]
    return list(value)


def _part_annotations(value: Any, annotation: Any) -> list[Any]:
    """Returns the annotations of the parts, None where there are none."""
    if is_record(value) or hasattr(value, "_fields"):
        hints = getattr(type(value), "__annotations__", {})
        names = getattr(value, "_fields", None)
        return [hints.get(name) for name in names or field_names(value)]
    inner = get_args(annotation)
    count = len(value)
    if isinstance(value, list) and len(inner) == 1:
        return [inner[0]] * count
    if len(inner) == 2 and inner[1] is Ellipsis:
        return [inner[0]] * count
    return list(inner) if len(inner) == count else [None] * count


# Functions of objects whose keys do not change while they are the same.
_HASHES = tuple(t.__hash__ for t in (object, str, int, float, type(None)))
_KINDS = {bool: Boolean, int: Int32, float: Float32}
_STATIC = (str, bytes, type(None), type, Static)


def describe(value: Any, annotation: Any = None, is_part: bool = False) -> Any:
    """Returns the compiled-in and the passed parts of an argument.

    Numbers are passed, but those in tuples only where their annotation says so.
    """
    if isinstance(annotation, NumericMeta) and isinstance(value, (str, bytes)):
        raise TypeError(f"{value!r} is not a number, but {annotation} is expected")
    if is_constexpr(annotation) or isinstance(value, _STATIC):
        return Static(value)
    if isinstance(annotation, NumericMeta) and isinstance(value, (bool, int, float, Numeric)):
        return Scalar(annotation, type(value))
    if isinstance(value, Numeric):
        return Scalar(type(value))
    from .. import runtime

    if isinstance(value, runtime.SymInt):
        return Scalar(Int64 if value.width == 64 else Int32, int)
    if is_stream(value):
        return _StreamOf(runtime)
    if isinstance(value, (bool, int, float)):
        if is_part and annotation not in (int, float, bool):
            return Static(value)
        kind = next(k for k in _KINDS if isinstance(value, k))
        kind = annotation if annotation in (bool, int, float) else kind
        return Scalar(_KINDS[kind], type(value))
    adapter = adapter_of(type(value))
    if adapter is not None:
        return Converted(value, adapter)
    # A named tuple's fields say all, also of numbers that are Python's in the next call.
    is_named = isinstance(value, tuple) and hasattr(value, "_fields")
    if hasattr(value, "__get_mlir_types__") and hasattr(value, "__c_pointers__") and not is_named:
        return Passed(value)
    if isinstance(value, (tuple, list, dict)) or is_record(value):
        annotations = _part_annotations(value, annotation)
        return Tree(
            value, [describe(x, a, True) for x, a in zip(_parts(value), annotations)]
        )
    if hasattr(value, "__dlpack__"):
        return ConvertedTensor(value)
    return Static(value)


class _StreamOf:
    """A stream of another package: its handle."""

    def __init__(self, runtime: Any):
        self.runtime = runtime
        self.types = [_ir.type("i64")]
        self.key = ("stream",)

    def is_like(self, value: Any) -> bool:
        return is_stream(value)

    def pack(self, value: Any, addresses: list[int | bytes], kept: list[Any]) -> None:
        addresses.append(struct.pack("Q", handle_of(value)))

    def build(self, values: Iterator[_ir.Value]) -> Any:
        return self.runtime.Stream(next(values))


def static_values(parameters: Any) -> Iterator[Any]:
    """Gives the values that are compiled in, those in tuples and records, too."""
    for parameter in parameters:
        what = getattr(parameter, "what", parameter)
        if isinstance(what, Static):
            yield what.value
        elif isinstance(what, Tree):
            yield from static_values(what.children)


class Parameter(NamedTuple):
    """A parameter of a function, its kind's name, and what is known of its argument."""

    name: str
    kind: str
    what: Any


def bind(
    signature: inspect.Signature, args: tuple[Any, ...], kwargs: dict[str, Any],
    annotations: dict[str, Any],
) -> tuple[list[Parameter], list[Any]]:
    """Returns the parameters of a call with their arguments, defaults included."""
    try:
        bound = signature.bind(*args, **kwargs)
    except TypeError as error:
        raise TypeError(f"{error}; the parameters are {', '.join(signature.parameters)}") from None
    bound.apply_defaults()
    parameters, values = [], []
    for name, value in bound.arguments.items():
        kind = signature.parameters[name].kind.name
        annotation = annotations.get(name)
        if kind == "VAR_POSITIONAL":
            what: Any = Tree(value, [describe(x, annotation) for x in value])
        elif kind == "VAR_KEYWORD":
            what = Tree(value, [describe(x, annotation) for x in value.values()])
        else:
            _checks.check_tensor(name, value, annotation)
            what = describe(value, annotation)
        parameters.append(Parameter(name, kind, what))
        values.append(value)
    return parameters, values
