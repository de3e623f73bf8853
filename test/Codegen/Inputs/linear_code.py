"""Compiles functions of math on vectors, and copies of elements at a distance that is
not known, plain and predicated; checks that four times the code takes no more than eight
times the processor's time.

usage: linear_code.py CUTEC
"""
import resource
import subprocess
import sys

MATH = """
gpu.module @m {{
  gpu.func @k(%a: !cute.tensor<f32, gmem, align<16>, "{n}:1">) kernel {{
    %v = cute.load_vector(%a)
    %w = math.{function} %v : vector<{n}xf32>
    cute.store_vector(%w, %a)
    gpu.return
  }}
}}
"""

COPY = """
!t = !cute.tensor<f32, gmem, align<4>, "({n},?):(?,1)">
gpu.module @m {{
  gpu.func @k(%A: !t, %B: !t, %n: i32) kernel {{
    %t = cute.thread_idx
    %a = cute.slice(%A, (_,%t))
    %b = cute.slice(%B, (_,%t))
    %r = cute.make_fragment_like(%a)
    %c = cute.make_identity_tensor({n})
    %s = cute.make_shape(%n) : (i32) -> !cute.shape<"?">
    %p = cute.make_predicate(%c, %s)
    cute.basic_copy{which}%a, %r)
    cute.basic_copy{which}%r, %b)
    gpu.return
  }}
}}
"""

# A kernel, what goes into it, and the smaller number of elements.
ROWS = (
    (MATH, {"function": "erf"}, 64),
    (MATH, {"function": "exp"}, 64),
    (MATH, {"function": "tanh"}, 64),
    (COPY, {"which": "("}, 128),
    (COPY, {"which": "_if(%p, "}, 96),
)


def seconds(cutec, kernel):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([cutec, "-", "--arch=sm_80", "--no-manifest", "-o", "-"],
                   input=kernel, check=True, text=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime


def main():
    for text, names, n in ROWS:
        small, large = (min(seconds(sys.argv[1], text.format(n=size, **names))
                            for _ in range(2)) for size in (n, 4 * n))
        assert large < 8 * small, f"{names}: {small} s, {large} s"


if __name__ == "__main__":
    main()
