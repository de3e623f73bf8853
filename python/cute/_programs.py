"""The compiler's programs, which a wheel brings: console scripts become them."""

from __future__ import annotations

import functools
import os
import sys
from typing import NoReturn


def find(name: str) -> str | None:
    """Returns the path of a program, of the wheel or of the build; None: it is not there."""
    package = os.path.dirname(os.path.abspath(__file__))
    paths = (os.path.join(package, *place, name) for place in (("bin",), ("..", "..", "bin")))
    return next((path for path in paths if os.access(path, os.X_OK)), None)


def _become(name: str) -> NoReturn:
    """Runs a program of the package in place of this process.

    :raises SystemExit: where the package is not of a wheel, and has none
    """
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bin", name)
    if not os.access(path, os.X_OK):
        sys.exit(f"{name}: {path} is not there; a wheel has it, and ./dev build makes "
                 f"build/release/bin/{name}")
    os.execv(path, [name, *sys.argv[1:]])


cutec, cute_opt, cute_lsp, cute_run, cute_layout = (
    functools.partial(_become, name)
    for name in ("cutec", "cute-opt", "cute-lsp", "cute-run", "cute-layout"))
