# RUN: rm -rf %t && mkdir %t
# RUN: %python %root/tools/python_stubs.py %t
# RUN: %python %s %t %root/python/cute/_bridge.pyi
# RUN: diff %t/__init__.pyi %root/python/cute/__init__.pyi
# RUN: diff %t/math.pyi %root/python/cute/math.pyi
"""The stubs for type checkers equal newly written ones: they have all that the
package shows, the bridge's what the extension module has."""

import ast
import sys

import cute
from cute import _bridge


def names(body):
    """What statements define, with what is in each class."""
    found = {}
    for node in body:
        if isinstance(node, ast.ClassDef):
            found[node.name] = names(node.body)
        elif isinstance(node, ast.FunctionDef):
            found[node.name] = None
        elif isinstance(node, ast.AnnAssign):
            found[node.target.id] = None
        elif isinstance(node, ast.Assign):
            found[node.targets[0].id] = ast.unparse(node.value)
        elif isinstance(node, ast.If):  # what one type checker sees, and another
            found.update(names(node.body))
        elif isinstance(node, ast.ImportFrom):
            found.update((alias.asname or alias.name, None) for alias in node.names)
    return found


def read(path):
    with open(path, encoding="utf-8") as file:
        return names(ast.parse(file.read()).body)


folder, bridge = sys.argv[1:]
stub = read(f"{folder}/__init__.pyi")
missing = [n for n in ("make_layout", "Tensor", "Int32", "kernel", "compile", "arch") if n not in stub]
missing += [n for n in vars(cute) if n[0] != "_" and n not in stub and
            getattr(vars(cute)[n], "__module__", "").startswith("cute")]
assert not missing, missing
assert {"__add__", "__lt__", "width", "to"} <= set(stub["Numeric"])
assert "exp2" in read(f"{folder}/math.pyi")
assert {"Coord", "exp2", "vector"} <= set(stub), "what the package passes on"
assert {"MemRange", "Align"} <= set(stub["struct"])
assert "Annotated" in stub["Constexpr"], "Constexpr[int] is an int"
assert all(stub[n] is None for n in ("CopyOp", "Tensor", "Layout")), "the package's own"
assert "__getattr__" not in stub, "a misspelt name is an error to type checkers"

stub = read(bridge)
for name, value in vars(_bridge).items():
    if name.startswith("__"):
        continue
    assert name in stub, name
    if isinstance(value, type) and value is not _bridge.Error:
        has = set(stub[name]) | {"context"}
        assert {m for m in vars(value) if m[0] != "_"} <= has, (name, has)
        assert {m for m in stub[name] if m[0] != "_"} <= set(vars(value)), name
