"""Compiles kernels for each architecture: ptxas gives none a stack, and spills nothing.

usage: spills.py examples|tuned|rows FOLDER

`examples` are the kernels of examples/, each in turn for one architecture;
`tuned` what the rows of kernels/tuned give, each for the architecture that it was tuned
on, and the first that goes with sm_80 for that; `rows` softmax and norms, which have few
registers. Left out are, on some architectures, kernels that need more shared memory than
a block has. Of the tuned ones, those whose turn it is are compiled.
"""
import concurrent.futures
import itertools
import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).parents[3]
sys.path.insert(0, str(ROOT / "kernels"))
import kernel
from turns import take_turn

def examples():
    """(name, architecture, file) of each. The arguments of printf are on a stack."""
    archs = itertools.cycle(["sm_80", "sm_86", "sm_89", "sm_90"])

    def arch(name):
        own = re.search("_sm(90|100|120)", name)
        return f"sm_{own[1]}a" if own else next(archs)
    return [(path.stem, arch(path.stem), path)
            for path in sorted((ROOT / "examples").glob("*.mlir"))
            if path.stem != "print_tile"]


def rendered(template, row, arch):
    """A row's kernel for an architecture; None where they do not go together."""
    given = {n: v for n, v in {**row["problem"], **row["parameters"],
                               "arch": arch}.items() if n in template.parameters}
    if template.problems(template.complete(given)):
        return None
    return template.render(given)


def tuned_texts(template, rows):
    """The different ones, with their architectures."""
    found = {}
    for row in rows:
        found[row["arch"], rendered(template, row, row["arch"])] = None
    texts = (rendered(template, row, "sm_80") for row in rows if row["arch"] != "sm_80")
    found["sm_80", next(filter(None, texts), None)] = None
    return [(arch, text) for arch, text in found if text]


def tuned(folder):
    cases = []
    for path in sorted((ROOT / "kernels" / "tuned").glob("*.json")):
        if path.stem == "problems":
            continue
        rows = json.loads(path.read_text())["rows"]
        for i, (arch, text) in enumerate(tuned_texts(kernel.find(path.stem), rows)):
            source = folder / f"{path.stem}_{i}.mlir"
            source.write_text(text, encoding="utf-8")
            cases.append((source.stem, arch, source))
    return take_turn(cases, 3)


def rows(folder):
    cases = []
    for name, given in (("softmax", {}), ("norm", {}), ("norm", {"kind": "rms"})):
        source = folder / f"{name}{'_'.join(given.values())}.mlir"
        source.write_text(kernel.find(name).render(given), encoding="utf-8")
        cases += [(source.stem, arch, source) for arch in ("sm_80", "sm_90")]
    return cases


def excess(found):
    """What is too much in the report of a kernel, by name."""
    limits = {"stack_bytes": 0, "spill_store_bytes": 0, "spill_load_bytes": 0}
    if kind == "rows":
        limits["registers"] = 64
        if found["threads"] == 384:
            found["missing_blocks"] = 3 - found["occupancy"]["blocks"]
            limits["missing_blocks"] = 0
    return {what: found[what] for what, most in limits.items() if found[what] > most}


def look(case):
    """How many kernels there are, and what of them is wrong."""
    name, arch, source = case
    done = subprocess.run(
        ["cutec", source, f"--arch={arch}", "--no-manifest", "--report=json", "-o",
         folder / f"{name}_{arch}.ptx"], capture_output=True, text=True, check=False)
    if "bytes of shared memory; a block on" in done.stderr:
        return 0, []
    if done.returncode:
        return 1, [f"{name} {arch}: {done.stderr}"]
    kernels = json.loads(done.stdout)["kernels"]
    return len(kernels), [f"{k['name']} of {name} {arch}: {excess(k)}"
                          for k in kernels if excess(k)]


kind, folder = sys.argv[1], pathlib.Path(sys.argv[2])
folder.mkdir(parents=True, exist_ok=True)
cases = (examples() if kind == "examples" else tuned(folder) if kind == "tuned"
         else rows(folder))
with concurrent.futures.ThreadPoolExecutor(2) as pool:
    found = list(pool.map(look, cases))
wrong = [line for _, lines in found for line in lines]
print("\n".join(wrong + [f"{sum(n for n, _ in found)} kernels, {len(wrong)} wrong"]))
sys.exit(bool(wrong))
