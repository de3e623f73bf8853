# RUN: env CUTE_DEVICE=sim CUTE_ARCH=sm_80 %python %s
"""cute.experimental: copies that end where a kernel's arguments do."""
import array
import unittest

import cute
from cute import Float32, Int32
from cute import experimental as cute_ext
from cute.runtime import make_ptr


@cute_ext.kernel
def add_one(src: cute.Tensor, dst: cute.Tensor, bits: cute.Constexpr):
    block, thread = cute.arch.block_idx(), cute.arch.thread_idx()[0]
    place = (None, None), (block[0], block[1])
    threads = cute.make_layout(((8, 4), (4, 2)), stride=((4, 32), (1, 128)))
    parts = [
        cute_ext.partition(cute.zipped_divide(t, (32, 16))[place], thread, layout_tv=threads,
                           tiler=(32, 8))
        for t in (src, dst)
    ]
    held = cute_ext.allocate(Float32, cute.AddressSpace.rmem, ((4, 2), (1, 2)), alignment=16)
    atom = cute.make_copy_atom(cute.nvgpu.CopyUniversalOp(), Float32, num_bits_per_copy=bits)
    cute_ext.copy(parts[0], held, copy_atom=atom)
    held.store(held.load() + 1.0)
    cute_ext.copy(held, parts[1], copy_atom=atom)


@cute_ext.jit
def launch(src: cute.Pointer, dst: cute.Pointer, m: Int32, n: Int32, pitch: cute.Constexpr,
           bits: cute.Constexpr):
    layout = cute.make_layout((m, n), stride=(1, pitch))
    tensors = [cute.make_tensor(p, layout) for p in (src, dst)]
    grid = (cute.ceil_div(m, 32), cute.ceil_div(n, 16), 1)
    add_one(*tensors, bits).launch(grid=grid, block=(32, 1, 1))


@cute_ext.kernel
def misuse(src: cute.Tensor, values: cute.Constexpr, bits: cute.Constexpr):
    held = cute_ext.allocate(Float32, cute.AddressSpace.rmem, (values, 1))
    atom = cute.make_copy_atom(cute.nvgpu.CopyUniversalOp(), Float32, num_bits_per_copy=bits)
    cute_ext.copy(cute.group_modes(src, 0, 2), held, copy_atom=atom)


def pointer(memory):
    # of 16 bytes, as accesses are; the memory begins there
    first = -memory.buffer_info()[0] % 16 // 4
    address = memory.buffer_info()[0] + 4 * first
    return first, make_ptr(Float32, address, cute.AddressSpace.gmem, assumed_align=16)


class Copies(unittest.TestCase):
    def test_every_element_inside_and_no_other(self):
        pitch, columns = 80, 40
        for m, n in ((64, 32), (61, 33), (62, 17), (3, 1), (76, 39)):
            for bits in (32, 128):
                source = array.array("f", range(pitch * columns + 4))
                target = array.array("f", [-1.0] * (pitch * columns + 4))
                (first, src), (begin, dst) = pointer(source), pointer(target)
                launch(src, dst, m, n, pitch, bits)
                for j in range(columns):
                    for i in range(pitch):
                        place = i + pitch * j
                        wanted = source[first + place] + 1 if i < m and j < n else -1.0
                        self.assertEqual(target[begin + place], wanted, (m, n, bits, i, j))

    def test_rejected(self):
        @cute_ext.jit
        def start(src: cute.Pointer, values: cute.Constexpr, bits: cute.Constexpr):
            misuse(cute.make_tensor(src, (3, 2, 1)), values, bits).launch(grid=(1, 1, 1), block=(1, 1, 1))

        _, src = pointer(array.array("f", [0.0] * 64))
        with self.assertRaisesRegex(ValueError, "have different shapes"):
            start(src, 5, 32)
        with self.assertRaisesRegex(ValueError, "an access has 4 elements, which do not divide"):
            start(src, (3, 2), 128)
        with self.assertRaisesRegex(ValueError, "allocated in rmem, smem or tmem, not in gmem"):
            cute_ext.allocate(Float32, cute.AddressSpace.gmem, 4)

    def test_names_of_the_runtime_are_placeholders(self):
        words = "leaves out memory that a kernel asks for; use an argument"
        with self.assertRaisesRegex(ImportError, words):
            cute_ext.QueryDeviceWorkspaceFunc()


if __name__ == "__main__":
    unittest.main()
