// Races in shared memory: which intervals between barriers there are.
// RUN: split-file %s %t
// RUN: cutec %t/exclusive.mlir --prove | FileCheck %s --check-prefix=EXCLUSIVE
// EXCLUSIVE: proved: no two threads race in shared memory, for every size
// RUN: not cutec %t/rounds.mlir --prove | FileCheck %s --check-prefix=ROUNDS
// ROUNDS: refuted: {{.*}}rounds.mlir:{{[0-9]+}}: two threads race in shared memory: round 1
// ROUNDS: race: {{reads|writes}} shared memory at offset
// RUN: not cutec %t/exchange.mlir --prove | FileCheck %s --check-prefix=EXCHANGE
// EXCHANGE: refuted: {{.*}}exchange.mlir:9: two threads race in shared memory{{$}}
// EXCHANGE-NEXT: cute-run {{.*}}exchange.mlir --device=sim --grid=1,1,1 'i32[64:1]'
// A copy that is not committed, one that is waited for in a loop that may have no round, and
// one that is waited for too late.
// RUN: sed '/cute.cp_async_commit/d' %examples/gemm_plain.mlir > %t/open.mlir
// RUN: not cutec %t/open.mlir --prove | FileCheck %s --check-prefix=OPEN
// OPEN: refuted: {{.*}}: two threads race in shared memory
// OPEN: too early: reads shared memory
// RUN: sed 's/cute.cp_async_wait<0>/for %%w in 1..%%k_tiles { cute.cp_async_wait<0> }/' %examples/gemm_plain.mlir > %t/loop.mlir
// RUN: not cutec %t/loop.mlir --prove | FileCheck %s --check-prefix=OPEN
// RUN: sed '/cute.cp_async_commit/d; s/^ *gpu.barrier/&\n cute.cp_async_commit/' %examples/gemm_plain.mlir > %t/open.mlir
// RUN: not cutec %t/open.mlir --prove | FileCheck %s --check-prefix=OPEN
// RUN: sed 's/cp_async_wait<0>/cp_async_wait<1>/' %examples/gemm_plain.mlir > %t/late.mlir
// RUN: not cutec %t/late.mlir --prove | FileCheck %s --check-prefix=OPEN
// RUN: sed '/cute.cp_async_commit/d; s/cp_async_wait<0>/cp_async_wait_all/' %examples/gemm_plain.mlir | cutec - --prove | FileCheck %s --check-prefix=EVERY
// EVERY: proved: no two threads race in shared memory, for every size
// RUN: not cutec %t/divergent.mlir --prove | FileCheck %s --check-prefix=DIVERGENT
// DIVERGENT: refuted: {{.*}}divergent.mlir:13: two threads race in shared memory
// RUN: cutec %t/skipped.mlir --prove | FileCheck %s --check-prefix=SKIPPED
// SKIPPED: not decided whether no two threads race in shared memory: {{.*}}skipped.mlir:13: two threads may touch one element with no barrier between
// RUN: sed 's/constant 2 : i32/constant 2000 : i32/; s/load(%%s, %%other)/load(%%s, %%t)/' %t/rounds.mlir > %t/many.mlir
// RUN: cutec %t/many.mlir --prove | FileCheck %s --check-prefix=MANY
// MANY: not decided whether no two threads race in shared memory: {{.*}}: a loop with many rounds
// RUN: sed 's/constant 2 : i32/constant 1000 : i32/; s/load(%%s, %%other)/load(%%s, %%t)/' %t/rounds.mlir > %t/many.mlir
// RUN: cutec %t/many.mlir --prove | FileCheck %s --check-prefix=OWN
// OWN: proved: no two threads race in shared memory, for every size

// Each thread reads what its neighbour wrote, but not in one launch.
//--- exclusive.mlir
gpu.module @m {
  gpu.func @exclusive(%O: !cute.tensor<i32, gmem, align<4>, "64:1">, %n: i32) kernel attributes {known_block_size = array<i32: 64, 1, 1>, cute.grid = ["1"]} {
    %t = cute.thread_idx
    %c0 = arith.constant 0 : i32
    %c63 = arith.constant 63 : i32
    %other = arith.subi %c63, %t : i32
    %s = cute.alloc_smem<i32, 16> (64:1)
    %few = arith.cmpi slt, %n, %c63 : i32
    cute.store(%t, %s, %t)
    scf.if %few {
      gpu.barrier
      %v = cute.load(%s, %other)
      cute.store(%v, %O, %t)
    } else {
      %v = cute.load(%s, %t)
      cute.store(%v, %O, %t)
    }
    gpu.return
  }
}
// One branch in a round, and the other in the next.
//--- rounds.mlir
gpu.module @m {
  gpu.func @rounds(%O: !cute.tensor<i32, gmem, align<4>, "64:1">) kernel attributes {known_block_size = array<i32: 64, 1, 1>, cute.grid = ["1"]} {
    %t = cute.thread_idx
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c63 = arith.constant 63 : i32
    %other = arith.subi %c63, %t : i32
    %s = cute.alloc_smem<i32, 16> (64:1)
    scf.for %k = %c0 to %c2 step %c1 : i32 {
      %is_first = arith.cmpi eq, %k, %c0 : i32
      scf.if %is_first {
        cute.store(%t, %s, %t)
      } else {
        %v = cute.load(%s, %other)
        cute.store(%v, %O, %t)
      }
    }
    gpu.return
  }
}
// A barrier is missing; whoever launches the kernel chooses the grid.
//--- exchange.mlir
gpu.module @m {
  gpu.func @exchange(%O: !cute.tensor<i32, gmem, align<4>, "64:1">) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %t = cute.thread_idx
    %c63 = arith.constant 63 : i32
    %other = arith.subi %c63, %t : i32
    %s = cute.alloc_smem<i32, 16> (64:1)
    cute.store(%t, %s, %t)
    %c0 = arith.constant 0 : i32
    %first = cute.load(%s, %c0)
    cute.store(%first, %O, %t)
    %v = cute.load(%s, %other)
    cute.store(%v, %O, %t)
    gpu.return
  }
}
// A barrier that one warp comes to.
//--- divergent.mlir
gpu.module @m {
  gpu.func @divergent(%O: !cute.tensor<i32, gmem, align<4>, "64:1">) kernel attributes {known_block_size = array<i32: 64, 1, 1>, cute.grid = ["1"]} {
    %t = cute.thread_idx
    %c32 = arith.constant 32 : i32
    %c63 = arith.constant 63 : i32
    %other = arith.subi %c63, %t : i32
    %s = cute.alloc_smem<i32, 16> (64:1)
    cute.store(%t, %s, %t)
    %low = arith.cmpi slt, %t, %c32 : i32
    scf.if %low {
      gpu.barrier
    }
    %v = cute.load(%s, %other)
    cute.store(%v, %O, %t)
    gpu.return
  }
}
// The only barrier is in a loop that may have no round.
//--- skipped.mlir
gpu.module @m {
  gpu.func @skipped(%O: !cute.tensor<i32, gmem, align<4>, "64:1">, %n: i32) kernel attributes {known_block_size = array<i32: 64, 1, 1>, cute.grid = ["1"]} {
    %t = cute.thread_idx
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c63 = arith.constant 63 : i32
    %other = arith.subi %c63, %t : i32
    %s = cute.alloc_smem<i32, 16> (64:1)
    cute.store(%t, %s, %t)
    scf.for %k = %c0 to %n step %c1 : i32 {
      gpu.barrier
    }
    %v = cute.load(%s, %other)
    cute.store(%v, %O, %t)
    gpu.return
  }
}
