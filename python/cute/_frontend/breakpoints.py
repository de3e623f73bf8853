"""Breakpoints: one thread prints the variables of a line of the user's file, and stops.

``CUTE_SIM="break=LINE:BLOCK,THREAD"`` names the line of a kernel, on the simulator and on
GPUs; the numbers of the block and of the thread in it count x fastest, and are 0 if left out.
"""

from __future__ import annotations

import os
import re
import sys
from typing import Any

from .._compile import ir as _ir

_PATTERN = re.compile(r"\bbreak=(\d+)(?::(\d+)(?:,(\d+))?)?")


class Breakpoint:
    """The place where a thread stops, and whether tracing came there."""

    def __init__(self, line: int, block: int, thread: int):
        self.line, self.block, self.thread = line, block, thread
        self.is_reached = self._is_open = False
        self._done: set[Any] = set()

    def visit(self, trace: Any) -> None:
        """Writes what the thread does before the first operation of the line in a kernel."""
        frame = _ir.user_frame()
        if self._is_open or frame is None or frame.f_lineno != self.line:
            return
        key = (id(frame.f_code), id(trace.kernel))
        if key in self._done:
            return
        self._done.add(key)
        self.is_reached = self._is_open = True
        try:
            self._stop(frame)
        finally:
            self._is_open = False

    def _stop(self, frame: Any) -> None:
        from . import guards as _guards
        from ..arch import places

        width, height, _ = places.block_dim()
        columns, rows, _ = places.grid_dim()
        x, y, z = places.thread_idx()
        i, j, k = places.block_idx()
        is_here = (x + (y + z * height) * width == self.thread) & (
            i + (j + k * rows) * columns == self.block
        )
        _guards.run_if(is_here, lambda: self._print(frame))

    def _print(self, frame: Any) -> None:
        from . import tracebacks as _tracebacks
        from .branches import assert_
        from .._values.numeric import Boolean
        from .._values.printing import printf

        file = frame.f_code.co_filename
        printf(f"{os.path.basename(file)}:{self.line}: block {self.block}, thread {self.thread}")
        for name, value in sorted(_tracebacks.variables(frame).items()):
            if not name.startswith("_cute") and _is_shown(value):
                printf("  " + name + " = {}", value)
        stops = Boolean(Boolean(False).ir_value())
        assert_(stops, lambda: "stopped at a breakpoint", (file, self.line, 0))

    def warn_if_missed(self) -> None:
        """Reports that no operation of a kernel was at the line."""
        if not self.is_reached:
            print(f"warning: break={self.line}: no kernel has an operation at that line",
                  file=sys.stderr)


def _is_shown(value: Any) -> bool:
    """Returns whether printf has a text for the numbers of a value."""
    from .._values.numeric import Numeric

    if isinstance(value, (tuple, list)):
        return all(map(_is_shown, value))
    return isinstance(value, (bool, int, float, Numeric))


def read() -> Breakpoint | None:
    """Returns the breakpoint of the environment, if there is one."""
    found = _PATTERN.search(os.environ.get("CUTE_SIM", ""))
    return Breakpoint(*(int(n or 0) for n in found.groups())) if found else None
