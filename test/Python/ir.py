# RUN: %python %s
"""Operations on the compiler's library, without the rest of the package."""
import threading
import unittest

from cute import _bridge
from cute._compile import ir as _ir
from cute._device.arch import Arch
from cute._compile.diagnostics import CompileError, DSLRuntimeError
from cute.utils.hardware_info import get_smem_capacity_in_bytes

LAYOUT = '!cute.layout<"(4,8):(8,1)">'


def new_trace():
    return _ir.Trace(_bridge.Module(_ir.context(), _ir.location()))


class Static(unittest.TestCase):
    def test_static_operands_make_no_op(self):
        layout = _ir.type(LAYOUT)
        self.assertEqual(
            _ir.text_of(_ir.apply("composition", layout, layout)),
            '!cute.layout<"(4,(4,2)):(2,(8,1))">',
        )
        self.assertEqual(
            _ir.text_of(_ir.apply("size", layout, mode=[1])), '!cute.int_tuple<"8">'
        )

    def test_types_are_interned(self):
        self.assertEqual(_ir.type(LAYOUT), _ir.type(LAYOUT))
        self.assertEqual(hash(_ir.type(LAYOUT)), hash(_ir.type(LAYOUT)))
        self.assertNotEqual(_ir.type(LAYOUT), _ir.type("i32"))
        self.assertEqual(_ir.kind_of(_ir.type(LAYOUT)), "layout")
        self.assertEqual(_ir.kind_of(_ir.type("i32")), "foreign")
        static = [_ir.is_static(_ir.type(t)) for t in ("i32", "!cute.layout<\"4:1\">", "!cute.layout<\"?:1\">")]
        self.assertEqual(static, [False, True, False])

    def test_types_of_another_thread(self):
        made = []
        thread = threading.Thread(target=lambda: made.append(_ir.type(LAYOUT)))
        thread.start()
        thread.join()
        result = _ir.apply("coalesce", made[0])
        self.assertEqual(_ir.text_of(result), '!cute.layout<"(4,8):(8,1)">')
        self.assertIs(result.context, _ir.context())

    def test_dynamic_results_need_a_trace(self):
        shape = _ir.type('!cute.shape<"(?,4)">')
        with self.assertRaisesRegex(DSLRuntimeError, "cute.size .* run time only"):
            _ir.apply("size", shape)


class Errors(unittest.TestCase):
    def test_an_error_is_at_the_line_of_the_user(self):
        layout = _ir.type('!cute.layout<"(6,6):(6,1)">')
        with self.assertRaises(CompileError) as caught:
            _ir.apply("composition", _ir.type(LAYOUT), layout)
        text = str(caught.exception)
        self.assertIn(__file__, text)
        self.assertIn("error: 'cute.composition' op composition: stride 6", text)
        source, caret = text.splitlines()[1:]
        self.assertEqual(source[caret.index("^") :][:9], "_ir.apply")

    def test_ops_that_do_not_exist(self):
        with self.assertRaisesRegex(CompileError, "'cute.nothing' op does not exist"):
            _ir.apply("nothing", _ir.type(LAYOUT))

    def test_text_that_is_no_type(self):
        with self.assertRaises(CompileError):
            _ir.type("!cute.layout<4")
        with self.assertRaises(TypeError):
            _ir.attribute(object())
        with self.assertRaises(CompileError):
            _ir.parsed("array<i32: x>")

    def test_handles_of_the_wrong_kind(self):
        with self.assertRaisesRegex(TypeError, "was expected"):
            _ir.context().type_attribute(_ir.location())
        with self.assertRaises(IndexError):
            new_trace().module.operation.block(3)


class Tracing(unittest.TestCase):
    def test_operations_in_regions(self):
        trace = new_trace()
        with _ir.tracing(trace):
            five = trace.constant("i32", 5)
            shape = _ir.type('!cute.shape<"(?,4)">')
            shape = _ir.apply("make_shape", five, results=[shape])
            count = _ir.apply("size", shape)
            self.assertEqual(_ir.text_of(count.type), '!cute.int_tuple<"?">')
            region = trace.region()
            with trace.inside(region):
                trace.op("arith.addi", [five, five], ["i32"])
                trace.op("scf.yield")
            self.assertFalse(trace.is_speculatable(region))
            true = trace.constant("i1", 1)
            other = trace.region()
            with trace.inside(other):
                trace.op("scf.yield")
            trace.op("scf.if", [true], regions=[region, other])
            pure = trace.region()
            with trace.inside(pure):
                trace.op("arith.muli", [five, five], ["i32"])
            self.assertTrue(trace.is_speculatable(pure))
            trace.inline(pure)
        trace.module.verify()
        text = str(trace.module)
        self.assertLess(text.index("scf.if"), text.index("arith.muli"))
        self.assertLess(text.index("arith.addi"), text.index("arith.muli"))

    def test_constants(self):
        trace = new_trace()
        with _ir.tracing(trace):
            for type, value, text in [
                ("i64", (1 << 64) - 1, "-1"),
                ("i8", 200, "-56"),
                ("f16", 0.5, "5.000000e-01"),
                ("f32", 2, "2.000000e+00"),
                ("i1", 1, "true"),
                ("vector<4xi32>", 7, "dense<7>"),
                ("vector<2xbf16>", 1.5, "dense<1.500000e+00>"),
            ]:
                value = trace.constant(type, value)
                self.assertEqual(trace.type_of(value), type)
                self.assertIn(text, str(trace.block.last))
        trace.module.verify()

    def test_values_keep_their_module(self):
        trace = new_trace()
        with _ir.tracing(trace):
            value = trace.constant("i32", 1)
        del trace
        self.assertEqual(_ir.text_of(value.type), "i32")
        other = new_trace()
        with _ir.tracing(other):
            with self.assertRaisesRegex(ValueError, "value of another function"):
                other.op("arith.addi", [value, value], ["i32"])

    def test_a_module_that_does_not_verify(self):
        trace = new_trace()
        with _ir.tracing(trace):
            value = trace.constant("i32", 1)
            trace.op("arith.addi", [value, value], ["i64"])
        with self.assertRaises(_bridge.Error):
            trace.module.verify()


class Architectures(unittest.TestCase):
    """There is one list, the library's."""

    def test_all(self):
        rows = _bridge.architectures()
        self.assertIn(("sm_90a", 227), [(row["name"], row["shared_kib"]) for row in rows])
        for row in rows:
            name, number, suffix = row["name"], row["number"], row["suffix"]
            self.assertEqual(get_smem_capacity_in_bytes(name), row["shared_kib"] * 1024)
            if number >= 80:
                arch = Arch.from_string(name)
                self.assertEqual((arch.major * 10 + arch.minor, arch.suffix), (number, suffix))
        self.assertEqual(Arch.sm_110f.value, (11, 0, "f"))
        self.assertLess(Arch.sm_89, Arch.sm_90)
        with self.assertRaisesRegex(ValueError, "unknown architecture 'sm_1': one of sm_70"):
            get_smem_capacity_in_bytes("sm_1")


class Speculation(unittest.TestCase):
    def test_ops(self):
        """What may run where its results are not used."""
        for name in ("cute.size", "cute.composition", "arith.addi", "math.exp"):
            self.assertTrue(_ir._is_speculatable(name), name)
        for name in ("cute.load", "cute.assert", "cute.warp_reduce", "cute.block_reduce",
                     "cute.update_tensor_map", "cute.copy", "arith.divsi", "scf.while",
                     "cute.no_such_op"):
            self.assertFalse(_ir._is_speculatable(name), name)


if __name__ == "__main__":
    unittest.main()
