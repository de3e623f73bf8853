// Findings of the lint and broken laws are warnings. The architecture is the one that a
// comment gives to the compiler: cutec lint.mlir --arch=sm_70
//
// RUN: %python %S/client.py %s | FileCheck %s
// RUN: sed s/sm_70/sm_80/ %s > %t.mlir && %python %S/client.py %t.mlir | count 0

gpu.module @kernels {
  // CHECK: [[#@LINE+1]]:{{[0-9]+}}-{{[0-9]+}}: warning: 'gpu.func' op needs 131072 bytes of shared memory; a block on sm_70 has at most
  gpu.func @shared() kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %layout = cute.static : !cute.layout<"65536:1">
    %memory = cute.alloc_smem<f16, 128> (%layout)
    gpu.return
  }
}
