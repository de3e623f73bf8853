#!/usr/bin/env python3
"""Times cute-lsp: how long a change, a hover and a completion take in a text of some lines.

editor.py [LINES]: the GEMM of examples/, again and again under other names, up to 2,000
lines. The times are the least of 10, in milliseconds from the change to its diagnostics
and a hover in the changed text, from the request to the answer else.
"""
import pathlib
import re
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "test" / "Server"))
import client

REPEATS = 10


def text_of(lines):
    """Copies of a kernel with aliases and modules of their own."""
    kernel = (ROOT / "examples" / "gemm_sm80.mlir").read_text(encoding="utf-8")
    copies = []
    while sum(copy.count("\n") for copy in copies) + kernel.count("\n") <= lines:
        number = len(copies)
        copies.append(re.sub(r"(!matrix|@gemm\w*)", rf"\g<1>_{number}", kernel))
    return "".join(copies)


def least(run):
    times = []
    for i in range(REPEATS):
        start = time.perf_counter()
        run(i)
        times.append(time.perf_counter() - start)
    return min(times) * 1000


def main(lines):
    text = text_of(lines)
    at = text[:text.rindex("%gC = ")].count("\n")
    place = {"textDocument": {"uri": client.URI}, "position": {"line": at, "character": 4}}
    for lint in (False, True):
        server = client.Server(options={"lint": lint})
        server.open(text)
        server.wait()

        def change(i):
            here = {"line": 0, "character": 0}
            server.change([{"range": {"start": here, "end": here}, "text": "//\n"}], i + 2)
            server.ask("textDocument/hover", place)

        print(f"{text.count(chr(10))} lines, lint {'on' if lint else 'off'}: "
              f"a change {least(change):.1f} ms, "
              f"a hover {least(lambda i: server.ask('textDocument/hover', place)):.1f} ms, "
              f"a completion {least(lambda i: server.ask('textDocument/completion', place)):.1f} ms")
        server.end()


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 2000)
