// A fragment that is a whole tile by mistake.
// RUN: cutec %s --arch=sm_80 --emit=nvvm -o %t.mlir 2>&1 | FileCheck %s

gpu.module @m {
  gpu.func @k() kernel {
    %tile = cute.static : !cute.layout<"(32,64):(64,1)">
    // CHECK: :[[#@LINE+1]]:10: warning: 'cute.make_fragment' op a fragment of 8192 bytes in each thread, which has 255 registers of 4 bytes: it goes to local memory, and compiling takes long
    %0 = cute.make_fragment<f32> (%tile)
    // CHECK: note: partition the tile first, so that each thread has its part
    // CHECK-NOT: warning
    %half = cute.make_fragment<f16> (%tile)
    gpu.return
  }
}
