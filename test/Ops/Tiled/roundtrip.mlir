// Tiled copies of tiled things, and what these say of themselves.
// RUN: cute-opt %s | FileCheck %s
// RUN: cute-opt %s | cute-opt | FileCheck %s
// RUN: cute-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC

!mma = !cute.tiled_mma<"SM80_16x8x16_F32F16F16F32_TN", "(2,2,1):(1,2,0)", "[32:1;32:1;16:1]">
!copy = !cute.tiled_copy<"UniversalCopy<uint128_t>", f16, "((8,16),8):((128,1),16)", "[16:1;64:1]">

// Of a tiled copy of 16x64 by 128 threads with 8 values each.
// CHECK-LABEL: func.func @copies
func.func @copies(%t: !copy, %m: !mma) {
  %a = cute.static : !cute.copy_atom<"UniversalCopy<uint64_t>", f16>
  // CHECK: cute.make_tiled_copy_s(%{{.*}}, %{{.*}}) : (!cute.copy_atom<"UniversalCopy<uint64_t>", f16>, !cute.tiled_copy<"UniversalCopy<uint128_t>", f16, "((8,16),8):((128,1),16)", "[16:1;64:1]">) -> !cute.tiled_copy<"UniversalCopy<uint64_t>", f16, "((8,16),(8,1)):((128,1),(16,0))", "[16:1;64:1]">
  // GENERIC: "cute.make_tiled_copy_s"(%{{.*}}, %{{.*}}) : (!cute.copy_atom<"UniversalCopy<uint64_t>", f16>, !cute.tiled_copy<"UniversalCopy<uint128_t>", f16, "((8,16),8):((128,1),16)", "[16:1;64:1]">) -> !cute.tiled_copy<"UniversalCopy<uint64_t>", f16, "((8,16),(8,1)):((128,1),(16,0))", "[16:1;64:1]">
  %s = cute.make_tiled_copy_s(%a, %t)
  // CHECK: cute.make_tiled_copy_d(%{{.*}}, %{{.*}}) : (!cute.copy_atom<"UniversalCopy<uint64_t>", f16>, !cute.tiled_copy<"UniversalCopy<uint128_t>", f16, "((8,16),8):((128,1),16)", "[16:1;64:1]">) -> !cute.tiled_copy<"UniversalCopy<uint64_t>", f16, "((8,16),(8,1)):((128,1),(16,0))", "[16:1;64:1]">
  // GENERIC: "cute.make_tiled_copy_d"(%{{.*}}, %{{.*}}) : (!cute.copy_atom<"UniversalCopy<uint64_t>", f16>, !cute.tiled_copy<"UniversalCopy<uint128_t>", f16, "((8,16),8):((128,1),16)", "[16:1;64:1]">) -> !cute.tiled_copy<"UniversalCopy<uint64_t>", f16, "((8,16),(8,1)):((128,1),(16,0))", "[16:1;64:1]">
  %d = cute.make_tiled_copy_d(%a, %t)
  // Two values of each thread: rows 0 to 7 of 16 for either warp, pairs of columns.
  %f = cute.static : !cute.copy_atom<"UniversalCopy<uint64_t>", f32>
  // CHECK: cute.make_tiled_copy_c_atom(%{{.*}}, %{{.*}}) : (!cute.copy_atom<"UniversalCopy<uint64_t>", f32>, !cute.tiled_mma<"SM80_16x8x16_F32F16F16F32_TN", "(2,2,1):(1,2,0)", "[32:1;32:1;16:1]">) -> !cute.tiled_copy<"UniversalCopy<uint64_t>", f32, "((4,8,2,2),2):((16,1,8,64),128)", "[(8,2):(1,16);(8,2):(2,1)]">
  // GENERIC: "cute.make_tiled_copy_c_atom"(%{{.*}}, %{{.*}}) : (!cute.copy_atom<"UniversalCopy<uint64_t>", f32>, !cute.tiled_mma<"SM80_16x8x16_F32F16F16F32_TN", "(2,2,1):(1,2,0)", "[32:1;32:1;16:1]">) -> !cute.tiled_copy<"UniversalCopy<uint64_t>", f32, "((4,8,2,2),2):((16,1,8,64),128)", "[(8,2):(1,16);(8,2):(2,1)]">
  %c = cute.make_tiled_copy_c_atom(%f, %m)
  // Thread t has elements 4 t to 4 t + 3 of a column-major 16x8 matrix: two columns.
  %l = cute.static : !cute.layout<"(8,4):(4,1)">
  %x = cute.static : !cute.layout<"(16,8):(1,16)">
  // CHECK: cute.make_cotiled_copy(%{{.*}}, %{{.*}}, %{{.*}}) : (!cute.copy_atom<"UniversalCopy<uint64_t>", f16>, !cute.layout<"(8,4):(4,1)">, !cute.layout<"(16,8):(1,16)">) -> !cute.tiled_copy<"UniversalCopy<uint64_t>", f16, "((4,2),4):((1,16),4)", "[(4,4):(4,1);2:1]">
  // GENERIC: "cute.make_cotiled_copy"(%{{.*}}, %{{.*}}, %{{.*}}) : (!cute.copy_atom<"UniversalCopy<uint64_t>", f16>, !cute.layout<"(8,4):(4,1)">, !cute.layout<"(16,8):(1,16)">) -> !cute.tiled_copy<"UniversalCopy<uint64_t>", f16, "((4,2),4):((1,16),4)", "[(4,4):(4,1);2:1]">
  %k = cute.make_cotiled_copy(%a, %l, %x)
  return
}

// CHECK-LABEL: func.func @queries
func.func @queries(%t: !copy, %m: !mma, %a: !cute.mma_atom<"SM70_8x8x4_F32F16F16F32_TN">, %c: !cute.copy_atom<"SM75_U32x1_LDSM_N", f16>) {
  // CHECK: cute.get_tv_layout<"A"> (%{{.*}}) : (!cute.tiled_mma<"SM80_16x8x16_F32F16F16F32_TN", "(2,2,1):(1,2,0)", "[32:1;32:1;16:1]">) -> !cute.layout<"((4,8,2,2),((2,2,2),(1,1))):((64,1,16,0),((32,8,256),(0,0)))">
  // GENERIC: "cute.get_tv_layout"(%{{.*}}) <{operand = "A"}> : (!cute.tiled_mma<"SM80_16x8x16_F32F16F16F32_TN", "(2,2,1):(1,2,0)", "[32:1;32:1;16:1]">) -> !cute.layout<"((4,8,2,2),((2,2,2),(1,1))):((64,1,16,0),((32,8,256),(0,0)))">
  %l0 = cute.get_tv_layout<"A"> (%m)
  // CHECK: cute.get_tv_layout<"C"> (%{{.*}}) : (!cute.mma_atom<"SM70_8x8x4_F32F16F16F32_TN">) -> !cute.layout<"((2,2,2),(2,2,2)):((1,16,4),(8,2,32))">
  // GENERIC: "cute.get_tv_layout"(%{{.*}}) <{operand = "C"}> : (!cute.mma_atom<"SM70_8x8x4_F32F16F16F32_TN">) -> !cute.layout<"((2,2,2),(2,2,2)):((1,16,4),(8,2,32))">
  %l1 = cute.get_tv_layout<"C"> (%a)
  // CHECK: cute.get_tv_layout<"S"> (%{{.*}}) : (!cute.copy_atom<"SM75_U32x1_LDSM_N", f16>) -> !cute.layout<"((8,4),8):((8,0),1)">
  // GENERIC: "cute.get_tv_layout"(%{{.*}}) <{operand = "S"}> : (!cute.copy_atom<"SM75_U32x1_LDSM_N", f16>) -> !cute.layout<"((8,4),8):((8,0),1)">
  %l2 = cute.get_tv_layout<"S"> (%c)
  // CHECK: cute.get_tv_layout<"D"> (%{{.*}}) : (!cute.copy_atom<"SM75_U32x1_LDSM_N", f16>) -> !cute.layout<"(32,2):(2,1)">
  // GENERIC: "cute.get_tv_layout"(%{{.*}}) <{operand = "D"}> : (!cute.copy_atom<"SM75_U32x1_LDSM_N", f16>) -> !cute.layout<"(32,2):(2,1)">
  %l3 = cute.get_tv_layout<"D"> (%c)
  // CHECK: cute.get_tv_layout<"TV"> (%{{.*}}) : (!cute.tiled_copy<"UniversalCopy<uint128_t>", f16, "((8,16),8):((128,1),16)", "[16:1;64:1]">) -> !cute.layout<"((8,16),8):((128,1),16)">
  // GENERIC: "cute.get_tv_layout"(%{{.*}}) <{operand = "TV"}> : (!cute.tiled_copy<"UniversalCopy<uint128_t>", f16, "((8,16),8):((128,1),16)", "[16:1;64:1]">) -> !cute.layout<"((8,16),8):((128,1),16)">
  %l4 = cute.get_tv_layout<"TV"> (%t)
  // CHECK: cute.get_tv_layout<"S"> (%{{.*}}) : (!cute.tiled_copy<"UniversalCopy<uint128_t>", f16, "((8,16),8):((128,1),16)", "[16:1;64:1]">) -> !cute.layout<"((8,16),(8,1)):((128,1),(16,0))">
  // GENERIC: "cute.get_tv_layout"(%{{.*}}) <{operand = "S"}> : (!cute.tiled_copy<"UniversalCopy<uint128_t>", f16, "((8,16),8):((128,1),16)", "[16:1;64:1]">) -> !cute.layout<"((8,16),(8,1)):((128,1),(16,0))">
  %l5 = cute.get_tv_layout<"S"> (%t)
  // CHECK: cute.thr_id(%{{.*}}) : (!cute.mma_atom<"SM70_8x8x4_F32F16F16F32_TN">) -> !cute.layout<"(4,2):(1,16)">
  // GENERIC: "cute.thr_id"(%{{.*}}) : (!cute.mma_atom<"SM70_8x8x4_F32F16F16F32_TN">) -> !cute.layout<"(4,2):(1,16)">
  %i0 = cute.thr_id(%a)
  // CHECK: cute.thr_id(%{{.*}}) : (!cute.tiled_mma<"SM80_16x8x16_F32F16F16F32_TN", "(2,2,1):(1,2,0)", "[32:1;32:1;16:1]">) -> !cute.layout<"32:1">
  // GENERIC: "cute.thr_id"(%{{.*}}) : (!cute.tiled_mma<"SM80_16x8x16_F32F16F16F32_TN", "(2,2,1):(1,2,0)", "[32:1;32:1;16:1]">) -> !cute.layout<"32:1">
  %i1 = cute.thr_id(%m)
  // CHECK: cute.thr_id(%{{.*}}) : (!cute.copy_atom<"SM75_U32x1_LDSM_N", f16>) -> !cute.layout<"32:1">
  // GENERIC: "cute.thr_id"(%{{.*}}) : (!cute.copy_atom<"SM75_U32x1_LDSM_N", f16>) -> !cute.layout<"32:1">
  %i2 = cute.thr_id(%c)
  // CHECK: cute.thr_id(%{{.*}}) : (!cute.tiled_copy<"UniversalCopy<uint128_t>", f16, "((8,16),8):((128,1),16)", "[16:1;64:1]">) -> !cute.layout<"1:0">
  // GENERIC: "cute.thr_id"(%{{.*}}) : (!cute.tiled_copy<"UniversalCopy<uint128_t>", f16, "((8,16),8):((128,1),16)", "[16:1;64:1]">) -> !cute.layout<"1:0">
  %i3 = cute.thr_id(%t)
  // CHECK: cute.thr_layout_vmnk(%{{.*}}) : (!cute.tiled_mma<"SM80_16x8x16_F32F16F16F32_TN", "(2,2,1):(1,2,0)", "[32:1;32:1;16:1]">) -> !cute.layout<"(32,2,2,1):(1,32,64,0)">
  // GENERIC: "cute.thr_layout_vmnk"(%{{.*}}) : (!cute.tiled_mma<"SM80_16x8x16_F32F16F16F32_TN", "(2,2,1):(1,2,0)", "[32:1;32:1;16:1]">) -> !cute.layout<"(32,2,2,1):(1,32,64,0)">
  %v = cute.thr_layout_vmnk(%m)
  // CHECK: cute.shape_mnk(%{{.*}}) : (!cute.tiled_mma<"SM80_16x8x16_F32F16F16F32_TN", "(2,2,1):(1,2,0)", "[32:1;32:1;16:1]">) -> !cute.shape<"(16,8,16)">
  // GENERIC: "cute.shape_mnk"(%{{.*}}) : (!cute.tiled_mma<"SM80_16x8x16_F32F16F16F32_TN", "(2,2,1):(1,2,0)", "[32:1;32:1;16:1]">) -> !cute.shape<"(16,8,16)">
  %e0 = cute.shape_mnk(%m)
  // CHECK: cute.shape_mnk(%{{.*}}) : (!cute.mma_atom<"SM70_8x8x4_F32F16F16F32_TN">) -> !cute.shape<"(8,8,4)">
  // GENERIC: "cute.shape_mnk"(%{{.*}}) : (!cute.mma_atom<"SM70_8x8x4_F32F16F16F32_TN">) -> !cute.shape<"(8,8,4)">
  %e1 = cute.shape_mnk(%a)
  // CHECK: cute.tile_size (%{{.*}}) : (!cute.tiled_mma<"SM80_16x8x16_F32F16F16F32_TN", "(2,2,1):(1,2,0)", "[32:1;32:1;16:1]">) -> !cute.shape<"(32,32,16)">
  // GENERIC: "cute.tile_size"(%{{.*}}) : (!cute.tiled_mma<"SM80_16x8x16_F32F16F16F32_TN", "(2,2,1):(1,2,0)", "[32:1;32:1;16:1]">) -> !cute.shape<"(32,32,16)">
  %s0 = cute.tile_size (%m)
  // CHECK: cute.tile_size<[2]> (%{{.*}}) : (!cute.tiled_mma<"SM80_16x8x16_F32F16F16F32_TN", "(2,2,1):(1,2,0)", "[32:1;32:1;16:1]">) -> !cute.shape<"16">
  // GENERIC: "cute.tile_size"(%{{.*}}) <{mode = array<i32: 2>}> : (!cute.tiled_mma<"SM80_16x8x16_F32F16F16F32_TN", "(2,2,1):(1,2,0)", "[32:1;32:1;16:1]">) -> !cute.shape<"16">
  %s1 = cute.tile_size<[2]> (%m)
  // CHECK: cute.tile_size (%{{.*}}) : (!cute.tiled_copy<"UniversalCopy<uint128_t>", f16, "((8,16),8):((128,1),16)", "[16:1;64:1]">) -> !cute.shape<"(16,64)">
  // GENERIC: "cute.tile_size"(%{{.*}}) : (!cute.tiled_copy<"UniversalCopy<uint128_t>", f16, "((8,16),8):((128,1),16)", "[16:1;64:1]">) -> !cute.shape<"(16,64)">
  %s2 = cute.tile_size (%t)
  // CHECK: cute.get_tiler(%{{.*}}) : (!cute.tiled_copy<"UniversalCopy<uint128_t>", f16, "((8,16),8):((128,1),16)", "[16:1;64:1]">) -> !cute.tile<"[16:1;64:1]">
  // GENERIC: "cute.get_tiler"(%{{.*}}) : (!cute.tiled_copy<"UniversalCopy<uint128_t>", f16, "((8,16),8):((128,1),16)", "[16:1;64:1]">) -> !cute.tile<"[16:1;64:1]">
  %g0 = cute.get_tiler(%t)
  // CHECK: cute.get_tiler(%{{.*}}) : (!cute.tiled_mma<"SM80_16x8x16_F32F16F16F32_TN", "(2,2,1):(1,2,0)", "[32:1;32:1;16:1]">) -> !cute.tile<"[32:1;32:1;16:1]">
  // GENERIC: "cute.get_tiler"(%{{.*}}) : (!cute.tiled_mma<"SM80_16x8x16_F32F16F16F32_TN", "(2,2,1):(1,2,0)", "[32:1;32:1;16:1]">) -> !cute.tile<"[32:1;32:1;16:1]">
  %g1 = cute.get_tiler(%m)
  return
}

// The same as the parts of tensors of the shape.
// CHECK-LABEL: func.func @parts
func.func @parts(%m: !mma, %s: !cute.shape<"(64,32)">, %d: !cute.shape<"(64,(16,?))">) {
  // CHECK: cute.partition_shape_a(%{{.*}}, %{{.*}}) : (!cute.tiled_mma<"SM80_16x8x16_F32F16F16F32_TN", "(2,2,1):(1,2,0)", "[32:1;32:1;16:1]">, !cute.shape<"(64,32)">) -> !cute.shape<"((2,2,2),2,2)">
  // GENERIC: "cute.partition_shape_a"(%{{.*}}, %{{.*}}) : (!cute.tiled_mma<"SM80_16x8x16_F32F16F16F32_TN", "(2,2,1):(1,2,0)", "[32:1;32:1;16:1]">, !cute.shape<"(64,32)">) -> !cute.shape<"((2,2,2),2,2)">
  %a = cute.partition_shape_a(%m, %s)
  // CHECK: cute.partition_shape_b(%{{.*}}, %{{.*}}) : (!cute.tiled_mma<"SM80_16x8x16_F32F16F16F32_TN", "(2,2,1):(1,2,0)", "[32:1;32:1;16:1]">, !cute.shape<"(64,32)">) -> !cute.shape<"((2,2),4,2)">
  // GENERIC: "cute.partition_shape_b"(%{{.*}}, %{{.*}}) : (!cute.tiled_mma<"SM80_16x8x16_F32F16F16F32_TN", "(2,2,1):(1,2,0)", "[32:1;32:1;16:1]">, !cute.shape<"(64,32)">) -> !cute.shape<"((2,2),4,2)">
  %b = cute.partition_shape_b(%m, %s)
  // CHECK: cute.partition_shape_c(%{{.*}}, %{{.*}}) : (!cute.tiled_mma<"SM80_16x8x16_F32F16F16F32_TN", "(2,2,1):(1,2,0)", "[32:1;32:1;16:1]">, !cute.shape<"(64,32)">) -> !cute.shape<"((2,2),2,2)">
  // GENERIC: "cute.partition_shape_c"(%{{.*}}, %{{.*}}) : (!cute.tiled_mma<"SM80_16x8x16_F32F16F16F32_TN", "(2,2,1):(1,2,0)", "[32:1;32:1;16:1]">, !cute.shape<"(64,32)">) -> !cute.shape<"((2,2),2,2)">
  %c = cute.partition_shape_c(%m, %s)
  // CHECK: cute.partition_shape_a(%{{.*}}, %{{.*}}) : (!cute.tiled_mma<"SM80_16x8x16_F32F16F16F32_TN", "(2,2,1):(1,2,0)", "[32:1;32:1;16:1]">, !cute.shape<"(64,(16,?))">) -> !cute.shape<"((2,2,2),2,?)">
  // GENERIC: "cute.partition_shape_a"(%{{.*}}, %{{.*}}) : (!cute.tiled_mma<"SM80_16x8x16_F32F16F16F32_TN", "(2,2,1):(1,2,0)", "[32:1;32:1;16:1]">, !cute.shape<"(64,(16,?))">) -> !cute.shape<"((2,2,2),2,?)">
  %e = cute.partition_shape_a(%m, %d)
  return
}
