# RUN: env CUTE_DEVICE=sim CUTE_ARCH=sm_90a %python %s
"""What libraries of kernels ask for beside kernels: their hooks, exports, names and helpers."""

import array
import ctypes
import os
import tempfile
import unittest
from typing import NamedTuple, Optional

import cute.as_cutlass  # noqa: F401
import cutlass
import cutlass.base_dsl.ast_preprocessor as ast_preprocessor
import cutlass.cute as cute
import cutlass.pipeline
import cutlass.cute.tensor as tensors
from cutlass import Float32, Int32, Int64
from cutlass._mlir.dialects import llvm, nvvm
from cutlass._mlir_helpers import math as mlir_math
from cutlass._mlir_helpers.arith import bitcast
from cutlass.base_dsl.typing import FloatMeta, Vector, get_c_pointers, get_mlir_types
from cutlass.cute.experimental import iket
from cutlass.cute.nvgpu import cpasync
from cutlass.cute.nvgpu.warp import mma
from cutlass.cute.runtime import (
    load_module, make_fake_compact_tensor, make_fake_stream, make_ptr
)
from cutlass.cute.typing import T
from cutlass.pipeline import (
    Agent, CooperativeGroup, PipelineAsync, alloc_reserved_mbarrier
)
from cutlass.utils import block_copy


def integers(count):
    memory = (ctypes.c_int32 * count)()
    return memory, make_ptr(Int32, ctypes.addressof(memory), cute.AddressSpace.gmem)


def launched(kernel, count=8, threads=1):
    """Returns what a kernel leaves in an array."""
    memory, pointer = integers(count)

    @cute.jit
    def host(out: cute.Pointer, x: Int32):
        kernel(cute.make_tensor(out, count), x).launch(grid=(1, 1, 1), block=(threads, 1, 1))

    host(pointer, 5)
    return list(memory)


class Hooks(unittest.TestCase):
    def test_tensors_that_a_library_extends(self):
        plain = tensors._Tensor.__getitem__
        seen = []

        def logged(self, coord, *, loc=None, ip=None):
            seen.append(coord)
            return plain(self, coord, loc=loc, ip=ip)

        @cute.kernel
        def kernel(out: cute.Tensor, x: Int32):
            out[0] = out[1] + x

        tensors._Tensor.__getitem__ = logged
        try:
            self.assertEqual(launched(kernel)[0], 5)
        finally:
            tensors._Tensor.__getitem__ = plain
        self.assertEqual(seen, [1])

    def test_conditions_that_begin_with_a_static_part(self):
        self.assertTrue(callable(ast_preprocessor.DSLPreprocessor.visit_If))

        @cute.kernel
        def kernel(out: cute.Tensor, x: Int32):
            y = None
            if cutlass.const_expr(y is not None) and y > x:
                out[0] = 1
            if cutlass.const_expr(y is None) or y > x:
                out[1] = 2

        self.assertEqual(launched(kernel)[:2], [0, 2])

    def test_types_of_a_library(self):
        class Pair(Float32, metaclass=FloatMeta, width=64, mlir_type=T.f64):
            pass

        self.assertEqual((Pair.width, Pair.ir_name, Pair.__name__), (64, "f64", "Pair"))
        self.assertIs(mma, importlib_of("cute.nvgpu.warp"))
        self.assertEqual(cpasync.ReductionKind.ADD.name, "ADD")

    def test_what_is_passed_of_arguments(self):
        parts = (Int32(3), [Float32(1.5), "text", None])
        self.assertEqual([str(t) for t in get_mlir_types(parts)], ["i32", "f32"])
        self.assertEqual(bytes(get_c_pointers(Int32(3))[0])[:4], b"\3\0\0\0")

    def test_marks_of_a_profiler(self):
        @cute.kernel
        def kernel(out: cute.Tensor, x: Int32):
            token = iket.sentinel_token("none")
            iket.range_push("work", x)
            for i in range(x):
                token = iket.range_start("step")
                out[0] = i
                iket.range_end(token)
            iket.mark("here")
            iket.range_pop()

        self.assertEqual(launched(kernel)[0], 4)


def importlib_of(name):
    import importlib

    return importlib.import_module(name)


class Helpers(unittest.TestCase):
    def test_operations_by_hand(self):
        @cute.kernel
        def kernel(out: cute.Tensor, x: Int32):
            out[0] = Int32(llvm.intr_ctlz(x.ir_value(), False))
            number = Float32(x)
            most = Float32(nvvm.fmax(number.ir_value(), Float32(7).ir_value()))
            most = Float32(nvvm.fmax(T.f32(), most.ir_value(), Float32(9).ir_value(), c=None))
            out[1] = most.to(Int32)
            out[2] = Int32(bitcast(Float32(1).ir_value(), T.i32()))
            out[3] = (mlir_math.rcp(number - 1, approx=True, ftz=True) * 8).to(Int32)
            out[4] = Vector.from_elements((x, x + 1), Int32, loc=None, ip=None)[1]

        self.assertEqual(launched(kernel)[:5], [29, 9, 0x3F800000, 2, 6])

    def test_barriers_of_pipelines_without_storage(self):
        @cute.kernel
        def kernel(out: cute.Tensor, x: Int32):
            thread = cute.arch.thread_idx()[0]
            near = cute.make_tensor(cute.arch.alloc_smem(Int32, 2), 2)
            one = CooperativeGroup(Agent.Thread, 32)
            fill, use = PipelineAsync.create(
                num_stages=2, producer_group=one, consumer_group=one
            ).make_participants()
            cute.arch.sync_threads()
            if thread < 32:
                empty = fill.acquire_and_advance()
                if thread == 0:
                    near[empty.index] = x
                empty.commit()
            else:
                full = use.wait_and_advance()
                if thread == 32:
                    out[0] = near[full.index]
                full.release()

        self.assertEqual(launched(kernel, threads=64)[0], 5)
        self.assertTrue(callable(alloc_reserved_mbarrier))
        with self.assertRaisesRegex(TypeError, "barrier_storage is a pointer"):
            PipelineAsync.create(
                num_stages=2, producer_group=None, consumer_group=None, barrier_storage=3
            )

    def test_division_by_zero_in_a_branch_that_does_not_run(self):
        @cute.kernel
        def kernel(out: cute.Tensor, x: Int32):
            if x > 7:
                out[0] = Int32(4) // 0
                out[0] = x % 0
            out[1] = 1

        self.assertEqual(launched(kernel)[:2], [0, 1])

        @cute.kernel
        def at_once(out: cute.Tensor, x: Int32):
            out[0] = x // 0

        with self.assertRaises(ZeroDivisionError):
            launched(at_once)


@cute.kernel
def first(a: cute.Tensor, n: Int32):
    a[0] = Float32(n)


@cute.jit
def put_first(a: cute.Tensor, n: Int32):
    first(a, n).launch(grid=(1, 1, 1), block=(1, 1, 1))


class Options(NamedTuple):
    """Tells itself which of its parts are passed: all but Python numbers."""

    count: Int32
    place: Optional[cute.Pointer] = None
    kind: cutlass.Constexpr[str] = "a"
    size: Int32 = Int32(8)

    def _passed(self):
        return [x for x in self if x is not None and not isinstance(x, (int, str))]

    def __get_mlir_types__(self):
        return [t for x in self._passed() for t in get_mlir_types(x)]

    def __c_pointers__(self):
        return [p for x in self._passed() for p in get_c_pointers(x)]

    def __new_from_mlir_values__(self, values):
        raise AssertionError("a named tuple is taken by its fields")


class Arguments(unittest.TestCase):
    def test_named_tuples(self):
        """Fields that are Python's numbers, or addresses, in the next call."""
        @cute.kernel
        def kernel(options: Options, out: cute.Pointer):
            out[0] = options.count
            out[1] = options.size
            out[2] = options.place[0]

        @cute.jit
        def host(options: Options, out: cute.Pointer):
            kernel(options, out).launch(grid=1, block=1)

        memory, out = integers(3)
        held, place = integers(1)
        held[0] = 7
        compiled = cute.compile(host, Options(Int32(1), place, "a", Int32(2)), out,
                                options="--enable-tvm-ffi")
        compiled(Options(Int32(132), ctypes.addressof(held), None, 5), out)
        self.assertEqual(list(memory), [132, 5, 7])

    def test_objects_that_pass_less(self):
        class Some:
            def __init__(self, *numbers):
                self.numbers = numbers

            def __get_mlir_types__(self):
                return [t for x in self.numbers for t in get_mlir_types(x)]

            def __c_pointers__(self):
                return [p for x in self.numbers for p in get_c_pointers(x)]

            def __new_from_mlir_values__(self, values):
                return Some(*map(Int32, values))

        @cute.jit
        def host(given: Some):
            cute.printf("{}", given.numbers[1])

        compiled = cute.compile(host, Some(Int32(1), Int32(2)))
        with self.assertRaisesRegex(TypeError, "compiled with 2 values that are passed, not with 1"):
            compiled(Some(Int32(1)))


class ErrorsOfTvmFfi(unittest.TestCase):
    def test_words(self):
        fake = make_fake_compact_tensor(Float32, (cute.sym_int(), 4), stride_order=(1, 0))
        shown = r"put_first\(a: Tensor\(\[n0, 4\], float32\), n: int32\)"
        compiled = cute.compile(put_first, fake, Int32(3), options="--enable-tvm-ffi")
        numbers = Matrix("f", [0.0] * 12)
        compiled(numbers, 3)
        self.assertEqual(numbers[0], 3.0)
        for args, place, name, text in (
            ((Matrix("d", [0.0] * 12), 3), 0, "a", "the elements are Float64, not Float32"),
            ((numbers, "x"), 1, "n", "'x' is not an integer"),
        ):
            with self.assertRaisesRegex(
                ValueError, rf"Mismatched {name} on argument #{place} when calling: `{shown}`, .*{text}"
            ):
                compiled(*args)
        plain = cute.compile(put_first, fake, Int32(3))
        with self.assertRaisesRegex(TypeError, "^'x' is not an integer"):
            plain(numbers, "x")


class Alignment(unittest.TestCase):
    def test_parts_of_swizzled_memory(self):
        found = []

        @cute.kernel
        def kernel(out: cute.Tensor, x: Int32):
            layout = cute.make_composed_layout(
                cute.make_swizzle(3, 3, 3), 0, cute.make_layout((64, 64), stride=(64, 1)))
            near = cutlass.utils.SmemAllocator().allocate_tensor(
                cutlass.Float16, layout.outer, 1024, layout.inner)
            part = cute.local_tile(near, (1, 8), (x, x))
            found.append(part.iterator.alignment)

        launched(kernel)
        self.assertEqual(found, [16])


class Matrix(array.array):
    """Rows of four numbers of the host, as numpy's arrays are."""

    strides = property(lambda self: (4 * self.itemsize, self.itemsize))
    shape = property(lambda self: (len(self) // 4, 4))
    dtype = property(lambda self: self.typecode)

    @property
    def __array_interface__(self):
        kind = f"<f{self.itemsize}"
        return {"data": (self.buffer_info()[0], False), "typestr": kind, "shape": self.shape}


class Floats(array.array):
    """An array of the host as numpy's are."""

    @property
    def __array_interface__(self):
        address, count = self.buffer_info()
        return {"data": (address, False), "typestr": "<f4", "shape": (count,)}

    strides, shape = (4,), property(lambda self: (len(self),))

    def __dlpack__(self):
        raise NotImplementedError


class Exported(unittest.TestCase):
    def test_objects_that_a_library_keeps(self):
        @cute.jit
        def scale(x: cute.Tensor, weight: Optional[cute.Tensor], n: Int32,
                  unit: cutlass.Constexpr, stream):
            for i in range(n):
                x[i] = x[i] * unit

        fake = cute.runtime.make_fake_compact_tensor(Float32, (cute.sym_int(),))
        stream = make_fake_stream(use_tvm_ffi_env_stream=True)
        compiled = cute.compile(scale, fake, None, Int32(0), 3, stream, options="--enable-tvm-ffi")
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "kept.o.tmp.1")
            compiled.export_to_c(object_file_path=path, function_name="func")
            self.assertEqual(os.listdir(folder), ["kept.o.tmp.1"])
            loaded = load_module(path, enable_tvm_ffi=True)["func"]
            with self.assertRaisesRegex(TypeError, "a folder, file_path, or an object_file_path"):
                compiled.export_to_c()
        x = Floats("f", [1, 2, 3])
        loaded(x, None, Int32(2))  # without the stream, and with None in its place
        self.assertEqual(list(x), [3, 6, 3])
        loaded(x, Int32(3), 0)
        self.assertEqual(list(x), [9, 18, 9])
        compiled(x, None, Int32(1))
        self.assertEqual(list(x), [27, 18, 9])


class Elected(unittest.TestCase):
    def test_release(self):
        """One lane releases a stage for its warp, which the program has joined."""
        @cute.kernel
        def kernel(out: cute.Tensor, x: Int32):
            barriers = cute.arch.alloc_smem(Int64, 2)
            pipe = cutlass.pipeline.PipelineTmaAsync.create(
                num_stages=1, producer_group=CooperativeGroup(Agent.Thread, 1),
                consumer_group=CooperativeGroup(Agent.Thread, 2), tx_count=16,
                barrier_storage=barriers)
            state = cutlass.pipeline.make_pipeline_state(
                cutlass.pipeline.PipelineUserType.Consumer, 1)
            cute.arch.sync_warp()
            with cute.arch.elect_one():
                pipe.consumer_release(state)
            cute.arch.mbarrier_wait(barriers + 1, 0)
            out[cute.arch.thread_idx()[0]] = Int32(1)

        self.assertEqual(launched(kernel, 64, 64), [1] * 64)


class Moves:
    """What a loop carries: an object with a TMA atom, and a number that changes."""

    def __init__(self, atom, far, near, row):
        self.atom, self.far, self.near, self.row = atom, far, near, row

    def __extract_mlir_values__(self):
        return [v for x in (self.atom, self.row) for v in cutlass.extract_mlir_values(x)]

    def __new_from_mlir_values__(self, values):
        return Moves(cutlass.new_from_mlir_values(self.atom, values[:-1]), self.far, self.near,
                     Int32(values[-1]))

    def store(self):
        cute.copy(self.atom, self.near, self.far[None, 0, self.row])
        return Moves(self.atom, self.far, self.near, self.row + 1)


class Versions(unittest.TestCase):
    def test_of_inline_ptx(self):
        """Instructions of inline PTX say which version of it the kernel needs."""
        @cute.kernel
        def kernel():
            near = cute.arch.alloc_smem(Int32, 4, 16)
            cute.arch.store_async_dsmem(near, Int32(1), cute.arch.alloc_smem(Int64, 1), 0)

        @cute.jit
        def host():
            kernel().launch(grid=1, block=1)

        ptx = cute.compile(host, options="--gpu-arch sm_90a").__ptx__
        self.assertIn("st.async", ptx)
        self.assertIn(".version 8.1\n", ptx)


class Atoms(unittest.TestCase):
    def test_in_loops(self):
        @cute.kernel
        def kernel(atom: cute.CopyAtom, far: cute.Tensor, count: Int32):
            tile = cute.make_layout((32, 1))
            near = cute.make_tensor(cute.arch.alloc_smem(Float32, 32, 128), tile)
            near[cute.arch.thread_idx()[0], 0] = Float32(5)
            cute.arch.fence_proxy("async.shared", space="cta")
            cute.arch.sync_threads()
            boxes, places = cpasync.tma_partition(
                atom, 0, cute.make_layout(1), cute.group_modes(near, 0, 2),
                cute.group_modes(cute.flat_divide(far, (32, 1)), 0, 2))
            moves = Moves(atom, places, boxes, Int32(0))
            for _ in range(count):
                moves = moves.store()
            cute.arch.cp_async_bulk_commit_group()
            cute.arch.cp_async_bulk_wait_group(0)

        @cute.jit
        def host(out: cute.Pointer, count: Int32):
            far = cute.make_tensor(out, cute.make_layout((32, 4)))
            atom, places = cpasync.make_tiled_tma_atom(
                cpasync.CopyBulkTensorTileS2GOp(), far, cute.make_layout((32, 1)), (32, 1))
            kernel(atom, places, count).launch(grid=1, block=32)

        memory = (ctypes.c_float * 128)()
        host(make_ptr(Float32, ctypes.addressof(memory), cute.AddressSpace.gmem, 16), 3)
        self.assertEqual(list(memory), [5] * 96 + [0] * 32)


class Tiles(unittest.TestCase):
    def test_copies_of_tiles(self):
        @cute.kernel
        def kernel(atom: cute.CopyAtom, far: cute.Tensor, out: cute.Tensor):
            thread = cute.arch.thread_idx()[0]
            bar = cute.arch.alloc_smem(Int64, 1)
            near = cute.make_tensor(cute.arch.alloc_smem(Float32, 64, alignment=128), (8, 8))
            if thread == 0:
                cute.arch.mbarrier_init(bar, 1)
                cute.arch.mbarrier_init_fence()
                cute.arch.mbarrier_arrive_and_expect_tx(bar, 256)
            cute.arch.sync_threads()
            if thread < 32:
                tile = cute.local_tile(far, (8, 8), (1, 0))
                block_copy(atom, cute.group_modes(tile, 0, 2), cute.group_modes(near, 0, 2),
                           tma_bar_ptr=bar)
            cute.arch.mbarrier_wait(bar, 0)
            out[thread] = near[thread]

        @cute.jit
        def host(x: cute.Pointer, y: cute.Pointer):
            tensor = cute.make_tensor(x, (16, 8))
            atom, coords = cpasync.make_tiled_tma_atom(
                cpasync.CopyBulkTensorTileG2SOp(), tensor, cute.make_layout((8, 8)), (8, 8))
            kernel(atom, coords, cute.make_tensor(y, 64)).launch(grid=(1, 1, 1), block=(64, 1, 1))

        x, y = Floats("f", range(128)), Floats("f", [0] * 64)
        host(*(make_ptr(Float32, a.buffer_info()[0], cute.AddressSpace.gmem, assumed_align=16)
               for a in (x, y)))
        self.assertEqual(list(y), [8 + i % 8 + 16 * (i // 8) for i in range(64)])


if __name__ == "__main__":
    unittest.main()
