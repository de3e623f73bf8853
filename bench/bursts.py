#!/usr/bin/env python3
"""Times the Hopper kernels of examples/ beside cuBLAS and cuDNN in one process, checked
first, in bursts (0.12 s of rest before each batch of 10 launches) and sustained (batches
back to back). Prints medians in TFLOP/s, of copies in GB/s, and the ratio of bursts.

usage: bursts.py FOLDER [ROW ...]

`./dev bench bursts` fills FOLDER with NAME.cubin and NAME.json of the examples. Needs a
GPU of sm_90 and torch. A row is NAME:MxNxK for products, NAME:MxN for copy_sm90 and
transpose_sm90, NAME:IMAGESxROWSxCOLUMNSxCHANNELSxFILTERS for 3x3 convolutions, and
NAME:BATCHxHEADSxROWS, with :causal behind it or not, for
names that begin with attention; without rows a list of them is run. All are compared
with float64, also at small odd sizes, and attention with fewer heads of K and V than of Q.
"""
import ctypes
import json
import math
import pathlib
import sys
import time

import torch
from attention_reference import reference

ROWS = ["gemm_sm90:4096x4096x4096", "gemm_sm90:8192x8192x8192",
        "gemm_sm90:16384x8192x1024", "gemm_plain_turns:16384x8192x1024",
        "gemm_sm90:4096x14336x4096",
        "gemm_bf16:4096x4096x4096", "gemm_fp8_scaled_sm90:4096x4096x4096",
        "attention_sm90:4x16x4096", "attention_sm90:4x16x4096:causal",
        "attention_sm90:1x16x16384", "attention_sm90:1x16x16384:causal",
        "attention_bf16:4x16x4096", "attention_bf16:4x16x4096:causal",
        "attention_plain_d128:4x16x4096", "attention_plain_d128:4x16x4096:causal",
        "attention_plain_d128:1x16x16384", "attention_plain_d128:1x16x16384:causal",
        "attention_plain_d64:4x16x6144", "attention_plain_d64:4x16x6144:causal",
        "attention_plain_d64_bf16:4x16x6144",
        "gemm_plain:4096x4096x4096", "gemm_plain:8192x8192x8192", "gemm_plain:16384x8192x1024",
        "gemm_plain_bf16:8192x8192x8192", "swiglu:8192x8192x2048",
        "gemm_w4_plain:4096x4096x4096", "gemm_w4_plain:14336x8192x4096",
        "conv2d_plain:32x56x56x256x256", "conv2d_plain:32x28x28x512x512", "conv2d_plain:8x112x112x128x256",
        "copy_sm90:16384x16384", "transpose_sm90:16384x16384"]
ODD_PLAIN = [(1, 8, 8), (129, 264, 1008), (777, 336, 144)]  # rows of 16 bytes
ODD_PRODUCTS = [(1, 1, 16), (129, 264, 1008), (777, 333, 144), (515, 1022, 80)]  # M, N, K
# Batch, heads of Q, heads of K and V, rows, columns.
ODD_SIZES = [(1, 1, 1, 128, 128), (2, 4, 2, 333, 333), (1, 2, 1, 200, 333), (3, 2, 2, 1, 77),
             (1, 4, 4, 1000, 1), (2, 6, 3, 500, 130), (1, 40, 8, 1024, 1024), (1, 2, 2, 300, 100)]
DATA_TYPES = {"f16": 6, "bf16": 9, "f32": 7, "tf32": 11, "i32": 3,
              "i8": 0, "f8E4M3FN": 0}  # CUtensorMapDataType
RESULTS = {"gemm_bf16": torch.bfloat16, "gemm_plain_bf16": torch.bfloat16,
           "attention_bf16": torch.bfloat16, "attention_plain_d64_bf16": torch.bfloat16}
SWIZZLES = {"none": 0, "32B": 1, "64B": 2, "128B": 3}
cuda = ctypes.CDLL("libcuda.so.1")


def check(code, what):
    if code:
        raise RuntimeError(f"{what}: CUDA error {code}")


def ceil_div(a, b):
    return -(-a // b)


def evaluate(text, name, tensor):
    """An expression of a manifest in one tensor."""
    text = text.replace(f"{name}.", "")
    return int(eval(text, {"__builtins__": {}},  # pylint: disable=eval-used
                    {"shape": list(tensor.shape), "stride": list(tensor.stride())}))


def encode(part, tensor):
    """The 128 bytes of a tensor map, at a multiple of 64, with what keeps them alive."""
    name, rank = part["tensor"], len(part["dims"])
    words = lambda values: (ctypes.c_uint64 * len(values))(*values)
    halves = lambda values: (ctypes.c_uint32 * len(values))(*values)
    memory = (ctypes.c_uint64 * 32)()
    address = (ctypes.addressof(memory) + 63) & ~63
    check(cuda.cuTensorMapEncodeTiled(
        ctypes.c_void_p(address), DATA_TYPES[part["element"]], rank,
        ctypes.c_void_p(tensor.data_ptr()),
        words([evaluate(text, name, tensor) for text in part["dims"]]),
        words([evaluate(text, name, tensor) for text in part["strides"]]),
        halves(part["box"]), halves(part["element_strides"]), 0,
        SWIZZLES[part["swizzle"]], 3, 0), "cuTensorMapEncodeTiled")
    return memory, address


class Kernel:
    """A kernel of FOLDER/NAME.cubin, bound to arguments."""

    def __init__(self, folder, name, kernel, grid, arguments):
        manifest = json.loads((folder / f"{name}.json").read_text())
        self.info = next(k for k in manifest["kernels"] if k["name"] == kernel)
        self.module, self.function = ctypes.c_void_p(), ctypes.c_void_p()
        code = (folder / f"{name}.cubin").read_bytes()
        check(cuda.cuModuleLoadData(ctypes.byref(self.module), code), "cuModuleLoadData")
        check(cuda.cuModuleGetFunction(ctypes.byref(self.function), self.module,
                                       kernel.encode()), "cuModuleGetFunction")
        self.shared = self.info["dynamic_shared_bytes"]
        check(cuda.cuFuncSetAttribute(self.function, 8, self.shared), "shared memory")
        self.grid = grid
        self.arrays = arguments  # whose memory is not to be given away
        self.alive = list(self.values(arguments))
        addresses = [a for _, a in self.alive]
        self.parameters = (ctypes.c_void_p * len(addresses))(*addresses)

    def values(self, arguments):
        """(what holds a parameter, its address) of each part."""
        given = iter(arguments)
        for parameter in self.info["parameters"]:
            argument = None if parameter.get("hidden") else next(given)
            for part in parameter["passed_as"]:
                if part["kind"] == "tensor_map":
                    yield encode(part, arguments[int(part["tensor"].removeprefix("arg"))])
                    continue
                value = self.value(part, argument)
                yield value, ctypes.addressof(value)

    @staticmethod
    def value(part, argument):
        if part["kind"] == "pointer":
            return ctypes.c_void_p(argument.data_ptr())
        if part["kind"] == "float":
            return ctypes.c_float(argument)
        number = argument if isinstance(argument, int) else evaluate(part["role"], "", argument)
        return (ctypes.c_int32 if part["bits"] == 32 else ctypes.c_int64)(number)

    def __call__(self):
        stream = ctypes.c_void_p(torch.cuda.current_stream().cuda_stream)
        check(cuda.cuLaunchKernel(self.function, *self.grid, *self.info["block"],
                                  self.shared, stream, self.parameters, None), "launch")


def milliseconds(function, n):
    start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    start.record()
    for _ in range(n):
        function()
    end.record()
    end.synchronize()
    return start.elapsed_time(end) / n


def report(row, flops, library, kernels):
    """Round robin, so that all see the same clocks."""
    functions = {"library": library, **kernels}
    bursts, sustained = ({name: [] for name in functions} for _ in range(2))
    for function in functions.values():
        milliseconds(function, 3)
    for _ in range(9):
        for name, function in functions.items():
            torch.cuda.synchronize()
            time.sleep(0.12)
            bursts[name].append(flops / milliseconds(function, 10) * 1e-9)
    for _ in range(3):
        for name, function in functions.items():
            n = max(5, min(50, int(4e13 / flops)))
            sustained[name].append(flops / milliseconds(function, n) * 1e-9)
    median = lambda values: sorted(values)[len(values) // 2]
    for name in functions:
        ratio = median(bursts[name]) / median(bursts["library"])
        print(f"{row:<36} {name:<14} {median(bursts[name]):7.0f} "
              f"{median(sustained[name]):7.0f}  {ratio:.2f}x", flush=True)


def checked(row, name, kernel, result, reference):
    """The kernel, if its result is right."""
    whole = result if result._base is None else result._base
    poison = float("nan") if result.is_floating_point() else -1
    whole.fill_(poison)
    kernel()
    if whole is not result:
        rest = whole[:, result.shape[1]:]
        if not ((rest != rest) | (rest == poison)).all():
            sys.exit(f"{row} {name}: writes behind the end of rows")
    error = ((result.double() - reference.double()).norm() / reference.double().norm()).item()
    if not error < 5e-3:
        sys.exit(f"{row} {name}: relative error {error:.1e}")
    return kernel


def operands(name, m, n, k):
    """A, B and a place for C."""
    a, b = torch.randn(m, k, device="cuda"), torch.randn(n, k, device="cuda")
    c = torch.empty(m, ceil_div(n, 8) * 8, device="cuda",
                    dtype=RESULTS.get(name, torch.float16))[:, :n]
    kind = torch.float8_e4m3fn if name == "gemm_fp8_scaled_sm90" else c.dtype
    return a.to(kind), b.to(kind), c


def library_product(name, a, b):
    one = torch.ones((), device="cuda")
    if name == "gemm_fp8_scaled_sm90":
        return lambda: torch._scaled_mm(  # pylint: disable=protected-access
            a, b.t(), one, one, out_dtype=torch.bfloat16, use_fast_accum=True)
    out = torch.empty(a.shape[0], b.shape[0], device="cuda", dtype=a.dtype)
    return lambda: torch.matmul(a, b.t(), out=out)


def multiply(folder, name, kernel, a, b, c):
    """A kernel, bound to these."""
    m, n = c.shape
    clusters = torch.cuda.get_device_properties(0).multi_processor_count // 2
    grid = min(ceil_div(m, 256) * ceil_div(n, 256), clusters) * 2
    return Kernel(folder, name, kernel, (grid, 1, 1), [a, b, c])


def products(folder, row, name, *extents):
    for odd in ODD_PRODUCTS:
        a, b, c = operands(name, *odd)
        checked(f"{name}:{odd}", name, multiply(folder, name, "gemm", a, b, c), c,
                a.double() @ b.double().t())
    a, b, c = operands(name, *extents)
    reference = a.double() @ b.double().t()
    bound = multiply(folder, name, "gemm", a, b, c)
    report(row, 2 * math.prod(extents), library_product(name, a, b),
           {"gemm": checked(row, name, bound, c, reference)})


def scaled(folder, row, name, *extents):
    """Beside the library's product without scales."""
    for m, n, k in [*ODD_PRODUCTS, extents]:
        a, b, c = operands(name, m, n, k)
        blocks = ceil_div(k, 128)
        of_rows = (torch.rand(blocks, ceil_div(m, 4) * 4, device="cuda") + 0.5).t()[:m]
        of_blocks = torch.rand(ceil_div(n, 128), blocks, device="cuda") + 0.5
        wide = lambda scales, rows, columns: scales.double().repeat_interleave(
            rows, 0).repeat_interleave(128, 1)[:, :columns]
        reference = (a.double() * wide(of_rows, 1, k)) @ (
            b.double() * wide(of_blocks, 128, k)[:n]).t()
        grid = min(ceil_div(m, 128) * ceil_div(n, 128),
                   torch.cuda.get_device_properties(0).multi_processor_count)
        bound = Kernel(folder, name, "gemm_scaled", (grid, 1, 1), [a, b, c, of_rows, of_blocks])
        checked(f"{name}:{m}x{n}x{k}", "gemm_scaled", bound, c, reference)
    report(row, 2 * m * n * k, library_product(name, a, b), {"gemm_scaled": bound})


def plain(folder, row, name, *extents):
    """The text without Hopper's instructions, as cute-optimize makes it; SwiGLU beside the
    library's two products."""
    gates, columns = name == "swiglu", 128 if name in ("swiglu", "gemm_plain_turns") else 256
    kernel = "swiglu" if gates else "gemm"
    for m, n, k in [*ODD_PLAIN, extents]:
        a, b, c = operands(name, m, n, k)
        weights = [b, torch.randn_like(b)] if gates else [b]
        sums = [a.double() @ w.double().t() for w in weights]
        reference = torch.nn.functional.silu(sums[0]) * sums[1] if gates else sums[0]
        grid = min(ceil_div(m, 128) * ceil_div(n, columns),
                   torch.cuda.get_device_properties(0).multi_processor_count)
        bound = checked(f"{name}:{m}x{n}x{k}", kernel,
                        Kernel(folder, name, kernel, (grid, 1, 1), [a, *weights, c]), c, reference)
    library = library_product(name, a, torch.cat(weights))
    report(row, 2 * len(weights) * math.prod(extents), library, {kernel: bound})


def weights(folder, row, name, *extents):
    """Weights of 4 bits, two in a byte, beside the library's product of as many f16."""
    for m, n, k in [(1, 8, 64), (129, 264, 1024), (777, 336, 192), extents]:
        packed = torch.randint(-128, 128, (m, k // 2), device="cuda", dtype=torch.int8)
        scales = torch.rand(m, k // 64, device="cuda").half()
        b, c = torch.randn(n, k, device="cuda").half(), torch.empty(m, n, device="cuda").half()
        wide = packed.int()
        a = torch.stack([(wide + 8) % 16 - 8, wide >> 4], -1).reshape(m, k).half()
        a = a * scales.repeat_interleave(64, 1)
        grid = min(ceil_div(m, 128) * ceil_div(n, 256),
                   torch.cuda.get_device_properties(0).multi_processor_count)
        bound = Kernel(folder, name, "gemm", (grid, 1, 1), [packed, scales, b, c])
        checked(f"{name}:{m}x{n}x{k}", "gemm", bound, c, a.double() @ b.double().t())
    report(row, 2 * math.prod(extents), library_product(name, a, b), {"gemm": bound})


def convolution(folder, row, name, *extents):
    """3x3, padded by 1, of images (N,H,W,C), beside cuDNN's."""
    for n, h, w, c, k in [(1, 1, 1, 8, 8), (2, 9, 21, 24, 40), (3, 17, 33, 72, 264), extents]:
        a, b = torch.randn(n, h, w, c, device="cuda").half(), torch.randn(k, 3, 3, c, device="cuda").half()
        d = torch.empty(n, h, w, k, device="cuda", dtype=torch.float16)
        image, filters = a.permute(0, 3, 1, 2), b.permute(0, 3, 1, 2)  # channels last
        reference = torch.nn.functional.conv2d(image.double(), filters.double(), padding=1)
        grid = min(ceil_div(w, 4) * ceil_div(h, 4) * ceil_div(k, 256) * ceil_div(n, 8),
                   torch.cuda.get_device_properties(0).multi_processor_count)
        bound = checked(f"{name}:{n}x{h}x{w}x{c}x{k}", "conv2d",
                        Kernel(folder, name, "conv2d", (grid, 1, 1), [a, b, d, 1, 1]), d,
                        reference.permute(0, 2, 3, 1))
    report(row, 18 * math.prod(extents), lambda: torch.nn.functional.conv2d(image, filters, padding=1),
           {"conv2d": bound})


def moved(folder, row, name, m, n):
    """Beside a copy by the library; what counts are bytes read and written."""
    a = torch.randn(m, n, device="cuda").half()
    is_copy = name == "copy_sm90"
    b = torch.empty((m, n) if is_copy else (n, m), device="cuda", dtype=torch.float16)
    out = torch.empty_like(a)
    rows, columns = (64, 256) if is_copy else (128, 128)
    kernel = name.removesuffix("_sm90")
    bound = Kernel(folder, name, kernel, (ceil_div(n, columns), ceil_div(m, rows), 1), [a, b])
    report(row, 4000 * m * n, lambda: out.copy_(a),
           {kernel: checked(row, name, bound, b, a if is_copy else a.t())})


def attend(folder, name, q, k, v, o, causal):
    """The kernel, bound to these."""
    batch, heads, rows, d = q.shape
    tiles = ceil_div(rows, 128 if d == 128 else 192)
    scalars = [1 / math.sqrt(d)]
    grid = (tiles * heads * batch, 1, 1)
    if not causal:
        multiprocessors = torch.cuda.get_device_properties(0).multi_processor_count
        grid = (min(grid[0], multiprocessors), 1, 1)
    elif "plain" in name:
        grid = (tiles, heads, batch)
    if "plain" in name:  # is causal or not when it is compiled
        name = f"{name}_{int(causal)}"
    else:
        scalars.append(int(causal))
    return Kernel(folder, name, "attention", grid, [q, k, v, o, *scalars])


def attention_reference(q, k, v, causal):
    """In float64; the last row sees all columns, and a row that sees none is 0."""
    return reference(q.double(), k.double(), v.double(), causal, 1 / math.sqrt(q.shape[-1]))[0]


def random_heads(name, *extents):
    return torch.randn(*extents, device="cuda", dtype=RESULTS.get(name, torch.float16))


def check_odd_sizes(folder, name, d, causal):
    for batch, heads, heads_k, rows, columns in ODD_SIZES:
        if "plain" in name and heads != heads_k:
            continue  # it has a head of K and V for each of Q
        q = random_heads(name, batch, heads, rows, d)
        k, v = (random_heads(name, batch, heads_k, columns, d) for _ in range(2))
        o = torch.empty_like(q)
        kernel = attend(folder, name, q, k, v, o, causal)
        row = f"{name} {batch}x{heads},{heads_k}x{rows}x{columns}{' causal' if causal else ''}"
        checked(row, "", kernel, o, attention_reference(q, k, v, causal))


def attention(folder, row, name, causal, batch, heads, rows):
    from torch.nn.attention import SDPBackend, sdpa_kernel
    d = 64 if "d64" in name else 128
    check_odd_sizes(folder, name, d, causal)
    q, k, v = (random_heads(name, batch, heads, rows, d) for _ in range(3))
    o = torch.empty_like(q)

    def library():
        with sdpa_kernel(SDPBackend.CUDNN_ATTENTION):
            return torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=causal)
    bound = attend(folder, name, q, k, v, o, causal)
    flops = 4 * batch * heads * rows * rows * d // (2 if causal else 1)
    report(row, flops, library, {"attention": checked(row, "attention", bound, o, library())})


def main():
    folder = pathlib.Path(sys.argv[1])
    torch.backends.cuda.matmul.allow_tf32 = True
    print(f"{'TFLOP/s':<36} {'':<14} {'burst':>7} {'sustained':>9}")
    for row in sys.argv[2:] or ROWS:
        name, size, *causal = row.split(":")
        extents = map(int, size.split("x"))
        if name.startswith("attention"):
            attention(folder, row, name, bool(causal), *extents)
        elif name == "gemm_fp8_scaled_sm90":
            scaled(folder, row, name, *extents)
        elif name in ("copy_sm90", "transpose_sm90"):
            moved(folder, row, name, *extents)
        elif name == "conv2d_plain":
            convolution(folder, row, name, *extents)
        elif name == "gemm_w4_plain":
            weights(folder, row, name, *extents)
        elif name == "swiglu" or name.startswith("gemm_plain"):
            plain(folder, row, name, *extents)
        else:
            products(folder, row, name, *extents)


if __name__ == "__main__":
    main()
