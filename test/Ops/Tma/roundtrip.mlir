// TMA atoms, what they move, and groups of bulk copies.
// RUN: cute-opt %s | FileCheck %s
// RUN: cute-opt %s | cute-opt | FileCheck %s
// RUN: cute-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC
// RUN: cute-opt %s --mlir-print-op-generic | cute-opt | FileCheck %s

!tma = !cute.tma_atom<"SM90_TMA_LOAD", f16, "S<3,4,3>", "(64,128):(1@1,1@0)", "((64,128),1):((128,1),128)">
!shared = !cute.tma_atom<"SM90_TMA_LOAD_MULTICAST", f32, "", "(32,128):(1@1,1@0)", "((32,128),1):((128,1),128)", ctas<2>>

// CHECK-LABEL: func.func @tma
func.func @tma(%A: !cute.tensor<f16, gmem, align<16>, "(?,?):(?{i64 div=8},1)">, %A32: !cute.tensor<f32, gmem, align<16>, "(?,?):(?{i64 div=4},1)">, %l: !cute.composed_layout<"S<3,3,3> o 0 o (128,64):(64,1)">, %l32: !cute.layout<"(128,32):(32,1)">, %s: !cute.shape<"(128,64)">, %s32: !cute.shape<"(128,32)">, %two: !cute.int_tuple<"2">, %sA: !cute.tensor<f16, smem, align<1024>, "S<3,3,3> o 0 o ((128,64),4):((64,1),8192)">, %gA: !cute.coord_tensor<"(?,0)", "((128,64),?):((1@0,1@1),64@1)">, %s1: !cute.tensor<f32, smem, align<128>, "((128,32)):((32,1))">, %g1: !cute.coord_tensor<"(0,0)", "((128,32)):((1@0,1@1))">, %cta: i32, %b: !cute.ptr<i64, smem, align<8>>, %mask: i16, %map: !cute.ptr<i64, gmem, align<128>>) {
  // CHECK: %[[TMA:.*]]:2 = cute.make_tma_atom<"SM90_TMA_LOAD"> (%{{.*}}, %{{.*}}, %{{.*}}) : (!cute.tensor<f16, gmem, align<16>, "(?,?):(?{i64 div=8},1)">, !cute.composed_layout<"S<3,3,3> o 0 o (128,64):(64,1)">, !cute.shape<"(128,64)">) -> (!cute.tma_atom<"SM90_TMA_LOAD", f16, "S<3,4,3>", "(64,128):(1@1,1@0)", "((64,128),1):((128,1),128)">, !cute.coord_tensor<"(0,0)", "(?,?):(1@0,1@1)">)
  // GENERIC: "cute.make_tma_atom"(%{{.*}}, %{{.*}}, %{{.*}}) <{atom = "SM90_TMA_LOAD"}> : {{.*}} -> (!cute.tma_atom<"SM90_TMA_LOAD", f16, "S<3,4,3>", "(64,128):(1@1,1@0)", "((64,128),1):((128,1),128)", 1 : i64>, !cute.coord_tensor<"(0,0)", "(?,?):(1@0,1@1)">)
  %tma, %mA = cute.make_tma_atom<"SM90_TMA_LOAD"> (%A, %l, %s)
  // CHECK: cute.make_tma_atom<"SM90_TMA_LOAD_MULTICAST"> (%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) : {{.*}} -> (!cute.tma_atom<"SM90_TMA_LOAD_MULTICAST", f32, "", "(32,128):(1@1,1@0)", "((32,128),1):((128,1),128)", ctas<2>>,
  // GENERIC: !cute.tma_atom<"SM90_TMA_LOAD_MULTICAST", f32, "", "(32,128):(1@1,1@0)", "((32,128),1):((128,1),128)", 2 : i64>
  %shared, %mA32 = cute.make_tma_atom<"SM90_TMA_LOAD_MULTICAST"> (%A32, %l32, %s32, %two)
  // CHECK: cute.prefetch_descriptor(%[[TMA]]#0) : !cute.tma_atom<
  // GENERIC: "cute.prefetch_descriptor"(
  cute.prefetch_descriptor(%tma)
  // CHECK: cute.with_tensor_map(%[[TMA]]#0, %{{.*}}) : (!cute.tma_atom<{{.*}}, !cute.ptr<i64, gmem, align<128>>) -> !cute.tma_atom<
  // GENERIC: "cute.with_tensor_map"(
  %other = cute.with_tensor_map(%tma, %map)
  // CHECK: cute.copy_tensor_map(%[[TMA]]#0, %{{.*}}) : !cute.tma_atom<{{.*}}, !cute.ptr<i64, gmem, align<128>>
  // GENERIC: "cute.copy_tensor_map"(
  cute.copy_tensor_map(%tma, %map)
  // CHECK: cute.update_tensor_map(%[[TMA]]#0, %{{.*}}, %{{.*}}) : !cute.tma_atom<{{.*}}, !cute.tensor<f16, gmem, align<16>, {{.*}}, !cute.ptr<i64, gmem, align<128>>
  // GENERIC: "cute.update_tensor_map"(
  cute.update_tensor_map(%tma, %A, %map)
  // CHECK: %[[PARTS:.*]]:2 = cute.tma_partition(%[[TMA]]#0, %{{.*}}, %{{.*}}) : {{.*}} -> (!cute.tensor<f16, smem, align<1024>, "S<3,3,3> o 0 o ((8192,1),4):((1,1),8192)">, !cute.coord_tensor<"(?,0)", "(((64,128),1),?):(((1@1,1@0),1@1),64@1)">)
  // GENERIC: "cute.tma_partition"(
  %tAsA, %tAgA = cute.tma_partition(%tma, %sA, %gA)
  // CHECK: %[[SHARED:.*]]:2 = cute.tma_partition(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) : {{.*}} -> (!cute.tensor<f32, smem, align<128>, "((4096,1)):((1,1))">, !cute.coord_tensor<"(?{div=64},0)", "(((32,128),1)):(((1@1,1@0),1@1))">)
  %tBsB, %tBgB = cute.tma_partition(%shared, %s1, %g1, %cta)
  // CHECK: cute.with_barrier(%[[TMA]]#0, %{{.*}}) : (!cute.tma_atom<{{.*}}, !cute.ptr<i64, smem, align<8>>) -> !cute.tma_atom<
  // GENERIC: "cute.with_barrier"(
  %plain = cute.with_barrier(%tma, %b)
  // CHECK: %[[WITH:.*]] = cute.with_barrier<"evict_last">(%{{.*}}, %{{.*}}, %{{.*}}) :
  // GENERIC: "cute.with_barrier"(%{{.*}}, %{{.*}}, %{{.*}}) <{cache = "evict_last"}>
  %with = cute.with_barrier<"evict_last">(%shared, %b, %mask)
  // CHECK: cute.copy(%[[WITH]], %[[SHARED]]#1, %[[SHARED]]#0) : !cute.tma_atom<
  cute.copy(%with, %tBgB, %tBsB)
  %row = cute.static : !cute.copy_atom<"SM90_BULK_COPY_G2S", f16>
  // CHECK: cute.with_barrier<"evict_first">(%{{.*}}, %{{.*}}) : (!cute.copy_atom<"SM90_BULK_COPY_G2S", f16>, !cute.ptr<i64, smem, align<8>>) -> !cute.copy_atom<"SM90_BULK_COPY_G2S", f16>
  %row_with = cute.with_barrier<"evict_first">(%row, %b)
  %out = cute.static : !cute.copy_atom<"SM90_BULK_REDUCE_ADD_S2G", f32>
  // CHECK: cute.with_cache<"evict_last">(%{{.*}}) : !cute.copy_atom<"SM90_BULK_REDUCE_ADD_S2G", f32> -> !cute.copy_atom<"SM90_BULK_REDUCE_ADD_S2G", f32>
  // GENERIC: "cute.with_cache"(%{{.*}}) <{cache = "evict_last"}>
  %out_with = cute.with_cache<"evict_last">(%out)
  // CHECK: cute.cp_async_bulk_commit
  // GENERIC: "cute.cp_async_bulk_commit"() : () -> ()
  cute.cp_async_bulk_commit
  // CHECK: cute.cp_async_bulk_wait<2>
  // GENERIC: "cute.cp_async_bulk_wait"() <{n = 2 : i32}> : () -> ()
  cute.cp_async_bulk_wait<2>
  // CHECK: cute.cp_async_bulk_wait_read<0>
  // GENERIC: "cute.cp_async_bulk_wait_read"() <{n = 0 : i32}> : () -> ()
  cute.cp_async_bulk_wait_read<0>
  return
}

// CHECK-LABEL: func.func @im2col
func.func @im2col(%X: !cute.tensor<f16, gmem, align<16>, "(?,?,?,64):(?{i64 div=8},?{i64 div=8},?{i64 div=8},1)">, %line: !cute.tensor<f32, gmem, align<16>, "(4,20,?):(?{i64 div=4},?{i64 div=4},1)">, %l: !cute.composed_layout<"S<3,3,3> o 0 o (128,64):(64,1)">, %l1: !cute.layout<"(16,(4,2)):(4,(1,64))">, %at: !cute.coord<"(?,(?,2))">, %s: !cute.tensor<f32, smem, align<128>, "((16,(4,2)),3):((4,(1,64)),128)">) {
  %filter = cute.static : !cute.int_tuple<"(3,3)">
  %step = cute.static : !cute.int_tuple<"(2,1)">
  %lower = cute.static : !cute.int_tuple<"(1,1)">
  %upper = cute.static : !cute.int_tuple<"(1,0)">
  %dilation = cute.static : !cute.int_tuple<"(1,2)">
  // CHECK: cute.make_im2col_tma_atom<"SM90_TMA_LOAD_IM2COL"> (%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) : {{.*}} -> (!cute.tma_atom<"SM90_TMA_LOAD_IM2COL", f16, "S<3,4,3>", "(64,128):(1@3@0,1@2@0)", "((64,128),1):((128,1),128)">, !cute.coord_tensor<"((0,-1,-1,0),(0,0))", "((?,?,?),(64,(3,3))):((1@2@0,2@1@0,1@0@0),(1@3@0,(2@1@1,1@0@1)))">)
  // GENERIC: "cute.make_im2col_tma_atom"(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) <{atom = "SM90_TMA_LOAD_IM2COL"}>
  %tma, %m = cute.make_im2col_tma_atom<"SM90_TMA_LOAD_IM2COL"> (%X, %l, %filter, %step, %lower, %upper, %dilation)
  %one = cute.static : !cute.int_tuple<"1">
  %five = cute.static : !cute.int_tuple<"5">
  %two = cute.static : !cute.int_tuple<"2">
  // (20 + 2 + 2 - 5) / 1 + 1 places in a line.
  // CHECK: -> (!cute.tma_atom<"SM90_TMA_LOAD_IM2COL", f32, "", "(4,16):(1@2@0,1@1@0)", "((4,16),2):((16,1),64)">, !cute.coord_tensor<"((0,-2,0),(0))", "((20,4),(?,(5))):((1@1@0,1@0@0),(1@2@0,(1@0@1)))">)
  %tma1, %m1 = cute.make_im2col_tma_atom<"SM90_TMA_LOAD_IM2COL"> (%line, %l1, %five, %one, %two, %two, %one)
  %from = cute.domain_offset(%at, %m1)
  // The place of the tile, and in it two boxes of four channels.
  // CHECK: cute.tma_partition({{.*}} -> (!cute.tensor<f32, smem, align<128>, "((64,2),3):((1,64),128)">, !cute.coord_tensor<"((?,?,?),(2))", "(((4,16),2)):(((1@2@0,1@1@0),4@2@0))">)
  %s_part, %part = cute.tma_partition(%tma1, %s, %from)
  return
}

// A row of 512 bytes that two blocks share.
// CHECK-LABEL: func.func @row
func.func @row(%A: !cute.tensor<i16, gmem, align<16>, "(256):(1)">, %l: !cute.layout<"(256):(1)">, %s: !cute.shape<"(256)">, %two: !cute.int_tuple<"2">) {
  // CHECK: !cute.tma_atom<"SM90_TMA_LOAD_MULTICAST", i16, "", "(256):(1@0)", "(256,1):(1,256)", ctas<2>>
  %shared, %mA = cute.make_tma_atom<"SM90_TMA_LOAD_MULTICAST"> (%A, %l, %s, %two)
  return
}

// The tile is several modes: they become one.
// CHECK-LABEL: func.func @modes
func.func @modes(%t: !cute.tma_atom<"SM90_TMA_LOAD", f16, "S<3,4,3>", "(64,128):(1@1,1@0)", "((64,128),1):((128,1),128)">, %s: !cute.tensor<f16, smem, align<1024>, "S<3,3,3> o 0 o (128,64,4):(64,1,8192)">, %g: !cute.coord_tensor<"(?,0)", "(1,128,64,?):(1@0,1@0,1@1,64@1)">) {
  // CHECK: cute.tma_partition({{.*}} -> (!cute.tensor<f16, smem, align<1024>, "S<3,3,3> o 0 o ((8192,1),4):((1,1),8192)">, !cute.coord_tensor<"(?,0)", "(((64,128),1),?):(((1@1,1@0),1@1),64@1)">)
  %parts:2 = cute.tma_partition(%t, %s, %g)
  return
}

// CHECK-LABEL: func.func @rows
func.func @rows(%atom: !cute.tma_atom<"SM100_TMA_STORE_SCATTER4", f16, "S<3,4,3>", "(64,4):(1@1,1@0)", "((64,4),32):((128,1),4)">, %rows: !cute.tensor<i32, smem, align<4>, "128:1">) {
  // CHECK: cute.with_rows(%{{.*}}, %{{.*}}) : (!cute.tma_atom<"SM100_TMA_STORE_SCATTER4", {{.*}}, !cute.tensor<i32, smem, align<4>, "128:1">) -> !cute.tma_atom<"SM100_TMA_STORE_SCATTER4",
  // GENERIC: "cute.with_rows"(
  %four = cute.with_rows(%atom, %rows)
  return
}
