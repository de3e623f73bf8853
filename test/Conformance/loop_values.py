"""Small integers in all element types, for random_loops.py."""
import functools
import struct

SMALL = range(-3, 4)


def half(x):
    return struct.unpack("<H", struct.pack("<e", x))[0]


def single(x):
    return struct.unpack("<I", struct.pack("<f", x))[0]


def double(x):
    return struct.unpack("<Q", struct.pack("<d", x))[0]


def e4m3(x):
    code = {0: 0, 1: 0x38, 2: 0x40, 3: 0x44}[abs(x)]
    return code | (0x80 if x < 0 else 0)


# type -> bytes, code of each small integer
CODES = {
    "i8": (1, [x & 255 for x in SMALL]),
    "i32": (4, [x & 0xffffffff for x in SMALL]),
    "f8E4M3FN": (1, [e4m3(x) for x in SMALL]),
    "f16": (2, [half(x) for x in SMALL]),
    "bf16": (2, [single(x) >> 16 for x in SMALL]),
    "f32": (4, [single(x) for x in SMALL]),
    "tf32": (4, [single(x) for x in SMALL]),
    "f64": (8, [double(x) for x in SMALL]),
}


def I32(x):
    return (x + (1 << 31)) % (1 << 32) - (1 << 31)


def value_at(tensor, index):
    """Element `index` of a tensor, as numbers_of has it."""
    mixed = (index + tensor * 7919) * 2654435761 % (1 << 32)
    return (mixed >> 15) % 7 - 3


@functools.cache
def numbers_of(tensor):
    """The elements of a tensor as places in SMALL."""
    return bytes((x * 2654435761 % (1 << 32) >> 15) % 7
                 for x in range(tensor * 7919, tensor * 7919 + (1 << 18)))
