// What all threads of a warp have is one value: cute.warp_idx, exchanges of it, and votes.
// RUN: cutec %s --prove | FileCheck %s
// CHECK: rows: proved: every access of global memory is in bounds, for every size
// CHECK: rows: proved: no element of global memory is written by two threads, for every size
// CHECK: rows: proved: every element of each output is written, for every size
// CHECK: alike: proved: every access of global memory is in bounds, for every size
// CHECK: alike: proved: no element of global memory is written by two threads, for every size
// CHECK: voted: proved: every access of global memory is in bounds, for every size
// CHECK: voted: proved: no element of global memory is written by two threads, for every size
// CHECK: square: proved: every access of global memory is in bounds, for every size

// Rows that overlap, or lie too far apart; threads that write the same element.
// RUN: sed 's/%%w \* 32/%%w * 16/' %s | cutec - --prove | FileCheck %s --check-prefix=OVERLAP
// OVERLAP: rows: not decided whether no element of global memory is written by two threads: {{.*}}two threads of a block write one element
// RUN: sed 's/%%w \* 32/%%w * 33/' %s | not cutec - --prove | FileCheck %s --check-prefix=FAR
// FAR: rows: refuted: {{.*}}an access of global memory is out of bounds
// RUN: sed 's/%%in_warp == 0/%%in_warp >=s 0/' %s | cutec - --prove | FileCheck %s --check-prefix=SAME
// SAME: alike: not decided whether no element of global memory is written by two threads: {{.*}}two threads of a block write one element

// Exchanges and votes of what differs, and of what is not known: the last test would be enough if
// another lane's integer were the thread's own, as it is to a warp with threads of one y.
// RUN: sed 's/(%%w, %%one)/(%%t, %%one)/; s/any_sync(%%is)/any_sync(%%first)/; s/(%%n, %%lane)/(%%y, %%lane)/' %s | cutec - --prove | FileCheck %s --check-prefix=DIFFER
// DIFFER: alike: not decided whether every access of global memory is in bounds: {{.*}}an integer of another lane
// DIFFER: voted: not decided whether every access of global memory is in bounds: {{.*}}a vote of threads that differ
// DIFFER: square: not decided whether every access of global memory is in bounds: {{.*}}an integer of another lane
// CHECK: unknown: not decided whether every access of global memory is in bounds: {{.*}}an integer that is read from memory

!line = !cute.tensor<i32, gmem, align<4>, "64:1">
gpu.module @m {
  gpu.func @rows(%O: !line) kernel attributes {known_block_size = array<i32: 64, 1, 1>, cute.grid = ["1"]} {
    %w = cute.warp_idx
    %e = %w * 32 + cute.lane_idx
    cute.store(%w, %O, %e)
    gpu.return
  }
  // Of each warp, a thread writes element 32 w.
  gpu.func @alike(%O: !line) kernel attributes {known_block_size = array<i32: 64, 1, 1>, cute.grid = ["1"]} {
    %t = cute.thread_idx
    %w = cute.warp_idx
    %in_warp = cute.lane_idx
    %zero = 0 : i32
    %one = 1 : i32
    %v = cute.shuffle_sync<"bfly"> (%w, %one) : (i32, i32) -> i32
    %f = cute.shuffle_sync<"idx"> (%v * 32 + %in_warp, %zero) : (i32, i32) -> i32
    if %in_warp == 0 {
      cute.store(%w, %O, %f)
    }
    gpu.return
  }
  gpu.func @voted(%O: !cute.tensor<i32, gmem, align<4>, "32:1">) kernel attributes {known_block_size = array<i32: 64, 1, 1>, cute.grid = ["1"]} {
    %t = cute.thread_idx
    %w = cute.warp_idx
    %is = %w == 0
    %first = %t == 0
    if cute.vote_any_sync(%is) {
      cute.store(%w, %O, %t)
    }
    gpu.return
  }
  // Lane 16 has another y than lane 0.
  gpu.func @square(%O: !line, %n: i32) kernel attributes {known_block_size = array<i32: 16, 4, 1>, cute.grid = ["1"]} {
    %y = cute.thread_idx<"y">
    %lane = 16 : i32
    %v = cute.shuffle_sync<"idx"> (%n, %lane) : (i32, i32) -> i32
    if %n == 0 and %y == 0 {
      cute.store(%n, %O, %v * 64)
    }
    gpu.return
  }
  gpu.func @unknown(%I: !line, %O: !line) kernel attributes {known_block_size = array<i32: 64, 1, 1>, cute.grid = ["1"]} {
    %t = cute.thread_idx
    %zero = 0 : i32
    %x = cute.load(%I, %t)
    %v = cute.shuffle_sync<"idx"> (%x, %zero) : (i32, i32) -> i32
    if %x >=s 0 and %x <s 64 {
      cute.store(%t, %O, %v)
    }
    gpu.return
  }
}
