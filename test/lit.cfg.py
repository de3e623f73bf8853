"""lit configuration: .mlir and .test files are shell tests with FileCheck;
NAME_test.c are unit tests, which run the executable that was built from them.

./dev check runs everything. To run one folder by hand:
  CUTE_BUILD=$PWD/build/release lit -v test/Ops
"""
import compileall
import glob
import importlib.util
import os
import pathlib
import re
import shutil
import subprocess
import sys

root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(root, "test"))
import kept
import turns
from formats import ShellOrUnitTest

build = os.environ.setdefault("CUTE_BUILD", os.path.join(root, "build", "release"))
llvm = os.environ.get("CUTE_LLVM_PREFIX", "/usr/lib/llvm-22")


def find_cuda(program):
    """Where cuteProgramFind would (lib/Compile/program_folder.c)."""
    homes = [os.environ.get(name) for name in ["CUDA_HOME", "CUDA_PATH"]]
    configured = re.findall("^CUTE_CUDA_BIN:PATH=(.+)$", cached, re.M)
    return shutil.which(program, path=os.pathsep.join(
        [os.environ["PATH"]] + [home + "/bin" for home in homes if home]
        + configured + ["/usr/local/cuda/bin"]))


def ptxas_that_keeps(ptxas):
    """A program in place of ptxas, first on the tests' PATH: kept.py."""
    folder = os.path.join(config.test_exec_root, "bin")
    os.makedirs(folder, exist_ok=True)
    program = os.path.join(folder, "ptxas")
    with open(program, "w", encoding="utf-8") as file:
        file.write(f'#!/bin/sh\nexec {sys.executable} -SE {root}/test/kept.py {ptxas} "$@"\n')
    os.chmod(program, 0o755)
    config.environment["PATH"] = os.pathsep.join(
        [folder, config.environment["PATH"]])
    return program


def compile_package(package):
    """Compiles the Python package once, not in each process that a test starts."""
    sys.pycache_prefix = os.path.join(config.test_exec_root, "pycache")
    config.environment["PYTHONPYCACHEPREFIX"] = sys.pycache_prefix
    for path in glob.glob(os.path.join(package, "**", "*.py"), recursive=True):
        compileall.compile_file(path, quiet=2)
    sys.pycache_prefix = None


config.name = "cute"
config.test_format = ShellOrUnitTest(os.path.join(build, "test"))
config.suffixes = [".mlir", ".test", "_test.c"]
config.excludes = ["Inputs"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(build, "test-output")

config.environment["PATH"] = os.pathsep.join(
    [os.path.join(build, "bin"), os.path.join(llvm, "bin"),
     os.environ["PATH"]])
config.environment["CUTE_TEST_KEPT"] = os.path.join(build, "test-kept")
kept.drop_old(config.environment["CUTE_TEST_KEPT"])
config.environment["ASAN_OPTIONS"] = "detect_leaks=0"
config.substitutions += [
    ("%examples", os.path.join(root, "examples")),
    ("%root", root),
    ("%build", build),
    ("%llvm", llvm),
    ("%python", sys.executable),
]

# Tests that take more than about a second are left out of ./dev check quick. Those that
# take more and are like others have turns: a line TURN: 1 of 4 (formats.py).
if "quick" in lit_config.params:
    config.environment["CUTE_CASES"] = "50"  # of random ones in unit tests
else:
    config.available_features.add("full")
# Kernels are simulated at small sizes, so compiling them for the host must not take long.
if "all" not in lit_config.params:
    config.environment["CUTE_SIM_QUICK"] = "1"
if "all" in lit_config.params:
    os.environ["CUTE_ALL_CASES"] = config.environment["CUTE_ALL_CASES"] = "1"
elif turns.this_turn() is not None:  # the same in all tests
    config.environment["CUTE_TURN"] = os.environ["CUTE_TURN"]
config.environment["PYTHONPATH"] = config.test_source_root  # turns.py

with open(os.path.join(build, "CMakeCache.txt"), encoding="utf-8") as cache:
    cached = cache.read()
if "-fsanitize=" in cached:
    config.available_features.add("sanitizer")
elif os.path.exists(os.path.join(build, "python", "cute", "_bridge.abi3.so")):
    config.available_features.add("python")  # the package, for kernels written in it
    compile_package(os.path.join(build, "python", "cute"))
if "CUTE_LLVM:STRING=static" in cached:
    config.available_features.add("static")

# Minimal systems that ./dev package --test has made, and that root alone can enter.
roots = os.path.join(root, "build", "roots")
if os.geteuid() == 0 and os.path.isdir(os.path.join(roots, "bookworm")):
    config.available_features.add("roots")
    config.substitutions.append(("%fresh", roots))

config.available_features |= {
    name for name in ["pkg-config", "g++", "rustc", "dh", "lintian", "buildah", "doxygen",
                         "valgrind", "clang-format-14", "node", "nvim", "emacs"]
    if shutil.which(name)}

vscode_server = os.environ.get("VSCODE_SERVER", "")
if os.path.isfile(os.path.join(vscode_server, "bin", "code-server")):
    config.available_features.add("vscode-server")
    config.substitutions.append(("%vscode_server", vscode_server))

if "emacs" in config.available_features and (
        glob.glob("/usr/share/emacs/site-lisp/elpa/eglot-*")
        or glob.glob("/usr/share/emacs/[23][0-9].*/lisp/progmodes/eglot.el*")):
    config.available_features.add("eglot")

if importlib.util.find_spec("lark"):
    config.available_features.add("lark")

if shutil.which("unshare") and not subprocess.run(  # a chroot has no user namespaces
        ["unshare", "-r", "true"], stderr=subprocess.DEVNULL).returncode:
    config.available_features.add("unshare")

try:  # a chroot may have no /dev/pts
    for descriptor in os.openpty():
        os.close(descriptor)
    config.available_features.add("pty")
except OSError:
    pass

if shutil.which("clang-14"):
    config.available_features.add("clang")

nvcc = find_cuda("nvcc")
if nvcc and shutil.which("gcc"):
    config.available_features.add("nvcc")
    cuda_include = os.path.join(os.path.dirname(os.path.dirname(nvcc)), "include")
    if os.path.exists(os.path.join(cuda_include, "cuda.h")):
        config.available_features.add("cuda-headers")
        config.substitutions.append(("%cuda_include", cuda_include))

ptxas = find_cuda("ptxas")
if ptxas:
    config.available_features.add("ptxas")
    config.substitutions.append(("%ptxas", ptxas_that_keeps(ptxas)))

nvdisasm = find_cuda("nvdisasm")
if nvdisasm and ptxas:
    config.available_features.add("nvdisasm")
    config.substitutions.append(("%nvdisasm", nvdisasm))
