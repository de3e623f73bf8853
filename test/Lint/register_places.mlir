// Fragments that are indexed at run time are in local memory.
// RUN: cute-opt %s --cute-lint 2>&1 >/dev/null | FileCheck %s --implicit-check-not=warning: --implicit-check-not=error:

gpu.module @m {
  // Each loop that chooses a place is unrolled, and all it chooses is static.
  gpu.func @unrolled(%v: f32, %p: !cute.tensor<f32, gmem, align<16>, "(4,8):(8,1)">) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %0 = arith.constant 0 : i32
    %1 = arith.constant 1 : i32
    %3 = arith.constant 3 : i32
    %l = cute.static : !cute.layout<"(4,8):(8,1)">
    %r = cute.make_fragment<f32> (%l)
    %size = cute.size(%l) : !cute.layout<"(4,8):(8,1)"> -> !cute.int_tuple<"32">
    %all = cute.get_scalars(%size) : (!cute.int_tuple<"32">) -> i32
    scf.for %i = %0 to %all step %1 : i32 {
      %row = arith.remsi %i, %3 : i32
      %c = cute.make_coord(%row) : (i32) -> !cute.coord<"(?,0)">
      cute.store(%v, %r, %c)
    }
    scf.for %i = %0 to %3 step %1 iter_args(%j = %0) -> (i32) : i32 {
      scf.for %k = %0 to %3 step %1 : i32 {
        %c = cute.make_coord(%k, %j) : (i32, i32) -> !cute.coord<"(?,?)">
        cute.store(%v, %r, %c)
      }
      %next = arith.addi %j, %1 : i32
      scf.yield %next : i32
    }
    cute.autovec_copy(%r, %p)
    gpu.return
  }

  // CHECK: register_places.mlir:[[@LINE+9]]:12: warning: 'cute.slice' op indexes a fragment at run time: 128 bytes go to local memory; unroll the loop (cute.unroll = "full")
  gpu.func @rolled(%v: f32) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %0 = arith.constant 0 : i32
    %1 = arith.constant 1 : i32
    %8 = arith.constant 8 : i32
    %l = cute.static : !cute.layout<"(4,8):(8,1)">
    %r = cute.make_fragment<f32> (%l)
    scf.for %i = %0 to %8 step %1 : i32 {
      %c = cute.make_coord(%i) : (i32) -> !cute.coord<"(_,?)">
      %s = cute.slice(%r, %c)
      %again = cute.slice(%r, %c)
      cute.fill(%s, %v)
      cute.fill(%again, %v)
    } {cute.unroll = "none"}
    gpu.return
  }

  // CHECK: register_places.mlir:[[@LINE+8]]:7: warning: 'cute.store' op indexes a fragment at run time: 16 bytes go to local memory; unroll the loop (cute.unroll = "full")
  gpu.func @bounds(%v: f32, %n: i32) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %0 = arith.constant 0 : i32
    %1 = arith.constant 1 : i32
    %l = cute.static : !cute.layout<"4:1">
    %r = cute.make_fragment<f32> (%l)
    scf.for %i = %0 to %n step %1 : i32 {
      %c = cute.make_coord(%i) : (i32) -> !cute.coord<"?">
      cute.store(%v, %r, %c)
    }
    gpu.return
  }

  // CHECK: register_places.mlir:[[@LINE+7]]:10: warning: 'cute.load' op indexes a fragment at run time: 16 bytes go to local memory
  // CHECK: note: the index depends on a value that no unrolling makes constant; choose the element by conditions, or keep the elements in shared memory
  gpu.func @parameter(%v: f32, %n: i32, %p: !cute.tensor<f32, gmem, align<16>, "1:1">) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %l = cute.static : !cute.layout<"4:1">
    %r = cute.make_fragment<f32> (%l)
    cute.fill(%r, %v)
    %c = cute.make_coord(%n) : (i32) -> !cute.coord<"?">
    %x = cute.load(%r, %c)
    %z = cute.static : !cute.coord<"0">
    cute.store(%x, %p, %z)
    gpu.return
  }

  // The value that is stored is no place.
  gpu.func @value(%n: i32) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %l = cute.static : !cute.layout<"4:1">
    %r = cute.make_fragment<i32> (%l)
    %z = cute.static : !cute.coord<"0">
    cute.store(%n, %r, %z)
    gpu.return
  }

  // So many trips are too many.
  // CHECK: register_places.mlir:[[@LINE+11]]:7: warning: 'cute.store' op indexes a fragment at run time: 16 bytes go to local memory; unroll the loop (cute.unroll = "full")
  gpu.func @large(%v: f32) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %0 = arith.constant 0 : i32
    %1 = arith.constant 1 : i32
    %3 = arith.constant 3 : i32
    %n = arith.constant 17000 : i32
    %l = cute.static : !cute.layout<"4:1">
    %r = cute.make_fragment<f32> (%l)
    scf.for %i = %0 to %n step %1 : i32 {
      %row = arith.remsi %i, %3 : i32
      %c = cute.make_coord(%row) : (i32) -> !cute.coord<"?">
      cute.store(%v, %r, %c)
    }
    gpu.return
  }

  // The most trips that are unrolled unasked, and one more.
  gpu.func @most(%v: f32) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %0 = arith.constant 0 : i32
    %1 = arith.constant 1 : i32
    %3 = arith.constant 3 : i32
    %n = arith.constant 1024 : i32
    %l = cute.static : !cute.layout<"4:1">
    %r = cute.make_fragment<f32> (%l)
    scf.for %i = %0 to %n step %1 : i32 {
      %row = arith.remsi %i, %3 : i32
      %c = cute.make_coord(%row) : (i32) -> !cute.coord<"?">
      cute.store(%v, %r, %c)
    }
    gpu.return
  }

  // CHECK: register_places.mlir:[[@LINE+11]]:7: warning: 'cute.store' op indexes a fragment at run time: 16 bytes go to local memory; unroll the loop (cute.unroll = "full")
  gpu.func @too_many(%v: f32) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %0 = arith.constant 0 : i32
    %1 = arith.constant 1 : i32
    %3 = arith.constant 3 : i32
    %n = arith.constant 1025 : i32
    %l = cute.static : !cute.layout<"4:1">
    %r = cute.make_fragment<f32> (%l)
    scf.for %i = %0 to %n step %1 : i32 {
      %row = arith.remsi %i, %3 : i32
      %c = cute.make_coord(%row) : (i32) -> !cute.coord<"?">
      cute.store(%v, %r, %c)
    }
    gpu.return
  }
}
