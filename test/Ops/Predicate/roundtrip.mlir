// Predicates, in both forms.
// RUN: cute-opt %s | cute-opt | FileCheck %s
// RUN: cute-opt %s --mlir-print-op-generic | cute-opt | FileCheck %s
// RUN: cute-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC

// A predicate is compact, whatever the coordinates' strides.
// CHECK-LABEL: func.func @predicate
func.func @predicate(%t: !cute.coord_tensor<"(?,0)", "(4,2):(1@0,8@1)">, %s: !cute.shape<"(?,?)">) {
  // CHECK: cute.make_predicate({{.*}}) : (!cute.coord_tensor<"(?,0)", "(4,2):(1@0,8@1)">, !cute.shape<"(?,?)">) -> !cute.tensor<i1, rmem, align<16>, "(4,2):(1,4)">
  // GENERIC: "cute.make_predicate"(%{{.*}}, %{{.*}}) : (!cute.coord_tensor<"(?,0)", "(4,2):(1@0,8@1)">, !cute.shape<"(?,?)">) -> !cute.tensor<i1, "rmem", 16 : i64, "(4,2):(1,4)">
  %p = cute.make_predicate(%t, %s)
  return
}

// CHECK-LABEL: func.func @predicate_of_some
func.func @predicate_of_some(%t: !cute.coord_tensor<"(?,0)", "(4,2):(1@0,8@1)">, %b: !cute.coord<"(?,_)">) {
  // CHECK: cute.make_predicate({{.*}}) : (!cute.coord_tensor<"(?,0)", "(4,2):(1@0,8@1)">, !cute.coord<"(?,_)">) -> !cute.tensor<i1, rmem, align<16>, "(4,2):(1,4)">
  %p = cute.make_predicate(%t, %b)
  return
}

// Between two bounds, and below the shape of a tensor.
// CHECK-LABEL: func.func @bounds
func.func @bounds(%t: !cute.coord_tensor<"(?,0)", "(4,2):(1@0,8@1)">, %m: i32, %A: !cute.tensor<f16, gmem, align<2>, "(?,?):(?,1)">) {
  // CHECK: cute.make_predicate({{.*}}) : (!cute.coord_tensor<"(?,0)", "(4,2):(1@0,8@1)">, !cute.tensor<f16, gmem, align<2>, "(?,?):(?,1)">, !cute.coord<"(0,?)">) -> !cute.tensor<i1, rmem, align<16>, "(4,2):(1,4)">
  %p = cute.make_predicate(%t, %A, !cute.coord<"(0,1)">)
  %l = cute.make_coord(%m) : (i32) -> !cute.coord<"(0,?)">
  %q = cute.make_predicate(%t, %A, %l)
  // CHECK: cute.combine_predicates<"or"> (%{{.*}}, %{{.*}}) : (!cute.tensor<i1, rmem, align<16>, "(4,2):(1,4)">, !cute.tensor<i1, rmem, align<16>, "(4,2):(1,4)">) -> !cute.tensor<i1, rmem, align<16>, "(4,2):(1,4)">
  // GENERIC: "cute.combine_predicates"(%{{.*}}, %{{.*}}) <{kind = "or"}>
  %r = cute.combine_predicates<"or"> (%p, %q)
  return
}

// CHECK-LABEL: func.func @tiles
func.func @tiles(%copy: !cute.tiled_copy<"UniversalCopy<uint128_t>", f16, "((8,16),8):((128,1),16)", "[16:1;64:1]">, %A: !cute.tensor<f16, gmem, align<16>, "(?,?{div=8}):(?{div=8},1)">, %m: i32, %k: i32, %thread: i32) {
  // CHECK: cute.predicated_tile_s(%{{.*}}) : ({{.*}}, !cute.shape<"(64,64)">, !cute.coord<"(?,?)">, i32) -> (!cute.tensor<f16, gmem, align<16>, "((8,1),4,1):((1,0),?{div=128},0)">, !cute.tensor<i1, rmem, align<16>, "(4,1):(1,0)">)
  // GENERIC: "cute.predicated_tile_s"(
  %p, %q = cute.predicated_tile_s(%copy, %A, (64,64), (%m,%k), %thread)
  // The rest of the tiles is there under `_`, if there are so many at compile time.
  // CHECK: cute.predicated_tile_d<"(1,_,1)">(%{{.*}}) : ({{.*}}, !cute.shape<"(64,8,64)">, !cute.coord<"(?,_,?)">, i32) -> (
  // GENERIC: "cute.predicated_tile_d"(
  %r, %s = cute.predicated_tile_d<"(1,_,1)"> (%copy, %A, (64,8,64), (%m,_,%k), %thread)
  return
}

// As many elements of each access as lie below the bound; a tile has counts where the
// copy fills with zeros and an access may lie across the end.
// CHECK-LABEL: func.func @counts
func.func @counts(%copy: !cute.tiled_copy<"SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<uint128_t>", f16, "((8,16),8):((128,1),16)", "[16:1;64:1]">, %A: !cute.tensor<f16, gmem, align<16>, "(?,?):(?{div=8},1)">, %B: !cute.tensor<f16, gmem, align<16>, "(?,?{div=8}):(?{div=8},1)">, %t: !cute.coord_tensor<"(?,?{div=8})", "((8,1),4,1):((1@1,0),16@0,0)">, %i: i32) {
  // CHECK: cute.make_counts({{.*}}) : ({{.*}}, !cute.tensor<f16, gmem, align<16>, "(?,?):(?{div=8},1)">) -> !cute.tensor<i8, rmem, align<16>, "(4,1):(1,0)">
  // GENERIC: "cute.make_counts"(%{{.*}}, %{{.*}}, %{{.*}})
  %n = cute.make_counts(%copy, %t, %A)
  // CHECK: cute.predicated_tile_s{{.*}} !cute.tensor<i8, rmem, align<16>, "(4,1):(1,0)">)
  %p, %q = cute.predicated_tile_s(%copy, %A, (64,64), (0,0), %i)
  // CHECK: cute.predicated_tile_s{{.*}} !cute.tensor<i1, rmem, align<16>, "(4,1):(1,0)">)
  %r, %s = cute.predicated_tile_s(%copy, %B, (64,64), (0,0), %i)
  // A tile of the tensor seen from an origin on; what may lie before it is compared with 0.
  // CHECK: cute.predicated_tile_s{{.*}}, !cute.coord<"(?,8)">) -> (
  %u, %v = cute.predicated_tile_s(%copy, %B, (64,64), (0,0), %i, (%i,8))
  // CHECK: cute.predicated_tile_s{{.*}}, !cute.coord<"(-3,8)">) -> ({{.*}} !cute.tensor<i8, rmem, align<16>, "(4,1):(1,0)">)
  %w, %x = cute.predicated_tile_s(%copy, %A, (64,64), (0,0), %i, (-3,8))
  // CHECK: cute.make_counts({{.*}}, !cute.coord<"(0,_)">) -> !cute.tensor<i8
  %m = cute.make_counts(%copy, %t, %A, (0,_))
  return
}
