"""Makes wheels of the package `cute`: what pip calls (PEP 517, 660), and ./dev wheel.

CMake builds and installs the package with its libraries into a folder (cmake/Wheel.cmake),
which is zipped here. By default libcute contains what it uses of LLVM (the preset
static); `--config-settings preset=release` takes LLVM's shared libraries instead, and
the wheel is for this machine.
"""

import base64
import hashlib
import os
import pathlib
import platform
import re
import subprocess
import sys
import tarfile
import tempfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
STABLE_ABI = "cp310-abi3"
MACHINES = {62: "x86_64", 183: "aarch64"}  # by ELF's e_machine
PROGRAMS = ["cutec", "cute-opt", "cute-lsp", "cute-run", "cute-layout"]


def _project():
    try:
        import tomllib
    except ModuleNotFoundError:
        import tomli as tomllib
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)["project"]


def _version():
    """The version, whose home is the header."""
    header = (ROOT / "include/cute/Version.h").read_text(encoding="utf-8")
    return ".".join(re.findall(r"^#define CUTE_VERSION_[A-Z]+ (\d+)$", header, re.M))


def _stem():
    """What names of files begin with."""
    return f"{_project()['name'].replace('-', '_')}-{_version()}"


def _metadata():
    project = _project()
    readme = (ROOT / project["readme"]).read_text(encoding="utf-8")
    extras = project["optional-dependencies"]
    rows = [
        ("Metadata-Version", "2.1"), ("Name", project["name"]), ("Version", _version()),
        ("Summary", project["description"]), ("License", project["license"]),
        ("License-File", "LICENSE"), ("Author", project["authors"][0]["name"]),
        ("Keywords", ",".join(project["keywords"])),
        *(("Classifier", text) for text in project["classifiers"]),
        ("Requires-Python", project["requires-python"]),
        *(("Provides-Extra", extra) for extra in extras),
        *(("Requires-Dist", f'{need}; extra == "{extra}"') for extra in extras
          for need in extras[extra]),
        ("Description-Content-Type", "text/markdown"),
    ]
    return "".join(f"{name}: {value}\n" for name, value in rows) + f"\n{readme}"


def _entry_points():
    scripts = _project()["scripts"]
    return "[console_scripts]\n" + "".join(f"{k} = {v}\n" for k, v in scripts.items())


def _build(preset):
    """Builds the package; returns CMake's folder."""
    folder = ROOT / "build" / preset
    steps = [["cmake", "--preset", preset],
             ["cmake", "--build", folder, "--target", "cute-python",
              *PROGRAMS]]
    for step in steps:
        subprocess.run(step, cwd=ROOT, check=True, stdout=sys.stderr)
    return folder


def _install(folder, prefix):
    subprocess.run(
        ["cmake", "--install", folder, "--component", "python", "--strip",
         "--prefix", prefix],
        cwd=ROOT, check=True, stdout=subprocess.DEVNULL,
    )


def _files(prefix):
    """(name, content) of what was installed. A library has the name that others ask
    for, which is that of a link."""
    paths = sorted(p for p in prefix.rglob("*") if p.is_file())
    behind_links = {p.resolve() for p in paths if p.is_symlink()}
    for path in paths:
        if path.is_symlink() or path.resolve() not in behind_links:
            yield path.relative_to(prefix).as_posix(), path.read_bytes()


def _platform(files):
    """The platform's tag: the oldest glibc that has all versions of symbols that the
    libraries ask for."""
    libraries = [content for name, content in files
                 if ".so" in name or name.startswith("cute/bin/")]
    machine = MACHINES[int.from_bytes(libraries[0][18:20], "little")]
    if any(b"\0libLLVM.so" in content for content in libraries):
        return f"linux_{machine}"
    needed = {int(n) for c in libraries for n in re.findall(rb"\0GLIBC_2\.(\d+)", c)}
    return f"manylinux_2_{max(needed)}_{machine}"


def _digest(content):
    digest = hashlib.sha256(content).digest()
    return "sha256=" + base64.urlsafe_b64encode(digest).rstrip(b"=").decode()


def _write_wheel(folder, files, tag):
    """Writes a wheel of (name, content); returns its name."""
    stem = _stem()
    info = f"{stem}.dist-info"
    wheel = (f"Wheel-Version: 1.0\nGenerator: {_project()['name']}\n"
             f"Root-Is-Purelib: false\nTag: {tag}\n")
    files = [*files,
             (f"{info}/LICENSE", (ROOT / "LICENSE").read_bytes()),
             (f"{info}/METADATA", _metadata().encode()),
             (f"{info}/entry_points.txt", _entry_points().encode()),
             (f"{info}/WHEEL", wheel.encode())]
    record = "".join(f"{n},{_digest(c)},{len(c)}\n" for n, c in files)
    files.append((f"{info}/RECORD", f"{record}{info}/RECORD,,\n".encode()))
    name = f"{stem}-{tag}.whl"
    with zipfile.ZipFile(pathlib.Path(folder) / name, "w", zipfile.ZIP_DEFLATED,
                         compresslevel=9) as archive:
        for path, content in files:
            entry = zipfile.ZipInfo(path)
            entry.compress_type = zipfile.ZIP_DEFLATED
            runs = ".so" in path or path.startswith("cute/bin/")
            entry.external_attr = (0o100755 if runs else 0o100644) << 16
            archive.writestr(entry, content)
    return name


def _pack(build, wheel_directory):
    """Writes the wheel of what is built in CMake's folder; returns its name."""
    with tempfile.TemporaryDirectory() as folder:
        _install(build, folder)
        files = list(_files(pathlib.Path(folder)))
    return _write_wheel(wheel_directory, files, f"{STABLE_ABI}-{_platform(files)}")


# The functions that pip calls.


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """Writes the wheel; returns its name."""
    return _pack(_build((config_settings or {}).get("preset", "static")), wheel_directory)


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    """Writes a wheel that leads to the sources here; returns its name."""
    build = _build((config_settings or {}).get("preset", "release"))
    path = ("cute_compiler.pth", f"{build / 'python'}\n".encode())
    tag = f"{STABLE_ABI}-linux_{platform.machine()}"
    return _write_wheel(wheel_directory, [path], tag)


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    """Writes what is known without a build; returns the folder's name."""
    info = f"{_stem()}.dist-info"
    folder = pathlib.Path(metadata_directory) / info
    folder.mkdir(parents=True)
    (folder / "METADATA").write_text(_metadata(), encoding="utf-8")
    (folder / "WHEEL").write_text(
        f"Wheel-Version: 1.0\nRoot-Is-Purelib: false\nTag: {STABLE_ABI}-linux\n",
        encoding="utf-8")
    return info


prepare_metadata_for_build_editable = prepare_metadata_for_build_wheel


def build_sdist(sdist_directory, config_settings=None):
    """Writes an archive of the sources that git knows; returns its name."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True,
                            stdout=subprocess.PIPE).stdout
    stem = _stem()
    with tarfile.open(pathlib.Path(sdist_directory) / f"{stem}.tar.gz", "w:gz") as archive:
        for path in filter(None, listed.decode().split("\0")):
            archive.add(ROOT / path, f"{stem}/{path}")
        with tempfile.NamedTemporaryFile() as info:
            info.write(_metadata().encode())
            info.flush()
            archive.add(info.name, f"{stem}/PKG-INFO")
    return f"{stem}.tar.gz"


def main(folder, build=None):
    """build_backend.py FOLDER [BUILD]: a wheel, of CMake's folder if one is named."""
    os.makedirs(folder, exist_ok=True)
    path = pathlib.Path(folder, _pack(build or _build("static"), folder))
    print(f"{path}: {path.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main(*sys.argv[1:])
