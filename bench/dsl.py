#!/usr/bin/env python3
"""Runs programs written for CuTe DSL on this package, and beside it on the closed one.

usage: dsl.py FOLDER [--closed SITE] [--only PATTERN] [--rows check|speed|compile|all]

FOLDER holds the programs, as in NVIDIA/cutlass under examples/python/CuTeDSL; they
run as they are. SITE is a PYTHONPATH for nvidia-cutlass-dsl: of what `pip install
--target DIR` makes it is DIR/nvidia_cutlass_dsl/dsl_packages:DIR. Without it only this
package runs, to which PYTHONPATH leads. Needs a GPU, torch and cuda-python.

Each row is a program with arguments. `check` rows are those whose result the program
itself checks: defaults and odd sizes. `speed` rows are timed by the program's own call
of `cute.testing.benchmark`, in turns, --turns times each; a time is the least of them, a
speed their time over ours: above 1 we are quicker. None begins after --seconds.
Compiling is what `cute.compile` takes, down to machine code in both: the
driver makes it of our PTX in the same call. The first call is the import of the package, the
compiling, and the first launch; torch is there before. Nothing comes from a cache on disk but the
byte code of Python's files, which both packages have.
These two ratios are our time over theirs. The last lines are geometric means, and what failed.
Each process is a fork of this one, which has torch but not yet CUDA.

`compile` rows need no GPU: the processor's time of `cute.compile` in the `speed` programs, of the
process and its children, down to a cubin for --arch in both, ours by ptxas. torch's CUDA tensors
lie on the host, and a program ends where it would launch.
"""
import argparse
import compileall
import importlib.util
import json
import math
import os
import pathlib
import re
import signal
import sys
import time
import traceback

GEMM = "cute/ampere/kernel/dense_gemm/tensorop_gemm.py"
SGEMM = "cute/ampere/kernel/dense_gemm/sgemm.py"
FLASH = "cute/ampere/kernel/attention/flash_attention_v2.py"
ADD = "cute/ampere/kernel/elementwise/elementwise_add.py"
APPLY = "cute/ampere/kernel/elementwise/elementwise_apply.py"
GEMM_SM90 = "cute/hopper/kernel/dense_gemm/dense_gemm.py"
PERSISTENT = "cute/hopper/kernel/dense_gemm/dense_gemm_persistent.py"
FMHA = "cute/hopper/kernel/attention/fmha.py"
NORM = "cute/hopper/kernel/cta_norm/cta_norm.py"
GROUPED = "cute/hopper/kernel/grouped_gemm/grouped_gemm.py"
DEPENDENT = "dsl_tutorials/programmatic_dependent_launch.py"

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
TIMED = "--skip_ref_check --warmup_iterations 5 --iterations 50"
FOUR_GROUPS = ("--num_groups 4 --problem_sizes_mnkl "
               "(4096,4096,1024,1),(2048,4096,4096,1),(1024,8192,2048,1),(8192,1024,4096,1) "
               "--tile_shape_mn 128,256 --cluster_shape_mn 1,1")
SPEED = [
    (ADD, "--M 8192 --N 8192 --benchmark --skip_ref_check"),
    (APPLY, "--M 8192 --N 8192 --benchmark --skip_ref_check"),
    (SGEMM, "--mnk 4096,4096,4096 --skip_ref_check --iterations 20"),
    (GEMM, "--mnkl 4096,4096,4096,1 --skip_ref_check --iterations 50"),
    (GEMM, "--mnkl 8192,8192,8192,1 --skip_ref_check --iterations 20"),
    (GEMM, "--mnkl 4096,4096,4096,1 --a_major k --b_major k "
           "--skip_ref_check --iterations 50"),
    (FLASH, "--batch_size 4 --num_head 16 --seqlen_q 4096 --seqlen_k 4096 "
            "--skip_ref_check --iterations 20"),
    (FLASH, "--batch_size 4 --num_head 16 --seqlen_q 4096 --seqlen_k 4096 --is_causal "
            "--skip_ref_check --iterations 20"),
    (GEMM_SM90, f"--mnkl 4096,4096,4096,1 --tile_shape_mn 128,256 {TIMED}"),
    (GEMM_SM90, f"--mnkl 8192,8192,8192,1 --tile_shape_mn 128,256 --cluster_shape_mn 2,1 {TIMED}"),
    (GEMM_SM90, "--mnkl 4096,4096,4096,1 --tile_shape_mn 128,256 --a_dtype Float8E4M3FN "
                f"--b_dtype Float8E4M3FN {TIMED}"),
    (PERSISTENT, "--mnkl 4096,4096,4096,1 --tile_shape_mn 128,256 "
                 f"--cluster_shape_mn 2,1 {TIMED}"),
    (PERSISTENT, "--mnkl 8192,8192,8192,1 --tile_shape_mn 128,256 "
                 f"--cluster_shape_mn 2,1 {TIMED}"),
    (GROUPED, f"{FOUR_GROUPS} {TIMED}"),
    (FMHA, f"--q_shape 4,4096,16,128 --k_shape 4,4096,16,128 {TIMED}"),
    (FMHA, f"--q_shape 4,4096,16,128 --k_shape 4,4096,16,128 --is_causal {TIMED}"),
    (NORM, f"--M 16384 --N 8192 --benchmark {TIMED}"),
    (NORM, f"--M 16384 --N 8192 --norm_type rms --benchmark {TIMED}"),
    (DEPENDENT, "--M 4096 --N 4096 --benchmark --use_pdl --skip_ref_check"),
]

# Runs in a process of its own, with torch: FILE ARGS. What it measures goes to the file that
# TIMES names, one JSON object a line.
DRIVER = r"""
import json, os, runpy, sys, time
begin = time.perf_counter()
if os.environ["PACKAGE"] == "ours":
    import cute.as_cutlass, cute._compat.own_cute
    cute._compat.own_cute.install()
import cutlass.cute as cute
import cutlass.cute.testing as testing
from cutlass import testing as also_testing

def note(**what):
    with open(os.environ["TIMES"], "a") as times:
        times.write(json.dumps(what) + "\n")

def timed(key, function, *args, **kwargs):
    start = time.perf_counter()
    result = function(*args, **kwargs)
    note(**{key: time.perf_counter() - start})
    return result

def launched(function, *args, **kwargs):
    import torch
    torch.cuda.synchronize()
    timed("launch", lambda: (function(*args, **kwargs), torch.cuda.synchronize()))

note(imports=time.perf_counter() - begin)
benchmark = testing.benchmark
def timed_benchmark(function, **kwargs):
    given = kwargs.get("kernel_arguments") or kwargs["workspace_generator"]()
    launched(function, *given.args, **given.kwargs)
    microseconds = benchmark(function, **kwargs)
    note(run=microseconds)
    return microseconds
testing.benchmark = also_testing.benchmark = timed_benchmark

class Compile:
    def __init__(self, compile):
        self._compile = compile
    def __call__(self, *args, **kwargs):
        return timed("compile", self._compile, *args, **kwargs)
    def __getitem__(self, options):
        return Compile(self._compile[options])
    def __getattr__(self, name):
        return getattr(self._compile, name)
cute.compile = Compile(cute.compile)

sys.argv = sys.argv[1:]
sys.path.insert(0, os.path.dirname(sys.argv[0]))
runpy.run_path(sys.argv[0], run_name="__main__")
"""

# The same without a GPU, for `compile` rows. Both packages get tensors of our stand-in for CUDA.
COMPILE_DRIVER = r"""
import ctypes, json, os, resource, runpy, sys
import torch
from cute._device import fake_cuda

IS_OURS, ARCH = os.environ["PACKAGE"] == "ours", os.environ["CUTE_ARCH"]
if IS_OURS:
    import cute.as_cutlass, cute._compat.own_cute
    cute._compat.own_cute.install()
    cute.as_cutlass.replace_cuda()
torch.cuda.is_available = lambda: False
fake_cuda.install()
import cutlass.cute as cute
import cutlass.cute.testing as testing
from cutlass import testing as also_testing, torch as cutlass_torch

def capsule_of_cuda(tensor, **options):
    # DLPack's capsule of a tensor of the host, which says that it is on device 0.
    options.pop("stream", None)
    capsule = torch.Tensor.__dlpack__(tensor.as_subclass(torch.Tensor), **options)
    name = b"dltensor_versioned" if "versioned" in repr(capsule) else b"dltensor"
    get = ctypes.pythonapi.PyCapsule_GetPointer
    get.restype, get.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    device = get(capsule, name) + (40 if "versioned" in repr(capsule) else 8)
    ctypes.cast(device, ctypes.POINTER(ctypes.c_int32))[0] = 2
    return capsule

if not IS_OURS:
    tensors = type(torch.empty(1, device="cuda"))
    tensors.__dlpack_device__ = lambda tensor: (2, 0)
    tensors.__dlpack__ = capsule_of_cuda

def seconds():
    used = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(u.ru_utime + u.ru_stime for u in used)

class NotLaunched:
    def __call__(self, *args, **kwargs):
        pass
    def __getattr__(self, name):
        return self

def end(*args, **kwargs):
    sys.exit(0)

class Compile:
    def __init__(self, compile):
        self._compile = compile
    def __call__(self, *args, options="", **kwargs):
        options += f" --gpu-arch {ARCH} --keep-cubin --dump-dir {os.environ['CUBINS']}"
        start = seconds()
        self._compile(*args, options=options, **kwargs)
        with open(os.environ["TIMES"], "a") as times:
            times.write(json.dumps({"compile": seconds() - start}) + "\n")
        return NotLaunched()
    def __getitem__(self, options):
        return Compile(self._compile[options])
    def __getattr__(self, name):
        return getattr(self._compile, name)
cute.compile = Compile(cute.compile)
testing.benchmark = also_testing.benchmark = end
cutlass_torch.convert_cute_tensor = lambda float32, tensor, *args, **kwargs: tensor
sys.argv = sys.argv[1:]
sys.path.insert(0, os.path.dirname(sys.argv[0]))
runpy.run_path(sys.argv[0], run_name="__main__")
"""
NO_CACHES = {"CUDA_CACHE_DISABLE": "1", "CUTE_CACHE": "off", "CUTE_DSL_DISABLE_FILE_CACHING": "1"}


def become(package, arguments, closed, scratch, driver):
    """Runs a driver in this process, which is a fork; returns its exit status."""
    output = os.open(scratch / "output", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.dup2(output, 1)
    os.dup2(output, 2)
    os.environ.update(NO_CACHES, PACKAGE=package, TIMES=str(scratch / "times"))
    if package == "closed":
        ours = os.environ.get("PYTHONPATH", "").split(os.pathsep) if driver is DRIVER else []
        sys.path[:] = [*closed.split(os.pathsep),
                       *(p for p in sys.path if p not in map(os.path.abspath, ours))]
    sys.argv = ["-c", *arguments]
    try:
        exec(compile(driver, "driver", "exec"), {"__name__": "driver"})
        return 0
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:
        traceback.print_exc()
        return 1


def ended(process, seconds):
    """The exit status of a process, which is killed after some seconds."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        found, status = os.waitpid(process, os.WNOHANG)
        if found:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.01)
    os.kill(process, signal.SIGKILL)
    os.waitpid(process, 0)
    return 124


def run(package, folder, program, arguments, closed, scratch, driver=DRIVER):
    """The exit status, what was printed, and the times noted."""
    times = scratch / "times"
    times.unlink(missing_ok=True)
    process = os.fork()
    if process == 0:
        status = become(package, [str(folder / program), *arguments.split()], closed, scratch,
                        driver)
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)
    status = ended(process, 100)
    text = (scratch / "output").read_text(errors="replace") + \
        ("\nno end after 100 s" if status == 124 else "")
    notes = [json.loads(line) for line in times.read_text().splitlines()] \
        if times.exists() else []
    return status, text, notes


def write_byte_code():
    """Compiles this package's files, as installing a package does."""
    package = pathlib.Path(importlib.util.find_spec("cute").origin).parent
    for folder in (package, *(f.resolve() for f in package.iterdir() if f.is_dir())):
        compileall.compile_dir(folder, quiet=1)


def total(notes, key):
    """The sum of a process's notes, or None: CUTLASS's HardwareInfo calls `cute.compile`, too."""
    return sum(note[key] for note in notes if key in note) or None


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
              f"{number(total(notes, 'compile'), 1e3)} ms  "
              f"{program} {arguments}{reason}", flush=True)
    return failed


def first_call(notes):
    """Seconds of the import, the compiling and the first launch of one process, or None."""
    parts = [total(notes, key) for key in ("imports", "compile", "launch")]
    return sum(parts) if all(parts) else None


def measured(program, arguments, options, scratch):
    """({(package, what): least time}, {package: why it failed}) of a program in turns."""
    packages = ["ours"] + (["closed"] if options.closed else [])
    best, broken = {}, {}
    for _ in range(options.turns):
        for package in (p for p in packages if p not in broken):
            status, text, notes = run(package, options.folder, program, arguments,
                                      options.closed, scratch)
            found = {"run": total(notes, "run"), "compile": total(notes, "compile"),
                     "first": first_call(notes)}
            for key, value in found.items():
                if value:
                    best[package, key] = min(value, best.get((package, key), value))
            if status:
                lines = text.strip().splitlines() or ["no output"]
                broken[package] = lines[-1][:200]
                print(f"{package}: {program} {arguments}", *lines[-12:], sep="\n",
                      file=sys.stderr)
    return best, broken


def speed(rows, options, scratch):
    """Prints a line for each row and the means; returns how many failed."""
    failed, ratios = 0, {"run": [], "compile": [], "first": []}
    begin = time.monotonic()
    print("  us ours    theirs  speed  compile ms  theirs  ratio   first ms    theirs  ratio")
    for program, arguments in rows:
        if time.monotonic() - begin > options.seconds:
            print(f"  after {options.seconds} s, not begun: {program} {arguments}")
            continue
        best, broken = measured(program, arguments, options, scratch)
        cells = []
        for key, scale in ("run", 1), ("compile", 1e3), ("first", 1e3):
            ours, theirs = (best.get((package, key)) for package in ("ours", "closed"))
            over, under = (theirs, ours) if key == "run" else (ours, theirs)
            if ours and theirs:
                ratios[key].append(over / under)
            cells += [number(ours, scale), number(theirs, scale), ratio(over, under)]
        print(*cells, program, arguments, flush=True)
        for package, reason in broken.items():
            print(f"  {package} failed: {reason}")
        failed += "ours" in broken
    for key, of in ("run", "speed, theirs over ours"), ("compile", "compiling, ours over theirs"), \
            ("first", "first call, ours over theirs"):
        if found := ratios[key]:
            mean = math.exp(sum(map(math.log, found)) / len(found))
            print(f"{of}: geometric mean {mean:.3f}, {min(found):.3f} to {max(found):.3f}, "
                  f"of {len(found)}")
    return failed


def compiling(rows, options, scratch):
    """Prints a line for each row and the mean of the ratios; returns how many failed."""
    packages = ["ours"] + (["closed"] if options.closed else [])
    failed, ratios = 0, []
    os.environ.update(CUTE_ARCH=options.arch, CUTE_DSL_ARCH=options.arch, CUBINS=str(scratch),
                      CUTE_DEVICE="sim")
    print(f"processor's ms to a cubin for {options.arch}\n     ours    theirs  ratio")
    for program, arguments in rows:
        best = {}
        for package in packages * options.turns:
            status, text, notes = run(package, options.folder, program, arguments,
                                      options.closed, scratch, COMPILE_DRIVER)
            found = total(notes, "compile")
            if status or not found:
                reason = (text.strip().splitlines() or ["no output"])[-1][:150]
                print(f"  {package} failed: {reason}")
                failed += package == "ours"
                break
            best[package] = min(found, best.get(package, found))
        ours, theirs = best.get("ours"), best.get("closed")
        ratios += [ours / theirs] if ours and theirs else []
        print(number(ours, 1e3), number(theirs, 1e3), ratio(ours, theirs), program, arguments,
              flush=True)
    if ratios:
        mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
        print(f"compiling, ours over theirs: geometric mean {mean:.3f}, {min(ratios):.3f} to "
              f"{max(ratios):.3f}, of {len(ratios)}")
    return failed


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--closed")
    parser.add_argument("--only", default="")
    parser.add_argument("--rows", choices=["check", "speed", "compile", "all"], default="all")
    parser.add_argument("--arch", default="sm_90a")
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=math.inf)
    parser.add_argument("--scratch", type=pathlib.Path, default=pathlib.Path("/tmp"))
    options = parser.parse_args()
    import torch  # noqa: F401, so that forks have it
    write_byte_code()
    wanted = [[row for row in rows if re.search(options.only, " ".join(row))]
              for rows in (CHECK, SPEED)]
    failed = 0
    if options.rows in ("check", "all"):
        failed += check(wanted[0], options, options.scratch)
    if options.rows in ("speed", "all"):
        failed += speed(wanted[1], options, options.scratch)
    if options.rows == "compile":
        failed += compiling(wanted[1], options, options.scratch)
    print(f"{failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
