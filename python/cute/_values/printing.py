"""printf and print_tensor."""

from __future__ import annotations

import itertools
import re
from typing import Any, Iterator

from . import algebra as _algebra, layout_algebra as _layout_algebra, operands as _values
from .._compile import ir as _ir
from .numeric import Boolean, Int64, Numeric, as_numeric
from .pointer import Pointer
from .tensor import make_rmem_tensor
from .tensor_ssa import TensorSSA
from .operands import IrObject

_LISTED = 31  # elements that printf shows of a tensor
_CONVERSION = r"%[-+ #0]*\d*(?:\.\d+)?(?:hh|h|ll|l|z)?([diouxXceEfFgGaAsp])"


def _escaped(text: str) -> str:
    return text.replace("{", "{{").replace("}", "}}")


class _Line:
    """A format of cute.printf with its operands."""

    def __init__(self) -> None:
        self.format = ""
        self.operands: list[_ir.Operand] = []

    def text(self, text: str) -> None:
        self.format += _escaped(text)

    def number(self, value: Numeric, conversion: str = "") -> None:
        if type(value).is_float and value.width not in (16, 32, 64):
            value = value.to(_float32())
        if type(value).is_float and not conversion:
            conversion = "%f"
        self.format += "{:" + conversion[1:] + "}" if conversion else "{}"
        self.operands.append(value.ir_value())

    def value(self, value: Any, conversion: str = "") -> None:
        if isinstance(value, (bool, int, float)):
            value = as_numeric(value)
        if isinstance(value, Numeric):
            self.number(value, conversion)
        elif isinstance(value, IrObject):
            self._object(value)
        elif isinstance(value, (tuple, list)):
            self._tuple(value)
        elif isinstance(value, str) or value is None:
            self.text("_" if value is None else value)
        elif type(value).__str__ is object.__str__ and type(value).__repr__ is object.__repr__:
            raise ValueError(f"printf has no text for {value!r}")
        else:
            self.text(str(value))

    def _tuple(self, value: Any) -> None:
        self.text("(")
        for i, part in enumerate(value):
            if i:
                self.text(",")
            self.value(part)
        self.text(")")

    def _object(self, value: Any) -> None:
        if isinstance(value, Pointer):
            address(self, value)
            return
        if value.is_static or not hasattr(value, "iterator"):
            if _ir.kind_of(_ir.type_of(value.ir)) in ("mma_atom", "copy_atom", "tiled_mma", "tiled_copy"):
                self.text(str(value))
                return
            self.format += "{}"
            self.operands.append(value.ir)
            return
        engine(self, value)
        self._elements(value)

    def _elements(self, tensor: Any) -> None:
        """Appends the first elements of a tensor whose size is known."""
        count = _algebra.size(tensor)
        if not isinstance(count, int) or tensor._is_coord:
            return
        self.text(" = \n  ( ")
        for i in range(min(count, _LISTED)):
            self.text(", " if i else "")
            self.value(tensor[i])
        self.text(", [...] )" if count > _LISTED else " )")

    def write(self) -> None:
        operands = [_ir.materialize(o) for o in self.operands]
        trace = _ir.require("cute.printf")
        attributes = {"format": _ir.attribute(self.format)}
        trace.create("cute.printf", operands, attributes, [])


def _float32() -> Any:
    from .numeric import Float32

    return Float32


def address(line: _Line, pointer: Any, text: str = "") -> None:
    """Appends ``raw_ptr(0x...: f32, gmem, align<4>)``."""
    text = text or pointer._engine_text()
    if "align<" not in text:
        text += f", align<{pointer.alignment}>"
    line.text("raw_ptr(0x")
    line.number(Int64(pointer.toint()), "%016x")
    line.text(f": {text})")


def engine(line: _Line, tensor: Any) -> None:
    """Appends ``raw_ptr(0x...: f32, gmem, align<4>) o layout``."""
    if tensor._is_coord:
        line.value(tensor.iterator)
    else:
        address(line, tensor.iterator, tensor._engine_text())
    line.text(" o ")
    line.value(tensor.layout)


def printf(*args: Any, end: str = "\n", loc: Any = None, ip: Any = None) -> None:
    """Prints when the program runs.

    The first argument may be a text with ``{}``, or C conversions, for the arguments
    that follow. Without a text, the arguments are printed one after the other.

    :raises ValueError: if there are no arguments, another number than the text needs,
    or an object without a text form
    """
    if not args:
        raise ValueError("printf needs an argument to print")
    line = _Line()
    if isinstance(args[0], str):
        _formatted(line, args[0], list(args[1:]))
    else:
        for i, value in enumerate(args):
            line.text(" " if i else "")
            line.value(value)
    line.text(end)
    line.write()


def _formatted(line: _Line, format: str, values: list[Any]) -> None:
    rest = iter(values)
    try:
        for text, conversion in _pieces(format):
            line.text(text)
            if conversion is not None:
                line.value(next(rest), conversion)
    except StopIteration:
        raise ValueError(f"{format!r} asks for more than {len(values)} values") from None
    if next(rest, _END) is not _END:
        raise ValueError(f"{format!r} asks for fewer than {len(values)} values")


_END = object()
_PIECE = r"\{\{|\}\}|%%|\{([^{}]*)\}|" + _CONVERSION


def _pieces(format: str) -> Iterator[tuple[str, str | None]]:
    """Yields texts with the conversion after each; None after the last."""
    at, text = 0, ""
    for match in re.finditer(_PIECE, format):
        text += format[at : match.start()]
        at = match.end()
        found = match.group(0)
        if found in ("{{", "}}", "%%"):
            text += found[0]
            continue
        conversion = _c_conversion(found)
        yield text, conversion
        text = ""
    yield text + format[at:], None


def _c_conversion(found: str) -> str:
    if found.startswith("{"):
        spec = found[1:-1].lstrip(":")
        return f"%{spec}" if spec else ""
    conversion = re.sub(r"hh|h|ll|l|z", "", found)
    return "" if conversion[-1] in "sp" or conversion in ("%d", "%f", "%i") else conversion


# ---- Tensors ----------------------------------------------------------------

_EDGE = 3  # elements shown at either end of a mode of more than twice as many


def print_tensor(tensor: Any, verbose: bool = False) -> None:
    """Prints a tensor with a static shape, or a vector, and its elements."""
    if isinstance(tensor, TensorSSA):
        vector, tensor = tensor, make_rmem_tensor(tensor.shape, tensor.dtype)
        tensor.store(vector)
    _values.ir_of(tensor)
    shape = tensor.shape
    if not _algebra.is_static(shape):
        _ir.apply("print_tensor", tensor.ir, results=[])
        return
    line = _Line()
    line.text("tensor(")
    engine(line, tensor)
    extents = _layout_algebra.product_each(shape) if isinstance(shape, tuple) else (shape,)
    if verbose:
        line.text(", data= (\n")
        line.write()
        _print_list(tensor, extents)
        return
    line.text(", data=\n       ")
    line.write()
    _print_rows(tensor, extents)


def _print_list(tensor: Any, extents: tuple[int, ...]) -> None:
    for reversed_coord in itertools.product(*(range(n) for n in reversed(extents))):
        coord = tuple(reversed(reversed_coord))
        line = _Line()
        line.text(f"\t{_values.show(coord)}= ")
        _element(line, tensor, coord)
        line.text("\n")
        line.write()
    line = _Line()
    line.text(")\n")
    line.write()


def _element(line: _Line, tensor: Any, coord: tuple[int, ...], conversion: str = "") -> None:
    value = tensor[coord if len(coord) > 1 else coord[0]]
    if isinstance(value, Numeric) and not isinstance(value, Boolean):
        line.number(value, conversion if type(value).is_float else "")
    else:
        line.value(value)


def _shown(extent: int, is_column: bool) -> list[int | None]:
    """Returns the indices that are shown, None where some are left out."""
    if extent <= 2 * _EDGE:
        return list(range(extent))
    return [*range(_EDGE), None, *range(extent - _EDGE, extent)]


def _print_rows(tensor: Any, extents: tuple[int, ...]) -> None:
    lines: list[_Line] = []
    if len(extents) == 1:
        shown = _shown(extents[0], False)
        for n, i in enumerate(shown):
            line = _Line()
            line.text("       " if n else "")
            _row(line, tensor, [] if i is None else [(i,)], i is None)
            line.text(")\n" if n + 1 == len(shown) else ",\n" if i is not None else "\n")
            lines.append(line)
    else:
        _matrices(lines, tensor, extents)
    for line in lines:
        line.write()


def _row(line: _Line, tensor: Any, coords: list[Any], is_gap: bool) -> None:
    if is_gap:
        line.text("...")
        return
    line.text("[")
    for coord in coords:
        if coord is None:
            line.text("..., ")
            continue
        conversion = "% f"
        if tensor.dtype.is_integer:
            line.text(" ")
        _element(line, tensor, coord, conversion)
        line.text(", ")
    line.text("]")


def _matrices(lines: list[_Line], tensor: Any, extents: tuple[int, ...]) -> None:
    """Writes the matrices of modes 0 and 1, one for each coordinate of the rest."""
    rest = [_shown(n, False) for n in reversed(extents[2:])]
    outer = [tuple(reversed(c)) for c in itertools.product(*rest)]
    depth = len(extents) - 2
    for k, coord in enumerate(outer):
        rows = _shown(extents[0], False)
        for n, i in enumerate(rows):
            line = _Line()
            if n == 0:
                line.text("[" * (depth + 1) if k == 0 else " " * (7 + depth) + "[")
            else:
                line.text(" " * (8 + depth))
            columns = _shown(extents[1], True)
            row = [None if j is None else (i, j, *coord) for j in columns]
            _row(line, tensor, row, i is None)
            last_row = n + 1 == len(rows)
            if last_row:
                line.text("]")
                closing = k + 1 == len(outer)
                line.text("]" * depth + ")\n" if closing else ",\n\n")
            else:
                line.text("\n" if i is None else ",\n")
            lines.append(line)
