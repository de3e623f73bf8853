"""Compares the device that is simulated with a GPU, bit for bit or within rounding.

usage: agreement.py fill CUTEC CUTE_RUN FOLDER [--every=N] [--jobs=N] [--pattern=TEXT]
       agreement.py compare CUTE_RUN FOLDER

`fill` compiles the rows of atoms that run on sm_90a to PTX and to LLVM IR, runs them on
the simulator, and keeps what they write beside rows.json. `compare` needs this file, the
folder and numpy alone: it runs the PTX on the GPU on the same numbers, prints a line for
each row that differs, and how many agree.
"""
import argparse
import concurrent.futures
import json
import pathlib
import re
import subprocess
import sys

# Largest difference to the largest result, of sums whose order PTX leaves open, by type;
# all else is equal in each bit.
ROUNDING = {"<f2": 2e-3, "<f4": 1e-5, "<f8": 1e-14, "|V2": 2e-2, "<V2": 2e-2}
SUMS = re.compile(r"^(SM\d+_(SPARSE_)?(\d+x)|UniversalFMA|SM61)|REDUCE|RED_ADD|gemm")


def outputs(arguments):
    """Numbers of the arguments that are tensors which .npy files hold."""
    values = [a for a in arguments if not a.startswith("--")]
    return [i for i, a in enumerate(values)
            if re.match(r"^(b?f16|f32|f64|u?i(8|16|32|64))\[", a)]


def execute(cute_run, options, manifest, arguments, prefix):
    """Runs a kernel and writes all tensors; what went wrong."""
    wanted = [o for i in outputs(arguments) for o in ("--output", f"{i}={prefix}.{i}.npy")]
    kept = [a for a in arguments if not a.startswith(("--check", "--sample",
                                                      "--tolerance", "--reference"))]
    done = subprocess.run([cute_run, *options, *wanted, str(manifest), *kept],
                          capture_output=True, text=True, check=False)
    return "" if done.returncode == 0 else (done.stderr or done.stdout)


def fill(given):
    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "bench"))
    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
    import fill as bench
    import simulated_rows

    class Kernels(simulated_rows.Kernels):
        """PTX for the GPU beside the LLVM IR."""

        def compile(self, name, path, flags, arch, edit):
            super().compile(name, path, flags, arch, edit)
            folder = self.folder / "gpu"
            file = folder / f"{name}.ptx"
            file.parent.mkdir(parents=True, exist_ok=True)
            bench.run(self.cutec, path, f"--arch={arch}", *flags, "-o", file)

    given.folder.mkdir(parents=True, exist_ok=True)
    kernels = Kernels(given.folder, "sm_90a", given.cutec, False)
    rows = list(bench.atom_rows(kernels, given.cutec, given.pattern))[::given.every]

    def simulate(finish):
        label, arch, kernel, *arguments = finish()
        number, suffix = bench.architecture(arch)
        if number > 90 or (suffix and number != 90):
            return None
        arguments = [a.replace("@", "") for a in arguments]
        prefix = given.folder / "gpu" / kernel
        wrong = execute(given.cute_run, ["--device=sim"],
                        given.folder / f"{kernel}.json", arguments, prefix)
        if wrong:
            print(f"{label}: {wrong}")
            return None
        return {"label": label, "kernel": kernel, "arguments": arguments}

    with concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
        found = [row for row in pool.map(simulate, rows) if row]
    (given.folder / "gpu" / "rows.json").write_text(json.dumps(found), encoding="utf-8")
    print(f"{len(found)} of {len(rows)} rows for a GPU in {given.folder}/gpu")


def differs(row, ours, theirs):
    """What is not alike in two files; empty if nothing is."""
    import numpy
    a, b = numpy.load(ours), numpy.load(theirs)
    if a.tobytes() == b.tobytes():
        return ""
    kind = a.dtype.str
    if kind not in ROUNDING or not SUMS.search(row["label"]):
        count = int((a.view(numpy.uint8) != b.view(numpy.uint8)).sum())
        return f"{count} bytes differ"
    if kind.endswith("V2"):
        a, b = ((x.view("<u2").astype("<u4") << 16).view("<f4") for x in (a, b))
    x, y = a.astype("f8"), b.astype("f8")
    if (numpy.isfinite(x) != numpy.isfinite(y)).any():
        return "infinities or NaNs differ"
    x, y = (numpy.where(numpy.isfinite(v), v, 0) for v in (x, y))
    error = abs(x - y).max() / max(abs(x).max(), 1e-300)
    return f"relative difference {error:.2e}" if error > ROUNDING[kind] else ""


def compare(given):
    rows = json.loads((given.folder / "rows.json").read_text(encoding="utf-8"))
    alike = 0
    for row in rows:
        prefix = given.folder / f"{row['kernel']}.device"
        wrong = execute(given.cute_run, [], given.folder / f"{row['kernel']}.json",
                        row["arguments"], prefix)
        for i in outputs(row["arguments"]):
            wrong = wrong or differs(row, given.folder / f"{row['kernel']}.{i}.npy",
                                     f"{prefix}.{i}.npy")
        alike += not wrong
        if wrong:
            print(f"DIFFERS: {row['label']}: {wrong.strip()[:300]}")
    print(f"{alike} of {len(rows)} rows agree with the device")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("what", choices=["fill", "compare"])
    parser.add_argument("tools", nargs="+", help="CUTEC CUTE_RUN, or CUTE_RUN")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--pattern", default="")
    given = parser.parse_args()
    given.folder = pathlib.Path(given.tools.pop())
    given.cute_run = given.tools.pop()
    given.cutec = given.tools.pop() if given.tools else ""
    fill(given) if given.what == "fill" else compare(given)


if __name__ == "__main__":
    main()
