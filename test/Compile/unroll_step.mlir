// Loops with steps are unrolled with a loop for the rest, so that several loads
// are in flight: by default, by number, and with steps and bounds that are not
// known. The trip count is computed once and right for all integers.
// RUN: cutec %s --arch=sm_80 --no-manifest -o - | FileCheck %s
// RUN: cute-opt %s --cute-unroll | FileCheck %s --check-prefix=TRIPS

!v = !cute.tensor<f32, gmem, align<4>, "?:1">
gpu.module @m {
  // TRIPS-LABEL: gpu.func @strided(
  // TRIPS: %[[SOME:.*]] = arith.cmpi slt, %[[L:.*]], %[[U:.*]] : i32
  // TRIPS: %[[SPAN:.*]] = arith.subi %[[U]], %[[L]] : i32
  // TRIPS: %[[LESS:.*]] = arith.subi %[[SPAN]], %{{.*}} : i32
  // TRIPS: %[[LAST:.*]] = arith.divui %[[LESS]], %[[STEP:.*]] : i32
  // TRIPS: %[[MORE:.*]] = arith.addi %[[LAST]], %{{.*}} : i32
  // TRIPS: %[[TRIPS:.*]] = arith.select %[[SOME]], %[[MORE]], %{{.*}} : i32
  // TRIPS: scf.for unsigned %[[K:.*]] = %{{.*}} to %[[TRIPS]] step
  // TRIPS: %[[PAST:.*]] = arith.muli %[[K]], %[[STEP]] : i32
  // TRIPS: arith.addi %[[L]], %[[PAST]] : i32
  // CHECK-LABEL: .entry strided(
  // CHECK-NOT: div
  // CHECK: ld.global
  // CHECK-NOT: bra
  // CHECK-COUNT-3: ld.global
  // CHECK: bra
  // CHECK: ret;
  gpu.func @strided(%A: !v, %out: !v, %N: i32) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %t = gpu.thread_id x
    %lane = arith.index_cast %t : index to i32
    %c32 = arith.constant 32 : i32
    %zero = arith.constant 0.0 : f32
    %s = scf.for %n = %lane to %N step %c32 iter_args(%a = %zero) -> (f32) : i32 {
      %at = cute.make_coord(%n) : (i32) -> !cute.coord<"?">
      %x = cute.load(%A, %at)
      %b = arith.addf %a, %x : f32
      scf.yield %b : f32
    } {cute.unroll = 4 : i32}
    %to = cute.make_coord(%lane) : (i32) -> !cute.coord<"?">
    cute.store(%s, %out, %to)
    gpu.return
  }

  // CHECK-LABEL: .entry default(
  // CHECK: ld.global
  // CHECK-NOT: bra
  // CHECK-COUNT-3: ld.global
  // CHECK: ret;
  gpu.func @default(%A: !v, %out: !v, %N: i32, %step: i32) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %t = gpu.thread_id x
    %lane = arith.index_cast %t : index to i32
    %zero = arith.constant 0.0 : f32
    %s = scf.for %n = %lane to %N step %step iter_args(%a = %zero) -> (f32) : i32 {
      %at = cute.make_coord(%n) : (i32) -> !cute.coord<"?">
      %x = cute.load(%A, %at)
      %b = arith.addf %a, %x : f32
      scf.yield %b : f32
    }
    %to = cute.make_coord(%lane) : (i32) -> !cute.coord<"?">
    cute.store(%s, %out, %to)
    gpu.return
  }

  // Left as they are: constant trips, "none", a barrier, a loop inside.
  // TRIPS-LABEL: gpu.func @left(
  // TRIPS-NOT: arith.divui
  // TRIPS-COUNT-4: step %{{c8|n}}
  gpu.func @left(%n: i32) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : i32
    %c8 = arith.constant 8 : i32
    %c64 = arith.constant 64 : i32
    scf.for %i = %c0 to %c64 step %c8 : i32 {
    }
    scf.for %i = %c0 to %n step %c8 : i32 {
    } {cute.unroll = "none"}
    scf.for %i = %c0 to %n step %c8 : i32 {
      gpu.barrier
    }
    scf.for %i = %c0 to %n step %c8 : i32 {
      scf.for %j = %c0 to %c64 step %c8 : i32 {
      }
    }
    gpu.return
  }
}
