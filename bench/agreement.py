"""Compares the device that is simulated with a GPU, on the same module and numbers.

usage: agreement.py fill CUTEC CUTE_RUN FOLDER [--rows=TABLE] [--every=N] [--jobs=N]
                    [--limit=SECONDS] [PATTERN]
       agreement.py compare CUTE_RUN FOLDER
       agreement.py all CUTEC CUTE_RUN FOLDER ...

`fill` compiles kernels for sm_90a to LLVM IR and to PTX, runs the LLVM IR on the
simulator, and keeps what it writes in FOLDER/device beside rows.json. The kernels are
those of the table: `atoms`, one or more for each atom that an H100 or H200 has; `gpu`,
the examples and kernels of `./dev gpu`; `both`, which is the default. A row that the
simulator does not finish in SECONDS (60) is left out, and said. `compare` needs this
file, cute-run and FOLDER/device alone, and no package of Python: it runs the PTX on the
GPU, compares the tensors that a kernel has, and prints a line for each row that differs,
and how many agree. `all` does one after the other. What moves or selects data and sums of
integers agree in each bit; sums of floats, whose order PTX leaves open, within ROUNDING.
"""
import argparse
import ast
import concurrent.futures
import json
import math
import os
import pathlib
import re
import struct
import subprocess
import sys
import threading

# Largest difference to the largest result, of sums whose order PTX leaves open, by type;
# bf16 and 8-bit floats are voids of two and one bytes.
ROUNDING = {"<f2": 2e-3, "<f4": 1e-5, "<f8": 1e-14, "V2": 2e-2}
# Tensors above LARGE bytes are sampled; those above SMALL that are given as numbers are not
# compared, as kernels only read them.
LARGE, SMALL = 1 << 21, 1 << 16
SUMS = re.compile(r"^(SM\d+_(SPARSE_)?(\d+x)|UniversalFMA|SM61|smem:|\()|REDUCE|RED_ADD")


def outputs(arguments):
    """Numbers of the arguments that are tensors which .npy files hold."""
    values = [a for a in arguments if not a.startswith("--")]
    return [i for i, a in enumerate(values)
            if re.match(r"^(b?f16|f32|f64|u?i(8|16|32|64))\[", a)]


def execute(cute_run, options, manifest, arguments, prefix):
    """Runs a kernel and writes all tensors; what went wrong."""
    wanted = [o for i in outputs(arguments) for o in ("--output", f"{i}={prefix}.{i}.npy")]
    kept = [a for a in arguments if not a.startswith(
        ("--check", "--sample", "--bench", "--output", "--tolerance", "--reference"))]
    done = subprocess.run([cute_run, *options, *wanted, str(manifest), *kept],
                          capture_output=True, text=True, check=False)
    return "" if done.returncode == 0 else (done.stderr or done.stdout).strip()


#===-- On the simulator ------------------------------------------------------===#

def start_rows(given):
    """Functions that give the fields of the rows when their kernels are compiled."""
    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
    import fill as bench

    class Kernels(bench.Kernels):
        """LLVM IR for the simulator, and PTX for the GPU in a folder of its own, when a
        row that is chosen asks for them."""

        def __init__(self, *arguments):
            super().__init__(*arguments)
            self.wanted, self.lock = {}, threading.Lock()

        def once(self, name, function, *arguments):
            self.wanted[name] = function, name, *arguments
            return name

        def result(self, name):
            with self.lock:
                if name not in self.compiled:
                    self.compiled[name] = self.pool.submit(*self.wanted[name])
            super().result(name)

        def cuda(self, name, path, like):
            return None  # is no kernel of ours

        def compile(self, name, path, flags, arch, edit):
            for folder, kind in ((self.folder, [".ll", "--emit=llvm", "--line-info"]),
                                 (self.folder / "device", [".ptx"])):
                file = folder / f"{name}{kind[0]}"
                file.parent.mkdir(parents=True, exist_ok=True)
                bench.run(self.cutec, path, f"--arch={arch}", *flags, *kind[1:], "-o", file)

    class Untimed(bench.Table):
        """Rows that are checked alone."""

        def specifications(self):
            return (row for row in super().specifications() if not row[2])

    def is_possible(arch):
        number, suffix = bench.architecture(arch)
        return number < 90 or (number == 90 and suffix in ("", "a"))

    kernels = Kernels(given.folder, "sm_90a", given.cutec, False)
    rows = []
    if given.rows in ("gpu", "both"):
        rows += list(Untimed("gpu", kernels, given.pattern).rows())
    if given.rows in ("atoms", "both"):
        rows += list(bench.atom_rows(kernels, given.cutec, given.pattern))
    return rows[::given.every], lambda fields: fields[1] == "-" or is_possible(fields[1])


def keep(prefix, arguments):
    """Keeps of the files what is to be compared; the numbers of these arguments."""
    values, kept = [a for a in arguments if not a.startswith("--")], []
    for i in outputs(arguments):
        file = pathlib.Path(f"{prefix}.{i}.npy")
        is_result = re.search(r":(poison|zeros)", values[i])
        if not is_result and file.stat().st_size > SMALL:
            file.unlink()
            continue
        kind, data = read(file)
        pathlib.Path(f"{prefix}.{i}").write_bytes(kind.encode() + b"\n" + data)
        file.unlink()
        kept.append(i)
    return kept


def fill(given):
    given.folder.mkdir(parents=True, exist_ok=True)
    rows, is_possible = start_rows(given)

    def simulate(number, finish):
        try:
            fields = finish()
        except Exception as error:  # of a row's compilation, in the pool
            print(f"LEFT OUT: {str(error).strip()[:200]}", flush=True)
            return None
        if not fields or not is_possible(fields):
            return None
        label, _, kernel, *arguments = fields
        arguments = [a.replace("@", "") for a in arguments]
        output = f"{kernel}.{number}"
        wrong = " ".join(arguments) if kernel == "!" else execute(
            given.cute_run, ["--device=sim", f"--timeout={given.limit}", "--checks=off"],
            given.folder / f"{kernel}.json", arguments, given.folder / "device" / output)
        if wrong:
            print(f"LEFT OUT: {label.split('  ')[0]}: {wrong[:200]}", flush=True)
            return None
        return {"label": label, "kernel": kernel, "output": output, "arguments": arguments,
                "kept": keep(given.folder / "device" / output, arguments),
                "is_sum": not kernel.startswith("atoms/") or bool(SUMS.search(label))}

    with concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
        found = [row for row in pool.map(simulate, *zip(*enumerate(rows))) if row]
    (given.folder / "device" / "rows.json").write_text(json.dumps(found), encoding="utf-8")
    print(f"{len(found)} rows for a GPU in {given.folder}/device")


#===-- On the GPU ------------------------------------------------------------===#

def sample(kind, data):
    """The elements of a file that are compared: of a large one every n-th, by an odd n."""
    step = -(-len(data) // LARGE) | 1
    code = {"1": "B", "2": "H", "4": "I", "8": "Q"}[kind[-1]]
    return memoryview(data).cast(code)[::step].tobytes()


def read(path):
    """The type and the bytes of the elements of a .npy file that are compared."""
    data = pathlib.Path(path).read_bytes()
    wide = data[6] > 1
    start = 12 + int.from_bytes(data[8:12], "little") if wide else \
        10 + int.from_bytes(data[8:10], "little")
    header = ast.literal_eval(data[12 if wide else 10:start].decode("latin1"))
    kind = header["descr"].replace("|V", "V").replace("<V", "V")
    return kind, sample(kind, data[start:])


def numbers(kind, data):
    """Floats of a type; a bf16 is the upper half of a float."""
    if kind == "V2":
        data = b"".join(b"\0\0" + data[i:i + 2] for i in range(0, len(data), 2))
    letter = {"<f2": "e", "<f8": "d"}.get(kind, "f")
    return struct.unpack(f"<{len(data) // struct.calcsize(letter)}{letter}", data)


def differs(is_sum, ours, theirs):
    """What is not alike in two files; empty if nothing is."""
    a = pathlib.Path(ours).read_bytes().split(b"\n", 1)[1]
    kind, b = read(theirs)
    if a == b:
        return ""
    if kind not in ROUNDING or not is_sum:
        return f"{sum(x != y for x, y in zip(a, b))} bytes differ"
    pairs = list(zip(numbers(kind, a), numbers(kind, b)))
    if any(math.isfinite(x) != math.isfinite(y) for x, y in pairs):
        return "infinities or NaNs differ"
    pairs = [(x, y) for x, y in pairs if math.isfinite(x)]
    error = max(abs(x - y) for x, y in pairs) / max(*(abs(x) for x, _ in pairs), 1e-300)
    return f"relative difference {error:.2e}" if error > ROUNDING[kind] else ""


def compare_row(given, folder, row):
    prefix = folder / f"{row['output']}.device"
    wrong = execute(given.cute_run, [], folder / f"{row['kernel']}.json",
                    row["arguments"], prefix)
    for i in outputs(row["arguments"]):
        file = pathlib.Path(f"{prefix}.{i}.npy")
        if i in row["kept"]:
            wrong = wrong or differs(row["is_sum"], folder / f"{row['output']}.{i}", file)
        file.unlink(missing_ok=True)
    return wrong


def compare(given):
    folder = given.folder / "device" if (given.folder / "device").exists() else given.folder
    rows = json.loads((folder / "rows.json").read_text(encoding="utf-8"))
    with concurrent.futures.ThreadPoolExecutor(min(given.jobs, 4)) as pool:
        found = list(pool.map(lambda row: compare_row(given, folder, row), rows))
    for row, wrong in zip(rows, found):
        if wrong:
            print(f"DIFFERS: {row['label'].split('  ')[0]}: {wrong[:300]}")
    print(f"{sum(not wrong for wrong in found)} of {len(rows)} rows agree with the device")
    return any(found)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("what", choices=["fill", "compare", "all"])
    parser.add_argument("tools", nargs="+", help="CUTEC CUTE_RUN FOLDER, or CUTE_RUN FOLDER")
    parser.add_argument("--rows", choices=["atoms", "gpu", "both"], default="both")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--limit", type=float, default=60)
    given = parser.parse_intermixed_args()
    count = 2 if given.what == "compare" else 3
    given.cutec = given.tools.pop(0) if count == 3 else ""
    if not count - 1 <= len(given.tools) + (count == 3) <= count + 1 or len(given.tools) < 2:
        parser.error("tools or the folder are missing")
    given.cute_run, folder, *pattern = given.tools
    given.folder, given.pattern = pathlib.Path(folder).resolve(), pattern[0] if pattern else ""
    if given.what != "compare":
        fill(given)
    sys.exit(given.what != "fill" and compare(given))


if __name__ == "__main__":
    main()
