#!/usr/bin/env python3
"""Times the Hopper kernels of examples/ beside cuBLAS and cuDNN in one process, checked
first, in bursts (0.12 s of rest before each batch of 10 launches) and sustained (batches
back to back). Prints medians in TFLOP/s and the ratio of bursts.

usage: bursts.py FOLDER [ROW ...]

`./dev bench bursts` fills FOLDER with NAME.cubin and NAME.json of the examples. Needs a
GPU of sm_90 and torch. A row is gemm_sm90:MxNxK, gemm_sm90_pingpong:MxNxK, gemm_fp8_sm90:MxNxK or
attention_sm90:BATCHxHEADSxROWS; without rows a list of them is run.
"""
import ctypes
import json
import math
import pathlib
import sys
import time

import torch

ROWS = ["gemm_sm90:4096x4096x4096", "gemm_sm90:8192x8192x8192",
        "gemm_sm90:16384x8192x1024", "gemm_sm90_pingpong:16384x8192x1024",
        "gemm_sm90:4096x14336x4096",
        "gemm_fp8_sm90:4096x4096x4096", "gemm_fp8_sm90:8192x8192x8192",
        "attention_sm90:4x16x4096", "attention_sm90:1x16x16384"]
DATA_TYPES = {torch.float16: 6, torch.float8_e4m3fn: 0}  # CUtensorMapDataType
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
        ctypes.c_void_p(address), DATA_TYPES[tensor.dtype], rank,
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
        number = evaluate(part["role"], "", argument)
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
        print(f"{row:<32} {name:<14} {median(bursts[name]):7.0f} "
              f"{median(sustained[name]):7.0f}  {ratio:.2f}x", flush=True)


def checked(row, name, kernel, result, reference):
    """The kernel, if its result is right."""
    result.fill_(float("nan"))
    kernel()
    error = ((result.float() - reference.float()).norm() / reference.float().norm()).item()
    if not error < 5e-3:
        sys.exit(f"{row} {name}: relative error {error:.1e}")
    return kernel


def products(folder, row, name, m, n, k):
    multiprocessors = torch.cuda.get_device_properties(0).multi_processor_count
    a, b = torch.randn(m, k, device="cuda"), torch.randn(n, k, device="cuda")
    c = torch.empty(m, n, device="cuda", dtype=torch.float16)
    if name.startswith("gemm_sm90"):
        a, b, out = a.half(), b.half(), torch.empty_like(c)
        library = lambda: torch.matmul(a, b.t(), out=out)
        reference = library().clone()
    else:
        a, b = a.to(torch.float8_e4m3fn), b.to(torch.float8_e4m3fn)
        one = torch.ones((), device="cuda")
        library = lambda: torch._scaled_mm(  # pylint: disable=protected-access
            a, b.t(), one, one, out_dtype=torch.bfloat16, use_fast_accum=True)
        reference = a.float() @ b.float().t()
    small = min(ceil_div(m, 128) * ceil_div(n, 128), multiprocessors)
    grids = {"gemm": min(ceil_div(m, 256) * ceil_div(n, 256), multiprocessors // 2) * 2}
    if name == "gemm_sm90_pingpong":
        grids = {"gemm": small}
    if name == "gemm_fp8_sm90":
        grids["gemm_promoted"] = small
    kernels = {}
    for kernel, grid in grids.items():
        bound = Kernel(folder, name, kernel, (grid, 1, 1), [a, b, c])
        kernels[kernel] = checked(row, kernel, bound, c, reference)
    report(row, 2 * m * n * k, library, kernels)


def attention(folder, row, name, batch, heads, rows, d=128):
    from torch.nn.attention import SDPBackend, sdpa_kernel
    q, k, v = (torch.randn(batch, heads, rows, d, device="cuda", dtype=torch.float16)
               for _ in range(3))
    o = torch.empty_like(q)

    def library():
        with sdpa_kernel(SDPBackend.CUDNN_ATTENTION):
            return torch.nn.functional.scaled_dot_product_attention(q, k, v)
    bound = Kernel(folder, name, "attention", (ceil_div(rows, 128), heads, batch),
                   [q, k, v, o, 1 / math.sqrt(d)])
    report(row, 4 * batch * heads * rows * rows * d, library,
           {"attention": checked(row, "attention", bound, o, library())})


def main():
    folder = pathlib.Path(sys.argv[1])
    torch.zeros(1, device="cuda")
    print(f"{'TFLOP/s':<32} {'':<14} {'burst':>7} {'sustained':>9}")
    for row in sys.argv[2:] or ROWS:
        name, _, size = row.partition(":")
        run = attention if name == "attention_sm90" else products
        run(folder, row, name, *map(int, size.split("x")))


if __name__ == "__main__":
    main()
