# RUN: %python %s
"""Python's objects in dynamic branches and loops: handed on as Python would, or refused."""

import collections
import dataclasses
import unittest

from control_flow import agree, refused, trace

from cute._frontend.control import range_constexpr
from cute.dsl import Int32


class Bag:
    """A class of which the package knows nothing."""

    def __init__(self, count=0):
        self.count, self.items = count, [0]

    def bump(self):
        self.count = self.count + 1

    def fill(self):
        self.items[0] = 7


class Slots:
    __slots__ = ("count",)


class Objects(unittest.TestCase):
    def test_nested_functions_change_objects_outside(self):
        def program(x):
            items, bag = [0], Bag()

            def bump(by):
                items[0] += by
                bag.count += 1

            def twice():
                bump(1)
                bump(2)

            for i in range(x):
                twice()
            if x > 3:
                bump(100)
            return items[0], bag.count

        agree(program, (Int32,), (0,), (3,), (5,))

    def test_changes_that_happen_once_are_refused(self):
        def method(x):
            bag = Bag()
            if x > 3:
                bag.bump()
            return bag.count

        def method_in_a_loop(x):
            bag = Bag()
            for _ in range(x):
                bag.bump()
            return bag.count

        def method_in_while(x):
            bag = Bag()
            while x > 0:
                bag.bump()
                x = x - 1
            return bag.count

        def held(x):
            bag = Bag()
            if x > 3:
                bag.fill()
            return bag.items[0]

        def slot(x):
            slots = Slots()
            slots.count = 0
            if x > 3:
                slots.count = 1
            return slots.count

        def choice(x):
            bag = Bag()
            return (bag.bump() or 1 if x > 3 else 2), bag.count

        cases = (method, "bag.count"), (method_in_a_loop, "bag.count"), (held, "bag.items")
        cases += (slot, "slots.count"), (choice, "bag.count"), (method_in_while, "bag.count")
        for program, name in cases:
            with self.subTest(program=program.__name__):
                text = refused(program, Int32)
                self.assertIn(f"'{name}' changes in a", text)
                self.assertIn("Python changes it once, while the program is traced", text)

    def test_sets_iterators_and_generators(self):
        def numbers():
            yield 1
            yield 2

        def added(x):
            seen = set()
            for i in range(x):
                seen.add(len(seen))
            return len(seen)

        def queued(x):
            queue = collections.deque()
            if x > 3:
                queue.append(1)
            return len(queue)

        def stepped(x):
            items = iter([1, 2, 3])
            if x > 3:
                next(items)
            return next(items)

        def generated(x):
            items = numbers()
            if x > 3:
                next(items)
            return next(items)

        for program, kind in (
            (added, "set"), (queued, "deque"), (stepped, "list_iterator"), (generated, "generator")
        ):
            with self.subTest(program=program.__name__):
                self.assertIn(f"a {kind}, changes in a", refused(program, Int32))

    def test_what_does_not_change_is_right(self):
        def program(x):
            bag, seen, items = Bag(2), {1, 2}, iter([1, 2])
            first = next(items)
            if x > 3:
                x = x + bag.count + len(seen)
            for _ in range_constexpr(2):
                bag.bump()
            for _ in range(x):
                x = x + bag.items[0]
            return x + first, bag.count

        agree(program, (Int32,), (1,), (5,))

    def test_methods_of_dataclasses_change_them(self):
        def program(x):
            counter = Counter(0)
            if x > 3:
                counter.bump()
            for _ in range(x):
                counter.bump()
            return counter.count

        agree(program, (Int32,), (1,), (5,))


    def test_dataclasses_with_slots_and_with_more_attributes(self):
        def slots(x):
            counter = SlotCounter(Int32(0))
            for _ in range(x):
                counter.bump()
            if x > 3:
                counter.bump()
            return counter.count

        def more(x):
            counter = Counter(0)
            counter.steps = Int32(0)
            for _ in range(x):
                counter.step()
            return counter.steps

        for program in (slots, more):
            emulator, (x,), (value,) = trace(program, Int32)
            for n in (0, 1, 5):
                expected = n + (program is slots and n > 3)
                self.assertEqual(emulator.run([value], {x: n}), [expected])

    def test_numbers_of_python_that_a_method_changes(self):
        def program(x):
            counter = Counter(0)
            for _ in range(x):
                counter.bump()
            return counter.count

        text = "from 0 to 1; let it begin as Int32(0), which a loop can change"
        self.assertIn(text, refused(program, Int32))

    def test_objects_made_anew_are_refused_with_advice(self):
        def branch(x):
            bag = Bag(x)
            if x > 3:
                bag = Bag(x + 1)
            return bag.count

        def loop(x):
            bag = Bag(x)
            for _ in range(x):
                bag = Bag(bag.count + 1)
            return bag.count

        self.assertIn("another object of Bag in the other; make Bag a dataclass", refused(branch, Int32))
        self.assertIn("to another object of Bag; make Bag a dataclass", refused(loop, Int32))


@dataclasses.dataclass
class Counter:
    count: object

    def bump(self):
        self.count = self.count + 1

    def step(self):
        self.steps = self.steps + 1


@dataclasses.dataclass(slots=True)
class SlotCounter:
    count: object

    def bump(self):
        self.count = self.count + 1


if __name__ == "__main__":
    unittest.main()
