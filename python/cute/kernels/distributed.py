"""Linear layers whose weights are spread over GPUs, with communication overlapped by
products.

Rows are cut into chunks, one for each rank. While one chunk is multiplied, others travel
from GPU to GPU by their copy engines. Ranks write data to each other's memory (torch's
symmetric memory), followed by a counter that the other's stream waits for: communication
takes no multiprocessors from the products, which use all. On CPUs, with gloo, the same
steps run one after another.
"""

from __future__ import annotations

import ctypes
from typing import Any, Optional

import torch
import torch.distributed as dist

from .gemm import gemm

_WAIT_UNTIL_AT_LEAST = 0  # CU_STREAM_WAIT_VALUE_GEQ


def _multiply(a: Any, b: Any, out: Any) -> None:
    """Writes ``a @ b.T`` to ``out``."""
    if a.is_cuda:
        gemm(a, b, out)
    else:
        out.copy_(torch.matmul(a.float(), b.float().t()))


def _driver() -> Any:
    driver = ctypes.CDLL("libcuda.so.1")
    for name in ("cuStreamWaitValue32_v2", "cuStreamWriteValue32_v2"):
        getattr(driver, name).argtypes = [
            ctypes.c_void_p,
            ctypes.c_uint64,
            ctypes.c_uint32,
            ctypes.c_uint32,
        ]
    return driver


class _Mailbox:
    """Two boxes of each rank, to which all others write; calls take them in turn.

    With call ``n`` a rank sends number ``n`` behind its data. Whoever has number
    ``n - 1`` of a rank knows that it has begun that call, and so read what call
    ``n - 2`` brought: the box of call ``n`` is free.
    """

    def __init__(self, shape: tuple[int, ...], dtype: Any, device: Any, group: Any):
        import torch.distributed._symmetric_memory as symmetric

        self.rank, self.ranks = dist.get_rank(group), dist.get_world_size(group)
        full = (2, self.ranks, *shape)
        self._boxes = symmetric.empty(full, dtype=dtype, device=device)
        self._numbers = symmetric.empty(self.ranks, dtype=torch.int32, device=device)
        self._numbers.zero_()
        box_handle = symmetric.rendezvous(self._boxes, group)
        number_handle = symmetric.rendezvous(self._numbers, group)
        self._boxes_of = [
            None if rank == self.rank else box_handle.get_buffer(rank, full, dtype)
            for rank in range(self.ranks)
        ]
        self._numbers_of = [
            None
            if rank == self.rank
            else number_handle.get_buffer(rank, (self.ranks,), torch.int32)
            for rank in range(self.ranks)
        ]
        self._number = torch.zeros(1, dtype=torch.int32, device=device)
        self._call = 0
        self._driver = _driver()
        self.side = torch.cuda.Stream(device)
        torch.cuda.synchronize(device)
        dist.barrier(group)

    def others(self) -> list[int]:
        """Returns the other ranks, a different one first on each."""
        return [(self.rank + step) % self.ranks for step in range(1, self.ranks)]

    def begin(self) -> None:
        """Begins a call, behind what the current stream has to do."""
        self._call += 1
        self.side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(self.side):
            self._word("cuStreamWriteValue32_v2", self.side, self._number, self._call, 0)

    def send(self, rank: int, data: Any) -> None:
        """Writes to another's box, behind what the current stream has to do."""
        self.side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(self.side):
            self._wait(self.side, rank, self._call - 1)
            self._boxes_of[rank][self._call % 2, self.rank].copy_(data)
            self._numbers_of[rank][self.rank : self.rank + 1].copy_(self._number)
        data.record_stream(self.side)

    def receive(self, rank: int) -> Any:
        """Returns another rank's data; the current stream waits for it."""
        self._wait(torch.cuda.current_stream(), rank, self._call)
        return self._boxes[self._call % 2, rank]

    def _wait(self, stream: Any, rank: int, number: int) -> None:
        word = self._numbers[rank:]
        self._word("cuStreamWaitValue32_v2", stream, word, number, _WAIT_UNTIL_AT_LEAST)

    def _word(self, name: str, stream: Any, word: Any, value: int, flags: int) -> None:
        code = getattr(self._driver, name)(
            stream.cuda_stream, word.data_ptr(), value & 0xFFFFFFFF, flags
        )
        if code:
            raise RuntimeError(f"{name}: error {code} of the CUDA driver")


class AllGatherGemm:
    """The product of all ranks' rows of A with this rank's rows of B.

    Each rank has a shard (M/ranks, K) of A and (N/ranks, K) of B; the result is (M,
    N/ranks). All ranks call it equally often, each on one stream.
    """

    def __init__(
        self, rows: int, k: int, dtype: Any, device: Any, group: Optional[Any] = None
    ):
        self._group = group or dist.group.WORLD
        self._mail = None
        if torch.device(device).type == "cuda":
            self._mail = _Mailbox((rows, k), dtype, device, self._group)

    def __call__(self, shard: Any, b: Any, out: Any = None) -> Any:
        """Returns the product, which ``out`` takes if it is given."""
        ranks, rank = dist.get_world_size(self._group), dist.get_rank(self._group)
        rows = shard.shape[0]
        if out is None:
            shape = (ranks * rows, b.shape[0])
            out = torch.empty(shape, dtype=shard.dtype, device=shard.device)
        parts = out.view(ranks, rows, -1)
        if self._mail is None:
            gathered = [torch.empty_like(shard) for _ in range(ranks)]
            dist.all_gather(gathered, shard, group=self._group)
            for part, piece in zip(parts, gathered):
                _multiply(piece, b, part)
            return out
        mail = self._mail
        mail.begin()
        for other in mail.others():
            mail.send(other, shard)
        _multiply(shard, b, parts[rank])
        for other in reversed(mail.others()):
            _multiply(mail.receive(other), b, parts[other])
        return out


class GemmReduceScatter:
    """This rank's rows of the sum of all ranks' products.

    Each rank has (M, K/ranks) of A and (N, K/ranks) of B; the result is (M/ranks, N),
    the sum of partial products that have the elements' type. All ranks call it equally
    often, each on one stream.
    """

    def __init__(
        self, rows: int, n: int, dtype: Any, device: Any, group: Optional[Any] = None
    ):
        self._group = group or dist.group.WORLD
        ranks = dist.get_world_size(self._group)
        self._partial = torch.empty(ranks, rows, n, dtype=dtype, device=device)
        self._mail = None
        if torch.device(device).type == "cuda":
            self._mail = _Mailbox((rows, n), dtype, device, self._group)

    def __call__(self, a: Any, b: Any, out: Any = None) -> Any:
        """Returns the rows, which ``out`` takes if it is given."""
        ranks, rank = dist.get_world_size(self._group), dist.get_rank(self._group)
        parts = a.view(ranks, a.shape[0] // ranks, -1)
        if out is None:
            out = torch.empty_like(self._partial[0])
        if self._mail is None:
            for part, partial in zip(parts, self._partial):
                _multiply(part, b, partial)
            dist.all_reduce(self._partial, group=self._group)
            return out.copy_(self._partial[rank])
        mail = self._mail
        mail.begin()
        for other in mail.others():
            _multiply(parts[other], b, self._partial[other])
            mail.send(other, self._partial[other])
        _multiply(parts[rank], b, out)
        for other in reversed(mail.others()):
            out.add_(mail.receive(other))
        return out
