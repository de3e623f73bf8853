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
    "register_jit_arg_adapter": "python_type scope lazy",
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
