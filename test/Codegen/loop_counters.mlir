// Addresses are made of the loop's counter in each round, as GPUs add offsets to one
// address for nothing; LLVM would keep a register for each. It does where that saves a
// product by a stride or more than two extensions, and where the number of rounds is known.
// RUN: cutec %s --no-manifest -o - | FileCheck %s

gpu.module @m {
  // CHECK-LABEL: .entry constant_stride(
  // CHECK: .pragma "nounroll"
  // CHECK: mul.wide.u32 [[K:%rd[0-9]+]], {{%r[0-9]+}}, 96;
  // CHECK-NEXT: add.s64 [[P:%rd[0-9]+]], {{%rd[0-9]+}}, [[K]];
  // CHECK-NEXT: add.s64 [[Q:%rd[0-9]+]], {{%rd[0-9]+}}, [[K]];
  // CHECK-NEXT: ld.global.b32 [[V:%r[0-9]+]], {{\[}}[[P]]];
  // CHECK-NEXT: st.global.b32 {{\[}}[[Q]]], [[V]];
  // CHECK-NOT: add.s64
  // CHECK: ret;
  gpu.func @constant_stride(%in: !llvm.ptr<1>, %out: !llvm.ptr<1>, %n: i32) kernel {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %stride = arith.constant 24 : i64
    scf.for %i = %c0 to %n step %c1 : i32 {
      %wide = arith.extui %i : i32 to i64
      %k = arith.muli %wide, %stride : i64
      %p = llvm.getelementptr %in[%k] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
      %q = llvm.getelementptr %out[%k] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
      %a = llvm.load %p : !llvm.ptr<1> -> f32
      llvm.store %a, %q : f32, !llvm.ptr<1>
    } {cute.unroll = 1}
    gpu.return
  }

  // CHECK-LABEL: .entry stride(
  // CHECK: .pragma "nounroll"
  // CHECK-NOT: mul
  // CHECK: add.s64 [[K:%rd[0-9]+]], [[K]], %rd
  // CHECK-NOT: mul
  // CHECK: ret;
  gpu.func @stride(%in: !llvm.ptr<1>, %out: !llvm.ptr<1>, %n: i32, %stride: i64) kernel {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    scf.for %i = %c0 to %n step %c1 : i32 {
      %wide = arith.extui %i : i32 to i64
      %k = arith.muli %wide, %stride : i64
      %p = llvm.getelementptr %in[%k] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
      %q = llvm.getelementptr %out[%k] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
      %a = llvm.load %p : !llvm.ptr<1> -> f32
      llvm.store %a, %q : f32, !llvm.ptr<1>
    } {cute.unroll = 1}
    gpu.return
  }

  // CHECK-LABEL: .entry extensions(
  // CHECK: .pragma "nounroll"
  // CHECK-NOT: inline asm
  // CHECK: ret;
  gpu.func @extensions(%in: !llvm.ptr<1>, %out: !llvm.ptr<1>, %n: i32, %x: i32, %y: i32, %z: i32) kernel {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    scf.for %i = %c0 to %n step %c1 : i32 {
      %ix = arith.addi %i, %x : i32
      %iy = arith.addi %i, %y : i32
      %iz = arith.addi %i, %z : i32
      %kx = arith.extui %ix : i32 to i64
      %ky = arith.extui %iy : i32 to i64
      %kz = arith.extui %iz : i32 to i64
      %p = llvm.getelementptr %in[%kx] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
      %q = llvm.getelementptr %in[%ky] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
      %o = llvm.getelementptr %out[%kz] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
      %a = llvm.load %p : !llvm.ptr<1> -> f32
      %b = llvm.load %q : !llvm.ptr<1> -> f32
      %sum = arith.addf %a, %b : f32
      llvm.store %sum, %o : f32, !llvm.ptr<1>
    } {cute.unroll = 1}
    gpu.return
  }

  // CHECK-LABEL: .entry known_end(
  // CHECK: .pragma "nounroll"
  // CHECK-NOT: inline asm
  // CHECK: ret;
  gpu.func @known_end(%in: !llvm.ptr<1>, %out: !llvm.ptr<1>) kernel {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %n = arith.constant 1000 : i32
    %stride = arith.constant 24 : i64
    scf.for %i = %c0 to %n step %c1 : i32 {
      %wide = arith.extui %i : i32 to i64
      %k = arith.muli %wide, %stride : i64
      %p = llvm.getelementptr %in[%k] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
      %q = llvm.getelementptr %out[%k] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
      %a = llvm.load %p : !llvm.ptr<1> -> f32
      llvm.store %a, %q : f32, !llvm.ptr<1>
    } {cute.unroll = 1}
    gpu.return
  }
}
