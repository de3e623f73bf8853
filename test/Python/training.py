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
mine, other = (example["train"](example[ops], sizes, 5, "cpu")[0] for ops in ("CUTE", "TORCH"))
assert max(abs(a - b) for a, b in zip(mine, other)) < 0.02, (mine, other)
assert mine[-1] < mine[0] - 0.1, mine
