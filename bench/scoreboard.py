#!/usr/bin/env python3
"""Measures this package, the closed CuTe DSL, Triton, TileLang, Quack and FlashAttention-4 in
one go; writes a page.

usage: scoreboard.py OUTPUT.md [--wheel FILE] [--only NAME,...] [--offline]

Each is installed from PyPI, ours from the wheel (by default the newest that `./dev wheel`
made), in an environment of its own under build/scoreboard, and compiles the programs in
bench/scoreboard for sm_90a, down to a cubin, without a cache on disk. Times are the
processor's, of the process and its children; "later" is the median of five other sizes or
options in the same process. Needs no GPU.

With --offline nothing is installed: what this Python has is measured, with ours from
PYTHONPATH, and the page names what it does not have.

Where torch finds a GPU, the page ends with the tables of kernel_library.py, which times our
library beside cuBLAS, cuDNN and torch; elsewhere it keeps the tables of before. `--only
device` measures them alone.
"""
import argparse
import datetime
import importlib.metadata
import json
import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROGRAMS = ROOT / "bench/scoreboard"
REPEATS = 3
AUTOMATIC = "the compiler places the barriers, so that this mistake cannot be written."
# (packages, program, its last arguments, the mistake's fate where no simulator runs it)
CONTENDERS = {
    "cute": (["WHEEL", "numpy"], "cute_dsl.py", ["cute"], None),
    "nvidia-cutlass-dsl": (["nvidia-cutlass-dsl"], "cute_dsl.py", [],
                           "compiles; nothing runs it without a GPU."),
    "triton": (["triton"], "triton_kernels.py", [], AUTOMATIC),
    "tilelang": (["tilelang"], "tilelang_kernels.py", [], AUTOMATIC),
}
# Libraries of kernels: (packages, what libraries.py compiles of them, its name there)
LIBRARIES = {
    "cute": (["WHEEL"], ["softmax", "attention"], "cute"),
    "quack-kernels": (["quack-kernels", "numpy"], ["softmax"], "quack"),
    "flash-attn-4": (["flash-attn-4>=4.0.0b36", "numpy"], ["attention"], "flash"),
}
CHECKS = ["gemm f16", "gemm bf16", "attention bf16", "softmax"]  # float64, before times
GROUPS = ["gemm f16", "grid squares", "grid decode", "grid attention", "attention bf16", "softmax"]
DEVICE = "\n## On a GPU\n"


def without_version(package):
    return package.split(">")[0]


def run(*command, **more):
    done = subprocess.run([str(word) for word in command], text=True, check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, **more)
    if done.returncode:
        sys.exit(f"scoreboard: {' '.join(map(str, command))}\n{done.stderr[-2000:]}")
    return done.stdout


def install(name, packages):
    """Makes the environment; returns its Python."""
    folder = ROOT / "build/scoreboard" / name
    shutil.rmtree(folder, ignore_errors=True)
    run(sys.executable, "-m", "venv", folder)
    run(folder / "bin/python", "-m", "pip", "install", "-q", *packages)
    return folder / "bin/python"


def installed(python, packages):
    """(versions, bytes) of the packages in the environment, pip and setuptools apart."""
    rows = json.loads(run(python, "-m", "pip", "list", "--format=json"))
    versions = {row["name"].lower(): row["version"] for row in rows}
    site = next(python.parent.parent.glob("lib/python3*/site-packages"))
    files = [path for path in site.rglob("*") if path.is_file() and not path.is_symlink()
             and "__pycache__" not in path.parts
             and not path.relative_to(site).parts[0].startswith(
                 ("pip", "setuptools", "pkg_resources", "_distutils", "numpy"))]
    names = [name for name in map(without_version, packages) if name in versions]
    return ", ".join(f"{n} {versions[n]}" for n in names), sum(
        path.stat().st_size for path in files)


def found_here(package):
    """(versions, bytes) of a package of this Python, or None. Its requirements are apart."""
    try:
        found = importlib.metadata.distribution(package)
    except importlib.metadata.PackageNotFoundError:
        return None
    files = [pathlib.Path(file.locate()) for file in found.files or ()
             if file.suffix != ".pyc"]
    return f"{package} {found.version}", sum(f.stat().st_size for f in files if f.is_file())


def measure(python, program, what, last, folder):
    """The least of what the program says in several processes."""
    environment = {**os.environ, "CUTE_DSL_DISABLE_FILE_CACHING": "1", "CUTE_CACHE": "off",
                   "CUTE_DEVICE": "sim"}
    best = {}
    for _ in range(REPEATS):
        cubins = tempfile.mkdtemp(dir=folder)
        said = run(python, "-W", "ignore", PROGRAMS / program, what, cubins, *last,
                   env=environment)
        for line in said.splitlines():
            if line.startswith('{"'):
                for key, value in json.loads(line).items():
                    best[key] = min(best.get(key, value), value, key=lambda v: v[-1])
    return best


def mistake(python, program, last, folder):
    """What the simulator says of the product without a barrier, in lines of the page."""
    printed = run(python, "-W", "ignore", PROGRAMS / program, "mistake", folder, *last,
                  env={**os.environ, "CUTE_DEVICE": "sim"})
    said = json.loads(printed.splitlines()[-1])["mistake"].replace(f"{ROOT}/", "").strip()
    lines = said.splitlines() or ["runs, and says nothing"]
    return "\n\n".join(["on the simulator:", "\n".join("      " + line for line in lines)])


def ready(name, packages, given):
    """(Python, versions, MB) of an environment with the packages, or None where they are not."""
    known = [without_version("cute-compiler" if p == "WHEEL" else p) for p in packages[:1]]
    if given.offline:
        found = found_here(*known)
        print(f"{name}: {'compiling' if found else 'absent'}", file=sys.stderr)
        return found and (sys.executable, found[0], found[1] / 1e6)
    print(f"{name}: installing", file=sys.stderr)
    python = install(name, [str(given.wheel) if p == "WHEEL" else p for p in packages])
    versions, size = installed(python, known)
    print(f"{name}: compiling", file=sys.stderr)
    return python, versions, size / 1e6


def rows(names, folder, given):
    for name in names:
        packages, program, last, fate = CONTENDERS[name]
        if not (made := ready(name, packages, given)):
            continue
        python, versions, size = made
        add = measure(python, program, "add", last, folder)
        gemm = measure(python, program, "gemm", last, folder)
        yield {"name": name, "versions": versions, "MB": size, "import": add["import"][1],
               "add": (add["first"][1], add["later"][1]),
               "gemm": (gemm["first"][1], gemm["later"][1]),
               "mistake": fate or mistake(python, program, last, folder)}


def library_rows(names, folder, given):
    """(name, line of the page) of each library of kernels."""
    for name in names:
        packages, what, label = LIBRARIES[name]
        if not (made := ready(name, packages, given)):
            continue
        python, versions, size = made
        found = {kind: measure(python, "libraries.py", kind, [label], folder) for kind in what}
        cells = [f"{times['first'][1]:.2f}, {times['later'][1]:.2f}" if times else ""
                 for times in map(found.get, ("softmax", "attention"))]
        imports = min(times["import"][1] for times in found.values())
        yield name, f"| {versions} | {size:.0f} MB | {imports:.2f} | {' | '.join(cells)} |"


def starts(offline):
    """The least wall time of a start of cute-opt, in ms, and of MLIR's, where they are."""
    ours = (importlib.metadata.distribution("cute-compiler").locate_file("cute/bin/cute-opt")
            if offline else ROOT / "build/release/bin/cute-opt")
    for tool in (ours, "/usr/lib/llvm-22/bin/mlir-opt"):
        if pathlib.Path(tool).exists():
            taken = []
            for _ in range(20):
                begin = time.perf_counter()
                run(tool, "--version")
                taken.append(time.perf_counter() - begin)
            yield f"`{pathlib.Path(tool).name}` {min(taken) * 1e3:.0f} ms"


def head(given):
    commit = os.environ.get("CUTE_REVISION") or subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, text=True,
        stdout=subprocess.PIPE, check=False).stdout.strip()
    cpu = next((line.split(": ")[1].strip() for line in open("/proc/cpuinfo", encoding="utf-8")
                if line.startswith("model name")), platform.machine())
    return (f"`./dev scoreboard` on {datetime.date.today()}, commit {commit}, {cpu}, Python "
            f"{platform.python_version()}, "
            f"{'without a network' if given.offline else given.wheel.name}. Seconds of "
            "processor time, down to a cubin for sm_90a: ours by the CUDA toolkit's ptxas, "
            "TileLang's by its nvcc, the others by what they bring. " +
            ("Sizes leave out what a package requires.\n" if given.offline else
             "TileLang, Quack and FlashAttention-4 require torch, which is part of their "
             "sizes.\n"))


def page(found, libraries, absent, started):
    yield "| | installed | import | sum of vectors: first, later | product: first, later |"
    yield "|---|---|---|---|---|"
    for row in found:
        yield (f"| {row['versions']} | {row['MB']:.0f} MB | {row['import']:.2f} | "
               f"{row['add'][0]:.3f}, {row['add'][1]:.3f} | "
               f"{row['gemm'][0]:.3f}, {row['gemm'][1]:.3f} |")
    if libraries:
        yield ("\nLibraries of kernels, what their first calls compile: softmax of rows of 8192 of bf16 "
               "and other lengths, attention of bf16 with heads of 128 and other sizes.\n")
        yield "| | installed | import | softmax: first, later | attention: first, later |"
        yield "|---|---|---|---|---|"
        yield from libraries
    if absent:
        yield f"\nNot on this machine: {', '.join(absent)}."
    if started:
        yield f"\nStart of the tools, wall time: {', '.join(started)}."
    yield "\nA product without the barrier before shared memory is written again:\n"
    for row in found:
        yield f"- {row['versions']}: {row['mistake']}"


def on_the_processor(names, given):
    """The lines of the page that need no GPU."""
    with tempfile.TemporaryDirectory() as folder:
        found = list(rows([name for name in names if name in CONTENDERS], folder, given))
        libraries = dict(library_rows([n for n in names if n in LIBRARIES], folder, given))
    seen = {row["name"] for row in found} | set(libraries)
    yield "# Scoreboard\n"
    yield head(given)
    yield from page(found, libraries.values(), [name for name in names if name not in seen],
                    list(starts(given.offline)) if "cute" in seen else [])


def rows_of(text):
    """What kernel_library.py says of the rows, with the headings that have some."""
    lines = [line for line in text.splitlines()
             if line.strip() and not re.match(r"seed |on |\d+ failed", line)]
    heads = ("TFLOP/s", "GB/s")
    after = lines[1:] + ["GB/s"]
    return [line for line, then in zip(lines, after)
            if not (line.startswith(heads) and then.startswith(("grid", *heads)))]


def on_a_gpu(site):
    """The tables of kernel_library.py for the package in the folder, if torch finds a device."""
    try:
        import torch
    except ImportError:
        return
    if not torch.cuda.is_available():
        return
    from library_operands import device
    environment = {**os.environ,
                   "PYTHONPATH": os.pathsep.join([site, os.environ.get("PYTHONPATH", "")])}
    yield DEVICE
    yield f"{device()}.\n"
    for group in CHECKS:
        said = run(sys.executable, ROOT / "bench/kernel_library.py", "--rows", "check",
                   "--cases", 2, "--only", group, env=environment)
        print(said, file=sys.stderr)
    for group in GROUPS:
        command = ["bench/kernel_library.py", "--rows", "speed", "--only", group]
        yield f"`{' '.join(command[:-1])} '{group}'`:\n\n```"
        yield from rows_of(run(sys.executable, ROOT / command[0], *command[1:],
                               env=environment))
        yield "```\n"


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("output", type=pathlib.Path)
    parser.add_argument("--wheel", type=pathlib.Path)
    parser.add_argument("--only", default=",".join(CONTENDERS | LIBRARIES))
    parser.add_argument("--offline", action="store_true")
    given = parser.parse_args()
    names = given.only.split(",")
    known = [*CONTENDERS | LIBRARIES, "device"]
    if unknown := set(names) - set(known):
        parser.error(f"no {', '.join(unknown)}: {', '.join(known)}")
    made = sorted((ROOT / "build/packages").glob("cute_compiler-*.whl"),
                  key=lambda path: path.stat().st_mtime)
    given.wheel = given.wheel or (made[-1] if made else None)
    if given.offline:
        given.wheel = None
    elif not given.wheel or not given.wheel.exists():
        parser.error("no wheel: ./dev wheel makes one")
    for tool in () if names == ["device"] else \
            ("ptxas", "nvcc") if "tilelang" in names and not given.offline else ("ptxas",):
        if not shutil.which(tool):
            parser.error(f"no {tool} on PATH, which makes cubins: install the CUDA toolkit")
    return parser, given, names


def main():
    parser, given, names = arguments()
    before = given.output.read_text(encoding="utf-8") if given.output.exists() else ""
    first, heading, device = before.partition(DEVICE)
    with tempfile.TemporaryDirectory() as site:
        if given.wheel:
            zipfile.ZipFile(given.wheel).extractall(site)
        if names != ["device"]:
            first = "\n".join(on_the_processor(names, given)) + "\n"
            given.output.write_text(first + heading + device, encoding="utf-8")
        measured = "\n".join(on_a_gpu(site))
    if names == ["device"] and not measured:
        parser.error("torch finds no GPU")
    given.output.write_text(first + (measured or heading + device), encoding="utf-8")
    print(given.output.read_text(encoding="utf-8"))


if __name__ == "__main__":
    main()
