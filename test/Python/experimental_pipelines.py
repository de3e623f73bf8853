# RUN: env CUTE_DEVICE=sim CUTE_ARCH=sm_90a %python %s
"""cute.experimental: pipelines as values, rings of units, mailboxes, and elements of lanes."""
import array
import operator
import unittest

import cute
from cute import BFloat16, Boolean, Float16, Float32, Int8, Int16, Int32, Int64, arch
from cute import experimental as cute_ext
from cute.runtime import make_ptr

Kind, Owner = cute_ext.OperationTypeEnum, cute_ext.MbarrierOwner


@cute_ext.kernel
def by_functions(out: cute.Tensor, elects: cute.Constexpr):
    """Warp 0 fills two stages in turn, warp 1 reads them: all state is in values."""
    warp, lane = arch.make_warp_uniform(arch.warp_idx()), arch.lane_idx()
    near = cute_ext.allocate(Int32, cute.AddressSpace.smem, cute.make_layout((32, 2)))
    count = cute_ext.get_arrival_count(
        2, Kind.ST_SHARED, Kind.LD_SHARED, side="consumer", num_threads_per_cta=32,
        elect_one_sync=elects)
    pipe, fill, use = cute_ext.create_pipeline(2, Kind.ST_SHARED, [Kind.LD_SHARED], 32, count)
    if warp == 0:
        for i in range(5):
            token = cute_ext.producer_try_acquire(pipe, fill)
            if not token:
                cute_ext.producer_acquire(pipe, fill)
            _, stage = cute_ext.get_pipeline_produce_stage(pipe, fill)
            near[lane, stage] = 10 * i + lane
            cute_ext.producer_commit(pipe, fill)
            fill = cute_ext.pipeline_advance_iterator(pipe, fill)
        cute_ext.pipeline_tail(pipe, fill)
    else:
        for i in range(5):
            cute_ext.consumer_wait(pipe, use)
            _, stage = cute_ext.get_pipeline_consume_stage(pipe, use)
            out[lane, i] = near[lane, stage] + 1000 * cute_ext.get_pipeline_consume_phase(use)
            arch.sync_warp()
            if cute.const_expr(elects):
                cute_ext.consumer_release_elect_one_sync(pipe, use)
            else:
                cute_ext.consumer_release(pipe, use)
            use = cute_ext.pipeline_advance_iterator(pipe, use)


@cute_ext.kernel
def in_units(out: cute.Tensor):
    """A stage has 3 units of 32 numbers, an iteration takes 2: every other one takes parts of two
    stages."""
    warp, lane = arch.make_warp_uniform(arch.warp_idx()), arch.lane_idx()
    near = cute_ext.allocate(Int32, cute.AddressSpace.smem, cute.make_layout((32, 3, 2)))
    pipe, fill, use = cute_ext.create_pipeline(2, Kind.ST_SHARED, Kind.LD_SHARED, 32, 32)
    if warp == 0:
        for i in range(4):
            cute_ext.producer_acquire(pipe, fill)
            for unit in cute.range_constexpr(3):
                near[lane, unit, fill.index] = 100 * (3 * i + unit) + lane
            cute_ext.producer_commit(pipe, fill)
            fill = cute_ext.pipeline_advance_iterator(pipe, fill)
    else:
        place = cute_ext.create_circular_buffer_pipeline(pipe, use, 2, 3, 2)
        for i in range(6):
            cute_ext.circular_buffer_pipeline_consume(pipe, place)
            for k in cute.range_constexpr(2):
                at = (2 * i + k) % 6
                out[lane, 2 * i + k] = near[lane, at % 3, at // 3]
            cute_ext.circular_buffer_pipeline_consumer_release(pipe, place)
            place = cute_ext.circular_buffer_pipeline_advance_iterator(pipe, place)


@cute_ext.b32_payload
class Parcel:
    row: Int32
    far: Int64
    scale: Float32
    half: Float16
    brain: BFloat16
    small: Int8
    short: Int16
    is_last: Boolean


@cute.struct
class Box:
    words: cute.struct.Align[cute.struct.MemRange[Int32, Parcel.storage_words], 16]


@cute_ext.kernel
def mailbox(numbers: cute.Tensor, floats: cute.Tensor):
    """Each block of a pair sends two parcels to the other one, which writes what came."""
    box = cute.utils.SmemAllocator().allocate(Box)
    inbox = cute_ext.ClusterMailbox(Parcel, box.words)
    pipe = cute_ext.GenericPipeline.create(
        producer=Kind.ST_ASYNC_S, consumer=Kind.LD_SHARED, producer_arv_count=1,
        consumer_arv_count=1, num_stages=1, locale=cute_ext.CTA_PAIR_PEER_LOCALE)
    own = arch.block_idx_in_cluster()
    if arch.thread_idx()[0] == 0:
        for i in range(2):
            token, _ = pipe.producer_acquire_and_get_stage()
            inbox.send_to_pipeline_stage(
                token, own ^ 1, row=10 * i + own, far=(Int64(1) << 40) - 5 * own, scale=0.5 * own,
                half=Float16(1.25), brain=BFloat16(-3.0), small=-own, short=-300, is_last=i == 1)
            pipe.producer_commit_and_advance()
    if arch.thread_idx()[0] == 32:
        for i in range(2):
            pipe.consumer_wait()
            parcel = inbox.recv()
            for k, number in enumerate((parcel.row, parcel.far, parcel.small, parcel.short)):
                numbers[k, i, own] = Int64(number)
            for k, number in enumerate((parcel.scale, parcel.half, parcel.brain)):
                floats[k, i, own] = Float32(number)
            floats[3, i, own] = 1.0 if parcel.is_last else 0.0
            pipe.consumer_release_and_advance()
    arch.cluster_arrive()
    arch.cluster_wait()


@cute_ext.kernel
def of_lanes(out: cute.Tensor):
    lane = arch.lane_idx()
    held = cute_ext.allocate(Int32, cute.AddressSpace.rmem, cute.make_layout(8))
    twice = cute_ext.allocate(Int32, cute.AddressSpace.rmem, cute.make_layout(8))
    for i in cute.range_constexpr(8):
        held[i] = lane * lane + 100 * i
    cute_ext.elementwise([held, held], [held, twice], lambda x, y: (x + 1, x + y))
    every = cute_ext.allocate(Int32, cute.AddressSpace.rmem, cute.make_layout(8))
    cute_ext.warp_reduce(held, every, cute.make_layout((8, 4), stride=(1, 0)),
                         Kind.REDUCE_DOWN_SHUFFLE, operator.add)
    for i in cute.range_constexpr(8):
        out[i, lane] = every[i]
        out[8 + i, lane] = twice[i]
    share = cute_ext.allocate(Int32, cute.AddressSpace.rmem, cute.make_layout(2))
    cute_ext.warp_reduce(held, share, cute.make_layout((8, 4), stride=(0, 1)),
                         Kind.REDUCE_SWAP_SHUFFLE, operator.add)
    for i in cute.range_constexpr(2):
        out[16 + i, lane] = share[i]


@cute_ext.kernel
def copied(src: cute.Tensor, dst: cute.Tensor, asynchronous: cute.Constexpr):
    thread = arch.thread_idx()[0]
    near = cute_ext.allocate(Float32, cute.AddressSpace.smem, cute.make_layout((8, 32)), alignment=16)
    cute_ext.simt_auto_vec_copy(src[None, thread], near[None, thread], async_op=asynchronous)
    arch.cp_async_commit_group()
    arch.cp_async_wait_group(0)
    arch.sync_threads()
    cute_ext.simt_auto_vec_copy(near[None, 31 - thread], dst[None, thread])


@cute_ext.kernel
def from_scheduler(out: cute.Tensor):
    warp, lane = arch.make_warp_uniform(arch.warp_idx()), arch.lane_idx()
    tiles = cute_ext.allocate(Int32, cute.AddressSpace.smem, cute.make_layout(2))
    pipe = cute_ext.GroupedGemmSchedulerPipeline.create(
        num_stages=2, producer_arv_count=1, consumer_arv_count=32)
    if warp == 0:
        if cute_ext.elect_sync():
            for i in range(3):
                _, stage = pipe.producer_acquire_and_get_stage()
                tiles[stage] = 7 * i + 1
                pipe.producer_commit_and_advance()
    else:
        for i in range(3):
            _, stage = pipe.consumer_wait_and_get_stage()
            out[lane, i] = tiles[stage]
            pipe.consumer_release_and_advance()


def start(kernel, shape, *arguments, memory=Int32, block=64, grid=1, **options):
    """Runs a kernel on zeros of a shape; returns them."""
    size = cute.size(shape)
    numbers = array.array({Int32: "i", Int64: "q", Float32: "f"}[memory], [0] * size)

    @cute_ext.jit
    def launch(out: cute.Pointer):
        kernel(cute.make_tensor(out, cute.make_layout(shape)), *arguments).launch(
            grid=grid, block=block, **options)

    launch(make_ptr(memory, numbers.buffer_info()[0], cute.AddressSpace.gmem))
    return numbers.tolist()


class Pipelines(unittest.TestCase):
    def test_functions(self):
        for elects in (False, True):
            found = start(by_functions, (32, 5), elects)
            self.assertEqual(found, [10 * i + lane + 1000 * (i // 2 % 2)
                                     for i in range(5) for lane in range(32)])

    def test_units(self):
        self.assertEqual(start(in_units, (32, 12)),
                         [100 * unit + lane for unit in range(12) for lane in range(32)])

    def test_scheduler(self):
        self.assertEqual(start(from_scheduler, (32, 3)),
                         [7 * i + 1 for i in range(3) for _ in range(32)])

    def test_mailbox(self):
        floats = array.array("f", [0] * 16)

        @cute_ext.jit
        def launch(out: cute.Pointer, more: cute.Pointer):
            layout = cute.make_layout((4, 2, 2))
            mailbox(cute.make_tensor(out, layout), cute.make_tensor(more, layout)).launch(
                grid=2, block=64, cluster=2)

        numbers = array.array("q", [0] * 16)
        launch(*(make_ptr(t, m.buffer_info()[0], cute.AddressSpace.gmem)
                 for t, m in ((Int64, numbers), (Float32, floats))))
        for own in range(2):
            peer = 1 - own
            for i in range(2):
                at = 4 * i + 8 * own
                self.assertEqual(numbers[at : at + 4].tolist(),
                                 [10 * i + peer, 2**40 - 5 * peer, -peer, -300])
                self.assertEqual(floats[at : at + 4].tolist(), [0.5 * peer, 1.25, -3.0, i])

    def test_codec(self):
        self.assertEqual(Parcel.storage_words, 9)
        self.assertEqual([Parcel.chunks_for_alignment(n)[0] for n in (4, 8, 16)],
                         [(1, [0]), (2, [0, 1]), (4, [0, 1, 2, 3])])
        again = cute_ext.B32PayloadCodec.from_struct(Box2)
        self.assertEqual((again.field_names, again.storage_words), (["n", "x"], 3))
        for error, words, make in (
            (TypeError, "a is of one of Boolean, .*, not of <class 'str'>",
             lambda: cute_ext.B32PayloadCodec([("a", str)])),
            (ValueError, "fields with different names",
             lambda: cute_ext.B32PayloadCodec([("a", Int32), ("a", Int8)])),
            (TypeError, "the fields are n, x, not n", lambda: again.encode_fields({"n": 1})),
        ):
            with self.assertRaisesRegex(error, words):
                make()

    def test_arrivals(self):
        count = cute_ext.get_arrival_count
        self.assertEqual(count(1, Kind.SM100_MMA_2SM_SS, Kind.SM100_COPY_T2R, side="consumer",
                               num_threads_per_cta=128), 256)
        self.assertEqual(count(1, Kind.SM100_MMA_2SM_SS, Kind.SM100_COPY_T2R, side="producer"), 1)
        self.assertEqual(count(1, Kind.SM90_TMA_LOAD_MULTICAST, Kind.SM100_MMA_1SM_SS,
                               side="consumer", fan_in=3), 3)
        for words, options in (
            ("'producer' or 'consumer', not 'both'", {"side": "both"}),
            ("48 threads are no warps", {"side": "consumer", "num_threads_per_cta": 48,
                                         "elect_one_sync": True}),
        ):
            with self.assertRaisesRegex(ValueError, words):
                count(1, Kind.SM90_TMA_LOAD, Kind.LD_SHARED, **options)
        with self.assertRaisesRegex(ValueError, "give fan_in"):
            count(1, Kind.SM90_TMA_LOAD_MULTICAST, Kind.SM100_MMA_1SM_SS, side="consumer")

    def test_rejected(self):
        @cute_ext.kernel
        def misuse(out: cute.Tensor, how: cute.Constexpr):
            how()

        def ring(units, takes):
            pipe, _, use = cute_ext.create_pipeline(2, Kind.ST_SHARED, Kind.LD_SHARED, 1, 1)
            cute_ext.create_circular_buffer_pipeline(pipe, use, 2, units, takes)

        for words, how in (
            ("all TMA, products or threads', not \\['SM90_TMA_LOAD', 'ST_SHARED'\\]",
             lambda: cute_ext.create_pipeline(1, [Kind.SM90_TMA_LOAD, Kind.ST_SHARED], Kind.LD_SHARED, 1, 1)),
            ("loads that blocks share go to products",
             lambda: cute_ext.create_pipeline(1, Kind.SM90_TMA_LOAD_MULTICAST, Kind.LD_SHARED, 1, 1, 3)),
            ("takes 9 units, of 8", lambda: ring(4, 9)),
            ("count_per_stage is a static number", lambda: ring(0, 1)),
            ("CTA_PAIR_LEADER, CTA_PAIR_PEER or a block's number",
             lambda: cute_ext.PipelineLocale.cluster(Owner.ALL, 0)),
        ):
            with self.assertRaisesRegex(ValueError, words):
                start(misuse, 1, how)


@cute.struct
class Box2:
    n: Int32
    x: Int64


class Lanes(unittest.TestCase):
    def test_reductions(self):
        found = start(of_lanes, (18, 32), block=32)
        held = [[lane * lane + 100 * i + 1 for i in range(8)] for lane in range(32)]
        for lane in range(32):
            column = found[18 * lane : 18 * lane + 18]
            group = range(lane // 8 * 8, lane // 8 * 8 + 8)
            self.assertEqual(column[:8], [sum(held[k][i] for k in group) for i in range(8)])
            self.assertEqual(column[8:16], [2 * (x - 1) for x in held[lane]])
            shares, first = range(lane % 8, 32, 8), lane // 8 * 2
            self.assertEqual(column[16:], [sum(held[k][first + i] for k in shares) for i in range(2)])

    def test_copies(self):
        source = array.array("f", range(256 + 4))
        first = -source.buffer_info()[0] % 16 // 4
        place = make_ptr(Float32, source.buffer_info()[0] + 4 * first, cute.AddressSpace.gmem,
                         assumed_align=16)
        for asynchronous in (False, True):
            target = array.array("f", [0] * (256 + 4))
            begin = -target.buffer_info()[0] % 16 // 4

            @cute_ext.jit
            def launch(src: cute.Pointer, dst: cute.Pointer, how: cute.Constexpr):
                layout = cute.make_layout((8, 32))
                copied(cute.make_tensor(src, layout), cute.make_tensor(dst, layout), how).launch(
                    grid=1, block=32)

            launch(place, make_ptr(Float32, target.buffer_info()[0] + 4 * begin,
                                   cute.AddressSpace.gmem, assumed_align=16), asynchronous)
            self.assertEqual(target[begin : begin + 256].tolist(),
                             [float(first + 8 * (31 - j) + i) for j in range(32) for i in range(8)])

    def test_rejected(self):
        @cute_ext.kernel
        def misuse(out: cute.Tensor, how: cute.Constexpr):
            held = cute_ext.allocate(Int32, cute.AddressSpace.rmem, cute.make_layout(8))
            held.fill(0)
            how(out, held)

        def reduces(layout, kind=Kind.REDUCE_DOWN_SHUFFLE, to=8):
            share = cute.make_layout(to)
            return lambda out, held: cute_ext.warp_reduce(
                held, cute.make_rmem_tensor(share, Int32), layout, kind, operator.add)

        lanes = cute.make_layout(32)
        for words, how in (
            ("the 32 lanes of a warp is static, not 16:1", reduces(cute.make_layout(16))),
            ("lanes combine where they differ in one bit", reduces(cute.make_layout(32, stride=3))),
            ("numbers from 0 on", reduces(cute.make_layout(32, stride=2))),
            ("REDUCE_DOWN_SHUFFLE or REDUCE_SWAP_SHUFFLE, not by", reduces(lanes, Kind.ST_SHARED)),
            ("8 elements of 32 lanes give 8 to each lane, not 4", reduces(lanes, to=4)),
            ("tensors of one size", lambda out, held: cute_ext.elementwise([held, out], [held], max)),
            ("returns 1 numbers for 2", lambda out, held: cute_ext.elementwise(
                [held], [held, held], lambda x: x)),
            ("cp.async copies 4, 8 or 16 bytes", lambda out, held: cute_ext.simt_auto_vec_copy(
                cute.recast_tensor(out, Int8), cute.make_tensor(cute.recast_ptr(
                    arch.alloc_smem(Int32, 32), dtype=Int8), cute.make_layout(64, stride=2)),
                async_op=True)),
        ):
            with self.assertRaisesRegex(ValueError, words):
                start(misuse, 16, how)


if __name__ == "__main__":
    unittest.main()
