# REQUIRES: full
# RUN: %python %s
"""Random programs on Python's objects, traced and as Python runs them.

Lists, dicts, dataclasses, named tuples and objects of plain classes have several names,
lie in each other, are changed by nested functions, methods and defaults, and go through
dynamic if, for and while. A program gives Python's numbers or is refused with an error.

`python3 test/Python/random_objects.py SEED COUNT` runs others, and prints the shortest form
of each that gives other numbers or ends in another way.
"""

import ast
import collections
import dataclasses
import random
import signal
import sys
import traceback
import unittest
from typing import Any, NamedTuple

from control_flow import trace
from emulator import Value
from random_programs import Programs, compiled

import cute
import cute._frontend.builder as _builder
from cute._frontend.errors import ProgramError, StaticValueError
from cute._frontend.rewrite import rewrite
from cute._frontend.tree import flatten
from cute.dsl import Int32


@dataclasses.dataclass
class Pair:
    """What a program may change, and hand on as a whole."""

    u: Any
    v: Any
    more: Any = None

    def bump(self, by=1):
        self.u = (self.u + by) % 97
        return self.v

    def sum(self):
        return (self.u + self.v) % 97


@dataclasses.dataclass(frozen=True)
class Fixed:
    u: Any
    v: Any

    def next(self):
        return Fixed(self.v, (self.u + 1) % 97)


class Named(NamedTuple):
    u: Any
    v: Any


class Plain:
    """A class that the package does not know."""

    def __init__(self, u, v):
        self.u, self.v = u, v

    def bump(self, by=1):
        self.u = (self.u + by) % 97
        return self.v


class Helper:
    """A function that is traced where another one is, as those under @cute.jit are."""

    def __init__(self, function):
        self.function = function

    def __call__(self, *args):
        is_traced = _builder.current() is not None
        return (rewrite(self.function) if is_traced else self.function)(*args)


@Helper
def pick(one, other, is_first):
    return one if is_first else other


@Helper
def change(item, by):
    item.u = (item.u + by) % 97
    return item


@Helper
def put_part(item, one, other, is_first):
    if is_first:
        item.more = one
    else:
        item.more = other


@Helper
def change_one(one, other, is_first, by):
    if by > 3:
        chosen = one if is_first else other
        chosen.u = (chosen.u + by) % 97


@Helper
def change_some(one, other, is_first, by):
    for i in range(by % 3):
        change_one(one, other, is_first, by)


class Objects(Programs):
    """Programs with these variables: numbers a, b, c, x, y; lists l, m; a dict d; objects p, q,
    f, n and o; a list of lists w; nested functions g and h."""

    LISTS, OBJECTS = "lm", "pq"

    def expression(self, depth=0):
        if self.random.random() < 0.45:
            return super().expression(depth)
        return self.random.choice([
            lambda: f"{self.list_()}[{self.random.randrange(-2, 2)}]",
            lambda: f"{self.random.choice('pqfno')}.{self.random.choice('uv')}",
            lambda: f"d[{self.key()}]",
            lambda: f"w[{self.random.randrange(2)}][{self.random.randrange(2)}]",
            lambda: f"(z := {super(Objects, self).expression(2)})",
            lambda: f"sum(e % 7 for e in {self.list_()}) % 97",
            lambda: f"sum([e * k for k, e in enumerate({self.list_()})]) % 97",
            lambda: f"{self.random.choice('pq')}.sum()",
            lambda: f"g({super(Objects, self).expression(2)})",
            lambda: f"h(by={super(Objects, self).expression(2)})",
            lambda: f"{self.random.choice('pqo')}.bump({self.random.randrange(1, 4)})",
            lambda: f"f.next().{self.random.choice('uv')}",
            lambda: f"n._replace(u={super(Objects, self).expression(2)}).u",
            lambda: f"max({self.list_()})",
            lambda: f"len({self.list_()})",
            lambda: f"(lambda s, r={self.number()}: (s + r) % 97)({super(Objects, self).expression(2)})",
            lambda: f"p.more[{self.random.randrange(2)}]",
            lambda: f"d.get({self.key()}, 5)",
        ])()

    def key(self):
        return self.random.choice(["'u'", "'v'"])

    def number(self):
        return self.random.choice(["a", "b", "x", "2", "3"])

    def list_(self):
        return self.random.choice(["l", "m", "w[0]", "w[1]", "p.more", "q.more", "l", "m"])

    def statement(self, depth):
        if self.random.random() < 0.35:
            return super().statement(depth)
        e = self.expression
        return self.random.choice([
            lambda: [f"{self.list_()}[{self.random.randrange(-2, 2)}] = {e()}"],
            lambda: [f"{self.list_()}[{self.random.randrange(2)}] += {e()}"],
            lambda: [f"{self.random.choice('lm')} = {self.list_()}"],
            lambda: [f"{self.random.choice('lm')} = [{e()}, {e()}]"],
            lambda: [f"{self.random.choice('lm')} = list({self.list_()})"],
            lambda: [f"w[{self.random.randrange(2)}] = {self.random.choice('lm')}"],
            lambda: [f"{self.random.choice('pqo')}.{self.random.choice('uv')} = {e()}"],
            lambda: [f"{self.random.choice('pqo')}.{self.random.choice('uv')} += {e()}"],
            lambda: [self.random.choice(["p = q", "q = p"])],
            lambda: [f"{self.random.choice('pq')} = Pair({e()}, {e()}, {self.list_()})"],
            lambda: [f"{self.random.choice('pq')}.more = {self.list_()}"],
            lambda: [f"d[{self.key()}] = {e()}"],
            lambda: [f"d = {{'u': {e()}, 'v': d['u']}}"],
            lambda: [f"d.update(v={e()})"],
            lambda: ["f = f.next()"],
            lambda: [f"n = n._replace(v={e()})"],
            lambda: [f"n = Named({e()}, n.u)"],
            lambda: [f"{self.random.choice('pqo')}.bump({e()})"],
            lambda: [f"g({e()})"],
            lambda: ["l[0], l[1] = l[1], l[0]"],
            lambda: [f"a, *r = {self.list_()}", "b = r[0]"],
            lambda: [f"{self.random.choice('lm')} = [(e + {self.number()}) % 97 for e in {self.list_()}]"],
            lambda: [f"{self.random.choice('lm')} = {self.list_()} if {self.condition()} else {self.list_()}"],
            lambda: [f"q = p if {self.condition()} else q"],
            lambda: [f"t = ({self.random.choice('lm')}[0], {self.random.choice('pq')}.u)"],
            lambda: ["try:", *self.indented(depth), "finally:", *self.indented(depth)]
            if depth < 3 else ["a = a"],
            lambda: [f"for k in range_constexpr({self.random.randrange(1, 4)}):",
                     *self.indented(depth), f"    if k == {self.random.randrange(3)}:",
                     f"        {self.random.choice(['break', 'continue', 'pass'])}",
                     *self.indented(depth)] if depth < 2 else ["a = b"],
            lambda: [f"for e in {self.list_()}:", "    a = (a + e) % 97", *self.indented(depth)]
            if depth < 2 else ["c = b"],
            lambda: [f"if len({self.list_()}) == {self.random.choice([2, 3])}:",
                     *self.indented(depth)] if depth < 3 else ["c = a"],
            lambda: [f"({self.random.choice(['p', 'q'])} if {self.condition()} else "
                     f"{self.random.choice(['p', 'q'])}).bump({self.number()})"],
            lambda: [f"({self.list_()} if {self.condition()} else {self.list_()})[0] = {e()}"],
            lambda: [f"put({self.list_()}, {e()})"],
            lambda: [f"{self.random.choice('pq')} = pick(p, q, {self.condition()})"],
            lambda: [f"{self.random.choice('lm')} = pick({self.list_()}, {self.list_()}, "
                     f"{self.condition()})"],
            lambda: [f"change({self.random.choice('pq')}, {e()})"],
            lambda: [f"{self.random.choice(['change_one', 'change_some'])}("
                     f"{self.random.choice(['p, q', 'q, p', 'p, p'])}, {self.condition()}, {e()})"],
            lambda: [f"put_part({self.random.choice('pq')}, {self.list_()}, {self.list_()}, "
                     f"{self.condition()})"],
            lambda: [f"{self.random.choice('lm')} = put({self.list_()}, {e()})"],
            lambda: [f"w[1] = [{self.list_()}[0], {self.list_()}[1] if {self.condition()} else 3]"],
            lambda: ["for e in w:", f"    e[0] = (e[0] + {self.number()}) % 97"],
            lambda: [f"for k, v in d.items():", "    a = (a + v) % 97"],
            lambda: [f"d = {{k: (v + {self.number()}) % 97 for k, v in d.items()}}"],
            lambda: [f"r = {self.list_()}", f"r[{self.random.randrange(2)}] = {e()}"],
            lambda: [f"l, m = {self.random.choice(['m, l', 'l, w[1]', 'm, m', 'w[0], w[1]'])}"],
            lambda: [f"w = [{self.random.choice('lm')}, {self.random.choice('lm')}]"],
            lambda: [f"{self.random.choice('pq')} = dataclasses.replace({self.random.choice('pq')}, u={e()})"],
            lambda: self.function(depth) if depth < 2 else ["b = a"],
        ])()

    def function(self, depth):
        """A nested function, which may change what lies outside."""
        name = self.random.choice("gh")
        outside = self.random.sample("abxy", self.random.randrange(3))
        lines = [f"def {name}(by={self.number()}, *, c=3):"]
        lines += [f"    nonlocal {', '.join(outside)}"] if outside else []
        lines += ["    t = (by, 1)"]
        lines += [f"    {v} = {v}" for v in "ab" if v not in outside and self.random.random() < 0]
        body = [line for line in self.indented(2) if " g(" not in line and " h(" not in line]
        inner = "\n".join(body)
        for word in ("g(", "h("):
            inner = inner.replace(word, "abs(").replace("abs(by=", "abs(")
        return lines + inner.split("\n") + [f"    return (by + {self.random.choice('abxy')}) % 89"]

    def source(self):
        lines = [
            "a, b, c, t, z = 1, 2, 3, (x, y), 0",
            "l, m = [x, 5], [y, 4]",
            "w = [l, [7, y]]" if self.random.random() < 0.5 else "w = [[x, 1], [7, y]]",
            "d = {'u': x, 'v': 2}",
            "p, q = Pair(x, 1, m), Pair(2, y, [3, x])",
            "f, n, o = Fixed(x, 3), Named(1, y), Plain(x, y)",
            "def g(by=1):", "    return (by + 1) % 97",
            "def put(s, e):", "    s[0] = e % 97", "    return s",
            "def h(by=1):", "    l[0] = (l[0] + by) % 97", "    return by",
            *self.block(0), *self.block(0), *self.block(0),
            "l[0] = (l[0] + 1) % 97", "p.u = (p.u + 1) % 97", "w[0][1] = (w[0][1] + 3) % 97",
            "return (a, b, c, x, y, t, z, l, m, w, d, p.u, p.v, p.more, q.u, q.v, q.more, f, n, "
            "o.u, o.v)",
        ]
        # A nested function names its own variables before they have values there.
        return "def program(x, y):\n" + "".join(f"    {line}\n" for line in lines)


SCOPE = {"dataclasses": dataclasses, "Pair": Pair, "Fixed": Fixed, "Named": Named, "Plain": Plain,
         "range_constexpr": cute.range_constexpr, "pick": pick, "change": change,
         "put_part": put_part, "change_one": change_one, "change_some": change_some}
# Python raises NameError where it comes to such a line, and tracing comes to all lines.
REFUSALS = (ProgramError, StaticValueError, NameError)


def numbers(result):
    return [x.value if isinstance(x, Int32) else x for x in flatten(result)[0]]


def judge(source, name, calls):
    """Returns what a program does: "right", "refused ...", "python ..." where Python itself
    does not run it, else what is wrong."""
    program = compiled(source, name)
    program.__globals__.update(SCOPE)
    try:
        wanted = [flatten(program(*call))[0] for call in calls]
    except Exception as error:
        return f"python {type(error).__name__}"
    try:
        emulator, inputs, values = trace(program, Int32, Int32)
    except REFUSALS as error:
        return f"refused: {str(error).splitlines()[0]}"
    except Exception:
        return "ends: " + "".join(traceback.format_exc().splitlines(True)[-4:])
    dynamic = [v for v in values if isinstance(v, Value)]
    for call, right in zip(calls, wanted):
        got = iter(emulator.run(dynamic, dict(zip(inputs, call))))
        found = [next(got) if isinstance(v, Value) else v for v in values]
        if found != right:
            return f"gives {found} for {call}, not {right}"
    return "right"


def shorter(source, kind, test):
    """Returns a program without the statements that a finding does not need."""
    changed = True
    while changed:
        changed = False
        tree = ast.parse(source)
        places = [(node, field, i) for node in ast.walk(tree) for field in ("body", "orelse", "finalbody")
                  for i in range(len(getattr(node, field, None) or [])
                                 if isinstance(getattr(node, field, None), list) else 0)]
        for node, field, i in reversed(places):
            block = getattr(node, field)
            for replacement in ([], getattr(block[i], "body", None)):
                if not isinstance(replacement, list):
                    continue
                saved = list(block)
                block[i:i + 1] = replacement
                if not block and field == "body":
                    block[:] = [ast.Pass()]
                try:
                    text = ast.unparse(ast.fix_missing_locations(tree)) + "\n"
                    good = text != source and test(text)[:4] == kind[:4]
                except Exception:
                    good = False
                if good:
                    source, changed = text, True
                    break
                block[:] = saved
            if changed:
                break
    return source


def drawn(seed):
    """Returns a program and the numbers that it is called with."""
    draw = random.Random(seed)
    return Objects(seed).source(), [[draw.randrange(-20, 20) for _ in "xy"] for _ in range(5)]


class Random(unittest.TestCase):
    def test_programs(self):
        found = collections.Counter()
        for seed in range(100):
            source, calls = drawn(seed)
            what = judge(source, f"objects {seed}", calls)
            found[what.split()[0].rstrip(":")] += 1
            self.assertIn(what.split()[0], ("right", "refused:", "python"), f"{source}\n{what}")
        self.assertGreater(found["right"], 12, found)


class TooLong(Exception):
    """A program that statements were taken from may not end."""


def timed(source, name, calls):
    def stop(*_):
        raise TooLong

    signal.signal(signal.SIGALRM, stop)
    signal.alarm(2)
    try:
        return judge(source, name, calls)
    finally:
        signal.alarm(0)


def main(seed, count):
    found = collections.Counter()
    for k in range(seed, seed + count):
        source, calls = drawn(k)
        what = judge(source, f"objects {k}", calls)
        found[what.split()[0].rstrip(":")] += 1
        if what.startswith(("gives", "ends")):
            counter = iter(range(10**9))
            short = shorter(source, what, lambda text: timed(text, f"s{k} {next(counter)}", calls))
            print(f"seed {k}: {judge(short, f's{k} last', calls)}\n{short}", flush=True)
    print(dict(found))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:])) if sys.argv[1:] else unittest.main()
