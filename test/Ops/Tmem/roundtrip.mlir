// Allocation of tensor memory, its order, and copies of it.
// RUN: cute-opt %s | FileCheck %s
// RUN: cute-opt %s | cute-opt | FileCheck %s
// RUN: cute-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC

// CHECK-LABEL: func.func @tmem
func.func @tmem(%slot: !cute.ptr<i32, smem, align<4>>, %p: !cute.ptr<f32, tmem, align<16>>, %b: !cute.ptr<i64, smem, align<8>>) {
  // CHECK: cute.tmem_alloc<128, 1> (%{{.*}}) : !cute.ptr<i32, smem, align<4>>
  // GENERIC: "cute.tmem_alloc"(%{{.*}}) <{columns = 128 : i32, ctas = 1 : i32}> : (!cute.ptr<i32, "smem", 4 : i64, "">) -> ()
  cute.tmem_alloc<128, 1> (%slot)
  // CHECK: cute.tmem_relinquish<2>
  // GENERIC: "cute.tmem_relinquish"() <{ctas = 2 : i32}> : () -> ()
  cute.tmem_relinquish<2>
  // CHECK: cute.tmem_wait<"ld"> ()
  // GENERIC: "cute.tmem_wait"() <{kind = "ld"}> : () -> ()
  cute.tmem_wait<"ld"> ()
  // CHECK: cute.tcgen05_fence<"after">
  // GENERIC: "cute.tcgen05_fence"() <{kind = "after"}> : () -> ()
  cute.tcgen05_fence<"after">
  // CHECK: cute.tcgen05_commit<1> (%{{.*}}) : !cute.ptr<i64, smem, align<8>>
  // GENERIC: "cute.tcgen05_commit"(%{{.*}}) <{ctas = 1 : i32}> : (!cute.ptr<i64, "smem", 8 : i64, "">) -> ()
  cute.tcgen05_commit<1> (%b)
  // CHECK: cute.tmem_shift<1> (%{{.*}}) : !cute.ptr<f32, tmem, align<16>>
  // GENERIC: "cute.tmem_shift"(%{{.*}}) <{ctas = 1 : i32}> : (!cute.ptr<f32, "tmem", 16 : i64, "">) -> ()
  cute.tmem_shift<1> (%p)
  // CHECK: cute.tmem_dealloc<128, 1> (%{{.*}}) : !cute.ptr<f32, tmem, align<16>>
  // GENERIC: "cute.tmem_dealloc"(%{{.*}}) <{columns = 128 : i32, ctas = 1 : i32}> : (!cute.ptr<f32, "tmem", 16 : i64, "">) -> ()
  cute.tmem_dealloc<128, 1> (%p)
  return
}

// CHECK-LABEL: func.func @copies
func.func @copies(%t: !cute.tensor<f32, tmem, align<16>, "(128,64):(65536,1)">) {
  %a = cute.static : !cute.copy_atom<"SM100_TMEM_LOAD_32dp32b8x", f32>
  // CHECK: cute.make_tmem_copy(%{{.*}}, %{{.*}}) : {{.*}} -> !cute.tiled_copy<"SM100_TMEM_LOAD_32dp32b8x", f32, "((32,4),(8,32)):((0,1),(128,4))", "[(4,32):(32,1);8:1]">
  // GENERIC: "cute.make_tmem_copy"(%{{.*}}, %{{.*}}) : (!cute.copy_atom<"SM100_TMEM_LOAD_32dp32b8x", f32>, !cute.tensor<f32, "tmem", 16 : i64, "(128,64):(65536,1)">) -> !cute.tiled_copy
  %c = cute.make_tmem_copy(%a, %t)
  return
}

// CHECK-LABEL: func.func @reduces
func.func @reduces(%c: !cute.copy_atom<"SM100_TMEM_LOAD_32dp32b2x", f32>, %s: !cute.tensor<f32, tmem, align<16>, "((2,32)):((1,65536))">, %d: !cute.tensor<f32, rmem, align<16>, "(2):(1)">) -> f32 {
  // CHECK: %{{.*}} = cute.tmem_load_reduce<"max.abs"> (%{{.*}}, %{{.*}}, %{{.*}}) : {{.*}} -> f32
  // GENERIC: "cute.tmem_load_reduce"(%{{.*}}, %{{.*}}, %{{.*}}) {{.*}}kind = "max.abs"
  %v = cute.tmem_load_reduce<"max.abs"> (%c, %s, %d)
  return %v : f32
}

// The accumulators of 64 rows take half of the lanes.
// CHECK-LABEL: func.func @fragment
func.func @fragment(%g: !cute.tensor<f32, gmem, align<16>, "(128,128):(128,1)">) {
  %mma = cute.make_tiled_mma(!cute.mma_atom<"SM100_MMA_F16BF16_SS<half_t,half_t,float,64,128,K,K>">)
  %part = cute.partition_c(%mma, %g, 0)
  // CHECK: cute.make_fragment_c(%{{.*}}, %{{.*}}) : {{.*}} -> !cute.tensor<f32, tmem, align<16>, "(((16,4),128),2,1):(((65536,2097152),1),1048576,0)">
  %f = cute.make_fragment_c(%mma, %part)
  return
}
