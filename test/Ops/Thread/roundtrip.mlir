// Numbers of threads and blocks, and exchanges in a warp.
// RUN: cute-opt %s | cute-opt | FileCheck %s
// RUN: cute-opt %s --mlir-print-op-generic | cute-opt | FileCheck %s
// RUN: cute-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC

// CHECK-LABEL: func.func @numbers
func.func @numbers() -> (i32, i32, i32, i32, i32, i32) {
  // CHECK: cute.thread_idx{{$}}
  // GENERIC: "cute.thread_idx"() : () -> i32
  %0 = cute.thread_idx
  // CHECK: cute.block_idx<"y">
  // GENERIC: "cute.block_idx"() <{dim = "y"}> : () -> i32
  %1 = cute.block_idx<"y">
  // CHECK: cute.block_dim<"z">
  // GENERIC: "cute.block_dim"() <{dim = "z"}> : () -> i32
  %2 = cute.block_dim<"z">
  // CHECK: cute.grid_dim<"x">
  // GENERIC: "cute.grid_dim"() <{dim = "x"}> : () -> i32
  %3 = cute.grid_dim<"x">
  // CHECK: cute.lane_idx
  // GENERIC: "cute.lane_idx"() : () -> i32
  %4 = cute.lane_idx
  // CHECK: cute.warp_idx
  // GENERIC: "cute.warp_idx"() : () -> i32
  %5 = cute.warp_idx
  return %0, %1, %2, %3, %4, %5 : i32, i32, i32, i32, i32, i32
}

// CHECK-LABEL: func.func @exchanges
func.func @exchanges(%v: vector<4xf16>, %n: i32, %p: i1, %l: index) {
  // CHECK: cute.shuffle_sync<"bfly"> (%{{.*}}, %{{.*}}) : (vector<4xf16>, i32) -> vector<4xf16>
  // GENERIC: "cute.shuffle_sync"(%{{.*}}, %{{.*}}) <{kind = "bfly"}> : (vector<4xf16>, i32) -> vector<4xf16>
  %0 = cute.shuffle_sync<"bfly"> (%v, %n)
  // CHECK: cute.shuffle_sync<"idx"> (%{{.*}}, %{{.*}}) : (i32, index) -> i32
  %1 = cute.shuffle_sync<"idx"> (%n, %l)
  // CHECK: cute.vote_all_sync(%{{.*}}) : (i1) -> i1
  // GENERIC: "cute.vote_all_sync"(%{{.*}}) : (i1) -> i1
  %2 = cute.vote_all_sync(%p)
  // CHECK: cute.vote_any_sync(%{{.*}}) : (i1) -> i1
  // GENERIC: "cute.vote_any_sync"(%{{.*}}) : (i1) -> i1
  %3 = cute.vote_any_sync(%p)
  // CHECK: cute.vote_ballot_sync(%{{.*}}) : (i1) -> i32
  // GENERIC: "cute.vote_ballot_sync"(%{{.*}}) : (i1) -> i32
  %4 = cute.vote_ballot_sync(%p)
  // CHECK: cute.match_any_sync(%{{.*}}) : (i32) -> i32
  // GENERIC: "cute.match_any_sync"(%{{.*}}) : (i32) -> i32
  %5 = cute.match_any_sync(%n)
  // An index is a coordinate of 32 bits.
  // CHECK: cute.make_coord(%{{.*}}, %{{.*}}) : (index, i32) -> !cute.coord<"(?,?)">
  %c = cute.make_coord(%l, %n) : (index, i32) -> !cute.coord<"(?,?)">
  return
}
