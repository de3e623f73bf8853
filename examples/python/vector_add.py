"""c = a + b in Python: python vector_add.py, on a GPU or, without one, on the simulator.

The package is there after `pip install .`, or with PYTHONPATH=build/release/python; the
arrays are torch's.
"""
import torch

import cute

THREADS = 256


@cute.kernel
def add(a: cute.Tensor, b: cute.Tensor, c: cute.Tensor):
    i = cute.arch.block_idx()[0] * THREADS + cute.arch.thread_idx()[0]
    if i < cute.size(c):
        c[i] = a[i] + b[i]


@cute.jit
def vector_add(a: cute.Tensor, b: cute.Tensor, c: cute.Tensor):
    blocks = cute.ceil_div(cute.size(c), THREADS)
    add(a, b, c).launch(grid=(blocks, 1, 1), block=(THREADS, 1, 1))


device = "cuda" if torch.cuda.is_available() else "cpu"
a, b = (torch.randn(10_000, device=device) for _ in range(2))
c = torch.empty_like(a)
vector_add(a, b, c)
print("right" if torch.equal(c, a + b) else "wrong", "on", device)
