"""Makes the plain product fold each thread's elements of C, and take the fold.

usage: plain_fold.py FILE [NAME=TEXT ...]: the parts that PARTS names; "; " ends a line.
"""
import sys

PARTS = {
    "begin": "0.0",
    "fold": "yield arith.maxnumf(%m, %x)",
    "warp": '%w = cute.warp_reduce<"maxnum"> (%folded)',
    "test": "%lane == 0",
    "take": "llvm.atomicrmw fmax %p, %w monotonic : !llvm.ptr<1>, f32",
}
FOLD = """
    %p = cute.to_llvm_ptr(cute.get_iter(%most)) : (!cute.ptr<f32, gmem, align<4>>) -> !llvm.ptr<1>
    %folded = for %i in 0..${BM*BN/128} carry(%m = {begin} : f32) {{
      %x = cute.load(%rC, %i)
      {fold}
    }}
    {warp}
    %lane = cute.lane_idx
    if {test} {{
      {take}
    }}
"""
parts = PARTS | dict(part.replace("; ", "\n      ").split("=", 1) for part in sys.argv[2:])
with open(sys.argv[1]) as file:
    text = file.read()
text = text.replace("%C: !matrix)", '%C: !matrix, %most: !cute.tensor<f32, gmem, align<4>, "1:1">)')
fold = FOLD.replace("${", "${{").replace("128}", "128}}").format(**parts)
print(text.replace("\n    // The result", fold + "\n    // The result"))
