// A copy that may come before others have read what it replaces is a mistake, also where it
// brings equal elements.
// RUN: not cute-run %s --arch=sm_80 --device=sim 'f32[64]:fill(1)' 'f32[64]:poison' 2>&1 | FileCheck %s
// CHECK: mlir:16:7: block 0, thread {{[0-9]+}}: reused too early: copies to shared memory {{.*}}, which thread {{[0-9]+}} read on line 21
!t = !cute.tensor<f32, gmem, align<4>, "?:1">
gpu.module @twins {
  gpu.func @again(%A: !t, %B: !t) kernel attributes {
      known_block_size = array<i32: 64, 1, 1>, cute.grid = ["1"]} {
    %thread = cute.thread_idx
    %s = cute.alloc_smem<f32, 64> (64:1)
    %async = cute.static : !cute.copy_atom<"SM80_CP_ASYNC_CACHEALWAYS<uint32_t>", f32>
    for %round in 0..2 {
      %place = (%thread + %round * 32) & 63
      %far = cute.local_tile(%A, (1), (%place))
      %near = cute.local_tile(%s, (1), (%place))
      cute.copy(%async, %far, %near)
      cute.cp_async_commit
      if %round == 0 {
        cute.cp_async_wait<0>
        gpu.barrier
        cute.store(cute.load(%s, %thread), %B, %thread)
      }
    }
    cute.cp_async_wait<0>
    gpu.return
  }
}
