# RUN: env CUTE_DEVICE=sim CUTE_ARCH=sm_90a %python %s
"""Mistakes of newcomers: each is an error at the line marked with WRONG that says what to write."""

import array
import math
import traceback
import unittest

import cute
from cute import Float16, Float32, Int32
from cute.nvgpu import warp
from cute.runtime import make_fake_compact_tensor, make_ptr
from cute.utils import SmemAllocator


def tensor(*shape, dtype=Float32):
    return make_fake_compact_tensor(dtype, shape, stride_order=tuple(range(len(shape)))[::-1])


def run(kernel, *args, block=(32, 1, 1)):
    """Compiles a function that launches the kernel."""

    @cute.jit
    def host(*args):
        kernel(*args).launch(grid=(1, 1, 1), block=block)  # LAUNCH

    return cute.compile(host, *args).__ptx__


MISTAKES = {}


def mistake(message, *args, **launch):
    """Marks a kernel that is wrong, with what the error says."""

    def put(function):
        kernel = cute.kernel(function)
        MISTAKES[function.__name__] = message, lambda: run(kernel, *args, **launch)
        return function

    return put


def host_mistake(message):
    """Marks a function of the host that is wrong, with what the error says."""

    def put(function):
        MISTAKES[function.__name__] = message, function
        return function

    return put


@mistake(r"coordinate \(0,0,0\) does not match the rank of shape \(4,8\)", tensor(4, 8))
def coordinate_of_another_rank(a):
    a[0, 0, 0] = 1.0  # WRONG


@mistake(r"coordinate 100 is out of bounds of the shape \(64\)", tensor(64))
def known_coordinate_out_of_bounds(a):
    a[100] = 1.0  # WRONG


@mistake("const_expr needs a value that is known .* leave const_expr out", tensor(64), Int32(3))
def dynamic_value_in_const_expr(a, n):
    if cute.const_expr(n > 3):  # WRONG
        a[0] = 1.0


@mistake("range_constexpr needs bounds that are known .*; use range", tensor(64), Int32(3))
def dynamic_bound_of_range_constexpr(a, n):
    for i in cute.range_constexpr(n):  # WRONG
        a[i] = 1.0


@mistake("'x' is Float32 in one branch .* and None in the other; give it one type",
         tensor(64), Int32(3))
def branches_of_different_types(a, n):
    x = None
    if n > 3:  # WRONG
        x = a[1]
    a[0] = x


@mistake("'y' has a value in only the 'if' branch .*; assign it before the if",
         tensor(64), Int32(3))
def variable_of_one_branch(a, n):
    if n > 3:
        y = a[1]
    a[0] = y  # WRONG


@mistake("'x' changes in a dynamic for from Int32 to Float32; .*x = Float32", tensor(64), Int32(3))
def loop_changes_a_type(a, n):
    x = 0
    for i in range(n):  # WRONG
        x = x + a[i]
    a[0] = x


@mistake("'values' changes its structure in a dynamic for", tensor(64), Int32(3))
def list_grows_in_a_loop(a, n):
    values = []
    for i in range(n):  # WRONG
        values.append(a[i])


@mistake("'return' is under a condition .*; assign to a variable", tensor(64), Int32(3))
def return_under_a_dynamic_condition(a, n):
    if n > 3:  # WRONG
        return
    a[0] = 1.0


@mistake("'break' is in a loop whose bounds .*; use a while loop", tensor(64), Int32(3))
def break_in_a_dynamic_loop(a, n):
    for i in range(n):  # WRONG
        if a[i] > 3.0:
            break


@mistake(r"index needs a number that is known .* keep the items in a tensor", tensor(64), Int32(1))
def list_with_a_dynamic_index(a, n):
    table = [1.0, 2.0, 3.0]
    a[0] = table[n]  # WRONG


@mistake(r"write cute.math.exp\(x\) for math.exp\(x\)", tensor(64))
def function_of_python(a):
    a[0] = math.exp(a[0])  # WRONG


@mistake(r"is not a number: write load\(\), or index it", tensor(64))
def function_of_a_tensor(a):
    a[0] = cute.math.exp(a)  # WRONG


@mistake("an element of .* is a number, not .*: index that one, too", tensor(64))
def tensor_stored_to_an_element(a):
    a[0] = a  # WRONG


@mistake("a vector of 8 elements is stored to .*, which has 4: slice", tensor(64))
def vector_of_another_size(a):
    part = cute.make_rmem_tensor(4, Float32)
    part.store(cute.local_tile(a, (8,), (0,)).load())  # WRONG


@mistake(r"needs elements of one type \(cute.convert changes it\)", tensor(64),
         tensor(64, dtype=Float16))
def copy_to_another_type(a, b):
    cute.copy(cute.make_copy_atom(cute.nvgpu.CopyUniversalOp(), Float32), a, b)  # WRONG


@mistake("needs 4 f32 elements side by side, aligned to 16 bytes", tensor(64))
def copy_that_is_not_aligned(a):
    atom = cute.make_copy_atom(
        cute.nvgpu.CopyUniversalOp(), Float32, num_bits_per_copy=128)
    part = cute.make_rmem_tensor(4, Float32)
    cute.copy(atom, cute.local_tile(a, (4,), (0,)), part)  # WRONG


@mistake("the shape of registers is known when the program is compiled, .*Constexpr",
         tensor(64), Int32(4))
def registers_of_a_dynamic_size(a, n):
    part = cute.make_rmem_tensor(n, Float32)  # WRONG
    a[0] = part[0]


@mistake("cute.arch.thread_id is not there .*; did you mean thread_idx", tensor(64))
def name_that_is_not_there(a):
    a[cute.arch.thread_id()[0]] = 1.0  # WRONG


@mistake(r"needs 400000 bytes of shared memory; a block on sm_90a has at most 232448", tensor(64))
def too_much_shared_memory(a):  # LAUNCH
    a[0] = SmemAllocator().allocate_tensor(Float32, cute.make_layout(100000))[0]


@mistake(r"a block has at most 1024 threads, and 64 in z; \(2048, 1, 1\) are 2048", tensor(64), block=(2048, 1, 1))
def too_many_threads(a):  # LAUNCH
    a[0] = 1.0


@mistake("a is a cute.Tensor: an array of .*, not a Float32", Float32(3.0))
def number_for_a_tensor(a: cute.Tensor):  # LAUNCH
    a[0] = 1.0


@host_mistake("call it in a function under @cute.jit")
def kernel_called_from_python():
    cute.kernel(number_for_a_tensor)(tensor(64))  # WRONG


@host_mistake(r"shape \(4,8\) is not congruent to stride \(1\)")
def stride_of_another_rank():
    cute.make_layout((4, 8), stride=(1,))  # WRONG


@host_mistake(r"the tiler has 3 modes, the layout 2")
def tiler_of_another_rank():
    cute.zipped_divide(cute.make_layout((4, 8)), (2, 2, 2))  # WRONG


@host_mistake(r"shape_mnk is \(16, 8, 32\); it can be \(16, 8, 8\), \(16, 8, 16\)")
def product_that_no_instruction_has():
    warp.MmaF16BF16Op(Float16, Float32, (16, 8, 32))  # WRONG


@host_mistake("0x1004 is not a multiple of 16|alignment")
def pointer_that_is_not_aligned():
    make_ptr(Float32, 0x1004, cute.AddressSpace.gmem, assumed_align=16)  # WRONG


class Integers(array.array):
    """An array of the host."""

    @property
    def __array_interface__(self):
        address, count = self.buffer_info()
        return {"data": (address, False), "typestr": "<i4", "shape": (count,)}

    strides = (4,)
    shape = property(len)
    __dlpack__ = None


@cute.jit
def increase(a: cute.Tensor):
    a[0] = a[0] + 1.0


@host_mistake("the elements are Int32, not Float32")
def compiled_for_another_type():
    compiled = cute.compile(increase, tensor(4))
    compiled(tensor(4, dtype=Int32))  # WRONG


def lines_of(error):
    """Returns the lines of this file that the error's traceback and message name."""
    with open(__file__, encoding="utf-8") as file:
        lines = file.read().split("\n")
    numbers = [f.lineno for f in traceback.extract_tb(error.__traceback__)
               if f.filename == __file__][-1:]
    numbers += [int(part.split(":")[0]) for part in str(error).split(f"{__file__}:")[1:]]
    return [lines[number - 1] for number in numbers]


def raised(call):
    """Returns the error of a call, with its traceback."""
    try:
        call()
    except Exception as error:
        return error
    raise AssertionError("no error")


class Newcomers(unittest.TestCase):
    def test_mistakes(self):
        self.assertGreaterEqual(len(MISTAKES), 28)
        for name, (message, call) in MISTAKES.items():
            with self.subTest(name):
                error = raised(call)
                self.assertRegex(str(error), message)
                marked = [x for x in lines_of(error) if "# WRONG" in x or "# LAUNCH" in x]
                self.assertTrue(marked, error)


if __name__ == "__main__":
    unittest.main()
