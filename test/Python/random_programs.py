"""Writes random Python programs on integers."""

import linecache
import random


class Programs:
    """Programs whose loops all end, and that have no division by zero."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.loops = 0

    def expression(self, depth=0):
        pick = self.random.randrange(10 if depth < 3 else 3)
        if pick < 2:
            return self.random.choice("abcxy")
        if pick == 2:
            return str(self.random.randrange(-3, 6))
        if pick < 7:
            op = self.random.choice(["+", "-", "*", "//", "%", "&", "|", "^"])
            left, right = self.expression(depth + 1), self.expression(depth + 1)
            if op in ("//", "%"):
                right = self.random.choice(
                    ["2", "3", "4", "-5", f"(abs({right}) % 5 + 1)"]
                )
            return f"(({left} {op} {right}) % 97)"
        if pick == 7:
            choice = self.condition(depth + 1)
            return f"({self.expression(depth + 1)} if {choice} else {self.expression(depth + 1)})"
        if pick == 8:
            return f"{self.random.choice(['min', 'max'])}({self.expression(depth + 1)}, {self.expression(depth + 1)})"
        return f"t[{self.random.randrange(2)}]"

    def condition(self, depth=0):
        pick = self.random.randrange(6 if depth < 3 else 2)
        if pick < 2:
            op = self.random.choice(["<", "<=", "==", "!=", ">", ">="])
            return f"{self.expression(2)} {op} {self.expression(2)}"
        if pick == 2:
            return f"0 <= {self.expression(2)} < {self.expression(2)} < 50"
        if pick == 3:
            return f"not ({self.condition(depth + 1)})"
        op = self.random.choice(["and", "or"])
        return f"({self.condition(depth + 1)} {op} {self.condition(depth + 1)})"

    def block(self, depth):
        lines = []
        for _ in range(self.random.randrange(1, 4)):
            lines += self.statement(depth)
        return lines

    def indented(self, depth):
        return ["    " + line for line in self.block(depth + 1)]

    def statement(self, depth):
        pick = self.random.randrange(9 if depth < 3 else 4)
        name = self.random.choice("abxy")
        if pick < 2:
            return [f"{name} = {self.expression()}"]
        if pick == 2:
            return [f"{name} += {self.expression()}", f"{name} %= 89"]
        if pick == 3:
            return self.random.choice(
                [
                    [f"t = ({self.expression()}, t[0])"],
                    [f"l[1] = {self.expression()}"],
                    ["c, a = a, l[1]"],
                ]
            )
        if pick in (4, 5):
            lines = [f"if {self.condition()}:", *self.indented(depth)]
            if self.random.random() < 0.4:
                lines += [f"elif {self.condition()}:", *self.indented(depth)]
            if self.random.random() < 0.6:
                lines += ["else:", *self.indented(depth)]
            return lines
        self.loops += 1
        i = f"i{self.loops}"
        if pick == 8:
            body = [f"    {i} += 1", *self.indented(depth)]
            return [
                f"{i} = 0",
                f"while {i} < {self.expression(2)} % 4 or {i} < 2:",
                *body,
                f"b = (b + {i}) % 83",
            ]
        bounds = self.random.choice(
            [
                f"{self.expression(2)} % 5",
                f"1, {self.expression(2)} % 7, 2",
                f"{self.expression(2)} % 5, -2, -2",
            ]
        )
        return [
            f"for {i} in range({bounds}):",
            *self.indented(depth),
            f"    b = (b + {i}) % 83",
        ]

    def source(self):
        lines = [
            "a, b, c, t, l = 1, 2, 3, (x, y), [x, 5]",
            *self.block(0),
            *self.block(0),
        ]
        lines += ["return a, b, c, x, y, t, l"]
        return "def program(x, y):\n" + "".join(f"    {line}\n" for line in lines)


def compiled(source, name):
    """Returns the function `program` of a source that has no file."""
    file = f"<{name}>"
    linecache.cache[file] = (len(source), None, source.splitlines(True), file)
    scope = {}
    exec(compile(source, file, "exec"), scope)
    return scope["program"]
