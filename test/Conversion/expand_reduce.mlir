// Reductions over lanes are exchanges; MLIR's own, over blocks, compile.
// RUN: cute-opt %s --cute-expand-reduce | FileCheck %s --implicit-check-not=gpu.subgroup_reduce
// RUN: cutec %s --arch=sm_80 -o - | FileCheck %s --check-prefix=PTX --implicit-check-not=call

gpu.module @reductions {
  // CHECK-LABEL: gpu.func @warp(
  // CHECK-SAME: %[[X:.*]]: f32
  // CHECK: %[[O:.*]], %{{.*}} = gpu.shuffle xor %[[X]], %c1_i32, %c32_i32 : f32
  // CHECK: %[[S:.*]] = arith.addf %[[X]], %[[O]] : f32
  // CHECK: %[[O2:.*]], %{{.*}} = gpu.shuffle xor %[[S]], %c2_i32,
  // CHECK: arith.addf %[[S]], %[[O2]]
  // CHECK-COUNT-3: gpu.shuffle xor
  // CHECK-NOT: gpu.shuffle
  // PTX-LABEL: .entry warp(
  // PTX: shfl.sync.bfly.b32 {{.*}}, 1, 31, -1;
  // PTX: shfl.sync.bfly.b32 {{.*}}, 2, 31, -1;
  // PTX: shfl.sync.bfly.b32 {{.*}}, 4, 31, -1;
  // PTX: shfl.sync.bfly.b32 {{.*}}, 8, 31, -1;
  // PTX: shfl.sync.bfly.b32 {{.*}}, 16, 31, -1;
  // PTX-NOT: shfl
  // PTX: ret;
  gpu.func @warp(%x: f32, %p: !llvm.ptr<1>) kernel {
    %s = gpu.subgroup_reduce add %x uniform : (f32) -> f32
    llvm.store %s, %p : f32, !llvm.ptr<1>
    gpu.return
  }

  // Groups of 4 lanes that are 8 apart.
  // CHECK-LABEL: gpu.func @cluster(
  // CHECK: gpu.shuffle xor %{{.*}}, %c8_i32
  // CHECK: arith.maximumf
  // CHECK: gpu.shuffle xor %{{.*}}, %c16_i32
  // CHECK: arith.maximumf
  // CHECK-NOT: gpu.shuffle
  // CHECK-LABEL: gpu.func @kinds(
  gpu.func @cluster(%x: f32, %p: !llvm.ptr<1>) kernel {
    %s = gpu.subgroup_reduce maximumf %x cluster(size = 4, stride = 8) : (f32) -> f32
    llvm.store %s, %p : f32, !llvm.ptr<1>
    gpu.return
  }

  // CHECK: arith.mulf
  // CHECK: arith.minnumf
  // CHECK: arith.maxnumf
  // CHECK: arith.minimumf
  // CHECK: arith.minsi
  // CHECK: arith.maxui
  // CHECK: arith.xori
  // PTX-LABEL: .entry kinds(
  // PTX: ret;
  gpu.func @kinds(%x: f16, %i: i32, %d: f64, %p: !llvm.ptr<1>) kernel {
    %0 = gpu.subgroup_reduce mul %x cluster(size = 2) : (f16) -> f16
    %1 = gpu.subgroup_reduce minnumf %0 cluster(size = 2) : (f16) -> f16
    %2 = gpu.subgroup_reduce maxnumf %1 cluster(size = 2) : (f16) -> f16
    llvm.store %2, %p : f16, !llvm.ptr<1>
    %3 = gpu.subgroup_reduce minimumf %d cluster(size = 2) : (f64) -> f64
    llvm.store %3, %p : f64, !llvm.ptr<1>
    %4 = gpu.subgroup_reduce minsi %i cluster(size = 2) : (i32) -> i32
    %5 = gpu.subgroup_reduce maxui %4 cluster(size = 2) : (i32) -> i32
    %6 = gpu.subgroup_reduce xor %5 cluster(size = 2) : (i32) -> i32
    llvm.store %6, %p : i32, !llvm.ptr<1>
    gpu.return
  }

  // PTX-LABEL: .entry block(
  // PTX: shfl.sync.bfly.b32
  // PTX: bar.sync
  // PTX: redux.sync.add.s32
  // PTX: ret;
  gpu.func @block(%x: f32, %i: i32, %p: !llvm.ptr<1>) kernel {
    %s = gpu.all_reduce maximumf %x uniform {} : (f32) -> f32
    %m = arith.constant -1 : i32
    %r = nvvm.redux.sync add %i, %m : i32 -> i32
    llvm.store %s, %p : f32, !llvm.ptr<1>
    llvm.store %r, %p : i32, !llvm.ptr<1>
    gpu.return
  }
}
