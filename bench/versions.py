#!/usr/bin/env python3
"""Compares this package with versions of CuTe DSL: their public names, and packages that need them.

usage: versions.py [--wheels FOLDER] [--only PATTERN] [--seconds N] [--no-programs] [-o FILE.md]

pip downloads the wheels of each version of nvidia-cutlass-dsl, and of the packages of PROGRAMS,
to FOLDER unless they are there; nothing of nvidia-cutlass-dsl is run or installed. A version's
public names are the existing names of a module's `__all__`, else the public names that the module
defines, as its source says. Each is *here*, a *placeholder* (it can be imported, and an error
tells what to use when it is called), or *missing*. Programs run on the simulator, with
gradients, against torch in float64 (`versions_programs.py`). PYTHONPATH leads to this package.
"""
import argparse
import ast
import importlib
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
VERSIONS = ["4.4.2", "4.5.3", "4.6.3", "4.7.1", "4.8.1"]
MODULES = """
cutlass cutlass.cute cutlass.cute.arch cutlass.cute.math cutlass.cute.runtime
cutlass.cute.testing cutlass.cute.typing cutlass.cute.nvgpu cutlass.cute.nvgpu.common
cutlass.cute.nvgpu.warp cutlass.cute.nvgpu.warpgroup cutlass.cute.nvgpu.cpasync
cutlass.cute.nvgpu.tcgen05 cutlass.pipeline cutlass.utils cutlass.utils.hopper_helpers
cutlass.utils.blackwell_helpers cutlass.utils.blockscaled_layout
cutlass.utils.mixed_input_helpers cutlass.utils.distributed cutlass.torch
cutlass.experimental.primitives cutlass.experimental.cuda cutlass.cute.experimental
""".split()
# Versions of packages by the versions of CuTe DSL that they were released for, and their functions.
QUACK, FLASH = "softmax rmsnorm cross_entropy".split(), ["attention"]
PROGRAMS = [
    ("quack-kernels", "0.2.10", [], QUACK), ("quack-kernels", "0.3.4", [], QUACK),
    ("quack-kernels", "0.3.11", [], QUACK), ("quack-kernels", "0.4.1", [], QUACK),
    ("quack-kernels", "0.5.3", [], QUACK), ("quack-kernels", "0.6.5", [], QUACK),
    ("flash-attn-4", "4.0.0b3", ["quack-kernels==0.2.10"], FLASH),
    ("flash-attn-4", "4.0.0b7", ["quack-kernels==0.3.4"], FLASH),
    ("flash-attn-4", "4.0.0b12", ["quack-kernels==0.4.1"], FLASH),
    ("flash-attn-4", "4.0.0b20", ["quack-kernels==0.5.3"], FLASH),
    ("flash-attn-4", "4.0.0b28", ["quack-kernels==0.6.5"], FLASH),
    ("flash-attn-4", "4.0.0b36", ["quack-kernels==0.6.5"], FLASH),
]
# Packages that these import besides torch.
NEEDED = ["einops", "apache-tvm-ffi", "torch-c-dlpack-ext", "typing_extensions", "packaging"]


def fetch(folder, name, version):
    """The wheel of a version, downloaded unless it is in the folder; None if there is none."""
    stem = name.replace("-", "_")
    found = sorted(folder.glob(f"**/{stem}-{version}-*.whl"))
    if not found:
        command = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--only-binary",
                   ":all:", "-d", str(folder), f"{name}=={version}"]
        subprocess.run(command, capture_output=True)
        found = sorted(folder.glob(f"**/{stem}-{version}-*.whl"))
    return found[0] if found else None


class Sources:
    """The modules of wheels, as syntax trees."""

    def __init__(self, wheels):
        self.files, self.trees, self.own = {}, {}, {}  # own: texts in a module's __all__
        for wheel in wheels:
            archive = zipfile.ZipFile(wheel)
            for name in archive.namelist():
                if match := re.search(r"_packages/(cutlass/.*)\.py$", name):
                    self.files[match[1]] = archive, name

    def tree(self, module):
        """The syntax tree of a module, and whether it is a package; None if it is not there."""
        path = module.replace(".", "/")
        if module not in self.trees:
            for file, is_package in ((f"{path}/__init__", True), (path, False)):
                if file in self.files:
                    archive, name = self.files[file]
                    self.trees[module] = ast.parse(archive.read(name)), is_package
                    break
        return self.trees.get(module)

    def resolve(self, module, node):
        """The module that `from ... import` names."""
        if not node.level:
            return node.module
        parts = module.split(".")
        parts = parts[: len(parts) - node.level + (1 if self.tree(module)[1] else 0)]
        return ".".join([*parts, *([node.module] if node.module else [])])

    def defined(self, module, stars=True):
        """The public names that a module defines or imports by `*`, and those it imports."""
        found, imported = set(), set()
        for node in statements(self.tree(module)[0].body):
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                found.add(node.name)
            elif isinstance(node, (ast.Assign, ast.AnnAssign)):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                found |= {t.id for t in targets if isinstance(t, ast.Name)}
            elif isinstance(node, (ast.Import, ast.ImportFrom)):
                own = isinstance(node, ast.ImportFrom) and (node.level or node.module.startswith("cutlass"))
                for alias in node.names:
                    if alias.name != "*":
                        imported |= {alias.asname or alias.name} if own else set()
                    elif stars and self.tree(source := self.resolve(module, node)):
                        imported |= self.public(source)
        return found, imported

    def listed(self, module):
        """The names of a module's `__all__`, or None if it has none."""
        found, values = None, {}
        for node in statements(self.tree(module)[0].body):
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                name = node.targets[0].id
                values[name] = node.value
                if name == "__all__":
                    found = self.names_of(module, node.value, values)
            elif isinstance(node, ast.AnnAssign) and getattr(node.target, "id", "") == "__all__":
                found = self.names_of(module, node.value, values)
            elif isinstance(node, ast.AugAssign) and getattr(node.target, "id", "") == "__all__":
                found = (found or set()) | self.names_of(module, node.value, values)
            elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
                function = node.value.func
                if isinstance(function, ast.Attribute) and ast.unparse(function.value) == "__all__":
                    for argument in node.value.args:
                        found = (found or set()) | self.names_of(module, argument, values)
        return found

    def names_of(self, module, node, values):
        """The texts of an expression: a list, a sum of lists, or another module's `__all__`."""
        if isinstance(node, ast.Constant):
            self.own.setdefault(module, set()).add(node.value)
            return {node.value}
        if isinstance(node, (ast.List, ast.Tuple, ast.Set)):
            return set().union(*(self.names_of(module, e, values) for e in node.elts))
        if isinstance(node, ast.Starred):
            return self.names_of(module, node.value, values)
        if isinstance(node, ast.BinOp):
            return self.names_of(module, node.left, values) | self.names_of(module, node.right, values)
        if isinstance(node, ast.Name) and node.id in values:
            return self.names_of(module, values[node.id], values)
        text = ast.unparse(node).removesuffix(".__all__")
        other = self.aliases(module).get(text, f"{module}.{text}")
        return self.public(other) if self.tree(other) else set()

    def aliases(self, module):
        """The modules that a module's names lead to: `from . import m`, `from .m import __all__ as n`."""
        found = {}
        for node in statements(self.tree(module)[0].body):
            if isinstance(node, ast.ImportFrom) and (source := self.resolve(module, node)):
                for alias in node.names:
                    inner = source if alias.name == "__all__" else f"{source}.{alias.name}"
                    found[alias.asname or alias.name] = inner
        return found

    def public(self, module):
        """The public names of a module."""
        defined, imported = self.defined(module)
        names = self.listed(module)
        if names is None:
            names = defined | imported if self.tree(module)[1] else defined
            names = {name for name in names if not self.tree(f"{module}.{name}")}
        else:
            texts = [node.value for node in ast.walk(self.tree(module)[0])
                     if isinstance(node, ast.Constant) and isinstance(node.value, str)]
            is_lazy = "__getattr__" in defined
            names = {name for name in names if name in defined | imported
                     or name not in self.own.get(module, ()) or self.tree(f"{module}.{name}")
                     or is_lazy and texts.count(name) > 1}
        return {name for name in names if not name.startswith("_")}


def statements(body):
    """Statements at a module's level, also in its branches."""
    for node in body:
        yield node
        for part in ("body", "orelse", "finalbody"):
            if isinstance(node, (ast.If, ast.Try)):
                yield from statements(getattr(node, part, []))
        for handler in getattr(node, "handlers", []):
            yield from statements(handler.body)


def judge(module, name):
    """'here', 'placeholder' or 'missing'."""
    from cute._compat.placeholders import Placeholder, PlaceholderModule

    try:
        value = getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError):
        return "missing"
    return "placeholder" if isinstance(value, (Placeholder, PlaceholderModule)) else "here"


def names_of_versions(folder):
    """{version: {(module, name): verdict}}; of a version whose wheels are not there, nothing."""
    found = {}
    for version in VERSIONS:
        parts = ["libs-base"] if version < "4.6" else ["libs-core"]
        wheels = [fetch(folder, f"nvidia-cutlass-dsl-{part}", version) for part in parts]
        if None not in wheels:
            sources = Sources(wheels)
            found[version] = {(m, n): judge(m, n) for m in MODULES if sources.tree(m)
                              for n in sorted(sources.public(m))}
    return found


def requirement(wheel):
    """The version of CuTe DSL that a wheel asks for."""
    archive = zipfile.ZipFile(wheel)
    text = archive.read(next(n for n in archive.namelist() if n.endswith("/METADATA"))).decode()
    return re.search(r"Requires-Dist: nvidia-cutlass-dsl(\S+)\s*$", text, re.M)[1]


def run_programs(folder, options):
    """(package, version, required, {function: '' or the error}) of all programs."""
    needed = pathlib.Path(folder, "needed")
    if not needed.exists():
        command = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--target", str(needed)]
        subprocess.run([*command, *NEEDED], check=True)
    for name, version, others, functions in PROGRAMS:
        if not re.search(options.only, f"{name} {version}"):
            continue
        wheel = fetch(folder, name, version)
        wheels = [wheel, *(fetch(folder, *other.split("==")) for other in others)]
        if None not in wheels:
            with tempfile.TemporaryDirectory() as place:
                for file in wheels:
                    zipfile.ZipFile(file).extractall(place)
                results = {f: run(place, needed, f, options.seconds) for f in functions}
            print(name, version, results, flush=True)
            yield name, version, requirement(wheel), results


def run(place, needed, function, seconds, **variables):
    """Runs a function of the packages in a folder; the last line of its error, or ''. Where the
    simulator has a finding, and the function runs without its checks, 'runs with checks=off: ...'."""
    package = os.path.abspath(os.environ.get("PYTHONPATH", ".").split(":")[0])
    environment = dict(os.environ, CUTE_DEVICE="sim", CUTE_ARCH="sm_90a", CUTE_CACHE="off",
                       PYTHONPATH=f"{package}:{place}:{needed}", PYTHONDONTWRITEBYTECODE="1",
                       **variables)
    command = [sys.executable, "-W", "ignore", "-m", "cute", "run", HERE / "versions_programs.py",
               function]
    try:
        done = subprocess.run(command, env=environment, capture_output=True, text=True,
                              timeout=seconds, cwd=place)
    except subprocess.TimeoutExpired:
        return f"no end after {seconds} s"
    lines = [line for line in (done.stdout + done.stderr).splitlines() if line.strip()]
    if not done.returncode:
        return ""
    errors = [line for line in lines if re.match(r"[\w.]*(Error|NotThere|NoSuchName)\b", line)]
    error = re.sub(r"/\S*/", "", (errors or lines or ["no output"])[-1]).replace("|", "\\|")
    if "SimulatorError" in error and not variables:
        if not run(place, needed, function, seconds, CUTE_SIM="checks=off"):
            finding = re.sub(r".*?kernel '\w+': ", "", error)
            return f"runs with checks=off: {finding[:140]}"
    return error[:160]


INTRODUCTION = """# Versions of CuTe DSL

By `./dev bench versions -o docs/versions.md`: the public names of nvidia-cutlass-dsl by version, as the
sources in its wheel of Python files have them, without names that another wheel defines (from 4.6 on most
of `cute.math`), and packages from PyPI that were released for these versions. A *placeholder* can be
imported, and its error tells what to use when it is called. Programs run on the simulator for sm_90a at
small sizes, with their gradients, and are compared with torch in float64.
"""


def page(names, programs):
    """The page, as Markdown."""
    text = [INTRODUCTION, f"| | {' | '.join(names)} |", "|---|" + "---|" * len(names)]
    for label, verdict in (("public names", None), ("here", "here"), ("placeholders", "placeholder"),
                           ("missing", "missing")):
        counts = [sum(verdict in (None, v) for v in found.values()) for found in names.values()]
        text.append(f"| {label} | {' | '.join(map(str, counts))} |")
    for module in MODULES:
        cells = []
        for found in names.values():
            own = [v for (m, _), v in found.items() if m == module]
            cells.append(f"{own.count('here')} of {len(own)}" if own else "")
        text.append(f"| `{module}` | {' | '.join(cells)} |")
    text += ["", *absent(names)]
    if programs:
        text += ["", "| package | for nvidia-cutlass-dsl | runs | does not |", "|---|---|---|---|"]
        for name, version, required, results in programs:
            runs = ", ".join(f"{f} ({error})" if error else f for f, error in results.items()
                             if not error or error.startswith("runs"))
            fails = "; ".join(f"{f}: {error}" for f, error in results.items()
                              if error and not error.startswith("runs"))
            text.append(f"| {name} {version} | {required} | {runs} | {fails} |")
    return "\n".join(text) + "\n"


def absent(names):
    """A table of the names that are not here, with the versions that have them."""
    found = {}
    for version, verdicts in names.items():
        for (module, name), verdict in verdicts.items():
            if verdict != "here":
                found.setdefault((module, verdict), {}).setdefault(name, []).append(version[:3])
    yield "| | not here | versions |"
    yield "|---|---|---|"
    for (module, verdict), rows in sorted(found.items()):
        groups = {}
        for name, versions in rows.items():
            span = versions[0] if len(versions) == 1 else f"{versions[0]} to {versions[-1]}"
            groups.setdefault(span, []).append(f"`{name}`")
        for span, group in sorted(groups.items()):
            yield f"| `{module}`, {verdict} | {' '.join(sorted(group))} | {span} |"


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--wheels", type=pathlib.Path, default=pathlib.Path("build/wheels"))
    parser.add_argument("--only", default="")
    parser.add_argument("--seconds", type=int, default=400)
    parser.add_argument("--no-programs", dest="programs", action="store_false")
    parser.add_argument("-o", dest="output", type=pathlib.Path)
    options = parser.parse_args()
    options.wheels.mkdir(parents=True, exist_ok=True)
    options.wheels = options.wheels.resolve()
    import cute.as_cutlass  # noqa: F401

    names = names_of_versions(options.wheels)
    programs = list(run_programs(options.wheels, options)) if options.programs else []
    text = page(names, programs)
    if options.output:
        options.output.write_text(text, encoding="utf-8")
    else:
        print(text)


if __name__ == "__main__":
    main()
