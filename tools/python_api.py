#!/usr/bin/env python3
"""Writes docs/api.md: the functions and classes of the Python package with their
docstrings. Names without one are listed on stderr, and make the exit status 1.

usage: PYTHONPATH=build/release/python tools/python_api.py > docs/api.md
"""
import contextlib
import enum
import importlib.util
import inspect
import re
import sys
import types

import api_examples

MODULES = [
    "cute", "cute.runtime", "cute.arch", "cute.math", "cute.nvgpu.common",
    "cute.nvgpu.warp", "cute.nvgpu.cpasync", "cute.nvgpu.warpgroup", "cute.pipeline",
    "cute.utils", "cute.utils.hopper_helpers", "cute.utils.tensor_helpers", "cute.testing",
    "cute.torch", "cute.jax", "cute.vector", "cute.experimental",
    "cute.instructions.primitives", "cute.instructions.cuda", "cute.kernels",
    "cute.kernels.distributed", "cute.task_scheduling.resources",
    "cute.task_scheduling.schedule_builder", "cute.task_scheduling.memory",
    "cute.task_scheduling.work_queue",
    "cute.task_scheduling.task", "cute.task_scheduling.task_manager", "cute.dsl",
]
# Names that modules without __all__ import for themselves.
INTERNAL = ["NumericMeta", "ProgramPointer", "ProgramTensor", "pointer_type", "read_array",
            "can_find"]
# Modules that re-export others' names; only the rest is written.
PASSING_ON = ["cute.dsl", "cute.torch", "cute.kernels.distributed"]
# Modules that cute.kernels.distributed imports, which need not be there.
if not importlib.util.find_spec("torch"):
    for name in ("torch", "torch.distributed"):
        sys.modules[name] = types.ModuleType(name)
missing = []
seen = {}
EXAMPLES = {f"{e.module}.{e.name}": e.sentence() for e in api_examples.read()}


def public(module):
    """(name, object) of the functions and classes that a module or package shows."""
    names = getattr(module, "__all__", None) or [
        n for n in vars(module) if n[0] != "_" and n not in INTERNAL]
    for name in sorted(names, key=str.lower):
        value = getattr(module, name)
        is_ours = str(getattr(value, "__module__", "")).split(".")[0] == "cute"
        if is_ours and callable(value) and not isinstance(value, enum.Enum):
            yield name, value


def anchor(name):
    return re.sub(r"[^a-z0-9_-]", "", name.lower())


def signature(value):
    """The arguments without types, and without the ones taken for the reference's
    sake alone."""
    try:
        parameters = list(inspect.signature(value).parameters.values())
    except (TypeError, ValueError):
        return "(...)"
    kept = [p.replace(annotation=p.empty) for p in parameters
            if p.name not in ("loc", "ip", "self")]
    named = [p for p in kept if p.kind is p.KEYWORD_ONLY]
    if not named and any(p.kind is p.KEYWORD_ONLY for p in parameters):
        kept = [p for p in kept if p.kind is not p.KEYWORD_ONLY]
    text = re.sub(r" at 0x[0-9a-f]+", "", str(inspect.Signature(kept)))
    return re.sub(r"<(?:enum|class|function) ?'?([^>:']*)'?[^>]*>|<([A-Za-z.]+): [^>]*>",
                  lambda m: m[1] or m[2], text)


def own_doc(value):
    """The docstring, unless it is inherited."""
    text = value.__dict__.get("__doc__") if inspect.isclass(value) else value.__doc__
    made_by_dataclass = text and text.startswith(getattr(value, "__name__", "") + "(")
    return "" if not text or made_by_dataclass else inspect.cleandoc(text)


def as_markdown(text):
    """A docstring's fields as a list, examples as code."""
    text = re.sub(r"``(.*?)``", r"`\1`", text, flags=re.S)
    text = re.sub(r"^:param (\w+): ", r"- `\1`: ", text, flags=re.M)
    text = re.sub(r"^:returns?: ", "- returns ", text, flags=re.M)
    text = re.sub(r"^:raises (\w+): ", r"- raises `\1` ", text, flags=re.M)
    text = re.sub(r"((?:^>>>.*\n?(?:^(?!>>>|$).*\n?)*)+)", r"```python\n\1\n```\n", text,
                  flags=re.M)
    return re.sub(r"(?<!\n)\n- ", "\n\n- ", text, count=1).replace("\n\n```\n", "\n```\n")


def describe(qualified, value):
    """Prints a function, or a class with its methods."""
    name = qualified.rpartition(".")[2]
    if id(value) in seen:
        if qualified.rpartition(".")[0] in PASSING_ON:
            return
        first = seen[id(value)]
        print(f"### `{qualified}`\n\nThe same as [`{first}`](#{anchor(first)}).\n")
        return
    seen[id(value)] = qualified
    print(f"### `{qualified}`\n")
    if isinstance(value, type) and issubclass(value, enum.Enum):
        print(own_doc(value) + "\n\n" + ", ".join(f"`{m}`" for m in value.__members__) + "\n")
        print(EXAMPLES.get(qualified, "") + "\n")
        return
    print(f"```python\n{name}{signature(value)}\n```\n")
    text = own_doc(value)
    if not text:
        missing.append(qualified)
    print(as_markdown(text) + "\n")
    print(EXAMPLES.get(qualified, "") + "\n")
    for method, function in sorted(vars(value).items()) if inspect.isclass(value) else ():
        if isinstance(function, (staticmethod, classmethod)):
            function = function.__func__
        if method[0] == "_" or not (inspect.isfunction(function)
                                    or isinstance(function, property)):
            continue
        text = inspect.getdoc(function) or ""
        arguments = "" if isinstance(function, property) else signature(function)
        print(f"- `{method}{arguments}` " + as_markdown(text).split("\n\n")[0].replace(
            "\n", "\n  "))
    print()


class Page:
    """Standard output without runs of empty lines."""

    def __init__(self, file):
        self.file, self.text = file, ""

    def write(self, text):
        self.text += text

    def flush(self):
        self.file.write(re.sub(r"\n{3,}", "\n\n", self.text).rstrip("\n") + "\n")
        self.text = ""


def main():
    page = Page(sys.stdout)
    with contextlib.redirect_stdout(page):
        write()
    page.flush()
    print("\n".join(missing), end="\n" if missing else "", file=sys.stderr)
    sys.exit(bool(missing))


def write():
    """Prints the page."""
    print("# The Python package\n\nWritten by `./dev docs` from the docstrings of "
          "[python/cute](../python/cute), which are the place to change this text.\n"
          "`loc` and `ip`, which all operations take for the reference's sake, are left "
          "out.\n")
    for name in MODULES:
        try:
            module = importlib.import_module(name)
        except ModuleNotFoundError as error:
            sys.exit(f"error: {name} needs {error.name}: python3 -m pip install {error.name}")
        print(f"## {name}\n\n{as_markdown(inspect.getdoc(module) or '')}\n")
        for function, value in public(module):
            describe(f"{name}.{function}", value)


if __name__ == "__main__":
    main()
