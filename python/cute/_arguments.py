"""Arguments of compiled functions: what of them is compiled in, and what is passed.

An argument is a tree. Its leaves are *static*, part of what is compiled, or
numbers and addresses, which are passed: each in memory of its own, whose address
a call gets. ``describe`` says for an argument which it has, ``key`` of what it
describes tells compiled functions apart.
"""

from __future__ import annotations

import ctypes
import dataclasses
import inspect
import typing
from typing import Any, Iterator

from . import _ir
from ._c_struct import offsets_of
from ._numeric import Boolean, Float32, Int32, Numeric, NumericMeta

_C_TYPES = {
    "i1": ctypes.c_bool,
    "i8": ctypes.c_int8,
    "i16": ctypes.c_int16,
    "i32": ctypes.c_int32,
    "i64": ctypes.c_int64,
    "f32": ctypes.c_float,
    "f64": ctypes.c_double,
}


class Constexpr:
    """Annotates a parameter that is part of what is compiled."""

    def __class_getitem__(cls, item: Any) -> Any:
        return _ConstexprOf(item)


class _ConstexprOf:
    def __init__(self, item: Any):
        self.item = item


def is_constexpr(annotation: Any) -> bool:
    """Says whether an annotation is Constexpr or Constexpr[T]."""
    if isinstance(annotation, str):
        return "Constexpr" in annotation
    return annotation is Constexpr or isinstance(annotation, _ConstexprOf)


class Static:
    """A value that is compiled in."""

    def __init__(self, value: Any):
        self.value = value
        self.types: list[_ir.Type] = []

    @property
    def key(self) -> Any:
        try:
            hash(self.value)
        except TypeError:
            return ("id", id(self.value), type(self.value))
        return ("static", type(self.value), self.value)

    def pack(self, value: Any, addresses: list[int], kept: list[Any]) -> None:
        """Adds the addresses of what is passed of a value."""

    def build(self, values: Iterator[_ir.Value]) -> Any:
        """Returns the value within the program."""
        return self.value


class Scalar:
    """A number that is passed."""

    def __init__(self, dtype: NumericMeta):
        self.dtype = dtype
        self.types = [_ir.type(dtype.ir_name)]
        self.c_type = _C_TYPES.get(dtype.ir_name, ctypes.c_int16)
        self.key = ("scalar", dtype)

    def number(self, value: Any) -> Any:
        """Returns what the C type holds for a value."""
        if isinstance(value, Numeric):
            value = value.value
        if self.dtype.is_float:
            value = float(value)
        if self.c_type is ctypes.c_int16 and self.dtype.is_float:
            value = self.dtype.format.encode(value)
        return value

    def pack(self, value: Any, addresses: list[int], kept: list[Any]) -> None:
        cell = self.c_type(self.number(value))
        kept.append(cell)
        addresses.append(ctypes.addressof(cell))

    def build(self, values: Iterator[_ir.Value]) -> Any:
        return self.dtype(next(values))


class Passed:
    """An object that says itself what is passed of it.

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
        rest = signature() if signature else None
        self.key = ("object", type(value), tuple(map(_ir.text_of, self.types)), rest)

    def pack(self, value: Any, addresses: list[int], kept: list[Any]) -> None:
        if value is not self.value and hasattr(self.value, "__cute_adapt__"):
            value = self.value.__cute_adapt__(value)
        if not hasattr(value, "__c_pointers__"):
            self._pack_like(value, addresses, kept)
            return
        for pointer, offsets in zip(value.__c_pointers__(), self.offsets):
            if not isinstance(pointer, int):
                pointer = ctypes.cast(pointer, ctypes.c_void_p).value
            for offset in offsets:
                addresses.append(pointer + offset)
        kept.append(value)

    def _pack_like(self, value: Any, addresses: list[int], kept: list[Any]) -> None:
        """Packs an object of another kind of which the same is passed."""
        other = describe(value)
        if other.types != self.types:
            raise TypeError(
                f"{type(self.value).__name__} was compiled for, "
                f"{type(value).__name__} does not pass the same"
            )
        other.pack(value, addresses, kept)

    def build(self, values: Iterator[_ir.Value]) -> Any:
        return self.value.__new_from_mlir_values__([next(values) for _ in self.types])


class Converted:
    """An array of another package, as a tensor of ours."""

    def __init__(self, value: Any):
        self.inner = Passed(_as_tensor(value))
        self.types, self.key = self.inner.types, self.inner.key

    def pack(self, value: Any, addresses: list[int], kept: list[Any]) -> None:
        self.inner.pack(value, addresses, kept)

    def build(self, values: Iterator[_ir.Value]) -> Any:
        return self.inner.build(values)


def _as_tensor(value: Any) -> Any:
    from . import runtime

    return runtime.from_dlpack(value).mark_layout_dynamic()


class Tree:
    """A tuple, list, dict or dataclass of arguments."""

    def __init__(self, value: Any, children: list[Any]):
        self.value = value
        self.children = children
        self.types = [t for child in children for t in child.types]
        names = tuple(value) if isinstance(value, dict) else len(children)
        self.key = ("tree", type(value), names, tuple(c.key for c in children))

    def pack(self, value: Any, addresses: list[int], kept: list[Any]) -> None:
        for child, part in zip(self.children, _parts(value)):
            child.pack(part, addresses, kept)

    def build(self, values: Iterator[_ir.Value]) -> Any:
        made = [child.build(values) for child in self.children]
        if isinstance(self.value, dict):
            return dict(zip(self.value, made))
        if dataclasses.is_dataclass(self.value):
            copy = object.__new__(type(self.value))
            for field, part in zip(dataclasses.fields(self.value), made):
                object.__setattr__(copy, field.name, part)
            return copy
        if hasattr(self.value, "_make"):
            return self.value._make(made)
        return type(self.value)(made)


def _parts(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return list(value.values())
    if dataclasses.is_dataclass(value):
        return [getattr(value, f.name) for f in dataclasses.fields(value)]
    return list(value)


def _part_annotations(value: Any, annotation: Any) -> list[Any]:
    """Returns the annotations of the parts, None where there are none."""
    if dataclasses.is_dataclass(value) or hasattr(value, "_fields"):
        hints = getattr(type(value), "__annotations__", {})
        names = getattr(value, "_fields", None)
        names = names or [f.name for f in dataclasses.fields(value)]
        return [hints.get(name) for name in names]
    inner = typing.get_args(annotation)
    count = len(value)
    if isinstance(value, list) and len(inner) == 1:
        return [inner[0]] * count
    if len(inner) == 2 and inner[1] is Ellipsis:
        return [inner[0]] * count
    return list(inner) if len(inner) == count else [None] * count


_KINDS = {bool: Boolean, int: Int32, float: Float32}
_STATIC = (str, bytes, type(None), type, Static)


def describe(value: Any, annotation: Any = None, is_part: bool = False) -> Any:
    """Returns what of an argument is compiled in and what is passed.

    Numbers are passed, but those in tuples only where their annotation says so.
    """
    if is_constexpr(annotation) or isinstance(value, _STATIC):
        return Static(value)
    if isinstance(annotation, NumericMeta) and isinstance(value, (bool, int, float)):
        return Scalar(annotation)
    if isinstance(value, Numeric):
        return Scalar(type(value))
    if isinstance(value, (bool, int, float)):
        if is_part and annotation not in (int, float, bool):
            return Static(value)
        kind = annotation if annotation in _KINDS else type(value)
        return Scalar(_KINDS[kind])
    if hasattr(value, "__get_mlir_types__") and hasattr(value, "__c_pointers__"):
        return Passed(value)
    if _is_stream(value):
        from . import runtime

        return _StreamOf(runtime)
    if isinstance(value, (tuple, list, dict)) or _is_record(value):
        annotations = _part_annotations(value, annotation)
        return Tree(
            value, [describe(x, a, True) for x, a in zip(_parts(value), annotations)]
        )
    if hasattr(value, "__dlpack__"):
        return Converted(value)
    return Static(value)


def _is_record(value: Any) -> bool:
    return dataclasses.is_dataclass(value) and not isinstance(value, type)


def _is_stream(value: Any) -> bool:
    name = type(value).__name__
    return name in ("CUstream", "cudaStream_t") or hasattr(value, "cuda_stream")


class _StreamOf:
    """A stream of another package: its handle."""

    def __init__(self, runtime: Any):
        self.runtime = runtime
        self.types = [_ir.type("i64")]
        self.key = ("stream",)

    def pack(self, value: Any, addresses: list[int], kept: list[Any]) -> None:
        handle = getattr(value, "cuda_stream", None)
        cell = ctypes.c_int64(int(value) if handle is None else handle)
        kept.append(cell)
        addresses.append(ctypes.addressof(cell))

    def build(self, values: Iterator[_ir.Value]) -> Any:
        return self.runtime.Stream(next(values))


@dataclasses.dataclass
class Parameter:
    """A parameter of a function with what is known of its argument."""

    name: str
    kind: Any
    what: Any


def bind(
    signature: inspect.Signature, args: tuple[Any, ...], kwargs: dict[str, Any],
    annotations: dict[str, Any],
) -> tuple[list[Parameter], list[Any]]:
    """Returns the parameters of a call with their arguments, defaults included."""
    bound = signature.bind(*args, **kwargs)
    bound.apply_defaults()
    parameters, values = [], []
    for name, value in bound.arguments.items():
        kind = signature.parameters[name].kind
        annotation = annotations.get(name)
        if kind is inspect.Parameter.VAR_POSITIONAL:
            what: Any = Tree(value, [describe(x, annotation) for x in value])
        elif kind is inspect.Parameter.VAR_KEYWORD:
            what = Tree(value, [describe(x, annotation) for x in value.values()])
        else:
            what = describe(value, annotation)
        parameters.append(Parameter(name, kind, what))
        values.append(value)
    return parameters, values
