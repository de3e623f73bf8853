"""Accesses with predicates, and reductions over lanes: operations of the dialect that
CuTe DSL has no name for."""

from __future__ import annotations

from typing import Any

from .. import _arith, _builder, _ir, _values
from .._numeric import Numeric
from .._tensor import Tensor
from .._tensor_ssa import TensorSSA
from .._values import wrap


def below(numbers: Tensor, bound: Any) -> Tensor:
    """Returns of each coordinate whether it is below a bound."""
    return wrap(_ir.apply("make_predicate", numbers.ir, _values.int_tuple(bound)))


def load(tensor: Tensor, exist: Tensor, pad: str | None = None) -> TensorSSA:
    """Returns the elements of a tensor, 0 or ``pad`` for those that do not exist."""
    vector = _ir.apply("load_vector", tensor.ir, exist.ir, pad=pad)
    return TensorSSA(vector, tensor.shape, tensor.element_type)


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


def larger(a: Numeric, b: Any) -> Numeric:
    """Returns the larger of two floats; NaN if one is."""
    other = type(a)(b).ir_value()
    return type(a)(_arith.binary("max", a.ir_value(), other, type(a)))


def quotient(a: Numeric, b: Numeric) -> Numeric:
    """Returns a / b by the device's instruction, within 2 ulp."""
    made = _builder.require("a quotient").op(
        "arith.divf", [a.ir_value(), b.ir_value()], [a.dtype.ir_name],
        {"fastmath": "#arith.fastmath<afn>"},
    )
    return type(a)(made[0])
