"""Reads outputs with the patterns of Compiler Explorer's parsers (asm-parser-ptx.ts,
asm-parser-mlir.ts, mlir-pass-dump-parser.ts): compiler_explorer.py FOLDER SOURCE"""
import pathlib
import re
import sys

folder, source = map(pathlib.Path, sys.argv[1:])
text = source.read_text().splitlines()
first = next(i for i, line in enumerate(text, 1) if "gpu.func" in line)
lines = range(first, len(text) + 1)


def read(name):
    return (folder / name).read_text().splitlines()


def ptx():
    """The source lines of instructions, as .loc and .file give them."""
    code = read("output.ptx")
    files = dict(m.groups() for m in map(
        re.compile(r'^\s*\.file\s+(\d+)\s+"([^"]+)"').match, code) if m)
    at = None
    for line in code:
        if found := re.match(r"^\s*\.loc\s+(\d+)\s+(\d+)\s+(\d+)", line):
            assert files[found[1]].endswith(source.name), files
            at = int(found[2])
        elif at and re.match(r"^\s+[@a-z][\w.%@]* .*;", line):
            yield at


def mlir():
    """The source lines of ops, as loc(#locN) and its definition give them."""
    code = read("output.mlir")
    definition = re.compile(r'^\s*#(\w+)\s*=\s*loc\("([^"]+)":(\d+):(\d+)\)')
    places = {m[1]: int(m[3]) for m in map(definition.match, code) if m}
    for line in code:
        if (found := re.search(r"\s*loc\(#(\w+)\)", line)) and not definition.match(line):
            yield places.get(found[1])


def passes():
    header = re.compile(r"^// -----// (IR Dump (?:Before|After) .+) //----- //$")
    dumps = [m[1] for m in map(header.match, read("dumps")) if m]
    before = [d.removeprefix("IR Dump Before ") for d in dumps if "Before" in d]
    after = [d.removeprefix("IR Dump After ") for d in dumps if "After" in d]
    assert before == after, dumps
    return [name.split()[0] for name in after]


at = list(ptx())
assert at and all(line in lines for line in at), at
print(f"PTX: {len(at)} instructions at lines of gpu.func")
at = [line for line in mlir() if line in lines]
print(f"MLIR: {len(at)} ops at {len(set(at))} lines of gpu.func")
print("passes:", ", ".join(passes()))
