#!/usr/bin/env python3
"""Times the host's part of a launch: calls of a small kernel with tensors of torch.

usage: launch.py [CALLS]

Prints microseconds a call, the least of 20 rounds, and the ratio to torch's `add_`: of a
function under @cute.jit, of a compiled one, and of a compiled one with other extents each time,
which are looked at anew. It needs torch and a CUDA device.
"""
import sys
import time

import torch

import cute

ROUNDS = 20


@cute.kernel
def copy(a: cute.Tensor, b: cute.Tensor, n: cute.Int32):
    i = cute.arch.thread_idx()[0]
    if i < n:
        b[i] = a[i]


@cute.jit
def launch(a: cute.Tensor, b: cute.Tensor, n: cute.Int32):
    copy(a, b, n).launch(grid=1, block=32)


def time_of(call, calls):
    """Microseconds of the host for a call, which has been made before."""
    call()
    best = float("inf")
    for _ in range(ROUNDS):
        torch.cuda.synchronize()
        start = time.perf_counter()
        for _ in range(calls):
            call()
        best = min(best, time.perf_counter() - start)
    return 1e6 * best / calls


def main():
    if not torch.cuda.is_available():
        sys.exit("launch.py: there is no CUDA device, whose launches are timed")
    calls = int(sys.argv[1]) if len(sys.argv) > 1 else 500
    a, b = (torch.zeros(64, device="cuda") for _ in range(2))
    others = [a[:32], a[:16]]
    dynamic = [cute.runtime.from_dlpack(x).mark_layout_dynamic() for x in (a[:32], b[:32])]
    compiled = cute.compile(launch, *dynamic, 32)
    turns = [0]

    def changing():
        turns[0] ^= 1
        compiled(others[turns[0]], b, 32)

    base = time_of(lambda: a.add_(b), calls)
    print(f"torch's add_                {base:6.2f} us")
    for name, call in (("@cute.jit", lambda: launch(a, b, 32)),
                       ("compiled", lambda: compiled(a, b, 32)),
                       ("compiled, changing extents", changing)):
        found = time_of(call, calls)
        print(f"{name:28}{found:6.2f} us {found / base:5.2f}")


if __name__ == "__main__":
    main()
