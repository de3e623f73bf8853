#!/usr/bin/env python3
"""Makes a folder to link with, so that programs run with an older glibc than this one.

usage: older_glibc.py FOLDER VERSION COMPILER [OPTION...]

The folder has stubs of glibc's libraries: each name that VERSION (as 2.28) had, in the
newest form that it had. The linker that finds them first (-L FOLDER) asks for these
forms. What VERSION did not have is in libolder.a, of tools/older_glibc.c, where gcc's
and LLVM's archives need it; the rest is an error of the linker. COMPILER links for the
target; its own glibc says what each name and version is.
"""
import pathlib
import re
import subprocess
import sys

LIBRARIES = ["libc.so.6", "libm.so.6", "libpthread.so.0", "libdl.so.2"]
# Libraries that libc has contained since 2.34: their names have that version beside an
# older one.
MERGED = (2, 34)
ROW = re.compile(r"\s*\d+: [0-9a-f]+ +(\w+) (FUNC|IFUNC|OBJECT) +(?:GLOBAL|WEAK) +"
                 r"DEFAULT +(?!UND)\w+ (\w+)@@?GLIBC_([0-9.]+)$", re.MULTILINE)


def version(text):
    return tuple(int(n) for n in text.split("."))


def run(*command):
    return subprocess.run(command, check=True, text=True,
                          stdout=subprocess.PIPE).stdout


def exported(library):
    """{name: [(version, kind, size)]} of what the library exports."""
    found = {}
    for size, kind, name, of in ROW.findall(run("readelf", "-W", "--dyn-syms", library)):
        row = version(of), "object" if kind == "OBJECT" else "function", int(size, 0)
        found.setdefault(name, []).append(row)
    return found


def home(name, versions, library):
    """The library that the name was in before libraries were merged; None for librt
    and others that nothing here links."""
    if MERGED not in versions or len(versions) == 1 or name == "__libc_start_main":
        return library
    if name.startswith("dl"):
        return "libdl.so.2"
    return "libpthread.so.0" if re.match("_*(pthread|sem)_", name) else None


def forms(find, limit):
    """{library: [(name, version, kind, size)]} of what glibc had at the limit."""
    found = {library: [] for library in LIBRARIES}
    for library in LIBRARIES:
        for name, rows in exported(find(library)).items():
            where = home(name, [row[0] for row in rows], library)
            old = [row for row in rows if row[0] <= limit]
            if where and old:
                found[where].append((name, *max(old)))
    return found


def stub(folder, library, names, compiler):
    """Links the stub of a library."""
    lines, versions = [], sorted({row[1] for row in names})
    for i, (name, of, kind, size) in enumerate(sorted(names)):
        lines += [f".{'data' if kind == 'object' else 'text'}",
                  f".globl s{i}", f".type s{i},%{kind}", f".size s{i},{size}",
                  f"s{i}: .zero {size if kind == 'object' else 1}",
                  f".symver s{i},{name}@@@GLIBC_{'.'.join(map(str, of))}"]
    lines.append('.section .note.GNU-stack,"",%progbits')
    source, script = folder / f"{library}.s", folder / f"{library}.map"
    source.write_text("\n".join(lines) + "\n")
    nodes = [f"GLIBC_{'.'.join(map(str, of))} {{}};" for of in versions]
    script.write_text("\n".join(nodes) + "\n")
    run(*compiler, "-shared", "-nostdlib", source, "-o", folder / library,
        f"-Wl,-soname,{library},--version-script={script}")


def main(folder, limit, *compiler):
    if not re.fullmatch(r"2\.\d+", limit):
        sys.exit(f"older_glibc.py: '{limit}' is not a version of glibc; 2.28 is one")
    folder = pathlib.Path(folder).resolve()
    folder.mkdir(parents=True, exist_ok=True)

    def find(library):
        return run(*compiler, f"-print-file-name={library}").strip()

    for library, names in forms(find, version(limit)).items():
        stub(folder, library, names, compiler)
    source = pathlib.Path(__file__).with_suffix(".c")
    run(*compiler, "-std=c17", "-O2", "-fPIC", "-ffunction-sections",
        "-fvisibility=hidden", "-c", source, "-o", folder / "older_glibc.o")
    (folder / "libolder.a").unlink(missing_ok=True)
    run("ar", "rcs", folder / "libolder.a", folder / "older_glibc.o")
    loader = re.search(r"AS_NEEDED \( (\S+)", pathlib.Path(find("libc.so")).read_text())
    (folder / "libc.so").write_text(
        f'GROUP ( "{folder}/libc.so.6" "{folder}/libolder.a" '
        f'"{find("libc_nonshared.a")}" AS_NEEDED ( "{folder}/libpthread.so.0" '
        f'"{folder}/libdl.so.2" "{find(pathlib.Path(loader[1]).name)}" ) )\n')
    for library in LIBRARIES[1:]:
        (folder / library.split(".so")[0]).with_suffix(".so").write_text(
            f'INPUT ( "{folder}/{library}" )\n')


if __name__ == "__main__":
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
