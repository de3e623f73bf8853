#!/usr/bin/env python3
"""Compares cute-opt with oracle.py on random ops, most with dynamic leaves.

  random_ops.py CUTE_OPT COUNT SEED

Ops with random operands are first verified: where the oracle infers a type,
cute-opt must accept exactly that one, and reject all others. What it accepted and
is dynamic is then lowered and run with random numbers for the dynamic leaves; the
numbers that come out must be the oracle's.
"""
import sys

import check_eval
import check_ops
import oracle as o
from random_operands import Random, check_layout, numbers_of, spelled

# Ops: a function of the generator gives operands, attributes and a function that
# computes the result.

def with_shape_or_tile(r, a):
    """A tiler: (kind, value as written, value as a tile)."""
    kind = r.choice(["layout", "layout", "shape", "tile", "tile"])
    if kind == "layout":
        value = r.layout(1)
        return kind, value, value
    if kind == "tile":
        value = r.tile(a[0]) if r.flip(0.9) else r.tile_leaf(a[0], 1)
        return kind, value, value
    value = r.like(r.choice([a[0], r.shape()]), r.extent)
    return kind, value, lambda: o.tile_of(value)


def force(value):
    return value() if callable(value) else value


def op_composition(r):
    a = r.layout()
    kind, written, tile = with_shape_or_tile(r, a)
    return [("layout", a), (kind, written)], "", "layout", \
        lambda: o.composition(a, force(tile))


def op_divide(form):
    def generate(r):
        a = r.layout()
        kind, written, tile = with_shape_or_tile(r, a)
        return [("layout", a), (kind, written)], "", "layout", \
            lambda: o.divide(form, a, force(tile))
    return generate


def op_product(form):
    def generate(r):
        a, b = r.layout(1), r.layout(1)
        compute = (lambda: o.blocked_product(a, b)) if form == "blocked" \
            else (lambda: o.product_of(form, a, b))
        return [("layout", a), ("layout", b)], "", "layout", compute
    return generate


def op_coalesce(r):
    a = r.layout()
    if r.flip(0.5):
        return [("layout", a)], "", "layout", lambda: o.coalesce(a)
    profile = r.coord(a[0], 0.3) if r.flip(0.7) else r.coord(r.shape(), 0.3)
    return [("layout", a), ("coord", profile)], "", "layout", \
        lambda: o.coalesce(a, profile)


def op_complement(r):
    a = r.layout(1)
    if r.flip(0.3):
        return [("layout", a)], "", "layout", lambda: o.complement(a)
    target = r.shape()
    return [("layout", a), ("shape", target)], "", "layout", \
        lambda: o.complement_in(a, target)


def op_layout(function):
    def generate(r):
        a = r.layout()
        return [("layout", a)], "", "layout", lambda: function(a)
    return generate


def op_raked(r):
    a, b = r.layout(1), r.layout(1)
    return [("layout", a), ("layout", b)], "", "layout", \
        lambda: o.raked_product(a, b)


def op_group(r):
    a = r.layout()
    begin, end = r.randint(-1, 3), r.randint(0, 4)
    return [("layout", a)], \
        "{begin = %d : i32, end = %d : i32}" % (begin, end), "layout", \
        lambda: o.group_modes(a, begin, end)


def op_get(r):
    a = r.layout(3)
    path = [r.randint(0, 2) for _ in range(r.randint(0, 3))]
    return [("layout", a)], "{mode = array<i32%s>}" % (
        ": " + ", ".join(map(str, path)) if path else ""), "layout", \
        lambda: o.get(a, path)


def op_extend(function):
    def generate(r):
        a, e = r.layout(), r.layout(1)
        n = r.randint(0, 4)
        return [("layout", a), ("layout", e)], "{rank = %d : i32}" % n, \
            "layout", lambda: function(a, n, e)
    return generate


def op_ceil_div_tile(r):
    r.dynamic_rate = r.choice([0, 0.3, 0.8])
    a = r.shape()
    t = r.tile(a)

    def divide(s, t):
        o.need(t != "_")
        if not isinstance(t, o.Tile):
            return o.complement_in(t, o.product(s), False)[0]
        if not o.is_tuple(s):
            o.need(not any_underscore(t))
            return o.ceil_div(s, o.product(extents(t)))
        o.need(len(t) <= len(s))
        return tuple(divide(e, t[i]) if i < len(t) else e
                     for i, e in enumerate(s))
    return [("shape", a), ("tile", t)], "", "shape", lambda: divide(a, t)


def extents(t):
    return tuple(map(extents, t)) if isinstance(t, o.Tile) else t[0]


def any_underscore(t):
    return any(map(any_underscore, t)) if isinstance(t, o.Tile) else t == "_"


def op_recast(r):
    a = r.layout()
    new, old = r.choice([8, 16, 32, 12, 6, 4]), r.choice([8, 16, 32, 4])
    return [("layout", a)], \
        "{new_type_bits = %d : i32, old_type_bits = %d : i32}" % (new, old), \
        "layout", lambda: o.recast(a, new, old)


def op_make_ordered(r):
    r.dynamic_rate = r.choice([0, 0.3, 0.8])
    s = r.shape()
    order = r.coord(s, 0)
    order = r.like(order, lambda: r.randrange(-2, 4))
    return [("shape", s), ("int_tuple", order)], "", "layout", \
        lambda: o.make_ordered_layout(s, order)


def op_tile_to_shape(r):
    a = r.layout(1)
    r.dynamic_rate = r.choice([0, 0.4])
    s = tuple(r.extent() for _ in range(o.rank(a[0]) + r.flip(0.2)))
    operands = [("layout", a), ("shape", s)]
    order = None
    if r.flip(0.5):
        order = list(range(len(s)))
        r.shuffle(order)
        order = tuple(order)
        operands.append(("int_tuple", order))
    return operands, "", "layout", lambda: o.tile_to_shape(a, s, order)


def op_size(r):
    a = r.layout()
    return [("layout", a)], "", "int_tuple", lambda: o.product(a[0])


def op_cosize(r):
    a = r.layout()
    return [("layout", a)], "", "int_tuple", lambda: o.cosize(a)


def op_layout_eval(r):
    a = r.layout()
    c = r.coord(a[0], 0.1)
    return [("coord", c), ("layout", a)], "", "int_tuple", \
        lambda: o.evaluate(c, a)


def op_crd2idx(r):
    s = r.layout()[0]
    c = r.coord(s, 0.1)
    return [("coord", c), ("shape", s)], "", "int_tuple", \
        lambda: o.crd2idx(c, s)


def op_idx2crd(r):
    s = r.layout()[0]
    c = r.coord(s)
    return [("int_tuple", c), ("shape", s)], "", "coord", \
        lambda: o.idx2crd(c, s)


def op_increment(r):
    s = r.layout()[0]
    c = r.like(s, lambda: r.coord(1))
    return [("coord", c), ("shape", s)], "", "coord", \
        lambda: o.increment_coord(c, s)


def op_tuples(function, kinds):
    def generate(r):
        r.dynamic_rate = r.choice([0, 0.3, 0.8])
        a = r.tuple_like(r.shape())
        b = r.tuple_like(a) if r.flip(0.8) else r.tuple_like(1)
        kind = r.choice(kinds)
        return [(kind, a), (kind, b)], "", kind, lambda: function(a, b)
    return generate


def op_slice(keep):
    def generate(r):
        a = r.layout()
        r.dynamic_rate = 0.3 if keep is kept_by_slice else 0
        c = r.coord(a[0], 0.5)
        def compute():
            o.need(o.weakly_congruent(c, a[0]))
            return tuple(o.sliced(part, c, keep) for part in a)
        return [("layout", a), ("coord", c)], "", "layout", compute
    return generate


def kept_by_slice(c):
    return c == "_"


def kept_by_dice(c):
    return c != "_"


OPS = {
    "composition": op_composition, "coalesce": op_coalesce,
    "complement": op_complement,
    "right_inverse": op_layout(o.right_inverse),
    "left_inverse": op_layout(o.left_inverse),
    "make_layout_like": op_layout(o.make_layout_like),
    "flatten": op_layout(o.flatten), "group_modes": op_group, "get": op_get,
    "append_to_rank": op_extend(o.append_to_rank),
    "prepend_to_rank": op_extend(o.prepend_to_rank),
    "recast_layout": op_recast, "make_ordered_layout": op_make_ordered,
    "tile_to_shape": op_tile_to_shape, "size": op_size, "cosize": op_cosize,
    "layout_eval": op_layout_eval, "crd2idx": op_crd2idx,
    "idx2crd": op_idx2crd, "increment_coord": op_increment,
    "tuple_add": op_tuples(lambda a, b: o.tuple_sum(o.add, a, b),
                           ["int_tuple", "shape"]),
    "tuple_sub": op_tuples(lambda a, b: o.tuple_sum(o.sub, a, b),
                           ["int_tuple", "shape"]),
    "shape_div": op_tuples(o.shape_div, ["shape"]),
    "ceil_div": op_tuples(o.tuple_ceil_div, ["int_tuple", "shape"]),
    "slice": op_slice(kept_by_slice), "dice": op_slice(kept_by_dice),
    "logical_divide": op_divide("logical"), "zipped_divide": op_divide("zipped"),
    "tiled_divide": op_divide("tiled"), "flat_divide": op_divide("flat"),
    "logical_product": op_product("logical"),
    "zipped_product": op_product("zipped"),
    "tiled_product": op_product("tiled"), "flat_product": op_product("flat"),
    "blocked_product": op_product("blocked"), "raked_product": op_raked,
}
ALSO = {"ceil_div": op_ceil_div_tile}  # a second generator of the op
# Ops that work on the outer layout of a composed one and keep the rest.
OF_OUTER = ["composition", "coalesce", "tile_to_shape", "dice", "flatten",
            "group_modes", "get", "append_to_rank", "prepend_to_rank",
            *[n for n in OPS if n.endswith(("_divide", "_product"))]]


def composed(r, operands, kind, compute):
    """The same op on a composed layout around the layout among its operands."""
    at = next(i for i, (k, _) in enumerate(operands) if k == "layout")
    a = operands[at][1]
    if any(isinstance(d, o.B) for d in o.leaves(a[1])):
        return operands, kind, compute
    bits, base = r.randint(1, 3), r.randint(0, 4)
    inner = o.Swizzle(bits, base, r.choice([-1, 1]) * r.randint(bits, 4)) \
        if r.flip(0.6) else r.layout(1)
    if not isinstance(inner, o.Swizzle) and any(
            isinstance(d, o.B) for d in o.leaves(inner[1])):
        return operands, kind, compute
    offset = r.dynamic([0, 1, 5, 12]) if r.flip(0.3) else r.randint(0, 9)
    value = o.Composed(inner, offset, a)
    operands = list(operands)
    operands[at] = "composed_layout", value
    if kind == "int_tuple":  # layout_eval
        return operands, kind, lambda: value.evaluate(operands[0][1])
    return operands, "composed_layout", \
        lambda: o.Composed(inner, offset, check_layout(compute()))


def operands_are_types(operands):
    try:
        for kind, value in operands:
            if kind == "layout":
                check_layout(value)
            if kind == "composed_layout" and \
                    not isinstance(value.inner, o.Swizzle):
                check_layout(value.inner)
        return True
    except o.Reject:
        return False


def draw(r, i):
    """A case of check_ops, with the operands' and the result's values."""
    while True:
        name = r.choice(list(OPS))
        try:
            generate = ALSO[name] if name in ALSO and r.flip(0.5) else OPS[name]
            operands, attributes, kind, compute = generate(r)
        except o.Reject:
            continue  # strides for an empty order
        if operands_are_types(operands):
            break
    if name in [*OF_OUTER, "layout_eval"] and r.flip(0.15):
        operands, kind, compute = composed(r, operands, kind, compute)
        if not operands_are_types(operands):
            return draw(r, i)
    case = {"id": "random-%d" % i, "op": name, "attrs": attributes,
            "operands": [spelled(*operand) for operand in operands],
            "values": operands, "result": None}
    try:
        value = compute()
        if kind == "layout":
            check_layout(value)
        case["result"] = kind, value
        case["results"] = [spelled(kind, value)]
    except o.Reject as reason:
        case["why"] = str(reason)
    return case


def verify(tool, cases):
    chunks = [check_ops.chunk_of_op(case, "generic") for case in cases]
    agree = []
    for case, (_, errors) in zip(cases, check_ops.run(tool, chunks)):
        found = "\n".join(errors)
        expected = case.get("results", ["rejection (%s)" % case.get("why")])[0]
        wrong = bool(errors) if case["result"] else \
            (not errors or "inferred result type" in found)
        if wrong:
            print("%s: cute.%s %s (%s)\n  expected %s\n  found %s" % (
                case["id"], case["op"], case["attrs"],
                ", ".join(case["operands"]), expected, found or "no error"))
        agree.append(not wrong)
    return agree


def as_function(case):
    """A case of check_eval; null if it is static or not defined."""
    kind, value = case["result"]
    expected = numbers_of(kind, value)
    given = [numbers_of(*operand) for operand in case["values"]]
    if not expected or None in expected:
        return None
    arguments = ", ".join("%%arg%d: %s" % pair
                          for pair in enumerate(case["operands"]))
    names = ", ".join("%%arg%d" % i for i in range(len(given)))
    widths = ["i%d" % x.width for x in dynamic_leaves(value)]
    result = case["results"][0]
    results = ", ".join("%%1#%d" % i for i in range(len(widths)))
    types = ", ".join(widths)
    mlir = ("module {\n  func.func @f(%s) -> %s {\n"
            "    %%0 = \"cute.%s\"(%s) %s : (%s) -> %s\n"
            "    %%1:%d = cute.get_scalars<{only_dynamic}> (%%0) : %s\n"
            "    return %s : %s\n  }\n}\n") % (
                arguments, types if len(widths) == 1 else "(%s)" % types,
                case["op"], names, case["attrs"],
                ", ".join(case["operands"]), result, len(widths), result,
                results, types)
    return {"id": case["id"], "mlir": mlir, "func": "f",
            "dynamic_leaf_args": given, "result": expected}


def dynamic_leaves(value):
    if isinstance(value, o.Composed):
        inner = () if isinstance(value.inner, o.Swizzle) else value.inner
        value = value.outer, value.offset, inner
    return [x for x in (e.value if isinstance(e, o.B) else e
                        for e in o.leaves(value)) if isinstance(x, o.D)]


def run_all(tool, passes, cases):
    functions = [f for f in map(as_function, cases) if f]
    found = check_eval.execute(tool, passes, functions)
    wrong = [(f, n) for f, n in zip(functions, found) if n != f["result"]]
    for case, result in wrong:
        print("%s gives %s, not %s\n%s    with %s" % (
            case["id"], result, case["result"], case["mlir"],
            case["dynamic_leaf_args"]))
    print("%d of %d ran as expected" % (len(functions) - len(wrong),
                                        len(functions)))
    return not wrong


def main():
    tool, count, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    r = Random(seed)
    r.dynamic_rate = 0.3
    cases = [draw(r, i) for i in range(count)]
    agree = verify(tool, cases)
    print("%d of %d verify as expected, %d of them rejected" % (
        sum(agree), count, sum(not c["result"] for c in cases)))
    right = [c for c, ok in zip(cases, agree) if ok and c["result"]]
    ok = [run_all(tool, passes, right)
          for passes in (check_eval.PASSES, "cute-to-base")]
    sys.exit(0 if all(agree) and all(ok) else 1)


if __name__ == "__main__":
    main()
