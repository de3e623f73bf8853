// Ops on vectors of one dimension need no pass of MLIR for vectors.
// RUN: cute-opt %s --cute-to-llvm | FileCheck %s --implicit-check-not=vector. --implicit-check-not=unrealized

// CHECK-LABEL: llvm.func @plain(
// CHECK: llvm.extractelement
// CHECK: llvm.insertelement
// CHECK: llvm.shufflevector
gpu.module @kernels {
  gpu.func @plain(%v: vector<4xf32>, %p: !llvm.ptr<1>) kernel {
    %x = vector.extract %v[2] : f32 from vector<4xf32>
    %y = vector.extract %v[3] : f32 from vector<4xf32>
    %w = vector.from_elements %x, %y : vector<2xf32>
    llvm.store %w, %p : vector<2xf32>, !llvm.ptr<1>
    %z = vector.broadcast %x : f32 to vector<4xf32>
    llvm.store %z, %p : vector<4xf32>, !llvm.ptr<1>
    gpu.return
  }
}
