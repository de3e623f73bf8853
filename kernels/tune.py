#!/usr/bin/env python3
"""Finds the fastest parameters of a kernel template, in three steps, of which only
the second needs a GPU and then nothing but tune.sh, cute-run and the driver:

  tune.py fill TEMPLATE [NAME=VALUE ...]   compiles candidates into a folder
  sh tune.sh FOLDER                        runs them: results.jsonl
  tune.py merge                            puts the best into kernels/tuned

docs/kernels.md has more.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import time

import kernel
from kernel import Wrong

ROOT = pathlib.Path(__file__).parent.parent


#===-- Candidates ---------------------------------------------------------===#

def dimensions(size):
    return dict(zip("MNK", kernel.parse_size(size)))


def candidates(template, fixed, size, count, seed):
    """At most `count` valid parameters that make sense for a size: what is always
    tried, what is in the table, and a random choice of the rest."""
    search = template.spec["search"]
    sensible = [template.env.compile_expression(text, False)
                for text in search["require"]]
    always = [{**more, **fixed} for more in search["always"]]
    try:
        always.append(kernel.choose(template, kernel.parse_size(size), fixed))
    except Wrong:
        pass  # nothing is in the table yet
    found = [g for g in always if not template.problems(template.complete(g))]
    choices = {n: [fixed[n]] if n in fixed else values
               for n, values in search["choices"].items()}
    generator = random.Random(seed)
    for _ in range(20 * count):
        if len(found) >= count:
            break
        given = {**fixed, **{n: generator.choice(values)
                             for n, values in choices.items()}}
        values = {**template.complete(given), **dimensions(size)}
        if (given not in found and not template.problems(values)
                and all(holds(**values) for holds in sensible)):
            found.append(given)
    return found[:count]


def run_arguments(template, given, size):
    """What cute-run takes for these parameters at a size, and the values."""
    run = template.spec["run"]
    values = {**template.complete(given), **dimensions(size)}
    for name, text in run["derived"].items():
        values[name] = template.env.compile_expression(text, False)(**values)
    render = lambda text: template.env.from_string(text).render(values)
    return {"arguments": [render(a) for a in run["arguments"]],
            "check": render(run["check"]), "tolerance": render(run["tolerance"]),
            "operations": template.env.compile_expression(
                run["operations"], False)(**values)}


#===-- Fill ---------------------------------------------------------------===#

def compile_one(template, cutec, emit, arch, given, path):
    """The message of a failure, or nothing."""
    path.with_suffix(".mlir").write_text(template.render(given), encoding="utf-8")
    done = subprocess.run(
        [cutec, path.with_suffix(".mlir"), f"--arch={arch}", f"--emit={emit}",
         "-o", path.with_suffix("." + emit)],
        capture_output=True, text=True, check=False)
    path.with_suffix(".mlir").unlink()
    return done.stderr.strip()[:300] if done.returncode else ""


def progress(done, total, start):
    """A bar with the time left."""
    filled = 30 * done // total
    left = (time.time() - start) / done * (total - done)
    end = "\n" if done == total else ""
    print(f"\r[{'#' * filled}{'.' * (30 - filled)}] {done}/{total} compiled, "
          f"{int(left) // 60}:{int(left) % 60:02} left ", end=end, file=sys.stderr)


def compile_all(template, options, chosen, folder):
    """Compiles in parallel; the messages of those that failed, by id."""
    has_ptxas = shutil.which("ptxas", path=os.pathsep.join(
        [os.environ["PATH"], os.environ.get("CUDA_HOME", "/usr/local/cuda") + "/bin"]))
    emit = "cubin" if has_ptxas else "ptx"
    failed, start = {}, time.time()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        jobs = {pool.submit(compile_one, template, options.cutec, emit,
                            options.arch, given, folder / str(i)): i
                for i, given in enumerate(chosen)}
        for job in concurrent.futures.as_completed(jobs):
            if job.result():
                failed[jobs[job]] = job.result()
            progress(len(failed) + sum(j.done() and not j.result() for j in jobs),
                     len(jobs), start)
    return failed


def list_runs(template, chosen, sizes_of, failed):
    """Lines for tune.sh, tab-separated: id, size or `check` and a size, tolerance, reference,
    and the arguments. Those of a candidate follow one another, checks first."""
    for i, given in enumerate(chosen):
        if i in failed:
            continue
        sizes = [(f"check {s}", s) for s in template.spec["run"]["checks"]]
        sizes += [(s, s) for s in sizes_of[i]]
        for label, size in sizes:
            run = run_arguments(template, given, size)
            yield "\t".join([str(i), label, run["tolerance"], run["check"],
                             " ".join(run["arguments"])])


def fill(options):
    template = kernel.Template(options.template)
    if "search" not in template.spec or "run" not in template.spec:
        raise Wrong(f"kernels/{template.name}.json does not say how to search: it "
                    "needs \"run\" and \"search\"")
    fixed = dict(template.parse(text) for text in options.parameters)
    fixed["arch"] = template.parse(f"arch={options.arch}")[1]
    chosen, sizes_of = [], []
    for size in options.size or template.spec["search"]["sizes"]:
        for given in candidates(template, fixed, size, options.candidates,
                                options.seed):
            if given not in chosen:
                chosen.append(given)
                sizes_of.append([])
            sizes_of[chosen.index(given)].append(size)
    if not chosen:
        raise Wrong("no candidate meets the constraints: "
                    + "; ".join(template.problems(template.complete(fixed))))
    folder = options.folder
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    failed = compile_all(template, options, chosen, folder)
    lines = list(list_runs(template, chosen, sizes_of, failed))
    (folder / "list.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    with open(folder / "candidates.json", "w", encoding="utf-8") as file:
        json.dump({"template": template.name, "arch": options.arch,
                   "parameters": chosen}, file)
    with open(folder / "results.jsonl", "w", encoding="utf-8") as file:
        for i, message in sorted(failed.items()):
            print(json.dumps({"id": i, "size": "compile", "failed": message}),
                  file=file)
    shutil.copy(options.cute_run, folder / "cute-run")
    shutil.copy(ROOT / "kernels" / "tune.sh", folder / "tune.sh")
    print(f"{len(chosen) - len(failed)} candidates, {len(failed)} do not compile, "
          f"{len(lines)} runs in {folder}")


#===-- Merge --------------------------------------------------------------===#

def best_rows(template, chosen, arch, results):
    """For each problem and size the fastest candidate that passed its checks."""
    wrong = {r["id"] for r in results if "failed" in r
             and (r["size"] == "compile" or r["size"].startswith("check"))}
    rows = {}
    for r in results:
        if "failed" in r or r["size"].startswith("check") or r["id"] in wrong:
            continue
        given, size = chosen[r["id"]], r["size"]
        values = template.complete(given)
        problem = {n: values[n] for n in template.spec["problem"]}
        key = json.dumps([problem, arch, size], sort_keys=True)
        time_of = r["result"]["milliseconds"]
        tried = rows[key]["tried"] + 1 if key in rows else 1
        if key not in rows or time_of < rows[key]["milliseconds"]:
            work = run_arguments(template, given, size)["operations"]
            rows[key] = {"problem": problem, "arch": arch,
                         "size": kernel.parse_size(size), "parameters": given,
                         "milliseconds": time_of,
                         "tflops": round(work / time_of * 1e-9, 1)}
        rows[key]["tried"] = tried
    return rows


def merge(options):
    try:
        with open(options.folder / "candidates.json", encoding="utf-8") as file:
            done = json.load(file)
        with open(options.folder / "results.jsonl", encoding="utf-8") as file:
            results = [json.loads(line) for line in file]
    except (OSError, ValueError) as error:
        raise Wrong(f"no results in {options.folder}: {error}") from error
    template = kernel.Template(done["template"])
    rows = best_rows(template, done["parameters"], done["arch"], results)
    if not rows:
        raise Wrong(f"no candidate in {options.folder} passed its checks and was timed")
    key = lambda row: json.dumps(
        [row["problem"], row["arch"], "x".join(map(str, row["size"]))], sort_keys=True)
    table = {key(row): row for row in kernel.tuned_rows(template.name)}
    table.update(rows)
    kernel.write_tuned(template.name, sorted(
        table.values(), key=lambda r: (json.dumps(r["problem"]), r["arch"], r["size"])))
    for row in rows.values():
        print(f"{'x'.join(map(str, row['size']))} {row['problem']['type']}: "
              f"{row['milliseconds']:.4g} ms, {row['tflops']} TFLOP/s, best of "
              f"{row['tried']}: "
              + " ".join(f"{n}={json.dumps(v).strip(chr(34))}"
                         for n, v in row["parameters"].items()))
    failures = [r for r in results if "failed" in r]
    for r in failures:
        print(f"candidate {r['id']} failed ({r['size']}): {r['failed']}",
              file=sys.stderr)


#===-- Main ---------------------------------------------------------------===#

def take_arguments():
    parser = argparse.ArgumentParser(prog="./dev tune", description=__doc__,
                                     formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--folder", type=pathlib.Path, default=ROOT / "build" / "tune")
    steps = parser.add_subparsers(dest="step", required=True)
    step = steps.add_parser("fill")
    step.add_argument("template")
    step.add_argument("parameters", nargs="*", metavar="NAME=VALUE",
                      help="not searched, but fixed")
    step.add_argument("--arch", default="sm_90")
    step.add_argument("--size", action="append", metavar="MxNxK")
    step.add_argument("--candidates", type=int, default=60, help="for each size")
    step.add_argument("--seed", type=int, default=1)
    programs = ROOT / "build" / "release" / "bin"
    step.add_argument("--cutec", type=pathlib.Path, default=programs / "cutec")
    step.add_argument("--cute-run", type=pathlib.Path, default=programs / "cute-run")
    steps.add_parser("merge")
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
