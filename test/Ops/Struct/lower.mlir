// A struct is a part of the kernel's shared memory, its members lie where C has
// them, and the manifest has the size of all.
// RUN: cute-opt %s --cute-lower | FileCheck %s --implicit-check-not=cute.
// RUN: cutec %s -o %t.ptx && FileCheck %s --check-prefix=MANIFEST < %t.json

// 16 bytes before the struct, which begins at a multiple of 128: members at
// 128, 1152 = 128 + 1024 and 1168 + 4, all in all 128 + 1152.
gpu.module @structs {
  // CHECK: llvm.mlir.global external @dynamic_smem() {{.*}} : !llvm.array<0 x i8>
  // CHECK: llvm.mlir.global internal @static_smem() {addr_space = 3 : i32, alignment = 128 : i64} : !llvm.array<1280 x i8>
  // CHECK-LABEL: gpu.func @static(
  // CHECK-SAME: %[[X:.*]]: f16, %[[N:.*]]: i64)
  // CHECK: %[[B:.*]] = llvm.mlir.addressof @static_smem
  // CHECK: %[[S:.*]] = llvm.getelementptr %[[B]][128] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
  // CHECK: %[[BARS:.*]] = llvm.getelementptr %[[S]][128] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i64
  // CHECK: %[[IM:.*]] = llvm.getelementptr %[[S]][522] : (!llvm.ptr<3>) -> !llvm.ptr<3>, f16
  // CHECK: %[[A:.*]] = llvm.getelementptr %[[S]][511] : (!llvm.ptr<3>) -> !llvm.ptr<3>, f16
  // CHECK: llvm.store %[[X]], %[[A]]
  // CHECK: %[[B1:.*]] = llvm.getelementptr %[[BARS]][1] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i64
  // CHECK: llvm.store %[[N]], %[[B1]]
  // CHECK: llvm.store %[[X]], %[[IM]]
  // MANIFEST: "name": "static"
  // MANIFEST: "static_shared_bytes": 1280
  // MANIFEST: "dynamic_shared_bytes": 0
  gpu.func @static(%x: f16, %n: i64) kernel {
    %l8 = cute.static : !cute.layout<"8:1">
    %first = cute.alloc_smem<f16, 16> (%l8)
    %s = cute.alloc_struct : !cute.struct<"a: f16 x 512 align 128; bars: i64 x 2; c: {re: f32; im: f16}">
    %l = cute.static : !cute.layout<"(8,64):(64,1)">
    %a = cute.struct_member<"a"> (%s, %l)
    %l2 = cute.static : !cute.layout<"2:1">
    %bars = cute.struct_member<"bars"> (%s, %l2)
    %l1 = cute.static : !cute.layout<"1:0">
    %im = cute.struct_member<"c.im"> (%s, %l1)
    %end = cute.static : !cute.coord<"(7,63)">
    %c1 = cute.static : !cute.coord<"1">
    %c0 = cute.static : !cute.coord<"0">
    cute.store(%x, %a, %end) : f16, !cute.tensor<f16, smem, align<128>, "(8,64):(64,1)">, !cute.coord<"(7,63)">
    cute.store(%n, %bars, %c1) : i64, !cute.tensor<i64, smem, align<128>, "2:1">, !cute.coord<"1">
    cute.store(%x, %im, %c0) : f16, !cute.tensor<f16, smem, align<4>, "1:0">, !cute.coord<"0">
    gpu.return
  }

  // More than a kernel can declare is allocated at its launch.
  // MANIFEST: "name": "dynamic"
  // MANIFEST: "static_shared_bytes": 0
  // MANIFEST: "dynamic_shared_bytes": 65544
  gpu.func @dynamic(%x: f32) kernel {
    %s = cute.alloc_struct : !cute.struct<"bar: i64; a: f32 x 16384 align 8">
    %a = cute.struct_member<"a"> (%s)
    %l = cute.static : !cute.layout<"16384:1">
    %t = cute.make_tensor(%a, %l)
    %c = cute.static : !cute.coord<"16383">
    cute.store(%x, %t, %c) : f32, !cute.tensor<f32, smem, align<8>, "16384:1">, !cute.coord<"16383">
    gpu.return
  }
}
