# RUN: %python %s
"""Each function of cute.arch in a kernel, and the instruction that it becomes."""

import unittest

import cute
from cute import arch
from cute.dsl import Boolean, Float16, Float32, Int32, Int64, Uint32
from cute._values.struct import SmemAllocator


def ptx(function, arch_name="sm_90a", block=128):
    """Returns the PTX of a kernel whose body is ``function(x, result)``."""

    @cute.kernel
    def kernel(n: Int32, out: cute.Pointer):
        function(n, cute.make_tensor(out, 1024))

    @cute.jit
    def host(n: Int32, out: cute.Pointer):
        kernel(n, out).launch(grid=1, block=block)

    pointer = cute.runtime.make_ptr(
        Int32, 256, cute.AddressSpace.gmem, assumed_align=16
    )
    return cute.compile(host, Int32(4), pointer, options=f"--arch {arch_name}").__ptx__


class Arch(unittest.TestCase):
    def check(self, function, *expected):
        text = ptx(function)
        for instruction in expected:
            self.assertIn(instruction, text)

    def test_places(self):
        def body(n, out):
            places = [arch.thread_idx(), arch.block_idx(), arch.block_dim()]
            places += [arch.grid_dim(), arch.cluster_idx(), arch.cluster_dim()]
            places += [arch.block_in_cluster_idx(), arch.block_in_cluster_dim()]
            total = (
                arch.lane_idx() + arch.block_idx_in_cluster() + arch.dynamic_smem_size()
            )
            for x, y, z in places:
                total = total + x + y + z
            out[arch.thread_idx()[0]] = total

        names = "ctaid nctaid clusterid nclusterid cluster_ctaid cluster_nctaid"
        expected = [f"%{name}.{dim}" for name in names.split() for dim in "xyz"]
        self.check(body, *expected, "%tid.x", "%cluster_ctarank")

    def test_barriers_and_fences(self):
        def body(n, out):
            arch.sync_threads()
            arch.barrier(barrier_id=1, number_of_threads=64)
            arch.barrier(barrier_id=n)
            arch.barrier_arrive(barrier_id=2, number_of_threads=64)
            arch.sync_warp()
            arch.fence_proxy("async.shared", space="cta")
            arch.fence_proxy(arch.ProxyKind.alias)
            arch.fence_acq_rel_cta()
            arch.fence_acq_rel_gpu()
            arch.cluster_arrive_relaxed()
            arch.cluster_arrive()
            arch.cluster_wait()
            arch.griddepcontrol_wait()
            arch.griddepcontrol_launch_dependents()
            arch.setmaxregister_decrease(40)
            arch.setmaxregister_increase(232)

        self.check(
            body,
            *("bar.sync 	0;", "bar.sync %r1, %r2;", "bar.arrive %r3, %r2;"),
            *("bar.warp.sync", "fence.proxy.async.shared::cta", "fence.proxy.alias"),
            *("membar.cta", "membar.gl", "barrier.cluster.arrive.relaxed"),
            *("barrier.cluster.wait", "griddepcontrol.wait"),
            *("griddepcontrol.launch_dependents", "setmaxnreg.dec", "setmaxnreg.inc"),
        )
        for wrong in ({"number_of_threads": 32}, {}):
            with self.assertRaises(ValueError):
                arch.barrier_arrive(**wrong)
        with self.assertRaises(ValueError):
            arch.barrier(number_of_threads=32)

    def test_barriers_in_memory(self):
        @cute.jit
        def body(n, out):
            bars = SmemAllocator().allocate_array(Int64, 2)
            if arch.warp_idx() == 0:
                with arch.elect_one():
                    arch.mbarrier_init(bars, 1)
            arch.mbarrier_init_fence()
            arch.sync_threads()
            arch.mbarrier_expect_tx(bars, 64)
            arch.mbarrier_arrive_and_expect_tx(bars, 128)
            arch.mbarrier_arrive_and_expect_tx(bars, 128, n)
            arch.mbarrier_arrive(bars)
            arch.mbarrier_arrive(bars + 1, 0)
            arch.cp_async_mbarrier_arrive_noinc(bars)
            ready = arch.mbarrier_try_wait(bars, 0)
            ready = arch.mbarrier_conditional_try_wait(n > 2, bars, 1) & ready
            arch.mbarrier_wait(bars, n & 1)
            out[0] = Int32(ready)

        self.check(
            body,
            *(
                "mbarrier.init",
                "fence.mbarrier_init",
                "elect.sync",
                "mbarrier.expect_tx",
            ),
            *("mbarrier.arrive.expect_tx", "mapa", "cp.async.mbarrier.arrive.noinc"),
            *("mbarrier.try_wait", "mbarrier.arrive"),
        )

    def test_groups_of_copies(self):
        def body(n, out):
            arch.cp_async_commit_group()
            arch.cp_async_wait_group(1)
            arch.cp_async_wait_all()
            arch.cp_async_bulk_commit_group()
            arch.cp_async_bulk_wait_group(0)
            arch.cp_async_bulk_wait_group(1, read=True)

        self.check(
            body,
            *("cp.async.commit_group", "cp.async.wait_group", "cp.async.wait_all"),
            *("cp.async.bulk.commit_group", "cp.async.bulk.wait_group 	0"),
            "cp.async.bulk.wait_group.read 	1",
        )

    def test_exchange_between_lanes(self):
        def body(n, out):
            total = arch.shuffle_sync(n, 3) + arch.shuffle_sync_up(n, 1)
            total += arch.shuffle_sync_down(n, 1) + arch.make_warp_uniform(n)
            total += Int32(
                arch.shuffle_sync_bfly(Float16(n), offset=2, mask=-1, mask_and_clamp=31)
            )
            total += arch.shuffle_sync_op(n, 1, 0xFFFFFFFF, 7199)
            total += Int32(arch.warp_reduction_max(Float32(n), threads_in_group=4))
            total += arch.warp_reduction_sum(n) + arch.warp_redux_sync(n, "add")
            total += arch.vote_ballot_sync(n > 1) + arch.match_any_sync(n)
            votes = (arch.vote_all_sync, arch.vote_any_sync, arch.vote_uni_sync)
            for vote in votes:
                total += Int32(vote(n > 3))
            out[arch.lane_idx()] = total

        self.check(
            body,
            *("shfl.sync.idx", "shfl.sync.up", "shfl.sync.down", "shfl.sync.bfly"),
            *("7199", "redux.sync.add", "vote.sync.ballot", "match.any.sync"),
            *("vote.sync.all", "vote.sync.any", "vote.sync.uni"),
        )

    def test_numbers(self):
        def body(n, out):
            x = Float32(n)
            y = arch.fmax(x, 0.0, arch.fmin(x, 3.0)) + arch.rcp_approx(x)
            y += arch.exp2(x) + arch.log2(x) + arch.exp(x) + arch.log(x)
            p, q = arch.fma_packed_f32x2((x, y), (y, x), (1.0, 2.0))
            p, q = arch.add_packed_f32x2((p, q), (x, x))
            p, q = arch.sub_packed_f32x2((p, q), arch.mul_packed_f32x2((x, y), (x, x)))
            out[0] = Int32(p * q) + arch.popc(n) + arch.clz(n) + arch.clock()
            out[1] = arch.prmt(Uint32(n), Uint32(n + 1), 0x5410)

        self.check(
            body,
            *("max.f32", "min.f32", "rcp.approx.ftz", "ex2.approx", "lg2.approx"),
            *("fma.rn.f32", "popc.b32", "clz.b32", "0x5410U;", "%clock"),
        )
        self.assertEqual(arch.fmax(1.0, 2.0).value, 2.0)
        self.assertEqual(arch.fmin(Float32(float("nan")), 2.0).value, 2.0)
        self.assertIs(type(arch.fmax(1, 2)), Int32)

    def test_contraction(self):
        def body(n, out):
            out[0] = Int32(Float32(n) * 3.0 + Float32(out[1]))

        self.check(body, "fma.rn.f32")

    def test_rejected(self):
        def words(n, out):
            arch.shuffle_sync_op(Int64(n), 1, -1, 7199)

        def redux(n, out):
            arch.warp_redux_sync(Float32(n), "add")

        for function, text in (
            (words, "numbers of 32 bits"),
            (redux, "integers of 32"),
        ):
            with self.assertRaisesRegex(TypeError, text):
                ptx(function)
        with self.assertRaisesRegex(cute.DSLError, "under @cute.jit"):
            arch.thread_idx()
        self.assertIs(type(Boolean(True)), Boolean)


if __name__ == "__main__":
    unittest.main()
