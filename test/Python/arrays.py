# RUN: env CUTE_DEVICE=sim CUTE_ARCH=sm_90a %python %s
"""Arrays: elements, windows as vectors, memory of a thread and of a block."""

import array
import unittest

import cute
from cute import Float32, Int32, arch, dsl, vector
from cute._compat.missing import NotThere
from cute.runtime import from_dlpack, make_fake_compact_tensor

SMEM = cute.AddressSpace.smem


class Floats(array.array):
    """An array of the host that kernels of the simulator read, as numpy's are."""

    shape, strides = property(lambda self: (len(self),)), property(lambda self: (4,))

    @property
    def __array_interface__(self):
        return {"data": (self.buffer_info()[0], False), "typestr": "<f4", "shape": self.shape}

    def __dlpack__(self):
        raise NotImplementedError


@cute.kernel
def double_inside(a: cute.Tensor, end: Int32):
    """Doubles elements 0 to end - 1, 2 x 2 in each thread."""
    values = cute.make_layout((2, (2, 2)), stride=(4, (1, 2)))
    part = cute.composition(a, values)[arch.thread_idx()[0], None]
    at = cute.composition(cute.make_identity_tensor(8), values)[arch.thread_idx()[0], None]
    inside, own = cute.make_rmem_tensor(part.shape, cute.Boolean), cute.make_fragment_like(part)
    for i in range(cute.size(inside)):
        inside[i] = at[i] < end
    atom = cute.make_copy_atom(cute.nvgpu.CopyUniversalOp(), Float32)
    own.fill(100.0)
    cute.copy(atom, part, own, pred=inside)
    own.store(own.load() * 2)
    cute.copy(atom, own, part, pred=inside)


@cute.jit
def double(a: cute.Tensor, end: Int32):
    double_inside(a, end).launch(grid=1, block=2)


@cute.kernel
def add_kernel(a: dsl.Array, b: dsl.Array, out: dsl.Array, V: cute.Constexpr):
    at = arch.thread_idx()[0] * V
    if at < len(a):
        out[at:V] = a[at:V] + b[at:V]


@cute.jit
def add(a: dsl.Array, b: dsl.Array, out: dsl.Array, V: cute.Constexpr):
    add_kernel(a, b, out, V).launch(grid=1, block=32)


@cute.kernel
def reverse_kernel(a: dsl.Array, out: dsl.Array, n: cute.Constexpr):
    i = arch.thread_idx()[0]
    near, own = dsl.Array(Float32, n, space=SMEM), dsl.Array(Float32, (2, 2))
    reverse_kernel.seen = [str(x) for x in (a, near, own)]
    near[i] = a.subview(i)[0]
    arch.barrier()
    own[1, 0] = near[n - 1 - i]
    own[3] = Float32(i)
    out[i] = own[2] + own[1, 1] * 100.0


@cute.jit
def reverse(a: dsl.Array, out: dsl.Array, n: cute.Constexpr):
    reverse_kernel(a, out, n).launch(grid=1, block=n)


@cute.kernel
def fold_kernel(out: dsl.Array):
    made = dsl.Vector.from_elements((3.0, -1.0, 2.0, 4.0), Float32)
    zeros = vector.full((4,), 0.0, Float32)
    kept = vector.where(made > zeros, made, zeros)
    least = cute.math.min(made, zeros).reduce("add")
    folds = (kept.reduce("add"), made.reduce("max"), least, made.reduce("mul"))
    for i, fold in enumerate(folds):
        out[i] = fold


@cute.jit
def fold(out: dsl.Array):
    fold_kernel(out).launch(grid=1, block=1)


@cute.jit
def view(tensor: cute.Tensor):
    dsl.make_array_view(cute.logical_divide(tensor, (4, 4)))


def accesses(align):
    fake = make_fake_compact_tensor(Float32, (128,), assumed_align=align)
    text = cute.compile[cute.KeepPTX](add, fake, fake, fake, 4).artifacts.PTX
    return sum("ld.global" in line or "st.global" in line for line in text.splitlines())


class Arrays(unittest.TestCase):
    def test_predicates_that_are_all_true_let_vectors_go(self):
        fake = make_fake_compact_tensor(Float32, (8,), assumed_align=4)
        text = cute.compile[cute.KeepPTX](double, fake, Int32(8)).artifacts.PTX
        self.assertEqual((text.count("ld.global.v4"), text.count("st.global.v4")), (1, 1))

    def test_windows(self):
        a, b, out = Floats("f", range(100)), Floats("f", [0.5] * 100), Floats("f", [0] * 100)
        add(*map(from_dlpack, (a, b, out)), 4)
        self.assertEqual(list(out), [i + 0.5 for i in range(100)])
        self.assertEqual((accesses(16), accesses(4)), (3, 12))

    def test_copies_with_a_predicate_for_each_element(self):
        a = Floats("f", range(8))
        double(from_dlpack(a), 6)
        self.assertEqual(list(a), [0, 2, 4, 6, 8, 10, 6, 7])

    def test_memory_of_threads_and_blocks(self):
        a, out = Floats("f", range(8)), Floats("f", [0] * 8)
        reverse(from_dlpack(a), from_dlpack(out), 8)
        self.assertEqual(list(out), [7 - i + 100 * i for i in range(8)])
        text = "Array(dtype=Float32, address_space={}, shape={}, alignment=4)"
        places = (("gmem", "(8,)"), ("smem", "(8,)"), ("generic", "(2, 2)"))
        self.assertEqual(reverse_kernel.seen, [text.format(*p) for p in places])

    def test_vectors(self):
        out = Floats("f", [0] * 4)
        fold(from_dlpack(out))
        self.assertEqual(list(out), [9, 4, -1, -24])

    def test_rejected(self):
        with self.assertRaisesRegex(ValueError, "extents that are known, not 0"):
            dsl.Array(Float32, 0)
        with self.assertRaisesRegex(NotThere, "outlive kernels: pass a tensor"):
            dsl.Array(Float32, 4, space=cute.AddressSpace.gmem)
        with self.assertRaisesRegex(ValueError, "no modes within modes"):
            view(make_fake_compact_tensor(Float32, (8, 8)))
        with self.assertRaisesRegex(NotThere, "with a name or contents"):
            dsl.Array(Float32, 4, name="a")

        @cute.jit
        def indices(a: dsl.Array, i: Int32):
            for index, text in (((0, 0), "has 1 modes, not 2"), (slice(0, i), "V is known")):
                with self.assertRaisesRegex(IndexError, text):
                    a[index]

        cute.compile(indices, make_fake_compact_tensor(Float32, (8,)), 1)


if __name__ == "__main__":
    unittest.main()
