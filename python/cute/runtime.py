"""Tensors, pointers and streams that are passed to compiled functions."""

from __future__ import annotations

import os
from array import array
from typing import Any, Sequence

from ._compile import ir as _ir
from ._values import numeric as _numeric, text as _text
from ._device import devices as _device
from ._device.foreign_arrays import read_array
from ._values.numeric import NumericMeta
from ._device.pointers_and_streams import (
    Pointer,
    Stream,
    _FakeStream,
    make_fake_stream,
    make_ptr,
    nullptr,
)  # noqa: F401
from ._values.pointer import AddressSpace
from ._values.tensor import Tensor as ProgramTensor
from ._values.pointer import _memory_name, pointer_type

# ---- Symbols ----------------------------------------------------------------


class SymInt:
    """An integer of a shape or stride that is known at run time only."""

    def __init__(self, width: int = 32, *, divisibility: int = 1, symbol: str | None = None):
        self.width, self.divisibility, self.symbol = width, divisibility, symbol

    def __repr__(self) -> str:
        return str(_text.Dynamic(self.width, self.divisibility))


def sym_int(width: int = 32, *, divisibility: int = 1, symbol: str | None = None) -> SymInt:
    """Returns an integer that is known at run time only; ``symbol`` is a name for readers.

    >>> cute.runtime.sym_int(divisibility=8)
    ?{div=8}
    """
    return SymInt(width, divisibility=divisibility, symbol=symbol)


def sym_int32(divisibility: int = 1, symbol: str | None = None) -> SymInt:
    """Returns an extent of 32 bits that is known when the function is called."""
    return SymInt(32, divisibility=divisibility, symbol=symbol)


def sym_int64(divisibility: int = 1, symbol: str | None = None) -> SymInt:
    """Returns an extent of 64 bits that is known when the function is called."""
    return SymInt(64, divisibility=divisibility, symbol=symbol)


# ---- Tensors ----------------------------------------------------------------


def _holds(array: NumericMeta, wanted: NumericMeta) -> bool:
    """Returns whether an array of one type may hold numbers of another.

    Packages without a type of 8 or 16 bits hold its bits in integers.
    """
    if array.width != wanted.width:
        return False
    if array.is_float:  # TFloat32 lies in Float32
        return array is wanted or wanted.is_float and array.width in (8, 32)
    return not wanted.is_float or wanted.width <= 16


class Tensor:
    """An array that is passed to compiled functions.

    Extents and strides are part of what is compiled until they are marked as
    dynamic, which gives a tensor whose integers are passed. A tensor without an
    array (``address`` None) is for compiling only.
    """

    __cute_signature_is_all__ = True

    def __init__(
        self,
        address: int | None,
        dtype: NumericMeta,
        shape: Sequence[int],
        stride: Sequence[int],
        *,
        is_host: bool,
        align: int,
        owner: Any = None,
    ):
        self._address, self._dtype = address, dtype
        self._shape, self._stride = tuple(shape), tuple(stride)
        self._is_host, self._align, self._owner = is_host, align, owner
        self.is_read_only = False
        self._dynamic_shape: dict[int, _text.Dynamic] = {}
        self._dynamic_stride: dict[int, _text.Dynamic] = {}
        self._symbols: dict[int, SymInt] = {}  # of a fake tensor's extents
        self._cells: Any = None
        self._signature: Any = None

    # Properties.

    @property
    def element_type(self) -> NumericMeta:
        return self._dtype

    @element_type.setter
    def element_type(self, dtype: NumericMeta) -> None:
        """Reads the bytes as another type of the same width."""
        self._dtype, self._signature = dtype, None

    dtype = element_type

    @property
    def memspace(self) -> AddressSpace:
        return AddressSpace.generic if self._is_host else AddressSpace.gmem

    @property
    def shape(self) -> tuple[int, ...]:
        return self._shape

    @property
    def stride(self) -> tuple[int, ...]:
        return self._stride

    @property
    def size_in_bytes(self) -> int:
        return self.span[1]

    @property
    def span(self) -> tuple[int, int]:
        """The memory's beginning, in bytes from ``data_ptr``, and its size in bytes.

        It begins before ``data_ptr`` where a stride is negative.
        """
        width = 8 if self._dtype is _numeric.Boolean else self._dtype.width
        if 0 in self._shape:
            return 0, 0
        steps = [(n - 1) * s for n, s in zip(self._shape, self._stride)]
        first = sum(s for s in steps if s < 0) * width // 8
        end = -(-(sum(s for s in steps if s > 0) + 1) * width // 8)
        return first, end - first

    @property
    def data_ptr(self) -> int:
        if self._address is None:
            raise ValueError("a fake tensor has no memory")
        return self._address

    @property
    def layout(self) -> Any:
        """The layout with the extents and strides as they are."""
        from ._values import algebra as _algebra

        return _algebra.make_layout(self._shape, stride=self._stride)

    @property
    def iterator(self) -> Pointer:
        return Pointer(self._address or 0, self._dtype, self.memspace, self._align)

    @property
    def leading_dim(self) -> int | None:
        found = [i for i, s in enumerate(self._stride) if s == 1 and self._shape[i] != 1]
        return found[0] if found else None

    def _layout_text(self) -> str:
        def leaf(i: int, value: int, dynamic: dict[int, _text.Dynamic]) -> str:
            return str(dynamic[i]) if i in dynamic else str(value)

        rank = range(len(self._shape))
        shape = ",".join(leaf(i, self._shape[i], self._dynamic_shape) for i in rank)
        stride = ",".join(leaf(i, self._stride[i], self._dynamic_stride) for i in rank)
        return f"({shape}):({stride})"

    def _engine_text(self) -> str:
        text = f"{_memory_name(self._dtype)}, {self.memspace}"
        if self._align > max(self._dtype.width // 8, 1):
            text += f", align<{self._align}>"
        return text

    def __str__(self) -> str:
        return f"tensor<ptr<{self._engine_text()}> o {self._layout_text()}>"

    __repr__ = __str__

    # Numbers that are passed with it.

    def mark_layout_dynamic(self, leading_dim: int | None = None) -> Tensor:
        """Lets extents and strides be passed; returns the tensor.

        The stride 1 of the leading dimension stays static, and so do strides 0.

        :raises ValueError: where the leading dimension is not clear, or has
            another stride
        """
        lead = self._leading(leading_dim)
        for i, step in enumerate(self._stride):
            self._dynamic_shape[i] = _text.Dynamic(32)
            if i != lead and step != 0:
                self._dynamic_stride[i] = _text.Dynamic(64)
        self._cells = self._signature = None
        return self

    def _leading(self, given: int | None) -> int | None:
        if given is not None:
            given = _text.mode_of(given, self._shape)
            if self._stride[given] != 1:
                raise ValueError(
                    f"leading_dim {given} has stride {self._stride[given]}, not 1"
                )
            return given
        ones = [i for i, s in enumerate(self._stride) if s == 1]
        if len(ones) > 1:
            longer = [i for i in ones if self._shape[i] != 1]
            if len(longer) != 1:
                raise ValueError(
                    f"dimensions {ones} of {self} have stride 1: give leading_dim"
                )
            ones = longer
        return ones[0] if ones else None

    def mark_compact_shape_dynamic(
        self,
        mode: int,
        stride_order: Sequence[int] | None = None,
        divisibility: int = 1,
    ) -> Tensor:
        """Lets an extent, and the strides beyond it, be passed; returns the tensor.

        :param stride_order: the dimensions from the slowest to the fastest one
        :param divisibility: a promised divisor of the extent
        :raises ValueError: where the strides are not compact in that order, or
            the extent is not a multiple of the divisor
        """
        mode, order = _text.mode_of(mode, self._shape), tuple(stride_order or self._order())
        if self._shape[mode] % divisibility:
            raise ValueError(
                f"extent {self._shape[mode]} of mode {mode} is not a multiple of "
                f"{divisibility}"
            )
        self._need_compact(order)
        self._dynamic_shape[mode] = _text.Dynamic(32, divisibility)
        divisor, is_past = 1, False
        for i in reversed(order):
            if is_past:
                self._dynamic_stride[i] = _text.Dynamic(64, divisor)
            if i in self._dynamic_shape:
                is_past = True
                divisor *= self._dynamic_shape[i].divisor
            else:
                divisor *= self._shape[i]
        self._cells = self._signature = None
        return self

    def _order(self) -> list[int]:
        rank = range(len(self._shape))
        return sorted(rank, key=lambda i: (-self._stride[i], i))

    def _need_compact(self, order: tuple[int, ...]) -> None:
        step = 1
        for i in reversed(order):
            if self._shape[i] != 1 and self._stride[i] != step:
                raise ValueError(
                    f"strides {self._stride} of {self._shape} are not compact in the "
                    f"order {order}"
                )
            step *= self._shape[i]

    # Passing.

    def _dynamic(self) -> list[tuple[int, _text.Dynamic]]:
        found = [(self._shape[i], d) for i, d in sorted(self._dynamic_shape.items())]
        found += [(self._stride[i], d) for i, d in sorted(self._dynamic_stride.items())]
        return found

    def __get_mlir_types__(self) -> list[_ir.Type]:
        return [_ir.type("i64")] + [_ir.type(f"i{d.width}") for _, d in self._dynamic()]

    def __c_pointers__(self) -> list[int]:
        if self._cells is None:
            cells = array("q", [self.data_ptr, *(value for value, _ in self._dynamic())])
            first = cells.buffer_info()[0]
            self._cells = cells, [first + 8 * i for i in range(len(cells))]
        return self._cells[1]

    def __cute_signature__(self) -> Any:
        if self._signature is None:
            self._signature = (self._engine_text(), self._layout_text())
        return self._signature

    def __cute_adapt__(self, other: Any) -> Any:
        """Returns a tensor or array with that passed which is passed of this one.

        :raises TypeError: where what is compiled in of this one is another there
        """
        if not isinstance(other, Tensor):
            other = from_dlpack(other)
        elif other.__cute_signature__() == self.__cute_signature__():
            return other
        made = Tensor(
            other._address, self._dtype, other._shape, other._stride,
            is_host=other._is_host, align=self._align, owner=other,
        )
        made._dynamic_shape, made._dynamic_stride = self._dynamic_shape, self._dynamic_stride
        made.is_read_only = other.is_read_only
        problem = self._difference(other)
        if problem:
            raise TypeError(f"compiled for {self}, called with {other}: {problem}")
        return made

    def _difference(self, other: Tensor) -> str:
        """Returns how another tensor contradicts the compiled layout; None if it does not."""
        if not _holds(other._dtype, self._dtype):
            return f"the elements are {other._dtype}, not {self._dtype}"
        if len(other._shape) != len(self._shape):
            return f"rank {len(other._shape)} is not {len(self._shape)}"
        if other._is_host != self._is_host and not _device.is_simulated():
            return "one of them is on the host"
        if other._address is not None and other._address % self._align:
            return f"the address is not a multiple of {self._align}"
        return (
            _leaf_difference("extent", self._shape, other._shape, self._dynamic_shape)
            or self._stride_difference(other)
        )

    def _stride_difference(self, other: Tensor) -> str:
        """Compares strides; the ones of extents 1 do not matter."""
        mine, theirs = zip(*[
            (s, s if n == 1 else t)
            for s, t, n in zip(self._stride, other._stride, other._shape)
        ]) if self._stride else ((), ())
        return _leaf_difference("stride", mine, theirs, self._dynamic_stride)

    def __new_from_mlir_values__(self, values: list[_ir.Value]) -> ProgramTensor:
        """Returns the tensor within a program."""
        address, leaves = values[0], values[1:]
        pointer = _ir.apply(
            "make_ptr", address,
            results=[pointer_type(self._dtype, AddressSpace.gmem, self._align)],
        )
        texts = self._layout_text().split(":")
        count = len(self._dynamic_shape)
        shape = _made("shape", texts[0], leaves[:count])
        stride = _made("stride", texts[1], leaves[count:])
        layout = _ir.apply("make_layout", shape, stride)
        space = AddressSpace.generic if self._is_host else None
        return ProgramTensor(_ir.apply("make_tensor", pointer, layout), space)


def _leaf_difference(
    what: str, mine: Any, theirs: Any, dynamic: dict[int, _text.Dynamic]
) -> str:
    for i, (a, b) in enumerate(zip(mine, theirs)):
        if i not in dynamic:
            if a != b:
                return f"{what} {i} is {b}, not {a}"
        elif b % dynamic[i].divisor:
            return f"{what} {i} is {b}, not a multiple of {dynamic[i].divisor}"
    return ""


def _made(kind: str, text: str, leaves: list[_ir.Value]) -> _ir.Operand:
    made = _ir.type(f'!cute.{kind}<"{text}">')
    return _ir.apply(f"make_{kind}", *leaves, results=[made]) if leaves else made


def from_dlpack(
    tensor_dlpack: Any,
    assumed_align: int | None = None,
    use_32bit_stride: bool = False,
    *,
    enable_tvm_ffi: bool = False,
    force_tf32: bool = False,
) -> Tensor:
    """Returns an array from torch, numpy, or anything with DLPack as a tensor.

    No element is copied; the array lives as long as the tensor.

    :param assumed_align: of the address, in bytes; an element's by default
    """
    read = read_array(tensor_dlpack)
    dtype = _numeric.TFloat32 if force_tf32 else read.dtype
    align = assumed_align or max(dtype.width // 8, 1)
    if read.address % align:
        raise ValueError(f"the address {read.address:#x} is not a multiple of {align}")
    made = Tensor(
        read.address, dtype, read.shape, read.stride,
        is_host=read.is_host, align=align,
        owner=(tensor_dlpack, getattr(read, "owner", None)),
    )
    made.is_read_only = read.is_read_only
    return made


def make_fake_tensor(
    dtype: NumericMeta, shape: Sequence[Any], stride: Sequence[Any], *,
    memspace: AddressSpace = AddressSpace.gmem, assumed_align: int | None = None,
) -> Tensor:
    """Returns a tensor without memory, to compile for; SymInt are dynamic."""
    made = Tensor(
        None, dtype, [_known(x) for x in shape], [_known(x) for x in stride],
        is_host=memspace is AddressSpace.generic,
        align=assumed_align or max(dtype.width // 8, 1),
    )
    made._symbols = {i: x for i, x in enumerate(shape) if isinstance(x, SymInt)}
    for i, x in made._symbols.items():
        made._dynamic_shape[i] = _text.Dynamic(x.width, x.divisibility)
    for i, x in enumerate(stride):
        if isinstance(x, SymInt):
            made._dynamic_stride[i] = _text.Dynamic(x.width, x.divisibility)
    return made


def _known(x: Any) -> int:
    return x.divisibility if isinstance(x, SymInt) else x


def make_fake_compact_tensor(
    dtype: NumericMeta, shape: Sequence[Any], *, stride_order: Sequence[int] | None = None,
    memspace: AddressSpace = AddressSpace.gmem, assumed_align: int | None = None,
    use_32bit_stride: bool = False,
) -> Tensor:
    """Returns a compact tensor without memory, to compile for.

    :param stride_order: the place of each mode's stride, 0 the fastest; without
        it the first mode is the fastest

    >>> cute.runtime.make_fake_compact_tensor(Float16, (8, 4), stride_order=(1, 0))
    tensor<ptr<f16, gmem> o (8,4):(4,1)>
    """
    order = tuple(stride_order or range(len(shape)))
    stride: list[Any] = [0] * len(shape)
    step, is_dynamic, divisor = 1, False, 1
    for place in range(len(shape)):
        i = order.index(place)
        width = 32 if use_32bit_stride else 64
        stride[i] = SymInt(width, divisibility=divisor) if is_dynamic else step
        is_dynamic |= isinstance(shape[i], SymInt)
        divisor *= _known(shape[i])
        step *= _known(shape[i])
    return make_fake_tensor(
        dtype, shape, stride, memspace=memspace, assumed_align=assumed_align
    )


# ---- Modules ----------------------------------------------------------------


class TensorAdapter:
    """An array of another package as an argument: what ``from_dlpack`` makes of it, with a
    layout that may differ between calls.

    For example::

        compiled(TensorAdapter(numpy.zeros(8, numpy.float32)))

    :param arg: an array with ``__dlpack__``
    """

    def __init__(self, arg: Any):
        self._tensor = from_dlpack(arg).mark_layout_dynamic()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._tensor, name)

    def __cute_give__(self) -> Any:
        return self._tensor


def load_module(file_path: str, **options: Any) -> Any:
    """Returns export_to_c's functions from an object or a shared library."""
    from ._compile.export import load_module as load

    return load(file_path, **options)


def find_runtime_headers() -> str:
    """Returns the include folder (-I) for headers of exported functions."""
    here = os.path.dirname(os.path.realpath(__file__))
    places = (os.path.join(here, "include"), os.path.join(here, "..", "..", "include"))
    return os.path.normpath(next(filter(os.path.isdir, places), places[0]))


def find_runtime_libraries(*, enable_tvm_ffi: bool = False) -> list[str]:
    """Returns the libraries to link exported objects with."""
    with open("/proc/self/maps", encoding="utf-8") as maps:
        return sorted({x.split(maxsplit=5)[5].strip() for x in maps if "/libcute-run.so" in x})


def __getattr__(name: str) -> Any:
    if name == "cuda":  # a module of the reference's ``base_dsl.runtime``
        import importlib

        return importlib.import_module("cute.cuda")
    from ._compat.missing import no_such_name

    raise no_such_name("cute.runtime", name, globals())
