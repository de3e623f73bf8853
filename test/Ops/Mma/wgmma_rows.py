"""Writes a kernel for each wgmma atom of a list.

usage: cutec --list-atoms | wgmma_rows.py [COLUMNS...] > kernels.mlir

Without numbers of columns, of each atom with the most swizzle that its tiles
admit; with them, of the atoms with so many columns and every swizzle. A kernel
multiplies one tile of a row of the swizzle along K, whose contents do not
matter, from shared memory, or with A in registers.
"""
import re
import sys

ELEMENTS = {"F16": ("f16", 16), "BF16": ("bf16", 16), "TF32": ("tf32", 32),
            "E4M3": ("f8E4M3FN", 8), "E5M2": ("f8E5M2", 8), "S8": ("i8", 8),
            "U8": ("ui8", 8)}
SUMS = {"F32": "f32", "F16": "f16", "S32": "i32"}
NAME = re.compile(r"SM90_64x(\d+)x(\d+)_(F32|F16|S32)"
                  r"(BF16|TF32|F16|E4M3|E5M2|S8|U8)"
                  r"(BF16|TF32|F16|E4M3|E5M2|S8|U8)_(SS|RS)(_TN|<(\w+),(\w+)>)")


def layout_atom(major, bits, swizzle):
    """A tile that wgmma reads, as text, and its row's elements."""
    unit = 128 // bits
    row = unit << swizzle
    plain = f"(8,{row}):({row},1)" if major == "K" else f"({row},8):(1,{row})"
    if not swizzle:
        return f'!cute.layout<"{plain}">', row
    base = unit.bit_length() - 1
    return f'!cute.composed_layout<"S<{swizzle},{base},3> o 0 o {plain}">', row


def admits(major, extent, bits, swizzle):
    return major == "K" or extent % ((128 // bits) << swizzle) == 0


def kernel(number, name, match, swizzle):
    n, k = int(match[1]), int(match[2])
    (a, bits), (b, _) = ELEMENTS[match[4]], ELEMENTS[match[5]]
    d = SUMS[match[3]]
    major_a, major_b = match[8] or "K", match[9] or "K"
    shared_a = match[6] == "SS"
    atom_a, row = layout_atom(major_a, bits, swizzle)
    atom_b, _ = layout_atom(major_b, bits, swizzle)
    depth = max(row, 2 * k)
    lines = f"""\
  gpu.func @k{number}(%C: !cute.tensor<{d}, gmem, align<16>, "(64,{n}):({n},1)">) kernel
      attributes {{known_block_size = array<i32: 128, 1, 1>}} {{
    %t = gpu.thread_id x
    %i = arith.index_cast %t : index to i32
    %atom = cute.static : !cute.mma_atom<"{name}">
    %one = cute.static : !cute.layout<"(1,1,1):(0,0,0)">
    %mma = cute.make_tiled_mma(%atom, %one)
    %pC = cute.partition_c(%mma, %C, %i)
    %rC = cute.make_fragment_c(%mma, %pC)
    %tileB = cute.static : {atom_b}
    %shapeB = cute.static : !cute.shape<"({n},{depth})">
    %layoutB = cute.tile_to_shape(%tileB, %shapeB)
    %sB = cute.alloc_smem<{b}, 1024> (%layoutB)
    %pB = cute.partition_b(%mma, %sB, %i)
    %dB = cute.make_fragment_b(%mma, %pB)
    %shapeA = cute.static : !cute.shape<"(64,{depth})">
"""
    if shared_a:
        lines += f"""\
    %tileA = cute.static : {atom_a}
    %layoutA = cute.tile_to_shape(%tileA, %shapeA)
    %sA = cute.alloc_smem<{a}, 1024> (%layoutA)
    %pA = cute.partition_a(%mma, %sA, %i)
    %dA = cute.make_fragment_a(%mma, %pA)
    cute.warpgroup_fence()
"""
    else:
        lines += """\
    %all = cute.make_identity_tensor(%shapeA)
    %pA = cute.partition_a(%mma, %all, %i)
    %dA = cute.make_fragment_a(%mma, %pA)
    cute.clear(%dA)
    cute.warpgroup_fence(%dA)
"""
    return lines + """\
    %no = arith.constant false
    cute.gemm(%mma, %rC, %dA, %dB, %rC, %no)
    cute.warpgroup_commit
    cute.warpgroup_wait<0> (%rC)
    cute.autovec_copy(%rC, %pC)
    gpu.return
  }
"""


def main():
    columns = {int(argument) for argument in sys.argv[1:]}
    number = 0
    print("gpu.module @rows {")
    for line in sys.stdin:
        match = NAME.match(line)
        if not match or columns and int(match[1]) not in columns:
            continue
        bits = ELEMENTS[match[4]][1]
        swizzles = [s for s in (3, 2, 1, 0)
                    if admits(match[8] or "K", 64, bits, s)
                    and admits(match[9] or "K", int(match[1]), bits, s)]
        for swizzle in swizzles if columns else swizzles[:1]:
            print(kernel(number, line.split()[0], match, swizzle), end="")
            number += 1
    print("}")


if __name__ == "__main__":
    main()
