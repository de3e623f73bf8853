// How loops are unrolled is what cute.unroll says, down to PTX.
// RUN: cute-opt %s --cute-unroll | FileCheck %s --check-prefix=NOTE
// RUN: cute-opt %s --cute-unroll --cute-to-nvvm | FileCheck %s --check-prefix=CARRIED
// RUN: cutec %s --arch=sm_80 -o - | FileCheck %s

// NOTE-DAG: #[[N6:.*]] = #llvm.loop_unroll<count = 6 : i32>
// NOTE-DAG: #[[FULL:.*]] = #llvm.loop_unroll<full = true>
// NOTE-DAG: #[[NONE:.*]] = #llvm.loop_unroll<disable = true>
// NOTE-DAG: #[[A6:.*]] = #llvm.loop_annotation<unroll = #[[N6]]>
// NOTE-DAG: #[[AFULL:.*]] = #llvm.loop_annotation<unroll = #[[FULL]]>
// NOTE-DAG: #[[ANONE:.*]] = #llvm.loop_annotation<unroll = #[[NONE]]>

gpu.module @m {
  // NOTE-LABEL: gpu.func @by6(
  // NOTE: } {loop_annotation = #[[A6]]}
  // CHECK-LABEL: .entry by6(
  // CHECK: [[LOOP:.*]]:
  // CHECK-NEXT: .pragma "nounroll";
  // CHECK-COUNT-6: st.volatile.global
  // CHECK-NEXT: add.s32 [[I:.*]], [[I]], 6;
  // CHECK: bra [[LOOP]];
  // CHECK: ret;
  gpu.func @by6(%n: i32, %p: !llvm.ptr<1>) kernel {
    %0 = arith.constant 0 : i32
    %1 = arith.constant 1 : i32
    scf.for %i = %0 to %n step %1 : i32 {
      %q = llvm.getelementptr %p[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
      llvm.store volatile %i, %q : i32, !llvm.ptr<1>
    } {cute.unroll = 6 : i32}
    gpu.return
  }

  // NOTE-LABEL: gpu.func @full(
  // NOTE: } {loop_annotation = #[[AFULL]]}
  // CHECK-LABEL: .entry full(
  // CHECK-NOT: bra
  // CHECK-COUNT-100: st.volatile.global
  // CHECK-NOT: {{bra|st[.]}}
  // CHECK: ret;
  gpu.func @full(%p: !llvm.ptr<1>) kernel {
    %0 = arith.constant 0 : i32
    %1 = arith.constant 1 : i32
    %n = arith.constant 100 : i32
    scf.for %i = %0 to %n step %1 : i32 {
      %q = llvm.getelementptr %p[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
      llvm.store volatile %i, %q : i32, !llvm.ptr<1>
    } {cute.unroll = "full"}
    gpu.return
  }

  // Without the attribute LLVM would unroll this one.
  // NOTE-LABEL: gpu.func @none(
  // NOTE: } {loop_annotation = #[[ANONE]]}
  // CHECK-LABEL: .entry none(
  // CHECK: .pragma "nounroll";
  // CHECK-NEXT: st.volatile.global
  // CHECK-NOT: {{st[.]}}
  // CHECK: ret;
  gpu.func @none(%p: !llvm.ptr<1>) kernel {
    %0 = arith.constant 0 : i32
    %1 = arith.constant 1 : i32
    %n = arith.constant 3 : i32
    scf.for %i = %0 to %n step %1 : i32 {
      %q = llvm.getelementptr %p[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
      llvm.store volatile %i, %q : i32, !llvm.ptr<1>
    } {cute.unroll = "none"}
    gpu.return
  }

  // A tensor that the loop carries: the loop is made anew, the attribute stays.
  // CARRIED-LABEL: gpu.func @carried(
  // CARRIED: scf.for {{.*}} -> (!llvm.struct<
  // CARRIED: } {loop_annotation =
  gpu.func @carried(%t: !cute.tensor<i32, gmem, align<4>, "?:1">) kernel {
    %0 = arith.constant 0 : i32
    %1 = arith.constant 1 : i32
    %n = arith.constant 8 : i32
    %s = cute.static : !cute.coord<"0">
    %r = scf.for %i = %0 to %n step %1 iter_args(%u = %t) -> (!cute.tensor<i32, gmem, align<4>, "?:1">) : i32 {
      cute.store(%i, %u, %s) : (i32, !cute.tensor<i32, gmem, align<4>, "?:1">, !cute.coord<"0">) -> ()
      scf.yield %u : !cute.tensor<i32, gmem, align<4>, "?:1">
    } {cute.unroll = "full"}
    gpu.return
  }
}
