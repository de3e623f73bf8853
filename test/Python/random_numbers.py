# REQUIRES: full
# RUN: env CUTE_DEVICE=sim CUTE_ARCH=sm_90a %python %s
"""Random expressions of all numeric types, in kernels and on the host, against exact arithmetic.

Integers wrap, // rounds down and % has the divisor's sign as in Python, shifts of signed
numbers keep the sign, floats round to nearest, ties to even. The types in which operands
meet are the package's own (``operand_type``); values are computed here, apart from it.

`python3 test/Python/random_numbers.py SEED COUNT` runs others, 60 expressions in each kernel.
"""

import ctypes
import math
import random
import struct
import sys
import unittest
from fractions import Fraction

import cute
from cute._values.operators import operand_type
from cute.dsl import BFloat16, Boolean, Float16, Float32, Float64, Int8, Int16, Int32
from cute.dsl import Int64, Uint8, Uint16, Uint32, Uint64

INTEGERS = [Int8, Int16, Int32, Int64, Uint8, Uint16, Uint32, Uint64]
FLOATS = [Float16, BFloat16, Float32, Float64]
BITS = {Float16: (11, -14, 15), BFloat16: (8, -126, 127), Float32: (24, -126, 127),
        Float64: (53, -1022, 1023)}
NAMES = {"+": "add", "-": "sub", "*": "mul", "//": "floordiv", "%": "mod", "&": "and",
         "|": "or", "^": "xor", "<<": "lshift", ">>": "rshift", "<": "lt", "<=": "le",
         "==": "eq", "!=": "ne", ">": "gt", ">=": "ge", "/": "truediv"}
COMPARISONS = ("<", "<=", "==", "!=", ">", ">=")


class Undefined(Exception):
    """The result depends on the machine: a division by zero, or a number out of range."""


def rounded(number, dtype):
    """A number as the nearest of a float type, ties to even."""
    if isinstance(number, float):
        if math.isnan(number) or math.isinf(number) or number == 0:
            return number
        number = Fraction(number)
    if number == 0:
        return 0.0
    digits, least, most = BITS[dtype]
    exponent = max(number_exponent(abs(number)), least) - (digits - 1)
    unit = Fraction(2) ** exponent
    units = number / unit
    low = units.numerator // units.denominator
    rest = units - low
    if rest > Fraction(1, 2) or rest == Fraction(1, 2) and low % 2:
        low += 1
    found = low * unit
    if abs(found) >= Fraction(2) ** (most + 1):
        return math.copysign(math.inf, number)
    return float(found) if found else math.copysign(0.0, number)


def number_exponent(number):
    """The largest e for which 2**e is at most the number."""
    e = number.numerator.bit_length() - number.denominator.bit_length()
    return e if Fraction(2) ** e <= number else e - 1


def wrapped(number, dtype):
    number %= 1 << dtype.width
    return number - (1 << dtype.width) if dtype.signed and number >> dtype.width - 1 else number


def converted(number, source, dtype):
    """A number in another type."""
    if dtype is Boolean:
        return number != 0
    if dtype in FLOATS:
        return rounded(number if source in FLOATS else Fraction(int(number)), dtype)
    if source in FLOATS:
        if math.isnan(number) or math.isinf(number):
            raise Undefined
        number = math.trunc(number)
        if wrapped(number, dtype) != number:
            raise Undefined
        return number
    return wrapped(int(number), dtype)


def computed(symbol, a, b):
    """A typed number of two: pairs of a type and a value."""
    dtype = operand_type(NAMES[symbol], a[0], b[0])
    if symbol in ("<<", ">>"):
        x = converted(a[1], a[0], dtype)
        if not 0 <= b[1] < dtype.width:
            raise Undefined
        return dtype, wrapped(x << b[1] if symbol == "<<" else x >> b[1], dtype)
    x, y = converted(a[1], a[0], dtype), converted(b[1], b[0], dtype)
    if symbol in COMPARISONS:
        return Boolean, {"<": x < y, "<=": x <= y, "==": x == y, "!=": x != y, ">": x > y,
                         ">=": x >= y}[symbol]
    if dtype in FLOATS:
        return dtype, of_floats(symbol, x, y, dtype)
    if symbol in ("//", "%") and y == 0:
        raise Undefined
    if symbol in ("//", "%") and dtype.signed and y == -1 and x == -(1 << dtype.width - 1):
        raise Undefined
    found = {"+": lambda: x + y, "-": lambda: x - y, "*": lambda: x * y, "//": lambda: x // y,
             "%": lambda: x % y, "&": lambda: x & y, "|": lambda: x | y, "^": lambda: x ^ y}[symbol]()
    return dtype, found if dtype is Boolean else wrapped(found, dtype)


def of_floats(symbol, x, y, dtype):
    if symbol in ("//", "%"):
        raise Undefined
    if any(map(math.isnan, (x, y))) or any(map(math.isinf, (x, y))) or symbol == "/" and y == 0:
        with_c = {"+": lambda: x + y, "-": lambda: x - y, "*": lambda: x * y}
        if symbol not in with_c:
            raise Undefined
        return with_c[symbol]()
    if x == 0 and y == 0 or symbol == "*" and 0 in (x, y):
        return {"+": x + y, "-": x - y, "*": x * y}[symbol]
    p, q = Fraction(x), Fraction(y)
    exact = {"+": lambda: p + q, "-": lambda: p - q, "*": lambda: p * q, "/": lambda: p / q}[symbol]()
    found = rounded(exact, dtype)
    return math.copysign(found, x * y if symbol in "*/" else found or 1.0)


class Expression:
    """A tree: its text in Python, and how it is computed apart."""

    def __init__(self, chance, values, depth):
        self.chance, self.values = chance, values
        self.text, self.evaluate = self.make(depth)

    def make(self, depth):
        pick = self.chance.random()
        if depth == 0 or pick < 0.15:
            return self.leaf()
        if pick < 0.75:
            symbol = self.chance.choice(list(NAMES))
            (left, a), (right, b) = self.make(depth - 1), self.make(depth - 1)
            if symbol in ("<<", ">>"):
                count = self.chance.randrange(8)
                right, b = f"Int32({count})", lambda: (Int32, count)
            return f"({left} {symbol} {right})", lambda: computed(symbol, a(), b())
        if pick < 0.87:
            dtype = self.chance.choice(INTEGERS + FLOATS + [Boolean])
            inner, a = self.make(depth - 1)
            return f"({inner}).to({dtype})", lambda: (dtype, converted(a()[1], a()[0], dtype))
        if pick < 0.93:
            inner, a = self.make(depth - 1)
            return f"(-{inner})", lambda: negative(*a())
        (test, t), (left, a), (right, b) = (self.make(depth - 1) for _ in range(3))
        return f"({left} if {test} else {right})", lambda: chosen(t(), a(), b())

    def leaf(self):
        i = self.chance.randrange(len(self.values))
        return f"v[{i}]", lambda: self.values[i]


def negative(dtype, value):
    if dtype is Boolean:
        dtype, value = Int32, int(value)
    return dtype, -value if dtype in FLOATS else wrapped(-value, dtype)


def chosen(test, a, b):
    from cute._frontend.merge import meet

    dtype = meet(a[0](0), b[0](0)) if a[0] is not b[0] else a[0]
    one = a if test[1] else b
    return dtype, converted(one[1], one[0], dtype)


def drawn(chance):
    """A typed number."""
    dtype = chance.choice(INTEGERS * 2 + FLOATS + [Boolean])
    if dtype is Boolean:
        return dtype, chance.random() < 0.5
    if dtype in FLOATS:
        number = chance.choice([0.0, 1.0, -1.0, 0.1, -3.7, 100.0, 65504.0, 1e-6, math.inf,
                                math.nan, chance.uniform(-50, 50), chance.uniform(-1, 1)])
        return dtype, rounded(number, dtype)
    low, high = (-(1 << dtype.width - 1), (1 << dtype.width - 1) - 1) if dtype.signed else (
        0, (1 << dtype.width) - 1)
    return dtype, chance.choice([0, 1, low, high, high - 1, low + 1, chance.randint(low, high),
                                 *(x for x in (-7, 3, 5, -1, 100) if low <= x <= high)])


def program(chance, count=60):
    """Returns numbers, expressions of them, and what these give."""
    values = [drawn(chance) for _ in range(24)]
    texts, wanted = [], []
    while len(texts) < count:
        made = Expression(chance, values, chance.randint(1, 3))
        try:
            found = made.evaluate()
        except (Undefined, TypeError):
            continue
        texts.append(made.text)
        wanted.append(found)
    return values, texts, wanted


SCOPE = {str(t): t for t in [*INTEGERS, *FLOATS, Boolean]} | {"cute": cute}


def run(values, texts, wanted, on_host, name):
    """Returns what the expressions give, as floats or integers, and their types."""
    from random_programs import compiled

    lines = ["def program(v, types, out, whole):"]
    for i, text in enumerate(texts):
        lines += [f"    r = {text}", f"    types.append(type(r))",
                  f"    if cute.const_expr(type(r).is_float):", f"        out[{i}] = r.to(Float64)",
                  "    else:", f"        whole[{i}] = r.to(Int64)"]
    function = compiled("\n".join(lines) + "\n", name)
    function.__globals__.update(SCOPE)
    types = []
    inner = cute.jit(function)

    def load(places, out, whole):
        v = [cute.make_tensor(place, 1)[0] for place in places]
        inner([x != 0 if t is Boolean else x for x, (t, _) in zip(v, values)], types,
              cute.make_tensor(out, len(texts)), cute.make_tensor(whole, len(texts)))

    @cute.kernel
    def kernel(places: list, out: cute.Pointer, whole: cute.Pointer):
        load(places, out, whole)

    @cute.jit
    def host(places: list, out: cute.Pointer, whole: cute.Pointer):
        if cute.const_expr(on_host):
            load(places, out, whole)
        else:
            kernel(places, out, whole).launch(grid=[1, 1, 1], block=[1, 1, 1])

    space = cute.AddressSpace.generic if on_host else cute.AddressSpace.gmem
    memory = [ctypes.create_string_buffer(packed(*value), 16) for value in values]
    out, whole = (ctypes.c_double * len(texts))(), (ctypes.c_int64 * len(texts))()

    def place(held, dtype):
        return cute.runtime.make_ptr(dtype, ctypes.addressof(held), space)

    places = [place(m, Uint8 if t is Boolean else t) for m, (t, _) in zip(memory, values)]
    host(places, place(out, Float64), place(whole, Int64))
    return [(t, out[i] if t.is_float else whole[i]) for i, t in enumerate(types)]


def packed(dtype, value):
    if dtype is Boolean:
        return struct.pack("B", value)
    if dtype is BFloat16:
        return struct.pack("f", value)[2:]
    code = {Float16: "e", Float32: "f", Float64: "d"}.get(dtype) or (
        {8: "b", 16: "h", 32: "i", 64: "q"}[dtype.width])
    return struct.pack(code if dtype.is_float or dtype.signed else code.upper(), value)


def equal(found, wanted):
    if found[0] is not wanted[0]:
        return False
    if wanted[0] is Boolean:
        return bool(found[1]) == wanted[1]
    if wanted[0] in FLOATS:
        both = math.isnan(found[1]) and math.isnan(wanted[1])
        return both or found[1] == wanted[1] and (
            math.copysign(1, found[1]) == math.copysign(1, wanted[1]))
    return found[1] == wrapped(wanted[1], Int64)


def differences(seed, on_host):
    """Yields what is wrong: a text, its numbers, what it gives and what it should."""
    values, texts, wanted = program(random.Random(seed))
    name = f"numbers {seed} {on_host}"
    for text, found, right in zip(texts, run(values, texts, wanted, on_host, name), wanted):
        if not equal(found, right):
            used = {f"v[{i}]": (str(t), x) for i, (t, x) in enumerate(values) if f"v[{i}]" in text}
            yield f"{text} of {used} gives {found}, not {right}"


class Random(unittest.TestCase):
    def test_kernels_and_host(self):
        for seed in range(4):
            for on_host in (True, False):
                with self.subTest(seed=seed, on_host=on_host):
                    self.assertEqual(list(differences(seed, on_host)), [])


if __name__ == "__main__":
    if sys.argv[1:]:
        for seed in range(int(sys.argv[1]), int(sys.argv[1]) + int(sys.argv[2])):
            for on_host in (True, False):
                for text in differences(seed, on_host):
                    print(seed, "host" if on_host else "kernel", text, flush=True)
    else:
        unittest.main()
