# RUN: %python %s
"""Structs in shared memory and its allocator."""

import unittest

import cute
from cute._values.struct import SmemAllocator
from cute.dsl import Float16, Float32, Int8, Int32, Int64


@cute.struct
class Complex:
    real: Float32
    imag: Float32


@cute.struct
class Storage:
    a: cute.struct.MemRange[Float32, 32]
    b: Int64
    c: Complex
    x: cute.struct.Align[cute.struct.MemRange[Float16, 32], 128]
    y: cute.struct.Align[Int8, 8]
    z: cute.struct.Align[Complex, 16]
    none: cute.struct.MemRange[Int64, 0]


def traced(function):
    """Returns the PTX of a kernel whose body is the function."""
    body = cute.jit(function)

    @cute.kernel
    def kernel(n: Int32):
        body(n)

    @cute.jit
    def host(n: Int32):
        kernel(n).launch(grid=1, block=32)

    return cute.compile(host, Int32(4)).__ptx__


class Structs(unittest.TestCase):
    def test_a_number_is_a_place(self):
        def body(n):
            s = SmemAllocator().allocate(Storage)
            self.assertEqual(str(s.b + 1), str(s.b.ptr + 1))
            for wrong in (lambda: Float32(1) + s.b, lambda: s.b * 2, lambda: s.b < n, lambda: -s.b,
                          lambda: Float32(s.b), lambda: s.a.__setitem__(0, s.b)):
                with self.assertRaisesRegex(TypeError, "the place of a number in a struct, .*: write load"):
                    wrong()
            for wrong, words in ((s.b.ptr, "not of ptr<.*: write load"), (cute.make_layout(4), "not of 4:1$"),
                                 (cute.make_rmem_tensor(4, Float32).load(), "not of .*: index it")):
                with self.assertRaisesRegex(TypeError, "Float32 is made of a number, " + words):
                    Float32(wrong)

        self.assertIn(".entry", traced(body))

    def test_size_and_alignment_are_those_of_c(self):
        self.assertEqual((Complex.__sizeof__(), Complex.__alignof__()), (8, 4))
        self.assertEqual((Storage.size_in_bytes(), Storage.__alignof__()), (384, 128))
        offsets = [m.offset for m in Storage._members.values()]
        self.assertEqual(offsets, [0, 128, 136, 256, 320, 336, 344])

    def test_members(self):
        seen = []

        def body(n):
            s = SmemAllocator().allocate(Storage)
            seen.extend(
                map(str, [s.a.data_ptr(), s.b.ptr, s.c.real.ptr, s.x.data_ptr()])
            )
            seen.extend(map(str, [s.y.ptr, s.z.imag.ptr, s.a.size]))
            s.b = 16
            s.c.imag = Float32(n)
            s.a[n] = 2
            s.a[1] = s.a[n] + s.c.imag.load()
            tensor = s.x.get_tensor(cute.make_layout((8, 4)))
            seen.append(str(tensor))
            seen.append(str(s.x.get_tensor(cute.make_layout((4, 4)), dtype=Int32)))
            tensor.fill(0.5)
            if n > 3:
                s.b = n

        self.assertIn("st.shared.b64", traced(body))
        self.assertEqual(
            seen,
            [
                *("ptr<f32, smem, align<128>>", "ptr<i64, smem, align<128>>"),
                *("ptr<f32, smem, align<8>>", "ptr<f16, smem, align<128>>"),
                *("ptr<i8, smem, align<64>>", "ptr<f32, smem>", "32"),
                "tensor<ptr<f16, smem, align<128>> o (8,4):(1,8)>",
                "tensor<ptr<i32, smem, align<128>> o (4,4):(1,4)>",
            ],
        )

    def test_text_annotations(self):
        count = 12

        @cute.struct
        class Later:
            a: "cute.struct.MemRange[Int32, count]"
            b: "Complex"

        self.assertEqual(Later.size_in_bytes(), 4 * count + 8)

    def test_rejected(self):
        with self.assertRaisesRegex(TypeError, "the struct Nothing has no members"):

            @cute.struct
            class Nothing:
                pass

        with self.assertRaisesRegex(TypeError, "not <class 'str'>"):

            @cute.struct
            class Text:
                a: str

        for parameters in (Float32, (Float32, -1), (float, 3)):
            with self.assertRaises(TypeError):
                cute.struct.MemRange[parameters]
        with self.assertRaisesRegex(ValueError, "power of two"):
            cute.struct.Align[Float32, 12]

    def test_members_that_are_not_there(self):
        def body(n):
            s = SmemAllocator().allocate(Storage)
            with self.assertRaisesRegex(AttributeError, "no member q; it has a, b"):
                s.q
            with self.assertRaisesRegex(TypeError, "a is not a number"):
                s.a = 3
            with self.assertRaisesRegex(IndexError, "element 32 of an array of 32"):
                s.a[32]
            self.assertEqual(s.none.data_ptr().dtype, Int64)  # of no elements, but a place

        traced(body)


class Allocator(unittest.TestCase):
    def test_what_it_hands_out(self):
        seen = []

        def body(n):
            allocator = SmemAllocator()
            layout = cute.make_layout((16, 2))
            seen.append(allocator.allocate(Int32).dtype)
            seen.append(str(allocator.allocate(64, byte_alignment=128)))
            seen.append(str(allocator.allocate_array(element_type=Int64, num_elems=14)))
            tensor = allocator.allocate_tensor(Float32, layout, 32)
            seen.append(str(tensor))
            swizzled = allocator.allocate_tensor(
                Float16,
                cute.make_layout((8, 64), stride=(64, 1)),
                128,
                cute.make_swizzle(3, 3, 3),
            )
            swizzled[1, 2] = Float16(n)
            tensor[3] = Float32(n)

        self.assertIn(".shared .align", traced(body))
        self.assertEqual(
            seen,
            [
                Int32,
                "ptr<i8, smem, align<128>>",
                "ptr<i64, smem>",
                "tensor<ptr<f32, smem, align<32>> o (16,2):(1,16)>",
            ],
        )

    def test_rejected(self):
        allocator = SmemAllocator()
        for what in ("text", 2.5, True):
            with self.assertRaisesRegex(TypeError, "static number of bytes"):
                allocator.allocate(what)
        with self.assertRaises(ValueError):
            allocator.allocate(-4)
        with self.assertRaisesRegex(ValueError, "power of two"):
            allocator.allocate(64, byte_alignment=48)
        with self.assertRaisesRegex(ValueError, "static number of elements"):
            allocator.allocate_array(Int32, 0)
        with self.assertRaisesRegex(TypeError, "numeric type"):
            allocator.allocate_array(int, 4)


if __name__ == "__main__":
    unittest.main()
