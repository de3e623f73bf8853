"""Attention as it is defined, in the precision of its operands."""
import math

import torch


def reference(q, k, v, causal, scale, window=None, cap=None, sinks=None):
    """Attention, 0 for rows that see no key, and the log-sum-exp of rows. The last row sees all
    keys, if ``causal`` the row before all but one, and so on, and of these the last ``window``."""
    k, v = (x.repeat_interleave(q.shape[1] // x.shape[1], 1) for x in (k, v))
    s = q @ k.transpose(2, 3) * scale
    if cap:
        s = cap * torch.tanh(s / cap)
    rows, columns = s.shape[2:]
    first, second = (torch.arange(n, device=q.device) for n in (rows, columns))
    later = second - first[:, None] - (columns - rows)
    hidden = (later > 0) & causal | (later <= -(window or rows + columns))
    s = s.masked_fill(hidden, -1e300)
    if sinks is not None:
        s = torch.cat([s, sinks[None, :, None, None].expand(*s.shape[:3], 1)], -1)
    p = torch.softmax(s, -1)[..., :columns].masked_fill(hidden, 0)
    return p @ v, torch.logsumexp(s.masked_fill(s < -1e299, -math.inf), -1)
