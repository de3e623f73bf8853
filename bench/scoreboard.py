#!/usr/bin/env python3
"""Measures this package, the closed CuTe DSL, Triton, TileLang, Quack and FlashAttention-4 in
one go; writes a page.

usage: scoreboard.py OUTPUT.md [--wheel FILE] [--only NAME,...] [--offline]
                     [--closed SITE] [--programs FOLDER] [--seconds N] [--repeats N]

Each is installed from PyPI, ours from the wheel (by default the newest that `./dev wheel`
made), in an environment of its own under build/scoreboard, and compiles the programs in
bench/scoreboard for sm_90a, down to a cubin, without a cache on disk. Times are the
processor's, of the process and its children; "later" is the median of five other sizes or
options in the same process. Needs no GPU.

With --offline nothing is installed: what this Python has is measured, with ours from
PYTHONPATH, and the page names what it does not have. SITE is a PYTHONPATH of other packages,
which ours does not see: of what `pip install --target DIR` makes of NVIDIA's package it is
DIR/nvidia_cutlass_dsl/dsl_packages:DIR.

Where torch finds a GPU, the page ends with the tables of kernel_library.py, which times our
library beside cuBLAS, cuDNN and torch, and with --programs FOLDER the ones of dsl.py, which runs
CUTLASS's programs there on both packages; elsewhere it keeps the tables of before. `--only
device` measures them alone. None of CUTLASS's programs begins after --seconds.
"""
import argparse
import concurrent.futures
import datetime
import importlib.metadata
import json
import math
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


class Failed(Exception):
    """A command that did not end well, and the end of what it said."""


def run(*command, **more):
    done = subprocess.run([str(word) for word in command], text=True, check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, **more)
    if done.returncode:
        raise Failed(f"{' '.join(map(str, command))}\n{done.stderr[-2000:].strip()}")
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
    """(versions, bytes) of a package of this Python, or None. Its requirements are apart, but
    for parts of it, whose names begin as its own."""
    try:
        version = importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None
    parts = {part.name: part for part in importlib.metadata.distributions()
             if (part.name or "").startswith(package)}
    files = {pathlib.Path(file.locate()) for part in parts.values() for file in part.files or ()
             if file.suffix != ".pyc"}
    return f"{package} {version}", sum(f.stat().st_size for f in files if f.is_file())


def measure(python, program, what, last, folder, site, repeats):
    """The least of what the program says in several processes; site is its PYTHONPATH."""
    environment = {**os.environ, "CUTE_DSL_DISABLE_FILE_CACHING": "1", "CUTE_CACHE": "off",
                   "CUTE_DEVICE": "sim"}
    if site:
        environment["PYTHONPATH"] = site
    best = {}
    for _ in range(repeats):
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


def side_by_side(measures):
    """Results of measure for lists of arguments, None for failed ones; a quarter as many
    at once as there are processors, so that each has one for itself."""
    def one(given):
        try:
            return measure(*given)
        except Failed as failed:
            print(f"scoreboard: {failed}", file=sys.stderr)
            return None
    with concurrent.futures.ThreadPoolExecutor(max(1, (os.cpu_count() or 1) // 4)) as pool:
        return list(pool.map(one, measures))


def rows(names, folder, given):
    made = {name: ready(name, CONTENDERS[name][0], given) for name in names}
    present = [name for name in names if made[name]]
    site = {name: name != "cute" and given.closed for name in present}
    found = side_by_side([(made[name][0], *CONTENDERS[name][1:2], what, CONTENDERS[name][2],
                           folder, site[name], given.repeats)
                          for name in present for what in ("add", "gemm")])
    for name, add, gemm in zip(present, found[::2], found[1::2]):
        if not (add and gemm):
            continue
        _, program, last, fate = CONTENDERS[name]
        python, versions, size = made[name]
        yield {"name": name, "versions": versions, "MB": size, "import": add["import"][1],
               "add": (add["first"][1], add["later"][1]),
               "gemm": (gemm["first"][1], gemm["later"][1]),
               "mistake": fate or mistake(python, program, last, folder)}


def library_rows(names, folder, given):
    """(name, line of the page) of each library of kernels."""
    made = {name: ready(name, LIBRARIES[name][0], given) for name in names}
    tasks = [(name, kind) for name in names if made[name] for kind in LIBRARIES[name][1]]
    found = dict(zip(tasks, side_by_side([
        (made[name][0], "libraries.py", kind, [LIBRARIES[name][2]], folder,
         name != "cute" and given.closed, given.repeats) for name, kind in tasks])))
    for name in (name for name in names if made[name]):
        _, versions, size = made[name]
        times = [found.get((name, kind)) for kind in ("softmax", "attention")]
        if not any(times):
            continue
        cells = [f"{each['first'][1]:.2f}, {each['later'][1]:.2f}" if each else ""
                 for each in times]
        imports = min(each["import"][1] for each in times if each)
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
        yield f"\nNot on this machine, or failed: {', '.join(absent)}."
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


def programs(given, environment):
    """The table of dsl.py, of programs that both packages run."""
    command = ["bench/dsl.py", given.programs, "--rows", "speed", "--turns", given.repeats,
               "--seconds", given.seconds, *(["--closed", given.closed] if given.closed else [])]
    versions = found_here("nvidia-cutlass-dsl")
    yield (f"`bench/dsl.py FOLDER --closed SITE --rows speed`, programs of CUTLASS, with theirs "
           f"{versions[0] if versions else 'absent'}:\n\n```")
    with subprocess.Popen([sys.executable, "-u", ROOT / command[0], *map(str, command[1:])],
                          text=True, stdout=subprocess.PIPE, env=environment) as running:
        yield from (line.rstrip() for line in running.stdout)
    yield "```\n"


def on_a_gpu(site, given):
    """The tables of kernel_library.py and dsl.py for the package in the folder, if torch finds
    a device."""
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
    if given.programs:
        yield from programs(given, environment)
    for group in CHECKS:
        said = run(sys.executable, ROOT / "bench/kernel_library.py", "--rows", "check",
                   "--cases", 2, "--only", group, env=environment)
        print(said, file=sys.stderr)
    for group in GROUPS:
        command = ["bench/kernel_library.py", "--rows", "speed", "--only", group]
        said = run(sys.executable, ROOT / command[0], *command[1:], env=environment)
        yield f"`{' '.join(command[:-1])} '{group}'`:\n\n```"
        yield from rows_of(said)
        yield "```\n"


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("output", type=pathlib.Path)
    parser.add_argument("--wheel", type=pathlib.Path)
    parser.add_argument("--only", default=",".join(CONTENDERS | LIBRARIES))
    parser.add_argument("--offline", action="store_true")
    parser.add_argument("--closed", metavar="SITE", default="")
    parser.add_argument("--programs", metavar="FOLDER", type=pathlib.Path)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=math.inf)
    given = parser.parse_args()
    sys.path += filter(None, given.closed.split(os.pathsep))
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
        measured = ""
        for lines in on_a_gpu(site, given):
            measured += lines + "\n"
            given.output.write_text(first + measured, encoding="utf-8")
    if names == ["device"] and not measured:
        parser.error("torch finds no GPU")
    print(given.output.read_text(encoding="utf-8"))


if __name__ == "__main__":
    try:
        main()
    except Failed as error:
        sys.exit(f"scoreboard: {error}")
