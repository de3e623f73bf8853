// base-prepare and one-shot-convert-to-llvm go on from cute-to-base.
// RUN: cute-opt %s --cute-fold-static --cute-expand-ops --cute-to-base --base-prepare | FileCheck %s --check-prefix=PREPARED
// RUN: cute-opt %s --cute-fold-static --cute-expand-ops --cute-to-base --base-prepare --one-shot-convert-to-llvm | FileCheck %s --implicit-check-not=arith. --implicit-check-not=func.func --implicit-check-not=gpu.func --implicit-check-not=scf. --implicit-check-not=math. --implicit-check-not=ub.poison

// A tiled layout at a coordinate costs a product and a sum.
// PREPARED-LABEL: func.func @tile_index(
// PREPARED-SAME: %{{.*}}: i32, %[[I:.*]]: i32) -> i32
// PREPARED-NEXT: %[[C26:.*]] = arith.constant 26 : i32
// PREPARED-NEXT: %[[C32:.*]] = arith.constant 32 : i32
// PREPARED-NEXT: %[[P:.*]] = arith.muli %[[I]], %[[C32]]
// PREPARED-NEXT: %[[S:.*]] = arith.addi %[[P]], %[[C26]]
// PREPARED-NEXT: return %[[S]]
// CHECK-LABEL: llvm.func @tile_index(%{{.*}}: i32, %{{.*}}: i32) -> i32
// CHECK: llvm.mul
// CHECK: llvm.add
func.func @tile_index(%m: i32, %i: i32) -> !cute.int_tuple<"?"> {
  %s = cute.make_shape(%m) : (i32) -> !cute.shape<"(?,8)">
  %d = cute.static : !cute.stride<"(8,1)">
  %l = cute.make_layout(%s, %d) : (!cute.shape<"(?,8)">, !cute.stride<"(8,1)">) -> !cute.layout<"(?,8):(8,1)">
  %t = cute.static : !cute.tile<"[4;2]">
  %z = cute.zipped_divide(%l, %t) : (!cute.layout<"(?,8):(8,1)">, !cute.tile<"[4;2]">) -> !cute.layout<"((4,2),(?,4)):((8,1),(32,2))">
  %c = cute.make_coord(%i) : (i32) -> !cute.coord<"(3,(?,1))">
  %r = cute.layout_eval(%c, %z) : (!cute.coord<"(3,(?,1))">, !cute.layout<"((4,2),(?,4)):((8,1),(32,2))">) -> !cute.int_tuple<"?">
  return %r : !cute.int_tuple<"?">
}

// A callee takes its layout apart; the caller's static value is poison.
// PREPARED-LABEL: func.func @size(
// PREPARED-SAME: %{{.*}}: !llvm.struct<(struct<(i32, i32)>, struct<()>)>, %{{.*}}: !llvm.struct<()>) -> i32
// PREPARED-COUNT-1: arith.muli
// PREPARED-NEXT: return
// CHECK-LABEL: llvm.func @size(
func.func @size(%l: !cute.layout<"(?,?):(1,4)">, %s: !cute.shape<"4">) -> !cute.int_tuple<"?"> {
  %0 = cute.size(%l) : (!cute.layout<"(?,?):(1,4)">) -> !cute.int_tuple<"?">
  return %0 : !cute.int_tuple<"?">
}
// PREPARED-LABEL: func.func @caller(
// PREPARED: ub.poison : !llvm.struct<()>
// PREPARED: call @size
// CHECK-LABEL: llvm.func @caller(
// CHECK: llvm.call @size(
func.func @caller(%l: !cute.layout<"(?,?):(1,4)">) -> !cute.int_tuple<"?"> {
  %s = cute.static : !cute.shape<"4">
  %0 = call @size(%l, %s) : (!cute.layout<"(?,?):(1,4)">, !cute.shape<"4">) -> !cute.int_tuple<"?">
  return %0 : !cute.int_tuple<"?">
}

// Control flow with integers, and a kernel.
// PREPARED-LABEL: func.func @sum(
// CHECK-LABEL: llvm.func @sum(
// CHECK: llvm.cond_br
func.func @sum(%l: !cute.layout<"(4,?):(?,1)">, %n: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %c0) -> (i32) : i32 {
    %c = cute.make_coord(%i) : (i32) -> !cute.coord<"?">
    %at = cute.layout_eval(%c, %l) : (!cute.coord<"?">, !cute.layout<"(4,?):(?,1)">) -> !cute.int_tuple<"?">
    %v = cute.get_scalars (%at) : !cute.int_tuple<"?">
    %t = arith.addi %s, %v : i32
    scf.yield %t : i32
  }
  return %sum : i32
}
// CHECK-LABEL: gpu.module @m
gpu.module @m {
  // CHECK: llvm.func @at(
  func.func @at(%l: !cute.layout<"(4,?):(?,1)">, %i: i32) -> i32 {
    %c = cute.make_coord(%i) : (i32) -> !cute.coord<"?">
    %at = cute.layout_eval(%c, %l) : (!cute.coord<"?">, !cute.layout<"(4,?):(?,1)">) -> !cute.int_tuple<"?">
    %v = cute.get_scalars (%at) : !cute.int_tuple<"?">
    return %v : i32
  }
  // CHECK: llvm.func @kernel(
  // CHECK: llvm.call @at(
  gpu.func @kernel(%n: i32, %d: i32, %p: !llvm.ptr<1>) kernel {
    %s = cute.make_shape(%n) : (i32) -> !cute.shape<"(4,?)">
    %e = cute.make_stride(%d) : (i32) -> !cute.stride<"(?,1)">
    %l = cute.make_layout(%s, %e) : (!cute.shape<"(4,?)">, !cute.stride<"(?,1)">) -> !cute.layout<"(4,?):(?,1)">
    %v = func.call @at(%l, %n) : (!cute.layout<"(4,?):(?,1)">, i32) -> i32
    llvm.store %v, %p : i32, !llvm.ptr<1>
    gpu.return
  }
}
