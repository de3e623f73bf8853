"""Matrix products of warps and warpgroups, one instruction of PTX each."""

from __future__ import annotations

import re
from typing import Any, Sequence

from .._compile import ir as _ir
from .._mlir.dialects.llvm import StructType
from .._mlir.ir import raw
from .._values.numeric import Int32, Int64, NumericMeta, as_numeric
from ._kinds import WgmmaSwizzle, word
from ._write import place, space, word32, word64

__all__ = [
    "WgmmaSmemDesc",
    "mma_sp_sync",
    "mma_sync",
    "wgmma_mma_async",
    "wmma_load",
    "wmma_mma",
    "wmma_store",
]


# ---- Registers --------------------------------------------------------------

# The letter of inline PTX for a register, by the type of its value.
_LETTERS = {"f32": "f", "f64": "d", "i32": "r", "i64": "l"}


def _members(result: Any) -> list[str]:
    """Returns the types of the registers of a result: of a struct, a type, or a list of them."""
    if isinstance(result, (tuple, list)):
        return [text for one in result for text in _members(one)]
    text = result.ir_name if isinstance(result, NumericMeta) else _ir.text_of(result)
    found = re.fullmatch(r"!llvm\.struct<\((.*)\)>", text)
    return [m.strip() for m in found[1].split(",")] if found else [text]


def _values(operand: Any) -> list[Any]:
    """Returns the SSA values of an operand: of a struct its members, of a list all."""
    if isinstance(operand, (tuple, list)):
        return [value for one in operand for value in _values(one)]
    if hasattr(operand, "to_elements"):
        return [x.ir_value() for x in operand.to_elements()]
    if isinstance(operand, (int, float)):
        return [as_numeric(operand).ir_value()]
    value = raw(operand)
    trace = _ir.require("a product")
    text = trace.type_of(value)
    if not text.startswith("!llvm.struct"):
        return [value]
    return [trace.op("llvm.extractvalue", [value], [member], {"position": f"array<i64: {i}>"})[0]
            for i, member in enumerate(_members(value.type))]


def _register(value: Any) -> Any:
    """Returns a value as one that a register holds: pairs of 16 bits and the like, as a word."""
    trace = _ir.require("a product")
    text = trace.type_of(value)
    if text in _LETTERS:
        return value
    return trace.op("llvm.bitcast", [value], ["i32"])[0]


def _make(result: Any, members: list[Any]) -> Any:
    """Returns registers as a result: a struct of the type, a number, or a tuple."""
    trace = _ir.require("a product")
    wanted = _members(result)
    made = [x if trace.type_of(x) == text else trace.op("llvm.bitcast", [x], [text])[0]
            for x, text in zip(members, wanted)]
    if isinstance(result, (tuple, list)):
        return tuple(kind(x) if isinstance(kind, NumericMeta) else x
                     for kind, x in zip(result, made))
    if isinstance(result, NumericMeta):
        return result(made[0])
    whole = _ir.text_of(result)
    if not whole.startswith("!llvm.struct"):
        return made[0]
    value = trace.op("llvm.mlir.poison", [], [whole])[0]
    for i, member in enumerate(made):
        value = trace.op("llvm.insertvalue", [value, member], [whole],
                         {"position": f"array<i64: {i}>"})[0]
    return value


def _execute(
    text: str, operands: Sequence[Sequence[Any]], result: Any, tied: bool = False
) -> Any:
    """Writes PTX in which <0>, <1> ... are lists of registers; <r> is that of the result.

    :param operands: SSA values by list
    :param tied: the first list is of the registers of the result
    """
    from .._mlir.dialects.llvm import extractvalue, inline_asm

    trace = _ir.require("a product")
    kinds = [t if t in _LETTERS else "i32" for t in ([] if result is None else _members(result))]
    constraints = [f"={_LETTERS[k]}" for k in kinds]
    values, lists, at = [], {}, len(kinds)
    for i, group in enumerate(operands):
        registers = [_register(x) for x in group]
        lists[str(i)] = ", ".join(f"${at + j}" for j in range(len(registers)))
        if tied and not i:
            constraints += [str(j) for j in range(len(registers))]
        else:
            constraints += [_LETTERS[trace.type_of(x)] for x in registers]
        values += registers
        at += len(registers)
    lists["r"] = ", ".join(f"${i}" for i in range(len(kinds)))
    text = re.sub(r"<(\w)>", lambda m: lists[m[1]], text)
    types = [_ir.type(k) for k in kinds]
    kind = None if not types else types[0] if len(types) == 1 else StructType.get_literal(types)
    made = inline_asm(kind, values, text, ",".join([*constraints, "~{memory}"]),
                      has_side_effects=True)
    if result is None:
        return None
    parts = [made] if len(types) == 1 else [extractvalue(t, made, [i]) for i, t in enumerate(types)]
    return _make(result, [raw(x) for x in parts])


# ---- mma --------------------------------------------------------------------

_OF_REGISTERS = {"f32": "f32", "f64": "f64", "i32": "s32", "vector<2xf16>": "f16"}


def _shape(shape: Any) -> str:
    numbers = shape
    if isinstance(shape, dict):
        numbers = [shape[k] for k in "mnk"]
    elif not isinstance(shape, (tuple, list)):
        numbers = re.findall(r"= *(\d+)", str(shape))
    return "m{}n{}k{}".format(*numbers)


def _operand_type(given: Any, values: list[Any], which: str) -> str:
    """Returns PTX's type of the elements of an operand.

    :raises TypeError: where the registers do not say it
    """
    if given is not None:
        return word("MMAType", given)
    found = _ir.require("a product").type_of(values[0])
    if found not in ("vector<2xf16>", "f64"):
        raise TypeError(f"registers of {found} hold elements of several types: say which by "
                        f"multiplicand_{which}_ptx_type")
    return _OF_REGISTERS[found]


def _mma(
    head: str, res: Any, operands: Sequence[Any], types: Sequence[Any], overflow: Any,
    tail: str = "", more: Sequence[Any] = (),
) -> Any:
    """Writes a product D = A B + C whose name begins with ``head`` and ends with the types."""
    lists = [_values(x) for x in operands]
    given = [_operand_type(t, lists[i], "ab"[i]) for i, t in enumerate(types)]
    last = _OF_REGISTERS.get(_ir.require("a product").type_of(lists[2][0]), "s32")
    first = _OF_REGISTERS.get(_members(res)[0], "s32")
    if overflow is not None and word("MMAIntOverflow", overflow) == "satfinite":
        head += ".satfinite"
    name = f"{head}.{first}.{given[0]}.{given[1]}.{last}"
    return _execute(f"{name}{tail}", [*lists, *map(_values, more)], res)


_FRAGMENTS = " {<r>}, {<0>}, {<1>}, {<2>}"


def mma_sync(
    res: Any, shape: Any, layout_a: Any, layout_b: Any, operand_a: Any, operand_b: Any,
    operand_c: Any, *, b1_op: Any = None, int_overflow_behavior: Any = None,
    multiplicand_a_ptx_type: Any = None, multiplicand_b_ptx_type: Any = None,
    loc: Any = None, ip: Any = None,
) -> Any:
    """Returns A B + C of a warp's fragments: mma.sync.

    An operand is a list of registers: numbers of 32 bits, pairs ``vector<2xf16>`` of the
    IR, or for f64 numbers of 64 bits; how many follows from the shape (PTX ISA, "mma").

    :param res: a struct of the IR, a numeric type, or a list of these: what is returned
    :param shape: (m, n, k)
    :param multiplicand_a_ptx_type: MMAType of A's elements, where registers do not say it
    :raises TypeError: where the type of elements is not known

    For example::

        d = mma_sync([Float32] * 4, (16, 8, 8), "row", "col", a, b, c,
                     multiplicand_a_ptx_type="tf32", multiplicand_b_ptx_type="tf32")
    """
    layouts = f"{word('MMALayout', layout_a)}.{word('MMALayout', layout_b)}"
    tail = ""
    if b1_op is not None and word("MMAB1Op", b1_op) != "none":
        tail = f".{word('MMAB1Op', b1_op)}"
    return _mma(f"mma.sync.aligned.{_shape(shape)}.{layouts}", res,
                (operand_a, operand_b, operand_c),
                (multiplicand_a_ptx_type, multiplicand_b_ptx_type), int_overflow_behavior,
                f"{tail}{_FRAGMENTS};")


def mma_sp_sync(
    res: Any, shape: Any, operand_a: Any, operand_b: Any, operand_c: Any, sparse_metadata: Any,
    sparsity_selector: int, *, int_overflow_behavior: Any = None,
    multiplicand_a_ptx_type: Any = None, multiplicand_b_ptx_type: Any = None,
    ordered_metadata: bool | None = None, kind: Any = None, loc: Any = None, ip: Any = None,
) -> Any:
    """Returns A B + C where A has two of four elements: mma.sp.sync. Operands as mma_sync's.

    :param sparse_metadata: a word that says which elements A has
    :param sparsity_selector: which threads have the metadata, a number of Python
    :param ordered_metadata: the places of the elements ascend
    """
    head = f"mma.sp{'::ordered_metadata' * bool(ordered_metadata)}.sync.aligned"
    head += f".{_shape(shape)}.row.col"
    if kind is not None:
        head += f".kind::{word('MMAKind', kind)}"
    return _mma(head, res, (operand_a, operand_b, operand_c),
                (multiplicand_a_ptx_type, multiplicand_b_ptx_type), int_overflow_behavior,
                f"{_FRAGMENTS}, <3>, {int(sparsity_selector)};", [word32(sparse_metadata)])


# ---- wmma -------------------------------------------------------------------


def wmma_load(
    res: Any, ptr: Any, stride: Any, m: int, n: int, k: int, layout: Any, eltype: Any, frag: Any,
    *, loc: Any = None, ip: Any = None,
) -> Any:
    """Returns a warp's fragment of a matrix in memory: wmma.load.

    :param res: a struct of the IR, or a list of numeric types: the registers
    :param stride: elements between rows, or with MMALayout COL between columns
    :param frag: MMAFrag A, B or C

    For example::

        a = wmma_load([Int32] * 8, near, 16, 16, 16, 16, "row", "f16", "a")
    """
    pointer = place(ptr)
    name = f"wmma.load.{word('MMAFrag', frag)}.sync.aligned.{word('MMALayout', layout)}"
    text = f"{name}.m{m}n{n}k{k}{space(pointer).removesuffix('::cta')}.{word('MMAType', eltype)}"
    address = pointer.toint()
    return _execute(f"{text} {{<r>}}, [<0>], <1>;", [[address.ir_value()], _values(word32(stride))],
                    res)


def wmma_mma(
    res: Any, m: int, n: int, k: int, layout_a: Any, layout_b: Any, eltype_a: Any, eltype_b: Any,
    args: Any, *, loc: Any = None, ip: Any = None,
) -> Any:
    """Returns A B + C of fragments that wmma_load made: wmma.mma.

    :param args: the registers of A, then of B and C, or three lists of them
    :param eltype_a: MMAType of A's elements; F32 or F16 of D's follow from ``res``
    """
    if len(args) == 3:
        lists = [_values(x) for x in args]
    else:
        flat, last = _values(list(args)), len(_members(res))
        rest = flat[: len(flat) - last]
        half = len(rest) // 2
        lists = [rest[:half], rest[half:], flat[len(flat) - last :]]
    layouts = f"{word('MMALayout', layout_a)}.{word('MMALayout', layout_b)}"
    kinds = [word("MMAType", eltype_a), word("MMAType", eltype_b)]
    last = _OF_REGISTERS.get(_ir.require("a product").type_of(lists[2][0]), "f16")
    first = _OF_REGISTERS.get(_members(res)[0], "f16")
    types = f"{first}.{last}" if kinds[0] == "f16" else ".".join([first, *kinds, last])
    return _execute(f"wmma.mma.sync.aligned.{layouts}.m{m}n{n}k{k}.{types}{_FRAGMENTS};", lists, res)


def wmma_store(
    ptr: Any, m: int, n: int, k: int, layout: Any, eltype: Any, args: Any, stride: Any, *,
    loc: Any = None, ip: Any = None,
) -> None:
    """Writes a warp's fragment of a result to memory: wmma.store.

    :param args: the registers
    :param stride: elements between rows, or with MMALayout COL between columns
    """
    pointer = place(ptr)
    text = f"wmma.store.d.sync.aligned.{word('MMALayout', layout)}.m{m}n{n}k{k}"
    text += f"{space(pointer).removesuffix('::cta')}.{word('MMAType', eltype)}"
    address = pointer.toint()
    _execute(f"{text} [<0>], {{<1>}}, <2>;",
             [[address.ir_value()], _values(args), _values(word32(stride))], None)


# ---- wgmma ------------------------------------------------------------------


class WgmmaSmemDesc(Int64):
    """The place of a matrix in shared memory for wgmma, 64 bits (PTX ISA, "matrix descriptor").

    For example::

        WgmmaSmemDesc.create(near, 16, 1024, WgmmaSwizzle.SWIZZLE_128B)
    """

    __slots__ = ()

    @classmethod
    def create(
        cls, start_address: Any, leading_byte_offset: int, stride_byte_offset: int,
        layout_type: Any = WgmmaSwizzle.INTERLEAVE, base_offset: int = 0,
    ) -> WgmmaSmemDesc:
        """Returns the descriptor of a matrix.

        :param start_address: a pointer, an Array, or the address in bytes
        :param leading_byte_offset: in bytes, a multiple of 16; so ``stride_byte_offset``
        :param layout_type: a WgmmaSwizzle
        :raises ValueError: for offsets that are not multiples of 16
        """
        if leading_byte_offset % 16 or stride_byte_offset % 16:
            raise ValueError("offsets of a matrix are multiples of 16 bytes, not "
                             f"{leading_byte_offset} and {stride_byte_offset}")
        known = (leading_byte_offset >> 4) << 16 | (stride_byte_offset >> 4) << 32
        known |= (base_offset & 7) << 49 | int(layout_type) << 62
        known -= (known >> 63) << 64
        if hasattr(start_address, "data_ptr") or hasattr(start_address, "toint"):
            start_address = place(start_address).toint()
        start = Int64(Int32(start_address) & 0x3FFFF) >> 4
        return cls((start | Int64(known)).ir_value())


def wgmma_mma_async(
    results_: Any, inouts: Any, descriptor_a: Any, descriptor_b: Any, shape: Any, type_a: Any,
    type_b: Any, type_d: Any, scale_d: Any, scale_a: Any, scale_b: Any, layout_a: Any,
    layout_b: Any, *, satfinite: Any = None, loc: Any = None, ip: Any = None,
) -> Any:
    """Starts a product of a warpgroup, D = A B + D: wgmma.mma_async.

    :param results_: a struct of the IR, or a list of numeric types: D's registers
    :param inouts: the registers of D before
    :param descriptor_a: where A is, an integer of 64 bits: WgmmaSmemDesc
    :param shape: (64, n, k)
    :param type_a: WGMMAType; of A, B and D
    :param scale_d: WGMMAScaleOut ZERO: D = A B
    :param scale_a: WGMMAScaleIn NEG: of -A
    :param layout_a: MMALayout COL: A is transposed in memory, of f16 and bf16

    For example::

        d = wgmma_mma_async([Float32] * 4, d, a, b, (64, 8, 16), "f16", "f16", "f32",
                            "one", "one", "one", "row", "col")
    """
    kinds = [word("WGMMAType", t) for t in (type_d, type_a, type_b)]
    name = f"wgmma.mma_async.sync.aligned.{_shape(shape)}.{'.'.join(kinds)}"
    if satfinite is not None and word("MMAIntOverflow", satfinite) == "satfinite":
        name += ".satfinite"
    signs = []
    if kinds[0] != "s32":
        signs = [{"one": 1, "neg": -1}[word("WGMMAScaleIn", x)] for x in (scale_a, scale_b)]
    if kinds[1] in ("f16", "bf16"):
        signs += [int(word("MMALayout", layout_a) == "col"),
                  int(word("MMALayout", layout_b) == "row")]
    tail = "".join(f", {x}" for x in signs)
    adds = word32(int(word("WGMMAScaleOut", scale_d) == "one"))
    text = f"{{ .reg .pred p; setp.ne.b32 p, <3>, 0; {name} {{<r>}}, <1>, <2>, p{tail}; }}"
    lists = [_values(inouts), _values(word64(descriptor_a)), _values(word64(descriptor_b)),
             _values(adds)]
    return _execute(text, lists, results_, tied=True)
