"""Compiles instructions of PTX for ten architectures: what ptxas takes must come
through cutec and ptxas without a word, and what it refuses must be an error of cutec's.

usage: check_targets.py FOLDER [PTXAS]
"""
import pathlib
import re
import subprocess
import sys

ROWS = pathlib.Path(__file__).parents[2] / "data/blackwell/ptx_targets.txt"
REGISTERS = "; ".join(f".reg .{kind} %{name}<{n}>" for kind, name, n in (
    ("b32", "r", 256), ("b64", "rd", 8), ("f32", "f", 136), ("b16", "h", 4),
    ("pred", "p", 4)))


def read():
    """The architectures, and for each instruction whether each takes it."""
    lines = [line for line in ROWS.read_text(encoding="utf-8").splitlines()
             if not line.startswith("#")]
    archs = lines[0].split()
    return archs, [(dict(zip(archs, marks)), spread(text))
                   for marks, text in (line.split(" ", 1) for line in lines[1:])]


def spread(text):
    """Writes registers out: {%r0..%r3} is four."""
    return re.sub(r"\{%(\w+?)0\.\.%\w+?(\d+)\}",
                  lambda m: "{" + ", ".join(f"%{m[1]}{i}" for i in range(int(m[2]) + 1))
                  + "}", text)


def kernel(i, text):
    """A kernel of one instruction on a line of its own."""
    code = f"{{ {REGISTERS}; {text} }}".replace("$", "$$")
    return (f"  gpu.func @k{i}() kernel {{ llvm.inline_asm has_side_effects "
            f"\"{code}\", \"\" : () -> () gpu.return }}\n")


def compile_for(arch, folder, texts):
    """What cutec says, by the number of the instruction, and the path of the code."""
    path = folder / f"{arch}.mlir"
    path.write_text("gpu.module @forms {\n" + "".join(
        kernel(i, text) for i, text in enumerate(texts)) + "}\n", encoding="utf-8")
    code = path.with_suffix(".ptx")
    done = subprocess.run(["cutec", path, f"--arch={arch}", "--no-manifest",
                           "-o", code], capture_output=True, text=True,
                          check=False)
    said = {int(m[1]) - 2: m[2] for m in
            re.finditer(r"mlir:(\d+):\d+: error: (.*)", done.stderr)}
    if done.returncode and not said:
        sys.exit(f"{arch}: {done.stderr}")
    return said, code


def check(arch, rows, folder, ptxas):
    """What is wrong for an architecture."""
    refused = [text for takes, text in rows if takes[arch] == "n"]
    said, _ = compile_for(arch, folder, refused)
    wrong = [f"{arch} lacks, but not a word: {text}" for i, text in enumerate(refused)
             if i not in said]
    taken = [text for takes, text in rows if takes[arch] == "Y"]
    said, code = compile_for(arch, folder, taken)
    wrong += [f"{arch} has {taken[i]}: {message}" for i, message in said.items()]
    if ptxas and not said:
        done = subprocess.run([ptxas, f"-arch={arch}", "-O0", "-o", folder / "cubin",
                               code], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, check=False)
        wrong += [line for line in done.stdout.splitlines()
                  if line and not line.startswith("ptxas info ")]
    return wrong


def main():
    folder, ptxas = pathlib.Path(sys.argv[1]), (sys.argv[2:] or [""])[0]
    folder.mkdir(parents=True, exist_ok=True)
    archs, rows = read()
    wrong = [message for arch in archs for message in check(arch, rows, folder, ptxas)]
    print("\n".join(wrong + [f"{len(rows)} instructions, {len(archs)} architectures, "
                             f"{len(wrong)} wrong"]))
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
