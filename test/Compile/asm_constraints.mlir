// Constraints of inline PTX that do not fit the op: LLVM would end the process at
// most of them, and ptxas refuse the others.
// RUN: not cutec %s --arch=sm_90a -o - 2>&1 | FileCheck %s
// RUN: cutec %S/Inputs/asm_constraints.mlir --arch=sm_90a -o - | FileCheck %s --check-prefix=RIGHT

// RIGHT: add.u32 [[X:%r[0-9]+]], [[X]], 1;
// RIGHT: mov.b64 {{%rd[0-9]+}}, {{%rd[0-9]+}};
// RIGHT: setp.eq.u32 %p{{[0-9]+}}, %r{{[0-9]+}}, 1;

gpu.module @m {
  gpu.func @k(%p: !llvm.ptr<1>, %a: i32, %b: i64, %d: f64, %v: vector<4xi32>, %w: i24) kernel {
    // CHECK: :[[#@LINE+1]]:10: error: 'llvm.inline_asm' op constraints "+r": there is no '+'; write what is read and written as an output and an input tied to it, as in "=r,0"
    %0 = llvm.inline_asm "add.u32 $0, $0, 1;", "+r" %a : (i32) -> i32
    // CHECK: :[[#@LINE+1]]:10: error: {{.*}} "r": there must be one output, such as "=r", for each of the 1 results, not 0
    %1 = llvm.inline_asm "mov.u32 $0, %laneid;", "r" : () -> i32
    // CHECK: :[[#@LINE+1]]:10: error: {{.*}} "": there must be one output
    %2 = llvm.inline_asm "mov.u32 $0, %laneid;", "" : () -> i32
    // CHECK: :[[#@LINE+1]]:10: error: {{.*}} "=r,r,r": there must be one input, such as "r", for each of the 1 operands, not 2
    %3 = llvm.inline_asm "mov.b32 $0, $1;", "=r,r,r" %a : (i32) -> i32
    // CHECK: :[[#@LINE+1]]:10: error: {{.*}} "=r": there must be one input, such as "r", for each of the 1 operands, not 0
    %4 = llvm.inline_asm "mov.b32 $0, 1;", "=r" %a : (i32) -> i32
    // CHECK: :[[#@LINE+1]]:10: error: {{.*}} "=r,=r": there must be one output, such as "=r", for each of the 1 results, not 2
    %5 = llvm.inline_asm "mov.u32 $0, 1;", "=r,=r" : () -> i32
    // CHECK: :[[#@LINE+1]]:10: error: {{.*}} "r,=r": outputs, which begin with =, come before inputs
    %6 = llvm.inline_asm "mov.u32 $0, 1;", "r,=r" %a : (i32) -> i32
    // CHECK: :[[#@LINE+1]]:10: error: {{.*}} "=r/2" is not a class of registers; write b, h, r, l, q, f or d, with = before that of a result
    %7 = llvm.inline_asm "mov.u32 $0, 1;", "=r/2" : () -> i32
    // CHECK: :[[#@LINE+1]]:10: error: {{.*}} ",r": "" is not a class of registers
    %8 = llvm.inline_asm "mov.u32 $0, 1;", ",r" %a : (i32) -> i32
    // CHECK: :[[#@LINE+1]]:10: error: {{.*}} "=r,": the last one, after the comma, is missing
    %9 = llvm.inline_asm "mov.u32 $0, 1;", "=r," : () -> i32
    // CHECK: :[[#@LINE+1]]:11: error: {{.*}} "=l" holds 64 bits, but i32 needs "=r"
    %10 = llvm.inline_asm "mov.b64 $0, 1;", "=l" : () -> i32
    // CHECK: :[[#@LINE+1]]:11: error: {{.*}} "=r" holds 32 bits, but i64 needs "=l"
    %11 = llvm.inline_asm "mov.b32 $0, $1;", "=r,r" %a : (i32) -> i64
    // CHECK: :[[#@LINE+1]]:11: error: {{.*}} "=f" holds 32 bits, but f64 needs "=d"
    %12 = llvm.inline_asm "mov.b64 $0, $1;", "=f,f" %d : (f64) -> f64
    // CHECK: :[[#@LINE+1]]:11: error: {{.*}} "r" holds 32 bits, but !llvm.ptr<1> needs "l"
    %13 = llvm.inline_asm "ld.global.b32 $0, [$1];", "=r,r" %p : (!llvm.ptr<1>) -> i32
    // CHECK: :[[#@LINE+1]]:11: error: {{.*}} i24 has 24 bits, which no register of PTX holds; pass registers of 1, 16, 32, 64 or 128 bits
    %14 = llvm.inline_asm "mov.b32 $0, $1;", "=r,r" %w : (i24) -> i32
    // CHECK: :[[#@LINE+1]]:11: error: {{.*}} "0" ties operand 0 to a result of another size
    %15 = llvm.inline_asm "mov.b32 $0, $1;", "=r,0" %v : (vector<4xi32>) -> i32
    // CHECK: :[[#@LINE+1]]:11: error: {{.*}} "1" ties an input to an output that does not exist
    %16 = llvm.inline_asm "mov.b32 $0, $1;", "=r,1" %a : (i32) -> i32
    // CHECK: :[[#@LINE+1]]:11: error: {{.*}} "0r" is not the number of an output
    %17 = llvm.inline_asm "mov.b32 $0, $1;", "=r,0r" %a : (i32) -> i32
    // CHECK: :[[#@LINE+1]]:11: error: {{.*}} the text has $9, but there are only 2 outputs and inputs, numbered from $0
    %18 = llvm.inline_asm "mov.b32 $0, $9;", "=r,r" %a : (i32) -> i32
    // CHECK: :[[#@LINE+1]]:11: error: {{.*}} "=r,=l": "=l" holds 64 bits, but i32 needs "=r"
    %19 = llvm.inline_asm "mov.b32 $0, $1;", "=r,=l" : () -> !llvm.struct<(i32, i32)>
    // CHECK-NOT: error
    gpu.return
  }
}
