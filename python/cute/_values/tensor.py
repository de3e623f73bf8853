"""Tensors."""

from __future__ import annotations

import functools
import re
from typing import Any, Callable

from . import algebra as _algebra, operands as _values
from .. import _bridge
from .._compile import ir as _ir
from .._frontend.errors import StaticValueError
from .layout import ComposedLayout, Layout, TypeOf
from .numeric import Float32, Int32, Integer, Numeric, TFloat32, as_element
from .pointer import AddressSpace, Pointer, _Memory, element_text, recast_ptr
from .swizzled_parts import part_of
from .operands import IrObject, ir_of, register, wrap

__all__ = (
    "Tensor make_fragment make_fragment_like make_identity_tensor make_rmem_tensor "
    "make_rmem_tensor_like make_tensor print_tensor recast_tensor"
).split()


@register("tensor", "coord_tensor")
class Tensor(_Memory):
    """A pointer with a layout, or coordinates with a layout."""

    __slots__ = ()

    def __class_getitem__(cls, parameters: Any) -> Any:
        """Returns the annotation ``Tensor[dtype, shape, stride, ...]``."""
        from .typed import TypedTensor

        return TypedTensor(*parameters)

    @property
    def _is_coord(self) -> bool:
        return self.type_text.startswith("!cute.coord_tensor")

    @property
    def type(self) -> TypeOf:
        """The type as the reference prints it, ``!cute.memref<...>``."""
        if self._is_coord:
            return TypeOf(self.type_text)
        return TypeOf(f'!cute.memref<{self._engine_text()}, "{self._parts()[3]}">')

    def __str__(self) -> str:
        layout = self._parts()[-1]
        if self._is_coord:
            return f"tensor<{self._parts()[0]} o {layout}>"
        return f"tensor<ptr<{self._engine_text()}> o {layout}>"

    __repr__ = __str__

    @property
    def element_type(self) -> Any:
        """The numeric type of the elements."""
        if self._is_coord:
            return Int32
        return self._element

    dtype = element_type
    value_type = element_type
    _dtype = element_type  # by the name that public programs use

    @property
    def memspace(self) -> AddressSpace:
        if self._is_coord:
            raise AttributeError(f"{self} has coordinates, which are in no memory")
        return super().memspace

    @property
    def iterator(self) -> Any:
        """The pointer, or the coordinate at which the tensor begins."""
        start = wrap(_ir.apply("get_iter", self.ir), self)
        layout = self._whole_layout()
        if not isinstance(layout, ComposedLayout):
            return start
        if self._swizzle is None:
            part = part_of(layout)
            return start if part is None else start + part.start
        return recast_ptr(start, self._swizzle) + layout.offset

    def _whole_layout(self) -> Any:
        return wrap(_ir.apply("get_layout", self.ir))

    @property
    def layout(self) -> Any:
        """The layout, without the pointer's swizzle; for a part of swizzled memory, a plain
        layout from the part's first element on if there is one."""
        layout = self._whole_layout()
        if self._is_described:
            return self._of_descriptors(layout)
        if not isinstance(layout, ComposedLayout):
            return layout
        if self._swizzle is None:
            part = part_of(layout)
            return layout if part is None else part.layout
        return layout.outer

    @property
    def _is_described(self) -> bool:
        """Whether the elements are descriptors of products' operands in shared memory."""
        return not self._is_coord and ", desc," in self.type_text

    def _of_descriptors(self, layout: Any) -> Any:
        """Returns the layout of the descriptors of instructions, in units of 16 bytes: mode 0 is
        what one describes."""
        outer = layout.outer if isinstance(layout, ComposedLayout) else layout
        units = 128 // self.element_type.width
        rest = _algebra.transform_leaf(
            lambda extent, step: 0 if isinstance(extent, int) and extent == 1 else step // units,
            outer.shape[1:], outer.stride[1:])
        return _algebra.make_layout((1, *outer.shape[1:]), stride=(0, *rest))

    @property
    def shape(self) -> Any:
        if self._is_described:
            return self.layout.shape
        return wrap(_ir.apply("get_shape", self.ir))

    @property
    def stride(self) -> Any:
        stride = self.layout.stride
        if self._is_coord and isinstance(stride, tuple):
            return _algebra.StrideOf(stride, self.shape)
        return stride

    @property
    def leading_dim(self) -> Any:
        """The mode of stride 1, or None."""
        return _algebra.leading_dim(self.shape, self.stride)

    def __getitem__(self, coord: Any, *, loc: Any = None, ip: Any = None) -> Any:
        """Returns an element, or with None in the coordinate a part."""
        coord = _coordinate(coord)
        if _algebra.has_underscore(coord):
            return _algebra.slice_(self, coord)
        if self._is_coord:
            place = _ir.apply("slice", self.ir, _values.coord(coord))
            return wrap(_ir.apply("get_iter", place))
        loaded = _ir.apply("load", self._as_values.ir, _values.coord(coord))
        return self.element_type(loaded)

    def __setitem__(
        self, coord: Any, value: Any, *, loc: Any = None, ip: Any = None
    ) -> None:
        """Writes an element, or to a part the elements of a TensorSSA."""
        self._need_memory("written to")
        coord = _coordinate(coord)
        if _algebra.has_underscore(coord):
            _algebra.slice_(self, coord).store(value)
            return
        if isinstance(value, Tensor):
            raise TypeError(
                f"an element of {self} is a number, not {value}: index that one, too, or write "
                "tensor.store(other.load()) or cute.autovec_copy(other, tensor)"
            )
        number = as_element(value, self.element_type).ir_value()
        _ir.apply("store", number, self._as_values.ir, _values.coord(coord), results=[])

    def _need_memory(self, what: str) -> None:
        if self._is_coord:
            raise TypeError(f"{self} has coordinates: it cannot be {what}")

    @property
    def _as_values(self) -> Tensor:
        """The tensor with the type that values of its elements have: of tf32, f32."""
        return recast_tensor(self, Float32) if self.element_type is TFloat32 else self

    def load(self, *, loc: Any = None, ip: Any = None) -> Any:
        """Returns all elements as a TensorSSA; the shape is static."""
        from .tensor_ssa import TensorSSA

        self._need_memory("loaded from")
        if not _algebra.is_static(self.shape):
            raise ValueError(f"a tensor is loaded with a static shape, not {self}")
        vector = _ir.apply("load_vector", self._as_values.ir)
        return TensorSSA(vector, self.shape, self.element_type)

    def store(self, data: Any, *, loc: Any = None, ip: Any = None) -> None:
        """Writes the elements of a TensorSSA, or one number to all."""
        self._need_memory("written to")
        if isinstance(data, (int, float, Numeric)):
            self.fill(data)
            return
        if _algebra.size(data.shape) != _algebra.size(self):
            raise ValueError(
                f"a vector of {_algebra.size(data.shape)} elements is stored to {self}, which "
                f"has {_algebra.size(self)}: slice the tensor, or load as many elements"
            )
        if data.dtype is not self.element_type:
            data = data.to(self.element_type)
        _ir.apply("store_vector", data.ir_value(), self._as_values.ir, results=[])

    def fill(self, value: Any, *, loc: Any = None, ip: Any = None) -> None:
        """Writes a number to all elements."""
        self._need_memory("filled")
        number = as_element(value, self.element_type).ir_value()
        _ir.apply("fill", self._as_values.ir, number, results=[])

    def __len__(self) -> int:
        return _algebra.rank(self)

    def mark_layout_dynamic(self, leading_dim: int | None = None) -> Tensor:
        """Returns the tensor: within a program this has no effect."""
        return self


def _coordinate(coord: Any) -> Any:
    """Returns a coordinate without Python's slices: ``:`` is None."""
    if isinstance(coord, (tuple, list)):
        return tuple(_coordinate(c) for c in coord)
    if isinstance(coord, slice):
        if coord != slice(None):
            raise IndexError("a tensor takes : for all of a mode, and no ranges")
        return None
    if coord is None or isinstance(coord, (int, Integer)):
        return coord
    if hasattr(coord, "__index__"):
        return coord.__index__()
    raise TypeError(f"{coord!r} is not a coordinate")


# ---- Making them ------------------------------------------------------------


def make_tensor(iterator: Any, layout: Any, *, loc: Any = None, ip: Any = None) -> Tensor:
    """Returns the tensor whose element c is at iterator + layout(c).

    :param iterator: a pointer; or a tuple of integers, for coordinates :param layout: a
    layout, or a shape for its compact layout; or a composition of two layouts that equals
    an offset and a layout :raises ValueError: for a composed layout that no strides can
    express

    A tensor of strides (2, 4) from ``pointer + 8`` on::

        even = cute.make_layout(8, stride=2)
        cute.make_tensor(pointer, cute.make_composed_layout(even, 4, cute.make_layout((2, 2))))
    """
    if isinstance(layout, ComposedLayout) and isinstance(layout.inner, Layout):
        offset, layout = _affine(layout)
        return make_tensor(iterator + offset, layout)
    operand = layout.ir if isinstance(layout, IrObject) else _values.shape(layout)
    if isinstance(iterator, Pointer):
        made = _ir.apply("make_tensor", iterator.ir, operand)
        return Tensor(made, iterator._space, iterator.swizzle)
    if hasattr(iterator, "__cute_tensor__"):
        return iterator.__cute_tensor__(layout)
    if _algebra.is_int_tuple(iterator):
        return wrap(_ir.apply("make_tensor", _values.int_tuple(iterator), operand))
    if hasattr(iterator, "__cute_pointer__"):
        return make_tensor(iterator.__cute_pointer__(), layout)
    raise ValueError(f"{iterator!r} is neither a pointer nor a coordinate")


_MOST_COMPARED = 1 << 16  # coordinates


def _affine(composed: ComposedLayout) -> tuple[Any, Layout]:
    """Returns an offset and a layout that compute what ``inner o offset o outer`` does."""
    from .layout_algebra import composition, idx2crd

    inner, offset, outer = composed.inner, composed.offset, composed.outer
    made = composition(inner, outer)
    if _algebra.rank(inner) == 1 and not isinstance(inner.shape, tuple):
        return inner.stride * offset, made
    if _algebra.is_static(composed) and _algebra.size(outer) <= _MOST_COMPARED:
        first = inner(offset)
        for i in range(_algebra.size(outer)):
            if composed(i) != first + made(i):
                coord = idx2crd(i, outer.shape)
                raise ValueError(
                    f"{composed} has no strides: it has {coord} at {composed(i)}, and "
                    f"{first} o {made} at {first + made(i)}")
        return first, made
    if _algebra.is_static(offset) and int(offset) == 0:
        return 0, made
    raise ValueError(
        f"{composed} is not an offset and layout unless the inner layout has one mode, the offset "
        "is 0, or all is static")


def make_identity_tensor(shape: Any, *, loc: Any = None, ip: Any = None) -> Tensor:
    """Returns the tensor whose elements are their own coordinates.

    >>> make_identity_tensor((4, 8))
    tensor<(0,0) o (4,8):(1@0,1@1)>
    """
    return wrap(_ir.apply("make_identity_tensor", _values.shape(shape)))


def make_rmem_tensor(
    layout_or_shape: Any, dtype: Any, *, loc: Any = None, ip: Any = None
) -> Tensor:
    """Returns a tensor in the registers of a thread, with undefined contents."""
    layout = layout_or_shape
    if not _algebra.is_static(layout):
        raise StaticValueError(
            "the shape of registers is known when the program is compiled, but this one is "
            "dynamic; pass its numbers as cutlass.Constexpr, or take it of a static layout"
        )
    operand = layout.ir if isinstance(layout, IrObject) else _values.shape(layout)
    element = _element_attribute(dtype)
    return Tensor(_ir.apply("make_fragment", operand, element=element))


make_fragment = make_rmem_tensor


def _element_attribute(dtype: Any) -> _ir.Type:
    return _ir.type(element_text(dtype))


def make_fragment_like(
    src: Any, dtype: Any = None, *, loc: Any = None, ip: Any = None
) -> Any:
    """Returns registers with a tensor's shape; for a layout, a layout for such
    registers.

    Mode 0 is compact at stride 1, the others follow in the order of the source's
    strides. If strides are coordinates, only the shape counts.

    :raises ValueError: for coordinates without an element type
    :raises StaticValueError: for a shape that is not known
    """
    return _like(src, dtype, _fragment_layout)


def make_rmem_tensor_like(
    src: Any, dtype: Any = None, *, loc: Any = None, ip: Any = None
) -> Any:
    """Returns registers with a tensor's shape in the order of its strides; for a layout, a
    layout for such registers.

    :raises ValueError: for coordinates without an element type
    :raises StaticValueError: for a shape that is not known
    """
    return _like(src, dtype, _algebra.make_layout_like)


def _like(src: Any, dtype: Any, compact: Callable[[Layout], Layout]) -> Any:
    is_tensor = isinstance(src, Tensor)
    if is_tensor and src._is_coord and dtype is None:
        raise ValueError(f"{src} has coordinates: give the type of the registers' elements")
    trace = _ir.trace()
    if is_tensor and trace is not None and trace.is_for_passes:
        element = _element_attribute(dtype or src.element_type)
        if compact is _fragment_layout:
            return Tensor(_ir.apply("make_fragment_like", src.ir, element=element))
        made = src.ir
        for name in ("cute.get_layout", "cute.make_layout_like"):  # not folded: passes change it
            made = trace.create(name, [_ir.materialize(made)], {}, None).results[0]
        return Tensor(_ir.apply("make_fragment", made, element=element))
    layout = src.layout if is_tensor else src
    layout = layout.outer if isinstance(layout, ComposedLayout) else layout
    if not _algebra.is_static(layout.shape):
        raise StaticValueError(f"registers have a shape that is known, unlike {src}")
    plain = all(isinstance(x, int) for x in _algebra.flatten_to_tuple(layout.stride))
    made = compact(layout) if plain else _algebra.make_layout(layout.shape)
    if not is_tensor and dtype is None:
        return made
    return make_rmem_tensor(made, dtype or src.element_type)


def _fragment_layout(layout: Layout) -> Layout:
    """Returns the layout of registers, in which mode 0 is compact, of a layout's shape."""
    text = str(layout)
    return Layout(_ir.type(f'!cute.layout<"{text.partition(":")[0]}:{_fragment_strides(text)}">'))


@functools.lru_cache(maxsize=None)
def _fragment_strides(text: str) -> str:
    """Returns the strides that CuTe's make_fragment_like gives for the layout of a text,
    nested as the layout is."""
    made = _bridge.calculate(f"make_fragment_like({text})").partition(":")[2]
    strides = iter(re.findall(r"\d+", made))
    return re.sub(r"\d+", lambda _: next(strides), text.partition(":")[0])


def recast_tensor(
    src: Tensor, dtype: Any, swizzle_: Any = None, *, loc: Any = None, ip: Any = None
) -> Tensor:
    """Returns the same memory in elements of another type.

    Wider ones promise that the memory is aligned for them.
    """
    width = max(dtype.width // 8, 1)
    if not src._is_coord and width > 1 and src.iterator.alignment < width:
        pointer = src.iterator.align(width)
        src = wrap(_ir.apply("make_tensor", ir_of(pointer), src._whole_layout().ir), src)
    found = _ir.apply("recast_tensor", src.ir, element=_element_attribute(dtype))
    return wrap(found, src)


def print_tensor(
    tensor: Tensor, *, verbose: bool = False, loc: Any = None, ip: Any = None
) -> None:
    """Prints a tensor with its elements when the program runs.

    :param tensor: a tensor, or a vector
    :raises TypeError: for what is neither
    """
    from .tensor_ssa import TensorSSA

    if not isinstance(tensor, (Tensor, TensorSSA)):
        raise TypeError(f"expected a tensor, not {tensor}: write print for others")
    from . import printing as _printing

    _printing.print_tensor(tensor, verbose)
