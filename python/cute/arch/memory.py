"""Memory that threads share: atomic operations, and accesses with an order and a scope.

``sem`` is "relaxed", "acquire", "release" or "acq_rel", relaxed where it is left out;
``scope`` names the threads that it covers, "cta", "cluster", "gpu" or "sys", the GPU's
threads if it is left out. A pointer is one of this package, or a value ``!llvm.ptr`` of
the IR.
"""

from __future__ import annotations

from typing import Any

from .._compile import ir as _ir
from .._values import numeric as _numeric
from .._mlir.dialects.llvm import inline_asm
from .._values.numeric import Numeric, NumericMeta, as_numeric
from ._ops import op

__all__ = [
    "alloc_smem",
    "atomic_add",
    "atomic_and",
    "atomic_cas",
    "atomic_exch",
    "atomic_fmax",
    "atomic_fmin",
    "atomic_max",
    "atomic_min",
    "atomic_or",
    "atomic_xor",
    "load",
    "red",
    "store",
]

# Numbers of LLVM: of orderings, and of the operations on floats that PTX has not.
_ORDERINGS = {"relaxed": 2, "acquire": 4, "release": 5, "acq_rel": 6}
_SCOPES = {"cta": "block", "cluster": "cluster", "gpu": "device", "sys": ""}
_OF_FLOATS = {"max": 13, "min": 14}
_OPERATIONS = ("add", "and", "exch", "max", "min", "or", "xor")
_SPACES = {"!llvm.ptr<1>": ".global", "!llvm.ptr<3>": ".shared"}


def _check(sem: str | None, scope: str | None) -> None:
    if sem is not None and sem not in _ORDERINGS:
        raise ValueError(f"sem is one of {', '.join(_ORDERINGS)}, not {sem!r}")
    if scope is not None and scope not in _SCOPES:
        raise ValueError(f"scope is one of {', '.join(_SCOPES)}, not {scope!r}")


def _attributes(sem: str | None, scope: str | None) -> dict[str, str]:
    """Returns the order and scope as LLVM says them."""
    _check(sem, scope)
    found = {"ordering": f"{_ORDERINGS[sem or 'relaxed']} : i64"}
    name = _SCOPES[scope or "gpu"]
    return {**found, "syncscope": f'"{name}"'} if name else found


def _address(ptr: Any) -> _ir.Value:
    return ptr.llvm_ptr if hasattr(ptr, "llvm_ptr") else ptr


def _pointed(ptr: Any, value: Any) -> Numeric:
    """Returns a value as a number of the pointer's type, if that says one."""
    if isinstance(value, Numeric):
        return value
    dtype = getattr(ptr, "dtype", None)
    return dtype(value) if isinstance(dtype, NumericMeta) else as_numeric(value)


def _type_of(name: str, dtype: NumericMeta) -> str:
    """Returns the type of an instruction of PTX, "noftz.f16".

    :raises TypeError: where there is none
    """
    if dtype.is_float:
        if name not in ("add", "exch") or dtype.width < 16:
            raise TypeError(f"atomic {name} is for integers, not {dtype}")
        if name == "add":
            text = "bf16" if dtype.ir_name == "bf16" else f"f{dtype.width}"
            return f"noftz.{text}" if dtype.width == 16 else text
    if not dtype.is_float and dtype.width not in (32, 64):
        raise TypeError(f"atomic {name} is for integers of 32 and 64 bits, not {dtype}")
    if name in ("max", "min"):
        return f"{'s' if dtype.signed else 'u'}{dtype.width}"
    return f"{'u' if name == 'add' else 'b'}{dtype.width}"


def _register(dtype: NumericMeta) -> str:
    if dtype.is_float and dtype.width >= 32:
        return "f" if dtype.width == 32 else "d"
    return {16: "h", 32: "r", 64: "l"}[dtype.width]


def _ptx(
    opcode: str, ptr: Any, name: str, values: list[Numeric], sem: str | None, scope: str | None
) -> Any:
    """Writes atom or red; returns what was there before, of red nothing."""
    _check(sem, scope)
    dtype, address = type(values[0]), _address(ptr)
    order = "" if sem is None and scope is None else f".{sem or 'relaxed'}.{scope or 'gpu'}"
    space = _SPACES.get(_ir.require("an atomic operation").type_of(address), "")
    kind, register = _type_of(name, dtype), _register(dtype)
    has_result = opcode == "atom"
    first = 1 if has_result else 0
    operands = ", ".join(f"${first + 1 + i}" for i in range(len(values)))
    text = f"{opcode}{order}{space}.{name}.{kind} "
    text += "$0, " * has_result + f"[${first}], {operands};"
    constraints = [f"={register}"] * has_result + ["l"] + [register] * len(values) + ["~{memory}"]
    made = inline_asm(
        _ir.type(dtype.ir_name) if has_result else None,
        [op("llvm.ptrtoint", [address], ["i64"])[0], *(v.ir_value() for v in values)],
        text, ",".join(constraints), has_side_effects=True,
    )
    return dtype(made) if has_result else None


def _fence(sem: str | None, scope: str | None, sides: tuple[str, ...]) -> None:
    if sem in sides:
        op("llvm.fence", (), (), _attributes("acq_rel", scope))


def _extreme(
    name: str, ptr: Any, value: Numeric, sem: str | None, scope: str | None
) -> Numeric:
    """Computes the maximum or minimum of floats in a loop, since PTX has no instruction for it."""
    dtype = type(value)
    _fence(sem, scope, ("release", "acq_rel"))
    attributes = {"bin_op": f"{_OF_FLOATS[name]} : i64", **_attributes("relaxed", scope)}
    made = op("llvm.atomicrmw", [_address(ptr), value.ir_value()], [dtype.ir_name], attributes)
    _fence(sem, scope, ("acquire", "acq_rel"))
    return dtype(made[0])


def _atomic(name: str, ptr: Any, val: Any, sem: str | None, scope: str | None) -> Numeric:
    value = _pointed(ptr, val)
    if type(value).is_float and name in _OF_FLOATS:
        return _extreme(name, ptr, value, sem, scope)
    return _ptx("atom", ptr, name, [value], sem, scope)


def _function(name: str, what: str) -> Any:
    def function(
        ptr: Any,
        val: Any,
        *,
        sem: str | None = None,
        scope: str | None = None,
        loc: Any = None,
        ip: Any = None,
    ) -> Numeric:
        return _atomic(name, ptr, val, sem, scope)

    function.__name__ = f"atomic_{name}"
    function.__doc__ = f"Atomically {what}; returns the old number."
    return function


atomic_add = _function("add", "adds to the number at an address")
atomic_and = _function("and", "computes the bitwise and")
atomic_or = _function("or", "sets bits")
atomic_xor = _function("xor", "flips bits")
atomic_max = _function("max", "computes the maximum")
atomic_min = _function("min", "computes the minimum")
atomic_exch = _function("exch", "writes")


def atomic_fmax(
    ptr: Any,
    val: Any,
    *,
    sign_bit: bool | None = None,
    sem: str | None = None,
    scope: str | None = None,
    loc: Any = None,
    ip: Any = None,
) -> Numeric:
    """Atomically computes the maximum of Float32; returns the old number."""
    return _atomic("max", ptr, _numeric.Float32(val), sem, scope)


def atomic_fmin(
    ptr: Any,
    val: Any,
    *,
    sign_bit: bool | None = None,
    sem: str | None = None,
    scope: str | None = None,
    loc: Any = None,
    ip: Any = None,
) -> Numeric:
    """Atomically computes the minimum of Float32; returns the old number."""
    return _atomic("min", ptr, _numeric.Float32(val), sem, scope)


def atomic_cas(
    ptr: Any,
    *,
    cmp: Any,
    val: Any,
    sem: str | None = None,
    scope: str | None = None,
    loc: Any = None,
    ip: Any = None,
) -> Numeric:
    """Atomically writes ``val`` if the number at the address is ``cmp``; returns the
    old number.

    :raises TypeError: for floats

    >>> import array
    >>> @cute.kernel
    ... def kernel(out: cute.Pointer):
    ...     before = cute.arch.atomic_cas(out, cmp=0, val=cute.arch.block_idx()[0] + 1)
    ...     cute.arch.atomic_add(out + 1, Int32(before == 0))
    >>> @cute.jit
    ... def launch(out: cute.Pointer):
    ...     kernel(out).launch(grid=4, block=1)
    >>> numbers = array.array("i", [0] * 2)
    >>> launch(cute.runtime.make_ptr(Int32, numbers.buffer_info()[0], cute.AddressSpace.gmem))
    >>> numbers[0] in (1, 2, 3, 4), numbers[1]  # one block of four was first
    (True, 1)
    """
    expected = _pointed(ptr, cmp)
    if type(expected).is_float:
        raise TypeError("atomic_cas is for integers; reinterpret floats as such")
    return _ptx("atom", ptr, "cas", [expected, type(expected)(val)], sem, scope)


def alloc_smem(
    element_type: Any, size_in_elems: int, alignment: int | None = None,
    *, loc: Any = None, ip: Any = None,
) -> Any:
    """Returns a pointer to elements in shared memory, as ``SmemAllocator`` does."""
    from .._values.struct import SmemAllocator

    return SmemAllocator().allocate_array(element_type, size_in_elems, alignment or 1)


_KINDS = {
    "s32": "Int32", "u32": "Uint32", "b32": "Uint32", "s64": "Int64", "u64": "Uint64",
    "b64": "Uint64", "f32": "Float32", "f64": "Float64", "f16": "Float16", "bf16": "BFloat16",
}


def _kind(dtype: Any) -> NumericMeta:
    if isinstance(dtype, NumericMeta):
        return dtype
    if dtype not in _KINDS:
        raise ValueError(f"dtype is one of {', '.join(_KINDS)} or a type, not {dtype!r}")
    return getattr(_numeric, _KINDS[dtype])


def red(
    ptr: Any,
    val: Any,
    *,
    op: str,
    dtype: Any,
    sem: str | None = None,
    scope: str | None = None,
    loc: Any = None,
    ip: Any = None,
) -> None:
    """Atomically adds to the number at an address, or combines it otherwise.

    :param op: "add", "min", "max", "umin", "umax", "and", "or" or "xor" :param dtype:
    "s32", "f16", ... or a numeric type; a number of the same width is reinterpreted
    """
    kind = _kind(dtype)
    if op in ("umin", "umax"):
        kind = getattr(_numeric, f"Uint{kind.width}")
        op = op[1:]
    if op not in _OPERATIONS or op == "exch":
        raise ValueError(f"op is add, min, max, umin, umax, and, or, xor, not {op!r}")
    value = kind(val) if not isinstance(val, Numeric) else val
    if type(value).is_float != kind.is_float and type(value).width == kind.width:
        value = value.bitcast(kind)
    if kind.is_float and op in _OF_FLOATS:
        _extreme(op, ptr, kind(value), sem, scope)
    else:
        _ptx("red", ptr, op, [kind(value)], sem, scope)


_ALLOWED = {
    "cop": ("ca", "cg", "cs", "lu", "cv", "wb", "wt"),
    "ss": ("cta", "cluster"),
    "level1_eviction_priority": (
        "evict_normal", "evict_first", "evict_last", "evict_no_allocate", "evict_unchanged",
    ),
    "level_prefetch_size": ("size_64b", "size_128b", "size_256b"),
}


def _check_hints(hints: dict[str, Any]) -> None:
    for name, value in hints.items():
        if name not in _ALLOWED:
            raise TypeError(f"{name} is not an argument; there are {', '.join(_ALLOWED)}")
        if value is not None and value not in _ALLOWED[name]:
            raise ValueError(f"{name} is one of {', '.join(_ALLOWED[name])}, not {value!r}")


def _access(dtype: NumericMeta, sem: str | None, scope: str | None) -> dict[str, str]:
    """Returns the attributes of an access: plain, or atomic where an order is given."""
    attributes = {"alignment": f"{dtype.width // 8} : i64"}
    return attributes if sem is None else {**attributes, **_attributes(sem, scope)}


def load(
    ptr: Any,
    dtype: NumericMeta,
    *,
    sem: str | None = None,
    scope: str | None = None,
    loc: Any = None,
    ip: Any = None,
    **hints: Any,
) -> Numeric:
    """Reads a number, with "relaxed" or "acquire" order if one is given.

    :param hints: ``cop``, ``ss``, ``level1_eviction_priority`` and
        ``level_prefetch_size``, which the compiler may leave out
    :raises TypeError: for a vector
    """
    _check_hints(hints)
    if not isinstance(dtype, NumericMeta):
        raise TypeError(f"a numeric type is read, not {dtype}; vectors are cute.copy's")
    made = op("llvm.load", [_address(ptr)], [dtype.ir_name], _access(dtype, sem, scope))
    return dtype(made[0])


def store(
    ptr: Any,
    val: Any,
    *,
    sem: str | None = None,
    scope: str | None = None,
    loc: Any = None,
    ip: Any = None,
    **hints: Any,
) -> None:
    """Writes a number, with "relaxed" or "release" order if one is given.

    :param hints: as for ``load``
    """
    _check_hints(hints)
    value = _pointed(ptr, val)
    attributes = _access(type(value), sem, scope)
    op("llvm.store", [value.ir_value(), _address(ptr)], (), attributes)
