"""Runs rows of bench/rows.toml on the device that is simulated.

usage: simulated_rows.py CUTEC CUTE_RUN TABLE ARCH FOLDER [--every=N] [--jobs=N]
                         [--limit=SECONDS] [--emit=llvm|ptx] [--options=TEXT] [PATTERN]

PATTERN selects rows by their label, as for bench/fill.py; --every has each N-th of
them take its turn, --options goes to cute-run, and a row may take --limit. Prints what rows fail say, and how many are right.
"""
import argparse
import concurrent.futures
import os
import pathlib
import subprocess
import sys
import threading

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "bench"))
import fill  # noqa: E402
from turns import take_turn  # noqa: E402


class Kernels(fill.Kernels):
    """Compiles kernels to LLVM IR or PTX, which the simulator runs, when rows that are
    chosen ask for them."""

    def __init__(self, form, *arguments):
        super().__init__(*arguments)
        self.form = form
        self.wanted, self.lock = {}, threading.Lock()

    def once(self, name, function, *arguments):
        self.wanted[name] = function, name, *arguments
        return name

    def result(self, name):
        with self.lock:
            if name not in self.compiled:
                self.compiled[name] = self.pool.submit(*self.wanted[name])
        super().result(name)

    def compile(self, name, path, flags, arch, edit):
        file = self.folder / f"{name}{'.ll' if self.form == 'llvm' else '.ptx'}"
        file.parent.mkdir(parents=True, exist_ok=True)
        fill.run(self.cutec, path, f"--arch={arch}", *flags, f"--emit={self.form}",
                 "--line-info", "-o", file)


class Untimed(fill.Table):
    """Rows that are checked alone."""

    def specifications(self):
        return (row for row in super().specifications() if not row[2])


def start_rows(given):
    """Functions that give the fields of the rows that were chosen."""
    kernels = Kernels(given.emit, given.folder, given.arch, given.cutec, False)
    if given.table == "atoms":
        return list(fill.atom_rows(kernels, given.cutec, given.pattern))
    return list(Untimed(given.table, kernels, given.pattern).rows())


def simulate(given, finish):
    """What is wrong with a row; empty if it is right, None if it cannot be."""
    fields = finish()
    if not fields:
        return None
    label, _, kernel, *arguments = fields
    arguments = [text.replace("@", "") for text in arguments]  # seeds as they are
    if kernel == "!":
        return f"{label}: {' '.join(arguments)}"
    options = [f"--timeout={given.limit}", *given.options.split()]
    done = subprocess.run([given.cute_run, "--device=sim", *options,
                           str(given.folder / f"{kernel}.json"), *arguments],
                          capture_output=True, text=True, check=False)
    return "" if done.returncode == 0 else f"{label}: {done.stderr or done.stdout}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("cutec")
    parser.add_argument("cute_run")
    parser.add_argument("table")
    parser.add_argument("arch")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--limit", type=int, default=120)
    parser.add_argument("--emit", choices=["llvm", "ptx"], default="llvm")
    parser.add_argument("--options", default="")
    parser.add_argument("pattern", nargs="?", default="")
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    rows = take_turn(start_rows(given), given.every)
    with concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
        said = [text for text in pool.map(lambda row: simulate(given, row), rows)
                if text is not None]
    wrong = [text for text in said if text]
    print("\n".join(wrong) + "\n" * bool(wrong) +
          f"{len(said) - len(wrong)} of {len(said)} rows are right")


if __name__ == "__main__":
    main()
