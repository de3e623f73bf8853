"""What ``cutec --prove`` says of a module's kernels, for ``python -m cute check``."""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
from typing import Any, Iterator

from .diagnostics import source_line
from .. import _programs

# Matches an answer: the kernel, the answer and the claim.
_ANSWER = re.compile(r"(.+?): (proved|refuted|not decided)(?:: | whether )(.*)")
_PLACED = re.compile(r"(.+?):(\d+): (.*)")


def prove(module: Any, arch: str, seconds: int) -> list[dict[str, str]]:
    """Returns what is proved of a module's kernels for every size, refuted, or not decided.

    Each has ``kernel``, ``answer``, ``claim`` and, if it is refuted, ``shown``: what the simulator
    said. There are none where cutec is missing, takes longer or does not compile the module.
    """
    cutec = _programs.find("cutec")
    if not cutec:
        return []
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "kernels.mlir")
        with open(path, "w", encoding="utf-8") as file:
            file.write(module.text_with_locations())
        try:
            done = subprocess.run([cutec, path, "--prove", f"--arch={arch}"], check=False,
                                  capture_output=True, text=True, timeout=seconds)
        except subprocess.TimeoutExpired:
            return []
    return list(_answers(done.stdout.splitlines()))


def _answers(lines: list[str]) -> Iterator[dict[str, str]]:
    for i, line in enumerate(lines):
        found = _ANSWER.fullmatch(line)
        if found and not line.startswith(" "):
            proof = dict(zip(("kernel", "answer", "claim"), found.groups()))
            if found[2] == "refuted":
                proof["shown"] = lines[i + 2].strip().removeprefix("cute-run: error: ")
            yield proof


def _column(text: str) -> int:
    """Returns the first column of a line's text that is not blank."""
    return len(text) - len(text.lstrip()) + 1


def diagnostic(proof: dict[str, str]) -> tuple[Any, ...]:
    """Returns what is refuted as a remark: the program itself may not use these sizes."""
    found = _PLACED.fullmatch(proof["claim"])
    line = int(found[2]) if found else 0
    place = (found[1], line, _column(source_line(found[1], line))) if found else ("", 0, 0)
    note = ("note", f"the simulator shows it: {proof['shown']}", *place, [])
    return "remark", f"at other sizes, {found[3] if found else proof['claim']}", *place, [note]
