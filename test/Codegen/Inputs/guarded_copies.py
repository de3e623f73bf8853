"""Writes a kernel that copies the first N rows of A to C, one row of 8 elements after
another, through shared memory: by cp.async, zeros where A has no such row or column.

usage: guarded_copies.py N [--rows]

With --rows all columns are taken to exist where the first one does, so that what is
copied is known before the loop.
"""
import sys

ROWS = int(sys.argv[1])
COORDINATES = """
{0}%c = cute.local_tile(%identity, %tile, {1})
{0}%c_from = cute.partition_s(%copy, %c, %c0)
{0}%c_first = cute.slice(%c_from, %first)
{0}%p = cute.make_predicate(%c_first, %shape)"""
ONCE = EACH_TIME = ""
if "--rows" in sys.argv:
    ONCE = """
    %start = cute.make_coord(%c0, %c0) : (i32, i32) -> !cute.coord<"(?,?)">"""
    ONCE += COORDINATES.format("    ", "%start")
else:
    EACH_TIME = COORDINATES.format("      ", "%at")
print(f"""
!matrix = !cute.tensor<f16, gmem, align<16>, "(?,?):(?{{i64 div=8}},1)">

gpu.module @copies_module {{
  gpu.func @copies(%A: !matrix, %C: !matrix) kernel {{
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %first = cute.static : !cute.coord<"(0,_,_)">
    %tile = cute.static : !cute.shape<"({ROWS},8)">
    %layout = cute.get_layout(%A)
    %shape = cute.get_shape(%layout)
    %M, %K, %pitch = cute.get_scalars<{{only_dynamic}}> (%layout)
    %identity = cute.make_identity_tensor(%shape)
    %l = cute.static : !cute.layout<"({ROWS},8):(8,1)">
    %s = cute.alloc_smem<f16, 16> (%l)
    %async = cute.static : !cute.copy_atom<"SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<uint128_t>", f16>
    %threads = cute.static : !cute.layout<"(1,1):(1,1)">
    %values = cute.static : !cute.layout<"(1,8):(0,1)">
    %copy = cute.make_tiled_copy(%async, %threads, %values)
    %to = cute.partition_d(%copy, %s, %c0)
    %C_layout = cute.get_layout(%C)
    %N, %columns, %C_pitch = cute.get_scalars<{{only_dynamic}}> (%C_layout)
    %c8 = arith.constant 8 : i32
    %tiles = arith.divui %columns, %c8 : i32{ONCE}
    scf.for %k = %c0 to %tiles step %c1 : i32 {{
      %at = cute.make_coord(%c0, %k) : (i32, i32) -> !cute.coord<"(?,?)">
      %g = cute.local_tile(%A, %tile, %at)
      %from = cute.partition_s(%copy, %g, %c0){EACH_TIME}
      cute.copy(%copy, %from, %to, %p)
      cute.cp_async_commit
      cute.cp_async_wait<0>
      %g_to = cute.local_tile(%C, %tile, %at)
      cute.autovec_copy(%s, %g_to)
    }} {{cute.unroll = "none"}}
    gpu.return
  }}
}}""")
