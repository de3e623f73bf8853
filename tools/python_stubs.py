#!/usr/bin/env python3
"""Writes python/cute/__init__.pyi and math.pyi: what type checkers see of names that are
made while modules are imported, as numeric types and functions of math.

usage: PYTHONPATH=build/release/python tools/python_stubs.py FOLDER
"""
import ast
import enum
import functools
import importlib
import inspect
import pathlib
import sys
import types

import python_api

HEAD = ("# Written by ./dev docs from the package.\nimport enum\n"
        "from typing import Annotated, Any, TypeVar\n\n_T = TypeVar(\"_T\")\n")
# Names that are more to a type checker than what they are made of.
WRITTEN = {"Constexpr": 'Constexpr = Annotated[_T, "compiled in"]'}
# Classes that stand in annotations with numbers: mypy looks at both branches and keeps the first.
ANNOTATION = "if 0:\n        {name}: Any\n    else:\n        {name} = Annotated"
# Methods that a dataclass or an enumeration has without a line of source.
WRITTEN_BY_PYTHON = {"__init__", "__repr__", "__eq__", "__hash__", "__setattr__", "__delattr__",
                     "__replace__", "_generate_next_value_", "__new__", "__reduce_ex__",
                     "__format__"}
PLAIN = {"Any", "None", "bool", "bytes", "float", "int", "object", "str"}
# Methods that type checkers know of object and of metaclasses.
LEFT_OUT = {"__init_subclass__", "__new__", "__getattribute__", "__setattr__",
            "__delattr__", "__dir__", "__reduce__", "__sizeof__", "__class__"}


@functools.lru_cache(maxsize=None)
def class_bodies(module):
    """The names that each class of a module's source defines."""
    tree = ast.parse(inspect.getsource(importlib.import_module(module)))
    found = {}
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            names = {x.name for x in node.body if hasattr(x, "name")}
            names |= {t.id for x in node.body if isinstance(x, ast.Assign) for t in x.targets
                      if isinstance(t, ast.Name)}
            found[node.name] = names
    return found


def is_whole(value):
    """Tells whether the source of a class, and of its bases, has all methods that it has, and
    no stub hides that source."""
    for base in value.__mro__:
        if not base.__module__.startswith("cute."):
            continue
        written = class_bodies(base.__module__).get(base.__name__)
        made = {n for n, v in vars(base).items()
                if inspect.isfunction(v) and n not in WRITTEN_BY_PYTHON}
        if written is None or not made <= written:
            return False
    has_classes = any(inspect.isclass(v) for v in vars(value).values())
    return value.__module__.startswith("cute._") and not has_classes


class Stub:
    """The stub of a module."""

    def __init__(self, module, submodules=(), more=()):
        self.lines = [HEAD]
        self.lines += [f"from . import {name} as {name}" for name in submodules]
        self.public = dict(python_api.public(module))
        self.classes = [v for v in self.public.values() if inspect.isclass(v)]
        self.known = PLAIN | {c.__name__ for c in self.classes}
        for name, value in self.public.items():
            self.add(name, value)
        self.lines += [f"from .{file} import {name} as {name}" for file, name in more
                       if name not in self.public]
        self.lines.append("")

    def annotation(self, text):
        """An annotation if the stub has all of its names, else Any."""
        if not isinstance(text, str):
            return "Any"
        names = set(text.replace("|", " ").split())
        return text if names <= self.known else "Any"

    def signature(self, function):
        """The arguments and the result of a function."""
        try:
            found = inspect.signature(function)
        except (TypeError, ValueError):
            return "(*args: Any, **kwargs: Any) -> Any"
        kept = []
        for parameter in found.parameters.values():
            default = "..." if parameter.default is not parameter.empty else None
            text = self.annotation(parameter.annotation)
            if parameter.name == "self":
                kept.append(types.SimpleNamespace(text="self", kind=parameter.kind))
                continue
            star = {parameter.VAR_POSITIONAL: "*", parameter.VAR_KEYWORD: "**"}.get(
                parameter.kind, "")
            text = f"{star}{parameter.name}: {text}" + (f" = {default}" if default else "")
            kept.append(types.SimpleNamespace(text=text, kind=parameter.kind))
        words, has_star = [], False
        for parameter in kept:
            if parameter.kind is inspect.Parameter.VAR_POSITIONAL:
                has_star = True
            if parameter.kind is inspect.Parameter.KEYWORD_ONLY and not has_star:
                words.append("*")
                has_star = True
            words.append(parameter.text)
        return f"({', '.join(words)}) -> {self.annotation(found.return_annotation)}"

    def add(self, name, value):
        """Adds a name."""
        if name in WRITTEN:
            self.lines.append(WRITTEN[name])
        elif inspect.isclass(value) and value.__name__ == name:
            self.add_class(value)
        elif inspect.isclass(value) and value in self.classes:
            self.lines.append(f"{name} = {value.__name__}")
        elif inspect.isfunction(value):
            self.lines.append(f"def {name}{self.signature(value)}: ...")
        else:
            self.lines.append(f"{name}: Any")

    def add_class(self, value):
        """Adds a class, with what it has from bases that the stub has not; one that its source
        shows whole is that of its module, as elsewhere in the package."""
        if is_whole(value):
            module = value.__module__.removeprefix("cute")
            self.lines.append(f"from {module} import {value.__name__} as {value.__name__}")
            return
        if issubclass(value, enum.Enum):
            self.lines.append(f"class {value.__name__}(enum.Enum):")
            self.lines += [f"    {name} = ..." for name in value.__members__]
            return
        bases = [b.__name__ for b in value.__bases__ if b in self.classes]
        if not bases and issubclass(value, Exception):
            bases = ["Exception"]
        meta = type(value)
        if meta.__module__.startswith("cute.") and not bases:
            self.lines.append(f"from {meta.__module__[4:]} import {meta.__name__} as {meta.__name__}")
            bases = [f"metaclass={meta.__name__}"]
        self.lines.append(f"class {value.__name__}{'(%s)' % ', '.join(bases) if bases else ''}:")
        body = {**self.attributes(value), **dict(self.members(value))}
        self.lines += [f"    {line}" for line in body.values()] or ["    ..."]

    def attributes(self, value):
        """Lines of what a class has beside methods, by name."""
        if value.__bases__ and any(b in self.classes for b in value.__bases__):
            return {}
        names = [n for base in value.__mro__ for n in base.__dict__.get("__annotations__", {})]
        names += [n for n, v in vars(value).items() if not callable(v) and not hasattr(v, "__get__")]
        return {n: f"{n}: Any" for n in sorted(names) if n[0] != "_"}

    def members(self, value):
        """(name, lines) of methods and properties."""
        for base in reversed(value.__mro__):
            if not base.__module__.startswith("cute") or base in self.classes and base is not value:
                continue
            for name, member in vars(base).items():
                if name in LEFT_OUT or name[0] == "_" and name[:2] != "__":
                    continue
                if isinstance(member, property):
                    yield name, f"@property\n    def {name}(self) -> Any: ..."
                elif inspect.isclass(member) and "__class_getitem__" in vars(member):
                    yield name, ANNOTATION.format(name=name)
                elif inspect.isclass(member):
                    yield name, f"{name}: Any"
                elif isinstance(member, (staticmethod, classmethod)):
                    kind = type(member).__name__
                    first = "cls, " if kind == "classmethod" else ""
                    yield name, f"@{kind}\n    def {name}({first}*args: Any, **kwargs: Any) -> Any: ..."
                elif inspect.isfunction(member):
                    text = self.signature(member)
                    if not text.startswith("(self"):
                        text = "(self, *args: Any, **kwargs: Any) -> Any"
                    if name == "__init__":
                        text = text.rpartition(" -> ")[0] + " -> None"
                    if name in ("__eq__", "__ne__"):
                        text = "(self, other: object) -> Any"
                        name_line = f"def {name}{text}: ...  # type: ignore[override]"
                        yield name, name_line
                        continue
                    yield name, f"def {name}{text}: ..."


def main():
    folder = pathlib.Path(sys.argv[1])
    cute, math = importlib.import_module("cute"), importlib.import_module("cute.math")
    submodules = ["arch", "core", "cuda", "dsl", "kernels", "math", "nvgpu", "pipeline",
                  "runtime", "testing", "torch", "typing", "utils", "vector"]
    aliases = [n for n, v in vars(cute).items() if getattr(v, "__module__", "") == "typing"]
    more = [("typing", n) for n in aliases] + [("math", n) for n in sorted(math.__all__)]
    of_math = Stub(math)
    of_math.lines[1:1] = [f"{n} = Any" for n in math.__all__ if n not in of_math.public]
    for file, stub in (("__init__.pyi", Stub(cute, submodules, more)), ("math.pyi", of_math)):
        (folder / file).write_text("\n".join(stub.lines), encoding="utf-8")


if __name__ == "__main__":
    main()
