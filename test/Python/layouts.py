# RUN: %python %s
"""The layout algebra without any program: documented examples and errors."""
import os
import tempfile
import unittest

import cute
from cute import E


class Examples(unittest.TestCase):
    def same(self, value, text):
        self.assertEqual(str(value), text)

    def test_construction(self):
        self.same(cute.make_layout((4, 4)), "(4,4):(1,4)")
        self.same(cute.make_layout((2, 2, 2), stride=(4, 1, 2)), "(2,2,2):(4,1,2)")
        self.same(cute.make_layout(8), "8:1")
        self.same(cute.make_layout((4, (2, 3))), "(4,(2,3)):(1,(4,8))")
        self.same(cute.make_ordered_layout((4, 4), order=(1, 0)), "(4,4):(4,1)")
        self.same(
            cute.make_ordered_layout((32, 16, 8), order=(2, 0, 1)),
            "(32,16,8):(128,1,16)",
        )
        self.same(cute.make_identity_layout((4, 4)), "(4,4):(1@0,1@1)")
        swizzled = cute.make_composed_layout(
            cute.make_swizzle(3, 3, 3), 0, cute.make_layout((8, 64), stride=(64, 1))
        )
        self.same(swizzled, "S<3,3,3> o 0 o (8,64):(64,1)")
        self.same(swizzled.inner, "S<3,3,3>")
        self.same(swizzled.outer, "(8,64):(64,1)")
        self.assertEqual(swizzled.offset, 0)

    def test_max_alignment(self):
        swizzle = cute.make_swizzle(3, 3, 3)
        rows = cute.make_layout((8, 64), stride=(64, 1))
        for layout, expected in (
            (cute.make_layout((4, 8)), 32),
            (cute.make_layout((4, 8), stride=(1, 6)), 2),
            (rows, 512),
            (cute.make_composed_layout(swizzle, 0, rows), 8),
        ):
            self.assertEqual(layout.max_alignment, expected)

        @cute.jit
        def dynamic(tensor: cute.Tensor):
            whole, first = tensor.layout, tensor.layout[0]
            self.assertEqual((whole.max_alignment, first.max_alignment), (64, 64))
            self.assertEqual(tensor.layout[1].max_alignment, 1)

        shape = (cute.sym_int(divisibility=64), cute.sym_int())
        fake = cute.runtime.make_fake_compact_tensor(cute.Float32, shape, stride_order=(0, 1))
        cute.compile(dynamic, fake)

    def test_bases(self):
        self.same((E(0), 2 * E(1), E([0, 1])), "(1@0, 2@1, 1@1@0)")
        layout = cute.make_layout((4, 8), stride=(E(0), E(1)))
        self.same(layout, "(4,8):(1@0,1@1)")
        self.assertEqual(layout((1, 2)), (1, 2))
        self.assertEqual(layout.stride[1], E(1))
        with self.assertRaises(TypeError):
            E("0")
        with self.assertRaises(TypeError):
            cute.ScaledBasis(1, [0.5])

    def test_what_a_layout_says(self):
        layout = cute.make_layout((8, (2, 3)), stride=(6, (3, 1)))
        self.assertEqual(layout.shape, (8, (2, 3)))
        self.assertEqual(layout.stride, (6, (3, 1)))
        self.assertEqual(cute.size(layout), 48)
        self.assertEqual(cute.size(layout, mode=[1]), 6)
        self.assertEqual(cute.size(layout, mode=[1, 0]), 2)
        self.assertEqual(cute.cosize(layout), 48)
        self.assertEqual((cute.rank(layout), cute.depth(layout)), (2, 2))
        self.same(layout[1], "(2,3):(3,1)")
        self.same([str(mode) for mode in layout], "['8:6', '(2,3):(3,1)']")
        self.assertEqual(layout, cute.make_layout((8, (2, 3)), stride=(6, (3, 1))))
        self.assertNotEqual(layout, cute.make_layout((8, 6)))
        for i in range(48):
            self.assertEqual(layout(i), cute.crd2idx(cute.idx2crd(i, layout), layout))

    def test_tuples(self):
        self.assertEqual(cute.ceil_div((10, 6), (3, 4)), (4, 2))
        self.assertEqual(cute.ceil_div((6, 4), 8), 3)
        self.assertEqual(cute.ceil_div(10, cute.make_layout(3)), 4)
        self.assertEqual(cute.ceil_div(((6, 4), (2, 3)), (8, 2)), (3, 3))
        self.assertEqual(cute.ceil_div((10, 6), (cute.make_layout(3), 4)), (4, 2))
        self.assertEqual(cute.round_up((10, 6), (3, 4)), (12, 8))
        self.assertEqual(cute.product((2, (3, 4))), 24)
        self.assertEqual(cute.product_each(((2, 3), 4)), (6, 4))
        self.assertEqual(cute.product_like(((2, 3), 4), (1, 1)), (6, 4))
        self.assertEqual(cute.flatten_to_tuple((1, (2, (3,)))), (1, 2, 3))
        self.assertEqual(cute.group_modes((2, 3, 4, 5), 1, 3), (2, (3, 4), 5))
        self.assertEqual(cute.repeat_like(1, ((1, 2), 3)), ((1, 1), 1))
        self.assertEqual(cute.append((1, 1), 0, up_to_rank=4), (1, 1, 0, 0))
        self.assertEqual(cute.prepend((4, 4), 2), (2, 4, 4))
        self.assertEqual(cute.find(1, (4, (1, 2))), (1, 0))
        self.assertIsNone(cute.find(1, (4, 2)))
        self.assertEqual(cute.find(1, (1, 1), exclude_when=(1, (1, 8))), 1)
        self.assertTrue(cute.elem_less((1, 2), (2, 3)))
        self.assertFalse(cute.elem_less((1, 3), (2, 3)))
        self.assertTrue(cute.is_congruent((1, (2, 3)), (4, (5, 6))))
        self.assertTrue(cute.is_weakly_congruent((1, 2), (4, (5, 6))))
        self.assertFalse(cute.is_congruent((1, 2), (4, (5, 6))))
        self.assertEqual(cute.crd2idx((2, 3), cute.make_layout((5, 4), stride=(4, 1))), 11)

    def test_algebra(self):
        layout = cute.make_layout((2, (1, 6)), stride=(1, (6, 2)))
        self.same(cute.coalesce(layout), "12:1")
        self.same(cute.coalesce(layout, target_profile=(1, 1)), "(2,6):(1,2)")
        a = cute.make_layout((10, 2), stride=(16, 4))
        b = cute.make_layout((5, 4), stride=(1, 5))
        r = cute.composition(a, b)
        self.same(r, "(5,(2,2)):(16,(80,4))")
        for i in range(cute.size(b)):
            self.assertEqual(r(i), a(b(i)))
        block, tiler = cute.make_layout((2, 5), stride=(5, 1)), cute.make_layout((3, 4))
        self.same(cute.blocked_product(block, tiler), "((2,3),(5,4)):((5,10),(1,30))")
        self.same(cute.raked_product(block, tiler), "((3,2),(4,5)):((10,5),(30,1))")
        self.same(cute.flat_product(block, tiler), "(2,5,3,4):(5,1,10,30)")
        self.same(cute.complement(cute.make_layout(4, stride=2), 24), "(2,3):(1,8)")
        self.same(cute.right_inverse(cute.make_layout((4, 6), stride=(6, 1))), "(6,4):(4,1)")
        self.same(cute.filter(cute.make_layout((4, 8), stride=(0, 1))), "8:1")

    def test_tilers(self):
        layout = cute.make_layout((9, (4, 8)), stride=(59, (13, 1)))
        tiler = (cute.make_layout(3, stride=3), cute.make_layout((2, 4), stride=(1, 8)))
        self.same(
            cute.logical_divide(layout, tiler),
            "((3,3),((2,4),(2,2))):((177,59),((13,2),(26,1)))",
        )
        plain = cute.make_layout((8, 12), stride=(12, 1))
        self.same(cute.zipped_divide(plain, (4, 3)), "((4,3),(2,4)):((12,1),(48,3))")
        self.same(cute.composition(plain, (None, 3)), "(8,3):(12,1)")
        # Each element is in one tile, also where a tile ends inside a mode.
        columns = cute.make_layout((6, 4))
        self.same(cute.zipped_divide(columns, cute.make_layout(8)), "(8,3):(1,8)")
        self.same(cute.tiled_divide(cute.make_layout((6, 6)), 4), "(4,9):(1,4)")
        nested = cute.make_layout(((6, 4), (2, 3)))
        self.same(cute.flat_divide(nested, (8, 2)), "(8,2,3,3):(1,24,8,48)")
        self.same(cute.logical_divide(nested, (8, None)), "((8,3),(2,3)):((1,8),(24,48))")
        self.same(cute.logical_divide(nested, (None, 4)), "((6,4),(4,2)):((1,6),(24,96))")
        self.same(cute.slice_(cute.make_layout((4, 4)), (1, None)), "(4):(4)")
        self.same(
            cute.make_layout_tv(
                cute.make_ordered_layout((4, 32), order=(1, 0)),
                cute.make_ordered_layout((4, 4), order=(1, 0)),
            ),
            "((16, 128), ((32,4),(4,4)):((64,4),(16,1)))",
        )



class Ops(unittest.TestCase):
    """Ops that only compute have functions from their declarations alone."""

    def test_tuples_and_layouts(self):
        layout = cute.make_layout((4, 8), stride=(8, 1))
        self.assertEqual(cute.get_leaves((1, (2, 3))), (1, 2, 3))
        self.assertEqual(cute.layout_eval((1, 2), layout), 10)
        self.assertEqual(cute.replace((1, 2, 3), 7, index=1), (1, 7, 3))
        self.assertEqual(str(cute.concatenate(layout, cute.make_layout(2))),
                         "((4,8),2):((8,1),1)")
        self.assertEqual(str(cute.get_layouts_from_tile((cute.make_layout(4), None))), "4:1")

    def test_known_at_run_time(self):
        found = []

        @cute.jit
        def program(n: cute.Int32):
            found.append(str(cute.tuple_add((n, 2), (3, 4))[1]))
            found.append(str(cute.concatenate(cute.make_layout(n), cute.make_layout(2))))

        program(5)
        self.assertEqual(found, ["6", "(?,2):(1,1)"])

    def test_errors(self):
        with self.assertRaisesRegex(cute.CompileError, "must be layout, not"):
            cute.concatenate(4)
        with self.assertRaisesRegex(cute.CompileError, "expected 1 operand, found 0"):
            cute.get_leaves()
        self.assertFalse(hasattr(cute, "copy_atom_call_of_nothing"))


class Errors(unittest.TestCase):
    def test_laws_of_the_algebra(self):
        with self.assertRaisesRegex(cute.CompileError, "stride 6 is at least the extent 4"):
            cute.composition(
                cute.make_layout((4, 8), stride=(8, 1)), cute.make_layout((6, 6), stride=(6, 1))
            )
        with self.assertRaises(cute.CompileError):
            cute.make_layout((4, 8), stride=(1, (2, 3)))

    def test_arguments(self):
        layout = cute.make_layout((4, 8))
        for call, error in [
            (lambda: cute.size(layout, mode=["0"]), ValueError),
            (lambda: cute.get(layout, mode=[2]), ValueError),
            (lambda: cute.get(layout, mode=["0"]), TypeError),
            (lambda: cute.select((1, 2), mode=[2]), ValueError),
            (lambda: cute.select(3.5, mode=[0]), TypeError),
            (lambda: cute.append(layout, layout, up_to_rank=1), ValueError),
            (lambda: cute.product("4"), TypeError),
            (lambda: cute.product_like((2, 3), (1, 1, 1)), ValueError),
            (lambda: cute.filter_zeros((2, 3)), TypeError),
            (lambda: cute.make_layout((4, 2.5)), TypeError),
            (lambda: cute.make_layout((4, True)), TypeError),
            (lambda: cute.make_composed_layout(3, 0, layout), TypeError),
            (lambda: cute.is_static("x"), TypeError),
            (lambda: layout[2], IndexError),
        ]:
            with self.assertRaises(error):
                call()

    def test_pictures(self):
        layout = cute.make_layout((4, 8), stride=(8, 1))
        self.assertTrue(layout._repr_svg_().startswith("<svg"))
        self.assertIn("S&lt;3,3,3>", cute.make_swizzle(3, 3, 3)._repr_svg_().replace("&gt;", ">"))
        self.assertIsNone(cute.make_layout((400, 400))._repr_svg_())
        with tempfile.TemporaryDirectory() as folder:
            for name, begin in (("a.svg", "<svg"), ("a.html", "<!"),
                                ("a.txt", "(4,8):(8,1)")):
                path = cute.show(layout, file=os.path.join(folder, name))
                with open(path, encoding="utf-8") as file:
                    self.assertTrue(file.read().startswith(begin), name)
            path = os.path.join(folder, "tile.svg")
            cute.show("((4,8),(2,2)):((32,1),(16,8))", tile=(16, 8), file=path)
        with self.assertRaisesRegex(ValueError, "a picture ends with .txt, .svg"):
            cute.show(layout, file="a.png")
        with self.assertRaisesRegex(ValueError, "neither a variable nor an atom"):
            cute.show("nothing", file="a.svg")


if __name__ == "__main__":
    unittest.main()
