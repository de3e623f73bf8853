#!/usr/bin/env python3
"""Converts f32 to floats of 8 bits and fewer and back, on the device that is
simulated, and compares with exact arithmetic.

  small_float.py CUTEC ARCH

Numbers are all numbers of the format, the midpoints of neighbours, the neighbours of these, random
bits, infinities and NaN.
"""
import array
import bisect
import functools
import random
import struct
import sys
from fractions import Fraction

from simulated import Driver, Kernels, Memory

# Bits of exponent and mantissa, and what is beyond the finite numbers.
FORMATS = {"f8E4M3FN": (4, 3, "nan"), "f8E5M2": (5, 2, "infinity"),
           "f6E2M3FN": (2, 3, None), "f6E3M2FN": (3, 2, None),
           "f4E2M1FN": (2, 1, None)}


def bits_of(x):
    return struct.unpack("<I", struct.pack("<f", x))[0]


def float_of(bits):
    return struct.unpack("<f", struct.pack("<I", bits))[0]


def decode(code, exponent_bits, mantissa_bits):
    """The number of a code without a sign, as if all were finite."""
    bias = (1 << exponent_bits - 1) - 1
    exponent = code >> mantissa_bits
    mantissa = code & (1 << mantissa_bits) - 1
    scale = Fraction(2) ** (max(exponent, 1) - bias - mantissa_bits)
    return (mantissa + (exponent > 0) * (1 << mantissa_bits)) * scale


def largest_of(exponent_bits, mantissa_bits, beyond):
    codes = 1 << exponent_bits + mantissa_bits
    return codes - {"nan": 2, "infinity": (1 << mantissa_bits) + 1,
                    None: 1}[beyond]


@functools.cache
def finite_numbers(*form):
    """Those of the codes without a sign, which rise with the code."""
    return [decode(code, *form[:2]) for code in range(largest_of(*form) + 1)]


def encode(bits, exponent_bits, mantissa_bits, beyond):
    width = exponent_bits + mantissa_bits
    magnitude = bits & 0x7fffffff
    if magnitude > 0x7f800000:
        return (1 << width) - 1
    largest = largest_of(exponent_bits, mantissa_bits, beyond)
    sign = bits >> 31 << width
    if magnitude == 0x7f800000:
        return sign | largest
    x = Fraction(float_of(magnitude))
    numbers = finite_numbers(exponent_bits, mantissa_bits, beyond)
    above = bisect.bisect(numbers, x)
    return sign | min(range(max(above - 1, 0), min(above, largest) + 1),
                      key=lambda code: (abs(numbers[code] - x), code & 1))


def samples(form):
    exponent_bits, mantissa_bits, _ = form
    numbers = [decode(code, exponent_bits, mantissa_bits)
               for code in range(1 << exponent_bits + mantissa_bits)]
    numbers += [(x + y) / 2 for x, y in zip(numbers, numbers[1:])]
    bits = {0, 1, 0x007fffff, 0x7f800000, 0x7fc00000, 0x7f800001, 0x7f7fffff}
    for x in numbers:
        near = bits_of(float(x))
        bits |= {max(near + step, 0) for step in (-1, 0, 1)}
    rng = random.Random(1)
    bits |= {rng.randrange(1 << 31) for _ in range(60)}
    bits = sorted(bits)
    return bits + [b | 1 << 31 for b in bits]


def kernel(name, count, has_vectors):
    """Codes, and numbers again; in pairs, singly, and as vectors where there are
    such."""
    text = f"""
  gpu.func @{name}(%A: !cute.tensor<f32, gmem, align<16>, "({count}):(1)">,
      %I: !cute.tensor<i8, gmem, align<16>, "({count}):(1)">,
      %B: !cute.tensor<f32, gmem, align<16>, "({count}):(1)">,
      %J: !cute.tensor<i8, gmem, align<16>, "({count}):(1)">,
      %C: !cute.tensor<f32, gmem, align<16>, "({count}):(1)">) kernel {{
    %i = cute.block_idx
    %a = cute.local_tile(%A, 8, %i)
    %b = cute.local_tile(%B, 8, %i)
    %c = cute.local_tile(%C, 8, %i)
    %p = cute.local_tile(%I, 8, %i)
    %q = cute.local_tile(%J, 8, %i)
    %x = cute.make_fragment_like(%a)
    %y = cute.make_fragment<{name}> (8)
    %w = cute.make_fragment_like(%x)
    %u = cute.make_fragment<ui8> (8)
    cute.autovec_copy(%a, %x)
    cute.convert(%x, %y)
    cute.convert(%y, %w)
    cute.autovec_copy(%w, %b)
"""
    if name.startswith("f4"):
        return text + """    %z = cute.recast_tensor<ui4> (%y)
    cute.convert(%z, %u)
    %r = cute.recast_tensor<i8> (%u)
    cute.autovec_copy(%r, %p)
    gpu.return
  }
"""
    text += """    %r = cute.recast_tensor<i8> (%y)
    cute.autovec_copy(%r, %p)
"""
    if has_vectors:
        text += f"""    %v = cute.load_vector(%x)
    %s = arith.truncf %v : vector<8xf32> to vector<8x{name}>
    %t = arith.extf %s : vector<8x{name}> to vector<8xf32>
    %y2 = cute.make_fragment<{name}> (8)
    cute.store_vector(%s, %y2)
    cute.store_vector(%t, %c)
    %r2 = cute.recast_tensor<i8> (%y2)
    cute.autovec_copy(%r2, %q)
"""
    return text + "    gpu.return\n  }\n"


def expected(code, form):
    exponent_bits, mantissa_bits, beyond = form
    width = exponent_bits + mantissa_bits
    magnitude = code & (1 << width) - 1
    if magnitude > largest_of(*form):
        return None
    number = float(decode(magnitude, exponent_bits, mantissa_bits))
    return bits_of(number) | code >> width << 31


def compare(name, form, inputs, codes, numbers):
    for given, code, number in zip(inputs, codes, numbers):
        right = encode(given, *form)
        if code != right:
            sys.exit(f"{name}: {float_of(given)} gives {code:#x}, not {right:#x}")
        back = expected(code, form)
        is_nan = number & 0x7fffffff > 0x7f800000
        if number != back if back is not None else not is_nan:
            sys.exit(f"{name}: code {code:#x} gives {float_of(number)}")


def main():
    cutec, arch = sys.argv[1:]
    driver = Driver(cutec)
    cases = {}
    for name, form in FORMATS.items():
        inputs = samples(form)
        inputs += [0] * (-len(inputs) % 8)
        cases[name] = inputs
    kernels = Kernels(driver, cutec, [
        kernel(name, len(inputs), name.startswith("f8"))
        for name, inputs in cases.items()], arch=arch)
    checked = 0
    for name, inputs in cases.items():
        n = len(inputs)
        size = -(-4 * n // 256) * 256
        memory = Memory(driver, 5 * size)
        memory.fill(0)
        memory.view[:4 * n] = array.array("I", inputs).tobytes()
        kernels.launch(name, 1, *(memory.at(k * size) for k in range(5)),
                       grid=(n // 8, 1, 1))
        for k in (1, 3) if name.startswith("f8") else (1,):
            compare(name, FORMATS[name], inputs,
                    memory.elements("B", k * size, k * size + n),
                    memory.elements("I", (k + 1) * size, (k + 1) * size + 4 * n))
            checked += n
    kernels.unload()
    print(f"{checked} conversions")


main()
