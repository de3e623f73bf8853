"""cute-canonicalize is idempotent and deterministic on the suite's own modules.

usage: canonicalize_suite.py ROOT
"""
import glob
import os
import subprocess
import sys


def run(text, *options):
    """What comes out of the modules that are not rejected."""
    return subprocess.run(
        ["cute-opt", "--split-input-file", "--allow-unregistered-dialect",
         *options], input=text, capture_output=True, check=False).stdout


def main():
    root = sys.argv[1]
    count = problems = 0
    for folder in ("examples/*.mlir", "test/Conversion/*.mlir",
                   "test/Ops/*/*.mlir", "test/Transforms/*.mlir"):
        texts = []
        for path in sorted(glob.glob(os.path.join(root, folder))):
            if "invalid" not in path:
                with open(path, "rb") as file:
                    texts.append(file.read())
        text = b"\n// -----\n".join(texts)
        once = run(text, "--cute-canonicalize")
        count += once.count(b"// -----")
        if run(text, "--cute-canonicalize", "--cute-canonicalize") != once:
            problems += 1
            print("a second run gives something else:", folder)
    print("%d modules, %d problems" % (count, problems))
    return 1 if problems or count < 100 else 0


if __name__ == "__main__":
    sys.exit(main())
