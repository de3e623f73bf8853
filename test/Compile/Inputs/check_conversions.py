"""Conversions of random numbers, of limits and of ties, on the device that is simulated,
against rounding in float64.

usage: check_conversions.py CUTEC MODULE
"""
import math
import os
import random
import re
import struct
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..",
                                "Conformance"))
from simulated import Driver, Kernels, Memory  # noqa: E402

N, ROUNDS = 65, 40
# bytes, bits of the mantissa, bias, the largest, and whether more becomes the largest
FORMATS = {
    "f32": (4, 23, 127, 3.4028234663852886e38, False),
    "f16": (2, 10, 15, 65504.0, False),
    "bf16": (2, 7, 127, 3.3895313892515355e38, False),
    "f8E4M3FN": (1, 3, 7, 448.0, True),
    "f8E5M2": (1, 2, 15, 57344.0, True),
}


def decode(name, bits):
    size, mantissa, bias, largest, _ = FORMATS[name]
    sign = -1.0 if bits >> (8 * size - 1) else 1.0
    bits &= (1 << (8 * size - 1)) - 1
    exponent, fraction = bits >> mantissa, bits & ((1 << mantissa) - 1)
    special = (1 << (8 * size - 1 - mantissa)) - 1
    if name == "f8E4M3FN":
        if bits == 0x7f:
            return math.nan
    elif exponent == special:
        return math.nan if fraction else sign * math.inf
    if not exponent:
        return sign * math.ldexp(fraction, 1 - bias - mantissa)
    return sign * math.ldexp(fraction + (1 << mantissa), exponent - bias - mantissa)


def rounded(x, name):
    """The nearest number of the format, of two the even one."""
    _, mantissa, bias, largest, saturates = FORMATS[name]
    if math.isnan(x) or x == 0:
        return x
    if not math.isinf(x):
        exponent = max(math.frexp(x)[1] - 1, 1 - bias) - mantissa
        units = round(math.ldexp(abs(x), -exponent))
        x = math.copysign(math.ldexp(units, exponent), x)
    if abs(x) <= largest:
        return x
    return math.copysign(largest if saturates else math.inf, x)


def inputs(rng, name, turn):
    """Bits of any numbers; half of f32's are near 8-bit numbers and between two."""
    size = FORMATS[name][0]
    bits = [rng.getrandbits(8 * size) for _ in range(N)]
    for i in range(0, N if name == "f32" else 0, 2):
        x = decode(("f8E4M3FN", "f8E5M2")[turn % 2], rng.getrandbits(8))
        x *= 1 + rng.randrange(-4, 5) / 32
        bits[i] = struct.unpack("<I", struct.pack("<f", x))[0]
    return bits


def is_same(a, b):
    return math.isnan(a) and math.isnan(b) or a == b and \
        math.copysign(1, a) == math.copysign(1, b)


def is_right(kernels, memory, rng, name, turn):
    source, target = name.split("_")
    given, found = (memory[i].view for i in range(2))
    size, to = FORMATS[source][0], FORMATS[target][0]
    bits = inputs(rng, source, turn)
    given[:N * size] = b"".join(b.to_bytes(size, "little") for b in bits)
    memory[1].fill(0xaa)
    kernels.launch(name, 1, memory[0].at(0), memory[1].at(0))
    for i, b in enumerate(bits):
        x = decode(source, b)
        y = decode(target, int.from_bytes(found[i * to:(i + 1) * to], "little"))
        if not is_same(y, rounded(x, target)):
            print(f"{name}: {x} becomes {y}, not {rounded(x, target)}")
            return False
    return True


def main():
    cutec, path = sys.argv[1:]
    with open(path, encoding="utf-8") as file:
        source = file.read()
    driver, rng = Driver(cutec), random.Random(1)
    memory = [Memory(driver, 4 * N + 64) for _ in range(2)]
    kernels = Kernels(driver, cutec, source, arch="sm_89")
    names = re.findall(r"gpu.func @(\w+)", source)
    right = [all(is_right(kernels, memory, rng, name, turn) for turn in range(ROUNDS))
             for name in names]
    print(f"{len(names)} conversions, {right.count(False)} failures")


main()
