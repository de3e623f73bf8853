#!/usr/bin/env python3
"""Executes ops on memory with lli and compares every element with a reference.

usage: check_memory.py SEED

Programs for the host, of random pointers, layouts and coordinates, store the
number of each coordinate in a tensor and print all of memory. Where a number
must lie follows from the definitions below, which know nothing of the compiler:
an element is at S(pointer + layout(coordinate)), in bytes.
"""
import itertools
import pathlib
import random
import struct
import subprocess
import sys
import tempfile

LOWER = ["--cute-fold-static", "--cute-expand-ops", "--cute-to-base",
         "--base-prepare", "--one-shot-convert-to-llvm"]
BYTES = {"i8": 1, "i16": 2, "i32": 4, "i64": 8}
BUFFER = 1 << 12


def run(text):
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "in.mlir").write_text(text, encoding="utf-8")
        steps = [["cute-opt", "in.mlir", *LOWER, "-o", "llvm.mlir"],
                 ["mlir-translate", "--mlir-to-llvmir", "llvm.mlir", "-o", "x.ll"],
                 ["lli", "x.ll"]]
        for step in steps:
            done = subprocess.run(step, cwd=folder, capture_output=True,
                                  text=True, check=False)
            if done.returncode:
                sys.exit(f"{step[0]} fails: {done.stderr}\n{text}")
        return done.stdout


def swizzle(bits, base, shift, value):
    low, high = (base, base + shift) if shift >= 0 else (base - shift, base)
    mask = (1 << bits) - 1
    return value ^ (((value >> high & mask) << low) if shift >= 0
                    else ((value >> base & mask) << low))


def text_of(numbers):
    return "(" + ",".join(map(str, numbers)) + ")"


def whole_program(body, helpers=""):
    """A main that runs the body on a buffer at %buffer, aligned to its size,
    whose bytes are -1, and prints the bytes that are not."""
    return f"""{helpers}
llvm.mlir.global internal @buffer() {{alignment = {BUFFER} : i64}} : !llvm.array<{BUFFER} x i8>
func.func @main() -> i32 {{
  %buffer = llvm.mlir.addressof @buffer : !llvm.ptr
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %minus = arith.constant -1 : i8
  %all = arith.constant {BUFFER} : i32
  %bytes = cute.make_ptr(%buffer) : (!llvm.ptr) -> !cute.ptr<i8, gmem, align<{BUFFER}>>
  %line = cute.static : !cute.layout<"{BUFFER}:1">
  %memory = cute.make_tensor(%bytes, %line)
  scf.for %i = %zero to %all step %one : i32 {{
    %c = cute.make_coord(%i) : (i32) -> !cute.coord<"?">
    cute.store(%minus, %memory, %c) : i8, !cute.tensor<i8, gmem, align<{BUFFER}>, "{BUFFER}:1">, !cute.coord<"?">
  }}
{body}
  cute.print_tensor(%memory)
  return %zero : i32
}}
"""


def memory_of(output):
    numbers = output.splitlines()[1].strip("[]").split(", ")
    return bytes(int(n) & 255 for n in numbers)


def expected_memory(element, places):
    memory = bytearray(b"\xff" * BUFFER)
    width = BYTES[element]
    for number, at in places:
        memory[at:at + width] = (number % (1 << 8 * width)).to_bytes(
            width, "little")
    return bytes(memory)


def store_all(tensor, type_text, element, size):
    """Stores its number in each element, counted colexicographically; that it is
    below the size is known to the compiler."""
    cast = {"i32": "%j = arith.addi %i, %zero : i32",
            "i64": "%j = arith.extsi %i : i32 to i64"}.get(
                element, f"%j = arith.trunci %i : i32 to {element}")
    return f"""
  %size = arith.constant {size} : i32
  scf.for %i = %zero to %size step %one : i32 {{
    {cast}
    %w = cute.assume_range<0, {size - 1}> (%i)
    %c = cute.to_coord(%w) : !cute.int_tuple<"?"> -> !cute.coord<"?">
    cute.store(%j, {tensor}, %c) : {element}, {type_text}, !cute.coord<"?">
  }}"""


def coordinates(shape):
    """In colexicographic order."""
    for c in itertools.product(*map(range, reversed(shape))):
        yield tuple(reversed(c))


def swizzled_pointer(rng):
    """make_tensor of a pointer with a swizzle, anywhere in a period."""
    element = rng.choice(list(BYTES))
    width = BYTES[element]
    least = width.bit_length() - 1
    bits = rng.randint(1, 3)
    base = rng.randint(least, least + 1)
    shift = rng.choice([-1, 1]) * rng.randint(bits, 4)
    shape = rng.choice([(4, 8), (8, 4), (16, 3)])
    stride = rng.choice([(1, shape[0]), (shape[1], 1)])
    period = 1 << (base + bits + abs(shift))
    align = rng.choice([width, 2 * width, 4 * width, period, 2 * period])
    align = max(align, width)
    start = rng.randrange(0, 1024 // align + 1) * align
    swizzled = f"S<{bits},{base},{shift}>"
    offset = start // width
    layout = f"{text_of(shape)}:{text_of(stride)}"
    inner = f"S<{bits},{base - least},{shift}>"
    away = ("0" if align >= period else "?" if align == width
            else f"?{{div={align // width}}}")
    kind = (f'!cute.tensor<{element}, gmem, align<{max(align, period)}>, '
            f'"{inner} o {away} o {layout}">')
    body = f"""
  %p = cute.make_ptr(%buffer) : (!llvm.ptr) -> !cute.ptr<{element}, gmem, align<{max(width, 1)}>, {swizzled}>
  %o = arith.constant {offset} : i32
  %q = cute.add_offset(%p, %o) : (!cute.ptr<{element}, gmem, align<{width}>, {swizzled}>, i32) -> !cute.ptr<{element}, gmem, align<{width}>, {swizzled}>
  %a = cute.assume(%q) : !cute.ptr<{element}, gmem, align<{width}>, {swizzled}> -> !cute.ptr<{element}, gmem, align<{align}>, {swizzled}>
  %l = cute.static : !cute.layout<"{layout}">
  %t = cute.make_tensor(%a, %l) : (!cute.ptr<{element}, gmem, align<{align}>, {swizzled}>, !cute.layout<"{layout}">) -> {kind}
{store_all("%t", kind, element, shape[0] * shape[1])}"""
    places = [(i, swizzle(bits, base, shift, start + width * sum(
        x * d for x, d in zip(c, stride)))) for i, c in
        enumerate(coordinates(shape))]
    return body, "", expected_memory(element, places)


def moved_tensor(rng):
    """domain_offset, slice and add_offset, also by negative coordinates, of a
    tensor that a function of the program takes and gives."""
    element = rng.choice(["i8", "i16", "i32"])
    width = BYTES[element]
    shape = (rng.randint(2, 5), rng.randint(2, 4), rng.randint(2, 3))
    stride = rng.choice([(1, 8, 30), (20, 1, 5), (3, 16, 40)])
    start = rng.randrange(180, 200)
    c = tuple(rng.randint(-3, 3) for _ in shape)
    k = rng.randrange(shape[2])
    layout = f'"(?,{shape[1]},{shape[2]}):({stride[0]},?,{stride[2]})"'
    kind = f"!cute.tensor<{element}, gmem, align<{width}>, {layout}>"
    part = (f'!cute.tensor<{element}, gmem, align<{width}>, '
            f'"(?,{shape[1]}):({stride[0]},?)">')
    helpers = f"""
func.func @moved(%t: {kind}, %i: i32, %k: i32) -> {part} {{
  %c = cute.make_coord(%i) : (i32) -> !cute.coord<"(?,{c[1]},{c[2]})">
  %d = cute.domain_offset(%c, %t) : (!cute.coord<"(?,{c[1]},{c[2]})">, {kind}) -> {kind}
  %x = cute.make_coord(%k) : (i32) -> !cute.coord<"(_,_,?)">
  %s = cute.slice(%d, %x) : {kind}, !cute.coord<"(_,_,?)">
  return %s : {part}
}}"""
    body = f"""
  %p = cute.make_ptr(%buffer) : (!llvm.ptr) -> !cute.ptr<{element}, gmem, align<{width}>>
  %o = arith.constant {start} : i64
  %q = cute.add_offset(%p, %o)
  %m = arith.constant {shape[0]} : i32
  %n = arith.constant {stride[1]} : i32
  %s = cute.make_shape(%m) : (i32) -> !cute.shape<"(?,{shape[1]},{shape[2]})">
  %d = cute.make_stride(%n) : (i32) -> !cute.stride<"({stride[0]},?,{stride[2]})">
  %l = cute.make_layout(%s, %d)
  %t = cute.make_tensor(%q, %l)
  %first = arith.constant {c[0]} : i32
  %k = arith.constant {k} : i32
  %r = func.call @moved(%t, %first, %k) : ({kind}, i32, i32) -> {part}
{store_all("%r", part, element, shape[0] * shape[1])}"""
    places = [(i, width * (start + sum((x + y) * d for x, y, d in zip(
        (*at, k), c, stride)))) for i, at in enumerate(coordinates(shape[:2]))]
    return body, helpers, expected_memory(element, places)


def recast_tensor(rng):
    """Elements of another width cover the same bytes."""
    old, new = rng.sample(list(BYTES), 2)
    unit = max(BYTES[old], BYTES[new])
    rows, columns = 16, rng.randint(2, 5)
    pitch = 16 + 8 * rng.randint(0, 2)
    kind = (f'!cute.tensor<{old}, gmem, align<64>, '
            f'"({rows},{columns}):(1,{pitch})">')
    n = rows * BYTES[old] // BYTES[new]
    step = pitch * BYTES[old] // BYTES[new]
    result = (f'!cute.tensor<{new}, gmem, align<64>, '
              f'"({n},{columns}):(1,{step})">')
    assert unit <= 64
    body = f"""
  %p = cute.make_ptr(%buffer) : (!llvm.ptr) -> !cute.ptr<{old}, gmem, align<64>>
  %l = cute.static : !cute.layout<"({rows},{columns}):(1,{pitch})">
  %t = cute.make_tensor(%p, %l)
  %r = cute.recast_tensor<{new}> (%t) : ({kind}) -> {result}
{store_all("%r", result, new, n * columns)}"""
    places = [(i, BYTES[old] * pitch * c[1] + BYTES[new] * c[0])
              for i, c in enumerate(coordinates((n, columns)))]
    return body, "", expected_memory(new, places)


def check_stores(rng):
    for case in (swizzled_pointer, moved_tensor, recast_tensor):
        for _ in range(8):
            body, helpers, expected = case(rng)
            text = whole_program(body, helpers)
            found = memory_of(run(text))
            if found != expected:
                wrong = [i for i in range(BUFFER) if found[i] != expected[i]]
                sys.exit(f"{case.__name__}: byte {wrong[0]} is "
                         f"{found[wrong[0]]}, not {expected[wrong[0]]}\n{text}")
        print(f"{case.__name__}: 8 programs agree")


def check_axpby(rng):
    """y = a x + b y in float64, with the rounding of f16 and f32 allowed for;
    a zero b leaves a NaN in y out."""
    for element, scalar, beta, error in [("f32", "f32", 0.5, 2e-6),
                                         ("f16", "f32", -2.25, 2e-3),
                                         ("f32", "f32", 0.0, 2e-6),
                                         ("f64", "f64", 3.0, 1e-5)]:
        alpha = rng.uniform(-2, 2)
        width = {"f16": 2, "f32": 4, "f64": 8}[element]
        code = {"f16": "e", "f32": "f", "f64": "d"}[element]
        xs = [rng.uniform(-4, 4) for _ in range(12)]
        ys = [rng.uniform(-4, 4) for _ in range(12)]
        if not beta:
            ys[5] = float("nan")
        data = struct.pack(f"<12{code}", *xs) + struct.pack(f"<12{code}", *ys)
        values = ", ".join(str(b - 256 if b > 127 else b) for b in data)
        text = f"""
llvm.mlir.global internal @data(dense<[{values}]> : tensor<{len(data)}xi8>) {{alignment = 16 : i64}} : !llvm.array<{len(data)} x i8>
func.func @main() -> i32 {{
  %data = llvm.mlir.addressof @data : !llvm.ptr
  %p = cute.make_ptr(%data) : (!llvm.ptr) -> !cute.ptr<{element}, gmem, align<{width}>>
  %12 = cute.static : !cute.int_tuple<"12">
  %q = cute.add_offset(%p, %12)
  %l = cute.static : !cute.layout<"(3,4):(4,1)">
  %m = cute.static : !cute.layout<"12:1">
  %x = cute.make_tensor(%p, %l)
  %y = cute.make_tensor(%q, %m)
  %a = arith.constant {alpha:.9e} : {scalar}
  %b = arith.constant {beta:.9e} : {scalar}
  cute.axpby(%a, %x, %b, %y)
  cute.print_tensor(%y)
  %0 = arith.constant 0 : i32
  return %0 : i32
}}"""
        found = [float(v) for v in run(text).splitlines()[1].strip("[]")
                 .split(", ")]
        for i, (row, column) in enumerate(coordinates((3, 4))):
            expected = alpha * xs[4 * row + column] + (beta * ys[i] if beta
                                                       else 0)
            if not abs(found[i] - expected) <= error * 16:
                sys.exit(f"axpby of {element}: element {i} is {found[i]}, not "
                         f"{expected}\n{text}")
    print("axpby: 4 programs agree")


def check_predicate(rng):
    """make_predicate of coordinates that were moved and tiled: all residues, and
    below zero, where a coordinate is less than the bound as well."""
    for _ in range(6):
        shape = (rng.randint(1, 9), rng.randint(1, 9), rng.randint(1, 3))
        bound = [rng.randint(0, 10) for _ in range(3)]
        c = [rng.randint(-6, 6) for _ in range(3)]
        layout = f'"({shape[0]},{shape[1]},{shape[2]}):(1@0,1@1@1,1@0@1)"'
        text = f"""
func.func @at(%i: i32, %j: i32, %k: i32, %m: i32, %n: i32, %q: i32) {{
  %o = cute.make_int_tuple(%i, %k, %j) : (i32, i32, i32) -> !cute.int_tuple<"(?,(?,?))">
  %l = cute.static : !cute.layout<{layout}>
  %t = cute.make_tensor(%o, %l)
  %b = cute.make_shape(%m, %q, %n) : (i32, i32, i32) -> !cute.shape<"(?,(?,?))">
  %p = cute.make_predicate(%t, %b)
  cute.print_tensor(%p)
  return
}}
func.func @main() -> i32 {{
  %v:6 = func.call @numbers() : () -> (i32, i32, i32, i32, i32, i32)
  func.call @at(%v#0, %v#1, %v#2, %v#3, %v#4, %v#5) : (i32, i32, i32, i32, i32, i32) -> ()
  %0 = arith.constant 0 : i32
  return %0 : i32
}}
func.func @numbers() -> (i32, i32, i32, i32, i32, i32) {{
""" + "".join(f"  %{i} = arith.constant {n} : i32\n"
              for i, n in enumerate(c + bound)) + """
  return %0, %1, %2, %3, %4, %5 : i32, i32, i32, i32, i32, i32
}"""
        output = run(text).split("=\n")[1]
        found = [int(x) for x in output.replace("[", " ").replace("]", " ")
                 .replace(",", " ").split()]
        expected = [int(all(x + d < b for x, d, b in zip(at, c, bound)))
                    for at in itertools.product(*map(range, shape))]
        if found != expected:
            sys.exit(f"predicate: {found} is not {expected}\n{text}")
    print("make_predicate: 6 programs agree")


def main():
    rng = random.Random(int(sys.argv[1]))
    check_stores(rng)
    check_axpby(rng)
    check_predicate(rng)


if __name__ == "__main__":
    main()
