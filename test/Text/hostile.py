"""Large and malformed texts end in a result or an error, in time that grows
with their length.

usage: hostile.py COUNT

Runs cute-opt on texts of about COUNT repetitions each.
"""
import itertools
import subprocess
import sys
import time

SECONDS = 60  # also with a sanitizer
L = b'!cute.layout<"4">'


def ops(count):
    yield b'func.func @f(%l: !cute.layout<"(4,?)">, %i: i32) {\n'
    for i in range(count // 4):
        yield (b' %%a%d = cute.size(%%l)\n %%b%d = arith.addi %%i, %%i : i32\n'
               b' %%c%d = cute.make_coord(%%b%d) -> !cute.coord<"?">\n'
               b' %%d%d = cute.static : !cute.layout<"(%d,4)">\n' %
               (i, i, i, i, i, i + 1))
    yield b' return\n}\n'


def large_region(count):
    """Every look-up of %x's type would scan the region again."""
    yield b'%x = "test.x"() ({\n' + b'"test.y"() : () -> ()\n' * count
    yield b'}) : () -> ' + L + b'\n'
    for i in range(count):
        yield b'%%b%d = cute.size(%%x)\n' % i


def many_results(count):
    names = b", ".join(b"%%x%d" % i for i in range(count))
    yield names + b' = "test.x"() : () -> (' + b", ".join([L] * count) + b')\n'
    for i in range(count):
        yield b'%%b%d = cute.size(%%x%d)\n' % (i, i)


def branches(count):
    """Each else is a region within the one before."""
    yield (b"func.func @f(%p: i1) {\n  if %p {\n  }" +
           b" else if %p {\n  }" * count + b"\n  return\n}\n")


def in_foreign_ops(count):
    """What MLIR's parser would recurse in, or take quadratic time for."""
    for opening, inside, closing in (
            (b"fused[", b"unknown", b"]"), (b'callsite("a" at ', b"unknown", b")"),
            (b'"a"(', b"unknown", b")")):
        yield (b'"a"() : () -> () loc(' + opening * count + inside +
               closing * count + b")"), b"1024 deep"
    for opening, inside, closing in (
            (b"[", b"", b"]"), (b"{x = ", b"1", b"}"), (b"() -> (", b"i32", b")"),
            (b"dense<[", b"1", b"]>"), (b"#foo<", b"", b">"),
            (b"!llvm.array<1 x ", b"i32", b">")):
        yield (b'"a"() {x = ' + opening * count + inside + closing * count +
               b"} : () -> ()"), b"1024 deep"
    for number in (b"9" * count, b"9" * count + b".5", b"1.0e" + b"9" * count,
                   b"0x" + b"F" * count):
        yield b'"a"() {x = ' + number + b" : i64} : () -> ()", b"1024 char"
    for dimensions in (b"9" * count, b"1x" * count):
        yield (b'"a"() {x = tensor<' + dimensions + b"xi32>} : () -> ()",
               b"1024 characters")
    yield b'"a"() {x = @a' + b"::@a" * count + b"} : () -> ()", None
    yield b'"a"() {x = "' + b"a" * count, b"expected '\"'"
    yield b'"a\n' * count, b"error"
    yield b"%" + b"a" * count + b' = cute.static : ' + L, None
    yield b" " * (100 * count) + b"%0 = cute.static : " + L, None
    yield b"ML\xefR" + bytes(range(256)) * 100, b"this is MLIR bytecode"


def doubling(mark, value, n):
    """Each alias expands to twice as much as the one before."""
    yield mark + b"a0 = " + value[1] + b"\n"
    for i in range(n):
        name = b"%sa%d" % (mark, i)
        yield b"%sa%d = %s\n" % (mark, i + 1, value[0] % (name, name))


def aliases(count):
    """Text that expands to far longer text; or to a little longer one."""
    types, attributes = (b"tuple<%s, %s>", b"i32"), (b"[%s, %s]", b"1 : i32")
    tokens = b"aliases expand to more than"
    for n, word in ((10, None), (60, tokens)):
        yield b"".join(doubling(b"!", types, n)) + (
            b'"a"() : () -> !a%d' % n), word
        yield b"".join(doubling(b"#", attributes, n)) + (
            b'"a"() {x = #a%d} : () -> ()' % n), word
        yield b"".join(doubling(b"!", (b"(%s)\n->\n%s", b"i32"), n)) + (
            b'"a"() {x = !a%d} : () -> ()' % n), word
    yield (b"".join(doubling(b"!", types, 10)) + b'"a"() : () -> !a10\n' *
           count), tokens
    yield b"".join(b"!a%d = %s\n" % (i, L) for i in range(count)), None


def blocks(count):
    yield b"func.func @f() {\n"
    for i in range(count):
        yield b"cf.br ^b%d\n^b%d:\n" % (i, i)
    yield b"return\n}\n"


def texts(count):
    """Pairs of a text and the word that its error has, None if it is right."""
    yield b"".join(ops(count)), None
    yield b"".join(ops(count)).replace(
        b"\n", b"\r\n"), None
    yield b"".join(large_region(count)), None
    yield b"".join(many_results(count)), None
    yield b"// \xc3\xa9\xff\n" * count + b'%0 = cute.static : ' + L, None
    yield b'"a"() ({\n' * count + b'}) : () -> ()\n' * count, b"1024 deep"
    yield (b"func.func private @f(" + b"tuple<" * count + b"i32" +
           b">" * count + b")"), b"1024 deep"
    yield (b"%0 = cute.make_coord(%x) : (" + b"tuple<" * count + b"i32" +
           b">" * count + b")"), b"not closed"
    yield b"cute.print(%x) {" * count, b"too deep"
    yield b"func.func private @f() attributes {a = " + b"[" * count, b"deep"
    yield b"(%a:<" * count, b"1024 deep"
    yield b"(%a: <>" * count, b"1024 deep"
    yield b"%a, " * count, b"error"
    yield b"%a = %a, " * count, b"error"
    yield b'%a = cute.static : !cute.layout<"4' * count, b"error"
    yield b"%a = cute.static : " + L[:-1] + b" //" * count, b"error"
    yield b"cute." + b"a" * count + b"(", b"unknown operation"
    yield b"\0" * count, None
    yield b'%0 = cute.static : !cute.layout<"4\0">\n' * count, b"error"
    affine = b"func.func private @f(memref<4xi8, affine_map<(d0) -> (%s)>>)"
    for expression in (b"- " * count + b"d0", b"d0" + b" + d0" * count,
                       b"d0" + b" mod 3" * count):
        yield affine % expression, b"1024 operators"
    yield (b"%0 = cute.make_coord(%x) : (memref<4xi8, affine_map<(d0) -> (" +
           b"- " * count + b"d0)>>)"), b"1024 operators"
    yield b"".join(blocks(count)), None
    yield b"".join(branches(count)), b"512 deep"
    yield b"%a = " + b"cute.size(" * count, b"256 deep"
    yield b"%a = 0 + " + b"(" * count, b"256 deep"
    yield b"%a = cute.size((" + b"1," * count + b"1))", None
    yield b"cute.get(%x) {mode = array<i32: \0", b"not closed"
    yield b"cute.get(%x) {mode = \0} : !cute.layout<\"4\">", b"error"


def check(text, word):
    start = time.monotonic()
    try:
        ran = subprocess.run(["cute-opt", "--allow-unregistered-dialect"],
                             input=text, capture_output=True, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        return "%d seconds passed" % SECONDS
    if ran.returncode != (1 if word else 0):
        return "exit code %d" % ran.returncode
    if word and word not in ran.stderr:
        return ran.stderr.decode(errors="replace")[:300]
    print("%7.2f s  %9d bytes" % (time.monotonic() - start, len(text)))
    return None


def main():
    failures = 0
    count = int(sys.argv[1])
    for text, word in itertools.chain(texts(count), in_foreign_ops(count),
                                      aliases(count)):
        problem = check(text, word)
        if problem:
            failures += 1
            print("%r: %s" % (text[:40], problem))
    return failures != 0


if __name__ == "__main__":
    sys.exit(main())
