#!/usr/bin/env python3
"""Times the host's part of a launch: calls with small tensors of torch.

usage: launch.py [CALLS]

Prints microseconds a call, the least of 60 rounds, and the ratio to torch's `add_`: of a
function under @cute.jit, of a compiled one, and of a compiled one with other extents each time,
which are looked at anew. Then of the functions of cute.kernels, beside torch's for the same result
if it has one. It needs torch and a CUDA device.
"""
import sys
import time

import torch

import cute
from cute import _bridge, kernels
from cute.kernels import _text
from cute.kernels._program import Program

ROUNDS = 60

@cute.kernel
def copy(a: cute.Tensor, b: cute.Tensor, n: cute.Int32):
    i = cute.arch.thread_idx()[0]
    if i < n:
        b[i] = a[i]


@cute.jit
def launch(a: cute.Tensor, b: cute.Tensor, n: cute.Int32):
    copy(a, b, n).launch(grid=1, block=32)


@cute.kernel
def nothing():
    pass


def empty_launch():
    """Starts a kernel that does nothing, from C."""
    arch = "sm_%d%d" % torch.cuda.get_device_capability()
    program = Program("nothing")
    program.add("nothing", nothing, grid=["1"], threads=32)
    made = _bridge.Kernel(_text.device(0), program.manifest(arch), program.compile(arch), "nothing")
    launches = ((made.bind((), None), None, None),)
    return lambda: _bridge.call_start(launches, 0, 0, ())


def times_of(functions, calls):
    """Microseconds of the host for a call of each, in turns, so that what else the machine does
    meets all alike."""
    best = [float("inf")] * len(functions)
    for function in functions:
        function()
    for _ in range(ROUNDS):
        for i, function in enumerate(functions):
            torch.cuda.synchronize()
            start = time.perf_counter()
            for _ in range(calls):
                function()
            best[i] = min(best[i], time.perf_counter() - start)
    return [1e6 * x / calls for x in best]


def library_calls():
    """(name, a call of ours, torch's or None) of the functions of cute.kernels."""
    f = torch.nn.functional

    def some(*shape, dtype=torch.bfloat16):
        return torch.randn(*shape, device="cuda").to(dtype)

    a, b, bias, x = some(64, 128), some(64, 128), some(64), some(16, 512)
    gamma, beta, target = some(512), some(512), torch.zeros(16, dtype=torch.int64, device="cuda")
    yield "gemm", lambda: kernels.gemm(a, b), lambda: torch.matmul(a, b.t())
    yield "gemm with bias", lambda: kernels.gemm(a, b, bias=bias), lambda: f.linear(a, b, bias)
    yield "gated_gemm", lambda: kernels.gated_gemm(a, b, b), None
    ends, groups = torch.tensor([32, 64], dtype=torch.int32, device="cuda"), b.view(2, 32, 128)
    yield "grouped_gemm", lambda: kernels.grouped_gemm(a, groups, ends), None
    w, scales = kernels.pack_w4(torch.ones(64, 128, dtype=torch.uint8, device="cuda")), some(64, 2)
    yield "gemm_w4", lambda: kernels.gemm_w4(a, w, scales), None
    yield "softmax", lambda: kernels.softmax(x), lambda: torch.softmax(x, -1)
    y = torch.empty_like(x)
    yield ("softmax to a given result", lambda: kernels.softmax(x, y),
           lambda: torch.softmax(x, -1, out=y))
    yield "log_softmax", lambda: kernels.log_softmax(x), lambda: torch.log_softmax(x, -1)
    yield ("layernorm", lambda: kernels.layernorm(x, gamma, beta),
           lambda: f.layer_norm(x, (512,), gamma, beta))
    yield "rmsnorm", lambda: kernels.rmsnorm(x, gamma), lambda: f.rms_norm(x, (512,), gamma)
    yield ("cross_entropy", lambda: kernels.cross_entropy(x, target),
           lambda: f.cross_entropy(x, target))
    yield "argmax", lambda: kernels.argmax(x), lambda: x.argmax(-1)
    yield "topk", lambda: kernels.topk(x, 4), lambda: x.topk(4)
    heads, cos = some(1, 4, 32, 64), some(32, 32)
    yield "rope", lambda: kernels.rope(heads, cos, cos), None
    yield ("attention", lambda: kernels.attention(heads, heads, heads),
           lambda: f.scaled_dot_product_attention(heads, heads, heads))
    one, long = some(1, 4, 1, 64), some(1, 4, 1024, 64)
    yield ("attention of one row", lambda: kernels.attention(one, long, long),
           lambda: f.scaled_dot_product_attention(one, long, long))


def main():
    if not torch.cuda.is_available():
        sys.exit("launch.py: there is no CUDA device, whose launches are timed")
    calls = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    a, b = (torch.zeros(64, device="cuda") for _ in range(2))
    others = [a[:32], a[:16]]
    dynamic = [cute.runtime.from_dlpack(x).mark_layout_dynamic() for x in (a[:32], b[:32])]
    compiled = cute.compile(launch, *dynamic, 32)
    turns = [0]

    def changing():
        turns[0] ^= 1
        compiled(others[turns[0]], b, 32)

    def add():
        a.add_(b)

    rows = [("the driver's part", empty_launch(), None), ("torch's add_", add, None), ("@cute.jit", lambda: launch(a, b, 32), add),
            ("compiled", lambda: compiled(a, b, 32), add),
            ("compiled, changing extents", changing, add), *library_calls()]
    functions = list(dict.fromkeys(f for row in rows for f in row[1:] if f))
    times = dict(zip(functions, times_of(functions, calls)))
    for name, mine, other in rows:
        ratio = f" {times[mine] / times[other]:5.2f}" if other else ""
        print(f"{name:28}{times[mine]:6.2f} us{ratio}", flush=True)


if __name__ == "__main__":
    main()
