// Tiles below a condition on a number that a loop finds in memory: their accesses
// count, for the swizzle and for the lint.
// RUN: cute-opt %s --cute-swizzle 2>&1 | FileCheck %s
// RUN: cutec %s --arch=sm_80 --lint -o %t.ptx 2>&1 | FileCheck %s --check-prefix=LINT

// CHECK: remark: gets the swizzle S<3,3,3>: 0 bank conflicts of 896 remain
// CHECK: cute.alloc_smem<f16, 128> {{.*}} "S<3,3,3> o 0 o (128,64):(64,1)"
// LINT-NOT: have no thread
// LINT: source reads shared memory in 1024 wavefronts where 128 would do (8-way bank conflicts

!g = !cute.tensor<f16, gmem, align<16>, "(128,64):(64,1)">
gpu.module @m {
  gpu.func @k(%A: !g, %C: !g, %offsets: !cute.tensor<i32, gmem, align<4>, "?:1">, %n: i32) kernel attributes {known_block_size = array<i32: 128, 1, 1>, cute.grid = ["1"]} {
    %thread = cute.thread_idx
    %block = cute.block_idx
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %none = arith.constant -1 : i32
    %e = scf.for %i = %c0 to %n step %c1 iter_args(%e_ = %none) -> (i32) : i32 {
      %co = cute.make_coord(%i) : (i32) -> !cute.coord<"?">
      %o = cute.load(%offsets, %co)
      %is = arith.cmpi sle, %o, %block : i32
      %e2 = arith.select %is, %i, %e_ : i32
      scf.yield %e2 : i32
    }
    %exists = arith.cmpi sge, %e, %c0 : i32
    scf.if %exists {
      %l = cute.static : !cute.layout<"(128,64):(64,1)">
      %s = cute.alloc_smem<f16, 128> (%l)
      %vector = cute.static : !cute.copy_atom<"UniversalCopy<uint128_t>", f16>
      %threads = cute.static : !cute.layout<"(16,8):(8,1)">
      %values = cute.static : !cute.layout<"(1,8):(0,1)">
      %copy = cute.make_tiled_copy(%vector, %threads, %values)
      %a = cute.partition_s(%copy, %A, %thread)
      %b = cute.partition_d(%copy, %s, %thread)
      cute.copy(%copy, %a, %b)
      gpu.barrier
      %threads2 = cute.static : !cute.layout<"(128,1):(1,0)">
      %copy2 = cute.make_tiled_copy(%vector, %threads2, %values)
      %a2 = cute.partition_s(%copy2, %s, %thread)
      %b2 = cute.partition_d(%copy2, %C, %thread)
      cute.copy(%copy2, %a2, %b2)
    }
    gpu.return
  }
}
