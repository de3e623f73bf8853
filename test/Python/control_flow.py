# REQUIRES: full
# RUN: %python %s
"""Rewritten functions against Python: random programs, and what is refused."""

import dataclasses
import os
import random
import traceback
import unittest
from typing import NamedTuple

from emulator import Emulator, Value
from random_programs import Programs, compiled

import cute._frontend.builder as _builder
from cute._frontend import control as _control
from cute._frontend.errors import ProgramError
from cute._values.numeric import Boolean, Float32, Int32, Int64
from cute._frontend.rewrite import rewrite
from cute._frontend.tree import flatten, new_from_mlir_values

_const_expr, _range = _control.const_expr, _control.LoopRange


def trace(function, *types):
    """Returns the emulator, the inputs' values and what the function returns."""
    emulator = Emulator()
    inputs = [Value(t.ir_name) for t in types]
    with _builder.use(emulator):
        result = rewrite(function)(*(t(v) for t, v in zip(types, inputs)))
        leaves, spec = flatten(result)
        values = [x.ir_value() if hasattr(x, "ir_value") else x for x in leaves]
    return emulator, inputs, values


def agree(function, types, *calls):
    """Checks that a function gives the same numbers when it is dynamic."""
    emulator, inputs, values = trace(function, *types)
    for call in calls:
        expected = flatten(function(*call))[0]
        env = dict(zip(inputs, call))
        dynamic = [v for v in values if isinstance(v, Value)]
        got = iter(emulator.run(dynamic, env))
        assert [next(got) if isinstance(v, Value) else v for v in values] == expected
    return emulator


class Point(NamedTuple):
    x: object
    y: object


@dataclasses.dataclass
class Counter:
    value: object
    step: int = 2

    def advance(self):
        self.value = self.value + self.step


class State:
    """A user's class that says how it is flattened."""

    def __init__(self, index, phase):
        self.index, self.phase = index, phase

    def advance(self):
        self.index = self.index + 1
        self.phase = self.phase ^ 1

    def __extract_mlir_values__(self):
        return [self.index.ir_value(), self.phase.ir_value()]

    def __new_from_mlir_values__(self, values):
        return State(Int32(values[0]), Int32(values[1]))


def refused(program, *types):
    """Returns the error of a program."""
    try:
        trace(program, *types)
    except ProgramError as error:
        return str(error)
    raise AssertionError(f"{program} is not refused")


class ControlFlow(unittest.TestCase):
    def test_random_programs_agree_with_python(self):
        for seed in range(int(os.environ.get("CUTE_RANDOM_PROGRAMS", "40"))):
            with self.subTest(seed=seed):
                program = compiled(Programs(seed).source(), f"random {seed}")
                draw = random.Random(seed)
                calls = [[draw.randrange(-20, 20) for _ in "xy"] for _ in range(4)]
                agree(program, (Int32, Int32), *calls)

    def test_members_of_sets_and_dicts(self):
        def program(x):
            return (x in {3, 5}) + 2 * (x not in {3: 1, 7: 2}) + 4 * (x in frozenset())

        agree(program, (Int32,), (3,), (5,), (7,), (1,))

    def test_numbers_are_compared_by_value(self):
        def program(x):
            return 1 if x + 1 is True else 2

        def choice(x):
            return (x > 3) is not True

        assert "; write ==" in refused(program, Int32)
        assert "; write !=" in refused(choice, Int32)

    def test_static_conditions_stay_python(self):
        def program(x):
            if 1 < 2 and not []:
                y = "text"
            else:
                y = x
            for name in ("a", "b"):
                if name == "b":
                    break
                y = y + name
            return len(y), x

        emulator = agree(program, (Int32,), (3,))
        assert not emulator.body.ops

    def test_range_is_a_loop_even_with_static_bounds(self):
        def program(x):
            for _ in range(4):
                x = x * 2
            for _ in _control.range_constexpr(3):
                x = x + 1
            return x

        emulator = agree(program, (Int32,), (3,))
        assert emulator.count("scf.for") == 1 and emulator.count("arith.addi") == 3

    def test_wishes_for_a_loop_become_attributes(self):
        def program(x, n):
            for _ in _range(8, unroll_full=True):
                x += 1
            for _ in _range(n, unroll=4):
                x += 1
            for _ in range(n):
                x += 1
            return x

        emulator, *_ = trace(program, Int32, Int32)
        loops = [op.attributes for op in emulator.body.ops if op.name == "scf.for"]
        assert loops == [{"cute.unroll": '"full"'}, {"cute.unroll": "4 : i32"}, {}]

    def test_continue_and_early_return_under_static_conditions(self):
        def program(x, n):
            for i in range(n):
                if _const_expr(True):
                    x += i
                    continue
                x = "never"
            if _const_expr(x is not None):
                return x
            return "never"

        agree(program, (Int32, Int32), (3, 5), (1, 0))

    def test_second_operand_runs_only_if_asked(self):
        def program(x):
            y = 0
            if x != 0 and 12 // x > 3:
                y = 1
            return y, x == 0 or 12 // x == 4, 7 // x if x > 0 else -1

        emulator = agree(program, (Int32,), (0,), (3,), (4,))
        assert emulator.count("scf.if") == 4

    def test_cheap_choices_have_no_branches(self):
        def program(x, y):
            return x + 1 if x < y else y * 2, 0 < x < y and y < 9

        emulator = agree(program, (Int32, Int32), (3, 4), (4, 3), (8, 9))
        assert emulator.count("scf.if") == 0

    def test_trees_go_through_loops_and_branches(self):
        def program(n):
            point, table = Point(n, 1), {"a": n, "b": [n, 0]}
            for i in range(n):
                point = Point(point.y, point.x + i)
                table["b"][1] = table["a"] + i
                if i > 2:
                    table["a"] = i
            return point, table["a"], table["b"]

        agree(program, (Int32,), (0,), (4,), (9,))

    def test_objects_change_in_place_and_for_all_who_hold_them(self):
        def program(n):
            counter = Counter(Int32(0))
            other = counter
            for i in range(n):
                if i != 2:
                    counter.advance()
            return other.value

        emulator, (n,), (value,) = trace(program, Int32)
        assert emulator.run([value], {n: 5}) == [8]

    def test_classes_of_users_are_carried(self):
        def program(n):
            state = State(Int32(0), Int32(0))
            while state.index < n:
                state.advance()
            return state.index, state.phase

        emulator, (n,), values = trace(program, Int32)
        assert emulator.run(values, {n: 5}) == [5, 1]
        assert emulator.run(values, {n: -5}) == [0, 0]

    def test_closures_lambdas_methods_and_nested_functions(self):
        bias = 7

        class Machine:
            __gain = 3

            def run(self, x):
                twice = lambda v: v * 2 if v > 4 else v  # noqa: E731

                def inner(v):
                    nonlocal bias
                    if v > bias:
                        v = v - bias
                    return v

                return inner(twice(x)) * self.__gain

        machine = Machine()
        emulator = Emulator()
        x = Value("i32")
        with _builder.use(emulator):
            value = rewrite(Machine.run)(machine, Int32(x)).ir_value()
        for number in (2, 5, 9):
            assert emulator.run([value], {x: number}) == [machine.run(number)]

    def test_python_functions_take_dynamic_numbers(self):
        def program(x, y):
            flags = [x > 2, y > 2]
            return (
                min(x, y, 4),
                max([x, y]),
                any(flags),
                all(flags),
                int(x > y),
                bool(x),
            )

        agree(program, (Int32, Int32), (0, 1), (3, 1), (5, 6))

    def test_order_of_sequences(self):
        def f(a, b):
            pairs = (a, b), (b, 2)
            return ((a, 3) < (b, 4), (a, b) <= (1, 2), [a, b] > [b, a], pairs >= ((1, 2), (2, a)),
                    (a,) < (a, b), (a, b) <= (a,), () < (a,), (a, 1) < (b, 2) <= (3, a))

        calls = [(a, b) for a in range(4) for b in range(4)]
        agree(f, (Int32, Int32), *calls)

    def test_membership(self):
        def program(x):
            return x in (1, 2), x not in [3, x + 1], 2 in (1, 2), x in range(2, 4)

        agree(program, (Int32,), (1,), (2,), (3,), (7,))

    def test_attributes_of_plain_objects(self):
        class Plain:
            pass

        def program(x):
            plain = Plain()
            plain.inner, plain.count = Plain(), 5
            plain.inner.total = 0
            for i in range(x):
                plain.inner.total += i
                plain.item = i
            if x > 2:
                plain.count = x
            return plain.count, plain.inner.total

        agree(program, (Int32,), (0,), (2,), (5,))

        def later(x):
            plain = Plain()
            for i in range(x):
                plain.item = i
            return plain.item + 1

        assert "'plain.item' has a value only in the dynamic loop" in refused(
            later, Int32
        )

    def test_comprehensions_over_static_items(self):
        def program(x):
            return [x + i if x > i else i for i in range(3) if i != 1]

        agree(program, (Int32,), (0,), (5,))

    def test_numbers_are_promoted_where_branches_meet(self):
        def program(x):
            y, flag = 1, False
            if x > 0:
                y, flag = 2.5, True
            return y, flag

        agree(program, (Int32,), (1,), (-1,))

    def test_assertions_run_with_the_program(self):
        def program(x):
            assert 1 < 2, "never"
            assert x > 3, "x is small"
            return x

        emulator, (x,), values = trace(program, Int32)
        emulator.run(values, {x: 4})
        assert not emulator.failed
        emulator.run(values, {x: 3})
        assert emulator.failed == ['"x is small"']

    def test_variable_of_one_branch(self):
        def program(x):
            if x > 0:
                y = 1
            return y + x

        text = refused(program, Int32)
        assert "'y' has a value in only the 'if' branch of the dynamic if" in text
        assert "assign it before the if, or in both branches" in text

    def test_variable_of_a_loop(self):
        def program(x):
            for i in range(x):
                y = i
            return y + 1

        assert "'y' has a value only in the dynamic loop" in refused(program, Int32)

    def test_type_change_in_a_loop(self):
        def program(x):
            y = 0
            for i in range(x):
                y = y + 0.5
            return y

        text = refused(program, Int32)
        assert "'y' changes in a dynamic for from Int32 to Float32" in text
        assert "y = Float32(...)" in text
        assert "for i in range(x):\n            ^" in text

    def test_structure_change_in_a_loop(self):
        def program(x):
            items = [x]
            for i in range(x):
                items.append(i)
            return items

        assert "from a list of 1 to a list of 2" in refused(program, Int32)

    def test_different_kinds_in_branches(self):
        def program(x):
            y = None
            if x > 0:
                y = x
            return y

        text = refused(program, Int32)
        assert (
            "'y' is Int32 in one branch of a dynamic if and None in the other" in text
        )

    def test_jumps_under_dynamic_conditions(self):
        for jump in ("return x", "break", "continue"):
            with self.subTest(jump=jump):
                self.check_jump(jump)

    def check_jump(self, jump):
        source = f"def program(x):\n    for i in range(4):\n        if x > 1:\n            {jump}\n    return x\n"
        text = refused(compiled(source, f"jump {jump}"), Int32)
        assert (
            f"'{jump.split()[0]}' is under a condition that is known only" in text
        )
        assert ":3:" in text

    def test_break_in_a_dynamic_loop(self):
        def program(x):
            for i in range(x):
                if 1 < 2:
                    break
            return x

        assert "'break' is in a loop whose bounds are known only" in refused(
            program, Int32
        )

    def test_static_places_refuse_dynamic_values(self):
        def condition(x):
            return _const_expr(x > 1)

        def bounds(x):
            return [i for i in range(x)]

        def unrolled(x):
            for _ in _control.range_constexpr(x):
                pass

        assert "leave const_expr out" in refused(condition, Int32)
        assert "cutlass.range_constexpr" in refused(bounds, Int32)
        assert "use range or cutlass.range" in refused(unrolled, Int32)

    def test_error_points_at_the_users_line(self):
        def program(x):
            y = x
            return y.missing

        try:
            trace(program, Int32)
        except AttributeError as error:
            last = traceback.extract_tb(error.__traceback__)[-1]
        assert last.filename == __file__
        assert last.line == "return y.missing"

    def test_tree_of_other_values(self):
        emulator = Emulator()
        with _builder.use(emulator):
            tree = (Int64(3), [Float32(1.0), "static"], Boolean(True))
            values = [Value("i64"), Value("f32"), Value("i1")]
            made = new_from_mlir_values(tree, values)
        assert [made[0].value, made[1][0].value, made[2].value] == values
        assert made[1][1] == "static"
        with self.assertRaises(ValueError):
            with _builder.use(emulator):
                new_from_mlir_values(tree, values + [Value("i1")])

    def test_source_that_is_unknown(self):
        scope = {}
        exec("def program(x):\n    return x\n", scope)
        with self.assertRaisesRegex(ProgramError, "the source of program is not known"):
            rewrite(scope["program"])


if __name__ == "__main__":
    unittest.main()
