"""Checks the rows of `cutec --list-hardware=json`, in the first file: against those of
--list-atoms=json, in the second, or, with --known, against the architectures that a
message on standard input lists."""
import json
import sys


def rows(hardware, table):
    """The rows of a table by name; all have the same fields, but one kind of copy."""
    found = {row["name"]: row for row in hardware[table]}
    assert len(found) == len(hardware[table]), table
    fields = {tuple(k for k in row if k != "element") for row in hardware[table]}
    assert len(fields) == 1, (table, fields)
    return found


def check_mma(atom, row, kinds):
    shape = "({m},{n},{k})".format(**row)
    assert atom["shape_mnk"] == shape, row
    assert atom["thr_id"] == kinds[row["kind"]]["thr_id"], row
    assert atom["ValTypeD"] == row["d"], row
    assert {k[:-len("Layout")] for k in atom if k.endswith("Layout")} == set(
        row["operands"]), row
    for x, operand in row["operands"].items():
        assert atom[f"{x}Layout"] == operand["layout"], row
        assert atom[f"{x}Tile"] == "({},{})".format(*operand["tile"]), row
        assert atom[f"ValType{x}"] == operand["element"], row
        assert atom[f"ValType{x}_bits"] == elements[operand["element"]]["bits"], row


def check_copy(atom, row, kinds):
    assert atom["bits"] == row["bits"], row
    assert atom["thr_id"] == kinds[row["kind"]]["thr_id"], row
    assert atom["SrcLayout"] == row["source"], row
    assert atom["DstLayout"] == row["destination"], row
    assert atom["RefLayout"] == row["reference"], row
    assert (atom["ValID"] or None) == row["tmem"], row


with open(sys.argv[1], encoding="utf-8") as file:
    hardware = json.load(file)
archs = rows(hardware, "archs")
if sys.argv[2] == "--known":
    listed = sys.stdin.read().split("known architectures:")[1].split()
    assert listed == list(archs), listed
    sys.exit()

elements = rows(hardware, "elements")
assert elements["f16"]["bits"] == 16 and not elements["i8"]["is_float"]
names = [name for row in elements.values() for name in row["cpp"]]
assert len(set(names)) == len(names), names

tables = {"mma": (rows(hardware, "mma"), rows(hardware, "mma_kinds"), check_mma),
          "copy": (rows(hardware, "copy"), rows(hardware, "copy_kinds"), check_copy)}
seen = {name: [] for name in tables}
with open(sys.argv[2], encoding="utf-8") as file:
    for atom in map(json.loads, file):
        table, kinds, check = tables[atom["kind"]]
        row = table[atom["name"]]
        assert atom["instruction"] == row["instruction"], row
        assert atom["compiles"] == row["compiles"], row
        lowest = max(row["arch"], 70)
        assert atom["arch"] == f"sm_{lowest}" + ("a" if row.get("suffix") else ""), row
        assert atom["arch"] in archs, row
        check(atom, row, kinds)
        seen[atom["kind"]].append(atom["name"])
for name, (table, kinds, _) in tables.items():
    assert seen[name] == list(table), name
    families = rows(hardware, f"{name}_families") if name == "mma" else {}
    with_rows = [*table.values(), *families.values()]
    assert {row["kind"] for row in with_rows} == set(kinds), name
assert len(rows(hardware, "smem")) == 8
