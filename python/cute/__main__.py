"""python -m cute run FILE [ARGS], or cute run: runs a program that imports ``cutlass``.

  python -m cute run [--compile-only] [--arch sm_90a] FILE [ARGS]
  python -m cute check [--json] [--diagnostics FORM] [--werror] [--arch sm_90a] [--seconds 30]
                       FILE [ARGS]
  python -m cute stubs [FOLDER]

A notebook runs as a script of its code cells, without lines for the shell (!) and magics
(%). With --compile-only all kernels that the program launches are compiled and none runs:
a program that ends because its results are not there has compiled. There, and where there
is no CUDA device, torch's CUDA tensors lie on the host.

check runs the program on the simulator, and each function that it compiles goes through five
stages: trace, compile (to PTX), lint, prove for every size, and simulate. The first error ends a
function's stages, not the program, so that the errors of all functions are shown. The exit status is 1 for errors,
and with --werror for warnings. With --json editors also have hovers: what names of the program are, with pictures of layouts.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import re
import runpy
import sys
from typing import Iterator


def _script(path: str) -> tuple[str, str]:
    """Returns the source of a program, and its name in error messages."""
    try:
        with open(path, encoding="utf-8") as file:
            if not path.endswith(".ipynb"):
                return file.read(), path
            cells = json.load(file)["cells"]
    except OSError as error:
        sys.exit(f"cute: cannot open {path!r}: {error.strerror}")
    except (ValueError, KeyError, TypeError):
        sys.exit(f"cute: {path!r} is not a notebook" if path.endswith(".ipynb")
                 else f"cute: {path!r} is not UTF-8 text")
    code = [_python("".join(c["source"])) for c in cells if c["cell_type"] == "code"]
    text = "\n".join(f'print("\\n@@{i}@@")\n{source}' for i, source in enumerate(code))
    made = os.path.join(_scratch(), os.path.basename(path)[:-6] + ".py")
    with open(made, "w", encoding="utf-8") as file:
        file.write(text)
    return text, made


def _python(cell: str) -> str:
    """Returns a code cell without commands of the shell and of the notebook."""
    if cell.lstrip().startswith("%%"):
        return "pass"
    return re.sub(r"(?m)^(\s*)[!%].*$", r"\1pass", cell)


def _scratch() -> str:
    """Returns a folder that goes when the process ends."""
    import atexit
    import shutil
    import tempfile

    folder = tempfile.mkdtemp(prefix="cute-run-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


@contextlib.contextmanager
def _without_results() -> Iterator[None]:
    """Lets a program end well that compiled its kernels, and has no results of them."""
    from ._device import devices as _device
    from ._compile.diagnostics import DSLError

    try:
        yield
    except DSLError:
        raise
    except (Exception, SystemExit) as error:
        if not _device.compile_only or not _device.compiled_any():
            raise
        print(f"cute: kernels did not run; the program ended with {type(error).__name__}: {error}")


def run(path: str, args: list[str]) -> None:
    """Runs a program as __main__, with its folder first on the path."""
    from ._compat import own_cute as _own_cute
    from ._frontend import tracebacks as _tracebacks
    from . import as_cutlass

    _own_cute.install()
    source, name = _script(path)
    from . import _bridge
    from ._device import devices as _device

    if _device.compile_only or _device.ordinal() == _bridge.SIMULATED:
        as_cutlass.replace_cuda()
        from ._device import fake_cuda as _fake_cuda

        if "torch" in source:
            _fake_cuda.install()
        if "jax_tvm_ffi" in source:
            _fake_cuda.install_for_jax()
    sys.excepthook = _tracebacks.print_error
    sys.argv = [path, *args]
    sys.path.insert(0, os.path.dirname(os.path.abspath(path)))
    with _without_results():
        runpy.run_path(name, run_name="__main__")


def _write_stubs(folder: str) -> int:
    from . import as_cutlass  # noqa: F401
    from ._compat import stubs as _stubs

    print(f"{_stubs.write(folder)} modules of cutlass are in {folder}")
    return 0


def _version() -> str:
    from . import _bridge

    return _bridge.version


def main(argv: list[str] | None = None) -> int:
    """Reads the command line, or other arguments."""
    parser = argparse.ArgumentParser(
        prog="python -m cute", description="Runs programs that import cutlass.",
        allow_abbrev=False)
    parser.add_argument("--version", action="version", version=f"cute {_version()}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    runs = commands.add_parser("run", help="run a program or a notebook", allow_abbrev=False,
                               description="Runs a program, or the code cells of a notebook.")
    runs.add_argument("--compile-only", action="store_true",
                      help="compile all kernels that the program launches, and run none")
    checks = commands.add_parser("check", help="find what is wrong in a program", allow_abbrev=False,
                                 description="Traces, compiles, lints, proves and simulates what a program "
                                 "compiles and calls; prints no more than what is found.")
    checks.add_argument("--json", dest="form", action="store_const", const="all",
                        help="print what is found, and hovers for editors, as JSON")
    checks.add_argument("--diagnostics", dest="form", choices=("text", "json", "sarif", "github"),
                        help="print what is found as JSON, as SARIF or as GitHub's annotations")
    checks.set_defaults(form="text")
    checks.add_argument("--werror", action="store_true", help="a warning is an error")
    checks.add_argument("--seconds", type=int, default=30,
                        help="stop a kernel that is simulated longer (default: 30)")
    for command in (runs, checks):
        command.add_argument("--arch", metavar="sm_XX",
                             help="the architecture (default: that of the GPU, or $CUTE_ARCH)")
        command.add_argument("file", metavar="FILE", help="a .py or .ipynb file")
        command.add_argument("args", metavar="ARGS", nargs=argparse.REMAINDER,
                             help="what the program gets")
    stubs = commands.add_parser("stubs", help="write stubs of cutlass for type checkers",
                                description="Writes the package cutlass as stubs into a folder: "
                                "pyright looks into ./typings, mypy where MYPYPATH says.")
    stubs.add_argument("folder", metavar="FOLDER", nargs="?", default="typings",
                       help="where to (default: typings)")
    options = parser.parse_args(argv)
    if "folder" in options:
        return _write_stubs(options.folder)
    if options.arch:
        os.environ["CUTE_ARCH"] = options.arch
    if "form" in options:
        from ._compile import checking as _checking

        return _checking.check(options.file, lambda: run(options.file, options.args),
                               options.form, options.werror, options.seconds)
    if options.compile_only:
        from ._device import devices as _device

        _device.compile_only = True
    run(options.file, options.args)
    return 0


if __name__ == "__main__":
    sys.exit(main())
