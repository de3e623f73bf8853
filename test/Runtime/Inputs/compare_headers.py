"""A program in C that compiles only if the functions, structs and constants with which the library
calls the CUDA driver agree with cuda.h, for

  python3 compare_headers.py lib/Runtime/cuda_functions.def PREPROCESSED_CUDA_H
"""
import re
import sys

LAYOUTS = [("CuteCudaLaunch", "CUlaunchConfig", [
    ("grid", "gridDimX"), ("block", "blockDimX"), ("sharedBytes", "sharedMemBytes"),
    ("stream", "hStream"), ("attributes", "attrs"), ("numAttributes", "numAttrs")]),
    ("CuteCudaAttribute", "CUlaunchAttribute", [
        ("cluster", "value.clusterDim"), ("event.flags", "value.programmaticEvent.flags"),
        ("event.atBlockStart", "value.programmaticEvent.triggerAtBlockStart")])]

CONSTANTS = [
    ("CUTE_CUDA_COOPERATIVE", "CU_LAUNCH_ATTRIBUTE_COOPERATIVE"),
    ("CUTE_CUDA_CLUSTER", "CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION"),
    ("CUTE_CUDA_PDL", "CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION"),
    ("CUTE_CUDA_TRIGGERED", "CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT"),
    ("CUTE_CUDA_STARTED", "CU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT"),
    ("CUTE_CUDA_MULTIPROCESSORS", "CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT"),
    ("CUTE_CUDA_L2_BYTES", "CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE"),
    ("CUTE_CUDA_MAJOR", "CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR"),
    ("CUTE_CUDA_MINOR", "CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR"),
    ("CUTE_CUDA_MAX_DYNAMIC_SHARED", "CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES"),
    ("CUTE_CUDA_LARGE_CLUSTER_ALLOWED",
     "CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED")]


def types(parameters):
    """The type of each parameter of 'int *a, char b', without its name."""
    if parameters.strip() == "void":
        return []
    return [re.sub(r"\b\w+\s*$", "", one).strip() for one in parameters.split(",")]


def functions(text, pattern):
    return {name: types(" ".join(parameters.split()))
            for name, parameters in re.findall(pattern, text)}


def check(condition, what):
    print(f'_Static_assert({condition}, "{what}");')


def compare_parameters(what, ours, theirs):
    check(f"sizeof({ours}) == sizeof({theirs})", f"{what}: size")
    check(f"(__builtin_classify_type(*({ours} *)0) == FLOATING) =="
          f" (__builtin_classify_type(*({theirs} *)0) == FLOATING)", f"{what}: kind")
    is_void = re.compile(r"\bvoid \*$")
    if ours.endswith("*") and theirs.endswith("*") and not (
            is_void.search(ours) or is_void.search(theirs)):
        check(f"sizeof(**({ours} *)0) == sizeof(**({theirs} *)0)", f"{what}: what it points to")


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        ours = functions(file.read(),
                         r"CUTE_CUDA_(?:FUNCTION|LATER)\((cu[A-Z]\w+), \w+,\s*\(([^)]*)\)\)")
    with open(sys.argv[2], encoding="utf-8") as file:
        theirs = functions(file.read(), r"\bCUresult\s+(cu[A-Z]\w+)\s*\(([^)]*)\)\s*;")
    print('#include <stddef.h>\n#include <cuda.h>\n#include "Runtime/cuda.h"\n'
          "enum { FLOATING = 8 };")
    for name, parameters in ours.items():
        if name not in theirs or len(theirs[name]) != len(parameters):
            sys.exit(f"{name}{tuple(parameters)} is {theirs.get(name)} in cuda.h")
        for i, (one, other) in enumerate(zip(parameters, theirs[name])):
            compare_parameters(f"{name}, parameter {i}", one, other)
    for one, other, members in LAYOUTS:
        check(f"sizeof({one}) == sizeof({other})", one)
        for member, name in members:
            check(f"offsetof({one}, {member}) == offsetof({other}, {name})", f"{one}.{member}")
    for one, other in CONSTANTS:
        check(f"(int){one} == (int){other}", one)
    print(f"// {len(ours)} functions")


if __name__ == "__main__":
    main()
