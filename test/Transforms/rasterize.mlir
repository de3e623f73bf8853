// RUN: cute-opt --allow-unregistered-dialect %s --cute-rasterize 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --input-file=%t.remarks --check-prefix=REMARK
// RUN: cute-opt --allow-unregistered-dialect %s --pass-pipeline='builtin.module(cute-rasterize,cute-rasterize)' 2>/dev/null >%t.twice
// RUN: cute-opt --allow-unregistered-dialect %s --cute-rasterize 2>/dev/null | diff - %t.twice
// RUN: cute-opt --allow-unregistered-dialect %s --pass-pipeline='builtin.module(cute-rasterize{group=0})' 2>&1 >%t.none | count 0
// RUN: cute-opt --allow-unregistered-dialect %s | diff - %t.none
// RUN: cute-opt --allow-unregistered-dialect %s --pass-pipeline='builtin.module(cute-rasterize{group=4})' 2>/dev/null | FileCheck %s --check-prefix=FOUR
// RUN: not cute-opt --allow-unregistered-dialect %s --pass-pipeline='builtin.module(cute-rasterize{group=65})' 2>&1 | FileCheck %s --check-prefix=MANY
// RUN: not cute-opt --allow-unregistered-dialect %s --pass-pipeline='builtin.module(cute-rasterize{group=a})' 2>&1 | FileCheck %s --check-prefix=TEXT

// MANY: error: cute-rasterize: group=65 must be a number of rows from 1 to 64, or 0 for none
// TEXT: error: cute-rasterize: group=a must be
// FOUR: arith.constant 4 : i32

gpu.module @m {
  func.func private @f()

  // Block indices in the middle of the code, and twice.
  // REMARK: rasterize.mlir:[[@LINE+12]]:{{[0-9]+}}: remark: blocks take tiles in groups of 8 rows
  // CHECK-LABEL: gpu.func @tiles
  // CHECK-SAME: attributes {cute.group = 8 : i32}
  // CHECK: %[[SMALL:.*]] = arith.cmpi eq
  // CHECK: %[[X:.*]] = arith.select %[[SMALL]]
  // CHECK: %[[Y:.*]] = arith.select %[[SMALL]]
  // CHECK-NOT: gpu.block_id
  // CHECK: %[[I:.*]] = arith.index_castui %[[X]]
  // CHECK: %[[J:.*]] = arith.index_castui %[[Y]]
  // CHECK: %[[K:.*]] = arith.index_castui %[[X]]
  // CHECK: "test.use"(%[[I]], %[[J]], %[[K]])
  // CHECK: gpu.block_id z
  gpu.func @tiles() kernel {
    %x = gpu.block_id x
    %y = gpu.block_id y
    %again = gpu.block_id x
    "test.use"(%x, %y, %again) : (index, index, index) -> ()
    %z = gpu.block_id z
    gpu.return
  }

  // REMARK: :[[@LINE+3]]:{{[0-9]+}}: remark: blocks take tiles in the old order: the kernel must use block_id x and y
  // CHECK-LABEL: gpu.func @line() kernel {
  // CHECK-NEXT: gpu.block_id x
  gpu.func @line() kernel {
    %x = gpu.block_id x
    gpu.return
  }

  // REMARK: :[[@LINE+5]]:{{[0-9]+}}: remark: blocks take tiles in the old order: 'func.call' may read block indices in the function that it calls
  // CHECK-LABEL: gpu.func @calls() kernel {
  gpu.func @calls() kernel {
    %x = gpu.block_id x
    %y = gpu.block_id y
    func.call @f() : () -> ()
    gpu.return
  }

  // REMARK: :[[@LINE+5]]:{{[0-9]+}}: remark: blocks take tiles in the old order: 'gpu.cluster_id' depends on which blocks make a cluster
  // CHECK-LABEL: gpu.func @clusters() kernel {
  gpu.func @clusters() kernel {
    %x = gpu.block_id x
    %y = gpu.block_id y
    %c = gpu.cluster_id x
    gpu.return
  }

  // REMARK: :[[@LINE+5]]:{{[0-9]+}}: remark: blocks take tiles in the old order: 'nvvm.read.ptx.sreg.ctaid.y' reads a block index by itself
  // CHECK-LABEL: gpu.func @reads() kernel {
  gpu.func @reads() kernel {
    %x = gpu.block_id x
    %y = gpu.block_id y
    %c = nvvm.read.ptx.sreg.ctaid.y : i32
    gpu.return
  }

  // REMARK: :[[@LINE+5]]:{{[0-9]+}}: remark: blocks take tiles in the old order: 'gpu.global_id' counts threads by the block's indices; compute it from gpu.block_id and gpu.thread_id
  // CHECK-LABEL: gpu.func @global() kernel {
  gpu.func @global() kernel {
    %x = gpu.block_id x
    %y = gpu.block_id y
    %g = gpu.global_id x
    gpu.return
  }

  // No kernel.
  // CHECK-LABEL: gpu.func @helper() {
  // CHECK-NEXT: gpu.block_id x
  gpu.func @helper() {
    %x = gpu.block_id x
    %y = gpu.block_id y
    gpu.return
  }
}
