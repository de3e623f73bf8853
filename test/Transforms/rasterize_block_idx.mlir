// cute-rasterize replaces cute.block_idx as gpu.block_id.
// RUN: cute-opt %s --pass-pipeline='builtin.module(cute-rasterize{group=4})' 2>/dev/null | FileCheck %s

// CHECK-LABEL: gpu.func @tile
// CHECK: arith.remui
// CHECK-NOT: cute.block_idx
// CHECK: cute.make_coord(%{{.*}}, %{{.*}}) : (i32, i32)
gpu.module @kernels {
  gpu.func @tile(%t: !cute.tensor<f32, gmem, align<4>, "(?,?):(?,1)">, %v: f32) kernel {
    %x = cute.block_idx
    %y = cute.block_idx<"y">
    %c = cute.make_coord(%x, %y) : (i32, i32) -> !cute.coord<"(?,?)">
    cute.store(%v, %t, %c)
    gpu.return
  }
}
