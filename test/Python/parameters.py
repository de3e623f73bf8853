# RUN: env CUTE_DEVICE=sim CUTE_ARCH=sm_90a %python %s
"""Public functions take their parameters by the names that nvidia-cutlass-dsl gives them."""

import ctypes
import importlib
import inspect
import math
import pathlib
import re
import unittest

import cute.as_cutlass  # noqa: F401
import cute
from cute import Float32, Int32
from cute.runtime import make_ptr

LIST = pathlib.Path(__file__).parent / "Inputs" / "parameters_of_cutlass_dsl.txt"
# Parameters that are not there, by function: what they choose is not, or is the only way.
LEFT_OUT = {
    **dict.fromkeys(
        [f"{name}_packed_f32x2" for name in ("add", "sub", "mul", "fma")],
        "src_c calc_func result_type_inferred"),
    "all_": "iterable", "any_": "iterable",
    "extract_mlir_values": "structured", "new_from_mlir_values": "structured",
    "make_array_view": "dtype bounds_check",
    "make_tiled_tma_atom": "gmem_coord_tensor",
    "print_runtime": "fmt",
    "tcgen05_mma_block_scale": "b_collector_op a_shift",
    "compute_epilogue_tile_shape": "tmem_warp_shape_mn",
}


def listed():
    """(module, function, parameters) of the list."""
    module = ""
    for line in LIST.read_text().splitlines():
        if line.startswith(" "):
            for name, parameters in re.findall(r"(\w+)\(([\w,]+)\)", line):
                yield module, name, parameters.split(",")
        elif not line.startswith("#"):
            module = line


def taken(function):
    """The names by which a function takes arguments; None where it takes any."""
    parameters = inspect.signature(function).parameters.values()
    if any(p.kind is p.VAR_KEYWORD for p in parameters):
        return None
    return {p.name for p in parameters if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)}


class Parameters(unittest.TestCase):
    def test_names(self):
        wrong = []
        for module, name, parameters in listed():
            function = getattr(importlib.import_module(module), name)
            names = taken(function)
            left_out = "ptx_string" if "ld_reduce" in name else LEFT_OUT.get(name, "")
            known = {*(names or parameters), *left_out.split()}
            missing = [p for p in parameters if p not in known]
            if missing:
                wrong.append(f"{module}.{name} has no {', '.join(missing)}")
        self.assertEqual("\n".join(wrong), "")

    def test_calls(self):
        self.assertEqual(cute.find(t=(1, (2, 3)), x=3), (1, 1))
        self.assertEqual(cute.find((1, (2, 3)), 3), cute.find(3, (1, (2, 3))))
        self.assertIsNone(cute.find((1, (2, 3)), 3, hierarchical=False))
        self.assertEqual(cute.math.copysign(mag=2.0, sign=-1.0), -2.0)
        self.assertEqual(cute.math.pow(base=Float32(2.0), exponent=Float32(3.0)), 8.0)
        self.assertEqual(cute.size(obj=cute.make_layout((4, 2))), 8)
        with self.assertRaisesRegex(TypeError, "redux.sync takes integers"):
            cute.arch.warp_redux_sync(Int32(1), "max", abs=True)


    def test_order_and_defaults(self):
        """Arguments by place, and the defaults of nvidia-cutlass-dsl written out."""
        layout = cute.make_layout((2, 3, 4))
        self.assertEqual(str(cute.group_modes(layout, 1, None)), "(2,(3,4)):(1,(2,6))")
        self.assertEqual(cute.get(3), 3)
        self.assertEqual([cute.has_scaled_basis((1, (cute.E(0), 2))), cute.is_valid_leaf("a")],
                         [True, False])
        self.assertTrue(math.isnan(cute.math.max(math.nan, 2.0, True)))
        self.assertEqual(cute.math.min(Float32(3.0), math.nan), 3.0)
        self.assertEqual(cute.math.add(Float32(1.0), 2.0, False, None, True), 3.0)
        with self.assertRaisesRegex(NotImplementedError, "rounds to the nearest"):
            cute.math.mul(1.0, 2.0, False, cute.RoundingMode.ZERO)
        arch = importlib.import_module("cutlass.base_dsl.arch").Arch
        self.assertTrue(arch.sm_103a < arch.sm_107 <= arch.sm_107f < arch.sm_110a)

        @cute.jit
        def traced(x: Int32):
            ones = cute.full((4,), 1.0)
            self.assertIs(ones.dtype, Float32)
            self.assertIs(cute.TensorSSA(ones.ir_value(), (4,)).dtype, Float32)
            cute.testing.assert_(x > 0, None)
            pointer = cute.make_ptr(Float32, cute.Int64(x), None)
            self.assertIs(pointer.memspace, cute.AddressSpace.generic)

        cute.compile(traced, Int32(1))

    def test_words_of_two_names(self):
        """Packed sums take their operands by this package's older names, too."""
        @cute.kernel
        def kernel(x: Int32):
            for name in ("add_packed_bf16x2", "sub_packed_f16x2"):
                function = getattr(cute.arch, name)
                function(a=x, b=x)
                function(x, src_b=x)
            with self.assertRaisesRegex(TypeError, "takes 2 operands, not 1"):
                cute.arch.add_packed_bf16x2(a=x)
            barrier = cute.utils.SmemAllocator().allocate_array(cute.Int64, 1)
            cute.arch.mbarrier_arrive_and_expect_tx(barrier, 16, None, False)

        @cute.jit
        def host(x: Int32):
            kernel(x).launch(grid=(1, 1, 1), block=(32, 1, 1))

        cute.compile(host, Int32(1), options="--lazy")

    def test_clusters_of_schedulers(self):
        make = cute.utils.PersistentTileSchedulerParams
        same = make((4, 4, 1), (2, 1, 1), fallback_cluster_shape_mnk=(2, 1, 1))
        self.assertEqual(same.cluster_shape_mnk, (2, 1, 1))
        other = make((4, 4, 1), (4, 2, 1), fallback_cluster_shape_mnk=(2, 1, 1))
        self.assertEqual(other.get_grid_shape(8), make((4, 4, 1), (4, 2, 1)).get_grid_shape(8))
        with self.assertRaisesRegex(ValueError, "does not divide"):
            make((4, 4, 1), (4, 1, 1), fallback_cluster_shape_mnk=(3, 1, 1))

    def test_adapters_of_types_that_are_not_imported(self):
        register = cute.dsl.register_jit_arg_adapter

        class Meters:
            def __init__(self, count):
                self.count = count

        @register(f"{__name__}.{Meters.__qualname__}", lazy=True)
        class Adapter:
            def __init__(self, meters):
                self.number = Int32(meters.count)

            def __get_mlir_types__(self):
                return self.number.__get_mlir_types__()

            def __c_pointers__(self):
                return self.number.__c_pointers__()

            def __new_from_mlir_values__(self, values):
                return Int32(values[0])

        @cute.jit
        def twice(x):
            return x * 2

        self.assertEqual(twice(Meters(21)), 42)
        self.assertIs(register(python_type=int, scope="gpu")(Adapter), Adapter)
        cute._compile.adapters._ADAPTERS.pop(int)

    def test_extremes_by_the_device(self):
        cells = (ctypes.c_float * 4)()
        pointer = make_ptr(Float32, ctypes.addressof(cells), cute.AddressSpace.gmem)

        @cute.kernel
        def kernel(out: cute.Tensor, x: Float32, y: Float32):
            out[0] = cute.arch.fmax(x, y)
            out[1] = cute.arch.fmax(a=x, b=y, nan=True)
            out[2] = cute.arch.fmin(Float32(-3.0), Float32(2.0), abs=True)
            out[3] = cute.arch.fmax(Float32(1e-40), Float32(0.0), ftz=True)

        @cute.jit
        def host(out: cute.Pointer, x: Float32, y: Float32):
            kernel(cute.make_tensor(out, 4), x, y).launch(grid=(1, 1, 1), block=(1, 1, 1))

        host(pointer, math.nan, 2.0)
        self.assertTrue(math.isnan(cells[1]))
        self.assertEqual([cells[0], cells[2], cells[3]], [2.0, -2.0, 0.0])


if __name__ == "__main__":
    unittest.main()
