"""lit configuration: .mlir and .test files are shell tests with FileCheck;
NAME_test.c are unit tests, which run the executable that was built from them.

./dev check runs everything. To run one folder by hand:
  CUTE_BUILD=$PWD/build/release lit -v test/Ops
"""
import os
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from formats import ShellOrUnitTest

root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
build = os.environ.get("CUTE_BUILD", os.path.join(root, "build", "release"))
llvm = os.environ.get("CUTE_LLVM_PREFIX", "/usr/lib/llvm-22")


def find_cuda(program):
    places = [os.environ.get("CUDA_HOME", "/usr/local/cuda") + "/bin"]
    return shutil.which(program, path=os.pathsep.join(
        [os.environ["PATH"]] + places))


config.name = "cute"
config.test_format = ShellOrUnitTest(os.path.join(build, "test"))
config.suffixes = [".mlir", ".test", "_test.c"]
config.excludes = ["Inputs"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(build, "test-output")

config.environment["PATH"] = os.pathsep.join(
    [os.path.join(build, "bin"), os.path.join(llvm, "bin"),
     os.environ["PATH"]])
config.environment["ASAN_OPTIONS"] = "detect_leaks=0"
config.substitutions += [
    ("%examples", os.path.join(root, "examples")),
    ("%root", root),
    ("%build", build),
    ("%python", "python3"),
]

with open(os.path.join(build, "CMakeCache.txt"), encoding="utf-8") as cache:
    if "-fsanitize=" in cache.read():
        config.available_features.add("sanitizer")

if shutil.which("kpsewhich") and subprocess.run(
        ["kpsewhich", "standalone.cls", "tikz.sty"], stdout=subprocess.DEVNULL
        ).returncode == 0:
    config.available_features.add("tikz")

if shutil.which("pkg-config"):
    config.available_features.add("pkg-config")

nvcc = find_cuda("nvcc")
if nvcc and shutil.which("gcc"):
    config.available_features.add("nvcc")

ptxas = find_cuda("ptxas")
if ptxas:
    config.available_features.add("ptxas")
    config.substitutions.append(("%ptxas", ptxas))
