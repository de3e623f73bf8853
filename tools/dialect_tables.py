"""Writes what the library is built of dialect/cute.irdl.mlir, unless it is there:

  op_ids.def       CUTE_OP(COPY_IF, "copy_if") for each op, by name
  op_groups.def    CUTE_OP_GROUP(Copy) for each group of ops, by name
  op_decls.def     a CuteOpDecl for each op, in the order of their numbers
  irdl_types.def   types and attributes, as rows of lib/IR/declare.c
  foreign_types.def  types of other dialects that operands may have
  pure_rows.def    CUTE_PURE_ROW(id, name, operands, summary) for each number of operands of
                   ops that only compute: rows of the calculator, of groups without MLIR
  split.irdl.mlir  what stock mlir-opt reads: mixed groups of values are split
  Dialect.md       the reference

usage: dialect_tables.py DECLARATION OUTPUT GROUPS FILE...
  GROUPS  those without MLIR, with commas between; the FILEs have rows of the calculator
          written by hand, whose ops get no other
"""
import itertools
import pathlib
import re
import sys

import declarations
import dialect_page

NUM_MIXED = 64  # CUTE_NUM_MIXED


# ---- C ----------------------------------------------------------------------------

def c_string(text):
    """A literal, of bytes that compilers read alike."""
    escaped = "".join(
        chr(byte) if 32 <= byte < 127 and byte not in b'"\\?' else f"\\{byte:03o}"
        for byte in text.encode())
    return f'"{escaped}"'


def reference(text):
    return f"REF({c_string(text)})" if text else '{"", 0}'


def fields(pairs):
    """{.name = value, ...}, without zeros."""
    return "{" + ", ".join(f".{name} = {value}" for name, value in pairs
                           if value not in ("0", "false", None)) + "}"


def c_bool(value):
    return "true" if value else "false"


def kinds_of(value):
    if value.kinds is None:
        return "~(CuteKindSet)0"
    return " | ".join(f"KIND({kind.upper()})" for kind in sorted(value.kinds))


def foreign_of(value, foreign):
    return sum(1 << i for i, base in enumerate(foreign) if base in value.bases)


def value_row(value, foreign):
    return fields([("name", reference(value.name)), ("kinds", kinds_of(value)),
                   ("foreign", str(foreign_of(value, foreign))),
                   ("variadicity", f"CUTE_{value.variadicity.upper()}"),
                   ("elided", c_bool(value.elided))])


def attribute_row(attribute):
    return fields([("name", reference(attribute.name)),
                   ("kind", f"CUTE_ATTRIBUTE_{attribute.kind.upper()}"),
                   ("optional", c_bool(attribute.optional)),
                   ("words", "(const char *const[]){%s, NULL}" % ", ".join(
                       map(c_string, attribute.words)) if attribute.words else None),
                   ("values", c_string(attribute.values) if attribute.values else None),
                   ("least", attribute.least or None),
                   ("most", attribute.least and (attribute.most or "INT64_MAX") or None)])


def traits_row(op):
    traits = op.traits
    arch, suffix = op.words.get("arch", 0), op.words.get("arch_suffix")
    roles = [(role, str(traits.fields.get(role, "CUTE_NO_OPERAND")))
             for role in declarations.ROLES]
    others = [(name, value) for name, value in traits.fields.items()
              if name not in declarations.ROLES]
    return "{" + ", ".join(f".{name} = {value}" for name, value in [
        ("effect", f"CUTE_EFFECT_{traits.effect}"),
        ("isPure", c_bool("effects" not in op.words)),
        ("reads", str(sum(1 << i for i in traits.reads))), *roles, *others,
        ("arch", str(arch)), ("suffix", f"'{suffix}'" if suffix else "0")]) + "}"


def rows(values, row):
    return "{" + ", ".join(row(value) for value in values) + "}" if values else None


def decl_row(op, foreign):
    """An initializer of CuteOpDecl."""
    def many(values):
        return rows(values, lambda value: value_row(value, foreign))
    return fields([
        ("id", f"CUTE_OP_{op.name.upper()}"), ("name", reference(op.name)),
        ("group", reference(op.group)), ("summary", reference(op.words["summary"])),
        ("numOperands", str(len(op.operands))), ("numResults", str(len(op.results))),
        ("numAttributes", str(len(op.attributes))), ("operands", many(op.operands)),
        ("results", many(op.results)),
        ("attributes", rows(op.attributes, attribute_row)),
        ("optionalAngle", c_bool(op.optional_angle)),
        ("spaceAfterAngle", c_bool(op.space_after_angle)),
        ("hasOperandList", c_bool(op.has_operand_list)),
        ("attrDictLast", c_bool(op.attr_dict_last)),
        ("declaresResults", c_bool(op.are_results_written)),
        ("mixedOperands", c_bool(op.mixed_operands)),
        ("mixedResults", c_bool(op.mixed_results)),
        ("segmentedOperands",
         c_bool(sum(value.variadicity != "single" for value in op.operands) > 1)),
        ("types", f"CUTE_TYPES_{op.types}"), ("traits", traits_row(op))])


def type_row(definition):
    parameters = definition.values.get("parameters", [])
    names = ", ".join(
        "{%s, %s}" % (c_string(value.name),
                      c_string(value.bases[0]) if value.bases else "NULL")
        for value in parameters)
    return (f'{{"irdl.{definition.what}", {c_string(definition.name)}, '
            f"{len(parameters)}, {{{names}}}}},\n")


# ---- The calculator ---------------------------------------------------------------

# Kinds by the letter of an operand that is one of them.
LETTERS = {"swizzle": "S", "mma_atom": "A", "copy_atom": "C", "tiled_mma": "M",
           "tiled_copy": "K"}
TREES = {"int_tuple", "shape", "stride", "coord"}
LAYOUTS = {"layout", "composed_layout"}
ATTRIBUTE_LETTERS = {"int": "I", "ints": "T", "type": "E"}


def letter_of(value):
    """That of an operand; empty where no value of the calculator is of its kinds."""
    kinds = value.kinds or set()
    letters = [LETTERS[kind] for kind in LETTERS if kind in kinds]
    if "tile" in kinds and "int_tuple" not in kinds:
        letters.append("P")
    elif kinds & TREES:
        letters.append("Y" if kinds & (LAYOUTS | {"tile"}) else "T")
    elif kinds & LAYOUTS:
        letters.append("L")
    return "V" if len(letters) > 1 else "".join(letters)


def operand_letters(op):
    """The letters of each form of an op, by how many operands it has; none where the
    calculator has no such values."""
    letters, forms = "", []
    for i, value in enumerate(op.operands):
        letter = letter_of(value)
        if not letter or (value.variadicity == "variadic" and
                          "FOREIGN" in (value.kinds or {"FOREIGN"})):
            return []
        if value.variadicity == "variadic":
            return [letters + letter * n for n in range(1, 9)]
        if value.variadicity == "optional":
            forms.append(letters)
        if i and letters == "Y" and value.bases == op.operands[i - 1].bases:
            letters = letter = "X"
        letters += letter
    return forms + [letters]


def forms_of(op):
    """The same with letters for the attributes, which follow the operands."""
    forms = operand_letters(op)
    is_optional = op.optional_angle
    for attribute in op.attributes:
        letter = ATTRIBUTE_LETTERS.get(attribute.kind, "")
        is_optional |= attribute.optional
        if not letter and not is_optional:
            return []
        if letter:
            extended = [form + letter for form in forms]
            forms = forms + extended if is_optional else extended
    return forms


def pure_rows(ops, groups, by_hand):
    for op in ops:
        if "effects" in op.words or op.group not in groups or op.name in by_hand:
            continue
        if not op.results or op.results[0].kinds == {"FOREIGN"}:
            continue
        summary = op.words["summary"].removesuffix(".")
        if re.match("[A-Z][a-z]", summary):
            summary = summary[0].lower() + summary[1:]
        names = filter(None, [op.name, op.words.get("calculator")])
        for name, form in itertools.product(names, forms_of(op)):
            yield (f'CUTE_PURE_ROW({op.name.upper()}, "{name}", "{form}", '
                   f"{c_string(summary)})\n")


def names_by_hand(paths):
    return {name for path in paths for name in re.findall(
        r'^[A-Z]+\("(\w+)", "', pathlib.Path(path).read_text(encoding="utf-8"), re.M)}


# ---- IRDL with all that stock MLIR wants ------------------------------------------

def split_values(match, mixed):
    """irdl.operands(many: variadic %many) as many of any type."""
    role, name = match[1], match[2]
    if name not in mixed:
        return match[0]
    names = ", ".join(f"{name}_{i}: variadic %{name}_{i}" for i in range(NUM_MIXED))
    anys = "".join(f"    %{name}_{i} = irdl.any\n" for i in range(NUM_MIXED))
    return f"{anys}    irdl.{role}({names})"


def split(text):
    """The declaration with each mixed group as many of one value each, told apart by the
    sizes of segments."""
    parts = re.split(r"(?m)^(?=  irdl\.operation )", text)
    for i, part in enumerate(parts):
        mixed = re.search(r'mixed = "([^"]*)"', part)
        if mixed:
            parts[i] = re.sub(
                r"    irdl\.(operands|results)\((\w+): variadic %\w+\)",
                lambda match, names=mixed[1].split(): split_values(match, names), part)
    return "".join(parts)


# ---- All --------------------------------------------------------------------------

def write(folder, name, text):
    path = folder / name
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


def tables(text, groups, by_hand):
    """What the files have, by their names."""
    dialect = declarations.Dialect(text)
    ops = sorted(dialect.operations, key=lambda op: op.name)
    foreign = []
    for op in ops:
        foreign += [base for value in op.operands + op.results for base in value.bases
                    if not base.startswith("!cute.") and base not in foreign]
    return {
        "op_ids.def": "".join(f'CUTE_OP({op.name.upper()}, "{op.name}")\n' for op in ops),
        "op_groups.def": "".join(f"CUTE_OP_GROUP({group})\n"
                                 for group in sorted({op.group for op in ops})),
        "op_decls.def": "".join(decl_row(op, foreign) + ",\n" for op in ops),
        "irdl_types.def": "".join(map(type_row, dialect.types + dialect.attributes)),
        "foreign_types.def": "".join(f"{c_string(base)},\n" for base in foreign),
        "pure_rows.def": "".join(pure_rows(dialect.operations, groups, by_hand)),
        "split.irdl.mlir": split(text),
        "Dialect.md": dialect_page.page(dialect),
    }


def main():
    declaration, output, groups, *files = sys.argv[1:]
    text = pathlib.Path(declaration).read_text(encoding="utf-8")
    try:
        found = tables(text, groups.split(","), names_by_hand(files))
    except declarations.Error as error:
        sys.exit(f"{declaration}: {error}")
    for name, content in found.items():
        write(pathlib.Path(output), name, content)


if __name__ == "__main__":
    main()
