// Registers and shared memory.
// RUN: cute-opt %s --cute-lint 2>&1 >/dev/null | FileCheck %s --implicit-check-not=warning: --implicit-check-not=remark: --implicit-check-not=error:
// RUN: cute-opt %s --cute-lint=arch=sm_90 2>&1 >/dev/null | FileCheck %s --check-prefix=SM90

gpu.module @m {
  // Two fragments at once are too much; one after the other, or in branches that exclude each
  // other, they are not.
  // CHECK: limits.mlir:[[@LINE+3]]:3: warning: 'gpu.func' op fragments take 1040 bytes of each thread at once, 260 registers, but it has at most 255; the rest is spilled to memory
  // CHECK: note: the largest, of 528 bytes, is !cute.tensor<f32, rmem, align<16>, "132:1">; take smaller tiles, or more threads
  // SM90: fragments take 1040 bytes
  gpu.func @both(%v: f32) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %small = cute.static : !cute.layout<"128:1">
    %large = cute.static : !cute.layout<"132:1">
    %a = cute.make_fragment<f32> (%small)
    %b = cute.make_fragment<f32> (%large)
    cute.fill(%a, %v)
    cute.fill(%b, %v)
    cute.fill(%a, %v)
    gpu.return
  }

  gpu.func @in_turn(%v: f32, %p: i1) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %large = cute.static : !cute.layout<"200:1">
    %a = cute.make_fragment<f32> (%large)
    cute.fill(%a, %v)
    scf.if %p {
      %b = cute.make_fragment<f32> (%large)
      cute.fill(%b, %v)
    } else {
      %c = cute.make_fragment<f32> (%large)
      cute.fill(%c, %v)
    }
    gpu.return
  }

  // A use in a loop keeps a fragment for all of the loop, also through a view.
  // CHECK: limits.mlir:[[@LINE+1]]:3: warning: 'gpu.func' op fragments take 1600 bytes of each thread at once, 400 registers
  gpu.func @in_loop(%v: f32, %n: i32) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %large = cute.static : !cute.layout<"(100,2):(1,100)">
    %all = cute.static : !cute.coord<"(_,_)">
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %a = cute.make_fragment<f32> (%large)
    %view = cute.slice(%a, %all)
    scf.for %i = %c0 to %n step %c1 : i32 {
      cute.fill(%view, %v)
      %b = cute.make_fragment<f32> (%large)
      cute.fill(%b, %v)
    }
    gpu.return
  }

  // A block of 1024 threads has 64 registers for each.
  // CHECK: limits.mlir:[[@LINE+1]]:3: warning: 'gpu.func' op fragments take 512 bytes of each thread at once, 128 registers, but it has at most 64
  gpu.func @large_block(%v: f32) kernel attributes {known_block_size = array<i32: 1024, 1, 1>} {
    %layout = cute.static : !cute.layout<"128:1">
    %a = cute.make_fragment<f32> (%layout)
    cute.fill(%a, %v)
    gpu.return
  }

  // CHECK: limits.mlir:[[@LINE+3]]:3: warning: 'gpu.func' op needs 180224 bytes of shared memory; a block on sm_80 has at most 166912
  // CHECK: note: take smaller tiles or fewer stages
  // SM90-NOT: shared memory
  gpu.func @shared() kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %layout = cute.static : !cute.layout<"45056:1">
    %s = cute.alloc_smem<f32, 128> (%layout)
    gpu.return
  }

  // All that a block has on sm_80, 166912 bytes, and not one more.
  gpu.func @all_shared() kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %layout = cute.static : !cute.layout<"41728:1">
    %s = cute.alloc_smem<f32, 128> (%layout)
    gpu.return
  }
}
