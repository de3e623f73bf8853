"""Writes what cute-tune runs where fake_cuda.c is the driver: tune_folder.py FOLDER
ROWS,... KERNEL... or FIRST-LAST for ROWS, where each kernel is its words and is to be
run at each number of rows, after a check at 7 and 24. Those that work or count have a
workspace and counters behind their operands."""
import json
import pathlib
import sys

folder, sizes = pathlib.Path(sys.argv[1]), sys.argv[2].split(",")
if "-" in sys.argv[2]:
    first, last = sys.argv[2].split("-")
    sizes = range(int(first), int(last) + 1)
parts = [{"kind": "pointer", "role": "pointer"},
         {"kind": "integer", "bits": 32, "role": "shape[0]"},
         {"kind": "integer", "bits": 32, "role": "shape[1]"},
         {"kind": "integer", "bits": 64, "role": "stride[0]"}]
parameters = [{"index": i, "type": "T", "element": "f32", "align": 16,
               "shape": "(?,?)", "stride": "(?{i64},1)", "passed_as": parts}
              for i in range(5)]


def has_work(words):
    return "work" in words or "count" in words


def arguments(words, rows):
    return [f"f32[{rows}x16]:normal(1)", "f32[24x16]:normal(2)",
            f"f32[{rows}x24]:poison",
            *(["f32[1x8]:poison", "f32[1x8]:zeros"] if has_work(words) else [])]


def entry(number, words, rows):
    return {"id": number, "arguments": arguments(words, rows),
            "checks": [arguments(words, 7), arguments(words, 24)]}


kernels = sys.argv[3:]
folder.mkdir(parents=True, exist_ok=True)
for i, words in enumerate(kernels):
    (folder / f"{i}.code").write_text(words + "\n", encoding="utf-8")
    manifest = {"version": 1, "file": f"{i}.code", "kernels": [
        {"name": "k", "parameters": parameters[:5 if has_work(words) else 3], "block": [32, 1, 1],
         "static_shared_bytes": 0, "dynamic_shared_bytes": 0, "grid": ["1"]}]}
    (folder / f"{i}.json").write_text(json.dumps(manifest), encoding="utf-8")
races = [{"label": f"{rows} rows", "check": "C[m,n] = A[m,k] * B[n,k]",
          "tolerance": 1e-5, "operations": 1e9,
          "entries": [entry(i, words, rows) for i, words in enumerate(kernels)]}
         for rows in sizes]
(folder / "tune.json").write_text(
    json.dumps({"races": races, "candidates": [{} for _ in kernels]}),
    encoding="utf-8")
