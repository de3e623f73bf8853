"""Errors of the compiler as Python exceptions, with the line that the user wrote."""

from __future__ import annotations

import re
from typing import Any


class DSLError(Exception):
    """Base of all errors that this package finds in a program."""


class DSLRuntimeError(DSLError):
    """An operation that is impossible in this context."""


class DSLCudaRuntimeError(DSLRuntimeError):
    """An error of the CUDA driver; ``error_code`` is its number."""

    def __init__(self, error_code: Any, message: str = ""):
        self.error_code = error_code
        super().__init__(message or str(error_code))


class SimulatorError(DSLRuntimeError, ValueError):
    """A finding of the simulator in a kernel: the line, block and thread, and a remedy.

    ``diagnostics`` holds tuples as in CompileError.
    """

    def __init__(self, diagnostics: list[tuple[Any, ...]]):
        self.diagnostics = [(d[0], _in_python(d[1]), *d[2:]) for d in diagnostics]
        super().__init__("\n".join(map(render, self.diagnostics)))


# Names operations of the dialect as a program writes them.
_IN_PYTHON = {
    "gpu.barrier": "cute.arch.sync_threads()",
    "cute.warp_sync": "cute.arch.sync_warp()",
    "cute.cluster_arrive": "cute.arch.cluster_arrive()",
    "cute.cluster_wait": "cute.arch.cluster_wait()",
    "cute.warpgroup_wait": "cute.nvgpu.warpgroup.wait_group(0)",
    "cute.fence_mbarrier_init": "cute.arch.mbarrier_init_fence()",
    "cute.named_barrier_sync": "cute.arch.barrier()",
    "cute.fence_proxy": "cute.arch.fence_proxy",
    "cute.cp_async_bulk_wait_read": "cute.arch.cp_async_bulk_wait_group(0, read=True)",
}


def _in_python(text: str) -> str:
    """Returns a message with operations as Python's functions."""
    names = "|".join(map(re.escape, sorted(_IN_PYTHON, key=len, reverse=True)))
    return re.sub(rf"\b({names})\b(?!\()", lambda m: _IN_PYTHON[m[1]], text)


class HostDivisionError(DSLRuntimeError, ZeroDivisionError):
    """A host function divides by zero, or the lowest integer by -1."""


def launch_error(diagnostics: list[tuple[Any, ...]]) -> DSLError:
    """Returns the exception of a call: of the CUDA driver, DSLCudaRuntimeError."""
    text = diagnostics[0][1]
    if re.search(r":\d+: division (by zero|overflows)", text):
        return HostDivisionError(text)
    code = re.search(r"CUDA error (\d+):", text)
    if code:
        return DSLCudaRuntimeError(int(code[1]), text)
    if text.startswith("kernel '"):
        return SimulatorError(diagnostics)
    return CompileError(diagnostics)


class CompileError(DSLError, ValueError):
    """An error of the compiler in a program: at a line, with notes.

    It is a ValueError, as in the reference for arguments that an operation does not
    accept.

    ``diagnostics`` holds tuples (severity, message, file, line, column, notes).
    """

    def __init__(self, diagnostics: list[tuple[Any, ...]]):
        self.diagnostics = []
        for diagnostic in map(_of_python, diagnostics):
            if diagnostic not in self.diagnostics:
                self.diagnostics.append(diagnostic)
        super().__init__("\n".join(render(d) for d in self.diagnostics))


# Explains what MLIR says of numbers that Python's objects carry out of a branch, a loop or a function.
_OUT_OF_PLACE = {
    r".*operand #\d+ does not dominate this use": "a number that the body of a branch or a loop "
    "computed is used outside of it: an object, a list or a cache of Python kept it; assign it "
    "to a variable of the function in that body, or compute it again here",
    r"operand defined here .*": "it is computed here",
    r".*using value defined outside the region": "a kernel uses a number that the host function or "
    "another kernel computes: pass it to the kernel as an argument",
    r"unsupported GPU operation: .*|LLVM Translation failed for operation: gpu\..*": "only a kernel "
    "has this: call it in a function under @cute.kernel",
    r"required by region isolation constraints": "the kernel is launched here",
}


def _of_python(diagnostic: tuple[Any, ...]) -> tuple[Any, ...]:
    severity, message, file, line, column, notes = diagnostic
    for pattern, text in _OUT_OF_PLACE.items():
        message = text if re.fullmatch(pattern, message) else message
    return severity, message, file, line, column, [_of_python(note) for note in notes]


def source_line(file: str, line: int) -> str:
    """Returns a line of a file without its end; "" where it cannot be read."""
    import linecache

    return linecache.getline(file, line).rstrip("\n")


def render(diagnostic: tuple[Any, ...]) -> str:
    """Returns a diagnostic as text, with the line that it is about and a caret."""
    severity, message, file, line, column, notes = diagnostic
    place = f"{file}:{line}:{column}: " if file else ""
    text = [f"{place}{severity}: {message}"]
    source = source_line(file, line) if file else ""
    if source:
        text += ["  " + source, "  " + " " * (column - 1) + "^"]
    return "\n".join(text + [render(note) for note in notes])
