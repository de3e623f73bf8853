"""A builder whose operations of arith, math and scf are interpreted in Python."""

from __future__ import annotations

import contextlib
import math
import operator

from cute._values import formats as _formats
from cute._values.numeric import ALL_TYPES

_TYPES = {t.ir_name: t for t in reversed(ALL_TYPES)}
_SPECULATABLE = ("arith.", "math.")
_CMPI = "eq ne lt le gt ge lt le gt ge".split()
_CMPF = {1: "eq", 2: "gt", 3: "ge", 4: "lt", 5: "le", 13: "ne"}


class Value:
    def __init__(self, type):
        self.type = type


class Op:
    def __init__(self, name, operands, results, attributes, regions):
        for operand in operands:
            assert isinstance(operand, Value), (name, operand)
        self.name, self.operands = name, list(operands)
        self.results = [Value(t) for t in results]
        self.attributes, self.regions = dict(attributes), list(regions)


class Region:
    def __init__(self, types=()):
        self.arguments = [Value(t) for t in types]
        self.ops = []


class Emulator:
    """Writes operations into regions; ``run`` interprets them."""

    def __init__(self):
        self.body = Region()
        self._at = [self.body]
        self.failed = []

    def op(self, name, operands=(), results=(), attributes={}, regions=()):
        made = Op(name, operands, results, attributes, regions)
        self._at[-1].ops.append(made)
        return made.results

    def constant(self, type, value):
        return self.op("arith.constant", (), [type], {"value": value})[0]

    def type_of(self, value):
        return value.type

    def region(self, types=()):
        return Region(types)

    @contextlib.contextmanager
    def inside(self, region):
        self._at.append(region)
        try:
            yield
        finally:
            self._at.pop()

    def is_speculatable(self, region):
        return all(
            op.name.startswith(_SPECULATABLE)
            and "div" not in op.name
            and "rem" not in op.name
            for op in region.ops
        )

    def inline(self, region):
        self._at[-1].ops.extend(region.ops)
        region.ops = []

    def count(self, name):
        """Returns how many operations of a name there are."""

        def walk(region):
            for op in region.ops:
                yield op.name
                for inner in op.regions:
                    yield from walk(inner)

        return sum(found == name for found in walk(self.body))

    def run(self, values, inputs):
        """Interprets what was written; returns the numbers of ``values``."""
        env = dict(inputs)
        self._run(self.body, env)
        return [env[value] for value in values]

    def _run(self, region, env):
        for op in region.ops:
            operands = [env[x] for x in op.operands]
            if op.name in ("scf.yield", "scf.condition"):
                return operands
            results = self._execute(op, operands, env)
            assert len(results) == len(op.results), op.name
            env.update(zip(op.results, results))
        return []

    def _block(self, region, arguments, env):
        assert len(arguments) == len(region.arguments)
        env.update(zip(region.arguments, arguments))
        return self._run(region, env)

    def _execute(self, op, operands, env):
        if op.name == "scf.if":
            return self._block(op.regions[0 if operands[0] else 1], [], env)
        if op.name == "scf.for":
            low, high, step, *carried = operands
            assert step > 0
            for i in range(low, high, step):
                carried = self._block(op.regions[0], [i, *carried], env)
            return carried
        if op.name == "scf.while":
            while True:
                go, *operands = self._block(op.regions[0], operands, env)
                if not go:
                    return operands
                operands = self._block(op.regions[1], operands, env)
        if op.name == "cf.assert":
            if not operands[0]:
                self.failed.append(op.attributes["msg"])
            return []
        return [arithmetic(op, operands)]


def _unsigned(x, type):
    return _formats.wrap_int(x, _TYPES[type].width, False)


def arithmetic(op, operands):
    """Computes an operation of arith or math on scalars."""
    name = op.name.partition(".")[2]
    if name == "constant":
        return _TYPES[op.results[0].type]._fold(op.attributes["value"])
    if name in ("cmpi", "cmpf"):
        predicate = int(op.attributes["predicate"].split()[0])
        if name == "cmpf":
            return getattr(operator, _CMPF[predicate])(*operands)
        if predicate >= 6 or op.operands[0].type == "i1":
            operands = [_unsigned(x, op.operands[0].type) for x in operands]
        return getattr(operator, _CMPI[predicate])(*operands)
    if name == "select":
        return operands[1] if operands[0] else operands[2]
    result = _TYPES[op.results[0].type]
    source = op.operands[0].type
    if name in ("extui", "uitofp", "divui", "remui", "shrui", "minui", "maxui"):
        operands = [_unsigned(x, source) for x in operands]
    return _signed(result, _FUNCTIONS[name](*operands))


def _signed(result, x):
    if result.is_integer and not result.is_boolean:
        return _formats.wrap_int(int(x), result.width, True)
    return result._fold(x)


def _c_divide(a, b):
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def _c_remainder(a, b):
    return a - _c_divide(a, b) * b


def _divide(a, b):
    if b == 0:
        return math.nan if a == 0 or a != a else math.copysign(math.inf, a)
    return a / b


_FUNCTIONS = {
    "addi": operator.add,
    "subi": operator.sub,
    "muli": operator.mul,
    "andi": operator.and_,
    "ori": operator.or_,
    "xori": operator.xor,
    "shli": operator.lshift,
    "shrsi": operator.rshift,
    "shrui": operator.rshift,
    "floordivsi": operator.floordiv,
    "divui": operator.floordiv,
    "remsi": _c_remainder,
    "remui": operator.mod,
    "minsi": min,
    "maxsi": max,
    "minui": min,
    "maxui": max,
    "addf": operator.add,
    "subf": operator.sub,
    "mulf": operator.mul,
    "divf": _divide,
    "remf": lambda a, b: math.fmod(a, b) if b and math.isfinite(a) else math.nan,
    "negf": operator.neg,
    "minimumf": min,
    "maximumf": max,
    "floor": lambda a: float(math.floor(a)) if math.isfinite(a) else a,
    "absf": abs,
    "absi": abs,
    "powf": math.pow,
    "ipowi": operator.pow,
    **dict.fromkeys(("extsi", "extui", "trunci", "extf", "truncf"), lambda a: a),
    **dict.fromkeys(("sitofp", "uitofp", "fptosi", "fptoui"), lambda a: a),
}
