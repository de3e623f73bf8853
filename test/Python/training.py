# REQUIRES: torch, full
# RUN: env CUTE_DEVICE=sim CUTE_ARCH=sm_90a %python %s %examples/torch/transformer.py
"""The transformer of examples/torch learns on the simulator, by the library's operators as by
torch's."""
import runpy
import sys

import torch

if not hasattr(torch.library, "custom_op"):  # before 2.4
    raise SystemExit(0)

example = runpy.run_path(sys.argv[1])
sizes = example["TINY"]
mine, other = (example["Run"](example[ops], sizes, "cpu") for ops in ("CUTE", "TORCH"))
for batch in example["batches"](sizes, 5, "cpu"):
    mine.step(*batch)
    other.step(*batch)
assert max(abs(a - b) for a, b in zip(mine.losses, other.losses)) < 0.02, (mine.losses, other.losses)
assert mine.losses[-1] < mine.losses[0] - 0.1, mine.losses
