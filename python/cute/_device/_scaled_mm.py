"""torch's product of blocks with scale factors, which it has on a GPU alone."""

from __future__ import annotations

from typing import Any, Callable

_VALUES = (0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0)


def _plain(torch: Any, tensor: Any) -> Any:
    return tensor.as_subclass(torch.Tensor)


def _numbers(torch: Any, packed: Any) -> Any:
    """Returns the numbers (rows, K) of e2m1, two in a byte, the first in its lower half."""
    codes = _plain(torch, packed).view(torch.uint8)
    table = torch.tensor(_VALUES + tuple(-x for x in _VALUES))
    halves = torch.stack((codes & 15, codes >> 4), dim=-1).reshape(codes.shape[0], -1)
    return table[halves.long()]


def _factors(torch: Any, blocked: Any, rows: int, columns: int) -> Any:
    """Returns the factors (rows, columns) of chunks of 128 x 4, as cuBLAS has them."""
    chunks = _plain(torch, blocked).float().reshape(-(-rows // 128), -(-columns // 4), 32, 4, 4)
    plain = chunks.permute(0, 3, 2, 1, 4).reshape(128 * chunks.shape[0], 4 * chunks.shape[1])
    return plain[:rows, :columns]


def scaled_mm(torch: Any, plain: Callable[..., Any]) -> Callable[..., Any]:
    """Returns torch._scaled_mm that multiplies e2m1 on the host, too."""

    def multiply(a: Any, b: Any, scale_a: Any, scale_b: Any, *rest: Any, **named: Any) -> Any:
        if "float4" not in str(a.dtype):
            return plain(a, b, scale_a, scale_b, *rest, **named)
        left, right = _numbers(torch, a), _numbers(torch, b.transpose(0, 1))
        for x, scale in ((left, scale_a), (right, scale_b)):
            number = scale.numel() // (-(-x.shape[0] // 128) * 128)
            factors = _factors(torch, scale, x.shape[0], number)
            x *= factors.repeat_interleave(x.shape[1] // number, dim=1)
        return (left @ right.T).to(named.get("out_dtype", torch.bfloat16))

    return multiply
