#!/usr/bin/env python3
"""Rows of libraries for the table of run.sh: products of cuBLAS, by torch, and in
Triton, autotuned, and what torch has for the other kernels, attention by
FlashAttention. Timed as cute-run does: with device events around each run, before which
the L2 cache was filled with other data, in three rounds of 100 ms; the median. The last
column has how many times as fast the kernel of the row in table.txt was.

Needs torch, and Triton for products. PATTERN selects rows; bf16 rows come only where it says so.
FOLDER has table.txt and beside.txt, whose lines are a label, the name of a
function of MAKERS and its arguments.

  libraries.py FOLDER [PATTERN]
"""
import pathlib
import re
import statistics
import sys

import torch
import triton
import triton.language as tl
from torch.nn import functional
from torch.nn.attention import SDPBackend, sdpa_kernel

TYPES = {"f16": torch.float16, "bf16": torch.bfloat16}
CONFIGS = [triton.Config({"BM": bm, "BN": bn, "BK": bk, "GROUP": 8},
                         num_stages=stages, num_warps=warps)
           for bm, bn, bk, stages, warps in [
               (128, 256, 64, 3, 8), (128, 256, 64, 4, 8), (256, 128, 64, 3, 8),
               (256, 128, 64, 4, 8), (128, 128, 64, 4, 4), (128, 128, 64, 4, 8),
               (128, 128, 64, 3, 8), (128, 64, 64, 4, 4), (64, 128, 64, 4, 4),
               (64, 64, 64, 5, 4), (64, 64, 128, 4, 4), (16, 32, 128, 5, 4),
               (16, 64, 128, 5, 4), (16, 128, 128, 4, 4)]]
ROUNDS, WARM_UP, TIMED = 3, 25, 100  # milliseconds of each work in a round
CACHE = 1 << 30  # bytes that are written before each run: no one waits for Python


#===-- Products -----------------------------------------------------------===#

@triton.autotune(configs=CONFIGS, key=["m", "n", "k"])
@triton.heuristics({"EVEN": lambda values: values["k"] % values["BK"] == 0})
@triton.jit
def product(a, b, c, m, n, k, pitch_a, pitch_b, pitch_c, BM: tl.constexpr,
            BN: tl.constexpr, BK: tl.constexpr, GROUP: tl.constexpr,
            EVEN: tl.constexpr):
    """C = A * transpose(B), row-major, with groups of rows of tiles."""
    number = tl.program_id(0)
    tiles_m, tiles_n = tl.cdiv(m, BM), tl.cdiv(n, BN)
    start = number // (GROUP * tiles_n) * GROUP
    height = min(tiles_m - start, GROUP)
    row = start + number % (GROUP * tiles_n) % height
    column = number % (GROUP * tiles_n) // height
    rows, columns = row * BM + tl.arange(0, BM), column * BN + tl.arange(0, BN)
    depth = tl.arange(0, BK)
    at_a = a + (rows % m)[:, None] * pitch_a + depth[None, :]
    at_b = b + (columns % n)[None, :] * pitch_b + depth[:, None]
    total = tl.zeros((BM, BN), dtype=tl.float32)
    for step in range(tl.cdiv(k, BK)):
        if EVEN:
            part_a = tl.load(at_a)
            part_b = tl.load(at_b)
        else:
            left = k - step * BK
            part_a = tl.load(at_a, mask=depth[None, :] < left, other=0.0)
            part_b = tl.load(at_b, mask=depth[:, None] < left, other=0.0)
        total = tl.dot(part_a, part_b, total)
        at_a += BK
        at_b += BK
    tl.store(c + rows[:, None] * pitch_c + columns[None, :],
             total.to(c.dtype.element_ty),
             mask=(rows[:, None] < m) & (columns[None, :] < n))


def run_product(a, b, c):
    (m, k), n = a.shape, b.shape[0]
    product[lambda meta: (triton.cdiv(m, meta["BM"]) * triton.cdiv(n, meta["BN"]),)](
        a, b, c, m, n, k, a.stride(0), b.stride(0), c.stride(0))
    return c


#===-- Timing -------------------------------------------------------------===#

def time_round(work, cache):
    """Milliseconds of each run of a round."""
    start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))

    def run(times, begin, finish):
        for i in range(times):
            cache.zero_()
            begin[i].record()
            work()
            finish[i].record()
        torch.cuda.synchronize()
        return [b.elapsed_time(f) for b, f in zip(begin, finish)]
    once = statistics.median(run(3, [start] * 3, [end] * 3)[-1:])
    start.record()
    for _ in range(max(1, min(1000, int(WARM_UP / max(once, 1e-3))))):
        work()
    end.record()
    torch.cuda.synchronize()
    count = max(5, min(300, int(TIMED / max(once, 1e-3))))
    events = [[torch.cuda.Event(enable_timing=True) for _ in range(count)]
              for _ in range(2)]
    return run(count, *events)


def measure(*works):
    """The median milliseconds of each work; they take turns."""
    cache = torch.empty(CACHE, dtype=torch.int8, device="cuda")
    times = [[] for _ in works]
    for _ in range(ROUNDS):
        for work, own in zip(works, times):
            own += time_round(work, cache)
    return [statistics.median(own) for own in times]


#===-- Rows ---------------------------------------------------------------===#

def read_table(path):
    """Milliseconds by label."""
    row = re.compile(r"(.+?)(?: [*+])? +[-0-9.e+naif]+~? +([0-9.e+-]+) +[0-9.]+ "
                     r"(?:GB|TFLOP)/s ")
    with open(path, encoding="utf-8") as file:
        found = [row.match(line) for line in file]
    return {f.group(1).strip(): float(f.group(2)) for f in found if f}


class Table:
    """Prints rows of cute-run's form where the label has the pattern."""

    def __init__(self, ours, pattern):
        self.ours, self.pattern, self.failures = ours, pattern, 0

    def wants(self, label):
        return self.pattern in label and ("bf16" not in label
                                          or "bf16" in self.pattern)

    def row(self, label, maker, *arguments):
        """A maker gives the work, how much it is in flop or bytes, the unit, what it
        should compute, and perhaps a baseline."""
        if not self.wants(label):
            return
        by = maker.partition("_")[0] if "_" in maker else "torch"
        try:
            self.print_row(f"{by} {label}", self.ours.get(label),
                           *MAKERS[maker](*arguments))
        except Exception as error:  # of torch, Triton or CUDA, whatever it is
            print(f"FAILED: {by} {label}: {str(error).splitlines()[:1]}", flush=True)
            self.failures += 1

    @staticmethod
    def print_row(label, ours, work, count, unit, wanted, baseline=None):
        found, should = wanted(work())
        error = ((found.double() - should).abs().max() / should.abs().max()).item()
        del found, should
        ms, *others = measure(*([work, baseline] if baseline else [work]))
        rate = (f"{count / ms * 1e-9:.1f} TFLOP/s" if unit == "flop"
                else f"{count / ms * 1e-6:.0f} GB/s")
        ratios = [f"{other / ms:.2f}x torch" for other in others]
        ratios += [f"cute {ms / ours:.2f}x"] if ours else []
        print(f"{label:<36} {error:<8.1e} {ms:<9.4g} {rate:<14} "
              f"{', '.join(ratios) or '-'}", flush=True)


def normal(*shape, dtype=torch.float16):
    return torch.randn(shape, device="cuda", dtype=torch.float32).to(dtype)


def extents(text):
    return [int(n) for n in text.split("x")]


def make_product(size, name):
    (m, n, k), dtype = extents(size), TYPES[name]
    a, b = normal(m, k, dtype=dtype), normal(n, k, dtype=dtype)
    c, d = (torch.empty((m, n), device="cuda", dtype=dtype) for _ in range(2))
    return (lambda: run_product(a, b, c), 2 * m * n * k, "flop",
            lambda found: (found, a.double() @ b.double().T),
            lambda: torch.matmul(a, b.T, out=d))


# Gives the types of torch for a type of kernels: of operands and of a product.
PRODUCTS = {"f16": (torch.float16, torch.float16), "bf16": (torch.bfloat16, torch.bfloat16),
            "tf32": (torch.float32, torch.float32), "f64": (torch.float64, torch.float64),
            "i8": (torch.int8, torch.int32), "f8E4M3FN": (torch.float8_e4m3fn, torch.float16)}


def make_matrix(rows, columns, dtype, is_transposed):
    """A random matrix, whose rows or columns are contiguous."""
    shape = (columns, rows) if is_transposed else (rows, columns)
    found = (torch.randint(-128, 128, shape, device="cuda", dtype=dtype)
             if dtype == torch.int8 else normal(*shape, dtype=dtype))
    return found.T if is_transposed else found


def make_cublas_product(size, name, majors="kk"):
    """C = A * transpose(B); floats of 8 bits have the scales 1."""
    (m, n, k), (dtype, result) = extents(size), PRODUCTS[name]
    a, b = (make_matrix(rows, k, dtype, major != "k") for rows, major in zip((m, n), majors))
    one = torch.ones((), device="cuda")

    def work():
        if name == "i8":
            return torch._int_mm(a, b.T)
        if name == "f8E4M3FN":
            return torch._scaled_mm(a, b.T, one, one, out_dtype=result)
        return torch.matmul(a, b.T)
    return (work, 2 * m * n * k, "flop",
            lambda found: (found, a.double() @ b.double().T))


def make_attention(size, causal, backend=SDPBackend.FLASH_ATTENTION):
    """The first two heads are checked."""
    (batch, heads, rows, d), causal = extents(size), causal == "1"
    q, k, v = (normal(batch, heads, rows, d) for _ in range(3))

    def work():
        with sdpa_kernel(backend):
            return functional.scaled_dot_product_attention(
                q, k, v, is_causal=causal, scale=0.1)

    def wanted(found):
        x, y, z = (t[0, :2].double() for t in (q, k, v))
        scores = 0.1 * x @ y.transpose(1, 2)
        if causal:
            later = torch.ones(scores.shape[1:], device="cuda").triu(1).bool()
            scores = scores.masked_fill(later, float("-inf"))
        return found[0, :2], torch.softmax(scores, 2) @ z
    count = (2 if causal else 4) * batch * heads * rows * rows * d
    return work, count, "flop", wanted


def make_rows(size, work, exact):
    """A function of a matrix's rows; 4096 of them are checked."""
    m, n = extents(size)
    a = normal(m, n)
    return (lambda: work(a), 2 * a.element_size() * m * n, "byte",
            lambda found: (found[:4096], exact(a[:4096].double())))


def make_softmax(size):
    return make_rows(size, lambda a: torch.softmax(a, 1), lambda a: torch.softmax(a, 1))


def make_layernorm(size):
    n = extents(size)[1]
    w, b = normal(n), normal(n)
    return make_rows(
        size, lambda a: functional.layer_norm(a, (n,), w, b, 1e-5),
        lambda a: functional.layer_norm(a, (n,), w.double(), b.double(), 1e-5))


def make_rmsnorm(size):
    n = extents(size)[1]
    w = normal(n)
    return make_rows(size, lambda a: functional.rms_norm(a, (n,), w, 1e-5),
                     lambda a: functional.rms_norm(a, (n,), w.double(), 1e-5))


def make_transpose(size):
    a = normal(*extents(size))
    return (lambda: a.t().contiguous(), 4 * a.numel(), "byte",
            lambda found: (found[:1024], a[:, :1024].t().double()))


def make_add(size):
    a, b = (normal(*extents(size), dtype=torch.float32) for _ in range(2))
    c = torch.empty_like(a)
    return (lambda: torch.add(a, b, out=c), 12 * a.numel(), "byte",
            lambda found: (found[:1 << 24],
                           a[:1 << 24].double() + b[:1 << 24].double()))


# By name; what is before an underscore is the library, where that is not torch.
MAKERS = {
    "cublas_product": make_cublas_product, "triton_product": make_product,
    "attention": make_attention,
    "cudnn_attention": lambda *given: make_attention(
        *given, backend=SDPBackend.CUDNN_ATTENTION),
    "softmax": make_softmax, "layernorm": make_layernorm, "rmsnorm": make_rmsnorm,
    "transpose": make_transpose, "add": make_add,
}


def main():
    folder = pathlib.Path(sys.argv[1])
    table = Table(read_table(folder / "table.txt"),
                  sys.argv[2] if len(sys.argv) > 2 else "")
    torch.manual_seed(1)
    torch.backends.cuda.matmul.allow_tf32 = True
    torch.backends.cuda.matmul.allow_fp16_reduced_precision_reduction = False
    torch.backends.cuda.matmul.allow_bf16_reduced_precision_reduction = False
    for line in (folder / "beside.txt").read_text(encoding="utf-8").splitlines():
        table.row(*line.split("\t"))
    sys.exit(table.failures > 0)


if __name__ == "__main__":
    main()
