// Hovers: the type of a value, with its picture and how an op came to it; types and aliases;
// and the reference of an op. What follows an error has types, too.
//
// RUN: %python %S/client.py %s | FileCheck %s
// RUN: sed '/cute.siz/d' %s > %t.mlir && %python %S/client.py %t.mlir | FileCheck %s --check-prefix=EXPLAINED

// CHECK: 16:12-20: error: unknown operation
!matrix = !cute.tensor<f16, gmem, align<16>, "(2,2):(2,1)">
// ^ hover
// CHECK-LABEL: --- 8:4 hover
// CHECK: {{^}}!cute.tensor<f16, gmem, align<16>, "(2,2):(2,1)">{{$}}
// CHECK: {{^}} 1  | 2 | 3 |{{$}}

gpu.module @kernels {
  gpu.func @copy(%A: !matrix, %n: i32) kernel {
    %bad = cute.siz(%A)
    %l = cute.get_layout(%A)
    //^ hover
    //     ^ hover
    //                   ^ hover
    // CHECK-LABEL: hover
    // CHECK: {{^}}%l : !cute.layout<"(2,2):(2,1)">{{$}}
    // CHECK-LABEL: hover
    // CHECK: The layout of a tensor.
    // CHECK: - Assembly: `cute.get_layout(%tensor) : (T) -> T`
    // CHECK-LABEL: hover
    // CHECK: {{^}}%A : !cute.tensor<f16, gmem, align<16>, "(2,2):(2,1)">
    %c = cute.composition(%l, 2)
    //     ^ hover
    //^ hover
    // CHECK-LABEL: hover
    // CHECK: R(c) = lhs(rhs(c))
    // CHECK-LABEL: hover
    // CHECK: {{^}}%c : !cute.layout<"2:2">
    // EXPLAINED: result 2:2
    // EXPLAINED: %c : !cute.layout
    // EXPLAINED: composition (2,2):(2,1) o 2:1
    %x:2 = arith.addui_extended %n, %n : i32, i1
    %y = arith.addi %n, %n : i32
    scf.if %x#1 {
    //       ^ hover
    // CHECK-LABEL: hover
    // CHECK: {{^}}%x#1 : i1{{$}}
      cute.print(!cute.mma_atom<"SM80_16x8x8_F32F16F16F32_TN">)
      //            ^ hover
      // CHECK-LABEL: hover
      // CHECK: T31V2 | T31V3
    }
    // ^ hover
    // CHECK-LABEL: hover
    // CHECK-NEXT: none
    gpu.return
  }
}
