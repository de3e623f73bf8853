"""A corpus as one text file, an input in each line, and as libFuzzer's folder.

usage: corpus.py unpack FILE FOLDER
       corpus.py pack FOLDER FILE
"""
import hashlib
import pathlib
import re
import sys


def escape(data):
    return "".join(
        "\\n" if byte == 10 else "\\\\" if byte == 92 else
        chr(byte) if 32 <= byte < 127 else "\\x%02x" % byte for byte in data)


def unescape(line):
    return re.sub(rb"\\(n|\\|x..)",
                  lambda m: b"\n" if m[1] == b"n" else b"\\" if m[1] == b"\\"
                  else bytes([int(m[1][1:], 16)]), line)


def unpack(file, folder):
    folder.mkdir(parents=True, exist_ok=True)
    for line in file.read_bytes().splitlines():
        data = unescape(line)
        (folder / hashlib.sha1(data).hexdigest()).write_bytes(data)


def pack(folder, file):
    lines = sorted(escape(path.read_bytes()) for path in folder.iterdir())
    file.write_text("".join(line + "\n" for line in sorted(lines, key=len)))


if __name__ == "__main__":
    command, first, second = sys.argv[1:]
    {"unpack": unpack, "pack": pack}[command](pathlib.Path(first),
                                              pathlib.Path(second))
