// Lanes that share an element each fetch it by cp.async: copies of one statement may bring the
// same to one place. Copies of different elements to one place are a race.
// RUN: cute-run %s --arch=sm_80 --device=sim 'f32[32]:iota' 'f32[16]:poison' --schedules=5 --check 'B[i] = A[15-i]'
// RUN: sed 's/%%A, (1), (%%shared)/%%A, (1), (%%thread)/' %s > %t.mlir
// RUN: not cute-run %t.mlir --arch=sm_80 --device=sim 'f32[32]:iota' 'f32[16]:poison' 2>&1 | FileCheck %s
// CHECK: mlir:18:5: block 0, thread 16: race: writes shared memory at offset 0 {{.*}}, which thread 0 wrote on line 18
!t = !cute.tensor<f32, gmem, align<4>, "?:1">

gpu.module @twins {
  gpu.func @twins(%A: !t, %B: !t) kernel attributes {
      known_block_size = array<i32: 32, 1, 1>, cute.grid = ["1"]} {
    %thread = cute.thread_idx
    %s = cute.alloc_smem<f32, 16> (16:1)
    %shared = %thread & 15
    %async = cute.static : !cute.copy_atom<"SM80_CP_ASYNC_CACHEALWAYS<uint32_t>", f32>
    %far = cute.local_tile(%A, (1), (%shared))
    %near = cute.local_tile(%s, (1), (%shared))
    cute.copy(%async, %far, %near)
    cute.cp_async_commit
    cute.cp_async_wait<0>
    gpu.barrier
    cute.store(cute.load(%s, 15 - %shared), %B, %shared)
    gpu.return
  }
}
