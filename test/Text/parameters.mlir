// Parameters that a module declares have the values of -D, or those declared.
// RUN: cute-opt %s -D N=8 | FileCheck %s
// RUN: cute-opt %s -D N=8 | cute-opt | FileCheck %s
// RUN: cute-opt %s -DBM=64 -D T=f32 -D N=3 -D N=4 -D ATOM=SM80_16x8x8_F32TF32TF32F32_TN -D swap=true \
// RUN:   | FileCheck %s --check-prefix=GIVEN
// RUN: cute-opt %s -D N=8 -mlir-print-debuginfo -mlir-print-local-scope | FileCheck %s --check-prefix=PLACE

!matrix = !cute.tensor<$T, gmem, align<16>, "(?,?{div=${BM/16}}):(?,1)">

// What is in force is in the module.
// CHECK: module attributes {cute.parameters = {ATOM = "SM80_16x8x16_F32F16F16F32_TN", BM = 128 : i32, N = 8 : i64, T = f16, THREADS = 256 : i64, swap = false}}
// GIVEN: module attributes {cute.parameters = {ATOM = "SM80_16x8x8_F32TF32TF32F32_TN", BM = 64 : i32, N = 4 : i64, T = f32, THREADS = 128 : i64, swap = true}}
module attributes {cute.parameters = {
    BM = 128 : i32, THREADS = ${BM * 2}, // $UNKNOWN in a comment is none
    T = f16, N, swap = false, ATOM = "SM80_16x8x16_F32F16F16F32_TN"}} {

  // CHECK: func.func @kernel_128x8(%{{.*}}: !cute.tensor<f16, gmem, align<16>, "(?,?{div=8}):(?,1)">, %{{.*}}: vector<8xf16>) attributes {block = array<i32: 256, 1, 1>, formula = "ceil_div(x, 128)", text = "SM80_16x8x16_F32F16F16F32_TN"}
  // GIVEN: func.func @kernel_64x4(%{{.*}}: !cute.tensor<f32, gmem, align<16>, "(?,?{div=4}):(?,1)">, %{{.*}}: vector<4xf32>) attributes {block = array<i32: 128, 1, 1>, formula = "ceil_div(x, 64)"
  func.func @kernel_${BM}x${N}(%A: !matrix, %v: vector<${N}x${T}>) attributes {
      block = array<i32: $THREADS, 1, 1>, text = $ATOM,
      formula = "ceil_div(x, $BM)"} {
    // CHECK: arith.constant 1023 : i32
    // CHECK: arith.constant false
    // GIVEN: arith.constant 255 : i32
    // GIVEN: arith.constant true
    %c = arith.constant ${max(BM, 1) * N - 1} : i32
    %s = arith.constant $swap
    // CHECK: cute.static : !cute.layout<"(128,8):(1,128)">
    // GIVEN: cute.static : !cute.layout<"(64,4):(1,64)">
    %l = cute.static : !cute.layout<"($BM,$N):(1,$BM)">
    // PLACE: cute.static : !cute.shape<"(128,8)"> loc("{{.*}}parameters.mlir":{{[0-9]+}}:{{[0-9]+}})
    // PLACE: cute.local_tile {{.*}} loc("{{.*}}parameters.mlir":[[#@LINE+1]]:45)
    %b = arith.constant ${N+N+N} : i8  %g = cute.local_tile(%A, ($BM,$N), (0,0))
    // CHECK: cute.static : !cute.mma_atom<"SM80_16x8x16_F32F16F16F32_TN">
    // GIVEN: cute.static : !cute.mma_atom<"SM80_16x8x8_F32TF32TF32F32_TN">
    %atom = cute.static : !cute.mma_atom<"$ATOM">
    // The rest of a line after //$name is there if the parameter is not 0 or false.
    // GIVEN: arith.constant 770 : i32
    // CHECK-NOT: arith.constant 77
    //$swap %swapped = arith.constant 770 : i32
    // CHECK: arith.constant 778 : i32
    // PLACE: arith.constant 778 : i32 loc({{.*}}parameters.mlir":[[#@LINE+1]]:21)
    //${N} %there = arith.constant 77${N} : i32
    // CHECK-NOT: arith.constant 779
    //$T %typed = arith.constant 779 : i32
    //$ATOM %named = arith.constant 779 : i32
    //$UNKNOWN and //$$N are comments
    // The dots of a range may come before it.
    // CHECK: %[[BM:.*]] = arith.constant 128 : i32
    // CHECK: scf.for %{{.*}} = %{{.*}} to %[[BM]] step
    for %i in 0..$BM {
    }
    // What is none: a $ in inline assembly, and in names.
    // CHECK: llvm.inline_asm "{{[{][$][$][}] mov.b32 [$]0, [$][{]1:n[}]}}", "=r,r"
    %x$BM = llvm.inline_asm "{$$} mov.b32 $0, ${1:n}", "=r,r" %c : (i32) -> i32
    return
  }
}
