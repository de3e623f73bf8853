// The base passes on a module of host and device: gpu.modules get a target and
// become code.
// RUN: cute-opt %s --cute-fold-static --cute-expand-ops --cute-to-base --base-prepare --one-shot-convert-to-llvm --attach-nvvm-target -o %t.llvm
// RUN: FileCheck %s --check-prefixes=LLVM,DEFAULT --implicit-check-not=unrealized --implicit-check-not=func.func < %t.llvm
// RUN: cute-opt %s --cute-expand-ops --cute-to-base --base-prepare --one-shot-convert-to-llvm --attach-nvvm-target="chip=sm_90 features=+ptx80 opt-level=3" | FileCheck %s --check-prefixes=LLVM,CHOSEN
// RUN: cute-opt %t.llvm --emit-gpu-binary | FileCheck %s --check-prefix=ISA
// RUN: cute-opt %t.llvm -emit-gpu-binary=compilation-target=isa | FileCheck %s --check-prefix=ISA
// RUN: cute-opt %t.llvm --pass-pipeline='builtin.module(emit-gpu-binary{compilation-target=isa})' | FileCheck %s --check-prefix=ISA
// RUN: not cute-opt %t.llvm --emit-gpu-binary=compilation-target=text 2>%t.err | count 0
// RUN: FileCheck %s --check-prefix=FORMAT < %t.err
// RUN: not cute-opt %t.llvm --attach-nvvm-target=arch=sm_90 2>&1 | FileCheck %s --check-prefix=OPTION
// RUN: not cute-opt %t.llvm --attach-nvvm-target=opt-level=high 2>&1 | FileCheck %s --check-prefix=LEVEL

// LLVM: gpu.module @device [#nvvm.target<
// DEFAULT-SAME: >]
// CHOSEN-SAME: O = 3, chip = "sm_90", features = "+ptx80">]
// LLVM: llvm.func @kernel(
// LLVM: llvm.call @vprintf
// LLVM: llvm.func @host(
// LLVM: gpu.launch_func @device::@kernel
// ISA: gpu.binary @device
// ISA-SAME: .target sm_80
// ISA-SAME: .entry kernel(
// ISA: gpu.launch_func @device::@kernel
// FORMAT: error: Invalid format
// OPTION: error: 'attach-nvvm-target' has no option 'arch'
// LEVEL: 'high' value invalid

module attributes {gpu.container_module} {
  gpu.module @device {
    gpu.func @kernel(%n: i32) kernel {
      %s = cute.make_shape(%n) : (i32) -> !cute.shape<"(?,4)">
      %i = cute.make_int_tuple(%n) : (i32) -> !cute.int_tuple<"?">
      %d = cute.ceil_div(%s, %i) : (!cute.shape<"(?,4)">, !cute.int_tuple<"?">) -> !cute.shape<"(?,?)">
      cute.print(%d) : !cute.shape<"(?,?)">
      gpu.return
    }
  }
  func.func @host(%l: !cute.layout<"(?,?):(?,?)">) {
    %one = arith.constant 1 : index
    %size = cute.cosize(%l) : (!cute.layout<"(?,?):(?,?)">) -> !cute.int_tuple<"?">
    %n = cute.get_scalars (%size) : !cute.int_tuple<"?">
    gpu.launch_func @device::@kernel blocks in (%one, %one, %one) threads in (%one, %one, %one) args(%n : i32)
    return
  }
}
