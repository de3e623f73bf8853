// Completion of values that can be seen, ops, types, aliases, atoms, symbols and attributes;
// and hints of types that were left out.
//
// RUN: %python %S/client.py %s | FileCheck %s

!matrix = !cute.tensor<f16, gmem, align<16>, "(2,2):(2,1)">
gpu.module @kernels {
  gpu.func @copy(%A: !matrix, %n: i32) kernel {
    scf.for %i = %n to %n step %n : i32 {
      %hidden = arith.addi %i, %n : i32
    }
    %l = cute.get_layout(%A)
    %m, %k = cute.get_scalars(%l)
    %q = arith.constant 4 : i32
    cute.print(%l)
    //          ^ complete
    // CHECK: complete
    // CHECK-NEXT: 15:17-17 A: !cute.tensor<f16
    // CHECK-NEXT: 15:17-17 n: i32
    // CHECK-NEXT: 15:17-17 l: !cute.layout<"(2,2):(2,1)">
    // CHECK-NEXT: 15:17-17 m:
    // CHECK-NEXT: 15:17-17 k:
    // CHECK-NEXT: 15:17-17 q: i32
    // CHECK-NEXT: ---
    //      ^ complete cute.prin
    // CHECK: 15:5-13 cute.print:
    // CHECK-NEXT: 15:5-13 cute.print_tensor:
    %a = cute.make_atom : !cute.mma_atom<"SM80_">
    //                                        ^ complete SM80_16x8x8_F32F16F16F32
    // CHECK: complete
    // CHECK-NEXT: 28:43-47 SM80_16x8x8_F32F16F16F32_TN: mma.sync
    //                          ^ complete cute.lay
    // CHECK: complete
    // CHECK-NEXT: 28:28-33 cute.layout:
    //                        ^ complete matr
    // CHECK: complete
    // CHECK-NEXT: 28:28-31 matrix:
    %s = cute.get_scalars {}
    //                     ^ complete
    // CHECK: complete
    // CHECK-NEXT: 38:28-28 only_dynamic:
    %t, %u = cute.get_scalars(%l)
  //^ hints 1
    // CHECK: hints
    // CHECK-NEXT: 42:7: i32
    // CHECK-NEXT: 42:11: i32
    %v = cute.make_identity_tensor((8,(16,32),64))
  //^ hints 1
    // CHECK: hints
    // CHECK-NEXT: 47:7: coord_tensor<"(0,(0,0),0)", "(8,(16,32),
    gpu.return
  }
}
