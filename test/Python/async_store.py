# RUN: env CUTE_DEVICE=sim CUTE_ARCH=sm_90a %python %s
"""Blocks of a cluster send each other numbers by st.async, on the simulator."""

import array
import unittest

import cute
from cute import Float32, Int32, Int64, SimulatorError, arch, utils
from cute._mlir.dialects import llvm
from cute.dsl import T
from cute.runtime import make_ptr

BLOCKS = 4


def in_block(pointer, rank):
    """Returns the address of the same place in the memory of another block."""
    operands = [pointer.toint().ir_value(), Int32(rank).ir_value()]
    return llvm.inline_asm(T.i32(), operands, "mapa.shared::cluster.u32 $0, $1, $2;", "=r,r,r")


def send(value, pointer, barrier, rank, kind):
    llvm.inline_asm(
        None, [in_block(pointer, rank), value.ir_value(), in_block(barrier, rank)],
        f"st.async.shared::cluster.mbarrier::complete_tx::bytes.{kind} [$0], $1, [$2];",
        "r,f,r", has_side_effects=True,
    )  # fmt: skip


@cute.kernel
def sum_kernel(out: cute.Tensor, bytes_each: cute.Constexpr, kind: cute.Constexpr):
    smem = utils.SmemAllocator()
    parts = smem.allocate_tensor(Float32, cute.make_layout(BLOCKS), 16)
    barrier = smem.allocate_array(Int64, num_elems=1)
    lane, rank = arch.thread_idx()[0], arch.block_idx_in_cluster()
    if lane == 0:
        arch.mbarrier_init(barrier, 1)
    arch.mbarrier_init_fence()
    arch.cluster_arrive_relaxed()
    arch.cluster_wait()
    if lane == 0:
        arch.mbarrier_arrive_and_expect_tx(barrier, BLOCKS * bytes_each)
    if lane < BLOCKS:
        send(Float32(rank + 1), parts.iterator + rank, barrier, lane, kind)
    arch.mbarrier_wait(barrier, 0)
    total = Float32(0.0)
    for i in cute.range_constexpr(BLOCKS):
        total += parts[i]
    if lane == 0:
        out[arch.block_idx()[0]] = total
    arch.cluster_arrive()
    arch.cluster_wait()


@cute.jit
def run(out: cute.Pointer, bytes_each: cute.Constexpr, kind: cute.Constexpr):
    results = cute.make_tensor(out, cute.make_layout(BLOCKS))
    sum_kernel(results, bytes_each, kind).launch(
        grid=(BLOCKS, 1, 1), block=(32, 1, 1), cluster=(BLOCKS, 1, 1)
    )


class Stores(unittest.TestCase):
    def run_with(self, *options):
        out = array.array("f", [0] * BLOCKS)
        run(make_ptr(Float32, out.buffer_info()[0], cute.AddressSpace.gmem), *options)
        return list(out)

    def test_all_blocks_have_the_sum(self):
        self.assertEqual(self.run_with(4, "f32"), [10.0] * BLOCKS)

    def test_a_barrier_that_waits_for_more(self):
        with self.assertRaisesRegex(SimulatorError, "which no copy brings"):
            self.run_with(8, "f32")

    def test_types(self):
        with self.assertRaisesRegex(SimulatorError, "the simulator does not know st.async"):
            self.run_with(4, "b16")


if __name__ == "__main__":
    unittest.main()
