// Layouts and coordinates of tensors fold; what lies in memory stays.
// RUN: cute-opt %s --cute-fold-static --cute-canonicalize | FileCheck %s

// CHECK-LABEL: func.func @get_layout(
// CHECK-NEXT: %[[R:.*]] = cute.static : !cute.layout<"(4,8):(8,1)">
// CHECK-NEXT: return %[[R]] :
func.func @get_layout(%t: !cute.tensor<f32, gmem, align<4>, "(4,8):(8,1)">) -> !cute.layout<"(4,8):(8,1)"> {
  %r = cute.get_layout(%t)
  return %r : !cute.layout<"(4,8):(8,1)">
}

// CHECK-LABEL: func.func @make_identity_tensor(
// CHECK-NEXT: %[[R:.*]] = cute.static : !cute.coord_tensor<"(0,0)", "(4,2):(1@0,1@1)">
// CHECK-NEXT: return %[[R]] :
func.func @make_identity_tensor(%s: !cute.shape<"(4,2)">) -> !cute.coord_tensor<"(0,0)", "(4,2):(1@0,1@1)"> {
  %r = cute.make_identity_tensor(%s)
  return %r : !cute.coord_tensor<"(0,0)", "(4,2):(1@0,1@1)">
}

// CHECK-LABEL: func.func @origin(
// CHECK-NEXT: %[[R:.*]] = cute.static : !cute.int_tuple<"(4,0)">
// CHECK-NEXT: return %[[R]] :
func.func @origin(%t: !cute.coord_tensor<"(4,0)", "(4,?):(1@0,1@1)">) -> !cute.int_tuple<"(4,0)"> {
  %r = cute.get_iter(%t)
  return %r : !cute.int_tuple<"(4,0)">
}

// Nothing is left to assume.
// CHECK-LABEL: func.func @assume(
// CHECK-NEXT: %[[R:.*]] = cute.static : !cute.layout<"4:1">
// CHECK-NEXT: return %[[R]] :
func.func @assume(%l: !cute.layout<"4:1">) -> !cute.layout<"4:1"> {
  %r = cute.assume(%l) : !cute.layout<"4:1"> -> !cute.layout<"4:1">
  return %r : !cute.layout<"4:1">
}

// CHECK-LABEL: func.func @in_memory(
// CHECK: cute.make_tensor
// CHECK: cute.get_iter
func.func @in_memory(%p: !cute.ptr<f32, gmem, align<4>>) -> !cute.ptr<f32, gmem, align<4>> {
  %l = cute.static : !cute.layout<"4:1">
  %t = cute.make_tensor(%p, %l)
  %q = cute.get_iter(%t)
  return %q : !cute.ptr<f32, gmem, align<4>>
}

// Tensors of coordinates are values like others.
// CHECK-LABEL: func.func @coordinates(
// CHECK-NEXT: %[[R:.*]] = cute.static : !cute.coord_tensor<"(8,-1)", "(4,2):(1@0,1@1)">
// CHECK-NEXT: return %[[R]] :
func.func @coordinates() -> !cute.coord_tensor<"(8,-1)", "(4,2):(1@0,1@1)"> {
  %o = cute.static : !cute.int_tuple<"(8,0)">
  %l = cute.static : !cute.layout<"(4,2):(1@0,1@1)">
  %c = cute.static : !cute.coord<"(0,-1)">
  %t = cute.make_tensor(%o, %l)
  %r = cute.domain_offset(%c, %t)
  return %r : !cute.coord_tensor<"(8,-1)", "(4,2):(1@0,1@1)">
}

// CHECK-LABEL: func.func @assume_range(
// CHECK-NEXT: %[[R:.*]] = cute.static : !cute.int_tuple<"5">
// CHECK-NEXT: return %[[R]] :
func.func @assume_range() -> !cute.int_tuple<"5"> {
  %i = cute.static : !cute.int_tuple<"5">
  %r = cute.assume_range<0, 7> (%i)
  return %r : !cute.int_tuple<"5">
}
