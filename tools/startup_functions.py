#!/usr/bin/env python3
"""Prints the functions of libcute that run before and while cute-opt takes an empty
module, as the linker names them, in the order of their first calls.

usage: startup_functions.py BUILD > cmake/startup_functions.txt

BUILD is of the preset `static`, and valgrind is installed. The linker puts these
functions side by side: they are one in thirty of the pages that they are spread over
otherwise, and the system takes as long to map those as the functions to run. Names that no longer
exist are left out, new ones lie anywhere, so that the list needs to be made again only when LLVM
changes much; test/Embedding/startup.test says when.
"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

LINE = re.compile(r"(c?)(ob|fn)=\((\d+)\)(?: (.*))?")


def names_in(profile, library):
    """The names of the library's functions in a profile of callgrind, which has a name
    where its number comes first."""
    texts, current, found = {}, {}, {}
    for line in profile.splitlines():
        match = LINE.match(line)
        if not match:
            continue
        is_callee, kind, number, text = match.groups()
        if text:
            texts[kind, number] = text
        if is_callee:
            continue
        current[kind] = texts[kind, number]
        if kind == "fn" and library in current["ob"]:
            found[current["fn"].split("'")[0]] = True
    return [name for name in found if not name.startswith("0x")]


def main():
    build = pathlib.Path(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        # valgrind does not read lld's line numbers; the names stay.
        subprocess.run(["strip", "-g", "-o", folder / "libcute.so.0.1",
                        build / "lib/libcute.so"], check=True)
        shutil.copy(build / "bin/cute-opt", folder)
        subprocess.run(["valgrind", "-q", "--tool=callgrind", "--demangle=no",
                        f"--callgrind-out-file={folder}/profile",
                        folder / "cute-opt", "/dev/null"],
                       env={"LD_LIBRARY_PATH": str(folder), "PATH": "/usr/bin:/bin"},
                       stdout=subprocess.DEVNULL, check=True)
        profile = (folder / "profile").read_text(encoding="utf-8")
    print("\n".join(names_in(profile, "libcute.so")))


main()
