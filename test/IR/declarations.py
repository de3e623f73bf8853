"""Reads declarations of ops that are right and that are wrong by
tools/declarations.py."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "tools"))
import declarations

OP = """irdl.dialect @cute attributes { description = "d \\"q\\"" } {
  irdl.operation @op attributes { %s } {
    %%copy = irdl.base @cute::@tiled_copy %%tensor = irdl.base @cute::@tensor
    %%tuple = irdl.base @cute::@int_tuple %%coord = irdl.base @cute::@coord
    %%both = irdl.any_of(%%tuple, %%coord) %%any = irdl.any
    irdl.operands(copy: %%copy, source: %%tensor, destination: %%tensor, index: %%tuple,
                  at: %%coord, many: variadic %%tensor, predicate: optional %%tensor)
    irdl.results(result: %%tensor)
  }
}
module { irdl.dialect @cute { irdl.attribute @a { %%v = irdl.base "#builtin.string"
  irdl.parameters(value: %%v) } } }
"""


def read(words):
    return declarations.Dialect(OP % words).operations[0]


# Attributes of the op, and its effect, the operands that it reads and its roles.
RIGHT = [
    ('effects = "copies source destination, if predicate, by copy", access = "atom"',
     "ACCESS", {1, 6}, {"source": 1, "written": 2, "predicate": 6, "by": 0,
                        "access": "CUTE_ACCESS_ATOM"}),
    ('effects = "reads source destination, writes destination"', "ACCESS", {1, 2},
     {"written": 2}),
    ('effects = "writes source", access = "at at"', "ACCESS", set(),
     {"written": 1, "coord": 4, "access": "CUTE_ACCESS_AT"}),
    ('effects = "prints"', "ACCESS", set(), {"prints": "true"}),
    ('effects = "exchanges"', "LANES", set(), {"exchanges": "true"}),
    ('effects = "prefetches"', "NONE", set(), {}),
    ('effects = "allocates rmem"', "REGISTERS", set(),
     {"space": "CUTE_RMEM", "allocates": "true"}),
    ('effects = "allocates smem"', "UNKNOWN", set(),
     {"space": "CUTE_SMEM", "allocates": "true"}),
    ('effects = "makes rmem"', "NONE", set(), {"space": "CUTE_RMEM"}),
    ('effects = "commits cp_async"', "COMMIT", set(),
     {"groupUse": "CUTE_GROUP_COMMITS", "group": "CUTE_GROUP_CP_ASYNC"}),
    ('effects = "waits cp_async"', "WAIT", set(),
     {"groupUse": "CUTE_GROUP_WAITS", "group": "CUTE_GROUP_CP_ASYNC"}),
    ('effects = "waits wgmma"', "UNKNOWN", set(),
     {"groupUse": "CUTE_GROUP_WAITS", "group": "CUTE_GROUP_WGMMA"}),
    ('effects = "copies source destination, issues bulk"', "UNKNOWN", {1},
     {"source": 1, "written": 2, "groupUse": "CUTE_GROUP_ISSUES",
      "group": "CUTE_GROUP_BULK"}),
    ('effects = "tracks cp_async, arrives destination"', "UNKNOWN", set(),
     {"groupUse": "CUTE_GROUP_TRACKS", "group": "CUTE_GROUP_CP_ASYNC",
      "barrierUse": "CUTE_BARRIER_ARRIVES", "barrier": 2}),
    ('view = "source", partition = "copy index"', "NONE", set(),
     {"view": 1, "divider": 0, "thread": 3}),
    ('follows = "a"', "NONE", set(), {"follows": "CUTE_DIVISION_A"}),
]

WRONG = [
    ('effects = "read"', "'read' is not an effect"),
    ('effects = "reads sauce"', "'sauce' is not an operand of the op"),
    ('effects = "reads"', "'' is not an operand of the op"),
    ('effects = "writes source destination"',
     "'destination' is more than the effect takes"),
    ('effects = "allocates gmem"', "'gmem' is not a space that an op can allocate in"),
    ('effects = "waits tma"', "'tma' is not a group: cp_async, bulk or wgmma"),
    ('effects = "reads source", access = "word"', "'word' is not an access"),
    ('follows = "d"', "'d' is not a division: any, a, b or c"),
    ('arch = 1000', "no architecture is sm_1000"),
    ('arch_suffix = "b"', "'b' is not a suffix of an architecture: a, s for all with one, "
                          "t with tensor memory, r if its loads compare, or e for sm_XXa alone"),
    ('effects = "reads index"', "'index' is of no kind that can have this role"),
    ('effects = "reads source, if index"',
     "'index' is of no kind that can have this role"),
    ('effects = "reads many"', "'many' is many operands, which cannot have a role"),
    ('effects = "writes source, writes destination"',
     "'destination' has a role that another operand has already"),
    ('effects = "copies source destination", access = "atom"',
     "'atom' is for a copy by an operand"),
    ('effects = "prints", access = "runs"',
     "'runs' is for an op that reads or writes a tensor"),
    ('effects = "reads source", access = "at source"',
     "'source' is of no kind that can have this role"),
    ('effects = "reads source", access = "at"', "'' is not an operand of the op"),
    ('view = ""', "'' is not an operand of the op"),
    ('view = "index"', "'index' is of no kind that can have this role"),
    ('view = "source index"', "'index' is more than the attribute takes"),
    ('partition = "copy index"',
     "'copy' divides no operand that the result is a view of"),
    ('results = "read"', "'read' is not a value of results"),
    ('assembly = "(operands) : type"', "malformed assembly attribute"),
    ('assembly = "<[modes>"', "malformed attribute '[modes' in the assembly"),
    ('assembly = "<n = 1..two>"', "malformed attribute 'n = 1..two' in the assembly"),
    ('assembly = "<[mode] = 0..1>"', "'mode' is neither an integer nor a string"),
    ('arch = "x" y', "not known before 'y } { %copy = irdl.base'"),
]

# What the file does not use of IRDL, and the text that is wrong.
TEXTS = [
    (OP % "arch = 1" + "}", "not known before '}"),
    (OP.replace("%%any = irdl.any", "%%any = irdl.all_of()") % "arch = 1",
     "declaration of 'op': not known before 'irdl.all_of"),
    (OP.replace("at: %%coord", "at: %%there") % "arch = 1",
     "declaration of 'op': there is no constraint %there"),
    (OP.replace("at: %%coord", "at %%coord") % "arch = 1",
     "declaration of 'op': not known before '%coord"),
    (OP.replace("at: %%coord", "at: %%coord, b: %%any, c: %%any, d: %%any") % "arch = 1",
     "declaration of 'op': more than 9 values"),
    ("func.func @f() { }", "not known before 'func.func"),
]


def message_of(text):
    try:
        declarations.Dialect(text)
        return "no error"
    except declarations.Error as error:
        return str(error)


def main():
    for words, effect, reads, roles in RIGHT:
        traits = read(words).traits
        found = traits.effect, traits.reads, traits.fields
        assert found == (effect, reads, roles), (words, found)
    for words, wanted in WRONG:
        found = message_of(OP % words)
        assert found == f"declaration of 'op': {wanted}", (words, found)
    for text, wanted in TEXTS:
        assert message_of(text).startswith(wanted), (wanted, message_of(text))
    op = read('assembly = "<[mode], end?, type t, {flag}, string s>? (operands) : types"')
    assert [(a.name, a.kind, a.optional) for a in op.attributes] == [
        ("mode", "ints", False), ("end", "int", True), ("t", "type", False),
        ("flag", "unit", False), ("s", "string", False)]
    limited = read('assembly = "<string kind = ld|st, n? = 0..7, m = 1.., k = 2|4>"')
    assert [(a.name, a.words, a.values) for a in limited.attributes] == [
        ("kind", ("ld", "st"), '"ld" or "st"'), ("n", (), "0 to 7"),
        ("m", (), "1 or more"), ("k", ("2", "4"), "2 or 4")]
    assert op.optional_angle and op.space_after_angle and op.types == "OPERANDS"
    assert declarations.Dialect(OP % "arch = 1").description == 'd "q"'
    print(len(RIGHT), len(WRONG), len(TEXTS))


if __name__ == "__main__":
    main()
