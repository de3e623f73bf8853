"""Arithmetic of pairs in a word, with carries, and what has no other place."""

from __future__ import annotations

from typing import Any, Callable

from .._compile import ir as _ir
from .._frontend.errors import StaticValueError
from .._values import numeric as _numeric
from .._values.by_name import by_name
from .._values.numeric import (
    BFloat16,
    Float16,
    Float32,
    Int32,
    Int64,
    NumericMeta,
    Uint16,
    Uint32,
    as_numeric,
)
from .. import math as _math
from .inline import inline_ptx
from .lanes import match_any_sync
from .memory import atomic_fmax

_PAIRS = {"f16x2": Float16, "bf16x2": BFloat16}


# ---- Pairs of 16 bits -------------------------------------------------------


def _word(pair: Any, dtype: NumericMeta) -> Any:
    """Returns a pair as a word; a word stays."""
    if not isinstance(pair, (tuple, list)):
        return Int32(pair)
    low, high = (dtype(x).bitcast(Uint16).to(Uint32) for x in pair)
    return Int32(low | (high << 16))


def _pair(word: Any, dtype: NumericMeta) -> tuple[Any, Any]:
    halves = (Uint32(word), Uint32(word) >> 16)
    return tuple(Uint16(half).bitcast(dtype) for half in halves)


def _modifiers(named: dict[str, Any]) -> str:
    """Returns an opcode's modifiers: ".rn.ftz.sat.relu", in PTX's order."""
    unknown = set(named) - {"rnd", "ftz", "sat", "relu", "oob"}
    if unknown:
        raise TypeError(f"{', '.join(sorted(unknown))} is not an option of the instruction")
    rounding = f".{getattr(named['rnd'], 'value', named['rnd'])}" if named.get("rnd") else ""
    flags = ("ftz", "oob", "sat", "relu")
    return rounding + "".join(f".{name}" for name in flags if named.get(name))


def _packed(name: str, opcode: str, kind: str, count: int) -> Callable[..., Any]:
    dtype = _PAIRS[kind]

    def function(
        *operands: Any, predicate: Any = None, loc: Any = None, ip: Any = None, **options: Any
    ) -> Any:
        if len(operands) != count:
            raise TypeError(f"{name} takes {count} operands, not {len(operands)}")
        if opcode.startswith("fma"):
            options = {"rnd": "rn", **options}
        places = ", ".join(f"{{$r{i}}}" for i in range(count))
        text = f"{opcode}{_modifiers(options)}.{kind} {{$w0}}, {places};"
        words = [_word(x, dtype) for x in operands]
        made = inline_ptx(text, write_only_types=[Int32], read_only_args=words,
                          predicate=predicate)
        return _pair(made, dtype) if isinstance(operands[0], (tuple, list)) else made

    function.__name__ = function.__qualname__ = name
    function.__doc__ = (
        f"Returns {opcode}.{kind} of words, or of pairs of {dtype}, which give a pair."
    )
    return function


_SOURCES = {1: "src_a", 2: "src_a src_b", 3: "src_a src_b src_c"}
_OPERANDS = {2: "a|src_a b|src_b", 3: "a|src_a b|src_b c|src_c"}
_OPCODES = {"add": ("add", 2), "sub": ("sub", 2), "mul": ("mul", 2), "fma": ("fma", 3)}
for _kind in _PAIRS:
    for _name, (_opcode, _count) in _OPCODES.items():
        _full = f"{_name}_packed_{_kind}"
        globals()[_full] = by_name(_OPERANDS[_count], _packed(_full, _opcode, _kind, _count))
exp2_packed_f16x2 = _packed("exp2_packed_f16x2", "ex2.approx", "f16x2", 1)
exp2_packed_bf16x2 = _packed("exp2_packed_bf16x2", "ex2.approx.ftz", "bf16x2", 1)


def _scalar_fma(name: str, dtype: NumericMeta) -> Callable[..., Any]:
    def function(
        a: Any, b: Any, c: Any, *, rnd: Any = "rn", loc: Any = None, ip: Any = None,
        **options: Any,
    ) -> Any:
        text = f"fma{_modifiers({'rnd': rnd, **options})}.{dtype.ir_name}"
        numbers = [dtype(x) for x in (a, b, c)]
        return inline_ptx(f"{text} {{$w0}}, {{$r0}}, {{$r1}}, {{$r2}};",
                          write_only_types=[dtype], read_only_args=numbers)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"Returns a * b + c of {dtype}, rounded once."
    return function


fma_f16, fma_bf16 = _scalar_fma("fma_f16", Float16), _scalar_fma("fma_bf16", BFloat16)


def _mixed(operation: Callable[..., Any], result: NumericMeta, what: str) -> Callable[..., Any]:
    def function(
        *pairs: Any, calc_func: Any = None, dtype: Any = None, rnd: Any = None,
        loc: Any = None, ip: Any = None,
    ) -> Any:
        numbers = zip(*([Float32(x) for x in pair] for pair in pairs))
        return tuple((dtype or result)(operation(*each)) for each in numbers)

    function.__doc__ = f"Returns {what} of pairs, computed in Float32, as {result}."
    return by_name(_SOURCES[operation.__code__.co_argcount], function)


_SUMS = {"add": (lambda a, b: a + b, "a + b"), "sub": (lambda a, b: a - b, "a - b")}
for _short in ("f16", "bf16"):
    for _name, (_operation, _what) in _SUMS.items():
        globals()[f"{_name}_packed_{_short}x2_f32x2_f32x2"] = _mixed(
            _operation, _PAIRS[f"{_short}x2"], _what)
        globals()[f"{_name}_packed_f32x2_{_short}x2_f32x2"] = _mixed(_operation, Float32, _what)
    globals()[f"fma_packed_f32x2_{_short}x2_f32x2_f32x2"] = _mixed(
        lambda a, b, c: _math.fma(a, b, c), Float32, "a * b + c")


# ---- Carries ----------------------------------------------------------------


def _unsigned(name: str, operands: Any, count: int) -> tuple[Any, list[Any]]:
    """Returns the type of integers, and them without sign."""
    if len(operands) != count:
        raise TypeError(f"{name} takes {count} integers, not {len(operands)}")
    numbers = [as_numeric(x) for x in operands]
    dtype = next((n.dtype for n in numbers if not n.is_static), numbers[0].dtype)
    if not dtype.is_integer or dtype.width not in (32, 64):
        raise TypeError(f"{name} takes integers of 32 or 64 bits, not {dtype}")
    plain = getattr(_numeric, f"Uint{dtype.width}")
    return dtype, [plain(dtype(n)) for n in numbers]


def _sum(a: Any, b: Any) -> tuple[Any, Any]:
    return a + b, a + b < a


def _difference(a: Any, b: Any) -> tuple[Any, Any]:
    return a - b, a < b


def _product_sum(a: Any, b: Any, c: Any) -> tuple[Any, Any]:
    return _sum(a * b, c)


def _carries(name: str, compute: Callable[..., Any], count: int) -> Callable[..., Any]:
    """Returns a function that keeps the carry for the next one of the same block of code."""

    def function(*operands: Any, loc: Any = None, ip: Any = None) -> Any:
        dtype, numbers = _unsigned(name, operands, count)
        made, carry = compute(*numbers)
        trace = _ir.require(name)
        trace.carry = trace.block, carry
        return dtype(made)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"Computes as {name.replace('_', '.')} of PTX, and keeps what carries."
    return by_name("a b c"[: 2 * count - 1], function)


def _carried(name: str, compute: Callable[..., Any], count: int, sign: int) -> Callable[..., Any]:
    def function(*operands: Any, loc: Any = None, ip: Any = None) -> Any:
        dtype, numbers = _unsigned(name, operands, count)
        trace = _ir.require(name)
        block, carry = getattr(trace, "carry", (None, None))
        if block is not trace.block:
            raise StaticValueError(
                f"{name} takes a carry, but no add_cc, sub_cc or mad_cc precedes it in the same "
                "block of code")
        made = compute(*numbers)[0]
        number = type(made)(carry)
        return dtype(made + number if sign > 0 else made - number)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"Computes as {name} of PTX with the carry of what came before."
    return by_name("a b c"[: 2 * count - 1], function)


add_cc, addc = _carries("add_cc", _sum, 2), _carried("addc", _sum, 2, 1)
sub_cc, subc = _carries("sub_cc", _difference, 2), _carried("subc", _difference, 2, -1)
mad_cc, madc = _carries("mad_cc", _product_sum, 3), _carried("madc", _product_sum, 3, 1)


def _saturating(name: str, opcode: str) -> Callable[..., Any]:
    def function(a: Any, b: Any, *, loc: Any = None, ip: Any = None) -> Int32:
        return inline_ptx(f"{opcode}.sat.s32 {{$w0}}, {{$r0}}, {{$r1}};",
                          write_only_types=[Int32], read_only_args=[Int32(a), Int32(b)])

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"Returns the largest or smallest Int32 where {opcode} would wrap."
    return function


add_sat_int, sub_sat_int = _saturating("add_sat_int", "add"), _saturating("sub_sat_int", "sub")


# ---- Others -----------------------------------------------------------------


def cvt_f32_tf32(src_f32: Any, *, loc: Any = None, ip: Any = None) -> Any:
    """Returns the bits of a Float32 rounded to TFloat32, a value i32 of the IR."""
    return inline_ptx("cvt.rna.tf32.f32 {$w0}, {$r0};", write_only_types=[Int32],
                      read_only_args=[Float32(src_f32)]).ir_value()


def match_sync(
    mask: Any, value: Any, kind: str = "any", *, loc: Any = None, ip: Any = None
) -> Uint32:
    """Returns the lanes that have the same integer; with "all" the mask's lanes, or 0."""
    number = as_numeric(value)
    if kind == "any" and isinstance(mask, int) and mask & 0xFFFFFFFF == 0xFFFFFFFF:
        return Uint32(match_any_sync(number))
    result = {"any": "{$w0}", "all": "{$w0}|p"}
    if kind not in result:
        raise ValueError(f"kind is any or all, not {kind!r}")
    text = f"match.{kind}.sync.b{number.width} {result[kind]}, {{$r0}}, {{$r1}};"
    return inline_ptx(f"{{ .reg .pred p; {text} }}", write_only_types=[Uint32],
                      read_only_args=[number, Int32(mask)])


def atomic_max_float32(
    ptr: Any, value: Any, *, positive_only: bool = True, loc: Any = None, ip: Any = None
) -> Float32:
    """Atomically computes the maximum of Float32; returns the old number."""
    return atomic_fmax(ptr, value)


def store_async_dsmem(
    smem_ptr: Any, value: Any, mbar_ptr: Any, peer_cta_rank: Any, *, loc: Any = None,
    ip: Any = None,
) -> None:
    """Starts a store of 1, 2 or 4 integers to the shared memory of another block: st.async.

    :param mbar_ptr: the barrier that counts the bytes there, by its place here
    """
    numbers = [as_numeric(x) for x in (value if isinstance(value, tuple) else (value,))]
    width = numbers[0].width
    if len(numbers) not in (1, 2, 4) or width not in (32, 64) or width * len(numbers) > 128:
        raise TypeError("st.async stores 1, 2 or 4 integers of 32 bits, or 1 or 2 of 64")
    vector = f".v{len(numbers)}" if len(numbers) > 1 else ""
    places = ", ".join(f"{{$r{3 + i}}}" for i in range(len(numbers)))
    places = f"{{{places}}}" if vector else places
    head = "".join(f"mapa.shared::cluster.u64 {to}, {{$r{i}}}, {{$r2}}; "
                   for i, to in enumerate(("at", "bar")))
    store = f"st.async.shared::cluster.mbarrier::complete_tx::bytes{vector}.b{width}"
    inline_ptx(f"{{ .reg .b64 at, bar; {head}{store} [at], {places}, [bar]; }}",
               read_only_args=[smem_ptr, mbar_ptr, Int32(peer_cta_rank), *numbers])


def _register(name: str, what: str) -> Callable[..., Any]:
    def function(*, loc: Any = None, ip: Any = None) -> Int32:
        return inline_ptx(f"mov.u32 {{$w0}}, %{name};", write_only_types=[Int32])

    function.__name__, function.__doc__ = name, f"Returns {what}: %{name}."
    return function


globaltimer_lo = _register("globaltimer_lo", "the lower half of the time in nanoseconds")
physical_warp_id = _register("warpid", "the warp's current hardware slot")
total_smem_size = _register("total_smem_size", "the bytes of shared memory of the block")
aggr_smem_size = _register("aggr_smem_size", "these bytes plus the system's")


def gridid(*, loc: Any = None, ip: Any = None) -> Int32:
    """Returns the number of the launch: %gridid."""
    return Int32(inline_ptx("mov.u64 {$w0}, %gridid;", write_only_types=[Int64]))


__all__ = [name for name in list(globals()) if name[0] != "_" and callable(globals()[name])
           and getattr(globals()[name], "__module__", "") == __name__]
