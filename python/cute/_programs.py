"""The compiler's programs, which a wheel brings: console scripts become them."""

from __future__ import annotations

import os
import sys
from typing import NoReturn


def _become(name: str) -> NoReturn:
    """Runs a program of the package in place of this process.

    :raises SystemExit: where the package is not of a wheel, and has none
    """
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bin", name)
    if not os.access(path, os.X_OK):
        sys.exit(f"{name}: {path} is not there; a wheel has it, and ./dev build makes "
                 f"build/release/bin/{name}")
    os.execv(path, [name, *sys.argv[1:]])


def cutec() -> NoReturn:
    _become("cutec")


def cute_opt() -> NoReturn:
    _become("cute-opt")


def cute_lsp() -> NoReturn:
    _become("cute-lsp")


def cute_run() -> NoReturn:
    _become("cute-run")


def cute_layout() -> NoReturn:
    _become("cute-layout")
