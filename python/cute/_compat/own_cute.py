"""Programs that have a folder ``cute`` of their own on the path, as the examples of
CUTLASS have: its modules are found next to this package's.
"""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import os
import sys
from typing import Any


class _Finder(importlib.abc.MetaPathFinder):
    """Finds ``cute.x`` in folders ``cute`` of the path, if it is not a module of ours."""

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        if name.count(".") != 1 or not name.startswith("cute."):
            return None
        folders = [os.path.join(p, "cute") for p in sys.path if p]
        return importlib.machinery.PathFinder.find_spec(name, folders)


def install() -> None:
    """Looks for modules of ``cute`` on the path, too."""
    if not any(isinstance(f, _Finder) for f in sys.meta_path):
        sys.meta_path.append(_Finder())
