"""cute-canonicalize takes time that grows with the program, not faster.

usage: canonicalize_large.py OPS

Programs of that many ops, in shapes that would show quadratic work: one chain,
many equal chains, an op in many nested loops, chains no row shortens, blocks that
branch back or out. Each must be done in bounded time and leave what is written
beside it.
"""
import subprocess
import sys

SECONDS = 60  # far more than it takes, also with a sanitizer
TYPES = ["(?,4)", "(4,?)"]


def select(result, operand, i):
    return ("%s = cute.select<[1, 0]> (%s) "
            ': !cute.shape<"%s"> -> !cute.shape<"%s">'
            % (result, operand, TYPES[i % 2], TYPES[(i + 1) % 2]))


def use(a, b):
    return ('func.call @use(%s, %s) : (!cute.shape<"%s">, !cute.shape<"%s">)'
            " -> ()" % (a, b, TYPES[1], TYPES[0]))


def chain(n):
    """Each op turns the one before: two are left of any even number."""
    yield select("%v1", "%s", 0)
    for i in range(1, n):
        yield select("%%v%d" % (i + 1), "%%v%d" % i, i)
    yield use("%%v%d" % (n - 1), "%%v%d" % n)


def equal(n):
    """Equal chains from one value: all of them become the first."""
    for i in range(0, n, 2):
        yield select("%%v%d" % i, "%s", 0)
        yield select("%%v%d" % (i + 1), "%%v%d" % i, 1)
        yield use("%%v%d" % i, "%%v%d" % (i + 1))


def nested(n):
    """Loops in loops; the ops leave all of them and merge."""
    depth = 100
    for i in range(depth):
        yield "scf.for %%i%d = %%lb to %%lb step %%lb {" % i
    for i in range(n):
        yield select("%%v%d" % i, "%s", 0)
        yield use("%%v%d" % i, "%s")
    yield "}" * depth


def sums(n):
    """Sums of sums: nothing is equal, all of them stay."""
    yield 'cute.print(%s) : !cute.shape<"(?,4)">'
    yield "%v0 = cute.to_int_tuple(%s)"
    yield "%w0 = cute.get<[0]> (%v0)"
    for i in range(n):
        yield ('%%w%d = cute.tuple_add(%%w%d, %%w%d) : (!cute.int_tuple<"?">, '
               '!cute.int_tuple<"?">) -> !cute.int_tuple<"?">'
               % (i + 1, i, max(i - 1, 0)))
    yield 'cute.print(%%w%d) : !cute.int_tuple<"?">' % n


def branches(n, target):
    """A block for each op; what is above all of them replaces the last."""
    yield select("%v", "%s", 0)
    yield use("%v", "%s")
    yield "cf.br ^b0"
    for i in range(n):
        yield "^b%d:" % i
        yield "cf.cond_br %%c, ^b%d, ^b%d" % (target(i), i + 1)
    yield "^b%d:" % n
    yield select("%w", "%s", 0)
    yield use("%w", "%s")


def latches(n):
    return branches(n, lambda i: 0)


def nested_latches(n):
    return branches(n, lambda i: i // 2)


def exits(n):
    return branches(n, lambda i: n)


def run(body, n):
    source = "\n".join(
        ['func.func private @use(!cute.shape<"(4,?)">, !cute.shape<"(?,4)">)',
         'func.func @f(%s: !cute.shape<"(?,4)">, %lb: index, %c: i1) {'] +
        list(body(n)) + ["return", "}", ""])
    done = subprocess.run(["cute-opt", "--cute-canonicalize"], input=source,
                          capture_output=True, text=True, timeout=SECONDS)
    if done.returncode:
        sys.exit(done.stderr[:2000])
    return done.stdout.count("= cute.")


def main():
    n = int(sys.argv[1])
    for body, left in [(chain, 1), (equal, 1), (nested, 1), (sums, n + 2),
                       (latches, 1), (nested_latches, 1), (exits, 1)]:
        found = run(body, n)
        if found != left:
            sys.exit("%s: %d ops are left, not %d"
                     % (body.__name__, found, left))


main()
