#!/usr/bin/env python3
"""Says which public programs written for CuTe DSL run unmodified on this package.

usage: programs.py FOLDER ... [--only PATTERN] [--seconds N] [--jobs N] [-o FILE.md]

FOLDER holds programs, as NVIDIA/cutlass has under examples/python/CuTeDSL. Each file with
`if __name__ == "__main__"` and each notebook runs by `python -m cute run`, with the sizes of
SIZES where its own take minutes on the simulator: on this machine's GPU, or else simulated
as the architecture that its folder names. What does not run is compiled (--compile-only).
PYTHONPATH leads to the package; what programs import besides is needed, torch above all.

A program *runs* if it ends well: nearly all check what they computed. Where only the
simulator's search for races objects, it runs without that, and the page has the finding; where
it wants every bit of torch's product on the CPU, which rounds otherwise, the page says so. It
*compiles* if its kernels become PTX but it does not end well. Otherwise the page has the last
line of the error. The last line counts them.
"""
import argparse
import concurrent.futures
import datetime
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

# Smaller problems than a program's own, which the simulator takes minutes for.
SIZES = {
    "ampere/kernel/dense_gemm/sgemm.py": "--mnk 128,128,64",
    "ampere/kernel/dense_gemm/tensorop_gemm.py": "--mnkl 128,128,64,1",
    "ampere/kernel/attention/flash_attention_v2.py":
        "--batch_size 1 --num_head 1 --seqlen_q 128 --seqlen_k 128",
    "elementwise/elementwise_add.py": "--M 128 --N 256",
    "elementwise/elementwise_apply.py": "--M 128 --N 256",
    "hopper/kernel/dense_gemm/dense_gemm.py": "--mnkl 256,256,128,1",
    "hopper/kernel/dense_gemm/dense_gemm_persistent.py": "--mnkl 256,256,128,1",
    "02_gemm_simple_ts/01_fp16_bf16_gemm_3.py": "--mnk 128,256,256",
    "hopper/kernel/attention/fmha.py": "--q_shape 1,128,1,64 --k_shape 1,128,1,64",
    "hopper/kernel/cta_norm/cta_norm.py": "--M 8 --N 1024",
    "hopper/kernel/grouped_gemm/grouped_gemm.py":
        "--num_groups 2 --problem_sizes_mnkl (128,128,64,1),(128,128,128,1)",
    "tutorial_gemm/fp16_gemm_4.py": "--mnk 256,1024,128",
    "tutorial_gemm/fp16_gemm_6.py": "--mnk 256,512,128",
    "tutorial_gemm/fp16_gemm_": "--mnk 256,256,128",
    "tutorial_gemm/nvfp4_gemm_": "--mnkl 256,256,256,1",
    "tutorial_tma/tma_v": "--M 128 --N 128 --num_warmup 0 --num_iters 1",
    "blackwell/kernel/dense_gemm/dense_gemm":
        "--mnkl 256,256,128,1 --ab_dtype Float16 --c_dtype Float16",
}
# Notebooks with sizes of their own, and what the simulator gets in place of these.
SMALLER = {
    "notebooks/elementwise_add.ipynb": ("M, N = 16384, 8192", "M, N = 128, 1024"),
    "jax/cute_dsl_jax.ipynb": ("M, N, K = 512, 512, 512", "M, N, K = 64, 64, 64"),
}
# A stand-in for the tool that tells programs the architecture of a device, here a simulated one.
NVIDIA_SMI = """#!/bin/sh
case "$*" in *compute_cap*) echo {0}.{1};; *) echo "GPU 0: simulated, sm_{0}{1}";; esac
"""
# Programs that run after another one, whose files they take.
AFTER = {
    "export/load_in_python.py": "export_to_c.py",
    "tvm_ffi/aot_use_in_torch.py": "aot_export.py",
    "tvm_ffi/aot_use_in_jax.py": "aot_export.py",
}
# Programs that end with an error if all is well, and what it says.
ENDS_WITH = {"tvm_ffi/error_reporting.py": "TypeError|ValueError"}
PACKAGES = "torch|jax|tvm_ffi|numpy|pytest|cupy|triton"


def is_program(path):
    if path.suffix == ".ipynb":
        return True
    text = path.read_text(encoding="utf-8")
    return path.suffix == ".py" and "__name__" in text and "__main__" in text


def arguments_of(name):
    for program, arguments in SIZES.items():
        if program in name:
            return arguments.split(" ")
    return []


def arch_of(name):
    if re.search("blackwell|tcgen05|tmem", name):
        return "sm_100a"
    return "sm_90a"


def in_depth(path, scratch):
    """The program, or a copy in a deeper folder if it asks for more parents than it has."""
    text = path.read_text(encoding="utf-8", errors="replace")
    wanted = max(map(int, re.findall(r"\.parents\[(\d+)\]", text)), default=0)
    if wanted < len(path.parents):
        return path
    place = pathlib.Path(scratch, *["deeper"] * wanted)
    shutil.copytree(path.parent, place)
    return place / path.name


def with_smaller_sizes(path, name, scratch):
    """The program, or for a notebook of SMALLER a copy with other sizes, beside its neighbours."""
    for program, (own, smaller) in SMALLER.items():
        if name.endswith(program):
            place = pathlib.Path(scratch, "smaller")
            shutil.copytree(path.parent, place)
            text = path.read_text(encoding="utf-8")
            if own not in text:
                raise SystemExit(f"{name} does not have {own!r}: see SMALLER")
            (place / path.name).write_text(text.replace(own, smaller), encoding="utf-8")
            return place / path.name
    return path


def simulated_machine(name, scratch):
    """Variables for a program on the simulator, whose `nvidia-smi` tells the architecture."""
    arch = arch_of(name)
    tool = pathlib.Path(scratch, "bin", "nvidia-smi")
    tool.parent.mkdir()
    tool.write_text(NVIDIA_SMI.format(*divmod(int(re.sub(r"\D", "", arch)), 10)))
    tool.chmod(0o755)
    return {"CUTE_DEVICE": "sim", "CUTE_ARCH": arch,
            "PATH": f"{tool.parent}:{os.environ['PATH']}"}


def execute(path, name, options, more, **variables):
    """The exit status of a program, and what it printed; 124 after the time limit."""
    package = os.path.abspath(os.environ.get("PYTHONPATH", "."))
    environment = dict(os.environ, PYTHONDONTWRITEBYTECODE="1", PYTHONPATH=package, **variables)
    before = [path.parent / first for last, first in AFTER.items() if name.endswith(last)]
    with tempfile.TemporaryDirectory() as scratch:
        if not options.gpu:
            environment.update(simulated_machine(name, scratch))
            path = with_smaller_sizes(path, name, scratch)
        for program in [*before, path]:
            program = in_depth(program, scratch)
            arguments = [] if options.gpu else arguments_of(name)
            command = [sys.executable, "-m", "cute", "run", *more, program, *arguments]
            try:
                done = subprocess.run(command, env=environment, capture_output=True, text=True,
                                      cwd=scratch, timeout=options.seconds, errors="replace")
            except subprocess.TimeoutExpired:
                return 124, f"no end after {options.seconds} s"
    text = done.stdout + "\n" + done.stderr
    wanted = [error for program, error in ENDS_WITH.items() if name.endswith(program)]
    is_well = bool(wanted) and re.search(rf"(?m)^({wanted[0]})", text)
    return 0 if is_well else done.returncode, text


def reason_of(text):
    """The line that says why a program failed: that of the exception, in one cell's width."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    errors = [line for line in lines if re.match(r"[\w.]*(Error|NotThere|NoSuchName|Exception)\b",
                                                 line)]
    line = (errors or lines or ["no output"])[-1]
    line = re.sub(r"^[\w.]*\.(\w*(?:Error|NotThere|NoSuchName|Exception))", r"\1", line)
    line = re.sub(r"/\S*/", "", line)
    line = re.sub(r"\btmp[a-z0-9_]{8}\b", "TMP", line)  # a name of the module tempfile
    return line.replace("|", "\\|")[:150]


def finding_of(text):
    """What the simulator found, without the kernel's name and advice."""
    found = re.search(r"SimulatorError: error: kernel '\w+': (?:\S*/)?(\S+: block [^;\n]*)", text)
    return found.group(1).replace("|", "\\|")[:160] if found else reason_of(text)


def is_within_rounding(text):
    """Says whether only torch's comparison with its own product failed, by a rounding of f16."""
    found = re.findall(r"(?m)^(\w+Error): .*", text)
    worst = re.search(r"Mismatched elements: .*\((\d+\.\d)%\)\n.*\n"
                      r"Greatest relative difference: ([\d.e-]+)", text)
    return (found[-1:] == ["AssertionError"] and worst is not None
            and float(worst[1]) <= 1 and float(worst[2]) <= 2**-8)


def judge(path, name, options):
    """(kind, reason) of a program."""
    status, text = execute(path, name, options, [])
    if status == 0:
        skipped = re.search(r"(?m)^(?!-- ).*\bskip(s|ped|ping)?\b.*", text, re.I)  # -- is CMake's
        is_skipped = skipped and "PASS" not in text
        return ("skips", reason_of(skipped[0])) if is_skipped else ("runs", "")
    reason = reason_of(text)
    if not options.gpu and is_within_rounding(text):
        return "runs", "but for rounding, beside torch on the CPU"
    if re.search(LACK_OF_MEMORY, text):
        return "no", f"out of memory, perhaps beside other programs: {reason}"[:150]
    if "SimulatorError" in text and ("race" in text or "reused too early" in text):
        if execute(path, name, options, [], CUTE_SIM="checks=off")[0] == 0:
            return "runs", f"with checks=off; the simulator finds: {finding_of(text)}"
    if re.search(rf"No module named '({PACKAGES})", text):
        return "no", reason
    if options.compile and execute(path, name, options, ["--compile-only"])[0] == 0:
        return "compiles", reason
    return "no", reason


# Matches what torch, JAX and the driver say where memory is short.
LACK_OF_MEMORY = "out of memory|OutOfMemory|OUT_OF_MEMORY|RESOURCE_EXHAUSTED|MemoryAllocation"


def has_gpu():
    try:
        return subprocess.run(["nvidia-smi", "-L"], capture_output=True).returncode == 0
    except OSError:
        return False


def programs_of(folders, only):
    """(path, name) of all programs in folders whose name has a pattern."""
    for folder in folders:
        for path in sorted([*folder.rglob("*.py"), *folder.rglob("*.ipynb")]):
            name = str(path.relative_to(folder))
            if re.search(only, name) and is_program(path):
                yield path, name


KINDS = ("runs", "compiles", "skips", "no")
PLACES = ("on a GPU", "simulated")
INTRODUCTION = """# Public programs

Programs and notebooks of NVIDIA/cutlass (examples/python/CuTeDSL), unmodified, by
`./dev bench programs FOLDER -o docs/programs.md`, which writes the column of this machine, on
a GPU or simulated, and leaves the other as it was. One *runs* if it ends well, and nearly all
check what they computed; simulated, some have smaller sizes than their own. One that does not
run *compiles* if its kernels become PTX.

Simulated, a stand-in for `nvidia-smi` names the architecture, which `cute_dsl_jax.ipynb` asks for. That notebook times products
of 64 x 64 x 64 in place of 512 x 512 x 512, and `elementwise_add.ipynb` has 128 x 1024 elements in place of 134 million. One program does not run simulated: `cluster_tmem_reduce.py` waits for a
`tcgen05.cp` with `tcgen05.wait::st`, which does not wait for copies, and lets other blocks read shared memory after relaxed
cluster barriers only: the simulator reports both.
"""


def summary(kinds, place):
    """What was found in a line."""
    counts = {kind: kinds.count(kind) for kind in KINDS}
    found = ", ".join(f"{n} {kind}" for kind, n in counts.items() if n)
    return f"{len(kinds)} programs, {place}: {found}"


def read_page(path):
    """The lines that sum up what was found in each place, and {program: [cell of each place]}."""
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    sums = {place: line for place in PLACES
            for line in re.findall(rf"^- (.*, {place}: .*)$", text, re.M)}
    cells = re.findall(r"^\| (\S+\.(?:py|ipynb)) \| (.*?) \| (.*?) \|$", text, re.M)
    return sums, {name: list(found) for name, *found in cells}


def report(sums, cells):
    """The page of what was found, as Markdown."""
    groups = {}
    for name, found in sorted(cells.items()):
        groups.setdefault("/".join(name.split("/")[:-1][:2]), []).append(found)
    text = [INTRODUCTION, *(f"- {sums[place]}" for place in PLACES if place in sums), "",
            f"| | programs | {' | '.join(f'run {place}' for place in PLACES)} |", "|---|---|---|---|"]
    for group, rows in groups.items():
        counts = (sum(row[i].startswith("runs") for row in rows) for i in range(len(PLACES)))
        text.append(f"| {group} | {len(rows)} | {' | '.join(map(str, counts))} |")
    text += ["", f"| program | {' | '.join(PLACES)} |", "|---|---|---|"]
    text += [f"| {name} | {' | '.join(found)} |" for name, found in sorted(cells.items())]
    return "\n".join(text) + "\n"


def write_page(path, rows, place):
    """Writes what was found in a place into a page."""
    sums, cells = read_page(path)
    which = PLACES.index(place)
    for name, kind, reason in rows:
        found = cells.setdefault(name, [""] * len(PLACES))
        found[which] = f"{kind}: {reason}" if reason else kind
    kinds = [found[which].partition(":")[0] for found in cells.values() if found[which]]
    sums[place] = f"{datetime.date.today()}: {summary(kinds, place)}"
    path.write_text(report(sums, cells), encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("folders", nargs="+", type=pathlib.Path)
    parser.add_argument("--only", default="")
    parser.add_argument("--seconds", type=int, default=100)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--no-compile", dest="compile", action="store_false")
    parser.add_argument("--simulate", action="store_true")
    parser.add_argument("-o", dest="output", type=pathlib.Path)
    options = parser.parse_args()
    options.gpu = has_gpu() and not options.simulate
    rows = []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        wanted = list(programs_of(options.folders, options.only))
        verdicts = pool.map(lambda p: judge(p[0].resolve(), p[1], options), wanted)
        for (_, name), (kind, reason) in zip(wanted, verdicts):
            print(f"{kind:9}{name}{': ' + reason if reason else ''}", flush=True)
            rows.append((name, kind, reason))
    place = PLACES[0 if options.gpu else 1]
    if options.output:
        write_page(options.output, rows, place)
    print(summary([kind for _, kind, _ in rows], place))


if __name__ == "__main__":
    main()
