"""Accesses with predicates, and reductions over lanes: operations of the dialect that
CuTe DSL has no name for."""

from __future__ import annotations

from typing import Any

from .. import math as _math
from .._values import arith as _arith, operands as _values
from .._frontend import builder as _builder
from .._compile import ir as _ir
from .._values.atoms import CopyAtom, TiledCopy, make_copy_atom
from .._mlir.dialects.llvm import inline_asm
from .._values.numeric import Float32, Int32, Int64, Integer, Numeric, Uint32
from .._values.op import CopyOp, MmaOp
from .._values.pointer import element_text
from .._values.tensor import Tensor, make_tensor
from .._values.shapes import shape_text
from .._values.tensor_ssa import TensorSSA, vector_of
from .._values.operands import wrap
from ..instructions._write import write


def below(numbers: Tensor, bound: Any) -> Tensor:
    """Returns of each coordinate whether it is below a bound."""
    return wrap(_ir.apply("make_predicate", numbers.ir, _values.int_tuple(bound)))


def counts(copy: TiledCopy, numbers: Tensor, bound: Any) -> Tensor:
    """Returns of each access of a copy how many of its elements have coordinates below a
    bound."""
    return wrap(_ir.apply("make_counts", copy.ir, numbers.ir, _values.int_tuple(bound)))


def load(tensor: Tensor, exist: Tensor, pad: str | None = None) -> TensorSSA:
    """Returns the elements of a tensor, 0 or ``pad`` for the ones that do not exist."""
    vector = _ir.apply("load_vector", tensor.ir, exist.ir, pad=pad)
    return TensorSSA(vector, tensor.shape, tensor.element_type)


def load_once(tensor: Tensor, exist: Tensor, pad: int, policy: Any) -> TensorSSA:
    """Returns pieces of 16 bytes, (piece, pieces), with a policy of the L2 cache.

    :param pad: the word in place of 32 bits of pieces that do not exist
    :param policy: of 64 bits, as createpolicy returns it
    """
    ask = ("{ .reg .pred p; setp.ne.u32 p, {1}, 0; mov.b32 $0, {2}; mov.b32 $1, {2}; mov.b32 $2, {2}; "
           "mov.b32 $3, {2}; @p ld.global.L2::cache_hint.v4.b32 { $0, $1, $2, $3 }, [{0}], {3}; }")
    words = []
    for i in range(exist.shape[0]):
        words += write(ask, tensor[None, i].iterator, Uint32(exist[i]), Uint32(pad), policy,
                       results=[Uint32] * 4)
    return vector_of(words, Uint32).bitcast(tensor.element_type).reshape(tensor.shape)


def store(vector: TensorSSA, tensor: Tensor, exist: Tensor) -> None:
    """Writes those elements of a tensor that exist."""
    value = vector.to(tensor.element_type).ir_value()
    _ir.apply("store_vector", value, tensor.ir, exist.ir, results=[])


def across(kind: str, value: Numeric, lanes: int = 0) -> Numeric:
    """Combines a number of each of ``lanes`` lanes, or of a whole warp, for all of them.

    :param kind: ``add`` or ``maximumf``
    """
    attributes = {"op": f"#gpu<all_reduce_op {kind}>"}
    attributes.update({"cluster_size": f"{lanes} : i32"} if lanes else {"uniform": "unit"})
    made = _builder.require("a reduction").op(
        "gpu.subgroup_reduce", [value.ir_value()], [value.dtype.ir_name], attributes
    )
    return type(value)(made[0])


def larger(a: Any, b: Any) -> Any:
    """Returns the larger of two floats, or of the elements of vectors; NaN if one is."""
    if isinstance(a, TensorSSA):
        if not isinstance(b, TensorSSA):
            b = splat(b, a.size)
        value = _arith.binary("max", a.ir_value(), b.ir_value(), a.dtype, a.size)
        return TensorSSA(value, a.shape, a.dtype)
    other = type(a)(b).ir_value()
    return type(a)(_arith.binary("max", a.ir_value(), other, type(a)))


def largest(vector: TensorSSA) -> Numeric:
    """Returns the largest element; NaN if one is."""
    made = _builder.require("a reduction").op(
        "vector.reduction", [vector.ir_value()], [vector.dtype.ir_name],
        {"kind": "#vector.kind<maximumf>"},
    )
    return vector.dtype(made[0])


def splat(number: float, size: int) -> TensorSSA:
    """Returns a vector of equal elements of Float32."""
    value = _arith.constant(number, Float32, size)
    return TensorSSA(value, size, Float32)


def repeat(vector: TensorSSA, like: Any, shape: Any) -> TensorSSA:
    """Returns a vector repeated along modes.

    :param like: its shape, with extent 1 where ``shape``, that of the result, has another
    """
    texts = {"from": shape_text(like), "to": shape_text(shape)}
    made = _ir.apply("broadcast_vector", vector.ir_value(), **texts)
    return TensorSSA(made, shape, vector.dtype)


def for_each(function: Any, vector: TensorSSA) -> TensorSSA:
    """Returns a vector of a function's results for the elements."""
    builder, dtype = _builder.require("elements of a vector"), vector.dtype
    elements = []
    for i in range(vector.size):
        place = {"static_position": f"array<i64: {i}>"}
        element = builder.op("vector.extract", [vector.ir_value()], [dtype.ir_name], place)
        elements.append(function(dtype(element[0])).ir_value())
    made = builder.op("vector.from_elements", elements, [builder.type_of(vector.ir_value())])
    return TensorSSA(made[0], vector.shape, dtype)


def dot(x: TensorSSA, y: TensorSSA) -> Numeric:
    """Returns the sum of the products of elements, one after the other, each with one rounding."""
    found = x.dtype(0.0)
    for i in range(x.size):
        found = _math.fma(x[i], y[i], found)
    return found


def quotient(a: Numeric, b: Numeric) -> Numeric:
    """Returns a / b by the device's instruction, within 2 ulp."""
    made = _builder.require("a quotient").op(
        "arith.divf", [a.ir_value(), b.ir_value()], [a.dtype.ir_name],
        {"fastmath": "#arith.fastmath<afn>"},
    )
    return type(a)(made[0])


# ---- Atoms and memory -------------------------------------------------------


class _NamedCopy(CopyOp):
    """A copy operation by the name of its atom."""

    def __init__(self, name: str):
        self.name = name

    def atom_name(self, bits: int) -> str:
        return self.name


class _NamedMma(MmaOp):
    """An MMA operation by the name of its atom."""

    def __init__(self, name: str):
        self.name = name

    def atom_name(self) -> str:
        return self.name


def mma_op(name: str) -> MmaOp:
    """Returns the operation of the atom with a name of docs/atoms.md."""
    return _NamedMma(name)


def copy_atom(name: str, dtype: Any) -> CopyAtom:
    """Returns the atom with a name of docs/atoms.md."""
    return make_copy_atom(_NamedCopy(name), dtype)


def allocate(dtype: Any, layout: Any, alignment: int) -> Tensor:
    """Returns a tensor in shared memory."""
    element = _ir.type(element_text(dtype))
    return wrap(_ir.apply("alloc_smem", layout.ir, element=element, align=alignment))


def assume(tensor: Tensor, text: str) -> Tensor:
    """Returns the same tensor with a type that promises more."""
    return wrap(_ir.apply("assume", tensor.ir, results=[_ir.type(text)]), tensor)


def pitch(tensor: Tensor) -> Int64:
    """Returns the stride of a matrix that is not 1."""
    return next(s for s in tensor.stride if not isinstance(s, int))


def convert(source: Tensor, to: Tensor) -> None:
    """Writes the elements of registers to others, as numbers of their type."""
    _ir.apply("convert", source.ir, to.ir, results=[])


def clear(tensor: Tensor) -> None:
    """Writes zeros."""
    _ir.apply("clear", tensor.ir, results=[])


# ---- Threads ----------------------------------------------------------------


def from_first(numbers: Tensor) -> tuple[Tensor, Any]:
    """Returns a thread's numbers less its first, which are static, and its first."""
    return make_tensor(0, numbers.layout), numbers.iterator


def thread_anew() -> Int32:
    """Returns the thread's number, read anew where the registers are needed for other
    things: what is computed from it is computed there, since no pass sees that it is the
    same."""
    return Int32(inline_asm(_ir.type("i32"), [], "mov.u32 $0, %tid.x;", "=r",
                            has_side_effects=True))


def computed_here(vector: TensorSSA) -> TensorSSA:
    """Returns the same elements of Float32, computed before what follows: no pass puts that off to where
    they are used, and keeps what it takes until then."""
    elements = vector.reshape(vector.size).to_elements()
    numbers = [inline_asm(_ir.type("f32"), [x.ir_value()], "mov.b32 $0, $1;", "=f,f",
                          has_side_effects=True) for x in elements]
    return vector_of([Float32(x) for x in numbers], Float32).reshape(vector.shape)


def anew(x: Int32) -> Int32:
    """Returns the same number, from which a loop computes anew each time what would take registers all
    the time."""
    return Int32(inline_asm(_ir.type("i32"), [x.ir_value()], "mov.b32 $0, $1;", "=r,r",
                            has_side_effects=True))


# ---- Integers ---------------------------------------------------------------


def ceil_div(a: Integer, b: Any) -> Integer:
    """Returns the quotient of two unsigned integers, rounded up."""
    kind = type(a)
    operands = [a.ir_value(), kind(b).ir_value()]
    return kind(_builder.require("a quotient").op("arith.ceildivui", operands, [kind.ir_name])[0])
