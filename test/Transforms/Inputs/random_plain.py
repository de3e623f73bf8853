"""Runs plain kernels at random on the simulator as they are, against float64 where a formula says what they compute, and
as cute-optimize makes them for each architecture, in an order of threads at random: the bits must be the same.

usage: random_plain.py CUTE-RUN CUTE-OPT PREFIX COUNT [SEED [FIRST]]

Kernel i of a seed is the same whatever the count and the first one. PREFIX.mlir is the last one that was run; one that
fails is left as PREFIX.SEED.I.mlir. Sums are of integers, so that their order makes no difference.
"""
import pathlib
import random
import shutil
import subprocess
import sys

import random_computed
import random_products
import random_shared

ARCHITECTURES = [("sm_80", "the loop has"), ("sm_90a", "wgmma multiplies"), ("sm_100a", "tcgen05.mma multiplies")]
SECONDS = 300  # that a run may take


class Runs:
    """Kernels of a seed, and what became of them."""

    def __init__(self, tool, opt, prefix, seed):
        self.tool, self.opt, self.prefix, self.seed = tool, opt, prefix, seed
        self.made = dict.fromkeys((arch for arch, _ in ARCHITECTURES), 0)

    def run(self, arch, kernel, options):
        """(What the kernel writes, or None if it fails; the problem)."""
        outputs = [(i, f"{self.prefix}.{i}.npy") for i in kernel.outputs]
        command = [self.tool, "--device=sim", f"--arch={arch}", *options, f"{self.prefix}.mlir",
                   *(argument for *_, argument in kernel.parameters())]
        for i, path in outputs:
            command += ["--output", f"{i}={path}"]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS)
        except subprocess.TimeoutExpired:
            return None, f"takes more than {SECONDS} seconds"
        if done.returncode:
            return None, done.stdout + done.stderr
        return [pathlib.Path(path).read_bytes() for _, path in outputs], ""

    def remarks(self, arch):
        """What cute-optimize says."""
        command = [self.opt, f"{self.prefix}.mlir", f"--pass-pipeline=cute-optimize{{arch={arch}}}", "-o", "/dev/null"]
        return subprocess.run(command, capture_output=True, text=True).stderr

    def problem(self, kernel, order):
        """What is wrong with a kernel, or nothing."""
        check = kernel.check()
        options = ["--check", check[0], f"--tolerance={check[1]}"] if check else []
        expected, said = self.run("sm_90a", kernel, options)
        if expected is None:
            return f"as it is: {said}"
        for arch, remark in ARCHITECTURES:
            if arch == "sm_80" and "SM89" in kernel.text():
                continue
            found, said = self.run(arch, kernel, ["--passes=cute-optimize", f"--schedule={order}"])
            if found != expected:
                return f"for {arch}: {said if found is None else 'other bits'}"
            self.made[arch] += remark in self.remarks(arch)
        return None

    def is_right(self, i):
        """Whether kernel i is right; says what is wrong."""
        generator = random.Random(f"{self.seed} {i}")
        kernel = generator.choice([random_products, random_products, random_shared, random_computed]).choose(generator)
        source = pathlib.Path(f"{self.prefix}.mlir")
        source.write_text(kernel.text(), encoding="utf-8")
        problem = self.problem(kernel, generator.randrange(99))
        if problem:
            kept = f"{self.prefix}.{self.seed}.{i}.mlir"
            shutil.copy(source, kept)
            print(f"{kept}: {kernel}\n  {problem[:900]}", flush=True)
        return not problem


def main():
    tool, opt, prefix, count, *rest = sys.argv[1:]
    seed, first = (*map(int, rest), *(1, 0)[len(rest):])
    runs = Runs(tool, opt, prefix, seed)
    wrong = sum(not runs.is_right(i) for i in range(first, first + int(count)))
    print(f"{wrong} of {count} wrong; " + ", ".join(f"{made} changed for {arch}" for arch, made in runs.made.items()))


if __name__ == "__main__":
    main()
