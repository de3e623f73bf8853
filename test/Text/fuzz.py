"""Mutated input makes cute-opt succeed or report errors, never crash or hang.

usage: fuzz.py COUNT SEED ROOT [cute-opt options...]

Mutants of the examples, of this folder's tests and of the examples of all ops
go through cute-opt in batches. A batch that does not exit with 0 or 1 in time
is run again one by one, and the mutants at fault are printed.
"""
import glob
import os
import random
import re
import signal
import subprocess
import sys
import tempfile

BATCH = 150
SECONDS = 120  # for a batch, also with a sanitizer
SEPARATOR = b"\n//@@@@@@\n"
TOKEN = re.compile(rb'"(?:[^"\\\n]|\\.)*"|[%!#@^]?[A-Za-z_$.][\w$.]*'
                   rb'|%\d+|\d+|->|\s+|.', re.S)
NUMBERS = [b"0", b"-1", b"1", b"2147483648", b"9223372036854775807",
           b"9223372036854775808", b"1" * 400, b"-9223372036854775808"]
CHARACTERS = b'()[]{}<>,:;?_@ox-*"\\=#%!^\n\0\x80\xff /0129S'
TYPE = re.compile(r'(?:!cute\.\w+|vector)?<(?:[^<>"]|"[^"]*"|<\d+>)*>|[if]\d+')


def whole(type_):
    """The type of a text that has only <"...">."""
    if not type_.startswith("<"):
        return type_
    kind = ("composed_layout" if " o " in type_ else "tile" if "[" in type_
            else "layout" if ":" in type_ else "int_tuple")
    return "!cute." + kind + type_


def op_examples(root):
    """Each op's example, its operands made by ops of an unknown dialect."""
    with open(os.path.join(root, "dialect", "cute.irdl.mlir")) as file:
        text = file.read()
    ops = text[text.index("irdl.operation"):]
    for quoted in re.findall(r'example = "((?:[^"\\]|\\.)*)"', ops):
        example = quoted.replace('\\"', '"')
        if example.startswith("!"):  # of a type
            continue
        call, _, types = example.partition(" : ")
        operands = re.findall(r"%\w+", call.partition("(")[2])
        found = TYPE.findall(types.partition(" -> ")[0])
        made = dict(zip(operands, map(whole, found)))
        lines = ['%s = "test.value"() : () -> %s' % pair
                 for pair in made.items()]
        yield "\n".join(lines + [example, ""]).encode()


def seeds(root):
    paths = sorted(glob.glob(os.path.join(root, "examples", "*.mlir")) +
                   glob.glob(os.path.join(root, "test", "IR", "*.mlir")) +
                   glob.glob(os.path.join(root, "test", "Text", "infix*.mlir")) +
                   glob.glob(os.path.join(root, "test", "Text", "control*.mlir")))
    large = []
    for path in paths:
        with open(path, "rb") as file:
            large += re.split(rb"^// -----.*\n", file.read(), flags=re.M)
    return large, list(op_examples(root))


def nested(random_, text):
    """Very deep or very long text where a string or an operand list was."""
    depth = random_.choice([10, 255, 256, 257, 5000, 60000])
    inside = random_.choice([
        b"(" * depth + b"1" + b")" * depth, b"(" * depth,
        b"[" * depth + b"1" + b"]" * depth, b"1" + b",1" * depth,
        b"(1" + b",1" * depth + b")", b"1@0" + b"@1" * depth,
        b"S<1,2,3> o 0 o " * depth + b"1:1", b"?{" + b"i64 " * depth + b"}"])
    strings = [m.span() for m in re.finditer(rb'"[^"\n]*"', text)]
    if not strings:
        return inside + text
    start, end = random_.choice(strings)
    return text[:start] + b'"' + inside + b'"' + text[end:]


def mutate(random_, text, words):
    kind = random_.randrange(12)
    if kind == 0:
        return text[:random_.randrange(len(text) + 1)]
    if kind == 1:
        return nested(random_, text)
    if kind <= 3:
        at = random_.randrange(len(text) + 1)
        drop = random_.randrange(3)
        new = bytes(random_.choice(CHARACTERS)
                    for _ in range(random_.randrange(1, 4)))
        return text[:at] + new + text[at + drop:]
    tokens = TOKEN.findall(text)
    solid = [i for i, token in enumerate(tokens) if not token.isspace()]
    if not solid:
        return text
    i, j = random_.choice(solid), random_.choice(solid)
    numbers = [k for k in solid if re.search(rb"\d", tokens[k])]
    if kind == 4:
        del tokens[i]
    elif kind == 5:
        tokens.insert(i, tokens[i] + b" ")
    elif kind == 6:
        tokens[i], tokens[j] = tokens[j], tokens[i]
    elif kind == 7:
        tokens[i] = random_.choice(words)
    elif kind <= 10 and numbers:
        k = random_.choice(numbers)
        digits = random_.choice(re.findall(rb"\d+", tokens[k]))
        new = (random_.choice(NUMBERS) if random_.random() < .6 else
               random_.choice([b"?", b"_", b"(2,3)", b"1@0", b"x", b"", b"3",
                               b"?{i64 div=8}"]))
        tokens[k] = tokens[k].replace(digits, new, 1)
    else:
        del tokens[min(i, j):min(max(i, j), min(i, j) + 20)]
    return b"".join(tokens)


def run(tool, parts):
    """The exit code, negative after a signal; None after too long a time."""
    with tempfile.NamedTemporaryFile(suffix=".mlir") as file:
        file.write(SEPARATOR.join(parts))
        file.flush()
        try:
            done = subprocess.run(
                tool + [file.name], stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE, timeout=SECONDS)
            return done.returncode, done.stderr
        except subprocess.TimeoutExpired:
            return None, b""


def describe(code):
    if code is None:
        return "takes longer than %d s" % SECONDS
    return signal.Signals(-code).name if code < 0 else "exit code %d" % code


def is_wrong(code, errors):
    return code not in (0, 1) or b"Sanitizer" in errors or (
        b"runtime error" in errors)


def main():
    count, seed, root = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
    tool = ["cute-opt", "--split-input-file=" + SEPARATOR.strip().decode(),
            "--allow-unregistered-dialect"] + sys.argv[4:]
    random_ = random.Random(seed)
    large, small = seeds(root)
    words = sorted({token for text in large + small
                    for token in TOKEN.findall(text) if not token.isspace()})
    code, errors = run(tool[:3], small)
    if code != 0:
        print("the examples of ops do not parse:", errors.decode()[:4000])
        return 1
    mutants = []
    for i in range(count):
        text = random_.choice(large if i % 4 == 0 else small)
        for _ in range(random_.choice([1, 1, 1, 2, 3])):
            text = mutate(random_, text, words)
        mutants.append(text.replace(SEPARATOR, b""))
    failures = 0
    for start in range(0, count, BATCH):
        batch = mutants[start:start + BATCH]
        code, errors = run(tool, batch)
        if not is_wrong(code, errors):
            continue
        for i, mutant in enumerate(batch):
            code, errors = run(tool, [mutant])
            if is_wrong(code, errors):
                failures += 1
                name = os.path.join(tempfile.gettempdir(),
                                    "cute-fuzz-%d-%d.mlir" % (seed, start + i))
                with open(name, "wb") as file:
                    file.write(mutant)
                print("%s: %s\n%s" % (name, describe(code),
                                      errors.decode(errors="replace")[-1500:]))
    print("%d mutants, %d failures" % (count, failures))
    return failures != 0


if __name__ == "__main__":
    sys.exit(main())
