// Ops outside of functions, and in functions of other dialects, are lowered too.
// RUN: cute-opt %s --cute-expand-ops --cute-to-base | FileCheck %s --implicit-check-not=cute.

// CHECK: %[[S:.*]] = arith.muli
// CHECK: llvm.call @printf(%{{.*}}, %[[S]])
%five = arith.constant 5 : i32
%shape = cute.make_shape(%five) : (i32) -> !cute.shape<"(?,4)">
%size = cute.size(%shape) : (!cute.shape<"(?,4)">) -> !cute.int_tuple<"?">
cute.print(%size) : !cute.int_tuple<"?">

// CHECK: llvm.func @other(
// CHECK: arith.muli
llvm.func @other(%n: i32) -> i32 {
  %s = cute.make_shape(%n) : (i32) -> !cute.shape<"(?,4)">
  %i = cute.size(%s) : (!cute.shape<"(?,4)">) -> !cute.int_tuple<"?">
  %r = cute.get_scalars (%i) : !cute.int_tuple<"?">
  llvm.return %r : i32
}
