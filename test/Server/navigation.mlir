// Definitions, references, renaming, symbols and lenses: by scopes, whether or not the text
// parses.
//
//   cute-run navigation.mlir --device=sim 'f16[4]:iota'
//
// RUN: %python %S/client.py %s | FileCheck %s

!matrix = !cute.tensor<f16, gmem, align<16>, "4:1">
gpu.module @kernels {
  gpu.func @first(%A: !matrix, %n: i32) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>, cute.grid = ["1"]} {
    // ^ symbols
    // CHECK:      {{^}}kernels gpu.module 2 9:1-[[#]]:2
    // CHECK-NEXT: {{^}}  first gpu.func 12 10:3-[[#]]:4
    // CHECK-NEXT: {{^}}  second gpu.func 12
    // ^ lenses
    // CHECK: lenses
    // CHECK-NEXT: 10:12-18 PTX: cutec -o - --arch=sm_80 /test.mlir
    // CHECK-NEXT: 10:12-18 parameters: cute-run --list /test.mlir
    // CHECK-NEXT: 10:12-18 prove: cutec --prove /test.mlir
    // CHECK-NEXT: 10:12-18 simulate: cute-run navigation.mlir --device=sim 'f16[4]:iota'
    %l = cute.get_layout(%A)
    //                    ^ definition
    // CHECK: definition
    // CHECK-NEXT: 10:19-21
    %c0 = arith.constant 0 : i32
    %r:2 = scf.for %i = %c0 to %n step %n iter_args(%s = %n, %t = %c0) -> (i32, i32) : i32 {
    //              ^ uses
    //                          ^ references
    //                                               ^ references
    //                                                             ^ highlight
    // CHECK: uses
    // CHECK-NEXT: 46:23-25
    // CHECK-NEXT: ---
    // CHECK-NEXT: 10:32-34
    // CHECK-NEXT: 27:32-34
    // CHECK-NEXT: 27:40-42
    // CHECK-NEXT: 27:58-60
    // CHECK-NEXT: ---
    // CHECK-NEXT: 27:53-55
    // CHECK-NEXT: 46:27-29
    // CHECK-NEXT: ---
    // CHECK-NEXT: 26:5-8 3
    // CHECK-NEXT: 27:25-28 2
    // CHECK-NEXT: 27:67-70 2
      %a = arith.addi %i, %s : i32
      scf.yield %a, %t : i32, i32
    }
    %x = arith.addi %r#0, %r#1 : i32
    //                    ^ rename sum
    //               ^ rename %sums
    //               ^ rename no name
    //               ^ rename x
    //               ^ may_rename
    // CHECK: rename
    // CHECK-NEXT: 27:5-7 %sum
    // CHECK-NEXT: [[#]]:21-23 %sum
    // CHECK-NEXT: [[#]]:27-29 %sum
    // CHECK-NEXT: ---
    // CHECK-NEXT: 27:5-7 %sums
    // CHECK: rename no name
    // CHECK-NEXT: --- 49:22 rename x
    // CHECK-NEXT: --- 49:22 may_rename
    // CHECK-NEXT: 49:21-23
    cf.br ^end(%x : i32)
  ^end(%q: i32):
    cute.print((%q,%x))
    //           ^ definition
    // CHECK: definition
    // CHECK-NEXT: 66:8-10
    gpu.return
  }
  // A scope of its own, though it does not parse.
  gpu.func @second(%A: !matrix) kernel {
    cute.nothing(%A, %l,
    //                ^ definition
    // CHECK: definition
    // CHECK-NEXT: ---
    //           ^ definition
    // CHECK-NEXT: [[#]]:20-22
    gpu.return
  }
}
func.func @host() {
  %c1 = arith.constant 1 : index
  gpu.launch_func @kernels::@second blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
  //                           ^ definition
  // CHECK: definition
  // CHECK-NEXT: [[#]]:12-19
  return
}
// ^ references
// CHECK: references
// CHECK-NOT: :
