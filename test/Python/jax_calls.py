# REQUIRES: jax
# RUN: env CUTE_DEVICE=sim CUTE_ARCH=sm_90a %python %s
"""cutlass.jax: calls of compiled functions from JAX's, on the simulator."""

import functools
import pathlib
import subprocess
import sys
import unittest
from unittest import mock

import jax
import jax.export
import jax.numpy as jnp
import numpy as np

import cute.as_cutlass  # noqa: F401
import cutlass
import cutlass.cute as cute
import cutlass.jax as cjax
import cuda.bindings.driver as cuda
from cutlass.jax.testing import create_tensor
from cute._compat.missing import NotThere
from cute.jax import _ffi

SEEN = []


@cute.kernel
def add_kernel(a: cute.Tensor, b: cute.Tensor, c: cute.Tensor, scale: cutlass.Constexpr):
    i = cute.arch.thread_idx()[0]
    for j in cutlass.range(cute.size(c, mode=[1])):
        if i < cute.size(c, mode=[0]):
            c[i, j] = a[i, j] + b[i, j] * scale


@cute.jit
def add(stream: cuda.CUstream, a: cute.Tensor, b: cute.Tensor, c: cute.Tensor, *,
        scale: cutlass.Constexpr = 1):
    SEEN.append((str(a.layout), a.element_type))
    add_kernel(a, b, c, scale).launch(grid=(1, 1, 1), block=(32, 1, 1), stream=stream)


@cute.jit
def double(stream: cuda.CUstream, a: cute.Tensor):
    add_kernel(a, a, a, 1).launch(grid=(1, 1, 1), block=(32, 1, 1), stream=stream)


def arrays(dtype=jnp.float32, shape=(8, 16)):
    keys = jax.random.split(jax.random.key(1), 2)
    return [create_tensor(shape, dtype, key, minval=-4, maxval=4) for key in keys]


class Calls(unittest.TestCase):
    def test_under_jit(self):
        for dtype in (jnp.float32, jnp.int32, jnp.float16, jnp.bfloat16):
            a, b = arrays(dtype)

            @functools.partial(jax.jit, static_argnums=2)
            def both(a, b, scale):
                call = cjax.cutlass_call(
                    add, output_shape_dtype=jax.ShapeDtypeStruct(a.shape, a.dtype), scale=scale)
                return call(a, b) + 1

            for scale in (1, 2):
                near = jnp.allclose(both(a, b, scale), a + b * scale + 1, atol=0.1)
                self.assertTrue(near, (dtype, scale))
            self.assertEqual(SEEN[-1], ("(?,?):(?{i64},1)", cjax.jax_to_cutlass_dtype(dtype)))

    def test_modes_and_static_layouts(self):
        a, b = arrays()
        call = cjax.cutlass_call(
            lambda stream, pair, c: add(stream, *pair, c),
            output_shape_dtype=jax.ShapeDtypeStruct((16, 8), jnp.float32),
            input_spec=[cjax.TensorSpec(mode=(1, 0)), cjax.TensorSpec(mode=(1, 0))],
            use_static_tensors=True)
        self.assertTrue(jnp.allclose(call([a, b]), (a + b).T))
        self.assertEqual(SEEN[-1][0], "(16,8):(1,16)")
        column = cjax.TensorSpec(layout=(0, 1))
        call = cjax.cutlass_call(
            add, output_shape_dtype=jax.ShapeDtypeStruct(a.shape, a.dtype),
            input_spec=(column, None), output_spec=column)
        self.assertTrue(jnp.allclose(call(a, b), a + b))
        self.assertEqual(SEEN[-1][0], "(?,?):(1,?{i64})")

    def test_exported(self):
        def f(a, b):
            return cjax.cutlass_call(add, output_shape_dtype=a, scale=3)(a, b) + 1

        checks = cjax.get_export_disabled_safety_checks()
        shape = jax.ShapeDtypeStruct(jax.export.symbolic_shape("a, b"), jnp.float32)
        made = jax.export.export(jax.jit(f), disabled_checks=checks)(shape, shape)
        for extents in ((8, 16), (4, 3)):
            a, b = arrays(shape=extents)
            self.assertTrue(jnp.allclose(made.call(a, b), a + 3 * b + 1))

    def test_exported_program_in_another_process(self):
        """It says that its function is missing, rather than call another one."""
        program = """if True:
            import sys
            import jax.export, jax.numpy as jnp
            from test_jax import add, cjax
            a = jnp.ones((8, 16))
            for scale in range(20):
                cjax.cutlass_call(add, output_shape_dtype=a, scale=scale)(a, a)
            print(jax.export.deserialize(bytearray(sys.stdin.buffer.read())).call(a, a))
        """.replace("test_jax", pathlib.Path(__file__).stem)
        a, b = arrays()
        made = jax.export.export(
            jax.jit(lambda a, b: cjax.cutlass_call(add, output_shape_dtype=a, scale=3)(a, b)),
            disabled_checks=cjax.get_export_disabled_safety_checks())(a, b)
        done = subprocess.run([sys.executable, "-c", program], input=bytes(made.serialize()),
                              cwd=pathlib.Path(__file__).parent, capture_output=True)
        self.assertRegex(done.stderr.decode(), r"call \d+ is not a function of this process")

    def test_errors_of_a_call(self):
        a, b = arrays()
        like = jax.ShapeDtypeStruct(a.shape, a.dtype)

        @cute.jit
        def wrong(stream, a, b, c):
            raise KeyError("of the kernel")

        with self.assertRaisesRegex(jax.errors.JaxRuntimeError, "KeyError: 'of the kernel'"):
            cjax.cutlass_call(wrong, output_shape_dtype=like)(a, b)
        with self.assertRaisesRegex(jax.errors.JaxRuntimeError, "call 99 is not a function of this"):
            jax.ffi.ffi_call(_ffi.TARGET, like)(a, call=np.int64(99))
        with mock.patch.object(_ffi._device, "ordinal", lambda: 0):
            with self.assertRaisesRegex(jax.errors.JaxRuntimeError, "kernels run on a GPU"):
                cjax.cutlass_call(add, output_shape_dtype=like)(a, b)
        with self.assertRaisesRegex(NotThere, "kernels run on the simulator"):
            _ffi._need_memory(is_host=False)
        with self.assertRaisesRegex(ValueError, "arrays of Int4 cannot be passed from JAX"):
            cjax.cutlass_call(add, output_shape_dtype=like)(a.astype(jnp.int4), b)

    def test_functions_of_equal_calls_are_one(self):
        a, b = arrays()
        for _ in range(3):
            cjax.cutlass_call(add, output_shape_dtype=a, scale=7)(a, b)
        count = len(_ffi._functions)
        cjax.cutlass_call(add, output_shape_dtype=a, scale=7)(a, b)
        self.assertEqual(len(_ffi._functions), count)

    def test_inputs_that_become_results(self):
        a, _ = arrays()
        call = cjax.cutlass_call(
            double, output_shape_dtype=jax.ShapeDtypeStruct(a.shape, a.dtype),
            input_output_aliases={0: 0})
        self.assertTrue(jnp.allclose(jax.jit(call)(a), 2 * a))

    def test_small_functions(self):
        cjax.register_ffi()
        self.assertEqual(cjax.jax_to_cutlass_layout_order((1, 0, 2)), (1, 2, 0))
        self.assertIsNone(cjax.jax_to_cutlass_layout_order(None))
        self.assertIs(cjax.cutlass_to_jax_dtype(cutlass.Float8E5M2), jnp.float8_e5m2)
        self.assertEqual((cjax.is_available(), cjax.is_ffi_registered()), (True, True))
        self.assertEqual(
            (cjax.get_cutlass_call_ffi_name(), cjax.get_cutlass_call_ffi_version()),
            ("cute_call", 1))
        self.assertEqual(cjax.cutlass_to_jax_layout_order((1, 2, 0)), (1, 0, 2))
        self.assertIsNone(cjax.cutlass_to_jax_layout_order(None))
        self.assertEqual(create_tensor((2,), jnp.int32, None, fill_value=3).tolist(), [3, 3])
        self.assertEqual(create_tensor((2, 2), jnp.int32, None, fill_arange=True)[1, 0], 2)
        cjax.release_compile_cache()

    def test_rejected(self):
        with self.assertRaisesRegex(ValueError, "mode is a permutation of the modes"):
            cjax.TensorSpec(mode=(0, 2))
        with self.assertRaisesRegex(ValueError, "JAX has no type for Int128"):
            cjax.cutlass_to_jax_dtype(cutlass.Int128)
        with self.assertRaisesRegex(ValueError, "no numeric type is JAX's complex64"):
            cjax.jax_to_cutlass_dtype(jnp.complex64)
        a, b = arrays()
        call = cjax.cutlass_call(
            add, output_shape_dtype=jax.ShapeDtypeStruct(a.shape, a.dtype),
            input_spec=(None,))
        with self.assertRaisesRegex(ValueError, "there are 2 arrays, and specifications of 1"):
            call(a, b)


if __name__ == "__main__":
    unittest.main()
