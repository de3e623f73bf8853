"""docs/Dialect.md: the reference of the dialect, from its declaration."""
import re

KINDS = {"int": "`i32`", "ints": "`array<i32: ...>`", "unit": "`unit`", "type": "a type",
         "string": "a string"}
ANGLE = {"ints": "[{}]", "unit": "{{{}}}", "string": '"{}"'}
MANY = {"single": "{}", "optional": "[{}]", "variadic": "{}..."}
NOTES = {"single": "", "optional": " (optional)", "variadic": " (any number)"}
PARAMETERS = {"#builtin.string": "string", "#builtin.integer": "`i64`"}


def paragraphs(words):
    return "".join(words[word] + "\n\n" for word in ("summary", "description")
                   if word in words)


def example(words):
    return f"```mlir\n{words.get('example', '')}\n```\n\n"


def many(values, text):
    """The values with a comma before each but the first, in what marks their number."""
    return "".join(MANY[value.variadicity].format((", " if i else "") + text(value))
                   for i, value in enumerate(values))


def angle(op):
    text = ""
    for i, attribute in enumerate(op.attributes):
        text += "<" if not i else "[, " if attribute.optional else ", "
        text += ANGLE.get(attribute.kind, "{}").format(attribute.name)
    text += "]" * sum(attribute.optional for attribute in op.attributes[1:])
    text += ">" if op.attributes else ""
    return text + (" " if op.space_after_angle else "")


def types(values):
    return many(values, lambda value: '<"...">' if value.elided else "T")


def signature(op):
    if op.types == "NONE":
        return ""
    if op.types == "RESULT":
        return " : " + types(op.results)
    if op.types == "OPERANDS":
        return " : " + types(op.operands)
    has_brackets = op.types == "FUNCTIONAL" or len(op.operands) != 1
    operands = f"({types(op.operands)})" if has_brackets else types(op.operands)
    return f" : {operands} -> {types(op.results)}"


def assembly(op):
    operands = many(op.operands, lambda value: "%" + value.name)
    text = f"cute.{op.name}{angle(op)}"
    text += f"({operands})" if op.has_operand_list else ""
    note = "; `<...>` may be left out" if op.optional_angle else ""
    return f"- Assembly: `{text}{signature(op)}`{note}\n"


def values(role, of_role, kinds):
    """A line each; kinds in the order of the types' declarations."""
    for value in of_role:
        names = [kind for kind in kinds if kind in (value.kinds or ())]
        names += ["builtin integer or float"] * ("FOREIGN" in (value.kinds or ()))
        yield (f"- {role} `{value.name}`{NOTES[value.variadicity]}: "
               f"{', '.join(names) or 'any type'}\n")


def operation(op, kinds):
    lines = [f"### `cute.{op.name}`\n\n", paragraphs(op.words), example(op.words),
             assembly(op), *values("Operand", op.operands, kinds)]
    for attribute in op.attributes:
        is_optional = op.optional_angle or attribute.optional
        lines.append(f"- Attribute `{attribute.name}`"
                     f"{' (optional)' if is_optional else ''}: {KINDS[attribute.kind]}"
                     f"{attribute.values and ', ' + attribute.values}\n")
    how = "as written" if op.are_results_written else "inferred"
    lines += values(f"Result, {how},", op.results, kinds)
    if op.words.get("effects"):
        lines.append(f"- Effects: {op.words['effects']}\n")
    return "".join(lines) + "\n"


def type_section(definition):
    parameters = "".join(
        f"- Parameter `{value.name}`: {PARAMETERS.get(''.join(value.bases), 'type')}\n"
        for value in definition.values.get("parameters", []))
    return (f"### `!cute.{definition.name}`\n\n{paragraphs(definition.words)}"
            f"{example(definition.words)}{parameters and parameters + chr(10)}")


def title(group):
    """"LayoutAlgebra" as "Layout algebra"."""
    return group[:1] + re.sub("[A-Z]", lambda m: " " + m[0].lower(), group[1:])


def runs(items, key):
    """Lists of neighbours with the same key."""
    found = []
    for item in items:
        if not found or found[-1][0] != key(item):
            found.append((key(item), []))
        found[-1][1].append(item)
    return found


def page(dialect):
    kinds = [definition.name for definition in dialect.types]
    groups = runs(dialect.operations, lambda op: op.group)
    index = "\n".join(
        f"- {title(group)}: " + ", ".join(f"[{item.name}](#cute{item.name})"
                                          for item in items)
        for group, items in [("Types", dialect.types), *groups])
    text = f"# The cute dialect\n\n{dialect.description}\n\n{index}\n\n## Types\n\n"
    text += "".join(map(type_section, dialect.types))
    for group, ops in groups:
        text += (f"## {title(group)}\n\nCode in [lib/Ops/{group}.c](../lib/Ops/{group}.c), "
                 f"tests in [test/Ops/{group}](../test/Ops/{group}).\n\n")
        text += "".join(operation(op, kinds) for op in ops)
    return text[:-1]
