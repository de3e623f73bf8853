"""examples/gemm_plain.mlir with arithmetic on all sums of a thread at once, as one vector,
in place of their conversion to f16: prints the text with the epilogue that is named."""
import sys

LOAD = "    %acc = cute.load_vector(%rC)\n"
STORE = """    %narrow = arith.truncf %result : vector<128xf32> to vector<128xf16>
    cute.store_vector(%narrow, %rD)
"""
EPILOGUES = {
    "gelu": """    %half = arith.constant dense<0.5> : vector<128xf32>
    %ones = arith.constant dense<1.0> : vector<128xf32>
    %rsqrt2 = arith.constant dense<0.70710678> : vector<128xf32>
    %u = arith.mulf %acc, %rsqrt2 : vector<128xf32>
    %e = math.erf %u : vector<128xf32>
    %e1 = arith.addf %e, %ones : vector<128xf32>
    %h = arith.mulf %acc, %half : vector<128xf32>
    %result = arith.mulf %h, %e1 : vector<128xf32>
""",
    "tanh": """    %c2r = cute.make_tiled_copy_c(!pair, %mma)
    %gC0, %pC0 = cute.predicated_tile_s(%c2r, %C, ($BM,$BN), (%bm,%bn), %thread)
    %r0 = cute.make_fragment_like<f16> (%rC)
    cute.clear(%r0)
    %r0_write = cute.retile(%c2r, %r0)
    cute.copy(%c2r, %gC0, %r0_write, %pC0)
    %v0 = cute.load_vector(%r0)
    %w0 = arith.extf %v0 : vector<128xf16> to vector<128xf32>
    %x = arith.addf %acc, %w0 : vector<128xf32>
    %half = arith.constant dense<0.5> : vector<128xf32>
    %a = arith.constant dense<0.79788456> : vector<128xf32>
    %b = arith.constant dense<0.03567741> : vector<128xf32>
    %x2 = arith.mulf %x, %x : vector<128xf32>
    %bx2 = arith.mulf %b, %x2 : vector<128xf32>
    %abx2 = arith.addf %a, %bx2 : vector<128xf32>
    %u = arith.mulf %x, %abx2 : vector<128xf32>
    %t = math.tanh %u fastmath<fast> : vector<128xf32>
    %ht = arith.mulf %half, %t : vector<128xf32>
    %s = arith.addf %half, %ht : vector<128xf32>
    %result = arith.mulf %x, %s : vector<128xf32>
""",
    "softmax": """    %zero = arith.constant 0.0 : f32
    %low = arith.constant -1.0e30 : f32
    %max = cute.reduce_vector<"max", "((2,2),4,8)", "((1,_),_,1)"> (%acc, %low)
    %max_all = cute.broadcast_vector<"((1,2),4,1)", "((2,2),4,8)"> (%max)
    %d = arith.subf %acc, %max_all : vector<128xf32>
    %e = math.exp %d : vector<128xf32>
    %sum = cute.reduce_vector<"add", "((2,2),4,8)", "((1,_),_,1)"> (%e, %zero)
    %sum_all = cute.broadcast_vector<"((1,2),4,1)", "((2,2),4,8)"> (%sum)
    %result = arith.divf %e, %sum_all : vector<128xf32>
""",
}

text = open(sys.argv[1], encoding="utf-8").read()
before = "    cute.convert(%rC, %rD)\n"
assert before in text
print(text.replace(before, LOAD + EPILOGUES[sys.argv[2]] + STORE), end="")
