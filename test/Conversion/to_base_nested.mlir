// cute-to-base works on whole modules.
// RUN: not cute-opt %s --pass-pipeline='builtin.module(func.func(cute-to-base))' 2>&1 | FileCheck %s
// CHECK: to_base_nested.mlir:[[#@LINE+1]]:1: error: cute-to-base runs on a module
func.func @f(%s: !cute.shape<"?">) {
  return
}

// One gpu.module alone will do; the host's functions stay as they are.
// RUN: sed -n '/^gpu.module/,$p' %s > %t
// RUN: cute-opt %t --pass-pipeline='builtin.module(gpu.module(cute-to-base))' | FileCheck %s --check-prefix=GPU
// GPU: gpu.module
// GPU: func.func @g(%{{.*}}: i32)
// GPU: func.func private @h(!cute.shape<"?">)
gpu.module @m {
  func.func @g(%s: !cute.shape<"?">) {
    return
  }
}
func.func private @h(!cute.shape<"?">)
