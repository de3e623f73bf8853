# RUN: env CUTE_DEVICE=sim %python %s
"""Streams of torch, CUDA's bindings and core, CuPy and Numba are arguments of functions."""

import ctypes
import unittest

import cute
from cute import Int32
from cute._device.stream_handles import handle_of, is_stream
from cute.runtime import make_ptr


def of(package, name, **members):
    """An object of a class of another package."""
    return type(name, (), {"__module__": package, **members})()


class CUstream(int):
    """As CUDA's bindings have it: a number."""


STREAMS = [
    (of("torch.cuda.streams", "Stream", cuda_stream=7), 7),
    (CUstream(8), 8),
    (of("cuda.core", "Stream", __cuda_stream__=lambda self: (0, 9)), 9),
    (of("cupy.cuda.stream", "ExternalStream", ptr=10), 10),
    (of("numba.cuda.cudadrv.driver", "Stream", handle=ctypes.c_void_p(11)), 11),
    (of("numba.cuda.cudadrv.driver", "Stream", handle=ctypes.c_void_p()), 0),
]


@cute.kernel
def one(out: cute.Tensor):
    out[0] += 1


@cute.jit
def launch(out: cute.Pointer, stream):
    one(cute.make_tensor(out, 1)).launch(grid=(1, 1, 1), block=(1, 1, 1), stream=stream)


class Streams(unittest.TestCase):
    def test_handles(self):
        for stream, handle in STREAMS:
            with self.subTest(stream=type(stream).__module__):
                self.assertTrue(is_stream(stream))
                self.assertEqual(handle_of(stream), handle)
        for other in (of("cupy", "ndarray", ptr=1), 5, "text", None):
            self.assertFalse(is_stream(other))

    def test_calls(self):
        cells = (ctypes.c_int32 * 1)()
        pointer = make_ptr(Int32, ctypes.addressof(cells), cute.AddressSpace.gmem)
        for stream, _ in STREAMS:
            launch(pointer, stream)
        self.assertEqual(cells[0], len(STREAMS))
        self.assertEqual(len(launch.compiled), 1, "one function for streams of all packages")
        compiled = cute.compile(launch, pointer, STREAMS[0][0])
        compiled(pointer, STREAMS[4][0])
        self.assertEqual(cells[0], len(STREAMS) + 1)

    def test_what_is_no_stream(self):
        @cute.jit
        def wrong(out: cute.Pointer):
            one(cute.make_tensor(out, 1)).launch(
                grid=(1, 1, 1), block=(1, 1, 1), stream=of("cupy", "ndarray"))

        pointer = make_ptr(Int32, 0, cute.AddressSpace.gmem)
        with self.assertRaisesRegex(TypeError, "a stream of CUDA, torch, CuPy or Numba"):
            wrong(pointer)


if __name__ == "__main__":
    unittest.main()
