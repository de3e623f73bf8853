"""Sizes, start-up and the time of cutec on each example, of one build or of several
side by side:

  python3 bench/start.py NAME=FOLDER ...

FOLDER is a build, such as build/static. The first is what the others are compared
with: the same commit with another LLVM, or another commit in a worktree of git. All
take turns, so that what else the machine does falls on all of them. Times are
processor time, user and system, of whole processes: the least of RUNS (default: 15),
in milliseconds.
"""
import glob
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def processor_time(command):
    """Milliseconds of a command, which must succeed."""
    with open(os.devnull, "w", encoding="utf-8") as null:
        child = subprocess.Popen(command, stdout=null)
        _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        sys.exit(f"failed: {' '.join(command)}")
    return 1e3 * (usage.ru_utime + usage.ru_stime)


def stripped_size(path, folder):
    copy = os.path.join(folder, "stripped")
    subprocess.run(["strip", "-o", copy, path], check=True)
    return os.path.getsize(copy)


def sizes(build, folder):
    """MB of libcute, stripped, and of LLVM's and MLIR's libraries that it loads."""
    library = os.path.join(build, "lib", "libcute.so")
    needed = subprocess.run(["ldd", library], check=True, capture_output=True,
                            text=True).stdout
    others = re.findall(r"=> (\S*lib(?:MLIR|LLVM)\S*)", needed)
    return (stripped_size(library, folder) / 1e6,
            sum(os.path.getsize(path) for path in others) / 1e6)


def commands(folder):
    """Pairs of a label and a command, whose first word is a tool."""
    empty = os.path.join(folder, "empty.mlir")
    with open(empty, "w", encoding="utf-8") as file:
        file.write("module {}\n")
    yield "cutec --version", ["cutec", "--version"]
    yield "cute-opt, an empty module", ["cute-opt", empty]
    for path in sorted(glob.glob(os.path.join(ROOT, "examples", "*.mlir"))):
        with open(path, encoding="utf-8") as file:
            is_hopper = "SM90" in file.read() or "sm90" in path
        arch = "sm_90a" if is_hopper else "sm_80"
        yield ("cutec " + os.path.basename(path),
               ["cutec", path, f"--arch={arch}", "--no-cache", "-o", "-"])


def row(label, values, digits=1):
    cells = "".join(f"{value:12.{digits}f}" for value in values)
    ratios = "".join(f"{value / values[0]:8.2f}x" if values[0] else " " * 9
                     for value in values[1:])
    print(f"{label:36}{cells}{ratios}", flush=True)


def main():
    builds = [argument.split("=", 1) for argument in sys.argv[1:]]
    if not builds or any(len(build) != 2 for build in builds):
        sys.exit(__doc__.strip())
    runs = int(os.environ.get("RUNS", "15"))
    print(" " * 36 + "".join(f"{name:>12}" for name, _ in builds))
    with tempfile.TemporaryDirectory() as folder:
        pairs = [sizes(build, folder) for _, build in builds]
        row("libcute.so, stripped, MB", [pair[0] for pair in pairs])
        row("libMLIR.so and libLLVM.so, MB", [pair[1] for pair in pairs])
        for label, (tool, *rest) in commands(folder):
            least = [float("inf")] * len(builds)
            for _ in range(runs):
                for i, (_, build) in enumerate(builds):
                    time = processor_time(
                        [os.path.join(build, "bin", tool), *rest])
                    least[i] = min(least[i], time)
            row(label + ", ms", least)


if __name__ == "__main__":
    main()
