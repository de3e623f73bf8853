# RUN: %python %s
"""Python's objects in dynamic branches and loops: handed on as Python would, or refused."""

import array
import collections
import dataclasses
import functools
import io
import itertools
import random
import types
import unittest

from control_flow import agree, refused, trace

from cute import FrontendNext, compile as compile_, jit
from cute._frontend import builder
from cute._frontend.control import range_constexpr
from cute._frontend.errors import ProgramError
from cute._frontend.rewrite import rewrite
from cute.dsl import Int32

SEEN: set[int] = set()
ITEMS = zip([1, 2, 3])


class Bag:
    """A class that the package does not know."""

    def __init__(self, count=0):
        self.count, self.items = count, [0]

    def bump(self):
        self.count = self.count + 1

    def fill(self):
        self.items[0] = 7


@dataclasses.dataclass
class Holder:
    value: object
    step: object


class Slots:
    __slots__ = ("count",)


class Helper:
    """A function that is traced where another one is, as those under @cute.jit are."""

    def __init__(self, function):
        self.function = function

    def __call__(self, *args):
        is_traced = builder.current() is not None
        return (rewrite(self.function) if is_traced else self.function)(*args)


@Helper
def put_nine(items):
    items[0] = 9
    return items


@Helper
def picked(one, other, is_first):
    return one if is_first else other


@Helper
def picked_by_if(one, other, is_first):
    chosen = one
    if not is_first:
        chosen = other
    return chosen


@Helper
def put_part(holder, items, is_wanted):
    holder.step = items if is_wanted else holder.step


@Helper
def grown(one, x):
    for i in range(x):
        one = put_nine(one)
    return one


_TWO_NAMES = "is another object after the dynamic|changes an object by the name"


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

    def test_iterators_of_iterators(self):
        made = {
            "a zip": lambda: zip([1, 1, 1], (2, 2, 2)),
            "a map": lambda: map(abs, [1, 1, 1]),
            "an enumerate": lambda: enumerate([1, 1, 1]),
            "a filter": lambda: filter(None, [1, 1, 1]),
            "a list_reverseiterator": lambda: reversed([1, 1, 1]),
            "a chain": lambda: itertools.chain([1], [1, 1]),
            "a count": itertools.count,
            "a cycle": lambda: itertools.cycle([1]),
            "a generator": lambda: (1 for _ in [1, 1, 1]),
        }
        for kind, make in made.items():
            def branch(x):
                items = make()
                first = next(items)
                if x > 3:
                    next(items)
                return first

            def loop(x):
                items = make()
                for i in range(x):
                    next(items)
                return next(items)

            for program in (branch, loop):
                with self.subTest(kind=kind, program=program.__name__):
                    self.assertIn(f"'items', {kind}, changes in a", refused(program, Int32))

    def test_memory_of_python(self):
        for kind in ("bytearray", "array", "memoryview", "Random", "StringIO", "SimpleNamespace"):
            def program(x):
                held = {
                    "bytearray": bytearray(2), "array": array.array("i", [0, 0]),
                    "memoryview": memoryview(bytearray(2)), "Random": random.Random(1),
                    "StringIO": io.StringIO(), "SimpleNamespace": types.SimpleNamespace(),
                }[kind]
                if x > 3:
                    if kind == "Random":
                        held.random()
                    elif kind == "StringIO":
                        held.write("a")
                    elif kind == "SimpleNamespace":
                        setattr(held, "value", 1)
                    else:
                        held[1] = 7
                return x

            with self.subTest(kind=kind):
                self.assertRegex(refused(program, Int32), f"'held', an? {kind}, changes in a branch")

    def test_objects_with_two_names(self):
        def made_anew(x):
            counter = Counter(x)
            other = counter
            if x > 3:
                counter = Counter(1)
            counter.count = 7
            return other.count

        def list_made_anew(x):
            items = [1, 2]
            holder = (items, x)
            if x > 3:
                items = [*items]
            items[0] = 9
            return holder[0][0]

        def changed_in_a_loop(x):
            items = [x, 2]
            other = items
            for _ in range(3):
                items[0] = items[0] + 1
                if x > 3:
                    items = [5, 5]
            return other[0]

        def choice(x):
            first, other = [x, 1], [2, x]
            chosen = first if x > 3 else other
            first[0] = 7
            return chosen[0]

        def choice_without_a_name(x):
            first, other = [x, 1], [2, x]
            (first if x > 3 else other)[0] = 7
            return first[0], other[0]

        def part_of_a_new_object(x):
            items, pair = [x, 1], Holder(x, [3, 4])
            for _ in range(x):
                pair = Holder(x, items)
            items[0] = 9
            return pair.step[0]

        def element_of_a_list(x):
            items, lists = [x, 1], [[2, 3]]
            for _ in range(x):
                lists[0] = items
            items[0] = 9
            return lists[0][0]

        def both_assigned(x):
            one, other = [x, 1], [2, x]
            if x > 3:
                one = other = [5, x]
            one[0] = 9
            return other[0]

        def by_a_nested_function(x):
            def put(items):
                items[0] = 9

            one, other = [x, 1], [2, x]
            if x > 3:
                one = other
            put(other)
            return one[0]

        def argument(x):
            def change(items, others):
                if x > 3:
                    items = others
                items[0] = 9

            one, other = [x, 1], [2, x]
            change(one, other)
            return one[0], other[0]

        def of_one_iteration(x):
            one, other = [x, 1], [2, x]
            for item in range_constexpr(2):
                other = one if x > item else other
                for part in (one, other):
                    part[0] = part[0] + 1
            return one[0], other[0]

        for program in (made_anew, list_made_anew, changed_in_a_loop, choice, part_of_a_new_object,
                        choice_without_a_name, element_of_a_list, both_assigned, argument,
                        by_a_nested_function, of_one_iteration):
            with self.subTest(program=program.__name__):
                self.assertRegex(refused(program, Int32), _TWO_NAMES)

        def by_a_helper_that_is_no_part_of_it(x):
            one, other = [x, 1], [2, x]
            chosen = one if x > 3 else other
            put_nine(chosen)
            return one[0]

        def in_the_branch_itself(x):
            one = [x, 1]
            other = one
            if x > 3:
                one[0] = 9
                one = [1, 2]
            return other[0], one

        def read_by_another_name_in_the_loop(x):
            one = [x, 1]
            other, total = one, 0
            for i in range(x):
                one = put_nine(one)
                total += other[0]
            return total

        def objects_of_one_iteration_are_the_next_ones(x):
            one, other = [x, 1], [2, x]
            both = [one, [7, x]]
            for i in range(x):
                both[1][1] += 2
                both = [one, other]
            return other[1]

        def objects_of_later_iterations(x):
            one, other = [x, 1], [2, x]
            holder = Holder(x, [3, x])
            for i in range(x):
                if i > 1:
                    one = holder.step
                one[0] = i
                holder = Holder(1, other)
            return other[0]

        def after_the_loop(x):
            one, other = [x, 1], [2, x]
            chosen = one
            for i in range(x):
                chosen = other
            put_nine(chosen)
            return other[0]

        def returned(x):
            one, other = [x, 1], [2, x]
            chosen = picked(one, other, x > 3)
            chosen[0] = 9
            return one[0]

        def returned_after_an_if(x):
            one, other = [x, 1], [2, x]
            chosen = picked_by_if(one, other, x > 3)
            other[0] = 9
            return chosen[0]

        def in_a_comprehension(x):
            one, other = [x, 1], [2, x]
            chosen = [one if x > limit else other for limit in (3, 4)]
            chosen[0][0] = 9
            return one[0]

        def put_into_an_argument(x):
            one, holder = [x, 1], Holder(x, [2, x])
            put_part(holder, one, x > 3)
            holder.step[0] = 9
            return one[0]

        for program in (by_a_helper_that_is_no_part_of_it, in_the_branch_itself,
                        read_by_another_name_in_the_loop, after_the_loop, returned,
                        objects_of_later_iterations, in_a_comprehension,
                        objects_of_one_iteration_are_the_next_ones, returned_after_an_if,
                        put_into_an_argument):
            with self.subTest(program=program.__name__):
                self.assertRegex(refused(program, Int32), _TWO_NAMES)
        self.assertIn("but 'one' of 'returned' leads to", refused(returned, Int32))

        def only_read(x):
            items, others = [x, 2], [3, x]
            chosen = items
            if x > 3:
                chosen = others
            return chosen[0] + items[1] + others[1]

        def not_needed_later(x):
            one, other = [x, 1], [2, x]
            chosen = picked(one, other, x > 3)
            chosen[0] = 9
            return chosen

        def one_object(x):
            one = [x, 1]
            chosen = picked(one, one, x > 3)
            chosen[0] = 9
            return one

        def kept_by_a_helper(x):
            one = [x, 1]
            grown(one, x)
            return one

        for program in (only_read, not_needed_later, one_object, kept_by_a_helper):
            agree(program, (Int32,), (1,), (5,))

    def test_conditions_that_change_an_object(self):
        def program(x):
            bag, i = Bag(x), 0

            def counted():
                bag.count = bag.count + 3
                return bag.count

            while i < counted() % 4 or i < 2:
                i += 1
                bag.count = i
            return bag.count, i

        agree(program, (Int32,), (1,), (5,), (6,))

    def test_calls_in_branches(self):
        """A function that is called in a branch, and changes one of two objects in a branch or
        loop of its own: the caller's variables count, whether or not its branch reads them."""
        def change(one, other, n, by):
            chosen = one if n > 2 else other
            chosen.value = chosen.value + by

        @Helper
        def in_branch(one, other, n, by):
            if by > 0:
                chosen = one if n > 2 else other
                chosen.value = chosen.value + by

        @Helper
        def by_a_call(one, other, n, by):
            if by > 0:
                Helper(change)(one, other, n, by)

        @Helper
        def in_loop(one, other, n, by):
            for i in range(by):
                chosen = one if n > 2 else other
                chosen.value = chosen.value + by

        for helper in (in_branch, by_a_call, in_loop):
            def both_needed(x, y):
                p, q = Holder(1, 2), Holder(3, 4)
                if x > 1:
                    helper(p, q, x, y)
                return p.value, q.value

            def none_needed(x, y):
                p, q = Holder(1, 2), Holder(3, 4)
                if x > 1:
                    helper(p, q, x, y)
                return x

            self.assertRegex(refused(both_needed, Int32, Int32), _TWO_NAMES)
            if helper is not in_loop:
                agree(none_needed, (Int32, Int32), (1, 1), (3, 1))

    def test_choices_that_change_an_object(self):
        """The sides of a choice, and operands of ``and`` and ``or``, change objects as branches do."""
        def sides(x):
            items, pair = [x, 1], Holder(x, 2)
            a = put_nine(items)[1] if x > 2 else pair.value
            b = items.append(4) if False else len(items)
            c = (put_nine(items)[0] + items[0] if x > 5 else items[1]) + items[0]
            return a, b, c, items, pair

        def operands(x):
            items, others = [x, 0], [x, 5]
            a = x > 1 and put_nine(items)[0] > 3 or put_nine(others)[1] > 4
            return a, items, others

        def changed_again(x):
            pair = Holder(Holder(x, 1), 2)
            inner = pair.value

            def bump(by):
                inner.step += by
                return inner.step

            a = bump(3) if x > 2 else (bump(5) if x > 0 else 7)
            inner.step += 1
            return a, pair.value.step, inner.step

        for program in (sides, operands, changed_again):
            agree(program, (Int32,), (-1,), (1,), (2,), (3,), (6,))

        def two_names(x):
            items, other = [x, 1], [x, 2]
            chosen = items if x > 1 else other
            a = put_nine(chosen)[1] if x > 3 else 0
            return a, items, chosen

        def once(x):
            numbers = iter([1, 2, 3])
            items = [x]
            return next(numbers) if x > 1 else put_nine(items)[0]

        def variable(x):
            n, items = 0, [x]

            def count():
                nonlocal n
                n += 1
                return put_nine(items)[0]

            return (count() if x > 1 else 2) + n

        self.assertRegex(refused(two_names, Int32), _TWO_NAMES)
        self.assertIn("changes in a dynamic choice", refused(once, Int32))
        self.assertIn("'n' gets another value in a dynamic choice", refused(variable, Int32))

    def test_objects_of_all_classes_with_frontend_next(self):
        class Stats:
            def __init__(self):
                self.total, self.count, self.name = Int32(0), Int32(0), "stats"

            @jit
            def update(self, x):
                self.total += x
                self.count += Int32(1)

        class Owner:
            def __init__(self):
                self.stats, self.me, self.step = Stats(), self, [Int32(1)]

            @jit
            def run(self, n):
                for i in range(n):
                    if i > 2:
                        self.stats.update(i)
                        self.step[0] += 1
                return self.stats.total + self.stats.count * 100 + self.step[0] * 1000

        @jit
        def program(n: Int32):
            return Owner().run(n)

        self.assertEqual(compile_[FrontendNext](program, Int32(1))(Int32(7)), 5000 + 400 + 18)
        for options in ((), (FrontendNext(False),)):
            with self.assertRaisesRegex(ProgramError, "changes in a .*make Stats a dataclass"):
                compile_[options](program, Int32(1))

        @jit
        def aliased(n: Int32):
            one, other = Stats(), Stats()
            chosen = one if n > 3 else other
            chosen.update(n)
            return one.total

        with self.assertRaisesRegex(ProgramError, _TWO_NAMES):
            compile_[FrontendNext](aliased, Int32(1))

    def test_both_branches_change_alike(self):
        def program(x):
            items, holder, others = [x, 1], Holder(x, 1), [2, x]
            if x > 3:
                items[0] = 7
                holder.value, holder.step = 5, others
            else:
                items[0] = 7
                holder.value, holder.step = 5, others
            return items, holder.value, holder.step

        agree(program, (Int32,), (1,), (5,))

    def test_objects_that_keep_their_names(self):
        def element_is_replaced(x):
            old, items = [x, 1], [2, x]
            lists = [old, items]
            i = 0
            while i < x:
                lists[0] = items
                i += 1
            return old, lists

        def attribute_is_replaced(x):
            old, pair = [x, 1], Holder(x, [x, 2])
            pair.step = old
            for i in range(x):
                pair.step = [i, x]
            return old, pair.step

        def swapped(x):
            one, other = [x, 1], [2, x]
            for i in range(x):
                one, other = other, one
                one[0] = one[0] + i
            other[1] = 7
            return one, other

        def same_in_both(x):
            one = other = [x, 1]
            if x > 3:
                one = other = [5, x]
            else:
                one = other = [x, 6]
            one[0] = 9
            return other

        def shared_part(x):
            items, pair = [x, 1], Holder(x, [x, 2])
            pair.step = items
            for i in range(x):
                pair = Holder(i, pair.step)
                items[0] = items[0] + 1
            items[1] = 8
            return pair.step, pair.value

        for program in (element_is_replaced, attribute_is_replaced, swapped, same_in_both, shared_part):
            with self.subTest(program=program.__name__):
                agree(program, (Int32,), (0,), (1,), (5,))

    def test_what_functions_keep(self):
        def default(x):
            def count(seen=[]):  # noqa: B006
                seen.append(1)
                return len(seen)

            if x > 3:
                count()
            return count()

        def partial(x):
            seen = []
            bump = functools.partial(seen.append, 1)
            if x > 3:
                bump()
            return len(seen)

        def method(x):
            seen = []
            push = seen.append
            if x > 3:
                push(1)
            return len(seen)

        def variable(x):
            count = 0

            def bump():
                nonlocal count
                count += 1
                return True

            if x > 3 and bump():
                pass
            return count

        def of_a_class(x):
            class Holder:
                value = 1

            if x > 3:
                Holder.value = 2
            return Holder.value

        for program, text in (
            (default, "'a default' changes in"), (method, "'push' changes in"), (variable, "'count' gets another value in"),
            (of_a_class, "'Holder.value' changes in"), (partial, "'bump' changes in"),
        ):
            with self.subTest(program=program.__name__):
                self.assertIn(text, refused(program, Int32))

    def test_what_globals_hold(self):
        def added(x):
            if x > 3:
                SEEN.add(1)
            return x

        def stepped(x):
            if x > 3:
                next(ITEMS)
            return x

        for program, name in (added, "SEEN"), (stepped, "ITEMS"):
            with self.subTest(program=program.__name__):
                with self.assertRaisesRegex(ProgramError, f"{name} changes in a branch"):
                    jit(program)(Int32(5))

    def test_what_does_not_change_is_right(self):
        def program(x):
            bag, seen, items = Bag(2), {1, 2}, zip(iter([1, 2]), (3, 4))
            words = array.array("i", [x // x if isinstance(x, int) else 1])
            first = next(items)[0] + words[0] - 1
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
