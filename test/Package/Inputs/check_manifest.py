"""Checks the manifest of manifest.mlir: check_manifest.py FILE.json NAME.ptx"""
import json
import sys

manifest = json.load(open(sys.argv[1]))
assert manifest["version"] == 1
assert manifest["file"] == sys.argv[2], manifest["file"]
assert manifest["arch"] == "sm_90"
kernels = manifest["kernels"]
assert [k["name"] for k in kernels] == ["all", "none"]

every, none = kernels
assert every["block"] == [32, 4, 1]
assert every["grid"] == ["arg1", "ceil_div(arg0.shape[0], 2)"]
assert every["static_shared_bytes"] == every["dynamic_shared_bytes"] == 0
parameters = every["parameters"]
assert [p["index"] for p in parameters] == list(range(6))


def passed(parameter):
    return [(p["kind"], p.get("bits"), p["role"])
            for p in parameter["passed_as"]]


# A pointer, dynamic extents, dynamic strides; [i] counts leaves of the tree.
tensor = parameters[0]
assert passed(tensor) == [
    ("pointer", None, "pointer"),
    ("integer", 32, "shape[0]"), ("integer", 64, "shape[2]"),
    ("integer", 64, "stride[0]"), ("integer", 32, "stride[2]")]
assert tensor["element"] == "bf16" and tensor["align"] == 8
assert tensor["shape"] == "(?,(4,?{i64}))"
assert tensor["stride"] == "(?{i64 div=4},(1,?))"
assert passed(parameters[1]) == [("integer", 16, "value")]
assert passed(parameters[2]) == [("float", 64, "value")]
assert passed(parameters[3]) == [("integer", 64, "value")]
assert passed(parameters[4]) == [("integer", 32, "value[0]")]
assert passed(parameters[5]) == []

assert none["parameters"] == []
assert none["block"] is None and none["grid"] is None
