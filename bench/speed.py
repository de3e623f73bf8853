#!/usr/bin/env python3
"""Fills a folder with what speed.sh runs: kernels from templates with tuned
parameters where the tuner has found some, examples, and rows.txt, whose lines are
label, manifest, options of cute-run (one each) and arguments, with tabs between.

  speed.py FOLDER ARCH CUTEC
"""
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "kernels"))
import kernel
import tune

CUBES = ["1024x1024x1024", "2048x2048x2048", "4096x4096x4096", "8192x8192x8192"]
OTHERS = ["4096x14336x4096", "128x4096x4096", "16x4096x4096", "1000x1000x1000"]
SOFTMAX = ("B[m,n] = exp(A[m,n] - max[k](A[m,k])) / "
           "sum[k](exp(A[m,k] - max[j](A[m,j])))")
EXAMPLES = [
    ("gemm f64 4096x4096x4096", "gemm_f64", [], "C[m,n] = A[m,k] * B[n,k]", "1e-12",
     "f64[4096x4096]:normal(1) f64[4096x4096]:normal(2) f64[4096x4096]:poison"),
    ("transpose 16384x16384", "transpose", [], "B[n,m] = A[m,n]", "0",
     "f16[16384x16384]:normal(1) f16[16384x16384]:poison"),
    ("vector_add 134217728", "vector_add", [], "C[i] = A[i] + B[i]", "1e-7",
     "f32[134217728]:normal(1) f32[134217728]:uniform(2) f32[134217728]:poison"),
    ("softmax 32768x4096", "softmax", ["--kernel=softmax_4096"], SOFTMAX, "1e-3",
     "f16[32768x4096]:normal(1) f16[32768x4096]:poison"),
    ("softmax 65536x1024", "softmax", ["--kernel=softmax_1024"], SOFTMAX,
     "1e-3", "f16[65536x1024]:normal(1) f16[65536x1024]:poison"),
]


def gemms():
    """(size, what is given of the problem) for each row."""
    for element in ("f16", "bf16"):
        for size in CUBES + OTHERS:
            yield size, {"type": element}
    for a, b in (("k", "n"), ("m", "k"), ("m", "n")):
        yield "4096x4096x4096", {"type": "f16", "a_major": a, "b_major": b}
    for element in ("tf32", "i8"):
        yield "4096x4096x4096", {"type": element}


def guess(size, given):
    """Parameters for sizes that the tuner has not seen."""
    m, n, _ = kernel.parse_size(size)
    if m <= 16:
        return {"bm": 16, "bn": 64, "bk": 128, "warps_m": 1, "stages": 4}
    if m * n <= 1 << 20:
        return {"bm": 64, "bn": 64, "stages": 4}
    return {"bm": 256, "warps_m": 4} if m * n >= 1 << 22 else {}


def parameters(template, size, given):
    """The tuner's or guessed ones; the defaults where these do not go together."""
    try:
        return kernel.choose(template, kernel.parse_size(size), given), "tuned"
    except kernel.Wrong:
        guessed = {**guess(size, given), **given}
        fits = not template.problems(template.complete(guessed))
        return guessed if fits else given, "not tuned"


def compile_text(cutec, arch, path, output):
    subprocess.run([cutec, path, f"--arch={arch}", "-o", output], check=True)


def gemm_row(template, folder, arch, cutec, number, size, problem):
    """Compiles the kernel for a row; the row."""
    given = {**problem, "arch": arch}
    chosen, how = parameters(template, size, given)
    path = folder / f"gemm_{number}.mlir"
    path.write_text(template.render(chosen), encoding="utf-8")
    compile_text(cutec, arch, path, path.with_suffix(".ptx"))
    run = tune.run_arguments(template, chosen, size)
    values = template.complete(chosen)
    label = f"gemm {values['type']} {size}"
    if "a_major" in problem:
        label += f" {values['a_major']}{values['b_major']}"
    if how != "tuned":
        label += " *"
    return [label, f"gemm_{number}.json", "--baseline=cublas",
            f"--check={run['check']}", f"--tolerance={run['tolerance']}",
            "--", *run["arguments"]]


def main():
    folder, arch, cutec = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3]
    folder.mkdir(parents=True, exist_ok=True)
    template = kernel.Template("gemm_sm80")
    rows = [gemm_row(template, folder, arch, cutec, i, size, problem)
            for i, (size, problem) in enumerate(gemms())]
    for label, name, options, check, tolerance, arguments in EXAMPLES:
        compile_text(cutec, arch, ROOT / "examples" / f"{name}.mlir",
                     folder / f"{name}.ptx")
        baseline = "cublas" if name == "gemm_f64" else "copy"
        rows.append([label, f"{name}.json", f"--baseline={baseline}",
                     f"--check={check}", f"--tolerance={tolerance}", *options, "--",
                     *arguments.split()])
    text = "".join("\t".join(row) + "\n" for row in rows)
    (folder / "rows.txt").write_text(text, encoding="utf-8")
    print(f"{len(rows)} rows in {folder}")


if __name__ == "__main__":
    main()
