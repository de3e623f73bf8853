# RUN: env CUTE_DEVICE=sim CUTE_ARCH=sm_90a %python %s
"""Tensor maps that a kernel changes, on the simulator, and tiles of groups of products."""

import array
import unittest

import cute
import cute.cuda
from cute import Float32, Int32, Int64, arch, pipeline, utils
from cute import DSLRuntimeError, SimulatorError
from cute._compat.missing import NotThere
from cute._mlir.dialects import builtin, cute as by_hand, cute_nvgpu, llvm, nvvm
from cute._mlir.ir import Type
from cute.dsl import const_expr
from cute.nvgpu import OpError, cpasync
from cute.runtime import make_ptr
from cute.utils import hopper_helpers
from cute.utils.blockscaled_layout import BlockScaledBasicChunk as chunk
from cute.utils.blockscaled_layout import tile_atom_to_shape_SF as factors_of

ROWS, COLUMNS = 8, 32
FIELD = "#cute_nvgpu.atom_copy_field_non_exec_tma_store<tma_desc>"
GMEM, SMEM = utils.TensorMapUpdateMode.GMEM, utils.TensorMapUpdateMode.SMEM


@cute.struct
class Storage:
    map: cute.struct.Align[cute.struct.MemRange[Int64, 16], 128]
    barriers: cute.struct.MemRange[Int64, 2]
    tile: cute.struct.Align[cute.struct.MemRange[Float32, 2 * ROWS * COLUMNS], 1024]


@cute.kernel
def gather(atom: cute.CopyAtom, coordinates: cute.Tensor, parts: cute.Tensor,
           out: cute.Tensor, maps: cute.Pointer, mode: cute.Constexpr):
    """Copies what is in the first tile of matrices, each with a row less, to out."""
    storage = utils.SmemAllocator().allocate(Storage)
    lane = arch.thread_idx()[0]
    layout = cute.make_layout((ROWS, COLUMNS, 2), stride=(COLUMNS, 1, ROWS * COLUMNS))
    tile = storage.tile.get_tensor(layout)
    one = pipeline.CooperativeGroup(pipeline.Agent.Thread)
    loads = pipeline.PipelineTmaAsync.create(
        barrier_storage=storage.barriers.data_ptr(), num_stages=1, producer_group=one,
        consumer_group=one, tx_count=ROWS * COLUMNS * 4,
    )
    manager = utils.TensorMapManager(mode, 128)
    place = manager.get_tensormap_ptr(maps)
    near = storage.map.data_ptr() if const_expr(mode is SMEM) else None
    manager.init_tensormap_from_atom(atom, near if const_expr(mode is SMEM) else place, 0)
    manager.fence_tensormap_initialization()
    boxes = cute.local_tile(coordinates, (ROWS, COLUMNS), (0, 0))
    to, at = cpasync.tma_partition(
        atom, 0, cute.make_layout(1), cute.group_modes(tile, 0, 2), cute.group_modes(boxes, 0, 2)
    )
    fills = pipeline.make_pipeline_state(pipeline.PipelineUserType.Producer, 1)
    reads = pipeline.make_pipeline_state(pipeline.PipelineUserType.Consumer, 1)
    for part in range(cute.size(parts)):
        start = cute.make_ptr(Float32, parts[part], cute.AddressSpace.gmem, assumed_align=16)
        shape = (Int32(ROWS) - part, Int32(COLUMNS))
        real = cute.make_tensor(start, cute.make_layout(shape, stride=(Int32(COLUMNS), Int32(1))))
        manager.update_tensormap((real,), (atom,), (place,), 0, (near,))
        manager.fence_tensormap_update(place)
        loads.producer_acquire(fills)
        cute.copy(atom, at, to[None, 1], tma_bar_ptr=loads.producer_get_barrier(fills),
                  tma_desc_ptr=place)
        loads.producer_commit(fills)
        fills.advance()
        loads.consumer_wait(reads)
        for row in cute.range_constexpr(ROWS):
            out[part, row, lane] = tile[row, lane, 1]
        arch.sync_warp()
        with arch.elect_one():
            loads.consumer_release(reads)
        reads.advance()


@cute.jit
def run(first: cute.Pointer, parts: cute.Pointer, out: cute.Pointer, maps: cute.Pointer,
        count: Int32, mode: cute.Constexpr):
    matrix = cute.make_tensor(first, cute.make_layout((ROWS, COLUMNS), stride=(COLUMNS, 1)))
    tile = cute.make_layout((ROWS, COLUMNS), stride=(COLUMNS, 1))
    atom, coordinates = cpasync.make_tiled_tma_atom(
        cpasync.CopyBulkTensorTileG2SOp(), matrix, tile, (ROWS, COLUMNS)
    )
    results = cute.make_layout((count, ROWS, COLUMNS), stride=(ROWS * COLUMNS, COLUMNS, 1))
    gather(atom, coordinates, cute.make_tensor(parts, cute.make_layout(count)),
           cute.make_tensor(out, results), maps, mode).launch(grid=(1, 1, 1), block=(32, 1, 1))


def address(values, align=16):
    start = values.buffer_info()[0]
    return start + -start % align


def gmem(dtype, where, align=16):
    return make_ptr(dtype, where, cute.AddressSpace.gmem, assumed_align=align)


@cute.kernel
def change(atom: cute.CopyAtom, other: cute.Tensor, maps: cute.Pointer, copies: cute.Constexpr):
    place = utils.TensorMapManager(GMEM, 128).get_tensormap_ptr(maps)
    if const_expr(copies):
        cpasync.copy_tensormap(atom, place)
    cpasync.update_tma_descriptor(atom, other, place)


@cute.jit
def run_change(first: cute.Pointer, maps: cute.Pointer, step: Int32, copies: cute.Constexpr):
    matrix = cute.make_tensor(first, cute.make_layout((ROWS, COLUMNS), stride=(COLUMNS, 1)))
    tile = cute.make_layout((ROWS, COLUMNS), stride=(COLUMNS, 1))
    atom, _ = cpasync.make_tiled_tma_atom(
        cpasync.CopyBulkTensorTileG2SOp(), matrix, tile, (ROWS, COLUMNS)
    )
    other = cute.make_tensor(first, cute.make_layout((ROWS, COLUMNS), stride=(step, 1)))
    change(atom, other, maps, copies).launch(grid=(1, 1, 1), block=(1, 1, 1))


PACKED = 512  # bytes of a tile


@cute.kernel
def fetch(atom: cute.CopyAtom, coordinates: cute.Tensor, parts: cute.Tensor, out: cute.Tensor,
          maps: cute.Pointer, layout: cute.Layout, tile: cute.Constexpr, real: cute.Constexpr):
    """Copies the bytes of the second tile along K of matrices to out."""
    dtype = real(parts[0], 0).element_type
    smem = utils.SmemAllocator()
    near = smem.allocate_tensor(dtype, layout, 128)
    barrier = smem.allocate_array(Int64, 2)
    lane = arch.thread_idx()[0]
    one = pipeline.CooperativeGroup(pipeline.Agent.Thread)
    loads = pipeline.PipelineTmaAsync.create(
        barrier_storage=barrier, num_stages=1, producer_group=one, consumer_group=one,
        tx_count=PACKED)
    manager = utils.TensorMapManager(GMEM, 128)
    place = manager.get_tensormap_ptr(maps)
    manager.init_tensormap_from_atom(atom, place, 0)
    manager.fence_tensormap_initialization()
    to, at = cpasync.tma_partition(
        atom, 0, cute.make_layout(1), cute.group_modes(near, 0, 2),
        cute.group_modes(cute.local_tile(coordinates, tile, (0, None, 0)), 0, 2))
    to, at = cute.filter_zeros(to), cute.filter_zeros(at)
    bytes_ = cute.make_tensor(cute.recast_ptr(near.iterator, dtype=cute.Uint8),
                              cute.make_layout(PACKED))
    fills = pipeline.make_pipeline_state(pipeline.PipelineUserType.Producer, 1)
    reads = pipeline.make_pipeline_state(pipeline.PipelineUserType.Consumer, 1)
    for part in range(cute.size(parts)):
        manager.update_tensormap((real(parts[part], part),), (atom,), (place,), 0, (None,))
        manager.fence_tensormap_update(place)
        loads.producer_acquire(fills)
        cute.copy(atom, at[None, 1], to, tma_bar_ptr=loads.producer_get_barrier(fills),
                  tma_desc_ptr=place)
        loads.producer_commit(fills)
        fills.advance()
        loads.consumer_wait(reads)
        for i in range(PACKED // 32):
            out[32 * i + lane, part] = bytes_[32 * i + lane]
        arch.sync_warp()
        with arch.elect_one():
            loads.consumer_release(reads)
        reads.advance()


@cute.jit
def run_fetch(parts: cute.Pointer, out: cute.Pointer, maps: cute.Pointer, first: cute.Pointer,
              kind: cute.Constexpr):
    size = (Int32(256), cute.assume(Int32(256), 256), Int32(1))
    start = cute.make_tensor(first, cute.make_layout(1))
    if const_expr(kind == "pairs"):
        tile, layout, more = (8, 128), cute.make_layout((8, 128), stride=(128, 1)), {}
        start = cute.make_tensor(first, cute.make_layout(size, stride=(size[1], 1, size[1])))
    else:
        tile, layout, more = (128, 128), chunk(32).layout, {"internal_type": cute.Int16}
        start = cute.make_tensor(first, factors_of(size, 32))

    def real(address, part):
        """The tensor of a part, with K longer by 128 for each."""
        place = cute.make_ptr(first.dtype, address, cute.AddressSpace.gmem, assumed_align=16)
        k = Int32(256) + 128 * Int32(part)
        if const_expr(kind == "pairs"):
            return cute.make_tensor(place, cute.make_layout(
                (Int32(256), k, Int32(1)), stride=(k, Int32(1), Int32(0))))
        return cute.make_tensor(place, factors_of((Int32(256), k, Int32(1)), 32))

    atom, coordinates = cpasync.make_tiled_tma_atom(
        cpasync.CopyBulkTensorTileG2SOp(), start, layout, tile, **more)
    fetch(atom, coordinates, cute.make_tensor(parts, cute.make_layout(2)),
          cute.make_tensor(out, cute.make_layout((PACKED, 2))), maps, layout, tile, real).launch(
              grid=(1, 1, 1), block=(32, 1, 1))


@cute.kernel
def store_runs(atom: cute.CopyAtom, coordinates: cute.Tensor, layout: cute.ComposedLayout):
    near = utils.SmemAllocator().allocate_tensor(Float32, layout.outer, 128, swizzle=layout.inner)
    thread = arch.thread_idx()[0]
    for column in cute.range_constexpr(16):
        near[thread, column] = Float32(100 * thread + column)
    arch.fence_proxy("async.shared", space="cta")
    arch.sync_warp()
    tiles = cute.flat_divide(coordinates, RUNS)
    boxes, places = cpasync.tma_partition(
        atom, 0, cute.make_layout(1), cute.group_modes(near, 0, 2), cute.group_modes(tiles, 0, 2))
    cute.copy(atom, boxes, places[None, 0, 0])
    arch.cp_async_bulk_commit_group()
    arch.cp_async_bulk_wait_group(0, read=True)


RUNS = (32, cute.make_layout((8, 2), stride=(1, 16)))


@cute.jit
def run_store(place: cute.Pointer, columns: cute.Constexpr[int]):
    matrix = cute.make_tensor(place, cute.make_layout((32, columns), stride=(columns, 1)))
    layout = hopper_helpers.make_smem_layout_epi(Float32, utils.LayoutEnum.ROW_MAJOR, RUNS, 1)
    layout = cute.select(layout, mode=[0, 1])
    atom, coordinates = cpasync.make_tiled_tma_atom(
        cpasync.CopyBulkTensorTileS2GOp(), matrix, layout, RUNS)
    store_runs(atom, coordinates, layout).launch(grid=(1, 1, 1), block=(32, 1, 1))


class Maps(unittest.TestCase):
    def test_runs_of_columns(self):
        """A tile has columns 0 to 7 and 16 to 23, as the sums of 64 rows of a pair of blocks."""
        out = array.array("f", [-1] * (32 * 32 + 4))
        run_store(gmem(Float32, address(out)), 32)
        begin = (address(out) - out.buffer_info()[0]) // 4
        rows = [[100.0 * m + n for n in range(16)] for m in range(32)]
        gap = [-1.0] * 8
        expected = [x for row in rows for x in row[:8] + gap + row[8:] + gap]
        self.assertEqual(list(out[begin:begin + 32 * 32]), expected)

    def test_elements_that_share_units(self):
        for kind, dtype in (("pairs", cute.Float4E2M1FN), ("factors", cute.Float8E8M0FNU)):
            size = 256 * 384 // 2 if kind == "pairs" else 256 * 384 // 32
            data = [array.array("B", ((7 * i + part) % 251 for i in range(size + 16)))
                    for part in range(2)]
            starts = [address(x) - x.buffer_info()[0] for x in data]
            parts = array.array("q", map(address, data))
            out, maps = array.array("B", [0] * (2 * PACKED)), array.array("q", [0] * 48)
            run_fetch(gmem(Int64, address(parts, 8), 8), gmem(cute.Uint8, out.buffer_info()[0], 1),
                      gmem(Int64, address(maps, 128), 128), gmem(dtype, parts[0]), kind)
            for part, (held, first) in enumerate(zip(data, starts)):
                row = (256 + 128 * part) // 2
                expected = list(held[first + PACKED:first + 2 * PACKED])
                if kind == "pairs":
                    expected = [held[first + row * m + 64 + i] for m in range(8) for i in range(64)]
                self.assertEqual(list(out[part * PACKED:][:PACKED]), expected, (kind, part))

    def test_the_simulator_rejects(self):
        data, maps = array.array("f", range(300)), array.array("q", [0] * 48)
        for step, copies, text in (
            (COLUMNS, False, "there is no tensor map at 0x"),
            (COLUMNS + 1, True, "a stride of 132 bytes, which is not a multiple of 16"),
        ):
            maps[:] = array.array("q", [1] * 48)
            with self.assertRaisesRegex(SimulatorError, text):
                run_change(gmem(Float32, address(data)), gmem(Int64, address(maps, 128), 128),
                           step, copies)

    def test_each_tensor_by_one_atom(self):
        size = ROWS * COLUMNS
        for mode in (GMEM, SMEM):
            data = [array.array("f", (1000 * part + i for i in range(size + 4)))
                    for part in range(3)]
            parts = array.array("q", map(address, data))
            out, maps = array.array("f", [-1] * (3 * size + 4)), array.array("q", [0] * 48)
            run(gmem(Float32, address(data[0])), gmem(Int64, address(parts)),
                gmem(Float32, address(out)), gmem(Int64, address(maps, 128), 128), 3, mode)
            begin = (address(out) - out.buffer_info()[0]) // 4
            for part in range(3):
                skipped = (parts[part] - data[part].buffer_info()[0]) // 4
                held = (ROWS - part) * COLUMNS
                expected = list(data[part][skipped:skipped + held]) + [0.0] * (size - held)
                found = list(out[begin + part * size:begin + (part + 1) * size])
                self.assertEqual(found, expected, (mode, part))

    def test_rejected(self):
        with self.assertRaisesRegex(DSLRuntimeError, "at a pointer, not None"):
            cpasync.fence_tma_desc_acquire(None)
        with self.assertRaisesRegex(ValueError, "maps in gmem, not smem"):
            utils.TensorMapManager(GMEM, 128).get_tensormap_ptr(None, cute.AddressSpace.smem)


GROUPS = ((100, 70, 64, 1), (16, 200, 40, 1), (0, 64, 8, 1), (64, 64, 8, 1))
CLUSTER, CLUSTER_TILE = (2, 1), (64, 64, 32)
TILES = [-(-m // 64) * -(-n // 64) for m, n, _, _ in GROUPS]


@cute.jit
def tiles_of_block(sizes: cute.Pointer, out: cute.Pointer, x: Int32, z: Int32):
    """Writes group, place along M and N, k and its tiles of all tiles of a block."""
    shapes = cute.make_tensor(sizes, cute.make_layout((len(GROUPS), 4), stride=(4, 1)))
    found = cute.make_tensor(out, cute.make_layout((sum(TILES), 5), stride=(5, 1)))
    params = utils.PersistentTileSchedulerParams((*CLUSTER, sum(TILES)), (*CLUSTER, 1))
    scheduler = utils.StaticPersistentGroupTileScheduler.create(
        params, (x, Int32(0), z), (Int32(2), Int32(1), Int32(2)), CLUSTER_TILE,
        utils.create_initial_search_state(), len(GROUPS), shapes,
    )
    work = scheduler.initial_work_tile_info()
    while work.is_valid_tile:
        at, row = work.group_search_result, scheduler.num_tiles_executed
        found[row, 0], found[row, 1] = at.group_idx, at.cta_tile_idx_m
        found[row, 2], found[row, 3] = at.cta_tile_idx_n, at.problem_shape_k
        found[row, 4] = at.cta_tile_count_k
        scheduler.advance_to_next_work()
        work = scheduler.get_current_work()


class Groups(unittest.TestCase):
    def test_each_tile_of_each_group_once(self):
        sizes, found = array.array("i", (n for shape in GROUPS for n in shape)), []
        for z in range(2):
            for x in range(CLUSTER[0]):
                out = array.array("i", [-1] * (5 * sum(TILES)))
                tiles_of_block(gmem(Int32, address(sizes)), gmem(Int32, address(out)), x, z)
                rows = [tuple(out[i:i + 5]) for i in range(0, len(out), 5)]
                found += [row for row in rows if row[0] >= 0]
        expected = {(group, i, j, k, -(-k // 32)) for group, (m, n, k, _) in enumerate(GROUPS)
                    for i in range(-(-m // 64) * CLUSTER[0]) for j in range(-(-n // 64))}
        self.assertEqual((len(found), set(found)), (len(expected), expected))


def atoms_of(memory, rows, columns, dtype, swizzled):
    """Atoms that the kernel makes itself: a load of (8,32) and a store."""
    tensor = cute.make_tensor(memory, cute.make_layout(
        (rows, columns, Int32(1)), stride=(columns, 1, rows * columns)))
    layout = cute.make_layout((ROWS, COLUMNS), stride=(COLUMNS, 1))
    if const_expr(swizzled):
        layout = cute.make_composed_layout(cute.make_swizzle(3, 4, 3), 0, layout)
    return layout, *(x for op in (cpasync.CopyBulkTensorTileG2SOp(), cpasync.CopyBulkTensorTileS2GOp())
                     for x in cpasync.make_tiled_tma_atom(op, tensor, layout, (ROWS, COLUMNS)))


@cute.kernel
def write_maps(source: cute.Pointer, target: cute.Pointer, rows: Int32, maps: cute.Pointer,
               swizzled: cute.Constexpr):
    _, load, _, _, _ = atoms_of(source, rows, Int32(64), source.dtype, swizzled)
    _, _, _, store, _ = atoms_of(target, rows, Int32(64), source.dtype, swizzled)
    lane = arch.thread_idx()[0]
    if lane > 0:
        nvvm.exit()
    cpasync.copy_tensormap(load, maps)
    if const_expr(not swizzled):
        cpasync.copy_tensormap(store, maps + 16)
    else:  # by hand, as programs do that know the reference's own operations
        kind = cute_nvgpu.TmaDescriptorTiledType.get()
        whole = cute_nvgpu.atom_get_value(kind, store._trait.value, FIELD)
        words = Type.parse("!llvm.struct<(array<16 x i64>)>")
        whole = builtin.unrealized_conversion_cast([words], [whole])
        numbers = llvm.extractvalue(Type.parse("!llvm.array<16 x i64>"), whole, [0])
        llvm.store(llvm.insertvalue(llvm.mlir_undef(words), numbers, [0]), (maps + 16).llvm_ptr)


@cute.kernel
def use_maps(source: cute.Pointer, rows: Int32, maps: cute.Pointer, swizzled: cute.Constexpr,
             uses: cute.Constexpr):
    """Copies the box (1,1) by maps in memory."""
    layout, load, from_, store, to = atoms_of(source, rows, Int32(64), source.dtype, swizzled)
    smem = utils.SmemAllocator()
    barrier = smem.allocate_array(Int64, 1)
    tile = smem.allocate_tensor(source.dtype, layout.outer if const_expr(swizzled) else layout,
                                1024, swizzle=layout.inner if const_expr(swizzled) else None)
    lane = arch.thread_idx()[0]
    if lane == 0:
        arch.mbarrier_init(barrier, 1)
    arch.mbarrier_init_fence()
    arch.sync_threads()
    parts = [cpasync.tma_partition(
        atom, 0, cute.make_layout(1), cute.group_modes(tile, 0, 2),
        cute.group_modes(cute.local_tile(x[None, None, 0], (ROWS, COLUMNS), (1, 1)), 0, 2))
        for atom, x in ((load, from_), (store, to))]
    places = [maps, maps + 16] if const_expr(uses) else [None, None]
    if const_expr(uses):
        for place in places:
            cpasync.fence_tma_desc_acquire(place)
        kind = by_hand.PtrType.get(cute_nvgpu.TmaDescriptorTiledType, maps.memspace, 128)
        places = [by_hand.recast_iter(kind, place.value) for place in places]
    if lane == 0:
        arch.mbarrier_arrive_and_expect_tx(barrier, ROWS * COLUMNS * source.dtype.width // 8)
    cute.copy(load, parts[0][1], parts[0][0], tma_bar_ptr=barrier, tma_desc_ptr=places[0])
    arch.mbarrier_wait(barrier, 0)
    cute.copy(store, parts[1][0], parts[1][1], tma_desc_ptr=places[1])
    arch.cp_async_bulk_commit_group()
    arch.cp_async_bulk_wait_group(0)


@cute.jit
def with_own_maps(source: cute.Pointer, target: cute.Pointer, rows: Int32, maps: cute.Pointer,
                  swizzled: cute.Constexpr, uses: cute.Constexpr):
    write_maps(source, target, rows, maps, swizzled).launch(grid=1, block=32)
    use_maps(source, rows, maps, swizzled, uses).launch(grid=1, block=32)


class Made(unittest.TestCase):
    """Maps of tensors that only the kernel knows."""

    def run_copy(self, swizzled, code, dtype, uses=True):
        source, target = array.array(code, range(16 * 64)), array.array(code, [7] * 16 * 64)
        maps = array.array("q", [1] * 48)
        places = [make_ptr(kind, x.buffer_info()[0] + more, cute.AddressSpace.gmem, assumed_align=align)
                  for kind, x, align, more in (
                      (dtype, source, 16, 0), (dtype, target, 16, 0),
                      (Int64, maps, 128, -maps.buffer_info()[0] % 128))]
        with_own_maps(places[0], places[1], 16, places[2], swizzled, uses)
        for row in range(16):
            for column in range(64):
                i = 64 * row + column
                wanted = source[i] if row >= 8 and column >= 32 else 7
                self.assertEqual(target[i], wanted, (row, column))

    def test_copies(self):
        self.run_copy(False, "f", Float32)
        self.run_copy(True, "i", Int32)

    def test_by_hand(self):
        with self.assertRaisesRegex(NotThere, "of atoms the tensor map is there, not #x<mask>"):
            cute_nvgpu.atom_get_value(cute_nvgpu.TmaDescriptorTiledType, None, "#x<mask>")
        with self.assertRaisesRegex(NotThere, "are recast to tensor maps here"):
            by_hand.recast_iter("f16", None)
        with self.assertRaisesRegex(NotThere, "are not converted to f16"):
            builtin.unrealized_conversion_cast(["f16"], [3])

    def test_without_a_map(self):
        with self.assertRaisesRegex(OpError, "an atom that a kernel makes has no tensor map"):
            self.run_copy(False, "f", Float32, uses=False)


if __name__ == "__main__":
    unittest.main()
