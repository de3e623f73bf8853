#!/usr/bin/env python3
"""Writes a kernel out from its template: NAME.mlir.j2 beside this file, whose
parameters and constraints are in NAME.json (docs/kernels.md).

  ./dev kernel gemm_sm80 bm=256 warps_m=4 type=bf16 -o gemm.mlir
  ./dev kernel gemm_sm80 --for 4096x4096x4096 type=bf16
"""
import argparse
import difflib
import json
import os
import pathlib
import re
import sys

import jinja2

FOLDER = pathlib.Path(__file__).parent
TUNED = pathlib.Path(os.environ.get("CUTE_TUNED", FOLDER / "tuned"))


class Wrong(Exception):
    """What is wrong with the parameters that the user gave, and what is valid."""


def to_jinja(source):
    """//% statement, //= expression and //# comment lines as Jinja's blocks; the
    newline goes with it, and nothing else."""
    source = re.sub(r"^ *//#.*\n", "", source, flags=re.M)
    source = re.sub(r"^ *//% (.*)\n", r"{% \1 %}\n", source, flags=re.M)
    return re.sub(r"^ *//= (.*)\n", r"{{ \1 }}", source, flags=re.M)


def read_template(name):
    """A template's text, also for those that others import."""
    return to_jinja((FOLDER / f"{name}.mlir.j2").read_text(encoding="utf-8"))


def make_environment():
    env = jinja2.Environment(
        trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True,
        undefined=jinja2.StrictUndefined,
        loader=jinja2.FunctionLoader(read_template))
    env.filters["log2"] = lambda n: int(n).bit_length() - 1
    return env


class Template:
    """A template with what its JSON says of it. Expressions in it are Jinja's."""

    def __init__(self, name):
        names = sorted(p.stem for p in FOLDER.glob("*.json"))
        if name not in names:
            raise Wrong(f"no template '{name}'; there are: {', '.join(names)}")
        self.name = name
        self.env = make_environment()
        with open(FOLDER / f"{name}.json", encoding="utf-8") as file:
            self.spec = json.load(file)
        self.parameters = self.spec["parameters"]
        self.derived = {n: self.env.compile_expression(text, False)
                        for n, text in self.spec["derived"].items()}
        self.constraints = [
            (self.env.compile_expression(c["require"], False), c["message"])
            for c in self.spec["constraints"]]

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
        """The given values, defaults for the others, and what derives from them."""
        values = dict(given)
        for name, parameter in self.parameters.items():
            default = parameter["default"]
            if isinstance(default, dict):
                (other, table), = default.items()
                default = table[str(values[other])]
            values.setdefault(name, default)
        for name, expression in self.derived.items():
            values[name] = expression(**values)
        return values

    def problems(self, values):
        """The messages of all constraints that complete values do not meet."""
        return [self.env.from_string(message).render(values)
                for holds, message in self.constraints if not holds(**values)]

    def render(self, given):
        """The kernel's text."""
        values = self.complete(given)
        wrong = self.problems(values)
        if wrong:
            raise Wrong("\n       ".join(wrong))
        return self.env.get_template(self.name).render(values)

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


#===-- Tuned parameters ---------------------------------------------------===#

def tuned_rows(name):
    """The rows that the tuner has kept for a template."""
    path = TUNED / f"{name}.json"
    if not path.exists():
        return []
    with open(path, encoding="utf-8") as file:
        return json.load(file)["rows"]


def write_tuned(name, rows):
    """Replaces a template's rows: one a line, for the sake of diffs."""
    path = TUNED / f"{name}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = ",\n".join(json.dumps(row) for row in rows)
    path.write_text(f'{{"rows": [\n{lines}\n]}}\n', encoding="utf-8")


def parse_size(text):
    found = re.fullmatch(r"(\d+)x(\d+)x(\d+)", text)
    if not found or "0" in found.groups():
        raise Wrong(f"'{text}' is not a size MxNxK, as in 4096x4096x4096")
    return [int(n) for n in found.groups()]


def is_alike(template, problem, values):
    """Whether a tuned row's problem is this one but for parameters of which the
    template says in "alike" that a derived value is enough, as the width of a type."""
    alike = template.spec.get("alike", {})
    theirs = template.complete(problem)
    return all(theirs[alike.get(k, k)] == values[alike.get(k, k)] for k in problem)


def choose_row(template, size, given):
    """The parameters of the tuned row for the same problem, or where there is none for
    one that is alike, whose size is nearest, by the product of the factors between the
    extents, and whose parameters go with those that are given; and whether the problem
    is the same."""
    values = template.complete(given)

    def chosen(row):
        others = {k: v for k, v in row["parameters"].items()
                  if k not in row["problem"]}
        return {**others, **given}
    rows = [row for row in tuned_rows(template.name)
            if is_alike(template, row["problem"], values)
            and not template.problems(template.complete(chosen(row)))]
    same = [row for row in rows
            if all(values[k] == v for k, v in row["problem"].items())]
    if not rows:
        problem = " ".join(f"{k}={json.dumps(values[k])}".replace('"', "")
                           for k in template.spec["problem"])
        raise Wrong(f"the tuner has found nothing for {problem}; ./dev tune "
                    f"{template.name} {problem}")

    def distance(row):
        factor = 1.0
        for mine, other in zip(size, row["size"]):
            factor *= max(mine / other, other / mine)
        return factor
    return chosen(min(same or rows, key=distance)), bool(same)


def choose(template, size, given):
    """The parameters of choose_row."""
    return choose_row(template, size, given)[0]


#===-- Main ---------------------------------------------------------------===#

def take_arguments():
    parser = argparse.ArgumentParser(
        prog="./dev kernel", description="Writes a kernel from its template.")
    parser.add_argument("template", nargs="?", help="as gemm_sm80")
    parser.add_argument("parameters", nargs="*", metavar="NAME=VALUE")
    parser.add_argument("-o", dest="output", metavar="FILE", default="-")
    parser.add_argument("--for", dest="size", metavar="MxNxK",
                        help="parameters that the tuner has found for this size")
    parser.add_argument("--parameters", action="store_true", dest="list",
                        help="print the template's parameters")
    return parser.parse_intermixed_args()


def main():
    arguments = take_arguments()
    if not arguments.template:
        raise Wrong("no template; there are: " + ", ".join(
            sorted(p.stem for p in FOLDER.glob("*.json"))))
    template = Template(arguments.template)
    if arguments.list:
        print(template.help())
        return
    given = dict(template.parse(text) for text in arguments.parameters)
    if arguments.size:
        given = choose(template, parse_size(arguments.size), given)
    text = template.render(given)
    if arguments.output == "-":
        sys.stdout.write(text)
    else:
        pathlib.Path(arguments.output).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    try:
        main()
    except (Wrong, OSError) as error:
        sys.exit(f"error: {error}")
