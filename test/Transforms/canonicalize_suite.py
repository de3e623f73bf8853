"""cute-canonicalize is idempotent and deterministic on the suite's own modules.

usage: canonicalize_suite.py ROOT
"""
import glob
import os
import subprocess
import sys


def run(text, *options):
    """The output, or None after an error."""
    done = subprocess.run(
        ["cute-opt", "--split-input-file", "--allow-unregistered-dialect",
         *options], input=text, capture_output=True, check=False)
    return done.stdout if done.returncode == 0 else None


def main():
    root = sys.argv[1]
    count = problems = 0
    for folder in ("examples/*.mlir", "test/Conversion/*.mlir",
                   "test/Ops/*/*.mlir", "test/Transforms/*.mlir"):
        for path in sorted(glob.glob(os.path.join(root, folder))):
            if "invalid" in path:
                continue
            with open(path, "rb") as file:
                text = file.read()
            once = run(text, "--cute-canonicalize")
            if once is None:  # parts of it are rejected
                continue
            count += 1
            if run(text, "--cute-canonicalize", "--cute-canonicalize") != once:
                problems += 1
                print("a second run gives something else: %s"
                      % os.path.relpath(path, root))
    print("%d files, %d problems" % (count, problems))
    return 1 if problems or count < 40 else 0


if __name__ == "__main__":
    sys.exit(main())
