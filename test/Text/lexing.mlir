// What looks like the dialect but is not: comments, strings, symbols, names of
// attributes and values. And ops wherever others may stand.
// UNSUPPORTED: static
// (pdl is not in that library)
// RUN: cute-opt %s --allow-unregistered-dialect | FileCheck %s
// RUN: cute-opt %s --allow-unregistered-dialect | cute-opt --allow-unregistered-dialect | FileCheck %s
// RUN: cute-opt %s --allow-unregistered-dialect --mlir-print-op-generic | cute-opt --allow-unregistered-dialect | FileCheck %s

#map = affine_map<(d0) -> (d0)>

// CHECK-DAG: #{{[a-z0-9]+}} = affine_map<(d0) -> (d0)>
// CHECK-DAG: #{{[a-z0-9]+}} = affine_set<(d0) : (d0 >= 0)>

// cute.bogus( "cute.bogus"( !cute.bogus<" {
// CHECK-LABEL: func.func @cute.static(
// CHECK-SAME: attributes {a = "cute.static(%x) : !cute.bogus<", b = "\22cute.size\22(", c = "// -> \\", cute.size = 3 : i32}
func.func @cute.static(%cute.size: i32) attributes {
    a = "cute.static(%x) : !cute.bogus<", b = "\22cute.size\22(",
    c = "// -> \\", cute.size = 3 : i32} {
  // CHECK: call @cute.static(%{{.*}}) : (i32) -> ()
  func.call @"cute.static"(%cute.size) : (i32) -> () // cute.size(%cute.size)
  // CHECK: "test.cute.size"(%{{.*}}) {"cute odd" = "}", cute.copy = [], x = "cute.size"} : (i32) -> ()
  "test.cute.size"(%cute.size) {cute.copy = [], x = "cute.size",
      "cute odd" = "}"} : (i32) -> ()
  // CHECK: "cutest.size"() : () -> ()
  "cutest.size"() : () -> ()
  return
}

// Values' names with digits, signs and dots; lists and counts.
// CHECK-LABEL: func.func @names()
func.func @names() {
  // CHECK: %[[A:.*]] = cute.static : !cute.shape<"(4,5)">
  %a.b-c$_0 = cute.static : !cute.shape<"(4,5)">
  // CHECK: %[[P:.*]]:2 = cute.get_leaves(%[[A]])
  %0 : 2 = cute.get_leaves ( %a.b-c$_0 ) : !cute.shape<"(4,5)">
  // CHECK: cute.size (%[[P]]#0)
  %-x = cute.size(%0#0):(!cute.shape<"4">)->!cute.int_tuple<"4">
  // CHECK: cute.tuple_add(%{{.*}}, %{{.*}}) : (!cute.int_tuple<"4">, !cute.int_tuple<"4">) -> !cute.int_tuple<"8">
  %y = cute.tuple_add(%-x, %-x)
  return
}

// Names of attributes in values, and segments other than MLIR's.
// CHECK-LABEL: func.func @segments(
func.func @segments(%a: i32) {
  // CHECK: cute.make_coord(%{{.*}}) {a = "operandSegmentSizes"} : (i32) -> !cute.coord<"?">
  %0 = cute.make_coord(%a) {a = "operandSegmentSizes"} : (i32) -> !cute.coord<"?">
  return
}

// The flag of get_scalars is in a dictionary of properties.
// CHECK-LABEL: func.func @flags(
func.func @flags(%s: !cute.shape<"(4,?)">) {
  // CHECK: %{{.*}} = cute.get_scalars<{only_dynamic}> (%{{.*}}) {a} :
  %0 = cute.get_scalars< { only_dynamic = unit } >(%s) {a} : !cute.shape<"(4,?)">
  // CHECK: %{{.*}}:2 = cute.get_scalars (%{{.*}}) :
  %1:2 = cute.get_scalars<{}>(%s) : !cute.shape<"(4,?)">
  return
}

// Inherent attributes are properties in the generic form, and what only looks
// like the sizes of segments stays.
// RUN: cute-opt %s --allow-unregistered-dialect --mlir-print-op-generic | FileCheck %s --check-prefix=GEN
// GEN: "cute.make_coord"(%{{.*}}) {a = "operandSegmentSizes"} : (i32) -> !cute.coord<"?">
// GEN: "cute.size"(%{{.*}}) <{mode = array<i32: 0>}> {operandSegmentSizes = array<i32: 1>, "x y"} : (
func.func @generic(%s: !cute.shape<"(4,8)">) {
  // CHECK: cute.size<[0]> (%{{.*}}) {operandSegmentSizes = array<i32: 1>, "x y"} :
  %0 = "cute.size"(%s) <{mode = array<i32: 0>}> {"x y", operandSegmentSizes = array<i32: 1>} : (!cute.shape<"(4,8)">) -> !cute.int_tuple<"4">
  return
}

// Properties in the generic form, beside attributes and for other ops.
// CHECK-LABEL: func.func @properties(
func.func @properties(%l: !cute.layout<"(4,5)">, %i: i32, %j: i64) {
  // CHECK: cute.get<[1]> (%{{.*}}) {a, b = 4 : i32} : !cute.layout<"(4,5):(1,4)"> -> !cute.layout<"5:4">
  %0 = "cute.get"(%l) <{mode = array<i32: 1>}> {a, b = 4 : i32} : (!cute.layout<"(4,5)">) -> !cute.layout<"5:4">
  // CHECK: cute.group_modes<0, 2> (%{{.*}}) : (!cute.layout<"(4,5):(1,4)">) -> !cute.layout<"((4,5)):((1,4))">
  %1 = "cute.group_modes"(%l) <{begin = 0 : i32, end = 2 : i32}> : (!cute.layout<"(4,5)">) -> !cute.layout<"((4,5)):((1,4))">
  // CHECK: cute.get_scalars<{only_dynamic}> (%{{.*}}) : !cute.layout<"(4,5):(1,4)">
  "cute.get_scalars"(%l) <{only_dynamic}> : (!cute.layout<"(4,5)">) -> ()
  // CHECK: cute.size (%{{.*}}) : (!cute.layout<"(4,5):(1,4)">) -> !cute.int_tuple<"20">
  %2 = "cute.size"(%l) <{}> : (!cute.layout<"(4,5)">) -> !cute.int_tuple<"20">
  // CHECK: cute.make_coord(%{{.*}}, %{{.*}}, %{{.*}}) : (i32, i64, i32) -> !cute.coord<"(?,?{i64},?)">
  %3 = "cute.make_coord"(%i, %j, %i) : (i32, i64, i32) -> !cute.coord<"(?,?{i64},?)">
  // CHECK: arith.addi %{{.*}}, %{{.*}} overflow<nsw> : i32
  %4 = "arith.addi"(%i, %i) <{overflowFlags = #arith.overflow<nsw>}> : (i32, i32) -> i32
  return
}

// Names of ops that are not ops.
// CHECK-LABEL: pdl.pattern @names_of_ops
pdl.pattern @names_of_ops : benefit(1) {
  %v = operand
  %t = type
  // CHECK: operation "cute.to_shape"(%{{.*}} : !pdl.value)
  %op = operation "cute.to_shape" (%v : !pdl.value) -> (%t : !pdl.type)
  %r = result 0 of %op
  // CHECK: operation "cute.size"(%{{.*}} : !pdl.value)
  %size = pdl.operation "cute.size"(%r : !pdl.value)
  rewrite %size with "rewriter"
}

// Layout of the text: comments and line ends between any tokens, and several
// statements on a line.
// CHECK-LABEL: func.func @layout()
// CHECK-NEXT: %[[A:.*]] = cute.static : !cute.layout<"(8,4):(4,1)">
// CHECK-NEXT: %[[B:.*]] = cute.static : !cute.layout<"(2,8):(8,1)">
// CHECK-NEXT: cute.composition(%[[A]], %[[B]]) {a} : (!cute.layout<"(8,4):(4,1)">, !cute.layout<"(2,8):(8,1)">) -> !cute.layout<"(2,8):(1,4)">
// CHECK-NEXT: cute.group_modes<0, 1> (%[[A]])
func.func @layout() {
  %a = cute.static : !cute.layout<"(8,4):(4,1)"> %b = cute.static : !cute.layout<"(2,8):(8,1)">
  %c =
    // one
    cute.composition // two
      ( %a // three
      , %b
      )
      { a // "}"
      } : // four
      (!cute.layout<"(8,4):(4,1)"> , // five
       !cute.layout< "(2,8):(8,1)" >) // six
      -> // seven
      !cute.layout<"(2,8):(1,4)"> // eight
  %d = cute.group_modes < 0 , // nine
    1 > (%a)
  return
}

// Attributes with brackets, arrows and comparisons inside.
// CHECK-LABEL: func.func @attributes()
// CHECK: cute.static {a = #{{[a-z0-9]+}}, b = dense<[1, 2]> : tensor<2xi32>,
// CHECK-SAME: c = !cute.tile<"[4:1;_]">, d = @x::@y,
// CHECK-SAME: e = #{{[a-z0-9]+}}, "f g" = "\22>\22"} : !cute.layout<"4:1">
func.func @attributes() {
  %0 = cute.static {a = #map, b = dense<[1, 2]> : tensor<2xi32>,
      c = !cute.tile<"[4;_]">, d = @x::@y, e = affine_set<(d0) : (d0 >= 0)>,
      "f g" = "\22>\22"} : !cute.layout<"4">
  return
}

// Ops of the dialect in regions of any op, and as the last text of the file.
// CHECK-LABEL: "test.regions"() ({
"test.regions"() ({
// CHECK-NEXT: ^bb0(%[[X:.*]]: !cute.layout<"4:1">, %{{.*}}: i32):
^bb0(%x: !cute.layout<"4">, %i: i32):
  // CHECK-NEXT: %[[N:.*]] = cute.size (%[[X]])
  %n = cute.size(%x)
  // CHECK-NEXT: "test.branch"(%[[N]])[^bb1] : (!cute.int_tuple<"4">) -> ()
  "test.branch"(%n)[^bb1] : (!cute.int_tuple<"4">) -> ()
// CHECK-NEXT: ^bb1(%[[Y:.*]]: !cute.int_tuple<"4">):
^bb1(%y: !cute.int_tuple<"4">):
  // CHECK-NEXT: cute.tuple_add(%[[Y]], %[[N]])
  %m = cute.tuple_add(%y, %n)
  // CHECK-NEXT: "test.end"() : () -> ()
  "test.end"() : () -> ()
// CHECK-NEXT: }, {
}, {
  // CHECK-NEXT: %[[S:.*]] = cute.static : !cute.swizzle<"S<1,2,3>">
  // CHECK-NEXT: cute.print(%[[S]]) : !cute.swizzle<"S<1,2,3>">
  %s = cute.static : !cute.swizzle<"S<1,2,3>">
  cute.print(%s)
}) : () -> ()
// CHECK: %{{.*}} = cute.static : !cute.coord<"_">
%last = cute.static : !cute.coord<"_">