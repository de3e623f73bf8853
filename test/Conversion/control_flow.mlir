// Values of the dialect are used inside loops, branches and blocks; integers
// that loops carry become parts of coordinates.
// RUN: cute-opt %s --cute-lower | FileCheck %s --implicit-check-not=cute.
// RUN: cutec %s -o - | FileCheck %s --check-prefix=PTX

gpu.module @flow {
  // A sum over a column, with the row as loop variable.
  // CHECK-LABEL: gpu.func @for(
  // CHECK-SAME: %[[P:.*]]: !llvm.ptr<1> {{{.*}}}, %[[N:.*]]: i32
  // CHECK: scf.for %[[I:.*]] = {{.*}} iter_args(%[[S:.*]] = %{{.*}}) -> (f32) : i32 {
  // CHECK: %[[O:.*]] = arith.muli %[[I]], %{{.*}}
  // CHECK: %[[A:.*]] = llvm.getelementptr %[[P]][%[[O]]]
  // CHECK: %[[V:.*]] = llvm.load %[[A]]
  // CHECK: %[[T:.*]] = arith.addf %[[S]], %[[V]]
  // CHECK: scf.yield %[[T]]
  // PTX-LABEL: .entry for(
  // PTX: ld.global.b32
  // PTX: add.rn.f32
  gpu.func @for(%t: !cute.tensor<f32, gmem, align<4>, "(?,4):(4,1)">) kernel {
    %l = cute.get_layout(%t)
    %n = cute.get_scalars<{only_dynamic}> (%l) : !cute.layout<"(?,4):(4,1)">
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant 0.0 : f32
    %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (f32) : i32 {
      %c = cute.make_coord(%i) : (i32) -> !cute.coord<"(?,0)">
      %v = cute.load(%t, %c)
      %u = arith.addf %s, %v : f32
      scf.yield %u : f32
    }
    %z = cute.static : !cute.coord<"(0,1)">
    cute.store(%sum, %t, %z) : f32, !cute.tensor<f32, gmem, align<4>, "(?,4):(4,1)">, !cute.coord<"(0,1)">
    gpu.return
  }

  // What is computed outside is used in both regions of a while, and of an if.
  // CHECK-LABEL: gpu.func @while(
  // CHECK: scf.while
  // CHECK: llvm.load
  // CHECK: scf.condition
  // CHECK: scf.if
  // CHECK: llvm.store
  // CHECK: else
  // CHECK: llvm.store
  gpu.func @while(%t: !cute.tensor<i32, gmem, align<4>, "?:1">, %n: i32, %b: i1) kernel {
    %c1 = arith.constant 1 : i32
    %at = cute.make_coord(%n) : (i32) -> !cute.coord<"?">
    %last = scf.while (%i = %n) : (i32) -> i32 {
      %c = cute.make_coord(%i) : (i32) -> !cute.coord<"?">
      %v = cute.load(%t, %c)
      %more = arith.cmpi ne, %v, %c1 : i32
      scf.condition(%more) %v : i32
    } do {
    ^bb0(%j: i32):
      %k = arith.addi %j, %c1 : i32
      scf.yield %k : i32
    }
    scf.if %b {
      cute.store(%last, %t, %at) : i32, !cute.tensor<i32, gmem, align<4>, "?:1">, !cute.coord<"?">
    } else {
      %z = cute.static : !cute.coord<"0">
      cute.store(%last, %t, %z) : i32, !cute.tensor<i32, gmem, align<4>, "?:1">, !cute.coord<"0">
    }
    gpu.return
  }

  // A coordinate of the first block is used in others.
  // CHECK-LABEL: gpu.func @blocks(
  // CHECK-SAME: %[[P:.*]]: !llvm.ptr<1> {{{.*}}}, %{{.*}}: i32, %[[N:.*]]: i32
  // CHECK: cf.cond_br
  // CHECK: llvm.getelementptr %[[P]][%[[N]]]
  // CHECK: llvm.load
  // CHECK: cf.br
  // CHECK: llvm.getelementptr %[[P]][%[[N]]]
  // CHECK: llvm.store
  gpu.func @blocks(%t: !cute.tensor<f32, gmem, align<4>, "?:1">, %n: i32, %b: i1) kernel {
    %c = cute.make_coord(%n) : (i32) -> !cute.coord<"?">
    %z = arith.constant 0.0 : f32
    cf.cond_br %b, ^load, ^end(%z : f32)
  ^load:
    %v = cute.load(%t, %c)
    cf.br ^end(%v : f32)
  ^end(%x: f32):
    cute.store(%x, %t, %c) : f32, !cute.tensor<f32, gmem, align<4>, "?:1">, !cute.coord<"?">
    gpu.return
  }

  // Fragments live outside of loops, wherever they are made.
  // CHECK-LABEL: gpu.func @fragment_in_loop(
  // CHECK: llvm.alloca
  // CHECK: scf.for
  // CHECK-NOT: llvm.alloca
  // CHECK: gpu.return
  // PTX-LABEL: .entry fragment_in_loop(
  // PTX-NOT: .local
  // PTX: ret;
  gpu.func @fragment_in_loop(%t: !cute.tensor<f32, gmem, align<16>, "(4,?):(1,4)">, %n: i32) kernel {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %a = cute.static : !cute.copy_atom<"UniversalCopy<uint128_t>", f32>
    scf.for %i = %c0 to %n step %c1 : i32 {
      %j = arith.addi %i, %c1 : i32
      %ci = cute.make_coord(%i) : (i32) -> !cute.coord<"(_,?)">
      %cj = cute.make_coord(%j) : (i32) -> !cute.coord<"(_,?)">
      %from = cute.slice(%t, %ci)
      %to = cute.slice(%t, %cj)
      %f = cute.make_fragment_like (%from)
      cute.copy(%a, %from, %f)
      cute.copy(%a, %f, %to)
    }
    gpu.return
  }

  // Functions of other dialects can be called with what is loaded.
  // CHECK-LABEL: gpu.func @caller(
  // CHECK: %[[V:.*]] = llvm.load
  // CHECK: %[[W:.*]] = func.call @twice(%[[V]])
  // CHECK: llvm.store %[[W]]
  func.func @twice(%x: f32) -> f32 {
    %y = arith.addf %x, %x : f32
    return %y : f32
  }
  gpu.func @caller(%t: !cute.tensor<f32, gmem, align<4>, "4:1">) kernel {
    %c = cute.static : !cute.coord<"3">
    %v = cute.load(%t, %c)
    %w = func.call @twice(%v) : (f32) -> f32
    cute.store(%w, %t, %c) : f32, !cute.tensor<f32, gmem, align<4>, "4:1">, !cute.coord<"3">
    gpu.return
  }
}
