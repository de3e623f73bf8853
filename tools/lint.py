#!/usr/bin/env python3
"""Checks what the compiler and clang-format do not: C only, layering, sizes, and names
that are there once."""
import ast
import builtins
import collections
import pathlib
import re
import subprocess
import sys

MAX_FILE, MAX_FUNCTION = 500, 60
LAYERS = ["Support", "Hardware", "Algebra", "IR", "Text", "Lowering", "Ops",
          "Lanes", "Transforms", "Conversion", "Lint", "Jit", "Codegen", "Compile", "Prove", "Package", "Tools"]
SEES = {layer: set(LAYERS[:i + 1]) for i, layer in enumerate(LAYERS)}
# They see LLVM, but no MLIR.
SEES["Jit"] = {"Support", "Jit"}
SEES["Codegen"] = {"Support", "Jit", "Codegen"}
# These see no compiler.
SEES["Check"] = {"Support", "Hardware", "Algebra", "Check"}
SEES["Runtime"] = {"Support", "Hardware", "Runtime"}
SEES["Run"] = SEES["Check"] | SEES["Runtime"] | {"Run"}
SEES["Simulator"] = {"Support", "Hardware", "Algebra", "Simulator"}
# The simulated device: what runs kernels calls it as a driver, and it has the
# types.
SEES["SimulatedDevice"] = SEES["Tools"] | {"Jit", "Simulator", "Runtime", "Calculator",
                                            "SimulatedDevice"}
SEES["Server"] = SEES["Tools"] | {"Calculator", "Server"}
# It sees types and inference, the part of IR and Ops that is free of MLIR.
SEES["Calculator"] = {"Support", "Hardware", "Algebra", "IR", "Ops", "Calculator"}
MLIR_FREE = {"Support", "Hardware", "Algebra", "Jit", "Codegen", "Simulator", "Check",
             "Runtime", "Run", "Calculator"}


# Folders whose strings may not have the name of an op: who asks for one takes its
# number, CUTE_OP_NAME, so that the compiler finds names that are no more.
NAMES_OPS = {"IR", "Text", "Lowering", "Ops", "Lanes", "Transforms",
             "Conversion", "Lint", "Compile", "Prove", "Package", "SimulatedDevice"}
# Files in which such a string means something else.
OTHER_WORDS = {("lib/Package/export_module.c", "load"),
               ("lib/Package/host_halves.c", "printf"),
               ("lib/IR/type_text.c", "copy"), ("lib/Ops/copy_atoms.c", "size"),
               ("lib/Compile/report.c", "set_registers"),
               ("lib/Lowering/printf.c", "printf"), ("lib/Ops/Constants.c", "equal"),
               ("lib/Ops/Tma.c", "group"), ("lib/Ops/pipeline_lower.c", "group"),
               ("lib/Ops/tma_copy.c", "group"), ("lib/Transforms/tiles/rasterize.c", "group"),
               ("lib/Prove/grid.c", "ceil_div"), ("lib/Prove/walk_memory.c", "size"), ("lib/Prove/walk_order.c", "group")}
# Folders whose functions are named after operations, as their files are.
NAMED_BY_OPERATION = {"Algebra", "Calculator"}
# Phrases that messages do without: whose, the ones, a second sentence, a plain verb.
REFUSED = re.compile(r"\b(of which|those that|is said|in the place of|so that it may|"
                     r"are possible|are the most|is of version|or those do)\b")
# Refused where no message has them any more: "is not a number", "with no barrier in between".
ALSO_REFUSED = re.compile(r"(?<!there )\bis no (?!more|longer|less)\w|\bstands\b")
SPOKEN = MLIR_FREE - {"Algebra", "Codegen"} | {"Tools", "Lint", "Lanes", "Server", "SimulatedDevice"}
# Phrases that these do without, also in comments and across the ends of lines.
READ_ALOUD = {"lib", "test", "tools", "bench", "kernels", "examples", "python", "include",
              "dialect", "docs", "README.md", "CONTRIBUTING.md", "dev"}
UNSPOKEN = re.compile(r"\b(" + "|".join(
    phrase.replace(" ", r"(?:\s*\n\s*(?://+|#)?\s*|[ \t]+)")
    for phrase in ("of which", r"what \w+ (?:is|are) of", "is said", "those that", "those of",
                   "in the place of")) + r")\b")
# Names so common that one knows where they are.
EVERYDAY = {"cuteAllocate", "cuteAllocateZeros", "cuteReallocate", "cuteIntType",
            "cuteIntAttr", "cuteStringAttr", "cuteParsedType", "cuteParsedAttr", "cuteElementMlirType"}
IRDL = pathlib.Path("dialect/cute.irdl.mlir")
PASSES = pathlib.Path("dialect/passes.def")


def op_groups():
    """The group of each op, by its name."""
    return dict(re.findall(r"irdl\.operation @(\w+) attributes {\s*group = \"(\w+)\"",
                           IRDL.read_text(encoding="utf-8")))


GROUPS = op_groups()


def op_names(path, text):
    """(line, what) of strings that are the name of an op of another file."""
    for number, line in enumerate(text.splitlines(), 1):
        for prefix, name in re.findall(r'"(cute\.)?(\w+)"', line.split("//")[0]):
            group = GROUPS.get(name)
            if not group or path == pathlib.Path(f"lib/Ops/{group}.c"):
                continue
            if (str(path), name) not in OTHER_WORDS:
                yield number, f"\"{prefix}{name}\" is CUTE_OP_{name.upper()}"


def comments(text):
    """(line, what) of comments that begin with a clause instead of a verb or a name."""
    before = ""
    for number, line in enumerate(text.splitlines(), 1):
        found = re.match(r"(?://+|#) (What|Whether|How|Of|Where|Which) ", line.strip())
        if found and not before.startswith(("//", "#")):
            yield number, f"a comment begins with '{found[1]}', not with a verb or a name"
        before = line.strip()


def phrases(path, text):
    """(line, what) of messages that nobody would say aloud so."""
    also = ALSO_REFUSED if path.parts[:1] == ("lib",) and path.parts[1] in SPOKEN else REFUSED
    for number, line in enumerate(text.splitlines(), 1):
        for literal in re.findall(r'"((?:[^"\\]|\\.)*)"', line.split("//")[0]):
            found = REFUSED.search(literal) or also.search(literal)
            if found:
                yield number, f"a message has '{found[0]}'; say it in other words"


def unspoken(path):
    """(line, what) of phrases that one reads again instead of on. What tools print into
    a page is not the page's."""
    if path.parts[0] not in READ_ALOUD or path == pathlib.Path("tools/lint.py"):
        return
    try:
        text = path.read_text(encoding="utf-8")
    except (UnicodeDecodeError, IsADirectoryError):
        return
    if path.suffix == ".md":
        text = re.sub(r"^```.*?^```", lambda block: "\n" * block[0].count("\n"), text,
                      flags=re.M | re.S)
    for found in UNSPOKEN.finditer(text):
        phrase = re.sub(r"[\s/#]+", " ", found[1])
        yield text.count("\n", 0, found.start()) + 1, f"'{phrase}'; say it in other words"


def banners(text):
    """(line, what) of torn lines: a banner that clang-format broke or that nothing
    follows, and what begins after the brace of something else."""
    lines = text.splitlines()
    for number, line in enumerate(lines, 1):
        if re.match(r"//===-- \S", line):
            after = next((other for other in lines[number:] if other.strip()), "//===--")
            if not re.search(r" -*===//$", line):
                yield number, "a torn banner"
            elif after.startswith("//===--"):
                yield number, "a banner over nothing"
        if re.match(r"} (static|void|bool) ", line):
            yield number, "a declaration after the brace of another"


# Lines of C that parts of lib/ may have, summed up over their folders (CONTRIBUTING.md).
BUDGETS = {"compiler": 64_000, "simulator": 16_500, "calculator": 5_500, "runners": 6_000}
PARTS = {"simulator": {"Simulator", "SimulatedDevice", "Jit"}, "calculator": {"Calculator"},
         "runners": {"Run", "Runtime", "Check"}}


def budgets():
    """Prints the lines of each part beside its budget; what is over one is no problem
    of a file, but to be seen."""
    lines = collections.Counter()
    for path in tracked():
        if path.parts[0] == "lib" and path.suffix in (".c", ".h", ".def"):
            part = next((part for part, folders in PARTS.items()
                         if path.parts[1] in folders), "compiler")
            lines[part] += path.read_text(encoding="utf-8").count("\n")
    for part, budget in BUDGETS.items():
        print(f"{part}: {lines[part]:,} of {budget:,} lines"
              + (", over its budget" if lines[part] > budget else ""))


def tracked():
    names = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        capture_output=True, text=True, check=True).stdout.split()
    return [pathlib.Path(n) for n in names if pathlib.Path(n).exists()]


def functions(text):
    """(line, length) of what starts at column 0 and ends with a lone brace."""
    start, has_body = None, False
    for number, line in enumerate(text.splitlines(), 1):
        if re.match(r"[A-Za-z].*[({,]$", line) and start is None:
            start, has_body = number, False
        has_body = has_body or line.endswith("{")
        if line in ("}", "};") or re.match(r"^}.*;$", line):
            if start is not None and line == "}":
                yield start, number - start + 1
            start = None
        elif line.endswith(";") and not line.startswith((" ", "}")):
            start = None
        elif line.endswith(");") and not has_body:
            start = None


def unknown_names(text):
    """(line, what) of names that a Python module reads and nothing in it gives a value."""
    tree, given, annotations = ast.parse(text), {*dir(builtins), "__file__", "__path__"}, set()
    for node in ast.walk(tree):
        kept = [getattr(node, name, None) for name in ("annotation", "returns")]
        annotations |= {id(x) for part in kept if part for x in ast.walk(part)}
        given |= {getattr(node, name, None) for name in ("name", "arg")}
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            given.add(node.id)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            given |= {(x.asname or x.name).split(".")[0] for x in node.names}
    for node in ast.walk(tree) if "*" not in given else ():
        if isinstance(node, ast.Name) and node.id not in given and id(node) not in annotations:
            yield node.lineno, f"nothing gives '{node.id}' a value"


def problems(path):
    if path.suffix in (".cpp", ".cc", ".cxx", ".hpp"):
        yield 1, "a C++ file"
    yield from unspoken(path)
    is_python = path.suffix == ".py" and path.parts[0] in ("python", "bench", "kernels", "tools")
    if path.suffix not in (".c", ".h") and not is_python:
        return
    text = path.read_text(encoding="utf-8")
    lines = text.count("\n")
    if lines > MAX_FILE:
        yield MAX_FILE, f"{lines} lines; at most {MAX_FILE}"
    if is_python:
        yield from comments(text)
        yield from unknown_names(text)
        return
    for start, length in functions(text):
        if length > MAX_FUNCTION:
            yield start, f"a function of {length} lines; at most {MAX_FUNCTION}"
    yield from banners(text)
    yield from phrases(path, text)
    if path.parts[0] in ("lib", "include", "tools", "python"):
        yield from comments(text)
    if path.parts[0] == "lib":
        layer = path.parts[1]
        if layer in NAMES_OPS:
            yield from op_names(path, text)
        for number, line in enumerate(text.splitlines(), 1):
            found = re.match(r'#include ["<]([\w-]+)/', line)
            if not found:
                continue
            other = found.group(1)
            if other in SEES and other not in SEES[layer]:
                yield number, f"lib/{layer} may not include lib/{other}"
            if other == "mlir-c" and layer in MLIR_FREE:
                yield number, f"lib/{layer} is free of MLIR"


def doubled_files(paths):
    """Files of lib/ and beside it that have the same name, as (path, line, what). A
    tool's entry point may be called as what it enters."""
    named = collections.defaultdict(list)
    for path in paths:
        if path.suffix in (".c", ".h") and path.parts[0] in ("lib", "include", "bench",
                                                             "examples"):
            named[path.name].append(path)
    for same in named.values():
        for path in same[1:]:
            yield path, 1, f"a file of {same[0].parent} has this name, too"


def external_symbols(build):
    """{external name: the sources that define it} of a build."""
    commands = build / "compile_commands.json"
    if not commands.exists():
        return {}
    named = set(re.findall(r" -o (\S+)", commands.read_text(encoding="utf-8")))
    objects = [str(path) for path in build.glob("CMakeFiles/Cute*.dir/**/*.c.o")
               if str(path.relative_to(build)) in named]  # not of a build before
    if not objects:
        return {}
    listed = subprocess.run(["nm", "-A", "--defined-only", "--extern-only", *objects],
                            capture_output=True, text=True, check=True).stdout
    places = collections.defaultdict(list)
    for line in listed.splitlines():
        place, _, rest = line.partition(":")
        source = re.search(r"\.dir/(.*)\.o$", place)[1]
        if pathlib.Path(source).exists():
            places[rest.split()[-1]].append(pathlib.Path(source))
    return dict(sorted(places.items()))


def doubled_symbols(symbols):
    """External names that two files define."""
    for name, found in symbols.items():
        for path in found[1:]:
            yield path, 1, f"{found[0]} defines {name}, too"


def word_stems(text):
    """The words of a name, as far as singular and plural or a verb and who does it
    agree."""
    return {word[:5].lower().rstrip("s")
            for word in re.findall(r"[A-Z]?[a-z]+", text.removeprefix("cute"))}


def headers():
    """What each header declares: {name: words of the header and of its types}."""
    declared = {}
    for path in pathlib.Path("lib").rglob("*.h"):
        text = re.sub(r"//.*", "", path.read_text(encoding="utf-8"))
        for rows in re.findall(r'#include "(\w+/\w+\.def)"', text):
            folder = "dialect" if rows.startswith("hardware/") else "lib"
            table = pathlib.Path(folder, rows).read_text(encoding="utf-8")
            text += table
            for prefix in re.findall(r"\b(cute\w+_)##", text):
                text += "".join(f" {prefix}{name}" for name in re.findall(r"\w+", table))
        types = re.findall(r"\bCute(\w+);|struct Cute(\w+) {", text)
        words = word_stems(" ".join([path.stem, *map("".join, types)]))
        for name in re.findall(r"\bcute\w+", text):
            declared[name] = declared.get(name, set()) | words
    return declared


def misnamed_symbols(symbols):
    """External names that lead to no file: they share no word with the file that defines
    them, with its header or with a type of that header. Public ones lead to a header
    of include/cute, and passes to passes.def."""
    public = {name for path in [*pathlib.Path("include").rglob("*.h"), PASSES]
              for name in re.findall(r"\bcute\w+", path.read_text(encoding="utf-8"))}
    declared = headers()
    for name, found in symbols.items():
        path = found[0]
        if path.parts[1] in NAMED_BY_OPERATION or name in public | EVERYDAY:
            continue
        known = word_stems(path.stem) | declared.get(name, set())
        if not any(word in name.lower() for word in known):
            yield path, 1, f"{name} has no word of this file or its header"


def main():
    found = [f"{path}:{line}: {what}"
             for path in tracked() for line, what in problems(path)]
    symbols = external_symbols(pathlib.Path("build/release"))
    more = [*doubled_files(tracked()), *doubled_symbols(symbols),
            *misnamed_symbols(symbols)]
    found += [f"{path}:{line}: {what}" for path, line, what in more]
    budgets()
    print("\n".join(found + [f"{len(found)} problems"]))
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
