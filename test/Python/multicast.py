# RUN: env CUTE_DEVICE=sim CUTE_ARCH=sm_100a %python %s
"""cutlass.utils.distributed: on the simulator, where a multicast object has one GPU."""

import array
import shutil
import subprocess
import tempfile
import unittest

import cute.as_cutlass  # noqa: F401
import cutlass
import cutlass.cute as cute
from cutlass import BFloat16, Float8E4M3FN, Float8E5M2, Float16, Float32, Int32
from cutlass.cute.runtime import make_ptr
from cutlass.utils import distributed

GMEM = cute.AddressSpace.gmem
WIDTHS = {Float32: 1, Float16: 2, BFloat16: 2, Float8E4M3FN: 4, Float8E5M2: 4}


def run(kernel, memory, grid=1, block=32):
    """Returns what a kernel makes of words; ptxas, where there is one, accepts its code."""

    @cute.jit
    def launch(pointer: cute.Pointer):
        kernel(pointer).launch(grid=(grid, 1, 1), block=(block, 1, 1), cooperative=grid > 1)

    words = array.array("i", memory)
    pointer = make_ptr(Int32, words.buffer_info()[0], GMEM, assumed_align=16)
    launch(pointer)
    if shutil.which("ptxas"):
        with tempfile.NamedTemporaryFile("w", suffix=".ptx") as file:
            file.write(cute.compile(launch, pointer, options="--gpu-arch sm_100a").__ptx__)
            file.flush()
            subprocess.run(["ptxas", "-arch=sm_100a", "-o", "/dev/null", file.name], check=True)
    return list(words)


class Memory(unittest.TestCase):
    def test_sums_and_stores(self):
        for dtype, width in WIDTHS.items():
            for count in (1, 2, 4):
                def body(pointer: cute.Pointer):
                    thread = cute.arch.thread_idx()[0]
                    at = pointer + thread * 4
                    found = distributed.multimem_ld_reduce(
                        at, dtype=dtype, num_elements=count * width)
                    distributed.multimem_st(at + 128, *found)

                found = run(cute.kernel(body), [*range(7, 135), *[0] * 128])
                wanted = [x if i % 4 < count else 0 for i, x in enumerate(range(7, 135))]
                self.assertEqual(found[128:], wanted)

    def test_functions_of_one_shape(self):
        @cute.kernel
        def kernel(pointer: cute.Pointer):
            a, b = distributed.multimem_ld_reduce_4xf16(pointer)
            distributed.multimem_st_2xb32(pointer + 4, b, a)
            distributed.multimem_st_1xb32(pointer + 6, *distributed.multimem_ld_reduce_4xe4m3(pointer + 1))

        self.assertEqual(run(kernel, [3, 4, 0, 0, 0, 0, 0, 0], block=1), [3, 4, 0, 0, 4, 3, 4, 0])

    def test_functions_by_their_names(self):
        def load(opcode):
            return f"multimem.ld_reduce.weak.global.add.{opcode}, [$%d];"

        @cute.kernel
        def kernel(pointer: cute.Pointer):
            four = distributed.multimem_ld_reduce_128bit_base(
                pointer, ptx_string=load("v4.f32 {$0, $1, $2, $3}") % 4)
            two = distributed.multimem_ld_reduce_64bit_base(
                pointer, ptx_string=load("v2.f32 {$0, $1}") % 2)
            one = distributed.multimem_ld_reduce_32bit_base(pointer, ptx_string=load("f32 $0") % 1)
            for i, word in enumerate((*four, *two, *one)):
                cute.make_tensor(pointer + 4 + i, 1)[0] = Int32(word)
            distributed.multimem_red_release_gpu_add1(pointer + 12)
            distributed.multimem_red_relaxed_gpu_add1(pointer + 12)
            distributed.multimem_red_release_sys_add1(pointer + 12)
            distributed.multimem_red_relaxed_sys_add1(pointer + 12)
            old = distributed.atomicAdd(pointer + 12, Int32(5))
            seen = distributed.ld_bypass(cute.make_tensor(pointer + 12, cute.make_layout(2)))
            cute.make_tensor(pointer + 14, 1)[0] = 100 * old + seen[0] + seen[1]

        given = [3, 4, 5, 6, *[0] * 9, 7, 0]
        found = run(kernel, given, block=1)
        self.assertEqual(found[4:], [3, 4, 5, 6, 3, 4, 3, 0, 9, 7, 416])

    def test_counters(self):
        @cute.kernel
        def kernel(pointer: cute.Pointer):
            block = cute.arch.block_idx()[0]
            if cute.arch.thread_idx()[0] == 0:
                if block == 0:
                    distributed.spin_lock_ld_lt_relaxed_wait(pointer, expected_val=2, scope="gpu")
                    distributed.spin_lock_atom_cas_relaxed_wait(
                        pointer, expected_val=2, reset_val=9, scope="sys")
                    distributed.multimem_red_add1(pointer + 1, order="release", scope="gpu")
                elif block == 1:
                    distributed.spin_lock_atom_cas_acquire_wait(
                        pointer + 1, expected_val=1, reset_val=0, scope="gpu")
                    cute.make_tensor(pointer + 2, 1)[0] = 5
                else:
                    distributed.red_add1(pointer, order="relaxed", scope="sys")

        self.assertEqual(run(kernel, [0, 0, 0, 0], grid=4), [9, 0, 5, 0])

    def test_mistakes(self):
        p = None
        with self.assertRaisesRegex(ValueError, "3 elements of Float16 are not added .* Float16 "
                                    r"\(2, 4 or 8\)"):
            distributed.multimem_ld_reduce(p, dtype=Float16, num_elements=3)
        with self.assertRaisesRegex(ValueError, "4 elements of Int32 are not added"):
            distributed.multimem_ld_reduce(p, dtype=Int32, num_elements=4)
        with self.assertRaisesRegex(ValueError, "1, 2 or 4 registers .* not 3"):
            distributed.multimem_st(p, 1, 2, 3)
        with self.assertRaisesRegex(ValueError, "2 registers are written, not 1"):
            distributed.multimem_st_2xb32(p, 1)
        with self.assertRaisesRegex(ValueError, "order is relaxed or release, not 'acquire'"):
            distributed.red_add1(p, order="acquire", scope="gpu")
        with self.assertRaisesRegex(ValueError, "scope is gpu or sys, not 'cta'"):
            distributed.spin_lock_ld_lt_relaxed_wait(p, expected_val=1, scope="cta")

    def test_architecture(self):
        @cute.kernel
        def kernel(pointer: cute.Pointer):
            distributed.multimem_st_1xb32(pointer, 1)

        @cute.jit
        def launch(pointer: cute.Pointer):
            kernel(pointer).launch(grid=(1, 1, 1), block=(1, 1, 1))

        pointer = make_ptr(Int32, 16, GMEM)
        with self.assertRaisesRegex(Exception, r"multimem.st.weak.global.f32 needs sm_90"):
            cute.compile(launch, pointer, options="--gpu-arch sm_80")
        ptx = cute.compile(launch, pointer, options="--gpu-arch sm_90").__ptx__
        self.assertIn(".version 8.2", ptx)

    def test_instructions_that_there_are_not(self):
        for name in ("multimem.ld_reduce.weak.global.mul.f32", "multimem.ld_reduce.weak.global.add.e4m3x8"):
            def body(pointer: cute.Pointer):
                cute.arch.inline_ptx(f"{name} {{$w0}}, [{{$r0}}];", write_only_types=[Float32],
                                     read_only_args=[pointer])

            with self.assertRaisesRegex(Exception, f"{name} is not interpreted"):
                run(cute.kernel(body), [0] * 4, block=1)

    def test_older_name(self):
        from cutlass.utils import distributed_helpers

        self.assertIs(distributed_helpers.red_add1, distributed.red_add1)
        self.assertIs(cutlass.utils.distributed, distributed)


if __name__ == "__main__":
    unittest.main()
