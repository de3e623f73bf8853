# RUN: %python %s
"""Host functions and kernels are traced into a module, which becomes PTX."""
import contextlib
import dataclasses
import io
import types
import unittest
from typing import NamedTuple
from unittest import mock

import cute
from cute.dsl import Float16, Float32, Int32, range_constexpr
from cute.nvgpu import CopyUniversalOp, cpasync, warp
from cute.runtime import make_fake_compact_tensor, make_fake_tensor


def vector(dtype=Float32, align=None):
    """A row-major matrix with dynamic extents."""
    shape = (cute.SymInt(), cute.SymInt())
    return make_fake_compact_tensor(dtype, shape, stride_order=(1, 0), assumed_align=align)


@cute.kernel
def scale_kernel(a: cute.Tensor, n: Int32, factor: Float32):
    for i in range(n):
        a[i, 0] = a[i, 0] * factor
    if n > 3:
        a[0, 0] = 0.0


@cute.jit
def scale(a: cute.Tensor, n: Int32, factor: Float32):
    scale_kernel(a, n, factor).launch(grid=(n, 1, 1), block=(128, 1, 1))


class Tracing(unittest.TestCase):
    def test_a_kernel_becomes_ptx(self):
        compiled = cute.compile(scale, vector(), 4, 0.5)
        text = compiled.__mlir__
        self.assertIn("func.func @scale(%arg0: i64", text)
        self.assertIn("gpu.launch_func  @kernels::@kernel_scale_kernel_0", text)
        self.assertIn("known_block_size = array<i32: 128, 1, 1>", text)
        self.assertIn(".visible .entry kernel_scale_kernel_0(", compiled.__ptx__)

    def test_types_of_tensors_print_as_the_reference(self):
        seen = []

        @cute.jit
        def show(a: cute.Tensor):
            seen.extend([str(a), str(a.type), str(a[None, 0]), str(a.iterator)])

        cute.compile(show, vector(Float16, 16))
        self.assertEqual(
            seen,
            [
                "tensor<ptr<f16, gmem, align<16>> o (?,?):(?{i64},1)>",
                '!cute.memref<f16, gmem, align<16>, "(?,?):(?{i64},1)">',
                "tensor<ptr<f16, gmem, align<16>> o (?):(?{i64})>",
                "ptr<f16, gmem, align<16>>",
            ],
        )

    def test_constexpr_and_numbers(self):
        seen = []

        @cute.jit
        def f(a, b: cute.Constexpr[int], c: Int32, d: float, shape: cute.typing.Shape):
            seen.extend([str(a), b, type(c).__name__, type(d).__name__, shape])
            for i in range_constexpr(b):
                seen.append(i)

        cute.compile(f, 1, 2, 3, 4, (5, 6))
        self.assertEqual(seen, ["?", 2, "Int32", "Float32", (5, 6), 0, 1])

    def test_trees_of_arguments_go_to_kernels(self):
        class Pair(NamedTuple):
            tensor: cute.Tensor
            count: Int32

        @dataclasses.dataclass
        class Params:
            pair: Pair
            name: str

        @cute.kernel
        def k(params: Params, tensors: list, n):
            for i in range_constexpr(len(tensors)):
                tensors[i][0, 0] = params.pair.tensor[0, n]
            self.assertEqual(params.name, "x")

        @cute.jit
        def f(params: Params, tensors: list, n: Int32):
            k(params, tensors, n + params.pair.count).launch(grid=1, block=32)

        a = vector()
        params = Params(Pair(a, Int32(3)), "x")
        compiled = cute.compile(f, params, [a, vector()], 7)
        self.assertEqual(compiled.__ptx__.count("st.global"), 2)

    def test_methods(self):
        class Op:
            def __init__(self, n):
                self.n = n

            @cute.jit
            def __call__(self, a: cute.Tensor):
                self.kernel(a).launch(grid=1, block=self.n)

            @cute.kernel
            def kernel(self, a: cute.Tensor):
                a[0, 0] = Float32(self.n)

        compiled = cute.compile(Op(64), vector())
        self.assertIn("array<i32: 64, 1, 1>", compiled.__mlir__)

    def test_copies_and_products(self):
        @cute.kernel
        def k(a: cute.Tensor, b: cute.Tensor, c: cute.Tensor, mma: cute.TiledMma):
            thr = mma.get_slice(Int32(5))
            tA, tB, tC = thr.partition_A(a), thr.partition_B(b), thr.partition_C(c)
            rA, rB = mma.make_fragment_A(tA), mma.make_fragment_B(tB)
            rC = mma.make_fragment_C(tC)
            atom = cute.make_copy_atom(CopyUniversalOp(), Float16)
            cute.copy(atom, tA, rA)
            cute.copy(atom, tB, rB)
            rC.fill(0.0)
            for k in range_constexpr(cute.size(rA, mode=[2])):
                cute.gemm(mma, rC, rA[None, None, k], rB[None, None, k], rC)
            cute.autovec_copy(rC, tC)

        @cute.jit
        def f(a: cute.Tensor, b: cute.Tensor, c: cute.Tensor):
            op = warp.MmaF16BF16Op(Float16, Float32, (16, 8, 16))
            mma = cute.make_tiled_mma(op, (2, 2, 1), permutation_mnk=(32, 32, 16))
            self.assertEqual(mma.size, 128)
            self.assertEqual(mma.get_tile_size(1), 32)
            self.assertEqual(str(mma.thr_layout_vmnk), "(32,2,2,1):(1,32,64,0)")
            k(a, b, c, mma).launch(grid=1, block=mma.size)

        a = make_fake_tensor(Float16, (64, 32), (32, 1), assumed_align=16)
        c = make_fake_tensor(Float32, (64, 64), (64, 1), assumed_align=16)
        ptx = cute.compile(f, a, a, c).__ptx__
        self.assertEqual(ptx.count("mma.sync"), 2 * 4 * 2)


class Errors(unittest.TestCase):
    def test_kernels_are_called_in_host_functions(self):
        with self.assertRaisesRegex(cute.DSLRuntimeError, "the kernel scale_kernel"):
            scale_kernel(1, 2, 3.0)

    def test_an_error_leaves_no_trace_behind(self):
        @cute.jit
        def fails(a: cute.Tensor):
            raise KeyError("mine")

        for _ in range(3):
            with self.assertRaisesRegex(KeyError, "mine"):
                cute.compile(fails, vector())
        self.assertIsNone(cute._compile.ir.trace())
        cute.compile(scale, vector(), 4, 0.5)

    def test_operations_of_integers_name_both_operands(self):
        op = warp.MmaI8Op(cute.Int8, cute.Uint8, cute.Int32, (16, 8, 32))
        self.assertEqual(op.atom_name(), "SM80_16x8x32_S32S8U8S32_TN")

    def test_stmatrix_transposes_pairs_of_bytes(self):
        atom = cute.make_copy_atom(warp.StMatrix8x8x16bOp(True, 4), cute.Float8E4M3FN)
        self.assertEqual(str(atom.layout_src_tv), "((4,8),(2,2,4)):((32,2),(1,16,128))")

    def test_stmatrix_says_how_many_wider_elements_a_thread_has(self):
        atom = cute.make_copy_atom(warp.StMatrix8x8x16bOp(True, 4), Float32)
        self.assertEqual(cute.size(atom.layout_src_tv, mode=[1]), 8)

    def test_operations(self):
        for make in [
            lambda: warp.MmaI8Op(cute.Int8, Float16, cute.Int32, (16, 8, 32)),
            lambda: warp.MmaI8Op(cute.Int8, cute.Int8, Float32, (16, 8, 32)),
            lambda: warp.MmaF16BF16Op(Float32, Float32, (16, 8, 16)),
            lambda: warp.MmaF16BF16Op(Float16, Float32, (16, 8, 32)),
            lambda: warp.LdMatrix8x8x16bOp(False, 3),
            lambda: cute.make_copy_atom(cpasync.CopyG2SOp(), Float16, num_bits_per_copy=16),
        ]:
            with self.assertRaises(cute.nvgpu.OpError):
                make()

    def test_options(self):
        compiled = cute.compile(scale, vector(), 4, 0.5, options="--gpu-arch sm_80")
        self.assertIn(".target sm_80", compiled.__ptx__)
        with self.assertRaisesRegex(ValueError, "--nonsense is not an option"):
            cute.compile(scale, vector(), 4, 0.5, options="--nonsense")
        for text, words in (("--opt-level 4", "0 to 3, not '4'"),
                            ("--gpu-arch 90", "sm_90a or the like, not '90'")):
            with self.assertRaisesRegex(ValueError, words):
                cute.compile(scale, vector(), 4, 0.5, options=text)

    def test_loops(self):
        for error, words, wishes in (
            (ValueError, "unroll of range is not negative", {"unroll": -2}),
            (ValueError, "prefetch_stages of range is not negative", {"prefetch_stages": -1}),
            (TypeError, "pipelining of range is an integer", {"pipelining": "2"}),
            (TypeError, "foo", {"foo": 1}),
        ):
            with self.assertRaisesRegex(error, words):
                cute.dsl.range(4, **wishes)


class Array:
    """An array of the host like torch's."""

    dtype, device = "torch.float32", types.SimpleNamespace(type="cpu")

    def __init__(self, shape, stride):
        self.shape, self.strides = shape, stride

    def stride(self):
        return self.strides

    def data_ptr(self):
        return 4096

    def __dlpack__(self):
        raise NotImplementedError


class Arrays(unittest.TestCase):
    def test_tiles_of_a_tensor_have_each_element(self):
        @cute.jit
        def takes(a: cute.Tensor):
            made.append(str(cute.zipped_divide(a, cute.make_layout(8)).layout.type))

        made = []
        takes(cute.runtime.from_dlpack(Array((6, 4), (1, 6))))
        self.assertEqual(made, ['!cute.layout<"(8,3):(1,8)">'])

    def test_arrays_that_are_alike_find_what_is_compiled(self):
        @cute.jit
        def takes(a: cute.Tensor):
            made.append(str(a.layout.type))

        made = []
        for shape, stride in (((4, 8), (8, 1)), ((5, 9), (9, 1)), ((4, 8), (1, 4)),
                              ((4, 8), (0, 1)), ((4, 1), (1, 1)), ((1, 4), (1, 1)),
                              ((4, 8, 2), (16, 2, 1))):
            takes(Array(shape, stride))
            if len(made) == 1:
                self.assertEqual(len(takes.recent), 1)
        self.assertEqual(made, [
            '!cute.layout<"(?,?):(?{i64},1)">', '!cute.layout<"(?,?):(1,?{i64})">',
            '!cute.layout<"(?,?):(0,1)">', '!cute.layout<"(?,?,?):(?{i64},?{i64},1)">'])
        with mock.patch.object(cute._compile.jit._arguments, "bind") as bind:
            takes(Array((6, 7), (7, 1)))
        bind.assert_not_called()


class Mistakes(unittest.TestCase):
    def test_a_kernel_that_is_not_launched(self):
        @cute.jit
        def forgets(a: cute.Tensor):
            scale_kernel(a, 1, 2.0)

        with contextlib.redirect_stderr(io.StringIO()) as said:
            cute.compile(forgets, vector())
            cute.compile(scale, vector(), 4, 0.5)
        self.assertRegex(said.getvalue(), r"^\S+jit.py:\d+: warning: scale_kernel\(\.\.\.\) starts nothing: write "
                         r"scale_kernel\(\.\.\.\)\.launch\(grid=, block=\)\n$")

    def test_numbers_for_a_tensor(self):
        for wrong in ("x", 3, 1.5, [1, 2]):
            with self.assertRaisesRegex(TypeError, "a is a cute.Tensor: an array of torch"):
                scale(wrong, 1, 2.0)

    def test_decorators_of_no_function(self):
        for decorator in (cute.jit, cute.kernel):
            with self.assertRaisesRegex(TypeError, "is for functions, not 3"):
                decorator(3)


class Launches(unittest.TestCase):
    def compiled(self, **options):
        @cute.kernel
        def empty():
            pass

        @cute.jit
        def host():
            empty().launch(**{"grid": (4, 1, 1), "block": (64, 1, 1), **options})

        return cute.compile(host, options="--gpu-arch sm_90a")

    def test_options(self):
        self.assertIn(".reqnctapercluster 2, 1, 1", self.compiled(cluster=(2, 1, 1)).__ptx__)
        self.assertIn(".minnctapersm 3", self.compiled(min_blocks_per_mp=3).__ptx__)
        self.assertIn("cute.pdl", self.compiled(use_pdl=True).__mlir__)
        self.assertIn("cute.cooperative", self.compiled(cooperative=True).__mlir__)

    def test_rejected(self):
        for error, words, options in (
            (ValueError, "1 to 16 blocks, not", {"cluster": (0, 1, 1)}),
            (ValueError, r"1 to 16 blocks, not \(4, 8, 1\)", {"cluster": (4, 8)}),
            (ValueError, "1 to 3 extents", {"grid": (1, 1, 1, 1)}),
            (TypeError, "has integers, not 4.5", {"grid": (4.5, 1, 1)}),
            (TypeError, "has integers, not '4'", {"grid": "4"}),
            (ValueError, "a block has at most 1024 threads", {"block": (2048, 1, 1)}),
            (ValueError, "min_blocks_per_mp is not negative", {"min_blocks_per_mp": -1}),
            (ValueError, "smem is not negative", {"smem": -4}),
            (TypeError, "smem is an integer", {"smem": "big"}),
            (TypeError, "a stream of CUDA", {"stream": "x"}),
            (ImportError, "no option priority", {"priority": 1}),
        ):
            with self.assertRaisesRegex(error, words):
                _ = self.compiled(**options).__ptx__


if __name__ == "__main__":
    unittest.main()
