"""python -m cute run FILE [ARGS]: runs a program that imports ``cutlass``.

  python -m cute run [--compile-only] [--arch sm_90a] FILE [ARGS]

A notebook runs as a script of its code cells. With --compile-only kernels are
compiled, and the program ends where it would launch one. There, and where there
is no CUDA device, torch's CUDA tensors lie on the host.
"""

from __future__ import annotations

import json
import os
import runpy
import sys


def _script(path: str) -> tuple[str, str]:
    """Returns the source of a program, and its name in error messages."""
    with open(path, encoding="utf-8") as file:
        if not path.endswith(".ipynb"):
            return file.read(), path
        cells = json.load(file)["cells"]
    code = ["".join(c["source"]) for c in cells if c["cell_type"] == "code"]
    text = "\n".join(f'print("\\n@@{i}@@")\n{source}' for i, source in enumerate(code))
    made = os.path.join(_scratch(), os.path.basename(path)[:-6] + ".py")
    with open(made, "w", encoding="utf-8") as file:
        file.write(text)
    return text, made


def _scratch() -> str:
    import tempfile

    return tempfile.mkdtemp(prefix="cute-run-")


def run(path: str, args: list[str]) -> None:
    """Runs a program as __main__, with its folder first on the path."""
    from . import _own_cute, as_cutlass

    _own_cute.install()
    source, name = _script(path)
    from . import _bridge, _device

    if _device.compile_only or _device.ordinal() == _bridge.SIMULATED:
        as_cutlass.replace_cuda()
        if "torch" in source:
            from . import _fake_cuda

            _fake_cuda.install()
    sys.argv = [path, *args]
    sys.path.insert(0, os.path.dirname(os.path.abspath(path)))
    runpy.run_path(name, run_name="__main__")


def main(argv: list[str]) -> int:
    """Reads the command line."""
    if len(argv) < 2 or argv[0] != "run":
        print(__doc__)
        return 0 if argv in (["--help"], ["-h"]) else 2
    rest = argv[1:]
    while rest and rest[0].startswith("--"):
        option = rest.pop(0)
        if option == "--compile-only":
            from . import _device

            _device.compile_only = True
        elif option == "--arch" and rest:
            os.environ["CUTE_ARCH"] = rest.pop(0)
        else:
            print(f"cute: {option} is no option of run", file=sys.stderr)
            return 2
    run(rest[0], rest[1:])
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
