"""The atoms in `cutec --list-hardware=json` as the kernels of atoms read them: a row, with
its `kind`, mma or copy, `class`, `arch` as a name, and by operand or side the layouts,
tiles, element types and bits."""
import json
import subprocess


def with_element(atom, operand, element, elements):
    atom[f"ValType{operand}"] = element
    atom[f"ValType{operand}_bits"] = elements[element]["bits"]


def mma(row, elements):
    atom = {"kind": "mma", "shape_mnk": "({m},{n},{k})".format(**row)}
    for x, operand in row["operands"].items():
        with_element(atom, x, operand["element"], elements)
        atom[f"{x}Layout"] = operand["layout"]
        atom[f"{x}Tile"] = "({},{})".format(*operand["tile"])
    with_element(atom, "D", row["d"], elements)
    return atom


def copy(row, elements):
    atom = {"kind": "copy", "bits": row["bits"], "SrcLayout": row["source"],
            "DstLayout": row["destination"], "RefLayout": row["reference"]}
    if "element" in row:
        with_element(atom, "", row["element"], elements)
    return atom


def listed(cutec="cutec"):
    """All atoms, each for the lowest architecture that cutec compiles and that has it."""
    done = subprocess.run([cutec, "--list-hardware=json"], check=True, capture_output=True,
                          text=True)
    hardware = json.loads(done.stdout)
    elements = {row["name"]: row for row in hardware["elements"]}
    return [{**{name: row[name] for name in ("name", "instruction", "compiles")},
             "class": row["kind"],
             "arch": f"sm_{max(row['arch'], 70)}" + ("a" if row["suffix"] else ""),
             **read(row, elements)}
            for table, read in (("mma", mma), ("copy", copy)) for row in hardware[table]]
