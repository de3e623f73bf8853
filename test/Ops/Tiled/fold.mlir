// What tiled things say of themselves is known from their types.
// RUN: cute-opt %s --cute-fold-static --cute-canonicalize | FileCheck %s

!mma = !cute.tiled_mma<"SM80_16x8x16_F32F16F16F32_TN", "(2,2,1):(1,2,0)", "[32:1;32:1;16:1]">
!copy = !cute.tiled_copy<"UniversalCopy<uint128_t>", f16, "((8,16),8):((128,1),16)", "[16:1;64:1]">

// CHECK-LABEL: func.func @make_tiled_copy_s(
// CHECK-NEXT: %[[R:.*]] = cute.static : !cute.tiled_copy<"UniversalCopy<uint64_t>", f16, "((8,16),(8,1)):((128,1),(16,0))", "[16:1;64:1]">
// CHECK-NEXT: return %[[R]] :
func.func @make_tiled_copy_s(%a: !cute.copy_atom<"UniversalCopy<uint64_t>", f16>, %t: !copy) -> !cute.tiled_copy<"UniversalCopy<uint64_t>", f16, "((8,16),(8,1)):((128,1),(16,0))", "[16:1;64:1]"> {
  %r = cute.make_tiled_copy_s(%a, %t)
  return %r : !cute.tiled_copy<"UniversalCopy<uint64_t>", f16, "((8,16),(8,1)):((128,1),(16,0))", "[16:1;64:1]">
}

// CHECK-LABEL: func.func @make_tiled_copy_d(
// CHECK-NEXT: %[[R:.*]] = cute.static : !cute.tiled_copy<"UniversalCopy<uint64_t>", f16, "((8,16),(8,1)):((128,1),(16,0))", "[16:1;64:1]">
// CHECK-NEXT: return %[[R]] :
func.func @make_tiled_copy_d(%a: !cute.copy_atom<"UniversalCopy<uint64_t>", f16>, %t: !copy) -> !cute.tiled_copy<"UniversalCopy<uint64_t>", f16, "((8,16),(8,1)):((128,1),(16,0))", "[16:1;64:1]"> {
  %r = cute.make_tiled_copy_d(%a, %t)
  return %r : !cute.tiled_copy<"UniversalCopy<uint64_t>", f16, "((8,16),(8,1)):((128,1),(16,0))", "[16:1;64:1]">
}

// CHECK-LABEL: func.func @make_tiled_copy_c_atom(
// CHECK-NEXT: %[[R:.*]] = cute.static : !cute.tiled_copy<"UniversalCopy<uint64_t>", f32, "((4,8,2,2),2):((16,1,8,64),128)", "[(8,2):(1,16);(8,2):(2,1)]">
// CHECK-NEXT: return %[[R]] :
func.func @make_tiled_copy_c_atom(%a: !cute.copy_atom<"UniversalCopy<uint64_t>", f32>, %m: !mma) -> !cute.tiled_copy<"UniversalCopy<uint64_t>", f32, "((4,8,2,2),2):((16,1,8,64),128)", "[(8,2):(1,16);(8,2):(2,1)]"> {
  %r = cute.make_tiled_copy_c_atom(%a, %m)
  return %r : !cute.tiled_copy<"UniversalCopy<uint64_t>", f32, "((4,8,2,2),2):((16,1,8,64),128)", "[(8,2):(1,16);(8,2):(2,1)]">
}

// CHECK-LABEL: func.func @make_cotiled_copy(
// CHECK-NEXT: %[[R:.*]] = cute.static : !cute.tiled_copy<"UniversalCopy<uint64_t>", f16, "((4,2),4):((1,16),4)", "[(4,4):(4,1);2:1]">
// CHECK-NEXT: return %[[R]] :
func.func @make_cotiled_copy(%a: !cute.copy_atom<"UniversalCopy<uint64_t>", f16>, %l: !cute.layout<"(8,4):(4,1)">, %d: !cute.layout<"(16,8):(1,16)">) -> !cute.tiled_copy<"UniversalCopy<uint64_t>", f16, "((4,2),4):((1,16),4)", "[(4,4):(4,1);2:1]"> {
  %r = cute.make_cotiled_copy(%a, %l, %d)
  return %r : !cute.tiled_copy<"UniversalCopy<uint64_t>", f16, "((4,2),4):((1,16),4)", "[(4,4):(4,1);2:1]">
}

// CHECK-LABEL: func.func @get_tv_layout(
// CHECK-NEXT: %[[R:.*]] = cute.static : !cute.layout<"((4,8,2,2),((2,2),(2,1))):((64,1,0,8),((32,256),(16,0)))">
// CHECK-NEXT: return %[[R]] :
func.func @get_tv_layout(%m: !mma) -> !cute.layout<"((4,8,2,2),((2,2),(2,1))):((64,1,0,8),((32,256),(16,0)))"> {
  %r = cute.get_tv_layout<"B"> (%m)
  return %r : !cute.layout<"((4,8,2,2),((2,2),(2,1))):((64,1,0,8),((32,256),(16,0)))">
}

// CHECK-LABEL: func.func @thr_id(
// CHECK-NEXT: %[[R:.*]] = cute.static : !cute.layout<"32:1">
// CHECK-NEXT: return %[[R]] :
func.func @thr_id(%m: !mma) -> !cute.layout<"32:1"> {
  %r = cute.thr_id(%m)
  return %r : !cute.layout<"32:1">
}

// CHECK-LABEL: func.func @thr_layout_vmnk(
// CHECK-NEXT: %[[R:.*]] = cute.static : !cute.layout<"(32,2,2,1):(1,32,64,0)">
// CHECK-NEXT: return %[[R]] :
func.func @thr_layout_vmnk(%m: !mma) -> !cute.layout<"(32,2,2,1):(1,32,64,0)"> {
  %r = cute.thr_layout_vmnk(%m)
  return %r : !cute.layout<"(32,2,2,1):(1,32,64,0)">
}

// CHECK-LABEL: func.func @shape_mnk(
// CHECK-NEXT: %[[R:.*]] = cute.static : !cute.shape<"(16,8,16)">
// CHECK-NEXT: return %[[R]] :
func.func @shape_mnk(%m: !mma) -> !cute.shape<"(16,8,16)"> {
  %r = cute.shape_mnk(%m)
  return %r : !cute.shape<"(16,8,16)">
}

// CHECK-LABEL: func.func @tile_size(
// CHECK-NEXT: %[[R:.*]] = cute.static : !cute.shape<"32">
// CHECK-NEXT: return %[[R]] :
func.func @tile_size(%m: !mma) -> !cute.shape<"32"> {
  %r = cute.tile_size<[1]> (%m)
  return %r : !cute.shape<"32">
}

// CHECK-LABEL: func.func @get_tiler(
// CHECK-NEXT: %[[R:.*]] = cute.static : !cute.tile<"[16:1;64:1]">
// CHECK-NEXT: return %[[R]] :
func.func @get_tiler(%t: !copy) -> !cute.tile<"[16:1;64:1]"> {
  %r = cute.get_tiler(%t)
  return %r : !cute.tile<"[16:1;64:1]">
}

// CHECK-LABEL: func.func @partition_shape_a(
// CHECK-NEXT: %[[R:.*]] = cute.static : !cute.shape<"((2,2,2),2,2)">
// CHECK-NEXT: return %[[R]] :
func.func @partition_shape_a(%m: !mma, %s: !cute.shape<"(64,32)">) -> !cute.shape<"((2,2,2),2,2)"> {
  %r = cute.partition_shape_a(%m, %s)
  return %r : !cute.shape<"((2,2,2),2,2)">
}

// CHECK-LABEL: func.func @partition_shape_b(
// CHECK-NEXT: %[[R:.*]] = cute.static : !cute.shape<"((2,2),4,2)">
// CHECK-NEXT: return %[[R]] :
func.func @partition_shape_b(%m: !mma, %s: !cute.shape<"(64,32)">) -> !cute.shape<"((2,2),4,2)"> {
  %r = cute.partition_shape_b(%m, %s)
  return %r : !cute.shape<"((2,2),4,2)">
}

// CHECK-LABEL: func.func @partition_shape_c(
// CHECK-NEXT: %[[R:.*]] = cute.static : !cute.shape<"((2,2),2,2)">
// CHECK-NEXT: return %[[R]] :
func.func @partition_shape_c(%m: !mma, %s: !cute.shape<"(64,32)">) -> !cute.shape<"((2,2),2,2)"> {
  %r = cute.partition_shape_c(%m, %s)
  return %r : !cute.shape<"((2,2),2,2)">
}
