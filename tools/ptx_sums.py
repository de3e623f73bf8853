#!/usr/bin/env python3
"""Prints a checksum of the PTX of every kernel in the tree, so that a change
that must not alter code can be checked: run it before and after, and compare.

usage: tools/ptx_sums.py CUTEC [KERNELS]

KERNELS is a folder of other .mlir files to compile; without it, examples/,
bench/addresses and a choice of what ./dev kernel writes are.
"""
import concurrent.futures
import hashlib
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
KERNELS = {
    "gemm_sm80": ["", "type=bf16 out=f32", "type=tf32 out=f32",
                  "type=f64 out=f64", "type=i8 out=i32", "type=f8E4M3FN",
                  "a_major=m b_major=n", "bm=64 bn=64 bk=32 stages=4",
                  "split=4 out=f32", "stream=132"],
    "attention_sm80": ["", "d=64", "causal=true", "vec=1"],
    "softmax": [""],
    "norm": ["", "kind=rms"],
}


def write_kernels(folder, only=""):
    """The ones that take their arguments, and whose names have a pattern, as files; others
    are left out, so that the list may name what only later kernels have."""
    for name, choices in KERNELS.items():
        for i, choice in enumerate(choices):
            path = folder / f"{name}_{i}.mlir"
            if only not in path.stem:
                continue
            subprocess.run([sys.executable, ROOT / "kernels/kernel.py", name,
                            *choice.split(), "-o", path], check=False)
            if path.exists():
                yield path


def checksum(cutec, path, arch):
    run = subprocess.run([cutec, path, f"--arch={arch}", "--no-manifest",
                          "-o", "-"], capture_output=True, check=False)
    text = run.stdout if run.returncode == 0 else run.stderr
    return hashlib.sha256(text).hexdigest()[:16], run.returncode


def main():
    cutec = sys.argv[1]
    with tempfile.TemporaryDirectory() as folder:
        if len(sys.argv) > 2:
            paths = sorted(pathlib.Path(sys.argv[2]).rglob("*.mlir"))
        else:
            paths = sorted((ROOT / "examples").rglob("*.mlir"))
            paths += sorted((ROOT / "bench/addresses").glob("*.mlir"))
            paths += write_kernels(pathlib.Path(folder))
        jobs = [(p, arch) for p in paths for arch in ("sm_80", "sm_90")]
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            sums = pool.map(lambda job: checksum(cutec, *job), jobs)
            for (path, arch), (digest, code) in zip(jobs, sums):
                print(path.name, arch, digest, "" if not code else f"exit {code}")


if __name__ == "__main__":
    main()
