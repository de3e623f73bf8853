#!/usr/bin/env python3
"""Writes a kernel out, from a function of the Python package `cute`. Its parameters and
constraints are there or, if the tuner knows them, in NAME.json beside this file
(docs/kernels.md).

  ./dev kernel gemm_sm80 bm=256 warps_m=4 type=bf16 -o gemm.mlir
  ./dev kernel gemm_sm80 --for 4096x4096x4096 type=bf16
"""
import argparse
import difflib
import functools
import importlib
import json
import math
import os
import pathlib
import re
import sys

import hardware

OTHER_ARCH = 2  # as many doublings of the size
FOLDER = pathlib.Path(__file__).parent
TUNED = pathlib.Path(os.environ.get("CUTE_TUNED", FOLDER / "tuned"))
PACKAGE = pathlib.Path(
    os.environ.get("CUTE_BUILD", FOLDER.parent / "build" / "release")) / "python"
# Parameters that the package describes in full.
IN_PYTHON = ["norm", "softmax"]


class Wrong(Exception):
    """What is wrong with the parameters that the user gave, and what is valid."""


class Hardware:
    """Tables of hardware.tables() as attributes, read when the first is asked for."""

    def __getattr__(self, table):
        vars(self).update(hardware.tables())
        return vars(self)[table]


HARDWARE = Hardware()


class Expressions:
    """Expressions of Python by name, which see the hardware, values and those before
    them."""

    def __init__(self, texts):
        self.codes = {n: compile(text, n, "eval") for n, text in texts.items()}

    def __call__(self, values):
        """What they are for values, by name."""
        scope, found = dict(values), {}
        for name, code in self.codes.items():
            scope[name] = found[name] = eval(code, {"hardware": HARDWARE}, scope)
        return found


@functools.cache
def compiled(text):
    """An expression that fill_in has met."""
    return compile(text, text, "eval")


def fill_in(text, values, names=None):
    """A text with {expressions} of Python, which see values and, besides, names; braces
    inside them are nested."""
    parts, depth, start = [], 0, 0
    for i, c in enumerate(text):
        if c == "{" and (depth := depth + 1) == 1:
            parts.append(text[start:i])
            start = i + 1
        if c == "}" and (depth := depth - 1) == 0:
            parts.append(str(eval(compiled(text[start:i].strip()),
                                  names or {"hardware": HARDWARE}, values)))
            start = i + 1
    return "".join(parts) + text[start:]


class Kernel:
    """A kernel with parameters. Those who derive from it have `name`, `parameters` and
    `spec`, which has a summary and for the tuner more, and `problems` and `write`."""

    def parse(self, text):
        """NAME=VALUE as the name and a value of the parameter's type."""
        name, equals, value = text.partition("=")
        if not equals:
            raise Wrong(f"'{text}' is not NAME=VALUE")
        if name not in self.parameters:
            near = difflib.get_close_matches(name, self.parameters, 1)
            raise Wrong(f"{self.name} has no parameter '{name}'"
                        + (f"; did you mean '{near[0]}'?" if near else
                           f"; it has: {', '.join(self.parameters)}"))
        parameter = self.parameters[name]
        for choice in parameter.get("choices", []):
            if value == json.dumps(choice).strip('"'):
                return name, choice
        if "pattern" in parameter and re.fullmatch(parameter["pattern"], value):
            return name, value
        raise Wrong(f"{name}={value} is not valid: {self.valid(name)}")

    def valid(self, name):
        """What a parameter can be, as text."""
        parameter = self.parameters[name]
        if "pattern" in parameter:
            return "it must match " + parameter["pattern"]
        return "it can be " + ", ".join(
            json.dumps(c).strip('"') for c in parameter["choices"])

    def complete(self, given):
        """The given values, and defaults for the others."""
        values = dict(given)
        for name, parameter in self.parameters.items():
            default = parameter["default"]
            if isinstance(default, dict):
                (other, table), = default.items()
                default = table[str(values[other])]
            values.setdefault(name, default)
        return values

    def is_valid(self, values):
        """Whether complete values meet all constraints."""
        return not self.problems(values)

    def render(self, given):
        """The kernel's text."""
        values = self.complete(given)
        wrong = self.problems(values)
        if wrong:
            raise Wrong("\n       ".join(wrong))
        return self.write(values)

    def read_size(self, text):
        """The extents of a size such as 4096x4096x4096."""
        if "size" not in self.spec:
            raise Wrong(f"{self.name} is not tuned by size")
        return parse_size(text, self.spec["size"])

    def help(self):
        """A table of the parameters."""
        lines = [f"{self.name}: {self.spec['summary']}", ""]
        for name, parameter in self.parameters.items():
            default = parameter["default"]
            if isinstance(default, dict):
                default = "by " + next(iter(default))
            else:
                default = json.dumps(default).strip('"')
            lines += [f"  {name}={default}: {parameter['help']}",
                      f"      {self.valid(name)}"]
        return "\n".join(lines)


def import_module(name):
    """The module of cute.kernels with a kernel."""
    if PACKAGE.exists() and str(PACKAGE) not in sys.path:
        sys.path.insert(0, str(PACKAGE))
    try:
        return importlib.import_module(f"cute.kernels.{name}")
    except ImportError as error:
        raise Wrong(f"{name} is written in Python, in a package that is not there "
                    f"({error}); ./dev build makes it, pip install . installs it"
                    ) from error


def write_traced(kernel, module, values):
    """What a module's function is for complete values, with what it says of itself."""
    given = " ".join(f"{n}={json.dumps(values[n])}".replace('"', "")
                     for n in kernel.parameters)
    lines = [*module.__doc__.strip().splitlines(), "", f"./dev kernel {kernel.name} {given}"]
    comment = "".join(f"// {line}".rstrip() + "\n" for line in lines)
    return f"{comment}{module.program(values)}"


class PythonKernel(Kernel):
    """A module of cute.kernels that says all of its kernel."""

    def __init__(self, name):
        self.name = name
        self.module = import_module(name)
        self.spec = {"summary": self.module.SUMMARY}
        self.parameters = self.module.PARAMETERS

    def problems(self, values):
        """What is wrong with complete values."""
        return self.module.problems(values)

    def write(self, values):
        """The text for complete values that are right."""
        return write_traced(self, self.module, values)


class TunedKernel(Kernel):
    """A module of cute.kernels, whose `derived` says what follows from its parameters,
    with what its JSON says of it, for the tuner as well."""

    def __init__(self, name):
        self.name = name
        with open(FOLDER / f"{name}.json", encoding="utf-8") as file:
            self.spec = json.load(file)
        self.parameters = self.spec["parameters"]
        for parameter in self.parameters.values():
            if "archs" in parameter:
                parameter["choices"] = hardware.archs(*parameter["archs"])
        self.derived = Expressions(self.spec["derived"])
        self.constraints = self.conditions(
            c["require"] for c in self.spec["constraints"])

    @functools.cached_property
    def module(self):
        """The module, which listing the parameters does without."""
        return import_module(self.name)

    @staticmethod
    def conditions(texts):
        """Expressions that hold or not, called by number."""
        return Expressions({f"holds_{i}": text for i, text in enumerate(texts)})

    def complete(self, given):
        """The given values, defaults for the others, and what derives from them."""
        values = super().complete(given)
        values.update(self.module.derived(values))
        values.update(self.derived(values))
        for name, parameter in self.parameters.items():
            if "has" in parameter and name not in given:
                least = HARDWARE.mma[values[parameter["has"]]]["arch"]
                if HARDWARE.archs[values[name]]["number"] < least:
                    return self.complete({**given, name: f"sm_{least}"})
        return values

    def problems(self, values):
        """The messages of all constraints that complete values do not meet."""
        held = self.constraints(values).values()
        return [fill_in(c["message"], values)
                for c, holds in zip(self.spec["constraints"], held) if not holds]

    def is_valid(self, values):
        """Whether there are none."""
        return all(self.constraints(values).values())

    def write(self, values):
        """The text for complete values that are right."""
        return write_traced(self, self.module, values)


def names():
    """The names of all kernels."""
    return sorted([*(p.stem for p in FOLDER.glob("*.json")), *IN_PYTHON])


def find(name):
    """The kernel with a name."""
    if name in IN_PYTHON:
        return PythonKernel(name)
    if name not in names():
        raise Wrong(f"no kernel '{name}'; there are: {', '.join(names())}")
    return TunedKernel(name)


#===-- Tuned parameters ---------------------------------------------------===#

def tuned_rows(name):
    """The rows that the tuner has kept for a kernel."""
    path = TUNED / f"{name}.json"
    if not path.exists():
        return []
    with open(path, encoding="utf-8") as file:
        return json.load(file)["rows"]


def write_tuned(name, rows):
    """Replaces a kernel's rows: one a line, for the sake of diffs."""
    path = TUNED / f"{name}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = ",\n".join(json.dumps(row) for row in rows)
    path.write_text(f'{{"rows": [\n{lines}\n]}}\n', encoding="utf-8")


def parse_size(text, names="MNK"):
    """The extents in a text such as 4096x4096x4096, one for each name."""
    found = re.fullmatch(r"\d+(x\d+)*", text)
    extents = [int(n) for n in text.split("x")] if found else []
    if len(extents) != len(names) or 0 in extents:
        raise Wrong(f"'{text}' is not a size {'x'.join(names)}, as in "
                    + "x".join(["4096"] * len(names)))
    return extents


def distance(template, size, other):
    """How far two sizes are from each other: of each of the kernel's measures of
    a size, how often it doubles from one to the other, times its weight."""
    near = template.spec["near"]
    measure = Expressions({n: row["measure"] for n, row in near.items()})
    mine, its = (measure(dict(zip(template.spec["size"], s))) for s in (size, other))
    return sum(row["weight"] * abs(math.log2(mine[n] / its[n]))
               for n, row in near.items())


def from_row(template, row, given, values):
    """A row's parameters, as far as there still are such, for a problem. Those that
    count elements are for about as many bytes as there."""
    problem = {n: values[n] for n in template.spec["problem"]}
    arch = {"arch": row["arch"]} if "arch" in template.parameters else {}
    own = {n: v for n, v in row["parameters"].items() if n in template.parameters}
    if scaled := [n for n in template.spec.get("scaled", {}) if n in own]:
        theirs = template.complete(row["problem"])
        for n in scaled:
            by = template.spec["scaled"][n]
            own[n] = min(template.parameters[n]["choices"],
                         key=lambda v: abs(v - own[n] * theirs[by] // values[by]))
    return {**own, **problem, **arch, **given}


def difference(template, problem, values):
    """How far a tuned row's problem is from one, in the unit of `distance`: the sum of
    what the kernel's "alike" says of each parameter that differs, infinite where it
    says nothing."""
    alike, cost = template.spec.get("alike", {}), 0
    theirs = template.complete(problem)
    for n in problem:
        if theirs[n] == values[n]:
            continue
        row = alike.get(n, {"cost": math.inf})
        same = row.get("same", n)
        is_same = "same" not in row or theirs[same] == values[same]
        cost += row["cost"] if is_same else row["else"]
    return cost


def is_choice(template, parameters):
    """Whether all can be given."""
    return all(v in template.parameters[n].get("choices", [v])
               for n, v in parameters.items())


def choose_row(template, size, given):
    """The parameters of the nearest tuned row that go with the given ones,
    whether it is for the same problem, and the row. How far a row is depends on its
    size, its problem and, if one is given, its architecture. Of equals it is the last,
    for the latest architecture."""
    values = template.complete(given)
    best = None
    for row in tuned_rows(template.name):
        far = difference(template, row["problem"], values)
        if far == math.inf:
            continue
        parameters = from_row(template, row, given, values)
        if not (is_choice(template, parameters)
                and template.is_valid(template.complete(parameters))):
            continue
        total = far + distance(template, size, row["size"])
        if given.get("arch", row["arch"]) != row["arch"]:
            total += OTHER_ARCH
        if best is None or total <= best[0]:
            best = total, parameters, far == 0, row
    if best is None:
        problem = " ".join(f"{k}={json.dumps(values[k])}".replace('"', "")
                           for k in template.spec["problem"])
        raise Wrong(f"the tuner has found nothing for {problem}; ./dev tune "
                    f"{template.name} {problem}")
    return best[1:]


def describe_row(row, same):
    """What a row was tuned for."""
    problem = "" if same else " of " + " ".join(
        f"{n}={json.dumps(v)}".replace('"', "") for n, v in row["problem"].items())
    device = row.get("device") or row["arch"]
    return f"tuned for {'x'.join(map(str, row['size']))}{problem} on {device}"


def choose(template, size, given):
    """The parameters of choose_row."""
    return choose_row(template, size, given)[0]


#===-- Main ---------------------------------------------------------------===#

def take_arguments():
    parser = argparse.ArgumentParser(
        prog="./dev kernel", description="Writes a kernel for some parameters.")
    parser.add_argument("kernel", nargs="?",
                        help="as gemm_sm80; without one, all are listed")
    parser.add_argument("parameters", nargs="*", metavar="NAME=VALUE")
    parser.add_argument("-o", dest="output", metavar="FILE", default="-")
    parser.add_argument("--for", dest="size", metavar="SIZE",
                        help="parameters that the tuner has found for this size, "
                        "as 4096x4096x4096")
    parser.add_argument("--parameters", action="store_true", dest="list",
                        help="print the kernel's parameters")
    return parser.parse_intermixed_args()


def main():
    arguments = take_arguments()
    if not arguments.kernel:
        raise Wrong(f"no kernel; there are: {', '.join(names())}")
    template = find(arguments.kernel)
    if arguments.list:
        print(template.help())
        return
    given = dict(template.parse(text) for text in arguments.parameters)
    if arguments.size:
        given, same, row = choose_row(
            template, template.read_size(arguments.size), given)
        print(describe_row(row, same), file=sys.stderr)
    text = template.render(given)
    if arguments.output == "-":
        sys.stdout.write(text)
    else:
        pathlib.Path(arguments.output).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    try:
        main()
    except (Wrong, OSError, hardware.Missing) as error:
        sys.exit(f"error: {error}")
