// What an architecture lacks is reported where it is used.
// RUN: not cutec %s --arch=sm_89 -o - 2>&1 | FileCheck %s
// RUN: cutec %s --arch=sm_90 -o /dev/null

gpu.module @atomics {
  gpu.func @bf16(%p: !cute.ptr<bf16, gmem, align<4>>, %v: bf16) kernel {
    // CHECK: [[@LINE+1]]:{{.*}}'cute.atomic_rmw' op atomic operations on bf16 in gmem in the scope of gpu need sm_90 or later, but the code is for sm_89
    cute.atomic_rmw<"add"> (%v, %p)
    gpu.return
  }
}
