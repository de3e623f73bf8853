// Functions on the host call libcute-run for launches and failed assertions;
// kernels go with their modules.
// RUN: cute-opt %s --cute-to-host | FileCheck %s --implicit-check-not=gpu.launch --implicit-check-not=gpu.func
// RUN: cute-opt %s --cute-host-to-llvm | FileCheck %s --check-prefix=LLVM --implicit-check-not=cute. --implicit-check-not=arith.

// Kernels have the numbers of the manifest.
// CHECK: llvm.func @cuteHostLaunch(i32, !llvm.ptr, !llvm.ptr)
// CHECK-NOT: @kernel
module attributes {gpu.container_module} {
  gpu.module @first {
    gpu.func @device(%n: i32) { gpu.return }
    gpu.func @kernel() kernel { gpu.return }
  }
  gpu.module @second {
    gpu.func @kernel2(%A: !cute.tensor<f32, gmem, align<16>, "(?,4):(?{i64},1)">, %s: !cute.shape<"(4,8)">, %i: index) kernel { gpu.return }
  }

  // A parameter for the pointer, each dynamic leaf and the index; the words of
  // the launch.
  // CHECK-LABEL: func.func @launch(
  // CHECK: %[[WORDS:.*]] = llvm.alloca %c12_i64 x i64
  // CHECK: %[[ARGUMENTS:.*]] = llvm.alloca %c5_i64
  // CHECK: llvm.store %{{.*}}, %[[P0:.*]] {alignment = 1 : i64} : !llvm.ptr<1>, !llvm.ptr
  // CHECK: llvm.store %[[P0]], %{{.*}} : !llvm.ptr, !llvm.ptr
  // CHECK: llvm.store %{{.*}}, %{{.*}} {alignment = 1 : i64} : i32, !llvm.ptr
  // CHECK: llvm.store %{{.*}}, %{{.*}} {alignment = 1 : i64} : i64, !llvm.ptr
  // CHECK: arith.index_cast
  // CHECK: %[[ONE:.*]] = arith.constant 1 : i32
  // CHECK: llvm.ptrtoint
  // CHECK: llvm.call @cuteHostLaunch(%[[ONE]], %[[WORDS]], %[[ARGUMENTS]])
  // LLVM: llvm.func @launch(
  func.func @launch(%stream: !llvm.ptr, %A: !cute.tensor<f32, gmem, align<16>, "(?,4):(?{i64},1)">, %i: index) {
    %s = cute.static : !cute.shape<"(4,8)">
    gpu.launch_func <%stream : !llvm.ptr> @second::@kernel2 blocks in (%i, %i, %i) threads in (%i, %i, %i) args(%A : !cute.tensor<f32, gmem, align<16>, "(?,4):(?{i64},1)">, %s : !cute.shape<"(4,8)">, %i : index)
    return
  }

  // CHECK-LABEL: func.func @loop(
  // CHECK: llvm.alloca
  // CHECK: scf.for
  // CHECK-NOT: llvm.alloca
  // CHECK: %[[ZERO:.*]] = arith.constant 0 : i32
  // CHECK: llvm.call @cuteHostLaunch(%[[ZERO]],
  func.func @loop(%n: index, %stream: i64) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %n step %c1 {
      gpu.launch_func <%stream : i64> @first::@kernel blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
    }
    return
  }

  // CHECK-LABEL: func.func @assert(
  // CHECK: scf.if
  // CHECK: llvm.call @cuteHostFail(
  func.func @assert(%ok: i1) {
    cf.assert %ok, "no"
    return
  }
}
