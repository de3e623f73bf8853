"""A kernel that calls a chain of functions, each calling the next some times.

usage: calls_many.py DEPTH TIMES

The last writes with 16 bank conflicts; the kernel writes with 32 after that.
"""
import sys

depth, times = int(sys.argv[1]), int(sys.argv[2])
TENSOR = '!cute.tensor<f32, smem, align<128>, "(32,32):(32,1)">'
STORE = '''    %at = cute.make_coord(%row, %column) : (i32, i32) -> !cute.coord<"(?,?)">
    cute.store(%v, %t, %at)'''


def call(i):
    return (f"    func.call @f{i}(%t, %v, %row, %column) :"
            f" ({TENSOR}, f32, i32, i32) -> ()\n")


print("gpu.module @m {")
for i in range(depth):
    body = STORE if i == depth - 1 else call(i + 1) * times
    print(f"  func.func private @f{i}(%t: {TENSOR}, %v: f32, %row: i32,"
          f" %column: i32) {{\n{body}\n    return\n  }}")
print(f'''  gpu.func @k(%v: f32) kernel
      attributes {{known_block_size = array<i32: 32, 1, 1>}} {{
    %x = gpu.thread_id x
    %row = arith.index_cast %x : index to i32
    %c16 = arith.constant 16 : i32
    %column = arith.divui %row, %c16 : i32
    %layout = cute.static : !cute.layout<"(32,32):(32,1)">
    %t = cute.alloc_smem<f32, 128> (%layout)
{call(0)}    %at = cute.make_coord(%row, %c16) : (i32, i32) -> !cute.coord<"(?,?)">
    cute.store(%v, %t, %at)
    gpu.return
  }}
}}''')
