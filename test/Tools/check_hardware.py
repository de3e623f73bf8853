"""Checks the rows of `cutec --list-hardware=json` in a file; with --known, against the
architectures that a message on standard input lists."""
import json
import sys


def rows(hardware, table):
    """The rows of a table by name; all have the same fields, but one kind of copy."""
    found = {row["name"]: row for row in hardware[table]}
    assert len(found) == len(hardware[table]), table
    fields = {tuple(k for k in row if k != "element") for row in hardware[table]}
    assert len(fields) == 1, (table, fields)
    return found


with open(sys.argv[1], encoding="utf-8") as file:
    hardware = json.load(file)
archs = rows(hardware, "archs")
if sys.argv[2:] == ["--known"]:
    listed = sys.stdin.read().split("known architectures:")[1].split()
    assert listed == list(archs), listed
    sys.exit()

elements = rows(hardware, "elements")
assert elements["f16"]["bits"] == 16 and not elements["i8"]["is_float"]
names = [name for row in elements.values() for name in row["cpp"]]
assert len(set(names)) == len(names), names

for name, least in (("mma", 1000), ("copy", 20)):
    table, kinds = rows(hardware, name), rows(hardware, f"{name}_kinds")
    assert len(table) > least, name
    for row in table.values():
        lowest = f"sm_{max(row['arch'], 70)}" + ("a" if row["suffix"] else "")
        assert lowest in archs, row
        for operand in row.get("operands", {}).values():
            assert operand["element"] in elements, row
    families = rows(hardware, f"{name}_families") if name == "mma" else {}
    with_rows = [*table.values(), *families.values()]
    assert {row["kind"] for row in with_rows} == set(kinds), name
assert len(rows(hardware, "smem")) == 9
