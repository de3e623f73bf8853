"""Runs LLVM IR of examples with mistakes at random on the simulator: each run must end as it
should, right or with a message.

usage: mutated_modules.py CUTEC CUTE_RUN EXAMPLES FOLDER [--seed=N] [--count=N]
"""
import argparse
import pathlib
import random
import re
import subprocess

ARGUMENTS = {
    "vector_add": ["f32[100]:iota", "f32[100]:iota", "f32[100]:poison"],
    "transpose": ["f32[40x33]:iota", "f32[33x40]:poison"],
    "gemm_plain": ["f16[64x40]:normal(1)", "f16[48x40]:normal(2)", "f16[64x48]:poison"],
}
NUMBERS = ["0", "-1", "1", "7", "65536", "2147483647", "-2147483648", "123456"]
OPERATIONS = [("add", "sub"), ("mul", "udiv"), ("icmp slt", "icmp sge"), ("shl", "ashr"),
              ("and", "or"), ("sdiv", "srem"), ("zext", "sext")]


def mutate(line):
    """A line with another number, register or operation, or without it."""
    kind = random.random()
    numbers = list(re.finditer(r"(?<=[ (,])-?\d+(?=[,) ]|$)", line))
    registers = re.findall(r"%\d+", line)
    if kind < 0.45 and numbers:
        at = random.choice(numbers)
        return line[:at.start()] + random.choice(NUMBERS) + line[at.end():]
    if kind < 0.6 and "=" not in line:
        return ""
    if kind < 0.8 and len(registers) > 1:
        other = max(0, int(registers[-1][1:]) - random.randint(1, 9))
        return line.replace(registers[-1], f"%{other}")
    for one, other in OPERATIONS:
        if f" {one} " in line:
            return re.sub(" nsw| nuw", "", line.replace(f" {one} ", f" {other} "))
    return line


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("cutec")
    parser.add_argument("cute_run")
    parser.add_argument("examples", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=24)
    given = parser.parse_args()
    random.seed(given.seed)
    given.folder.mkdir(parents=True, exist_ok=True)
    texts = {}
    for name in ARGUMENTS:
        file = given.folder / f"{name}.ll"
        subprocess.run([given.cutec, given.examples / f"{name}.mlir", "--arch=sm_80",
                        "--emit=llvm", "--line-info", "-o", file], check=True)
        texts[name] = file.read_text(encoding="utf-8").split("\n")
    bad = 0
    for number in range(given.count):
        name = random.choice(list(texts))
        lines = list(texts[name])
        inside = [i for i, line in enumerate(lines) if line.startswith("  ")]
        for i in random.sample(inside, random.randint(1, 3)):
            lines[i] = mutate(lines[i])
        (given.folder / f"{name}.ll").write_text("\n".join(lines), encoding="utf-8")
        done = subprocess.run([given.cute_run, "--device=sim", "--timeout=1",
                               given.folder / f"{name}.json", *ARGUMENTS[name]],
                              capture_output=True, text=True, check=False, timeout=120)
        if done.returncode not in (0, 1) or (done.returncode and not done.stderr):
            bad += 1
            print(f"{name}, number {number}: exit code {done.returncode} {done.stderr}")
    print(f"{given.count} modules, {bad} ended the process")


if __name__ == "__main__":
    main()
