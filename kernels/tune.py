#!/usr/bin/env python3
"""Finds the fastest parameters of a kernel, in three steps; only the second needs a GPU, and
nothing else but Python and the driver:

  tune.py fill KERNEL [NAME=VALUE ...]   compiles candidates into a folder
  tune.py fill all                         the same for the problems of problems.json
  FOLDER/cute-tune FOLDER                  runs them: results.jsonl
  tune.py merge                            puts the best into kernels/tuned

docs/kernels.md has more.
"""
import argparse
import concurrent.futures
import functools
import json
import os
import pathlib
import shutil
import subprocess
import sys
import time

import kernel
import search
from kernel import Wrong

ROOT = pathlib.Path(__file__).parent.parent
load = functools.cache(kernel.find)


def run_arguments(template, given, size):
    """What cute-run takes for these parameters at a size, and the operations."""
    run = template.spec["run"]
    values = {**template.complete(given),
              **dict(zip(template.spec["size"], template.read_size(size)))}
    more = kernel.Expressions({
        **run["derived"], "operations_of_run": run["operations"]})(values)
    values.update(more)
    render = lambda text: kernel.fill_in(text, values)
    arguments = (render(text) for text in run["arguments"])
    return {"arguments": [text for text in arguments if text],
            "check": render(run["check"]), "tolerance": render(run["tolerance"]),
            "operations": values["operations_of_run"]}


#===-- What to run --------------------------------------------------------===#

def read_problems(options):
    """(template, fixed parameters, sizes, how many candidates for each) of each
    problem, the important first."""
    if options.template != "all":
        template = load(options.template)
        fixed = dict(template.parse(text) for text in options.parameters)
        yield template, fixed, options.size, options.candidates
        return
    if options.parameters or options.size:
        raise Wrong("'all' takes no NAME=VALUE and no --size: they are in "
                    "kernels/tuned/problems.json")
    with open(ROOT / "kernels" / "tuned" / "problems.json", encoding="utf-8") as file:
        for row in json.load(file):
            count = min(options.candidates, row.get("candidates", options.candidates))
            yield load(row["template"]), row["parameters"], row["sizes"], count


class Plan:
    """Candidates, each to be compiled once, and the races they are in."""

    def __init__(self):
        self.candidates, self.races = [], []

    def number(self, template, given):
        candidate = {"template": template.name, "parameters": given}
        if candidate not in self.candidates:
            self.candidates.append(candidate)
        return self.candidates.index(candidate)

    def add(self, template, fixed, sizes, arch, count, only_near=False):
        """A race for each size. What is compiled for one size takes part in the
        others of its problem, too, where the model does not rule it out."""
        if "arch" in template.parameters:
            fixed = {**fixed, "arch": template.parse(f"arch={arch}")[1]}
        problem = search.Problem(template, fixed)
        extents = {size: template.read_size(size) for size in sizes}
        chosen = {size: problem.candidates(extents[size], count, only_near)
                  for size in sizes}
        if not any(chosen.values()):
            raise Wrong("no candidate meets the constraints: " + "; ".join(
                template.problems(template.complete(fixed))))
        for size in sizes:
            field = list(chosen[size])
            more = [problem.complete(g) for s in sizes for g in chosen[s]]
            problem.add(field, [g for _, g in problem.ranked(more, extents[size])],
                        2 * count)
            self.races.append(self.race(template, fixed, size, arch, field))

    def race(self, template, fixed, size, arch, field):
        values = template.complete(fixed)
        problem = {n: values[n] for n in template.spec["problem"]}
        checks = template.spec["run"]["checks"]
        entries = [{"id": self.number(template, given),
                    "arguments": run_arguments(template, given, size)["arguments"],
                    "checks": [run_arguments(template, given, s)["arguments"]
                               for s in checks]} for given in field]
        run = run_arguments(template, field[0], size)
        words = [f"{n}={json.dumps(v)}".replace('"', "") for n, v in problem.items()
                 if n in fixed]
        return {"label": " ".join([template.name, *words, size]),
                "template": template.name, "problem": problem, "arch": arch,
                "size": size, "check": run["check"],
                "tolerance": float(run["tolerance"]),
                "operations": run["operations"], "entries": entries}


#===-- Compiling ----------------------------------------------------------===#

def compile_one(options, emit, candidate, path):
    """The message of a failure, or nothing."""
    template = load(candidate["template"])
    source = path.with_suffix(".mlir")
    source.write_text(template.render(candidate["parameters"]), encoding="utf-8")
    done = subprocess.run(
        [options.cutec, source, f"--arch={options.arch}", f"--emit={emit}",
         "-o", path.with_suffix("." + emit)],
        capture_output=True, text=True, check=False)
    source.unlink()
    if not done.returncode:
        return ""
    return done.stderr.strip()[:300] or f"cutec ends with {done.returncode}"


def progress(done, total, start):
    """A bar with the time left, on a terminal."""
    if not sys.stderr.isatty():
        return
    filled = 30 * done // total
    left = (time.time() - start) / done * (total - done)
    end = "\n" if done == total else ""
    print(f"\r[{'#' * filled}{'.' * (30 - filled)}] {done}/{total} compiled, "
          f"{int(left) // 60}:{int(left) % 60:02} left ", end=end, file=sys.stderr,
          flush=True)


def compile_all(options, candidates):
    """Compiles in parallel; the messages of failures, by number."""
    has_ptxas = shutil.which("ptxas", path=os.pathsep.join(
        [os.environ["PATH"], os.environ.get("CUDA_HOME", "/usr/local/cuda") + "/bin"]))
    emit = "cubin" if has_ptxas else "ptx"
    failed, start = {}, time.time()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        jobs = {pool.submit(compile_one, options, emit, candidate,
                            options.folder / str(i)): i
                for i, candidate in enumerate(candidates)}
        for done, job in enumerate(concurrent.futures.as_completed(jobs), 1):
            if job.result():
                failed[jobs[job]] = job.result()
            progress(done, len(jobs), start)
    return failed


def fill(options):
    plan = Plan()
    for template, fixed, sizes, count in read_problems(options):
        if "search" not in template.spec or "run" not in template.spec:
            raise Wrong(f"nothing says how to search for {template.name}: its JSON needs "
                        "\"run\" and \"search\"")
        sizes = sizes or template.spec["search"]["sizes"]
        plan.add(template, fixed, sizes, options.arch, count, options.near)
    folder = options.folder
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    failed = compile_all(options, plan.candidates)
    for race in plan.races:
        race["entries"] = [e for e in race["entries"] if e["id"] not in failed]
    with open(folder / "tune.json", "w", encoding="utf-8") as file:
        json.dump({"races": plan.races, "candidates": plan.candidates}, file)
    with open(folder / "results.jsonl", "w", encoding="utf-8") as file:
        for i, message in sorted(failed.items()):
            print(json.dumps({"id": i, "failed": message}), file=file)
    shutil.copy(options.cute_run, folder / "cute-run")
    shutil.copy(ROOT / "python" / "cute_tune.py", folder / "cute-tune")
    runs = sum(len(race["entries"]) for race in plan.races)
    print(f"{len(plan.candidates) - len(failed)} candidates, {len(failed)} do not "
          f"compile, {runs} runs in {len(plan.races)} races in {folder}")


#===-- Merging ------------------------------------------------------------===#

def times_of(number, results):
    """Milliseconds by candidate in a race: of the finals if there were any."""
    wrong = {r["id"] for r in results if "failed" in r}
    own = [r for r in results if r.get("race") == number and r.get("id") not in wrong]
    heats = {r["id"]: r["milliseconds"] for r in own if "milliseconds" in r}
    finals = {r["id"]: r["final"] for r in own if "final" in r}
    return finals or heats, len(heats)


def row_of(race, candidate, device, milliseconds, tried):
    """The table's row for a candidate in a race."""
    own = {n: v for n, v in candidate["parameters"].items()
           if n not in {*race["problem"], "arch", "name"}}
    return {"problem": race["problem"], "arch": race["arch"],
            "size": load(race["template"]).read_size(race["size"]),
            "parameters": own, "milliseconds": milliseconds,
            "tflops": round(race["operations"] / milliseconds * 1e-9, 1),
            "tried": tried, "device": device}


def key_of(row):
    """What there is one row for."""
    return json.dumps([row["problem"], row["arch"], row["size"]], sort_keys=True)


def read_line(text):
    """What a line of results.jsonl says; nothing if it was cut off."""
    try:
        line = json.loads(text)
    except ValueError:
        return {}
    return line if isinstance(line, dict) else {}


def read_results(folder):
    """What was to run, and what happened."""
    try:
        plan = json.loads((folder / "tune.json").read_text(encoding="utf-8"))
        results = (folder / "results.jsonl").read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise Wrong(f"no results in {folder}: {error}") from error
    return plan, [read_line(text) for text in results.splitlines()]


def merge(options):
    plan, results = read_results(options.folder)
    device = next((r["device"] for r in results if "device" in r), "")
    new = {}
    for number, race in enumerate(plan["races"]):
        times, tried = times_of(number, results)
        rows = [row_of(race, plan["candidates"][i], device, times[i], tried)
                for i in sorted(times, key=times.get)]
        for place, row in enumerate(rows[:options.top], 1):
            describe(race, row, place)
        if rows:
            new.setdefault(race["template"], {})[key_of(rows[0])] = rows[0]
    if not new:
        raise Wrong(f"no candidate in {options.folder} passed its checks and was timed")
    for name, rows in new.items():
        table = {key_of(row): row for row in kernel.tuned_rows(name)}
        table.update(rows)
        kernel.write_tuned(name, sorted(table.values(), key=lambda r: (
            json.dumps(r["problem"]), r["arch"], r["size"])))
    for r in results:
        if "failed" in r:
            print(f"candidate {r['id']} failed: {r['failed']}", file=sys.stderr)


def describe(race, row, place):
    parameters = " ".join(f"{n}={json.dumps(v).strip(chr(34))}"
                          for n, v in row["parameters"].items())
    which = "best" if place == 1 else f"number {place}"
    print(f"{race['label']}: {row['milliseconds']:.4g} ms, {row['tflops']} TFLOP/s, "
          f"{which} of {row['tried']}: {parameters}")


#===-- Main ---------------------------------------------------------------===#

def take_arguments():
    parser = argparse.ArgumentParser(prog="./dev tune", description=__doc__,
                                     formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--folder", type=pathlib.Path, default=ROOT / "build" / "tune")
    steps = parser.add_subparsers(dest="step", required=True)
    step = steps.add_parser("fill")
    step.add_argument("template", help="as gemm_sm80, or all")
    step.add_argument("parameters", nargs="*", metavar="NAME=VALUE",
                      help="not searched, but fixed")
    step.add_argument("--arch", default="sm_90")
    step.add_argument("--size", action="append", metavar="SIZE",
                      help="as 4096x4096x4096; can be repeated")
    step.add_argument("--candidates", type=int, default=40, help="for each size")
    step.add_argument("--near", action="store_true",
                      help="only what is near the table's parameters")
    programs = ROOT / "build" / "release" / "bin"
    step.add_argument("--cutec", type=pathlib.Path, default=programs / "cutec")
    step.add_argument("--cute-run", type=pathlib.Path, default=programs / "cute-run")
    step = steps.add_parser("merge")
    step.add_argument("--top", type=int, default=1,
                      help="how many of each race to print; the first is kept")
    arguments, rest = parser.parse_known_args()
    if rest and any(text.startswith("-") for text in rest):
        parser.error("unknown option " + " ".join(rest))
    if rest:
        arguments.parameters += rest
    return arguments


if __name__ == "__main__":
    try:
        options = take_arguments()
        (fill if options.step == "fill" else merge)(options)
    except (Wrong, OSError) as error:
        sys.exit(f"error: {error}")
