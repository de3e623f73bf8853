"""Memory that several GPUs share: sums over all replicas, and counters that blocks wait for.

A multicast pointer means the same place in the memory of each GPU of a multicast
object (``cuMulticastCreate``, torch's symmetric memory); multimem, from sm_90 on. On the
simulator there is one GPU, and any pointer to global memory will do.
"""

from __future__ import annotations

from typing import Any

from .. import arch, core
from .._compile import ir as _ir
from .._compile.jit import jit
from .._mlir.dialects.llvm import extractvalue, inline_asm
from .._values.by_name import by_name
from .._values.numeric import (
    BFloat16,
    Float8E4M3FN,
    Float8E5M2,
    Float16,
    Float32,
    Int32,
    NumericMeta,
)
from .._values.tensor_ssa import TensorSSA, vector_of
from ..arch import inline_ptx

# The suffix of multimem.ld_reduce for a type, and how many elements a register holds.
_SUMS = {
    Float32: ("f32", 1),
    Float16: ("acc::f32.{}f16x2", 2),
    BFloat16: ("acc::f32.{}bf16x2", 2),
    Float8E4M3FN: ("acc::f16.{}e4m3x4", 4),
    Float8E5M2: ("acc::f16.{}e5m2x4", 4),
}
_ORDERS, _SCOPES = ("relaxed", "release"), ("gpu", "sys")


def _registers(letter: str, count: int) -> str:
    names = ", ".join(f"{{${letter}{i}}}" for i in range(count))
    return f"{{{names}}}" if count > 1 else names


def _vector(count: int) -> str:
    return f"v{count}." if count > 1 else ""


def _named(function: Any, name: str) -> Any:
    function.__name__ = function.__qualname__ = name
    return function


# ---- Multicast memory -------------------------------------------------------


def multimem_ld_reduce(
    mc_ptr: Any, *, dtype: NumericMeta, num_elements: int, loc: Any = None, ip: Any = None
) -> tuple[Int32, ...]:
    """Returns the sums over all replicas of some elements, in registers of 32 bits.

    Halves are added as Float32, floats of 8 bits as Float16, and rounded at the end.

    :param dtype: Float32, Float16, BFloat16, Float8E4M3FN or Float8E5M2
    :param num_elements: such that they fill 1, 2 or 4 registers
    :raises ValueError: for other types and counts

    For example::

        multimem_ld_reduce(pointer, dtype=Float16, num_elements=8)  # four registers
    """
    text, each = _SUMS.get(dtype, ("", 1))
    count, rest = divmod(num_elements, each)
    if not text or rest or count not in (1, 2, 4):
        known = ", ".join(f"{t} ({n}, {2 * n} or {4 * n})" for t, (_, n) in _SUMS.items())
        raise ValueError(f"{num_elements} elements of {dtype} are not added over replicas at "
                         f"once; {known} are")
    kind = text.format(_vector(count)) if "{}" in text else _vector(count) + text
    made = inline_ptx(
        f"multimem.ld_reduce.weak.global.add.{kind} {_registers('w', count)}, [{{$r0}}];",
        write_only_types=[Int32] * count, read_only_args=[mc_ptr])
    return made if isinstance(made, tuple) else (made,)


def _base(bits: int) -> Any:
    count = bits // 32

    def load(
        mc_ptr: Any, *, ptx_string: str = "", loc: Any = None, ip: Any = None
    ) -> tuple[Any, ...]:
        kinds = ["i32"] * count
        result = "i32" if count == 1 else f"!llvm.struct<({', '.join(kinds)})>"
        made = inline_asm(_ir.type(result), [mc_ptr.toint().ir_value()], ptx_string,
                          "=r," * count + "l,~{memory}", has_side_effects=True)
        if count == 1:
            return (made,)
        return tuple(extractvalue(_ir.type("i32"), made, [i]) for i in range(count))

    load.__doc__ = (f"Returns what an instruction reads through a multicast pointer, {bits} bits.\n\n"
                    f"    :param ptx_string: PTX with $0 to ${count - 1} for the words, as values of "
                    f"the IR,\n        and ${count} for the address\n    ")
    return _named(load, f"multimem_ld_reduce_{bits}bit_base")


def multimem_st(mc_ptr: Any, *regs: Any, loc: Any = None, ip: Any = None) -> None:
    """Writes 1, 2 or 4 registers of 32 bits to all replicas.

    :raises ValueError: for another number of registers
    """
    count = len(regs)
    if count not in (1, 2, 4):
        raise ValueError(f"1, 2 or 4 registers are written to all replicas, not {count}")
    text = "{$r1}" if count == 1 else f"{{{', '.join(f'{{$r{i + 1}}}' for i in range(count))}}}"
    inline_ptx(f"multimem.st.weak.global.{_vector(count)}f32 [{{$r0}}], {text};",
               read_only_args=[mc_ptr, *(Int32(x).bitcast(Float32) for x in regs)])


def _load(count: int, dtype: NumericMeta) -> Any:
    def load(mc_ptr: Any, *, loc: Any = None, ip: Any = None) -> tuple[Int32, ...]:
        return multimem_ld_reduce(mc_ptr, dtype=dtype, num_elements=count)

    load.__doc__ = f"Returns the sums over all replicas of {count} elements of {dtype}."
    return load


def _store(count: int) -> Any:
    def store(mc_ptr: Any, *regs: Any, loc: Any = None, ip: Any = None) -> None:
        if len(regs) != count:
            raise ValueError(f"{count} registers are written, not {len(regs)}")
        multimem_st(mc_ptr, *regs)

    store.__doc__ = f"Writes {count} registers of 32 bits to all replicas."
    return by_name("mc_ptr x y z w"[: 6 + 2 * count], store)


_SHORT = {Float32: "f32", Float16: "f16", BFloat16: "bf16", Float8E4M3FN: "e4m3",
          Float8E5M2: "e5m2"}
_MADE = {
    **{f"multimem_ld_reduce_{n * each}x{_SHORT[dtype]}": _load(n * each, dtype)
       for dtype, (_, each) in _SUMS.items() for n in (1, 2, 4)},
    **{f"multimem_st_{n}xb32": _store(n) for n in (1, 2, 4)},
    **{f"multimem_ld_reduce_{bits}bit_base": _base(bits) for bits in (32, 64, 128)},
}
globals().update({name: _named(function, name) for name, function in _MADE.items()})


# ---- Counters ---------------------------------------------------------------


def _check(order: str, orders: tuple[str, ...], scope: str) -> None:
    for value, valid, what in ((order, orders, "order"), (scope, _SCOPES, "scope")):
        if value not in valid:
            raise ValueError(f"{what} is {' or '.join(valid)}, not {value!r}")


def _add1(opcode: str, lock_ptr: Any, order: str, scope: str) -> None:
    _check(order, _ORDERS, scope)
    inline_ptx(f"{opcode}.{order}.{scope}.global.add.u32 [{{$r0}}], 1;", read_only_args=[lock_ptr])


def red_add1(
    lock_ptr: Any, *, order: str, scope: str, loc: Any = None, ip: Any = None
) -> None:
    """Adds 1 to a counter of 32 bits in global memory.

    :param order: "relaxed", or "release": what the thread wrote before is there for those who
        see the sum with acquire order
    :param scope: "gpu", or "sys": the threads of all GPUs
    """
    _add1("red", lock_ptr, order, scope)


def multimem_red_add1(
    lock_ptr: Any, *, order: str, scope: str, loc: Any = None, ip: Any = None
) -> None:
    """Adds 1 to the counter of every replica, as ``red_add1`` does to one."""
    _add1("multimem.red", lock_ptr, order, scope)


def _multimem_red(order: str, scope: str) -> Any:
    def add1(lock_ptr: Any, *, loc: Any = None, ip: Any = None) -> None:
        multimem_red_add1(lock_ptr, order=order, scope=scope)

    add1.__doc__ = f"Adds 1 to the counter of every replica: {order}, {scope}."
    return _named(add1, f"multimem_red_{order}_{scope}_add1")


_RED = {f"multimem_red_{order}_{scope}_add1": _multimem_red(order, scope)
        for order in _ORDERS for scope in _SCOPES}
globals().update(_RED)


def atomicAdd(  # noqa: N802 (the name of the reference)
    dst_ptr: Any, val: Int32, *, loc: Any = None, ip: Any = None
) -> Int32:
    """Adds a number to one in global memory, for all GPUs; returns the old one."""
    return arch.atomic_add(dst_ptr, Int32(val), sem="relaxed", scope="sys")


def ld_bypass(input_tensor: Any) -> TensorSSA:
    """Returns the elements of a tensor in memory as they are there now, past all caches."""
    parts = [arch.load(input_tensor.iterator + core.crd2idx(i, input_tensor.layout),
                       input_tensor.element_type, cop="cv")
             for i in range(core.size(input_tensor))]
    vector = vector_of(parts, input_tensor.element_type).ir_value()
    return TensorSSA(vector, input_tensor.shape, input_tensor.element_type)


@jit
def _wait_and_reset(lock_ptr: Any, expected: Int32, reset: Int32, sem: Any, scope: Any) -> None:
    seen = expected - 1
    while seen != expected:
        seen = arch.atomic_cas(lock_ptr, cmp=expected, val=reset, sem=sem, scope=scope)


@jit
def _wait(lock_ptr: Any, expected: Int32, scope: Any) -> None:
    seen = expected - 1
    while seen < expected:
        seen = arch.load(lock_ptr, Int32, sem="relaxed", scope=scope)


def _wait_by_cas(
    lock_ptr: Any, expected_val: Any, reset_val: Any, sem: str, scope: str
) -> None:
    _check(sem, (sem,), scope)
    _wait_and_reset(lock_ptr, Int32(expected_val), Int32(reset_val), sem, scope)


def spin_lock_atom_cas_relaxed_wait(
    lock_ptr: Any, *, expected_val: Any, reset_val: Any, scope: str, loc: Any = None,
    ip: Any = None,
) -> None:
    """Waits until a counter has a value, and sets it to ``reset_val``: one thread of all.

    :param lock_ptr: an Int32 in global memory
    :param scope: "gpu" or "sys"
    """
    _wait_by_cas(lock_ptr, expected_val, reset_val, "relaxed", scope)


def spin_lock_atom_cas_acquire_wait(
    lock_ptr: Any, *, expected_val: Any, reset_val: Any, scope: str, loc: Any = None,
    ip: Any = None,
) -> None:
    """Waits and resets as ``spin_lock_atom_cas_relaxed_wait`` does; what was written before
    the counter had its value is there then."""
    _wait_by_cas(lock_ptr, expected_val, reset_val, "acquire", scope)


def spin_lock_ld_lt_relaxed_wait(
    lock_ptr: Any, *, expected_val: Any, scope: str, loc: Any = None, ip: Any = None
) -> None:
    """Waits while a counter is less than a value."""
    _check("relaxed", ("relaxed",), scope)
    _wait(lock_ptr, Int32(expected_val), scope)


__all__ = [
    *_MADE,
    *_RED,
    "atomicAdd",
    "ld_bypass",
    "multimem_ld_reduce",
    "multimem_red_add1",
    "multimem_st",
    "red_add1",
    "spin_lock_atom_cas_acquire_wait",
    "spin_lock_atom_cas_relaxed_wait",
    "spin_lock_ld_lt_relaxed_wait",
]
