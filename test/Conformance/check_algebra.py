#!/usr/bin/env python3
"""Checks the layout algebra against CuTe C++ and the open `cute` dialect.

  check_algebra.py BATCH DEVIATIONS.json FILE.jsonl...

Every case (see README.md) goes through `conformance-batch`. Expected is the
dialect's normal form where it differs from CuTe C++'s; what the dialect rejects
may be rejected. No result may come with a warning, except the quirks' results:
these give the function that CuTe C++ gives, each with a warning, and with
--strict an error. DEVIATIONS names the cases that are different, and why.
"""
import collections
import json
import re
import subprocess
import sys

# Operations that the data names by what their operands are.
ALIASES = {
    "idx2crd_stride": "idx2crd", "crd2idx_shape": "crd2idx",
    "coalesce_profile": "coalesce", "filter_profile": "filter",
    "composition_tiler": "composition",
    "composition_identity_lhs": "composition",
    "composition_basis_rhs": "composition", "complement_shape": "complement",
    "tile_to_shape_order": "tile_to_shape", "append_n": "append",
    "append_n_x": "append", "prepend_n": "prepend", "zip2": "zip",
    "swizzle_eval": "apply", "swizzle_layout": "composition",
    "swizzle_upcast": "upcast", "swizzle_downcast": "downcast",
    "swizzle_compose": "composition", "composed_composition": "composition",
    "composed_logical_divide": "logical_divide",
    "composed_zipped_divide": "zipped_divide",
    "composed_tiled_divide": "zipped_divide",
    "composed_flat_divide": "zipped_divide",
    "composed_tile_to_shape": "tile_to_shape", "composed_upcast": "upcast",
    "composed_downcast": "downcast",
    "composed_max_common_vector": "max_common_vector",
    "identity_layout": "make_identity_layout",
    "identity_logical_divide": "logical_divide",
    "identity_zipped_divide": "zipped_divide", "basis_eval": "eval",
    "basis_coalesce": "coalesce", "local_tile_proj": "local_tile",
    "local_partition_proj": "local_partition",
}
# Operations that are several: the last one, and its operands as expressions.
SEVERAL = {
    "comp_right_inverse": ("composition", "{0}", "right_inverse({0})"),
    "comp_left_inverse": ("composition", "left_inverse({0})", "{0}"),
    "identity_eval": ("eval", "make_identity_layout({0})"),
    "swizzle_layout_eval": ("eval", "composition({0}, {1})"),
    "composed_eval": ("eval", "make_composed_layout({0}, {1}, {2})"),
    "composed_slice_eval":
        ("slice_and_offset", "{0}", "make_composed_layout({1}, {2}, {3})"),
    "local_tile_identity":
        ("local_tile", "make_identity_layout({0})", "{1}", "{2}"),
    "local_partition_identity":
        ("local_partition", "make_identity_layout({0})", "{1}", "{2}"),
}


def text_of(arg):
    return (f"({','.join(map(text_of, arg))})" if isinstance(arg, list)
            else str(arg))


def question(case):
    """The case as a line for cute-layout."""
    op, args = case["op"], case["args"]
    if op in SEVERAL:
        op, *args = SEVERAL[op]
        args = [a.format(*map(text_of, case["args"])) for a in args]
    return {"id": case["id"], "op": ALIASES.get(op, op), "args": args}


# Where CuTe C++ writes a layout differently.

def read_tree(text):
    return json.loads(text.replace("(", "[").replace(")", "]"))


def without_unit_strides(shape, stride):
    """The stride, 0 for each extent of 1, which a divide leaves in CuTe C++."""
    if isinstance(shape, list):
        return list(map(without_unit_strides, shape, stride))
    return 0 if shape == 1 else stride


def unpacked(zipped, is_flat):
    """((tiles), (rests)) as tiled or flat; a single mode stays as it is."""
    def modes(part, unpacks):
        several = isinstance(part, list) and len(part) > 1
        return part if several and unpacks else [part]
    return modes(zipped[0], is_flat) + modes(zipped[1], True)


def as_in_cpp(op, text):
    """A divide of a composed layout, which the open dialect does not have."""
    *inner, layout = text.split(" o ")
    shape, stride = map(read_tree, layout.split(":"))
    stride = without_unit_strides(shape, stride)
    if "zipped" not in op and "logical" not in op:
        shape, stride = (unpacked(t, "flat" in op) for t in (shape, stride))
    return " o ".join(inner + [f"{text_of(shape)}:{text_of(stride)}"])


# Cases that take a second question.

def second_question(case, result):
    """Of a case with this result; None if there is none."""
    op, first = case["op"], str(case["args"][0])
    if op == "composed_slice_eval":  # (layout,offset)
        return {"id": 0, "op": "eval", "args": [result[1:].rpartition(",")[0]]}
    if op == "composed_upcast" and first[0] == "S" and " o " not in result:
        return {"id": 0, "op": "upcast",
                "args": [first.split(" o ")[0], case["args"][1]]}
    return None


def second_answer(case, result, found):
    """A swizzle that has lost its bits stays in CuTe C++'s upcast."""
    return f"{found} o 0 o {result}" if case["op"] == "composed_upcast" else found


def ask_again(tool, cases, answers):
    again = [(c, a, second_question(c, a["result"]))
             for c, a in zip(cases, answers, strict=True) if "result" in a]
    again = [row for row in again if row[2]]
    found = ask(tool, [line for _, _, line in again])
    for (case, answer, _), more in zip(again, found, strict=True):
        answer["result"] = second_answer(case, answer["result"],
                                         more.get("result"))


def is_message_of(warnings, strict):
    """The error is the first warning, perhaps after the operation's name."""
    message = strict["error"]
    return any(warnings.startswith(text)
               for text in (message, message.partition(": ")[2]))


def expected(case):
    """A text or list, or None for a case that must be an error."""
    if "dialect" in case:
        return case["dialect"]
    return case.get("result")


def normal(result):
    if isinstance(result, list):
        return [normal(r) for r in result]
    return result.replace("Sw<", "S<") if isinstance(result, str) else result


def ask(tool, lines, *options):
    done = subprocess.run([tool, *options],
                          input="".join(json.dumps(x) + "\n" for x in lines),
                          capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{tool} ended with {done.returncode}:\n{done.stderr[-2000:]}")
    return [json.loads(line) for line in done.stdout.splitlines()]


def run(tool, cases, *options):
    answers = ask(tool, map(question, cases), *options)
    for case, answer in zip(cases, answers, strict=True):
        if re.fullmatch("composed_.*_divide", case["op"]) and "result" in answer:
            answer["result"] = as_in_cpp(case["op"], answer["result"])
    ask_again(tool, cases, answers)
    return answers


def is_same_function(found, wanted):
    """Compares two plain layouts without the strides of extents of 1."""
    def tree(text):
        shape, stride = map(read_tree, text.split(":"))
        return shape, without_unit_strides(shape, stride)
    return bool(found) and tree(found) == tree(wanted)


def agrees(case, answer):
    """A divide has CuTe C++'s tiles where the dialect has too few or too many."""
    found = normal(answer.get("result"))
    return (found == normal(expected(case)) or
            (re.fullmatch("(logical|zipped|tiled|flat)_divide", case["op"]) and
             "dialect" in case and is_same_function(found, case["result"])) or
            ("dialect_rejected" in case and found is None))


def values(tool, texts):
    """What each layout gives at all its coordinates."""
    cases = [{"id": 0, "op": "eval", "args": [t]} for t in texts]
    return [a.get("result") for a in run(tool, cases)]


def check_cases(tool, cases, deviations):
    """The cases that fail, each with the answer."""
    failed = []
    for case, answer in zip(cases, run(tool, cases), strict=True):
        deviates = deviations.get(case["id"], {})
        warns = "warning" in answer
        if (answer["id"] != case["id"] or not agrees(case, answer) or
                warns != ("warns" in deviates)):
            failed.append((case, answer))
    return failed


def check_quirks(tool, cases, deviations):
    answers = run(tool, cases)
    strict = run(tool, cases, "--strict")
    wanted = [deviations.get(c["id"], {}).get("result", c["cute_result"])
              for c in cases]
    same = zip(values(tool, wanted),
               values(tool, [a.get("result", "-") for a in answers]))
    failed = []
    for case, answer, error, (theirs, ours) in zip(cases, answers, strict,
                                                   same, strict=True):
        deviates = deviations.get(case["id"], {})
        if "rejected" in deviates:
            ok = deviates["rejected"] in answer.get("error", "")
        elif "lawful" in deviates:
            ok = ours and ours == theirs and "warning" not in answer
        else:
            ok = (ours and ours == theirs and
                  is_message_of(answer.get("warning", ""), error))
        if not ok:
            failed.append((case, answer))
    return failed


def check_file(tool, path, deviations, counts):
    with open(path, encoding="ascii") as file:
        cases = [c for c in map(json.loads, file) if "op" in c]
    check = check_quirks if "cute_result" in cases[0] else check_cases
    failed = check(tool, cases, deviations)
    for case in cases:
        counts[case["op"]][1] += 1
    for case, answer in failed:
        counts[case["op"]][0] += 1
        print(f"{case['id']} {case['op']} {case['args']}\n"
              f"    wanted {str(expected(case) or case)[:200]}\n"
              f"    found  {str(answer)[:400]}")
    print(f"{path}: {len(cases) - len(failed)} of {len(cases)} agree")
    return not failed


def main():
    tool, deviations, *paths = sys.argv[1:]
    with open(deviations, encoding="ascii") as file:
        deviations = json.load(file)
    counts = collections.defaultdict(lambda: [0, 0])
    ok = [check_file(tool, path, deviations, counts) for path in paths]
    for op, (failed, _) in sorted(counts.items()):
        if failed:
            print(f"  {op}: {failed} failed")
    sys.exit(0 if all(ok) else 1)


if __name__ == "__main__":
    main()
