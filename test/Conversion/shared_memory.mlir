// Shared memory: one global for a kernel, allocations in order at multiples of
// their alignment, and how much there is in the manifest.
// RUN: cute-opt %s --cute-lower | FileCheck %s
// RUN: cutec %s -o %t.ptx --manifest=%t.json
// RUN: FileCheck %s --check-prefix=JSON < %t.json
// RUN: FileCheck %s --check-prefix=PTX < %t.ptx

// 5 bytes, padding to 8, 40 bytes, padding to 1024, 8 floats (the block of 8
// elements that S<1,0,2> permutes within), 5 bytes: 1061.
// CHECK-DAG: llvm.mlir.global internal @offsets_smem() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<1061 x i8>
// CHECK-DAG: llvm.mlir.global internal @largest_smem() {{.*}} : !llvm.array<49152 x i8>
// CHECK-DAG: llvm.mlir.global external @dynamic_smem() {{.*}} : !llvm.array<0 x i8>
// 12 bytes, one branch with 12 bytes at 16 and one with 40, which begin together or
// not, and 12 bytes more.
// CHECK-DAG: llvm.mlir.global internal @branches_smem() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<68 x i8>
// CHECK-DAG: llvm.mlir.global internal @apart_smem() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<84 x i8>
// CHECK-NOT: none_smem
// CHECK-LABEL: gpu.func @offsets(
// CHECK: %[[B:.*]] = llvm.mlir.addressof @offsets_smem : !llvm.ptr<3>
// CHECK: llvm.getelementptr %[[B]][8] {{.*}}, i8
// CHECK: llvm.getelementptr %[[B]][1024] {{.*}}, i8
// CHECK: llvm.getelementptr %[[B]][1056] {{.*}}, i8

// PTX-DAG: .extern .shared .align 16 .b8 dynamic_smem[];

// JSON: "kernels"
// JSON: "name": "offsets"
// JSON: "static_shared_bytes": 1061,
// JSON: "dynamic_shared_bytes": 0,
// JSON: "name": "largest"
// JSON: "static_shared_bytes": 49152,
// JSON: "dynamic_shared_bytes": 0,
// JSON: "name": "dynamic"
// JSON: "static_shared_bytes": 0,
// JSON: "dynamic_shared_bytes": 49153,
// JSON: "name": "none"
// JSON: "static_shared_bytes": 0,
// JSON: "dynamic_shared_bytes": 0,

gpu.module @shared {
  gpu.func @offsets(%v: i8, %w: f64, %u: f32) kernel {
    %l = cute.static : !cute.layout<"5:1">
    %x = cute.static : !cute.composed_layout<"S<1,0,2> o 0 o 5:1">
    %c = cute.static : !cute.coord<"0">
    %a = cute.alloc_smem<i8, 1> (%l)
    %b = cute.alloc_smem<f64, 8> (%l)
    %s = cute.alloc_smem<f32, 1024> (%x)
    %d = cute.alloc_smem<i8, 1> (%l)
    gpu.return
  }
  gpu.func @largest(%v: i8, %i: i32, %t: !cute.tensor<i8, gmem, align<1>, "1:0">) kernel {
    %l = cute.static : !cute.layout<"49152:1">
    %a = cute.alloc_smem<i8, 1> (%l)
    gpu.return
  }
  gpu.func @dynamic(%v: i8, %i: i32, %t: !cute.tensor<i8, gmem, align<1>, "1:0">) kernel {
    %l = cute.static : !cute.layout<"49153:1">
    %a = cute.alloc_smem<i8, 1> (%l)
    %c = cute.make_coord(%i) : (i32) -> !cute.coord<"?">
    %z = cute.static : !cute.coord<"0">
    cute.store(%v, %a, %c) : i8, !cute.tensor<i8, smem, align<1>, "49153:1">, !cute.coord<"?">
    gpu.barrier
    %w = cute.load(%a, %z)
    cute.store(%w, %t, %z) : i8, !cute.tensor<i8, gmem, align<1>, "1:0">, !cute.coord<"0">
    gpu.return
  }
  gpu.func @none(%v: i8) kernel {
    gpu.return
  }
  gpu.func @branches(%p: i1, %v: f32) kernel attributes {cute.share_branches} {
    %l = cute.static : !cute.layout<"10:1">
    %s = cute.static : !cute.layout<"3:1">
    %z = cute.static : !cute.coord<"0">
    %a = cute.alloc_smem<f32, 4> (%s)
    cute.store(%v, %a, %z) : f32, !cute.tensor<f32, smem, align<4>, "3:1">, !cute.coord<"0">
    scf.if %p {
      %b = cute.alloc_smem<f32, 16> (%s)
      cute.store(%v, %b, %z) : f32, !cute.tensor<f32, smem, align<16>, "3:1">, !cute.coord<"0">
    } else {
      %c = cute.alloc_smem<f32, 16> (%l)
      cute.store(%v, %c, %z) : f32, !cute.tensor<f32, smem, align<16>, "10:1">, !cute.coord<"0">
    }
    %d = cute.alloc_smem<f32, 4> (%s)
    cute.store(%v, %d, %z) : f32, !cute.tensor<f32, smem, align<4>, "3:1">, !cute.coord<"0">
    gpu.return
  }
  gpu.func @apart(%p: i1, %v: f32) kernel {
    %l = cute.static : !cute.layout<"10:1">
    %s = cute.static : !cute.layout<"3:1">
    %z = cute.static : !cute.coord<"0">
    %a = cute.alloc_smem<f32, 4> (%s)
    cute.store(%v, %a, %z) : f32, !cute.tensor<f32, smem, align<4>, "3:1">, !cute.coord<"0">
    scf.if %p {
      %b = cute.alloc_smem<f32, 16> (%s)
      cute.store(%v, %b, %z) : f32, !cute.tensor<f32, smem, align<16>, "3:1">, !cute.coord<"0">
    } else {
      %c = cute.alloc_smem<f32, 16> (%l)
      cute.store(%v, %c, %z) : f32, !cute.tensor<f32, smem, align<16>, "10:1">, !cute.coord<"0">
    }
    %d = cute.alloc_smem<f32, 4> (%s)
    cute.store(%v, %d, %z) : f32, !cute.tensor<f32, smem, align<4>, "3:1">, !cute.coord<"0">
    gpu.return
  }
}
