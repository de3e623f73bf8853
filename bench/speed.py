#!/usr/bin/env python3
"""Fills a folder with what speed.sh runs: kernels from templates with tuned
parameters where the tuner has found some, examples, and rows.txt, whose lines are
label, manifest, options of cute-run (one each) and arguments, with tabs between.
Rows come in the order of their importance; PATTERN selects those whose label has it.
Where there is a ptxas, each kernel is there as a cubin, too, which loads at once.

  speed.py FOLDER ARCH CUTEC [PATTERN]
"""
import concurrent.futures
import json
import os
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "kernels"))
import kernel
import tune

SIZES = ["4096x4096x4096", "8192x8192x8192", "2048x2048x2048", "1024x1024x1024",
         "4096x14336x4096", "128x4096x4096", "16x4096x4096", "1000x1000x1000"]
ODD = "777x333x129"  # fills no tile, and its lines begin anywhere
MAJORS = ["kn", "mk", "mn"]  # beside kk: what is contiguous in A and in B
SAMPLE, ATTENTION_SAMPLE = 1 << 20, 1 << 16  # elements that are checked
SOFTMAX = ("B[m,n] = exp(A[m,n] - max[k](A[m,k])) / "
           "sum[k](exp(A[m,k] - max[j](A[m,j])))")
LAYERNORM = ("E[m,n] = (A[m,n] - mean[k](A[m,k])) / sqrt(mean[k](pow(A[m,k] - "
             "mean[j](A[m,j]), 2)) + 1e-5) * B[n] + C[n]")
RMSNORM = "D[m,n] = A[m,n] / sqrt(mean[k](A[m,k] * A[m,k]) + 1e-5) * B[n]"
MATRIX = "f16[16384x16384]"
# Label, example, options, reference, tolerance, arguments.
EXAMPLES = [
    ("softmax 16384x16384", "softmax", ["--kernel=softmax_16384", "--baseline=copy"],
     SOFTMAX, "1e-3", f"{MATRIX}:normal(1) {MATRIX}:poison"),
    ("transpose 16384x16384", "transpose", ["--baseline=copy"], "B[n,m] = A[m,n]",
     "0", f"{MATRIX}:normal(1) {MATRIX}:poison"),
    ("vector_add 134217728", "vector_add", ["--baseline=copy"],
     "C[i] = A[i] + B[i]", "1e-7",
     "f32[134217728]:normal(1) f32[134217728]:uniform(2) f32[134217728]:poison"),
    ("softmax 32768x4096", "softmax", ["--kernel=softmax_4096", "--baseline=copy"],
     SOFTMAX, "1e-3", "f16[32768x4096]:normal(1) f16[32768x4096]:poison"),
    ("softmax 65536x1024", "softmax", ["--kernel=softmax_1024", "--baseline=copy"],
     SOFTMAX, "1e-3", "f16[65536x1024]:normal(1) f16[65536x1024]:poison"),
    ("rmsnorm 16384x8192", "rmsnorm", ["--kernel=rmsnorm_8192", "--baseline=copy"],
     RMSNORM, "1e-3",
     "f16[16384x8192]:normal(1) f16[8192]:normal(2) 1e-5 f16[16384x8192]:poison"),
    ("layernorm 16384x8192", "layernorm",
     ["--kernel=layernorm_8192", "--baseline=copy"],
     LAYERNORM, "1e-3", "f16[16384x8192]:normal(1) f16[8192]:normal(2) "
     "f16[8192]:normal(3) 1e-5 f16[16384x8192]:poison"),
    ("layernorm 16384x12288", "layernorm",
     ["--kernel=layernorm_12288", "--baseline=copy"],
     LAYERNORM, "1e-3", "f16[16384x12288]:normal(1) f16[12288]:normal(2) "
     "f16[12288]:normal(3) 1e-5 f16[16384x12288]:poison"),
]


#===-- Rows ---------------------------------------------------------------===#

def attention(d, causal):
    """As gemm."""
    return (f"attention 4x16x4096x{d}" + (" causal" if causal else ""),
            "attention_sm80", "4x16x4096x4096", {"d": d, "causal": causal})


def gemm(element, size=SIZES[0], majors="kk", batched=False):
    """The label of a row, its template, its size and what is given of its problem."""
    label = f"gemm {element} {size}" + (f" {majors}" if majors != "kk" else "")
    return (label + (" batched" if batched else ""), "gemm_sm80", size,
            {"type": element, "a_major": majors[0], "b_major": majors[1],
             "batched": batched})


def all_rows():
    """Each as a label and what it is of: an example or a problem."""
    rows = [gemm("f16", size) for size in SIZES]
    rows += [attention(d, causal) for d in (128, 64) for causal in (False, True)]
    rows += EXAMPLES
    rows += [gemm("tf32"), gemm("f64"), gemm("i8"), gemm("f8E4M3FN")]
    rows += [gemm("f16", majors=majors) for majors in MAJORS]
    rows += [gemm("bf16", size) for size in SIZES]
    rows += [gemm(element, majors=majors)
             for element in ("tf32", "f64", "i8", "f8E4M3FN") for majors in MAJORS]
    rows += [gemm("f16", size, batched=True) for size in (SIZES[3], ODD)]
    rows += [gemm(element, ODD, majors)
             for element in ("f16", "bf16", "tf32", "f64", "i8", "f8E4M3FN")
             for majors in ["kk", *MAJORS]]
    return rows


#===-- Parameters ---------------------------------------------------------===#

def guess(template, size, given):
    """Parameters for problems that the tuner has not seen."""
    if template.name != "gemm_sm80":
        return {}
    m, n, _ = template.read_size(size)
    if m <= 16:
        return {"bm": 16, "bn": 64, "bk": 128, "warps_m": 1, "stages": 4}
    if m * n <= 1 << 20:
        return {"bm": 64, "bn": 64, "stages": 4}
    if given["type"] == "f8E4M3FN" or m * n < 1 << 22:
        return {}
    return {"bm": 256, "warps_m": 4}


def parameters(template, size, given):
    """The tuned or guessed ones, or the defaults where these do not go together, and
    the mark of the row: + tuned for a problem like it, * not tuned."""
    try:
        chosen, same, _ = kernel.choose_row(template, template.read_size(size), given)
        return chosen, "" if same else " +"
    except kernel.Wrong:
        guessed = {**guess(template, size, given), **given}
        fits = not template.problems(template.complete(guessed))
        return guessed if fits else given, " *"


#===-- Compilation --------------------------------------------------------===#

class Filler:
    """Compiles into a folder."""

    def __init__(self, folder, arch, cutec):
        self.folder, self.arch, self.cutec = folder, arch, cutec
        self.templates = {name: kernel.Template(name)
                          for name in ("gemm_sm80", "attention_sm80")}
        self.examples = {}  # what compiles each of them, once
        self.ptxas = shutil.which("ptxas", path=os.pathsep.join(
            [os.environ["PATH"],
             os.environ.get("CUDA_HOME", "/usr/local/cuda") + "/bin"]))

    def compile(self, source, name, edit=None):
        """NAME.ptx with its manifest, and NAME.cubin with NAME.cubin.json. `edit` makes
        another text of the PTX."""
        ptx = self.folder / f"{name}.ptx"
        subprocess.run([self.cutec, source, f"--arch={self.arch}", "-o", ptx],
                       check=True, capture_output=True, text=True)
        if edit:
            ptx.write_text(edit(ptx.read_text(encoding="utf-8")), encoding="utf-8")
        manifest = ptx.with_suffix(".cubin.json")
        manifest.unlink(missing_ok=True)
        if not self.ptxas:
            return
        cubin = ptx.with_suffix(".cubin")
        subprocess.run([self.ptxas, f"-arch={self.arch}", "-o", cubin, ptx],
                       check=True, capture_output=True, text=True)
        text = json.loads(ptx.with_suffix(".json").read_text(encoding="utf-8"))
        manifest.write_text(json.dumps({**text, "file": cubin.name}),
                            encoding="utf-8")

    def template_row(self, number, label, name, size, problem):
        template = self.templates[name]
        chosen, mark = parameters(template, size, {**problem, "arch": self.arch})
        path = self.folder / f"{name.removesuffix('_sm80')}_{number}.mlir"
        path.write_text(template.render(chosen), encoding="utf-8")
        self.compile(path, path.stem)
        run = tune.run_arguments(template, chosen, size)
        options = (["--baseline=cublas", f"--sample={SAMPLE}"] if name == "gemm_sm80"
                   else [f"--flops={run['operations']}", f"--sample={ATTENTION_SAMPLE}"])
        return [label + mark, path.stem, *options, f"--check={run['check']}",
                f"--tolerance={run['tolerance']}", "--", *run["arguments"]]

    def example_row(self, label, name, options, check, tolerance, arguments):
        self.examples[name].result()
        if not any(option.startswith("--sample") for option in options):
            options = [f"--sample={SAMPLE}", *options]
        return [label, name, *options, f"--check={check}",
                f"--tolerance={tolerance}", "--", *arguments.split()]

    def line(self, number, row):
        """The fields of a row's line."""
        if len(row) == 4:
            return self.template_row(number, *row)
        return self.example_row(*row)

    def row(self, number, row):
        """The same, or its label and what went wrong."""
        try:
            return self.line(number, row)
        except subprocess.CalledProcessError as error:
            return [row[0], "!", " ".join(error.stderr.split())[:300]]
        except kernel.Wrong as error:
            return [row[0], "!", " ".join(str(error).split())[:300]]

    def rows(self, rows):
        """The lines' fields of numbered rows."""
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for _, row in rows:
                if len(row) > 4 and row[1] not in self.examples:
                    self.examples[row[1]] = pool.submit(
                        self.compile, ROOT / "examples" / f"{row[1]}.mlir", row[1])
            return list(pool.map(lambda numbered: self.row(*numbered), rows))


def fill(filler, rows):
    """What the command line asks for: those of the rows whose label has PATTERN."""
    folder, arch, cutec = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3]
    pattern = sys.argv[4] if len(sys.argv) > 4 else ""
    try:
        kernel.Template("gemm_sm80").parse(f"arch={arch}")
    except kernel.Wrong as error:
        sys.exit(f"error: {error}")
    folder.mkdir(parents=True, exist_ok=True)
    has_float8 = int(arch[3:]) >= 89
    rows = filler(folder, arch, cutec).rows(
        [(i, row) for i, row in enumerate(rows)
         if pattern in row[0] and (has_float8 or "f8" not in row[0])])
    text = "".join("\t".join(row) + "\n" for row in rows)
    (folder / "rows.txt").write_text(text, encoding="utf-8")
    (folder / "arch").write_text(arch + "\n", encoding="utf-8")
    failed = sum(row[1] == "!" for row in rows)
    print(f"{len(rows)} rows in {folder}, {failed} without a kernel")


if __name__ == "__main__":
    fill(Filler, all_rows())
