#!/usr/bin/env python3
"""Two linear layers spread over GPUs, with the communication under the products.

usage: torchrun --nproc-per-node=2 tensor_parallel.py [--check] [M,K,N ...]

The first layer has the columns of its output on different GPUs: all ranks' rows of the
input are gathered and multiplied (AllGatherGemm). The second sums over K across GPUs:
the products are summed and each rank gets its rows (GemmReduceScatter). Both are
compared with float64 first, at these sizes' odd neighbours and at a small one. Then they
are timed beside torch: the collective and the product one after the other, and torch's
fused op on symmetric memory. Prints milliseconds, medians of 30 calls in turn, of the
slowest rank, and ratios to the better of the two. Without GPUs (gloo) only results are checked.
"""
import os
import statistics
import sys

import torch
import torch.distributed as dist

from cute.kernels.distributed import AllGatherGemm, GemmReduceScatter

SIZES = [(8192, 4096, 4096), (4096, 8192, 8192), (8192, 8192, 28672)]
CHECKS = [(64, 64, 64), (272, 144, 528), (2048, 1024, 1536)]


# gloo of some versions of torch sends no bf16.
DTYPE = torch.bfloat16 if torch.cuda.is_available() else torch.float32


def random(*shape, device):
    return torch.randn(*shape, device=device).to(DTYPE)


def milliseconds(functions, device):
    """The medians of 30 calls of each, in turn, of the slowest rank."""
    times = {name: [] for name in functions}
    for i in range(33):
        for name, function in functions.items():
            torch.cuda.synchronize()
            dist.barrier()
            start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
            torch.cuda._sleep(400000)  # so that all ranks' launches are queued
            start.record()
            function()
            end.record()
            torch.cuda.synchronize()
            if i >= 3:
                times[name].append(start.elapsed_time(end))
    medians = torch.tensor([statistics.median(t) for t in times.values()], device=device)
    dist.all_reduce(medians, op=dist.ReduceOp.MAX)
    return dict(zip(times, medians.tolist()))


def gathered(tensor, ranks):
    parts = [torch.empty_like(tensor) for _ in range(ranks)]
    dist.all_gather(parts, tensor)
    return parts


def compare(what, ours, reference):
    """Fails where a result is further from float64 than bf16 rounds, twice."""
    error = (ours.double() - reference).abs().max() / reference.abs().max()
    if not error < 1.5e-2:
        raise SystemExit(f"{what}: wrong by {error:.1e} of the largest element")


def check(m, k, n, device):
    rank, ranks = dist.get_rank(), dist.get_world_size()
    gather = AllGatherGemm(m // ranks, k, DTYPE, device)
    scatter = GemmReduceScatter(m // ranks, n, DTYPE, device)
    for _ in range(4):  # so that both halves of the shared memory are used again
        a, b = random(m // ranks, k, device=device), random(n // ranks, k, device=device)
        whole = torch.cat(gathered(a, ranks)).double()
        compare(f"all-gather, GEMM {m},{k},{n}", gather(a, b), whole @ b.double().t())
        a = random(m, k // ranks, device=device)
        b = random(n, k // ranks, device=device)
        total = a.double() @ b.double().t()
        dist.all_reduce(total)
        mine = total.view(ranks, m // ranks, n)[rank]
        compare(f"GEMM, reduce-scatter {m},{k},{n}", scatter(a, b), mine)
    if rank == 0:
        print(f"ok {m},{k},{n}", flush=True)


def show(what, size, functions, device):
    """Times the functions; the first is ours."""
    times = milliseconds(functions, device)
    if dist.get_rank() == 0:
        (_, ours), *others = times.items()
        best = min(value for _, value in others)
        listed = ", ".join(f"{name} {value:.3f}" for name, value in others)
        print(f"{what} {','.join(map(str, size))}: {ours:.3f} ms; {listed}; "
              f"{ours / best:.2f}x the better", flush=True)


def time_gather(m, k, n, device):
    ranks = dist.get_world_size()
    a, b = random(m // ranks, k, device=device), random(n // ranks, k, device=device)
    whole = torch.empty(m, k, device=device, dtype=DTYPE)
    out = torch.empty(m, n // ranks, device=device, dtype=DTYPE)
    gather = AllGatherGemm(m // ranks, k, DTYPE, device)

    def apart():
        dist.all_gather_into_tensor(whole, a)
        torch.matmul(whole, b.t(), out=out)

    functions = {"ours": lambda: gather(a, b, out), "one after the other": apart}
    fused = fused_ops("all_gather")
    if fused:
        shard = symmetric_like(a)
        functions["fused by torch"] = lambda: fused(shard, b)
    show("all-gather + GEMM", (m, k, n), functions, device)


def time_scatter(m, k, n, device):
    ranks = dist.get_world_size()
    a, b = random(m, k // ranks, device=device), random(n, k // ranks, device=device)
    whole = torch.empty(m, n, device=device, dtype=DTYPE)
    out = torch.empty(m // ranks, n, device=device, dtype=DTYPE)
    scatter = GemmReduceScatter(m // ranks, n, DTYPE, device)

    def apart():
        torch.matmul(a, b.t(), out=whole)
        dist.reduce_scatter_tensor(out, whole)

    functions = {"ours": lambda: scatter(a, b, out), "one after the other": apart}
    fused = fused_ops("reduce_scatter")
    if fused:
        functions["fused by torch"] = lambda: fused(a, b)
    show("GEMM + reduce-scatter", (m, k, n), functions, device)


def symmetric_like(tensor):
    import torch.distributed._symmetric_memory as symmetric

    shard = symmetric.empty(*tensor.shape, dtype=tensor.dtype, device=tensor.device)
    symmetric.rendezvous(shard, dist.group.WORLD)
    return shard.copy_(tensor)


def fused_ops(which):
    """torch's op on symmetric memory, or None where it has none."""
    try:
        import torch.distributed._symmetric_memory as symmetric  # noqa: F401

        ops = torch.ops.symm_mem
        name = dist.group.WORLD.group_name
        if which == "all_gather":
            return lambda a, b: ops.fused_all_gather_matmul(a, [b.t()], 0, name)
        return lambda a, b: ops.fused_matmul_reduce_scatter(a, b.t(), "sum", 0, name)
    except (ImportError, AttributeError):
        return None


def main():
    arguments = [x for x in sys.argv[1:] if x != "--check"]
    has_gpu = torch.cuda.is_available()
    device = torch.device("cuda", int(os.environ["LOCAL_RANK"])) if has_gpu \
        else torch.device("cpu")
    if has_gpu:
        torch.cuda.set_device(device)
    dist.init_process_group("nccl" if has_gpu else "gloo")
    torch.manual_seed(1234 + dist.get_rank())
    try:
        for size in CHECKS if has_gpu else CHECKS[:2]:
            check(*size, device)
        if has_gpu and "--check" not in sys.argv:
            sizes = [tuple(map(int, x.split(","))) for x in arguments] or SIZES
            for size in sizes:
                time_gather(*size, device)
            for size in sizes:
                time_scatter(*size, device)
    finally:
        dist.destroy_process_group()


if __name__ == "__main__":
    main()
