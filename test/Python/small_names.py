# RUN: env CUTE_DEVICE=sim %python %s
# RUN: %python -m cute --version | FileCheck %s
# CHECK: {{^cute [0-9]+\.[0-9]+\.[0-9]+$}}
"""Names that public programs ask for here and there."""
import array
import unittest

import cute
from cute import Float32, Int32, Uint32, arch, pipeline, utils
from cute._mlir import ir
from cute._mlir.dialects import llvm
from cute.runtime import make_ptr


def run(kernel, count=4):
    """Returns what one thread writes to memory of 32 bits."""

    @cute.jit
    def launch(pointer: cute.Pointer):
        kernel(cute.make_tensor(pointer, count)).launch(grid=(1, 1, 1), block=(1, 1, 1))

    memory = array.array("I", [0] * count)
    launch(make_ptr(Uint32, memory.buffer_info()[0], cute.AddressSpace.gmem))
    return list(memory)


class Names(unittest.TestCase):
    def test_bits_of_numbers(self):
        @cute.kernel
        def k(a: cute.Tensor):
            x = Float32(a[0]) + 1.5
            a[0] = x.bitcast(Uint32)
            a[1] = Float32(2.0).bitcast(Int32).bitcast(Uint32)
            a[2] = Uint32(0x3F800000).bitcast(Float32)

        self.assertEqual(run(k), [0x3FC00000, 0x40000000, 1, 0])
        with self.assertRaisesRegex(TypeError, "the bits of Float32 are not a Float16"):
            Float32(1.0).bitcast(cute.Float16)
        types = (cute.Float64, Float32, cute.Float16, cute.Int8, cute.Int4, cute.Boolean)
        self.assertEqual([t.bytes for t in types], [8, 4, 2, 1, 1, 1])

    def test_barriers_of_stages(self):
        @cute.kernel
        def k(a: cute.Tensor):
            place = utils.SmemAllocator().allocate_array(cute.Int64, 8)
            one = pipeline.CooperativeGroup(pipeline.Agent.Thread)
            bars = pipeline.MbarrierArray(place, 2, (pipeline.PipelineOp.AsyncThread, one))
            arch.sync_threads()
            arch.mbarrier_arrive(bars.get_barrier(1))
            for i in cute.range_constexpr(2):
                a[i] = Uint32(1) if bars.test_wait(i, 0) else Uint32(0)
            order = pipeline.PipelineOrder.create(place + 2, 2, 3, 1, one)
            a[2] = order.get_barrier_for_current_stage_idx(2).to(Uint32)
            last = pipeline.PipelineState(2, Int32(1), Int32(1), Int32(0))
            a[3] = order.get_barrier_for_current_stage_idx(2, last).to(Uint32)

        self.assertEqual(run(k), [0, 1, 2, 5])

    def test_types(self):
        self.assertEqual([t.n_bytes(3) for t in (cute.Int4, cute.Float16, Int32)], [3, 6, 12])
        self.assertEqual([t.is_abstract for t in (cute.Integer, cute.Numeric, Int32)],
                         [True, True, False])
        self.assertEqual([t.numpy_dtype for t in (cute.BFloat16, cute.Float8E4M3FN, cute.Int128,
                                                  cute.TFloat32, cute.Integer)], [None] * 5)
        try:
            import numpy
        except ImportError:
            return
        self.assertEqual([t.numpy_dtype for t in (cute.Float16, Uint32, cute.Boolean)],
                         [numpy.float16, numpy.uint32, numpy.bool_])

    def test_atoms_with_arguments(self):
        plain = cute.make_copy_atom(cute.nvgpu.CopyUniversalOp(), Float32)
        self.assertIs(type(plain.with_()), type(plain))
        with self.assertRaisesRegex(TypeError, "CopyUniversalOp takes no tma_bar_ptr"):
            plain.with_(tma_bar_ptr=3)

    def test_pointers_of_other_memories(self):
        @cute.kernel
        def k(a: cute.Tensor):
            pointer = a.iterator.raw_ptr()
            generic = llvm.addrspacecast(llvm.PointerType.get(cute.AddressSpace.generic), pointer.llvm_ptr)
            llvm.store(Uint32(7).ir_value(), generic)
            same = llvm.addrspacecast(llvm.PointerType.get(0), generic)
            a[1] = Uint32(llvm.load(Uint32.mlir_type, same)) + 1

        self.assertEqual(run(k)[:2], [7, 8])

    def test_swizzles(self):
        self.assertEqual(str(cute.Swizzle(2, 3, 3)), "S<2,3,3>")
        names = ("none", "s32b", "s64b", "s128b")
        self.assertEqual([cute.Swizzle.from_name(n).num_bits for n in names], [0, 1, 2, 3])
        with self.assertRaisesRegex(ValueError, "one of none, s32b, s64b, s128b, not '128B'"):
            cute.Swizzle.from_name("128B")

    def test_others(self):
        self.assertEqual([utils.is_fp8_dtype(t) for t in (cute.Float8E5M2, cute.Float16)], [True, False])
        self.assertTrue(callable(utils.create_cute_tensor_for_fp8))
        self.assertEqual(cute.core._pack_shape([128, 64]), (128, 64))
        self.assertTrue(isinstance(ir.InsertionPoint, type))
        self.assertRegex(cute.__version__, r"^\d+\.\d+\.\d+$")


if __name__ == "__main__":
    unittest.main()
