"""What `cutec --list-hardware=json` says (docs/atoms.md), by table and name."""
import functools
import json
import os
import pathlib
import shutil
import subprocess


class Missing(Exception):
    """There is no compiler to ask."""


def find_cutec():
    """The compiler: that of PATH, or that of the build."""
    build = os.environ.get("CUTE_BUILD") or (
        pathlib.Path(__file__).parent.parent / "build" / "release")
    return shutil.which("cutec") or str(pathlib.Path(build) / "bin" / "cutec")


@functools.cache
def tables():
    """{"archs": {"sm_80": {"number": 80, ...}, ...}, "elements": {...}, ...}"""
    try:
        done = subprocess.run([find_cutec(), "--list-hardware=json"], check=True,
                              capture_output=True)
    except OSError as error:
        raise Missing("kernels ask cutec for the limits of architectures: "
                           f"{error}; ./dev build makes it") from error
    return {table: {row["name"]: row for row in rows}
            for table, rows in json.loads(done.stdout).items()}


def runs(device, needed):
    """Whether an architecture runs code of another."""
    return needed in tables()["archs"][device]["runs"]


def archs(first, last):
    """Names of the architectures from sm_FIRST to sm_LAST that have no suffix."""
    return [name for name, row in tables()["archs"].items()
            if first <= row["number"] <= last and not row["suffix"]]
