# REQUIRES: torch, full
# RUN: env CUTE_DEVICE=sim %python %s
# RUN: env CUTE_DEVICE=sim CUTE_SIM=schedule=3 %python %s
"""The rotary embedding on the simulator, beside float64."""

import unittest
import warnings

import torch

from cute.kernels import rope

# Batch, heads, rows, d and elements that are rotated: whole vectors, more and fewer pairs than
# threads, an odd number of heads, and single elements.
SHAPES = [(2, 3, 5, 64, 64), (1, 4, 3, 128, 64), (1, 32, 2, 128, 128), (2, 3, 4, 80, 80),
          (1, 5, 2, 10, 6)]


def rotated(x, cos, sin, positions, interleaved, sign=1):
    """The embedding in float64."""
    x, r = x.double().clone(), 2 * cos.shape[1]
    c, s = cos.double()[positions][:, None], sign * sin.double()[positions][:, None]
    first, second = ((slice(0, r, 2), slice(1, r, 2)) if interleaved
                     else (slice(0, r // 2), slice(r // 2, r)))
    a, b = x[..., first].clone(), x[..., second].clone()
    x[..., first], x[..., second] = a * c - b * s, b * c + a * s
    return x


class Rope(unittest.TestCase):
    def setUp(self):
        torch.manual_seed(1)

    def make(self, shape, r, dtype, table=torch.float32):
        angles = 6 * torch.rand(11, r // 2)
        return (torch.randn(shape).to(dtype), angles.cos().to(table), angles.sin().to(table),
                torch.randint(0, 11, (shape[0], shape[2])))

    def near(self, got, wanted):
        error = (got - wanted).abs() / (wanted.abs() + 0.1)
        self.assertLess(error.max().item(), 0.6 * torch.finfo(got.dtype).eps + 3e-6)

    def check(self, dtype, table, shapes):
        for *shape, r in shapes:
            x, cos, sin, positions = self.make(shape, r, dtype, table)
            rows = torch.arange(shape[2]).expand(positions.shape)
            for interleaved in (False, True):
                with self.subTest(shape=shape, interleaved=interleaved):
                    got = rope(x, cos, sin, positions, interleaved=interleaved)
                    self.near(got, rotated(x, cos, sin, positions, interleaved))
                    # Back, by the rows' numbers, with heads inside of rows.
                    y = x.transpose(1, 2).contiguous().transpose(1, 2)
                    got = rope(y, cos, sin, interleaved=interleaved, inverse=True, out=y)
                    self.assertIs(got, y)
                    self.near(y, rotated(x, cos, sin, rows, interleaved, -1))

    def test_f16(self):
        self.check(torch.float16, torch.float32, SHAPES)

    def test_types(self):
        self.check(torch.bfloat16, torch.bfloat16, SHAPES[1:2])
        self.check(torch.float32, torch.float32, SHAPES[-2:])

    def test_cache(self):
        """Rows go to their slots; others, also of a larger tensor, stay as they are."""
        for shape in ((2, 3, 5, 64), (2, 3, 5, 10)):
            x, cos, sin, positions = self.make(shape, shape[3], torch.float16)
            slots = torch.randperm(28)[:10].view(2, 5)
            slots[0, 0], slots[1, 1] = -1, 28
            whole = torch.full((7, 4, 4, shape[3]), 77.0).half()
            for cache in (whole[:, 1:], whole.clone().transpose(1, 2)[:, 1:]):
                got = rope(x, cos, sin, positions, cache=cache, slots=slots)
                self.assertIs(got, cache)
                wanted = torch.full((28, 3, shape[3]), 77.0).double()
                of_rows = rotated(x, cos, sin, positions, False).transpose(1, 2)
                is_there = (slots >= 0) & (slots < 28)
                wanted[slots[is_there]] = of_rows[is_there]
                self.near(cache.transpose(1, 2).reshape(wanted.shape), wanted)
            self.assertEqual(whole[:, 0].unique().tolist(), [77])

    def test_no_position(self):
        """A row with a position that the tables lack is NaN."""
        x, cos, sin, positions = self.make((1, 2, 4, 16), 16, torch.float32)
        positions[0] = torch.tensor([3, -1, 11, 10])
        is_nan = rope(x, cos, sin, positions).isnan()
        self.assertEqual(is_nan.all(-1).all(1).tolist(), [[False, True, True, False]])
        self.assertFalse(is_nan[:, :, ::3].any())

    def test_nothing(self):
        x, cos, sin, positions = self.make((1, 2, 0, 16), 16, torch.float32)
        self.assertEqual(rope(x, cos, sin).shape, x.shape)
        cache = torch.ones(4, 2, 1, 16)
        rope(x, cos, sin, positions, cache=cache, slots=positions)
        self.assertEqual(cache.unique().tolist(), [1])

    def test_rejected(self):
        x, cos, sin, positions = self.make((2, 3, 4, 16), 16, torch.float16)
        cache = torch.zeros(2, 3, 4, 16).half()
        for kind, text, given in (
            (ValueError, r"x is \(batch, head, row, d\), not \(3, 4, 16\)", {"x": x[0]}),
            (TypeError, "x is of f16, bf16, f32, not torch.int8", {"x": x.to(torch.int8)}),
            (ValueError, r"up to 8 pairs, not \(11, 9\)", {"cos": torch.zeros(11, 9)}),
            (ValueError, r"sin is like cos, not \(11, 4\)", {"sin": sin[:, :4]}),
            (TypeError, "of float32 or of torch.float16, not torch.float64",
             {"cos": cos.double(), "sin": sin.double()}),
            (ValueError, r"positions is \(2, 4\) of torch.int64, not \(2, 4\) of torch.int32",
             {"positions": positions.int()}),
            (ValueError, "cos has 3 positions, x 4 rows",
             {"cos": cos[:3], "sin": sin[:3], "positions": None}),
            (ValueError, "x: its last mode is contiguous", {"x": x.transpose(2, 3).contiguous()
                                                            .transpose(2, 3)}),
            (ValueError, r"out is \(2, 3, 4, 16\), not \(2, 3, 4, 8\)", {"out": x[..., :8]}),
            (ValueError, "out is of torch.float16, not torch.float32", {"out": x.float()}),
            (ValueError, "cache and slots go together", {"cache": cache}),
            (ValueError, "out or cache, not both", {"cache": cache, "slots": positions, "out": x}),
            (ValueError, "have positions", {"cache": cache, "slots": positions,
                                            "positions": None}),
            (ValueError, r"cache is \(page, 3, slot, 16\), not \(2, 2, 4, 16\)",
             {"cache": cache[:, :2], "slots": positions}),
        ):
            arguments = {"x": x, "cos": cos, "sin": sin, "positions": positions, **given}
            with self.assertRaisesRegex(kind, text):
                rope(**arguments)


@unittest.skipUnless(hasattr(torch.library, "custom_op"), "torch before 2.4")
class Operators(unittest.TestCase):
    def test_as_torch_has_them(self):
        from cute.kernels import torch_ops  # pylint: disable=unused-import

        checks = ("test_schema", "test_autograd_registration", "test_faketensor",
                  "test_aot_dispatch_static")
        operators, angles = torch.ops.cute, torch.rand(8, 4)
        x, tables = torch.randn(2, 3, 4, 8), (angles.cos(), angles.sin())
        positions = torch.randint(0, 7, (2, 4))
        x.requires_grad_()
        torch.library.opcheck(operators.rope.default, (x, *tables), test_utils=checks)
        torch.library.opcheck(operators.rope.default, (x, *tables, positions, True),
                              test_utils=checks)
        torch.library.opcheck(
            operators.rope_to_cache.default,
            (x.detach(), *tables, positions, torch.zeros(2, 3, 4, 8), torch.arange(8).view(2, 4)),
            test_utils=checks)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # float32
            x = torch.randn(1, 2, 2, 8, requires_grad=True)
            for function in (
                lambda x: operators.rope(x, *tables, positions[:1, :2]),
                lambda x: operators.rope(x.transpose(2, 3), tables[0][:, :1], tables[1][:, :1],
                                         None, True, True).transpose(2, 3),
            ):
                torch.autograd.gradcheck(function, x, eps=1e-2, atol=1e-3, rtol=1e-2)


unittest.main()
