"""Expressions have the values that Python gives them.

usage: infix_law.py COUNT SEED

Random expressions of i32 and index constants, folded by MLIR. Python's
precedences are the dialect's; what differs is written as a function here.
"""
import random
import re
import subprocess
import sys

BITS = {"i32": 32, "index": 64}


class Number:
    """An integer of some bits, which the operators of Python apply to."""

    def __init__(self, value, bits):
        self.bits = bits
        self.value = (value + (1 << bits - 1)) % (1 << bits) - (1 << bits - 1)

    def new(self, value):
        return Number(value, self.bits)

    def __add__(self, other):
        return self.new(self.value + other.value)

    def __sub__(self, other):
        return self.new(self.value - other.value)

    def __mul__(self, other):
        return self.new(self.value * other.value)

    def __and__(self, other):
        return self.new(self.value & other.value)

    def __or__(self, other):
        return self.new(self.value | other.value)

    def __xor__(self, other):
        return self.new(self.value ^ other.value)

    def __lshift__(self, other):
        return self.new(self.value << other.value)

    def __neg__(self):
        return self.new(-self.value)

    def __floordiv__(self, other):
        return self.new(self.value // other.value)


def expression(random_, type_, depth):
    """An expression in the dialect and in Python."""
    if not depth or random_.random() < .2:
        value = random_.randrange(-40, 40)
        return (f"{type_}({value})", f"Number({value}, {BITS[type_]})")
    kind = random_.randrange(4)
    left = expression(random_, type_, depth - 1)
    if kind == 0:
        return f"({left[0]})", f"({left[1]})"
    if kind == 1:
        return f"-({left[0]})", f"-({left[1]})"
    if kind == 2:
        by = random_.choice(["<<", "floordiv"])
        value = random_.randrange(1, 5)
        number = f"Number({value}, {BITS[type_]})"
        if by == "<<":
            return f"({left[0]} << {value})", f"({left[1]} << {number})"
        return f"({left[0]}) floordivs {value}", f"({left[1]}) // {number}"
    op = random_.choice(["+", "-", "*", "&", "|", "xor"])
    right = expression(random_, type_, depth - 1)
    return (f"{left[0]} {op} {right[0]}",
            f"{left[1]} {op.replace('xor', '^')} {right[1]}")


def main():
    random_ = random.Random(int(sys.argv[2]))
    text, values = [], []
    for i in range(int(sys.argv[1])):
        type_ = random_.choice(list(BITS))
        ours, python = expression(random_, type_, 5)
        values.append(eval(python).value)  # of the line before
        text.append(f"func.func @f{i}() -> {type_} {{\n  %y = 0 + ({ours})\n"
                    f"  return %y : {type_}\n}}\n")
    run = subprocess.run(["cute-opt", "-", "--canonicalize"], text=True,
                         input="".join(text), capture_output=True, check=True)
    found = re.findall(r"arith.constant (-?\d+)[^\n]*\n *return", run.stdout)
    wrong = [i for i, value in enumerate(values) if str(value) != found[i]]
    for i in wrong[:5]:
        print(text[i], "is", found[i], "not", values[i])
    print(len(found), "values,", len(wrong), "wrong")


main()
