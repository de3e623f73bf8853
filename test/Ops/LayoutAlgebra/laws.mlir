// RUN: cute-opt %s --split-input-file --verify-diagnostics
// RUN: cute-opt %s --split-input-file 2>/dev/null | FileCheck %s
// RUN: not cute-opt %s --split-input-file --strict 2>&1 | FileCheck %s --check-prefix=STRICT
// RUN: cute-opt %s --split-input-file --strict=false 2>/dev/null | FileCheck %s

// Results that break a law are the open dialect's, with a warning.

// CHECK: cute.composition(%{{.*}} -> !cute.layout<"(2,2):(4,10)">
// STRICT: laws.mlir:[[@LINE+3]]:{{[0-9]+}}: error: 'cute.composition' op composition: R(c) = A(B(c)) fails
func.func @composition(%a: !cute.layout<"(6,4):(1,10)">, %b: !cute.layout<"4:4">) {
  // expected-warning @+1 {{'cute.composition' op composition: R(c) = A(B(c)) fails for A = (6,4):(1,10), B = 4:4 at c = 2: 10 is not 12}}
  %r = cute.composition(%a, %b) : (!cute.layout<"(6,4):(1,10)">, !cute.layout<"4:4">) -> !cute.layout<"(2,2):(4,10)">
  return
}

// -----

// Modes of a tile are taken for themselves.

// STRICT: error: 'cute.composition' op
func.func @by_mode(%a: !cute.layout<"((6,4),?):((1,10),60)">, %b: !cute.tile<"[4:4;2:1]">) {
  // expected-warning @+1 {{fails for A = (6,4):(1,10), B = 4:4}}
  %r = cute.composition(%a, %b) : (!cute.layout<"((6,4),?):((1,10),60)">, !cute.tile<"[4:4;2:1]">) -> !cute.layout<"((2,2),2):((4,10),60)">
  return
}

// -----

// STRICT: error: 'cute.complement' op
func.func @complement(%a: !cute.layout<"(8,6):(8,1)">, %m: !cute.shape<"248">) {
  // expected-warning @+1 {{'cute.complement' op complement: size(R) >= M / size(A) fails}}
  %r = cute.complement(%a, %m) : (!cute.layout<"(8,6):(8,1)">, !cute.shape<"248">) -> !cute.layout<"4:64">
  return
}

// -----

// STRICT: error: 'cute.left_inverse' op
func.func @left_inverse(%a: !cute.layout<"(2,2,2):(3,3,1)">) {
  // expected-warning @+1 {{'cute.left_inverse' op left_inverse: A(R(A(i))) = A(i) fails}}
  %r = cute.left_inverse(%a) : !cute.layout<"(2,2,2):(3,3,1)"> -> !cute.layout<"(3,2):(4,2)">
  return
}

// -----

// STRICT: error: 'cute.tiled_divide' op
func.func @divide(%a: !cute.layout<"(5,12):(12,1)">, %t: !cute.layout<"2:1">) {
  // expected-warning @+1 {{'cute.tiled_divide' op divide: R(i,j) = A(T(i) + C(j)) fails}}
  %r = cute.tiled_divide(%a, %t) : !cute.layout<"(5,12):(12,1)">, !cute.layout<"2:1">
  return
}

// -----

// STRICT: error: 'cute.raked_product' op
func.func @product(%a: !cute.layout<"(1,2):(0,9)">, %b: !cute.layout<"(4,6):(6,1)">) {
  // expected-warning @+1 {{'cute.raked_product' op product: R(j) = C(B(j))}}
  %r = cute.raked_product(%a, %b) : !cute.layout<"(1,2):(0,9)">, !cute.layout<"(4,6):(6,1)">
  return
}

// -----

// Lawful, or dynamic: nothing to say.

// STRICT-NOT: laws.mlir:[[@LINE+2]]
// STRICT-NOT: error
func.func @lawful(%a: !cute.layout<"(?,4):(1,10)">, %b: !cute.layout<"4:4">, %c: !cute.layout<"(6,4):(1,6)">) {
  %r = cute.composition(%a, %b) : (!cute.layout<"(?,4):(1,10)">, !cute.layout<"4:4">) -> !cute.layout<"(?,?):(4,?)">
  %s = cute.composition(%c, %b) : (!cute.layout<"(6,4):(1,6)">, !cute.layout<"4:4">) -> !cute.layout<"4:4">
  return
}
