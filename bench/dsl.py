#!/usr/bin/env python3
"""Runs programs written for CuTe DSL on this package, and beside it on the closed one.

usage: dsl.py FOLDER [--closed SITE] [--only PATTERN] [--rows check|speed|all]

FOLDER holds the programs, as in NVIDIA/cutlass under examples/python/CuTeDSL; they
run as they are. SITE is a PYTHONPATH for nvidia-cutlass-dsl: of what `pip install
--target DIR` makes it is DIR/nvidia_cutlass_dsl/dsl_packages:DIR. Without it only this
package runs, to which PYTHONPATH leads. Needs a GPU, torch and cuda-python.

Each row is a program with arguments. `check` rows are those whose result the program
itself checks: defaults and odd sizes. `speed` rows are timed by the program's own call
of `cute.testing.benchmark`, in turns, three times each; a time is the least of them.
Compiling is what `cute.compile` takes, down to machine code in both and without the import: the
driver makes it of our PTX in the same call. A ratio is ours over theirs:
below 1 we are quicker. The last line counts what failed.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys

GEMM = "cute/ampere/kernel/dense_gemm/tensorop_gemm.py"
SGEMM = "cute/ampere/kernel/dense_gemm/sgemm.py"
FLASH = "cute/ampere/kernel/attention/flash_attention_v2.py"
ADD = "cute/ampere/kernel/elementwise/elementwise_add.py"
APPLY = "cute/ampere/kernel/elementwise/elementwise_apply.py"
GEMM_SM90 = "cute/hopper/kernel/dense_gemm/dense_gemm.py"
PERSISTENT = "cute/hopper/kernel/dense_gemm/dense_gemm_persistent.py"
FMHA = "cute/hopper/kernel/attention/fmha.py"

CHECK = [
    (ADD, ""), (ADD, "--M 3 --N 12"), (ADD, "--M 1001 --N 515"),
    (APPLY, ""), (APPLY, "--M 257 --N 1023"),
    (SGEMM, ""), (SGEMM, "--mnk 1000,520,129"),
    (GEMM, ""), (GEMM, "--mnkl 1000,504,136,3"),
    (GEMM, "--mnkl 512,256,128,2 --a_major k --b_major k"),
    (GEMM, "--mnkl 512,256,128,2 --c_major m"),
    (FLASH, "--seqlen_q 512 --seqlen_k 512"),
    (FLASH, "--seqlen_q 333 --seqlen_k 421 --batch_size 2"),
    (FLASH, "--seqlen_q 1000 --seqlen_k 1000 --is_causal"),
    ("dsl_tutorials/call_bypass_dlpack.py", ""),
    ("dsl_tutorials/call_from_jit.py", ""),
    ("dsl_tutorials/cooperative_launch.py", ""),
    ("dsl_tutorials/dynamic_smem_size.py", ""),
    ("dsl_tutorials/inline_ptx.py", ""),
    ("dsl_tutorials/print_latex.py", ""),
    ("dsl_tutorials/smem_allocator.py", ""),
    ("dsl_tutorials/torch_fake_tensor.py", ""),
    (GEMM_SM90, "--mnkl 1000,520,136,2"), (GEMM_SM90, ""),
    (PERSISTENT, "--mnkl 1000,520,136,2"), (PERSISTENT, ""),
    (FMHA, ""),
]
SPEED = [
    (ADD, "--M 8192 --N 8192 --benchmark --skip_ref_check"),
    (SGEMM, "--mnk 4096,4096,4096 --skip_ref_check"),
    (GEMM, "--mnkl 4096,4096,4096,1 --skip_ref_check --iterations 50"),
    (GEMM, "--mnkl 8192,8192,8192,1 --skip_ref_check --iterations 20"),
    (GEMM, "--mnkl 4096,4096,4096,1 --a_major k --b_major k "
           "--skip_ref_check --iterations 50"),
    (FLASH, "--batch_size 4 --num_head 16 --seqlen_q 4096 --seqlen_k 4096 "
            "--skip_ref_check --iterations 20"),
    (GEMM_SM90, "--mnkl 4096,4096,4096,1 --tile_shape_mn 128,256 "
                "--skip_ref_check --warmup_iterations 5 --iterations 50"),
    (PERSISTENT, "--mnkl 4096,4096,4096,1 --tile_shape_mn 128,256 "
                 "--cluster_shape_mn 2,1 "
                 "--skip_ref_check --warmup_iterations 5 --iterations 50"),
]

# Runs in a separate process: FILE ARGS. What it measures goes to the file that
# TIMES names, one JSON object a line.
DRIVER = r"""
import json, os, runpy, sys, time
if os.environ["PACKAGE"] == "ours":
    import cute.as_cutlass, cute._compat.own_cute
    cute._compat.own_cute.install()
import cutlass.cute as cute
import cutlass.cute.testing as testing
from cutlass import testing as also_testing

def note(**what):
    with open(os.environ["TIMES"], "a") as times:
        times.write(json.dumps(what) + "\n")

benchmark = testing.benchmark
def timed_benchmark(*args, **kwargs):
    microseconds = benchmark(*args, **kwargs)
    note(run=microseconds)
    return microseconds
testing.benchmark = also_testing.benchmark = timed_benchmark

class Compile:
    def __init__(self, compile):
        self._compile = compile
    def __call__(self, *args, **kwargs):
        start = time.perf_counter()
        result = self._compile(*args, **kwargs)
        note(compile=time.perf_counter() - start)
        return result
    def __getitem__(self, options):
        return Compile(self._compile[options])
    def __getattr__(self, name):
        return getattr(self._compile, name)
cute.compile = Compile(cute.compile)

sys.argv = sys.argv[1:]
sys.path.insert(0, os.path.dirname(sys.argv[0]))
runpy.run_path(sys.argv[0], run_name="__main__")
"""


def run(package, folder, program, arguments, closed, scratch):
    """The exit status, what was printed, and the times noted."""
    times = scratch / "times"
    times.unlink(missing_ok=True)
    environment = dict(os.environ, PACKAGE=package, TIMES=str(times))
    if package == "closed":
        environment["PYTHONPATH"] = str(closed)
    try:
        done = subprocess.run(
            [sys.executable, "-c", DRIVER, str(folder / program), *arguments.split()],
            env=environment, capture_output=True, text=True, timeout=240)
        status, text = done.returncode, done.stdout + done.stderr
    except subprocess.TimeoutExpired:
        status, text = 124, "no end after 240 s"
    notes = [json.loads(line) for line in times.read_text().splitlines()] \
        if times.exists() else []
    return status, text, notes


def least(notes, key):
    found = [note[key] for note in notes if key in note]
    return min(found) if found else None


def ratio(ours, theirs):
    return f"{ours / theirs:6.2f}" if ours and theirs else "     -"


def number(value, scale=1):
    return f"{value * scale:9.1f}" if value else "        -"


def check(rows, options, scratch):
    """Prints a line for each row; how many failed."""
    failed = 0
    for program, arguments in rows:
        status, text, notes = run("ours", options.folder, program, arguments,
                                  options.closed, scratch)
        failed += status != 0
        reason = "" if status == 0 else \
            ": " + (text.strip().splitlines() or ["no output"])[-1][:200]
        print(f"{'ok    ' if status == 0 else 'FAILED'} "
              f"{number(least(notes, 'compile'), 1e3)} ms  "
              f"{program} {arguments}{reason}", flush=True)
    return failed


def speed(rows, options, scratch):
    """Prints a line for each row; how many failed."""
    failed = 0
    packages = ["ours"] + (["closed"] if options.closed else [])
    print("us ours   theirs    ratio   compile ms   theirs  ratio")
    for program, arguments in rows:
        runs = {package: [] for package in packages}
        broken = {}
        for _ in range(3):
            for package in packages:
                if package in broken:
                    continue
                status, text, notes = run(package, options.folder, program,
                                          arguments, options.closed, scratch)
                runs[package] += notes
                if status:
                    broken[package] = (text.strip().splitlines() or ["?"])[-1][:200]
        best = {(package, key): least(runs[package], key)
                for package in packages for key in ("run", "compile")}
        run_us = [best.get((package, "run")) for package in ("ours", "closed")]
        compile_s = [best.get((package, "compile")) for package in ("ours", "closed")]
        print(number(run_us[0]), number(run_us[1]), ratio(*run_us),
              number(compile_s[0], 1e3), number(compile_s[1], 1e3),
              ratio(*compile_s), program, arguments, flush=True)
        for package, reason in broken.items():
            print(f"  {package} failed: {reason}")
        failed += "ours" in broken
    return failed


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--closed")
    parser.add_argument("--only", default="")
    parser.add_argument("--rows", choices=["check", "speed", "all"], default="all")
    parser.add_argument("--scratch", type=pathlib.Path, default=pathlib.Path("/tmp"))
    options = parser.parse_args()
    wanted = [[row for row in rows if options.only in " ".join(row)]
              for rows in (CHECK, SPEED)]
    failed = 0
    if options.rows != "speed":
        failed += check(wanted[0], options, options.scratch)
    if options.rows != "check":
        failed += speed(wanted[1], options, options.scratch)
    print(f"{failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
