#!/usr/bin/env python3
"""Checks atoms, tiled MMAs and tiled copies against CuTe C++.

  check_atoms.py BATCH FILE.jsonl...

Of every case (see README.md) the fields that describe it go through
`conformance-batch`; every other field must come back as it is in the file,
without a warning.
"""
import collections
import json
import subprocess
import sys

TILED_MMA = {"atom", "atom_layout", "permutation"}
INPUTS = {
    "mma": {"name"},
    "copy": {"name"},
    "copy_atom": {"name", "ValType"},
    "gmma_smem_atom": {"name", "ValType"},
    "gmma_smem_tile": {"name", "ValType", "target_shape", "order"},
    "tiled_mma": TILED_MMA | {"inputA", "inputB", "inputC"},
    "tiled_copy": {"copy_op", "ValType", "thr_layout", "val_layout", "input"},
    "tiled_copy_from_mma":
        TILED_MMA | {"copy_op", "ValType", "operand", "input"},
}
# Element types as the compiler that made the cases spells them.
SPELLED = {
    "cutlass::integer_subbyte<4, true> ": "i4", "signed char": "i8",
    "short int": "i16", "int": "i32", "cutlass::float_e4m3_t": "f8E4M3FN",
    "cutlass::float_e5m2_t": "f8E5M2", "cutlass::half_t": "f16",
    "cutlass::bfloat16_t": "bf16", "cutlass::tfloat32_t": "tf32",
    "float": "f32", "double": "f64", "cutlass::integer_subbyte<1, false> ": "ui1",
    "cutlass::integer_subbyte<4, false> ": "ui4", "unsigned char": "ui8",
    "cutlass::complex<double> ": "complex<f64>",
    "cute::SM80_8x8x4_GC64C64C64GC64_TN::GaussComplex": "gauss<f64>",
}
ABOUT = {"id", "kind", "law_broken"}


def question(case):
    line = {k: case[k] for k in INPUTS[case["kind"]] | {"id", "kind"}}
    if "threads" in case:
        line["threads"] = [{"thr": t["thr"]} for t in case["threads"]]
    return line


def expected(case):
    wanted = {k: v for k, v in case.items()
              if k not in INPUTS[case["kind"]] | ABOUT}
    for k in [f"ValType{x}" for x in "ABCD"]:
        if k in wanted:
            wanted[k] = SPELLED.get(wanted[k], wanted[k])
    return wanted


def normal(value):
    """The dialect's spelling of swizzles, in texts anywhere in the value."""
    if isinstance(value, dict):
        return {k: normal(v) for k, v in value.items()}
    if isinstance(value, list):
        return [normal(v) for v in value]
    return value.replace("Sw<", "S<") if isinstance(value, str) else value


def run(tool, cases):
    lines = "".join(json.dumps(question(c)) + "\n" for c in cases)
    done = subprocess.run([tool], input=lines, capture_output=True,
                          text=True)
    if done.returncode:
        sys.exit(f"{tool} ended with {done.returncode}:\n{done.stderr[-2000:]}")
    return [json.loads(line) for line in done.stdout.splitlines()]


def differences(case, answer):
    wanted, found = normal(expected(case)), normal(answer.get("result"))
    if answer.get("id") != case["id"] or found is None:
        return [answer.get("error", "no answer")]
    if "warning" in answer:
        return [answer["warning"]]
    return [f"{k}: wanted {wanted.get(k)}, found {found.get(k)}"
            for k in sorted(wanted.keys() | found.keys())
            if wanted.get(k) != found.get(k)]


def check_file(tool, path, counts):
    with open(path, encoding="ascii") as file:
        cases = list(map(json.loads, file))
    failures = 0
    for case, answer in zip(cases, run(tool, cases), strict=True):
        wrong = differences(case, answer)
        counts[case["kind"]][not wrong] += 1
        failures += bool(wrong)
        for text in wrong:
            print(f"{case['id']} {case.get('name', '')} {text}"[:400])
    print(f"{path}: {len(cases) - failures} of {len(cases)} agree")
    return bool(cases) and not failures


def main():
    tool, *paths = sys.argv[1:]
    counts = collections.defaultdict(lambda: [0, 0])
    ok = [check_file(tool, path, counts) for path in paths]
    for kind, (failed, _) in sorted(counts.items()):
        if failed:
            print(f"  {kind}: {failed} failed")
    sys.exit(0 if ok and all(ok) else 1)


if __name__ == "__main__":
    main()
