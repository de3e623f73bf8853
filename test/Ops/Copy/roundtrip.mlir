// Pretty and generic forms of tiled copies, and what they infer.
// RUN: cute-opt %s | cute-opt | FileCheck %s
// RUN: cute-opt %s --mlir-print-op-generic | cute-opt | FileCheck %s
// RUN: cute-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC

!mma = !cute.tiled_mma<"SM80_16x8x16_F32F16F16F32_TN", "(2,2,1):(1,2,0)", "[32:1;32:1;16:1]">

// 16x8 threads, row-major, with 8 values each in a row: a tile of 16x64. Thread
// (r, c) is number 8 r + c, its value v is column 8 c + v.
// CHECK-LABEL: func.func @tiled
func.func @tiled(%g: !cute.tensor<f16, gmem, align<16>, "(64,128):(128,1)">, %i: i32) {
  %a = cute.static : !cute.copy_atom<"UniversalCopy<uint128_t>", f16>
  %t = cute.static : !cute.layout<"(16,8):(8,1)">
  %v = cute.static : !cute.layout<"(1,8):(0,1)">
  // CHECK: cute.make_tiled_copy(%{{.*}}, %{{.*}}, %{{.*}}) : (!cute.copy_atom<"UniversalCopy<uint128_t>", f16>, !cute.layout<"(16,8):(8,1)">, !cute.layout<"(1,8):(0,1)">) -> !cute.tiled_copy<"UniversalCopy<uint128_t>", f16, "((8,16),8):((128,1),16)", "[16:1;64:1]">
  // GENERIC: "cute.make_tiled_copy"({{.*}}) : ({{.*}}) -> !cute.tiled_copy<"UniversalCopy<uint128_t>", f16, "((8,16),8):((128,1),16)", "[16:1;64:1]">
  %c = cute.make_tiled_copy(%a, %t, %v)
  // 64x128 is 4x2 such tiles: rows 16 * 128 and columns 64 apart.
  // CHECK: %[[S:.*]] = cute.partition_s({{.*}}) : ({{.*}}, i32) -> !cute.tensor<f16, gmem, align<16>, "((8,1),4,2):((1,0),2048,64)">
  // GENERIC: "cute.partition_s"(%{{.*}}, %{{.*}}, %{{.*}}) : (!cute.tiled_copy<"UniversalCopy<uint128_t>", f16, "((8,16),8):((128,1),16)", "[16:1;64:1]">, !cute.tensor<f16, "gmem", 16 : i64, "(64,128):(128,1)">, i32) -> !cute.tensor<f16, "gmem", 16 : i64, "((8,1),4,2):((1,0),2048,64)">
  %s = cute.partition_s(%c, %g, %i)
  // CHECK: cute.partition_d({{.*}}) : ({{.*}}, i32) -> !cute.tensor<f16, gmem, align<16>, "((8,1),4,2):((1,0),2048,64)">
  // GENERIC: "cute.partition_d"(%{{.*}}, %{{.*}}, %{{.*}}) : (!cute.tiled_copy<"UniversalCopy<uint128_t>", f16, "((8,16),8):((128,1),16)", "[16:1;64:1]">, !cute.tensor<f16, "gmem", 16 : i64, "(64,128):(128,1)">, i32) -> !cute.tensor<f16, "gmem", 16 : i64, "((8,1),4,2):((1,0),2048,64)">
  %d = cute.partition_d(%c, %g, %i)
  %f = cute.make_fragment_like (%s)
  // CHECK: cute.copy(%{{.*}}, %[[S]], %[[F:.*]]) : !cute.tiled_copy<"UniversalCopy<uint128_t>", f16, "((8,16),8):((128,1),16)", "[16:1;64:1]">, !cute.tensor<f16, gmem, align<16>, "((8,1),4,2):((1,0),2048,64)">, !cute.tensor<f16, rmem
  // GENERIC: "cute.copy"(%{{[^,]*}}, %{{[^,]*}}, %{{[^,]*}}) : ({{.*}}) -> ()
  cute.copy(%c, %s, %f)
  return
}

// CHECK-LABEL: func.func @predicated
func.func @predicated(%g: !cute.tensor<f32, gmem, align<4>, "4:1">, %f: !cute.tensor<f32, rmem, align<16>, "4:1">, %p: !cute.tensor<i1, rmem, align<16>, "(1):(0)">) {
  %a = cute.static : !cute.copy_atom<"UniversalCopy<uint32_t>", f32>
  %one = cute.static : !cute.shape<"1">
  %z = cute.static : !cute.coord<"0">
  %g1 = cute.local_tile (%g, %one, %z)
  %f1 = cute.local_tile (%f, %one, %z)
  // CHECK: cute.copy_atom_call(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) : !cute.copy_atom<"UniversalCopy<uint32_t>", f32>, !cute.tensor<f32, gmem, {{.*}}, !cute.tensor<f32, rmem, {{.*}}, !cute.tensor<i1, rmem, align<16>, "(1):(0)">
  // GENERIC: "cute.copy_atom_call"(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) : (!cute.copy_atom<"UniversalCopy<uint32_t>", f32>, !cute.tensor<f32, "gmem", 4 : i64, "(1):(0)">, !cute.tensor<f32, "rmem", 16 : i64, "(1):(0)">, !cute.tensor<i1, "rmem", 16 : i64, "(1):(0)">) -> ()
  cute.copy_atom_call(%a, %g1, %f1, %p)
  // CHECK: cute.copy_atom_call(%{{[^,]*}}, %{{[^,]*}}, %{{[^,]*}}) :
  cute.copy_atom_call(%a, %g1, %f1)
  return
}

// An atom's template argument may be left out where only one row has the name.
// CHECK-LABEL: func.func @short_name
func.func @short_name() {
  // CHECK: cute.static : !cute.copy_atom<"SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>", f16>
  %a = cute.static : !cute.copy_atom<"SM80_CP_ASYNC_CACHEGLOBAL", f16>
  return
}

// ldmatrix as the MMA distributes A, B and C: a 32x16, a 32x16, a 32x32 tile.
// CHECK-LABEL: func.func @for_mma
func.func @for_mma(%m: !mma, %r: !cute.tensor<f16, rmem, align<16>, "((2,2,2),2,2):((1,2,4),16,8)">) {
  %a = cute.static : !cute.copy_atom<"SM75_U32x4_LDSM_N", f16>
  %ia = cute.static : !cute.copy_atom<"UniversalCopy<uint16_t>", ui2>
  %im = cute.static : !cute.tiled_mma<"SM80_SPARSE_16x8x32_F32F16F16F32_TN", "(2,2,1):(1,2,0)", "[_;_;_]">
  // CHECK: cute.make_tiled_copy_operand<"E"> ({{.*}}) : ({{.*}}) -> !cute.tiled_copy<"UniversalCopy<uint16_t>", ui2, "((2,2,8,2,2),((8,2),(1,1))):((256,0,1,16,0),((32,8),(0,0)))", "[32:1;16:1]">
  // GENERIC: "cute.make_tiled_copy_operand"(%{{.*}}, %{{.*}}) <{operand = "E"}> : ({{.*}}) -> !cute.tiled_copy<"UniversalCopy<uint16_t>", ui2, "((2,2,8,2,2),((8,2),(1,1))):((256,0,1,16,0),((32,8),(0,0)))", "[32:1;16:1]">
  %ie = cute.make_tiled_copy_operand<"E"> (%ia, %im)
  // CHECK: cute.make_tiled_copy_a({{.*}}) : ({{.*}}) -> !cute.tiled_copy<"SM75_U32x4_LDSM_N", f16, "((4,8,2,2),((2,2,2),(1,1))):((64,1,16,0),((32,8,256),(0,0)))", "[32:1;16:1]">
  // GENERIC: "cute.make_tiled_copy_a"(%{{.*}}, %{{.*}}) : (!cute.copy_atom<"SM75_U32x4_LDSM_N", f16>, !cute.tiled_mma<"SM80_16x8x16_F32F16F16F32_TN", "(2,2,1):(1,2,0)", "[32:1;32:1;16:1]">) -> !cute.tiled_copy<"SM75_U32x4_LDSM_N", f16, "((4,8,2,2),((2,2,2),(1,1))):((64,1,16,0),((32,8,256),(0,0)))", "[32:1;16:1]">
  %c = cute.make_tiled_copy_a(%a, %m)
  // CHECK: cute.make_tiled_copy_b({{.*}}) : ({{.*}}) -> !cute.tiled_copy<"SM75_U32x4_LDSM_N", f16, "((4,8,2,2),((2,2),(2,1))):((64,1,0,8),((32,256),(16,0)))", "[32:1;16:1]">
  // GENERIC: "cute.make_tiled_copy_b"(%{{.*}}, %{{.*}}) : (!cute.copy_atom<"SM75_U32x4_LDSM_N", f16>, !cute.tiled_mma<"SM80_16x8x16_F32F16F16F32_TN", "(2,2,1):(1,2,0)", "[32:1;32:1;16:1]">) -> !cute.tiled_copy<"SM75_U32x4_LDSM_N", f16, "((4,8,2,2),((2,2),(2,1))):((64,1,0,8),((32,256),(16,0)))", "[32:1;16:1]">
  %b = cute.make_tiled_copy_b(%a, %m)
  %u = cute.static : !cute.copy_atom<"UniversalCopy<uint64_t>", f32>
  // CHECK: cute.make_tiled_copy_c({{.*}}) : ({{.*}}) -> !cute.tiled_copy<"UniversalCopy<uint64_t>", f32, "((4,8,2,2),((2,2),(1,2))):((64,1,16,256),((32,8),(0,512)))", "[32:1;32:1]">
  // GENERIC: "cute.make_tiled_copy_c"(%{{.*}}, %{{.*}}) : (!cute.copy_atom<"UniversalCopy<uint64_t>", f32>, !cute.tiled_mma<"SM80_16x8x16_F32F16F16F32_TN", "(2,2,1):(1,2,0)", "[32:1;32:1;16:1]">) -> !cute.tiled_copy<"UniversalCopy<uint64_t>", f32, "((4,8,2,2),((2,2),(1,2))):((64,1,16,256),((32,8),(0,512)))", "[32:1;32:1]">
  %d = cute.make_tiled_copy_c(%u, %m)
  // CHECK: cute.retile({{.*}}) : ({{.*}}) -> !cute.tensor<f16, rmem, align<16>, "((8,1),2,2):((1,0),16,8)">
  // GENERIC: "cute.retile"(%{{.*}}, %{{.*}}) : (!cute.tiled_copy<"SM75_U32x4_LDSM_N", f16, "((4,8,2,2),((2,2,2),(1,1))):((64,1,16,0),((32,8,256),(0,0)))", "[32:1;16:1]">, !cute.tensor<f16, "rmem", 16 : i64, "((2,2,2),2,2):((1,2,4),16,8)">) -> !cute.tensor<f16, "rmem", 16 : i64, "((8,1),2,2):((1,0),16,8)">
  %e = cute.retile(%c, %r)
  return
}

// By a layout (thread, value) -> index and a tile or its shape, or as
// make_tiled_copy_tv by threads and values.
// CHECK-LABEL: func.func @by_layout_tv
func.func @by_layout_tv() {
  %a = cute.static : !cute.copy_atom<"UniversalCopy<uint128_t>", f16>
  %l = cute.static : !cute.layout<"((8,16),8):((128,1),16)">
  %tile = cute.static : !cute.tile<"[16:1;64:1]">
  %shape = cute.static : !cute.shape<"(16,64)">
  // CHECK: cute.make_tiled_copy({{.*}}) : (!cute.copy_atom<"UniversalCopy<uint128_t>", f16>, !cute.layout<"((8,16),8):((128,1),16)">, !cute.tile<"[16:1;64:1]">) -> !cute.tiled_copy<"UniversalCopy<uint128_t>", f16, "((8,16),8):((128,1),16)", "[16:1;64:1]">
  %c = cute.make_tiled_copy(%a, %l, %tile)
  // CHECK: cute.make_tiled_copy({{.*}}) : ({{.*}}, !cute.shape<"(16,64)">) -> !cute.tiled_copy<"UniversalCopy<uint128_t>", f16, "((8,16),8):((128,1),16)", "[16:1;64:1]">
  %d = cute.make_tiled_copy(%a, %l, %shape)
  %t = cute.static : !cute.layout<"(16,8):(8,1)">
  %v = cute.static : !cute.layout<"(1,8):(0,1)">
  // CHECK: cute.make_tiled_copy_tv(%{{.*}}, %{{.*}}, %{{.*}}) : (!cute.copy_atom<"UniversalCopy<uint128_t>", f16>, !cute.layout<"(16,8):(8,1)">, !cute.layout<"(1,8):(0,1)">) -> !cute.tiled_copy<"UniversalCopy<uint128_t>", f16, "((8,16),8):((128,1),16)", "[16:1;64:1]">
  // GENERIC: "cute.make_tiled_copy_tv"({{.*}}) : ({{.*}}) -> !cute.tiled_copy<"UniversalCopy<uint128_t>", f16, "((8,16),8):((128,1),16)", "[16:1;64:1]">
  %e = cute.make_tiled_copy_tv(%a, %t, %v)
  return
}

// Where atoms split K, the threads along K share what they have of C: thread 64
// has what thread 0 has.
// CHECK-LABEL: func.func @split_k
func.func @split_k(%m: !cute.tiled_mma<"SM80_16x8x16_F32F16F16F32_TN", "(1,2,2):(0,1,2)", "[_;_;_]">) {
  %u = cute.static : !cute.copy_atom<"UniversalCopy<uint64_t>", f32>
  // CHECK: cute.make_tiled_copy_c({{.*}}) : ({{.*}}) -> !cute.tiled_copy<"UniversalCopy<uint64_t>", f32, "((4,8,2,2),((2,2),(1,1))):((32,1,128,0),((16,8),(0,0)))", "[16:1;16:1]">
  %c = cute.make_tiled_copy_c(%u, %m)
  return
}

// CHECK-LABEL: func.func @if
func.func @if(%c: !cute.tiled_copy<"UniversalCopy<uint128_t>", f16, "((8,16),8):((128,1),16)", "[16:1;64:1]">, %p: !cute.tensor<i1, rmem, align<16>, "(1,4):(0,0)">, %s: !cute.tensor<f16, gmem, align<16>, "((8,1),4):((1,0),1024)">, %d: !cute.tensor<f16, smem, align<16>, "((8,1),4):((1,0),512)">) {
  // CHECK: cute.copy_if(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) : !cute.tiled_copy<{{.*}}>, !cute.tensor<i1, rmem, align<16>, "(1,4):(0,0)">, !cute.tensor<f16, gmem, align<16>, "((8,1),4):((1,0),1024)">, !cute.tensor<f16, smem, align<16>, "((8,1),4):((1,0),512)">
  // GENERIC: "cute.copy_if"(%{{[^,]*}}, %{{[^,]*}}, %{{[^,]*}}, %{{[^,]*}}) : ({{.*}}) -> ()
  cute.copy_if(%c, %p, %s, %d)
  return
}

// Extents of modes after the first may be dynamic.
// CHECK-LABEL: func.func @dynamic
func.func @dynamic(%s: !cute.tensor<f16, gmem, align<16>, "(8,?,?):(1,?{div=8},?{div=8})">, %d: !cute.tensor<f16, smem, align<16>, "(8,(?,?)):(1,(8,?{div=8}))">) {
  %a = cute.static : !cute.copy_atom<"UniversalCopy<uint128_t>", f16>
  // CHECK: cute.copy(
  // GENERIC: "cute.copy"(
  cute.copy(%a, %s, %d)
  return
}

// CHECK-LABEL: func.func @groups
func.func @groups() {
  // CHECK: cute.cp_async_commit{{$}}
  // GENERIC: "cute.cp_async_commit"() : () -> ()
  cute.cp_async_commit
  // CHECK: cute.cp_async_wait<1>{{$}}
  // GENERIC: "cute.cp_async_wait"() <{n = 1 : {{i[0-9]+}}}> : () -> ()
  cute.cp_async_wait<1>
  // CHECK: cute.cp_async_wait_all{{$}}
  // GENERIC: "cute.cp_async_wait_all"() : () -> ()
  cute.cp_async_wait_all
  return
}
