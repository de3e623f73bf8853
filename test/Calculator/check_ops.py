"""Checks that the calculator has every op that only computes values of its kinds.

usage: check_ops.py IRDL GROUP...
"""
import re
import subprocess
import sys

# Their operands are integers, or their results are; is_major and the others that ask
# have rows.
ELSEWHERE = {"make_int_tuple", "make_shape", "make_stride", "make_coord", "make_tile",
             "get_scalars", "equal", "get_tv_layout"}


def main():
    path, *groups = sys.argv[1:]
    with open(path, encoding="utf-8") as file:
        text = file.read()
    ops = re.findall(r'irdl.operation @(\w+) attributes {\n    group = "(\w+)"', text)
    listed = subprocess.run(["cute-layout", "operations"], capture_output=True,
                            text=True, check=True).stdout
    there = set(re.findall(r"^(\w+)\(", listed, re.M)) | ELSEWHERE
    wanted = [op for op, group in ops if group in groups]
    missing = [op for op in wanted if op not in there]
    print(f"{len(wanted)} ops, missing: {missing}")


if __name__ == "__main__":
    main()
