"""Seeds of the target `assembly`: short parts of the suite's modules, and the
example of each op.

usage: seed_assembly.py ROOT FOLDER
"""
import glob
import hashlib
import os
import pathlib
import re
import sys

LONGEST = 1500


def main():
    root, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    sys.path.insert(0, os.path.join(root, "test", "IR"))
    from fuzz import op_examples
    parts = list(op_examples(root))
    for path in glob.glob(os.path.join(root, "test", "**", "*.mlir"),
                          recursive=True):
        with open(path, "rb") as file:
            parts += re.split(rb"^// -----.*\n", file.read(), flags=re.M)
    folder.mkdir(parents=True, exist_ok=True)
    for part in parts:
        text = re.sub(rb"^\s*//.*\n|^\s+", b"", part, flags=re.M)
        if 0 < len(text) <= LONGEST:
            (folder / hashlib.sha1(text).hexdigest()).write_bytes(text)


main()
