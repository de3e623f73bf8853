"""Checks what the dialect's declaration says about its types and ops.

usage: check_examples.py FILE.irdl.mlir

Each needs a summary, a description and an example. The example of a type must
come back unchanged. That of an op calls it. The example is wrapped in a function
whose arguments are the example's operands, with the types that the example
writes, and must come back unchanged, SSA names aside: once from the text itself and once from its
generic form.
"""
import re
import subprocess
import sys

SEPARATOR = "// -----\n"


class Bad(Exception):
    """What is wrong with one example."""


def read_ops(text):
    """(name, attributes, body) of every irdl.operation."""
    for op in text.split("irdl.operation @")[1:]:
        attributes, _, body = op.partition("\n  } {\n")
        yield re.match(r"\w+", op).group(), attributes, body


def read_types(text):
    """(name, attributes) of every irdl.type."""
    for declared in text.split("irdl.type @")[1:]:
        yield re.match(r"\w+", declared).group(), declared.split("\n  } {\n")[0]


def text_of(attributes, name):
    match = re.search(rf'\b{name} = "((?:[^"\\]|\\.)*)"', attributes)
    if not match or not match.group(1):
        raise Bad(f"has no {name}")
    return re.sub(r"\\(.)", r"\1", match.group(1))


def example_of(attributes):
    text_of(attributes, "summary")
    text_of(attributes, "description")
    return text_of(attributes, "example")


def kinds_of_operands(body):
    """The one type kind of each operand, None where several are allowed."""
    bases = dict(re.findall(r"%(\w+) = irdl\.base @cute::@(\w+)", body))
    match = re.search(r"irdl\.operands\((.*?)\)\n", body)
    names = re.findall(r"%(\w+)", match.group(1)) if match else []
    return [bases.get(name) for name in names]


def split_at(text, separator):
    """Splits outside of brackets and strings."""
    parts, depth, quoted, start = [], 0, False, 0
    for i, c in enumerate(text):
        if c == '"':
            quoted = not quoted
        elif quoted:
            continue
        elif c in "(<[{":
            depth += 1
        elif c in ")]}" or (c == ">" and text[i - 1] != "-"):
            depth -= 1
        if depth == 0 and text.startswith(separator, i):
            parts.append(text[start:i].strip())
            start = i + len(separator)
    return parts + [text[start:].strip()]


def operand_types(types, kinds):
    """The operand types of "(A, B) -> R", "A -> R" or "A, B"."""
    types = split_at(types, "->")[0]
    if types.startswith("(") and types.endswith(")"):
        types = types[1:-1]
    listed = split_at(types, ",") if types else []
    return [f"!cute.{kinds[i]}{t}" if t.startswith("<") else t
            for i, t in enumerate(listed)]


def wrap(name, example, kinds):
    """A function of the example's operands with the example as its body."""
    call = re.fullmatch(r"(?:%\w+(?::\d+)? = )?cute\.(\w+)(.*)", example)
    if not call or call.group(1) != name:
        raise Bad(f"the example does not call cute.{name}: {example}")
    head, *types = split_at(call.group(2), " : ")
    values = re.findall(r"%\w+", head)
    listed = operand_types(types[0], kinds) if values and types else []
    if len(listed) != len(values):
        raise Bad(f"the example has {len(values)} operands, but "
                  f"{len(listed)} operand types: {example}")
    arguments = dict(zip(values, listed))
    if any(arguments[v] != t for v, t in zip(values, listed)):
        raise Bad(f"an operand of the example has two types: {example}")
    written = ", ".join(f"{v}: {t}" for v, t in arguments.items())
    return f"func.func @f({written}) {{\n  {example}\n  return\n}}\n"


def cute_opt(chunks, *options):
    """The chunks as printed, "" for those in error, and the messages."""
    result = subprocess.run(["cute-opt", "--split-input-file", *options],
                            input=SEPARATOR.join(chunks),
                            capture_output=True, text=True, check=False)
    return result.stdout.split(SEPARATOR), result.stderr


def find_call(printed, name):
    for line in printed.splitlines():
        if re.match(rf"\s*(%\S+ = )?cute\.{name}\b", line):
            return without_names(line.strip())
    return None


def without_names(text):
    return re.sub(r"%\w+", "%", text)


def check_round_trip(examples, chunks):
    """Reports for the ops whose example does not come back."""
    pretty, messages = cute_opt(chunks)
    generic, more = cute_opt(chunks, "--mlir-print-op-generic")
    again, _ = cute_opt(generic)
    for (name, example), *forms in zip(examples.items(), pretty, generic,
                                       again):
        wanted = without_names(example)
        if forms[0] and f'"cute.{name}"(' not in forms[1]:
            yield f"{name}: the generic form lacks the op"
        for how, form in (("pretty", forms[0]), ("generic", forms[2])):
            found = find_call(form, name)
            if found != wanted:
                yield (f"{name}: the example\n    {wanted}\n"
                       f"  comes back from the {how} form as\n    {found}")
    if messages or more:
        yield messages or more


def check_types(types):
    """Reports for the types whose example does not come back."""
    for name, attributes in types:
        try:
            example = example_of(attributes)
        except Bad as bad:
            yield f"!{name}: {bad}"
            continue
        printed, messages = cute_opt([f"func.func private @f({example})\n"])
        if not example.startswith(f"!cute.{name}<"):
            yield f"!{name}: the example is another type: {example}"
        if f"@f({example})" not in printed[0]:
            yield (f"!{name}: the example {example} comes back as\n"
                   f"    {printed[0] or messages}")


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        text = file.read()
    ops, types = list(read_ops(text)), list(read_types(text))
    examples, chunks = {}, []
    reports = list(check_types(types))
    for name, attributes, body in ops:
        try:
            example = example_of(attributes)
            chunks.append(wrap(name, example, kinds_of_operands(body)))
            examples[name] = example
        except Bad as bad:
            reports.append(f"{name}: {bad}")
    reports += check_round_trip(examples, chunks) if chunks else []
    for report in reports:
        print(report)
    print(f"{len(types)} types, {len(ops)} ops, {len(reports)} reports")
    return 1 if reports or not ops or not types else 0


if __name__ == "__main__":
    sys.exit(main())
