"""Finds the five mistakes of docs/simulator.md one after another, as the page does.

usage: five_mistakes.py ROOT FOLDER [--show]

Each finding in a console block of the page's section must be among what the simulator
says of the kernel that still has its mistake; their order and numbers, which differ from
run to run, are not compared. --show prints the findings.
"""
import argparse
import pathlib
import re
import subprocess
import sys

# What is found first comes first: the text of a line, its place among such lines, and the mistake
# that replaces it.
MISTAKES = [
    ("cute.copy(%g2s, %gB_k, %sB_k, %pB)", 1, "cute.copy(%g2s, %gB_k, %sB_k)"),
    ("cute.cp_async_wait<1>", 1, "cute.cp_async_wait<2>"),
    ("gpu.barrier", 1, ""),
    ("cute.copy(%s2g, %r, %gC_write, %pC)", 0, "cute.copy(%s2g, %r, %gC_write)"),
    ("gpu.barrier", 5, ""),
]
ARGUMENTS = ["f16[136x200]:normal(1)", "f16[120x200]:normal(2)", "f16[136x120]:poison",
             "--check", "C[m,n] = A[m,k] * B[n,k]"]


def plant(text, mistakes):
    lines = text.split("\n")
    plain = [line.strip() for line in lines]
    for old, number, new in mistakes:
        at = [i for i, line in enumerate(plain) if line == old][number]
        lines[at] = lines[at].replace(old, new)
    return "\n".join(lines)


def said(folder, text):
    """What a run says, on one line."""
    (folder / "gemm.mlir").write_text(text, encoding="utf-8")
    done = subprocess.run(["cute-run", "gemm.mlir", "--device=sim", *ARGUMENTS], cwd=folder,
                          capture_output=True, text=True, check=False)
    return done.stderr + done.stdout


def compared(text):
    """Words, with lines of the source and without what the order of blocks decides."""
    text = re.sub(r"^(cute-run: )?error: ", "", text)  # which mistake is the first
    text = re.sub(r"\(and \d+ times more\)", "", " ".join(text.split()))
    text = re.sub(r"0x[0-9a-f]+|\bblock \d+, thread \d+|\bthread \d+|\boffset \d+|"
                  r"\belement \(.*?\) of|\d+ bytes after", "?", text)
    return " ".join(text.replace("...", "").split())


def blocks(page):
    section = page.split("## Five mistakes in a GEMM")[1].split("\n## ")[0]
    return [block.split("$ run\n")[1] for block in re.findall(r"```console\n(.*?)```", section,
                                                              re.DOTALL)]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("root", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--show", action="store_true")
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    text = (given.root / "examples" / "gemm_sm80.mlir").read_text(encoding="utf-8")
    page = blocks((given.root / "docs" / "simulator.md").read_text(encoding="utf-8"))
    wrong = 0
    for number, block in enumerate(page):
        output = said(given.folder, plant(text, MISTAKES[number:]))
        if given.show:
            print(output)
        wanted = re.split(r"\n(?=gemm\.mlir:)", block)
        for part in wanted:
            if compared(part) not in compared(output):
                wrong += 1
                print(f"step {number + 1}: {compared(part)}\nis not in: {compared(output)[:2000]}")
    print(f"{len(page)} runs of the page, {wrong} differ")
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
