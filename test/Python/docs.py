# RUN: env CUTE_DEVICE=sim %python %s %root
"""What documentation has as Python runs, one block after the other of a page, and so do
examples in docstrings. Each public function has one."""

import doctest
import importlib
import linecache
import os
import pkgutil
import re
import sys
import tempfile

import cute

ROOT = sys.argv[1]
count = 0
for page in ("docs/from_cute_dsl.md",):
    path = f"{ROOT}/{page}"
    with open(path, encoding="utf-8") as file:
        text = file.read()
    # At their lines, for messages, and from a file, whose lines @jit reads.
    pieces = re.split(r"^```(\w*)\n(.*?)^```$", text, flags=re.M | re.S)
    source = ""
    for i, piece in enumerate(pieces):
        if i % 3 == 0:
            source += "\n" * piece.count("\n")
        elif i % 3 == 2:
            is_python = pieces[i - 1] == "python"
            source += "\n" + (piece if is_python else "\n" * piece.count("\n"))
            count += is_python
    linecache.cache[path] = (len(source), None, source.splitlines(True), path)
    exec(compile(source, path, "exec"), {"__name__": "__main__", "__file__": path})
assert count == 3, count

os.chdir(tempfile.mkdtemp())
# Modules that run programs, put themselves in place of others, or need torch.
LEFT_OUT = ("__main__", "fake_cuda", "_mlir", "own_cute", "as_cutlass",
            "kernels.distributed", "kernels._recorded", "torch_ops")
results = [
    doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(test)
    for info in pkgutil.walk_packages(cute.__path__, "cute.")
    if not any(name in info.name for name in LEFT_OUT)
    for test in doctest.DocTestFinder().find(
        importlib.import_module(info.name), globs=dict(vars(cute), cute=cute))
]
assert not sum(r.failed for r in results)
assert sum(r.attempted for r in results) >= 100
