"""Compares the device that is simulated with a GPU, on the same module and numbers.

usage: agreement.py fill CUTEC CUTE_RUN FOLDER [--rows=TABLE] [--every=N] [--jobs=N]
                    [--limit=SECONDS] [PATTERN]
       agreement.py compare CUTE_RUN FOLDER [--seconds=N] [--jobs=N] [--limit=SECONDS]
                    [--again] [PATTERN]
       agreement.py all CUTEC CUTE_RUN FOLDER ...

`fill` compiles kernels for sm_90a to LLVM IR and to PTX, runs the LLVM IR on the
simulator, and keeps what it writes in FOLDER/device beside rows.json. The kernels are the table's:
`atoms`, one or more for each atom that an H100 or H200 has; `gpu`,
the examples and kernels of `./dev gpu`; `both`, which is the default. Products of floats
are also made of numbers that are hard to add: of all magnitudes, denormals, infinities and
NaNs. A row that the
simulator does not finish in SECONDS (60) is left out, and said. Of each tensor there is
a hash, and a sample of at most SAMPLE bytes.

`compare` needs this file, cute-run and FOLDER/device alone, and no package of Python: it
runs the PTX on the GPU, many rows in one process, compares the tensors that a kernel has,
inputs made by the same generator too, prints a line for each row that differs as soon as
it is known, and in the end how many agree. After N seconds no row begins; what was found
is in results.txt, and the next run goes on with the rows that are left, unless it is
told `--again`. It fails if a row differs or is left. `all` does one after the other.
What moves or selects data and sums of integers agree in each bit; sums of floats, whose
order PTX leaves open, within ROUNDING.
"""
import argparse
import ast
import collections
import concurrent.futures
import hashlib
import json
import math
import os
import pathlib
import re
import selectors
import struct
import subprocess
import sys
import tempfile
import threading
import time

# Largest difference to the largest result, of sums whose order PTX leaves open, by type;
# bf16 and 8-bit floats are voids of two and one bytes.
ROUNDING = {"<f2": 2e-3, "<f4": 1e-5, "<f8": 1e-14, "V2": 2e-2}
SAMPLE = 1 << 16  # bytes of a tensor that are kept, by which differences are described
FLOAT_MMA = re.compile(r"^SM\d+_(SPARSE_)?\d+x\d+x\d+_(TN_)?[A-Z]*F")
SUMS = re.compile(r"^(SM\d+_(SPARSE_)?(\d+x)|UniversalFMA|SM61|smem:|\()|REDUCE|RED_ADD")


def outputs(arguments):
    """Numbers of the arguments that are tensors which .npy files hold."""
    values = [a for a in arguments if not a.startswith("--")]
    return [i for i, a in enumerate(values)
            if re.match(r"^(b?f16|f32|f64|u?i(8|16|32|64))\[", a)]


def command(options, manifest, arguments, prefix):
    """The command line of cute-run that runs a kernel and writes all tensors."""
    wanted = [o for i in outputs(arguments) for o in ("--output", f"{i}={prefix}.{i}.npy")]
    kept = [a for a in arguments if not a.startswith(
        ("--check", "--sample", "--bench", "--output", "--tolerance", "--reference"))]
    return [*options, *wanted, str(manifest), *kept]


def execute(cute_run, *words):
    """Runs a kernel; what went wrong."""
    done = subprocess.run([cute_run, *command(*words)], capture_output=True, text=True,
                          check=False)
    return "" if done.returncode == 0 else (done.stderr or done.stdout).strip()


#===-- On the simulator ------------------------------------------------------===#

def start_rows(given):
    """Functions that give the fields of the rows when their kernels are compiled."""
    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
    import fill as bench

    class Kernels(bench.Kernels):
        """LLVM IR for the simulator, and PTX for the GPU in a separate folder, when a
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
        return bench.hardware.runs("sm_90a", arch)

    def hard(finish):
        """The row with numbers that are hard to add; None where it has no random ones."""
        def finish_hard():
            fields = finish()
            if not fields or not FLOAT_MMA.match(fields[0]) or "normal(" not in str(fields):
                return None
            name, rest = fields[0].split(" ", 1)
            return [f"{name} hard {rest}", *fields[1:3],
                    *(text.replace("normal(", "hard(") for text in fields[3:])]
        return finish_hard

    kernels = Kernels(given.folder, "sm_90a", given.cutec, False)
    rows = []
    if given.rows in ("gpu", "both"):
        rows += list(Untimed("gpu", kernels, given.pattern).rows())
    if given.rows in ("atoms", "both"):
        atoms = list(bench.atom_rows(kernels, given.cutec, given.pattern))
        rows += atoms + [hard(finish) for finish in atoms]
    return rows[::given.every], lambda fields: fields[1] == "-" or is_possible(fields[1])


def keep(prefix, arguments):
    """Keeps a sample of each file; the hashes, by argument."""
    hashes = {}
    for i in outputs(arguments):
        file = pathlib.Path(f"{prefix}.{i}.npy")
        kind, hashes[i], data = read(file)
        pathlib.Path(f"{prefix}.{i}").write_bytes(kind.encode() + b"\n" + data)
        file.unlink()
    return hashes


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
                "hashes": keep(given.folder / "device" / output, arguments),
                "kernels": not kernel.startswith("atoms/"),
                "is_sum": not kernel.startswith("atoms/") or bool(SUMS.search(label))}

    with concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
        found = [row for row in pool.map(simulate, *zip(*enumerate(rows))) if row]
    (given.folder / "device" / "rows.json").write_text(json.dumps(found), encoding="utf-8")
    print(f"{len(found)} rows for a GPU in {given.folder}/device")


#===-- On the GPU ------------------------------------------------------------===#

def sample(kind, data):
    """The elements of a file that are compared: of a large one every n-th, by an odd n."""
    step = -(-len(data) // SAMPLE) | 1
    code = {"1": "B", "2": "H", "4": "I", "8": "Q"}[kind[-1]]
    return memoryview(data).cast(code)[::step].tobytes()


def read(path):
    """The type, the hash and a sample of the elements of a .npy file."""
    data = pathlib.Path(path).read_bytes()
    wide = data[6] > 1
    start = 12 + int.from_bytes(data[8:12], "little") if wide else \
        10 + int.from_bytes(data[8:10], "little")
    header = ast.literal_eval(data[12 if wide else 10:start].decode("latin1"))
    kind = header["descr"].replace("|V", "V").replace("<V", "V")
    return kind, hashlib.sha256(data[start:]).hexdigest(), sample(kind, data[start:])


def numbers(kind, data):
    """Floats of a type; a bf16 is the upper half of a float."""
    if kind == "V2":
        data = b"".join(b"\0\0" + data[i:i + 2] for i in range(0, len(data), 2))
    letter = {"<f2": "e", "<f8": "d"}.get(kind, "f")
    return struct.unpack(f"<{len(data) // struct.calcsize(letter)}{letter}", data)


def differs(is_sum, digest, ours, theirs):
    """What is wrong in two files, and the relative difference of sums; None if the files
    are alike in each bit."""
    kind, found, b = read(theirs)
    if digest == found:
        return "", None
    a = pathlib.Path(ours).read_bytes().split(b"\n", 1)[1]
    if kind not in ROUNDING or not is_sum:
        return f"{sum(x != y for x, y in zip(a, b))} of {len(a)} bytes differ, of a sample", 0
    pairs = list(zip(numbers(kind, a), numbers(kind, b)))
    if any(math.isfinite(x) != math.isfinite(y) for x, y in pairs):
        return "infinities or NaNs differ", 0
    pairs = [(x, y) for x, y in pairs if math.isfinite(x)]
    error = max((abs(x - y) for x, y in pairs), default=0)
    error /= max((abs(x) for x, _ in pairs), default=0) or 1e-300
    return f"relative difference {error:.2e}" if error > ROUNDING[kind] else "", error


class Device:
    """A process that runs one kernel after another on the GPU."""

    def __init__(self, cute_run, limit):
        self.cute_run, self.limit, self.process = cute_run, limit, None

    def start(self):
        self.process = subprocess.Popen([self.cute_run, "--lines=-"], bufsize=0,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL)
        self.ready = selectors.DefaultSelector()
        self.ready.register(self.process.stdout, selectors.EVENT_READ)

    def stop(self):
        if self.process:
            self.process.kill()
            self.process.wait()
            self.process.stdin.close()
            self.process.stdout.close()
            self.ready.close()
            self.process = None

    def answer(self):
        """The line that says how a kernel ended, after what the kernel prints."""
        end = time.monotonic() + self.limit
        while self.ready.select(max(0, end - time.monotonic())):
            line = self.process.stdout.readline().decode(errors="replace")
            if line == "ok\n" or line.startswith("error: ") or not line:
                return line
        return f"error: takes more than {self.limit:g} seconds"

    def run(self, words):
        """Runs a kernel; what went wrong, after which the process is another."""
        if not self.process:
            self.start()
        try:
            self.process.stdin.write(("\t".join(words) + "\n").encode())
            said = self.answer().strip()
        except OSError:
            said = ""
        if said == "ok":
            return ""
        self.stop()
        return said or "error: cute-run has ended"


class Comparison:
    """The rows of a folder, and what was found of them, which is kept in results.txt."""

    def __init__(self, given):
        self.given, self.folder = given, given.folder
        if (self.folder / "device").exists():
            self.folder /= "device"
        text = (self.folder / "rows.json").read_text(encoding="utf-8")
        self.rows = [row for row in json.loads(text) if given.pattern in row["label"]]
        self.start, self.lock = time.monotonic(), threading.Lock()
        self.results = {}
        self.open(hashlib.sha256(text.encode()).hexdigest())

    def open(self, stamp):
        """Reads what earlier runs found of the same rows."""
        path = self.folder / "results.txt"
        lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
        if not self.given.again and lines[:1] == [stamp]:
            for line in lines[1:]:
                output, wrong, error = json.loads(line)
                self.results[output] = wrong, error
            self.file = open(path, "a", encoding="utf-8")
        else:
            self.file = open(path, "w", encoding="utf-8")
            print(stamp, file=self.file, flush=True)

    def left(self):
        """The rows that are left, so that soon each kernel has had one."""
        seen, order = collections.Counter(), []
        for row in self.rows:
            seen[row["kernel"]] += 1
            order.append((seen[row["kernel"]], row["kernels"]))
        found = sorted(zip(order, self.rows), key=lambda pair: (pair[0][0], not pair[0][1]))
        return [row for _, row in found if row["output"] not in self.results]

    def has_time(self):
        seconds = self.given.seconds
        return seconds is None or time.monotonic() - self.start < seconds

    def note(self, row, wrong, error):
        with self.lock:
            self.results[row["output"]] = wrong, error
            print(json.dumps([row["output"], wrong, error]), file=self.file, flush=True)
            if wrong:
                print(f"DIFFERS: {name(row)}: {wrong[:300]}", flush=True)
            if len(self.results) % 50 == 0:
                print(f"{len(self.results)} of {len(self.rows)} rows, "
                      f"{time.monotonic() - self.start:.0f} s", flush=True)

    def compare_row(self, device, row, prefix):
        worst = None
        wrong = device.run(command([], self.folder / f"{row['kernel']}.json",
                                   row["arguments"], prefix))
        for i in outputs(row["arguments"]):
            file = pathlib.Path(f"{prefix}.{i}.npy")
            if not wrong:
                wrong, error = differs(row["is_sum"], row["hashes"][str(i)],
                                       self.folder / f"{row['output']}.{i}", file)
                wrong = wrong and f"argument {i}: {wrong}"
                worst = worst if error is None else max(worst or 0, error)
            file.unlink(missing_ok=True)
        self.note(row, wrong, worst)

    def work(self, number, scratch, rows):
        """Compares rows of a list that others take from as well."""
        device = Device(self.given.cute_run, self.given.limit)
        while self.has_time():
            try:
                row = rows.popleft()
            except IndexError:
                break
            self.compare_row(device, row, f"{scratch}/{number}")
        device.stop()

    def run(self):
        rows = collections.deque(self.left())
        jobs = min(self.given.jobs, 16, len(rows)) or 1
        memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
        with tempfile.TemporaryDirectory(dir=memory) as scratch, \
                concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            for done in [pool.submit(self.work, i, scratch, rows) for i in range(jobs)]:
                done.result()

    def summary(self):
        """Says what was compared; whether all rows were, and agree."""
        for title, kernels in (("atoms", False), ("examples and kernels", True)):
            found = [self.results.get(row["output"]) for row in self.rows
                     if row["kernels"] == kernels]
            known = [result for result in found if result]
            if found:
                print(f"{title}: {len(known)} of {len(found)} rows compared, "
                      f"{sum(not wrong and error is None for wrong, error in known)} alike in each "
                      f"bit, {sum(not wrong and error is not None for wrong, error in known)} within "
                      f"rounding, {sum(bool(wrong) for wrong, _ in known)} differ")
        left = [row for row in self.rows if row["output"] not in self.results]
        if left:
            print(f"{len(left)} rows are left, {name(left[0])} the first; "
                  "the same command goes on with them")
        agree = sum(not self.results.get(row["output"], ("left",))[0] for row in self.rows)
        print(f"{agree} of {len(self.rows)} rows agree with the device")
        return agree == len(self.rows)


def name(row):
    return row["label"].split("  ")[0]


def compare(given):
    comparison = Comparison(given)
    comparison.run()
    return comparison.summary()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("what", choices=["fill", "compare", "all"])
    parser.add_argument("tools", nargs="+", help="CUTEC CUTE_RUN FOLDER, or CUTE_RUN FOLDER")
    parser.add_argument("--rows", choices=["atoms", "gpu", "both"], default="both")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--limit", type=float, default=60)
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--again", action="store_true")
    given = parser.parse_intermixed_args()
    count = 2 if given.what == "compare" else 3
    given.cutec = given.tools.pop(0) if count == 3 else ""
    if not 2 <= len(given.tools) <= 3:
        parser.error("tools or the folder are missing")
    given.cute_run, folder, *pattern = given.tools
    given.folder, given.pattern = pathlib.Path(folder).resolve(), pattern[0] if pattern else ""
    if given.what != "compare":
        fill(given)
    sys.exit(given.what != "fill" and not compare(given))


if __name__ == "__main__":
    main()
