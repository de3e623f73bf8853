#!/usr/bin/env python3
"""Executes loops, branches and selections that carry values of the dialect.

  check_control_flow.py CUTE_OPT SEED

Each function below is lowered, run by lli on random leaves, and compared with
the Python function beside it, which computes the same from its definition.
"""
import pathlib
import random
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent
                    / "Conformance"))
from check_eval import execute  # noqa: E402

PASSES = ["cute-to-base", "cute-fold-static,cute-expand-ops,cute-to-base",
          "cute-fold-static,cute-canonicalize,cute-to-base"]
TRIES = 12

# Sums of a shape, carried by a loop whose number of steps is an argument.
FOR = """
  func.func @f(%arg0: !cute.shape<"(?,(?{i64},3))">, %arg1: i32) -> (i32, i64, i32) {
    %0 = arith.constant 0 : i32
    %1 = arith.constant 1 : i32
    %2 = scf.for %i = %0 to %arg1 step %1 iter_args(%t = %arg0) -> (!cute.shape<"(?,(?{i64},3))">) : i32 {
      %p = cute.tuple_add(%t, %arg0) : (!cute.shape<"(?,(?{i64},3))">, !cute.shape<"(?,(?{i64},3))">) -> !cute.shape<"(?,(?{i64},6))">
      %q:3 = cute.get_scalars (%p) : !cute.shape<"(?,(?{i64},6))">
      %s = cute.make_shape(%q#0, %q#1) : (i32, i64) -> !cute.shape<"(?,(?{i64},3))">
      scf.yield %s : !cute.shape<"(?,(?{i64},3))">
    }
    %3:3 = cute.get_scalars (%2) : !cute.shape<"(?,(?{i64},3))">
    return %3#0, %3#1, %3#2 : i32, i64, i32
  }
"""


def run_for(shape, steps):
    return [x * (steps[0] + 1) for x in shape] + [3]


# Counts the coordinates of a shape as increment_coord walks through them.
WHILE = """
  func.func @f(%arg0: !cute.shape<"(?,3,?)">) -> (i32, i32, i32, i32) {
    %0 = arith.constant 0 : i32
    %1 = arith.constant 1 : i32
    %2 = cute.make_coord(%0, %0, %0) : (i32, i32, i32) -> !cute.coord<"(?,?,?)">
    %z:2 = scf.while (%c = %2, %n = %0) : (!cute.coord<"(?,?,?)">, i32) -> (!cute.coord<"(?,?,?)">, i32) {
      %in = cute.elem_less(%c, %arg0) : (!cute.coord<"(?,?,?)">, !cute.shape<"(?,3,?)">) -> i1
      scf.condition(%in) %c, %n : !cute.coord<"(?,?,?)">, i32
    } do {
    ^bb0(%c: !cute.coord<"(?,?,?)">, %n: i32):
      %m = arith.addi %n, %1 : i32
      %d = cute.increment_coord(%c, %arg0) : (!cute.coord<"(?,?,?)">, !cute.shape<"(?,3,?)">) -> !cute.coord<"(?,?,?)">
      scf.yield %d, %m : !cute.coord<"(?,?,?)">, i32
    }
    %e:3 = cute.get_scalars (%z#0) : !cute.coord<"(?,?,?)">
    return %z#1, %e#0, %e#1, %e#2 : i32, i32, i32, i32
  }
"""


def run_while(shape):
    return [shape[0] * 3 * shape[1], 0, 0, shape[1]]


# One of three layouts, by scf.if and arith.select.
CHOICE = """
  func.func @f(%arg0: !cute.layout<"(?,4):(?,?{i64})">, %arg1: !cute.layout<"(?,4):(?,?{i64})">, %arg2: i32) -> (i32, i32, i64) {
    %0 = arith.constant 0 : i32
    %1 = arith.cmpi slt, %arg2, %0 : i32
    %2 = arith.cmpi eq, %arg2, %0 : i32
    %3 = scf.if %1 -> (!cute.layout<"(?,4):(?,?{i64})">) {
      scf.yield %arg0 : !cute.layout<"(?,4):(?,?{i64})">
    } else {
      %n = arith.constant 7 : i32
      %w = arith.constant 9 : i64
      %s = cute.make_shape(%arg2) : (i32) -> !cute.shape<"(?,4)">
      %d = cute.make_stride(%n, %w) : (i32, i64) -> !cute.stride<"(?,?{i64})">
      %l = cute.make_layout(%s, %d) : (!cute.shape<"(?,4)">, !cute.stride<"(?,?{i64})">) -> !cute.layout<"(?,4):(?,?{i64})">
      scf.yield %l : !cute.layout<"(?,4):(?,?{i64})">
    }
    %4 = arith.select %2, %arg1, %3 : !cute.layout<"(?,4):(?,?{i64})">
    %5:3 = cute.get_scalars<{only_dynamic}> (%4) : !cute.layout<"(?,4):(?,?{i64})">
    return %5#0, %5#1, %5#2 : i32, i32, i64
  }
"""


def run_choice(first, second, at):
    return first if at[0] < 0 else [at[0], 7, 9] if at[0] else second


# A composed layout and a tile through blocks, written before their definition,
# and evaluated.
BLOCKS = """
  func.func @f(%arg0: !cute.composed_layout<"S<2,1,3> o ? o (8,?):(?,8)">, %arg1: !cute.tile<"[?:2;_]">, %arg2: i32) -> (i32, i32) {
    %0 = arith.constant 0 : i32
    %1 = arith.constant 1 : i32
    cf.br ^head(%arg0, %0, %arg1 : !cute.composed_layout<"S<2,1,3> o ? o (8,?):(?,8)">, i32, !cute.tile<"[?:2;_]">)
  ^end:
    %2:2 = cute.get_leaves(%t) : !cute.tile<"[?:2;_]">
    %3 = cute.size(%2#0) : (!cute.layout<"?:2">) -> !cute.int_tuple<"?">
    %4 = cute.get_scalars (%3) : !cute.int_tuple<"?">
    %5 = cute.get_scalars (%v) : !cute.int_tuple<"?">
    return %5, %4 : i32, i32
  ^head(%l: !cute.composed_layout<"S<2,1,3> o ? o (8,?):(?,8)">, %i: i32, %t: !cute.tile<"[?:2;_]">):
    %c = cute.make_coord(%i, %1) : (i32, i32) -> !cute.coord<"(?,?)">
    %v = cute.layout_eval(%c, %l) : (!cute.coord<"(?,?)">, !cute.composed_layout<"S<2,1,3> o ? o (8,?):(?,8)">) -> !cute.int_tuple<"?">
    %j = arith.addi %i, %1 : i32
    %b = arith.cmpi slt, %i, %arg2 : i32
    cf.cond_br %b, ^head(%l, %j, %t : !cute.composed_layout<"S<2,1,3> o ? o (8,?):(?,8)">, i32, !cute.tile<"[?:2;_]">), ^end
  }
"""


def run_blocks(composed, tile, last):
    extent, stride, offset = composed  # of B, then the offset
    index = offset + last[0] * stride + 8
    return [index ^ ((index & 48) >> 3), tile[0]]


def positive(n):
    return lambda: [random.randint(1, 9) for _ in range(n)]


def signed(n):
    return lambda: [random.randint(-3, 5) for _ in range(n)]


FUNCTIONS = [(FOR, run_for, [positive(2), positive(1)]),
             (WHILE, run_while, [positive(2)]),
             (CHOICE, run_choice, [positive(3), positive(3), signed(1)]),
             (BLOCKS, run_blocks, [positive(3), positive(1), positive(1)])]


def cases():
    for text, function, arguments in FUNCTIONS:
        for _ in range(TRIES):
            leaves = [make() for make in arguments]
            yield {"id": function.__name__, "func": "f",
                   "mlir": "module {" + text + "}\n",
                   "dynamic_leaf_args": leaves, "result": function(*leaves)}


def main():
    random.seed(int(sys.argv[2]))
    tried = list(cases())
    wrong = 0
    for passes in PASSES:
        for case, found in zip(tried, execute(sys.argv[1], passes, tried)):
            if found != case["result"]:
                wrong += 1
                print(f"{passes}: {case['id']}{case['dynamic_leaf_args']} "
                      f"gives {found}, not {case['result']}")
    print(f"{len(PASSES) * len(tried) - wrong} of "
          f"{len(PASSES) * len(tried)} agree")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
