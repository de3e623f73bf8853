# RUN: %python %s
"""Functions that use all of Python, rewritten, against Python."""

import unittest

from control_flow import agree

import cute
from cute._frontend.rewrite import rewrite
from cute.dsl import Int32

COUNT = 0


class A:
    def f(self, x):
        return x + 1


class B(A):
    def f(self, x):
        y = super().f(x)
        if y > 3:
            y = y * 2
        return y


def t_super(x):
    return rewrite(B.f)(B(), x) if not isinstance(x, int) else B().f(x)


def t_args(x, *args, k=2, **kw):
    if x > k:
        x = x - k
    return x


def t_global(x):
    global COUNT
    COUNT = 0
    if x > 0:
        COUNT = x
    return COUNT


def t_walrus(x):
    if (y := x + 1) is not None:
        z = y
    return z + (w := 3)


def t_match(x):
    kind = "b"
    match kind:
        case "a":
            y = 1
        case "b":
            y = 2
            if x > 2:
                y = 7
        case _:
            y = 0
    return y


def t_try(x):
    try:
        if x > 1:
            x = x + 5
        y = {}["k"]
    except KeyError:
        if x > 3:
            x = x - 1
    finally:
        z = x
    return z


def t_rec(x):
    def power(v, n):
        if cute.const_expr(n == 0):
            return 1
        r = power(v, n - 1) * v
        if r > 50:
            r = r - 50
        return r

    return power(x, 4)


def t_early(x, flag=True):
    if flag:
        return x + 1
    if x > 0:
        x = 2
    return x


def t_nested_loops(x):
    s = 0
    for i in range(x):
        for j in range(i):
            if j == 1:
                s += 10
            elif j == 2:
                s += 100
            else:
                while s % 7 != 0:
                    s += 1
        s = s - 1 if s > 50 else s + 1
    return s


def t_else(x):
    s = 0
    for i in range(3):
        s += x
    else:
        s += 100
    while s < 0:
        s += 50
    else:
        s += 1
    return s


def t_star(x):
    a, *b = (x, x + 1, x + 2)
    if x > 0:
        a, (b[0], c) = b[0], (a, 3)
    else:
        c = 4
    return a, b[0], b[1], c


def t_del(x):
    y = x
    del y
    if x > 0:
        y = 1
    else:
        y = 2
    return y


def t_fstr(x):
    s = f"{1 if 2 > 1 else 0}"
    return x + len(s)


def t_lambda(x):
    f = lambda v, w=3: v if v > w else w
    return f(x) + f(x, w=1)


def t_aug(x):
    d = {"a": x}
    l = [x, [x, 2]]
    if x > 2:
        d["a"] += 3
        l[1][0] -= 1
    return d["a"], l[1][0]


def t_boolvalue(x):
    y = x > 3
    z = y or x < 1
    return (y and z), (not y) and True, x and 5, x or 7


def t_unused(x):
    for i in range(x):
        t = "text"
        u = [i]
    if x > 0:
        t = None
    return x


def t_typed(x: "Int32") -> "Int32":
    y: int = 0
    if x > 1:
        y: int = 3
    return y


def t_chain(x):
    return 0 < x < 5 != 3, (x == 1) == (x < 2)


def t_static_break(x):
    s = 0
    for i in cute.range_constexpr(10):
        if i == 4:
            break
        if x > i:
            s += i
    return s


class Features(unittest.TestCase):
    def test_each_function_agrees_with_python(self):
        functions = [f for name, f in globals().items() if name.startswith("t_")]
        self.assertGreater(len(functions), 15)
        for function in functions:
            with self.subTest(function=function.__name__):
                agree(function, (Int32,), *[(v,) for v in (-3, 0, 1, 2, 3, 4, 5, 9)])


if __name__ == "__main__":
    unittest.main()
