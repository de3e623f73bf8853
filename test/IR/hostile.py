"""Large and malformed texts end in a result or an error, in time that grows
with their length.

usage: hostile.py COUNT

Runs cute-opt on texts of about COUNT repetitions each.
"""
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
    for text, word in texts(int(sys.argv[1])):
        problem = check(text, word)
        if problem:
            failures += 1
            print("%r: %s" % (text[:40], problem))
    return failures != 0


if __name__ == "__main__":
    sys.exit(main())
