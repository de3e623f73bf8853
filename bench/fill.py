#!/usr/bin/env python3
"""Fills a folder with what run.sh runs: the kernels of a table of rows.toml and, in
rows.txt, a line for each row. Its fields have tabs between: the label, the least
architecture, the kernel's name and the arguments of cute-run, or "!" and a message instead of the
name.

  fill.py gpu|atoms|speed|variants FOLDER ARCH CUTEC [PATTERN [OPTION ...]]

PATTERN selects the rows whose label has it; options go to cutec. Where there is a ptxas, the kernels of
`speed` and `variants` are there as cubins, too, which load at once. README.md beside
this file has the keys of rows.toml.
"""
import concurrent.futures
import itertools
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time
import tomllib

ROOT = pathlib.Path(__file__).parent.parent
sys.path += [str(ROOT / "kernels"), str(ROOT / "bench")]
import atoms
import copy_atoms
import edits
import hardware
import kernel
import mma_atoms
import tma_atoms
import tune
import wgmma_atoms

SAMPLE = 1 << 20  # elements that are checked
CUDA_BIN = os.pathsep + os.environ.get("CUDA_HOME", "/usr/local/cuda") + "/bin"


class Failure(Exception):
    """What is wrong with a row or its kernel."""


def find(program):
    """The path of a program of CUDA, or None."""
    return shutil.which(program, path=os.environ["PATH"] + CUDA_BIN)


def run(*command):
    """Runs a program that must succeed."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise Failure(done.stderr)


#===-- Kernels ------------------------------------------------------------===#

class Kernels:
    """Compiles each kernel once. `arch` is what they are compiled for."""

    def __init__(self, folder, arch, cutec, cubins, options=()):
        self.folder, self.arch, self.cutec, self.options = folder, arch, cutec, options
        self.ptxas = find("ptxas") if cubins else None
        self.pool = concurrent.futures.ThreadPoolExecutor(os.cpu_count())
        self.compiled = {}  # futures, by name
        self.rendered = {}  # names, by text

    def once(self, name, function, *arguments):
        """Starts to compile a kernel if that has not begun; the name."""
        if name not in self.compiled:
            self.compiled[name] = self.pool.submit(function, name, *arguments)
        return name

    def result(self, name):
        """Waits until a kernel is compiled; raises what went wrong."""
        self.compiled[name].result()

    def source(self, name, path, flags=(), arch=None, edit=None):
        """NAME.ptx with its manifest from a file. `edit` changes the PTX."""
        return self.once(name, self.compile, path, flags, arch or self.arch, edit)

    def text(self, stem, text, edit=None, arch=None, name=None):
        """The same of a text; equal texts are one kernel."""
        key = text, edit, arch
        if key not in self.rendered:
            self.rendered[key] = name or f"{stem}_{len(self.rendered)}"
            path = self.folder / f"{self.rendered[key]}.mlir"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            self.source(self.rendered[key], path, (), arch, edit)
        return self.rendered[key]

    def compile(self, name, path, flags, arch, edit):
        ptx = self.folder / f"{name}.ptx"
        ptx.parent.mkdir(parents=True, exist_ok=True)
        run(self.cutec, path, f"--arch={arch}", *flags, *self.options, "-o", ptx)
        if edit:
            ptx.write_text(edits.rewrite(edit, ptx.read_text(encoding="utf-8")),
                           encoding="utf-8")
        manifest = ptx.with_suffix(".cubin.json")
        manifest.unlink(missing_ok=True)
        if self.ptxas:
            cubin = ptx.with_suffix(".cubin")
            run(self.ptxas, f"-arch={arch}", "-o", cubin, ptx)
            text = json.loads(ptx.with_suffix(".json").read_text(encoding="utf-8"))
            manifest.write_text(json.dumps({**text, "file": cubin.name}),
                                encoding="utf-8")

    def cuda(self, name, path, like):
        """NAME.ptx by nvcc, with the manifest of a kernel of ours and its version of
        PTX: drivers may know no later one. None where there is no nvcc."""
        if not find("nvcc"):
            return None
        return self.once(name, self.compile_cuda, path, like)

    def compile_cuda(self, name, path, like):
        ours, ptx = self.folder / f"{like}.ptx", self.folder / f"{name}.ptx"
        run(find("nvcc"), "-ptx", f"-arch={self.arch}", path, "-o", ptx)
        self.result(like)
        version = re.search(r"^\.version.*", ours.read_text(encoding="utf-8"), re.M)[0]
        ptx.write_text(re.sub(r"^\.version.*", version, ptx.read_text(encoding="utf-8"),
                              count=1, flags=re.M), encoding="utf-8")
        manifest = json.loads(ours.with_suffix(".json").read_text(encoding="utf-8"))
        ptx.with_suffix(".json").write_text(json.dumps({**manifest, "file": ptx.name}),
                                            encoding="utf-8")


#===-- Templates ----------------------------------------------------------===#

def longest(template, n):
    """The length of the template's kernel for rows of n elements."""
    rows = kernel.find(template)
    lengths = rows.module.lengths(rows.complete({}))
    return next((length for length in lengths if length >= n), lengths[-1])


def guess(template, size, given):
    """Parameters for problems that the tuner has not seen."""
    if template.name != "gemm_sm80":
        return {}
    m, n, _ = template.read_size(size)
    if m <= 16:
        return {"bm": 16, "bn": 64, "bk": 128, "warps_m": 1, "stages": 4}
    if m * n <= 1 << 20:
        return {"bm": 64, "bn": 64, "stages": 4}
    if given["type"] == "f8E4M3FN" or m * n < 1 << 22:
        return {}
    return {"bm": 256, "warps_m": 4}


def tuned(template, size, given):
    """The tuned or guessed parameters, or the defaults where these do not go together,
    and the mark of the row: + tuned for a problem like it, * not tuned."""
    try:
        chosen, same, _ = kernel.choose_row(template, template.read_size(size), given)
        return chosen, "" if same else " +"
    except kernel.Wrong:
        guessed = {**guess(template, size, given), **given}
        fits = not template.problems(template.complete(guessed))
        return guessed if fits else given, " *"


#===-- Rows ---------------------------------------------------------------===#

def number(text):
    """A value of a row: an integer if it is one."""
    return int(text) if re.fullmatch(r"\d+", text) else text


def alternatives(text):
    """A|B in each of the words of a row, all together."""
    return itertools.product(*(map(number, word.split("|")) for word in text.split()))


def evaluate(text, values):
    return eval(text, {"longest": longest}, values)


def fill_in(text, values):
    """A text with {expressions} of Python."""
    return kernel.fill_in(text, values, {"longest": longest})


class Table:
    """A table of rows.toml."""

    def __init__(self, name, kernels, pattern):
        with open(ROOT / "bench" / "rows.toml", "rb") as file:
            self.data = tomllib.load(file)
        self.name, self.kernels, self.pattern = name, kernels, pattern
        self.templates = {}

    def template(self, name):
        if name not in self.templates:
            self.templates[name] = kernel.find(name)
        return self.templates[name]

    def form(self, name):
        """A form with what it has from another."""
        form = self.data["forms"][name]
        return {**self.form(form["like"]), **form} if "like" in form else form

    def specifications(self):
        """(form, values, whether it is timed) of each row."""
        if self.name == "variants":
            for i, row in enumerate(self.data["variants"]["rows"]):
                form = self.form("variant")
                more = {**form["parameters"], **row.get("parameters", {})}
                yield {**form, **row, "parameters": more}, {"number": i}, True
            return
        for group in self.data[self.name]:
            for name, kind in itertools.product(group["form"].split("|"),
                                                ("checked", "timed")):
                form = {**self.form(name), **{k: v for k, v in group.items()
                                              if k not in ("checked", "timed")}}
                for text in group.get(kind, []):
                    for words in alternatives(text):
                        names = form["values"].split()
                        if len(names) != len(words):
                            raise Failure(f"'{text}' is not {form['values']}")
                        yield form, dict(zip(names, words)), kind == "timed"

    def rows(self):
        """A function for each row whose label has the pattern, which gives its fields
        when its kernel is compiled."""
        for form, values, timed in self.specifications():
            for name, text in form.get("derived", {}).items():
                values[name] = evaluate(text, values)
            label = fill_in(form["label"], values)
            needs = fill_in(form.get("needs", ""), values) or self.kernels.arch
            if self.pattern in label and hardware.runs(self.kernels.arch, needs):
                yield self.start(Row(self, form, values, label, timed))

    def start(self, row):
        """Begins to compile; what waits for it and gives the fields."""
        try:
            name = row.start()
        except (Failure, kernel.Wrong) as error:
            message = " ".join(str(error).split())[:300]
            return lambda: [row.label, "-", "!", message]
        return lambda: self.finish(row, name)

    def finish(self, row, name):
        if name is None:
            return None
        try:
            self.kernels.result(name)
        except Failure as error:
            return [row.label, "-", "!", " ".join(str(error).split())[:300]]
        return [row.label, row.arch, name, *row.options(), *row.arguments()]


class Row:
    """A row of a table, of a kernel by name or of a template."""

    def __init__(self, table, form, values, label, timed):
        self.table, self.form, self.values = table, form, values
        self.label, self.timed, self.run = label, timed, {}
        self.arch = table.kernels.arch

    def get(self, key, default=""):
        return fill_in(self.form.get(key, default), self.values)

    def start(self):
        """Begins to compile the kernel; its name, None where it cannot be."""
        if "template" in self.form:
            return self.start_template(self.form["template"],
                                       self.form.get("parameters", {}),
                                       self.get("kernel"))
        kernels, name = self.table.kernels, self.get("kernel", "{kernel}")
        known = self.table.data["kernels"].get(
            name, {"source": f"examples/{name}.mlir"})
        self.arch = known.get("arch", self.arch)
        if "template" in known:
            return self.start_template(known["template"],
                                       known.get("parameters", {}), name)
        if "cuda" in known:
            like = self.table.data["kernels"][known["like"]]
            kernels.source(known["like"], ROOT / like["source"])
            return kernels.cuda(name, ROOT / known["cuda"], known["like"])
        return kernels.source(name, ROOT / known["source"], known.get("flags", ()),
                              self.arch)

    def start_template(self, name, parameters, file=None):
        template, size = self.table.template(name), self.get("size")
        given = {**parameters, **{n: evaluate(text, self.values) for n, text in
                                  self.form.get("problem", {}).items()}}
        if "arch" in template.parameters:
            given["arch"] = self.table.kernels.arch
        if self.form.get("tuned"):
            given, mark = tuned(template, size, given)
            self.label += mark
        if size:
            self.run = tune.run_arguments(template, given, size)
        shown = {n: v for n, v in given.items() if n not in self.form.get("problem", {})
                 } if file else given
        return self.table.kernels.text(name.removesuffix("_sm80"), template.render(shown),
                                       self.form.get("edit"), self.arch, file)

    def options(self):
        """What cute-run takes before the arguments."""
        found = [fill_in(text, self.values) for text in self.form.get("options", [])]
        check = self.get("check") if "check" in self.form else self.run.get("check", "")
        if check:
            found += [f"--sample={self.form.get('sample', SAMPLE)},@1", f"--check={check}"]
        tolerance = self.get("tolerance", str(self.run.get("tolerance", "1e-3")))
        if check or any(o.startswith("--reference") for o in found):
            found.append(f"--tolerance={tolerance}")
        if self.timed:
            found += ["--bench", *self.rate()]
        return found

    def rate(self):
        """What a timed row is rated by and compared with."""
        baseline = self.get("baseline")
        flops = self.get("flops") or self.run.get("operations", "")
        return [f"--baseline={baseline}"] if baseline else (
            [f"--flops={flops}"] if flops else [])

    def arguments(self):
        if "arguments" in self.form:
            return [fill_in(text, self.values) for text in self.form["arguments"]]
        found = [re.sub(r"\((\d)\)$", r"(@\1)", text) for text in self.run["arguments"]]
        if self.form.get("zeros"):
            found = [re.sub(r"normal\(.*\)", "zeros", text) for text in found]
        return found


def atom_rows(kernels, cutec, pattern):
    """The same for each atom, compiled for the lowest architecture that has it."""
    listed = atoms.listed(cutec)
    for label, name, atom, text, options, arguments in itertools.chain(
            mma_atoms.rows(listed), wgmma_atoms.rows(listed), copy_atoms.rows(listed),
            tma_atoms.rows(listed)):
        if pattern not in label:
            continue
        file = kernels.text(name, mma_atoms.module(text), arch=atom["arch"],
                            name=f"atoms/{name}")
        fields = [label, atom["arch"], file, *options, *arguments]
        yield lambda file=file, fields=fields: kernels.result(file) or fields


#===-- Main ---------------------------------------------------------------===#

def write_beside(folder, table, pattern):
    """beside.txt: for timed rows that libraries in Python have, too, the label, the name
    of a function of libraries.py and its arguments, a line for each library."""
    lines = []
    for form, values, timed in table.specifications():
        label, beside = (fill_in(form.get(key, ""), values) for key in ("label", "beside"))
        if timed and pattern in label:
            lines += ["\t".join([label, *words]) + "\n"
                      for text in beside.split(";") if (words := text.split())]
    (folder / "beside.txt").write_text("".join(lines), encoding="utf-8")


def main():
    name, folder, arch, cutec = sys.argv[1], pathlib.Path(sys.argv[2]), *sys.argv[3:5]
    pattern = sys.argv[5] if len(sys.argv) > 5 else ""
    try:
        kernel.find("gemm_sm80").parse(f"arch={arch.rstrip('a')}")
    except kernel.Wrong as error:
        sys.exit(f"error: {error}")
    folder.mkdir(parents=True, exist_ok=True)
    kernels = Kernels(folder, arch, cutec, cubins=name in ("speed", "variants"),
                      options=sys.argv[6:])
    if name == "atoms":
        rows = list(atom_rows(kernels, cutec, pattern))
    else:
        table = Table(name, kernels, pattern)
        rows = list(table.rows())
        write_beside(folder, table, pattern)
    fields, start = [], time.time()
    for done, finish in enumerate(rows, 1):
        fields.append(finish())
        tune.progress(done, len(rows), start)
    fields = [row for row in fields if row]
    (folder / "rows.txt").write_text(
        "".join("\t".join(row) + "\n" for row in fields), encoding="utf-8")
    (folder / "arch").write_text(arch + "\n", encoding="utf-8")
    (folder / "archs").write_text(
        "".join(f"{name} runs {other}\n" for name, row in hardware.tables()["archs"].items()
                for other in row["runs"]), encoding="utf-8")
    shutil.copy(ROOT / "bench" / "run.sh", folder)
    failed = sum(row[2] == "!" for row in fields)
    print(f"{len(fields)} rows in {folder}, {failed} without a kernel")


if __name__ == "__main__":
    main()
