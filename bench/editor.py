#!/usr/bin/env python3
"""Times cute-lsp: how long a change, a hover and a completion take in a text of some lines.

editor.py [LINES]: the GEMM of examples/, again and again under other names, for at least
2,000 lines. The times are the server's processor time, the least of 20; that of a change, which
is a new op in the last kernel or a comment above all of them, is until its diagnostics are there.
"""
import itertools
import os
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "test" / "Server"))
import client

REPEATS = 20


def text_of(lines):
    """Copies of a kernel with aliases and modules of their own."""
    kernel = (ROOT / "examples" / "gemm_sm80.mlir").read_text(encoding="utf-8")
    copies = []
    while sum(copy.count("\n") for copy in copies) < lines:
        number = len(copies)
        copies.append(re.sub(r"(!matrix|@gemm\w*)", rf"\g<1>_{number}", kernel))
    return "".join(copies)


def least(server, run):
    def spent():
        stat = pathlib.Path(f"/proc/{server.process.pid}/schedstat")
        return int(stat.read_text(encoding="utf-8").split()[0]) / 1e6

    times = []
    for i in range(REPEATS):
        start = spent()
        run(i)
        times.append(spent() - start)
    return min(times)


def main(lines):
    text = text_of(lines)
    at = text[:text.rindex("%gC = ")].count("\n")
    place = {"textDocument": {"uri": client.URI}, "position": {"line": at, "character": 4}}
    for lint in (False, True):
        server = client.Server(options={"lint": lint})
        server.open(text)
        server.wait()

        versions = itertools.count(2)

        def insert(line, new):
            version = next(versions)
            here = {"line": line, "character": 0}
            server.change([{"range": {"start": here, "end": here}, "text": new}], version)
            assert not server.wait(version), server.diagnostics

        def ask(method):
            return least(server, lambda i: server.ask(f"textDocument/{method}", place))

        hover, completion = ask("hover"), ask("completion")
        op = least(server, lambda i: insert(at, f"%new{i} = arith.constant {i} : i32\n"))
        comment = least(server, lambda i: insert(0, "//\n"))
        print(f"{text.count(chr(10))} lines, lint {'on' if lint else 'off'}: a hover {hover:.1f} ms, "
              f"a completion {completion:.1f} ms, a new op {op:.1f} ms, a comment {comment:.1f} ms")
        server.end()


if __name__ == "__main__":
    os.environ["PATH"] = f"{ROOT / 'build/release/bin'}{os.pathsep}{os.environ['PATH']}"
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 2000)
