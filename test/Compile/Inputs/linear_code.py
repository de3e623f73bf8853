"""Compiles a function of math on vectors of 64 and 256 elements, and checks that
four times the code takes no more than eight times the processor's time.

usage: linear_code.py CUTEC
"""
import resource
import subprocess
import sys

KERNEL = """
gpu.module @m {{
  gpu.func @k(%a: !cute.tensor<f32, gmem, align<16>, "{n}:1">) kernel {{
    %v = cute.load_vector(%a)
    %w = math.{function} %v : vector<{n}xf32>
    cute.store_vector(%w, %a)
    gpu.return
  }}
}}
"""


def seconds(cutec, function, n):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([cutec, "-", "--arch=sm_80", "--no-manifest", "-o", "-"],
                   input=KERNEL.format(function=function, n=n), check=True,
                   text=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime


def main():
    for function in ("erf", "exp", "tanh"):
        small, large = (min(seconds(sys.argv[1], function, n)
                            for _ in range(2)) for n in (64, 256))
        assert large < 8 * small, f"{function}: {small} s, {large} s"


if __name__ == "__main__":
    main()
