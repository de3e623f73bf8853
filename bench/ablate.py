#!/usr/bin/env python3
"""Switches each pass of the default pipelines off in turn, and says what changes: in how
many kernels PTX does, its number of instructions and, as `cutec --report` finds them, the
registers, spills and instructions of the main loop.

  ablate.py [--only PATTERN] [--pass NAME ...] [--cost] [--fill FOLDER] CUTEC

Passes come from `cute-lower-to-llvm` and `cute-optimize` in dialect/passes.def and from
dialect/llvm_passes.def, and steps of cute-sm90, which choices in the text leave out; kernels come
from examples/ and bench/, as they are and by cute-optimize, plain ones for Hopper and
Blackwell, too, with functions of all sums of a thread, and a choice of what ./dev kernel
writes. --only selects kernels.
--cost counts the instructions of compiling one kernel, by callgrind. --fill writes, for
each pass, the rows of `./dev bench gpu` whose PTX it changes, with and without it: a
machine with a GPU runs FOLDER/time.sh.
"""
import argparse
import collections
import concurrent.futures
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tools"))
import ptx_sums

OPTIMIZED = ["examples/gemm_plain.mlir", "bench/plain/*.mlir", "examples/tutorial/*.mlir"]
PLAIN = ["examples/*_plain.mlir", "bench/plain/*.mlir"]
ARCHS = {"Hopper": "sm_90a", "Blackwell": "sm_100a"}
EPILOGUES = ["gelu", "tanh", "softmax"]
STEPS = {"cute-persist": "persist = 2", "cute-pingpong": "pingpong = 2", "cute-overlap": "overlap = 2"}
COSTED = "examples/gemm_sm80.mlir"
Kernel = collections.namedtuple("Kernel", "label path arch flags")
Code = collections.namedtuple("Code", "instructions registers spills loop")


def passes():
    """The names of the passes of the pipelines, in their order."""
    text = (ROOT / "dialect/passes.def").read_text(encoding="utf-8")
    rows = dict(re.findall(r'CUTE_PIPELINE\("([\w-]+)",\s*((?:"[^"]*"\s*)+)', text))
    known = set(re.findall(r'CUTE_PASS\("([\w-]+)"', text))

    def expand(name):
        elements = "".join(re.findall(r'"([^"]*)"', rows[name]))
        for word in re.findall(r"(?:^|,)(?:[\w.]+\()?([\w-]+)", elements):
            yield from expand(word) if word in rows else [word]

    ours = re.findall(r'CUTE_LLVM_PASS\("([\w-]+)"',
                      (ROOT / "dialect/llvm_passes.def").read_text(encoding="utf-8"))
    found = [name for pipeline in ("cute-optimize", "cute-lower-to-llvm")
             for name in expand(pipeline) if name in known]
    return [*dict.fromkeys(found), *ours, *STEPS]


def kernels(folder, only):
    """All kernels; written ones are in the folder."""
    def kernel(path, flags=()):
        label = path.stem + (" optimized" if flags else "")
        family = re.search(r"sm(90|100|120)", path.stem)
        return Kernel(label, path, f"sm_{family[1]}a" if family else "sm_80", flags)

    paths = [*sorted((ROOT / "examples").rglob("*.mlir")),
             *sorted((ROOT / "bench").rglob("*.mlir")), *ptx_sums.write_kernels(folder, only)]
    found = [kernel(path) for path in paths]
    for pattern in OPTIMIZED:
        found += [kernel(path, ("--passes=cute-optimize",))
                  for path in sorted(ROOT.glob(pattern))]
    for name, arch in ARCHS.items():
        found += [Kernel(f"{path.stem} for {name}", path, arch, ("--passes=cute-optimize",))
                  for pattern in PLAIN for path in sorted(ROOT.glob(pattern))]
    found += [kernel(path, ("--passes=cute-optimize",)) for path in write_epilogues(folder)]
    return [k for k in found if only in k.label]


def write_epilogues(folder):
    """gemm_plain with a function of all sums of a thread as one vector, as files."""
    for name in EPILOGUES:
        path = folder / f"gemm_{name}.mlir"
        with path.open("w", encoding="utf-8") as file:
            subprocess.run([sys.executable, ROOT / "test/Compile/Inputs/epilogue_vectors.py",
                            ROOT / "examples/gemm_plain.mlir", name], stdout=file, check=True)
        yield path


def compiled(cutec, kernel, name, *options):
    """What cutec prints for a kernel without a pass; None where it does not compile."""
    skip = [f"--skip={name}"] if name and name not in STEPS else []
    text = without_step(kernel.path.read_text(encoding="utf-8"), STEPS.get(name))
    done = subprocess.run([cutec, "-", f"--arch={kernel.arch}", *kernel.flags,
                           *skip, "--no-manifest", *options],
                          input=text, capture_output=True, text=True, check=False)
    return None if done.returncode else done.stdout


def without_step(text, choice):
    """The text of kernels with a choice, instead of their own for the same step."""
    if not choice:
        return text
    text = re.sub(choice.split()[0] + r" = \d+(, )?", "", text)
    if "cute.schedule = {" in text:
        return text.replace("cute.schedule = {", f"cute.schedule = {{{choice}, ")
    return text.replace("cute.grid =", f"cute.schedule = {{{choice}}}, cute.grid =")


def measure(cutec, kernel, name, ptx):
    """The code of a kernel, of whose functions numbers are added up."""
    instructions = len(re.findall(r"^\s+(?:@!?%p\d+ )?[a-z][\w.:]*(?:\s[^;]*)?;", ptx, re.M))
    with tempfile.NamedTemporaryFile(suffix=".ptx") as out:
        text = compiled(cutec, kernel, name, "--report=json", "-o", out.name)
    rows = json.loads(text)["kernels"] if text else []  # none: ptxas refuses it
    return Code(instructions, sum(row.get("registers", 0) for row in rows),
                sum(row.get("spill_load_bytes", 0) for row in rows),
                sum((row.get("main_loop") or {}).get("instructions", 0) for row in rows))


def cost(cutec, name):
    """Millions of instructions that compiling takes."""
    with tempfile.NamedTemporaryFile() as out:
        done = subprocess.run(
            ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out.name}", cutec,
             ROOT / COSTED, *([f"--skip={name}"] if name else []), "--no-manifest",
             "-o", "-"], capture_output=True, text=True, check=False)
    found = re.search(r"Collected : (\d+)", done.stderr)
    return int(found[1]) / 1e6 if found else float("nan")


def report(cutec, name, before, after):
    """Prints what one pass changes; `before` has the PTX of each kernel with it."""
    failed = [k.label for k, ptx in after.items() if ptx is None]
    changed = [k for k, ptx in after.items() if ptx not in (None, before[k])]
    if len(failed) == len(after):
        print(f"{name}: nothing compiles without it")
        return
    print(f"{name}: changes {len(changed)} of {len(after)}"
          + (f"; needed by {', '.join(failed)}" if failed else ""))
    for k in changed:
        a, b = (measure(cutec, k, *of) for of in ((None, before[k]), (name, after[k])))
        print(f"  {k.label:36} PTX {a.instructions:5} / {b.instructions:5} without it, "
              f"registers {a.registers:3} / {b.registers:3}, loop {a.loop:4} / {b.loop:4}"
              + (f", spills {a.spills} / {b.spills}" if a.spills or b.spills else ""))


def fill(cutec, folder, names):
    """Rows to time: FOLDER/NAME has the ones that differ from FOLDER/all."""
    for name in ["all", *names]:
        skip = [] if name == "all" else [f"--skip={name}"]
        subprocess.run([sys.executable, ROOT / "bench/fill.py", "speed", folder / name,
                        "sm_90", cutec, "", *skip], check=True)
    for name in names:
        rows = (folder / name / "rows.txt").read_text(encoding="utf-8").splitlines(True)
        kept = [row for row in rows if differs(folder, name, row.split("\t")[2])]
        (folder / name / "rows.txt").write_text("".join(kept), encoding="utf-8")
        if not kept:
            shutil.rmtree(folder / name)
    shutil.copy(pathlib.Path(cutec).parent / "cute-run", folder)
    (folder / "time.sh").write_text(TIME, encoding="utf-8")
    print(f"Copy {folder} to a machine with a GPU and run: sh time.sh")


def differs(folder, name, kernel):
    """Whether the PTX of a kernel of FOLDER/NAME is not that of FOLDER/all."""
    files = [folder / each / f"{kernel}.ptx" for each in ("all", name)]
    return all(f.exists() for f in files) and files[0].read_bytes() != files[1].read_bytes()


TIME = """#!/bin/sh
# Times each row with and without a pass, one after the other.
cd "$(dirname "$0")" || exit 1
for pass in */; do
  pass=${pass%/}
  [ "$pass" != all ] || continue
  echo "== without $pass"
  cp cute-run "$pass/" && cp cute-run all/
  sh "$pass/run.sh" "$pass"
  cut -f 1 "$pass/rows.txt" | while read -r label; do
    echo "== with $pass"
    sh "$pass/run.sh" all "$label"
  done
done
"""


def take_arguments():
    parser = argparse.ArgumentParser(prog="./dev ablate", description=__doc__,
                                     formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("cutec")
    parser.add_argument("--only", default="", metavar="PATTERN")
    parser.add_argument("--pass", action="append", dest="names", metavar="NAME")
    parser.add_argument("--cost", action="store_true")
    parser.add_argument("--fill", type=pathlib.Path, metavar="FOLDER")
    return parser.parse_args()


def main():
    arguments = take_arguments()
    names, cutec = arguments.names or passes(), arguments.cutec
    if arguments.fill:
        fill(cutec, arguments.fill.resolve(), names)
        return
    if arguments.cost:
        all_of_it = cost(cutec, None)
        for name in names:
            print(f"{name}: {all_of_it:.1f} M instructions of {COSTED}, "
                  f"{cost(cutec, name):.1f} without it", flush=True)
        return
    with (tempfile.TemporaryDirectory() as folder,
          concurrent.futures.ThreadPoolExecutor(2) as pool):
        chosen = kernels(pathlib.Path(folder), arguments.only)

        def compile_all(name):
            return dict(zip(chosen, pool.map(
                lambda k: compiled(cutec, k, name, "-o", "-"), chosen)))

        before = {k: ptx for k, ptx in compile_all(None).items() if ptx}
        chosen = list(before)
        print(f"{len(chosen)} kernels", flush=True)
        for name in names:
            report(cutec, name, before, compile_all(name))
            sys.stdout.flush()


if __name__ == "__main__":
    main()
