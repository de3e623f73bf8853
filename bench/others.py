"""Runs kernels of other compilers in the simulator and compares what they write with numpy.

usage: others.py CUTE_RUN [cuda|triton|all] [--folder=FOLDER] [--nvcc=PROGRAM] [--schedule=N] [PATTERN]

`cuda` compiles bench/others/*.cu by nvcc to PTX for sm_90a, `triton` the functions of
bench/others/triton_rows.py, which needs no GPU. Each kernel runs by one command,

    cute-run theirs.ptx --device=sim --kernel=NAME --grid=... --block=... ARGUMENTS

and is right if all that it must have written is right and the simulator reports nothing;
not supported if the simulator names what it does not know, with the line; else wrong.
Needs numpy, and Triton for its kernels. Fails if a kernel is wrong.
"""
import argparse
import json
import pathlib
import shutil
import subprocess
import sys
import time

try:
    import numpy as np
except ImportError:
    sys.exit("others.py compares with numpy, which this Python lacks: pip install numpy")

HERE = pathlib.Path(__file__).resolve().parent / "others"
sys.path.insert(0, str(HERE))
ROUNDING = {np.float16: 2e-3, np.float32: 2e-6, np.float64: 1e-14}
UNKNOWN = ("is not interpreted", "calls itself", "of another module")


def compile_cuda(nvcc, folder, file):
    ptx = folder / f"{file}.ptx"
    source = HERE / f"{file}.cu"
    if not ptx.exists() or ptx.stat().st_mtime < source.stat().st_mtime:
        subprocess.run([nvcc, "-ptx", "-lineinfo", "-arch=sm_90a", "-o", ptx, source], check=True)
    return ptx


def is_right(row, found, expected):
    """What is wrong in an array, or nothing."""
    if callable(expected):
        return "" if expected(found) else "is wrong"
    expected = np.asarray(expected).reshape(found.shape)
    if found.dtype.kind != "f":
        wrong = np.count_nonzero(found != expected.astype(found.dtype))
        return f"{wrong} of {found.size} differ" if wrong else ""
    tolerance = ROUNDING[found.dtype.type] if row.tolerance is None else row.tolerance
    error = np.abs(found.astype(float) - expected).max() / (np.abs(expected).max() or 1)
    return "" if error <= tolerance else f"relative error {error:.1e}"


def words(row, folder, outputs):
    """The arguments of cute-run."""
    for i, value in enumerate(row.arguments):
        if isinstance(value, np.ndarray):
            file = folder / f"{row.kernel}.{i}.npy"
            np.save(file, value)
            yield str(file)
        else:
            yield str(value)
    for i in outputs:
        yield from ("--output", f"{i}={folder}/{row.kernel}.{i}.out.npy")


def write_manifest(row, ptx, folder):
    block = [int(x) for x in str(row.block).split(",")]
    grid = str(row.grid).split(",")
    (folder / f"{row.kernel}.json").write_text(json.dumps({
        "version": 1, "file": ptx.name, "arch": "sm_90a", "kernels": [{
            "name": row.kernel, "parameters": row.manifest, "static_shared_bytes": 0,
            "dynamic_shared_bytes": row.shared, "block": (block + [1, 1])[:3],
            "grid": grid}]}), encoding="utf-8")
    return [str(folder / f"{row.kernel}.json")]


def run(cute_run, row, ptx, folder, options):
    """The verdict on a kernel, why, and the seconds it took."""
    launch = write_manifest(row, ptx, folder) if row.manifest else [
        str(ptx), f"--kernel={row.kernel}", f"--grid={row.grid}", f"--block={row.block}",
        f"--shared={row.shared}"]
    command = [cute_run, *launch, "--device=sim", "--arch=sm_90a", "--timeout=60", *row.options,
               *options, *words(row, folder, row.expected)]
    begin = time.monotonic()
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    seconds = time.monotonic() - begin
    said = done.stderr.strip().splitlines()
    if done.returncode or said:
        what = next((line for line in said if "error" in line or "warning" in line),
                    f"ends with {done.returncode}")
        unknown = any(word in what for word in UNKNOWN) and "line" in what
        return "not supported" if unknown else "WRONG", what, seconds
    for i, expected in row.expected.items():
        what = is_right(row, np.load(folder / f"{row.kernel}.{i}.out.npy"), expected)
        if what:
            return "WRONG", f"argument {i}: {what}", seconds
    return "right", "", seconds


def cuda_rows(given):
    import cuda_rows as table
    nvcc = given.nvcc or shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc"
    if not shutil.which(nvcc):
        sys.exit(f"others.py finds no nvcc at {nvcc}: name one by --nvcc, or run the rows of triton")
    for row in table.rows():
        if given.pattern in row.kernel:
            yield row, compile_cuda(nvcc, given.folder, row.file)


def triton_rows(given):
    try:
        import triton_rows as table
    except ModuleNotFoundError as error:
        sys.exit(f"others.py needs {error.name}, which this Python lacks: pip install {error.name}")
    for row in table.rows():
        if given.pattern in row.kernel:
            yield row, table.compile(row, given.folder)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("cute_run")
    parser.add_argument("what", nargs="?", choices=["cuda", "triton", "all"], default="all")
    parser.add_argument("pattern", nargs="?", default="")
    parser.add_argument("--folder", type=pathlib.Path, default=pathlib.Path("build/others"))
    parser.add_argument("--nvcc")
    parser.add_argument("--schedule", default="0")
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    wrong = 0
    for name, rows in (("cuda", cuda_rows), ("triton", triton_rows)):
        if given.what not in (name, "all"):
            continue
        counts = {"right": 0, "not supported": 0, "WRONG": 0}
        for row, ptx in rows(given):
            verdict, why, seconds = run(given.cute_run, row, ptx, given.folder,
                                        [f"--schedule={given.schedule}"])
            counts[verdict] += 1
            print(f"{row.file:9} {row.kernel:36} {verdict:14} {seconds:5.2f} s  {why[:500]}", flush=True)
        wrong += counts["WRONG"]
        print(f"{name}: of {sum(counts.values())} kernels {counts['right']} are right, "
              f"{counts['not supported']} not supported, {counts['WRONG']} wrong")
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
