// Functions and ops of the dialect are printed without MLIR's printer where
// that can make no difference; with a limit for resources MLIR prints them.
// RUN: cute-opt %s --split-input-file --allow-unregistered-dialect -o %t.walk
// RUN: cute-opt %s --split-input-file --allow-unregistered-dialect \
// RUN:   --mlir-elide-resource-strings-if-larger=1000000 -o %t.mlir
// RUN: diff %t.walk %t.mlir
// RUN: FileCheck %s --input-file=%t.walk

// CHECK-LABEL: module @named {
// CHECK-NEXT: func.func private @declared(!cute.layout<"4:1">) -> i32
// CHECK-NEXT: func.func @regions(%arg0: !cute.layout<"?:1">, %arg1: index) -> !cute.int_tuple<"?"> {
// CHECK-NEXT:   %0 = cute.size (%arg0) : (!cute.layout<"?:1">) -> !cute.int_tuple<"?">
// CHECK-NEXT:   %c0 = arith.constant 0 : index
// CHECK-NEXT:   %1 = cute.static : !cute.shape<"(2,3)">
// CHECK-NEXT:   %2:2 = cute.get_leaves(%1) :
module @named {
  func.func private @declared(!cute.layout<"4:1">) -> i32
  func.func @regions(%a: !cute.layout<"?:1">, %n: index) -> !cute.int_tuple<"?"> {
    %0 = cute.size(%a) : (!cute.layout<"?:1">) -> !cute.int_tuple<"?">
    %c0 = arith.constant 0 : index
    %s = cute.static : !cute.shape<"(2,3)">
    %l:2 = cute.get_leaves(%s) : (!cute.shape<"(2,3)">) -> (!cute.shape<"2">, !cute.shape<"3">)
    scf.for %i = %c0 to %n step %n {
      %x = cute.size(%l#1) : (!cute.shape<"3">) -> !cute.int_tuple<"3">
      %b = arith.constant true
      scf.if %b {
        "other.op"(%x) {text = "a\0Ab"} : (!cute.int_tuple<"3">) -> ()
      }
    }
    %g = cute.get<[1]>(%s) {note = "x", unit} : !cute.shape<"(2,3)"> -> !cute.shape<"3">
    return %0 : !cute.int_tuple<"?">
  }
  func.func @"quoted name"() { return }
  func.func @attributes(%a: i32 {other.of = 1 : i8}) attributes {other.on} { return {other.last} }
  func.func @calls() {
    call @"quoted name"() : () -> ()
    %0 = builtin.unrealized_conversion_cast to i32
    return
  }
  func.func @blocks(%a: i32) -> (i32, () -> i32) {
    cf.br ^next(%a : i32)
  ^next(%d: i32):
    %f = "other.f"() : () -> (() -> i32)
    return %d, %f : i32, () -> i32
  }
  func.func @returns(%f: () -> i32) -> (() -> i32) { return %f : () -> i32 }
  module @inner { func.func @f() { return } }
}

// -----

// CHECK: #map = affine_map
// CHECK: note = #map
func.func @alias() {
  %0 = cute.static {note = affine_map<(d0) -> (d0 + 1)>} : !cute.shape<"2">
  return
}

// -----

// CHECK: #map = affine_map
// CHECK: memref<4xf32, #map>
func.func @alias(%m: memref<4xf32, affine_map<(d0) -> (d0 * 2)>>) {
  %0 = cute.static : !cute.shape<"2">
  return
}

// -----

// CHECK: module attributes {other.unit} {
module attributes {other.unit} {
  func.func @f() { return }
}

// -----

// Values of the module are numbered before its functions' values.
// CHECK: %1 = "other.value"
// CHECK: func.func @after(%arg0: i32)
// CHECK-NEXT: %2 = arith.addi
module {
  %0:2 = "other.values"() : () -> (i32, i32)
  %1 = "other.value"() : () -> i32
  func.func @after(%a: i32) -> i32 {
    %s = arith.addi %a, %a : i32
    return %s : i32
  }
  "other.op"(%1) : (i32) -> ()
}

// -----

// CHECK: "other.op"() ({
// CHECK: func.func @first(%arg0: i32)
// CHECK-NEXT: %0 = arith.addi
// CHECK: func.func @second(%arg0: i32)
// CHECK-NEXT: %0 = arith.addi
module {
  "other.op"() ({ %0 = "other.value"() : () -> i32 }) : () -> ()
  func.func @first(%a: i32) -> i32 {
    %0 = arith.addi %a, %a : i32
    return %0 : i32
  }
  "other.op"() : () -> ()
  llvm.func @llvm(%a: i32) -> i32 {
    %0 = llvm.add %a, %a : i32
    llvm.return %0 : i32
  }
  func.func @second(%a: i32) -> i32 {
    %0 = arith.addi %a, %a : i32
    return %0 : i32
  }
}
