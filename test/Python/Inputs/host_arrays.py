"""Tensors of the host as torch's are to cute.kernels, for tests without torch."""

import ctypes
import dataclasses
import itertools
import math
import operator
import random
import struct

F16, F32, I8, I32 = "torch.float16", "torch.float32", "torch.int8", "torch.int32"
BF16, E4M3, E5M2 = "torch.bfloat16", "torch.float8_e4m3fn", "torch.float8_e5m2"
FORMATS = {F16: "e", F32: "f", I8: "b", I32: "i", BF16: "H", E4M3: "B", E5M2: "B"}
SMALL = {BF16: (16, 7, 127), E4M3: (8, 3, 7), E5M2: (8, 2, 15)}  # bits, of the mantissa, bias


def pack(kind, value):
    """What struct writes for a small number of a type."""
    if kind not in SMALL or value == 0:
        return value
    bits, mantissa, bias = SMALL[kind]
    fraction, exponent = math.frexp(abs(value))
    code = (exponent - 1 + bias << mantissa) + int((2 * fraction - 1) * 2**mantissa)
    return int(value < 0) << bits - 1 | code


def unpack(kind, code):
    """The number of what struct reads."""
    if kind not in SMALL or code == 0:
        return code
    bits, mantissa, bias = SMALL[kind]
    exponent = (code >> mantissa) % 2 ** (bits - 1 - mantissa) - bias
    value = math.ldexp(1 + code % 2**mantissa / 2**mantissa, exponent)
    return -value if code >> bits - 1 else value


@dataclasses.dataclass
class Array:
    """A tensor of the host as torch's are to cute.kernels; elements begin as 77."""

    shape: tuple
    dtype: str = F16
    strides: tuple = ()
    offset: int = 0  # elements from a multiple of 16 bytes

    device, is_cuda = "cpu", False

    def __post_init__(self):
        self.shape = tuple(self.shape)
        self.codes = struct.Struct(FORMATS[self.dtype])
        if not self.strides:
            unit = 16 // self.element_size()
            pitch = -(-self.shape[-1] // unit) * unit
            self.strides = (self.shape[-2:][0] * pitch, pitch, 1)[-len(self.shape):]
        self.strides = tuple(self.strides)
        count = sum((n - 1) * s for n, s in zip(self.shape, self.strides)) + 1 + self.offset
        self.memory = (ctypes.c_char * (count * self.element_size() + 16))()
        address = -(-ctypes.addressof(self.memory) // 16) * 16
        self.begin = address - ctypes.addressof(self.memory) + self.offset * self.element_size()
        self.address = address + self.offset * self.element_size()
        elements = self.codes.pack(pack(self.dtype, 77)) * (count - self.offset)
        self.memory[self.begin:self.begin + len(elements)] = elements

    def places(self):
        return itertools.product(*map(range, self.shape))

    def _at(self, place):
        return self.begin + self.codes.size * sum(map(operator.mul, place, self.strides))

    def __getitem__(self, place):
        if place[0] is ...:  # the first columns
            self.shape = (*self.shape[:-1], place[1].stop)
            return self
        code, = self.codes.unpack_from(self.memory, self._at(place))
        return unpack(self.dtype, code) if self.dtype in SMALL else code

    def __setitem__(self, place, value):
        self.codes.pack_into(self.memory, self._at(place), pack(self.dtype, value))

    def fill(self, seed, most=3):
        numbers = random.Random(seed)
        for place in self.places():
            self[place] = numbers.randrange(2 * most + 1) - most
        return self

    def copy_(self, other):
        for place in self.places():
            self[place] = other[place]
        return self

    def dim(self):
        return len(self.shape)

    def stride(self, mode=None):
        return self.strides if mode is None else self.strides[mode]

    def data_ptr(self):
        return self.address

    def element_size(self):
        return self.codes.size

    def view(self, *shape):
        return self

    def new_zeros(self, shape):
        return Array(shape, self.dtype).fill(0, 0)
