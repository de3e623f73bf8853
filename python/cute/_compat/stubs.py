"""Stubs of ``cutlass`` for type checkers: its modules with the names that are here.

``python -m cute stubs`` writes them into ``typings``, where pyright looks for stubs;
``MYPYPATH=typings`` leads mypy there.
"""

from __future__ import annotations

import ast
import functools
import importlib
import importlib.util
import inspect
import pkgutil
import types
from pathlib import Path
from typing import Any, Iterator

from .placeholders import Placeholder, PlaceholderModule

_HEAD = "# Written by python -m cute stubs.\nfrom typing import Any\n"
# Packages whose public modules have the same names under `cutlass`.
_FOLDERS = {"cute.utils": "cutlass.utils", "cute.nvgpu": "cutlass.cute.nvgpu",
            "cute.pipeline": "cutlass.pipeline"}


def write(folder: str) -> int:
    """Writes the stubs into ``FOLDER/cutlass``, and returns how many there are."""
    modules = dict(_modules())
    for name, ours in modules.items():
        place = Path(folder, *name.split("."))
        place.mkdir(parents=True, exist_ok=True)
        lower = {m.rpartition(".")[2] for m in modules if m.rpartition(".")[0] == name}
        (place / "__init__.pyi").write_text(_stub(importlib.import_module(ours), lower))
    return len(modules)


def _modules() -> Iterator[tuple[str, str]]:
    """Gives modules of `cutlass`, those above before those below, and ours."""
    from ..as_cutlass import _SAME, _ours

    found = dict(_SAME)
    for package, name in _FOLDERS.items():
        for module in pkgutil.iter_modules(importlib.import_module(package).__path__):
            if not module.name.startswith("_"):
                found[f"{name}.{module.name}"] = f"{package}.{module.name}"
    for name in sorted(found):
        above = name.rpartition(".")[0]
        if above and above not in found:
            yield above, _ours(above)
        yield name, found[name]


def _stub(module: types.ModuleType, lower: set[str]) -> str:
    lines = [f"from . import {name} as {name}" for name in sorted(lower)]
    for name in sorted(n for n in dir(module) if not n.startswith("_") and n not in lower):
        try:
            value = getattr(module, name)
        except Exception:  # a name that is not there says so
            continue
        home = getattr(value, "__module__", None) or "cute"
        is_other = isinstance(value, (Placeholder, PlaceholderModule, types.ModuleType))
        if not is_other and home.partition(".")[0] in ("cute", module.__name__):
            lines.append(_line(module.__name__, name, value))
    return _HEAD + "\n".join(lines) + "\n"


def _line(module: str, name: str, value: Any) -> str:
    """Returns the statement that gives a name: from where its source says it, or Any."""
    import cute

    home = getattr(value, "__module__", None) or ""
    own = getattr(value, "__name__", name)
    places = [("cute", name if getattr(cute, name, None) is value else own)]
    places += [(home, own), (module, name)]
    for place, there in places:
        if place.split(".")[0] == "cute" and there in _shown_by(place):
            if getattr(importlib.import_module(place), there, None) is value:
                if there == name:
                    return f"from {place} import {name} as {name}"
                return f"from {place} import {there} as _{there}\n{name} = _{there}"
    return _definition(name, value) if inspect.isfunction(value) else f"{name}: Any"


def _definition(name: str, function: Any) -> str:
    """Returns a function that is made while a module is imported, with its parameters."""
    parameters = [
        p.replace(annotation=p.empty, default=p.empty if p.default is p.empty else ...)
        for p in inspect.signature(function).parameters.values()]
    shown = str(inspect.Signature(parameters)).replace("=Ellipsis", "=...")
    return f"def {name}{shown} -> Any: ..."


@functools.lru_cache(maxsize=None)
def _shown_by(module: str) -> frozenset[str]:
    """Returns the names that a module's stub, or else its source, defines."""
    spec = importlib.util.find_spec(module)
    if spec is None or not spec.origin or not spec.origin.endswith(".py"):
        return frozenset()
    stub = Path(spec.origin + "i")
    body = ast.parse((stub if stub.exists() else Path(spec.origin)).read_text()).body
    names: set[str] = set()
    for node in body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            names.add(node.name)
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            names.add(node.target.id)
        elif isinstance(node, ast.Assign):
            names |= {t.id for t in node.targets if isinstance(t, ast.Name)}
        elif isinstance(node, ast.ImportFrom) and stub.exists():
            names |= {alias.asname or alias.name for alias in node.names}
    return frozenset(names)
