// Where the static part of a layout reaches beyond 2^31 elements, indices and
// where views begin are computed in 64 bits, from coordinates of 32.
// RUN: cute-opt %s --cute-lower --canonicalize | FileCheck %s

// 40000 * 65536 + 7 is more than 2^31, as are all others here.
!large = !cute.tensor<f32, gmem, align<4>, "(65536,65536):(65536,1)">

gpu.module @large {
  // CHECK-LABEL: gpu.func @store(
  // CHECK-SAME: %[[T:[a-z0-9]+]]: !llvm.ptr<1>
  // CHECK: %[[I:.*]] = arith.constant 2621440007 : i64
  // CHECK: llvm.getelementptr %[[T]][%[[I]]] : (!llvm.ptr<1>, i64)
  gpu.func @store(%t: !large, %x: f32) kernel {
    %i = arith.constant 40000 : i32
    %j = arith.constant 7 : i32
    %at = cute.make_coord(%i, %j) : (i32, i32) -> !cute.coord<"(?,?)">
    cute.store(%x, %t, %at)
    gpu.return
  }

  // Tile (300,2) of 128 x 128 begins at 300 * 128 * 65536 + 2 * 128, and within a
  // tile 32 bits do.
  // CHECK-LABEL: gpu.func @tile(
  // CHECK-SAME: %[[T:[a-z0-9]+]]: !llvm.ptr<1> {{.*}}, %[[J:[a-z0-9]+]]: i32
  // CHECK: arith.constant 65536 : i32
  // CHECK: %[[I:.*]] = arith.constant 2516582656 : i64
  // CHECK: %[[P:.*]] = llvm.getelementptr %[[T]][%[[I]]] : (!llvm.ptr<1>, i64)
  // CHECK: %[[R:.*]] = arith.muli %[[J]], %{{.*}} : i32
  // CHECK: llvm.getelementptr %[[P]][%[[R]]] : (!llvm.ptr<1>, i32)
  gpu.func @tile(%t: !large, %j: i32, %x: f32) kernel {
    %m = arith.constant 300 : i32
    %n = arith.constant 2 : i32
    %tile = cute.static : !cute.tile<"[128;128]">
    %which = cute.make_coord(%m, %n) : (i32, i32) -> !cute.coord<"(?,?)">
    %part = cute.local_tile(%t, %tile, %which)
    %at = cute.make_coord(%j) : (i32) -> !cute.coord<"(?,0)">
    cute.store(%x, %part, %at)
    gpu.return
  }

  // A thread's part begins at 100 * 65536 * 512, with a plain integer.
  // CHECK-LABEL: gpu.func @part(
  // CHECK-SAME: %[[T:[a-z0-9]+]]: !llvm.ptr<1>
  // CHECK: %[[I:.*]] = arith.constant 3355443200 : i64
  // CHECK: llvm.getelementptr %[[T]][%[[I]]] : (!llvm.ptr<1>, i64)
  gpu.func @part(%t: !cute.tensor<f32, gmem, align<4>, "(128,65536):(33554432,1)">, %x: f32) kernel {
    %thread = arith.constant 100 : i32
    %threads = cute.static : !cute.layout<"(128,1):(1,0)">
    %part = cute.local_partition(%t, %threads, %thread)
    %at = cute.static : !cute.coord<"(0,0)">
    cute.store(%x, %part, %at)
    gpu.return
  }

  // A negative stride reaches as far; elements of 4 bits, in bytes: the index is
  // -3000000 * 1000, half of it is stepped.
  // CHECK-LABEL: gpu.func @negative(
  // CHECK-SAME: %[[T:[a-z0-9]+]]: !llvm.ptr<1>
  // CHECK: %[[I:.*]] = arith.constant -1500000000 : i64
  // CHECK: llvm.getelementptr %[[T]][%[[I]]] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i8
  gpu.func @negative(%t: !cute.tensor<i4, gmem, align<4>, "3000001:-1000">, %o: !cute.tensor<i4, rmem, align<16>, "2:1">, %p: i4) {
    %i = arith.constant 3000000 : i32
    %at = cute.make_coord(%i) : (i32) -> !cute.coord<"?">
    %x = cute.load(%t, %at)
    %zero = cute.static : !cute.coord<"0">
    cute.store(%x, %o, %zero)
    gpu.return
  }

  // Up to 2^31 - 1 32 bits do: there is one element less.
  // CHECK-LABEL: gpu.func @most(
  // CHECK: llvm.getelementptr %{{.*}}[%{{.*}}] : (!llvm.ptr<1>, i32)
  // CHECK-LABEL: gpu.func @more(
  // CHECK: %[[I:.*]] = arith.extsi %{{.*}} : i32 to i64
  // CHECK: llvm.getelementptr %{{.*}}[%[[I]]] : (!llvm.ptr<1>, i64)
  gpu.func @most(%t: !cute.tensor<i8, gmem, align<1>, "2147483648:1">, %i: i32, %x: i8) kernel {
    %at = cute.make_coord(%i) : (i32) -> !cute.coord<"?">
    cute.store(%x, %t, %at)
    gpu.return
  }
  gpu.func @more(%t: !cute.tensor<i8, gmem, align<1>, "2147483649:1">, %i: i32, %x: i8) kernel {
    %at = cute.make_coord(%i) : (i32) -> !cute.coord<"?">
    cute.store(%x, %t, %at)
    gpu.return
  }
}
