// Aliases of types stand wherever types do; aliases of attributes are untouched.
// RUN: cute-opt %s | FileCheck %s
// RUN: cute-opt %s --mlir-print-op-generic | cute-opt | FileCheck %s

!leaf = !cute.layout<"4">
!again = !leaf
!both=tuple<!leaf, !again>
!f = (!leaf) -> !again
!dotted_1$ = !cute.tensor<f32, "gmem", 4 : i64, "?">
#map = affine_map<(d0) -> (d0)>
#text = "!cute.layout<4>"

// CHECK-LABEL: func.func private @declaration(
// CHECK-SAME: !cute.layout<"4:1">, !cute.layout<"4:1">,
// CHECK-SAME: tuple<!cute.layout<"4:1">, !cute.layout<"4:1">>,
// CHECK-SAME: (!cute.layout<"4:1">) -> !cute.layout<"4:1">)
// CHECK-SAME: attributes {a = "!cute.layout<4>"}
func.func private @declaration(!leaf, !again, !both, !f) attributes {a = #text}

// CHECK-LABEL: func.func @uses(
// CHECK-SAME: %[[T:.*]]: !cute.tensor<f32, gmem, align<4>, "?:1">)
func.func @uses(%t: !dotted_1$) {
  // CHECK: %[[A:.*]] = cute.static : !cute.layout<"4:1">
  %a = cute.static : !leaf
  // CHECK: %[[B:.*]] = cute.static : !cute.layout<"4:1">
  %b = "cute.static"() : () -> !again
  // CHECK: cute.size (%[[A]]) : (!cute.layout<"4:1">) -> !cute.int_tuple<"4">
  %c = cute.size(%a) : (!again) -> !cute.int_tuple<"4">
  // CHECK: cute.size (%[[B]]) : (!cute.layout<"4:1">) -> !cute.int_tuple<"4">
  %d = cute.size(%b)
  // CHECK: cute.get_layout(%[[T]]) : (!cute.tensor<f32, gmem, align<4>, "?:1">) -> !cute.layout<"?:1">
  %e = cute.get_layout(%t)
  cf.br ^bb1(%a : !leaf)
// CHECK: ^bb1(%[[X:.*]]: !cute.layout<"4:1">):
^bb1(%x: !again):
  // CHECK: cute.cosize (%[[X]]) : (!cute.layout<"4:1">) -> !cute.int_tuple<"4">
  %g = cute.cosize(%x)
  return
}
