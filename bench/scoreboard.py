#!/usr/bin/env python3
"""Measures this package, the closed CuTe DSL, Triton, TileLang, Quack and FlashAttention-4 in
one go; writes a page.

usage: scoreboard.py OUTPUT.md [--wheel FILE] [--only NAME,...]

Each is installed from PyPI, ours from the wheel (by default the newest that `./dev wheel`
made), in an environment of its own under build/scoreboard, and compiles the programs in
bench/scoreboard for sm_90a, down to a cubin, without a cache on disk. Times are the
processor's, of the process and its children; "later" is the median of five other sizes or
options in the same process. Needs no GPU.

Where torch finds a GPU, the page ends with the tables of kernel_library.py, which times the
library that PYTHONPATH leads to beside cuBLAS, cuDNN and torch; elsewhere it keeps the
tables of before. A machine with a GPU and without a network measures them alone, by
`--only device`.
"""
import argparse
import datetime
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
    names = [name for name in (p.split(">")[0] for p in packages) if name in versions]
    return ", ".join(f"{n} {versions[n]}" for n in names), sum(
        path.stat().st_size for path in files)


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


def ready(name, packages, wheel):
    """(Python, versions, MB) of an environment with the packages."""
    packages = [str(wheel) if p == "WHEEL" else p for p in packages]
    print(f"{name}: installing", file=sys.stderr)
    python = install(name, packages)
    known = ["cute-compiler" if p == str(wheel) else p for p in packages[:1]]
    versions, size = installed(python, known)
    print(f"{name}: compiling", file=sys.stderr)
    return python, versions, size / 1e6


def rows(names, folder, wheel):
    for name in names:
        packages, program, last, fate = CONTENDERS[name]
        python, versions, size = ready(name, packages, wheel)
        add = measure(python, program, "add", last, folder)
        gemm = measure(python, program, "gemm", last, folder)
        yield {"versions": versions, "MB": size, "import": add["import"][1],
               "add": (add["first"][1], add["later"][1]),
               "gemm": (gemm["first"][1], gemm["later"][1]),
               "mistake": fate or mistake(python, program, last, folder)}


def library_rows(names, folder, wheel):
    """A line of the page for each library of kernels."""
    for name in names:
        packages, what, label = LIBRARIES[name]
        python, versions, size = ready(name, packages, wheel)
        found = {kind: measure(python, "libraries.py", kind, [label], folder) for kind in what}
        cells = [f"{times['first'][1]:.2f}, {times['later'][1]:.2f}" if times else ""
                 for times in map(found.get, ("softmax", "attention"))]
        imports = min(times["import"][1] for times in found.values())
        yield f"| {versions} | {size:.0f} MB | {imports:.2f} | {' | '.join(cells)} |"


def starts():
    """The least wall time of a start of cute-opt, in ms, and of MLIR's, where they are."""
    for tool in (ROOT / "build/release/bin/cute-opt", "/usr/lib/llvm-22/bin/mlir-opt"):
        if pathlib.Path(tool).exists():
            taken = []
            for _ in range(20):
                begin = time.perf_counter()
                run(tool, "--version")
                taken.append(time.perf_counter() - begin)
            yield f"`{pathlib.Path(tool).name}` {min(taken) * 1e3:.0f} ms"


def page(found, libraries, started, wheel, commit):
    cpu = next((line.split(": ")[1].strip() for line in open("/proc/cpuinfo", encoding="utf-8")
                if line.startswith("model name")), platform.machine())
    yield "# Scoreboard\n"
    yield (f"`./dev scoreboard` on {datetime.date.today()}, commit {commit}, {cpu}, Python "
           f"{platform.python_version()}, {wheel.name}. Seconds of processor time, "
           "down to a cubin for sm_90a: ours by the CUDA toolkit's ptxas, TileLang's by its "
           "nvcc, the others by what they bring. TileLang requires torch, which is part of its "
           "size.\n")
    yield "| | installed | import | sum of vectors: first, later | product: first, later |"
    yield "|---|---|---|---|---|"
    for row in found:
        yield (f"| {row['versions']} | {row['MB']:.0f} MB | {row['import']:.2f} | "
               f"{row['add'][0]:.3f}, {row['add'][1]:.3f} | "
               f"{row['gemm'][0]:.3f}, {row['gemm'][1]:.3f} |")
    if libraries:
        yield ("\nLibraries of kernels, what their first calls compile: softmax of rows of 8192 of bf16 "
               "and other lengths, attention of bf16 with heads of 128 and other sizes. Quack and "
               "FlashAttention-4 require torch, which is part of their sizes.\n")
        yield "| | installed | import | softmax: first, later | attention: first, later |"
        yield "|---|---|---|---|---|"
        yield from libraries
    if started:
        yield f"\nStart of the tools, wall time: {', '.join(started)}."
    yield "\nA product without the barrier before shared memory is written again:\n"
    for row in found:
        yield f"- {row['versions']}: {row['mistake']}"


def rows_of(text):
    """What kernel_library.py says of the rows, with the headings that have some."""
    lines = [line for line in text.splitlines()
             if line.strip() and not re.match(r"seed |on |\d+ failed", line)]
    heads = ("TFLOP/s", "GB/s")
    after = lines[1:] + ["GB/s"]
    return [line for line, then in zip(lines, after)
            if not (line.startswith(heads) and then.startswith(("grid", *heads)))]


def on_a_gpu():
    """The tables of kernel_library.py, if torch finds a device."""
    try:
        import torch
    except ImportError:
        return
    if not torch.cuda.is_available():
        return
    from library_operands import device
    yield DEVICE
    yield f"{device()}.\n"
    for group in CHECKS:
        said = run(sys.executable, ROOT / "bench/kernel_library.py", "--rows", "check",
                   "--cases", 2, "--only", group)
        print(said, file=sys.stderr)
    for group in GROUPS:
        command = ["bench/kernel_library.py", "--rows", "speed", "--only", group]
        yield f"`{' '.join(command[:-1])} '{group}'`:\n\n```"
        yield from rows_of(run(sys.executable, ROOT / command[0], *command[1:]))
        yield "```\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("output", type=pathlib.Path)
    parser.add_argument("--wheel", type=pathlib.Path)
    parser.add_argument("--only", default=",".join(CONTENDERS | LIBRARIES))
    given = parser.parse_args()
    before = given.output.read_text(encoding="utf-8") if given.output.exists() else ""
    first, heading, device = before.partition(DEVICE)
    if given.only == "device":
        device = ""
        for line in on_a_gpu():
            print(line, flush=True)
            device += line + "\n"
        given.output.write_text(first + (device or parser.error("torch finds no GPU")),
                                encoding="utf-8")
        return
    names = given.only.split(",")
    if unknown := set(names) - set(CONTENDERS | LIBRARIES):
        parser.error(f"no {', '.join(unknown)}: {', '.join([*CONTENDERS | LIBRARIES, 'device'])}")
    made = sorted((ROOT / "build/packages").glob("cute_compiler-*.whl"),
                  key=lambda path: path.stat().st_mtime)
    wheel = given.wheel or (made[-1] if made else None)
    if not wheel or not wheel.exists():
        parser.error("no wheel: ./dev wheel makes one")
    for tool in ("ptxas", "nvcc") if "tilelang" in names else ("ptxas",):
        if not shutil.which(tool):
            parser.error(f"no {tool} on PATH, which makes cubins: install the CUDA toolkit")
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, text=True,
                            stdout=subprocess.PIPE, check=False).stdout.strip()
    with tempfile.TemporaryDirectory() as folder:
        found = list(rows([name for name in names if name in CONTENDERS], folder, wheel))
        libraries = list(library_rows([n for n in names if n in LIBRARIES], folder, wheel))
        started = list(starts()) if "cute" in names else []
        first = "\n".join(page(found, libraries, started, wheel, commit)) + "\n"
    device = "\n".join(on_a_gpu()) or heading + device
    given.output.write_text(first + device, encoding="utf-8")
    print(first + device)


if __name__ == "__main__":
    main()
